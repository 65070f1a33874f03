"""Lessons that a student need not do, such as during an illness. Final grades leave them out."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, Text, delete, inspect

from gradebox.dates import Dates
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.printable_text import printable

EXCUSES = Table(
    "gradebox_excuse",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("since", DateTime, nullable=False),
)


@dataclass(frozen=True)
class Excuse:
    """A student's excuse for an assignment. since: the date in naive UTC."""

    student: str
    assignment: str
    reason: str
    since: datetime


def read_excuses(connection: Connection, assignment: str | None = None) -> list[Excuse]:
    """Return the excuses for an assignment, or for all, sorted by assignment and student."""
    where = [EXCUSES.c.assignment == assignment] if assignment else []
    rows = select_rows(connection, EXCUSES, *where)
    found = [Excuse(row.student_id, row.assignment, row.reason, row.since) for row in rows]
    return sorted(found, key=lambda one: (one.assignment, one.student))


def save_excuse(connection: Connection, student: str, assignment: str, reason: str) -> None:
    """Excuse a student from an assignment."""
    row = {"student_id": student, "assignment": assignment, "reason": reason}
    upsert_row(connection, EXCUSES, {**row, "since": datetime.now(UTC).replace(tzinfo=None)})


def remove_excuse(connection: Connection, student: str, assignment: str) -> bool:
    """Remove a student's excuse. Return False if there is none."""
    if not inspect(connection).has_table(EXCUSES.name):
        return False
    own = EXCUSES.c.student_id == student, EXCUSES.c.assignment == assignment
    return bool(connection.execute(delete(EXCUSES).where(*own)).rowcount)


def format_excuse(one: Excuse, dates: Dates) -> str:
    """Return an excuse as a line for the instructor."""
    when = f"{dates.localize(one.since):%d %b %Y}"
    return printable(f"{one.assignment}, {one.student}: excused: {one.reason} ({when})")
