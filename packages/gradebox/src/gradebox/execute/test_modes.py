"""Test modes: each test runs in the judge, or in the student's process as in stock nbgrader.

`execute/detect_test_modes.py` determines the modes by running the reference both ways, and `gradebox release`
stores them in the metadata of the notebook in `source/`. Grading runs each test in its recorded mode.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.notebook_exercises import find_grade_id, is_locked_code_cell
from gradebox.notebook_metadata import KEY, read_record

# Tag of tests that run in the student's process at their author's request.
UNJUDGED_TAG = "unjudged"
# Key of the record in gradebox's part of a notebook's metadata, and the version of records. Increase the
# version if the judge loses an operation: records of earlier versions are then created again.
RECORD_KEY, FORMAT_VERSION = "tests", 3
UNJUDGED_REASON = f"it has the tag {UNJUDGED_TAG}"


@dataclass(frozen=True)
class TestMode:
    """Mode of one test.

    handles: True if the test uses handles (see `judge/handle_permission.py`). reason: the reason to run the
    test outside of the judge, as one clause; "" if the test is judged.
    """

    handles: bool = False
    reason: str = ""

    @property
    def judged(self) -> bool:
        return not self.reason


TestModes = Mapping[str, TestMode]


def test_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """Return the locked test cells of a notebook."""
    return (cell for cell in notebook.cells if is_locked_code_cell(cell) and utils.is_grade(cell))


def hash_source(source: NotebookNode) -> str:
    """Return a hash of the parts of a notebook that determine its record."""
    digest = hashlib.sha256(f"{FORMAT_VERSION}".encode())
    for cell in source.cells:
        if cell.cell_type == "code":
            about = [
                find_grade_id(cell),
                is_locked_code_cell(cell),
                utils.is_grade(cell),
                sorted(cell.metadata.get("tags", [])),
            ]
            digest.update(json.dumps([about, cell.source.strip()]).encode())
    return digest.hexdigest()[:16]


def read_modes(source: NotebookNode) -> TestModes | None:
    """Return the recorded modes by grade_id; None without a record, or if the notebook has changed since."""
    record = read_record(source).get(RECORD_KEY)
    if not isinstance(record, dict) or record.get("made_of") != hash_source(source):
        return None
    return parse_modes(record.get("tests", {}))


def parse_modes(said: Mapping[str, Any]) -> dict[str, TestMode]:
    return {
        name: TestMode(one.get("handles") is True, str(one.get("in-process", "")))
        for name, one in said.items()
    }


def build_record(source: NotebookNode, modes: TestModes) -> dict[str, Any]:
    """Return the record of a notebook for its metadata."""
    tests = {
        name: ({"handles": True} if one.handles else {}) | ({"in-process": one.reason} if one.reason else {})
        for name, one in modes.items()
    }
    return {"made_of": hash_source(source), "tests": tests}


def put_record(source: NotebookNode, record: Mapping[str, Any]) -> None:
    """Put a record into a notebook's metadata, in place."""
    source.metadata[KEY] = {**read_record(source), RECORD_KEY: dict(record)}


def drop_record(notebook: NotebookNode) -> bool:
    """Remove the record from a notebook's metadata. Return True if a record was removed."""
    about = read_record(notebook)
    found = about.pop(RECORD_KEY, None) is not None
    if found and not about:
        del notebook.metadata[KEY]
    return found


def find_in_process_tests(source: NotebookNode) -> dict[str, str]:
    """Return the reasons of the tests that run in the student's process, by grade_id."""
    record = read_record(source).get(RECORD_KEY, {})
    found = {name: one.reason for name, one in parse_modes(record.get("tests", {})).items() if not one.judged}
    for cell in test_cells(source):
        if UNJUDGED_TAG in cell.metadata.get("tags", []):
            found[find_grade_id(cell) or ""] = UNJUDGED_REASON
    return found
