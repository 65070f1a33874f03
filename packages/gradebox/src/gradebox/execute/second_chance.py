"""Second chances for failed tests, so that one mistake costs points only once, as in grading by hand.

A failed test is run again in a fresh kernel. There, every failed exercise that the test's exercise *builds
on* is replaced by its reference solution. If the test then passes, the mistake was in another exercise. All
other exercises keep the student's code. Otherwise two exercises that only call each other would pass thanks
to each other's references, as would an exercise that only calls an earlier implementation of the same task.
The output of the second run is discarded, since its process contained references.

The metadata of a solution cell lists the earlier exercises that the exercise builds on: `builds_on`, a list
of grade_ids, read transitively. If no cell of a notebook has `builds_on`, each exercise builds on all earlier
ones.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.execute.lesson import Lesson
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import FAILED, OK, read_ending, update_record

SECOND_CHANCE_COMMENT = (
    "Correct: the test failed only because of a mistake in another exercise, and passed on its second chance."
)


@dataclass(frozen=True)
class SecondChance:
    """A notebook to run, with the grade_ids of the tests that get a second chance."""

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
    """A run for several second chances.

    chosen: the exercises in notebook order, each with the exercises that are replaced by their references.
    """

    chosen: dict[str, set[str]]

    def takes(
        self, exercise: str, needs: set[str], begins: Mapping[str, int], ends: Mapping[str, int]
    ) -> bool:
        """Return True if an exercise's second chance in this run is equivalent to one in a separate run.

        This is so if the exercise then sees only the references that it needs. References stay in place once
        inserted. A further reference can only be inserted for an exercise that begins after all chosen ones,
        or for a chosen exercise, whose reference follows its tests. begins, ends: the indices of each failed
        exercise's first cell and last failed test.
        """
        done, last = set().union(*self.chosen.values()), max(ends[name] for name in self.chosen)
        later = all(name in self.chosen or begins[name] > last for name in needs - done)
        return done <= needs and later and begins[exercise] > last


def plan_second_chances(notebook: NotebookNode, lesson: Lesson) -> Iterator[SecondChance]:
    """Yield the second chances of an executed notebook, combined into few runs.

    An exercise gets no second chance if it is unchanged since the release, or if no exercise that it builds
    on has failed.
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
    """Return True if a solution cell is unchanged since the release."""
    return cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)


def insert_solutions(
    notebook: NotebookNode,
    solutions: dict[str, str],
    tests: dict[str, list[str]],
    failed: dict[str, tuple[str, ...]],
    run: SecondChanceRun,
) -> NotebookNode:
    """Return a copy of the notebook up to the last test of a run, without tests of other exercises.

    solutions: the reference of each failed exercise. A reference replaces the student's cell if a chosen
    exercise needs the reference. For an exercise that is itself chosen, the reference follows its last failed
    test. Student cells that did not end are left out, since they would hang again.
    """
    repeated, cells, present = deepcopy(notebook), [], {find_grade_id(cell) for cell in notebook.cells}
    right = set().union(*run.chosen.values())
    wanted = {test for exercise in run.chosen for test in failed[exercise]}
    # Include all tests of a chosen exercise, since they may share variables.
    asked = {test for exercise in run.chosen for test in tests[exercise]}
    places = {
        find_grade_id(cell): n for n, cell in enumerate(repeated.cells) if find_grade_id(cell) in wanted
    }
    last_test = {max(failed[name], key=places.__getitem__): name for name in right & run.chosen.keys()}
    # The student deleted the cells of these exercises; insert the references before their first tests.
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
