"""Grade an instructor's own notebook with gradebox and with stock nbgrader.

If a test loses points only in gradebox, a third run without the sandbox shows if the sandbox is the cause.
`run_check.py` calls `run_check_task` in a worker process.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearOutput
from nbgrader.preprocessors import Execute as StockExecute
from traitlets.config import Config

from gradebox import notebook_metadata
from gradebox.autograde.partial_credit import find_invalid_points
from gradebox.autograde.score import compute_points
from gradebox.execute.detect_limits import find_near_time_limits
from gradebox.execute.detect_test_modes import RECORDING_SECRET
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, parse_lesson
from gradebox.execute.notebook_runner import GRADING_ERROR
from gradebox.notebook_exercises import scored_cells
from gradebox.parity.parity_results import GraderResult
from gradebox.printable_text import format_exception
from gradebox.sandbox.scratch_folder import WORK_FOLDER, create_scratch_folder

IN_GRADEBOX, IN_NBGRADER, WITHOUT_SANDBOX = "in gradebox", "in stock nbgrader", "without a sandbox"
# Reasons why a test did not finish, by the ending in the cell's record, if no error has the reason.
STOP_REASONS = {
    notebook_metadata.TIMED_OUT: "the test did not end in time",
    notebook_metadata.KILLED: "the test ended its process",
    notebook_metadata.GARBLED: "the test's process sent a malformed message",
    notebook_metadata.NOT_RUN: "the notebook's time limit was reached before the test",
}
# File name in the message of a SyntaxError, which differs from run to run.
CELL_FILE_NAME = re.compile(r" \((?:<ipython-input-[^>]*>|\d+\.py), (line \d+)\)$")
# The results of the tests by grade_id, or an error message if the notebook could not be run.
GraderOutcome = dict[str, GraderResult] | str


@dataclass(frozen=True)
class CheckTaskResult:
    """The outcomes by grader, and the time limits that the solution is near to, one clause each."""

    outcomes: dict[str, GraderOutcome]
    near_limits: list[str]


@dataclass(frozen=True)
class CheckTask:
    """A notebook to check.

    text: the notebook as JSON. files: the files next to the notebook. settings: the configuration sections
    for its execution. quick: True to skip stock nbgrader when all tests give full points in gradebox.
    """

    text: str
    files: Mapping[str, bytes]
    settings: Mapping[str, Any]
    quick: bool = False

    def run(self) -> CheckTaskResult:
        """Run the notebook in each grader."""
        found: dict[str, GraderOutcome] = {}
        near: list[str] = []
        graders = ((IN_GRADEBOX, lambda nb: self.graded(nb, near)), (IN_NBGRADER, self.run_in_nbgrader))
        for grader, grade in graders:
            # Discard the outputs in the source notebook.
            nb = ClearOutput()(nbformat.reads(self.text, as_version=4), {})[0]
            most = read_max_points(nb)
            try:
                results = found[grader] = grade(nb)
            except Exception as error:
                found[grader] = format_exception(error)
                continue
            if self.quick and {name: one.points for name, one in results.items()} == most:
                break
        graded, stock = found.get(IN_GRADEBOX), found.get(IN_NBGRADER)
        if isinstance(graded, dict) and isinstance(stock, dict) and find_losses(graded, stock):
            nb = ClearOutput()(nbformat.reads(self.text, as_version=4), {})[0]
            with suppress(Exception):
                found[WITHOUT_SANDBOX] = self.graded(nb, [], contained=False)
        return CheckTaskResult(found, near)

    def graded(self, nb: NotebookNode, near: list[str], contained: bool = True) -> dict[str, GraderResult]:
        """Run the notebook in gradebox and return the result of each test.

        near: list to which the time limits are added that the notebook is near to. contained: False to run
        without the sandbox.
        """
        config = Config(self.settings)
        if not contained:
            config.Execute.isolation = "judge"
        # A right solution needs no second chance.
        config.Execute.second_chances = False
        given = ExecutionInputs(parse_lesson(self.text), self.files, self.files, RECORDING_SECRET)
        execute = Execute(config=config)
        near += find_near_time_limits(execute, nb, execute.execute_in_place(nb, given))
        return {name: read_test_result(cell) for name, cell in scored_cells(nb).items()}

    def run_in_nbgrader(self, nb: NotebookNode) -> dict[str, GraderResult]:
        """Run nbgrader's Execute preprocessor with a Jupyter kernel and return the result of each test."""
        known = StockExecute.class_trait_names(config=True)
        of_step = {name: value for name, value in self.settings.get("Execute", {}).items() if name in known}
        step = StockExecute(config=Config({**self.settings, "Execute": of_step}))
        with create_scratch_folder(self.files) as folder:
            nb = step(nb, {"metadata": {"path": str(folder / WORK_FOLDER)}})[0]
        return {name: read_test_result(cell, stock=True) for name, cell in scored_cells(nb).items()}


def run_check_task(packed: bytes) -> bytes:
    """Run a pickled CheckTask and return its pickled result."""
    task: CheckTask = cloudpickle.loads(packed)
    return cloudpickle.dumps(task.run())


def find_losses(graded: Mapping[str, GraderResult], stock: Mapping[str, GraderResult]) -> list[str]:
    """Return the tests with fewer points in gradebox than in stock nbgrader, by grade_id."""
    return [name for name, one in stock.items() if (graded[name].points or 0) < (one.points or 0)]


def read_max_points(nb: NotebookNode) -> dict[str, float]:
    """Return the maximum points of each test, by grade_id."""
    return {name: float(cell.metadata.nbgrader.points) for name, cell in scored_cells(nb).items()}


def read_test_result(cell: NotebookNode, stock: bool = False) -> GraderResult:
    """Return the result of an executed test cell. stock: True if stock nbgrader executed the cell."""
    if invalid := find_invalid_points(cell):
        return GraderResult(None, invalid)
    try:
        points = utils.determine_grade(cell)[0] if stock else compute_points(cell)
    except (ValueError, KeyError):
        return GraderResult(None, "stock nbgrader can't score the last value")
    said = (
        notebook_metadata.read_flag(cell)
        or notebook_metadata.read_unable_reason(cell)
        or format_ending(cell)
        or notebook_metadata.format_last_error(cell)
    )
    noisy = stock and any(output.get("name") == "stderr" for output in cell.outputs)
    return GraderResult(points, said and CELL_FILE_NAME.sub(r" (\1)", said), noisy=noisy and not said)


def format_ending(cell: NotebookNode) -> str | None:
    """Return the reason why gradebox ended a test, in one clause; None if the test has ended by itself."""
    ended = STOP_REASONS.get(notebook_metadata.read_ending(cell) or "")
    error = notebook_metadata.find_last_error(cell)
    if ended and error and error.ename == GRADING_ERROR:
        return str(error.evalue).partition(";")[0].rstrip(".").replace("This cell", "the test", 1)
    return ended
