"""The core of each lesson is short, reads on without the rest, and can be released, solved and graded."""

import re
import shutil

import pytest
from helpers import graded, hand_in, points_of, run_in, with_settings
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from repository import LESSONS, SAMPLED, notebook

from gradebox.course import Course
from gradebox.exercise_selection import (
    CORE,
    EDITION_KEY,
    MINUTES,
    Lessons,
    find_exercise_cells,
    split_into_sections,
)
from gradebox.notebook_exercises import (
    CHECKS_CELL_ID,
    HEADING,
    extract_reference_solutions,
    find_grade_id,
    find_prerequisites,
    insert_answers,
)
from gradebox.static_analysis.cell_names import assigned_names

# Exercises that an instructor may pick: the homework of UDL 12.2, and two others.
SELECTIONS = {
    "01_single_head": ["attention-weights", "plot-attention"],
    "02_two_head": ["softmax-cols", "scaled-self-attention", "two-heads"],
    "10_looking_inside": ["ov-circuit"],
}
# How the text of other exercises names an exercise, and numbers of a lesson that look like one.
NUMBER = r"(?<![\d.−-]){}(?!\d|\.\d)"
VALUES = "between −10.7 and 2.7", r"without $\beta_k$ by 2.6"


def editions() -> list:
    return [
        *(pytest.param(lesson, {"edition": CORE}, id=f"{lesson}-core") for lesson in LESSONS),
        *(
            pytest.param(lesson, {"exercises": {lesson: names}}, id=f"{lesson}-selected")
            for lesson, names in SELECTIONS.items()
        ),
    ]


def exercise_names(nb: NotebookNode) -> set[str]:
    return {name for name, _ in find_exercise_cells(nb)}


def numbers_of(source: NotebookNode) -> dict[str, str]:
    """The number of each exercise in the heading of its section, by grade_id."""
    return {
        name: found[2]
        for section in split_into_sections(source)
        for name in section.exercises
        if (found := HEADING.search(section.cells[0].source)) and found[2]
    }


@pytest.mark.parametrize(("lesson", "settings"), editions())
def test_nothing_that_is_left_refers_to_what_is_left_out(lesson, settings):
    source = notebook("source", lesson)
    selected = Lessons(**settings).select(source, lesson)
    left_out = exercise_names(source) - exercise_names(selected)
    assert left_out or "edition" in settings
    numbers, solutions = numbers_of(source), extract_reference_solutions(source)
    cells = [cell for cell in selected.cells if find_grade_id(cell) != CHECKS_CELL_ID]
    inside = "\n".join(text for name, text in solutions.items() if name not in left_out)
    own = assigned_names(inside)
    for name in left_out:
        for cell in cells:
            if cell.cell_type == "markdown":
                text = re.sub("|".join(map(re.escape, VALUES)), "", cell.source)
                assert not re.search(NUMBER.format(re.escape(numbers[name])), text), (name, cell.source)
            for defined in assigned_names(solutions.get(name, "")) - own:
                assert not re.search(rf"\b{defined}\b", cell.source), (name, cell.source)


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_exercise_says_its_edition_its_minutes_and_what_it_needs(lesson):
    source = notebook("source", lesson)
    numbers, builds_on = numbers_of(source), find_prerequisites(source)
    for section in split_into_sections(source):
        for name, cell in find_exercise_cells(source):
            if name not in section.exercises:
                continue
            (line,) = re.findall(r"^\*\*((?:★ core|more) · .*)\*\*$", section.cells[0].source, re.MULTILINE)
            parts = line.split(" · ")
            assert parts[0] == ("★ core" if cell.metadata.get(EDITION_KEY) == CORE else "more"), line
            assert any(MINUTES.fullmatch(part) for part in parts), line
            stated = [part.removeprefix("needs ") for part in parts if part.startswith("needs ")]
            known = {one for text in stated for one in text.split(", ")}
            needed = {numbers[one] for other in section.exercises for one in builds_on.get(other, ())}
            direct = {numbers[one] for one in cell.metadata.get("builds_on", [])} - {numbers[name]}
            assert direct <= known <= needed, line


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_core_is_at_most_75_minutes_and_all_exercises_are_at_most_120(lesson):
    source = notebook("source", lesson)
    minutes = {
        edition: sum(section.minutes for section in split_into_sections(selected))
        for edition in (CORE, "full")
        if (selected := Lessons(edition=edition).select(source, lesson))
    }
    assert minutes[CORE] <= 75 and minutes["full"] <= 120, minutes


def grade_solved(course: Course, lesson: str) -> None:
    """Release and solve a lesson, and assert that the solved lesson gets all points for its tests."""
    run_in(course.root, "gradebox", "release", "--no-check", lesson)
    (source,) = course.sources(lesson).values()
    (released,) = course.released(lesson).values()
    assert exercise_names(released) == exercise_names(source)
    hand_in(course, lesson, "ann", insert_answers(released, extract_reference_solutions(source)))
    run_in(course.root, "gradebox", "autograde", lesson)
    tests = {
        name: points
        for name, points in points_of(source).items()
        if not any(find_grade_id(cell) == name and utils.is_task(cell) for cell in source.cells)
    }
    scores = graded(course, lesson, "ann").scores
    assert {name: scores[name] for name in tests if scores.get(name) is not None} == tests


@pytest.mark.parametrize("lesson", SAMPLED)
def test_the_core_is_released_solved_and_graded(this_course, tmp_path, lesson):
    course = Course(shutil.copytree(this_course, tmp_path / "course"))
    grade_solved(with_settings(course, f"c.Lessons.edition = {{{lesson!r}: 'core'}}"), lesson)


@pytest.mark.parametrize(
    "lesson",
    ["02_two_head", *(pytest.param(name, marks=pytest.mark.slow) for name in SELECTIONS if name[:2] != "02")],
)
def test_selected_exercises_are_released_solved_and_graded(this_course, tmp_path, lesson):
    course = Course(shutil.copytree(this_course, tmp_path / "course"))
    course = with_settings(course, f"c.Lessons.exercises = {SELECTIONS!r}")
    grade_solved(course, lesson)
    if lesson == "02_two_head":
        (source,) = course.sources(lesson).values()
        assert sum(section.minutes for section in split_into_sections(source)) <= 35
        assert sum(points_of(source).values()) == 10
