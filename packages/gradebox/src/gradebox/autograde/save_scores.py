"""Write the scores of a submission into nbgrader's gradebook, with one statement per table.

nbgrader looks up and commits each cell separately. The tables are nbgrader's own, and contain afterwards what
nbgrader's steps would have written: Formgrader and `nbgrader export` read these tables.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
    new_uuid,
)
from nbgrader.preprocessors import SaveAutoGrades as StockSaveAutoGrades
from sqlalchemy import Connection, Table, and_, bindparam, insert, select, update

from gradebox.autograde.adjustments import apply_adjustments
from gradebox.autograde.due_date_extensions import apply_extension
from gradebox.autograde.graded_text_hashes import read_text_hashes, store_text_hashes
from gradebox.autograde.score import NotebookScores, score_notebook

# Cell types that have a grade, and cell types that have a comment.
TASK, GRADE_CELL, SOLUTION = (
    kind.__mapper_args__["polymorphic_identity"] for kind in (TaskCell, GradeCell, SolutionCell)
)
GRADED_CELL_TYPES, COMMENTED_CELL_TYPES = {GRADE_CELL, TASK}, {SOLUTION, TASK}
ASSIGNMENT, NOTEBOOK, CELL, STUDENT, SUBMISSION, SUBMITTED, GRADE, COMMENT = (
    *(Assignment.__table__, Notebook.__table__, BaseCell.__table__, Student.__table__),
    *(SubmittedAssignment.__table__, SubmittedNotebook.__table__, Grade.__table__, Comment.__table__),
)
PENALTY = SUBMITTED.c.late_submission_penalty


@dataclass(frozen=True)
class SubmissionEntry:
    """Gradebook entry of a submission.

    notebooks: ids of the submitted notebooks, by name. cells: the cells of each notebook, as (name, id,
    kind). late: True if the submission is late or had a late penalty until now.
    """

    notebooks: Mapping[str, str]
    cells: Mapping[str, list[tuple[str, str, str]]]
    late: bool


def get_or_create_entry(
    connection: Connection, assignment: str, student: str, timestamp: datetime | None
) -> SubmissionEntry:
    """Return the gradebook entry of a submission, creating it if necessary.

    timestamp: the submission time in UTC, or None if unknown. Raises MissingEntry if the assignment is
    not in the gradebook.
    """
    number, due, notebooks, cells = read_assignment_rows(connection, assignment)
    if not connection.execute(select(STUDENT.c.id).where(STUDENT.c.id == student)).first():
        connection.execute(insert(STUDENT), {"id": student})
    # Filter by notebook, too: nbgrader's only index starts with the notebook; else the whole class is read.
    its_own = SUBMITTED.c.assignment_id == SUBMISSION.c.id, SUBMITTED.c.notebook_id.in_(notebooks.values())
    rows = connection.execute(
        select(SUBMISSION, SUBMITTED.c.id.label("own"), SUBMITTED.c.notebook_id, PENALTY)
        .select_from(SUBMISSION.outerjoin(SUBMITTED, and_(*its_own)))
        .where(SUBMISSION.c.assignment_id == number, SUBMISSION.c.student_id == student)
    ).all()
    own = rows[0].id if rows else new_uuid()
    if not rows:
        row = {"id": own, "assignment_id": number, "student_id": student, "timestamp": timestamp}
        connection.execute(insert(SUBMISSION), row)
    elif timestamp and timestamp != rows[0].timestamp:
        connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == own).values(timestamp=timestamp))
    known = {row.notebook_id: row.own for row in rows if row.own}
    new = {notebook: new_uuid() for notebook in notebooks.values() if notebook not in known}
    if new:
        about = [{"id": made, "assignment_id": own, "notebook_id": of} for of, made in new.items()]
        connection.execute(insert(SUBMITTED), about)
    received = timestamp or (rows[0].timestamp if rows else None)
    extension = apply_extension(connection, assignment, student) or timedelta()
    late = bool(due and received and received > due + extension)
    late = late or any(row.late_submission_penalty for row in rows)
    return SubmissionEntry({name: (known | new)[of] for name, of in notebooks.items()}, cells, late)


def read_assignment_rows(connection: Connection, assignment: str) -> tuple[str, datetime | None, dict, dict]:
    """Return an assignment's id, due date, notebook ids by name, and cells by notebook."""
    tables = ASSIGNMENT.outerjoin(NOTEBOOK, NOTEBOOK.c.assignment_id == ASSIGNMENT.c.id)
    rows = connection.execute(
        select(
            *(ASSIGNMENT.c.id, ASSIGNMENT.c.duedate, NOTEBOOK.c.id.label("own")),
            *(NOTEBOOK.c.name, CELL.c.name.label("cell"), CELL.c.id.label("cell_id"), CELL.c.type),
        )
        .select_from(tables.outerjoin(CELL, CELL.c.notebook_id == NOTEBOOK.c.id))
        .where(ASSIGNMENT.c.name == assignment)
    ).all()
    if not rows:
        raise MissingEntry(f"No such assignment: {assignment}")
    cells: dict[str, list] = {row.name: [] for row in rows if row.own}
    for row in rows:
        if row.cell_id:
            cells[row.name].append((row.cell, row.cell_id, row.type))
    return rows[0].id, rows[0].duedate, {row.name: row.own for row in rows if row.own}, cells


