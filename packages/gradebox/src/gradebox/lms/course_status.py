"""The state of each lesson, and what waits for the instructor. Used by `status`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from gradebox.autograde.discover_submissions import has_files
from gradebox.autograde.due_date_extensions import read_due_date
from gradebox.autograde.late_policy import LatePolicy
from gradebox.course import Course, CourseError
from gradebox.lms.exported_grades import find_changed_exports
from gradebox.printable_text import format_count, format_file_name, shorten_list
from gradebox.reports.dependent_points import update_late_penalties
from gradebox.reports.student_standings import CHANGED, GRADED, UNGRADED, UNREAD, find_standings
from gradebox.reports.terminal_table import TerminalTable


@dataclass(frozen=True)
class LessonStatus:
    """The state of a lesson.

    collected: how many students have files. counts: how many are in each state of `Standing`. unusable: the
    reasons why submissions can't be graded, by student. changed: how many final grades differ from the
    exported ones. problem: why the lesson can't be read, or "".
    """

    assignment: str
    collected: int
    counts: Counter[str]
    unusable: dict[str, str]
    changed: int
    problem: str


def find_lesson_status(course: Course, assignment: str, updates: bool = True) -> LessonStatus:
    """Return the state of a lesson. updates: see `find_standings`."""
    try:
        standings = find_standings(course, assignment, updates)
    except CourseError as error:
        return LessonStatus(assignment, 0, Counter(), {}, 0, str(error))
    return LessonStatus(
        assignment,
        sum(has_files(course.path("submitted", assignment, student)) for student in standings),
        Counter(one.state for one in standings.values()),
        {student: one.problem for student, one in standings.items() if one.problem},
        len(find_changed_exports(course, assignment, standings)),
        "",
    )


def count_waiting(course: Course, with_new_date: str | None = None) -> int:
    """Return how many things wait in all lessons, without reading submissions, which takes seconds.

    with_new_date: an assignment with a new due date or extension, whose late penalties are recomputed.
    """
    # With slip days, penalties depend on the other lessons, too.
    outdated = course.assignments if LatePolicy(parent=course.app).slip_days else [with_new_date]
    for assignment in filter(None, outdated):
        update_late_penalties(course, assignment)
    return len([*describe_waiting([find_lesson_status(course, name, False) for name in course.assignments])])


def describe_waiting(lessons: Sequence[LessonStatus]) -> Iterator[str]:
    """Yield a sentence for each thing that waits, with the command that does it."""
    for one in lessons:
        name = one.assignment
        if one.problem:
            yield f"{name}: {one.problem}"
        if one.unusable:
            reasons = (f"{format_file_name(who)} ({why})" for who, why in one.unusable.items())
            what = "ask for these files again, or correct them in submitted/"
            yield f"{name}: can't be graded: {shorten_list(reasons)}; {what}"
        if new := one.counts[UNGRADED] + one.counts[CHANGED] - len(one.unusable):
            yield f"{name}: {new} not graded, or out of date: `gradebox grade {name}`"
        if unread := one.counts[UNREAD]:
            yield f"{name}: {unread} to be read: `gradebox read {name}`"
        if changed := one.changed:
            yield f"{name}: {changed} changed since export: `gradebox grade {name}`, and upload the tables"


def build_status_table(course: Course, lessons: Sequence[LessonStatus]) -> TerminalTable:
    """Return a table with a row for each lesson."""
    heads = "lesson", "collected", "graded", "to be\nread", "not\ngraded", "changed\nsince\nexport", "due"
    where = ("more column", "more columns"), "use a wider terminal"
    table = TerminalTable(
        f"{format_count(len(course.roster), 'student', 'students')}", map(Text, heads), *where
    )
    for one in lessons:
        with course.gradebook() as gradebook:
            due = read_due_date(gradebook, one.assignment)
        ungraded = one.counts[UNGRADED] + one.counts[CHANGED]
        numbers = one.collected, one.counts[GRADED], one.counts[UNREAD], ungraded, one.changed
        cells = [Text(str(number or "–")) for number in numbers]
        when = f"{course.dates.localize(due):%a %d %b, %H:%M}" if due else "–"
        table.add_row(Text(one.assignment), *cells, Text(when))
    return table
