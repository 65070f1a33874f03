"""Copies of the tables that a platform has exported, which `gradebox grade` fills in again and again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import JSON, Boolean, Column, MetaData, String, Table

from gradebox.course import PLATFORM_TABLES, Course
from gradebox.csv_table import read_csv_table, write_csv_table
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.lms.export_grades import CANVAS, CSV_FORMAT, MOODLE
from gradebox.lms.match_students import read_collected_rows

# The options with which `gradebox grade` last filled in a kept table.
TABLE_OPTIONS = Table(
    "gradebox_table_options",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("platform", String(32), primary_key=True),
    Column("scale", Boolean, nullable=False),
    Column("columns", JSON, nullable=False),
)


@dataclass(frozen=True)
class TableOptions:
    """Options for a platform's table; see `GradeExport`. They hold until others are given."""

    scale: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)


def read_table_options(course: Course, platform: str, assignment: str) -> TableOptions:
    """Return the options of an assignment's kept table; the defaults if none were stored."""
    own = TABLE_OPTIONS.c.assignment == assignment, TABLE_OPTIONS.c.platform == platform
    with course.connection() as connection:
        rows = select_rows(connection, TABLE_OPTIONS, *own)
    return TableOptions(rows[0].scale, rows[0].columns) if rows else TableOptions()


def store_table_options(course: Course, platform: str, assignment: str, options: TableOptions) -> None:
    row = {"assignment": assignment, "platform": platform, "scale": options.scale}
    with course.connection() as connection:
        upsert_row(connection, TABLE_OPTIONS, {**row, "columns": dict(options.columns)})


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
