"""Puts into a graded copy what was handed in, where it was not made again: figures, and demonstrations."""

from collections.abc import Iterator
from copy import copy
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import all_submitted
from gradebox.notebook_metadata import SKIPPED, ending
from gradebox.sanitize import notebook_cells
from gradebox.sanitize.image_types import picture
from gradebox.submission_files import read_notebook

# Characters of what one cell had put out.
LARGEST = 4 * 2**20


def outputs(handed_in: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook with what they had put out; it stays so when they are cleared."""
    return [copy(cell) for cell in handed_in.cells if cell.cell_type == "code"]


def put_back(graded: NotebookNode, handed_in: list[NotebookNode]) -> None:
    """Give a cell that was not run what it had put out, and a figure that is only named its picture.

    Cells are found by their texts.
    """
    texts: dict[str, list[NotebookNode]] = {}
    for cell in handed_in:
        texts.setdefault(cell.source, []).append(cell)
    drawn = {text: pictures(list(found)) for text, found in texts.items()}
    for cell in graded.cells:
        if ending(cell) == SKIPPED:
            found = texts[cell.source].pop(0) if texts.get(cell.source) else {}
            cell.outputs = shown(found.get("outputs"))
            cell.execution_count = notebook_cells.count(found.get("execution_count"))
            continue
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if str(data.get("text/plain", "")).startswith("<Figure size") and "image/png" not in data:
                image = next(drawn.get(cell.source, iter(())), None)
                if image:
                    data["image/png"] = image


def shown(found: Any) -> list[NotebookNode]:
    """What a graded copy may hold of a cell's outputs."""
    kept: list[NotebookNode] = []
    size = 0
    for output in notebook_cells.outputs(found):
        size += len(str(output))
        if size > LARGEST:
            return [*kept, new_output("stream", name="stderr", text="[more output of this cell was cut]\n")]
        kept.append(output)
    return kept


def pictures(found: list[NotebookNode]) -> Iterator[str]:
    """The pictures that cells had put out."""
    for cell in found:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            data = output.get("data", {}) if isinstance(output, dict) else {}
            image = picture(data.get("image/png")) if isinstance(data, dict) else None
            if image:
                yield image


class Pictures(NbGraderPreprocessor):
    """`put_back` as a step after running."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if "gradebox" in resources:
            put_back(nb, resources["gradebox"].outputs)
        elif path := all_submitted(self, resources).get(resources["nbgrader"]["notebook"]):
            put_back(nb, outputs(read_notebook(path)))
        return nb, resources
