"""Inputs of grading that are the same for all students: notebooks, gradebook entries and settings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from gradebox.autograde.release_history import ReleaseHistory
from gradebox.gradebook_transactions import patch_gradebook


@dataclass(frozen=True)
class GradebookCell:
    """Gradebook entry of a cell; max_score is None for a cell without points."""

    name: str
    cell_type: str
    locked: bool
    source: str | None
    checksum: str | None
    max_score: float | None = None


@dataclass(frozen=True)
class GradebookNotebook:
    """Gradebook entry of a notebook, with the attribute names that nbgrader's own steps use."""

    kernelspec: str | None
    source_cells: tuple[GradebookCell, ...]
    grade_cells: tuple[GradebookCell, ...]
    solution_cells: tuple[GradebookCell, ...]
    task_cells: tuple[GradebookCell, ...]


@dataclass(frozen=True)
class StepResources:
    """Data passed to steps in `resources["gradebox"]`, so that steps need no database or files.

    released: the released notebook. history: all its releases. outputs: the submitted code cells with their
    outputs (see `restore_outputs.py`). fingerprint: hash of the inputs of the grade (see `fingerprint.py`).
    repairs: the repairs that `notebook_json.py` made to the submitted notebook.
    """

    released: NotebookNode
    history: ReleaseHistory
    outputs: list[Any]
    fingerprint: str
    repairs: list[str]


@dataclass(frozen=True)
class AssignmentBundle:
    """Everything a worker needs to grade submissions to one assignment, on any machine.

    released, sources: the assignment's notebooks as JSON, by name. histories: their releases, by name. known:
    gradebook entries of the notebooks.
    given: the instructor's files, by relative path. before, after: import names of the steps that the worker
    runs before and after execution. settings: the configuration sections for these steps.
    """

    assignment: str
    released: Mapping[str, str]
    sources: Mapping[str, str]
    histories: Mapping[str, ReleaseHistory]
    known: Mapping[str, GradebookNotebook]
    given: Mapping[str, bytes] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_gradebook_notebooks(gradebook: Gradebook, assignment: str) -> dict[str, GradebookNotebook]:
    """Return the gradebook entries of an assignment's notebooks, by name. Raises MissingEntry."""
    found = {}
    for notebook in gradebook.find_assignment(assignment).notebooks:
        points = {cell.name: cell.max_score for cell in [*notebook.grade_cells, *notebook.task_cells]}
        cells = {
            cell.name: GradebookCell(
                cell.name, cell.cell_type, cell.locked, cell.source, cell.checksum, points.get(cell.name)
            )
            for cell in notebook.source_cells
        }
        kinds = (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
        found[notebook.name] = GradebookNotebook(
            notebook.kernelspec,
            tuple(cells.values()),
            *(tuple(cells[cell.name] for cell in kind if cell.name in cells) for kind in kinds),
        )
    return found


@contextmanager
def replace_gradebook_lookups(notebooks: Mapping[str, GradebookNotebook]) -> Iterator[None]:
    """Answer nbgrader's gradebook lookups in this process from `notebooks` instead of the database.

    The sanitizing steps look up each cell. With this patch, a worker needs no database connection, and may
    run where the gradebook can't be reached. Entries outside of `notebooks` raise MissingEntry.
    """
    cells = {
        (name, cell.name): cell for name, notebook in notebooks.items() for cell in notebook.source_cells
    }

    def find_notebook(_: Gradebook, name: str, assignment: str) -> GradebookNotebook:
        return found(notebooks.get(name), f"{assignment}/{name}")

    def find_cell(_: Gradebook, name: str, notebook: str, assignment: str) -> GradebookCell:
        return found(cells.get((notebook, name)), f"{assignment}/{notebook}/{name}")

    def found(entry: Any, name: str) -> Any:
        if entry is None:
            raise MissingEntry(f"No such entry: {name}")
        return entry

    with patch_gradebook(
        __init__=lambda self, *args, **options: None,
        close=lambda self: None,
        find_notebook=find_notebook,
        find_source_cell=find_cell,
        find_graded_cell=find_cell,
    ):
        yield
