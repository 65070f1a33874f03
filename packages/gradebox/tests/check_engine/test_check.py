"""`check` says what is wrong about a result in words, whatever that is."""

import linecache
import re

import numpy as np
import pytest
import torch

from gradebox.check_engine.check import signature
from gradebox.check_engine.explain_errors import MEANINGS
from gradebox.checks_cell import CHECK_DEFINITION
from gradebox.release.generate_checks_cell import build_check_runtime

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
        self.run("messages", build_check_runtime() + f"\n{CHECK_DEFINITION}")
        self.run("solution", SOLUTION)
        self.names["returns"]("mixed", output="sequence query value", weights="sequence query key")
        self.known = {"defines": ["own", "inner", "Layer"], "advice": {}, "calls": {}}
        self.known |= {"number": "1.2", "builds on": ["shares"]}
        self.names["MESSAGES"]["mixed"] = self.known
        earlier = {"defines": ["shares"], "advice": {}, "calls": {}, "number": "1.1", "builds on": []}
        self.names["MESSAGES"]["shares"] = earlier

    def run(self, name: str, text: str) -> None:
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), self.names)

    def said(self, text: str, *given, right=None, mistakes=(), **options) -> str:
        """What the message of a call of the function that this text defines is; "" if it passes."""
        self.run("<student>", text)
        given = given or GIVEN
        if right is None:
            right = [part.tolist() for part in self.names["mixed"](*[np.array(one) for one in given])]
        self.known["calls"]["small example"] = [["A", "B"], right, mistakes]
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
    forms += ["memoryview(a), b.view(Own)", "map(np.asarray, (a, b))", "(part for part in (a, b))"]
    nb.names["torch"] = torch
    nb.run("own", "class Own(np.ndarray):\n    pass")
    for form in forms:
        assert not nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return {form}"), form


@pytest.mark.parametrize(
    "form", ["memoryview(a)", "np.matrix(a)", "a.tolist()", "iter(a)", "torch.tensor(a)"]
)
def test_one_table_passes_in_every_form(nb, form):
    nb.names["torch"] = torch
    nb.names["returns"]("mixed", rows="row column")
    right = [GIVEN[0][0].tolist()]
    assert not nb.said(f"def own(a):\n    return {form}", GIVEN[0][0], right=right)


# What the student's function makes of the right output `a` and the right weights `b`; words of the last line,
# and of those above it.
MADE = {
    "None": ("None", "return", "None"),
    "a": ("a", "return 2 values: (output, weights)", "1"),
    "the other order": ("b, a", "(output, weights)", "wrong order"),
    "a text": ("a, 'text'", "array of numbers", "weights is a str"),
    "transposed": ("a, b.transpose(0, 2, 1)", "sequence, key, query", "(2, 5, 3)"),
    "flat": ("a.reshape(6, 6), b", "but the shape is wrong", "(6, 6)"),
    "one sequence": ("a[1], b", "only sequence 1 of 2 was returned", "(3, 6)"),
    "added up": ("a.sum(axis=1), b", "the query axis was summed", "(2, 6)"),
    "averaged": ("a, b.mean(axis=2)", "the key axis was averaged", "(2, 3)"),
    "of nothing": ("a, np.ones((3, 11))", "it has 2 axes, and should have 3", "(3, 11)"),
    "three": ("a, b, b", "return 2 values: (output, weights)", "it returned 3 values"),
    "too long": ("a, np.concatenate([b, b], axis=1)", "the query axis has length 6", "(2, 6, 5)"),
    "too many axes": ("a, b[None]", "but the shape is wrong", "(1, 2, 3, 5)"),
    "NaN": ("a * np.where(a > 0.5, np.nan, 1), b", "NaN results from", "NaN"),
    "twice": ("2 * a, b", "every number is 2 times", "output"),
    "one more": ("a + 1, b", "every number is 1 more", "output"),
    "other sums": ("a, b / b.sum(axis=1, keepdims=True)", "here the sum over the query axis is", "weights"),
    "no softmax": ("a, np.log(b)", "outside of 0 to 1: is a softmax missing", "weights"),
    "no sums": ("a, 3 * np.sqrt(b)", "the sum over the key axis should be 1", "weights"),
    "NaN below": (
        "a, np.where(np.arange(3)[:, None] == 2, np.nan, np.eye(5)[:3]) + 0 * b",
        "one sum is NaN",
        "weights",
    ),
    "the first for all": ("a, b[:1] + 0 * b", "sequence 1 contains the values of sequence 0", "sequence 1"),
    "a part": (
        "a, np.where(np.arange(3)[:, None] == 2, b[:, :, ::-1], b)",
        "query 0, 1 are right, query 2 is wrong",
        "sequence 0, query 2, key 0",
    ),
    "one number": ("a, 0 * b + 0.2", "every number is 0.2", "weights"),
    "backwards": ("a, b[:, :, ::-1]", "but the key axis is reversed", "weights"),
    "sharper": ("a, shares(2 * np.log(b))", "before the softmax are 2 times", "weights"),
    "blunter": ("a, shares(np.log(b) / 5**0.5)", "are 0.4472 = 1/√5 times", "weights"),
    "a root": ("6**0.5 * a, b", "every number is 2.449 = √6 times", "output"),
    "few digits": ("a, np.round(b, 3)", "rounded to 3 decimal places", "weights"),
    "whole numbers": ("a.astype(int), b", "these are whole numbers", "output"),
    "shut": (
        "a, b * [[[1, 1, 0, 1, 1]]]",
        "every wrong number is 0 and shouldn't be: 6 of 30",
        "key 2",
    ),
    "nothing": (
        "a, shares(b)",
        "30 of the 30 numbers of weights are wrong",
        "weights at sequence 0, query 0, key 0",
    ),
}


