"""`check` says what is wrong about a result in words, whatever that is."""

import linecache
import re

import numpy as np
import pytest
import torch

from gradebox.release.messages import code

SOLUTION = """
import numpy as np

def shares(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

def mixed(A, B, C):
    weights = shares(A @ B.transpose(0, 2, 1))
    return weights @ C, weights
"""
rng = np.random.default_rng(0)
GIVEN = [rng.normal(size=size) for size in [(2, 3, 4), (2, 5, 4), (2, 5, 6)]]


class Notebook:
    """A notebook that has the cell of messages, and the solution."""

    def __init__(self):
        self.names = {"__name__": "__main__", "MESSAGES": {}}
        self.run("messages", code())
        self.run("solution", SOLUTION)
        self.names["returns"]("mixed", output="sequence query value", weights="sequence query key")
        self.known = {"advice": {}, "calls": {}}
        self.names["MESSAGES"]["mixed"] = self.known

    def run(self, name: str, text: str) -> None:
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), self.names)

    def said(self, text: str, *given, right=None, mistakes=(), **options) -> str:
        """What the message of a call of the function that this text defines is; "" if it passes."""
        self.run("<student>", text)
        given = given or GIVEN
        if right is None:
            right = [part.tolist() for part in self.names["mixed"](*[np.array(one) for one in given])]
        self.known["calls"]["small example"] = [right, mistakes]
        own = re.findall(r"def (\w+)", text)[-1]
        try:
            self.names["check"]("mixed", "small example", self.names[own], *given, **options)
        except AssertionError as error:
            return str(error)
        return ""


@pytest.fixture
def nb():
    return Notebook()


def test_what_is_right_passes_in_every_form(nb):
    forms = ["a, b", "a.tolist(), b", "[a, b.astype(np.float32)]", "torch.tensor(a), torch.tensor(b)"]
    nb.names["torch"] = torch
    for form in forms:
        assert not nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return {form}"), form


# What the student's function makes of the right output `a` and the right weights `b`; words of the last line,
# and of those above it.
MADE = {
    "None": ("None", "return", "None"),
    "a": ("a", "give back 2 things: (output, weights)", "1"),
    "the other order": ("b, a", "(output, weights)", "another order"),
    "a text": ("a, 'text'", "array of numbers", "weights is a str"),
    "transposed": ("a, b.transpose(0, 2, 1)", "sequence, key, query", "(2, 5, 3)"),
    "flat": ("a.reshape(6, 6), b", "only their shape", "(6, 6)"),
    "one sequence": ("a[1], b", "only sequence 1 came back", "(3, 6)"),
    "added up": ("a.sum(axis=1), b", "the query axis was added up", "(2, 6)"),
    "averaged": ("a, b.mean(axis=2)", "the key axis was averaged", "(2, 3)"),
    "of the notebook": ("a, X", "of the notebook's X (7, 8)", "(7, 8)"),
    "too long": ("a, np.concatenate([b, b], axis=1)", "the query axis has 6 places", "(2, 6, 5)"),
    "too many axes": ("a, b[None]", "only their shape", "(1, 2, 3, 5)"),
    "NaN": ("a * np.where(a > 0.5, np.nan, 1), b", "NaN comes of", "NaN"),
    "twice": ("2 * a, b", "every number is 2 times", "output"),
    "one more": ("a + 1, b", "every number is 1 more", "output"),
    "other sums": ("a, b / b.sum(axis=1, keepdims=True)", "here the sum over the query axis is", "weights"),
    "no sums": ("a, 3 * np.sqrt(b)", "the sum over the key axis should be 1", "weights"),
    "the first for all": ("a, b[:1] + 0 * b", "sequence 1 holds what belongs to sequence 0", "sequence 1"),
    "a part": (
        "a, np.where(np.arange(3)[:, None] == 2, b[:, :, ::-1], b)",
        "query 0, 1 is right, query 2",
        "sequence 0, query 2, key 0",
    ),
    "nothing": ("a, shares(b)", "no part of it is right", "weights at sequence 0, query 0, key 0"),
}


@pytest.mark.parametrize(("made", "last", "above"), MADE.values(), ids=MADE)
def test_a_wrong_result_is_located(nb, made, last, above):
    nb.names["X"] = np.ones((7, 8))
    said = nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return {made}")
    assert last in said.splitlines()[-1] and above in said, said


def test_numbers_stand_above_the_last_line(nb):
    said = nb.said("def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return a, b / 2")
    first, last = said.splitlines()
    assert re.search(r"weights at sequence 0, query 0, key 0 is 0\.\d+ and should be 0\.\d+", first)
    assert last == "every number is 0.5 times what it should be"


def test_the_advice_on_a_known_mistake_is_the_last_line_whatever_its_last_digits(nb):
    text = "def own(A, B, C):\n    a, b = mixed(A / 2, B, C)\n    return a * 1.00001, b"
    arrays = [np.array(part) for part in nb.names["mixed"](GIVEN[0] / 2, *GIVEN[1:])]
    shapes, *sums = nb.names["signature"](arrays)
    nb.known["advice"] = {"half": "A is halved: take it as it is", "other": "something else"}
    mistakes = [["other", shapes, 1.0, 2.0], ["half", shapes, *sums]]
    said = nb.said(text, mistakes=mistakes)
    assert said.splitlines()[-1] == "A is halved: take it as it is" and "sequence 0" in said


