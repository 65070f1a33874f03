"""Grade submissions in parallel. Only this process writes the gradebook."""

import json
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import MissingEntry

from gradebox import safe_submission_files
from gradebox.autograde import incidents
from gradebox.autograde.discover_submissions import Submission, find_name_problem
from gradebox.autograde.fingerprint import read_graded_copy
from gradebox.autograde.grading_job import run_job
from gradebox.autograde.incidents import NOT_GRADED, REPAIRED, UNREADABLE, Incident
from gradebox.autograde.process_pool import count_cores, open_process_pool, run_all
from gradebox.autograde.reference_proof import ReferenceProof, ReferenceProofs
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError, require_extra
from gradebox.execute.isolation import ActiveIsolation, IsolationError
from gradebox.execute.kernel_specs import KernelError, find_interpreters
from gradebox.execute.lesson import Lesson, parse_lesson
from gradebox.gradebook_transactions import GRADEBOOK_ERRORS, retry_write
from gradebox.kernel.interpreter import Interpreter
from gradebox.notebook_metadata import read_fingerprint, read_reference_problem
from gradebox.printable_text import format_exception
from gradebox.safe_submission_files import UnreadableSubmissionError


@dataclass(frozen=True)
class GradingOutcome:
    """Result of grading a submission: graded, unchanged since the last run, absent, or a problem.

    penalised: True if the submission is unchanged but the late penalty has changed. in_force: the isolation
    that was active, if the submission was graded. interpreters: the Pythons that ran the notebooks. unproven:
    True if the problem is that the reference solution fails here.
    """

    submission: Submission
    graded: bool = False
    penalised: bool = False
    in_force: ActiveIsolation | None = None
    interpreters: tuple[str, ...] = ()
    problem: str | None = None
    incidents: tuple[Incident, ...] = ()
    unproven: bool = False


