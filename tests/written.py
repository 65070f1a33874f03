"""Submissions that are written as short text: a released lesson, solved, and what is other about it.

A file of `tests/hostile` or `tests/honest` in jupytext's percent format. Its first cell says in words what it
is about, and names the lesson in its metadata, with what else a test wants to know:

    # %% [markdown] lesson="01_single_head" attacks=["plot-attention-test"]
    # An object that has all that the test asks for; nothing is drawn.

Each cell after it is titled with what it changes:

    # %% softmax                 stands in the place of the cell `softmax`, mostly a solution
    # %% released: softmax       leaves this cell as it was released
    # %% after: softmax          is a new cell behind it; `before:` one ahead of it
    # %% first                   is a new cell ahead of all
    # %% notebook                goes into no cell: it is run, to do the rest to the notebook `nb`, as it is
                                 by then, and to its `cells`, by name

What many begin a cell with is in a folder `pieces` beside them:

    # %% softmax uses=["found"]  begins with what `pieces/found.py` says
"""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell

from gradebox.notebook_exercises import extract_reference_solutions, find_grade_id, insert_answers


@dataclass(frozen=True)
class Written:
    """One such file. about: the metadata of its first cell. changes: (how, cell's name, source), in order."""

    name: str
    lesson: str
    about: dict[str, Any]
    changes: tuple[tuple[str, str, str], ...]

    def notebook(self, source: NotebookNode, released: NotebookNode) -> NotebookNode:
        """The submission: `released`, filled with the solutions of `source`, and changed."""
        kept = {name for how, name, _ in self.changes if how == "released"}
        solutions = {
            name: text for name, text in extract_reference_solutions(source).items() if name not in kept
        }
        nb = insert_answers(deepcopy(released), solutions)
        for how, name, text in self.changes:
            cells = {find_grade_id(cell): cell for cell in nb.cells}
            if how == "instead":
                cells[name].source = text
            elif how == "first":
                nb.cells.insert(0, new_code_cell(text))
            elif how in ("after", "before"):
                nb.cells.insert(nb.cells.index(cells[name]) + (how == "after"), new_code_cell(text))
            elif how == "notebook":
                exec(compile(text, self.name, "exec"), {"nb": nb, "cells": cells})
        return nb


def read(path: Path) -> Written:
    first, *others = jupytext.read(path, fmt="py:percent").cells
    assert first.cell_type == "markdown" and first.source, f"{path}: say what it is about"
    changes = tuple(change(cell, path) for cell in others)
    return Written(path.stem, first.metadata["lesson"], dict(first.metadata), changes)


def change(cell: NotebookNode, path: Path) -> tuple[str, str, str]:
    """What a cell of a text changes: how, the other cell's name, and the source."""
    pieces = [path.parent / "pieces" / f"{name}.py" for name in cell.metadata.get("uses", ())]
    source = "\n\n".join(filter(None, (*(piece.read_text().strip() for piece in pieces), cell.source)))
    title = cell.metadata["title"]
    if title in ("first", "notebook"):
        return title, "", source
    how, _, name = title.rpartition(": ")
    assert how in ("", "released", "after", "before"), f"{path}: {title!r}"
    return how or "instead", name, source


def read_all(folder: Path) -> list[Written]:
    """All of a folder, by name."""
    return [read(path) for path in sorted(folder.glob("*.py"))]
