"""Names that tests define and that later student cells may use, as in a single process."""

import ast
from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.execute.cell_roles import JUDGED_TEST
from gradebox.notebook_exercises import find_grade_id, is_locked_code_cell, remove_hidden_lines
from gradebox.static_analysis.cell_names import names_assigned_before_use, parse_cell
from gradebox.static_analysis.resolve_imports import DEFINITION_NODES

IMPORT_NODES = ast.Import | ast.ImportFrom


def find_exported_names(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the names that each test exports, by the grade_id of the test.

    The result maps each name to the text of its import or definition, which the student's process executes,
    or to "" for a value. Names of hidden lines are not exported. A test with hidden lines exports no values,
    since hidden lines may have changed them.
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
