"""Write feedback pages in worker processes, except pages that are up to date.

Called by `gradebox feedback`. A file beside the pages of a student's assignment holds a keyed hash of all
that the pages depend on, and of the pages themselves. nbgrader and the exports release only the pages.
"""

import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain, groupby, islice
from operator import attrgetter
from pathlib import Path

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters import GenerateFeedback

from gradebox.autograde.adjustments import read_adjustments
from gradebox.autograde.discover_submissions import check_released, has_files
from gradebox.autograde.fingerprint import (
    hash_files,
    read_folder_files,
    read_library_versions,
    to_stable_text,
)
from gradebox.autograde.graded_text_hashes import hash_parts
from gradebox.autograde.late_policy import LatePolicy
from gradebox.autograde.process_pool import ProcessPool, Worker, WorkerDiedError, count_cores, run_all
from gradebox.course import CONFIG, Course
from gradebox.course_secret import load_course_secret
from gradebox.printable_text import format_exception
from gradebox.reports.dependent_points import update_dependent_points
from gradebox.reports.terminal_score_tables import read_submission_grades
from gradebox.safe_submission_files import UnreadableSubmissionError, read_files

HASH_FILE = ".gradebox-pages"
# How many students' pages for an assignment a worker writes at a time.
BATCH_SIZE = 8
PACKAGE = Path(__file__).parents[1]
# File types of this package that pages depend on, and libraries that render them.
SUFFIXES = (".py", ".j2", ".css", ".json")
LIBRARIES = ("bleach", "ipython", "jinja2", "latex2mathml", "mistune", "nbconvert", "nbgrader", "pygments")


@dataclass(frozen=True)
class PageJob:
    """Pages of a student's assignment to write. inputs: a hash of all that they depend on."""

    root: str
    assignment: str
    student: str
    inputs: str


def write_feedback(
    course: Course, students: Mapping[str, list[str]], force: bool, done: Callable[[], None]
) -> tuple[int, list[tuple[str, str, str]]]:
    """Write the pages that are not up to date, in as many processes as there are cores.

    students: the students with graded copies, by assignment. force: write all pages. done: called for each
    assignment of a student. Returns how many were written, and those that can't be written: assignment,
    student and the reason in one line. Raises CourseError and the errors of the database.
    """
    batches = split_into_batches(find_stale_pages(course, students, force, done))
    first = next(batches, None)
    if first is None:
        return 0, []
    written, problems = 0, []
    # Workers are forks of this process, and need not import this again.
    import_module("gradebox.reports.feedback_preprocessor")
    with closing(ProcessPool(min(count_cores(), sum(map(len, students.values()))), {})) as pool:
        for job, problem in run_batches(pool, chain([first], batches)):
            written += not problem
            problems += [(job.assignment, job.student, problem)] if problem else []
            done()
    return written, problems


class PageWriter:
    """Writer of one submission's pages after the other, in a worker process that stays."""

    def __init__(self) -> None:
        import_module("gradebox.reports.feedback_preprocessor")
        self.worker = Worker({}, None)

    def write(self, course: Course, assignment: str, student: str) -> str | None:
        """Write a student's pages if they are not up to date. Return why they can't be written, or None."""
        job = next(find_stale_pages(course, {assignment: [student]}, force=False, done=lambda: None), None)
        if job is None:
            return None
        try:
            found, error = self.worker.do(pickle.dumps((write_pages, ([job],))))
        except (EOFError, OSError):
            self.worker.end()
            self.worker.start("spawn")
            return "the worker process died, perhaps out of memory"
        if error:
            return format_exception(error)
        (problem,) = found
        return problem


def split_into_batches(jobs: Iterator[PageJob]) -> Iterator[list[PageJob]]:
    """Yield batches of jobs of one assignment, because a worker renders the course's cells only once."""
    for _, group in groupby(jobs, key=attrgetter("assignment")):
        while batch := list(islice(group, BATCH_SIZE)):
            yield batch


def run_batches(pool: ProcessPool, batches: Iterator[list[PageJob]]) -> Iterator[tuple[PageJob, str | None]]:
    """Yield each job, when its pages are written, with the reason in one line if they can't be written.

    The pages of a batch whose worker has died are written one by one.
    """
    lost: list[PageJob] = []
    for batch, found in run_all(pool, write_pages, ((one, one) for one in batches), len(pool.workers)):
        if isinstance(found, WorkerDiedError) and len(batch) > 1:
            lost += batch
        elif isinstance(found, WorkerDiedError):
            yield batch[0], str(found)
        elif isinstance(found, BaseException):
            raise found
        else:
            yield from zip(batch, found, strict=True)
    if lost:
        yield from run_batches(pool, ([job] for job in lost))


def find_graded_students(course: Course, assignments: list[str], students: list[str]) -> dict[str, list[str]]:
    """Return which of these students have graded copies, by assignment. Raises CourseError.

    The error is for an assignment with submissions that was never released.
    """
    for assignment in assignments:
        if any(has_files(course.path("submitted", assignment, student)) for student in course.students):
            check_released(course, assignment)
    found = {
        assignment: [name for name in students if course.path("autograded", assignment, name).is_dir()]
        for assignment in assignments
    }
    return {assignment: names for assignment, names in found.items() if names}


