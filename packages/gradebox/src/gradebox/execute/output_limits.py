"""What of a cell's output its graded copy keeps: what is harmless, and not too much."""

from collections.abc import Mapping
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.sanitize import notebook_cells as harmless

TRUNCATION_NOTICE = "\n[more output of this cell was cut]\n"
# An output costs at least so many characters: many small ones fill a file, too.
MIN_OUTPUT_COST = 100
DISPLAY_TYPES = ("display_data", "execute_result")


class OutputCollector:
    """Takes what a session puts out, and keeps it in the cell that it came from.

    limit: how many characters of one cell. What is more is cut while it streams, so nothing piles up.
    """

    def __init__(self, limit: int):
        self.limit = limit
        # The last output of each name, whichever cell it is in.
        self.named: dict[str, NotebookNode] = {}

    def begin(self, cell: NotebookNode) -> None:
        """What comes from now on is this cell's."""
        self.cell, self.kept = cell, 0
        self.last_word = self.clears = False
        cell.outputs = []

    def take(self, kind: str, content: Mapping[str, Any]) -> None:
        """Take a message of Jupyter's, of this type."""
        if kind in ("stream", "error", *DISPLAY_TYPES):
            self.output(kind, content)
        elif kind == "clear_output":
            self.clears = bool(content.get("wait"))
            if not self.clears:
                self.cell.outputs = []
        elif kind == "update_display_data":
            self.update(content)

    def output(self, kind: str, content: Mapping[str, Any]) -> None:
        """Keep an output, unless the cell has had its share. A last word (an error, a value) fits."""
        if self.clears:
            self.cell.outputs, self.clears = [], False
        outputs, size = self.cell.outputs, max(MIN_OUTPUT_COST, len(str(content)))
        before, self.kept = self.kept, self.kept + size
        last_word = kind in ("error", "execute_result") and size < self.limit
        if self.kept > self.limit and (not last_word or self.last_word):
            if before <= self.limit:
                self.mark_truncated()
            return
        self.last_word = self.kept > self.limit
        harmless_content = harmless.sanitize_content(kind, content)
        last = outputs[-1] if outputs else None
        if kind == "stream" and last and last.output_type == kind and last.name == harmless_content["name"]:
            last.text += harmless_content["text"]
            return
        outputs.append(new_output(kind, **harmless_content))
        name = find_display_id(content)
        if name and kind in DISPLAY_TYPES:
            self.named[name] = outputs[-1]

    def mark_truncated(self) -> None:
        """Say that there was more."""
        self.kept = max(self.kept, self.limit + 1)
        self.cell.outputs.append(new_output("stream", name="stderr", text=TRUNCATION_NOTICE))

    def update(self, content: Mapping[str, Any]) -> None:
        """Change the last output of this name: if all of them changed, few messages could fill gigabytes."""
        found = self.named.get(find_display_id(content) or "")
        self.kept += max(MIN_OUTPUT_COST, len(str(content)))
        if found is not None and self.kept <= self.limit:
            found.update(harmless.sanitize_content("display_data", content))


def find_display_id(content: Mapping[str, Any]) -> str | None:
    """The name of a display that can be updated, if a message has one."""
    transient = content.get("transient")
    name = transient.get("display_id") if isinstance(transient, Mapping) else None
    return name if isinstance(name, str) else None
