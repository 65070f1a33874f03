"""Late days are days of the course's clock, also when the clocks change; hours are hours."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import count
from math import ceil
from zoneinfo import ZoneInfo

import pytest
from helpers import LESSON, hand_in, sample_solved, with_settings
from traitlets.config import Config

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.due_date_extensions import set_extension
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.late_policy import LatePolicy
from gradebox.course import Course
from gradebox.gradebook_transactions import open_engine, transaction
from gradebox.reports.dependent_points import update_late_penalties

BERLIN = "Europe/Berlin"


def to_utc(when: str, zone: str) -> datetime:
    """A time of a zone as nbgrader stores it, such as "2026-10-25 02:30", or "… 2nd" where it repeats."""
    text, again, _ = when.partition(" 2nd")
    local = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=bool(again))
    return local.astimezone(UTC).replace(tzinfo=None)


Measure = Callable[..., dict[str, tuple[int, ...]]]


@pytest.fixture
def measure(tmp_path) -> Measure:
    """Return days, hours, slip days used and left, by lesson, of due dates and times of submission."""

    def measured(times: dict[str, tuple[datetime, datetime]], zone: str, **settings) -> dict:
        engine = open_engine(f"sqlite:///{tmp_path}/{next(numbers)}.db", "")
        policy = LatePolicy(config=Config({"Dates": {"timezone": zone}}), **settings)
        with transaction(engine, "") as gradebook:
            gradebook.add_student("ann")
            for name, (due, received) in times.items():
                gradebook.add_assignment(name, duedate=due)
                gradebook.add_submission(name, "ann", timestamp=received)
            found = {name: policy.measure_lateness(gradebook.db, "ann", name) for name in times}
            return {name: (late.days, late.hours, late.used, late.left) for name, late in found.items()}

    numbers = count()
    return measured


@pytest.mark.parametrize(
    ("zone", "due", "received", "grace", "days", "hours"),
    [
        # 25 October 2026 has 25 hours in Berlin, 29 March has 23.
        (BERLIN, "2026-10-24 23:59", "2026-10-24 23:59", 0, 0, 0),
        (BERLIN, "2026-10-24 23:59", "2026-10-25 00:00", 0, 1, 1),
        (BERLIN, "2026-10-24 23:59", "2026-10-25 23:30", 0, 1, 25),
        (BERLIN, "2026-10-24 23:59", "2026-10-25 23:59", 0, 1, 25),
        (BERLIN, "2026-10-24 23:59", "2026-10-26 00:00", 0, 2, 26),
        (BERLIN, "2026-03-28 23:59", "2026-03-29 23:59", 0, 1, 23),
        (BERLIN, "2026-03-28 23:59", "2026-03-30 00:00", 0, 2, 24),
        (BERLIN, "2026-03-28 12:00", "2026-04-04 12:00", 0, 7, 167),
        # Half an hour after a due date in the hour that repeats.
        (BERLIN, "2026-10-25 02:45", "2026-10-25 02:15 2nd", 0, 1, 1),
        ("Africa/Cairo", "2026-10-28 23:59", "2026-10-29 23:30 2nd", 0, 1, 25),
        # The grace is real minutes.
        (BERLIN, "2026-10-24 23:59", "2026-10-25 00:14", 15, 0, 0),
        (BERLIN, "2026-10-24 23:59", "2026-10-26 00:14", 15, 1, 25),
        (BERLIN, "2026-10-24 23:59", "2026-10-26 00:15", 15, 2, 26),
        (BERLIN, "2026-10-25 02:50", "2026-10-25 02:04 2nd", 15, 0, 0),
        # Without a clock change, and in UTC.
        ("UTC", "2026-10-24 23:59", "2026-10-25 23:59", 0, 1, 24),
        ("UTC", "2026-10-24 23:59", "2026-10-26 00:00", 0, 2, 25),
    ],
)
def test_a_day_ends_at_the_same_time_of_the_next_day(measure, zone, due, received, grace, days, hours):
    found = measure({"hw": (to_utc(due, zone), to_utc(received, zone))}, zone, grace_minutes=grace)
    assert found["hw"][:2] == (days, hours)


def test_slip_days_are_days_of_the_clock_in_the_order_of_the_due_dates(measure):
    times = {
        # 3 days; 1 day of 25 hours; 2 days and 2 hours, of which 1 day is left.
        "c": ("2026-10-30 23:59", "2026-11-02 01:59"),
        "a": ("2026-10-16 23:59", "2026-10-19 23:00"),
        "b": ("2026-10-24 23:59", "2026-10-25 23:59"),
    }
    stored = {name: (to_utc(due, BERLIN), to_utc(end, BERLIN)) for name, (due, end) in times.items()}
    assert measure(stored, BERLIN, slip_days=5) == {"a": (0, 0, 3, 2), "b": (0, 0, 1, 1), "c": (2, 26, 1, 0)}
    # The hours after a slip day of 25 hours.
    assert measure({"b": (stored["b"][0], to_utc("2026-10-26 02:00", BERLIN))}, BERLIN, slip_days=1) == {
        "b": (1, 3, 1, 0)
    }
    # A slip day ends with the second of two equal times.
    late = to_utc("2026-10-28 23:59", "Africa/Cairo"), to_utc("2026-10-29 23:30 2nd", "Africa/Cairo")
    assert measure({"hw": late}, "Africa/Cairo", slip_days=1) == {"hw": (0, 0, 1, 0)}


def count_by_calendar(due: datetime, received: datetime, zone: str) -> tuple[int, int]:
    """Days and hours begun, by the dates of a calendar."""
    if received <= due:
        return 0, 0
    local = due.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    for days in count(1):
        day = local.date() + timedelta(days=days)
        end = datetime.combine(day, local.time(), ZoneInfo(zone)).astimezone(UTC).replace(tzinfo=None)
        if received <= end:
            return days, ceil(Fraction((received - due) // timedelta(seconds=1), 3600))
    raise AssertionError


@pytest.mark.parametrize("zone", [BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"])
def test_days_and_hours_of_a_year_are_those_of_a_calendar(measure, zone):
    chance, times = random.Random(0), {}
    for n in range(300):
        local = (
            f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02} {chance.choice(['12:00', '23:59'])}"
        )
        due = to_utc(local, zone)
        times[f"hw{n}"] = due, due + timedelta(seconds=chance.randint(-86400, 10 * 86400))
    found = {name: late[:2] for name, late in measure(times, zone).items()}
    assert found == {name: count_by_calendar(*pair, zone) for name, pair in times.items()}


@pytest.fixture
def graded(course: Course) -> Course:
    course = with_settings(course, f"c.Dates.timezone = {BERLIN!r}")
    hand_in(course, LESSON, "ann", sample_solved())
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate=to_utc("2026-10-24 23:59", BERLIN))
    (course.path("submitted", LESSON, "ann") / "timestamp.txt").write_text("2026-10-25 22:30 UTC")
    outcomes = autograde_submissions(course, list(find_submissions(course, [LESSON], ["ann"])))
    assert not [outcome.problem for outcome in outcomes if outcome.problem]
    return course


def lost(course: Course, settings: str, extension: str = "") -> Fraction:
    """The share of the points that ann loses for 24 h 31 min, of which the clock shows 23 h 31 min."""
    course = with_settings(course, *settings.split("; "))
    with course.gradebook() as gradebook:
        if extension:
            set_extension(gradebook.db.connection(), LESSON, "ann", to_utc(extension, BERLIN))
    update_late_penalties(course, LESSON)
    with course.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission(LESSON, "ann").notebooks
        return Fraction(notebook.late_submission_penalty or 0).limit_denominator(1000) / Fraction(
            notebook.score
        )


@pytest.mark.parametrize(
    ("settings", "share"),
    [
        ("c.LatePolicy.per_day = '10%'", "0.1"),
        ("c.LatePolicy.per_hour = '1%'", "0.25"),
        ("c.LatePolicy.per_day = '10%'; c.LatePolicy.per_hour = '1%'", "0.35"),
        ("c.LatePolicy.per_hour = '1%'; c.LatePolicy.at_most = '20%'", "0.2"),
        ("c.LatePolicy.per_day = '10%'; c.LatePolicy.slip_days = 1", "0"),
        ("c.LatePolicy.per_hour = '1%'; c.LatePolicy.slip_days = 1", "0"),
        ("c.LatePolicy.per_day = '10%'; c.LatePolicy.grace_minutes = 1471", "0"),
        ("c.LatePolicy.per_day = '10%'; c.Dates.timezone = 'UTC'", "0.2"),
    ],
)
def test_a_day_of_25_hours_costs_one_day(graded, settings, share):
    assert lost(graded, settings) == Fraction(share)


def test_an_extension_moves_the_beginning_of_the_days(graded):
    settings = "c.LatePolicy.per_day = '10%'; c.LatePolicy.per_hour = '1%'"
    assert lost(graded, settings, "2026-10-25 01:30") == Fraction("0.1") + Fraction("0.23")
    assert lost(graded, settings, "2026-10-25 23:29") == Fraction("0.1") + Fraction("0.01")
    assert lost(graded, settings, "2026-10-25 23:30") == 0
