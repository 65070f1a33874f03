"""Release, grade and audit nbgrader assignments, and exchange files with learning platforms."""

# The commands import their modules in their own bodies, so that each command loads only what it needs.
import errno
import sys
from collections.abc import Callable, Collection
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from gradebox import grade_commands
from gradebox.console import (
    AllOption,
    AssignmentsArgument,
    CourseOption,
    SectionOption,
    StudentOption,
    console,
    create_progress_bar,
    make_section_folder,
    open_course,
    print_skipped_folders,
    select_section,
    select_students,
)
from gradebox.course_setup.init_command import init
from gradebox.course_setup.new_lesson_command import new
from gradebox.lms import lms_commands
from gradebox.parity.check_command import check
from gradebox.printable_text import format_count, format_file_name, printable, shorten_list
from gradebox.watch.watch_command import watch
from gradebox.withdrawn_features import describe_removed_command

if TYPE_CHECKING:
    from gradebox.autograde.grade_submissions import GradingOutcome
    from gradebox.course import Course
    from gradebox.erasure.erase_student import RemovalReport

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
packages = typer.Typer(help="Build autograder packages for learning platforms.", no_args_is_help=True)
app.add_typer(packages, name="package")


def print_version(requested: bool) -> None:
    if requested:
        console.print(f"gradebox {metadata.version('gradebox')}", highlight=False)
        raise typer.Exit


