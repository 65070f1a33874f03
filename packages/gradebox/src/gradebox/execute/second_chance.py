"""Second chances: one mistake is paid for once, as a person who grades by hand would have it.

A test that failed is run once more, in a fresh kernel in which every exercise that failed, and that this
one *builds on*, has the reference solution in its place. If it passes then, the mistake was not this
exercise's. All others stay the student's: two exercises that only call each other would be right by the
other's reference, and one that only calls an earlier way to do the same would be right by that. What the
second run prints is thrown away, since references were in that process.

Which earlier exercises one builds on stands in its solution cell's metadata: `builds_on`, a list of
grade_ids, read transitively. In a notebook that says nothing of it, these are all earlier ones.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.execute.lesson import Lesson
from gradebox.notebook import find_grade_id
from gradebox.notebook_metadata import FAILED, OK, read_ending, update_record

SECOND_CHANCE_COMMENT = (
    "Right in itself: the test failed only because of a mistake in another exercise, "
    "and passed on its second chance."
)


@dataclass(frozen=True)
class SecondChance:
    """A notebook to run, in which `tests` get a second chance."""

    notebook: NotebookNode
    tests: tuple[str, ...]


def mark_passed_tests(notebook: NotebookNode, chance: SecondChance) -> None:
    """Mark the tests that have passed on their second chance."""
    passed = {find_grade_id(cell) for cell in chance.notebook.cells if read_ending(cell) == OK} & set(
        chance.tests
    )
    for cell in notebook.cells:
        if find_grade_id(cell) in passed:
            update_record(cell, second_chance=True)


@dataclass
class SecondChanceRun:
    """Second chances that one run gives: exercises in their order, each with those put right before it."""

    chosen: dict[str, set[str]]

    def takes(
        self, exercise: str, needs: set[str], begins: Mapping[str, int], ends: Mapping[str, int]
    ) -> bool:
        """Whether one more finds here what a run of its own would give it: no reference but those it needs.

        What was put right stays so. What is to be put right has not begun yet, or has been chosen itself:
        then its reference follows its tests.
        """
        done, last = set().union(*self.chosen.values()), max(ends[name] for name in self.chosen)
        later = all(name in self.chosen or begins[name] > last for name in needs - done)
        return done <= needs and later and begins[exercise] > last


def plan_second_chances(notebook: NotebookNode, lesson: Lesson) -> Iterator[SecondChance]:
    """The second chances of a notebook that has been run, in as few runs as will do.

    None for an exercise that is as it was released, or whose mistake no other one can have caused.
    """
    tests = lesson.tests
    cells = {find_grade_id(cell): cell for cell in notebook.cells if find_grade_id(cell)}
    failed = {
        exercise: tuple(name for name in names if name in cells and read_ending(cells[name]) != OK)
        for exercise, names in tests.items()
    }
    failed = {exercise: names for exercise, names in failed.items() if names}
    if len(failed) < 2:
        return
    needed = {exercise: others & failed.keys() for exercise, others in lesson.builds_on.items()}
    places = {find_grade_id(cell): n for n, cell in enumerate(notebook.cells) if find_grade_id(cell)}
    begins = {name: places.get(name, places[names[0]]) for name, names in failed.items()}
    ends = {name: max(places[test] for test in names) for name, names in failed.items()}
    runs: list[SecondChanceRun] = []
    for exercise in failed:
        if not needed[exercise] or (exercise in cells and is_solution_unchanged(cells[exercise])):
            continue
        for run in runs:
            if run.takes(exercise, needed[exercise], begins, ends):
                run.chosen[exercise] = needed[exercise]
                break
        else:
            runs.append(SecondChanceRun({exercise: needed[exercise]}))
    for run in runs:
        wanted = tuple(test for exercise in run.chosen for test in failed[exercise])
        solutions = {name: text for name, text in lesson.solutions.items() if name in failed}
        yield SecondChance(insert_solutions(notebook, solutions, tests, failed, run), wanted)


def is_solution_unchanged(cell: NotebookNode) -> bool:
    """Whether a solution cell is as it was released."""
    return cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)


def insert_solutions(
    notebook: NotebookNode,
    solutions: dict[str, str],
    tests: dict[str, list[str]],
    failed: dict[str, tuple[str, ...]],
    run: SecondChanceRun,
) -> NotebookNode:
    """The notebook up to the last test of a run, with no other exercise's test in the way.

    solutions: the reference of every exercise that failed. It stands in its place if a chosen one needs it,
    or, for an exercise that is chosen itself, behind the last of its tests. A cell of the student's own that
    did not end is left out, for it would not end again.
    """
    repeated, cells, present = deepcopy(notebook), [], {find_grade_id(cell) for cell in notebook.cells}
    right = set().union(*run.chosen.values())
    wanted = {test for exercise in run.chosen for test in failed[exercise]}
    # Tests of one exercise may share what they have found out.
    asked = {test for exercise in run.chosen for test in tests[exercise]}
    places = {
        find_grade_id(cell): n for n, cell in enumerate(repeated.cells) if find_grade_id(cell) in wanted
    }
    last_test = {max(failed[name], key=places.__getitem__): name for name in right & run.chosen.keys()}
    # The student deleted these exercises' cells; their first tests mark the place.
    first_test = {tests[name][0]: name for name in right - run.chosen.keys() - present}
    for cell in repeated.cells[: max(places.values()) + 1]:
        name = find_grade_id(cell)
        if name in first_test:
            cells.append(new_code_cell(solutions[first_test[name]]))
        if name in right and name not in run.chosen:
            cell.source = solutions[name]
            cells.append(cell)
        elif name in asked or (not utils.is_grade(cell) and read_ending(cell) in (OK, FAILED)):
            cells.append(cell)
        if name in last_test:
            cells.append(new_code_cell(solutions[last_test[name]]))
    repeated.cells = cells
    return repeated
