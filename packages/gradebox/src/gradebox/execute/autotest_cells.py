"""Tests that a release has made of nbgrader's AUTOTEST lines.

`source/` keeps the lines. What is graded is what was made of them, as the gradebook has it; and so a lesson
must know these tests, or it would not see which names they use.
"""

from collections.abc import Mapping

import nbformat
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import InstantiateTests
from traitlets.config import Config

from gradebox.notebook import find_grade_id


def get_autotest_delimiter(config: Config) -> str:
    """The word by which such lines are known."""
    return InstantiateTests(config=config).autotest_delimiter


def instantiate_autotests(text: str, made: Mapping[str, str | None], marked: str) -> str:
    """An instructor's notebook, as JSON, with the tests that are graded.

    made: what the gradebook has of its cells, by grade_id. marked: see `mark`.
    """
    if marked not in text:
        return text
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and utils.is_grade(cell) and marked in cell.source:
            cell.source = made.get(find_grade_id(cell) or "") or cell.source
    return nbformat.writes(notebook)


def instantiate_autotests_from_gradebook(text: str, names: dict[str, str], marked: str) -> str:
    """The same, of the notebook of which nbgrader tells this."""
    if marked not in text:
        return text
    with Gradebook(names["db_url"]) as gradebook:
        cells = gradebook.find_notebook(names["notebook"], names["assignment"]).source_cells
        return instantiate_autotests(text, {cell.name: cell.source for cell in cells}, marked)
