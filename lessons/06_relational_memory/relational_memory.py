# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A memory whose rows attend to each other
#
# *Attention, Graded · lesson 06 · PyTorch · about 190 minutes · 30 points*
#
# A Transformer sees its whole text at once. Many things don't: a robot, a dialogue, a program that runs. They see one piece at a time and need a **memory** that is carried from step to step. Here the memory is a table with a few rows, called *slots*, and at each step the slots attend to each other. It comes from Santoro and others, *Relational Recurrent Neural Networks* (2018).
#
# You build one step of it, piece by piece, then the whole core, and let it run over time. At the end two memories learn the same task. In one the slots see each other, in the other they don't, and only one of the two can learn it. This lesson builds on lesson 04.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 6.10 is answered in words and read by a person. If an exercise won't come, leave it and go on: only 6.5 and 6.7 build on earlier ones. Cells that draw or print call your functions, so they fail, or show wrong things, until those work. The 190 minutes count reading and running such cells, too. Training the two memories takes about ten seconds.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a slot** | `memory` is `(batch, slots, d)`; `memory[b, s]` is slot `s` of sequence `b` |
# | **The token is the input of one step** | `token` is `(batch, d)`: it has the width of a slot already |
# | **Slots ask, slots and token answer** | `weights` is `(batch, num_heads, slots, slots + 1)`: row = the slot that asks, column = what it looks at, and **the token is the last column** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the slots and the token |
# | **Shapes of the weight matrices** | they multiply from the right, as in `memory @ W_q`, so `W_q`, `W_k`, `W_v` are `(d, d)`. Inside of `nn.Linear`, `weight` is `(out, in)` |
# | **Heads** | `d = num_heads · depth`; head `h` owns the numbers `h·depth … (h+1)·depth − 1` of every row |
# | **Masks are added** | a mask `(slots, slots + 1)` holds 0 (keep) and −∞ (block), and never blocks a whole row |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# What a library says of its own future is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)
torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% [markdown]
# The next cell holds what the tests expect, and what well-known mistakes give, so that a test can tell you which one it was. You don't need to read it.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "messages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# What visible tests expect, and what known mistakes give. `make release` writes this cell out of
# answers/, and nothing in it needs to be read.
def messages():
    from builtins import AssertionError, Exception, NotImplementedError, RuntimeError, TypeError, ValueError, abs, all, any, callable, dict, enumerate, filter, float, getattr, int, isinstance, iter, len, list, map, max, min, next, range, sorted, str, tuple, type, vars, zip
    from itertools import combinations, permutations
    from types import TracebackType
    import copy
    import inspect
    import numpy as np
    import re
    import sys

    RETURNS = {}

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

    CLOSE = {"rtol": 3e-4, "atol": 3e-5, "equal_nan": True}
    NOWHERE = "go through the steps one by one, with these arguments"

    def is_array(value):
        return type(value) is np.ndarray or type(value).__name__ in ("Tensor", "Parameter")

    def close(got, right):
        """Whether two arrays hold the same numbers, up to rounding."""
        return got.shape == right.shape and np.allclose(got, right, **CLOSE)

    def shown(number, digits=4):
        # What is as good as 0 needs no exponent to say so.
        number = 0.0 if abs(number) < 1e-12 else number
        return {"inf": "∞", "-inf": "−∞", "nan": "NaN"}.get(text := f"{number:.{digits}g}", text)

    def apart(*numbers):
        """Two numbers, with six digits where four don't tell them apart."""
        four, six = ([shown(number, digits) for number in numbers] for digits in (4, 6))
        return six if four[0] == four[1] else four

    def located(found, wanted, returns, given, named):
        """Where what came back is wrong, with numbers, and a clue.

        given: the arguments by their names. named: whether what came back had names, and so has no order.
        """
        names = list(returns)
        if len(found) != len(wanted):
            came = f"it gave back {len(found)} thing{'s' * (len(found) != 1)}"
            return came, f"give back {len(wanted)} things: ({', '.join(names)})"
        orders = () if named else permutations(range(len(found)))
        for order in orders:
            if len(found) > 1 and all(close(found[k], part) for k, part in zip(order, wanted)):
                return "the right things, in another order", f"give them back in this order: ({', '.join(names)})"
        fine = [close(*both) for both in zip(found, wanted)]
        # What comes last is what the others are made of: the weights, of an output and its weights.
        which = len(fine) - 1 - fine[::-1].index(False)
        got, right, name, axes = found[which], wanted[which], names[which], returns[names[which]].split()
        right_ones = [other for other, well in zip(names, fine) if well]
        others = f"{', '.join(right_ones)} {'are' if right_ones[1:] else 'is'} right; " if right_ones else ""
        if got.shape != right.shape:
            wants = ", ".join(f"{axis} {size}" for axis, size in zip(axes, right.shape))
            should = f"({wants})" if wants else "no axes: it is one number"
            where = f"{name} has the shape {got.shape} and should have {should}"
            return others + where, of_shape(got, right, axes, given)
        wrong = ~np.isclose(got, right, **CLOSE)
        at = tuple(np.argwhere(wrong)[0])
        place = ", ".join(f"{axis} {index}" for axis, index in zip(axes, at))
        where = f"{name}{' at ' if place else ''}{place} is {' and should be '.join(apart(got[at], right[at]))}"
        theirs = [other for other, part in zip(names, wanted) if other != name and close(got, part)]
        if theirs and got.size > 1:
            return others + where, f"{name} holds what belongs to {theirs[0]}"
        looks = missing, plain, turned, blocked, rounded, summed, sharpened, scaled, placed, parted
        clues = (look(got, right, wrong, axes, given) for look in looks)
        many = f": {wrong.sum()} of the {wrong.size} numbers of {name} are wrong" if wrong.size > 1 else ""
        return others + where, next(filter(None, clues), NOWHERE + many)

    def of_shape(got, right, axes, given):
        """What a wrong shape looks like."""
        if got.size == right.size and close(got.ravel(), right.ravel()):
            return "all numbers are right, and in the right order: only their shape is not"
        for order in permutations(range(right.ndim)):
            if close(got, right.transpose(order)):
                return f"the axes come in the order {', '.join(axes[k] for k in order)}: turn them"
        for k, axis in enumerate(axes):
            for index in range(right.shape[k]):
                if close(np.squeeze(got), np.squeeze(right.take(index, k))):
                    return f"only {axis} {index} came back, of {right.shape[k]}"
            for done, result in (("added up", right.sum(k)), ("averaged", right.mean(k))):
                if close(np.squeeze(got), np.squeeze(result)):
                    return f"the {axis} axis was {done}: it should stay"
        usual = {1, *right.shape, *(one for one in given.values() if isinstance(one, int))}
        usual.update(*(one.shape for one in given.values() if is_array(one)))
        usual.update([a * b for a, b in combinations(usual, 2)])
        for size in (size for size in got.shape if size not in usual):
            for name, value in located.__globals__.items():
                if is_array(value) and size in value.shape and {*got.shape} <= {*value.shape}:
                    what = f"the notebook's {name} {tuple(value.shape)}"
                    return f"{size} is a size of {what}, and of nothing in this call: are the arguments used?"
        if got.ndim != right.ndim:
            wants = ", ".join(axes) or "it is one number"
            return f"it has {got.ndim} axes, and should have {right.ndim}: {wants}"
        k = next(k for k in range(got.ndim) if got.shape[k] != right.shape[k])
        return f"the {axes[k]} axis has {got.shape[k]} places, and should have {right.shape[k]}"

    def missing(got, right, wrong, axes, given):
        if (np.isnan(got) & wrong).any():
            return "NaN comes of ∞ − ∞, 0 · ∞, 0 / 0 or ∞ / ∞: which step makes the first one?"

    def plain(got, right, wrong, axes, given):
        if got.size > 1 and close(got, np.full_like(got, got.flat[0])):
            return f"every number is {shown(got.flat[0])}"
        for name, one in given.items():
            if is_array(one) and got.size > 1 and close(got, array(one, name)):
                return f"this is {name}, as it was given"

    def turned(got, right, wrong, axes, given):
        for order in permutations(range(right.ndim)):
            if close(got, right.transpose(order)):
                changed = [axes[k] for k, other in enumerate(order) if k != other]
                return f"the numbers are right, but these axes have changed places: {', '.join(changed)}"
        for k, axis in enumerate(axes):
            if close(got, np.flip(right, k)):
                return f"the numbers are right, but the {axis} axis runs backwards"

    def blocked(got, right, wrong, axes, given):
        if np.isneginf(right).any() and (wrong == np.isneginf(right)).all() and (got[wrong] < -99).all():
            return "a large negative number is not −∞"
        for kind, here, there in (("−∞", np.isneginf(got), np.isneginf(right)), ("0", got == 0, right == 0)):
            for few, many, said in (
                (here, there, "should be {} and isn't"),
                (there, here, "is {} and shouldn't be"),
            ):
                if many.any() and not many.all() and (wrong == (many & ~few)).all():
                    return f"each number that is wrong {said.format(kind)}: {wrong.sum()} of {wrong.size}"

    def summed(got, right, wrong, axes, given):
        def ones(numbers, k):
            return np.allclose(numbers.sum(k), 1, atol=1e-3)

        all_ones = [k for k in range(right.ndim) if right.shape[k] > 1 and ones(right, k)]
        if all_ones and not any(ones(got, k) for k in all_ones):
            others, sums = [axes[k] for k in range(got.ndim) if ones(got, k)], got.sum(all_ones[-1])
            there = f"one sum is {shown(sums[abs(sums - 1) > 1e-3][0])}"
            here = f"here the sum over the {others[0]} axis is" if others else there
            return f"the sum over the {axes[all_ones[-1]]} axis should be 1; {here}"

    def sharpened(got, right, wrong, axes, given):
        """Of two softmaxes, how much larger the scores of one are."""
        for k in range(right.ndim):
            if right.shape[k] < 2 or (got < 0).any() or (right < 0).any():
                continue
            if not all(close(one.sum(k), np.ones_like(one.sum(k))) for one in (got, right)):
                continue
            # What is almost 0 says nothing of its score.
            sized = (got > 1e-4) & (right > 1e-4)
            logs = [np.log(np.where(sized, one, 1)) for one in (got, right)]
            middle = np.maximum(sized.sum(k, keepdims=True), 1)
            mine, theirs = (np.where(sized, log - log.sum(k, keepdims=True) / middle, 0) for log in logs)
            if (theirs**2).sum() < 1e-3 or sized.sum() < 4:
                continue
            factor = (mine * theirs).sum() / (theirs**2).sum()
            if np.allclose(mine, factor * theirs, atol=0.02) and abs(factor - 1) > 0.02:
                return f"the scores under the softmax are {of_sizes(factor, given)} times what they should be"

    def of_sizes(factor, given):
        """A factor, and which size of the arguments it is, or the root of one, if only one fits."""
        sizes = {one for one in given.values() if type(one) is int}
        sizes.update(*(one.shape for one in given.values() if is_array(one)))
        fits = [
            words.format(size)
            for size in sorted(size for size in sizes if size > 1)
            for words, number in (("{}", size), ("√{}", size**0.5), ("1/{}", 1 / size), ("1/√{}", size**-0.5))
            # The root of 4 is 2, and says nothing of where it comes from.
            if abs(factor / number - 1) < 2e-3 and not ("√" in words and size**0.5 == int(size**0.5))
        ]
        also = f" = {fits[0]}" if len(fits) == 1 and not shown(factor) == fits[0] else ""
        return shown(factor) + also

    def scaled(got, right, wrong, axes, given):
        whole = np.isfinite(right)
        if not np.array_equal(np.isfinite(got), whole) or (abs(right[whole]) > 1e-3).sum() < 2:
            return None
        # Zeros stay zeros, and are told by nothing.
        sized = whole & (abs(right) > 1e-3)
        ratio, more = got[sized] / right[sized], (got - right)[whole]
        alike = np.ptp(ratio) < 1e-3 * abs(ratio[0]) and shown(ratio[0]) != "1"
        if alike and close(got[whole], ratio[0] * right[whole]):
            return f"every number is {of_sizes(ratio[0], given)} times what it should be"
        if np.ptp(more) < 1e-3 * abs(more[0]):
            return f"every number is {shown(more[0])} more than it should be"
        for k, axis in enumerate(axes if whole.all() and wrong.all() and right.ndim > 1 else ()):
            if right.shape[k] < 3:
                continue
            most, more = np.expand_dims(abs(right).argmax(k), k), got - right
            factor = np.take_along_axis(got, most, k) / np.take_along_axis(right, most, k)
            if close(got, factor * right):
                return f"the numbers along the {axis} axis share one factor; the first is {shown(factor.flat[0])}"
            if np.ptp(more, k).max() < 1e-3 * abs(more).min():
                return f"along the {axis} axis, each number is as much too large; at first {shown(more.flat[0])}"

    def rounded(got, right, wrong, axes, given):
        for places in range(4):
            for done in (np.round, lambda number, places: np.trunc(number * 10**places) / 10**places):
                if close(got, done(right, places)):
                    return f"the numbers are right, but only to {places} places: keep all of their digits"

    def placed(got, right, wrong, axes, given):
        """On which side of the diagonal of the last two axes all wrong numbers stand."""
        if right.ndim < 2 or min(right.shape[-2:]) < 3 or wrong.sum() < 3:
            return None
        *_, row, column = np.nonzero(wrong)
        for sign, holds in (("=", column == row), (">", column > row), ("<", column < row)):
            if holds.all():
                return f"every number that is wrong stands where {axes[-1]} {sign} {axes[-2]}"

    def parted(got, right, wrong, axes, given):
        """Which part of the axes is wrong, and what stands there."""
        best = None
        for k, axis in enumerate(axes):
            bad = np.flatnonzero(wrong.any(axis=tuple(other for other in range(right.ndim) if other != k)))
            for index in bad:
                for other in range(right.shape[k]):
                    if close(got.take(index, k), right.take(other, k)) and got.take(index, k).size > 1:
                        return f"{axis} {index} holds what belongs to {axis} {other}"
            if len(bad) < right.shape[k] and (best is None or len(bad) / right.shape[k] < best[0]):
                fine = [index for index in range(right.shape[k]) if index not in bad]
                numbers = [", ".join(map(str, which)) for which in (fine, bad)]
                best = len(bad) / right.shape[k], f"{axis} {numbers[0]} is right, {axis} {numbers[1]} is wrong"
        return best and best[1]

    def array(value, name):
        """A float array of a number, an array, a tensor, or lists of them. Raises ValueError with a sentence."""
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

    FRONT = "in a product, let the axes before the last two be alike: is one lacking, or are others turned?"
    # Words of an error, and what it means. The first that fits is said.
    MEANINGS = {
        "NotImplementedError: $":
            "write your code in place of the line raise NotImplementedError(), and run that cell",
        "does not have enough dimensions":
            "beside @ stands a single number, or an object that only holds an array: of a Parameter take .data",
        "operand type.*'Parameter'|'Parameter' object has no attribute":
            "a Parameter only holds an array: take its .data",
        "remapped shapes .*requested":
            FRONT,
        "einstein sum|einsum\\(\\)|remapped shapes":
            "give each axis one letter in einsum (... stands for any axes in front), and each letter one size",
        "matmul: Input op|mat1 and mat2 shapes|not aligned|two dimensions of batch2":
            "in a product, make the last axis on the left as long as the last but one on the right: is a part "
            "turned, split or missing?",
        "must match exactly|must have the same shape|must match except|equal size, but":
            "join parts of the same sizes: they may differ only along the axis on which concatenate joins them",
        "non-broadcastable":
            "sum up the axes that are too many: what += adds has more axes than what it is added to",
        "could not (be )?broadcast|must match the":
            "make the sizes fit: from the last axis on, equal or 1 ([:, None] or keepdims=True makes axes of 1)",
        "cannot reshape|invalid for input of size":
            "ask for another shape: a reshape keeps how many numbers there are",
        "view size is not compatible":
            "after a transpose, write reshape for view",
        "match array|repeated axis|desired ordering":
            "name each axis once in a transpose; swapaxes(-1, -2) turns the last two, however many there are",
        "too many indices":
            "use fewer indices, or look whether the array should have more axes: each index takes one",
        "out of bounds|out of range":
            "count again: there is no such index or axis; the first is 0, and the last one less than there are",
        "truth value|Boolean value of Tensor":
            "ask for one answer, not many: `is None`, .any() or .all(), or the library's max, min or where",
        "NoneType":
            "look for what is None here: a function without return, or an argument that was not given",
        "'tuple' and|and 'tuple'|'tuple' object has no|must be Tensor, not tuple":
            "take out the part that is wanted: a function with several results gives back a tuple",
        "'list' object has no|'list' and|and 'list'|list indices|multiply sequence|must be Tensor, not list":
            "make an array of it first: this is a list",
        "before Module.__init__":
            "call super().__init__() before all else: it comes first",
        "return_types.max":
            "take amax: torch's max along an axis gives back two things, values and indices",
        "is not callable":
            "look before the round brackets: what stands there is no function",
        "has no attribute":
            "look where this name comes from: is it spelled so everywhere, kept as self.…, and of this library?",
        "is not defined":
            "give this name a value in your function first, as a size gets it from an array's .shape; or is it "
            "spelled otherwise elsewhere?",
        "cannot access local":
            "give this name a value first: it gets one only later, or in a branch that was not taken",
        "positional argument|unexpected keyword|takes exactly|missing .* required":
            "look at the line that begins with def: the function is called with other arguments than it takes",
        "values to unpack|cannot unpack":
            "write as many names on the left as there are parts on the right",
        "converted? .*to (a )?(Python )?[Ss]calar|only length-1":
            "take the library's function for many numbers: one number is wanted here, as by those of math",
        "Cannot interpret":
            "put the sizes into brackets of their own: they are one argument, and the next is a kind of number",
        "interpreted as an integer|must be integers|only integers|tuple of ints":
            "make it a whole number, as each size and index is: // gives one",
        "KeyError":
            "look at the names: there is nothing of this name in the dict",
        "not subscriptable|no len\\(\\)|not iterable|over a 0-d|invalid index to scalar":
            "look at what this is: one thing, without parts or a length",
        "must be Tensor|Tensor as element|numpy.ndarray, ":
            "give torch's functions tensors: math has those for numbers, NumPy those for arrays",
        "on the same device|expected device":
            "make new tensors where the others are: device=x.device",
        "dtype, but|not implemented for|Cannot cast|be cast to":
            "make them of one kind: these are different kinds of numbers, whole ones, or of 32 and 64 bits",
        "leaf Variable":
            "write into it inside `with torch.no_grad():`, since this parameter keeps track of gradients",
        "as parameter '":
            "copy numbers into the parameter, inside `with torch.no_grad():`, or all at once by load_state_dict",
        "requires grad":
            "take .detach() first: this tensor keeps track of gradients, and that gives its numbers alone",
        "boolean masks|operator, (is not|on a bool|with a bool)":
            "make masks by comparing: those of True and False are turned round by ~",
        "read-only":
            "make a new array: an input can't be written to",
        "inhomogeneous":
            "give the parts one shape, or keep them in a list: of different lengths they make no array",
        "array element with a sequence":
            "add them up, or write the index that is missing: one place gets many numbers",
        "arrays used as indices":
            "no whole number is in the brackets: a loop over an array gives its rows, range(len(...)) numbers",
        "recursion depth":
            "let it end: the function calls itself without an end",
    }

    def explained(error, files, can_be_done=True):
        """An error in words: what was raised, where, and what it means.

        files: as `raised_in` takes them. can_be_done: whether what was called should not have raised anything.
        """
        said = f"{type(error).__name__}: {error}"
        where = vars(error)["raised_in"] if "raised_in" in vars(error) else raised_in(error, files)
        meant = next((meaning for words, meaning in MEANINGS.items() if re.search(words, said)), "")
        if meant.startswith(("in a product", "make the sizes fit")):
            if re.search(r"\.T \((\d+, ){2}", where):
                meant = "turn the last two axes alone, as swapaxes(-1, -2) does: .T turns all of them"
            elif "must match the size" in said and re.search(r"^(?!.* [-+*] ).*@", where):
                # torch's words for a product and for a sum; NumPy has others for a product.
                meant = FRONT
            elif re.search(r": .*[\w)\]] \* \w", where):
                meant += "; a product of matrices is @"
        borrowed = re.search(r"(\w+) \([^()]*\) of the notebook", where)
        if borrowed:
            meant = f"{borrowed[1]} is not made in this function: it is the notebook's. Use the arguments"
        if re.search(r"^in line \d+ of \w+: (raise|assert)\b", where) and type(error) is not NotImplementedError:
            either = "compare the sizes: the call gives it wrong arrays, or" if "\ncalled " in where else ""
            meant = f"{either or 'this call can be done:'} the line refuses too much" if can_be_done else ""
        tuples = re.search(r"(\w+) (\[?)tuple\[", where)
        if tuples and not re.search(rf"\b{tuples[1]}\[", where):
            name, inside = tuples.groups()
            asked = f"{name} holds tuples: are they" if inside else f"{name} is a tuple: is it"
            meant = "\n".join(filter(None, [meant, f"{asked} wanted whole here, or only one part?"]))
        elif where and can_be_done and not meant:
            meant = "look at that line: what is each part of it, and of which size?"
        return "\n".join(filter(None, [said, where, meant]))

    def students_files(notebook):
        """What the cells with the student's functions and classes are called in tracebacks.

        notebook: its names. None if it has no messages, which say what a student defines.
        """
        if "MESSAGES" not in notebook:
            return None
        values = [notebook.get(name) for known in notebook["MESSAGES"].values() for name in known["defines"]]
        values += [part for value in values if isinstance(value, type) for part in vars(value).values()]
        codes = [getattr(inspect.unwrap(value), "__code__", None) for value in values if callable(value)]
        return {code.co_filename for code in codes if code}

    def raised_in(error, files):
        """The last line of a student's own that an error came through, and the sizes there; "" for none.

        If that is in another cell than the function that the test has called, a line of this one follows.
        files: those of the student's cells; None for all of the notebook.
        """
        trace, frames = error.__traceback__, []
        while trace:
            frame = trace.tb_frame
            main = frame.f_globals.get("__name__") == "__main__"
            if main if files is None else frame.f_code.co_filename in files:
                frames.append((frame, trace.tb_lineno))
            trace = trace.tb_next
        if not frames:
            return ""
        last = frames[-1][0].f_code.co_filename
        first = next((n for n, (frame, _) in enumerate(frames) if frame.f_code.co_filename != last), None)
        called = "" if first is None else "\ncalled " + in_words(frames[: first + 1])
        return in_words(frames) + called

    def in_words(frames):
        """The last of some lines, the function that it is of, and the sizes of what stands in it."""
        import linecache
        import re

        frame, number = frames[-1]
        line = linecache.getline(frame.f_code.co_filename, number).strip()
        # What stands in brackets, [f(x) for x in rows], is a function of its own.
        around = [frame]
        while around[-1].f_code.co_name.startswith("<") and len(frames) > len(around):
            around.append(frames[-1 - len(around)][0])
        own = {name: value for one in around[::-1] for name, value in one.f_locals.items()}
        others = {name for one in around for name in one.f_code.co_names} - {
            name for one in around for name in one.f_code.co_varnames
        }
        sizes = []
        # What stands in a text or a comment names nothing.
        code = re.sub(r"""(["'])(?:\\.|(?!\1).)*\1|#.*""", "", line)
        for path in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*\b(?!\s*=[^=])", code)):
            name, *attributes = path.split(".")
            if name == "_" or name not in own and name not in others:
                continue
            value, whose = own.get(name, frame.f_globals.get(name)), "" if name in own else " of the notebook"
            # Of self.weight.grad, what first has a size.
            while not isinstance(shape := getattr(value, "shape", None), tuple) and attributes:
                name, whose = f"{name}.{attributes[0]}", ""
                value = getattr(value, attributes.pop(0), None)
            if isinstance(shape, tuple) and attributes and attributes[0] in ("T", "mT"):
                name, shape = f"{name}.{attributes[0]}", getattr(value, attributes[0]).shape
            if isinstance(shape, tuple):
                sizes.append(f"{name} {tuple(shape)}{whose}")
            elif type(value) is int:
                sizes.append(f"{name} = {value}")
            elif type(value) in (list, tuple) and (shapes := shapes_in(value)):
                sizes.append(f"{name} {shapes}")
        there = f"\nwith the sizes {', '.join(dict.fromkeys(sizes))}" if sizes else ""
        return f"in line {number} of {around[-1].f_code.co_name}: {line}{there}" if line else ""

    def shapes_in(value):
        """The shapes of the arrays in a list or a tuple, and in those in it; "" if it holds anything else."""
        if isinstance(shape := getattr(value, "shape", None), tuple):
            return str(tuple(shape))
        parts = [shapes_in(part) for part in value] if type(value) in (list, tuple) and len(value) < 9 else []
        inside = f"[{', '.join(parts)}]" if parts and all(parts) else ""
        return inside and ("tuple" if type(value) is tuple else "") + inside

    return returns, check


