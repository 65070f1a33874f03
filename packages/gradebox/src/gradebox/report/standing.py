"""Where every student stands in an assignment, for what leaves the course: a grade, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from nbgrader.api import Assignment, SubmittedAssignment

from gradebox.course import Course, CourseError
from gradebox.grade.around import Around
from gradebox.grade.fingerprint import graded_copy
from gradebox.grade.grade import graded_copies
from gradebox.grade.submissions import has_files, submission
from gradebox.record import fingerprint
from gradebox.report.tables import Entry, entries

GRADED, UNREAD, UNGRADED, CHANGED, ABSENT = (
    *("graded", "waits to be read", "not graded", "to be graded again", "not handed in"),
)
STATES = (GRADED, UNREAD, UNGRADED, CHANGED, ABSENT)


@dataclass(frozen=True)
class Standing:
    """Where a student stands in an assignment.

    state: one of the five; only GRADED has points that may leave the course. points: after the penalty.
    unread: how many answers wait for a reader. received, due: in UTC, if known; due with the student's own
    extension.
    """

    student: str
    assignment: str
    state: str
    points: float = 0
    possible: float = 0
    penalty: float = 0
    late: bool = False
    unread: int = 0
    received: datetime | None = None
    due: datetime | None = None

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
        rows = gradebook.db.query(SubmittedAssignment).join(Assignment).filter(Assignment.name == assignment)
        times = {row.student_id: (row.timestamp, row.duedate) for row in rows}
        due = gradebook.db.query(Assignment.duedate).filter(Assignment.name == assignment).scalar()
    result, is_current = {}, Current(course)
    for student in course.roster:
        entry = found.get(student)
        state = state_of(course, assignment, student, entry, wanted, is_current)
        received, until = times.get(student, (None, due))
        grades = entry.grades if entry and state in (GRADED, UNREAD) else {}
        mine = [grades[key] for key in wanted] if grades else []
        result[student] = Standing(
            *(student, assignment, state),
            points=sum(points for points, _ in mine) - (entry.penalty if entry and mine else 0),
            possible=possible,
            penalty=entry.penalty if entry else 0,
            late=bool(entry and entry.late),
            unread=sum(waiting for _, waiting in mine),
            received=received,
            due=until,
        )
    return result


class Current:
    """Whether a grade is of what was handed in, as far as its graded copy says that: see `fingerprint.py`."""

    def __init__(self, course: Course):
        self.course = course
        try:
            self.around: Around | None = Around(course)
        except CourseError:
            # It is graded by nbgrader alone.
            self.around = None

    def __call__(self, assignment: str, student: str) -> bool:
        folder = self.course.path("autograded", assignment, student)
        copies = [graded_copy(path) for path in folder.glob("*.ipynb")]
        if not self.around or not any(map(fingerprint, copies)):
            return True
        found = submission(self.course, assignment, student)
        return not found.problem and graded_copies(self.course, self.around, found) is not None


def state_of(
    course: Course,
    assignment: str,
    student: str,
    entry: Entry | None,
    wanted: set[tuple[str, str]],
    is_current: Current,
) -> str:
    is_graded = entry is not None and wanted <= entry.grades.keys()
    if not has_files(course.path("submitted", assignment, student)):
        # Whoever has handed in nothing now may have had a grade before.
        return ABSENT if not is_graded else with_grades(entry, wanted)
    if not is_graded:
        return UNGRADED
    return with_grades(entry, wanted) if is_current(assignment, student) else CHANGED


def with_grades(entry: Entry | None, wanted: set[tuple[str, str]]) -> str:
    grades: Mapping[tuple[str, str], tuple[float, bool]] = entry.grades if entry else {}
    return UNREAD if any(grades[key][1] for key in wanted) else GRADED
