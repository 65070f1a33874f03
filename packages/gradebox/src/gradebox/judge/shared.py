"""Names of tests that later cells of students may use, as in one process: those that students get to see.

What stands between the marks of hidden tests stays with the judge, and so does what is made from it, as far
as the text tells.
"""

import ast
from collections.abc import Iterator, Mapping, Set

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.code.calls import DEFINES, definitions
from gradebox.code.names import answered_names, changed_in_place, given_names, parsed, used_names
from gradebox.judge.roles import TEST
from gradebox.notebook import hidden_lines, is_instructors, name_of

IMPORTS = ast.Import | ast.ImportFrom
# Stands for hidden code among the names that it has.
HIDDEN = ""
# What only looks at its parts, or has them done one after the other, and functions that do.
LOOKS = ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.IfExp | ast.JoinedStr | ast.FormattedValue
LOOKS |= ast.cmpop | ast.boolop | ast.operator | ast.unaryop | ast.expr_context | ast.Constant | ast.Attribute
LOOKS |= ast.Subscript | ast.Slice | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Starred | ast.keyword
LOOKS |= ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.comprehension | ast.NamedExpr
LOOKS |= ast.Assert | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete | ast.Expr | ast.Pass
LOOKS |= ast.Raise | ast.If | ast.For | ast.While | ast.Try | ast.TryStar | ast.ExceptHandler | IMPORTS
# By which code has all names in its hands.
REACHES = {"globals", "locals", "vars", "exec", "eval", "setattr", "get_ipython", "defaultdict"}
# What lets two names stand for the same, or for a part of it.
TIES = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.comprehension | ast.withitem
PURE = frozenset(
    "len sum min max abs round sorted all any isinstance type set list tuple str repr math.isclose "
    "np.allclose np.isclose np.array_equal torch.allclose torch.equal".split()
)


def shared(source: NotebookNode, roles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What the tests of an instructor's notebook leave, by their names.

    That is, by its own name, the text of an import or a definition, which is made again in the student's
    process, and "" for what stands for a value.
    """
    marks, secret, left = ClearHiddenTests(), set[str](), dict[str, dict[str, str]]()
    locked = [cell for cell in source.cells if is_instructors(cell)]
    functions = definitions(cell.source for cell in locked)
    values = {name for cell in locked for node in parsed(cell.source).body for name in changeable(node)}
    students = [c.source for c in source.cells if c.cell_type == "code" and not is_instructors(c)]
    harmless, together = answered_names(*students) | PURE, list[set[str]]()
    for cell in locked:
        if roles.get(name_of(cell) or "") != TEST:
            continue
        found = left[name_of(cell) or ""] = {}
        for node, hidden in statements(cell, marks):
            text = ast.unparse(node)
            given = given_names(text)
            together += (names & values for names in ties(node, harmless, functions))
            if hidden or (used_names(text) | changed_in_place(text)) & secret:
                secret |= given | changed_in_place(text)
                # It may change what it has in its hands, also where that has another name.
                hands = exposed(node, harmless) | changed_in_place(text)
                hands |= set() if names_in(node).isdisjoint(REACHES) else values
                together.append(mentioned(hands, functions) & values | {HIDDEN})
            else:
                found |= dict.fromkeys(given, text if isinstance(node, IMPORTS | DEFINES) else "")
    within = secret | reached(together)
    return {
        name: {one: text for one, text in found.items() if one not in (secret if text else within)}
        for name, found in left.items()
    }


def changeable(node: ast.stmt) -> set[str]:
    """The names that a statement gives a value to which can be changed where it is."""
    plain = ast.Constant | ast.UnaryOp | ast.BinOp | ast.operator | ast.unaryop
    constant = isinstance(node, ast.Assign) and all(isinstance(one, plain) for one in ast.walk(node.value))
    return set() if isinstance(node, IMPORTS | DEFINES) or constant else given_in(node)


def mentioned(names: Set[str], functions: Mapping[str, list[ast.AST]]) -> set[str]:
    """These names, and those in the functions of the course's among them."""
    found, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [inner for node in functions.get(name, []) for inner in outer_names(node)]
    return found


def names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def outer_names(function: ast.AST) -> set[str]:
    """The names in a function that are not its own."""
    own = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)} | given_in(function)
    outer = {name for one in ast.walk(function) if isinstance(one, ast.Global) for name in one.names}
    return names_in(function) - own | outer


def given_in(node: ast.AST) -> set[str]:
    """The names that code gives a value to, also in what is inside it."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def ties(node: ast.AST, harmless: Set[str], functions: Mapping[str, list[ast.AST]]) -> Iterator[set[str]]:
    """The names that may stand for the same, or for parts of it, after code has run."""
    for one in ast.walk(node):
        names = names_in(one)
        if isinstance(one, ast.For):
            names = names_in(one.target) | names_in(one.iter)
        elif isinstance(one, ast.Call):
            method = isinstance(one.func, ast.Attribute) and ast.unparse(one.func) not in harmless
            if not method and names.isdisjoint(functions):
                continue
        elif not isinstance(one, TIES):
            continue
        yield mentioned(names, functions)


def exposed(node: ast.AST, harmless: Set[str]) -> set[str]:
    """The names whose values code may change or keep, and does not only look at.

    harmless: the functions that do neither, or are the student's, who then know all that they are given.
    """
    if isinstance(node, ast.Call) and ast.unparse(node.func) in harmless:
        parts: list[ast.AST] = [*node.args, *(keyword.value for keyword in node.keywords)]
    elif isinstance(node, LOOKS):
        parts = list(ast.iter_child_nodes(node))
    else:
        return names_in(node)
    return {name for one in parts if not isinstance(one, ast.Name) for name in exposed(one, harmless)}


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
