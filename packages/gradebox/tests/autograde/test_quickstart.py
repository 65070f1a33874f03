"""The course that `nbgrader quickstart` makes, plain, graded both ways: the same points, cell by cell.

Its assignment has two notebooks, one of them without a locked code cell, and a test that deletes a function
of the student's.
"""

import shutil
from pathlib import Path

import nbformat
import nbgrader
import pytest
from helpers import SAMPLE, grade_id, quickstart
from nbgrader.converters import Autograde

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.release.release_lessons import write_student_version

ASSIGNMENT = "ps1"
EXAMPLES = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide" / "submitted"


def made(root: Path, settings: str = "") -> Course:
    """The course of the quickstart, released."""
    quickstart(root.parent, root.name)
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(settings)
    course = Course(root)
    write_student_version(course, ASSIGNMENT)
    return course


def by_cell(course: Course, student: str) -> dict[tuple[str, str], tuple[float | None, bool]]:
    """The points of each graded cell that the tests gave, and whether a person is to look."""
    with course.gradebook() as gradebook:
        return {
            (name, grade.name): (grade.auto_score, grade.needs_manual_grade)
            for name in course.notebooks(ASSIGNMENT)
            for grade in gradebook.find_submission_notebook(name, ASSIGNMENT, student).grades
        }


def written(course: Course, student: str, step: str, **answers: str) -> None:
    """Hand in the notebooks of a step, with other answers, by grade_id with _ for -."""
    folder = course.path("submitted", ASSIGNMENT, student)
    folder.mkdir(parents=True)
    for name in course.notebooks(ASSIGNMENT):
        notebook = nbformat.read(course.path(step, ASSIGNMENT) / f"{name}.ipynb", as_version=4)
        for cell in notebook.cells:
            cell.source = answers.get((grade_id(cell) or "").replace("-", "_"), cell.source)
        nbformat.write(notebook, folder / f"{name}.ipynb")


def class_of_five(course: Course) -> list[str]:
    """Hand in for five students: two are nbgrader's own examples."""
    for example in ("bitdiddle", "hacker"):
        shutil.copytree(EXAMPLES / example, course.root / "submitted" / example)
    written(course, "reference", "source")
    alone = "def sum_of_squares(n):\n    return sum(i * i for i in range(1, n + 1))"
    written(course, "alone", "source", sum_of_squares=alone)
    wrong = "def squares(n):\n    return [i * i for i in range(n)]"
    written(course, "wrong", "source", squares=wrong, part_a="I don't know.")
    return ["alone", "bitdiddle", "hacker", "reference", "wrong"]


@pytest.mark.slow
def test_every_cell_has_the_points_of_stock_nbgrader(tmp_path):
    # The one difference that is meant.
    settings = (SAMPLE / "nbgrader_config.py").read_text() + "\nc.Execute.second_chances = False\n"
    ours, stock = made(tmp_path / "ours", settings), made(tmp_path / "stock")
    students = class_of_five(ours)
    assert class_of_five(stock) == students
    second = nbformat.read(ours.path("source", ASSIGNMENT) / "problem2.ipynb", as_version=4)
    assert not any(cell.cell_type == "code" for cell in second.cells)

    outcomes = autograde_submissions(ours, list(find_submissions(ours, [ASSIGNMENT], students)), workers=2)
    assert [outcome.problem for outcome in outcomes] == [None] * len(students)
    assert stock.convert(Autograde, ASSIGNMENT, "*") is None
    points = {student: by_cell(ours, student) for student in students}
    assert points == {student: by_cell(stock, student) for student in students}
    deleted = ("problem1", "sum_of_squares_uses_squares")
    assert points["reference"][deleted] == (0.5, False) and points["alone"][deleted] == (0, False)
    assert points["reference"][("problem2", "part-a")] == (None, True)

    # And by nbgrader's own command, with gradebox's steps.
    written(ours, "by_command", "source")
    assert ours.convert(Autograde, ASSIGNMENT, "by_command") is None
    assert by_cell(ours, "by_command") == points["reference"]
