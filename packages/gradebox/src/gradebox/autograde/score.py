"""Convert test results to points. A pass requires a record that the test cell ran to its end."""

from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.autograde.graded_text_hashes import hash_graded_texts
from gradebox.autograde.partial_credit import parse_points, read_last_value
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.notebook_exercises import find_grade_id, get_grade_id, map_tests_to_solutions
from gradebox.notebook_metadata import (
    OK,
    find_last_error,
    has_passed_second_chance,
    read_answer_parts,
    read_ending,
    read_reference_problem,
)

NO_RESPONSE = "No response."


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


def compute_points(cell: NotebookNode) -> float | None:
    """Return a graded cell's points; None for manual grading.

    This is nbgrader's rule with five differences. Text on stderr is not a failure, because NumPy writes
    warnings there. A cell without a record that it ran to its end has failed, except an empty cell. A test
    that passed on its second chance has passed. A last value that is not a number of points gives 0 points.
    A person grades a failed test that the reference solution fails, too.
    """
    if cell.cell_type != "code" or utils.is_solution(cell):
        return utils.determine_grade(cell)[0]
    points, most = compute_test_points(cell), float(cell.metadata.nbgrader.points)
    return None if points < most and read_reference_problem(cell) else points


def compute_test_points(cell: NotebookNode) -> float:
    """Return the points that a test gives."""
    most, value = float(cell.metadata.nbgrader.points), read_last_value(cell)
    if has_passed_second_chance(cell):
        return most
    if (read_ending(cell) != OK and cell.source.strip()) or find_last_error(cell):
        return 0.0
    return most if value is None else parse_points(value, most) or 0.0


def score_notebook(nb: NotebookNode) -> NotebookScores:
    """Return the scores of a notebook that was run."""
    found = NotebookScores({}, {}, hash_graded_texts(nb))
    parts = read_answer_parts(nb)
    second = {find_grade_id(cell) for cell in nb.cells if has_passed_second_chance(cell)}
    by_second_chance = {
        exercise for exercise, tests in map_tests_to_solutions(nb).items() if second & set(tests)
    }
    for cell in nb.cells:
        if utils.is_grade(cell):
            # A person reads an answer beside an untouched answer cell.
            found.points[get_grade_id(cell)] = None if get_grade_id(cell) in parts else compute_points(cell)
        if utils.is_solution(cell) or utils.is_task(cell):
            untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            name = get_grade_id(cell)
            silent = untouched and not utils.is_task(cell) and name not in parts
            found.comments[name] = (
                SECOND_CHANCE_COMMENT if name in by_second_chance else NO_RESPONSE if silent else None
            )
    return found
