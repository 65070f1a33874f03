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
# # Many heads, batches and masks
#
# *Attention, Graded · lesson 03 · NumPy · about 190 minutes · 26 points*
#
# One head on one sentence is easy to get right. Real attention gets a **batch** of sequences with different lengths, **masks** that say who may look at whom, and **many heads**, each an attention with its own queries, keys and values, that share one array. This is where most real bugs live: the shapes fit, the code runs, and the numbers are wrong.
#
# You build all of it in NumPy. At the end you change roles twice: you repair a function with six slips, and you write the test that tells right implementations from wrong ones.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# Some exercises have several test cells. They use small arrays; when your notebook is graded, larger random ones are tried as well. If an exercise won't come, leave it and go on: every test makes its own masks and arrays, and only 3.6 and the practice of 3.8 use your answers to 3.3 and 3.4. Cells that draw or print call your functions, so they fail until your functions work. The 190 minutes count reading and demonstrations as well.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **The batch comes first, a row is a token** | arrays are `(batch, seq, d)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, i, j]`: sequence `b`, **query `i`**, **key `j`**; with heads `scores[b, h, i, j]` |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **A mask is added to the scores** | it holds only 0 (keep) and −∞ (block). A **flat mask** `(seq_q, seq_k)` is used for every sequence; `(batch, seq_q, seq_k)` has a table for each |
# | **Shapes of the weight matrices** | `W_q`, `W_k`, `W_v`, `W_o` are all `(d_model, d_model)` and multiply from the right: `Q @ W_q` |
# | **Names of sizes** | a token has `d_model` numbers, a query and a key `d_k`, a value `d_v` |
# | **Heads** | `d_model = num_heads · depth`; head `h` owns the numbers `h·depth … (h+1)·depth − 1` of every token |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# Queries may come from one sequence and keys and values from another. So `seq_q` and `seq_k` may differ, but a key and its value are two faces of one token: `K` and `V` always have the same number of rows.

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# That a library is going to change is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)


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
 "causal-mask": {
 "made of": "963e0a57fcd7", "defines": ["create_causal_mask"],
 "advice": {
  "the diagonal blocked": "Keep the diagonal: a query may look at itself, so block only keys that come after it.",
  "transposed": "This blocks the past: the query is the row and the key the column, so block above the diagonal.",
  "inverted": "Exchange the two: keys after the query get −∞, and all others, the query's own too, get 0.",
  "plus infinity": "The sign is wrong: put −np.inf where a key is blocked, since +∞ would take all the weight.",
  "1 keeps": "This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0.",
  "1 blocks": "This mask is added to the scores: where you have 1 or True for block, put −∞.",
  "-1 blocks": "Put −∞ where you have −1: a score that is 1 smaller still gets a share.",
  "1 keeps and -∞ blocks": "Put 0 where a key is kept, not 1: the mask is added to the scores.",
  "a large negative number": "Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice.",
  "0 times infinity": "NaN comes of 0 · ∞ or of ∞ − ∞: choose between 0 and −∞, with np.where or an index, and don't calculate with ∞.",
  "NaN blocks": "Put −np.inf where a key is blocked, not NaN: a score plus NaN is NaN.",
  "one key more is kept": "The next key is still kept: block from one place right of the diagonal on.",
  "the diagonal and the past beside it blocked": "Count the diagonals again: k=0 is the diagonal itself, and above it is k=1.",
  "only the next key": "Block all keys after the query, not only the next one.",
  "the last key never blocked": "The last key is never blocked: let the loop over the keys run up to seq_len.",
  "always of size 3": "Take the size of the table from seq_len: it is (seq_len, seq_len).",
  "nothing blocked": "Nothing is blocked: put −∞ where the key comes after its query.",
  "an axis too many": "Leave out the axis of length 1: the mask is one table, (seq_len, seq_len).",
  "one row only": "Make a row for each query: compare the keys' numbers along a row with the queries' down a column.",
  "for a batch of sequences": "Make one table of the number seq_len: there is no batch here, so its shape is (seq_len, seq_len)."},
 "calls": {
  "with 4 tokens": [["seq_len"], [[[0, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity], [0, 0, 0, -Infinity], [0, 0, 0, 0]]], [
   ["the diagonal blocked", [-1766.5, 5.6487]],
   ["transposed", [755.05, -274.03]],
   ["inverted", [-195, 664.48]],
   ["plus infinity", [816.43, 932.86]],
   ["1 keeps", [0.19519, -0.66514]],
   ["1 blocks", [0.81725, 0.93379]],
   ["-1 blocks", [-0.81725, -0.93379]],
   ["1 keeps and -∞ blocks", [-816.23, -933.53]],
   ["a large negative number", [-817250000, -933790000]],
   ["a large negative number", [-8172500000, -9337900000]],
   ["a large negative number", [-8172.5, -9337.9]],
   ["0 times infinity", [-664.76, -1449.7]],
   ["NaN blocks", [635, 725.56]],
   ["one key more is kept", [-719.51, 615.77]],
   ["the diagonal and the past beside it blocked", [-1969.1, -558.31]],
   ["only the next key", [-96.924, -1548.6]],
   ["the last key never blocked", [1738, 0.7595]],
   ["always of size 3", [2073.3, 854.48, [3, 3]]],
   ["nothing blocked", [0, 0]],
   ["an axis too many", [-816.43, -932.86, [1, 4, 4]]],
   ["one row only", [0, 0, [4]]],
   ["for a batch of sequences", [-736.6, -1899.1, [4, 4, 4]]]]],
  "with a single token": [["seq_len"], [[[0]]], []]}},
 "padding-mask": {
 "made of": "23a576576a20", "defines": ["create_padding_mask"],
 "advice": {
  "padding along queries": "Block columns, not rows: the padded keys stand along the last axis, and all queries must not see them.",
  "rows and columns": "Block the columns only: the queries at padded places keep their rows, and look at the real keys.",
  "only the corner": "Block a padded key for every query, not only for the padded ones: all rows of a sequence are alike.",
  "only for the real queries": "Block a padded key for every query, for the padded ones, too: all rows of a sequence are alike.",
  "one key too few": "Block one key more: the first padded key stands at position length, since positions begin with 0.",
  "one key too many": "Block one key less: the last real key stands at position length − 1, and must be kept.",
  "inverted": "Exchange the two: the real keys get 0, and those from position length on get −∞.",
  "plus infinity": "The sign is wrong: put −np.inf where a key is blocked, since +∞ would take all the weight.",
  "1 blocks": "This mask is added to the scores: where you have 1 or True for block, put −∞.",
  "1 keeps": "This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0.",
  "1 keeps and -∞ blocks": "Put 0 where a key is kept, not 1: the mask is added to the scores.",
  "no axis for the queries": "Give every query its row: repeat the (batch, seq_len) table along a new axis 1, for the queries.",
  "an axis of length 1 for the queries": "Repeat the row for every query: the axis of the queries has seq_len places, not 1.",
  "the axis of the queries last": "Put the new axis before the keys, [:, None, :]: here the queries have come to stand last.",
  "an axis for heads": "Leave out the axis of length 1: the mask is (batch, seq_len, seq_len), without heads.",
  "a large negative number": "Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice.",
  "the future as well": "Leave the future open: this is the padding mask alone, and its rows are all alike.",
  "0 times infinity": "NaN comes of 0 · ∞: choose between 0 and −∞, with np.where or an index, and don't multiply.",
  "NaN blocks": "Put −np.inf where a key is blocked, not NaN: a score plus NaN is NaN.",
  "nothing blocked": "Nothing is blocked: put −∞ into the columns from position length on.",
  "returns inside the loop": "Only sequence 0 is masked: does the return stand inside the loop?",
  "one column": "Block all columns from position length on, not only that one.",
  "the last column": "Block all columns from position length on, not only the last.",
  "as many as are real, from the end": "Block from position length on: [-length:] is the last `length` columns.",
  "as many as are padded, from the end": "A sequence without padding loses all its keys: with 0 padded keys, [-0:] means everything. Count from the front.",
  "padding in front": "The padding stands at the end of a sequence: block from position length on, not the first places.",
  "rows of all sequences mixed": "All rows of a sequence must be alike, and here its rows are of different sequences: repeat each row for the queries, one sequence after the other.",
  "one table for all, filled up": "Begin each sequence with zeros of its own: here what one sequence blocks stays blocked in those after it.",
  "one table for all, put in again and again": "All sequences have one and the same mask: make a new table for each, or fill mask[b] alone.",
  "the last length for all": "All sequences got the mask of the last one: use each sequence's own length.",
  "the first length for all": "All sequences got the mask of the first one: use each sequence's own length.",
  "lengths in order of size": "Keep the order of the lengths: here they have been sorted.",
  "lengths in the opposite order": "Keep the order of the lengths: here the last one comes first.",
  "as long as the longest": "Make the mask (batch, seq_len, seq_len), also where no sequence is that long: use the argument seq_len.",
  "the notebook's size": "Take the size from the argument seq_len: 5 is that of the notebook's X.",
  "as many tables as tokens": "Make one table for each length: the first axis is the batch, len(lengths).",
  "the batch second": "Put the sequences first: the axes are (batch, query, key)."},
 "calls": {
  "with lengths [3, 1, 5, 2] in a box of 5 tokens": [["lengths", "seq_len"], [[[[0, 0, 0, -Infinity, -Infinity], [0, 0, 0, -Infinity, -Infinity], [0, 0, 0, -Infinity, -Infinity], [0, 0, 0, -Infinity, -Infinity], [0, 0, 0, -Infinity, -Infinity]], [[0, -Infinity, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity, -Infinity]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity, -Infinity], [0, 0, -Infinity, -Infinity, -Infinity]]]], [
   ["padding along queries", [128.67, -647.82]],
   ["rows and columns", [-53.162, -1573.4]],
   ["only the corner", [137.29, 63.284]],
   ["only for the real queries", [-181.83, -925.56]],
   ["one key too few", [1113, -503.7]],
   ["one key too many", [-1800.2, 748.28]],
   ["inverted", [-173.5, -155.42]],
   ["plus infinity", [44.538, 862.28]],
   ["1 blocks", [0.044582, 0.86314]],
   ["1 keeps", [0.17367, 0.15557]],
   ["1 keeps and -∞ blocks", [-44.364, -862.12]],
   ["no axis for the queries", [-1662.1, -1244.7, [4, 5]]],
   ["an axis of length 1 for the queries", [-1662.1, -1244.7, [4, 1, 5]]],
   ["the axis of the queries last", [-1662.1, -1244.7, [4, 5, 1]]],
   ["an axis for heads", [-44.538, -862.28, [4, 1, 5, 5]]],
   ["a large negative number", [-44582000, -863140000]],
   ["a large negative number", [-445.82, -8631.4]],
   ["the future as well", [1123.4, 1046]],
   ["0 times infinity", [90.404, -741.4]],
   ["NaN blocks", [34.64, 670.66]],
   ["nothing blocked", [0, 0]],
   ["returns inside the loop", [-305.29, -435.62]],
   ["one column", [-1157.5, -358.57]],
   ["the last column", [-195.25, 129]],
   ["as many as are real, from the end", [-525.95, -650.27]],
   ["as many as are padded, from the end", [-440.39, -1259]],
   ["padding in front", [307.92, -367.42]],
   ["rows of all sequences mixed", [-40.642, 568.9]],
   ["one table for all, filled up", [-596.47, 61.032]],
   ["one table for all, put in again and again", [-59.389, -478.76]],
   ["the last length for all", [35.217, 488.28]],
   ["the first length for all", [-147.81, -1339.3]],
   ["lengths in order of size", [98.725, -1267.3]],
   ["lengths in the opposite order", [232.92, 331.84]],
   ["as many tables as tokens", [-44.538, -862.28, [5, 5, 5]]],
   ["the batch second", [-40.642, 568.9, [5, 4, 5]]]]],
  "with lengths [1, 2] in a box of 3 tokens": [["lengths", "seq_len"], [[[[0, -Infinity, -Infinity], [0, -Infinity, -Infinity], [0, -Infinity, -Infinity]], [[0, 0, -Infinity], [0, 0, -Infinity], [0, 0, -Infinity]]]], [
   ["as long as the longest", [-218.33, -840.35, [2, 2, 2]]],
   ["the notebook's size", [-35.102, -849.17, [2, 5, 5]]]]],
  "with lengths given as an array": [["lengths", "seq_len"], [[[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[0, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity], [0, -Infinity, -Infinity, -Infinity]]]], []]}},
 "masked-attention": {
 "made of": "1526cb7c3b19", "defines": ["scaled_dot_product_attention"],
 "advice": {
  "no scale": "Divide the scores by √d_k before the softmax.",
  "divides by d_k": "Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice.",
  "divides by d_k ** 1 / 2": "Put brackets around the exponent: d_k ** 1 / 2 is half of d_k, and not its root.",
  "divides by d_k ** 1 / 2 without brackets": "Put brackets around the root: / d_k ** 1 / 2 divides by d_k and then by 2.",
  "multiplies by √d_k": "Divide the scores by √d_k, don't multiply.",
  "√seq_k": "Take the root of d_k, how many numbers a query has: here it is of the number of keys.",
  "√seq_q": "Take the root of d_k, how many numbers a query has: here it is of the number of queries.",
  "√batch": "Take the root of d_k, how many numbers a query has: here it is of the number of sequences.",
  "√d_v": "Take the root of d_k, how many numbers a query has: here it is of those of a value.",
  "√8, the d_model of the notebook": "Take d_k from the last axis of Q: 8 is the size of the notebook's X.",
  "scale after the softmax": "Scale the scores before the softmax, and not the weights after it: these must sum to 1.",
  "softmax over queries": "Let the maximum and the sum run along the last axis, over the keys: here each column sums to 1.",
  "sum over queries": "Let the maximum and the sum run along the last axis, over the keys: here the sum runs over the queries.",
  "softmax over the batch": "Let the maximum and the sum run along the last axis, over the keys: here they run over the sequences.",
  "sum over the batch": "Let the maximum and the sum run along the last axis, over the keys: here the sum runs over the sequences.",
  "softmax over everything": "Give the sum axis=-1 and keepdims=True: here the weights of all sequences and queries together sum to 1.",
  "softmax over each table": "Let the sum run along the last axis alone: here the weights of a whole sequence sum to 1, not those of each query.",
  "maximum over the queries": "Subtract the largest score of each row, along the last axis: here the maximum is taken over the queries.",
  "maximum over the batch": "Subtract the largest score of each row, along the last axis: here the maximum is taken over the sequences.",
  "maximum added": "Subtract each row's own largest score before exp: exp of 10000 is more than a float can hold.",
  "one maximum for all": "Subtract each row's own largest score, with axis=-1 and keepdims=True: with one maximum for all rows, some have only powers that are rounded to 0.",
  "one maximum for each sequence": "Subtract each row's own largest score, along the last axis alone: with one maximum for a sequence, some rows have only powers that are rounded to 0.",
  "the mean subtracted": "Add the mask as it is, without a minus; and before exp subtract each row's largest score, nothing else.",
  "clipped scores": "Don't clip: subtract each row's own largest score before exp, and no power is larger than 1.",
  "NaN made 0": "Subtract each row's own largest score before exp: turning NaN into numbers hides that exp has overflowed.",
  "maximum before the mask": "Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0.",
  "not normalised": "Divide each row by its sum: the weights of a query sum to 1.",
  "no softmax": "Turn the scores into weights by softmax: these are the scores.",
  "scores divided by their sum": "Take exp of the scores before you divide by the sum.",
  "softmax twice": "Apply softmax once.",
  "scores given back": "The output is right; give back the weights with it, after the softmax: these are the scores.",
  "powers given back": "The output is right; give back the weights with it, divided by their sum: these are the powers.",
  "scores mixed": "The weights are right; multiply these with V for the output: here the scores were taken.",
  "powers mixed": "The weights are right; multiply these with V for the output: here the powers were taken, before they were divided by their sum.",
  "a bare reshape of the keys": "Turn the keys with transpose or swapaxes: a reshape to (batch, d_k, seq_k) reads the same numbers in the same order, and tears the keys apart.",
  "keys of the first sequence": "Use each sequence's own keys: here all have those of the first one.",
  "queries of the first sequence": "Use each sequence's own queries: here all have those of the first one.",
  "values of the first sequence": "The weights are right; use each sequence's own values: here all have those of the first one.",
  "weights of the first sequence": "Use each sequence's own weights: here all have those of the first one.",
  "one sequence only": "Give back all sequences: this is one alone. Does a return stand inside the loop, or an index behind the arrays?",
  "one sequence only, without its axis": "Give back all sequences, with their axis in front: this is the first one alone.",
  "the last sequence only": "Give back all sequences: this is the last one alone. Collect what a loop makes in a list.",
  "values without weights": "The weights are right; multiply them with V: here the values of all keys are added up alike.",
  "the values averaged": "The weights are right; multiply them with V: here the output is the plain mean of the values.",
  "the keys mixed": "The weights are right; mix the values V with them, not the keys.",
  "queries in place of keys": "Compare the queries with the keys, Q with K: here Q is used twice.",
  "an axis too many": "Leave out the axis of length 1 in front.",
  "one thing returned": "Give back two things, the output first: (output, weights).",
  "weights first": "Give back the output first and the weights second: here they are the other way round.",
  "mask multiplied": "Add the mask, don't multiply with it: the kept scores became 0.",
  "the scores times where the mask is 0": "Give blocked keys −∞ before the softmax: here their scores became 0, and e⁰ is 1.",
  "mask ignored": "Add the mask to the scores before the softmax: here it changes nothing.",
  "mask inverted": "Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their share.",
  "a score of 0 blocked": "Ask the mask which keys are blocked, not the scores: a score of 0 is a score like any other.",
  "mask added to the weights": "Add the mask to the scores before the softmax, not to the weights.",
  "mask after softmax": "Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1.",
  "mask for the output alone": "The weights that you give back don't know of the mask: add it to the scores before the softmax, and use these weights for both.",
  "mask for the weights alone": "The weights are right; use them for the output: here it is made of weights without the mask.",
  "mask of the first sequence for all": "Use each sequence's own mask: here all have that of the first one.",
  "mask of the last sequence for all": "Use each sequence's own mask: here all have that of the last one.",
  "all masks added up": "Use each sequence's own mask: here a key that is blocked in any sequence is blocked in all.",
  "the row of the first query for all": "Use each query's own row of the mask: here all queries have that of query 0.",
  "flat mask on the first sequence only": "Use a flat mask for every sequence: here it hits the first one alone.",
  "flat mask ignored": "Use a flat mask, too: one with two axes changes nothing here.",
  "blocked keys asked for along the queries": "Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: its softmax is 0/0.",
  "a blocked row gives uniform weights": "Raise a ValueError where a row of the mask is all −∞: with a large negative number in its place such a query looks at keys that it must not see.",
  "a blocked row gives zeros": "Raise a ValueError where a row of the mask is all −∞: NaN that is turned into 0 hides the error.",
  "no check of the axes": "Look at ndim first, and raise a ValueError unless Q, K and V have three axes each.",
  "two axes made three": "Raise a ValueError for arrays with two axes: don't add an axis to them.",
  "fewer axes refused only": "Ask whether each array has exactly three axes: four must be refused, too.",
  "only the axes of Q checked": "Ask for three axes of Q, of K and of V: here one of them is not looked at.",
  "no check of d_k": "Raise a ValueError where Q.shape[2] and K.shape[2] differ: this way of multiplying repeats an axis of length 1.",
  "no check of the lengths": "Raise a ValueError where K.shape[1] and V.shape[1] differ: this way of multiplying repeats an axis of length 1.",
  "no check of the mask": "Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: adding it makes a new axis here.",
  "mask with its axes in any order": "Compare the whole shape of the mask, in its order: (4, 3) is not (3, 4).",
  "the root of a root": "Take one root of d_k: here it is the root of a root.",
  "keys of all sequences at once": "Let a query meet the keys of its own sequence alone: K has the batch as an axis, too, and here all sequences are added up.",
  "exp of the mask added": "Add the mask as it is: exp of it is 1 and 0, and 0 blocks nothing.",
  "rows of a flat mask for sequences": "Use the whole of a flat mask for every sequence: mask[b] is its row b, and a table only if the mask has three axes.",
  "the maximum after exp": "Subtract the maximum inside exp: here it is subtracted from the powers.",
  "the output scaled": "The weights are right; leave the output as it is: only the scores are divided by √d_k.",
  "axes of length 1 squeezed": "Keep axes of length 1: nothing is squeezed, and a batch of one sequence is a batch.",
  "the absolute scores": "Keep the sign of the scores: a negative one gets a small weight, not a large one.",
  "distances for scores": "Multiply queries and keys: a score is their dot product, and here they are subtracted.",
  "powers of 2": "Take e to the power of the scores: np.exp, not 2 **.",
  "only the first query's maximum": "Subtract each row's own largest score, along the last axis: here all rows of a sequence lose the maximum of the first."},
 "calls": {
  "without a mask": [["Q", "K", "V"], [[[[-0.93211, -0.613766, 0.830771, 0.890314, 0.701977], [-1.36332, -1.40943, 1.10445, -0.445856, 0.642537], [-1.87822, -1.67473, 1.55374, 1.01143, -0.145976]], [[0.390391, 1.48735, -0.667612, 0.0386668, 0.170695], [1.83977, -0.380598, 1.60754, 1.32336, -1.08356], [0.825, 0.975, -0.075, 0.325, -0.075]]], [[[0.268826, 0.0267748, 0.291697, 0.412702], [0.117929, 0.611139, 0.104762, 0.16617], [0.00920739, 0.273842, 0.0166426, 0.700308]], [[0.24305, 0.376189, 0.0452084, 0.335553], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0.25, 0.25, 0.25, 0.25]]]], [
   ["no scale", [-0.2011, -3.1655], [1.0454, -0.28455]],
   ["divides by d_k", [-0.324, -3.0727], [0.46454, -0.088493]],
   ["divides by d_k ** 1 / 2", [-0.072193, -2.5925], [0.77884, -0.31353]],
   ["divides by d_k ** 1 / 2 without brackets", [-0.26342, -3.3866], [0.29949, 0.027739]],
   ["multiplies by √d_k", [-1.2122, -3.2996], [1.1423, 0.034363]],
   ["√seq_k", [0.14033, -2.5453], [0.94262, -0.40916]],
   ["√seq_q", [0.1585, -2.6278], [0.9773, -0.4122]],
   ["√batch", [0.10213, -2.8135], [1.008, -0.38597]],
   ["√d_v", [0.098718, -2.5183], [0.90655, -0.39412]],
   ["√8, the d_model of the notebook", [-0.03521, -2.5636], [0.80723, -0.33308]],
   ["scale after the softmax", [-0.082099, -1.2923], [0.42678, -0.11617]],
   ["softmax over queries", [1.2075, -3.2624], [0.0068616, -0.26633]],
   ["sum over queries", [2.4979, -4.3067], [0.10486, -0.35387]],
   ["softmax over the batch", [0.59915, -3.4306], [0.85066, 0.08172]],
   ["sum over the batch", [4.4923, -4.1451], [0.65716, -1.7381]],
   ["softmax over everything", [0.15402, -0.42722], [0.072367, -0.049269]],
   ["softmax over each table", [0.16386, -1.1024], [0.16273, 0.012835]],
   ["maximum over the queries", [0.49651, -1.7368], [0.095627, -0.84796]],
   ["maximum over the batch", [-0.52116, -0.12486], [0.12446, -0.29002]],
   ["not normalised", [2.0506, -5.6881], [0.96351, -0.65598]],
   ["no softmax", [-6.0215, 24.241], [1.4101, -0.51013]],
   ["scores divided by their sum", [544.45, -129.17], [-175.06, -153.45]],
   ["softmax twice", [0.023823, -3.3672], [0.39489, -0.019273]],
   ["scores given back", 0, [1.4101, -0.51013]],
   ["powers given back", 0, [0.96351, -0.65598]],
   ["scores mixed", [-6.0215, 24.241], 0],
   ["powers mixed", [2.0506, -5.6881], 0],
   ["a bare reshape of the keys", [5.2194, -1.1488], [1.0651, -0.0049067]],
   ["keys of the first sequence", [-0.59527, -4.0673], [0.66489, 0.45375]],
   ["queries of the first sequence", [2.7274, -5.3775], [0.85578, 0.49054]],
   ["values of the first sequence", [-1.5907, -1.7275], 0],
   ["weights of the first sequence", [-2.8543, -8.1904], [0.33202, 0.70005]],
   ["one sequence only", [-1.3578, -3.9482, [1, 3, 5]], [0.37326, 0.95851, [1, 3, 4]]],
   ["one sequence only, without its axis", [-1.3578, -3.9482, [3, 5]], [0.37326, 0.95851, [3, 4]]],
   ["the last sequence only", [2.7049, -1.2484, [3, 5]], [-0.071459, 1.2584, [3, 4]]],
   ["values without weights", [-0.15221, -14.789], 0],
   ["the values averaged", [-0.038053, -3.6972], 0],
   ["the keys mixed", [3.0847, -10.738, [2, 3, 6]], 0],
   ["queries in place of keys", [5.0685, -1.3758], [-0.34463, -0.10029]],
   ["an axis too many", [0.051785, -2.5206, [1, 2, 3, 5]], [0.87133, -0.3745, [1, 2, 3, 4]]],
   ["one thing returned", [0.051785, -2.5206, [2, 3, 5]]],
   ["one thing returned", [0.87133, -0.3745, [2, 3, 4]]],
   ["weights first", [0.87133, -0.3745, [2, 3, 4]], [0.051785, -2.5206, [2, 3, 5]]],
   ["the root of a root", [0.14278, -2.713], [0.99472, -0.40323]],
   ["keys of all sequences at once", [-0.49474, -2.8418], [0.64669, -0.35893]],
   ["the maximum after exp", [-9.0353, -21.176], [-3.0328, 5.6137]],
   ["the output scaled", [0.021141, -1.029], 0],
   ["the absolute scores", [-1.6831, -7.3361], [0.48558, 1.2901]],
   ["distances for scores", [0.87004, -1.9309], [1.9188, -0.27533]],
   ["powers of 2", [-0.16881, -2.696], [0.69715, -0.25541]]]],
  "with scores of ±10000": [["Q", "K", "V"], [[[[-2, -1.6, 1.7, 2, -0.5], [-1.36332, -1.40943, 1.10445, -0.445856, 0.642537], [1.4, 2, -0.3, 1.9, 1.8]], [[1.2, 1.9, -0.8, -0.4, 1], [1.83977, -0.380598, 1.60754, 1.32336, -1.08356], [0.825, 0.975, -0.075, 0.325, -0.075]]], [[[0, 0, 0, 1], [0.117929, 0.611139, 0.104762, 0.16617], [1, 0, 0, 0]], [[0, 1, 0, 0], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0.25, 0.25, 0.25, 0.25]]]], [
   ["maximum added", [1600.8, 119.41], [856.96, 140.12]],
   ["one maximum for all", [110.95, -126.86], [363.73, -249.72]],
   ["one maximum for each sequence", [480.35, 410.4], [592.72, -431.99]],
   ["the mean subtracted", [1600.8, 119.41], [458.78, -619.28]],
   ["clipped scores", [4.8397, -0.26169], [0.71545, -0.99583]],
   ["NaN made 0", [3.7304, -0.18569], [0.31395, -1.0464]],
   ["only the first query's maximum", [-978.11, 28.504], [228.02, -862.75]]]],
  "one query of one sequence": [["Q", "K", "V"], [[[[-0.93211, -0.613766, 0.830771, 0.890314, 0.701977]]], [[[0.268826, 0.0267748, 0.291697, 0.412702]]]], [
   ["axes of length 1 squeezed", [-0.29403, -0.81389, [5]], [0.26023, 0.45011, [4]]],
   ["axes of length 1 squeezed", [-0.29403, -0.81389, [1, 5]], [0.26023, 0.45011, [1, 4]]]]],
  "with a mask for each sequence": [["Q", "K", "V", "mask"], [[[[-0.910984, -0.575628, 0.817862, 0.953324, 0.704782], [-1.19856, -1.35299, 1.04119, -0.866214, 0.794104], [-1.90869, -1.70887, 1.57097, 1.00318, -0.16406]], [[0.390391, 1.48735, -0.667612, 0.0386668, 0.170695], [1.86958, -0.623086, 1.89968, 1.57994, -1.41338], [2, 0.2, 0.75, 0.35, 0.25]]], [[[0.276222, 0, 0.299722, 0.424056], [0.161753, 0.838247, 0, 0], [0, 0.276386, 0.0167973, 0.706816]], [[0.24305, 0.376189, 0.0452084, 0.335553], [0, 0, 0.966559, 0.0334408], [0.5, 0, 0.5, 0]]]], [
   ["no scale", [-0.74611, -1.52], [1.0529, 0.33422]],
   ["divides by d_k", [-0.13538, 0.31014], [0.84943, 0.16447]],
   ["divides by d_k ** 1 / 2", [-0.28933, -0.12157], [0.86726, 0.11349]],
   ["divides by d_k ** 1 / 2 without brackets", [0.082734, 0.37942], [0.84429, 0.24189]],
   ["multiplies by √d_k", [-1.7009, -1.6041], [1.2143, 0.63254]],
   ["√seq_k", [-0.33523, -0.65671], [0.89722, 0.15272]],
   ["√seq_q", [-0.37052, -0.86967], [0.91749, 0.18144]],
   ["√batch", [-0.46052, -1.1543], [0.95781, 0.23187]],
   ["√d_v", [-0.31856, -0.49471], [0.88567, 0.13547]],
   ["√8, the d_model of the notebook", [-0.29538, -0.18791], [0.86995, 0.11516]],
   ["scale after the softmax", [-0.3046, -0.62055], [0.42983, 0.13645]],
   ["softmax over queries", [-0.48953, -2.0154], [0.073692, -0.33744]],
   ["sum over queries", [-0.40602, -3.5193], [0.09063, -0.41443]],
   ["softmax over the batch", [-0.70183, -1.0945], [0.59579, 1.049]],
   ["sum over the batch", [-1.9831, -1.0044], [0.60524, 0.66932]],
   ["softmax over everything", [-0.14928, -0.11367], [0.10894, 0.067953]],
   ["softmax over each table", [-0.3602, -0.36229], [0.21887, 0.17634]],
   ["maximum over the queries", [0.85109, 0.0053151], [0.33833, -0.66779]],
   ["maximum over the batch", [-0.33048, 0.55961], [0.22342, 0.3035]],
   ["the mean subtracted", [-191.67, 301.51], [477.06, 890.82]],
   ["not normalised", [-1.5911, -1.2115], [1.1612, 0.72429]],
   ["no softmax", [-547.16, 7610.5], [1294.2, 351.85]],
   ["scores divided by their sum", [-190.72, 300.59], [-1007.6, -272.18]],
   ["softmax twice", [0.013625, -2.8757], [0.38575, 0.094122]],
   ["scores given back", 0, [1294.2, 351.85]],
   ["powers given back", 0, [1.1612, 0.72429]],
   ["scores mixed", [-547.16, 7610.5], 0],
   ["powers mixed", [-1.5911, -1.2115], 0],
   ["a bare reshape of the keys", [4.9076, 0.72094], [1.1139, 0.40045]],
   ["keys of the first sequence", [0.76473, -0.89212], [1.1384, 0.68004]],
   ["queries of the first sequence", [4.4578, -4.5085], [0.47514, 0.84846]],
   ["values of the first sequence", [0.42911, -2.5656], 0],
   ["weights of the first sequence", [-4.7493, -8.6939], [-0.1854, 0.91022]],
   ["one sequence only", [-1.8105, -3.9708, [1, 3, 5]], [0.13408, 1.0122, [1, 3, 4]]],
   ["one sequence only, without its axis", [-1.8105, -3.9708, [3, 5]], [0.13408, 1.0122, [3, 4]]],
   ["the last sequence only", [2.6316, -3.4249, [3, 5]], [-0.050042, 0.98956, [3, 4]]],
   ["values without weights", [-0.15221, -14.789], 0],
   ["the values averaged", [-0.038053, -3.6972], 0],
   ["the keys mixed", [-0.029087, -12.886, [2, 3, 6]], 0],
   ["queries in place of keys", [8.8119, 3.2131], [0.92133, -0.33903]],
   ["an axis too many", [-0.30881, -0.36872, [1, 2, 3, 5]], [0.87841, 0.12496, [1, 2, 3, 4]]],
   ["one thing returned", [-0.30881, -0.36872, [2, 3, 5]]],
   ["one thing returned", [0.87841, 0.12496, [2, 3, 4]]],
   ["weights first", [0.87841, 0.12496, [2, 3, 4]], [-0.30881, -0.36872, [2, 3, 5]]],
   ["mask multiplied", [-191.17, 301.06], [477.21, 891.15]],
   ["the scores times where the mask is 0", [-1.7291, -4.3417], [0.37177, 0.057493]],
   ["mask ignored", [0.051785, -2.5206], [0.87133, -0.3745]],
   ["mask inverted", [0.15401, -8.6146], [-0.55468, -0.36171]],
   ["a score of 0 blocked", [0.17898, -2.0648], [0.80575, -0.47287]],
   ["mask added to the weights", [-542.37, 7599.4], [1296.6, 350.13]],
   ["mask after softmax", [-1.0714, -0.91044], [0.91508, -0.013952]],
   ["mask for the output alone", 0, [0.87133, -0.3745]],
   ["mask for the weights alone", [0.051785, -2.5206], 0],
   ["mask of the first sequence for all", [-6.1658, -5.8204], [0.074167, 0.79616]],
   ["mask of the last sequence for all", [5.1923, 2.5676], [1.4907, -1.1326]],
   ["all masks added up", [-3.4973, 3.7851], [1.7178, -0.087722]],
   ["the row of the first query for all", [-1.6478, -1.2177], [2.2123, -0.41376]],
   ["the root of a root", [-0.40875, -1.016], [0.93589, 0.20541]],
   ["keys of all sequences at once", [-1.8367, 0.40626], [1.0292, -0.60748]],
   ["exp of the mask added", [-0.07453, -1.4568], [0.87807, -0.15882]],
   ["mask inverted", [556.49, -299.59], [80.532, -501.33]],
   ["the maximum after exp", [-3.8374, -31.583], [-11.064, 6.0386]],
   ["the output scaled", [-0.12607, -0.15053], 0],
   ["the absolute scores", [-1.0463, -2.1291], [1.6567, 1.9878]],
   ["distances for scores", [-2.3517, -0.084856], [1.2295, 0.94245]],
   ["powers of 2", [-0.26756, 0.036797], [0.86132, 0.1154]]]],
  "with a flat mask": [["Q", "K", "V", "mask"], [[[[-0.109163, 0.178596, 0.168361, 0.182676, 1.59184], [-1.36332, -1.40943, 1.10445, -0.445856, 0.642537], [-1.91567, -1.71244, 1.58756, 1.04423, -0.190781]], [[2, 0.8177, -0.107917, -0.507917, 1.38245], [1.83977, -0.380598, 1.60754, 1.32336, -1.08356], [-0.35, 1.75, -0.9, 0.3, -0.4]]], [[[0.479599, 0, 0.520401, 0], [0.117929, 0.611139, 0.104762, 0.16617], [0, 0.281108, 0, 0.718892]], [[0.843167, 0, 0.156833, 0], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0, 0.5, 0, 0.5]]]], [
   ["flat mask on the first sequence only", [1.1296, -2.9362], [0.63656, -0.72012]],
   ["flat mask ignored", [0.051785, -2.5206], [0.87133, -0.3745]],
   ["rows of a flat mask for sequences", [1.3502, 2.7878], [0.75106, -1.6545]]]],
  "with scores of ±10000, some of them blocked": [["Q", "K", "V", "mask"], [[[[-2, -1.6, 1.7, 2, -0.5], [-1.19856, -1.35299, 1.04119, -0.866214, 0.794104], [-1.5, -1.5, 0.6, -1.4, 1.4]], [[1.2, 1.9, -0.8, -0.4, 1], [1.86958, -0.623086, 1.89968, 1.57994, -1.41338], [2, 0.2, 0.75, 0.35, 0.25]]], [[[0, 0, 0, 1], [0.161753, 0.838247, 0, 0], [0, 0, 1, 0]], [[0, 1, 0, 0], [0, 0, 0.966559, 0.0334408], [0.5, 0, 0.5, 0]]]], [
   ["maximum added", [1600.5, 121.5], [674.4, -265.83]],
   ["one maximum for all", [110, -126.5], [363.51, -251.15]],
   ["one maximum for each sequence", [479.49, 412.93], [592.75, -432.98]],
   ["clipped scores", [3.9891, 2.0105], [0.59533, -1.2292]],
   ["NaN made 0", [3.3535, 1.9082], [0.30068, -0.56541]],
   ["maximum before the mask", [257.18, 139.92], [194.82, 640.36]],
   ["only the first query's maximum", [-978.11, 28.504], [1268.4, -865.13]]]],
  "arrays with two axes": [["Q", "K", "V"], "ValueError", [
   ["no check of the axes", [-2.7918, -3.9128, [3, 6]], [-0.018066, 0.13218, [3, 4]]],
   ["two axes made three", [-2.7918, -3.9128, [1, 3, 6]], [-0.018066, 0.13218, [1, 3, 4]]]]],
  "Q with two axes": [["Q", "K", "V"], "ValueError", []],
  "K with two axes": [["Q", "K", "V"], "ValueError", [
   ["only the axes of Q checked", [-1.0048, -2.4197, [2, 3, 6]], [0.35925, -0.3442, [2, 3, 4]]]]],
  "V with two axes": [["Q", "K", "V"], "ValueError", [
   ["only the axes of Q checked", [-3.2871, 1.7414, [2, 3, 6]], [-0.97946, -0.61872, [2, 3, 4]]]]],
  "arrays with four axes": [["Q", "K", "V"], "ValueError", [
   ["fewer axes refused only", [0.76225, 0.8121, [2, 2, 3, 6]], [-0.011247, 0.26647, [2, 2, 3, 4]]]]],
  "queries of 5 numbers and keys of 1": [["Q", "K", "V"], "ValueError", [
   ["no check of d_k", [2.0583, -0.11828, [2, 3, 6]], [-2.3431, -0.085918, [2, 3, 4]]]]],
  "4 keys and 3 values": [["Q", "K", "V"], "ValueError", []],
  "4 keys and 1 value": [["Q", "K", "V"], "ValueError", [
   ["no check of the lengths", [1.6898, 6.2663, [2, 3, 6]], [-0.97946, -0.61872, [2, 3, 4]]]]],
  "a mask (4, 3) for scores (2, 3, 4)": [["Q", "K", "V", "mask"], "ValueError", [
   ["mask with its axes in any order", [-0.81288, -0.71102, [2, 3, 6]], [-0.97946, -0.61872, [2, 3, 4]]]]],
  "a mask (2, 4, 3) for scores (2, 3, 4)": [["Q", "K", "V", "mask"], "ValueError", []],
  "a mask (2, 2, 3, 4) for scores (2, 3, 4)": [["Q", "K", "V", "mask"], "ValueError", [
   ["no check of the mask", [-0.66875, -3.5878, [2, 2, 3, 6]], [0.060129, -1.2888, [2, 2, 3, 4]]]]],
  "every key of query 2 blocked in a flat mask": [["Q", "K", "V", "mask"], "ValueError", [
   ["blocked keys asked for along the queries", [-1460.8, 273.13, [2, 3, 6]], [19.473, 485.8, [2, 3, 4]]],
   ["a blocked row gives uniform weights", [1.4326, 1.1853, [2, 3, 6]], [-0.72399, 0.7334, [2, 3, 4]]],
   ["a blocked row gives zeros", [-0.79928, 2.0146, [2, 3, 6]], [-0.73049, 0.57728, [2, 3, 4]]]]],
  "every key of query 2 blocked in sequence 1": [["Q", "K", "V", "mask"], "ValueError", [
   ["blocked keys asked for along the queries", [-518.86, 168.75, [2, 3, 6]], [-175.48, -155.1, [2, 3, 4]]]]]}},
 "split-heads": {
 "made of": "9113163ab1cf", "defines": ["split_heads"],
 "advice": {
  "reshape without transpose": "Cut the last axis alone, into (heads, numbers), and then swap tokens and heads: one reshape to the final shape gives slices of tokens to the wrong head.",
  "slices stacked, then a bare reshape": "The slices of each head are right, but they are stacked along the batch: stack them along a new axis 1, without a reshape.",
  "heads first": "Put the sequences first and the heads second: here the heads stand before the batch.",
  "heads after tokens": "Swap tokens and heads, axes 1 and 2, after cutting: the heads come before the tokens.",
  "heads last": "Put the heads second, before the tokens: here they stand last.",
  "heads interleaved": "Give head 0 the first numbers of a token, not every second: when you cut the last axis, the heads come first, then the numbers of a head.",
  "heads interleaved, after tokens": "Cut the last axis into (heads, numbers), in this order, and then swap axes 1 and 2: here every second number goes to a head, and the heads stand last.",
  "depth and heads mixed up": "There are num_heads heads of d_model // num_heads numbers each: here the two sizes have changed places.",
  "heads in reverse": "Begin with head 0: the heads have come in reverse order.",
  "head 0 for all": "Each head takes a slice of its own, from h · depth on: here all have that of head 0.",
  "slices that overlap": "The slice of head h begins at h · depth, not at h: here neighbouring heads share numbers.",
  "every head has all numbers": "Cut the last axis: a head gets d_model // num_heads numbers of each token, not all of them.",
  "only the first head": "Give back all heads, stacked along axis 1: this is head 0 alone. Does a return stand inside a loop?",
  "only the last head": "Give back all heads, stacked along axis 1: this is the last head alone.",
  "the sequence is cut": "Cut the last axis, not the tokens: every head gets a part of each token.",
  "tokens and numbers swapped too": "Swap tokens and heads only: the numbers of a head stay last, after the tokens.",
  "batch and tokens swapped": "Keep the batch first: in transpose, 0 stays in front, and axes 1 and 2 change places.",
  "all axes turned round": "Swap axes 1 and 2 only: .T turns all the axes round.",
  "batch and tokens mixed up": "Cut only the last axis: keep (batch, seq) in front when you reshape, and change their places with transpose alone.",
  "sizes read in another order": "The sizes of x are (batch, seq, d_model), in this order: here batch and seq have changed their names.",
  "heads folded into the batch": "Keep the heads as an axis of their own: here they are folded into the batch.",
  "the first sequence only": "All sequences are wanted: this is the first one alone.",
  "always two heads": "Use num_heads: here the number of heads is always 2.",
  "a list of heads along the tokens": "Stack the heads along a new axis 1: here they are put behind each other along the tokens.",
  "no ValueError": "Raise a ValueError where d_model % num_heads is not 0: // only rounds down, and the last numbers are lost."},
 "calls": {
  "8 numbers into 2 heads": [["x", "num_heads"], [[[[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33], [40, 41, 42, 43]], [[4, 5, 6, 7], [14, 15, 16, 17], [24, 25, 26, 27], [34, 35, 36, 37], [44, 45, 46, 47]]], [[[-100, -101, -102, -103], [-110, -111, -112, -113], [-120, -121, -122, -123], [-130, -131, -132, -133], [-140, -141, -142, -143]], [[-104, -105, -106, -107], [-114, -115, -116, -117], [-124, -125, -126, -127], [-134, -135, -136, -137], [-144, -145, -146, -147]]], [[[200, 201, 202, 203], [210, 211, 212, 213], [220, 221, 222, 223], [230, 231, 232, 233], [240, 241, 242, 243]], [[204, 205, 206, 207], [214, 215, 216, 217], [224, 225, 226, 227], [234, 235, 236, 237], [244, 245, 246, 247]]]]], [
   ["reshape without transpose", [97.066, -57.234]],
   ["slices stacked, then a bare reshape", [517.35, -514.98]],
   ["heads first", [517.35, -514.98, [2, 3, 5, 4]]],
   ["heads after tokens", [97.066, -57.234, [3, 5, 2, 4]]],
   ["heads last", [97.421, -47.005, [3, 5, 4, 2]]],
   ["heads interleaved", [94.181, -11.309]],
   ["heads interleaved, after tokens", [97.066, -57.234, [3, 5, 4, 2]]],
   ["depth and heads mixed up", [95.869, -65.471, [3, 4, 5, 2]]],
   ["heads in reverse", [94.073, -3.1068]],
   ["head 0 for all", [94.644, -11.324]],
   ["slices that overlap", [94.736, -12.552]],
   ["every head has all numbers", [-445.76, -215.29, [3, 2, 5, 8]]],
   ["only the first head", [434.15, -241.7, [3, 5, 4]]],
   ["only the last head", [447.72, -243.51, [3, 5, 4]]],
   ["the sequence is cut", [-4.2937, 228.96, [3, 2, 3, 8]]],
   ["tokens and numbers swapped too", [94.137, -135.44, [3, 2, 4, 5]]],
   ["batch and tokens swapped", [-9.063, -30.074, [5, 2, 3, 4]]],
   ["all axes turned round", [-700.1, 47.069, [4, 2, 5, 3]]],
   ["batch and tokens mixed up", [6.3953, 282.53]],
   ["sizes read in another order", [77.311, 72.441, [5, 2, 3, 4]]],
   ["heads folded into the batch", [517.35, -514.98, [6, 5, 4]]],
   ["heads folded into the batch", [95.01, -16.237, [6, 5, 4]]],
   ["the first sequence only", [-14.718, 25.671, [2, 5, 4]]],
   ["a list of heads along the tokens", [95.01, -16.237, [3, 10, 4]]]]],
  "one sequence, one head": [["x", "num_heads"], [[[[[1.5, -2], [0, 3], [4, 7]]]]], [
   ["always two heads", [-6.8528, -5.8246, [1, 2, 3, 1]]]]],
  "8 numbers into 3 heads": [["x", "num_heads"], "ValueError", [
   ["no ValueError", [-0.19723, 0.23134, [2, 3, 3, 2]]]]],
  "4 numbers into 5 heads": [["x", "num_heads"], "ValueError", []]}},
 "combine-heads": {
 "made of": "556c48540900", "defines": ["combine_heads"],
 "advice": {
  "combine without transpose": "Swap heads and tokens back before you join the last two axes: a bare reshape puts pieces of different tokens into one.",
  "interleaved": "Keep the numbers of a head side by side: before the reshape the last two axes are heads, then numbers.",
  "heads in reverse": "Begin with head 0: the heads have come in reverse order.",
  "head 0 in every place": "Put each head in its own place: here head 0 stands in all of them.",
  "heads added up": "Put the heads side by side, don't add them up: the last axis has num_heads · depth places.",
  "heads averaged": "Put the heads side by side, don't average them: the last axis has num_heads · depth places.",
  "not joined": "Join the last two axes: heads and tokens have been swapped back, and a reshape is still missing.",
  "only head 0": "Put all heads side by side: this is head 0 alone. Does a return stand inside a loop?",
  "only the last head": "Put all heads side by side: this is the last head alone.",
  "batch and tokens mixed up": "Keep the batch first: in transpose, 0 stays in front, and axes 1 and 2 change places.",
  "turned the wrong way": "Swap axes 1 and 2, heads and tokens, and leave the batch and the numbers where they are: (0, 2, 1, 3).",
  "all axes turned round": "Swap axes 1 and 2 only: .T turns all the axes round.",
  "heads behind each other": "Put the heads side by side, along the last axis: here they stand behind each other, along the tokens.",
  "heads along the batch": "Put the heads side by side, along the last axis: here they stand along the batch.",
  "a new axis for the heads": "Join the heads with np.concatenate along the last axis: np.stack makes a new axis of them.",
  "the batch taken for the heads": "Join over axis 1, the heads: list(x) runs over the sequences, axis 0.",
  "the first sequence only": "All sequences are wanted: this is the first one alone.",
  "the first sequence only, without its axis": "All sequences are wanted, with their axis in front: this is the first one alone.",
  "the first sequence for all": "Each sequence keeps its own numbers: here all have those of the first one.",
  "sizes read in another order": "The sizes of x are (batch, num_heads, seq, depth), in this order: here num_heads and seq have changed their names.",
  "sizes read in another order, after a bare reshape": "Swap heads and tokens first, and then join the heads with their numbers: here each head's tokens have been joined, and the heads are still an axis.",
  "numbers named before tokens": "Name the tokens before their numbers in the reshape: (batch, seq, num_heads * depth).",
  "the tokens joined, too": "Join the last two axes only: the tokens stay an axis of their own.",
  "the batch joined, too": "Keep the batch as an axis of its own: here it is joined with the tokens."},
 "calls": {
  "2 heads of 4 numbers": [["x"], [[[[0, 1, 2, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15, 16, 17], [20, 21, 22, 23, 24, 25, 26, 27], [30, 31, 32, 33, 34, 35, 36, 37], [40, 41, 42, 43, 44, 45, 46, 47]], [[-100, -101, -102, -103, -104, -105, -106, -107], [-110, -111, -112, -113, -114, -115, -116, -117], [-120, -121, -122, -123, -124, -125, -126, -127], [-130, -131, -132, -133, -134, -135, -136, -137], [-140, -141, -142, -143, -144, -145, -146, -147]], [[200, 201, 202, 203, 204, 205, 206, 207], [210, 211, 212, 213, 214, 215, 216, 217], [220, 221, 222, 223, 224, 225, 226, 227], [230, 231, 232, 233, 234, 235, 236, 237], [240, 241, 242, 243, 244, 245, 246, 247]]]], [
   ["combine without transpose", [95.01, -16.237]],
   ["interleaved", [97.421, -47.005]],
   ["heads in reverse", [96.995, 16.021]],
   ["head 0 in every place", [97.133, -22.258]],
   ["heads added up", [881.86, -485.21, [3, 5, 4]]],
   ["heads averaged", [440.93, -242.61, [3, 5, 4]]],
   ["not joined", [97.066, -57.234, [3, 5, 2, 4]]],
   ["only head 0", [434.15, -241.7, [3, 5, 4]]],
   ["only the last head", [447.72, -243.51, [3, 5, 4]]],
   ["batch and tokens mixed up", [-88.143, 2.6286]],
   ["batch and tokens mixed up", [-3.3032, -110.57]],
   ["turned the wrong way", [94.149, -132.2]],
   ["turned the wrong way", [94.137, -135.44]],
   ["turned the wrong way", [95.793, -70.988]],
   ["all axes turned round", [-569.34, -534.48]],
   ["heads behind each other", [95.01, -16.237, [3, 10, 4]]],
   ["heads along the batch", [517.35, -514.98, [6, 5, 4]]],
   ["a new axis for the heads", [97.421, -47.005, [3, 5, 4, 2]]],
   ["the batch taken for the heads", [-3.3032, -110.57, [2, 5, 12]]],
   ["the first sequence only", [-34.042, 19.938, [1, 5, 8]]],
   ["the first sequence only, without its axis", [-34.042, 19.938, [5, 8]]],
   ["the first sequence for all", [-25.65, 0.36126]],
   ["sizes read in another order", [97.066, -57.234, [3, 2, 20]]],
   ["sizes read in another order, after a bare reshape", [95.01, -16.237, [3, 2, 20]]],
   ["numbers named before tokens", [97.066, -57.234, [3, 8, 5]]],
   ["the tokens joined, too", [97.066, -57.234, [3, 40]]],
   ["the batch joined, too", [97.066, -57.234, [15, 8]]]]],
  "one sequence, one head": [["x"], [[[[1.5, -2], [0, 3], [4, 7]]]], []]}},
 "init-params": {
 "made of": "259aac79340b", "defines": ["init_attention_params"],
 "advice": {
},
 "calls": {
  "the tables for d_model 64": [["d_model", "seed"], [4], []]}},
 "multi-head": {
 "made of": "97fb1a7f88b1", "defines": ["multi_head_attention"],
 "advice": {
  "√d_model": "Take the root of depth, the length of one head's queries: here it is of d_model.",
  "no scale": "Divide the scores by √depth before the softmax.",
  "divides by depth": "Divide by √depth, once: here the scores are divided by depth itself, or by its root twice, as when 3.3 divides, too.",
  "divides by d_model": "Divide by the root of depth: here you divide by d_model, or, with / depth ** 1 / 2, by depth and then by 2.",
  "divides by √num_heads": "Take the root of depth, the length of one head's queries: here it is of num_heads.",
  "divides by √seq_k": "Take the root of depth, the length of one head's queries: here it is of the number of keys.",
  "multiplies by √depth": "Divide the scores by √depth, don't multiply.",
  "divides by depth ** 1 / 2": "Put brackets around the exponent: depth ** 1 / 2 is half of depth, and not its root.",
  "bare reshape": "Cut the last axis alone and then swap tokens and heads, as in 3.4: a bare reshape gives slices of tokens to the wrong head.",
  "interleaved": "Give each head neighbouring numbers, as in 3.4: here head 0 has every second one.",
  "inputs split before the projections": "Project first and split then: a head gets its slice of Q @ W_q, not of Q.",
  "heads by rows of the matrices": "The matrices multiply from the right, x @ W, as they are: here they are transposed, or rows of them are taken for columns.",
  "weights of head 0 repeated": "Let each head make weights of its own: here all have those of head 0.",
  "W_q and W_k swapped": "Project the queries with W_q and the keys with W_k: here the two matrices have changed places.",
  "W_q for queries and keys": "Project the keys with W_k: here W_q is used for both.",
  "W_k for queries and keys": "Project the queries with W_q: here W_k is used for both.",
  "W_v for the keys": "Project the keys with W_k: here W_v is used.",
  "queries not projected": "Project the queries: Q @ W_q is missing.",
  "keys not projected": "Project the keys: K @ W_k is missing.",
  "no projections": "Project first: here the scores compare slices of the inputs themselves, without Q @ W_q and K @ W_k. See to V @ W_v and W_o, too.",
  "W_q transposed": "The matrices multiply from the right as they are: here W_q is transposed.",
  "W_k transposed": "The matrices multiply from the right as they are: here W_k is transposed.",
  "queries projected twice": "Project once: here Q @ W_q is multiplied with W_q again.",
  "softmax over queries": "Let the softmax run over the keys, the last axis: here it runs over the queries.",
  "softmax over heads": "Let the softmax run over the keys, the last axis: here it runs over the heads.",
  "softmax over the batch": "Let the softmax run over the keys, the last axis: here it runs over the sequences.",
  "softmax over everything": "Give the sum axis=-1 and keepdims=True: here the weights of all heads and queries together sum to 1.",
  "not normalised": "Divide each row of powers by its sum before you multiply with the values: the weights of a query sum to 1.",
  "no softmax": "Turn the scores into weights by softmax: these are the scores.",
  "softmax twice": "Apply softmax once.",
  "no maximum": "Subtract each row's own largest score before exp: exp of a large number is more than a float can hold.",
  "one maximum for all": "Subtract each row's own largest score, with axis=-1 and keepdims=True: with one maximum for all rows, some have only powers that are rounded to 0.",
  "one maximum for each table": "Subtract each row's own largest score, along the last axis alone: with one maximum for a head, some rows have only powers that are rounded to 0.",
  "maximum before the mask": "Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0.",
  "W_o forgotten": "Multiply what the heads give, side by side, with W_o: this product is missing.",
  "W_o transposed": "Multiply with W_o as it is, from the right: here it is transposed.",
  "W_v for W_o": "Multiply with W_o at the end: here it is W_v.",
  "W_v forgotten": "Project the values: V @ W_v is missing.",
  "W_k for the values": "Project the values with W_v: here W_k is used.",
  "W_v transposed": "The matrices multiply from the right as they are: here W_v is transposed.",
  "combine without transpose": "Swap heads and tokens back before you join the last two axes, as in 3.4.",
  "combine interleaved": "Keep the numbers of a head side by side when you join the heads, as in 3.4.",
  "heads in reverse": "Begin with head 0 when you put the heads side by side: they have come in reverse order.",
  "head 0 alone": "Put all heads into the output: here the numbers of the others are 0.",
  "head 0 in every place": "Put each head in its own place: here head 0 stands in all of them.",
  "heads added up": "Put the heads side by side and multiply with the whole of W_o: adding them up keeps only depth numbers.",
  "the output of each head": "Put the heads side by side and multiply with W_o: the output is (batch, seq_q, d_model), without an axis for the heads.",
  "combined before the weights": "Mix the values with the weights before you put the heads side by side: here the weights are averaged over the heads.",
  "cross-attention from the queries": "Make the keys of K and the values of V: here both are made of Q.",
  "keys from the queries": "Make the keys of K: here they are made of Q.",
  "values from the queries": "The weights are right; make the values of V: here they are made of Q.",
  "keys and values exchanged": "Make the keys of K and the values of V: here K and V have changed places.",
  "queries from the keys": "Make the queries of Q: here they are made of K.",
  "values from the keys": "The weights are right; make the values of V: here they are made of K.",
  "keys from the values": "Make the keys of K: here they are made of V.",
  "mask of the batch on the heads": "Each head of a sequence has that sequence's mask: here head h has mask h. Give a mask for each sequence an axis of length 1 for the heads, mask[:, None]; in a loop over the heads, hand on the whole mask; with heads folded into the batch, np.repeat, not np.tile.",
  "an axis for the heads in a flat mask, too": "Leave a flat mask as it is: only a mask with three axes needs one more for the heads, and here head h has row h of the flat one for every query.",
  "an axis behind the queries": "Put the axis for the heads before the queries, mask[:, None]: behind them, head h has row h of the mask for every query.",
  "mask of the first sequence for all": "Use each sequence's own mask, for all its heads: here all sequences have that of the first one.",
  "mask ignored": "Add the mask to the scores before the softmax: here it changes nothing.",
  "flat mask ignored": "Use a flat mask, too: one with two axes changes nothing here.",
  "mask on head 0 only": "Add the mask in every head: here only head 0 obeys it.",
  "mask on the last head only": "Add the mask in every head: here only the last one obeys it.",
  "mask subtracted": "Add the mask, don't subtract it: a score minus −∞ is +∞.",
  "mask multiplied": "Add the mask, don't multiply with it: the kept scores became 0.",
  "mask after softmax": "Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1.",
  "blocked scores set to 0": "Give blocked keys −∞ before the softmax: here their scores became 0, and e⁰ is 1.",
  "mask inverted": "Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their share.",
  "blocked row gives NaN": "Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: its softmax is 0/0.",
  "blocked row gives uniform weights": "Raise a ValueError where a row of the mask is all −∞: with a large negative number in its place such a query looks at keys that it must not see.",
  "blocked row gives zeros": "Raise a ValueError where a row of the mask is all −∞: NaN that is turned into 0 hides the error.",
  "heads not checked": "Raise a ValueError where num_heads does not divide d_model: // only rounds down, and the last numbers are lost.",
  "weights averaged over heads": "Give back the weights of every head, (batch, heads, seq_q, seq_k): here they are averaged over the heads.",
  "weights added up over heads": "Give back the weights of every head, (batch, heads, seq_q, seq_k): here they are added up over the heads.",
  "the last head's weights": "Give back the weights of every head, (batch, heads, seq_q, seq_k): here they are those of the last one. Collect what a loop makes in a list.",
  "the first head's weights": "Give back the weights of every head, (batch, heads, seq_q, seq_k): here they are those of head 0 alone.",
  "heads before the batch": "Put the batch first and the heads second: stack the heads' weights along axis 1.",
  "heads folded into the batch of weights": "Give the heads an axis of their own in the weights: here they are folded into the batch.",
  "heads last in the weights": "Put the heads second, behind the batch: stack the heads' weights along axis 1, not along the last one.",
  "weights with the queries before the heads": "Put the heads second, behind the batch: here the queries stand before them.",
  "one thing returned": "Give back two things, the output first: (output, weights).",
  "outputs stacked along axis 0": "Stack the heads' outputs along axis 1 before you combine them: combine_heads takes (batch, heads, seq, depth).",
  "the keys of every head with the queries of head 0": "Take queries, keys and values of the same head: here all heads have the queries of head 0.",
  "heads along the batch axis": "Take head h of all sequences, q[:, h]: q[h] is sequence h, with all its heads.",
  "two heads always": "Use num_heads: here the number of heads is always 2.",
  "no heads": "Let each head attend by itself, with its slice of the projections: here attention has run once, over all d_model numbers.",
  "depth and heads mixed up": "There are num_heads heads of d_model // num_heads numbers each: here the two sizes have changed places.",
  "the folded axis taken apart the wrong way": "Take the folded axis apart as it was put together, the batch before the heads: here sequences and heads are mixed up.",
  "axes of length 1 squeezed": "Keep axes of length 1: nothing is squeezed, and a batch of one sequence is a batch."},
 "calls": {
  "self-attention with 2 heads": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[[0.080356, 0.843749, 0.0758951], [0.011775, 4.11427e-05, 0.988184], [0.0893767, 0.00509755, 0.905526]], [[7.52211e-05, 0.00507868, 0.994846], [0.64788, 0.179873, 0.172247], [0.0267309, 0.852446, 0.120823]]], [[[0.803084, 0.194164, 0.00275187], [0.281935, 0.225132, 0.492933], [0.333333, 0.333333, 0.333333]], [[0.82093, 0.136761, 0.0423094], [0.67589, 0.0775246, 0.246585], [0.333333, 0.333333, 0.333333]]], [[[0.512519, 0.221281, 0.266201], [0.110673, 0.534539, 0.354788], [0.34488, 0.0166828, 0.638437]], [[0.00652624, 0.0423833, 0.95109], [0.000401373, 0.826642, 0.172956], [0.23154, 0.733718, 0.0347425]]], [[[0.837125, 0.0122919, 0.150583], [0.86525, 9.7567e-05, 0.134652], [0.0143991, 0.920657, 0.0649436]], [[0.437704, 0.146351, 0.415945], [0.111477, 0.404375, 0.484148], [0.55063, 0.370765, 0.0786051]]]]], [
   ["√d_model", [-0.74914, 2.6643]],
   ["no scale", [-0.86898, 3.6714]],
   ["divides by depth", [-0.50757, 2.1699]],
   ["divides by d_model", [-0.17989, 1.4124]],
   ["divides by √num_heads", [-0.91293, 3.3782]],
   ["divides by √seq_k", [-0.91608, 3.2094]],
   ["multiplies by √depth", [-0.86408, 4.2777]],
   ["divides by depth ** 1 / 2", [-0.8449, 2.8902]],
   ["bare reshape", [0.23731, -1.3276]],
   ["interleaved", [1.2739, 3.0851]],
   ["inputs split before the projections", [0.71582, 1.1058]],
   ["heads by rows of the matrices", [-0.39674, -0.0094302]],
   ["weights of head 0 repeated", [-0.37981, 1.0189]],
   ["W_q and W_k swapped", [1.384, -4.3722]],
   ["W_q for queries and keys", [1.4771, 1.1013]],
   ["W_k for queries and keys", [1.0345, 3.0881]],
   ["W_v for the keys", [-2.4377, 0.71358]],
   ["queries not projected", [-1.1012, -0.19186]],
   ["keys not projected", [2.1326, 0.3907]],
   ["no projections", [1.4267, 1.9623]],
   ["W_q transposed", [-2.4384, 1.412]],
   ["W_k transposed", [0.084448, 1.9172]],
   ["queries projected twice", [-1.9518, 3.4693]],
   ["softmax over queries", [-0.13973, 0.055425]],
   ["softmax over heads", [3.2095, 3.2765]],
   ["softmax over the batch", [-2.1494, 1.6208]],
   ["softmax over everything", [3.9985e-05, 0.09548]],
   ["not normalised", [0.0015038, 3.591]],
   ["no softmax", [1.7044, 16.214]],
   ["softmax twice", [-0.16855, 1.2595]],
   ["weights averaged over heads", [-0.87482, 0.27011, [4, 3, 3]]],
   ["weights added up over heads", [-1.7496, 0.54022, [4, 3, 3]]],
   ["the last head's weights", [-0.74342, 0.49824, [4, 3, 3]]],
   ["the first head's weights", [-1.0062, 0.041986, [4, 3, 3]]],
   ["heads before the batch", [-1.6345, -1.0737, [2, 4, 3, 3]]],
   ["heads folded into the batch of weights", [-0.87762, 2.9907, [8, 3, 3]]],
   ["heads last in the weights", [1.0046, -0.9764, [4, 3, 3, 2]]],
   ["weights with the queries before the heads", [-1.0231, 0.23175, [4, 3, 2, 3]]],
   ["one thing returned", [-8.6286, 3.0892, [4, 3, 10]]],
   ["the keys of every head with the queries of head 0", [-0.47639, -1.7039]],
   ["heads along the batch axis", [-2.7891, 1.7204, [2, 2, 3, 3]]],
   ["no heads", [-0.11789, 1.1468]],
   ["depth and heads mixed up", [-1.9603, -2.3573, [4, 5, 3, 3]]],
   ["the folded axis taken apart the wrong way", [-0.92291, -0.065477]]]],
  "self-attention with 5 heads": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[[0.129845, 0.599908, 0.270247], [0.173608, 0.0432235, 0.783169], [0.181311, 0.730067, 0.0886224]], [[0.609774, 0.072256, 0.31797], [0.00440009, 1.55367e-05, 0.995584], [0.0132514, 0.000191271, 0.986557]], [[0.0472768, 0.688283, 0.26444], [0.493098, 0.0905495, 0.416353], [0.511674, 0.376439, 0.111887]], [[0.0357695, 0.136577, 0.827654], [0.0731688, 0.380278, 0.546553], [0.329598, 0.166833, 0.50357]], [[4.45941e-05, 0.0471122, 0.952843], [0.960089, 0.0196902, 0.0202206], [0.00646268, 0.768867, 0.22467]]], [[[0.287738, 0.362187, 0.350075], [0.479778, 0.15193, 0.368292], [0.333333, 0.333333, 0.333333]], [[0.978929, 0.00849118, 0.0125796], [0.161833, 0.374542, 0.463624], [0.333333, 0.333333, 0.333333]], [[0.113721, 0.885972, 0.000307104], [0.513939, 0.362493, 0.123568], [0.333333, 0.333333, 0.333333]], [[0.342715, 0.430922, 0.226363], [0.192038, 0.0727481, 0.735214], [0.333333, 0.333333, 0.333333]], [[0.909105, 0.0529458, 0.0379492], [0.735702, 0.08578, 0.178518], [0.333333, 0.333333, 0.333333]]]]], [
   ["two heads always", [-0.25056, 0.9372, [2, 2, 3, 3]]]]],
  "self-attention with large scores": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[[0, 1, 0], [1, 0, 0], [1, 0, 0]], [[0, 0, 1], [1, 0, 0], [0, 0.875858, 0.124142]]], [[[1, 0, 0], [1.57843e-243, 0.313526, 0.686474], [0.333333, 0.333333, 0.333333]], [[1, 0, 0], [1, 0, 0], [0.333333, 0.333333, 0.333333]]], [[[1, 0, 0], [0, 0.60106, 0.39894], [1, 2.52926e-241, 9.67926e-240]], [[0, 0, 1], [0, 0.826974, 0.173026], [2.76222e-102, 0.95479, 0.0452105]]], [[[1, 0, 0], [1, 0, 0], [0, 0.934108, 0.0658924]], [[0, 0, 1], [1, 9.23191e-184, 1.10531e-183], [1, 0, 0]]]]], [
   ["no maximum", [166.95, 4336.9]],
   ["one maximum for all", [375.6, 799.94]],
   ["one maximum for each table", [-135.68, 379.94]]]],
  "the weights of one token": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[[1]], [[1]]]]], [
   ["axes of length 1 squeezed", [0.53919, 0.68373, [2]]]]],
  "the output of self-attention": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[1.92247, -0.31679, 2.49683, -0.660218, -1.52296, 3.35699, 1.85883, -0.702035, 3.49193, 1.51313], [0.602291, 0.299899, -0.0651649, 1.14622, -0.336819, 1.49525, 1.63806, 0.108739, 0.118704, 0.346422], [0.74255, -0.53237, -0.196195, 0.945253, 0.460631, 1.86559, 1.38845, -0.422949, -0.790809, 0.317607]], [[-0.0422381, 0.280808, -1.47033, 0.496322, 0.234612, 1.1833, -1.33273, 2.38536, -1.04463, 0.0544611], [-0.0160793, -0.0280193, -0.574652, 0.076353, 0.0514366, 0.834818, -1.35846, 1.70798, -0.449815, -0.146565], [0.0533125, 0.295937, -1.06296, 0.0006875, -0.325125, 0.00154167, -1.0284, 1.72229, -0.163729, -0.672792]], [[-2.87925, -0.514304, -0.70523, -0.194912, 0.620792, -1.5794, -1.29429, -1.07657, -0.031327, 1.83961], [-2.07152, 0.00807461, 0.972521, -0.111167, -0.154848, -1.54216, 0.26073, -2.13319, 0.9294, 1.90701], [-0.347492, -1.26802, -0.9902, -0.85245, -0.777235, -1.68161, 2.20708, -1.6129, -0.961388, 1.13529]], [[1.97142, -0.385219, -1.05756, -0.949361, -0.532764, 1.03019, 1.54795, 1.10174, 0.146672, -0.377163], [1.20256, 0.0936843, -1.85933, -0.17913, -0.35575, -0.322484, 1.47825, 0.798326, -0.080438, -1.29663], [2.0935, -0.512772, 1.11602, -1.19181, -1.29875, 1.34799, 1.34597, -0.182108, 2.35811, -0.450053]]]], [
   ["√d_model", [-6.9062, 3.1705]],
   ["no scale", [-12.35, 4.4697]],
   ["divides by depth", [-4.9998, 3.3233]],
   ["divides by d_model", [-2.8971, 2.8242]],
   ["divides by √num_heads", [-10.917, 3.5484]],
   ["divides by √seq_k", [-9.9378, 3.2401]],
   ["multiplies by √depth", [-14.349, 7.5264]],
   ["divides by depth ** 1 / 2", [-8.057, 3.09]],
   ["bare reshape", [-1.8206, 3.4119]],
   ["interleaved", [15.973, -11.986]],
   ["inputs split before the projections", [3.0118, 8.905]],
   ["heads by rows of the matrices", [4.1967, 6.9453]],
   ["weights of head 0 repeated", [-5.51, -5.6434]],
   ["W_q and W_k swapped", [-3.3703, 5.068]],
   ["W_q for queries and keys", [-2.1173, -9.4144]],
   ["W_k for queries and keys", [-7.3394, -8.017]],
   ["W_v for the keys", [-7.4221, 3.9135]],
   ["queries not projected", [4.1442, 5.3376]],
   ["keys not projected", [-0.15822, 9.0634]],
   ["no projections", [-4.4356, -8.7614]],
   ["no projections", [5.2247, -3.4443]],
   ["no projections", [-1.3555, 0.65389]],
   ["W_q transposed", [15.631, 5.9877]],
   ["W_k transposed", [-5.8097, -12.197]],
   ["queries projected twice", [5.4264, -3.7805]],
   ["softmax over queries", [0.079171, -2.4817]],
   ["softmax over heads", [-7.7811, 5.7708]],
   ["softmax over the batch", [3.7567, -4.3161]],
   ["softmax over everything", [-0.4965, 0.1427]],
   ["not normalised", [-18.673, 5.3669]],
   ["no softmax", [5.0971, -29.279]],
   ["softmax twice", [-3.2445, 1.2449]],
   ["W_o forgotten", [0.2338, -0.72443]],
   ["W_o transposed", [-1.5845, 4.6713]],
   ["W_v for W_o", [2.8438, 15.549]],
   ["W_v forgotten", [1.2716, 4.9234]],
   ["W_k for the values", [-9.7897, -4.4139]],
   ["W_v transposed", [-6.8982, 5.0553]],
   ["combine without transpose", [9.0335, 7.0487]],
   ["combine interleaved", [1.7998, -1.8466]],
   ["heads in reverse", [0.24239, 3.235]],
   ["head 0 alone", [-4.0004, 3.9616]],
   ["head 0 in every place", [-6.0815, 6.4712]],
   ["heads added up", [-1.677, 4.687]],
   ["the output of each head", [-6.0613, 7.2049, [4, 2, 3, 5]]],
   ["combined before the weights", [-0.86007, 0.51804]],
   ["one thing returned", [-0.87762, 2.9907, [4, 2, 3, 3]]],
   ["outputs stacked along axis 0", [-10.726, 0.3651]],
   ["the keys of every head with the queries of head 0", [-4.6761, 4.0495]],
   ["heads along the batch axis", [-2.1784, -2.5832, [2, 3, 10]]],
   ["no heads", [3.3499, -0.091386]],
   ["depth and heads mixed up", [-4.7228, 0.012506]],
   ["the folded axis taken apart the wrong way", [-3.4807, -0.099674]]]],
  "the output for one token": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[0.591375, -0.77275, 0.1105, 2.24925, 1.81519, 2.9705, 1.56288, 1.25063, -1.82175, -1.43719]]]], [
   ["axes of length 1 squeezed", [2.4789, -0.034977, [10]]]]],
  "3 queries, 3 keys of other tokens": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], [[[[0.563831, 0.980112, -2.45143, -0.800024, -0.0536637, -1.67619, -1.37395, 2.20781, -0.507532, -1.8304], [0.806274, 0.408755, -0.264158, 1.26434, -0.333072, 1.27473, 0.130049, 1.29001, -0.994576, -0.67024], [-0.869733, 1.04741, -1.04662, 3.06437, -1.51245, 1.1718, 0.933369, 2.01517, 0.479115, -0.666627]], [[-0.331154, -0.179944, -1.04345, -0.540372, -1.14722, -2.12425, -0.819113, 1.76074, 0.144013, -2.27372], [0.580351, 0.867713, -0.364584, -1.00874, 0.632116, -0.688621, -0.636998, 0.456594, -0.646315, 0.320373], [-1.44762, -0.091875, -0.287208, -0.232313, 0.383396, -1.93169, -1.62367, 0.523375, -0.985917, -0.573833]], [[-0.311132, -2.34213, -0.916975, -1.70021, 1.06329, -1.0823, -1.21754, -0.851679, -3.56252, 0.943553], [0.482594, 1.36461, 0.14314, 0.0704767, 0.301687, 1.23534, -1.59657, 0.175048, -0.301028, 1.75642], [1.53143, -0.936162, -0.957076, -1.75931, -1.30194, -1.38545, 1.82406, -0.0928795, -1.11666, 0.0551343]], [[2.19557, 2.02414, 0.53633, -1.49925, 0.65061, -0.359315, -2.54661, -1.84983, 0.612922, 0.434989], [-2.77676, -1.5166, -1.69947, 2.65443, 1.52605, -0.476613, 0.424163, -0.0965661, -1.76441, -1.6142], [0.813772, 0.801917, -0.655102, -0.0962009, 1.11924, -0.147848, -1.23664, -0.837642, -0.113817, -0.664391]]], [[[[0.522696, 0.373805, 0.103498], [0.167683, 0.315244, 0.517073], [0.607387, 0.319571, 0.073042]], [[0.157493, 0.825097, 0.0174101], [0.223027, 0.138302, 0.63867], [0.102066, 0.0466291, 0.851305]]], [[[0.0130212, 2.74392e-05, 0.986951], [0.0941333, 0.842559, 0.0633077], [0.333333, 0.333333, 0.333333]], [[0.126198, 0.0250039, 0.848798], [0.0300379, 0.117152, 0.85281], [0.333333, 0.333333, 0.333333]]], [[[0.63984, 0.123453, 0.236706], [0.0224804, 0.385231, 0.592288], [0.9995, 0.00037749, 0.000122324]], [[0.987667, 0.00280626, 0.00952665], [0.159821, 0.783724, 0.0564542], [0.000442813, 0.582445, 0.417112]]], [[[0.010478, 0.000228919, 0.989293], [0.00214635, 0.983519, 0.0143348], [0.00435618, 0.458216, 0.537428]], [[0.995109, 0.00462676, 0.000264329], [0.00209839, 0.31508, 0.682821], [0.803331, 0.0958237, 0.100845]]]]], [
   ["√d_model", [9.1393, -5.9125], [0.16953, 0.66987]],
   ["no scale", [17.116, -7.9893], [0.45777, 2.9657]],
   ["divides by depth", [5.2935, -4.8486], [-0.016102, 0.16478]],
   ["divides by d_model", [2.2084, -3.2265], [-0.099105, -0.10362]],
   ["divides by √num_heads", [15.497, -7.5481], [0.43955, 2.221]],
   ["divides by √seq_k", [14.213, -7.1881], [0.39877, 1.7781]],
   ["multiplies by √depth", [19.158, -7.8949], [0.52497, 4.3137]],
   ["divides by depth ** 1 / 2", [11.272, -6.4327], [0.27115, 1.0479]],
   ["bare reshape", [-5.2886, 5.1047], [6.8103, 3.2941]],
   ["interleaved", [0.55671, -12.202], [-2.9425, -0.49054]],
   ["inputs split before the projections", [-2.1193, 1.0973], [0.52094, -2.0377]],
   ["heads by rows of the matrices", [-4.36, 4.3046], [2.1779, -1.612]],
   ["weights of head 0 repeated", [-0.010249, -0.3096], [0.052045, -2.1342]],
   ["W_q and W_k swapped", [4.3854, -2.4623], [-0.33172, 1.537]],
   ["W_q for queries and keys", [7.1295, -9.6198], [0.5848, 1.5856]],
   ["W_k for queries and keys", [5.2384, -3.746], [2.3111, -0.67814]],
   ["W_v for the keys", [-9.2045, -6.6596], [-1.1512, 3.2531]],
   ["queries not projected", [-4.8744, -1.7006], [3.1604, 1.6379]],
   ["keys not projected", [7.0946, -0.43917], [-2.531, 1.3746]],
   ["no projections", [8.9356, -6.014], [-4.0415, -1.1648]],
   ["no projections", [1.9611, -0.71615], [-4.0415, -1.1648]],
   ["no projections", [1.6074, 0.19221], [-4.0415, -1.1648]],
   ["W_q transposed", [8.378, 1.8009], [0.85933, 1.8062]],
   ["W_k transposed", [3.8622, 2.1915], [2.3492, 0.098353]],
   ["queries projected twice", [15.986, -4.8196], [-1.5148, -0.58352]],
   ["softmax over queries", [18.038, -11.261], [-1.3711, -0.99257]],
   ["softmax over heads", [12.262, -9.3161], [-1.458, 0.28631]],
   ["softmax over the batch", [17.121, -5.7615], [1.4968, -1.8916]],
   ["softmax over everything", [0.35454, -0.1505], [0.027064, 0.059168]],
   ["not normalised", [12.713, -5.3964], [0.97041, 2.1216]],
   ["no softmax", [93.199, -68.281], [-8.7094, -13.107]],
   ["softmax twice", [4.6655, -2.7782], [0.27936, 0.68142]],
   ["W_o forgotten", [-4.5336, -14.182], 0],
   ["W_o transposed", [-2.5881, -2.4339], 0],
   ["W_v for W_o", [-2.3871, 0.34603], 0],
   ["W_v forgotten", [9.8733, -2.0109], 0],
   ["W_k for the values", [-3.3794, -13.124], 0],
   ["W_v transposed", [13.048, -3.7009], 0],
   ["combine without transpose", [16.522, 13.106], 0],
   ["combine interleaved", [11.699, -12.652], 0],
   ["heads in reverse", [-13.444, -6.5587], 0],
   ["head 0 alone", [3.7817, 1.0078], 0],
   ["head 0 in every place", [-0.27243, -0.66189], 0],
   ["heads added up", [-5.6086, -3.8812], 0],
   ["the output of each head", [-5.645, 8.195, [4, 2, 3, 5]], 0],
   ["combined before the weights", [6.9526, -2.3958], 0],
   ["cross-attention from the queries", [-8.6286, 3.0892], [-0.87762, 2.9907]],
   ["keys from the queries", [5.689, -0.64187], [-0.87762, 2.9907]],
   ["values from the queries", [-1.7062, -0.87573], 0],
   ["keys and values exchanged", [-3.4231, 2.4954], [-0.51938, 3.1921]],
   ["queries from the keys", [7.5655, 2.7409], [-0.1348, 0.92569]],
   ["values from the keys", [-7.119, -10.071], 0],
   ["keys from the values", [-4.6461, 2.1746], [-0.51938, 3.1921]],
   ["weights averaged over heads", 0, [0.81746, 0.56623, [4, 3, 3]]],
   ["weights added up over heads", 0, [1.6349, 1.1325, [4, 3, 3]]],
   ["the last head's weights", 0, [2.3714, 2.3796, [4, 3, 3]]],
   ["the first head's weights", 0, [-0.73648, -1.2472, [4, 3, 3]]],
   ["heads before the batch", 0, [-0.22346, 1.1188, [2, 4, 3, 3]]],
   ["heads folded into the batch of weights", 0, [0.31565, 1.2545, [8, 3, 3]]],
   ["heads last in the weights", 0, [6.1985, -1.6326, [4, 3, 3, 2]]],
   ["weights with the queries before the heads", 0, [-2.1894, 0.10871, [4, 3, 2, 3]]],
   ["one thing returned", [12.237, -6.6718, [4, 3, 10]]],
   ["one thing returned", [0.31565, 1.2545, [4, 2, 3, 3]], [12.237, -6.6718, [4, 3, 10]]],
   ["outputs stacked along axis 0", [4.9311, -1.2181], 0],
   ["the keys of every head with the queries of head 0", [3.9561, 0.33698], [0.18449, 4.2366]],
   ["heads along the batch axis", [-5.0834, -5.3056, [2, 3, 10]], [1.5743, -1.087, [2, 2, 3, 3]]],
   ["no heads", [8.1454, -5.3132], [0.77005, -0.95328]],
   ["depth and heads mixed up", [-10.073, -1.5598], [-3.5243, -2.8837, [4, 5, 3, 3]]],
   ["the folded axis taken apart the wrong way", [-5.6388, -12.488], [0.68307, 0.52462]],
   ["not normalised", [12.713, -5.3964], 0]]],
  "2 sequences, 2 queries, 2 heads, a mask for each": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], [[[[0.813369, 0.484621, -2.16821, -1.26701, -0.505534, -2.39328, -1.59013, 2.33938, -0.297368, -3.03932], [1.45426, 1.50238, 0.138274, -1.01919, -1.34926, -1.16182, 0.597756, -0.217101, 1.77646, -0.390193]], [[-1.95487, -0.976534, 0.655689, 1.05037, -2.13114, -1.05092, 1.0515, 1.11024, 0.4821, -0.644684], [-0.543832, 0.555292, -0.677671, -0.369817, -0.718719, -1.73136, 0.217073, 0.879199, 0.477576, -0.535357]]], [[[[0, 0.7811, 0.216269, 0.0015204, 0, 0.00111079], [0.00152501, 0.00286702, 0, 0.971431, 0.0149466, 0.00922989]], [[0, 0.933647, 0.0197005, 0.0424071, 0, 0.00424572], [0.0789179, 0.0489382, 0, 0.300526, 0.00382566, 0.567792]]], [[[0.0120183, 2.53257e-05, 0.910933, 0, 0.0113017, 0.0657214], [0.123038, 0, 0.0827472, 0.732452, 0.0617629, 0]], [[0.0180562, 0.00357751, 0.121445, 0, 0.0115065, 0.845415], [0.0135392, 0, 0.384395, 0.334613, 0.267453, 0]]]]], [
   ["mask of the batch on the heads", [6.9629, -1.2333], [-1.122, -0.00012011]],
   ["an axis behind the queries", [0.2228, -1.3809], [-2.311, -0.84679]],
   ["mask of the first sequence for all", [14.763, -3.8488], [-1.2474, -0.61424]],
   ["mask ignored", [6.1182, 0.32509], [-0.34635, 0.81164]],
   ["mask on head 0 only", [8.5844, -0.26085], [-0.20402, 0.65503]],
   ["mask on the last head only", [13.948, -4.2853], [-0.21485, -0.094864]],
   ["mask subtracted", [-244.53, 734.07], [-34.955, 828.19]],
   ["mask multiplied", [-244.53, 734.07], [-820.66, 655.53]],
   ["mask after softmax", [7.9741, -1.5074], [0.53574, 0.0043406]],
   ["blocked scores set to 0", [14.398, -5.2318], [-0.58193, -0.4126]],
   ["mask inverted", [-2.3114, 2.0736], [-2.7777, 2.8403]]]],
  "2 sequences, 2 queries, 2 heads, a flat mask": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], [[[[-0.758793, -0.578938, -0.255055, 1.60185, -1.81916, 0.346639, 0.539288, 1.89304, 0.0528994, -1.31854], [1.0206, 1.01654, -0.00900242, -0.749848, -0.579727, -0.693551, -0.576041, -0.003456, 0.861408, -0.422532]], [[-1.92513, -1.00201, 0.684688, 1.04503, -2.18517, -0.993561, 1.11612, 1.13474, 0.512768, -0.619856], [-0.694588, 0.607632, -0.310279, -0.110597, -0.155714, -1.26813, 0.142254, 0.512125, -0.308338, 0.273648]]], [[[[0, 0.776789, 0.215075, 0, 0.00703117, 0.00110466], [0.00153921, 0.00289373, 0, 0.980481, 0.0150859, 0]], [[0, 0.000620269, 1.30881e-05, 0, 0.999364, 2.82065e-06], [0.182592, 0.113228, 0, 0.695328, 0.00885143, 0]]], [[[0, 2.56338e-05, 0.922014, 0, 0.0114392, 0.0665208], [0.0609543, 0.545584, 0, 0.362864, 0.030598, 0]], [[0, 0.0036433, 0.123678, 0, 0.0117181, 0.860961], [0.0202559, 0.0790011, 0, 0.50061, 0.400133, 0]]]]], [
   ["an axis for the heads in a flat mask, too", [0.19903, -0.18575], [-0.97098, -2.2875]],
   ["flat mask ignored", [6.1182, 0.32509], [-0.34635, 0.81164]]]],
  "3 queries, 6 keys, a mask for each sequence": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], [[[[0.813369, 0.484621, -2.16821, -1.26701, -0.505534, -2.39328, -1.59013, 2.33938, -0.297368, -3.03932], [1.45426, 1.50238, 0.138274, -1.01919, -1.34926, -1.16182, 0.597756, -0.217101, 1.77646, -0.390193], [-0.143548, 1.08495, 0.103402, 1.51309, -1.2752, 0.359581, 0.274199, 0.806472, 1.32341, -0.759909]], [[-1.95487, -0.976534, 0.655689, 1.05037, -2.13114, -1.05092, 1.0515, 1.11024, 0.4821, -0.644684], [-0.543832, 0.555292, -0.677671, -0.369817, -0.718719, -1.73136, 0.217073, 0.879199, 0.477576, -0.535357], [-1.35765, 0.320988, 0.690538, 0.511888, 0.68395, -1.05363, -0.739, 0.128138, -0.543462, -0.29205]], [[-0.665126, -1.83835, 0.218706, -1.44899, 1.37875, -0.295481, -2.46804, -0.797755, -2.6844, 1.26419], [0.685303, 1.76747, 0.314069, 0.246268, 0.0695213, 1.43787, -1.33538, 0.279548, 0.335937, 1.64968], [0.956159, 0.505752, -1.58878, -0.939747, -1.86521, -3.38521, 2.68472, -0.556018, -0.0404298, -1.03845]], [[1.94113, 1.57124, 0.0838131, -1.17941, 0.490747, -0.437827, -1.96495, -1.38837, 0.555551, -0.190308], [-2.33699, -1.47527, -1.01395, 2.25836, 1.25848, 0.0921131, 0.657522, -0.16735, -1.58082, -0.793235], [0.369171, 0.0930285, -0.152593, 0.191497, -0.0224445, -0.166851, -0.0849576, -0.584258, 0.0968365, -0.539268]]], [[[[0, 0.7811, 0.216269, 0.0015204, 0, 0.00111079], [0.00152501, 0.00286702, 0, 0.971431, 0.0149466, 0.00922989], [0, 0.222175, 0.0507809, 0.59835, 0, 0.128694]], [[0, 0.933647, 0.0197005, 0.0424071, 0, 0.00424572], [0.0789179, 0.0489382, 0, 0.300526, 0.00382566, 0.567792], [0, 0.0296316, 0.540982, 0.427201, 0, 0.00218538]]], [[[0.0120183, 2.53257e-05, 0.910933, 0, 0.0113017, 0.0657214], [0.123038, 0, 0.0827472, 0.732452, 0.0617629, 0], [0.2, 0.2, 0.2, 0, 0.2, 0.2]], [[0.0180562, 0.00357751, 0.121445, 0, 0.0115065, 0.845415], [0.0135392, 0, 0.384395, 0.334613, 0.267453, 0], [0.2, 0.2, 0.2, 0, 0.2, 0.2]]], [[[0.308387, 0.0595015, 0, 0.145969, 0.233862, 0.25228], [0, 0.368159, 0.56604, 0.00693849, 0, 0.0588628], [0.922023, 0.000348229, 0, 0.0327732, 0.00123694, 0.0436191]], [[0.964914, 0.00274161, 0, 0.00379583, 0.0251328, 0.00341608], [0, 0.912408, 0.0657237, 0.017438, 0, 0.00443071], [0.000123277, 0.16215, 0, 0.0257161, 0.00252563, 0.809485]]], [[[0.00802629, 0, 0.75781, 0.174805, 0.0593593, 0], [0.00185469, 0.849873, 0.0123869, 0, 0.00141479, 0.13447], [0.00183378, 0, 0.226236, 0.457645, 0.314285, 0]], [[0.92418, 0, 0.000245488, 0.0736055, 0.00196909, 0], [0.00147605, 0.221633, 0.480309, 0, 0.186176, 0.110405], [0.0883015, 0, 0.0110848, 0.6123, 0.288313, 0]]]]], []],
  "3 queries, 6 keys, a flat mask, large scores": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], [[[[-1.528, -0.65125, -0.63525, 2.06075, -2.52831, -0.0188125, 0.456562, 2.53663, 0.813875, -1.89219], [1.0206, 1.01654, -0.00900242, -0.749848, -0.579727, -0.693551, -0.576041, -0.003456, 0.861408, -0.422532], [-0.133315, 1.37461, -0.257253, 1.72847, -0.917962, 0.707913, 0.480994, 0.766306, 0.933096, -0.14293]], [[-2.26481, -1.292, 0.71325, 1.33369, -2.74556, -1.10412, 1.36437, 1.26894, 0.506937, -0.678312], [-0.694588, 0.607632, -0.310279, -0.110597, -0.155714, -1.26813, 0.142254, 0.512125, -0.308338, 0.273648], [-1.3695, -0.0171562, 0.435953, -0.213625, 0.534266, -1.10847, -0.415484, 0.0407656, 0.0154063, 0.242453]], [[-0.388937, 1.30119, 4.07037, 0.328937, -1.63338, 3.07137, -0.420188, 1.72325, 4.30369, 2.07231], [0.741713, 1.64512, 0.872384, -0.525322, -1.23922, 0.576213, -2.1487, 0.108873, 0.698691, 1.85068], [0.738754, 0.374853, -1.53334, -1.06165, -1.90624, -3.6374, 2.65772, -0.553594, -0.125902, -0.965898]], [[0.396875, -0.115313, 3.79681, -1.13312, -1.2505, 1.95769, -0.9145, -1.37381, 0.960312, 3.78556], [-2.12544, -2.06681, -1.20852, 1.6484, 1.47417, 0.217871, 0.501743, 0.0361378, -1.74219, -0.929719], [0.632938, -0.267481, 0.407995, -0.42977, -1.16376, -0.197777, 0.0224785, -0.228988, 0.980162, -0.567152]]], [[[[0, 1, 0, 0, 0, 0], [0.00153921, 0.00289373, 0, 0.980481, 0.0150859, 0], [0.351865, 0, 0.0423139, 0.498584, 0, 0.107236]], [[0, 0, 0, 0, 1, 0], [0.182592, 0.113228, 0, 0.695328, 0.00885143, 0], [0.0626532, 0, 0.522572, 0.412663, 0, 0.00211102]]], [[[0, 0, 1, 0, 0, 0], [0.0609543, 0.545584, 0, 0.362864, 0.030598, 0], [0.25, 0, 0.25, 0.25, 0, 0.25]], [[0, 0, 0, 0, 0, 1], [0.0202559, 0.0790011, 0, 0.50061, 0.400133, 0], [0.25, 0, 0.25, 0.25, 0, 0.25]]], [[[0, 0, 0, 0, 1.19365e-33, 1], [0.042404, 0.726649, 0, 0.0136948, 0.217253, 0], [0.923382, 0, 0.000113008, 0.0328215, 0, 0.0436834]], [[0, 0, 0, 0, 1, 0], [0.145442, 0.713214, 0, 0.013631, 0.127713, 0], [0.000129568, 0, 0.122048, 0.0270284, 0, 0.850794]]], [[[0, 0, 1, 0, 0, 0], [0.00216023, 0.98988, 0, 0.00631206, 0.00164786, 0], [0.00259121, 0, 0.319681, 0.646671, 0, 0.0310567]], [[0, 0, 0, 0, 0, 1], [0.00337561, 0.506859, 0, 0.0639947, 0.425771, 0], [0.0859051, 0, 0.010784, 0.595683, 0, 0.307628]]]]], [
   ["no maximum", [-2131.2, 2907.5], [814.24, 169.4]],
   ["one maximum for all", [624.11, 72.021], [-891.89, 1004]],
   ["one maximum for each table", [2762.6, -2838.2], [-524.9, 1031.3]],
   ["maximum before the mask", [-1435.2, 1486.3], [-1231.8, 527.26]]]],
  "6 numbers into 4 heads": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o"], "ValueError", [
   ["heads not checked", [-44.127, 140.64, [2, 3, 6]], [0.2103, 2.3774, [2, 4, 3, 3]]],
   ["two heads always", [59.769, 221.06, [2, 3, 6]], [0.43655, 3.2661, [2, 2, 3, 3]]],
   ["depth and heads mixed up", [90.887, 199.04, [2, 3, 6]], [-1.293, -0.046632, [2, 1, 3, 3]]]]],
  "every key of query 2 blocked in sequence 1": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], "ValueError", [
   ["blocked row gives NaN", [-513.67, 305.56, [2, 3, 6]], [230.76, -78.928, [2, 2, 3, 3]]],
   ["blocked row gives uniform weights", [98.921, 218.63, [2, 3, 6]], [1.1503, 2.4831, [2, 2, 3, 3]]],
   ["blocked row gives zeros", [4.7471, 135.9, [2, 3, 6]], [1.0517, 2.5181, [2, 2, 3, 3]]],
   ["mask ignored", [59.769, 221.06, [2, 3, 6]], [0.43655, 3.2661, [2, 2, 3, 3]]]]],
  "every key of query 2 blocked in a flat mask": [["Q", "K", "V", "num_heads", "W_q", "W_k", "W_v", "W_o", "mask"], "ValueError", [
   ["blocked row gives NaN", [-1403.9, 317.74, [2, 3, 6]], [357.4, 148.66, [2, 2, 3, 3]]]]]}},
 "repaired-attention": {
 "made of": "0e34746d7b8b", "defines": ["repaired_attention"],
 "advice": {
  "nothing repaired": "All scores are 0 here, and the weights of a query sum to 9, not to 1: divide each power by the sum of its row, don't multiply.",
  "the wrong transpose": "Each query meets the keys of its own sequence: Q stands on the left, and only the last two axes of K change places.",
  "multiplies by the scale": "Let the scale shrink the scores: divide by √d_k, don't multiply.",
  "subtracts the mask": "Add the mask to the scores: its 0 leaves a score as it is, and its −∞ makes it −∞.",
  "the maximum over the queries": "Let both the maximum and the sum run over the keys, the last axis: here one of them, or both, run over the queries.",
  "the maximum over the batch": "Let the maximum run over the keys, the last axis: here it is taken over the sequences.",
  "no sum": "Divide each power by the sum of its row: each weight is 1 here, and three keys should share it.",
  "divided by everything": "Divide each row by its own sum: here the weights of all sequences and queries together sum to 1.",
  "divided by each table": "Divide each row by its own sum, over the last axis alone: here the weights of a whole sequence sum to 1.",
  "the sum without keepdims": "Keep the lost axis of the sums, or they line up with the keys: each row is divided by its own sum.",
  "the sum's axis put in front": "Give the sums their axis of length 1 at the end, behind the queries: here each row is divided by another one's sum.",
  "no scale left": "The scores are not scaled: divide them by √d_k.",
  "divides by d_k": "Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice.",
  "divides by d_k ** 1 / 2": "Put brackets around the exponent: d_k ** 1 / 2 is half of d_k, and not its root.",
  "divides by d_k ** 1 / 2 without brackets": "Put brackets around the root: / d_k ** 1 / 2 divides by d_k and then by 2.",
  "the root of the number of keys": "Take the root of how many numbers a query has, d_k: here it is of the number of keys.",
  "the root of the number of queries": "Take the root of how many numbers a query has, d_k: here it is always √3, or the root of the number of queries.",
  "the root of the number of sequences": "Take the root of how many numbers a query has, d_k: here it is of the number of sequences.",
  "no mask left": "Give blocked keys the score −∞ before the softmax, by adding the mask: here they still get a share.",
  "the mask after the softmax": "Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1.",
  "mask of the first sequence for all": "Use each sequence's own mask: here all have that of the first one.",
  "the maximum before the mask": "Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0.",
  "no maximum left": "Subtract each row's own largest score before exp: exp of a large number is more than a float can hold.",
  "one maximum for all": "Subtract each row's own largest score: with one maximum for all rows, some have only powers that are rounded to 0.",
  "the maximum without keepdims": "Keep the lost axis of the maximum, or it lines up with the keys: one number is subtracted from all scores of a query.",
  "the output from the powers": "The weights are right; multiply these with V for the output.",
  "weights first": "Give back two things, the output first: (output, weights)."},
 "calls": {
  "all scores 0": [["Q", "K", "mask"], [[[[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]], [[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]], [[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]]]], [
   ["nothing repaired", [2.9991, 0.58019]],
   ["no sum", [0.99972, 0.1934]],
   ["divided by everything", [0.037027, 0.0071628]],
   ["divided by each table", [0.11108, 0.021488]]]],
  "each query fits one key": [["Q", "K", "mask"], [[[[2.15758e-226, 2.15758e-226, 1], [1, 2.15758e-226, 2.15758e-226], [2.15758e-226, 1, 2.15758e-226]], [[1, 2.15758e-226, 2.15758e-226], [2.15758e-226, 1, 2.15758e-226], [2.15758e-226, 2.15758e-226, 1]], [[2.15758e-226, 1, 2.15758e-226], [2.15758e-226, 2.15758e-226, 1], [1, 2.15758e-226, 2.15758e-226]]]], [
   ["the wrong transpose", [-4.932, 1.2624]],
   ["subtracts the mask", [0.33324, 0.064465]],
   ["the wrong transpose", [2.4291, 0.43691]],
   ["weights first", [2.1006, 0.20988]]]],
  "scores 1, 2 and 3 in each row and column": [["Q", "K", "mask"], [[[[0.167943, 0.532897, 0.29916], [0.29916, 0.167943, 0.532897], [0.532897, 0.29916, 0.167943]], [[0.167943, 0.532897, 0.29916], [0.29916, 0.167943, 0.532897], [0.532897, 0.29916, 0.167943]], [[0.167943, 0.532897, 0.29916], [0.29916, 0.167943, 0.532897], [0.532897, 0.29916, 0.167943]]]], [
   ["multiplies by the scale", [-0.85797, -0.22196]],
   ["the maximum over the batch", [0.33324, 0.064465]],
   ["no scale left", [-0.54399, -0.12402]],
   ["divides by d_k", [-0.010272, 0.0010424]],
   ["divides by d_k ** 1 / 2", [-0.30841, -0.064063]],
   ["divides by d_k ** 1 / 2 without brackets", [0.15762, 0.033449]],
   ["the wrong transpose", [-0.63105, 0.083411]]]],
  "three equal queries": [["Q", "K", "mask"], [[[[0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897]], [[0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897]], [[0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897], [0.167943, 0.29916, 0.532897]]]], [
   ["the maximum over the queries", [0.33324, 0.064465]]]],
  "uneven scores": [["Q", "K", "mask"], [[[[0.810692, 0.032904, 0.156404], [0.507699, 0.465581, 0.0267197], [0.33327, 0.513868, 0.152861]], [[0.0991805, 0.108153, 0.792667], [0.129056, 0.473091, 0.397853], [0.3773, 0.489238, 0.133461]], [[0.0991805, 0.792667, 0.108153], [0.152861, 0.513868, 0.33327], [0.0278946, 0.486053, 0.486053]]]], [
   ["the sum without keepdims", [3.0759, 1.6465]],
   ["the sum's axis put in front", [3.1501, 1.6857]],
   ["the maximum without keepdims", [3.234, 1.7539]]]],
  "sizes that differ": [["Q", "K", "mask"], [[[[0.268826, 0.0267748, 0.291697, 0.412702], [0.117929, 0.611139, 0.104762, 0.16617], [0.00920739, 0.273842, 0.0166426, 0.700308]], [[0.24305, 0.376189, 0.0452084, 0.335553], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0.25, 0.25, 0.25, 0.25]]]], [
   ["the root of the number of keys", [0.94262, -0.40916]],
   ["the root of the number of queries", [0.9773, -0.4122]],
   ["the root of the number of sequences", [1.008, -0.38597]]]],
  "scores of ±10000": [["Q", "K", "mask"], [[[[0, 0, 0, 1], [0.117929, 0.611139, 0.104762, 0.16617], [1, 0, 0, 0]], [[0, 1, 0, 0], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0.25, 0.25, 0.25, 0.25]]]], [
   ["no maximum left", [856.96, 140.12]],
   ["one maximum for all", [363.73, -249.72]]]],
  "all scores 0, nothing blocked": [["Q", "K", "V", "mask"], [[[[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]]], [[[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]], [[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]], [[0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333], [0.333333, 0.333333, 0.333333]]]], [
   ["nothing repaired", [8.9974, 1.7406], [2.9991, 0.58019]],
   ["no sum", [2.9991, 0.58019], [0.99972, 0.1934]],
   ["divided by everything", [0.11108, 0.021488], [0.037027, 0.0071628]],
   ["divided by each table", [0.33324, 0.064465], [0.11108, 0.021488]],
   ["the output from the powers", [2.9991, 0.58019], 0],
   ["weights first", [0.33324, 0.064465], [0.99972, 0.1934]],
   ["weights first", [0.99972, 0.1934, [3, 3, 3]]]]],
  "all scores 0, and one key of each query blocked": [["Q", "K", "V", "mask"], [[[[1.5, 1.5, 0], [0, 1.5, 1.5], [1.5, 0, 1.5]], [[0, 1.5, 1.5], [1.5, 0, 1.5], [1.5, 1.5, 0]], [[1.5, 0, 1.5], [1.5, 1.5, 0], [0, 1.5, 1.5]]], [[[0.5, 0, 0.5], [0.5, 0.5, 0], [0, 0.5, 0.5]], [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]], [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]]]], [
   ["subtracts the mask", [776.78, 150.27], [776.78, 150.27]],
   ["no mask left", [0.99972, 0.1934], [0.33324, 0.064465]],
   ["the mask after the softmax", [3.5117, 0.49846], [1.9772, -0.35634]],
   ["subtracts the mask", [-7.5359, -0.9152], [-4.932, 1.2624]],
   ["mask of the first sequence for all", [-5.6678, 3.7055], [1.0512, 0.26183]]]],
  "sizes that differ, a mask for each sequence": [["Q", "K", "V", "mask"], [[[[-0.910984, -0.575628, 0.817862, 0.953324, 0.704782], [-1.19856, -1.35299, 1.04119, -0.866214, 0.794104], [-1.90869, -1.70887, 1.57097, 1.00318, -0.16406]], [[0.390391, 1.48735, -0.667612, 0.0386668, 0.170695], [1.86958, -0.623086, 1.89968, 1.57994, -1.41338], [2, 0.2, 0.75, 0.35, 0.25]]], [[[0.276222, 0, 0.299722, 0.424056], [0.161753, 0.838247, 0, 0], [0, 0.276386, 0.0167973, 0.706816]], [[0.24305, 0.376189, 0.0452084, 0.335553], [0, 0, 0.966559, 0.0334408], [0.5, 0, 0.5, 0]]]], [
   ["multiplies by the scale", [-1.7009, -1.6041], [1.2143, 0.63254]],
   ["the maximum over the queries", [0.85109, 0.0053151], [0.33833, -0.66779]],
   ["the maximum over the batch", [-0.33048, 0.55961], [0.22342, 0.3035]],
   ["no scale left", [-0.74611, -1.52], [1.0529, 0.33422]],
   ["divides by d_k", [-0.13538, 0.31014], [0.84943, 0.16447]],
   ["divides by d_k ** 1 / 2", [-0.28933, -0.12157], [0.86726, 0.11349]],
   ["divides by d_k ** 1 / 2 without brackets", [0.082734, 0.37942], [0.84429, 0.24189]],
   ["the root of the number of keys", [-0.33523, -0.65671], [0.89722, 0.15272]],
   ["the root of the number of queries", [-0.37052, -0.86967], [0.91749, 0.18144]],
   ["the root of the number of sequences", [-0.46052, -1.1543], [0.95781, 0.23187]],
   ["the maximum over the queries", [-0.40602, -3.5193], [0.09063, -0.41443]],
   ["the maximum over the queries", [-0.48953, -2.0154], [0.073692, -0.33744]]]],
  "sizes that differ, a flat mask": [["Q", "K", "V", "mask"], [[[[-0.109163, 0.178596, 0.168361, 0.182676, 1.59184], [-1.36332, -1.40943, 1.10445, -0.445856, 0.642537], [-1.91567, -1.71244, 1.58756, 1.04423, -0.190781]], [[2, 0.8177, -0.107917, -0.507917, 1.38245], [1.83977, -0.380598, 1.60754, 1.32336, -1.08356], [-0.35, 1.75, -0.9, 0.3, -0.4]]], [[[0.479599, 0, 0.520401, 0], [0.117929, 0.611139, 0.104762, 0.16617], [0, 0.281108, 0, 0.718892]], [[0.843167, 0, 0.156833, 0], [0.0587773, 0.0559672, 0.855652, 0.0296037], [0, 0.5, 0, 0.5]]]], []],
  "scores of ±10000, some of them blocked": [["Q", "K", "V", "mask"], [[[[-2, -1.6, 1.7, 2, -0.5], [-1.19856, -1.35299, 1.04119, -0.866214, 0.794104], [-1.5, -1.5, 0.6, -1.4, 1.4]], [[1.2, 1.9, -0.8, -0.4, 1], [1.86958, -0.623086, 1.89968, 1.57994, -1.41338], [2, 0.2, 0.75, 0.35, 0.25]]], [[[0, 0, 0, 1], [0.161753, 0.838247, 0, 0], [0, 0, 1, 0]], [[0, 1, 0, 0], [0, 0, 0.966559, 0.0334408], [0.5, 0, 0.5, 0]]]], [
   ["the maximum before the mask", [257.18, 139.92], [194.82, 640.36]],
   ["no maximum left", [1600.5, 121.5], [674.4, -265.83]],
   ["one maximum for all", [110, -126.5], [363.51, -251.15]]]]}}}


