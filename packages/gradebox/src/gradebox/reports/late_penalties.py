"""Recompute late penalties that are a share of the points, after a person has given points."""

from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.reports.terminal_score_tables import read_submission_grades


def update_late_penalties(course: Course, assignment: str) -> int:
    """Recompute the penalties of an assignment's late submissions. Return how many have changed."""
    with course.gradebook() as gradebook:
        entries = read_submission_grades(gradebook, assignment)
    late = [student for student, entry in entries.items() if entry.late or entry.penalty]
    if not late:
        return 0
    try:
        around = Around(course)
    except CourseError:
        # The course is graded by nbgrader alone: its next run of autograde recomputes the penalties.
        return 0
    return sum(around.update_late_penalty(Submission(student, assignment)) for student in late)
