"""Names of tests that later cells of students may use, as in one process: those that students get to see.

What stands between the marks of hidden tests stays with the judge, and so does what is made from it, as far
as the text tells.
"""

import ast
from collections.abc import Iterator, Mapping, Set

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.code.calls import DEFINES, definitions
from gradebox.code.names import changed_in_place, given_names, parsed, used_names
from gradebox.judge.roles import TEST, answered
from gradebox.notebook import hidden_lines, is_instructors, name_of

# Stands for hidden code among the names that it has.
HIDDEN = ""
# What only looks at its parts, and functions that do.
LOOKS = ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.JoinedStr | ast.FormattedValue
LOOKS |= ast.cmpop | ast.boolop | ast.operator | ast.unaryop | ast.Constant
PURE = frozenset(
    "len sum min max abs round sorted all any isinstance type set list tuple str repr math.isclose "
    "np.allclose np.isclose np.array_equal torch.allclose torch.equal".split()
)
IMPORTS = ast.Import | ast.ImportFrom


def shared(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What the tests of an instructor's notebook leave, by their names.

    That is, by its own name, the text of an import or a definition, which is made again in the student's
    process, and "" for what stands for a value.
    """
    marks, secret, left = ClearHiddenTests(), set[str](), dict[str, dict[str, str]]()
    locked = [cell for cell in source.cells if is_instructors(cell)]
    functions = definitions(cell.source for cell in locked)
    values = {name for cell in locked for node in parsed(cell.source).body for name in changeable(node)}
    harmless, together = answered(source) | PURE, list[set[str]]()
    for cell in locked:
        if roles.get(name_of(cell) or "") != TEST:
            continue
        found = left[name_of(cell) or ""] = {}
        for node, hidden in statements(cell, marks):
            text = ast.unparse(node)
            given, has = given_names(text), mentioned(node, functions) & values
            if isinstance(node, ast.Assert):
                has &= exposed(node, harmless)
            if hidden or (used_names(text) | changed_in_place(text)) & secret:
                secret |= given | changed_in_place(text)
                # It may change what it has, also where that has another name.
                together.append(has | {HIDDEN})
            else:
                found |= dict.fromkeys(given, text if isinstance(node, IMPORTS | DEFINES) else "")
                together.append(has)
    within = secret | reached(together)
    return {
        name: {one: text for one, text in found.items() if one not in (secret if text else within)}
        for name, found in left.items()
    }


def changeable(node: ast.stmt) -> frozenset[str]:
    """The names that a statement gives a value to which can be changed where it is."""
    plain = ast.Constant | ast.UnaryOp | ast.BinOp | ast.operator | ast.unaryop
    constant = isinstance(node, ast.Assign) and all(isinstance(one, plain) for one in ast.walk(node.value))
    given = isinstance(node, IMPORTS | DEFINES) or constant
    return frozenset() if given else given_names(ast.unparse(node))


def mentioned(node: ast.AST, functions: Mapping[str, list[ast.AST]]) -> set[str]:
    """The names in code, and in the functions of the course's that it mentions."""
    names, waiting = set[str](), [node]
    while waiting:
        for one in ast.walk(waiting.pop()):
            if isinstance(one, ast.Name) and one.id not in names:
                names.add(one.id)
                waiting += functions.get(one.id, [])
    return names


def exposed(node: ast.AST, harmless: Set[str]) -> set[str]:
    """The names of values that an assertion may change, and does not only look at.

    harmless: the functions that change none, or are the student's, who then know all that they are given.
    """
    found, waiting = set[str](), list(ast.iter_child_nodes(node))
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Call) and ast.unparse(one.func) in harmless:
            parts: list[ast.AST] = [*one.args, *(keyword.value for keyword in one.keywords)]
        elif isinstance(one, LOOKS):
            parts = list(ast.iter_child_nodes(one))
        else:
            found |= {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
            continue
        waiting += [part for part in parts if not isinstance(part, ast.Name)]
    return found


def reached(together: list[set[str]]) -> set[str]:
    """The names whose values hidden code may have in its hands. together: those that may have the same."""
    found = {HIDDEN}
    for _ in together:
        new = {name for names in together if not found.isdisjoint(names) for name in names}
        if new <= found:
            break
        found |= new
    return found


def statements(cell: NotebookNode, marks: ClearHiddenTests) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of a cell, each with whether any of it is hidden from students."""
    hidden = hidden_lines(cell, marks)
    # Lines have other numbers where a magic of the whole cell was taken away.
    moved = bool(hidden) and cell.source.lstrip().startswith("%%")
    for node in parsed(cell.source).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        yield node, moved or not hidden.isdisjoint(range(first, (node.end_lineno or node.lineno) + 1))