# %% [markdown]
# The next cells hold what else the tests use. You don't need to read them to do the exercises, either.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def check_numbers(got, expected, where="on the small example", tolerance=1e-3, sizes=""):
    """Stop with a sentence unless `got` equals `expected`. All numbers stand below its first line."""
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, what came back is no array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, the shape is not right\n{sizes}expected {shape}, but got {got.shape}")
    with np.errstate(under="ignore"):
        near = np.allclose(got, expected, rtol=tolerance, atol=tolerance)
    assert near, (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "pair", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def pair(result):
    """The pair (output, weights), or a helpful sentence."""
    assert result is not None, "it gave back None\ndoes your function end with a return?"
    two = isinstance(result, (tuple, list)) and len(result) == 2
    assert two, "what came back is not a pair\nGive back two things, the output first: (output, weights)."
    return result


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "error-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def error_of(function, *arguments):
    """What the call raises, by name: "ValueError" for any kind of ValueError, or "no error"."""
    try:
        function(*arguments)
    except Exception as error:
        return "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return "no error"


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "slow-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def shares_of(scores):
    """Softmax of one list, entry by entry."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return [power / math.fsum(powers) for power in powers]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def some_numbers(start, *shape):
    """An array of numbers between −2 and 2 with one decimal: the same ones for the same start and shape."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-arrays", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def random_arrays(rng, batch, seq_q, seq_k, d_k, d_v):
    """Queries, keys and values."""
    return [rng.normal(size=(batch, *size)) for size in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)]]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def random_mask(rng, *shape):
    """A mask that blocks some keys, but never key 1."""
    mask = np.where(rng.random(size=shape) < 0.4, -math.inf, 0)
    mask[..., 1] = 0
    return mask


