"""A copy as a student would hide it: other names, other comments, lines in another order."""

import ast
import builtins
import keyword


def disguised(code: str) -> str:
    """The same code with other names and comments, and neighbouring assignments swapped where it may be."""
    tree = ast.parse(code)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            swap(node.body)
            own = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)]
            stored = [
                one.id
                for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            ]
            for name in (*own, *stored):
                if not hasattr(builtins, name) and not keyword.iskeyword(name):
                    names.setdefault(name, f"my_{name}_{len(names)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    lines = ast.unparse(tree).splitlines()
    return "\n".join(f"{line}  # step {number}" for number, line in enumerate(lines))


def swap(body: list[ast.stmt]) -> None:
    """Swap neighbouring assignments of which neither needs the other."""
    for number in range(len(body) - 1):
        first, second = body[number : number + 2]
        if not (isinstance(first, ast.Assign) and isinstance(second, ast.Assign)):
            continue
        if not stored(first) & used(second) and not stored(second) & used(first):
            body[number], body[number + 1] = second, first
            return


def stored(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def used(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
