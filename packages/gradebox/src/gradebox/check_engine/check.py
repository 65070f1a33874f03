"""The `check` function, with which the visible tests of a lesson call a student's function.

`release/generate_checks_cell.py` copies the code below the line in the modules of this package into a
lesson's checks cell, together with the table MESSAGES, which it computes from the course's answers. The code
needs NumPy only.
"""

import contextlib
import copy
import io
import re
from typing import Any

import numpy as np

from gradebox.check_engine.array_diff import NAN, ZEROS, array, close, is_array, located
from gradebox.check_engine.explain_errors import explained, first_nan
from gradebox.check_engine.source_hints import changing_line
from gradebox.check_engine.submitted_texts import text_of_exercise
from gradebox.check_engine.traceback_location import students_files

# For each exercise: the names that its cell defines, the advice on known mistakes, and for each call the
# names of its arguments, the expected results, and the signatures of the mistakes that this call is the
# first to catch. A signature has an entry per result: 0 if the result is right, else two numbers that
# identify it, and its shape if that differs from the expected one.
MESSAGES: dict[str, Any] = {}
# The results of each exercise's function: their names, with the names of their axes.
RETURNS: dict[str, dict[str, str]] = {}
# The names of the calls that failed last, by exercise.
FAILED: dict[str, set[str]] = {}
# The names of the calls that have passed in the cell that runs, see `result_display.py`.
PASSED: list[str] = []


# ------------------------------------------------------------------------------------------------------
NO_RETURN = "does your function end with a return?"


def returns(exercise, **axes):
    """Declare the results of an exercise's function: a name for each, and the names of its axes."""
    RETURNS[exercise] = axes


def check(exercise, case, function, *arguments, **options):
    """Raise AssertionError unless the call returns the expected result; the last line says what to do."""
    known, failed = MESSAGES[exercise], FAILED.setdefault(exercise, set())
    failed.add(case)
    names, right, mistakes = known["calls"][case]
    names = [*names, *(f"argument {n + 1}" for n in range(len(names), len(arguments))), *options]
    got, error, given = tried(function, arguments, options)
    given, before = dict(zip(names, given)), dict(zip(names, [*arguments, *options.values()]))

    def again(**settings):
        """Repeat the call with NumPy's settings for floating-point errors. Return the error, or None."""
        # What the function prints was printed by the first call.
        with contextlib.redirect_stdout(io.StringIO()):
            return tried(function, arguments, options, **settings)[1]

    refused = error is not None and type(right) is str
    if refused and (type(error).__name__ == right or right == "ValueError" and isinstance(error, ValueError)):
        failed.discard(case)
        PASSED.append(case)
        return
    if error is None:
        with np.errstate(all="ignore"):
            problem = difference(got, right, mistakes, RETURNS[exercise], known["advice"], before)
        if "\n" + NAN in problem:
            problem = problem.replace(NAN, first_nan(again, students_files(check.__globals__)) or NAN)
    else:
        problem = str(error) if isinstance(error, AssertionError) else ""
        # An assert without a message explains nothing.
        # A helper function of the test has other arguments than the student's function.
        own = before if getattr(function, "__name__", "") in known["defines"] else {}
        problem = problem or explained(error, students_files(check.__globals__), not refused, own)
        if refused:
            problem += (
                f"\nthis input is invalid: the function should raise {right}, not {type(error).__name__}"
            )
    altered = [name for name in before if not same(before[name], given[name])]
    if problem or altered:
        text = text_of_exercise(known["defines"], check.__globals__)
        if problem:
            if error is None and problem.split("\n")[-1].startswith(ZEROS) and "nan_to_num" in text:
                if cause := first_nan(again, students_files(check.__globals__)):
                    problem += f"\nnan_to_num hides a NaN, which first results here:\n{cause}"
            if cause := earlier_cause(exercise, error, check.__globals__):
                problem = "\n".join([*(problem.split("\n")[:-1] or [problem]), cause])
            problem = with_sizes(problem, before)
        else:
            problem = changed(altered[0], before[altered[0]], text)
        # The notes say if the tests run in another process than the student's code.
        stop = AssertionError(f"{case}: {problem}")
        stop.__notes__ = getattr(error, "__notes__", [])
        raise stop from None
    failed.discard(case)
    PASSED.append(case)


def earlier_cause(exercise, error, notebook):
    """Return what to do if an earlier exercise is the cause of a failed call, or ""."""
    missing = re.search(r"name '(\w+)' is not defined", str(error)) if isinstance(error, NameError) else None
    for known in MESSAGES.values():
        if missing and missing[1] in known["defines"] and missing[1] not in notebook:
            return f"run the cell of exercise {known['number']}, which defines {missing[1]}"
    # Graded tests are repeated with the reference's solutions of earlier exercises.
    if "submitted_cells" in notebook or isinstance(error, NotImplementedError):
        return ""
    failed = filter(FAILED.get, MESSAGES[exercise]["builds on"])
    return next((f"the test of {MESSAGES[name]['number']} fails: start there" for name in failed), "")


def changed(name, value, text):
    """Return a message for an argument that the call has changed."""
    torch = type(value).__module__.startswith("torch")
    what = "list" if type(value) is list else "tensor" if torch else "array"
    where = changing_line(text, name) or f"the argument {name} was changed"
    return f"{name} differs from its value before the call\n{where}: make a new {what}"


