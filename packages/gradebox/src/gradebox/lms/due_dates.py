"""Due dates of assignments and students' extensions, for `gradebox due`."""

from collections.abc import Iterator
from datetime import datetime

from nbgrader.api import Assignment, Gradebook

from gradebox.autograde.due_date_extensions import list_extensions
from gradebox.course import Course
from gradebox.printable_text import format_file_name


def set_due_date(gradebook: Gradebook, assignment: str, when: datetime | None) -> None:
    """Set the due date of an assignment in naive UTC, or remove it."""
    found = gradebook.update_or_create_assignment(assignment, duedate=when)
    if when is None:
        # Without a due date, nbgrader can't compute with an extension. Ours come back with the next due date.
        for submission in found.submissions:
            submission.extension = None
        gradebook.db.commit()


def read_due_date(gradebook: Gradebook, assignment: str) -> datetime | None:
    """Return the due date of an assignment in naive UTC."""
    found: datetime | None = (
        gradebook.db.query(Assignment.duedate).filter(Assignment.name == assignment).scalar()
    )
    return found


def format_due_dates(
    course: Course, assignment: str | None = None, student: str | None = None
) -> Iterator[str]:
    """Yield a line for each assignment's due date, and for each extension.

    assignment, student: only those of one; None for all.
    """
    dates = course.dates
    with course.gradebook() as gradebook, course.connection() as connection:
        extensions = list_extensions(connection)
        for name in [assignment] if assignment else course.assignments:
            when = read_due_date(gradebook, name)
            if not student:
                yield f"{name}: due {dates.describe(when)}" if when else f"{name}: no due date"
            for of, who, until in extensions:
                if of == name and student in (None, who):
                    yield f"{name}, {format_file_name(who)}: due {dates.describe(until)}"
