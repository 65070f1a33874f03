"""Describe to a student when a submission was received and was due, and the slip days."""

from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy.orm import Session

from gradebox.autograde.late_policy import LatePolicy
from gradebox.dates import Dates


def describe_submission_time(
    session: Session, policy: LatePolicy, dates: Dates, assignment: str, student: str
) -> str:
    """Return one or two sentences, in the course's time zone; "" without a due date or a known time."""
    found = (
        session.query(SubmittedAssignment)
        .join(SubmittedAssignment.assignment)
        .filter(Assignment.name == assignment, SubmittedAssignment.student_id == student)
        .one_or_none()
    )
    if found is None or not found.timestamp or not found.assignment.duedate:
        return ""
    times = found.timestamp, found.duedate
    received, due = (f"{dates.localize(when):%a %d %b %Y, %H:%M}" for when in times)
    said = f"Received {received}; due {due} ({dates.timezone})."
    if policy.slip_days:
        used, left = policy.count_slip_days(session, student, assignment)
        said += f" Slip days: {used} used for this submission, {left} left after it."
    return said
