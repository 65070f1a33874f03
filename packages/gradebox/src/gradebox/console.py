"""Console, progress bar and command-line options shared by all commands."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from gradebox.printable_text import printable

if TYPE_CHECKING:
    from gradebox.course import Course

console = Console()
if not console.is_terminal:
    # A log has no terminal width; a fixed width keeps tables unwrapped.
    console = Console(width=140)

# In characters. The name is part of a key in the gradebook.
MAX_SECTION_FOLDER = 40

AssignmentsArgument = Annotated[list[str] | None, typer.Argument(help="Assignments (default: all).")]
SectionOption = Annotated[str | None, typer.Option(help="Only students of this section of the class list.")]
AllOption = Annotated[
    bool, typer.Option("--all", help="Print all students of a large class, not only those with a problem.")
]
StudentOption = Annotated[
    list[str] | None, typer.Option(help="Only this student. Several can be given, each with --student.")
]
CourseOption = Annotated[Path, typer.Option("--course", help="The course's folder.")]


def create_progress_bar(ticking: bool = True) -> Progress:
    """Create a progress bar with counts and remaining time. ticking: refresh in a separate thread."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, auto_refresh=ticking)


def open_course(course: Path, *named: str | None) -> "Course":
    """Open the course in this folder. Raises CourseError.

    named: the assignments that the command names. Without any, print the folders that the command skips.
    """
    from gradebox.course import Course

    here = Course(course)
    if not any(named):
        print_skipped_folders(here)
    return here


def print_skipped_folders(course: "Course") -> None:
    """Print a line for each folder in source/ that can't be used, and each due date without a folder."""
    lines = [
        f"{course.describe_source(name)} skipped: {problem}"
        for name, problem in course.skipped_assignments.items()
    ]
    lines += [
        f"c.Dates.due has a date for {name!r}, which is not in {course.directory().source_directory}/"
        for name in course.dates.due
        if name not in course.assignments and not course.is_ignored(name)
    ]
    for line in lines:
        console.print(Text(printable(line), style="yellow"), soft_wrap=True)


def make_section_folder(section: str | None) -> str:
    """Return the name of a section's folder; "" for None."""
    # A part of the class does not replace the files of all.
    return "-".join(re.findall(r"\w+", section or ""))[:MAX_SECTION_FOLDER] or ("section" if section else "")


def select_section(course: "Course", section: str | None) -> list[str]:
    """Return the students of a section; None for all students. Raises CourseError for an unknown section."""
    if section is None:
        return course.roster
    from gradebox.class_list import is_in_section, list_sections, read_sections
    from gradebox.course import CourseError

    with course.connection() as connection:
        sections = read_sections(connection)
    found = [student for student in course.roster if is_in_section(sections.get(student, ""), section)]
    if not found:
        known = ", ".join(list_sections(sections)) or "none yet, see `gradebox roster`"
        raise CourseError(f"unknown section {section!r} (known: {known})")
    return found


def select_students(course: "Course", students: list[str] | None) -> list[str]:
    """Return these students, or all students for None. Raises CourseError for an unknown student."""
    for student in students or ():
        if student not in course.roster:
            from gradebox.course import CourseError

            where = course.directory().submitted_directory
            raise CourseError(f"unknown student {student!r}: not in {where}/ and not in the gradebook")
    return list(dict.fromkeys(students)) if students else course.roster
