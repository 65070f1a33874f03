"""Parse cells and find the names that they use, assign, mutate and import. Results are cached by source."""

import ast
import builtins
import contextlib
import re
from collections.abc import Iterator
from functools import lru_cache

from gradebox.checks_cell import expand_checks_cell
from gradebox.static_analysis.cell_magics import transform_magics
from gradebox.static_analysis.dataflow import DefUseVisitor, iter_statements

MAX_PARSE_TRIES = 100
# Cells whose names are cached: a lesson's cells are analyzed for each submission.
NAMES_CACHE_SIZE = 2000
# Cells whose syntax tree is cached. Trees are larger; a notebook has fewer cells than this.
SYNTAX_CACHE_SIZE = 300
SOLUTION = re.compile(r"^[^\n]*### BEGIN SOLUTION.*?^[^\n]*### END SOLUTION[^\n]*$", re.DOTALL | re.MULTILINE)


@lru_cache(maxsize=SYNTAX_CACHE_SIZE)
def parse_cell(source: str) -> ast.Module:
    """Return the syntax tree of a cell; an empty module if the cell can't be parsed.

    Magics are allowed. For a checks cell, return the syntax tree of the code that the cell runs.

    The tree is cached and shared, so callers must not change it.
    """
    source = expand_checks_cell(source)
    for text in (lambda: source, lambda: transform_magics(source)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return parse_with_retry(text())
    return ast.Module([], [])


def parse_with_retry(source: str) -> ast.Module:
    """Parse code with `ast.parse`, and retry if other threads that are parsing cause a SystemError.

    Python 3.11 uses one recursion counter for the parsers of all threads and raises SystemError if a thread
    switch disturbs the count (CPython issue 106905). The error is temporary.
    """
    for _ in range(MAX_PARSE_TRIES):
        with contextlib.suppress(SystemError):
            return ast.parse(source)
    return ast.parse(source)


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def used_names(source: str) -> frozenset[str]:
    """Return the names that a cell uses anywhere, without built-in names, arguments and assigned names.

    A name that is assigned in the cell is included only if a function declares it as `global`.
    """
    nodes = list(ast.walk(parse_cell(source)))
    inner = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    outer = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    found = names - inner - (stored - outer)
    return frozenset(name for name in found if not hasattr(builtins, name))


def is_alias_statement(node: ast.AST) -> bool:
    """Return True if a statement only assigns or returns plain names, so that nothing is called."""
    if not isinstance(node, (ast.Assign, ast.Return)):
        return False
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return all(isinstance(one, ast.Name) for one in values)


# Methods that mutate a list, set, dict or array in place.
MUTATING_METHODS = frozenset(
    "append extend insert pop popitem remove clear sort reverse update setdefault add discard fill put "
    "resize partition setflags byteswap".split()
)


def find_mutated_names(tree: ast.AST) -> frozenset[str]:
    """Return the names whose values code mutates in place: `x[0] = 1`, `x += y`, `x.sort()`."""
    found = set()
    for target in iter_mutated_expressions(tree):
        while isinstance(target, (ast.Subscript, ast.Attribute)):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return frozenset(found)


def iter_mutated_expressions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions whose values code changes in place."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            yield node.value
        elif isinstance(node, ast.AugAssign):
            yield node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in MUTATING_METHODS or node.func.attr.endswith("_"):
                yield node.func.value


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def mentioned_names(source: str) -> frozenset[str]:
    """Return all names in a cell, including built-in names, and all words in its strings.

    A word in a string may be a name: `patch("__main__.f")`, `globals()["f"]`.
    """
    nodes = list(ast.walk(parse_cell(source)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return frozenset(words | {node.id for node in nodes if isinstance(node, ast.Name)})


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def group_by_first_mention(*sources: str) -> dict[bool, frozenset[str]]:
    """Group the names that cells mention outside functions by their first mention: assignment or use.

    Return {True: names assigned before any use, False: names used before they are assigned}.
    """
    flow = DefUseVisitor()
    for source in sources:
        flow.visit(parse_cell(source))
    return {True: frozenset(flow.leaves - flow.takes), False: frozenset(flow.takes)}


def names_assigned_before_use(*sources: str) -> frozenset[str]:
    """Return the names that cells assign before any use; "module.*" for all names of a module."""
    return group_by_first_mention(*sources)[True]


def assigned_names(*sources: str) -> set[str]:
    """Return the names that cells assign outside functions, without imported names."""
    found = set()
    for source in sources:
        tree, given, imported = parse_cell(source), DefUseVisitor(), DefUseVisitor()
        given.visit(tree)
        imported.visit_nodes(
            *(n for n in iter_statements(tree) if isinstance(n, (ast.Import, ast.ImportFrom)))
        )
        found |= given.leaves - imported.leaves
    return found


def extract_imports(source: str) -> str:
    """Return the import statements of a cell, without those inside its solution."""
    found = [
        n for n in parse_cell(SOLUTION.sub("", source)).body if isinstance(n, (ast.Import, ast.ImportFrom))
    ]
    return "\n".join(map(ast.unparse, found))
