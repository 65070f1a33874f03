"""Report the results of `gradebox collect`: lines and tables for the terminal, and a table of all files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from gradebox.course import COLLECTED, Course
from gradebox.csv_table import build_csv_table, write_csv_table
from gradebox.lms.collect_results import (
    EXISTING_KEPT,
    IMPORTED,
    LEFT_OUT,
    NOT_IMPORTED,
    NOTES,
    REPLACED,
    UNCHANGED,
    UNKNOWN_OWNER,
    CollectResult,
)
from gradebox.printable_text import format_file_name, printable, shorten_list

RESULTS = (IMPORTED, UNCHANGED, REPLACED, EXISTING_KEPT, NOT_IMPORTED)
# In terminal cells.
MAX_TABLE_WIDTH = 80


def format_counts(rows: Sequence[CollectResult], title: str) -> Iterator[str]:
    """Yield a line with the number of files of each result, and one for files beside notebooks.

    title: the name of the download.
    """
    counts, others = (Counter(row.what for row in rows if row.beside == beside) for beside in (False, True))
    said = [f"{counts[what]} {what}" for what in RESULTS if counts[what]]
    yield f"{title}: {', '.join(said) or 'nothing to take'}"
    said = [f"{others[what]} {what}" for what in RESULTS if others[what]]
    if said:
        yield f"Files beside notebooks: {', '.join(said)}."
    if others[LEFT_OUT]:
        examples = "text typed into a form, and HTML and PDF versions of notebooks"
        yield f"Not needed: {others[LEFT_OUT]} (such as {examples})."


def format_notes(rows: Sequence[CollectResult]) -> Iterator[str]:
    """Yield a line for each kind of remark that an instructor should know, with the students."""
    for note, line in NOTES.items():
        students = [row.student for row in rows if any(one.startswith(note) for one in row.remarks)]
        if students:
            yield line.format(shorten_list(map(format_file_name, dict.fromkeys(students))))


def build_problem_table(rows: Sequence[CollectResult]) -> Table:
    """Return a table of the files that an instructor has to look at, for a terminal of 80 columns.

    Files of a student with the same result share a row.
    """
    table = Table()
    for name in ("student", "file", "result"):
        table.add_column(name, overflow="fold")
    table.columns[0].max_width = table.columns[1].max_width = 20
    files: dict[tuple[str, str], list[str]] = {}
    for row in filter(lambda row: row.problem, rows):
        file = row.file if row.student == UNKNOWN_OWNER else row.name
        files.setdefault((row.student, "; ".join((row.what, *row.remarks))), []).append(file)
    for (student, said), names in files.items():
        cells = format_file_name(student), shorten_list(names), said
        table.add_row(*(Text(printable(cell), style="red") for cell in cells))
    return table


def format_result_cells(row: CollectResult) -> tuple[str, str, str, str, str]:
    when = f"{row.received:%Y-%m-%d %H:%M}" if row.received else ""
    return row.assignment, row.what, when, row.name, "; ".join(row.remarks)


def write_results(course: Course, rows: Sequence[CollectResult]) -> Path:
    """Write all results to COLLECTED, in place of those of the last download. Raises CourseError."""
    headings = ["student", "assignment", "result", "handed in (UTC)", "file", "remarks", "in the download"]
    records = [
        dict(zip(headings, (row.student, *format_result_cells(row), row.file), strict=True)) for row in rows
    ]
    path = course.root / COLLECTED
    write_csv_table(path, build_csv_table(headings, records))
    return path
