"""Read and write gradebox's metadata in graded copies of notebooks.

Notebook metadata holds the repairs and the fingerprint of the grade's inputs; cell metadata holds the result
of the run. Only the grader writes this metadata.
"""

from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode

KEY = "gradebox"
# Results of a cell's run; only OK earns points.
OK, FAILED, NOT_RUN = "ok", "failed", "not run"
# A demonstration (see `execute/skip_demonstrations.py`) that no other cell needs.
SKIPPED = "not run to grade"
TIMED_OUT, KILLED, GARBLED = "timed out", "killed the kernel", "unreadable answer"


@dataclass
class RepairRecord:
    """Repairs made to a notebook, and changes by a later release.

    done: one clause each. missing, parts, changes, given, student_texts: see the functions below.
    """

    done: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)
    changes: dict[str, list[str]] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    student_texts: list[str] = field(default_factory=list)

    def add_change(self, what: str, name: str) -> None:
        """Add a change that a later release has made to a cell."""
        names = self.changes.setdefault(what, [])
        if name not in names:
            names.append(name)


def clear_record(part: NotebookNode) -> None:
    """Remove gradebox's metadata from a submitted notebook or cell: students could have forged the values."""
    part.metadata.pop(KEY, None)


def read_record(part: Any) -> dict[str, Any]:
    """Return gradebox's metadata of a notebook or cell; empty if missing or malformed."""
    metadata = part.get("metadata") if isinstance(part, dict) else None
    found = metadata.get(KEY) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def read_ending(cell: NotebookNode) -> str | None:
    """Return the result of a cell's run, or None if the cell was not run."""
    return read_record(cell).get("ended")


def record_ending(cell: NotebookNode, ended: str) -> None:
    """Write the result of a cell's run, replacing earlier metadata."""
    cell.metadata[KEY] = {"ended": ended}


def update_record(cell: NotebookNode, **facts: Any) -> None:
    """Add facts, which the functions below read, to the metadata of a cell after the run."""
    cell.metadata.setdefault(KEY, {}).update(facts)


def read_flag(cell: NotebookNode) -> str | None:
    """Return the note that asks the instructor to review a cell, or None."""
    return read_record(cell).get("flag")


def read_unable_reason(cell: NotebookNode) -> str | None:
    """Return the reason why a test could not be judged, or None.

    Such a test says nothing about the answer.
    """
    return read_record(cell).get("unable")


def read_advice_name(cell: NotebookNode) -> str | None:
    """Return the name of the known mistake whose advice ends a test's message, or None."""
    return read_record(cell).get("advice")


def read_limit(cell: NotebookNode) -> str | None:
    """Return a clause about the limit that a cell reached, with the name of its setting, or None."""
    return read_record(cell).get("limit")


def read_missing_module(cell: NotebookNode) -> str | None:
    """Return the module that a cell needs and that is not installed, or None."""
    return read_record(cell).get("missing_module")


def has_asked_for_network(cell: NotebookNode) -> bool:
    """Return True if a cell tried to use the network."""
    return bool(read_record(cell).get("network"))


def read_reference_problem(cell: NotebookNode) -> str | None:
    """Return the reason why the reference solution fails a test on this machine, or None."""
    return read_record(cell).get("reference")


def has_passed_second_chance(cell: NotebookNode) -> bool:
    """Return True if a failed test passed on its second chance."""
    return bool(read_record(cell).get("second_chance"))


def read_repairs(notebook: NotebookNode) -> list[str]:
    """Return the repairs made to a notebook, one clause each."""
    return list(read_record(notebook).get("repairs", []))


def read_missing_answers(notebook: NotebookNode) -> list[str]:
    """Return a message for each answer cell that the submission does not contain."""
    return list(read_record(notebook).get("missing", []))


def read_answer_parts(notebook: NotebookNode) -> dict[str, list[str]]:
    """Return the ids of further cells with text of written answers, by grade_id of the answer.

    See `autograde/written_answers.py`.
    """
    return dict(read_record(notebook).get("parts", {}))


def read_release_changes(notebook: NotebookNode) -> dict[str, list[str]]:
    """Return the grade_ids of cells that the course has changed since the submission's release, by change.

    See `autograde/release_history.py`.
    """
    return dict(read_record(notebook).get("changes", {}))


def read_given_cells(notebook: NotebookNode) -> set[str]:
    """Return the ids of cells that an earlier release had and the current release does not have."""
    return set(read_record(notebook).get("given", []))


def read_student_texts(notebook: Any) -> set[str]:
    """Return the ids of the text cells that the student wrote or changed."""
    return set(read_record(notebook).get("student_texts", []))


def record_repairs(notebook: NotebookNode, made: RepairRecord) -> None:
    """Write the repairs made to a notebook, replacing earlier metadata."""
    record = {"repairs": made.done, "missing": made.missing, "parts": made.parts}
    # Most submissions are of the current release.
    later = {"changes": made.changes, "given": made.given, "student_texts": made.student_texts}
    notebook.metadata[KEY] = record | {key: value for key, value in later.items() if value}


def set_pending_fingerprint(notebook: NotebookNode, fingerprint: str) -> None:
    """Write the fingerprint of the grade's inputs (`autograde/fingerprint.py`) before the notebook is run."""
    notebook.metadata.setdefault(KEY, {})["begun"] = fingerprint


def confirm_fingerprint(notebook: NotebookNode) -> None:
    """Make the pending fingerprint valid, after all grading steps are done."""
    found = read_record(notebook)
    if "begun" in found:
        found["fingerprint"] = found.pop("begun")


def read_fingerprint(copy: Any) -> str | None:
    """Return the confirmed fingerprint of a graded copy; None without a copy or a confirmed fingerprint."""
    return read_record(copy).get("fingerprint")


def find_last_error(cell: NotebookNode) -> NotebookNode | None:
    """Return the last error output of a cell, or None."""
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    return errors[-1] if errors else None


def format_last_error(cell: NotebookNode) -> str | None:
    """Return the last error of a cell in one line, or None."""
    error = find_last_error(cell)
    if error is None:
        return None
    lines = filter(None, map(str.strip, error.evalue.splitlines()))
    return ": ".join(filter(None, (error.ename, next(lines, ""))))
