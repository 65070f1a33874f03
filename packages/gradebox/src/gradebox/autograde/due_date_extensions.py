"""Due dates of single students: until when each may hand in what.

nbgrader keeps an extension with a submission, which there is not before something is handed in, and as a
span, which moves with the due date. So the date itself is kept, in a table of our own, and nbgrader's span is
made of it whenever a submission is entered: penalties and nbgrader's own commands know it from there.
"""

from datetime import datetime, timedelta

from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, delete, insert, select, update

from gradebox.gradebook import select_rows

EXTENSIONS = Table(
    "gradebox_extension",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("until", DateTime, nullable=False),
)
SUBMISSION, ASSIGNMENT = SubmittedAssignment.__table__, Assignment.__table__


def set_extension(connection: Connection, assignment: str, student: str, until: datetime | None) -> None:
    """Let a student hand in until a date, in UTC; None: as everybody else."""
    EXTENSIONS.create(connection, checkfirst=True)
    mine = EXTENSIONS.c.student_id == student, EXTENSIONS.c.assignment == assignment
    if connection.execute(delete(EXTENSIONS).where(*mine)).rowcount:
        number = select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.name == assignment).scalar_subquery()
        own = SUBMISSION.c.student_id == student, SUBMISSION.c.assignment_id == number
        connection.execute(update(SUBMISSION).where(*own).values(extension=None))
    if until:
        row = {"student_id": student, "assignment": assignment, "until": until}
        connection.execute(insert(EXTENSIONS), row)
    apply_extension(connection, assignment, student)


def list_extensions(connection: Connection) -> list[tuple[str, str, datetime]]:
    """Return every extension, as (assignment, student, until)."""
    return sorted((row.assignment, row.student_id, row.until) for row in select_rows(connection, EXTENSIONS))


def apply_extension(connection: Connection, assignment: str, student: str) -> timedelta | None:
    """Give a submission the span that its student's date comes to now. Returns the span that it has.

    One that was granted with nbgrader alone stays.
    """
    row = connection.execute(
        select(SUBMISSION.c.id, SUBMISSION.c.extension, ASSIGNMENT.c.duedate)
        .select_from(SUBMISSION.join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment_id))
        .where(ASSIGNMENT.c.name == assignment, SUBMISSION.c.student_id == student)
    ).first()
    mine = EXTENSIONS.c.student_id == student, EXTENSIONS.c.assignment == assignment
    own = select_rows(connection, EXTENSIONS, *mine) if row and row.duedate else []
    if not row or not own:
        return row.extension if row else None
    # An earlier date than everybody's is no extension.
    span = max(own[0].until - row.duedate, timedelta())
    if span != (row.extension or timedelta()):
        connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == row.id).values(extension=span))
    return span
