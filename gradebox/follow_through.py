"""Follow-through marks: one mistake is paid for once, as a person who grades by hand would have it.

A test that failed is run once more, in a fresh kernel in which every *other* exercise that failed has
the reference solution in its place. If it passes then, the mistake was not this exercise's. What the
second run prints is thrown away, since the reference was in that process.
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
    """The second chances of a notebook that has been run; none if at most one exercise failed."""
    tests = own_tests(source) if source else {}
    cells = {name_of(cell): cell for cell in notebook.cells if name_of(cell)}
    failed = {
        exercise: tuple(name for name in names if name in cells and ending(cells[name]) != OK)
        for exercise, names in tests.items()
    }
    failed = {exercise: names for exercise, names in failed.items() if names}
    if len(failed) < 2:
        return
    solutions = reference(source)
    for exercise, names in failed.items():
        if exercise in cells and untouched(cells[exercise]):
            continue
        others = {other: solutions[other] for other in failed if other != exercise}
        yield Trial(put_right(notebook, others, tests, names), names)


def untouched(cell: NotebookNode) -> bool:
    """Whether a solution cell is as it was released."""
    return cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)


def put_right(
    notebook: NotebookNode, solutions: dict[str, str], tests: dict[str, list[str]], wanted: tuple[str, ...]
) -> NotebookNode:
    """The notebook up to the wanted tests, with these solutions in place and no other test in the way.

    A cell of the student's own that did not end is left out, for it would not end again.
    """
    trial, cells, present = deepcopy(notebook), [], {name_of(cell) for cell in notebook.cells}
    last = max(n for n, cell in enumerate(trial.cells) if name_of(cell) in wanted)
    first_test = {tests[exercise][0]: exercise for exercise in solutions if exercise not in present}
    for cell in trial.cells[: last + 1]:
        name = name_of(cell)
        if name in first_test:
            # The student deleted this exercise's cell; its test marks the place.
            cells.append(new_code_cell(solutions[first_test[name]]))
        if name in solutions:
            cell.source = solutions[name]
            cells.append(cell)
        elif name in wanted or (not utils.is_grade(cell) and ending(cell) in (OK, FAILED)):
            cells.append(cell)
    trial.cells = cells
    return trial
