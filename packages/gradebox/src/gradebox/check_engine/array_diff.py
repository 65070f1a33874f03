"""Description of the first difference between a result and the expected arrays, with a clue.

A clue states only what the numbers show. The cause is left to the advice that an author has written.
"""

import sys
from itertools import permutations

import numpy as np

# ------------------------------------------------------------------------------------------------------
CLOSE = {"rtol": 3e-4, "atol": 3e-5, "equal_nan": True}
NOWHERE = "go through the steps one by one, with these arguments"
AFTERWARDS = "look at the steps that {1} needs and {0} doesn't"
DIGITS = "the numbers are rounded to {} decimal places: keep all digits"
INTEGERS = "these are whole numbers: does an array of integers, or //, cut off the decimal places?"
ZEROS = "every wrong number is 0"
NAN = "NaN results from ∞ − ∞, 0 · ∞, 0 / 0 or ∞ / ∞: which step produces the first one?"


def is_array(value):
    return type(value) is np.ndarray or type(value).__name__ in ("Tensor", "Parameter")


def close(got, right):
    """Return True if two arrays are equal up to rounding."""
    return got.shape == right.shape and np.allclose(got, right, **CLOSE)


def shown(number, digits=4):
    # Show a number that is practically 0 without an exponent.
    number = 0.0 if abs(number) < 1e-12 else number
    return {"inf": "∞", "-inf": "−∞", "nan": "NaN"}.get(text := f"{number:.{digits}g}", text)


def apart(*numbers):
    """Format two numbers with four digits, or with six if four don't distinguish them."""
    four, six = ([shown(number, digits) for number in numbers] for digits in (4, 6))
    return six if four[0] == four[1] else four


def located(found, wanted, returns, given, named):
    """Return where a result is wrong, with numbers, and a clue.

    given: the arguments by name. named: True if the result is a dict, whose values have no order.
    """
    names = list(returns)
    if len(found) != len(wanted):
        came = f"it returned {len(found)} value{'s' * (len(found) != 1)}"
        return came, f"return {len(wanted)} values: ({', '.join(names)})"
    for order in () if named else permutations(range(len(found))):
        if len(found) > 1 and all(close(found[k], part) for k, part in zip(order, wanted)):
            return "the right values in the wrong order", f"return them in this order: ({', '.join(names)})"
    fine = [close(*both) for both in zip(found, wanted)]
    # The last result is the one that the others are computed from: the weights, of an output and its weights.
    which = len(fine) - 1 - fine[::-1].index(False)
    got, right, name, axes = found[which], wanted[which], names[which], returns[names[which]].split()
    right_ones = [other for other, well in zip(names, fine) if well]
    others = f"{', '.join(right_ones)} {'are' if right_ones[1:] else 'is'} right; " if right_ones else ""
    if got.shape != right.shape:
        wants = ", ".join(f"{axis} {size}" for axis, size in zip(axes, right.shape))
        should = f"({wants})" if wants else "no axes: a single number"
        where = f"{name} has the shape {got.shape} and should have {should}"
        return others + where, of_shape(got, right, axes)
    wrong = ~np.isclose(got, right, **CLOSE)
    at = tuple(np.argwhere(wrong)[0])
    place = ", ".join(f"{axis} {index}" for axis, index in zip(axes, at))
    where = f"{name}{' at ' if place else ''}{place} is {' and should be '.join(apart(got[at], right[at]))}"
    if len(fine) > 1 and not any(part.ndim for part in (*found, *wanted)):
        # Single numbers are often computed from those before them, so all are shown.
        where = "; ".join(
            f"{names[k]} is {' and should be '.join(apart(found[k], wanted[k]))}"
            for k in range(len(fine))
            if not fine[k]
        )
    theirs = [other for other, part in zip(names, wanted) if other != name and close(got, part)]
    if theirs and got.size > 1:
        return others + where, f"{name} contains the values of {theirs[0]}"
    sure = missing, plain, turned, reordered, termed, blocked, rounded, summed, sharpened, scaled
    known = given | {other: part for other, part in zip(names, wanted) if other in right_ones}
    many = f": {wrong.sum()} of the {wrong.size} numbers of {name} are wrong" if wrong.size > 1 else ""
    nowhere = AFTERWARDS.format(right_ones[-1], name) if right_ones else NOWHERE
    clues = filter(None, (look(got, right, wrong, axes, known if look is termed else given) for look in sure))
    if clue := next(clues, None):
        return others + where, clue
    clue = parted(got, right, wrong, axes) or nowhere + many
    return others + where, and_wrong(found, wanted, returns, which) + clue


