"""Who has fallen behind, and who has improved, against the class, from lesson to lesson."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from gradebox.class_report.exercise_outcomes import LessonOutcomes
from gradebox.reports.grade_status import ABSENT

# A part of a lesson's points by which somebody moves against the class's median.
TREND_THRESHOLD = 0.15
# With fewer lessons before, nobody has moved.
MIN_EARLIER_LESSONS = 2


@dataclass(frozen=True)
class Trend:
    """How a student stands in the last lesson against before.

    change: in parts of a lesson's points, against the class's median; None who has handed nothing in.
    """

    student: str
    change: float | None


def find_trends(lessons: Sequence[LessonOutcomes]) -> tuple[list[Trend], list[Trend]] | None:
    """Who has fallen behind (who hands in nothing first) and who has improved; None if nobody can tell."""
    done = [one for one in lessons if one.shares]
    # A lesson that few have handed in has just begun.
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
        # Parts of sums of fractions are not told apart.
        change = round(now - statistics.mean(earlier), 6)
        (behind if change <= -TREND_THRESHOLD else improved if change >= TREND_THRESHOLD else []).append(
            Trend(student, change)
        )
    behind.sort(key=lambda one: (one.change is not None, one.change or 0, one.student))
    improved.sort(key=lambda one: (-(one.change or 0), one.student))
    return behind, improved