def save_scores(
    gradebook: Gradebook,
    assignment: str,
    student: str,
    found: Mapping[str, NotebookScores],
    timestamp: datetime | None = None,
    submitted: Collection[str] | None = None,
    earlier: Callable[[str], Mapping[str, str]] = lambda notebook: {},
) -> SubmissionEntry:
    """Write the scores of a submission's notebooks. Manual points, comments and adjustments are kept.

    found: scores, by notebook name. submitted: names of the submitted notebooks; if given, all other
    notebooks get 0 points. earlier: returns the answer hashes of a notebook's previous grades, for grades
    without stored hashes (see `graded_text_hashes.py`). Raises MissingEntry if the gradebook lacks the
    assignment or a cell.
    """
    connection = gradebook.db.connection()
    apply_adjustments(connection, assignment, student, revert=True)
    entry = get_or_create_entry(connection, assignment, student, timestamp)
    grades, comments = RowChanges(connection, GRADE, entry), RowChanges(connection, COMMENT, entry)
    names = {row["id"]: cell for (_, cell), row in grades.known.items()}
    kept, texts = read_text_hashes(connection, names), {}
    for notebook, own in entry.notebooks.items():
        scores = found.get(notebook)
        mine = {cell: row for (of, cell), row in grades.known.items() if of == own and cell}
        before: Mapping[str, str] = {cell: kept[row["id"]] for cell, row in mine.items() if row["id"] in kept}
        read = any(row["manual_score"] is not None for row in mine.values())
        if read and scores and not before:
            before = earlier(notebook)
        for name, cell, kind in entry.cells[notebook]:
            if kind in GRADED_CELL_TYPES:
                row = grades.row(own, cell, name)
                if submitted is not None and notebook not in submitted:
                    grades.set(row, auto_score=0, needs_manual_grade=False)
                elif scores:
                    grades.set(row, **compute_grade(row, name, kind, scores, before))
                    if name in scores.texts:
                        texts[row["id"]] = scores.texts[name]
            if kind in COMMENTED_CELL_TYPES:
                row = comments.row(own, cell, name)
                if scores and name in scores.comments:
                    comments.set(row, auto_comment=scores.comments[name])
        known = {name for name, *_ in entry.cells[notebook]}
        for name in [*scores.points, *scores.comments] if scores else []:
            if name not in known:
                raise MissingEntry(f"No such cell: {assignment}/{notebook}/{name}")
    grades.write()
    comments.write()
    store_text_hashes(connection, texts)
    apply_adjustments(connection, assignment, student)
    gradebook.db.expire_all()
    return entry


def compute_grade(
    row: Mapping[str, Any], name: str, kind: str, scores: NotebookScores, before: Mapping[str, str]
) -> dict[str, Any]:
    """Return the new values of a grade.

    A person must grade cells that no rule scores, and answers that have changed since the manual grade.
    """
    # The stored score of a task is 0 if the notebook was not submitted until now.
    points = None if kind == TASK else scores.points.get(name, row["auto_score"])
    if row["manual_score"] is None:
        waits = points is None if kind == TASK or name in scores.points else row["needs_manual_grade"]
        return {"auto_score": points, "needs_manual_grade": waits}
    # Manual points count only for the text that the person has seen.
    read = not row["needs_manual_grade"] and scores.texts.get(name) == before.get(name)
    return {"auto_score": points, "needs_manual_grade": not (read and points == row["auto_score"])}


class RowChanges:
    """Rows of a submission in one table, with pending inserts and updates.

    known: the rows, by notebook id and cell name.
    """

    def __init__(self, connection: Connection, table: Table, entry: SubmissionEntry):
        self.connection, self.table = connection, table
        names = {cell: name for cells in entry.cells.values() for name, cell, _ in cells}
        # Filter by cell, too: nbgrader's only index starts with the cell; else the whole class is read.
        mine = table.c.notebook_id.in_(entry.notebooks.values()), table.c.cell_id.in_(names)
        rows = connection.execute(select(table).where(*mine))
        self.known = {(row["notebook_id"], names.get(row["cell_id"])): dict(row) for row in rows.mappings()}
        self.new: list[dict[str, Any]] = []
        self.changed: list[dict[str, Any]] = []

    def row(self, notebook: str, cell: str, name: str) -> dict[str, Any]:
        """Return the row of a cell, creating the row if necessary."""
        if (notebook, name) not in self.known:
            row: dict[str, Any] = {column.name: None for column in self.table.c}
            row |= {"id": new_uuid(), "notebook_id": notebook, "cell_id": cell}
            if "needs_manual_grade" in row:
                row["needs_manual_grade"] = True
            self.known[notebook, name] = row
            self.new.append(row)
        return self.known[notebook, name]

    def set(self, row: dict[str, Any], **values: Any) -> None:
        if any(row[name] != value for name, value in values.items()):
            row |= values
            if row not in self.new:
                self.changed.append({"own": row["id"], **values})

    def write(self) -> None:
        if self.new:
            self.connection.execute(insert(self.table), self.new)
        if self.changed:
            values: dict[str, Any] = {name: bindparam(name) for name in self.changed[0] if name != "own"}
            statement = update(self.table).where(self.table.c.id == bindparam("own")).values(values)
            self.connection.execute(statement, self.changed)


class SaveAutoGrades(StockSaveAutoGrades):
    """nbgrader's SaveAutoGrades with gradebox's scores, and a comment for each second chance used."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            found = {names["notebook"]: score_notebook(nb)}
            save_scores(gradebook, names["assignment"], names["student"], found)
            gradebook.db.commit()
        return nb, resources
