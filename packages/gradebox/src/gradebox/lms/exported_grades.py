"""Grades that were exported to platforms, to find those that have changed since.

A total can change after its export: with an adjustment, new points for a written answer, an extension, slip
days of another lesson, or a new release.
"""

from collections.abc import Mapping

from sqlalchemy import Column, Float, MetaData, Row, String, Table, delete, insert

from gradebox.course import Course
from gradebox.gradebook_transactions import select_rows
from gradebox.lms.export_grades import CSV_FORMAT, WrittenGrades
from gradebox.reports.student_standings import GRADED, Standing

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


def store_exported_grades(course: Course, written: Mapping[tuple[str, str], WrittenGrades]) -> None:
    """Store the grades that were written, by platform and assignment.

    Students without a row in the platform's tables have no exported grade from now on.
    """
    with course.connection() as connection:
        EXPORTED_GRADES.create(connection, checkfirst=True)
        for (platform, assignment), new in written.items():
            own = EXPORTED_GRADES.c.assignment == assignment, EXPORTED_GRADES.c.platform == platform
            replaced = EXPORTED_GRADES.c.student_id.in_([*new.grades, *new.without_row])
            connection.execute(delete(EXPORTED_GRADES).where(*own, replaced))
            common = {"assignment": assignment, "platform": platform, "maximum": new.maximum}
            rows = [{"student_id": who, "grade": grade, **common} for who, grade in new.grades.items()]
            if rows:
                connection.execute(insert(EXPORTED_GRADES), rows)


def read_exported_grades(course: Course, assignment: str) -> list[Row]:
    """Return the rows of EXPORTED_GRADES of an assignment."""
    with course.connection() as connection:
        return select_rows(connection, EXPORTED_GRADES, EXPORTED_GRADES.c.assignment == assignment)


def find_changed_exports(course: Course, assignment: str, standings: Mapping[str, Standing]) -> set[str]:
    """Return the students whose final grades differ from the exported ones."""
    rows = read_exported_grades(course, assignment)
    # Beside a platform's table, one for spreadsheets is often written only to look at.
    rows = [row for row in rows if row.platform != CSV_FORMAT] or rows
    return {row.student_id for row in rows if is_changed(row, standings.get(row.student_id))}


def is_changed(row: Row, standing: Standing | None) -> bool:
    """Return True if a student has another final grade than the exported one."""
    if standing is None or standing.state != GRADED:
        return False
    factor = row.maximum / standing.possible if row.maximum and standing.possible else 1
    # Platforms get two decimals.
    return abs(standing.points * factor - row.grade) > 0.005