def find_stale_pages(
    course: Course, students: Mapping[str, list[str]], force: bool, done: Callable[[], None]
) -> Iterator[PageJob]:
    """Yield the pages to write. done: called for each assignment of a student that is up to date."""
    shared = list(hash_course_inputs(course))
    for assignment, names in students.items():
        update_dependent_points(course, assignment)
        folders = (course.path(step, assignment) for step in ("source", "release"))
        own = hash_parts(
            [*shared, *chain.from_iterable(hash_files(read_folder_files(one)) for one in folders)]
        )
        for student in names:
            inputs = hash_page_inputs(course, assignment, student, own)
            if not force and is_up_to_date(course.path("feedback", assignment, student), inputs):
                done()
            else:
                yield PageJob(str(course.root), assignment, student, inputs)


@cache
def open_worker_course(root: str) -> Course:
    return Course(Path(root))


def write_pages(jobs: list[PageJob]) -> list[str | None]:
    """Write pages, in a worker. Return for each job the reason in one line if its pages can't be written."""
    return [write_page(open_worker_course(job.root), job) for job in jobs]


def write_page(course: Course, job: PageJob) -> str | None:
    # nbgrader's steps share this connection.
    with course.gradebook():
        problem = course.convert(GenerateFeedback, job.assignment, job.student)
    if not problem:
        folder = course.path("feedback", job.assignment, job.student)
        (folder / HASH_FILE).write_text(hash_pages(folder, job.inputs), encoding="ascii")
    return problem


def is_up_to_date(folder: Path, inputs: str) -> bool:
    """Return True if the pages in a folder were made from these inputs, and are as they were written."""
    stored = folder / HASH_FILE
    try:
        found = stored.read_text(encoding="ascii") == hash_pages(folder, inputs)
    except (OSError, ValueError):
        return False
    if found:
        # Exports compare the dates of pages and graded copies. Another instructor's file can't be touched.
        with suppress(OSError):
            stored.touch()
    return found


def hash_pages(folder: Path, inputs: str) -> str:
    """Return the content of `HASH_FILE` for the pages in a folder, made from these inputs."""
    files = ((name, content) for name, content in read_folder_files(folder) if name != HASH_FILE)
    return hash_parts([inputs.encode(), *hash_files(files)]).hex()


def hash_course_inputs(course: Course) -> Iterator[bytes]:
    """Yield the inputs that all pages of a course share.

    The course's secret is one of them, so that a hash that somebody gets to see confirms no guess.
    """
    yield load_course_secret(course.root).encode()
    yield json.dumps(course.app.config, sort_keys=True, default=to_stable_text).encode()
    yield (course.root / CONFIG).read_bytes()
    yield json.dumps(read_library_versions(LIBRARIES), sort_keys=True).encode()
    package = sorted(path for path in PACKAGE.rglob("*") if path.suffix in SUFFIXES)
    yield from (path.read_bytes() for path in package)
    for folder in find_template_folders(course):
        yield from hash_files(read_folder_files(folder))


def find_template_folders(course: Course) -> list[Path]:
    """Return the folders of the page template; empty if it is invalid, which each page then reports."""
    with suppress(Exception):
        step = GenerateFeedback(coursedir=course.directory(), parent=course.app)
        exporter = step.exporter_class(parent=step, config=step.config)
        return [Path(folder) for folder in getattr(exporter, "template_paths", ())]
    return []


def hash_page_inputs(course: Course, assignment: str, student: str, shared: bytes) -> str:
    """Return a hash of all that the pages of a student's assignment depend on.

    shared: the hash of what all students' pages for the assignment depend on.
    """
    try:
        submitted = list(hash_files(read_files(course.path("submitted", assignment, student))))
    except UnreadableSubmissionError as error:
        # The page then has only what is in the graded copy.
        submitted = [str(error).encode()]
    graded = hash_files(read_folder_files(course.path("autograded", assignment, student)))
    with course.gradebook() as gradebook:
        known = read_gradebook_inputs(gradebook, assignment, student)
        timing = LatePolicy(parent=course.app).describe_submission(gradebook.db, student, assignment)
    return hash_parts([shared, *submitted, b"", *graded, json.dumps([*known, timing]).encode()]).hex()


def read_gradebook_inputs(gradebook: Gradebook, assignment: str, student: str) -> list[list[str]]:
    """Return all that a student's pages show from the gradebook, as text in a fixed order."""
    query = gradebook.db.query
    person = query(Student.first_name, Student.last_name).filter(Student.id == student)
    comments = (
        query(Notebook.name, BaseCell.name, Comment.auto_comment, Comment.manual_comment)
        .select_from(Comment)
        .join(Comment.notebook)
        .join(SubmittedNotebook.notebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedAssignment.assignment)
        .join(BaseCell, BaseCell.id == Comment.cell_id)
        .filter(Assignment.name == assignment, SubmittedAssignment.student_id == student)
    )
    entries = read_submission_grades(gradebook, assignment, student).values()
    late = [(entry.late, entry.penalty) for entry in entries]
    grades = [grade for entry in entries for grade in entry.grades.items()]
    adjustments = read_adjustments(gradebook.db.connection(), assignment)
    return [sorted(map(repr, rows)) for rows in (person, comments, late, grades, adjustments)]
