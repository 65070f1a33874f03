"""The commands: from release to grades, the audit, and the ways to and from learning platforms.

Each imports what it needs when it runs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from gradebox.console import (
    AssignmentsArgument,
    CourseOption,
    StudentOption,
    console,
    create_progress_bar,
    open_course,
    select_students,
)
from gradebox.course_setup.init_command import init
from gradebox.lms import lms_commands
from gradebox.parity.check_command import check
from gradebox.printable_text import format_count, format_file_name, printable

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.erasure.erase_student import RemovalReport

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
packages = typer.Typer(help="Make what a learning platform grades a lesson with.", no_args_is_help=True)
app.add_typer(packages, name="package")


@app.command()
def release(
    assignments: AssignmentsArgument = None,
    check: Annotated[bool, typer.Option(help="Whether to grade the source's own solutions, too.")] = True,
    plain: Annotated[bool, typer.Option("--plain", help="Do not compress the code of checks cells.")] = False,
    course: CourseOption = Path("."),
) -> None:
    """Write source/ from lessons/ and answers/, and release/ from source/.

    Exit status 1 if there is one that can't be released; it is said in the end.
    """
    from gradebox.course import CourseError
    from gradebox.release.release_lessons import pair_all_notebooks

    here = open_course(course)
    written, stale = pair_all_notebooks(here, plain)
    for notebook in written:
        console.print(f"{notebook} written from its text")
    named, changed = assignments or [], []
    problems = [why for assignment, why in stale.items() if assignment in named or not named]
    # One may have a text that is none, and nothing made of it before.
    others = [assignment for assignment in named if assignment not in stale]
    for assignment in here.select_assignments(others) if others or not named else []:
        if assignment in stale:
            continue
        try:
            if release_and_print(here, assignment, plain):
                changed.append(assignment)
        except CourseError as error:
            problems.append(str(error))
    if check and changed:
        print_check_findings(here, changed)
    for problem in problems:
        print_error(problem)
    if problems:
        raise typer.Exit(1)


@app.command()
def sync(
    assignment: Annotated[str, typer.Argument(help="The lesson whose source notebook was edited.")],
    course: CourseOption = Path("."),
) -> None:
    """Copy what was edited in a lesson's source notebook to its text in lessons/."""
    from gradebox.release.jupytext_sync import sync_lesson_text as copy_to_text

    here = open_course(course)
    text = copy_to_text(here, here.select_assignments([assignment])[0])
    console.print(f"{text.relative_to(here.root)} written from its notebook")


def release_and_print(here: "Course", assignment: str, plain: bool) -> bool:
    """Release an assignment, and print what its author should know. Raises CourseError.

    Returns True if its tests have been recorded, since something has changed.
    """
    from gradebox.release.generate_checks import update_checks
    from gradebox.release.notebook_lint import lint_assignment, raise_blocking_problems
    from gradebox.release.release_lessons import REMOVED_POINTS_FILE, find_warnings
    from gradebox.release.release_lessons import write_student_version as release_assignment
    from gradebox.release.store_test_modes import record_tests
    from gradebox.reports.in_process_tests import describe_in_process_tests

    raise_blocking_problems(lint_assignment(here, assignment), assignment)
    for written in update_checks(here, assignment, plain):
        console.print(f"{written} written from the answers")
    removed = release_assignment(here, assignment)
    console.print(f"{assignment} released")
    recorded = record_tests(here, assignment)
    for written in recorded:
        console.print(f"{written}: recorded what its tests need")
    outside = describe_in_process_tests(here, assignment)
    if outside:
        console.print(outside, soft_wrap=True)
    if removed:
        what = "what people had given for cells that are gone is kept in"
        console.print(
            Text(f"{assignment}: {what} {REMOVED_POINTS_FILE}: {len(removed)} entries", style="yellow")
        )
    for warning in find_warnings(here, assignment):
        console.print(Text(f"warning: {warning}", style="yellow"), soft_wrap=True)
    return bool(recorded)


def print_check_findings(here: "Course", assignments: list[str]) -> None:
    """Print the findings of a check of assignments, which stop no release."""
    from gradebox.course import CourseError
    from gradebox.parity.check_command import run_check_with_progress

    try:
        lines = [line for one in run_check_with_progress(here, assignments, quick=True) for line in one.lines]
    except CourseError as error:
        lines = [f"{', '.join(assignments)} can't be checked: {error}"]
    for line in lines:
        console.print(Text(printable(f"warning: {line}"), style="yellow"), soft_wrap=True)


