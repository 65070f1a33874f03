"""Whether tests can have left anything behind in a student's process, as far as the text of its cells tells.

A test calls what the cells define. That leaves nothing if no function there keeps anything between its calls:
if it reads and changes only what is its own, and what it is given, and draws no random numbers that somebody
has seeded. What can't be told counts as a trace.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Set

from gradebox.code.calls import definitions, dotted, imported
from gradebox.code.effects import DRAWS, SEEDS, STARTS, deed, deeds
from gradebox.code.names import parsed

IMPORTS = ast.Import | ast.ImportFrom
# Built-in functions by which code reaches what is not its own.
REACH = set(
    "exec eval globals locals vars setattr delattr getattr open input compile __import__ id dir".split()
)
# Names of Python's own that change nothing by being asked for.
PLAIN_DUNDERS = {"__init__", "__name__", "__len__", "__version__"}
DECORATORS = {"staticmethod", "classmethod", "property"}
# Parts of an expression that is evaluated where a function is defined, and does nothing then.
IDLE = (
    ast.Constant | ast.Name | ast.Attribute | ast.Subscript | ast.Tuple | ast.UnaryOp | ast.BinOp
    | ast.operator | ast.unaryop | ast.expr_context
)  # fmt: skip


def leaves_no_trace(students: Iterable[str], given: Iterable[str]) -> bool:
    """Whether no function or class of a student's cells keeps anything between calls.

    Nor may one of the instructor's (`given`) that they name: tests call those of their own process.
    """
    students, given = list(students), list(given)
    modules = imported([*given, *students])
    theirs = definitions(given)
    done = (one for source in (*given, *students) for one in deeds(source, modules, {}))
    seeded = {one.what for one in done if one.act == SEEDS}
    waiting: list[ast.AST] = [parsed(source) for source in students]
    defined, seen = definitions(students).keys() | theirs.keys(), set[str]()
    while waiting:
        tree = waiting.pop()
        if not all(own_affairs(node, modules, defined, seeded) for node in outermost(tree)):
            return False
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not plain_class(node, modules):
                return False
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not plain_function(node):
                return False
            if isinstance(node, ast.Name) and node.id in theirs.keys() - seen:
                seen.add(node.id)
                waiting += theirs[node.id]
    return True


def outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that are in no other one; methods are among them."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from outermost(child)


def only_defines(source: str) -> bool:
    """Whether a cell defines plain functions and classes, and does nothing else.

    One with a syntax error does nothing.
    """
    body = parsed(source).body
    modules = imported([source])
    return all(
        isinstance(node, IMPORTS | ast.Pass)
        or is_text(node)
        or (isinstance(node, ast.ClassDef) and plain_class(node, modules, methods=True))
        or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and plain_function(node))
        for node in body
    )


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def idle(parts: Iterable[ast.AST | None]) -> bool:
    """Whether it does nothing to evaluate these."""
    return all(isinstance(node, IDLE) for part in parts if part for node in ast.walk(part))


def plain_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a definition does nothing, and what it defines is the function itself."""
    arguments = node.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    annotations = [one.annotation for one in every if one] + [node.returns]
    decorated = all(isinstance(one, ast.Name) and one.id in DECORATORS for one in node.decorator_list)
    defaults = [*arguments.defaults, *arguments.kw_defaults]
    # A list as a default would be kept, and so may be what a name stands for.
    constants = all(
        isinstance(part, ast.Constant | ast.UnaryOp | ast.USub | ast.Tuple | ast.Load)
        for default in defaults
        if default
        for part in ast.walk(default)
    )
    return decorated and constants and idle(annotations)


def plain_class(node: ast.ClassDef, modules: Mapping[str, str], methods: bool = False) -> bool:
    """Whether a class keeps nothing itself: its body holds methods and constants, its base is a library's.

    methods: whether these are looked at, too.
    """
    if node.decorator_list or node.keywords:
        return False
    if not all(dotted(base, modules) or ast.unparse(base) in ("object", "nn.Module") for base in node.bases):
        return False
    for part in node.body:
        fine = isinstance(part, ast.Pass) or is_text(part)
        if isinstance(part, ast.Assign):
            fine = isinstance(part.value, ast.Constant)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            fine = not methods or plain_function(part)
        if not fine:
            return False
    return True


def own_affairs(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    modules: Mapping[str, str],
    defined: Set[str],
    seeded: Set[str],
) -> bool:
    """Whether a function reads and changes only what is its own, and what it is given.

    seeded: whose random numbers it may not draw.
    """
    own = set(names_of(function))
    readable = own | set(modules) | defined | (set(dir(builtins)) - REACH)
    for node in (part for statement in function.body for part in ast.walk(statement)):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.ClassDef):
            return False
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in readable:
            return False
        if isinstance(node, ast.Attribute) and not plain_attribute(node, own, modules, defined):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            if root(node) not in own - {"cls"}:
                return False
        done = deed(node, modules)
        if done and (done.act not in (DRAWS, STARTS) or done.what in seeded):
            return False
    return True


def plain_attribute(
    node: ast.Attribute, own: Set[str], modules: Mapping[str, str], defined: Set[str]
) -> bool:
    """Whether an attribute is no way to what is kept elsewhere."""
    if node.attr.startswith("__") and node.attr not in PLAIN_DUNDERS:
        return False
    name = dotted(node, modules) or ""
    if "random" in name.split("."):
        return False
    # What a function or class of a cell holds lasts.
    return root(node) not in defined - own


def root(node: ast.AST) -> str:
    """The name that an attribute or an item is of; "" for what something else comes to."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def names_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names that are a function's own: its arguments, and what it gives a value to."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not function:
            yield node.name
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
