"""Puts into a graded copy what was handed in, where it was not made again: figures, and demonstrations."""

from collections.abc import Iterator
from copy import copy
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import find_submitted_files
from gradebox.notebook_metadata import SKIPPED, read_ending
from gradebox.sanitize import notebook_cells
from gradebox.sanitize.image_types import validate_image
from gradebox.submission_files import read_notebook

# Characters of what one cell had put out.
MAX_OUTPUT_CHARACTERS = 4 * 2**20


def copy_code_cells(handed_in: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook with what they had put out; it stays so when they are cleared."""
    return [copy(cell) for cell in handed_in.cells if cell.cell_type == "code"]


def restore_outputs(graded: NotebookNode, handed_in: list[NotebookNode]) -> None:
    """Give a cell that was not run what it had put out, and a figure that is only named its picture.

    Cells are found by their texts.
    """
    texts: dict[str, list[NotebookNode]] = {}
    for cell in handed_in:
        texts.setdefault(cell.source, []).append(cell)
    drawn = {text: find_images(list(found)) for text, found in texts.items()}
    for cell in graded.cells:
        if read_ending(cell) == SKIPPED:
            found = texts[cell.source].pop(0) if texts.get(cell.source) else {}
            cell.outputs = truncate_outputs(found.get("outputs"))
            cell.execution_count = notebook_cells.parse_count(found.get("execution_count"))
            continue
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if str(data.get("text/plain", "")).startswith("<Figure size") and "image/png" not in data:
                image = next(drawn.get(cell.source, iter(())), None)
                if image:
                    data["image/png"] = image


def truncate_outputs(found: Any) -> list[NotebookNode]:
    """What a graded copy may hold of a cell's outputs."""
    kept: list[NotebookNode] = []
    size = 0
    for output in notebook_cells.sanitize_outputs(found):
        size += len(str(output))
        if size > MAX_OUTPUT_CHARACTERS:
            return [*kept, new_output("stream", name="stderr", text="[more output of this cell was cut]\n")]
        kept.append(output)
    return kept


def find_images(found: list[NotebookNode]) -> Iterator[str]:
    """The pictures that cells had put out."""
    for cell in found:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            data = output.get("data", {}) if isinstance(output, dict) else {}
            image = validate_image(data.get("image/png")) if isinstance(data, dict) else None
            if image:
                yield image


class Pictures(NbGraderPreprocessor):
    """`put_back` as a step after running."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if "gradebox" in resources:
            restore_outputs(nb, resources["gradebox"].outputs)
        elif path := find_submitted_files(self, resources).get(resources["nbgrader"]["notebook"]):
            restore_outputs(nb, copy_code_cells(read_notebook(path)))
        return nb, resources