for command in (init, check, lms_commands.roster, lms_commands.collect, lms_commands.extend):
    app.command()(command)


@app.command()
def autograde(
    assignments: AssignmentsArgument = None,
    student: StudentOption = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many run at once; as many as there are cores if not given.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler whose workers to use, such as tcp://host:8786.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what is unchanged, too.")] = False,
    course: CourseOption = Path("."),
) -> None:
    """Grade what is new or changed in submitted/, and print the grades and what happened.

    What happened is in incidents.json, too. Exit status 1 if something that was handed in is not graded; the
    last line says what.
    """
    from gradebox.autograde.discover_submissions import find_submissions
    from gradebox.autograde.grade_submissions import autograde_submissions as grade_all
    from gradebox.autograde.incidents import write_incidents
    from gradebox.course import INCIDENTS
    from gradebox.reports.score_tables import format_grading_report, format_grading_verdict

    here = open_course(course)
    submissions = list(
        find_submissions(here, here.select_assignments(assignments), select_students(here, student))
    )
    # Workers are forks of this process, which must not be in the middle of something.
    with create_progress_bar(ticking=False) as progress:
        task = progress.add_task("grading", total=len(submissions))
        outcomes = grade_all(
            *(here, submissions, force, workers, scheduler),
            done=lambda _: progress.update(task, advance=1, refresh=True),
        )
    write_incidents(here.root / INCIDENTS, [i for outcome in outcomes for i in outcome.incidents])
    console.print(format_grading_report(here, outcomes))
    console.print(format_grading_verdict(outcomes), soft_wrap=True)
    if any(outcome.problem for outcome in outcomes):
        raise typer.Exit(1)


@app.command()
def feedback(
    assignments: AssignmentsArgument = None, student: StudentOption = None, course: CourseOption = Path(".")
) -> None:
    """Write the pages that students get, with points and comments as they are in the gradebook now.

    Exit status 1 if there is one that can't be written.
    """
    from nbgrader.converters import GenerateFeedback

    from gradebox.autograde.discover_submissions import find_submissions

    here = open_course(course)
    submissions = find_submissions(here, here.select_assignments(assignments), select_students(here, student))
    pages = [s for s in submissions if here.path("autograded", s.assignment, s.student).is_dir()]
    problems = []
    with create_progress_bar() as progress:
        for submission in progress.track(pages, description="feedback"):
            problem = here.convert(GenerateFeedback, submission.assignment, submission.student)
            if problem:
                where = f"{format_file_name(submission.student)}/{submission.assignment}"
                problems.append(f"{where}: no feedback page: {problem}")
    where = here.directory().feedback_directory
    console.print(f"{len(pages) - len(problems)} feedback pages written: {where}/STUDENT/LESSON/*.html")
    for problem in problems:
        console.print(printable(problem), style="red", markup=False, highlight=False)
    if problems:
        raise typer.Exit(1)


@app.command()
def report(assignments: AssignmentsArgument = None, course: CourseOption = Path(".")) -> None:
    """Write how the class is doing: a page with names, and one without, in exports/."""
    from gradebox.course import CourseError, require_extra

    with require_extra("report"):
        from gradebox.class_report.html_report import write_class_pages
    from gradebox.class_report.exercise_outcomes import collect_lesson_outcomes
    from gradebox.lms.export_grades import EXPORT_FOLDER

    here = open_course(course)
    with create_progress_bar() as progress:
        chosen = progress.track(here.select_assignments(assignments), description="report")
        lessons = [collect_lesson_outcomes(here, assignment) for assignment in chosen]
    if not any(item.attempts for one in lessons for item in one.items):
        raise CourseError("nothing is graded as it is now: run `gradebox autograde` first")
    for path in write_class_pages(here, lessons, here.root / EXPORT_FOLDER):
        console.print(f"{path.relative_to(here.root)} written")


