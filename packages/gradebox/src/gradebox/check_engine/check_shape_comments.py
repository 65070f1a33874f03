"""The `follow_shapes` function, which runs a method and checks its shape comments line by line.

The code below the line is copied into lessons. It needs no library: any object with a shape counts.
`grade_shape_comments.py` uses the same rules in graded tests.
"""

import ast
import inspect
import io
import re
import sys
import tokenize
import traceback
import types
from collections import namedtuple

# ------------------------------------------------------------------------------------------------------
# Name of the function that instrumented code calls with each value.
RECORD = "record_of_follow_shapes"
# Expressions and attributes that may create an array; other expressions only name an existing one.
MAKING: tuple = (ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Subscript, ast.IfExp)
MAKING += ast.ListComp, ast.GeneratorExp, ast.NamedExpr
NAMING = ast.Name, ast.Attribute, ast.Tuple, ast.List
VIEWS, LOOP = ("T", "mT", "H", "mH"), "loop"
# Statements that need a comment if they create an array.
STATEMENTS = ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr
# The location of an expression: its last line, the enclosing expression, the first and last line of its
# statement, whether it needs a comment, and whether it is inside a comprehension, or the variable of a loop.
Place = namedtuple("Place", "last around statement wanted aside")


def follow_shapes(*runs):
    """Print the lines of a method, the shapes created there, and if its comment `# [batch, seq]` is true.

    runs: two or more tuples (sizes, layer, *arguments). sizes: numbers by name, all different. For a layer,
    its `forward` method is traced, else the function itself. A dict as the last argument holds keyword
    arguments.
    """
    try:
        lines = followed(*runs)
    except (OSError, TypeError, SyntaxError) as problem:
        print(f"This function can't be traced: run the cell that defines it once more.\n({problem})")
        return
    for verdict, line, shown in lines:
        print(f"{verdict:6}| {line}")
        if shown:
            print(" " * 6 + "| " + " " * (len(line) - len(line.lstrip())) + "→ " + shown)
    said = [verdict for verdict, _, _ in lines]
    kinds = ("{} true", "{} FALSE", "{} without a comment (none)", "{} that can't be read (unread)")
    counts = map(said.count, ("true", "FALSE", "none", "unread"))
    print("\n" + ", ".join(kind.format(n) for kind, n in zip(kinds, counts) if n or kind != kinds[-1]))


def followed(*runs):
    """Return (verdict, line, shapes to show) for each line of the method.

    A verdict is "true" or "FALSE" for a comment, "unread" for a comment with words that are not sizes, "none"
    for a missing comment, "stop" for the line that raised an error, and "" otherwise.
    """
    method = getattr(runs[0][1], "forward", runs[0][1])
    function = inspect.unwrap(getattr(method, "__func__", method))
    text, defined = text_of(function)
    body = defined.body[0].lineno
    marker = Marker()
    marker.generic_visit(defined)
    marker.places[0] = Place(body - 1, None, (1, body - 1), False, False)
    seen, verdicts = [], {}
    for _, layer, *given in runs:
        options = given.pop() if given and isinstance(given[-1], dict) else {}
        shapes = [shape for one in (*given, *options.values()) for shape in shapes_of(one)]
        seen.append({0: [(shapes, {})]} if shapes else {})
        own = [layer] if hasattr(layer, "forward") else []
        try:
            marked(function, defined, seen[-1])(*own, *given, **options)
        except Exception as error:
            lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == RECORD]
            why = str(error).split("\n")[0]
            verdicts[(lines or [body])[-1]] = "stop", f"{type(error).__name__}{': ' if why else ''}{why}"
    return line_verdicts(text, marker, seen, [dict(sizes) for sizes, *_ in runs], verdicts)


def line_verdicts(text, marker, seen, names, verdicts):
    """Return (verdict, line, shapes to show) for each line of a text.

    seen: for each run, the recorded values by location. names: for each run, the sizes of names; new names
    are added. verdicts: those that are known, by line.
    """
    made, comments = marker.known(set().union(*seen)), comments_in(text)
    about = {line: meant(line, made) for line in comments}
    for n, place in made.items():
        # A comment after `for x in xs:` with as many axes as x describes x.
        axes = {len(shape) for run in seen for shapes, _ in run.get(n, []) for shape in shapes}
        if place.aside == LOOP and axes == {len(entries) for entries in comments.get(place.last, [])}:
            about[place.last] = [n]
    # For each comment and run: the stated shapes, the created shapes, and the sizes of names.
    cases = {
        line: [(stated, [run.get(n, []) for n in about[line]], known) for run, known in zip(seen, names)]
        for line, stated in comments.items()
        if about[line]
    }
    new = {line: [name for case in own for name in learn(*case)] for line, own in cases.items()}
    for line, own in cases.items():
        wrong = [why for case in own if (why := falsehood(*case))]
        remarks = wrong[:1] or [f"a new name: {name}" for name in dict.fromkeys(new[line])]
        shown = ": ".join([what_it_is(about[line], seen), *([", ".join(remarks)] if remarks else [])])
        unread = wrong and all("can't be" in why for why in wrong)
        verdicts.setdefault(line, ("unread" if unread else "FALSE" if wrong else "true", shown))
    told = set().union(*about.values())
    for n, place in made.items():
        if place.wanted and n not in told and place.around is None:
            verdicts.setdefault(place.last, ("none", what_it_is([n], seen)))
    lines = text.split("\n")
    shown = (verdicts.get(number, ("", "")) for number in range(1, len(lines) + 1))
    return [(verdict, line, what) for line, (verdict, what) in zip(lines, shown)]


