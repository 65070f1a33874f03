"""Settings of `gradebox watch` (`c.Watch`): what students get back, and when."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from traitlets import Bool, Enum, Integer, TraitError, validate
from traitlets.config import Configurable

from gradebox.dates import Dates

MESSAGES, POINTS, NONE = "messages", "points", "none"


class Watch(Configurable):
    """Settings of the feedback that `gradebox watch` releases through the exchange."""

    feedback = Enum(
        (MESSAGES, POINTS, NONE),
        MESSAGES,
        help='"messages": the feedback page; "points": the points of each exercise; "none": nothing.',
    ).tag(config=True)
    tries_per_day = Integer(
        0,
        help="Submissions to an assignment that get feedback on the same day; 0: all. The feedback of the "
        "last submission after them is released on the next day.",
    ).tag(config=True)
    after_due_date = Bool(
        False, help="Release feedback only after the due date, with the student's extension."
    ).tag(config=True)

    @validate("tries_per_day")
    def _check_not_negative(self, proposal):
        if proposal["value"] < 0:
            raise TraitError(f"Watch.tries_per_day must be 0 or more, not {proposal['value']}")
        return proposal["value"]


@dataclass(frozen=True)
class Delay:
    """Reason to release feedback later.

    reason: a sentence for the student, without the date. until: the time, in naive UTC; None if it is not
    known.
    """

    reason: str
    until: datetime | None


def find_delay(
    settings: Watch, dates: Dates, now: datetime, due: datetime | None, tries: int
) -> Delay | None:
    """Return why the feedback of a submission is released later, or None if it is released now.

    now, due: in naive UTC; due: the student's due date, or None. tries: submissions to this assignment that
    have had feedback today.
    """
    if settings.after_due_date and (due is None or now < due):
        return Delay("Feedback is released after the due date.", due)
    if settings.tries_per_day and tries >= settings.tries_per_day:
        most = settings.tries_per_day
        reason = (
            "Only the first submission on a day gets feedback at once."
            if most == 1
            else f"Only the first {most} submissions on a day get feedback at once."
        )
        return Delay(reason, find_next_day(dates, now))
    return None


def find_day(dates: Dates, now: datetime) -> str:
    """Return the ISO date of a time in naive UTC, in the course's time zone."""
    return now.replace(tzinfo=UTC).astimezone(ZoneInfo(dates.timezone)).date().isoformat()


def find_next_day(dates: Dates, now: datetime) -> datetime:
    """Return the beginning of the next day in the course's time zone, in naive UTC."""
    tomorrow = datetime.fromisoformat(find_day(dates, now)).date() + timedelta(days=1)
    midnight = datetime.combine(tomorrow, time.min, ZoneInfo(dates.timezone))
    return midnight.astimezone(UTC).replace(tzinfo=None)