@app.command()
def similar(
    assignment: Annotated[str, typer.Argument(help="The lesson whose submissions are compared.")],
    course: CourseOption = Path("."),
) -> None:
    """Write which submissions have code that is unusually alike, side by side, in exports/."""
    from gradebox.course import CourseError, require_extra

    with require_extra("report"):
        from gradebox.class_report.code_similarity import collect_code, compare_students, released_code
        from gradebox.class_report.html_report import write_similarity_page
    from gradebox.lms.export_grades import EXPORT_FOLDER

    here = open_course(course)
    here.select_assignments([assignment])
    code = collect_code(here, assignment)
    if len(code) < 2:
        raise CourseError(
            f"fewer than two submissions to {assignment} are graded: there is nothing to compare"
        )
    found = compare_students(code, released_code(here, assignment))
    path = write_similarity_page(here, assignment, found, here.root / EXPORT_FOLDER)
    pairs = format_count(found.alike, "pair is", "pairs are")
    where = path.relative_to(here.root)
    console.print(
        f"{format_count(found.compared, 'pair', 'pairs')} compared; {pairs} unusually alike: {where}"
    )


@app.command()
def read(
    assignments: AssignmentsArgument = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; any that is free if 0.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    course: CourseOption = Path("."),
) -> None:
    """Read written answers, question by question, on a page that is served on this machine only.

    The address that it prints lets in whoever has it. Several people can read at once. Ctrl-C ends it.
    """
    from gradebox.course import CourseError
    from gradebox.manual_grading.grading_service import ReadingService
    from gradebox.manual_grading.web_server import open_browser, serve_reading_page

    here = open_course(course)
    desk = ReadingService(here, here.select_assignments(assignments))
    if not desk.questions:
        raise CourseError("there is no question here that a person reads answers to")

    def say(address: str) -> None:
        console.print(f"Read at {address}", soft_wrap=True, highlight=False)
        if browser:
            open_browser(address)

    try:
        serve_reading_page(desk, port, say)
    except KeyboardInterrupt:
        console.print("Everything that was saved is in the gradebook.")
    except OSError as error:
        raise CourseError(f"port {port} can't be used: {error.strerror}") from None


app.command()(lms_commands.export)


@app.command()
def publish(
    folder: Annotated[Path, typer.Argument(help="A folder outside of the course, such as a repository's.")],
    course: CourseOption = Path("."),
) -> None:
    """Write what students may see, and nothing else, to a folder that can be made public."""
    from gradebox.release.publish_course import write_public_folder as publish_course

    written = publish_course(open_course(course), folder)
    said = f"{len(written)} files written to {folder}: what students may see, ready to be pushed"
    console.print(said, soft_wrap=True)


@app.command()
def pages(
    assignments: AssignmentsArgument = None,
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
    course: CourseOption = Path("."),
) -> None:
    """Write every lesson, solved and run, as one HTML file in pages/, to read or print without a network.

    They hold the solutions, and are for who teaches.
    """
    from gradebox.course import CourseError
    from gradebox.release.html_export import write_html_pages as write_pages

    if theme not in ("light", "dark"):
        raise CourseError(f"there is no theme {theme!r}: light or dark")
    here = open_course(course)
    for assignment in here.select_assignments(assignments):
        for path in write_pages(here, assignment, theme):
            console.print(f"{path.relative_to(here.root)} written", soft_wrap=True)


