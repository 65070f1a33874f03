"""Due dates, and extensions for individual students, which are stored as dates in a separate table.

nbgrader stores an extension with the submission, which may not exist yet, and stores the extension as
a time span, which moves with the due date. So gradebox stores the date, and derives nbgrader's span from the
date whenever a submission is entered. Late penalties and nbgrader's own commands use that span.
"""

from datetime import datetime, timedelta

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, delete, insert, select, update

from gradebox.gradebook_transactions import select_rows

EXTENSIONS = Table(
    "gradebox_extension",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("until", DateTime, nullable=False),
)
SUBMISSION, ASSIGNMENT = SubmittedAssignment.__table__, Assignment.__table__


def read_due_date(gradebook: Gradebook, assignment: str) -> datetime | None:
    """Return the due date of an assignment in naive UTC."""
    found: datetime | None = (
        gradebook.db.query(Assignment.duedate).filter(Assignment.name == assignment).scalar()
    )
    return found


def set_extension(connection: Connection, assignment: str, student: str, until: datetime | None) -> None:
    """Set a student's own due date for an assignment, in UTC; None restores the common due date."""
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
    """Update a submission's extension from the student's own due date. Return the extension in effect.

    An extension that was granted with nbgrader alone is kept. Returns None without a submission or extension.
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
    # A date before the common due date is not an extension.
    span = max(own[0].until - row.duedate, timedelta())
    if span != (row.extension or timedelta()):
        connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == row.id).values(extension=span))
    return span
