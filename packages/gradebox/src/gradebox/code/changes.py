"""Whose values a cell may change: `x[0] = 1`, `np.fill_diagonal(x, 0)`, `for row in x: row[0] = 1`.

What a function does to its arguments that the notebook itself defines is not looked at.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Set

from gradebox.code import names
from gradebox.code.calls import dotted

# Methods that change what they are called on, besides those of `names.py`: a generator's, a module's.
METHODS = names.CHANGING | set(
    "normal uniform integers random standard_normal choice shuffle permutation permuted exponential train "
    "eval zero_grad step backward load_state_dict register_buffer register_parameter apply "
    "manual_seed seed to half double float cuda cpu add_module".split()
)
# Functions that change what they are given first.
FUNCTIONS = {
    *("next", "setattr", "delattr", "random.shuffle", "numpy.random.shuffle", "numpy.copyto", "numpy.put"),
    *("numpy.fill_diagonal", "numpy.place", "numpy.putmask", "numpy.put_along_axis", "heapq.heapify"),
    *("heapq.heappush", "heapq.heappop"),
}
# Methods of others that do, such as `rng.shuffle(x)` and `np.add.at(x, ...)`.
OF_OTHERS = {"shuffle", "at"}
# What shows the values of something else: whoever changes it changes them, too.
VIEWS = set(
    "reshape view ravel transpose swapaxes swapdims squeeze unsqueeze diagonal numpy detach expand permute "
    "narrow chunk split unbind unfold items values get setdefault parameters named_parameters "
    "children modules buffers state_dict".split()
)
VIEWING = {
    *("iter", "enumerate", "zip", "reversed", "list", "numpy.asarray", "numpy.asanyarray", "numpy.nditer"),
    *("numpy.reshape", "numpy.ravel", "numpy.transpose", "numpy.swapaxes", "numpy.squeeze"),
    *("numpy.broadcast_to", "numpy.diagonal", "torch.as_tensor", "torch.from_numpy", "torch.asarray"),
}

# Of these, those that give a new list of the very same values.
NEW = frozenset(("list", "iter", "enumerate", "zip", "reversed"))


def changes_itself(source: str, modules: Mapping[str, str]) -> set[str]:
    """The names whose values a cell may change, or parts of them. modules: what imported names stand for.

    A list of the values that another one has may be changed without that one.
    """
    tree = names.parsed(source)
    whole = {target.id for target in changed(tree, modules) if isinstance(target, ast.Name)}
    parts = (target for target in changed(tree, modules) if not isinstance(target, ast.Name))
    inner = [root for target in parts for root in roots(target, modules)]
    return reached(whole, views(tree, modules, NEW)) | reached(inner, views(tree, modules))


def reached(begun: Iterable[str], shown: Mapping[str, set[str]]) -> set[str]:
    """These names, and those whose values they show."""
    waiting, found = list(begun), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += shown.get(name, set())
    return found


def changing(sources: Iterable[str], modules: Mapping[str, str]) -> frozenset[str]:
    """The functions and methods of cells that may change what they are given, by their names."""
    functions = [(node, own) for source in sources for node, own in defined(names.parsed(source))]
    found = {node.name for node, own in functions if own & changes_itself(ast.unparse(node), modules)}
    for _ in functions:
        # And those that call them.
        new = {n.name for n, _ in functions if any(is_call(one, found, modules) for one in ast.walk(n))}
        if new <= found:
            break
        found |= new
    return frozenset(found)


def defined(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, set[str]]]:
    """The functions in code, each with its parameters, but for the object that a method is called on."""
    methods = {id(one) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for one in node.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = [*node.args.posonlyargs, *node.args.args][id(node) in methods :]
            extra = [one for one in (node.args.vararg, node.args.kwarg) if one]
            yield node, {one.arg for one in [*every, *node.args.kwonlyargs, *extra]}


def changed(tree: ast.AST, modules: Mapping[str, str]) -> Iterator[ast.AST]:
    """The expressions whose values code changes."""
    yield from names.changed(tree, METHODS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "out")
            of_other = isinstance(node.func, ast.Attribute) and node.func.attr in OF_OTHERS
            if called(node, modules) in FUNCTIONS or of_other:
                yield from node.args[:1]


def called(node: ast.Call, modules: Mapping[str, str]) -> str:
    """The full name of a function that is called, or the name that the code has for it."""
    return dotted(node.func, modules) or (node.func.id if isinstance(node.func, ast.Name) else "")


def views(tree: ast.AST, modules: Mapping[str, str], but: Set[str] = frozenset()) -> dict[str, set[str]]:
    """The names that code gives to values, or parts of values, that have other names.

    but: the functions whose results are left out where they are given a name, and with any of them displays
    of lists.
    """
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        value: ast.AST | None = None
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.NamedExpr | ast.AnnAssign):
            targets, value = [node.target], node.value
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            targets, value = [node.target], node.iter
        given = not isinstance(node, ast.For | ast.AsyncFor | ast.comprehension)
        if but and given and (isinstance(value, ast.List) or is_call(value, but, modules)):
            continue
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    found.setdefault(part.id, set()).update(roots(value, modules) - {part.id})
    return found


def is_call(node: ast.AST | None, functions: Set[str], modules: Mapping[str, str]) -> bool:
    return isinstance(node, ast.Call) and called(node, modules) in functions


def roots(node: ast.AST | None, modules: Mapping[str, str]) -> set[str]:
    """The names whose values an expression's value is, or is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        node = node.value
    parts: list[ast.AST] = []
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Tuple | ast.List):
        parts = list(node.elts)
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.NamedExpr):
        parts = [node.value]
    elif isinstance(node, ast.Call):
        function = called(node, modules)
        if function in VIEWING or function.startswith("torch.optim."):
            parts = list(node.args)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            parts = [node.func.value]
    return set().union(*(roots(part, modules) for part in parts))
