"""`check`, by which the visible tests of a lesson call a student's function.

What stands below the line in this package's modules, and the table MESSAGES, which
`release/generate_checks.py` makes of a course's answers, are a lesson's cell of messages. NumPy is all that
it needs.
"""

import copy
import sys
from types import TracebackType
from typing import Any

import numpy as np

from gradebox.check_engine.array_diff import array, close, is_array, located
from gradebox.check_engine.explain_errors import explained
from gradebox.check_engine.traceback_location import students_files

# Of each exercise: what its cell defines; the advice on known mistakes; and for each call the names of its
# arguments, what is right, and of each mistake that it is the first to catch, what it gives: for each result
# 0 if it is right, else two numbers by which it is known, and its shape if the right one's is another.
MESSAGES: dict[str, Any] = {}
# What the function of each exercise returns: names, with the names of their axes.
RETURNS: dict[str, dict[str, str]] = {}


# ------------------------------------------------------------------------------------------------------
def returns(exercise, **axes):
    """Note what an exercise's function returns: a name for each result, and the names of its axes."""
    RETURNS[exercise] = axes


def check(exercise, case, function, *arguments, **options):
    """Stop with a message unless this call gives what it should. The last line of it says what to do."""
    known = MESSAGES[exercise]
    names, right, mistakes = known["calls"][case]
    names = [*names, *(f"argument {n + 1}" for n in range(len(names), len(arguments))), *options]
    got, error, given = tried(function, arguments, options)
    given, before = dict(zip(names, given)), dict(zip(names, [*arguments, *options.values()]))
    refused = error is not None and type(right) is str
    if refused and (type(error).__name__ == right or right == "ValueError" and isinstance(error, ValueError)):
        return
    if error is None:
        with np.errstate(all="ignore"):
            problem = difference(got, right, mistakes, RETURNS[exercise], known["advice"], before)
    else:
        problem = str(error) if isinstance(error, AssertionError) else ""
        # An assert without a text says nothing of itself.
        problem = problem or explained(error, students_files(check.__globals__), not refused)
        if refused:
            problem += f"\nthis can't be done, and a {right} should say so, not {type(error).__name__}"
    problem = with_sizes(problem, before) if problem else changed(before, given)
    if problem:
        # Where tests run in another process than your code, the notes say so.
        raise stopped(f"{case}: {problem}", getattr(error, "__notes__", [])) from None


def changed(before, given):
    """What is wrong about the arguments after a call; "" if they are as they were."""
    for name in before:
        if not same(before[name], given[name]):
            return f"{name} is not what it was before the call\nan input was changed: make new arrays"
    return ""


def stopped(message, notes):
    """An error that a notebook shows with the test's own line, and without those of `check` below it."""
    error = AssertionError(message)
    error.__notes__ = notes

    def rendered():
        places, short = [], error.__traceback__
        while short.tb_next:
            places, short = [short, *places], short.tb_next
        short = None
        for place in places:
            short = TracebackType(short, place.tb_frame, place.tb_lasti, place.tb_lineno)
        shell = sys.modules["IPython"].get_ipython()
        return shell.InteractiveTB.structured_traceback(AssertionError, error, short, tb_offset=1)

    # IPython, and nobody else, asks an error for this.
    error._render_traceback_ = rendered
    return error


def tried(function, arguments, options):
    """What a call gives, or the error that it raises, and the copies of its arguments that it was given."""
    given = [copied(one) for one in (*arguments, *options.values())]
    last = dict(zip(options, given[len(arguments) :]))
    try:
        with np.errstate(all="ignore"):
            return listed(function(*given[: len(arguments)], **last)), None, given
    except Exception as error:
        return None, error, given


def listed(value):
    """What gives its parts once, such as a generator, as a list of them; all else as it is."""
    try:
        len(value)
        return value
    except TypeError:
        pass
    try:
        parts = iter(value)
    except TypeError:
        return value
    return list(parts)


def with_sizes(problem, given):
    """A message with a second line: the sizes of what the function was called with."""
    sizes = [f"{name} {tuple(one.shape)}" for name, one in given.items() if is_array(one)]
    sizes += [f"{name} = {one}" for name, one in given.items() if type(one) in (int, float)]
    # What to do stands in the last line, and may be all of the message.
    *above, last = problem.split("\n")
    sizes = ["called with " + ", ".join(sizes)] if sizes else []
    return "\n".join([*above[:1], *sizes, *above[1:], last])


