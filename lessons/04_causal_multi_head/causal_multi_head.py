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
# # Causal attention in PyTorch
#
# *Attention, Graded · lesson 04 · PyTorch · about 200 minutes · 32 points*
#
# You know attention as arithmetic. Now you build it as it stands in real models: as a `torch.nn.Module` with learned layers, many heads in one tensor, sequences of different lengths in one batch, and a mask that keeps every token from reading its own future.
#
# At the end your layer takes over the weights of PyTorch's own `nn.MultiheadAttention` and gives the same numbers. On the way you will meet the mistakes that have the right shape, run without an error, and are wrong.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Five short questions, in 4.2 and 4.8, are answered in words and read by a person. You can do every exercise even if an earlier one isn't finished; only 4.7 needs a class from 4.6 that can be built and called. Cells that draw or print call your code, so they fail until it works. The 200 minutes count reading and demonstrations as well.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `[batch, seq, input_size]`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, h, i, j]`: sequence `b`, head `h`, **query `i`**, **key `j`** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis (`dim=-1`), over the keys |
# | **Shapes of the weight matrices** | `nn.Linear(a, b)` holds `weight` `(b, a)` and `bias` `(b,)`, and computes `x @ weight.T + bias`. So `q.weight`, `k.weight`, `v.weight` are `(hidden, input_size)` and `mix.weight` is `(hidden, hidden)` |
# | **Heads** | `hidden = num_heads · head_size` (the `depth` of lesson 03); head `h` owns the numbers `h·head_size … (h+1)·head_size − 1` of every token |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# <details><summary>From lesson 02's columns to rows here</summary>
#
# There, a column was a token. Tokens move from columns to rows, so what holds tokens is transposed; weight matrices stay as they are. Each row of the table below names one thing in both ways.
#
# | lesson 02 | here |
# |---|---|
# | X, D×N, one column a token | `x[b].T`, and D is `input_size` |
# | β1ᵀ + ΩX | `(x @ weight.T + bias).T`: Ω **is** `weight`, β **is** `bias`, without transposing |
# | Ω_q of head h, (D_h, D) | rows `h·head_size … (h+1)·head_size − 1` of `q.weight` |
# | KᵀQ: row = key, column = query | `scores[b, h].T`: row = query, column = key |
# | each **column** of the attention sums to 1 | each **row** of the attention weights sums to 1 |
# | heads stacked along the rows, then Ω_c | heads side by side along the last axis, then `mix`; Ω_c **is** `mix.weight` |
#
# </details>

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import warnings
from copy import deepcopy

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# What a library says of its own future is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)
torch.manual_seed(4)  # so that the demonstrations print the same for all who run the cells in order
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("the demonstrations run on:", device, "(the lesson needs no GPU)")


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
 "self-attention": {
 "made of": "e0350cf95d77", "defines": ["SelfAttention"],
 "advice": {
  "no scale": "Divide the scores by √hidden, before softmax.",
  "divides by hidden": "The scores are divided by hidden, not by its root: divide once, by √hidden.",
  "to the power of one, halved": "The scores are divided by 2·hidden: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take math.sqrt.",
  "multiplies by the root": "The scores are multiplied by √hidden: divide them.",
  "root of input_size": "The scores are divided by √input_size: what counts is the length of a query, hidden.",
  "root of seq": "The scores are divided by √seq: what counts is the length of a query, hidden.",
  "root of batch": "The scores are divided by √2, as by the root of the number of sequences: what counts is the length of a query, hidden.",
  "weights divided, not scores": "What is divided by √hidden here are the weights, the values or the output: divide the scores, before softmax.",
  "softmax over queries": "This softmax runs over the queries: give it dim=-1, so that the weights of each query sum to 1 over the keys.",
  "softmax over the batch": "This softmax runs over the batch, so sequences are mixed up: give it dim=-1, the axis of the keys.",
  "softmax over queries and keys together": "The weights of all queries together sum to 1: softmax runs along the last axis only, over the keys of each query.",
  "softmax twice": "Softmax was taken twice: once is enough.",
  "log of softmax": "The weight of a single token must be 1, and is 0 here: take softmax of the scores, not log_softmax, nor anything that can be 0.",
  "sigmoid": "Each score went through a sigmoid on its own: softmax makes weights that sum to 1 over the keys.",
  "no softmax": "The scores themselves mix the values: send them through softmax first.",
  "no softmax, only exp": "After exp the weights must be divided by their sum over the keys: torch.softmax does both.",
  "divided by their sum, without exp": "The scores are divided by their sum, without exp: take softmax.",
  "transposed weights": "The weights are turned before they meet the values: multiply weights[query, key] with v as they are.",
  "Q and K swapped": "Queries and keys have changed places: the query is the row of the scores, the key the column.",
  "queries compared with queries": "Queries are compared with queries: on the right must stand the keys, from self.k.",
  "keys compared with keys": "Keys are compared with keys: on the left must stand the queries, from self.q.",
  "keys reshaped": "A reshape keeps the order of the numbers and doesn't turn the keys: swap their last two axes with transpose(-2, -1).",
  "a causal mask": "A mask is at work: in this exercise each query may look at all keys.",
  "only the diagonal": "Each token gets its own value only: mix the values of all tokens, weights @ v.",
  "a plain mean": "All weights of a query are alike: the scores q kᵀ must decide how large they are.",
  "V not projected": "The weights mix x itself: they must mix the values v(x).",
  "keys as values": "The weights mix the keys: they must mix the values, from self.v.",
  "queries as values": "The weights mix the queries: they must mix the values, from self.v.",
  "values left without a product": "These are the weights: multiply them with the values.",
  "scores returned": "These are the scores: softmax and the product with the values are to come.",
  "mean of the tokens": "An axis is gone: return one output for each token of each sequence, (batch, seq, hidden).",
  "x added": "Something of x is added to the output: return weights times values, and nothing more.",
  "mixes up the sequences of a batch": "Every sequence gets the values of sequence 0: keep the batch axis of v as it is.",
  "scores of the first sequence for all": "Every sequence gets the weights of sequence 0: keep the batch axis of q and k as it is."},
 "calls": {
  "a single token, whose only weight is 1": [["kind", "sizes", "weights", "x"], [[[[0.738481, 0.874448, -0.0460362, -0.0958003, -0.318917]], [[-1.30162, 1.22355, 2.11832, 1.61977, -0.495363]]]], [
   ["weights divided, not scores", [1.5322, 0.13923]],
   ["softmax over the batch", [0.38552, 0.55467]],
   ["log of softmax", [0, 0]],
   ["sigmoid", [0.91167, 0.41416]],
   ["no softmax", [-3.5172, 1.1545]],
   ["no softmax, only exp", [1.4625, 2.1042]],
   ["V not projected", [-2.3117, -8.3041, [2, 1, 7]]],
   ["keys as values", [0.41023, -1.4505]],
   ["queries as values", [-7.3392, 2.0881]],
   ["values left without a product", [0.53919, 0.68373, [2, 1, 1]]],
   ["scores returned", [1.6417, 1.2172, [2, 1, 1]]],
   ["mean of the tokens", [3.4262, 0.31132, [2, 5]]],
   ["x added", [1.3281, 0.69313]],
   ["mixes up the sequences of a batch", [-0.66171, 1.184]]]],
  "how 3 tokens are weighted (a single one is right)": [["kind", "sizes", "weights", "x"], [[[[[0.251017, 0.349733, 0.399249], [0.214125, 0.41049, 0.375385], [0.288034, 0.357501, 0.354465]]], [[[0.0793357, 0.37317, 0.547495], [0.0338595, 0.259107, 0.707034], [0.170679, 0.32995, 0.499371]]]]], [
   ["no scale", [0.53947, 1.179]],
   ["divides by hidden", [0.11909, 0.58]],
   ["to the power of one, halved", [0.0098235, 0.46161]],
   ["multiplies by the root", [0.70655, 1.3547]],
   ["root of input_size", [0.28206, 0.77361]],
   ["root of seq", [0.40601, 0.94696]],
   ["root of batch", [0.46047, 1.0356]],
   ["softmax over queries", [0.12197, 0.18411]],
   ["softmax over queries and keys together", [0.10412, 0.38403]],
   ["softmax twice", [0.056059, 0.53239]],
   ["divided by their sum, without exp", [9.4128, 0.71547]],
   ["transposed weights", [-0.093403, 0.35429]],
   ["Q and K swapped", [-0.10628, -0.022266]],
   ["queries compared with queries", [-0.73081, 0.3639]],
   ["keys compared with keys", [-0.38529, 0.84987]],
   ["keys reshaped", [0.98082, 1.9822]],
   ["a causal mask", [-0.33681, 0.8305]],
   ["only the diagonal", [-0.012811, 0.34127]],
   ["a plain mean", [-0.10125, 0.34806]],
   ["scores of the first sequence for all", [-0.18505, 0.12694]]]],
  "2 sequences of 3 tokens": [["kind", "sizes", "weights", "x"], [[[[0.108288, 1.51313, 0.29777, 0.113122, 0.241689], [0.0786916, 1.63708, 0.329614, 0.103132, 0.32639], [0.0815156, 1.2636, 0.266156, 0.180304, 0.0936285]], [[0.135906, 0.0763898, 0.716744, 1.5761, -0.618765], [0.208589, -0.0188786, 0.641322, 1.56322, -0.64908], [-0.11147, 0.276082, 0.958212, 1.58427, -0.596055]]]], []]}},
 "split-heads": {
 "made of": "373d648055b5", "defines": ["split_heads"],
 "advice": {
  "view without transpose": "A bare reshape hands slices of tokens to the wrong head: cut the last axis in two first, then swap axes 1 and 2.",
  "another bare reshape, turned": "The reshape must cut the last axis only: (batch, seq, num_heads, head_size), and then swap axes 1 and 2.",
  "heads after tokens": "The heads come after the tokens: swap axes 1 and 2 after cutting.",
  "interleaved heads": "The heads are interleaved: cut the last axis into (num_heads, head_size), in this order, so that each head gets neighbours.",
  "size and heads swapped in the cut": "There are too many heads, of too few numbers: cut into (num_heads, head_size), in this order (torch.split takes the length of a slice, torch.chunk the number of slices).",
  "heads in reverse order": "The heads are in reverse order: head 0 gets the first slice.",
  "head 0 for all": "Every head got the slice of head 0: head h begins at number h·head_size.",
  "slices that overlap": "The slices overlap: head h begins at number h·head_size, not at h.",
  "tokens and numbers swapped too": "The heads are right, but tokens and numbers have changed places: the last axis is head_size.",
  "all axes turned": "Every axis has moved: swap only axes 1 and 2, tokens and heads.",
  "tokens swapped with numbers": "Tokens and numbers have changed places: swap axes 1 and 2, tokens and heads.",
  "batch swapped with heads": "The heads took the place of the batch: swap axes 1 and 2, tokens and heads.",
  "stacked in front": "The heads stand in the right slices, but not behind the batch: bring the new axis to place 1 (with torch.stack, give dim=1).",
  "stacked at the end": "The heads are the last axis: bring them to axis 1, behind the batch (with torch.stack, give dim=1).",
  "slices joined again": "The heads have no axis of their own: torch.stack makes a new one, torch.cat makes an old one longer.",
  "tokens cut, not numbers": "The tokens were cut: cut the last axis (dim=-1), so that each head sees every token.",
  "one head only": "Only head 0 came back: keep the axis of the heads.",
  "nothing cut": "This is x as it was: cut its last axis into heads.",
  "mixes up batch and tokens": "The reshape mixes up batch and tokens: it must keep batch and seq in front, in this order, and cut the last axis only.",
  "batch and seq read in the wrong order": "The first two sizes are read in the wrong order: x.shape is (batch, seq, hidden).",
  "turned first, then reshaped": "The reshape must cut the last axis only, and come first: (batch, seq, num_heads, head_size), and then swap axes 1 and 2.",
  "the last head for all": "Every head got the slice of the last one: is the result of each head kept apart, and head h cut from h·head_size on?"},
 "calls": {
  "5 sequences, 4 tokens, 6 numbers, 2 heads": [["x", "num_heads"], [[[[[96, 3, 24], [85, 83, 6], [35, 80, 14], [101, 42, 92]], [[69, 23, 1], [86, 103, 75], [116, 64, 26], [105, 108, 53]]], [[[88, 55, 25], [97, 44, 33], [95, 106, 65], [70, 76, 112]], [[102, 5, 66], [37, 17, 8], [77, 43, 115], [50, 10, 39]]], [[[7, 119, 20], [21, 36, 13], [38, 62, 82], [60, 78, 45]], [[41, 57, 113], [12, 18, 90], [61, 114, 104], [22, 93, 118]]], [[[34, 107, 2], [28, 56, 49], [100, 72, 51], [9, 117, 110]], [[48, 111, 91], [16, 109, 58], [29, 87, 30], [71, 94, 31]]], [[[99, 74, 19], [11, 0, 63], [84, 73, 46], [89, 52, 15]], [[4, 98, 40], [27, 79, 47], [81, 59, 68], [54, 32, 67]]]]], [
   ["view without transpose", [483.96, -55.462]],
   ["another bare reshape, turned", [-40.698, 48.29]],
   ["another bare reshape, turned", [306.28, -161.66]],
   ["heads after tokens", [483.96, -55.462, [5, 4, 2, 3]]],
   ["interleaved heads", [-1.2489, 517.82]],
   ["size and heads swapped in the cut", [9.9394, 163.14, [5, 3, 4, 2]]],
   ["heads in reverse order", [-85.38, -152.59]],
   ["head 0 for all", [-287.33, 104.4]],
   ["slices that overlap", [-377.43, 265.15]],
   ["tokens and numbers swapped too", [242.71, 653.01, [5, 2, 3, 4]]],
   ["all axes turned", [-27.922, -6.0894, [3, 2, 4, 5]]],
   ["tokens swapped with numbers", [116.12, 147.55, [5, 3, 2, 4]]],
   ["batch swapped with heads", [235.09, -97.474, [2, 4, 5, 3]]],
   ["stacked in front", [158.61, -320.76, [2, 5, 4, 3]]],
   ["stacked at the end", [265.41, 196.78, [5, 4, 3, 2]]],
   ["slices joined again", [-33.799, 258.19, [5, 8, 3]]],
   ["tokens cut, not numbers", [483.96, -55.462, [5, 2, 2, 6]]],
   ["one head only", [241.49, -7.5541, [5, 4, 3]]],
   ["nothing cut", [483.96, -55.462, [5, 4, 6]]],
   ["mixes up batch and tokens", [535.56, 370.39]],
   ["batch and seq read in the wrong order", [336.84, -193.87, [4, 2, 5, 3]]],
   ["turned first, then reshaped", [242.71, 653.01]],
   ["the last head for all", [168.15, 1.2049]]]],
  "1 head": [["x", "num_heads"], [[[[[96, 3, 24, 69, 23, 1], [85, 83, 6, 86, 103, 75], [35, 80, 14, 116, 64, 26]]], [[[88, 55, 25, 102, 5, 66], [97, 44, 33, 37, 17, 8], [95, 106, 65, 77, 43, 115]]]]], []],
  "a head for each of 6 numbers": [["x", "num_heads"], [[[[[96], [85], [35]], [[3], [83], [80]], [[24], [6], [14]], [[69], [86], [116]], [[23], [103], [64]], [[1], [75], [26]]], [[[88], [97], [95]], [[55], [44], [106]], [[25], [33], [65]], [[102], [37], [77]], [[5], [17], [43]], [[66], [8], [115]]]]], []]}},
 "merge-heads": {
 "made of": "27458c3ca59e", "defines": ["merge_heads"],
 "advice": {
  "merge without transpose": "Swap heads and tokens back (axes 1 and 2) before you join the last two axes.",
  "interleaved": "The heads are interleaved: keep a head's numbers side by side, heads first and then the number within the head.",
  "numbers before tokens": "Axes 1 and 3 have changed places: swap 1 and 2, heads and tokens.",
  "tokens and numbers turned": "Axes 2 and 3 have changed places: swap 1 and 2, heads and tokens.",
  "reverse order": "The heads are in the wrong order: head 0 comes first.",
  "head 0 for all": "Head 0 stands in every place: take each head once.",
  "head 0 only": "Only one head came back: put all of them side by side.",
  "mean over heads": "The heads were averaged: put them side by side, so that no number is lost.",
  "sum over heads": "The heads were added up: put them side by side, so that no number is lost.",
  "not joined": "The last two axes are still apart: join them into one of num_heads · head_size.",
  "heads joined with tokens": "The heads stand one after the other along the tokens: join them along the last axis.",
  "tokens joined with heads": "Tokens and heads were joined: after the swap, join the last two axes (heads and numbers).",
  "sequences joined": "The sequences were put side by side: join the heads, along the last axis, and keep the batch.",
  "heads joined as the new tokens": "The middle axis of the result must be the tokens: x.shape is (batch, num_heads, seq, head_size).",
  "mixes up batch and tokens": "The batch must stay the first axis: swap only axes 1 and 2.",
  "joined into batch and hidden": "Tokens, heads and numbers were all joined: join only the last two axes, after the swap.",
  "all axes turned": "Every axis has moved: swap only axes 1 and 2, heads and tokens.",
  "nothing done": "This is x as it was: swap heads and tokens, and join the last two axes.",
  "reshaped, swapped, reshaped": "A reshape doesn't swap heads and tokens: begin with transpose(1, 2), and reshape only then.",
  "slices that overlap": "The heads are written over each other: head h goes to the numbers from h·head_size on.",
  "turned twice": "Swap axes 1 and 2, heads and tokens, before the last two are joined, and nothing else."},
 "calls": {
  "5 sequences, 2 heads, 4 tokens, 3 numbers": [["x"], [[[[91, 54, 80, 79, 58, 62], [63, 55, 114, 60, 77, 68], [67, 29, 118, 0, 84, 105], [110, 86, 9, 100, 74, 45]], [[93, 48, 31, 24, 47, 33], [2, 116, 94, 61, 59, 111], [72, 7, 64, 3, 98, 19], [97, 85, 83, 87, 13, 21]], [[40, 56, 65, 92, 69, 41], [73, 101, 102, 52, 42, 117], [49, 11, 88, 6, 71, 53], [37, 39, 66, 4, 76, 1]], [[12, 46, 96, 78, 112, 75], [14, 16, 25, 50, 107, 57], [81, 103, 8, 51, 30, 20], [104, 44, 36, 89, 119, 106]], [[113, 10, 5, 115, 109, 95], [15, 35, 90, 32, 18, 34], [22, 28, 43, 26, 70, 99], [82, 23, 17, 108, 27, 38]]]], [
   ["merge without transpose", [-138.43, -48.484]],
   ["interleaved", [-98.692, -171.81]],
   ["numbers before tokens", [-297.72, -568.27]],
   ["tokens and numbers turned", [61.997, -432.61]],
   ["reverse order", [170.61, 186.16]],
   ["head 0 for all", [356.82, 834.65]],
   ["head 0 only", [-336.1, -262.66, [5, 4, 3]]],
   ["mean over heads", [-181.26, -261.99, [5, 4, 3]]],
   ["sum over heads", [-362.51, -523.99, [5, 4, 3]]],
   ["not joined", [258.36, 167.01, [5, 4, 2, 3]]],
   ["heads joined with tokens", [-138.43, -48.484, [5, 8, 3]]],
   ["tokens joined with heads", [258.36, 167.01, [5, 8, 3]]],
   ["sequences joined", [-22.893, -128.73, [2, 4, 15]]],
   ["heads joined as the new tokens", [258.36, 167.01, [5, 2, 12]]],
   ["mixes up batch and tokens", [-54.512, 44.799]],
   ["joined into batch and hidden", [258.36, 167.01, [5, 24]]],
   ["all axes turned", [134.38, 92.652]],
   ["nothing done", [-138.43, -48.484, [5, 2, 4, 3]]],
   ["reshaped, swapped, reshaped", [172.59, -125.26]],
   ["slices that overlap", [201.38, 264.56]],
   ["turned twice", [282.99, 223.44]]]],
  "1 head": [["x"], [[[[91, 54, 80], [63, 55, 114], [67, 29, 118], [110, 86, 9]], [[93, 48, 31], [2, 116, 94], [72, 7, 64], [97, 85, 83]]]], []]}},
 "scaled-scores": {
 "made of": "f783d2a2111f", "defines": ["scaled_scores"],
 "advice": {
  "no scale": "The scores are not divided: divide them by √head_size.",
  "divides by head_size": "The scores are divided by head_size, not by its root: divide once, by √head_size.",
  "to the power of one, halved": "The scores are divided by 2·head_size: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take math.sqrt.",
  "root of hidden": "The scores are divided by √hidden: a dot product in one head sums only head_size products.",
  "root of seq": "The scores are divided by √seq_k: the number of tokens has nothing to do with the spread of one score, so take the last axis of q.",
  "root of the number of queries": "The scores are divided by √seq_q: the number of tokens has nothing to do with the spread of one score, so take the last axis of q.",
  "root of num_heads": "The scores are divided by √num_heads: it is the length of a query that counts, the last axis of q.",
  "root of batch": "The scores are divided by √2, as by the root of the number of sequences: it is the length of a query that counts, the last axis of q.",
  "multiplies": "The scores are multiplied by √head_size: divide them.",
  "a mean of products": "The products are averaged: a dot product is their sum, divided by √head_size only.",
  "numbers not summed over": "The sum runs over the keys: a dot product sums over the numbers, the last axis.",
  "Q and K swapped": "Queries and keys have changed places: the query is the row, the key the column.",
  "keys reshaped": "A reshape keeps the order of the numbers and doesn't turn the keys: swap their last two axes with transpose(-2, -1).",
  "softmax already": "These are weights already: softmax comes later, after the mask.",
  "of length 1": "Each score is divided by the lengths of its own two vectors: divide all of them by √head_size.",
  "causal already": "Some scores were set to 0: no mask belongs here, since that is the next exercise.",
  "head 0 for all": "Every head got the queries of head 0: multiply q and k as they are, so that heads stay apart.",
  "keys of head 0 for all": "Every head got the keys of head 0: multiply q and k as they are, so that heads stay apart.",
  "sequence 0 for all": "Every sequence got the keys of sequence 0: multiply q and k as they are, so that sequences stay apart.",
  "heads added up": "The heads were added up: each has scores of its own.",
  "only the scale of q": "This is q, scaled: its product with the keys is missing.",
  "a difference for a product": "These are distances: take dot products of queries and keys.",
  "keys of all heads": "The keys of all heads are added up: in einsum, q and k have the same letter for the heads.",
  "axes in another order": "The heads come before the queries: [batch, num_heads, seq_q, seq_k]."},
 "calls": {
  "4 queries and 5 keys in 3 heads of size 6": [["q", "k"], [[[[[-0.456196, -1.19579, -0.114781, 0.407941, 0.0676658], [0.0660491, 0.968752, 0.611759, -0.158456, -0.498056], [0.384518, 0.0936569, 0.176322, -0.115825, -0.234625], [0.604463, -0.123582, 0.0419674, -0.574522, -0.445975]], [[-2.00162, -0.403005, 2.88814, -0.593105, -0.835407], [0.330821, -0.147913, 0.802035, -2.01715, 0.0623314], [0.11681, 1.33357, -0.846384, -0.0535547, 0.41888], [1.67087, 0.758974, -1.43229, -0.214807, -1.06914]], [[-1.17325, -0.515822, -0.242143, 0.217328, 0.709441], [1.43546, -0.068373, -0.791124, -0.865202, -0.333462], [0.858322, 0.78425, -2.63808, -1.21067, -0.879059], [1.7334, 0.311344, 0.214199, -0.158663, -1.04097]]], [[[-0.00340795, -0.347766, -0.410526, -0.480282, 0.134859], [-1.11115, 0.363374, 1.79415, 0.523367, 0.144705], [1.09661, 0.13914, -0.958809, -0.00493744, -0.0524074], [0.415159, 0.0548837, -1.38732, -1.40931, 1.11897]], [[0.420861, -0.350012, -0.900222, 0.393133, 0.672943], [0.146176, -0.499339, 0.652617, -2.06236, -1.57495], [-1.9877, 0.721797, 1.9447, 0.264879, 0.908847], [-1.68523, 1.16715, 0.732231, 1.45287, 0.528352]], [[0.688143, 1.40819, 0.67795, -1.00779, 3.22234], [0.0268453, -0.540718, 0.959228, -0.446904, -1.03504], [1.41809, -0.157035, -0.790017, 0.315754, 0.842816], [0.152903, 1.20832, 1.78989, -3.50684, -0.248917]]]]], [
   ["no scale", [-0.23055, 8.1512]],
   ["divides by head_size", [-0.038425, 1.3585]],
   ["to the power of one, halved", [-0.019212, 0.67926]],
   ["root of hidden", [-0.054341, 1.9212]],
   ["root of seq", [-0.1031, 3.6453]],
   ["root of the number of queries", [-0.11527, 4.0756]],
   ["root of num_heads", [-0.13311, 4.7061]],
   ["root of batch", [-0.16302, 5.7637]],
   ["multiplies", [-0.56473, 19.966]],
   ["a mean of products", [-0.015687, 0.55462]],
   ["numbers not summed over", [2.4827, -7.6973, [2, 3, 4, 6]]],
   ["Q and K swapped", [-2.2653, -10.237, [2, 3, 5, 4]]],
   ["keys reshaped", [-14.018, -14.328]],
   ["softmax already", [1.3137, 1.2118]],
   ["of length 1", [0.41553, 1.5914]],
   ["causal already", [-3.6093, -3.8891]],
   ["head 0 for all", [-12.545, -4.9801]],
   ["keys of head 0 for all", [-5.445, 2.9414]],
   ["sequence 0 for all", [5.5172, 3.911]],
   ["heads added up", [-6.167, -8.886, [2, 4, 5]]],
   ["only the scale of q", [-3.7262, -0.052017, [2, 3, 4, 6]]],
   ["a difference for a product", [0.63321, 2.6442]],
   ["keys of all heads", [10.549, 16.81]],
   ["axes in another order", [1.8042, 11.217, [2, 4, 3, 5]]]]],
  "1 query and 2 keys of size 1": [["q", "k"], [[[[[-1.18494, -2.01915]], [[-1.06377, -2.45529]]]]], []]}},
 "mask-future": {
 "made of": "ee61e49f7a3d", "defines": ["mask_future"],
 "advice": {
  "no mask": "Nothing is blocked: this is what was given. Put −∞ where the key comes after its query.",
  "blocks the diagonal": "The diagonal is blocked too: a query keeps itself, so only keys with j > i go.",
  "inverted": "What should be kept is blocked, and the future is open: turn the mask round (in masked_fill, True means replace).",
  "only the future is kept, and the diagonal": "This blocks the past: the query is the row and the key the column, and keys with j > i go.",
  "everything but the diagonal": "Only the diagonal is left: keys before the query are kept, too.",
  "0 instead of -inf": "Blocked scores are 0 here, and e⁰ is a share like others: they must be −∞.",
  "zero scores are blocked": "A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are.",
  "a triangle of the scores as the mask": "A score of exactly 0 in the future is left open here: make the mask of positions, not of what the scores are.",
  "negative scores are blocked": "Only scores above 0 are blocked: make the mask of positions, not of what the scores are.",
  "-1e9 instead of -inf": "A large negative number is not −∞: fill with float('-inf').",
  "+inf": "The sign is wrong: a blocked score is −∞, not +∞.",
  "one key too many is kept": "One key of the future is open, the next one: the triangle begins right of the diagonal, triu(1), where j > i.",
  "a query keeps the one before it only": "Keys two and more places back are blocked too: a query keeps all that came before.",
  "turned upside down": "The triangle is turned over: the first query keeps one key, the last one all.",
  "softmax already": "These are weights: softmax comes later, outside of this function.",
  "mask only, without the scores": "This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them.",
  "one is added where it is kept": "Kept scores have changed: add 0 to them, and −∞ to the others.",
  "only for the first head": "Only head 0 is masked: every head of every sequence needs the triangle.",
  "only for the first sequence": "Only sequence 0 is masked: every head of every sequence needs the triangle.",
  "only one table": "Only head 0 of sequence 0 is masked: every head of every sequence needs the triangle.",
  "only the last key is blocked": "Only one key of each query is blocked: block all that come after it, from i + 1 to the end.",
  "as many queries as heads": "Only as many queries are masked as there are heads: their number is scores.shape[-2].",
  "as many queries as sequences": "Only as many queries are masked as there are sequences: their number is scores.shape[-2].",
  "mask of heads and sequences": "Sequences and heads are compared: compare the last two axes, queries and keys.",
  "an axis too many": "The result has an axis too many: a mask of (seq, seq), or (1, 1, seq, seq), fits all sequences and heads.",
  "mask times -inf": "0 times −∞ is NaN: put −∞ where the mask is, with masked_fill or where, and multiply nothing."},
 "calls": {
  "3 sequences, 2 heads, 5 tokens, and scores of 0 among them": [["scores"], [[[[[2, -Infinity, -Infinity, -Infinity, -Infinity], [1, 1, -Infinity, -Infinity, -Infinity], [-0.5, 1.5, 0.5, -Infinity, -Infinity], [0.5, -1, -0.5, 0, -Infinity], [0, 0.5, 1.5, 1.5, -1.5]], [[1, -Infinity, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity, -Infinity], [1.5, -0.5, 0.5, -Infinity, -Infinity], [-0.5, -2, -1, -1.5, -Infinity], [1, -0.5, -2, -0.5, 1]]], [[[1.5, -Infinity, -Infinity, -Infinity, -Infinity], [-1.5, 0, -Infinity, -Infinity, -Infinity], [-1, 1.5, 1.5, -Infinity, -Infinity], [1, -1, 1, -0.5, -Infinity], [1.5, 2, 1, -0.5, -1.5]], [[-2, -Infinity, -Infinity, -Infinity, -Infinity], [-2, -1.5, -Infinity, -Infinity, -Infinity], [-0.5, 1.5, 1, -Infinity, -Infinity], [1.5, -2, -0.5, 2, -Infinity], [1, 2, 1, 1, 1.5]]], [[[0, -Infinity, -Infinity, -Infinity, -Infinity], [-0.5, 1, -Infinity, -Infinity, -Infinity], [-1, -0.5, 0, -Infinity, -Infinity], [0.5, 1, 0, 1.5, -Infinity], [-0.5, -0.5, -0.5, 2, 0]], [[-2, -Infinity, -Infinity, -Infinity, -Infinity], [-0.5, -1.5, -Infinity, -Infinity, -Infinity], [0, -1.5, -0.5, -Infinity, -Infinity], [-1, -1, 1, -2, -Infinity], [-1, 0.5, -1.5, -2, -0.5]]]]], [
   ["no mask", [6.7628, 1.8653]],
   ["blocks the diagonal", [-653.16, 167.97]],
   ["inverted", [451.3, -280.44]],
   ["only the future is kept, and the diagonal", [299.77, -297.66]],
   ["everything but the diagonal", [-511.69, -148.78]],
   ["0 instead of -inf", [-6.522, 3.8036]],
   ["zero scores are blocked", [1182.2, 2143.8]],
   ["a triangle of the scores as the mask", [-340.24, 3391.5]],
   ["negative scores are blocked", [-3199.2, 1323.6]],
   ["-1e9 instead of -inf", [-798970000, 147090000]],
   ["-1e9 instead of -inf", [-798970000000, 147090000000]],
   ["-1e9 instead of -inf", [-7996.2, 1474.7]],
   ["+inf", [791.65, -143.14]],
   ["one key too many is kept", [-2.2947, 782.26]],
   ["a query keeps the one before it only", [-478.67, -718.13]],
   ["turned upside down", [2537.2, -52.297]],
   ["softmax already", [-0.19939, -0.76258]],
   ["mask only, without the scores", [-798.17, 146.95]],
   ["mask only, without the scores", [-0.43846, 0.27878]],
   ["mask only, without the scores", [0.79897, -0.14709]],
   ["mask only, without the scores", [-201.24, -477.29, [5, 5]]],
   ["one is added where it is kept", [-805.13, 151.03]],
   ["only for the first head", [-66.625, 0.80418]],
   ["only for the first sequence", [-940.78, -875.38]],
   ["only one table", [-194.45, -474.39]],
   ["only the last key is blocked", [-1391.2, 1032.4]],
   ["only the last key is blocked", [-795.63, -629.64]],
   ["as many queries as heads", [-1090.3, 246.9]],
   ["as many queries as sequences", [356.34, 179.01]],
   ["mask of heads and sequences", [-834.61, -473.35]],
   ["an axis too many", [-804.69, 150.75, [1, 3, 2, 5, 5]]],
   ["mask times -inf", [-1138.9, 363.56]],
   ["mask times -inf", [-6046.3, 1986.3]]]],
  "a single token": [["scores"], [[[[[2]], [[1]]]]], []]}},
 "mask-padding": {
 "made of": "7b81d0cbfade", "defines": ["mask_padding"],
 "advice": {
  "lengths ignored": "Nothing is blocked: put −∞ into the columns of each sequence's own padded keys, from lengths[b] on.",
  "padding of queries instead of keys": "The rows of padded queries are blocked: block the columns of padded keys, on the last axis.",
  "padding of queries and keys": "Rows are blocked as well as columns: block only the columns of padded keys.",
  "padding where both are padded": "Only padded queries are kept from padded keys: the columns of padded keys are blocked for every query.",
  "one key too many is blocked": "One column too many is blocked: with length n, keys 0 to n − 1 are real, and j >= n goes.",
  "the first padded key is kept": "The first padded key is kept: with length n, key n is padding already, so compare with >=.",
  "inverted": "The real keys are blocked, and the padding is open: in masked_fill, True means replace.",
  "counts the padding, not the tokens": "As many keys are blocked at the end as there are real ones: lengths[b] counts the tokens that stay.",
  "padding at the start": "The first keys are blocked: padding stands at the end, from lengths[b] on.",
  "0 instead of -inf": "Blocked scores are 0 here, and e⁰ is a share like others: they must be −∞.",
  "zero scores are blocked": "A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are.",
  "-1e9 instead of -inf": "A large negative number is not −∞: fill with float('-inf').",
  "+inf": "The sign is wrong: a blocked score is −∞, not +∞.",
  "mask times -inf": "0 times −∞ is NaN: put −∞ where the mask is, with masked_fill or where, and multiply nothing.",
  "the first length for all": "Every sequence got the length of sequence 0: each has its own, lengths[b].",
  "the last length for all": "Every sequence got the same length, of the shortest or of the last one: each has its own, lengths[b].",
  "sorted lengths": "The lengths are those of other sequences: lengths[b] belongs to sequence b, in the order given.",
  "only the first head": "Only head 0 is masked: padding is blocked for every head.",
  "only the first query": "Only query 0 is masked: padding is blocked for every query.",
  "only the last query": "Only the last query is masked: padding is blocked for every query.",
  "one column": "Only one padded key of each sequence is blocked: block all from lengths[b] to the end.",
  "the loop returns at once": "Not every sequence is masked: go through all of them, and return after the loop.",
  "a new copy for each sequence": "Only the last sequence is masked: the copy is made anew for each, so make it once, before the loop.",
  "softmax already": "These are weights: softmax comes later, outside of this function.",
  "mask only, without the scores": "This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them.",
  "cut off": "The padding was cut off: the shape stays, with −∞ in the padded columns.",
  "causal as well": "The future is blocked too: that is mask_future's work, and here only padding goes.",
  "lengths of the heads": "The lengths are taken for those of the heads: lengths[b] belongs to sequence b, the first axis.",
  "heads are cut, not keys": "Whole heads are blocked: the keys are the last axis, so write masked[b, :, :, n:].",
  "sequences are cut, not keys": "Whole sequences are blocked: the keys are the last axis, so write masked[b, :, :, n:].",
  "as many as are left, from behind": "A sequence without padding is blocked whole: the slice [-0:] is everything, so cut from lengths[b] on."},
 "calls": {
  "4 tokens, lengths 2, 4 and 1": [["scores", "lengths"], [[[[[-2, 0, -Infinity, -Infinity], [1.5, -0.5, -Infinity, -Infinity], [0, 0.5, -Infinity, -Infinity], [-1, 0.5, -Infinity, -Infinity]], [[0.5, 0, -Infinity, -Infinity], [-0.5, 1, -Infinity, -Infinity], [-1, -2, -Infinity, -Infinity], [0.5, 1.5, -Infinity, -Infinity]]], [[[-2, 2, 0, 2], [-1, -1.5, 0.5, -0.5], [0.5, -2, 1.5, 0], [1, 2, -0.5, -0.5]], [[2, 2, 0, -0.5], [-2, 0, -1.5, 1.5], [-1.5, 1, 0, -0.5], [-0.5, -1, -0.5, -2]]], [[[0.5, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity], [-2, -Infinity, -Infinity, -Infinity], [-0.5, -Infinity, -Infinity, -Infinity]], [[-1, -Infinity, -Infinity, -Infinity], [-2, -Infinity, -Infinity, -Infinity], [-1.5, -Infinity, -Infinity, -Infinity], [1, -Infinity, -Infinity, -Infinity]]]]], [
   ["lengths ignored", [5.8312, -16.074]],
   ["padding of queries instead of keys", [1074.1, -348.54]],
   ["padding of queries and keys", [-1974.7, -69.49]],
   ["padding where both are padded", [-2373.2, -805.83]],
   ["one key too many is blocked", [-1901.7, 433.84]],
   ["the first padded key is kept", [75.848, -86.186]],
   ["inverted", [5515.1, 374.29]],
   ["counts the padding, not the tokens", [-2116.7, -141.21]],
   ["padding at the start", [2209.8, -11.294]],
   ["0 instead of -inf", [-0.57356, -7.1945]],
   ["zero scores are blocked", [-1595.8, -1181.1]],
   ["-1e9 instead of -inf", [-5426800000, -520110000]],
   ["-1e9 instead of -inf", [-5426800000000, -520110000000]],
   ["+inf", [5420.8, 512.4]],
   ["mask times -inf", [-9705.9, -817.61]],
   ["the first length for all", [-197.53, 172.69]],
   ["the last length for all", [-226.48, -147.4]],
   ["sorted lengths", [369.04, 351.17]],
   ["sorted lengths", [315.68, 479.45]],
   ["only the first head", [-4998.1, -385.4]],
   ["only the first query", [-1715.8, 565.21]],
   ["only the last query", [-576.79, -1376.5]],
   ["one column", [-5492, -456.68]],
   ["one column", [1285.2, 182.57]],
   ["the loop returns at once", [-4518.5, -623.85]],
   ["a new copy for each sequence", [-897.6, 80.987]],
   ["softmax already", [-4.4076, -1.7468]],
   ["mask only, without the scores", [-5421.4, -519.59]],
   ["mask only, without the scores", [-0.19764, 0.66883, [3, 1, 1, 4]]],
   ["cut off", [-2.5266, -4.7856, [3, 2, 4, 1]]],
   ["causal as well", [-3414.2, -920.03]],
   ["lengths of the heads", [-401.8, 2.6222]],
   ["heads are cut, not keys", [201.96, 432.85]],
   ["sequences are cut, not keys", [149.84, 597.77]],
   ["as many as are left, from behind", [-6363.2, -775.3]]]],
  "4 queries, 5 keys, lengths in a LongTensor": [["scores", "lengths"], [[[[[-2, 0, 2, -Infinity, -Infinity], [1.5, -0.5, -1.5, -Infinity, -Infinity], [0, 0.5, -1.5, -Infinity, -Infinity], [-1, 0.5, 0, -Infinity, -Infinity]], [[0.5, 0, 2, -Infinity, -Infinity], [-0.5, 1, 0.5, -Infinity, -Infinity], [-1, -2, 2, -Infinity, -Infinity], [0.5, 1.5, 0.5, -Infinity, -Infinity]]], [[[-2, -Infinity, -Infinity, -Infinity, -Infinity], [-1, -Infinity, -Infinity, -Infinity, -Infinity], [0.5, -Infinity, -Infinity, -Infinity, -Infinity], [1, -Infinity, -Infinity, -Infinity, -Infinity]], [[2, -Infinity, -Infinity, -Infinity, -Infinity], [-2, -Infinity, -Infinity, -Infinity, -Infinity], [-1.5, -Infinity, -Infinity, -Infinity, -Infinity], [-0.5, -Infinity, -Infinity, -Infinity, -Infinity]]], [[[0.5, 2, 0.5, 0, 1], [0, 1, -1, 0.5, -1.5], [-2, 1, 0.5, -1, 1], [-0.5, 1, 2, -2, -1.5]], [[-1, 2, -2, -1.5, -0.5], [-2, -1.5, 0.5, -1, -1], [-1.5, 2, -2, 2, -2], [1, 2, 1.5, -0.5, -1.5]]]]], []]}},
 "multi-head": {
 "made of": "a39541013547", "defines": ["MultiHeadSelfAttention"],
 "advice": {
  "no scale": "Divide the scores by √head_size, before softmax.",
  "root of hidden": "The scores are divided by √hidden: a dot product in one head sums only head_size products, so take √head_size.",
  "root of seq": "The scores are divided by √seq: what counts is the length of a head's query, head_size.",
  "root of num_heads": "The scores are divided by √num_heads: what counts is the length of a head's query, head_size.",
  "divides by head_size": "The scores are divided by head_size, not by its root: divide once, by √head_size.",
  "softmax over queries": "This softmax runs over the queries: give it dim=-1, so that the weights of each query sum to 1 over the keys.",
  "Q and K swapped": "Queries and keys have changed places: the query is the row of the scores, the key the column.",
  "split by view without transpose": "A bare reshape hands slices of tokens to the wrong head: cut the last axis into (num_heads, head_size), then swap axes 1 and 2 (see 4.3).",
  "merge without transpose": "The heads are merged without swapping heads and tokens back: swap axes 1 and 2, then join the last two (see 4.3).",
  "interleaved heads": "Each head must own a contiguous slice: cut hidden into (num_heads, head_size), in this order.",
  "interleaved when merged": "The numbers come out interleaved: where heads are cut and merged, swap axes 1 and 2 only, so that a head's numbers stay side by side.",
  "head 0 for all": "Head 0's output stands in every place: merge all heads.",
  "head 0's weights for all": "Every head uses the weights of head 0: softmax and product must keep the axis of the heads.",
  "heads in the wrong order": "The heads are put together in the wrong order: head 0 comes first.",
  "mix left out": "The output layer mix is left out: send the merged heads through it.",
  "V not projected": "The values are x itself: project them with self.v.",
  "mix applied twice": "mix is applied twice: once is enough.",
  "always causal": "A mask of the future is at work although causal is False: ask for self.causal, and nothing else, before you mask.",
  "no mask": "causal=True changes nothing here: mask if self.causal is true, go on with what that gives back, and let lengths come on top of it, not in its place.",
  "mask including the diagonal": "The first query has no key left, which gives NaN: a query keeps itself, so block only keys with j > i.",
  "mask inverted": "The mask is the wrong way round: keys after the query must go. True means block in masked_fill, and may attend in F.scaled_dot_product_attention.",
  "mask transposed": "The mask is turned and blocks the past: the query is the row, the key the column, and keys with j > i go.",
  "mask after softmax": "The weights of a query don't sum to 1 here: the mask belongs before softmax, not after it.",
  "masked with 0 before softmax": "Blocked scores are 0 before softmax, and e⁰ is a share like others: they must be −∞.",
  "one key of the future is seen": "One key of the future is open, the next one: block every key with j > i.",
  "a query sees itself only": "Each token gets its own value only: do the weights meet the values, are axes 1 and 2 swapped after cutting into heads, and does a mask leave the keys before the query?",
  "only the last two tokens are seen": "Keys two and more places back are blocked too: a query sees all that came before.",
  "lengths ignored": "lengths changes nothing for the real queries: block the columns of the padded keys, on the last axis.",
  "padding inverted": "The real keys are blocked and the padding is open: in masked_fill, True means replace.",
  "padding off by one": "One key too many is blocked: with length n, keys 0 to n − 1 are real, and j >= n goes.",
  "padding as 0": "The scores of the padding are 0 before softmax, and e⁰ is a share like others: they must be −∞.",
  "head-major": "probs is head-major: join batch and heads in this order, so that row b·num_heads + h is head h of sequence b.",
  "scores instead of weights": "These are scores: probs are the weights, after softmax.",
  "transposed": "probs is turned: its rows are the queries, its columns the keys.",
  "softmax over the batch": "Softmax must run along the last axis, over the keys (dim=-1): here it runs over the batch or the heads, or is missing.",
  "no softmax, only exp": "After exp the weights must be divided by their sum over the keys: torch.softmax does both.",
  "a plain mean of the tokens that may be seen": "All weights of a query are alike: the scores q kᵀ must decide how large they are.",
  "to the power of one, halved": "The scores are divided by 2·head_size: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take math.sqrt.",
  "multiplies by the root": "The scores are multiplied by √head_size: divide them.",
  "root of input_size": "The scores are divided by √input_size: what counts is the length of a head's query, head_size.",
  "root of batch": "The scores are divided by the root of the number of sequences: what counts is the length of a head's query, head_size.",
  "weights divided, not scores": "What is divided by a root here are the weights, the values or the output: divide the scores, before softmax.",
  "keys reshaped": "A reshape keeps the order of the numbers and doesn't turn the keys: swap their last two axes with transpose(-2, -1).",
  "queries compared with queries": "Queries are compared with queries: the keys come from self.k, and stand on the right.",
  "keys compared with keys": "Keys are compared with keys: the queries come from self.q, and stand on the left.",
  "values of the layer k": "The weights mix queries or keys: they must mix the values, from self.v.",
  "queries and keys as they come, x": "Queries and keys are x itself: project them with self.q and self.k.",
  "softmax twice": "Softmax was taken twice: once is enough.",
  "log of softmax": "The weight of a single token must be 1, and is 0 here: take softmax of the scores, not log_softmax, nor anything that can be 0.",
  "sigmoid": "Each score went through a sigmoid on its own: softmax makes weights that sum to 1 over the keys.",
  "weights turned": "The weights are turned before they meet the values: multiply weights[query, key] with v as they are.",
  "interleaved when split": "The heads are cut one way and merged another: each must own a contiguous slice, so cut hidden into (num_heads, head_size), in this order.",
  "always two heads": "This fits a layer with two heads only: use num_heads, as it was given.",
  "always one head": "All numbers of a token stand in one head here: cut q, k and v into num_heads slices.",
  "the weight of mix is not turned": "mix is multiplied without turning its weight: call the layer, self.mix(...).",
  "mix without its bias": "The bias of mix is missing: call the layer, self.mix(...).",
  "x added": "Something of x is added to the output: return mix of the merged heads, and nothing more.",
  "heads averaged": "The heads were averaged: put them side by side.",
  "sequences of a batch mixed up in v": "Every sequence gets the values of sequence 0: keep the batch axis of v as it is.",
  "mask of the scores' values": "A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are.",
  "only head 0 is causal": "Only head 0 is masked: every head of every sequence needs the mask.",
  "only sequence 0 is causal": "Only sequence 0 is masked: every head of every sequence needs the mask.",
  "the first padded key is seen": "The first padded key is seen: with length n, key n is padding already, so compare with >=.",
  "the first length for all": "Every sequence got the length of sequence 0: each has its own, lengths[b].",
  "only one column of the padding": "Only one padded key of each sequence is blocked: block all from lengths[b] on.",
  "raw scores, masked, returned as logs": "These are logarithms: probs are the weights, after softmax.",
  "the merged values added": "Something is added to what the heads give: mix takes weights times values, and nothing more.",
  "lengths in reverse": "The lengths are those of other sequences: lengths[b] belongs to sequence b, in the order given.",
  "only head 0 is padded": "Only head 0 is masked: padding is blocked for every head.",
  "heads and their size have changed places": "The number of heads and the size of one have changed places: cut hidden into num_heads parts of hidden // num_heads.",
  "divided by the sum of all weights": "The weights of all queries are divided by one sum: softmax along the last axis has done that for each query already.",
  "probs of the scores without masks": "These probs are made without the masks: return the softmax of the masked scores, the one that att is made with.",
  "probs without the mask of the future": "The mask of the future is missing in probs: return the softmax of the scores after both masks, the one that att is made with.",
  "probs without the padding mask": "The padding mask is missing in probs: return the softmax of the scores after both masks, the one that att is made with.",
  "−∞ after softmax": "−∞ was put in after softmax, and −∞ · 0 is NaN: put it into the scores, before softmax."},
 "calls": {
  "a single token, whose only weight is 1": [["kind", "sizes", "weights", "x"], [[[[21, 41, 61, 81, 101, 121]], [[11, -19, 1, 161, -59, 41]]]], [
   ["interleaved when merged", [199.14, -110.65]],
   ["head 0 for all", [-89.902, 10.108]],
   ["heads in the wrong order", [-207.71, 191.78]],
   ["mix left out", [-85.374, 69.613]],
   ["V not projected", [-16.167, 14.836]],
   ["mix applied twice", [-338.77, 281.19]],
   ["softmax over the batch", [-72.582, 96.637]],
   ["softmax over the batch", [-70.945, 1.121]],
   ["softmax over the batch", [2403.3, -2988.6]],
   ["no softmax, only exp", [-16.274, 19.647]],
   ["a query sees itself only", [-105.87, 38.649]],
   ["weights divided, not scores", [-97.674, 81.296]],
   ["values of the layer k", [17.983, -13.009]],
   ["values of the layer k", [-7.6294, 7.875]],
   ["log of softmax", [0.90805, 0.91361]],
   ["sigmoid", [-9.5514, 11.763]],
   ["interleaved when split", [-62.966, -216.19]],
   ["mix without its bias", [-170.75, 139.23]],
   ["x added", [-169.29, 140.74]],
   ["heads averaged", [-188.78, 165.96]],
   ["sequences of a batch mixed up in v", [57.548, 26.08]],
   ["the merged values added", [-255.22, 209.75]],
   ["divided by the sum of all weights", [-41.779, 35.72]]]],
  "how 3 tokens are weighted (a single one is right)": [["kind", "sizes", "weights", "x"], [[[[[0.304209, 0.418254, 0.277537], [0.3547, 0.304331, 0.34097], [0.349627, 0.33944, 0.310933]], [[0.203248, 0.42793, 0.368822], [0.301545, 0.388206, 0.310249], [0.31157, 0.353245, 0.335185]]], [[[0.496078, 0.169779, 0.334144], [0.104109, 0.537258, 0.358633], [0.478739, 0.323537, 0.197724]], [[0.403983, 0.416617, 0.1794], [0.310537, 0.531813, 0.15765], [0.352547, 0.443451, 0.204002]]], [[[0.306007, 0.477287, 0.216706], [0.127833, 0.330506, 0.541661], [0.414843, 0.477154, 0.108003]], [[0.157203, 0.0244593, 0.818338], [0.180181, 0.0492588, 0.77056], [0.0908537, 0.00469301, 0.904453]]], [[[0.337991, 0.318384, 0.343626], [0.348901, 0.230038, 0.421061], [0.270119, 0.408095, 0.321786]], [[0.369644, 0.224575, 0.405781], [0.395178, 0.184126, 0.420696], [0.360387, 0.309569, 0.330044]]]]], [
   ["no scale", [-1.2571, 0.85017]],
   ["root of hidden", [-0.5094, 0.42957]],
   ["root of seq", [-0.92263, 0.76971]],
   ["root of num_heads", [-1.056, 0.84798]],
   ["divides by head_size", [-0.24856, 0.25289]],
   ["softmax over queries", [0.55705, -0.35632]],
   ["Q and K swapped", [-0.68572, 0.25493]],
   ["split by view without transpose", [-2.1923, 0.9217]],
   ["split by view without transpose", [-2.9108, 3.1454]],
   ["merge without transpose", [-0.05188, 0.91834]],
   ["interleaved heads", [1.2495, 2.458]],
   ["head 0's weights for all", [0.17143, -0.032818]],
   ["always causal", [1.2614, 0.77519]],
   ["a query sees itself only", [1.6016, 0.88132]],
   ["a plain mean of the tokens that may be seen", [0.25408, 0.2707]],
   ["to the power of one, halved", [0.0074469, 0.18272]],
   ["multiplies by the root", [-1.8002, 0.068502]],
   ["root of input_size", [-0.68101, 0.57387]],
   ["root of batch", [-0.823, 0.69348]],
   ["keys reshaped", [-2.9304, 1.0024]],
   ["queries compared with queries", [0.71257, 0.75453]],
   ["keys compared with keys", [0.33343, 3.1021]],
   ["queries and keys as they come, x", [0.84882, 2.3863]],
   ["softmax twice", [-0.12123, 0.41605]],
   ["weights turned", [-0.037644, 0.084248]],
   ["always one head", [-0.15008, 1.8307]],
   ["heads and their size have changed places", [0.48819, -0.21014]]]],
  "2 sequences of 4 tokens, 7 → 12 numbers, 3 heads": [["kind", "sizes", "weights", "x"], [[[[0.231212, -0.642938, 1.77091, -1.4324, -0.162444, -0.490843, 1.38819, -1.26438, -1.02379, 0.0913695, 0.320113, -0.0219799], [-0.325786, -0.935548, -0.136641, -0.130985, -0.591546, -0.503323, 0.0947039, -0.499295, 0.0324576, 0.446452, 0.201866, 0.818469], [0.146039, -0.811214, 1.02464, -0.861108, -0.209237, -0.119746, 0.924956, -1.00625, -0.460704, 0.196036, 0.405729, 0.385426], [-0.0273534, -0.802869, 0.645735, -0.265615, -0.128861, 0.13675, 0.433422, -0.821397, -0.291267, 0.122305, 0.502597, 0.814412]], [[0.139539, -1.02798, 0.865766, -1.77905, -0.957713, -1.6715, 0.428388, -0.72312, -0.297636, 0.73, 0.167925, 0.163463], [0.131785, -1.08446, 0.891851, -1.81627, -0.697211, -1.17833, 0.498992, -0.875735, -0.0100872, 0.810734, 0.45614, 0.101074], [0.456395, -1.18165, 0.817042, -1.83529, 0.0382631, -0.505331, 0.714354, -1.25815, 0.338636, 1.02127, 1.23378, 0.139588], [0.454645, -1.08297, 0.675396, -1.80627, -1.08721, -0.939982, 0.81024, -1.1097, -0.131259, 1.02281, 0.316321, -0.121788]]]], [
   ["always two heads", [2.0886, 0.56721]],
   ["the weight of mix is not turned", [0.071853, 1.3993]]]],
  "causal, where all scores of a sequence are equal (if Test 1 fails, start there)": [["kind", "sizes", "weights", "x"], [[[[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]], [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]]], [[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]], [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]]], [[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]], [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]]]]], [
   ["softmax over queries", [-0.067503, 0.67121]],
   ["split by view without transpose", [-0.023359, -0.22441]],
   ["split by view without transpose", [-0.063667, -0.054858]],
   ["merge without transpose", [-0.072508, -0.83488]],
   ["no mask", [-0.021843, 0.034141]],
   ["mask including the diagonal", [-4.1909, -674.47]],
   ["mask inverted", [-24.748, 835.34]],
   ["mask transposed", [-0.048153, 0.41941]],
   ["mask after softmax", [-0.044806, 0.051885]],
   ["masked with 0 before softmax", [-0.12976, 0.49141]],
   ["one key of the future is seen", [-0.081829, 0.045463]],
   ["a query sees itself only", [-0.08207, -0.47755]],
   ["only the last two tokens are seen", [-0.076783, -0.15646]],
   ["mask inverted", [0.0090204, -0.4832]],
   ["softmax over the batch", [-43.213, -729.86]],
   ["softmax over the batch", [-43.147, -729.17]],
   ["softmax over the batch", [-43.266, -729.78]],
   ["no softmax, only exp", [-2.4819, 9.8191]],
   ["weights divided, not scores", [-0.052813, -0.26967]],
   ["values of the layer k", [-0.62236, -0.73131]],
   ["softmax twice", [-0.0492, -0.16521]],
   ["log of softmax", [-43.087, -731.2]],
   ["sigmoid", [-0.0068646, 0.60563]],
   ["weights turned", [-0.043621, -0.8067]],
   ["x added", [-0.74045, -1.3343]],
   ["mask of the scores' values", [49.124, 577.12]],
   ["only head 0 is causal", [-0.072494, -0.34732]],
   ["only sequence 0 is causal", [-0.61758, -0.16671]],
   ["the merged values added", [-0.23619, -1.206]],
   ["divided by the sum of all weights", [-0.0049206, -0.025125]],
   ["−∞ after softmax", [-43.139, -729.44]]]],
  "causal, and lengths 2, 4 and 1 (if Test 1 or 2 fails, start there)": [["kind", "sizes", "weights", "x"], [[[[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]], [[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]], [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.333333, 0.333333, 0.333333, 0], [0.25, 0.25, 0.25, 0.25]]], [[[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]], [
   ["softmax over queries", [35.45, -346.84]],
   ["split by view without transpose", [-0.79671, -0.21476]],
   ["split by view without transpose", [3.6432, 0.38864]],
   ["merge without transpose", [-0.53679, -1.1957]],
   ["no mask", [-1.7703, -0.11259]],
   ["mask including the diagonal", [-3.2599, -674.38]],
   ["mask inverted", [101.92, 20.286]],
   ["mask transposed", [-1.8142, 0.43293]],
   ["mask after softmax", [-1.0133, -0.3388]],
   ["masked with 0 before softmax", [-1.5803, -0.24598]],
   ["one key of the future is seen", [-1.1217, -0.091967]],
   ["a query sees itself only", [-0.81848, -0.98815]],
   ["only the last two tokens are seen", [-0.54735, -0.24716]],
   ["mask inverted", [0.80154, -0.74728]],
   ["padding inverted", [768.76, -154.8]],
   ["padding off by one", [-246.7, -600.1]],
   ["padding as 0", [1.0213, -1.2448]],
   ["softmax over the batch", [501.06, -1676.3]],
   ["softmax over the batch", [501.25, -1676.1]],
   ["no softmax, only exp", [-7.0162, -1.4702]],
   ["weights divided, not scores", [-0.04502, -0.47426]],
   ["values of the layer k", [0.15362, -0.64649]],
   ["softmax twice", [0.16127, -0.34332]],
   ["log of softmax", [500.6, -1679.8]],
   ["sigmoid", [-0.16762, -0.17621]],
   ["weights turned", [0.5961, -1.3194]],
   ["x added", [0.052955, -1.707]],
   ["mask of the scores' values", [282.65, 249.62]],
   ["only head 0 is causal", [-0.53693, -0.30773]],
   ["only sequence 0 is causal", [-1.1414, 0.099975]],
   ["the first length for all", [0.21477, -1.3067]],
   ["the merged values added", [-0.20133, -2.1209]],
   ["lengths in reverse", [0.22762, -0.9043]],
   ["divided by the sum of all weights", [-0.0041945, -0.044186]],
   ["−∞ after softmax", [501.17, -1676.6]],
   ["−∞ after softmax", [35.997, -349.16]]]],
  "the same without causal, and lengths in a LongTensor": [["kind", "sizes", "weights", "x"], [[[[[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]], [[[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]], [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]], [[[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]], [
   ["always causal", [-0.10067, -1.0605]],
   ["lengths ignored", [0.24735, -0.049808]],
   ["mask after softmax", [-0.51527, 0.017777]],
   ["the first padded key is seen", [-0.59688, -0.59386]],
   ["only one column of the padding", [-0.034113, 0.27729]],
   ["only head 0 is padded", [-0.35585, -0.42682]]]],
  "probs, less the weights that att was made with (if Test 1 fails, start there)": [["kind", "sizes", "weights", "x", "heads"], [[[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]]], [
   ["split by view without transpose", [1.9913, -4.4624]],
   ["split by view without transpose", [5.2373, -5.0125]],
   ["merge without transpose", [1.5688, 0.81497]],
   ["head 0 for all", [0.2889, 0.96293]],
   ["heads in the wrong order", [1.0893, 0.80438]],
   ["a query sees itself only", [-0.70248, -0.041856]],
   ["head-major", [-2.4142, 1.3697]],
   ["scores instead of weights", [0.79308, 0.4818]],
   ["transposed", [-0.73655, -1.0274]],
   ["values of the layer k", [0.70773, 0.33374]],
   ["values of the layer k", [3.9193, 0.35863]],
   ["values of the layer k", [-0.00051197, -0.013008]],
   ["queries and keys as they come, x", [-0.26313, -0.39076]],
   ["weights turned", [0.73655, 1.0274]],
   ["x added", [0.13975, -0.0207]],
   ["heads averaged", [0.54467, 0.40219]],
   ["raw scores, masked, returned as logs", [-0.25149, -0.34517]],
   ["the merged values added", [-0.89914, -0.83947]]]],
  "the same in train mode, with dropout": [["kind", "sizes", "weights", "x", "heads"], [[[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]]], []],
  "the same with both masks, causal and lengths": [["kind", "sizes", "weights", "x", "heads"], [[[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]]], [
   ["mask inverted", [1.422, 1.9593]],
   ["probs of the scores without masks", [-1.004, -1.9464]],
   ["probs without the mask of the future", [-0.97828, -2.524]],
   ["no mask", [0.97828, 2.524]]]],
  "the same with lengths alone": [["kind", "sizes", "weights", "x", "heads"], [[[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]]], [
   ["probs without the padding mask", [-0.025712, 0.57754]]]]}},
 "load-from-torch": {
 "made of": "842c052df5d2", "defines": ["load_from_torch"],
 "advice": {
  "order k, q, v": "q and k have changed places: the first rows are those of q, then come k and v.",
  "order v, k, q": "q and v have changed places: the first rows are those of q, then come k and v.",
  "order q, v, k": "k and v have changed places: the first rows are those of q, then come k and v.",
  "order k, v, q": "All three parts are in other places: the first rows are those of q, then come k and v.",
  "rows taken in turn": "The three parts lie one after the other along the rows: q first, then k, then v, hidden rows each.",
  "the first rows for all": "q, k and v all hold the first rows: k begins at row hidden, v at row 2·hidden.",
  "the key's rows for the values": "v holds the rows of k: it begins at row 2·hidden.",
  "slices off by one": "The rows of k begin one too late: they are hidden to 2·hidden, the end not included.",
  "weights transposed": "Weights are transposed: both sides use nn.Linear's layout, so copy them as they are.",
  "mix transposed": "mix.weight is transposed: both sides use nn.Linear's layout, so copy it as it is.",
  "biases of 0": "The biases are 0: copy them from in_proj_bias, and mix's from out_proj.bias.",
  "output bias forgotten": "mix.bias is 0: copy it from out_proj.bias.",
  "weights of mix from in_proj": "mix.weight holds rows of in_proj: it comes from out_proj.weight.",
  "one bias for all": "v.bias holds the numbers of another part: it is the last third of in_proj_bias, as k.bias is the second.",
  "bias of mix from in_proj": "mix.bias holds numbers of in_proj_bias: it comes from out_proj.bias.",
  "the weights of q and k in each other's place": "q.weight and k.weight have changed places: the first rows are those of q, then come k and v.",
  "the weights of q and v in each other's place": "q.weight and v.weight have changed places: the first rows are those of q, then come k and v.",
  "the weights of k and v in each other's place": "k.weight and v.weight have changed places: the first rows are those of q, then come k and v.",
  "the weights in the order k, v, q": "All three weight matrices are in other places: the first rows are those of q, then come k and v.",
  "the biases of q and k in each other's place": "q.bias holds the numbers of k's: the first third of in_proj_bias is q's, then come k's and v's.",
  "the biases of q and v in each other's place": "q.bias and v.bias have changed places: the first third of in_proj_bias is q's, then come k's and v's.",
  "the biases in the order k, v, q": "The biases are in other places: the first third of in_proj_bias is q's, then come k's and v's.",
  "the value's bias for the queries": "q.bias holds the numbers of v's: the first third of in_proj_bias is q's, then come k's and v's.",
  "the weight of k for q": "q.weight holds the rows of k: it begins at row 0.",
  "the rows of k for q": "q holds the rows of k: it begins at row 0.",
  "the weight of v for q": "q.weight holds the rows of v: it begins at row 0.",
  "the rows of v for q": "q holds the rows of v: it begins at row 0.",
  "the weight of q for k": "k.weight holds the rows of q: it begins at row hidden.",
  "the weight of v for k": "k.weight holds the rows of v: it begins at row hidden.",
  "the weight of q for v": "v.weight holds the rows of q: it begins at row 2·hidden.",
  "the rows of q for v": "v holds the rows of q: it begins at row 2·hidden.",
  "the weight of k for v": "v.weight holds the rows of k: it begins at row 2·hidden.",
  "the weight of q for all": "q.weight, k.weight and v.weight are all the rows of q: q begins at row 0, k at row hidden, v at row 2·hidden.",
  "the weight of k for all": "q.weight, k.weight and v.weight are all the rows of k: q begins at row 0, k at row hidden, v at row 2·hidden.",
  "the rows of k for all": "q, k and v all hold the rows of k: q begins at row 0, k at row hidden, v at row 2·hidden.",
  "the weight of v for all": "q.weight, k.weight and v.weight are all the rows of v: q begins at row 0, k at row hidden, v at row 2·hidden.",
  "the rows of v for all": "q, k and v all hold the rows of v: q begins at row 0, k at row hidden, v at row 2·hidden.",
  "weights in the order k, q, v, biases in the order v, k, q": "Weights and biases are cut in two different orders, and both are others: in in_proj_weight and in in_proj_bias q comes first, then k and v."},
 "calls": {
  "6 numbers, 3 heads": [["rng", "hidden", "heads"], [[[0.232969, 0.564447, 0.0975116, -0.620279, 0.0490565, 0.0445157], [-0.240052, -0.668649, -0.0286673, -0.782298, -0.0685755, -0.00657732], [0.995598, 0.44699, 0.36352, 0.205133, -0.0952995, -0.11559], [-0.222839, 0.333166, 0.570859, -0.129115, -0.0358451, 0.296888], [0.594689, 0.624062, 0.898892, 0.296425, 0.320752, 0.519368], [-0.291119, 0.344219, 0.0586122, 0.382143, -0.0110695, 0.0338821]], [[-0.24124, 0.501349, 0.300247, 0.294008, -0.314172, 0.011513], [0.519013, 0.665631, 0.38031, -0.17121, 0.362475, 0.437649], [-0.198699, -0.0212884, 0.233142, 0.507624, 0.0645316, -0.612856], [-0.10236, 0.387075, -0.076752, -0.165783, -0.263834, -0.17352], [-0.108749, 0.167487, -0.573548, -0.571409, -0.613288, 0.141042], [-0.00693377, -0.344207, 0.473377, 0.4607, 0.318824, 0.0872316]], [[-0.680643, 0.36147, 0.32164, -0.160564, -0.407592, 0.387181], [0.0114219, 0.749319, -0.41324, -0.102464, -0.0676856, -0.0670103], [-0.0890948, -0.108152, -0.260531, -1.15813, 0.04149, 0.171599], [0.136148, -0.389201, 0.313845, 0.867661, 0.554482, -0.468399], [-0.140963, -0.257346, 0.340844, 0.0246439, 0.0191105, 0.581924], [0.389769, -0.0117636, 0.579349, -0.427314, 0.476625, -0.439791]], [[-0.0390136, 0.345993, 0.606382, -0.14202, 0.115949, -0.594014], [-0.0471042, 0.70783, -0.187974, -0.119906, 0.254747, -0.623749], [-0.147327, -0.0201626, 0.624651, 0.0607685, 0.722599, -0.0953068], [0.291949, -0.0328101, 0.42217, -0.172889, -0.522146, 0.136338], [-0.276479, -0.233295, 0.265935, -0.503907, -0.555023, -0.241513], [0.49845, -0.361399, 0.959552, -0.0166961, -0.502058, -0.391687]], [0.905768, 0.272871, -0.165602, -0.0907334, -0.370526, -0.146457], [-0.369155, -0.361819, -0.860332, 0.217512, -0.94751, 0.968652], [-0.0912154, 0.00197152, -0.113481, -0.937228, 0.755367, -0.122061]], [
   ["order k, q, v", [2.2901, -0.18536], [-0.80946, -0.9098], 0, 0, [-0.41688, 0.17238], 0, 0],
   ["order v, k, q", [-1.178, -2.9358], 0, [-0.80946, -0.9098], 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0],
   ["order q, v, k", 0, [-1.178, -2.9358], [2.2901, -0.18536], 0, 0, [-0.41688, 0.17238], 0],
   ["order k, v, q", [-1.178, -2.9358], [-0.80946, -0.9098], [2.2901, -0.18536], 0, [-0.76868, 1.1057], [-0.41688, 0.17238], 0],
   ["rows taken in turn", [4.043, -0.23554], [-1.4912, 0.71825], [2.0094, -1.399], 0, [0.30943, 0.8996], [-1.6775, 0.36143], 0],
   ["the first rows for all", 0, [-0.80946, -0.9098], [-0.80946, -0.9098], 0, 0, [0.69977, 1.0021], 0],
   ["the key's rows for the values", 0, 0, [2.2901, -0.18536], 0, 0, [-0.41688, 0.17238], 0],
   ["slices off by one", 0, [-3.0063, -2.4252], 0, 0, 0, 0, 0],
   ["weights transposed", [-1.6404, 0.79027], [-1.0511, -1.7044], [1.3175, -2.0671], 0, 0, 0, 0],
   ["mix transposed", 0, 0, 0, [0.78665, 0.12428], 0, 0, 0],
   ["weights transposed", [-1.6404, 0.79027], [-1.0511, -1.7044], [1.3175, -2.0671], [0.78665, 0.12428], 0, 0, 0],
   ["rows taken in turn", [4.043, -0.23554], [-1.4912, 0.71825], [2.0094, -1.399], 0, 0, 0, 0],
   ["biases of 0", 0, 0, 0, 0, [0, 0], [0, 0], [0, 0]],
   ["output bias forgotten", 0, 0, 0, 0, 0, 0, [0, 0]],
   ["weights of mix from in_proj", 0, 0, 0, [-0.80946, -0.9098], 0, 0, 0],
   ["one bias for all", 0, 0, 0, 0, 0, [0.69977, 1.0021], 0],
   ["one bias for all", 0, 0, 0, 0, 0, [-0.41688, 0.17238], 0],
   ["bias of mix from in_proj", 0, 0, 0, 0, 0, 0, [0.69977, 1.0021]],
   ["the weights of q and k in each other's place", [2.2901, -0.18536], [-0.80946, -0.9098], 0, 0, 0, 0, 0],
   ["the weights of q and v in each other's place", [-1.178, -2.9358], 0, [-0.80946, -0.9098], 0, 0, 0, 0],
   ["the weights of k and v in each other's place", 0, [-1.178, -2.9358], [2.2901, -0.18536], 0, 0, 0, 0],
   ["the weights in the order k, v, q", [2.2901, -0.18536], [-1.178, -2.9358], [-0.80946, -0.9098], 0, 0, 0, 0],
   ["the weights in the order k, v, q", [-1.178, -2.9358], [-0.80946, -0.9098], [2.2901, -0.18536], 0, 0, 0, 0],
   ["the biases of q and k in each other's place", 0, 0, 0, 0, [-0.41688, 0.17238], 0, 0],
   ["the biases of q and v in each other's place", 0, 0, 0, 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0],
   ["the biases in the order k, v, q", 0, 0, 0, 0, [-0.41688, 0.17238], [0.69977, 1.0021], 0],
   ["the biases in the order k, v, q", 0, 0, 0, 0, [-0.76868, 1.1057], [-0.41688, 0.17238], 0],
   ["the value's bias for the queries", 0, 0, 0, 0, [-0.76868, 1.1057], 0, 0],
   ["the weight of k for q", [2.2901, -0.18536], 0, 0, 0, 0, 0, 0],
   ["the rows of k for q", [2.2901, -0.18536], 0, 0, 0, [-0.41688, 0.17238], 0, 0],
   ["the weight of v for q", [-1.178, -2.9358], 0, 0, 0, 0, 0, 0],
   ["the rows of v for q", [-1.178, -2.9358], 0, 0, 0, [-0.76868, 1.1057], 0, 0],
   ["the weight of q for k", 0, [-0.80946, -0.9098], 0, 0, 0, 0, 0],
   ["the weight of v for k", 0, [-1.178, -2.9358], 0, 0, 0, 0, 0],
   ["the weight of q for v", 0, 0, [-0.80946, -0.9098], 0, 0, 0, 0],
   ["the rows of q for v", 0, 0, [-0.80946, -0.9098], 0, 0, [0.69977, 1.0021], 0],
   ["the weight of k for v", 0, 0, [2.2901, -0.18536], 0, 0, 0, 0],
   ["the weight of q for all", 0, [-0.80946, -0.9098], [-0.80946, -0.9098], 0, 0, 0, 0],
   ["the weight of k for all", [2.2901, -0.18536], 0, [2.2901, -0.18536], 0, 0, 0, 0],
   ["the rows of k for all", [2.2901, -0.18536], 0, [2.2901, -0.18536], 0, [-0.41688, 0.17238], [-0.41688, 0.17238], 0],
   ["the weight of v for all", [-1.178, -2.9358], [-1.178, -2.9358], 0, 0, 0, 0, 0],
   ["the rows of v for all", [-1.178, -2.9358], [-1.178, -2.9358], 0, 0, [-0.76868, 1.1057], 0, 0],
   ["weights in the order k, q, v, biases in the order v, k, q", [2.2901, -0.18536], [-0.80946, -0.9098], 0, 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0],
   ["weights in the order k, q, v, biases in the order v, k, q", 0, [-1.178, -2.9358], [2.2901, -0.18536], 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0],
   ["weights in the order k, q, v, biases in the order v, k, q", [2.2901, -0.18536], [-1.178, -2.9358], [-0.80946, -0.9098], 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0],
   ["weights in the order k, q, v, biases in the order v, k, q", [-1.178, -2.9358], [-0.80946, -0.9098], [2.2901, -0.18536], 0, [-0.76868, 1.1057], [0.69977, 1.0021], 0]]]}}}


# %% [markdown]
# The folded cells below hold what else the tests use. Run them; you don't need to read them. Layers start with random weight matrices, and a test puts in its own.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def numbers(got):
    """A NumPy array of what came back: a tensor on any device, a list or a tuple."""
    assert got is not None, "you gave back None: does your function end with a return?"
    if isinstance(got, (list, tuple)):
        parts = [numbers(part) for part in got]
        assert len({part.shape for part in parts}) < 2, "you gave back several things, not one"
        return np.array(parts)
    try:
        return np.asarray(got.detach().cpu() if torch.is_tensor(got) else got, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"what came back is no array of numbers\n{problem}") from None


def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Stop unless `got` equals `expected`. All numbers stand below the first line of the message."""
    got, expected = numbers(got), numbers(expected)
    assert got.shape == expected.shape, (
        f"{where}, the shape is not right\n{sizes}expected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def check_error(hidden, heads, function, *arguments, where=""):
    """Stop unless this call raises a ValueError whose message contains both values."""
    try:
        function(*arguments)
        came, text = "no error came", None
    except Exception as error:
        assert not isinstance(error, NotImplementedError), (
            "write your code in place of the line raise NotImplementedError(), and run that cell")
        came, text = f"{type(error).__name__} came", str(error) if isinstance(error, ValueError) else None
    case = f"{where or 'sizes that do not divide'}\n{hidden} numbers into {heads} heads: {came}\n"
    assert text is not None, f"{case}raise a ValueError before anything else, if num_heads does not divide hidden"
    assert str(hidden) in text and str(heads) in text, (
        f"{case}the text of the ValueError should contain both values, here {hidden} and {heads}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "give-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def give_weights(layer, weights):
    """Load copies of `weights` into `layer`, switch it to eval mode, and return it."""
    own = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    missing, extra = sorted(set(weights) - set(own)), sorted(set(own) - set(weights))
    assert not missing, (
        f"the layer lacks weights\nits state_dict() has no {', '.join(missing)}\n"
        "name the nn.Linear layers as asked, keep them as self.…, and leave them their bias")
    assert not extra, (
        "state_dict() should hold the named layers only, but it holds more\n"
        f"it also holds {', '.join(extra)}\n"
        "leave out other layers and parameters; a mask is made in forward, or is a buffer with "
        "persistent=False")
    for name, value in weights.items():
        assert own[name] == tuple(value.shape), (
            "the weights of a layer have another shape than they should have\n"
            f"{name} has shape {own[name]} and should have {tuple(value.shape)}\n"
            "nn.Linear takes how many numbers come in, then how many go out: input_size and hidden"
            + (" (for mix: hidden and hidden)" if "mix.weight" in weights else ""))
    layer.load_state_dict({name: value.clone() for name, value in weights.items()})
    layer.eval()
    return layer


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "output-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def output_of(layer, x, **options):
    """What the layer gives for a copy of x, as a NumPy array."""
    return numbers(layer(x.clone(), **options))


def output_with(kind, sizes, weights, x, **options):
    """What a new layer of this kind gives for x, with these weights."""
    return steady(give_weights(kind(*sizes), weights), x, **options)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "near", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def near(a, b):
    """Whether two arrays hold the same numbers, up to rounding."""
    return np.shape(a) == np.shape(b) and np.allclose(a, b, atol=1e-5, equal_nan=True)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "steady", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def steady(layer, x, **options):
    """What the layer gives for x, if it gives the same twice."""
    first, out = layer(x.clone(), **options), layer(x, **options)
    assert not torch.is_tensor(first) or near(numbers(first), numbers(out)), (
        "two calls give different numbers, in eval mode\nnothing may be drawn there: is there a dropout that "
        "is not told of self.training?")
    return out


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def random_tensor(rng, *shape):
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def random_weights(rng, input_size, hidden, names=("q", "k", "v", "mix")):
    """Random weights and biases for the layers called `names`; outputs stay near 1."""
    weights = {}
    for name in names:
        inputs = hidden if name == "mix" else input_size
        weights[f"{name}.weight"] = random_tensor(rng, hidden, inputs) / inputs**0.5
        weights[f"{name}.bias"] = random_tensor(rng, hidden) / 2
    return weights


def showing_weights(weights, sizes):
    """The same weights of q and k, but values that are the last number of a token, and no mix."""
    hidden, state = sizes[1], {name: value.clone() for name, value in weights.items()}
    state["q.weight"][:, -1] = state["k.weight"][:, -1] = 0
    state["v.weight"], state["v.bias"] = torch.zeros(hidden, sizes[0]), torch.zeros(hidden)
    state["v.weight"][:, -1] = 1
    if "mix.weight" in weights:
        state["mix.weight"], state["mix.bias"] = torch.eye(hidden), torch.zeros(hidden)
    return state


def weights_of(kind, sizes, weights, x, heads=1, lengths=None, **options):
    """The weights by which a new layer mixes tokens: [sequence, head, query, key].

    For each token once, its value is 1 and that of the others 0: what comes out is the weight on it.
    """
    layer, found = give_weights(kind(*sizes, **options), showing_weights(weights, sizes)), []
    shape, say = (*x.shape[:2], sizes[1]), {} if lengths is None else {"lengths": lengths}
    for token in range(x.shape[1]):
        shown = x.clone()
        shown[..., -1] = torch.eye(x.shape[1])[token]
        out = numbers(steady(layer, shown, **say))
        assert out.shape == shape, (
            f"the output has the shape {out.shape}\nit should be (batch, seq, hidden) = {shape}")
        found.append(out[..., ::sizes[1] // heads])
    table = np.stack(found, axis=-1).swapaxes(1, 2)
    for row, length in zip(table, [] if lengths is None else lengths):
        row[:, int(length):] = 0  # what comes out at padded queries doesn't count
    return table


# %% [markdown]
# ## A module in one minute
#
# A PyTorch layer is a class. `__init__` makes the parts that hold weight matrices and biases, and `forward` says what happens to an input. You call the layer itself, `layer(x)`, and PyTorch calls `forward` for you. `state_dict()` lists them all by name.
#
# Here is a small one that isn't attention. Look at how a `Linear` layer acts on the **last** axis of its input and leaves every other axis alone: all tokens of all sequences at once.

# %% nbgrader={"grade": false, "grade_id": "tiny-module", "locked": true, "schema_version": 3, "solution": false, "task": false}
class TwoViews(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.left = nn.Linear(input_size, hidden)
        self.right = nn.Linear(input_size, hidden)

    def forward(self, x):
        return self.left(x) + self.right(x)  # [batch, seq, hidden]


# %% tags=["demonstration"]
two_views = TwoViews(5, 3)
print("output", tuple(two_views(torch.zeros(2, 4, 5)).shape))
for name, value in two_views.state_dict().items():
    print(f"{name:13}", tuple(value.shape))


# %% [markdown]
# ## Comments on shapes that are true
#
# In code like this, no comment helps more than one that says what a line makes: `# [batch, seq, hidden]`. And no comment is false as often, because nobody notices. Here somebody does. `follow_shapes` runs a method on two inputs of different sizes, and shows below each line, behind an arrow, what it made of the first *and* of the second.
#
# In 4.1 and 4.6, end every line of your `forward` that makes a tensor with such a comment, as in `TwoViews` above: its axes in square brackets, in names or numbers. `[batch, 2 * seq, 1]` can be read, too. A line that makes two tensors of different shapes, such as a pair that is returned, has two brackets in the same order: `# [batch, seq], [seq]`. Below the tests a cell checks your comments:
#
# | it prints | which means |
# |---|---|
# | `true` | the comment fits both inputs |
# | `FALSE` | it doesn't; the reason stands behind the arrow |
# | `none` | the line makes a tensor, and no comment in brackets says which |
# | `stop` | an error ended the method here |
#
# A name that the exercise doesn't use stands for the size that it has first, and is called *a new name*: look whether you meant one, or mistyped another. In a statement of several lines, the comment stands behind the last one. The cell earns no points; run it early, it often finds a mistake before a test does. But not each mistake has a wrong shape: a softmax along the wrong axis keeps it.

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
follow_shapes(
    ({"batch": 2, "seq": 4, "input_size": 7, "hidden": 5}, TwoViews(7, 5), torch.zeros(2, 4, 7)),
    ({"batch": 3, "seq": 6, "input_size": 4, "hidden": 8}, TwoViews(4, 8), torch.zeros(3, 6, 4)),
)



# %% [markdown]
# ## 4.1 One head as a module
#
# **4 points · about 20 minutes · difficulty ●●○**
#
# Write self-attention with one head: queries, keys and values all come from the same `x`. Three linear layers turn each token into a query, a key and a value, all of length `hidden`. Every query is compared with every key, the scores are divided by $\sqrt{\text{hidden}}$, softmax turns them into attention weights, and these mix the values:
#
# $$\mathrm{softmax}\!\left(\frac{q\,k^\top}{\sqrt{\text{hidden}}}\right) v$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` each |
# | scores | $q\,k^\top/\sqrt{\text{hidden}}$ | `[batch, seq, seq]` (query, key) |
# | attention weights | softmax over the keys | `[batch, seq, seq]` |
# | output | attention weights times values | `[batch, seq, hidden]` |
#
# Name the layers exactly `q`, `k` and `v`: keep them as `self.q`, `self.k`, `self.v`, each with its bias. There is no further layer here. End each line of `forward` that makes a tensor with a comment on its shape.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` has shape `[2, 5, 7]` and `hidden` is 12. Which two axes of the keys must change places so that a matrix product with the queries gives `[2, 5, 5]`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(inputs, outputs)`, `tensor.transpose(-2, -1)`, the operator `@` (it treats leading axes as a batch), `torch.softmax(..., dim=...)`, `math.sqrt`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `__init__`, the call of the parent's `__init__` is there already; keep it first. Below it, make three linear layers from `input_size` to `hidden`. In `forward`, send `x` through each. Multiply the queries with the keys whose last two axes are swapped. Divide by the root of the length of a query. Softmax along the last axis. Multiply with the values.
# </details>
#
# <details><summary>I get “cannot assign module before Module.__init__() call”</summary>
#
# The call of the parent's `__init__` must stay the first line of yours, as in `TwoViews` above. It prepares the place where the layers are kept.
# </details>
#
# <details><summary>I get “The size of tensor a must match”, or a warning about <code>.T</code></summary>
#
# On a tensor with three axes, `.T` turns all of them around, the batch as well. Swap only the last two axes: `transpose(-2, -1)`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "self-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SelfAttention(nn.Module):
    """SelfAttention(input_size, hidden): one head, with linear layers q, k and v.

    forward(x): x is [batch, seq, input_size]; returns [batch, seq, hidden].
    """

    def __init__(self, input_size, hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        q, k, v = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, seq, seq]
        return torch.softmax(scores, dim=-1) @ v  # [batch, seq, hidden]
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "self-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
sizes, rng = (7, 5), np.random.default_rng(41)
weights, x = random_weights(rng, *sizes, "qkv"), random_tensor(rng, 2, 3, 7)
returns("self-attention", output="sequence token number")
check("self-attention", "a single token, whose only weight is 1", output_with, SelfAttention, sizes, weights, x[:, :1])
returns("self-attention", weights="sequence head query key")
check("self-attention", "how 3 tokens are weighted (a single one is right)", weights_of, SelfAttention, sizes, weights, x)
returns("self-attention", output="sequence token number")
check("self-attention", "2 sequences of 3 tokens", output_with, SelfAttention, sizes, weights, x)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(401)
for batch, seq, input_size, hidden in [(2, 5, 7, 12), (3, 4, 6, 10), (1, 1, 3, 2)]:
    weights = random_weights(rng, input_size, hidden, ["q", "k", "v"])
    layer, x = SelfAttention(input_size, hidden), random_tensor(rng, batch, seq, input_size)
    w = {name: numbers(value) for name, value in weights.items()}
    q, k, v = (numbers(x) @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    expected = np.zeros((batch, seq, hidden))
    for b in range(batch):
        for i in range(seq):
            shares = [math.exp(q[b, i] @ k[b, j] / math.sqrt(hidden)) for j in range(seq)]
            expected[b, i] = sum(s * v[b, j] for j, s in enumerate(shares)) / sum(shares)
    give_weights(layer, weights)
    check_numbers(layer(given := x.clone()), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"with input_size {input_size} and hidden {hidden} ")
    assert torch.equal(given, x), "on a larger random input, the layer changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Are your comments on shapes true? Two inputs whose sizes all differ: 2 sequences of 5 tokens with 7 numbers each, and 3 of 4 with 6; `hidden` is 12, then 10. Your layer runs on the GPU if there is one.

# %% tags=["demonstration"]
layer, other = SelfAttention(7, 12).to(device), SelfAttention(6, 10).to(device)
x, other_x = torch.randn(2, 5, 7, device=device), torch.randn(3, 4, 6, device=device)
follow_shapes(
    ({"batch": 2, "seq": 5, "input_size": 7, "hidden": 12}, layer, x),
    ({"batch": 3, "seq": 4, "input_size": 6, "hidden": 10}, other, other_x),
)

# %% [markdown]
# ## 4.2 Why the root?
#
# **2 points · about 15 minutes · difficulty ●○○**
#
# Before you run the next cell, predict. Take queries and keys whose entries are independent, with mean 0 and variance 1. The product of two such entries has mean 0 and variance 1, too, and where independent numbers are added, their variances add. If `hidden` goes from 64 to 128, what happens to the spread of the raw scores: does it stay, grow by about 1.4, or double?
#
# The cell measures three things for growing sizes, without and with the division by the root: the standard deviation of the scores, the largest of 16 attention weights on average, and the slope $p\,(1-p)$ of that largest weight $p$. The slope says how strongly a weight answers to its own score: if the score grows by a little, the weight grows by $p\,(1-p)$ times that little. It is 1/4 at most, where $p$ is 1/2. It is printed for the typical query, the median: half of the queries have less.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(4)
print("hidden |  raw: spread  largest   slope | /√hidden: spread  largest   slope")
for hidden in [8, 32, 64, 128, 512]:
    q, k = (torch.randn(n, hidden, generator=generator) for n in (2000, 16))
    print(f"{hidden:6} |", end="")
    for scores in (q @ k.T, q @ k.T / math.sqrt(hidden)):
        p = torch.softmax(scores, dim=-1).max(dim=-1)[0]
        sizes = scores.std(), p.mean(), (p * (1 - p)).median()
        print("{:12.2f} {:8.2f} {:8.4f} |".format(*sizes), end="")
    print()

# %% [markdown]
# And how much gradient comes back to a query, through softmax and the scores? In the next cell PyTorch computes it. There are 2000 queries, each with 16 keys, every key has one number as its value, and the loss is the sum of all outputs. The cell prints how long the gradient of a query is: the mean over all queries, and the typical query, the median.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(4)
print("gradient of a query |      raw: mean   median |  /√hidden: mean   median")
for hidden in [64, 128, 256, 512]:
    line = f"{'hidden':>13} {hidden:5} |"
    shapes = (20, 100, hidden), (20, 16, hidden), (20, 16, 1)
    q, k, v = (torch.randn(shape, generator=generator) for shape in shapes)
    for divisor in (1, math.sqrt(hidden)):
        q.grad = None
        p = torch.softmax(q.requires_grad_() @ k.transpose(-2, -1) / divisor, dim=-1)
        (p @ v).sum().backward()
        length = q.grad.norm(dim=-1)
        line += f"{length.mean():15.3f} {length.median():8.3f} |"
    print(line)


# %% [markdown]
# Read both tables downwards: with the root, spread, slope and gradient stay; without it, spread grows, and slope and median gradient fall. Mean and median tell different stories. Undivided, the median falls from 0.42 to 0.005, and the mean doesn't fall: the few queries whose best keys nearly tie still get long gradients. (At 64 the undivided median is the larger one, because an undivided score reacts √64 = 8 times as strongly to its query.)

# %% [markdown] nbgrader={"grade": false, "grade_id": "doubling-hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q1 (1 point).** Nothing is divided, and `hidden` doubles. What happens to the scores, to the softmax, and to the gradient that comes back through softmax to the typical query? Give the reason, not only the observation. Three or four sentences.
#
# ### BEGIN MARK SCHEME
# Half a point: a raw score is a sum of `hidden` independent products of mean 0 and variance 1, so its variance is `hidden`. Doubling it doubles the variance, and the standard deviation grows by √2 (about 1.41).
#
# Half a point: softmax becomes more pointed, close to 1 for one key and 0 for the rest. There its derivatives, p(1−p) and −p·p′, go towards 0, so through softmax hardly any gradient comes back to the scores of the typical query; at large sizes it learns slowly or not at all. (Measured, length of the gradient of the median query, raw against scaled: 0.42 against 0.26 at hidden 64, 0.005 against 0.26 at 512.)
#
# Accept "the gradients vanish" without "typical". Not required: the mean over queries does not fall, since a few queries with nearly tied keys get long gradients, and a raw score reacts √hidden times as strongly to its query; at 64 that still outweighs the smaller slope.
#
# Common half-right answer (half a point): "the scores double, so softmax saturates and gradients vanish". The consequence is right; the scores' spread grows by √2, not by 2, and the reason (variance of a sum) is missing.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "dividing-by-root", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q2 (1 point).** Now the scores are divided by $\sqrt{\text{hidden}}$. What does this change for softmax and for the gradients when `hidden` doubles? And why would dividing by `hidden` itself be too much? Three or four sentences.
#
# ### BEGIN MARK SCHEME
# Half a point: dividing by √hidden divides the variance by hidden, so it is 1 at every size. Softmax keeps the same sharpness and the gradients keep their size when hidden doubles (for queries and keys of variance 1; measured, the median stays between 0.26 and 0.29 from 64 to 512).
#
# Half a point: dividing by hidden makes the standard deviation 1/√hidden, which goes to 0; the attention weights then become nearly equal for all keys, and attention turns into a plain average that hardly depends on what is asked.
#
# Common half-right answer (half a point): "it makes the numbers smaller, so softmax does not saturate". True of both divisors; it does not say why the root is the right one.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## 4.3 Splitting into heads, and merging again
#
# **3 points · about 14 minutes · difficulty ●●○**
#
# Many heads don't need many layers. One layer makes `hidden` numbers for each token, and each head gets a **contiguous slice** of them: with `hidden` 12 and 3 heads, head 0 owns numbers 0–3, head 1 owns 4–7, head 2 owns 8–11. The length of a slice is `head_size`.
#
# The head then becomes an axis of its own, *before* the tokens, so that `@` treats every head of every sequence separately.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `[batch, seq, hidden]` |
# | cut each token's numbers | `hidden` → `(num_heads, head_size)` | `[batch, seq, num_heads, head_size]` |
# | heads before tokens | swap axes 1 and 2 | `[batch, num_heads, seq, head_size]` |
#
# There is a trap here. Asking for the last shape at once, by a bare `view` or `reshape`, works without an error. But it reads the numbers in their order in memory, and hands slices of tokens to the wrong head.
#
# `merge_heads` goes the way back. `split_heads` must raise a `ValueError` whose message contains both values (for example 12 and 5) if `num_heads` does not divide `hidden`.
#
# <details><summary>Hint 1: a question</summary>
#
# One sequence, three tokens, four numbers each, two heads. Write the twelve numbers on paper as a 3×4 table. Which rectangle of the table is head 0? Are its numbers neighbours in memory?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.view(...)` or `tensor.reshape(...)`, `tensor.transpose(1, 2)`. Or `torch.stack` over slices of the last axis. For the way back `torch.cat` over heads is fine too.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Split: check that the sizes divide. Give the last axis two axes in its place, head first and then the number within the head. Then swap the token axis with the head axis. Merge: swap the same two axes back, and only then join the last two axes into one.
# </details>
#
# <details><summary>I get “view size is not compatible with input tensor's size and stride”</summary>
#
# After `transpose` the numbers are no longer in order in memory, and `view` refuses to copy. `reshape` copies where it has to.
# </details>

# %% nbgrader={"grade": false, "grade_id": "split-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """Give each head its contiguous slice of the last axis.

    x: [batch, seq, hidden]. Returns [batch, num_heads, seq, head_size].
    Raises ValueError if num_heads does not divide hidden; its message contains both values,
    for example 12 and 5.
    """
    ### BEGIN SOLUTION
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"hidden is {hidden} and can't be cut into {num_heads} equal heads")
    return x.view(batch, seq, num_heads, hidden // num_heads).transpose(1, 2)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "split-heads-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
x = torch.tensor(np.random.default_rng(43).permutation(120)).float().view(5, 4, 6)
returns("split-heads", heads="sequence head token number")
check("split-heads", "5 sequences, 4 tokens, 6 numbers, 2 heads", split_heads, x, 2)
check("split-heads", "1 head", split_heads, x[:2, :3], 1)
check("split-heads", "a head for each of 6 numbers", split_heads, x[:2, :3], 6)
check_error(12, 5, split_heads, torch.zeros(1, 2, 12), 5)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(431)
for batch, seq, heads, size in [(2, 5, 3, 4), (3, 7, 2, 5), (5, 4, 1, 6), (2, 3, 6, 1)]:
    x = random_tensor(rng, batch, seq, heads * size)
    before, got = numbers(x).copy(), split_heads(x, heads)
    expected = np.stack([before[..., h * size:(h + 1) * size] for h in range(heads)], axis=1)
    check_numbers(got, expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {heads} heads of size {size} ")
    assert np.array_equal(numbers(x), before), "split_heads changed its input"
for hidden, heads in [(10, 4), (3, 7)]:
    check_error(hidden, heads, split_heads, torch.zeros(2, 3, hidden), heads, where="other sizes that don't divide")
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "merge-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x):
    """Put the heads side by side again: the way back from split_heads.

    x: [batch, num_heads, seq, head_size]. Returns [batch, seq, num_heads * head_size].
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, seq, num_heads * head_size)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "merge-heads-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
x = torch.tensor(np.random.default_rng(430).permutation(120)).float().view(5, 2, 4, 3)
returns("merge-heads", merged="sequence token number")
check("merge-heads", "5 sequences, 2 heads, 4 tokens, 3 numbers", merge_heads, x)
check("merge-heads", "1 head", merge_heads, x[:2, :1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(432)
for batch, heads, seq, size in [(2, 3, 5, 4), (3, 2, 7, 5), (5, 1, 4, 6), (2, 6, 3, 1)]:
    x = random_tensor(rng, batch, heads, seq, size)
    before = numbers(x).copy()
    expected = np.concatenate([before[:, h] for h in range(heads)], axis=-1)
    check_numbers(merge_heads(x), expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {heads} heads ")
    assert np.array_equal(numbers(x), before), "merge_heads changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Two-route check: what you split and merge must be what you started with. That alone proves little, because two matching mistakes cancel. So the next cell also shows what head 1 got of token 0.

# %% tags=["demonstration"]
x = torch.arange(24.0).view(1, 2, 12)
heads = split_heads(x, 3)
print("x", tuple(x.shape), "-> heads", tuple(heads.shape))
print("head 1, token 0:", heads[0, 1, 0].tolist())
print("there and back unchanged:", torch.equal(merge_heads(heads), x))

# %% [markdown]
# And this is what the bare reshape would have done. It has the same shape. Where do the numbers of head 1 for token 0 come from?

# %% tags=["demonstration"]
wrong = x.reshape(1, 3, 2, 4)
print("same shape:", wrong.shape == heads.shape)
print("head 1, token 0:", wrong[0, 1, 0].tolist())
print("token 0 is     :", x[0, 0].int().tolist())


# %% [markdown]
# The four numbers 8 to 11 belong to head 2 of token 0. They stand where head 1 of token 0 should be. Nothing crashes, and no shape gives it away.

# %% [markdown]
# ## 4.4 Scores, head by head
#
# **2 points · about 7 minutes · difficulty ●○○**
#
# Each head compares its own slices of queries and keys. A dot product now sums only `head_size` products, so its spread is $\sqrt{\mathrm{head\_size}}$ and that is the scale, not $\sqrt{\text{hidden}}$.
#
# | operation | expression | shape |
# |---|---|---|
# | dot products in every head | $q\,k^\top$ | `[batch, num_heads, seq_q, seq_k]` |
# | scaled | divided by $\sqrt{\mathrm{head\_size}}$ | the same |
#
# <details><summary>Hint 1: a question</summary>
#
# `q` has shape `[2, 3, 5, 4]`. Which of the four numbers is `head_size`, and how do you read it from `q` itself?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `transpose(-2, -1)` and `@`, or `torch.einsum` with one letter for each axis. `math.sqrt` takes the root of a plain number.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Swap the last two axes of the keys, multiply the queries with them, divide by the root of the length of the queries' last axis. Make a new tensor; leave `q` and `k` as they are.
# </details>
#
# <details><summary>I get “The size of tensor a must match”</summary>
#
# `.T` turns all four axes around, and the batch lands at the end. Use `transpose(-2, -1)`: it swaps only tokens and numbers.
# </details>

# %% nbgrader={"grade": false, "grade_id": "scaled-scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_scores(q, k):
    """Scaled dot products of every query with every key, in every head.

    q: [batch, num_heads, seq_q, head_size], k: [batch, num_heads, seq_k, head_size].
    Returns [batch, num_heads, seq_q, seq_k]. q and k are not changed.
    """
    ### BEGIN SOLUTION
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "scaled-scores-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(44)
q, k = random_tensor(rng, 2, 3, 4, 6), random_tensor(rng, 2, 3, 5, 6)
returns("scaled-scores", scores="sequence head query key")
check("scaled-scores", "4 queries and 5 keys in 3 heads of size 6", scaled_scores, q, k)
check("scaled-scores", "1 query and 2 keys of size 1", scaled_scores, q[:1, :2, :1, :1], k[:1, :2, :2, :1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(440)
for batch, heads, seq_q, seq_k, size in [(2, 3, 5, 7, 4), (3, 2, 6, 4, 5), (4, 3, 5, 5, 2)]:
    q = random_tensor(rng, batch, heads, seq_q, size)
    k = random_tensor(rng, batch, heads, seq_k, size)
    queries, keys = numbers(q).copy(), numbers(k).copy()
    expected = np.zeros((batch, heads, seq_q, seq_k))
    for b, h, i, j in np.ndindex(*expected.shape):
        expected[b, h, i, j] = math.fsum(queries[b, h, i] * keys[b, h, j]) / size**0.5
    check_numbers(scaled_scores(q, k), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"with {seq_q} queries, {seq_k} keys and head_size {size} ")
    assert np.array_equal(numbers(q), queries) and np.array_equal(numbers(k), keys), (
        "scaled_scores changed q or k")
### END HIDDEN TESTS

# %% [markdown]
# One call compares everything with everything, in every head of every sequence. With 2 sequences, 3 heads, 5 queries and 7 keys, how many scores are that? Predict, then run.

# %% tags=["demonstration"]
q, k = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4)
scores = scaled_scores(q, k)
print("scores", tuple(scores.shape), "=", scores.numel(), "numbers")
print("products:", scores.numel() * 4, "in 3 heads of size 4;", 2 * 5 * 7 * 12, "in one head of size 12")

# %% [markdown]
# **Three heads cost what one costs.** There are three times as many scores, but each sums a third of the products: 840 multiplications either way. The same holds for weights times values. What grows with the number of heads is the softmax, and the memory for the tables of scores.

# %% [markdown]
# ## 4.5 Two masks
#
# **4 points · about 20 minutes · difficulty ●●○**
#
# A model that learns to continue a text must not read what it is asked to guess. So a query may look at itself and at what came before. And sequences of different lengths share a batch by padding the short ones at the end; nobody may look at the padding.
#
# Both are done to the **scores, before softmax**: a blocked score becomes $-\infty$, and $e^{-\infty}$ is exactly 0.
#
# The picture shows what becomes of the scores of one head, for a sequence of 2 tokens that was padded to 4.

# %% alt="Three tables with 4 queries down and 4 keys across: the future mask blocks the triangle above the diagonal and keeps the diagonal itself, the padding mask blocks the two columns of the padded keys in every row, and both together block whatever one of them blocks, so that no row is empty." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# Draws the picture: run it, no need to read it.
# 1 stands for a blocked score, in the rows of tokens 0 to 3.
three_masks = {"future: a triangle": [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]],
               "padding: columns": [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]],
               "both": [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]}
tokens = ["the", "cat", "(pad)", "(pad)"]
figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.3), layout="constrained")
for ax, (title, table) in zip(axes, three_masks.items()):
    ax.imshow(table, cmap="Greys", vmin=0, vmax=5)
    for i, j in np.ndindex(4, 4):
        if table[i][j]:
            ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, linewidth=0,
                                       edgecolor="gray", hatch="///"))
        ax.text(j, i, "−∞" if table[i][j] else "keep", ha="center", va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    ax.set_xticks(range(4), tokens, rotation=45, ha="right")
    ax.set_yticks(range(4), tokens)
    ax.set(title=title, xlabel="key")
axes[0].set_ylabel("query")
plt.show()


# %% [markdown]
# | mask | key `j` is blocked for query `i` of sequence `b` when | same for |
# |---|---|---|
# | future | `j > i` | every sequence and head |
# | padding | `j >= lengths[b]` | every head and **every query** |
#
# Padding is whole **columns**, not rows. A padded query still looks at the real keys; its output is never used. If its row were blocked instead, that row would hold nothing but $-\infty$, and its softmax is 0/0, which is NaN. For the same reason every length is at least 1 here: a sequence without any token has no softmax. The tests never use length 0.
#
# A blocked score is $-\infty$ itself, not a large negative number, in a new tensor. Make the mask **on the device of the scores**: a mask that was made on the CPU stops your model on its first day on a GPU. The tests check this without a GPU, on PyTorch's `meta` device, which knows shapes but holds no numbers.
#
# <details><summary>Hint 1: a question</summary>
#
# In the left panel, which keys does *cat*, query 1, keep? Say it by comparing two positions, then look whether the diagonal fits what you said. In the panel in the middle, which two numbers have to be compared?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.arange` numbers positions. An index `None` gives a tensor a new axis of length 1, and `<`, `>=` compare a column with a row, every pair. `torch.ones` with `torch.triu` makes a triangle. `masked_fill` gives a new tensor; where its mask is True, it *replaces*. `torch.as_tensor` takes a list and a tensor alike.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Future: number the queries and the keys, compare every key's number with every query's, fill where the key's is larger. Padding: number the keys, compare with each sequence's length, and give the result of shape `[batch, seq_k]` two axes of length 1 in the middle, so that it holds for every head and query.
# </details>
#
# <details><summary>I get “The size of tensor a must match”</summary>
#
# Sizes are compared from the last axis back. A mask of shape `[batch, seq_k]` meets the axes of queries and keys there: which axes of length 1 put its `batch` under that of the scores?
# </details>
#
# <details><summary>I get “the scores were on another device than the mask”</summary>
#
# A tensor that you made inside the function lives on the CPU. Pass `device=scores.device` where you make it.
# </details>

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-device", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_device(mask, *arguments):
    """Stop unless `mask(scores, *arguments)` stays on the device of the scores.

    Tensors on "meta" hold no numbers; mixing them with the CPU is an error, as on a GPU.
    """
    try:
        where = mask(torch.zeros(2, 3, 4, 4, device="meta"), *arguments).device.type
    except Exception as error:
        said = str(error)
        reads_scores = "item()" in said or "no data" in said  # slow, but right on any device
        devices = ("expected device", "same device", "on device", "cpu")
        if not reads_scores and not any(words in said for words in devices):
            return  # no mistake: with numbers it went well, and a compiler may know no "meta"
        where = "meta" if reads_scores else "another device"
    assert where == "meta", (
        "the scores were on another device than the mask: make the mask with device=scores.device")


# %% nbgrader={"grade": false, "grade_id": "mask-future", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_future(scores):
    """Block every key that comes after its query.

    scores: [batch, num_heads, seq, seq], query before key. It is not changed.
    Returns a tensor of the same shape, on the same device, with -inf where j > i.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(scores.shape[-1], device=scores.device)
    return scores.masked_fill(positions[None, :] > positions[:, None], float("-inf"))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "mask-future-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
scores = torch.tensor(np.random.default_rng(45).integers(-4, 5, size=(3, 2, 5, 5)) / 2).float()
returns("mask-future", scores="sequence head query key")
check("mask-future", "3 sequences, 2 heads, 5 tokens, and scores of 0 among them", mask_future, scores)
check("mask-future", "a single token", mask_future, scores[:1, :, :1, :1])
check_device(mask_future)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(451)
for batch, heads, seq in [(2, 3, 5), (3, 2, 7), (4, 2, 1), (2, 5, 3)]:
    scores = random_tensor(rng, batch, heads, seq, seq)
    before = numbers(scores).copy()
    expected = before.copy()
    for b, h, i, j in np.ndindex(*expected.shape):
        if j > i:
            expected[b, h, i, j] = -math.inf
    got = numbers(mask_future(scores))
    check_numbers(got, expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {seq} tokens ")
    assert np.array_equal(numbers(scores), before), "mask_future changed its input"
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "mask-padding", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_padding(scores, lengths):
    """Block the padded keys of every sequence, for all its heads and queries.

    scores: [batch, num_heads, seq_q, seq_k]. It is not changed.
    lengths: the number of real keys in each sequence, at least 1; a list or a LongTensor.
    Returns a tensor of the same shape, on the same device, with -inf where j >= lengths[b].
    """
    ### BEGIN SOLUTION
    lengths = torch.as_tensor(lengths, device=scores.device)
    is_padding = torch.arange(scores.shape[-1], device=scores.device) >= lengths[:, None]
    return scores.masked_fill(is_padding[:, None, None, :], float("-inf"))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "mask-padding-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
scores = torch.tensor(np.random.default_rng(450).integers(-4, 5, size=(3, 2, 4, 5)) / 2).float()
returns("mask-padding", scores="sequence head query key")
check("mask-padding", "4 tokens, lengths 2, 4 and 1", mask_padding, scores[..., :4], [2, 4, 1])
check("mask-padding", "4 queries, 5 keys, lengths in a LongTensor", mask_padding, scores, torch.tensor([3, 1, 5]))
check_device(mask_padding, [2, 4])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(452)
for lengths, heads, seq_q, seq_k in [([4, 1, 6], 2, 5, 7), ([3, 5], 3, 6, 5), ([1], 4, 3, 2)]:
    scores = random_tensor(rng, len(lengths), heads, seq_q, seq_k)
    before = numbers(scores).copy()
    expected = before.copy()
    for b, h, i, j in np.ndindex(*expected.shape):
        if j >= lengths[b]:
            expected[b, h, i, j] = -math.inf
    for given in (list(lengths), torch.tensor(lengths)):
        check_numbers(mask_padding(scores, given), expected, tolerance=1e-6,
                      where="on a larger random input", sizes=f"with lengths {lengths} and {seq_k} keys ")
    assert np.array_equal(numbers(scores), before), "mask_padding changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Look at the scores, the scores after your mask, and the attention weights side by side. A hatched cell is blocked and really empty: its score is $-\infty$, its weight exactly 0, which is not the same as a small one. A red frame with a red number is a mistake: a blocked cell that still holds something, or a kept one that lost what it held.
#
# Predict before you run: query 0 keeps one key. What must its weight be, whatever its score is?

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def draw_weights(ax, table, blocked, queries, keys, title, scores=False):
    """One head, rows are queries. Blocked cells are hatched; a red frame marks what is wrong."""
    nothing, largest = (-math.inf, 2) if scores else (0, 1)
    ax.imshow(table, vmin=0, vmax=largest, cmap="cividis", aspect="auto")
    for i, j in np.ndindex(len(queries), len(keys)):
        value, shut = float(table[i][j]), bool(blocked[i][j])
        wrong = math.isnan(value) or shut != (value == nothing)
        if shut or wrong:
            ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0,
                                       edgecolor="gray", hatch=None if wrong else "////"))
        if wrong:
            ax.add_patch(plt.Rectangle((j - 0.42, i - 0.42), 0.84, 0.84, fill=False, linewidth=2.5,
                                       edgecolor="red"))
        if wrong or not shut:
            color = "red" if wrong else "white" if value < largest / 2 else "black"
            ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=9, color=color)
    ax.set_xticks(range(len(keys)), keys, rotation=45, ha="right")
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xticks(np.arange(0.5, len(keys) - 1), minor=True)
    ax.set_yticks(np.arange(0.5, len(queries) - 1), minor=True)
    ax.grid(which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="minor", length=0)
    ax.set(xlabel="key", ylabel="query", title=title)


# %% alt="Three tables side by side, scores, scores after the mask and attention weights, with 4 queries down and 4 keys across: the mask hatches the triangle above the diagonal, row 0 of the weights is 1.00 on its own token, and every row shares 1 among the keys that are left." tags=["demonstration"]
words = ["the", "cat", "sat", "still"]
scores = torch.tensor([[[[0.5, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 0.5],
                         [0.5, 2.0, 0.5, 0.0], [0.0, 0.5, 2.0, 1.0]]]])
masked = mask_future(scores)[0, 0]
weights, blocked = torch.softmax(masked, dim=-1), torch.ones(4, 4).triu(1)
figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.2), layout="constrained")
draw_weights(axes[0], scores[0, 0], torch.zeros(4, 4), words, words, "scores", scores=True)
draw_weights(axes[1], masked, blocked, words, words, "scores after the mask", scores=True)
draw_weights(axes[2], weights, blocked, words, words, "attention weights")
plt.show()

# %% [markdown]
# Row 0 is 1.00 on its own token: a single key gets everything. In the other rows the kept keys share what the blocked ones had, in their old proportions. So a second route gives the same: softmax over all keys, blocked weights set to 0, each row divided by its new sum. The mask with $-\infty$ does both steps at once.

# %% tags=["demonstration"]
late = torch.softmax(scores[0, 0], dim=-1) * torch.isfinite(masked)
late = late / late.sum(dim=-1, keepdim=True)
print(f"masked after softmax and divided by the new sum: differs by {(late - weights).abs().max():.1e}")

# %% [markdown]
# Both masks go one after the other: the second starts from what the first gave. The order doesn't matter. The rows of the attention weights still sum to 1, over fewer keys.

# %% tags=["demonstration"]
both = mask_padding(mask_future(scores), [3])
print("kept keys per query:", torch.isfinite(both)[0, 0].sum(-1).tolist())
print("sums of the weights:", numbers(torch.softmax(both, dim=-1)[0, 0].sum(-1)).round(4))

# %% [markdown]
# What would 0 in place of $-\infty$ have done? The next cell tries it for query 0, which should give all its weight to itself.

# %% tags=["demonstration"]
zeroed = scores[0, 0, 0] * torch.tensor([1.0, 0.0, 0.0, 0.0])
print("with −inf:", torch.softmax(mask_future(scores)[0, 0, 0], dim=-1).tolist())
print("with 0   :", [round(p, 2) for p in torch.softmax(zeroed, dim=-1).tolist()])


# %% [markdown]
# ## 4.6 Many heads, masked
#
# **10 points · about 40 minutes · difficulty ●●●**
#
# Now everything comes together in one layer. `mix` is the linear layer that lets the heads talk to each other after they were put side by side.
#
# | operation | expression | shape |
# |---|---|---|
# | project | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` |
# | split | one slice a head | `[batch, num_heads, seq, head_size]` |
# | scores | scaled by $\sqrt{\mathrm{head\_size}}$ | `[batch, num_heads, seq, seq]` |
# | mask | future if `causal`; padding if `lengths` is given | the same |
# | attention weights | softmax over the keys | the same |
# | dropout | on the attention weights, in train mode only | the same |
# | heads' outputs | attention weights times values | `[batch, num_heads, seq, head_size]` |
# | merge, then mix | `att` | `[batch, seq, hidden]` |
#
# The layer returns its output, `att`, alone. With `return_attention=True` it returns the pair `(att, probs)`. `probs` are the attention weights **before dropout**, of shape `[batch·num_heads, seq, seq]`, **batch-major**: row `b·num_heads + h` is head `h` of sequence `b`. First all heads of sequence 0, then all heads of sequence 1.
#
# Dropout sets each attention weight to 0 with probability `dropout`, and divides the rest by `1 − dropout`, so that the expected sum stays 1. It acts in train mode only; `layer.eval()` switches it off. The constructor raises a `ValueError` whose message contains both values, for example 12 and 5, if `num_heads` does not divide `hidden`. What comes out at padded queries is not looked at.
#
# Name the layers exactly `q`, `k`, `v`, `mix`, each with its bias. Keep the two signatures as they stand in the cell; the tests pass `causal` and `dropout` by name. Comment on the shapes in `forward` again.
#
# You may use your functions from 4.3 to 4.5, or write it in another way; masks are made on the device of `x`, as in 4.5. Five tests look at different things. A mistake in a mask doesn't cost you the points for the values, nor a missing `mix` or a wrong scale those for the masks. But a wrong split, merge or softmax shows in Tests 1 to 4.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of the eight steps of the table are already functions of yours? What is left that you have not written before?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Dropout(dropout)` is a layer without parameters; it knows by itself whether the module is in train or eval mode. `tensor.flatten(0, 1)` joins the first two axes, the earlier one varying slowest. `self.causal` is `False` or `True`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `__init__`: check that the sizes divide, make four linear layers and a dropout, keep `num_heads` and `causal`. In `forward`: project and split three times, scores, the two masks if asked for, softmax. Keep that result for `probs`. Drop from it, multiply with the values, merge, mix. Join batch and head axis of the kept result if it is asked for.
# </details>
#
# <details><summary>I get “state_dict() should hold the named layers only”</summary>
#
# You registered a mask as a buffer or a parameter. Make it in `forward` from the length of the input, or register it with `persistent=False`.
# </details>
#
# <details><summary>I get “causal=True changes nothing here”, with <code>lengths</code></summary>
#
# The second mask has to start from the result of the first one, not from the bare scores. And `lengths` must not switch `causal` off: both can be asked for at once.
# </details>
#
# <details><summary>I get “Boolean value of Tensor with more than one value is ambiguous”</summary>
#
# `lengths` may be a LongTensor, and a tensor is neither true nor false. Ask whether it is `None`.
# </details>

# %% builds_on=["split-heads", "merge-heads", "scaled-scores", "mask-future", "mask-padding"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadSelfAttention(nn.Module):
    """Self-attention with several heads: linear layers q, k, v and mix.

    MultiHeadSelfAttention(input_size, hidden, num_heads, causal=False, dropout=0.0) raises
      ValueError if num_heads does not divide hidden; the message contains both values.
    forward(x, return_attention=False, lengths=None):
      x: [batch, seq, input_size];
      lengths: real tokens of each sequence, a list or a LongTensor.
      Returns att [batch, seq, hidden], or (att, probs) with probs
      [batch * num_heads, seq, seq], batch-major and taken before dropout.
    """

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        if hidden % num_heads != 0:
            raise ValueError(f"hidden is {hidden} and can't be cut into {num_heads} equal heads")
        self.num_heads, self.causal = num_heads, causal
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)
        self.mix = nn.Linear(hidden, hidden)
        self.drop = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, return_attention=False, lengths=None):
        ### BEGIN SOLUTION
        parts = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        q, k, v = (split_heads(part, self.num_heads) for part in parts)  # [batch, num_heads, seq, head_size]
        scores = scaled_scores(q, k)  # [batch, num_heads, seq, seq]
        if self.causal:
            scores = mask_future(scores)  # [batch, num_heads, seq, seq]
        if lengths is not None:
            scores = mask_padding(scores, lengths)  # [batch, num_heads, seq, seq]
        probs = torch.softmax(scores, dim=-1)  # [batch, num_heads, seq, seq]
        att = self.mix(merge_heads(self.drop(probs) @ v))  # [batch, seq, hidden]
        if return_attention:
            return att, probs.flatten(0, 1)  # [batch, seq, hidden], [batch * num_heads, seq, seq]
        return att  # [batch, seq, hidden]
        ### END SOLUTION


# %% [markdown]
# Five tests follow. These folded cells are for them.
#
# <details><summary>What they are for</summary>
#
# Tests 2 to 5 must not depend on your scale, and yet see that queries and keys count. For that, they use layers of two kinds. With the first, all scores of a sequence are equal, so each query gives the same attention weight to all keys that it may see, whatever the scale. With the second, each weight matrix has rows that are all alike: all numbers of a query are the same one, and so for keys and values. Then every head has the same attention weights, which are known but for the scale, and the tests take any scale that is a common mistake.
# </details>

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiny-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
eye, none = torch.eye(6), torch.zeros(6)
one_token_weights = {
    "q.weight": eye / 2, "q.bias": none, "k.weight": -eye, "k.bias": none,
    "v.weight": 10 * eye, "v.bias": none, "mix.weight": 2 * eye, "mix.bias": none + 1}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "values-are-one", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def values_are_one(weights):
    """The same weights, but all values are 1, and mix does nothing."""
    eye, none = torch.eye(len(weights["mix.bias"])), torch.zeros(len(weights["mix.bias"]))
    return {**weights, "v.weight": 0 * weights["v.weight"], "v.bias": none + 1,
            "mix.weight": eye, "mix.bias": none}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "equal-scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def equal_scores(rng, batch, seq, sizes):
    """Weights, and x, for which all scores of a sequence are equal: 0 in the first, more in the next."""
    weights = {name: 0 * value for name, value in random_weights(rng, *sizes[:2]).items()}
    weights["q.weight"][:, 0] = weights["k.weight"][:, 0] = 1
    x = random_tensor(rng, batch, seq, sizes[0])
    x[..., 0] = torch.arange(batch)[:, None] / 2
    return weights, x


def alike_weights(rng, input_size, hidden):
    """Random weights of q, k and v whose rows are all alike; mix does nothing."""
    weights = random_weights(rng, input_size, hidden, "qkv")
    for value in weights.values():
        value[:] = value[0].clone()
    return {**weights, "mix.weight": torch.eye(hidden), "mix.bias": torch.zeros(hidden)}


def possible_probs(x, weights, heads, blocked=False):
    """The weights [batch, seq, seq] that every head may have with alike weights; the first are right.

    The others have another scale, or queries and keys in each other's place, which Test 1 finds.
    """
    q, k = (numbers(x) @ numbers(weights[f"{n}.weight"][0]) + numbers(weights[f"{n}.bias"][0]) for n in "qk")
    hidden, seq, found = len(weights["q.bias"]), x.shape[1], []
    size = hidden // heads
    for scores in (q[:, :, None] * k[:, None], k[:, :, None] * q[:, None]):
        for scale in (size**-0.5, 1, hidden**-0.5, heads**-0.5, seq**-0.5, 1 / size, size**0.5):
            shares = np.exp(size * scale * scores) * ~np.array(blocked)
            found.append(shares / shares.sum(axis=-1, keepdims=True))
            if not np.any(blocked):
                found.append(shares / shares.sum(axis=-2, keepdims=True))
    return found


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-any", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_any(got, possible, where):
    """Stop unless `got` equals one of the arrays in `possible`, of which the first is right."""
    alike = [got.shape == one.shape and np.allclose(got, one, rtol=1e-4, atol=1e-4) for one in possible]
    if not any(alike):
        try:
            check_numbers(got, possible[0], where=where, tolerance=1e-4)
        except AssertionError as problem:
            raise AssertionError(f"{problem}\nif Test 1 fails, start there; if not, look at the masks: what do they block, and when?"
                                 ) from None


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-masked", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_masked(rng, batch, seq, sizes, where, causal=False, lengths=None):
    """Stop unless each real token gets what queries and keys with alike weights give, under these masks."""
    weights, x = alike_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    ends = np.array([seq] * batch if lengths is None else lengths)
    blocked = (np.arange(seq) >= ends[:, None])[:, None] | np.zeros((batch, seq, 1), dtype=bool)
    blocked = blocked | (np.triu(np.ones((seq, seq)), 1) == 1) if causal else blocked
    layer = give_weights(MultiHeadSelfAttention(*sizes, causal=causal), weights)
    got = output_of(layer, x) if lengths is None else output_of(layer, x, lengths=list(lengths))
    shape = (batch, seq, sizes[1])
    assert got.shape == shape, f"{where}, the shape is not right\nexpected {shape}, but got {got.shape}"
    values = numbers(x) @ numbers(weights["v.weight"]).T + numbers(weights["v.bias"])
    real = np.arange(seq) < ends[:, None]  # what comes out at the other queries doesn't count
    mean = (~blocked / (~blocked).sum(axis=-1, keepdims=True)) @ values
    assert not np.allclose(got[real], mean[real], atol=1e-4), (
        f"{where}, this is the plain mean of the tokens that may be seen: queries and keys must decide")
    check_any(got[real], [(probs @ values)[real] for probs in possible_probs(x, weights, sizes[2], blocked)],
              where)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "compared-probs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def compared_probs(kind, sizes, weights, x, heads, lengths=None, dropout=0.0, **options):
    """probs, less the weights that att is made with in eval mode: [row, query, key].

    What padded queries get doesn't count, nor, with masks, what comes of NaN in att, which Tests 2 and 3 find.
    """
    used, shape = weights_of(kind, sizes, weights, x, heads, lengths, **options), (len(x) * heads, *x.shape[1:2] * 2)
    state, say = showing_weights(weights, sizes), {} if lengths is None else {"lengths": lengths}
    state["mix.weight"] = 2 * state["mix.weight"]
    layer = give_weights(kind(*sizes, dropout=dropout, **options), state)
    alone = numbers(steady(layer, x, **say))
    assert alone.ndim == 3, "without return_attention, return att alone"
    result = layer(x, return_attention=True, **say)
    assert isinstance(result, (tuple, list)) and len(result) == 2, (
        "with return_attention=True, return the pair (att, probs)")
    assert near(numbers(result[0]), alone), (
        "the first of the pair is not what comes without return_attention\nreturn (att, probs), in this order")
    layer.train()
    probs, again = (numbers(layer(x, return_attention=True, **say)[1]) for _ in range(2))
    assert probs.shape == shape, (
        f"probs has the shape {probs.shape} and should have (batch·num_heads, seq, seq) = {shape}\n"
        "join the batch axis and the head axis of the weights, and keep the other two"
        + ("; here the heads were added up or averaged, or only one is left" if probs.shape == used[:, 0].shape else ""))
    assert near(probs, again), (
        "in train mode, probs change from call to call\ntake them before dropout, which acts on the weights "
        "after softmax")
    difference = probs.reshape(used.shape) - used
    if options or say:
        difference[~np.isfinite(used).all(axis=-1)] = 0
    for table, length in zip(difference, [] if lengths is None else lengths):
        table[:, int(length):] = 0
    return difference.reshape(shape)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-probs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_probs(rng, batch, seq, hidden, heads):
    """Stop unless probs are those of alike weights, also in train mode."""
    weights, x = alike_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    found = [np.repeat(probs, heads, axis=0) for probs in possible_probs(x, weights, heads)]
    for training in (False, True):
        layer = MultiHeadSelfAttention(hidden, hidden, heads, dropout=0.5 if training else 0.0)
        give_weights(layer, weights).train(training)
        got, mode = numbers(layer(x.clone(), return_attention=True)[1]), "train" if training else "eval"
        check_any(got, found, where=f"where the weights have rows that are alike, for probs in {mode} mode")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-dropout", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_dropout(dropout, where):
    """Stop unless a layer with two heads drops this share of its weights, each on its own."""
    layer = give_weights(MultiHeadSelfAttention(6, 6, 2, dropout=dropout), values_are_one(one_token_weights))
    one, three = torch.ones(6000, 1, 6), torch.ones(2000, 3, 6)
    try:
        alone = output_of(layer, one)
    except Exception as error:
        raise AssertionError(f"{where}, in eval mode: {error}\nif Test 1 fails, start there") from error
    assert np.allclose(alone, 1), (
        f"{where}, in eval mode: no weight may be dropped there (if Test 1 fails, start there)")
    layer.train()
    out = output_of(layer, one)
    assert not np.isnan(out).any(), (
        f"{where}, in train mode: a row whose only weight is dropped gives NaN\n"
        "divide by 1 − dropout, as nn.Dropout does, and not by what is left of the row's sum")
    share, kept = (out == 0).mean(), out[out != 0]
    assert share > 0, (
        f"{where}, in train mode: no weight is dropped\nafter softmax, send the weights through a layer nn.Dropout(dropout) that __init__ makes")
    assert (out[..., :3] == out[..., :1]).all(), (
        f"{where}: parts of a head are dropped\ndrop weights, before they meet the values, not outputs")
    assert abs(share - dropout) < 0.1, (
        f"{where}: another share of the weights is dropped\nit is {share:.2f} and should be {dropout}\n"
        "pass the argument dropout on: it is the share that is dropped, in nn.Dropout too")
    assert np.allclose(kept, 1 / (1 - dropout), atol=1e-4), (
        f"{where}: a kept weight of 1 became {kept.flat[0]:.4g} and should be {1 / (1 - dropout):.4g}\n"
        "a kept weight must be divided by 1 − dropout")
    out = output_of(layer, three)[:, :, [0, 3]] * 3 * (1 - dropout)
    assert np.allclose(out, np.round(out), atol=1e-3), (
        f"{where}: three equal tokens don't have weights of 1/3 each, dropped one by one\n"
        "if Test 1 fails, start there; if not, is a mask on that nobody asked for?")
    assert set(np.unique(np.round(out))) == {0, 1, 2, 3}, f"{where}: each weight must be dropped on its own"
    assert (out[..., 0] != out[..., 1]).any() and (out[:, 0] != out[:, 1]).any(), (
        f"{where}: each head and each query drops its own weights")
    assert abs(out.mean() - 3 * (1 - dropout)) < 0.15, f"{where}: the expected sum of the weights must stay 1"
    layer.eval()
    assert np.allclose(output_of(layer, three[:2]), 1), f"{where}: back in eval mode nothing may be dropped"


# %% [markdown]
# **Test 1 of 5: the values, without any mask (4 points).** First a single token: its only weight is 1, so what comes out is `mix(v(x))`, and nothing else can be wrong. Then three tokens: the test gives one of them the value 1 and the others 0. So what comes out *is* the weight on this token, in each head. Last, all together.

# %% nbgrader={"grade": true, "grade_id": "multi-head-values-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
x, rng = torch.tensor([[[1.0, 2, 3, 4, 5, 6]], [[0.5, -1, 0, 8, -3, 2]]]), np.random.default_rng(46)
returns("multi-head", output="sequence token number")
check("multi-head", "a single token, whose only weight is 1", output_with,
      MultiHeadSelfAttention, (6, 6, 2), one_token_weights, x)
sizes, x = (6, 10, 2), random_tensor(rng, 4, 3, 6)
weights = random_weights(rng, *sizes[:2])
returns("multi-head", weights="sequence head query key")
check("multi-head", "how 3 tokens are weighted (a single one is right)", weights_of,
      MultiHeadSelfAttention, sizes, weights, x, heads=2)
returns("multi-head", output="sequence token number")
sizes, x = (7, 12, 3), random_tensor(rng, 2, 4, 7)
check("multi-head", "2 sequences of 4 tokens, 7 → 12 numbers, 3 heads", output_with,
      MultiHeadSelfAttention, sizes, random_weights(rng, *sizes[:2]), x)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(461)
for batch, seq, sizes in [(2, 5, (7, 12, 3)), (3, 4, (6, 10, 2)), (2, 6, (5, 4, 1))]:
    weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    w = {name: value.double() for name, value in weights.items()}
    q, k, v = (x.double() @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    parts = [F.scaled_dot_product_attention(*group) for group in
             zip(*(t.split(sizes[1] // sizes[2], dim=-1) for t in (q, k, v)))]
    expected = torch.cat(parts, dim=-1) @ w["mix.weight"].T + w["mix.bias"]
    layer, given = MultiHeadSelfAttention(*sizes), x.clone()
    give_weights(layer, weights)
    check_numbers(layer(given), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"for {sizes} and {seq} tokens ")
    assert torch.equal(given, x), "on a larger random input, the layer changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 5: causal (2 points).** A missing `mix` or a wrong scale costs nothing here. Do Test 1 first: a wrong split, merge or softmax shows here too.
#
# <details><summary>What the test looks at</summary>
#
# With equal scores each query gives the same weight to itself and to all tokens before it, and none to those after it. Then, with weight matrices whose rows are alike, each query must get what it and the keys up to it give.
# </details>

# %% nbgrader={"grade": true, "grade_id": "multi-head-causal-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
rng, sizes = np.random.default_rng(46), (7, 10, 2)
returns("multi-head", weights="sequence head query key")
check("multi-head", "causal, where all scores of a sequence are equal (if Test 1 fails, start there)",
      weights_of, MultiHeadSelfAttention, sizes, *equal_scores(rng, 3, 4, sizes), heads=2, causal=True)
check_masked(rng, 2, 3, (5, 4, 2), causal=True, where="causal, where the weights have rows that are alike")
on_meta = MultiHeadSelfAttention(4, 4, 2, causal=True).to("meta").eval()
check_device(lambda x: on_meta(x[0]))
### BEGIN HIDDEN TESTS
for batch, seq, sizes in [(2, 5, (7, 12, 3)), (3, 4, (6, 10, 2)), (2, 7, (6, 10, 2))]:
    weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    causal = give_weights(MultiHeadSelfAttention(*sizes, causal=True), weights)
    free = give_weights(MultiHeadSelfAttention(*sizes), weights)
    for t in range(seq):
        check_numbers(output_of(causal, x)[:, t], output_of(free, x[:, :t + 1])[:, t], tolerance=1e-5,
                      where="compared with sequences that end at the query", sizes=f"query {t} of {seq}: ")
    check_masked(rng, batch, seq, sizes, causal=True, where="where a larger layer's weights are alike")
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 5: a padded batch (1 point).** As in Test 2, a wrong split or softmax shows here too. With `causal` on, a layer that leaves the padding mask out passes as well, when it is graded, too, and rightly: for a real query, padding at the end is future. Question 2 at the end of the lesson takes this up.
#
# <details><summary>What the test looks at</summary>
#
# With equal scores, each real query gives the same weight to all real tokens of its sequence, and none to the padding; with `causal` on, none to the later ones either. And with weight matrices whose rows are alike, each query must get what it and the real keys give.
# </details>

# %% nbgrader={"grade": true, "grade_id": "multi-head-padding-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
rng, sizes = np.random.default_rng(47), (7, 10, 2)
equal = equal_scores(rng, 3, 4, sizes)
returns("multi-head", weights="sequence head query key")
check("multi-head", "causal, and lengths 2, 4 and 1 (if Test 1 or 2 fails, start there)", weights_of,
      MultiHeadSelfAttention, sizes, *equal, heads=2, lengths=[2, 4, 1], causal=True)
check("multi-head", "the same without causal, and lengths in a LongTensor", weights_of,
      MultiHeadSelfAttention, sizes, *equal, heads=2, lengths=torch.tensor([2, 4, 1]))
check_masked(rng, 3, 4, (5, 6, 2), lengths=[2, 4, 3], where="where the weights have rows that are alike")
on_meta = MultiHeadSelfAttention(4, 4, 2).to("meta").eval()
check_device(lambda x: on_meta(x[0], lengths=[2, 4, 1]))
### BEGIN HIDDEN TESTS
cases = [([4, 1, 6], (7, 12, 2)), ([3, 5], (6, 10, 5)), ([2, 7, 5, 3], (5, 9, 3))]
for (lengths, sizes), causal in [(case, flag) for case in cases for flag in (False, True)]:
    layer, seq = MultiHeadSelfAttention(*sizes, causal=causal), max(lengths) + 1
    give_weights(layer, random_weights(rng, *sizes[:2]))
    x = random_tensor(rng, len(lengths), seq, sizes[0])
    for given in (list(lengths), torch.tensor(lengths)):
        out = output_of(layer, x, lengths=given)
        for b, length in enumerate(lengths):
            alone = output_of(layer, x[b:b + 1, :length])[0]
            assert near(out[b, :length], alone), (
                "in a larger batch, a padded sequence doesn't get what it gets without padding\n"
                f"length {length} of {seq}")
    if not causal:
        check_masked(rng, len(lengths), seq, sizes, lengths=lengths,
                     where="where a larger layer's weights are alike")
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 5: the returned attention weights (1 point).** As in Test 1, what comes out with values of 0 and 1 shows the attention weights that `att` was made with. Your `probs` must be these: the difference must be 0, head by head and sequence by sequence, in train mode and with masks, too.

# %% nbgrader={"grade": true, "grade_id": "multi-head-returned-attention-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
rng, sizes = np.random.default_rng(48), (6, 10, 2)
weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, 4, 3, 6)
returns("multi-head", difference="row query key")
check("multi-head", "probs, less the weights that att was made with (if Test 1 fails, start there)",
      compared_probs, MultiHeadSelfAttention, sizes, weights, x, 2)
check("multi-head", "the same in train mode, with dropout", compared_probs,
      MultiHeadSelfAttention, sizes, weights, x, 2, dropout=0.5)
check("multi-head", "the same with both masks, causal and lengths", compared_probs,
      MultiHeadSelfAttention, sizes, weights, x, 2, lengths=[2, 3, 1, 3], causal=True)
check("multi-head", "the same with lengths alone", compared_probs,
      MultiHeadSelfAttention, sizes, weights, x, 2, lengths=[2, 3, 1, 3])
check_probs(rng, batch=3, seq=2, hidden=6, heads=2)
### BEGIN HIDDEN TESTS
for (batch, seq, hidden, heads), causal, lengths in [
        ((2, 4, 15, 3), False, None), ((3, 5, 12, 2), True, None), ((3, 5, 12, 3), True, [4, 2, 5]),
        ((2, 6, 10, 2), False, [3, 6])]:
    rng, eye, say = np.random.default_rng(481), torch.eye(hidden), {} if lengths is None else {"lengths": lengths}
    weights, x = random_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    gap = compared_probs(MultiHeadSelfAttention, (hidden, hidden, heads), weights, x, heads, lengths, dropout=0.4,
                         causal=causal)
    assert near(gap, 0 * gap), "in a larger batch, probs are not the weights that att was made with"
    # Values are x, and mix does nothing: att can be made a second time from probs.
    weights |= {"v.weight": eye, "v.bias": 0 * eye[0], "mix.weight": eye, "mix.bias": 0 * eye[0]}
    layer = give_weights(MultiHeadSelfAttention(hidden, hidden, heads, causal=causal), weights)
    att, probs = map(numbers, layer(x.clone(), return_attention=True, **say))
    real = np.arange(seq) < np.array([seq] * batch if lengths is None else lengths)[:, None]
    if lengths is None:
        att, probs = np.nan_to_num(att), np.nan_to_num(probs)
    else:
        real = real & np.isfinite(att).all(axis=-1)  # NaN is for Tests 2 and 3
    assert probs.shape == (batch * heads, seq, seq), "in a larger batch, the shape of probs is not right"
    slices = numbers(x).reshape(batch, seq, heads, -1).swapaxes(1, 2)
    again = (probs.reshape(batch, heads, seq, seq) @ slices).swapaxes(1, 2).reshape(batch, seq, hidden)
    check_numbers(again[real], att[real], tolerance=1e-5, where="att made a second time from probs "
                  "(is split or merge wrong? If Test 1 fails, start there)")
for batch, seq, hidden, heads in [(2, 4, 15, 3), (4, 3, 12, 2)]:
    check_probs(np.random.default_rng(482), batch, seq, hidden, heads)
### END HIDDEN TESTS

# %% [markdown]
# **Test 5 of 5: dropout and errors (2 points).** All values are 1 here, so a head's output is the sum of its attention weights after dropout. With a single token that is one weight: after dropout of 0.25 it must be either 0 or 1/0.75 = 1.333. With three equal tokens the sum is 0, 1, 2 or 3 times a third of that.

# %% nbgrader={"grade": true, "grade_id": "multi-head-dropout-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check_error(12, 5, MultiHeadSelfAttention, 10, 12, 5)
check_error(10, 3, MultiHeadSelfAttention, 6, 10, 3)
all_ones = values_are_one(one_token_weights)
for dropout in (0.25, 0.6):
    check_dropout(dropout, where=f"dropout {dropout}")
### BEGIN HIDDEN TESTS
check_dropout(0.4, where="another dropout")
layer = give_weights(MultiHeadSelfAttention(6, 6, 2), all_ones)
layer.train()
assert np.allclose(numbers(layer(torch.ones(2, 3, 6))), 1), "dropout 0 must drop nothing"
# Each output in train mode is a sum over kept tokens only, divided by 1 − dropout.
weights = {**alike_weights(rng := np.random.default_rng(485), 6, 6), "v.weight": torch.eye(6), "v.bias": torch.zeros(6)}
layer = give_weights(MultiHeadSelfAttention(6, 6, 1, dropout=0.25), weights)
x, where, right = random_tensor(rng, 200, 2, 6), "where a larger layer's weights are alike", False
found = possible_probs(x, weights, heads=1)
check_any(output_of(layer, x), [probs @ numbers(x) for probs in found], where)
layer.train()
out = output_of(layer, x) * 0.75
for probs in found:
    parts = probs[..., None] * numbers(x)[:, None]  # [batch, query, key, 6]
    sums = [a * parts[:, :, 0] + b * parts[:, :, 1] for a in (0, 1) for b in (0, 1)]
    right = right or (np.abs(sums - out).max(axis=-1).min(axis=0) < 1e-4).all()
assert right, f"{where}, in train mode this is no sum over kept tokens, divided by 1 − dropout"
for sizes in [(5, 9, 4), (3, 8, 6)]:
    check_error(*sizes[1:], MultiHeadSelfAttention, *sizes, where="other sizes that don't divide")
### END HIDDEN TESTS

# %% [markdown]
# And your comments on shapes in the large layer, with both masks and with `return_attention=True`. Here 3 heads have 4 numbers each, and then 2 heads 5. A third run asks for neither padding nor attention weights:

# %% tags=["demonstration"]
small = {"batch": 2, "seq": 5, "input_size": 7, "num_heads": 3, "head_size": 4, "hidden": 12}
large = {"batch": 4, "seq": 7, "input_size": 9, "num_heads": 2, "head_size": 5, "hidden": 10}
layers = [MultiHeadSelfAttention(7, 12, 3, causal=True), MultiHeadSelfAttention(9, 10, 2, causal=True)]
asked = {"return_attention": True}
follow_shapes(
    (small, layers[0], torch.randn(2, 5, 7), asked | {"lengths": [3, 5]}),
    (large, layers[1], torch.randn(4, 7, 9), asked | {"lengths": [4, 7, 2, 6]}),
    (small, layers[0], torch.randn(2, 5, 7)),
)

# %% [markdown]
# Look at dropout at work: one head, four equal tokens, so every attention weight is 1/4. In train mode with dropout 0.5 each weight is 0 or 1/2; the sum over a row is 1 on average only.

# %% tags=["demonstration"]
layer = MultiHeadSelfAttention(6, 6, 1, dropout=0.5)
all_values_one = {"v.weight": torch.zeros(6, 6), "v.bias": torch.ones(6)}
just_pass_on = {"mix.weight": torch.eye(6), "mix.bias": torch.zeros(6)}
layer.load_state_dict({**one_token_weights, **all_values_one, **just_pass_on})
x = torch.ones(1, 4, 6)
print("eval :", layer.eval()(x)[0, :, 0].tolist())
print("train:", layer.train()(x)[0, :, 0].tolist())

# %% [markdown]
# Two-route check of the causal switch: the last query sees everything before it, so with the same weight matrices `causal` must not change its output. All other queries lose something.

# %% tags=["demonstration"]
free, causal = MultiHeadSelfAttention(7, 12, 3), MultiHeadSelfAttention(7, 12, 3, causal=True)
causal.load_state_dict(free.state_dict())
x = torch.randn(1, 5, 7)
moved = (free(x) - causal(x)).abs().amax(-1)[0]
print("change of each query:", [round(value, 4) for value in moved.tolist()])

# %% [markdown]
# **One causal pass, n predictions.** With the mask, output `t` is what the layer gives for tokens 0 to `t` alone. So a model that learns to guess the next token gets a guess at every place from one pass over n tokens; without the mask it would take n passes, one for each beginning of the text. The next cell goes both ways.

# %% tags=["demonstration"]
one_pass = causal(x)
five_passes = torch.stack([free(x[:, :t + 1])[:, t] for t in range(5)], dim=1)
print(f"one causal pass against five over beginnings: {(one_pass - five_passes).abs().max():.1e}")

# %% [markdown]
# ## A batch to look at
#
# Three sentences of length 3, 4 and 7 share one padded batch. To make the heads readable, we set the weight matrices of `q` and `k` by hand. Each token is described by its kind (article, noun, verb, other) and its position, 4 + 7 = 11 numbers.
#
# **Head 0 looks for a kind of word**: nouns look for verbs, everything else looks for nouns. **Head 1 looks one position back.** `v` and `mix` don't touch the attention weights, so they stay as they come.
#
# Token 0 has nothing before it. In head 1 its query is all zeros, so all its scores are 0, and softmax gives every key it may see the same share: 0.33 each for three keys. This even row says that nothing was asked. You will see an even row with another reason, too.

# %% nbgrader={"grade": false, "grade_id": "sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentences = [["the", "cat", "sat"], ["a", "dog", "ran", "home"],
             ["the", "bird", "sang", "on", "the", "old", "fence"]]
kinds = {"the": 0, "a": 0, "cat": 1, "dog": 1, "bird": 1, "fence": 1, "sat": 2, "ran": 2, "sang": 2}
lengths = [len(words) for words in sentences]
batch = torch.zeros(3, 7, 11)
for b, words in enumerate(sentences):
    for position, word in enumerate(words):
        batch[b, position, kinds.get(word, 3)] = 1
        batch[b, position, 4 + position] = 1
print("batch", tuple(batch.shape), "  lengths", lengths)

# %% nbgrader={"grade": false, "grade_id": "readable-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
query_weight, key_weight = torch.zeros(14, 11), torch.zeros(14, 11)
noun, verb = 0, 1                       # what the first two numbers of head 0 stand for
query_weight[noun, [0, 2, 3]] = 3.0     # articles, verbs and others look for a noun
query_weight[verb, 1] = 3.0             # nouns look for a verb
key_weight[noun, 1] = key_weight[verb, 2] = 3.0
for position in range(1, 7):            # head 1 owns the numbers 7 to 13
    query_weight[7 + position, 4 + position] = 4.0
    key_weight[7 + position, 4 + position - 1] = 4.0


def readable_layer(causal):
    layer = MultiHeadSelfAttention(11, 14, 2, causal=causal)
    state = layer.state_dict()
    state.update({"q.weight": query_weight, "k.weight": key_weight,
                  "q.bias": torch.zeros(14), "k.bias": torch.zeros(14)})
    layer.load_state_dict(state)
    return layer.eval()


# %% [markdown]
# Predict before you run. With `causal` on, *cat* can no longer see *sat*. Where does the weight go that it had there? And what changes in head 1?
#
# A picture for each sentence: one head a row, the causal mask off on the left and on on the right. Rows are the real queries; hatched columns at the right are the padding. A red frame is a mistake in your masks, or in the `probs` that you return.

# %% alt="Four tables for 'the cat sat', head 0 above head 1, causal off left and on right: without the causal mask cat gives sat 0.94 in head 0, with it cat shares 0.50 and 0.50 between the and itself; in head 1 rows 1 and 2 keep 1.00 one position back, and only row 0 changes, from 0.33 three times to 1.00." tags=["demonstration"]
def draw_sentence(b):
    words = sentences[b]
    keys, height = words + ["(pad)"] * (7 - len(words)), 2 * (0.42 * len(words) + 1.15)
    figure, axes = plt.subplots(2, 2, figsize=(8.4, height), layout="constrained")
    for causal in (False, True):
        att, probs = readable_layer(causal)(batch, return_attention=True, lengths=lengths)
        blocked = [[j >= len(words) or (causal and j > i) for j in range(7)] for i in range(7)]
        for h in range(2):
            draw_weights(axes[h, int(causal)], probs[2 * b + h, :len(words)].tolist(), blocked, words, keys,
                         f"head {h}, causal {'on' if causal else 'off'}")
    figure.colorbar(axes[1, 1].images[0], ax=axes, shrink=0.6, label="attention weight")
    plt.show()


draw_sentence(0)

# %% [markdown]
# Numbers that look like a small weight and cells that are blocked are two different things. In the first panel *cat* gives *the* a weight of 0.03: it may look there and hardly does. A 0.00 without hatching is a small number, too, rounded. The hatched cells have a weight of exactly 0.

# %% alt="Four tables for 'a dog ran home': in head 0 without the causal mask dog looks at ran and all others look at dog, and with the mask ran and home still do, while a has only itself left and dog shares 0.50 and 0.50; in head 1 each row from row 1 on looks one position back, with the mask and without." tags=["demonstration"]
draw_sentence(1)

# %% alt="Four tables for the seven tokens of 'the bird sang on the old fence', without padding: in head 0 all words but the nouns give bird and fence 0.46 each, and with the causal mask those after bird give it 0.86 to 0.94, since fence is still to come; in head 1 numbers of 0.99 or more stand one place left of the diagonal, with the mask and without." tags=["demonstration"]
draw_sentence(2)


# %% [markdown]
# ## 4.7 Take over PyTorch's own weights
#
# **3 points · about 13 minutes · difficulty ●●○**
#
# `nn.MultiheadAttention(hidden, num_heads, batch_first=True)` is PyTorch's version of your layer. If yours is right, then with the same weight matrices and biases it gives the same numbers. It keeps the three projections in **one** tensor, stacked along the rows:
#
# | PyTorch's name | shape | yours |
# |---|---|---|
# | `in_proj_weight` | `(3·hidden, hidden)` | `q.weight`, then `k.weight`, then `v.weight` |
# | `in_proj_bias` | `(3·hidden,)` | `q.bias`, then `k.bias`, then `v.bias` |
# | `out_proj.weight`, `out_proj.bias` | `(hidden, hidden)`, `(hidden,)` | `mix.weight`, `mix.bias` |
#
# Both sides use `nn.Linear`'s layout, and both give head `h` the same contiguous slice. `module.embed_dim` and `module.num_heads` tell the sizes. Return a `MultiHeadSelfAttention` without a causal mask, whose `state_dict()` holds all eight: four weight matrices and four biases. Then they can be loaded into a layer with `causal=True` as well. The class from 4.6 must be such that it can be built and called.
#
# <details><summary>Hint 1: a question</summary>
#
# `in_proj_weight` has shape (18, 6). Which rows belong to the keys?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.chunk(3)` cuts along the first axis. `module.state_dict()` gives tensors that need no gradient. `load_state_dict` takes a dict with your names and copies the numbers. Or, one by one, `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Build your layer with `embed_dim` as input size and as hidden size, and with the module's number of heads. Cut weight and bias into three. Collect all eight tensors under your names. Load them, return the layer.
# </details>
#
# <details><summary>I get “cannot assign … as parameter”</summary>
#
# A plain tensor can't take a parameter's place. Leave the parameter where it is and copy numbers into it: all at once with `load_state_dict`, or one by one with `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>

# %% builds_on=["multi-head"] nbgrader={"grade": false, "grade_id": "load-from-torch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_from_torch(module):
    """Copy the weights of PyTorch's own attention into ours.

    module: nn.MultiheadAttention(hidden, num_heads, batch_first=True), with biases.
    Returns a MultiHeadSelfAttention (not causal) that gives the same outputs.
    """
    ### BEGIN SOLUTION
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    theirs, ours = module.state_dict(), {}
    ours["mix.weight"], ours["mix.bias"] = theirs["out_proj.weight"], theirs["out_proj.bias"]
    for kind in ("weight", "bias"):
        for name, part in zip("qkv", theirs[f"in_proj_{kind}"].chunk(3)):
            ours[f"{name}.{kind}"] = part
    layer.load_state_dict(ours)
    return layer
    ### END SOLUTION


# %% [markdown]
# The test looks at the weight matrices and biases that your layer holds now: a plain computation with them must give what PyTorch's module gives, without and with a causal mask. Then your layer must give the same as a fresh one of yours into which they are loaded. So a wrong number in 4.6 costs nothing here, but the class must be built and called without an error.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "module-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def module_of(rng, hidden, heads, bias_scale=0.5):
    """PyTorch's own attention, and the weights that it holds, under your names."""
    module = nn.MultiheadAttention(hidden, heads, batch_first=True).eval()
    theirs = {name: random_tensor(rng, *value.shape) * (hidden**-0.5 if value.dim() > 1 else bias_scale)
              for name, value in module.state_dict().items()}
    module.load_state_dict(theirs)
    parts = [theirs[f"in_proj_{kind}"].split(hidden) for kind in ("weight", "bias")]
    right = {f"{name}.{kind}": part for kind, own in zip(("weight", "bias"), parts)
             for name, part in zip("qkv", own)}
    return module, {**right, "mix.weight": theirs["out_proj.weight"], "mix.bias": theirs["out_proj.bias"]}


def gives_the_same(w, module, x, heads, causal):
    """Whether a plain computation with the weights w gives what PyTorch's module gives."""
    later = torch.ones(*x.shape[1:2] * 2).triu(1).bool() if causal else None
    expected = numbers(module(x, x, x, attn_mask=later, need_weights=False)[0])
    split = ((x @ w[f"{n}.weight"].T + w[f"{n}.bias"]).chunk(heads, dim=-1) for n in "qkv")
    heads_out = [F.scaled_dot_product_attention(*part, is_causal=causal) for part in zip(*split)]
    got = numbers(torch.cat(heads_out, dim=-1) @ w["mix.weight"].T + w["mix.bias"])
    return np.allclose(got, expected, rtol=1e-5, atol=1e-5)


def layer_of(module):
    """What load_from_torch returns, and a copy of the weights that it holds."""
    layer = load_from_torch(module)
    assert layer is not None, "you gave back None\ndoes your function end with a return?"
    assert not isinstance(layer, (tuple, list, dict)), (
        f"you gave back a {'dict' if isinstance(layer, dict) else 'tuple'}\nreturn the layer, in a line of its own: load_state_dict "
        "fills it, and gives back only which names did not fit")
    held = set(layer.state_dict())
    assert held == {f"{name}.{kind}" for name in ("q", "k", "v", "mix") for kind in ("weight", "bias")}, (
        f"what you gave back holds {', '.join(sorted(held))}\nreturn a MultiHeadSelfAttention, with its own layers")
    layer.eval()
    return layer, {name: value.detach().cpu().clone() for name, value in layer.state_dict().items()}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-load", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_load(rng, hidden, heads, batch, seq, bias_scale=0.5):
    """Stop unless a layer with PyTorch's weights, and a plain computation with them, give what it gives."""
    module, _ = module_of(rng, hidden, heads, bias_scale)
    x, (layer, w) = random_tensor(rng, batch, seq, hidden), layer_of(deepcopy(module))
    for causal in (False, True):
        assert gives_the_same(w, module, x, heads, causal), "these weights don't give what PyTorch's module gives"
        fresh = MultiHeadSelfAttention(hidden, hidden, heads, causal=causal)
        give_weights(fresh, w)
        assert causal or np.allclose(output_of(layer, x), output_of(fresh, x), atol=1e-5), (
            "the weights are right, but a new layer with them, without a causal mask, gives other numbers\n"
            f"tried with {heads} heads\npass the module's number of heads, and leave causal off")


def held_by(rng, hidden, heads):
    """The weights that a layer has taken over. The bias of k is left out: it changes no output."""
    module, right = module_of(rng, hidden, heads)
    held, x = layer_of(deepcopy(module))[1], random_tensor(rng, 3, 4, hidden)
    if gives_the_same(held, module, x, heads, causal=False):
        held = right
    else:
        again = layer_of(deepcopy(module))[1]
        drawn = [name for name in held if not torch.equal(held[name], again[name])]
        assert not drawn, (
            f"two calls give other numbers in {', '.join(drawn)}\n"
            "there your layer still holds what it was built with: copy the module's numbers into it")
    return {name.replace(".", "_"): held[name] for name in right if name != "k.bias"}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-copied", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_copied(rng, hidden, heads):
    """Stop unless module and layer keep weights of their own. The module's stand in layers of yours here."""
    wide, plain = (MultiHeadSelfAttention(hidden, size, heads) for size in (3 * hidden, hidden))
    module = nn.MultiheadAttention(hidden, heads, batch_first=True).eval()
    for kind in ("weight", "bias"):
        module._parameters[f"in_proj_{kind}"] = getattr(wide.q, kind)
    module._modules["out_proj"] = plain.mix
    given = [(part, {name: value.detach().clone() for name, value in part.state_dict().items()})
             for part in (wide.q, plain.mix)]
    layer, before = layer_of(module)
    for part, own in given:
        assert all(torch.equal(value, own[name]) for name, value in part.state_dict().items()), (
            "the module was changed\ncopy from the module into your layer, not the other way")
        part.load_state_dict({name: value + 1 for name, value in own.items()})
    moved = [name for name, value in layer.state_dict().items() if not torch.equal(value, before[name])]
    assert not moved, (
        f"{', '.join(moved)} changed when the module's weights did\n"
        "copy the numbers, so that the layer's weights are its own: copy_, clone or load_state_dict")


# %% nbgrader={"grade": true, "grade_id": "load-from-torch-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
parts = {name: "row column" for name in ("q_weight", "k_weight", "v_weight", "mix_weight")}
returns("load-from-torch", **parts, q_bias="row", v_bias="row", mix_bias="row")
check("load-from-torch", "6 numbers, 3 heads", held_by, np.random.default_rng(49), 6, 3)
check_load(np.random.default_rng(49), hidden=6, heads=3, batch=2, seq=4)
check_load(np.random.default_rng(490), hidden=8, heads=2, batch=3, seq=5)
check_copied(np.random.default_rng(49), hidden=6, heads=2)
### BEGIN HIDDEN TESTS
for hidden, heads, batch, seq in [(12, 3, 2, 5), (10, 5, 3, 7)]:
    check_load(np.random.default_rng(491), hidden, heads, batch, seq)
# As PyTorch makes it: the biases of a new module are all 0.
check_load(np.random.default_rng(492), hidden=8, heads=4, batch=2, seq=3, bias_scale=0.0)
### END HIDDEN TESTS

# %% tags=["demonstration"]
module = nn.MultiheadAttention(12, 3, batch_first=True)
for name, value in module.state_dict().items():
    print(f"PyTorch {name:16}", tuple(value.shape))
for name, value in load_from_torch(module).state_dict().items():
    print(f"ours    {name:16}", tuple(value.shape))

# %% [markdown]
# Why one tensor? One large product does the work of three. Many models are written so: in nanoGPT (Andrej Karpathy, 2022) a single layer `c_attn`, an `nn.Linear(n_embd, 3 * n_embd)`, makes queries, keys and values, and its output is cut into three. Its weight matrix is `in_proj_weight` under another name.

# %% tags=["demonstration"]
x = torch.randn(2, 5, 12)
fused = x @ module.in_proj_weight.T + module.in_proj_bias
layer = load_from_torch(module)
three = torch.cat([layer.q(x), layer.k(x), layer.v(x)], dim=-1)
print(f"one product {tuple(fused.shape)} against q, k and v: {(fused - three).abs().max():.0e}")

# %% [markdown]
# Now the real comparison: your whole layer against PyTorch's, for a causal mask. The gap should be rounding, below 0.000001 or so.

# %% tags=["demonstration"]
module = nn.MultiheadAttention(12, 3, batch_first=True).eval()
layer = MultiHeadSelfAttention(12, 12, 3, causal=True).eval()
layer.load_state_dict(load_from_torch(module).state_dict())
x = torch.randn(2, 5, 12)
block = torch.ones(5, 5).triu(1).bool()
gap = (layer(x) - module(x, x, x, attn_mask=block, need_weights=False)[0]).abs().max()
print(f"largest difference: {gap.item():.1e}")

# %% [markdown]
# ## Two meanings of a boolean mask
#
# PyTorch also has attention as one function, `F.scaled_dot_product_attention(q, k, v, attn_mask=...)`. Its boolean mask says the opposite of what you used so far:
#
# | where | `True` means |
# |---|---|
# | `scores.masked_fill(mask, -inf)` | **block** this score |
# | `nn.MultiheadAttention(..., attn_mask=mask)` | **block** |
# | `F.scaled_dot_product_attention(..., attn_mask=mask)` | this key **may be attended** |
#
# Nothing crashes if you mix them up. The next cell uses the mask as this function wants it, and compares with a computation by hand. There, `k.mT` is `k` with its last two axes swapped, like `k.transpose(-2, -1)`.

# %% tags=["demonstration"]
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 4, 5).unbind(0)
may_attend = torch.ones(4, 4).tril().bool()
by_hand = torch.softmax((q @ k.mT / 5**0.5).masked_fill(~may_attend, -math.inf), dim=-1) @ v
by_torch = F.scaled_dot_product_attention(q, k, v, attn_mask=may_attend)
print(f"by hand against F.scaled_dot_product_attention: {(by_hand - by_torch).abs().max():.1e}")

