"""Grade what was handed in: many submissions at once, the gradebook written by this process alone."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import InvalidEntry, MissingEntry
from sqlalchemy.exc import OperationalError

from gradebox import submission_files
from gradebox.autograde import incidents
from gradebox.autograde.autograde_steps import Around
from gradebox.autograde.discover_submissions import Submission, wrong_name
from gradebox.autograde.fingerprint import graded_copy
from gradebox.autograde.grading_job import run
from gradebox.autograde.incidents import REPAIRED, UNGRADED, UNREADABLE, Incident
from gradebox.autograde.process_pool import cores, processes, run_all
from gradebox.course import Course, CourseError, extra
from gradebox.execute.isolation import InForce, Refused
from gradebox.execute.lesson import lesson_of
from gradebox.notebook_metadata import fingerprint
from gradebox.printable_text import in_words
from gradebox.submission_files import Unreadable

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

    waiting, around = [], Around(course)
    for submission in submissions:
        if submission.problem:
            came_to(failed(course, submission, UNREADABLE, submission.problem))
        elif submission.absent:
            know(course, submission)
            came_to(Outcome(submission))
        elif not force and (copies := graded_copies(course, around, submission)):
            came_to(unchanged(course, around, submission, copies))
        else:
            waiting.append(submission)
    if waiting:
        assignments = dict.fromkeys(submission.assignment for submission in waiting)
        # Workers are forks of this process, and find them read.
        lessons = [lesson_of(text) for name in assignments for text in course.texts(name).values()]
        around.execute.texts = tuple(text for lesson in lessons for text in lesson.texts)
        if not scheduler:
            # Before anything runs; workers elsewhere say it for themselves.
            try:
                around.execute.in_force(course.root)
            except (Refused, RuntimeError) as error:
                raise CourseError(str(error)) from None

        def jobs() -> Iterator[tuple[Submission, bytes]]:
            for submission in waiting:
                try:
                    yield submission, around.prepare(submission).packed()
                except Unreadable as error:
                    # Since it was looked at, it was exchanged.
                    came_to(failed(course, submission, UNREADABLE, str(error)))
                except CourseError as error:
                    came_to(failed(course, submission, UNGRADED, str(error)))
                except Exception as error:
                    problem = f"nbgrader could not grade it: {in_words(error)}"
                    came_to(failed(course, submission, UNREADABLE, problem))

        most = min(workers or cores(), len(waiting))
        # Whatever goes wrong here, nothing runs on for nobody.
        with closing(run_anywhere(jobs(), most, scheduler, around.execute.modules)) as results:
            for submission, result in results:
                came_to(save(course, around, submission, result))
    return [outcomes[submission] for submission in submissions]


def run_anywhere(
    jobs: Iterator[tuple[Any, bytes]], workers: int, scheduler: str | None, preload: tuple[str, ...]
) -> Generator[tuple[Any, bytes | BaseException]]:
    """Run jobs (see `grading_job.py`) on workers of this machine, or on those of a Dask scheduler, as they
    come.

    Yields each one's key, and its result or what went wrong.
    """
    if scheduler:
        # Importing Dask takes longer than to find out that nothing has changed.
        with extra("cluster"):
            from gradebox.autograde.dask_executor import cluster

        with cluster(scheduler) as (executor, most, check):
            yield from run_all(executor, run, jobs, most, check)
    else:
        with processes(workers, preload) as executor:
            yield from run_all(executor, run, jobs, workers)


def save(course: Course, around: Around, submission: Submission, result: bytes | BaseException) -> Outcome:
    """Write what a worker sent back."""
    if isinstance(result, BaseException):
        return failed(course, submission, UNGRADED, f"it could not be run: {in_words(result)}")
    said = json.loads(result)
    if "problem" in said:
        return failed(course, submission, UNGRADED, said["problem"])
    if "unreadable" in said:
        return failed(course, submission, UNREADABLE, said["unreadable"])
    try:
        around.save(submission, said["notebooks"])
    except LOCKED as error:
        return failed(course, submission, UNGRADED, f"the gradebook can't be written: {in_words(error)}")
    except Exception as error:
        return failed(course, submission, UNREADABLE, f"nbgrader could not grade it: {in_words(error)}")
    found = [Incident(**one) for graded in said["notebooks"].values() for one in graded["incidents"]]
    told = (*noted(submission), *found)
    return Outcome(submission, graded=True, in_force=InForce(**said["in_force"]), incidents=told)


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


def unchanged(
    course: Course, around: Around, submission: Submission, copies: Mapping[str, NotebookNode]
) -> Outcome:
    """A submission whose notebooks need not be run again."""
    try:
        penalised = around.penalise(submission)
    except LOCKED as error:
        return failed(course, submission, UNGRADED, f"the gradebook can't be written: {in_words(error)}")
    except Exception as error:
        problem = f"its penalty for lateness can't be worked out: {in_words(error)}"
        return failed(course, submission, UNGRADED, problem)
    student, assignment = submission.student, submission.assignment
    found = [one for copy in copies.values() for one in incidents.of_notebook(student, assignment, copy)]
    return Outcome(submission, penalised=penalised, incidents=(*noted(submission), *found))


def noted(submission: Submission) -> Iterator[Incident]:
    """What an instructor should know of the files of a submission that is graded."""
    for note in submission.notes:
        yield Incident(submission.student, submission.assignment, REPAIRED, None, note)


def graded_copies(course: Course, around: Around, submission: Submission) -> dict[str, NotebookNode] | None:
    """The graded copies, by name, if they and the gradebook are those of this very submission."""
    assignment, student = submission.assignment, submission.student
    folder = course.path("autograded", assignment, student)
    found = {name: graded_copy(folder / f"{name}.ipynb") for name in submission.files}
    copies = {name: copy for name, copy in found.items() if copy and fingerprint(copy)}
    if len(copies) < len(found):
        return None
    try:
        with course.gradebook() as gradebook:
            gradebook.find_submission(assignment, student)
        contents = dict(submission_files.contents(course.path("submitted", assignment, student)))
        current = around.fingerprints(submission, contents)
    except (MissingEntry, Unreadable):
        return None
    return copies if {name: fingerprint(copy) for name, copy in copies.items()} == current else None
