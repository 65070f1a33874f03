"""The line of a course's `nbgrader_config.py` by which gradebox grades it: put in, and taken out again.

Nothing else of the file is touched: years of work may stand there.
"""

import re
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import CONFIG, Course, CourseError
from gradebox.printable_text import format_exception

CONFIG_COMMENT = "# Graded by gradebox; without this line, by stock nbgrader."
CONFIG_LINE = f"import gradebox; gradebox.configure(get_config())  {CONFIG_COMMENT}"
# What the line says besides if the one above it had no end; so `take_out` knows.
NO_NEWLINE_MARK = b" (The line above had no end.)"
CONFIG_LINE_PATTERN = re.compile(
    rb"^import gradebox; gradebox\.configure\([\w()]+\)[^\n]*(\n|\Z)", re.MULTILINE
)
# What a file begins with that was made for the line.
NEW_CONFIG_HEADER = b"# Made by `gradebox init`, for the course's settings.\nc = get_config()\n"


def add_config_line(root: Path) -> str | None:
    """Write the line at the end of a course's settings, which are made if there are none.

    Returns the line; None if gradebox grades the course already. Raises CourseError if `root` is no course,
    or its settings can't be read or written; then they are as they were.
    """
    path = root / CONFIG
    before = path.read_bytes() if path.is_file() else None
    if before is None and not any(root.glob("source/*/*.ipynb")):
        raise CourseError(
            f"{root} is no course: it has neither {CONFIG} nor notebooks in source/; "
            "`nbgrader quickstart NAME` makes one"
        )
    if before is not None and is_graded_by_gradebox(root):
        return None
    text = NEW_CONFIG_HEADER if before is None else before
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    ended = text.endswith(b"\n") or not text
    write_config(
        path,
        text
        + (b"" if ended else newline)
        + CONFIG_LINE.encode()
        + (b"" if ended else NO_NEWLINE_MARK)
        + newline,
    )
    try:
        if not is_graded_by_gradebox(root):
            raise CourseError(
                f"{CONFIG} ends before its last line, or another file sets the steps of grading"
            )
    except CourseError:
        write_config(path, before)
        raise
    return CONFIG_LINE


def remove_config_line(root: Path) -> bool:
    """Take the line out of a course's settings. Returns whether that has left nothing of them.

    Raises CourseError if it is not there, or the settings can't be written.
    """
    path = root / CONFIG
    text = path.read_bytes() if path.is_file() else b""
    found = CONFIG_LINE_PATTERN.search(text)
    if not found:
        raise CourseError(f"{path} has no line of `gradebox init`'s")
    head = text[: found.start()]
    # Settings that were written below the line need the end of the one above it.
    if NO_NEWLINE_MARK in found[0] and found.end() == len(text):
        head = head.removesuffix(b"\n").removesuffix(b"\r")
    left = head + text[found.end() :]
    write_config(path, None if left == NEW_CONFIG_HEADER else left)
    return left == NEW_CONFIG_HEADER


def is_graded_by_gradebox(root: Path) -> bool:
    """Whether gradebox grades the course, by all settings that nbgrader reads there. Raises CourseError."""
    steps = Course(root).app.config.Autograde.get("autograde_preprocessors", [])
    names = [step if isinstance(step, str) else step.__module__ for step in steps]
    return any(name.startswith("gradebox.") for name in names)


def write_config(path: Path, text: bytes | None) -> None:
    """Let a file hold this, or not be there. What a link points to is what is written."""
    path = path.resolve()
    try:
        if text is None:
            path.unlink(missing_ok=True)
        else:
            with write_atomically(path) as new:
                new.write_bytes(text)
    except OSError as error:
        raise CourseError(f"{path} can't be written: {format_exception(error)}") from None
