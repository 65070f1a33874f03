"""Description of the notebook line that raised an error, with the sizes of the arrays in it."""

import inspect


# ------------------------------------------------------------------------------------------------------
def students_files(notebook):
    """Return the file names, in tracebacks, of the cells that define the student's functions and classes.

    notebook: its namespace. Return None if it has no MESSAGES, which list the names that a student defines.
    """
    if "MESSAGES" not in notebook:
        return None
    values = [notebook.get(name) for known in notebook["MESSAGES"].values() for name in known["defines"]]
    values += [part for value in values if isinstance(value, type) for part in vars(value).values()]
    codes = [getattr(inspect.unwrap(value), "__code__", None) for value in values if callable(value)]
    return {code.co_filename for code in codes if code}


def raised_in(error, files):
    """Describe the last line of student code in an error's traceback, with the sizes in it, or "".

    If this line is in another cell than the function that the test called, a line of that function follows.
    files: the file names of the student's cells; None for all cells of the notebook.
    """
    trace, frames = error.__traceback__, []
    while trace:
        frame = trace.tb_frame
        main = frame.f_globals.get("__name__") == "__main__"
        if main if files is None else frame.f_code.co_filename in files:
            frames.append((frame, trace.tb_lineno))
        trace = trace.tb_next
    if not frames:
        return ""
    last = frames[-1][0].f_code.co_filename
    first = next((n for n, (frame, _) in enumerate(frames) if frame.f_code.co_filename != last), None)
    called = "" if first is None else "\ncalled " + in_words(frames[: first + 1])
    return in_words(frames) + called


def in_words(frames):
    """Describe the last of some frames: its line, its function, and the sizes of the arrays in the line."""
    import ast
    import linecache
    import re

    frame, number = frames[-1]
    file = frame.f_code.co_filename
    line, test = linecache.getline(file, number).strip(), None
    if line.startswith("raise") and (test := condition_of("".join(linecache.getlines(file)), number)):
        line = f"if {ast.unparse(test)}: {line}"
    # A comprehension, as in [f(x) for x in rows], has its own frame.
    around = [frame]
    while around[-1].f_code.co_name.startswith("<") and len(frames) > len(around):
        around.append(frames[-1 - len(around)][0])
    own = {name: value for one in around[::-1] for name, value in one.f_locals.items()}
    others = {name for one in around for name in one.f_code.co_names} - {
        name for one in around for name in one.f_code.co_varnames
    }
    sizes = []
    # Words in a string or a comment are not names.
    code = re.sub(r"""(["'])(?:\\.|(?!\1).)*\1|#.*""", "", line)
    for path in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*\b(?!\s*=[^=])", code)):
        name, *attributes = path.split(".")
        if name == "_" or name not in own and name not in others:
            continue
        value, whose = own.get(name, frame.f_globals.get(name)), "" if name in own else " of the notebook"
        # In self.weight.grad, use the first part that has a size.
        while not isinstance(shape := getattr(value, "shape", None), tuple) and attributes:
            name, whose = f"{name}.{attributes[0]}", ""
            value = getattr(value, attributes.pop(0), None)
        if isinstance(shape, tuple) and attributes and attributes[0] in ("T", "mT"):
            name, shape = f"{name}.{attributes[0]}", getattr(value, attributes[0]).shape
        if isinstance(shape, tuple):
            sizes.append(f"{name} {tuple(shape)}{whose}")
        elif type(value) is int:
            sizes.append(f"{name} = {value}")
        elif type(value) in (list, tuple) and (shapes := shapes_in(value)):
            sizes.append(f"{name} {shapes}")
    there = f"\nwith the sizes {', '.join(dict.fromkeys(sizes))}" if sizes else ""
    if test and (sides := sides_of(test, {**frame.f_globals, **own})):
        there += f"\nwhere {', '.join(sides)}"
    return f"in line {number} of {around[-1].f_code.co_name}: {line}{there}" if line else ""


def condition_of(text, number):
    """Return the condition of the `if` of which the statement in a line is the body, as a tree, or None."""
    import ast

    try:
        nodes = ast.walk(ast.parse(text))
    except SyntaxError:
        return None
    tests = [one.test for one in nodes if isinstance(one, ast.If) and one.body[0].lineno == number]
    return tests[-1] if tests else None


def sides_of(test, names):
    """Return the values of what a condition compares, such as "mask.shape = (3, 4)"; names: the variables.

    Of a condition with `or`, only comparisons that are true count. One comparison alone needs no values.
    """
    import ast
    import operator

    checks = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.Gt: operator.gt}
    either = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)
    sides = {}
    for one in ast.walk(test) if isinstance(test, ast.BoolOp) else ():
        if not isinstance(one, ast.Compare) or len(one.ops) > 1 or type(one.ops[0]) not in checks:
            continue
        both = {ast.unparse(side): value_of(side, names) for side in (one.left, *one.comparators)}
        known = len(both) == 2 and {*map(type, both.values())} in ({int}, {tuple})
        if known and (not either or checks[type(one.ops[0])](*both.values())):
            sides |= both
    return [f"{code} = {value}" for code, value in sides.items() if code != str(value)]


def value_of(node, names):
    """Return the integer or the shape that a simple expression has, such as x.shape[1]; None for others."""
    import ast

    try:
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim"):
            value = getattr(value_of(node.value, names), node.attr)
            return value if isinstance(value, int) else tuple(value)
        if isinstance(node, ast.Subscript):
            value = value_of(node.value, names)
            return value[ast.literal_eval(node.slice)] if type(value) is tuple else None
        if isinstance(node, ast.Tuple):
            return tuple(value_of(part, names) for part in node.elts)
        return ast.literal_eval(node)
    except Exception:
        return None


def shapes_in(value):
    """Return the shapes of the arrays in a nested list or tuple; "" if it contains anything else."""
    if isinstance(shape := getattr(value, "shape", None), tuple):
        return str(tuple(shape))
    parts = [shapes_in(part) for part in value] if type(value) in (list, tuple) and len(value) < 9 else []
    inside = f"[{', '.join(parts)}]" if parts and all(parts) else ""
    return inside and ("tuple" if type(value) is tuple else "") + inside