def tried(function, arguments, options, **settings):
    """Call a function with copies of the arguments. Return its result, its error, and these copies.

    settings: those of NumPy for floating-point errors, which are ignored by default.
    """
    given = [copied(one) for one in (*arguments, *options.values())]
    last = dict(zip(options, given[len(arguments) :]))
    try:
        with np.errstate(**{"all": "ignore", **settings}):
            return listed(function(*given[: len(arguments)], **last)), None, given
    except Exception as error:
        return None, error, given


def listed(value):
    """Return a list for an iterable without a length, such as a generator; other values unchanged."""
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
    """Insert the sizes of the arguments into a message, as its second line."""
    sizes = [f"{name} {tuple(one.shape)}" for name, one in given.items() if is_array(one)]
    sizes += [f"{name} = {one}" for name, one in given.items() if type(one) in (int, float)]
    # The last line says what to do, and may be the whole message.
    *above, last = problem.split("\n")
    sizes = ["called with " + ", ".join(sizes)] if sizes else []
    return "\n".join([*above[:1], *sizes, *above[1:], last])


def difference(got, right, mistakes, axes, advice, given):
    """Return what is wrong with a result and what to do, or "" for a correct result."""
    if got is None:
        return f"it returned None\n{NO_RETURN}"
    alone = ""
    if len(axes) == 1 and isinstance(got, tuple):
        alone = f"it returned {len(got)} values\nreturn only {''.join(axes)}"
    try:
        found = parts(got, axes)
    except (TypeError, ValueError, RuntimeError) as problem:
        return alone or str(problem)
    refused = isinstance(right, str)
    wanted = [] if refused else [np.array(part, dtype=float) for part in right]
    mine = signature(found, wanted)
    if len(found) == len(wanted) and not any(mine):
        return ""
    where = clue = ""
    if refused:
        where = f"it returned a result of shape {' and '.join(str(part.shape) for part in found)}"
        clue = f"this input is invalid: raise {right} with a message that says why"
    fits = fitting(mine, mistakes)
    if not fits and any(mine):
        # One result may match a known mistake while another has an additional one. If all other results of
        # that mistake are right, its advice may mention this, which would be wrong here.
        last = max(k for k, part in enumerate(mine) if part)
        fits = fitting(mine, [one for one in mistakes if all(one[1:]) or not any(mine[:last])], [last])
    said = {advice[name] for name in fits}
    if len(said) != 1 and alone and not refused and found[0].shape != wanted[0].shape:
        return alone
    if not refused:
        where, clue = located(found, wanted, axes, given, isinstance(got, dict))
    return f"{where}\n{said.pop() if len(said) == 1 else clue}"


def parts(got, axes):
    """Convert a result to float arrays, one for each name. Raise ValueError with a message."""
    names = list(axes)
    if isinstance(got, dict):
        lacks = [name for name in names if name not in got]
        if lacks or len(got) > len(names):
            # In the judge, a key may be the text of a hidden test's argument.
            judged = "submitted_cells" in parts.__globals__
            keys = "other keys" if judged else f"the keys {', '.join(map(str, got))}"
            raise ValueError(f"the result has {keys}\nit should have the keys {', '.join(names)}")
        return [array(got[name], name) for name in names]
    if len(names) > 1 and isinstance(got, (tuple, list)) and len(got) != len(names):
        # Nested lists of numbers may be a single array.
        if isinstance(got, tuple) or any(map(is_array, got)):
            wants = f"return {len(names)} values: ({', '.join(names)})"
            raise ValueError(f"it returned {len(got)} values\n{wants}")
    several = is_array(got) and got.ndim == 1 + max(len(axes[name].split()) for name in names)
    if len(names) > 1 and (several or isinstance(got, (tuple, list))) and len(got) == len(names):
        return [array(part, name) for part, name in zip(got, names)]
    return [array(got, "the result")]


def copied(value):
    """Return a copy of a mutable argument; any other value unchanged."""
    known = is_array(value) or isinstance(value, (np.random.Generator, list, dict))
    return copy.deepcopy(value) if known else value


def same(before, after):
    """Return True if an argument is unchanged."""
    if type(before) in (list, tuple):
        alike = type(after) is type(before) and len(after) == len(before)
        return alike and all(map(same, before, after))
    if type(before) in (int, float, str, bool):
        return type(after) is type(before) and before == after
    both = is_array(before), is_array(after)
    return not all(both) or np.array_equal(array(before, "it"), array(after, "it"), equal_nan=True)


def signature(found, wanted):
    """Compute the signature of a result, which does not depend on its last digits; see MESSAGES."""
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
    """Return the names of mistakes with the same results; among: the indices of the results to compare."""
    among = range(len(mine)) if among is None else among
    known = [(name, theirs) for name, *theirs in mistakes if len(theirs) == len(mine)]
    return [name for name, theirs in known if all(alike(mine[k], theirs[k]) for k in among)]


def alike(mine, theirs):
    """Return True if two signatures belong to the same result."""
    if not mine or not theirs:
        return not mine and not theirs
    return mine[2:] == theirs[2:] and np.allclose(mine[:2], theirs[:2], rtol=2e-4, atol=3e-4)
