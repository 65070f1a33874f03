"""Tells pictures from what only says that it is one, and puts those that were handed in into the graded copy,
where figures were not drawn again.
"""

import base64
import warnings
from io import BytesIO
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from PIL import Image

from gradebox.hand_in import read_notebook
from gradebox.recognise import submitted

# The kinds that pages show, as Pillow calls them.
KINDS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF"}
# Bytes of a picture that was drawn, and of one that was attached, such as a photo of a page. A larger one
# stays out, and so does one of more pixels, which may be few bytes.
LARGEST, LARGEST_ATTACHED = 2 * 2**20, 10 * 2**20
MOST_PIXELS = 80 * 10**6


def picture(found: Any, kind: str = "image/png", largest: int = LARGEST) -> str | None:
    """A picture as base64, if it really is one of this kind: a page will have it in its text."""
    text = "".join(found) if isinstance(found, list) and all(isinstance(x, str) for x in found) else found
    if not isinstance(text, str) or len(text) > 3 * largest:
        return None
    text = "".join(text.split())
    try:
        content = base64.b64decode(text, validate=True)
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(BytesIO(content), formats=[KINDS[kind]]) as seen,
        ):
            width, height = seen.size
    except (ValueError, OSError, SyntaxError, Image.DecompressionBombError):
        return None
    return text if len(content) <= largest and width * height <= MOST_PIXELS else None


def pictures(notebook: NotebookNode) -> dict[str, list[str]]:
    """The pictures of a notebook, by the text of the cell that drew them."""
    found: dict[str, list[str]] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            data = [output.get("data", {}) for output in cell.get("outputs", [])]
            drawn = [picture(one.get("image/png")) for one in data if isinstance(one, dict)]
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