# %% [markdown]
# Predict: in the next cell the keys and values of the last token are changed. May the output of query 0 move, with the right and with the inverted mask?

# %% tags=["demonstration"]
new_k, new_v = k.clone(), v.clone()
new_k[..., 3, :] += 1
new_v[..., 3, :] += 1
for name, mask in {"may attend": may_attend, "inverted": ~may_attend}.items():
    before = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    after = F.scaled_dot_product_attention(q, new_k, new_v, attn_mask=mask)
    print(f"{name:10}: query 0 moves by {(after - before)[..., 0, :].abs().max():.3f}")

# %% [markdown]
# With the right mask query 0 doesn't move at all. With the inverted one it does: it sees nothing *but* its future. This small experiment, *change the future and look whether the past moves*, is the best test of causality there is. It needs no reference, it works on a whole model, and it catches an inverted mask at once.
#
# With the inverted mask the last query has no key at all. A softmax over nothing does not exist: computed plainly it is NaN, and library functions differ in what they put there. In this lesson it can't happen as long as a query keeps itself and every length is at least 1.

# %% [markdown]
# ## 4.8 Three questions
#
# **4 points · about 15 minutes · difficulty ●●○**
#
# Answer in your own words. Full sentences and one example are worth more than a long text.

# %% [markdown] nbgrader={"grade": false, "grade_id": "scale-many-heads", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q3 (1 point).** Your one-head layer divided by $\sqrt{\text{hidden}}$. Is the scale the same in a layer with many heads? Take `hidden` 64 and 4 heads: by which number are the scores divided, and why?
#
# ### BEGIN MARK SCHEME
# Half a point: the number. Not the same: √head_size = √(64/4) = √16 = 4, where one head has √64 = 8.
#
# Half a point: the reason. A score in one head is a sum of only head_size products, so its variance is head_size and its standard deviation √head_size. The other heads' numbers do not enter it. (It is the same rule, "root of the length of a query", with another length.)
#
# Common half-right answer (half a point): "√16, because hidden is divided by the number of heads": right number, no reason by the spread of a sum.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "count-nonlinear", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q4 (1 point).** Count one softmax over one row of scores as one nonlinear operation. For a batch of 2 sequences of 5 tokens: how many are there with 1 head, and with 3 heads? Somebody says: "And `q`, `k`, `v` and `mix` add four more." What do you answer? (Dropout is off, and products of two computed tensors are not counted.)
#
# ### BEGIN MARK SCHEME
# Half a point: one softmax for every sequence, head and query: 2·1·5 = 10 with one head, 2·3·5 = 30 with three.
#
# Half a point: q, k, v and mix add none. They are linear (exactly: affine, linear plus a bias), and the number of nonlinear operations does not grow by them, however many there are. Splitting and merging only move numbers.
#
# Accept as well, not required: "one kind of nonlinear function, softmax, applied to batch·num_heads·seq rows"; and the remark that q·k and weights·v multiply two things that both depend on x, so the layer is not linear in x even apart from softmax.
#
# Common half-right answer (half a point): "softmax is the only one", with no count, or with a count that forgets the queries (2·3 = 6).
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "read-causal-heatmap", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# **Q5 (2 points).** Choose one of the three sentences in the pictures of 4.6. Compare the panels with causal off and on: what do you see in the shape, in row 0, and in the numbers of **one** row that changed? Then say why head 0 and head 1 are hit so differently by the same mask. Name tokens and numbers.
#
# ### BEGIN MARK SCHEME
# 1 point, reading the causal panel of the chosen sentence: everything above the diagonal is hatched (keys after their query); row 0 is 1.00 on itself, since it is the only key left; every row still sums to 1. In one row that changed, the weight of the blocked keys has gone to the keys that are left, in their old proportions (example: "cat" in "the cat sat" goes from 0.03, 0.03, 0.94 to 0.50, 0.50). Half a point if only the triangle is described, without numbers.
#
# 1 point, the heads: head 0 looks for a kind of word, which often stands later (article to noun, noun to verb), so the mask takes away just what it looked at and leaves it with an even or other choice; head 1 looks one position back, which is allowed, so its rows from row 1 on hardly change (0.99 stays about 0.99 or becomes 1.00); only row 0, which has no previous token and asks for nothing (a query of zeros, an even row), becomes 1.00. Half a point if only one of the two heads is explained.
#
# Common half-right answer (1 point): "with causal on the future is masked, so the model can't cheat", with the triangle and row 0 named, but no comparison of the heads.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you built
#
# You have a layer with many heads that can be trained, batched, padded and masked, and it agrees with PyTorch's own. You know it from inside: how heads are slices of one tensor, why the scale is $\sqrt{\mathrm{head\_size}}$, what a mask does to scores before softmax, where dropout acts, and why one causal pass gives a prediction at every place.
#
# You also have ways to check any attention layer without a reference: one token alone, query 0 of a causal sequence, a change of the future that must not reach the past, padding that must not matter.

