"""Grade what was handed in: through nbgrader's own converters, one submission after the other."""

from collections.abc import Callable
from dataclasses import dataclass

import nbformat
from nbgrader.api import MissingEntry
from nbgrader.converters import Autograde, GenerateFeedback

from gradebox.course import Course
from gradebox.fingerprint import fingerprint, stamped
from gradebox.repair import repairs
from gradebox.submissions import Submission


@dataclass(frozen=True)
class Outcome:
    """What became of a submission: graded anew, unchanged since it was graded, or a problem.

    repairs: what had to be mended in it before it could be run.
    """

    submission: Submission
    graded: bool = False
    problem: str | None = None
    repairs: tuple[str, ...] = ()


def autograde(
    course: Course,
    submissions: list[Submission],
    force: bool = False,
    done: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Grade the submissions that are new or changed, and write their feedback pages.

    A submission that can't be graded stops nobody else. `done` is called after each.
    """
    outcomes = []
    for submission in submissions:
        outcome = grade(course, submission, force)
        outcomes.append(outcome)
        done(outcome)
    return outcomes


def grade(course: Course, submission: Submission, force: bool) -> Outcome:
    """Grade one submission, unless it is unchanged."""
    if submission.problem:
        enrol(course, submission.student)
        return Outcome(submission, problem=submission.problem)
    if not force and is_graded(course, submission):
        return Outcome(submission, repairs=repaired(course, submission))
    for converter in (Autograde, GenerateFeedback):
        problem = course.convert(converter, submission.assignment, submission.student)
        if problem:
            enrol(course, submission.student)
            return Outcome(submission, problem=f"nbgrader could not grade it: {problem}")
    return Outcome(submission, graded=True, repairs=repaired(course, submission))


def repaired(course: Course, submission: Submission) -> tuple[str, ...]:
    """What was mended, as the graded copies say."""
    folder = course.path("autograded", submission.assignment, submission.student)
    copies = [nbformat.read(path, as_version=4) for path in sorted(folder.glob("*.ipynb"))]
    return tuple(repair for notebook in copies for repair in repairs(notebook))


def is_graded(course: Course, submission: Submission) -> bool:
    """Whether the gradebook, the graded copy and the feedback page are those of this very submission."""
    assignment, student = submission.assignment, submission.student
    with course.gradebook() as gradebook:
        try:
            gradebook.find_submission(assignment, student)
            for name in course.notebooks(assignment):
                file = f"{name}.ipynb"
                mark = fingerprint(
                    gradebook,
                    assignment,
                    course.path("submitted", assignment, student) / file,
                    course.path("source", assignment) / file,
                    course.root / "nbgrader_config.py",
                )
                if stamped(course.path("autograded", assignment, student) / file) != mark:
                    return False
                if not (course.path("feedback", assignment, student) / f"{name}.html").exists():
                    return False
        except MissingEntry:
            return False
    return True


def enrol(course: Course, student: str) -> None:
    """Put a student into the gradebook, so that an export lists also who has no grade."""
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student(student)
