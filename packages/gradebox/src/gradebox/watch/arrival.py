"""A submission that has arrived, and the base class of the places where submissions arrive."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.course import Course, CourseError
from gradebox.reports.feedback_pages import PageWriter

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


class Inbox:
    """A place where submissions arrive, and the way in which their students get feedback.

    where: the place, in words.
    """

    where: str

    def __init__(self, course: Course):
        self.course, self.writer = course, PageWriter()

    def find_arrivals(self) -> list[Arrival]:
        """Return the submissions that have arrived since the last call, the oldest first.

        Raises OSError and CourseError if the place can't be read.
        """
        raise NotImplementedError

    def collect(self, arrival: Arrival) -> str:
        """Copy a submission to `submitted/`. Return a remark for the instructor, or "".

        Raises UnreadableSubmissionError for a submission that is refused, CourseError for other problems.
        """
        return ""

    def return_feedback(self, outcome: GradingOutcome) -> str:
        """Return the feedback of a graded submission. Return what was done, in a few words, or "".

        Raises CourseError if the feedback has to be returned later.
        """
        raise NotImplementedError

    def close_arrival(self, arrival: Arrival) -> None:
        """Record that everything is done for a submission."""

    def write_pages(self, submission: Submission) -> None:
        """Write the feedback pages of a submission that are not up to date. Raises CourseError."""
        problem = self.writer.write(self.course, submission.assignment, submission.student)
        if problem:
            raise CourseError(f"no feedback page: {problem}")
