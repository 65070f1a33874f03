"""What an instructor should know of a submission besides its score."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from nbformat.notebooknode import NotebookNode

from gradebox.notebook import find_grade_id
from gradebox.notebook_metadata import (
    GARBLED,
    KILLED,
    NOT_RUN,
    TIMED_OUT,
    find_last_error,
    read_ending,
    read_flag,
    read_repairs,
    read_unable_reason,
)

UNREADABLE, NOT_GRADED, REPAIRED, FLAGGED = "unreadable", "not graded", "repaired", "flagged"
NOT_JUDGED = "not judged"

# A mistake can do that too, if only an odd one.
FLAGGED_MESSAGE = "While this test ran, {}. The test failed. Please look at what the submission does there."
# Where the judge has no way to do what a test asks for.
NOT_JUDGED_MESSAGE = (
    "This test could not be judged, and gives 0 until somebody looks: {}. `gradebox check` says what to do."
)


@dataclass(frozen=True)
class Incident:
    """Something that happened to a submission.

    kind: "unreadable" (what was handed in can't be graded), "not graded" (something went wrong here),
    "repaired", "flagged" (somebody should look at it), "not judged" (the judge can't do what the test asks
    for), or how a cell ended that did not come to its end.
    cell: its grade_id, or its number from 1 in the graded copy where it has none; None for the whole
    submission.
    """

    student: str
    assignment: str
    kind: str
    cell: str | None
    what: str


def find_incidents(student: str, assignment: str, notebook: NotebookNode) -> list[Incident]:
    """The incidents that a graded copy tells of, in its order."""
    found = [Incident(student, assignment, REPAIRED, None, repair) for repair in read_repairs(notebook)]
    for number, cell in enumerate(notebook.cells, 1):
        kind = read_ending(cell)
        if read_flag(cell):
            kind, what = FLAGGED, FLAGGED_MESSAGE.format(read_flag(cell))
        elif read_unable_reason(cell):
            kind, what = NOT_JUDGED, NOT_JUDGED_MESSAGE.format(read_unable_reason(cell))
        elif kind in (TIMED_OUT, KILLED, GARBLED, NOT_RUN):
            error = find_last_error(cell)
            what = (error and error.evalue) or "It did not end in time and was interrupted."
        else:
            continue
        found.append(Incident(student, assignment, kind, find_grade_id(cell) or f"cell {number}", what))
    return found


def write_incidents(path: Path, incidents: Iterable[Incident]) -> None:
    """Write incidents as a JSON list of objects with the fields of Incident."""
    path.write_text(json.dumps([asdict(incident) for incident in incidents], indent=2) + "\n")
