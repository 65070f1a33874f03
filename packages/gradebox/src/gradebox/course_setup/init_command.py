"""The command `gradebox init`, which adds gradebox to a course of stock nbgrader or removes gradebox."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gradebox import OURS, STEPS, called
from gradebox.console import CourseOption, console, print_skipped_folders

if TYPE_CHECKING:
    from traitlets.config import Config

DIFFERENCES_NOTE = (
    "Text on stderr no longer costs points; gradebox's docs/coming-from-nbgrader.md lists all intended "
    "differences."
)
SECOND_CHANCES_NOTE = (
    "Second chances are off, as in nbgrader: a test that fails only because of an earlier mistake earns no "
    "points. Change second_chances in the line to True to turn them on."
)
KEPT_DATA_NOTE = (
    "All data is kept: nbgrader ignores gradebox's tables in the gradebook (gradebox_*) and its files in the "
    "course's folder (.gradebox_*, gradebook.secret, incidents.json), and you can delete them."
)


def init(
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the line from the settings. All data is kept.")
    ] = False,
    check: Annotated[
        bool, typer.Option(help="Grade the solutions in source/ with gradebox and nbgrader, and compare.")
    ] = True,
    course: CourseOption = Path("."),
) -> None:
    """Add gradebox to a course that was made for nbgrader, with one line at the end of its settings.

    Lists everything that will not be graded as before. Exit status 1 if there are differences.
    """
    root = course.resolve()
    if remove:
        remove_gradebox(root)
    else:
        add_gradebox(root, check)


def add_gradebox(root: Path, check: bool) -> None:
    from gradebox.course import CONFIG, Course
    from gradebox.course_setup.config_edit import add_config_line
    from gradebox.parity.check_command import print_check

    line = add_config_line(root)
    here = Course(root)
    if line:
        console.print(f"{CONFIG} has a new last line, which `gradebox init --remove` takes out again:")
        console.print(f"    {line}", soft_wrap=True, highlight=False)
        console.print("Nothing else is changed. `gradebox autograde` grades what is in submitted/.")
        if not here.app.config.Execute.get("second_chances", True):
            console.print(SECOND_CHANCES_NOTE, soft_wrap=True)
    else:
        console.print("gradebox grades this course already.")
    for step in describe_custom_steps(here.app.config):
        console.print(step, soft_wrap=True)
    print_skipped_folders(here)
    if check:
        console.print(DIFFERENCES_NOTE, soft_wrap=True)
        print_check(here, here.select_assignments(None))


def describe_custom_steps(config: "Config") -> Iterator[str]:
    """Yield a clause for the custom steps of each list, and for gradebox's steps missing from the list."""
    for (section, name), ours in STEPS.items():
        found = [called(step) for step in config[section][name]]
        where = f"c.{section}.{name}"
        own = [step for step in found if step.split(".")[0] not in ("gradebox", "nbgrader", "nbconvert")]
        left_out = [step for step in ours if step.startswith(OURS) and step not in found]
        if own:
            yield f"{where} has the course's own steps, which are kept: {', '.join(own)}"
        if left_out:
            yield f"{where} lacks {', '.join(left_out)}: these steps will not run"


def remove_gradebox(root: Path) -> None:
    from gradebox.course import CONFIG
    from gradebox.course_setup.config_edit import remove_config_line

    gone = remove_config_line(root)
    console.print(
        f"{CONFIG}: {'removed (it had no other content)' if gone else 'the gradebox line was removed'}"
    )
    console.print(KEPT_DATA_NOTE, soft_wrap=True)
