"""The commands between a course and a learning platform. Each imports what it needs when it runs."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from gradebox.console import AssignmentsArgument, CourseOption, console, open_course, select_students
from gradebox.printable_text import format_file_name, printable

ColumnOptions = Annotated[
    list[str] | None, typer.Option("--column", help="NAME=HEADING, where a column is called something else.")
]


def roster(
    file: Annotated[Path, typer.Argument(help="The class, from a platform or a spreadsheet (CSV).")],
    column: ColumnOptions = None,
    course: CourseOption = Path("."),
) -> None:
    """Take a class list into the gradebook: who is in it is in every table, whether or not they hand in.

    It finds the columns of Moodle's, Canvas's and Gradescope's lists; --column id=…, first=…, last=…, name=…
    and email=… name others. Nobody is taken out. Exit status 1 if somebody could not be taken.
    """
    from gradebox.lms.roster import NEW, NOT_IMPORTED, SAME, import_roster

    rows = import_roster(open_course(course), file, parse_column_options(column))
    for row in rows:
        if row.what == NOT_IMPORTED:
            name = row.name or row.student
            console.print(
                Text(printable(f"{format_file_name(name)}: {row.problem}"), style="red"), soft_wrap=True
            )
    counts = Counter(row.what for row in rows)
    changed = sum(counts.values()) - counts[NEW] - counts[SAME] - counts[NOT_IMPORTED]
    said = f"{counts[NEW]} new students, {changed} changed, {counts[SAME]} as they were"
    console.print(f"{said}; {counts[NOT_IMPORTED]} not taken." if counts[NOT_IMPORTED] else f"{said}.")
    if counts[NOT_IMPORTED]:
        raise typer.Exit(1)


def collect(
    file: Annotated[Path, typer.Argument(help="A platform's download: a zip archive, or a folder.")],
    platform: Annotated[
        str | None,
        typer.Option("--from", help="moodle, canvas, gradescope or folders; found by the names in it."),
    ] = None,
    assignment: Annotated[str | None, typer.Option(help="The assignment that all of it is for.")] = None,
    worksheet: Annotated[
        Path | None, typer.Option(help="Moodle's grading worksheet: when each came, and whose it is.")
    ] = None,
    timezone: Annotated[
        str | None,
        typer.Option(help="The worksheet's time zone, such as Europe/Berlin; else this machine's."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that differ; the earlier ones are kept.")
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Fill submitted/ with what students have handed in on a learning platform.

    Notebooks are recognised by their cells, whatever they are called; of several, the newest counts. Exit
    status 1 if there is something that could not be taken; the table says what.
    """
    from gradebox.lms.collect import EXISTING_KEPT, IMPORTED, NOT_IMPORTED, REPLACED, UNCHANGED
    from gradebox.lms.collect import collect_submissions as collect_all
    from gradebox.lms.moodle_worksheet import read_worksheet

    here = open_course(course)
    if assignment:
        here.select_assignments([assignment])
    told = read_worksheet(worksheet, timezone) if worksheet else None
    source, rows = collect_all(here, file, platform, force, assignment, told)
    table = Table(title=f"{file.name}, as {source} names files", title_justify="left", title_style="bold")
    for name in ("student", "assignment", "what", "handed in (UTC)", "file", "remarks"):
        table.add_column(name, overflow="fold")
    for row in rows:
        style = "red" if row.problem else "yellow" if row.remarks else ""
        when = f"{row.received:%Y-%m-%d %H:%M}" if row.received else ""
        remarks = "; ".join(row.remarks)
        cells = (format_file_name(row.student), row.assignment, row.what, when, row.file, remarks)
        table.add_row(*(Text(printable(cell), style=style) for cell in cells))
    console.print(table)
    counts = Counter(row.what for row in rows)
    said = [
        f"{counts[what]} {what}"
        for what in (IMPORTED, UNCHANGED, REPLACED, EXISTING_KEPT, NOT_IMPORTED)
        if counts[what]
    ]
    console.print(", ".join(said) or "Nothing is in it.")
    problems = sum(row.problem for row in rows)
    if problems:
        what = "file needs" if problems == 1 else "files need"
        console.print(Text(f"{problems} {what} somebody to look: in red above.", style="bold red"))
        raise typer.Exit(1)


