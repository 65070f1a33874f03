"""Find tests that keep what a student's function returned, and ask for its truth only later.

In such a test, a student's object can answer each question as it pleases, because the order of the questions
tells which answer is expected. `release/notebook_lint.py` warns about these lines.
"""

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.checks_cell import extract_helpers, is_generated
from gradebox.static_analysis.cell_names import assigned_names, parse_cell

# Calls that ask for truth, and calls through which a container is read.
TRUTH_CALLS, READERS = {"bool", "all", "any", "isinstance"}, {"zip", "enumerate", "list", "sorted"}
# Methods that add a value to a container.
ADDERS = {"append", "add", "insert", "extend"}


@dataclass(frozen=True)
class KeptVerdict:
    """A value of a student's function that a test keeps and judges later.

    cell: the index of the test cell. line: the line that keeps the value, counted from 1. function: the name
    that was called. container: the name of the variable that keeps the value.
    """

    cell: int
    line: int
    function: str
    container: str


def find_kept_verdicts(notebook: NotebookNode) -> Iterator[KeptVerdict]:
    """Yield the kept verdicts in the test cells of an instructor's notebook."""
    cells = [(number, cell) for number, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    given: set[str] = set()
    students: set[str] = set()
    for _, cell in cells:
        if utils.is_solution(cell):
            students |= assigned_names(cell.source)
        elif not utils.is_grade(cell):
            given.add(extract_helpers(cell.source) if is_generated(cell.source) else cell.source)
    helpers = [
        node for text in given for node in ast.walk(parse_cell(text)) if isinstance(node, ast.FunctionDef)
    ]
    returning, judging = find_returning(helpers, students), find_judging(helpers)
    for number, cell in cells:
        if utils.is_grade(cell) and not utils.is_solution(cell):
            tree = parse_cell(cell.source)
            own = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            finder = KeptValueFinder(find_returning(own, returning), judging | find_judging(own))
            for line, function, container in finder.find(tree):
                yield KeptVerdict(number, line, function, container)


def find_returning(functions: list[ast.FunctionDef], names: Set[str]) -> frozenset[str]:
    """Return `names` and the functions that return what one of these names returns, unchanged."""
    found = set(names)
    while more := {one.name for one in functions if returns_call(one, found)} - found:
        found |= more
    return frozenset(found)


def returns_call(function: ast.FunctionDef, names: Set[str]) -> bool:
    """Return True if a function returns the value of a call of one of these names."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    return any(called_function(value) in names for value in returned)


def find_judging(functions: list[ast.FunctionDef]) -> frozenset[str]:
    """Return the functions that ask for the truth of one of their arguments."""
    return frozenset(
        one.name
        for one in functions
        if asks_for_truth(one, {argument.arg for argument in one.args.args}, frozenset())
    )


def called_function(node: ast.AST) -> str | None:
    """Return the name that an expression calls; None if it is not a call of a name."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def read_container(node: ast.AST) -> str | None:
    """Return the variable of which an expression reads elements: `said`, `said[key]`, `said.values()`, ..."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return read_container(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return read_container(node.func.value)
    if called_function(node) in READERS and isinstance(node, ast.Call) and node.args:
        return read_container(node.args[0])
    return None


def asks_for_truth(tree: ast.AST, names: Set[str], judging: Set[str]) -> bool:
    """Return True if code asks whether an element of one of these variables is true, or a bool.

    judging: the functions that ask for the truth of their arguments.
    """
    elements, nodes = set(names), list(ast.walk(tree)) if names else []
    for node in nodes:
        if isinstance(node, ast.comprehension | ast.For) and read_container(node.iter) in names:
            elements |= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
    for node in nodes:
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and node.args and called_function(node) in TRUTH_CALLS | judging:
            about_bool = "bool" in ast.unparse(node.args[-1]) or called_function(node) != "isinstance"
            asked = [node.args[0]] if about_bool else []
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            is_bool = isinstance(node.comparators[0], ast.Constant) and isinstance(
                node.comparators[0].value, bool
            )
            asked = [node.left] if is_bool else []
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            asked = [node.operand]
        elif isinstance(node, ast.If | ast.IfExp | ast.Assert):
            asked = [node.test]
        elif isinstance(node, ast.comprehension):
            asked = list(node.ifs)
        if any(read_container(one) in elements for one in asked):
            return True
    return False


class KeptValueFinder:
    """Finder of the variables in which a test keeps what a student's function returned.

    returning: the names whose calls return a student's value. judging: the functions that ask for the truth
    of their arguments.
    """

    def __init__(self, returning: frozenset[str], judging: frozenset[str]):
        self.returning, self.judging = returning, judging

    def find(self, tree: ast.Module) -> Iterator[tuple[int, str, str]]:
        """Yield the line, the function and the container of each value that is kept and judged later."""
        made: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and self.function(node.value, {}):
                target = node.targets[0]
                if isinstance(target, ast.Name):
                    made[target.id] = self.function(node.value, {}) or ""
        seen: set[str] = set()
        for node in ast.walk(tree):
            container, value = self.kept(node)
            function = self.function(value, made) if value else None
            if container and function and container not in seen:
                seen.add(container)
                if asks_for_truth(tree, {container}, self.judging):
                    yield node.lineno, function, container  # type: ignore[attr-defined]

    def function(self, value: ast.AST, made: dict[str, str]) -> str | None:
        """Return the student's function whose value an expression is; None for another expression."""
        if isinstance(value, ast.Name):
            return made.get(value.id)
        name = called_function(value)
        return name if name in self.returning else None

    def kept(self, node: ast.AST) -> tuple[str | None, ast.AST | None]:
        """Return the container to which a statement adds a value, and the value."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Subscript):
                return read_container(target), value
            if isinstance(target, ast.Name) and isinstance(value, ast.ListComp | ast.DictComp):
                return target.id, value.elt if isinstance(value, ast.ListComp) else value.value
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in ADDERS and node.value.args:
                return read_container(called.value), node.value.args[-1]
        return None, None
