"""Restore submitted outputs of cells that were not executed again: figures and demonstrations."""

from collections.abc import Iterator
from copy import copy
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import find_submitted_files, resolve_step_folder
from gradebox.notebook_json import read_notebook
from gradebox.notebook_metadata import SKIPPED, read_ending
from gradebox.sanitize import notebook_cells
from gradebox.sanitize.image_types import validate_image

# Maximum size of the restored outputs of one cell, in characters.
MAX_OUTPUT_CHARACTERS = 4 * 2**20


def copy_code_cells(handed_in: NotebookNode) -> list[NotebookNode]:
    """Return copies of the code cells that keep their outputs when the originals are cleared."""
    return [copy(cell) for cell in handed_in.cells if cell.cell_type == "code"]


def restore_outputs(graded: NotebookNode, handed_in: list[NotebookNode]) -> None:
    """Restore the outputs of skipped cells, and the images of figures that have only text.

    Cells are matched by source text.
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
    """Return the sanitized outputs of a cell, limited to MAX_OUTPUT_CHARACTERS."""
    kept: list[NotebookNode] = []
    size = 0
    for output in notebook_cells.sanitize_outputs(found):
        size += len(str(output))
        if size > MAX_OUTPUT_CHARACTERS:
            return [*kept, new_output("stream", name="stderr", text="[more output of this cell was cut]\n")]
        kept.append(output)
    return kept


def find_images(found: list[NotebookNode]) -> Iterator[str]:
    """Yield the valid images in the outputs of cells."""
    for cell in found:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            data = output.get("data", {}) if isinstance(output, dict) else {}
            image = validate_image(data.get("image/png")) if isinstance(data, dict) else None
            if image:
                yield image


class Pictures(NbGraderPreprocessor):
    """Preprocessor that calls `restore_outputs` after execution."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if "gradebox" in resources:
            restore_outputs(nb, resources["gradebox"].outputs)
        elif path := find_submitted_files(self, resources).get(resources["nbgrader"]["notebook"]):
            folder = resolve_step_folder(self, "submitted", resources)
            restore_outputs(nb, copy_code_cells(read_notebook(path, folder)))
        return nb, resources
