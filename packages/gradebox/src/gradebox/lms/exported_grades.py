"""Grades that were exported to platforms, to report which of them have changed since.

A total can change after its export: with an adjustment, new points for a written answer, an extension, slip
days of another lesson, or a new release.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlalchemy import Column, Float, MetaData, Row, String, Table, delete, insert

from gradebox.autograde.late_policy import LatePolicy
from gradebox.course import Course, CourseError
from gradebox.gradebook_transactions import select_rows
from gradebox.lms.export_grades import CSV_FORMAT, EXPORT_FOLDER, WrittenGrades
from gradebox.printable_text import format_count
from gradebox.reports.dependent_points import update_late_penalties
from gradebox.reports.student_standings import GRADED, Standing, find_standings

# The latest grade that was written for a student. maximum: the platform's, if the points were converted.
EXPORTED_GRADES = Table(
    "gradebox_exported_grade",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("platform", String(32), primary_key=True),
    Column("grade", Float, nullable=False),
    Column("maximum", Float),
)


def store_exported_grades(course: Course, platform: str, written: Mapping[str, WrittenGrades]) -> None:
    """Store the grades that were written for a platform, by assignment.

    Students without a row in the platform's table have no exported grade from now on.
    """
    with course.connection() as connection:
        EXPORTED_GRADES.create(connection, checkfirst=True)
        for assignment, new in written.items():
            own = EXPORTED_GRADES.c.assignment == assignment, EXPORTED_GRADES.c.platform == platform
            replaced = EXPORTED_GRADES.c.student_id.in_([*new.grades, *new.without_row])
            connection.execute(delete(EXPORTED_GRADES).where(*own, replaced))
            common = {"assignment": assignment, "platform": platform, "maximum": new.maximum}
            rows = [{"student_id": who, "grade": grade, **common} for who, grade in new.grades.items()]
            if rows:
                connection.execute(insert(EXPORTED_GRADES), rows)


def describe_changed_exports(course: Course, with_new_date: str | None = None) -> Iterator[str]:
    """Yield a sentence for each assignment with final grades that differ from the exported ones.

    with_new_date: an assignment with a new due date or extension, whose late penalties are recomputed.
    """
    with course.connection() as connection:
        exported = select_rows(connection, EXPORTED_GRADES)
    has_slip_days = bool(exported) and LatePolicy(parent=course.app).slip_days
    for assignment in course.assignments:
        rows = [row for row in exported if row.assignment == assignment]
        if not rows:
            continue
        # Beside a platform's table, one for spreadsheets is often written only to look at.
        rows = [row for row in rows if row.platform != CSV_FORMAT] or rows
        try:
            # With slip days, penalties depend on the other lessons, too.
            if has_slip_days or assignment == with_new_date:
                update_late_penalties(course, assignment)
            standings = find_standings(course, assignment, updates=False)
        except CourseError:
            # The lesson can't be read now, which its own commands report.
            continue
        changed = {row.student_id for row in rows if is_changed(row, standings.get(row.student_id))}
        if changed:
            students = format_count(len(changed), "student", "students")
            command = find_export_command(course.root, assignment, {row.platform for row in rows})
            yield (
                f"The grades of {assignment} have changed for {students} since they were exported. "
                f"Export them again with `{command}`."
            )


def is_changed(row: Row, standing: Standing | None) -> bool:
    """Return True if a student has another final grade than the exported one."""
    if standing is None or standing.state != GRADED:
        return False
    factor = row.maximum / standing.possible if row.maximum and standing.possible else 1
    # Platforms get two decimals.
    return abs(standing.points * factor - row.grade) > 0.005


def find_export_command(root: Path, assignment: str, platforms: set[str]) -> str:
    """Return the command that exports an assignment's grades again."""
    # `gradebox grade` writes this table, and the others were written with options that it lacks.
    if any((root / EXPORT_FOLDER / platform / f"{assignment}.csv").is_file() for platform in platforms):
        return f"gradebox grade {assignment}"
    return "gradebox export"
