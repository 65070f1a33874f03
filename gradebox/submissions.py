"""What was handed in, and what is wrong with it before anything is run. Reads files, never writes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gradebox.course import Course


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one assignment.

    problem: why it can't be graded, in one clause; None if it can.
    """

    student: str
    assignment: str
    problem: str | None = None


def handed_in(course: Course, assignments: list[str], students: list[str]) -> Iterator[Submission]:
    """Every student's submission to every assignment that somebody has handed in.

    An assignment that nobody has handed in yet is not due, so nobody misses it. A folder that is no
    assignment of the course is reported when all assignments are asked for.
    """
    for assignment in assignments:
        if any(course.path("submitted", assignment, student).is_dir() for student in course.students):
            for student in students:
                yield Submission(student, assignment, problem_with(course, assignment, student))
    if assignments == course.assignments:
        for student in students:
            for folder in sorted(course.path("submitted", "x", student).parent.iterdir()):
                if folder.is_dir() and not folder.name.startswith(".") and folder.name not in assignments:
                    known = ", ".join(assignments)
                    yield Submission(student, folder.name, f"is no assignment of this course ({known})")


def problem_with(course: Course, assignment: str, student: str) -> str | None:
    """Why a submission can't be graded, or None."""
    folder = course.path("submitted", assignment, student)
    if any(character in student for character in "*?[") or student != student.strip():
        return "the folder's name has *, ?, [ or an outer blank, which nbgrader misreads: rename it"
    if not folder.is_dir():
        return "nothing was handed in"
    found = sorted(path.name for path in folder.glob("*.ipynb"))
    for name in course.notebooks(assignment):
        file = f"{name}.ipynb"
        if file not in found:
            others = f"found {', '.join(found)} instead" if found else "the folder holds no notebook"
            return f"{file} is missing: {others}"
        problem = unreadable(folder / file)
        if problem:
            return f"{file} {problem}"
    return None


def unreadable(path: Path) -> str | None:
    """Why a file is no notebook that can be graded, or None."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        return f"can't be opened: {error.strerror}"
    if not raw.strip():
        return "is empty"
    try:
        content = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "is not a notebook: it is not text"
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        return f"is not a notebook: it is not JSON{where}"
    if not isinstance(content, dict) or "nbformat" not in content:
        return "is JSON, but not a notebook"
    if content["nbformat"] not in (3, 4):
        return f"has notebook format {content['nbformat']}, not 4: open it in Jupyter and save it again"
    if not isinstance(content.get("cells" if content["nbformat"] == 4 else "worksheets"), list):
        return "is a notebook without cells"
    return None
