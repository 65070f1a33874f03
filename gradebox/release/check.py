"""What stands in each lesson's cell of messages: `check`, by which visible tests call a student's function.

The cell is what stands below the line here, the text of `judge/raised.py`, and the table MESSAGES, which
`messages.py` makes of a course's answers. It needs NumPy alone.
"""

import copy
import re
import sys
from itertools import permutations
from typing import Any

import numpy as np

from gradebox.judge.raised import raised_in

# Of each exercise: the advice on known mistakes; and for each call what is right, and of each mistake that it
# is the first to catch, a signature.
MESSAGES: dict[str, Any] = {}
# What the function of each exercise returns: names, with the names of their axes.
RETURNS: dict[str, dict[str, str]] = {}

# ------------------------------------------------------------------------------------------------------
# What NumPy, torch and Python say of sizes, axes and names that are wrong, and what that means.
# fmt: off
MEANINGS = {
    "matmul: Input op|mat1 and mat2|not aligned|two dimensions of batch2":
        "in a product, the last axis on the left is as long as the last but one on the right",
    "could not be broadcast|must match the|not expandable":
        "these sizes don't fit: from the last axis on, each pair is equal, or one of them is 1",
    "cannot reshape|invalid for input of size":
        "a reshape keeps how many numbers there are",
    "view size is not compatible|is not contiguous":
        "after a transpose, write reshape for view",
    "out of bounds|index out of range|Dimension out of range":
        "an index or an axis is too large: the first is 0",
    "truth value of an|Boolean value of Tensor":
        "an if wants one truth, and this has many: ask whether it `is None`, or use where",
    "'NoneType' object":
        "something is None here: does each function end with a return?",
    "is not callable":
        "what stands before the brackets is no function: is one of its methods meant?",
    "object has no attribute":
        "it has nothing of this name: was it kept as self.…, and is it spelled alike?",
    "is not defined":
        "nothing has this name: is it an argument, spelled otherwise, or made in another function?",
    "positional argument|unexpected keyword":
        "a function is called with other arguments than it takes",
    "values to unpack":
        "there must be as many names on the left as there are parts on the right",
    "only (length-1|0-dim|one element)|converted to (a )?(Python )?[Ss]calar":
        "one number is wanted here, and there are many",
}
# fmt: on
NOWHERE = "no part of it is right: go through the steps one by one, with these arguments"


def returns(exercise, **axes):
    """Note what an exercise's function returns: a name for each result, and the names of its axes."""
    RETURNS[exercise] = axes


def check(exercise, case, function, *arguments, **options):
    """Stop with a message unless this call gives what it should. The last line of it says what to do."""
    known = MESSAGES[exercise]
    right, mistakes = known["calls"][case]
    given = [copied(argument) for argument in (*arguments, *options.values())]
    last = dict(zip(options, given[len(arguments) :]))
    try:
        with np.errstate(all="ignore"):
            got = function(*given[: len(arguments)], **last)
    except Exception as error:
        if right == type(error).__name__ or right == "ValueError" and isinstance(error, ValueError):
            return
        problem = AssertionError(f"{case}: {explained(error)}")
        # Where tests run in another process than your code, the message says so.
        problem.__notes__ = getattr(error, "__notes__", [])
        raise problem from None
    problem = difference(got, right, mistakes, RETURNS[exercise], known["advice"], given)
    assert not problem, f"{case}: {problem}"
    for number, (before, after) in enumerate(zip((*arguments, *options.values()), given), 1):
        assert same(before, after), (
            f"{case}: argument {number} is not what it was before the call\n"
            "an input was changed: make new arrays"
        )


def explained(error):
    """An error in words: what was raised, where, and what it means."""
    where = vars(error)["raised_in"] if "raised_in" in vars(error) else raised_in(error)
    meant = next((said for known, said in MEANINGS.items() if re.search(known, str(error))), "")
    return "\n".join(filter(None, [f"{type(error).__name__}: {error}", where, meant]))


def difference(got, right, mistakes, axes, advice, given):
    """What is wrong about what came back, and what to do; "" if nothing is."""
    names = list(axes)
    if got is None:
        return "it gave back None\ndoes your function end with a return?"
    try:
        found = parts(got, names)
    except (TypeError, ValueError, RuntimeError) as problem:
        return str(problem)
    wanted = [] if isinstance(right, str) else [np.array(part, dtype=float) for part in right]
    fine = [close(*both) for both in zip(found, wanted)]
    if len(found) == len(wanted) and all(fine):
        return ""
    where, clue = (
        located(found, wanted, fine, axes, given)
        if wanted
        else (
            f"it gave back something of the shape {' and '.join(str(part.shape) for part in found)}",
            f"this can't be done: raise a {right}, with a sentence that says why",
        )
    )
    advice = next((advice[name] for name, *theirs in mistakes if alike(signature(found), theirs)), clue)
    return f"{where}\n{advice}"


