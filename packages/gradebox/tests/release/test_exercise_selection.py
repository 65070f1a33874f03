"""A course gives the core of a lesson, or exercises that it names, and nothing tells of the rest."""

import nbformat
import pytest
from helpers import cell, gradebox, points_of, run_in, solves, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell

from gradebox.course import Course
from gradebox.exercise_selection import select_exercises
from gradebox.notebook_exercises import find_grade_id

CONFIG = "import gradebox\n\nc = get_config()\ngradebox.configure(c)\nc.Execute.preload = []\n"
HEADER = (
    "# Numbers\n\n*about <!-- minutes -->0<!-- end --> minutes · <!-- points -->0<!-- end --> points*\n\n"
    "Double them.<!-- with: triple --> Then triple them in 1.2.<!-- end -->"
    "<!-- with: triple, why --> Both.<!-- end -->"
)


def exercise(name: str, factor: int, **metadata) -> list[nbformat.NotebookNode]:
    """A solution cell that multiplies, and its test."""
    body = f"def {name}(x):\n    ### BEGIN SOLUTION\n    return {factor} * x\n    ### END SOLUTION"
    solution = cell("solution", name, body)
    solution.metadata.update(metadata)
    return [solution, cell("test", f"{name}-test", f"assert {name}(5) == {5 * factor}")]


def given(text: str, **metadata) -> nbformat.NotebookNode:
    made = new_markdown_cell(text)
    made.metadata.update(metadata)
    return made


def lesson() -> list[nbformat.NotebookNode]:
    shown = new_code_cell("print(triple(2))")
    shown.metadata["with"] = ["triple"]
    question = cell("question", "why", "## 1.4 Why\n\nabout 4 minutes: why?")
    question.metadata["edition"] = "core"
    return [
        given(HEADER),
        given("## 1.1 Double\n\n**about 3 minutes**, not about 7 minutes"),
        *exercise("double", 2, edition="core", builds_on=[]),
        given("## 1.2 Triple\n\nabout 5 minutes"),
        *exercise("triple", 3, builds_on=["double"]),
        given("A picture."),
        given("## Interlude"),
        shown,
        given("Go on."),
        given("## Of three", **{"with": ["triple"]}),
        given("It is odd."),
        given("## 1.3 Sextuple\n\nabout 6 minutes, <!-- points -->1 point<!-- end -->"),
        *exercise("sextuple", 6, builds_on=["triple"]),
        question,
        new_markdown_cell("*Your answer*"),
    ]


@pytest.fixture
def course(tmp_path) -> Course:
    (tmp_path / "nbgrader_config.py").write_text(CONFIG)
    write_notebook(tmp_path / "source" / "hw" / "hw.ipynb", lesson())
    return Course(tmp_path)


def names(notebook: nbformat.NotebookNode) -> list[str]:
    return [name for one in notebook.cells if (name := find_grade_id(one))]


def released(course: Course) -> nbformat.NotebookNode:
    return nbformat.read(course.root / "release" / "hw" / "hw.ipynb", as_version=4)


def text_of(notebook: nbformat.NotebookNode) -> str:
    return "\n".join(one.source for one in notebook.cells)


def test_all_exercises_are_given_unless_a_course_says_otherwise(course):
    run_in(course.root, "gradebox", "release")
    assert names(released(course)) == names(nbformat.from_dict({"cells": lesson()}))
    text = text_of(released(course))
    assert "about 18 minutes · 9 points" in text and "about 6 minutes, 2 points" in text
    assert "Double them. Then triple them in 1.2. Both." in text
    assert "<!--" not in text


def test_the_core_is_released_solved_and_graded_and_nothing_tells_of_the_rest(course):
    said = run_in(course.root, "gradebox", "release", "--core")
    assert "get_config().Lessons.edition = 'core'" in said
    given = released(course)
    assert names(given) == ["double", "double-test", "why"]
    text = text_of(given)
    assert "about 7 minutes · 5 points" in text and "Go on." in text
    for word in ("riple", "picture", "odd", "Sextuple", "Both", "1.2", "<!--"):
        assert word not in text
    solves(course, "ann", double="def double(x):\n    return x + x", why="Because.")
    solves(course, "ben", double="def double(x):\n    return x")
    run_in(course.root, "gradebox", "autograde")
    assert points_in_gradebook(course) == {("ann", "double-test"): 2, ("ben", "double-test"): 0}
    run_in(course.root, "gradebox", "feedback")
    page = (course.root / "feedback" / "ann" / "hw" / "hw.html").read_text(encoding="utf-8").split("<body")[1]
    assert "1.1" in page and "1.4" in page and "1.2" not in page and "riple" not in page
    # The instructor's notebook keeps all exercises.
    source = nbformat.read(course.root / "source" / "hw" / "hw.ipynb", as_version=4)
    assert text_of(source) == "\n".join(one.source for one in lesson())


