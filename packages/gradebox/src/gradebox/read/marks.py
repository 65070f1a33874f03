"""What readers give: points and comments in nbgrader's own tables, and who is reading what in ours.

Formgrader writes the same columns, and shows the same.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    MetaData,
    Select,
    String,
    Table,
    Text,
    and_,
    delete,
    insert,
    inspect,
    select,
    update,
)

from gradebox.gradebook import rows
from gradebox.read.questions import Question
from gradebox.words import full_name

# Who has an answer open, so that nobody else reads it at the same time.
TAKEN = Table(
    "gradebox_taken",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("reader", String(128), nullable=False),
    Column("since", DateTime, nullable=False),
)
# Comments that are used again, for each question.
PHRASES = Table(
    "gradebox_phrase",
    MetaData(),
    Column("id", String(32), primary_key=True),
    Column("assignment", String(128), nullable=False),
    Column("cell", String(255), nullable=False),
    Column("text", Text, nullable=False),
)
# How long an answer is somebody's that has not been heard of since.
LEASE = timedelta(minutes=10)
GRADE, CELL, COMMENT, STUDENT = Grade.__table__, BaseCell.__table__, Comment.__table__, Student.__table__
SUBMITTED, SUBMISSION = SubmittedNotebook.__table__, SubmittedAssignment.__table__
NOTEBOOK, ASSIGNMENT = Notebook.__table__, Assignment.__table__


class Conflict(Exception):
    """Somebody, or a new run, has changed what a reader has seen."""


@dataclass(frozen=True)
class Mark:
    """A student's answer in the gradebook.

    id: of the grade. points: None where nobody has given any. extra: what Formgrader gives on top. waits:
    whether it is to be read. comment: a person's.
    """

    id: str
    notebook: str
    cell: str
    student: str
    name: str
    points: float | None
    extra: float
    waits: bool
    comment: str

    @property
    def version(self) -> str:
        """Another as soon as anything of it is another."""
        about = f"{self.points}\0{self.waits}\0{self.comment}"
        return hashlib.sha256(about.encode()).hexdigest()[:16]


def marks(connection: Connection, question: Question, grade: str | None = None) -> list[Mark]:
    """The answers to a question that are in the gradebook. grade: only the one with this id."""
    said = and_(COMMENT.c.cell_id == GRADE.c.cell_id, COMMENT.c.notebook_id == GRADE.c.notebook_id)
    known = connection.execute(
        of_question(
            question,
            select(
                *(GRADE.c.id, GRADE.c.notebook_id, GRADE.c.cell_id, GRADE.c.manual_score),
                *(GRADE.c.needs_manual_grade, GRADE.c.auto_score, GRADE.c.extra_credit),
                *(SUBMISSION.c.student_id, STUDENT.c.first_name, STUDENT.c.last_name),
                COMMENT.c.manual_comment,
            ).select_from(joined().outerjoin(COMMENT, said)),
        ).where(*[GRADE.c.id == grade] if grade else [])
    )
    found = []
    for row in known:
        name = full_name(row.first_name, row.last_name) or row.student_id
        points = row.manual_score if row.manual_score is not None else row.auto_score
        about = row.id, row.notebook_id, row.cell_id, row.student_id, name, points, row.extra_credit or 0
        found.append(Mark(*about, bool(row.needs_manual_grade), row.manual_comment or ""))
    return found


def joined():  # type: ignore[no-untyped-def]
    return (
        GRADE.join(CELL, CELL.c.id == GRADE.c.cell_id)
        .join(SUBMITTED, SUBMITTED.c.id == GRADE.c.notebook_id)
        .join(SUBMISSION, SUBMISSION.c.id == SUBMITTED.c.assignment_id)
        .join(STUDENT, STUDENT.c.id == SUBMISSION.c.student_id)
        .join(NOTEBOOK, NOTEBOOK.c.id == SUBMITTED.c.notebook_id)
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment_id)
    )


def of_question(question: Question, statement: Select) -> Select:
    return statement.where(
        ASSIGNMENT.c.name == question.assignment,
        NOTEBOOK.c.name == question.cell.notebook,
        CELL.c.name == question.cell.grade_id,
    )


def lock(connection: Connection, grade: str) -> None:
    """Let nobody else change a grade until this transaction ends, so that what is read of it stays true.

    SQLite begins a transaction with the first statement that writes; PostgreSQL locks the row.
    """
    connection.execute(update(GRADE).where(GRADE.c.id == grade).values(id=GRADE.c.id))


def give(connection: Connection, mark: Mark, points: float | None, comment: str | None) -> None:
    """Give an answer points, or none as yet, and a comment, as Formgrader does. comment: None leaves it."""
    values = {"manual_score": points, "needs_manual_grade": points is None}
    connection.execute(update(GRADE).where(GRADE.c.id == mark.id).values(values))
    if comment is None:
        return
    mine = COMMENT.c.cell_id == mark.cell, COMMENT.c.notebook_id == mark.notebook
    text = {"manual_comment": comment or None}
    if not connection.execute(update(COMMENT).where(*mine).values(text)).rowcount and comment:
        row = {"id": new_uuid(), "cell_id": mark.cell, "notebook_id": mark.notebook, **text}
        connection.execute(insert(COMMENT), row)


def now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def take(connection: Connection, grade: str, reader: str) -> str:
    """Take an answer to read, and leave all others of this reader. Returns whose it is now."""
    TAKEN.create(connection, checkfirst=True)
    holder = taken(connection, [grade]).get(grade)
    if holder and holder != reader:
        return holder
    leave(connection, reader)
    connection.execute(delete(TAKEN).where(TAKEN.c.grade_id == grade))
    connection.execute(insert(TAKEN), {"grade_id": grade, "reader": reader, "since": now()})
    return reader


def leave(connection: Connection, reader: str) -> None:
    if inspect(connection).has_table(TAKEN.name):
        connection.execute(delete(TAKEN).where(TAKEN.c.reader == reader))


def taken(connection: Connection, grades: Iterable[str]) -> dict[str, str]:
    """Who reads which of these grades now."""
    wanted = set(grades)
    held = rows(connection, TAKEN, TAKEN.c.since > now() - LEASE)
    return {row.grade_id: row.reader for row in held if row.grade_id in wanted}


def phrases(connection: Connection, question: Question) -> list[dict[str, str]]:
    """The comments of a question that are used again, in the order in which they came."""
    mine = PHRASES.c.assignment == question.assignment, PHRASES.c.cell == question.cell.grade_id
    return [{"id": row.id, "text": row.text} for row in rows(connection, PHRASES, *mine)]


def keep_phrase(connection: Connection, question: Question, text: str) -> None:
    PHRASES.create(connection, checkfirst=True)
    if text not in (one["text"] for one in phrases(connection, question)):
        row = {"id": new_uuid(), "assignment": question.assignment, "cell": question.cell.grade_id}
        connection.execute(insert(PHRASES), {**row, "text": text})


def drop_phrase(connection: Connection, question: Question, phrase: str) -> None:
    if phrase in (one["id"] for one in phrases(connection, question)):
        connection.execute(delete(PHRASES).where(PHRASES.c.id == phrase))