returns, check = messages()
Infinity, NaN = float("inf"), float("nan")
MESSAGES = {
 "memory-attention": {
 "made of": "69b4077b60c7", "defines": ["memory_attention"],
 "advice": {
  "no scale": "The scores are not divided: divide them by √depth.",
  "divides by √d": "Divide the scores by √depth, the length of a head's rows: here they are divided by √d.",
  "divides by depth": "Divide the scores by √depth: here they are divided by depth itself.",
  "to the power of one, halved": "The scores are divided by d, which is 2·depth here: divide by √depth (in `/ depth ** 1/2` the power comes first: write ** 0.5).",
  "divides by √slots": "The scores are divided by √slots: how many slots there are doesn't matter, divide by √depth, with depth from the last axis of q.",
  "divides by √(slots + 1)": "The scores are divided by √(slots + 1): how many rows there are doesn't matter, divide by √depth, with depth from the last axis of q.",
  "divides by √num_heads": "The scores are divided by √2, as by the root of num_heads or of the number of sequences: divide by √depth, with depth from the last axis of q.",
  "multiplies by √depth": "The scores are multiplied by √depth: divide them.",
  "divides by 2": "√depth is written into your code as the number 2: take depth from the last axis of q, after the heads are cut.",
  "the weights divided, not the scores": "The weights are divided by √depth: divide the scores, before the softmax, so that each row still sums to 1.",
  "softmax over the slots that ask": "Let the softmax run along the last axis, dim=-1: here each column sums to 1.",
  "softmax over the heads": "Let the softmax run along the last axis, dim=-1: here the heads of one cell sum to 1.",
  "softmax over the sequences": "Let the softmax run along the last axis, dim=-1: here the sequences sum to 1.",
  "softmax over the whole table": "Each row has to sum to 1: let the softmax run along the last axis alone, not over the whole table.",
  "no softmax": "The softmax is missing: the weights are softmax(scores) along the last axis.",
  "sigmoid": "Each weight is a sigmoid of its own score: take the softmax along the last axis, so that each row sums to 1.",
  "exponentials that are not divided": "The exponentials are not divided by their sum: each row has to sum to 1.",
  "log_softmax": "These are logarithms of weights: take softmax, not log_softmax.",
  "softmax twice": "The softmax runs twice: once is enough.",
  "the softmax is not used for the values": "The values are mixed by the scores: mix them by the weights, which come out of the softmax.",
  "slots and token each with a softmax of their own": "Slots and token have one softmax together: join their scores first, so that each row of slots + 1 weights sums to 1.",
  "the largest weight only": "Each slot takes its best column alone: mix all values by the softmax of the scores.",
  "token left out": "The token is missing: join it to the memory as one more row, for keys and values.",
  "token asks, too": "The token asks, too: queries come from the memory alone, so that there are as many rows as slots.",
  "token first": "The token comes first: put it below the memory, as the last row.",
  "token first, and it asks": "The token comes first and asks: put it last, and let queries come from the memory alone.",
  "token asks in place of slot 0": "The queries are one row off: they come from the memory, slot 0 first, and not from the last rows with the token.",
  "token added to each slot": "The token was added to the slots: join it as a row of its own, with torch.cat along dim=1.",
  "token added to each slot, and joined": "The token was added to the slots: it is a row of its own, and the memory stays as it is.",
  "token of the first sequence for all": "Every sequence got the token of sequence 0: join token[:, None], which has one row for each sequence.",
  "the mean of the tokens for all": "Every sequence got the mean of all tokens: join token[:, None], which has one row for each sequence.",
  "a row of zeros for the token": "The last row of the keys and values is 0: it has to be the token.",
  "the token's value is left out": "The weights are right, but the token's value is missing in what is attended to: the values have slots + 1 rows.",
  "the token's weight is not given back": "The token's column is missing in the weights: give back all slots + 1 columns.",
  "token joined without its matrices": "The token misses W_k and W_v: join it to the memory first, then multiply the whole table.",
  "token in place of the last slot": "The token has taken the last slot's place: join it as one more row, so that there are slots + 1.",
  "token twice": "The keys and values have a row too many: join the token once.",
  "W_q and W_k exchanged": "W_q and W_k have changed places: queries are memory @ W_q, keys are rows @ W_k.",
  "W_k and W_v exchanged": "W_k and W_v have changed places: keys are rows @ W_k, values are rows @ W_v.",
  "values with W_k": "The values are the keys: they are rows @ W_v.",
  "keys with W_q": "The keys are made with W_q: they are rows @ W_k.",
  "queries with W_k": "The queries are made with W_k: they are memory @ W_q.",
  "values without W_v": "The values are the rows themselves: multiply them by W_v.",
  "queries without W_q": "The queries are the slots themselves: multiply them by W_q.",
  "keys without W_k": "The keys are the rows themselves: multiply them by W_k.",
  "no matrix at all": "None of the three matrices is used: multiply by W_q, W_k and W_v before you cut into heads.",
  "matrices transposed": "The matrices are transposed: here they multiply from the right as they are, as in memory @ W_q.",
  "only W_v transposed": "W_v is transposed: it multiplies from the right as it is, as in rows @ W_v.",
  "only W_q transposed": "W_q is transposed: it multiplies from the right as it is, as in memory @ W_q.",
  "only W_k transposed": "W_k is transposed: it multiplies from the right as it is, as in rows @ W_k.",
  "weights transposed": "The weights are turned: the slot that asks is the row, what it looks at is the column.",
  "keys reshaped, not turned": "The keys are not turned: swap their last two axes with transpose(-2, -1), since a reshape keeps the order of the numbers.",
  "heads split by a bare reshape": "A bare reshape mixes the heads' numbers with the slots: cut the last axis into (num_heads, depth), then exchange axes 1 and 2, as split_heads does.",
  "heads split as (depth, num_heads)": "Each head got every num_heads-th number: head h owns depth numbers side by side, so cut the last axis into (num_heads, depth), in this order.",
  "heads merged by a bare reshape": "The heads are merged by a bare reshape: exchange axes 1 and 2 first, as merge_heads does.",
  "heads merged number by number": "The heads' numbers lie in turn: put the heads side by side, head 0 first, as merge_heads does.",
  "heads not merged": "The heads are not merged: give back merge_heads of weights times values.",
  "one head": "There is one head only: cut queries, keys and values into num_heads with split_heads.",
  "always 2 heads": "The number of heads is written into your code: take num_heads.",
  "num_heads taken for depth": "Each head has num_heads numbers: cut the last axis into num_heads heads of d / num_heads numbers.",
  "weights averaged over the heads": "The weights of the heads were averaged: give back the table of each head.",
  "weights of head 0": "Only the weights of head 0 came back: give back the table of each head.",
  "heads averaged before the values are mixed": "All heads share one table of weights, their mean: each mixes its values by its own.",
  "scores of the heads added up": "All heads share one table of scores, their sum: each has scores of its own.",
  "the queries of head 0 for all": "Every head got the queries of head 0: multiply all of q with all of k.",
  "the values of head 0 for all": "Every head got the values of head 0: multiply the weights with all of v.",
  "the values of sequence 0 for all": "Every sequence got the values of sequence 0: multiply the weights with all of v.",
  "the keys of sequence 0 for all": "Every sequence got the keys of sequence 0: multiply q with all of k.",
  "no mask": "The mask has no effect: it holds 0 (keep) and −∞ (block), so add it to the scores, before the softmax.",
  "mask after the softmax": "The mask comes after the softmax, so the rows no longer sum to 1: add it to the scores before.",
  "mask added to the weights": "The mask is added to the weights: add it to the scores, before the softmax.",
  "mask multiplied": "The mask is multiplied with the scores: add it, since it holds 0 and −∞.",
  "mask subtracted": "Blocked scores are +∞ here, as if the mask were subtracted: add it, so that they become −∞.",
  "mask read as 1 and 0": "The mask is read as if it held 1 (keep) and 0 (block): it holds 0 and −∞ already, so add it as it is.",
  "mask turned round": "The mask works the wrong way round: 0 keeps a score, −∞ blocks it.",
  "blocked scores set to 0": "Blocked scores are 0, which is a score like any other: they have to be −∞ before the softmax.",
  "the token's column never blocked": "The mask leaves out the token: its column, the last one, may be blocked, too.",
  "mask for the token only": "The mask blocks the token only: add all slots + 1 columns of it.",
  "mask for head 0 only": "The mask blocks in head 0 only: add it to the scores of all heads.",
  "mask of the first slot for all": "All slots got the first row of the mask: add the whole table.",
  "mask for sequence 0 only": "The mask blocks in sequence 0 only: add it to the scores of all sequences.",
  "values of blocked columns set to 0": "The mask is used on the values: add it to the scores, before the softmax.",
  "causal, too": "Slots later in the table are blocked: slots have no order, so every slot may look at every other.",
  "memory added": "The memory is added to what is attended to: that comes in 6.3, leave it out here.",
  "memory added and normed": "Memory and norm come in 6.3: give back weights times values alone, with the heads merged.",
  "normed": "What is attended to was normed: that comes in 6.3, leave it out here.",
  "a matrix after the heads": "W_v is used twice: there is no matrix after the heads.",
  "values averaged": "What is attended to is a mean, not a sum: the weights sum to 1 already, so multiply them with the values and add up.",
  "weights first": "The two results have changed places: give back attended, weights.",
  "attended alone": "The weights are missing: give back attended, weights.",
  "weights alone": "Only the weights came back: give back attended, weights.",
  "scores for weights": "These are scores: give back the weights, which come out of the softmax.",
  "the first sequence alone": "Only the first sequence came back: keep the batch axis."},
 "calls": {
  "3 slots, 2 heads of 4 numbers": [["memory", "token", "W_q", "W_k", "W_v", "num_heads"], [[[[-1.12176, 0.420152, 0.0613458, -0.356632, 1.38094, 0.355619, -0.708793, -1.58095], [0.859536, -0.532574, 2.93145, 1.44913, -0.251638, 0.0366587, -0.597218, 0.381726], [-1.324, 0.618408, -0.0981872, -0.509619, 1.3087, 0.549047, -1.06308, -1.57814]], [[0.540547, -0.0337968, 1.34403, 0.421722, -0.00120748, -0.192694, -0.557327, -0.0397912], [0.802378, -0.950368, -2.12496, 1.14313, 0.00959327, -0.0402519, -0.00612361, -0.0323117], [0.8925, -0.1575, 1.17375, 0.6725, 0.0125, -0.23375, -0.344375, -0.306875]]], [[[[0.0279077, 0.139736, 0.829589, 0.00276766], [0.74765, 0.0290607, 0.00475905, 0.21853], [0.00145006, 0.242816, 0.755261, 0.000472457]], [[0.0367322, 0.218231, 0.733767, 0.01127], [0.871951, 0.00484845, 0.000459978, 0.122741], [0.152294, 0.0292304, 0.794943, 0.0235331]]], [[[0.156227, 0.0407528, 0.552242, 0.250778], [0.0144968, 0.952696, 0.0298485, 0.00295832], [0.25, 0.25, 0.25, 0.25]], [[0.12478, 0.0190639, 0.0222909, 0.833865], [0.0242859, 0.0114063, 0.954024, 0.0102841], [0.25, 0.25, 0.25, 0.25]]]]], [
   ["no scale", [-5.3186, -7.7455], [0.082094, -1.5639]],
   ["divides by √d", [-3.942, -7.149], [-0.67225, -1.2137]],
   ["divides by depth", [-3.3507, -7.0104], [-0.69166, -0.96972]],
   ["to the power of one, halved", [-2.3789, -6.9997], [-0.527, -0.43321]],
   ["divides by √slots", [-4.6852, -7.5021], [-0.42745, -1.4227]],
   ["divides by √num_heads", [-4.9414, -7.6345], [-0.25341, -1.4778]],
   ["multiplies by √depth", [-5.757, -7.5907], [0.54805, -1.7127]],
   ["the weights divided, not the scores", [-2.6593, -3.8727], [0.041047, -0.78193]],
   ["softmax over the slots that ask", [-2.76, -8.575], [-0.77232, -0.82237]],
   ["softmax over the heads", [-9.1665, -15.378], [-2.3232, 0.71122]],
   ["softmax over the sequences", [-4.9921, -10.792], [-1.4859, 1.215]],
   ["softmax over the whole table", [-3.3332, -2.4873], [-0.9259, -0.73448]],
   ["no softmax", [-21.642, 3.4002], [-10.473, -2.8776]],
   ["sigmoid", [-5.6278, -12.278], [-0.78269, 0.62294]],
   ["exponentials that are not divided", [-304.19, -391.72], [-212.78, -88.099]],
   ["log_softmax", [-2.1856, 73.909], [-11.28, -14.183]],
   ["softmax twice", [-2.3633, -7.2317], [-0.14001, -0.19684]],
   ["the softmax is not used for the values", [-21.642, 3.4002], 0],
   ["slots and token each with a softmax of their own", [3.5904, -15.485], [0.64182, -0.64893]],
   ["the largest weight only", [-6.7981, -6.252], [1.3333, -1.6048]],
   ["token left out", [-4.978, -4.4752], [0.17417, 1.4054, [2, 2, 3, 3]]],
   ["token asks, too", [0.95401, -12.943, [2, 4, 8]], [-0.018969, -6.0367, [2, 2, 4, 4]]],
   ["token first", 0, [0.4915, 1.8234]],
   ["token first, and it asks", [3.9396, -11.495, [2, 4, 8]], [0.12454, -0.58393, [2, 2, 4, 4]]],
   ["token asks in place of slot 0", [-7.4563, -8.4428], [-0.095757, 1.6081]],
   ["token added to each slot", [3.5904, -15.485], [0.17417, 1.4054, [2, 2, 3, 3]]],
   ["token added to each slot, and joined", [3.5758, -14.861], [0.034022, -1.4068]],
   ["token of the first sequence for all", [-6.0801, -6.7805], [-0.41698, -1.0332]],
   ["the mean of the tokens for all", [-4.9827, -7.0308], [-0.026855, -1.3257]],
   ["a row of zeros for the token", [-4.9926, -3.8515], [0.034022, -1.4068]],
   ["the token's value is left out", [-4.9882, -5.2939], 0],
   ["the token's weight is not given back", 0, [0.53547, 1.1535, [2, 2, 3, 3]]],
   ["token joined without its matrices", [-0.93605, -0.87579], [-0.17921, -1.4725]],
   ["token in place of the last slot", [-3.8767, -8.908], [2.6316, -1.4654, [2, 2, 3, 3]]],
   ["token twice", [-4.089, -7.9475], [-1.3951, 1.6545, [2, 2, 3, 5]]],
   ["W_q and W_k exchanged", [-0.57028, -0.13064], [0.39713, 0.3845]],
   ["W_k and W_v exchanged", [8.0903, -6.9617], [1.3379, -0.35913]],
   ["values with W_k", [-0.22155, -9.0879], 0],
   ["keys with W_q", [-6.736, -6.3354], [1.3846, 2.3012]],
   ["queries with W_k", [-4.7651, -7.0633], [0.079066, 1.4474]],
   ["values without W_v", [0.66345, 0.62423], 0],
   ["queries without W_q", [0.085762, -5.3363], [0.57881, 1.9842]],
   ["keys without W_k", [-3.4087, -5.3786], [-1.7706, 2.1963]],
   ["no matrix at all", [16.907, 2.4438], [1.2697, 1.5271]],
   ["matrices transposed", [4.1285, -8.2126], [1.8763, 2.0545]],
   ["only W_v transposed", [-0.033581, -9.8611], 0],
   ["only W_q transposed", [3.8235, -10.073], [0.68293, -0.47906]],
   ["only W_k transposed", [4.7372, -4.9442], [0.58022, 1.0196]],
   ["weights transposed", 0, [-1.368, -0.0044526, [2, 2, 4, 3]]],
   ["keys reshaped, not turned", [-0.56128, -10.108], [0.2386, 1.3097]],
   ["heads split by a bare reshape", [-4.3886, -8.6836], [0.93646, -0.56204]],
   ["heads split as (depth, num_heads)", [1.2927, -1.4878], [-0.49324, 0.012064]],
   ["heads split as (depth, num_heads)", [-2.0433, -7.4739], [-0.49324, 0.012064]],
   ["heads merged by a bare reshape", [-10.418, -5.1401], 0],
   ["heads merged number by number", [-1.9608, 3.7737], 0],
   ["heads not merged", [-10.418, -5.1401, [2, 2, 3, 4]], 0],
   ["heads not merged", [-4.4859, -7.3929, [2, 3, 2, 4]], 0],
   ["one head", [-2.1418, -10.187], [0.77527, -3.1636, [2, 1, 3, 4]]],
   ["num_heads taken for depth", [0.13162, -2.5597], [0.39714, -0.48709, [2, 4, 3, 4]]],
   ["weights averaged over the heads", 0, [0.48523, -2.2608, [2, 3, 4]]],
   ["weights of head 0", 0, [-0.48071, -1.0358, [2, 3, 4]]],
   ["heads averaged before the values are mixed", [-1.6511, -9.4406], [0.080429, 0.29807]],
   ["scores of the heads added up", [-2.2345, -10.754], [-0.48719, 0.84877]],
   ["the queries of head 0 for all", [-0.98972, -6.34], [-0.028554, -0.43248]],
   ["the values of head 0 for all", [0.1648, 3.036], 0],
   ["the values of sequence 0 for all", [4.3554, -2.4868], 0],
   ["the keys of sequence 0 for all", [-6.5851, -5.8626], [-0.92831, 0.39708]],
   ["causal, too", [-3.1732, -4.2324], [2.0176, -0.72797]],
   ["memory added", [9.5473, -6.9103], 0],
   ["memory added and normed", [5.4601, -6.1196], 0],
   ["normed", [-5.5953, -10.104], 0],
   ["a matrix after the heads", [1.9882, 2.8909], 0],
   ["values averaged", [-1.1215, -1.8482], 0],
   ["weights first", [-0.52791, -1.3761, [2, 2, 3, 4]], [-4.4859, -7.3929, [2, 3, 8]]],
   ["attended alone", [-4.4859, -7.3929, [2, 3, 8]]],
   ["weights alone", [-0.52791, -1.3761, [2, 2, 3, 4]]],
   ["scores for weights", 0, [-10.473, -2.8776]],
   ["the first sequence alone", [-1.648, -3.7831, [3, 8]], [-0.032057, -0.35256, [2, 3, 4]]]]],
  "4 slots, 3 heads of 2 numbers, with a mask": [["memory", "token", "W_q", "W_k", "W_v", "num_heads", "mask"], [[[[-1.23156, 1.92142, 0.547641, -0.328264, -0.434207, -0.491419], [-0.130675, -1.22515, -1.36858, 0.892047, 0.141832, 0.270208], [1.67308, -2.12855, 0.0271592, -0.301598, 0.376395, 0.618798], [-0.752165, 0.599706, -0.267367, 0.0340182, -1.0235, -0.934523]], [[1.14981, -0.885158, 0.615064, -0.813912, 0.00820094, 0.473188], [1.26519, -1.11595, -0.696966, -0.637641, 0.821763, 0.268343], [0.516578, 0.20494, 0.906321, -0.0623068, 0.352888, 0.929773], [0.403677, -0.933504, 1.43312, -1.61601, 0.354214, 0.848628]], [[0.199394, -0.413825, 0.169976, -0.945746, 0.0996284, 0.800051], [0.588602, 0.0773802, 0.420494, -0.321438, 0.0513284, 0.188384], [1.11264, 0.285209, 2.00154, 0.00217341, 0.0156677, 0.794277], [1.12534, 0.293756, 1.23103, -1.18227, 0.23175, 0.605316]], [[-1.08738, 0.82096, -0.309343, 1.62462, 0.412159, -0.922229], [-0.739514, -0.446341, -0.00573519, 0.231945, 0.374864, -0.780527], [-1.23193, -0.378751, 0.102966, -0.0756575, 0.133328, -0.843602], [0.0510926, -0.392978, -0.32943, 1.7006, -0.268439, -0.497462]], [[0.36058, 0.487825, 0.58569, 0.0581429, -0.932076, -0.369743], [0.47108, -1.04934, 0.0821219, -0.199743, 0.173534, 0.587868], [0.872227, 0.29028, 0.18925, 0.0174729, -0.721239, -0.406971], [0.626667, -0.1675, 0.169167, -0.229167, -0.228333, 0.224167]]], [[[[0.615916, 0, 0.0679605, 0, 0.316123], [0.139048, 0.222456, 0, 0.638496, 0], [0, 0.0662954, 0.637825, 0.146883, 0.148997], [0.491278, 0.273738, 0.234984, 0, 0]], [[0.259628, 0, 0.448213, 0, 0.29216], [0.408929, 0.186867, 0, 0.404204, 0], [0, 0.121994, 0.117495, 0.337581, 0.42293], [0.383343, 0.313379, 0.303278, 0, 0]], [[0.450761, 0, 0.264584, 0, 0.284655], [0.193131, 0.44478, 0, 0.362089, 0], [0, 0.417664, 0.156282, 0.247705, 0.178349], [0.718775, 0.183208, 0.0980171, 0, 0]]], [[[0.496034, 0, 0.224761, 0, 0.279205], [0.402139, 0.152741, 0, 0.44512, 0], [0, 0.104237, 0.140174, 0.569297, 0.186292], [0.363315, 0.325723, 0.310962, 0, 0]], [[0.363896, 0, 0.281003, 0, 0.355101], [0.197704, 0.698273, 0, 0.104024, 0], [0, 0.201218, 0.0810127, 0.563125, 0.154644], [0.749743, 0.145897, 0.104361, 0, 0]], [[0.183974, 0, 0.469495, 0, 0.346531], [0.542544, 0.0799405, 0, 0.377515, 0], [0, 0.697768, 0.289321, 0.00725423, 0.00565651], [0.0589504, 0.591091, 0.349958, 0, 0]]], [[[0.0839317, 0, 0.346432, 0, 0.569637], [0.538786, 0.133448, 0, 0.327766, 0], [0, 0.987284, 0.00757697, 0.00198432, 0.00315467], [0.000577471, 0.99688, 0.00254246, 0, 0]], [[0.351132, 0, 0.158087, 0, 0.490781], [0.0333935, 0.398418, 0, 0.568188, 0], [0, 0.871136, 0.0128454, 0.0122273, 0.103791], [0.814938, 0.0316624, 0.1534, 0, 0]], [[0.0106112, 0, 0.671754, 0, 0.317635], [0.29589, 0.313414, 0, 0.390696, 0], [0, 0.00173646, 0.732323, 0.0443618, 0.221579], [0.204669, 0.0834693, 0.711861, 0, 0]]], [[[0.0486955, 0, 0.0447113, 0, 0.906593], [0.00633231, 0.384171, 0, 0.609497, 0], [0, 0.0102255, 0.000623607, 0.95623, 0.0329209], [0.0317719, 0.948387, 0.0198414, 0, 0]], [[0.277797, 0, 0.513025, 0, 0.209177], [0.26525, 0.251838, 0, 0.482912, 0], [0, 0.324265, 0.0951231, 0.550144, 0.0304683], [0.505505, 0.040656, 0.453839, 0, 0]], [[0.421503, 0, 0.575743, 0, 0.00275308], [0.926047, 0.0640263, 0, 0.00992705, 0], [0, 0.0898966, 0.859816, 0.0388126, 0.0114751], [0.265033, 0.411694, 0.323272, 0, 0]]], [[[0.0564018, 0, 0.795972, 0, 0.147626], [0.716318, 0.142309, 0, 0.141373, 0], [0, 0.833872, 0.0528012, 0.109881, 0.0034454], [0.333333, 0.333333, 0.333333, 0, 0]], [[0.219487, 0, 0.264633, 0, 0.51588], [0.0586971, 0.784247, 0, 0.157056, 0], [0, 0.318136, 0.0392411, 0.478839, 0.163784], [0.333333, 0.333333, 0.333333, 0, 0]], [[0.313073, 0, 0.278524, 0, 0.408403], [0.0731852, 0.794825, 0, 0.13199, 0], [0, 0.244349, 0.434855, 0.0189125, 0.301883], [0.333333, 0.333333, 0.333333, 0, 0]]]]], [
   ["divides by √(slots + 1)", [-3.3351, 2.1765], [3.1687, -1.8937]],
   ["divides by 2", [-3.3944, 2.6419], [3.4754, -2.0839]],
   ["always 2 heads", [-4.6854, -2.0519], [-0.043926, 2.2117, [5, 2, 4, 5]]],
   ["no mask", [-1.4501, 9.7347], [2.7335, 0.42885]],
   ["mask after the softmax", [-2.6985, 2.552], [3.153, -1.4131]],
   ["mask added to the weights", [960.16, 1555.6], [-293.18, 652.19]],
   ["mask multiplied", [-3409.9, -1142.5], [-2635.9, 549.58]],
   ["mask subtracted", [624.11, 72.021], [523.63, 307.15]],
   ["mask read as 1 and 0", [-2.4443, -1.6271], [0.12038, 0.34355]],
   ["mask turned round", [2.0796, 4.1583], [0.87497, 1.844]],
   ["blocked scores set to 0", [-1.9138, 5.6151], [4.1602, -1.9596]],
   ["the token's column never blocked", [-4.4852, 2.627], [4.528, -2.0446]],
   ["mask for the token only", [-0.78652, 10.52], [2.1444, 0.44385]],
   ["mask for head 0 only", [1.2561, 4.3984], [2.0702, -0.8558]],
   ["mask of the first slot for all", [-7.5465, 8.0392], [1.72, -1.2428]],
   ["mask for sequence 0 only", [-3.0741, 7.8084], [2.7974, 1.2505]],
   ["values of blocked columns set to 0", [-2.6985, 2.552], [2.7335, 0.42885]]]],
  "one slot, one head": [["memory", "token", "W_q", "W_k", "W_v", "num_heads"], [[[[-0.432188, 0.35756, -1.47917, 1.07934]], [[0.5525, -0.17125, 0.2075, 1.165]]], [[[[0.88623, 0.11377]]], [[[0.5, 0.5]]]]], []],
  "the case on paper": [["memory", "token", "W_q", "W_k", "W_v", "num_heads"], [[[[0.802224, 0.598888], [0.598888, 0.802224]]], [[[[0.401112, 0.197776, 0.401112], [0.197776, 0.401112, 0.401112]]]]], []]}},
 "blend": {
 "made of": "ab944c1bebec", "defines": ["blend"],
 "advice": {
  "maximum for logsumexp": "The token is compared with the best slot alone: compare it with all of them, by the logsumexp of their scores.",
  "mean for logsumexp": "The token is compared with the mean of the slots' scores: compare it with their logsumexp.",
  "sum for logsumexp": "The token is compared with the sum of the slots' scores: compare it with their logsumexp.",
  "log of the mean of exponentials": "The exponentials of the slots' scores are averaged: add them up, as logsumexp does.",
  "minimum for logsumexp": "The token is compared with the smallest score: compare it with all slots, by the logsumexp of their scores.",
  "the first slot for logsumexp": "The token is compared with slot 0 alone: compare it with all slots, by the logsumexp of their scores.",
  "the last slot for logsumexp": "The token is compared with the last slot alone: compare it with all slots, by the logsumexp of their scores.",
  "the token's score alone": "The gate reads the token's score alone: subtract the logsumexp of the slots' scores.",
  "sum of exponentials, no logarithm": "The logarithm is missing: subtract the logsumexp of the slots' scores, not the sum of exponentials.",
  "logarithm to base 2": "The logarithm has base 2: take the natural one, as logsumexp does.",
  "logarithm to base 10": "The logarithm has base 10: take the natural one, as logsumexp does.",
  "plus logsumexp": "The logsumexp of the slots' scores is added: subtract it from the token's score.",
  "sign turned round": "The gate is the slots' share: it has to be the token's, the sigmoid of its score minus the logsumexp.",
  "no sigmoid": "The sigmoid is missing: the gate lies between 0 and 1.",
  "exponential for sigmoid": "This is the token's share divided by that of the slots: take the sigmoid, not the exponential.",
  "tanh for sigmoid": "The gate is a tanh: take the sigmoid, which lies between 0 and 1.",
  "the logarithm of a sigmoid": "This is the logarithm of the gate: take the sigmoid itself.",
  "a softmax for the sigmoid": "The gate is a softmax over the slots that ask: each of them has a gate of its own, a sigmoid.",
  "a gate that opens or shuts": "The gate is 0 or 1: take the sigmoid as it is.",
  "one gate for all that ask": "All slots share one gate, the mean: give each that asks its own.",
  "the sum of sigmoids' differences": "Each slot's score is subtracted in a sigmoid of its own: the slots count together, by their logsumexp.",
  "scaled once more": "The difference is divided by √depth: the scores arrive scaled.",
  "all scores scaled once more": "The scores are divided by √depth once more: they arrive scaled.",
  "logsumexp of all scores": "One sum over the whole table is subtracted: take the logsumexp along the last axis alone.",
  "logsumexp of everything": "One sum over all sequences is subtracted: take the logsumexp along the last axis alone.",
  "token counted among the slots": "The token's score is in the logsumexp, too: that is of the slots alone.",
  "token of the first sequence for all": "Every sequence got the token's scores of sequence 0: take token_score as it is.",
  "log of a sum of exponentials": "Exponentials of large scores overflow: take logsumexp, or subtract the largest score first.",
  "the largest score of all subtracted": "The largest score of the whole table is subtracted: take each row's own, or another row may become 0 everywhere.",
  "the largest score not added again": "The logsumexp is too small by the largest score: what is subtracted before the exponentials has to be added after the logarithm.",
  "scores cut at ±50": "Large scores are cut off: keep them as they are, logsumexp and softmax can take them.",
  "−∞ made 0": "Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0.",
  "softmax over those that ask": "The slots' weights are a softmax over the slots that ask: let it run along the last axis, over those that answer.",
  "softmax over the sequences": "The slots' weights are a softmax over the axis in front: let it run along the last axis.",
  "no softmax": "The softmax is missing: recall with softmax(slot_scores), so that the weights sum to 1.",
  "sigmoids of the scores": "Each slot's weight is a sigmoid: recall with softmax(slot_scores), so that the weights sum to 1.",
  "exponentials that are not divided": "The slots' weights don't sum to 1: recall with softmax(slot_scores).",
  "mean of the values": "The slots' values are averaged: mix them by softmax(slot_scores).",
  "the value of the best slot": "The best slot's value alone is recalled: mix all by softmax(slot_scores).",
  "token in the softmax, too": "The token's share is taken off twice: multiply by 1 − gate once, and let the softmax run over the slots alone.",
  "token in softmax and values": "The token is mixed in twice: let the softmax run over the slots alone, with their values.",
  "log_softmax": "The slots' values are mixed by logarithms: take softmax, not log_softmax.",
  "values of sequence 0 for all": "Every sequence got the slots' values of sequence 0: take slot_values as they are.",
  "softmax twice": "The softmax runs twice: once is enough.",
  "gate and its rest exchanged": "The gate and 1 − gate have changed places: the gate belongs to the token's value.",
  "recalled not made smaller": "What is recalled keeps its full size: multiply it by 1 − gate.",
  "token's value not made smaller": "The token's value keeps its full size: multiply it by the gate.",
  "both in full": "What is recalled and the token's value are added in full: multiply them by 1 − gate and by the gate.",
  "token's value forgotten": "The token's value is missing: add it, times the gate.",
  "recalled forgotten": "What is recalled from the slots is missing: add it, times 1 − gate.",
  "only recalled": "What came back is recalled from the slots alone: mix it with the token's value, by the gate.",
  "gate for both": "Both parts are multiplied by the gate: what is recalled takes 1 − gate.",
  "1 − gate for both": "Both parts are multiplied by 1 − gate: the token's value takes the gate.",
  "1 + gate": "What is recalled is multiplied by 1 + gate: its factor is 1 − gate.",
  "gate − 1": "The sign of what is recalled is turned: its factor is 1 − gate.",
  "token's value subtracted": "The token's value is subtracted: add it, times the gate.",
  "mean of the two": "The two parts are averaged: mix them by 1 − gate and the gate.",
  "gate squared": "The token's value is multiplied by the gate twice: once is enough.",
  "token's value of sequence 0 for all": "Every sequence got the token's value of sequence 0: take token_value as it is, with an axis before the last.",
  "gate first": "The two results have changed places: give back attended, gate.",
  "attended alone": "The gate is missing: give back attended, gate.",
  "gate alone": "Only the gate came back: give back attended, gate.",
  "1 − gate given back": "What is attended to is right, but the gate is the slots' share: give back the token's.",
  "gate with one more axis": "The gate has an axis too many at its end: use gate[..., None] for the product, and give back gate.",
  "the gate's sum given back": "What is attended to is right, but the gate misses its sigmoid.",
  "rounded to two places": "The numbers are rounded: keep all of their digits.",
  "the first sequence alone": "Only sequence 0 came back: keep the axes in front.",
  "attended turned": "What is attended to is turned: the slots that ask come first, then the depth numbers."},
 "calls": {
  "2 sequences, 3 slots that ask, 4 that answer": [["slot_scores", "token_score", "slot_values", "token_value"], [[[[-1.66529, 0.168961, 0.441152, 0.0092862, 1.37973], [-1.48642, 0.366776, 0.104885, -0.295651, 1.11019], [-1.5361, 0.569901, 0.236134, -0.310715, 0.622261]], [[1.52735, -1.31742, -1.24567, 0.854324, -1.55567], [1.34644, -1.25826, -1.44327, 0.921036, -1.72137], [0.706366, 0.177925, 0.295603, 1.37401, -1.30829]]], [[0.26468, 0.252981, 0.364566], [0.71715, 0.793213, 0.007519]]], [
   ["maximum for logsumexp", [0.63054, -1.7062], [0.9728, 0.33019]],
   ["mean for logsumexp", [-0.051878, -1.1816], [1.0515, 0.30971]],
   ["sum for logsumexp", [-0.041628, -0.93052], [1.1705, 0.27944]],
   ["log of the mean of exponentials", [0.28897, -1.2055], [0.93019, 0.21643]],
   ["minimum for logsumexp", [-0.11622, -1.1202], [1.0391, 0.35878]],
   ["the first slot for logsumexp", [0.51044, -0.57965], [0.65876, -0.075125]],
   ["the last slot for logsumexp", [0.45851, -0.57607], [0.68592, -0.062446]],
   ["the token's score alone", [-0.022724, -1.4938], [1.0297, 0.46366]],
   ["sum of exponentials, no logarithm", [0.084446, -0.61442], [0.4642, -0.093201]],
   ["logarithm to base 2", [0.18347, -0.89773], [0.71542, -0.0041314]],
   ["logarithm to base 10", [0.060592, -1.4984], [0.99146, 0.33661]],
   ["plus logsumexp", [0.030107, 0.13685], [0.57874, 0.47398]],
   ["sign turned round", [0.99045, 1.7662], [-0.63122, 0.17179]],
   ["no sigmoid", [-1.2496, -14.192], [5.4168, -0.025961]],
   ["exponential for sigmoid", [-6.1834, -1.0789], [3.9453, -0.2651]],
   ["tanh for sigmoid", [-0.048619, -4.1131], [1.8946, -0.019034]],
   ["the logarithm of a sigmoid", [0.77794, -13.549], [3.7548, -0.11037]],
   ["a softmax for the sigmoid", [-0.08412, -0.34986], [0.44003, -0.11247]],
   ["a gate that opens or shuts", [0.20083, -2.033], [1.3192, 0.29907]],
   ["one gate for all that ask", [0.56495, 0.19207], [0.16626, 0.13319]],
   ["the sum of sigmoids' differences", [0.19009, -1.1528], [0.95512, 0.2506]],
   ["scaled once more", [0.36338, -0.80185], [0.5826, 0.1326]],
   ["all scores scaled once more", [0.14181, -0.50453], [0.46928, 0.06091]],
   ["logsumexp of all scores", [0.52958, -0.97411], [0.30885, 0.094939]],
   ["logsumexp of everything", [0.69386, -0.8311], [0.14811, 0.051945]],
   ["token counted among the slots", [0.55849, -0.9401], [0.45116, 0.082725]],
   ["token of the first sequence for all", [0.10191, -0.90984], [0.75517, 0.079998]],
   ["the largest score not added again", [-0.69268, -0.9911], [0.92575, 0.22025]],
   ["softmax over those that ask", [-5.2954, 2.5676], 0],
   ["softmax over the sequences", [-5.8297, 1.8904], 0],
   ["no softmax", [-16.708, -0.51154], 0],
   ["sigmoids of the scores", [-4.1371, 0.82347], 0],
   ["exponentials that are not divided", [-40.766, 31.7], 0],
   ["mean of the values", [0.48107, -1.1591], 0],
   ["the value of the best slot", [-2.7551, 1.8085], 0],
   ["token in the softmax, too", [-0.27617, -0.61808], 0],
   ["token in softmax and values", [0.26391, -1.268], 0],
   ["log_softmax", [5.5253, -11.183], 0],
   ["values of sequence 0 for all", [1.4285, -5.1221], 0],
   ["softmax twice", [0.39267, -1.1759], 0],
   ["gate and its rest exchanged", [0.99045, 1.7662], 0],
   ["recalled not made smaller", [2.3927, -3.408], 0],
   ["token's value not made smaller", [-1.0383, 2.9009], 0],
   ["both in full", [1.1724, 0.6296], 0],
   ["token's value forgotten", [-1.3386, 1.5882], 0],
   ["recalled forgotten", [1.5205, -2.7248], 0],
   ["only recalled", [0.87216, -0.68311], 0],
   ["gate for both", [3.7312, -4.9962], 0],
   ["1 − gate for both", [-2.5588, 5.6258], 0],
   ["1 + gate", [4.6034, -5.6793], 0],
   ["gate − 1", [2.8591, -4.3131], 0],
   ["token's value subtracted", [-2.8591, 4.3131], 0],
   ["mean of the two", [0.58621, 0.3148], 0],
   ["gate squared", [-0.3581, -0.48665], 0],
   ["token's value of sequence 0 for all", [-1.9565, 4.029], 0],
   ["gate first", [0.83046, 0.11342, [2, 3]], [0.18198, -1.1366, [2, 3, 5]]],
   ["attended alone", [0.18198, -1.1366, [2, 3, 5]]],
   ["gate alone", [0.83046, 0.11342, [2, 3]]],
   ["1 − gate given back", 0, [-0.63122, 0.17179]],
   ["gate with one more axis", 0, [0.83046, 0.11342, [2, 3, 1]]],
   ["the gate's sum given back", 0, [5.4168, -0.025961]],
   ["rounded to two places", [0.17382, -1.131], [0.82869, 0.11776]],
   ["the first sequence alone", [-0.05938, 0.38682, [3, 5]], [-0.16161, -0.047324, [3]]],
   ["attended turned", [-2.6815, -1.7023, [2, 5, 3]], 0]]],
  "some slots at −∞": [["slot_scores", "token_score", "slot_values", "token_value"], [[[[1.12547, 0.895739, 0.116399, -0.834043, -0.120176], [1.21462, 0.806113, 0.00247765, -0.668318, 0.0206946]], [[-1.8, -0.1, -0.9, -0.9, -0.1], [-1.64229, -0.501455, 0.025197, 0.00257188, 0.153987]], [[-0.803155, 1.01768, 0.28994, -0.126384, 0.899446], [-1.21691, 1.45367, 1.29623, -0.109151, 1.67634]]], [[0.272342, 0.256093], [0.167982, 0.585259], [0.00916847, 0.146925]]], [
   ["−∞ made 0", [2.5143, -4.6284], [0.46209, 0.76135]],
   ["−∞ made 0", [0.72311, -1.4361], [0.46209, 0.76135]],
   ["−∞ made 0", [1.4441, -3.6547], 0]]],
  "scores of ±1000": [["slot_scores", "token_score", "slot_values", "token_value"], [[[[1.8, 0.6], [1.1, 1.15], [1.6, 2]], [[-1.9, 0.6], [-0.7, -0.3], [-0.5, -0.5]]], [[3.72008e-44, 0.5, 0], [0, 0, 0]]], [
   ["log of a sum of exponentials", [0.88976, -2.9168], [0, 0]],
   ["log of a sum of exponentials", [-336.36, 1443.1], [950.84, -12.548]],
   ["log of a sum of exponentials", [448.88, 1454], 0],
   ["the largest score of all subtracted", [258.51, -746.07], 0],
   ["scores cut at ±50", [1.6845, -3.0798], [0.053868, -0.18551]]]],
  "no axis in front": [["slot_scores", "token_score", "slot_values", "token_value"], [[[-1.91682, -1.20265], [-1.38593, -1.38711], [-1.14775, -0.54492], [-0.0814301, -1.43991]], [0.261568, 0.0732376, 0.415851, 0.143964]], []],
  "three slots at 0 and the token at ln 3, so that it gets one half": [["slot_scores", "token_score", "slot_values", "token_value"], [[[-1.51667, -0.883333, 0.533333, -1.05], [-1.51667, -0.883333, 0.533333, -1.05]], [0.5, 0.5]], []],
  "two axes in front": [["slot_scores", "token_score", "slot_values", "token_value"], [[[[[-0.196963], [0.235261], [0.678856], [0.347933]], [[-0.64462], [-0.685827], [-0.886602], [-1.00544]], [[1.48755], [-1.69598], [-0.782063], [-0.0940559]]], [[[1.22335], [0.892998], [0.624631], [0.965145]], [[-0.721271], [0.149637], [-0.350766], [-1.42275]], [[0.999911], [0.359039], [1.20913], [0.296663]]]], [[[0.0105872, 0.0387509, 0.511446, 0.0070331], [0.0758439, 0.0205897, 0.0206624, 0.317596], [0.0205022, 0.136853, 0.00820203, 0.00821843]], [[0.404252, 0.705709, 0.0555855, 0.346992], [0.193046, 0.0152907, 0.0582357, 0.594984], [0.132451, 0.274671, 0.0204595, 0.0209015]]]], []]}},
 "update-rows": {
 "made of": "8a290dda23da", "defines": ["update_rows"],
 "advice": {
  "the memory isn't added": "The first residual is missing: normalise memory + attended, not attended alone.",
  "nothing attended": "What was attended to is missing: normalise memory + attended, not the memory alone.",
  "a difference": "attended is subtracted from the memory: add it.",
  "a product": "memory and attended are multiplied: add them.",
  "the second residual missing": "The second residual is missing: add the normalised rows to what the network gives, then normalise.",
  "both residuals missing": "Both residuals are missing: normalise memory + attended, and add these rows again to what the network gives.",
  "the memory as second residual": "The second residual adds the memory: add the normalised rows that went into the network.",
  "attended as second residual": "The second residual adds attended: add the normalised rows that went into the network.",
  "pre-norm, normalised": "The second residual adds memory + attended as it was before the norm: add the normalised rows that went into the network.",
  "pre-norm": "Only what goes into the network is normalised: each norm comes after a sum, so normalise memory + attended, add to these rows, and normalise again.",
  "no first norm": "The first norm is missing: normalise memory + attended before the network.",
  "no second norm": "The second norm is missing: normalise the sum at the end, too.",
  "no norm at all": "Both norms are missing: normalise memory + attended, and the sum at the end.",
  "normalised before the first sum": "attended is normalised before it is added: add first, then normalise the sum.",
  "memory normalised before the first sum": "The memory is normalised before attended is added: add first, then normalise the sum.",
  "both normalised before the first sum": "memory and attended are normalised one by one: add first, then normalise the sum.",
  "normalised before the second sum": "What the network gives is normalised before the rows are added: add first, then normalise the sum.",
  "normalised three times": "What the network gives is normalised by itself, and the sum again: add the rows first, and normalise only the sum.",
  "hidden layer normalised": "The hidden layer is normalised: a norm belongs after each of the two sums alone.",
  "norm over slots": "The norm runs over the slots: take mean and variance of each row, along the last axis.",
  "norm over slots and numbers": "The norm runs over slots and numbers together: take mean and variance of each row by itself, along the last axis.",
  "norm over everything": "The norm runs over all numbers of all sequences: take mean and variance of each row by itself, along the last axis.",
  "norm over the batch": "The norm runs over the sequences: take mean and variance of each row, along the last axis.",
  "batch norm": "This is batch norm, over all rows of all sequences: take mean and variance of each row by itself, along the last axis.",
  "unbiased variance": "The variance is divided by d − 1: divide by d, as the given layer_norm does, or use unbiased=False.",
  "divided by the variance": "The rows are divided by their variance: divide by its root, as the given layer_norm does.",
  "the mean stays": "The mean of a row isn't subtracted: the norm takes it away first, as the given layer_norm does.",
  "root of the mean square": "The mean of a row isn't subtracted: each row is only divided by the root of its mean square; use the given layer_norm.",
  "only the mean taken away": "The rows are not divided by their standard deviation: the norm does that, too, so use the given layer_norm.",
  "rows of length 1": "Each row got length 1: the norm makes its mean 0 and its variance 1, so use the given layer_norm.",
  "softmax for a norm": "Softmax stands in the place of the norm: use the given layer_norm.",
  "relu missing": "The relu is missing: it follows the first matrix and its bias.",
  "relu late": "The relu comes after the second matrix: it belongs after the first matrix and its bias, and not at the end.",
  "relu between second matrix and bias": "The relu comes after the second matrix: it belongs after the first matrix and its bias, before the second matrix.",
  "relu twice": "A second relu follows the second matrix: only the hidden layer has one.",
  "relu of the sum": "A relu is taken of the last sum: only the hidden layer has one.",
  "relu of the result": "A relu is taken of the result: only the hidden layer has one.",
  "relu of the rows": "The relu is taken of the rows, before the first matrix: it follows the first matrix and its bias.",
  "relu before the bias": "The relu comes before b_1: add the bias first.",
  "tanh for relu": "The hidden layer has a tanh: it should have a relu.",
  "sigmoid for relu": "The hidden layer has a sigmoid: it should have a relu.",
  "gelu for relu": "The hidden layer has a gelu: it should have a relu.",
  "leaky relu": "Negative numbers are made small in the hidden layer: a relu makes them 0.",
  "no b_1": "b_1 is missing: add it before the relu.",
  "no b_2": "b_2 is missing: add it after the second matrix.",
  "no biases": "Both biases are missing: add b_1 before the relu, and b_2 after the second matrix.",
  "b_1 subtracted": "b_1 is subtracted: add it.",
  "b_2 subtracted": "b_2 is subtracted: add it.",
  "the network of memory and attended": "The network works on memory + attended: send the normalised rows through it.",
  "the network of attended": "The network works on attended: send the normalised rows through it.",
  "the network of the memory": "The network works on the memory: send the normalised rows through it.",
  "only the first half": "These are the rows after the first norm: send them through the network, add the rows, and normalise again.",
  "only what the network gives": "This is what the network gives: add the rows to it, and normalise.",
  "the memory added at the end": "The memory is added to the result: give back the last norm as it is.",
  "a tanh at the end": "A tanh is taken of the result: that comes in 6.4, so give back the last norm as it is.",
  "the network of the mean slot": "The network gets the mean of the slots: send each row through it by itself.",
  "sequence 0 for all": "Every sequence got what sequence 0 attended to: add memory and attended as they are.",
  "slot 0 for all": "Every slot got what slot 0 attended to: add memory and attended as they are.",
  "rows not put back into sequences": "All rows stand in one long table: give them back as (batch, slots, d).",
  "gives both steps": "Give back the candidate alone: here the rows after the first norm come along.",
  "nothing added to the variance": "A row of equal numbers is divided by 0: add 1e-5 to the variance, under the root, as the given layer_norm does.",
  "1e-5 added to the root": "1e-5 is added outside of the root: add it to the variance, under the root, as the given layer_norm does.",
  "1e-6 added to the variance": "Less than 1e-5 is added to the variance: add 1e-5, under the root, as the given layer_norm does."},
 "calls": {
  "2 sequences, 3 slots of 5 numbers, hidden 4": [["memory", "attended", "W_1", "b_1", "W_2", "b_2"], [[[[-0.474509, -0.49014, -1.0996, 0.259162, 1.80508], [-1.68106, 0.865777, -0.310387, 1.15214, -0.0264696], [-1.10865, -0.184206, -0.892116, 0.566169, 1.61881]], [[-1.74273, 0.49382, 0.00843246, 1.30928, -0.0688051], [-1.56935, -0.447807, 0.270549, 1.48079, 0.265808], [-1.0838, -0.209774, -0.278075, -0.325254, 1.89691]]]], [
   ["the memory isn't added", [3.3208, -0.95077]],
   ["nothing attended", [5.2926, 2.3487]],
   ["a difference", [-0.62899, 1.1997]],
   ["a product", [-1.7252, -1.026]],
   ["the second residual missing", [2.4018, -0.32911]],
   ["both residuals missing", [1.5816, -1.7722]],
   ["the memory as second residual", [4.5324, -0.93202]],
   ["attended as second residual", [5.6938, 1.807]],
   ["pre-norm, normalised", [6.8939, 0.53186]],
   ["pre-norm", [32.969, 8.2558]],
   ["no first norm", [-1.1921, -1.5472]],
   ["no second norm", [24.883, 9.6872]],
   ["no norm at all", [9.572, 12.188]],
   ["normalised before the first sum", [4.7499, 6.8188]],
   ["memory normalised before the first sum", [2.0061, -6.9083]],
   ["both normalised before the first sum", [2.8209, -0.65195]],
   ["normalised before the second sum", [12.38, 0.57835]],
   ["normalised three times", [9.395, -0.3393]],
   ["hidden layer normalised", [6.6658, -1.9918]],
   ["norm over slots", [-3.0633, 0.35516]],
   ["norm over slots and numbers", [-0.45756, 0.31929]],
   ["norm over everything", [-0.40314, 0.17804]],
   ["norm over the batch", [-1.0355, -6.7303]],
   ["batch norm", [-1.9127, 0.29382]],
   ["unbiased variance", [4.3454, -0.05839]],
   ["divided by the variance", [1.5059, -1.1536]],
   ["the mean stays", [-2.1896, -2.7586]],
   ["root of the mean square", [-2.4059, -1.3038]],
   ["only the mean taken away", [44.429, 13.926]],
   ["rows of length 1", [-1.0326, -0.74549]],
   ["softmax for a norm", [1.7339, -0.61534]],
   ["relu missing", [5.3927, 0.49849]],
   ["relu late", [4.5251, 1.2781]],
   ["relu between second matrix and bias", [4.2481, 0.59538]],
   ["relu twice", [5.7176, -0.25108]],
   ["relu of the sum", [5.7502, -0.65539]],
   ["relu of the result", [3.6637, -2.0727]],
   ["relu of the rows", [5.4162, -1.514]],
   ["relu before the bias", [3.5165, 0.05292]],
   ["tanh for relu", [7.9717, -0.23599]],
   ["sigmoid for relu", [7.7488, -0.85984]],
   ["gelu for relu", [5.7359, 0.63911]],
   ["leaky relu", [5.5178, 0.28938]],
   ["no b_1", [6.3989, 0.51486]],
   ["no b_2", [5.7814, 0.049855]],
   ["no biases", [6.9687, 0.36831]],
   ["b_1 subtracted", [6.5135, 3.4216]],
   ["b_2 subtracted", [5.8508, -0.2351]],
   ["the network of memory and attended", [-2.9393, -2.1818]],
   ["the network of attended", [-0.44725, -6.0074]],
   ["the network of the memory", [2.9996, 6.3412]],
   ["only the first half", [9.9781, 0.90747]],
   ["only what the network gives", [14.905, 8.7797]],
   ["the memory added at the end", [10.608, -0.27741]],
   ["a tanh at the end", [2.7706, 0.70135]],
   ["the network of the mean slot", [3.4164, -1.9997]],
   ["sequence 0 for all", [5.2476, 1.7692]],
   ["slot 0 for all", [4.1052, 2.3122]],
   ["rows not put back into sequences", [5.4744, 0.29917, [6, 5]]],
   ["gives both steps", [14.756, 1.213, [2, 2, 3, 5]]]]],
  "all sizes 3": [["memory", "attended", "W_1", "b_1", "W_2", "b_2"], [[[[0.788569, 0.622386, -1.41095], [1.11946, 0.188674, -1.30813], [0.841241, 0.563877, -1.40512]], [[0.796758, 0.613491, -1.41025], [1.29723, -0.160928, -1.1363], [1.37053, -0.383213, -0.987317]], [[0.974039, 0.40092, -1.37496], [1.31853, -0.216418, -1.10211], [0.808559, 0.600546, -1.4091]]]], []],
  "4 sequences, 2 slots of 6 numbers, hidden 7": [["memory", "attended", "W_1", "b_1", "W_2", "b_2"], [[[[-0.609116, -0.791909, 1.57709, 1.19653, -0.951765, -0.42083], [-0.361944, 0.7732, 0.415059, 1.18262, -1.92163, -0.0873047]], [[-2.03167, 0.699535, 0.989983, 0.339994, 0.380093, -0.377935], [-0.763963, -0.100019, 1.66931, 0.889935, -1.28968, -0.405578]], [[-1.8329, 0.323304, 1.24587, -0.0520992, 0.840244, -0.524416], [-1.82126, 0.732234, 1.10459, -0.640231, 0.713427, -0.08876]], [[-1.57252, 0.827471, 1.16413, -1.10373, 0.474053, 0.210593], [-1.71412, 0.262102, 1.3461, -0.332997, 0.917275, -0.478363]]]], []],
  "sums near 0": [["memory", "attended", "W_1", "b_1", "W_2", "b_2"], [[[[0.938554, -0.204457, 0.817827, -1.55192], [0.994816, -0.258366, 0.787716, -1.52417], [0.157984, 0.085304, 1.2816, -1.52488]], [[1.56274, -0.0781095, -0.268147, -1.21648], [1.00779, -0.380614, 0.835936, -1.46311], [1.60203, 0.0712831, -0.717474, -0.955842]]]], [
   ["nothing added to the variance", [247, 813.29]],
   ["1e-5 added to the root", [-6.8364, -4.8857]],
   ["1e-6 added to the variance", [-6.8938, -4.7633]],
   ["1e-6 added to the variance", [-6.8335, -4.8899]]]]}},
 "gated-memory": {
 "made of": "9296b066cc32", "defines": ["gated_memory"],
 "advice": {
  "gates swapped": "The gates have changed places: the first half of the columns is the input gate, the second the forget gate.",
  "columns in turn": "The gates take every other column: columns 0 to d−1 are the input gate, columns d to 2d−1 the forget gate.",
  "forget bias on both gates": "The forget bias is added to both gates: add it to f alone.",
  "forget bias on both, and again": "The forget bias is added to both gates, and to f twice: add it to f alone, once.",
  "forget bias always 1": "The forget bias is 1 whatever was asked for: add the argument forget_bias.",
  "no forget bias": "The forget bias is missing: add it to f before the sigmoid.",
  "a default of 0": "Without a forget bias in the call it should be 1: leave its default at 1.0.",
  "forget bias on the input gate": "The forget bias is added to the input gate: add it to f.",
  "forget bias subtracted": "The forget bias is subtracted: add it to f.",
  "forget bias as a factor": "f is multiplied by the forget bias: add it to f before the sigmoid.",
  "forget bias after the sigmoid": "The forget bias is added after the sigmoid: add it to f before.",
  "forget bias twice": "The forget bias is added twice: add it to f once.",
  "candidate without tanh": "The candidate goes in without tanh: multiply the input gate with tanh(candidate).",
  "sigmoid of the candidate": "The candidate goes through a sigmoid: it should be a tanh.",
  "memory without tanh in the gates": "The gates read the memory without tanh: multiply tanh(memory) with U.",
  "no tanh at all": "Both tanh are missing: multiply tanh(memory) with U, and the input gate with tanh(candidate).",
  "tanh after the product": "The tanh is taken of memory @ U: take it of the memory, before the product.",
  "tanh of the whole sum": "The tanh is taken of the gates' sum: take it of the memory alone, before it is multiplied with U.",
  "tanh of the token, too": "The token goes through tanh, too: only the memory does.",
  "sigmoid of the memory in the gates": "The gates read the sigmoid of the memory: it should be its tanh.",
  "gates read the candidate": "The gates read the candidate: let them read the old memory, through tanh.",
  "gates read both": "The gates read memory and candidate: let them read the old memory alone.",
  "coupled by the forget gate": "The candidate is multiplied by 1 minus the forget gate: it has a gate of its own, the sigmoid of i.",
  "coupled by the input gate": "The memory is multiplied by 1 minus the input gate: it has a gate of its own, the sigmoid of f + forget_bias.",
  "the forget gate forgets": "The memory is multiplied by 1 minus the forget gate: the gate says what stays, so multiply by it.",
  "b forgotten": "The bias b is missing in both gates: add it to their sums.",
  "b subtracted": "The bias b is subtracted: add it.",
  "b in the input gate alone": "The bias b is missing in the forget gate: its second half belongs there.",
  "b in the forget gate alone": "The bias b is missing in the input gate: its first half belongs there.",
  "the first half of b in both": "Both gates have the first half of b: the forget gate has the second.",
  "token not read": "The token is missing in the gates: add token @ W, with an axis of length 1 for the slots.",
  "memory not read": "The gates don't read the memory: add tanh(memory) @ U.",
  "the mean slot in the gates": "All slots share the gates of their mean: each slot has gates of its own, so multiply tanh(memory) with U as it is.",
  "the sum of all slots in the gates": "All slots share gates that read the sum of the slots: each slot has gates of its own, so multiply tanh(memory) with U as it is.",
  "slot 0 in the gates": "All slots share the gates of slot 0: each slot has gates of its own, so multiply tanh(memory) with U as it is.",
  "sequence 0's memory in the gates": "Every sequence has gates that read the memory of sequence 0: multiply tanh(memory) with U as it is.",
  "sequence 0's token for all": "Every sequence got the token of sequence 0: each has its own, so multiply token with W as it is.",
  "the mean token for all": "Every sequence got the mean of all tokens: each has its own, so multiply token with W as it is.",
  "no axis for the slots": "Slot 1 got the token of sequence 1: give the token's part an axis for the slots, (token @ W)[:, None].",
  "W and U swapped": "W and U have changed places: the token is multiplied with W, the memory with U.",
  "W for both": "Token and memory are both multiplied with W: the memory's matrix is U.",
  "U for both": "Token and memory are both multiplied with U: the token's matrix is W.",
  "a product of token and memory parts": "The token's part and the memory's are multiplied: add them.",
  "no sigmoid": "The gates are sums without a sigmoid: take it of i, and of f + forget_bias.",
  "no sigmoid at the input gate": "The input gate has no sigmoid: take it of i.",
  "no sigmoid at the forget gate": "The forget gate has no sigmoid: take it of f + forget_bias.",
  "tanh for sigmoid": "The gates are made by tanh: take the sigmoid, which lies between 0 and 1.",
  "softmax for sigmoid": "The gates are made by a softmax: take the sigmoid of each number by itself.",
  "relu for sigmoid": "The gates are made by a relu: take the sigmoid, which lies between 0 and 1.",
  "the kept memory through tanh": "The memory that is kept went through tanh: multiply the forget gate with the memory itself.",
  "tanh of the result": "A tanh is taken of the sum: take it of the candidate alone.",
  "one more tanh of the result": "A tanh is taken of the result: give back the sum itself, whose memory is not squashed.",
  "tanh of what is written": "The tanh is taken of the product with the input gate: take it of the candidate alone, before the product.",
  "all of the memory stays": "All of the memory stays: multiply it with the forget gate.",
  "all of the candidate is written": "All of tanh(candidate) is written: multiply it with the input gate.",
  "only what is written": "Only what is written came back: add the forget gate times the memory.",
  "only what is kept": "Only what is kept came back: add the input gate times tanh(candidate).",
  "the gates on the wrong things": "The gates are at the wrong places: the input gate multiplies tanh(candidate), the forget gate the memory, and the forget bias belongs to the second half.",
  "memory and candidate swapped": "Memory and candidate have changed places: the memory is the first argument.",
  "a difference": "What is kept is subtracted: add it to what is written.",
  "an output gate, too": "The result is multiplied with the input gate, as if by an output gate: there is none here.",
  "the result normalised": "The result is normalised: the norms were in 6.3, so give back the sum.",
  "only the gates": "These are the gates: multiply tanh(candidate) with the first, the memory with the second, and add the two."},
 "calls": {
  "3 sequences, 3 slots of 2 numbers": [["memory", "candidate", "token", "W", "U", "b", "forget_bias"], [[[[-0.448128, -0.00736445], [-1.59623, -0.386637], [1.08922, 2.42449]], [[0.858563, 0.298599], [1.56187, -1.6324], [-1.83823, 0.084435]], [[-2.45348, -0.240763], [-0.666898, -0.358708], [0.55972, -0.575993]]]], [
   ["gates swapped", [-3.0328, -0.24516]],
   ["columns in turn", [1.9645, 1.5188]],
   ["forget bias on both gates", [1.7706, 1.8623]],
   ["forget bias on both, and again", [1.7564, 1.9293]],
   ["forget bias always 1", [1.5635, 2.059]],
   ["no forget bias", [1.5904, 1.9819]],
   ["forget bias on the input gate", [1.7729, 1.8384]],
   ["forget bias subtracted", [1.5811, 2.0024]],
   ["forget bias as a factor", [-1.7373, 2.5644]],
   ["forget bias after the sigmoid", [-0.20317, 1.8661]],
   ["forget bias twice", [1.5739, 2.0728]],
   ["candidate without tanh", [-0.0072475, 4.1981]],
   ["sigmoid of the candidate", [2.8352, 1.2552]],
   ["memory without tanh in the gates", [1.0242, 2.5195]],
   ["no tanh at all", [-0.91075, 4.4267]],
   ["tanh after the product", [1.6528, 2.4332]],
   ["tanh of the whole sum", [0.10167, 1.6014]],
   ["tanh of the token, too", [1.1225, 1.9755]],
   ["sigmoid of the memory in the gates", [1.0494, 1.629]],
   ["gates read the candidate", [-0.23829, 1.1713]],
   ["gates read the candidate", [-1.1829, 0.93732]],
   ["gates read both", [1.0591, 2.1963]],
   ["coupled by the forget gate", [3.4225, 0.87153]],
   ["coupled by the input gate", [0.84438, 3.9063]],
   ["the forget gate forgets", [-1.9953, 2.7431]],
   ["b forgotten", [1.6459, 1.3876]],
   ["b subtracted", [1.1767, 0.6596]],
   ["b in the input gate alone", [1.0946, 1.6152]],
   ["b in the forget gate alone", [2.1393, 1.7782]],
   ["the first half of b in both", [1.6037, 2.1521]],
   ["token not read", [0.32374, 2.1413]],
   ["memory not read", [1.6094, 1.7222]],
   ["the mean slot in the gates", [1.5027, 1.5467]],
   ["the mean slot in the gates", [1.6018, 1.644]],
   ["the sum of all slots in the gates", [1.304, 1.3169]],
   ["slot 0 in the gates", [0.84314, 1.0492]],
   ["sequence 0's memory in the gates", [1.9133, 1.7095]],
   ["sequence 0's token for all", [1.4264, 3.0923]],
   ["the mean token for all", [0.93789, 2.8816]],
   ["no axis for the slots", [2.026, 2.4967]],
   ["W and U swapped", [-4.4992, 2.0159]],
   ["W for both", [1.0624, 1.1131]],
   ["U for both", [-2.6744, 2.4941]],
   ["a product of token and memory parts", [0.59238, 1.8942]],
   ["no sigmoid", [12.079, 5.1356]],
   ["no sigmoid at the input gate", [-0.94413, 6.865]],
   ["no sigmoid at the forget gate", [14.611, 0.27647]],
   ["tanh for sigmoid", [3.2102, 1.8252]],
   ["softmax for sigmoid", [2.0089, 2.1632]],
   ["relu for sigmoid", [10.176, 6.299]],
   ["the kept memory through tanh", [-0.29429, 1.8561]],
   ["tanh of the result", [0.34837, 2.0791]],
   ["one more tanh of the result", [0.90415, 0.49308]],
   ["tanh of what is written", [1.2107, 2.1825]],
   ["all of the memory stays", [1.5899, 2.4902]],
   ["all of the candidate is written", [0.22787, 1.9443]],
   ["only what is written", [-1.9972, 2.2587]],
   ["only what is kept", [3.5853, -0.25288]],
   ["the gates on the wrong things", [-2.4491, -0.34327]],
   ["memory and candidate swapped", [-4.1161, 2.9194]],
   ["a difference", [-5.5825, 2.5116]],
   ["an output gate, too", [-0.25609, -0.19138]],
   ["the result normalised", [-1.0788, 2.5646]],
   ["only the gates", [0.21557, 0.25571, [2, 3, 3, 2]]]]],
  "with the default forget bias": [["memory", "candidate", "token", "W", "U", "b"], [[[[1.38897, 1.11649, -0.679149, -0.992837], [-0.034457, -1.27131, -0.735429, -0.236056], [-1.14738, -0.0715443, -2.49069, -0.299849]], [[0.943933, 0.582373, 1.43874, 1.43881], [0.526281, 0.047589, 0.667035, 0.832579], [0.250078, 0.715974, -0.765334, -0.741892]]]], [
   ["a default of 0", [0.66692, -0.59117]]]],
  "2 sequences, 4 slots of 3 numbers": [["memory", "candidate", "token", "W", "U", "b"], [[[[0.0852128, -1.48991, 2.17325], [1.78283, 1.20602, 0.375939], [1.90989, -1.21703, -1.80902], [0.31685, -2.30337, -0.984041]], [[-0.292301, -1.54154, -0.1722], [-1.60897, -0.579561, -1.25141], [0.864955, 2.16739, 2.30577], [0.871336, -0.823032, -0.649059]]]], []],
  "one slot of one number": [["memory", "candidate", "token", "W", "U", "b"], [[[[1.80104]], [[0.136748]]]], []]}},
 "forget-bias-for": {
 "made of": "7b6620a8d6e8", "defines": ["forget_bias_for"],
 "advice": {
  "power for root": "kept is taken to the power of steps: take the root, kept ** (1 / steps).",
  "without brackets": "kept is divided by steps: in kept ** 1 / steps the power comes first, so write kept ** (1 / steps).",
  "the same loss each step": "The loss is divided among the steps: each step multiplies what is left, so take the root, kept ** (1 / steps).",
  "no root": "This is the bias for one step: take the root of kept first, kept ** (1 / steps).",
  "always the square root": "This is the square root of kept: its degree is the number of steps.",
  "one step too many": "The root has the degree steps + 1: take kept ** (1 / steps).",
  "one step too few": "The root has the degree steps − 1: take kept ** (1 / steps).",
  "the share that is lost": "The root is taken of what is lost, 1 − kept: take it of kept.",
  "one minus the root of what is lost": "This is 1 minus the root of what is lost, 1 − kept: take the root of kept.",
  "what one step loses": "The sign is turned: the bias is the logarithm of gate / (1 − gate), not of (1 − gate) / gate.",
  "the gate": "This is what one step keeps, the gate: find the bias whose sigmoid it is, log(gate / (1 − gate)).",
  "no logarithm": "The logarithm is missing: take it of gate / (1 − gate).",
  "1 / gate − 1": "This is (1 − gate) / gate: the bias is minus its logarithm.",
  "the logarithm of the gate alone": "This is the logarithm of the gate: divide the gate by 1 − gate first.",
  "the logarithm of what is lost": "This is log(1 / (1 − gate)): take log(gate / (1 − gate)); math.log1p would add 1.",
  "brackets missing": "1 is divided away, not subtracted first: put 1 − gate into brackets, gate / (1 − gate).",
  "plus for minus": "The gate is divided by 1 + gate: divide it by 1 − gate.",
  "decimal logarithm": "This is a logarithm of base 10: take the natural one, math.log.",
  "logarithm of base 2": "This is a logarithm of base 2: take the natural one, math.log.",
  "the sigmoid again": "The sigmoid is taken of the gate: solve it for its argument, log(gate / (1 − gate)).",
  "inverse of tanh": "This is half of the bias, as from math.atanh(2 · gate − 1): multiply by 2, or take log(gate / (1 − gate)).",
  "inverse of tanh of the gate": "This is the bias for a gate of tanh: for the sigmoid take log(gate / (1 − gate)).",
  "bias divided by the steps": "The bias for one step is divided by steps: take the root of kept first, and then the bias of that.",
  "bias times the steps": "The bias for one step is multiplied by steps: take the root of kept first, and then the bias of that.",
  "root of the odds": "The root is taken of kept / (1 − kept): take it of kept first, and divide by what is missing to 1 then.",
  "how much is left, not the bias": "This is what is left with kept as the bias: turn it round, and find the bias whose sigmoid is kept ** (1 / steps).",
  "one less, as if 1 were in it": "1 is subtracted from the bias: the forget bias is the only number in the gate, so give back log(gate / (1 − gate)).",
  "a whole number": "The bias is rounded: give it back with all of its digits.",
  "in 32 bits": "The gate is so near 1 that 32 bits are too few: compute in 64 bits, as math does.",
  "never above 10": "The bias is never more than 10: search further, or take log(gate / (1 − gate)).",
  "never below 0": "The bias is never less than 0: a gate below one half needs a negative one.",
  "searched in steps of 0.01": "The bias is searched in steps of 0.01: take log(gate / (1 − gate)), or search until it is right to 1e-6.",
  "the gate comes along": "Give back the bias alone: here another number comes along."},
 "calls": {
  "(steps, kept) of (10, 0.5), (3, 0.8) and (7, 0.1)": [[], [[2.63424, 2.56113, 0.942903]], [
   ["power for root", [7.0288, 4.3354]],
   ["without brackets", [1.199, 0.35477]],
   ["the same loss each step", [0.091729, 0.85334]],
   ["no root", [1.2866, 1.1684]],
   ["always the square root", [0.60682, 0.89139]],
   ["one step too many", [0.48999, 1.1555]],
   ["one step too few", [0.87868, 1.308]],
   ["the share that is lost", [-1.1784, -0.48161]],
   ["one minus the root of what is lost", [1.1784, 0.48161]],
   ["what one step loses", [-0.6511, -1.2174]],
   ["the gate", [-0.10532, 0.18437]],
   ["no logarithm", [5.7437, 8.0604]],
   ["1 / gate − 1", [-0.2939, -0.19766]],
   ["the logarithm of the gate alone", [0.24371, 0.16106]],
   ["the logarithm of what is lost", [0.40739, 1.0564]],
   ["brackets missing", [0.029589, 0.19742]],
   ["plus for minus", [0.34711, 0.05227]],
   ["decimal logarithm", [0.28277, 0.52871]],
   ["logarithm of base 2", [0.93934, 1.7563]],
   ["the sigmoid again", [-0.18301, 0.066303]],
   ["inverse of tanh", [0.32555, 0.6087]],
   ["inverse of tanh of the gate", [0.152, 0.58257]],
   ["bias divided by the steps", [0.073909, 0.12525]],
   ["bias times the steps", [11.314, 9.0532]],
   ["root of the odds", [-0.32488, 0.12986]],
   ["how much is left, not the bias", [-0.13767, -0.051405]],
   ["one less, as if 1 were in it", [0.96001, 1.1649]],
   ["a whole number", [0.76947, 1.4199]],
   ["a whole number", [0.64999, 1.2158]],
   ["searched in steps of 0.01", [0.6469, 1.2164]],
   ["the gate comes along", [0.36123, 1.7758, [3, 2]]]]],
  "one step, which keeps 0.5 and 0.2": [[], [[0, -1.38629]], [
   ["never below 0", [0, 0]]]],
  "100 and 1000 steps": [[], [[4.96822, 16.118, 5.37827]], [
   ["in 32 bits", [-6.4494, -1.7294]],
   ["never above 10", [-3.9765, -0.79197]]]]}},
 "relational-memory": {
 "made of": "2793c9e9aced", "defines": ["RelationalMemory"],
 "advice": {
  "linked the wrong way round": "A mask that blocks other slots goes to memory_attention if linked is false, and only then: keep linked on self, and ask `if not self.linked`.",
  "own slot blocked, others open": "A slot is blocked for itself and sees all others: with linked=False it is the other way round, so the diagonal is 0 and −∞ stands beside it.",
  "own slot blocked like the others": "Each slot sees the token only: leave it itself, too, with 0 on the diagonal of the mask.",
  "token blocked": "Each slot sees itself only: the token stays open, so the last column of the mask is 0.",
  "token first in the mask": "The mask's open column stands in front, so each slot sees slot 0 and the one before it: the token is the last column.",
  "ones added": "Other slots only gain or lose 1 against the rest, and nothing is blocked: −∞ belongs in their cells, and 0 in the others.",
  "infinity without a minus": "NaN comes of a row of the mask that is −∞ everywhere, of +∞, or of 0 · ∞: fill the cells of other slots with −∞, and leave 0 in the rest.",
  "earlier slots are seen": "Slots see the ones before them, as with a causal mask: with linked=False only the diagonal and the token's column are 0.",
  "later slots are seen": "Slots see the ones after them: with linked=False only the diagonal and the token's column are 0.",
  "only slot 0 is seen": "Each slot sees slot 0 and the token: the 0 belongs on the diagonal, so that each one sees itself.",
  "blocked after the softmax": "Rows of weights don't sum to 1 with linked=False: block before the softmax, by −∞ in the mask.",
  "blocked scores are 0": "Scores of other slots are 0 before the softmax, and e⁰ is a share like others: block them by −∞.",
  "no attention where slots are alone": "What was attended to is not used: call memory_attention in every case, and hand (memory, attended, …) to update_rows.",
  "no matrix turned for attention": "nn.Linear keeps (out, in), and memory_attention takes (in, out): give it q.weight.T, k.weight.T and v.weight.T.",
  "q not turned": "nn.Linear keeps (out, in), and memory_attention takes (in, out): q.weight lacks its .T.",
  "k not turned": "nn.Linear keeps (out, in), and memory_attention takes (in, out): k.weight lacks its .T.",
  "v not turned": "nn.Linear keeps (out, in), and memory_attention takes (in, out): v.weight lacks its .T.",
  "q and k swapped": "q and k have changed places: memory_attention takes W_q, W_k, W_v in this order, and the queries come from the slots.",
  "k and v swapped": "k and v have changed places: memory_attention takes W_q, W_k, W_v in this order.",
  "q and v swapped": "q and v have changed places: memory_attention takes W_q, W_k, W_v in this order.",
  "k for the values": "The values are made with k: the third matrix is v.weight.T.",
  "two heads are fixed": "The number of heads is another one here: keep num_heads on self, and hand it to memory_attention, neither depth nor a fixed number.",
  "project's bias left out": "The bias of project is left out: call the layer, self.project(x).",
  "relu of the token": "The token went through relu: take what project gives.",
  "tanh of the token": "The token went through tanh: take what project gives.",
  "token normalised": "The token was normalised: take what project gives.",
  "memory normalised first": "The memory was normalised before the step: norms belong to update_rows alone.",
  "the first sequence's token for all": "Every sequence gets the token of sequence 0: hand over project(x) as it is, (batch, d).",
  "the residual adds what was attended to itself": "update_rows gets what was attended twice: its first argument is the memory.",
  "residual added before update_rows": "The memory is added twice: update_rows adds it to what was attended by itself.",
  "inner bias left out": "The bias of mlp_in is left out: call the layer, or hand over self.mlp_in.bias.",
  "outer bias left out": "The bias of mlp_out is left out: call the layer, or hand over self.mlp_out.bias.",
  "no update of the rows": "What was attended to went straight to the gates: the candidate is what update_rows gives.",
  "residual and norm only": "The network is left out of the candidate: after the first norm come mlp_in, relu and mlp_out, then a sum and a norm.",
  "no gates": "This is the candidate: send it through gated_memory, with the old memory and the token.",
  "the old memory comes back": "The old memory came back: return what gated_memory gives.",
  "memory and candidate swapped": "The candidate was given to gated_memory as the old memory, or in its place: keep both names apart, and hand over (memory, candidate, token, …).",
  "the candidate takes the memory's name": "The gates get the candidate in the place of the old memory: give it a name of its own, so that memory stays what came in.",
  "the memory is its own candidate": "The old memory is written as its own candidate: the second argument of gated_memory is what update_rows gives.",
  "the memory with what was attended is gated": "memory was given another value before the gates: they take the memory as it came in.",
  "W and U swapped": "gate_token and gate_memory have changed places: W belongs to the token, U to the memory.",
  "one matrix for both": "U is gate_memory's matrix: here the memory is multiplied by gate_token's.",
  "gate's bias left out": "The bias of gate_token is left out: it is the b of gated_memory.",
  "gate's bias counted twice": "The bias of gate_token counts twice: the layer adds it, so add it nowhere else.",
  "forget_bias not handed over": "forget_bias changes nothing: keep it on self, and hand it to gated_memory as its last argument.",
  "no forget bias": "The forget bias is not added to the forget gate's sum: hand self.forget_bias to gated_memory as its last argument.",
  "forget bias in the bias, too": "The forget bias is added to b, too: it belongs to the forget gate alone, once.",
  "gates swapped": "The gates have changed places: the first d columns are the input gate, the others the forget gate.",
  "candidate without tanh": "tanh is missing on the candidate: the input gate lets in tanh(candidate).",
  "memory in the gates without tanh": "tanh is missing on the memory that the gates read: gate_memory takes tanh(memory).",
  "kept memory with tanh": "The memory that is kept went through tanh: only the gates read tanh(memory).",
  "token not read by the gates": "The gates don't read the token: add gate_token(token), the same for every slot.",
  "gates read the candidate": "The gates read the candidate: they read tanh of the old memory.",
  "no scale": "The scores are not divided: divide them by √depth, depth = d / num_heads.",
  "root of d": "The scores are divided by √d: a dot product in one head sums depth products, so take √depth, depth = d / num_heads.",
  "softmax over the slots that ask": "The softmax runs over the slots that ask: give it dim=-1, so that each row sums to 1.",
  "token first among the rows": "The token is the first column: join it behind the memory, so that it is the last.",
  "token not among the rows": "The token is not among the rows that are looked at: join it behind the memory, so that it is the last column.",
  "heads cut by a bare reshape": "A bare reshape hands parts of rows to the wrong head: cut the last axis into (num_heads, depth), then swap axes 1 and 2, as split_heads does.",
  "heads merged by a bare reshape": "A bare reshape puts the heads together in the wrong places: swap axes 1 and 2 first, as merge_heads does.",
  "relu left out": "relu is missing between mlp_in and mlp_out.",
  "second residual left out": "The rows are not added to what mlp_out gives: the second norm takes their sum.",
  "second residual adds the memory": "The second residual adds the memory: add the rows that went into mlp_in.",
  "norm over slots and numbers": "The norm runs over slots and numbers together: each row has its own, as in layer_norm.",
  "first norm left out": "The first norm is missing: normalise memory + attended before the network.",
  "second norm left out": "The second norm is missing: normalise the sum of the rows and what mlp_out gives.",
  "weights first": "The two results are in the wrong order: the memory comes first, then the weights.",
  "heads averaged": "The heads were averaged: return the weights of each head.",
  "weights turned": "The weights are turned: a row is the slot that asks, and the token is the last column.",
  "what was attended for the weights": "What was attended to came back in the place of the weights: memory_attention gives (attended, weights), in this order.",
  "no error": "No ValueError came: the constructor raises one if d % num_heads is not 0."},
 "calls": {
  "3 sequences, 4 slots, 2 heads": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[0.971282, -0.946572, -0.306722, 1.71562, 0.32174, 0.0359256, 1.554, 1.99645], [0.467596, -1.24365, -0.00444289, -1.6146, -0.0550101, -0.399517, -0.193572, -0.395537], [-0.886866, -0.0377449, -1.33979, -2.11715, 0.249826, 0.174367, 0.733254, 1.79748], [1.15859, -0.414452, -0.0315, 2.52197, 0.00687052, 0.184987, -1.64165, -1.44264]], [[0.803326, 0.271059, 0.177633, 1.60701, -0.850883, -2.00429, -2.7371, 0.426445], [-1.01449, -0.719375, -0.522559, -0.694315, 0.407861, -2.69056, 1.42776, -1.77891], [-0.261135, 0.538935, 1.1074, 0.50943, -0.844998, 2.38779, -2.29377, -1.45816], [0.554581, -0.789675, 1.50327, -1.69379, -0.333994, 1.30832, 1.37498, 0.713155]], [[1.72364, -0.687397, -0.709901, -0.855821, 0.364217, -2.46527, -0.256659, -0.421654], [-0.492847, -0.543437, -2.10575, 0.609963, -0.0064369, -2.57556, 2.06466, 1.21939], [0.184616, -0.29845, 1.76992, -1.07088, -0.0761746, 2.11053, -0.17828, 1.68103], [-0.605404, -0.490112, 0.271608, 1.68556, 0.0352612, 1.40356, 2.79772, -1.50035]]], [[[[0.00203611, 0.00411528, 0.683179, 0.031527, 0.279143], [0.0637313, 5.09755e-09, 2.16789e-06, 3.7776e-07, 0.936266], [1.97014e-06, 8.04697e-05, 0.00607785, 0.00194265, 0.991897], [0.00581717, 0.930504, 0.000948501, 0.06273, 2.54419e-08]], [[3.34361e-12, 7.15427e-20, 1.17159e-15, 3.63993e-07, 1], [1, 9.88714e-12, 1.42018e-12, 7.63238e-11, 2.3617e-13], [0.998309, 1.82268e-05, 2.12422e-06, 0.00102691, 0.000643469], [3.39486e-06, 6.43908e-12, 1.65315e-09, 0.00561993, 0.994377]]], [[[0.300602, 0.664344, 0.0349983, 1.56864e-05, 3.96136e-05], [0.924755, 0.0213904, 0.00166392, 0.000366729, 0.051824], [2.14069e-06, 1.922e-12, 2.38294e-16, 0.999997, 5.11581e-07], [1.35793e-08, 2.15765e-10, 0.99992, 8.03258e-05, 1.59287e-07]], [[1.47965e-08, 1.26122e-06, 1.17643e-07, 0.0107469, 0.989252], [0.00338557, 5.53224e-05, 3.32175e-05, 0.996522, 4.33435e-06], [0.86922, 0.011055, 0.119717, 5.16228e-06, 2.01816e-06], [1.46913e-05, 0.0283811, 0.0130946, 5.74943e-14, 0.95851]]], [[[5.99445e-09, 6.76396e-16, 3.86411e-05, 0.17747, 0.822492], [0.000648616, 0.0134782, 2.11704e-14, 6.55124e-05, 0.985808], [0.96495, 1.6981e-05, 0.015917, 0.0166395, 0.00247625], [1, 1.91873e-10, 2.30261e-08, 1.12437e-19, 1.09323e-13]], [[0.00014579, 2.03483e-17, 1.1886e-22, 5.9441e-12, 0.999854], [1.52528e-10, 4.97815e-13, 1, 2.00566e-11, 5.18208e-15], [5.05374e-07, 2.20104e-06, 0.0366161, 3.33952e-08, 0.963381], [3.05029e-14, 0.00459268, 0.995407, 1.09062e-08, 4.97183e-16]]]]], [
   ["linked the wrong way round", [-18.638, -1.5132], [1.9208, -2.3028]],
   ["no matrix turned for attention", [-16.328, -0.26668], [1.2987, 2.4489]],
   ["q not turned", [-12.648, 3.2412], [4.1311, 2.6869]],
   ["k not turned", [-15.223, 3.0617], [4.635, -0.20831]],
   ["v not turned", [-15.054, 0.4667], 0],
   ["q and k swapped", [-10.971, 8.0186], [-3.1316, -5.3876]],
   ["k and v swapped", [-16.342, 1.0105], [1.4752, -1.2879]],
   ["q and v swapped", [-18.067, 5.523], [-4.1531, -1.6102]],
   ["k for the values", [-15.015, -1.0345], 0],
   ["two heads are fixed", [-19.226, -1.5002], [2.0839, 0.4021, [3, 1, 4, 5]]],
   ["two heads are fixed", [-15.783, -3.1483], [-0.76929, -7.6037, [3, 4, 4, 5]]],
   ["project's bias left out", [-15.052, -1.3318], [-0.80686, -0.020743]],
   ["relu of the token", [-10.175, -0.27612], [-2.7996, 1.76]],
   ["tanh of the token", [-13.266, 1.1342], [-2.0389, 1.4743]],
   ["token normalised", [-12.999, -0.45949], [-2.7226, 0.83706]],
   ["memory normalised first", [-14.126, -3.8068], [-1.3328, -2.8263]],
   ["the first sequence's token for all", [-9.6523, -3.9194], [-2.4684, 1.5636]],
   ["the residual adds what was attended to itself", [-14.841, -2.134], 0],
   ["no attention where slots are alone", [-16.401, 2.0537], 0],
   ["residual added before update_rows", [-18.09, -1.3765], 0],
   ["inner bias left out", [-16.211, -0.53042], 0],
   ["outer bias left out", [-18.6, -2.7674], 0],
   ["no update of the rows", [-17.421, -3.6026], 0],
   ["residual and norm only", [-16.603, -1.202], 0],
   ["no gates", [-1.5493, -4.7129], 0],
   ["the old memory comes back", [-18.175, 0.57574], 0],
   ["memory and candidate swapped", [-4.4998, -3.6932], 0],
   ["the candidate takes the memory's name", [-2.63, -7.0121], 0],
   ["the memory is its own candidate", [-18.981, 0.38515], 0],
   ["the memory with what was attended is gated", [-18.844, -2.4218], 0],
   ["W and U swapped", [-15.532, -7.3119], 0],
   ["one matrix for both", [-16.287, -6.9621], 0],
   ["gate's bias left out", [-17.6, -0.89717], 0],
   ["gate's bias counted twice", [-15.775, -2.4151], 0],
   ["no forget bias", [-14.59, -2.4642], 0],
   ["forget bias in the bias, too", [-18.004, -0.68768], 0],
   ["gates swapped", [-10.713, -1.1801], 0],
   ["candidate without tanh", [-17.092, -2.8334], 0],
   ["memory in the gates without tanh", [-16.869, 0.33752], 0],
   ["kept memory with tanh", [-9.7597, -0.9772], 0],
   ["token not read by the gates", [-11.929, 3.5843], 0],
   ["gates read the candidate", [-13.476, -4.4219], 0],
   ["no scale", [-16.793, -1.5793], [-3.2781, 1.2281]],
   ["root of d", [-16.83, -1.5215], [-3.4082, 1.2668]],
   ["softmax over the slots that ask", [-17.862, 0.57597], [-2.9869, -4.2449]],
   ["token first among the rows", 0, [-2.2537, 2.6847]],
   ["token not among the rows", [-16.049, -0.66203], [-6.5499, -2.8252, [3, 2, 4, 4]]],
   ["heads cut by a bare reshape", [-9.5911, 1.9701], [-1.437, -0.46887]],
   ["heads merged by a bare reshape", [-17.115, -1.1279], 0],
   ["relu left out", [-16.995, -2.8529], 0],
   ["second residual left out", [-16.156, -2.7569], 0],
   ["second residual adds the memory", [-17.645, -1.964], 0],
   ["norm over slots and numbers", [-16.81, -2.7008], 0],
   ["first norm left out", [-16.481, -1.1302], 0],
   ["second norm left out", [-17.37, 0.87255], 0],
   ["weights first", [-3.3499, 1.1612, [3, 2, 4, 5]], [-16.746, -1.5842, [3, 4, 8]]],
   ["heads averaged", 0, [-0.6184, 2.5742, [3, 4, 5]]],
   ["weights turned", 0, [1.8491, -1.0337, [3, 2, 5, 4]]],
   ["what was attended for the weights", 0, [21.332, -5.3665, [3, 4, 8]]]]],
  "all widths 6, 3 heads": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[-0.485325, -0.904567, 1.30296, 1.75156, -0.127705, 1.7861], [-0.0307201, 0.233309, -2.22329, 0.527095, -0.631427, -0.415095], [-0.786214, 0.123846, -1.0401, -1.60299, -0.0757914, -1.37874]], [[-1.03264, 2.74754, 1.73551, 0.553458, 1.60779, 0.314621], [-1.17014, -1.00987, 2.56445, 0.0387034, 1.95812, -1.51892], [-0.515339, 2.47323, 2.05546, 0.555392, 1.35894, 0.555874]]], [[[[2.08926e-08, 4.25237e-05, 0.0136229, 0.986335], [5.39187e-10, 6.49768e-10, 4.57479e-10, 1], [0.991831, 0.00788566, 0.000283604, 8.47695e-12]], [[2.16694e-05, 7.85859e-06, 0.000104843, 0.999866], [0.0681406, 0.928684, 0.00317585, 1.30795e-21], [0.0150897, 0.128859, 0.000120204, 0.855931]], [[0.000826324, 0.999166, 7.58372e-06, 4.27148e-07], [2.19057e-05, 2.42991e-07, 0.00993064, 0.990047], [0.0800006, 0.736121, 0.0759463, 0.107932]]], [[[5.90078e-07, 1.43073e-07, 7.66007e-08, 0.999999], [3.62474e-09, 5.07151e-09, 1.48104e-09, 1], [4.59756e-06, 7.78853e-07, 5.0177e-07, 0.999994]], [[0.97879, 0.00964666, 0.0115638, 2.22082e-08], [9.05304e-05, 0.999733, 0.000176746, 3.95026e-12], [0.983177, 0.00427788, 0.0125445, 2.33429e-07]], [[0.00336056, 2.34887e-07, 0.996639, 3.91859e-17], [5.32142e-09, 0.999999, 8.62649e-07, 5.595e-11], [0.00451102, 4.94793e-07, 0.995488, 2.67259e-16]]]]], [
   ["two heads are fixed", [-9.5607, 0.49318], [-3.3357, 1.0686, [2, 2, 3, 4]]]]],
  "a forget bias of −1": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[-0.391446, -0.308945, 1.2458, 1.23497, -0.127712, 1.78488], [-0.0453089, 0.673902, -2.14589, 0.351265, -0.631374, -0.415042], [-0.703588, 0.253274, -1.02996, -0.855163, -0.0759758, -1.37791]], [[-0.444044, 2.4828, 1.70795, 0.372292, 1.52075, -0.220639], [-0.478134, -0.294949, 1.9087, 0.00746522, 1.89558, -0.885755], [-0.046834, 2.24773, 2.02151, 0.379124, 1.27393, -0.0409493]]], [[[[2.08926e-08, 4.25237e-05, 0.0136229, 0.986335], [5.39187e-10, 6.49768e-10, 4.57479e-10, 1], [0.991831, 0.00788566, 0.000283604, 8.47695e-12]], [[2.16694e-05, 7.85859e-06, 0.000104843, 0.999866], [0.0681406, 0.928684, 0.00317585, 1.30795e-21], [0.0150897, 0.128859, 0.000120204, 0.855931]], [[0.000826324, 0.999166, 7.58372e-06, 4.27148e-07], [2.19057e-05, 2.42991e-07, 0.00993064, 0.990047], [0.0800006, 0.736121, 0.0759463, 0.107932]]], [[[5.90078e-07, 1.43073e-07, 7.66007e-08, 0.999999], [3.62474e-09, 5.07151e-09, 1.48104e-09, 1], [4.59756e-06, 7.78853e-07, 5.0177e-07, 0.999994]], [[0.97879, 0.00964666, 0.0115638, 2.22082e-08], [9.05304e-05, 0.999733, 0.000176746, 3.95026e-12], [0.983177, 0.00427788, 0.0125445, 2.33429e-07]], [[0.00336056, 2.34887e-07, 0.996639, 3.91859e-17], [5.32142e-09, 0.999999, 8.62649e-07, 5.595e-11], [0.00451102, 4.94793e-07, 0.995488, 2.67259e-16]]]]], [
   ["forget_bias not handed over", [-6.4179, 0.48387], 0]]],
  "one slot": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[-0.0167785, 2.00548, 1.26861, 0.14734, -0.599911, 1.83159]], [[-1.24037, -1.60099, 1.02566, -1.46792, 0.40922, -1.51438]]], [[[[1, 9.15815e-14]], [[0.99998, 2.02713e-05]], [[3.00531e-06, 0.999997]]], [[[0.0137154, 0.986285]], [[0.642995, 0.357004]], [[0.0336751, 0.966325]]]]], []],
  "linked=False, 3 sequences, 4 slots (if Test 1 fails, start there)": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[0.960413, -0.831946, -0.308571, 1.45602, 0.322054, 0.0381374, 1.55611, 1.99645], [0.572604, -0.986011, -0.0159018, -2.60412, -0.050613, 0.364626, -0.609074, -0.395537], [-0.764316, 0.586132, -1.35935, -2.62352, 0.2516, -0.153094, 1.03454, 1.79748], [1.24955, -0.53494, -0.0313695, 2.24607, 0.0087476, 0.185342, -1.60871, -1.44264]], [[0.802778, 0.363061, 0.173156, 1.60756, -0.885248, -1.68199, -2.70499, 0.426345], [-1.01334, -0.981521, -0.214861, -0.696797, -0.121883, -2.56549, -0.134514, -1.77679], [-0.260106, 0.872968, 1.0136, 0.488265, 0.908637, 1.8529, -1.45479, -1.45927], [0.553293, -0.496175, 1.55773, -1.69339, -0.513423, 2.062, 1.14178, 0.639811]], [[1.7236, -0.650038, -0.808059, -0.899883, 0.408043, -2.46492, -0.205175, -0.4215], [-0.434876, -0.631481, -1.92495, 0.637645, -0.0201987, -2.68556, 2.04436, 1.21997], [0.169766, -0.339837, 2.15249, -1.06978, -0.077408, 2.05667, -0.159957, 1.67335], [-0.360084, -0.861293, 0.457759, 1.58069, 0.0296693, 1.10066, 2.68384, -1.4941]]], [[[[0.00724136, 0, 0, 0, 0.992759], [0, 5.44455e-09, 0, 0, 1], [0, 0, 0.00609019, 0, 0.99391], [0, 0, 0, 1, 4.05578e-07]], [[3.34361e-12, 0, 0, 0, 1], [0, 0.976671, 0, 0, 0.0233293], [0, 0, 0.00329035, 0, 0.99671], [0, 0, 0, 0.00561995, 0.99438]]], [[[0.999868, 0, 0, 0, 0.000131764], [0, 0.292161, 0, 0, 0.707839], [0, 0, 4.65799e-10, 0, 1], [0, 0, 0, 0.998021, 0.00197909]], [[1.49573e-08, 0, 0, 0, 1], [0, 0.927345, 0, 0, 0.0726549], [0, 0, 0.999983, 0, 1.68575e-05], [0, 0, 0, 5.9983e-14, 1]]], [[[7.28816e-09, 0, 0, 0, 1], [0, 0.0134878, 0, 0, 0.986512], [0, 0, 0.865372, 0, 0.134628], [0, 0, 0, 1.02848e-06, 0.999999]], [[0.00014579, 0, 0, 0, 0.999854], [0, 0.989698, 0, 0, 0.0103024], [0, 0, 0.0366162, 0, 0.963384], [0, 0, 0, 1, 4.55869e-08]]]]], [
   ["linked the wrong way round", [-16.746, -1.5842], [-3.3499, 1.1612]],
   ["own slot blocked, others open", [-16.908, -1.4377], [-3.1892, 1.6142]],
   ["own slot blocked like the others", [-17.919, -0.75883], [0.42604, -0.39536]],
   ["token blocked", [-16.339, -0.79841], [1.1148, -0.29066]],
   ["token first in the mask", [-18.23, -3.4238], [0.21499, 1.4728]],
   ["ones added", [-16.685, -1.4719], [-3.6484, 1.4453]],
   ["ones added", [-16.715, -1.72], [-3.0679, 0.79542]],
   ["infinity without a minus", [-67.888, 106.11], [624.11, 72.021]],
   ["earlier slots are seen", [-16.865, -3.5559], [-3.7524, -1.7963]],
   ["later slots are seen", [-19.075, 0.64221], [-1.1551, 2.8172]],
   ["only slot 0 is seen", [-16.536, -3.0029], [0.67819, -2.7554]],
   ["blocked after the softmax", [-19.354, 0.58693], [-1.4591, -0.35049]],
   ["blocked scores are 0", [-17.646, 2.7501], [-2.0248, -0.2006]],
   ["no attention where slots are alone", [-16.401, 2.0537], 0],
   ["no matrix turned for attention", [-14.176, -1.76], [3.6048, 2.3291]],
   ["q not turned", [-16.816, 0.41042], [0.11662, 4.7736]],
   ["k not turned", [-14.523, -1.1231], [0.72687, 1.7781]],
   ["v not turned", [-14.421, -0.068886], 0],
   ["q and k swapped", [-14.595, 1.1126], [-3.5605, 2.1526]],
   ["k and v swapped", [-16.557, 1.6291], [0.79411, -0.28844]],
   ["q and v swapped", [-14.787, 5.8036], [-3.4276, 1.4761]],
   ["k for the values", [-15.398, -1.7699], 0],
   ["two heads are fixed", [-18.037, 0.61148], [0.2647, -0.26763, [3, 1, 4, 5]]],
   ["two heads are fixed", [-14.976, 0.14472], [2.3972, -4.6472, [3, 4, 4, 5]]],
   ["project's bias left out", [-14.413, -2.2734], [3.0101, -4.9928]],
   ["relu of the token", [-10.47, 1.4288], [-1.545, -3.4431]],
   ["tanh of the token", [-13.203, 3.047], [-0.5585, -3.0469]],
   ["token normalised", [-15.185, 0.51118], [-1.1935, -4.7467]],
   ["memory normalised first", [-12, -2.173], [1.6774, -3.0257]],
   ["the first sequence's token for all", [-14.468, -3.0474], [-1.6671, -1.1703]],
   ["the residual adds what was attended to itself", [-17.432, -1.3301], 0],
   ["residual added before update_rows", [-19.039, -1.225], 0],
   ["inner bias left out", [-17.776, -0.97286], 0],
   ["outer bias left out", [-19.467, -1.0661], 0],
   ["no update of the rows", [-17.578, -7.2201], 0],
   ["residual and norm only", [-18.674, 0.76665], 0],
   ["no gates", [-7.8282, 0.96564], 0],
   ["the old memory comes back", [-18.175, 0.57574], 0],
   ["memory and candidate swapped", [-10.4, -2.3542], 0],
   ["the candidate takes the memory's name", [-10.426, -4.941], 0],
   ["the memory is its own candidate", [-18.981, 0.38515], 0],
   ["the memory with what was attended is gated", [-39.358, 6.3865], 0],
   ["W and U swapped", [-18.567, -5.7471], 0],
   ["one matrix for both", [-18.813, -8.4465], 0],
   ["gate's bias left out", [-19.527, -0.8049], 0],
   ["gate's bias counted twice", [-17.639, -2.3594], 0],
   ["no forget bias", [-16.482, -2.3932], 0],
   ["forget bias in the bias, too", [-20.289, -0.66584], 0],
   ["gates swapped", [-12.093, -1.4045], 0],
   ["candidate without tanh", [-19.497, -1.4602], 0],
   ["memory in the gates without tanh", [-18.413, 0.56077], 0],
   ["kept memory with tanh", [-11.651, -0.90622], 0],
   ["token not read by the gates", [-14.216, 4.8663], 0],
   ["gates read the candidate", [-16.176, -4.3744], 0],
   ["no scale", [-18.445, -1.4175], [2.3723, -2.2979]],
   ["root of d", [-18.735, -1.5564], [1.5339, -2.2399]],
   ["softmax over the slots that ask", [-16.926, -3.2243], [0.32816, -1.1377]],
   ["token first among the rows", [-19.394, -3.9796], [-2.7352, 1.558]],
   ["heads cut by a bare reshape", [-13.767, 0.17918], [2.8005, -1.5606]],
   ["heads merged by a bare reshape", [-16.563, -0.88131], 0],
   ["relu left out", [-19.09, 0.14908], 0],
   ["second residual left out", [-15.41, -0.4574], 0],
   ["second residual adds the memory", [-17.726, -0.61134], 0],
   ["norm over slots and numbers", [-18.763, -2.4406], 0],
   ["first norm left out", [-18.219, -1.351], 0],
   ["second norm left out", [-20.732, 0.26464], 0],
   ["weights first", [1.9208, -2.3028, [3, 2, 4, 5]], [-18.638, -1.5132, [3, 4, 8]]],
   ["heads averaged", 0, [0.96545, 0.60248, [3, 4, 5]]],
   ["weights turned", 0, [-0.60373, 3.0064, [3, 2, 5, 4]]],
   ["what was attended for the weights", 0, [-16.355, 26.238, [3, 4, 8]]]]],
  "linked=False, one slot": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[-0.0167785, 2.00548, 1.26861, 0.14734, -0.599911, 1.83159]], [[-1.24037, -1.60099, 1.02566, -1.46792, 0.40922, -1.51438]]], [[[[1, 9.15815e-14]], [[0.99998, 2.02713e-05]], [[3.00531e-06, 0.999997]]], [[[0.0137154, 0.986285]], [[0.642995, 0.357004]], [[0.0336751, 0.966325]]]]], [
   ["two heads are fixed", [-4.4575, -2.161], [1.5149, 1.0594, [2, 2, 1, 2]]]]],
  "d 6 and 4 heads": [["d", "heads"], "ValueError", [
   ["no error", [3.8213, 3.3659, []]]]],
  "4 heads of one number (if Test 1 fails, start there)": [["memory", "x", "weights", "input_size", "d", "num_heads", "hidden"], [[[[-0.425574, 1.26766, 2.50966, -1.31776], [-0.890389, 0.460242, -0.851789, 0.364267], [0.883828, -0.838868, -0.445235, -1.68911]], [[-0.733345, -1.87422, -0.762288, 2.5772], [-0.350789, 0.603625, 2.18775, 2.23581], [-0.77685, -1.57944, 1.6086, 0.50141]]], [[[[0.980996, 0.000223492, 0.000568186, 0.0182121], [0.235793, 0.260006, 0.257194, 0.247007], [0.583984, 0.0826715, 0.102758, 0.230586]], [[0.994321, 0.00061774, 0.00506099, 1.42573e-12], [1.00368e-09, 2.74148e-07, 5.54603e-08, 1], [0.381029, 0.252239, 0.283688, 0.0830444]], [[0.132615, 2.66078e-05, 0.12091, 0.746449], [0.165415, 0.536778, 0.167542, 0.130265], [0.0870663, 0.767812, 0.0891478, 0.0559737]], [[9.67067e-06, 0.998888, 0.000683822, 0.000418902], [0.00731002, 0.913946, 0.0433929, 0.0353515], [0.00346588, 0.947442, 0.0274555, 0.021637]]], [[[0.99908, 0.000374163, 0.000407123, 0.0001387], [0.822203, 0.0645659, 0.0663479, 0.0468837], [1, 7.60611e-10, 9.52221e-10, 5.42265e-11]], [[1.9055e-05, 7.38873e-06, 0.99982, 0.000153857], [0.329008, 0.573973, 0.000555483, 0.0964629], [0.227828, 0.221869, 0.308768, 0.241535]], [[0.706004, 0.284809, 0.00917443, 1.23671e-05], [0.0128862, 0.0183212, 0.0693912, 0.899401], [0.0140362, 0.0198041, 0.0728672, 0.893292]], [[0.000906157, 0.101135, 0.0618342, 0.836124], [0.00123983, 0.109945, 0.0688533, 0.819962], [1.09804e-09, 0.00168817, 0.0003818, 0.99793]]]]], [
   ["linked the wrong way round", [3.2508, -4.6458], [-1.043, 2.1509]],
   ["no matrix turned for attention", [2.9673, -6.0992], [-2.1163, -2.4895]],
   ["q not turned", [2.4786, -6.5483], [-2.8182, -1.742]],
   ["k not turned", [3.9862, -5.1081], [1.9737, -0.0066549]],
   ["v not turned", [3.4354, -3.9185], 0],
   ["q and k swapped", [5.255, -4.8438], [-5.8241, 0.62107]],
   ["k and v swapped", [1.1816, -8.0532], [3.683, -0.9553]],
   ["q and v swapped", [4.2657, -4.3961], [2.4655, 1.5748]],
   ["k for the values", [3.0768, -3.9566], 0],
   ["two heads are fixed", [4.9305, -5.6868], [2.387, -2.2355, [2, 2, 3, 4]]],
   ["two heads are fixed", [5.1066, -2.2789], [1.2254, 1.1925, [2, 1, 3, 4]]],
   ["project's bias left out", [4.853, -3.2445], [3.5419, -2.0799]],
   ["relu of the token", [2.4052, -3.363], [4.1342, -2.409]],
   ["tanh of the token", [3.1985, -3.6893], [4.0461, -1.8109]],
   ["token normalised", [2.4965, -3.7706], [3.8606, -2.4706]],
   ["memory normalised first", [3.9074, -5.7782], [1.4945, -0.18999]],
   ["the first sequence's token for all", [4.4374, -4.4658], [2.7987, -0.99156]],
   ["the residual adds what was attended to itself", [4.429, -3.266], 0],
   ["no attention where slots are alone", [1.9288, -7.5659], 0],
   ["residual added before update_rows", [2.5304, -5.9968], 0],
   ["inner bias left out", [4.1893, -5.1175], 0],
   ["outer bias left out", [3.0018, -5.4191], 0],
   ["no update of the rows", [6.3127, -2.9157], 0],
   ["residual and norm only", [4.1347, -7.4153], 0],
   ["no gates", [7.0843, 0.42126], 0],
   ["the old memory comes back", [1.102, -4.5039], 0],
   ["memory and candidate swapped", [4.4262, -3.5075], 0],
   ["the candidate takes the memory's name", [7.9272, -0.55542], 0],
   ["the memory is its own candidate", [0.63033, -7.5616], 0],
   ["the memory with what was attended is gated", [10.246, -2.9161], 0],
   ["W and U swapped", [1.5523, 0.59887], 0],
   ["one matrix for both", [4.52, -3.7206], 0],
   ["gate's bias left out", [4.4018, -4.7141], 0],
   ["gate's bias counted twice", [3.5148, -3.808], 0],
   ["no forget bias", [3.7029, -3.8271], 0],
   ["forget bias in the bias, too", [4.9188, -4.919], 0],
   ["gates swapped", [2.7031, -7.1567], 0],
   ["candidate without tanh", [5.367, -3.9483], 0],
   ["memory in the gates without tanh", [3.1351, -3.6741], 0],
   ["kept memory with tanh", [3.4152, -1.3012], 0],
   ["token not read by the gates", [2.3726, -2.8932], 0],
   ["gates read the candidate", [4.6448, -3.8861], 0],
   ["root of d", [4.2001, -4.4272], [1.9339, -2.2085]],
   ["softmax over the slots that ask", [3.7032, -4.6623], [-0.23488, 1.0469]],
   ["token first among the rows", 0, [-5.2247, 0.68511]],
   ["token not among the rows", [5.5231, -3.4925], [-1.8821, 0.84946, [2, 4, 3, 3]]],
   ["heads cut by a bare reshape", [5.0171, -5.2066], [5.2301, 2.609]],
   ["heads merged by a bare reshape", [1.8532, -6.5211], 0],
   ["relu left out", [5.478, -2.8733], 0],
   ["second residual left out", [3.2533, -2.7361], 0],
   ["second residual adds the memory", [0.80902, -8.5311], 0],
   ["norm over slots and numbers", [4.5143, -2.7765], 0],
   ["first norm left out", [3.8669, -3.6382], 0],
   ["second norm left out", [5.5279, -3.1447], 0],
   ["weights first", [1.8917, -1.5228, [2, 4, 3, 4]], [3.9125, -4.3112, [2, 3, 4]]],
   ["heads averaged", 0, [-0.14705, 0.63213, [2, 3, 4]]],
   ["weights turned", 0, [0.005186, 2.8437, [2, 4, 4, 3]]],
   ["what was attended for the weights", 0, [13.456, 4.7436, [2, 3, 4]]]]]}},
 "predict-permuted": {
 "made of": "4a439624a97e", "defines": ["predict_permuted"],
 "advice": {
  "nothing moves": "Nothing has moved: the memory's slots move, and both rows and columns of the weights.",
  "memory alone": "Only the memory has moved: the weights' rows and columns move, too.",
  "weights alone": "Only the weights have moved: the memory's slots move, too.",
  "rows alone": "Only the rows of the weights have moved: the columns are slots, too, and move in the same way, but for the token's.",
  "columns alone": "Only the columns of the weights have moved: the rows are slots, too, the ones that ask, and move in the same way.",
  "rows alone, without the memory": "Only the rows of the weights have moved: their columns move, too, and the memory's slots.",
  "columns alone, without the memory": "Only the columns of the weights have moved: their rows move, too, and the memory's slots.",
  "inverse permutation": "This is the inverse permutation: new slot i is old slot permutation[i], so index with the permutation as it is.",
  "inverse in the memory": "The memory is ordered by the inverse permutation: new slot i is old slot permutation[i].",
  "inverse in the weights": "The weights are ordered by the inverse permutation: new row i and column i are old ones of number permutation[i].",
  "inverse in the rows": "The rows are ordered by the inverse permutation: new row i is old row permutation[i], as with the columns.",
  "inverse in the columns": "The columns are ordered by the inverse permutation: new column j is old column permutation[j], as with the rows.",
  "permuted twice": "The permutation is used twice: once along each axis of slots is enough.",
  "memory permuted twice": "The memory is permuted twice: once is enough.",
  "rows permuted twice": "The rows are permuted twice, and the columns not at all: the second permutation belongs to the last axis.",
  "permuted backwards": "The order runs backwards: new slot 0 is old slot permutation[0].",
  "always backwards": "The slots are turned round, whatever the permutation says: index with the permutation.",
  "moved by one place": "The slots moved by one place, whatever the permutation says: index with the permutation.",
  "counted from 1": "The permutation's numbers are off by one: they count from 0, so index with them as they are.",
  "the token's column first": "The token's column comes first: it stays last.",
  "the token's column left out": "The token's column is gone: put its number, which is slots, behind the permutation.",
  "the last slot's column for the token's": "The last column is one of a slot: the token's number is slots, not slots − 1.",
  "slot 0's column for the token's": "The last column is that of slot 0: the token's number is slots.",
  "the token's column not ordered by rows": "The token's column is the old one: its rows move, too, as those of all columns.",
  "the token's column 0": "The token's column is 0: it keeps its numbers, with its rows in the new order.",
  "the token counted as the first column": "The columns are read as if the token came first: it is the last column.",
  "the token's column joined twice": "The weights have a column too many: after the permutation comes the token's number, once.",
  "the weights divided again": "The weights are divided by new sums: they only change places.",
  "softmax again": "A softmax ran over the weights: they only change places.",
  "weights turned": "The weights are turned: rows stay the slots that ask, columns what they look at.",
  "rows and columns in pairs": "Two lists side by side pick single cells: index the rows first, then the columns, in two steps.",
  "only two slots exchanged": "Only two slots have changed places: index all of them with the permutation.",
  "the order of the example": "The order is written into your code: take the argument permutation.",
  "weights first": "The two results have changed places: give back memory_after, weights.",
  "memory alone given back": "The weights are missing: give back memory_after, weights.",
  "weights alone given back": "Only the weights came back: give back memory_after, weights.",
  "the first sequence alone": "Only sequence 0 came back: keep the batch axis.",
  "one head": "The heads were averaged: each keeps a table of its own.",
  "slot after slot, in place": "Slots were overwritten before they were read: make a new memory, and leave the input as it is."},
 "calls": {
  "4 slots in the order 2, 3, 1, 0": [["memory_after", "weights", "permutation"], [[[[0.6, 1.5, 2], [-2, -1.9, 0.4], [-1.5, 1.9, 1.8], [0, 1.9, -1.8]], [[0.4, -1.9, -2], [2, 1.5, 0.6], [-0.7, -0.4, -1.9], [-1.9, -0.4, -0.6]]], [[[[1.8, 1.9, -1.4, -1.7, 0.4], [-2, -1.9, 2, 1.7, 0.7], [2, 0.2, -1.7, -1.4, 2], [0.5, 1.8, 1.6, 2, 1.8]], [[1.9, 1.7, 0.2, 1.7, -1.2], [0.5, 2, 2, -1.5, -1.5], [-2, -1.9, 0.8, -1.8, 2], [-0.9, -0.9, -0.1, -1.8, -0.1]], [[-1.2, 0.2, -1.2, 0.2, -1.6], [-1.8, 1.9, -2, 1.1, 1.9], [-2, 1, -1.9, 2, -1.7], [1.9, 0.1, 1.6, -1.2, 1.8]]], [[[-0.3, 1.9, 2, 1.4, 1.8], [1.3, -1.4, -2, -1.7, 0.6], [2, -1.2, 0.8, 2, -0.8], [1.4, -0.9, 2, -0.1, -1.3]], [[-0.5, -0.9, 1.1, 2, 1.9], [-0.8, -0.4, 1.9, 1.2, 1], [1.7, 2, -1.6, -2, -0.5], [0.6, -1.4, -1.5, -1.5, 1.4]], [[-1, 1.7, 1.1, -1.8, -1.8], [2, -1, 1.4, -1.3, 1.9], [-1, 1, 1.6, -1.9, -1.8], [2, 1.6, -0.7, 2, -1.4]]]]], [
   ["nothing moves", [7.7472, -3.4578], [19.965, -10.534]],
   ["memory alone", 0, [19.965, -10.534]],
   ["weights alone", [7.7472, -3.4578], 0],
   ["rows alone", 0, [-1.308, -8.6624]],
   ["columns alone", 0, [14.998, -6.1916]],
   ["rows alone, without the memory", [7.7472, -3.4578], [-1.308, -8.6624]],
   ["columns alone, without the memory", [7.7472, -3.4578], [14.998, -6.1916]],
   ["inverse permutation", [2.9554, -5.5354], [-18.771, 6.602]],
   ["inverse in the memory", [2.9554, -5.5354], 0],
   ["inverse in the weights", 0, [-18.771, 6.602]],
   ["inverse in the rows", 0, [3.5075, 4.4772]],
   ["inverse in the columns", 0, [14.903, 15.263]],
   ["permuted twice", [-1.5315, -5.2656], [3.9032, 14.339]],
   ["memory permuted twice", [-1.5315, -5.2656], 0],
   ["rows permuted twice", 0, [-16.679, -5.4487]],
   ["permuted backwards", [1.8044, -3.6616], [4.2098, 1.5244]],
   ["always backwards", [1.7498, -8.7039], [-4.011, 13.837]],
   ["moved by one place", [2.5434, -5.0326], [6.1443, 4.2726]],
   ["counted from 1", [2.1342, -6.786], [-14.858, -13.445]],
   ["the token's column first", 0, [1.5444, 5.4592]],
   ["the token's column left out", 0, [21.824, -7.5384, [2, 3, 4, 4]]],
   ["the last slot's column for the token's", 0, [0.44235, -15.29]],
   ["slot 0's column for the token's", 0, [-5.1834, -9.7365]],
   ["the token's column not ordered by rows", 0, [6.754, -11.662]],
   ["the token's column 0", 0, [-1.3584, -8.8076]],
   ["the token counted as the first column", 0, [-6.3444, -20.865]],
   ["the token's column joined twice", 0, [2.0916, 8.6073, [2, 3, 4, 6]]],
   ["the weights divided again", 0, [25.432, -4.7996]],
   ["softmax again", 0, [-0.97715, -0.50802]],
   ["weights turned", 0, [7.3762, 1.2635, [2, 3, 5, 4]]],
   ["rows and columns in pairs", 0, [2.2161, 9.6101, [2, 3, 4]]],
   ["only two slots exchanged", [2.2654, -6.0477], [-2.8096, 5.8897]],
   ["weights first", [-2.1135, -8.2822, [2, 3, 4, 5]], [-1.7263, -7.7234, [2, 4, 3]]],
   ["memory alone given back", [-1.7263, -7.7234, [2, 4, 3]]],
   ["weights alone given back", [-2.1135, -8.2822, [2, 3, 4, 5]]],
   ["the first sequence alone", [-3.4709, -7.1755, [4, 3]], [8.1165, -12.44, [3, 4, 5]]],
   ["one head", 0, [1.6399, 5.2835, [2, 4, 5]]],
   ["slot after slot, in place", [-3.1783, -4.9096], 0]]],
  "the order in a LongTensor": [["memory_after", "weights", "permutation"], [[[[0.6, 1.5, 2], [0, 1.9, -1.8], [-2, -1.9, 0.4], [-1.5, 1.9, 1.8]], [[0.4, -1.9, -2], [-1.9, -0.4, -0.6], [2, 1.5, 0.6], [-0.7, -0.4, -1.9]]], [[[[1.8, -1.7, 1.9, -1.4, 0.4], [0.5, 2, 1.8, 1.6, 1.8], [-2, 1.7, -1.9, 2, 0.7], [2, -1.4, 0.2, -1.7, 2]], [[1.9, 1.7, 1.7, 0.2, -1.2], [-0.9, -1.8, -0.9, -0.1, -0.1], [0.5, -1.5, 2, 2, -1.5], [-2, -1.8, -1.9, 0.8, 2]], [[-1.2, 0.2, 0.2, -1.2, -1.6], [1.9, -1.2, 0.1, 1.6, 1.8], [-1.8, 1.1, 1.9, -2, 1.9], [-2, 2, 1, -1.9, -1.7]]], [[[-0.3, 1.4, 1.9, 2, 1.8], [1.4, -0.1, -0.9, 2, -1.3], [1.3, -1.7, -1.4, -2, 0.6], [2, 2, -1.2, 0.8, -0.8]], [[-0.5, 2, -0.9, 1.1, 1.9], [0.6, -1.5, -1.4, -1.5, 1.4], [-0.8, 1.2, -0.4, 1.9, 1], [1.7, -2, 2, -1.6, -0.5]], [[-1, -1.8, 1.7, 1.1, -1.8], [2, 2, 1.6, -0.7, -1.4], [2, -1.3, -1, 1.4, 1.9], [-1, -1.9, 1, 1.6, -1.8]]]]], [
   ["the order of the example", [-1.7263, -7.7234], [-2.1135, -8.2822]]]],
  "3 slots in the order 1, 2, 0": [["memory_after", "weights", "permutation"], [[[[-2, -1.9], [0.4, -1.9], [1.5, 2]], [[-0.7, -0.4], [-1.9, 0.4], [-0.4, -0.6]], [[2, 1.5], [0.6, 1.8], [-1.9, -2]]], [[[[-1.8, 0.8, -0.1, -2], [2, 1.7, -1.9, 0.2], [-0.1, -0.9, -1.8, -0.9]], [[0.5, 2, 2, -1.5], [1.6, 1.9, -1.2, 0.1], [1.7, -1.2, 1.9, -1.5]]], [[[-1.7, 0.2, 1, -1.2], [0.2, -1.6, -1.2, 1.1], [2, -1.9, 1.8, -2]], [[2, 1.4, -0.1, -0.9], [2, 0.8, -1.3, 2], [-1.8, 1.9, -2, 1.9]]], [[[1.9, 1.8, -0.3, -1.7], [1.3, -1.4, -2, 0.6], [-0.8, 1.4, -1.2, 2]], [[-2, -1.6, 1.4, 1.7], [-0.5, 2, 2, 1.1], [-1.5, 0.6, -1.5, -1.4]]]]], []]}},
 "unroll": {
 "made of": "6d29fdc424af", "defines": ["unroll"],
 "advice": {
  "memory not carried": "Every step starts from the first memory: give step the memory that came out of the step before.",
  "not carried, and padding steps": "Every step starts from the first memory, at padded steps, too: carry on the memory that came out, and keep it from the sequence's length on.",
  "padding steps": "Padded steps still change the memory: where t is not below a sequence's length, take its old memory.",
  "padded inputs are 0, but still steps": "Padded steps still change the memory, with an input of 0: where t is not below a sequence's length, take its old memory.",
  "one step too many": "Each sequence takes one step too many: with length n, steps 0 to n − 1 count, so the condition is t < lengths.",
  "one step too few": "Each sequence takes one step too few: with length n, steps 0 to n − 1 count, so the condition is t < lengths.",
  "the first step left out": "The first step of each sequence is left out: begin with inputs[:, 0].",
  "stored before the step": "The memories are those before each step: append the new memory, after step and torch.where.",
  "the first memory stands in front": "A memory stands in front of the first step: collect each after its step only, as many as there are steps.",
  "keeps the old one right, but stores the new one": "The memory is kept at padded steps, but what was stored there is the step's: append the memory that you carry on.",
  "where the wrong way round": "The memory is kept while a sequence runs, and changed at padded steps: in torch.where, the new memory comes first if the condition is t < lengths.",
  "0 at padded steps": "The memory is 0 from a sequence's length on: it should stay as it is.",
  "the first memory at padded steps": "From its length on, a sequence falls back to the memory that it began with: keep the one that it has.",
  "all stop with the shortest": "All sequences stop when the shortest does: ask t < length for each sequence by itself.",
  "all run as long as the longest": "All sequences run as long as the longest: ask t < length for each sequence by itself.",
  "the first length for all": "All sequences stop with the length of sequence 0: each has its own.",
  "lengths sorted": "The lengths come in no order: sequence b runs while t < lengths[b], so sort nothing, and don't take the first sequences of the batch.",
  "the order of the sequences lost": "The sequences come back in the order of their lengths: put them back where they were.",
  "as many steps as the longest": "The results end with the longest sequence: let the loop run over all steps, inputs.shape[1].",
  "as many steps as sequences": "There are as many steps as sequences: let the loop run over inputs.shape[1], since len(inputs) is the batch.",
  "time in front": "Time stands in front of the batch in both results: stack them with dim=1.",
  "time in front of the memories": "Time stands in front of the batch in memories: stack them with dim=1, as the weights.",
  "time in front of the weights": "Time stands in front of the batch in weights: stack them with dim=1, as the memories.",
  "time behind the slots": "Time stands behind the slots: stack with dim=1, right behind the batch.",
  "time in front, then reshaped": "Time was stacked in front, and a reshape doesn't swap axes: stack with dim=1.",
  "the memories reshaped, the weights stacked well": "Time was stacked in front of the memories, and a reshape doesn't swap axes: stack them with dim=1.",
  "joined instead of stacked": "torch.cat joins along an axis that is there: torch.stack(..., dim=1) makes a new one for the steps.",
  "the last memory only": "One memory came back for each sequence: collect that of every step, and stack them with dim=1.",
  "the last memory at each step": "All steps hold the last memory: append each step's own, and make a new tensor at each step, since writing into one changes all that were appended.",
  "the first input at each step": "Each step gets the input of step 0: take inputs[:, t].",
  "one input behind": "Each step gets the input of the step before it: step t takes inputs[:, t].",
  "the inputs backwards": "The inputs are read from the last to the first: step t takes inputs[:, t].",
  "the inputs of sequence 0 for all": "All sequences get the inputs of sequence 0: take inputs[:, t].",
  "every step is taken twice": "Each step is taken twice: call step once, and keep both of its results.",
  "the weights from a second call": "The weights come from a second call, with the new memory: call step once, and keep both of its results.",
  "the last weights at each step": "All steps hold the weights of the last one: append them in the loop.",
  "the weights of the last step alone": "The weights of one step came back: collect those of every step, and stack them with dim=1.",
  "heads averaged": "The heads were averaged: keep the weights as step gives them.",
  "time behind the heads and slots of the weights": "Time stands behind the slots in weights: stack them with dim=1, right behind the batch.",
  "the two results in the wrong order": "The two results are in the wrong order: the memories come first, then the weights.",
  "returns after the first step": "Only the first step came back: let all steps run before the function returns.",
  "rounded": "The memory was rounded: keep its digits."},
 "calls": {
  "3 sequences of lengths 2, 4 and 1, 5 steps": [["memory", "inputs", "lengths"], [[[[[-2.74667, -1.79667, -3.64667, -3.49667, -1.79667, -1.84667, -2.44667], [-1.51333, -1.26333, -3.26333, -3.21333, -2.06333, -3.21333, -2.46333], [-2.08, -2.13, -1.98, -2.73, -1.58, -2.73, -2.78], [-0.296667, -0.546667, -0.996667, -0.396667, -0.396667, -2.04667, -2.14667]], [[1.54333, 2.01833, 1.09333, 1.16833, 2.01833, 1.99333, 1.69333], [1.87667, 2.00167, 1.00167, 1.02667, 1.60167, 1.02667, 1.40167], [1.31, 1.285, 1.36, 0.985, 1.56, 0.985, 0.96], [1.91833, 1.79333, 1.56833, 1.86833, 1.86833, 1.04333, 0.993333]], [[1.54333, 2.01833, 1.09333, 1.16833, 2.01833, 1.99333, 1.69333], [1.87667, 2.00167, 1.00167, 1.02667, 1.60167, 1.02667, 1.40167], [1.31, 1.285, 1.36, 0.985, 1.56, 0.985, 0.96], [1.91833, 1.79333, 1.56833, 1.86833, 1.86833, 1.04333, 0.993333]], [[1.54333, 2.01833, 1.09333, 1.16833, 2.01833, 1.99333, 1.69333], [1.87667, 2.00167, 1.00167, 1.02667, 1.60167, 1.02667, 1.40167], [1.31, 1.285, 1.36, 0.985, 1.56, 0.985, 0.96], [1.91833, 1.79333, 1.56833, 1.86833, 1.86833, 1.04333, 0.993333]], [[1.54333, 2.01833, 1.09333, 1.16833, 2.01833, 1.99333, 1.69333], [1.87667, 2.00167, 1.00167, 1.02667, 1.60167, 1.02667, 1.40167], [1.31, 1.285, 1.36, 0.985, 1.56, 0.985, 0.96], [1.91833, 1.79333, 1.56833, 1.86833, 1.86833, 1.04333, 0.993333]]], [[[3.78, 2.88, 3.78, 1.98, 2.08, 3.73, 3.73], [3.58, 4.08, 4.28, 2.28, 2.33, 3.53, 2.33], [3.58, 3.38, 3.38, 3.58, 2.78, 4.03, 2.78], [3.18, 5.18, 4.98, 4.43, 5.08, 5.08, 3.48]], [[-2.62667, -3.07667, -2.62667, -3.52667, -3.47667, -2.65167, -2.65167], [-3.24333, -2.99333, -2.89333, -3.89333, -3.86833, -3.26833, -3.86833], [-3.76, -3.86, -3.86, -3.76, -4.16, -3.535, -4.16], [-4.47667, -3.47667, -3.57667, -3.85167, -3.52667, -3.52667, -4.32667]], [[-1.32, -1.545, -1.32, -1.77, -1.745, -1.3325, -1.3325], [-2.445, -2.32, -2.27, -2.77, -2.7575, -2.4575, -2.7575], [-3.52, -3.57, -3.57, -3.52, -3.72, -3.4075, -3.72], [-4.695, -4.195, -4.245, -4.3825, -4.22, -4.22, -4.62]], [[-3.52667, -3.63917, -3.52667, -3.75167, -3.73917, -3.53292, -3.53292], [-3.15583, -3.09333, -3.06833, -3.31833, -3.31208, -3.16208, -3.31208], [-2.76, -2.785, -2.785, -2.76, -2.86, -2.70375, -2.86], [-2.41417, -2.16417, -2.18917, -2.25792, -2.17667, -2.17667, -2.37667]], [[-3.52667, -3.63917, -3.52667, -3.75167, -3.73917, -3.53292, -3.53292], [-3.15583, -3.09333, -3.06833, -3.31833, -3.31208, -3.16208, -3.31208], [-2.76, -2.785, -2.785, -2.76, -2.86, -2.70375, -2.86], [-2.41417, -2.16417, -2.18917, -2.25792, -2.17667, -2.17667, -2.37667]]], [[[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]], [[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]], [[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]], [[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]], [[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]]]], [[[[[9.22052e-09, 0.000166725, 0.999833, 1.76772e-14, 5.09969e-08], [2.05974e-10, 0.00492252, 0.995078, 2.33128e-12, 2.4746e-08], [1.6878e-11, 1.12066e-05, 0.999989, 3.73597e-12, 4.42676e-08], [7.28063e-07, 0.0190591, 0.979016, 0.00153758, 0.000386823]], [[8.50465e-17, 2.78064e-08, 1, 3.12589e-28, 2.60155e-15], [4.28451e-20, 2.44709e-05, 0.999976, 5.48864e-24, 6.18422e-16], [2.84872e-22, 1.2559e-10, 1, 1.39578e-23, 1.95967e-15], [5.52832e-13, 0.000378844, 0.999619, 2.46565e-06, 1.56056e-07]]], [[[2.57461e-13, 3.99505e-13, 8.43031e-13, 1.79651e-06, 0.999998], [6.26167e-12, 5.67035e-11, 4.68902e-11, 3.03693e-05, 0.99997], [1.15563e-10, 4.34008e-10, 1.57903e-09, 0.000108045, 0.999892], [8.83903e-14, 1.09011e-12, 4.27797e-12, 2.85881e-05, 0.999971]], [[6.62865e-26, 1.59605e-25, 7.10703e-25, 3.22747e-12, 1], [3.92109e-23, 3.21548e-21, 2.19882e-21, 9.22352e-10, 1], [1.33577e-20, 1.88404e-19, 2.49386e-18, 1.16763e-08, 1], [7.81329e-27, 1.18842e-24, 1.8302e-23, 8.17325e-10, 1]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]], [[[[0.999985, 1.53918e-09, 1.05796e-16, 1.48129e-05, 7.64782e-11], [0.904216, 2.18765e-06, 4.82153e-15, 0.0957815, 1.49717e-09], [0.598687, 2.58744e-08, 3.10551e-14, 0.401313, 1.90345e-08], [1.21278e-05, 9.10823e-14, 1.5634e-22, 0.999988, 1.88625e-13]], [[1, 2.36915e-18, 1.11932e-32, 2.19427e-10, 5.84909e-21], [0.988904, 5.78847e-12, 2.81177e-29, 0.0110962, 2.71115e-18], [0.689974, 1.28876e-15, 1.85652e-27, 0.310026, 6.97452e-16], [1.47086e-10, 8.29619e-27, 2.38221e-44, 1, 3.55804e-26]]], [[[7.85281e-29, 9.01563e-30, 1.42043e-31, 3.87599e-42, 1], [8.13182e-34, 5.15543e-34, 2.15447e-36, 0, 1], [2.17686e-38, 5.12161e-39, 7.50185e-41, 0, 1], [2.20149e-38, 1.56775e-38, 1.49625e-40, 0, 1]], [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]], [[[7.32335e-05, 0.00901168, 0.673481, 0.317434, 9.61893e-19], [6.11536e-08, 0.000442081, 0.696818, 0.30274, 3.20094e-31], [6.78074e-11, 1.34812e-05, 0.785666, 0.214321, 2.32616e-43], [3.22369e-13, 1.23761e-06, 0.727544, 0.272455, 0]], [[9.6734e-09, 0.000146478, 0.818107, 0.181747, 1.66883e-36], [6.47907e-15, 3.38589e-07, 0.841215, 0.158785, 0], [6.93277e-21, 2.74037e-10, 0.93074, 0.0692599, 0], [1.72183e-25, 2.53777e-12, 0.877008, 0.122992, 0]]], [[[2.58446e-32, 1.00321e-20, 2.15748e-09, 1, 0], [7.8954e-29, 1.73201e-18, 1.89636e-08, 1, 4.2039e-44], [3.40395e-25, 3.26664e-16, 1.96072e-07, 1, 1.41442e-38], [1.46385e-20, 2.80985e-13, 3.33757e-06, 0.999997, 1.69444e-31]], [[0, 1.00643e-40, 4.65474e-18, 1, 0], [0, 2.99985e-36, 3.59617e-16, 1, 0], [0, 1.06709e-31, 3.84441e-14, 1, 0], [2.14287e-40, 7.89533e-26, 1.11395e-11, 1, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]], [[[[0.842197, 0.00152554, 0.156181, 4.19202e-05, 5.44765e-05], [0.00669443, 0.993211, 7.4561e-06, 7.05295e-05, 1.67439e-05], [0.563475, 0.0824442, 0.00309295, 0.347624, 0.00336397], [7.50892e-07, 3.43783e-06, 1.01167e-13, 0.999996, 2.81584e-09]], [[0.966751, 3.17199e-06, 0.0332461, 2.39515e-09, 4.04487e-09], [4.54281e-05, 0.999955, 5.63535e-11, 5.04242e-09, 2.8419e-10], [0.713228, 0.0152686, 2.14894e-05, 0.271456, 2.54205e-05], [5.63844e-13, 1.18188e-11, 1.02349e-26, 1, 7.92904e-18]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]]]], [
   ["memory not carried", [2.7754, 3.6834], [0.37868, -1.9668]],
   ["not carried, and padding steps", [2.3547, 9.5719], [0.37868, -1.9668]],
   ["padding steps", [3.3177, 8.6125], 0],
   ["padded inputs are 0, but still steps", [8.0748, 5.4853], 0],
   ["one step too many", [4.102, 7.8875], 0],
   ["one step too few", [6.6546, 7.1709], 0],
   ["the first step left out", [5.6763, 2.9035], [-0.11354, 0.26283]],
   ["stored before the step", [0.22934, 1.1354], 0],
   ["the first memory stands in front", [-3.656, -17.969, [3, 6, 4, 7]], 0],
   ["keeps the old one right, but stores the new one", [3.7749, 8.1108], 0],
   ["where the wrong way round", [-1.7124, 12.936], [0.37868, -1.9668]],
   ["0 at padded steps", [6.1408, 7.1234], 0],
   ["the first memory at padded steps", [0.66162, 0.87187], 0],
   ["all stop with the shortest", [0.46075, 4.1936], [0.61107, 0.63293]],
   ["all run as long as the longest", [1.2793, 6.895], 0],
   ["the first length for all", [6.6504, 4.2081], [-0.61837, 5.0774]],
   ["lengths sorted", [9.1589, 4.502], [-0.61837, 5.0774]],
   ["the order of the sequences lost", [0.11234, 6.9537], [1.5207, 4.6165]],
   ["as many steps as the longest", [-1.9301, -0.37066, [3, 4, 4, 7]], [-0.11447, -6.8252, [3, 4, 2, 4, 5]]],
   ["as many steps as sequences", [10.05, -2.9788, [3, 3, 4, 7]], [0.41896, -2.6416, [3, 3, 2, 4, 5]]],
   ["time in front", [2.8186, 7.7163, [5, 3, 4, 7]], [-0.14677, -2.0451, [5, 3, 2, 4, 5]]],
   ["time in front of the memories", [2.8186, 7.7163, [5, 3, 4, 7]], 0],
   ["time in front of the weights", 0, [-0.14677, -2.0451, [5, 3, 2, 4, 5]]],
   ["time behind the slots", [-10.544, 7.0338, [3, 4, 5, 7]], 0],
   ["time in front, then reshaped", [2.8186, 7.7163], [0.95005, 1.4896]],
   ["the memories reshaped, the weights stacked well", [2.8186, 7.7163], 0],
   ["joined instead of stacked", [7.7295, 3.5729, [3, 20, 7]], [-3.4202, 5.5912, [3, 10, 4, 5]]],
   ["the last memory only", [0.3641, 3.788, [3, 4, 7]], 0],
   ["the last memory at each step", [-1.1902, 3.6866], 0],
   ["the first input at each step", [1.4793, 3.6603], [0.78003, -1.176]],
   ["one input behind", [1.582, 0.2606], [1.2981, 2.4789]],
   ["the inputs backwards", [1.9533, -1.4865], [0.96546, 3.7946]],
   ["the inputs of sequence 0 for all", [-6.3492, 4.7818], [1.6499, 3.9268]],
   ["every step is taken twice", [10.709, 5.7673], [1.1164, 0.464]],
   ["the weights from a second call", 0, [0.85715, -1.1525]],
   ["the last weights at each step", 0, [-0.045005, -1.2444]],
   ["the weights of the last step alone", 0, [0.82967, -0.33557, [3, 2, 4, 5]]],
   ["heads averaged", 0, [0.059821, -2.7217, [3, 5, 4, 5]]],
   ["time behind the heads and slots of the weights", 0, [-2.0835, -3.2481, [3, 2, 4, 5, 5]]],
   ["the two results in the wrong order", [0.45183, 8.3506, [3, 5, 2, 4, 5]], [6.1408, 7.1234, [3, 5, 4, 7]]],
   ["returns after the first step", [3.9929, 4.1981, [3, 1, 4, 7]], [0.78797, -4.2264, [3, 1, 2, 4, 5]]],
   ["rounded", [7.8281, 3.5728], 0]]],
  "lengths 3, 5 and 2 in a LongTensor": [["memory", "inputs", "lengths"], [[[[[-2.74667, -1.79667, -3.64667, -3.49667, -1.79667, -1.84667, -2.44667], [-1.51333, -1.26333, -3.26333, -3.21333, -2.06333, -3.21333, -2.46333], [-2.08, -2.13, -1.98, -2.73, -1.58, -2.73, -2.78], [-0.296667, -0.546667, -0.996667, -0.396667, -0.396667, -2.04667, -2.14667]], [[1.54333, 2.01833, 1.09333, 1.16833, 2.01833, 1.99333, 1.69333], [1.87667, 2.00167, 1.00167, 1.02667, 1.60167, 1.02667, 1.40167], [1.31, 1.285, 1.36, 0.985, 1.56, 0.985, 0.96], [1.91833, 1.79333, 1.56833, 1.86833, 1.86833, 1.04333, 0.993333]], [[0.431667, 0.669167, 0.206667, 0.244167, 0.669167, 0.656667, 0.506667], [0.0483333, 0.110833, -0.389167, -0.376667, -0.0891667, -0.376667, -0.189167], [-0.785, -0.7975, -0.76, -0.9475, -0.66, -0.9475, -0.96], [-1.03083, -1.09333, -1.20583, -1.05583, -1.05583, -1.46833, -1.49333]], [[0.431667, 0.669167, 0.206667, 0.244167, 0.669167, 0.656667, 0.506667], [0.0483333, 0.110833, -0.389167, -0.376667, -0.0891667, -0.376667, -0.189167], [-0.785, -0.7975, -0.76, -0.9475, -0.66, -0.9475, -0.96], [-1.03083, -1.09333, -1.20583, -1.05583, -1.05583, -1.46833, -1.49333]], [[0.431667, 0.669167, 0.206667, 0.244167, 0.669167, 0.656667, 0.506667], [0.0483333, 0.110833, -0.389167, -0.376667, -0.0891667, -0.376667, -0.189167], [-0.785, -0.7975, -0.76, -0.9475, -0.66, -0.9475, -0.96], [-1.03083, -1.09333, -1.20583, -1.05583, -1.05583, -1.46833, -1.49333]]], [[[3.78, 2.88, 3.78, 1.98, 2.08, 3.73, 3.73], [3.58, 4.08, 4.28, 2.28, 2.33, 3.53, 2.33], [3.58, 3.38, 3.38, 3.58, 2.78, 4.03, 2.78], [3.18, 5.18, 4.98, 4.43, 5.08, 5.08, 3.48]], [[-2.62667, -3.07667, -2.62667, -3.52667, -3.47667, -2.65167, -2.65167], [-3.24333, -2.99333, -2.89333, -3.89333, -3.86833, -3.26833, -3.86833], [-3.76, -3.86, -3.86, -3.76, -4.16, -3.535, -4.16], [-4.47667, -3.47667, -3.57667, -3.85167, -3.52667, -3.52667, -4.32667]], [[-1.32, -1.545, -1.32, -1.77, -1.745, -1.3325, -1.3325], [-2.445, -2.32, -2.27, -2.77, -2.7575, -2.4575, -2.7575], [-3.52, -3.57, -3.57, -3.52, -3.72, -3.4075, -3.72], [-4.695, -4.195, -4.245, -4.3825, -4.22, -4.22, -4.62]], [[-3.52667, -3.63917, -3.52667, -3.75167, -3.73917, -3.53292, -3.53292], [-3.15583, -3.09333, -3.06833, -3.31833, -3.31208, -3.16208, -3.31208], [-2.76, -2.785, -2.785, -2.76, -2.86, -2.70375, -2.86], [-2.41417, -2.16417, -2.18917, -2.25792, -2.17667, -2.17667, -2.37667]], [[0.0866667, 0.0304167, 0.0866667, -0.0258332, -0.0195832, 0.0835418, 0.0835418], [0.322083, 0.353333, 0.365834, 0.240834, 0.243958, 0.318959, 0.243958], [0.57, 0.5575, 0.5575, 0.57, 0.52, 0.598125, 0.52], [0.792917, 0.917917, 0.905417, 0.871042, 0.911667, 0.911667, 0.811667]]], [[[-1.73667, 0.113333, -0.786667, 0.113333, -1.73667, -1.58667, 0.0133332], [1.09667, 0.346667, 0.996666, 1.14667, -0.853333, -0.803334, 0.496666], [0.28, 1.13, 0.73, 0.73, 1.13, 0.28, 1.58], [1.21333, 1.26333, 3.21333, 3.06333, 2.31333, 3.16333, 3.06333]], [[1.99833, 2.92333, 2.47333, 2.92333, 1.99833, 2.07333, 2.87333], [2.48167, 2.10667, 2.43167, 2.50667, 1.50667, 1.53167, 2.18167], [1.14, 1.565, 1.365, 1.365, 1.565, 1.14, 1.79], [0.673333, 0.698333, 1.67333, 1.59833, 1.22333, 1.64833, 1.59833]], [[1.99833, 2.92333, 2.47333, 2.92333, 1.99833, 2.07333, 2.87333], [2.48167, 2.10667, 2.43167, 2.50667, 1.50667, 1.53167, 2.18167], [1.14, 1.565, 1.365, 1.365, 1.565, 1.14, 1.79], [0.673333, 0.698333, 1.67333, 1.59833, 1.22333, 1.64833, 1.59833]], [[1.99833, 2.92333, 2.47333, 2.92333, 1.99833, 2.07333, 2.87333], [2.48167, 2.10667, 2.43167, 2.50667, 1.50667, 1.53167, 2.18167], [1.14, 1.565, 1.365, 1.365, 1.565, 1.14, 1.79], [0.673333, 0.698333, 1.67333, 1.59833, 1.22333, 1.64833, 1.59833]], [[1.99833, 2.92333, 2.47333, 2.92333, 1.99833, 2.07333, 2.87333], [2.48167, 2.10667, 2.43167, 2.50667, 1.50667, 1.53167, 2.18167], [1.14, 1.565, 1.365, 1.365, 1.565, 1.14, 1.79], [0.673333, 0.698333, 1.67333, 1.59833, 1.22333, 1.64833, 1.59833]]]], [[[[[9.22052e-09, 0.000166725, 0.999833, 1.76772e-14, 5.09969e-08], [2.05974e-10, 0.00492252, 0.995078, 2.33128e-12, 2.4746e-08], [1.6878e-11, 1.12066e-05, 0.999989, 3.73597e-12, 4.42676e-08], [7.28063e-07, 0.0190591, 0.979016, 0.00153758, 0.000386823]], [[8.50465e-17, 2.78064e-08, 1, 3.12589e-28, 2.60155e-15], [4.28451e-20, 2.44709e-05, 0.999976, 5.48864e-24, 6.18422e-16], [2.84872e-22, 1.2559e-10, 1, 1.39578e-23, 1.95967e-15], [5.52832e-13, 0.000378844, 0.999619, 2.46565e-06, 1.56056e-07]]], [[[2.57461e-13, 3.99505e-13, 8.43031e-13, 1.79651e-06, 0.999998], [6.26167e-12, 5.67035e-11, 4.68902e-11, 3.03693e-05, 0.99997], [1.15563e-10, 4.34008e-10, 1.57903e-09, 0.000108045, 0.999892], [8.83903e-14, 1.09011e-12, 4.27797e-12, 2.85881e-05, 0.999971]], [[6.62865e-26, 1.59605e-25, 7.10703e-25, 3.22747e-12, 1], [3.92109e-23, 3.21548e-21, 2.19882e-21, 9.22352e-10, 1], [1.33577e-20, 1.88404e-19, 2.49386e-18, 1.16763e-08, 1], [7.81329e-27, 1.18842e-24, 1.8302e-23, 8.17325e-10, 1]]], [[[0.506932, 0.189844, 0.0742088, 0.228126, 0.000889437], [0.100959, 0.176699, 0.155529, 0.105954, 0.46086], [9.07477e-05, 0.000377859, 0.00135157, 0.000154474, 0.998025], [1.19631e-06, 1.11211e-05, 6.36353e-05, 3.76389e-06, 0.99992]], [[0.733035, 0.102806, 0.0157086, 0.148448, 2.25661e-06], [0.0352416, 0.107954, 0.0836353, 0.0388152, 0.734354], [8.26774e-09, 1.43343e-07, 1.83397e-06, 2.39566e-08, 0.999998], [1.43139e-12, 1.23698e-10, 4.0501e-09, 1.41692e-11, 1]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]], [[[[0.999985, 1.53918e-09, 1.05796e-16, 1.48129e-05, 7.64782e-11], [0.904216, 2.18765e-06, 4.82153e-15, 0.0957815, 1.49717e-09], [0.598687, 2.58744e-08, 3.10551e-14, 0.401313, 1.90345e-08], [1.21278e-05, 9.10823e-14, 1.5634e-22, 0.999988, 1.88625e-13]], [[1, 2.36915e-18, 1.11932e-32, 2.19427e-10, 5.84909e-21], [0.988904, 5.78847e-12, 2.81177e-29, 0.0110962, 2.71115e-18], [0.689974, 1.28876e-15, 1.85652e-27, 0.310026, 6.97452e-16], [1.47086e-10, 8.29619e-27, 2.38221e-44, 1, 3.55804e-26]]], [[[7.85281e-29, 9.01563e-30, 1.42043e-31, 3.87599e-42, 1], [8.13182e-34, 5.15543e-34, 2.15447e-36, 0, 1], [2.17686e-38, 5.12161e-39, 7.50185e-41, 0, 1], [2.20149e-38, 1.56775e-38, 1.49625e-40, 0, 1]], [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]], [[[7.32335e-05, 0.00901168, 0.673481, 0.317434, 9.61893e-19], [6.11536e-08, 0.000442081, 0.696818, 0.30274, 3.20094e-31], [6.78074e-11, 1.34812e-05, 0.785666, 0.214321, 2.32616e-43], [3.22369e-13, 1.23761e-06, 0.727544, 0.272455, 0]], [[9.6734e-09, 0.000146478, 0.818107, 0.181747, 1.66883e-36], [6.47907e-15, 3.38589e-07, 0.841215, 0.158785, 0], [6.93277e-21, 2.74037e-10, 0.93074, 0.0692599, 0], [1.72183e-25, 2.53777e-12, 0.877008, 0.122992, 0]]], [[[2.58446e-32, 1.00321e-20, 2.15748e-09, 1, 0], [7.8954e-29, 1.73201e-18, 1.89636e-08, 1, 4.2039e-44], [3.40395e-25, 3.26664e-16, 1.96072e-07, 1, 1.41442e-38], [1.46385e-20, 2.80985e-13, 3.33757e-06, 0.999997, 1.69444e-31]], [[0, 1.00643e-40, 4.65474e-18, 1, 0], [0, 2.99985e-36, 3.59617e-16, 1, 0], [0, 1.06709e-31, 3.84441e-14, 1, 0], [2.14287e-40, 7.89533e-26, 1.11395e-11, 1, 0]]], [[[0.17157, 0.193122, 0.217967, 0.255418, 0.161923], [0.00172636, 0.00408244, 0.00946893, 0.02909, 0.955632], [2.65567e-06, 1.28535e-05, 6.48225e-05, 0.000520706, 0.999399], [8.42171e-10, 1.02002e-08, 1.28908e-07, 3.55392e-06, 0.999996]], [[0.143103, 0.181315, 0.230967, 0.317153, 0.127463], [3.26005e-06, 1.82307e-05, 9.80768e-05, 0.000925661, 0.998955], [7.06107e-12, 1.65411e-10, 4.20701e-09, 2.71461e-07, 1], [7.09257e-19, 1.04045e-16, 1.66175e-14, 1.26305e-11, 1]]]], [[[[0.842197, 0.00152554, 0.156181, 4.19202e-05, 5.44765e-05], [0.00669443, 0.993211, 7.4561e-06, 7.05295e-05, 1.67439e-05], [0.563475, 0.0824442, 0.00309295, 0.347624, 0.00336397], [7.50892e-07, 3.43783e-06, 1.01167e-13, 0.999996, 2.81584e-09]], [[0.966751, 3.17199e-06, 0.0332461, 2.39515e-09, 4.04487e-09], [4.54281e-05, 0.999955, 5.63535e-11, 5.04242e-09, 2.8419e-10], [0.713228, 0.0152686, 2.14894e-05, 0.271456, 2.54205e-05], [5.63844e-13, 1.18188e-11, 1.02349e-26, 1, 7.92904e-18]]], [[[2.18741e-24, 2.4986e-16, 8.25305e-13, 1, 3.15093e-20], [4.29682e-21, 2.92121e-13, 4.08967e-11, 1, 2.90131e-17], [1.45347e-14, 5.7208e-10, 1.61059e-07, 1, 2.9836e-12], [1.46136e-14, 2.77265e-10, 3.46626e-08, 1, 2.26639e-12]], [[0, 6.24298e-32, 6.81129e-25, 1, 9.92838e-40], [1.84621e-41, 8.53346e-26, 1.67254e-21, 1, 8.41759e-34], [2.11257e-28, 3.27276e-19, 2.59401e-14, 1, 8.90189e-24], [2.13558e-28, 7.68758e-20, 1.2015e-15, 1, 5.13651e-24]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]], [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]]]], []],
  "one sequence, all of its 3 steps": [["memory", "inputs", "lengths"], [[[[[2.325, 1.725], [2.7, 2.95], [1.475, 1.525]], [[-0.5475, -0.8475], [-1.31, -1.185], [-2.8725, -2.8475]], [[-0.75375, -0.90375], [-2.035, -1.9725], [-3.71625, -3.70375]]]], [[[[[0.151966, 0.846537, 2.96387e-07, 0.00149729], [0.0348885, 0.965028, 7.65417e-10, 8.3924e-05], [0.154216, 0.83786, 1.2536e-05, 0.00791177]], [[0.0312193, 0.968778, 1.18754e-13, 3.03069e-06], [0.00130532, 0.998695, 6.28275e-19, 7.55311e-09], [0.0327647, 0.967149, 2.16506e-10, 8.62378e-05]]], [[[0.182492, 0.0526258, 0.344324, 0.420558], [0.0341436, 0.00489249, 0.131772, 0.829192], [6.17869e-05, 6.42953e-07, 0.00125491, 0.998683]], [[0.100462, 0.00835436, 0.357643, 0.53354], [0.00165099, 3.38989e-05, 0.0245909, 0.973724], [3.82769e-09, 4.14479e-13, 1.57895e-06, 0.999998]]], [[[0.0258123, 0.0622152, 0.907614, 0.00435901], [0.000170272, 0.00156369, 0.99826, 5.76346e-06], [1.07284e-07, 6.3686e-06, 0.999994, 3.33505e-10]], [[0.000804369, 0.00467301, 0.9945, 2.29392e-05], [2.90935e-08, 2.45364e-06, 0.999997, 3.33333e-11], [1.151e-14, 4.05596e-11, 1, 1.11227e-19]]]]]], []]}}}


# %% [markdown]
# The folded cells below hold what else the tests use. Run them; you don't need to read them.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "numbers-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def numbers(got):
    """A NumPy array of what came back: a tensor, a list or a tuple."""
    assert got is not None, "you gave back None: does your function end with a return?"
    if isinstance(got, (list, tuple)):
        parts = [numbers(part) for part in got]
        assert len({part.shape for part in parts}) < 2, "you gave back several things, not one"
        return np.array(parts)
    try:
        return np.asarray(got.detach().cpu() if torch.is_tensor(got) else got, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"what came back is no array of numbers\n{problem}") from None


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Stop unless `got` equals `expected`. All numbers stand below the first line of the message."""
    got, expected = numbers(got), numbers(expected)
    assert got.shape == expected.shape, (
        f"{where}, the shape is not right\n{sizes}expected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "two-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def two_of(result, names):
    """The pair, or a sentence that says what should come back."""
    assert result is not None, "it gave back None\ndoes your function end with a return?"
    assert isinstance(result, (tuple, list)) and len(result) == 2, (
        f"what came back is not a pair\ngive back two things: ({names})")
    return result


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some_numbers(start, *shape, dtype=torch.float32):
    """A tensor of numbers between −2 and 2 with one decimal: the same ones for the same start and shape."""
    places = start + np.arange(math.prod(shape))
    return torch.tensor(np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape), dtype=dtype)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-tensors", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def random_tensors(rng, *shapes, dtype=torch.float64):
    """Normal numbers; a table with two axes is divided by the root of its rows, so that products stay near 1."""
    made = [rng.normal(size=shape) / (shape[0] ** 0.5 if len(shape) == 2 else 1) for shape in shapes]
    return [torch.tensor(one, dtype=dtype) for one in made]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_same(given, before):
    """Stop if an input is not what it was."""
    same = (torch.equal(one, other) for one, other in zip(given, before) if torch.is_tensor(one))
    assert all(same), "an input was changed: make new tensors"


# %% [markdown]
# ## What is given, and the way of one step
#
# Three functions are given: cutting rows into heads and back, as in lesson 04, and a *layer norm*. It takes each row by itself, subtracts its mean, and divides by its standard deviation (with $10^{-5}$ added to the variance, so that nothing is divided by 0).

# %% nbgrader={"grade": false, "grade_id": "given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def split_heads(x, num_heads):
    """(batch, rows, d) to (batch, num_heads, rows, depth): each head gets a contiguous slice of every row."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


# %% nbgrader={"grade": false, "grade_id": "given-merge-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
def merge_heads(x):
    """(batch, num_heads, rows, depth) to (batch, rows, d): the heads side by side again."""
    return x.transpose(1, 2).flatten(2)


# %% nbgrader={"grade": false, "grade_id": "given-layer-norm", "locked": true, "schema_version": 3, "solution": false, "task": false}
def layer_norm(rows):
    """Each row to mean 0 and variance 1, without gain or offset."""
    return F.layer_norm(rows, rows.shape[-1:])


# %% [markdown]
# With $M$ for the memory and $x$ for the token, one step of the core is:
#
# | operation | expression | shape, for each sequence | exercise |
# |---|---|---|---|
# | rows look at rows | $A$ = attention with queries from $M$, keys and values from $[M; x]$ | `(slots, d)` | 6.1, 6.2 |
# | each row by itself | $R = \mathrm{norm}(M + A)$, then $\tilde M = \mathrm{norm}(R + \mathrm{MLP}(R))$ | `(slots, d)` | 6.3 |
# | gates | $M' = \sigma(i) \odot \tanh(\tilde M) + \sigma(f + \mathrm{bias}) \odot M$ | `(slots, d)` | 6.4 to 6.6 |
# | the core, over time | all of this, repeated | `(steps, slots, d)` | 6.7 to 6.9 |
#
# $[M; x]$ is the memory with the token as one more row, $\sigma$ is the sigmoid $1/(1 + e^{-s})$, and $\odot$ multiplies number by number. The picture has 3 slots with 4 numbers each. (The gates of 6.4 read the token, too.)

# %% alt="One step as a row of blocks: the memory of 3 slots gives the queries, the memory with the token below it gives keys and values, the weights are a table of 3 rows and 4 columns whose last column is the token, then each row goes through norm and MLP by itself to the candidate, and the gates mix candidate and old memory into the new memory, along an arrow that leads straight from the old one." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
fig, ax = plt.subplots(figsize=(10, 2.8), layout="constrained")


def draw_rows(left, rows, columns, name, token_row=None, token_column=None):
    """A block of cells, its top at 3; the token's row or column is hatched."""
    for i, j in np.ndindex(rows, columns):
        token = i == token_row or j == token_column
        ax.add_patch(plt.Rectangle((left + 0.6 * j, 2.4 - 0.6 * i), 0.6, 0.6, edgecolor="0.4", linewidth=0.8,
                                   facecolor="#fde6c8" if token else "#d6e8f7", hatch="////" if token else ""))
    ax.text(left + 0.3 * columns, 3.25, name, ha="center", va="bottom", fontsize=10)


draw_rows(0, 3, 4, "memory $M$\n(slots, d)")
draw_rows(4, 4, 4, "$[M; x]$\n(slots + 1, d)", token_row=3)
draw_rows(8.6, 3, 4, "weights\n(slots, slots + 1)", token_column=3)
draw_rows(13, 3, 4, "candidate $\\tilde{M}$\n(slots, d)")
draw_rows(17.6, 3, 4, "new memory $M'$\n(slots, d)")
for start, end, label in [(2.6, 3.8, ""), (6.6, 8.4, "6.1\n6.2"), (11.2, 12.8, "6.3"), (15.6, 17.4, "6.4")]:
    ax.annotate("", (end, 2.1), (start, 2.1), arrowprops={"arrowstyle": "->", "linewidth": 1.4})
    ax.text((start + end) / 2, 2.2, label, ha="center", va="bottom", fontsize=10)
ax.plot([1.2, 1.2, 18.8], [1.1, -0.3, -0.3], color="black", linewidth=1.4)
ax.annotate("", (18.8, 1.1), (18.8, -0.3), arrowprops={"arrowstyle": "->", "linewidth": 1.4, "shrinkA": 0})
ax.text(10, -0.2, "what the forget gate lets stay (6.4, 6.6)", ha="center", va="bottom", fontsize=10)
ax.text(6.6, 0.75, "hatched:\nthe token", ha="left", va="center", fontsize=9)
ax.set(xlim=(-0.3, 20.4), ylim=(-0.6, 4.4), aspect="equal")
ax.axis("off")
plt.show()


# %% [markdown]
# ## 6.1 Slots look at slots
#
# **4 points · about 15 minutes · difficulty ●●○**
#
# Every slot asks, and may look at every slot and at the token. So the queries come from the memory alone, and keys and values from the memory with the token as its **last** row. Nothing else is new: it is attention with several heads.
#
# $$\mathrm{weights} = \mathrm{softmax}\!\left(\frac{(M W_q)\,([M; x]\, W_k)^\top}{\sqrt{\mathrm{depth}}} + \mathrm{mask}\right) \qquad A = \mathrm{weights}\; [M; x]\, W_v$$
#
# | operation | expression | shape |
# |---|---|---|
# | the token as a last row | $[M; x]$ | `(batch, slots + 1, d)` |
# | queries, keys, values, in heads | `split_heads` of each product | `(batch, num_heads, slots or slots + 1, depth)` |
# | scores | divided by $\sqrt{\mathrm{depth}}$, plus the mask, if there is one | `(batch, num_heads, slots, slots + 1)` |
# | attention weights | softmax along each row | the same |
# | attended | weights times values, heads merged | `(batch, slots, d)` |
#
# Return `attended, weights`. There is no matrix after the heads, and $M$ is not added here: that comes in 6.3. The mask may block any column, the token's too.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 slots, how many rows do the queries have, and how many the keys? Which of the two numbers is the number of columns of the scores?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `token[:, None]` gives the token an axis of length 1 in the middle, and `torch.cat` with `dim=1` puts tensors below each other. `split_heads`, `merge_heads`, `transpose(-2, -1)`, `@`, `math.sqrt`, and `softmax` with `dim=-1`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Put the token below the memory. Make the queries from the memory, keys and values from the longer table, and cut each into heads. Multiply the queries with the turned keys, divide by the root of the length of a head's rows. Add the mask if there is one. Softmax over the last axis. Mix the values, merge the heads, return both.
# </details>
#
# <details><summary>I get “Tensors must have same number of dimensions: got 3 and 2”</summary>
#
# The memory has an axis for its slots, and the token has none. Give it one of length 1 before you join the two.
# </details>

# %% nbgrader={"grade": false, "grade_id": "memory-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    """Every slot attends to all slots and to the token.

    memory: (batch, slots, d), token: (batch, d), W_q, W_k, W_v: (d, d).
    mask: None or (slots, slots + 1), holding 0 (keep) and -inf (block).
    Returns (attended, weights): (batch, slots, d) and (batch, num_heads, slots, slots + 1),
    the token in the last column. No input is changed.
    """
    ### BEGIN SOLUTION
    rows = torch.cat([memory, token[:, None]], dim=1)
    q = split_heads(memory @ W_q, num_heads)
    k = split_heads(rows @ W_k, num_heads)
    v = split_heads(rows @ W_v, num_heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(dim=-1)
    return merge_heads(weights @ v), weights
    ### END SOLUTION


# %% [markdown]
# The tests use 2 sequences with 3 slots and 2 heads of 4 numbers, then other sizes with a mask, and at last a case that you can do on paper: memory and weight matrices are the identity, and the token is (1, 1).

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "attention-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def attention_inputs(start, batch, slots, d):
    """Memory, token and three weight matrices."""
    shapes = (batch, slots, d), (batch, d), (d, d), (d, d), (d, d)
    memory, token, *matrices = [some_numbers(start + 50 * n, *shape) for n, shape in enumerate(shapes)]
    memory[-1, -1] = 0
    return memory, token, *(matrix / 4 for matrix in matrices)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "slot-mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
I = -math.inf
slot_mask = torch.tensor([[0, I, 0, I, 0], [0, 0, I, 0, I], [I, 0, 0, 0, 0], [0, 0, 0, I, I]])

# %% nbgrader={"grade": true, "grade_id": "memory-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("memory-attention", attended="sequence slot number", weights="sequence head slot column")
first, second = attention_inputs(0, 2, 3, 8), attention_inputs(7, 5, 4, 6)
check("memory-attention", "3 slots, 2 heads of 4 numbers", memory_attention, *first, 2)
check("memory-attention", "4 slots, 3 heads of 2 numbers, with a mask", memory_attention, *second, 3, slot_mask)
check("memory-attention", "one slot, one head", memory_attention, *attention_inputs(3, 2, 1, 4), 1)
eye = torch.eye(2)
check("memory-attention", "the case on paper", memory_attention, eye[None], torch.ones(1, 2), eye, eye, eye, 1)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(601)
for batch, slots, heads, depth, masked in [(2, 5, 3, 4, False), (4, 3, 2, 5, True), (3, 4, 1, 6, True)]:
    d, shut = heads * depth, np.zeros((slots, slots + 1))
    if masked:
        shut[rng.random(shut.shape) < 0.4] = -math.inf
        shut[np.arange(slots), rng.integers(slots + 1, size=slots)] = 0
    for dtype, tolerance in [(torch.float64, 1e-6), (torch.float32, 1e-5)]:
        given = random_tensors(rng, (batch, slots, d), (batch, d), (d, d), (d, d), (d, d), dtype=dtype)
        mask = torch.tensor(shut, dtype=dtype) if masked else None
        before = [one.clone() for one in (*given, torch.tensor(shut, dtype=dtype))]
        M, x, w_q, w_k, w_v = map(numbers, before[:5])
        shares, mixed = np.zeros((batch, heads, slots, slots + 1)), np.zeros((batch, slots, d))
        for b in range(batch):
            rows = [*M[b], x[b]]
            for h in range(heads):
                own = slice(h * depth, (h + 1) * depth)
                for i in range(slots):
                    dots = [math.fsum((M[b, i] @ w_q)[own] * (row @ w_k)[own]) / depth**0.5 for row in rows]
                    grown = np.exp(np.array(dots) + shut[i])
                    shares[b, h, i] = grown / math.fsum(grown)
                    mixed[b, i, own] = sum(s * (row @ w_v)[own] for s, row in zip(shares[b, h, i], rows))
        attended, weights = memory_attention(*given, heads, mask) if masked else memory_attention(*given, heads)
        sizes = f"with {batch=}, {slots=}, {heads=}, {depth=}, {masked=}, "
        check_numbers(weights, shares, "in the weights of a larger memory", tolerance, sizes)
        check_numbers(attended, mixed, "in what slots of a larger memory attend to", tolerance, sizes)
        check_same([*given, mask], before)
### END HIDDEN TESTS

# %% [markdown]
# In the case on paper, slot 0 has the same score with itself and with the token, since both begin with a 1. Predict: if there were ten slots like slot 1, would slot 0 look more or less at the token than now?

# %% tags=["demonstration"]
memory = torch.eye(2)[None]
for others in [1, 10]:
    longer = torch.cat([memory[:, :1], memory[:, 1:].expand(1, others, 2)], dim=1)
    _, weights = memory_attention(longer, torch.ones(1, 2), torch.eye(2), torch.eye(2), torch.eye(2), 1)
    print(f"{others:2} slots beside it: slot 0 gives itself {weights[0, 0, 0, 0]:.3f}, the token {weights[0, 0, 0, -1]:.3f}")


# %% [markdown]
# Less: all of them take their share. The token has no place of its own, it is one column among many. But it is a special one, and the next exercise looks at it alone.

# %% [markdown]
# ## 6.2 The token's share is a gate
#
# **3 points · about 15 minutes · difficulty ●●●**
#
# Here is the same attention in another way. Take one slot that asks. It has scores $s_0 \dots s_{n-1}$ with the slots, and $t$ with the token. First let it attend to the slots alone, as if there were no token. Then mix what it recalled with the token's value, by a **gate** $g$:
#
# $$g = \frac{e^t}{e^t + \sum_j e^{s_j}} = \sigma\Big(t - \ln \sum_j e^{s_j}\Big) \qquad A = (1 - g) \cdot \mathrm{softmax}(s)\, V + g\, v_\mathrm{token}$$
#
# The first equation is only a fraction divided by $e^t$. The logarithm of a sum of exponentials is called *logsumexp*. So attention to memory and input **is** a gate between old and new, and it opens when the token's score is high compared with those of all slots together.
#
# | operation | expression | shape |
# |---|---|---|
# | gate | $\sigma(t - \mathrm{logsumexp}(s))$ | `(…, n_q)` |
# | recalled from the slots | $\mathrm{softmax}(s)\, V$ | `(…, n_q, depth)` |
# | attended | $(1 - g)$ times recalled, plus $g$ times the token's value | `(…, n_q, depth)` |
#
# Here `slot_scores` is `(…, n_q, n)`, for `n_q` slots that ask and `n` that answer, and `token_score` is `(…, n_q)`. They arrive scaled. `slot_values` is `(…, n, depth)`, `token_value` is `(…, depth)`. Any axes may stand in front, also none. Scores may be as large as ±1000, and some, not all, may be −∞.
#
# <details><summary>Hint 1: a question</summary>
#
# The gate has one number for each slot that asks. What it multiplies has `depth` numbers for each. Which axis is missing, and where?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.sigmoid`, `tensor.logsumexp(dim=-1)`, which never overflows, `tensor.softmax(dim=-1)`, `@`. `gate[..., None]` adds an axis at the end, `token_value[..., None, :]` one before the last.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# The gate: the token's score minus the logsumexp of the slots' scores, through a sigmoid. Recall: softmax of the slots' scores times their values. Give the gate an axis at the end, and the token's value one for the slots that ask. Add one minus the gate times the first, and the gate times the second.
# </details>
#
# <details><summary>I get “The size of tensor a must match the size of tensor b”</summary>
#
# Either the gate has no axis for the `depth` numbers, or the token's value has none for the slots that ask. Write the shapes below each other, from the right.
# </details>

# %% nbgrader={"grade": false, "grade_id": "blend", "locked": false, "schema_version": 3, "solution": true, "task": false}
def blend(slot_scores, token_score, slot_values, token_value):
    """Attention to slots and a token, as a gate between the two.

    slot_scores: (..., n_q, n), token_score: (..., n_q), both scaled.
    slot_values: (..., n, depth), token_value: (..., depth).
    Returns (attended, gate): (..., n_q, depth) and (..., n_q). No input is changed.
    """
    ### BEGIN SOLUTION
    gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
    recalled = slot_scores.softmax(dim=-1) @ slot_values
    return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "blend-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def blend_inputs(start, *front, n_q, n, depth, dtype=torch.float32):
    """Scores and values of slots, and of the token."""
    slot_scores, token_score = some_numbers(start, *front, n_q, n, dtype=dtype), some_numbers(start + 90, *front, n_q, dtype=dtype)
    values = some_numbers(start + 30, *front, n, depth, dtype=dtype), some_numbers(start + 60, *front, depth, dtype=dtype)
    return slot_scores, token_score, *values


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "blend-special", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
loud = blend_inputs(4, 2, n_q=3, n=4, depth=2, dtype=torch.float64)
loud = loud[0] * 1000, loud[1] * 1000, *loud[2:]
shut = blend_inputs(5, 3, n_q=2, n=4, depth=5)
shut[0][0, 1, 2] = shut[0][1, 0, :3] = shut[0][2, 1, 0] = -math.inf

# %% nbgrader={"grade": true, "grade_id": "blend-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("blend", attended="sequence slot number", gate="sequence slot")
check("blend", "2 sequences, 3 slots that ask, 4 that answer", blend, *blend_inputs(1, 2, n_q=3, n=4, depth=5))
check("blend", "some slots at −∞", blend, *shut)
check("blend", "scores of ±1000", blend, *loud)
returns("blend", attended="slot number", gate="slot")
check("blend", "no axis in front", blend, *blend_inputs(8, n_q=4, n=3, depth=2))
third = torch.zeros(2, 3), torch.full((2,), math.log(3)), some_numbers(2, 3, 4), some_numbers(9, 4)
check("blend", "three slots at 0 and the token at ln 3, so that it gets one half", blend, *third)
returns("blend", attended="sequence head slot number", gate="sequence head slot")
check("blend", "two axes in front", blend, *blend_inputs(6, 2, 3, n_q=4, n=5, depth=1))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(602)
for front, n_q, n, depth in [((3,), 4, 5, 2), ((2, 3), 5, 4, 6), ((), 3, 6, 4), ((4,), 2, 1, 3)]:
    for dtype, tolerance, size in [(torch.float64, 1e-6, 1), (torch.float32, 1e-5, 1), (torch.float64, 1e-6, 1e3)]:
        shapes = (*front, n_q, n), (*front, n_q), (*front, n, depth), (*front, depth)
        given = [torch.tensor(rng.normal(size=shape), dtype=dtype) for shape in shapes]
        given[:2] = [one * size for one in given[:2]]
        if n > 1:
            given[0][..., 0, 1] = -math.inf
        before = [one.clone() for one in given]
        s, t, values, value = map(numbers, before)
        everything = np.concatenate([s, t[..., None]], axis=-1)
        grown = np.exp(everything - everything.max(axis=-1, keepdims=True))
        shares = grown / grown.sum(axis=-1, keepdims=True)
        rows = np.concatenate([values, value[..., None, :]], axis=-2)
        mixed = np.einsum("...ij,...jk->...ik", shares, rows)
        attended, gate = blend(*given)
        sizes = f"with {front=}, {n_q=}, {n=}, {depth=}, scores near {size}, "
        check_numbers(gate, shares[..., -1], "in the gate, on larger random scores", tolerance, sizes)
        check_numbers(attended, mixed, "in what is attended to, on larger random scores", tolerance, sizes)
        check_same(given, before)
### END HIDDEN TESTS

# %% [markdown]
# Two routes to one thing. The next cell takes the scores apart that 6.1 used, blends them head by head, and compares. Predict: which column of the weights is the gate?

# %% tags=["demonstration"]
memory, token, W_q, W_k, W_v = attention_inputs(11, 2, 3, 8)
attended, weights = memory_attention(memory, token, W_q, W_k, W_v, 2)
q, k, v = (split_heads(memory @ W, 2) for W in (W_q, W_k, W_v))
token_k, token_v = (split_heads(token[:, None] @ W, 2)[:, :, 0] for W in (W_k, W_v))
slot_scores = q @ k.transpose(-2, -1) / 2  # √depth is 2
token_score = (q @ token_k[..., None])[..., 0] / 2
blended, gate = blend(slot_scores, token_score, v, token_v)
print(f"attended differs by {(merge_heads(blended) - attended).abs().max():.0e}")
print(f"gate against the last column: {(gate - weights[..., -1]).abs().max():.0e}")


# %% [markdown]
# The gate is the last column of the weights. Remember the line with $(1-g)$ and $g$: it adds one more thing to an attention that is done already, without looking at it again. Lesson 07 repeats it for one block of keys after the other.

# %% [markdown]
# ## 6.3 Each row by itself
#
# **3 points · about 10 minutes · difficulty ●●○**
#
# What a slot has attended to is added to what it held, and normalised. Then a small network with one hidden layer works on each row, and its result is added and normalised again:
#
# $$R = \mathrm{norm}(M + A) \qquad \tilde M = \mathrm{norm}\big(R + \mathrm{relu}(R\,W_1 + b_1)\,W_2 + b_2\big)$$
#
# Adding to what was there is called a *residual connection*: the row stays, and only the change has to be computed. $\tilde M$ is the **candidate** for the new memory. Between 6.1 and the end of the step no slot sees another one, so norm and network must work on each row by itself.
#
# | operation | expression | shape |
# |---|---|---|
# | residual and norm | $R = \mathrm{norm}(M + A)$ | `(batch, slots, d)` |
# | hidden layer | $\mathrm{relu}(R W_1 + b_1)$ | `(batch, slots, hidden)` |
# | back to the width of a slot | times $W_2$, plus $b_2$ | `(batch, slots, d)` |
# | residual and norm | $\mathrm{norm}(R + \dots)$ | `(batch, slots, d)` |
#
# <details><summary>Hint 1: a question</summary>
#
# The second residual adds something to the result of the network. Is it $M$, $M + A$, or the row that went into the network?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The given `layer_norm`, `torch.relu`, `@` and `+`: a bias of shape `(hidden,)` is added to every row.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Add what was attended to the memory and normalise: these rows are used twice. Send them through the first matrix, add its bias, relu. Send that through the second, add its bias, and add the rows. Normalise.
# </details>

# %% nbgrader={"grade": false, "grade_id": "update-rows", "locked": false, "schema_version": 3, "solution": true, "task": false}
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    """The candidate for the new memory: residual, norm and a small
    network, each row by itself.

    memory, attended: (batch, slots, d), W_1: (d, hidden), b_1: (hidden,),
    W_2: (hidden, d), b_2: (d,).
    Returns (batch, slots, d). No input is changed.
    """
    ### BEGIN SOLUTION
    rows = layer_norm(memory + attended)
    return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "row-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def row_inputs(start, batch, slots, d, hidden):
    """Memory, what was attended to, and the matrices and biases of a network."""
    shapes = (batch, slots, d), (batch, slots, d), (d, hidden), (hidden,), (hidden, d), (d,)
    return [some_numbers(start + 40 * n, *shape) for n, shape in enumerate(shapes)]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "quiet-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def quiet_inputs(start, *sizes):
    """The same, but memory and attended add up to numbers near 0, and to 0 in the first row."""
    memory, attended, *network = row_inputs(start, *sizes)
    memory[0, 0] = 0
    return [memory, -0.99 * memory, *network]


# %% nbgrader={"grade": true, "grade_id": "update-rows-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("update-rows", candidate="sequence slot number")
check("update-rows", "2 sequences, 3 slots of 5 numbers, hidden 4", update_rows, *row_inputs(0, 2, 3, 5, 4))
check("update-rows", "all sizes 3", update_rows, *row_inputs(3, 3, 3, 3, 3))
check("update-rows", "4 sequences, 2 slots of 6 numbers, hidden 7", update_rows, *row_inputs(5, 4, 2, 6, 7))
check("update-rows", "sums near 0", update_rows, *quiet_inputs(1, 2, 3, 4, 5))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(603)
for batch, slots, d, hidden in [(3, 4, 6, 5), (2, 5, 4, 9), (4, 1, 7, 3)]:
    for dtype, tolerance in [(torch.float64, 1e-6), (torch.float32, 2e-5)]:
        shapes = (batch, slots, d), (batch, slots, d), (d, hidden), (hidden,), (hidden, d), (d,)
        given = random_tensors(rng, *shapes, dtype=dtype)
        before = [one.clone() for one in given]
        M, A, w_1, c_1, w_2, c_2 = map(numbers, before)
        expected = np.zeros((batch, slots, d))
        for b, s in np.ndindex(batch, slots):
            row = M[b, s] + A[b, s]
            row = (row - row.mean()) / math.sqrt(((row - row.mean()) ** 2).mean() + 1e-5)
            made = row + np.maximum(row @ w_1 + c_1, 0) @ w_2 + c_2
            expected[b, s] = (made - made.mean()) / math.sqrt(((made - made.mean()) ** 2).mean() + 1e-5)
        sizes = f"with {batch=}, {slots=}, {d=}, {hidden=}, "
        check_numbers(update_rows(*given), expected, "in the candidate for a larger memory", tolerance, sizes)
        check_same(given, before)
### END HIDDEN TESTS

# %% [markdown]
# A check without a reference. Change slot 2 alone. Predict: which rows of the candidate move?

# %% tags=["demonstration"]
inputs = row_inputs(9, 1, 4, 6, 8)
changed = [inputs[0].clone(), *inputs[1:]]
changed[0][0, 2] += torch.arange(6.0)
moved = (update_rows(*changed) - update_rows(*inputs)).abs().amax(dim=-1)[0]
print("largest change of each row:", [round(one, 4) for one in moved.tolist()])


# %% [markdown]
# ## 6.4 Gates: what is written, what stays
#
# **4 points · about 15 minutes · difficulty ●●●**
#
# The candidate doesn't replace the memory. Two gates decide, number by number: the **input gate** how much of the candidate is written, the **forget gate** how much of the old memory stays.
#
# Both are sums of three parts: the token's, $x W$, the same for every slot; the old memory's, $\tanh(M)\, U$, each slot its own; and a bias $b$. $W$ and $U$ are `(d, 2d)`: columns 0 to $d-1$ of the sum are the input gate $i$, columns $d$ to $2d-1$ the forget gate $f$. Then
#
# $$M' = \sigma(i) \odot \tanh(\tilde M) + \sigma(f + \mathrm{forget\ bias}) \odot M$$
#
# | operation | expression | shape |
# |---|---|---|
# | both gates' sums | $x W + \tanh(M)\, U + b$ | `(batch, slots, 2d)` |
# | input gate, forget gate | the first half, the second half | `(batch, slots, d)` each |
# | written | $\sigma(i) \odot \tanh(\tilde M)$ | `(batch, slots, d)` |
# | kept | $\sigma(f + \mathrm{forget\ bias}) \odot M$ | `(batch, slots, d)` |
#
# Two things are easily mixed up. The gates read the **old** memory, through tanh. And the memory that is kept is $M$ itself, without tanh. The forget bias is a plain number that is added to $f$ alone.
#
# This is the LSTM's rule, for each slot. We follow the code that was published with the paper, but for three things: there is no output gate, no gain in the norms, and the token doesn't ask in 6.1. (In that code it asks as well, and what it gets is dropped.) $b$ is learned; the forget bias is set once, so that a fresh memory begins by keeping.
#
# <details><summary>Hint 1: a question</summary>
#
# $x W$ is `(batch, 2d)`, and $\tanh(M) U$ is `(batch, slots, 2d)`. Where does the first need an axis of length 1, so that each sequence gets its own token in all of its slots?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.tanh`, `torch.sigmoid`, `[:, None]`. `tensor.chunk(2, dim=-1)` cuts the last axis into two halves.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Token times W, with an axis for the slots. Tanh of the memory, times U. Add both and the bias. Cut the last axis into two halves, input gate first. Sigmoid of the first, times tanh of the candidate. Add the forget bias to the second, sigmoid, times the memory as it is. Return the sum.
# </details>
#
# <details><summary>I get “The size of tensor a must match the size of tensor b”, or no error and wrong numbers</summary>
#
# Without an axis for the slots, the token's part is `(batch, 2d)`, and its batch stands under the slots. With as many slots as sequences no error comes: slot 1 gets the token of sequence 1.
# </details>

# %% nbgrader={"grade": false, "grade_id": "gated-memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    """The new memory: what the input gate lets in, and what the forget gate lets stay.

    memory, candidate: (batch, slots, d), token: (batch, d), W, U: (d, 2d), b: (2d,).
    Columns 0 to d-1 of W, U and b belong to the input gate, the others to the forget gate.
    Returns (batch, slots, d). No input is changed.
    """
    ### BEGIN SOLUTION
    gates = (token @ W)[:, None] + torch.tanh(memory) @ U + b
    i, f = gates.chunk(2, dim=-1)
    return torch.sigmoid(i) * torch.tanh(candidate) + torch.sigmoid(f + forget_bias) * memory
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "gate-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def gate_inputs(start, batch, slots, d):
    """Memory, candidate, token, W, U and b."""
    shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
    memory, candidate, token, W, U, b = [some_numbers(start + 60 * n, *shape) for n, shape in enumerate(shapes)]
    memory[-1, -1] = 0
    return memory, candidate, token, W / 2, U, b


# %% nbgrader={"grade": true, "grade_id": "gated-memory-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("gated-memory", memory="sequence slot number")
check("gated-memory", "3 sequences, 3 slots of 2 numbers", gated_memory, *gate_inputs(0, 3, 3, 2), -0.5)
check("gated-memory", "with the default forget bias", gated_memory, *gate_inputs(7, 2, 3, 4))
check("gated-memory", "2 sequences, 4 slots of 3 numbers", gated_memory, *gate_inputs(2, 2, 4, 3), forget_bias=2.0)
check("gated-memory", "one slot of one number", gated_memory, *gate_inputs(5, 2, 1, 1))
### BEGIN HIDDEN TESTS
def slow_gates(M, candidate, x, w, u, c, bias):
    made, d = np.zeros(M.shape), M.shape[-1]
    for s, t, n in np.ndindex(M.shape):
        i, f = (math.fsum(x[s] * w[:, k]) + math.fsum(np.tanh(M[s, t]) * u[:, k]) + c[k] for k in (n, n + d))
        made[s, t, n] = math.tanh(candidate[s, t, n]) / (1 + math.exp(-i)) + M[s, t, n] / (1 + math.exp(-f - bias))
    return made


rng = np.random.default_rng(604)
for batch, slots, d, bias in [(2, 5, 3, 1.0), (4, 3, 6, -1.5), (3, 3, 3, 0.25)]:
    for dtype, tolerance in [(torch.float64, 1e-6), (torch.float32, 1e-5)]:
        shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
        given = random_tensors(rng, *shapes, dtype=dtype)
        before = [one.clone() for one in given]
        got = gated_memory(*given) if bias == 1 else gated_memory(*given, forget_bias=bias)
        sizes = f"with {batch=}, {slots=}, {d=}, forget bias {bias}, "
        expected = slow_gates(*map(numbers, before), bias)
        check_numbers(got, expected, "in the new memory, on larger random tables", tolerance, sizes)
        check_same(given, before)
### END HIDDEN TESTS

# %% [markdown]
# ## 6.5 Catch the bug
#
# **3 points · about 20 minutes · difficulty ●●●**
#
# Gates go wrong in many ways, and all of them have the right shape. So the roles turn, as in 3.8. Somebody hands you a function and claims that it is `gated_memory`. You can't read it, only call it. Write the test: `check_gates(candidate)` returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | how to call it | with the seven arguments of 6.4, all by position: the forget bias is always passed |
# | a legal input | tensors of float32 or float64, any sizes from 1 on, ordinary numbers |
# | a right candidate | gives the numbers of 6.4 up to rounding, 1e-5 at most, and changes no input |
# | a wrong candidate | gives other numbers on ordinary input, by more than 1e-3, or an error, or changes what it was given |
# | how close is right? | compare to about 1e-4, not exactly |
#
# Your test is run on a hidden panel. If it rejects one right candidate, it gets nothing. Otherwise it gets one point for each full third of the 12 wrong ones that it catches. Your test is called about sixty times, in an order that nobody knows, and each candidate comes several times. If your test gives back `None` or stops with an error, it has decided nothing.
#
# <details><summary>Hint 1: a question</summary>
#
# Go through what is easily mixed up in 6.4. Which input shows it? With one sequence, or with a forget bias of 1, which mistakes stay hidden?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call. `torch.allclose(a, b, atol=...)` after a look at the shape. `tensor.clone()` before the call, and `torch.equal` after it. `torch.Generator().manual_seed(0)` or fixed numbers make inputs.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make one or two inputs with more than one sequence and slot, biases that aren't 0, and a forget bias that isn't 1. Compute what is right. Copy the inputs, call the candidate, and compare what comes back, shape first. Then compare the inputs with their copies. An exception or any difference: False. If nothing was found: True.
# </details>
#
# <details><summary>My test rejects a right one</summary>
#
# Do you compare exactly? Is each input legal? Did an earlier candidate change your tensors, since you made them only once?
# </details>

# %% builds_on=["gated-memory"] nbgrader={"grade": false, "grade_id": "check-gates", "locked": false, "schema_version": 3, "solution": true, "task": false}
def check_gates(candidate):
    """Is `candidate`, called with the seven arguments of 6.4 by
    position, a right gated_memory?

    Returns True or False. It raises nothing, whatever the candidate does.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    batch, slots, d, bias = 3, 4, 2, -0.5
    shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
    given = [torch.tensor(rng.normal(size=shape)) for shape in shapes]
    memory, new, token, W, U, b = before = [one.clone() for one in given]
    gates = torch.einsum("bd,de->be", token, W)[:, None] + torch.einsum("bsd,de->bse", torch.tanh(memory), U) + b
    keep = torch.sigmoid(gates[..., d:] + bias) * memory
    expected = torch.sigmoid(gates[..., :d]) * torch.tanh(new) + keep
    try:
        got = candidate(*given, bias)
        close = got.shape == expected.shape and torch.allclose(got.double(), expected, atol=1e-4)
    except Exception:
        return False
    return bool(close) and all(torch.equal(one, other) for one, other in zip(given, before))
    ### END SOLUTION


# %% [markdown]
# Practise on functions made from your own 6.4. The top line should say True, the others False.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "verdict-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def verdict_of(candidate):
    """What your test says of a candidate, or the error that it stopped with."""
    try:
        return check_gates(candidate)
    except Exception as error:
        return repr(error)


# %% tags=["demonstration"]
own = gated_memory
practice = {
    "6.4 itself": own,
    "the candidate's numbers in the gates": lambda m, c, x, W, U, b, bias: own(c, c, x, W, U, b, bias),
    "forget bias always 1": lambda m, c, x, W, U, b, bias: own(m, c, x, W, U, b, 1.0),
    "the bias b left out": lambda m, c, x, W, U, b, bias: own(m, c, x, W, U, 0 * b, bias),
    "sequence 0's token for all": lambda m, c, x, W, U, b, bias: own(m, c, 0 * x + x[:1], W, U, b, bias),
    "an error for float64": lambda m, c, x, W, U, b, bias: own(m, c, x.float(), W, U, b, bias),
    "right, but halves its input": lambda m, c, x, W, U, b, bias: (own(m, c, x, W, U, b, bias), m.div_(2))[0],
}
for name, candidate in practice.items():
    print(f"{name:38}", verdict_of(candidate))


# %% [markdown]
# The points come in three cells of one point each. What you can run here shows only whether your test gives back True or False, refuses a function that gives nothing but zeros, and accepts your own `gated_memory`, if that passes its test. Silence in the other two cells means nothing: the panel is hidden, and it decides.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "own-gates", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def decided(candidate, what):
    """The verdict of your test on a candidate, or a message if there is none."""
    try:
        verdict = check_gates(candidate)
    except Exception as error:
        raise AssertionError(
            f"{what}: your test stopped with {type(error).__name__}: {error}\nA test decides and never stops: "
            "put the candidate into try; or is it a line of your own?") from error
    assert verdict is not None, (
        f"{what}: your test gave back None\nEvery way through your test must end with return True or return False.")
    assert isinstance(verdict, (bool, np.bool_)), (
        f"{what}: your test gave back neither True nor False\nEvery way through it must end with one of them.")
    return verdict


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "passes-own", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def passes_own():
    """Whether your function of 6.4 passes its test."""
    returns("gated-memory", memory="sequence slot number")
    try:
        check("gated-memory", "3 sequences, 3 slots of 2 numbers", gated_memory, *gate_inputs(0, 3, 3, 2), -0.5)
        check("gated-memory", "with the default forget bias", gated_memory, *gate_inputs(7, 2, 3, 4))
        check("gated-memory", "2 sequences, 4 slots of 3 numbers", gated_memory, *gate_inputs(2, 2, 4, 3), forget_bias=2.0)
        check("gated-memory", "one slot of one number", gated_memory, *gate_inputs(5, 2, 1, 1))
    except AssertionError:
        return False
    return True


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "rounded", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def rounded(*seven):
    """Your function of 6.4, rounded otherwise."""
    return gated_memory(*seven) * (1 + 1e-6)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "accepts-own", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def accepts_own():
    """Stop if your own function of 6.4 passes its test, and your test refuses it."""
    stops, sizes = [], ["nothing"]

    def noted(*seven, **named):
        sizes[0] = ", ".join(str(tuple(one.shape)) for one in seven if torch.is_tensor(one))
        if named or len(seven) != 7:
            stops.append(f"your test called it with {len(seven)} arguments by position and {len(named)} by name\n"
                         "Pass all seven by position, also the forget bias: a candidate may have other names.")
            raise TypeError("a candidate takes seven arguments, all by position")
        try:
            return gated_memory(*seven)
        except Exception as error:
            stops.append(f"at your input with the sizes {sizes[0]} it stops with {type(error).__name__}: {error}\n"
                         "Is this input legal? memory, candidate, token, W, U, b, and the forget bias, in this order.")
            raise

    if passes_own():
        assert decided(noted, "your function of 6.4"), (
            f"your test refuses your function of 6.4, and the last input had the sizes {sizes[0]}\n" + (stops + [
                "It passes its test: are your own numbers right there, with both tanh, b and the forget bias, and is "
                "the first half the input gate?"])[0])
        assert decided(rounded, "your function of 6.4, rounded otherwise"), (
            "your test refuses your function of 6.4, rounded otherwise\n"
            "Another order of sums rounds differently: compare to about 1e-4, with torch.allclose.")


# %% nbgrader={"grade": true, "grade_id": "check-gates-first-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
caught = []
assert not decided(lambda m, *others: 0 * m, "a function that gives nothing but zeros"), (
    "your test accepts a function that gives nothing but zeros\n"
    "Compare the numbers that come back with your own, and return False where they differ.")
accepts_own()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def gated(memory, candidate, token, W, U, b, forget_bias):
        n, seen, d = slip, torch.tanh(memory), memory.shape[-1]
        seen = {"memory as it is": memory, "reads the candidate": torch.tanh(candidate),
                "mean slot": seen.mean(dim=1, keepdim=True) + 0 * seen}.get(n, seen)
        word = token[:1] + 0 * token if n == "first token" else token * (n != "no token")
        sums = (word @ W)[:, None] + seen @ U + b * (n != "no b")
        i, f = (sums[..., d:], sums[..., :d]) if n == "swapped" else (sums[..., :d], sums[..., d:])
        i = torch.sigmoid(i + forget_bias if n == "bias on both" else i)
        f = torch.sigmoid(f + (1 if n == "always 1" else forget_bias))
        i = 1 - f if n == "coupled" else i
        made = i * (candidate if n == "candidate as it is" else torch.tanh(candidate)) + f * memory
        if n == "overwrites":
            memory.copy_(made)
        return forms[form](made)
    return gated
forms = {"plain": lambda made: made, "rounded up": lambda made: made * (1 + 5e-6), "rounded down": lambda made: made - 4e-6,
         "in another order in memory": lambda made: made.transpose(1, 2).contiguous().transpose(1, 2)}
slips = ["swapped", "bias on both", "always 1", "candidate as it is", "memory as it is", "reads the candidate",
         "coupled", "no b", "no token", "mean slot", "first token", "overwrites"]
# In an order that nobody knows; every slip as often as no slip, so that no count tells them apart.
panel, said = [(slip, form) for slip in ["", *slips] for form in forms], {}
for at in np.random.default_rng(globals().get("course_secret", 0)).permutation(len(panel)):
    verdict = verdict_of(candidate_with(*panel[at]))
    said[panel[at]] = bool(verdict) if isinstance(verdict, (bool, np.bool_)) else "nothing"
refused = [form for form in forms if said["", form] is not True]
assert not refused, f"your test rejects a right candidate\nthe one that is {', '.join(refused)}"
caught = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
assert len(caught) >= 4, f"your test catches less than a third of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-gates-second-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# Two thirds of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(lambda m, *others: 0 * m) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 8, f"your test catches less than two thirds of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-gates-last-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# All of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(lambda m, *others: 0 * m) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) == 12, f"your test does not catch all of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% [markdown]
# ## 6.6 How long does a slot remember?
#
# **2 points · about 10 minutes · difficulty ●●○**
#
# Suppose that nothing is written, the input gate being shut, and that the forget gate's sum is 0 but for the forget bias. Then each step multiplies the memory by $\sigma(\mathrm{bias})$, and after $n$ steps the share $\sigma(\mathrm{bias})^n$ is left.
#
# Guess first: with the usual bias of 1, how much is left after 10 steps? Half, a tenth, or a twentieth? Write it down.

# %% [markdown]
# *My guess (double-click here to write):*

# %% [markdown]
# Now turn it round: which bias keeps the share `kept` over `steps` steps?
#
# $$\sigma(\mathrm{bias})^{\mathrm{steps}} = \mathrm{kept}$$
#
# | operation | expression | result |
# |---|---|---|
# | what one step must keep | the root of `kept`, of degree `steps` | a number from 0 to 1 |
# | the bias whose sigmoid that is | the sigmoid, solved for its argument | any number |
#
# `kept` lies between 0 and 1, both excluded, and `steps` is a whole number from 1 on. Give back a plain float, right to $10^{-6}$ for up to 1000 steps.
#
# <details><summary>Hint 1: a question</summary>
#
# $g = 1/(1 + e^{-b})$. What is $(1 - g)/g$, and how do you get $b$ out of it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `**` takes any power, also one that isn't whole. `math.log` is the natural logarithm. `math.expm1` and `math.log1p` are there if you like them, but they aren't needed.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take the root of the share that is kept: the power with one over the steps. Divide it by what is missing to 1. The logarithm of that is the bias.
# </details>

# %% nbgrader={"grade": false, "grade_id": "forget-bias-for", "locked": false, "schema_version": 3, "solution": true, "task": false}
def forget_bias_for(steps, kept):
    """The forget bias with which the share `kept` of a slot is left after `steps` steps.

    steps: an integer from 1 on, kept: between 0 and 1.
    Nothing is written meanwhile. Returns a float.
    """
    ### BEGIN SOLUTION
    gate = kept ** (1 / steps)
    return math.log(gate / (1 - gate))
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "biases", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def biases(*cases):
    """What your function gives for some pairs of steps and kept."""
    found = [forget_bias_for(steps, kept) for steps, kept in cases]
    assert None not in found, "it gave back None\ndoes your function end with a return?"
    return found


# %% nbgrader={"grade": true, "grade_id": "forget-bias-for-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("forget-bias-for", bias="case")
check("forget-bias-for", "(steps, kept) of (10, 0.5), (3, 0.8) and (7, 0.1)", biases, (10, 0.5), (3, 0.8), (7, 0.1))
check("forget-bias-for", "one step, which keeps 0.5 and 0.2", biases, (1, 0.5), (1, 0.2))
check("forget-bias-for", "100 and 1000 steps", biases, (100, 0.5), (1000, 0.9999), (1000, 0.01))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(606)
for steps, kept in [(2, 0.3), (5, 0.95), (12, 0.02), (1, 0.001), (365, 0.6), (1000, 0.999), *zip(
        rng.integers(1, 1000, size=6).tolist(), rng.uniform(0.01, 0.99, size=6).tolist())]:
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        less = -steps * math.log1p(math.exp(-middle)) < math.log(kept)
        low, high = (middle, high) if less else (low, middle)
    check_numbers(forget_bias_for(steps, kept), low, "for other steps and shares", 1e-6, f"with {steps=}, {kept=}, ")
### END HIDDEN TESTS

# %% [markdown]
# With a bias of 1, $\sigma(1)^{10} = 0.0436$: a twentieth. Is this also what your gates do? The next cell runs 6.4 with a shut input gate, ten times for each bias, and draws both.

# %% alt="The share of a slot that is left over ten steps for four forget biases, dots from running the gates on lines from the formula: with bias 0 it is almost nothing after five steps, with bias 1 it is 0.04 after ten, with 2.63 one half, and with 4.55 nine tenths." tags=["demonstration"]
shut_gate = torch.tensor([-100.0, 0.0])  # b: the input gate, then the forget gate
nothing, zero = torch.zeros(1, 1, 1), torch.zeros(1, 2)
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
for bias, marker in [(forget_bias_for(10, 0.9), "D"), (forget_bias_for(10, 0.5), "^"), (1.0, "s"), (0.0, "o")]:
    memory, left = torch.ones(1, 1, 1), [1.0]
    for _ in range(10):
        memory = gated_memory(memory, nothing, nothing[0], zero, zero, shut_gate, bias)
        left.append(float(memory))
    ax.plot(range(11), left, marker, label=f"bias {bias:.2f}")
    ax.plot(range(11), [(1 / (1 + math.exp(-bias))) ** n for n in range(11)], "0.6", zorder=0)
ax.set(xlabel="steps", ylabel="share that is left", ylim=(0, 1.05))
ax.legend()
plt.show()


# %% [markdown]
# The dots lie on the lines. And note what a higher share costs: from a twentieth to one half after ten steps the bias rises by 1.6, from one half to nine tenths by another 1.9. What a memory should hold for a hundred steps needs a gate that is nearly open all the time.

# %% [markdown]
# ## 6.7 The core
#
# **4 points · about 20 minutes · difficulty ●●●**
#
# Now put one step into a module. Its input `x`, `(batch, input_size)`, is not yet as wide as a slot: a linear layer makes the token of it. Then 6.1, 6.3 and 6.4 follow each other.
#
# | operation | layers | shape |
# |---|---|---|
# | token | `project`: input_size → d | `(batch, d)` |
# | slots look at slots and token | `q`, `k`, `v`: d → d, **without bias** | `(batch, slots, d)`, and the weights |
# | each row by itself | `mlp_in`: d → hidden, `mlp_out`: hidden → d | `(batch, slots, d)` |
# | gates | `gate_token`: d → 2d, `gate_memory`: d → 2d **without bias** | `(batch, slots, d)` |
#
# The bias of `gate_token` is $b$. Use exactly these names, and nothing else that shows in `state_dict()`. `nn.Linear` keeps its `weight` as `(out, in)`, so your functions take `weight.T`. If you call the layers, the products come out right by themselves.
#
# `linked=False` makes another memory of the same layers: **each slot may look at itself and at the token only**, and all other slots are blocked. It is the control for the experiment at the end.
#
# The number of slots is the memory's: the module isn't told, and works with any. Nothing is kept from one call to the next. The constructor raises a `ValueError` whose text contains d and num_heads, such as 6 and 4, if `num_heads` does not divide `d`.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 slots and `linked=False`, which cells of the 3 × 4 table of weights may be more than 0? Write the mask down.
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(a, b)` and `nn.Linear(a, b, bias=False)`. Your functions of 6.1, 6.3 and 6.4. `torch.eye(n)`, `torch.full`, `masked_fill` and `torch.cat` or `torch.zeros` for the mask: a diagonal of 0, −∞ beside it, and a last column of 0.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: check that the sizes divide, keep num_heads, the forget bias and linked, make the eight layers. In `forward`: project x. If the slots are not linked, make the mask. Attend, with the three turned weight matrices. Update the rows. Gate with the old memory, the candidate and the token. Return the new memory and the weights.
# </details>
#
# <details><summary>I get “mat1 and mat2 shapes cannot be multiplied”, or “… must match the size of …”</summary>
#
# `nn.Linear` keeps (out, in), your functions want (in, out): `weight.T`. With `(d, d)` no error comes, and the numbers are wrong.
# </details>
#
# <details><summary>I get NaN with linked=False</summary>
#
# Some row of the mask is −∞ everywhere, or 0 times −∞ was computed: fill cells, don't multiply by infinity.
# </details>

# %% builds_on=["memory-attention", "update-rows", "gated-memory"] nbgrader={"grade": false, "grade_id": "relational-memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RelationalMemory(nn.Module):
    """One step of a memory whose slots attend to each other and to the input.

    It raises a ValueError with d and num_heads in it if num_heads does not divide d.
    forward(memory, x): memory (batch, slots, d), x (batch, input_size).
      Returns (memory, weights): (batch, slots, d) and (batch, num_heads, slots, slots + 1).
      With linked=False a slot sees itself and the token only. No input is changed.
    """

    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        ### BEGIN SOLUTION
        if d % num_heads:
            raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
        self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        self.project = nn.Linear(input_size, d)
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
        self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
        ### END SOLUTION

    def forward(self, memory, x):
        ### BEGIN SOLUTION
        token, mask = self.project(x), None  # [batch, d]
        if not self.linked:
            slots = memory.shape[1]
            alone = torch.full((slots, slots), -math.inf).fill_diagonal_(0)  # [slots, slots]
            mask = torch.cat([alone, torch.zeros(slots, 1)], dim=1).to(memory)  # [slots, slots + 1]
        attended, weights = memory_attention(
            memory, token, self.q.weight.T, self.k.weight.T, self.v.weight.T, self.num_heads, mask
        )  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
        candidate = update_rows(
            memory, attended, self.mlp_in.weight.T, self.mlp_in.bias, self.mlp_out.weight.T, self.mlp_out.bias
        )  # [batch, slots, d]
        memory = gated_memory(
            memory, candidate, token, self.gate_token.weight.T, self.gate_memory.weight.T, self.gate_token.bias,
            self.forget_bias
        )  # [batch, slots, d]
        return memory, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: linked slots (2 points).** The tests load weight matrices and biases of their own into your layers.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "core-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def core_weights(start, input_size, d, hidden):
    """Numbers for all layers, by their names in state_dict()."""
    shapes = {"project.weight": (d, input_size), "project.bias": (d,), "q.weight": (d, d), "k.weight": (d, d),
              "v.weight": (d, d), "mlp_in.weight": (hidden, d), "mlp_in.bias": (hidden,), "mlp_out.weight": (d, hidden),
              "mlp_out.bias": (d,), "gate_token.weight": (2 * d, d), "gate_token.bias": (2 * d,),
              "gate_memory.weight": (2 * d, d)}
    return {name: some_numbers(start + 37 * n, *shape) / 2 for n, (name, shape) in enumerate(shapes.items())}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "core-with", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def core_with(weights, *sizes, **options):
    """A new core of yours with these numbers in its layers."""
    core = RelationalMemory(*sizes, **options)
    own = {name: tuple(value.shape) for name, value in core.state_dict().items()}
    missing, extra = sorted(set(weights) - set(own)), sorted(set(own) - set(weights))
    assert not missing, (
        f"state_dict() has no {', '.join(missing)}\nname the layers as asked, keep them as self.…, with or without "
        "bias as the table says")
    assert not extra, (
        f"state_dict() also holds {', '.join(extra)}\nleave out other layers and parameters, and take bias=False where "
        "the table says so")
    for name, value in weights.items():
        assert own[name] == tuple(value.shape), (
            f"{name} has the shape {own[name]} and should have {tuple(value.shape)}\n"
            "nn.Linear takes how many numbers come in, then how many go out")
    core.load_state_dict({name: value.clone() for name, value in weights.items()})
    return core


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "step-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def step_of(memory, x, weights, input_size, d, num_heads, hidden, **options):
    """What one step of your core gives, if it gives the same twice."""
    core = core_with(weights, input_size, d, num_heads, hidden, **options)
    first = two_of(core(memory.clone(), x.clone()), "memory, weights")
    again = two_of(core(memory, x), "memory, weights")
    same = all(np.array_equal(numbers(one), numbers(other), equal_nan=True) for one, other in zip(first, again))
    assert same, "a second call with the same input gives other numbers\nkeep nothing on self in forward, and draw nothing"
    return again


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "core-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def core_inputs(start, batch, slots, d, input_size):
    """A memory and an input."""
    return some_numbers(start, batch, slots, d), some_numbers(start + 20, batch, input_size)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-core", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_core(right, cases, seed, linked):
    """Stop unless two calls of your core give what `right` gives, for random numbers of these sizes."""
    rng = np.random.default_rng(seed)
    for batch, slots, d, heads, size, hidden, bias in cases:
        weights = {name: random_tensors(rng, value.shape, dtype=torch.float32)[0] * 0.8
                   for name, value in core_weights(0, size, d, hidden).items()}
        given = random_tensors(rng, (batch, slots, d), dtype=torch.float32) + [
            torch.tensor(rng.normal(size=(batch, size)), dtype=torch.float32)]
        before = [one.clone() for one in given]
        core = core_with(weights, size, d, heads, hidden, forget_bias=bias, linked=linked)
        expected = right(weights, *map(numbers, before), heads, bias, linked)
        sizes = f"with {batch=}, {slots=}, {d=}, {heads=}, {size=}, {hidden=}, forget bias {bias}, {linked=}, "
        for _ in range(2):
            memory, shares = core(*given)
            check_numbers(shares, expected[1], "in the weights of a larger core", 1e-4, sizes)
            check_numbers(memory, expected[0], "in the memory of a larger core", 1e-4, sizes)
        check_same(given, before)


# %% nbgrader={"grade": true, "grade_id": "relational-memory-linked-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("relational-memory", memory="sequence slot number", weights="sequence head slot column")
sizes = 5, 8, 2, 6
check("relational-memory", "3 sequences, 4 slots, 2 heads", step_of, *core_inputs(1, 3, 4, 8, 5), core_weights(0, 5, 8, 6), *sizes)
sizes = 6, 6, 3, 6
check("relational-memory", "all widths 6, 3 heads", step_of, *core_inputs(2, 2, 3, 6, 6), core_weights(9, 6, 6, 6), *sizes)
check("relational-memory", "a forget bias of −1", step_of, *core_inputs(2, 2, 3, 6, 6), core_weights(9, 6, 6, 6), *sizes,
      forget_bias=-1.0)
check("relational-memory", "one slot", step_of, *core_inputs(3, 2, 1, 6, 6), core_weights(4, 6, 6, 6), *sizes)
### BEGIN HIDDEN TESTS
def slow_core(weights, M, x, heads, bias, linked):
    w = {name: numbers(value) for name, value in weights.items()}
    batch, slots, d = M.shape
    depth, shares = d // heads, np.zeros((batch, heads, slots, slots + 1))
    new, norm = np.zeros(M.shape), lambda row: (row - row.mean()) / math.sqrt(row.var() + 1e-5)
    for b in range(batch):
        token = w["project.weight"] @ x[b] + w["project.bias"]
        rows = [*M[b], token]
        for i in range(slots):
            seen = [j for j in range(slots + 1) if linked or j in (i, slots)]
            attended = np.zeros(d)
            for h in range(heads):
                own = slice(h * depth, (h + 1) * depth)
                dots = [(w["q.weight"] @ M[b, i])[own] @ (w["k.weight"] @ rows[j])[own] / depth**0.5 for j in seen]
                grown = np.exp(np.array(dots) - max(dots))
                shares[b, h, i, seen] = grown / grown.sum()
                attended[own] = sum(shares[b, h, i, j] * (w["v.weight"] @ rows[j])[own] for j in seen)
            row = norm(M[b, i] + attended)
            inner = np.maximum(w["mlp_in.weight"] @ row + w["mlp_in.bias"], 0)
            row = norm(row + w["mlp_out.weight"] @ inner + w["mlp_out.bias"])
            sums = w["gate_token.weight"] @ token + w["gate_token.bias"] + w["gate_memory.weight"] @ np.tanh(M[b, i])
            kept = M[b, i] / (1 + np.exp(-sums[d:] - bias))
            new[b, i] = np.tanh(row) / (1 + np.exp(-sums[:d])) + kept
    return new, shares


core_cases = [(3, 5, 6, 2, 4, 7, 1.0), (2, 4, 8, 4, 5, 3, 0.25), (4, 2, 5, 5, 3, 6, 2.5)]
check_core(slow_core, core_cases, 607, linked=True)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: slots that don't see each other (1 point).** If Test 1 fails, start there.

# %% nbgrader={"grade": true, "grade_id": "relational-memory-alone-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("relational-memory", memory="sequence slot number", weights="sequence head slot column")
check("relational-memory", "linked=False, 3 sequences, 4 slots (if Test 1 fails, start there)", step_of,
      *core_inputs(1, 3, 4, 8, 5), core_weights(0, 5, 8, 6), 5, 8, 2, 6, linked=False)
check("relational-memory", "linked=False, one slot", step_of,
      *core_inputs(3, 2, 1, 6, 6), core_weights(4, 6, 6, 6), 6, 6, 3, 6, linked=False)
### BEGIN HIDDEN TESTS
def slow_alone(weights, M, x, heads, bias, linked):
    w = {name: numbers(value) for name, value in weights.items()}
    new, shares = np.zeros(M.shape), np.zeros((len(M), heads, M.shape[1], M.shape[1] + 1))
    for b, i in np.ndindex(M.shape[:2]):
        row, d = M[b, i], M.shape[-1]
        token = w["project.weight"] @ x[b] + w["project.bias"]
        q, k, v = (np.array([w[name] @ one for one in (row, token)]).reshape(2, heads, -1)
                   for name in ("q.weight", "k.weight", "v.weight"))
        share = 1 / (1 + np.exp((q[0] * (k[1] - k[0])).sum(axis=-1) / (d / heads) ** 0.5))  # of the slot itself
        shares[b, :, i, i], shares[b, :, i, -1] = share, 1 - share
        made = row + (share[:, None] * v[0] + (1 - share)[:, None] * v[1]).ravel()
        for add in ("", "mlp"):
            if add:
                inner = np.maximum(w["mlp_in.weight"] @ made + w["mlp_in.bias"], 0)
                made = made + w["mlp_out.weight"] @ inner + w["mlp_out.bias"]
            made = (made - made.mean()) / math.sqrt(made.var() + 1e-5)
        gates = w["gate_token.weight"] @ token + w["gate_token.bias"] + w["gate_memory.weight"] @ np.tanh(row)
        i_gate, f_gate = 1 / (1 + np.exp(-gates - np.repeat([0, bias], d))).reshape(2, d)
        new[b, i] = i_gate * np.tanh(made) + f_gate * row
    return new, shares


check_core(slow_alone, [(3, 5, 6, 2, 4, 7, 1.0), (2, 4, 8, 4, 5, 3, 0.25), (4, 2, 5, 5, 3, 6, 2.5)], 6070, linked=False)
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: sizes that can't be (1 point).** And sizes that can: a core with as many heads as numbers in a slot.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "error-of-core", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def heads_of_core(d, heads):
    """How many heads a core is made with."""
    RelationalMemory(3, d, heads, 4)
    return heads


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-both-named", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_both_named(d, heads):
    """Stop unless the error of the constructor names both sizes."""
    said = "no error"
    try:
        RelationalMemory(3, d, heads, 4)
    except ValueError as error:
        said = str(error)
    assert str(d) in said and str(heads) in said, (
        f"d {d} and {heads} heads: {said}\nthe text of the ValueError should contain both values, here {d} and {heads}")


# %% nbgrader={"grade": true, "grade_id": "relational-memory-errors-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("relational-memory", heads="")
check("relational-memory", "d 6 and 4 heads", heads_of_core, 6, 4)
check_both_named(6, 4)
check_both_named(10, 3)
returns("relational-memory", memory="sequence slot number", weights="sequence head slot column")
check("relational-memory", "4 heads of one number (if Test 1 fails, start there)", step_of,
      *core_inputs(6, 2, 3, 4, 5), core_weights(8, 5, 4, 3), 5, 4, 4, 3)
### BEGIN HIDDEN TESTS
for d, heads in [(8, 3), (9, 2), (12, 5), (7, 14)]:
    check_both_named(d, heads)
for d, heads in [(9, 3), (7, 1), (12, 12)]:
    core = RelationalMemory(2, d, heads, 5)
    memory, weights = core(torch.ones(2, 3, d), torch.ones(2, 2))
    check_numbers(np.shape(numbers(weights)), (2, heads, 3, 4), "in the shape of the weights, for sizes that divide")
### END HIDDEN TESTS

# %% [markdown]
# As in 4.1, end each line of `forward` that makes a tensor with its axes in brackets, such as `# [batch, slots, d]`, and run this: it says which of the comments are true. It earns no points.

# %% [markdown]
# The next cell makes `follow_shapes`. You don't need to read it.

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration", "shapes"]
# Runs a method and says whether its comments on shapes are true. Nothing here needs to be read.
def shapes():
    from builtins import Exception, OSError, SyntaxError, TypeError, all, any, compile, dict, enumerate, eval, getattr, hasattr, int, isinstance, len, list, map, max, next, print, range, set, sorted, str, tuple, type, zip
    from collections import namedtuple
    import ast
    import inspect
    import io
    import re
    import sys
    import tokenize
    import traceback
    import types

    RECORD = "record_of_follow_shapes"
    # What may make something, and attributes that do; the others only name what there is.
    MAKING: tuple = (ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Subscript, ast.IfExp)
    MAKING += ast.ListComp, ast.GeneratorExp, ast.NamedExpr
    NAMING = ast.Name, ast.Attribute, ast.Tuple, ast.List
    VIEWS = "T", "mT", "H", "mH"
    # Statements that need a comment if they make something.
    STATEMENTS = ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr
    # Where an expression stands: its last line, the expression around it, the first and last line of its
    # statement, whether it needs a comment, and whether others are made of it first, as in `for x in …`.
    Place = namedtuple("Place", "last around statement wanted aside")

    def follow_shapes(*runs):
        """Print the lines of a method, what each of them made, and whether its comment `# [batch, seq]` is true.

        runs: two or more of (sizes, layer, *arguments). sizes: numbers by name, no two alike. Of a layer its
        `forward` is followed, else the function itself. A dict as the last argument holds keyword arguments.
        """
        try:
            lines = followed(*runs)
        except (OSError, TypeError, SyntaxError) as problem:
            print(f"This can't be followed: run the cell that defines it once more.\n({problem})")
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
        """(verdict, line, what to show of it) for each line of the method.

        A verdict is "true" or "FALSE" for a comment, or "unread" if it has words that are no sizes, "none" where
        one is missing, "stop" where the method was stopped by an error, and else "".
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
        made, comments = marker.known(set().union(*seen)), comments_in(text)
        about = {line: meant(line, made) for line in comments}
        # Of each comment and run: what it states, what was made there, and the sizes of names.
        names = [dict(sizes) for sizes, *_ in runs]
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
        """The lines of a function without their common indent, and its syntax tree, whose line 1 is the first."""
        lines = "".join(inspect.getsourcelines(function)[0]).rstrip().split("\n")
        indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
        tree = ast.parse("if True:\n" + "\n".join(lines) if indent else "\n".join(lines))
        defined = tree.body[0].body[0] if indent else tree.body[0]
        if not isinstance(defined, ast.FunctionDef):
            raise TypeError("it is not written with def")
        if indent:
            ast.increment_lineno(defined, -1)
        defined.decorator_list = []
        return "\n".join(line.removeprefix(indent) for line in lines), defined

    def makes(node):
        """Whether an expression makes something, and doesn't only name it."""
        if isinstance(node, (ast.Tuple, ast.List)):
            return any(map(makes, node.elts))
        return isinstance(node, MAKING) or isinstance(node, ast.Attribute) and node.attr in VIEWS

    class Marker(ast.NodeTransformer):
        """Has every expression hand over its value. places: where they stand, by number."""

        def __init__(self):
            self.places, self.outer, self.statement, self.needs, self.aside = {}, None, (1, 1), False, False

        def known(self, numbers):
            """The places of these, each with the next of them around it."""
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
                # In q.shape, q is not what is told.
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
            before = self.statement, self.needs, self.outer
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            self.statement, self.needs, self.outer = (node.lineno, last), isinstance(node, STATEMENTS), None
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                # What it makes is what the name stands for afterwards.
                name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
                told = self.handed_over(name, True, [node])
                result = [node, ast.copy_location(ast.Expr(told), node)]
            else:
                result = self.generic_visit(node)
            self.statement, self.needs, self.outer = before
            return result

        def handed_over(self, node, made, parts=None):
            """A call that records an expression's value. parts: what it's made of, if that isn't all in it."""
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
        """The function, made of its marked tree: it puts the shapes of what it makes into `seen`, by place."""
        # In a class of the same name, names such as self.__size mean the same.
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

        cells = dict(
            zip(function.__code__.co_freevars, function.__closure__ or ()), **{RECORD: types.CellType(record)}
        )
        closure = tuple(cells[one] for one in code.co_freevars)
        new = types.FunctionType(code, function.__globals__, name, function.__defaults__, closure)
        new.__kwdefaults__ = function.__kwdefaults__
        return new

    def shapes_of(value):
        """The shapes of a tensor, or of some in a tuple or list; none of what has no axes."""
        if type(value) in (tuple, list):
            parts = [shapes_of(one) for one in value]
            return [shape for part in parts for shape in part] if all(parts) else []
        shape = getattr(value, "shape", None)
        return [tuple(shape)] if isinstance(shape, tuple) and shape else []

    def comments_in(text):
        """What comments behind code say of shapes, by line: lists of entries."""
        found = {}
        for token in tokenize.generate_tokens(io.StringIO("if True:\n " + text.replace("\n", "\n ")).readline):
            if token.type == tokenize.COMMENT and not token.line.lstrip().startswith("#"):
                stated = re.findall(r"\[([^\[\]]*)\]", token.string) or re.findall(
                    r"\(([^()]*,[^()]*)\)", token.string
                )
                if stated:
                    found[token.start[0] - 1] = [
                        [one.strip() for one in each.split(",") if one.strip()] for each in stated
                    ]
        return found

    def outermost(numbers, made):
        """Those of these expressions that stand in no other of them."""

        def inside(n):
            while (n := made[n].around) is not None:
                if n in numbers:
                    return True
            return False

        return [n for n in numbers if not inside(n)]

    def meant(line, made):
        """What a comment on this line is about: what ends here, or else what its statement makes."""
        ends = [n for n, place in made.items() if place.last == line]
        of_statement = [n for n, place in made.items() if place.statement[0] <= line <= place.statement[1]]
        for numbers in (ends, of_statement):
            if numbers:
                first = [n for n in numbers if not made[n].aside]
                return outermost(first or numbers, made)
        return []

    def claims(stated, told):
        """(lists of entries of which one should fit, shape, numbers) of each tensor.

        stated: the lists that a comment holds. told: of each expression that it is about, what that made.
        """
        for k, times in enumerate(told):
            own = stated[k : k + 1] if len(told) == len(stated) else stated
            for shapes, numbers in times:
                if len(own) == len(shapes) > 1:
                    yield from (([entries], shape, numbers) for entries, shape in zip(own, shapes))
                else:
                    # One list for all, or what is made in one case and what in another.
                    yield from ((own, shape, numbers) for shape in shapes)

    def learn(stated, told, known):
        """Note the sizes of names where they come first. Returns these names."""
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
        """What is false about the shapes that a comment states, or ""."""
        for lists, shape, numbers in claims(stated, told):
            wrong = [mismatch(entries, shape, {**numbers, **known}) for entries in lists]
            if all(wrong):
                several = len(stated) == 1 and max(len(shapes) for times in told for shapes, _ in times)
                return wrong[0] + (f" (these are {several} tensors: write [...] for each)" if several > 1 else "")
        return ""

    def mismatch(entries, shape, names):
        """Why these entries are not a shape, or ""."""
        for dots in ("...", "…"):
            if entries.count(dots) == 1 and len(shape) >= len(entries) - 1:
                at, rest = entries.index(dots), len(shape) - len(entries) + 1
                shape = [*shape[:at], *shape[at + rest :]]
                entries = [entry for entry in entries if entry != dots]
        if len(entries) != len(shape):
            return f"it has {len(shape)} axes, not {len(entries)}"
        for axis, (entry, size) in enumerate(zip(entries, shape)):
            entry = entry.replace("·", "*").replace("×", "*")
            if not re.fullmatch(r"[\w +*/()-]+", entry):
                return f"{entry!r} can't be read: write names or numbers"
            try:
                value = eval(entry.replace("//", "/").replace("/", "//"), {"__builtins__": {}}, names)
            except Exception:
                return f"{entry!r} can't be known"
            if value != size:
                return f"axis {axis} has {size} places, " + (
                    f"not {entry}" if entry.isdigit() else f"but {entry} is {value}"
                )
        return ""

    def what_it_is(numbers, seen):
        """The shapes that these expressions made, run by run."""
        runs = []
        for run in seen:
            shapes = dict.fromkeys(shape for n in numbers for shapes, _ in run.get(n, []) for shape in shapes)
            if shapes:
                few = [str(list(shape)) for shape in shapes][:4]
                runs.append(", ".join([*few, *(["…"] if len(shapes) > 4 else [])]))
        return " and ".join(dict.fromkeys(runs))

    return follow_shapes


follow_shapes = shapes()

# %% tags=["demonstration"]
first = {"batch": 2, "slots": 3, "input_size": 5, "d": 8, "num_heads": 4, "hidden": 7}
second = {"batch": 4, "slots": 5, "input_size": 3, "d": 6, "num_heads": 2, "hidden": 9}
follow_shapes(*((sizes, RelationalMemory(sizes["input_size"], sizes["d"], sizes["num_heads"], sizes["hidden"], linked=False),
                 torch.randn(sizes["batch"], sizes["slots"], sizes["d"]), torch.randn(sizes["batch"], sizes["input_size"]))
                for sizes in (first, second)))


# %% [markdown]
# ## 6.8 What a permutation does
#
# **2 points · about 10 minutes · difficulty ●●○**
#
# A core has given `memory_after, weights = core(memory, x)`. Now somebody asks for `core(memory[:, permutation], x)`: the same memory, its slots in another order. You can say what comes out without running anything. Slot `j` of the permuted memory is slot `permutation[j]` of the old one. In lesson 02, attention treated all tokens alike. Does the whole core treat all slots alike?
#
# Predict: what happens to the rows of the new memory, and to rows and columns of the weights? What about the token's column?
#
# | operation | what moves | shape |
# |---|---|---|
# | new memory | its slots | `(batch, slots, d)` |
# | weights | the slots that ask, and the slots that are looked at | `(batch, num_heads, slots, slots + 1)` |
#
# `permutation` is a list or a LongTensor with each number from 0 to slots − 1 once. It needn't be its own inverse.
#
# <details><summary>Hint 1: a question</summary>
#
# Cell `[i, j]` of the new weights says how much new slot `i` looks at new slot `j`. Which two old slots are these?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# A list of numbers between the brackets picks and orders along one axis: `table[:, permutation]`. `torch.as_tensor` takes a list and a tensor alike, `tolist()` gives a list, `torch.cat` joins. Lists are joined by `+`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Order the slots of the memory. Order the rows of the weights. Order their columns, with the number of the token's column put behind the permutation, so that it stays last. Return both.
# </details>
#
# <details><summary>I get “unsupported operand type(s) for +: 'Tensor' and 'list'”</summary>
#
# The permutation may be a LongTensor. `list(permutation)` makes a list of both kinds, and `torch.as_tensor` a tensor.
# </details>

# %% nbgrader={"grade": false, "grade_id": "predict-permuted", "locked": false, "schema_version": 3, "solution": true, "task": false}
def predict_permuted(memory_after, weights, permutation):
    """What core(memory[:, permutation], x) gives, from what core(memory, x) gave.

    memory_after: (batch, slots, d), weights: (batch, num_heads, slots, slots + 1).
    permutation: a list or a LongTensor with the numbers of all slots, once each.
    Returns (memory_after, weights) of the same shapes. No input is changed.
    """
    ### BEGIN SOLUTION
    order = torch.as_tensor(permutation)
    columns = torch.cat([order, torch.tensor([len(order)])])
    return memory_after[:, order], weights[:, :, order][..., columns]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "predict-permuted-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("predict-permuted", memory="sequence slot number", weights="sequence head slot column")
after, table = some_numbers(0, 2, 4, 3), some_numbers(50, 2, 3, 4, 5)
check("predict-permuted", "4 slots in the order 2, 3, 1, 0", predict_permuted, after, table, [2, 3, 1, 0])
check("predict-permuted", "the order in a LongTensor", predict_permuted, after, table, torch.tensor([2, 0, 3, 1]))
after, table = some_numbers(7, 3, 3, 2), some_numbers(70, 3, 2, 3, 4)
check("predict-permuted", "3 slots in the order 1, 2, 0", predict_permuted, after, table, [1, 2, 0])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(608)
for batch, heads, slots, d in [(3, 2, 6, 4), (2, 4, 5, 7), (4, 3, 1, 2)]:
    for kind in (list, torch.tensor):
        order = rng.permutation(slots).tolist()
        given = [torch.tensor(rng.normal(size=shape)) for shape in [(batch, slots, d), (batch, heads, slots, slots + 1)]]
        before = [one.clone() for one in given]
        memory, table = (numbers(one) for one in before)
        rows = np.stack([memory[:, s] for s in order], axis=1)
        moved = np.stack([np.stack([table[:, :, i, j] for j in [*order, slots]], axis=-1) for i in order], axis=2)
        got = predict_permuted(*given, kind(order))
        sizes = f"with {batch=}, {heads=}, {order=}, "
        check_numbers(got[0], rows, "in the memory of more slots", 1e-6, sizes)
        check_numbers(got[1], moved, "in the weights of more slots", 1e-6, sizes)
        check_same(given, before)
### END HIDDEN TESTS

# %% [markdown]
# Now run the core and compare. Then a memory whose slots all begin with the same row: predict how far apart they are after three steps with different inputs.

# %% tags=["demonstration"]
torch.manual_seed(8)
core, order = RelationalMemory(5, 8, 2, 6), [2, 0, 3, 1]
memory, x = torch.randn(3, 4, 8), torch.randn(3, 5)
with torch.no_grad():
    predicted = predict_permuted(*core(memory, x), order)
    really = core(memory[:, order], x)
    for name, one, other in zip(["memory", "weights"], predicted, really):
        print(f"{name}: predicted against run {(one - other).abs().max():.0e}")
    memory = torch.randn(3, 1, 8).expand(3, 4, 8)
    for step in range(3):
        memory, _ = core(memory, torch.randn(3, 5))
print(f"equal slots after three steps: largest difference {(memory - memory[:, :1]).abs().max():.0e}")


# %% [markdown]
# Nothing but rounding. A core that treats all slots alike can't tell equal slots apart, however long it runs. So a memory has to begin with different rows: by a number that each slot carries (the published code starts from the identity matrix), or because each has been given something else. Below it is the latter.

# %% [markdown]
# ## 6.9 Over time
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# Last, the loop. `step` is any function that takes `(memory, x)` and gives `(memory, weights)`, such as a core. Run it over all steps of a batch of sequences, and collect what it gives.
#
# Sequences have different lengths, and the short ones are padded. From its length on, a sequence's memory **stays as it is**. What the weights are at padded steps doesn't matter.
#
# | operation | expression | shape |
# |---|---|---|
# | input of step `t` | `inputs[:, t]` | `(batch, input_size)` |
# | one step | `step(memory, inputs[:, t])` | `(batch, slots, d)`, `(batch, num_heads, slots, slots + 1)` |
# | which sequences are still running | `t < lengths` | `(batch,)` |
# | all memories, each **after** its step | time behind the batch | `(batch, steps, slots, d)` |
# | all weights | the same | `(batch, steps, num_heads, slots, slots + 1)` |
#
# `lengths` is a list or a LongTensor, each from 1 to `steps`. The longest may be shorter than `steps`. You may call `step` for a part of the batch.
#
# <details><summary>Hint 1: a question</summary>
#
# Sequence 1 has length 2. After steps 0, 1, 2 and 3, which of its memories are equal?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.where(condition, a, b)` picks entry by entry, and the condition needs two axes of length 1 behind the batch. `torch.as_tensor`, lists with `append`, `torch.stack(..., dim=1)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Two empty lists. For each step: call it with the memory and this step's inputs. Take the new memory for sequences that are still running, and the old one for the others. Append memory and weights. In the end, stack both lists with time as axis 1.
# </details>
#
# <details><summary>I get “expected Tensor as element 0 in argument 0”, or a pair where I expected a tensor</summary>
#
# `step` gives back two things. Unpack them before you go on.
# </details>

# %% nbgrader={"grade": false, "grade_id": "unroll", "locked": false, "schema_version": 3, "solution": true, "task": false}
def unroll(step, memory, inputs, lengths):
    """Run step(memory, x) -> (memory, weights) over the steps of a padded batch.

    memory: (batch, slots, d), inputs: (batch, steps, input_size).
    lengths: a list or a LongTensor, from 1 to steps each.
    Returns (memories, weights): (batch, steps, slots, d), each after its step
    and unchanged from the sequence's length on,
    and (batch, steps, num_heads, slots, slots + 1). No input is changed.
    """
    ### BEGIN SOLUTION
    lengths = torch.as_tensor(lengths)
    memories, collected = [], []
    for t in range(inputs.shape[1]):
        after, weights = step(memory, inputs[:, t])
        memory = torch.where((t < lengths)[:, None, None], after, memory)
        memories.append(memory)
        collected.append(weights)
    return torch.stack(memories, dim=1), torch.stack(collected, dim=1)
    ### END SOLUTION


# %% [markdown]
# The tests pass a simple step: it halves the memory, adds the input to each slot times its number plus 1, and its weights follow from both.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "simple-step", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def simple_step(memory, x):
    """A step whose numbers can be followed, with 2 heads."""
    assert memory.ndim == 3 and x.ndim == 2 and len(memory) == len(x), (
        f"step was called with a memory {tuple(memory.shape)} and an input {tuple(x.shape)}\n"
        "give it (batch, slots, d) and (batch, input_size), both of the same sequences")
    slots = memory.shape[1]
    numbered = torch.arange(1, slots + 1, dtype=memory.dtype)[None, :, None]
    new = memory / 2 + numbered * x.mean(dim=1)[:, None, None] + x[:, :1, None] * x[:, 1:2, None]
    scores = torch.cat([new @ memory.transpose(1, 2), x[:, :1, None].expand(-1, slots, 1)], dim=-1)
    return new, torch.stack([scores.softmax(dim=-1), (2 * scores).softmax(dim=-1)], dim=1)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "unrolled", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def unrolled(memory, inputs, lengths):
    """What your `unroll` gives for the simple step; weights at padded steps are set to 0."""
    ends = [int(length) for length in lengths]
    memories, weights = two_of(unroll(simple_step, memory, inputs, lengths), "memories, weights")
    weights = np.array(numbers(weights))
    if weights.ndim > 1:
        tables = weights if weights.shape[:2] == inputs.shape[:2] else weights.swapaxes(0, 1)
        for table, end in zip(tables, ends):
            table[end:] = 0
    return memories, weights


# %% nbgrader={"grade": true, "grade_id": "unroll-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("unroll", memories="sequence step slot number", weights="sequence step head slot column")
memory, inputs = some_numbers(0, 3, 4, 7), some_numbers(30, 3, 5, 6)
check("unroll", "3 sequences of lengths 2, 4 and 1, 5 steps", unrolled, memory, inputs, [2, 4, 1])
check("unroll", "lengths 3, 5 and 2 in a LongTensor", unrolled, memory, inputs, torch.tensor([3, 5, 2]))
check("unroll", "one sequence, all of its 3 steps", unrolled, some_numbers(5, 1, 3, 2), some_numbers(6, 1, 3, 4), [3])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(609)
for batch, steps, slots, d, size, lengths in [(4, 6, 3, 5, 2, [3, 6, 1, 4]), (3, 5, 4, 2, 7, [2, 3, 1]), (2, 1, 5, 3, 4, [1, 1])]:
    for dtype, tolerance, kind in [(torch.float64, 1e-6, list), (torch.float32, 1e-4, torch.tensor)]:
        given = [torch.tensor(rng.normal(size=shape), dtype=dtype) for shape in [(batch, slots, d), (batch, steps, size)]]
        before = [one.clone() for one in given]
        after, tables = np.zeros((batch, steps, slots, d)), np.zeros((batch, steps, 2, slots, slots + 1))
        for b, length in enumerate(lengths):
            memory = before[0][b:b + 1]
            for t in range(steps):
                if t < length:
                    memory, weights = simple_step(memory, before[1][b:b + 1, t])
                    tables[b, t] = numbers(weights)[0]
                after[b, t] = numbers(memory)[0]
        got, weights = unroll(simple_step, *given, kind(lengths))
        sizes = f"with {batch=}, {steps=}, {slots=}, {lengths=}, "
        check_numbers(got, after, "in the memories of longer sequences", tolerance, sizes)
        weights = np.array(numbers(weights))
        assert weights.shape == tables.shape, f"for longer sequences, the weights have another shape\n{weights.shape}"
        for table, length in zip(weights, lengths):
            table[length:] = 0
        check_numbers(weights, tables, "in the weights of longer sequences", tolerance, sizes)
        check_same(given, before)
### END HIDDEN TESTS

# %% [markdown]
# Two routes again: a sequence in the batch must get what it gets alone. Predict the difference.

# %% tags=["demonstration"]
torch.manual_seed(9)
core, memory, inputs = RelationalMemory(5, 8, 2, 6), torch.randn(3, 4, 8), torch.randn(3, 6, 5)
with torch.no_grad():
    memories, _ = unroll(core, memory, inputs, [2, 6, 4])
    for b, length in enumerate([2, 6, 4]):
        alone = memory[b:b + 1]
        for t in range(length):
            alone, _ = core(alone, inputs[b:b + 1, t])
        print(f"sequence {b}, {length} steps: differs by {(memories[b, -1] - alone[0]).abs().max():.0e}")


# %% [markdown]
# ## It learns: which stored arrow is farthest?
#
# Now the memory gets a task that is about **relations**. Four arrows of length 1 lie in the plane, one in each slot, with the slot's number as its tag. Three questions come, one a step: a tag. The answer is the tag of the arrow that points **farthest away** from the one asked for. On a circle that is the most opposite one.
#
# No slot holds the answer. It depends on how an arrow lies to the three others. Guessing among the other three is right in 33 % of all cases.
#
# | part | made by | shape |
# |---|---|---|
# | what is stored | `nn.Linear(6, 32)` of the tag as one-hot, and the arrow, then `layer_norm` | `(batch, 4, 32)` |
# | memory | `RelationalMemory(4, 32, num_heads=2, hidden=32)` | `(batch, 4, 32)` |
# | question | the tag as one-hot | `(batch, 4)` |
# | answer, after each step | `nn.Linear(32, 4)` of the **mean of all slots** | `(batch, 4)` |

# %% nbgrader={"grade": false, "grade_id": "farthest-task", "locked": true, "schema_version": 3, "solution": false, "task": false}
def questions(batch, generator, items=4, asked=3):
    """Stored rows (batch, items, items + 2), asked tags, one-hot (batch, asked, items), answers (batch, asked)."""
    angle = 2 * math.pi * torch.rand(batch, items, generator=generator)
    which = torch.rand(batch, items, generator=generator).argsort(dim=1)[:, :asked]
    return asked_of(angle, which)


# %% nbgrader={"grade": false, "grade_id": "asked-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def asked_of(angle, which):
    """The same for given angles (batch, items) and tags that are asked (batch, asked)."""
    batch, items = angle.shape
    arrows = torch.stack([angle.cos(), angle.sin()], dim=-1)
    stored = torch.cat([torch.eye(items).expand(batch, items, items), arrows], dim=-1)
    farthest = (arrows @ arrows.transpose(1, 2)).argmin(dim=-1)
    return stored, F.one_hot(which, items).float(), farthest.gather(1, which)


# %% nbgrader={"grade": false, "grade_id": "recaller", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Recaller(nn.Module):
    """Four stored rows, a core, and a linear readout of the mean of all slots."""

    def __init__(self, linked):
        super().__init__()
        self.store = nn.Linear(6, 32)
        self.core = RelationalMemory(4, 32, num_heads=2, hidden=32, linked=linked)
        self.answer = nn.Linear(32, 4)

    def forward(self, stored, asked):
        """Returns the answers (batch, asked, 4), memories and weights after each question."""
        memory = layer_norm(self.store(stored))
        steps = []
        for x in asked.unbind(1):
            memory, weights = self.core(memory, x)
            steps.append((self.answer(memory.mean(dim=1)), memory, weights))
        return [torch.stack(part, dim=1) for part in zip(*steps)]


# %% [markdown]
# In one memory the slots are linked. In the other, `linked=False`, each slot sees itself and the question. Everything else is the same: layers, numbers to begin with, data, and 600 steps.
#
# Predict before you run: in the linked memory, at which question will slots look at each other, at the first, or at each? Which column will carry the question? And how far will the other memory get?

# %% [markdown]
# *My guess (double-click here to write):*

# %% nbgrader={"grade": false, "grade_id": "train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def train(linked, steps=600):
    """A trained recaller and its losses. Each step draws 64 new sequences."""
    torch.manual_seed(0)
    generator, model, losses = torch.Generator().manual_seed(0), Recaller(linked), []
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    for step in range(steps):
        stored, asked, answers = questions(64, generator)
        loss = F.cross_entropy(model(stored, asked)[0].flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        losses.append(loss.item())
        if step % 150 == 149:
            print(f"{'linked' if linked else 'alone':6} {step + 1} of {steps} steps, loss {np.mean(losses[-50:]):.3f}")
    return model, losses


# %% tags=["demonstration"]
torch.manual_seed(0)
before = Recaller(linked=True)  # the linked memory as it begins
linked, linked_losses = train(linked=True)
alone, alone_losses = train(linked=False)

# %% alt="Two losses over 600 steps, both from 1.39: that of the memory whose slots don't see each other sinks to a dotted line at 1.10 within about 200 steps and stays there, that of the linked slots crosses this line after about 60 steps and ends below 0.2." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6.6, 3.4), layout="constrained")
for losses, style, label in [(linked_losses, "-", "linked"), (alone_losses, "--", "alone")]:
    means = np.convolve(losses, np.ones(20) / 20, mode="valid")
    ax.plot(np.arange(len(means)) + 19, means, style, label=label)
ax.axhline(math.log(4), color="0.4", linestyle="-.", label="ln 4: any of the four")
ax.axhline(math.log(3), color="k", linestyle=":", label="ln 3: not the one that was asked for")
ax.set(xlabel="step", ylabel="loss, mean of 20 steps", ylim=(0, 1.5))
ax.legend()
plt.show()

# %% tags=["demonstration"]
stored, asked, answers = questions(2000, torch.Generator().manual_seed(1000))
for name, model in [("linked", linked), ("alone", alone)]:
    with torch.no_grad():
        right = (model(stored, asked)[0].argmax(dim=-1) == answers).float()
    print(f"{name:6} right in {right.mean():.1%}, question by question", [f"{one:.1%}" for one in right.mean(dim=0)])

# %% [markdown]
# Alone, the slots learn one thing: not to name the arrow that was asked for. That takes the loss from ln 4 = 1.39 to ln 3 = 1.10, and there it stays, at chance: 31 % right here, and 31 to 35 % over 12 seeds. The linked memory goes on. In our run it ends at 0.18 and answers 96 % right. Over the same seeds it was between 82 and 97 %, and in all but one above 95 %.
#
# Why does it stay there? The answer is a linear function of the mean of the slots, so it adds up what each slot says alone. Each slot knows its own arrow and the tag that is asked for. But how *two* arrows lie to each other is in no slot, and in a sum over single slots training finds nothing better than chance.

# %% [markdown]
# And where does the linked memory look? The next cell draws one example: four arrows, and questions 0, 1 and 2. The opposite of arrow 0 is arrow 2, that of 1 is 3, of 2 is 0, of 3 is 1. Rows are the slots that ask, the queries; columns are the keys, what they look at. The last column, behind the line, is the question.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "draw-looks", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the pictures: run it, no need to read it.
example = asked_of(torch.tensor([[0.2, 1.2, 3.2, 4.4]]), torch.tensor([[0, 1, 2]]))


def draw_looks(model, name, shut=False):
    """Weights of one example: a row for each head, a column for each question."""
    with torch.no_grad():
        weights = model(*example[:2])[2][0]
    fig, axes = plt.subplots(2, 3, figsize=(9.4, 5.6), layout="constrained")
    for (t, h), ax in zip(np.ndindex(3, 2), axes.T.ravel()):
        table = weights[t, h].numpy()
        ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
        for i, j in np.ndindex(4, 5):
            if shut and j not in (i, 4):
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", edgecolor="gray", hatch="////", lw=0))
            else:
                ax.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", fontsize=9,
                        color="black" if table[i, j] > 0.5 else "white")
        ax.axvline(3.5, color="red", linewidth=2)
        ax.set(xticks=range(5), xticklabels=[*range(4), f"ask {t}"], yticks=range(4), xlabel="key", ylabel="query")
        ax.set_title(f"{name}, question {t}, head {h}", fontsize=10)
    plt.show()


# %% alt="Weights of the untrained memory in two heads at three questions: all cells lie between about 0.1 and 0.4, without a pattern." tags=["demonstration"]
draw_looks(before, "untrained")

# %% alt="Weights of the trained linked memory: at question 0, in both heads, slot 0 gives all to slot 2, slot 1 to 3, slot 2 to 0 and slot 3 to 1, its opposite each time; at question 1 most rows are still pointed, at question 2 the weights are spread over the slots; the column of the question is nearly 0 throughout." tags=["demonstration"]
draw_looks(linked, "linked")

# %% alt="Weights of the trained memory whose slots don't see each other: all cells of other slots are hatched, and each slot looks mostly at the question." tags=["demonstration"]
draw_looks(alone, "alone", shut=True)

# %% [markdown]
# In the linked memory, slots look at each other at **question 0**: each one at its opposite. That is before anybody could know what will be asked next, and it answers every question there can be. After that the answers are in the slots, and by question 2 few rows still point at the opposite. Alone, a slot looks mostly at the question: there is little else for it to look at.
#
# And the question itself? It hardly comes by attention: in the example its column is 0.00 throughout. It enters by the **gates**, which add a token's part to each number of each slot. The next cell asks each slot alone, by giving it to the readout without the others.

# %% tags=["demonstration"]
with torch.no_grad():
    _, memories, weights = linked(stored, asked)
    own = F.softmax(linked.answer(memories[:, 0]), dim=-1)  # each slot after question 0, by itself
    says = own.gather(-1, answers[:, :1, None].expand(-1, 4, 1))[..., 0]
    is_asked = asked[:, 0] == 1
print(f"probability of the right answer: slot that was asked {says[is_asked].mean():.2f}, other slots {says[~is_asked].mean():.2f}")
print("mean weight on the question, at each question:", [f"{one:.3f}" for one in weights[..., -1].mean(dim=(0, 2, 3))])

# %% [markdown]
# In our run the slot that was asked gives the right answer a probability of 0.97, the others about one half. So it speaks up, and the mean over the slots hears it.
#
# Two warnings. Other seeds draw other pictures: often one head is enough for the looking, and the question's column may get up to 0.2. And a heatmap shows where a memory looks, not what it does with it.
#
# In the paper the memory must also learn what to write where: there the rows come in one by one. We tried that, too: after 800 steps it was still at chance. Here the slots are filled for it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "linked-or-alone", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 6.10 In your own words: what the links are for
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# An LSTM is an older network with a memory and the same kind of gates. Its memory is one long row of numbers. In each step three gates and what is to be written, each as long as that row, are computed from the row by one learned matrix.
#
# 1. What can the linked memory do in one step that the memory with `linked=False` cannot? An LSTM with slots · d units mixes all of its numbers, too: how does it do that, and what is different here? (1 point)
# 2. What do the links cost: how many scores are there in each head and step, and how does that grow with the number of slots? How do the numbers of weights grow, here and in the LSTM? (1 point)
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what the links do: with `linked=False`, row i of the new memory depends on row i and the input alone. Linked, row i weighs all rows by how their *contents* match, so a relation between any two stored things takes one step, and the same weights serve every pair. An LSTM mixes its units by one fixed matrix: which unit reads which is learned once, and doesn't depend on what they hold. Half a point for the first part without the LSTM, or the other way round.
#
# **1 point** for the costs: slots · (slots + 1) scores in each head and step, which is quadratic in the number of slots. The weights don't grow with the slots at all, where the LSTM's recurrent matrix has 4 · (slots · d)² entries. Half a point for one of the two.
#
# **Half right (1 point of 2):** “Linked slots can exchange information, which takes more computation.” Nothing says how they choose (by content), nor how much it takes.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you have built
#
# You have built a relational memory core: attention from slots to slots and token, each row's own update, gates that write and keep, and the loop over time with sequences of different lengths. You have seen that attention to memory and input is itself a gate, written a test that tells gates apart, and shown that a memory must begin with different rows.
#
# And you have seen what the links are for: of two memories with the same layers, one answers questions about relations, and the other stays at chance.
#
# ### Three questions to think about
#
# 1. Give the memory with `linked=False` a stronger readout: one hidden layer over the mean of the slots, or over all slots side by side. Would it still stay at chance?
# 2. Slots that begin equal stay equal. Why not begin with random rows, drawn anew each time?
# 3. Suppose that 600 questions come instead of 3. What would that ask of the forget gate, and by which bias could it begin?
#
# <details><summary>Answers</summary>
#
# 1. No. With a hidden layer of 64 over the mean it reached 82 %, over all slots side by side 91 % (seed 0, 600 steps). Then the *readout* relates the arrows, not the memory. So what this experiment shows holds for a linear readout, which can only add up. Whoever compares models has to say where the comparing is done.
# 2. It breaks the tie. But then the same input gives other numbers at each call, a slot's number means something else each time, and the model has to learn to do without. A fixed different row for each slot, or rows that hold what is stored, as here, does it without chance.
# 3. What was worked out at question 0 must be there at question 599. With a share of one half left after 600 steps, `forget_bias_for(600, 0.5)` is 6.76, where a bias of 1 leaves half after 2.2 steps. The gate's sum has its own part as well, so training can learn more or less than that. And each question is also a chance to write the answer again, which is what makes a memory more than a long wire.
#
# </details>
#
# ### References
#
# - Adam Santoro, Ryan Faulkner, David Raposo, Jack Rae, Mike Chrzanowski, Théophane Weber, Daan Wierstra, Oriol Vinyals, Razvan Pascanu, Timothy Lillicrap: *Relational Recurrent Neural Networks*, 2018. The memory of this lesson, and the task of the farthest vector, in a harder form. The code that was published with it is in DeepMind's Sonnet.
# - Sepp Hochreiter, Jürgen Schmidhuber: *Long Short-Term Memory*, 1997. Gates that write and keep.
# - Felix A. Gers, Jürgen Schmidhuber, Fred Cummins: *Learning to Forget: Continual Prediction with LSTM*, 2000. The forget gate.
# - Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton: *Layer Normalization*, 2016. The norm of 6.3.
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Attention with several heads.
