"""Find the course's cells before the first exercise, which Formgrader folds (see `reports/formgrade/`)."""

from itertools import takewhile

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.autograde.match_notebooks import normalize_cell_text
from gradebox.notebook_exercises import CODE_BLOCK, HEADING, find_grade_id


def find_introduction(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """Return the ids of the course's cells before the first exercise of a repaired notebook.

    The exercise begins with the last heading of the course before the first cell that is graded or answered.
    Cells that the student wrote or changed are never part of the introduction.
    """
    texts = {normalize_cell_text(cell) for cell in released.cells if not find_grade_id(cell)}
    before = takewhile(lambda cell: not is_graded_or_answered(cell), notebook.cells)
    ours = [cell for cell in before if find_grade_id(cell) or normalize_cell_text(cell) in texts]
    headings = [
        number
        for number, cell in enumerate(ours)
        if cell.cell_type == "markdown" and HEADING.search(CODE_BLOCK.sub("", cell.source))
    ]
    return [cell.id for cell in ours[: headings[-1]]] if headings else []


def is_graded_or_answered(cell: NotebookNode) -> bool:
    return utils.is_grade(cell) or utils.is_solution(cell) or utils.is_task(cell)
