"""Where an error was raised, in words: the line of a notebook, and the sizes of what stands in it."""

# ------------------------------------------------------------------------------------------------------


def raised_in(error):
    """The last line of a notebook's own that an error came through, and the sizes there; "" for none."""
    # The text of this function stands in lessons, too, and needs nothing around it.
    import linecache
    import re

    trace, found = error.__traceback__, None
    while trace:
        code = trace.tb_frame.f_code
        inside = code.co_filename == raised_in.__code__.co_filename
        if trace.tb_frame.f_globals.get("__name__") == "__main__" and not inside:
            found = trace
        trace = trace.tb_next
    line = found and linecache.getline(found.tb_frame.f_code.co_filename, found.tb_lineno).strip()
    if not line:
        return ""
    own, known, sizes = found.tb_frame.f_locals, found.tb_frame.f_globals, []
    for path in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*", line)):
        name, *attributes = path.split(".")
        value, whose = own.get(name, known.get(name)), "" if name in own else " of the notebook"
        # Of self.weight.grad, what first has a size.
        while not isinstance(shape := getattr(value, "shape", None), tuple) and attributes:
            name, whose = f"{name}.{attributes[0]}", ""
            value = getattr(value, attributes.pop(0), None)
        if isinstance(shape, tuple) and name != "_":
            sizes.append(f"{name} {tuple(shape)}{whose}")
        elif type(value) is int:
            sizes.append(f"{name} = {value}")
        elif type(value) in (list, tuple) and 0 < len(value) < 9:
            shapes = [getattr(part, "shape", None) for part in value]
            if all(isinstance(part, tuple) for part in shapes):
                sizes.append(f"{name} [{', '.join(str(tuple(part)) for part in shapes)}]")
    there = f"\nwith the sizes {', '.join(dict.fromkeys(sizes))}" if sizes else ""
    return f"in line {found.tb_lineno}: {line}{there}"