@packages.command("gradescope")
def package_gradescope(
    lesson: Annotated[str, typer.Argument(help="The lesson.")],
    points: Annotated[
        str,
        typer.Option(help="When students see points: visible, after_due_date, after_published or hidden."),
    ] = "visible",
    words: Annotated[str, typer.Option(help="When they see what a test has to say.")] = "visible",
    output: Annotated[
        Path | None, typer.Option(help="The file; gradescope/LESSON.zip in the course if not given.")
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Make the zip of a Gradescope autograder for one lesson. It holds solutions and hidden tests."""
    from gradebox.lms.gradescope_package import AutograderSettings, write_autograder_zip

    here = open_course(course)
    path = output or here.root / "gradescope" / f"{lesson}.zip"
    write_autograder_zip(here, AutograderSettings(lesson, points, words), path)
    console.print(f"{path} written: upload it to Gradescope as the lesson's autograder", soft_wrap=True)
    cells = here.graded_cells(lesson)
    tested = sum(cell.points for cell in cells if not cell.manual)
    read = sum(cell.points for cell in cells if cell.manual)
    more = f"; {read:g} more are for answers that a person reads" if read else ""
    console.print(
        f"{tested:g} points by tests: what Gradescope calls autograder points{more}", soft_wrap=True
    )


@app.command()
def doctor(course: CourseOption = Path(".")) -> None:
    """Say what this machine can contain student code with, and what else grading depends on.

    Exit status 1 if there is something to do.
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
    mutants: Annotated[bool, typer.Option(help="Whether to try mutants of the right answers, too.")] = True,
    judge: Annotated[
        bool,
        typer.Option("--judge", help="Try all once more with the tests in another process, and compare."),
    ] = False,
    output: Annotated[Path, typer.Option(help="The folder for the page and audit.json.")] = Path("audit"),
    course: CourseOption = Path("."),
) -> None:
    """Try every answer in answers/, and every right one changed in one place, against the tests.

    Exit status 1 if a test takes wrong for right or right for wrong. Without answers, it does what
    `gradebox check` does.
    """
    from gradebox.course import require_extra
    from gradebox.parity.check_command import print_check

    here = open_course(course)
    chosen = here.select_assignments(assignments)
    if not exercise and not any((here.root / "answers" / name).is_dir() for name in chosen):
        what = "There are no answers to audit: the source's own solutions are checked instead"
        console.print(f"{what}, as by `gradebox check`.", soft_wrap=True)
        print_check(here, chosen)
        return
    with require_extra("audit"):
        from gradebox.audit import audit_report
        from gradebox.audit.run_audit import run_audit as audit_all
    with create_progress_bar() as progress:
        task = progress.add_task("changing solutions", total=None)
        audited = audit_all(
            here,
            chosen,
            exercise,
            mutants,
            begun=lambda name, count: progress.reset(task, description=name, total=count),
            done=lambda: progress.advance(task),
            judged=judge,
        )
    console.print(audit_report.render_audit_table(audited))
    tried = sum(exercise.mutants for one in audited for exercise in one.exercises.values())
    seconds = sum(one.seconds for one in audited)
    page = audit_report.write_audit_report(here.root / output, audited)
    console.print(f"{tried} mutants in {seconds:.0f} s; more on {page}")
    if any(one.findings for one in audited):
        raise typer.Exit(1)


@app.command()
def examples(
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the example students out of the course, for good.")
    ] = False,
    course: CourseOption = Path("."),
) -> None:
    """Write the example students of submitted/examples.toml from answers/, or remove them."""
    from gradebox.release import example_students

    here = open_course(course)
    if not example_students.read_example_plan(here):
        console.print("this course has no example students", soft_wrap=True)
    elif remove:
        for student, forgotten in example_students.remove_examples(here):
            print_removals(student, forgotten)
    else:
        for written in example_students.write_examples(here):
            console.print(f"{written} written")


@app.command()
def forget(
    student: Annotated[str, typer.Argument(help="The student's id: the name of the folder.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask first.")] = False,
    course: CourseOption = Path("."),
) -> None:
    """Remove all that the course has of a student, and say what is left elsewhere."""
    from gradebox.erasure.erase_student import check_student_exists, forget_student

    here = open_course(course)
    check_student_exists(here, student)
    if not yes:
        name = format_file_name(student)
        what = f"Remove all that this course has of {name}, points and comments too, for good?"
        typer.confirm(what, abort=True)
    print_removals(student, forget_student(here, student))


def print_removals(student: str, forgotten: "RemovalReport") -> None:
    """Print what was removed of a student, and what could not be."""
    for what in forgotten.removed:
        console.print(Text(printable(f"{student}: removed: {what}")), soft_wrap=True)
    for what in forgotten.left:
        said = f"{student}: out of reach, look at it yourself: {what}"
        console.print(Text(printable(said), style="yellow"), soft_wrap=True)


def print_error(problem: str) -> None:
    """Say in one sentence what could not be done."""
    said = printable(f"gradebox: {problem}")
    Console(stderr=True).print(said, style="red", markup=False, highlight=False, soft_wrap=True)


def main() -> None:
    """Run a command; an error that the user can mend is one sentence."""
    try:
        app()
    except Exception as error:
        from sqlalchemy.exc import OperationalError

        from gradebox.course import CourseError
        from gradebox.printable_text import format_exception

        if isinstance(error, OperationalError):
            problem = f"the gradebook can't be used now, run the command again: {format_exception(error)}"
        elif isinstance(error, CourseError):
            problem = str(error)
        else:
            raise
        print_error(problem)
        raise SystemExit(2) from None