def and_wrong(found, wanted, returns, which):
    """Return lines with the first wrong number of each result before `which`, or "".

    These results may be the cause: a later one is often computed from them.
    """
    lines = []
    for (name, axes), got, right in zip([*returns.items()][:which], found, wanted):
        if right.ndim and got.shape == right.shape and not close(got, right):
            at = tuple(np.argwhere(~np.isclose(got, right, **CLOSE))[0])
            place = ", ".join(f"{axis} {index}" for axis, index in zip(axes.split(), at))
            lines.append(f"{name} at {place} is {' and should be '.join(apart(got[at], right[at]))}\n")
    return "".join(lines)


def of_shape(got, right, axes):
    """Describe a wrong shape."""
    if got.size == right.size and close(got.ravel(), right.ravel()):
        return "all numbers are right and in the right order, but the shape is wrong"
    for order in permutations(range(right.ndim)):
        if close(got, right.transpose(order)):
            return f"the axes are in the order {', '.join(axes[k] for k in order)}: transpose them"
    for k, axis in enumerate(axes):
        for index in range(right.shape[k]):
            if close(np.squeeze(got), np.squeeze(right.take(index, k))):
                return f"only {axis} {index} of {right.shape[k]} was returned"
        for done, result in (("summed", right.sum(k)), ("averaged", right.mean(k))):
            if close(np.squeeze(got), np.squeeze(result)):
                return f"the {axis} axis was {done}: keep this axis"
    if got.ndim != right.ndim:
        wants = ", ".join(axes) or "a single number"
        return f"it has {got.ndim} axes, and should have {right.ndim}: {wants}"
    k = next(k for k in range(got.ndim) if got.shape[k] != right.shape[k])
    return f"the {axes[k]} axis has length {got.shape[k]}, and should have length {right.shape[k]}"


def missing(got, right, wrong, axes, given):
    # Only if the first wrong number, which the message shows, is NaN.
    if np.isnan(got[wrong][0]):
        return NAN


def plain(got, right, wrong, axes, given):
    if got.size > 1 and close(got, np.full_like(got, got.flat[0])):
        return f"every number is {shown(got.flat[0])}"
    for name, one in given.items():
        if is_array(one) and got.size > 1 and close(got, array(one, name)):
            return f"this is the argument {name}, unchanged"


def turned(got, right, wrong, axes, given):
    for order in permutations(range(right.ndim)):
        if close(got, right.transpose(order)):
            changed = [axes[k] for k, other in enumerate(order) if k != other]
            return f"the numbers are right, but these axes are swapped: {', '.join(changed)}"
    for k, axis in enumerate(axes):
        if close(got, np.flip(right, k)):
            return f"the numbers are right, but the {axis} axis is reversed"


def reordered(got, right, wrong, axes, given):
    """Report an axis whose indices are in another order."""
    for k, axis in enumerate(axes):
        size = right.shape[k]
        # An index is one of several that are equal only if the order is not determined.
        came = [[n for n in range(size) if close(got.take(i, k), right.take(n, k))] for i in range(size)]
        order = [one[0] for one in came if len(one) == 1]
        if size < 3 or len({*order}) < size:
            continue
        if order == [*range(1, size), 0] or order == [size - 1, *range(size - 1)]:
            way = "early" if order[0] == 1 else "late"
            return f"the numbers are right, but come one place too {way} along the {axis} axis"
        shown_order = ", ".join(map(str, order))
        return (
            f"the numbers are right, but the {axis} axis has the order {shown_order}: keep 0, 1, 2 and so on"
        )


