"""A release records where each test runs and what it needs, and grading follows the record."""

import json

import nbformat
import pytest
from helpers import cell, grade_id, gradebox, record_tests, solves, write_notebook
from nbformat.v4 import new_notebook

from gradebox.course import Course
from gradebox.execute.detect_test_modes import RECORDS_FILE
from gradebox.execute.test_modes import (
    RECORD_KEY,
    drop_record,
    find_in_process_tests,
    parse_modes,
    put_record,
    read_modes,
)
from gradebox.notebook_metadata import KEY

SOLUTION = (
    "class Vector:\n"
    "    ### BEGIN SOLUTION\n"
    "    def __init__(self, x):\n        self.x, self.seen = x, []\n"
    "    def __eq__(self, other):\n        return self.x == getattr(other, 'x', other)\n"
    "    ### END SOLUTION\n"
    "def double(x):\n"
    "    ### BEGIN SOLUTION\n"
    "    return 2 * x\n"
    "    ### END SOLUTION\n"
    "def sort(values):\n"
    "    ### BEGIN SOLUTION\n"
    "    values.sort()\n"
    "    ### END SOLUTION\n"
)
TESTS = {
    "values": "assert double(2) == 4",
    "objects": "assert Vector(3).x == 3",
    "equal": "assert Vector(3) == Vector(3)",
    "equal-value": "assert Vector(3) == 3",
    "sorted": "values = [2, 1]\nsort(values)\nassert values == [1, 2]",
    "behind": "one = Vector(3)\none.seen.append(1)\nassert one.seen == [1]",
    "evaluated": "assert eval('double(2)') == 4",
    "source": "import inspect\nassert 'x' in inspect.signature(double).parameters",
    "tagged": "assert double.__globals__",
}


def cells() -> list:
    tests = [cell("test", name, text) for name, text in TESTS.items()]
    tests[-1].metadata["tags"] = ["unjudged"]
    return [cell("solution", "double", SOLUTION), *tests]


@pytest.fixture
def recorded(small) -> Course:
    """A course with these tests, released."""
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells())
    run = gradebox(small, "release")
    assert run.returncode == 0 and "source/hw/hw.ipynb: recorded the modes of its tests" in run.stdout, (
        run.stderr
    )
    return Course(small.root)


def read(course: Course, step: str):
    return nbformat.read(course.path(step, "hw") / "hw.ipynb", as_version=4)


def test_each_test_is_recorded_with_its_use_of_handles_or_why_it_is_not_judged():
    modes = record_tests(new_notebook(cells=cells()))
    judged = {name: mode.handles for name, mode in modes.items() if mode.judged}
    assert judged == {"values": False, "objects": True, "tagged": False}
    reasons = {name: mode.reason for name, mode in modes.items() if not mode.judged}
    assert reasons.keys() == {"equal", "equal-value", "sorted", "behind", "evaluated", "source"}
    assert reasons["equal"] == "the test compares or combines objects of class Vector (__eq__)"
    assert reasons["evaluated"] == "the test runs text or data as code, or a program (exec)"
    assert reasons["source"].startswith("in the judge it ends with ")


def test_a_test_whose_values_a_later_cell_needs_runs_in_the_students_process_too():
    hidden = (
        "table = [1, 2]\nassert call(len) == 0\n### BEGIN HIDDEN TESTS\nassert table\n### END HIDDEN TESTS"
    )
    source = new_notebook(
        cells=[
            cell("solution", "call", "def call(f):\n    return f('')"),
            cell("test", "first", "assert call(str) == ''"),
            cell("test", "hides", hidden),
            cell("solution", "total", "total = sum(table)"),
            cell("test", "uses", "assert total == 3"),
            cell("test", "last", "assert call(bool) is False"),
        ]
    )
    modes = record_tests(source)
    assert modes["uses"].reason.startswith("in the judge it ends with NameError")
    assert modes["hides"].reason == modes["first"].reason == "a later test depends on it"
    assert modes["last"].judged


def test_later_cells_use_what_a_test_imports_and_defines_outside_of_its_hidden_lines():
    shown = "import math\ndef near(a, b):\n    return math.isclose(a, b)\nassert near(half(4), 2)\n"
    hidden = "### BEGIN HIDDEN TESTS\nimport json\nassert half(2) == 1\n### END HIDDEN TESTS"
    source = new_notebook(
        cells=[
            cell("solution", "half", "def half(x):\n    return x / 2"),
            cell("test", "half-test", shown + hidden),
            cell("solution", "root", "def root(x):\n    return math.sqrt(x), 'json' in globals()"),
            cell("test", "root-test", "assert near(root(4)[0], 2) and type(root(4)[1]) is bool"),
        ]
    )
    assert all(mode.judged for mode in record_tests(source).values())