@app.callback()
def read_options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def release(
    assignments: AssignmentsArgument = None,
    check: Annotated[bool, typer.Option(help="Also grade the reference solutions in source/.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Release unchanged assignments again, too.")] = False,
    core: Annotated[
        bool | None,
        typer.Option(
            "--core/--full",
            help="From now on, give the core exercises only, or all exercises, of these assignments.",
        ),
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Write source/ from lessons/ and answers/, and release/ from source/, for new and changed assignments.

    Exit status 1 if an assignment can't be released; the reasons are printed at the end.
    """
    from gradebox.course import Course, CourseError
    from gradebox.release.release_record import find_current, hash_written_files

    here, named, changed = Course(course), assignments or [], list[str]()
    if core is not None:
        from gradebox.course_setup.config_edit import set_edition
        from gradebox.exercise_selection import CORE, FULL

        line = set_edition(here, CORE if core else FULL, here.select_assignments(named) if named else [])
        console.print(f"nbgrader_config.py: {line or 'all lessons have all exercises'}", soft_wrap=True)
        here = Course(course)
    everything = named or sorted({*here.lesson_texts, *here.assignments})
    current = [] if force else find_current(here, everything)
    stale: dict[str, str] = {}
    # A release of all lessons takes minutes, in which a text may be edited.
    inputs = {name: hash_written_files(here, name) for name in everything if name not in current}
    if len(current) < len(everything):
        from gradebox.release.release_lessons import pair_notebooks

        written, stale = pair_notebooks(here, [name for name in everything if name not in current])
        for notebook in written:
            console.print(f"{notebook} written from its text")
    problems = list(stale.values())
    # An assignment with an invalid text may have no notebook yet: select_assignments would refuse the name.
    others = [assignment for assignment in named if assignment not in stale]
    for assignment in here.select_assignments(others) if others or not named else []:
        if assignment in stale or assignment in current:
            continue
        try:
            if release_and_print(here, assignment, inputs[assignment]):
                changed.append(assignment)
        except CourseError as error:
            problems.append(str(error))
    if current:
        lessons = current[0] if len(current) == 1 else f"{len(current)} lessons"
        console.print(f"{lessons} {'is' if len(current) == 1 else 'are'} current")
    if check and changed:
        print_check_findings(here, changed)
    if not named:
        # The texts may have added folders, and the end is what a reader sees.
        print_skipped_folders(here)
    for problem in problems:
        print_error(problem)
    if problems:
        raise typer.Exit(1)


@app.command()
def sync(
    assignment: Annotated[str, typer.Argument(help="The lesson whose source notebook was edited.")],
    course: CourseOption = Path("."),
) -> None:
    """Copy edits in a lesson's source notebook to the lesson's text in lessons/."""
    from gradebox.release.jupytext_sync import sync_lesson_text as copy_to_text

    here = open_course(course, assignment)
    text = copy_to_text(here, here.select_assignments([assignment])[0])
    console.print(f"{text.relative_to(here.root)} written from its notebook")


def release_and_print(here: "Course", assignment: str, inputs: str) -> bool:
    """Release an assignment, and print the written files and warnings.

    inputs: see `record_release`. Returns True if the test modes were recorded again because something has
    changed. Raises CourseError.
    """
    from gradebox.course import REMOVED_POINTS_FILE
    from gradebox.release.generate_checks_cell import update_checks
    from gradebox.release.notebook_lint import lint_assignment, raise_blocking_problems
    from gradebox.release.release_lessons import find_warnings, read_last_release
    from gradebox.release.release_lessons import write_student_version as release_assignment
    from gradebox.release.release_record import record_release
    from gradebox.release.store_test_modes import record_tests
    from gradebox.reports.in_process_tests import describe_in_process_tests
    from gradebox.reports.release_changes import list_point_changes
    from gradebox.reports.student_standings import CHANGED, find_standings
    from gradebox.reports.terminal_score_tables import list_lost_adjustments

    last = read_last_release(here, assignment)
    found = lint_assignment(here, assignment)
    raise_blocking_problems(found, assignment)
    for written in update_checks(here, assignment):
        console.print(f"{written} written from the answers")
        found = lint_assignment(here, assignment)
    removed = release_assignment(here, assignment, found)
    console.print(f"{assignment} released")
    for change in list_point_changes(last, here.released(assignment)):
        console.print(change, highlight=False, soft_wrap=True)
    recorded = record_tests(here, assignment)
    for written in recorded:
        console.print(f"{written}: recorded the modes of its tests")
    outside = describe_in_process_tests(here, assignment)
    if outside:
        console.print(outside, soft_wrap=True)
    if removed:
        what = "points and comments for removed cells are saved in"
        count = format_count(len(removed), "entry", "entries")
        console.print(Text(f"{assignment}: {what} {REMOVED_POINTS_FILE}: {count}", style="yellow"))
    for warning in find_warnings(here, assignment, found):
        console.print(Text(f"warning: {warning}", style="yellow"), soft_wrap=True)
    record_release(here, assignment, inputs)
    for line in list_lost_adjustments(here, assignment):
        console.print(line, soft_wrap=True)
    if outdated := sum(one.state == CHANGED for one in find_standings(here, assignment).values()):
        said = f"{assignment}: {outdated} graded, but out of date: `gradebox grade {assignment}`"
        console.print(said, style="yellow", highlight=False, soft_wrap=True)
    return bool(recorded)


def print_check_findings(here: "Course", assignments: list[str]) -> None:
    """Check assignments, and print the findings as warnings; findings do not stop a release."""
    from gradebox.course import CourseError
    from gradebox.parity.check_command import run_check_with_progress

    try:
        lines = [line for one in run_check_with_progress(here, assignments, quick=True) for line in one.lines]
    except CourseError as error:
        lines = [f"{', '.join(assignments)} can't be checked: {error}"]
    for line in lines:
        console.print(Text(printable(f"warning: {line}"), style="yellow"), soft_wrap=True)


for command in (init, new, check, lms_commands.roster, lms_commands.collect, lms_commands.due):
    app.command()(command)


@app.command()
def autograde(
    assignments: AssignmentsArgument = None,
    student: StudentOption = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of parallel workers (default: number of cores).")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler to grade with, such as tcp://host:8786.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade unchanged submissions again, too.")] = False,
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Also grade lessons whose own reference solution fails here."),
    ] = False,
    section: SectionOption = None,
    everyone: AllOption = False,
    pages: Annotated[
        bool, typer.Option("--feedback", help="Then write feedback pages, as `gradebox feedback` does.")
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Grade new and changed submissions in submitted/, and print the grades and incidents.

    The incidents are also written to incidents.json. Exit status 1 if a submission is not graded; the last
    line names the submission.
    """
    from gradebox.course import Course

    here = Course(course)
    wanted = select_students(here, student) if student else select_section(here, section)
    outcomes = grade_and_report(
        *(here, assignments, leave_out_forgotten(here, wanted), everyone or bool(student)),
        force=force,
        workers=workers,
        scheduler=scheduler,
        anyway=anyway,
    )
    if not assignments:
        print_skipped_folders(here)
    lms_commands.print_waiting(here)
    written = not pages or write_feedback_pages(here, assignments, wanted)
    print_verdict(outcomes)
    if not written:
        raise typer.Exit(1)


def grade_and_report(
    here: "Course",
    assignments: list[str] | None,
    students: list[str],
    everyone: bool = False,
    **options: Any,
) -> "list[GradingOutcome]":
    """Grade these students' submissions with progress bars, and print the report. Return the outcomes.

    everyone: see `format_grading_report`. options: of `autograde_submissions`.
    """
    from gradebox.autograde.discover_submissions import find_submissions
    from gradebox.course import INCIDENTS

    chosen, submissions = here.select_assignments(assignments), []
    with create_progress_bar(ticking=False) as reading:
        # In a large class, the notebooks take seconds to read.
        task = reading.add_task("reading submissions", total=len(chosen) * len(students))
        for submission in find_submissions(here, chosen, students):
            submissions.append(submission)
            reading.update(task, advance=1, refresh=True)
    # Imported when it is clear that the lessons are released.
    from gradebox.autograde.grade_submissions import autograde_submissions as grade_all
    from gradebox.autograde.incidents import write_incidents
    from gradebox.reports.terminal_score_tables import format_grading_report

    progress = create_progress_bar(ticking=False)
    task = progress.add_task("grading", total=len(submissions))
    try:
        # Workers are forks of this process, so no other thread may be running.
        with progress:
            outcomes = grade_all(
                here,
                submissions,
                done=lambda _: progress.update(task, advance=1, refresh=True),
                **options,
            )
    except KeyboardInterrupt:
        console.print(
            f"Stopped: {progress.tasks[task].completed:g} of {len(submissions)} submissions are done "
            "and kept. Run the command again for the rest.",
            soft_wrap=True,
        )
        raise
    write_incidents(here.root / INCIDENTS, [i for outcome in outcomes for i in outcome.incidents])
    console.print(format_grading_report(here, outcomes, everyone))
    return outcomes


def print_verdict(outcomes: "list[GradingOutcome]") -> None:
    """Print which submissions are not graded. Raises typer.Exit with exit status 1 if there are any."""
    from gradebox.reports.terminal_score_tables import format_grading_verdict

    console.print(format_grading_verdict(outcomes), soft_wrap=True)
    if any(outcome.problem for outcome in outcomes):
        raise typer.Exit(1)


app.command()(watch)


@app.command()
def feedback(
    assignments: AssignmentsArgument = None,
    student: StudentOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write pages that are up to date again, too.")
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Write new and changed feedback pages for students, with the points and comments in the gradebook.

    Exit status 1 if a page can't be written.
    """
    here = open_course(course, *(assignments or []))
    if not write_feedback_pages(here, assignments, select_students(here, student), force):
        raise typer.Exit(1)


def write_feedback_pages(
    here: "Course", assignments: list[str] | None, students: list[str], force: bool = False
) -> bool:
    """Write these students' feedback pages with a progress bar. Return False if one can't be written."""
    from gradebox.reports.feedback_pages import find_graded_students, write_feedback

    graded = find_graded_students(here, here.select_assignments(assignments), students)
    total = sum(map(len, graded.values()))
    # Workers are forks of this process, so no other thread may be running.
    with create_progress_bar(ticking=False) as progress:
        task = progress.add_task("feedback", total=total)
        written, problems = write_feedback(
            here, graded, force, done=lambda: progress.update(task, advance=1, refresh=True)
        )
    where = here.directory().feedback_directory
    unchanged = total - written - len(problems)
    if written or not unchanged:
        pages = format_count(written, "feedback page", "feedback pages")
        console.print(f"{pages} written: {where}/STUDENT/LESSON/*.html")
    if unchanged:
        pages = format_count(unchanged, "feedback page is", "feedback pages are")
        console.print(f"{pages} up to date: {where}/STUDENT/LESSON/*.html")
    for assignment, name, problem in problems:
        where = f"{format_file_name(name)}/{assignment}"
        console.print(
            printable(f"{where}: no feedback page: {problem}"), style="red", markup=False, highlight=False
        )
    return not problems


@app.command()
def grade(
    assignment: Annotated[str, typer.Argument(help="The assignment.")],
    download: Annotated[
        list[Path] | None, typer.Argument(help="Downloads of platforms: zip archives, or folders.")
    ] = None,
    worksheet: Annotated[
        Path | None,
        typer.Option(help="Moodle's grading worksheet: has the times of submissions, and gets the grades."),
    ] = None,
    into: Annotated[Path | None, typer.Option(help="Canvas's gradebook, which gets the grades.")] = None,
    platform: lms_commands.PlatformOption = None,
    force: lms_commands.ForceOption = False,
    student: lms_commands.OnlyStudentOption = None,
    add_unknown: lms_commands.AddUnknownOption = False,
    scale: lms_commands.ScaleOption = False,
    provisional: lms_commands.ProvisionalOption = False,
    column: lms_commands.ColumnOptions = None,
    section: SectionOption = None,
    course: CourseOption = Path("."),
) -> None:
    """Collect downloads, grade them, and write what the platforms take: grades and feedback pages.

    Runs collect, autograde, feedback and export for one assignment. Run it again after `gradebox read`, or
    with a newer download: it does what is left, and fills every table again that was named for the lesson.
    Exit status 1 if a file needs attention or a submission is not graded.
    """
    from gradebox.course import CourseError
    from gradebox.csv_table import read_csv_table
    from gradebox.lms.export_grades import CANVAS, MOODLE, GradeExport, require_canvas_gradebook
    from gradebox.lms.platform_tables import PlatformTable, TableOptions, find_tables, write_tables

    here = open_course(course, assignment)
    here.select_assignments([assignment])
    folder = make_section_folder(section)
    select_section(here, section)
    of_download = {"platform": platform, "force": force, "student": student, "add_unknown": add_unknown}
    if not download and any(of_download.values()):
        raise CourseError("--from, --force, --student and --add-unknown need a download: name it, too")
    options = TableOptions(scale, lms_commands.parse_column_options(column))
    files = {MOODLE: worksheet, CANVAS: into}
    named = {PlatformTable(here, to, assignment, folder): path for to, path in files.items() if path}
    for table, path in named.items():
        # Grading takes minutes, so report an unusable file before.
        sheet = read_csv_table(path)
        if table.platform == CANVAS:
            require_canvas_gradebook(sheet, path)
    # The next worksheet has the same headings as the earlier one. That of the grades is for the export only.
    headings = PlatformTable(here, MOODLE, assignment, folder).read_options().update(options).columns
    about = {
        "column": [f"{name}={text}" for name, text in headings.items() if name != assignment],
        **{"assignment": assignment, "worksheet": worksheet, "course": course, **of_download},
    }
    collected = [run_step(lms_commands.collect, file=file, **about) for file in download or ()]
    # With the students who are new.
    here = open_course(course, assignment)
    students = leave_out_forgotten(here, select_section(here, section))
    graded = run_step(print_verdict, outcomes=grade_and_report(here, [assignment], students))
    written = write_feedback_pages(here, [assignment], students)
    for table, path in named.items():
        table.store(path)
    tables = find_tables(here, assignment, folder)
    of_section = students if folder and tables[0].section else None
    export = GradeExport(here, [assignment], provisional=provisional, students=of_section)
    problems = write_tables(export, tables, named or tables, options)
    lms_commands.print_export(here, export)
    if worksheet and not download:
        lms_commands.print_untimed_submissions(here, MOODLE, [assignment])
    if problems:
        raise CourseError("; ".join(problems))
    if not all(collected):
        said = "Files of the download need attention: see the table above, or downloaded/collected.csv."
        console.print(Text(said, style="bold red"), soft_wrap=True)
    if not (all(collected) and graded and written):
        raise typer.Exit(1)


def run_step(command: Callable[..., None], **options: object) -> bool:
    """Run a command as a step of another one. Return True if its exit status is 0."""
    try:
        command(**options)
    except typer.Exit as end:
        return not end.exit_code
    return True


@app.command()
def report(
    assignments: AssignmentsArgument = None,
    section: SectionOption = None,
    course: CourseOption = Path("."),
) -> None:
    """Write the class report to exports/class.html."""
    from gradebox.class_report.exercise_outcomes import collect_lesson_outcomes
    from gradebox.class_report.html_report import write_class_page
    from gradebox.course import CourseError
    from gradebox.lms.export_grades import EXPORT_FOLDER

    here = open_course(course, *(assignments or []))
    students = select_section(here, section)
    with create_progress_bar() as progress:
        chosen = progress.track(here.select_assignments(assignments), description="report")
        lessons = [collect_lesson_outcomes(here, assignment, students) for assignment in chosen]
    if not any(item.attempts for one in lessons for item in one.items):
        raise CourseError("no up-to-date grades: run `gradebox autograde` first")
    path = write_class_page(here, lessons, here.root / EXPORT_FOLDER, section or "")
    console.print(f"{path.relative_to(here.root)} written")


@app.command()
def similar(
    assignment: Annotated[str, typer.Argument(help="The lesson whose submissions are compared.")],
    course: CourseOption = Path("."),
) -> None:
    """Compare the code of submissions, and write unusually similar pairs side by side to exports/."""
    from gradebox.course import CourseError, require_extra

    with require_extra("report"):
        from gradebox.class_report.code_similarity import collect_code, compare_students, released_code
        from gradebox.class_report.html_report import write_similarity_page
    from gradebox.lms.export_grades import EXPORT_FOLDER

    here = open_course(course, assignment)
    here.select_assignments([assignment])
    code = collect_code(here, assignment)
    if len(code) < 2:
        raise CourseError(f"fewer than two submissions to {assignment} are graded: nothing to compare")
    found = compare_students(code, released_code(here, assignment))
    path = write_similarity_page(here, assignment, found, here.root / EXPORT_FOLDER)
    pairs = format_count(found.alike, "pair is", "pairs are")
    where = path.relative_to(here.root)
    console.print(
        f"{format_count(found.compared, 'pair', 'pairs')} compared; {pairs} unusually alike: {where}"
    )
    if found.silent:
        have = format_count(len(found.silent), "has", "have")
        console.print(f"Of {len(code)} submissions, {have} too little code of their own to compare.")


@app.command()
def read(
    assignments: AssignmentsArgument = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks a free port.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="The address at which a proxy serves the page, such as https://HUB/user/NAME/proxy/8123/."
        ),
    ] = None,
    section: SectionOption = None,
    course: CourseOption = Path("."),
) -> None:
    """Grade written answers and change points of tests, on a page served on this machine.

    The printed address contains an access token: anyone with the address can open the page. Several people
    can read at the same time. Ctrl-C stops the server.
    """
    from gradebox.course import CourseError
    from gradebox.manual_grading.grading_service import ReadingService
    from gradebox.manual_grading.web_server import open_browser, parse_base_url, serve_reading_page

    proxy = parse_base_url(base_url) if base_url else None
    if proxy and not port:
        raise CourseError("--base-url needs --port: the port that the proxy serves")
    here = open_course(course, *(assignments or []))
    # This also reports an unusable gradebook now, not in the browser.
    select_section(here, section)
    desk = ReadingService(here, here.select_assignments(assignments), section or "")
    if not desk.questions:
        raise CourseError("nothing is graded in the selected assignments")

    def say(address: str) -> None:
        console.print(f"Read at {address}", soft_wrap=True, highlight=False)
        if browser:
            open_browser(address)

    try:
        serve_reading_page(desk, port, say, proxy)
    except OSError as error:
        raise CourseError(f"port {port} can't be used: {error.strerror}") from None
    console.print("Everything that was saved is in the gradebook.")
    lms_commands.print_waiting(here)


app.command()(grade_commands.adjust)
app.command()(lms_commands.export)
app.command()(lms_commands.status)
app.command()(grade_commands.final)


@app.command()
def publish(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A folder outside the course, such as a clone of a public repository. With --site, it "
            "can also be in the course."
        ),
    ],
    site: Annotated[
        bool,
        typer.Option("--site", help="Write the sources of a website with the lessons to read, for Sphinx."),
    ] = False,
    lite: Annotated[
        bool,
        typer.Option(
            "--lite",
            help="With --site: link to JupyterLite in the website's folder lite, which you build afterwards.",
        ),
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Write only the files that students may see to a folder that can be made public."""
    from gradebox.course import CourseError

    here = open_course(course)
    if site:
        publish_site(here, folder, lite)
        return
    if lite:
        raise CourseError("--lite needs --site: only a website links to JupyterLite")
    from gradebox.release.publish_course import write_public_folder as publish_course

    written = publish_course(here, folder)
    said = f"{len(written)} files written to {folder}: only files that students may see, ready to push"
    console.print(said, soft_wrap=True)


def publish_site(here: "Course", folder: Path, lite: bool) -> None:
    """Write the sources of the course's website."""
    from gradebox.site.site_pages import write_site_sources

    with create_progress_bar() as progress:
        task = progress.add_task("lessons", total=sum(len(here.notebooks(name)) for name in here.assignments))
        pages = write_site_sources(here, folder, lite, done=lambda: progress.advance(task))
    console.print(f"{format_count(pages, 'page', 'pages')} for Sphinx written to {folder}", soft_wrap=True)


@app.command()
def solutions(
    assignments: AssignmentsArgument = None,
    theme: Annotated[str, typer.Option(help="light or dark, for the HTML page.")] = "light",
    course: CourseOption = Path("."),
) -> None:
    """Write lessons, solved and executed, to solutions/: a notebook and an HTML page that works offline.

    Both are for students after the deadline: they contain the solutions, but no hidden tests.
    """
    from gradebox.course import CourseError
    from gradebox.release.write_solutions import find_due_date, write_solutions

    if theme not in ("light", "dark"):
        raise CourseError(f"unknown theme {theme!r} (known: light, dark)")
    here = open_course(course, *(assignments or []))
    for assignment in here.select_assignments(assignments):
        for path in write_solutions(here, assignment, theme):
            console.print(f"{path.relative_to(here.root)} written", soft_wrap=True)
        if due := find_due_date(here, assignment):
            when = f"{due.astimezone():%Y-%m-%d %H:%M %Z}"
            console.print(Text(f"{assignment} is due on {when}: keep them until then", style="yellow"))


@packages.command("gradescope")
def package_gradescope(
    lesson: Annotated[str, typer.Argument(help="The lesson.")],
    points: Annotated[
        str,
        typer.Option(help="When students see points: visible, after_due_date, after_published or hidden."),
    ] = "visible",
    words: Annotated[
        str, typer.Option(help="When students see test messages (same values as --points).")
    ] = "visible",
    output: Annotated[
        Path | None, typer.Option(help="The output file (default: gradescope/LESSON.zip in the course).")
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Build the Gradescope autograder zip for one lesson. The zip contains solutions and hidden tests."""
    from gradebox.lms.gradescope_package import AutograderSettings, write_autograder_zip

    here = open_course(course, lesson)
    path = output or here.root / "gradescope" / f"{lesson}.zip"
    write_autograder_zip(here, AutograderSettings(lesson, points, words), path)
    console.print(f"{path} written: upload it to Gradescope as the lesson's autograder", soft_wrap=True)
    cells = here.graded_cells(lesson)
    tested = sum(cell.points for cell in cells if not cell.manual)
    read = sum(cell.points for cell in cells if cell.manual)
    more = f"; {read:g} more for written answers, graded by a person" if read else ""
    console.print(f"{tested:g} points from tests (the autograder points in Gradescope){more}", soft_wrap=True)


@app.command()
def doctor(course: CourseOption = Path(".")) -> None:
    """Check which sandbox mechanisms work on this machine, and whether anything prevents grading.

    Exit status 1 if something needs to be fixed.
    """
    from gradebox.reports import doctor as machine

    checks = list(machine.run_diagnostics(course.resolve()))
    console.print(machine.format_diagnostics(checks), soft_wrap=True)
    if any(check.todo for check in checks):
        raise typer.Exit(1)


@app.command()
def audit(
    assignments: AssignmentsArgument = None,
    exercise: Annotated[
        str | None, typer.Option(help="Only this exercise: the grade_id of its solution cell.")
    ] = None,
    mutants: Annotated[bool, typer.Option(help="Also try mutants of the correct answers.")] = True,
    output: Annotated[Path, typer.Option(help="The folder for audit.json.")] = Path("audit"),
    course: CourseOption = Path("."),
) -> None:
    """Run the tests against every answer in answers/, and against mutants of the correct answers.

    Exit status 1 if a test accepts a wrong answer or rejects a correct answer. Without answers, this command
    does the same as `gradebox check`.
    """
    from gradebox.course import require_extra
    from gradebox.parity.check_command import print_check

    here = open_course(course, *(assignments or []))
    chosen = here.select_assignments(assignments)
    if not exercise and not any((here.root / "answers" / name).is_dir() for name in chosen):
        what = "No answers to audit: the reference solutions in source/ are checked instead"
        console.print(f"{what}, as by `gradebox check`.", soft_wrap=True)
        print_check(here, chosen)
        return
    with require_extra("audit"):
        from gradebox.audit import audit_report
        from gradebox.audit.run_audit import run_audit as audit_all
    with create_progress_bar() as progress:
        task = progress.add_task("creating mutants", total=None)
        audited = audit_all(
            here,
            chosen,
            exercise,
            mutants,
            begun=lambda name, count: progress.reset(task, description=name, total=count),
            done=lambda: progress.advance(task),
        )
    console.print(audit_report.render_audit_table(audited))
    tried = sum(exercise.mutants for one in audited for exercise in one.exercises.values())
    seconds = sum(one.seconds for one in audited)
    path = audit_report.write_audit_json(here.root / output, audited)
    console.print(f"{tried} mutants in {seconds:.0f} s; details in {path}")
    if any(one.findings for one in audited):
        raise typer.Exit(1)


@app.command()
def forget(
    student: Annotated[str, typer.Argument(help="The student's id: the name of the folder.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    readmit: Annotated[
        bool, typer.Option("--readmit", help="Let a forgotten student be taken in again; restores no data.")
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Remove all data of a student from the course, and list the data left in other places.

    A keyed hash of the id is kept, so that collect, roster and autograde leave the student out from then on.
    Exit status 1 if a file that still mentions the student is left.
    """
    from gradebox.erasure.erase_student import check_student_exists, forget_student, readmit_student

    here = open_course(course)
    if readmit:
        readmit_student(here, student)
        console.print(Text(printable(f"{student}: can be taken in again")), soft_wrap=True)
        return
    check_student_exists(here, student)
    if not yes:
        name = format_file_name(student)
        what = f"Permanently remove all data of {name} from this course, points and comments too?"
        typer.confirm(what, abort=True)
    forgotten = forget_student(here, student)
    print_removals(student, forgotten)
    kept = "a keyed hash of the id, so that no command takes the student in again by mistake"
    console.print(Text(printable(f"{student}: kept: {kept}")), soft_wrap=True)
    raise typer.Exit(1 if forgotten.left else 0)


def leave_out_forgotten(course: "Course", students: Collection[str]) -> list[str]:
    """Return the students without those who were forgotten, and print a line about these."""
    from gradebox.forgotten_students import describe_forgotten, find_forgotten

    forgotten = find_forgotten(course, students)
    if forgotten:
        console.print(Text(printable(describe_forgotten(forgotten)), style="yellow"), soft_wrap=True)
    return [student for student in students if student not in forgotten]


def print_removals(student: str, forgotten: "RemovalReport") -> None:
    """Print the data of a student that was removed, and the data that could not be removed."""
    for what in forgotten.removed:
        console.print(Text(printable(f"{student}: removed: {what}")), soft_wrap=True)
    for what in forgotten.left:
        said = f"{student}: check manually: {what}"
        console.print(Text(printable(said), style="yellow"), soft_wrap=True)
    if forgotten.unread:
        shown = shorten_list(forgotten.unread)
        said = f"{student}: not searched, because they are archives or not text: {shown}"
        console.print(Text(printable(said)), soft_wrap=True)


def print_error(problem: str) -> None:
    """Print an error message to standard error."""
    said = printable(f"gradebox: {problem}")
    Console(stderr=True).print(said, style="red", markup=False, highlight=False, soft_wrap=True)


# Errors of a folder or file that this user can't change, such as a read-only checkout.
NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)


def main() -> None:
    """Run a command; print errors that the user can fix as one sentence, without a traceback."""
    if removed := describe_removed_command(sys.argv[1:]):
        print_error(removed)
        raise SystemExit(2)
    try:
        app()
    except Exception as error:
        from traitlets import TraitError

        from gradebox.course import CourseError
        from gradebox.gradebook_transactions import GRADEBOOK_ERRORS, describe_gradebook_error

        status = error.exit_status if isinstance(error, CourseError) else 2
        if isinstance(error, GRADEBOOK_ERRORS):
            problem = describe_gradebook_error(error)
        elif isinstance(error, CourseError):
            problem = str(error)
        elif isinstance(error, TraitError):
            problem = f"a setting in nbgrader_config.py is wrong: {error}"
        elif isinstance(error, OSError) and error.errno in NOT_WRITABLE and error.filename:
            problem = f"{error.filename} can't be written or read: {error.strerror}"
        else:
            raise
        print_error(problem)
        raise SystemExit(status) from None
