"""A submission that has arrived, and the interfaces of the places where submissions arrive."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from gradebox.autograde.grade_submissions import GradingOutcome

# Student and assignment.
Key = tuple[str, str]


@dataclass(frozen=True)
class Arrival:
    """A submission that has arrived.

    handed_in: time of submission in naive UTC, if known. folder: the folder in the exchange, if any. problem:
    why a file could not be collected, or None.
    """

    student: str
    assignment: str
    handed_in: datetime | None = None
    folder: Path | None = None
    problem: str | None = None

    @property
    def key(self) -> Key:
        return self.student, self.assignment


class Inbox(Protocol):
    """A place where submissions arrive. where: the place, in words."""

    where: str

    def find_arrivals(self) -> list[Arrival]:
        """Return the submissions that have arrived since the last call, the oldest first.

        Raises OSError and CourseError if the place can't be read.
        """

    def collect(self, arrival: Arrival) -> str:
        """Copy a submission to `submitted/`. Return a remark for the instructor, or "".

        Raises UnreadableSubmissionError for a submission that is refused, CourseError for other problems.
        """


class Outbox(Protocol):
    """The way in which students get feedback."""

    def return_feedback(self, outcome: GradingOutcome, arrival: Arrival) -> str:
        """Give a student the feedback of a submission. Return what was done, in a few words, or ""."""

    def refuse(self, arrival: Arrival) -> None:
        """Record that a submission was refused, and nothing more is done for it."""

    def release_waiting(self) -> Iterator[tuple[Key, str]]:
        """Release the feedback that has waited for its time. Yield what was done for each submission."""
