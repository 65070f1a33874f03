"""Grades an instructor's own notebook in three ways: with the judge, without it, as stock nbgrader does."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearOutput
from nbgrader.preprocessors import Execute as StockExecute
from traitlets.config import Config

from gradebox import record
from gradebox.grade.score import ScoreError, earned, evidence
from gradebox.kernels.scratch import WORK, scratch
from gradebox.notebook import grade_id
from gradebox.run.execute import Execute
from gradebox.run.lesson import Given, lesson_of
from gradebox.words import in_words

JUDGED, PLAIN, STOCK = "with the judge", "without the judge", "in stock nbgrader"
# The number that tests may draw from (see `secret.py`): there is no student who has one.
NUMBER = 0x9E3779B97F4A7C15
# Why a cell did not come to its end, as its record says.
STOPPED = {
    record.TIMED_OUT: "it did not end in time",
    record.KILLED: "it ended its process",
    record.GARBLED: "its process sent what can't be read",
    record.NOT_RUN: "the notebook's time was up before it",
}
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Came:
    """What came of a test.

    points: None if nbgrader has none for what it put out. said: why it has lost points, in one clause; None
    if nothing says so. unable: why it could not be judged, if that was so. noisy: whether text on stderr is
    all that speaks against it.
    """

    points: float | None
    said: str | None = None
    unable: str | None = None
    noisy: bool = False


# Of each test, by grade_id; or why the notebook could not be run.
Ran = dict[str, Came] | str


@dataclass(frozen=True)
class Task:
    """A notebook that is to be checked.

    text: it, as JSON. files: what lies beside it. settings: the sections of the configuration that say how it
    is run. isolation: the level for each of gradebox's ways (see `run/isolation.py`). ways: in which it is
    graded, one after the other. enough: whether the first is, if it gives all points.
    """

    text: str
    files: Mapping[str, bytes]
    settings: Mapping[str, Any]
    isolation: Mapping[str, str]
    ways: tuple[str, ...] = (JUDGED, PLAIN, STOCK)
    enough: bool = False

    def packed(self) -> bytes:
        return cloudpickle.dumps(self)

    def run(self) -> dict[str, Ran]:
        """What came of the notebook in each way."""
        found: dict[str, Ran] = {}
        for way in self.ways:
            try:
                found[way] = self.graded(way)
            except Exception as error:
                found[way] = in_words(error)
            if self.enough and full(found[way], tests(self.notebook())):
                break
        return found

    def notebook(self) -> NotebookNode:
        """The notebook as it was written, without what it has put out."""
        return ClearOutput()(nbformat.reads(self.text, as_version=4), {})[0]

    def graded(self, way: str) -> dict[str, Came]:
        nb = self.notebook()
        if way == STOCK:
            return {name: came_of(cell) for name, cell in self.in_stock(nb).items()}
        config = Config(self.settings)
        config.Execute.isolation = self.isolation[way]
        # A solution that is right needs none.
        config.Execute.second_chances = False
        given = Given(lesson_of(self.text), self.files, self.files, NUMBER)
        Execute(config=config).play(nb, given)
        return {name: came_of_played(cell) for name, cell in tests(nb).items()}

    def in_stock(self, nb: NotebookNode) -> dict[str, NotebookNode]:
        """The tests after nbgrader's own step has run the notebook, in Jupyter's own kernel."""
        known = StockExecute.class_trait_names(config=True)
        of_step = {name: value for name, value in self.settings.get("Execute", {}).items() if name in known}
        step = StockExecute(config=Config({**self.settings, "Execute": of_step}))
        with scratch(self.files) as folder:
            nb = step(nb, {"metadata": {"path": str(folder / WORK)}})[0]
        return tests(nb)


def run(packed: bytes) -> bytes:
    """Run a packed Task. Returns what `Task.run` does, packed."""
    task: Task = cloudpickle.loads(packed)
    return cloudpickle.dumps(task.run())


def tests(nb: NotebookNode) -> dict[str, NotebookNode]:
    """The cells that a program scores, by grade_id."""
    graded = [cell for cell in nb.cells if utils.is_grade(cell) and not utils.is_solution(cell)]
    return {grade_id(cell): cell for cell in graded if cell.cell_type == "code"}


def full(ran: Ran, cells: Mapping[str, NotebookNode]) -> bool:
    """Whether each test gives all its points."""
    most = {name: float(cell.metadata.nbgrader.points) for name, cell in cells.items()}
    return not isinstance(ran, str) and {name: came.points for name, came in ran.items()} == most


def came_of(cell: NotebookNode) -> Came:
    """What came of a test in stock nbgrader."""
    try:
        points = earned(cell)
    except ScoreError as error:
        return Came(None, str(error).partition(": ")[2])
    return Came(points, error_of(cell), noisy=error_of(cell) is None and is_noisy(cell))


def came_of_played(cell: NotebookNode) -> Came:
    """What came of a test in gradebox."""
    try:
        points = earned(evidence(cell))
    except ScoreError as error:
        return Came(None, str(error).partition(": ")[2])
    said = record.flagged(cell) or STOPPED.get(record.ending(cell) or "") or error_of(cell)
    return Came(points, said, record.unable(cell))


def error_of(cell: NotebookNode) -> str | None:
    """The error that a cell ended with, in one line."""
    error = record.last_error(cell)
    if error is None:
        return None
    lines: Iterator[str] = filter(None, map(str.strip, error.evalue.splitlines()))
    return ": ".join(filter(None, (error.ename, next(lines, ""))))


def is_noisy(cell: NotebookNode) -> bool:
    return any(output.get("name") == "stderr" for output in cell.outputs)