@pytest.mark.parametrize(("made", "last", "above"), MADE.values(), ids=MADE)
def test_a_wrong_result_is_located(nb, made, last, above):
    said = nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return {made}")
    assert last in said.splitlines()[-1] and above in said, said


def test_numbers_stand_above_the_last_line(nb):
    said = nb.said("def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return a, b / 2")
    first, sizes, last = said.splitlines()
    assert re.search(r"weights at sequence 0, query 0, key 0 is 0\.\d+ and should be 0\.\d+", first)
    assert sizes == "called with A (2, 3, 4), B (2, 5, 4), argument 3 (2, 5, 6)"
    assert last == "the sum over the key axis should be 1; one sum is 0.5"


def test_the_advice_on_a_known_mistake_is_the_last_line_whatever_its_last_digits(nb):
    text = "def own(A, B, C):\n    a, b = mixed(A / 2, B, C)\n    return a * 1.00001, b"
    arrays = [np.array(part) for part in nb.names["mixed"](GIVEN[0] / 2, *GIVEN[1:])]
    right = [np.array(part) for part in nb.names["mixed"](*GIVEN)]
    half = signature(arrays, right)
    other = [[1.0, 2.0], [3.0, 4.0]]
    nb.known["advice"] = {"half": "A is halved: take it as it is", "other": "something else"}
    mistakes = [["other", *other], ["half", *half]]
    said = nb.said(text, mistakes=mistakes)
    assert said.splitlines()[-1] == "A is halved: take it as it is" and "sequence 0" in said


RAISED = {
    "a product": ("return A @ B", "the last axis on the left", "A (2, 3, 4), B (2, 5, 4)"),
    "shapes": ("return A + B", "from the last axis on", "A (2, 3, 4), B (2, 5, 4)"),
    "a reshape": ("n = 7\n    return A.reshape(n, -1)", "keeps the number of entries", "n = 7"),
    "a truth": ("if A: return B", "`is None`", "in line 2 of own: if A: return B"),
    "None": ("C = None\n    return C.shape", "a result without return", "C.shape"),
    "a name": ("return weights", "give this name a value", "NameError: name 'weights'"),
    "sizes": ("return np.zeros(3, 4)", "the sizes into a tuple", "Cannot interpret '4'"),
    "each with each": ("return A * B", "the matrix product is @", "A (2, 3, 4), B (2, 5, 4)"),
    "a sum beside a product": ("return A @ A[0].T + B", "from the last axis on", "A (2, 3, 4)"),
    "no axis of heads": ("return A @ np.ones((2, 3, 4, 5))", "is one missing, or are others", "A (2, 3, 4)"),
    "brackets": ("return A(B)", "is not a function", "TypeError"),
    "an index": ("return A[9]", "the first is 0", "IndexError"),
    "parts": ("_, parts = 0, [A[0], B[0]]\n    return A @ np.vstack(parts)",
              "the last axis on the left", "with the sizes A (2, 3, 4), parts [(3, 4), (5, 4)]"),
    "turned": ("return A @ B.T", "swap only the last two axes", "with the sizes A (2, 3, 4), B.T (4, 5, 2)"),
    "another library": ("return np.linalg.inv(A)", "", "LinAlgError"),
    "below": ("return inner(A)\ndef inner(A):\n    return A @ A\ndef own(A, B, C):\n    return inner(A)",
              "the last axis on the left", "in line 4 of inner: return A @ A"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "last", "above"), RAISED.values(), ids=RAISED)
def test_an_error_is_put_into_words_with_the_line_and_its_sizes(nb, body, last, above):
    said = nb.said(f"def own(A, B, C):\n    {body}")
    assert last in said.splitlines()[-1] and above in said, said


def test_torchs_errors_are_put_into_words(nb):
    nb.names["torch"] = torch
    said = nb.said("def own(A):\n    return A @ A", torch.ones(3, 4), right=[[1]])
    assert "the last axis on the left" in said.splitlines()[-1] and "A (3, 4)" in said
    said = nb.said("def own(A):\n    return A @ A.T", torch.ones(2, 3, 4), right=[[1]])
    assert "swap only the last two axes" in said.splitlines()[-1]
    said = nb.said("def own(A):\n    return A @ A.transpose(0, 1)", torch.ones(2, 3, 3, 3), right=[[1]])
    assert "the axes before the last two" in said.splitlines()[-1]
    for sum_of in ("A @ A[0, 0, 0] + A", "A * A[0, :2] @ A"):
        said = nb.said(f"def own(A):\n    return {sum_of}", torch.ones(2, 3, 4, 4), right=[[1]])
        assert "make the sizes fit" in said.splitlines()[-1], said
    nb.names["q"] = torch.ones(7)
    said = nb.said(
        "def own(A):\n    A.q = {}\n    return A @ A + {'q': 1}['q']  # q", torch.ones(3, 4), right=[[1]]
    )
    assert "q (7,)" not in said and "A (3, 4)" in said
    said = nb.said("def own(A):\n    return A.transpose(0, 1).view(-1)", torch.ones(3, 4), right=[[1]])
    assert "use reshape instead of view" in said.splitlines()[-1]


