"""Find students who have fallen behind or improved relative to the class, from lesson to lesson."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from gradebox.class_report.exercise_outcomes import LessonOutcomes
from gradebox.reports.student_standings import ABSENT

# Minimum change of a student's share of points relative to the class median.
TREND_THRESHOLD = 0.15
# Minimum number of earlier lessons for a comparison.
MIN_EARLIER_LESSONS = 2


@dataclass(frozen=True)
class Trend:
    """A student's change from the earlier lessons to the last lesson.

    change: the change of the student's share of points minus the class median, as a fraction of 1; None if
    the student has not submitted the last lesson.
    """

    student: str
    change: float | None


def find_trends(lessons: Sequence[LessonOutcomes]) -> tuple[list[Trend], list[Trend]] | None:
    """Return the students who have fallen behind and those who have improved; None with too few lessons.

    In the first list, students without a submission come first.
    """
    done = [one for one in lessons if one.shares]
    # Skip the last lesson if less than half of the students have submitted: it has just begun.
    while done and len(done[-1].shares) < len(done[-1].standings) / 2:
        done.pop()
    if len(done) <= MIN_EARLIER_LESSONS:
        return None
    *before, last = done
    medians = {one.name: statistics.median(one.shares.values()) for one in done}

    def against_the_class(student: str, one: LessonOutcomes) -> float | None:
        share = one.shares.get(student)
        return None if share is None else share - medians[one.name]

    behind: list[Trend] = []
    improved: list[Trend] = []
    for student, standing in last.standings.items():
        earlier = [gap for one in before if (gap := against_the_class(student, one)) is not None]
        if len(earlier) < MIN_EARLIER_LESSONS:
            continue
        now = against_the_class(student, last)
        if now is None:
            behind += [Trend(student, None)] if standing.state == ABSENT else []
            continue
        # Round, because sums of fractions have rounding errors.
        change = round(now - statistics.mean(earlier), 6)
        (behind if change <= -TREND_THRESHOLD else improved if change >= TREND_THRESHOLD else []).append(
            Trend(student, change)
        )
    behind.sort(key=lambda one: (one.change is not None, one.change or 0, one.student))
    improved.sort(key=lambda one: (-(one.change or 0), one.student))
    return behind, improved
