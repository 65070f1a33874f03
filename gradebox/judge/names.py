"""Which names tests use, and whose they are."""

import ast
import builtins
import contextlib
import re
import types
from typing import Any

TRIES = 100
SOLUTION = re.compile(r"^[^\n]*### BEGIN SOLUTION.*?^[^\n]*### END SOLUTION[^\n]*$", re.DOTALL | re.MULTILINE)


def parsed(source: str) -> ast.Module:
    """The syntax of a cell, which may have IPython's magics; nothing where it has none."""
    for text in (lambda: source, lambda: without_magics(source)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            return syntax(text())
    return ast.Module([], [])


def syntax(source: str) -> ast.Module:
    """`ast.parse`, also where other threads do the same.

    Python 3.11 counts the depth of all threads' trees together, and says that they don't match if one takes
    over in the middle of another's (CPython's issue 106905). That passes.
    """
    for _ in range(TRIES):
        with contextlib.suppress(SystemError):
            return ast.parse(source)
    return ast.parse(source)


def without_magics(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    # A magic of a whole cell, such as %%time, runs what stands below it.
    first, _, rest = source.lstrip().partition("\n")
    return TransformerManager().transform_cell(rest if first.startswith("%%") else source)


def used_names(source: str) -> set[str]:
    """The names that a cell uses anywhere, but for built-in ones and its functions' own."""
    tree = parsed(source)
    inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = {node.id: node for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    outer = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return {name for name in names.keys() - inner - (stored - outer) if not hasattr(builtins, name)}


def needed(source: str, namespace: dict[str, Any]) -> set[str]:
    """The names that code uses, itself or through functions and classes here, and that are not here."""
    # Not those that a cell gives a value to itself: they would tell what a hidden test is made of.
    names, missing, seen = used_names(source) | first_mentions([source])[False], set(), set()
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in namespace:
            names |= used_by(namespace[name])
        elif not hasattr(builtins, name):
            missing.add(name)
    return missing


def used_by(value: Any) -> set[str]:
    """The global names that a function, or a class's functions, may use."""
    functions = [value] if isinstance(value, types.FunctionType) else []
    if isinstance(value, type) and value.__module__ == "__main__":
        functions = [f for f in vars(value).values() if isinstance(f, types.FunctionType)]
    codes = [f.__code__ for f in functions if f.__module__ == "__main__"]
    found: set[str] = set()
    while codes:
        code = codes.pop()
        found |= set(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return found


# What changes a list, a set, a dict or an array where it is.
CHANGING = set(
    "append extend insert pop popitem remove clear sort reverse update setdefault add discard fill put "
    "resize partition setflags byteswap".split()
)


def changed_in_place(source: str) -> set[str]:
    """The names whose values a cell changes without giving them another: `x[0] = 1`, `x += y`, `x.sort()`."""
    found = set()
    for node in ast.walk(parsed(source)):
        target = None
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            target = node.value
        elif isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changing = node.func.attr in CHANGING or node.func.attr.endswith("_")
            target = node.func.value if changing else None
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


def mentioned_names(source: str) -> set[str]:
    """All names in a cell, also built-in ones, and the words in its strings, which may be names, too:
    `patch("__main__.f")`, `globals()["f"]`.
    """
    nodes = list(ast.walk(parsed(source)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return words | {node.id for node in nodes if isinstance(node, ast.Name)}


class Mentions(ast.NodeVisitor):
    """The names that code uses and gives a value to outside of functions, in the order in which it runs.

    found: pairs of a name and whether it is given a value there.
    """

    def __init__(self, source: str):
        self.found: list[tuple[str, bool]] = []
        self.visit(parsed(source))

    def visit_Name(self, node: ast.Name) -> None:
        self.found.append((node.id, isinstance(node.ctx, ast.Store)))

    def in_turn(self, *parts: ast.AST | list | None) -> None:
        for part in parts:
            for node in part if isinstance(part, list) else [part]:
                if node is not None:
                    self.visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.in_turn(node.value, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.in_turn(node.value, node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.in_turn(node.value, node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.found.append((node.target.id, False))
        self.in_turn(node.value, node.target)

    def visit_For(self, node: ast.For) -> None:
        self.in_turn(node.iter, node.target, node.body, node.orelse)

    def visit_comprehensions(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        inner = Mentions("")
        inner.in_turn(*[part for one in node.generators for part in (one.iter, one.target, one.ifs)])
        inner.in_turn(*([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]))
        own = {name for name, given in inner.found if given}
        self.found += [(name, False) for name, _ in inner.found if name not in own]

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_comprehensions

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.in_turn(node.decorator_list)
        self.found.append((node.name, True))
        # What it says that it sets outside of itself.
        inner = [name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names]
        self.found += [(name, True) for name in inner]

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_Import(self, node: ast.Import) -> None:
        self.found += [((alias.asname or alias.name).split(".")[0], True) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        found = [alias.asname or alias.name for alias in node.names]
        # All that a module has: which names that are is known where it can be imported.
        self.found += [(f"{node.module}.*" if name == "*" else name, True) for name in found]


def first_mentions(sources: list[str]) -> dict[bool, set[str]]:
    """The names that cells mention outside of functions: at first with a value, and at first without."""
    first: dict[str, bool] = {}
    for source in sources:
        for name, given in Mentions(source).found:
            first.setdefault(name, given)
    return {given: {name for name in first if first[name] is given} for given in (True, False)}


def given_names(sources: list[str]) -> set[str]:
    """The names that cells give a value to, before any of them uses it; "module.*" for all of a module's."""
    return first_mentions(sources)[True]


def answered_names(sources: list[str]) -> set[str]:
    """The names that cells give a value to outside of functions, but for what they import."""
    found = set()
    for source in sources:
        given = {name for name, is_given in Mentions(source).found if is_given}
        imported = [n for n in ast.walk(parsed(source)) if isinstance(n, ast.Import | ast.ImportFrom)]
        found |= given - {name for name, _ in Mentions("\n".join(map(ast.unparse, imported))).found}
    return found


def with_modules(names: set[str]) -> set[str]:
    """These names, and all those for which a "module.*" stands. Imports the modules."""
    found = set(names)
    for name in names:
        if name.endswith(".*"):
            namespace: dict[str, Any] = {}
            with contextlib.suppress(Exception):
                exec(f"from {name[:-2]} import *", namespace)
            found |= namespace.keys()
    return found


def imports(source: str) -> str:
    """The import statements of a cell, outside of its solution."""
    found = [n for n in parsed(SOLUTION.sub("", source)).body if isinstance(n, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, found))
