"""Names of tests that later cells of students may use, as in one process: those that students get to see.

What stands between the marks of hidden tests stays with the judge, and so does what is made from it, as far
as the text tells.
"""

import ast
from collections.abc import Iterator, Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.code.calls import DEFINES
from gradebox.code.names import changed_in_place, given_names, parsed, used_names
from gradebox.judge.roles import TEST
from gradebox.notebook import hidden_lines, name_of

IMPORTS = ast.Import | ast.ImportFrom


def shared(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What the tests of an instructor's notebook leave, by their names.

    That is, by its own name, the text of an import or a definition, which is made again in the student's
    process, and "" for what stands for a value.
    """
    marks, secret, left = ClearHiddenTests(), set[str](), dict[str, dict[str, str]]()
    for cell in source.cells:
        if cell.cell_type != "code" or roles.get(name_of(cell) or "") != TEST:
            continue
        found = left[name_of(cell) or ""] = {}
        for node, hidden in statements(cell, marks):
            text = ast.unparse(node)
            given = given_names(text)
            if hidden or (used_names(text) | changed_in_place(text)) & secret:
                secret |= given | changed_in_place(text)
            else:
                found |= dict.fromkeys(given, text if isinstance(node, IMPORTS | DEFINES) else "")
    return {
        name: {one: text for one, text in found.items() if one not in secret} for name, found in left.items()
    }


def statements(cell: NotebookNode, marks: ClearHiddenTests) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of a cell, each with whether any of it is hidden from students."""
    hidden = hidden_lines(cell, marks)
    # Lines have other numbers where a magic of the whole cell was taken away.
    moved = bool(hidden) and cell.source.lstrip().startswith("%%")
    for node in parsed(cell.source).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        yield node, moved or not hidden.isdisjoint(range(first, (node.end_lineno or node.lineno) + 1))
