"""The command `gradebox check`; `gradebox release`, `audit` and `init` use its functions."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gradebox.console import AssignmentsArgument, CourseOption, console, create_progress_bar, open_course

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.parity.parity_results import NotebookCheck


def check(assignments: AssignmentsArgument = None, course: CourseOption = Path(".")) -> None:
    """Grade the source's own solutions in gradebox and in stock nbgrader, and compare the points.

    The exit status is 1 if a solution loses points in either grader.
    """
    here = open_course(course, *(assignments or []))
    print_check(here, here.select_assignments(assignments))


def print_check(here: "Course", assignments: list[str]) -> None:
    """Check assignments and print the report. Raises typer.Exit(1) if there are failures."""
    from gradebox.parity.parity_report import has_failures, render_check_report

    found = run_check_with_progress(here, assignments)
    console.print(render_check_report(found))
    if has_failures(found):
        raise typer.Exit(1)


def run_check_with_progress(
    here: "Course", assignments: list[str], quick: bool = False
) -> "list[NotebookCheck]":
    """Check assignments with a progress bar. Return the results.

    quick: skip stock nbgrader for notebooks with full points in gradebox. Without it, if the terminal has no
    progress bar, each step is a line on stderr. Raises CourseError.
    """
    from gradebox.parity.run_check import run_check as check_all

    # Workers are forks of this process, so no progress thread may run and hold a lock.
    with create_progress_bar(ticking=False) as progress:
        task = progress.add_task("checking", total=None)

        def report(step: str, done: int, total: int) -> None:
            if console.is_interactive:
                progress.update(task, completed=done, total=total, refresh=True)
            elif not quick:
                typer.echo(f"{step} (step {done} of {total})", err=True)

        return check_all(here, assignments, quick, report)
