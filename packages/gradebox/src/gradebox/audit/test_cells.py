"""The test cells of a notebook: the points that they give, and what of them students get to see."""

import re
from collections.abc import Iterable

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.answer_tasks import ENDLESS, AnswerTaskResult, CellOutcome
from gradebox.autograde.score import prepare_cell_for_scoring
from gradebox.notebook import find_hidden_lines, get_grade_id, remove_hidden_lines
from gradebox.notebook_metadata import FAILED, OK, record_ending
from gradebox.reports.redact_failures import extract_first_line

# A number with a fraction, or a shape.
FRACTION_OR_SHAPE = re.compile(r"\d+\.\d*|\d+e[+-]?\d+|\(\d+,[\d, ]*\)|\b(?:nan|inf)\b")


class AuditTestCells:
    """What results mean by a notebook's test cells.

    cells: by grade_id. hidden: the numbers of the lines that students don't get, by grade_id. released: the
    text that they get.
    """

    def __init__(self, source: NotebookNode, marks: ClearHiddenTests):
        cells = [cell for cell in source.cells if utils.is_grade(cell) and cell.cell_type == "code"]
        self.cells = {get_grade_id(cell): cell for cell in cells}
        self.hidden = {name: find_hidden_lines(cell, marks) for name, cell in self.cells.items()}
        given = [cell for cell in source.cells if not utils.is_solution(cell)]
        self.released = "\n".join(remove_hidden_lines(cell, marks) for cell in given)

    def points(self, test: str, attempt: CellOutcome) -> tuple[float, float]:
        """What a student gets for a test cell that went like this, and the most that there is."""
        cell = self.cells[test]
        graded = new_code_cell(cell.source, metadata={"nbgrader": cell.metadata.nbgrader})
        record_ending(graded, OK if attempt.passed else FAILED)
        if not attempt.passed:
            graded.outputs = [new_output("error", ename=attempt.error, evalue=attempt.message, traceback=[])]
        elif attempt.value is not None:
            graded.outputs = [new_output("execute_result", data={"text/plain": attempt.value})]
        return utils.determine_grade(prepare_cell_for_scoring(graded))

    def failed(self, result: AnswerTaskResult) -> dict[str, bool]:
        """The test cells that don't give all their points, in order, each with whether a student sees it."""
        scores = {test: self.points(test, attempt) for test, attempt in result.attempts.items()}
        lost = [test for test, (earned, most) in scores.items() if earned < most]
        return {test: self.is_visible(test, result.attempts[test]) for test in lost}

    def is_visible(self, test: str, attempt: CellOutcome) -> bool:
        """Whether a student sees this failure before handing in. What stands after hidden asserts is seen."""
        return attempt.line is not None and attempt.line not in self.hidden[test]

    def find_leak(self, test: str, attempt: CellOutcome) -> str | None:
        """What a student's page shows of a hidden assert's message, if that tells a number that is hidden."""
        if attempt.error != "AssertionError" or self.is_visible(test, attempt):
            return None
        line = extract_first_line(attempt.message)
        return (
            line if any(number not in self.released for number in FRACTION_OR_SHAPE.findall(line)) else None
        )


def describe_failures(result: AnswerTaskResult, failed: Iterable[str]) -> str:
    """What the test cells say that failed."""
    if result.ended == ENDLESS:
        return "it doesn't end"
    attempts = [(test, result.attempts[test]) for test in failed]
    return "; ".join(f"{test}: {attempt.error}: {attempt.message.strip()}" for test, attempt in attempts)


def visible_test_outcomes(result: AnswerTaskResult) -> dict[str, tuple]:
    """What a student would see of each test: whether it passed, its value, the error and its message."""
    ended = {"": (result.ended,)}
    return ended | {name: (a.passed, a.value, a.error, a.message) for name, a in result.attempts.items()}
