"""Grades an instructor's own notebook as submissions are graded, and as stock nbgrader does.

`run` is called in a worker process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearOutput
from nbgrader.preprocessors import Execute as StockExecute
from traitlets.config import Config

from gradebox import notebook_metadata
from gradebox.autograde.score import ScoreError, earned, evidence
from gradebox.execute.detect_test_modes import NUMBER
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import Given, lesson_of
from gradebox.notebook import scored_cells
from gradebox.parity.parity_results import Result
from gradebox.printable_text import in_words
from gradebox.sandbox.scratch_folder import WORK, scratch

GRADED, STOCK = "in gradebox", "in stock nbgrader"
# Why a cell did not come to its end, as its record says.
STOPPED = {
    notebook_metadata.TIMED_OUT: "it did not end in time",
    notebook_metadata.KILLED: "it ended its process",
    notebook_metadata.GARBLED: "its process sent what can't be read",
    notebook_metadata.NOT_RUN: "the notebook's time was up before it",
}
# Of each test, by grade_id; or why the notebook could not be run.
Ran = dict[str, Result] | str


@dataclass(frozen=True)
class Task:
    """A notebook to check.

    text: it, as JSON. files: what lies beside it. settings: the sections of the configuration that say how it
    is run. quick: True if stock nbgrader is left out when all tests give all their points in gradebox.
    """

    text: str
    files: Mapping[str, bytes]
    settings: Mapping[str, Any]
    quick: bool = False

    def run(self) -> dict[str, Ran]:
        """Return the results by grader."""
        found: dict[str, Ran] = {}
        for grader, grade in ((GRADED, self.graded), (STOCK, self.in_stock)):
            # The notebook as it was written, without what it has put out.
            nb = ClearOutput()(nbformat.reads(self.text, as_version=4), {})[0]
            most = points_of(nb)
            try:
                results = found[grader] = grade(nb)
            except Exception as error:
                found[grader] = in_words(error)
                continue
            if self.quick and {name: one.points for name, one in results.items()} == most:
                break
        return found

    def graded(self, nb: NotebookNode) -> dict[str, Result]:
        config = Config(self.settings)
        # A solution that is right needs none.
        config.Execute.second_chances = False
        given = Given(lesson_of(self.text), self.files, self.files, NUMBER)
        Execute(config=config).play(nb, given)
        return {name: result_of(cell) for name, cell in scored_cells(nb).items()}

    def in_stock(self, nb: NotebookNode) -> dict[str, Result]:
        """Run nbgrader's own step, in Jupyter's own kernel."""
        known = StockExecute.class_trait_names(config=True)
        of_step = {name: value for name, value in self.settings.get("Execute", {}).items() if name in known}
        step = StockExecute(config=Config({**self.settings, "Execute": of_step}))
        with scratch(self.files) as folder:
            nb = step(nb, {"metadata": {"path": str(folder / WORK)}})[0]
        return {name: result_of(cell, stock=True) for name, cell in scored_cells(nb).items()}


def run(packed: bytes) -> bytes:
    """Run a packed Task. Returns what `Task.run` returns, packed."""
    task: Task = cloudpickle.loads(packed)
    return cloudpickle.dumps(task.run())


def points_of(nb: NotebookNode) -> dict[str, float]:
    """Return the points of each test, by grade_id."""
    return {name: float(cell.metadata.nbgrader.points) for name, cell in scored_cells(nb).items()}


def result_of(cell: NotebookNode, stock: bool = False) -> Result:
    """Return the result of a test in gradebox, or in stock nbgrader."""
    try:
        points = earned(cell if stock else evidence(cell))
    except ScoreError as error:
        return Result(None, str(error).partition(": ")[2])
    said = (
        notebook_metadata.flagged(cell)
        or notebook_metadata.unable(cell)
        or STOPPED.get(notebook_metadata.ending(cell) or "")
    )
    said = said or notebook_metadata.error_in_words(cell)
    noisy = stock and any(output.get("name") == "stderr" for output in cell.outputs)
    return Result(points, said, noisy=noisy and not said)
