"""What the commands share: where they print, and what they take from the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from gradebox.course import Course

console = Console()
if not console.is_terminal:
    # A log has no width of its own; a table must not be folded there.
    console = Console(width=140)

AssignmentsArgument = Annotated[
    list[str] | None, typer.Argument(help="Assignments; all of them if none is named.")
]
StudentOption = Annotated[str | None, typer.Option(help="Only this student.")]
CourseOption = Annotated[Path, typer.Option("--course", help="The course's folder.")]


def create_progress_bar(ticking: bool = True) -> Progress:
    """A progress bar with counts and the time that is left. ticking: in a thread of its own."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, auto_refresh=ticking)


def open_course(course: Path) -> "Course":
    """The course in this folder. Raises CourseError."""
    from gradebox.course import Course

    return Course(course)


def select_students(course: "Course", student: str | None) -> list[str]:
    if student and student not in course.roster:
        from gradebox.course import CourseError

        where = course.directory().submitted_directory
        raise CourseError(f"there is no student {student!r} in {where}/ or in the gradebook")
    return [student] if student else course.roster
