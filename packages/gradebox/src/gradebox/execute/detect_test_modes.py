"""Determine the mode of each test of a notebook: in the judge, or in the student's process.

The reference is run both ways, and the results are compared. Both ways use the course's sandbox, because only
there do the two processes have separate folders for temporary files. Tests that measure time always run in
the student's process: the load of the machine must not decide.

`gradebox release` writes the result into the notebook in `source/`. For a course that does not release with
gradebox, the first grading does the same and keeps the result in a file of the course.
"""

import builtins
import json
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearOutput
from traitlets.config import Config

from gradebox.atomic_write import write_atomically
from gradebox.execute.execution_settings import Settings
from gradebox.execute.isolation import IsolationError
from gradebox.execute.kernel_specs import find_interpreter
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.execute.notebook_runner import NotebookRunner
from gradebox.execute.test_modes import (
    TestMode,
    build_record,
    hash_source,
    put_record,
    read_modes,
    test_cells,
)
from gradebox.execute.timed_tests import LATER_REASON, TIMED_REASON, find_timed_tests
from gradebox.judge.code_run_in_kernels import USES_HANDLES_PREFIX
from gradebox.kernel.zygote_client import can_fork_kernels
from gradebox.notebook_exercises import extract_reference_solutions, find_grade_id
from gradebox.notebook_metadata import (
    OK,
    TIMED_OUT,
    find_last_error,
    format_last_error,
    read_ending,
    read_unable_reason,
)

# File in the course's folder with the records of notebooks whose metadata has none. It names no students.
RECORDS_FILE = ".gradebox_tests.json"
# Number of records that the file keeps.
MAX_RECORDS = 1000
# Value of `course_secret` (see `course_secret.py`) while tests are recorded; no student has the same.
RECORDING_SECRET = 0x9E3779B97F4A7C15
# Runs of the reference. If any test still differs in the last run but one, no test is judged.
MAX_ROUNDS = 4
# Seconds for a cell if the course sets no limit, and the factor that extends all limits here.
DEFAULT_CELL_TIMEOUT, TIMEOUT_FACTOR = 600, 4
TestOutcome = tuple[bool, str | None]


class TestModeRecorder:
    """A recorder that runs one notebook to find the mode of each test.

    settings: the course's traits of Execute. files: the contents of the files beside the notebook, by
    relative path.
    """

    def __init__(self, source: NotebookNode, settings: Mapping[str, Any], files: Mapping[str, bytes]):
        self.source = ClearOutput()(deepcopy(source), {})[0]
        self.settings, self.files = settings, files
        self.outside = find_timed_tests(self.source)
        # Whether each test uses handles.
        self.handles: dict[str, bool] = {}
        # Sources of cells that have exceeded their time limit.
        self.endless: set[str] = set()

    def record(self) -> dict[str, TestMode]:
        """Return the mode of each test by grade_id."""
        tests = [find_grade_id(cell) or "" for cell in test_cells(self.source)]
        stock = self.run_tests(self.source, "none")
        for last in range(MAX_ROUNDS):
            found = self.run_tests(self.source, "judge", recording=True)
            if not self.unjudge_differing_tests(stock, found, everything=last == MAX_ROUNDS - 2):
                break
        # Check with a judge that enforces the record, as in grading: with and without the solutions.
        empty = self.remove_solutions()
        for notebook, plain in ((self.source, stock), (empty, self.run_tests(empty, "none"))):
            while self.unjudge_differing_tests(plain, self.run_tests(notebook, "judge")):
                pass
        return {name: TestMode(self.handles.get(name, False), self.outside.get(name, "")) for name in tests}

    def unjudge_differing_tests(
        self, stock: Mapping[str, NotebookNode], judged: Mapping[str, NotebookNode], everything: bool = False
    ) -> bool:
        """Move tests whose outcomes differ out of the judge. Return True if any test was moved.

        If the outcome of a moved test still differs, all tests before that test are moved, too. everything:
        if True, and any outcome differs, move all tests.
        """
        timed = {name for name, reason in self.outside.items() if reason == TIMED_REASON}
        differing = [
            name
            for name, cell in stock.items()
            if read_outcome(cell, name in timed) != read_outcome(judged[name], name in timed)
        ]
        found = {name: explain_difference(judged[name]) for name in differing}
        still = [name for name in differing if name in self.outside]
        names = [*stock]
        last = len(names) if everything and differing else names.index(still[-1]) if still else 0
        found = dict.fromkeys(names[:last], LATER_REASON) | found
        new = {name: reason for name, reason in found.items() if name not in self.outside}
        self.outside |= new
        return bool(new)

    def run_tests(
        self, notebook: NotebookNode, isolation: str, recording: bool = False
    ) -> dict[str, NotebookNode]:
        """Run a notebook and return its test cells after the run, by grade_id."""
        notebook, source = deepcopy(notebook), deepcopy(self.source)
        modes = {name: TestMode(reason=reason) for name, reason in self.outside.items()}
        modes |= {name: TestMode(handles) for name, handles in self.handles.items() if name not in modes}
        put_record(source, build_record(source, modes))
        lesson = Lesson(source, recording)
        settings, own = Settings(config=Config(self.settings)), Settings(config=Config(self.settings))
        settings.isolation, settings.second_chances, settings.draw = isolation, False, False
        # The load of this machine must not affect the mode of a test.
        settings.notebook_timeout *= TIMEOUT_FACTOR
        settings.texts = own.texts = lesson.texts

        def seconds(cell: NotebookNode) -> float:
            patience = 1 if cell.source in self.endless else TIMEOUT_FACTOR
            return (own.find_cell_timeout(cell) or DEFAULT_CELL_TIMEOUT) * patience

        settings.timeout_func = seconds
        given = ExecutionInputs(lesson, self.files, self.files, RECORDING_SECRET)
        NotebookRunner(settings, given, can_be_contained(own, notebook)).execute_in_place(notebook)
        self.endless |= {cell.source for cell in notebook.cells if read_ending(cell) == TIMED_OUT}
        cells = {find_grade_id(cell) or "": cell for cell in test_cells(notebook)}
        if recording:
            self.handles = {name: printed_use_of_handles(cell) for name, cell in cells.items()}
        return cells

    def remove_solutions(self) -> NotebookNode:
        """Return the notebook with all solution cells empty."""
        notebook, solutions = deepcopy(self.source), extract_reference_solutions(self.source)
        for cell in notebook.cells:
            if find_grade_id(cell) in solutions:
                cell.source = ""
        return notebook


