"""Migrate a gradebook with submissions to a lesson whose cells have changed, at a release.

nbgrader refuses to release such a lesson. The migration deletes removed cells with their grades, and adds
new cells with an empty grade for each submission. All other cells keep their grades, including manual points.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, MissingEntry, Notebook, SubmittedNotebook

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


# The four kinds of cells in a gradebook: the prefix of nbgrader's names, and the test for a cell of the kind.
CELL_KINDS: dict[str, Callable[[NotebookNode], bool]] = {
    "grade": utils.is_grade,
    "solution": utils.is_solution,
    "task": utils.is_task,
    "source": is_nbgrader_cell,
}


def migrate_cells(
    gradebook: Gradebook, assignment: str, sources: Mapping[str, NotebookNode]
) -> list[RemovedGrade]:
    """Migrate an assignment's cells in the gradebook to those of `sources` (notebooks by name).

    Do nothing without submissions. Return the manual grades that were removed.
    """
    try:
        found = gradebook.find_assignment(assignment)
    except MissingEntry:
        return []
    if not found.submissions:
        return []
    removed: list[RemovedGrade] = []
    for notebook in list(found.notebooks):
        if notebook.name not in sources:
            for cell in notebook.grade_cells + notebook.task_cells + notebook.solution_cells:
                removed += iter_manual_grades(cell)
            gradebook.remove_notebook(notebook.name, assignment)
    for name, source in sources.items():
        try:
            notebook = gradebook.find_notebook(name, assignment)
        except MissingEntry:
            notebook = add_submitted_notebook(gradebook, assignment, name, source)
        removed += migrate_notebook_cells(gradebook, notebook, source)
    gradebook.db.flush()
    gradebook.db.expire_all()
    return removed


def add_submitted_notebook(
    gradebook: Gradebook, assignment: str, name: str, source: NotebookNode
) -> Notebook:
    """Add a new notebook to an assignment and to each of its submissions."""
    kernel = json.dumps(source.metadata.get("kernelspec", {}))
    notebook = gradebook.add_notebook(name, assignment, kernelspec=kernel)
    for submission in notebook.assignment.submissions:
        gradebook.db.add(SubmittedNotebook(notebook=notebook, assignment=submission))
    gradebook.db.flush()
    return notebook


def migrate_notebook_cells(
    gradebook: Gradebook, notebook: Notebook, source: NotebookNode
) -> Iterator[RemovedGrade]:
    """Remove and add cells of one notebook. Yield the manual grades that are lost."""
    for kind, belongs in CELL_KINDS.items():
        wanted = {find_grade_id(cell): cell for cell in source.cells if find_grade_id(cell) and belongs(cell)}
        known = {cell.name: cell for cell in getattr(notebook, f"{kind}_cells")}
        for name in known.keys() - wanted.keys():
            if kind != "source":
                yield from iter_manual_grades(known[name])
                for entry in (*known[name].grades, *known[name].comments):
                    gradebook.db.delete(entry)
            gradebook.db.delete(known[name])
        for name in wanted.keys() - known.keys():
            add_gradebook_cell(gradebook, notebook, kind, wanted[name])


def add_gradebook_cell(gradebook: Gradebook, notebook: Notebook, kind: str, cell: NotebookNode) -> None:
    """Add a new cell, with empty grades and comments for all submissions if the kind of cell has them."""
    about = {}
    if kind in ("grade", "task"):
        about = {"max_score": float(cell.metadata.nbgrader.points), "cell_type": cell.cell_type}
    elif kind == "source":
        about = {"cell_type": cell.cell_type}
    make = getattr(gradebook, f"add_{kind}_cell")
    new = make(find_grade_id(cell), notebook.name, notebook.assignment.name, **about)
    for submission in notebook.submissions:
        if kind in ("grade", "task"):
            gradebook.db.add(Grade(cell_id=new.id, notebook=submission))
        if kind in ("solution", "task"):
            gradebook.db.add(Comment(cell_id=new.id, notebook=submission))


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
