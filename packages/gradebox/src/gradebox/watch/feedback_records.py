"""Records of the submissions that `gradebox watch` has taken from the exchange, in a separate table.

A submission is recorded when everything is done. After an interruption, the next start continues with it.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy import Boolean, Column, DateTime, Integer, MetaData, String, Table

from gradebox.course import Course
from gradebox.gradebook_transactions import retry_write, select_rows, upsert_row
from gradebox.watch.arrival import Arrival, Key

WATCHED = Table(
    "gradebox_watched",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("handed_in", DateTime, nullable=False),
    Column("waits", Boolean, nullable=False),
    Column("day", String(10), nullable=False),
    Column("tries", Integer, nullable=False),
)


@dataclass(frozen=True)
class FeedbackRecord:
    """A student's last submission to an assignment, and the feedback of a day.

    handed_in: the time of submission, in naive UTC. waits: True if its feedback is released later. day: the
    last day with feedback, as an ISO date in the course's time zone. tries: submissions with feedback on that
    day.
    """

    student_id: str
    assignment: str
    handed_in: datetime
    waits: bool = False
    day: str = ""
    tries: int = 0

    @property
    def key(self) -> Key:
        return self.student_id, self.assignment


class FeedbackRecords:
    """All records of a course. They are read once, since only one `gradebox watch` runs at a time."""

    def __init__(self, course: Course):
        self.course = course
        with course.connection() as connection:
            rows = [FeedbackRecord(**row._mapping) for row in select_rows(connection, WATCHED)]
        self.found = {one.key: one for one in rows}

    def is_newer(self, arrival: Arrival) -> bool:
        """Return True if a submission is newer than the recorded one of its student and assignment."""
        known = self.found.get(arrival.key)
        return known is None or arrival.handed_in is not None and arrival.handed_in > known.handed_in

    def count_tries(self, key: Key, day: str) -> int:
        """Return how many submissions of a student to an assignment have had feedback on a day."""
        known = self.found.get(key)
        return known.tries if known and known.day == day else 0

    def list_waiting(self) -> list[FeedbackRecord]:
        """Return the records of submissions whose feedback is released later."""
        return [one for one in self.found.values() if one.waits]

    def close_arrival(self, arrival: Arrival, waits: bool, day: str | None = None) -> None:
        """Record a submission for which everything is done. day: today, if its feedback was released."""
        assert arrival.handed_in is not None
        before = self.found.get(arrival.key) or FeedbackRecord(*arrival.key, arrival.handed_in)
        tries = (before.day, before.tries) if day is None else (day, self.count_tries(arrival.key, day) + 1)
        self.save(FeedbackRecord(*arrival.key, arrival.handed_in, waits, *tries))

    def close_waiting(self, key: Key) -> None:
        """Record that feedback waits no longer. It does not count as a try of its new day."""
        self.save(replace(self.found[key], waits=False))

    def save(self, record: FeedbackRecord) -> None:
        def write() -> None:
            with self.course.connection() as connection:
                upsert_row(connection, WATCHED, asdict(record))

        retry_write(write)
        self.found[record.key] = record
