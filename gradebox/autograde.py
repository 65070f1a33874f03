"""Grade what was handed in: many submissions at once, the gradebook written by this process alone."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import InvalidEntry, MissingEntry
from sqlalchemy.exc import OperationalError

from gradebox import incidents
from gradebox.cluster import connected, cores, run_all
from gradebox.course import Course, CourseError
from gradebox.fingerprint import fingerprint, stamped
from gradebox.hand_in import Unreadable
from gradebox.incidents import REPAIRED, UNGRADED, UNREADABLE, Incident
from gradebox.isolation import InForce, Refused
from gradebox.jobs import in_words, run
from gradebox.marking import Marking
from gradebox.submissions import Submission, wrong_name

# What nbgrader raises when another program holds the gradebook for too long.
LOCKED = (OperationalError, InvalidEntry)


@dataclass(frozen=True)
class Outcome:
    """What became of a submission: graded anew, unchanged since it was graded, absent, or a problem.

    penalised: whether it is unchanged, but lateness costs it something else now. in_force: what kept its code
    from the grader, if it was graded anew.
    """

    submission: Submission
    graded: bool = False
    penalised: bool = False
    in_force: InForce | None = None
    problem: str | None = None
    incidents: tuple[Incident, ...] = ()


def autograde(
    course: Course,
    submissions: list[Submission],
    force: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Grade the submissions that are new or changed, and work out what lateness costs the others.

    workers: how many run at once on this machine; as many as it has cores if not given. scheduler: the
    address of a Dask scheduler whose workers are used instead. `done` is called after each submission. One
    that can't be graded stops nobody else. Raises CourseError if nothing can be graded, or the scheduler is
    lost; then what was graded stays, and the next call goes on.
    """
    outcomes: dict[Submission, Outcome] = {}

    def came_to(outcome: Outcome) -> None:
        outcomes[outcome.submission] = outcome
        done(outcome)

    waiting, marking = [], Marking(course)
    for submission in submissions:
        if submission.problem:
            came_to(failed(course, submission, UNREADABLE, submission.problem))
        elif submission.absent:
            know(course, submission)
            came_to(Outcome(submission))
        elif not force and is_graded(course, submission, marking.rules):
            came_to(unchanged(course, marking, submission))
        else:
            waiting.append(submission)
    if waiting:
        if not scheduler:
            # Before anything runs; workers elsewhere say it for themselves.
            try:
                marking.execute.in_force(course.root)
            except (Refused, RuntimeError) as error:
                raise CourseError(str(error)) from None

        def jobs() -> Iterator[tuple[Submission, bytes]]:
            for submission in waiting:
                try:
                    yield submission, marking.prepare(submission).packed()
                except Unreadable as reason:
                    # Since it was looked at, it was exchanged.
                    came_to(failed(course, submission, UNREADABLE, str(reason)))
                except Exception as error:
                    problem = f"nbgrader could not grade it: {in_words(error)}"
                    came_to(failed(course, submission, UNREADABLE, problem))

        most = min(workers or cores(), len(waiting))
        with connected(most, scheduler, tuple(marking.execute.preload)) as client:
            for submission, result in run_all(client, run, jobs()):
                came_to(save(course, marking, submission, result))
    return [outcomes[submission] for submission in submissions]


def save(course: Course, marking: Marking, submission: Submission, result: bytes | Exception) -> Outcome:
    """Write what a worker sent back."""
    if isinstance(result, Exception):
        return failed(course, submission, UNGRADED, f"it could not be run: {in_words(result)}")
    said = json.loads(result)
    if "problem" in said:
        return failed(course, submission, UNGRADED, said["problem"])
    try:
        graded = marking.save(submission, said["notebooks"])
    except LOCKED as error:
        return failed(course, submission, UNGRADED, f"the gradebook can't be written: {in_words(error)}")
    except Exception as error:
        return failed(course, submission, UNREADABLE, f"nbgrader could not grade it: {in_words(error)}")
    found = told(submission, graded.values())
    return Outcome(submission, graded=True, in_force=InForce(**said["in_force"]), incidents=found)


def know(course: Course, submission: Submission) -> None:
    """Let a student be in the gradebook who has no grade, for an export."""
    if wrong_name(submission.student):
        return
    with suppress(*LOCKED), course.gradebook() as gradebook:
        gradebook.update_or_create_student(submission.student)


def failed(course: Course, submission: Submission, kind: str, problem: str) -> Outcome:
    """A submission that has no grade.

    kind: UNREADABLE for what is wrong with what was handed in, UNGRADED for what is wrong here.
    """
    know(course, submission)
    incident = Incident(submission.student, submission.assignment, kind, None, problem)
    return Outcome(submission, problem=problem, incidents=(incident,))


def unchanged(course: Course, marking: Marking, submission: Submission) -> Outcome:
    """A submission whose notebooks need not be run again."""
    try:
        penalised = marking.penalise(submission)
    except LOCKED as error:
        return failed(course, submission, UNGRADED, f"the gradebook can't be written: {in_words(error)}")
    except Exception as error:
        problem = f"its penalty for lateness can't be worked out: {in_words(error)}"
        return failed(course, submission, UNGRADED, problem)
    folder = course.path("autograded", submission.assignment, submission.student)
    copies = [nbformat.read(path, as_version=4) for path in sorted(folder.glob("*.ipynb"))]
    return Outcome(submission, penalised=penalised, incidents=told(submission, copies))


def told(submission: Submission, copies: Iterable[NotebookNode]) -> tuple[Incident, ...]:
    """What an instructor should know of a submission that is graded."""
    student, assignment = submission.student, submission.assignment
    found = [Incident(student, assignment, REPAIRED, None, note) for note in submission.notes]
    return (*found, *incidents.of_submission(student, assignment, copies))


def is_graded(course: Course, submission: Submission, rules: str) -> bool:
    """Whether the gradebook and the graded copy are those of this very submission."""
    assignment, student = submission.assignment, submission.student
    with course.gradebook() as gradebook:
        try:
            gradebook.find_submission(assignment, student)
            for name in submission.files:
                mark = fingerprint(
                    gradebook,
                    assignment,
                    course.path("submitted", assignment, student),
                    course.path("source", assignment),
                    name,
                    rules,
                )
                if stamped(course.path("autograded", assignment, student) / f"{name}.ipynb") != mark:
                    return False
        except (MissingEntry, Unreadable):
            return False
    return True