def extend(
    student: Annotated[str | None, typer.Argument(help="The student's id.")] = None,
    assignment: Annotated[str | None, typer.Argument(help="The assignment.")] = None,
    until: Annotated[
        str | None, typer.Argument(help="A date such as '2026-12-01 23:59'; UTC, unless it names a zone.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="As everybody else again.")] = False,
    course: CourseOption = Path("."),
) -> None:
    """Give one student a due date of their own; without arguments, list those who have one.

    What lateness costs is worked out anew when you run `gradebox autograde`.
    """
    from nbgrader.api import Assignment

    from gradebox.autograde import due_date_extensions
    from gradebox.course import CourseError
    from gradebox.submission_files import UnreadableSubmissionError, parse_date

    here = open_course(course)
    if not student:
        with here.connection() as connection:
            for of, who, last in due_date_extensions.list_extensions(connection):
                console.print(
                    f"{format_file_name(who)}: {of} until {format_utc(last)}", markup=False, highlight=False
                )
        return
    if not assignment or not (until or remove):
        raise CourseError("say which assignment, and until when (or --remove)")
    here.select_assignments([assignment])
    select_students(here, student)
    try:
        date = parse_date(until) if until and not remove else None
    except UnreadableSubmissionError:
        raise CourseError(f"{until!r} is no date, such as 2026-12-01 23:59") from None
    with here.gradebook() as gradebook:
        due_date_extensions.set_extension(gradebook.db.connection(), assignment, student, date)
        due = gradebook.db.query(Assignment.duedate).filter(Assignment.name == assignment).scalar()
    if not date:
        console.print(f"{format_file_name(student)}: {assignment} is due as for everybody.")
        return
    note = "" if due else f"; it counts once {assignment} has a due date"
    note = f"; that is before it is due, {format_utc(due)}, which stays" if due and date < due else note
    console.print(
        f"{format_file_name(student)}: {assignment} until {format_utc(date)}{note}.", soft_wrap=True
    )


def export(
    assignments: AssignmentsArgument = None,
    to: Annotated[str, typer.Option(help="canvas, moodle or csv.")] = "csv",
    into: Annotated[
        Path | None, typer.Option(help="The table that the platform has exported, to be filled.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="The file to write; else it is in exports/.")] = None,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Write students' pages, too, named as the platform wants them.")
    ] = False,
    scale: Annotated[
        bool, typer.Option("--scale", help="Convert points to the maximum that the platform has.")
    ] = False,
    column: ColumnOptions = None,
    course: CourseOption = Path("."),
) -> None:
    """Write grades for a learning platform, after penalties; who has no grade gets none, and never 0.

    --into fills the table that the platform lets you download: Canvas's gradebook, or the grading worksheet
    of an assignment in Moodle. --column ASSIGNMENT=HEADING says which column is whose.
    """
    from gradebox.lms.export_grades import GradeExport

    here = open_course(course)
    written = GradeExport(here, here.select_assignments(assignments), parse_column_options(column), scale)
    written.write(to, into, output, feedback)
    for assignment, counts in written.counts.items():
        said = ", ".join(f"{count} {state}" for state, count in counts.items()) or "nobody is in the course"
        console.print(f"{assignment}: {said}", markup=False, highlight=False)
    for remark in written.remarks:
        console.print(Text(printable(remark), style="yellow"), soft_wrap=True)
    for path in written.files:
        where = path.relative_to(here.root) if path.is_relative_to(here.root) else path
        console.print(f"{where} written", soft_wrap=True, markup=False, highlight=False)
    if not written.files:
        console.print("Nothing to write.")


def parse_column_options(columns: list[str] | None) -> dict[str, str]:
    """Options of the form NAME=HEADING, by name. Raises CourseError."""
    from gradebox.course import CourseError

    found = {}
    for option in columns or []:
        name, equals, heading = option.partition("=")
        if not (name and equals and heading):
            raise CourseError(f"--column takes NAME=HEADING, not {option!r}")
        found[name.strip()] = heading.strip()
    return found


def format_utc(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"