# %% [markdown]
# ## Three sentences, one batch
#
# A batch is a box of numbers, and a box has no ragged edge. So short sentences are filled up with a token that means nothing, `[pad]`, until all are as long as the longest. The true lengths are kept beside the box.

# %% nbgrader={"grade": false, "grade_id": "sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentences = [["the", "cat", "sat", "[pad]", "[pad]"], ["dogs", "bark", "[pad]", "[pad]", "[pad]"],
             ["she", "saw", "the", "old", "mat"]]
lengths = [3, 2, 5]

rng = np.random.default_rng(3)
X = rng.normal(size=(3, 5, 8))
for b, length in enumerate(lengths):
    X[b, length:] = 0
print("X has shape", X.shape, "= (batch, seq, d_model)")


# %% [markdown]
# The next cell draws attention weights for you. Where your mask blocks, a cell is hatched if its attention weight is exactly 0. If it holds anything else, it shows the number in red with an exclamation mark: then the mask was not obeyed. A 0.00 without hatching is a small number.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def draw_weights(ax, weights, blocked, queries, keys, title, coloured=True):
    """One table, rows are queries. Blocked cells: hatched if really empty, else a red number and a mark."""
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    for i in range(len(queries)):
        for j in range(len(keys)):
            value, shut = weights[i][j], blocked[i][j]
            empty = shut and value in (0, -math.inf)
            if shut or not coloured:
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0.5,
                                           edgecolor="gray", hatch="////" if empty else None))
            ink = "red" if shut else "white" if coloured and value < 0.5 else "black"
            text = f"{value:.2f}!" if shut else f"{value:.2f}" if value % 1 or coloured else f"{value:.0f}"
            if len(keys) <= 8 and not empty:
                ax.text(j, i, text, ha="center", va="center", fontsize=9, color=ink)
    ax.set_xticks(range(len(keys)), keys, rotation=45, ha="right")
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query", title=title)