def autograde_submissions(
    course: Course,
    submissions: list[Submission],
    force: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Callable[[GradingOutcome], None] = lambda outcome: None,
    anyway: bool = False,
    arriving: Callable[[], Iterable[Submission]] | None = None,
) -> list[GradingOutcome]:
    """Grade new and changed submissions, and update the late penalties of the others.

    workers: number of parallel runs on this machine; by default the number of cores. scheduler: the address
    of a Dask scheduler whose workers are used instead. `done` is called after each submission. A submission
    that can't be graded does not stop the others. A lesson whose own reference solution fails here is not
    graded (see `reference_proof.py`). anyway: grade it, and leave the failed tests to a person. arriving:
    called while submissions run, returns further ones to grade; the result does not contain their outcomes.
    Raises CourseError if nothing can be graded, or if the connection to the scheduler is lost; then saved
    grades are kept, and the next call continues.
    """
    outcomes: dict[Submission, GradingOutcome] = {}
    around, refused = Around(course), dict[str, str]()
    # The submissions that have to be run, by lesson, and the lessons whose references are not proven yet.
    left, unproven = dict[str, deque[Submission]](), list[str]()

    def came_to(outcome: GradingOutcome) -> None:
        outcomes[outcome.submission] = outcome
        done(outcome)

    def find_waiting(found: Iterable[Submission]) -> list[Submission]:
        """Return the submissions that have to be run; the others have their outcomes."""
        waiting = []
        for submission in found:
            if submission.problem:
                came_to(fail_submission(course, submission, UNREADABLE, submission.problem))
            elif submission.absent:
                add_student(course, submission)
                came_to(GradingOutcome(submission))
            elif not force and (copies := find_current_copies(course, around, submission)):
                came_to(update_unchanged(course, around, submission, copies))
            else:
                waiting.append(submission)
        return waiting

    def add_waiting(waiting: Iterable[Submission]) -> set[Interpreter]:
        """Add submissions to those that have to be run. Return the interpreters of new lessons' kernels."""
        waiting = list(waiting)
        # Workers are forks of this process and inherit the lessons with their facts.
        lessons = {
            name: [parse_lesson(text) for text in course.texts(name).values()]
            for name in dict.fromkeys(submission.assignment for submission in waiting)
            if name not in left
        }
        texts = {name: [text for one in found for text in one.texts] for name, found in lessons.items()}
        around.execute.texts = (*around.execute.texts, *chain.from_iterable(texts.values()))
        for lesson in chain.from_iterable(() if scheduler else lessons.values()):
            # A lesson that can't be analyzed is a problem of its submissions.
            with suppress(Exception):
                lesson.compute_facts()
        # Check before anything runs; remote workers check for themselves.
        usable, problems = (
            (set[Interpreter](), {})
            if scheduler or not lessons
            else find_usable_kernels(course, around, lessons)
        )
        refused.update(problems)
        # Lessons whose libraries are imported first are graded first (see `kernel/zygote.py`).
        for name in sorted(lessons, key=lambda name: len(around.execute.select_modules(texts[name]))):
            left[name] = deque()
            unproven.append(name)
        for one in waiting:
            left[one.assignment].append(one)
        return usable

    waiting = find_waiting(submissions)
    if waiting:
        usable = add_waiting(waiting)
        most = max(1, workers or count_cores())
        if arriving is None:
            most = min(most, len(waiting))
        proofs, running = ReferenceProofs(course, around, scheduler), set[Submission | str]()

        def jobs() -> Iterator[tuple[Submission | str, bytes] | None]:
            """Yield the jobs of submissions, and before them the job that proves their lesson's reference.

            Yields None as long as all other jobs wait for proofs that are running, or may still arrive.
            """
            while any(left.values()) or running:
                if arriving:
                    add_waiting(find_waiting(arriving()))
                ready = (name for name in left if left[name] and name not in {*unproven, *proofs.running})
                wanted = next((name for name in unproven if left[name]), None)
                if name := next(ready, None):
                    if prepared := prepare(left[name].popleft()):
                        running.add(prepared[0])
                        yield prepared
                elif wanted and len(proofs.running) < (len(left) if scheduler else most):
                    unproven.remove(wanted)
                    if wanted in refused or find_kit_problem(wanted):
                        continue
                    if job := proofs.begin(wanted):
                        running.add(wanted)
                        yield wanted, job
                else:
                    yield None

        def find_kit_problem(name: str) -> str | None:
            try:
                # Any other problem of the lesson is reported with each submission.
                with suppress(CourseError, MissingEntry, *GRADEBOOK_ERRORS):
                    around.kit(name)
            except (KernelError, RuntimeError) as error:
                # RuntimeError: the environment's Python does not start.
                refused[name] = str(error)
            return refused.get(name)

        def prepare(submission: Submission) -> tuple[Submission, bytes] | None:
            """Return the job of a submission; None if the submission can't be graded."""
            if problem := refused.get(submission.assignment):
                came_to(fail_submission(course, submission, NOT_GRADED, problem))
                return None
            proof = proofs.found.get(submission.assignment, ReferenceProof())
            if proof.problem and not anyway:
                failed = fail_submission(course, submission, NOT_GRADED, proof.problem)
                came_to(replace(failed, unproven=True))
                return None
            try:
                return submission, replace(around.prepare(submission), unproven=proof.failed).serialize()
            except UnreadableSubmissionError as error:
                # The file was replaced after it was checked.
                came_to(fail_submission(course, submission, UNREADABLE, str(error)))
            except CourseError as error:
                came_to(fail_submission(course, submission, NOT_GRADED, str(error)))
            except (*GRADEBOOK_ERRORS, MissingEntry) as error:
                problem = f"the gradebook can't be read: {format_exception(error)}"
                came_to(fail_submission(course, submission, NOT_GRADED, problem))
            except Exception as error:
                problem = f"nbgrader could not grade the submission: {format_exception(error)}"
                came_to(fail_submission(course, submission, UNREADABLE, problem))
            return None

        # If anything fails here, close the workers.
        with closing(run_jobs(jobs(), most, scheduler, around.execute.modules, usable)) as results:
            for key, result in results:
                running.discard(key)
                if isinstance(key, str):
                    proofs.end(key, result)
                else:
                    came_to(save_job_result(course, around, key, result))
    return [outcomes[submission] for submission in submissions]


def find_usable_kernels(
    course: Course, around: Around, lessons: Mapping[str, list[Lesson]]
) -> tuple[set[Interpreter], dict[str, str]]:
    """Return the interpreters of the lessons' kernels, and the problem of each lesson without a usable one.

    Raises CourseError if this machine lacks the required isolation.
    """
    usable: set[Interpreter] = set()
    refused: dict[str, str] = {}
    try:
        contained = around.execute.in_force(course.root).contained
    except (IsolationError, RuntimeError) as error:
        raise CourseError(str(error)) from None
    for name, found in lessons.items():
        sources = (lesson.source for lesson in found)
        try:
            usable |= {*find_interpreters(around.execute, sources, contained, course.root)}
        except (KernelError, RuntimeError) as error:
            refused[name] = str(error)
    return usable, refused


def run_jobs(
    jobs: Iterator[tuple[Any, bytes] | None],
    workers: int,
    scheduler: str | None,
    preload: tuple[str, ...],
    interpreters: Iterable[Interpreter],
) -> Generator[tuple[Any, bytes | BaseException]]:
    """Run jobs (see `grading_job.py`) on workers of this machine or of a Dask scheduler.

    Yields the key of each finished job, with the job's result or exception.
    """
    if scheduler:
        # Importing Dask takes longer than checking that nothing has changed.
        with require_extra("cluster"):
            from gradebox.autograde.dask_executor import connect_dask_executor

        with connect_dask_executor(scheduler) as (executor, most, check):
            yield from run_all(executor, run_job, jobs, most, check)
    else:
        with open_process_pool(workers, preload, interpreters) as executor:
            yield from run_all(executor, run_job, jobs, workers)


