"""Follow-through marks: one mistake is paid for once, as a person who grades by hand would have it.

A test that failed is run once more, in a fresh kernel in which every *earlier* exercise that failed has the
reference solution in its place. If it passes then, the mistake was not this exercise's. Later ones stay the
student's: two exercises that only call each other would be right by the other's reference. What the second
run prints is thrown away, since the reference was in that process.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.answers import own_tests, reference
from gradebox.cells import name_of
from gradebox.endings import FAILED, OK, ending

COMMENT = (
    "Right in itself: the test failed only because of a mistake in another exercise (follow-through marks)."
)


@dataclass(frozen=True)
class Trial:
    """A notebook to run, in which `tests` get a second chance."""

    notebook: NotebookNode
    tests: tuple[str, ...]


def forgiven(cell: NotebookNode) -> bool:
    """Whether a test cell earned its points on the second chance."""
    return cell.metadata.get("gradebox", {}).get("follow_through", False)


def forgive(notebook: NotebookNode, trial: Trial) -> None:
    """Mark the tests that have passed in a trial."""
    passed = {name_of(cell) for cell in trial.notebook.cells if ending(cell) == OK} & set(trial.tests)
    for cell in notebook.cells:
        if name_of(cell) in passed:
            cell.metadata["gradebox"]["follow_through"] = True


def trials(notebook: NotebookNode, source: NotebookNode | None) -> Iterator[Trial]:
    """The second chances of a notebook that has been run; none if at most one exercise failed.

    One run does for most: each exercise's tests meet the student's own solution of it, and then the
    reference takes its place, before the next one that failed begins. An exercise that has tests further
    down, or that stands behind a later one, needs a run of its own.
    """
    tests = own_tests(source) if source else {}
    cells = {name_of(cell): cell for cell in notebook.cells if name_of(cell)}
    failed = {
        exercise: tuple(name for name in names if name in cells and ending(cells[name]) != OK)
        for exercise, names in tests.items()
    }
    failed = {exercise: names for exercise, names in failed.items() if names}
    if len(failed) < 2:
        return
    solutions = {exercise: text for exercise, text in reference(source).items() if exercise in failed}
    chances = {
        exercise: names
        for exercise, names in failed.items()
        if not (exercise in cells and untouched(cells[exercise]))
    }
    apart = {exercise for exercise in chances if not in_one_piece(notebook, failed, exercise)}
    together = {exercise: names for exercise, names in chances.items() if exercise not in apart}
    if together:
        wanted = tuple(name for names in together.values() for name in names)
        yield Trial(put_right(notebook, solutions, tests, together), wanted)
    for exercise in chances:
        if exercise in apart:
            before = list(tests)[: list(tests).index(exercise)]
            earlier = {name: text for name, text in solutions.items() if name in [*before, exercise]}
            own = {exercise: chances[exercise]}
            yield Trial(put_right(notebook, earlier, tests, own), chances[exercise])


def in_one_piece(notebook: NotebookNode, failed: dict[str, tuple[str, ...]], exercise: str) -> bool:
    """Whether all exercises that failed and begin before the last of this one's tests are earlier ones.

    failed: in the instructor's order. Those earlier ones must also begin before this one does.
    """
    order = list(failed)
    earlier = order[: order.index(exercise)]
    places = {name_of(cell): n for n, cell in enumerate(notebook.cells) if name_of(cell)}
    begins = {name: places.get(name, places[names[0]]) for name, names in failed.items()}
    ends = max(places[name] for name in failed[exercise])
    met = {name: begin for name, begin in begins.items() if name != exercise and begin <= ends}
    return all(name in earlier and begin < begins[exercise] for name, begin in met.items())


def untouched(cell: NotebookNode) -> bool:
    """Whether a solution cell is as it was released."""
    return cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)


def put_right(
    notebook: NotebookNode,
    solutions: dict[str, str],
    tests: dict[str, list[str]],
    chosen: dict[str, tuple[str, ...]],
) -> NotebookNode:
    """The notebook up to the last chosen test, with no other test in the way.

    solutions: the reference of every exercise that failed. It stands in its place, or, for an exercise that
    is chosen, behind the last of its tests. A cell of the student's own that did not end is left out, for
    it would not end again.
    """
    trial, cells, present = deepcopy(notebook), [], {name_of(cell) for cell in notebook.cells}
    wanted = {name for names in chosen.values() for name in names}
    places = {name_of(cell): n for n, cell in enumerate(trial.cells) if name_of(cell) in wanted}
    last_test = {max(names, key=places.__getitem__): exercise for exercise, names in chosen.items()}
    # The student deleted these exercises' cells; their first tests mark the place.
    first_test = {
        tests[exercise][0]: exercise
        for exercise in solutions
        if exercise not in present and exercise not in chosen
    }
    for cell in trial.cells[: max(places.values()) + 1]:
        name = name_of(cell)
        if name in first_test:
            cells.append(new_code_cell(solutions[first_test[name]]))
        if name in solutions and name not in chosen:
            cell.source = solutions[name]
            cells.append(cell)
        elif name in wanted or (not utils.is_grade(cell) and ending(cell) in (OK, FAILED)):
            cells.append(cell)
        if name in last_test:
            cells.append(new_code_cell(solutions[last_test[name]]))
    trial.cells = cells
    return trial
