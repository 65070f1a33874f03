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
from gradebox.autograde.discover_submissions import Submission, find_name_problem
from gradebox.autograde.fingerprint import read_graded_copy
from gradebox.autograde.grading_job import run_job
from gradebox.autograde.incidents import NOT_GRADED, REPAIRED, UNREADABLE, Incident
from gradebox.autograde.process_pool import count_cores, open_process_pool, run_all
from gradebox.course import Course, CourseError, require_extra
from gradebox.execute.isolation import ActiveIsolation, IsolationError
from gradebox.execute.lesson import parse_lesson
from gradebox.notebook_metadata import read_fingerprint
from gradebox.printable_text import format_exception
from gradebox.submission_files import UnreadableSubmissionError

# What nbgrader raises when another program holds the gradebook for too long.
GRADEBOOK_LOCKED_ERRORS = (OperationalError, InvalidEntry)


@dataclass(frozen=True)
class GradingOutcome:
    """What became of a submission: graded anew, unchanged since it was graded, absent, or a problem.

    penalised: whether it is unchanged, but lateness costs it something else now. in_force: what kept its code
    from the grader, if it was graded anew.
    """

    submission: Submission
    graded: bool = False
    penalised: bool = False
    in_force: ActiveIsolation | None = None
    problem: str | None = None
    incidents: tuple[Incident, ...] = ()


def autograde_submissions(
    course: Course,
    submissions: list[Submission],
    force: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Callable[[GradingOutcome], None] = lambda outcome: None,
) -> list[GradingOutcome]:
    """Grade the submissions that are new or changed, and work out what lateness costs the others.

    workers: how many run at once on this machine; as many as it has cores if not given. scheduler: the
    address of a Dask scheduler whose workers are used instead. `done` is called after each submission. One
    that can't be graded stops nobody else. Raises CourseError if nothing can be graded, or the scheduler is
    lost; then what was graded stays, and the next call goes on.
    """
    outcomes: dict[Submission, GradingOutcome] = {}

    def came_to(outcome: GradingOutcome) -> None:
        outcomes[outcome.submission] = outcome
        done(outcome)

    waiting, around = [], Around(course)
    for submission in submissions:
        if submission.problem:
            came_to(fail_submission(course, submission, UNREADABLE, submission.problem))
        elif submission.absent:
            add_student(course, submission)
            came_to(GradingOutcome(submission))
        elif not force and (copies := find_current_copies(course, around, submission)):
            came_to(update_unchanged(course, around, submission, copies))
        else:
            waiting.append(submission)
    if waiting:
        assignments = dict.fromkeys(submission.assignment for submission in waiting)
        # Workers are forks of this process, and find them read.
        lessons = [parse_lesson(text) for name in assignments for text in course.texts(name).values()]
        around.execute.texts = tuple(text for lesson in lessons for text in lesson.texts)
        if not scheduler:
            # Before anything runs; workers elsewhere say it for themselves.
            try:
                around.execute.in_force(course.root)
            except (IsolationError, RuntimeError) as error:
                raise CourseError(str(error)) from None

        def jobs() -> Iterator[tuple[Submission, bytes]]:
            for submission in waiting:
                try:
                    yield submission, around.prepare(submission).serialize()
                except UnreadableSubmissionError as error:
                    # Since it was looked at, it was exchanged.
                    came_to(fail_submission(course, submission, UNREADABLE, str(error)))
                except CourseError as error:
                    came_to(fail_submission(course, submission, NOT_GRADED, str(error)))
                except Exception as error:
                    problem = f"nbgrader could not grade it: {format_exception(error)}"
                    came_to(fail_submission(course, submission, UNREADABLE, problem))

        most = min(workers or count_cores(), len(waiting))
        # Whatever goes wrong here, nothing runs on for nobody.
        with closing(run_jobs(jobs(), most, scheduler, around.execute.modules)) as results:
            for submission, result in results:
                came_to(save_job_result(course, around, submission, result))
    return [outcomes[submission] for submission in submissions]


