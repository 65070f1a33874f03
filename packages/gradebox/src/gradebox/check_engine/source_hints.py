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


def slip_in_text(text):
    """Return a hint on a line that is almost never meant as it is written, or ""."""
    for look in (
        reset_in_loop,
        kept_list,
        kept_sum,
        floored_root,
        term_in_divisor,
        term_in_logarithm,
        rounding,
    ):
        for function in functions_in(text):
            if hint := look(function):
                return hint
    return ""


def loops_in(function):
    return [one for one in statements_in(function) if isinstance(one, (ast.For, ast.While))]


def grown_by(statement):
    """Return the name that a statement adds to, as `total += x`, `total = total + x` or `rows.append(x)`."""
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return getattr(statement.target, "id", "")
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call):
        return first_name(value.func) if last_name(value.func) in ("append", "extend") else ""
    if isinstance(statement, ast.Assign) and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        name = getattr(statement.targets[0], "id", None)
        return name if name == getattr(value.left, "id", "") else ""
    return ""


def begun_by(statement):
    """Return the name that a statement sets to 0, an empty list or zeros."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return ""
    value = statement.value
    zero = isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value == 0
    empty = isinstance(value, ast.List) and not value.elts
    zeros = isinstance(value, ast.Call) and last_name(value.func) in ("zeros", "zeros_like")
    return getattr(statement.targets[0], "id", "") if zero or empty or zeros else ""


def names_in(node):
    """Return the names in an expression or statement."""
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)]


def reads_of(nodes, name):
    """Return the places where a name is read."""
    found = [part for node in nodes for part in names_in(node)]
    return [part for part in found if part.id == name and isinstance(part.ctx, ast.Load)]


def reset_in_loop(function):
    """Return a hint on a sum or list that begins anew in each round of a loop, but is used only after it."""
    for loop in loops_in(function):
        inside = statements_in(loop)
        for one in loop.body:
            if not (name := begun_by(one)):
                continue
            grows = [other for other in inside if grown_by(other) == name]
            of_growth = sum(len(reads_of([other], name)) for other in grows)
            after = [other for other in reads_of(function.body, name) if other.lineno > loop.end_lineno]
            if grows and after and len(reads_of(loop.body, name)) == of_growth:
                return (
                    f"line {one.lineno} of your cell: `{code_of(one)}` is inside of the loop, so only the "
                    "last round counts: move it before the loop"
                )
    return ""


def kept_list(function):
    """Return a hint on a list that grows in an inner loop, and does not begin anew in the outer one."""
    begins = {name: one for one in statements_in(function) if (name := begun_by(one))}
    for loop in loops_in(function):
        inner = [one for one in loop.body if isinstance(one, (ast.For, ast.While))]
        for grown in (one for each in inner for one in each.body):
            name, value = grown_by(grown), getattr(grown, "value", None)
            if name not in begins or not isinstance(value, ast.Call) or begins[name] in statements_in(loop):
                continue
            rest = [one for one in loop.body if one not in inner]
            parts = [one.value for node in rest for one in ast.walk(node) if isinstance(one, ast.Subscript)]
            whole = [one for one in reads_of(rest, name) if one not in parts]
            if whole:
                return (
                    f"line {whole[0].lineno} of your cell: {name} still has the entries of earlier rounds of "
                    f"the loop: begin it anew in each round, with {name} = []"
                )
    return ""


def kept_sum(function):
    """Return a hint on a divisor that grows in a loop, and also has the terms of its earlier rounds."""
    begins = {name: one for one in statements_in(function) if (name := begun_by(one))}
    for loop in loops_in(function):
        inside = statements_in(loop)
        set_here = [one for one in inside if getattr(one, "targets", None) or isinstance(one, ast.AugAssign)]
        for one in loop.body:
            value = getattr(one, "value", None)
            for part in ast.walk(value) if value else ():
                if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Div):
                    continue
                name = getattr(part.right, "id", "")
                targets = [
                    other
                    for other in set_here
                    for target in getattr(other, "targets", [getattr(other, "target", None)])
                    if first_name(target) == name
                ]
                # A numerator that grows alike makes a running mean.
                grows_too = any(
                    grown_by(other) in {word.id for word in names_in(part.left)} for other in inside
                )
                only_grows = targets and all(grown_by(other) == name for other in targets)
                if only_grows and not grows_too and name in begins and begins[name] not in inside:
                    return (
                        f"line {part.lineno} of your cell: {name} still has the terms of earlier rounds of "
                        f"the loop: begin it anew in each round, with {name} = 0"
                    )
    return ""


def floored_root(function):
    """Return a hint on // with a root."""
    for node in ast.walk(function):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.FloorDiv):
            divisor = node.right if isinstance(node, ast.BinOp) else node.value
            power = isinstance(divisor, ast.BinOp) and isinstance(divisor.op, ast.Pow)
            if power or isinstance(divisor, ast.Call) and last_name(divisor.func) == "sqrt":
                return f"line {node.lineno} of your cell: // cuts off the decimal places: divide with /"
    return ""


def term_in_divisor(function):
    """Return a hint on a small number that is added to a sum in a divisor."""
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.right, ast.BinOp):
            sides = node.right.left, node.right.right
            small = [one.value for one in sides if isinstance(one, ast.Constant) and type(one.value) is float]
            sums = [one for one in sides if isinstance(one, ast.Call) and last_name(one.func) == "sum"]
            if isinstance(node.right.op, ast.Add) and small and sums and 0 < small[0] <= 0.01:
                where = f"line {node.lineno} of your cell"
                return f"{where}: {small[0]} is added to the sum: divide by the sum alone"
    return ""


def term_in_logarithm(function):
    """Return a hint on a small number that is added to all numbers in a logarithm."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or last_name(node.func) not in ("log", "log2", "log10"):
            continue
        # The argument, or the object of a method of torch.
        inside = [*node.args[:1], getattr(node.func, "value", None)]
        for one in inside:
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add):
                small = [part.value for part in (one.left, one.right) if isinstance(part, ast.Constant)]
                # A smaller number changes no digit that is compared.
                if small and type(small[0]) is float and 1e-6 <= small[0] <= 0.01:
                    where = f"line {node.lineno} of your cell"
                    return f"{where}: {small[0]} is added to all numbers in the logarithm, not only to zeros"
    return ""


def rounding(function):
    """Return a hint on a call that rounds numbers."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    # The labels of a figure are rounded on purpose.
    for node in calls if not any(last_name(one.func) in ("annotate", "text") for one in calls) else ():
        if last_name(node.func) in ("around", "rint", "round", "trunc"):
            where = f"line {node.lineno} of your cell"
            return f"{where}: `{code_of(node)}` rounds numbers: keep all digits of what goes into the result"
    return ""


def unused_arguments(text):
    """Return a hint on arguments that the body of their function never reads, or ""."""
    for function in functions_in(text):
        names = [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
        names = [name for name in names if name not in ("self", "cls") and not name.startswith("_")]
        unused = [name for name in names if not reads_of(function.body, name)]
        if unused:
            return f"{function.name} does not use {', '.join(unused)}: where does it belong?"
    return ""
