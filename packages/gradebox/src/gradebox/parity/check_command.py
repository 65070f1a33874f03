"""The command that checks a course's tests, and what others do with it."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gradebox.console import AssignmentsArgument, CourseOption, console, create_progress_bar, open_course

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.parity.parity_results import NotebookCheck


def check(assignments: AssignmentsArgument = None, course: CourseOption = Path(".")) -> None:
    """Grade the source's own solutions as students are graded and as stock nbgrader does, and compare.

    Exit status 1 if a solution loses points in either of them.
    """
    here = open_course(course)
    print_check(here, here.select_assignments(assignments))


def print_check(here: "Course", assignments: list[str]) -> None:
    """Check assignments, and print what was found."""
    from gradebox.parity.parity_report import has_failures, render_check_report

    found = run_check_with_progress(here, assignments)
    console.print(render_check_report(found))
    if has_failures(found):
        raise typer.Exit(1)


def run_check_with_progress(
    here: "Course", assignments: list[str], quick: bool = False
) -> "list[NotebookCheck]":
    """Check assignments. quick: skip stock nbgrader where all is right. Raises CourseError."""
    from gradebox.parity.run_check import run_check as check_all

    # Workers are forks of this process, which must not be in the middle of something.
    with create_progress_bar(ticking=False) as progress:
        task = progress.add_task("checking", total=None)

        def advance() -> None:
            progress.update(task, advance=1, refresh=True)

        def begun(notebooks: int) -> None:
            progress.update(task, total=notebooks, refresh=True)

        return check_all(here, assignments, quick, begun, advance)