# %% [markdown]
# ## 3.1 A mask for the future
#
# **1 point · about 5 minutes · difficulty ●○○**
#
# A model that learns to continue a text must not read what it is asked to guess. So a query may look at itself and at the tokens before it, never at those after it. Such a mask is called causal.
#
# Here a mask is **added** to the scores before softmax. Adding 0 keeps a score. Adding −∞ makes it −∞, and $e^{-\infty}$ is exactly 0, so this key gets no share. A score of 0 would not do: $e^0$ is 1, so the key would still get a share.
#
# Other code often writes −1e9 for −∞. Here it must be −∞; a fold after 3.3 shows why.
#
# $$\mathrm{mask}_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$$
#
# | operation | expression | shape |
# |---|---|---|
# | keep | 0 where the key is not after the query | on and below the diagonal |
# | block | −∞ where the key comes after its query | above the diagonal |
# | together | the mask | `(seq_len, seq_len)`, query before key |
#
# <details><summary>Hint 1: a question</summary>
#
# For three tokens, draw the 3×3 table with queries down and keys across. What may query 0 see? Is the diagonal blocked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.triu(..., k=...)` keeps diagonal `k` and what is above it. `np.full` fills a table with a number. Or `np.arange`, compared as a row with itself as a column, and `np.where`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Number the positions. Compare every key's number, along a row, with every query's, down a column. Where the key's is larger put −∞, elsewhere 0.
# </details>
#
# <details><summary>I get “invalid value encountered in multiply”</summary>
#
# 0 times infinity is not a number. Choose between 0 and −∞ instead of multiplying.
# </details>

