"""Due dates of single students: until when each may hand in what.

nbgrader keeps an extension with a submission, which there is not before something is handed in, and as a
span, which moves with the due date. So the date itself is kept, in a table of our own, and nbgrader's span is
made of it whenever a submission is entered: penalties and nbgrader's own commands know it from there.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    MetaData,
    ScalarSelect,
    String,
    Table,
    delete,
    insert,
    inspect,
    select,
    update,
)

EXTENSIONS = Table(
    "gradebox_extension",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("until", DateTime, nullable=False),
)
SUBMISSION, ASSIGNMENT = SubmittedAssignment.__table__, Assignment.__table__


def extend(connection: Connection, assignment: str, student: str, until: datetime | None) -> None:
    """Let a student hand in until a date, in UTC; None: as everybody else."""
    take_away(connection, assignment, student)
    if until:
        row = {"student_id": student, "assignment": assignment, "until": until}
        connection.execute(insert(EXTENSIONS), row)
    apply(connection, assignment, student)


def take_away(connection: Connection, assignment: str, student: str) -> None:
    EXTENSIONS.create(connection, checkfirst=True)
    mine = EXTENSIONS.c.student_id == student, EXTENSIONS.c.assignment == assignment
    if connection.execute(delete(EXTENSIONS).where(*mine)).rowcount:
        own = SUBMISSION.c.student_id == student, SUBMISSION.c.assignment_id == number_of(assignment)
        connection.execute(update(SUBMISSION).where(*own).values(extension=None))


def number_of(assignment: str) -> ScalarSelect:
    return select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.name == assignment).scalar_subquery()


def all_of(connection: Connection) -> Iterator[tuple[str, str, datetime]]:
    """Every extension, as (assignment, student, until)."""
    if inspect(connection).has_table(EXTENSIONS.name):
        sorted_by = EXTENSIONS.c.assignment, EXTENSIONS.c.student_id
        rows = connection.execute(select(EXTENSIONS).order_by(*sorted_by))
        yield from ((row.assignment, row.student_id, row.until) for row in rows)


def until(connection: Connection, assignment: str, student: str) -> datetime | None:
    """The date of a student's own, if they have one. Makes no table: somebody else may be writing."""
    if not inspect(connection).has_table(EXTENSIONS.name):
        return None
    mine = EXTENSIONS.c.student_id == student, EXTENSIONS.c.assignment == assignment
    return connection.execute(select(EXTENSIONS.c.until).where(*mine)).scalar()


def apply(connection: Connection, assignment: str, student: str) -> timedelta | None:
    """Give a submission the span that its student's date comes to now. Returns the span that it has.

    One that was granted with nbgrader alone stays.
    """
    row = connection.execute(
        select(SUBMISSION.c.id, SUBMISSION.c.extension, ASSIGNMENT.c.duedate)
        .select_from(SUBMISSION.join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment_id))
        .where(ASSIGNMENT.c.name == assignment, SUBMISSION.c.student_id == student)
    ).first()
    date = until(connection, assignment, student) if row and row.duedate else None
    if not row or not date:
        return row.extension if row else None
    # An earlier date than everybody's is no extension.
    span = max(date - row.duedate, timedelta())
    if span != (row.extension or timedelta()):
        connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == row.id).values(extension=span))
    return span
