"""Tables of grades that `gradebox grade` fills in again and again, for one platform or several."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gradebox.course import PLATFORM_TABLES, Course, CourseError
from gradebox.csv_table import read_csv_table, write_bytes, write_csv_table
from gradebox.lms.export_grades import CANVAS, CSV_FORMAT, EXPORT_FOLDER, MOODLE, GradeExport
from gradebox.lms.exported_grades import read_exported_grades, store_exported_grades
from gradebox.lms.match_students import read_collected_rows


@dataclass(frozen=True)
class TableOptions:
    """Options for a platform's table; see `GradeExport`. They hold until others are given."""

    scale: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)

    def update(self, new: "TableOptions") -> "TableOptions":
        return TableOptions(self.scale or new.scale, {**self.columns, **new.columns})

    def select(self, path: Path) -> "TableOptions":
        """Return the options without the headings that a table does not have: those of another platform."""
        sheet = read_csv_table(path)
        columns = {name: text for name, text in self.columns.items() if sheet.column([text]) is not None}
        return TableOptions(self.scale, columns)


@dataclass(frozen=True)
class PlatformTable:
    """A table of an assignment's grades for a platform, or for a section's course on the platform.

    section: the section's folder; "" for the whole class.
    """

    course: Course = field(compare=False)
    platform: str
    assignment: str
    section: str = ""

    @property
    def path(self) -> Path:
        """The copy of the platform's table, which may not exist."""
        folder = self.course.root / PLATFORM_TABLES / self.platform / self.section
        return folder / f"{self.assignment}.csv"

    def store(self, table: Path) -> None:
        """Copy a platform's table, in place of an earlier one. Raises CourseError."""
        write_csv_table(self.path, read_csv_table(table))

    def read_options(self) -> TableOptions:
        """Return the options with which the table was last filled in; the defaults if there are none."""
        path = self.path.with_suffix(".json")
        return TableOptions(**json.loads(path.read_text("utf-8"))) if path.is_file() else TableOptions()

    def store_options(self, options: TableOptions) -> None:
        write_bytes(self.path.with_suffix(".json"), json.dumps(asdict(options)).encode())


def find_tables(course: Course, assignment: str, section: str = "") -> list[PlatformTable]:
    """Return the tables of an assignment, those that a platform has exported first.

    Each platform from which submissions were collected, or to which grades were exported, has one. section:
    only the tables of this section's folder, if there are any.
    """
    folder = course.root / PLATFORM_TABLES
    paths = sorted(path for place in ("*", "*/*") for path in folder.glob(f"{place}/{assignment}.csv"))
    places = [path.relative_to(folder).parent.parts for path in paths]
    found = [PlatformTable(course, place[0], assignment, *place[1:]) for place in places]
    if section and any(one.section == section for one in found):
        return [one for one in found if one.section == section]
    with course.connection() as connection:
        rows = [*read_collected_rows(connection, [assignment]).values()]
    rows += read_exported_grades(course, assignment)
    used = {row.platform for row in rows} - {one.platform for one in found}
    found += [PlatformTable(course, name, assignment) for name in (MOODLE, CANVAS) if name in used]
    return found or [PlatformTable(course, CSV_FORMAT, assignment)]


def write_tables(
    export: GradeExport,
    tables: list[PlatformTable],
    targets: Collection[PlatformTable],
    options: TableOptions,
) -> list[str]:
    """Write the tables of an assignment, with feedback pages, and store the written grades.

    A table that can't be filled does not prevent the others.

    Args:
        export: The export, for one assignment.
        tables: The tables, as `find_tables` returns them.
        targets: The tables to which the options belong.
        options: Options that are added to the stored ones.

    Returns:
        The reasons why tables can't be filled.
    """
    problems = []
    for table in tables:
        own = table.read_options()
        into = table.path if table.path.is_file() else None
        if table in targets:
            own = own.update(options.select(into) if into and len(targets) > 1 else options)
        export.scale, export.columns = own.scale, own.columns
        # Without a platform, `gradebox export` keeps the table of all lessons.
        folder = export.course.root / EXPORT_FOLDER / CSV_FORMAT
        output = folder / f"{table.assignment}.csv" if table.platform == CSV_FORMAT else None
        others = {one.platform for one in tables} - {table.platform}
        try:
            export.write(table.platform, into, output, True, table.section, others)
        except CourseError as error:
            problems.append(str(error))
        else:
            if into:
                table.store_options(own)
    store_exported_grades(export.course, export.written)
    return problems
