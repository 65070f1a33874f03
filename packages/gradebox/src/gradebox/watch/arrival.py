"""A submission that has arrived in nbgrader's exchange."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

# Student and assignment.
Key = tuple[str, str]


@dataclass(frozen=True)
class Arrival:
    """A submission that has arrived.

    handed_in: time of submission in naive UTC. folder: the folder in the exchange. problem: why the
    submission is refused, or None.
    """

    student: str
    assignment: str
    handed_in: datetime
    folder: Path
    problem: str | None = None

    @property
    def key(self) -> Key:
        return self.student, self.assignment
