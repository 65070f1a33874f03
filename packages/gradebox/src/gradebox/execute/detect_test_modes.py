"""Find out where each test of a notebook runs: in the judge, or in one process with the student's code.

The reference is run both ways, and the results are compared.
`gradebox release` writes the result into the notebook in `source/`. For a course that does not release with
gradebox, the first grading does the same and keeps the result in a file of the course.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearOutput
from traitlets.config import Config

from gradebox.atomic_write import write_atomically
from gradebox.execute.execution_settings import Settings
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.execute.notebook_runner import NotebookRunner
from gradebox.execute.test_modes import TestMode, build_record, hash_source, put_record, read_modes
from gradebox.judge.kernel_commands import NEEDS_PREFIX
from gradebox.judge.required_operations import Needs
from gradebox.notebook import extract_reference_solutions, find_grade_id, is_locked_code_cell
from gradebox.notebook_metadata import OK, TIMED_OUT, format_last_error, read_ending, read_unable_reason

# The records of notebooks whose source has none, in the course's folder; nobody is named in it.
RECORDS_FILE = ".gradebox_tests.json"
# Records that the file keeps.
MAX_RECORDS = 1000
# The number that tests may draw from (see `course_secret.py`): no student has it.
RECORDING_SECRET = 0x9E3779B97F4A7C15
# Runs of the reference after which all tests that still differ run in the student's process.
MAX_ROUNDS = 4
# Seconds for a cell if the course sets no limit, and the factor by which its limits are longer here.
DEFAULT_CELL_TIMEOUT, TIMEOUT_FACTOR = 600, 4
TestOutcome = tuple[bool, str | None]


class TestModeRecorder:
    """Runs one notebook. settings: the course's own, for Execute. files: those beside the notebook."""

    def __init__(self, source: NotebookNode, settings: Mapping[str, Any], files: Mapping[str, bytes]):
        self.source = ClearOutput()(deepcopy(source), {})[0]
        self.settings, self.files = settings, files
        self.outside: dict[str, str] = {}
        self.needs: dict[str, Needs] = {}
        # Cells that did not end in their time once.
        self.endless: set[str] = set()

    def record(self) -> dict[str, TestMode]:
        """Return the mode of each test by grade_id."""
        tests = [find_grade_id(cell) or "" for cell in test_cells(self.source)]
        stock = self.run_tests(self.source, "none")
        for last in range(MAX_ROUNDS):
            found = self.run_tests(self.source, "judge", recording=True)
            if not self.unjudge_differing_tests(stock, found, everything=last == MAX_ROUNDS - 2):
                break
        # What students get: a judge that enforces the record, with the reference and with nothing filled in.
        empty = self.remove_solutions()
        for notebook, plain in ((self.source, stock), (empty, self.run_tests(empty, "none"))):
            while self.unjudge_differing_tests(plain, self.run_tests(notebook, "judge")):
                pass
        return {name: TestMode(self.needs.get(name, Needs()), self.outside.get(name, "")) for name in tests}

    def unjudge_differing_tests(
        self, stock: Mapping[str, NotebookNode], judged: Mapping[str, NotebookNode], everything: bool = False
    ) -> bool:
        """Run tests outside of the judge from now on that have another outcome there. Returns True if any do.

        Where one of them still has another outcome outside, the tests before it run there, too. everything:
        whether all tests do.
        """
        differing = [name for name, cell in stock.items() if read_outcome(cell) != read_outcome(judged[name])]
        found = {name: explain_difference(judged[name]) for name in differing}
        still = [name for name in differing if name in self.outside]
        names, later = [*stock], "a later test depends on it"
        last = len(names) if everything and differing else names.index(still[-1]) if still else 0
        found = dict.fromkeys(names[:last], later) | found
        new = {name: reason for name, reason in found.items() if name not in self.outside}
        self.outside |= new
        return bool(new)

    def run_tests(
        self, notebook: NotebookNode, isolation: str, recording: bool = False
    ) -> dict[str, NotebookNode]:
        """Return the tests of a notebook after a run, by grade_id."""
        notebook, source = deepcopy(notebook), deepcopy(self.source)
        modes = {name: TestMode(reason=reason) for name, reason in self.outside.items()}
        modes |= {name: TestMode(needs) for name, needs in self.needs.items() if name not in modes}
        put_record(source, build_record(source, modes))
        settings = Settings(config=Config(self.settings))
        settings.isolation, settings.second_chances, settings.draw = isolation, False, False
        # A busy machine must not decide where a test runs.
        settings.notebook_timeout *= TIMEOUT_FACTOR
        own = Settings(config=Config(self.settings))

        def seconds(cell: NotebookNode) -> float:
            patience = 1 if cell.source in self.endless else TIMEOUT_FACTOR
            return (own._get_timeout(cell) or DEFAULT_CELL_TIMEOUT) * patience

        settings.timeout_func = seconds
        lesson = Lesson(source, recording)
        settings.texts = lesson.texts
        NotebookRunner(
            settings, ExecutionInputs(lesson, self.files, self.files, RECORDING_SECRET), contained=False
        ).execute_in_place(notebook)
        self.endless |= {cell.source for cell in notebook.cells if read_ending(cell) == TIMED_OUT}
        cells = {find_grade_id(cell) or "": cell for cell in test_cells(notebook)}
        if recording:
            self.needs = {
                name: needs for name, cell in cells.items() if (needs := parse_needs(cell)) is not None
            }
        return cells

    def remove_solutions(self) -> NotebookNode:
        """Return the notebook with all solution cells empty."""
        notebook, solutions = deepcopy(self.source), extract_reference_solutions(self.source)
        for cell in notebook.cells:
            if find_grade_id(cell) in solutions:
                cell.source = ""
        return notebook