def save_job_result(
    course: Course, around: Around, submission: Submission, result: bytes | BaseException
) -> GradingOutcome:
    """Save the result that a worker returned, and return the outcome."""
    if isinstance(result, BaseException):
        return fail_submission(
            course, submission, NOT_GRADED, f"the submission could not be run: {format_exception(result)}"
        )
    said = json.loads(result)
    if "problem" in said:
        return fail_submission(course, submission, NOT_GRADED, said["problem"])
    if "unreadable" in said:
        return fail_submission(course, submission, UNREADABLE, said["unreadable"])
    try:
        retry_write(lambda: around.save(submission, said["notebooks"]))
    except (*GRADEBOOK_ERRORS, MissingEntry) as error:
        return fail_submission(
            course, submission, NOT_GRADED, f"the gradebook can't be written: {format_exception(error)}"
        )
    except OSError as error:
        return fail_submission(
            course, submission, NOT_GRADED, f"the graded copy can't be written: {format_exception(error)}"
        )
    except Exception as error:
        return fail_submission(
            course,
            submission,
            UNREADABLE,
            f"nbgrader could not grade the submission: {format_exception(error)}",
        )
    found = [Incident(**one) for graded in said["notebooks"].values() for one in graded["incidents"]]
    return GradingOutcome(
        submission,
        graded=True,
        in_force=ActiveIsolation(**said["in_force"]),
        interpreters=tuple(said["interpreters"]),
        incidents=(*list_file_incidents(submission), *found),
    )


def add_student(course: Course, submission: Submission) -> None:
    """Add the student to the gradebook, so that exports list a student without a grade."""
    if find_name_problem(submission.student):
        return
    with suppress(*GRADEBOOK_ERRORS), course.gradebook() as gradebook:
        gradebook.update_or_create_student(submission.student)


def fail_submission(course: Course, submission: Submission, kind: str, problem: str) -> GradingOutcome:
    """Return the outcome of a submission that has no grade, and add the student to the gradebook.

    kind: UNREADABLE for a problem with the submission, NOT_GRADED for a problem in the grader.
    """
    add_student(course, submission)
    incident = Incident(submission.student, submission.assignment, kind, None, problem)
    return GradingOutcome(submission, problem=problem, incidents=(incident,))


def update_unchanged(
    course: Course, around: Around, submission: Submission, copies: Mapping[str, NotebookNode]
) -> GradingOutcome:
    """Update the late penalty of a submission whose notebooks need not run again."""
    try:
        penalised = retry_write(lambda: around.update_late_penalty(submission))
    except GRADEBOOK_ERRORS as error:
        return fail_submission(
            course, submission, NOT_GRADED, f"the gradebook can't be written: {format_exception(error)}"
        )
    except Exception as error:
        problem = f"the late penalty can't be computed: {format_exception(error)}"
        return fail_submission(course, submission, NOT_GRADED, problem)
    student, assignment = submission.student, submission.assignment
    found = [one for copy in copies.values() for one in incidents.find_incidents(student, assignment, copy)]
    return GradingOutcome(
        submission, penalised=penalised, incidents=(*list_file_incidents(submission), *found)
    )


def list_file_incidents(submission: Submission) -> Iterator[Incident]:
    """Yield an incident for each note about the files of a graded submission."""
    for note in submission.notes:
        yield Incident(submission.student, submission.assignment, REPAIRED, None, note)


def find_current_copies(
    course: Course, around: Around, submission: Submission
) -> dict[str, NotebookNode] | None:
    """Return the graded copies, by name, if they and the gradebook are up to date; otherwise None.

    A copy with a test that the reference solution has failed is never up to date.
    """
    assignment, student = submission.assignment, submission.student
    folder = course.path("autograded", assignment, student)
    found = {name: read_graded_copy(folder / f"{name}.ipynb") for name in submission.files}
    copies = {name: copy for name, copy in found.items() if copy and read_fingerprint(copy)}
    cells = (cell for copy in copies.values() for cell in copy.cells)
    if len(copies) < len(found) or any(map(read_reference_problem, cells)):
        return None
    try:
        with course.gradebook() as gradebook:
            gradebook.find_submission(assignment, student)
        contents = dict(safe_submission_files.read_files(course.path("submitted", assignment, student)))
        current = around.fingerprints(submission, contents)
    except (MissingEntry, UnreadableSubmissionError):
        return None
    return copies if {name: read_fingerprint(copy) for name, copy in copies.items()} == current else None
