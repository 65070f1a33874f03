"""The `check_shape_comments` function, with which a graded test requires true shape comments.

The text of the submitted cell is evaluated by `interpret_layer.py`, so that no student code decides. Comments
that can't be checked earn nothing. The code below the line is copied into lessons; it needs torch.
"""

import ast

from gradebox.check_engine.check_shape_comments import Marker, comments_in, line_verdicts, shapes_of
from gradebox.check_engine.interpret_layer import LayerInterpreter, Stopped, Undecided, parsed
from gradebox.check_engine.submitted_texts import submitted_texts

# ------------------------------------------------------------------------------------------------------
REASONS = {
    "FALSE": "the comment is false; the true shape is",
    "none": "this line makes a tensor and has no comment in [ ]; the shape is",
    "unread": "this comment can't be read, so it doesn't count; the shape is",
}
ADVICE = {
    "FALSE": "Compare the written shape with the true one: is the comment wrong, or the line?",
    "none": "End each line that makes a tensor with its shape, such as # [batch, seq].",
    "unread": "Write the comment with names or numbers, such as # [batch, 2 * seq].",
}
STOPPED = "The comments are checked when the code runs: make the tests before this one pass first."
UNDECIDED = (
    "There is no point for comments that can't be checked: write this line with functions of the lesson."
)
UNUSED = "The comments count when the exercise is done: make the tests before this one pass first."
UNCLEAR = "Name each axis, and give each size one name."
# Number of names that comments may give to sizes that have a name already, such as query and key for seq.
MAX_SECOND_NAMES = 2


def check_shape_comments(exercise, name, *runs, helpers=None):
    """Raise AssertionError unless each line that makes a tensor ends with a comment on its true shape.

    exercise: the grade_id of the solution cell. name: the class or function in that cell; all functions of
    the cell are checked, except for __init__. runs: two or more tuples (sizes, arguments of the class or None
    for a function, *arguments of the call). sizes: numbers by name; all sizes of the first two runs differ. A
    dict as the last argument of a run holds keyword arguments. helpers: functions, by name, that replace the
    student's functions of earlier exercises. The last line of the message says what to do.
    """
    text, others = submitted_texts(exercise, name, check_shape_comments.__globals__)
    tree = parsed(text)
    if not tree or all(getattr(one, "name", None) != name for one in tree.body):
        raise AssertionError(f"{name} is not defined in the cell of this exercise\nDefine it there.")
    marker, names = Marker(), [dict(sizes) for sizes, *_ in runs]
    for one in tree.body:
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            marker.generic_visit(one)
    try:
        seen = [interpret(tree, name, others, run, helpers, first=run is runs[0]) for run in runs]
    except Undecided as reason:
        advice = STOPPED if isinstance(reason, Stopped) else UNDECIDED
        raise AssertionError(f"the comments can't be checked: {reason}\n{advice}") from None
    found = line_verdicts(text, marker, seen, names, {})
    wrong = [
        (verdict, number, *rest) for number, (verdict, *rest) in enumerate(found, 1) if verdict in REASONS
    ]
    problems = [
        f"line {number} of the cell: {line.strip()}\n{REASONS[verdict]} {shown}"
        for verdict, number, line, shown in wrong
    ]
    advice = ADVICE[wrong[0][0] if wrong else "none"]
    if not problems and all(verdict != "true" for verdict, *_ in found):
        problems = ["no line of the cell has a comment on a shape"]
    if not problems and (why := unclear_names(text, names)):
        problems, advice = [why], UNCLEAR
    if problems:
        more = [f"and {len(problems) - 2} more lines"] if len(problems) > 2 else []
        raise AssertionError("\n".join([*problems[:2], *more, advice]))


def interpret(tree, name, others, run, helpers, first):
    """Interpret a run. Return its recorded values, by location. first: also check that weights count.

    Raises Undecided.
    """
    import torch

    seen = {}
    _, made_with, *given = run
    options = given.pop() if given and isinstance(given[-1], dict) else {}

    def record(number, value, integers):
        shapes = shapes_of(value) if isinstance(value, (torch.Tensor, tuple, list)) else []
        if shapes:
            seen.setdefault(number, []).append((shapes, integers))

    def called(function):
        torch.manual_seed(0)
        copies = [one.clone() if isinstance(one, torch.Tensor) else one for one in given]
        return function(*copies, **options)

    state = torch.get_rng_state()
    interpreter = LayerInterpreter(others, check_shape_comments.__globals__)
    interpreter.notebook.names.update(helpers or {})
    try:
        torch.manual_seed(0)
        interpreter.define(tree)
        function = interpreter.notebook.names[name]
        if made_with is not None:
            function = function(*made_with).eval()
        interpreter.record = record
        result = called(function)
        interpreter.record = None
        if first and made_with is not None:
            check_weights_count(name, function, numbers_in(result), lambda: numbers_in(called(function)))
    except Undecided as reason:
        raise type(reason)(f"line {interpreter.line}: {reason}") from None
    except AssertionError:
        raise
    except Exception as error:
        why = str(error).split("\n")[0]
        raise Stopped(
            f"line {interpreter.line} raises {type(error).__name__}" + f": {why}" * bool(why)
        ) from None
    finally:
        torch.set_rng_state(state)
    return seen


def check_weights_count(name, layer, before, again):
    """Raise AssertionError if a weight matrix of a layer doesn't change its result.

    Otherwise a layer of one line would earn the point for its comments.
    """
    import torch

    for parameter_name, parameter in layer.named_parameters():
        if parameter.ndim > 1:
            kept = parameter.detach().clone()
            with torch.no_grad():
                parameter.add_(torch.rand_like(parameter))
            if torch.equal(again(), before):
                raise AssertionError(f"the result of {name} doesn't depend on {parameter_name}\n{UNUSED}")
            with torch.no_grad():
                parameter.copy_(kept)


def numbers_in(result):
    """Return all numbers of a result in one tensor: those of a tensor, or of nested lists and tuples."""
    import torch

    if isinstance(result, (list, tuple)):
        return torch.cat([torch.zeros(0), *map(numbers_in, result)])
    return torch.as_tensor(result).detach().float().flatten()


def unclear_names(text, names):
    """Return what is wrong with the names in comments: dots, or too many names for the same sizes."""
    stated = {entry for lists in comments_in(text).values() for each in lists for entry in each}
    if stated & {"...", "…"}:
        return "a comment has dots in place of axes"
    sizes = {}
    for name in stated:
        found = [known.get(name) for known in names]
        if any(found):
            sizes[name] = found
    second = [
        name
        for n, name in enumerate(sizes)
        if any(
            all(None in two or two[0] == two[1] for two in zip(sizes[name], sizes[other]))
            for other in [*sizes][:n]
        )
    ]
    if len(second) > MAX_SECOND_NAMES:
        return f"{', '.join(sorted(sizes))}: several of these are names of the same size"
    return ""
