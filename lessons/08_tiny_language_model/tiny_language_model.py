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
# # A tiny language model, and a look inside
#
# *Attention, Graded · lesson 08 · PyTorch · about 240 minutes · 34 points*
#
# Here the causal layer of lesson 04 becomes a language model. It learns a made-up language whose **entropy is known**, so you know the best loss that any model can reach, and see how far yours is from it. A mean loss that falls clearly *below* this limit is not a success but a bug, and you will meet some.
#
# Then you look inside. A small model of two attention layers learns to continue patterns that it has never seen, with a mechanism called an *induction head*. You find it, measure it, and cut it out. Nothing is downloaded. This lesson builds on lesson 04; lesson 05 helps.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs and weights of their own, and never train. When your notebook is graded, larger random inputs are tried as well. Questions 8.15 and 8.16 are answered in words and read by a person. If an exercise won't come, leave it and go on. Most exercises stand alone, but for these: 8.5 builds on 8.3 and 8.4, 8.6 on 8.3 and 8.5, 8.11 on 8.10, and 8.9, if you like, on 8.2. Cells that train, draw or print call your functions, so they fail, or show wrong things, until those work. The 240 minutes count reading and running such cells, too. Two models are trained; on a quiet machine each takes ten to twenty seconds and shows its progress.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **Tokens are whole numbers** | `tokens` is a `LongTensor` `(batch, seq)`; a row is one sequence |
# | **Row t predicts token t + 1** | `logits` is `(batch, seq, vocab)`: `logits[b, t]` are the scores of what comes *after* token `t`, and the last row has no target |
# | **Losses are in nats** | natural logarithms; the perplexity is `exp` of the loss |
# | **Padding is a token, too** | it has a number, and is never a target that counts |
# | **Each row of the attention weights sums to 1** | `weights` is `(batch, num_heads, seq, seq)`, row = query, column = key; query `t` sees the keys `0 … t` |
# | **Shapes of weights** | as `nn.Linear` keeps them, `(out, in)`: a layer computes `x @ weight.T + bias` |
# | **Heads** | head `h` owns the numbers `h·head_size … (h+1)·head_size − 1` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import copy
import math
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

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
 "source-entropy": {
 "made of": "17a55e031338", "defines": ["source_entropy"],
 "advice": {
  "bits": "These are bits: take the natural logarithm, torch.log or torch.special.xlogy.",
  "logarithm to the base 10": "The logarithm is to the base 10: take the natural one, torch.log or torch.special.xlogy.",
  "no minus": "The sign is wrong: a surprise is −ln p, so put a minus before the sum.",
  "NaN from 0 · ln 0": "NaN comes of 0 · ln 0 or 0 / 0: make each such term 0, as torch.special.xlogy(table, table) does.",
  "NaN from 0 · ln 0, mended too late": "A NaN of 0 · ln 0 has taken its whole row with it: make each such term 0 before you sum, as torch.special.xlogy does.",
  "ln 0 made 0, its pairs not": "Letters with p = 0 are counted with a large surprise, since ln p is not multiplied by p: sum table · ln table.",
  "pairs left out": "The pairs are not weighed: multiply the entropy after each pair by pairs, then sum.",
  "mean over all pairs": "All pairs count the same here: multiply by pairs, which says how often each comes, and sum.",
  "mean over pairs that come": "All pairs that come count the same here: multiply by pairs, which says how often each comes, and sum.",
  "weighed, then a mean": "The last step is a mean, which divides by the number of pairs: take the sum, since pairs add up to 1 already.",
  "pairs twice": "The pairs are multiplied in twice: weigh the entropy after each pair once.",
  "pairs transposed": "The pairs are turned: pairs[a, b] belongs to table[a, b], in the same order.",
  "sum over the first letter": "pairs is multiplied along the last two axes of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None].",
  "sum over the second letter": "pairs is multiplied along the first and the last axis of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None].",
  "mean over the next letter": "The terms of a pair are averaged: sum them over the last axis, since p is their weight already.",
  "H1, given one letter": "This is H1, given one letter: take table, which knows two, and weigh it by pairs.",
  "H1 of mixed tables": "The tables are mixed over the first letter before the logarithm, so only one letter is known: take the entropy of each row of table first, then weigh.",
  "H0, of one letter": "This is H0, of one letter by itself: take table, which knows two letters, and weigh it by pairs.",
  "entropy of the pairs": "This is the entropy of the pairs: take that of the next letter after each pair, from table.",
  "entropy of three letters": "This is the entropy of three letters together: pairs belongs before the logarithm, and only table under it.",
  "entropy of the mixed next letter": "The rows of table are mixed before the logarithm: take the entropy of each row first, then weigh it by pairs and sum.",
  "table before the logarithm left out": "The logarithms are not multiplied by table: sum table · ln table over the next letter.",
  "p ln p with 1 + p": "Under the logarithm stands 1 + p: take ln p, and make the term 0 where p is 0.",
  "a large number added inside the logarithm": "What is added to p, or put in the place of small p, changes the result: take torch.special.xlogy(table, table).",
  "yes or no for each letter": "(1 − p) ln (1 − p) is added: the entropy over letters is −Σ p ln p alone.",
  "softmax of the table": "The table went through a softmax: it holds probabilities already, so take it as it is.",
  "softmax under the logarithm": "Under the logarithm the table went through a softmax: it holds probabilities already, so take ln table.",
  "1 − Σ p²": "The logarithm is missing: a surprise is −ln p, so sum −table · ln table.",
  "the largest surprise": "Of each pair only one letter counts: sum −p ln p over all next letters.",
  "perplexity": "This is the perplexity, exp of the entropy: give back the entropy itself.",
  "in shares of ln vocab": "The result is divided by the largest entropy possible, ln vocab: give it back in nats, undivided.",
  "rounded": "The result is rounded: give back all its digits.",
  "a whole number": "The result is 0: add up the terms with p > 0, in a loop by total += …, and give back float(total), not int(total).",
  "only pairs of equal letters": "Only pairs of two equal letters are summed: sum over all a and all b.",
  "loop stops at the first zero": "The loop stops at the first p = 0, and later letters are lost: skip this one letter only, with continue.",
  "loop leaves out the last letter": "The last letter is left out: c runs over all letters, 0 to vocab − 1.",
  "padding left out": "Letter 0 is left out, as if it were padding: sum over all a, b and c, since what never comes counts 0 anyway.",
  "one number for each pair, weighed": "This is one number for each pair: sum them all, for one number.",
  "one number for each pair, not weighed": "This is the entropy after each pair: multiply by pairs, and sum all, for one number.",
  "all terms": "These are the terms of the sum: add them all up, for one number.",
  "one number for each first letter": "This is one number for each first letter: sum them all, for one number.",
  "one number in a list": "The number stands in a list or an array of its own: give back float(…) alone.",
  "a product of tables": "@ sums over the second letter's axis: multiply number by number, pairs[:, :, None] * …, then sum.",
  "p twice": "table is multiplied in twice: each term is p · ln p, with one p before the logarithm."},
 "calls": {
  "two letters, on paper, and then three": [["pairs", "table", "more_pairs", "more_table"], [[0.346574, 0.515429]], [
   ["bits", [0.16822, 0.30343]],
   ["logarithm to the base 10", [0.050639, 0.091343]],
   ["no minus", [-0.1166, -0.21032]],
   ["NaN from 0 · ln 0", [418.95, 531.25]],
   ["NaN from 0 · ln 0, mended too late", [0.21463, 0.24749]],
   ["ln 0 made 0, its pairs not", [522.67, 2595.1]],
   ["pairs left out", [-0.95469, -0.029636]],
   ["mean over all pairs", [-0.014106, 0.077716]],
   ["mean over pairs that come", [0.01862, 0.11781]],
   ["weighed, then a mean", [0.058941, 0.063874]],
   ["pairs twice", [0.12685, 0.13115]],
   ["pairs transposed", [0.17927, 0.23408]],
   ["sum over the first letter", [0.089603, 0.15856]],
   ["sum over the second letter", [0.075313, 0.15314]],
   ["mean over the next letter", [0.094049, 0.11871]],
   ["H1, given one letter", [0.097512, 0.26579]],
   ["H1 of mixed tables", [0.059711, 0.25146]],
   ["H0, of one letter", [0.080652, 0.30012]],
   ["entropy of the pairs", [0.20334, 0.57546]],
   ["entropy of three letters", [0.31994, 0.78578]],
   ["entropy of the mixed next letter", [0.11903, 0.31467]],
   ["table before the logarithm left out", [-0.067808, 0.30655]],
   ["p ln p with 1 + p", [-0.31775, -0.38375]],
   ["a large number added inside the logarithm", [0.11049, 0.20088]],
   ["a large number added inside the logarithm", [0.11742, 0.21063]],
   ["yes or no for each letter", [0.26038, 0.43095]],
   ["softmax of the table", [0.1769, 0.37272]],
   ["softmax under the logarithm", [0.13862, 0.29375]],
   ["1 − Σ p²", [0.10092, 0.15809]],
   ["1 − Σ p²", [0.43827, 0.52564]],
   ["the largest surprise", [0.13295, 0.13346]],
   ["the largest surprise", [0.17012, 0.23061]],
   ["perplexity", [0.65427, 0.9259]],
   ["in shares of ln vocab", [0.28243, 0.34673]],
   ["rounded", [0.11797, 0.21249]],
   ["a whole number", [0, 0]],
   ["only pairs of equal letters", [0.33109, 0.29163]],
   ["loop stops at the first zero", [0.12428, 0.21324]],
   ["loop leaves out the last letter", [-0.0017583, 0.082397]],
   ["padding left out", [-0.066149, -0.025075]],
   ["one number for each pair, weighed", [0.033654, -0.29285, [3, 3]]],
   ["one number for each pair, not weighed", [-0.23294, -0.96745, [3, 3]]],
   ["all terms", [0.086296, -0.070911, [3, 3, 3]]],
   ["one number for each first letter", [-0.030841, 0.015148, [3]]],
   ["one number in a list", [0.49241, 0.43372, [1]]],
   ["a product of tables", [-0.04989, 0.23028]],
   ["1 − Σ p²", [0.53919, 0.68373]],
   ["1 − Σ p²", [-0.53919, -0.68373]],
   ["p twice", [0.079781, 0.1133]]]],
  "five letters": [["pairs", "table"], [0.909294], []]}},
 "next-token-loss": {
 "made of": "c2b9cdae1570", "defines": ["next_token_loss", "token_losses"],
 "advice": {
  "no shift, the last row dropped": "There is no shift: row t is compared with token t, and should be with token t + 1, so take logits[:, :-1] and tokens[:, 1:].",
  "no shift, nothing dropped": "Every row has a loss here, the last one, too: drop the last row of the logits and the first token, so that row t meets token t + 1.",
  "shift the other way": "The shift goes the other way, and row t + 1 meets token t: take logits[:, :-1] and tokens[:, 1:].",
  "two tokens ahead": "One prediction of each sequence is missing: drop one row of the logits and one token, logits[:, :-1] and tokens[:, 1:].",
  "rolled the wrong way, then cut": "Row t is compared with token t − 1, and should be with token t + 1: take logits[:, :-1] and tokens[:, 1:].",
  "tokens turned backwards": "The targets run backwards: they are tokens[:, 1:].",
  "cut along the batch": "The cut runs over the sequences: tokens stand along axis 1, so write logits[:, :-1] and tokens[:, 1:].",
  "not transposed": "Letters and positions are mixed up: F.cross_entropy wants the letters on axis 1, so use transpose(1, 2), or flatten sequences and positions; a reshape swaps no axes.",
  "left flattened": "The numbers stand in one long row: bring them back into (batch, seq − 1) with reshape.",
  "flattened, then rows and columns confused": "The losses are put into the wrong places when they are brought back: reshape to (batch, seq − 1) straight away.",
  "no word on the reduction": "The losses are averaged already: give back one for each prediction, with reduction=\"none\".",
  "mean over each sequence": "This is one number for each sequence: give back one for each prediction, (batch, seq − 1).",
  "sum": "The losses are added up: give back one for each prediction, with reduction=\"none\".",
  "softmax before the cross-entropy": "The logits went through a softmax before the cross-entropy, which does that itself: give it the logits.",
  "exp before the cross-entropy": "The logits went through exp before the cross-entropy, which does that itself: give it the logits.",
  "no minus": "The sign is wrong: the loss is minus the logarithm of the probability.",
  "probabilities": "These are the probabilities of the next tokens: the loss is −ln of them, so take log_softmax and a minus.",
  "minus probabilities": "The logarithm is missing: the loss is −ln of the probability, so take log_softmax.",
  "one minus probabilities": "This is 1 minus the probability: the loss is −ln of it, so take log_softmax and a minus.",
  "logits without a softmax": "The logits are taken as if they were logarithms of probabilities: take log_softmax(dim=-1) first.",
  "bits": "These are bits: take the natural logarithm.",
  "base 10": "The logarithm is to the base 10: take the natural one.",
  "softmax over positions": "The softmax runs over the positions: it has to run over the letters, the last axis.",
  "softmax over sequences": "The softmax runs over the sequences: it has to run over the letters, the last axis.",
  "logarithm of the probabilities": "A probability rounds to 0 where logits are large, and its logarithm is −∞: take log_softmax, which never makes the probability.",
  "logarithm of the probabilities and a tiny number": "A loss can be larger than −ln of the number that is added or the smallest that is allowed: take log_softmax, which needs neither.",
  "exp without the maximum": "e to the 1000 is too large a number: take logsumexp or log_softmax, which subtract the maximum first.",
  "loss of all letters averaged": "The token that came plays no part, all letters count: pick its number with gather, by tokens[:, 1:].",
  "entropy of the prediction": "This is the entropy of each prediction: the loss is −ln of the probability of the token that came.",
  "loss of the likeliest letter": "This is the loss of the likeliest letter: pick the one that came, tokens[:, 1:], with gather.",
  "right or wrong": "These are 0 for right and 1 for wrong guesses: the loss is −ln of the probability of the token that came.",
  "yes or no for each letter": "Each letter is a yes or no by itself here: let one softmax run over all letters, as F.cross_entropy does.",
  "squared distance": "These are squared distances: the loss is −ln of the probability of the token that came.",
  "labels smoothed": "The targets are smoothed: leave label_smoothing out.",
  "gathered, an axis too many": "An axis of 1 is left at the end: take squeeze(-1) or [..., 0] after gather.",
  "axes turned": "The axes come in another order: sequences first, then predictions.",
  "indexed by the targets alone": "An index of all targets at the last axis takes each of them for each prediction: use gather(-1, targets[..., None]), which takes one.",
  "indices of one sequence for all": "Every sequence gets the targets of sequence 0: take its own row of tokens.",
  "logits of one sequence for all": "Every sequence gets the logits of sequence 0: take its own.",
  "first sequence alone": "Only sequence 0 came back: do it for all sequences.",
  "the letter 0 is left out": "The loss of letter 0 is set to 0: token_losses knows of no padding, so leave that to next_token_loss.",
  "rounded": "The losses are rounded: give back all their digits.",
  "padding counted": "Padding is counted: leave out losses whose target is pad, then take the mean.",
  "padding 0 in the sum, counted in the mean": "Padding adds 0 to the sum and still counts in the mean: divide by the number of real targets.",
  "padding judged at the input": "A prediction counts here where its input is real: it is the target that has to be, tokens[:, 1:] != pad.",
  "padding judged at input and target": "Predictions after padding are left out, too: only the target counts, tokens[:, 1:] != pad.",
  "mean of the sequences' means": "This is the mean of the sequences' means: each real target counts once, so divide the sum of all by their number.",
  "mean of the positions' means": "Each position has a mean of its own here: each real target counts once, so divide the sum of all by their number.",
  "pad fixed at 0": "The padding is not token 0 here: compare with the argument pad.",
  "real is above pad": "Tokens below pad are left out, too: any token may be padding, so compare with !=.",
  "real is below pad": "Tokens above pad are left out, too: any token may be padding, so compare with !=.",
  "only padding counted": "The mask is the wrong way round, and only padding is counted: write !=.",
  "sum for mean": "This is the sum: divide by the number of real targets.",
  "divided by the number of sequences": "The sum is divided by the number of sequences: divide it by the number of real targets.",
  "divided by the number of tokens": "The sum is divided by the number of all tokens: divide it by the number of real targets.",
  "divided by the real tokens, first ones, too": "The first tokens are counted in the division, and are no targets: divide by the number of real targets, (tokens[:, 1:] != pad).sum().",
  "divided by seq": "The sum is divided by seq: divide it by the number of real targets.",
  "divided by seq minus one": "The sum is divided by seq − 1: divide it by the number of real targets.",
  "one more in the division": "The division counts one target too many: divide by the number of real targets.",
  "stops at the first padding": "What stands behind some padding is left out: padding may stand anywhere, so judge each target by itself.",
  "only sequences without padding": "NaN is the mean over nothing: a sequence with padding still has real targets, so judge each target by itself.",
  "last target left out": "The last real target of each sequence is left out: every target counts that is not pad.",
  "first target left out": "The first prediction of each sequence is left out: every target counts that is not pad.",
  "mean of the first sequence": "Only sequence 0 is averaged: take the mean over all sequences.",
  "median": "This is the median: take the mean.",
  "perplexity": "This is the perplexity, exp of the loss: give back the loss itself.",
  "perplexities averaged": "exp of each loss is averaged: give back the mean of the losses.",
  "exp, mean and logarithm": "The mean is taken of probabilities or their inverses, and the logarithm after it: take the mean of the losses.",
  "logarithm of the mean probability": "The mean is taken of probabilities, and the logarithm after it: take the mean of the losses.",
  "logits of padding set to 0": "Padding is blanked in the logits and still counted: leave those losses out of the mean instead.",
  "padding taken out of the vocabulary": "The logits of pad are taken out of the softmax: leave the logits as they are, and leave out losses whose target is pad.",
  "no shift in the mean": "Every row is compared with its own token here: row t predicts token t + 1, so use token_losses, or shift as there.",
  "losses of what is real": "These are the losses of all real targets: take their mean, one number.",
  "losses, padding 0": "These are the losses, those of padding 0: take the mean over the real ones, one number.",
  "one mean for each sequence": "This is one mean for each sequence: give back one number over all.",
  "in an array of one": "The number has an axis of its own: give back a tensor without axes, as mean() makes it.",
  "mean and count": "Two things came back: give back the mean loss alone.",
  "rounded mean": "The loss is rounded: give back all its digits."},
 "calls": {
  "3 letters, on paper": [["logits", "tokens"], [[[1.09861, 1.09861, 1.09861], [1.09861, 1.09861, 0.551445]]], [
   ["no shift, the last row dropped", [-0.14841, 0.2833]],
   ["no shift, the last row dropped", [0.52887, -0.0035979]],
   ["no shift, nothing dropped", [0.50682, 0.45515, [2, 4]]],
   ["shift the other way", [-0.15568, 0.69628]],
   ["two tokens ahead", [0.35791, 1.1551, [2, 2]]],
   ["two tokens ahead", [0.010625, 0.60849, [2, 2]]],
   ["no shift, nothing dropped", [0.98235, -0.3331, [2, 4]]],
   ["cut along the batch", [0.35791, 1.1551, [1, 4]]],
   ["not transposed", [0.50629, 0.76568]],
   ["left flattened", [0.66269, 0.34962, [6]]],
   ["no word on the reduction", [0.96242, 0.84771, []]],
   ["mean over each sequence", [0.66826, 0.77992, [2]]],
   ["sum", [5.7745, 5.0863, []]],
   ["softmax before the cross-entropy", [0.40342, 0.32842]],
   ["exp before the cross-entropy", [0.86131, 0.36586]],
   ["no minus", [-0.66269, -0.34962]],
   ["probabilities", [-0.13051, 0.078966]],
   ["minus probabilities", [0.13051, -0.078966]],
   ["one minus probabilities", [0.32974, 0.20624]],
   ["logits without a softmax", [0.81109, 0.066322]],
   ["bits", [0.95606, 0.50439]],
   ["base 10", [0.2878, 0.15184]],
   ["softmax over positions", [0.9501, 0.80197]],
   ["softmax over positions", [1.0243, 0.79499]],
   ["softmax over sequences", [-0.079697, -0.16857]],
   ["loss of all letters averaged", [0.12196, 0.3054]],
   ["entropy of the prediction", [0.31888, 0.3215]],
   ["loss of all letters averaged", [-1.3595, 1.941, [2, 3, 3]]],
   ["right or wrong", [1.2237, -0.016149]],
   ["yes or no for each letter", [0.72242, 0.61826]],
   ["squared distance", [0.45495, 0.21648]],
   ["labels smoothed", [0.60861, 0.3452]],
   ["gathered, an axis too many", [0.66269, 0.34962, [2, 3, 1]]],
   ["axes turned", [0.66269, 0.34962, [3, 2]]],
   ["indexed by the targets alone", [-0.23949, 0.25194, [2, 3, 2, 3]]],
   ["logits of one sequence for all", [0.21888, 0.31333]],
   ["first sequence alone", [-0.33937, 0.057632, [3]]],
   ["the letter 0 is left out", [1.3444, -0.017742]],
   ["rounded", [0.66526, 0.3502]]]],
  "2 sequences, 6 tokens, 5 letters": [["logits", "tokens"], [[[4.48618, 1.13747, 1.81108, 2.85421, 1.45007], [4.16216, 2.15856, 1.66484, 4.16651, 4.34168]]], [
   ["rolled the wrong way, then cut", [-1.4803, 0.9376]],
   ["tokens turned backwards", [-1.789, -0.064733]],
   ["flattened, then rows and columns confused", [4.2053, 2.0098]],
   ["loss of the likeliest letter", [0.38801, -0.33548]],
   ["indices of one sequence for all", [5.4899, 5.6716]]]],
  "4 sequences, 3 tokens, 7 letters": [["logits", "tokens"], [[[2.46895, 1.02959], [4.22711, 2.67897], [1.49772, 1.12065], [1.69968, 4.819]]], []],
  "logits of ±1000": [["logits", "tokens"], [[[50, 2000, 0.693147, 0, 1650.69], [100, 400, 450, 1950, 0]]], [
   ["logarithm of the probabilities", [926.57, -494.83]],
   ["logarithm of the probabilities and a tiny number", [22.326, 4.6351]],
   ["exp without the maximum", [1592.7, 2159.9]]]],
  "mean, 3 is padding, 2 and 5 real targets": [["logits", "tokens", "pad"], [3.15963], [
   ["no shift, the last row dropped", [1.8585, 1.6369]],
   ["no shift, the last row dropped", [2.1393, 1.8843]],
   ["shift the other way", [1.9619, 1.7281]],
   ["rolled the wrong way, then cut", [1.5582, 1.3725]],
   ["tokens turned backwards", [1.8039, 1.5889]],
   ["not transposed", [1.8877, 1.6627]],
   ["flattened, then rows and columns confused", [2.792, 2.4592]],
   ["softmax before the cross-entropy", [1.6534, 1.4563]],
   ["exp before the cross-entropy", [5.2241, 4.6015]],
   ["no minus", [-3.0185, -2.6587]],
   ["probabilities", [0.0929, 0.081827]],
   ["minus probabilities", [-0.0929, -0.081827]],
   ["one minus probabilities", [0.86244, 0.75964]],
   ["logits without a softmax", [0.68238, 0.60105]],
   ["bits", [4.3548, 3.8357]],
   ["base 10", [1.3109, 1.1547]],
   ["softmax over positions", [3.0032, 2.6452]],
   ["softmax over positions", [3.1531, 2.7773]],
   ["softmax over sequences", [1.4667, 1.2919]],
   ["loss of all letters averaged", [2.3116, 2.036]],
   ["entropy of the prediction", [1.0879, 0.95819]],
   ["loss of the likeliest letter", [0.80759, 0.71133]],
   ["right or wrong", [0.95534, 0.84147]],
   ["yes or no for each letter", [5.3896, 4.7472]],
   ["squared distance", [1.1289, 0.99434]],
   ["labels smoothed", [2.9478, 2.5965]],
   ["indexed by the targets alone", [2.3293, 2.0517]],
   ["indices of one sequence for all", [1.9403, 1.7091]],
   ["logits of one sequence for all", [2.6426, 2.3276]],
   ["the letter 0 is left out", [2.4499, 2.1579]],
   ["padding counted", [2.6972, 2.3757]],
   ["padding 0 in the sum, counted in the mean", [2.113, 1.8611]],
   ["padding judged at the input", [2.8575, 2.5169]],
   ["mean of the sequences' means", [2.9188, 2.5709]],
   ["mean of the positions' means", [3.0848, 2.7171]],
   ["pad fixed at 0", [2.5546, 2.2501]],
   ["real is above pad", [3.105, 2.7349]],
   ["real is below pad", [2.9839, 2.6283]],
   ["only padding counted", [1.9474, 1.7153]],
   ["sum for mean", [21.13, 18.611]],
   ["divided by the number of sequences", [10.565, 9.3056]],
   ["divided by the number of tokens", [1.7608, 1.5509]],
   ["divided by the real tokens, first ones, too", [2.3477, 2.0679]],
   ["divided by seq", [3.5216, 3.1019]],
   ["divided by seq minus one", [4.2259, 3.7222]],
   ["one more in the division", [2.6412, 2.3264]],
   ["only sequences without padding", [3.1514, 2.7758]],
   ["last target left out", [3.179, 2.8001]],
   ["first target left out", [2.5735, 2.2668]],
   ["mean of the first sequence", [2.6862, 2.3661]],
   ["median", [3.9763, 3.5023]],
   ["perplexity", [22.509, 19.827]],
   ["perplexities averaged", [42.496, 37.431]],
   ["exp, mean and logarithm", [3.6256, 3.1935]],
   ["logarithm of the mean probability", [2.2265, 1.9611]],
   ["logits of padding set to 0", [2.5935, 2.2844]],
   ["padding taken out of the vocabulary", [2.8016, 2.4677]],
   ["no shift in the mean", [2.2529, 1.9843]],
   ["no shift, the last row dropped", [1.9977, 1.7596]],
   ["losses of what is real", [-2.6518, 5.1052, [7]]],
   ["losses, padding 0", [-2.373, 6.8083, [2, 5]]],
   ["one mean for each sequence", [1.3135, 1.8457, [2]]],
   ["in an array of one", [3.0185, 2.6587, [1]]],
   ["mean and count", [0.10548, 1.5545, [2]]]]],
  "mean, 0 is padding, in the middle and at the front": [["logits", "tokens", "pad"], [2.67403], [
   ["padding judged at input and target", [2.1239, 1.8708]],
   ["stops at the first padding", [2.3555, 2.0747]],
   ["rounded mean", [2.5507, 2.2467]]]],
  "mean, nothing is padding": [["logits", "tokens", "pad"], [2.44271], [
   ["rounded", [2.3346, 2.0563]]]],
  "mean, logits of ±1000, 4 is padding": [["logits", "tokens", "pad"], [775.173], [
   ["logarithm of the probabilities", [954.38, 840.63]],
   ["logarithm of the probabilities and a tiny number", [14.931, 13.151]],
   ["exp without the maximum", [742.3, 653.82]]]]}},
 "layer-norm": {
 "made of": "efdc57a4e5df", "defines": ["LayerNorm"],
 "advice": {
  "unbiased variance": "The variance is divided by d_model − 1: divide by d_model, with unbiased=False.",
  "eps outside of the root": "eps is added to the standard deviation: add it to the variance, inside the root.",
  "no eps": "eps has next to no effect here: add it to the variance, inside the root, and not squared.",
  "eps as a lower bound": "eps is taken as a lower bound of the variance: add it to the variance.",
  "eps twice": "eps is added twice: add it once, to the variance, inside the root.",
  "eps subtracted": "eps is subtracted: add it to the variance.",
  "root of eps": "The root of eps is added to the variance: add eps itself, inside the root.",
  "eps fixed": "eps is always the same here: keep the constructor's argument, self.eps = eps, and add that.",
  "eps fixed at 1e-6": "A smaller eps than the constructor's is added: keep it, self.eps = eps, and add that.",
  "no root": "The row is divided by variance + eps: take its root, and divide by that once.",
  "multiplied": "The row is multiplied by its standard deviation: divide by it.",
  "not divided": "The row is not divided by its standard deviation: divide by √(variance + eps).",
  "sum for the variance": "The squares are summed: the variance is their mean, divided by d_model.",
  "mean of absolute values": "The spread is the mean of absolute values here: take the root of the mean of squares.",
  "largest for the spread": "The row is divided by its largest number: divide by its standard deviation, √(variance + eps).",
  "smallest and largest": "Rows are stretched between their smallest and largest number: subtract the mean and divide by √(variance + eps).",
  "RMSNorm": "The mean is not subtracted: what is divided is x − mean, and the variance is of that, too.",
  "square of x for the variance": "The mean of x² stands for the variance: square x − mean, not x.",
  "x for what is centred": "x is divided without its mean subtracted: divide x − mean.",
  "mean added": "The mean is added: subtract it.",
  "median for the mean": "The median is subtracted: subtract the mean.",
  "over tokens": "Mean and variance run over the tokens: they have to run over the features, the last axis.",
  "over the batch": "Mean and variance run over the sequences: they have to run over the features, the last axis.",
  "over tokens and features": "Mean and variance run over all tokens of a sequence: each row of the last axis has its own.",
  "over batch and tokens, like batch norm": "Mean and variance run over sequences and tokens, for each feature: they have to run over the features of each token, the last axis.",
  "mean over tokens": "The mean runs over the tokens: it has to run over the features, the last axis.",
  "mean of all": "The mean is that of all numbers: each row has its own, dim=-1.",
  "variance of all": "The variance is that of all numbers: each row has its own, dim=-1.",
  "variance over tokens": "The variance runs over the tokens: it has to run over the features, the last axis.",
  "mean and std of all": "Mean and variance are those of all numbers: each row has its own, dim=-1, keepdim=True.",
  "bias before weight": "The bias is added before the weight multiplies: first times weight, then plus bias.",
  "weight and bias before the division": "Weight and bias come before the division: divide first, then times weight, then plus bias.",
  "weight and bias before the norm": "Weight and bias come before the norm: normalise first, then times weight, then plus bias.",
  "no weight": "The weight is left out: multiply by it before the bias is added.",
  "no bias": "The bias is left out: add it last.",
  "neither weight nor bias": "Weight and bias are left out: multiply by weight, then add bias.",
  "weight and bias swapped": "Weight and bias have changed places: times weight, plus bias.",
  "bias subtracted": "The bias is subtracted: add it.",
  "weight divides": "The row is divided by weight: multiply by it.",
  "weight as 1 + weight": "1 is added to weight: multiply by weight itself, which begins with ones.",
  "residual added": "x is added to the result: the norm gives back the norm alone.",
  "mean put back": "The mean is added again: subtract it and leave it out.",
  "keeps the input": "This is x as it came: return what is normalised.",
  "centred alone": "Only the mean is subtracted: divide by √(variance + eps), then times weight, plus bias.",
  "minus sign": "The sign is turned: subtract the mean from x, not x from the mean.",
  "softmax": "This is a softmax: subtract the mean and divide by √(variance + eps).",
  "rounded": "The numbers are rounded: give back all their digits.",
  "weight begins with zeros": "As it begins all is 0: weight begins with ones: torch.ones(d_model).",
  "weight begins at random": "As it begins, rows are stretched unevenly: weight begins with ones: torch.ones(d_model).",
  "bias begins with ones": "As it begins, 1 is added to all: bias begins with zeros.",
  "beginnings swapped": "As it begins, all is 1: weight begins with ones, and bias with zeros.",
  "flattened": "The axes in front are gone: give back the shape of x.",
  "turned": "The last two axes are turned: give back the shape of x.",
  "one sequence for all": "x − mean is that of sequence 0 for all: each has its own.",
  "weight added": "The weight is added: multiply by it.",
  "bias multiplied": "The bias is multiplied: add it."},
 "calls": {
  "2 sequences, 3 tokens, 5 features": [["x", "weight", "bias"], [[[[0.627389, 1.00186, -2.3647, -1.02301, 0.922068], [1.10027, -0.847249, 0.0767541, 1.0876, -3.23325], [-0.0435939, 1.43682, -2.28114, 0.748335, -0.204392]], [[0.806771, 0.159947, -2.25854, 1.80898, -2.17448], [-0.515112, 0.557282, 0.076754, -0.00745991, 0.320591], [1.34648, -2.21373, -2.34193, 1.45865, -0.651138]]]], [
   ["unbiased variance", [6.9481, -1.1976]],
   ["root of eps", [7.7403, -1.3625]],
   ["no root", [6.8472, -1.1434]],
   ["multiplied", [11.918, -2.3767]],
   ["not divided", [9.337, -1.7502]],
   ["sum for the variance", [3.5508, -0.49103]],
   ["mean of absolute values", [9.0865, -1.8118]],
   ["largest for the spread", [4.7662, -0.37657]],
   ["smallest and largest", [2.8269, -0.47577]],
   ["RMSNorm", [5.7856, -1.621]],
   ["square of x for the variance", [6.2745, -0.88282]],
   ["x for what is centred", [6.6598, -2.3269]],
   ["mean added", [4.8241, -1.5699]],
   ["median for the mean", [7.7938, -1.6586]],
   ["over tokens", [2.1023, -2.6536]],
   ["over the batch", [2.6416, -4.2419]],
   ["over tokens and features", [4.9329, -2.0965]],
   ["over batch and tokens, like batch norm", [3.7571, -1.9462]],
   ["mean over tokens", [3.9122, -2.8118]],
   ["mean of all", [4.9586, -2.1197]],
   ["variance of all", [6.985, -1.2468]],
   ["variance over tokens", [3.9825, -1.2997]],
   ["mean and std of all", [4.952, -2.0952]],
   ["bias before weight", [7.6375, -1.3373]],
   ["weight and bias before the division", [7.8182, -3.0106]],
   ["weight and bias before the norm", [6.8573, -2.3405]],
   ["no weight", [6.3973, -0.46531]],
   ["no bias", [7.5967, -1.58]],
   ["neither weight nor bias", [6.2439, -0.68087]],
   ["weight and bias swapped", [-1.6408, 1.0389]],
   ["bias subtracted", [7.4433, -1.7955]],
   ["weight divides", [6.0548, 0.75438]],
   ["weight as 1 + weight", [13.994, -2.0453]],
   ["residual added", [13.353, -1.928]],
   ["mean put back", [5.6765, -1.1474]],
   ["keeps the input", [5.6031, -0.56361]],
   ["centred alone", [7.6767, -0.78059]],
   ["minus sign", [-7.4433, 1.7955]],
   ["softmax", [1.087, 0.012075]],
   ["rounded", [7.7733, -1.3607]],
   ["flattened", [7.7501, -1.3644, [6, 5]]],
   ["turned", [7.5544, 0.74456, [2, 5, 3]]],
   ["one sequence for all", [9.6557, 2.5766]],
   ["mean added", [5.5694, -3.2893]],
   ["mean over tokens", [4.5261, -3.4816]],
   ["variance over tokens", [6.2979, -0.34353]],
   ["weight added", [6.759, -0.56242]],
   ["bias multiplied", [-3.7698, 0.75566]]]],
  "small numbers, so that eps counts": [["x", "weight", "bias"], [[[[-1.16975, 0.0698922, 1.21652, 0.558896], [0.259233, 0.787131, 1.16028, -2.66085]], [[-0.768429, 1.01315, 0.256316, -0.105998], [0.566704, 0.591158, 0.925639, -1.88901]], [[0.777883, 0.0759878, 0.153239, 1.10426], [0.295106, 0.109905, 0.868162, -0.191138]]]], [
   ["eps outside of the root", [-9.3869, 7.6767]],
   ["no eps", [-9.4057, 7.7055]],
   ["eps as a lower bound", [-8.5914, 6.2946]],
   ["eps twice", [-7.1342, 4.3074]],
   ["eps subtracted", [94.09, -10.942]],
   ["eps fixed at 1e-6", [-9.0819, 7.1613]],
   ["eps fixed at 1e-6", [-9.4019, 7.699]]]],
  "eps = 0.1": [["x", "weight", "bias"], [[[[0.856313, 1.02819, -1.04207, -0.0965493, 0.958176, -3.46475], [-0.155644, 1.55363, -2.42498, 0.107459, 0.459736, -0.399175]], [[0.584826, 0.143392, 0.340776, -1.84733, -0.905505, 1.75996], [0.893047, 0.742253, 0.679313, 0.689833, -1.32067, -2.55322]]]], [
   ["eps fixed", [2.5255, -1.3873]]]],
  "as it begins": [["x"], [[[[0.860786, 1.12978, -1.02218, -0.968385], [1.24128, -1.54403, 0.272475, 0.0302751]], [[-0.0605222, 0.302612, -1.51306, 1.27097], [-0.968385, -1.02218, 1.12978, 0.860786]], [[-0.0556414, 0.83462, 0.83462, -1.6136], [-1.50755, 0.904532, -0.301511, 0.904532]]]], [
   ["weight begins with zeros", [0, 0]],
   ["weight begins at random", [-2.4999, -1.3317]],
   ["bias begins with ones", [7.2721, 0.97159]],
   ["beginnings swapped", [0.71853, 0.50216]]]],
  "one axis in front": [["x", "weight", "bias"], [[[-1.77547, -1.59254, 1.75857], [-2.73683, 0.602246, 0.767413], [0.0161176, 0.70909, -1.46369], [1.41787, -1.59254, -0.731154]]], []]}},
 "mlp": {
 "made of": "80aa9c5bd797", "defines": ["MLP"],
 "advice": {
  "ReLU": "This is ReLU: take the exact GELU, h · Φ(h).",
  "leaky ReLU": "This is a leaky ReLU: take the exact GELU, h · Φ(h).",
  "SiLU": "This is SiLU, h · sigmoid(h): take the exact GELU, h · Φ(h).",
  "GELU by a sigmoid": "This is the approximation by a sigmoid: take the exact GELU, h · Φ(h), with erf.",
  "sigmoid alone": "This is a sigmoid: take the exact GELU, h · Φ(h).",
  "ELU": "This is ELU: take the exact GELU, h · Φ(h).",
  "softplus": "This is softplus: take the exact GELU, h · Φ(h).",
  "tanh alone": "This is tanh: take the exact GELU, h · Φ(h).",
  "erf alone": "This is erf: take the exact GELU, h/2 · (1 + erf(h/√2)).",
  "Mish": "This is Mish: take the exact GELU, h · Φ(h).",
  "softmax": "This is a softmax: take the exact GELU, number by number, h · Φ(h).",
  "the tanh form": "This is the approximation by tanh: take the exact form, approximate=\"none\", or erf.",
  "tanh for erf": "tanh stands in the place of erf: take torch.erf.",
  "√2 left out": "√2 is missing under erf: erf(h / √2).",
  "2 for √2": "Under erf stands h / 2: divide by √2.",
  "times √2": "Under erf, h is multiplied by √2: divide by it.",
  "half left out": "The factor ½ is missing: h / 2 · (1 + erf(h / √2)).",
  "1 left out": "The 1 is missing: h / 2 · (1 + erf(h / √2)).",
  "half of h only": "The brackets are missing: h / 2 multiplies 1 + erf(h / √2), all of it.",
  "one minus erf": "erf is subtracted: h / 2 · (1 + erf(h / √2)).",
  "Φ alone": "This is Φ(h) alone: multiply it by h.",
  "the bell curve for Φ": "The height of the bell curve stands in the place of Φ: Φ(h) is the probability below h, (1 + erf(h / √2)) / 2.",
  "h squared": "h is multiplied twice: h · Φ(h).",
  "no GELU": "The GELU is missing between up and down.",
  "GELU twice": "The GELU is taken twice: once is enough.",
  "GELU after down": "The GELU comes after down: it belongs between up and down.",
  "GELU after down, too": "After down comes a second GELU: leave it out.",
  "GELU before up": "x goes through a GELU before up: take x as it is.",
  "GELU before up only": "The GELU comes before up: it belongs between up and down.",
  "ReLU after GELU": "Negative numbers are cut off after the GELU: it is a little below 0 for negative h, so take no ReLU after it.",
  "GELU of the absolute value": "h loses its sign: take GELU of h itself.",
  "residual added": "x is added to the result: the block does that later, so give back what down makes.",
  "down left out": "This is what goes into down: call self.down, too.",
  "up alone": "This is what up makes: its GELU goes into down, and that is what comes back.",
  "x back": "This is x as it came: return what down makes.",
  "zeros": "Only down's bias is left: give down the GELU of up(x).",
  "bias of down left out": "The bias of down is left out: call the layer, self.down(…).",
  "bias of up left out": "The bias of up is left out: call the layer, self.up(x).",
  "no biases": "Both biases are left out: call the layers, self.up(x) and self.down(…).",
  "bias of down subtracted": "The bias of down is subtracted: call the layer, self.down(…).",
  "bias of up twice": "The bias of up is added twice: self.up(x) adds it already.",
  "normalised first": "x is normalised first: the block does that, so take x as it is.",
  "h normalised": "h is normalised: what up gives goes straight into the GELU.",
  "mean over tokens": "All tokens of a sequence get the same: each is worked on by itself, so take x as it is.",
  "first token for all": "Every token gets what belongs to token 0: take x as it is.",
  "first sequence for all": "Every sequence gets what belongs to sequence 0: take x as it is.",
  "rounded": "The numbers are rounded: give back all their digits.",
  "flattened": "The axes in front are gone: give back the shape of x.",
  "turned": "The last two axes are turned: give back the shape of x.",
  "h halved alone": "Only h / 2 is left of the GELU: multiply it by 1 + erf(h / √2).",
  "halved twice": "The factor ½ is taken twice: h / 2 · (1 + erf(h / √2))."},
 "calls": {
  "2 sequences, 3 tokens, 5 features, 4 hidden": [["x", "up_weight", "up_bias", "down_weight", "down_bias"], [[[[0.247167, -2.79936, 2.87195, -1.24636, -4.54191], [-1.24468, -9.51782, 8.38537, 2.89732, -9.82728], [2.27771, 3.01182, -0.624412, 4.87844, 1.34994]], [[1.40055, 3.92207, -2.36996, 6.36297, 3.17856], [1.52626, 0.728482, 1.68632, 1.6841, -1.40315], [-10.5322, -24.9574, 12.3406, -22.7756, -24.3791]]]], [
   ["ReLU", [-10.749, 6.2572]],
   ["leaky ReLU", [-10.089, 6.2447]],
   ["SiLU", [-12.482, 5.5821]],
   ["GELU by a sigmoid", [-10.355, 5.4893]],
   ["sigmoid alone", [2.7488, -2.5218]],
   ["ELU", [-6.6783, 4.5596]],
   ["softplus", [-12.493, 9.0235]],
   ["tanh alone", [7.7925, -8.097]],
   ["erf alone", [7.745, -8.5549]],
   ["Mish", [-11.54, 4.202]],
   ["softmax", [4.7807, 2.1417]],
   ["the tanh form", [-10.028, 5.4843]],
   ["tanh for erf", [-10.817, 5.4473]],
   ["√2 left out", [-9.9824, 5.5921]],
   ["2 for √2", [-11.121, 5.3387]],
   ["times √2", [-10.253, 5.7322]],
   ["half left out", [-19.336, 10.545]],
   ["1 left out", [-37.991, 3.1958]],
   ["half of h only", [35.671, -5.5571]],
   ["one minus erf", [64.488, -0.058508]],
   ["Φ alone", [2.5186, -3.7888]],
   ["the bell curve for Φ", [-1.0117, -1.0023]],
   ["h squared", [-422.47, 347.26]],
   ["no GELU", [55.185, 5.0018]],
   ["GELU twice", [-9.9825, 6.0346]],
   ["GELU after down", [3.4171, 20.146]],
   ["GELU after down, too", [3.0379, -10.076]],
   ["GELU before up", [-11.648, -1.5433]],
   ["GELU before up only", [28.876, 16.379]],
   ["ReLU after GELU", [-10.379, 6.2259]],
   ["GELU of the absolute value", [-75.967, 6.74]],
   ["residual added", [-4.9004, 4.908]],
   ["down left out", [-7.9599, 0.79312, [2, 3, 4]]],
   ["up alone", [-1.4575, 12.674, [2, 3, 4]]],
   ["x back", [5.1332, -0.57658]],
   ["zeros", [-0.73077, 0.42429]],
   ["bias of down left out", [-9.3028, 5.0603]],
   ["bias of up left out", [0.38424, 1.2906]],
   ["no biases", [1.115, 0.86628]],
   ["bias of down subtracted", [-8.572, 4.636]],
   ["bias of up twice", [-27.672, 12.138]],
   ["normalised first", [-38.829, 27.808]],
   ["h normalised", [9.098, 3.2231]],
   ["mean over tokens", [-4.2711, 24.148]],
   ["first token for all", [0.018206, -32.367]],
   ["first sequence for all", [37.332, 1.7051]],
   ["rounded", [-10.032, 5.482]],
   ["flattened", [-10.034, 5.4846, [6, 5]]],
   ["turned", [0.64722, 32.53, [2, 5, 3]]],
   ["h halved alone", [27.227, 2.7131]],
   ["halved twice", [-5.3822, 2.9545]]]],
  "3 sequences, 2 tokens, 4 features, 7 hidden": [["x", "up_weight", "up_bias", "down_weight", "down_bias"], [[[[-1.14427, 0.978914, 5.24269, -0.468664], [25.1178, -15.7095, -8.8605, -23.9738]], [[-5.19243, -7.76744, 6.29711, -6.63955], [11.2897, -5.34172, 1.18904, -7.26136]], [[-11.8478, -10.5303, 10.7961, -9.71038], [5.196, -2.65886, -0.666396, -6.73989]]]], []],
  "the GELU of −3, −1, 0, 0.5 and 2 alone": [["x", "up_weight", "up_bias", "down_weight", "down_bias"], [[[-0.00404969], [-0.158655], [0], [0.345731], [1.9545]]], []]}},
 "block": {
 "made of": "06c785bb6ac7", "defines": ["Block"],
 "advice": {
  "post-norm": "The norms change the stream itself: give norm1(x) and norm2(x) to the branches alone, and add what comes out to x as it is.",
  "first branch post-norm": "norm1 changes the stream itself: give norm1(x) to attention alone, and add what comes out to x as it is.",
  "second branch post-norm": "norm2 changes the stream itself: give norm2(x) to the network alone, and return the sum as it is.",
  "norms on the branches' outputs": "The norms stand at the end of the branches: norm what enters each of them.",
  "norms swapped": "The norms have changed places: norm1 belongs to attention and norm2 to the network.",
  "norm1 twice": "The network gets norm1: it has a norm of its own, norm2.",
  "norm2 twice": "Attention gets norm2's numbers: make two layer norms, norm1 for attention and norm2 for the network.",
  "no norm before attention": "norm1 is missing: attention gets norm1(x).",
  "no norm before the network": "norm2 is missing: the network gets norm2(x).",
  "no norms": "Both norms are missing: attention gets norm1(x) and the network norm2(x).",
  "norms without their parameters": "The norms' weight and bias are not used: call self.norm1 and self.norm2.",
  "both norms before attention": "norm2 stands in the wrong place: it norms what enters the network, after attention's output is added.",
  "norm2 of the network's output": "norm2 stands behind the network: it norms what enters it.",
  "norm1 of attention's output": "norm1 stands behind attention: it norms what enters it.",
  "parallel branches": "The second branch does not see what the first has added: give it norm2 of the new x.",
  "parallel branches with one norm": "Both branches get norm1 of the same x: the network gets norm2 of the x that attention has been added to.",
  "second residual from the input": "The network's output is added to the block's input, so what attention has added is lost: add it to the new x.",
  "input added twice": "The block's input is added twice: each branch adds its output to the x before it, and nothing more.",
  "attention's output added twice": "Attention's output is added twice: each branch adds its own output, once.",
  "network on attention's output alone": "The network sees attention's output without x: add it to x first, then norm2.",
  "branches one in the other": "Only one sum is there: add attention's output to x, and the network's output to that.",
  "no residual around attention": "x is lost on the way: add each branch's output to x, and drop that output before it is added, never the sum.",
  "no network": "The second branch is missing: add the network's output, mlp(norm2(x)).",
  "no attention": "The first branch is missing: add attention's output before the network.",
  "network first": "The branches have changed places: attention comes first, then the network.",
  "network first, norms in order": "The branches have changed places: attention comes first, with norm1, then the network, with norm2.",
  "branches subtracted": "Both branches' outputs are subtracted: add them.",
  "attention subtracted": "Attention's output is subtracted: add it.",
  "network subtracted": "The network's output is subtracted: add it.",
  "sums halved": "The sums are divided by 2: add the branch's output to x, and nothing more.",
  "attention twice": "The second branch is attention again: there it is the network, mlp.",
  "network twice": "The first branch is the network: there it is attention, attn.",
  "GELU once more": "A GELU is too much: MLP has its own inside, and its output is added as it is.",
  "ReLU at the end": "A ReLU is too much: return the sum as it is.",
  "attention across the sequences": "Attention runs over the sequences of the batch: give it norm1(x) as it is, (batch, seq, d_model).",
  "all sequences in one": "All sequences were put in one row, so tokens see other sequences: give attention norm1(x) as it is, (batch, seq, d_model).",
  "sequence 0 for all": "Every sequence got attention's output for sequence 0: keep the batch axis.",
  "last token for all": "Every token got attention's output for the last token: keep the axis of the tokens.",
  "always one head": "The heads are not those that were asked for: hand num_heads on to CausalAttention.",
  "the future is seen": "Tokens see those behind them: call the given attention, self.attn, which has its mask.",
  "rounded": "The numbers are rounded: keep all of their digits.",
  "x alone": "x comes back as it was: return the x that both branches have been added to.",
  "tokens and features turned": "The axes of the result are turned: (batch, seq, d_model), as x came in.",
  "the first sequence only": "Only sequence 0 came back: keep the batch axis.",
  "no dropout": "In training mode the branches are not dropped at the rate dropout, 0.0 by default: put nn.Dropout(dropout) on the output of each before it is added.",
  "dropout of the first branch only": "Only attention's output is dropped: drop the network's output, too.",
  "dropout of the second branch only": "Only the network's output is dropped: drop attention's output, too.",
  "dropout on x, not on the branches": "x is dropped and the branches are not: drop the branch's output, before you add it to x.",
  "dropout on the block's input": "The block's input is dropped: x runs through as it is, and each branch's output is dropped.",
  "dropout on what enters the branches": "What enters the branches is dropped, so their biases still come out: drop their outputs.",
  "dropout before the norms": "x is dropped before the norms, so the biases still come out: drop the branches' outputs.",
  "dropout inside the network": "The network's hidden numbers are dropped, not its output, so the bias of down still comes out: drop what mlp gives.",
  "dropout before mix": "The heads are dropped before mix, so its bias still comes out: drop what attn gives.",
  "a mask of its own, 0 / 0": "Dividing by 1 − dropout is 0 / 0 when all is dropped: nn.Dropout takes care of that.",
  "multiplied by what is kept, in eval mode": "In eval mode the branches' outputs are made smaller: there dropout does nothing, since what was kept in training has been divided by 1 − dropout."},
 "calls": {
  "2 sequences, 3 tokens, 6 features, 2 heads": [["x", "state", "num_heads", "d_hidden"], [[[[-4.24748, -8.18945, 9.4829, -6.93201, -12.2195, 9.85084], [-5.14935, -1.37214, 1.57584, 2.42356, -12.776, 0.119059], [-4.55711, -3.02258, -1.54214, 6.78808, -11.8286, -3.16166]], [[1.43053, -10.2049, 16.6233, -7.57147, -2.36949, 10.8695], [1.87227, -9.75239, 19.3321, -11.3437, -0.789198, 11.3004], [3.14841, -10.3723, 17.2805, -8.49813, -2.42295, 11.5887]]]], [
   ["post-norm", [1.1384, 0.70837]],
   ["first branch post-norm", [-0.2518, -5.4576]],
   ["second branch post-norm", [1.1008, -5.7075]],
   ["norms on the branches' outputs", [8.309, 5.8386]],
   ["post-norm", [-13.023, -52.554]],
   ["first branch post-norm", [-12.421, -85.436]],
   ["second branch post-norm", [-19.419, -40.131]],
   ["norms swapped", [18.454, -18.695]],
   ["norm1 twice", [-9.7999, -46.209]],
   ["norm2 twice", [14.151, -12.751]],
   ["no norm before attention", [-11.271, -11.45]],
   ["no norm before the network", [12.603, 9.2966]],
   ["no norms", [26.452, 54.333]],
   ["norms without their parameters", [9.2529, 13.205]],
   ["both norms before attention", [-14.532, 71.394]],
   ["norm2 of the network's output", [1.3387, -46.518]],
   ["norm1 of attention's output", [8.091, -17.088]],
   ["second branch post-norm", [-0.99284, -12.294]],
   ["parallel branches", [-5.6768, -74.754]],
   ["parallel branches with one norm", [4.0443, -55.409]],
   ["second residual from the input", [-11.536, -27.036]],
   ["input added twice", [-9.7296, -69.038]],
   ["attention's output added twice", [-26.514, -116.29]],
   ["network on attention's output alone", [-10.874, -59.573]],
   ["branches one in the other", [-3.3851, -14.946]],
   ["no residual around attention", [-20.169, -62.199]],
   ["no residual around attention", [-20.831, -29.661]],
   ["no residual around attention", [-12.68, -17.571]],
   ["no network", [1.8065, -42.002]],
   ["no attention", [1.8119, -30.127]],
   ["network first", [2.6025, -27.302]],
   ["network first, norms in order", [21.195, 2.4783]],
   ["branches subtracted", [25.574, 42.555]],
   ["attention subtracted", [7.9936, 51.951]],
   ["network subtracted", [22.638, -12.341]],
   ["no residual around attention", [-104.25, 175.4]],
   ["sums halved", [-9.964, -25.331]],
   ["attention twice", [9.3528, -14.587]],
   ["network twice", [-7.922, -28.119]],
   ["GELU once more", [-12.707, -65.361]],
   ["ReLU at the end", [-19.635, -56.167]],
   ["attention across the sequences", [-28.052, 4.505]],
   ["all sequences in one", [-0.18674, -24.954]],
   ["sequence 0 for all", [-8.8889, -6.953]],
   ["last token for all", [1.8124, -52.403]],
   ["always one head", [-17.394, -47.791]],
   ["the future is seen", [3.1012, -52.72]],
   ["rounded", [-19.153, -71.607]],
   ["x alone", [9.2953, 2.6253]],
   ["no residual around attention", [-7.4888, -44.627]],
   ["tokens and features turned", [30.786, -8.3729, [2, 6, 3]]],
   ["the first sequence only", [-11.541, -4.1786, [3, 6]]]]],
  "3 sequences, 5 tokens, 4 features, 1 head": [["x", "state", "num_heads", "d_hidden"], [[[[2.08481, 0.483889, -3.4189, 3.584], [1.46211, -1.98398, -4.68716, 2.78743], [-1.72614, -1.09304, 0.179376, 1.07715], [0.176185, -2.71405, 4.61741, -3.78708], [-1.40331, 0.542069, 1.63004, 2.1879]], [[3.71932, -2.30309, -6.63513, -1.79881], [2.20806, -0.788782, 2.71379, -2.48589], [-0.799568, -0.0160171, -0.0877912, 0.416297], [4.18556, -3.31292, -7.94165, -4.21848], [0.222142, -2.06368, -1.78307, -1.81017]], [[-0.321561, -2.07763, -6.68127, 2.87758], [-1.47715, -2.93482, 3.78877, 0.747259], [1.39171, -0.902856, -3.6823, 0.614534], [-0.831195, -0.508987, -4.32324, 3.29838], [-1.6979, -1.82309, 1.90489, 0.278555]]]], [
   ["always one head", [23.506, 1.3881]]]],
  "in eval mode, with dropout 0.5": [["x", "state", "num_heads", "d_hidden"], [[[[-5.35541, -3.46585, -0.974515, -2.54541, 1.00744, 3.50839], [3.04759, 3.2579, -3.92887, -2.30286, 0.133617, 1.32761]], [[-2.15692, 2.75955, -2.9374, 0.117143, 0.530334, -6.64978], [-3.56116, 3.25321, -0.208545, -0.305894, 1.4946, 0.349662]]]], [
   ["multiplied by what is kept, in eval mode", [-3.4787, -1.1684]]]],
  "in training mode, dropout not asked for": [["x", "state", "num_heads", "d_hidden"], [[[[3.08211, -3.06673, -0.767532, 0.583017], [-1.92837, -3.29033, 0.981076, 4.98293], [0.841113, -3.72549, -1.77749, -0.600891]], [[2.8886, 0.00312364, -0.289182, 2.58415], [3.79574, 1.29295, 2.83673, 5.11039], [3.36904, -1.73817, 0.0718454, 0.428572]]]], [
   ["no dropout", [1.102, -4.5039]]]],
  "all dropped": [["x", "state", "num_heads", "d_hidden"], [[[[0, 1.9, -1.8, -1.5, 1.9, 1.8], [0.6, 1.5, 2, -2, -1.9, 0.4], [-1.9, -0.4, -0.6, -0.7, -0.4, -1.9]], [[0.4, -1.9, -2, 2, 1.5, 0.6], [1.8, 1.8, -1.5, -1.7, 1.9, 0.1], [1.9, -1.7, -1.5, 1.8, 1.8, 0.6]]]], [
   ["post-norm", [5.7904, -2.4925]],
   ["first branch post-norm", [3.7287, -2.2957]],
   ["second branch post-norm", [10.291, 2.0701]],
   ["input added twice", [18.591, 5.2506]],
   ["no residual around attention", [0, 0]],
   ["sums halved", [2.3238, 0.65632]],
   ["ReLU at the end", [2.399, 1.8341]],
   ["tokens and features turned", [12.007, 0.073128, [2, 6, 3]]],
   ["the first sequence only", [5.0156, -1.0909, [3, 6]]],
   ["no dropout", [-19.025, -71.664]],
   ["dropout of the first branch only", [1.8119, -30.127]],
   ["dropout of the second branch only", [1.8065, -42.002]],
   ["dropout on x, not on the branches", [-12.68, -17.571]],
   ["dropout on the block's input", [-12.423, -3.5223]],
   ["dropout on what enters the branches", [12.039, 6.6198]],
   ["dropout before the norms", [4.4733, 2.9291]],
   ["dropout inside the network", [8.6946, 2.6456]],
   ["dropout before mix", [11.352, 3.2911]],
   ["a mask of its own, 0 / 0", [-153.25, 179.75]]]],
  "a quarter of the attention branch dropped": [["x", "state", "num_heads", "d_hidden", "branch"], [[1]], []],
  "a quarter of the network's branch dropped": [["x", "state", "num_heads", "d_hidden", "branch"], [[1]], []]}},
 "tiny-lm": {
 "made of": "846014f11972", "defines": ["TinyLM"],
 "advice": {
  "positions from 1": "The positions begin with 1: the first token has position 0, torch.arange(seq).",
  "positions from the end of the context": "The positions are counted from the end of the context: the first token has position 0, torch.arange(seq).",
  "positions backwards": "The positions run backwards: the first token has position 0, torch.arange(seq).",
  "positions of the tokens": "The tokens are looked up as positions: look up 0, 1, 2, …, torch.arange(seq).",
  "position 0 for all": "All tokens have position 0: look up 0, 1, 2, …, torch.arange(seq).",
  "the last position for all": "All tokens have one position: look up 0, 1, 2, …, torch.arange(seq).",
  "positions forgotten": "The position vectors are missing: add self.position(torch.arange(seq)) to the token vectors.",
  "tokens forgotten": "The token vectors are missing: add self.token(tokens) to the position vectors.",
  "positions times tokens": "The vectors of tokens and positions are multiplied: add them.",
  "positions subtracted": "The position vectors are subtracted: add them.",
  "positions added twice": "The position vectors are added more than once: once, before the first block, is enough.",
  "positions after the blocks": "The position vectors are added behind the blocks: add them before the first one.",
  "token vectors times the root of d_model": "The token vectors are made larger: there is no factor √d_model here.",
  "norm before the blocks": "A norm of the embeddings is too much: the sum of both vectors enters the first block as it is.",
  "norm before the blocks only": "The last norm stands before the blocks: it comes after them.",
  "no blocks": "The blocks are not used: x = block(x), one after the other.",
  "only the first block": "Not all blocks count: x runs through each of them, in order, and each gets what the one before it gave.",
  "blocks side by side": "All blocks get the same x: each gets what the one before it gave.",
  "blocks backwards": "The blocks run in the reverse order: block 0 comes first.",
  "the first block again and again": "One block does the work of all: make num_layers new blocks, and use each once.",
  "blocks twice": "The blocks run twice: once is enough.",
  "blocks' output added to x": "x is added to what a block gives: the block has done that inside, so x = block(x).",
  "norm after each block": "The norm stands behind each block: it comes once, after the last one.",
  "one head": "The blocks have another number of heads: hand num_heads on to Block.",
  "no last norm": "The last norm is missing: norm what the last block gives, then multiply with the token vectors.",
  "last norm without its parameters": "The last norm's weight and bias are not used: call self.norm.",
  "last norm twice": "The last norm stands there twice: once is enough.",
  "a block's norm at the end": "The norm at the end is a block's: the model has one of its own, self.norm.",
  "softmax inside": "These are probabilities: give back the logits, without softmax.",
  "log_softmax inside": "These are logarithms of probabilities: give back the logits, without log_softmax.",
  "logits divided by the root of d_model": "The logits are divided by √d_model: there is no scale here.",
  "logits divided by d_model": "The logits are divided by d_model: there is no scale here.",
  "token vectors of length 1": "The token vectors are made 1 long: multiply with them as they are.",
  "distances": "These are distances: the logits are dot products with the token vectors.",
  "an output bias of the positions": "Something is added to the logits: they are the product with the token vectors, and nothing more.",
  "x given back, not logits": "The vectors came back, not the logits: multiply them with the token vectors, turned.",
  "letters and positions turned": "The axes of the logits are turned: (batch, seq, vocab), the letters last.",
  "only the last position": "Only the last position came back: logits are (batch, seq, vocab).",
  "all but the last position": "A position is missing: give back logits for all of them, (batch, seq, vocab).",
  "sequences joined": "The sequences are put one behind the other: logits are (batch, seq, vocab).",
  "most probable letters": "These are letters: give back the logits, without argmax.",
  "rounded": "The logits are rounded: keep all of their digits.",
  "sequence 0 for all": "Every sequence got the logits of sequence 0: keep the batch axis.",
  "shifted tokens": "The tokens are moved by one place: the model gets them as they are, the loss does the shift.",
  "future tokens first": "The tokens run backwards: the model gets them as they are.",
  "dropout not handed on": "The blocks don't drop in training mode: hand dropout on to each Block.",
  "only the first block drops": "Not all blocks drop in training mode: hand dropout on to each Block.",
  "dropout on the embeddings": "Something besides the blocks drops: leave the embeddings and the end without dropout.",
  "dropout on the embeddings only": "Something besides the blocks drops: leave the embeddings and the end without dropout, and hand dropout on to each Block.",
  "dropout before the product": "Every logit is 0 with all dropped: there is no dropout behind the blocks.",
  "dropout on the positions": "The position vectors are dropped: leave the embeddings without dropout.",
  "a default of 1.0": "All is dropped although no dropout was asked for: the default of dropout is 0.0.",
  "the first tokens only": "Too many tokens were taken without a word: raise a ValueError if there are more than the context."},
 "calls": {
  "2 sequences, 3 of 5 positions, 7 letters": [[], [[[[-2.23454, 0.519566, 2.53309, -1.53473, -2.98312, -2.80385, -1.72504], [-2.30781, 0.871026, 2.54386, -1.90094, -3.03304, -3.1215, -1.80861], [-2.27278, 0.697773, 2.53246, -1.71216, -2.99523, -2.94748, -1.75345]], [[-2.04644, -0.00387311, 2.18392, -0.692464, -2.35567, -1.69146, -1.05324], [-2.13232, -0.289428, 2.33741, -0.559488, -2.73417, -1.78871, -1.427], [-1.60429, -0.343651, 2.40643, -0.554549, -2.2422, -1.82355, -0.821748]]]], [
   ["positions from 1", [-6.1744, -1.5851]],
   ["positions from the end of the context", [-7.9335, -2.0952]],
   ["positions backwards", [-7.7874, -2.7881]],
   ["positions of the tokens", [-6.2049, -0.67924]],
   ["position 0 for all", [-9.3539, -3.5481]],
   ["the last position for all", [-8.9409, -3.64]],
   ["positions forgotten", [-7.7114, -2.0422]],
   ["tokens forgotten", [-9.8537, -1.1813]],
   ["positions times tokens", [-22.01, -2.2324]],
   ["positions subtracted", [-12.409, -1.4733]],
   ["positions added twice", [-8.2352, -2.4699]],
   ["positions added twice", [-7.9048, -1.8825]],
   ["positions after the blocks", [-7.0643, -2.0751]],
   ["token vectors times the root of d_model", [-6.0793, -3.3323]],
   ["norm before the blocks", [-5.1132, -5.133]],
   ["norm before the blocks only", [-68.63, -55.998]],
   ["no blocks", [6.3269, 8.8673]],
   ["only the first block", [3.4285, -6.3028]],
   ["only the first block", [-16.107, -3.234]],
   ["blocks side by side", [-12.834, -6.2664]],
   ["blocks backwards", [-19.96, -4.6964]],
   ["the first block again and again", [0.81662, -6.9293]],
   ["the first block again and again", [-16.531, -2.6282]],
   ["blocks twice", [-11.665, -3.1035]],
   ["blocks' output added to x", [-4.4095, -1.7314]],
   ["norm after each block", [0.36496, -5.0721]],
   ["norm after each block", [10.038, -8.1991]],
   ["one head", [-8.0689, -4.313]],
   ["no last norm", [-59.39, -26.242]],
   ["last norm without its parameters", [-1.0959, -0.92231]],
   ["last norm twice", [1.5863, -8.467]],
   ["a block's norm at the end", [3.2435, 2.2624]],
   ["softmax inside", [-0.86969, -0.67511]],
   ["log_softmax inside", [-10.39, -5.5823]],
   ["logits divided by the root of d_model", [-3.2238, -1.3132]],
   ["logits divided by d_model", [-1.3161, -0.53609]],
   ["token vectors of length 1", [-4.7515, -2.0059]],
   ["distances", [-5.2383, -4.6063]],
   ["an output bias of the positions", [3.3445, -1.6098]],
   ["x given back, not logits", [-0.24205, -0.64752, [2, 3, 6]]],
   ["letters and positions turned", [1.2117, -0.66915, [2, 7, 3]]],
   ["only the last position", [-9.4643, -2.9033, [2, 7]]],
   ["all but the last position", [-14.792, -1.7894, [2, 2, 7]]],
   ["sequences joined", [-7.8966, -3.2165, [6, 7]]],
   ["most probable letters", [0.39847, 0.57041, [2, 3]]],
   ["rounded", [-7.8879, -3.1996]],
   ["sequence 0 for all", [-5.4179, -3.7402]],
   ["shifted tokens", [-7.4251, -5.985]],
   ["future tokens first", [-9.6072, -4.286]]]],
  "a full context, one block of one head": [[], [[[[-0.577875, -2.38006, 0.0216153, 1.40528, 1.87374], [-0.673713, -1.96991, 0.141223, 1.27246, 1.56683], [-0.872675, -1.21402, 0.358269, 1.07076, 0.992876], [-0.773855, -1.57929, 0.253468, 1.16346, 1.27132]], [[-0.757341, -1.75078, 0.22295, 1.23603, 1.38422], [-0.716709, -1.80286, 0.190149, 1.225, 1.44012], [-0.8692, -1.23223, 0.355463, 1.07493, 1.00546], [-0.692734, -1.9904, 0.14869, 1.30402, 1.56837]], [[-1.05636, -0.576782, 0.538784, 0.931547, 0.503063], [-1.17059, -0.203968, 0.651301, 0.853374, 0.211695], [-0.942207, -0.964343, 0.4283, 1.01282, 0.802179], [-0.762305, -1.76791, 0.221562, 1.25276, 1.39226]]]], [
   ["one head", [-0.42668, 1.0983]]]],
  "one token": [[], [[[[-2.23454, 0.519566, 2.53309, -1.53473, -2.98312, -2.80385, -1.72504]], [[-2.23454, 0.519566, 2.53309, -1.53473, -2.98312, -2.80385, -1.72504]], [[-2.04644, -0.00387287, 2.18392, -0.692464, -2.35567, -1.69146, -1.05324]]]], []],
  "the vector of a letter that doesn't come moves its own logit only": [[], [[[[0, 0, 0, 0, 0, -3.49743, 0], [0, 0, 0, 0, 0, -3.45322, 0], [0, 0, 0, 0, 0, -3.53529, 0]], [[0, 0, 0, 0, 0, -3.50096, 0], [0, 0, 0, 0, 0, -3.22885, 0], [0, 0, 0, 0, 0, -3.52129, 0]]]], [
   ["positions from 1", [-5.8289, 1.7969]],
   ["positions from the end of the context", [-5.9511, 2.5327]],
   ["positions backwards", [-6.1958, 2.2394]],
   ["positions of the tokens", [-6.1387, 2.2897]],
   ["position 0 for all", [-6.264, 2.2271]],
   ["the last position for all", [-6.1425, 2.2706]],
   ["positions forgotten", [-6.2185, 2.2356]],
   ["tokens forgotten", [-6.4385, 1.983]],
   ["positions times tokens", [-0.66276, -3.6419]],
   ["positions subtracted", [-3.7213, 4.7903]],
   ["positions added twice", [-6.0701, 2.5166]],
   ["positions added twice", [-6.0683, 2.636]],
   ["positions after the blocks", [-6.3406, 2.2594]],
   ["token vectors times the root of d_model", [-5.8975, 2.713]],
   ["norm before the blocks", [-4.8866, 2.6093]],
   ["norm before the blocks only", [-48.561, 26.016]],
   ["no blocks", [-0.86064, 5.1944]],
   ["only the first block", [-2.0143, 3.2281]],
   ["only the first block", [-2.8791, 3.6479]],
   ["blocks side by side", [-3.997, 3.3289]],
   ["blocks backwards", [-0.30641, 6.3183]],
   ["the first block again and again", [-2.0149, 2.1437]],
   ["the first block again and again", [-4.8202, 1.722]],
   ["blocks twice", [-6.2586, 2.0473]],
   ["blocks' output added to x", [-5.3176, 3.3098]],
   ["norm after each block", [-3.1255, 2.3579]],
   ["norm after each block", [5.6823, -2.1593]],
   ["one head", [-6.1397, 2.3656]],
   ["no last norm", [-31.363, 9.6807]],
   ["last norm without its parameters", [5.4738e-07, -5.5978e-07]],
   ["last norm twice", [4.5727, -2.1378]],
   ["a block's norm at the end", [0.17182, 0.027519]],
   ["softmax inside", [-0.071709, -0.013975]],
   ["log_softmax inside", [-6.1755, 2.3258]],
   ["logits divided by the root of d_model", [-2.5287, 0.92476]],
   ["logits divided by d_model", [-1.0323, 0.37753]],
   ["token vectors of length 1", [-0.72456, 0.65556]],
   ["distances", [-3.2393, 1.3236]],
   ["an output bias of the positions", [4.8089, -1.1839]],
   ["x given back, not logits", [0, 0, [2, 3, 6]]],
   ["letters and positions turned", [-0.31395, -1.2873, [2, 7, 3]]],
   ["only the last position", [3.8394, 1.3611, [2, 7]]],
   ["all but the last position", [-0.33625, 1.9261, [2, 2, 7]]],
   ["sequences joined", [-6.1939, 2.2652, [6, 7]]],
   ["most probable letters", [0, 0, [2, 3]]],
   ["rounded", [-6.1902, 2.2646]],
   ["sequence 0 for all", [-6.4224, 2.0515]],
   ["shifted tokens", [-6.4267, 2.1393]],
   ["future tokens first", [-6.8301, 2.0914]]]],
  "in training mode, all branches dropped": [[], [[[[-0.13105, 4.30848, 1.46336, -4.48257, 1.0268, -4.00142, 1.96107], [-3.23114, 4.95035, 0.305764, -5.13857, -1.90086, -4.2748, -1.59957], [-0.414713, 4.3442, 1.33363, -4.51204, 0.671829, -4.00929, 1.66492], [-2.09707, 6.2928, 0.887407, -6.50497, -0.51781, -5.51093, -0.153119]], [[1.63097, -3.58637, 1.93699, 3.33355, 2.71357, 2.42747, 3.09968], [0.680821, 2.32646, 1.72564, -2.51628, 1.98532, -2.38982, 2.51186], [1.87049, -1.5317, 2.29394, 1.21291, 3.81419, 0.683929, 3.25743], [-1.10025, 0.389283, 0.800401, -0.52886, -0.582688, -0.625569, 0.597953]]]], [
   ["dropout not handed on", [-0.13404, 2.2256]],
   ["only the first block drops", [-5.4152, 9.7481]],
   ["only the first block drops", [7.9993, -3.1858]],
   ["dropout on the embeddings", [1.4672, -2.5551]],
   ["dropout on the embeddings only", [1.9872, -2.29]],
   ["dropout before the product", [0, 0]],
   ["dropout on the positions", [-3.2264, 7.3097]]]],
  "in training mode, dropout not asked for": [[], [[[[-1.5702, 2.8715, 1.12331, -3.15985, 0.364091, -2.70468, -0.0326835], [-1.8715, 2.7002, 0.984181, -2.98537, -0.0709314, -2.54752, -0.308523]], [[1.25987, -0.767071, 2.13358, 0.440632, 3.38609, 0.108104, 2.59986], [-0.378349, 1.68844, 1.60864, -2.00622, 1.9183, -1.79513, 0.960615]], [[-0.100743, 0.973099, 1.63738, -1.27477, 1.86871, -1.23434, 1.37147], [-0.0378044, 1.82723, 1.67459, -2.11405, 1.95027, -1.94059, 1.50597]]]], [
   ["a default of 1.0", [-8.045, 13.524]]]],
  "7 tokens, and a context of 6": [["seq", "context"], "ValueError", [
   ["the first tokens only", [-4.8267, -2.4199, [3]]],
   ["the first tokens only", [-5.2429, -2.5776, [3]]]]],
  "the shape with 6 tokens, and a context of 6": [["seq", "context"], [[2, 6, 5]], [
   ["x given back, not logits", [-3.9786, -1.7886]],
   ["letters and positions turned", [-5.2587, -2.8934]],
   ["only the last position", [-0.17006, 0.89421, [2]]],
   ["all but the last position", [-4.4106, -2.2621]],
   ["sequences joined", [9.3833, 9.3089, [2]]],
   ["most probable letters", [-0.58621, 0.73647, [2]]]]]}},
 "leak": {
 "made of": "bbd4d5deee46", "defines": ["leak"],
 "advice": {
  "changed positions compared": "The logits from start on are compared, too, and these may change: compare those before start only, [:, :start], on the positions' axis.",
  "only changed positions compared": "The logits from start on are compared, and these may change: compare those before start, [:, :start].",
  "one position too many": "The logits at start are compared, too: the last ones that must not change are those at start − 1, so cut with [:, :start].",
  "only the position at start": "The logits at start are compared: the last ones that must not change are those at start − 1, so cut with [:, :start].",
  "only the last position": "The logits of the last position are compared: compare all those before start, [:, :start].",
  "the last position left out": "The logits at start − 1 are left out: compare all positions before start, [:, :start].",
  "the first position alone": "Only position 0 is compared: compare all positions before start, [:, :start].",
  "nothing replaced": "This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on.",
  "signed, old minus new": "Signs are not treated as they should be: take abs() of the difference of the logits, number by number, and then the largest.",
  "difference of two largest logits": "Two largest logits are compared: subtract the logits number by number first, then take the largest abs().",
  "mean": "The changes are averaged: give back the largest of them, max().",
  "sum": "The changes are added up: give back the largest of them, max().",
  "smallest": "The smallest change came back: give back the largest, max().",
  "squares": "The change is squared: take its absolute value.",
  "mean of squares": "The squares of the changes are averaged: give back the largest absolute change.",
  "length of the change": "This is the length of all changes together, the root of the sum of their squares: give back the largest absolute change.",
  "probabilities": "The softmax is too much: compare the logits as the model gives them.",
  "log-probabilities": "The log_softmax is too much: compare the logits as the model gives them.",
  "the most probable tokens": "The places of the largest logits are compared: compare the logits themselves.",
  "yes or no": "This says only whether there is a leak: give back how large it is.",
  "how many": "This counts the logits that change: give back the largest change.",
  "place of the largest": "This is the place of the largest change: give back the change itself, max().",
  "relative change": "The change is divided by the logits: give back the change itself.",
  "sequence 0 alone": "Only sequence 0 is compared: take the largest change of all sequences.",
  "the last sequence alone": "Only the last sequence is compared: take the largest change of all sequences.",
  "letter 1 alone": "Only one logit of each position is compared: take the largest change of all of them.",
  "cut along the letters": "Here the logits of a position are cut, not the positions: these are axis 1, [:, :start].",
  "two positions compared": "The logits of two different places are compared: cut both with [:, :start].",
  "what is in front replaced": "The tokens in front are replaced: keep tokens[:, :start], and replace those from start on.",
  "replacement first": "The replacement stands in front: tokens[:, :start] comes first, then the replacement.",
  "one token too few": "Every token before start must stay as it is: keep tokens[:, :start], and put the replacement behind it.",
  "one token too many": "The replacement stands one place too late: it begins at start.",
  "only the token at start replaced": "Not all tokens from start on are replaced: put in the whole replacement.",
  "token at start kept": "The replacement is put in one place too late: it begins at start.",
  "replaced by 0": "The replacement is not used: put it in as it is given, behind tokens[:, :start].",
  "replacement added": "The replacement is added to the tokens: put it in their place.",
  "replacement of sequence 0 for all": "Every sequence got the replacement of sequence 0: each has its own.",
  "replacement turned round": "The replacement runs backwards: put it in as it is given.",
  "one change for each sequence": "The largest change of each sequence came back: give back one number, the largest of all.",
  "one change for each position": "The largest change of each position came back: give back one number, the largest of all.",
  "largest of each row, values and places": "Give back one number, the largest change of all: max() without an axis.",
  "all changes": "All changes came back: give back one number, the largest of them.",
  "a list of one": "Give back a number, not a list that holds it.",
  "minus the leak": "The sign is turned: give back the largest absolute change, which is never negative.",
  "half of it": "The two differences are halved: give back the largest absolute change as it is.",
  "logits added": "The logits of both are added: subtract them.",
  "the changed logits alone": "The logits themselves came back, the largest of them: compare those of tokens with those of the changed tokens."},
 "calls": {
  "models that see 0, 1, 2 and 6 tokens ahead": [["ahead", "tokens", "start", "replacement"], [[0, 0.5, 1.6, 1.35]], [
   ["changed positions compared", [0.36258, 1.4325]],
   ["only changed positions compared", [0.5746, 1.5903]],
   ["one position too many", [-0.68829, 0.50689]],
   ["only the position at start", [-0.47627, 0.6647]],
   ["only the last position", [0.43981, 1.4194]],
   ["the last position left out", [0.43279, 1.0329]],
   ["the first position alone", [0.85684, 1.3486]],
   ["nothing replaced", [0, 0]],
   ["signed, old minus new", [-0.45814, 0.090399]],
   ["signed, old minus new", [-0.60416, 0.29911]],
   ["difference of two largest logits", [0.3552, 0.63879]],
   ["difference of two largest logits", [0.71039, 1.2776]],
   ["mean", [0.17454, 0.38165]],
   ["mean", [0.42059, 0.91964]],
   ["mean", [-0.22652, 0.48073]],
   ["sum", [6.9817, 15.266]],
   ["smallest", [0.071403, 0.11238]],
   ["squares", [-1.1184, 0.16509]],
   ["mean of squares", [0.14075, 0.29602]],
   ["length of the change", [0.45491, 2.4364]],
   ["probabilities", [-0.062657, 0.01584]],
   ["log-probabilities", [-0.72097, 0.52597]],
   ["the most probable tokens", [-0.64022, 1.103]],
   ["yes or no", [-0.62955, 0.20993]],
   ["how many", [4.2642, 25.755]],
   ["how many", [0.10661, 0.64387]],
   ["place of the largest", [-8.7881, 8.9834]],
   ["relative change", [-2.2688, -1.1694]],
   ["relative change", [-0.17843, -0.017013]],
   ["sequence 0 alone", [-0.99381, -0.18985]],
   ["the last sequence alone", [0.54077, 1.1513]],
   ["letter 1 alone", [-0.088525, 0.032459]],
   ["cut along the letters", [0.18129, 0.71625]],
   ["two positions compared", [-0.14455, 1.067]],
   ["what is in front replaced", [0.24434, 0.78855]],
   ["replacement first", [-0.34681, 0.61226]],
   ["one token too few", [0.21908, 1.2352]],
   ["one token too many", [-0.22435, 0.49116]],
   ["only the token at start replaced", [-0.31478, 0.10496]],
   ["token at start kept", [-0.89244, 0.072858]],
   ["replaced by 0", [0.21201, 2.5358]],
   ["replaced by 0", [-0.50518, -0.19472]],
   ["replaced by 0", [0.00073186, 0.51241]],
   ["replacement added", [-0.74886, 1.1478]],
   ["replacement of sequence 0 for all", [-0.13697, 1.1587]],
   ["replacement turned round", [-0.98369, 0.0019606]],
   ["nothing replaced", [2.8244, 4.4453]],
   ["one change for each sequence", [1.4595, -1.8213, [4, 2]]],
   ["one change for each position", [2.2003, -0.34403, [4, 4]]],
   ["largest of each row, values and places", [-14.027, 0.53676, [4, 2, 2, 4]]],
   ["all changes", [1.4047, 0.32614, [4, 2, 4, 5]]],
   ["a list of one", [-0.7082, 0.25967, [4, 1]]],
   ["minus the leak", [0.7082, -0.25967]],
   ["half of it", [-0.3541, 0.12984]],
   ["logits added", [1.7335, 10.313]],
   ["the changed logits alone", [0.46914, 4.4861]]]],
  "a model that sees nothing ahead": [["model", "tokens", "start", "replacement"], [0], []],
  "a model that sees the next token": [["model", "tokens", "start", "replacement"], [0.5], []],
  "a model that sees two tokens ahead": [["model", "tokens", "start", "replacement"], [1.35], []]}},
 "learning-rate": {
 "made of": "865c023826ac", "defines": ["learning_rate"],
 "advice": {
  "step without + 1": "The rise is one step late: multiply peak by step + 1, so that step 0 has a rate above 0 and the last step of the warmup has peak.",
  "one below warmup": "The rise ends too low: divide step + 1 by warmup, so that the last step of the warmup has peak.",
  "step + 2": "The rise is one step early: multiply peak by step + 1, counted from step 0.",
  "warmup - 1": "Divide step + 1 by warmup alone, so that it reaches 1 at the last step of the warmup.",
  "steps of the rise by total": "The rise is too slow: divide step + 1 by warmup, not by total.",
  "rise divided by all but warmup": "The rise is too slow: divide step + 1 by warmup, not by total − warmup.",
  "whole division in the rise": "`//` cuts off what stands behind the point: divide step + 1 by warmup with `/`.",
  "peak * step + 1": "The parentheses of step + 1 are missing: peak multiplies the whole sum.",
  "only step multiplied by peak": "The parentheses of step + 1 are missing: peak multiplies the whole sum, and all of it is divided by warmup.",
  "rise without peak": "The rise goes to 1: multiply (step + 1) / warmup by peak.",
  "rise from the floor": "The rise begins at floor here: below warmup the rate is peak · (step + 1) / warmup, without floor.",
  "floor added to the rise": "floor is added to the rise: below warmup the rate is peak · (step + 1) / warmup, without floor.",
  "rise never below the floor": "The rise is kept above floor here: below warmup the rate is peak · (step + 1) / warmup, however small.",
  "rise to peak − floor": "The rise ends below peak: multiply (step + 1) / warmup by peak, not by peak − floor.",
  "rise along a cosine": "The rise is curved: below warmup it is a straight line, peak · (step + 1) / warmup.",
  "rise turned round": "The warmup falls: multiply peak by (step + 1) / warmup, which grows with the step.",
  "divided by the step": "The fraction stands upside down: step + 1 is above the line and warmup below it.",
  "peak from the first step": "There is no rise: below warmup the rate is peak · (step + 1) / warmup.",
  "floor before warmup": "The rate is floor all through the warmup: there it is peak · (step + 1) / warmup.",
  "zero before warmup": "The rate is 0 all through the warmup: there it is peak · (step + 1) / warmup.",
  "the wave before it begins": "The case step < warmup is missing, and the cosine stands in its place: there the rate is peak · (step + 1) / warmup.",
  "the wave from step 0": "The case step < warmup is missing, and the cosine begins at step 0: let the rate rise for warmup steps first.",
  "warmup inclusive": "The rise goes on for one step too many, beyond peak: it holds for step < warmup, not for step = warmup.",
  "warmup ends a step early": "The rise ends one step early: it holds for every step < warmup.",
  "total for total − warmup": "The cosine is too slow, and jumps to floor at the end: divide step − warmup by total − warmup, not by total.",
  "total is counted from the end of the warmup": "total counts all steps, with the warmup: the cosine takes total − warmup steps, and floor begins at total.",
  "total + warmup": "The cosine is too slow, and jumps to floor at the end: divide step − warmup by total − warmup, not by their sum.",
  "warmup not taken off the step": "The cosine does not begin at peak: take warmup off the step, too, (step − warmup) / (total − warmup).",
  "warmup not taken off at all": "The cosine does not begin at peak: take warmup off both, (step − warmup) / (total − warmup).",
  "parentheses of way forgotten": "A pair of parentheses is missing in (step − warmup) / (total − warmup): `/` comes before `−`.",
  "one step ahead": "The cosine is one step ahead: at step = warmup it stands at 0, so only the rise has + 1.",
  "floor one step early": "The cosine is done one step early: it takes total − warmup steps, not one less.",
  "one more below the line": "The cosine takes one step too many: divide step − warmup by total − warmup.",
  "whole division in way": "The rate stays at peak until total, or almost: let it fall by the cosine of π · way, not in degrees, and divide by `/`, not by `//`.",
  "way turned round": "The cosine runs backwards, from floor up to peak: it begins with 0 at step = warmup and falls.",
  "whole period": "The cosine goes through a whole wave, or more: half of one is cos(π · way), without a 2.",
  "quarter of a wave": "The cosine goes through a quarter of a wave only: half of one is cos(π · way).",
  "cosine from 1 to 0": "The fall is a quarter of a wave: take half of one, (1 + cos(π · way)) / 2.",
  "without π": "π is missing in the cosine: cos(π · way) goes from 1 to −1.",
  "cosine of π, times way": "way stands outside of the cosine: it belongs into it, cos(π · way).",
  "sine": "Take the cosine, which begins with 1: this is a sine.",
  "straight down": "The fall is a straight line: it should be half a cosine wave, (1 + cos(π · way)) / 2.",
  "exponential fall": "The fall is exponential: it should be half a cosine wave, (1 + cos(π · way)) / 2.",
  "half forgotten": "The wave is twice as high as it should be: divide 1 + cos(π · way) by 2.",
  "half of floor, too": "floor is halved with the rest: only (peak − floor) · (1 + cos(π · way)) is divided by 2.",
  "only the cosine halved": "Only the cosine is divided by 2: put 1 + cos(π · way) into parentheses, then divide.",
  "1 + forgotten": "The cosine goes down to −1: add 1 to it, then divide by 2.",
  "0.5 × 1 + cos": "The parentheses of 1 + cos(π · way) are missing: ½ multiplies the whole sum.",
  "floor forgotten": "floor is not added: the fall ends at floor, not at 0.",
  "peak times the wave": "The fall goes to 0 here: it goes from peak to floor, floor + (peak − floor) · …",
  "peak times the wave, cut at the floor": "The wave runs down to 0 and is cut at floor: it should end at floor, floor + (peak − floor) · …",
  "peak not less floor": "The wave begins above peak: multiply it by peak − floor before you add floor.",
  "peak + floor": "The wave begins above peak: multiply it by peak − floor, not by their sum.",
  "floor taken off twice": "The wave is multiplied by peak, not by peak − floor, and floor is taken off: it should be floor + (peak − floor) · …",
  "peak − floor without parentheses": "The parentheses of peak − floor are missing: the wave multiplies the whole difference.",
  "rises again after total": "The wave rises again after total: from total on the rate is floor.",
  "begins again after total": "The wave begins again after total: from total on the rate is floor.",
  "zero from total on": "The rate is 0 from total on: there it is floor.",
  "peak from total on": "The rate is peak from total on: there it is floor.",
  "floor from total − warmup on": "floor begins too early: total counts all steps, with the warmup.",
  "floor a step early": "floor begins one step early: it holds from step = total on.",
  "floor as soon as the warmup is done": "The rate is floor as soon as the warmup is done: that holds from total on.",
  "a pair": "Give back one number, the rate alone.",
  "a list of one": "Give back one number, not a list or an array that holds it.",
  "rounded to two places": "The rates are rounded: keep all of their digits.",
  "the lesson's numbers": "This is the rate of one setting only: use warmup, total, peak and floor as they are given.",
  "floor is peak / 10": "floor is taken to be peak / 10 here: use floor as it is given."},
 "calls": {
  "steps 0, 1, 2, 3, 5, 8, 10 and 14, warmup 3, total 10": [["steps", "warmup", "total", "peak", "floor"], [[0.266667, 0.533333, 0.8, 0.8, 0.705872, 0.394128, 0.3, 0.3]], [
   ["step without + 1", [0.24542, -0.15849]],
   ["one below warmup", [0.32446, -0.053316]],
   ["step + 2", [0.080667, -0.13052]],
   ["warmup - 1", [-0.15979, -0.32688]],
   ["steps of the rise by total", [0.61501, 0.11082]],
   ["rise divided by all but warmup", [0.532, 0.063925]],
   ["whole division in the rise", [0.13023, -0.28477]],
   ["peak * step + 1", [-0.98414, -0.89849]],
   ["only step multiplied by peak", [0.14245, -0.14101]],
   ["rise without peak", [0.0016261, -0.23569]],
   ["rise from the floor", [0.3125, 0.0080152]],
   ["floor added to the rise", [0.07037, -0.12877]],
   ["rise never below the floor", [0.19489, -0.11646]],
   ["rise to peak − floor", [0.40517, -0.0077224]],
   ["rise along a cosine", [0.071611, -0.21112]],
   ["rise turned round", [1.1249, 0.64096]],
   ["divided by the step", [1.9237, 1.5455]],
   ["peak from the first step", [0.56158, 0.26221]],
   ["floor before warmup", [0.71604, 0.23599]],
   ["zero before warmup", [0.80871, 0.22025]],
   ["the wave before it begins", [0.43606, 0.12914]],
   ["the wave from step 0", [0.47268, 0.30351]],
   ["warmup inclusive", [0.33229, 0.12188]],
   ["warmup ends a step early", [0.18404, -0.12888]],
   ["total for total − warmup", [0.068367, -0.1873]],
   ["total is counted from the end of the warmup", [0.019361, -0.10607]],
   ["total + warmup", [0.0095438, -0.20656]],
   ["warmup not taken off the step", [-0.11746, -0.11589]],
   ["warmup not taken off at all", [0.028554, -0.13528]],
   ["parentheses of way forgotten", [-0.34727, -0.31581]],
   ["parentheses of way forgotten", [-0.52588, -0.40367]],
   ["one step ahead", [0.13497, -0.094478]],
   ["floor one step early", [0.19109, -0.11888]],
   ["one more below the line", [0.12852, -0.16313]],
   ["whole division in way", [-0.10172, -0.2373]],
   ["way turned round", [-0.62056, -0.44647]],
   ["whole period", [-0.063046, -0.0031273]],
   ["quarter of a wave", [-0.003877, -0.21059]],
   ["cosine from 1 to 0", [0.093968, -0.18387]],
   ["without π", [-0.059095, -0.22615]],
   ["cosine of π, times way", [-0.13282, -0.23365]],
   ["sine", [-0.25349, -0.44525]],
   ["straight down", [0.090161, -0.11363]],
   ["exponential fall", [0.02023, -0.13341]],
   ["exponential fall", [0.091281, -0.073738]],
   ["half forgotten", [0.68188, 0.064664]],
   ["half of floor, too", [0.086821, -0.17942]],
   ["only the cosine halved", [0.29008, -0.086318]],
   ["1 + forgotten", [0.42781, -0.051709]],
   ["1 + forgotten", [0.036007, -0.20269]],
   ["0.5 × 1 + cos", [1.3384, 0.30844]],
   ["floor forgotten", [0.010599, -0.21433]],
   ["peak times the wave", [0.3219, -0.088827]],
   ["peak times the wave, cut at the floor", [0.20073, -0.098735]],
   ["peak not less floor", [0.47435, -0.019004]],
   ["peak + floor", [0.78565, 0.1065]],
   ["floor taken off twice", [0.16946, -0.15865]],
   ["peak − floor without parentheses", [-0.26058, -0.29298]],
   ["rises again after total", [0.44839, -0.44526]],
   ["begins again after total", [0.10674, 0.058349]],
   ["zero from total on", [0.025614, -0.085761]],
   ["peak from total on", [0.39209, -0.24241]],
   ["floor from total − warmup on", [0.23939, -0.13826]],
   ["floor as soon as the warmup is done", [-0.3558, -0.35367]],
   ["a pair", [4.8273, 6.0126, [8, 2]]],
   ["a list of one", [0.16304, -0.1445, [8, 1]]],
   ["rounded to two places", [0.16922, -0.14712]],
   ["rounded to two places", [0.17379, -0.14379]],
   ["the lesson's numbers", [0.0011397, -0.0016517]],
   ["floor is peak / 10", [0.17876, -0.060595]]]],
  "steps 0, 2, 4, 5 and 6, no warmup, total 4": [["steps", "warmup", "total", "peak", "floor"], [[2, 1.25, 0.5, 0.5, 0.5]], []],
  "steps 0, 4, 9, 10, 20 and 29, warmup 10, floor 0": [["steps", "warmup", "total", "peak", "floor"], [[0.3, 1.5, 3, 3, 1.5, 0.0184675]], [
   ["floor a step early", [0.048979, 0.069035]]]]}},
 "repaired-evaluate": {
 "made of": "b75415e0b258", "defines": ["repaired_evaluate"],
 "advice": {
  "slip 2 left: softmax before cross-entropy": "F.cross_entropy gets probabilities: give it the logits, since it takes the softmax itself.",
  "softmax over the positions before cross-entropy": "A softmax over the positions comes before F.cross_entropy: give it the logits as they are.",
  "slip 3 left: the shift the wrong way round": "The shift is the wrong way round: row t belongs to token t + 1, so take logits[:, :-1] and tokens[:, 1:].",
  "no shift": "Row t is compared with token t itself: it predicts token t + 1, so take logits[:, :-1] and tokens[:, 1:].",
  "no shift, last token left out": "Row t is compared with token t: leave the first token out of the targets, tokens[:, 1:], and the last row out of the logits.",
  "no shift, first token left out": "Row t is compared with token t: leave the last row out of the logits, logits[:, :-1], not the first.",
  "rolled, so that the last row predicts the first token": "The last row has no target: leave it out, where here it is compared with the first token.",
  "two tokens ahead": "Row t is compared with token t + 2: take tokens[:, 1:] for the targets, and logits[:, :-1].",
  "slips 2 and 3 left": "Two slips at least are left: give F.cross_entropy logits, not probabilities, and compare logits[:, :-1] with tokens[:, 1:].",
  "slip 4 left: padding counted": "Padding is counted: leave out the targets that are pad, tokens[:, 1:] != pad, in the sum and in the count.",
  "padding is 0 in the sum, and counted in the mean": "Padding is left out of the sum, but counted: divide by the number of real targets, real.sum().",
  "padding counted in the sum only": "Padding is in the sum, but not in the count: leave out the targets that are pad in both.",
  "padding judged at the input": "Padding is judged at the token that was read: what counts is whether the target, tokens[:, 1:], is pad.",
  "padding judged at both ends": "Targets that come after padding are left out, too: what counts is whether the target, tokens[:, 1:], is pad.",
  "pad fixed at 0": "Padding is taken to be 0: compare the targets with pad, the argument.",
  "all up to the first padding": "Real targets after the first padding are left out: each target that is not pad counts, wherever it stands.",
  "slip 5 left: mean of the batches' means": "The batches' means are averaged: add up all losses and all counts, and divide once, at the end.",
  "means of batches, weighted by their sequences": "Batches weigh by how many sequences they have: weigh by real targets, so add up all losses and divide once, at the end.",
  "means of batches, weighted by their targets with padding": "Batches weigh by how many targets they have, padding among them: weigh by the real ones.",
  "means of batches, weighted by their tokens": "Batches weigh by how many tokens they have: weigh by real targets, so add up all losses and divide once, at the end.",
  "mean of the sequences' means": "The sequences' means are averaged: add up all losses and all counts, and divide once, at the end.",
  "the median of the losses": "This is made of the median: take the mean of the losses.",
  "only the last batch": "Only the last batch counts: add each batch to the sum and to the count, with +=.",
  "count of the last batch only": "The sum is divided by the last batch's count: count the real targets of all batches, with +=.",
  "return in the loop": "Only the first batch counts: the return stands inside the loop.",
  "the sum, not the mean": "The sum is not divided by the number of real targets, of all batches.",
  "divided by the number of sequences": "The sum is divided by the number of sequences: divide it by the number of real targets.",
  "divided by the number of tokens": "First tokens are counted, too, and nobody predicts them: count the real targets, in tokens[:, 1:].",
  "divided twice": "The loss is divided twice by the number of targets: take a sum in the loop, and divide once, at the end.",
  "perplexity": "This is the perplexity: give back its logarithm, the mean loss in nats.",
  "bits": "This is in bits: give back nats, without dividing by log 2.",
  "log-likelihood": "The sign is turned round: the loss is minus the mean logarithm, and above 0.",
  "viewed, not transposed": "F.cross_entropy wants the vocabulary as axis 1: swap the logits' last two axes with transpose(1, 2), which no reshape does, or flatten logits and targets alike.",
  "the right tokens' shares for losses": "These are the targets' probabilities: the loss is minus their logarithm.",
  "logits of the targets, no softmax": "These are the targets' logits: take the logarithm of their softmax, as F.cross_entropy does.",
  "gives sum and count": "This is a sum and a count: give back one number, the sum divided by the count.",
  "gives a list of losses": "This is a list of the batches' means: give back one number, the sum of all losses divided by their count.",
  "rounded": "The loss is rounded: give it back with all of its digits.",
  "a whole number": "// leaves out all behind the point: divide with /.",
  "stops at eval mode": "Put the mode back at the end: note model.training before model.eval(), and give it to model.train(…) at the end.",
  "always left in training mode": "The model came in eval mode and is left in training mode: put back the mode in which it came, by model.train(…).",
  "mode put back at the top only": "The parts of the model are left in eval mode: model.train(…) sets them, too, where an assignment to model.training sets the outermost only.",
  "mode put back for the parts only": "The model's own mode is not put back, only its parts': call model.train(…) with it."},
 "calls": {
  "one full batch, a model in eval mode": [["batches", "pad", "vocab", "training"], [2.10344], [
   ["slip 2 left: softmax before cross-entropy", [1.2954, 1.141]],
   ["softmax over the positions before cross-entropy", [1.2023, 1.059]],
   ["slip 3 left: the shift the wrong way round", [3.2797, 2.8888]],
   ["no shift", [3.374, 2.9718]],
   ["no shift, last token left out", [3.6093, 3.1791]],
   ["no shift, first token left out", [3.2048, 2.8229]],
   ["rolled, so that the last row predicts the first token", [1.6935, 1.4917]],
   ["two tokens ahead", [0.77878, 0.68595]],
   ["slips 2 and 3 left", [1.5279, 1.3458]],
   ["pad fixed at 0", [1.6683, 1.4694]],
   ["the median of the losses", [1.1042, 0.97258]],
   ["the sum, not the mean", [24.114, 21.24]],
   ["divided by the number of sequences", [8.038, 7.0799]],
   ["divided by the number of tokens", [1.6076, 1.416]],
   ["divided twice", [0.16746, 0.1475]],
   ["perplexity", [7.8283, 6.8953]],
   ["bits", [2.8991, 2.5535]],
   ["log-likelihood", [-2.0095, -1.77]],
   ["viewed, not transposed", [2.4589, 2.1659]],
   ["the right tokens' shares for losses", [0.32525, 0.28649]],
   ["logits of the targets, no softmax", [-0.15365, -0.13534]],
   ["gives sum and count", [19.12, 19.347, [2]]],
   ["gives a list of losses", [2.0095, 1.77, [1]]],
   ["rounded", [2.0062, 1.7671]],
   ["a whole number", [1.9107, 1.6829]]]],
  "one batch with padding 3": [["batches", "pad", "vocab", "training"], [4.16432], [
   ["slip 4 left: padding counted", [3.4894, 3.0735]],
   ["padding is 0 in the sum, and counted in the mean", [2.4865, 2.1901]],
   ["padding counted in the sum only", [5.583, 4.9176]],
   ["padding judged at the input", [4.1983, 3.6979]],
   ["padding judged at both ends", [4.6245, 4.0733]],
   ["all up to the first padding", [4.8373, 4.2607]],
   ["mean of the sequences' means", [4.178, 3.6801]]]],
  "three batches of different sizes, padding 3": [["batches", "pad", "vocab", "training"], [3.27769], [
   ["slip 5 left: mean of the batches' means", [2.4049, 2.1183]],
   ["means of batches, weighted by their sequences", [1.9811, 1.745]],
   ["means of batches, weighted by their targets with padding", [2.9497, 2.5981]],
   ["means of batches, weighted by their tokens", [2.7075, 2.3848]],
   ["only the last batch", [0.3469, 0.30555]],
   ["count of the last batch only", [37.576, 33.097]],
   ["return in the loop", [3.9783, 3.5042]]]],
  "a model in training mode": [["batches", "pad", "vocab", "training", "start"], [5.56312], []],
  "a model that came in training mode": [["training"], [[1, 1, 1, 1]], [
   ["stops at eval mode", [0, 0]],
   ["mode put back at the top only", [0.95534, 0.84147]],
   ["mode put back for the parts only", [-0.62955, 0.20993]]]],
  "a model that came in eval mode": [["training"], [[0, 0, 0, 0]], [
   ["always left in training mode", [0.32578, 1.0514]]]]}},
 "next-token-probs": {
 "made of": "491008eb4944", "defines": ["next_token_probs"],
 "advice": {
  "temperature forgotten": "The temperature changes nothing: divide the logits by it before the softmax, since after it the division is undone when each row is made to sum to 1.",
  "temperature on the probabilities": "The probabilities are divided by the temperature: divide the logits, before the softmax.",
  "multiplied by the temperature": "The logits are multiplied by the temperature: divide them by it.",
  "divided by the root of the temperature": "The logits are divided by the root of the temperature: divide by the temperature itself.",
  "divided by the temperature twice": "The logits are divided by the temperature twice: once is enough.",
  "a second softmax of the probabilities": "There are two softmaxes: one is enough.",
  "no error": "A temperature of 0 or less must be refused: raise ValueError.",
  "a temperature of 0 takes the largest": "A temperature of 0 must be refused, too: raise ValueError.",
  "only 0 is refused": "A temperature below 0 must be refused, too: raise ValueError for all of 0 or less.",
  "softmax over the rows": "The softmax runs over the first axis: it has to run over the vocabulary, the last one.",
  "softmax over the rows, from the end": "The softmax runs over axis 1: it has to run over the last axis, -1, however many stand in front.",
  "softmax over everything": "All rows together sum to 1: each row has to, so let the softmax run over the last axis alone.",
  "logarithms": "These are logarithms: take softmax, not log_softmax.",
  "logits given back": "These are logits: take their softmax.",
  "shares of the logits": "The logits are divided by their sum: take their softmax.",
  "exponentials, no sum": "These are no probabilities yet: take the softmax, so that each row sums to 1, and sum up what it gives.",
  "sigmoid": "This is a sigmoid: take the softmax over the last axis, so that a row sums to 1.",
  "exponentials overflow": "exp of a large number is infinite: torch's softmax subtracts the row's largest first.",
  "the largest of all is subtracted": "Rows far below the largest number of all give 0 / 0: torch's softmax subtracts each row's own largest.",
  "only row 0": "Only row 0 came back: take the softmax of all rows.",
  "probabilities and places": "These are probabilities and places: give back the probabilities alone.",
  "rounded": "The probabilities are rounded: give them back with all of their digits.",
  "the largest token's number": "These are tokens: give back the probabilities of all tokens.",
  "top_k forgotten": "top_k changes nothing: look for the top_k largest along the last axis, dim=-1, and set all others to −∞, before the softmax.",
  "one token too many": "One token too many is kept: take the k-th largest for the border, and keep what is not smaller.",
  "the k-th goes, too": "Too few tokens are kept: the border is the k-th largest, values[..., -1:] of topk, and only what is smaller than it goes.",
  "smallest kept": "The smallest logits are kept: keep the top_k largest, and set what is smaller to −∞.",
  "as many smallest go": "top_k tokens go: top_k tokens have to stay.",
  "0 for what goes": "Logits are set to 0, which is a logit as any other: set them to −∞.",
  "large negative number, not large enough": "What goes is set to −100, and logits may be far below: set it to −∞.",
  "thousand for infinity": "What goes is set to −1000, and logits may be far below: set it to −∞.",
  "plus infinity": "Logits are set to +∞: what goes is −∞.",
  "top_k not renormalised": "Cut to top_k first and let what is left sum to 1, as it does if logits are set to −∞ before the softmax: only then apply top_p.",
  "one border for the batch": "All rows share one border, the lowest: give each row its own.",
  "the highest border for the batch": "All rows share one high border: each row has its own, so let topk run over dim=-1, and take no maximum over rows.",
  "row 0's border for all": "All rows share the border of row 0: give each row its own.",
  "the k largest of each column": "The k largest of each column are kept: topk has to run over the last axis, dim=-1.",
  "k cut at the first axis": "A row keeps no more tokens than there are sequences: cut top_k at the size of the vocabulary, logits.shape[-1].",
  "only k numbers": "Only the kept numbers came back, the largest first: leave all tokens in their places, and set those that go to −∞.",
  "sorted, and left so": "The tokens are left in another order, the largest first: put them back in the order of the vocabulary.",
  "the first k tokens": "The first k of the vocabulary are kept: keep the k largest.",
  "places for values": "Logits are compared with a place: the border is a value, topk(…).values.",
  "top_k before temperature, border not divided": "Logits that were divided by the temperature are compared with a border that was not: divide first, then look for the border.",
  "top_p forgotten": "top_p changes nothing: keep the smallest set of the most probable tokens whose sum is at least top_p.",
  "either top_k or top_p": "With both settings, top_p does nothing: apply it to what top_k has left.",
  "crossing token dropped": "The token that crosses the border is dropped: keep a token if the sum of those before it is less than top_p.",
  "one past the border": "One token too many is kept: the one that crosses the border is the last that stays.",
  "not put back": "The probabilities are left in the order of their size: put them back to their places, with scatter.",
  "put back by gather": "gather(-1, places) sorts once more: to put values back to their places, take scatter(-1, places, kept).",
  "mask not put back": "The mask of the sorted tokens is used on the unsorted ones: put it back in the order of the vocabulary, with scatter.",
  "not renormalised": "What is left doesn't sum to 1: divide each row by its sum.",
  "divided by top_p": "Each row is divided by top_p: divide it by the sum of what is left, which is mostly more.",
  "divided by the sum of all rows": "All rows together sum to 1: divide each row by its own sum, over the last axis.",
  "divided by the columns' sums": "The columns are divided by their sums: divide each row by its own, over the last axis.",
  "a softmax to renormalise": "A softmax of probabilities is no share of them, and what was 0 comes back: divide each row by its sum.",
  "a softmax over what is not 0": "A softmax of probabilities is no share of them: divide each row by its sum.",
  "row 0's set size for all": "All rows keep as many tokens as row 0: each has its own border.",
  "the largest set size for all": "All rows keep as many tokens as the row that keeps most: each has its own border.",
  "one sum for all rows": "One border is drawn through all rows together: each row has its own, so sort and sum over the last axis.",
  "sums over the rows": "The sums run down the columns: cumsum has to run over the last axis.",
  "sorted along the rows": "The sort runs down the columns: sort along the last axis, since a border belongs to a row.",
  "the smallest first": "The least probable tokens are kept: sort the largest first, descending=True.",
  "not sorted": "The tokens are taken in the order of the vocabulary: sort them first, the most probable first.",
  "a least probability": "Each probability is compared with 1 − top_p: compare the sum of those before it with top_p.",
  "each probability compared": "Each probability is compared with top_p: compare the sum of those before it.",
  "more than top_p kept": "Only what is above top_p by itself is kept: compare the sum of those before it with top_p, and keep where it is less.",
  "the rest kept": "What should go is kept: keep a token if the sum of those before it is less than top_p.",
  "top_p of the larger set": "A token stays if either setting keeps it: cut to top_k first, and of what is left keep the set of top_p.",
  "temperature last": "The temperature comes last: divide the logits by it first, before top_k and top_p choose.",
  "percent": "The sums are compared in percent: top_p is a share, at most 1."},
 "calls": {
  "two axes in front, nothing set": [["logits"], [[[[0.0938445, 0.380558, 0.126677, 0.00382531, 0.255096, 0.14], [0.0832576, 0.0226904, 0.830427, 0.0137624, 0.0124527, 0.0374101]], [[0.130791, 0.0968926, 0.0160162, 0.0649491, 0.0435367, 0.647814], [0.0156591, 0.127875, 0.156186, 0.384156, 0.0315335, 0.28459]], [[0.230772, 0.154691, 0.13997, 0.208811, 0.18894, 0.0768172], [0.296393, 0.0598406, 0.109037, 0.442166, 0.0892717, 0.00329263]], [[0.00717868, 0.872285, 0.0479959, 0.0355563, 0.00481202, 0.0321726], [0.14568, 0.0397025, 0.0119582, 0.534544, 0.265447, 0.00266823]]]], [
   ["a second softmax of the probabilities", [0.068582, 0.060506]],
   ["softmax over the rows", [0.088286, -1.2485]],
   ["softmax over the rows, from the end", [-0.10166, -0.50546]],
   ["softmax over everything", [-0.1297, -0.32979]],
   ["logarithms", [-6.3167, -10.148]],
   ["logits given back", [3.6296, -10.536]],
   ["shares of the logits", [-4.5773, -9.8981]],
   ["exponentials, no sum", [-525.87, -1337.1]],
   ["sigmoid", [-1.053, -1.0842]],
   ["only row 0", [0.087621, 0.25972, [1, 2, 6]]],
   ["probabilities and places", [-14.064, -26.181, [2, 4, 2, 6]]],
   ["rounded", [0.17817, -0.40792]],
   ["the largest token's number", [-2.3213, -1.9964, [4, 2]]]]],
  "two axes in front, temperature 2": [["logits"], [[[[0.137977, 0.277851, 0.160306, 0.027857, 0.227485, 0.168525], [0.162764, 0.0849702, 0.51404, 0.0661749, 0.0629475, 0.109104]], [[0.174892, 0.150531, 0.0612012, 0.123244, 0.100904, 0.389229], [0.0566538, 0.161897, 0.178924, 0.280608, 0.0803956, 0.241522]], [[0.198785, 0.162752, 0.154814, 0.189091, 0.179869, 0.114689], [0.254358, 0.11429, 0.154276, 0.310673, 0.139594, 0.0268091]], [[0.0505813, 0.557566, 0.130789, 0.112571, 0.0414125, 0.107081], [0.191965, 0.100214, 0.0549989, 0.367717, 0.259126, 0.0259796]]]], [
   ["temperature forgotten", [0.20041, -0.40998]],
   ["temperature on the probabilities", [0.1002, -0.20499]],
   ["multiplied by the temperature", [0.50863, -0.34206]],
   ["divided by the root of the temperature", [0.031923, -0.35151]],
   ["divided by the temperature twice", [-0.13797, -0.054786]]]],
  "logits of ±10000": [["logits", "temperature"], [[[[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]], [[0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0]], [[1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]], [[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]]], [
   ["exponentials overflow", [-3247.7, -912.84]],
   ["the largest of all is subtracted", [-829.39, 1248.5]]]],
  "temperature 0.5: squares of 0.2, 0.5 and 0.3": [["logits", "temperature"], [[[0.105263, 0.657895, 0.236842], [0.0136054, 0.00340136, 0.982993]]], []],
  "temperature 0": [["logits", "temperature"], "ValueError", [
   ["no error", [-0.86317, -0.091432, [2, 3]]],
   ["no error", [154.81, 221.6, [2, 3]]],
   ["a temperature of 0 takes the largest", [-1.2272, -0.22407, [2, 3]]]]],
  "temperature −1": [["logits"], "ValueError", [
   ["only 0 is refused", [0.72025, 0.041934, [2, 3]]],
   ["only 0 is refused", [-0.86317, -0.091432, [2, 3]]]]],
  "top_k = 2, of 6 tokens": [["logits"], [[[[0, 0.598688, 0, 0, 0.401312, 0], [0.091123, 0, 0.908877, 0, 0, 0]], [[0.167982, 0, 0, 0, 0, 0.832018], [0, 0, 0, 0.574443, 0, 0.425557]], [[0.524979, 0, 0, 0.475021, 0, 0], [0.401312, 0, 0, 0.598688, 0, 0]], [[0, 0.947846, 0.0521536, 0, 0, 0], [0, 0, 0, 0.668188, 0.331812, 0]]]], [
   ["a second softmax of the probabilities", [0.055112, 0.035812]],
   ["a second softmax of the probabilities", [-0.3559, -0.26477]],
   ["softmax over the rows", [-19.654, -746.22]],
   ["softmax over the rows, from the end", [-1267.3, 3711.6]],
   ["softmax over everything", [-0.11033, -0.65793]],
   ["logarithms", [-1501.2, -1144.6]],
   ["logits given back", [-1515.1, -1162.1]],
   ["shares of the logits", [1170.7, 888.7]],
   ["exponentials, no sum", [-301.12, -1795.7]],
   ["sigmoid", [-2.4225, -1.9783]],
   ["only row 0", [0.19578, 0.17192, [1, 2, 6]]],
   ["probabilities and places", [-0.68894, -5.9663, [2, 4, 2, 6]]],
   ["rounded", [0.1717, -0.52265]],
   ["the largest token's number", [-2.3213, -1.9964, [4, 2]]],
   ["top_k forgotten", [0.20041, -0.40998]],
   ["one token too many", [-0.42737, -0.34886]],
   ["the k-th goes, too", [0.21315, -0.81958]],
   ["smallest kept", [2.1352, 1.3256]],
   ["smallest kept", [-1.111, -0.061628]],
   ["as many smallest go", [-0.1712, -0.26997]],
   ["0 for what goes", [-0.8595, -1.7509]],
   ["plus infinity", [-34.955, 828.19]],
   ["top_k not renormalised", [0.5155, -0.35882]],
   ["one border for the batch", [0.49521, -0.036617]],
   ["the highest border for the batch", [-829.39, 1248.7]],
   ["row 0's border for all", [-518.61, 168.85]],
   ["the k largest of each column", [-518.69, 168.57]],
   ["only k numbers", [0.60359, -0.30817, [4, 2, 2]]],
   ["sorted, and left so", [-0.48779, 1.555]],
   ["the first k tokens", [-0.42119, 0.10335]],
   ["places for values", [-1371.7, 166.8]]]],
  "temperature 2, top_k = 3": [["logits", "temperature", "top_k"], [[[[0, 0.412327, 0, 0, 0.337585, 0.250089], [0.207103, 0, 0.654072, 0, 0, 0.138825]], [[0.244723, 0.210635, 0, 0, 0, 0.544642], [0, 0, 0.255221, 0.400266, 0, 0.344512]], [[0.350132, 0, 0, 0.333056, 0.316812, 0], [0.353615, 0, 0.214478, 0.431906, 0, 0]], [[0, 0.696153, 0.163297, 0.140551, 0, 0], [0.234445, 0, 0, 0.449088, 0.316467, 0]]]], [
   ["temperature forgotten", [-0.42737, -0.34886]],
   ["temperature on the probabilities", [-0.21369, -0.17443]],
   ["multiplied by the temperature", [0.12272, -0.34888]],
   ["divided by the root of the temperature", [-0.76467, -0.28898]],
   ["divided by the temperature twice", [-1.5244, -0.029709]],
   ["top_k before temperature, border not divided", [-213.86, -644.66]]]],
  "top_k = 1, logits down to −10000": [["logits"], [[[[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]], [[0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0]], [[1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]], [[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]]], [
   ["exponentials overflow", [-34.955, 828.19]],
   ["the largest of all is subtracted", [-829.39, 1248.5]],
   ["large negative number, not large enough", [-0.051627, 0.37709]],
   ["thousand for infinity", [-0.40964, -0.50129]]]],
  "top_k = 2: 0.2, 0.5 and 0.3": [["logits"], [[[0, 0.625, 0.375], [0.105263, 0, 0.894737]]], []],
  "top_k = 8, of 3 tokens": [["logits"], [[[0.2, 0.5, 0.3], [0.1, 0.05, 0.85]]], [
   ["k cut at the first axis", [-1.237, -0.2895]]]],
  "top_p = 0.7, of 6 tokens": [["logits", "temperature", "top_k", "top_p"], [[[[0, 0.490629, 0, 0, 0.328879, 0.180492], [0, 0, 1, 0, 0, 0]], [[0.167982, 0, 0, 0, 0, 0.832018], [0, 0, 0.189332, 0.465682, 0, 0.344986]], [[0.294647, 0.197508, 0, 0.266608, 0.241237, 0], [0.401312, 0, 0, 0.598688, 0, 0]], [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0.668188, 0.331812, 0]]]], [
   ["a second softmax of the probabilities", [-0.51055, -0.4781]],
   ["softmax over the rows", [-0.74747, -0.41076]],
   ["softmax over the rows, from the end", [0.69618, -1.6784]],
   ["softmax over everything", [0.056704, -0.6006]],
   ["logarithms", [0.41752, 0.53176]],
   ["logits given back", [3.6296, -10.536]],
   ["shares of the logits", [-0.74182, -2.5202]],
   ["exponentials, no sum", [-0.27349, -1.2827]],
   ["sigmoid", [-0.27986, -1.2897]],
   ["only row 0", [0.10951, 0.20353, [1, 2, 6]]],
   ["probabilities and places", [-3.0558, -6.078, [2, 4, 2, 6]]],
   ["rounded", [0.25212, -0.073919]],
   ["the largest token's number", [-2.3213, -1.9964, [4, 2]]],
   ["top_p forgotten", [0.20041, -0.40998]],
   ["crossing token dropped", [1484.1, 980.63]],
   ["crossing token dropped", [0.85103, -0.42125]],
   ["one past the border", [0.031158, -0.3168]],
   ["not put back", [-0.95249, 1.4181]],
   ["put back by gather", [1.0288, -2.1128]],
   ["mask not put back", [-2.0934, 1.7782]],
   ["not renormalised", [0.23717, -0.18855]],
   ["divided by top_p", [0.33881, -0.26935]],
   ["divided by the sum of all rows", [0.037036, -0.029443]],
   ["divided by the columns' sums", [24.991, -844.6]],
   ["a softmax to renormalise", [0.069735, 0.099579]],
   ["a softmax over what is not 0", [0.084576, -0.061025]],
   ["row 0's set size for all", [-0.42737, -0.34886]],
   ["the largest set size for all", [-0.1712, -0.26997]],
   ["one sum for all rows", [238.3, -410.47]],
   ["sums over the rows", [-1.5138, 1.2515]],
   ["sums over the rows", [-0.34167, -0.066658]],
   ["sorted along the rows", [-0.072242, -0.57684]],
   ["the smallest first", [0.41745, -0.30108]],
   ["not sorted", [0.75385, -0.61967]],
   ["a least probability", [-191.95, -380.57]],
   ["each probability compared", [-0.96307, 0.77096]],
   ["more than top_p kept", [-1518.2, -152.87]],
   ["the rest kept", [-0.11839, -0.5179]],
   ["percent", [0.21315, -0.81958]]]],
  "temperature 2, then top_p = 0.6": [["logits", "temperature"], [[[[0, 0.412327, 0, 0, 0.337585, 0.250089], [0.240489, 0, 0.759511, 0, 0, 0]], [[0.244723, 0.210635, 0, 0, 0, 0.544641], [0, 0, 0.255221, 0.400266, 0, 0.344512]], [[0.272124, 0.222796, 0, 0.258852, 0.246228, 0], [0.353615, 0, 0.214478, 0.431906, 0, 0]], [[0, 0.809998, 0.190002, 0, 0, 0], [0, 0, 0, 0.586618, 0.413382, 0]]]], [
   ["temperature forgotten", [0.27183, -0.27145]],
   ["temperature on the probabilities", [0.20041, -0.40998]],
   ["multiplied by the temperature", [0.74156, -0.4263]],
   ["divided by the root of the temperature", [0.17946, -0.067385]],
   ["divided by the temperature twice", [-1.2547, 0.15463]],
   ["temperature last", [0.21136, -0.22222]]]],
  "top_k = 3, then top_p = 0.8": [["logits"], [[[[0, 0.598688, 0, 0, 0.401312, 0], [0, 0, 1, 0, 0, 0]], [[0.167982, 0, 0, 0, 0, 0.832018], [0, 0, 0, 0.574443, 0, 0.425557]], [[0.367165, 0, 0, 0.332225, 0.30061, 0], [0.401312, 0, 0, 0.598688, 0, 0]], [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0.668188, 0.331812, 0]]]], [
   ["top_k forgotten", [0.080248, -0.57131]],
   ["one token too many", [-0.12109, -0.44073]],
   ["the k-th goes, too", [0.24775, -0.45062]],
   ["smallest kept", [1.5165, -0.23181]],
   ["the k-th goes, too", [0.21315, -0.81958]],
   ["0 for what goes", [-1.4554, -1.612]],
   ["plus infinity", [-34.955, 828.19]],
   ["top_k not renormalised", [-0.25918, -0.50722]],
   ["top_k not renormalised", [-0.11824, -0.35419]],
   ["one border for the batch", [0.21808, -0.3624]],
   ["the highest border for the batch", [-829.39, 1248.7]],
   ["row 0's border for all", [-518.66, 168.62]],
   ["the k largest of each column", [-518.96, 168.51]],
   ["only k numbers", [1.2862, 0.051159, [4, 2, 3]]],
   ["sorted, and left so", [-0.29285, 1.4631]],
   ["the first k tokens", [-0.80478, -0.77257]],
   ["places for values", [-6.1685, 498.14]],
   ["either top_k or top_p", [-0.42737, -0.34886]],
   ["top_p of the larger set", [-0.087945, -0.41295]]]],
  "top_p = 0.7: 0.2, 0.5 and 0.3": [["logits"], [[[0, 0.625, 0.375], [0, 0, 1]]], []],
  "top_p = 0.01 keeps one": [["logits"], [[[0, 1, 0], [0, 0, 1]]], []],
  "top_p = 1 keeps all": [["logits"], [[[0.2, 0.5, 0.3], [0.1, 0.05, 0.85]]], []]}},
 "generate": {
 "made of": "e4526529d2e9", "defines": ["generate"],
 "advice": {
  "context kept at the front": "The model sees the first tokens: give it the last ones, tokens[:, -context:].",
  "cut one too short": "The model sees a token too few: give it the last context tokens, tokens[:, -context:].",
  "the last token only": "The model sees the last token alone: give it the last context tokens, tokens[:, -context:].",
  "the prompt cut once": "The text itself is cut: cut what the model sees, and keep all tokens to give back.",
  "first position's logits": "The first row of the logits is taken: the last one, [:, -1], says what comes next.",
  "last position but one": "The last row but one is taken: the last one, [:, -1], says what comes next.",
  "all rows averaged": "The rows of the logits are averaged: take the last one, [:, -1].",
  "last token of the vocabulary": "[..., -1] takes the last token of the vocabulary at each place: the last row is [:, -1].",
  "row 0's probabilities for all": "All sequences draw from the probabilities of sequence 0: let each draw from its own row.",
  "mean probabilities for all": "All sequences draw from the mean of their probabilities: let each draw from its own row.",
  "all new tokens of one call": "All new tokens are drawn at once: ask the model again after each one.",
  "noise added to the probabilities": "Noise is added to the probabilities: Gumbel noise belongs to their logarithms.",
  "multinomial of the logits": "The draw goes by the logits: draw from the probabilities that next_token_probs makes of them.",
  "softmax over the batch": "The probabilities run along the batch: give next_token_probs the logits as they are, (batch, vocab).",
  "only the new tokens": "Only the new tokens came back: give back the prompt in front of them.",
  "only the last token": "Only the last token came back: give back the prompt and all new tokens.",
  "new tokens in front": "New tokens stand in front of the prompt: append them, torch.cat([tokens, drawn], dim=1).",
  "one token too many": "There is a new token too many: range(new_tokens) runs new_tokens times.",
  "one token too few": "There is a new token too few: range(new_tokens) runs new_tokens times.",
  "up to a length": "The text stops at new_tokens tokens, the prompt among them: append new_tokens to the prompt.",
  "return in the loop": "There is one new token only: the return stands inside the loop.",
  "the first sequence only": "Only sequence 0 came back: give back all of them.",
  "the prompt rolls through a window": "The model sees only as many tokens as the prompt has: give it the last context tokens of the text, and write nothing into the prompt."},
 "calls": {
  "top_k = 1, 5 new tokens": [[], [[[1, 2, 4, 3, 1, 6, 0, 0], [4, 0, 6, 1, 5, 2, 0, 0]]], [
   ["the last token only", [8.2214, -3.5442]],
   ["first position's logits", [3.1365, -4.2045]],
   ["last position but one", [6.276, -2.3862]],
   ["all rows averaged", [1.8322, 0.77648]],
   ["last token of the vocabulary", [3.9416, -9.646]],
   ["row 0's probabilities for all", [-7.2954, -3.9622]],
   ["mean probabilities for all", [-2.3987, -6.2698]],
   ["all new tokens of one call", [1.7897, -4.9548]],
   ["noise added to the probabilities", [2.8662, -13.105]],
   ["multinomial of the logits", [-6.9934, -4.6032]],
   ["softmax over the batch", [6.0761, -5.2638]],
   ["only the new tokens", [-3.9602, 0.48588, [2, 5]]],
   ["only the last token", [0, 0, [2, 1]]],
   ["new tokens in front", [14.274, 4.7351]],
   ["one token too many", [-7.4307, 5.7342, [2, 9]]],
   ["one token too few", [-3.3651, 0.73892, [2, 7]]],
   ["up to a length", [-3.0592, -3.9135, [2, 5]]],
   ["return in the loop", [-0.54668, 1.9437, [2, 4]]],
   ["the first sequence only", [-5.5473, -0.10007, [8]]],
   ["the prompt rolls through a window", [3.1951, -11.333]]]],
  "top_k = 1, and a context of 2": [[], [[[1, 2, 4, 3, 3, 2, 0, 2], [4, 0, 6, 5, 2, 2, 6, 0]]], [
   ["context kept at the front", [7.0015, -4.0568]],
   ["cut one too short", [8.2214, -3.5442]],
   ["the prompt cut once", [-3.1735, 5.014, [2, 7]]],
   ["the prompt cut once", [5.5911, -1.781, [2, 3]]]]],
  "no new token": [[], [[[1, 2, 4], [4, 0, 6]]], []]}},
 "prefix-matching-score": {
 "made of": "ae5f61e11cbd", "defines": ["prefix_matching_score"],
 "advice": {
  "the copy itself": "This is the attention to the copies themselves: move the matches one column to the right, so that key j stands after a copy.",
  "the copy itself, and the query's own place": "This is the attention to copies of the token, the query itself among them: move the matches one column to the right, so that key j stands after a copy.",
  "the token before the copy": "The matches moved to the left, to the token before a copy: move them one column to the right.",
  "the token before the copy, rolled": "roll moves the matches to the left and brings column 0 round to the end: move them one column to the right, with nothing in column 0.",
  "the token before an earlier copy alone": "The matches moved to the left, to the token before an earlier copy: move them one column to the right.",
  "two places after the copy": "The matches moved by two columns: move them one column to the right, to the key right after a copy.",
  "rolled, with column 0 brought round": "Key 0 has no token before it: put nothing into column 0 (roll brings the last token there).",
  "column 0 always a match": "Key 0 has no token before it: column 0 of the matches is False for all queries.",
  "queries moved in place of keys": "The matches moved down, along the queries: move them to the right, along the keys, the last axis.",
  "queries moved up": "The matches moved up, along the queries: move them to the right, along the keys, the last axis.",
  "both moved: the same predecessor": "Keys whose predecessor is the query's predecessor were taken: compare it with the query's own token, and move the keys alone.",
  "upper triangle": "All scores are 0: in weights and matches, row i is the query and column j ≤ i the key (tril), a match if the token before j is the query's.",
  "the future kept": "Queries without a match count, too: a match must not lie in the future (tril, after the move to the right), and only queries that have one count.",
  "tril before the move, the diagonal cut off": "Key j = i is missing: if the same token stands right before the query, place i is a match as well, so keep the diagonal.",
  "the own place left out of the mass alone": "Key j = i is missing from the sums: if the same token stands right before the query, its weight there counts as well.",
  "tril of the queries alone": "Weights above the diagonal were added: keep only the keys j ≤ i, with tril().",
  "nearest match only": "Only the last match of each query counts: add up the weights of all its matches.",
  "first match only": "Only one match of each query counts, the first or the largest: add up the weights of all its matches.",
  "mean of the matches' weights": "The mass is the mean over a query's matches: it has to be their sum.",
  "mean over all keys": "The mass is divided by seq: sum over the keys, and divide by the number of queries with a match alone.",
  "product with the number of matches": "Queries with more matches weigh more: multiply nothing by their number.",
  "the largest weight hits a match": "Each query counts 1 or 0, by where its largest weight lies: add up the weights of the matches.",
  "a query counts if its mass is above a half": "Each query counts 1 or 0, by whether its mass is above a half: take the mean of the masses themselves.",
  "mean over all queries but the first": "The divisor is twice as large as it should be: divide once, by the number of queries with a match.",
  "mean over matches": "The sum is divided by too large a number: count each query with a match once, with any(dim=-1).",
  "not divided": "The sum is not divided, or by too small a number: divide by the number of queries with a match, in all sequences.",
  "mean of the sequences' means": "Each sequence has a mean of its own: divide once, the sum over all sequences by the number of all queries with a match.",
  "queries without attention to a match left out": "Queries with little mass are left out of the mean: all that have a match count, whatever their mass.",
  "NaN": "No query has a match, and 0 / 0 is NaN: keep the count from being 0, with clamp(min=1).",
  "1 if there are none": "If no query has a match, every head's score is 0.",
  "one 0 for all heads if there are none": "Without a match, there is still one 0 for each head: give back torch.zeros(num_heads), or divide by at least 1.",
  "divided by the queries of sequence 0": "Only the queries of sequence 0 are counted: count those of all sequences.",
  "matches of sequence 0 for all": "Every sequence got the matches of sequence 0: each has tokens of its own.",
  "sequence 0 alone": "Only sequence 0 counts: take the mean over the queries of all sequences.",
  "the last sequence alone": "Only the last sequence counts: take the mean over the queries of all sequences.",
  "the tokens of all sequences compared": "Every sequence is compared with sequence 0: compare each with itself.",
  "the last query alone": "Only the last query counts: take the mean over all queries with a match.",
  "one score for all heads": "The heads were added up: sum over the sequences and queries alone, dim=(0, 2).",
  "one mean for all heads": "The heads were averaged: each has a score of its own.",
  "a score for each sequence": "Each sequence has a score of its own: sum over the sequences, too, before you divide.",
  "a score for each query": "Each query has a score of its own: sum over the queries, too, before you divide.",
  "head axis summed": "The heads were added up and the queries kept: sum over axes 0 and 2.",
  "the masses themselves": "These are the masses: take their mean over the queries with a match, and over the sequences.",
  "rounded": "The scores are rounded: keep all of their digits.",
  "in percent": "The scores are in percent: they lie between 0 and 1.",
  "the share that goes elsewhere": "This is 1 minus the score: the share of attention that goes to the matches counts.",
  "renormalised over the earlier keys": "The weights were divided by their sum without key 0: take them as they are.",
  "softmax once more": "The weights went through softmax once more: they are weights already, so take them as they are.",
  "square of the weights": "The weights are squared: add them up as they are.",
  "previous-token score": "This looks at the token just before each query: the keys to look at depend on the tokens, so find those that stand after a copy.",
  "attention to any earlier token": "All earlier keys of a query with a match count: add up the weights of the matches alone.",
  "4 heads, hard-coded": "There are always four scores: the number of heads is weights.shape[1]."},
 "calls": {
  "A B A C A, as in the text": [["weights", "tokens"], [[0.648181, 0.224743, 0.254209]], [
   ["the copy itself", [-0.15277, -0.018365]],
   ["the copy itself, and the query's own place", [-0.25361, -0.041132]],
   ["the token before the copy", [0.10069, 0.20733]],
   ["the token before the copy, rolled", [0.099869, 0.21836]],
   ["the token before an earlier copy alone", [0.059118, 0.10006]],
   ["two places after the copy", [-0.54687, -0.27779]],
   ["rolled, with column 0 brought round", [0.055673, 0.23765]],
   ["column 0 always a match", [-0.080245, 0.12875]],
   ["queries moved in place of keys", [-0.016636, 0.1324]],
   ["queries moved up", [-0.31382, -0.03468]],
   ["both moved: the same predecessor", [-0.23067, -0.095769]],
   ["both moved: the same predecessor", [-0.2691, -0.16169]],
   ["upper triangle", [0, 0]],
   ["the future kept", [0.12404, 0.1398]],
   ["nearest match only", [0.28055, 0.29947]],
   ["first match only", [0.33854, 0.3609]],
   ["mean of the matches' weights", [0.30955, 0.33018]],
   ["mean over all keys", [0.062022, 0.0699]],
   ["product with the number of matches", [0.31124, 0.38813]],
   ["the largest weight hits a match", [0.53129, 0.52584]],
   ["a query counts if its mass is above a half", [0.47767, 0.42074]],
   ["mean over all queries but the first", [0.15506, 0.17475]],
   ["mean over matches", [0.20674, 0.233]],
   ["not divided", [0.62022, 0.699]],
   ["queries without attention to a match left out", [0.00099038, 0.15357]],
   ["the last query alone", [0.0022521, 0.077265]],
   ["one score for all heads", [1.0768, 0.94845, []]],
   ["one mean for all heads", [0.35893, 0.31615, []]],
   ["a score for each sequence", [0.31011, 0.3495, [1, 3]]],
   ["a score for each query", [0.068564, -0.71809, [3, 5]]],
   ["head axis summed", [-0.16389, -0.74698, [5]]],
   ["the masses themselves", [0.068564, -0.71809, [1, 3, 5]]],
   ["rounded", [0.31739, 0.35444]],
   ["in percent", [31.011, 34.95]],
   ["the share that goes elsewhere", [-0.61902, -0.29704]],
   ["renormalised over the earlier keys", [0.31729, 0.36641]],
   ["softmax once more", [0.0079527, 0.098799]],
   ["square of the weights", [0.32067, 0.30315]],
   ["previous-token score", [0.085909, 0.18232]],
   ["attention to any earlier token", [0.15734, 0.33114]],
   ["4 heads, hard-coded", [0.31011, 0.3495, [4]]]]],
  "2 sequences, tokens twice in a row": [["weights", "tokens"], [[0.438238, 0.331315, 0.521641]], [
   ["tril before the move, the diagonal cut off", [-0.24442, -0.10554]],
   ["the own place left out of the mass alone", [-0.2095, -0.090461]],
   ["mean of the sequences' means", [-0.18536, -0.022065]],
   ["divided by the queries of sequence 0", [-0.28283, -0.022388]],
   ["matches of sequence 0 for all", [-0.14675, -0.015575]],
   ["sequence 0 alone", [-0.019143, 0.042838]],
   ["the last sequence alone", [-0.35158, -0.086969]],
   ["the tokens of all sequences compared", [-0.12085, -0.0069419]]]],
  "one query alone has a match": [["weights", "tokens"], [[0.0147653, 0.245032]], []],
  "no token comes again": [["weights", "tokens"], [[0, 0, 0, 0]], [
   ["NaN", [253.13, 816.94]],
   ["1 if there are none", [0.32578, 1.0514]],
   ["one 0 for all heads if there are none", [0, 0, []]]]],
  "3 sequences, one of them without a match": [["weights", "tokens"], [[0.556303, 0.195117]], [
   ["tril of the queries alone", [1.5286, 1.8048]]]]}},
 "ov-circuit": {
 "made of": "691ebdb527b0", "defines": ["copying_score", "ov_circuit"],
 "advice": {
  "turned": "The circuit is turned: the row is the token that is looked at (embed), the column the one whose logit rises (unembed).",
  "embed twice": "The embedding stands at both ends: the last factor is unembed, turned.",
  "unembed twice": "The unembedding stands at both ends: the first factor is embed.",
  "embed and unembed exchanged": "embed and unembed have changed places: embed comes first, unembed last.",
  "always head 0": "Head 0 was taken: heads are counted from 0, and the numbers of `head` begin at head · size.",
  "always the last head": "The last head was taken, whatever head was asked for: end at (head + 1) · size.",
  "heads counted from the end": "The head was counted from the end: head 0 has the first rows of v_weight.",
  "the next head": "No head, or the next one, was taken: its numbers run from head · size to (head + 1) · size.",
  "interleaved": "Every num_heads-th number was taken: a head's numbers lie side by side, from head · size on.",
  "every size-th": "Numbers with gaps of `size` were taken: a head's numbers lie side by side, from head · size on.",
  "from the head's number on": "The head's numbers begin at head · size, not at head.",
  "from the head's number to the right end": "The slice begins at `head`: it begins at head · size.",
  "from there to the end": "All numbers from the head's first one on were taken: end at (head + 1) · size.",
  "up to there": "All heads up to this one were taken: begin at head · size.",
  "one number of the head": "Only the head's first number was taken: it has hidden // num_heads of them.",
  "the last number left out": "The last of the head's numbers is missing: the end of a slice isn't part of it.",
  "one number too many": "One number too many was taken: the end of a slice isn't part of it, so it is (head + 1) · size.",
  "begin and length": "All numbers are 0: the head's rows and columns run from head · size to (head + 1) · size, and size is hidden // num_heads.",
  "all heads": "All heads are in this circuit: take this head's rows of v_weight and its columns of mix_weight.",
  "all heads but this one": "These are all heads but this one: take its rows and columns alone.",
  "head of the size of d_model": "The head's size was taken from d_model: it is hidden // num_heads, and hidden is v_weight.shape[0].",
  "two heads, hard-coded": "There are always two heads: divide hidden by num_heads.",
  "values of head 0": "The values are head 0's: take this head's rows of v_weight.",
  "mix of head 0": "mix's columns are head 0's: take this head's.",
  "scaled": "The circuit is divided by √size: that belongs to the scores of queries and keys, and there are none here.",
  "heads as long as there are heads": "A head has hidden // num_heads numbers, not num_heads: that is how many rows of v_weight are its own.",
  "divided by the number of heads": "The circuit is divided by num_heads: take the product as it is.",
  "the direct path added": "The direct path embed @ unembed.T was added: the circuit is of the head alone.",
  "softmax": "These are probabilities: the circuit is a table of changes of logits, without softmax.",
  "largest 0": "Negative numbers are 0: a head may lower a logit, so keep them.",
  "absolute changes": "All numbers are positive: a head may lower a logit, so keep the signs.",
  "without the unembedding's effect: the direct path alone": "The head is missing: v_weight's rows and mix_weight's columns stand between embed and unembed.",
  "mix's columns forgotten, values compared": "The values' rows stand on both sides: after them come the head's columns of mix_weight.",
  "mix on both sides": "mix_weight stands on both sides: the values' rows, turned, come first.",
  "values and mix exchanged": "v_weight and mix_weight have changed places: the values come right after embed.",
  "what the head reads": "This is each token's value: mix_weight and unembed are still to come.",
  "what the head writes": "This is what the head writes: the product with unembed, turned, is missing.",
  "the OV matrix alone": "This is the product of values and mix alone: embed comes before it, unembed, turned, after it.",
  "the diagonal alone": "Only the diagonal came back: give back the whole table.",
  "the mean of rows taken off": "Each row's mean was subtracted: give back the product as it is.",
  "embeddings of length 1": "The embeddings were made as long as 1: take them as they are.",
  "rounded": "The numbers are rounded: keep all of their digits.",
  "reshaped in place of turned: the values": "A reshape of the values' rows keeps the order of the numbers: turn them with .T.",
  "reshaped in place of turned: mix": "A reshape of mix's columns keeps the order of the numbers: turn them with .T.",
  "reshaped in place of turned: the unembedding": "A reshape of unembed keeps the order of the numbers: turn it with .T.",
  "singular values": "The score is 1 as all parts are positive: take eigenvalues (not singular values), and their real parts with their signs.",
  "eigvalsh": "eigvalsh reads one half of the matrix and takes it for symmetric: use torch.linalg.eigvals.",
  "made symmetric": "The matrix was made symmetric: take the eigenvalues of the circuit as it is.",
  "absolute real parts above": "The real parts lost their signs: add them up as they are.",
  "absolute real parts below": "Below stand the real parts alone: the length of an eigenvalue has its imaginary part in it, values.abs().",
  "absolute value of the score": "The score lost its sign: −1 says that the head speaks against what it sees.",
  "divided by the sum's own size": "The score is ±1: divide, with /, by the sum of the absolute values, not by the absolute value of the sum.",
  "upside down": "The fraction is upside down: the real parts stand above, the absolute values below.",
  "the trace alone": "This is the sum of the real parts: divide it by the sum of the absolute values.",
  "the absolute values alone": "This is the sum of the absolute values: it stands below the fraction.",
  "mean of the real parts": "This is the mean of the real parts: divide their sum by the sum of the absolute values.",
  "sum over mean": "Above stands a sum and below a mean: take sums of both.",
  "mean over sum": "Above stands a mean and below a sum: take sums of both.",
  "mean of the fractions": "This is the mean of each eigenvalue's own fraction: add up above and below, and divide once.",
  "sum of the fractions": "Each eigenvalue was divided by itself: add up above and below, and divide once.",
  "share of positive eigenvalues": "This is the share of eigenvalues that are positive: their sizes count, too.",
  "signs alone": "Only the signs of the real parts count: add up the real parts themselves, and divide by the sum of the absolute values.",
  "imaginary parts": "These are imaginary parts: above stand the real ones.",
  "lengths squared": "Below stand squares: the absolute value is the root of them, values.abs().",
  "real and imaginary parts added": "The size of a complex number is the root of the sum of squares, not the sum of its parts: use values.abs().",
  "root of the sum of squares": "Below stands one root of the sum of all squares: add up the absolute values.",
  "the largest alone below": "Below stands the largest alone: add up all absolute values.",
  "the largest alone": "Only the largest eigenvalue counts: add up all of them.",
  "the diagonal in place of eigenvalues": "Below stand the diagonal's absolute values: take those of the eigenvalues.",
  "the diagonal against the whole table": "Below stand all entries of the table: take the eigenvalues' absolute values.",
  "the nuclear norm below": "Below stand singular values: take the eigenvalues' absolute values.",
  "Frobenius norm below": "Below stands the norm of the table: add up the eigenvalues' absolute values.",
  "all numbers": "These are sums over the table's own numbers: take its eigenvalues.",
  "the share of rows whose diagonal is largest": "The score is 0: above stands the sum of the eigenvalues' real parts, since the imaginary ones cancel out.",
  "of the whole, doubled": "The score is too large by a factor of 2.",
  "a score of its own for each": "Each eigenvalue has a score of its own: add up above and below, and divide once.",
  "the eigenvalues": "These are the eigenvalues' real parts: add them up, and divide by the sum of the absolute values.",
  "a rounded score": "The score is rounded: keep all of its digits.",
  "1 minus": "This is 1 minus the score.",
  "between 0 and 1": "The score was moved to lie between 0 and 1: it lies between −1 and 1.",
  "negative ones left out": "Negative real parts are left out: add them up, too.",
  "scores as a pair": "Two sums came back: divide the first by the second."},
 "calls": {
  "6 tokens, head 1 of 5": [["embed", "unembed", "v_weight", "mix_weight", "head", "num_heads"], [[[64.5325, -67.104, -14.201, -80.691, -14.7665, -88.854], [-21.4373, 43.6064, -17.838, 51.8331, -21.3323, 0.8694], [69.5442, -25.7862, -47.0853, -43.4031, -56.8488, -134.341], [303.343, 179.308, 283.98, -353.325, 139.954, 116.847], [90.1681, 201.609, 148.772, -71.3521, 66.1899, 139.017], [-78.0934, 10.878, -34.0714, 94.8438, -13.2022, 29.6238]]], [
   ["turned", [213.07, 219.32]],
   ["embed twice", [-75.78, 430.52]],
   ["unembed twice", [160.1, -43.104]],
   ["embed and unembed exchanged", [72.382, -25.025]],
   ["always head 0", [-1047.4, -272.96]],
   ["always the last head", [-566.21, -333.81]],
   ["heads counted from the end", [-444.63, -829.61]],
   ["the next head", [386.72, 152.67]],
   ["interleaved", [119.87, -572.87]],
   ["every size-th", [761.16, 196.2]],
   ["from the head's number on", [7.5727, -105.23]],
   ["from the head's number to the right end", [386.53, -36.432]],
   ["from there to the end", [25.549, -967.54]],
   ["up to there", [-397.74, -229.75]],
   ["one number of the head", [270.7, -25.593]],
   ["the last number left out", [560.94, 43.874]],
   ["one number too many", [797.85, 14.466]],
   ["begin and length", [0, 0]],
   ["all heads", [-1021.8, -1240.5]],
   ["all heads but this one", [-1671.5, -1283.7]],
   ["head of the size of d_model", [-15.343, -49.558]],
   ["two heads, hard-coded", [-703, -1043.7]],
   ["values of head 0", [352.62, -290.84]],
   ["mix of head 0", [-641.92, 368.74]],
   ["scaled", [375.08, 24.946]],
   ["heads as long as there are heads", [-51.88, -41.013]],
   ["divided by the number of heads", [129.93, 8.6415]],
   ["the direct path added", [639.81, -7.3884]],
   ["softmax", [1.9233, 1.7344]],
   ["largest 0", [449.13, -54.193]],
   ["absolute changes", [248.61, -151.59]],
   ["without the unembedding's effect: the direct path alone", [-9.8511, -50.596]],
   ["mix's columns forgotten, values compared", [195.45, -256.43]],
   ["mix on both sides", [-78.543, 16.447]],
   ["values and mix exchanged", [71.654, 300.65]],
   ["what the head reads", [-20.101, 21.514, [6, 3]]],
   ["what the head writes", [-235.26, 19.878, [6, 10]]],
   ["the OV matrix alone", [64.66, 6.1972, [10, 10]]],
   ["the diagonal alone", [-119.53, -324.09, [6]]],
   ["the mean of rows taken off", [514.8, 161.21]],
   ["embeddings of length 1", [131.21, 3.7489]],
   ["rounded", [649.75, 43.044]],
   ["reshaped in place of turned: the values", [-669.27, -252.88]],
   ["reshaped in place of turned: mix", [-338.63, -188.71]],
   ["reshaped in place of turned: the unembedding", [354.83, 378.76]]]],
  "4 tokens, head 2 of 3": [["embed", "unembed", "v_weight", "mix_weight", "head", "num_heads"], [[[68.2762, 39.4154, 48.4678, -6.6592], [-100.513, -36.3987, -24.4358, 18.5997], [41.7503, -24.4635, -75.7192, -23.8257], [-135.101, -13.4105, 44.1975, 39.445]]], []],
  "6 tokens, head 0 of 4, as wide as the model": [["embed", "unembed", "v_weight", "mix_weight", "head", "num_heads"], [[[103.009, 40.123, 5.5989, 36.9411, -135.683, 72.1815], [115.925, -15.6598, 233.669, -187.355, 94.0667, 31.9059], [-17.6799, -0.676, -24.1806, 17.0386, -1.9123, -7.3515], [-6.3981, 13.73, -60.9984, 58.7724, -57.3967, 8.6745], [37.9125, 15.4952, -0.6606, 16.3362, -52.8919, 27.1569], [93.1188, 2.2348, 132.314, -94.7314, 15.451, 37.6446]]], []],
  "the score of 5 by 5 numbers": [["circuit"], [-0.367991], [
   ["singular values", [0.95534, 0.84147]],
   ["eigvalsh", [-0.24491, -0.21572]],
   ["eigvalsh", [-0.23084, -0.20333]],
   ["made symmetric", [-0.31883, -0.28083]],
   ["absolute real parts above", [0.69263, 0.61008]],
   ["absolute real parts below", [-0.48489, -0.4271]],
   ["absolute value of the score", [0.35156, 0.30965]],
   ["divided by the sum's own size", [-0.95534, -0.84147]],
   ["upside down", [-2.5961, -2.2867]],
   ["the trace alone", [-2.866, -2.5244]],
   ["the absolute values alone", [7.7883, 6.86]],
   ["mean of the real parts", [-0.5732, -0.50488]],
   ["sum over mean", [-1.7578, -1.5483]],
   ["mean over sum", [-0.070311, -0.061931]],
   ["mean of the fractions", [0.24348, 0.21446]],
   ["sum of the fractions", [1.2174, 1.0723]],
   ["share of positive eigenvalues", [0.5732, 0.50488]],
   ["signs alone", [0.19107, 0.16829]],
   ["imaginary parts", [0.60647, 0.53418]],
   ["lengths squared", [-0.12486, -0.10998]],
   ["real and imaginary parts added", [-0.25853, -0.22771]],
   ["root of the sum of squares", [-0.5982, -0.5269]],
   ["the largest alone below", [-0.8688, -0.76525]],
   ["the largest alone", [-0.64513, -0.56824]],
   ["the diagonal in place of eigenvalues", [-0.43424, -0.38249]],
   ["the diagonal against the whole table", [-0.083801, -0.073813]],
   ["the nuclear norm below", [-0.24843, -0.21882]],
   ["Frobenius norm below", [-0.39067, -0.3441]],
   ["all numbers", [0.039107, 0.034446]],
   ["the share of rows whose diagonal is largest", [0, 0]],
   ["of the whole, doubled", [-0.70311, -0.61931]],
   ["a score of its own for each", [-0.14041, -0.85001, [5]]],
   ["the eigenvalues", [-1.7858, -2.1054, [5]]],
   ["a rounded score", [-0.38213, -0.33659]],
   ["1 minus", [1.3069, 1.1511]],
   ["between 0 and 1", [0.30189, 0.26591]],
   ["negative ones left out", [0.17054, 0.15021]],
   ["scores as a pair", [-6.2586, -3.8104, [2]]]]],
  "the score of a matrix with the eigenvalues 3, 1 and −2": [["circuit"], [0.333333], []],
  "the score of a quarter turn": [["circuit"], [0], []],
  "the score of minus the identity": [["circuit"], [-1], []]}},
 "ablate-head": {
 "made of": "0eb5e8de2797", "defines": ["ablate_head"],
 "advice": {
  "rows": "The head's place was looked for in the rows: its numbers are columns of mix_weight.",
  "rows, and their size": "Whole rows are 0: the head's numbers are columns of mix_weight, hidden // num_heads of them.",
  "size of rows": "The head's size was taken from d_model: it is hidden // num_heads, and hidden is mix_weight.shape[1].",
  "mix turned": "What came back is turned: keep (d_model, hidden).",
  "that head alone is kept": "Only this head is left: set its columns to 0, and keep all others.",
  "interleaved": "Every num_heads-th column is 0: a head's columns lie side by side, from head · size on.",
  "every size-th column": "Columns with gaps between them are 0: a head's columns lie side by side, from head · size on.",
  "columns cut out": "The head's columns are gone: keep them, as zeros.",
  "the head's columns alone": "Only the head's columns came back: give back the whole weight, with zeros there.",
  "one column": "One column alone is 0: a head has hidden // num_heads of them.",
  "the column of the head's number": "Column `head` alone is 0: a head has hidden // num_heads columns, from head · size on.",
  "columns from the head's number on": "The columns begin at `head`: they begin at head · size.",
  "from the head's number to the right end": "The slice begins at `head`: it begins at head · size.",
  "the last column left": "The last of the head's columns is left: the end of a slice isn't part of it.",
  "one column too many": "One column too many is 0: the end of a slice isn't part of it, so it is (head + 1) · size.",
  "one column too early": "One column before the head's is 0: they begin at head · size.",
  "from 1 counted": "Head 0 was cut: heads are counted from 0, and the columns of `head` begin at head · size.",
  "the next head": "Another head was cut, or none: the head's columns are those from head · size to (head + 1) · size.",
  "counted from the end": "The head was counted from the end: head 0 has the first columns.",
  "always the last head": "The last head was cut, whatever head was asked for: end at (head + 1) · size.",
  "all from there on": "All columns from the head's first one on are 0: end the slice at (head + 1) · size.",
  "all up to there": "All columns up to the head's last one are 0: begin the slice at head · size.",
  "begin and length": "Nothing was cut: set the head's columns to 0, those from head · size to (head + 1) · size.",
  "all columns": "Everything is 0: only the head's columns are, from head · size to (head + 1) · size.",
  "multiplied by −1": "The head's columns have changed their sign: they should be 0.",
  "halved": "The head's columns are halved: they should be 0.",
  "the mean in their place": "The head's columns hold a mean: they should be 0.",
  "each row's mean in their place": "The head's columns hold means: they should be 0.",
  "−∞": "The head's columns are −∞: that is for scores before softmax, and here they should be 0.",
  "ones": "The head's columns are 1: they should be 0.",
  "NaN": "The head's columns are NaN: they should be 0.",
  "the mask alone": "This is a mask of 0 and 1: multiply the weight by it.",
  "the rest made larger": "The other heads were made larger: keep them as they are (this is not dropout).",
  "rows and columns": "Rows are 0 as well: set the head's columns to 0 alone.",
  "a block of rows and columns": "Only a block of the head's columns is 0: set them to 0 in all rows.",
  "in the first row alone": "Only row 0 was cut: set the head's columns to 0 in all rows.",
  "shape by heads": "The weight is still split by heads: give it back as (d_model, hidden).",
  "two heads, hard-coded": "The head's size is half of the columns: it is hidden // num_heads.",
  "rounded": "The numbers are rounded: keep them as they are."},
 "calls": {
  "10 by 15, head 1 of 5": [["mix_weight", "head", "num_heads"], [[[1.9, -1.8, -1.5, 0, 0, 0, 1.5, 2, -2, -1.9, 0.4, -1.9, -0.4, -0.6, -0.7], [-0.4, -1.9, 0.4, 0, 0, 0, 1.5, 0.6, 1.8, 1.8, -1.5, -1.7, 1.9, 0.1, 1.9], [-1.7, -1.5, 1.8, 0, 0, 0, 2, -2, -1.9, 0.5, -1.9, -0.3, -0.7, -0.7, -0.3], [-1.9, 0.6, -1.9, 0, 0, 0, 0.5, 1.8, 1.8, -1.4, -1.7, 2, 0.2, 2, -1.7], [-1.4, 1.8, 1.9, 0, 0, 0, -2, -1.9, 0.7, -1.8, -0.1, -0.9, -0.9, -0.1, -1.8], [0.8, -2, -1.9, 0, 0, 0, 1.9, 1.7, -1.2, -1.5, 2, 0.5, 2, -1.5, -1.2], [1.6, 1.9, 0.1, 0, 0, 0, -2, 1, -1.7, 0.2, -1.2, -1.2, 0.2, -1.6, 1.1], [-2, -1.8, 1.9, 0, 0, 0, 1.4, -0.9, -1.3, 2, 0.8, 2, -1.2, -0.8, 1.4], [2, -0.3, 1.9, 0, 0, 0, 1.3, -1.4, 0.6, -1.5, -1.5, 0.6, -1.4, 1.4, -2], [-1.6, 1.7, 2, 0, 0, 0, -0.5, -0.9, 1.9, 1.2, 1.9, -0.8, -0.4, 1, 2]]], [
   ["rows", [6.0628, 5.4471]],
   ["rows, and their size", [1.8263, -4.657]],
   ["size of rows", [-12.515, -2.1065]],
   ["mix turned", [-3.0025, -10.379, [15, 10]]],
   ["that head alone is kept", [-10.264, 9.3912]],
   ["interleaved", [-5.7935, 10.987]],
   ["every size-th column", [-5.8723, -7.2666]],
   ["columns cut out", [6.2813, 2.4699, [10, 12]]],
   ["the head's columns alone", [0, 0, [10, 3]]],
   ["one column", [-7.4282, -4.9543]],
   ["the column of the head's number", [-9.7213, 2.4707]],
   ["columns from the head's number on", [-15.444, -2.7432]],
   ["from the head's number to the right end", [-4.5439, -4.0727]],
   ["the last column left", [-3.0091, -3.2258]],
   ["one column too many", [3.5043, -2.4308]],
   ["one column too early", [-1.6153, -3.4359]],
   ["from 1 counted", [-15.05, 0.94083]],
   ["the next head", [-11.826, 5.658]],
   ["counted from the end", [-2.2396, 5.3657]],
   ["always the last head", [-1.5266, 6.7491]],
   ["all from there on", [8.2575, 2.1666]],
   ["all up to there", [-4.7859, -8.4504]],
   ["begin and length", [-6.7927, 3.1075]],
   ["all columns", [0, 0]],
   ["multiplied by −1", [13.736, -15.675]],
   ["halved", [-1.6605, -1.5882]],
   ["the mean in their place", [3.1503, -6.2752]],
   ["each row's mean in their place", [1.0374, -5.8114]],
   ["−∞", [3070, -88.264]],
   ["ones", [0.40198, -6.2017]],
   ["NaN", [-2381.6, 57.478]],
   ["the mask alone", [3.4301, 0.049625]],
   ["the rest made larger", [4.3395, -7.8547]],
   ["rows and columns", [9.7485, -2.5965]],
   ["a block of rows and columns", [-0.21414, 1.7597]],
   ["in the first row alone", [-8.7441, 2.509]],
   ["shape by heads", [3.4716, -6.2838, [10, 5, 3]]],
   ["two heads, hard-coded", [-5.511, 1.8089]],
   ["rounded", [1.7207, -4.8837]]]],
  "6 by 6, head 0 of 3": [["mix_weight", "head", "num_heads"], [[[0, 0, 0.6, 1.5, 2, -2], [0, 0, -1.9, -0.4, -0.6, -0.7], [0, 0, 0.4, -1.9, -2, 2], [0, 0, 1.8, 1.8, -1.5, -1.7], [0, 0, 1.9, -1.7, -1.5, 1.8], [0, 0, 1.6, 2, -2, -1.9]]], []],
  "5 by 8, head 2 of 4": [["mix_weight", "head", "num_heads"], [[[2, -2, -1.9, 0.4, 0, 0, -0.6, -0.7], [-0.4, -1.9, 0.4, -1.9, 0, 0, 1.5, 0.6], [1.8, 1.8, -1.5, -1.7, 0, 0, 1.9, -1.7], [-1.5, 1.8, 1.8, 0.6, 0, 0, -2, -1.9], [0.5, -1.9, -0.3, -0.7, 0, 0, -1.9, 0.6]]], []]}}}