def test_a_call_that_should_be_refused(nb):
    refused = {"right": "ValueError"}
    assert not nb.said("def own(A, B, C):\n    raise ValueError('no')", **refused)
    assert "raise ValueError" in nb.said("def own(A, B, C):\n    return A, B", **refused).splitlines()[-1]
    assert "TypeError: no" in nb.said("def own(A, B, C):\n    raise TypeError('no')", **refused)


@pytest.mark.parametrize("change", ["A /= 2", "B[0] = 0", "B.sort()", "np.exp(A, out=A)", "A[:2][1] += 1"])
def test_an_input_that_was_changed_is_named_with_the_line(nb, change):
    before = [one.copy() for one in GIVEN]
    said = nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    {change}\n    return a, b")
    name = "A" if "A" in change else "B"
    assert said.splitlines()[-1].startswith("line 3 of your cell, `"), said
    assert said.endswith(f"`, changes {name}: make a new array"), said
    assert all(map(np.array_equal, before, GIVEN))


def test_options_are_passed_and_watched_too(nb):
    said = nb.said("def own(A, B, *, C):\n    C += 1\n    return mixed(A, B, C - 1)", *GIVEN[:2], C=GIVEN[2],
                   right=[part.tolist() for part in nb.names["mixed"](*GIVEN)])  # fmt: skip
    assert said.startswith("small example: C differs from its value before the call")


def test_a_dict_of_results(nb):
    nb.names["returns"]("mixed", **{"in.weight": "row column", "bias": "row"})
    right = [np.ones((2, 3)).tolist(), [0, 0]]
    assert not nb.said(
        "def own(n):\n    return {'bias': [0, 0], 'in.weight': np.ones((2, 3))}", 2, right=right
    )
    said = nb.said("def own(n):\n    return {'bias': [0, 0]}", 2, right=right)
    assert "it should have the keys in.weight, bias" in said.splitlines()[-1]
    said = nb.said("def own(n):\n    return {'bias': [0, 1], 'in.weight': np.ones((2, 3))}", 2, right=right)
    assert "in.weight is right; bias at row 1 is 1" in said


def test_one_number(nb):
    nb.names["returns"]("mixed", gap="")
    assert not nb.said("def own(n):\n    return 0.5", 2, right=[0.5])
    assert "gap is 0.25 and should be 0.5" in nb.said("def own(n):\n    return 0.25", 2, right=[0.5])
    assert "no axes: a single number" in nb.said("def own(n):\n    return [0.5, 0.5]", 2, right=[0.5])


def test_what_came_back_is_an_argument(nb):
    nb.names["returns"]("mixed", rows="row column")
    said = nb.said(
        "def own(A):\n    return A", np.arange(6.0).reshape(2, 3), right=[np.ones((2, 3)).tolist()]
    )
    assert said.splitlines()[-1] == "this is the argument A, unchanged"


def test_what_should_be_blocked(nb):
    nb.names["returns"]("mixed", mask="query key")
    right = [np.where(np.triu(np.ones((3, 3)), 1), -np.inf, 0).tolist()]
    own = "def own(n):\n    return np.where({}, -np.inf, 0)"
    said = nb.said(own.format([[0, 0, 1], [0, 0, 1], [0, 0, 0]]), 3, right=right)
    assert "should be −∞ and isn't: 1 of 9" in said.splitlines()[-1] and "query 0, key 1 is 0" in said
    said = nb.said(own.format([[0, 1, 1], [0, 0, 1], [1, 0, 0]]), 3, right=right)
    assert "is −∞ and shouldn't be" in said.splitlines()[-1]


@pytest.mark.parametrize("low", [-1e9, -1e4, np.finfo(float).min])
def test_a_large_negative_number_is_no_infinity(nb, low):
    nb.names["returns"]("mixed", mask="query key")
    right = [np.where(np.triu(np.ones((3, 3)), 1), -np.inf, 0).tolist()]
    said = nb.said(f"def own(n):\n    return np.where(np.triu(np.ones((n, n)), 1), {low}, 0)", 3, right=right)
    assert said.splitlines()[-1] == "a large negative number is not −∞"