def parts(got, names):
    """What came back, as float arrays: one for each name. Raises ValueError with a sentence."""
    if isinstance(got, dict):
        lacks = [name for name in names if name not in got]
        if lacks or len(got) > len(names):
            raise ValueError(f"it holds {', '.join(map(str, got))}\ngive back a dict with {', '.join(names)}")
        return [array(got[name], name) for name in names]
    if len(names) > 1 and isinstance(got, (tuple, list)) and len(got) == len(names):
        return [array(part, name) for part, name in zip(got, names)]
    return [array(got, "what came back")]


def array(value, name):
    """A float array of a number, an array, a tensor, or lists of them."""
    torch = sys.modules.get("torch")
    try:
        if torch and isinstance(value, torch.Tensor):
            value = value.detach().cpu().double().numpy()
        if isinstance(value, (tuple, list)) and torch:
            value = [array(part, name) for part in value]
        return np.array(value, dtype=float)
    except (TypeError, ValueError, RuntimeError, NotImplementedError):
        kind = "several things" if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"
        raise ValueError(f"{name} is {kind}\n{name} should be one array of numbers") from None


def is_array(value):
    return type(value) is np.ndarray or type(value).__name__ == "Tensor"


def copied(value):
    """A copy of an argument that a function could change."""
    known = is_array(value) or isinstance(value, (np.random.Generator, list, dict))
    return copy.deepcopy(value) if known else value


def same(before, after):
    """Whether an argument is as it was."""
    if not (is_array(before) or isinstance(before, list)):
        return True
    return np.array_equal(array(before, "it"), array(after, "it"), equal_nan=True)


def close(got, right):
    """Whether two arrays hold the same numbers, up to rounding."""
    return got.shape == right.shape and np.allclose(got, right, rtol=1e-3, atol=1e-3, equal_nan=True)


def signature(arrays):
    """Shapes, and two numbers by which a result is known, whatever its last digits are."""
    flat = np.concatenate([part.ravel() for part in arrays])
    flat = np.nan_to_num(flat, nan=777, posinf=999, neginf=-999)
    place = np.arange(flat.size)
    return (
        [list(part.shape) for part in arrays],
        flat @ np.cos(1.7 * place + 0.3),
        flat @ np.sin(2.3 * place + 1),
    )


def alike(mine, theirs):
    """Whether two signatures are of the same result."""
    return mine[0] == theirs[0] and np.allclose(mine[1:], theirs[1:], rtol=2e-3, atol=4e-3)


def located(found, wanted, fine, returns, given):
    """Where what came back is wrong, with numbers, and what that looks like."""
    names = list(returns)
    if len(found) != len(wanted):
        return f"it gave back {len(found)}", f"give back {len(wanted)} things: ({', '.join(names)})"
    for order in permutations(range(len(found))):
        if len(found) > 1 and all(close(found[k], part) for k, part in zip(order, wanted)):
            return "the right things, in another order", f"give them back in this order: ({', '.join(names)})"
    # What comes last is what the others are made of: the weights, of an output and its weights.
    which = len(fine) - 1 - fine[::-1].index(False)
    got, right, name, axes = found[which], wanted[which], names[which], returns[names[which]].split()
    others = "".join(f"{other} is right; " for other, well in zip(names, fine) if well)
    if got.shape != right.shape:
        wants = ", ".join(f"{axis} {size}" for axis, size in zip(axes, right.shape))
        should = f"({wants})" if wants else "no axes: it is one number"
        where = f"{name} has the shape {got.shape} and should have {should}"
        return others + where, of_shape(got, right, axes, given)
    wrong = ~np.isclose(got, right, rtol=1e-3, atol=1e-3, equal_nan=True)
    at = tuple(np.argwhere(wrong)[0])
    place = ", ".join(f"{axis} {index}" for axis, index in zip(axes, at))
    where = f"{name}{' at ' if place else ''}{place} is {shown(got[at])} and should be {shown(right[at])}"
    return others + where, of_numbers(got, right, wrong, axes, given)


def shown(number):
    return {"inf": "∞", "-inf": "−∞", "nan": "NaN"}.get(text := f"{number:.4g}", text)