# %% nbgrader={"grade": false, "grade_id": "causal-mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_causal_mask(seq_len):
    """An additive mask that keeps every query from looking at later keys.

    Returns (seq_len, seq_len): 0 on and below the diagonal, -inf above.
    """
    ### BEGIN SOLUTION
    return np.triu(np.full((seq_len, seq_len), -np.inf), k=1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "causal-mask-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("causal-mask", mask="query key")
check("causal-mask", "with 4 tokens", create_causal_mask, 4)
check("causal-mask", "with a single token", create_causal_mask, 1)
### BEGIN HIDDEN TESTS
for seq_len in range(1, 8):
    expected = [[0 if j <= i else -math.inf for j in range(seq_len)] for i in range(seq_len)]
    mask = create_causal_mask(seq_len)
    check_numbers(mask, expected, "with another number of tokens", 0, f"with {seq_len} tokens, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
print(create_causal_mask(4))


# %% [markdown]
# Read it row by row. Query 0 has one key left, itself; query 3 has all four. No row is blocked completely. That matters: a softmax over nothing does not exist.

# %% [markdown]
# ## 3.2 A mask for padding
#
# **2 points · about 9 minutes · difficulty ●●○**
#
# Nobody may look at the filling. In sequence `b`, the keys at position `lengths[b]` and after it are padding, and they are blocked **for every query**. So padding is whole *columns*, and each sequence has its own.
#
# | operation | expression | shape |
# |---|---|---|
# | which keys are padding | $j \ge \mathrm{lengths}_b$ | `(batch, seq_len)` |
# | the same for every query | repeated for each row | `(batch, seq_len, seq_len)` |
# | the mask | −∞ there, 0 elsewhere | `(batch, seq_len, seq_len)` |
#
# The queries at padded positions keep their rows: they look at the real keys, and nobody uses what they get. If their rows were blocked instead, they would hold nothing but −∞, and softmax would give 0/0, which is NaN. Every length is at least 1 and at most `seq_len`.
#
# <details><summary>Hint 1: a question</summary>
#
# Two sequences with lengths 2 and 4, in a box of 4 tokens. Draw both 4×4 tables. How many columns of sequence 0 are blocked? How many rows?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.asarray` takes a list and an array alike. `np.arange` numbers the keys. An index `None` gives an array a new axis of length 1; `np.where`; `np.broadcast_to` or `np.repeat` for the axis of the queries. Or plain loops: `np.zeros` and a slice for each sequence.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make a box of zeros. For each sequence, put −∞ into all rows of the columns from its length on.
# </details>
#
# <details><summary>I get “TypeError: list indices must be integers”</summary>
#
# `lengths` may be a plain list. Make it an array first if you want to index it with `None`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "padding-mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_padding_mask(lengths, seq_len):
    """An additive mask that keeps every query from looking at padding.

    lengths: the number of real tokens in each sequence, from 1 to seq_len;
    a list or an array.
    Returns (batch, seq_len, seq_len): -inf in the columns of keys at or
    past each length, else 0.
    """
    ### BEGIN SOLUTION
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
    return mask
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "padding-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("padding-mask", mask="sequence query key")
check("padding-mask", "with lengths [3, 1, 5, 2] in a box of 5 tokens", create_padding_mask, [3, 1, 5, 2], 5)
check("padding-mask", "with lengths [1, 2] in a box of 3 tokens", create_padding_mask, [1, 2], 3)
check("padding-mask", "with lengths given as an array", create_padding_mask, np.array([4, 1]), 4)
### BEGIN HIDDEN TESTS
for given, seq_len in [([3, 1, 5, 4], 6), ([2, 2], 3), ([1], 1), ([4, 7, 1], 7)]:
    expected = np.zeros((len(given), seq_len, seq_len))
    for b, i, j in np.ndindex(*expected.shape):
        expected[b, i, j] = -math.inf if j >= given[b] else 0
    where, sizes = "with other lengths", f"with lengths {given} and {seq_len} tokens, "
    array = np.array(given)
    check_numbers(create_padding_mask(list(given), seq_len), expected, where, 0, sizes)
    check_numbers(create_padding_mask(array, seq_len), expected, where + " as an array", 0, sizes)
    assert array.tolist() == given, "create_padding_mask changed the lengths"
### END HIDDEN TESTS

# %% [markdown]
# Masks can be added to each other: $-\infty + 0$ and $-\infty + (-\infty)$ are both $-\infty$. So a key is blocked if **either** mask blocks it, and kept if both keep it. The causal mask is flat, so it is used for every sequence of the batch.
#
# Predict before you run: in the sum of the two masks, how many of the 25 cells are blocked for the lengths 3, 2 and 5?

# %% tags=["demonstration"]
causal, padding = np.asarray(create_causal_mask(5)), np.asarray(create_padding_mask(lengths, 5))
both = causal + padding
print("causal", causal.shape, "+ padding", padding.shape)
print("both  ", both.shape, "- blocked for each sequence:", np.isinf(both).sum(axis=(1, 2)))


# %% [markdown]
# With 5 tokens, 10 of the 25 cells are future. With length 3, the columns 3 and 4 are blocked in all 5 rows; 7 of these 10 cells were future already, so it is 10 + 10 − 7 = 13. With length 2 it is 10 + 15 − 9 = 16. With length 5 nothing is added.

# %% [markdown]
# ## 3.3 Masked attention for a batch
#
# **5 points · about 35 minutes · difficulty ●●●**
#
# Now the formula, for all sequences of a batch at once, with a mask $M$. As in lesson 01, `Q`, `K` and `V` are queries, keys and values that somebody has projected already, and the division by $\sqrt{d_k}$ keeps the spread of the scores from growing with `d_k`:
#
# $$\mathrm{weights}_b = \mathrm{softmax}\!\left(\frac{Q_b K_b^\top}{\sqrt{d_k}} + M_b\right), \qquad \mathrm{output}_b = \mathrm{weights}_b\, V_b$$
#
# | operation | expression | shape |
# |---|---|---|
# | scores | $Q_b K_b^\top / \sqrt{d_k}$ | `(batch, seq_q, seq_k)` |
# | masked scores | scores + mask | `(batch, seq_q, seq_k)` |
# | attention weights | softmax over the keys | `(batch, seq_q, seq_k)` |
# | output | $\mathrm{weights}_b V_b$ | `(batch, seq_q, d_v)` |
#
# Softmax turns a row of scores $s$ into the shares $e^{s_j} / \sum_i e^{s_i}$. It must be stable: subtract each row's own largest score before `exp`. And the function must refuse what it can't do: a missing axis or a wrong mask often fits by broadcasting, and then nothing stops. Raise a `ValueError` if
#
# - `Q`, `K` or `V` does not have exactly three axes,
# - the queries and keys have different `d_k`, or `K` and `V` have different numbers of rows,
# - the mask is neither flat, `(seq_q, seq_k)`, nor `(batch, seq_q, seq_k)`. (You may take or refuse a mask such as `(1, seq_q, seq_k)`, which NumPy would stretch to `(batch, seq_q, seq_k)`.)
# - some query has **every** key blocked. Its softmax would be 0/0. Better an error here than NaN in the next layer.
#
# Different batch sizes of `Q`, `K` and `V` you may take or refuse, too.
#
# <details><summary>Hint 1: a question</summary>
#
# `Q` is `(2, 3, 4)` and `K` is `(2, 5, 4)`. Which two axes of `K` must change places so that a product gives `(2, 3, 5)`? What does `K.T` do to a box with three axes?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `K.transpose(0, 2, 1)` or `np.swapaxes`; the operator `@`, which treats leading axes as a batch; `np.einsum`; `array.ndim` and `array.shape`; `max`, `sum` with `axis=` and `keepdims=True`; `np.isneginf` and `all(axis=...)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# First look at the shapes, and raise. Then multiply the queries with the turned keys and divide by √d_k. If there is a mask, look whether a row of it is all −∞, raise if so, and add it. Subtract each row's maximum, exponentiate, divide by each row's sum. Mix the values. Return output and weights.
# </details>
#
# <details><summary>I get “NaN” or “invalid value encountered in subtract”</summary>
#
# −∞ minus −∞ is not a number. Some row is blocked completely, or the maximum was taken along the wrong axis.
# </details>
#
# <details><summary>I get “The truth value of an array … is ambiguous”</summary>
#
# `if mask` and `mask == None` ask every number of the table. Ask whether the mask `is None`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "masked-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Masked attention for a batch.

    Q: (batch, seq_q, d_k), K: (batch, seq_k, d_k), V: (batch, seq_k, d_v).
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k),
    holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_v) and (batch, seq_q, seq_k).
    Raises ValueError for wrong shapes, and where a query has every key blocked.
    """
    ### BEGIN SOLUTION
    if Q.ndim != 3 or K.ndim != 3 or V.ndim != 3:
        raise ValueError("Q, K and V need three axes each")
    if Q.shape[2] != K.shape[2] or K.shape[1] != V.shape[1]:
        raise ValueError(f"Q {Q.shape}, K {K.shape} and V {V.shape} don't fit together")
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[2])
    if mask is not None:
        if mask.shape not in (scores.shape, scores.shape[1:]):
            raise ValueError(f"the mask has shape {mask.shape}, the scores have {scores.shape}")
        if np.isneginf(mask).all(axis=-1).any():
            raise ValueError("a query has every key blocked: its softmax does not exist")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: without a mask (2 points).** Two sequences, three queries of 6 numbers, four keys, and values of 5 numbers. One query is all 0, so its scores are 0, too.

# %% nbgrader={"grade": false, "grade_id": "tiny-batch", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_Q, tiny_K, tiny_V = some_numbers(0, 2, 3, 6), some_numbers(50, 2, 4, 6), some_numbers(120, 2, 4, 5)
tiny_Q[1, 2] = 0
loud_Q = tiny_Q * [[1e4], [1], [-1e4]]

# %% nbgrader={"grade": true, "grade_id": "masked-attention-values-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("masked-attention", output="sequence query value", weights="sequence query key")
check("masked-attention", "without a mask", scaled_dot_product_attention, tiny_Q, tiny_K, tiny_V)
check("masked-attention", "with scores of ±10000", scaled_dot_product_attention, loud_Q, tiny_K, tiny_V)
one = tiny_Q[:1, :1], tiny_K[:1], tiny_V[:1]
check("masked-attention", "one query of one sequence", scaled_dot_product_attention, *one)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(303)
for size in [(2, 3, 5, 4, 6), (3, 6, 2, 5, 4), (4, 1, 3, 2, 1), (1, 2, 260, 270, 3)]:
    arrays = random_arrays(rng, *size)
    slow = [[shares_of([sum(q * k) / len(q)**0.5 for k in K]) for q in Q] for Q, K in zip(*arrays[:2])]
    mixed = [[sum(s * v for s, v in zip(row, V)) for row in table] for table, V in zip(slow, arrays[2])]
    where, sizes = "of larger random arrays", f"with Q {arrays[0].shape} and K {arrays[1].shape}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = [array.astype(dtype) for array in arrays]
        output, weights = pair(scaled_dot_product_attention(*given))
        check_numbers(weights, slow, "in the weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        same = [np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)]
        assert all(same), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: with a mask (2 points).** The same arrays, with a mask for each sequence and with a flat one that holds for both.

# %% nbgrader={"grade": false, "grade_id": "tiny-masks", "locked": true, "schema_version": 3, "solution": false, "task": false}
I = -math.inf
boxed = np.array([[[0, I, 0, 0], [0, 0, I, I], [I, 0, 0, 0]], [[0, 0, 0, 0], [I, I, 0, 0], [0, I, 0, I]]])
flat = np.array([[0, I, 0, I], [0, 0, 0, 0], [I, 0, I, 0]])

# %% nbgrader={"grade": true, "grade_id": "masked-attention-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("masked-attention", output="sequence query value", weights="sequence query key")
attend, tiny = scaled_dot_product_attention, (tiny_Q, tiny_K, tiny_V)
check("masked-attention", "with a mask for each sequence", attend, *tiny, boxed)
check("masked-attention", "with a flat mask", attend, *tiny, flat)
check("masked-attention", "with scores of ±10000, some of them blocked", attend, loud_Q, tiny_K, tiny_V, boxed)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(304)
for count, rows, columns, width, wide in [(2, 3, 5, 4, 6), (3, 6, 2, 5, 4), (5, 4, 4, 3, 2)]:
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    for shape in [(rows, columns), (count, rows, columns)]:
        mask = random_mask(rng, *shape)
        given, full = [a.copy() for a in (*arrays, mask)], np.broadcast_to(mask, (count, rows, columns))
        slow = [[shares_of([math.fsum(q * k) / width**0.5 + m for k, m in zip(arrays[1][b], full[b, i])])
                 for i, q in enumerate(arrays[0][b])] for b in range(count)]
        mixed = [[sum(s * v for s, v in zip(row, arrays[2][b])) for row in slow[b]] for b in range(count)]
        output, weights = pair(scaled_dot_product_attention(*given))
        sizes = f"with a mask {shape}, "
        check_numbers(weights, slow, "in the weights of larger arrays, with a mask", 1e-6, sizes)
        check_numbers(output, mixed, "in the output of larger arrays, with a mask", 1e-6, sizes)
        assert all(map(np.array_equal, given, (*arrays, mask))), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: what can't be done (1 point).**

# %% nbgrader={"grade": false, "grade_id": "impossible", "locked": true, "schema_version": 3, "solution": false, "task": false}
def impossible():
    """What can't be done, by name: what it is called with."""
    box = lambda *shape: np.ones(shape)
    Q, K, V, shut = some_numbers(7, 2, 3, 5), some_numbers(8, 2, 4, 5), some_numbers(9, 2, 4, 6), np.zeros((2, 3, 4))
    shut[1, 2] = -math.inf
    return {
        "arrays with two axes": (Q[0], K[0], V[0]), "Q with two axes": (Q[0], K, V),
        "K with two axes": (Q, K[0], V), "V with two axes": (Q, K, V[0]),
        "arrays with four axes": (box(2, 2, 3, 5), box(2, 2, 4, 5), box(2, 2, 4, 6)),
        "queries of 5 numbers and keys of 1": (Q, K[:, :, :1], V),
        "4 keys and 3 values": (Q, K, V[:, :3]), "4 keys and 1 value": (Q, K, V[:, :1]),
        "a mask (4, 3) for scores (2, 3, 4)": (Q, K, V, 0 * box(4, 3)),
        "a mask (2, 4, 3) for scores (2, 3, 4)": (Q, K, V, 0 * box(2, 4, 3)),
        "a mask (2, 2, 3, 4) for scores (2, 3, 4)": (Q, K, V, 0 * box(2, 2, 3, 4)),
        "every key of query 2 blocked in a flat mask": (Q, K, V, shut[1]),
        "every key of query 2 blocked in sequence 1": (Q, K, V, shut)}


