"""The last value of a test as its points: each form, in a course that is graded and checked for real."""

import json
import shutil
from pathlib import Path

import pytest
from helpers import SAMPLE, build_once, cell, gradebox, small_lesson, solves, write_notebook
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.parity.run_check import run_check

# The text that a library which is not installed here displays.
SHOWN = "class Shown:\n    def __repr__(self):\n        return {!r}\n\nShown()"
NO_NUMBER, OUTSIDE = "which is not a number of points", "which is not from 0 to 2 points"
# Points of a test for 2 points by its last lines, in gradebox and in stock nbgrader; None: grading stops.
NUMBERS = {
    "int": ("1", 1, 1),
    "float": ("0.5", 0.5, 0.5),
    "small": ("1e-3", 0.001, 0.001),
    "zero": ("-0.0", 0, 0),
    "a-little-more": ("sum([0.1] * 3) * 2 / 0.3", 2, None),
    "numpy-float": ("np.float64(0.5)", 0.5, 2),
    "numpy-zero": ("np.float64(0.0)", 0, 2),
    "numpy-single": ("np.float32(0.1) * 15", 1.5, 2),
    "numpy-int": ("np.int64(1)", 1, 2),
    "numpy-long": ("np.longdouble(0.5)", 0.5, 2),
    "numpy-mean": ("2 * np.mean([double(x) == 2 * x for x in (1, -1, 0, 5)])", 2, 2),
    "tensor": ("torch.tensor(0.5)", 0.5, 2),
    "tensor-double": ("torch.tensor(1., dtype=torch.float64)", 1, 2),
    "tensor-grad": ("torch.tensor(0.25, requires_grad=True) * 2", 0.5, 2),
    "tensor-cuda": (SHOWN.format("tensor(0.5000, device='cuda:0', grad_fn=<MulBackward0>)"), 0.5, 2),
    "sympy-integer": ("import sympy\nsympy.Integer(1)", 1, 1),
    "sympy-float": ("import sympy\nsympy.Float(0.5)", 0.5, 0.5),
}
FULL = {
    "assert": "assert double(1) == 2",
    "none": "None",
    "printed": "print(0.5)",
    "suppressed": "np.float64(0.5);",
    "assigned": "points = 0.5",
    "displayed": "display(0.5)",
    "julia": SHOWN.format("\x1b[32m\x1b[1mTest Passed\x1b[22m\x1b[39m"),
}
INVALID = {
    "tuple": ("(0.0, 'points')", NO_NUMBER, 2),
    "dict": ("{'score': 0}", NO_NUMBER, 2),
    "list": ("[0.5]", NO_NUMBER, 2),
    "array": ("np.array(0.5)", NO_NUMBER, 2),
    "vector": ("np.array([0.5])", NO_NUMBER, 2),
    "tensor-parameter": ("torch.nn.Parameter(torch.tensor(0.5))", NO_NUMBER, 2),
    "jax": (SHOWN.format("Array(0.5, dtype=float32, weak_type=True)"), NO_NUMBER, 2),
    "tensorflow": (SHOWN.format("<tf.Tensor: shape=(), dtype=float32, numpy=0.5>"), NO_NUMBER, 2),
    "decimal": ("from decimal import Decimal\nDecimal('0.50')", NO_NUMBER, 2),
    "fraction": ("from fractions import Fraction\nFraction(3, 2)", NO_NUMBER, 2),
    "sympy-rational": ("import sympy\nsympy.Rational(1, 2)", NO_NUMBER, 2),
    "text": ("'0.5'", NO_NUMBER, 2),
    "percent": ("'50 %'", NO_NUMBER, 2),
    "true": ("double(1) == 2", NO_NUMBER, 2),
    "false": ("False", NO_NUMBER, 2),
    "numpy-true": ("np.isclose(1, 1)", NO_NUMBER, 2),
    "tensor-true": ("torch.tensor(True)", NO_NUMBER, 2),
    "complex": ("0.5 + 0j", NO_NUMBER, 2),
    "nan": ("float('nan')", NO_NUMBER, 2),
    "numpy-nan": ("np.float64('nan')", NO_NUMBER, 2),
    "inf": ("float('inf')", NO_NUMBER, None),
    "minus-inf": ("-np.inf", NO_NUMBER, 2),
    "negative": ("-1", OUTSIDE, 2),
    "numpy-negative": ("np.float64(-0.5)", OUTSIDE, 2),
    "too-much": ("3", OUTSIDE, None),
    "numpy-too-much": ("np.int64(3)", OUTSIDE, 2),
    "function": ("double", NO_NUMBER, 2),
    "call": (SHOWN.format("np.float64(__import__('os').getpid())"), NO_NUMBER, 2),
    "date": ("np.datetime64('0001')", NO_NUMBER, 2),
    "table": (SHOWN.format("   a  b\n0  1  2\n\x1b[2J"), NO_NUMBER, 2),
    "without-text": (SHOWN.format(""), NO_NUMBER, None),
}
LAST_LINES = {
    **{name: text for name, (text, *_) in (NUMBERS | INVALID).items()},
    **FULL,
}
RIGHT = "def double(x):\n    return x + x"


