"""Find the students whom an instructor may want to contact: absent, with few points, or falling behind."""

import statistics
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gradebox.class_report.exercise_outcomes import LessonOutcomes
from gradebox.reports.student_standings import ABSENT

# Minimum change of a student's share of points relative to the class median.
TREND_THRESHOLD = 0.15
# Minimum number of earlier lessons for a comparison.
MIN_EARLIER_LESSONS = 2
# A smaller share of points in a lesson is listed.
LOW_SHARE = 0.5


@dataclass(frozen=True)
class StudentConcern:
    """The reasons why an instructor may want to contact a student.

    absent: lessons that were not handed in. low: lessons with a share of points below LOW_SHARE, and this
    share. change: see `find_falling_students`; 0 for a student who is not falling behind.
    """

    student: str
    absent: tuple[str, ...]
    low: tuple[tuple[str, float], ...]
    change: float


def find_concerns(
    lessons: Sequence[LessonOutcomes], excused: Collection[tuple[str, str]] = ()
) -> list[StudentConcern]:
    """Return the students with a reason, those with most reasons first.

    excused: pairs of a student and a lesson that the student need not hand in.
    """
    falling, done = find_falling_students(lessons) or {}, drop_begun_lessons(lessons)
    found = []
    for student in sorted({student for one in lessons for student in one.standings}):
        mine = [one for one in lessons if student in one.standings and (student, one.name) not in excused]
        absent = tuple(one.name for one in mine if one in done and one.standings[student].state == ABSENT)
        low = tuple((one.name, one.shares[student]) for one in mine if one.shares.get(student, 1) < LOW_SHARE)
        if absent or low or student in falling:
            found.append(StudentConcern(student, absent, low, falling.get(student, 0)))
    return sorted(found, key=lambda one: (-len(one.absent) - len(one.low), one.change, one.student))


def drop_begun_lessons(lessons: Sequence[LessonOutcomes]) -> list[LessonOutcomes]:
    """Return the graded lessons without the last ones that are not due yet, if less than half have submitted.

    A lesson without a due date counts as not due.
    """
    done = [one for one in lessons if one.shares]
    while done and not done[-1].overdue and len(done[-1].shares) < len(done[-1].standings) / 2:
        done.pop()
    return done


def find_falling_students(lessons: Sequence[LessonOutcomes]) -> dict[str, float] | None:
    """Return the students who are falling behind; None with too few lessons.

    The value is negative: the student's share of points minus the class median, in the last lesson, minus
    the mean of the same in the lessons before.
    """
    done = drop_begun_lessons(lessons)
    if len(done) <= MIN_EARLIER_LESSONS:
        return None
    *before, last = done
    medians = {one.name: statistics.median(one.shares.values()) for one in done}

    def against_the_class(student: str, one: LessonOutcomes) -> float | None:
        share = one.shares.get(student)
        return None if share is None else share - medians[one.name]

    falling = {}
    for student in last.standings:
        earlier = [gap for one in before if (gap := against_the_class(student, one)) is not None]
        now = against_the_class(student, last)
        if now is None or len(earlier) < MIN_EARLIER_LESSONS:
            continue
        # Round, because sums of fractions have rounding errors.
        change = round(now - statistics.mean(earlier), 6)
        if change <= -TREND_THRESHOLD:
            falling[student] = change
    return falling
