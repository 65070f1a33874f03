"""Hints from the text of a student's cell: unused results, a missing `raise`, where a gradient stops.

`check` adds them to its messages. A hint names the line, and states only what the text shows.
"""

import ast

# ------------------------------------------------------------------------------------------------------
# Functions and methods of NumPy and torch whose only effect is their result.
WITHOUT_EFFECT = set(
    """abs add amax amin argmax argsort astype bmm bool broadcast_to cat ceil chunk clamp clip clone
    concatenate contiguous copy cos cumsum diag divide dot dropout einsum exp expand expand_dims flatten flip
    float floor full gather hstack index_select inverse log log_softmax logaddexp logical_and logical_not
    logical_or logsumexp long masked_fill matmul max maximum mean min minimum moveaxis mul multiply normal
    ones outer pad permute power prod ravel repeat repeat_interleave reshape roll round rsqrt scatter sigmoid
    sin softmax split sqrt square squeeze stack std subtract sum swapaxes take tanh tensordot tile transpose
    tril triu true_divide unflatten unsqueeze var view vstack where zeros""".split()
)
# Methods of a module that are called for their effect.
WITH_EFFECT = set("apply eval half load_state_dict requires_grad_ to train zero_grad".split())
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


def unused_result(text, own):
    """Return a hint on a statement of a function that only computes something, or "".

    own: names of functions that students define.
    """
    functions = functions_in(text)
    methods = {function.name for function in functions}
    for statement in (one for function in functions for one in statements_in(function)):
        value = getattr(statement, "value", None)
        if not isinstance(statement, ast.Expr) or isinstance(value, ast.Constant):
            continue
        line, code = f"line {statement.lineno} of your cell", code_of(value)
        if isinstance(value, (ast.BinOp, ast.Compare, ast.Tuple, ast.Name)):
            return f"{line}: `{code}` is computed, but not used: is an assignment or a return missing?"
        if not isinstance(value, ast.Call):
            continue
        name = last_name(value.func)
        if name.endswith(("Error", "Exception")):
            return f"{line}: `{code}` only creates an error: write raise {name}(…)"
        module = first_name(value.func) == "self" and isinstance(value.func.value, ast.Name)
        part = module and value.args and name not in {*WITH_EFFECT, *methods} and "regist" not in name
        pure = name in WITHOUT_EFFECT and not module and all(one.arg != "out" for one in value.keywords)
        if pure or part or name in own:
            return f"{line}: the result of `{code}` is not used: assign or return it"
    return ""


def return_in_loop(text):
    """Return a hint on a `return` that ends a loop in its first round, or ""."""
    for statement in (one for function in functions_in(text) for one in statements_in(function)):
        if isinstance(statement, (ast.For, ast.While)):
            for one in statement.body:
                if isinstance(one, ast.Return):
                    return f"line {one.lineno} of your cell: this return ends the loop in its first round"
    return ""


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