# %% nbgrader={"grade": true, "grade_id": "masked-attention-errors-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("masked-attention", output="sequence query value", weights="sequence query key")
for case, arguments in impossible().items():
    check("masked-attention", case, scaled_dot_product_attention, *arguments)
### BEGIN HIDDEN TESTS
box = lambda *shape: np.ones(shape)
Q, K, V = some_numbers(7, 2, 3, 5), some_numbers(8, 2, 4, 5), some_numbers(9, 2, 4, 6)
with np.errstate(all="ignore"):
    one_sequence = np.zeros((2, 3, 4))
    one_sequence[1, 2] = -math.inf
    hidden = [(Q[0], K, V), (Q, K[0], V), (Q, K, V[0]), (Q, K, box(4, 4)), (Q[0], K[0], V),
              (box(2, 2, 5, 5), K, V), (Q, box(2, 2, 4, 5), V), (Q[:1], K[:1], box(2, 4, 4, 6)),
              (box(2, 3, 1), K, V), (Q, box(2, 1, 5), V), (Q, box(2, 4, 6), V), (Q, K, box(2, 5, 6)),
              (Q, K, V, one_sequence), (Q, K, V, 0 * box(3, 4, 2)), (Q, K, V, 0 * box(3, 3, 4)),
              (Q, K, V, 0 * box(3)), (Q, K, V, 0 * box(3, 2, 3, 4))]
    for arguments in hidden:
        came = error_of(scaled_dot_product_attention, *arguments)
        shapes = [np.shape(argument) for argument in arguments]
        assert came == "ValueError", (
            f"what can't be done does not always raise a ValueError\nfor shapes {shapes} there was {came}")
    came = error_of(scaled_dot_product_attention, Q, K, V, one_sequence[0].copy())
    assert came == "no error", f"a good mask is refused\nwith {came}"
### END HIDDEN TESTS

# %% [markdown]
# Look at the scores, the mask and the attention weights side by side, for *the cat sat* and its two `[pad]`, with your two masks added. The words have random numbers here, so only the hatching means something. A `[pad]` is all 0: as a query it has equal scores, and so equal shares.

# %% alt="Three tables of 5 queries by 5 keys, scores, mask and attention weights: the cells above the diagonal and the two padded columns are hatched in the mask, and the same cells are hatched in the attention weights." tags=["demonstration"]
both = (np.asarray(create_causal_mask(5)) + create_padding_mask(lengths, 5))[0]
scores, words = X[0] @ X[0].T / np.sqrt(8), sentences[0]
_, weights = scaled_dot_product_attention(X[:1], X[:1], X[:1], both)
figure, axes = plt.subplots(1, 3, figsize=(8.8, 3.4), layout="constrained")
draw_weights(axes[0], scores, np.zeros((5, 5)), words, words, "scores", coloured=False)
draw_weights(axes[1], both, np.isinf(both), words, words, "+ mask (hatched: −∞)", coloured=False)
draw_weights(axes[2], np.asarray(weights)[0], np.isinf(both), words, words, "attention weights")
plt.show()

# %% [markdown]
# **A check without a reference.** What happens at a blocked key must not matter. Predict: if the values of the padded tokens become 1000, do the outputs of the real tokens change, with the mask and without it?

# %% tags=["demonstration"]
spoilt = X.copy()
spoilt[0, 3:] = 1000
for name, mask in [("with mask   ", np.asarray(create_padding_mask(lengths[:1], 5))), ("without mask", None)]:
    outputs = [scaled_dot_product_attention(X[:1], X[:1], v[:1], mask)[0] for v in (X, spoilt)]
    clean, dirty = (np.asarray(output)[0, :3] for output in outputs)
    print(name, "largest change:", f"{np.abs(clean - dirty).max():.4g}")

# %% [markdown]
# With the mask nothing moves, not even in the last digit: 0 times 1000 is 0. Without it, the padding takes its share of every output.
#
# **The same for the future.** Predict: with the causal mask, if tokens 3 and 4 of sentence 2 are replaced, which of its five outputs move? And does output 2 differ from what the words *she saw the* give alone?

# %% tags=["demonstration"]
causal, words = np.asarray(create_causal_mask(5)), X[2:]
other = words.copy()
other[:, 3:] += 10
at_once, replaced = (np.asarray(scaled_dot_product_attention(x, x, x, causal)[0])[0]
                     for x in (words, other))
print("outputs that move:", np.flatnonzero(np.abs(at_once - replaced).max(axis=-1) > 1e-9))
for t in range(5):
    start = words[:, :t + 1]
    alone = np.asarray(scaled_dot_product_attention(start, start, start)[0])[0, -1]
    print(f"output {t} as from tokens 0 to {t} alone:", np.allclose(alone, at_once[t]))

# %% [markdown]
# This is why causal models are trained with the mask. Each of the `n` outputs is what the model would give if the text ended there, so each can be asked for the next token: **`n` predictions from one pass**. Without the mask it takes a pass for each beginning of the text, or output 2 would read the token that it should guess.
#
# **Another way to block a key**: mask *after* softmax. Put 0 on the blocked keys, and divide each row by what is left of its sum.

# %% tags=["demonstration"]
before, plain = (np.asarray(scaled_dot_product_attention(words, words, words, mask)[1])
                 for mask in (causal, None))
kept = plain * (causal == 0)
print("what is left of each row:", np.round(kept[0].sum(axis=-1), 2))
print("divided by it, the same :", np.allclose(kept / kept.sum(axis=-1, keepdims=True), before))

# %% [markdown]
# It is the same, because softmax is itself a division by the row's sum. Without the second division, rows no longer sum to 1. And if a blocked score is far above the others, their shares have already become 0 in the computer: 0/0. So masks are added before.
#
# <details><summary>And −1e9 in place of −∞?</summary>
#
# A query with the scores 2, 0 and −1:
#
# | mask | its attention weights |
# |---|---|
# | nothing blocked | 0.844, 0.114, 0.042 |
# | −∞ on key 0 | 0, 0.731, 0.269 |
# | −1e9 on key 0 | 0, 0.731, 0.269 |
# | −1e9 on all keys | 0.844, 0.114, 0.042 |
#
# The last line is the first again: the same number added to all scores of a query cancels in softmax. So a query with every key blocked reads keys that it must not see, and nobody notices. With −∞ it gets NaN, or the error of 3.3. (If −1e9 *replaces* these three scores, or is added in float32, which keeps only some seven digits, each key gets a third. That is no better.)
# </details>

# %% [markdown]
# ## 3.4 Splitting into heads, and back
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# Many heads don't need many arrays. Each head gets a **contiguous slice** of a token's numbers: with `d_model` 8 and 2 heads, head 0 owns the numbers 0–3 and head 1 owns 4–7. The length of a slice is called `depth`; inside a head it is the `d_k` of 3.3. The heads then become an axis of their own, *before* the tokens, so that every head of every sequence is a table by itself.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `(batch, seq, d_model)` |
# | cut each token's numbers | `d_model` → `(heads, depth)` | `(batch, seq, heads, depth)` |
# | heads before tokens | swap axes 1 and 2 | `(batch, heads, seq, depth)` |
#
# There is a trap here. A bare `reshape` to the last shape works without an error. But it reads the numbers in their order, token after token, and gives head 0 the first half of the *sequence* instead of the first half of each token. The picture shows both, for three tokens of four numbers and two heads.

# %% alt="Three tokens of four numbers as a table: in a split, columns 0 and 1 belong to head 0 and columns 2 and 3 to head 1, while a bare reshape gives head 0 all of token 0 and the first half of token 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
everyone, colours = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], ["#d6e6f5", "#fde3c8"]
ways = {"split": ([[0, 0, 1, 1]] * 3, [[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]),
        "bare reshape": ([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]],
                         [[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]])}
figure, axes = plt.subplots(2, 3, figsize=(8, 5), width_ratios=[2, 1, 1], layout="constrained")
figure.get_layout_engine().set(wspace=0.07, hspace=0.05)
for line, (way, (owners, first, second)) in zip(axes, ways.items()):
    panels = [(everyone, owners, f"{way}: which head gets it"), (first, [[0, 0]] * 3, f"{way}: head 0"),
              (second, [[1, 1]] * 3, f"{way}: head 1")]
    for ax, (numbers, head, title) in zip(line, panels):
        for t, n in np.ndindex(np.shape(numbers)):
            colour = colours[head[t][n]]
            ax.add_patch(plt.Rectangle((n - 0.5, t - 0.5), 1, 1, facecolor=colour, edgecolor="gray"))
            ax.text(n, t, f"{numbers[t][n]}\nhead {head[t][n]}", ha="center", va="center", fontsize=9)
        width = len(numbers[0])
        ax.set(xlim=(-0.5, width - 0.5), ylim=(2.5, -0.5), xticks=range(width), yticks=range(3))
        ax.set(xlabel="place in the token" if width == 4 else "place in the head", ylabel="token" if width == 4 else "row")
        ax.set_title(title, fontsize=10)
plt.show()


# %% [markdown]
# `combine_heads` goes the way back, and has the same trap. `split_heads` raises a `ValueError` if `num_heads` does not divide `d_model`.
#
# <details><summary>Hint 1: a question</summary>
#
# In the upper left table, read the numbers of head 0 line by line. Where does their order jump? A `reshape` never jumps. What else moves numbers?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `array.reshape(...)`, `array.transpose(...)` or `np.swapaxes`. Or `np.stack` over slices of the last axis, `np.split`, and `np.concatenate` for the way back.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Split: check that the sizes divide. Replace the last axis by two, the head first, then the number within the head. Then swap tokens and heads. Back: swap the same two axes first, and only then join the last two.
# </details>
#
# <details><summary>I get “cannot reshape array of size …”</summary>
#
# That is NumPy's own `ValueError`, for sizes that don't divide. But if you round with `//`, the product may be smaller than `d_model`, and whether an error comes depends on what you do next. Check it yourself, with `%`, and say which sizes don't fit.
# </details>

# %% nbgrader={"grade": false, "grade_id": "split-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """Give each head its contiguous slice of the last axis.

    x: (batch, seq, d_model). Returns (batch, num_heads, seq, depth).
    Raises ValueError if num_heads does not divide d_model.
    """
    ### BEGIN SOLUTION
    batch, seq, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model is {d_model} and can't be cut into {num_heads} equal heads")
    return x.reshape(batch, seq, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)
    ### END SOLUTION


# %% [markdown]
# In the tests, a number says where it belongs: 223 is number 3 of token 2 of sequence 2. Sequence 1 has minus signs, so −123 is number 3 of token 2 of sequence 1.

# %% nbgrader={"grade": true, "grade_id": "split-heads-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("split-heads", heads="sequence head token number")
table = np.array([[[(-1) ** b * (100.0 * b + 10 * t + n) for n in range(8)] for t in range(5)] for b in range(3)])
check("split-heads", "8 numbers into 2 heads", split_heads, table, 2)
check("split-heads", "one sequence, one head", split_heads, np.array([[[1.5, -2], [0, 3], [4, 7]]]), 1)
check("split-heads", "8 numbers into 3 heads", split_heads, np.ones((2, 3, 8)), 3)
check("split-heads", "4 numbers into 5 heads", split_heads, np.ones((2, 3, 4)), 5)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(305)
for batch, seq, heads, depth in [(2, 5, 3, 4), (3, 7, 2, 5), (5, 4, 1, 6), (2, 3, 6, 1)]:
    x = rng.normal(size=(batch, seq, heads * depth))
    given, expected = x.copy(), np.zeros((batch, heads, seq, depth))
    for b, h, t, n in np.ndindex(*expected.shape):
        expected[b, h, t, n] = x[b, t, h * depth + n]
    sizes = f"with {heads} heads of depth {depth}, "
    check_numbers(split_heads(given, heads), expected, "on a larger random array", 1e-6, sizes)
    assert np.array_equal(given, x), "split_heads changed its input"
for size, heads in [(10, 4), (3, 7), (9, 2)]:
    came = error_of(split_heads, np.zeros((2, 4, size)), heads)
    assert came == "ValueError", (
        f"sizes that don't divide do not always raise a ValueError\n{size} into {heads} heads: {came}")
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "combine-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def combine_heads(x):
    """Put the heads side by side again: the way back from split_heads.

    x: (batch, num_heads, seq, depth). Returns (batch, seq, num_heads * depth).
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "combine-heads-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("combine-heads", joined="sequence token number")
cut = np.array([[[[(-1) ** b * (100.0 * b + 10 * t + 4 * h + n) for n in range(4)] for t in range(5)]
                 for h in range(2)] for b in range(3)])
check("combine-heads", "2 heads of 4 numbers", combine_heads, cut)
check("combine-heads", "one sequence, one head", combine_heads, np.array([[[[1.5, -2], [0, 3], [4, 7]]]]))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(306)
for batch, heads, seq, depth in [(2, 3, 5, 4), (3, 2, 7, 5), (5, 1, 4, 6), (2, 6, 3, 1)]:
    x = rng.normal(size=(batch, heads, seq, depth))
    given, expected = x.copy(), np.zeros((batch, seq, heads * depth))
    for b, h, t, n in np.ndindex(*x.shape):
        expected[b, t, h * depth + n] = x[b, h, t, n]
    sizes = f"with {heads} heads of depth {depth}, "
    check_numbers(combine_heads(given), expected, "on a larger random array", 1e-6, sizes)
    assert np.array_equal(given, x), "combine_heads changed its input"
### END HIDDEN TESTS

# %% [markdown]
# There and back must give what you started with. That alone proves little, because two matching mistakes cancel: the bare reshape is its own way back, too. So the next cell also shows what head 1 got of token 0.

# %% tags=["demonstration"]
x = np.arange(24.0).reshape(1, 3, 8)
heads, bare = np.asarray(split_heads(x, 2)), x.reshape(1, 2, 3, 4)
print("there and back       :", np.array_equal(combine_heads(heads), x))
print("with bare reshapes   :", np.array_equal(bare.reshape(1, 3, 8), x))
print("token 0              :", x[0, 0])
print("head 1 of token 0    :", heads[0, 1, 0])
print("from a bare reshape  :", bare[0, 1, 0])


# %% [markdown]
# The bare reshape gives 12 to 15 in place of 4 to 7: the second half of token 1, where head 1 of token 0 should be. So head 1 would compare pieces of other tokens, a causal mask would block the wrong ones, and no shape would give it away.

# %% [markdown]
# ## 3.5 Weight matrices to start from
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# A layer starts from random weight matrices. Too large, and the numbers grow from layer to layer; too small, and they die out. Xavier Glorot and Yoshua Bengio (2010) chose the standard deviation, or spread, that keeps the size of the numbers about the same, forwards, and backwards, where gradients go through the same matrices. It is called Glorot's scale, or Xavier's:
#
# $$\mathrm{std} = \sqrt{\frac{2}{\mathrm{fan\_in} + \mathrm{fan\_out}}}$$
#
# `fan_in` says how many numbers go into the matrix, `fan_out` how many come out: with `x @ W`, the rows and the columns of `W`. Here both are `d_model`, so std is $\sqrt{1/d_\mathrm{model}}$. With 64 numbers per token, this is 0.125.
#
# | operation | expression | shape |
# |---|---|---|
# | four draws from `rng`, each of its own | normal, mean 0, std $\sqrt{1/d_\mathrm{model}}$ | `(d_model, d_model)` each |
# | the result | a dict with keys `W_q`, `W_k`, `W_v`, `W_o` | |
#
# Draw from the `rng` that you are given and from nothing else. Then whoever calls you with the same seed gets the same matrices, whatever the rest of the program draws.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the spread of `a * z` if `z` is normal with spread 1? And what would be wrong with four names for one matrix?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `rng.normal(loc, scale, size=...)`, whose `scale` is the standard deviation, not the variance. Or `rng.standard_normal(size)` and a factor.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Compute the standard deviation. For each of the four names, draw a new square table with it. Put them into a dict.
# </details>

# %% nbgrader={"grade": false, "grade_id": "init-params", "locked": false, "schema_version": 3, "solution": true, "task": false}
def init_attention_params(d_model, rng):
    """Random weight matrices with Xavier's scale, drawn from rng only.

    rng: a generator from np.random.default_rng.
    Returns a dict with W_q, W_k, W_v, W_o, each (d_model, d_model): independent, normal,
    mean 0, standard deviation sqrt(1 / d_model).
    """
    ### BEGIN SOLUTION
    std = np.sqrt(2 / (d_model + d_model))
    return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
    ### END SOLUTION


# %% [markdown]
# The test measures the spread of 4 · 64² numbers. Chance alone would put it off by 3 % in fewer than one draw in a million.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "init-advice", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
spreads = {
    1 / 64: "The scale of rng.normal is the standard deviation: take the root of 1/d_model.",
    1: "Multiply the numbers by √(1/d_model), or give that to rng.normal as its scale.",
    (2 / 64)**0.5: "fan_in and fan_out are both in the sum below the line, which is 2 · d_model: the 2 cancels.",
    (1 / 128)**0.5: "A 2 is missing above the line: std is √(2 / (fan_in + fan_out)).",
    8: "Divide by √d_model: the std here is √d_model itself.",
    64**-0.25: "One root too many is taken: std is √(1/d_model).",
    1 / 32: "Take the root: std is √(2 / (fan_in + fan_out)), and fan_in + fan_out is 2 · d_model.",
    2**0.5 / 64: "The root is of the whole fraction: of what stands above the line and of what stands below it.",
    1 / 128: "Take the root, and put 2 above the line: std is √(2 / (fan_in + fan_out))."}


