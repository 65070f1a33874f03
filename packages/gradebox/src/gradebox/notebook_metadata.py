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


def clear(part: NotebookNode) -> None:
    """Take the record of a notebook, or of a cell, away: what was handed in says nothing."""
    part.metadata.pop(KEY, None)


def of(part: Any) -> dict[str, Any]:
    """The record of a notebook or a cell, whatever was read from a file."""
    metadata = part.get("metadata") if isinstance(part, dict) else None
    found = metadata.get(KEY) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def ending(cell: NotebookNode) -> str | None:
    """How a cell ended, or None if nobody ran it."""
    return of(cell).get("ended")


def record(cell: NotebookNode, ended: str) -> None:
    """Write into a cell how it ended."""
    cell.metadata[KEY] = {"ended": ended}


def note(cell: NotebookNode, **facts: Any) -> None:
    """Write more into a cell that was run: its `flag`, `unable`, `advice` or `second_chance` (see below)."""
    cell.metadata[KEY].update(facts)


def flagged(cell: NotebookNode) -> str | None:
    """What an instructor should look at in a cell, if anything."""
    return of(cell).get("flag")


def unable(cell: NotebookNode) -> str | None:
    """Why a test could not be judged, if that was so: it says nothing of the answer."""
    return of(cell).get("unable")


def advice(cell: NotebookNode) -> str | None:
    """The name of the mistake whose advice a test's message ends with, if it is a known one."""
    return of(cell).get("advice")


def passed_on_second_chance(cell: NotebookNode) -> bool:
    """Whether a test that failed has passed on its second chance."""
    return bool(of(cell).get("second_chance"))


def repairs(notebook: NotebookNode) -> list[str]:
    """What was repaired in a notebook, one clause each."""
    return list(of(notebook).get("repairs", []))


def record_repairs(notebook: NotebookNode, done: list[str]) -> None:
    """Write into a notebook what was repaired in it."""
    notebook.metadata[KEY] = {"repairs": done}


def begin(notebook: NotebookNode, fingerprint: str) -> None:
    """Write into a notebook what its grade is made from (`autograde/fingerprint.py`), before it is run."""
    notebook.metadata.setdefault(KEY, {})["begun"] = fingerprint


def confirm(notebook: NotebookNode) -> None:
    """Let what `begin` has written count, when all is done."""
    found = of(notebook)
    if "begun" in found:
        found["fingerprint"] = found.pop("begun")


def fingerprint(copy: Any) -> str | None:
    """What the grade of a copy was made from, if that was confirmed; None if there is no copy."""
    return of(copy).get("fingerprint")


def last_error(cell: NotebookNode) -> NotebookNode | None:
    """The last error that a cell put out, if any."""
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    return errors[-1] if errors else None


def error_in_words(cell: NotebookNode) -> str | None:
    """Return the error that a cell ended with, in one line; None if there is none."""
    error = last_error(cell)
    if error is None:
        return None
    lines = filter(None, map(str.strip, error.evalue.splitlines()))
    return ": ".join(filter(None, (error.ename, next(lines, ""))))
