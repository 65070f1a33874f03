"""Test cells that a release has generated from nbgrader's AUTOTEST lines.

`source/` keeps the lines; the generated tests, which are the graded ones, are in the gradebook. A lesson
needs the generated tests to find the names that they use.
"""

from collections.abc import Mapping

import nbformat
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import InstantiateTests
from traitlets.config import Config

from gradebox.notebook_exercises import find_grade_id


def get_autotest_delimiter(config: Config) -> str:
    """Return the word that marks AUTOTEST lines."""
    return InstantiateTests(config=config).autotest_delimiter


def instantiate_autotests(text: str, made: Mapping[str, str | None], marked: str) -> str:
    """Return an instructor's notebook, as JSON, with the generated tests in place of the AUTOTEST lines.

    made: the cell sources in the gradebook, by grade_id. marked: the delimiter (see
    `get_autotest_delimiter`).
    """
    if marked not in text:
        return text
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and utils.is_grade(cell) and marked in cell.source:
            cell.source = made.get(find_grade_id(cell) or "") or cell.source
    return nbformat.writes(notebook)


def instantiate_autotests_from_gradebook(text: str, names: dict[str, str], marked: str) -> str:
    """Return an instructor's notebook, as JSON, with the tests that are in the gradebook.

    names: the notebook's names from `resources["nbgrader"]`, and the gradebook's address ("db_url").
    """
    if marked not in text:
        return text
    with Gradebook(names["db_url"]) as gradebook:
        cells = gradebook.find_notebook(names["notebook"], names["assignment"]).source_cells
        return instantiate_autotests(text, {cell.name: cell.source for cell in cells}, marked)
