"""What tests know of the course's secret, and nobody else."""

import shutil

import nbformat
import pytest
from helpers import cell, grade_id, gradebox, notebook, small_lesson, solves, write_notebook
from nbformat.v4 import new_markdown_cell, new_output
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


def test_each_attempt_meets_another_number_and_one_that_is_graded_again_the_same(telling):
    path = solves(telling, "ann", double=SPY)

    def change(edit) -> None:
        nb = nbformat.read(path, as_version=4)
        edit(nb, next(one for one in nb.cells if grade_id(one) == "double"))
        nbformat.write(nb, path)

    attempts = {
        "first": lambda: None,
        "code": lambda: change(lambda nb, own: own.update(source=f"{SPY}  # changed")),
        "data": lambda: (path.parent / "answers.txt").write_text("1"),
        "other data": lambda: (path.parent / "answers.txt").write_text("2"),
        "data in a folder": lambda: write_notebook(path.parent / "data" / "other.ipynb", []),
        "Markdown": lambda: change(lambda nb, own: nb.cells.append(new_markdown_cell("A note"))),
        "metadata": lambda: change(lambda nb, own: nb.metadata.update(mine=1)),
        "output": lambda: change(lambda nb, own: own.update(outputs=[new_output("stream", text="1")])),
        "time": lambda: (path.parent / "timestamp.txt").write_text("2026-11-20 10:00:00 UTC"),
        "the same again": lambda: (path.parent / "timestamp.txt").write_text("2026-11-20 10:00:01 UTC"),
    }
    numbers = {}
    for name, hand_in in attempts.items():
        hand_in()
        assert gradebox(telling, "autograde").returncode == 0
        numbers[name] = said(telling, "ann")
    assert len({*numbers.values()}) == len(attempts), numbers
    assert gradebox(telling, "autograde", "--force").returncode == 0
    assert said(telling, "ann") == numbers["the same again"]
    # nbgrader's own way, with the same files and with others.
    assert telling.convert(Autograde, "hw", "ann") is None
    assert said(telling, "ann") == numbers["the same again"]
    (path.parent / "answers.txt").write_text("3")
    assert telling.convert(Autograde, "hw", "ann") is None
    assert said(telling, "ann") not in numbers.values()


def test_it_is_made_once_for_its_owner_only(tmp_path):
    first = load_course_secret(tmp_path)
    assert first == load_course_secret(tmp_path) and len(bytes.fromhex(first)) == 32
    assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [SECRET_FILE]
