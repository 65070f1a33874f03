"""Adjustments of a class's points: full points for everyone, an exercise that does not count, or a bonus.

Reasons and dates are in a separate table. The points are in nbgrader's own column for extra credit, so that
Formgrader and `nbgrader export` have the same scores. Another table stores what was changed in each grade:
an adjustment can be removed, and follows the points that a test or a person gives later.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    Float,
    MetaData,
    Row,
    String,
    Table,
    Text,
    delete,
    func,
    inspect,
    select,
    update,
)

from gradebox.course import Course, CourseError
from gradebox.dates import Dates
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.notebook_exercises import GradedCell
from gradebox.printable_text import format_point_count, printable, shorten_list

GRADE, CELL, GRADE_CELL, TASK_CELL = (
    Grade.__table__,
    BaseCell.__table__,
    GradeCell.__table__,
    TaskCell.__table__,
)
FULL, DROP, BONUS = "full", "drop", "bonus"
# One row for each graded cell. exercise: an exercise's number, or the grade_id of a cell; "" for the lesson.
ADJUSTMENTS = Table(
    "gradebox_adjustment",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("exercise", String(128), primary_key=True),
    Column("notebook", String(128), primary_key=True),
    Column("cell", String(128), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("points", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("since", DateTime, nullable=False),
)
# What is different in a grade because of adjustments. extra: points in the extra credit. unscored: there was
# no score. waited: a person had to grade the cell. manual_score: the points of a person then.
ADJUSTED_GRADES = Table(
    "gradebox_adjusted_grade",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("extra", Float, nullable=False),
    Column("unscored", Boolean, nullable=False),
    Column("waited", Boolean, nullable=False),
    Column("manual_score", Float),
)


@dataclass(frozen=True)
class Adjustment:
    """An adjustment of the points of all submissions.

    exercise: as in ADJUSTMENTS. cells: the graded cells, as (notebook, grade_id). kind: FULL, DROP or BONUS.
    points: of a bonus, which one cell has; 0 for the other kinds. since: the date in naive UTC.
    """

    assignment: str
    exercise: str
    cells: tuple[tuple[str, str], ...]
    kind: str
    points: float
    reason: str
    since: datetime


@dataclass(frozen=True)
class GradeState:
    """The columns of a grade that adjustments change, and the manual score."""

    auto_score: float | None
    manual_score: float | None
    extra_credit: float
    needs_manual_grade: bool

    @property
    def score(self) -> float:
        given = self.auto_score if self.manual_score is None else self.manual_score
        return (given or 0) + self.extra_credit


def read_adjustments(connection: Connection, assignment: str | None = None) -> list[Adjustment]:
    """Return the adjustments of an assignment, or of all, sorted by assignment and date."""
    where = [ADJUSTMENTS.c.assignment == assignment] if assignment else []
    cells: dict[tuple, list[tuple[str, str]]] = {}
    for row in select_rows(connection, ADJUSTMENTS, *where):
        key = row.assignment, row.exercise, row.kind, row.points, row.reason, row.since
        cells.setdefault(key, []).append((row.notebook, row.cell))
    found = [
        Adjustment(of, exercise, tuple(sorted(own)), *others)
        for (of, exercise, *others), own in cells.items()
    ]
    return sorted(found, key=lambda one: (one.assignment, one.since, one.exercise))


def save_adjustment(connection: Connection, new: Adjustment) -> None:
    """Store an adjustment, in place of any earlier one of the same exercise."""
    remove_adjustment(connection, new.assignment, new.exercise)
    own = {
        name: getattr(new, name) for name in ("assignment", "exercise", "kind", "points", "reason", "since")
    }
    for notebook, cell in new.cells:
        upsert_row(connection, ADJUSTMENTS, {**own, "notebook": notebook, "cell": cell})


def remove_adjustment(connection: Connection, assignment: str, exercise: str) -> bool:
    """Remove the adjustment of an exercise. Return False if there is none."""
    if not inspect(connection).has_table(ADJUSTMENTS.name):
        return False
    own = ADJUSTMENTS.c.assignment == assignment, ADJUSTMENTS.c.exercise == exercise
    return bool(connection.execute(delete(ADJUSTMENTS).where(*own)).rowcount)


def find_dropped_cells(adjustments: Iterable[Adjustment]) -> frozenset[tuple[str, str]]:
    """Return the cells that do not count, as (notebook, grade_id)."""
    return frozenset(cell for one in adjustments if one.kind == DROP for cell in one.cells)


def read_counted_cells(course: Course, assignment: str) -> list[GradedCell]:
    """Return the graded cells of an assignment; cells that do not count have 0 points."""
    with course.connection() as connection:
        dropped = find_dropped_cells(read_adjustments(connection, assignment))
    return [
        replace(cell, points=0.0) if (cell.notebook, cell.grade_id) in dropped else cell
        for cell in course.graded_cells(assignment)
    ]


def select_graded_cells(cells: Iterable[GradedCell], exercise: str) -> list[GradedCell]:
    """Return the graded cells of an exercise's number, or of a grade_id; all cells for "".

    Raises CourseError for an unknown exercise.
    """
    cells = list(cells)
    found = [cell for cell in cells if is_of_exercise(cell, exercise)]
    if not found:
        known = ", ".join(dict.fromkeys(cell.number for cell in cells))
        raise CourseError(
            f"unknown exercise {exercise!r} (known: {known}; a test's grade_id is possible, too)"
        )
    return found


def is_of_exercise(cell: GradedCell, exercise: str) -> bool:
    return exercise in ("", cell.number, cell.grade_id)


def describe_exercise(course: Course, assignment: str, exercise: str) -> str:
    """Return an exercise with its title and points, such as "02_masks, 2.3 Softmax (4 points)"."""
    cells = [cell for cell in course.graded_cells(assignment) if is_of_exercise(cell, exercise)]
    if not cells:
        # The adjustment is of an exercise that the lesson no longer has.
        return f"{assignment}, {exercise}"
    first, said = cells[0], assignment
    if exercise:
        where = f"{first.number} {first.title}".strip()
        said += f", {where}" if exercise == first.number else f", {exercise} in {where}"
    return printable(f"{said} ({format_point_count(sum(cell.points for cell in cells))})")


def build_adjustment(
    course: Course, assignment: str, exercise: str, kind: str, points: float, reason: str
) -> Adjustment:
    """Return a new adjustment. Raises CourseError for an unknown exercise."""
    cells = select_graded_cells(course.graded_cells(assignment), exercise)
    if kind == BONUS:
        # The points of a test are known at once, those of an answer once it is read.
        cells = [next((cell for cell in cells if not cell.manual), cells[0])]
    keys = tuple((cell.notebook, cell.grade_id) for cell in cells)
    since = datetime.now(UTC).replace(tzinfo=None)
    return Adjustment(assignment, exercise, keys, kind, points, reason, since)


def describe_adjustment(one: Adjustment, dates: Dates) -> str:
    """Return what an adjustment does, with its reason and date, as a clause for students."""
    said = {
        FULL: "everyone gets full points",
        DROP: "does not count",
        BONUS: f"everyone gets {one.points:g} bonus {'point' if one.points == 1 else 'points'}",
    }
    return f"{said[one.kind]}: {one.reason} ({dates.localize(one.since):%d %b %Y})"


def format_adjustment(one: Adjustment, dates: Dates) -> str:
    """Return an adjustment as a line for the instructor."""
    where = f"{one.assignment} {one.exercise}".strip()
    return printable(f"{where}: {describe_adjustment(one, dates)}")


def describe_lost_adjustments(course: Course, assignment: str) -> Iterator[str]:
    """Yield a sentence for each adjustment of cells that the assignment no longer has."""
    with course.connection() as connection:
        found = read_adjustments(connection, assignment)
    known = {(cell.notebook, cell.grade_id) for cell in course.graded_cells(assignment)} if found else set()
    for one in found:
        lost = shorten_list([cell for notebook, cell in one.cells if (notebook, cell) not in known])
        where = f"{assignment} {one.exercise}".strip()
        if lost:
            yield (
                f"{where}: adjusted cells are no longer in the lesson, and have no effect: {lost}. "
                f"Adjust the exercise again, or run `gradebox adjust {where} --remove`."
            )


def apply_adjustments(
    connection: Connection, assignment: str, student: str | None = None, revert: bool = False
) -> int:
    """Update the grades of an assignment in nbgrader's tables; without a change, nothing is written.

    student: only this student's grades. revert: restore the grades as they are without adjustments. Returns
    the number of students whose points have changed.
    """
    if not inspect(connection).has_table(ADJUSTMENTS.name):
        # Nothing was ever adjusted.
        return 0
    adjustments = read_adjustments(connection, assignment)
    ADJUSTED_GRADES.create(connection, checkfirst=True)
    changed: set[str] = set()
    by_cell: dict[tuple[str, str], list[Adjustment]] = {}
    for one in adjustments if not revert else []:
        for cell in one.cells:
            by_cell.setdefault(cell, []).append(one)
    for row in select_grades(connection, assignment, student):
        now = GradeState(row.auto_score, row.manual_score, row.extra_credit, row.needs_manual_grade)
        before = now if row.extra is None else restore_grade(now, row)
        new = adjust_grade(before, row.max_score, by_cell.get((row.notebook, row.cell), []))
        if new != now:
            values = {"auto_score": new.auto_score, "needs_manual_grade": new.needs_manual_grade}
            values["extra_credit"] = new.extra_credit or None
            connection.execute(update(GRADE).where(GRADE.c.id == row.id).values(values))
            if round(new.score - now.score, 9):
                changed.add(row.student_id)
        difference = find_difference(row.id, before, new)
        known = {"grade_id": row.id, "extra": row.extra, "unscored": row.unscored, "waited": row.waited}
        if new != before and difference != {**known, "manual_score": row.earlier_score}:
            upsert_row(connection, ADJUSTED_GRADES, difference)
        elif new == before and row.extra is not None:
            connection.execute(delete(ADJUSTED_GRADES).where(ADJUSTED_GRADES.c.grade_id == row.id))
    return len(changed)


def select_grades(connection: Connection, assignment: str, student: str | None) -> Sequence[Row]:
    """Return the grades of an assignment with the names of their cells, maximum points, and differences."""
    where = [SubmittedAssignment.student_id == student] if student else []
    difference = (ADJUSTED_GRADES.c[name] for name in ("extra", "unscored", "waited"))
    query = (
        select(
            *(GRADE.c.id, SubmittedAssignment.student_id),
            *(Notebook.name.label("notebook"), CELL.c.name.label("cell")),
            *(GRADE.c.auto_score, GRADE.c.manual_score, GRADE.c.needs_manual_grade),
            func.coalesce(GRADE.c.extra_credit, 0.0).label("extra_credit"),
            func.coalesce(GRADE_CELL.c.max_score, TASK_CELL.c.max_score, 0.0).label("max_score"),
            *(*difference, ADJUSTED_GRADES.c.manual_score.label("earlier_score")),
        )
        .select_from(GRADE)
        .join(SubmittedNotebook, SubmittedNotebook.id == GRADE.c.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(CELL, CELL.c.id == GRADE.c.cell_id)
        .outerjoin(GRADE_CELL, GRADE_CELL.c.id == GRADE.c.cell_id)
        .outerjoin(TASK_CELL, TASK_CELL.c.id == GRADE.c.cell_id)
        .outerjoin(ADJUSTED_GRADES, ADJUSTED_GRADES.c.grade_id == GRADE.c.id)
        .where(Assignment.name == assignment, *where)
    )
    return connection.execute(query).all()


def restore_grade(now: GradeState, row: Row) -> GradeState:
    """Return a grade without adjustments. row: of `select_grades`, with a difference."""
    # A person may have given points since.
    waits = row.waited and row.earlier_score == now.manual_score
    return GradeState(
        None if row.unscored and not now.auto_score else now.auto_score,
        now.manual_score,
        # Differences of floating-point numbers have rounding errors.
        round(now.extra_credit - row.extra, 9),
        now.needs_manual_grade or waits,
    )


def adjust_grade(before: GradeState, most: float, adjustments: Collection[Adjustment]) -> GradeState:
    """Return a grade with adjustments. most: the maximum points of the cell.

    Nobody has to read an answer that does not count, or for which everyone gets full points.
    """
    kinds, found = {one.kind for one in adjustments}, before
    if kinds & {FULL, DROP}:
        unscored = found.auto_score is None and found.manual_score is None
        found = replace(found, auto_score=0.0 if unscored else found.auto_score, needs_manual_grade=False)
    if DROP in kinds:
        found = replace(found, extra_credit=found.extra_credit - found.score)
    elif FULL in kinds:
        found = replace(found, extra_credit=found.extra_credit + max(0.0, most - found.score))
    bonus = sum(one.points for one in adjustments if one.kind == BONUS)
    return replace(found, extra_credit=found.extra_credit + bonus)


def find_difference(grade: str, before: GradeState, new: GradeState) -> dict[str, object]:
    """Return the row of ADJUSTED_GRADES for a grade."""
    return {
        "grade_id": grade,
        "extra": new.extra_credit - before.extra_credit,
        "unscored": before.auto_score is None and new.auto_score is not None,
        "waited": before.needs_manual_grade and not new.needs_manual_grade,
        "manual_score": before.manual_score,
    }
