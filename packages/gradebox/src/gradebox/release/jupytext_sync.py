"""Convert lesson texts (lessons/) to source notebooks (source/) and back with jupytext; keep cell ids stable.

jupytext gives a random id to every cell of a notebook that is read from text. Generated files must be the
same on every machine, so ids are derived from the cells instead. A graded cell's id is its grade_id; any
other cell's id is its type and a hash of its text. These ids do not change when other cells move.
"""

import hashlib
import re
from codecs import BOM_UTF8
from contextlib import suppress
from copy import copy, deepcopy
from pathlib import Path

import jupytext
import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook

from gradebox.course import Course, CourseError
from gradebox.execute.test_modes import RECORD_KEY, put_record
from gradebox.notebook_exercises import CHECKS_CELL_ID, find_checks_source, find_grade_id, serialize_notebook
from gradebox.notebook_metadata import read_record
from gradebox.printable_text import format_exception
from gradebox.release.generate_checks_cell import PLACEHOLDER, write_checks_cell
from gradebox.release.short_cell_headers import (
    ShortHeaderError,
    expand_short_headers,
    has_short_headers,
    shorten_headers,
)

# The number at the start of an assignment's name, which the notebook's name does not have.
NUMBER_PREFIX = r"^\d+_"
# The kernel of a lesson whose text names none.
PYTHON_KERNEL = NotebookNode(display_name="Python 3", language="python", name="python3")


class PairingError(Exception):
    """A text can't be converted, or conversion would overwrite edits made in the notebook."""


def set_stable_ids(notebook: nbformat.NotebookNode) -> None:
    """Give every cell an id that depends only on the cell (and on equal cells before the cell)."""
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
    """Return the first invalid cell header of a text, as ", line 7,"; "" if all are valid.

    Each header is parsed alone.
    """
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
    """Convert a lesson's text (jupytext, percent format) to a notebook. Raises PairingError."""
    try:
        if text.read_bytes().startswith(BOM_UTF8):
            raise ValueError("the file begins with a byte order mark: save the file as UTF-8 without BOM")
        notebook = jupytext.read(text)
        expand_short_headers(notebook, text.read_text(encoding="utf-8"))
    except ShortHeaderError as error:
        raise PairingError(f"{text}, {error}") from None
    except Exception as error:
        raise PairingError(
            f"{text}{find_invalid_cell_line(text)} can't be read as a lesson: {format_exception(error)}"
        ) from None
    # Only jupytext needs the metadata on the text format.
    notebook.metadata.pop("jupytext", None)
    # JupyterLite selects the kernel by language; without the language, students must choose a kernel.
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata.setdefault("kernelspec", copy(PYTHON_KERNEL))
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    set_stable_ids(notebook)
    return notebook


def get_source_path(course: Course, text: Path) -> Path:
    """Return the path of a text's source notebook: lessons/01_name.py gives source/01_name/name.ipynb."""
    return course.path("source", text.stem) / f"{re.sub(NUMBER_PREFIX, '', text.stem)}.ipynb"


def pair_notebook(course: Course, text: Path) -> bool:
    """Update a source notebook from its text. Return True if the notebook was written.

    Raises PairingError if the text is not a lesson, or if the notebook differs from the text and is newer.
    """
    source = get_source_path(course, text)
    notebook = read_lesson_notebook(text)
    try:
        complete_notebook(source, course, text.stem, notebook)
    except CourseError as error:
        raise PairingError(str(error)) from None
    wanted = serialize_notebook(notebook)
    if source.exists():
        if source.read_text(encoding="utf-8", errors="replace") == wanted:
            return False
        try:
            found = jupytext.read(source)
        except Exception as error:
            what = "copy what you need, then delete the file; `gradebox release` writes it again"
            raise PairingError(
                f"{source} can't be read as a notebook ({format_exception(error)}): {what}"
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


def complete_notebook(source: Path, course: Course, assignment: str, notebook: nbformat.NotebookNode) -> None:
    """Write the checks cell of a notebook (in place), and copy the record of its tests.

    See `store_test_modes.py` for the record. source: path of the last written notebook, which is ignored if
    unreadable. Raises CourseError as `write_checks_cell` does.
    """
    before = new_notebook()
    with suppress(Exception):
        before = nbformat.read(source, as_version=4)
    write_checks_cell(course, assignment, notebook, find_checks_source(before))
    if RECORD_KEY in read_record(before):
        put_record(notebook, read_record(before)[RECORD_KEY])


def format_lesson_text(notebook: nbformat.NotebookNode) -> str:
    """Convert a source notebook to a lesson's text, with long cell headers."""
    return jupytext.writes(replace_checks_cells(notebook), "py:percent")


def replace_checks_cells(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a copy of a source notebook with the placeholder for the checks cell."""
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        if find_grade_id(cell) == CHECKS_CELL_ID:
            cell.source = PLACEHOLDER
            cell.metadata.pop("transient", None)
    return notebook


def sync_lesson_text(course: Course, assignment: str) -> Path:
    """Copy the edits of a source notebook to the lesson's text. Return the path of the text.

    Raises CourseError if the assignment has no text.
    """
    text = course.root / "lessons" / f"{assignment}.py"
    if not text.is_file():
        raise CourseError(f"{assignment} has no text in lessons/: edit its notebook in source/")
    notebook = replace_checks_cells(jupytext.read(get_source_path(course, text)))
    # An invalid text is replaced, too.
    with suppress(Exception):
        keep_header_style(notebook, jupytext.read(text))
    text.write_text(jupytext.writes(notebook, "py:percent"), encoding="utf-8")
    return text


def keep_header_style(notebook: nbformat.NotebookNode, before: nbformat.NotebookNode) -> None:
    """Give a notebook the short cell headers of a text, in place, and no metadata if the text has none.

    before: the text as jupytext reads it.
    """
    if has_short_headers(before) or not any("nbgrader" in cell.metadata for cell in before.cells):
        shorten_headers(notebook)
    kernel = notebook.metadata.get("kernelspec", PYTHON_KERNEL)
    if "kernelspec" not in before.metadata and kernel["name"] == PYTHON_KERNEL.name:
        notebook.metadata["jupytext"] = {"notebook_metadata_filter": "-all"}