def of_shape(got, right, axes, given):
    """What a wrong shape looks like."""
    if got.size == right.size and close(got.ravel(), right.ravel()):
        return "all numbers are right, and in the right order: only their shape is not"
    for order in permutations(range(right.ndim)):
        if close(got, right.transpose(order)):
            return f"the axes come in the order {', '.join(axes[k] for k in order)}: turn them"
    for k, axis in enumerate(axes):
        for index in range(right.shape[k]):
            if close(got, right.take(index, k)):
                return f"only {axis} {index} came back, of {right.shape[k]}"
        for done, result in (("added up", right.sum(k)), ("averaged", right.mean(k))):
            if close(got, result):
                return f"the {axis} axis was {done}: it should stay"
    usual = {1, *right.shape, *(one for one in given if isinstance(one, int))}
    usual.update(*(one.shape for one in given if is_array(one)))
    for size in (size for size in got.shape if size not in usual):
        for name, value in check.__globals__.items():
            if is_array(value) and size in value.shape:
                what = f"the notebook's {name} {tuple(value.shape)}"
                return f"{size} is a size of {what}, not of this call: use the arguments"
    if got.ndim != right.ndim:
        return (
            f"it has {got.ndim} axes, and should have {right.ndim}: {', '.join(axes) or 'it is one number'}"
        )
    k = next(k for k in range(got.ndim) if got.shape[k] != right.shape[k])
    return f"the {axes[k]} axis has {got.shape[k]} places, and should have {right.shape[k]}"


def of_numbers(got, right, wrong, axes, given):
    """What wrong numbers in the right shape look like."""
    if (np.isnan(got) & wrong).any():
        return "NaN comes of ∞ − ∞, of 0 · ∞ or of an exp that overflows: where is the first one made?"
    for number, one in enumerate(given, 1):
        if is_array(one) and got.size > 1 and close(got, array(one, "it")):
            return f"this is argument {number}, as it was given"
    for order in permutations(range(right.ndim)):
        if close(got, right.transpose(order)):
            changed = [axes[k] for k, other in enumerate(order) if k != other]
            return f"the numbers are right, but these axes have changed places: {', '.join(changed)}"
    whole = np.isfinite(got) & np.isfinite(right)
    if np.array_equal(whole, np.isfinite(right)) and (abs(right[whole]) > 1e-3).sum() > 1:
        # Zeros stay zeros, and are told by nothing.
        sized = whole & (abs(right) > 1e-3)
        ratio, more = got[sized] / right[sized], got[whole] - right[whole]
        if np.ptp(ratio) < 1e-3 * abs(ratio[0]) and close(got[whole], ratio[0] * right[whole]):
            return f"every number is {shown(ratio[0])} times what it should be"
        if np.ptp(more) < 1e-3 * abs(more[0]):
            return f"every number is {shown(more[0])} more than it should be"
    summed = [k for k in range(right.ndim) if close(right.sum(k), np.ones_like(right.sum(k)))]
    if summed and not any(close(got.sum(k), right.sum(k)) for k in summed):
        others = [axes[k] for k in range(got.ndim) if close(got.sum(k), np.ones_like(got.sum(k)))]
        here = (
            f"here the sum over the {others[0]} axis is"
            if others
            else (f"the first of these sums is {shown(got.sum(summed[-1]).flat[0])}")
        )
        return f"the sum over the {axes[summed[-1]]} axis should be 1; {here}"
    for shut, open_, said in ((right, got, "should be −∞ and isn't"), (got, right, "is −∞ and shouldn't be")):
        if np.isneginf(shut).any() and not (np.isneginf(open_) & ~np.isneginf(shut)).any():
            if (wrong == (np.isneginf(shut) & ~np.isneginf(open_))).all():
                return f"each number that is wrong {said}: {wrong.sum()} of {wrong.size}"
    return of_parts(got, right, wrong, axes)


def of_parts(got, right, wrong, axes):
    """Which part of the axes is wrong, and what stands there."""
    best = None
    for k, axis in enumerate(axes):
        bad = np.flatnonzero(wrong.any(axis=tuple(other for other in range(right.ndim) if other != k)))
        for index in bad:
            for other in range(right.shape[k]):
                if close(got.take(index, k), right.take(other, k)) and wrong.take(index, k).any():
                    return f"{axis} {index} holds what belongs to {axis} {other}"
        if len(bad) < right.shape[k] and (best is None or len(bad) / right.shape[k] < best[0]):
            fine = [index for index in range(right.shape[k]) if index not in bad]
            numbers = [", ".join(map(str, which)) for which in (fine, bad)]
            best = len(bad) / right.shape[k], f"{axis} {numbers[0]} is right, {axis} {numbers[1]} is wrong"
    return (
        best[1] if best else "no part of it is right: go through the steps one by one, with these arguments"
    )
