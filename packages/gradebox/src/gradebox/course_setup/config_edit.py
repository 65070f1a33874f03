"""Add and remove gradebox's lines in a course's `nbgrader_config.py`.

One line makes gradebox grade the course, and one sets the edition of its lessons. The rest of the file is
never changed, because it may contain years of work.
"""

import re
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import CONFIG, Course, CourseError
from gradebox.exercise_selection import FULL
from gradebox.printable_text import format_exception

CONFIG_COMMENT = "# Graded by gradebox; without this line, by stock nbgrader."
# Second chances would change the points that the course has given until now.
CONFIG_LINE = f"import gradebox; gradebox.configure(get_config(), second_chances=False)  {CONFIG_COMMENT}"
# Appended to the line if the text above had no final newline: `remove_config_line` then removes ours.
NO_NEWLINE_MARK = b" (The line above had no end.)"
CONFIG_LINE_PATTERN = re.compile(
    rb"^import gradebox; gradebox\.configure\([\w(), =]+\)[^\n]*(\n|\Z)", re.MULTILINE
)
# The text above the line in a file that `gradebox init` has created.
NEW_CONFIG_HEADER = b"# Made by `gradebox init`, for the course's settings.\nc = get_config()\n"

EDITION_COMMENT = "# Set by `gradebox release --core` and `--full`."
EDITION_LINE_PATTERN = re.compile(rb"^get_config\(\)\.Lessons\.edition = [^\n]*(\n|\Z)", re.MULTILINE)


def add_config_line(root: Path) -> str | None:
    """Append the line to a course's settings file, creating the file if necessary.

    Returns the line, or None if gradebox already grades the course. Raises CourseError if `root` is not a
    course, or if the settings can't be read or written; then the file is unchanged.
    """
    path = root / CONFIG
    before = path.read_bytes() if path.is_file() else None
    if before is None and not any(root.glob("source/*/*.ipynb")):
        raise CourseError(
            f"not a course: {root} has neither {CONFIG} nor notebooks in source/; "
            "create a course with `nbgrader quickstart NAME`"
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
            raise CourseError(f"{CONFIG} stops before its last line, or another file sets the grading steps")
    except CourseError:
        write_config(path, before)
        raise
    return CONFIG_LINE


def remove_config_line(root: Path) -> bool:
    """Remove the line from a course's settings. Return True if the file had no other content and is deleted.

    Raises CourseError if the line is missing, or if the settings can't be written.
    """
    path = root / CONFIG
    text = path.read_bytes() if path.is_file() else b""
    found = CONFIG_LINE_PATTERN.search(text)
    if not found:
        raise CourseError(f"{path} has no line added by `gradebox init`")
    head = text[: found.start()]
    # Settings that were added below the line need the newline above the line.
    if NO_NEWLINE_MARK in found[0] and found.end() == len(text):
        head = head.removesuffix(b"\n").removesuffix(b"\r")
    left = head + text[found.end() :]
    write_config(path, None if left == NEW_CONFIG_HEADER else left)
    return left == NEW_CONFIG_HEADER


def is_graded_by_gradebox(root: Path) -> bool:
    """Return True if gradebox grades the course, according to all settings that nbgrader reads there.

    Raises CourseError.
    """
    steps = Course(root).app.config.Autograde.get("autograde_preprocessors", [])
    names = [step if isinstance(step, str) else step.__module__ for step in steps]
    return any(name.startswith("gradebox.") for name in names)


def set_edition(course: Course, edition: str, assignments: list[str]) -> str | None:
    """Set the edition of some assignments in a course's settings, or of all if none is named.

    Returns the line in the file; None if all assignments have the full edition now. Raises CourseError if the
    file sets the edition in another line, or can't be written.
    """
    path, before = course.root / CONFIG, course.selection.edition
    text = path.read_bytes()
    if not EDITION_LINE_PATTERN.search(text) and "edition" in course.app.config.get("Lessons", {}):
        raise CourseError(f"{CONFIG} sets c.Lessons.edition: change the edition there")
    wanted: str | dict[str, str] = edition
    if assignments:
        known = before if isinstance(before, dict) else dict.fromkeys(course.assignments, before)
        wanted = {
            name: one for name, one in {**known, **dict.fromkeys(assignments, edition)}.items() if one != FULL
        }
    line = None
    if wanted and wanted != FULL:
        line = f"get_config().Lessons.edition = {wanted!r}  {EDITION_COMMENT}"
    others = EDITION_LINE_PATTERN.sub(b"", text)
    ended = others.endswith(b"\n") or not others
    write_config(
        path, others + (b"" if ended or not line else b"\n") + (f"{line}\n" if line else "").encode()
    )
    return line


def write_config(path: Path, text: bytes | None) -> None:
    """Write a file, or delete the file if `text` is None. If `path` is a link, its target is changed."""
    path = path.resolve()
    try:
        if text is None:
            path.unlink(missing_ok=True)
        else:
            with write_atomically(path) as new:
                new.write_bytes(text)
    except OSError as error:
        raise CourseError(f"{path} can't be written: {format_exception(error)}") from None
