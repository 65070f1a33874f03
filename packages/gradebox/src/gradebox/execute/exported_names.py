"""Names that tests define and later cells of students may use, as in one process."""

import ast
from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.execute.cell_roles import TEST
from gradebox.notebook import is_instructors, name_of, visible
from gradebox.static_analysis.imported_names import DEFINES
from gradebox.static_analysis.test_names import given_names, parsed

IMPORTS = ast.Import | ast.ImportFrom


def exported(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the names that each test exports, by its grade_id.

    An import or a definition is exported as its text, which the student's process executes; a value as "".
    Nothing of hidden lines is exported, and no value of a test that has some: they may have changed it.
    """
    marks, found = ClearHiddenTests(), dict[str, dict[str, str]]()
    for cell in filter(is_instructors, source.cells):
        if roles.get(name_of(cell) or "") == TEST:
            names = found[name_of(cell) or ""] = {}
            shown = visible(cell, marks)
            for node in parsed(shown).body:
                text, is_text = ast.unparse(node), isinstance(node, IMPORTS | DEFINES)
                if is_text or shown.splitlines() == cell.source.splitlines():
                    names |= dict.fromkeys(given_names(text), text if is_text else "")
    return found
