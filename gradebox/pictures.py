"""Puts the pictures that were handed in into the graded copy, where figures were not drawn again."""

import base64
import binascii

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.hand_in import read_notebook
from gradebox.recognise import submitted

PNG = b"\x89PNG\r\n\x1a\n"
# Bytes; a larger picture stays out.
LARGEST = 2 * 2**20


def picture(output: NotebookNode) -> str | None:
    """The picture of an output as base64, if it really is one: a page will have it in its text."""
    data = output.get("data", {})
    found = data.get("image/png") if isinstance(data, dict) else None
    if not isinstance(found, str) or len(found) > LARGEST:
        return None
    try:
        content = base64.b64decode("".join(found.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return base64.b64encode(content).decode() if content.startswith(PNG) else None


def pictures(notebook: NotebookNode) -> dict[str, list[str]]:
    """The pictures of a notebook, by the text of the cell that drew them."""
    found: dict[str, list[str]] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            drawn = [picture(output) for output in cell.get("outputs", [])]
            found.setdefault(cell.source, [one for one in drawn if one])
    return found


def put_back(graded: NotebookNode, submitted: NotebookNode) -> None:
    """Give every figure that is only named in the graded copy its picture from the submission."""
    known = pictures(submitted)
    for cell in graded.cells:
        waiting = iter(known.get(cell.source, []))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if str(data.get("text/plain", "")).startswith("<Figure size") and "image/png" not in data:
                drawn = next(waiting, None)
                if drawn:
                    data["image/png"] = drawn


class Pictures(NbGraderPreprocessor):
    """`put_back` as a step after running."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        path = submitted(self, resources)
        if path:
            put_back(nb, read_notebook(path))
        return nb, resources
