"""Save the cells of a released lesson to the gradebook, instead of nbgrader's step SaveCells.

nbgrader refuses if cells were added or removed and there are submissions. Here, removed cells are deleted
with their grades, and new cells get an empty grade for each submission. All other cells keep their grades,
including manual points. nbgrader runs several statements per cell, and `save_cells` a few per notebook.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedNotebook,
    TaskCell,
)

from gradebox.notebook_exercises import find_grade_id, is_nbgrader_cell


@dataclass(frozen=True)
class RemovedGrade:
    """Manual points or comment for a removed cell."""

    assignment: str
    notebook: str
    cell: str
    student: str
    points: float | None
    comment: str | None


# The four kinds of cells in a gradebook, and the test for a cell of the kind.
CELL_KINDS: dict[Any, Callable[[NotebookNode], bool]] = {
    GradeCell: utils.is_grade,
    SolutionCell: utils.is_solution,
    TaskCell: utils.is_task,
    SourceCell: is_nbgrader_cell,
}


def save_cells(
    gradebook: Gradebook, assignment: str, notebooks: Mapping[str, NotebookNode]
) -> list[RemovedGrade]:
    """Make an assignment's cells in the gradebook those of `notebooks` (by name).

    notebooks: instructor's notebooks without solutions, with nbgrader's checksums. Return the manual grades
    of removed cells.
    """
    found = gradebook.update_or_create_assignment(assignment)
    removed: list[RemovedGrade] = []
    for notebook in list(found.notebooks):
        if notebook.name not in notebooks:
            for cell in notebook.grade_cells + notebook.task_cells + notebook.solution_cells:
                removed += iter_manual_grades(cell)
            gradebook.remove_notebook(notebook.name, assignment)
    for name, source in notebooks.items():
        kernelspec = json.dumps(source.metadata.get("kernelspec", {}))
        try:
            notebook = gradebook.find_notebook(name, assignment)
            notebook.kernelspec = kernelspec
        except MissingEntry:
            notebook = add_notebook(gradebook, assignment, name, kernelspec)
        removed += save_notebook_cells(gradebook, notebook, source)
    gradebook.db.flush()
    gradebook.db.expire_all()
    return removed


def add_notebook(gradebook: Gradebook, assignment: str, name: str, kernelspec: str) -> Notebook:
    """Add a new notebook to an assignment and to each of its submissions."""
    notebook = gradebook.add_notebook(name, assignment, kernelspec=kernelspec)
    for submission in notebook.assignment.submissions:
        gradebook.db.add(SubmittedNotebook(notebook=notebook, assignment=submission))
    gradebook.db.flush()
    return notebook


def save_notebook_cells(
    gradebook: Gradebook, notebook: Notebook, source: NotebookNode
) -> Iterator[RemovedGrade]:
    """Remove, update and add the cells of one notebook. Yield the manual grades that are lost."""
    for kind, belongs in CELL_KINDS.items():
        wanted = {find_grade_id(cell): cell for cell in source.cells if find_grade_id(cell) and belongs(cell)}
        of_notebook = gradebook.db.query(kind).filter(kind.notebook_id == notebook.id)
        known = {cell.name: cell for cell in of_notebook}
        for name in known.keys() - wanted.keys():
            if kind is not SourceCell:
                yield from iter_manual_grades(known[name])
                for entry in (*known[name].grades, *known[name].comments):
                    gradebook.db.delete(entry)
            gradebook.db.delete(known[name])
        for name, cell in wanted.items():
            columns = read_columns(kind, cell)
            if name not in known:
                add_gradebook_cell(gradebook, kind(name=name, notebook=notebook, **columns))
            for column, value in columns.items() if name in known else ():
                setattr(known[name], column, value)


def read_columns(kind: Any, cell: NotebookNode) -> dict[str, Any]:
    """Return the values that the gradebook stores for a cell of this kind, by column."""
    if kind is SolutionCell:
        return {}
    if kind is SourceCell:
        checksum = cell.metadata.nbgrader.get("checksum")
        text = {"source": cell.source, "checksum": checksum, "locked": utils.is_locked(cell)}
        return {"cell_type": cell.cell_type} | text
    return {"cell_type": cell.cell_type, "max_score": float(cell.metadata.nbgrader.points)}


def add_gradebook_cell(gradebook: Gradebook, cell: Any) -> None:
    """Add a new cell, with empty grades and comments for all submissions if the kind of cell has them."""
    gradebook.db.add(cell)
    for submission in cell.notebook.submissions:
        if isinstance(cell, GradeCell | TaskCell):
            gradebook.db.add(Grade(cell=cell, notebook=submission))
        if isinstance(cell, SolutionCell | TaskCell):
            gradebook.db.add(Comment(cell=cell, notebook=submission))


def iter_manual_grades(cell: BaseCell) -> Iterator[RemovedGrade]:
    """Yield the manual points and comments of a cell."""
    where = cell.notebook.assignment.name, cell.notebook.name, cell.name
    for grade in cell.grades:
        if grade.manual_score is not None or grade.extra_credit:
            points = (grade.manual_score or 0) + (grade.extra_credit or 0)
            yield RemovedGrade(*where, grade.notebook.student.id, points, None)
    for comment in cell.comments:
        if comment.manual_comment:
            yield RemovedGrade(*where, comment.notebook.student.id, None, comment.manual_comment)