def lesson() -> list:
    """The cells of a lesson with a test for each form."""
    libraries = cell("given", "libraries", "import numpy as np\nimport torch")
    tests = [cell("test", name, text) for name, text in LAST_LINES.items()]
    unscored = cell("test", "unscored", "[0.5]")
    unscored.metadata["nbgrader"]["points"] = 0
    return [libraries, small_lesson()[0], *tests, unscored]


@pytest.fixture(scope="module")
def forms() -> Course:
    """The course after the command has graded it."""

    def build(root: Path) -> None:
        write_notebook(root / "source" / "hw" / "hw.ipynb", lesson())
        shutil.copy(SAMPLE / "nbgrader_config.py", root)
        course = Course(root)
        assert gradebox(course, "release", "--no-check").returncode == 0
        solves(course, "ann", double=RIGHT)
        run = gradebox(course, "autograde")
        assert run.returncode == 0, run.stdout + run.stderr

    return Course(build_once("partial-credit", build))


def scores(course: Course, student: str = "ann") -> dict[str, tuple[float, bool]]:
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", student).grades
        return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}


def incidents(root: Path) -> dict[str, dict]:
    return {one["cell"]: one for one in json.loads((root / "incidents.json").read_text())}


@pytest.mark.long
def test_a_number_counts_no_value_keeps_full_points_and_any_other_value_is_an_incident(forms):
    graded, found = scores(forms), incidents(forms.root)
    for name, (_, points, _) in NUMBERS.items():
        assert graded[name] == (pytest.approx(points), False) and name not in found, name
    for name in FULL:
        assert graded[name] == (2, False) and name not in found, name
    assert graded["unscored"] == (0, False) and found.keys() == INVALID.keys()
    for name, (_, why, _) in INVALID.items():
        one = found[name]
        assert graded[name] == (0, False), name
        assert (one["kind"], one["student"]) == ("invalid points", "ann")
        assert why in one["what"] and "until a person grades it" in one["what"]
        assert one["what"].isprintable() and len(one["what"]) < 300


def test_the_incident_quotes_the_value(forms):
    what = {name: one["what"] for name, one in incidents(forms.root).items()}
    assert "its last line gives (0.0, 'points'), which is not a number of points" in what["tuple"]
    assert "its last line gives 3, which is not from 0 to 2 points" in what["too-much"]
    assert "its last line gives a value without text" in what["without-text"]


def test_a_failed_test_has_no_such_incident_and_a_hand_given_grade_stays(forms, tmp_path):
    course = Course(shutil.copytree(forms.root, tmp_path / "course"))
    with course.gradebook() as gradebook:
        gradebook.find_grade("tuple", "hw", "hw", "ann").manual_score = 1.5
    solves(course, "bob", double="def double(x):\n    return 0")
    assert gradebox(course, "autograde", "--force").returncode == 0
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade("tuple", "hw", "hw", "ann")
        assert (grade.score, grade.needs_manual_grade) == (1.5, False)
    bob = scores(course, "bob")
    assert (bob["assert"], bob["numpy-mean"]) == ((0, False), (0.5, False))
    found = json.loads((course.root / "incidents.json").read_text())
    assert not [one for one in found if one["cell"] in ("assert", "numpy-mean")]


def test_nbgraders_own_command_gives_the_same_points(forms, tmp_path):
    course = Course(shutil.copytree(forms.root, tmp_path / "course"))
    shutil.copytree(course.path("submitted", "hw", "ann"), course.path("submitted", "hw", "eva"))
    assert course.convert(Autograde, "hw", "eva") is None
    assert scores(course, "eva") == scores(forms)


def test_students_read_that_the_test_could_not_be_scored(forms, tmp_path):
    course = Course(shutil.copytree(forms.root, tmp_path / "course"))
    assert gradebox(course, "feedback").returncode == 0
    page = (course.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    assert "could not be scored automatically" in page and "The test gives 0.5 of 2 points." in page
    assert "did not finish" not in page


def test_the_check_compares_both_graders_and_names_the_value_and_what_to_do(forms):
    (one,) = run_check(forms, ["hw"])
    assert one.problem is None
    checked = {finding.cell: finding for finding in one.findings}
    expected = {name: here_and_stock for name, (_, *here_and_stock) in NUMBERS.items()}
    expected |= {name: [None, stock] for name, (_, _, stock) in INVALID.items()}
    lost = {name: points for name, points in expected.items() if points != [2, 2]}
    assert checked.keys() == lost.keys()
    for name, (here, stock) in lost.items():
        assert (checked[name].graded, checked[name].stock) == (here and pytest.approx(here), stock), name
    for name, (_, why, _) in INVALID.items():
        assert why in checked[name].why.reason and "last line" in checked[name].why.advice, name
        assert not checked[name].why.acknowledged


def test_the_command_reports_such_a_test_in_words(small):
    solution, test, *_ = small_lesson()
    part = cell("test", "double-part", "(2.0, 'points')")
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", [solution, test, part])
    run = gradebox(small, "check")
    assert run.returncode == 1 and "Of 2 tests, 1 needs attention." in run.stdout
    assert "which is not a number of points" in " ".join(run.stdout.replace("│", " ").split())
    run = gradebox(small, "release")
    assert run.returncode == 0 and "warning: hw/hw, double-part: its last line gives (2.0" in run.stdout
