"""What tests know of the course's secret, and nobody else."""

import shutil

import pytest
from helpers import cell, grade_id, gradebox, notebook, small_lesson, solves, write_notebook
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.course_secret import SECRET_FILE, SECRET_NAME, load_course_secret
from gradebox.release.release_lessons import write_student_version

TELLS = f'assert double(2) == 4\nprint("secret", globals().get("{SECRET_NAME}"))\n'
SPY = 'print("spied", [name for name in globals() if "secret" in name])\ndef double(x):\n    return 2 * x'


@pytest.fixture
def telling(tmp_path, small_released) -> Course:
    """A course whose test prints what it knows."""
    root = tmp_path / "telling"
    cells = [
        cell("test", "double-test", TELLS) if grade_id(c) == "double-test" else c for c in small_lesson()
    ]
    write_notebook(root / "source" / "hw" / "hw.ipynb", cells)
    shutil.copy(small_released / "nbgrader_config.py", root)
    write_student_version(Course(root), "hw")
    return Course(root)


def said(course: Course, student: str, name: str = "double-test") -> str:
    cells = notebook("autograded", "hw", course.root, student).cells
    (found,) = [one for one in cells if grade_id(one) == name]
    return "".join(output.get("text", "") for output in found.outputs)


def test_a_test_knows_a_number_that_no_other_submission_and_no_student_knows(telling):
    for student in ("ann", "bob"):
        solves(telling, student, double=SPY)
    assert gradebox(telling, "autograde").returncode == 0
    for student in ("ann", "bob"):
        word, number = said(telling, student).split()
        assert word == "secret" and int(number).bit_length() > 32
        assert said(telling, student, "double") == "spied []\n"
    assert said(telling, "ann") != said(telling, "bob")
    # Graded again, by nbgrader's own way.
    before = said(telling, "ann")
    assert telling.convert(Autograde, "hw", "ann") is None
    assert said(telling, "ann") == before
    # Another version meets another number.
    solves(telling, "ann", double=f"{SPY}  # changed")
    assert gradebox(telling, "autograde").returncode == 0
    assert said(telling, "ann") not in (before, said(telling, "bob"))


def test_it_is_made_once_for_its_owner_only(tmp_path):
    first = load_course_secret(tmp_path)
    assert first == load_course_secret(tmp_path) and len(bytes.fromhex(first)) == 32
    assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [SECRET_FILE]