def termed(got, right, wrong, axes, given):
    """Report if a result differs from the right one by a known array: a term, or a factor."""
    if not (np.isfinite(got).all() and np.isfinite(right).all()) or right.size < 3:
        return None
    for name, one in given.items():
        if not is_array(one) or not (numbers := array(one, name)).any() or not np.isfinite(numbers).all():
            continue
        columns = numbers[..., None] if numbers.ndim < right.ndim else numbers
        for part in (numbers, columns):
            try:
                term = np.broadcast_to(part, right.shape)
            except ValueError:
                continue
            if close(got, right + term):
                return f"the result is too large by exactly {name}: is it added twice, or in a wrong place?"
            if close(got, right - term):
                return f"the result is too small by exactly {name}: add it"


def blocked(got, right, wrong, axes, given):
    if np.isneginf(right).any() and (wrong == np.isneginf(right)).all() and (got[wrong] < -99).all():
        return "a large negative number is not −∞"
    for kind, here, there in (("−∞", np.isneginf(got), np.isneginf(right)), ("0", got == 0, right == 0)):
        for few, many, said in (
            (here, there, "should be {} and isn't"),
            (there, here, "is {} and shouldn't be"),
        ):
            if many.any() and not many.all() and (wrong == (many & ~few)).all():
                side = side_of_diagonal(right, wrong, axes)
                there = f", where {side}" if side else ""
                return f"every wrong number {said.format(kind)}: {wrong.sum()} of {wrong.size}{there}"


def summed(got, right, wrong, axes, given):
    def ones(numbers, k):
        return np.allclose(numbers.sum(k), 1, atol=1e-3)

    all_ones = [k for k in range(right.ndim) if right.shape[k] > 1 and ones(right, k)]
    if all_ones and not any(ones(got, k) for k in all_ones):
        others, sums = [axes[k] for k in range(got.ndim) if ones(got, k)], got.sum(all_ones[-1])
        there = f"one sum is {shown(sums[~(abs(sums - 1) <= 1e-3)][0])}"
        if right.min() >= 0 and (got.min() < 0 or got.max() > 1 + 1e-3):
            there += ", and numbers are outside of 0 to 1: is a softmax missing, or is its result changed?"
        here = f"here the sum over the {others[0]} axis is" if others else there
        return f"the sum over the {axes[all_ones[-1]]} axis should be 1; {here}"


def sharpened(got, right, wrong, axes, given):
    """Find the factor between the scores of two softmaxes."""
    for k in range(right.ndim):
        if right.shape[k] < 2 or (got < 0).any() or (right < 0).any():
            continue
        if not all(close(one.sum(k), np.ones_like(one.sum(k))) for one in (got, right)):
            continue
        # A weight that is almost 0 does not determine its score.
        sized = (got > 1e-4) & (right > 1e-4)
        logs = [np.log(np.where(sized, one, 1)) for one in (got, right)]
        middle = np.maximum(sized.sum(k, keepdims=True), 1)
        mine, theirs = (np.where(sized, log - log.sum(k, keepdims=True) / middle, 0) for log in logs)
        if (theirs**2).sum() < 1e-3 or sized.sum() < 4:
            continue
        factor = (mine * theirs).sum() / (theirs**2).sum()
        if np.allclose(mine, factor * theirs, atol=0.005) and abs(factor - 1) > 0.02:
            return f"the scores before the softmax are {of_sizes(factor, given)} times what they should be"