def test_pairs_come_in_any_form(nb):
    for form in ("yield a\n    yield b", "return iter([a, b])", "return map(np.asarray, (a, b))"):
        assert not nb.said(f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    {form}"), form
    nb.names["returns"]("mixed", one="row column", other="row column")
    own = "def own(A):\n    return np.stack([A, A])"
    assert not nb.said(own, np.ones((3, 4)), right=[np.ones((3, 4)).tolist()] * 2)
    # The two rows of one result are not two results.
    said = nb.said("def own(A):\n    return A", np.ones((2, 2)), right=[np.ones((2, 2)).tolist()] * 2)
    assert said.splitlines()[-1] == "return 2 values: (one, other)"


def test_an_assert_of_a_locked_function_speaks_for_itself(nb):
    said = nb.said(
        "def own(n):\n    assert n > 2, 'the layer lacks weights\\nname them as asked'", 2, right=[1]
    )
    assert said == "small example: the layer lacks weights\ncalled with A = 2\nname them as asked"


def test_what_is_the_notebooks_is_named(nb):
    nb.names["V"] = np.ones((9, 9))
    said = nb.said("def own(A, B, C):\n    weights = A[0]\n    return weights @ V")
    assert "with the sizes weights (3, 4), V (9, 9) of the notebook" in said
    assert (
        said.splitlines()[-1]
        == "V is not defined in this function: it is the notebook's variable. Use the arguments"
    )


def test_the_sizes_of_attributes_are_theirs_and_not_those_of_the_notebooks_names(nb):
    nb.names |= {"bias": np.ones(100), "grad": np.ones(7)}
    said = nb.said(
        "class Layer:\n    pass\n"
        "def own(A, B, C):\n    self = Layer()\n    self.bias = Layer()\n    self.bias.grad = np.ones(4)\n"
        "    self.bias.grad += A.sum(axis=0)"
    )
    assert "with the sizes self.bias.grad (4,), A (2, 3, 4)" in said
    assert said.splitlines()[-1].startswith("sum over the extra axes")


def test_a_line_of_another_cell_comes_with_the_one_that_called_it(nb):
    nb.known["defines"] = ["own", "project"]
    nb.run("another", "def project(X, omega):\n    return omega @ X")
    nb.names["omega_k"] = np.ones((7, 7))
    said = nb.said("def own(A, B, C):\n    X = A[0]\n    return project(X, omega_k)").splitlines()
    assert said[2:4] == ["in line 2 of project: return omega @ X", "with the sizes omega (7, 7), X (3, 4)"]
    assert said[4] == "called in line 3 of own: return project(X, omega_k)"
    assert said[5] == "with the sizes X (3, 4), omega_k (7, 7) of the notebook"
    assert (
        said[6] == "omega_k is not defined in this function: it is the notebook's variable. Use the arguments"
    )


def test_names_that_get_a_value_only_later_are_not_the_notebooks(nb):
    nb.names |= {name: np.ones((7, 7)) for name in ("scores", "A", "one", "_")}
    for body in (
        "scores = A @ B",
        "return [one @ B for one in (A, B)]",
        "return [B @ one for one, _ in [(A, B)]]",
        "return (lambda one: one @ A)(B)",
        "scores, A = (one @ B for one in (A, B))",
    ):
        said = nb.said(f"def own(A, B, C):\n    {body}")
        assert "of the notebook" not in said and "(7, 7)" not in said, said
        assert "in line 2 of own" in said or "lambda" in said


def test_keywords_are_no_names_of_the_notebook(nb):
    nb.names["axis"] = np.ones((7, 7))
    said = nb.said("def own(A, B, C):\n    return A.sum(axis=5) + B")
    assert "with the sizes A (2, 3, 4), B (2, 5, 4)" in said and "there is no such" in said.splitlines()[-1]


def test_an_error_in_a_locked_function_shows_no_line_of_it(nb):
    nb.run("locked", "def output_of(layer, A, B, C):\n    return layer(A).missing")
    nb.run("<student>", "def own(A):\n    return A")
    nb.known["calls"]["small example"] = [[], [[1]], []]
    with pytest.raises(AssertionError) as stopped:
        nb.names["check"]("mixed", "small example", nb.names["output_of"], nb.names["own"], *GIVEN)
    assert "has no attribute 'missing'" in str(stopped.value) and "in line" not in str(stopped.value)


def test_one_result_of_a_known_mistake_is_enough_if_it_is_the_last_that_is_wrong(nb):
    right = nb.names["mixed"](*GIVEN)
    half = nb.names["mixed"](GIVEN[0] / 2, *GIVEN[1:])
    nb.known["advice"] = {"half": "A is halved: take it as it is"}
    mistakes = [["half", *signature(half, right)]]
    said = nb.said(
        "def own(A, B, C):\n    a, b = mixed(A / 2, B, C)\n    return a + 1, b",
        right=[part.tolist() for part in right],
        mistakes=mistakes,
    )
    assert said.splitlines()[-1] == "A is halved: take it as it is"
    said = nb.said(
        "def own(A, B, C):\n    return mixed(A, B, C)[0] + 1, mixed(A, B, C)[1]", mistakes=mistakes
    )
    assert said.splitlines()[-1] == "every number is 1 more than it should be"


def test_two_things_in_place_of_one(nb):
    nb.names["returns"]("mixed", shares="row column")
    for other in ("A", "'text'"):
        said = nb.said(
            f"def own(A):\n    return A, {other}", np.ones((2, 3)), right=[np.ones((2, 3)).tolist()]
        )
        assert said.splitlines()[-1] == "return only shares" and "it returned 2 values" in said
    assert not nb.said("def own(A):\n    return tuple(A)", np.ones((2, 3)), right=[np.ones((2, 3)).tolist()])


@pytest.mark.filterwarnings("error")
def test_columns_of_zeros_make_no_warning(nb):
    right = [[np.zeros((2, 3)).tolist()], [[[1.0, 0, 2], [3, 0, 4]]]]
    nb.names["returns"]("mixed", rows="row column")
    for one in right:
        assert nb.said("def own(A):\n    return A + [[1, 2, 4], [8, 16, 32]]", np.zeros((2, 3)), right=one)


def test_what_goes_by_names_has_no_order_and_one_part_may_stand_in_two_places(nb):
    advice = {}
    for form in ("a, b", "dict(one=a, other=b)", "dict(one=b, other=b)", "dict(one=b, other=a)"):
        nb.names["returns"]("mixed", one="row column", other="row column")
        right = [np.ones((2, 3)).tolist(), np.eye(2, 3).tolist()]
        text = f"def own(n):\n    a, b = np.eye(2, 3), np.ones((2, 3))\n    return {form}"
        advice[form] = nb.said(text, 2, right=right).split("\n")[-1]
    assert advice == {
        "a, b": "return them in this order: (one, other)",
        "dict(one=a, other=b)": "other contains the values of one",
        "dict(one=b, other=b)": "other contains the values of one",
        "dict(one=b, other=a)": "",
    }


def test_what_is_as_good_as_0_is_0(nb):
    assert "weights at sequence 0, query 0, key 0 is 1 and should be 0\n" in nb.said(
        "def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return a, b * 0 + 1",
        right=[part.tolist() for part in (nb.names["mixed"](*GIVEN)[0], np.full((2, 3, 5), 2e-226))],
    )


def test_two_numbers_that_differ_are_shown_with_digits_that_tell_them_apart(nb):
    nb.names["returns"]("mixed", rows="row")
    for right, words in [(-1.5, "-1 and should be -1.5"), (-1, "-1.0004 and should be -1")]:
        said = nb.said("def own(A, B, C):\n    return [0, -1.0004, 2]", right=[[0, right, 2]])
        assert f"at row 1 is {words}\n" in said, said


def test_an_assert_of_a_student_is_put_into_words(nb):
    said = nb.said("def own(A, B, C):\n    assert A.ndim == 2", *GIVEN).splitlines()
    assert said[0] == "small example: AssertionError: " and said[2] == "in line 2 of own: assert A.ndim == 2"
    assert said[-1] == "this call can be done: this line refuses too much"


def test_a_refusal_in_another_exercise_may_be_right(nb):
    nb.known["defines"] = ["own", "attention"]
    nb.run("another", "def attention(q):\n    if q.ndim > 1:\n        raise ValueError('no')")
    said = nb.said("def own(A, B, C):\n    return attention(A)").splitlines()
    assert said[-1] == "compare the sizes: the call passes wrong arrays, or this line refuses too much"


def test_another_error_than_the_one_that_is_asked_for(nb):
    for line in ("assert A.ndim == 2", "raise TypeError('no')"):
        said = nb.said(f"def own(A, B, C):\n    {line}", right="ValueError")
        assert "can be done" not in said
        assert said.splitlines()[-1].startswith("this input is invalid: the function should raise ValueError")


def test_a_refusal_of_what_can_be_done(nb):
    said = nb.said("def own(A, B, C):\n    if A.ndim > 2:\n        raise ValueError('no')")
    assert said.splitlines()[-1] == "this call can be done: this line refuses too much"


def test_names_of_the_notebook_get_in_no_ones_way(nb):
    names = ("array", "parts", "close", "np", "located", "explained", "copied", "re", "signature")
    nb.names |= dict.fromkeys(names, 1) | {"sum": np.sum, "max": np.max, "all": np.all, "dict": 2}
    said = nb.said("def own(A, B, C):\n    return None", right=[[1]])
    assert said.splitlines()[-1] == "does your function end with a return?"


ERRORS = {
    "torch.nn.Linear(2, 3).load_state_dict({'weight': torch.ones(2, 3)}, strict=False)": "another shape than",
    "bytes([255]).decode()": 'errors="replace"',
    "np.ones((2, 3)) @ np.ones((2, 3))": "the last axis on the left",
    "np.dot(np.ones((2, 3)), np.ones((2, 3)))": "the last axis on the left",
    "torch.ones(2, 3) @ torch.ones(2, 3)": "the last axis on the left",
    "torch.ones(2, 3, 4) @ torch.ones(2, 5, 6)": "the last axis on the left",
    "np.ones((2, 3)) @ 2": "one side of @ is a number",
    "np.einsum('ij,jk->ik', np.ones((2, 3)), np.ones((2, 3)))": "einsum",
    "np.einsum('i->i', np.ones((2, 3)))": "einsum",
    "torch.einsum('ij,jk->ik', torch.ones(2, 3), torch.ones(2, 3))": "einsum",
    "np.ones((2, 3)) + np.ones((4, 5))": "from the last axis on",
    "torch.ones(2, 3) + torch.ones(4, 5)": "from the last axis on",
    "np.ones((2, 3)).__setitem__(0, np.ones(4))": "the left side of =",
    "min([])": "there is nothing to choose from",
    "np.ones((2, 3)).__iadd__(np.ones((2, 2, 3)))": "sum over the extra axes",
    "np.ones((2, 3, 4)) @ np.ones((2, 3, 4, 5))": "is one missing",
    "np.zeros(3, 4)": "the sizes into a tuple",
    "np.ones((2, 3)).reshape(4, -1)": "the number of entries",
    "torch.ones(2, 3).view(4, -1)": "the number of entries",
    "torch.ones(2, 3).T.view(6)": "use reshape instead of view",
    "np.ones((2, 3)).transpose(0, 2, 1)": "name each axis once",
    "torch.ones(2, 3).permute(0, 2, 1)": "name each axis once",
    "np.concatenate([np.ones((2, 3)), np.ones((4, 5))])": "join parts of the same sizes",
    "torch.cat([torch.ones(2, 3), torch.ones(4, 5)])": "join parts of the same sizes",
    "torch.stack([torch.ones(2, 3), torch.ones(4, 5)])": "join parts of the same sizes",
    "np.ones((2, 3))[2]": "the first is 0",
    "np.ones((2, 3)).sum(axis=2)": "the first is 0",
    "torch.ones(2, 3).sum(2)": "the first is 0",
    "np.ones((2, 3))[0, 0, 0]": "use fewer indices",
    "bool(np.ones((2, 3)))": "needs one truth value",
    "max(np.ones((2, 3)))": "needs one truth value",
    "bool(torch.ones(2, 3))": "needs one truth value",
    "None[0]": "something in this line is None",
    "np.ones(3)(2)": "before the parentheses",
    "np.softmax": "where does this name come from",
    "nowhere": "give this name a value",
    "shares()": "other arguments",
    "shares(1, axis=0)": "other arguments",
    "exec('a, b = 1, 2, 3')": "as many names on the left",
    "float(np.ones((2, 3)))": "one number is expected",
    "float(torch.ones(2, 3))": "one number is expected",
    "np.ones(4)[4 / 2]": "// gives an integer",
    "range(4 / 2)": "// gives an integer",
    "torch.ones(2, 3).view(3, 4 / 2)": "// gives an integer",
    "[1] - 1": "this is a list",
    "[1].shape": "this is a list",
    "[1][:, None]": "this is a list",
    "torch.softmax([1.0], -1)": "this is a list",
    "torch.exp(np.ones(2))": "functions of torch take tensors",
    "torch.ones(2, 3) @ torch.ones(3, 2).double()": "different kinds of numbers",
    "np.ones(2, int).__iadd__(0.5)": "different kinds of numbers",
    "torch.ones(2, requires_grad=True).numpy()": ".detach()",
    "torch.nn.Linear(2, 2).weight.copy_(torch.ones(2, 2))": "change it inside `with torch.no_grad",
    "setattr(torch.nn.Linear(2, 2), 'weight', torch.ones(2, 2))": "copy numbers into the parameter",
    "torch.ones(2, 3).masked_fill(torch.ones(2, 3), 0)": "True and False",
    "1 - (torch.ones(2) > 0)": "True and False",
    "np.broadcast_to(1.0, 3).__setitem__(0, 1)": "an input is read-only",
    "np.array([[1, 2], [3]])": "of different lengths",
    "(lambda f: f(f))(lambda f: f(f))": "calls itself without end",
    "(3)[0]": "no length and no parts",
    "torch.ones(2, 3).max(0) - 1": "max along an axis",
    "(_ for _ in ()).throw(NotImplementedError())": "write your code in place of",
    "np.ones(2) + type('Parameter', (), {})()": "take its .data",
    "np.ones((2, 3)) @ type('Parameter', (), {})()": "an object that holds an array in .data",
    "type('M', (torch.nn.Module,), {'__init__': lambda m: setattr(m, 'q', m)})()": "comes first",
    "(1, 2) - (1, 2)": "select the part",
    "(A, B).shape": "select the part",
    "torch.exp((1, 2))": "select the part",
    "{}['out_proj.bias']": "the dict has no entry with this key",
    "type('Parameter', (), {})().T": "take its .data",
    "np.zeros(2).__setitem__(0, [1, 2])": "several numbers are assigned to one entry",
    "A[A[0]]": "as range(len(...)) gives",
    "(lambda: z + (z := A))()": "gets one only later",
    "torch.ones(2) + torch.ones(2, device='meta')": "device=x.device",
    "np.zeros(2, dtype=int).__setitem__(0, -np.inf)": "make it of floats",
    "__import__('math').log(-1)": "the argument of a logarithm or a root is not positive",
    "A + B": "they must be equal or 1",
    "torch.nn.Linear(2, 2).train(torch.nn.Linear(2, 2).eval())": "store model.training",
    "torch.topk(torch.ones(3), 8)": "more entries than there are",
    "torch.nn.functional.one_hot(torch.tensor([1, 3]), num_classes=3)": "num_classes must be larger",
    "A[np.ones(9, dtype=bool)]": "must have the size of the axes",
    "~A": "create masks by a comparison",
    "torch.nn.functional.cross_entropy(torch.ones(4, 3), torch.tensor([0, 1]))": "its own row of scores",
    "torch.ones(2, 3)[torch.ones(3, 3) > 0]": "must have the size of the axes",
    "(lambda x, e: (e.add_(1), e.sum().backward()))(*(lambda x: (x, x.exp()))(x))": "changed numbers here",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", ERRORS)
def test_what_numpy_torch_and_python_say_is_put_into_words(nb, text):
    nb.names |= {"torch": torch, "x": torch.ones(2, requires_grad=True)}
    said = nb.said(f"def own(A, B, C):\n    return {text}")
    assert ERRORS[text] in said.splitlines()[-1], said


def test_each_meaning_is_tried():
    assert [m for m in MEANINGS.values() if not any(words in m for words in ERRORS.values())] == []


def test_advice_that_a_result_is_right_is_not_given_if_it_is_wrong(nb):
    output, weights = nb.names["mixed"](*GIVEN)
    known = signature([output, weights.swapaxes(1, 2)], [output, weights])
    nb.known["advice"] = {"turned": "the output is right, but the weights are transposed"}
    for first, fits in (("a", True), ("2 * a", False)):
        text = f"def own(A, B, C):\n    a, b = mixed(A, B, C)\n    return {first}, b.swapaxes(1, 2)"
        assert ("the output is right" in nb.said(text, mistakes=[["turned", *known]])) is fits


def test_an_argument_that_was_overwritten_is_named(nb):
    said = nb.said("def own(A, B, C):\n    A = A[:, :, :2]\n    return A @ B.transpose(0, 2, 1)")
    assert said.endswith("the argument A has the shape (2, 3, 4), but (2, 3, 2) here: did you overwrite it?")


def test_the_notebooks_variable_is_named_without_its_attribute(nb):
    nb.names["K"] = np.ones((7, 2))
    said = nb.said("def own(A, B, C):\n    return A @ K.T")
    assert said.splitlines()[-1].startswith(
        "K is not defined in this function: it is the notebook's variable"
    )


def test_of_several_single_numbers_all_wrong_ones_are_shown(nb):
    nb.names["returns"]("mixed", size="", products="", ratio="")
    said = nb.said("def own(A):\n    return 3, 10, 0.3", np.ones(2), right=[4, 10, 0.4])
    assert said.splitlines()[0] == (
        "small example: products is right; size is 3 and should be 4; ratio is 0.3 and should be 0.4"
    )


def test_a_known_term_and_another_order_are_named(nb):
    nb.names["returns"]("mixed", sums="row column")
    X, b = rng.normal(size=(4, 3)), np.array([1.0, 2, 4])
    for made, last in {
        "A**2": "the result is too small by exactly B: add it",
        "A**2 + B + B": "the result is too large by exactly B",
        "(A**2 + B)[[2, 0, 3, 1]]": "the row axis has the order 2, 0, 3, 1",
        "np.roll(A**2 + B, 1, 0)": "come one place too late along the row axis",
    }.items():
        said = nb.said(f"def own(A, B):\n    return {made}", X, b, right=[(X**2 + b).tolist()])
        assert last in said.splitlines()[-1], said


@pytest.mark.parametrize(
    ("line", "last"),
    {
        "np.exp(1000 + A)": "exp overflows here: first subtract the maximum",
        "np.exp(A - 2000)": "subtract the maximum of those numbers that are summed together",
        "np.where(A > 0, np.inf, 1) - np.where(A > 0, np.inf, 2)": "∞ − ∞ is NaN",
        "np.where(A > 0, 0, 1) * np.where(A > 0, np.inf, 2)": "0 · ∞ is NaN",
    }.items(),
)
def test_the_line_of_the_first_nan_is_named(nb, line, last):
    nb.names["returns"]("mixed", sums="a b c")
    text = f"def own(A, B, C):\n    powers = {line}\n    return powers / powers.sum(-1, keepdims=True)"
    said = nb.said(text, right=[GIVEN[0].tolist()])
    assert last in said.splitlines()[-1] and "in line 2 of own: powers = " in said, said


@pytest.mark.parametrize(
    ("body", "last"),
    {
        "M = np.ones((3, 3))\n    return A + M": "axis -1 of M has 3 entries, as A.shape[1]; it should",
        "M = A.max(-1)\n    return np.exp(A - M)": "they must be equal or 1 ([:, None]",
        "A = np.repeat(A, 2, 1)\n    return A + np.ones((2, 9, 4))": "should be repeated 3 times, to 9",
    }.items(),
)
def test_the_size_that_is_wrong_is_named(nb, body, last):
    said = nb.said(f"def own(A, B, C):\n    {body}")
    assert last in said.splitlines()[-1], said


def test_an_axis_that_joins_heads_and_sequences_is_not_called_wrong(nb):
    text = "def own(A, heads):\n    joined = np.ones((4, 3, 4))\n    return np.where(A == 0, 0, joined)"
    last = nb.said(text, GIVEN[0], 2, right=[GIVEN[0].tolist()]).splitlines()[-1]
    assert "but 4 in joined: is one incomplete, or joined with another axis?" in last


def test_another_axis_is_not_advised_where_there_are_equally_many(nb):
    last = nb.said("def own(A, B, C):\n    return A[0, 0] + np.ones((2, 5)) @ np.ones(5)").splitlines()[-1]
    assert last == "make the sizes fit: from the last axis on, they must be equal or 1"


def test_what_a_refusal_compares_is_shown(nb):
    for condition, where in {
        "A.ndim != 3 or A.shape != (3, A.shape[2])": "where A.shape = (2, 3, 4), (3, A.shape[2]) = (3, 4)",
        "A.ndim > 2 and A.shape[1] != A.shape[2]": "where A.ndim = 3, A.shape[1] = 3, A.shape[2] = 4",
        "A is None or A[0, 0, 0] < 9 or A.sum() < 99": "in line 3 of own: if A is None or A[0, 0, 0] < 9 or",
        "A.ndim == 3": "with the sizes A (2, 3, 4)",
    }.items():
        text = f"def own(A):\n    if {condition}:\n        raise ValueError('no')\n    return A"
        said = nb.said(text, GIVEN[0], right=[GIVEN[0].tolist()]).splitlines()
        assert any(line.startswith(where) for line in said), said
        assert said[-1] == "this call can be done: this line refuses too much"
        assert where.startswith("where") or not any(line.startswith("where") for line in said)


def test_the_diagonal_is_named_where_numbers_are_blocked(nb):
    nb.names["returns"]("mixed", mask="query key")
    right = np.where(np.tri(4), 0, -np.inf)
    text = "def own(n):\n    return np.where(np.tri(n, k=-1), 0, -np.inf)"
    said = nb.said(text, 4, right=[right.tolist()])
    assert said.endswith("every wrong number is −∞ and shouldn't be: 4 of 16, where key = query")


def test_the_axis_that_was_lost_is_named_if_an_argument_shows_it(nb):
    for line in ("np.logaddexp.reduce(A) - B", "B - np.logaddexp.reduce(A)"):
        said = nb.said(f"def own(A, B):\n    return {line}", GIVEN[0], GIVEN[0].sum(-1), right=[[0]])
        assert said.endswith("axis 0 of A was summed or reduced, where axis 2 should be: give axis=-1"), said


def test_a_result_before_the_last_one_is_shown_if_nothing_explains_the_last(nb):
    nb.names["returns"]("mixed", m="query", o="query value")
    m, o = np.arange(3.0), rng.normal(size=(3, 2))
    said = nb.said(
        "def own(A, B):\n    return A + [0, 2, 0], np.cos(B)", m, o, right=[m.tolist(), o.tolist()]
    )
    assert said.splitlines()[-2] == "m at query 1 is 3 and should be 1"


def test_a_nan_that_is_hidden_is_named(nb):
    nb.names["returns"]("mixed", shares="row column")
    A = np.array([[-1000.0, -1001, -1002], [1, 2, 3]])
    own = "e = np.exp(A - abs(A).max(axis=1, keepdims=True))\n    {}e / e.sum(axis=1, keepdims=True){}"
    text = "def own(A):\n    " + own.format("return np.nan_to_num(", ")")
    said = nb.said(text, A, right=[nb.names["shares"](A).tolist()]).splitlines()
    assert said[2].startswith("every wrong number is 0 and shouldn't be: 3 of 6")
    assert said[3] == "nan_to_num hides a NaN, which first results here:"
    assert said[4].startswith("in line 2 of own: e = np.exp(") and "exp rounds numbers to 0" in said[-1]


def test_the_size_that_does_not_fit_in_a_reshape_is_named(nb):
    principle = "a reshape keeps the number of entries: it fits with "
    for line, last in {
        "n = A.shape[1]\n    return B.reshape(2, n, 2, 2), 0": "5, as B.shape[1], along axis 1, not with 3",
        "return (A + 0).reshape(2, 3, 3), 0": "4, as A.shape[2], along axis 2, not with 3",
        "return torch.ones(2, 5, 4).view(2, 5, 2, 4), 0": "2 along axis 3, not with 4",
    }.items():
        nb.names["torch"] = torch
        said = nb.said(f"def own(A, B, C):\n    {line}").splitlines()
        assert said[-1] == principle + last, said


def test_the_axis_at_which_a_sum_stops_is_named_unless_an_axis_is_missing(nb):
    for line, words in {
        "mask = np.ones((3, 3))\n    return A @ B.swapaxes(1, 2) + mask, mask": "they must be equal or 1",
        "S, M = A @ B.swapaxes(1, 2), A @ A.swapaxes(1, 2)\n    return S + M, M": (
            "Axis -1 has 5 entries in S, but 3 in M: is one incomplete, or joined with another axis?"
        ),
        "n, N = A.sum((1, 2)), A + 0\n    return N * n, n": "but 2 in n: does n lack an axis ([:, None]",
        "n, N = A.sum(-1), A[:, None] + 0\n    return N + n * n, n": (
            "([:, None] or keepdims=True adds an axis)"
        ),
    }.items():
        said = nb.said(f"def own(A, B, C):\n    {line}").splitlines()
        assert words in said[-1], said


def test_an_earlier_exercise_whose_test_fails_is_named(nb):
    nb.names["returns"]("shares", shares="row column")
    nb.names["MESSAGES"]["shares"]["calls"]["one row"] = [["scores"], [[[0.5, 0.5]]], []]
    right, wrong = (f"def shares(scores):\n    return np.full((1, 2), {n})" for n in (0.5, 0.25))

    def run_test(text):
        nb.run("shares", text)
        nb.names["check"]("shares", "one row", nb.names["shares"], np.zeros((1, 2)))

    with pytest.raises(AssertionError, match=r"should be 0\.5"):
        run_test(wrong)
    later = "def own(A, B, C):\n    return A, B"
    assert nb.said(later, right=[[[[0]]], [[[0]]]]).splitlines()[-1] == "the test of 1.1 fails: start there"
    # In the judge, the reference's solution may have replaced the student's.
    nb.names["submitted_cells"] = []
    assert "start there" not in nb.said(later, right=[[[[0]]], [[[0]]]])
    del nb.names["submitted_cells"]
    run_test(right)
    assert "start there" not in nb.said(later, right=[[[[0]]], [[[0]]]])


def test_the_exercise_that_defines_a_missing_name_is_named(nb):
    del nb.names["shares"]
    said = nb.said("def own(A, B, C):\n    return shares(A), B", right=[[[[0]]], [[[0]]]])
    assert said.splitlines()[-1] == "run the cell of exercise 1.1, which defines shares"


def test_advice_on_a_sum_is_not_given_for_a_product(nb):
    said = nb.said("def own(A, B, C):\n    return np.dot(A[0], B[0, :3]), B")
    assert "the last axis on the left must be as long" in said.splitlines()[-1]


TELLS_IN_A_LOCATION = """
def own(A, B, C):
    if np.geterr()["invalid"] == "raise":
        error = FloatingPointError("invalid value encountered in subtract")
        error.raised_in = "told"
        raise error
    return np.full((2, 3, 6), np.nan), np.full((2, 3, 5), np.nan)
"""


@pytest.mark.parametrize(
    "text",
    [
        "def own(A, B, C):\n    return {'told': A}",
        TELLS_IN_A_LOCATION,
    ],
    ids=["key", "location"],
)
def test_in_the_judge_a_message_has_no_text_that_the_submission_chooses_and_no_other_tests_names(nb, text):
    nb.names["submitted_cells"] = [("mixed", text)]
    assert "told" not in nb.said(text)
    # A notebook without other tests and processes has them.
    del nb.names["submitted_cells"]
    assert ("told" in nb.said(text)) == ("raised_in" not in text)
