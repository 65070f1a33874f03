"""Which names tests use, and whose they are."""

import ast
import builtins
import contextlib
import re
from collections.abc import Iterator
from functools import lru_cache

from gradebox.checks_cell import expand_checks_cell
from gradebox.static_analysis.dataflow import DefUseVisitor

MAX_PARSE_TRIES = 100
# Cells whose names are kept in mind: those of a lesson are looked at for each submission.
NAMES_CACHE_SIZE = 2000
# Cells whose syntax is kept, which is larger: more than a notebook has.
SYNTAX_CACHE_SIZE = 300
SOLUTION = re.compile(r"^[^\n]*### BEGIN SOLUTION.*?^[^\n]*### END SOLUTION[^\n]*$", re.DOTALL | re.MULTILINE)


@lru_cache(maxsize=SYNTAX_CACHE_SIZE)
def parse_cell(source: str) -> ast.Module:
    """The syntax of a cell, which may have IPython's magics; nothing where it has none.

    Of a checks cell, the syntax of the code that it runs.

    It is not for changes: all who ask for it have the same.
    """
    source = expand_checks_cell(source)
    for text in (lambda: source, lambda: transform_magics(source)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return parse_with_retry(text())
    return ast.Module([], [])


def parse_with_retry(source: str) -> ast.Module:
    """`ast.parse`, also where other threads do the same.

    Python 3.11 counts the depth of all threads' trees together, and says that they don't match if one takes
    over in the middle of another's (CPython's issue 106905). That passes.
    """
    for _ in range(MAX_PARSE_TRIES):
        with contextlib.suppress(SystemError):
            return ast.parse(source)
    return ast.parse(source)


def transform_magics(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    # A magic of a whole cell, such as %%time, runs what stands below it.
    first, _, rest = source.lstrip().partition("\n")
    return TransformerManager().transform_cell(rest if first.startswith("%%") else source)


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def used_names(source: str) -> frozenset[str]:
    """The names that a cell uses anywhere, but for built-in ones and its functions' own."""
    tree = parse_cell(source)
    inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = {node.id: node for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    outer = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    found = names.keys() - inner - (stored - outer)
    return frozenset(name for name in found if not hasattr(builtins, name))


def is_alias_statement(node: ast.AST) -> bool:
    """Return True if a statement only assigns or returns values by their names, and so calls nothing."""
    if not isinstance(node, ast.Assign | ast.Return):
        return False
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return all(isinstance(one, ast.Name) for one in values)


# What changes a list, a set, a dict or an array where it is.
MUTATING_METHODS = frozenset(
    "append extend insert pop popitem remove clear sort reverse update setdefault add discard fill put "
    "resize partition setflags byteswap".split()
)


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def mutated_names(source: str) -> frozenset[str]:
    """The names whose values a cell changes without giving them another: `x[0] = 1`, `x += y`, `x.sort()`."""
    found = set()
    for target in iter_mutated_expressions(parse_cell(source)):
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return frozenset(found)


def iter_mutated_expressions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions whose values code changes in place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.value
        elif isinstance(node, ast.AugAssign):
            yield node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in MUTATING_METHODS or node.func.attr.endswith("_"):
                yield node.func.value


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def mentioned_names(source: str) -> frozenset[str]:
    """All names in a cell, also built-in ones, and the words in its strings, which may be names, too:
    `patch("__main__.f")`, `globals()["f"]`.
    """
    nodes = list(ast.walk(parse_cell(source)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return frozenset(words | {node.id for node in nodes if isinstance(node, ast.Name)})


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def group_by_first_mention(*sources: str) -> dict[bool, frozenset[str]]:
    """The names that cells mention outside of functions: at first with a value, and at first without."""
    flow = DefUseVisitor()
    for source in sources:
        flow.visit(parse_cell(source))
    return {True: frozenset(flow.leaves - flow.takes), False: frozenset(flow.takes)}


def names_assigned_before_use(*sources: str) -> frozenset[str]:
    """The names that cells give a value to, before any of them uses it; "module.*" for all of a module's."""
    return group_by_first_mention(*sources)[True]


def assigned_names(*sources: str) -> set[str]:
    """The names that cells give a value to outside of functions, but for what they import."""
    found = set()
    for source in sources:
        tree, given, imported = parse_cell(source), DefUseVisitor(), DefUseVisitor()
        given.visit(tree)
        imported.visit_nodes(*(n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)))
        found |= given.leaves - imported.leaves
    return found


def extract_imports(source: str) -> str:
    """The import statements of a cell, outside of its solution."""
    found = [
        n for n in parse_cell(SOLUTION.sub("", source)).body if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    return "\n".join(map(ast.unparse, found))
