"""The command `gradebox watch`, which grades submissions as they arrive."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from gradebox.console import AssignmentsArgument, CourseOption, console, open_course
from gradebox.printable_text import format_count, printable

if TYPE_CHECKING:
    from gradebox.course import Course
    from gradebox.execute.isolation import ActiveIsolation
    from gradebox.watch.watcher import Watcher


def watch(
    assignments: AssignmentsArgument = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="The folder where files arrive, as for `gradebox collect` (default: nbgrader's exchange)."
        ),
    ] = None,
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

        here = open_course(course, *(assignments or []))
        chosen = here.select_assignments(assignments)
        with hold_course_lock(here.root):
            watcher = create_watcher(here, chosen, folder, print_line, every)
            what = chosen[0] if len(chosen) == 1 else format_count(len(chosen), "assignment", "assignments")
            print_line(f"Watching {watcher.inbox.where} for {what}. Ctrl-C stops.")
            force = warm_up(here, chosen)
            print_line(f"Student code: {force.line}")
            if force.warning:
                print_line(f"WARNING: {force.warning}", True)
            watcher.run()
    except KeyboardInterrupt:
        print_line("Stopped. The next start grades what is not finished, and what arrives until then.")


def create_watcher(
    here: "Course",
    assignments: list[str],
    folder: Path | None,
    say: Callable[[str, bool], None],
    every: float = 2,
) -> "Watcher":
    """Return the watcher of the exchange, or of a folder. Raises CourseError if it can't be watched.

    say, every: see `Watcher`.
    """
    from gradebox.watch.exchange_inbox import ExchangeInbox
    from gradebox.watch.folder_inbox import FolderInbox
    from gradebox.watch.watcher import Watcher

    inbox = FolderInbox(here, assignments, folder) if folder else ExchangeInbox(here, assignments)
    return Watcher(here, inbox, say, every)


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
