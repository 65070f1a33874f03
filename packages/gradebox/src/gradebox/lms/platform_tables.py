"""Copies of the tables that a platform has exported, which `gradebox grade` fills in again and again."""

from pathlib import Path

from gradebox.course import PLATFORM_TABLES, Course
from gradebox.csv_table import read_csv_table, write_csv_table
from gradebox.lms.export_grades import CANVAS, CSV_FORMAT, MOODLE
from gradebox.lms.match_students import read_collected_rows


def store_table(course: Course, platform: str, assignment: str, table: Path) -> None:
    """Copy a platform's table, in place of the assignment's earlier table. Raises CourseError."""
    path = build_path(course, platform, assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_csv_table(path, read_csv_table(table))


def find_table(course: Course, assignment: str) -> tuple[str, Path | None]:
    """Return the platform of an assignment, and the latest table to fill in; None without a table.

    Without a table, the platform is that of the collected submissions.
    """
    paths = {platform: build_path(course, platform, assignment) for platform in (MOODLE, CANVAS)}
    stored = {path.stat().st_mtime: (name, path) for name, path in paths.items() if path.is_file()}
    if stored:
        return stored[max(stored)]
    with course.connection() as connection:
        collected = {row.platform for row in read_collected_rows(connection, [assignment]).values()}
    return next((name for name in paths if name in collected), CSV_FORMAT), None


def build_path(course: Course, platform: str, assignment: str) -> Path:
    return course.root / PLATFORM_TABLES / platform / f"{assignment}.csv"
