"""Late penalties as settings (`c.LatePolicy`), for gradebox and for nbgrader's own commands."""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nbgrader.api import Assignment, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import select
from sqlalchemy.orm import Session
from traitlets import Float, Integer, TraitError, Unicode, validate

from gradebox.dates import Dates
from gradebox.printable_text import format_count

AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*")
HOUR, DAY = 3600, 86400


@dataclass(frozen=True)
class Lateness:
    """Due date and time of submission, in the course's time zone, and what counts as late.

    days, hours: begun, without slip days. used, left: slip days for the submission, and after it.
    """

    due: datetime
    received: datetime
    days: int
    hours: int
    used: int
    left: int


class LatePolicy(LateSubmissionPlugin):
    """Penalty that grows with each day or hour, after minutes and days of grace.

    A day ends when the clock of the course's time zone (`c.Dates.timezone`) shows the time of the due date
    again, also if it has 23 or 25 hours. Without settings, there is no penalty. nbgrader's `penalty_method`
    still applies.
    """

    per_day = Unicode("", help="The penalty for each day begun: '10%' of the score, or points as '2'.").tag(
        config=True
    )
    per_hour = Unicode("", help="The penalty for each hour begun, as `per_day`.").tag(config=True)
    at_most = Unicode("", help="The largest penalty: '50%' of the score, or points.").tag(config=True)
    grace_minutes = Float(
        0, min=0, max=1e9, help="Minutes after the due date that do not count as late."
    ).tag(config=True)
    slip_days = Integer(
        0, min=0, help="Days, in all assignments together, that a student may be late without a penalty."
    ).tag(config=True)

    @validate("per_day", "per_hour", "at_most")
    def _check_amount(self, proposal):
        if proposal["value"] and not AMOUNT.fullmatch(proposal["value"]):
            name, value = proposal["trait"].name, proposal["value"]
            raise TraitError(f"LatePolicy.{name} must be such as '10%' or '2', not {value!r}")
        return proposal["value"]

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the penalty for a notebook in points, or None. score: the points of the notebook.

        Points of earlier answers to cells that wait to be read again do not count: totals leave them out.
        """
        score -= self.count_waiting_points(student_id)
        late = self.measure_lateness(self.parent.gradebook.db, student_id, self.parent.assignment_id)
        if not late or not late.days:
            return None
        penalty = late.days * calculate_amount(self.per_day, score)
        penalty += late.hours * calculate_amount(self.per_hour, score)
        if self.at_most:
            penalty = min(penalty, calculate_amount(self.at_most, score))
        if penalty:
            # Differences of floating-point numbers have rounding errors.
            return min(round(penalty, 6), score)
        return super().late_submission_penalty(student_id, score, total_seconds_late)

    def measure_lateness(self, session: Session, student_id: str, assignment: str) -> Lateness | None:
        """Return what counts as late in a submission; None without a due date or a known time.

        Slip days move the due date. Assignments use them up in the order of their due dates.
        """
        dates, left = Dates(parent=self), self.slip_days
        for name, *times in read_times(session, student_id):
            due, received = map(dates.localize, times)
            days, _ = self.count_begun(due, received)
            used = min(left, days)
            left -= used
            if name == assignment:
                hours = self.count_begun(due + timedelta(days=used), received)[1] if used < days else 0
                return Lateness(due, received, days - used, hours, used, left)
        return None

    def count_begun(self, due: datetime, received: datetime) -> tuple[int, int]:
        """Return the days and the hours begun after a due date and the grace. The dates: in one time zone."""
        grace = 60 * self.grace_minutes
        elapsed = (received.astimezone(UTC) - due.astimezone(UTC)).total_seconds() - grace
        if elapsed <= 0:
            return 0, 0
        # The difference of two dates of one time zone is that of its clock.
        by_clock = (received - due).total_seconds() - grace
        return max(1, math.ceil(by_clock / DAY)), math.ceil(elapsed / HOUR)

    def count_waiting_points(self, student_id: str) -> float:
        """Return the points in the gradebook for cells of the notebook that wait to be read."""
        step = self.parent
        notebook = step.gradebook.find_submission_notebook(step.notebook_id, step.assignment_id, student_id)
        return sum(grade.score for grade in notebook.grades if grade.needs_manual_grade)

    def describe(self) -> str:
        """Describe the policy to students in one or two sentences; "" without a policy."""
        rates = [(self.per_day, "day"), (self.per_hour, "hour")]
        costs = [f"{format_amount(amount)} for each {unit} begun" for amount, unit in rates if amount]
        if not costs:
            return ""
        said = f"A late submission loses {' and '.join(costs)}"
        said += f", at most {format_amount(self.at_most)}." if self.at_most else "."
        if self.grace_minutes:
            said += f" The first {self.grace_minutes:g} minutes don't count."
        if self.slip_days:
            days = format_count(self.slip_days, "day", "days")
            said += f" In the whole course, you may be late by {days} without a loss."
        return said

    def describe_submission(self, session: Session, student_id: str, assignment: str) -> str:
        """Describe to a student when a submission was due and received, and what counts as late.

        Returns "" without a due date or a known time.
        """
        late = self.measure_lateness(session, student_id, assignment)
        if not late:
            return ""
        received, due = (f"{when:%a %d %b %Y, %H:%M}" for when in (late.received, late.due))
        said = f"Received {received}; due {due} ({Dates(parent=self).timezone})."
        if self.slip_days:
            said += f" Slip days: {late.used} used for this submission, {late.left} left after it."
        counts = [(self.per_day, late.days, "day"), (self.per_hour, late.hours, "hour")]
        begun = [format_count(count, unit, f"{unit}s") for amount, count, unit in counts if amount and count]
        return f"{said} Counted as late: {' and '.join(begun)} begun. {self.describe()}" if begun else said


def parse_amount(amount: str) -> tuple[float, bool]:
    """Return the number of an amount such as "10%" or "2", and True for a share of the score."""
    found = AMOUNT.fullmatch(amount)
    return (float(found[1]), bool(found[2])) if found else (0.0, False)


def calculate_amount(amount: str, score: float) -> float:
    """Return the points of an amount."""
    number, is_share = parse_amount(amount)
    return number * score / 100 if is_share else number


def format_amount(amount: str) -> str:
    number, is_share = parse_amount(amount)
    return f"{number:g} % of its points" if is_share else "1 point" if number == 1 else f"{number:g} points"


def read_times(session: Session, student_id: str) -> list[tuple[str, datetime, datetime]]:
    """Return a student's submissions as (assignment, due date with extension, time of submission).

    They are in the order of the assignments' due dates. Submissions without one of the times are left out.
    """
    assignment, submission = Assignment.__table__, SubmittedAssignment.__table__
    rows = session.connection().execute(
        select(assignment.c.name, assignment.c.duedate, submission.c.extension, submission.c.timestamp)
        .select_from(assignment.join(submission, submission.c.assignment_id == assignment.c.id))
        .where(submission.c.student_id == student_id)
        .where(assignment.c.duedate.is_not(None), submission.c.timestamp.is_not(None))
        .order_by(assignment.c.duedate, assignment.c.name)
    )
    return [(name, due + (extension or timedelta(0)), received) for name, due, extension, received in rows]
