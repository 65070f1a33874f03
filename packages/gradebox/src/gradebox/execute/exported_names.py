"""Names that tests define and later cells of students may use, as in one process."""

import ast
from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.execute.cell_roles import JUDGED_TEST
from gradebox.notebook import find_grade_id, is_locked_code_cell, remove_hidden_lines
from gradebox.static_analysis.imported_names import DEFINITION_NODES
from gradebox.static_analysis.test_names import names_assigned_before_use, parse_cell

IMPORT_NODES = ast.Import | ast.ImportFrom


def find_exported_names(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the names that each test exports, by its grade_id.

    An import or a definition is exported as its text, which the student's process executes; a value as "".
    Nothing of hidden lines is exported, and no value of a test that has some: they may have changed it.
    """
    marks, found = ClearHiddenTests(), dict[str, dict[str, str]]()
    for cell in filter(is_locked_code_cell, source.cells):
        if roles.get(find_grade_id(cell) or "") == JUDGED_TEST:
            names = found[find_grade_id(cell) or ""] = {}
            shown = remove_hidden_lines(cell, marks)
            for node in parse_cell(shown).body:
                text, is_text = ast.unparse(node), isinstance(node, IMPORT_NODES | DEFINITION_NODES)
                if is_text or shown.splitlines() == cell.source.splitlines():
                    names |= dict.fromkeys(names_assigned_before_use(text), text if is_text else "")
    return found
