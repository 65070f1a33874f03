"""Convert test results to points. A pass requires a record that the test cell ran to its end."""

import logging
from copy import copy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils

from gradebox.autograde.graded_text_hashes import hash_graded_texts
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.notebook import find_grade_id, get_grade_id, map_tests_to_solutions
from gradebox.notebook_metadata import OK, has_passed_second_chance, read_ending
from gradebox.printable_text import format_file_name

NO_RESPONSE = "No response."
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class NotebookScores:
    """Scores of one notebook, by grade_id.

    points: of graded cells; None for a cell that a person must grade. comments: of solution and task cells;
    None for no comment. texts: a hash of the text that each graded cell's points are for (see
    `graded_text_hashes.py`).
    """

    points: dict[str, float | None]
    comments: dict[str, str | None]
    texts: dict[str, str]


class ScoreError(Exception):
    """Error for a test output that nbgrader can't score. The message names the cell and the remedy."""


def prepare_cell_for_scoring(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a cell, prepared for nbgrader's scoring rule.

    Text on stderr is not a failure, because NumPy writes warnings there. A cell without a record that it ran
    to its end has failed, except an empty cell. A test that passed on its second chance has passed.
    """
    cell = copy(cell)
    if cell.cell_type == "code" and not utils.is_solution(cell):
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        if has_passed_second_chance(cell):
            cell.outputs = []
        elif read_ending(cell) != OK and cell.source.strip():
            cell.outputs = [new_output("error", ename="GradingError", evalue="", traceback=[])]
    return cell


def compute_points(cell: NotebookNode) -> float | None:
    """Return a graded cell's points by nbgrader's rule; None for manual grading. Raises ScoreError."""
    try:
        return utils.determine_grade(cell, log)[0]
    except (ValueError, KeyError):
        results = [output for output in cell.outputs if output.output_type == "execute_result"]
        value = format_file_name(results[0].data.get("text/plain", "a value without text"))
        most = f"{float(cell.metadata.nbgrader.points):g}"
        raise ScoreError(
            f"{get_grade_id(cell)}: the last line evaluates to {value}, but the cell has {most} points: "
            f"use a value from 0 to {most}"
        ) from None


def score_notebook(nb: NotebookNode, called: str = "the notebook") -> NotebookScores:
    """Return the scores of a notebook that was run.

    called: the notebook's name in messages. Raises ScoreError, with this name in the message.
    """
    found = NotebookScores({}, {}, hash_graded_texts(nb))
    second = {find_grade_id(cell) for cell in nb.cells if has_passed_second_chance(cell)}
    by_second_chance = {
        exercise for exercise, tests in map_tests_to_solutions(nb).items() if second & set(tests)
    }
    for cell in nb.cells:
        if utils.is_grade(cell):
            try:
                found.points[get_grade_id(cell)] = compute_points(prepare_cell_for_scoring(cell))
            except ScoreError as error:
                raise ScoreError(f"{called}, {error}") from None
        if utils.is_solution(cell) or utils.is_task(cell):
            untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            silent = untouched and not utils.is_task(cell)
            name = get_grade_id(cell)
            found.comments[name] = (
                SECOND_CHANCE_COMMENT if name in by_second_chance else NO_RESPONSE if silent else None
            )
    return found
