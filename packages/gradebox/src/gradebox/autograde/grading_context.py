"""What grading a submission needs besides what was handed in: the same for all students."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from gradebox.gradebook import patch_gradebook


@dataclass(frozen=True)
class GradebookCell:
    """A cell as the gradebook has it; max_score is None where it earns no points."""

    name: str
    cell_type: str
    locked: bool
    source: str | None
    checksum: str | None
    max_score: float | None = None


@dataclass(frozen=True)
class GradebookNotebook:
    """A notebook as the gradebook has it, with the names that nbgrader's own steps use."""

    kernelspec: str | None
    source_cells: tuple[GradebookCell, ...]
    grade_cells: tuple[GradebookCell, ...]
    solution_cells: tuple[GradebookCell, ...]
    task_cells: tuple[GradebookCell, ...]


@dataclass(frozen=True)
class StepResources:
    """What steps need not look up, in `resources["gradebox"]`.

    released: the notebook as it was released. outputs: what each code cell that was handed in had put out
    (see `restore_outputs.py`). fingerprint: what the grade depends on (see `fingerprint.py`).
    """

    released: NotebookNode
    outputs: list[Any]
    fingerprint: str


@dataclass(frozen=True)
class AssignmentBundle:
    """What an assignment's submissions are graded with, wherever that is.

    released, sources: its notebooks as JSON, by name; known: as the gradebook has them. given: the
    instructor's files, by relative path. before, after: the steps ahead of the run and behind it that are
    done where it is run, as import names. settings: the sections of the configuration that are for them.
    """

    assignment: str
    released: Mapping[str, str]
    sources: Mapping[str, str]
    known: Mapping[str, GradebookNotebook]
    given: Mapping[str, bytes] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_gradebook_notebooks(gradebook: Gradebook, assignment: str) -> dict[str, GradebookNotebook]:
    """The notebooks of an assignment, by name. Raises MissingEntry."""
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
    """Every gradebook that nbgrader opens in this process meanwhile knows these notebooks, and nothing else.

    Sanitising asks for each cell. No connection is needed for that, nor one to where the gradebook is.
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
