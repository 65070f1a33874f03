"""What the grader writes into a notebook for whoever looks at the graded copy; nobody else writes there.

A notebook says what was repaired, and what its grade was made from; a cell says how it ended.
"""

from typing import Any

from nbformat.notebooknode import NotebookNode

KEY = "gradebox"
# Only OK earns points.
OK, FAILED, NOT_RUN = "ok", "failed", "not run"
# A demonstration (see `execute/demonstrations.py`) that nothing needed.
SKIPPED = "not run to grade"
TIMED_OUT, KILLED, GARBLED = "timed out", "killed the kernel", "unreadable answer"


def clear_record(part: NotebookNode) -> None:
    """Take the record of a notebook, or of a cell, away: what was handed in says nothing."""
    part.metadata.pop(KEY, None)


def read_record(part: Any) -> dict[str, Any]:
    """The record of a notebook or a cell, whatever was read from a file."""
    metadata = part.get("metadata") if isinstance(part, dict) else None
    found = metadata.get(KEY) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def read_ending(cell: NotebookNode) -> str | None:
    """How a cell ended, or None if nobody ran it."""
    return read_record(cell).get("ended")


def record_ending(cell: NotebookNode, ended: str) -> None:
    """Write into a cell how it ended."""
    cell.metadata[KEY] = {"ended": ended}


def update_record(cell: NotebookNode, **facts: Any) -> None:
    """Write more into a cell that was run: its `flag`, `unable`, `advice` or `second_chance` (see below)."""
    cell.metadata[KEY].update(facts)


def read_flag(cell: NotebookNode) -> str | None:
    """What an instructor should look at in a cell, if anything."""
    return read_record(cell).get("flag")


def read_unable_reason(cell: NotebookNode) -> str | None:
    """Why a test could not be judged, if that was so: it says nothing of the answer."""
    return read_record(cell).get("unable")


def read_advice_name(cell: NotebookNode) -> str | None:
    """The name of the mistake whose advice a test's message ends with, if it is a known one."""
    return read_record(cell).get("advice")


def has_passed_second_chance(cell: NotebookNode) -> bool:
    """Whether a test that failed has passed on its second chance."""
    return bool(read_record(cell).get("second_chance"))


def read_repairs(notebook: NotebookNode) -> list[str]:
    """What was repaired in a notebook, one clause each."""
    return list(read_record(notebook).get("repairs", []))


def record_repairs(notebook: NotebookNode, done: list[str]) -> None:
    """Write into a notebook what was repaired in it."""
    notebook.metadata[KEY] = {"repairs": done}


def set_pending_fingerprint(notebook: NotebookNode, fingerprint: str) -> None:
    """Write into a notebook what its grade is made from (`autograde/fingerprint.py`), before it is run."""
    notebook.metadata.setdefault(KEY, {})["begun"] = fingerprint


def confirm_fingerprint(notebook: NotebookNode) -> None:
    """Let what `begin` has written count, when all is done."""
    found = read_record(notebook)
    if "begun" in found:
        found["fingerprint"] = found.pop("begun")


def read_fingerprint(copy: Any) -> str | None:
    """What the grade of a copy was made from, if that was confirmed; None if there is no copy."""
    return read_record(copy).get("fingerprint")


def find_last_error(cell: NotebookNode) -> NotebookNode | None:
    """The last error that a cell put out, if any."""
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    return errors[-1] if errors else None


def format_last_error(cell: NotebookNode) -> str | None:
    """Return the error that a cell ended with, in one line; None if there is none."""
    error = find_last_error(cell)
    if error is None:
        return None
    lines = filter(None, map(str.strip, error.evalue.splitlines()))
    return ": ".join(filter(None, (error.ename, next(lines, ""))))
