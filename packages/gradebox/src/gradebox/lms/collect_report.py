"""Report the results of `gradebox collect`: lines and tables for the terminal, and a table of all files."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
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
    WITHDRAWN,
    CollectResult,
    shorten_results,
)
from gradebox.printable_text import format_count, format_file_name, printable, shorten_list

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


def format_notes(rows: Sequence[CollectResult], due: Collection[str]) -> Iterator[str]:
    """Yield a line for each kind of remark that an instructor should know, with the students.

    due: the assignments with a due date.
    """
    for note, line in NOTES.items():
        students = [row.student for row in rows if any(one.startswith(note) for one in row.remarks)]
        if students:
            yield line.format(shorten_list(map(format_file_name, dict.fromkeys(students))))
    withdrawn: dict[str, list[str]] = {}
    for row in rows:
        if row.what == WITHDRAWN:
            withdrawn.setdefault(row.assignment, []).append(format_file_name(row.student))
    for assignment, students in withdrawn.items():
        have = format_count(len(students), "student has", "students have")
        yield (
            f"{have} a collected submission of {assignment} that is not in this download: "
            f"{shorten_list(students)}. Submissions and grades stay."
        )
    untimed = [
        row for row in rows if row.what in (IMPORTED, REPLACED) and not row.beside and not row.received
    ]
    count = sum(row.assignment in due for row in untimed)
    if count:
        files = format_count(count, "file has", "files have")
        has_times = "Moodle's worksheet has times: repeat the command with --worksheet."
        yield f"{files} no time of submission and can't be late. {has_times}"


def build_problem_table(rows: Sequence[CollectResult]) -> Table:
    """Return a table of the files that an instructor has to look at, for a terminal of 80 columns."""
    table = Table()
    for name in ("student", "file", "result"):
        table.add_column(name, overflow="fold")
    table.columns[0].max_width = table.columns[1].max_width = 20
    for row in shorten_results(row for row in rows if row.problem):
        file = row.file if row.student == UNKNOWN_OWNER else row.name
        cells = format_file_name(row.student), file, "; ".join((row.what, *row.remarks))
        table.add_row(*(Text(printable(cell), style="red") for cell in cells))
    return table


def build_full_table(rows: Sequence[CollectResult], title: str) -> Table:
    """Return a table of all files, except for those beside notebooks that need no attention."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for name in ("student", "assignment", "result", "handed in (UTC)", "file", "remarks"):
        table.add_column(name, overflow="fold")
    for row in shorten_results(row for row in rows if row.problem or not row.beside):
        style = "red" if row.problem else "yellow" if row.remarks else ""
        cells = (format_file_name(row.student), *format_result_cells(row))
        table.add_row(*(Text(printable(cell), style=style) for cell in cells))
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
