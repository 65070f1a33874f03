"""How a cell ended, as a record in the cell that only the grader writes."""

from nbformat.notebooknode import NotebookNode

# Only OK earns points.
OK, FAILED, NOT_RUN = "ok", "failed", "not run"
# A demonstration (see `demonstrations.py`) that nothing needed.
SKIPPED = "not run to grade"
TIMED_OUT, KILLED, GARBLED = "timed out", "killed the kernel", "unreadable answer"


def ending(cell: NotebookNode) -> str | None:
    """How a cell ended, or None if nobody ran it."""
    return cell.metadata.get("gradebox", {}).get("ended")


def record(cell: NotebookNode, ended: str) -> None:
    """Write into the cell how it ended."""
    cell.metadata["gradebox"] = {"ended": ended}


def flag(cell: NotebookNode, seen: str) -> None:
    """Write into a cell that was run what its instructor should look at."""
    cell.metadata["gradebox"]["flag"] = seen


def flagged(cell: NotebookNode) -> str | None:
    """What its instructor should look at, if anything."""
    return cell.metadata.get("gradebox", {}).get("flag")
