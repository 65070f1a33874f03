"""The command `gradebox watch`, which grades submissions as they arrive."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from gradebox.console import AssignmentsArgument, CourseOption, console, open_course
from gradebox.printable_text import format_count, printable

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.execute.isolation import ActiveIsolation


def watch(
    assignments: AssignmentsArgument = None,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks for submissions.")] = 2,
    course: CourseOption = Path("."),
) -> None:
    """Grade submissions as they arrive in nbgrader's exchange, and release feedback at once.

    Prints a line for each submission. Ctrl-C stops the command at any moment without loss, and the next start
    continues.
    """
    # A service is stopped by SIGTERM. All steps are atomic, so any moment will do.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from gradebox.watch.course_lock import hold_course_lock
        from gradebox.watch.watcher import Watcher

        here = open_course(course, *(assignments or []))
        chosen = here.select_assignments(assignments)
        with hold_course_lock(here.root):
            watcher = Watcher(here, chosen, print_line, every)
            what = chosen[0] if len(chosen) == 1 else format_count(len(chosen), "assignment", "assignments")
            print_line(f"Watching {watcher.inbox.where} for {what}. Ctrl-C stops.")
            force = warm_up(here, chosen)
            print_line(f"Student code: {force.line}")
            if force.warning:
                print_line(f"WARNING: {force.warning}", True)
            watcher.run()
    except KeyboardInterrupt:
        print_line("Stopped. The next start grades what is not finished, and what arrives until then.")


def warm_up(here: "Course", assignments: list[str]) -> "ActiveIsolation":
    """Import the lessons' libraries once for all kernels. Return the isolation of student code.

    Raises CourseError if student code can't be isolated as the course requires.
    """
    from gradebox.autograde.steps_around_execution import Around
    from gradebox.course import CourseError
    from gradebox.execute.isolation import IsolationError
    from gradebox.execute.lesson import parse_lesson

    execute = Around(here).execute
    texts = (text for name in assignments for text in here.texts(name).values())
    execute.texts = tuple(part for text in texts for part in parse_lesson(text).texts)
    try:
        return execute.in_force(here.root)
    except (IsolationError, RuntimeError) as error:
        raise CourseError(str(error)) from None


def print_line(text: str, problem: bool = False) -> None:
    console.print(Text(printable(text), style="red" if problem else ""), soft_wrap=True)
