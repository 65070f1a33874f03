"""A course with a gradebook full of grades: graded by stock nbgrader, by gradebox, and by stock again."""

import shutil
import sqlite3
from pathlib import Path

import nbformat
import nbgrader
import pytest
from helpers import grade_id, quickstart, run_in

from gradebox.course import Course

ASSIGNMENT = "ps1"
EXAMPLES = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide" / "submitted"
STUDENTS = ["bitdiddle", "hacker", "reference"]
# What gradebox leaves of itself in graded copies; see docs/coming-from-nbgrader.md.
GRADED = ("autograded", "feedback")


@pytest.fixture
def fresh(tmp_path) -> Path:
    """The course that nbgrader's quickstart makes."""
    return quickstart(tmp_path)


@pytest.fixture
def years(fresh) -> Path:
    """The same with a class of three that nbgrader has graded, and a person has read."""
    root = fresh
    run_in(root, "nbgrader", "generate_assignment", ASSIGNMENT)
    for example in ("bitdiddle", "hacker"):
        shutil.copytree(EXAMPLES / example, root / "submitted" / example)
    shutil.copytree(root / "source" / ASSIGNMENT, root / "submitted" / "reference" / ASSIGNMENT)
    run_in(root, "nbgrader", "autograde", ASSIGNMENT)
    with Course(root).gradebook() as gradebook:
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate="2026-11-20 12:00:00 UTC")
        for student in STUDENTS:
            for name in ("problem1", "problem2"):
                for grade in gradebook.find_submission_notebook(name, ASSIGNMENT, student).grades:
                    if grade.needs_manual_grade:
                        grade.manual_score, grade.needs_manual_grade = 1.5, False
        comments = gradebook.find_submission_notebook("problem1", ASSIGNMENT, "hacker").comments
        comments[0].manual_comment = "See me."
    return root


def points(root: Path) -> dict[tuple, tuple]:
    """What each graded cell has: the points of tests and of people, what waits, and comments."""
    course = Course(root)
    found: dict[tuple, tuple] = {}
    with course.gradebook() as gradebook:
        for student in STUDENTS:
            for name in course.notebooks(ASSIGNMENT):
                submission = gradebook.find_submission_notebook(name, ASSIGNMENT, student)
                for grade in submission.grades:
                    marks = grade.auto_score, grade.manual_score, grade.needs_manual_grade
                    found[student, name, grade.name] = marks
                for comment in submission.comments:
                    found[student, name, comment.name, "comment"] = (comment.manual_comment,)
    return found


def schema(root: Path) -> set[tuple]:
    with sqlite3.connect(root / "gradebook.db") as connection:
        return set(connection.execute("SELECT type, name, sql FROM sqlite_master"))


def files(root: Path) -> dict[str, bytes]:
    """All files but the gradebook and what grading makes."""
    paths = (path for path in root.rglob("*") if path.is_file() and path.name != "gradebook.db")
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in paths
        if path.relative_to(root).parts[0] not in GRADED
    }


@pytest.mark.slow
def test_grades_are_the_same_and_stock_nbgrader_ignores_the_data_that_is_kept(years):
    before, tables, there = points(years), schema(years), files(years)
    assert any(marks[1:2] == (1.5,) for marks in before.values()) and ("See me.",) in before.values()

    said = run_in(years, "gradebox", "init")
    assert "as before" not in said and "get all points" in said
    assert points(years) == before
    run_in(years, "gradebox", "autograde")
    assert points(years) == before
    # By nbgrader's own command and gradebox's steps, too.
    run_in(years, "nbgrader", "autograde", ASSIGNMENT, "--force")
    assert points(years) == before
    run_in(years, "gradebox", "feedback")
    run_in(years, "gradebox", "due", ASSIGNMENT, "2027-01-01 12:00", "--student", "hacker")

    said = run_in(years, "gradebox", "init", "--remove")
    assert "All data is kept" in said and "you can delete them" in said
    kept = files(years).keys() - there.keys()
    assert kept and all(
        name.startswith(".gradebox_") or name in ("gradebook.secret", "incidents.json") for name in kept
    )
    assert {name: files(years)[name] for name in there} == there
    added = {(kind, name) for kind, name, _ in schema(years) - tables}
    assert added and all("gradebox_" in name for _, name in added) and tables <= schema(years)
    assert points(years) == before
    run_in(years, "nbgrader", "autograde", ASSIGNMENT, "--force")
    graded = years / "autograded" / "reference" / ASSIGNMENT / "problem1.ipynb"
    assert "gradebox" not in graded.read_text()
    # Stock nbgrader asks a person to look again at all that it grades again.
    assert {cell: marks[:2] for cell, marks in points(years).items()} == {
        cell: marks[:2] for cell, marks in before.items()
    }


def test_a_test_that_needs_the_students_process_is_named_before_anybody_is_graded(fresh):
    path = fresh / "source" / ASSIGNMENT / "problem1.ipynb"
    notebook = nbformat.read(path, as_version=4)
    test = next(cell for cell in notebook.cells if grade_id(cell) == "correct_squares")
    test.source += "\nimport inspect, gc\nassert any(one is squares for one in gc.get_objects())"
    test.source += "\nassert squares.__globals__ is globals()"
    nbformat.write(notebook, path)
    said = run_in(fresh, "gradebox", "init")
    assert "1 test runs in the student's process, 1 of 3 points" in said and "correct_squares" in said
