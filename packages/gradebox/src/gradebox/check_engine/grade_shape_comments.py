"""The `check_shape_comments` function, with which a graded test requires true shape comments.

The instrumented definitions of the submitted cell run in a copy of the notebook's variables, in the
student's process. So such a test has the tag `unjudged`. The code below the line is copied into lessons; it
needs torch.
"""

import ast
import contextlib
import copy
import io
import sys
import traceback
import warnings

from gradebox.check_engine.check_shape_comments import RECORD, Marker, comments_in, line_verdicts, shapes_of
from gradebox.check_engine.submitted_texts import text_of_exercise

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
UNCLEAR = "Name each axis, and give each size one name."
# The statements of the cell that run again. The values of its other names are in the notebook's variables.
DEFINITIONS = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom
# Number of names that comments may give to sizes that have a name already, such as query and key for seq.
MAX_SECOND_NAMES = 2


def check_shape_comments(name, *runs, helpers=None):
    """Raise AssertionError unless each line that makes a tensor ends with a comment on its true shape.

    name: a class or function of the student; all functions of the cell that defines it are checked, except
    for __init__. runs: two or more tuples (sizes, arguments of the class or None for a function, *arguments
    of the call). sizes: numbers by name; all sizes of the first two runs differ. A dict as the last argument
    of a run holds keyword arguments. helpers: functions, by name, that replace the student's functions of
    earlier exercises. The last line of the message says what to do. Its first line has no sizes, because a
    student's page shows this line of a hidden test's message.
    """
    notebook = check_shape_comments.__globals__
    if "submitted_cells" in notebook:
        raise RuntimeError("check_shape_comments runs the submitted cell: the test needs the tag unjudged")
    text, marker, names = text_of_exercise([name], notebook), Marker(), [dict(sizes) for sizes, *_ in runs]
    code = instrumented(text, name, marker)
    seen = [recorded(code, name, run, helpers or {}) for run in runs]
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


def instrumented(text, name, marker):
    """Compile the definitions of a cell, in which expressions record their values.

    Raises AssertionError if the cell doesn't define the name.
    """
    with warnings.catch_warnings():
        # They were shown when the cell itself ran.
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
        tree.body = [one for one in tree.body if isinstance(one, DEFINITIONS)]
        if all(getattr(one, "name", None) != name for one in tree.body):
            raise AssertionError(f"no cell of this notebook defines {name}\nRun the cell that defines it.")
        for one in tree.body:
            if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
                marker.generic_visit(one)
        return compile(ast.fix_missing_locations(tree), RECORD, "exec")


def recorded(code, name, run, helpers):
    """Run the instrumented cell. Return the recorded values, by location.

    Raises AssertionError if the cell raises an error.
    """
    import torch

    seen = {}
    _, made_with, *given = run
    options = given.pop() if given and isinstance(given[-1], dict) else {}
    notebook = check_shape_comments.__globals__
    variables = {key: copied_container(value) for key, value in notebook.items()} | helpers

    def ignore(number, value):
        return value

    def record(number, value):
        shapes = shapes_of(value) if isinstance(value, (torch.Tensor, tuple, list)) else []
        if shapes:
            numbers = {key: one for key, one in sys._getframe(1).f_locals.items() if type(one) is int}
            seen.setdefault(number, []).append((shapes, numbers))
        return value

    state = torch.get_rng_state()
    try:
        # What the cell prints was printed before, and here it could show the sizes of hidden tests.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            torch.manual_seed(0)
            variables[RECORD] = ignore
            exec(code, variables)
            function = variables[name] if made_with is None else variables[name](*made_with).eval()
            variables[RECORD] = record
            torch.manual_seed(0)
            copies = [one.clone() if isinstance(one, torch.Tensor) else one for one in given]
            function(*copies, **options)
    except (Exception, SystemExit) as error:
        lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == RECORD]
        where = f"line {lines[-1]}" if lines else f"the call of {name}"
        why = [*filter(None, [str(error).split("\n")[0]]), STOPPED]
        raise AssertionError(
            "\n".join([f"the comments can't be checked: {where} raises {type(error).__name__}", *why])
        ) from None
    finally:
        torch.set_rng_state(state)
    return seen


def copied_container(value):
    """Return a copy of a list, dict or set, which the cell may change; any other value unchanged."""
    return copy.copy(value) if type(value) in (list, dict, set) else value


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
