"""What of a student's a graded copy may hold, so that it is harmless whoever opens it, with whatever program.

Nothing is kept of what students hand in, or their code puts out, but what is named here: kinds of outputs
and of metadata, their types, and how much of each. HTML may have what `html.py` allows, and Markdown, too
(see `markdown.py`). A remote picture becomes a link, for its server would see who opens the page, and when.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils

from gradebox.notebook import name_of
from gradebox.sanitize.html import Linked, sanitized
from gradebox.sanitize.image_types import KINDS, LARGEST_ATTACHED, picture
from gradebox.sanitize.markdown import DEEPEST, deepest, markdown

# Characters of an output's text, and of HTML, which takes more time to show.
LONGEST, LONGEST_HTML = 2**20, 100_000
LEFT_OUT = "[an output that is neither text nor a picture is left out here]"
# Style sheets are shown as text by what leaves them out; pandas sends one with every table.
BEGINS, ENDS = (re.compile(rf"<{end}(?:style|script)\b", re.IGNORECASE) for end in ("", "/"))


def writable(found: Any) -> str:
    """A text as nbformat has it, in one piece or in lines. What no file can hold is a "?" in it."""
    parts = found if isinstance(found, list) else [found]
    return "".join(part for part in parts if isinstance(part, str)).encode(errors="replace").decode()


def text_of(found: Any) -> str:
    """The text of an output, up to a limit."""
    text = writable(found)
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n[the rest is left out here]"


def page(found: Any) -> str | None:
    """The HTML of an output, without style sheets and scripts; None if nothing is left, or it is too much."""
    text, kept, at = text_of(found), [], 0
    if len(text) > LONGEST_HTML:
        return None
    while (begin := BEGINS.search(text, at)) and (end := ENDS.search(text, begin.end())):
        kept.append(text[at : begin.start()])
        at = text.find(">", end.end()) + 1 or len(text)
    text = "".join([*kept, text[at:]])
    if deepest(text) > DEEPEST:
        return None
    made = sanitized(text, Linked)
    return made if "<img" in made or re.sub(r"<[^>]*>", "", made).strip() else None


def content(kind: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """What an output of this type holds, as nbformat has it; `found` is of a message, or of a notebook."""
    if kind == "stream":
        name = "stderr" if found.get("name") == "stderr" else "stdout"
        return {"name": name, "text": text_of(found.get("text"))}
    if kind == "error":
        lines = found.get("traceback")
        lines = [text_of(line) for line in lines] if isinstance(lines, list) else []
        return {
            "ename": text_of(found.get("ename")),
            "evalue": text_of(found.get("evalue")),
            "traceback": lines,
        }
    data = data_of(found.get("data"))
    made = {"data": data, "metadata": sizes(found.get("metadata"), data)}
    if kind == "execute_result":
        made["execution_count"] = count(found.get("execution_count"))
    return made


def data_of(found: Any) -> dict[str, str]:
    """The data of an output by MIME type: text, Markdown, HTML and pictures. What comes first looks best."""
    found = found if isinstance(found, Mapping) else {}
    made = {kind: picture(found[kind], kind) for kind in KINDS if kind in found}
    if "text/html" in found:
        made["text/html"] = page(found["text/html"])
    # A formula that stands in Markdown stays within its cell, whatever it draws.
    for kind in ("text/markdown", "text/latex"):
        if kind in found:
            made["text/markdown"] = markdown(text_of(found[kind]))
    if "text/plain" in found:
        made["text/plain"] = text_of(found["text/plain"])
    shown = {kind: value for kind, value in made.items() if value is not None}
    return shown if shown or not found else {"text/plain": LEFT_OUT}


def sizes(found: Any, data: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """The width and height, in pixels, that an output gives its pictures."""
    made = {}
    for kind in data.keys() & KINDS:
        given = found.get(kind) if isinstance(found, Mapping) else None
        given = given if isinstance(given, Mapping) else {}
        size = {side: given[side] for side in ("width", "height") if count(given.get(side))}
        if size and all(length < 10_000 for length in size.values()):
            made[kind] = size
    return made


def count(found: Any) -> int | None:
    """A count, or nothing."""
    return found if type(found) is int and 0 <= found < 2**31 else None


def output(found: Any) -> NotebookNode | None:
    """An output of a notebook, or None if it is of no known type."""
    kind = found.get("output_type") if isinstance(found, Mapping) else None
    if kind not in ("stream", "error", "display_data", "execute_result"):
        return None
    return new_output(kind, **content(kind, found))


def outputs(found: Any) -> list[NotebookNode]:
    return [kept for kept in map(output, found if isinstance(found, list) else []) if kept]


def attachments(found: Any) -> NotebookNode:
    """The pictures that are attached to a cell, by name."""
    made = NotebookNode()
    for name, kinds in found.items() if isinstance(found, Mapping) else ():
        kinds = kinds if isinstance(kinds, Mapping) else {}
        shown = {kind: picture(kinds[kind], kind, LARGEST_ATTACHED) for kind in KINDS if kind in kinds}
        shown = {kind: data for kind, data in shown.items() if data}
        if shown and len(name) < 200:
            made[text_of(name)] = NotebookNode(shown)
    return made


def clean(notebook: NotebookNode, released: NotebookNode) -> None:
    """Leave of a submission, in place, what a graded copy may hold.

    Cells that are as they were released keep all that they were released with. Those of the student's keep
    text, outputs and pictures, and of their settings only nbgrader's, which `autograde/repair_notebook.py`
    has put right.
    """
    named = {name_of(cell): cell for cell in released.cells if name_of(cell)}
    texts = {(cell.cell_type, cell.source): cell for cell in released.cells if not name_of(cell)}
    for number, cell in enumerate(notebook.cells):
        text = writable(cell.get("source"))
        wanted = named.get(name_of(cell)) or texts.get((cell.cell_type, text))
        notebook.cells[number] = cleaned(cell, text, wanted)
    known = ("kernelspec", "language_info")
    notebook.metadata = NotebookNode({k: deepcopy(v) for k, v in released.metadata.items() if k in known})


def cleaned(cell: NotebookNode, text: str, wanted: NotebookNode | None) -> NotebookNode:
    """A cell with this text as a graded copy may hold it. wanted: as it was released, if it was."""
    kind = cell.cell_type if cell.cell_type in ("code", "markdown") else "raw"
    made = NotebookNode(id=cell.id, cell_type=kind, metadata=NotebookNode(), source=text)
    if wanted:
        made.metadata = deepcopy(wanted.metadata)
        # Tags can make a runner skip a cell, or fail on it.
        made.metadata.pop("tags", None)
        if name_of(cell):
            made.metadata["nbgrader"] = cell.metadata["nbgrader"]
    if kind == "code":
        made["outputs"], made["execution_count"] = (
            outputs(cell.get("outputs")),
            count(cell.get("execution_count")),
        )
        return made
    as_released = wanted if wanted and (utils.is_locked(wanted) or wanted.source == text) else None
    kept = as_released.get("attachments") if as_released else attachments(cell.get("attachments"))
    if kept:
        made["attachments"] = deepcopy(kept)
    if not as_released:
        made.source = markdown(text, kept)
    return made
