"""What was handed in, and what is wrong with it before anything is run. Reads files, never writes."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import MissingEntry

from gradebox.autograde.match_notebooks import match_notebooks
from gradebox.course import Course, CourseError
from gradebox.submission_files import is_hidden

# With these, a spreadsheet takes a text for a formula (the last are wide forms of the others); with those, a
# table as text gets other columns.
FORMULA_PREFIXES, CSV_SEPARATORS = tuple("=+-@＝＋－＠"), ',;"'
# Bytes of a name.
MAX_FOLDER_NAME_BYTES = 128


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one assignment.

    problem: why it can't be graded, in one clause; None if it can. absent: whether there is nothing to grade.
    files: where its notebooks are, by their released names. notes: what an instructor should know of them.
    """

    student: str
    assignment: str
    problem: str | None = None
    absent: bool = False
    files: Mapping[str, Path] = field(default_factory=dict, compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)


def find_submissions(course: Course, assignments: list[str], students: list[str]) -> Iterator[Submission]:
    """Every student's submission to every assignment that somebody has handed in.

    An assignment that nobody has handed in yet is not due, so nobody misses it. A folder that is no
    assignment of the course is reported when all assignments are asked for. Raises CourseError if one that
    somebody has handed in was never released.
    """
    for assignment in assignments:
        folders = [course.path("submitted", assignment, student) for student in course.students]
        if any(has_files(folder) or folder.is_symlink() for folder in folders):
            check_released(course, assignment)
            for student in students:
                yield read_submission(course, assignment, student)
    if assignments == course.assignments:
        for student in students:
            parent = course.path("submitted", "x", student).parent
            for folder in sorted(parent.iterdir()) if can_be_listed(parent) else []:
                if folder.is_dir() and not is_hidden(folder.name) and folder.name not in assignments:
                    known = ", ".join(assignments)
                    yield Submission(student, folder.name, f"is no assignment of this course ({known})")


def check_released(course: Course, assignment: str) -> None:
    """Raises CourseError if the gradebook, or release/, does not know the assignment as it is in source/."""
    release = course.path("release", assignment)
    try:
        with course.gradebook() as gradebook:
            for name in course.notebooks(assignment):
                gradebook.find_notebook(name, assignment)
                if not (release / f"{name}.ipynb").is_file():
                    raise MissingEntry
    except MissingEntry:
        raise CourseError(
            f"{assignment} was handed in, but not released here: run `gradebox release {assignment}` first"
        ) from None


def has_files(folder: Path) -> bool:
    """Whether something was handed in, or something that can't be looked into."""
    try:
        return folder.is_dir() and any(not is_hidden(path.name) for path in folder.iterdir())
    except OSError:
        return True


def can_be_listed(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and os.access(folder, os.R_OK | os.X_OK)


def is_linked(folder: Path) -> bool:
    """Whether a student's folder for an assignment, or the student's own, is a link."""
    return folder.is_symlink() or folder.parent.is_symlink()


def find_name_problem(student: str) -> str | None:
    """Why no student can be called that, in one clause; None if one can.

    The names of folders become names in the gradebook, in its exports, on pages and in tables.
    """
    if not student.isprintable():
        return "the folder's name has a line break, or another character that can't be printed: rename it"
    if len(os.fsencode(student)) > MAX_FOLDER_NAME_BYTES:
        limit = MAX_FOLDER_NAME_BYTES
        return f"the folder's name has more than {limit} bytes, too many for the gradebook: rename it"
    if set(student) & set("*?[") or student != student.strip():
        return "the folder's name has *, ?, [ or an outer blank, which nbgrader misreads: rename it"
    if student.startswith(FORMULA_PREFIXES) or set(student) & set(CSV_SEPARATORS):
        return (
            "the folder's name begins with =, +, - or @, or has a comma, a semicolon or a quotation mark, "
            "which a spreadsheet misreads: rename it"
        )
    if set(student) & set("<>"):
        return "the folder's name has < or >, which a page misreads: rename it"
    return None


def read_submission(course: Course, assignment: str, student: str) -> Submission:
    """What a student handed in for an assignment that is released."""
    folder = course.path("submitted", assignment, student)
    if not has_files(folder) and not is_linked(folder):
        return Submission(student, assignment, absent=True)
    problem = find_name_problem(student)
    if problem:
        return Submission(student, assignment, problem)
    found = match_notebooks(folder, course.path("release", assignment))
    return Submission(student, assignment, found.problem, files=found.files, notes=found.notes)