four = ["W_q", "W_k", "W_v", "W_o"]


def drawn(d_model, seed):
    """The four tables of your function, as arrays, by name."""
    params = init_attention_params(d_model, np.random.default_rng(seed))
    assert params is not None, "it gave back None\ndoes your function end with a return?"
    assert hasattr(params, "keys"), "it gave back no dict\ngive back a dict with the keys W_q, W_k, W_v and W_o"
    assert sorted(params) == sorted(four), f"the keys are {', '.join(params)}\nname them {', '.join(four)}"
    params = {name: np.asarray(params[name], dtype=float) for name in four}
    for name, table in params.items():
        assert table.shape == (d_model, d_model), (
            f"{name} has the shape {table.shape}\nmake each table (d_model, d_model): here {(d_model, d_model)}")
        assert np.ptp(table) > 0, f"all numbers of {name} are equal\ndraw each number, from rng"
    return params


def count_of(d_model, seed):
    """How many tables your function makes."""
    return len(drawn(d_model, seed))


# %% nbgrader={"grade": true, "grade_id": "init-params-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("init-params", tables="")
check("init-params", "the tables for d_model 64", count_of, 64, 35)
params = drawn(64, 35)
for first, second in [four[i:j + 1:j - i] for i in range(4) for j in range(i + 1, 4)]:
    pair_of = params[first].ravel(), params[second].ravel()
    assert not np.allclose(*pair_of) and abs(np.corrcoef(*pair_of)[0, 1]) < 0.1, (
        f"{first} and {second} are the same draw\nDraw anew for each of the four names.")
flat_list = np.concatenate([params[name].ravel() for name in four])
mean, std = flat_list.mean(), flat_list.std()
farthest = abs(flat_list - mean).max() / std
assert farthest > 2.5, (f"no number is further than {farthest:.2f} std from the mean\n"
    "Draw normal numbers, with rng.normal or rng.standard_normal: these are uniform.")
assert abs(mean) < 0.06 * std, (f"the mean is {mean:.4f} and should be near 0\n"
    "Make the mean 0: in rng.normal it is the first argument, and the scale, which is the std, the second.")
known = [advice for other, advice in spreads.items() if abs(std / other - 1) < 0.04]
assert abs(std / 0.125 - 1) < 0.03, f"with d_model 64, std is {std:.4f} and should be 0.125\n" + (
    known or ["Compute std as the root of 2 / (fan_in + fan_out), both of which are d_model."])[0]
small = np.std([drawn(30, 35)[name] for name in four])
assert abs(small * 30**0.5 - 1) < 0.08, (f"with d_model 30, std is {small:.4f} and should be {30**-0.5:.4f}\n"
    "Compute std from d_model, so that it is right for every size.")
assert all(np.array_equal(drawn(64, 35)[name], params[name]) for name in four), (
    "the same seed gave other numbers\nDraw from rng only, not from NumPy's global generator.")
assert not np.allclose(drawn(64, 36)["W_q"], params["W_q"]), (
    "another rng gave the same numbers\nDraw from the rng that you are given, not from one of your own.")
### BEGIN HIDDEN TESTS
for d_model in (96, 150):
    drawn = [init_attention_params(d_model, np.random.default_rng(seed)) for seed in (307, 307, 313)]
    params, again, other = [[np.asarray(one[name], dtype=float) for name in four] for one in drawn]
    for name, entries in zip(four, params):
        which = f"\n{name}, with d_model={d_model}"
        assert entries.shape == (d_model, d_model), f"with another d_model, a shape is not right{which}"
        assert abs(entries.std() * d_model**0.5 - 1) < 0.05, f"with another d_model, std is not right{which}"
        z = entries / entries.std()
        assert abs(z.mean()) < 0.06 and 2.7 < (z**4).mean() < 3.3, f"not normal numbers with mean 0{which}"
    assert all(map(np.array_equal, params, again)), "the same seed gave other numbers: draw from rng only"
    alike = np.corrcoef([table.ravel() for table in (*params, *other, params[1].T)]) - np.eye(9)
    assert np.abs(alike).max() < 0.06, "tables that should be independent of each other are alike"
### END HIDDEN TESTS

# %% [markdown]
# Predict before you run: tokens of 64 numbers with spread 1 go through twenty layers, each with a random matrix of its own. Which spread comes out, for a std of 1/d, of √(1/d), and of √(2/d)?

# %% tags=["demonstration"]
rng = np.random.default_rng(35)
for name, std in [("1/d     ", 1 / 64), ("√(1/d)  ", 64**-0.5), ("√(2/d)  ", (2 / 64)**0.5)]:
    token = rng.normal(size=(100, 64))
    for _ in range(20):
        token = token @ rng.normal(0, std, size=(64, 64))
    print(f"std {name} spread after 20 layers: {token.std():.2g}")

# %% [markdown]
# One product multiplies the variance by $d \cdot \mathrm{std}^2$. For √(1/d) that is 1 on average, so the spread stays near 1, moved by chance (here 0.95; of 1000 seeds, nine in ten gave 0.76 to 1.28). For 1/d it is 1/64, so after 20 layers the spread is $8^{-20} \approx 10^{-18}$. For √(2/d) it is 2, and the spread grows by about $2^{10} = 1024$, here by 720.
#
# Lesson 01 explained √d_k for queries and keys of spread 1. Does this scale give them? Below, your matrices project 200 tokens of spread 1, and four heads of depth 16 compare them. The other lines use your matrices divided by 8, and times √2.

# %% tags=["demonstration"]
rng = np.random.default_rng(36)
tokens, drawn_once = rng.normal(size=(1, 200, 64)), init_attention_params(64, rng)
for name, factor in [("1/d   ", 64**-0.5), ("√(1/d)", 1), ("√(2/d)", 2**0.5)]:
    q, k = (np.asarray(split_heads(tokens @ drawn_once[W] * factor, 4))[0] for W in ("W_q", "W_k"))
    scores = q @ k.swapaxes(1, 2) / 16**0.5
    largest = np.mean([max(shares_of(line)) for line in scores.reshape(-1, 200).tolist()])
    print(f"std {name} queries {q.std():.2f}, scaled scores {scores.std():.3f}, "
          f"largest of 200 shares {largest:.3f}")

# %% [markdown]
# With √(1/d), queries and scaled scores both have a spread near 1: lesson 01's assumption comes true. With 1/d all scores are nearly 0, and each key gets about 1/200 = 0.005. With √(2/d) the scores have twice the spread, and attention is pointed before anything is learned.

# %% [markdown]
# ## 3.6 Many heads
#
# **6 points · about 25 minutes · difficulty ●●●**
#
# Now put it together. Project three inputs into queries, keys and values, cut each into heads, let every head attend by itself, put the heads side by side again, and mix them with `W_o`.
#
# **A name changes its meaning here.** In lesson 01 and in 3.3, `Q` held queries. In this function `Q`, `K` and `V` are the inputs *before* the projection, as in PyTorch's layer: the queries are `Q @ W_q`. The matrix `W_q` is lesson 01's `W_Q` for all heads, their columns side by side. There are no biases.
#
# $$\mathrm{head}_h = \mathrm{attention}\big((Q W_q)_h,\ (K W_k)_h,\ (V W_v)_h\big), \qquad \mathrm{output} = [\mathrm{head}_0 \dots \mathrm{head}_{H-1}]\, W_o$$
#
# | operation | expression | shape |
# |---|---|---|
# | projections | `Q @ W_q` and so on | `(batch, seq_q, d_model)`, `(batch, seq_k, d_model)` |
# | heads | contiguous slices, as in 3.4 | `(batch, heads, seq, depth)` |
# | scores | divided by √depth, plus the mask | `(batch, heads, seq_q, seq_k)` |
# | attention weights | softmax over the keys | `(batch, heads, seq_q, seq_k)` |
# | heads side by side | as in 3.4 | `(batch, seq_q, d_model)` |
# | output | times `W_o` | `(batch, seq_q, d_model)` |
#
# In **self-attention** `Q`, `K` and `V` are the same array. In **cross-attention** keys and values come from another sequence, of another length.
#
# The mask has the shapes of 3.3 and holds for every head. NumPy lines shapes up from the right, so a mask `(batch, seq_q, seq_k)` meets scores `(batch, heads, seq_q, seq_k)` at the wrong axis. The picture has 2 sequences and 2 heads, and for each the mask that it gets: 3 queries down, 4 keys across, blocked cells hatched.

# %% alt="Which mask each of 2 sequences and 2 heads gets: with shape (batch, 1, q, k) both heads of sequence 0 get mask 0 and both of sequence 1 get mask 1, but with shape (batch, q, k) head 0 gets mask 0 and head 1 gets mask 1 in both sequences." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
blocked_keys = [[[0, 0, 1, 1]] * 3, [[0, 0, 0, 1]] * 3]
titles = ["an axis of length 1 for the heads:\n(batch, 1, q, k)", "without that axis: (batch, q, k)\nlines up as (1, batch, q, k)"]
figure, axes = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained")
for ax, title, given in zip(axes, titles, [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]):
    for b, h, i, j in np.ndindex(2, 2, 3, 4):
        mask_number = given[b][h]
        hatch = "////" if blocked_keys[mask_number][i][j] else None
        ax.add_patch(plt.Rectangle((5 * h + j, 5 * b + i), 1, 1, edgecolor="gray", hatch=hatch,
                                   facecolor=["#d6e6f5", "#fde3c8"][mask_number]))
        if (i, j) == (0, 0):
            wrong = "" if mask_number == b else ": wrong"
            ax.text(5 * h + 2, 5 * b - 0.2, f"mask {mask_number}{wrong}", ha="center", va="bottom", fontsize=10)
    ax.set(xlim=(-0.3, 9.3), ylim=(8.3, -1.2), aspect="equal")
    ax.set_xticks([2, 7], [0, 1])
    ax.set_yticks([1.5, 6.5], [0, 1])
    ax.set(xlabel="head", ylabel="sequence")
    ax.set_title(title, fontsize=10)
plt.show()


# %% [markdown]
# On the right, head `h` gets mask `h`, whatever the sequence. If batch and heads have the same size, NumPy says nothing.
#
# As in 3.3, large scores must not overflow. Raise a `ValueError` if `num_heads` does not divide `d_model`, and where a query has every key blocked. The other errors of 3.3 are not asked for here.
#
# <details><summary>Hint 1: a question</summary>
#
# What shape do the queries of head 1 have, for all sequences together? Which mask do they need? And if you do all heads at once: what must stand between the mask's batch and its queries?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your functions of 3.3 and 3.4: one head of all sequences has just the shape that `scaled_dot_product_attention` takes, and it raises its errors for you. `np.stack(..., axis=1)` puts heads next to each other. Or everything at once, with `swapaxes(-1, -2)` and `mask[:, None]`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Project three times. Split three times. For each head, call attention with that head's queries, keys and values and with the mask. Collect outputs and weights, stack both along axis 1. Combine the outputs and multiply with the last matrix.
# </details>
#
# <details><summary>I get “operands could not be broadcast together with shapes (2,4,3,5) (2,3,5)”, or no error and wrong numbers</summary>
#
# The mask of each sequence needs an axis of length 1 for the heads. With 2 sequences and 4 heads you see this error. With 2 and 2 none comes: head 1 gets the mask of sequence 1. With a single head, the axis of the heads grows to the size of the batch.
# </details>

# %% builds_on=["masked-attention", "split-heads", "combine-heads"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    """Attention with many heads, for a batch.

    Q: (batch, seq_q, d_model), K and V: (batch, seq_k, d_model),
    each W: (d_model, d_model).
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k),
    holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_model)
    and (batch, num_heads, seq_q, seq_k).
    Raises ValueError if num_heads does not divide d_model, and where a
    query has every key blocked.
    """
    ### BEGIN SOLUTION
    q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
    heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
    outputs, weights = zip(*heads)
    return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 4: the attention weights of self-attention (2 points).** Four sequences of three tokens, each of 10 numbers, and two heads. `weights_of_heads` calls your function and keeps the attention weights, `output_of_heads` keeps the output.

# %% nbgrader={"grade": false, "grade_id": "multi-head-example", "locked": true, "schema_version": 3, "solution": false, "task": false}
heads_x = some_numbers(0, 4, 3, 10)
heads_x[1, 2] = 0
heads_W = [some_numbers(start, 10, 10) / 4 for start in (200, 300, 400, 500)]
loud_x = heads_x * [[1e3], [1], [1]]


def weights_of_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o):
    """The attention weights that your function gives back."""
    return pair(multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o))[1]


def output_of_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o):
    """The output that your function gives back."""
    return pair(multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o))[0]


# %% nbgrader={"grade": true, "grade_id": "multi-head-weights-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", weights="sequence head query key")
check("multi-head", "self-attention with 2 heads", weights_of_heads, *[heads_x] * 3, 2, *heads_W)
check("multi-head", "self-attention with 5 heads", weights_of_heads, *[heads_x[:2]] * 3, 5, *heads_W)
check("multi-head", "self-attention with large scores", weights_of_heads, *[loud_x] * 3, 2, *heads_W)
check("multi-head", "the weights of one token", weights_of_heads, *[heads_x[:1, :1]] * 3, 2, *heads_W)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(308)
for count, seq, heads, size in [(3, 5, 2, 4), (2, 4, 3, 5), (2, 3, 1, 6)]:
    total = heads * size
    x = rng.normal(size=(count, seq, total))
    W = [rng.normal(size=(total, total)) / math.sqrt(total) for _ in range(4)]
    slow = np.zeros((count, heads, seq, seq))
    for b, h, i in np.ndindex(count, heads, seq):
        own = slice(h * size, (h + 1) * size)
        slow[b, h, i] = shares_of([(x[b, i] @ W[0])[own] @ (y @ W[1])[own] / size**0.5 for y in x[b]])
    sizes = f"with {heads} heads of depth {size}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = x_in, *W_in = [array.astype(dtype) for array in (x, *W)]
        got = pair(multi_head_attention(x_in, x_in, x_in, heads, *W_in))[1]
        check_numbers(got, slow, "in the weights of larger random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 4: the output of self-attention (1 point).** The same example. If Test 1 fails, start there.

# %% nbgrader={"grade": true, "grade_id": "multi-head-output-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", output="sequence query number")
check("multi-head", "the output of self-attention", output_of_heads, *[heads_x] * 3, 2, *heads_W)
check("multi-head", "the output for one token", output_of_heads, *[heads_x[:1, :1]] * 3, 2, *heads_W)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(311)
for count, seq, heads, size in [(3, 5, 2, 4), (2, 4, 3, 5), (2, 3, 1, 6)]:
    total = heads * size
    x = rng.normal(size=(count, seq, total))
    W = [rng.normal(size=(total, total)) / math.sqrt(total) for _ in range(4)]
    slow = np.zeros((count, heads, seq, seq))
    mixed = np.zeros((count, seq, total))
    for b, h, i in np.ndindex(count, heads, seq):
        own = slice(h * size, (h + 1) * size)
        slow[b, h, i] = shares_of([(x[b, i] @ W[0])[own] @ (y @ W[1])[own] / size**0.5 for y in x[b]])
        mixed[b, i, own] = sum(s * (y @ W[2])[own] for s, y in zip(slow[b, h, i], x[b]))
    sizes = f"with {heads} heads of depth {size}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = x_in, *W_in = [array.astype(dtype) for array in (x, *W)]
        got = pair(multi_head_attention(x_in, x_in, x_in, heads, *W_in))[0]
        check_numbers(got, mixed @ W[3], "in the output of larger random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 4: cross-attention and masks (2 points).** The queries are the tokens of Test 1. Keys and values come from two other arrays. The first calls have equal sizes, so that a mistake runs to its end and can be named; the last ones have 3 queries and 6 keys.

# %% nbgrader={"grade": true, "grade_id": "multi-head-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", output="sequence query number", weights="sequence head query key")
cross = some_numbers(600, 4, 6, 10), some_numbers(900, 4, 6, 10), 2, *heads_W
boxed_6 = np.array([[[0 if (2 * i + b + j) % 4 else -math.inf for j in range(6)] for i in range(3)]
                    for b in range(4)])
flat_6 = np.array([[0 if (i + j) % 3 else -math.inf for j in range(6)] for i in range(3)])
few, other_three = heads_x[:2, :2], [array[:, :3] for array in cross[:2]]
two = *(array[:2] for array in cross[:2]), *cross[2:]
check("multi-head", "3 queries, 3 keys of other tokens", multi_head_attention, heads_x, *other_three, 2, *heads_W)
check("multi-head", "2 sequences, 2 queries, 2 heads, a mask for each", multi_head_attention, few, *two, boxed_6[:2, :2])
check("multi-head", "2 sequences, 2 queries, 2 heads, a flat mask", multi_head_attention, few, *two, flat_6[:2])
check("multi-head", "3 queries, 6 keys, a mask for each sequence", multi_head_attention, heads_x, *cross, boxed_6)
check("multi-head", "3 queries, 6 keys, a flat mask, large scores", multi_head_attention, loud_x, *cross, flat_6)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(309)
for count, rows, columns, heads, size in [(3, 4, 6, 2, 5), (2, 5, 3, 4, 2), (2, 1, 4, 2, 3), (3, 2, 5, 3, 4)]:
    total = heads * size
    Q, K, V = (rng.normal(size=(count, seq, total)) for seq in (rows, columns, columns))
    W = [rng.normal(size=(total, total)) / math.sqrt(total) for _ in range(4)]
    for shape in [(rows, columns), (count, rows, columns)]:
        mask = random_mask(rng, *shape)
        full = np.broadcast_to(mask, (count, rows, columns))
        slow, mixed = np.zeros((count, heads, rows, columns)), np.zeros((count, rows, total))
        for b, h, i in np.ndindex(count, heads, rows):
            own = slice(h * size, (h + 1) * size)
            slow[b, h, i] = shares_of([(Q[b, i] @ W[0])[own] @ (y @ W[1])[own] / size**0.5 + m
                                       for y, m in zip(K[b], full[b, i])])
            mixed[b, i, own] = sum(s * (y @ W[2])[own] for s, y in zip(slow[b, h, i], V[b]))
        given = [array.copy() for array in (Q, K, V, *W, mask)]
        output, weights = pair(multi_head_attention(*given[:3], heads, *given[3:]))
        sizes = f"with {heads} heads and a mask {shape}, "
        check_numbers(weights, slow, "in the weights of larger arrays, with a mask", 1e-6, sizes)
        check_numbers(output, mixed @ W[3], "in the output of larger arrays, with a mask", 1e-6, sizes)
        assert all(map(np.array_equal, given, (Q, K, V, *W, mask))), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 4: what can't be done (1 point).**

# %% nbgrader={"grade": true, "grade_id": "multi-head-errors-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", output="sequence query number", weights="sequence head query key")
x, W, shut = some_numbers(0, 2, 3, 6), [some_numbers(start, 6, 6) for start in range(4)], np.zeros((2, 3, 3))
shut[1, 2] = -math.inf
many = multi_head_attention
check("multi-head", "6 numbers into 4 heads", many, x, x, x, 4, *W)
check("multi-head", "every key of query 2 blocked in sequence 1", many, x, x, x, 2, *W, shut)
check("multi-head", "every key of query 2 blocked in a flat mask", many, x, x, x, 2, *W, shut[1])
### BEGIN HIDDEN TESTS
open_mask = np.zeros((3, 3))
with np.errstate(all="ignore"):
    for heads, mask in [(5, None), (2, shut[1]), (3, shut), (1, shut[1])]:
        came = error_of(multi_head_attention, x, x, x, heads, *W, mask)
        assert came == "ValueError", (
            f"what can't be done does not always raise a ValueError\n{heads} heads: {came}")
    for heads in (1, 2, 3, 6):
        came = error_of(multi_head_attention, x, x, x, heads, *W, open_mask)
        assert came == "no error", f"what can be done is refused\n{heads} heads: {came}"
### END HIDDEN TESTS

# %% [markdown]
# Two of your three sentences and two heads, with your matrices of 3.5 and your masks: above with the padding mask alone, below with the causal mask alone. Rows of padded queries are left out.

# %% alt="Attention weights of two sentences in two heads: with the padding mask only the columns of padding are hatched, with the causal mask alone everything right of the diagonal is, which for the real queries of sentence 0 includes the padding; the two heads hold different numbers." tags=["demonstration"]
params_of_two = init_attention_params(8, np.random.default_rng(33))
matrices = [np.asarray(params_of_two[name]) for name in ("W_q", "W_k", "W_v", "W_o")]
padding, causal = np.asarray(create_padding_mask(lengths, 5)), np.asarray(create_causal_mask(5))
figure, axes = plt.subplots(2, 4, figsize=(9, 5.8), layout="constrained")
figure.get_layout_engine().set(wspace=0.05)
for line, (name, mask) in zip(axes, [("padding", padding), ("causal", np.stack([causal] * 3))]):
    weights = np.asarray(multi_head_attention(X, X, X, 2, *matrices, mask)[1])
    for ax, (b, h) in zip(line, [(0, 0), (0, 1), (2, 0), (2, 1)]):
        real, words = lengths[b], sentences[b]
        draw_weights(ax, weights[b, h, :real], np.isinf(mask[b, :real]), words[:real], words, "")
        ax.set_title(f"{name}\nsentence {b}, head {h}", fontsize=10)
        ax.set_ylabel("query" if h == 0 else "")
        ax.tick_params(labelleft=h == 0)
plt.show()

# %% [markdown]
# The two heads give the same words different shares, and both obey the same mask. Look at the lower row of tables, at sentence 0: for real queries the causal mask alone hides the padding as well, since padding stands at the end. So a forgotten padding mask stays unseen in a causal model, until somebody pads in **front**: *[pad] [pad] the cat sat*. Predict: with both masks, which keys has query 0 left?

# %% tags=["demonstration"]
front = np.asarray(create_causal_mask(5)) + np.array([-np.inf, -np.inf, 0, 0, 0])
try:
    scaled_dot_product_attention(X[:1], X[:1], X[:1], front)
except ValueError as problem:
    print("ValueError:", problem)

# %% [markdown]
# Query 0 is padding itself. The causal mask leaves it key 0 alone, and the padding mask blocks that one. Your 3.3 refuses, in place of NaN. Code that pads in front has to let such queries see some key after all, and nobody uses their outputs.
#
# **What do many heads cost?** Predict: with `H` heads in place of one, what grows: the numbers in the matrices, the products for the scores, or the attention weights?
#
# <details><summary>The answer</summary>
#
# Only the last. The matrices are `(d_model, d_model)` for any number of heads. The products for the scores: a head multiplies `d_model / H` numbers for each query and key, so `H` heads multiply `d_model`, as one does. But there are `H` tables of attention weights, and each head sees less: its scores are products of `depth` numbers only.
#
# </details>
#
# **Two checks without a reference.** With the padding mask, a sequence in a batch must get what it gets alone. And a layer with 2 heads must give what two separate single heads give, each with its half of the columns of `W_q`, `W_k`, `W_v` and its half of the rows of `W_o`, added up.

# %% tags=["demonstration"]
together, _ = multi_head_attention(X, X, X, 2, *matrices, padding)
alone, _ = multi_head_attention(X[:1, :3], X[:1, :3], X[:1, :3], 2, *matrices)
print("in the batch as alone:", np.allclose(together[0, :3], alone[0]))

# %% tags=["demonstration"]
added = 0
for h in range(2):
    part = slice(4 * h, 4 * h + 4)
    q, k, v = (X @ matrix[:, part] for matrix in matrices[:3])
    added = added + scaled_dot_product_attention(q, k, v, padding)[0] @ matrices[3][part]
print("two single heads, added up:", np.allclose(together, added))


# %% [markdown]
# ## 3.7 Bug hunt: six slips
#
# **3 points · about 12 minutes · difficulty ●●●**
#
# A colleague has written attention for a batch and tried it once: 3 sequences of 3 tokens with 3 numbers each. It ran, and all shapes were right. There are **six** slips in it. Each of them is a single small change, and none stops the program.

# %% nbgrader={"grade": false, "grade_id": "six-slips", "locked": true, "schema_version": 3, "solution": false, "task": false}
def six_slips(Q, K, V, mask):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(2, 1, 0)
    scores = scores * np.sqrt(d_k)
    scores = scores - mask
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers * powers.sum(axis=-1)
    return weights @ V, weights


# %% tags=["demonstration"]
rng = np.random.default_rng(37)
cube = rng.normal(size=(3, 3, 3)) / 2
_, wrong_weights = six_slips(cube, cube, cube, np.zeros((3, 3)))
print("shape:", wrong_weights.shape)
print("row sums of sequence 0:", np.round(wrong_weights[0].sum(axis=-1), 2))


# %% [markdown]
# Read before you change anything. Give every intermediate array its shape, with *different* letters: `Q` is `(b, q, d)`, `K` is `(b, k, d)`, `V` is `(b, k, v)`. Two lines fit only because all sizes were 3. For the others, ask what must hold of scores and of shares.
#
# Write down the six, line by line, before your first run. Then copy the body into the next cell and repair it there. A mask is always given; it never blocks every key of a query, and errors are not asked for here.
#
# <details><summary>Hint 1: a question</summary>
#
# `powers` is `(b, q, k)`. Which shape does its sum over the keys have? NumPy lines shapes up from the right: against which axis does it stand?
# </details>
#
# <details><summary>Hint 2: how to see one slip alone</summary>
#
# Choose inputs that silence the others. With `Q` all 0, every score is 0, and only what turns powers into shares is left. With one sequence and queries that are all alike, every row must be the same, and must still depend on the keys.
# </details>
#
# <details><summary>Hint 3: what must hold</summary>
#
# | what must hold | what to ask of the code |
# |---|---|
# | sequence 0 knows nothing of sequence 1 | which axes of `K` may change places? |
# | more numbers per query do not spread the scores further | does the scale shrink or stretch? |
# | a blocked key gets no share | what is 5 − (−∞)? |
# | one number is subtracted from all scores of a query, so its shares stay | which axis does the maximum run along? |
# | each row is turned into shares | which operation does that? |
# | each row uses its **own** sum | which shape lines up with the rows? |
# </details>
#
# <details><summary>Hint 4: the steps in words</summary>
#
# Go line by line. Write the shape of what is there beside it, then ask the questions of hint 3. Four lines hold one slip each, one line holds two.
# </details>
#
# <details><summary>I get “operands could not be broadcast together” or “mismatch in its core dimension”</summary>
#
# Sizes that are not all equal have shown you a slip. Compare the two shapes in the message: is an axis missing, or do two stand in each other's place?
# </details>

# %% nbgrader={"grade": false, "grade_id": "repaired-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def repaired_attention(Q, K, V, mask):
    """six_slips, repaired.

    Q: (batch, seq_q, d_k), K: (batch, seq_k, d_k), V: (batch, seq_k, d_v).
    mask: (seq_q, seq_k) or (batch, seq_q, seq_k), holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_v) and (batch, seq_q, seq_k).
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(0, 2, 1)
    scores = scores / np.sqrt(d_k)
    scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights
    ### END SOLUTION


