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

from gradebox.atomic_write import in_one_step
from gradebox.execute.execution_settings import Settings
from gradebox.execute.lesson import Given, Lesson
from gradebox.execute.notebook_runner import Player
from gradebox.execute.test_modes import TestMode, made_of, modes_of, put_record, record_of
from gradebox.judge.kernel_commands import NEEDED
from gradebox.judge.required_operations import Needs
from gradebox.notebook import is_instructors, name_of, reference
from gradebox.notebook_metadata import OK, TIMED_OUT, ending, error_in_words, unable

# The records of notebooks whose source has none, in the course's folder; nobody is named in it.
FILE = ".gradebox_tests.json"
# Records that the file keeps.
MOST = 1000
# The number that tests may draw from (see `course_secret.py`): no student has it.
NUMBER = 0x9E3779B97F4A7C15
# Runs of the reference after which all tests that still differ run in the student's process.
ROUNDS = 4
# Seconds for a cell if the course sets no limit, and the factor by which its limits are longer here.
LONGEST, PATIENCE = 600, 4
Outcome = tuple[bool, str | None]


class Recorder:
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
        tests = [name_of(cell) or "" for cell in test_cells(self.source)]
        stock = self.outcomes(self.source, "none")
        for last in range(ROUNDS):
            found = self.outcomes(self.source, "judge", recording=True)
            if not self.differ(stock, found, everything=last == ROUNDS - 2):
                break
        # What students get: a judge that enforces the record, with the reference and with nothing filled in.
        empty = self.emptied()
        for notebook, plain in ((self.source, stock), (empty, self.outcomes(empty, "none"))):
            while self.differ(plain, self.outcomes(notebook, "judge")):
                pass
        return {name: TestMode(self.needs.get(name, Needs()), self.outside.get(name, "")) for name in tests}

    def differ(
        self, stock: Mapping[str, NotebookNode], judged: Mapping[str, NotebookNode], everything: bool = False
    ) -> bool:
        """Run tests outside of the judge from now on that have another outcome there. Returns True if any do.

        Where one of them still has another outcome outside, the tests before it run there, too. everything:
        whether all tests do.
        """
        differing = [name for name, cell in stock.items() if outcome(cell) != outcome(judged[name])]
        found = {name: why(judged[name]) for name in differing}
        still = [name for name in differing if name in self.outside]
        names, later = [*stock], "a later test depends on it"
        last = len(names) if everything and differing else names.index(still[-1]) if still else 0
        found = dict.fromkeys(names[:last], later) | found
        new = {name: reason for name, reason in found.items() if name not in self.outside}
        self.outside |= new
        return bool(new)

    def outcomes(
        self, notebook: NotebookNode, isolation: str, recording: bool = False
    ) -> dict[str, NotebookNode]:
        """Return the tests of a notebook after a run, by grade_id."""
        notebook, source = deepcopy(notebook), deepcopy(self.source)
        modes = {name: TestMode(reason=reason) for name, reason in self.outside.items()}
        modes |= {name: TestMode(needs) for name, needs in self.needs.items() if name not in modes}
        put_record(source, record_of(source, modes))
        settings = Settings(config=Config(self.settings))
        settings.isolation, settings.second_chances, settings.draw = isolation, False, False
        # A busy machine must not decide where a test runs.
        settings.notebook_timeout *= PATIENCE
        own = Settings(config=Config(self.settings))

        def seconds(cell: NotebookNode) -> float:
            patience = 1 if cell.source in self.endless else PATIENCE
            return (own._get_timeout(cell) or LONGEST) * patience

        settings.timeout_func = seconds
        lesson = Lesson(source, recording)
        settings.texts = lesson.texts
        Player(settings, Given(lesson, self.files, self.files, NUMBER), contained=False).play(notebook)
        self.endless |= {cell.source for cell in notebook.cells if ending(cell) == TIMED_OUT}
        cells = {name_of(cell) or "": cell for cell in test_cells(notebook)}
        if recording:
            self.needs = {name: needs for name, cell in cells.items() if (needs := needed(cell)) is not None}
        return cells

    def emptied(self) -> NotebookNode:
        """Return the notebook with all solution cells empty."""
        notebook, solutions = deepcopy(self.source), reference(self.source)
        for cell in notebook.cells:
            if name_of(cell) in solutions:
                cell.source = ""
        return notebook


def test_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if is_instructors(cell) and utils.is_grade(cell))


def outcome(cell: NotebookNode) -> Outcome:
    """Return whether a test has passed, and its partial credit."""
    values = [one.data.get("text/plain") for one in cell.outputs if one.output_type == "execute_result"]
    return ending(cell) == OK, values[0] if values else None


def why(cell: NotebookNode) -> str:
    """Return why a test has another outcome in the judge, in one clause."""
    error, said = error_in_words(cell), unable(cell)
    if said or error is None:
        return said or "it has another result in the judge"
    return f"in the judge it ends with {error}"[:200]


def needed(cell: NotebookNode) -> Needs | None:
    """Return what a judge has recorded of a test in its output."""
    texts = [one.text for one in cell.outputs if one.output_type == "stream" and one.name == "stdout"]
    lines = [line for text in texts for line in text.splitlines() if line.startswith(NEEDED)]
    return Needs(json.loads(lines[-1].removeprefix(NEEDED))) if lines else None


def with_known_record(source: NotebookNode, root: Path) -> NotebookNode:
    """Return an instructor's notebook with its record, if there is one; nothing is run."""
    if modes_of(source) is None and (kept := in_file(root).get(made_of(source))):
        put_record(source, kept)
    return source


def in_file(root: Path) -> dict[str, Any]:
    """Return the records in a course's folder, by hash of their notebook."""
    with suppress(OSError, ValueError):
        found = json.loads((root / FILE).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def recorded(text: str, root: Path, settings: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """Return an instructor's notebook, as JSON, with a record of its tests that is up to date.

    It is taken from the notebook's own metadata or from the course's file; otherwise it is made now and kept
    there.
    """
    source = nbformat.reads(text, as_version=4)
    if modes_of(source) is not None:
        return text
    kept, key = in_file(root), made_of(source)
    if key not in kept:
        kept[key] = record_of(source, Recorder(source, settings, files).record())
        kept = dict([*kept.items()][-MOST:])
        # In a folder that can't be written, it is made again next time.
        with suppress(OSError), in_one_step(root / FILE) as new:
            new.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    put_record(source, kept[key])
    return nbformat.writes(source)