def text_of(function):
    """Return the dedented source of a function, and its syntax tree, whose first line is line 1."""
    lines = "".join(inspect.getsourcelines(function)[0]).rstrip().split("\n")
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    tree = ast.parse("if True:\n" + "\n".join(lines) if indent else "\n".join(lines))
    defined = tree.body[0].body[0] if indent else tree.body[0]
    if not isinstance(defined, ast.FunctionDef):
        raise TypeError("the function is not defined with def")
    if indent:
        ast.increment_lineno(defined, -1)
    defined.decorator_list = []
    return "\n".join(line.removeprefix(indent) for line in lines), defined


def makes(node):
    """Return True if an expression creates an array, and does not only name one."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(map(makes, node.elts))
    return isinstance(node, MAKING) or isinstance(node, ast.Attribute) and node.attr in VIEWS


class Marker(ast.NodeTransformer):
    """Transformer that makes every expression record its value. places: their locations, by number."""

    def __init__(self):
        self.places, self.outer, self.statement, self.needs, self.aside = {}, None, (1, 1), False, False

    def known(self, numbers):
        """Return the locations of these expressions, each with the next of them around it."""
        found = {}
        for number in sorted(numbers):
            outer = self.places[number].around
            while outer is not None and outer not in numbers:
                outer = self.places[outer].around
            found[number] = self.places[number]._replace(around=outer)
        return found

    def visit(self, node):
        if isinstance(node, ast.stmt):
            return self.of_statement(node)
        if isinstance(node, (ast.JoinedStr, ast.pattern)) or not isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            return node
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            # In q.shape, q itself is not recorded.
            return self.handed_over(node, makes(node), [])
        if isinstance(node, ast.comprehension):
            before, self.aside = self.aside, True
            self.generic_visit(node)
            self.aside = before
            return node
        if not isinstance(node, (*MAKING, *NAMING)):
            return self.generic_visit(node)
        return self.handed_over(node, makes(node))

    def of_statement(self, node):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return node
        before = self.statement, self.needs, self.outer
        body = getattr(node, "body", None)
        last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
        self.statement, self.needs, self.outer = (node.lineno, last), isinstance(node, STATEMENTS), None
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            # The result is the value of the name afterwards.
            name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            told = self.handed_over(name, True, [node])
            result = [node, ast.copy_location(ast.Expr(told), node)]
        else:
            result = self.generic_visit(node)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            self.aside = LOOP
            node.body.insert(0, ast.copy_location(ast.Expr(self.handed_over(name, False, [])), node))
            self.aside = False
        self.statement, self.needs, self.outer = before
        return result

    def handed_over(self, node, made, parts=None):
        """Return a call that records an expression's value. parts: its parts, if not its children."""
        number, outer = len(self.places) + 1, self.outer
        wanted = made and self.needs and not self.aside
        self.places[number] = Place(node.end_lineno, outer, self.statement, wanted, self.aside)
        self.outer = number
        for part in [node] if parts is None else parts:
            self.generic_visit(part)
        self.outer = outer
        call = ast.Call(ast.Name(RECORD, ast.Load()), [ast.Constant(number), node], [])
        return ast.copy_location(call, node)


def marked(function, defined, seen):
    """Compile the instrumented function, which stores the shapes that it creates in `seen`, by location."""
    # A class of the same name keeps the mangling of names such as self.__size.
    name = ("_." + function.__qualname__).split(".")[-2]
    name = name if name.isidentifier() else "_"
    given = [RECORD, *(one for one in function.__code__.co_freevars if one != "__class__")]
    tree = ast.parse(f"def outer({', '.join(given)}):\n    class {name}:\n        pass")
    tree.body[0].body[0].body = [defined]
    code = compile(ast.fix_missing_locations(tree), RECORD, "exec")
    for inner in ("outer", name, function.__name__):
        code = next(one for one in code.co_consts if getattr(one, "co_name", None) == inner)

    def record(number, value):
        shapes = shapes_of(value)
        if shapes:
            numbers = {key: one for key, one in sys._getframe(1).f_locals.items() if type(one) is int}
            seen.setdefault(number, []).append((shapes, numbers))
        return value

    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells[RECORD] = types.CellType(record)
    closure = tuple(cells[one] for one in code.co_freevars)
    new = types.FunctionType(code, function.__globals__, name, function.__defaults__, closure)
    new.__kwdefaults__ = function.__kwdefaults__
    return new


