"""A lesson's text (lessons/) and its notebook (source/): jupytext pairs them, this keeps ids stable.

jupytext gives every cell of a notebook that it makes from text a random id. Generated files must be
the same on every machine, so ids are derived from the cells instead: a graded cell is called by its
grade_id, any other by its type and a hash of its text. Such an id survives when other cells move.
"""

import hashlib
import re
from pathlib import Path

import jupytext
import nbformat

from gradebox.notebook import name_of


class StaleText(Exception):
    """The notebook was edited after its text; making it again would lose that."""


def stable_ids(notebook: nbformat.NotebookNode) -> None:
    """Give every cell an id that depends on nothing but the cell (and equal cells before it)."""
    taken: set[str] = set()
    for cell in notebook.cells:
        grade_id = name_of(cell)
        digest = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
        name = re.sub(r"[^A-Za-z0-9_-]", "-", grade_id)[:60] if grade_id else f"{cell.cell_type}-{digest}"
        number = 1
        cell.id = name
        while cell.id in taken:
            number += 1
            cell.id = f"{name}-{number}"
        taken.add(cell.id)


def notebook_of(text: Path) -> nbformat.NotebookNode:
    """The notebook that a lesson's text (jupytext, percent format) stands for."""
    notebook = jupytext.read(text)
    # How the text is written matters to jupytext alone.
    notebook.metadata.pop("jupytext", None)
    # JupyterLite finds its kernel by the language, and asks students for one if it is not told.
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    stable_ids(notebook)
    return notebook


def as_json(notebook: nbformat.NotebookNode) -> str:
    """The notebook as the text of an .ipynb file."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def pair(text: Path, source: Path) -> bool:
    """Bring the source notebook in line with its text. Returns whether it had to be written.

    Raises StaleText if the notebook differs and is newer than the text.
    """
    wanted = as_json(notebook_of(text))
    if source.exists():
        if source.read_text(encoding="utf-8") == wanted:
            return False
        found = jupytext.read(source)
        edited = jupytext.writes(found, "py:percent") != jupytext.writes(notebook_of(text), "py:percent")
        if edited and source.stat().st_mtime > text.stat().st_mtime:
            raise StaleText(
                f"{source} was edited after {text}: take its changes over with `jupytext --sync {source}`, "
                f"or drop them with `touch {text}`, then run `make release`"
            )
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(wanted, encoding="utf-8")
    return True
