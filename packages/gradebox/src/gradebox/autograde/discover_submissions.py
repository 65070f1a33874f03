"""Find submissions, and their problems that are visible before execution. Never writes files."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import MissingEntry

from gradebox.autograde.match_notebooks import MatchNotebooks, match_notebooks
from gradebox.course import Course, CourseError
from gradebox.safe_submission_files import is_hidden
from gradebox.spreadsheet_formulas import begins_formula

# Characters that change the columns of a CSV table.
CSV_SEPARATORS = ',;"'
# In bytes.
MAX_FOLDER_NAME_BYTES = 128


@dataclass(frozen=True)
class Submission:
    """One student's submission to one assignment.

    problem: the reason why the submission can't be graded, in one clause, or None. absent: True if there is
    nothing to grade. files: paths of the notebooks, by released name. notes: remarks for the instructor about
    the files.
    """

    student: str
    assignment: str
    problem: str | None = None
    absent: bool = False
    files: Mapping[str, Path] = field(default_factory=dict, compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def relative_paths(self, folder: Path) -> dict[str, str]:
        """Return the notebooks' paths in the student's folder, with slashes, by released name."""
        return {name: path.relative_to(folder).as_posix() for name, path in self.files.items()}


def find_submissions(course: Course, assignments: list[str], students: list[str]) -> Iterator[Submission]:
    """Yield each student's submission to each assignment that has at least one submission.

    An assignment without any submission is not due yet, so no student counts as missing. If all assignments
    are requested, a folder that is neither an assignment of the course, nor a skipped or ignored folder, is
    yielded with a problem. Raises CourseError if an assignment with submissions was never released.
    """
    for assignment in assignments:
        folders = [course.path("submitted", assignment, student) for student in course.students]
        if any(has_files(folder) or folder.is_symlink() for folder in folders):
            check_released(course, assignment)
            for student in students:
                yield read_submission(course, assignment, student)
    if assignments == course.assignments:
        known_folders = {*assignments, *course.skipped_assignments}
        for student in students:
            parent = course.path("submitted", "x", student).parent
            for folder in sorted(parent.iterdir()) if can_be_listed(parent) else []:
                if folder.name in known_folders or course.is_ignored(folder.name):
                    continue
                if folder.is_dir() and not is_hidden(folder.name):
                    known = ", ".join(assignments)
                    yield Submission(
                        student, folder.name, f"is not an assignment of this course (known: {known})"
                    )


def check_released(course: Course, assignment: str) -> None:
    """Raise CourseError if a source notebook of the assignment is not in the gradebook or not in release/."""
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
    """Return True if the folder has visible files or can't be listed."""
    try:
        return folder.is_dir() and any(not is_hidden(path.name) for path in folder.iterdir())
    except OSError:
        return True


def can_be_listed(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and os.access(folder, os.R_OK | os.X_OK)


def is_linked(folder: Path) -> bool:
    """Return True if a student's assignment folder, or the student's own folder, is a link."""
    return folder.is_symlink() or folder.parent.is_symlink()


def find_name_problem(student: str) -> str | None:
    """Return the reason why a folder's name can't be a student's id, in one clause, or None.

    Names of folders become names in the gradebook, in its exports, on pages and in tables.
    """
    if not student.isprintable():
        return "the folder's name has a line break, or another character that can't be printed: rename it"
    if len(os.fsencode(student)) > MAX_FOLDER_NAME_BYTES:
        limit = MAX_FOLDER_NAME_BYTES
        return f"the folder's name has more than {limit} bytes, too many for the gradebook: rename it"
    if set(student) & set("*?[") or student != student.strip():
        return (
            "the folder's name has *, ?, [, or a leading or trailing space, "
            "which nbgrader misreads: rename it"
        )
    if begins_formula(student) or set(student) & set(CSV_SEPARATORS):
        return (
            "the folder's name begins with =, +, - or @, or has a comma, a semicolon or a quotation mark, "
            "which a spreadsheet misreads: rename it"
        )
    if set(student) & set("<>"):
        return "the folder's name has < or >, which HTML treats as markup: rename it"
    return None


def read_submission(course: Course, assignment: str, student: str) -> Submission:
    """Return a student's submission to a released assignment."""
    folder = course.path("submitted", assignment, student)
    if not has_files(folder) and not is_linked(folder):
        return Submission(student, assignment, absent=True)
    problem = find_name_problem(student)
    if problem:
        return Submission(student, assignment, problem)
    by_name = MatchNotebooks(parent=course.app).released_name_counts
    found = match_notebooks(folder, course.path("release", assignment), by_name)
    return Submission(student, assignment, found.problem, files=found.files, notes=found.notes)
