"""Where an error was raised, in words: the line of a notebook, and the sizes of what stands in it."""

import inspect


# ------------------------------------------------------------------------------------------------------
def students_files(notebook):
    """What the cells with the student's functions and classes are called in tracebacks.

    notebook: its names. None if it has no messages, which say what a student defines.
    """
    if "MESSAGES" not in notebook:
        return None
    values = [notebook.get(name) for known in notebook["MESSAGES"].values() for name in known["defines"]]
    values += [part for value in values if isinstance(value, type) for part in vars(value).values()]
    codes = [getattr(inspect.unwrap(value), "__code__", None) for value in values if callable(value)]
    return {code.co_filename for code in codes if code}


def raised_in(error, files):
    """The last line of a student's own that an error came through, and the sizes there; "" for none.

    If that is in another cell than the function that the test has called, a line of this one follows.
    files: those of the student's cells; None for all of the notebook.
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
    """The last of some lines, the function that it is of, and the sizes of what stands in it."""
    import linecache
    import re

    frame, number = frames[-1]
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    # What stands in brackets, [f(x) for x in rows], is a function of its own.
    around = [frame]
    while around[-1].f_code.co_name.startswith("<") and len(frames) > len(around):
        around.append(frames[-1 - len(around)][0])
    own = {name: value for one in around[::-1] for name, value in one.f_locals.items()}
    others = {name for one in around for name in one.f_code.co_names} - {
        name for one in around for name in one.f_code.co_varnames
    }
    sizes = []
    # What stands in a text or a comment names nothing.
    code = re.sub(r"""(["'])(?:\\.|(?!\1).)*\1|#.*""", "", line)
    for path in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*\b(?!\s*=[^=])", code)):
        name, *attributes = path.split(".")
        if name == "_" or name not in own and name not in others:
            continue
        value, whose = own.get(name, frame.f_globals.get(name)), "" if name in own else " of the notebook"
        # Of self.weight.grad, what first has a size.
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
    return f"in line {number} of {around[-1].f_code.co_name}: {line}{there}" if line else ""


def shapes_in(value):
    """The shapes of the arrays in a list or a tuple, and in those in it; "" if it holds anything else."""
    if isinstance(shape := getattr(value, "shape", None), tuple):
        return str(tuple(shape))
    parts = [shapes_in(part) for part in value] if type(value) in (list, tuple) and len(value) < 9 else []
    inside = f"[{', '.join(parts)}]" if parts and all(parts) else ""
    return inside and ("tuple" if type(value) is tuple else "") + inside