def difference(got, right, mistakes, axes, advice, given):
    """What is wrong about what came back, and what to do; "" if nothing is."""
    if got is None:
        return "it gave back None\ndoes your function end with a return?"
    alone = ""
    if len(axes) == 1 and isinstance(got, tuple):
        alone = f"it gave back {len(got)} things\ngive back {''.join(axes)} alone"
    try:
        found = parts(got, axes)
    except (TypeError, ValueError, RuntimeError) as problem:
        return alone or str(problem)
    refused = isinstance(right, str)
    wanted = [] if refused else [np.array(part, dtype=float) for part in right]
    mine = signature(found, wanted)
    if len(found) == len(wanted) and not any(mine):
        return ""
    if refused:
        where = f"it gave back something of the shape {' and '.join(str(part.shape) for part in found)}"
        clue = f"this can't be done: raise a {right}, with a sentence that says why"
    else:
        where, clue = located(found, wanted, axes, given, isinstance(got, dict))
    fits = fitting(mine, mistakes)
    if not fits and any(mine):
        # One result may be a known mistake's, and another suffer from one more.
        last = max(k for k, part in enumerate(mine) if part)
        fits = fitting(mine, mistakes, [last])
    said = {advice[name] for name in fits}
    if len(said) != 1 and alone and not refused and found[0].shape != wanted[0].shape:
        return alone
    return f"{where}\n{said.pop() if len(said) == 1 else clue}"


def parts(got, axes):
    """What came back, as float arrays: one for each name. Raises ValueError with a sentence."""
    names = list(axes)
    if isinstance(got, dict):
        lacks = [name for name in names if name not in got]
        if lacks or len(got) > len(names):
            raise ValueError(f"it holds {', '.join(map(str, got))}\nit should hold {', '.join(names)}")
        return [array(got[name], name) for name in names]
    if len(names) > 1 and isinstance(got, (tuple, list)) and len(got) != len(names):
        # Lists of lists of numbers may be one array.
        if isinstance(got, tuple) or any(map(is_array, got)):
            wants = f"give back {len(names)} things: ({', '.join(names)})"
            raise ValueError(f"it gave back {len(got)} things\n{wants}")
    several = is_array(got) and got.ndim == 1 + max(len(axes[name].split()) for name in names)
    if len(names) > 1 and (several or isinstance(got, (tuple, list))) and len(got) == len(names):
        return [array(part, name) for part, name in zip(got, names)]
    return [array(got, "what came back")]


def copied(value):
    """A copy of an argument that a function could change."""
    known = is_array(value) or isinstance(value, (np.random.Generator, list, dict))
    return copy.deepcopy(value) if known else value


def same(before, after):
    """Whether an argument is as it was."""
    both = is_array(before), is_array(after)
    return not all(both) or np.array_equal(array(before, "it"), array(after, "it"), equal_nan=True)


def signature(found, wanted):
    """By what a result is known, whatever its last digits are: see MESSAGES."""
    known = []
    for k, part in enumerate(found):
        flat = np.nan_to_num(part.ravel(), nan=777, posinf=999, neginf=-999).clip(-1e12, 1e12)
        place = np.arange(flat.size)
        sums = [flat @ np.cos(1.7 * place + 0.3), flat @ np.sin(2.3 * place + 1)]
        if len(found) != len(wanted) or part.shape != wanted[k].shape:
            known.append([*sums, list(part.shape)])
        else:
            known.append(0 if close(part, wanted[k]) else sums)
    return known


def fitting(mine, mistakes, among=None):
    """Names of the mistakes that give the same results; among: the numbers of those to look at."""
    among = range(len(mine)) if among is None else among
    known = [(name, theirs) for name, *theirs in mistakes if len(theirs) == len(mine)]
    return [name for name, theirs in known if all(alike(mine[k], theirs[k]) for k in among)]


def alike(mine, theirs):
    """Whether two signatures are of the same result."""
    if not mine or not theirs:
        return not mine and not theirs
    return mine[2:] == theirs[2:] and np.allclose(mine[:2], theirs[:2], rtol=2e-4, atol=3e-4)
