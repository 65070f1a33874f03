"""Status of every student in an assignment, for exports: a final grade, or the reason for a missing grade."""

from collections.abc import Callable
from dataclasses import dataclass

from gradebox.autograde.adjustments import read_counted_cells
from gradebox.autograde.discover_submissions import has_files, read_submission
from gradebox.autograde.fingerprint import read_graded_copy
from gradebox.autograde.grade_submissions import find_current_copies
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.notebook_metadata import read_fingerprint
from gradebox.reports.dependent_points import update_dependent_points
from gradebox.reports.terminal_score_tables import read_submission_grades

STATES = GRADED, UNREAD, UNGRADED, CHANGED, ABSENT = (
    *("graded", "to be read", "not graded", "to be graded again", "not handed in"),
)


@dataclass(frozen=True)
class Standing:
    """Status of a student in an assignment.

    state: one of STATES; only points of GRADED are final, and those of UNREAD are provisional. points: after
    the penalty, without cells that wait for a person. unread: how many cells wait for a person. problem: why
    the submission can't be graded, in one clause, or None.
    """

    student: str
    assignment: str
    state: str
    points: float = 0
    possible: float = 0
    penalty: float = 0
    late: bool = False
    unread: int = 0
    problem: str | None = None


def find_standings(course: Course, assignment: str, updates: bool = True) -> dict[str, Standing]:
    """Return the status of every student with a folder in `submitted/` or a gradebook entry, by student.

    updates: False for the grades as they are in the gradebook. By default, dependent points are recomputed,
    and submissions are read to find changed and unusable ones, which takes seconds in a large class.
    """
    cells = read_counted_cells(course, assignment)
    wanted = {(cell.notebook, cell.grade_id) for cell in cells}
    possible = sum(cell.points for cell in cells)
    if updates:
        update_dependent_points(course, assignment)
    with course.gradebook() as gradebook:
        found = read_submission_grades(gradebook, assignment)
    result, is_current = {}, create_grade_check(course)
    is_released = updates and bool(course.released(assignment))
    for student in course.roster:
        entry = found.get(student)
        # A student who has no submission now may have a grade from an earlier submission.
        present = has_files(course.path("submitted", assignment, student))
        mine = [entry.grades[key] for key in wanted] if entry and wanted <= entry.grades.keys() else None
        if mine is None:
            state = UNGRADED if present else ABSENT
        elif updates and present and not is_current(assignment, student):
            state = CHANGED
        else:
            state = UNREAD if any(waits for _, waits in mine) else GRADED
        is_ungraded = is_released and state in (UNGRADED, CHANGED)
        problem = read_submission(course, assignment, student).problem if is_ungraded else None
        mine = mine if mine and state in (GRADED, UNREAD) else []
        result[student] = Standing(
            *(student, assignment, state),
            points=sum(points for points, waits in mine if not waits)
            - (entry.penalty if entry and mine else 0),
            possible=possible,
            penalty=entry.penalty if entry else 0,
            late=bool(entry and entry.late),
            unread=sum(waiting for _, waiting in mine),
            problem=problem,
        )
    return result


def create_grade_check(course: Course) -> Callable[[str, str], bool]:
    """Return a function that checks if a student's grade in an assignment is for the current submission.

    The function compares the fingerprint in the graded copy: see `autograde/fingerprint.py`. Without a
    fingerprint, the grade counts as current.
    """
    try:
        around = Around(course)
    except CourseError:
        # The assignment is graded by nbgrader alone, without fingerprints.
        return lambda assignment, student: True

    def is_current(assignment: str, student: str) -> bool:
        found = read_submission(course, assignment, student)
        if not found.problem and find_current_copies(course, around, found) is not None:
            return True
        folder = course.path("autograded", assignment, student)
        return not any(read_fingerprint(read_graded_copy(path)) for path in folder.glob("*.ipynb"))

    return is_current