def points_in_gradebook(course: Course) -> dict[tuple[str, str], float]:
    with course.gradebook() as gradebook:
        return {
            (submission.student.id, grade.name): grade.auto_score
            for submission in gradebook.assignment_submissions("hw")
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.cell.cell_type == "code"
        }


@pytest.mark.slow
def test_stock_nbgrader_releases_and_grades_the_same_core(course):
    course = with_settings(course, "c.Lessons.edition = {'hw': 'core'}")
    run_in(course.root, "nbgrader", "generate_assignment", "hw")
    assert names(released(course)) == ["double", "double-test", "why"]
    solves(course, "ann", double="def double(x):\n    return x + x")
    run_in(course.root, "nbgrader", "autograde", "hw")
    assert points_in_gradebook(course) == {("ann", "double-test"): 2}


def test_named_exercises_bring_what_they_build_on(course):
    course = with_settings(course, "c.Lessons.exercises = {'hw': ['sextuple']}")
    run_in(course.root, "gradebox", "release")
    assert points_of(released(course)) == {"double-test": 2, "triple-test": 2, "sextuple-test": 2}
    assert "It is odd." in text_of(released(course)) and "print(triple(2))" in text_of(released(course))


def test_the_full_edition_comes_back_and_points_are_kept(course):
    run_in(course.root, "gradebox", "release")
    before = (course.root / "nbgrader_config.py").read_bytes()
    solves(
        course, "ann", double="def double(x):\n    return x + x", triple="def triple(x):\n    return 3 * x"
    )
    run_in(course.root, "gradebox", "autograde")
    run_in(course.root, "gradebox", "release", "--core", "hw")
    assert "1 lesson" not in run_in(course.root, "gradebox", "autograde")
    assert set(points_in_gradebook(course)) == {("ann", "double-test")}
    assert "hw is current" in run_in(course.root, "gradebox", "release")
    assert "all lessons have all exercises" in run_in(course.root, "gradebox", "release", "--full")
    assert (course.root / "nbgrader_config.py").read_bytes() == before
    run_in(course.root, "gradebox", "autograde")
    assert points_in_gradebook(course)["ann", "triple-test"] == 2


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("c.Lessons.edition = 'kernel'", "Lessons.edition must be 'core' or 'full', not 'kernel'"),
        ("c.Lessons.exercises = {'hw': 'double'}", "must be a list of grade_ids, not 'double'"),
        (
            "c.Lessons.exercises = {'hw': ['quadruple']}",
            "c.Lessons.exercises names 'quadruple', which is not an exercise "
            "(known: double, triple, sextuple, why)",
        ),
        ("c.Lessons.exercises = {'hw': []}", "c.Lessons.exercises names no exercise"),
    ],
)
def test_an_impossible_selection_is_refused_in_one_sentence(course, setting, reason):
    done = gradebox(with_settings(course, setting), "release")
    assert done.returncode != 0
    assert reason in " ".join(done.stderr.split() + done.stdout.split())
    assert not (course.root / "release" / "hw").exists()


def test_a_lesson_without_marks_has_no_core(course):
    cells = lesson()
    for one in cells:
        one.metadata.pop("edition", None)
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", cells)
    done = gradebox(course, "release", "--core")
    assert done.returncode == 1 and "no exercise is marked as core" in done.stdout + done.stderr


def test_the_command_leaves_an_edition_alone_that_the_file_sets(course):
    course = with_settings(course, "c.Lessons.edition = 'core'")
    done = gradebox(course, "release", "--full")
    assert done.returncode == 2
    assert "nbgrader_config.py sets c.Lessons.edition: change the edition there" in done.stdout + done.stderr


def test_exercises_of_a_section_go_together():
    notebook = nbformat.v4.new_notebook(
        cells=[
            given("## First"),
            *exercise("half", 0.5, builds_on=[]),
            given("## Second"),
            *exercise("double", 2, builds_on=[]),
            *exercise("triple", 3, builds_on=["half"]),
            given("## Third"),
            *exercise("quadruple", 4, builds_on=[]),
        ]
    )
    selected = select_exercises(notebook, lambda name, cell: name == "double")
    assert names(selected) == ["half", "half-test", "double", "double-test", "triple", "triple-test"]


def test_a_selection_that_needs_a_new_release_is_not_graded_before(course):
    run_in(course.root, "gradebox", "release")
    solves(course, "ann", double="def double(x):\n    return x + x")
    course = with_settings(course, "c.Lessons.edition = 'core'")
    done = gradebox(course, "autograde")
    assert done.returncode != 0
    said = " ".join((done.stdout + done.stderr).split())
    assert "released with other exercises (sextuple, triple): run `gradebox release hw` first" in said
