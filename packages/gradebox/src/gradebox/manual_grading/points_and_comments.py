"""Points and comments in nbgrader's tables; readers in gradebox's; for the reading page.

Formgrader reads and writes the same columns of nbgrader's tables.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    Select,
    String,
    Table,
    case,
    delete,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.orm import aliased

from gradebox.autograde.save_scores import COMMENTED_CELL_TYPES
from gradebox.class_list import read_distinct_names
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.manual_grading.written_questions import Question

# Readers: who gave the points of an answer on the reading page.
READERS = Table(
    "gradebox_reader",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("reader", String(128), nullable=False),
)


class ConflictError(Exception):
    """Conflict: another reader or a grading run has changed the data that a reader has seen."""


@dataclass(frozen=True)
class Mark:
    """Student's answer in the gradebook.

    id: the id of the grade. cell: the id of the cell with the comment, or None. automatic: the points of the
    test. given: the points that a person gave. extra: the bonus, nbgrader's extra credit. waits: True if the
    answer needs manual grading. comment: the manual comment.
    """

    id: str
    notebook: str
    cell: str | None
    student: str
    name: str
    automatic: float | None
    given: float | None
    extra: float
    waits: bool
    comment: str

    @property
    def points(self) -> float | None:
        """The points that count, without the bonus; None if nobody gave points yet."""
        return self.automatic if self.given is None else self.given


def select_marks(*columns: Any) -> Select:
    """Return a query for the grades of submissions."""
    joined = select(*columns).select_from(Grade).join(Grade.cell).join(Grade.notebook)
    joined = joined.join(SubmittedNotebook.notebook).join(SubmittedNotebook.assignment)
    return joined.join(SubmittedAssignment.assignment)


def read_marks(
    connection: Connection, question: Question, grade: str | None = None, student: str | None = None
) -> list[Mark]:
    """Read the answers to a question from the gradebook.

    grade: only the answer with this grade id. student: only this student's answer.
    """
    commented, names = aliased(BaseCell), read_distinct_names(connection)
    known = connection.execute(
        select_marks(
            *(Grade.id, Grade.notebook_id, commented.id, SubmittedAssignment.student_id),
            *(Grade.auto_score, Grade.manual_score, func.coalesce(Grade.extra_credit, 0)),
            Grade.needs_manual_grade,
            func.coalesce(Comment.manual_comment, ""),
        )
        .outerjoin(
            commented,
            (commented.notebook_id == Notebook.id)
            & (commented.name == question.commented)
            & commented.type.in_(COMMENTED_CELL_TYPES),
        )
        .outerjoin(Comment, (Comment.cell_id == commented.id) & (Comment.notebook_id == Grade.notebook_id))
        .where(Assignment.name == question.assignment, Notebook.name == question.cell.notebook)
        .where(BaseCell.name == question.cell.grade_id, *[Grade.id == grade] if grade else [])
        .where(*[SubmittedAssignment.student_id == student] if student else [])
    )
    return [
        Mark(id_, notebook, cell, student, names[student], *given)
        for id_, notebook, cell, student, *given in known
    ]


def count_marks(
    connection: Connection, assignments: Collection[str], students: Collection[str] | None
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Count the answers, and those that need manual grading, by assignment, notebook and grade_id.

    students: count only their answers; None for all students.
    """
    rows = connection.execute(
        select_marks(
            *(Assignment.name, Notebook.name.label("notebook"), BaseCell.name.label("cell"), func.count()),
            func.sum(case((Grade.needs_manual_grade, 1), else_=0)),
        )
        .where(Assignment.name.in_(assignments))
        .where(*[] if students is None else [SubmittedAssignment.student_id.in_(students)])
        .group_by(Assignment.name, Notebook.name, BaseCell.name)
    )
    return {(assignment, notebook, cell): (count, waits) for assignment, notebook, cell, count, waits in rows}


def read_submitters(connection: Connection, assignments: Collection[str]) -> list[tuple[str, str, str]]:
    """Return each submission in the gradebook as (assignment, student id, name of the student)."""
    rows = connection.execute(
        select(Assignment.name, SubmittedAssignment.student_id)
        .select_from(SubmittedAssignment)
        .join(SubmittedAssignment.assignment)
        .where(Assignment.name.in_(assignments))
    )
    names = read_distinct_names(connection)
    return [(name, student, names[student]) for name, student in rows]


def lock_grade(connection: Connection, grade: str) -> None:
    """Lock a grade against changes by others until the end of this transaction.

    A no-op UPDATE does so: SQLite begins a write transaction with the first statement that writes, and
    PostgreSQL locks the row.
    """
    connection.execute(update(Grade).where(Grade.id == grade).values(id=Grade.id))


def save_mark(
    connection: Connection,
    mark: Mark,
    points: float | None,
    comment: str | None = None,
    extra: float | None = None,
    written: bool = True,
) -> None:
    """Save points, a comment and a bonus as Formgrader does.

    points: None takes back the points that a person gave: a written answer is ungraded then, and a test has
    its automatic points. comment, extra: None keeps the current values. written: False for a test.
    """
    if not written and points == mark.automatic:
        # The next run may then change the points.
        points = None
    waits = points is None and (written or mark.automatic is None)
    values: dict[str, Any] = {"manual_score": points, "needs_manual_grade": waits}
    values |= {} if extra is None else {"extra_credit": extra or None}
    connection.execute(update(Grade).where(Grade.id == mark.id).values(values))
    if comment is not None:
        save_comment(connection, mark, comment)


def adjust_mark(connection: Connection, mark: Mark, points: float | None, comment: str) -> None:
    """Change points and comment of an answer with its rubric. A waiting answer still waits."""
    if points != mark.points:
        connection.execute(update(Grade).where(Grade.id == mark.id).values(manual_score=points))
    if comment != mark.comment:
        save_comment(connection, mark, comment)


def save_comment(connection: Connection, mark: Mark, comment: str) -> None:
    if mark.cell is None:
        return
    mine = Comment.cell_id == mark.cell, Comment.notebook_id == mark.notebook
    text = {"manual_comment": comment or None}
    if not connection.execute(update(Comment).where(*mine).values(text)).rowcount and comment:
        row = {"id": new_uuid(), "cell_id": mark.cell, "notebook_id": mark.notebook, **text}
        connection.execute(insert(Comment), row)


def save_reader(connection: Connection, grade: str, reader: str | None) -> None:
    """Store who gave the points of an answer; None removes the entry."""
    if reader:
        upsert_row(connection, READERS, {"grade_id": grade, "reader": reader})
    elif inspect(connection).has_table(READERS.name):
        connection.execute(delete(READERS).where(READERS.c.grade_id == grade))


def read_readers(connection: Connection, grades: Iterable[str]) -> dict[str, str]:
    """Return who gave the points of these answers on the reading page, by grade id."""
    wanted = set(grades)
    return {row.grade_id: row.reader for row in select_rows(connection, READERS) if row.grade_id in wanted}
