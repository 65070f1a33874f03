"""A lesson's text (lessons/) and its notebook (source/): jupytext pairs them, this keeps ids stable.

jupytext gives every cell of a notebook that it makes from text a random id. Generated files must be
the same on every machine, so ids are derived from the cells instead: a graded cell is called by its
grade_id, any other by its type and a hash of its text. Such an id survives when other cells move.
"""

import hashlib
import re
from codecs import BOM_UTF8
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import jupytext
import nbformat
from nbformat.v4 import new_notebook

from gradebox.course import Course, CourseError
from gradebox.execute.test_modes import RECORD_KEY, put_record
from gradebox.notebook import CHECKS_CELL_ID, find_checks_source, find_grade_id, serialize_notebook
from gradebox.notebook_metadata import read_record
from gradebox.printable_text import format_exception
from gradebox.release.generate_checks import PLACEHOLDER, write_checks_cell

# The number that an assignment's name begins with, and its notebook's does not.
NUMBER_PREFIX = r"^\d+_"


class PairingError(Exception):
    """A text that no notebook can be made of, or whose notebook was edited after it and would be lost."""


def set_stable_ids(notebook: nbformat.NotebookNode) -> None:
    """Give every cell an id that depends on nothing but the cell (and equal cells before it)."""
    taken: set[str] = set()
    for cell in notebook.cells:
        grade_id = find_grade_id(cell)
        digest = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
        name = re.sub(r"[^A-Za-z0-9_-]", "-", grade_id)[:60] if grade_id else f"{cell.cell_type}-{digest}"
        number = 1
        cell.id = name
        while cell.id in taken:
            number += 1
            cell.id = f"{name}-{number}"
        taken.add(cell.id)


def find_invalid_cell_line(text: Path) -> str:
    """The line of a text that begins no cell, such as ", line 7,"; "" if each begins one, read alone."""
    try:
        lines = text.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    for number, line in enumerate(lines, 1):
        try:
            jupytext.reads(line if line.startswith("# %%") else "", "py:percent")
        except Exception:
            return f", line {number},"
    return ""


def read_lesson_notebook(text: Path) -> nbformat.NotebookNode:
    """The notebook that a lesson's text (jupytext, percent format) stands for. Raises Unpaired."""
    try:
        if text.read_bytes().startswith(BOM_UTF8):
            raise ValueError("it begins with a byte order mark: save it as UTF-8 without one")
        notebook = jupytext.read(text)
    except Exception as error:
        raise PairingError(
            f"{text}{find_invalid_cell_line(text)} can't be read as a lesson: {format_exception(error)}"
        ) from None
    # How the text is written matters to jupytext alone.
    notebook.metadata.pop("jupytext", None)
    # JupyterLite finds its kernel by the language, and asks students for one if it is not told.
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    set_stable_ids(notebook)
    return notebook


def get_source_path(course: Course, text: Path) -> Path:
    """The source notebook of a lesson's text: lessons/01_name.py gives source/01_name/name.ipynb."""
    return course.path("source", text.stem) / f"{re.sub(NUMBER_PREFIX, '', text.stem)}.ipynb"


def pair_notebook(course: Course, text: Path, plain: bool = False) -> bool:
    """Bring a source notebook in line with its text. Returns whether it had to be written.

    plain: whether the checks cell holds its code as it is. Raises Unpaired if the text is not a lesson's, or
    the notebook differs and is newer than the text.
    """
    source = get_source_path(course, text)
    notebook = read_lesson_notebook(text)
    try:
        complete_notebook(source, course, text.stem, notebook, plain)
    except CourseError as error:
        raise PairingError(str(error)) from None
    wanted = serialize_notebook(notebook)
    if source.exists():
        if source.read_text(encoding="utf-8", errors="replace") == wanted:
            return False
        try:
            found = jupytext.read(source)
        except Exception as error:
            what = "take away what is not to be kept of it, and it is made of its text"
            raise PairingError(
                f"{source} is no notebook that can be read ({format_exception(error)}): {what}"
            ) from None
        edited = format_lesson_text(found) != format_lesson_text(notebook)
        if edited and source.stat().st_mtime > text.stat().st_mtime:
            raise PairingError(
                f"{source} was edited after {text}: copy its changes to the text with "
                f"`gradebox sync {text.stem}`, or drop them with `touch {text}`, then run `gradebox release`"
            )
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(wanted, encoding="utf-8")
    return True


def complete_notebook(
    source: Path, course: Course, assignment: str, notebook: nbformat.NotebookNode, plain: bool = False
) -> None:
    """Write the checks cell of a notebook (in place), and copy the record of its tests (see
    `store_test_modes.py`).

    source: the notebook as it was written last, if it can be read. Raises CourseError as `complete` does.
    """
    before = new_notebook()
    with suppress(Exception):
        before = nbformat.read(source, as_version=4)
    write_checks_cell(course, assignment, notebook, plain, find_checks_source(before))
    if RECORD_KEY in read_record(before):
        put_record(notebook, read_record(before)[RECORD_KEY])


def format_lesson_text(notebook: nbformat.NotebookNode) -> str:
    """Return a source notebook as a lesson's text."""
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        if find_grade_id(cell) == CHECKS_CELL_ID:
            cell.source = PLACEHOLDER
            cell.metadata.pop("transient", None)
    return jupytext.writes(notebook, "py:percent")


def sync_lesson_text(course: Course, assignment: str) -> Path:
    """Copy what was edited in a source notebook to the lesson's text, and return its path.

    Raises CourseError if the assignment has no text.
    """
    text = course.root / "lessons" / f"{assignment}.py"
    if not text.is_file():
        raise CourseError(f"{assignment} has no text in lessons/: edit its notebook in source/")
    text.write_text(format_lesson_text(jupytext.read(get_source_path(course, text))), encoding="utf-8")
    return text
