"""Incidents of a submission: events that an instructor should know about, besides the score."""

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from nbformat.notebooknode import NotebookNode

from gradebox.atomic_write import write_atomically
from gradebox.autograde.partial_credit import find_invalid_points
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import (
    FAILED,
    GARBLED,
    KILLED,
    NOT_RUN,
    TIMED_OUT,
    find_last_error,
    has_asked_for_network,
    read_ending,
    read_flag,
    read_limit,
    read_missing_answers,
    read_missing_module,
    read_reference_problem,
    read_release_changes,
    read_repairs,
    read_unable_reason,
)

UNREADABLE, NOT_GRADED, REPAIRED, FLAGGED = "unreadable", "not graded", "repaired", "flagged"
NOT_JUDGED, INVALID_POINTS, LIMIT_REACHED = "not judged", "invalid points", "limit reached"
MISSING = "missing"
MISSING_MODULE, NETWORK, UNPROVEN = "missing module", "asks for the network", "reference fails"
EARLIER_RELEASE = "earlier release"
# Kinds with a cause on the grading machine, which all submissions share.
MACHINE_KINDS = (NOT_GRADED, MISSING_MODULE, NETWORK)
# All kinds that instructors read one by one, the most important first.
KINDS = (
    *(UNREADABLE, NOT_GRADED, UNPROVEN, NOT_JUDGED, INVALID_POINTS, FLAGGED),
    *(LIMIT_REACHED, KILLED, TIMED_OUT, GARBLED, NOT_RUN),
    *(MISSING, MISSING_MODULE, NETWORK, REPAIRED),
)

# An unusual honest mistake can cause a flag, too.
FLAGGED_MESSAGE = "While this test ran, {}. The test failed. Please look at what the submission does there."
# For a test that requires something the judge can't do.
NOT_JUDGED_MESSAGE = (
    "The judge can't run this test, which gives 0 points until a person grades it: {}. "
    "`gradebox check` says what to do."
)
INVALID_POINTS_MESSAGE = (
    "This test ended without an error, but {}. It gives 0 points until a person grades it. "
    "Grade it by hand, or fix the test's last line."
)
MISSING_MODULE_MESSAGE = "not installed here: {}"
NETWORK_MESSAGE = "asks for the network, which submissions do not have"
UNPROVEN_MESSAGE = (
    "The reference solution fails this test here, too: {}. Unless the submission passed the test, a person "
    "must grade it."
)


@dataclass(frozen=True)
class Incident:
    """Event in the grading of a submission.

    kind: "unreadable" (the submission can't be graded), "not graded" (something failed in the grader),
    "repaired", "missing" (the submission lacks an answer's cell), "earlier release" (a later release has
    changed a cell, see `release_history.py`), "flagged" (an instructor should look at the cell), "not judged"
    (the judge can't do what the test requires), "invalid points" (the last value of a test is not a number of
    points), "limit reached" (a cell failed at a limit of memory, processes or files, or had no time for a
    second chance), "missing module" and "asks for the network" (see `execute/unavailable_resources.py`),
    "reference fails" (see `reference_proof.py`), or the ending of a cell that did not run to its end.
    cell: the cell's grade_id or, without one, its number in the graded copy, counted from 1; None for the
    whole submission.
    """

    student: str
    assignment: str
    kind: str
    cell: str | None
    what: str


def find_incidents(student: str, assignment: str, notebook: NotebookNode) -> list[Incident]:
    """Return the incidents recorded in a graded copy, in cell order."""
    found = [Incident(student, assignment, REPAIRED, None, repair) for repair in read_repairs(notebook)]
    found += [Incident(student, assignment, MISSING, None, one) for one in read_missing_answers(notebook)]
    for what, names in sorted(read_release_changes(notebook).items()):
        found += [Incident(student, assignment, EARLIER_RELEASE, name, what) for name in names]
    for number, cell in enumerate(notebook.cells, 1):
        name = find_grade_id(cell) or f"cell {number}"
        found += [Incident(student, assignment, kind, name, what) for kind, what in find_cell_events(cell)]
    return found


def find_cell_events(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """Yield the kind and the description of each event that a cell of a graded copy records."""
    ending = read_ending(cell)
    if read_flag(cell):
        yield FLAGGED, FLAGGED_MESSAGE.format(read_flag(cell))
    elif read_unable_reason(cell):
        yield NOT_JUDGED, NOT_JUDGED_MESSAGE.format(read_unable_reason(cell))
    elif invalid := find_invalid_points(cell):
        yield INVALID_POINTS, INVALID_POINTS_MESSAGE.format(invalid)
    elif ending and (limit := read_limit(cell)):
        yield LIMIT_REACHED if ending == FAILED else ending, f"{limit[0].upper()}{limit[1:]}."
    elif ending in (TIMED_OUT, KILLED, GARBLED, NOT_RUN):
        error = find_last_error(cell)
        yield ending, (error and error.evalue) or "The cell did not end in time and was interrupted."
    if cause := read_reference_problem(cell):
        yield UNPROVEN, UNPROVEN_MESSAGE.format(cause)
    if module := read_missing_module(cell):
        yield MISSING_MODULE, MISSING_MODULE_MESSAGE.format(module)
    if has_asked_for_network(cell):
        yield NETWORK, NETWORK_MESSAGE


def write_incidents(path: Path, incidents: Iterable[Incident]) -> None:
    """Write incidents as a JSON list of objects with the fields of Incident."""
    path.write_text(json.dumps([asdict(incident) for incident in incidents], indent=2) + "\n")


def update_incidents(
    path: Path, submissions: Collection[tuple[str, str]], incidents: Iterable[Incident]
) -> None:
    """Replace the incidents of some submissions, given by student and assignment, in the file."""
    others: list[Incident] = []
    with suppress(OSError, ValueError, TypeError):
        found = [Incident(**one) for one in json.loads(path.read_text(encoding="utf-8"))]
        others = [one for one in found if (one.student, one.assignment) not in submissions]
    with write_atomically(path) as new:
        write_incidents(new, [*others, *incidents])
