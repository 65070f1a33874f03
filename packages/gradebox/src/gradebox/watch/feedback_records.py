"""Records of the submissions that `gradebox watch` has taken from the exchange, in a separate table.

A submission is recorded when everything is done. After an interruption, the next start continues with it.
"""

from sqlalchemy import Boolean, Column, DateTime, Integer, MetaData, String, Table

from gradebox.course import Course
from gradebox.gradebook_transactions import retry_write, select_rows, upsert_row
from gradebox.watch.arrival import Arrival

WATCHED = Table(
    "gradebox_watched",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("handed_in", DateTime, nullable=False),
    # Only earlier versions used the other columns. Their tables have no default values.
    Column("waits", Boolean, nullable=False, default=False),
    Column("day", String(10), nullable=False, default=""),
    Column("tries", Integer, nullable=False, default=0),
)


class FeedbackRecords:
    """Times of each student's last submission to each assignment, in naive UTC.

    They are read once, since only one `gradebox watch` of a course runs at a time.
    """

    def __init__(self, course: Course):
        self.course = course
        with course.connection() as connection:
            # Feedback that an earlier version has not released is released now.
            rows = select_rows(connection, WATCHED, WATCHED.c.waits.is_(False))
        self.times = {(row.student_id, row.assignment): row.handed_in for row in rows}

    def is_newer(self, arrival: Arrival) -> bool:
        """Return True if a submission is newer than the recorded one of its student and assignment."""
        known = self.times.get(arrival.key)
        return known is None or arrival.handed_in > known

    def close_arrival(self, arrival: Arrival) -> None:
        """Record a submission for which everything is done."""
        student, assignment = arrival.key
        row = {"student_id": student, "assignment": assignment, "handed_in": arrival.handed_in}

        def write() -> None:
            with self.course.connection() as connection:
                upsert_row(connection, WATCHED, row)

        retry_write(write)
        self.times[arrival.key] = arrival.handed_in