def of_sizes(factor, given):
    """Format a factor, with the size of an argument, or its root, that it equals, if only one fits."""
    sizes = {one for one in given.values() if type(one) is int}
    sizes.update(*(one.shape for one in given.values() if is_array(one)))
    fits = [
        words.format(size)
        for size in sorted(size for size in sizes if size > 1)
        for words, number in (("{}", size), ("√{}", size**0.5), ("1/{}", 1 / size), ("1/√{}", size**-0.5))
        # A root that is an integer, such as √4, has no clear origin.
        if abs(factor / number - 1) < 2e-3 and not ("√" in words and size**0.5 == int(size**0.5))
    ]
    also = f" = {fits[0]}" if len(fits) == 1 and not shown(factor) == fits[0] else ""
    return shown(factor) + also


def scaled(got, right, wrong, axes, given):
    whole = np.isfinite(right)
    if not np.array_equal(np.isfinite(got), whole) or (abs(right[whole]) > 1e-3).sum() < 2:
        return None
    # Zeros stay zeros under any factor.
    sized = whole & (abs(right) > 1e-3)
    ratio, more = got[sized] / right[sized], (got - right)[whole]
    alike = np.ptp(ratio) < 1e-3 * abs(ratio[0]) and shown(ratio[0]) != "1"
    if alike and close(got[whole], ratio[0] * right[whole]):
        return f"every number is {of_sizes(ratio[0], given)} times what it should be"
    if np.ptp(more) < 1e-3 * abs(more[0]):
        return f"every number is {shown(more[0])} more than it should be"


def rounded(got, right, wrong, axes, given):
    for places in range(4):
        for done in (np.round, lambda number, places: np.trunc(number * 10**places) / 10**places):
            if close(got, done(right, places)):
                return DIGITS.format(places) if places else INTEGERS


def side_of_diagonal(right, wrong, axes):
    """Return the side of the diagonal that has all wrong numbers, as "key > query", or ""."""
    if right.ndim < 2 or min(right.shape[-2:]) < 3 or wrong.sum() < 3:
        return ""
    row, column = np.indices(right.shape)[-2:]
    for sign, side in (("=", column == row), (">", column > row), ("<", column < row)):
        # In a table that is not square, a few wrong rows may be on one side by chance.
        if side[wrong].all() and (right.shape[-1] == right.shape[-2] or wrong[side].all()):
            return f"{axes[-1]} {sign} {axes[-2]}"
    return ""


def parted(got, right, wrong, axes):
    """Report which indices of an axis are wrong, and whether their values belong to another index."""
    best = None
    for k, axis in enumerate(axes):
        bad = np.flatnonzero(wrong.any(axis=tuple(other for other in range(right.ndim) if other != k)))
        for index in bad:
            for other in range(right.shape[k]):
                if close(got.take(index, k), right.take(other, k)) and got.take(index, k).size > 1:
                    return f"{axis} {index} contains the values of {axis} {other}"
        if len(bad) < right.shape[k] and (best is None or len(bad) / right.shape[k] < best[0]):
            fine = [index for index in range(right.shape[k]) if index not in bad]
            texts = [
                f"{axis} {', '.join(map(str, which))} {'is' if len(which) == 1 else 'are'} {how}"
                for which, how in ((fine, "right"), (bad, "wrong"))
            ]
            best = len(bad) / right.shape[k], ", ".join(texts)
    return best and best[1]


def array(value, name):
    """Convert a number, array, tensor or nested list to a float array. Raise ValueError with a message."""
    torch = sys.modules.get("torch")
    try:
        if torch and isinstance(value, torch.Tensor):
            value = value.detach().cpu().double().numpy()
        if isinstance(value, (tuple, list)) and torch:
            value = [array(part, name) for part in value]
        return np.array(value, dtype=float)
    except (TypeError, ValueError, RuntimeError, NotImplementedError):
        kind = "several values" if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"
        raise ValueError(f"{name} is {kind}\n{name} should be one array of numbers") from None