def run_jobs(
    jobs: Iterator[tuple[Any, bytes]], workers: int, scheduler: str | None, preload: tuple[str, ...]
) -> Generator[tuple[Any, bytes | BaseException]]:
    """Run jobs (see `grading_job.py`) on workers of this machine, or on those of a Dask scheduler, as they
    come.

    Yields each one's key, and its result or what went wrong.
    """
    if scheduler:
        # Importing Dask takes longer than to find out that nothing has changed.
        with require_extra("cluster"):
            from gradebox.autograde.dask_executor import connect_dask_executor

        with connect_dask_executor(scheduler) as (executor, most, check):
            yield from run_all(executor, run_job, jobs, most, check)
    else:
        with open_process_pool(workers, preload) as executor:
            yield from run_all(executor, run_job, jobs, workers)


def save_job_result(
    course: Course, around: Around, submission: Submission, result: bytes | BaseException
) -> GradingOutcome:
    """Write what a worker sent back."""
    if isinstance(result, BaseException):
        return fail_submission(
            course, submission, NOT_GRADED, f"it could not be run: {format_exception(result)}"
        )
    said = json.loads(result)
    if "problem" in said:
        return fail_submission(course, submission, NOT_GRADED, said["problem"])
    if "unreadable" in said:
        return fail_submission(course, submission, UNREADABLE, said["unreadable"])
    try:
        around.save(submission, said["notebooks"])
    except GRADEBOOK_LOCKED_ERRORS as error:
        return fail_submission(
            course, submission, NOT_GRADED, f"the gradebook can't be written: {format_exception(error)}"
        )
    except Exception as error:
        return fail_submission(
            course, submission, UNREADABLE, f"nbgrader could not grade it: {format_exception(error)}"
        )
    found = [Incident(**one) for graded in said["notebooks"].values() for one in graded["incidents"]]
    told = (*list_file_incidents(submission), *found)
    return GradingOutcome(
        submission, graded=True, in_force=ActiveIsolation(**said["in_force"]), incidents=told
    )


def add_student(course: Course, submission: Submission) -> None:
    """Let a student be in the gradebook who has no grade, for an export."""
    if find_name_problem(submission.student):
        return
    with suppress(*GRADEBOOK_LOCKED_ERRORS), course.gradebook() as gradebook:
        gradebook.update_or_create_student(submission.student)


def fail_submission(course: Course, submission: Submission, kind: str, problem: str) -> GradingOutcome:
    """A submission that has no grade.

    kind: UNREADABLE for what is wrong with what was handed in, UNGRADED for what is wrong here.
    """
    add_student(course, submission)
    incident = Incident(submission.student, submission.assignment, kind, None, problem)
    return GradingOutcome(submission, problem=problem, incidents=(incident,))


def update_unchanged(
    course: Course, around: Around, submission: Submission, copies: Mapping[str, NotebookNode]
) -> GradingOutcome:
    """A submission whose notebooks need not be run again."""
    try:
        penalised = around.update_late_penalty(submission)
    except GRADEBOOK_LOCKED_ERRORS as error:
        return fail_submission(
            course, submission, NOT_GRADED, f"the gradebook can't be written: {format_exception(error)}"
        )
    except Exception as error:
        problem = f"its penalty for lateness can't be worked out: {format_exception(error)}"
        return fail_submission(course, submission, NOT_GRADED, problem)
    student, assignment = submission.student, submission.assignment
    found = [one for copy in copies.values() for one in incidents.find_incidents(student, assignment, copy)]
    return GradingOutcome(
        submission, penalised=penalised, incidents=(*list_file_incidents(submission), *found)
    )


def list_file_incidents(submission: Submission) -> Iterator[Incident]:
    """What an instructor should know of the files of a submission that is graded."""
    for note in submission.notes:
        yield Incident(submission.student, submission.assignment, REPAIRED, None, note)


def find_current_copies(
    course: Course, around: Around, submission: Submission
) -> dict[str, NotebookNode] | None:
    """The graded copies, by name, if they and the gradebook are those of this very submission."""
    assignment, student = submission.assignment, submission.student
    folder = course.path("autograded", assignment, student)
    found = {name: read_graded_copy(folder / f"{name}.ipynb") for name in submission.files}
    copies = {name: copy for name, copy in found.items() if copy and read_fingerprint(copy)}
    if len(copies) < len(found):
        return None
    try:
        with course.gradebook() as gradebook:
            gradebook.find_submission(assignment, student)
        contents = dict(submission_files.read_files(course.path("submitted", assignment, student)))
        current = around.fingerprints(submission, contents)
    except (MissingEntry, UnreadableSubmissionError):
        return None
    return copies if {name: read_fingerprint(copy) for name, copy in copies.items()} == current else None
