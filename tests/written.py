"""Submissions that are written as short text: a released lesson, solved, and what is other about it.

A file of `tests/hostile` or `tests/honest` in jupytext's percent format. Its first cell says in words what it
is about, and names the lesson in its metadata, with what else a test wants to know:

    # %% [markdown] lesson="01_single_head" attacks=["plot-attention-test"]
    # An object that has all that the test asks for; nothing is drawn.

Each cell after it is titled with what it changes:

    # %% softmax                 stands in the place of the solution cell `softmax`
    # %% released: softmax       leaves this cell as it was released
    # %% after: softmax          is a new cell behind it; `before:` one ahead of it
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell

from gradebox.notebook import fill, name_of, reference


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
        solutions = {name: text for name, text in reference(source).items() if name not in kept}
        nb = fill(released, solutions)
        for how, name, text in self.changes:
            (place,) = [n for n, cell in enumerate(nb.cells) if name_of(cell) == name]
            if how == "instead":
                nb.cells[place].source = text
            elif how != "released":
                nb.cells.insert(place + (how == "after"), new_code_cell(text))
        return nb


def read(path: Path) -> Written:
    first, *others = jupytext.read(path, fmt="py:percent").cells
    assert first.cell_type == "markdown" and first.source, f"{path}: say what it is about"
    changes = []
    for cell in others:
        how, _, name = cell.metadata["title"].rpartition(": ")
        assert how in ("", "released", "after", "before"), f"{path}: {cell.metadata['title']!r}"
        changes.append((how or "instead", name, cell.source))
    return Written(path.stem, first.metadata["lesson"], dict(first.metadata), tuple(changes))


def read_all(folder: Path) -> list[Written]:
    """All of a folder, by name."""
    return [read(path) for path in sorted(folder.glob("*.py"))]
