"""Hints from the text of a student's cell: where an argument is changed, and where a gradient stops.

`check` and `check_gradients` add them to their messages. A hint names the line, and states only what the text
shows.
"""

import ast

# ------------------------------------------------------------------------------------------------------
MUTATING = set("append clear extend fill insert pop remove reverse sort update".split())
CUTS_GRADIENT = {
    "detach": ".detach()",
    "data": ".data",
    "item": ".item()",
    "tolist": ".tolist()",
    "numpy": ".numpy()",
    "no_grad": "no_grad",
    "inference_mode": "inference_mode",
}
NEW_TENSORS = "tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "asarray", "array"
# Characters of a line of code in a message.
MAX_SHOWN_CODE = 60


def functions_in(text):
    """Return the syntax trees of the functions in a cell, methods included; [] if it is not plain Python."""
    try:
        nodes = ast.walk(ast.parse(text))
    except SyntaxError:
        return []
    return [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def statements_in(function):
    """Return the statements of a function, without those of functions inside of it."""
    found, waiting = [], list(function.body)
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody", "handlers"):
                waiting += getattr(one, field, [])
    return found


def code_of(node):
    """Return a node's code in one line, shortened."""
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= MAX_SHOWN_CODE else text[: MAX_SHOWN_CODE - 1] + "…"


def last_name(node):
    """Return the last name of a dotted name, such as "exp" for np.exp; "" for other expressions."""
    return getattr(node, "attr", getattr(node, "id", ""))


def first_name(node):
    """Return the name of the variable that an expression reads or changes, such as "x" for x.T[0]."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def changing_line(text, argument):
    """Return a hint on the line of a function that changes its argument in place, or ""."""
    for function in functions_in(text):
        arguments = function.args
        if argument not in {one.arg for one in (*arguments.args, *arguments.kwonlyargs)}:
            continue
        for statement in statements_in(function):
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            changed = [one for one in targets if isinstance(one, (ast.Subscript, ast.Attribute))]
            if isinstance(statement, ast.AugAssign):
                changed.append(statement.target)
            value = getattr(statement, "value", None)
            if isinstance(value, ast.Call):
                name = last_name(value.func)
                if isinstance(value.func, ast.Attribute) and (name in MUTATING or name.endswith("_")):
                    changed.append(value.func.value)
                changed += [one.value for one in value.keywords if one.arg == "out"]
            if argument in map(first_name, changed):
                return f"line {statement.lineno} of your cell, `{code_of(statement)}`, changes {argument}"
    return ""


def gradient_cut(text):
    """Return a hint on code through which no gradient flows, or ""."""
    nodes = [node for function in functions_in(text) for node in ast.walk(function)]
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in CUTS_GRADIENT:
            return f"line {node.lineno} of your cell: no gradient flows through {CUTS_GRADIENT[node.attr]}"
    # Less certain: these may be numbers that need no gradient, such as lengths.
    for node in nodes:
        if isinstance(node, ast.Call) and last_name(node.func) in NEW_TENSORS and node.args:
            if any(isinstance(one, (ast.Name, ast.Attribute)) for one in ast.walk(node.args[0])):
                where = f"line {node.lineno} of your cell"
                return f"{where}: `{code_of(node)}` makes a new tensor, so no gradient flows through it"
        if isinstance(node, ast.Attribute) and first_name(node) in ("np", "numpy"):
            where = f"line {node.lineno} of your cell"
            return f"{where}: no gradient flows through NumPy: use the function of torch"
    return ""
