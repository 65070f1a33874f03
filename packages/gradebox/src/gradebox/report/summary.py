"""What came of a submission, as data for other systems: a JSON object of a documented format."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.course import Course
from gradebox.grade.fingerprint import graded_copy
from gradebox.grade.incidents import of_notebook
from gradebox.record import repairs
from gradebox.report.exercises import exercises, fill
from gradebox.report.standing import GRADED, UNREAD, Standing
from gradebox.report.tables import entries

# Another number if a field goes, or means something else; new fields may come.
FORMAT, VERSION = "gradebox-summary", 1


def summaries(course: Course, assignment: str, found: Mapping[str, Standing]) -> dict[str, dict[str, Any]]:
    """The summary of each student, by student; `docs/lms.md` says what is in it.

    found: where they stand. It holds what students may see: of hidden tests, what their feedback says.
    """
    sources = course.sources(assignment)
    marks = ClearHiddenTests(parent=course.app)
    with course.gradebook() as gradebook:
        grades = {student: entry.grades for student, entry in entries(gradebook, assignment).items()}
        people = {
            one.id: {
                "id": one.id,
                "first_name": one.first_name,
                "last_name": one.last_name,
                "email": one.email,
            }
            for one in gradebook.students
        }
    result = {}
    for student, standing in found.items():
        is_graded = standing.state in (GRADED, UNREAD)
        copies = copies_of(course, assignment, student) if is_graded else {}
        told = [one for copy in copies.values() for one in of_notebook(student, assignment, copy)]
        result[student] = {
            "format": FORMAT,
            "version": VERSION,
            "course": course.directory().course_id,
            "assignment": assignment,
            "student": people.get(student, {"id": student}),
            "state": standing.state,
            "points": standing.grade,
            "possible": standing.possible,
            "penalty": standing.penalty,
            "late": standing.late,
            "unread": standing.unread,
            "received": in_iso(standing.received),
            "due": in_iso(standing.due),
            "exercises": lines(sources, grades.get(student, {}), copies, marks) if is_graded else [],
            "repairs": [repair for copy in copies.values() for repair in repairs(copy)],
            "incidents": [
                {"kind": one.kind, "cell": one.cell, "what": one.what} for one in told if one.cell is not None
            ],
        }
    return result


def copies_of(course: Course, assignment: str, student: str) -> dict[str, NotebookNode]:
    """The graded copies that there are, by the name of their notebook."""
    folder = course.path("autograded", assignment, student)
    found = {name: graded_copy(folder / f"{name}.ipynb") for name in course.notebooks(assignment)}
    return {name: copy for name, copy in found.items() if copy}


def lines(
    sources: Mapping[str, NotebookNode],
    grades: Mapping[tuple[str, str], tuple[float, bool]],
    copies: Mapping[str, NotebookNode],
    marks: ClearHiddenTests,
) -> list[dict[str, Any]]:
    """A line for each exercise."""
    found = exercises(sources)
    fill(found, grades, copies, marks)
    return [
        {
            **{"number": one.called, "title": one.title},
            **{"points": one.score + one.read, "possible": one.possible + one.written},
            **{"unread": one.unread, "second_chance": one.second_chance},
            **{"mistakes": one.mistakes, "said": one.words},
        }
        for one in found
    ]


def in_iso(when: datetime | None) -> str | None:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}" if when else None
