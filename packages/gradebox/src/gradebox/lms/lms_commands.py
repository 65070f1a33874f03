"""Commands for learning platforms. Each command imports its modules when the command runs."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from gradebox.console import (
    AssignmentsArgument,
    CourseOption,
    SectionOption,
    console,
    make_section_folder,
    open_course,
    select_section,
    select_students,
)
from gradebox.printable_text import format_count, format_file_name, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gradebox.course import Course
    from gradebox.lms.export_grades import GradeExport

ColumnOptions = Annotated[
    list[str] | None, typer.Option("--column", help="NAME=HEADING, for a column with another heading.")
]

# Options of `collect` and `grade`, about a download.
PlatformOption = Annotated[
    str | None,
    typer.Option("--from", help="moodle, canvas, gradescope or folders; by default, from the file names."),
]
ForceOption = Annotated[
    bool,
    typer.Option(
        "--force", help="Also replace files if it is not known which is newer; the earlier ones are kept."
    ),
]
OnlyStudentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--student",
        help="Only this student's files of the download; with --force, also if you have changed them.",
    ),
]
AddUnknownOption = Annotated[
    bool, typer.Option("--add-unknown", help="Also take in people who are not in the imported class list.")
]

# Options of `export` and `grade`, about the written grades.
ScaleOption = Annotated[bool, typer.Option("--scale", help="Convert points to the platform's maximum.")]
ProvisionalOption = Annotated[
    bool,
    typer.Option("--provisional", help="Also write the points so far of submissions with unread answers."),
]


def roster(
    file: Annotated[Path, typer.Argument(help="The class, from a platform or a spreadsheet (CSV).")],
    column: ColumnOptions = None,
    course: CourseOption = Path("."),
) -> None:
    """Import a class list into the gradebook, so that every table lists all students.

    The columns of Moodle's, Canvas's and Gradescope's lists are recognised; --column id=…, first=…, last=…,
    name=…, email=… and section=… choose others. No student is removed. Exit status 1 if a row could not be
    imported.
    """
    from gradebox.forgotten_students import describe_forgotten
    from gradebox.lms.roster import FORGOTTEN, NEW, NOT_IMPORTED, SAME, UPDATED, import_roster

    rows = import_roster(open_course(course), file, parse_column_options(column))
    for row in rows:
        if row.what == NOT_IMPORTED:
            name = row.name or row.student
            console.print(
                Text(printable(f"{format_file_name(name)}: {row.problem}"), style="red"), soft_wrap=True
            )
    counts = Counter(row.what for row in rows)
    new = format_count(counts[NEW], "new student", "new students")
    said = f"{new}, {counts[UPDATED]} changed, {counts[SAME]} as they were"
    console.print(f"{said}; {counts[NOT_IMPORTED]} not taken." if counts[NOT_IMPORTED] else f"{said}.")
    if forgotten := [row.student for row in rows if row.what == FORGOTTEN]:
        console.print(Text(printable(describe_forgotten(forgotten)), style="yellow"), soft_wrap=True)
    if counts[NOT_IMPORTED]:
        raise typer.Exit(1)


def collect(
    file: Annotated[Path, typer.Argument(help="A platform's download: a zip archive, or a folder.")],
    platform: PlatformOption = None,
    assignment: Annotated[str | None, typer.Option(help="The assignment of all files.")] = None,
    worksheet: Annotated[
        Path | None, typer.Option(help="Moodle's grading worksheet, with times and owners of submissions.")
    ] = None,
    column: ColumnOptions = None,
    timezone: Annotated[
        str | None,
        typer.Option(help="The worksheet's time zone, such as Europe/Berlin; by default the course's."),
    ] = None,
    force: ForceOption = False,
    student: OnlyStudentOption = None,
    add_unknown: AddUnknownOption = False,
    course: CourseOption = Path("."),
) -> None:
    """Fill submitted/ with the submissions from a learning platform.

    Notebooks are recognised by their cells, under any name and in archives, and the files beside them are
    copied, too. A newer version replaces the collected one; a file that you have changed stays. Prints counts
    and the files that need attention, with the reason; downloaded/collected.csv lists all files. Exit status
    1 if a file needs attention.
    """
    from gradebox.lms.collect import collect_submissions as collect_all
    from gradebox.lms.collect_report import (
        MAX_TABLE_WIDTH,
        build_problem_table,
        format_counts,
        format_notes,
        write_results,
    )
    from gradebox.lms.export_grades import CANVAS
    from gradebox.lms.moodle_submission_owners import read_worksheet

    here = open_course(course, assignment)
    if assignment:
        here.select_assignments([assignment])
    told = None
    if worksheet:
        told = read_worksheet(worksheet, timezone or here.dates.timezone, parse_column_options(column))
    source, rows = collect_all(here, file, platform, force, assignment, told, student or (), add_unknown)
    problems = sum(row.problem for row in rows)
    title = f"{file.name} (from {source})"
    if problems:
        console.print(build_problem_table(rows), width=min(console.width, MAX_TABLE_WIDTH))
    for line in format_counts(rows, title):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for line in format_notes(rows):
        console.print(Text(printable(line), style="yellow"), soft_wrap=True)
    if source != CANVAS:
        # Canvas gives no times, and marks the late submissions, which are named above.
        print_untimed_submissions(here, source, sorted({row.assignment for row in rows} - {""}))
    if problems:
        need = format_count(problems, "file needs", "files need")
        console.print(Text(f"{need} attention: see the table above.", style="bold red"))
    if rows:
        where = write_results(here, rows).relative_to(here.root)
        console.print(f"All files are listed in {where}.", highlight=False)
    if problems:
        raise typer.Exit(1)


def due(
    assignment: Annotated[str | None, typer.Argument(help="The assignment.")] = None,
    date: Annotated[
        str | None,
        typer.Argument(help="Such as '2026-12-01 23:59', in the course's time zone (c.Dates.timezone)."),
    ] = None,
    student: Annotated[
        str | None, typer.Option(help="A student's id: the date is this student's extension.")
    ] = None,
    received: Annotated[
        bool,
        typer.Option("--received", help="The date is the time of this student's submission (timestamp.txt)."),
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the date.")] = False,
    course: CourseOption = Path("."),
) -> None:
    """Set the due date of an assignment, or a student's extension; without a date, list all dates.

    Due dates can also be a setting, c.Dates.due. --received sets when a submission was handed in, if the
    platform gives no time. The next `gradebox autograde` recomputes late penalties.
    """
    from gradebox.autograde.due_date_extensions import read_due_date, set_extension
    from gradebox.course import CourseError
    from gradebox.due_date_settings import set_due_date
    from gradebox.lms.due_dates import format_due_dates, set_time_of_submission

    here = open_course(course, assignment)
    dates = here.dates
    if assignment:
        here.select_assignments([assignment])
    if student:
        select_students(here, [student])
    if not date and not remove:
        for line in format_due_dates(here, assignment, student):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        return
    if not assignment:
        raise CourseError("name the assignment whose date changes")
    try:
        when = dates.parse(date) if date and not remove else None
    except ValueError as error:
        raise CourseError(str(error)) from None
    who = f"{assignment}, {format_file_name(student)}" if student else assignment
    if received:
        if not student:
            raise CourseError("name the student whose submission was received then: --student ID")
        set_time_of_submission(here, assignment, student, when)
        said = f"received {dates.describe(when)}" if when else "no time of submission"
        console.print(f"{who}: {said}", markup=False, highlight=False, soft_wrap=True)
        return
    if not student and assignment in dates.due:
        raise CourseError(
            f"the due date of {assignment} is a setting: change it in nbgrader_config.py, c.Dates.due"
        )
    with here.gradebook() as gradebook:
        if student:
            set_extension(gradebook.db.connection(), assignment, student, when)
        else:
            set_due_date(gradebook, assignment, when)
        common = read_due_date(gradebook, assignment)
    note = ""
    if student and when:
        note = "" if common else f"; it takes effect once {assignment} has a due date"
        if common and when < common:
            note = f"; the due date of all, {dates.describe(common)}, is later and still applies"
    said = f"due {dates.describe(when)}{note}" if when else "no extension" if student else "no due date"
    console.print(f"{who}: {said}", markup=False, highlight=False, soft_wrap=True)
    print_waiting(here, assignment)


def export(
    assignments: AssignmentsArgument = None,
    to: Annotated[str, typer.Option(help="canvas, moodle or csv.")] = "csv",
    into: Annotated[Path | None, typer.Option(help="The table exported by the platform, to fill in.")] = None,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Also write feedback pages, under the platform's file names.")
    ] = False,
    scale: ScaleOption = False,
    provisional: ProvisionalOption = False,
    section: SectionOption = None,
    column: ColumnOptions = None,
    course: CourseOption = Path("."),
) -> None:
    """Write grades after penalties for a learning platform. A missing grade is never written as 0.

    --into fills a table downloaded from the platform: Canvas's gradebook, or the grading worksheet of an
    assignment in Moodle. --column ASSIGNMENT=HEADING chooses the column of an assignment.
    """
    from gradebox.lms.export_grades import GradeExport
    from gradebox.lms.exported_grades import store_exported_grades
    from gradebox.lms.platform_tables import PlatformTable, TableOptions

    here = open_course(course, *(assignments or []))
    headings, folder = parse_column_options(column), make_section_folder(section)
    export = GradeExport(
        *(here, here.select_assignments(assignments), headings, scale, provisional),
        students=select_section(here, section) if section else None,
    )
    export.write(to, into, None, feedback, folder)
    store_exported_grades(here, export.written)
    if into:
        for platform, assignment in export.written:
            table = PlatformTable(here, platform, assignment, folder)
            table.store(into)
            table.store_options(TableOptions(scale, headings))
    print_export(here, export)


def print_export(here: "Course", export: "GradeExport") -> None:
    """Print the number of students in each state, remarks, and the written files."""
    for assignment, counts in export.counts.items():
        said = ", ".join(f"{count} {state}" for state, count in counts.items()) or "no students in the course"
        console.print(f"{assignment}: {said}", markup=False, highlight=False)
    for remark in export.remarks:
        console.print(Text(printable(remark), style="yellow"), soft_wrap=True)
    for path in export.files:
        where = path.relative_to(here.root) if path.is_relative_to(here.root) else path
        console.print(f"{where} written", soft_wrap=True, markup=False, highlight=False)
    print_waiting(here)


def status(assignments: AssignmentsArgument = None, course: CourseOption = Path(".")) -> None:
    """Print a table of the lessons: what is collected and graded, and what waits for you."""
    from gradebox.lms.course_status import build_status_table, describe_waiting, find_lesson_status

    here = open_course(course, *(assignments or []))
    lessons = [find_lesson_status(here, name) for name in here.select_assignments(assignments)]
    console.print(build_status_table(here, lessons))
    for line in describe_waiting(lessons):
        console.print(Text(printable(line), style="yellow"), soft_wrap=True)


def print_waiting(here: "Course", with_new_date: str | None = None) -> None:
    """Print how many things `gradebox status` lists. with_new_date: see `count_waiting`."""
    from gradebox.lms.course_status import count_waiting

    if count := count_waiting(here, with_new_date):
        said = f"{format_count(count, 'thing waits', 'things wait')}: `gradebox status`"
        console.print(Text(said, style="yellow"), soft_wrap=True)


def print_untimed_submissions(here: "Course", platform: str, assignments: "Iterable[str]") -> None:
    """Print how many submissions from a platform have no time, in assignments with a due date."""
    from gradebox.autograde.discover_submissions import has_files
    from gradebox.autograde.due_date_extensions import read_due_date
    from gradebox.lms.export_grades import MOODLE
    from gradebox.lms.match_students import read_collected_rows
    from gradebox.safe_submission_files import TIMESTAMP

    with here.gradebook() as gradebook:
        due = [name for name in assignments if read_due_date(gradebook, name)]
        rows = read_collected_rows(gradebook.db.connection(), due)
    folders = [
        here.path("submitted", name, who) for (who, name), row in rows.items() if row.platform == platform
    ]
    count = sum(has_files(folder) and not (folder / TIMESTAMP).exists() for folder in folders)
    if count:
        said = f"{format_count(count, 'submission has', 'submissions have')} no time and can't be late."
        if platform == MOODLE:
            said += " Moodle's worksheet has times: name the download again, with --worksheet."
        console.print(Text(said, style="yellow"), soft_wrap=True)


def parse_column_options(columns: list[str] | None) -> dict[str, str]:
    """Parse options of the form NAME=HEADING. Returns the headings by name. Raises CourseError."""
    from gradebox.course import CourseError

    found = {}
    for option in columns or []:
        name, equals, heading = option.partition("=")
        if not (name and equals and heading):
            raise CourseError(f"--column takes NAME=HEADING, not {option!r}")
        found[name.strip()] = heading.strip()
    return found
