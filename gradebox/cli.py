"""The commands: `gradebox release`, `gradebox autograde`, `gradebox feedback`, `gradebox examples`."""

from pathlib import Path
from typing import Annotated

import typer
from nbgrader.converters import GenerateFeedback
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gradebox import examples as example_students
from gradebox.autograde import autograde as grade_all
from gradebox.course import Course, CourseError
from gradebox.release import pair_lessons
from gradebox.release import release as release_assignment
from gradebox.report import report
from gradebox.submissions import handed_in

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
console = Console()
if not console.is_terminal:
    # A log has no width of its own; a table must not be folded there.
    console = Console(width=140)

Names = Annotated[list[str] | None, typer.Argument(help="Assignments; all of them if none is named.")]
Student = Annotated[str | None, typer.Option(help="Only this student.")]
Root = Annotated[Path, typer.Option("--course", help="The course's folder.")]


def bar() -> Progress:
    """A progress bar with counts and the time that is left."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


def chosen_students(course: Course, student: str | None) -> list[str]:
    if student and student not in course.students:
        raise CourseError(f"there is no student {student!r} in {course.directory().submitted_directory}/")
    return [student] if student else course.students


@app.command()
def release(assignments: Names = None, course: Root = Path(".")) -> None:
    """Write source/ from lessons/, and release/ from source/."""
    here = Course(course)
    for written in pair_lessons(here):
        console.print(f"{written} written from its text")
    for assignment in here.choose(assignments):
        release_assignment(here, assignment)
        console.print(f"{assignment} released")


@app.command()
def autograde(
    assignments: Names = None, student: Student = None, force: bool = False, course: Root = Path(".")
) -> None:
    """Grade what is new or changed in submitted/, write feedback pages, print the scores.

    Exit status 1 if something that was handed in could not be graded.
    """
    here = Course(course)
    submissions = list(handed_in(here, here.choose(assignments), chosen_students(here, student)))
    with bar() as progress:
        task = progress.add_task("grading", total=len(submissions))
        outcomes = grade_all(here, submissions, force, done=lambda _: progress.advance(task))
    console.print(report(here, outcomes))
    if any(outcome.problem for outcome in outcomes):
        raise typer.Exit(1)


@app.command()
def feedback(assignments: Names = None, student: Student = None, course: Root = Path(".")) -> None:
    """Write the feedback pages again, for example after written answers have been read."""
    here = Course(course)
    submissions = handed_in(here, here.choose(assignments), chosen_students(here, student))
    pages = [s for s in submissions if here.path("autograded", s.assignment, s.student).is_dir()]
    with bar() as progress:
        for submission in progress.track(pages, description="feedback"):
            problem = here.convert(GenerateFeedback, submission.assignment, submission.student)
            if problem:
                raise CourseError(f"{submission.student}/{submission.assignment}: {problem}")
    console.print(f"{len(pages)} pages written")


@app.command()
def examples(course: Root = Path(".")) -> None:
    """Write the example students of submitted/examples.toml from answers/."""
    for written in example_students.write(Course(course)):
        console.print(f"{written} written")


def main() -> None:
    """Run a command; an error that the user can mend is one sentence."""
    try:
        app()
    except CourseError as error:
        Console(stderr=True).print(f"gradebox: {error}", style="red", highlight=False, soft_wrap=True)
        raise SystemExit(2) from None
