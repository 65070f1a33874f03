"""Due dates in the gradebook, where nbgrader and late penalties find them, and those of `c.Dates.due`."""

from collections.abc import Collection, Mapping
from datetime import datetime

from nbgrader.api import Assignment, Gradebook
from sqlalchemy import Column, DateTime, MetaData, String, Table, delete

from gradebox.gradebook_transactions import select_rows, upsert_row

# The dates that were stored because of the setting, in naive UTC.
DUE_DATE_SETTINGS = Table(
    "gradebox_due_date_setting",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("due", DateTime, nullable=False),
)


def set_due_date(gradebook: Gradebook, assignment: str, when: datetime | None) -> None:
    """Set the due date of an assignment in naive UTC, or remove it."""
    found = gradebook.update_or_create_assignment(assignment, duedate=when)
    if when is None:
        # Without a due date, nbgrader can't compute with an extension. Ours come back with the next due date.
        for submission in found.submissions:
            submission.extension = None
        gradebook.db.commit()


def store_due_date_settings(
    gradebook: Gradebook, due: Mapping[str, datetime], assignments: Collection[str]
) -> None:
    """Store the dates of the setting, and remove those that the setting no longer has.

    due: in naive UTC, by assignment. assignments: those of the course, because a folder that was made for one
    assignment has no others. A date that was changed since with a command or in Formgrader is not removed.
    """
    connection = gradebook.db.connection()
    stored = dict(gradebook.db.query(Assignment.name, Assignment.duedate).all())
    before = {row.assignment: row.due for row in select_rows(connection, DUE_DATE_SETTINGS)}
    for name in (due.keys() | before.keys()) & set(assignments):
        if name in due and stored.get(name) != due[name]:
            set_due_date(gradebook, name, due[name])
        if name in due and before.get(name) != due[name]:
            upsert_row(connection, DUE_DATE_SETTINGS, {"assignment": name, "due": due[name]})
        if name not in due:
            if stored.get(name) == before[name]:
                set_due_date(gradebook, name, None)
            connection.execute(delete(DUE_DATE_SETTINGS).where(DUE_DATE_SETTINGS.c.assignment == name))