def can_be_contained(settings: Settings, notebook: NotebookNode) -> bool:
    """Return True if this machine can run a notebook in a sandbox, and the course asks for one."""
    try:
        forks = can_fork_kernels() and find_interpreter(settings, notebook) is not None
        return forks and settings.in_force().contained
    except IsolationError:
        return False


def read_outcome(cell: NotebookNode, timed: bool) -> TestOutcome:
    """Return a test's outcome: True if the test has passed, and its partial credit.

    timed: True if the test measures time. A comparison of times may fail on a busy machine, so a failed
    assertion counts as passed.
    """
    error = find_last_error(cell)
    if timed and (error.ename == "AssertionError" if error else read_ending(cell) == OK):
        return True, None
    values = [one.data.get("text/plain") for one in cell.outputs if one.output_type == "execute_result"]
    return read_ending(cell) == OK, values[0] if values else None


def explain_difference(cell: NotebookNode) -> str:
    """Return the reason for a different outcome in the judge, as one clause."""
    error, said = find_last_error(cell), read_unable_reason(cell)
    kind = getattr(builtins, error.ename, None) if error else None
    if not said and isinstance(kind, type) and issubclass(kind, OSError):
        return f"it needs files of the student's process ({kind.__name__})"
    if said or error is None:
        return said or "it has another result in the judge"
    return f"in the judge it ends with {format_last_error(cell)}"[:200]


def printed_use_of_handles(cell: NotebookNode) -> bool:
    """Return True if the judge has printed that a test uses handles."""
    texts = [one.text for one in cell.outputs if one.output_type == "stream" and one.name == "stdout"]
    lines = [line for text in texts for line in text.splitlines() if line.startswith(USES_HANDLES_PREFIX)]
    return bool(lines) and json.loads(lines[-1].removeprefix(USES_HANDLES_PREFIX)) is True


def attach_known_record(source: NotebookNode, root: Path) -> NotebookNode:
    """Return an instructor's notebook after adding its record from the course's folder, in place.

    Nothing is run. A notebook without a known record stays unchanged.
    """
    if read_modes(source) is None and (kept := read_records(root).get(hash_source(source))):
        put_record(source, kept)
    return source


def read_records(root: Path) -> dict[str, Any]:
    """Return the records in a course's folder by the hash of their notebook; empty if unreadable."""
    with suppress(OSError, ValueError):
        found = json.loads((root / RECORDS_FILE).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def ensure_record(text: str, root: Path, settings: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """Return an instructor's notebook, as JSON, with an up-to-date record of its tests.

    The record comes from the notebook's metadata or from the course's file. If both lack a current record,
    create one by running the notebook, and store it in the file.
    """
    source = nbformat.reads(text, as_version=4)
    if read_modes(source) is not None:
        return text
    kept, key = read_records(root), hash_source(source)
    interpreter = find_interpreter(Settings(config=Config(settings)), source)
    if interpreter and not interpreter.is_own:
        # The same test can differ in another environment.
        key += f" {interpreter.version} {interpreter.packages}"
    if key not in kept:
        kept[key] = build_record(source, TestModeRecorder(source, settings, files).record())
        kept = dict([*kept.items()][-MAX_RECORDS:])
        # In a read-only folder, the record is created again next time.
        with suppress(OSError), write_atomically(root / RECORDS_FILE) as new:
            new.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    put_record(source, kept[key])
    return nbformat.writes(source)
