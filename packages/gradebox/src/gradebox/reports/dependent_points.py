"""Recompute what depends on points that a person has given: adjustments, and penalties that are a share."""

from gradebox.autograde.adjustments import apply_adjustments
from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.reports.terminal_score_tables import read_submission_grades


def update_dependent_points(course: Course, assignment: str) -> None:
    """Apply the adjustments of an assignment, and recompute late penalties, to the points as they are now.

    Points may have been given on the reading page or in Formgrader since the last run.
    """
    with course.connection() as connection:
        apply_adjustments(connection, assignment)
    update_late_penalties(course, assignment)


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
    return around.update_late_penalties(Submission(student, assignment) for student in late)
