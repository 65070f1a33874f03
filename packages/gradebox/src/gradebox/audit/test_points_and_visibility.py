"""Test cells of an audited notebook: the points that they give, and the parts that students see."""

import re
from collections.abc import Iterable

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.answer_tasks import ENDLESS, AnswerTaskResult, CellOutcome
from gradebox.autograde.score import compute_points
from gradebox.notebook_exercises import find_hidden_lines, get_grade_id, remove_hidden_lines
from gradebox.notebook_metadata import FAILED, OK, record_ending
from gradebox.reports.redact_failures import extract_first_line

# A number with a decimal point or an exponent, nan, inf, or a shape.
FRACTION_OR_SHAPE = re.compile(r"\d+\.\d*|\d+e[+-]?\d+|\(\d+,[\d, ]*\)|\b(?:nan|inf)\b")


class AuditTestCells:
    """The test cells of a notebook.

    cells: the cells, by grade_id. hidden: the line numbers of hidden lines, by grade_id. released: the text
    of all cells in the released notebook, except solutions.
    """

    def __init__(self, source: NotebookNode, marks: ClearHiddenTests):
        cells = [cell for cell in source.cells if utils.is_grade(cell) and cell.cell_type == "code"]
        self.cells = {get_grade_id(cell): cell for cell in cells}
        self.hidden = {name: find_hidden_lines(cell, marks) for name, cell in self.cells.items()}
        given = [cell for cell in source.cells if not utils.is_solution(cell)]
        self.released = "\n".join(remove_hidden_lines(cell, marks) for cell in given)

    def points(self, test: str, attempt: CellOutcome) -> tuple[float, float]:
        """Return the points that a test cell earns with this outcome, and its maximum points.

        A test of 0 points counts as one of 1 point, which it earns if it passes.
        """
        cell = self.cells[test]
        if not cell.metadata.nbgrader.points:
            return float(attempt.passed), 1.0
        graded = new_code_cell(cell.source, metadata={"nbgrader": cell.metadata.nbgrader})
        record_ending(graded, OK if attempt.passed else FAILED)
        if not attempt.passed:
            graded.outputs = [new_output("error", ename=attempt.error, evalue=attempt.message, traceback=[])]
        elif attempt.value is not None:
            graded.outputs = [new_output("execute_result", data={"text/plain": attempt.value})]
        return compute_points(graded) or 0, float(cell.metadata.nbgrader.points)

    def failed(self, result: AnswerTaskResult) -> dict[str, bool]:
        """Return the test cells that lose points, in order, with True if a student sees the failure."""
        scores = {test: self.points(test, attempt) for test, attempt in result.attempts.items()}
        lost = [test for test, (earned, most) in scores.items() if earned < most]
        return {test: self.is_visible(test, result.attempts[test]) for test in lost}

    def is_visible(self, test: str, attempt: CellOutcome) -> bool:
        """Return True if a student sees this failure before submission.

        Visible lines after hidden asserts count as visible.
        """
        return attempt.line is not None and attempt.line not in self.hidden[test]

    def find_leak(self, test: str, attempt: CellOutcome) -> str | None:
        """Return the line of a hidden assert's message that a student's page shows, if it reveals a number.

        A number that occurs in the released notebook is not hidden. Return None if nothing is revealed.
        """
        if attempt.error != "AssertionError" or self.is_visible(test, attempt):
            return None
        line = extract_first_line(attempt.message)
        return (
            line if any(number not in self.released for number in FRACTION_OR_SHAPE.findall(line)) else None
        )


def describe_failures(result: AnswerTaskResult, failed: Iterable[str]) -> str:
    """Return the failed test cells with their error messages."""
    if result.ended == ENDLESS:
        return "the answer does not end"
    attempts = [(test, result.attempts[test]) for test in failed]
    return "; ".join(f"{test}: {attempt.error}: {attempt.message.strip()}" for test, attempt in attempts)
