"""Due dates of assignments, students' extensions, and times of submissions, for `gradebox due`."""

from collections.abc import Iterator
from datetime import datetime

from gradebox.autograde.discover_submissions import is_linked
from gradebox.autograde.due_date_extensions import list_extensions, read_due_date
from gradebox.course import Course, CourseError
from gradebox.lms.collect_results import REPLACED
from gradebox.lms.write_submissions import write_submission_timestamp
from gradebox.printable_text import format_file_name


def set_time_of_submission(course: Course, assignment: str, student: str, when: datetime | None) -> None:
    """Set when a submission was received, in naive UTC, or remove the time. Raises CourseError."""
    folder = course.path("submitted", assignment, student)
    if is_linked(folder) or not folder.is_dir():
        where = f"{course.directory().submitted_directory}/{student}/{assignment}"
        raise CourseError(f"{where} does not exist: the student has submitted nothing")
    write_submission_timestamp(folder, when, REPLACED)


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
