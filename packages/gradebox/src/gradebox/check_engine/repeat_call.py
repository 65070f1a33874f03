"""Repetition of a call with a changed argument, to find a change that makes a wrong result right.

Such a change shows the mistake without a list of known ones: an argument that counts twice, a missing factor,
a transpose too many, two arguments that were exchanged. `check` uses it where no advice of the course fits.
"""

import time
from itertools import combinations

import numpy as np

from gradebox.check_engine.array_diff import CLOSE, array, close, is_array, scaled

# ------------------------------------------------------------------------------------------------------
# Seconds for all repetitions of a call: a student waits for the message.
PATIENCE = 1
# A few numbers may become right by chance.
ENOUGH_NUMBERS = 4
TRANSPOSED = "for the transposed"


def change_that_helps(given, again, wanted, axes):
    """Return what is said about a changed argument with which the result is right; "" if there is none.

    given: the arguments by name. again: a function that repeats the call with some of them changed, and
    returns the results as arrays, and an error or None. wanted: the expected results. axes: the names of the
    last one's axes.
    """
    until = time.monotonic() + PATIENCE
    if sum(part.size for part in wanted) < ENOUGH_NUMBERS:
        return ""
    for said, changed in changes(given):
        found, error = again(changed)
        if not error and len(found) == len(wanted):
            if all(map(close, found, wanted)):
                return f"the result is right {said}"
            if all(map(close, found[:-1], wanted[:-1])) and close(found[-1].T, wanted[-1]):
                swapped = " and ".join(axes)
                if said.startswith(TRANSPOSED):
                    return f"{swapped} are exchanged throughout: is an axis or a transpose the wrong one?"
                return f"there are two mistakes: {swapped} are swapped, and then the result is right {said}"
            other = also_scaled(found[-1], wanted[-1], axes, given)
            if other and all(map(close, found[:-1], wanted[:-1])):
                return (
                    f"there are two mistakes: but for a factor, the result is right {said}\nand then {other}"
                )
        if time.monotonic() > until:
            break
    return ""


def also_scaled(got, right, axes, given):
    """Return the factor of a result that is wrong by a factor alone, or by factors along an axis; else ""."""
    # Zeros, and numbers that are all equal, have any factor.
    if got.shape != right.shape or right.size < 2 * ENOUGH_NUMBERS or not np.ptp(got) > 1e-6:
        return ""
    wrong = ~np.isclose(got, right, **CLOSE)
    said = scaled(got, right, wrong, axes, given) or ""
    return said if "times what" in said or "common factor" in said else ""


def changes(given):
    """Yield changes of one or two arguments: words for each, and the new values by name."""
    numbers = {name: array(one, name) for name, one in given.items() if is_floating(one)}
    masks = {name: one for name, one in numbers.items() if np.isneginf(one).any()}
    finite = {name: one for name, one in numbers.items() if np.isfinite(one).all() and one.any()}

    def new(name, value):
        return {name: like(given[name], value)}

    for name, one in given.items():
        if type(one) is bool:
            yield f"for {name} = {not one}: is a condition the wrong way round?", {name: not one}
    for name, one in masks.items():
        turned = np.where(np.isneginf(one), 0, -np.inf)
        yield f"for the opposite of {name}: block where it is −∞, and keep where it is 0", new(name, turned)
    for one, other in combinations(numbers, 2):
        if numbers[one].shape == numbers[other].shape and not close(numbers[one], numbers[other]):
            said = f"if {one} and {other} are exchanged: are they the wrong way round?"
            yield said, new(one, numbers[other]) | new(other, numbers[one])
    for name, one in numbers.items():
        if one.ndim > 1 and one.shape[-1] == one.shape[-2] and not close(one, one.swapaxes(-1, -2)):
            said = f"{TRANSPOSED} {name}: a transpose of it is missing, or one is too many"
            yield said, new(name, one.swapaxes(-1, -2))
        elif one.ndim > 1 and min(one.shape[-2:]) > 1:
            turned = one.swapaxes(-1, -2)
            said = f"with a transpose of {name} in place of a reshape, which mixes rows and columns"
            yield said, new(name, turned.reshape(one.shape))
            yield said, new(name, one.reshape(turned.shape).swapaxes(-1, -2))
    for name, one in finite.items():
        yield f"for −{name}: change the sign with which {name} counts", new(name, -one)
    for label, factor in factors(given).items():
        for name, one in finite.items():
            said = f"for {name} / {label}: is this division missing, or does {name} count {label} times?"
            yield said, new(name, one / factor)
            yield (
                f"for {name} · {label}: is {name} divided by {label} once too often?",
                new(name, one * factor),
            )
    for wrong, right in roots(given, finite):
        for name, one in finite.items():
            said = f"for {name} · √{wrong} / √{right}: is there √{wrong} in place of √{right}?"
            yield said, new(name, one * (wrong / right) ** 0.5)
    for name, one in given.items():
        whole = type(one) is list and one and all(type(part) is int for part in one)
        for step, word in ((1, "larger"), (-1, "smaller")) if whole else ():
            said = f"if {name} is {word} by 1: is a bound off by one, or is it < in place of <=?"
            yield said, {name: [part + step for part in one]}
    for name, one in finite.items():
        yield f"for a {name} of zeros: {name} should not count in this call", new(name, np.zeros_like(one))
        for k in range(one.ndim):
            if one.shape[k] > 2:
                yield f"for {name} reversed along axis {k}: keep its order", new(name, np.flip(one, k))
                for step in (1, -1):
                    said = f"for {name} shifted by one along axis {k}: is an index off by one?"
                    yield said, new(name, np.roll(one, step, k))


def factors(given):
    """Return factors that may be missing, by their labels: 2, sizes, sizes of heads, and their roots."""
    sizes = {size for one in given.values() if is_array(one) for size in one.shape}
    counts = {one for one in given.values() if type(one) is int and one > 0}
    sizes |= counts | {size // count for size in sizes for count in counts if size % count == 0}
    found = {"2": 2}
    for size in sorted({size for size in sizes if size > 1}):
        root = size**0.5
        found[str(size)] = size
        found[f"√{size}" if root != int(root) else str(int(root))] = root
    return found


def roots(given, numbers):
    """Return pairs of sizes whose roots may be confused: one of a call, and the last of an array.

    Of several pairs with the same ratio, none is clear.
    """
    sizes = {size for one in numbers.values() for size in one.shape}
    sizes |= {one for one in given.values() if type(one) is int}
    last = {one.shape[-1] for one in numbers.values() if one.ndim}
    pairs = [(one, other) for one in sorted(sizes) for other in sorted(last) if one > 1 < other != one]
    return [(a, b) for a, b in pairs if sum(a * d == b * c for c, d in pairs) == 1]


def is_floating(value):
    """Return True for a float, and for an array or tensor of floats."""
    return type(value) is float or is_array(value) and "float" in str(value.dtype)


def like(value, numbers):
    """Return numbers as the type of a value: a float, an array, or a tensor."""
    if type(value) is float:
        return float(numbers)
    return np.array(numbers, value.dtype) if type(value) is np.ndarray else value.new_tensor(numbers.tolist())
