"""The command that checks a course's tests, and what others do with it."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gradebox.console import Names, Root, bar, console, opened

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.parity.parity_results import Checked


def check(assignments: Names = None, course: Root = Path(".")) -> None:
    """Grade the source's own solutions as students are graded and as stock nbgrader does, and compare.

    Exit status 1 if a solution loses points in either of them.
    """
    here = opened(course)
    compare(here, here.choose(assignments))


def compare(here: "Course", assignments: list[str]) -> None:
    """Check assignments, and print what was found."""
    from gradebox.parity.parity_report import fails, report

    found = checked(here, assignments)
    console.print(report(found))
    if fails(found):
        raise typer.Exit(1)


def checked(here: "Course", assignments: list[str], quick: bool = False) -> "list[Checked]":
    """Check assignments. quick: skip stock nbgrader where all is right. Raises CourseError."""
    from gradebox.parity.run_check import check as check_all

    # Workers are forks of this process, which must not be in the middle of something.
    with bar(ticking=False) as progress:
        task = progress.add_task("checking", total=None)

        def advance() -> None:
            progress.update(task, advance=1, refresh=True)

        def begun(notebooks: int) -> None:
            progress.update(task, total=notebooks, refresh=True)

        return check_all(here, assignments, quick, begun, advance)