def test_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if is_locked_code_cell(cell) and utils.is_grade(cell))


def read_outcome(cell: NotebookNode) -> TestOutcome:
    """Return whether a test has passed, and its partial credit."""
    values = [one.data.get("text/plain") for one in cell.outputs if one.output_type == "execute_result"]
    return read_ending(cell) == OK, values[0] if values else None


def explain_difference(cell: NotebookNode) -> str:
    """Return why a test has another outcome in the judge, in one clause."""
    error, said = format_last_error(cell), read_unable_reason(cell)
    if said or error is None:
        return said or "it has another result in the judge"
    return f"in the judge it ends with {error}"[:200]


def parse_needs(cell: NotebookNode) -> Needs | None:
    """Return what a judge has recorded of a test in its output."""
    texts = [one.text for one in cell.outputs if one.output_type == "stream" and one.name == "stdout"]
    lines = [line for text in texts for line in text.splitlines() if line.startswith(NEEDS_PREFIX)]
    return Needs(json.loads(lines[-1].removeprefix(NEEDS_PREFIX))) if lines else None


def attach_known_record(source: NotebookNode, root: Path) -> NotebookNode:
    """Return an instructor's notebook with its record, if there is one; nothing is run."""
    if read_modes(source) is None and (kept := read_records(root).get(hash_source(source))):
        put_record(source, kept)
    return source


def read_records(root: Path) -> dict[str, Any]:
    """Return the records in a course's folder, by hash of their notebook."""
    with suppress(OSError, ValueError):
        found = json.loads((root / RECORDS_FILE).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def ensure_record(text: str, root: Path, settings: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """Return an instructor's notebook, as JSON, with a record of its tests that is up to date.

    It is taken from the notebook's own metadata or from the course's file; otherwise it is made now and kept
    there.
    """
    source = nbformat.reads(text, as_version=4)
    if read_modes(source) is not None:
        return text
    kept, key = read_records(root), hash_source(source)
    if key not in kept:
        kept[key] = build_record(source, TestModeRecorder(source, settings, files).record())
        kept = dict([*kept.items()][-MAX_RECORDS:])
        # In a folder that can't be written, it is made again next time.
        with suppress(OSError), write_atomically(root / RECORDS_FILE) as new:
            new.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    put_record(source, kept[key])
    return nbformat.writes(source)
