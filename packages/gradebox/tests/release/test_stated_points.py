"""`gradebox release` warns where the points in a text are not those of the cells, and nowhere else."""

import pytest
from helpers import cell, sample, small_lesson, write_notebook
from nbformat.v4 import new_markdown_cell, new_notebook

from gradebox.course import Course
from gradebox.release.notebook_lint import lint_assignment
from gradebox.release.stated_points import find_contradicted_points


def graded(name: str, points: float):
    made = cell("test", name, "assert True")
    made.metadata.nbgrader["points"] = points
    return made


def question(text: str, points: float):
    made = cell("question", "why", text)
    made.metadata.nbgrader["points"] = points
    return made


def contradicted(*parts, is_only: bool = True) -> list[str]:
    cells = [new_markdown_cell(part) if isinstance(part, str) else part for part in parts]
    return [what for _, what in find_contradicted_points(new_notebook(cells=cells), is_only)]


A, B = graded("a-test", 2), graded("b-test", 4)
SAYS_3 = [
    "## 1.1 Norms (3 points)",
    "## 1.1 Norms\n\n**3 points**",
    "## 1.1 Norms\n\n**3 points.** Write the norm.",
    "## 1.1 Norms\n\n**★ core · 3 points · about 8 minutes**\n\nWrite the norm.",
    "## 1.1 Norms\n\nWrite the norm. (3 points)",
    "**Test 1 of 2: values (3 points).** They are small.",
]


@pytest.mark.parametrize("text", SAYS_3)
def test_a_statement_that_contradicts_the_cells_names_both_numbers(text):
    (said,) = contradicted(text, graded("norm-test", 6))
    assert said == "the text states 3 points, but the graded cells have 6 (norm-test)"
    assert contradicted(text, graded("norm-test", 3)) == []


def test_a_statement_may_be_about_several_cells_a_part_of_them_or_none():
    assert contradicted("## One (6 points)", "### Part (2 points)", A, "### Part (4 points)", B) == []
    assert contradicted("**Question 1 (6 points)**", A, B) == []
    # The second cell belongs to another exercise, without a statement.
    assert contradicted("**Question 1 (2 points)**", A, B) == []
    assert contradicted("## One\n\n**2 points.** First.", A, "**4 points.** Second.", B) == []
    assert contradicted("## Points (3 points)", "Nothing is graded here.", "## Next", A) == []
    (said,) = contradicted("## One (5 points)", "### Part (2 points)", A, "### Part (4 points)", B)
    assert said == "the text states 5 points, but the graded cells have 6 (a-test, b-test)"


def test_the_total_of_a_notebook_is_compared():
    title = "# Norms\n\n*Lesson 9 · NumPy · {} points*"
    (said,) = contradicted(title.format(25), "## 9.1", A, "## 9.2", B)
    assert said == "the text states 25 points, but the graded cells have 6 (a-test, b-test)"
    assert contradicted(title.format(6), "## 9.1", A, "## 9.2", B) == []
    # Release fills in the total.
    assert contradicted(title.format("<!-- points -->25<!-- end -->"), "## 9.1", A, "## 9.2", B) == []
    # The other notebooks of the assignment have the rest.
    assert contradicted(title.format(25), "## 9.1", A, is_only=False) == []


@pytest.mark.parametrize(
    "text",
    [
        "## One\n\n**3 points** for an answer with a reason, **1 point** without.",
        "## One\n\n- a docstring (1 point)\n- tests (3 points)",
        "## One\n\n1. Write a norm. (3 points)",
        "## One\n\n| norm | (3 points) |",
        "## One\n\na) a norm (1 point)\nb) a sum (3 points)",
        "# One\n\nYou need 3 points to pass. Each exercise is worth 3 points.",
        "## One\n\nA line through 3 points, and a late submission loses 3 points.",
        "## One\n\n```\n**3 points**\n```",
        "## One\n\n### BEGIN MARK SCHEME\n**3 points.** A reason.\n### END MARK SCHEME",
    ],
)
def test_other_texts_with_points_state_nothing(text):
    assert contradicted(text, A) == contradicted(question(text, 2)) == []


def test_the_sample_is_not_warned_about_and_a_release_warns(small):
    assert list(find_contradicted_points(sample("source"))) == []
    cells = [new_markdown_cell("## 1.1 Double (3 points)"), *small_lesson()[:2]]
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    (problem,) = lint_assignment(Course(small.root), "hw")
    assert not problem.stops and str(problem) == (
        "source/hw/hw.ipynb, cell 1: the text states 3 points, but the graded cells have 2 (double-test)"
    )
