"""Late penalties as settings (`c.LatePolicy`), for gradebox and for nbgrader's own commands."""

import math
import re

from nbgrader.api import Assignment, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import select
from sqlalchemy.orm import Session
from traitlets import Float, Integer, TraitError, Unicode, validate

AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*")
HOUR, DAY = 3600, 86400


class LatePolicy(LateSubmissionPlugin):
    """Penalty that grows with each day or hour, after minutes and days of grace.

    Without settings, there is no penalty. nbgrader's `penalty_method` still applies.
    """

    per_day = Unicode("", help="The penalty for each day begun: '10%' of the score, or points as '2'.").tag(
        config=True
    )
    per_hour = Unicode("", help="The penalty for each hour begun, as `per_day`.").tag(config=True)
    at_most = Unicode("", help="The largest penalty: '50%' of the score, or points.").tag(config=True)
    grace_minutes = Float(0, help="Minutes after the due date that do not count as late.").tag(config=True)
    slip_days = Integer(
        0, help="Days, in all assignments together, that a student may be late without a penalty."
    ).tag(config=True)

    @validate("per_day", "per_hour", "at_most")
    def _check_amount(self, proposal):
        if proposal["value"] and not AMOUNT.fullmatch(proposal["value"]):
            name, value = proposal["trait"].name, proposal["value"]
            raise TraitError(f"LatePolicy.{name} must be such as '10%' or '2', not {value!r}")
        return proposal["value"]

    @validate("grace_minutes", "slip_days")
    def _check_not_negative(self, proposal):
        if not 0 <= proposal["value"] < math.inf:
            raise TraitError(f"LatePolicy.{proposal['trait'].name} must be 0 or more")
        return proposal["value"]

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the penalty for a notebook in points, or None. score: the points of the notebook.

        Points of earlier answers to cells that wait to be read again do not count: totals leave them out.
        """
        late = total_seconds_late - 60 * self.grace_minutes
        if late <= 0:
            return None
        if self.parent:
            score -= self.count_waiting_points(student_id)
        if self.slip_days:
            step = self.parent
            late -= DAY * sum(self.count_slip_days(step.gradebook.db, student_id, step.assignment_id))
            if late <= 0:
                return None
        penalty = math.ceil(late / DAY) * calculate_amount(self.per_day, score)
        penalty += math.ceil(late / HOUR) * calculate_amount(self.per_hour, score)
        if self.at_most:
            penalty = min(penalty, calculate_amount(self.at_most, score))
        if penalty:
            # Differences of floating-point numbers have rounding errors.
            return min(round(penalty, 6), score)
        return super().late_submission_penalty(student_id, score, total_seconds_late)

    def count_slip_days(self, session: Session, student_id: str, assignment: str) -> tuple[int, int]:
        """Return the slip days that a student uses for an assignment, and those that are left after it.

        Assignments use them up in the order of their due dates.
        """
        left = self.slip_days
        for name, days in read_days_late(session, student_id, 60 * self.grace_minutes):
            used = min(left, days)
            left -= used
            if name == assignment:
                return used, left
        return 0, left

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
            days = "1 day" if self.slip_days == 1 else f"{self.slip_days} days"
            said += f" In the whole course, you may be late by {days} without a loss."
        return said


def calculate_amount(amount: str, score: float) -> float:
    """Return the points of an amount such as "10%" of a score, or "2"."""
    found = AMOUNT.fullmatch(amount)
    if not found:
        return 0.0
    return float(found[1]) * (score / 100 if found[2] else 1)


def format_amount(amount: str) -> str:
    found = AMOUNT.fullmatch(amount)
    number = found[1] if found else amount
    if found and found[2]:
        return f"{number} % of its points"
    return "1 point" if number == "1" else f"{number} points"


def read_days_late(session: Session, student_id: str, grace: float) -> list[tuple[str, int]]:
    """Return the assignments with a due date, in the order of these dates, and the days begun after them.

    grace: the seconds that do not count.
    """
    assignment, submission = Assignment.__table__, SubmittedAssignment.__table__
    rows = session.connection().execute(
        select(assignment.c.name, assignment.c.duedate, submission.c.timestamp, submission.c.extension)
        .select_from(
            assignment.outerjoin(
                submission,
                (submission.c.assignment_id == assignment.c.id) & (submission.c.student_id == student_id),
            )
        )
        .where(assignment.c.duedate.is_not(None))
        .order_by(assignment.c.duedate, assignment.c.name)
    )
    found = []
    for name, due, handed_in, extension in rows:
        until = due + extension if extension else due
        late = (handed_in - until).total_seconds() - grace if handed_in else 0
        found.append((name, max(0, math.ceil(late / DAY))))
    return found