RAISED = {
    "a product": ("return A @ B", "the last axis on the left", "A (2, 3, 4), B (2, 5, 4)"),
    "shapes": ("return A + B", "from the last axis on", "A (2, 3, 4), B (2, 5, 4)"),
    "a reshape": ("n = 7\n    return A.reshape(n, -1)", "keeps how many numbers", "n = 7"),
    "a truth": ("if A: return B", "one truth", "in line 2 of your cell: if A: return B"),
    "None": ("C = None\n    return C.shape", "each function end with a return", "C.shape"),
    "a name": ("return weights", "nothing has this name", "NameError: name 'weights'"),
    "brackets": ("return A(B)", "is no function", "TypeError"),
    "an index": ("return A[9]", "the first is 0", "IndexError"),
    "another library": ("return np.linalg.inv(A)", "", "LinAlgError"),
    "below": ("return inner(A)\ndef inner(A):\n    return A @ A\ndef own(A, B, C):\n    return inner(A)",
              "the last axis on the left", "in line 4 of your cell: return A @ A"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "last", "above"), RAISED.values(), ids=RAISED)
def test_an_error_is_put_into_words_with_the_line_and_its_sizes(nb, body, last, above):
    said = nb.said(f"def own(A, B, C):\n    {body}")
    assert last in said.splitlines()[-1] and above in said, said


def test_torchs_errors_are_put_into_words(nb):
    nb.names["torch"] = torch
    said = nb.said("def own(A):\n    return A @ A", torch.ones(3, 4), right=[[1]])
    assert "the last axis on the left" in said.splitlines()[-1] and "A (3, 4)" in said
    said = nb.said("def own(A):\n    return A.transpose(0, 1).view(-1)", torch.ones(3, 4), right=[[1]])
    assert "write reshape for view" in said.splitlines()[-1]


def test_a_call_that_should_be_refused(nb):
    refused = {"right": "ValueError"}
    assert not nb.said("def own(A, B, C):\n    raise ValueError('no')", **refused)
    assert "raise a ValueError" in nb.said("def own(A, B, C):\n    return A, B", **refused).splitlines()[-1]
    assert "TypeError: no" in nb.said("def own(A, B, C):\n    raise TypeError('no')", **refused)


@pytest.mark.parametrize("change", ["A /= 2", "C[0] = 0", "B.sort()"])
def test_an_input_that_was_changed_is_named(nb, change):
    before = [one.copy() for one in GIVEN]
    said = nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    {change}\n    return a, b")
    assert said.splitlines()[-1] == "an input was changed: make new arrays"
    assert all(map(np.array_equal, before, GIVEN))


def test_options_are_passed_and_watched_too(nb):
    said = nb.said("def own(A, B, *, C):\n    C += 1\n    return mixed(A, B, C - 1)", *GIVEN[:2], C=GIVEN[2],
                   right=[part.tolist() for part in nb.names["mixed"](*GIVEN)])  # fmt: skip
    assert "argument 3" in said


def test_a_dict_of_results(nb):
    nb.names["returns"]("mixed", **{"in.weight": "row column", "bias": "row"})
    right = [np.ones((2, 3)).tolist(), [0, 0]]
    assert not nb.said(
        "def own(n):\n    return {'bias': [0, 0], 'in.weight': np.ones((2, 3))}", 2, right=right
    )
    said = nb.said("def own(n):\n    return {'bias': [0, 0]}", 2, right=right)
    assert "in.weight, bias" in said.splitlines()[-1]
    said = nb.said("def own(n):\n    return {'bias': [0, 1], 'in.weight': np.ones((2, 3))}", 2, right=right)
    assert "in.weight is right; bias at row 1 is 1" in said


def test_one_number(nb):
    nb.names["returns"]("mixed", gap="")
    assert not nb.said("def own(n):\n    return 0.5", 2, right=[0.5])
    assert "gap is 0.25 and should be 0.5" in nb.said("def own(n):\n    return 0.25", 2, right=[0.5])
    assert "one number" in nb.said("def own(n):\n    return [0.5, 0.5]", 2, right=[0.5])


def test_what_came_back_is_an_argument(nb):
    nb.names["returns"]("mixed", rows="row column")
    said = nb.said(
        "def own(A):\n    return A", np.arange(6.0).reshape(2, 3), right=[np.ones((2, 3)).tolist()]
    )
    assert said.splitlines()[-1] == "this is argument 1, as it was given"


def test_what_should_be_blocked(nb):
    nb.names["returns"]("mixed", mask="query key")
    right = [np.where(np.triu(np.ones((3, 3)), 1), -np.inf, 0).tolist()]
    own = "def own(n):\n    return np.where({}, -np.inf, 0)"
    said = nb.said(own.format([[0, 0, 1], [0, 0, 1], [0, 0, 0]]), 3, right=right)
    assert "should be −∞ and isn't: 1 of 9" in said.splitlines()[-1] and "query 0, key 1 is 0" in said
    said = nb.said(own.format([[0, 1, 1], [0, 0, 1], [1, 0, 0]]), 3, right=right)
    assert "is −∞ and shouldn't be" in said.splitlines()[-1]
