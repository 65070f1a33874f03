"""Sanitize outputs, attachments and metadata of a submission for the graded copy.

This is an allowlist for submitted content and for outputs of student code: kinds of outputs and metadata,
their types and sizes. The allowed HTML is defined in `html.py`. Remote images become links, because their
server could track the readers of a page. Markdown stays as the student wrote it, because pages sanitize it.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils

from gradebox.notebook_exercises import find_grade_id
from gradebox.sanitize.html import ImageLinkFilter, sanitize_fragment
from gradebox.sanitize.image_types import IMAGE_FORMATS, MAX_ATTACHMENT_SIZE, validate_image
from gradebox.sanitize.markdown import MAX_NESTING, MarkdownBudget, measure_nesting

# Limits in characters, for the text of an output and for HTML, which is slower to render.
MAX_TEXT_LENGTH, MAX_HTML_LENGTH = 2**20, 100_000
OMITTED_OUTPUT = "[an output that is neither text nor a picture is left out here]"
# Remove style sheets first: the sanitizer would show them as text, and pandas adds one to every table.
STYLE_START, STYLE_END = (re.compile(rf"<{end}(?:style|script)\b", re.IGNORECASE) for end in ("", "/"))


def normalize_text(found: Any) -> str:
    """Join multi-line text of nbformat to one string, and replace lone surrogates by "?"."""
    parts = found if isinstance(found, list) else [found]
    return "".join(part for part in parts if isinstance(part, str)).encode(errors="replace").decode()


def limit_text(found: Any) -> str:
    """Return the text of an output, truncated to MAX_TEXT_LENGTH characters."""
    text = normalize_text(found)
    return text if len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH] + "\n[the rest is left out here]"


def sanitize_output_html(found: Any) -> str | None:
    """Sanitize the HTML of an output, without style sheets and scripts; None if empty or too large."""
    text, kept, at = limit_text(found), [], 0
    if len(text) > MAX_HTML_LENGTH:
        return None
    while (begin := STYLE_START.search(text, at)) and (end := STYLE_END.search(text, begin.end())):
        kept.append(text[at : begin.start()])
        at = text.find(">", end.end()) + 1 or len(text)
    text = "".join([*kept, text[at:]])
    if measure_nesting(text) > MAX_NESTING:
        return None
    made = sanitize_fragment(text, ImageLinkFilter)
    return made if "<img" in made or re.sub(r"<[^>]*>", "", made).strip() else None


def sanitize_content(kind: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Sanitize the fields of an output of this type.

    found: the content of a kernel message, or an output in a notebook.
    """
    if kind == "stream":
        name = "stderr" if found.get("name") == "stderr" else "stdout"
        return {"name": name, "text": limit_text(found.get("text"))}
    if kind == "error":
        lines = found.get("traceback")
        lines = [limit_text(line) for line in lines] if isinstance(lines, list) else []
        return {
            "ename": limit_text(found.get("ename")),
            "evalue": limit_text(found.get("evalue")),
            "traceback": lines,
        }
    data = sanitize_data(found.get("data"))
    made = {"data": data, "metadata": read_image_sizes(found.get("metadata"), data)}
    if kind == "execute_result":
        made["execution_count"] = parse_count(found.get("execution_count"))
    return made


def sanitize_data(found: Any) -> dict[str, str]:
    """Sanitize the data of an output by MIME type: images, HTML, Markdown and text, richest first."""
    found = found if isinstance(found, Mapping) else {}
    made = {kind: validate_image(found[kind], kind) for kind in IMAGE_FORMATS if kind in found}
    if "text/html" in found:
        made["text/html"] = sanitize_output_html(found["text/html"])
    # Convert LaTeX to Markdown, because formulas in Markdown cannot draw outside their cell.
    for kind in ("text/markdown", "text/latex"):
        if kind in found:
            made["text/markdown"] = MarkdownBudget().limit(limit_text(found[kind]))
    if "text/plain" in found:
        made["text/plain"] = limit_text(found["text/plain"])
    shown = {kind: value for kind, value in made.items() if value is not None}
    return shown if shown or not found else {"text/plain": OMITTED_OUTPUT}


