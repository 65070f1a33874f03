"""What came of a submission, as data for other systems: a JSON object of a documented format."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.course import Course
from gradebox.grade.fingerprint import graded_copy
from gradebox.grade.incidents import of_notebook
from gradebox.notebook import GradedCell, hidden_lines, name_of
from gradebox.record import advice, passed_on_second_chance, repairs
from gradebox.report.feedback import what_the_test_said
from gradebox.report.standing import GRADED, UNREAD, Standing
from gradebox.report.tables import entries

# Another number if a field goes, or means something else; new fields may come.
FORMAT, VERSION = "gradebox-summary", 1


def summaries(course: Course, assignment: str, found: Mapping[str, Standing]) -> dict[str, dict[str, Any]]:
    """The summary of each student, by student; `docs/lms.md` says what is in it.

    found: where they stand. It holds what students may see: of hidden tests, what their feedback says.
    """
    cells = course.graded_cells(assignment)
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
            "exercises": exercises(cells, grades.get(student, {}), copies, marks) if is_graded else [],
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


def exercises(
    cells: list[GradedCell],
    grades: Mapping[tuple[str, str], tuple[float, bool]],
    copies: Mapping[str, NotebookNode],
    marks: ClearHiddenTests,
) -> list[dict[str, Any]]:
    """A line for each exercise: its points, and what its tests said to the student where some are missing."""
    tests = {(name, name_of(cell)): cell for name, copy in copies.items() for cell in copy.cells}
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for cell in cells:
        line = lines.setdefault(
            (cell.notebook, cell.number),
            {
                **{"number": cell.number, "title": cell.title, "points": 0.0, "possible": 0.0},
                **{"unread": 0, "second_chance": False, "mistakes": [], "said": []},
            },
        )
        points, waiting = grades.get((cell.notebook, cell.grade_id), (0.0, True))
        line["points"] += points
        line["possible"] += cell.points
        line["unread"] += waiting
        test = tests.get((cell.notebook, cell.grade_id))
        if test is None or test.cell_type != "code" or cell.manual:
            continue
        if passed_on_second_chance(test):
            line["second_chance"] = True
        elif points < cell.points:
            said = what_the_test_said(test, hidden_lines(test, marks))
            line["said"] += [said] if said else []
            mistake = advice(test)
            line["mistakes"] += [mistake] if mistake else []
    return list(lines.values())


def in_iso(when: datetime | None) -> str | None:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}" if when else None
