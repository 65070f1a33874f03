"""What was handed in, and what is wrong with it before anything is run. Reads files, never writes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import MissingEntry

from gradebox.course import Course, CourseError
from gradebox.recognise import recognise


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


def handed_in(course: Course, assignments: list[str], students: list[str]) -> Iterator[Submission]:
    """Every student's submission to every assignment that somebody has handed in.

    An assignment that nobody has handed in yet is not due, so nobody misses it. A folder that is no
    assignment of the course is reported when all assignments are asked for. Raises CourseError if one that
    somebody has handed in was never released.
    """
    for assignment in assignments:
        if any(has_files(course.path("submitted", assignment, student)) for student in course.students):
            check_released(course, assignment)
            for student in students:
                yield submission(course, assignment, student)
    if assignments == course.assignments:
        for student in students:
            parent = course.path("submitted", "x", student).parent
            for folder in sorted(parent.iterdir()) if parent.is_dir() else []:
                if folder.is_dir() and not folder.name.startswith(".") and folder.name not in assignments:
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
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())


def submission(course: Course, assignment: str, student: str) -> Submission:
    """What a student handed in for an assignment that is released."""
    folder = course.path("submitted", assignment, student)
    if not has_files(folder):
        return Submission(student, assignment, absent=True)
    if any(character in student for character in "*?[") or student != student.strip():
        problem = "the folder's name has *, ?, [ or an outer blank, which nbgrader misreads: rename it"
        return Submission(student, assignment, problem)
    found = recognise(folder, course.path("release", assignment))
    return Submission(student, assignment, found.problem, files=found.files, notes=found.notes)