def read_image_sizes(found: Any, data: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return the width and height, in pixels, that an output's metadata sets for its images."""
    made = {}
    for kind in data.keys() & IMAGE_FORMATS:
        given = found.get(kind) if isinstance(found, Mapping) else None
        given = given if isinstance(given, Mapping) else {}
        size = {side: given[side] for side in ("width", "height") if parse_count(given.get(side))}
        if size and all(length < 10_000 for length in size.values()):
            made[kind] = size
    return made


def parse_count(found: Any) -> int | None:
    """Return a count if `found` is a valid integer, else None."""
    return found if type(found) is int and 0 <= found < 2**31 else None


def sanitize_output(found: Any) -> NotebookNode | None:
    """Sanitize an output; None if the type is unknown."""
    kind = found.get("output_type") if isinstance(found, Mapping) else None
    if kind not in ("stream", "error", "display_data", "execute_result"):
        return None
    return new_output(kind, **sanitize_content(kind, found))


def sanitize_outputs(found: Any) -> list[NotebookNode]:
    return [kept for kept in map(sanitize_output, found if isinstance(found, list) else []) if kept]


def sanitize_attachments(found: Any) -> NotebookNode:
    """Return the valid images attached to a cell, by name."""
    made = NotebookNode()
    for name, kinds in found.items() if isinstance(found, Mapping) else ():
        kinds = kinds if isinstance(kinds, Mapping) else {}
        shown = {
            kind: validate_image(kinds[kind], kind, MAX_ATTACHMENT_SIZE)
            for kind in IMAGE_FORMATS
            if kind in kinds
        }
        shown = {kind: data for kind, data in shown.items() if data}
        if shown and len(name) < 200:
            made[limit_text(name)] = NotebookNode(shown)
    return made


def sanitize_notebook(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """Sanitize a submission in place for the graded copy. Return the ids of the student's text cells.

    Unchanged cells keep their released metadata and attachments. Student cells keep their text, sanitized
    outputs and images, but only nbgrader's metadata, which `autograde/repair_notebook.py` has restored.
    """
    named = {find_grade_id(cell): cell for cell in released.cells if find_grade_id(cell)}
    texts = {(cell.cell_type, cell.source): cell for cell in released.cells if not find_grade_id(cell)}
    budget, student_texts = MarkdownBudget(), []
    for number, cell in enumerate(notebook.cells):
        text = normalize_text(cell.get("source"))
        wanted = named.get(find_grade_id(cell)) or texts.get((cell.cell_type, text))
        notebook.cells[number] = made = sanitize_cell(cell, text, wanted)
        if made.cell_type != "code" and not is_released_text(made, wanted):
            made.source = budget.limit(text)
            student_texts.append(made.id)
    known = ("kernelspec", "language_info")
    notebook.metadata = NotebookNode({k: deepcopy(v) for k, v in released.metadata.items() if k in known})
    return student_texts


def sanitize_cell(cell: NotebookNode, text: str, wanted: NotebookNode | None) -> NotebookNode:
    """Return a sanitized cell with this text. wanted: the released version of the cell, or None."""
    kind = cell.cell_type if cell.cell_type in ("code", "markdown") else "raw"
    made = NotebookNode(id=cell.id, cell_type=kind, metadata=NotebookNode(), source=text)
    if wanted:
        made.metadata = deepcopy(wanted.metadata)
        # Remove tags, which can make a runner skip a cell or fail.
        made.metadata.pop("tags", None)
        if find_grade_id(cell):
            made.metadata["nbgrader"] = cell.metadata["nbgrader"]
    if kind == "code":
        made["outputs"], made["execution_count"] = (
            sanitize_outputs(cell.get("outputs")),
            parse_count(cell.get("execution_count")),
        )
        return made
    if wanted and is_released_text(made, wanted):
        kept = deepcopy(wanted.get("attachments"))
    else:
        kept = sanitize_attachments(cell.get("attachments"))
    if kept:
        made["attachments"] = NotebookNode(kept)
    return made


def is_released_text(cell: NotebookNode, wanted: NotebookNode | None) -> bool:
    """Return True if a cell has the course's text. wanted: the released version of the cell, or None."""
    return wanted is not None and (utils.is_locked(wanted) or wanted.source == cell.source)