# %% [markdown]
# ## Three questions to think about
#
# 1. A causal layer computes all queries at once while it is trained, but when it writes a text it gets one new token at a time. Which of the earlier tokens' queries, keys and values does it need again, and which not?
# 2. With padding at the end and `causal` on, does the padding mask change the output of any *real* query? And with padding at the *start*: which queries would have no key left?
# 3. Dropout on the attention weights leaves rows that no longer sum to 1. What would change if you divided each row by its sum again after dropout?
#
# <details><summary>Answers</summary>
#
# **1.** Keys and values: the new query is compared with all keys so far, and its weights mix all values so far. Earlier queries are done, since their rows of scores can't change any more: new keys are future for them. Keeping keys and values is called a key-value cache. With it, a new token costs one query, one key, one value and one row of scores.
#
# **2.** No. Padding at the end comes after every real query, so the causal mask blocks it already. With padding at the start, the padded queries lose every key: what came before them is padding, and so are they. Their rows are NaN. The real queries keep at least themselves, but a layer above would meet the NaN: 0 · NaN is NaN, so even a weight of 0 lets it in.
#
# **3.** A row whose weights were all dropped would be 0/0, NaN. With a single key a row would be 1 or NaN, never 0 or 1/(1 − p). And the mean would be off. Take weights 0.9 and 0.1 and a dropout of 0.5: divided by 1 − p, their means over many draws stay 0.9 and 0.1. Divided by the new sum, the rows that are left have the means 0.63 and 0.37, since each key alone gets 1.
# </details>

# %% [markdown]
# ## References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Nitish Srivastava, Geoffrey Hinton, Alex Krizhevsky, Ilya Sutskever, Ruslan Salakhutdinov: *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*, 2014.
# - Alec Radford, Karthik Narasimhan, Tim Salimans, Ilya Sutskever: *Improving Language Understanding by Generative Pre-Training*, 2018.
# - Andrej Karpathy: *nanoGPT*, 2022, `model.py`.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapter 12.
