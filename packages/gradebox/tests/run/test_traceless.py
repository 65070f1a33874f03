"""Where a moment that was kept would make a second chance come out otherwise, it is not gone back to."""

import pytest
from helpers import cell
from nbformat.v4 import new_code_cell, new_notebook

from gradebox.kernels import client
from gradebox.notebook import name_of, reference
from gradebox.record import ending, passed_on_second_chance
from gradebox.run import player
from gradebox.run.traceless import leaves_no_trace, only_defines

PLAIN = [
    """
def f(x, n=3, axis=-1):
    y = np.exp(x)
    y[0] += n
    return [i for i in y if g(i)]
def g(x):
    return x > 0
""",
    """
def f(x: np.ndarray) -> 'float':
    'Says.'
    def inner(y):
        return y + x
    return inner(1)
""",
    """
from torch import nn
class A(nn.Module):
    size = 3
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
    def forward(self, x):
        return self.linear(x)
""",
    """
def f(x):
    try:
        import math
        return math.sqrt(x)
    except ValueError as error:
        return str(error)
""",
]
TRACES = {
    "a global": "n = 0\ndef f():\n    global n\n    n += 1",
    "data that lasts": "memo = {}\ndef f(x):\n    return memo.setdefault(x, 1)",
    "a default": "def f(x, memo=[]):\n    return memo",
    "a default that runs": "def f(x=g()):\n    return x",
    "a decorator": "@cache\ndef f(x):\n    return x",
    "an attribute of its own": "def f(x):\n    f.calls = 1\n    return x",
    "what a function holds": "def f(x):\n    kept = g.kept\n    return kept\ndef g():\n    pass",
    "a class's attribute": "class A:\n    kept = []\n    def f(self):\n        return self.kept",
    "a class that is registered": "class A(B):\n    pass",
    "a metaclass": "class A(metaclass=B):\n    pass",
    "random numbers": "def f():\n    return np.random.default_rng(0)",
    "a way to all names": "def f():\n    return globals()",
    "a way to a class": "class A:\n    def f(self):\n        type(self).n = 1",
    "options": "import numpy as np\ndef f():\n    np.seterr(all='raise')",
    "a file": "def f():\n    return open('x').read()",
}


@pytest.mark.parametrize("source", PLAIN)
def test_functions_that_keep_nothing_leave_no_trace(source):
    assert leaves_no_trace([source], ["import numpy as np"]) and only_defines(source)


@pytest.mark.parametrize("source", TRACES.values(), ids=TRACES)
def test_what_may_keep_something_is_a_trace(source):
    assert not leaves_no_trace(
        [source], ["import numpy as np\nfrom functools import cache\ndef B():\n    pass"]
    )


def test_torch_s_random_numbers_count_once_somebody_has_seeded_them():
    draws = "import torch\ndef f():\n    return torch.randn(2)"
    assert leaves_no_trace([draws], []) and not leaves_no_trace(
        [draws], ["import torch\ntorch.manual_seed(1)"]
    )


def test_the_instructor_s_functions_count_where_they_are_named():
    given = ["kept = []\ndef note(x):\n    kept.append(x)"]
    assert leaves_no_trace(["def f(x):\n    return x"], given)
    assert not leaves_no_trace(["def f(x):\n    return note(x)"], given)


@pytest.mark.parametrize(
    "source", ["x = 1", "@d\nclass A: pass", "def f(x=[]): pass", "print(1)", "class A(B): pass"]
)
def test_what_does_more_than_to_define(source):
    assert not only_defines(source)


def solution(name: str, text: str):
    head, _, body = text.partition("\n")
    return cell("solution", name, f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION")


DOUBLE = solution("double", "def double(x):\n    return 2 * x")
FOUR = solution("four", "def four(x):\n    return double(double(x))")
MEMO = "memo = {}"
CASES = {
    # The failing test fills the memo with wrong values, by the wrong function.
    "a memo": (
        [
            cell("given", "memo", MEMO),
            solution("double", "def double(x):\n    return memo.setdefault(x, 2 * x)"),
            cell("test", "double-test", "assert double(3) == 6"),
            FOUR,
            cell("test", "four-test", "assert four(3) == 12"),
        ],
        {"double": "def double(x):\n    return memo.setdefault(x, x)"},
    ),
    # And draws what was the later one's.
    "seeded numbers": (
        [
            cell("given", "rng", "import numpy as np\nrng = np.random.default_rng(0)"),
            solution("double", "def double(x):\n    return rng.integers(0, 99, x)"),
            cell("test", "double-test", "assert len(double(3)) == 3"),
            solution("four", "def four(x):\n    return list(double(x))"),
            cell(
                "test",
                "four-test",
                "import numpy as np\nassert four(3) == np.random.default_rng(0).integers(0, 99, 3).tolist()",
            ),
        ],
        {"double": "def double(x):\n    return rng.integers(0, 99, x - 1)"},
    ),
    "a test that changes what is the student's": (
        [
            solution("data", "if True:\n    data = [3, 1]"),
            solution("double", "def double(x):\n    return sorted(data)[-1] + x"),
            cell("test", "double-test", "data.append(9)\nassert double(3) == 12"),
            solution("four", "def four(x):\n    return double(x) + len(data)"),
            cell("test", "four-test", "assert four(1) == 6"),
        ],
        {"double": "def double(x):\n    data.clear()\n    return x"},
    ),
}


@pytest.mark.skipif(not client.available(), reason="this system has no process descriptors")
@pytest.mark.parametrize(("lesson", "wrong"), CASES.values(), ids=CASES)
def test_a_second_chance_comes_out_as_it_would_from_the_beginning(lesson, wrong, played, monkeypatch):

    answers = reference(new_notebook(cells=lesson)) | wrong
    cells = [new_code_cell("'a cell of ones own'")]
    for one in lesson:
        kind = "solution" if name_of(one) in answers else None
        cells.append(cell(kind, name_of(one), answers[name_of(one)]) if kind else one)
    kept = played(*cells, source=lesson)
    monkeypatch.setattr(player, "done_before", lambda *_: None)
    fresh = played(*cells, source=lesson)

    def marks(nb) -> list:
        return [(ending(one), passed_on_second_chance(one)) for one in nb.cells]

    assert marks(kept) == marks(fresh) and marks(fresh)[-1] == ("failed", True)
