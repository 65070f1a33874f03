"""`check_shape_comments` gives the point for true comments only, and changes nothing in the notebook."""

import re

import pytest
import torch
from shapes import run

from gradebox.release.generate_checks_cell import build_checks_code

LAYER = """
class Head(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.q, self.k = nn.Linear(size, hidden), nn.Linear(size, hidden)
        self.v = nn.Linear(size, hidden)

    def forward(self, x):
        q, k = self.q(x), self.k(x)  # [batch, seq, hidden]
        scores = q @ k.mT / math.sqrt(q.shape[-1])  # [batch, seq, seq]
        return mixed(scores, self.v(x))  # [batch, seq, hidden]
"""
HELPER = "def mixed(scores, v):\n    return scores.softmax(-1) @ v\n"
RUNS = [
    ({"batch": 2, "seq": 5, "hidden": 12}, (7, 12), torch.randn(2, 5, 7)),
    ({"batch": 3, "seq": 4, "hidden": 10}, (6, 10), torch.randn(3, 4, 6)),
]


def notebook_with(*cells: str) -> dict:
    """Return the variables of a notebook that has run these cells after its checks cell."""
    notebook = {"__name__": "__main__"}
    code, _ = build_checks_code({}, "", "check_shape_comments(")
    exec(code, notebook)
    run("import math\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n", notebook)
    for text in cells:
        run(text, notebook)
    return notebook


def problem(text: str, *others: str, notebook: dict | None = None) -> str:
    """Return the message of the check for a notebook with these cells; "" if it passes."""
    notebook = notebook or notebook_with(*(others or [HELPER]), text)
    try:
        notebook["check_shape_comments"]("Head", *RUNS)
    except AssertionError as error:
        return str(error)
    return ""


def test_true_comments_earn_the_point():
    assert problem(LAYER) == ""
    assert problem(LAYER.replace("seq, seq]", "query, key]")) == ""


def test_the_message_shows_the_line_its_comment_and_the_true_shape():
    line, reason, advice = problem(LAYER.replace("seq, seq]", "seq, hidden]")).splitlines()
    assert line == ("line 10 of the cell: scores = q @ k.mT / math.sqrt(q.shape[-1])  # [batch, seq, hidden]")
    shapes = "[2, 5, 5] and [3, 4, 4]"
    assert (
        reason == f"the comment is false; the true shape is {shapes}: axis 2 has length 5, but hidden is 12"
    )
    assert advice.startswith("Compare the written shape with the true one")


@pytest.mark.parametrize(
    ("line", "becomes", "says"),
    [
        ("  # [batch, seq, seq]", "", "has no comment"),
        ("[batch, seq, seq]", "a table", "has no comment"),
        ("[batch, seq, seq]", "[batch, seq, seq?]", "can't be read"),
        ("[batch, seq, seq]", "[batch, seq, 5]", "is false"),
        ("[batch, seq, seq]", "[2, 5, 5]", "is false"),
        ("[batch, seq, seq]", "[batch, seq, 9**9**9**9]", "can't be read"),
        ("[batch, seq, seq]", "[...]", "dots"),
        ("[batch, seq, seq]", "[a, b, c]", "names of the same size"),
    ],
)
def test_anything_else_earns_nothing(line, becomes, says):
    assert line in LAYER
    message = problem(LAYER.replace(line, becomes, 1))
    assert says in message
    # A student's page shows this line of a hidden test's message.
    first = re.sub(r"^line \d+ of the cell: .*", "", message.splitlines()[0])
    assert not re.search(r"\d", first), first


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("q @ k.mT", "torch.linalg.multi_dot([q[0], k[0].T])[None].repeat(len(q), 1, 1)"),
        ("q @ k.mT", "torch.einsum(f'bik,bjk->bi{chr(106)}', q, k)"),
        ("q @ k.mT", "torch.vmap(lambda a, b: a @ b.T)(q, k)"),
        ("scores, self.v(x))", "scores, v=self.v(x))"),
        (
            "self.v = nn.Linear(size, hidden)",
            "self.v = nn.init.xavier_uniform_(nn.Linear(size, hidden).weight) "
            "is not None and nn.Linear(size, hidden)",
        ),
        (
            "        return mixed",
            "        try:\n            x.shape[7]\n        except IndexError:\n"
            "            pass\n        return mixed",
        ),
        (
            "        return mixed",
            "        with torch.autocast('cpu', enabled=False):\n            assert len(f'{x.shape}') > 1\n"
            "        return mixed",
        ),
        (
            "        q, k =",
            "        match x.ndim:\n            case 3:\n                pass\n        q, k =",
        ),
    ],
)
def test_any_code_of_torch_and_python_may_be_commented(line, becomes):
    assert line in LAYER
    assert problem(LAYER.replace(line, becomes, 1)) == ""


def test_functions_of_the_cell_are_checked_and_those_of_other_cells_are_called():
    assert "line 2 of the cell" in problem(HELPER + LAYER)
    assert "line 11 raises NameError\nname 'mixed' is not defined" in problem(LAYER, "x = 1")
    assert "no cell of this notebook defines Head" in problem("x = 1", HELPER)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise ValueError(f'{tuple(x.shape)}')", "line 9 raises ValueError\n(2, 5, 7)"),
        ("assert False", "line 9 raises AssertionError"),
        ("raise SystemExit(3)", "line 9 raises SystemExit"),
        ("q @ k.mT", "line 10 raises RuntimeError"),
        ("return self(x)", "line 9 raises RecursionError"),
    ],
)
def test_code_that_stops_ends_in_one_message(line, says):
    text = (
        LAYER.replace("q, k = ", f"{line}\n        q, k = ")
        if " @ " not in line
        else LAYER.replace(line, "q @ k")
    )
    message = problem(text)
    assert message.startswith(f"the comments can't be checked: {says}")
    assert message.splitlines()[-1].startswith("The comments are checked when the code runs")


def test_the_notebook_and_its_random_numbers_stay_as_they_were(capsys):
    cell = "calls, sizes, total = [], {}, 0\n" + LAYER.replace(
        "        q, k",
        "        global total\n        total += len(x)\n        calls.append(x.shape)\n"
        "        sizes[len(x)] = x.shape\n        print(x.shape)\n        q, k",
    )
    notebook = notebook_with(HELPER, cell + "print('once')\n")
    capsys.readouterr()
    before, state = notebook.copy(), torch.get_rng_state()
    assert problem("", notebook=notebook) == ""
    assert capsys.readouterr() == ("", "")
    assert notebook["calls"] == [] and notebook["sizes"] == {}
    assert all(notebook[name] is value for name, value in before.items()) and notebook.keys() == before.keys()
    assert torch.equal(torch.get_rng_state(), state)


def test_the_submitted_cell_never_runs_in_the_judge():
    notebook = notebook_with(HELPER, LAYER)
    notebook["submitted_cells"] = [("", HELPER), ("head", LAYER)]
    with pytest.raises(RuntimeError, match="needs the tag unjudged"):
        notebook["check_shape_comments"]("Head", *RUNS)


def test_helpers_replace_functions_of_earlier_exercises():
    notebook = notebook_with("def mixed(scores, v):\n    raise NotImplementedError()\n", LAYER)
    assert "raises NotImplementedError" in problem("", notebook=notebook)
    right = {"mixed": lambda scores, v: scores.softmax(-1) @ v}
    notebook["check_shape_comments"]("Head", *RUNS, helpers=right)