# %% [markdown]
# The folded cells below hold what else the tests use. Run them; you don't need to read them.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "numbers-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def numbers(got):
    """A NumPy array of what came back: a tensor, a list or a tuple."""
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        return np.asarray(got.detach().cpu() if torch.is_tensor(got) else got, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"what came back is no array of numbers\n{problem}") from None


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, sizes="", tolerance=1e-5):
    """Stop unless `got` equals `expected`. All numbers stand below the first line of the message."""
    got, expected = numbers(got), numbers(expected)
    assert got.shape == expected.shape, (
        f"{where}, the shape is not right\n{sizes}expected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some_numbers(start, *shape, dtype=torch.float32):
    """A tensor of numbers between −2 and 2 with one decimal: the same ones for the same start and shape."""
    places = start + np.arange(math.prod(shape))
    return torch.tensor(np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape), dtype=dtype)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some_tokens(start, batch, seq, vocab):
    """A tensor of tokens: the same ones for the same start and sizes."""
    places = start + torch.arange(batch * seq)
    return (3 * places**2 + 5 * places + places // 3).reshape(batch, seq) % vocab


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-tensor", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def random_tensor(rng, *shape, dtype=torch.float32):
    """Normal numbers."""
    return torch.tensor(rng.normal(size=shape), dtype=dtype)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_same(given, before):
    """Stop if an input is not what it was."""
    assert all(map(torch.equal, given, before)), "an input was changed: make new tensors"


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "module-with", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def module_with(state, module):
    """A new module of yours, with copies of these numbers in its parameters."""
    own = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    missing, extra = sorted(set(state) - set(own)), sorted(set(own) - set(state))
    assert not missing, (
        f"state_dict() has no {', '.join(missing)}\nname layers and parameters as asked, and keep each as self.…: a layer, an nn.Parameter, or layers in an nn.ModuleList")
    assert not extra, f"state_dict() also holds {', '.join(extra)}\nleave out other layers and parameters"
    for name, value in state.items():
        assert own[name] == tuple(value.shape), (
            f"{name} has the shape {own[name]} and should have {tuple(value.shape)}\n"
            "check which size goes in and which comes out")
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


# %% [markdown]
# ## What is given
#
# One layer of causal attention is given. It is the layer of lesson 04 with `causal=True`: the arguments for padding and dropout are gone, since padding stands at the end here, where the causal mask hides it from all real tokens.

# %% nbgrader={"grade": false, "grade_id": "given", "locked": true, "schema_version": 3, "solution": false, "task": false}
class CausalAttention(nn.Module):
    """Attention to a token itself and those before it: (batch, seq, d_model) in and out, and the weights."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q, self.k, self.v, self.mix = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, num_heads, seq, seq]
        future = torch.ones_like(scores[0, 0]).triu(1).bool()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% [markdown]
# And a language is given. It has 11 letters and padding: a space, four vowels, six consonants. **Each letter depends on the two letters before it**, by a table of probabilities: `table[a, b, c]` is the probability of `c` after `a` and `b`. After a consonant comes a vowel, after a vowel a consonant or a space, after a space anything else. `pairs[a, b]` says how often the pair comes in a long text.

# %% nbgrader={"grade": false, "grade_id": "language", "locked": true, "schema_version": 3, "solution": false, "task": false}
LETTERS = "·_aeiokmnrst"  # 0 is padding, 1 a space, 2 to 5 vowels, 6 to 11 consonants
PAD, VOCAB = 0, 12


def make_language(seed=8):
    """(pairs, table) of the language, in float64: (12, 12) and (12, 12, 12)."""
    logits = 2.0 * torch.tensor(np.random.default_rng(seed).normal(size=(VOCAB, VOCAB, VOCAB)))
    kind = torch.tensor([0] + 4 * [1] + 6 * [2])  # of the letters 1 to 11: space, vowel, consonant
    follows = torch.tensor([[0, 1, 1], [1, 0, 1], [0, 1, 0]]).bool()  # row: kind of a letter, column: of the next
    allowed = F.pad(follows[kind][:, kind], (1, 0, 1, 0))  # no padding anywhere
    table = torch.zeros(VOCAB, VOCAB, VOCAB, dtype=torch.float64)
    table[1:, 1:, 1:] = logits.masked_fill(~allowed, -math.inf)[1:, 1:, 1:].softmax(dim=-1)
    pairs = allowed.double() / allowed.sum()
    for _ in range(1000):  # until the pairs come as often after a step as before it
        pairs = torch.einsum("ab,abc->bc", pairs, table)
    return pairs, table


# %% nbgrader={"grade": false, "grade_id": "sample-language", "locked": true, "schema_version": 3, "solution": false, "task": false}
def sample_language(pairs, table, lengths, seq, generator):
    """Sequences (batch, seq) of the language: a stretch of each length, then padding."""
    first = torch.multinomial(pairs.flatten(), len(lengths), replacement=True, generator=generator)
    letters = [first // VOCAB, first % VOCAB]
    while len(letters) < seq:
        letters.append(torch.multinomial(table[letters[-2], letters[-1]], 1, generator=generator)[:, 0])
    return torch.stack(letters, dim=1).masked_fill(torch.arange(seq) >= lengths[:, None], PAD)


# %% nbgrader={"grade": false, "grade_id": "pairs-and-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
pairs, table = make_language()
given_one = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1e-30)  # of the next letter, given one letter

# %% tags=["demonstration"]
text = sample_language(pairs, table, torch.tensor([70, 70, 40]), 70, torch.Generator().manual_seed(0))
for row in text.tolist():
    print("".join(LETTERS[token] for token in row))
after = table[LETTERS.index("a"), LETTERS.index("n")]
print("after “an”:", ", ".join(f"{LETTERS[c]} {after[c]:.2f}" for c in range(VOCAB) if after[c] > 0))


# %% [markdown]
# ## 8.1 The best that anybody can do
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# How surprised must even the best reader be? If the next letter has the probability $p$, its surprise is $-\ln p$. The best reader knows the table, and is surprised on average by the **entropy** of the source:
#
# $$H_2 = -\sum_{a, b} \mathrm{pairs}[a, b] \sum_c \mathrm{table}[a, b, c]\, \ln \mathrm{table}[a, b, c]$$
#
# No model can have a lower mean loss on new text. Where the table is 0, the term is 0, since such a letter never comes. A pair that never comes has a row of zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# What does `0 * torch.log(0)` give? Which value should it have here?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.special.xlogy(a, b)` is a · ln b, and 0 where a is 0. `sum(dim=-1)`, and `float` for a plain number.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Each entry of the table times its logarithm, zeros staying zeros. Sum over the last axis and change the sign: the entropy of each context. Multiply with how often each context comes, and sum.
# </details>

# %% nbgrader={"grade": false, "grade_id": "source-entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def source_entropy(pairs, table):
    """The entropy of the next letter, given the two before it, in nats.

    pairs: (vocab, vocab), how often each pair comes.
    table: (vocab, vocab, vocab), P(c | a, b), 0 allowed.
    Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
    return float((pairs * of_each_pair).sum())
    ### END SOLUTION


# %% [markdown]
# The first language of the tests can be done on paper. It has two letters. After the pair (0, 0), which comes half of the time, both are equally likely. After (0, 1) and (1, 0), a quarter each, a 0 is certain, and (1, 1) never comes: entropy ½ ln 2 = 0.3466.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "small-languages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
half = torch.tensor([[0.5, 0.25], [0.25, 0]], dtype=torch.float64), torch.tensor(
    [[[0.5, 0.5], [1, 0]], [[1, 0], [0, 0]]], dtype=torch.float64)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "small-language", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def small_language(start, vocab):
    """Pairs and table of a language: some letters can't come, and the last pair never does."""
    counts = some_numbers(start, vocab, vocab, vocab, dtype=torch.float64).clamp(min=0)
    counts[..., 0] += 0.1
    counts[-1, -1] = 0
    table = counts / counts.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    often = 0.1 + some_numbers(start + 9, vocab, vocab, dtype=torch.float64).abs()
    often[-1, -1] = 0
    return often / often.sum(), table


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "entropies-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def entropies_of(pairs, table, more_pairs, more_table):
    """What your function says of two languages; of the last alone, if that is not one number."""
    first, last = source_entropy(pairs, table), source_entropy(more_pairs, more_table)
    alone = last is None or isinstance(last, (dict, list, tuple)) or np.ndim(last)
    return last if alone else [first, last]


# %% nbgrader={"grade": true, "grade_id": "source-entropy-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("source-entropy", entropies="language")
check("source-entropy", "two letters, on paper, and then three", entropies_of, *half, *small_language(1, 3))
returns("source-entropy", entropy="")
check("source-entropy", "five letters", source_entropy, *small_language(7, 5))
### BEGIN HIDDEN TESTS
for seed, vocab in [(80, 4), (81, 7), (82, 12)]:
    rng = np.random.default_rng(seed)
    often, counts = rng.random((vocab, vocab)), rng.random((vocab, vocab, vocab)) * (rng.random((vocab, vocab, vocab)) < 0.6)
    counts[..., -1] += 0.01
    often[1], counts[1] = 0, 0
    often, chances = often / often.sum(), counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    expected = -math.fsum(often[a, b] * p * math.log(p) for (a, b, c), p in np.ndenumerate(chances) if p > 0)
    given = torch.tensor(often), torch.tensor(chances)
    check_numbers(source_entropy(*given), expected, "in the entropy of a larger language", f"with {vocab} letters, ", 1e-6)
    check_same(given, (torch.tensor(often), torch.tensor(chances)))
### END HIDDEN TESTS

# %% [markdown]
# A reader who knows less is more surprised. The next cell computes four limits. Predict their order: a reader who guesses at random, one who knows how often each letter comes, one who sees the last letter, and one who sees the last two.

# %% tags=["demonstration"]
single = pairs.sum(dim=0)
LIMITS = {
    "11 letters at random": math.log(11),
    "each letter alone, H0": float(-torch.special.xlogy(single, single).sum()),
    "given one letter, H1": float(-torch.special.xlogy(pairs, given_one).sum()),
    "given two letters, H2": source_entropy(pairs, table),
}
for name, nats in LIMITS.items():
    print(f"{name:22} {nats:.4f} nats a letter, perplexity {math.exp(nats):.3f}")


# %% [markdown]
# H2 = 0.9624 nats is the floor for every letter from the third of a sequence on. For the second, only one letter is known, and the floor is H1 = 1.4953. (The first is never predicted.) A perplexity of 2.618 means: as uncertain as between 2.618 equally likely letters.

# %% [markdown]
# ## 8.2 The loss
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# The loss of one prediction is the surprise at what came: $-\ln$ of the probability that the model gave to the next token. Two functions:
#
# - `token_losses(logits, tokens)` gives the loss of every prediction, `(batch, seq − 1)`: row `t` of the logits against token `t + 1`. Padding is not treated specially.
# - `next_token_loss(logits, tokens, pad)` gives their mean, over all predictions whose **target** is not `pad`. Each counts once, whatever sequence it belongs to. It is a tensor with one number, so that gradients can flow back from it.
#
# | operation | what | shape |
# |---|---|---|
# | predictions | all rows but the last | `(batch, seq − 1, vocab)` |
# | targets | all tokens but the first | `(batch, seq − 1)` |
# | loss of each | $-\ln \mathrm{softmax}(\mathrm{logits})[\mathrm{target}]$ | `(batch, seq − 1)` |
# | mean | over targets that are not padding | one number |
#
# Logits may be as large as ±1000. `pad` may be any token. At least one target is real.
#
# <details><summary>Hint 1: a question</summary>
#
# Sequence 0 has 2 real targets, sequence 1 has 6. How many numbers is the mean taken over: 2, 6, 7 or 8?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `F.cross_entropy(..., reduction="none")` takes logits, not probabilities, and wants the vocabulary on axis 1: `transpose(1, 2)`. Or `log_softmax(dim=-1)` and `gather`. A tensor of True and False as index keeps what is True.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Drop the last row of the logits and the first token. Give both to the cross-entropy without reduction, the vocabulary on axis 1. For the mean: which targets are not padding? Keep the losses there, and take their mean.
# </details>
#
# <details><summary>I get “Expected target size …”</summary>
#
# `F.cross_entropy` takes axis 1 of the logits for the vocabulary. Turn the last two axes, don't reshape: a `view` would mix letters and positions.
# </details>

# %% nbgrader={"grade": false, "grade_id": "next-token-loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def token_losses(logits, tokens):
    """The loss of every prediction: row t of the logits against token t + 1.

    logits: (batch, seq, vocab). tokens: (batch, seq). Returns (batch, seq - 1).
    """
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    ### END SOLUTION


def next_token_loss(logits, tokens, pad):
    """The mean loss over all predictions whose target is not pad, a tensor with one number.

    logits: (batch, seq, vocab). tokens: (batch, seq). pad: the number of the padding token.
    No input is changed.
    """
    ### BEGIN SOLUTION
    real = tokens[:, 1:] != pad
    return token_losses(logits, tokens)[real].mean()
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: each prediction (1 point).** The first call has three letters, and logits of 0 except one: on paper, ln 3 = 1.0986 almost everywhere.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "loss-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
paper_logits = torch.zeros(2, 4, 3)
paper_logits[1, 2, 0] = 1.0
paper_tokens = torch.tensor([[0, 1, 2, 0], [2, 0, 1, 0]])
padded_tokens = torch.tensor([[4, 2, 1, 3, 3, 3], [0, 1, 4, 2, 0, 4]])  # 3 is padding
loud_logits = 500 * some_numbers(3, 2, 6, 5)

# %% nbgrader={"grade": true, "grade_id": "token-losses-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-loss", losses="sequence prediction")
check("next-token-loss", "3 letters, on paper", token_losses, paper_logits, paper_tokens)
check("next-token-loss", "2 sequences, 6 tokens, 5 letters", token_losses, some_numbers(1, 2, 6, 5), padded_tokens)
check("next-token-loss", "4 sequences, 3 tokens, 7 letters", token_losses, some_numbers(5, 4, 3, 7), some_tokens(2, 4, 3, 7))
check("next-token-loss", "logits of ±1000", token_losses, loud_logits, padded_tokens)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size in [(180, 3, 5, 7, 1), (181, 2, 9, 4, 1), (182, 5, 2, 6, 300)]:
    rng = np.random.default_rng(seed)
    logits, tokens = size * rng.normal(size=(batch, seq, vocab)), rng.integers(vocab, size=(batch, seq))
    expected = np.zeros((batch, seq - 1))
    for b, t in np.ndindex(batch, seq - 1):
        row = logits[b, t] - max(logits[b, t])
        expected[b, t] = math.log(math.fsum(np.exp(row))) - row[tokens[b, t + 1]]
    given = torch.tensor(logits), torch.tensor(tokens)
    check_numbers(token_losses(*given), expected, "in the losses of larger logits", f"with {batch=}, {seq=}, {vocab=}, ")
    check_same(given, (torch.tensor(logits), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mean over what is real (2 points).**

# %% nbgrader={"grade": true, "grade_id": "next-token-loss-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("next-token-loss", loss="")
check("next-token-loss", "mean, 3 is padding, 2 and 5 real targets", next_token_loss, some_numbers(1, 2, 6, 5), padded_tokens, 3)
check("next-token-loss", "mean, 0 is padding, in the middle and at the front", next_token_loss, some_numbers(1, 2, 6, 5), padded_tokens, 0)
check("next-token-loss", "mean, nothing is padding", next_token_loss, some_numbers(5, 4, 3, 7), some_tokens(2, 4, 3, 7), 9)
check("next-token-loss", "mean, logits of ±1000, 4 is padding", next_token_loss, loud_logits, padded_tokens, 4)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size, pad in [(190, 3, 6, 7, 1, 0), (191, 4, 9, 5, 1, 4), (192, 2, 4, 6, 300, 2)]:
    rng = np.random.default_rng(seed)
    logits, tokens = size * rng.normal(size=(batch, seq, vocab)), rng.integers(vocab, size=(batch, seq))
    tokens[0, 2:], tokens[1, -1:] = pad, pad
    tokens[0, 1] = (pad + 1) % vocab
    found = []
    for b, t in np.ndindex(batch, seq - 1):
        row = logits[b, t] - max(logits[b, t])
        if tokens[b, t + 1] != pad:
            found.append(math.log(math.fsum(np.exp(row))) - row[tokens[b, t + 1]])
    given = torch.tensor(logits), torch.tensor(tokens)
    check_numbers(next_token_loss(*given, pad), math.fsum(found) / len(found), "in the mean loss", f"with {batch=}, {seq=}, {vocab=}, {pad=}, ")
    check_same(given, (torch.tensor(logits), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# A check without a model: if all logits are equal, the model knows nothing, and every loss must be the logarithm of the number of tokens, ln 12 = 2.4849. And gradients must flow back from it, into each row that has a target: 8 and 19.

# %% tags=["demonstration"]
tokens = sample_language(pairs, table, torch.tensor([9, 20]), 20, torch.Generator().manual_seed(1))
logits = torch.zeros(2, 20, VOCAB, requires_grad=True)
loss = next_token_loss(logits, tokens, PAD)
print(f"{loss.item():.4f}, and ln 12 is {math.log(12):.4f}")
loss.backward()  # it must be a tensor that knows where it comes from
print(f"gradients: {(logits.grad != 0).any(dim=-1).sum(dim=1).tolist()} rows of the two sequences are to change")


# %% [markdown]
# ## The model, piece by piece
#
# A *decoder* is a stack of blocks. Each block has attention, where tokens see each other, and a small network, where each works by itself. Both add to what is there. You build norm, network and block, then the model.
#
# ## 8.3 Layer norm
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# A *layer norm* takes each token's row by itself: it subtracts the row's mean, divides by its standard deviation, then stretches and moves each feature by two learned vectors.
#
# $$\mathrm{norm}(x) = \frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \mathrm{eps}}} \odot \mathrm{weight} + \mathrm{bias}$$
#
# Mean and variance run over the last axis, and any axes may stand in front. The variance is the plain mean of squares: divided by `d_model`, not by `d_model − 1`. `eps` keeps a constant row from dividing by 0, and stands **inside** the root. Parameters: `weight`, ones at the beginning, and `bias`, zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# `x.var(dim=-1)` divides by `d_model − 1` unless you say otherwise. How do you say otherwise?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Parameter(torch.ones(d_model))`, `mean(dim=-1, keepdim=True)`, `var(dim=-1, keepdim=True, unbiased=False)`, `torch.sqrt`. Don't call `F.layer_norm`: here you write it.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: the two parameters, and keep eps. In `forward`: subtract the row's mean. Divide by the root of its variance plus eps. Times weight, plus bias.
# </details>

# %% nbgrader={"grade": false, "grade_id": "layer-norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LayerNorm(nn.Module):
    """Each row to mean 0 and variance 1, then times weight, plus bias.

    forward(x): x (..., d_model). Returns (..., d_model). No input is changed.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
        variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
        return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
        ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "norm-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def norm_state(start, d_model):
    """Numbers for weight and bias, near 1 and near 0."""
    return {"weight": 1 + some_numbers(start, d_model) / 4, "bias": some_numbers(start + 5, d_model) / 3}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "norm-of-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def norm_of(x, weight, bias, **options):
    """What your LayerNorm makes of x, with these parameters."""
    return module_with({"weight": weight, "bias": bias}, LayerNorm(x.shape[-1], **options))(x)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "fresh-norm", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def fresh_norm(x):
    """What your LayerNorm makes of x as it begins."""
    norm = LayerNorm(x.shape[-1])
    for name in ("weight", "bias"):
        assert getattr(norm, name).requires_grad, f"{name} doesn't learn\nmake it with nn.Parameter(…), which requires a gradient"
    return norm(x)


# %% nbgrader={"grade": true, "grade_id": "layer-norm-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("layer-norm", normed="sequence token feature")
check("layer-norm", "2 sequences, 3 tokens, 5 features", norm_of, 1 + some_numbers(0, 2, 3, 5), *norm_state(3, 5).values())
check("layer-norm", "small numbers, so that eps counts", norm_of, 0.003 * some_numbers(2, 3, 2, 4), *norm_state(1, 4).values())
check("layer-norm", "eps = 0.1", norm_of, some_numbers(4, 2, 2, 6), *norm_state(2, 6).values(), eps=0.1)
check("layer-norm", "as it begins", fresh_norm, some_numbers(7, 3, 2, 4) + 3)
returns("layer-norm", normed="token feature")
check("layer-norm", "one axis in front", norm_of, some_numbers(9, 4, 3), *norm_state(4, 3).values())
### BEGIN HIDDEN TESTS
for seed, front, d_model, size, eps in [(280, (3, 4), 6, 1, 1e-5), (281, (5,), 7, 0.003, 1e-5), (282, (2, 3, 4), 5, 1, 0.1), (283, (2, 2), 9, 40, 1e-5)]:
    rng = np.random.default_rng(seed)
    x, weight, bias = size * random_tensor(rng, *front, d_model) + size, 1 + 0.2 * random_tensor(rng, d_model), random_tensor(rng, d_model)
    expected = np.zeros(x.shape)
    for at in np.ndindex(*front):
        row = numbers(x)[at]
        middle = math.fsum(row) / d_model
        spread = math.sqrt(math.fsum((row - middle) ** 2) / d_model + eps)
        expected[at] = (row - middle) / spread * numbers(weight) + numbers(bias)
    norm = module_with({"weight": weight, "bias": bias}, LayerNorm(d_model) if eps == 1e-5 else LayerNorm(d_model, eps))
    given = x.clone()
    check_numbers(norm(given), expected, "in larger rows", f"with {front=}, {d_model=}, {eps=}, ", 1e-4)
    check_same([given], [x])
### END HIDDEN TESTS

# %% [markdown]
# As in 4.1, end each line of `forward` that makes a tensor with its axes in brackets, such as `# [batch, seq, d_model]`, and run this: it says which of the comments are true. It earns no points. The next cell makes `follow_shapes`; you don't need to read it.

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
follow_shapes(({"batch": 2, "seq": 3, "d_model": 5}, LayerNorm(5), torch.randn(2, 3, 5)),
              ({"batch": 4, "seq": 2, "d_model": 7}, LayerNorm(7), torch.randn(4, 2, 7)))


# %% [markdown]
# ## 8.4 A network for each token
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# After attention, each token is worked on by itself, by a network with one hidden layer:
#
# $$\mathrm{MLP}(x) = \mathrm{down}(\mathrm{GELU}(\mathrm{up}(x))) \qquad \mathrm{GELU}(h) = h \cdot \Phi(h) = \frac{h}{2}\Big(1 + \mathrm{erf}\big(h / \sqrt 2\big)\Big)$$
#
# $\Phi(h)$ is the probability that a normal number lies below $h$. So the GELU is almost $h$ for large $h$, almost 0 for very negative ones, and smooth between. Take this exact form. There is a well-known approximation by a tanh, which is off by up to 0.0005: enough for the tests to see.
#
# | operation | layer | shape |
# |---|---|---|
# | up | `up`: d_model → d_hidden | `(…, d_hidden)` |
# | GELU | number by number | the same |
# | down | `down`: d_hidden → d_model | `(…, d_model)` |
#
# <details><summary>Hint 1: a question</summary>
#
# `F.gelu` has an argument `approximate`. Which value gives the exact form?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(d_model, d_hidden)`, `F.gelu`, or `torch.erf` and `math.sqrt`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "mlp", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MLP(nn.Module):
    """Two linear layers with the exact GELU between them, each token by itself.

    forward(x): x (..., d_model). Returns (..., d_model). No input is changed.
    """

    def __init__(self, d_model, d_hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        h = self.up(x)  # [..., d_hidden]
        return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
        ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "mlp-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def mlp_state(start, d_model, d_hidden):
    """Numbers for both layers."""
    shapes = {"up.weight": (d_hidden, d_model), "up.bias": (d_hidden,), "down.weight": (d_model, d_hidden), "down.bias": (d_model,)}
    return {name: some_numbers(start + 7 * n, *shape) for n, (name, shape) in enumerate(shapes.items())}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "mlp-of-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def mlp_of(x, up_weight, up_bias, down_weight, down_bias):
    """What your MLP makes of x, with these numbers in its layers."""
    names = "up.weight", "up.bias", "down.weight", "down.bias"
    state = dict(zip(names, (up_weight, up_bias, down_weight, down_bias)))
    return module_with(state, MLP(x.shape[-1], len(up_bias)))(x)


# %% nbgrader={"grade": true, "grade_id": "mlp-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("mlp", output="sequence token feature")
check("mlp", "2 sequences, 3 tokens, 5 features, 4 hidden", mlp_of, some_numbers(0, 2, 3, 5), *mlp_state(1, 5, 4).values())
check("mlp", "3 sequences, 2 tokens, 4 features, 7 hidden", mlp_of, some_numbers(3, 3, 2, 4), *mlp_state(5, 4, 7).values())
returns("mlp", output="token feature")
one = torch.eye(1)
check("mlp", "the GELU of −3, −1, 0, 0.5 and 2 alone", mlp_of, torch.tensor([[-3.0], [-1], [0], [0.5], [2]]), one, 0 * one[0], one, 0 * one[0])
### BEGIN HIDDEN TESTS
for seed, front, d_model, d_hidden in [(380, (3, 4), 6, 5), (381, (2,), 3, 10), (382, (2, 1, 3), 7, 2)]:
    rng = np.random.default_rng(seed)
    shapes = (*front, d_model), (d_hidden, d_model), (d_hidden,), (d_model, d_hidden), (d_model,)
    x, *weights = [random_tensor(rng, *shape) for shape in shapes]
    X, U, b, D, c = map(numbers, (x, *weights))
    inner = np.vectorize(lambda h: h * 0.5 * math.erfc(-h / math.sqrt(2)))(X @ U.T + b)
    names = "up.weight", "up.bias", "down.weight", "down.bias"
    made = module_with(dict(zip(names, weights)), MLP(d_model, d_hidden))
    given = x.clone()
    check_numbers(made(given), inner @ D.T + c, "in the output of a larger network", f"with {front=}, {d_model=}, {d_hidden=}, ", 5e-5)
    check_same([given], [x])
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 5, "d_hidden": 7}, MLP(5, 7), torch.randn(2, 3, 5)),
              ({"batch": 4, "seq": 2, "d_model": 6, "d_hidden": 9}, MLP(6, 9), torch.randn(4, 2, 6)))


# %% [markdown]
# ## 8.5 A block
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# A block has two branches, and each **adds** to what comes in:
#
# $$x \leftarrow x + \mathrm{drop}\big(\mathrm{attn}(\mathrm{norm}_1(x))\big) \qquad x \leftarrow x + \mathrm{drop}\big(\mathrm{mlp}(\mathrm{norm}_2(x))\big)$$
#
# The second branch sees what the first has added. The norms stand at the beginning of each branch (*pre-norm*), so $x$ itself runs through the whole stack and is only ever added to: it is called the **residual stream**. In the Transformer of 2017 the norm stood after the sum.
#
# *Dropout*, in training mode, sets each number of a branch's output to 0 with the probability `dropout`, and divides the others by `1 − dropout`. It never touches $x$ itself. In eval mode it does nothing. `nn.Dropout` does all this.
#
# | part | what it is |
# |---|---|
# | `norm1`, `norm2` | your `LayerNorm` |
# | `attn` | the given `CausalAttention`. It returns two things |
# | `mlp` | your `MLP`, with `d_hidden` |
#
# <details><summary>Hint 1: a question</summary>
#
# What must the block give back if both branches are dropped whole, with `dropout=1.0`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Dropout(dropout)` has no parameters, so it may have any name. `out, weights = self.attn(...)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: the four parts and a dropout. In `forward`: norm, attention, take its output, drop, add to x. From this new x: norm, network, drop, add. Return it.
# </details>
#
# <details><summary>I get “unsupported operand” or “must be Tensor, not tuple”</summary>
#
# `CausalAttention` gives back its output and its weights. Take the two apart.
# </details>

# %% builds_on=["layer-norm", "mlp"] nbgrader={"grade": false, "grade_id": "block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Block(nn.Module):
    """Pre-norm attention and a network, each added to the residual stream.

    forward(x): x (batch, seq, d_model). Returns (batch, seq, d_model). No input is changed.
    Dropout, in training mode only, on the output of each branch.
    """

    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
        x = x + self.drop(attended)  # [batch, seq, d_model]
        return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the numbers (2 points).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "block-shapes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def block_shapes(d_model, d_hidden):
    """The shapes of all parameters of a block, by their names in state_dict()."""
    shapes = {f"norm{n}.{name}": (d_model,) for n in (1, 2) for name in ("weight", "bias")}
    shapes |= {f"attn.{one}.weight": (d_model, d_model) for one in ("q", "k", "v", "mix")}
    shapes |= {f"attn.{one}.bias": (d_model,) for one in ("q", "k", "v", "mix")}
    return shapes | {"mlp.up.weight": (d_hidden, d_model), "mlp.up.bias": (d_hidden,),
                     "mlp.down.weight": (d_model, d_hidden), "mlp.down.bias": (d_model,)}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "filled", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def filled(shapes, number):
    """Numbers for parameters of these shapes, those of the norms' weights near 1. number: makes a tensor of a shape."""
    return {name: number(n, *shape) / 2 + ("norm" in name and name.endswith("weight")) for n, (name, shape) in enumerate(shapes.items())}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "block-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def same_twice(first, second, problem):
    """The first of two results, if both are the same; numbers that are drawn differ."""
    alike = not torch.is_tensor(first) or torch.allclose(first, second, equal_nan=True)
    assert alike, problem
    return first


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "block-state", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def block_state(start, d_model, d_hidden):
    """Numbers for all parameters of a block."""
    return filled(block_shapes(d_model, d_hidden), lambda n, *shape: some_numbers(start + 31 * n, *shape))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "block-of-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def block_of(x, state, num_heads, d_hidden, training=False, **options):
    """What your block makes of x, in eval mode if nothing else is said."""
    block, kept = module_with(state, Block(x.shape[-1], num_heads, d_hidden, **options)).train(training), x.clone()
    mode = "in training mode without dropout" if training else "in eval mode"
    return same_twice(block(x), block(kept), f"two calls {mode} give different numbers\n"
                      "Nothing is drawn there: make nn.Dropout(dropout) in the constructor, or hand the rate and self.training on to F.dropout.")


# %% nbgrader={"grade": true, "grade_id": "block-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("block", output="sequence token feature")
check("block", "2 sequences, 3 tokens, 6 features, 2 heads", block_of, some_numbers(0, 2, 3, 6), block_state(1, 6, 10), 2, 10)
check("block", "3 sequences, 5 tokens, 4 features, 1 head", block_of, some_numbers(4, 3, 5, 4), block_state(6, 4, 3), 1, 3)
check("block", "in eval mode, with dropout 0.5", block_of, some_numbers(2, 2, 2, 6), block_state(3, 6, 4), 3, 4, dropout=0.5)
check("block", "in training mode, dropout not asked for", block_of, some_numbers(6, 2, 3, 4), block_state(5, 4, 6), 2, 6, training=True)
### BEGIN HIDDEN TESTS
def slow_block(x, w, heads):
    """A block, token by token; x (seq, d), w by names."""
    d, norm = x.shape[-1], lambda row, n: (row - row.mean()) / math.sqrt(row.var() + 1e-5) * w[f"norm{n}.weight"] + w[f"norm{n}.bias"]
    rows, size, made = [norm(row, 1) for row in x], d // heads, np.zeros(x.shape)
    q, k, v = ([w[f"attn.{one}.weight"] @ row + w[f"attn.{one}.bias"] for row in rows] for one in "qkv")
    for t in range(len(x)):
        mixed = np.zeros(d)
        for h in range(heads):
            own = slice(h * size, (h + 1) * size)
            dots = np.array([q[t][own] @ k[j][own] / size**0.5 for j in range(t + 1)])
            grown = np.exp(dots - max(dots))
            mixed[own] = sum(g * v[j][own] for j, g in enumerate(grown)) / grown.sum()
        made[t] = x[t] + w["attn.mix.weight"] @ mixed + w["attn.mix.bias"]
        h = w["mlp.up.weight"] @ norm(made[t], 2) + w["mlp.up.bias"]
        h = np.array([one * 0.5 * math.erfc(-one / math.sqrt(2)) for one in h])
        made[t] += w["mlp.down.weight"] @ h + w["mlp.down.bias"]
    return made


for seed, d_model, heads, d_hidden, batch, seq in [(480, 6, 2, 10, 3, 5), (481, 12, 3, 7, 2, 4), (482, 10, 5, 13, 2, 6)]:
    rng = np.random.default_rng(seed)
    state, x = filled(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, batch, seq, d_model)
    kept, given = {name: numbers(value) for name, value in state.items()}, x.clone()
    block = module_with(state, Block(d_model, heads, d_hidden))
    for made in (block(given), block.eval()(given)):
        expected = np.stack([slow_block(one, kept, heads) for one in numbers(x)])
        check_numbers(made, expected, "in what a larger block makes", f"with {d_model=}, {heads=}, {d_hidden=}, ", 1e-4)
    check_same([given], [x])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: dropout (1 point).** With `dropout=1.0` in training mode, the block must give back exactly what comes in. With 0.25 and a network that gives 0, every number that is added is 0 or the attention's, divided by 0.75.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "dropped-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def all_dropped(x, state, num_heads, d_hidden):
    """What your block makes of x in training mode with dropout=1.0."""
    block, kept = module_with(state, Block(x.shape[-1], num_heads, d_hidden, dropout=1.0)).train(), x.clone()
    return same_twice(block(x), block(kept), "two calls with dropout=1.0 give different numbers\n"
                      "With this rate all is dropped: hand dropout on to nn.Dropout.")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "dropped", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def dropped(x, state, num_heads, d_hidden, branch):
    """How often a number of a branch's output is dropped or grown by 1/0.75, and how often it is anything else."""
    state = {name: 0 * value if name.startswith("mlp.down" if branch == "attn" else "attn.mix") else value for name, value in state.items()}
    block = module_with(state, Block(x.shape[-1], num_heads, d_hidden, dropout=0.25))
    whole = numbers(block.eval()(x)) - numbers(x)
    added = np.stack([numbers(block.train()(x)) - numbers(x) for _ in range(20)])
    known = np.isclose(added, 0, atol=1e-5) | np.isclose(added, whole / 0.75, atol=1e-4)
    assert known.all(), (f"with dropout=0.25, {(~known).sum()} of {known.size} numbers that are added are neither 0 nor the {branch} branch's, divided by 0.75\n"
        "Drop the output of each branch by nn.Dropout(dropout) before you add it, and nothing else.")
    gone = np.isclose(added, 0, atol=1e-5)
    for axis, where in enumerate(("at each call", "in all sequences", "for all tokens", "in all features")):
        assert gone.std(axis=axis).max() > 0, f"the same numbers are dropped {where}\nLet nn.Dropout draw anew for each number of the branch's output, at each call."
    share = gone.mean()
    assert 0.15 < share < 0.35, (f"with dropout=0.25, a share of {share:.2f} of what the {branch} branch adds is dropped\n"
        "Drop the output of each branch by nn.Dropout(dropout).")
    return np.array([1.0])


# %% nbgrader={"grade": true, "grade_id": "block-dropout-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("block", output="sequence token feature")
check("block", "all dropped", all_dropped, some_numbers(0, 2, 3, 6), block_state(1, 6, 10), 2, 10)
returns("block", as_expected="place")
check("block", "a quarter of the attention branch dropped", dropped, some_numbers(1, 3, 5, 8), block_state(2, 8, 4), 2, 4, "attn")
check("block", "a quarter of the network's branch dropped", dropped, some_numbers(5, 3, 5, 8), block_state(7, 8, 6), 2, 6, "mlp")
### BEGIN HIDDEN TESTS
for seed, d_model, heads, d_hidden in [(485, 6, 2, 10), (486, 12, 3, 7)]:
    rng = np.random.default_rng(seed)
    state, x = filled(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, 4, 6, d_model)
    given = x.clone()
    check_numbers(all_dropped(given, state, heads, d_hidden), x, "with all dropped", f"with {d_model=}, {heads=}, ", 0)
    check_numbers(block_of(given, state, heads, d_hidden, dropout=1.0), block_of(given, state, heads, d_hidden), "in eval mode, with dropout=1.0")
    for branch in ("attn", "mlp"):
        dropped(given, state, heads, d_hidden, branch)
    check_same([given], [x])
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "num_heads": 4, "d_hidden": 7}, Block(8, 4, 7), torch.randn(2, 3, 8)),
              ({"batch": 4, "seq": 5, "d_model": 6, "num_heads": 2, "d_hidden": 9}, Block(6, 2, 9), torch.randn(4, 5, 6)))


# %% [markdown]
# ## 8.6 The model
#
# **4 points · about 18 minutes · difficulty ●●●**
#
# Now the whole decoder. Each token gets a vector, and so does each position; their sum enters the stack. At the end comes a last norm, and the logits are the dot products with the **vectors of the tokens themselves**:
#
# $$x = \mathrm{token}[\mathrm{tokens}] + \mathrm{position}[0, 1, \dots] \qquad \mathrm{logits} = \mathrm{norm}(\mathrm{blocks}(x))\; \mathrm{token.weight}^\top$$
#
# So one matrix serves at both ends. The weights are said to be **tied**: there is no output layer of its own, no output bias and no scale.
#
# | part | what it is | shape |
# |---|---|---|
# | `token` | `nn.Embedding(vocab, d_model)` | `(batch, seq, d_model)` |
# | `position` | `nn.Embedding(context, d_model)`, from position 0 on | `(seq, d_model)` |
# | `blocks` | a list of `num_layers` blocks, hidden size `4 · d_model`, with `dropout` | `(batch, seq, d_model)` |
# | `norm` | your `LayerNorm` | the same |
# | logits | the product with the tied matrix | `(batch, seq, vocab)` |
#
# There is no dropout on the embeddings. More than `context` tokens are refused: raise a `ValueError` whose text holds both numbers. Exactly `context` tokens are fine. Use these names, and nothing else that shows in `state_dict()`.
#
# <details><summary>Hint 1: a question</summary>
#
# Which list makes PyTorch see the blocks in it, so that their parameters are trained and saved?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.ModuleList([...])`, `torch.arange(seq)`, `self.token.weight.T`, `@`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: keep the context; two embeddings, a ModuleList of new blocks, a norm. In `forward`: if there are more tokens than the context, raise. Add the vectors of tokens and positions. Through the blocks, one after the other. Norm. Multiply with the token vectors, turned.
# </details>
#
# <details><summary>I get “index out of range in self”</summary>
#
# A position beyond the context, or a token beyond the vocabulary, was looked up in an embedding.
# </details>

# %% builds_on=["layer-norm", "block"] nbgrader={"grade": false, "grade_id": "tiny-lm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class TinyLM(nn.Module):
    """A decoder: token and position vectors, blocks, a norm, and logits
    by the tied token matrix.

    forward(tokens): (batch, seq), seq at most context.
    Returns logits (batch, seq, vocab).
    Raises a ValueError that holds seq and context if there are more
    tokens than the context.
    """

    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{seq} tokens are more than the context of {self.context}")
        x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
        for block in self.blocks:
            x = block(x)  # [batch, seq, d_model]
        return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: the logits (2 points).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "lm-state", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def lm_shapes(vocab, context, d_model, num_layers):
    """The shapes of all parameters of a model, by their names in state_dict()."""
    shapes = {"token.weight": (vocab, d_model), "position.weight": (context, d_model), "norm.weight": (d_model,), "norm.bias": (d_model,)}
    blocks = block_shapes(d_model, 4 * d_model)
    return shapes | {f"blocks.{n}.{name}": shape for n in range(num_layers) for name, shape in blocks.items()}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "lm-state-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def lm_state(start, vocab, context, d_model, num_layers):
    """Numbers for all parameters of a model."""
    return filled(lm_shapes(vocab, context, d_model, num_layers), lambda n, *shape: some_numbers(start + 17 * n, *shape))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "logits-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def logits_of(tokens, state, *sizes, **options):
    """The logits of your model with these numbers, in eval mode."""
    models, kept = [module_with(state, TinyLM(*sizes, **options)).eval() for _ in range(2)], tokens.clone()
    return same_twice(models[0](tokens), models[1](kept), "two models with the same numbers give different logits\n"
                      "Use nothing but what state_dict() holds: multiply by self.token.weight itself, not by a copy or another layer.")


# %% nbgrader={"grade": true, "grade_id": "tiny-lm-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "2 sequences, 3 of 5 positions, 7 letters", logits_of, some_tokens(1, 2, 3, 7), lm_state(0, 7, 5, 6, 2), 7, 5, 6, 2, 2)
check("tiny-lm", "a full context, one block of one head", logits_of, some_tokens(3, 3, 4, 5), lm_state(4, 5, 4, 4, 1), 5, 4, 4, 1, 1)
check("tiny-lm", "one token", logits_of, some_tokens(2, 3, 1, 7), lm_state(0, 7, 5, 6, 2), 7, 5, 6, 2, 2)
### BEGIN HIDDEN TESTS
def slow_lm(tokens, w, heads, layers):
    """Logits of one sequence, from a loop over tokens; w by names, as arrays."""
    norm = lambda row, name: (row - row.mean()) / math.sqrt(row.var() + 1e-5) * w[name + ".weight"] + w[name + ".bias"]
    x = [w["token.weight"][token] + w["position.weight"][t] for t, token in enumerate(tokens)]
    for layer in range(layers):
        at = f"blocks.{layer}."
        rows, size = [norm(row, at + "norm1") for row in x], len(x[0]) // heads
        q, k, v = ([w[f"{at}attn.{one}.weight"] @ row + w[f"{at}attn.{one}.bias"] for row in rows] for one in "qkv")
        for t in range(len(x)):
            mixed = []
            for own in (slice(h * size, (h + 1) * size) for h in range(heads)):
                grown = np.exp([q[t][own] @ k[j][own] / size**0.5 for j in range(t + 1)])
                mixed.append(sum(g * v[j][own] for j, g in enumerate(grown)) / grown.sum())
            row = x[t] + w[at + "attn.mix.weight"] @ np.concatenate(mixed) + w[at + "attn.mix.bias"]
            h = w[at + "mlp.up.weight"] @ norm(row, at + "norm2") + w[at + "mlp.up.bias"]
            h = np.array([one * 0.5 * math.erfc(-one / math.sqrt(2)) for one in h])
            x[t] = row + w[at + "mlp.down.weight"] @ h + w[at + "mlp.down.bias"]
    return np.stack([w["token.weight"] @ norm(row, "norm") for row in x])


for seed, sizes, shape in [(580, (11, 9, 6, 2, 2), (3, 5)), (581, (7, 5, 12, 3, 3), (2, 5)), (582, (5, 8, 4, 1, 1), (4, 3)), (583, (6, 3, 8, 2, 1), (1, 2))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = filled(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: numbers(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    given, expected = tokens.clone(), [slow_lm(row, kept, heads, layers) for row in tokens.tolist()]
    check_numbers(logits_of(given, state, *sizes), expected, "in the logits of a larger model", f"with {sizes=}, {shape=}, ", 2e-4)
    check_same([given], [tokens])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: tied, named, and dropout handed on (1 point).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "parts-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def parts_of(*sizes, **options):
    """A new model of yours, if its parameters have the names and shapes that were asked for."""
    vocab, context, d_model, _, layers = sizes
    return module_with(lm_state(0, vocab, context, d_model, layers), TinyLM(*sizes, **options))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "pulled", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def pulled(tokens, letter, *sizes):
    """How much each logit changes when the vector of a letter that doesn't come is moved."""
    vocab, context, d_model, _, layers = sizes
    state = lm_state(0, vocab, context, d_model, layers)
    moved = {name: value.clone() for name, value in state.items()}
    moved["token.weight"][letter] += 1
    return numbers(logits_of(tokens.clone(), moved, *sizes)) - numbers(logits_of(tokens.clone(), state, *sizes))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "dropped-lm", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def dropped_lm(tokens, *sizes, **options):
    """The logits in training mode: with dropout=1.0 each block is the identity, without dropout nothing is drawn."""
    vocab, context, d_model, _, layers = sizes
    model, kept = module_with(lm_state(2, vocab, context, d_model, layers), TinyLM(*sizes, **options)).train(), tokens.clone()
    return same_twice(model(tokens), model(kept), "two calls in training mode give different numbers\n"
                      "With the rate 1.0 all is dropped, and with 0.0, which is the default, nothing: hand dropout on to each Block.")


# %% nbgrader={"grade": true, "grade_id": "tiny-lm-tied-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
assert len(parts_of(7, 5, 6, 2, 3).blocks) == 3, "blocks should hold as many blocks as num_layers says"
returns("tiny-lm", change="sequence position letter")
check("tiny-lm", "the vector of a letter that doesn't come moves its own logit only", pulled, torch.tensor([[0, 2, 3], [4, 1, 0]]), 5, 7, 5, 6, 2, 2)
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "in training mode, all branches dropped", dropped_lm, some_tokens(1, 2, 4, 7), 7, 5, 6, 2, 2, dropout=1.0)
check("tiny-lm", "in training mode, dropout not asked for", dropped_lm, some_tokens(3, 3, 2, 7), 7, 5, 6, 2, 2)
### BEGIN HIDDEN TESTS
for seed, sizes, shape in [(585, (11, 9, 6, 2, 2), (3, 5)), (586, (7, 5, 12, 3, 3), (2, 5))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = filled(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: numbers(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    x = kept["token.weight"][tokens] + kept["position.weight"][:shape[1]]
    x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    expected = (x * kept["norm.weight"] + kept["norm.bias"]) @ kept["token.weight"].T
    got = module_with(state, TinyLM(*sizes, dropout=1.0)).train()(tokens)
    check_numbers(got, expected, "in training mode, all branches dropped", f"with {sizes=}, {shape=}, ", 2e-4)
    got = module_with(state, TinyLM(*sizes)).train()(tokens)
    check_numbers(got, logits_of(tokens, state, *sizes), "in training mode, dropout not asked for", f"with {sizes=}, {shape=}, ", 2e-4)
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: too many tokens (1 point).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "names-both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def names_both(seq, context):
    """Stop unless the error holds both numbers."""
    try:
        TinyLM(5, context, 4, 2, 1)(some_tokens(0, 2, seq, 5))
    except ValueError as error:
        assert str(seq) in str(error) and str(context) in str(error), (
            f"{seq} tokens and a context of {context}: the error says “{error}”\nName both numbers in it.")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shape-at", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def shape_at(seq, context):
    """The shape of the logits."""
    return np.array(numbers(TinyLM(5, context, 4, 2, 1)(some_tokens(0, 2, seq, 5))).shape)


# %% nbgrader={"grade": true, "grade_id": "tiny-lm-context-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("tiny-lm", shape="axis")
check("tiny-lm", "7 tokens, and a context of 6", shape_at, 7, 6)
names_both(7, 6)
check("tiny-lm", "the shape with 6 tokens, and a context of 6", shape_at, 6, 6)
### BEGIN HIDDEN TESTS
for batch, seq, context in [(1, 4, 3), (2, 19, 12), (3, 2, 1)]:
    try:
        TinyLM(7, context, 6, 3, 2)(torch.zeros(batch, seq, dtype=torch.long))
        raise AssertionError(f"{seq} tokens must be refused by a context of {context}")
    except ValueError as error:
        assert str(seq) in str(error) and str(context) in str(error), f"the error must hold {seq} and {context}"
for seq, context in [(3, 3), (1, 1), (11, 12)]:
    check_numbers(shape_at(seq, context), (2, seq, 5), "in the shape of the logits, within the context", f"with {seq=}, {context=}, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "vocab": 11}, TinyLM(11, 5, 8, 2, 2), torch.randint(11, (2, 3))),
              ({"batch": 4, "seq": 5, "d_model": 6, "vocab": 13}, TinyLM(13, 7, 6, 3, 1), torch.randint(13, (4, 5))))


# %% [markdown]
# How large is the loss of a model that has learnt nothing? Predict it, from 8.2's last cell. Then run: `start_small` draws all weights small, so that the model begins without opinions.

# %% nbgrader={"grade": false, "grade_id": "start-small", "locked": true, "schema_version": 3, "solution": false, "task": false}
def start_small(model, std):
    """Weights of linear layers and embeddings normal with this spread, biases 0."""
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


# %% tags=["demonstration"]
torch.manual_seed(0)
untrained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
full = torch.full((200,), 32)
held_out = sample_language(pairs, table, full, 32, torch.Generator().manual_seed(7))
with torch.no_grad():
    logits = untrained(held_out)
print(f"loss {next_token_loss(logits, held_out, PAD).item():.3f}, ln 12 = {math.log(12):.3f}; "
      f"{sum(one.numel() for one in untrained.parameters()):,} parameters")
print(f"the most probable next letter is the letter itself at {(logits.argmax(dim=-1) == held_out).float().mean():.0%} of positions")


# %% [markdown]
# It lies a little *above* ln 12. The tied matrix is the reason: what enters as a letter's vector points, when it leaves, at the same letter. So each letter has a head start as its own successor, and in this language no letter ever follows itself.

# %% [markdown]
# ## 8.7 Does the future leak?
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# A language model that sees the token that it has to predict is worthless, and looks excellent. So test it, from outside: change the tokens from place `start` on, and see whether any logit **before** `start` changes. `leak(model, tokens, start, replacement)` returns the largest absolute change, as a float. It is 0 if the model is causal.
#
# `model` is any function of tokens. `replacement` is `(batch, seq − start)`.
#
# <details><summary>Hint 1: a question</summary>
#
# The logits at `start` and behind it may change. Are they in your comparison?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.cat([..., replacement], dim=1)`, or `tokens.clone()` and an assignment. `abs()`, `max()`, `item()`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "leak", "locked": false, "schema_version": 3, "solution": true, "task": false}
def leak(model, tokens, start, replacement):
    """The largest absolute change of any logit before start when the tokens
    from start on are replaced.

    model: a function of tokens (batch, seq), giving logits (batch, seq, vocab).
    replacement: (batch, seq - start). Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    changed = torch.cat([tokens[:, :start], replacement], dim=1)
    return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "leaky", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def looks(ahead, back=3):
    """A model whose logits at t are made of the tokens from t − back to t + ahead; negative numbers, too."""
    def model(tokens):
        seq = tokens.shape[1]
        places = torch.arange(seq)
        seen = (places[None] <= places[:, None] + ahead) & (places[None] >= places[:, None] - back)
        sums = ((seen.double() * (1.0 + places) / 20) @ tokens.double().T).T  # [batch, seq]
        return torch.stack([sums / 2 - 1, sums / 8, -sums / 4, sums / 5, -sums], dim=-1)
    return model


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "leaks", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def leaks(ahead, tokens, start, replacement):
    """What your function says of models that see so many tokens ahead."""
    return np.stack([numbers(leak(looks(far), tokens.clone(), start, replacement.clone())) for far in ahead])


# %% nbgrader={"grade": true, "grade_id": "leak-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("leak", leak="model")
tokens, others = some_tokens(6, 2, 7, 9), some_tokens(7, 2, 3, 9)
check("leak", "models that see 0, 1, 2 and 6 tokens ahead", leaks, (0, 1, 2, 6), tokens, 4, others)
returns("leak", leak="")
check("leak", "a model that sees nothing ahead", leak, looks(0), tokens, 4, others)
check("leak", "a model that sees the next token", leak, looks(1), tokens, 4, others)
check("leak", "a model that sees two tokens ahead", leak, looks(2, 0), some_tokens(3, 3, 5, 9), 2, some_tokens(5, 3, 3, 9))
### BEGIN HIDDEN TESTS
for seed, batch, seq, start, ahead in [(680, 3, 7, 4, 2), (681, 2, 9, 3, 0), (682, 4, 5, 1, 4), (683, 2, 6, 5, 1)]:
    rng = np.random.default_rng(seed)
    tokens, others = torch.tensor(rng.integers(20, size=(batch, seq))), torch.tensor(rng.integers(20, size=(batch, seq - start)))
    old, new = tokens.double(), torch.cat([tokens[:, :start], others], dim=1).double()
    expected = 0.0
    for b, t in np.ndindex(batch, start):
        seen = range(max(0, t - 3), min(seq, t + ahead + 1))
        expected = max(expected, abs(math.fsum((1.0 + j) / 20 * float(new[b, j] - old[b, j]) for j in seen)))
    given = tokens.clone(), others.clone()
    check_numbers(leak(looks(ahead), given[0], start, given[1]), expected, "in the leak", f"with {batch=}, {seq=}, {start=}, ")
    check_same(given, (tokens, others))
### END HIDDEN TESTS

# %% [markdown]
# Is your model causal? And what if somebody takes the mask out? Predict: does a leak show in a model that has not learnt anything yet?

# %% nbgrader={"grade": false, "grade_id": "no-mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
class NoMask(CausalAttention):
    """The same layer with its mask taken out."""

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% tags=["demonstration"]
open_model = copy.deepcopy(untrained)
for block in open_model.blocks:
    layer = NoMask(48, 4)
    layer.load_state_dict(block.attn.state_dict())
    block.attn = layer
others = sample_language(pairs, table, torch.full((200,), 22), 22, torch.Generator().manual_seed(8))
with torch.no_grad():
    for name, model in [("with its mask", untrained), ("without a mask", open_model)]:
        print(f"{name:14}: leak {leak(model, held_out, 10, others):.4g}")


# %% [markdown]
# With its mask, exactly 0: not small, but 0. Without it, the untrained model leaks already. So nobody has to train in order to find this bug.

# %% [markdown]
# ## 8.8 A learning rate that rises and falls
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# Early steps are uncertain and should be small, late ones should only polish. So the learning rate rises for `warmup` steps, then falls along half a cosine wave from `peak` to `floor`:
#
# | step | learning rate |
# |---|---|
# | below `warmup` | $\mathrm{peak} \cdot (\mathrm{step} + 1) / \mathrm{warmup}$ |
# | from `warmup` to `total` | $\mathrm{floor} + (\mathrm{peak} - \mathrm{floor}) \cdot \frac12 \Big(1 + \cos\big(\pi \cdot \frac{\mathrm{step} - \mathrm{warmup}}{\mathrm{total} - \mathrm{warmup}}\big)\Big)$ |
# | `total` and later | floor |
#
# `warmup` may be 0.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the cosine of 0, and what that of π? Which rates do these two ends give?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `math.cos`, `math.pi`, and two `if`, in the order of the table.
# </details>

# %% nbgrader={"grade": false, "grade_id": "learning-rate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def learning_rate(step, warmup, total, peak, floor):
    """The learning rate of a step: up for warmup steps, then down along
    half a cosine until total.

    Returns a float.
    """
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    way = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "rates", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def rates(steps, warmup, total, peak, floor):
    """Your learning rates at these steps."""
    return np.stack([numbers(learning_rate(step, warmup, total, peak, floor)) for step in steps])


# %% nbgrader={"grade": true, "grade_id": "learning-rate-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("learning-rate", rate="entry")
check("learning-rate", "steps 0, 1, 2, 3, 5, 8, 10 and 14, warmup 3, total 10", rates, (0, 1, 2, 3, 5, 8, 10, 14), 3, 10, 0.8, 0.3)
check("learning-rate", "steps 0, 2, 4, 5 and 6, no warmup, total 4", rates, (0, 2, 4, 5, 6), 0, 4, 2.0, 0.5)
check("learning-rate", "steps 0, 4, 9, 10, 20 and 29, warmup 10, floor 0", rates, (0, 4, 9, 10, 20, 29), 10, 30, 3.0, 0.0)
### BEGIN HIDDEN TESTS
for warmup, total, peak, floor in [(5, 20, 0.01, 0.001), (0, 9, 1.0, 0.2), (1, 6, 0.4, 0.1), (12, 13, 0.3, 0.0), (7, 31, 2.0, 0.5)]:
    for step in range(total + 4):
        along = min(max(step - warmup, 0) / (total - warmup), 1)
        expected = peak * (step + 1) / warmup if step < warmup else floor + (peak - floor) * math.cos(math.pi * along / 2) ** 2
        sizes = f"with {step=}, {warmup=}, {total=}, {peak=}, {floor=}, "
        check_numbers(learning_rate(step, warmup, total, peak, floor), expected, "in the learning rate", sizes, 1e-6)
### END HIDDEN TESTS

# %% alt="The learning rate over 800 steps: a steep straight line from almost 0 to 0.01 in the first 50 steps, then a smooth fall along half a cosine wave to 0.001." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5, 2.4), layout="constrained")
ax.plot([learning_rate(step, 50, 800, 1e-2, 1e-3) for step in range(800)])
ax.set(xlabel="step", ylabel="learning rate", ylim=(0, 0.011))
plt.show()


# %% [markdown]
# ## Training
#
# All parts are there. The next cells train your model on the made-up language for 800 steps, with 32 new sequences of 8 to 32 letters in each. Predict the loss at the end. Can it fall below 0.96? (The training takes ten to twenty seconds and says how far it is.)

# %% nbgrader={"grade": false, "grade_id": "training-step", "locked": true, "schema_version": 3, "solution": false, "task": false}
def training_step(model, optimizer, loss, rate):
    """One step: gradients, cut to a length of 1, and the optimizer with this learning rate. Returns the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


# %% nbgrader={"grade": false, "grade_id": "train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def train(model, loss_of, steps, peak=1e-2, seed=0):
    """Train, printing eight times. loss_of: a function of the model and a generator. Returns the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.99), weight_decay=0.01)
    generator, losses, began = torch.Generator().manual_seed(seed), [], time.perf_counter()
    for step in range(steps):
        losses.append(training_step(model, optimizer, loss_of(model, generator), learning_rate(step, 50, steps, peak, peak / 10)))
        if (step + 1) % (steps // 8) == 0:
            left = (time.perf_counter() - began) / (step + 1) * (steps - step - 1)
            print(f"step {step + 1:4} of {steps}: loss {np.mean(losses[-20:]):.3f}, {left:3.0f} s left", flush=True)
    return losses


def language_loss(model, generator):
    """The loss on 32 new sequences of 8 to 32 letters."""
    lengths = torch.randint(8, 33, (32,), generator=generator)
    tokens = sample_language(pairs, table, lengths, 32, generator)
    return next_token_loss(model(tokens), tokens, PAD)


# %% tags=["demonstration"]
torch.manual_seed(0)
trained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
losses = train(trained, language_loss, steps=800)


# %% nbgrader={"grade": false, "grade_id": "held-out", "locked": true, "schema_version": 3, "solution": false, "task": false}
def judged(model, count=1000):
    """(losses by position, the source's own by position) on new full sequences of 32."""
    tokens = sample_language(pairs, table, torch.full((count,), 32), 32, torch.Generator().manual_seed(10_000))
    with torch.no_grad():
        by_model = token_losses(model.eval()(tokens), tokens).mean(dim=0)
    second = -given_one[tokens[:, 0], tokens[:, 1]].log()  # letter 1 is known from letter 0 alone
    later = -table[tokens[:, :-2], tokens[:, 1:-1], tokens[:, 2:]].log()
    return by_model, torch.cat([second[:, None], later], dim=1).mean(dim=0)


# %% alt="Left: training loss over 800 steps, smoothed. It starts above 2, crosses the line H1 = 1.50 within 50 steps, and flattens a little above the line H2 = 0.96. Right: loss by position on new sequences: at the first prediction about 1.5, at all later ones about 0.97; the source's own surprise lies just below each point." tags=["demonstration"]
by_model, by_source = judged(trained)
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained", sharey=True)
left.plot(np.convolve(losses, np.ones(20) / 20, mode="valid"), color="C0")
right.plot(range(1, 32), by_model.numpy(), "o", markersize=4, label="the model")
right.plot(range(1, 32), by_source.numpy(), "_", color="black", markersize=9, label="the source itself")
for ax in (left, right):
    for nats, style, name in [(math.log(12), ":", "ln 12"), (LIMITS["given one letter, H1"], "--", "H1"), (LIMITS["given two letters, H2"], "-", "H2")]:
        ax.axhline(nats, color="0.4", linestyle=style, linewidth=1, label=name if ax is left else None)
left.set(xlabel="step", ylabel="loss, nats (left: mean of 20 steps)", ylim=(0.8, 2.7))
right.set(xlabel="position of the letter that is predicted")
left.legend()
right.legend()
plt.show()

# %% tags=["demonstration"]
first, later, source = by_model[0], by_model[1:].mean(), by_source[1:].mean()
print(f"first prediction: {first:.4f}, the source itself {by_source[0]:.4f}, limit H1 {LIMITS['given one letter, H1']:.4f}")
print(f"all later ones:   {later:.4f}, the source itself {source:.4f}, limit H2 {LIMITS['given two letters, H2']:.4f}")
print(f"perplexity of the later ones {later.exp():.3f}, of {source.exp():.3f}")


# %% [markdown]
# The model ends less than 0.01 nats above the source's own surprise at the same text (0.0085 in our run, 0.007 to 0.009 over five seeds). It has learnt the table, and that two letters are enough. No training would help any more: what is left is chance. The training loss stays a little above H2, because short sequences have a larger share of first predictions.
#
# The limit holds for means over much text. A few letters may be easier than that by chance: in our training 52 of the 800 batches had losses below 0.9624, the lowest 0.88, and on the right some of the source's own dashes lie below H2. No *mean* over thousands of letters does. Now you know what one would mean.

# %% [markdown]
# ## 8.9 Bug hunt: an evaluation that lies
#
# **3 points · about 20 minutes · difficulty ●●○**
#
# A colleague evaluates models with the next function. `batches` is a list of token tensors, with different numbers of sequences and of letters, and padding anywhere. It ran, and it printed a number. There are **five** slips that make the number wrong, and none stops the program.

# %% nbgrader={"grade": false, "grade_id": "lying-evaluate", "locked": true, "schema_version": 3, "solution": false, "task": false}
def lying_evaluate(model, batches, pad):
    losses = []
    for tokens in batches:
        probs = model(tokens).softmax(dim=-1)
        loss = F.cross_entropy(probs[:, 1:].transpose(1, 2), tokens[:, :-1])
        losses.append(loss.item())
    return sum(losses) / len(losses)


# %% [markdown]
# What it should give is the mean loss over **all** real targets of **all** batches, each counting once. The model has to be in eval mode while it is asked, so that nothing is dropped, and must be left in the mode in which it came: somebody may be in the middle of a training. Your function may use your 8.2.
#
# `model` is a module; `model.training` says which mode it is in.
#
# <details><summary>Hint 1: a question</summary>
#
# For each line: what does it do with dropout, with the order of rows and targets, with padding, and with batches of different sizes? What does `F.cross_entropy` do to its first argument before it takes a logarithm?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `was = model.training`, `model.eval()`, `model.train(was)`. `torch.no_grad()`. `token_losses` of 8.2, a sum, and a count.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Note the mode, and change to eval mode. For each batch: logits, the loss of each prediction, which targets are real. Add up the losses there, and how many they are. Put the mode back. Return the sum divided by the count.
# </details>

# %% builds_on=["next-token-loss"] nbgrader={"grade": false, "grade_id": "repaired-evaluate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def repaired_evaluate(model, batches, pad):
    """The mean loss over all real targets of all batches, in eval mode.
    The model keeps its mode.

    model: a module, from tokens (batch, seq) to logits.
    batches: a list of tokens. pad: the padding token.
    Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    mode = model.training
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for tokens in batches:
            losses = F.cross_entropy(model(tokens)[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
            real = tokens[:, 1:] != pad
            total += losses[real].sum().item()
            count += real.sum().item()
    model.train(mode)
    return total / count
    ### END SOLUTION


# %% [markdown]
# The tests bring a small model with dropout 0.5 between an embedding and a linear layer. **Test 1 of 2: the number (2 points).**

# %% nbgrader={"grade": false, "grade_id": "toy-model", "locked": true, "schema_version": 3, "solution": false, "task": false}
def toy_model(vocab):
    """A small model with dropout: logits from each token alone."""
    return nn.Sequential(nn.Embedding(vocab, 8), nn.Dropout(0.5), nn.Linear(8, vocab))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "evaluated", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def toy_state(start, vocab):
    """Numbers for the toy model."""
    return {"0.weight": some_numbers(start, vocab, 8), "2.weight": some_numbers(start + 40, vocab, 8) / 2, "2.bias": some_numbers(start + 90, vocab)}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "evaluated-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def toy_with(state, vocab, training):
    """A toy model with these numbers, in this mode. It is not to be trained."""
    return module_with(state, toy_model(vocab)).train(training).requires_grad_(False)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "evaluated-too-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def evaluated(batches, pad, vocab, training, start=0):
    """What your function says of a toy model that comes in this mode, asked twice."""
    given = [batch.clone() for batch in batches]
    one = repaired_evaluate(toy_with(toy_state(start, vocab), vocab, training), given, pad)
    assert all(map(torch.equal, given, batches)), "a batch is not what it was\nDon't write into tokens: make new tensors."
    again = repaired_evaluate(toy_with(toy_state(start, vocab), vocab, training), given, pad)
    assert np.allclose(numbers(one), numbers(again), equal_nan=True), ("two evaluations of one model differ\n"
        "In training mode dropout draws anew each time: call model.eval() before the first batch, and put the mode back after the last.")
    return one


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "uneven", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
uneven = [torch.tensor([[4, 2, 0, 3, 3], [0, 1, 3, 2, 4]]), torch.tensor([[2, 0, 4, 1, 2, 0, 1, 3]]), torch.tensor([[1, 3], [2, 3], [0, 4]])]

# %% nbgrader={"grade": true, "grade_id": "repaired-evaluate-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("repaired-evaluate", loss="")
check("repaired-evaluate", "one full batch, a model in eval mode", evaluated, [some_tokens(1, 3, 5, 4)], 9, 4, False)
check("repaired-evaluate", "one batch with padding 3", evaluated, [uneven[0]], 3, 5, False)
check("repaired-evaluate", "three batches of different sizes, padding 3", evaluated, uneven, 3, 5, False)
check("repaired-evaluate", "a model in training mode", evaluated, uneven, 3, 5, True, 4)
### BEGIN HIDDEN TESTS
for seed, vocab, pad, sizes in [(880, 6, 0, [(3, 5), (2, 9)]), (881, 9, 8, [(4, 3), (1, 7), (2, 6)]), (882, 5, 2, [(2, 4)])]:
    rng = np.random.default_rng(seed)
    shapes = {"0.weight": (vocab, 8), "2.weight": (vocab, 8), "2.bias": (vocab,)}
    state = {name: random_tensor(rng, *shape) for name, shape in shapes.items()}
    batches = [rng.integers(vocab, size=size) for size in sizes]
    for batch in batches:
        batch[0, 2:], batch[-1, -1], batch[0, 1] = pad, pad, (pad + 1) % vocab
    E, W, b = (numbers(state[name]) for name in shapes)
    rows = E @ W.T + b
    found = [math.log(math.fsum(np.exp(rows[one]))) - rows[one, other]
             for batch in batches for row in batch for one, other in zip(row, row[1:]) if other != pad]
    for training in (True, False):
        given = [torch.tensor(batch) for batch in batches]
        got = repaired_evaluate(toy_with(state, vocab, training), given, pad)
        check_numbers(got, math.fsum(found) / len(found), "in the mean loss of all batches", f"with {vocab=}, {pad=}, {sizes=}, {training=}, ")
        check_same(given, [torch.tensor(batch) for batch in batches])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mode (1 point).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "mode-after", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def mode_after(training):
    """1 if the model is in training mode afterwards, 0 if not."""
    model = toy_with(toy_state(2, 5), 5, training)
    one = numbers(repaired_evaluate(model, uneven[:2], 3)).sum()
    modes = np.array([float(part.training) for part in (model, *model)])
    again = numbers(repaired_evaluate(model, uneven[:2], 3)).sum()
    assert np.allclose(one, again), "two evaluations differ\nPut the model into eval mode before you ask it: in training mode, dropout draws anew each time."
    other = numbers(repaired_evaluate(toy_with(toy_state(8, 5), 5, training), uneven[:2], 3)).sum()
    assert abs(one - other) > 1e-3, "two models that differ get the same loss\nAsk the model that was passed."
    return modes


# %% nbgrader={"grade": true, "grade_id": "repaired-evaluate-mode-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("repaired-evaluate", training_mode="module")
check("repaired-evaluate", "a model that came in training mode", mode_after, True)
check("repaired-evaluate", "a model that came in eval mode", mode_after, False)
### BEGIN HIDDEN TESTS
for training in (False, True):
    model = toy_model(4).train(training).requires_grad_(False)
    repaired_evaluate(model, [torch.tensor([[0, 1, 2], [2, 2, 3]])], 3)
    assert [part.training for part in (model, *model)] == 4 * [training], f"the model came with training={training}, and should have it afterwards"
### END HIDDEN TESTS

# %% [markdown]
# How bad can such slips be? We trained your model's twin for 300 steps with each of five bugs. *Shown* is the loss that the buggy program prints, *worth* the true loss on new text. The right program shows 1.01, and is worth 1.015. (Both are a little above H2, since these texts have 8 to 32 letters, and each has a first prediction.)
#
# | bug | shown | worth |
# |---|---|---|
# | no shift: row t against token t | 0.000 | 10.5 |
# | the mask is missing | 0.001 | – (its `leak` is 16) |
# | padding counted | 0.74 | 1.06 |
# | softmax before cross-entropy | 2.11 | 5.1 |
# | dropout 0.1, eval mode forgotten | 1.03 | 1.017 |
#
# Three of the five look **better** than what is possible. Only a limit that is known unmasks them. The next cell asks both evaluations about your trained model, on the same text. With all five slips at once, the number looks worse than it should be: they don't cancel, and nobody can tell from it what the model is worth.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(5)
batches = [sample_language(pairs, table, torch.randint(8, 33, (size,), generator=generator), 32, generator) for size in (200, 20)]
print(f"repaired: {repaired_evaluate(trained, batches, PAD):.3f}, lying: {lying_evaluate(trained, batches, PAD):.3f}")


# %% [markdown]
# ## 8.10 From logits to probabilities
#
# **3 points · about 20 minutes · difficulty ●●●**
#
# The model gives logits. To write with it, somebody has to choose. Three settings change the probabilities from which the next token is drawn. `next_token_probs` applies them **in this order**:
#
# | setting | what it does |
# |---|---|
# | `temperature` | divides the logits. Below 1: bolder, above 1: more even. A `ValueError` if it is 0 or less |
# | `top_k` | keeps the `top_k` largest logits only; all, if there are fewer tokens than that |
# | `top_p` | of what is left, with probabilities that sum to 1, keeps the **smallest set** of the most probable tokens whose sum is at least `top_p` |
#
# At the end each row sums to 1 again, and what was not kept has probability 0. With `None`, `top_k` and `top_p` do nothing.
#
# An example for `top_p=0.7`, with the probabilities 0.5, 0.3, 0.2: the first alone has 0.5, which is not enough. The first two have 0.8. The token that *crosses* the border stays, and the result is 0.625, 0.375, 0. So at least one token is always kept.
#
# `logits` is `(…, vocab)`, and each row has its own border. They may be ±10,000. No two are equal.
#
# <details><summary>Hint 1: a question</summary>
#
# Sort a row's probabilities, the largest first. A token stays if the sum of those **before** it is less than `top_p`. Why before, and not up to and including?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `logits.topk(k, dim=-1).values[..., -1:]` is the smallest that stays. `masked_fill(…, -math.inf)`, `softmax(dim=-1)`. `probs.sort(dim=-1, descending=True)` gives values and places, `cumsum(dim=-1)` sums up to each place, and `torch.zeros_like(probs).scatter(-1, places, values)` puts values back to their places.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Raise the error. Divide. If there is a top_k: find the smallest logit that stays, in each row, and set what is smaller to −∞. Softmax. If there is a top_p: sort, sum up what stands before each, set to 0 where that is top_p or more, put back in the order of the vocabulary, and divide by the row's sum.
# </details>
#
# <details><summary>I get “selected index k out of range”</summary>
#
# `topk` can't give more than there are: take the smaller one of `top_k` and the size of the vocabulary.
# </details>

# %% nbgrader={"grade": false, "grade_id": "next-token-probs", "locked": false, "schema_version": 3, "solution": true, "task": false}
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    """Probabilities of the next token, after temperature, then top_k, then top_p.

    logits: (..., vocab). Returns (..., vocab), each row sums to 1. No input is changed.
    Raises ValueError if the temperature is 0 or less.
    """
    ### BEGIN SOLUTION
    if temperature <= 0:
        raise ValueError(f"the temperature must be above 0, not {temperature}")
    logits = logits / temperature
    if top_k is not None:
        smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < smallest, -math.inf)
    probs = logits.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probs.sort(dim=-1, descending=True)
        kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
        probs = torch.zeros_like(probs).scatter(-1, places, kept)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "probs-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
paper_probs = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.05, 0.85]], dtype=torch.float64)
uneven_logits = torch.tensor([[[0.6, 2.0, 0.9, -2.6, 1.6, 1.0], [0.5, -0.8, 2.8, -1.3, -1.4, -0.3]],
                              [[0.7, 0.4, -1.4, 0.0, -0.4, 2.3], [4.1, 6.2, 6.4, 7.3, 4.8, 7.0]],
                              [[2.3, 1.9, 1.8, 2.2, 2.1, 1.2], [-3.7, -5.3, -4.7, -3.3, -4.9, -8.2]],
                              [[-0.7, 4.1, 1.2, 0.9, -1.1, 0.8], [1.6, 0.3, -0.9, 2.9, 2.2, -2.4]]])

# %% nbgrader={"grade": true, "grade_id": "next-token-probs-temperature-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "two axes in front, nothing set", next_token_probs, uneven_logits)
check("next-token-probs", "two axes in front, temperature 2", next_token_probs, uneven_logits, temperature=2.0)
check("next-token-probs", "logits of ±10000", next_token_probs, 1500 * uneven_logits, 1.0)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "temperature 0.5: squares of 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), 0.5)
check("next-token-probs", "temperature 0", next_token_probs, paper_probs.log(), 0.0)
check("next-token-probs", "temperature −1", next_token_probs, paper_probs.log(), temperature=-1.0)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, size in [(980, (3,), 7, 1.0, 1), (981, (2, 4), 5, 0.3, 1), (982, (), 9, 2.5, 1), (983, (3,), 6, 0.7, 4e3)]:
    rng = np.random.default_rng(seed)
    logits = size * rng.normal(size=(*front, vocab))
    grown = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    given = torch.tensor(logits)
    got = next_token_probs(given) if temperature == 1 else next_token_probs(given, temperature)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, ")
    check_same([given], [torch.tensor(logits)])
for temperature in (0.0, 0, -0.5):
    try:
        next_token_probs(torch.zeros(2, 3), temperature)
        raise AssertionError(f"a temperature of {temperature} must be refused")
    except ValueError:
        pass
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "next-token-probs-top-k-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_k = 2, of 6 tokens", next_token_probs, uneven_logits, top_k=2)
check("next-token-probs", "temperature 2, top_k = 3", next_token_probs, uneven_logits, 2.0, 3)
check("next-token-probs", "top_k = 1, logits down to −10000", next_token_probs, 700 * uneven_logits - 5500, top_k=1)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_k = 2: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), top_k=2)
check("next-token-probs", "top_k = 8, of 3 tokens", next_token_probs, paper_probs.log(), top_k=8)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, top_k in [(985, (3,), 7, 1.0, 2), (986, (2, 4), 5, 0.3, 4), (987, (), 9, 2.5, 1), (988, (4,), 6, 1.0, 6), (989, (2,), 4, 1.0, 11)]:
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(*front, vocab))
    grown = np.exp(logits / temperature)
    for row, values in zip(grown.reshape(-1, vocab), logits.reshape(-1, vocab)):
        row[np.argsort(values)[:max(vocab - top_k, 0)]] = 0
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, {top_k=}, ")
    check_same([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "next-token-probs-top-p-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_p = 0.7, of 6 tokens", next_token_probs, uneven_logits, 1.0, None, 0.7)
check("next-token-probs", "temperature 2, then top_p = 0.6", next_token_probs, uneven_logits, 2.0, top_p=0.6)
check("next-token-probs", "top_k = 3, then top_p = 0.8", next_token_probs, uneven_logits, top_k=3, top_p=0.8)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_p = 0.7: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), top_p=0.7)
check("next-token-probs", "top_p = 0.01 keeps one", next_token_probs, paper_probs.log(), top_p=0.01)
check("next-token-probs", "top_p = 1 keeps all", next_token_probs, paper_probs.log(), top_p=1.0)
### BEGIN HIDDEN TESTS
def nucleus(row, temperature, top_k, top_p):
    """The probabilities of one row, token by token."""
    grown = np.exp((row - max(row)) / temperature)
    order = np.argsort(-row)[:top_k]
    shares, kept, total = grown / math.fsum(grown[order]), [], 0.0
    for token in order:
        if total < top_p:
            kept.append(token)
            total += shares[token]
    return np.array([shares[token] / total if token in kept else 0.0 for token in range(len(row))])


for seed, front, vocab, temperature, top_k, top_p in [(990, (3,), 7, 1.0, None, 0.6), (991, (2, 4), 5, 0.7, None, 0.9), (992, (), 9, 2.5, None, 0.35),
                                                      (993, (4,), 8, 1.0, 3, 0.75), (994, (5,), 6, 1.5, 4, 0.5)]:
    rng = np.random.default_rng(seed)
    logits = 1.5 * rng.normal(size=(*front, vocab))
    expected = np.apply_along_axis(nucleus, -1, logits, temperature, top_k, top_p)
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k, top_p)
    check_numbers(got, expected, "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, {top_k=}, {top_p=}, ")
    check_same([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% [markdown]
# ## 8.11 Writing
#
# **2 points · about 10 minutes · difficulty ●●○**
#
# Now let it write: ask the model, draw one token from the **last** row's probabilities, append it, and ask again. The model sees at most the last `context` tokens. `generate` returns prompt and new tokens. Each sequence of the batch draws for itself.
#
# All chance comes from `generator`, so that the same seed gives the same text: hand it to whatever draws, and don't seed it again.
#
# <details><summary>Hint 1: a question</summary>
#
# `tokens[:, -context:]` of a prompt that is shorter than the context: what does it give?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your 8.10. `torch.multinomial(probs, 1, generator=generator)` draws one token for each row, `(batch, 1)`. `torch.cat([tokens, drawn], dim=1)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# As often as there are new tokens: give the last tokens to the model, take the last row of its logits, make probabilities with all three settings, draw with the generator, append.
# </details>

# %% builds_on=["next-token-probs"] nbgrader={"grade": false, "grade_id": "generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    """Append new tokens to the prompt, one at a time, drawn with the generator.

    model: a function of tokens (batch, at most context), giving
    logits (batch, seq, vocab).
    tokens: (batch, seq), the prompt. Returns (batch, seq + new_tokens).
    The prompt is not changed.
    """
    ### BEGIN SOLUTION
    for _ in range(new_tokens):
        logits = model(tokens[:, -context:])[:, -1]
        probs = next_token_probs(logits, temperature, top_k, top_p)
        drawn = torch.multinomial(probs, 1, generator=generator)
        tokens = torch.cat([tokens, drawn], dim=1)
    return tokens
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "generate-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def counting(context, vocab=7):
    """A model: after the tokens that it sees comes their weighted sum; it refuses more than the context."""
    def model(tokens):
        assert tokens.shape[1] <= context, (f"the model was given {tokens.shape[1]} tokens, and its context is {context}\n"
            "Give it at most the last context tokens.")
        sums = (tokens * torch.arange(1, tokens.shape[1] + 1)).cumsum(dim=1) % vocab
        return 9.0 * F.one_hot(sums, vocab) + torch.arange(vocab) / 10
    return model


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "written", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def written(prompt, context, new_tokens, *settings, seed=0, **named):
    """What your function writes with a new generator of this seed."""
    return generate(counting(context), prompt, context, new_tokens, torch.Generator().manual_seed(seed), *settings, **named)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shares-drawn", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
chain_shares = np.array([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]])


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "chain", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def chain(tokens):
    """A model of three letters: fixed shares after each letter, those of the last letter seen."""
    return torch.tensor(chain_shares).log()[tokens]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "even-text", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def even_text(seed):
    """What your function writes in 5 texts of 9 new letters, if 7 letters are always about equally likely."""
    def model(tokens):
        return (torch.arange(7) / 100).repeat(*tokens.shape, 1)
    text = numbers(generate(model, torch.zeros(5, 1, dtype=torch.long), 4, 9, torch.Generator().manual_seed(seed)))
    assert text.shape == (5, 10), f"the shape is {text.shape} and should be (5, 10)\ngive back the prompt and the new tokens"
    return text[:, 1:]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shares-drawn-too", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def shares_drawn(*settings, **named):
    """How often each letter came first, and second after each first one, in 4000 sequences; rounded to what chance allows."""
    text = numbers(generate(chain, torch.zeros(4000, 1, dtype=torch.long), 4, 2, torch.Generator().manual_seed(3), *settings, **named))
    assert text.shape == (4000, 3), f"the shape is {text.shape} and should be (4000, 3)\ngive back the prompt and the new tokens"
    pairs = np.array([[np.mean((text[:, 1] == a) & (text[:, 2] == b)) for b in range(3)] for a in range(3)])
    return pairs


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-shares", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_shares(expected, *settings, **named):
    """Stop unless the shares of pairs are those of the chain, within five standard errors."""
    got, expected, plain = shares_drawn(*settings, **named), np.array(expected), chain_shares[0][:, None] * chain_shares
    apart, changed = (np.abs(got - right) > 5 * np.sqrt(right * (1 - right) / 4000) + 1e-9 for right in (expected, plain))
    clue = ("Draw each sequence for itself, from the probabilities of its last row, with all three settings." if changed.any() else
            "They come as without this setting: hand temperature, top_k and top_p on, each to its own place.")
    assert not apart.any(), (f"4000 sequences of two letters, drawn {'with ' + str(named or settings) if named or settings else 'as they are'}: "
        f"the pairs come with the shares\n{np.round(got, 3)}\nwhere the probabilities are\n{np.round(expected, 3)}\n"
        f"{clue}")


# %% nbgrader={"grade": true, "grade_id": "generate-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("generate", tokens="sequence place")
prompt = torch.tensor([[1, 2, 4], [4, 0, 6]])
check("generate", "top_k = 1, 5 new tokens", written, prompt, 9, 5, top_k=1)
check("generate", "top_k = 1, and a context of 2", written, prompt, 2, 5, 1.0, 1)
check("generate", "no new token", written, prompt, 5, 0)
first, again, other = map(even_text, (1, 1, 2))
assert np.array_equal(first, again), "the same seed gives another text\nlet all chance come from the generator that was passed"
assert (first != 6).any(), "only the likeliest letter comes, though it is hardly likelier\ndraw from the probabilities: don't take the largest"
assert np.ptp(first, axis=0).any(), "all sequences get the same letters, though no letter is likelier\ndraw for each sequence on its own"
assert np.ptp(first, axis=1).any(), "each sequence repeats one letter, though no letter is likelier\ndraw anew at each step, and don't seed the generator there"
assert not np.array_equal(first, other), "another seed gives the same text\ndraw with the generator that was passed, and don't seed it"
check_shares([[0.25, 0.15, 0.1], [0.045, 0.015, 0.24], [0.05, 0.14, 0.01]])
check_shares([[0.3906, 0.2344, 0], [0.0592, 0, 0.3158], [0, 0, 0]], top_k=2)
check_shares([[0.3906, 0.2344, 0], [0, 0, 0.375], [0, 0, 0]], top_p=0.6)
roots = np.sqrt(chain_shares) / np.sqrt(chain_shares).sum(axis=1, keepdims=True)
check_shares(roots[0][:, None] * roots, temperature=2.0)
### BEGIN HIDDEN TESTS
for seed, batch, seq, context, new in [(1080, 3, 4, 6, 7), (1081, 2, 5, 3, 4), (1082, 4, 1, 2, 3)]:
    rng = np.random.default_rng(seed)
    tokens = torch.tensor(rng.integers(7, size=(batch, seq)))
    expected = [list(row) for row in tokens.tolist()]
    for row in expected:
        for _ in range(new):
            seen = row[-context:]
            row.append(sum((n + 1) * token for n, token in enumerate(seen)) % 7)
    given = tokens.clone()
    check_numbers(written(given, context, new, top_k=1), expected, "in text that leaves no choice", f"with {batch=}, {seq=}, {context=}, ", 0)
    check_same([given], [tokens])
squares = np.array([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]]) ** 2
squares = squares / squares.sum(axis=1, keepdims=True)
check_shares(squares[0][:, None] * squares, temperature=0.5)
check_shares(np.array([[0.625, 0.375, 0]]).T * np.array([[0.625, 0.375, 0], [0, 0, 1], [0.2631579, 0.7368421, 0]]), top_p=0.75)
### END HIDDEN TESTS

# %% [markdown]
# What does your model write? Its texts begin with a space. The next cell uses a context of **31**, although the model has 32 positions. Why? The last position never had a target in training: row 31 would predict letter 32, and no sequence had one. So its logits were never trained.

# %% tags=["demonstration"]
trained.eval()
with torch.no_grad():
    for settings in [{"temperature": 0.5}, {"temperature": 1.0}, {"temperature": 2.0}, {"top_p": 0.9}]:
        text = generate(trained, torch.tensor([[1]]), 31, 60, torch.Generator().manual_seed(0), **settings)
        print(f"{str(settings):20}", "".join(LETTERS[token] for token in text[0].tolist()))
source = sample_language(pairs, table, torch.tensor([61]), 61, torch.Generator().manual_seed(2))
print(f"{'the source itself':20}", "".join(LETTERS[token] for token in source[0].tolist()))


# %% [markdown]
# At temperature 1 you can hardly tell it from the source. At 0.5 it repeats what is likely. At 2 it is bolder: over 300 such texts, 3.6 letters in 100 were ones that the language forbids, against 0.1 at temperature 1. How much does the untrained last row cost? The next cell writes 500 texts of 64 letters with both contexts, and asks the source how surprised it is by them: by the letters 2 to 30, and by those from 36 on, where the window has to slide.

# %% tags=["demonstration"]
def surprise(text):
    """(mean surprise of the source, share of letters that it forbids), early and late."""
    chances = table[text[:, :-2], text[:, 1:-1], text[:, 2:]]  # of the letters 2, 3, …
    parts = chances[:, :29], chances[:, 34:]
    return [(-part[part > 0].log().mean().item(), (part == 0).double().mean().item()) for part in parts]


with torch.no_grad():
    for context in (32, 31):
        prompt = torch.multinomial(single, 500, replacement=True, generator=torch.Generator().manual_seed(3))[:, None]
        text = generate(trained, prompt, context, 63, torch.Generator().manual_seed(4))
        (early, _), (late, forbidden) = surprise(text)
        print(f"context {context}: letters 2 to 30 {early:.2f} nats, from 36 on {late:.2f} nats, {forbidden:.2%} forbidden", flush=True)


# %% [markdown]
# With a context of 32 each late letter is drawn from the row that never had a target, and the text falls apart: 2.5 nats in our run, where 0.96 is right. With 31 it stays near 1.05.

# %% [markdown]
# ## Looking inside
#
# Your language model knows a fixed table by heart. Real models also continue what they have **never seen**: in a text with a strange name, they get it right the second time. Elhage and others (2021) and Olsson and others (2022) found how: by two attention heads that work together.
#
# 1. A **previous-token head** in layer 0 lets each token look at the one before it, and writes there "before me stood A".
# 2. An **induction head** in layer 1 stands at an A, looks for the place where it says "before me stood A", and copies what stands *there*.
#
# So A B … A is continued by B, whatever A and B are. The next cells train a model that needs this: two layers of attention and nothing else. Its texts are random blocks of 6 to 16 of 32 tokens, repeated. The first time, nothing can be predicted. After that, everything can.

# %% nbgrader={"grade": false, "grade_id": "attention-only", "locked": true, "schema_version": 3, "solution": false, "task": false}
class AttentionOnly(nn.Module):
    """Layers of attention on a residual stream; no norm, no network, an output layer of its own."""

    def __init__(self, vocab, context, d_model, num_heads, num_layers=2):
        super().__init__()
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.layers = nn.ModuleList(CausalAttention(d_model, num_heads) for _ in range(num_layers))
        self.unembed = nn.Linear(d_model, vocab, bias=False)

    def forward(self, tokens):
        x, seen = self.token(tokens) + self.position(torch.arange(tokens.shape[1])), []
        for layer in self.layers:
            out, weights = layer(x)
            x, seen = x + out, [*seen, weights]
        return self.unembed(x), seen


# %% nbgrader={"grade": false, "grade_id": "repeated", "locked": true, "schema_version": 3, "solution": false, "task": false}
def repeated(batch, seq, vocab, low, high, generator):
    """Random blocks of low to high tokens, each repeated and cut to seq: (batch, seq)."""
    period = torch.randint(low, high + 1, (batch, 1), generator=generator)
    block = torch.randint(vocab, (batch, high), generator=generator)
    return block.gather(1, torch.arange(seq) % period)


def repeated_loss(model, generator):
    """The mean loss on 32 new sequences of 32 tokens."""
    tokens = repeated(32, 32, 32, 6, 16, generator)
    return token_losses(model(tokens)[0], tokens).mean()


# %% [markdown]
# Predict: will the loss fall evenly? Knowing nothing costs ln 32 = 3.466, in the repetition as well. (Training takes about ten seconds.)

# %% tags=["demonstration"]
torch.manual_seed(0)
inductive = start_small(AttentionOnly(32, 32, 64, 2), 0.1)
curve = train(inductive, repeated_loss, steps=1200)

# %% alt="Training loss over 1,200 steps. For about 100 steps it hardly leaves the dotted line ln 32 = 3.47, between steps 100 and 200 it drops steeply to below 2, then it falls slowly to about 1.3." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(np.convolve(curve, np.ones(10) / 10, mode="valid"))
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="step", ylabel="loss, mean of 10 steps", ylim=(0, 4))
ax.legend()
plt.show()

# %% [markdown]
# For a hundred steps little happens, then the loss drops. One head alone gains nothing: the second is useless before the first has learnt its part, and the other way round. It can't fall to 0, since the first block of each text can't be guessed.
#
# Now ask about texts of 16 random tokens, twice. Look at the loss position by position.

# %% alt="Loss by position on 16 random tokens that come twice: in the first block it rises from 3.6 to 4.3, above the dotted line ln 32; at the second block it drops, 2.3 at its first token, and from its third on it stays near 0.1." tags=["demonstration"]
probe = torch.randint(32, (200, 16), generator=torch.Generator().manual_seed(10_000)).repeat(1, 2)
with torch.no_grad():
    logits, seen = inductive(probe)
by_position = token_losses(logits, probe).mean(dim=0)
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(range(1, 32), by_position.numpy(), "o-", markersize=3)
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="position of the token that is predicted", ylabel="loss, nats", ylim=(0, 5))
ax.legend()
plt.show()
print(f"first block {by_position[:15].mean():.2f}, second block {by_position[16:].mean():.3f}")


# %% [markdown]
# In the first block the model does worse than guessing: it bets on copies even there, and loses, the more the longer the block lasts. The first token of the second block costs less already, 2.3 nats: no block has more than 16 tokens, so the model knows that a repetition begins. From the third on, nearly all is known.

# %% [markdown]
# ## 8.12 Which head looks where it should?
#
# **3 points · about 20 minutes · difficulty ●●●**
#
# An induction head that stands at a token A looks at what came **after** an earlier A. How much of its attention goes there? Olsson and others measure it by the *prefix matching score*.
#
# Take a query at place `i`. Its matches are the keys `j ≤ i` whose **predecessor** is the same token as the query's: `tokens[j − 1] == tokens[i]`, for `j ≥ 1`. The mass of the query is the sum of its attention over all its matches. The score of a head is the mean mass over all queries **that have a match**, in all sequences of the batch. If no query has one, it is 0.
#
# An example: for the tokens A B A C A, the queries with matches are place 2 (an A; its match is 1, since at 0 stands an A) and place 4 (an A; its matches are 1 and 3).
#
# If a token comes twice in a row, `j = i` is a match as well: place `i` then stands after the same token.
#
# | operation | what | shape |
# |---|---|---|
# | matches | query `i`, key `j` | `(batch, seq, seq)` |
# | mass | the sum of weights over the matches | `(batch, num_heads, seq)` |
# | score | the mean over queries with a match | `(num_heads,)` |
#
# <details><summary>Hint 1: a question</summary>
#
# `tokens[:, :, None] == tokens[:, None, :]` says for query `i` and key `j` whether both tokens are the same. By how many places, and along which axis, has it to be moved to speak of the token before `j`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tril()` keeps `j ≤ i`. A table of zeros whose columns from 1 on are assigned. `any(dim=-1)`, `sum(dim=...)` also over several axes, `clamp(min=1)` for a count that may be 0.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Compare each token with each token. Move the result one column to the right, with nothing in column 0. Keep what is not in the future. Which queries have a match? Multiply the weights by the matches and sum over the keys. Sum over all queries and sequences, and divide by the number of queries with a match.
# </details>

# %% nbgrader={"grade": false, "grade_id": "prefix-matching-score", "locked": false, "schema_version": 3, "solution": true, "task": false}
def prefix_matching_score(weights, tokens):
    """How much attention goes to tokens that follow an earlier copy of the query's token.

    weights: (batch, num_heads, seq, seq), row = query. tokens: (batch, seq).
    Returns (num_heads,): the mean over all queries that have such a
    key, 0 if there are none.
    """
    ### BEGIN SOLUTION
    same = tokens[:, :, None] == tokens[:, None, :]
    match = F.pad(same[:, :, :-1], (1, 0)).tril()
    mass = (weights * match[:, None]).sum(dim=-1)
    return mass.sum(dim=(0, 2)) / match.any(dim=-1).sum().clamp(min=1)
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "score-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some_weights(start, batch, heads, seq, dtype=torch.float32):
    """Causal weights whose rows sum to 1."""
    scores = some_numbers(start, batch, heads, seq, seq, dtype=dtype)
    return scores.masked_fill(torch.ones(seq, seq).triu(1).bool(), -math.inf).softmax(dim=-1)


def with_future(weights):
    """The same weights, and something above the diagonal that must not count."""
    return weights + torch.ones_like(weights).triu(1) / 2


# %% nbgrader={"grade": true, "grade_id": "prefix-matching-score-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("prefix-matching-score", score="head")
check("prefix-matching-score", "A B A C A, as in the text", prefix_matching_score, some_weights(0, 1, 3, 5), torch.tensor([[0, 1, 0, 2, 0]]))
tokens = torch.tensor([[1, 2, 1, 2, 3, 1, 2], [4, 4, 4, 1, 5, 0, 4]])
check("prefix-matching-score", "2 sequences, tokens twice in a row", prefix_matching_score, some_weights(3, 2, 3, 7), tokens)
check("prefix-matching-score", "one query alone has a match", prefix_matching_score, some_weights(6, 1, 2, 4), torch.tensor([[3, 1, 2, 1]]))
check("prefix-matching-score", "no token comes again", prefix_matching_score, some_weights(5, 2, 4, 3), torch.tensor([[0, 1, 2], [5, 3, 4]]))
lonely = torch.tensor([[0, 1, 2, 3, 4], [3, 0, 3, 3, 1], [2, 4, 0, 2, 4]])
check("prefix-matching-score", "3 sequences, one of them without a match", prefix_matching_score, with_future(some_weights(8, 3, 2, 5)), lonely)
### BEGIN HIDDEN TESTS
for seed, batch, heads, seq, vocab in [(1180, 3, 2, 8, 3), (1181, 2, 4, 6, 2), (1182, 4, 1, 9, 12), (1183, 2, 3, 4, 60)]:
    rng = np.random.default_rng(seed)
    tokens = rng.integers(vocab, size=(batch, seq)) if vocab < 60 else rng.permuted(np.tile(np.arange(seq), (batch, 1)), axis=1)
    weights, masses = np.tril(rng.random((batch, heads, seq, seq))), [[] for _ in range(heads)]
    weights = weights / weights.sum(axis=-1, keepdims=True)
    for b, i in np.ndindex(batch, seq):
        matches = [j for j in range(1, i + 1) if tokens[b, j - 1] == tokens[b, i]]
        for h in range(heads if matches else 0):
            masses[h].append(math.fsum(weights[b, h, i, j] for j in matches))
    expected = [math.fsum(mass) / len(mass) if mass else 0.0 for mass in masses]
    given = torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)
    check_numbers(prefix_matching_score(*given), expected, "in the scores of larger weights", f"with {batch=}, {heads=}, {seq=}, {vocab=}, ")
    check_same(given, (torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# Which of the four heads is which? The next cell scores them all. The previous-token score is the mean weight on the token just before. Row 31 is left out, since it never had a target. Predict: which layer has the induction heads?

# %% tags=["demonstration"]
def scores_of_heads(seen, tokens):
    """(previous-token, prefix matching) scores of each layer's heads, on the rows and keys 0 to 30."""
    cut = [weights[:, :, :31, :31] for weights in seen]
    previous = [weights.diagonal(-1, -2, -1).mean(dim=(0, 2)) for weights in cut]
    return previous, [prefix_matching_score(weights, tokens[:, :31]) for weights in cut]


previous, matching = scores_of_heads(seen, probe)
for layer, head in np.ndindex(2, 2):
    print(f"layer {layer}, head {head}: previous token {previous[layer][head]:.2f}, prefix matching {matching[layer][head]:.2f}")
writer = int(previous[0].argmax())  # the previous-token head: which of the two it is changes with the seed

# %% alt="Three heatmaps of one text of 16 random tokens that come twice. Layer 0's previous-token head: a bright stripe one below the diagonal. Both heads of layer 1: a bright stripe 15 below the diagonal in the lower half, diffuse in the upper half." tags=["demonstration"]
fig, axes = plt.subplots(1, 3, figsize=(11, 3.9), layout="constrained", sharey=True)
for ax, (layer, head) in zip(axes, [(0, writer), (1, 0), (1, 1)]):
    image = ax.imshow(seen[layer][0, head, :31, :31].numpy(), vmin=0, vmax=1, cmap="cividis")
    few = [n if n % 5 == 0 else "" for n in range(31)]
    ax.set(xticks=range(31), xticklabels=few, xlabel="key", title=f"layer {layer}, head {head}")
axes[0].set(yticks=range(31), yticklabels=few, ylabel="query")
fig.colorbar(image, ax=axes, label="weight")
plt.show()


# %% [markdown]
# One head of layer 0 looks one token back, all the time. Both heads of layer 1 look 15 tokens back in the second block: to the place **after** the first copy, 16 back, of the token where they stand. In the first block there is little to find, and their weight is spread over a few early tokens. (So their scores are not 1: random tokens come twice within the first block, too, and those queries count. In the second block alone the scores are 0.94 and 0.96.) Nobody told them the distance. In training it changed from text to text.

# %% [markdown]
# ## 8.13 What a head copies
#
# **2 points · about 15 minutes · difficulty ●●●**
#
# Where a head looks is half of the story. What does it do with what it finds? Lesson 01 had the OV circuit: from the token that is looked at, to what is added to the output. With one more matrix at each end it speaks of tokens. For head $h$:
#
# $$C = E\, V_h^\top\, O_h^\top\, U^\top$$
#
# $E$ is `embed` and $U$ is `unembed`, both `(vocab, d_model)`. $V_h$ are the head's **rows** of `v_weight`, `(hidden, d_model)`, and $O_h$ its **columns** of `mix_weight`, `(d_model, hidden)`, as `nn.Linear` keeps them. $C[a, b]$ says how much it raises the logit of token $b$ to attend to token $a$. Biases are left out.
#
# A head that copies has a large diagonal: attending to $a$ speaks for $a$. As one number, Elhage and others take the eigenvalues $\lambda$ of $C$:
#
# $$\text{copying score} = \frac{\sum \mathrm{Re}\, \lambda}{\sum |\lambda|}$$
#
# It is 1 if all are positive (it copies), −1 if all are negative (it says "anything but this"), and near 0 if they point everywhere.
#
# <details><summary>Hint 1: a question</summary>
#
# With `v_weight` of shape (hidden, d_model), on which axis do the heads lie side by side? And in `mix_weight`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `hidden // num_heads` is the size of a head, `slice(a, b)` or `a:b`. `torch.linalg.eigvals` gives complex numbers: take `.real` or `.abs()` before you sum. The matrix is not symmetric, so `eigvalsh` is wrong here.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take the head's rows of the one and its columns of the other. Embeddings times the first, turned, times the second, turned, times the unembedding, turned. For the score: eigenvalues, the sum of their real parts, divided by the sum of their absolute values.
# </details>

# %% nbgrader={"grade": false, "grade_id": "ov-circuit", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    """How much attending to each token raises the logit of each token, by one head.

    embed, unembed: (vocab, d_model). v_weight: (hidden, d_model),
    mix_weight: (d_model, hidden).
    Returns (vocab, vocab): row = the token that is looked at, column = the
    token whose logit it raises.
    """
    ### BEGIN SOLUTION
    size = v_weight.shape[0] // num_heads
    own = slice(head * size, (head + 1) * size)
    return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
    ### END SOLUTION


def copying_score(circuit):
    """The sum of the eigenvalues' real parts, divided by the sum of their
    absolute values: a float.

    circuit: (vocab, vocab), not symmetric.
    """
    ### BEGIN SOLUTION
    values = torch.linalg.eigvals(circuit)
    return float(values.real.sum() / values.abs().sum())
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the circuit (1 point). Test 2 of 2: the score (1 point).** They don't need each other.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "circuit-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def circuit_inputs(start, vocab, d_model, hidden):
    """Embedding, unembedding, and the weights of values and mix."""
    shapes = (vocab, d_model), (vocab, d_model), (hidden, d_model), (d_model, hidden)
    return [some_numbers(start + 23 * n, *shape, dtype=torch.float64) for n, shape in enumerate(shapes)]


# %% nbgrader={"grade": true, "grade_id": "ov-circuit-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ov-circuit", circuit="from to")
check("ov-circuit", "6 tokens, head 1 of 5", ov_circuit, *circuit_inputs(1, 6, 10, 15), 1, 5)
check("ov-circuit", "4 tokens, head 2 of 3", ov_circuit, *circuit_inputs(5, 4, 7, 6), 2, 3)
check("ov-circuit", "6 tokens, head 0 of 4, as wide as the model", ov_circuit, *circuit_inputs(8, 6, 8, 8), 0, 4)
### BEGIN HIDDEN TESTS
for seed, vocab, d_model, hidden, heads in [(1280, 9, 5, 12, 3), (1281, 6, 7, 8, 2), (1282, 11, 10, 12, 4)]:
    rng = np.random.default_rng(seed)
    E, U, V, O = (rng.normal(size=shape) for shape in [(vocab, d_model), (vocab, d_model), (hidden, d_model), (d_model, hidden)])
    for head in range(heads):
        expected = np.zeros((vocab, vocab))
        for a, b in np.ndindex(vocab, vocab):
            value = [V[n] @ E[a] for n in range(head * hidden // heads, (head + 1) * hidden // heads)]
            expected[a, b] = U[b] @ sum(O[:, head * hidden // heads + n] * one for n, one in enumerate(value))
        given = [torch.tensor(one) for one in (E, U, V, O)]
        check_numbers(ov_circuit(*given, head, heads), expected, "in a larger circuit", f"with {vocab=}, {d_model=}, {hidden=}, {head=}, {heads=}, ")
        check_same(given, [torch.tensor(one) for one in (E, U, V, O)])
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "copying-score-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ov-circuit", score="")
check("ov-circuit", "the score of 5 by 5 numbers", copying_score, some_numbers(118, 5, 5, dtype=torch.float64))
check("ov-circuit", "the score of a matrix with the eigenvalues 3, 1 and −2", copying_score, torch.tensor([[3.0, 5, 1], [0, 1, 4], [0, 0, -2]]))
check("ov-circuit", "the score of a quarter turn", copying_score, torch.tensor([[0.0, -1], [1, 0]]))
check("ov-circuit", "the score of minus the identity", copying_score, -torch.eye(4))
### BEGIN HIDDEN TESTS
for seed, vocab in [(1285, 6), (1286, 9), (1287, 12)]:
    rng = np.random.default_rng(seed)
    # Of known eigenvalues: real ones, and pairs a ± bi, in a basis of no right angles.
    real, pairs_of = rng.normal(size=vocab // 3), rng.normal(size=((vocab - vocab // 3) // 2, 2))
    blocks, at = np.zeros((vocab, vocab)), len(real)
    blocks[range(at), range(at)] = real
    for a, b in pairs_of:
        blocks[at:at + 2, at:at + 2] = [[a, -b], [b, a]]
        at += 2
    basis = rng.normal(size=(vocab, vocab)) + 2 * np.eye(vocab)
    sizes = math.fsum(abs(real)) + 2 * math.fsum(np.hypot(*pairs_of.T))
    expected = (math.fsum(real) + 2 * math.fsum(pairs_of[:, 0])) / sizes
    given = torch.tensor(basis @ blocks @ np.linalg.inv(basis))
    check_numbers(copying_score(given.clone()), expected, "in the score of a larger circuit", f"with {vocab=}, ", 1e-6)
### END HIDDEN TESTS

# %% tags=["demonstration"]
with torch.no_grad():
    for layer, head in np.ndindex(2, 2):
        attention = inductive.layers[layer]
        circuit = ov_circuit(inductive.token.weight, inductive.unembed.weight, attention.v.weight, attention.mix.weight, head, 2)
        print(f"layer {layer}, head {head}: copying score {copying_score(circuit):5.2f}")


# %% [markdown]
# Both induction heads copy: 1.00, all eigenvalues positive. The heads of layer 0 have negative scores: what they attend to becomes less likely.

# %% [markdown]
# ## 8.14 Cut it out
#
# **1 point · about 5 minutes · difficulty ●○○**
#
# Scores are hints. Whether a head is *needed* shows when it is gone. `ablate_head` returns a **new** weight of the `mix` layer in which one head's columns are 0: whatever this head finds, nothing of it is written.
#
# <details><summary>Hint 1: a question</summary>
#
# `mix` computes `x @ weight.T`. Which axis of `weight` meets the heads side by side: rows or columns?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `mix_weight.clone()`, and an assignment to `[:, a:b]`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "ablate-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ablate_head(mix_weight, head, num_heads):
    """The weight of mix with one head's columns set to 0, as a new tensor.

    mix_weight: (d_model, hidden). Returns (d_model, hidden).
    """
    ### BEGIN SOLUTION
    size = mix_weight.shape[1] // num_heads
    without = mix_weight.clone()
    without[:, head * size:(head + 1) * size] = 0
    return without
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ablate-head-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ablate-head", weight="out in")
check("ablate-head", "10 by 15, head 1 of 5", ablate_head, some_numbers(1, 10, 15), 1, 5)
check("ablate-head", "6 by 6, head 0 of 3", ablate_head, some_numbers(4, 6, 6), 0, 3)
check("ablate-head", "5 by 8, head 2 of 4", ablate_head, some_numbers(8, 5, 8), 2, 4)
### BEGIN HIDDEN TESTS
for seed, d_model, hidden, heads in [(1380, 5, 12, 3), (1381, 8, 8, 2), (1382, 7, 10, 5)]:
    weight = np.random.default_rng(seed).normal(size=(d_model, hidden))
    for head in range(heads):
        kept = [n // (hidden // heads) != head for n in range(hidden)]
        given = torch.tensor(weight, dtype=torch.float32)
        check_numbers(ablate_head(given, head, heads), weight * kept, "in a larger weight", f"with {d_model=}, {hidden=}, {head=}, {heads=}, ")
        check_same([given], [torch.tensor(weight, dtype=torch.float32)])
### END HIDDEN TESTS

# %% [markdown]
# Predict the loss in the second block, which was about 0.1: without the previous-token head, without its neighbour, without one induction head, without both.

# %% tags=["demonstration"]
def second_block(*heads):
    """The loss in the second block without these heads (layer, head)."""
    other = copy.deepcopy(inductive)
    with torch.no_grad():
        for layer, head in heads:
            mix = other.layers[layer].mix
            mix.weight.copy_(ablate_head(mix.weight, head, 2))
        return token_losses(other(probe)[0], probe)[:, 16:].mean().item()


for name, heads in {"all heads": [], "without the previous-token head": [(0, writer)], "without its neighbour": [(0, 1 - writer)],
                    "without head 0 of layer 1": [(1, 0)], "without head 1 of layer 1": [(1, 1)], "without both": [(1, 0), (1, 1)]}.items():
    print(f"{name:32}: {second_block(*heads):.2f}")

# %% [markdown]
# Without the previous-token head, the second block costs 3.0 nats of the 3.5 that knowing nothing costs: the induction heads are whole, but there is hardly anything for them to find. Its neighbour costs 0.3. Each of the two induction heads does a part of the other's work: without one of them, the loss is 0.9 or 1.4. Without both, nothing is left. Over eight seeds, the previous-token head's loss was always between 2.5 and 3.2, both induction heads' always above 3.49. But *which* head of layer 0 it was changed with the seed. So choose heads by their scores, never by their numbers.

# %% [markdown] nbgrader={"grade": false, "grade_id": "three-reports", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 8.15 In your own words: three reports
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# Three classmates have trained a TinyLM on the language of this lesson. Each reports the training loss:
#
# 1. "2.1, and it will not fall."
# 2. "0.000 after a few minutes!"
# 3. "0.74. That is better than the entropy!"
#
# Which bug is it in each case, and with which check of one line could they have found it? If a report fits two bugs, say what tells them apart. Three to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **Report 1:** softmax before the cross-entropy. Twelve probabilities, taken as logits, can't give a loss below ln(e + 11) − 1 = 1.619. Checks: do rows of what goes into `cross_entropy` sum to 1? Is the loss of logits ±1000 near 0 or near 1000?
#
# **Report 2:** no shift, so that the token predicts itself (tied weights make it easy), or no mask, so that the next token is seen. `leak` tells them apart: it is 0 without the shift, and not 0 without the mask. A loss far below the entropy can't be honest.
#
# **Report 3:** padding is counted: easy targets in the mean. Check: count the targets, or compare with the mean over real ones only. No honest model is better than the source.
#
# **2 points** for all three bugs with checks, **1 point** for two of the three, or for all three without checks.
#
# **Half right (1 point of 2):** "1 is a softmax too much, 2 is a missing mask, 3 has overfitted." Report 2 fits two bugs, and new text is drawn at each step, so nobody can overfit.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-two-layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# ## 8.16 In your own words: why two layers?
#
# **1 point · about 5 minutes · difficulty ●●○ · read by a person**
#
# We trained the same model with one layer instead of two. The second block's loss was 2.2: better than ln 32 = 3.47, but far from 0.1. Why can one layer of attention not be an induction head? Two or three sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point:** the query at an A has to find the place *after* the earlier A. So the key there must say what stood **before** it. In the first layer a key is made of its own token and its position only, and the token's own vector doesn't say it. It takes a head in a layer below that writes it there (the previous-token head; K-composition). What one layer can learn is which tokens came, not which comes next: 2.2 nats.
#
# **Half right (½ point):** "One layer is too small to learn it." or "It needs two steps." Nothing says what is missing in the key.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What real systems change
#
# What you have built is, piece by piece, the kind of model that is in use. This is what larger ones do otherwise, and the exercise here from which each grew:
#
# | what | how, and where to read | here |
# |---|---|---|
# | norm | only divide by the root mean square, no mean, no bias: Zhang and Sennrich, *Root Mean Square Layer Normalization*, 2019 | 8.3 |
# | network | a product of two linear layers, one through a gate: Shazeer, *GLU Variants Improve Transformer*, 2020 | 8.4 |
# | mixtures of experts | many networks, of which each token uses one or two: Fedus, Zoph and Shazeer, *Switch Transformers*, 2021 | 8.4 |
# | positions | queries and keys are turned, instead of vectors added: Su and others, *RoFormer*, 2021 | 8.6, 7.10 |
# | kernels | attention in tiles, without the table: Dao and others, *FlashAttention*, 2022 | 7.4 |
# | longer context | a cache that stays small, with shared keys: Ainslie and others, *GQA*, 2023 | 8.11, 7.7, 7.8 |
# | training | how large, and on how much text: Hoffmann and others, *Training Compute-Optimal Large Language Models*, 2022 | 8.8 |

# %% [markdown]
# ## What you have built
#
# You have built a language model from its loss to its text, and measured it against the best that is possible. You have met bugs that look like success, and checks that unmask them: a known limit, a leak test, a second route.
#
# And you have looked inside a model: found the heads of a mechanism by scores, said what they copy, and shown by cutting that they are needed. With this, the course ends.
#
# ### Three questions to think about
#
# 1. The first prediction of a sequence can't be better than H1, all others than H2. What would the picture of losses by position look like for a language in which each letter depends on the three before it?
# 2. The induction heads' texts had blocks of 6 to 16 tokens. What could a model learn instead if the block always had 16 tokens, and how would its scores differ?
# 3. A head has a prefix matching score of 0.8, and cutting it out changes the loss by nothing. How can both be true?
#
# <details><summary>Answers</summary>
#
# 1. Three steps: the first prediction stands on the limit given one letter, the second on that given two, and all others on that given three, the entropy of that source.
# 2. It could learn to look 15 places back, by position alone: no previous-token head is needed, one layer is enough. On texts with another period it would fail, and so would its prefix matching score there. Changing periods force the model to look at what the tokens are.
# 3. Another head does the same, and steps in. (Here it did so in part only: without one of two induction heads, the loss was 0.9 or 1.4 instead of 3.5.) Or what the head writes is not used, or cancels with another's. A score says where a head looks, a cut says whether it is missed, and neither says what all the others do.
#
# </details>
#
# ### References
#
# - Nelson Elhage, Neel Nanda, Catherine Olsson and others: *A Mathematical Framework for Transformer Circuits*, 2021. OV circuits, induction heads in two layers, the copying score.
# - Catherine Olsson, Nelson Elhage, Neel Nanda and others: *In-context Learning and Induction Heads*, 2022. The prefix matching score, and the sudden drop of the loss.
# - Claude E. Shannon: *A Mathematical Theory of Communication*, 1948. Entropy, and languages made from tables.
# - Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton: *Layer Normalization*, 2016. The norm of 8.3.
# - Dan Hendrycks, Kevin Gimpel: *Gaussian Error Linear Units (GELUs)*, 2016. The GELU of 8.4, and its tanh form.
# - Ruibin Xiong, Yunchang Yang, Di He and others: *On Layer Normalization in the Transformer Architecture*, 2020. Pre-norm and post-norm.
# - Ofir Press, Lior Wolf: *Using the Output Embedding to Improve Language Models*, 2017. Tied weights.
# - Ilya Loshchilov, Frank Hutter: *SGDR: Stochastic Gradient Descent with Warm Restarts*, 2017. The cosine of 8.8.
# - Ari Holtzman, Jan Buys, Li Du, Maxwell Forbes, Yejin Choi: *The Curious Case of Neural Text Degeneration*, 2020. `top_p` of 8.10.
