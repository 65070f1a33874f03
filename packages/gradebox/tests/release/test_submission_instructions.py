"""What a release adds to a notebook for students: tags, collapsed tests, and the last cells."""

import pytest
from helpers import LESSON, cell, grade, sample_solved
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader import utils

from gradebox.autograde.reference_proof import ERROR_TAG
from gradebox.checks_cell import build_checks_cell
from gradebox.course import Course
from gradebox.notebook_exercises import CHECKS_CELL_ID, POINTS_CELL_ID
from gradebox.release.submission_instructions import HandIn

RESOURCES = {"nbgrader": {"assignment": "hw"}}
FIRST_LINE = "# Test of 1.1 Double (2 points). Run the checks cell first.\n"


def released(*cells: NotebookNode) -> list[NotebookNode]:
    return HandIn().preprocess(new_notebook(cells=list(cells)), RESOURCES)[0].cells


def checks() -> NotebookNode:
    return cell("given", CHECKS_CELL_ID, build_checks_cell("hw", "checks = ()\n", ["check"]))


def test_tests_and_demonstrations_let_run_all_go_on():
    shown = new_code_cell("print(double(2))", metadata={"tags": ["demonstration", "large"]})
    other, test = new_code_cell("x = 1"), cell("test", "double-test", "assert double(1) == 2")
    solution, shown, other, test = released(cell("solution", "double", "def double(x):"), shown, other, test)
    assert shown.metadata.tags == ["demonstration", "large", ERROR_TAG] and test.metadata.tags == [ERROR_TAG]
    assert "tags" not in other.metadata and "tags" not in solution.metadata


def test_a_test_with_a_first_line_is_collapsed_unless_the_lesson_says_no():
    plain, titled = cell("test", "a-test", "assert True"), cell("test", "b-test", FIRST_LINE + "assert True")
    opened = cell("test", "c-test", FIRST_LINE + "assert True")
    opened.metadata["jupyter"] = {"source_hidden": False}
    plain, titled, opened = released(plain, titled, opened)
    assert "jupyter" not in plain.metadata and titled.metadata.jupyter["source_hidden"]
    assert not opened.metadata.jupyter["source_hidden"]


def test_the_last_code_cell_shows_the_points_of_the_exercises_that_are_given():
    other = FIRST_LINE.replace("1.1", "1.10") + "assert True"
    first = cell("test", "a-test", FIRST_LINE + "assert True"), cell("test", "b-test", FIRST_LINE + "pass")
    *_, last = released(checks(), *first, cell("test", "c-test", other))
    assert last.id == POINTS_CELL_ID and last.source.endswith('show_points("1.1 1.10")')
    assert "demonstration" in last.metadata.tags
    assert released(*first)[-1].id != POINTS_CELL_ID


@pytest.mark.parametrize("grader", ["gradebox", "stock"])
def test_the_tag_changes_no_points(grader, course):
    if grader == "stock":
        (course.root / "nbgrader_config.py").write_text(
            "c = get_config()\nc.CourseDirectory.course_id = ''\n"
        )
        course = Course(course.root)
    tagged, bare = sample_solved(), sample_solved()
    for nb in (tagged, bare):
        solutions = [one for one in nb.cells if utils.is_solution(one) and one.cell_type == "code"]
        solutions[-1].source = "raise ValueError('wrong')"
        for one in nb.cells:
            one.metadata.pop("tags", None)
            if nb is tagged:
                one.metadata["tags"] = [ERROR_TAG]
    scores = grade(course, LESSON, "tagged", tagged).scores
    assert scores == grade(course, LESSON, "bare", bare).scores
    assert 0 in scores.values() and max(filter(None, scores.values())) > 0
