"""Where an error was raised, in words: the line of a notebook, and the sizes of what stands in it."""


# ------------------------------------------------------------------------------------------------------
def raised_in(error, files=None):
    """The last line of a student's own that an error came through, and the sizes there; "" for none.

    If that is in another cell than the line that called it, that one follows. files: those that the student's
    cells are known by in tracebacks; without them, all code of the notebook is the student's.
    """
    # The text of this function stands in lessons, too, and needs nothing around it.
    trace, frames = error.__traceback__, []
    while trace:
        frame = trace.tb_frame
        here = (
            frame.f_globals.get("__name__") == "__main__"
            if files is None
            else frame.f_code.co_filename in files
        )
        if here:
            frames.append((frame, trace.tb_lineno))
        trace = trace.tb_next
    if not frames:
        return ""
    last = frames[-1]
    above = [one for one in frames if one[0].f_code.co_filename != last[0].f_code.co_filename]
    return "\n".join([in_words(*last), *(f"called {in_words(*one)}" for one in above[:1])]).strip()


def in_words(frame, number):
    """A line, the function that it is of, and the sizes of what stands in it."""
    import linecache
    import re

    line = linecache.getline(frame.f_code.co_filename, number).strip()
    own, set_later = dict(frame.f_locals), set(frame.f_code.co_varnames)
    # What stands in brackets, [f(x) for x in rows], is a function of its own.
    while frame.f_code.co_name.startswith("<") and frame.f_back and frame.f_code.co_name != "<module>":
        frame = frame.f_back
        own, set_later = {**frame.f_locals, **own}, set_later | set(frame.f_code.co_varnames)
    sizes = []
    for path in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*\b(?!\s*=[^=])", line)):
        name, *attributes = path.split(".")
        if name == "_" or name in set_later and name not in own:
            continue
        value, whose = own.get(name, frame.f_globals.get(name)), "" if name in own else " of the notebook"
        # Of self.weight.grad, what first has a size.
        while not isinstance(shape := getattr(value, "shape", None), tuple) and attributes:
            name, whose = f"{name}.{attributes[0]}", ""
            value = getattr(value, attributes.pop(0), None)
        if isinstance(shape, tuple):
            sizes.append(f"{name} {tuple(shape)}{whose}")
        elif type(value) is int:
            sizes.append(f"{name} = {value}")
        elif type(value) in (list, tuple) and 0 < len(value) < 9:
            shapes = [getattr(part, "shape", None) for part in value]
            if all(isinstance(part, tuple) for part in shapes):
                sizes.append(f"{name} [{', '.join(str(tuple(part)) for part in shapes)}]")
    there = f"\nwith the sizes {', '.join(dict.fromkeys(sizes))}" if sizes else ""
    return f"in line {number} of {frame.f_code.co_name}: {line}{there}" if line else ""