# %% [markdown]
# The visible tests look at one thing after the other: each of the early calls silences all slips but one. `weights_of` calls your function and keeps the attention weights.

# %% nbgrader={"grade": false, "grade_id": "weights-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of(Q, K, mask):
    """The attention weights alone. The values are the keys here."""
    return pair(repaired_attention(Q, K, 1 * K, mask))[1]


nothing, open_mask, fits = np.zeros((3, 3, 3)), np.zeros((3, 3)), np.array([np.eye(3)] * 3)
turned = np.array([np.roll(np.eye(3), by, axis=1) for by in (1, 0, 2)])
ring = np.array([[[1.0, 3, 2], [2, 1, 3], [3, 2, 1]]] * 3)

# %% [markdown]
# **Test 1 of 2: without a mask (1 point).**

# %% nbgrader={"grade": true, "grade_id": "repaired-attention-weights-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("repaired-attention", weights="sequence query key")
check("repaired-attention", "all scores 0", weights_of, nothing, turned, open_mask)
check("repaired-attention", "each query fits one key", weights_of, 900 * fits, turned, open_mask)
check("repaired-attention", "scores 1, 2 and 3 in each row and column", weights_of, ring, fits, open_mask)
check("repaired-attention", "three equal queries", weights_of, nothing + 1, fits * [[0], [1], [2]], open_mask)
check("repaired-attention", "uneven scores", weights_of, some_numbers(0, 3, 3, 3), turned * 1.5, open_mask)
check("repaired-attention", "sizes that differ", weights_of, tiny_Q, tiny_K, np.zeros((3, 4)))
check("repaired-attention", "scores of ±10000", weights_of, loud_Q, tiny_K, np.zeros((3, 4)))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(312)
for count, rows, columns, width, wide in [(2, 3, 5, 4, 6), (3, 6, 2, 5, 4)]:
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    slow = [[shares_of([math.fsum(q * k) / width**0.5 for k in arrays[1][b]]) for q in arrays[0][b]]
            for b in range(count)]
    _, weights = pair(repaired_attention(*arrays, np.zeros((rows, columns))))
    sizes = f"with Q {arrays[0].shape}, "
    check_numbers(weights, slow, "in the weights of larger random arrays", 1e-6, sizes)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: with a mask, and with sizes that differ (2 points).**

# %% nbgrader={"grade": true, "grade_id": "repaired-attention-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("repaired-attention", output="sequence query value", weights="sequence query key")
shut = np.where(turned, -math.inf, 0)
mended, tiny = repaired_attention, (tiny_Q, tiny_K, tiny_V)
check("repaired-attention", "all scores 0, nothing blocked", mended, nothing, fits, turned * 3, open_mask)
check("repaired-attention", "all scores 0, and one key of each query blocked", mended, nothing, fits, turned * 3, shut)
check("repaired-attention", "sizes that differ, a mask for each sequence", mended, *tiny, boxed)
check("repaired-attention", "sizes that differ, a flat mask", mended, *tiny, flat)
check("repaired-attention", "scores of ±10000, some of them blocked", mended, loud_Q, tiny_K, tiny_V, boxed)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(310)
for count, rows, columns, width, wide in [(2, 3, 5, 4, 6), (3, 6, 2, 5, 4), (4, 1, 3, 2, 1)]:
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    for shape in [(rows, columns), (count, rows, columns)]:
        mask = random_mask(rng, *shape)
        mask[..., 0] = -math.inf
        full = np.broadcast_to(mask, (count, rows, columns))
        for scale in (1, 3e3):
            Q, K, V = arrays[0] * scale, *arrays[1:]
            given, sizes = [array.copy() for array in (Q, K, V, mask)], f"with a mask {shape}, "
            with np.errstate(all="ignore"):
                slow = [[shares_of([math.fsum(q * k) / width**0.5 + m for k, m in zip(K[b], full[b, i])])
                         for i, q in enumerate(Q[b])] for b in range(count)]
                mixed = [[sum(s * v for s, v in zip(row, V[b])) for row in slow[b]] for b in range(count)]
                output, weights = pair(repaired_attention(*given))
            check_numbers(weights, slow, "in the weights of larger arrays, with a mask", 1e-6, sizes)
            check_numbers(output, mixed, "in the output of larger arrays, with a mask", 1e-6, sizes)
            same = map(np.array_equal, given, (Q, K, V, mask))
            assert all(same), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% tags=["demonstration"]
mended_output, mended = repaired_attention(cube, cube, cube, np.zeros((3, 3)))
print("row sums of sequence 0:", np.round(np.asarray(mended)[0].sum(axis=-1), 2))
print("same as 3.3:", np.allclose(mended_output, scaled_dot_product_attention(cube, cube, cube)[0]))


# %% [markdown]
# <details><summary>The six, to compare with your list</summary>
#
# The transpose mixes sequences with tokens; the scale multiplies; the mask is subtracted; the maximum runs over the queries; powers are multiplied by their sum; and that sum has lost its axis.
#
# Which can be seen without knowing the right numbers? With sizes that differ, two stop with an error: the transpose and the lost axis. The sums of the rows show the product. A mask that blocks a key for all queries turns two more into NaN: the subtracted mask and the wrong maximum. Only the scale stays hidden, with rows that sum to 1, in the right shape.
#
# </details>
#
# So a good test uses sizes that all differ **and** a mask, **and** compares with numbers from somewhere else.

# %% [markdown]
# ## 3.8 Catch the bug
#
# **4 points · about 30 minutes · difficulty ●●●**
#
# Now the roles turn. Somebody hands you a function and claims that it is `scaled_dot_product_attention` of 3.3. You can't read it, only call it. Write the test: `check_attention(candidate)` calls it with inputs of your choice, and returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | a right candidate | meets all of 3.3: values, masks, stability, errors. It may give back lists, and look unusual inside |
# | a wrong candidate | gives wrong numbers, a wrong shape or an error on some **legal** input |
# | a legal input | float arrays with fitting sizes, scores up to about a million, the same batch size in `Q`, `K` and `V`, and a mask of 0 and −∞, flat or with a table for each sequence, that leaves every query a key |
# | what you need not test | illegal inputs, changed inputs and float32: no wrong candidate is wrong in these alone |
# | how close is right? | compare to about 1e-6, not exactly: another order of sums rounds differently |
#
# Your test is run on a hidden panel. If it rejects one right implementation, it gets nothing: a test that cries wolf is switched off. Otherwise it gets one point for each full quarter of the 16 wrong ones that it catches. Some are wrong only if `seq_q` and `seq_k` differ, only with a mask, only with more than one sequence, or only with large scores.
#
# Your test is called about seventy times, so let one call take less than a second. The panel comes in an order that nobody knows, and each candidate comes several times: a right one has to be accepted, and a wrong one rejected, every time. If your test gives back `None` or stops with an error, it has decided nothing: a wrong candidate is not caught, a right one is rejected.
#
# You need something to compare with: a slow reference of your own, or numbers worked out on paper, or properties that must hold.
#
# <details><summary>Hint 1: a question</summary>
#
# Go through your own mistakes in this lesson. For each: which smallest input shows it, and which inputs hide it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call, since a candidate may raise. `np.asarray(..., dtype=float)`, a look at the shape, then `np.allclose`, which is False for NaN. `np.errstate` silences what NumPy says of overflow. A fixed `np.random.default_rng(0)` makes inputs.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make a list of inputs: all sizes different; more than one sequence; no mask, a flat mask, a mask for each sequence; fewer keys than queries and more; large scores in one row and small ones in another. For each, compute output and weights by loops. Call the candidate with copies. An exception, another shape or other numbers: False. If nothing was found: True.
# </details>
#
# <details><summary>My test rejects a right one</summary>
#
# Do you compare with `==`, or ask for the type of what comes back? Is each of your inputs legal? Did an earlier candidate change your arrays? Write a second right version yourself, with `np.einsum` and lists, and see whether you accept it.
# </details>

# %% builds_on=["masked-attention"] nbgrader={"grade": false, "grade_id": "check-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def check_attention(candidate):
    """Is candidate(Q, K, V, mask=None) a right
    scaled_dot_product_attention, as asked in 3.3?

    Returns True or False. It raises nothing, whatever the candidate does.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    for batch, seq_q, seq_k, d_k, d_v, size in [(3, 4, 6, 2, 5, 1), (2, 6, 3, 5, 4, 1), (2, 3, 4, 2, 5, 1e4)]:
        Q, K, V = (rng.normal(size=(batch, *s)) for s in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)])
        Q = Q * size
        Q[0, 0] /= size
        boxed = np.where(rng.random(size=(batch, seq_q, seq_k)) < 0.5, -np.inf, 0)
        boxed[..., 1] = 0
        for mask in (None, boxed[1], boxed):
            scores = np.einsum("bqd,bkd->bqk", Q, K) / d_k**0.5 + (0 if mask is None else mask)
            powers = np.exp(scores - scores.max(axis=2, keepdims=True))
            weights = powers / powers.sum(axis=2, keepdims=True)
            expected = np.einsum("bqk,bkv->bqv", weights, V), weights
            try:
                with np.errstate(all="ignore"):
                    output, got = candidate(Q, K, V, mask)
                    found = np.asarray(output, dtype=float), np.asarray(got, dtype=float)
            except Exception:
                return False
            for right, mine in zip(expected, found):
                if right.shape != mine.shape or not np.allclose(right, mine, atol=1e-6):
                    return False
    return True
    ### END SOLUTION


# %% [markdown]
# Practise on functions made from your own 3.3. The top line should say True. The others change what goes in or what comes out, and should say False.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "verdict-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def verdict_of(candidate):
    """What your test says of a candidate, or the error that it stopped with."""
    try:
        return check_attention(candidate)
    except Exception as error:
        return repr(error)


# %% tags=["demonstration"]
own = scaled_dot_product_attention
practice = {
    "3.3 itself": own,
    "ignores the mask": lambda Q, K, V, mask=None: own(Q, K, V),
    "scaled twice": lambda Q, K, V, mask=None: own(Q / Q.shape[-1] ** 0.5, K, V, mask),
    "keys of sequence 0": lambda Q, K, V, mask=None: own(Q, 0 * K + K[:1], V, mask),
    "output and weights swapped": lambda Q, K, V, mask=None: own(Q, K, V, mask)[::-1],
    "scaled by the number of keys": lambda Q, K, V, mask=None: own(Q * (Q.shape[2] / K.shape[1]) ** 0.5, K, V, mask),
    "mask 0 for all sequences": lambda Q, K, V, mask=None: own(
        Q, K, V, mask if mask is None or mask.ndim == 2 else mask[0]),
    "an error for a flat mask": lambda Q, K, V, mask=None: own(Q, K, V, mask if mask is None else mask[:, :, :]),
    "weights without the mask": lambda Q, K, V, mask=None: (own(Q, K, V, mask)[0], own(Q, K, V)[1]),
    "cuts off large numbers": lambda Q, K, V, mask=None: own(Q.clip(-9, 9), K.clip(-9, 9), V, mask),
}
for name, candidate in practice.items():
    print(f"{name:28}", verdict_of(candidate))


# %% [markdown]
# The points come in four cells of one point each. What you can run here shows only whether your test gives back True or False, refuses a function that gives nothing but zeros, and accepts your own function of 3.3, if that passes its three tests. Silence in the other three cells means nothing: the panel is hidden, and it decides.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "own-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
def passes(function):
    """Whether a function passes the three tests of 3.3."""
    returns("masked-attention", output="sequence query value", weights="sequence query key")
    one, tiny = (tiny_Q[:1, :1], tiny_K[:1], tiny_V[:1]), (tiny_Q, tiny_K, tiny_V)
    try:
        check("masked-attention", "without a mask", function, *tiny)
        check("masked-attention", "with scores of ±10000", function, loud_Q, tiny_K, tiny_V)
        check("masked-attention", "one query of one sequence", function, *one)
        check("masked-attention", "with a mask for each sequence", function, *tiny, boxed)
        check("masked-attention", "with a flat mask", function, *tiny, flat)
        some = "with scores of ±10000, some of them blocked"
        check("masked-attention", some, function, loud_Q, tiny_K, tiny_V, boxed)
        for case, arguments in impossible().items():
            check("masked-attention", case, function, *arguments)
    except AssertionError:
        return False
    return True


def decided(candidate, what):
    """The verdict of your test on a candidate, or a message if there is none."""
    try:
        with np.errstate(all="ignore"):
            verdict = check_attention(candidate)
    except Exception as error:
        raise AssertionError(
            f"{what}: your test stopped with {type(error).__name__}: {error}\nA test decides and never stops: "
            "put the candidate into try, and make arrays of what it gives; or is it a line of your own?"
        ) from error
    assert verdict is not None, (f"{what}: your test gave back None\n"
        "Every way through your test must end with return True or return False.")
    assert isinstance(verdict, (bool, np.bool_)), (f"{what}: your test gave back neither True nor False\n"
        "Every way through it must end with one of them.")
    return verdict


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "own-forms", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests and pictures: run it, no need to read it.
zeros = lambda Q, K, V, mask=None: (np.zeros((*Q.shape[:2], V.shape[2])), 0 * Q @ K.swapaxes(1, 2))
# Ways in which your own function may give back what it does, and what to look at if your test refuses them.
as_lists = lambda Q, K, V, mask=None: [np.array(part).tolist() for part in scaled_dot_product_attention(Q, K, V, mask)]
rounded = lambda Q, K, V, mask=None: tuple(
    np.array(part) * (1 + 1e-12) for part in scaled_dot_product_attention(Q, K, V, mask))
questions = ("are your own numbers right there, with scale √d_k and mask? Is the output the first of the "
             "two? And do you compare to about 1e-6, not exactly?")
own_forms = {
    "your function of 3.3": (lambda Q, K, V, mask=None: scaled_dot_product_attention(Q, K, V, mask),
        f"It passes its three tests and stops at none of your inputs: {questions}"),
    "your function of 3.3, giving lists": (as_lists,
        "A right candidate may give lists: make arrays of what comes back before you look at it."),
    "your function of 3.3, rounded otherwise": (rounded,
        "Another order of sums rounds differently: compare to about 1e-6, with np.allclose.")}


def accepts_own():
    """Stop if your own function of 3.3 passes its tests, and your test refuses it."""
    stops, sizes = [], ["no array"]

    def noted(*arguments, **named):
        given = {**dict(zip(["Q", "K", "V", "mask"], arguments)), **named}
        sizes[0] = ", ".join(f"{name} {np.shape(one) if one is not None else None}" for name, one in given.items())
        try:
            return scaled_dot_product_attention(*arguments, **named)
        except Exception as error:
            stops.append(f"at your input {sizes[0]} it stops with {type(error).__name__}: {error}\n"
                f"If this input is meant to be legal, mend it. If it has to be refused, its ValueError is right; then ask: {questions}")
            raise

    if passes(scaled_dot_product_attention):
        for what, (candidate, advice) in own_forms.items():
            first = what == "your function of 3.3"
            right = decided(noted if first else candidate, what)
            last = f", and the last input was {sizes[0]}" if first else ""
            assert right, f"your test refuses {what}{last}\n{stops[0] if first and stops else advice}"


# %% nbgrader={"grade": true, "grade_id": "check-attention-first-quarter-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
caught = []
assert not decided(zeros, "a function that gives nothing but zeros"), (
    "your test accepts a function that gives nothing but zeros\nCompare the numbers that come back with your own, and return False where they differ.")
accepts_own()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def attend(Q, K, V, mask=None):
        if {Q.ndim, K.ndim, V.ndim} != {3} or Q.shape[::2] != K.shape[::2] or K.shape[:2] != V.shape[:2]:
            raise ValueError("these can't be used together")
        n, (b, q, d), k = slip, Q.shape, K.shape[1]
        if n == "one length" and q != k or mask is not None and (np.isinf(mask).all(axis=-1).any()
                or mask.shape not in [(b, q, k), (q, k)][:1 if n == "needs a box" else 2]):
            raise ValueError("this can't be done")
        K, V = K[[0] * b] if n == "first keys" else K, V[[0] * b] if n == "first values" else V
        free = Q @ K.transpose(0, 2, 1) / {"no scale": 1, "√d_v": V.shape[2]**0.5}.get(n, d**0.5)
        block = np.zeros((b, q, k)) + (0 if mask is None or n == "no mask" else mask)
        block[:] = {"first mask": block[:1], "row 0": block[:, :1]}.get(n, block)
        scores = {"sign": free - block, "zeros": free * (block == 0)}.get(n, free + block)
        row = {"axis": 1 if n == "queries" else 2, "keepdims": True}
        top = {"no maximum": 0, "one maximum": scores.max()}.get(n, scores.max(**row))
        weights = np.exp(scores - top) / np.exp(scores - top).sum(**row)
        return forms[form](weights @ V, {"scores": free, "one axis more": weights[None]}.get(n, weights))
    return attend
forms = {"arrays": lambda *two: two, "lists": lambda *two: [table.tolist() for table in two],
         "column-major": lambda *two: tuple(map(np.asfortranarray, two)),
         "rounded otherwise": lambda *two: tuple(table * (1 + 1e-12) for table in two)}
slips = ["one length", "needs a box", "first keys", "first values", "no scale", "√d_v", "no mask", "row 0",
         "first mask", "sign", "zeros", "queries", "no maximum", "one maximum", "scores", "one axis more"]
# Every slip as often as no slip, so that no count tells them apart, in an order that nobody knows.
panel, said = [(slip, form) for slip in ["", *slips] for form in forms], {}
for at in np.random.default_rng(globals().get("course_secret", 0)).permutation(len(panel)):
    with np.errstate(all="ignore"):
        verdict = verdict_of(candidate_with(*panel[at]))
    said[panel[at]] = bool(verdict) if isinstance(verdict, (bool, np.bool_)) else "nothing"
refused = [form for form in forms if said["", form] is not True]
assert not refused, f"your test rejects a right implementation\nthe one that gives {', '.join(refused)}"
caught = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
assert len(caught) >= 4, f"your test catches less than a quarter of the wrong implementations\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-attention-second-quarter-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# Half of the wrong implementations are caught, and no right one is rejected.
assert verdict_of(zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 8, f"your test catches less than half of the wrong implementations\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-attention-third-quarter-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# Three quarters of the wrong implementations are caught, and no right one is rejected.
assert verdict_of(zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 12, (
    f"your test catches less than three quarters of the wrong implementations\nonly {caught}")
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-attention-last-quarter-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# All of the wrong implementations are caught, and no right one is rejected.
assert verdict_of(zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) == 16, f"your test does not catch all of the wrong implementations\nonly {caught}"
### END HIDDEN TESTS

# %% [markdown]
# ## What you built
#
# You have attention as it is used: for a batch, with masks that can be added to each other, with many heads that are slices of one array, for one sequence or two. It refuses what it can't do, instead of giving NaN or a wrong number of the right shape.
#
# You have also stood on the other side. A test with random numbers, sizes that all differ, a batch larger than one, both kinds of mask and large scores catches most mistakes of this lesson. Missing errors and changed inputs need tests of their own. Lesson 04 builds the same as a PyTorch module.
#
# ### Three questions to think about
#
# 1. The padding mask leaves the rows of padded queries alone. Where in a larger model would their outputs still do harm, and how would you keep them out?
# 2. A mask could also hold finite numbers, such as −1 for every step of distance. What would that do to the attention weights?
# 3. A test that catches 16 known slips can miss a seventeenth. Which property of attention could you test that is not aimed at any particular slip?
#
# <details><summary>Answers</summary>
#
# 1. Wherever outputs of several tokens are put together: in a mean over the sequence, in a loss that counts all positions, and as keys of the next layer if its padding mask is forgotten. Take the mean and the loss over real positions only, and give every layer the mask.
# 2. Before the division by the row's sum, each step of distance multiplies a share by $e^{-1} \approx 0.37$; ten steps leave 0.00005. Near keys win, but no key is blocked, so no row is ever empty. Press, Smith and Lewis (2021) use such masks, with another slope in each head, in place of positions.
# 3. Some that hold for every right implementation: keys, values and columns of the mask in another order leave the output as it is; a sequence alone gives what it gives in the batch; what stands at a blocked key changes nothing; values that are all equal come out unchanged. Together they refuse five of the six slips of 3.7, and five of the nine wrong functions of the practice table. What they miss has a wrong scale, cuts off large numbers, or gives back other weights than it has used. A property for the scale: write the numbers of each query and key twice. The scaled scores then grow by exactly the factor √2.
# </details>
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.2 has the heads, 3.2.3 the mask.
# - Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. The scale of 3.5.
# - Ofir Press, Noah A. Smith, Mike Lewis: *Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation*, 2021. The finite mask of question 2.
# - Elena Voita, David Talbot, Fedor Moiseev, Rico Sennrich, Ivan Titov: *Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned*, 2019. What single heads do.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12.
