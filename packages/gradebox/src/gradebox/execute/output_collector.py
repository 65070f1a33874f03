"""Collection of a cell's outputs for the graded copy, sanitized and limited in size."""

from collections.abc import Mapping
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.sanitize import notebook_cells as harmless

TRUNCATION_NOTICE = "\n[more output of this cell was cut]\n"
# Each output counts as at least this many characters, since many small outputs also fill a file.
MIN_OUTPUT_COST = 100
DISPLAY_TYPES = ("display_data", "execute_result")


class OutputCollector:
    """Collector that stores a session's outputs in the cell that produced them.

    limit: the number of characters to keep per cell. Excess output is dropped while streaming, so memory use
    is bounded.
    """

    def __init__(self, limit: int):
        self.limit = limit
        # The last output of each display id, in any cell.
        self.named: dict[str, NotebookNode] = {}

    def begin(self, cell: NotebookNode) -> None:
        """Start to store outputs in this cell, and clear its old outputs."""
        self.cell, self.kept = cell, 0
        self.last_word = self.clears = False
        cell.outputs = []

    def take(self, kind: str, content: Mapping[str, Any]) -> None:
        """Process a Jupyter message. kind: the message type."""
        if kind in ("stream", "error", *DISPLAY_TYPES):
            self.output(kind, content)
        elif kind == "clear_output":
            self.clears = bool(content.get("wait"))
            if not self.clears:
                self.cell.outputs = []
        elif kind == "update_display_data":
            self.update(content)

    def output(self, kind: str, content: Mapping[str, Any]) -> None:
        """Store an output unless the cell's limit is reached.

        One error or value that is smaller than the limit is stored even then.
        """
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
        """Add a notice that output was dropped, and drop all further output."""
        self.kept = max(self.kept, self.limit + 1)
        self.cell.outputs.append(new_output("stream", name="stderr", text=TRUNCATION_NOTICE))

    def update(self, content: Mapping[str, Any]) -> None:
        """Update the last output with the message's display id.

        Earlier outputs with this id stay unchanged: otherwise a few messages could fill gigabytes.
        """
        found = self.named.get(find_display_id(content) or "")
        self.kept += max(MIN_OUTPUT_COST, len(str(content)))
        if found is not None and self.kept <= self.limit:
            found.update(harmless.sanitize_content("display_data", content))


def find_display_id(content: Mapping[str, Any]) -> str | None:
    """Return the display id of a message, or None."""
    transient = content.get("transient")
    name = transient.get("display_id") if isinstance(transient, Mapping) else None
    return name if isinstance(name, str) else None
