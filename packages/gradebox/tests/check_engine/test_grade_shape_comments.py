"""`check_shape_comments` gives the point for true comments only, and decides by the submitted text."""

import pytest
import torch
from shapes import named, run

from gradebox.check_engine import grade_shape_comments
from gradebox.check_engine.grade_shape_comments import check_shape_comments

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


def problem(text: str, *others: str) -> str:
    """The message of the check for a submission with these cells; "" if it passes."""
    cells = [("head", text), *(("", other) for other in others or [HELPER])]
    notebook = check_shape_comments.__globals__
    try:
        notebook["submitted_cells"] = cells
        check_shape_comments("head", "Head", *RUNS)
    except AssertionError as error:
        return str(error)
    finally:
        del notebook["submitted_cells"]
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
        ("q @ k.mT", "torch.linalg.multi_dot([q, k.mT])", "`torch.linalg` is not known"),
        ("q @ k.mT", "q @ k", "line 10 raises RuntimeError"),
        ("x = x", "x.__class__", "`.__class__` is not known"),
        ("mixed(scores, self.v(x))", "self.q(x)", "doesn't depend on k.weight"),
    ],
)
def test_anything_else_earns_nothing(line, becomes, says):
    text = LAYER.replace("q, k = self.q(x)", "x = x\n        q, k = self.q(x)") if line == "x = x" else LAYER
    assert line in text
    assert says in problem(text.replace(line, becomes, 1))


def test_functions_of_the_cell_and_other_cells_are_evaluated():
    assert "line 2 of the cell" in problem(HELPER + LAYER)
    assert "`mixed` is not known" in problem(LAYER, "x = 1")
    assert "is not defined in the cell" in problem("", LAYER + HELPER)


@pytest.mark.parametrize(
    "helper",
    [
        "def mixed(scores, v):\n    while True:\n        pass\n",
        "def mixed(scores, v):\n    return mixed(scores, v)\n",
        "def mixed(scores, v):\n    return [0] * 10**12\n",
        "def mixed(scores, v):\n    return 10**10**10\n",
        "def mixed(scores, v):\n    return v.numpy().ctypes\n",
        "def mixed(scores, v):\n    return torch.load('x')\n",
        "def mixed(scores, v):\n    return torch.os.getpid()\n",
        "def mixed(scores, v):\n    return mixed.interpreter\n",
        "def mixed(scores, v):\n    return getattr(v, '__class__')\n",
        "def mixed(scores, v):\n    return ().__class__.__mro__[1].__subclasses__()\n",
        "def mixed(scores, v):\n    return eval('v')\n",
        "import os\ndef mixed(scores, v):\n    return os.getpid()\n",
        "def mixed(scores, v):\n    nn.Module.forward = None\n    return v\n",
        "def mixed(scores, v):\n    nn.Linear(2, 2).forward = lambda x: x\n    return v\n",
    ],
)
def test_the_interpreter_knows_nothing_dangerous(helper):
    assert "can't be checked" in problem(LAYER, helper)


def test_in_a_notebook_the_texts_are_those_that_python_keeps(monkeypatch):
    notebook = vars(grade_shape_comments)
    for name, value in named("").items():
        monkeypatch.setitem(notebook, name, notebook.get(name, value))
    for name in ("Head", "mixed"):
        monkeypatch.setitem(notebook, name, None)
    run(HELPER.replace(":\n", ":  # [batch, seq, hidden]\n"), notebook)
    run(LAYER.replace("seq, seq]", "seq, hidden]"), notebook)
    with pytest.raises(AssertionError, match="the comment is false"):
        check_shape_comments("head", "Head", *RUNS)
