"""Where every student stands in an assignment, for what leaves the course: a grade, or why there is none."""

from collections.abc import Callable
from dataclasses import dataclass

from gradebox.autograde.autograde_steps import Around
from gradebox.autograde.discover_submissions import has_files, submission
from gradebox.autograde.fingerprint import graded_copy
from gradebox.autograde.grade_submissions import graded_copies
from gradebox.course import Course, CourseError
from gradebox.notebook_metadata import fingerprint
from gradebox.reports.score_tables import entries

STATES = GRADED, UNREAD, UNGRADED, CHANGED, ABSENT = (
    *("graded", "waits to be read", "not graded", "to be graded again", "not handed in"),
)


@dataclass(frozen=True)
class Standing:
    """Where a student stands in an assignment.

    state: one of the five; only GRADED has points that may leave the course. points: after the penalty.
    unread: how many answers wait for a reader.
    """

    student: str
    assignment: str
    state: str
    points: float = 0
    possible: float = 0
    penalty: float = 0
    late: bool = False
    unread: int = 0

    @property
    def grade(self) -> float | None:
        return self.points if self.state == GRADED else None


def standings(course: Course, assignment: str) -> dict[str, Standing]:
    """Where everybody stands who has a folder in `submitted/`, or is in the gradebook, by student."""
    cells = course.graded_cells(assignment)
    wanted = {(cell.notebook, cell.grade_id) for cell in cells}
    possible = sum(cell.points for cell in cells)
    with course.gradebook() as gradebook:
        found = entries(gradebook, assignment)
    result, is_current = {}, current_grades(course)
    for student in course.roster:
        entry = found.get(student)
        # Whoever has handed in nothing now may have had a grade before.
        present = has_files(course.path("submitted", assignment, student))
        mine = [entry.grades[key] for key in wanted] if entry and wanted <= entry.grades.keys() else None
        if mine is None:
            state = UNGRADED if present else ABSENT
        elif present and not is_current(assignment, student):
            state = CHANGED
        else:
            state = UNREAD if any(waits for _, waits in mine) else GRADED
        mine = mine if mine and state in (GRADED, UNREAD) else []
        result[student] = Standing(
            *(student, assignment, state),
            points=sum(points for points, _ in mine) - (entry.penalty if entry and mine else 0),
            possible=possible,
            penalty=entry.penalty if entry else 0,
            late=bool(entry and entry.late),
            unread=sum(waiting for _, waiting in mine),
        )
    return result


def current_grades(course: Course) -> Callable[[str, str], bool]:
    """Return what says whether a student's grade in an assignment is of what is handed in now.

    It says so as far as the graded copy does: see `autograde/fingerprint.py`.
    """
    try:
        around = Around(course)
    except CourseError:
        # It is graded by nbgrader alone.
        return lambda assignment, student: True

    def is_current(assignment: str, student: str) -> bool:
        folder = course.path("autograded", assignment, student)
        if not any(fingerprint(graded_copy(path)) for path in folder.glob("*.ipynb")):
            return True
        found = submission(course, assignment, student)
        return not found.problem and graded_copies(course, around, found) is not None

    return is_current