def shapes_of(value):
    """Return the shapes of a tensor, or of the tensors in a tuple or list; none for a scalar."""
    if type(value) in (tuple, list):
        parts = [shapes_of(one) for one in value]
        return [shape for part in parts for shape in part] if all(parts) else []
    shape = getattr(value, "shape", None)
    return [tuple(shape)] if isinstance(shape, tuple) and shape else []


def comments_in(text):
    """Return the shapes that trailing comments state, by line: lists of entries."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO("if True:\n " + text.replace("\n", "\n ")).readline):
        if token.type == tokenize.COMMENT and not token.line.lstrip().startswith("#"):
            text = token.string
            stated = re.findall(r"\[([^\[\]]*)\]", text) or re.findall(r"\(([^()]*,[^()]*)\)", text)
            if stated:
                parts = (each.split(",") for each in stated)
                found[token.start[0] - 1] = [[one.strip() for one in part if one.strip()] for part in parts]
    return found


def outermost(numbers, made):
    """Return the expressions that are not inside another one of them."""

    def inside(n):
        return (n := made[n].around) is not None and (n in numbers or inside(n))

    return [n for n in numbers if not inside(n)]


def meant(line, made):
    """Return the expressions that a comment describes: those that end in its line, else its statement's."""
    ends = [n for n, place in made.items() if place.last == line]
    of_statement = [n for n, place in made.items() if place.statement[0] <= line <= place.statement[1]]
    numbers = ends or of_statement
    return outermost([n for n in numbers if not made[n].aside] or numbers, made)


def claims(stated, told):
    """Yield (lists of entries, one of which should match, shape, numbers) for each tensor.

    stated: the lists in a comment. told: for each expression that the comment describes, its recorded values.
    """
    for k, times in enumerate(told):
        own = stated[k : k + 1] if len(told) == len(stated) else stated
        for shapes, numbers in times:
            if len(own) == len(shapes) > 1:
                yield from (([entries], shape, numbers) for entries, shape in zip(own, shapes))
            else:
                # One list for all tensors, or one list per branch.
                yield from ((own, shape, numbers) for shape in shapes)


def learn(stated, told, known):
    """Store the sizes of names at their first occurrence. Return the new names."""
    new = []
    for lists, shape, numbers in claims(stated, told):
        for entries in lists:
            if len(entries) == len(shape):
                for entry, size in zip(entries, shape):
                    if entry.isidentifier() and entry not in {**numbers, **known}:
                        known[entry] = size
                        new.append(entry)
                break
    return new


def falsehood(stated, told, known):
    """Return what is false about the shapes that a comment states, or ""."""
    for lists, shape, numbers in claims(stated, told):
        wrong = [mismatch(entries, shape, {**numbers, **known}) for entries in lists]
        if all(wrong):
            several = len(stated) == 1 and max(len(shapes) for times in told for shapes, _ in times)
            return wrong[0] + (f" (these are {several} tensors: write [...] for each)" if several > 1 else "")
    return ""


def mismatch(entries, shape, names):
    """Return why these entries don't match a shape, or ""."""
    for dots in ("...", "…"):
        if entries.count(dots) == 1 and len(shape) >= len(entries) - 1:
            at, rest = entries.index(dots), len(shape) - len(entries) + 1
            shape = [*shape[:at], *shape[at + rest :]]
            entries = [entry for entry in entries if entry != dots]
    if len(entries) != len(shape):
        return f"it has {len(shape)} axes, not {len(entries)}"
    for axis, (entry, size) in enumerate(zip(entries, shape)):
        entry = entry.replace("·", "*").replace("×", "*")
        if not re.fullmatch(r"[\w +*/()-]+", entry) or "**" in entry:
            return f"{entry!r} can't be read: write names or numbers"
        try:
            value = size_of(ast.parse(entry, mode="eval").body, names)
        except Exception:
            return f"{entry!r} can't be evaluated"
        if value != size:
            stated = f"not {entry}" if entry.isdigit() else f"but {entry} is {value}"
            return f"axis {axis} has length {size}, {stated}"
    return ""


def size_of(node, names):
    """Evaluate an entry of a comment: names, numbers, and + - * /."""
    if isinstance(node, ast.BinOp):
        left, right = size_of(node.left, names), size_of(node.right, names)
        signs = {"Add": left.__add__, "Sub": left.__sub__, "Mult": left.__mul__}
        return signs.get(type(node.op).__name__, left.__floordiv__)(right)
    if isinstance(node, ast.UnaryOp):
        return -size_of(node.operand, names)
    return names[node.id] if isinstance(node, ast.Name) else int(node.value)


def what_it_is(numbers, seen):
    """Format the shapes that these expressions created, run by run."""
    runs = []
    for run in seen:
        shapes = dict.fromkeys(shape for n in numbers for shapes, _ in run.get(n, []) for shape in shapes)
        if shapes:
            few = [str(list(shape)) for shape in shapes][:4]
            runs.append(", ".join([*few, *(["…"] if len(shapes) > 4 else [])]))
    return " and ".join(dict.fromkeys(runs))