def test_a_release_writes_the_record_into_source_alone(recorded):
    modes = read_modes(read(recorded, "source"))
    assert modes and {name for name, mode in modes.items() if not mode.judged} >= {"evaluated", "source"}
    released = (recorded.path("release", "hw") / "hw.ipynb").read_text()
    assert RECORD_KEY not in json.loads(released)["metadata"].get(KEY, {}) and "made_of" not in released


def test_a_second_release_keeps_the_record_and_an_edit_makes_a_new_one(recorded):
    path = recorded.path("source", "hw") / "hw.ipynb"
    before = path.read_bytes()
    run = gradebox(recorded, "release")
    assert run.returncode == 0 and "recorded" not in run.stdout and path.read_bytes() == before
    notebook = read(recorded, "source")
    (values,) = [one for one in notebook.cells if grade_id(one) == "values"]
    values.source = "assert Vector(2).x == 2"
    nbformat.write(notebook, path)
    assert read_modes(read(recorded, "source")) is None
    run = gradebox(recorded, "release")
    assert "source/hw/hw.ipynb: recorded the modes of its tests" in run.stdout, run.stderr
    assert read_modes(read(recorded, "source"))["values"].handles


def test_the_record_of_a_lesson_with_a_text_is_kept(course):
    first = gradebox(course, "release")
    assert first.returncode == 0, first.stderr
    (path,) = course.root.glob("source/*/*.ipynb")
    before = path.read_bytes()
    assert read_modes(nbformat.read(path, as_version=4)) is not None
    again = gradebox(course, "release")
    assert again.returncode == 0 and "recorded" not in again.stdout and path.read_bytes() == before


def test_grading_follows_the_record(recorded):
    agrees = (
        "class Vector:\n    def __init__(self, x):\n        self.x, self.seen = x, []\n"
        "    def __eq__(self, other):\n        return True\n"
        "def double(x):\n    return Vector(x)\ndef sort(values):\n    values.sort()\n"
    )
    notebook = read(recorded, "release")
    notebook.cells[0].source = agrees
    write_notebook(recorded.path("submitted", "hw", "ann") / "hw.ipynb", notebook.cells)
    assert gradebox(recorded, "autograde").returncode == 0
    with recorded.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", "ann").grades
        scores = {one.name: one.auto_score for one in grades}
    # An object that equals everything passes only the tests that run in the student's process.
    lost = {name for name, points in scores.items() if not points}
    assert "values" in lost and not lost & {"objects", "equal", "equal-value", "sorted", "behind"}


def test_a_record_of_an_earlier_version_is_created_again(recorded):
    path = recorded.path("source", "hw") / "hw.ipynb"
    source = read(recorded, "source")
    modes = read_modes(source)
    needs = {
        "equal": ["handles", "Vector.__eq__"],
        "sorted": ["containers"],
        "behind": ["handles", "tracking"],
    }
    tests = {name: {"needs": needs[name]} if name in needs else {} for name in TESTS}
    put_record(source, {"made_of": "1f0e5d3c2b4a6978", "tests": tests})
    nbformat.write(source, path)
    assert read_modes(source) is None and find_in_process_tests(source).keys() == {"tagged"}
    write_notebook(recorded.path("submitted", "hw", "ann") / "hw.ipynb", cells())
    run = gradebox(recorded, "autograde")
    assert run.returncode == 0, run.stderr
    (record,) = json.loads((recorded.root / RECORDS_FILE).read_text()).values()
    assert parse_modes(record["tests"]) == modes
    with recorded.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", "ann").grades
        assert all(one.auto_score for one in grades)


def test_a_course_without_gradebox_release_keeps_its_records_in_a_file(small):
    source = read(small, "source")
    assert not drop_record(source) and not (small.root / RECORDS_FILE).exists()
    solves(small, "ann", double="def double(x):\n    return 2 * x")
    assert gradebox(small, "autograde").returncode == 0
    kept = json.loads((small.root / RECORDS_FILE).read_text())
    (record,) = kept.values()
    assert record["tests"] == {"double-test": {}}
    # It is found again, and made again where a test has changed.
    before = (small.root / RECORDS_FILE).read_bytes()
    solves(small, "bob", double="def double(x):\n    return x")
    assert gradebox(small, "autograde").returncode == 0
    assert (small.root / RECORDS_FILE).read_bytes() == before and drop_record(read(small, "source")) is False


def test_a_file_of_records_that_can_not_be_read_is_replaced(small):
    (small.root / RECORDS_FILE).write_text("[")
    solves(small, "ann", double="def double(x):\n    return 2 * x")
    assert gradebox(small, "autograde").returncode == 0
    assert len(json.loads((small.root / RECORDS_FILE).read_text())) == 1
