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
# # Attention that scales
#
# *Attention, Graded · lesson 07 · NumPy, PyTorch for 7.8 · about 250 minutes · 32 points*
#
# So far every attention here has made the whole table of scores: a row for each query, a column for each key. For 4096 tokens that is 16 million scores in each head, and for 100,000 tokens ten billion. Real systems read such texts, and they make **no such table**. This lesson shows how.
#
# It has three parts. In 7.1 to 7.6 the keys come in blocks: you build attention that never holds more than one small tile of scores, and gives exactly the same output. In 7.7 to 7.9 the tokens come one by one, as when a model writes: you build the cache that makes this fast, and count what it costs. In 7.10 to 7.12 the scores learn how far two tokens are from each other. This lesson builds on lessons 03 and 04.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 7.13 is answered in words and read by a person. If an exercise won't come, leave it and go on: none builds on an earlier one's code. Cells that draw or print call your functions, so they fail, or show wrong things, until those work. The 250 minutes count reading and running such cells, too. Part one (7.1 to 7.6) takes more than half of them, and its end is a good place for a break. The slowest of them measures memory and takes up to ten seconds.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `Q` is `(n_q, d_k)`, `K` is `(n_k, d_k)`, `V` is `(n_k, d_v)`; one head and one sequence, except where an exercise says otherwise |
# | **Queries are rows, keys are columns** | `scores[i, j]` belongs to query `i` and key `j`, and is the dot product divided by $\sqrt{d_k}$ |
# | **Each row of the attention weights sums to 1** | the softmax runs along the keys, also where the weights are never written down |
# | **The last query is the last token** | under the causal mask, query `i` sees the keys `0 … i + n_k − n_q`. With as many queries as keys this is the mask of lesson 03. PyTorch's `is_causal=True` counts from the *first* query instead, which is another mask if the two numbers differ |
# | **Blocked is −∞** | a score of −∞ gets weight 0 |
# | **Shapes of the weight matrices** | they multiply from the right, as in `x @ W_q`, and are `(d_model, d_model)` |
# | **Heads** | head `h` owns the columns `h·head_size … (h+1)·head_size − 1` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
import torch

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
 "update-max-sum": {
 "made of": "0a6220f6e269", "defines": ["update_max_sum"],
 "advice": {
  "the old sum not rescaled": "The old sum is still measured from the old maximum: multiply it by e^(m − new m), with the m that came in.",
  "rescaled upside down": "The exponent of the old sum's factor is turned round: it is old maximum minus new one, so that the sum can only shrink.",
  "rescaled upside down, 0 for an old maximum of -inf": "The old sum is multiplied by e^(new m − m): turn the exponent round, so that the sum can only shrink.",
  "0 stands in for the old maximum, too": "The old maximum is −∞ in this row, and 0 stands in for it: leave it as it is in the factor of the old sum, for e^(−∞) is 0.",
  "-inf minus -inf": "A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which 0 stands for −∞, from the scores and from the old m.",
  "NaN of the differences taken for 0": "A row that has seen nothing has the sum 0: here each of its keys counts as e^0, so make terms of −∞ 0.",
  "a large number for -inf": "−∞ was replaced by a large negative number: a row that has seen nothing keeps the maximum −∞ and the sum 0.",
  "the stand-in given back": "A row that has seen nothing keeps the maximum −∞: here it is 0, which may stand in for it only in the subtraction.",
  "scores of -inf become 0": "A score of −∞ is a key that is not seen: here it counts as a score of 0.",
  "the stand-in is too high": "In a row of very low scores all terms became 0: let a stand-in replace a maximum of −∞ only, and subtract every other maximum as it is.",
  "maximum of the newest block": "m is the largest score of the newest block: take the larger one of it and the old m, row by row.",
  "the block's own maximum in the terms": "The block's terms are measured from the block's own maximum: subtract the new m, as for the old sum.",
  "the block's own maximum in the factor": "The old sum is measured from the block's own maximum: its factor is e to the old m minus the new m, which is the larger of the two.",
  "terms measured from the old maximum": "The block's terms are measured from the old m: subtract the new one, which the block's own scores belong to.",
  "the old sum forgotten": "The sum is of the newest block alone: add the old sum, times its factor.",
  "the old sum thrown away at a new maximum": "Where a larger score came, the old sum was thrown away: multiply it by e^(m − new m) and add it.",
  "the factor multiplies the block, too": "The factor multiplies the block's terms, too: these are measured from the new m already, so multiply the old sum alone.",
  "the factor of -inf multiplies all": "All sums are 0: multiply the old sum alone by e^(m − new m), and add the block's terms.",
  "the factor added": "The factor e^(m − new m) is added to the old sum: multiply by it.",
  "the factor subtracts, the old sum is no factor": "The difference m − new m multiplies the old sum: take e to the power of it.",
  "no maximum subtracted": "The plain exponentials are summed: subtract the new m of each row before you take them, or large scores overflow.",
  "exponentials divided at the end": "In rows of very high or low scores e^s overflows or becomes 0: subtract the new m inside of the exponential, not by a division after it.",
  "one maximum for all rows": "One maximum, the largest of all rows, stands for each: every row has its own, along axis 1.",
  "one maximum for all rows, subtracted only": "The largest score of all rows is subtracted from each: subtract each row's own maximum.",
  "the smallest score": "m is not the largest score of the block: take the largest one of all its keys, scores.max(axis=1).",
  "the smaller of the two maxima": "m never rises above −∞: take the larger of the old maximum and the block's, with np.maximum.",
  "the place of the maximum": "m holds the column of the largest score: argmax tells where it stands, max how large it is.",
  "only the last key's score": "m knows the last key of the block only: take the largest score of all its keys, scores.max(axis=1).",
  "the largest distance from 0": "m is the largest distance from 0: take the largest score, without abs.",
  "the terms averaged": "The block's terms are averaged: add them up.",
  "the sum of all rows": "The terms of all rows are added up: each row has a sum of its own, along axis 1.",
  "the logarithm of the sum": "l is the logarithm of the sum: give back the sum itself.",
  "powers of 2": "These are powers of 2: take those of e, np.exp.",
  "the largest term counts twice": "The sum is too large by 1: the largest score is one of the block's keys, and counts once.",
  "blocks of two keys only": "Only the first two keys of the block are in the sum: a block has any number of them.",
  "results exchanged": "The two results have changed places: give back m first, then l.",
  "the old maximum given back": "m is the one that came in: give back the new one, the larger of it and the block's.",
  "divided by the sum": "The sum is divided by itself: give it back as it is, nothing is divided yet.",
  "the axis kept": "m has an axis too many: leave keepdims=True out, and make a column of it with [:, None] only where it is subtracted.",
  "the sum alone": "Only the sum came back: give back both, m and l.",
  "the block's terms given back": "l still has an axis for the keys: add the block's terms up along axis 1."},
 "calls": {
  "the first two keys of the table": [["m", "l", "scores"], [[3, 4, -Infinity], [1.13534, 2, 0]], [
   ["rescaled upside down", 0, [-240.02, 40.76]],
   ["-inf minus -inf", 0, [-658.72, -489.85]],
   ["NaN of the differences taken for 0", 0, [-1.4439, -0.62267]],
   ["a large number for -inf", [848100000, 631270000], [-1.4439, -0.62267]],
   ["the stand-in given back", [1.2014, 1.8934], 0],
   ["scores of -inf become 0", [1.2014, 1.8934], [-1.4439, -0.62267]],
   ["terms measured from the old maximum", 0, [-120.32, 192.55]],
   ["the factor of -inf multiplies all", 0, [0, 0]],
   ["no maximum subtracted", 0, [-23.656, 1.9635]],
   ["one maximum for all rows", [-1.2356, 0.20983], [-0.43328, 0.035963]],
   ["one maximum for all rows, subtracted only", 0, [-0.43328, 0.035963]],
   ["the smallest score", [846.54, 630.85], [7.1821, 6.7437]],
   ["the smaller of the two maxima", [308.6, -52.406], [-23.656, 1.9635]],
   ["the place of the maximum", [0.95534, 0.84147], [-37.427, -10.166]],
   ["the largest distance from 0", [-846.05, -628.74], 0],
   ["the terms averaged", 0, [0.12617, 0.31993]],
   ["the sum of all rows", 0, [-0.96854, 0.16448]],
   ["the logarithm of the sum", 0, [847.08, 630.63]],
   ["powers of 2", 0, [0.36188, 0.73635]],
   ["the largest term counts twice", 0, [-0.056577, 0.69232]],
   ["results exchanged", [0.25233, 0.63986], [848.45, 632.53]],
   ["the old maximum given back", [308.6, -52.406], 0],
   ["divided by the sum", 0, [0.53919, 0.68373]],
   ["the axis kept", [848.45, 632.53, [3, 1]], 0],
   ["the sum alone", [0.25233, 0.63986, [3]]],
   ["the block's terms given back", 0, [-0.50026, 0.32381, [3, 2]]]]],
  "the last two keys, after the first two": [["m", "l", "scores"], [[5, 4, 1], [1.20344, 2.01832, 1.13534]], [
   ["the old sum not rescaled", 0, [0.28473, 0.80364]],
   ["rescaled upside down, 0 for an old maximum of -inf", 0, [7.2145, 6.9074]],
   ["maximum of the newest block", [3.9286, 3.5761], [-45.671, -17.087]],
   ["the block's own maximum in the terms", 0, [-1.0616, -0.17728]],
   ["the block's own maximum in the factor", 0, [-45.263, -16.932]],
   ["the old sum forgotten", 0, [0.0324, 0.16378]],
   ["the old sum thrown away at a new maximum", 0, [-0.79989, -0.15171]],
   ["the factor multiplies the block, too", 0, [-1.5203, -0.78624]],
   ["the factor added", 0, [-0.0021225, 0.75977]],
   ["the factor subtracts, the old sum is no factor", 0, [-2.1369, -1.7469]],
   ["only the last key's score", [3.9602, 4.2076], [-6.805, -4.6015]]]],
  "5 rows at very different levels": [["m", "l", "scores"], [[10003, -9999, -2, 4, 3], [1.27784, 1.78555, 3, 2.22206, 1.60653]], [
   ["0 stands in for the old maximum, too", 0, [-322.16, -122.29]],
   ["the stand-in is too high", 0, [1.1865, 0.2768]],
   ["the stand-in is too high", 0, [3.3865, 1.9143]],
   ["exponentials divided at the end", 0, [418.92, 530.46]],
   ["blocks of two keys only", 0, [-1.5771, 0.13686]]]],
  "one key that only some rows see": [["m", "l", "scores"], [[10003, -10002, -2, 4, -Infinity], [1.203, 1, 3, 2.13534, 0]], []]}},
 "update-attention": {
 "made of": "933d93e1477f", "defines": ["update_attention"],
 "advice": {
  "neither is rescaled": "Neither l nor o is rescaled: multiply both by e^(m − new m), with the m that came in, before the block is added.",
  "o is not rescaled": "o is still measured from the old maximum: multiply it by e^(m − new m), too, as l is.",
  "l is not rescaled": "l is still measured from the old maximum: multiply it by e^(m − new m), too, as o is.",
  "rescaled upside down": "The exponent of the factor is turned round: it is old maximum minus new one, so that l and o can only shrink.",
  "rescaled upside down, 0 for an old maximum of -inf": "The factor of l and o is e^(new m − m): turn the exponent round, so that they can only shrink.",
  "o rescaled upside down": "The factor of o has its exponent turned round: it is the factor of l, e^(m − new m).",
  "0 stands in for the old maximum, too": "The old maximum is −∞ in this row, and 0 stands in for it: leave it as it is in the factor, for e^(−∞) is 0.",
  "-inf minus -inf": "A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which 0 stands for −∞, from the scores and from the old m.",
  "NaN of the differences taken for 0": "A row that has seen nothing has the sum 0 and a row of zeros: here each of its keys counts as e^0, so make terms of −∞ 0.",
  "a large number for -inf": "−∞ was replaced by a large negative number: a row that has seen nothing keeps the maximum −∞, the sum 0 and a row of zeros.",
  "the stand-in given back": "A row that has seen nothing keeps the maximum −∞: here it is 0. Begin with −∞, and let 0 stand in for it only in the subtraction.",
  "the sum begins at 1": "The sum begins at 1: before the first key nothing was added, so begin with 0, and let the old maximum be −∞.",
  "the first block treated as empty": "The first block's terms are missing: add them to what there was, also when the state is None.",
  "scores of -inf become 0": "A score of −∞ is a key that is not seen: here it counts as a score of 0.",
  "the stand-in is too high": "In a row of very low scores all terms became 0: let a stand-in replace a maximum of −∞ only, and subtract every other maximum as it is.",
  "divided at each block": "o is divided by l: give it back undivided, for it is divided only when all keys were seen.",
  "maximum of the newest block": "m is the largest score of the newest block: take the larger one of it and the old m, row by row.",
  "the block's own maximum in the terms": "The block's terms are measured from the block's own maximum: subtract the new m, as for the old sums.",
  "the block's own maximum in the factor": "The factor is measured from the block's own maximum: it is e to the old m minus the new m, which is the larger of the two.",
  "terms measured from the old maximum": "The block's terms are not measured from the new m: subtract it from the scores, row by row, before you take the exponential.",
  "state not handed on": "The state is that of the newest block alone: begin with zeros only if state is None, and else with what came in.",
  "the old o forgotten": "o is of the newest block alone: add the old o, times its factor.",
  "the old l forgotten": "l is of the newest block alone: add the old l, times its factor.",
  "the factor multiplies the block, too": "The factor multiplies the block's terms, too: these are measured from the new m already, so multiply the old l and o alone.",
  "the factor of o multiplies the block, too": "o is 0 after the first block: multiply the old o alone by the factor, and add terms @ values.",
  "o multiplied by the old sum": "The old o is multiplied by the old l, too: o was never divided, so the factor alone is right.",
  "exponentials divided at the end": "In rows of very high or low scores e^s overflows or becomes 0: subtract the new m inside of the exponential, not by a division after it.",
  "scores in place of terms": "The scores themselves are multiplied with the values: take the terms e^(s − m).",
  "the values are only added": "The values of the block are added up without their terms: multiply terms and values as matrices.",
  "only the best key's value": "Only the value of the largest score is added: every key of the block adds its value, times its term.",
  "one maximum for all rows": "One maximum, the largest of all rows, stands for each: every row has its own, along axis 1.",
  "one maximum for all rows, subtracted only": "The largest score of all rows is subtracted from each: subtract each row's own maximum.",
  "the terms averaged": "l adds the mean of the block's terms: add their sum.",
  "l counts all rows": "The terms of all rows are added up in l: each row has a sum of its own, along axis 1.",
  "the scores scaled once more": "The scores are divided by a root once more: they come in scaled, so take them as they are.",
  "powers of 2": "These are powers of 2: take those of e, np.exp.",
  "the smallest score": "m is not the largest score of the block: take the largest one of all its keys, scores.max(axis=1).",
  "only the last key's score": "m knows the last key of the block only: take the largest score of all its keys, scores.max(axis=1).",
  "values read as columns": "The values are turned: each row of values belongs to a key, so multiply terms @ values without a transpose.",
  "results in another order": "The results have changed places: give back m first, then l, then o.",
  "the old maximum given back": "m is the one that came in: give back the new one, the larger of it and the block's.",
  "o alone": "Only o came back: give back the whole state, m, l and o."},
 "calls": {
  "the first two keys of the table": [["state", "scores", "values"], [[3, 4, -Infinity], [1.13534, 2, 0], [[0.135335, 1], [1, 1], [0, 0]]], [
   ["rescaled upside down", 0, [-240.02, 40.76], [154.81, 221.6]],
   ["o rescaled upside down", 0, 0, [154.81, 221.6]],
   ["-inf minus -inf", 0, [-658.72, -489.85], [-98.827, -595.01]],
   ["NaN of the differences taken for 0", 0, [-1.4439, -0.62267], [-0.62681, -0.44239]],
   ["a large number for -inf", [848100000, 631270000], [-1.4439, -0.62267], [-0.62681, -0.44239]],
   ["the stand-in given back", [1.2014, 1.8934], 0, 0],
   ["the sum begins at 1", 0, [-0.056577, 0.69232], 0],
   ["the first block treated as empty", [308.6, -52.406], [0, 0], [0, 0]],
   ["scores of -inf become 0", [1.2014, 1.8934], [-1.4439, -0.62267], [-0.62681, -0.44239]],
   ["divided at each block", 0, 0, [-98.686, -595.19]],
   ["divided at each block", 0, 0, [-0.35937, 0.1452]],
   ["terms measured from the old maximum", 0, [-23.656, 1.9635], [-17.413, 19.193]],
   ["the factor of o multiplies the block, too", 0, 0, [0, 0]],
   ["scores in place of terms", 0, 0, [-1.1467, 1.8389]],
   ["the values are only added", 0, 0, [0.19924, 0.2852]],
   ["only the best key's value", 0, 0, [-1.2642, -0.78901]],
   ["one maximum for all rows", [-1.2356, 0.20983], [-0.43328, 0.035963], [-0.31894, 0.35154]],
   ["one maximum for all rows, subtracted only", 0, [-0.43328, 0.035963], [-0.31894, 0.35154]],
   ["the terms averaged", 0, [0.12617, 0.31993], 0],
   ["l counts all rows", 0, [-0.96854, 0.16448], 0],
   ["the scores scaled once more", [848.1, 631.97], [0.3553, 0.73056], [-0.3973, 0.4145]],
   ["powers of 2", 0, [0.36188, 0.73635], [-0.39072, 0.4203]],
   ["the smallest score", [846.54, 630.85], [7.1821, 6.7437], [-2.333, 0.043554]],
   ["results in another order", [-0.50026, 0.32381, [3, 2]], [848.45, 632.53], [0.25233, 0.63986, [3]]],
   ["results in another order", [0.25233, 0.63986], [848.45, 632.53], 0],
   ["the old maximum given back", [308.6, -52.406], 0, 0],
   ["o alone", [-0.50026, 0.32381, [3, 2]]]]],
  "the last two keys, after the first two": [["m", "l", "o", "scores", "values"], [[5, 4, 1], [1.20344, 2.01832, 1.13534], [[2.0681, -0.814878], [1.01832, 1.01832], [1.27067, 0.864665]]], [
   ["neither is rescaled", 0, [0.28473, 0.80364], [2.018, 1.2586]],
   ["o is not rescaled", 0, 0, [2.018, 1.2586]],
   ["l is not rescaled", 0, [0.28473, 0.80364], 0],
   ["rescaled upside down, 0 for an old maximum of -inf", 0, [7.2145, 6.9074], [0.18526, 0.97836]],
   ["maximum of the newest block", [3.9286, 3.5761], [-45.671, -17.087], [-9.3817, 21.364]],
   ["the block's own maximum in the terms", 0, [-1.0616, -0.17728], [2.0565, 1.6575]],
   ["the block's own maximum in the factor", 0, [-45.263, -16.932], [-9.1722, 21.003]],
   ["state not handed on", [3.9286, 3.5761], [-0.37612, 0.0089204], [2.3088, 1.2957]],
   ["the old o forgotten", 0, 0, [2.5183, 0.93481]],
   ["the old l forgotten", 0, [0.0324, 0.16378], 0],
   ["the factor multiplies the block, too", 0, [-1.5203, -0.78624], [0.23091, -0.32447]],
   ["o multiplied by the old sum", 0, 0, [2.0474, 1.6634]],
   ["only the last key's score", [3.9602, 4.2076], [-6.805, -4.6015], [3.3427, -4.7517]],
   ["values read as columns", 0, 0, [0.39787, 0.49391]]]],
  "5 rows at very different levels": [["m", "l", "o", "scores", "values"], [[10003, -9999, -2, 4, 3], [1.27784, 1.78555, 3, 2.22206, 1.60653], [[-0.722291, -1.6461, 0.572163], [-1.51525, 0.820436, -2.87336], [-2, -1.9, 0.4], [-2.00613, -0.700359, -0.511403], [-1.55241, -1.81306, 0.513061]]], [
   ["0 stands in for the old maximum, too", 0, [-322.16, -122.29], [397.44, 182.12]],
   ["the stand-in is too high", 0, [1.1865, 0.2768], [2.6099, 1.2737]],
   ["exponentials divided at the end", 0, [418.92, 530.46], [157.91, 223.59]]]],
  "one key that only some rows see": [["m", "l", "o", "scores", "values"], [[10003, -10002, -2, 4, -Infinity], [1.203, 1, 3, 2.13534, 0], [[-2.203, -1.64286, 0.643604], [-2, -1.9, 0.4], [-2, -1.9, 0.4], [-2.17067, -0.657137, -0.545866], [0, 0, 0]]], [
   ["-inf minus -inf", 0, [531.44, -542.71], [-533.22, 124.75]]]],
  "4 rows and 2 keys, nothing seen before": [["state", "scores", "values"], [[10003, -10002, -Infinity, 2], [1.01832, 1, 0, 1.36788], [[-1.76337, -1.53663, 1.8652, 1.80733, 0.5652, 1.49267], [-1.8, -1.5, 1.9, 1.8, 0.6, 1.5], [0, 0, 0, 0, 0, 0], [-1.06424, -2.23576, 1.20103, 1.94715, -0.0989709, 1.35285]]], []]}},
 "merge-states": {
 "made of": "0ef88e6bd25c", "defines": ["merge_states"],
 "advice": {
  "nothing is rescaled": "The sums are added as they are: measure both from the new maximum, each times e^(its own m − new m).",
  "l is not rescaled": "l is added as it is: measure both sums from the new maximum, as for o.",
  "o is not rescaled": "o is added as it is: measure both from the new maximum, as for l.",
  "only a is rescaled": "b is added as it is: where its maximum is the smaller one, it needs a factor, e^(b's m − new m).",
  "only b is rescaled": "a is added as it is: where its maximum is the smaller one, it needs a factor, e^(a's m − new m).",
  "all measured from a's maximum": "All is measured from the maximum of a: take the larger of the two maxima in each row.",
  "all measured from b's maximum": "All is measured from the maximum of b: take the larger of the two maxima in each row.",
  "the maximum of a given back": "m is that of a: give back the larger of the two maxima.",
  "the smaller maximum": "m is the smaller of the two maxima: take the larger one, with np.maximum.",
  "the maxima added": "The two maxima are added: take the larger one, row by row.",
  "the mean of the maxima": "m is the mean of the two maxima: take the larger one, row by row.",
  "logaddexp of the maxima": "m is the logarithm of e^m + e^m: take the larger of the two maxima.",
  "factors exchanged": "The factors have changed places: that of a is e^(a's m − new m), that of b is e^(b's m − new m).",
  "upside down": "The exponents are turned round: a factor is e to its own maximum minus the new one, and at most 1.",
  "upside down, with 0 for -inf": "The exponents are turned round, and 0 stands for −∞: a factor is e to its own maximum, as it is, minus the new one.",
  "0 stands in for each maximum": "The maximum of a row that saw nothing is −∞, and 0 stands in for it: leave it as it is in its own factor, for e^(−∞) is 0.",
  "-inf minus -inf": "A row that saw nothing in either becomes NaN, from −∞ − (−∞): subtract a copy of the new maximum in which 0 stands for −∞.",
  "the stand-in given back": "A row that saw nothing in either keeps the maximum −∞: here it is 0, which may stand in for it only in the subtraction.",
  "a large number for -inf": "−∞ was replaced by a large negative number: a row that saw nothing in either keeps the maximum −∞.",
  "the stand-in is too high": "In a row of very low maxima all became 0: let a stand-in replace a maximum of −∞ only, and subtract every other maximum as it is.",
  "nothing subtracted": "e^m is taken of the maxima as they are: subtract the new maximum first, in the exponent.",
  "divided by e^m afterwards": "With large maxima e^m overflows, with low ones it is 0: subtract the new maximum inside of the exponential.",
  "one maximum for all rows": "One maximum, the largest of all rows, stands for each: compare a and b row by row.",
  "one maximum for all rows, subtracted only": "The largest maximum of all rows is subtracted from each: subtract each row's own.",
  "each row from the state with the larger maximum": "Each row came from one of the states alone: both have seen keys, so add what both hold, times their factors.",
  "b forgotten": "l and o hold the keys of a alone: add those of b, times its factor.",
  "a forgotten": "l and o hold the keys of b alone: add those of a, times its factor.",
  "a given back if some row of b is empty": "a came back as it was: add b to it row by row, also if some row of one of them has seen nothing.",
  "b given back if some row of a is empty": "b came back as it was: add a to it row by row, also if some row of one of them has seen nothing.",
  "rows empty in one of them dropped": "A row that saw nothing in one state lost what it saw in the other: a factor of 0 belongs to the empty one alone.",
  "o divided by l": "o is divided by l: give it back undivided, for more states may be merged with it.",
  "o multiplied by l": "Each o is multiplied by its l: it was never divided, so its factor alone is right.",
  "the mean of both": "l and o are the means of both states: add the two.",
  "o averaged": "o is the mean of both states: add the two.",
  "the larger sum": "l is the larger of the two sums: add them, for the keys are different ones.",
  "b subtracted": "b is subtracted: add it.",
  "a's factor for both": "Both states have the factor of a: that of b is e^(b's m − new m).",
  "b's factor for both": "Both states have the factor of b: that of a is e^(a's m − new m).",
  "powers of 2": "These are powers of 2: take those of e, np.exp.",
  "the difference itself as factor": "The factors are differences of maxima: take e to the power of them.",
  "the queries of both, one after the other": "The rows of b stand below those of a: both belong to the same queries, so add them row by row.",
  "results in another order": "The results have changed places: give back m first, then l, then o.",
  "o alone": "Only o came back: give back the whole state, m, l and o."},
 "calls": {
  "4 rows, one of which has seen nothing": [["m_a", "l_a", "o_a", "m_b", "l_b", "o_b"], [[5, 4, 1, -Infinity], [2.36788, 3.13534, 2, 0], [[1.73576, 3], [1, -0.864665], [4, 2], [0, 0]]], [
   ["nothing is rescaled", 0, [-0.49478, 0.6309], [1.8855, -1.5122]],
   ["l is not rescaled", 0, [-0.49478, 0.6309], 0],
   ["o is not rescaled", 0, 0, [1.8855, -1.5122]],
   ["only a is rescaled", 0, [-0.13495, 0.76729], [1.3367, -2.376]],
   ["only b is rescaled", 0, [-1.0987, 0.098986], [0.67769, -2.5761]],
   ["all measured from a's maximum", [217.14, -363.42], [-11.99, -5.0939], [-6.8783, -18.03]],
   ["all measured from b's maximum", [-632.75, -995.84], [3.1481, 3.6591], [0.83304, -1.7433]],
   ["the maximum of a given back", [217.14, -363.42], 0, 0],
   ["the smaller maximum", [216.18, -364.26], [-8.1026, -1.6703], [-6.1742, -16.333]],
   ["the maxima added", [219.29, -360.68], [-4.7459, -3.4624], [2.8521, -8.1546]],
   ["the mean of the maxima", [216.24, -363.99], [-4.4278, -1.4913], [-0.087919, -10.406]],
   ["logaddexp of the maxima", [-631.55, -994.75], [-1.1917, -0.24153], [0.1852, -3.5271]],
   ["factors exchanged", 0, [1.0731, 1.2388], [2.2369, 2.5967]],
   ["upside down", 0, [-165.63, 288.01], [265.72, -736.79]],
   ["upside down, with 0 for -inf", 0, [-1.512, 1.0689], [9.2236, 7.7618]],
   ["-inf minus -inf", 0, [492.42, 776.41], [356.07, -155.59]],
   ["the stand-in given back", [2.264, 2.9451], 0, 0],
   ["a large number for -inf", [-634690000, -998940000], 0, 0],
   ["nothing subtracted", 0, [259.88, 265.28], [-12.416, 56.941]],
   ["one maximum for all rows", [1.6289, 5.257], [1.7511, 1.7874], [-0.083656, 0.38366]],
   ["one maximum for all rows, subtracted only", 0, [1.7511, 1.7874], [-0.083656, 0.38366]],
   ["each row from the state with the larger maximum", 0, [-1.034, -0.052828], [-0.6599, -4.1941]],
   ["b forgotten", 0, [1.8544, 1.6616], [-0.20721, 0.50343]],
   ["a forgotten", 0, [-2.5932, -1.4262], [0.33611, -3.9432]],
   ["a given back if some row of b is empty", [217.14, -363.42], [1.4945, 1.5252], [0.34159, 1.3672]],
   ["b given back if some row of a is empty", [-632.75, -995.84], [-1.9893, -0.8943], [1.5439, -2.8794]],
   ["rows empty in one of them dropped", 0, [0.95736, 1.4979], [-0.9871, -0.50766]],
   ["o divided by l", 0, 0, [356.23, -153.67]],
   ["o divided by l", 0, 0, [0.28553, -1.5259]],
   ["o multiplied by l", 0, 0, [-2.0138, -9.2641]],
   ["the mean of both", 0, [-0.36942, 0.11769], [0.064449, -1.7199]],
   ["o averaged", 0, 0, [0.064449, -1.7199]],
   ["the larger sum", 0, [-1.034, -0.052828], 0],
   ["b subtracted", 0, [4.4475, 3.0878], [-0.54331, 4.4467]],
   ["a's factor for both", 0, [2.6407, 2.439], [1.5028, 1.9657]],
   ["b's factor for both", 0, [-2.3064, -0.96484], [0.86297, -2.8088]],
   ["powers of 2", 0, [-0.66034, 0.32847], [0.45411, -3.1029]],
   ["the difference itself as factor", 0, [-0.12304, -0.52598], [-3.1801, -3.6808]],
   ["the queries of both, one after the other", [-716.54, 617.39, [8]], [-1.2053, 2.2029, [8]], [-3.0952, -1.6784, [8, 2]]],
   ["results in another order", [0.1289, -3.4398, [4, 2]], [-631.79, -995], [-0.73884, 0.23538, [4]]],
   ["results in another order", [-0.73884, 0.23538], [-631.79, -995], 0],
   ["o alone", [0.1289, -3.4398, [4, 2]]]]],
  "the two the other way round": [["m_a", "l_a", "o_a", "m_b", "l_b", "o_b"], [[5, 4, 1, -Infinity], [2.36788, 3.13534, 2, 0], [[1.73576, 3], [1, -0.864665], [4, 2], [0, 0]]], []],
  "5 rows at very different levels": [["m_a", "l_a", "o_a", "m_b", "l_b", "o_b"], [[10000, 2, -900, 3, 901.5], [3.10364, 2.5, 1, 6, 6.22313], [[2.63576, 1.06424, -0.0989709], [0.4, -1.9, -0.4], [-0.6, -0.7, -0.4], [-2.3, -0.2, -2.6], [-2.08925, 1.57605, 1.58925]]], [
   ["0 stands in for each maximum", 0, [-648.98, -486.64], [539.59, 256.72]],
   ["the stand-in is too high", 0, [9.9928, 3.8555], [1.0935, 2.4423]],
   ["divided by e^m afterwards", 0, [617.98, -374.87], [-231.77, 421.4]]]]}},
 "tiled-attention": {
 "made of": "b7d0c7c3baf9", "defines": ["tiled_attention"],
 "advice": {
  "no scale": "The scores are not divided: divide them by √d_k.",
  "divides by d_k": "The scores are divided by d_k, not by its root: divide once, by √d_k.",
  "multiplies": "The scores are multiplied by √d_k: divide them.",
  "to the power of one, halved": "The scores are divided by 2·d_k: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take np.sqrt.",
  "root of d_v": "The scores are divided by √d_v: divide them by √d_k, the root of Q.shape[1].",
  "root of tile_q": "The scores are divided by the root of tile_q: divide them by √d_k, the root of Q.shape[1].",
  "root of the queries of the tile": "The scores are divided by the root of the number of queries in the tile: divide them by √d_k, the root of Q.shape[1].",
  "root of the keys of the tile": "The scores are divided by the root of the number of keys in the tile: divide them by √d_k, the root of Q.shape[1].",
  "root of tile_k": "The scores are divided by the root of tile_k: divide them by √d_k, the root of Q.shape[1].",
  "root of n_q": "The scores are divided by √n_q: divide them by √d_k, the root of Q.shape[1].",
  "root of n_k": "The scores are divided by √n_k: divide them by √d_k, the root of Q.shape[1].",
  "not divided": "o was written as it is: divide each row of it by its l first.",
  "l turned along the features": "Each column is divided by a row's l: make a column of l, with l[:, None], so that each row is divided by its own.",
  "divided by m": "o is divided by m, the largest score: divide it by l, the sum.",
  "divided by the sum of all l": "All rows of a tile are divided by one number: divide each row of o by its own l.",
  "multiplied by l": "o is multiplied by l: divide it.",
  "divided by the sum of the row of o": "Each row is divided by the sum of its own numbers: divide row i of o by l[i], the sum of the exponentials.",
  "divided after each tile": "o was divided after each tile of keys, and then grew on: hand the state on as update gave it, and divide once, after the last tile.",
  "divided after each tile and at the end": "o was divided more than once: hand the state on as update gave it, and divide once, after the last tile.",
  "state not handed on": "Only the last tile of keys counts: begin with None before the loop over the keys, and hand each state on to the next update.",
  "only the first tile": "Only the first tile of keys counts: replace the state by what each update gives back.",
  "mean of the tiles' outputs": "Each tile of keys was attended to by itself, and the outputs were averaged: hand the state on from tile to tile, and divide once at the end.",
  "sum of the tiles' outputs": "Each tile of keys was attended to by itself, and the outputs were added: hand the state on from tile to tile, and divide once at the end.",
  "sums of the tiles added without their maxima": "Each tile's terms are measured from its own maximum, and added to others as they are: hand update the scores as they are, and each state that it gave back.",
  "softmax before update": "update got weights: hand it the scores, since it makes the exponentials itself.",
  "exponentials before update": "update got exponentials: hand it the scores, since it makes the exponentials itself.",
  "last partial tile of keys left out": "The last keys are left out: let the loop over the keys run up to n_k, also where its last tile is not full.",
  "last partial tile of queries left out": "The last queries were never written: let the loop over the queries run up to n_q, also where its last tile is not full.",
  "only the first tile of queries": "Only the first tile of queries was written: go on with the next one, since break leaves the loop over the keys, and return leaves both.",
  "always written to the beginning": "Every tile was written to the beginning: write from row i on, where its queries began.",
  "written at the tile's number": "The tile's number was taken for its first row: write from row i on, where its queries began.",
  "number of the tile taken for its first query": "The tile's number was taken for its first query: let the loop go in steps, range(0, n_q, tile_q).",
  "number of the tile taken for its first key": "The tile's number was taken for its first key: let the loop go in steps, range(0, n_k, tile_k).",
  "every key begins a tile": "Some keys came more than once: let the loop over the keys go in steps, range(0, n_k, tile_k).",
  "keys in steps of tile_q": "Some keys came more than once, or not at all: the loop over the keys goes in steps of tile_k, as long as the tiles that are read.",
  "keys read in pieces of tile_q": "Some keys were left out: read tile_k rows of K and V, as many as the loop steps over.",
  "queries in steps of tile_k": "Some rows were never written: the loop over the queries goes in steps of tile_q, as long as the tiles that are read.",
  "no mask": "No score was blocked: put −∞ where the key comes after the last one that the query sees.",
  "mask without the tile's first key": "The keys of each tile are counted from 0 in the mask: add j, the number of the tile's first key.",
  "mask without the tile's first query": "The queries of each tile are counted from 0 in the mask: add i, the number of the tile's first query.",
  "first-query alignment": "The mask counts from the first query: query i sees the keys up to i + n_k − n_q.",
  "n_q - n_k": "The difference of the lengths is turned round: query i sees the keys up to i + n_k − n_q.",
  "a query does not see its own token": "Key i + n_k − n_q is blocked, too: a query sees it, so block only what comes after it, with >.",
  "one key too many": "Each query sees one key too many: key i + n_k − n_q is the last one.",
  "mask turned round": "The mask is the wrong way round: put −∞ where the key comes after i + n_k − n_q, and keep the scores before.",
  "blocked scores are 0": "Blocked scores are 0, which is a score like others: put −∞ there.",
  "mask times -inf": "NaN comes of 0 · (−∞): choose with np.where(hidden, -np.inf, scores).",
  "the whole tile's mask is that of its last query": "All queries of a tile got the mask of its last one: compare each query's own number with the keys', as a column with a row.",
  "the whole tile's mask is that of its first query": "All queries of a tile got the mask of its first one: compare each query's own number with the keys', as a column with a row.",
  "triangle in each tile": "Each tile got the same triangle: compare the number of each key, counted from j, with the last key that each query sees.",
  "only the tiles of the diagonal masked": "Only some tiles got a mask: compare the keys with what each query sees in every live tile, wherever it begins.",
  "tile skipped if its first query sees none of it": "A tile was left out though one of its queries sees its first key: leave it out only if its first key comes after the last key that its last query sees, i + len(Q) − 1 + n_k − n_q.",
  "always causal": "Scores were blocked though causal is False: block only if causal."},
 "calls": {
  "7 queries, 11 keys, tiles of 2 and 3": [["Q", "K", "V", "tile_q", "tile_k"], [[[1.89934, 1.25655, -0.812151, -1.34356], [0.722861, 1.05823, 1.9032, -0.726503], [0.144027, -0.445707, 0.781874, -1.20652], [0.292695, -0.344136, 0.886155, -0.942232], [1.78897, 1.73854, -1.58067, -1.80997], [0.182719, -0.538259, -0.203784, -0.813797], [0.410214, -0.149583, -0.526626, -0.619812]]], [
   ["no scale", [-6.024, 4.6347]],
   ["divides by d_k", [-5.526, 2.7332]],
   ["multiplies", [-5.5151, 4.4413]],
   ["to the power of one, halved", [-4.4177, 1.2871]],
   ["root of d_v", [-6.686, 4.5628]],
   ["root of tile_q", [-6.4234, 4.6593]],
   ["root of the queries of the tile", [-6.16, 4.3751]],
   ["root of the keys of the tile", [-6.5377, 4.675]],
   ["root of tile_k", [-6.6121, 4.6322]],
   ["root of n_q", [-6.6133, 4.2449]],
   ["root of n_k", [-6.3288, 3.7951]],
   ["not divided", [-11.056, 6.5138]],
   ["l turned along the features", [-6.0109, 5.7468]],
   ["divided by m", [-2.8077, 0.97286]],
   ["divided by the sum of all l", [-3.538, 2.2379]],
   ["multiplied by l", [-21.033, 10.152]],
   ["divided by the sum of the row of o", [-29.352, 0.078758]],
   ["divided after each tile", [-4.6056, 3.3327]],
   ["divided after each tile and at the end", [-3.4796, 2.6663]],
   ["state not handed on", [0.49962, 3.3549]],
   ["only the first tile", [1.8918, 2.1246]],
   ["mean of the tiles' outputs", [-3.9549, 3.4415]],
   ["sum of the tiles' outputs", [-15.82, 13.766]],
   ["sums of the tiles added without their maxima", [-3.6692, 3.5074]],
   ["softmax before update", [-3.7667, 1.2407]],
   ["exponentials before update", [-5.2126, 3.753]],
   ["last partial tile of keys left out", [-7.0827, 3.7854]],
   ["last partial tile of queries left out", [-255.99, -29.607]],
   ["only the first tile of queries", [-203.1, 288.88]],
   ["always written to the beginning", [-201.88, 287.3]],
   ["written at the tile's number", [-481.98, 150.82]],
   ["number of the tile taken for its first query", [-430.39, -185.46]],
   ["number of the tile taken for its first key", [-0.2853, 0.14726]],
   ["every key begins a tile", [-6.5767, 4.4155]],
   ["keys in steps of tile_q", [-6.2401, 4.0215]],
   ["keys read in pieces of tile_q", [-6.4066, 1.0537]],
   ["queries in steps of tile_k", [14.414, 490.91]],
   ["always causal", [-6.8029, -0.84434]]]],
  "3 queries, 7 keys, tiles of 2 and 3": [["Q", "K", "V", "tile_q", "tile_k"], [[[1.16146, 0.80942], [1.1071, 0.382422], [-0.672291, 0.733567]]], [
   ["last partial tile of keys left out", [-0.41697, 1.7462]]]],
  "6 queries, 5 keys, tiles of 4 and 2": [["Q", "K", "V", "tile_q", "tile_k"], [[[0.994661, 0.955126, -0.87527, -1.24722], [0.787704, -1.57224, 0.323675, -1.01218], [-1.15199, -0.226707, 1.51206, 0.633527], [0.178446, -0.963514, -0.394998, -0.355562], [0.805458, -1.40929, 0.0731414, -1.0109], [-0.104894, 0.301482, -1.14606, -0.0670406]]], []],
  "tiles that are longer than the table": [["Q", "K", "V", "tile_q", "tile_k"], [[[-1.64419], [-0.521393], [-1.38091]]], []],
  "tiles of 1": [["Q", "K", "V", "tile_q", "tile_k"], [[[-1.34916, 1.73088, 0.502255, 1.51952, -0.982094], [-1.26286, 1.92762, 0.760881, 1.90441, -1.14921]]], []],
  "causal, 7 queries, 9 keys, tiles of 3 and 4": [["Q", "K", "V", "tile_q", "tile_k", "causal"], [[[-1.12149, -1.21576], [0.373828, -1.28652], [-0.517574, -0.438198], [-0.665579, -0.424493], [-1.32774, 0.408113], [-1.11806, 0.225794], [0.0552404, 0.314926]]], [
   ["no scale", [-3.1455, -0.49351]],
   ["divides by d_k", [-1.4318, -1.6782]],
   ["multiplies", [-3.1807, -0.46334]],
   ["to the power of one, halved", [-0.61769, -1.3514]],
   ["root of d_v", [-3.0073, -0.91197]],
   ["root of tile_q", [-2.8632, -1.2042]],
   ["root of the queries of the tile", [-2.7492, -1.0807]],
   ["root of the keys of the tile", [-2.7226, -1.3924]],
   ["root of tile_k", [-2.7262, -1.3943]],
   ["root of n_q", [-2.3814, -1.6573]],
   ["root of n_k", [-2.2009, -1.719]],
   ["not divided", [-4.0013, -1.914]],
   ["l turned along the features", [-2.8848, -0.98284]],
   ["divided by m", [-2.0014, -0.78115]],
   ["divided by the sum of all l", [-0.96508, -0.55248]],
   ["multiplied by l", [-6.9034, -2.891]],
   ["divided by the sum of the row of o", [1.291, 0.46991]],
   ["divided after each tile", [-1.9179, -0.81529]],
   ["divided after each tile and at the end", [-1.4503, -0.71792]],
   ["state not handed on", [250.71, 817.3]],
   ["only the first tile", [-0.95935, -3.4499]],
   ["mean of the tiles' outputs", [-2.5713, -2.6256]],
   ["sum of the tiles' outputs", [-4.2351, -3.4071]],
   ["sums of the tiles added without their maxima", [-2.4272, -2.9483]],
   ["softmax before update", [252.7, 816.92]],
   ["exponentials before update", [-3.9025, -0.3551]],
   ["sums of the tiles added without their maxima", [252.4, 816.26]],
   ["last partial tile of keys left out", [-2.5938, -1.5156]],
   ["last partial tile of queries left out", [-929.72, -633.27]],
   ["only the first tile of queries", [-378.37, -145.53]],
   ["always written to the beginning", [-376.32, -141.64]],
   ["written at the tile's number", [-732.36, 6.579]],
   ["number of the tile taken for its first query", [-145.19, -623.53]],
   ["number of the tile taken for its first key", [-1.934, -1.9984]],
   ["every key begins a tile", [-2.731, -1.3299]],
   ["keys in steps of tile_q", [-2.4749, -1.3393]],
   ["keys read in pieces of tile_q", [-3.0898, -2.1198]],
   ["queries in steps of tile_k", [353.42, -153.56]],
   ["no mask", [-1.9222, -0.16079]],
   ["no mask", [-1.7603, 1.5157]],
   ["mask without the tile's first key", [-1.9276, -0.16575]],
   ["mask without the tile's first query", [-1.9501, -3.2016]],
   ["first-query alignment", [2.9619, 2.1401]],
   ["n_q - n_k", [252.6, 814.01]],
   ["a query does not see its own token", [-2.1277, -2.5828]],
   ["one key too many", [-1.3098, 0.88258]],
   ["mask turned round", [-0.64586, -2.4393]],
   ["mask turned round", [-145.1, -619.31]],
   ["blocked scores are 0", [-2.0841, -0.61209]],
   ["mask times -inf", [-221.87, 77.954]],
   ["the whole tile's mask is that of its last query", [-0.49541, 0.59532]],
   ["the whole tile's mask is that of its first query", [-1.7361, -2.7709]],
   ["triangle in each tile", [-0.0385, 1.3178]],
   ["only the tiles of the diagonal masked", [-1.9229, -0.16126]],
   ["tile skipped if its first query sees none of it", [-1.3459, -2.0733]],
   ["tile skipped if its first query sees none of it", [-1.3396, -2.07]],
   ["tile skipped if its first query sees none of it", [-1.5388, -3.6045]]]],
  "causal, 3 queries, 7 keys, tiles of 2 and 3": [["Q", "K", "V", "tile_q", "tile_k", "causal"], [[[1.04845, 0.951551], [0.31203, 0.76236], [-0.672291, 0.733567]]], []],
  "causal, 3 queries, 7 keys, tiles of 3 and 2": [["Q", "K", "V", "tile_q", "tile_k", "causal"], [[[1.04845, 0.951551], [0.31203, 0.76236], [-0.672291, 0.733567]]], []],
  "causal, 7 queries and keys, tiles of 3 and 2": [["Q", "K", "V", "tile_q", "tile_k"], [[[0.1, 1.8, 2], [0.0923156, 1.7854, 1.99616], [-0.105562, 1.61685, 1.6351], [-1.89402, -1.98045, 0.977679], [-1.39521, -0.367102, -0.883242], [-1.0254, -0.920567, -0.0280834], [-0.797065, -1.16124, -0.0119048]]], []],
  "the log of 7 queries, 11 keys, tiles of 2 and 3": [["Q", "K", "V", "tile_q", "tile_k"], [[0, 1, 2, 3, 4, 5, 6]], [
   ["last partial tile of queries left out", [-1.5255, -1.5546, [6]]],
   ["only the first tile of queries", [-0.41615, -0.15775, [2]]],
   ["queries in steps of tile_k", [3.6856, -2.255, [5]]]]],
  "the log of 6 queries, 5 keys, tiles of 4 and 2": [["Q", "K", "V", "tile_q", "tile_k"], [[0, 1, 2, 3, 4, 5]], []],
  "the log, causal, 7 queries, 9 keys, tiles of 3 and 4": [["Q", "K", "V", "tile_q", "tile_k", "causal"], [[0, 1, 2, 3, 4, 5, 6]], [
   ["only the first tile of queries", [-2.1123, -1.4203, [3]]]]],
  "the log, causal, 7 queries and keys, tiles of 3 and 2": [["Q", "K", "V", "tile_q", "tile_k"], [[0, 1, 2, 3, 4, 5, 6]], []]}},
 "tiled-cost": {
 "made of": "c8388d60537b", "defines": ["tiled_cost"],
 "advice": {
  "output not counted": "The output is not counted: each of its rows, d_v numbers, is written once.",
  "queries not counted": "The queries are not counted: each row of Q, d_k numbers, is read once.",
  "neither queries nor output": "What is moved is n · (d_k + d_v) too little: did you count Q and the output, and the round of the last tile of queries, which is not full?",
  "the output as wide as a query": "A row of the output has d_v numbers, not d_k.",
  "queries as wide as values": "A row of Q has d_k numbers, not d_v.",
  "values not moved": "The values are not counted in what is moved: with each key comes its value, d_v numbers.",
  "keys not moved": "The keys are not counted in what is moved: with each value comes its key, d_k numbers.",
  "values as wide as keys": "A value has d_v numbers, not d_k.",
  "keys as wide as values": "A key has d_k numbers, not d_v.",
  "queries for each tile of keys": "Q and the output are counted once for each tile of keys: count them once for each tile of queries, outside the inner loop.",
  "queries read for each tile of keys": "Q is counted once for each tile of keys: a tile of queries is read once, before the inner loop.",
  "output written for each tile of keys": "The output is counted once for each tile of keys: its rows are written once, after the inner loop.",
  "keys once": "The keys and values are counted once: they come past again for each tile of queries.",
  "keys for each query": "The keys and values are counted for each query: they are read once for a whole tile of queries.",
  "tiles always full": "All tiles are counted as full: the last ones have only n − start rows or columns.",
  "tiles of queries always full": "Every tile of queries is counted as full: the last one has only n − i rows.",
  "tiles of keys always full": "Every tile of keys is counted as full: the last one has only n − j columns.",
  "last tiles left out": "Tiles that are not full are left out: the last ones count with the rows and columns that they have.",
  "last tile of queries left out": "The last tile of queries is left out: it counts with the rows that it has.",
  "last tile of keys left out": "The last tile of keys is left out: it counts with the columns that it has.",
  "tiles exchanged": "Q and the output are counted again and again, or in steps of tile_k: the outer loop goes over queries, in steps of tile_q, and the keys come past in the inner one.",
  "work without mixing": "The mixing is not counted: each weight is multiplied with d_v numbers of a value.",
  "work without scores": "The scores are not counted: each of them takes d_k multiply-adds.",
  "a product for d_k and d_v": "d_k and d_v are multiplied: each score takes d_k multiply-adds, and its weight then takes d_v more.",
  "multiply and add as two": "The multiply-adds are twice too many: a multiply and its add count as one.",
  "mixing as wide as the scores": "The mixing takes d_v multiply-adds for each weight, not d_k.",
  "scores only counted": "These are the scores: each takes d_k multiply-adds, and the mixing takes d_v for each.",
  "rows plus cols": "rows and columns are added: a tile has rows · cols scores.",
  "work of the whole tile sizes": "The multiply-adds are counted as if all tiles were full: the last ones have fewer rows or columns.",
  "softmax counted too": "There is one multiply-add too many for each score: only d_k for the score and d_v for the mixing count.",
  "scores moved too": "The scores are counted as moved: they stay in the fast memory and are never written.",
  "causal does nothing": "The causal mask changes nothing here: leave out tiles whose first key comes after their last query.",
  "live by the first query": "A tile is left out though its last query sees its first key: it is live, and counts whole.",
  "tile numbers compared": "The number of a tile of keys is compared with that of a tile of queries, though they are of different lengths: compare its first key with the last query.",
  "half of the table": "Half of the table is counted: count the live tiles one by one, each of them whole.",
  "half of the table and half of the keys": "Half of everything is counted: count the live tiles one by one, each of them whole, and Q and the output in full.",
  "only visible scores": "Only scores that are seen are counted: a live tile is computed whole, so all of its scores count.",
  "only visible keys moved": "Only the keys up to the tile's last query are counted: a live tile counts whole, with all of its columns.",
  "moved for dead tiles, too": "Keys of a dead tile are counted as moved: dead tiles are not read.",
  "a dead tile ends all": "The count stops at the first dead tile: go on with the next tile of queries, since break leaves the inner loop only.",
  "a dead tile counted": "A tile whose first key comes just after its last query is counted: it is dead.",
  "a full tile's last query": "One tile too many is counted for each tile of queries: a tile is dead if its first key comes after its last query.",
  "always causal": "Tiles are left out though causal is False: leave them out only if causal.",
  "results exchanged": "The two have changed places: give back (numbers_moved, multiply_adds).",
  "only what is moved": "Give back two numbers: (numbers_moved, multiply_adds).",
  "in bytes": "These are 8 bytes for each number: give numbers, not bytes.",
  "averages of a tile": "The tiles are counted as n / tile_q and so are no whole number: round up, since the last one is a round of its own.",
  "sums forgotten": "Only the last tile of queries is counted: begin with 0 before the outer loop, not inside of it.",
  "return inside the loop": "Only the first tile of queries is counted: return after both loops, not inside of one."},
 "calls": {
  "13 tokens, tiles of 5 and 3": [["n", "d_k", "d_v", "tile_q", "tile_k"], [572, 1859], [
   ["output not counted", [496.77, 437.56], 0],
   ["queries not counted", [459.52, 404.75], 0],
   ["neither queries nor output", [409.84, 360.99], 0],
   ["the output as wide as a query", [583.71, 514.14], 0],
   ["queries as wide as values", [509.19, 448.5], 0],
   ["values not moved", [397.42, 350.05], 0],
   ["keys not moved", [285.65, 251.6], 0],
   ["values as wide as keys", [658.23, 579.77], 0],
   ["keys as wide as values", [434.68, 382.87], 0],
   ["queries for each tile of keys", [1092.9, 962.64], 0],
   ["queries read for each tile of keys", [894.19, 787.62], 0],
   ["output written for each tile of keys", [745.16, 656.35], 0],
   ["keys once", [273.23, 240.66], 0],
   ["keys for each query", [1912.6, 1684.6], 0],
   ["tiles always full", [630.52, 555.37], [2364.5, 2082.6]],
   ["tiles of queries always full", [567.47, 499.83], [2049.2, 1805]],
   ["tiles of keys always full", [609.5, 536.86], [2049.2, 1805]],
   ["last tiles left out", [357.3, 314.71], [1261, 1110.7]],
   ["last tile of queries left out", [378.31, 333.22], [1366.1, 1203.3]],
   ["last tile of keys left out", [514.93, 453.55], [1639.4, 1444]],
   ["tiles exchanged", [819.68, 721.98], 0],
   ["work without mixing", 0, [1130.2, 995.46]],
   ["work without scores", 0, [645.81, 568.83]],
   ["a product for d_k and d_v", 0, [4520.7, 3981.8]],
   ["multiply and add as two", 0, [3551.9, 3128.6]],
   ["mixing as wide as the scores", 0, [2260.3, 1990.9]],
   ["scores only counted", 0, [161.45, 142.21]],
   ["rows plus cols", 0, [1092.9, 962.64]],
   ["work of the whole tile sizes", 0, [2364.5, 2082.6]],
   ["softmax counted too", 0, [1937.4, 1706.5]],
   ["scores moved too", [707.9, 623.53], 0],
   ["scores moved too", [869.36, 765.74], 0],
   ["always causal", [462.38, 407.27], [1355.6, 1194]],
   ["results exchanged", [1776, 1564.3], [546.45, 481.32]],
   ["only what is moved", [546.45, 481.32, []]],
   ["only what is moved", [1776, 1564.3, []]],
   ["only what is moved", [2322.4, 2045.6, []]],
   ["in bytes", [4371.6, 3850.6], 0],
   ["averages of a tile", [491.81, 433.19], 0],
   ["sums forgotten", [168.14, 148.1], [409.84, 360.99]],
   ["return inside the loop", [189.16, 166.61], [683.07, 601.65]]]],
  "13 tokens, tiles of 5 and 3, causal": [["n", "d_k", "d_v", "tile_q", "tile_k", "causal"], [484, 1419], [
   ["causal does nothing", [546.45, 481.32], [1776, 1564.3]],
   ["live by the first query", [357.3, 314.71], [851.2, 749.75]],
   ["live by the first query", [420.35, 370.25], [1166.5, 1027.4]],
   ["live by the first query", [294.24, 259.17], [599, 527.6]],
   ["live by the first query", [399.33, 351.73], [1040.4, 916.36]],
   ["tile numbers compared", [325.77, 286.94], [756.63, 666.45]],
   ["half of the table", [546.45, 481.32], [887.51, 781.73]],
   ["half of the table and half of the keys", [273.23, 240.66], [887.51, 781.73]],
   ["only visible scores", 0, [956.29, 842.31]],
   ["only visible keys moved", [430.86, 379.5], [1198, 1055.2]],
   ["moved for dead tiles, too", [504.42, 444.3], 0],
   ["moved for dead tiles, too", [546.45, 481.32], 0],
   ["live by the first query", [325.77, 286.94], [693.57, 610.91]],
   ["a dead tile ends all", [115.6, 101.82], [315.26, 277.69]],
   ["a full tile's last query", [504.42, 444.3], [1565.8, 1379.2]]]],
  "7 tokens, tiles of 3 and 2": [["n", "d_k", "d_v", "tile_q", "tile_k"], [140, 245], []],
  "7 tokens, tiles of 3 and 2, causal": [["n", "d_k", "d_v", "tile_q", "tile_k", "causal"], [120, 185], [
   ["a dead tile counted", [119.42, 105.18], [191.07, 168.29]]]],
  "11 tokens, tiles of 2 and 4, causal": [["n", "d_k", "d_v", "tile_q", "tile_k"], [456, 648], []],
  "5 tokens, tiles that are longer": [["n", "d_k", "d_v", "tile_q", "tile_k"], [50, 125], []]}},
 "attend-with-cache": {
 "made of": "f1147eb692fe", "defines": ["attend_with_cache"],
 "advice": {
  "no mask": "A token sees what comes after it: block each key whose number is larger than n_past plus the query's.",
  "itself blocked": "A token doesn't see itself, and token 0 sees nothing: block only keys whose number is larger than n_past plus the query's.",
  "mask without the length of the past": "With a cache, the mask forgets its tokens: new token i is token n_past + i of the text, so only keys after n_past + i are blocked.",
  "n_past from the axis of the heads": "With a cache of 4 tokens and 2 heads, later places are counted wrongly: n_past is cache[0].shape[1], the axis of the tokens.",
  "n_past from the axis of the numbers": "With a cache, a token sees what comes after it: n_past is cache[0].shape[1], the axis of the tokens, and key n_past + i is the last that token i sees.",
  "mask the other way": "The mask is the wrong way round: a token sees itself and what comes before it, so block the later keys.",
  "blocked and seen exchanged": "What should be seen is blocked, and the other way round: np.where takes its second argument where the first is true.",
  "the past blocked": "The cached tokens are blocked or left out: each new token sees all of them.",
  "new tokens see themselves and the past alone": "A new token doesn't see the new ones before it: of the new keys, block only those after it.",
  "new tokens see the past alone": "With a cache, a new token doesn't see the new ones, not even itself: of the new keys, block only those after it.",
  "blocked scores are 0": "Blocked scores are 0, and their weights are not: set them to −∞ before the softmax.",
  "blocked scores of −1": "Blocked scores are only smaller by 1: set them to −∞ before the softmax.",
  "mask after the softmax": "Weights are blocked after the softmax, so a row no longer sums to 1: block the scores, before it.",
  "-inf times the mask": "All of the output is NaN, as 0 times −∞ is: set blocked scores with np.where(future, -np.inf, scores), and block no whole row.",
  "no scale": "The scores are not divided: divide them by √head_size.",
  "divided by head_size": "The scores are divided by head_size: divide by its root.",
  "root of d_model": "The scores are divided by √d_model: a head has head_size numbers, so divide by √head_size.",
  "root of the number of heads": "The scores are divided by √2 here, as by the root of the number of heads or of tokens: divide by √head_size.",
  "multiplied by the root": "The scores are multiplied by √head_size: divide them.",
  "keys of head 0 for all": "All heads use the keys of head 0: multiply the queries of each head with its own keys.",
  "keys reshaped": "A reshape doesn't turn the keys: swap their last two axes, with transpose(0, 2, 1).",
  "distances": "The scores are distances: take dot products of queries and keys.",
  "softmax over the queries": "The softmax runs down the queries: it runs along the last axis, over the keys.",
  "softmax over the heads": "The softmax, or its maximum, is taken over the heads: both run along the last axis, over the keys.",
  "no maximum": "With large scores the exponentials overflow: subtract the row's maximum before np.exp.",
  "one maximum for all": "With large scores a whole row of exponentials is 0: subtract each row's own maximum, with axis=-1 and keepdims=True.",
  "exponent cut off": "Large scores are cut off: leave them as they are, and subtract the row's maximum before np.exp.",
  "softmax without exponentials": "The exponentials are missing: the weights are e^(score − maximum), divided by their sum.",
  "powers of two": "The weights are powers of another number than e: use np.exp.",
  "not divided": "The weights don't sum to 1: divide each row's exponentials by their sum.",
  "divided by the number of keys": "The weights don't sum to 1: divide each row's exponentials by their sum, not by the number of keys.",
  "sum over all heads": "The sum runs over the heads, too: each row of each head sums to 1.",
  "sum without keepdims": "The sum lost its axis and went to the wrong places: give it keepdims=True, so that each row is divided by its own.",
  "softmax twice": "The softmax runs twice: once is enough.",
  "merged without turning": "The heads are not put side by side: transpose(1, 0, 2) before the reshape to (n_new, d_model).",
  "numbers before heads": "The heads' numbers are mixed: head h owns the columns h·head_size … (h+1)·head_size − 1, so turn with transpose(1, 0, 2).",
  "heads averaged": "The heads are averaged: put them side by side.",
  "heads added up": "The heads are added up: put them side by side.",
  "heads in reverse": "The heads stand in reverse order: head 0 comes first.",
  "keys mixed": "The weights mix keys: they mix the values.",
  "residual": "Something was added to the heads before W_o: nothing else belongs there.",
  "cut without turning": "The heads are cut by a reshape alone, which mixes tokens and heads: reshape(n_new, num_heads, head_size), then transpose(1, 0, 2).",
  "every num_heads-th column": "The heads are cut otherwise: head h owns the columns h·head_size … (h+1)·head_size − 1, so reshape(n_new, num_heads, head_size) and then transpose(1, 0, 2).",
  "queries cut otherwise": "Only the queries' heads are cut otherwise, or their numbers are mixed: cut them as you cut the keys.",
  "matrices transposed": "The matrices are transposed: they multiply from the right as they are, x @ W_k.",
  "query matrix transposed": "W_q is transposed: the matrices multiply from the right as they are, x @ W_q.",
  "keys from W_q": "The keys are made by W_q: make them by W_k.",
  "queries from W_k": "The queries are made by W_k: make them by W_q.",
  "values from W_k": "The values are made by W_k: make them by W_v.",
  "queries and keys exchanged": "Queries and keys are exchanged: queries come from W_q, keys from W_k.",
  "no projections": "The tokens were not multiplied by W_q, W_k and W_v: do this first.",
  "values not projected": "The values are the tokens themselves: multiply them by W_v.",
  "heads and numbers in one": "There are head_size heads of num_heads numbers here: reshape to (n_new, num_heads, head_size).",
  "W_o forgotten": "The last product is missing: multiply the heads, side by side, by W_o.",
  "W_o transposed": "W_o is transposed: it multiplies from the right as it is.",
  "W_v in the place of W_o": "The heads are multiplied by W_v at the end: take W_o.",
  "residual at the end": "The tokens were added to the output: give back the product with W_o alone.",
  "the last row alone": "Only the last token's output came back: there is one row for each new token.",
  "the first row alone": "Only the first token's output came back, without the axis of the tokens: there is one row for each new token.",
  "output turned": "The output is turned: each token is a row.",
  "keys and values exchanged in the cache": "Keys and values have changed places in the cache: give back (K, V), and read cache[0] as the keys.",
  "keys and values exchanged when read": "The cached keys and values are exchanged when they are read: cache[0] holds the keys, cache[1] the values.",
  "values of the past are its keys": "The values of the past are its keys: take cache[1] for the values.",
  "keys of the past are its values": "The keys of the past are its values: take cache[0] for the keys.",
  "past after the new tokens": "The new keys and values stand before the past: the cache comes first, np.concatenate([old, new], axis=1).",
  "keys of the past after the new ones": "The new keys stand before those of the past: the cache comes first, np.concatenate([old, new], axis=1).",
  "values of the past after the new ones": "The new values stand before those of the past: the cache comes first, np.concatenate([old, new], axis=1).",
  "cache not read": "The cache is not read: put its keys and values before the new ones, for the scores and in what you give back.",
  "new keys alone in the cache": "Only the new tokens are in the cache that you give back: it holds the past, too, and those after it.",
  "the old cache returned": "The cache came back as it was: give back all keys and values, the new ones at the end.",
  "cache not grown by the values": "The values in the cache came back as they were: give back all of them, the new ones at the end.",
  "a window of 4 tokens": "Old tokens fell out of the cache: keep all of them.",
  "the cache side by side": "Keys and values in the cache have their heads side by side: keep them cut, (num_heads, tokens, head_size).",
  "tokens first in the cache": "The tokens come first in the cache: its axes are (num_heads, tokens, head_size).",
  "keys turned in the cache": "The keys are turned in the cache: its axes are (num_heads, tokens, head_size).",
  "scaled keys in the cache": "The keys in the cache are divided by √head_size: keep them as they are, and divide the scores.",
  "queries in the cache": "There are queries in the cache: it holds keys and values.",
  "the tokens in the cache": "There are tokens in the cache: it holds keys and values, cut into heads.",
  "mixed values in the cache": "The second part of the cache holds mixed values: keep the values as they were before the weights.",
  "rounded": "The output is rounded: keep all of its digits.",
  "a past of zeros": "A token of zeros stands before the first: without a cache there are only the new tokens.",
  "added for joined": "The past is added to the new keys and values: put it before them, np.concatenate([old, new], axis=1).",
  "one token only": "Only the first new token went in: take all rows of x.",
  "the last token only": "Only the last new token is in the cache: take all rows of x, and keep what came before each."},
 "calls": {
  "tokens 0 and 1, nothing before": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[-2.25, 0.25, 1.5, 0.75, -0.375, 0.25], [-2.25247, 1.72558, 1.49567, 1.34543, 0.501449, 0.545859]], [[[-1.25, -1.75, 2.25], [-0.25, 0, 1]], [[1.25, 2.5, 0.75], [2.5, 0.25, -2.75]]], [[[0, 0, -0.75], [-1, 1, 0.25]], [[-1, 0, 1], [-2.75, 1.5, 0]]]], [
   ["no mask", [-1.3585, -3.1835], 0, 0],
   ["itself blocked", [155.96, 221.15], 0, 0],
   ["mask the other way", [-1.1177, -3.8449], 0, 0],
   ["blocked and seen exchanged", [547.07, 488.24], 0, 0],
   ["new tokens see themselves and the past alone", [-1.0221, -4.8031], 0, 0],
   ["blocked scores are 0", [-1.1436, -4.3683], 0, 0],
   ["blocked scores of −1", [-1.317, -3.6202], 0, 0],
   ["mask after the softmax", [0.45856, -3.2591], 0, 0],
   ["-inf times the mask", [705.55, 709.87], 0, 0],
   ["no scale", [-1.1443, -4.3354], 0, 0],
   ["divided by head_size", [-1.3535, -4.003], 0, 0],
   ["root of d_model", [-1.3205, -4.0516], 0, 0],
   ["root of the number of heads", [-1.2246, -4.2036], 0, 0],
   ["multiplied by the root", [-0.96584, -4.6292], 0, 0],
   ["keys of head 0 for all", [-1.6962, -3.6469], 0, 0],
   ["keys reshaped", [-2.264, -2.6697], 0, 0],
   ["distances", [-0.49988, -5.3962], 0, 0],
   ["softmax over the queries", [-1.3893, -4.1099], 0, 0],
   ["softmax over the heads", [157.71, 218.23], 0, 0],
   ["softmax without exponentials", [-1.0353, -4.1705], 0, 0],
   ["powers of two", [-1.3237, -4.0468], 0, 0],
   ["not divided", [-0.73104, -5.6953], 0, 0],
   ["divided by the number of keys", [-0.36552, -2.8477], 0, 0],
   ["sum over all heads", [-0.72643, -2.3526], 0, 0],
   ["sum without keepdims", [-0.73858, -5.6781], 0, 0],
   ["softmax twice", [-1.4868, -3.8439], 0, 0],
   ["merged without turning", [3.2916, -0.99243], 0, 0],
   ["numbers before heads", [-0.11695, -1.4937], 0, 0],
   ["heads averaged", [0.53532, -2.9707], 0, 0],
   ["heads added up", [1.0706, -5.9414], 0, 0],
   ["heads in reverse", [2.3334, -1.7997], 0, 0],
   ["keys mixed", [0.26799, -1.2732], 0, 0],
   ["residual", [1.9224, 1.6558], 0, 0],
   ["cut without turning", [1.2529, -1.0847], [-5.323, -4.4588], [3.424, -4.3811]],
   ["every num_heads-th column", [-1.3813, -0.70785], [-4.418, -10.961], [-3.1194, 3.1294]],
   ["queries cut otherwise", [-2.6006, -2.0716], 0, 0],
   ["matrices transposed", [-2.2203, -4.2185], [-3.0559, -3.0993], [0.14575, -3.4412]],
   ["query matrix transposed", [-2.114, -3.0019], 0, 0],
   ["keys from W_q", [-0.9941, -4.8259], [4.4632, -4.408], 0],
   ["queries from W_k", [-2.3352, -2.6415], 0, 0],
   ["values from W_k", [0.26799, -1.2732], 0, [-6.6271, -5.6326]],
   ["queries and keys exchanged", [-1.3115, -4.0612], [4.4632, -4.408], 0],
   ["no projections", [2.7037, 5.1262], [2.5438, 4.1409], [2.5438, 4.1409]],
   ["values not projected", [1.6033, 4.1119], 0, [2.5438, 4.1409]],
   ["heads and numbers in one", [-0.97803, -2.645], [-0.74086, -5.1801, [3, 2, 2]], [-1.8682, 4.0534, [3, 2, 2]]],
   ["W_o forgotten", [1.9696, -1.1014], 0, 0],
   ["W_o transposed", [1.7145, 0.79685], 0, 0],
   ["W_v in the place of W_o", [-0.098369, -2.3696], 0, 0],
   ["residual at the end", [-0.41257, -0.74281], 0, 0],
   ["the last row alone", [-3.384, -2.1549, [1, 6]], 0, 0],
   ["the first row alone", [-3.5092, -1.8846, [6]], 0, 0],
   ["output turned", [0.34258, -1.6304, [6, 2]], 0, 0],
   ["keys and values exchanged in the cache", 0, [3.9595, -3.6549], [-6.6271, -5.6326]],
   ["the cache side by side", 0, [-5.323, -4.4588, [2, 6]], [3.424, -4.3811, [2, 6]]],
   ["tokens first in the cache", 0, [-5.323, -4.4588], [3.424, -4.3811]],
   ["keys turned in the cache", 0, [0.49866, -4.8524, [2, 3, 2]], 0],
   ["scaled keys in the cache", 0, [-3.8262, -3.252], 0],
   ["queries in the cache", 0, [4.4632, -4.408], 0],
   ["the tokens in the cache", 0, [0.85023, 3.3989, [2, 6]], [0.85023, 3.3989, [2, 6]]],
   ["mixed values in the cache", 0, 0, [3.4931, -0.16322]],
   ["rounded", [-1.2627, -4.1319], 0, 0],
   ["a past of zeros", [-1.2704, -2.5082], [-2.2784, -4.6005, [2, 3, 3]], [-0.3678, 2.0814, [2, 3, 3]]],
   ["one token only", [-3.5092, -1.8846, [1, 6]], [-0.47773, -2.7469, [2, 1, 3]], [-0.80971, -0.59181, [2, 1, 3]]],
   ["the last token only", [-3.6734, -0.028305, [1, 6]], [2.9014, 1.6631, [2, 1, 3]], [-2.3021, -4.9539, [2, 1, 3]]]]],
  "tokens 2 and 3": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[-2.1906, 1.22314, 1.13628, 1.04344, -0.0377286, -0.0241355], [-1.25442, 1.29378, -0.20946, 0.595879, -0.31663, -0.693845]], [[[-1.25, -1.75, 2.25], [-0.25, 0, 1], [-1.25, -1, 2.25], [2.25, -0.25, -1.75]], [[1.25, 2.5, 0.75], [2.5, 0.25, -2.75], [4, 1.75, -1.25], [-1.5, -0.25, 1.5]]], [[[0, 0, -0.75], [-1, 1, 0.25], [-1, 2, 0], [-0.5, -0.25, 0.5]], [[-1, 0, 1], [-2.75, 1.5, 0], [0, 1.5, 0], [2.25, -0.75, 0]]]], [
   ["mask without the length of the past", [-2.54, -2.3036], 0, 0],
   ["n_past from the axis of the numbers", [-2.1548, -4.2287], 0, 0],
   ["the past blocked", [1.7455, -4.6341], 0, 0],
   ["new tokens see the past alone", [-2.5229, -2.3292], 0, 0],
   ["keys and values exchanged when read", [5.611, -4.4793], [-0.64839, 0.14701], [0.69689, -11.072]],
   ["values of the past are its keys", [0.22827, 0.78392], 0, [0.69689, -11.072]],
   ["keys of the past are its values", [-2.2069, -4.6537], [-0.64839, 0.14701], 0],
   ["past after the new tokens", [-2.1431, -4.2112], [-2.9436, 1.7971], [-0.65302, -0.66226]],
   ["keys of the past after the new ones", [1.2221, -2.6192], [-2.9436, 1.7971], 0],
   ["values of the past after the new ones", [1.5148, -2.5422], 0, [-0.65302, -0.66226]],
   ["cache not read", [1.7455, -4.6341], [2.3971, 2.1766, [2, 2, 3]], [-3.534, -1.6657, [2, 2, 3]]],
   ["new keys alone in the cache", 0, [2.3971, 2.1766, [2, 2, 3]], [-3.534, -1.6657, [2, 2, 3]]],
   ["the old cache returned", 0, [-6.6271, -5.6326, [2, 2, 3]], [3.9595, -3.6549, [2, 2, 3]]],
   ["cache not grown by the values", 0, 0, [3.9595, -3.6549, [2, 2, 3]]],
   ["a window of 4 tokens", 0, [-16.555, -3.6375, [2, 3, 3]], [2.9658, -8.2259, [2, 3, 3]]],
   ["added for joined", [-1.1813, -7.1047], [-4.23, -3.456, [2, 2, 3]], [0.42545, -5.3206, [2, 2, 3]]]]],
  "token 4": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[-1.30814, 1.574, -0.215694, 0.986051, -0.999883, -0.712128]], [[[-1.25, -1.75, 2.25], [-0.25, 0, 1], [-1.25, -1, 2.25], [2.25, -0.25, -1.75], [-0.25, -1.25, 0.5]], [[1.25, 2.5, 0.75], [2.5, 0.25, -2.75], [4, 1.75, -1.25], [-1.5, -0.25, 1.5], [0.25, 1.25, 0.25]]], [[[0, 0, -0.75], [-1, 1, 0.25], [-1, 2, 0], [-0.5, -0.25, 0.5], [0.25, -0.25, -0.25]], [[-1, 0, 1], [-2.75, 1.5, 0], [0, 1.5, 0], [2.25, -0.75, 0], [1, 0, -0.75]]]], [
   ["n_past from the axis of the heads", [-1.7519, 0.53384], 0, 0],
   ["a window of 4 tokens", 0, [-6.7381, -4.0174, [2, 4, 3]], [-1.2744, -6.2937, [2, 4, 3]]]]],
  "3 heads of 4 numbers, 3 tokens after 4": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[1.27263, 1.32643, 2.34903, 1.89032, -0.166107, -0.445701, 1.22024, 1.06137, -1.15559, -2.52748, -1.30763, 1.89632], [1.26262, 0.830145, 1.53962, 2.82413, -0.25682, -2.24847, 2.07116, 0.10791, 0.555096, -2.2734, -2.33059, 1.96592], [0.863341, 1.12438, 1.2001, 2.46912, -1.16668, -0.619295, 0.570294, -0.779591, 0.630234, -2.94476, -1.52798, 3.47514]], [[[-2.715, -1.05, 0.5475, 1.1875], [1.3875, 1.2325, 1.0675, -0.1875], [-0.37, -0.715, 2.7325, 0.265], [0.095, 0.9925, -0.6675, 2.54], [0.6825, 0.0775, 1.1575, 0.225], [-1.905, 0.35, -0.145, 0.685], [1.1975, 0.64, 1.435, 0.115]], [[2.28, -1.835, -0.785, -0.37], [-1.89, 2.76, 1.65, -0.3325], [-0.345, 1.9975, 1.4325, 0.165], [0.95, 0.1875, 1.475, -2.5925], [2.175, -1.7875, 0.1925, 0.44], [1.545, -1.8, -2.24, 0.1425], [-1.32, 2.27, 2.3575, -1.905]], [[1.06, 2.1375, -1.44, -0.5075], [-0.2125, -0.6375, -0.29, 0.45], [0.7575, 0.6, -0.215, 1.835], [-1.09, -1.175, -0.135, -1.4325], [2.5475, 0.1, 1.6325, 0.1325], [1.1775, -1.4925, 2.1275, 1.01], [-1.23, 1.9025, -3.9025, -4.945]]], [[[0.23, 1.6525, 2.185, -1.735], [0.1925, 0.4675, -1.3625, 2.6325], [2, 1.4025, -0.0075, 2.24], [-1.1925, 1.745, -0.0125, 0.1225], [1.0325, 0.735, 2.41, -2.1925], [-0.7225, 1.15, 1.455, -0.865], [0.7225, 0.6675, -0.88, 1.42]], [[-1.315, -0.1275, 0.7475, 0.9175], [2.39, -0.6975, -0.39, -0.2475], [2.4125, -0.5575, 0.725, 0.46], [0.4225, -2.235, -1.885, -1], [-0.3775, -0.6525, 2.36, -0.8625], [-1.63, 0.9075, -0.0175, -2.96], [1.605, -1.7575, -1.4375, 1.68]], [[0.0475, 0.145, -0.58, -1.1425], [-1.145, -1.035, -1.3725, -0.8775], [-0.505, 0.315, -3.1875, -2.4075], [0.115, -0.1975, 1.995, -1.6725], [2.1075, 0.585, 2.215, -2.2775], [2.5975, -0.08, -0.34, -5.39], [-1.8075, -1.4425, 4.36, 3.54]]]], [
   ["a window of 4 tokens", 0, [10.335, 9.9194, [3, 6, 4]], [-5.9538, 9.7022, [3, 6, 4]]]]],
  "4 heads, with large scores": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[-13.6237, 16.6193, 1.16854, 4.87663, -16.8814, -5.79155, -5.12393, -21.5209, 3.17614, -49.0408, -2.21227, 17.9045], [31.0964, 15.1982, 27.9447, 53.3777, -29.6668, -52.8726, 48.0118, -8.03719, 40.1511, -52.5929, -49.8394, 48.6166], [-9.06531, 63.8347, 57.4428, 73.3078, -42.6916, -8.77399, 2.64882, -26.7742, 17.0094, -87.0183, -40.8451, 71.6772]], [[[-24.435, -9.45, 4.9275], [12.4875, 11.0925, 9.6075], [-3.33, -6.435, 24.5925], [0.855, 8.9325, -6.0075], [0.6825, 0.0775, 1.1575], [-32.385, 5.95, -2.465], [1.1975, 0.64, 1.435]], [[10.6875, 20.52, -16.515], [-1.6875, -17.01, 24.84], [2.385, -3.105, 17.9775], [22.86, 8.55, 1.6875], [0.225, 2.175, -1.7875], [11.645, 26.265, -30.6], [0.115, -1.32, 2.27]], [[-7.065, -3.33, 9.54], [14.85, -2.9925, -1.9125], [12.8925, 1.485, 6.8175], [13.275, -23.3325, -9.81], [0.1925, 0.44, 2.5475], [-38.08, 2.4225, 20.0175], [2.3575, -1.905, -1.23]], [[19.2375, -12.96, -4.5675], [-5.7375, -2.61, 4.05], [5.4, -1.935, 16.515], [-10.575, -1.215, -12.8925], [0.1, 1.6325, 0.1325], [-25.3725, 36.1675, 17.17], [1.9025, -3.9025, -4.945]]], [[[2.07, 14.8725, 19.665], [1.7325, 4.2075, -12.2625], [18, 12.6225, -0.0675], [-10.7325, 15.705, -0.1125], [1.0325, 0.735, 2.41], [-12.2825, 19.55, 24.735], [0.7225, 0.6675, -0.88]], [[-15.615, -11.835, -1.1475], [23.6925, 21.51, -6.2775], [20.16, 21.7125, -5.0175], [1.1025, 3.8025, -20.115], [-2.1925, -0.3775, -0.6525], [-14.705, -27.71, 15.4275], [1.42, 1.605, -1.7575]], [[6.7275, 8.2575, 0.4275], [-3.51, -2.2275, -10.305], [6.525, 4.14, -4.545], [-16.965, -9, 1.035], [2.36, -0.8625, 2.1075], [-0.2975, -50.32, 44.1575], [-1.4375, 1.68, -1.8075]], [[1.305, -5.22, -10.2825], [-9.315, -12.3525, -7.8975], [2.835, -28.6875, -21.6675], [-1.7775, 17.955, -15.0525], [0.585, 2.215, -2.2775], [-1.36, -5.78, -91.63], [-1.4425, 4.36, 3.54]]]], [
   ["no maximum", [-197.03, -362.07], 0, 0],
   ["one maximum for all", [31.216, 350.91], 0, 0],
   ["exponent cut off", [-1.6643, -179.88], 0, 0]]],
  "3 tokens, nothing before, 2 heads": [["x", "past_K", "past_V", "W_q", "W_k", "W_v", "W_o", "num_heads"], [[[1.58069, -0.137625, 1.05387, -1.25294, 0.189625, -3.47156, 2.50231, 0.009375, 0.842125, -1.5125, 2.55663, 1.12262], [1.47027, -0.109596, 0.937024, -1.17689, 0.128467, -3.47289, 2.4825, -0.0316997, 0.882777, -1.55639, 2.56743, 1.04505], [1.10473, -0.082251, 0.339582, -1.11038, -0.212737, -3.78618, 2.44836, -0.75901, 1.23411, -2.49701, 1.70991, 1.81331]], [[[-2.715, -1.05, 0.5475, 1.1875, 2.28, -1.835], [1.3875, 1.2325, 1.0675, -0.1875, -1.89, 2.76], [-0.37, -0.715, 2.7325, 0.265, -0.345, 1.9975]], [[-0.785, -0.37, 1.06, 2.1375, -1.44, -0.5075], [1.65, -0.3325, -0.2125, -0.6375, -0.29, 0.45], [1.4325, 0.165, 0.7575, 0.6, -0.215, 1.835]]], [[[0.23, 1.6525, 2.185, -1.735, -1.315, -0.1275], [0.1925, 0.4675, -1.3625, 2.6325, 2.39, -0.6975], [2, 1.4025, -0.0075, 2.24, 2.4125, -0.5575]], [[0.7475, 0.9175, 0.0475, 0.145, -0.58, -1.1425], [-0.39, -0.2475, -1.145, -1.035, -1.3725, -0.8775], [0.725, 0.46, -0.505, 0.315, -3.1875, -2.4075]]]], []]}},
 "grouped-query-attention": {
 "made of": "25a4b0e5a3ff", "defines": ["grouped_query_attention"],
 "advice": {
  "repeat": "The key heads come in the order 0, 1, 0, 1, …: groups are contiguous, 0, 0, …, 1, 1, …, as repeat_interleave gives.",
  "repeat for the keys alone": "The keys come in the order 0, 1, 0, 1, …, though the values don't: repeat each key head next to itself, with repeat_interleave.",
  "repeat for the values alone": "The values come in the order 0, 1, 0, 1, …, though the keys don't: repeat each head next to itself, with repeat_interleave.",
  "key head 0 for all": "All query heads use key head 0: each group has its own.",
  "the last key head for all": "All query heads use the last key head: each group has its own.",
  "keys of head 0 for all": "All query heads use the keys of head 0: each group has its own.",
  "values of head 0 for all": "All query heads use the values of head 0: each group has its own.",
  "key heads averaged": "The key heads are averaged: each group of query heads has a key head of its own.",
  "key heads added up": "The key heads are added up: each group of query heads has a key head of its own.",
  "groups in reverse": "The groups are in reverse order: query head 0 uses key head 0.",
  "groups of the keys in reverse": "The keys' groups are in reverse order: query head 0 uses key head 0.",
  "index cut off": "Query head h uses key head h // kv_heads here: divide h by the size of a group, num_heads / kv_heads.",
  "query heads of a group averaged": "The query heads of a group are averaged: each has an output of its own, only keys and values are shared.",
  "first query head of each group for all": "All query heads of a group use the queries of its first: each has queries of its own.",
  "no scale": "The scores are not divided: divide them by √d_k.",
  "divided by d_k": "The scores are divided by d_k: divide by its root.",
  "root of d_v": "The scores are divided by √2 here, as by √d_v or the root of the batch, of seq_q or of kv_heads: divide by √d_k, the last axis of Q.",
  "root of the number of keys": "The scores are divided by √seq_k, which is 2 here: divide by √d_k, the last axis of Q.",
  "root of num_heads": "The scores are divided by √num_heads: divide by √d_k.",
  "root of the group": "The scores are divided by √(num_heads·d_k): a dot product in one head sums d_k products, so divide by √d_k.",
  "multiplied": "The scores are multiplied by √d_k: divide them.",
  "causal": "Later keys are blocked: there is no mask here.",
  "keys reshaped": "A reshape doesn't turn the keys: swap their last two axes, with transpose(-2, -1).",
  "softmax over the queries": "The softmax runs over the queries: it runs over the keys, dim=-1.",
  "softmax over the heads": "The softmax runs over the heads: it runs over the keys, dim=-1.",
  "no softmax": "The softmax is missing: weights are scores.softmax(dim=-1).",
  "softmax twice": "The softmax runs twice: once is enough.",
  "log_softmax": "The values are mixed by logarithms: take softmax, not log_softmax.",
  "own softmax, no maximum": "With large scores the exponentials overflow: take softmax(dim=-1), or subtract each row's maximum.",
  "one maximum for all": "With large scores a whole row of exponentials is 0: take softmax(dim=-1), or subtract each row's own maximum.",
  "scores cut off": "Large scores are cut off: leave them as they are, softmax is stable by itself.",
  "not divided by the sum": "The weights don't sum to 1: divide each row by its sum, or take softmax(dim=-1).",
  "keys mixed": "The weights mix keys: they mix the values.",
  "weights returned": "The weights came back: multiply them by the values.",
  "scores returned": "The scores came back: softmax over the keys, then multiply by the values.",
  "heads after the tokens": "The tokens come before the heads: give back (batch, num_heads, seq_q, d_v).",
  "heads side by side": "The heads are put side by side: give back (batch, num_heads, seq_q, d_v).",
  "output turned": "The last two axes are exchanged: give back (batch, num_heads, seq_q, d_v).",
  "heads averaged": "The heads are averaged: each query head has an output of its own.",
  "heads of a group averaged": "The outputs of a group are averaged, or only kv_heads heads came back: each query head has an output of its own.",
  "heads of a group added up": "The outputs of a group are added up: each query head has an output of its own.",
  "with an axis for the group": "Groups and their heads still have an axis each: put them together, with flatten(1, 2).",
  "the first sequence alone": "Only sequence 0 came back: keep the axis of the batch.",
  "rounded": "The numbers are rounded: keep all of their digits.",
  "16 bits": "The numbers have few digits, as of 16 bits: compute in the type of Q, K and V.",
  "groups put together in the wrong order": "The right heads came back in another order: head h of the output is query head h, group after group.",
  "query head 0 of each group first": "The query heads are in another order: they stay as they are, and each key head stands next to its copies."},
 "calls": {
  "6 heads, 2 key heads": [["Q", "K", "V"], [[[[[0.335889, -0.601738], [-0.572955, -0.224155]], [[0.729865, -1.47199], [-0.572955, -0.224155]], [[1.26951, -0.946599], [1.98185, -0.994593]], [[0.0183961, -0.0783602], [0.747077, 0.132823]], [[1.01095, -1.94498], [0.00406799, -0.00618634]], [[0.505251, -0.0306698], [0.804207, -1.03018]]], [[[0.0344719, 0.965528], [0.151358, 0.668727]], [[0.866043, 0.133957], [0.691101, 0.4099]], [[-0.564152, 1.15199], [0.502161, 0.552107]], [[0.179273, -0.179273], [0.752648, -0.752648]], [[1.78743, -1.78743], [1.63146, -1.63146]], [[0.0753485, -0.0753485], [1.73909, -1.73909]]]]], [
   ["repeat", [3.8077, -1.3266]],
   ["repeat for the keys alone", [-4.7798, 2.4718]],
   ["repeat for the values alone", [1.0746, 2.5557]],
   ["key head 0 for all", [6.4788, -0.30066]],
   ["the last key head for all", [-0.81028, -6.0533]],
   ["keys of head 0 for all", [3.1228, 7.8317]],
   ["values of head 0 for all", [3.8006, 9.9051]],
   ["key heads averaged", [0.89748, 3.3172]],
   ["key heads added up", [3.8513, 10.684]],
   ["groups in reverse", [3.2864, -4.1396]],
   ["groups of the keys in reverse", [-2.9492, 4.8813]],
   ["index cut off", [1.4464, -4.6405]],
   ["query heads of a group averaged", [-0.25859, 0.68042]],
   ["first query head of each group for all", [3.8223, 1.9212]],
   ["no scale", [3.5455, -1.3781]],
   ["divided by d_k", [1.125, -1.5185]],
   ["root of d_v", [2.8653, -2.0708]],
   ["root of the number of keys", [2.0311, -2.1752]],
   ["root of num_heads", [1.5553, -1.9327]],
   ["root of the group", [0.5206, -0.62249]],
   ["multiplied", [4.1005, 0.11493]],
   ["causal", [-7.2779, -2.3992]],
   ["causal", [2.7948, -0.83637]],
   ["keys reshaped", [-1.2192, -3.0079]],
   ["softmax over the queries", [2.1251, 4.3944]],
   ["softmax over the heads", [0.46521, -0.31546]],
   ["no softmax", [9.0718, 9.1806]],
   ["softmax twice", [-0.27073, 0.8176]],
   ["log_softmax", [49.72, -15.754]],
   ["not divided by the sum", [5.4775, 1.9314]],
   ["keys mixed", [1.4616, 17.02, [2, 6, 2, 3]]],
   ["weights returned", [1.2038, 2.885, [2, 6, 2, 4]]],
   ["scores returned", [18.652, 33.654, [2, 6, 2, 4]]],
   ["heads after the tokens", [3.5792, -5.2733, [2, 2, 6, 2]]],
   ["heads side by side", [3.5792, -5.2733, [2, 2, 12]]],
   ["output turned", [2.5528, -1.349]],
   ["heads averaged", [-0.19626, 0.88127, [2, 2, 2]]],
   ["heads of a group averaged", [0.88739, 3.4912, [2, 2, 2, 2]]],
   ["heads of a group added up", [2.6622, 10.474, [2, 2, 2, 2]]],
   ["with an axis for the group", [2.3821, -2.2144, [2, 2, 3, 2, 2]]],
   ["the first sequence alone", [4.425, -1.6524, [6, 2, 2]]],
   ["rounded", [2.377, -2.1871]],
   ["16 bits", [2.3739, -2.1981]],
   ["groups put together in the wrong order", [2.6484, 4.1023]],
   ["query head 0 of each group first", [0.0028609, 3.0708]]]],
  "8 heads, 4 key heads": [["Q", "K", "V"], [[[[[1.85463, -0.769277, -0.407045], [0.889712, 1.08893, -0.782119]], [[-0.455797, 0.962453, 0.0575489], [1.63125, 1.73342, -1.13954]], [[1.0056, -0.49139, 1.56801], [1.09747, -0.854109, 1.67461]], [[-1.65275, -1.20492, 1.40496], [1.00011, -0.800337, 1.47836]], [[0.95214, -1.1712, 1.71459], [0.321827, -0.865562, 0.548452]], [[1.46835, -1.22604, 1.8338], [1.6961, -1.2118, 1.88522]], [[1.45257, 0.904034, 0.55202], [0.564124, 0.12447, 1.16613]], [[0.426813, 0.237092, 1.04657], [0.0931066, 0.0814821, 1.24968]]], [[[0.173144, 0.760784, -0.491786], [-0.551967, 1.17966, -0.359402]], [[0.879608, -0.16043, 0.722541], [0.13224, 1.20215, -1.44924]], [[1.69213, -1.05122, -0.95872], [1.2027, 0.858948, 0.687382]], [[-0.142808, 0.719586, -0.590527], [-0.0609397, 1.04934, 0.0250975]], [[1.32466, 1.80531, -1.20977], [0.382318, 1.24615, -0.671008]], [[1.18126, 1.64288, -1.2196], [-0.128357, -1.29733, 0.105415]], [[1.04645, 0.524394, 0.259407], [1.33144, 0.818012, 0.681436]], [[-0.773662, -0.821385, 1.53325], [-0.849078, -0.76106, 1.56701]]], [[[1.75104, 1.54203, -1.00236], [0.844077, -0.0557403, -0.181726]], [[0.334807, 0.188072, -0.812506], [-0.147252, -0.472035, -0.622162]], [[-0.316292, -1.08371, 1.22877], [-0.391003, -0.323559, 1.32971]], [[-0.00392381, 1.08086, 1.97295], [-0.165304, -1.67324, 0.961256]], [[0.927645, -0.337956, 0.578703], [1.55798, 0.421253, -0.246061]], [[-1.0094, -0.480167, 0.668132], [-0.444913, 0.531397, 0.572512]], [[-1.65493, 0.478611, -0.895043], [-1.43673, 0.666363, 0.287839]], [[-1.51237, 0.554246, -0.211427], [-1.19689, 0.349502, -0.667385]]]]], []],
  "MHA: 3 heads, 3 key heads": [["Q", "K", "V"], [[[[[-0.722759, 0.729486, -1.74179, -1.47722, 1.18467, -0.982344], [-0.549044, 0.54561, -1.71379, -1.27053, 1.24664, -0.987389], [-0.662066, 1.997, 1.55202, -1.37963, -1.84194, 1.6071], [-0.631216, 1.93389, 1.42716, -1.35307, -1.71257, 1.52287], [-0.153873, 1.65697, 0.740573, -1.0127, -0.885382, 1.36977]], [[1.60378, -1.04143, -1.15561, 0.817755, 0.535214, 0.947572], [1.58757, -0.697403, -0.45311, 0.633303, 1.20179, -0.308981], [1.50664, -1.94537, -1.94815, 1.55853, -0.348613, 1.86155], [1.88511, 0.954932, -0.702256, -1.3232, 1.84741, -0.220203], [1.81027, 0.665459, -0.56443, -0.975944, 1.8535, -0.652115]], [[0.380355, 0.783703, -0.187786, 1.30512, -1.6911, 1.59816], [0.342549, -0.130219, -0.773864, 1.82787, 0.452867, 1.73935], [-0.633335, -0.105741, 0.434865, 1.54937, 0.0146452, 1.39063], [0.463423, -0.113522, -0.921299, 1.872, -0.0354613, 1.83215], [-1.21461, -0.522322, 0.813401, 1.71517, -1.11066, 1.45678]]], [[[-0.666529, -1.06119, 1.39553, -0.0231271, 1.43965, -0.474782], [1.45437, -0.716612, 0.666552, -1.45451, 0.918257, -0.115814], [-1.41601, -1.39898, 1.70821, -0.0957723, 1.69255, -0.812001], [-0.976883, -0.971115, 1.5584, -0.409069, 1.46927, -0.726416], [0.0826605, -0.347533, 1.13497, -0.504944, 1.06411, -0.311332]], [[1.33397, -0.241967, 1.59693, -0.258493, 1.49994, 1.74215], [0.33864, 0.490345, 1.28492, 0.359415, 0.901717, 1.46614], [0.500233, -0.297836, 1.79084, 0.99365, 1.99051, -1.58096], [-0.96909, 1.05314, -0.879234, 0.644069, -0.927285, 1.42785], [-0.785077, 0.74683, -1.59482, 0.293489, -1.28123, 1.64176]], [[0.710109, 0.877151, 0.91925, 0.800386, 0.329369, -0.510301], [-0.553127, -0.271206, -0.487698, -0.0480576, -0.041274, 0.87614], [0.224659, 0.424579, 0.87965, 0.751534, -0.293759, -0.0739852], [1.59045, 1.71834, 0.907713, 0.862746, 1.52128, -1.29961], [-0.646633, -0.30682, -0.641289, -0.0866115, -0.068151, 0.951626]]]]], []],
  "MQA: 4 heads, 1 key head": [["Q", "K", "V"], [[[[[0.143862, 0.130106], [-0.281269, 0.791436], [1.5213, -1.3141]], [[-0.197578, 1.81556], [-0.851599, 1.44014], [1.47415, -1.23363]], [[-0.23723, 1.79731], [-0.924304, 1.22701], [0.757467, -0.404363]], [[-0.459307, 0.740559], [-0.292927, 1.08494], [1.30036, -0.966657]]], [[[1.73671, -0.877052], [1.66882, -1.77213], [-1.21096, 1.27806]], [[0.84518, -0.869938], [-1.36961, -1.43887], [1.36962, -1.59684]], [[1.55849, -1.17306], [1.59868, -1.77814], [1.4223, -1.66785]], [[1.62952, -1.17322], [-1.18228, -1.70516], [0.323279, -1.22923]]]]], []],
  "with scores near ±1000": [["Q", "K", "V"], [[[[[1, 2, -0.7, 2], [-1, 1, -1.8, -1.8], [1.1, -0.5, -0.9, 1.9]], [[1.2, 1.9, -0.8, -0.4], [1, 2, -0.7, 2], [1.2, 1.9, -0.8, -0.4]], [[1.1, -1, 1.7, -1.8], [1.1, -1, 1.7, -1.8], [-1.3, 1.4, 2, -1]], [[1.9, 0.6, 0.1, -0.4], [-1.3, 1.4, 2, -1], [0.2, 0.4, 1.8, -1.2]]], [[[1.9, 1.1, -0.9, -1.6], [-1.4, -0.7, 0.9, 1.8], [-1.5, 1.5, -2.53655e-28, 0.7]], [[-1.4, -0.7, 0.9, 1.8], [-1.5, 1.5, -9.62244e-25, 0.7], [-0.99757, 1.47148, -0.528517, 1.00038]], [[-1.1, 2, 0.2, 1.9], [-2, -2, 1.9, 0.4], [-1.1, 2, 0.2, 1.9]], [[-2, -2, 1.9, 0.4], [-1.7, 1.6, 0.5, -0.3], [-2, -2, 1.9, 0.4]]]]], [
   ["own softmax, no maximum", [-1.2919, 1593.2]],
   ["one maximum for all", [-129.88, 119.67]],
   ["scores cut off", [-4.711, -0.90494]]]],
  "6 heads and 4 key heads": [["Q", "K", "V"], "ValueError", []]}},
 "decode-cost": {
 "made of": "23b7a779e863", "defines": ["decode_cost"],
 "advice": {
  "bytes: keys alone": "The bytes are half of what they should be: the cache holds keys and values, so there is a factor 2.",
  "bytes: query heads in the cache": "The cache is counted with num_heads: it holds num_kv_heads heads of keys and values.",
  "bytes: all heads in the cache": "The cache is counted with query heads, too: it holds num_kv_heads heads of keys and as many of values, no queries.",
  "bytes: queries, keys and values": "The bytes have a factor 3: queries aren't kept, only keys and values.",
  "bytes: no layers": "The bytes are those of one layer: multiply them by layers.",
  "bytes: no batch": "The bytes are those of one sequence: multiply them by batch.",
  "bytes: no bytes": "The numbers in the cache are counted, not their bytes: multiply by bytes_per_number.",
  "bytes: bits": "The bytes are multiplied by 8, as if bits were counted: leave this out.",
  "bytes: bytes divided": "The bytes are divided by bytes_per_number: multiply by it.",
  "bytes: no seq_len": "The bytes are those of one token: multiply them by seq_len.",
  "bytes: seq_len squared": "The bytes have seq_len squared: the cache holds each token once.",
  "bytes: no head_size": "head_size is missing in the bytes: each head keeps that many numbers for a token.",
  "bytes: head_size squared": "The bytes have head_size squared: a key is head_size numbers, so it counts once.",
  "bytes: one key head": "num_kv_heads is missing in the bytes: each of these heads has keys and values of its own.",
  "bytes: the new token, too": "The bytes count one token more: seq_len tokens are in the cache, and the new one doesn't count.",
  "bytes: one token fewer": "The bytes count one token fewer: all seq_len tokens are in the cache.",
  "bytes: the group's size for the key heads": "The cache is counted with num_heads / num_kv_heads, the size of a group: count it with num_kv_heads.",
  "bytes: four numbers always": "Each number is counted with 4 bytes: take bytes_per_number.",
  "bytes: four times": "The bytes are twice what they should be: the factor is 2, for keys and values.",
  "bytes: a sum of heads for a product": "layers and num_kv_heads are added: each layer has num_kv_heads heads, so multiply.",
  "bytes: in KiB": "The bytes are divided by 1024: give back plain bytes.",
  "work: scores alone": "The multiply-adds are half of what they should be: scores and mixing take as many each, so there is a factor 2.",
  "work: two operations each": "The multiply-adds are twice what they should be: the factor 2 stands for scores and mixing, and a multiply and its add count as one.",
  "work: key heads": "The multiply-adds are counted with num_kv_heads: each of the num_heads query heads makes scores and mixes, also where keys are shared.",
  "work: both kinds of heads": "The multiply-adds have num_heads and num_kv_heads: each query head meets one key head, so count num_heads alone.",
  "work: scores of query heads, mixing of key heads": "One of scores and mixing is counted with num_kv_heads: both run for each of the num_heads query heads.",
  "work: no layers": "The multiply-adds are those of one layer: multiply them by layers.",
  "work: no batch": "The multiply-adds are those of one sequence: multiply them by batch.",
  "work: all queries": "The multiply-adds have seq_len squared: only one new token asks, so seq_len counts once.",
  "work: half of all queries": "The multiply-adds are those of a whole causal table, or have seq_len squared in one of scores and mixing: only one new token asks, so each takes seq_len · head_size.",
  "work: no seq_len": "The multiply-adds are those of one key: multiply them by seq_len.",
  "work: no head_size": "head_size is missing in the multiply-adds: one score takes head_size of them.",
  "work: head_size squared": "The multiply-adds have head_size squared: one score takes head_size of them, and projections don't count.",
  "work: projections, too": "The multiply-adds count projections, too: only scores and mixing count here.",
  "work: its own key, too": "The multiply-adds count one key more: the new token's own key doesn't count here.",
  "work: one head": "num_heads is missing in the multiply-adds: each query head makes scores and mixes.",
  "work: with bytes": "The multiply-adds are multiplied by bytes_per_number: how many bytes a number has doesn't change the work.",
  "work: softmax, too": "The multiply-adds count one more for each score, as for the softmax: count head_size for a score and head_size for its value.",
  "work: additions one fewer": "The multiply-adds count one fewer for each score: a multiply and its add count as one, so a score takes head_size.",
  "result: not divided": "The intensity is the multiply-adds themselves: divide them by the bytes.",
  "result: upside down": "The intensity is upside down: divide the multiply-adds by the bytes.",
  "result: whole numbers": "The intensity lost its fraction: divide with /, not with //.",
  "result: rounded": "The intensity is rounded to a whole number: give back the quotient as it is.",
  "result: rounded to one place": "The intensity is rounded: give back the quotient as it is.",
  "result: two operations in the intensity": "The intensity is twice what it should be: it is the multiply-adds divided by the bytes, both as you give them back.",
  "result: for each number": "The intensity is for each number of the cache: divide by the bytes.",
  "result: for one sequence": "The intensity is divided by batch: the bytes are those of all sequences already.",
  "result: for each layer": "The intensity is divided by layers: the bytes are those of all layers already.",
  "result: a difference": "The intensity is a difference: divide the multiply-adds by the bytes.",
  "result: a product": "The intensity is a product: divide the multiply-adds by the bytes.",
  "result: in another order": "The first two results have changed places: give back cache_bytes, multiply_adds, intensity.",
  "result: intensity first": "The results are in another order: give back cache_bytes, multiply_adds, intensity.",
  "result: in reverse": "The results are in reverse order: give back cache_bytes, multiply_adds, intensity.",
  "result: intensity alone": "Only the intensity came back: give back cache_bytes, multiply_adds, intensity.",
  "both of one layer": "Both counts are those of one layer: multiply them by layers.",
  "both of one sequence": "Both counts are those of one sequence: multiply them by batch.",
  "both without their factor 2": "Both counts are half of what they should be: keys and values make the one 2, scores and mixing the other.",
  "kinds of heads exchanged": "num_heads and num_kv_heads have changed places: the cache has num_kv_heads, the work num_heads.",
  "with the new token": "Both counts have one token more: seq_len tokens are in the cache, and the new one's own key doesn't count.",
  "head_size is that of the model": "Both counts lack head_size, or have it divided by num_heads: multiply by head_size, which is that of one head already."},
 "calls": {
  "7 sequences, 15 heads, 5 key heads": [["batch", "seq_len", "layers", "num_heads", "num_kv_heads", "head_size", "bytes_per_number"], [680680, 510510, 0.75], [
   ["bytes: keys alone", [325140, 286390], 0, [1.433, 1.2622]],
   ["bytes: query heads in the cache", [1950800, 1718300], 0, [0.23883, 0.21037]],
   ["bytes: all heads in the cache", [2601100, 2291100], 0, [0.17913, 0.15778]],
   ["bytes: queries, keys and values", [975420, 859160], 0, [0.47767, 0.42074]],
   ["bytes: no layers", [50021, 44059], 0, [9.3145, 8.2043]],
   ["bytes: no batch", [92897, 81825], 0, [5.0155, 4.4177]],
   ["bytes: no bytes", [162570, 143190], 0, [2.866, 2.5244]],
   ["bytes: bits", [5202200, 4582200], 0, [0.089563, 0.078888]],
   ["bytes: bytes divided", [40642, 35798], 0, [11.464, 10.098]],
   ["bytes: no seq_len", [59116, 52070], 0, [7.8815, 6.9421]],
   ["bytes: seq_len squared", [7153100, 6300500], 0, [0.065137, 0.057373]],
   ["bytes: no head_size", [38252, 33692], 0, [12.181, 10.729]],
   ["bytes: head_size squared", [11055000, 9737100], 0, [0.042147, 0.037124]],
   ["bytes: one key head", [130060, 114550], 0, [3.5825, 3.1555]],
   ["bytes: the new token, too", [709390, 624840], 0, [0.65679, 0.57851]],
   ["bytes: one token fewer", [591160, 520700], 0, [0.78815, 0.69421]],
   ["bytes: the group's size for the key heads", [390170, 343660], 0, [1.1942, 1.0518]],
   ["bytes: four times", [1300600, 1145500], 0, [0.35825, 0.31555]],
   ["bytes: a sum of heads for a product", [180080, 158610], 0, [2.5874, 2.279]],
   ["bytes: in KiB", [635.04, 559.35], 0, [733.7, 646.25]],
   ["work: scores alone", 0, [243850, 214790], [0.35825, 0.31555]],
   ["work: two operations each", 0, [975420, 859160], [1.433, 1.2622]],
   ["work: key heads", 0, [162570, 143190], [0.23883, 0.21037]],
   ["work: both kinds of heads", 0, [2438500, 2147900], [3.5825, 3.1555]],
   ["work: scores of query heads, mixing of key heads", 0, [325140, 286390], [0.47767, 0.42074]],
   ["work: no layers", 0, [37516, 33045], [0.055116, 0.048546]],
   ["work: no batch", 0, [69673, 61368], [0.10236, 0.090158]],
   ["work: all queries", 0, [5364800, 4725400], [7.8815, 6.9421]],
   ["work: half of all queries", 0, [2926300, 2577500], [4.299, 3.7866]],
   ["work: no seq_len", 0, [44337, 39053], [0.065137, 0.057373]],
   ["work: no head_size", 0, [28689, 25269], [0.042147, 0.037124]],
   ["work: head_size squared", 0, [8291100, 7302800], [12.181, 10.729]],
   ["work: projections, too", 0, [23100000, 20346000], [33.936, 29.891]],
   ["work: its own key, too", 0, [532050, 468630], [0.78164, 0.68848]],
   ["work: one head", 0, [32514, 28639], [0.047767, 0.042074]],
   ["work: with bytes", 0, [1950800, 1718300], [2.866, 2.5244]],
   ["work: softmax, too", 0, [502050, 442210], [0.73758, 0.64967]],
   ["work: additions one fewer", 0, [473360, 416940], [0.69543, 0.61254]],
   ["result: not divided", 0, 0, [487710, 429580]],
   ["result: upside down", 0, 0, [1.2738, 1.122]],
   ["result: whole numbers", 0, 0, [0, 0]],
   ["result: rounded", 0, 0, [0.95534, 0.84147]],
   ["result: rounded to one place", 0, 0, [0.76427, 0.67318]],
   ["result: two operations in the intensity", 0, 0, [1.433, 1.2622]],
   ["result: for each number", 0, 0, [2.866, 2.5244]],
   ["result: for one sequence", 0, 0, [0.10236, 0.090158]],
   ["result: for each layer", 0, 0, [0.055116, 0.048546]],
   ["result: a difference", 0, 0, [-162570, -143190]],
   ["result: a product", 0, 0, [331970000000, 292410000000]],
   ["result: in another order", [487710, 429580], [650280, 572770], 0],
   ["result: intensity first", [0.7165, 0.6311], [650280, 572770], [487710, 429580]],
   ["result: in reverse", [0.7165, 0.6311], 0, [650280, 572770]],
   ["result: intensity alone", [0.7165, 0.6311, []]],
   ["both of one layer", [50021, 44059], [37516, 33045], 0],
   ["both of one sequence", [92897, 81825], [69673, 61368], 0],
   ["both without their factor 2", [325140, 286390], [243850, 214790], 0],
   ["kinds of heads exchanged", [1950800, 1718300], [162570, 143190], [0.079611, 0.070123]],
   ["with the new token", [709390, 624840], [532050, 468630], 0],
   ["head_size is that of the model", [38252, 33692], [28689, 25269], 0]]],
  "2 sequences, 6 heads, 2 key heads": [["batch", "seq_len", "layers", "num_heads", "num_kv_heads", "head_size", "bytes_per_number"], [3840, 2880, 0.75], []],
  "3 sequences, 4 heads, 1 key head": [["batch", "seq_len", "layers", "num_heads", "num_kv_heads", "head_size", "bytes_per_number"], [840, 1680, 2], [
   ["bytes: four numbers always", [1605, 1413.7], 0, [0.95534, 0.84147]]]],
  "1 sequence, 10 heads, 10 key heads": [["batch", "seq_len", "layers", "num_heads", "num_kv_heads", "head_size", "bytes_per_number"], [2640, 2640, 1], []]}},
 "rotate": {
 "made of": "53cccd796599", "defines": ["rotate"],
 "advice": {
  "i/d for 2i/d": "The later pairs turn too quickly: pair i has the speed base^(−2i/d), with 2i in the exponent, not i.",
  "2i over half of d": "The later pairs turn too slowly: pair i has the speed base^(−2i/d), so with 4 features and base 10000 the speeds are 1 and 0.01.",
  "not divided by d": "Pair 1 hardly turns at all: its speed is base^(−2/d), since the exponent of pair i is −2i/d.",
  "divided by d after the power": "The power is divided by d, not its exponent: put −2i/d into brackets, since ** comes before /.",
  "speeds grow": "The speeds grow from pair to pair: multiply the positions by base^(−2i/d), with a minus in the exponent.",
  "pairs counted from 1": "Pair 0 doesn't turn by 1 for each position: count the pairs from 0, so that its exponent is 0.",
  "odd places in the exponent": "Pair 0 doesn't turn by 1 for each position: the exponents are made of the even numbers 2i, from 0.",
  "speeds in reverse order": "The speeds run the other way round: pair 0 is the fastest, with speed 1.",
  "one speed for all pairs": "Every pair turns at the same speed: pair i has the speed base^(−2i/d), with d the last size of x.",
  "base to the power of e": "The speeds are e^(−2i/d): the power is one of base.",
  "the base is ignored": "The argument base is ignored: write base where 10000 stands.",
  "base 1000": "The speed of pair 1 is 0.0316 here, as with base 1000: take the argument base, which is 10000 if none is given.",
  "positions counted from 1": "The positions are larger by 1: take them as they are given.",
  "positions ignored": "The angles are those of the positions 0, 1, 2, …: take the argument positions.",
  "positions from 1 to n": "The angles are those of the positions 1, 2, …: take the argument positions.",
  "distances from the first token": "The first token is not turned: take the positions as they are, without subtracting the first one.",
  "positions in reverse order": "The positions run the other way round: token 0 has the first of them.",
  "positions sorted": "The positions were sorted: each token keeps its own.",
  "one position for all tokens": "Every token turns by the angles of the first position: each has its own.",
  "whole positions only": "A position of 0.5 became a whole number: take positions as they are.",
  "positions without their sign": "Position −3 turned like 3: keep the sign.",
  "negative positions become 0": "Position −3 turned like 0: keep negative positions as they are.",
  "in degrees": "The angles were turned into degrees: they are radians, as np.cos takes them.",
  "from degrees to radians": "The angles were taken for degrees: they are radians already, as np.cos takes them.",
  "whole turns": "The angles are 2π times as large: they are positions times speeds, in radians.",
  "position plus speed": "Positions and speeds are added: multiply them.",
  "no column made of the positions": "All tokens turn by the same angles, pair 0 by the first position and pair 1 by the second: make a column of the positions with [:, None].",
  "speeds as the column": "The table of angles is turned: its rows are tokens and its columns pairs, so the positions are the column.",
  "positions along the first axis": "The positions run along the first axis, the sequences: they belong to the tokens, the last axis but one.",
  "turned backwards": "Each point is turned backwards: it is (a cos − b sin, a sin + b cos), with a the feature 2i and b the feature 2i + 1.",
  "plus twice": "The first of each pair has the wrong sign: it is a cos − b sin.",
  "minus twice": "The second of each pair has the wrong sign: it is a sin + b cos.",
  "the second one's sign exchanged": "The second of each pair has the wrong sign: it is a sin + b cos, and here it is b cos − a sin.",
  "cosine and sine exchanged": "Cosine and sine have changed places: the first is a cos − b sin.",
  "no partner in the second": "The second of each pair was made of b alone: it is a sin + b cos, with a the feature before it.",
  "no partner in the first": "The first of each pair was made of a alone: it is a cos − b sin, with b the feature after it.",
  "cosine times the first, sine times the second": "Each feature was multiplied by one number only: the first is a cos − b sin, the second a sin + b cos.",
  "first overwritten": "The first of each pair was overwritten before the second was made: use the old one in both formulas.",
  "second overwritten": "The second of each pair was overwritten before the first was made: use the old one in both formulas.",
  "half-split": "Feature i was paired with i + d/2: here pairs are neighbours, 2i and 2i + 1.",
  "half-split, backwards": "Feature i was paired with i + d/2, and the points turn backwards: pairs are neighbours, 2i and 2i + 1, and become (a cos − b sin, a sin + b cos).",
  "given back in halves": "The turned features are not back in their places: first and second ones have to alternate, 0::2 and 1::2.",
  "halves read, neighbours written": "Feature i was paired with i + d/2 and written among neighbours: read the features 0::2 and 1::2, too.",
  "first and last make a pair": "Feature i was paired with d − 1 − i: pairs are neighbours, 2i and 2i + 1.",
  "the two of a pair exchanged": "The two features of each pair have changed places: a cos − b sin comes first.",
  "each feature has its own angle": "The two features of a pair turn by different angles: both take that of pair i, position · base^(−2i/d).",
  "angles tiled, not repeated": "The angles run 0, 1, 0, 1, … over the features: neighbours make a pair, so each angle stands twice in a row (np.repeat).",
  "the last pair left out": "The last pair is missing: there are d/2 pairs.",
  "waves added": "The waves are added to the features: turn each pair instead, (a cos − b sin, a sin + b cos).",
  "the partner added without a factor": "b is subtracted as it is: multiply it by the sine, a cos − b sin.",
  "whole numbers come back": "The results were cut to whole numbers: make an array of floats for them.",
  "an axis too many": "Each pair has an axis of its own: reshape what you stacked to the shape of x.",
  "a tuple of both halves": "Two halves came back: write both into one array like x, in the places 0::2 and 1::2.",
  "complex numbers come back": "Only the first feature of each pair came back: write both of them, in the places 0::2 and 1::2.",
  "odd sizes: the last feature dropped": "An odd number of features makes no pairs: raise a ValueError with a sentence that names it."},
 "calls": {
  "2 sequences, positions 2 and 5": [["x", "positions"], [[[[-2.23474, 0.0770038, 2.91941, 4.0592], [2.20151, -0.3916, 2.79633, 4.14494]], [[-0.909297, -0.416147, 0.9998, 0.0199987], [0.567324, -1.91785, -0.0499792, 0.99875]]]], [
   ["i/d for 2i/d", [7.4489, -6.2702]],
   ["2i over half of d", [4.5735, -4.4243]],
   ["not divided by d", [4.5701, -4.422]],
   ["divided by d after the power", [-3.1637, -1.7391]],
   ["speeds grow", [-8.7146, -2.8634]],
   ["pairs counted from 1", [0.50182, -1.874]],
   ["odd places in the exponent", [-1.4524, -2.0053]],
   ["speeds in reverse order", [-0.043082, 10.788]],
   ["one speed for all pairs", [4.0286, 8.2379]],
   ["base to the power of e", [4.7342, 4.8112]],
   ["base 1000", [5.5886, -5.1028]],
   ["positions counted from 1", [3.7359, -4.061]],
   ["positions ignored", [-1.9039, -0.94557]],
   ["positions from 1 to n", [-2.4024, -1.8827]],
   ["distances from the first token", [3.2704, 0.92412]],
   ["positions in reverse order", [2.6847, 2.4205]],
   ["one position for all tokens", [-1.6801, -2.7564]],
   ["in degrees", [4.7632, 5.4479]],
   ["from degrees to radians", [0.32103, -1.8946]],
   ["whole turns", [2.6795, -3.1177]],
   ["position plus speed", [2.7752, 8.7455]],
   ["no column made of the positions", [-1.3693, -2.7744]],
   ["speeds as the column", [-6.2601, -12.522]],
   ["positions along the first axis", [1.1187, -0.18268]],
   ["turned backwards", [1.1891, 0.76961]],
   ["plus twice", [5.9031, 2.3638]],
   ["minus twice", [-9.8038, -3.1041]],
   ["the second one's sign exchanged", [0.1874, -6.2386]],
   ["cosine and sine exchanged", [11.188, 2.5048]],
   ["no partner in the second", [2.7158, -5.4974]],
   ["no partner in the first", [4.7824, -3.2524]],
   ["cosine times the first, sine times the second", [-4.1359, -1.2231]],
   ["first overwritten", [6.6088, -5.0087]],
   ["second overwritten", [5.8166, -0.31057]],
   ["half-split", [2.1231, -7.778]],
   ["half-split, backwards", [5.6604, 8.1784]],
   ["given back in halves", [0.95052, -7.0812]],
   ["halves read, neighbours written", [5.8957, -6.1608]],
   ["first and last make a pair", [-10.381, -6.9363]],
   ["the two of a pair exchanged", [0.27637, 3.1877]],
   ["each feature has its own angle", [-2.2947, -6.1082]],
   ["angles tiled, not repeated", [5.0629, 2.9838]],
   ["the last pair left out", [1.461, -3.2379]],
   ["waves added", [4.8609, 0.34753]],
   ["the partner added without a factor", [6.6696, -3.5519]],
   ["whole numbers come back", [4.002, -2.2159]],
   ["an axis too many", [4.9014, -4.6444, [2, 2, 2, 2]]],
   ["a tuple of both halves", [-5.2214, 2.9421, [2, 2, 2, 2]]],
   ["complex numbers come back", [-5.192, 0.1291, [2, 2, 2]]]]],
  "the same with base 100": [["x", "positions", "base"], [[[[-2.23474, 0.0770038, 2.14552, 4.51627], [2.20151, -0.3916, 0.715046, 4.94861]], [[-0.909297, -0.416147, 0.980067, 0.198669], [0.567324, -1.91785, -0.479426, 0.877583]]]], [
   ["the base is ignored", [4.9014, -4.6444]]]],
  "whole numbers as features": [["x", "positions"], [[[[-1.14264, 1.92208, 2.95985, 4.0298], [-4.39248, 2.38875, 1.9796, 1.0398]]]], []],
  "3 sequences, 4 tokens of 6 features, positions 1, −3, 0.5, 40": [["x", "positions"], [[[[0.289662, -2.3251, 1.81444, 1.88622, 0.596767, 1.50129], [-2.26223, 1.69774, -1.82609, 0.659845, -1.90255, -0.387711], [-0.190952, -0.901963, -0.355801, -1.90877, 0.402046, -1.89957], [-0.15635, -2.8241, -0.998599, 1.26996, 1.63839, 1.94825]], [[0.620047, -2.18072, 1.89331, 0.188051, 1.90366, -1.6959], [1.739, -1.57031, 1.86586, 0.344356, 1.61289, 1.98962], [-0.844257, -2.62626, 0.543956, -1.88789, -0.299246, -0.700323], [0.690391, -0.321498, -0.0399261, -1.99209, -1.72081, -2.15611]], [[-0.265749, 2.54743, 0.415943, 1.82126, 1.80301, -1.39612], [1.96523, -1.74008, 0.47566, 1.95288, -1.70901, -1.38898], [0.66874, 2.53037, 0.360442, 1.70882, 2.00215, -1.99784], [0.745603, -1.88257, 0.603475, -1.69877, -0.819196, -0.974124]]]], [
   ["positions sorted", [-10.8, 9.4597]],
   ["whole positions only", [-6.5803, -2.6559]],
   ["positions without their sign", [-6.3108, -1.4315]],
   ["negative positions become 0", [-11.829, 8.3943]]]],
  "no axis in front, 5 tokens of 2 features": [["x", "positions"], [[[0.743018, -1.43455], [-1.69774, 2.26223], [-1.9, 0.4], [1.89599, -0.418573], [0.264848, -0.883094]]], []],
  "2 sequences of 3 heads": [["x", "positions"], [[[[[1.36151, -2.47917, 0.893286, -1.72396, -0.955944, -1.69002, -0.350114, -0.852889], [1.38267, -1.36316, 1.06984, -1.62032, -2.26193, 1.69813, 1.46598, 0.678889]], [[2.23125, 1.22536, 2.26557, -0.0848032, 1.18104, 1.49169, 2.33739, -1.01813], [-2.3251, -0.289662, 1.45386, 1.21914, 1.30213, 2.20555, -1.89617, -2.00363]], [[-0.0508043, -1.96403, 0.731776, 0.210959, -0.237669, -0.723542, -1.99231, -0.0263377], [0.656368, -2.6794, 1.27262, 2.22271, 0.241298, 1.85251, 1.87188, -1.30234]]], [[[-1.07346, 2.39535, -1.67474, -1.11141, -0.0734185, -2.20105, 1.11308, 2.36876], [-1.21438, 1.2551, 2.59476, -1.12572, -1.9797, 0.425206, -1.79214, -0.195543]], [[-1.11563, -0.612679, 1.45662, 1.06219, 2.02949, -0.72193, -2.43151, 1.30299], [0.75022, 1.53856, 1.14289, 2.27899, -0.976594, -1.65417, 1.97059, 0.605609]], [[1.50122, -1.99909, -0.478765, -1.94185, 1.18104, 1.49169, 1.08171, 2.46372], [0.656368, -2.6794, 1.55446, -1.21394, 0.367144, -1.15983, -1.20893, 0.135928]]]]], []],
  "5 features make no pairs": [["x", "positions"], "ValueError", [
   ["odd sizes: the last feature dropped", [2.2066, -8.8264, [2, 3, 4]]],
   ["odd sizes: the last feature dropped", [7.3529, -6.1498, [2, 3, 5]]]]]}},
 "half-split-order": {
 "made of": "611c63a46ebb", "defines": ["half_split_order"],
 "advice": {
  "as they are": "The features stay where they were: all even ones, 0, 2, 4, …, go to the first half, the odd ones to the second.",
  "the way back": "This is the way back, from halves to neighbours: order[0], order[1], … are the old places 0, 2, 4, …, then 1, 3, 5, ….",
  "odd first": "The odd features stand first: the even ones, 0, 2, 4, …, belong to the first half.",
  "halves exchanged": "The two halves have only changed places: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second.",
  "turned round": "The features are in reverse order: all even ones, 0, 2, 4, …, go to the first half, the odd ones to the second, rising.",
  "neighbours exchanged": "Neighbours have only changed places: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second.",
  "odd ones fall": "The odd features fall: they rise, 1, 3, 5, …, so that feature 1 stands d/2 places after feature 0.",
  "even ones fall": "The even features fall: they rise, 0, 2, 4, ….",
  "both fall": "Both halves fall: they rise, 0, 2, 4, … and then 1, 3, 5, ….",
  "even ones alone": "Only the even features came back: the odd ones, 1, 3, 5, …, follow them.",
  "odd ones alone": "Only the odd features came back: the even ones, 0, 2, 4, …, stand before them.",
  "counted from 1": "The features are counted from 1: the first is feature 0.",
  "even and even": "The even features are there twice: the second half holds the odd ones, 1, 3, 5, ….",
  "odd and odd": "The odd features are there twice: the first half holds the even ones, 0, 2, 4, ….",
  "even, then each plus half": "The second half of the order is the old second half: put the odd features there, 1, 3, 5, ….",
  "two halves, one after the other, twice": "The first half of the order is the old first half: put the even features there, 0, 2, 4, ….",
  "as a table of two rows": "The order has two axes: put its two rows one after the other, with reshape(d), so that d numbers come back.",
  "as a table of pairs": "The order has two axes: give back d numbers, all even features and then the odd ones.",
  "pairs of features": "These are the pairs of the other convention: give back d numbers, all even features and then the odd ones.",
  "for 6 features": "This is the order of 6 features: make it for any d, with range(0, d, 2) and range(1, d, 2).",
  "for 8 features": "This is the order of 8 features: make it for any d, with range(0, d, 2) and range(1, d, 2).",
  "thirds": "Each third feature is taken: take each second one, first the even and then the odd.",
  "pairs of pairs": "The pairs are in reverse order, and still neighbours: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second.",
  "last one left out": "The last feature is missing: the odd ones end with d − 1, so range(1, d, 2) ends at d.",
  "first one left out": "Feature 0 is missing: the even ones begin with it.",
  "half as many": "Only d/2 features came back: let both ranges run to d.",
  "twice as many": "There are 2·d numbers: let both ranges end at d.",
  "truth values": "These are truth values, which choose features: give back their numbers, all even ones and then the odd ones.",
  "parities": "These are remainders by 2: give back the features' numbers, all even ones and then the odd ones.",
  "added up": "The two halves are added: put them one after the other, with np.concatenate.",
  "shuffled features themselves": "These are features that were put in order: give back the order itself, d whole numbers."},
 "calls": {
  "8 features": [["d"], [[0, 2, 4, 6, 1, 3, 5, 7]], [
   ["as they are", [2.1567, -3.7135]],
   ["the way back", [2.2721, -2.5889]],
   ["odd first", [1.9867, 1.3205]],
   ["halves exchanged", [2.1336, 4.3401]],
   ["turned round", [2.4447, 4.3392]],
   ["neighbours exchanged", [2.1318, -3.2057]],
   ["odd ones fall", [-0.17315, -0.69695]],
   ["even ones fall", [4.7803, -0.69073]],
   ["both fall", [2.6146, -0.69473]],
   ["even ones alone", [-0.41654, 3.1531, [4]]],
   ["odd ones alone", [-0.090754, 4.2045, [4]]],
   ["counted from 1", [2.6498, -0.60355]],
   ["even and even", [1.6609, 0.26906]],
   ["odd and odd", [2.3183, 0.35846]],
   ["even, then each plus half", [1.9484, -2.137]],
   ["two halves, one after the other, twice", [2.2008, -2.2695]],
   ["as a table of two rows", [1.9925, -0.69294, [2, 4]]],
   ["as a table of pairs", [2.1567, -3.7135, [4, 2]]],
   ["pairs of features", [2.2721, -2.5889, [4, 2]]],
   ["for 6 features", [-5.5918, -4.2729, [6]]],
   ["thirds", [-4.9247, -9.8695]],
   ["pairs of pairs", [2.4695, 3.8315]],
   ["last one left out", [-4.543, 6.1955, [7]]],
   ["first one left out", [-9.5384, 1.3498, [7]]],
   ["half as many", [0.22368, 2.0501, [4]]],
   ["twice as many", [14.46, -11.869, [16]]],
   ["truth values", [0.31625, 0.29858]],
   ["parities", [0.34109, -0.20919]],
   ["added up", [-0.50729, 7.3576, [4]]],
   ["shuffled features themselves", [1.7416, 2.4396, [3, 8]]]]],
  "6 features": [["d"], [[0, 2, 4, 1, 3, 5]], [
   ["for 8 features", [1.9925, -0.69294, [8]]]]],
  "2 features": [["d"], [[0, 1]], []]}},
 "shift-gap": {
 "made of": "c512f633369c", "defines": ["shift_gap"],
 "advice": {
  "queries moved alone": "Only the queries are moved: move the keys as well.",
  "keys moved alone": "Only the keys are moved: move the queries as well.",
  "against unturned ones": "The moved scores are compared with q @ k.T: turn q and k at the positions 0 … n − 1 for the first table.",
  "unmoved against unturned ones": "The scores at 0 … n − 1 are compared with q @ k.T: compare them with those of the moved positions.",
  "keys not turned": "The keys are not turned: call rotate for q and for k.",
  "queries not turned": "The queries are not turned: call rotate for q and for k.",
  "both are queries": "The keys are missing: multiply the turned q by the turned k, not by itself.",
  "both are keys": "The queries are missing: multiply the turned q by the turned k, not k by itself.",
  "times the shift": "The positions are multiplied by shift: add it.",
  "moved backwards": "The positions are moved the wrong way: add shift.",
  "moved both ways": "Both tables are moved, one backwards: compare the positions 0 … n − 1 with those plus shift.",
  "all moved to one place": "All tokens are moved to position shift: add shift to each one's own position.",
  "moved twice": "The positions are moved by 2·shift: add shift once.",
  "moved by one": "The positions are moved by 1: add shift.",
  "rolled": "The positions only change places: add shift to each.",
  "not moved": "What came back is 0 or False, though the scores change: give back how large their largest change is, with the function that you are given, between the positions 0 … n − 1 and these plus shift.",
  "turned again": "What was turned already is turned again: call rotate with q and k for both tables.",
  "scaled": "The scores are divided by √d: here they are raw, without a scale.",
  "softmax": "These are weights: compare the raw scores, without softmax.",
  "each token with its own key": "Only scores of a query and the key of the same number are compared: take the whole table, rotate(q, p) @ rotate(k, p).T.",
  "products not summed": "The products of features are not added up: take the scores, rotate(q, p) @ rotate(k, p).T.",
  "features meet": "The transpose is at the wrong place: a score is of two tokens, rotate(q, p) @ rotate(k, p).T.",
  "turned queries themselves": "These are turned queries or keys: compare their scores, rotate(q, p) @ rotate(k, p).T.",
  "from 1": "The positions begin at 1: they are 0 … n − 1.",
  "from the other end": "The positions fall: they are 0 … n − 1, in this order.",
  "all at 0": "All tokens stand at position 0: their positions are 0 … n − 1.",
  "drawn between 0 and 1": "The positions are divided by n: they are 0 … n − 1.",
  "no absolute": "A change below 0 is taken for small: take the absolute value of each change, with np.abs, and then the maximum.",
  "the other way, no absolute": "The changes have the other sign, and no absolute value was taken before the maximum: np.abs of each change first.",
  "change of the maximum": "The largest scores of the two tables are compared: subtract entry by entry, then take the largest change.",
  "change of the absolutes": "Absolute values of scores are compared: subtract the scores themselves, then take the absolute value.",
  "mean": "The changes are averaged: take the largest.",
  "sum": "The changes are added up: take the largest.",
  "smallest": "This is the smallest change: take the largest.",
  "median": "This is the median of the changes: take the largest.",
  "root of squares": "This is the root of the summed squares: take the largest absolute change.",
  "mean of squares": "The changes are squared and averaged: take the largest absolute change.",
  "largest square": "The largest change is squared: take its absolute value.",
  "norm of a matrix": "The changes of a row are added up: take the largest change of a single score.",
  "norm of a matrix by columns": "The changes of a column are added up: take the largest change of a single score.",
  "sum of both": "The two tables are added: subtract one from the other.",
  "largest moved score": "This is the largest moved score: subtract the unmoved ones first.",
  "largest score": "This is the largest score at the positions 0 … n − 1: subtract it from the moved ones, entry by entry.",
  "relative": "The changes are divided by the scores: take them as they are.",
  "divided by the largest": "The largest change is divided by the largest score: take it as it is.",
  "divided by the shift": "The largest change is divided by shift: take it as it is.",
  "times a half": "The largest change is halved: take it as it is.",
  "the first row": "Only the scores of query 0 are compared: take the whole table.",
  "the last row": "Only the scores of the last query are compared: take the whole table.",
  "lower triangle": "Only keys up to the query's own are compared: take the whole table.",
  "strict upper triangle": "Only keys after the query are compared: take the whole table.",
  "all changes": "All changes came back: return the largest of them, one number.",
  "of each query": "One number for each query came back: take the maximum of the whole table.",
  "of each key": "One number for each key came back: take the maximum of the whole table.",
  "whole numbers": "The result lost its fraction: give back a float, with float(…).",
  "rounded": "The result is rounded to a whole number: give it back as it is.",
  "the reverse verdict": "A truth value came back: give back how large the largest change is, a float.",
  "where it is": "This is the place of the largest change: give back the change itself, with max.",
  "both tables": "Both tables came back: return the largest absolute change, one number."},
 "calls": {
  "waves that are added, moved by 3": [["rotate", "q", "k", "shift"], [9.70155], [
   ["queries moved alone", [5.2658, 4.6381]],
   ["keys moved alone", [5.5988, 4.9315]],
   ["against unturned ones", [8.3633, 7.3665]],
   ["unmoved against unturned ones", [8.1646, 7.1915]],
   ["keys not turned", [5.0245, 4.4256]],
   ["queries not turned", [4.7371, 4.1725]],
   ["both are queries", [7.1541, 6.3014]],
   ["both are keys", [9.4929, 8.3614]],
   ["times the shift", [5.2055, 4.585]],
   ["moved backwards", [8.2886, 7.3007]],
   ["moved both ways", [2.0605, 1.8149]],
   ["all moved to one place", [5.7044, 5.0245]],
   ["moved twice", [2.0426, 1.7991]],
   ["moved by one", [4.4884, 3.9534]],
   ["rolled", [7.7742, 6.8476]],
   ["not moved", [0, 0]],
   ["turned again", [9.1972, 8.101]],
   ["turned again", [13.327, 11.739]],
   ["scaled", [3.7837, 3.3328]],
   ["softmax", [0.76038, 0.66975]],
   ["each token with its own key", [6.4343, 5.6674]],
   ["products not summed", [5.4442, 4.7954]],
   ["features meet", [12.438, 10.955]],
   ["turned queries themselves", [1.9011, 1.6745]],
   ["from 1", [8.0967, 7.1317]],
   ["from the other end", [8.5126, 7.498]],
   ["all at 0", [7.4815, 6.5898]],
   ["drawn between 0 and 1", [9.325, 8.2136]],
   ["no absolute", [6.5817, 5.7972]],
   ["change of the maximum", [3.7233, 3.2796]],
   ["change of the absolutes", [8.8159, 7.7652]],
   ["mean", [3.3844, 2.9811]],
   ["sum", [84.611, 74.526]],
   ["smallest", [0.066248, 0.058352]],
   ["median", [2.1475, 1.8915]],
   ["root of squares", [21.813, 19.214]],
   ["mean of squares", [19.923, 17.548]],
   ["largest square", [89.916, 79.199]],
   ["norm of a matrix", [29.153, 25.678]],
   ["norm of a matrix by columns", [23.629, 20.812]],
   ["sum of both", [39.766, 35.026]],
   ["largest moved score", [18.021, 15.873]],
   ["largest score", [21.744, 19.153]],
   ["relative", [22.137, 19.499]],
   ["divided by the largest", [0.4072, 0.35866]],
   ["divided by the shift", [3.0894, 2.7212]],
   ["times a half", [4.6341, 4.0818]],
   ["the first row", [5.3405, 4.704]],
   ["the last row", [5.6966, 5.0176]],
   ["strict upper triangle", [8.4303, 7.4255]],
   ["all changes", [-15.443, 7.5712, [5, 5]]],
   ["of each query", [4.9751, 3.4684, [5]]],
   ["of each key", [7.4301, 3.4614, [5]]],
   ["whole numbers", [8.598, 7.5732]],
   ["rounded", [9.5534, 8.4147]],
   ["the reverse verdict", [0.95534, 0.84147]],
   ["where it is", [15.285, 13.464]],
   ["both tables", [-21.908, 34.154, [2, 5, 5]]]]],
  "tokens that grow, moved by −6": [["rotate", "q", "k", "shift"], [7.5], [
   ["the other way, no absolute", [4.299, 3.7866]],
   ["lower triangle", [5.3738, 4.7333]]]],
  "rotary positions, moved by 5": [["rotate", "q", "k", "shift"], [8.88178e-16], []],
  "no positions at all": [["rotate", "q", "k", "shift"], [0], []]}}}


# %% [markdown]
# The folded cells below hold what else the tests use. Run them; you don't need to read them.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "numbers-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def numbers(got):
    """A NumPy array of what came back: an array, a tensor, a list or a tuple."""
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        return np.asarray(got.detach().cpu() if torch.is_tensor(got) else got, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"what came back is no array of numbers\n{problem}") from None


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, sizes="", tolerance=1e-6):
    """Stop unless `got` equals `expected`. All numbers stand below the first line of the message."""
    got, expected = numbers(got), numbers(expected)
    assert got.shape == expected.shape, (
        f"{where}, the shape is not right\n{sizes}expected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some(result, count, names, kinds=(tuple, list, np.ndarray)):
    """The parts of a result, or a sentence that says what should come back."""
    assert result is not None, "it gave back None\ndoes your function end with a return?"
    if isinstance(result, dict):
        result = [result[name] for name in names.split(", ") if name in result]
    assert isinstance(result, kinds) and len(result) == count, (
        f"what came back is not {count} things\ngive back ({names})")
    return result


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "some-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def some_numbers(start, *shape):
    """Numbers between −2 and 2 with one decimal: the same ones for the same start and shape."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_same(given, before):
    """Stop if an input is not what it was."""
    same = (np.array_equal(one, other, equal_nan=True) for one, other in zip(given, before))
    assert all(same), "an input was changed: make new arrays"


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "random-scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def scores_of(seed, n_q, blocks):
    """Scores whose levels differ by 1e4 between rows, and a generator for more. Some entries are −∞."""
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n_q, sum(blocks))) * 2 + rng.normal(size=(1, sum(blocks)))
    S[0] += 1e4
    S[1] -= 1e4
    S[2, :blocks[0]] = -np.inf
    S[rng.random(S.shape) < 0.15] = -np.inf
    S[0, 0] = 1e4 - 3.0
    return S, rng


# %% [markdown]
# ## Part one: the keys come in blocks
#
# Attention is a sum over keys, divided by another sum over keys:
#
# $$\text{output of query } i = \frac{\sum_j e^{s_{ij}}\, v_j}{\sum_j e^{s_{ij}}}$$
#
# Both sums can be made one key at a time, so nobody has to keep all the scores. There is one difficulty. You know from lessons 01 and 03 that $e^{1000}$ is too large for a computer, so the largest score of the row is subtracted first. But while the keys still come in, nobody knows which score will be the largest.

# %% [markdown]
# ## 7.1 A maximum that moves
#
# **2 points · about 12 minutes · difficulty ●●○**
#
# The way out is to subtract the largest score **so far**, and to correct the sum whenever a larger one comes. For each row keep two numbers: $m$, the largest score so far, and $l = \sum_j e^{s_j - m}$ over all keys so far.
#
# Take a row with the scores 1 and 3. Then $m = 3$ and $l = e^{1-3} + e^{3-3} = 1.1353$. Now 2 and 5 come in. The new maximum is 5, and the old terms were measured from 3. There is no need to have kept them: each of them changes by the same factor,
#
# $$e^{s - m_\mathrm{new}} = e^{s - m} \cdot e^{m - m_\mathrm{new}}$$
#
# and so does their sum. Here the factor is $e^{3-5} = 0.1353$.
#
# | operation | expression | shape |
# |---|---|---|
# | a block of scores | the next `b` keys of each row | `(n_q, b)` |
# | new maximum | of the old one and the block's, row by row | `(n_q,)` |
# | new sum | the old sum, measured from the new maximum, plus the block's terms | `(n_q,)` |
#
# Before any key was seen, $m$ is −∞ and $l$ is 0. A score of −∞ is a key that the row may not see: it adds 0. A row that has seen nothing but −∞ stays at (−∞, 0). This is where care is needed: −∞ − (−∞) is NaN.
#
# <details><summary>Hint 1: a question</summary>
#
# If a row has seen nothing, it doesn't matter what you subtract from −∞, as long as it is not −∞. Which number could stand in, only for the subtraction?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `scores.max(axis=1)`, `np.maximum(a, b)` takes the larger one place by place, `np.where(condition, a, b)`, `np.isneginf`, `np.exp` (which gives 0 for −∞), `safe[:, None]` makes a column out of a row's numbers.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take each row's largest score in the block, and the larger of it and the old maximum. Make a second copy of that in which −∞ is replaced by 0, for subtracting only. Multiply the old sum by e to the old maximum minus this copy. Add the block's terms, each row measured from the copy. Give back the true maximum, with its −∞, and the sum.
# </details>
#
# <details><summary>I get NaN</summary>
#
# Somewhere −∞ is subtracted from −∞. It happens in rows where the new maximum is −∞, because nothing was seen yet.
# </details>

# %% nbgrader={"grade": false, "grade_id": "update-max-sum", "locked": false, "schema_version": 3, "solution": true, "task": false}
def update_max_sum(m, l, scores):
    """The largest score and the sum of exponentials of each row,
    after one more block of keys.

    m: (n_q,), the largest score so far. l: (n_q,), the sum of e^(s - m) so far.
    scores: (n_q, b), the next block, b at least 1; -inf is a key that is not seen.
    Returns (m, l), both (n_q,): (-inf, 0) for a row that has seen nothing.
    No input is changed.
    """
    ### BEGIN SOLUTION
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
    ### END SOLUTION


# %% [markdown]
# The tests use a table of three rows and four keys in two blocks, then rows at very different levels.

# %% nbgrader={"grade": false, "grade_id": "table", "locked": true, "schema_version": 3, "solution": false, "task": false}
I = -np.inf
table = np.array([[1.0, 3, 2, 5], [4, 4, 0, I], [I, I, 1, -1]])  # row = query, column = key
table_values = np.array([[1.0, 0], [0, 1], [1, 1], [2, -1]])
nothing = np.full(3, I), np.zeros(3), np.zeros((3, 2))  # m, l and o before the first key

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "after-two", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
two = np.exp(-2)
after_two = np.array([3.0, 4, I]), np.array([1 + two, 2, 0]), np.array([[two, 1], [1, 1], [0, 0]])
levels = np.array([[9998, 1e4, I, 10003, 9999], [-1e4, -9999, -1e4, -10002, I], [I, I, I, I, I], [0.5, I, -1, 2, 1], [I, I, 3, I, 2.5]])
before = np.array([1e4 + 1, I, -2, 4, I]), np.array([1.5, 0, 3, 2, 0]), some_numbers(3, 5, 3)
before[2][[1, 4]] = 0

# %% nbgrader={"grade": true, "grade_id": "update-max-sum-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("update-max-sum", m="query", l="query")
check("update-max-sum", "the first two keys of the table", update_max_sum, *nothing[:2], table[:, :2])
check("update-max-sum", "the last two keys, after the first two", update_max_sum, *after_two[:2], table[:, 2:])
check("update-max-sum", "5 rows at very different levels", update_max_sum, *before[:2], levels)
check("update-max-sum", "one key that only some rows see", update_max_sum, *before[:2], levels[:, 3:4])
### BEGIN HIDDEN TESTS
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6])]:
    for loud in (True, False):
        S = scores_of(seed, n_q, blocks)[0]
        S = S if loud else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        m, l, end = np.full(n_q, -np.inf), np.zeros(n_q), 0
        for b in blocks:
            given = m, l, S[:, end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                m, l = some(update_max_sum(*given), 2, "m, l")
            end += b
            most = [max(row[:end]) for row in S]
            sums = [math.fsum(math.exp(s - top) for s in row[:end] if s > -np.inf) for row, top in zip(S, most)]
            sizes = f"after {end} keys in blocks of {blocks}, "
            check_numbers(m, most, "in the largest score so far", sizes)
            check_numbers(l, sums, "in the sum so far", sizes)
            check_same(given, kept)
            m, l = np.array(most), np.array(sums)
### END HIDDEN TESTS

# %% [markdown]
# What happens to the sum while the keys of a row come in? Predict: can $l$ ever become smaller from one key to the next? And can it become smaller than 1?

# %% tags=["demonstration"]
row = np.array([[1.0, 3, 2, 5, -1, 5]])
m, l = np.array([I]), np.array([0.0])
for j in range(6):
    m, l = update_max_sum(m, l, row[:, j:j + 1])
    print(f"after a score of {row[0, j]:2.0f}:  m = {m[0]:.0f}, l = {l[0]:.4f},  l · e^m = {l[0] * np.exp(m[0]):8.3f}")


# %% [markdown]
# It can shrink, when a new maximum comes. But the largest score adds $e^0$, so once a key was seen, $l$ never falls below 1. The last column is the plain sum of exponentials. It only grows, and for larger scores it would overflow: $m$ and $l$ hold it in two parts.
#
# This is the *online softmax* of Milakov and Gimelshein (2018).

# %% [markdown]
# ## 7.2 Values along the way
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# The numerator of attention is a sum over keys, too. So keep it in the same way: $o = \sum_j e^{s_j - m}\, v_j$, a row of `d_v` numbers for each query. It is **not** divided. When the maximum moves, $o$ shrinks by the same factor as $l$. Whenever you want the attention over all keys seen so far, divide: $o / l$.
#
# The three together are the **state**. It has the same size after 1 key and after 1000.
#
# | part of the state | what it is | shape |
# |---|---|---|
# | `m` | the largest score so far | `(n_q,)` |
# | `l` | the sum of $e^{s_j - m}$ | `(n_q,)` |
# | `o` | the sum of $e^{s_j - m}\, v_j$ | `(n_q, d_v)` |
#
# Before the first key the state is `None`. A row that has seen nothing but −∞ has the state −∞, 0 and a row of zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# `o` has an axis more than the factor that corrects it. Along which axis is the factor the same?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# As in 7.1, and `@`: the block's terms are `(n_q, b)`, its values `(b, d_v)`. `np.full(n_q, -np.inf)` and `np.zeros((n_q, d_v))` for the beginning.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# If the state is None, make one that has seen nothing. Find the new maximum and its copy for subtracting, as in 7.1. From them compute the factor of each row and the block's terms. The sum: old sum times factor, plus the row sums of the terms. The values: old ones times the factor as a column, plus terms times values. Return all three, undivided.
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# A factor for each row has the shape (n_q,), and NumPy lays it along the last axis. Make a column of it with `[:, None]`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "update-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def update_attention(state, scores, values):
    """The state of attention after one more block of keys.

    state: None (nothing seen yet) or (m, l, o), of shapes (n_q,), (n_q,) and (n_q, d_v).
    scores: (n_q, b), the next block; -inf is a key that is not seen. values: (b, d_v).
    Returns (m, l, o): o / l[:, None] is the attention over all keys so far.
    No input is changed.
    """
    ### BEGIN SOLUTION
    if state is None:
        n_q = scores.shape[0]
        state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
    m, l, o = state
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    shrink = np.exp(m - safe)
    terms = np.exp(scores - safe[:, None])
    return new_m, l * shrink + terms.sum(axis=1), o * shrink[:, None] + terms @ values
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "updated", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def updated(m, l, o, scores, values):
    """Your update of the state (m, l, o)."""
    return update_attention((m, l, o), scores, values)


# %% nbgrader={"grade": true, "grade_id": "update-attention-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("update-attention", m="query", l="query", o="query value")
first, last = (table[:, :2], table_values[:2]), (table[:, 2:], table_values[2:])
check("update-attention", "the first two keys of the table", update_attention, None, *first)
check("update-attention", "the last two keys, after the first two", updated, *after_two, *last)
check("update-attention", "5 rows at very different levels", updated, *before, levels, some_numbers(7, 5, 3))
check("update-attention", "one key that only some rows see", updated, *before, levels[:, 3:4], some_numbers(9, 1, 3))
check("update-attention", "4 rows and 2 keys, nothing seen before", update_attention, None, levels[:4, 3:], some_numbers(2, 2, 6))
### BEGIN HIDDEN TESTS
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6])]:
    for loud in (True, False):
        S, rng = scores_of(seed, n_q, blocks)
        S = S if loud else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        V, state, end = rng.normal(size=(sum(blocks), 5)), None, 0
        for b in blocks:
            given = *(state or ()), S[:, end:end + b].copy(), V[end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                state = some(update_attention(state and given[:3], *given[-2:]), 3, "m, l, o")
            end += b
            most = S[:, :end].max(axis=1)
            terms = [[math.exp(s - top) if s > -np.inf else 0.0 for s in row[:end]] for row, top in zip(S, most)]
            right = most, np.array([math.fsum(row) for row in terms]), np.array(terms) @ V[:end]
            for name, mine, theirs in zip("mlo", state, right):
                check_numbers(mine, theirs, f"in the state's {name}", f"after {end} keys in blocks of {blocks}, ")
            check_same(given, kept)
            state = right
### END HIDDEN TESTS

# %% [markdown]
# Is it really the same as attention with a table? The next cell gives 60 keys to your function in blocks of 7 and compares after every block. The scores of two rows lie near 1000, those of the others near −1000. Predict: how large will the largest gap be, and will it grow with the number of blocks?

# %% tags=["demonstration"]
rng = np.random.default_rng(1)
S = 3 * rng.normal(size=(4, 60)) + np.array([[1000], [-1000], [1000], [-1000]])
V, state = rng.normal(size=(60, 3)), None
for start in range(0, 60, 7):
    state = update_attention(state, S[:, start:start + 7], V[start:start + 7])
    seen = S[:, :start + 7]
    weights = np.exp(seen - seen.max(axis=1, keepdims=True))  # the whole table, as in lesson 03
    weights = weights / weights.sum(axis=1, keepdims=True)
    gap = np.abs(state[2] / state[1][:, None] - weights @ V[:start + 7]).max()
    print(f"after {seen.shape[1]:2} keys: gap {gap:.0e}")


# %% [markdown]
# The gap stays at rounding, about $10^{-16}$. This is no approximation: it is attention, in another order.
#
# You have seen something like it before. In 6.2 one more value was mixed into an attention that was done already, by a gate $g$. Divide the new $o$ by the new $l$, and you find it again: the old attention comes with the share $1 - g = l\, e^{m - m_\mathrm{new}} / l_\mathrm{new}$, the block with the rest, $g$.

# %% [markdown]
# ## 7.3 Two states make one
#
# **2 points · about 10 minutes · difficulty ●●○**
#
# Suppose that two machines have each seen half of the keys, and each has a state. Then nobody has to see the keys again: the two states hold all that is needed. Measure both from the larger of the two maxima, and add.
#
# It doesn't matter which one comes first, nor how many are merged in which order. So the keys can be dealt out to many processors that work at the same time. When a model writes with a very long context, this is how the work of a single query is spread (*Flash-Decoding*, Dao and others, 2023).
#
# A row may have seen nothing in `a`, in `b`, or in both.
#
# <details><summary>Hint 1: a question</summary>
#
# In 7.2 the old state was corrected and a new block was added. Which of the two has to be corrected here: `a`, `b`, or both?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.maximum`, `np.where` with `np.isneginf`, `np.exp`, `[:, None]`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# The new maximum is the larger of the two, row by row. Make its copy for subtracting, in which −∞ is 0. Each state has a factor: e to its own maximum minus the copy. The new sum is the two sums times their factors, added; the same for the values, with the factors as columns.
# </details>

# %% nbgrader={"grade": false, "grade_id": "merge-states", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_states(a, b):
    """The state over the keys of two states, which have seen different keys.

    a, b: (m, l, o), of shapes (n_q,), (n_q,) and (n_q, d_v), as in update_attention.
    Returns (m, l, o), as one state that has seen all of them. No input is changed.
    """
    ### BEGIN SOLUTION
    m = np.maximum(a[0], b[0])
    safe = np.where(np.isneginf(m), 0.0, m)
    of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
    return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "two-states", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
one_state = np.array([5.0, 2, I, I]), np.array([2.0, 1, 0, 0]), np.array([[1.0, 3], [0, 1], [0, 0], [0, 0]])
other_state = np.array([4.0, 4, 1, I]), np.array([1.0, 3, 2, 0]), np.array([[2.0, 0], [1, -1], [4, 2], [0, 0]])
far_one = np.array([1e4, -1e4, I, 3, 900]), np.array([2, 1.5, 0, 4, 1]), some_numbers(4, 5, 3)
far_other = np.array([1e4 - 1, 2, -900, 3, 901.5]), np.array([3, 2.5, 1, 2, 6]), some_numbers(8, 5, 3)
far_one[2][2] = 0


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "merged", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def merged(m_a, l_a, o_a, m_b, l_b, o_b):
    """Your merge of the states a and b."""
    return merge_states((m_a, l_a, o_a), (m_b, l_b, o_b))


# %% nbgrader={"grade": true, "grade_id": "merge-states-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("merge-states", m="query", l="query", o="query value")
check("merge-states", "4 rows, one of which has seen nothing", merged, *one_state, *other_state)
check("merge-states", "the two the other way round", merged, *other_state, *one_state)
check("merge-states", "5 rows at very different levels", merged, *far_one, *far_other)
### BEGIN HIDDEN TESTS
def state_of(S, V):
    """The state over some keys, from all of them at once."""
    most = S.max(axis=1)
    terms = np.array([[math.exp(s - top) if s > -np.inf else 0.0 for s in row] for row, top in zip(S, most)])
    return most, terms.sum(axis=1), terms @ V
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6]), (13, 6, [4, 3, 2])]:
    for loud in (True, False):
        S, rng = scores_of(seed, n_q, blocks)
        S = S if loud else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        V, ends = rng.normal(size=(sum(blocks), 4)), np.cumsum([0, *blocks])
        parts = [np.arange(a, b) for a, b in zip(ends, ends[1:])]
        # Every other part first, then all: groups whose keys are not neighbours.
        groups = [(parts[0], parts[1]), (parts[-1], parts[0]), (np.concatenate(parts[::2]), np.concatenate(parts[1::2]))]
        for one, other in groups:
            given = [state_of(S[:, keys], V[keys]) for keys in (one, other)]
            kept = [part.copy() for state in given for part in state]
            with np.errstate(all="ignore"):
                made = some(merge_states(*given), 3, "m, l, o")
            right = state_of(S[:, [*one, *other]], V[[*one, *other]])
            for name, mine, theirs in zip("mlo", made, right):
                check_numbers(mine, theirs, f"in the merged {name}", f"keys {one} and {other}, ")
            check_same([part for state in given for part in state], kept)
### END HIDDEN TESTS

# %% [markdown]
# Two routes to one state. The keys of the next cell go one block after the other through your 7.2. Then each block gets a state of its own, and your 7.3 merges them: the last with the first, and the middle two with each other.

# %% tags=["demonstration"]
S, rng = scores_of(3, 4, [5, 5, 5, 5])
V = rng.normal(size=(20, 3))
blocks = [(S[:, start:start + 5], V[start:start + 5]) for start in range(0, 20, 5)]
in_sequence = None
for block in blocks:
    in_sequence = update_attention(in_sequence, *block)
a, b, c, d = (update_attention(None, *block) for block in blocks)
in_parts = merge_states(merge_states(d, a), merge_states(c, b))
for name, one, other in zip("mlo", in_sequence, in_parts):
    print(f"{name}: largest difference {np.abs(one - other).max():.0e}")


# %% [markdown]
# ## 7.4 Attention, a tile at a time
#
# **5 points · about 30 minutes · difficulty ●●●**
#
# Now the whole thing. A graphics processor has a large, slow memory and a small, fast one, next to where it computes. The table of scores doesn't fit into the fast one, and to write it into the slow one and read it again takes longer than all of the arithmetic. *FlashAttention* (Dao and others, 2022) therefore works on **tiles**: a few queries and a few keys, whose scores are small enough for the fast memory. Your function does the same.
#
# Here the slow memory stands behind functions. `slow_memory` in the next cell makes them, and they refuse what is larger than a tile:
#
# | function | what it does |
# |---|---|
# | `read(name, start, stop)` | gives the rows `start … stop − 1` of `"Q"`, `"K"` or `"V"`: at most `tile_q` of `Q`, at most `tile_k` of `K` or `V`. Past the end there are fewer rows, as in a slice |
# | `update(state, scores, values)` | your 7.2, for at most `tile_q` rows and `tile_k` keys. The state begins with `None` |
# | `write(start, rows)` | stores finished rows of the output, from row `start` on: those of a tile at once, or one by one |
#
# All that was done is noted in a **log**. What it should show:
#
# - Take some queries. Read each of them once, bring all keys past them that they may see, write their output, and go on to the next queries.
# - For each tile of queries, each key and value is read at most once, and every score goes through `update`.
# - With `causal`, query `i` sees the keys `0 … i + n_k − n_q`, and there are at least as many keys as queries. A tile in which **no** query sees any key is *dead*: it is not even read. In all other tiles, what a query may not see is −∞.
# - At the end every row of the output was written once.
#
# For 2 queries and 2 keys in tiles of 2 and 1, without a mask, the log is: read `Q` 0 to 2; read `K` 0 to 1, read `V` 0 to 1, update; read `K` 1 to 2, read `V` 1 to 2, update; write 0 to 2.
#
# | operation | expression | shape |
# |---|---|---|
# | a tile of queries | `i … i + tile_q − 1` | `(rows, d_k)` |
# | a tile of keys and values | `j … j + tile_k − 1` | `(cols, d_k)`, `(cols, d_v)` |
# | its scores | divided by $\sqrt{d_k}$, some of them −∞ | `(rows, cols)` |
# | finished rows | $o$ divided by $l$, row by row | `(rows, d_v)` |
#
# The last tile of each kind may be smaller: ask what you got how long it is.
#
# <details><summary>Hint 1: a question</summary>
#
# A tile begins at query `i` and key `j`. Inside of it, the score at row 0 and column 0 belongs to which query and which key? And which is the last key that the tile's **last** query may see?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `range(0, n_q, tile_q)`, `len(...)` of what was read, `np.arange` for the numbers of queries and keys, `np.where(condition, -np.inf, scores)` with a column and a row compared, `break`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Two loops. Outside: read a tile of queries, and begin a new state. Inside: if causal, and the tile's first key comes after the last key that the tile's last query sees, stop the inner loop. Read keys, make the scores, divide by the root of the number of features. If causal, put −∞ where the key's number is larger than the query's, plus n_k − n_q. Read the values and update the state. After the inner loop: divide, and write where the queries began.
# </details>
#
# <details><summary>I get NaN in the first rows</summary>
#
# Rows whose sum is 0 have seen no key. Is the number of the tile's first key added where you compare? Does the state begin anew for each tile of queries?
# </details>

# %% nbgrader={"grade": false, "grade_id": "slow-memory", "locked": true, "schema_version": 3, "solution": false, "task": false}
def slow_memory(Q, K, V, output, tile_q, tile_k, make_state=None, keep_log=True):
    """Functions that hand out Q, K and V, and store output, at most one tile at a time.

    make_state: what makes the states; if None, your update_attention of 7.2. Returns (read, write, update, log).
    The log lists what was done: ("read", name, start, stop), ("update", rows, keys), ("write", start, stop).
    """
    tables, limits, log = {"Q": Q, "K": K, "V": V}, {"Q": tile_q, "K": tile_k, "V": tile_k}, []

    def note(*event):
        if keep_log:
            log.append(event)

    def read(name, start, stop):
        table, limit = tables[name], limits[name]
        if not 0 <= start < len(table) or stop <= start:
            raise ValueError(f"{name} has the rows 0 to {len(table) - 1}: nothing can be read from {start} to {stop}")
        rows = np.array(table[start:stop])
        if len(rows) > limit:
            raise ValueError(f"a tile of {name} has at most {limit} rows, not {len(rows)}: read less at a time")
        note("read", name, start, start + len(rows))
        return rows

    def update(state, scores, values):
        shape = np.shape(scores)
        if len(shape) != 2 or shape[0] > tile_q or shape[1] > tile_k:
            raise ValueError(f"update takes scores of at most {tile_q} queries and {tile_k} keys, not of the shape {shape}")
        if len(values) != shape[1]:
            raise ValueError(f"{shape[1]} columns of scores need as many values, not {len(values)}")
        note("update", *shape)
        return (make_state or update_attention)(state, scores, values)

    def write(start, rows):
        if np.ndim(start):
            raise ValueError("write takes the number of the first row first, and then the rows")
        if np.shape(rows)[1:] != output.shape[1:] or not 0 <= start <= len(output) - len(rows):
            raise ValueError(f"rows of the shape {np.shape(rows)} don't fit into an output {output.shape} from row {start} on")
        output[start:start + len(rows)] = rows
        note("write", start, start + len(rows))

    return read, write, update, log


# %% nbgrader={"grade": false, "grade_id": "tiled-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    """Attention that never holds more than one tile of scores.

    read, write, update: functions as slow_memory makes them.
    n_q, n_k: the numbers of queries and keys.
    tile_q, tile_k: the largest numbers of queries and keys of a tile.
    causal: whether query i sees only the keys 0 ... i + n_k - n_q.
    Returns None: the output, (n_q, d_v), is handed to write.
    """
    ### BEGIN SOLUTION
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        last_seen = np.arange(i, i + len(Q)) + n_k - n_q
        state = None
        for j in range(0, n_k, tile_k):
            if causal and j > last_seen[-1]:
                break
            K = read("K", j, j + tile_k)
            scores = Q @ K.T / np.sqrt(Q.shape[1])
            if causal:
                hidden = np.arange(j, j + len(K)) > last_seen[:, None]
                scores = np.where(hidden, -np.inf, scores)
            state = update(state, scores, read("V", j, j + tile_k))
        m, l, o = state
        write(i, o / l[:, None])
    ### END SOLUTION


# %% [markdown]
# The first two tests look at the output: without a mask, then with one. They bring an `update` of their own, so they don't need your 7.2. The third looks at the log.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "update-from-all", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def update_from_all():
    """An update that keeps all that was seen and makes each state anew from it: slow, and needs no 7.2."""
    seen = []

    def update(state, scores, values):
        scores, values = np.array(scores, dtype=float), np.array(values, dtype=float)
        rows, empty = len(scores), state is None
        if not empty and np.shape(state[2]) == (rows, values.shape[1]):
            empty = np.all(np.isneginf(state[0])) and not np.any(state[1])
        if not empty:
            known = [kept for kept in seen if all(map(np.array_equal, kept[0], state))]
            if not known:  # not a state that was made here: then your own 7.2 takes it
                return update_attention(state, scores, values)
            assert len(known[-1][1]) == rows, (
                f"update got a state of {len(known[-1][1])} queries, and scores of {rows}\n"
                "Begin a new state, None, for each tile of queries.")
            scores = np.concatenate([known[-1][1], scores], axis=1)
            values = np.concatenate([known[-1][2], values])
        m = scores.max(axis=1)
        terms = np.where(np.isneginf(scores), 0, np.exp(scores - m[:, None]))
        made = m, terms.sum(axis=1), terms @ values
        seen.append((made, scores, values))
        return tuple(part.copy() for part in made)

    return update


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "run-tiled", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def run_tiled(Q, K, V, *tiles_and_mask):
    """(output, log) of your tiled_attention. What was never written is NaN."""
    output = np.full((len(Q), V.shape[1]), np.nan)
    read, write, update, log = slow_memory(Q, K, V, output, *tiles_and_mask[:2], update_from_all())
    tiled_attention(read, write, update, len(Q), len(K), *tiles_and_mask)
    assert any(kind == "write" for kind, *_ in log), "nothing was written\nhand finished rows to write"
    return output, log


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiled", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def tiled(Q, K, V, tile_q, tile_k, causal=None):
    """The output of your tiled_attention, from arrays. Without causal, it is called without."""
    return run_tiled(Q, K, V, tile_q, tile_k, *([] if causal is None else [causal]))[0]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiled-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
small = (np.array([[2.0, 0, 0, 0], [0, 2, 0, 2], [0, -2, 2, 2]]),
         np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 0], [2, 1, 0, 1], [-1, 0, 0, 2], [0, 2, 1, 0]]),
         np.array([[1.0, 0], [0, 1], [2, 1], [0, 3], [1, 1], [-2, 0], [4, -1]]))


def tiled_inputs(start, n_q, n_k, d_k, d_v):
    """Q, K and V."""
    return some_numbers(start, n_q, d_k), some_numbers(start + 50, n_k, d_k), some_numbers(start + 90, n_k, d_v)


# %% nbgrader={"grade": true, "grade_id": "tiled-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiled-attention", output="query value")
check("tiled-attention", "7 queries, 11 keys, tiles of 2 and 3", tiled, *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
check("tiled-attention", "3 queries, 7 keys, tiles of 2 and 3", tiled, *small, 2, 3)
check("tiled-attention", "6 queries, 5 keys, tiles of 4 and 2", tiled, *tiled_inputs(0, 6, 5, 3, 4), 4, 2)
check("tiled-attention", "tiles that are longer than the table", tiled, *tiled_inputs(5, 3, 2, 5, 1), 8, 16)
check("tiled-attention", "tiles of 1", tiled, *tiled_inputs(9, 2, 4, 3, 5), 1, 1)
### BEGIN HIDDEN TESTS
for seed, n_q, n_k, d_k, d_v, tile_q, tile_k, last in [(70, 5, 7, 3, 4, 2, 3, [False]), (74, 9, 4, 5, 2, 4, 3, [False]),
                                                       (77, 3, 4, 2, 3, 1, 1, []), (78, 6, 8, 3, 2, 3, 5, [])]:
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    expected = []
    for q in Q:
        terms = [math.exp(math.fsum(q * k) / d_k**0.5) for k in K]
        expected.append(sum(term * v for term, v in zip(terms, V)) / math.fsum(terms))
    with np.errstate(all="ignore"):
        output, log = run_tiled(Q, K, V, tile_q, tile_k, *last)
    sizes = f"with {n_q=}, {n_k=}, {d_k=}, {d_v=}, {tile_q=}, {tile_k=}, "
    check_numbers(output, expected, "in the output without a mask", sizes)
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "tiled-attention-causal-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("tiled-attention", output="query value")
check("tiled-attention", "causal, 7 queries, 9 keys, tiles of 3 and 4", tiled, *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 2 and 3", tiled, *small, 2, 3, True)
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 3 and 2", tiled, *small, 3, 2, True)
check("tiled-attention", "causal, 7 queries and keys, tiles of 3 and 2", tiled, *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
### BEGIN HIDDEN TESTS
for seed, n_q, n_k, d_k, d_v, tile_q, tile_k in [(71, 7, 7, 3, 5, 3, 2), (72, 5, 11, 4, 3, 2, 4), (73, 6, 9, 2, 3, 4, 16),
                                                 (75, 8, 8, 2, 3, 8, 8), (76, 1, 6, 3, 2, 4, 4)]:
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    expected = []
    for i, q in enumerate(Q):
        seen = range(i + n_k - n_q + 1)
        terms = [math.exp(math.fsum(q * K[j]) / d_k**0.5) for j in seen]
        expected.append(sum(term * V[j] for term, j in zip(terms, seen)) / math.fsum(terms))
    with np.errstate(all="ignore"):
        output, log = run_tiled(Q, K, V, tile_q, tile_k, True)
    sizes = f"with {n_q=}, {n_k=}, {d_k=}, {d_v=}, {tile_q=}, {tile_k=}, "
    check_numbers(output, expected, "in the causal output", sizes)
### END HIDDEN TESTS

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-part", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_part(part, start, stop, n_q, n_k, tile_k, causal):
    """Stop if what was done before the rows start … stop − 1 were written is not what those rows need."""
    last = stop - 1 + n_k - n_q if causal else n_k - 1
    reads = {name: [one[2:] for one in part if one[:2] == ("read", name)] for name in "QKV"}
    rows = {name: [row for one in reads[name] for row in range(*one)] for name in "QKV"}
    where = f"before the rows {start} to {stop - 1} of the output were written"
    assert sorted(rows["Q"]) == list(range(start, stop)), (
        f"{where}, the queries {rows['Q']} were read\nRead each query once, and write its row before you read other queries.")
    for name in "KV":
        lacks = sorted({*range(last + 1)} - {*rows[name]})
        assert not lacks, f"{where}, the rows {lacks} of {name} were not read\nThese queries may see them: bring all such keys and values past."
        assert len({*rows[name]}) == len(rows[name]), (
            f"{where}, some rows of {name} were read more than once\nRead each tile of keys and values once for a tile of queries.")
        dead = [first for first, _ in reads[name] if first > last and first // tile_k * tile_k > last]
        assert not dead, (f"{where}, {name} was read from row {dead[0]} on, but the last of these queries sees only up to key {last}\n"
            "Skip a tile before you read it, if its first key comes after the last key that the tile's last query sees.")
    scores, wanted = sum(math.prod(one[1:]) for one in part if one[0] == "update"), len(rows["Q"]) * len(rows["K"])
    assert scores == wanted, (f"{where}, {scores} scores went through update, of {wanted}\n"
        "The scores of each tile go through update, whole and once, and it makes the softmax.")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "rows-written", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def rows_written(Q, K, V, tile_q, tile_k, causal=False):
    """The rows that your tiled_attention wrote, if its log is as it should be."""
    part, rows, written = [], [], []
    for kind, *what in [*run_tiled(Q, K, V, tile_q, tile_k, causal)[1], ("end",)]:
        if kind != "write" and rows:  # what is written in one go belongs together
            assert len({*rows}) <= tile_q, (f"the rows {rows} of the output were finished together, and a tile has at most {tile_q} queries\n"
                "Finish one tile of queries and write its rows before you read other queries.")
            check_part(part, min(rows), max(rows) + 1, len(Q), len(K), tile_k, causal)
            part, rows, written = [], [], written + rows
        rows, part = (rows + [*range(*what)], part) if kind == "write" else (rows, [*part, (kind, *what)])
    assert len(part) == 1, "something was read or computed after the last write\nWrite what belongs to it, or don't read it."
    assert len({*written}) == len(written), "some rows of the output were written more than once\nWrite each row once, when it is finished."
    return np.sort(written)


# %% nbgrader={"grade": true, "grade_id": "tiled-attention-log-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiled-attention", rows_written="place")
check("tiled-attention", "the log of 7 queries, 11 keys, tiles of 2 and 3", rows_written, *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
check("tiled-attention", "the log of 6 queries, 5 keys, tiles of 4 and 2", rows_written, *tiled_inputs(0, 6, 5, 3, 4), 4, 2)
check("tiled-attention", "the log, causal, 7 queries, 9 keys, tiles of 3 and 4", rows_written, *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
check("tiled-attention", "the log, causal, 7 queries and keys, tiles of 3 and 2", rows_written, *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
### BEGIN HIDDEN TESTS
cases = [(5, 7, 3, 4, 2, 3, False), (7, 7, 3, 5, 3, 2, True), (5, 11, 4, 3, 2, 4, True), (6, 9, 2, 3, 4, 16, True),
         (9, 4, 5, 2, 4, 3, False), (8, 8, 2, 3, 8, 8, True), (1, 6, 3, 2, 4, 4, True)]
for seed, (n_q, n_k, d_k, d_v, tile_q, tile_k, causal) in enumerate(cases, 70):
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    with np.errstate(all="ignore"):
        done = rows_written(Q, K, V, tile_q, tile_k, causal)
    check_numbers(done, range(n_q), "in the rows that were written", f"with {n_q=}, {n_k=}, {tile_q=}, {tile_k=}, {causal=}, ")
### END HIDDEN TESTS

# %% [markdown]
# Watch your own function at work. The next cells run it on 64 tokens with tiles of 8, with the causal mask, and draw its log: each square is a tile of 8 queries and 8 keys. Predict: of the 64 tiles, how many are dead?

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiles-in-order", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the pictures: run it, no need to read it.
def tiles_in_order(log, tile_q, tile_k):
    """(row, column) of each tile of scores that a log tells of, in the order of the updates."""
    at, order = {}, []
    for kind, *what in log:
        if kind == "read":
            at[what[0]] = what[1]
        elif kind == "update":
            order.append((at["Q"] // tile_q, at["K"] // tile_k))
    return order


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "draw-tiles", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the pictures: run it, no need to read it.
def draw_tiles(ax, colours, dead, size=8):
    """A table of tiles; dead ones are hatched."""
    n = len(colours)
    for i, j in np.ndindex(n, n):
        ax.add_patch(plt.Rectangle((j * size, i * size), size, size, edgecolor="0.6", linewidth=0.6,
                                   facecolor="white" if dead[i, j] else colours[i, j], hatch="////" if dead[i, j] else ""))
    ax.set(xlim=(0, n * size), ylim=(n * size, 0), xticks=range(0, n * size + 1, 16), yticks=range(0, n * size + 1, 16),
           xlabel="key", ylabel="query", aspect="equal")


# %% alt="Five tables of 8 by 8 tiles, after 1, 9, 22, 30 and 36 updates. The tile that is worked on is orange, those done are blue, and they fill the lower triangle row by row. The 28 tiles above the diagonal stay hatched in all five: they are dead." tags=["demonstration"]
rng = np.random.default_rng(0)
_, log = run_tiled(*(rng.normal(size=(64, 4)) for _ in range(3)), 8, 8, True)
order = tiles_in_order(log, 8, 8)
dead = np.ones((8, 8), dtype=bool)
dead[tuple(np.array(order).T)] = False
fig, axes = plt.subplots(1, 5, figsize=(12, 2.8), layout="constrained", sharey=True)
for ax, count in zip(axes, [1, 9, 22, 30, len(order)]):
    colours = np.full((8, 8), "#ffffff")
    for i, j in order[:count - 1]:
        colours[i, j] = "#8fb8de"
    colours[order[count - 1]] = "#f0a13c"
    draw_tiles(ax, colours, dead)
    ax.set_title(f"after {count} updates", fontsize=10)
    ax.label_outer()
plt.show()
print(f"{len(order)} tiles live, {dead.sum()} dead (hatched). Orange: the last one. Blue: done, and forgotten. White: to come.")

# %% [markdown]
# 28 tiles are dead, so the causal mask saves almost half of the work. At any moment only the orange tile exists. Other masks kill more. In a **window**, each query sees itself and the 15 tokens before it. It cuts off the very first tokens, and a trained model suffers from that: many heads use those as a place for weight that they need nowhere else. So a few of them are kept as an *attention sink* (Xiao and others, 2023); here it is the first tile.

# %% alt="Four tables of 8 by 8 tiles. Full: 64 tiles live. Causal: the 36 on and below the diagonal. Window of 16 tokens: 21, a band along the diagonal. Window and sink: 26, the band and the first column." tags=["demonstration"]
i, j = np.arange(64)[:, None], np.arange(64)
window = (j <= i) & (j > i - 16)
masks = {"full": j >= 0 * i, "causal": j <= i, "window": window, "window and sink": window | ((j < 8) & (j <= i))}
fig, axes = plt.subplots(1, 4, figsize=(10, 3), layout="constrained", sharey=True)
for ax, (name, seen) in zip(axes, masks.items()):
    live = seen.reshape(8, 8, 8, 8).any(axis=(1, 3))  # (tile of queries, query, tile of keys, key)
    draw_tiles(ax, np.full((8, 8), "#8fb8de"), ~live)
    ax.set_title(f"{name}: {live.sum()} tiles", fontsize=10)
    ax.label_outer()
plt.show()


# %% [markdown]
# For $n$ tokens, the causal mask leaves about $n^2 / 2$ scores. A window leaves a constant number for each token.
#
# And the memory? The next cells compute attention for 256 to 4096 tokens in two ways, with the whole table and with your tiles of 128 by 128, and note the largest amount of memory that was in use. At 256 tokens the table needs about 1.6 MiB. Predict: how much does it need at 4096, and how much do the tiles? (It takes up to ten seconds.)

# %% nbgrader={"grade": false, "grade_id": "whole-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
def whole_table(Q, K, V, output):
    """Attention as in lesson 03: three tables (n, n), one after the other."""
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    output[:] = powers / powers.sum(axis=1, keepdims=True) @ V


def in_tiles(Q, K, V, output, tile=128, causal=False):
    """Attention with your 7.2 and 7.4."""
    read, write, update, _ = slow_memory(Q, K, V, output, tile, tile, keep_log=False)
    tiled_attention(read, write, update, len(Q), len(K), tile, tile, causal)


# %% nbgrader={"grade": false, "grade_id": "measured", "locked": true, "schema_version": 3, "solution": false, "task": false}
def measured(function, *arguments):
    """(peak of memory in MiB, seconds) of a function, in two runs: measuring memory takes time."""
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    start = time.perf_counter()
    function(*arguments)
    return peak, time.perf_counter() - start


# %% tags=["demonstration"]
rng = np.random.default_rng(0)
lengths, peaks = [256, 512, 1024, 2048, 4096], {"whole table": [], "tiles": []}
for n in lengths:
    arrays, one, other = [rng.normal(size=(n, 32)) for _ in range(3)], np.empty((n, 32)), np.empty((n, 32))
    results = measured(whole_table, *arrays, one), measured(in_tiles, *arrays, other)
    for peak, (used, seconds) in zip(peaks.values(), results):
        peak.append(used)
    texts = [f"{name} {used:6.2f} MiB, {seconds:.3f} s" for name, (used, seconds) in zip(peaks, results)]
    print(f"{n:4} tokens: {'; '.join(texts)}; gap {np.abs(one - other).max():.0e}", flush=True)

# %% alt="Peak of memory over the number of tokens, both axes logarithmic: the whole table rises from about 1.6 MiB at 256 tokens to about 385 MiB at 4096, a straight line; the tiles stay at about half a MiB throughout." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
for (name, peak), style in zip(peaks.items(), ["o-", "s--"]):
    ax.loglog(lengths, peak, style, label=name)
    ax.annotate(f"{peak[-1]:.3g} MiB", (lengths[-1], peak[-1]), xytext=(-6, 6), textcoords="offset points", ha="right")
ax.minorticks_off()
ax.set(xticks=lengths, xticklabels=lengths, xlabel="tokens", ylabel="largest use of memory, MiB", ylim=(0.1, 2000))
ax.legend(loc="upper left")
plt.show()

# %% [markdown]
# Twice the tokens, four times the table: 385 MiB at 4096. Your tiles need the same half MiB at every length, and give the same output up to rounding. And this is not paid for with time: on a quiet machine, tiles take about as long as the table or less, since they stay in the processor's cache. (While other programs run, times say little: in small products NumPy's threads then wait for each other. If the tiles take seconds in your run, that is why. The memory is the same everywhere.)
#
# How large should a tile be? The next cell tries six sizes for 2048 tokens. Predict: which is the slowest, and which needs the most memory?

# %% tags=["demonstration"]
arrays, output = [rng.normal(size=(2048, 32)) for _ in range(3)], np.empty((2048, 32))
for tile in [16, 32, 64, 128, 256, 512]:
    used, seconds = measured(in_tiles, *arrays, output, tile)
    print(f"tiles of {tile:3} by {tile:3}: {seconds:.3f} s, {used:5.2f} MiB", flush=True)


# %% [markdown]
# On a quiet machine, small tiles are the slow ones here, because Python runs its loop for each of them, 16,384 times at size 16. On a graphics processor the loop costs little, and the fast memory sets the limit: there a tile has as many rows as fit.

# %% [markdown]
# ## 7.5 Catch the bug
#
# **3 points · about 35 minutes · difficulty ●●●**
#
# Tiles go wrong at their edges, and most small inputs have no edges. So the roles turn, as in 3.8. Somebody hands you a function `candidate(Q, K, V, tile_q, tile_k, causal=False)` and claims that it computes attention tile by tile. It takes plain arrays and gives back the output, `(n_q, d_v)`. You can't read it, only call it. Write the test: `check_tiled(candidate)` returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | a legal input | float arrays with fitting sizes from 1 on, tiles from 1 on, also longer than the arrays; scores up to ±1000, after the division by $\sqrt{d_k}$; no more queries than keys if `causal` |
# | a right candidate | gives attention for every legal input. It may give lists, and take the tiles in any order, or larger and smaller ones than you said |
# | a wrong candidate | gives wrong numbers, NaN or a wrong shape on some legal input |
# | what you need not test | changed inputs: no candidate changes any |
# | how close is right? | compare to about 1e-6, not exactly: another order of sums rounds differently |
#
# Your test is run on a hidden panel. If it rejects one right candidate, it gets nothing: a test that cries wolf is switched off. Otherwise it gets one point for each full third of the 15 wrong ones that it catches. Some are wrong only in the last tile, only if there are more keys than queries, only if all scores of a row are very low, or only if two rows of one tile are far apart.
#
# Your test is called about sixty times, so let one call take less than a second. The panel comes in an order that nobody knows, and each candidate comes several times: a right one has to be accepted, and a wrong one rejected, every time. If your test gives back `None` or stops with an error, it has decided nothing: a wrong candidate is not caught, a right one is rejected.
#
# You need something to compare with: attention with the whole table takes four lines.
#
# <details><summary>Hint 1: a question</summary>
#
# Go through your own mistakes in 7.1 to 7.4. For each: which smallest input shows it? How many tiles of keys does it need, and at which levels are the scores?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call. `np.asarray(..., dtype=float)`, a look at the shape, then `np.allclose`, which is False for NaN. `np.errstate(all="ignore")`. A fixed `np.random.default_rng(0)` makes inputs. `Q[:, 0] = ...` and `K[:, 0] = ...` set the level of whole rows.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make a list of inputs: sizes that are no multiples of the tiles, at least three tiles each way; as many keys as queries and more; causal and not; d_k unlike d_v. For each, scores as they are, and scores whose rows lie near +900 and −900 in turn. Compute the output with the whole table. Call the candidate. An exception, another shape or other numbers: False. If nothing was found: True.
# </details>
#
# <details><summary>My test rejects a right one</summary>
#
# Is each of your inputs legal? With scores beyond ±1000 or more queries than keys under the mask, a right candidate may do anything. Do you compare with `==`, or ask for the type of what comes back?
# </details>

# %% nbgrader={"grade": false, "grade_id": "check-tiled", "locked": false, "schema_version": 3, "solution": true, "task": false}
def check_tiled(candidate):
    """Is candidate(Q, K, V, tile_q, tile_k, causal=False) a right tiled attention?

    Returns True or False. It raises nothing, whatever the candidate does.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(7)
    for n_q, n_k, d_k, d_v, tile_q, tile_k, causal in [
            (5, 7, 3, 4, 2, 3, False), (5, 7, 3, 4, 2, 3, True), (6, 6, 4, 2, 4, 4, True),
            (3, 11, 5, 2, 2, 4, True), (9, 4, 2, 3, 4, 16, False), (7, 13, 5, 6, 3, 2, True)]:
        for level in (0.0, 900.0):
            Q, K, V = 3 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
            if level:  # the rows' scores lie near +level and −level in turn
                Q[:, 0] = np.where(np.arange(n_q) % 2, -level, level)
                K[:, 0] = np.sqrt(d_k)
            scores = Q @ K.T / np.sqrt(d_k)
            if causal:
                scores = np.where(np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q, -np.inf, scores)
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            expected = powers @ V / powers.sum(axis=1, keepdims=True)
            try:
                with np.errstate(all="ignore"):
                    got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
            except Exception:
                return False
            if got.shape != expected.shape or not np.allclose(got, expected, atol=1e-6):
                return False
    return True
    ### END SOLUTION


# %% [markdown]
# Practise on functions made from your own 7.4. The top line should say True, the others False. To pass here is not enough: none of these needs the low or far levels that the text above speaks of.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "verdict-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def verdict_of(candidate):
    """What your test says of a candidate, or the error that it stopped with."""
    try:
        with np.errstate(all="ignore"):
            return check_tiled(candidate)
    except Exception as error:
        return repr(error)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "said-so", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def said_so(verdict, what):
    """Whether a verdict is True, or False, and nothing else."""
    return isinstance(verdict, (bool, np.bool_)) and bool(verdict) is what


# %% tags=["demonstration"]
practice = {
    "7.4 itself": tiled,
    "no mask": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(Q, K, V, tile_q, tile_k),
    "divided by √d_k twice": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q / Q.shape[1] ** 0.5, K, V, tile_q, tile_k, causal),
    "as many keys as queries": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q, K[:len(Q)], V[:len(Q)], tile_q, tile_k, causal),
    "no last tile of keys": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q, *((K, V) if causal else (K[:-1 // tile_k * tile_k or None], V[:-1 // tile_k * tile_k or None])), tile_q, tile_k, causal),
    "rounds to 16 bits": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q.astype(np.float16).astype(float), K, V, tile_q, tile_k, causal),
    "one query for each tile": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q[np.arange(len(Q)) // tile_q * tile_q], K, V, tile_q, tile_k, causal),
}
for name, candidate in practice.items():
    print(f"{name:26}", verdict_of(candidate))


# %% [markdown]
# The points come in three cells of one point each. What you can run here shows only whether your test gives back True or False, refuses a function that gives nothing but zeros, and accepts your own 7.4, if that passes its tests. Silence in the other two cells means nothing: the panel is hidden, and it decides.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "decided", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def decided(candidate, what):
    """The verdict of your test on a candidate, or a message if there is none."""
    try:
        with np.errstate(all="ignore"):
            verdict = check_tiled(candidate)
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
    """Whether your function of 7.4 passes the tests of its output."""
    returns("tiled-attention", output="query value")
    try:
        check("tiled-attention", "7 queries, 11 keys, tiles of 2 and 3", tiled, *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
        check("tiled-attention", "3 queries, 7 keys, tiles of 2 and 3", tiled, *small, 2, 3)
        check("tiled-attention", "6 queries, 5 keys, tiles of 4 and 2", tiled, *tiled_inputs(0, 6, 5, 3, 4), 4, 2)
        check("tiled-attention", "tiles that are longer than the table", tiled, *tiled_inputs(5, 3, 2, 5, 1), 8, 16)
        check("tiled-attention", "tiles of 1", tiled, *tiled_inputs(9, 2, 4, 3, 5), 1, 1)
        check("tiled-attention", "causal, 7 queries, 9 keys, tiles of 3 and 4", tiled, *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
        check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 2 and 3", tiled, *small, 2, 3, True)
        check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 3 and 2", tiled, *small, 3, 2, True)
        check("tiled-attention", "causal, 7 queries and keys, tiles of 3 and 2", tiled, *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
    except AssertionError:
        return False
    return True


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "zeros", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def zeros(Q, K, V, tile_q, tile_k, causal=False):
    """A function that gives nothing but zeros."""
    return np.zeros((len(Q), V.shape[1]))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "refuses-zeros", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_zeros():
    """Stop if your test accepts nothing but zeros."""
    assert not decided(zeros, "a function that gives nothing but zeros"), (
        "your test accepts a function that gives nothing but zeros\n"
        "Compare the numbers that come back with your own, and return False where they differ.")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "as-lists", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def as_lists(Q, K, V, tile_q, tile_k, causal=False):
    """Your function of 7.4, rounded otherwise, as lists."""
    return (np.array(tiled(Q, K, V, tile_q, tile_k, causal)) * (1 + 1e-12)).tolist()


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "accepts-own", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def accepts_own():
    """Stop if your own function of 7.4 passes its tests, and your test refuses it."""
    stops, sizes = [], ["nothing"]

    def noted(Q, K, V, tile_q, tile_k, causal=False):
        sizes[0] = f"Q {np.shape(Q)}, K {np.shape(K)}, V {np.shape(V)}, {tile_q=}, {tile_k=}, {causal=}"
        try:
            return tiled(Q, K, V, tile_q, tile_k, causal)
        except Exception as error:
            stops.append(f"at your input {sizes[0]} it stops with {type(error).__name__}: {error}\n"
                         "Is this input legal? Q, K, V as float arrays, the two sizes of a tile, and causal, in this order.")
            raise

    if passes_own():
        assert decided(noted, "your function of 7.4"), (
            f"your test refuses your function of 7.4, and the last input was {sizes[0]}\n" + (stops + [
                "It passes its tests: is the input legal, are your own numbers right there, with √d_k and the mask "
                "that counts from the last query, and do you compare to about 1e-6?"])[0])
        assert decided(as_lists, "your function of 7.4, giving lists, rounded otherwise"), (
            "your test refuses your function of 7.4, giving lists, rounded otherwise\n"
            "Make an array of what comes back, and compare to about 1e-6, with np.allclose.")


# %% nbgrader={"grade": true, "grade_id": "check-tiled-first-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
caught = []
check_zeros()
accepts_own()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def attend(Q, K, V, tile_q, tile_k, causal=False):
        n, (n_q, d_k), n_k, d_v = slip, Q.shape, len(K), V.shape[1]
        tile_k, output = {"one tile": n_k, "one key": 1}.get(n, tile_k), np.zeros((n_q, d_v))
        starts = range(0, n_k // tile_k * tile_k or n_k if n == "no last keys" else n_k, tile_k)
        for i in range(0, n_q // tile_q * tile_q or n_q if n == "no last queries" else n_q, tile_q):
            q, m, l, o, parts = Q[i:i + tile_q], 0 if n == "starts at 0" else -np.inf, 0, 0, []
            rows = np.arange(len(q))[:, None] + (0 if n == "queries from 0" else i) + (0 if n == "first query" else n_k - n_q)
            for j in starts[::-1] if n == "backwards" else starts:
                if causal and j > rows[0 if n == "first row" else -1, 0] and n != "dead ones too":
                    continue
                s = q @ K[j:j + tile_k].T / (d_v if n == "√d_v" else d_k)**0.5
                if causal:
                    hidden = np.arange(s.shape[1]) + (0 if n == "keys from 0" else j) > rows
                    s = np.where(hidden, 0 if n == "blocked is 0" else -np.inf, s)
                most = np.full(len(q), s.max()) if n == "one maximum" else s.max(axis=1)
                new = np.zeros(len(q)) if n == "no maximum" else np.maximum(m, most)
                safe = np.where(np.isneginf(most), most, new) if n == "NaN" else np.where(np.isneginf(new), 0, new)
                shrink, e = np.exp(m - safe), np.exp(s - safe[:, None])
                parts.append(e @ V[j:j + tile_k] / e.sum(axis=1, keepdims=True))
                m, l = new, l * (1 if n == "old l" else shrink) + e.sum(axis=1)
                o = o * (1 if n == "old o" else shrink[:, None]) + e @ V[j:j + tile_k]
            output[i:i + tile_q] = np.nanmean(parts, axis=0) if n == "means" else o / l[:, None]
        return forms[form](output)
    return attend
forms = {"arrays": lambda out: out, "lists": lambda out: out.tolist(), "rounded otherwise": lambda out: out * (1 + 1e-11)}
rights = ["as asked", "backwards", "one tile", "dead ones too", "one key"]
slips = ["old o", "old l", "no maximum", "starts at 0", "one maximum", "no last keys", "no last queries", "means",
         "keys from 0", "queries from 0", "first query", "first row", "√d_v", "NaN", "blocked is 0"]
panel, said = [(slip, form) for slip in [*rights, *slips] for form in forms], {}  # in an order that nobody knows
for at in np.random.default_rng(globals().get("course_secret", 0)).permutation(len(panel)):
    said[panel[at]] = verdict_of(candidate_with(*panel[at]))
assert not (refused := [one for one in said if one[0] in rights and not said_so(said[one], True)]), f"your test rejects a right candidate\n{refused}"
caught = [slip for slip in slips if all(said_so(said[slip, form], False) for form in forms)]
assert len(caught) >= 5, f"your test catches less than a third of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-tiled-second-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# Two thirds of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 10, f"your test catches less than two thirds of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-tiled-last-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# All of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) == 15, f"your test does not catch all of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% [markdown]
# ## 7.6 What moves, and what is computed
#
# **2 points · about 12 minutes · difficulty ●●○**
#
# How much is saved can be counted. Take as many queries as keys, n of each. In 7.4, what goes through `read` and `write`, in numbers? And how many multiply-adds do the scores and the mixing take? A *multiply-add* is one product and the sum that it goes into, counted as one.
#
# | what | how often |
# |---|---|
# | a row of `Q` (`d_k` numbers) is read | once |
# | a row of the output (`d_v` numbers) is written | once |
# | a row of `K` and one of `V` (`d_k + d_v`) are read | once for each **tile** of queries in which their tile is live |
# | multiply-adds of a live tile | `rows · cols · (d_k + d_v)`: it is computed whole, also where some of it is blocked |
#
# The last tiles count only the rows and columns that they have. With `causal`, a tile is live if its last query sees its first key.
#
# <details><summary>Hint 1: a question</summary>
#
# Your 7.4 has two loops. What does each round of the outer one move, and what each round of the inner one?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The same two `range` as in 7.4, and `min(tile, n - start)` for the rows or columns that a tile has.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Go through the tiles as in 7.4. For each tile of queries add its rows times d_k and d_v to what is moved. For each live tile of keys add its columns times d_k plus d_v to what is moved, and rows times columns times d_k plus d_v to the multiply-adds.
# </details>

# %% nbgrader={"grade": false, "grade_id": "tiled-cost", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    """What tiled attention moves and computes, for n queries and n keys.

    Returns (numbers_moved, multiply_adds), two whole numbers: what is read and written,
    in numbers, and the multiply-adds of scores and mixing (a multiply and its add are one).
    """
    ### BEGIN SOLUTION
    moved, work = 0, 0
    for i in range(0, n, tile_q):
        rows = min(tile_q, n - i)
        moved += rows * (d_k + d_v)
        for j in range(0, n, tile_k):
            if causal and j > i + rows - 1:
                break
            cols = min(tile_k, n - j)
            moved += cols * (d_k + d_v)
            work += rows * cols * (d_k + d_v)
    return moved, work
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "tiled-cost-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiled-cost", numbers_moved="", multiply_adds="")
check("tiled-cost", "13 tokens, tiles of 5 and 3", tiled_cost, 13, 7, 4, 5, 3)
check("tiled-cost", "13 tokens, tiles of 5 and 3, causal", tiled_cost, 13, 7, 4, 5, 3, True)
check("tiled-cost", "7 tokens, tiles of 3 and 2", tiled_cost, 7, 2, 3, 3, 2)
check("tiled-cost", "7 tokens, tiles of 3 and 2, causal", tiled_cost, 7, 2, 3, 3, 2, True)
check("tiled-cost", "11 tokens, tiles of 2 and 4, causal", tiled_cost, 11, 3, 5, 2, 4, causal=True)
check("tiled-cost", "5 tokens, tiles that are longer", tiled_cost, 5, 4, 1, 8, 6)
### BEGIN HIDDEN TESTS
for n, d_k, d_v, tile_q, tile_k, causal in [
        (10, 3, 5, 4, 3, False), (10, 3, 5, 4, 3, True), (17, 2, 7, 3, 5, True), (12, 4, 3, 4, 6, True),
        (9, 5, 2, 9, 2, True), (9, 5, 2, 2, 9, False), (23, 6, 1, 5, 7, True), (6, 2, 3, 20, 20, True)]:
    # From the single keys and queries: a key comes if its tile's first one is seen by the tile's last query.
    ends = [min(i // tile_q * tile_q + tile_q, n) - 1 for i in range(n)]
    live = [[not causal or j // tile_k * tile_k <= end for j in range(n)] for end in ends]
    scores, brought = sum(map(sum, live)), sum(sum(live[i]) for i in range(0, n, tile_q))
    expected = n * (d_k + d_v) + brought * (d_k + d_v), scores * (d_k + d_v)
    got = tiled_cost(n, d_k, d_v, tile_q, tile_k, causal) if causal else tiled_cost(n, d_k, d_v, tile_q, tile_k)
    sizes = f"with {n=}, {d_k=}, {d_v=}, {tile_q=}, {tile_k=}, {causal=}, "
    for name, mine, right in zip(["numbers moved", "multiply-adds"], some(got, 2, "numbers_moved, multiply_adds"), expected):
        check_numbers(mine, right, f"in the {name}", sizes, tolerance=0)
### END HIDDEN TESTS

# %% [markdown]
# Count and measure: the next cell compares your numbers with the log of your 7.4. Predict for the last two lines, which differ only in the shape of a tile: which of them moves more, and which computes more?

# %% tags=["demonstration"]
for n, d, tile_q, tile_k, causal in [(64, 8, 8, 8, False), (64, 8, 8, 8, True), (60, 8, 16, 8, True), (60, 8, 8, 16, True)]:
    _, log = run_tiled(*(np.ones((n, d)) for _ in range(3)), tile_q, tile_k, causal)
    moved = sum((stop - start) * d for kind, *_, start, stop in log if kind != "update")
    work = sum(rows * cols * 2 * d for kind, rows, cols in (one for one in log if one[0] == "update"))
    name = f"tiles of {tile_q} by {tile_k}{', causal' * causal}"
    print(f"{name:25} counted {tiled_cost(n, d, d, tile_q, tile_k, causal)}, logged {(moved, work)}")

# %% [markdown]
# Tiles that are taller, with more queries, move less: the keys come past fewer times. The work is the same. The next cell counts for 4096 tokens and 64 numbers a head. Two tables that are written and read again, scores and weights, would move $4 n^2$ numbers, besides $4 n d$ for `Q`, `K`, `V` and the output.

# %% tags=["demonstration"]
n, d = 4096, 64
print(f"whole tables:        {(4 * n * d + 4 * n * n) / 1e6:5.1f} million numbers moved, {2 * n * n * d:,} multiply-adds")
for tile in [64, 128, 512]:
    moved, work = tiled_cost(n, d, d, tile, tile)
    print(f"tiles of {tile:3} by {tile:3}: {moved / 1e6:5.1f} million numbers moved, {work:,} multiply-adds")
print(f"tiles of 128 by 128, causal: {tiled_cost(n, d, d, 128, 128, True)[1]:,} multiply-adds")


# %% [markdown]
# ## Part two: the tokens come one by one
#
# A model that writes makes one token, appends it to the text, and asks again. The keys and values of all earlier tokens are the same as before, so they are kept: this is the *KV cache*.

# %% [markdown]
# ## 7.7 Attention with a cache
#
# **4 points · about 20 minutes · difficulty ●●●**
#
# Write one causal attention layer that can be given its text in pieces. It has several heads, as in lesson 03. With each call come some new tokens, one or more, and the cache of what was there before.
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values of the new tokens | `x @ W_q`, `x @ W_k`, `x @ W_v`, cut into heads | `(num_heads, n_new, head_size)` |
# | all keys and values | those in the cache, then the new ones | `(num_heads, n_past + n_new, head_size)` |
# | scores | divided by $\sqrt{\mathrm{head\_size}}$ | `(num_heads, n_new, n_past + n_new)` |
# | causal mask | new token `i` is token `n_past + i` of the text, and sees all up to itself | `(n_new, n_past + n_new)` |
# | output | softmax, times values, heads side by side, times `W_o` | `(n_new, d_model)` |
#
# `cache` is `None` at the beginning, then `(K, V)`, as your function gave it back. However a text is cut, the outputs are the rows of one causal attention over all of it. The cache that was given stays as it was: somebody may want to go on from it twice. Scores may be as large as ±1000.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 tokens in the cache and 2 new ones, the mask has 2 rows and 5 columns. Which of the ten places are blocked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `reshape(n_new, num_heads, head_size)` and `transpose(1, 0, 2)` cut into heads; `transpose(1, 0, 2)` and `reshape(n_new, d_model)` put them together. `np.concatenate([old, new], axis=1)` makes a new array. `np.arange`, compared with a column of numbers.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Queries, keys and values of the new tokens, in heads. If there is a cache, put its keys before the new keys, and its values before the new values. Scores of the new queries with all keys, divided. Block each key whose number is larger than n_past plus the query's. Softmax with the row's maximum subtracted. Times the values, heads side by side, times W_o. Return this, and the pair of all keys and all values.
# </details>
#
# <details><summary>I get “all the input array dimensions except for the concatenation axis must match exactly”</summary>
#
# The tokens are on axis 1 of keys and values that are cut into heads: `(num_heads, tokens, head_size)`. Joined along axis 0, they would become more heads, along axis 2 longer ones.
# </details>

# %% nbgrader={"grade": false, "grade_id": "attend-with-cache", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    """Causal attention of new tokens to the cached ones and to themselves.

    x: (n_new, d_model). cache: None or (K, V), each (num_heads, n_past, head_size).
    W_q, W_k, W_v, W_o: (d_model, d_model), from the right.
    Returns (output, cache): (n_new, d_model), and (K, V) of n_past + n_new tokens.
    Nothing that was given is changed, the cache neither.
    """
    ### BEGIN SOLUTION
    n_new, d_model = x.shape
    size = d_model // num_heads
    q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
    if cache is not None:
        k = np.concatenate([cache[0], k], axis=1)
        v = np.concatenate([cache[1], v], axis=1)
    n_all = k.shape[1]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
    future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
    scores = np.where(future, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
    return merged @ W_o, (k, v)
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "cache-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
tiny_rng = np.random.default_rng(7)
five_tokens = tiny_rng.integers(-2, 3, (5, 6)) / 2
four_matrices = [tiny_rng.integers(-2, 3, (6, 6)) / 2 for _ in range(4)]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "cached", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def cached(x, past_K, past_V, W_q, W_k, W_v, W_o, num_heads):
    """Your output, keys and values, from a cache, or from none if past_K is None."""
    cache = None if past_K is None else (past_K, past_V)
    output, kept = some(attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads), 2, "output, cache", (tuple, list))
    return output, *some(kept, 2, "K, V as the cache", (tuple, list))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "keys-and-values", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def keys_and_values(x, matrices, num_heads):
    """The cache after the tokens x."""
    return [np.stack(np.split(x @ W, num_heads, axis=1)) for W in matrices[1:3]]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "wide-cache", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
wide_matrices = [some_numbers(60 * n, 12, 12) / 4 for n in range(4)]
wide_tokens = some_numbers(33, 7, 12)
loud_tokens = np.array([9, 9, 9, 9, 1, 17, 1])[:, None] * wide_tokens

# %% nbgrader={"grade": true, "grade_id": "attend-with-cache-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("attend-with-cache", output="token number", K="head token number", V="head token number")
past = [keys_and_values(five_tokens[:n], four_matrices, 2) for n in (2, 4)]
check("attend-with-cache", "tokens 0 and 1, nothing before", cached, five_tokens[:2], None, None, *four_matrices, 2)
check("attend-with-cache", "tokens 2 and 3", cached, five_tokens[2:4], *past[0], *four_matrices, 2)
check("attend-with-cache", "token 4", cached, five_tokens[4:], *past[1], *four_matrices, 2)
wide_past, loud_past = keys_and_values(wide_tokens[:4], wide_matrices, 3), keys_and_values(loud_tokens[:4], wide_matrices, 4)
check("attend-with-cache", "3 heads of 4 numbers, 3 tokens after 4", cached, wide_tokens[4:], *wide_past, *wide_matrices, 3)
check("attend-with-cache", "4 heads, with large scores", cached, loud_tokens[4:], *loud_past, *wide_matrices, 4)
check("attend-with-cache", "3 tokens, nothing before, 2 heads", cached, wide_tokens[:3], None, None, *wide_matrices, 2)
### BEGIN HIDDEN TESTS
for seed, (n, d_model, heads, cuts, level) in enumerate([(9, 6, 2, [4, 5, 6, 9], 1), (11, 12, 3, [1, 2, 7, 11], 1),
        (7, 8, 4, [7], 1), (10, 6, 3, [2, 4, 7, 10], 30), (8, 6, 1, [3, 6, 8], 1)], 170):
    rng = np.random.default_rng(seed)
    x, W = level * rng.normal(size=(n, d_model)), [rng.normal(size=(d_model, d_model)) / d_model**0.5 for _ in range(4)]
    size = d_model // heads
    q, k, v = (np.stack([x @ w[:, h * size:(h + 1) * size] for h in range(heads)]) for w in W[:3])
    mixed = np.zeros((n, d_model))
    for h, i in np.ndindex(heads, n):
        dots = np.array([math.fsum(q[h, i] * k[h, j]) / size**0.5 for j in range(i + 1)])
        terms = np.exp(dots - max(dots))
        mixed[i, h * size:(h + 1) * size] = sum(t * v[h, j] for j, t in enumerate(terms)) / math.fsum(terms)
    full, cache, start = mixed @ W[3], None, 0
    for end in cuts:
        given = x[start:end].copy(), *(cache or ()), *(w.copy() for w in W)
        before = [one.copy() for one in given]
        with np.errstate(all="ignore"):
            output, made = some(attend_with_cache(given[0], cache and (given[1], given[2]), *given[-4:], heads), 2, "output, cache", (tuple, list))
        made = some(made, 2, "K, V as the cache", (tuple, list))
        sizes = f"with {n=}, {d_model=}, {heads=}, cut at {cuts}, tokens {start} to {end - 1}, "
        check_numbers(output, full[start:end], "in the output", sizes)
        for name, mine, right in zip(["keys", "values"], made, (k, v)):
            check_numbers(mine, right[:, :end], f"in the {name} of the cache", sizes)
        check_same(given, before)
        # The cache that was given is kept, and a copy of what is right goes on.
        cache, start = (k[:, :end].copy(), v[:, :end].copy()), end
### END HIDDEN TESTS

# %% [markdown]
# What is the cache good for? The next cell makes 64, 128 and 256 tokens one by one, with your cache and without: then all tokens so far go through the layer each time, and only the last row is used. Predict: twice the tokens, how many times the time?

# %% tags=["demonstration"]
rng = np.random.default_rng(2)
W = [rng.normal(size=(64, 64)) / 8 for _ in range(4)]
for n in [64, 128, 256]:
    x, cache, rows, seconds = rng.normal(size=(n, 64)), None, [[], []], [time.perf_counter()]
    for i in range(n):
        output, cache = attend_with_cache(x[i:i + 1], cache, *W, 4)
        rows[0].append(output[0])
    seconds.append(time.perf_counter())
    for i in range(n):
        rows[1].append(attend_with_cache(x[:i + 1], None, *W, 4)[0][-1])
    seconds.append(time.perf_counter())
    gap = max(np.abs(np.array(one) - attend_with_cache(x, None, *W, 4)[0]).max() for one in rows)
    print(f"{n:3} tokens: {1e3 * (seconds[1] - seconds[0]):5.1f} ms with the cache, "
          f"{1e3 * (seconds[2] - seconds[1]):6.1f} ms without; gap to one pass {gap:.0e}", flush=True)

# %% [markdown]
# Without the cache, token $t$ costs the projections of $t$ tokens and $t^2$ scores. With it, one token's projections and $t$ scores. So twice the tokens take about twice the time with it, and without it between four and eight times as long. The next cell counts the multiply-adds for 512 tokens of this layer.

# %% tags=["demonstration"]
n, d = 512, 64
with_cache = sum(4 * d * d + 2 * t * d for t in range(1, n + 1))
without = sum(4 * t * d * d + 2 * t * t * d for t in range(1, n + 1))
print(f"{with_cache:,} multiply-adds with the cache, {without:,} without: {without / with_cache:.0f} times as many")


# %% [markdown]
# ## 7.8 Heads that share keys
#
# **2 points · about 12 minutes · difficulty ●●○ · PyTorch**
#
# The cache of a large model fills gigabytes, and each step reads all of it. To make it smaller, several query heads share the keys and values of one head. With one key head for all, this is *multi-query attention*, MQA (Shazeer, 2019). With some, it is *grouped-query attention*, GQA (Ainslie and others, 2023). The attention of lesson 03, where each head has its own, is called MHA.
#
# The groups are **contiguous**: with 6 query heads and 2 key heads, query heads 0, 1, 2 use key head 0, and query heads 3, 4, 5 use key head 1. In words of arithmetic, query head `h` uses key head `h // (num_heads / kv_heads)`.
#
# | operation | expression | shape |
# |---|---|---|
# | queries | `Q` | `(batch, num_heads, seq_q, d_k)` |
# | keys, values | `K`, `V` | `(batch, kv_heads, seq_k, d_k)`, `(batch, kv_heads, seq_k, d_v)` |
# | output | attention of each query head, scale $\sqrt{d_k}$, no mask | `(batch, num_heads, seq_q, d_v)` |
#
# If `kv_heads` does not divide `num_heads`, raise a `ValueError` with a sentence that names both numbers. Scores may be as large as ±1000.
#
# <details><summary>Hint 1: a question</summary>
#
# You may copy each key head for its query heads. The list of key heads then has to be 0, 0, 0, 1, 1, 1. Which function gives that order, and which gives 0, 1, 0, 1, 0, 1?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `K.repeat_interleave(3, dim=1)` or `Q.unflatten(1, (kv_heads, -1))` with `K[:, :, None]`. `transpose(-2, -1)`, `@`, `softmax(dim=-1)`, which is stable by itself. Compare with `repeat` before you choose.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Read both numbers of heads from the shapes. If one doesn't divide the other, raise the error. How many query heads share a key head? Repeat each head of keys and values so many times, one copy next to the other. Then attention as ever.
# </details>

# %% nbgrader={"grade": false, "grade_id": "grouped-query-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def grouped_query_attention(Q, K, V):
    """Attention in which contiguous groups of query heads share a head of keys and values.

    Q: (batch, num_heads, seq_q, d_k), K: (batch, kv_heads, seq_k, d_k),
    V: (batch, kv_heads, seq_k, d_v).
    Returns (batch, num_heads, seq_q, d_v). No input is changed.
    Raises ValueError, with both numbers of heads, if kv_heads does not divide num_heads.
    """
    ### BEGIN SOLUTION
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
    keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
    values = V.repeat_interleave(num_heads // kv_heads, dim=1)
    scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return scores.softmax(dim=-1) @ values
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "six-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
group_rng = np.random.default_rng(8)
six_heads = [torch.tensor(group_rng.integers(-2, 3, size), dtype=torch.float64) for size in [(2, 6, 2, 3), (2, 2, 4, 3), (2, 2, 4, 2)]]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "group-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def group_inputs(start, batch, heads, kv_heads, seq_q, seq_k, d_k, d_v):
    """Q, K and V."""
    shapes = (batch, heads, seq_q, d_k), (batch, kv_heads, seq_k, d_k), (batch, kv_heads, seq_k, d_v)
    return [torch.tensor(some_numbers(start + 70 * n, *shape)) for n, shape in enumerate(shapes)]


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "names-both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def names_both(*heads):
    """Stop unless the error names both numbers of heads."""
    try:
        grouped_query_attention(*group_inputs(0, 2, *heads, 3, 5, 2, 4))
    except ValueError as error:
        assert all(str(n) in str(error) for n in heads), (
            f"{heads[0]} heads and {heads[1]} key heads: the error says “{error}”\nName both numbers of heads in it.")


# %% nbgrader={"grade": true, "grade_id": "grouped-query-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("grouped-query-attention", output="sequence head query value")
check("grouped-query-attention", "6 heads, 2 key heads", grouped_query_attention, *six_heads)
check("grouped-query-attention", "8 heads, 4 key heads", grouped_query_attention, *group_inputs(3, 3, 8, 4, 2, 6, 5, 3))
check("grouped-query-attention", "MHA: 3 heads, 3 key heads", grouped_query_attention, *group_inputs(5, 2, 3, 3, 5, 4, 2, 6))
check("grouped-query-attention", "MQA: 4 heads, 1 key head", grouped_query_attention, *group_inputs(9, 2, 4, 1, 3, 5, 4, 2))
loud_heads = group_inputs(1, 2, 4, 2, 3, 5, 6, 4)
check("grouped-query-attention", "with scores near ±1000", grouped_query_attention, 130 * loud_heads[0], *loud_heads[1:])
check("grouped-query-attention", "6 heads and 4 key heads", grouped_query_attention, *group_inputs(0, 2, 6, 4, 3, 5, 2, 4))
names_both(6, 4)
### BEGIN HIDDEN TESTS
cases = [(2, 6, 2, 4, 5, 3, 7), (3, 6, 3, 5, 4, 2, 3), (2, 4, 1, 3, 6, 5, 2), (1, 3, 3, 2, 5, 4, 3), (2, 8, 2, 3, 4, 3, 5), (2, 4, 2, 3, 5, 4, 3)]
for seed, (batch, heads, kv, n_q, n_k, d_k, d_v) in enumerate(cases, 270):
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=size) if seed < 275 else rng.integers(-3, 4, size).astype(float)
              for size in [(batch, heads, n_q, d_k), (batch, kv, n_k, d_k), (batch, kv, n_k, d_v)]]
    if seed == 275:
        arrays[0], arrays[1] = 60 * arrays[0], 2 * arrays[1]
    Q, K, V = arrays
    expected = np.zeros((batch, heads, n_q, d_v))
    for b, h, i in np.ndindex(batch, heads, n_q):
        dots = np.array([math.fsum(Q[b, h, i] * key) / d_k**0.5 for key in K[b, h * kv // heads]])
        terms = np.exp(dots - max(dots))
        expected[b, h, i] = sum(t * v for t, v in zip(terms, V[b, h * kv // heads])) / math.fsum(terms)
    given = [torch.tensor(one) for one in arrays]
    got = grouped_query_attention(*given)
    check_numbers(got, expected, "in the output of larger arrays", f"with {batch=}, {heads=}, key heads {kv}, {n_q=}, {n_k=}, {d_k=}, {d_v=}, ",
                  tolerance=1e-6 if seed < 275 else 1e-3)  # equal scores near 1000 differ by rounding in 32 bits
    check_same([one.numpy() for one in given], arrays)
for heads, kv in [(6, 4), (5, 2), (3, 7)]:
    try:
        grouped_query_attention(*(torch.ones(2, n, 3, 2) for n in (heads, kv, kv)))
        raise AssertionError(f"{heads} heads and {kv} key heads must be refused")
    except ValueError as error:
        assert str(heads) in str(error) and str(kv) in str(error), f"the error must name {heads} and {kv}"
### END HIDDEN TESTS

# %% [markdown]
# PyTorch has this built in, so there is a second route. The next cell compares with it, and with key heads that are repeated in the wrong order. Predict: which of the 6 heads get the right keys by chance?

# %% tags=["demonstration"]
Q, K, V = group_inputs(4, 2, 6, 2, 3, 5, 4, 4)
theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
wrong = torch.nn.functional.scaled_dot_product_attention(Q, K.repeat(1, 3, 1, 1), V.repeat(1, 3, 1, 1))
print(f"gap to PyTorch: {(grouped_query_attention(Q, K, V) - theirs).abs().max():.0e}")
print("gap of the wrong order, head by head:", [f"{one:.2f}" for one in (wrong - theirs).abs().amax(dim=(0, 2, 3))])


# %% [markdown]
# Only heads 1 and 4 are wrong: 0, 1, 0, 1, 0, 1 and 0, 0, 0, 1, 1, 1 agree in the other places. The shape is right everywhere, so nothing warns you. A model whose weights were trained with one order and are used with the other speaks nonsense.
#
# ## 7.9 What a step costs in bytes
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# One step of writing makes one token for each sequence. Its query meets all cached keys, and its weights all cached values. So every number of the cache has to be brought to the processor, and little is done with it. Count for a whole model, with `seq_len` tokens in the cache:
#
# | what | what it counts |
# |---|---|
# | `cache_bytes` | all keys and all values, in all layers, of all sequences: each has `num_kv_heads` heads of `head_size` numbers for each token |
# | `multiply_adds` | the scores and the mixing, for all `num_heads` query heads, of one new token for each sequence. Projections don't count, and neither does the new token's own key |
# | `intensity` | multiply-adds for each byte of the cache, a float |
#
# <details><summary>Hint 1: a question</summary>
#
# For one query head, one layer and one sequence: how many multiply-adds for the scores with `seq_len` keys, and how many for mixing as many values?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Only products, and one quotient. Both the cache and the work have a factor 2, for different reasons: keys and values, scores and mixing.
# </details>

# %% nbgrader={"grade": false, "grade_id": "decode-cost", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    """What one step of writing costs, with seq_len tokens in the cache.

    Returns (cache_bytes, multiply_adds, intensity): the bytes of all keys and values,
    the multiply-adds of scores and mixing for one new token of each sequence, and the
    second divided by the first.
    """
    ### BEGIN SOLUTION
    cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
    multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
    return cache_bytes, multiply_adds, multiply_adds / cache_bytes
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "decode-cost-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("decode-cost", cache_bytes="", multiply_adds="", intensity="")
check("decode-cost", "7 sequences, 15 heads, 5 key heads", decode_cost, 7, 11, 13, 15, 5, 17, 4)
check("decode-cost", "2 sequences, 6 heads, 2 key heads", decode_cost, 2, 5, 3, 6, 2, 8, 4)
check("decode-cost", "3 sequences, 4 heads, 1 key head", decode_cost, 3, 7, 2, 4, 1, 5, 2)
check("decode-cost", "1 sequence, 10 heads, 10 key heads", decode_cost, 1, 11, 4, 10, 10, 3, 1)
### BEGIN HIDDEN TESTS
for case in [(1, 4096, 32, 32, 32, 128, 2), (3, 1000, 80, 64, 8, 128, 2), (4, 17, 5, 12, 3, 7, 4), (2, 9, 6, 8, 1, 16, 1)]:
    batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number = case
    stored = sum(head_size * bytes_per_number for _ in ("keys", "values") for _ in range(batch * layers * num_kv_heads)) * seq_len
    work = sum(head_size for _ in ("scores", "mixing") for _ in range(batch * layers * num_heads)) * seq_len
    got, names = decode_cost(*case), ["cache_bytes", "multiply_adds", "intensity"]
    got = numbers([got[name] for name in names] if isinstance(got, dict) else got)
    assert got.shape == (3,), "what came back is not 3 numbers\ngive back (cache_bytes, multiply_adds, intensity)"
    for name, mine, right in zip(names, got, (stored, work, work / stored)):
        check_numbers(mine, right, f"in {name}", f"with {case}, ", tolerance=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# Two models that were published, with 2 bytes a number: Llama 2 7B has 32 layers and 32 heads of 128 numbers, each with keys of its own. Llama 2 70B has 80 layers and 64 heads, but only 8 key heads. Predict: which of the two has the larger cache at 4096 tokens?

# %% tags=["demonstration"]
for name, *sizes in [("Llama 2 7B", 32, 32, 32), ("Llama 2 70B", 80, 64, 8), ("70B, if MHA", 80, 64, 64), ("70B, if MQA", 80, 64, 1)]:
    stored, work, intensity = decode_cost(1, 4096, *sizes, 128, 2)
    print(f"{name:12}: {stored / 2**30:6.3f} GiB, {stored // 4096:9,} bytes a token, {intensity:4.1f} multiply-adds a byte")

# %% alt="The cache in GiB over the number of tokens, up to 32,768, for 80 layers and 64 heads. Three straight lines from 0: MHA rises to 80 GiB, 8 key heads to 10, MQA to a little over 1." tags=["demonstration"]
tokens = np.arange(0, 32769, 2048)
fig, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for kv_heads, style, name in [(64, "-", "MHA, 64 key heads"), (8, "--", "GQA, 8 key heads"), (1, ":", "MQA, 1 key head")]:
    ax.plot(tokens, [decode_cost(1, n, 80, 64, kv_heads, 128, 2)[0] / 2**30 if n else 0 for n in tokens.tolist()], style, linewidth=2, label=name)
ax.set(xticks=range(0, 32769, 8192), xlabel="tokens in the cache", ylabel="cache of one text, GiB")
ax.legend()
plt.show()


# %% [markdown]
# The larger model has the smaller cache, thanks to shared keys. And per byte that is read, it computes eight times as much. A large graphics processor can do about a hundred multiply-adds in the time that it takes to bring one byte from its memory. So it is the bytes that set the pace.
#
# You can measure it. The next cell does one step with 8 query heads and 32,768 keys. The queries are the same and so is the number of multiply-adds, 33.6 million. Only the number of key heads changes.

# %% tags=["demonstration"]
def best_time(function):
    """The shortest of seven runs, in seconds."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


rng = np.random.default_rng(3)
queries = torch.tensor(rng.normal(size=(8, 64)), dtype=torch.float32)
for kv_heads in [8, 4, 2, 1]:
    K = torch.tensor(rng.normal(size=(kv_heads, 32768, 64)), dtype=torch.float32)  # stands for V, too
    grouped = queries.reshape(kv_heads, -1, 64)
    seconds = best_time(lambda: (grouped @ K.transpose(-2, -1) / 8).softmax(dim=-1) @ K)
    print(f"{kv_heads} key heads, {2 * K.numel() * 4 / 2**20:5.1f} MiB to read: {1e3 * seconds:5.2f} ms", flush=True)


# %% [markdown]
# The same work, and much less time. Not all of it comes from the bytes: with several queries for each key head, the product is one of two matrices, which processors do better than a matrix with a vector. Both have one cause, that each number is used more than once after it was brought. (On a busy machine you may see it only between the first line and the last.)

# %% [markdown]
# ## Part three: where a token stands
#
# Attention doesn't know the order of its tokens: shuffle the keys together with their values, and the output is the same. Lesson 06 told questions apart by tags. A usual way with long texts is to **turn** queries and keys.

# %% [markdown]
# ## 7.10 Turned by position
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# Take the features of a query two at a time: (0, 1), (2, 3), and so on. Each pair is a point in a plane. Turn it around the origin by an angle that grows with the token's position. Do the same to the keys. The dot product of two turned points depends only on the **difference** of their angles, so a score depends on how far two tokens are apart, and which comes first, not on where they stand. These are *rotary positions*, RoPE (Su and others, 2021).
#
# Each pair turns at its own speed: with `d` features, pair `i` of the token at position `p` turns by
#
# $$p \cdot \theta_i \qquad \theta_i = \mathrm{base}^{-2i/d} \qquad i = 0, 1, \dots, d/2 - 1$$
#
# in radians. Pair 0 turns by 1 for each position, the last pair hardly at all. A point $(a, b)$ that is turned by the angle $\varphi$ becomes
#
# $$(a \cos\varphi - b \sin\varphi,\;\; a \sin\varphi + b \cos\varphi)$$
#
# | operation | expression | shape |
# |---|---|---|
# | speeds | $\mathrm{base}^{-2i/d}$ | `(d/2,)` |
# | angles | position times speed | `(n, d/2)` |
# | first and second of each pair | features 0, 2, 4, … and 1, 3, 5, … | `(…, n, d/2)` |
# | result | turned, and back in their places | `(…, n, d)` |
#
# Any axes may stand in front of `x`, also none, and it may hold whole numbers. Positions are any real numbers, in any order. If `d` is odd, raise a `ValueError` with a sentence that names it.
#
# <details><summary>Hint 1: a question</summary>
#
# The new first feature needs the old second one, and the new second feature needs the old first one. What happens if the first is overwritten before the second is computed?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `x[..., 0::2]` and `x[..., 1::2]` are the first and the second ones; such slices can stand on the left of `=`, too, in a new array from `np.empty(x.shape)`. `np.arange(0, d, 2)` holds the numbers 2i. `np.asarray(positions)[:, None]`, `np.cos`, `np.sin`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# If d is odd, raise the error. Make the speeds: base to the power of minus 2i over d. The angles: positions as a column, times speeds. Take cosine and sine. Make an empty array like x. Into its even places goes the first formula, into its odd places the second.
# </details>
#
# <details><summary>I get “Integers to negative integer powers are not allowed”</summary>
#
# With a whole number as base, NumPy wants the exponents as floats: divide by d before you take the power, as the formula does.
# </details>

# %% nbgrader={"grade": false, "grade_id": "rotate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rotate(x, positions, base=10000.0):
    """Rotary positions: features 2i and 2i + 1 are a point, turned by
    positions * base^(-2i/d).

    x: (..., n, d), d even. positions: (n,), any real numbers.
    Returns (..., n, d). No input is changed. Raises ValueError, naming d, if d is odd.
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} features do not make pairs")
    theta = base ** (-np.arange(0, d, 2) / d)
    angles = np.asarray(positions)[:, None] * theta
    cos, sin = np.cos(angles), np.sin(angles)
    turned = np.empty(x.shape)
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return turned
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "rotate-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
two_sequences = np.array([[[1.0, 2, 3, 4], [1, 2, 3, 4]], [[0, 1, 1, 0], [2, 0, 0, 1]]])


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "names-odd", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def names_odd(d):
    """Stop unless the error names d."""
    try:
        rotate(some_numbers(0, 2, 3, d), np.arange(3))
    except ValueError as error:
        assert str(d) in str(error) and "broadcast" not in str(error), (
            f"{d} features: the error says “{error}”\n"
            "Say it yourself before you compute: raise a ValueError whose sentence names d.")


# %% nbgrader={"grade": true, "grade_id": "rotate-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("rotate", turned="sequence token feature")
check("rotate", "2 sequences, positions 2 and 5", rotate, two_sequences, np.array([2, 5]))
check("rotate", "the same with base 100", rotate, two_sequences, np.array([2, 5]), 100.0)
check("rotate", "whole numbers as features", rotate, np.array([[[1, 2, 3, 4], [4, 3, 2, 1]]]), np.array([1, 2]))
check("rotate", "3 sequences, 4 tokens of 6 features, positions 1, −3, 0.5, 40", rotate, some_numbers(2, 3, 4, 6), np.array([1, -3, 0.5, 40]))
returns("rotate", turned="token feature")
check("rotate", "no axis in front, 5 tokens of 2 features", rotate, some_numbers(6, 5, 2), np.array([4, 3, 0, 9, 1]))
returns("rotate", turned="sequence head token feature")
check("rotate", "2 sequences of 3 heads", rotate, some_numbers(8, 2, 3, 2, 8), np.array([6, 1]), base=50.0)
check("rotate", "5 features make no pairs", rotate, some_numbers(0, 2, 3, 5), np.arange(3))
names_odd(5)
### BEGIN HIDDEN TESTS
cases = [((5, 6), [0, 1, 2, 3, 4], None), ((2, 3, 4, 8), [7, 3, 0, 100], None), ((3, 4, 10), [2.5, -3, 40, 1], 500.0),
         ((4, 2), [9, 8, 2, 5], 10.0), ((6, 12), [3, 4, 5, 6, 7, 8], None)]
for seed, (size, positions, base) in enumerate(cases, 370):
    x, p = np.random.default_rng(seed).normal(size=size), np.array(positions)
    d, given = size[-1], x.copy()
    # Turning is multiplying by a complex number of length 1.
    speeds = [(base or 10000.0) ** (-2 * i / d) for i in range(d // 2)]
    points = [(x[..., 2 * i] + 1j * x[..., 2 * i + 1]) * np.exp(1j * p * speed) for i, speed in enumerate(speeds)]
    expected = np.stack([part for z in points for part in (z.real, z.imag)], axis=-1)
    got = rotate(given, p) if base is None else rotate(given, p, base)
    check_numbers(got, expected, "in features that are turned", f"with x {size}, {positions=}, base {base or 'as usual'}, ")
    check_same([given, p], [x, np.array(positions)])
for d in (3, 7):
    try:
        rotate(np.ones((2, d)), np.arange(2))
        raise AssertionError(f"{d} features must be refused")
    except ValueError as error:
        assert str(d) in str(error) and "broadcast" not in str(error), f"the error must say that {d} is odd"
### END HIDDEN TESTS

# %% [markdown]
# How fast do the pairs turn, and what does it do to a score? The left picture shows the angle over the position for some pairs of 64 features. On the right, a query and a key with the same features stand at a growing distance. Predict: does the score fall evenly with the distance?

# %% alt="Left: angle over position for pairs 0, 4, 8, 12 and 16 of 64 features, straight lines from 0, pair 0 the steepest. Right: score over distance from 0 to 512, as a share of the score at distance 0. It falls quickly from 1 to about 0.5, then slowly to about 0.25, in uneven waves, for equal features and a little higher for random ones." tags=["demonstration"]
distances = np.arange(513)
theta = 10000.0 ** (-np.arange(0, 64, 2) / 64)
fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.2), layout="constrained")
for pair, style in zip([0, 4, 8, 12, 16], ["-", "--", "-.", ":", (0, (6, 1))]):
    left.plot(distances[:33], distances[:33] * theta[pair], linestyle=style, label=f"pair {pair}")
left.set(xlabel="position", ylabel="angle, radians")
left.legend()
for name, one, style in [("all features 1", np.ones(64), "-"), ("random features", np.random.default_rng(5).normal(size=64), "--")]:
    turned = rotate(np.tile(one, (513, 1)), distances)
    right.plot(distances, turned @ turned[0] / (one @ one), style, linewidth=1, label=name)
right.set(xlabel="distance of query and key", ylabel="score / score at distance 0")
right.legend()
plt.show()


# %% [markdown]
# It falls, but not evenly: some pairs are back where they were when others point the other way. The fastest pair is round after 6.28 tokens, the slowest after 47,117, so near and far tokens both leave a mark. And this holds for a query and a key that are the same. A model *learns* both, and can learn scores that rise with the distance.

# %% [markdown]
# ## 7.11 The other convention
#
# **1 point · about 8 minutes · difficulty ●●○**
#
# Which two features make a pair is a convention, and there are two. You have paired neighbours, 2i with 2i + 1, as in the paper. Other code (GPT-NeoX, and Llama in the Hugging Face library) pairs feature i with feature i + d/2: the first half with the second half. Both are right, as long as queries, keys *and the trained weights* agree. Mixing them gives no error, only a model that speaks nonsense. So weights have to be put in another order when they move from one to the other.
#
# `rotate_halves` in the next cell turns halves. Find the order of the features for which
#
# `rotate_halves(x[..., order], p)` equals `rotate(x, p)[..., order]`.
#
# `half_split_order(d)` returns it as `d` whole numbers, each of 0 … d − 1 once. `x[..., order]` then has `x[..., order[0]]` in place 0. Only one order does it.
#
# <details><summary>Hint 1: a question</summary>
#
# In the new order, feature 0 and feature d/2 make a pair, and it turns as fast as pair 0. Which two of the old features have to stand there?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.arange(0, d, 2)`, `np.concatenate`, or two `range` in a list.
# </details>

# %% nbgrader={"grade": false, "grade_id": "rotate-halves", "locked": true, "schema_version": 3, "solution": false, "task": false}
def rotate_halves(x, positions, base=10000.0):
    """Rotary positions in the other convention: features i and i + d/2 are a point."""
    first, second = np.split(x, 2, axis=-1)
    speeds = base ** -np.linspace(0, 1, first.shape[-1], endpoint=False)
    points = (first + 1j * second) * np.exp(1j * np.outer(positions, speeds))  # turning, with complex numbers
    return np.concatenate([points.real, points.imag], axis=-1)


# %% nbgrader={"grade": false, "grade_id": "half-split-order", "locked": false, "schema_version": 3, "solution": true, "task": false}
def half_split_order(d):
    """The order of d features in which rotate_halves does what rotate did before.

    Returns d whole numbers, each of 0 ... d - 1 once, for an even d.
    """
    ### BEGIN SOLUTION
    return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "half-split-order-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("half-split-order", order="place")
check("half-split-order", "8 features", half_split_order, 8)
check("half-split-order", "6 features", half_split_order, 6)
check("half-split-order", "2 features", half_split_order, 2)
### BEGIN HIDDEN TESTS
for d in (2, 4, 6, 8, 10, 14):
    order = numbers(half_split_order(d))
    check_numbers(order, [2 * i % d + 2 * i // d for i in range(d)], "in the order", f"with {d=}, ", tolerance=0)
### END HIDDEN TESTS

# %% [markdown]
# The next cell does it: turns 10 features in both ways, and compares with your order and with the features as they were.

# %% tags=["demonstration"]
x, p = np.random.default_rng(6).normal(size=(4, 10)), np.array([0, 3, 5, 20])
order = np.array(half_split_order(10))
print(f"features in your order: gap {np.abs(rotate_halves(x[:, order], p) - rotate(x, p)[:, order]).max():.0e}")
print(f"features as they were:  gap {np.abs(rotate_halves(x, p) - rotate(x, p)).max():.0e}")


# %% [markdown]
# ## 7.12 Only the distance counts
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# Does a way of marking positions know only distances, forwards and backwards? It is easily tested: move all tokens by the same number of places, and see whether any score changes. `shift_gap(rotate, q, k, shift)` returns the largest absolute change of any score, raw, without scale and softmax:
#
# `rotate(q, positions) @ rotate(k, positions).T`
#
# once with the positions 0 … n − 1, once with all of them moved by `shift`. The function `rotate(x, positions)` is given to yours, and need not be the one of 7.10.
#
# <details><summary>Hint 1: a question</summary>
#
# When everything moves, are queries and keys both moved, or only one of them?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.arange(len(q))`, `np.abs`, `max`, and `float` to make a plain number.
# </details>

# %% nbgrader={"grade": false, "grade_id": "shift-gap", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_gap(rotate, q, k, shift):
    """The largest absolute change of any score when all positions move by shift.

    rotate: a function of (x, positions). q, k: (n, d), at the positions 0 ... n - 1.
    Returns a float.
    """
    ### BEGIN SOLUTION
    here = np.arange(len(q))
    scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
    return float(np.abs(moved - scores).max())
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shift-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def growing(x, positions):
    """Each token times 1 + p / 4."""
    return x * (1 + np.asarray(positions)[:, None] / 4)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "turning", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def turning(x, positions):
    """Rotary positions, in the other convention."""
    return rotate_halves(x, positions)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "sinusoids", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def sinusoids(x, positions):
    """Waves of position are added, as in the Transformer of 2017."""
    d = x.shape[-1]
    angles = np.outer(positions, 10000.0 ** -np.linspace(0, 1, d // 2, endpoint=False))
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(x), d)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shift-tables", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
shift_q, shift_k = np.array([[1.0, 0], [2, 1], [0, -3]]), np.array([[0.0, 1], [1, 1], [-2, 0]])

# %% nbgrader={"grade": true, "grade_id": "shift-gap-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("shift-gap", gap="")
check("shift-gap", "waves that are added, moved by 3", shift_gap, sinusoids, some_numbers(93, 5, 6), some_numbers(128, 5, 6), 3)
check("shift-gap", "tokens that grow, moved by −6", shift_gap, growing, shift_q, shift_k, -6)
check("shift-gap", "rotary positions, moved by 5", shift_gap, turning, shift_q, shift_k, 5)
check("shift-gap", "no positions at all", shift_gap, lambda x, positions: x, shift_q, shift_k, 2)
### BEGIN HIDDEN TESTS
def by_hand(place, q, k, shift):
    n = range(len(q))
    tables = [[[math.fsum(a * b) for b in place(k, p)] for a in place(q, p)] for p in (np.array(n), np.array(n) + shift)]
    return max(abs(tables[1][i][j] - tables[0][i][j]) for i in n for j in n)
places = {"rotary": turning, "waves": sinusoids, "growth": lambda x, p: x * (1 + 0.1 * np.asarray(p)[:, None]),
          "a ramp": lambda x, p: x + 0.05 * np.asarray(p)[:, None], "nothing": lambda x, p: x}
for seed, (n, d, shift) in enumerate([(5, 6, 3), (7, 4, 11), (4, 8, 40)], 470):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    for name, place in places.items():
        given = q.copy(), k.copy()
        got = shift_gap(place, *given, shift)
        check_numbers(got, by_hand(place, q, k, shift), "in the largest change of a score", f"with {name}, {n=}, {d=}, {shift=}, ")
        check_same(given, (q, k))
### END HIDDEN TESTS

# %% [markdown]
# Another way to mark positions is older: to each feature of the token at position p a sine or cosine of p is added, with a speed of its own, as in the Transformer of 2017. Now move 6 tokens by 100,000 places. Predict: how large is the gap with your `rotate`, and how large with such waves?

# %% tags=["demonstration"]
rng = np.random.default_rng(4)
q, k = rng.normal(size=(6, 8)), rng.normal(size=(6, 8))
for name, place in [("rotary", rotate), ("waves that are added", sinusoids)]:
    print(f"{name}: {shift_gap(place, q, k, 100_000):.0e}" if name == "rotary" else f"{name}: {shift_gap(place, q, k, 100_000):.1f}")

# %% alt="Four heatmaps of 6 queries and 6 keys. The two with rotary positions, for tokens from place 0 on and from place 100,000 on, look exactly alike. The two with added waves differ from each other in most cells." tags=["demonstration"]
fig, axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained", sharey=True)
for ax, (name, place, first) in zip(axes, [("rotary", rotate, 0), ("rotary", rotate, 100_000),
                                           ("waves", sinusoids, 0), ("waves", sinusoids, 100_000)]):
    places = np.arange(6) + first
    powers = np.exp(place(q, places) @ place(k, places).T / np.sqrt(8))
    image = ax.imshow(powers / powers.sum(axis=1, keepdims=True), vmin=0, vmax=1, cmap="cividis")
    ax.set(xticks=range(6), yticks=range(6), xlabel="key", title=f"{name}, from place {first:,} on")
axes[0].set(ylabel="query")
fig.colorbar(image, ax=axes, label="weight")
plt.show()

# %% [markdown]
# The rotary gap is rounding: the sine of a large angle loses digits. So both rotary pictures of the attention weights are one and the same. Added waves know where a token stands, and the scores change. A key that was turned once can therefore stay in the cache of 7.7 as it is, however long the text becomes.

# %% [markdown] nbgrader={"grade": false, "grade_id": "what-tiles-save", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 7.13 In your own words: what is saved, and where
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# 1. Without a mask, tiles compute every score that the whole table has, and a few exponentials more, for the factors. They are faster all the same. What do they save, and what do they not give up? (1 point)
# 2. In one step of writing, MHA does as many multiply-adds as MQA. Why is it slower? And why does this not hold while the prompt is read, when many tokens come at once? (1 point)
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for the tiles. ½: the table of n² scores is neither written to slow memory nor read from it, and that would cost more time than the arithmetic; a few exponentials more are cheap. ½: nothing is approximated, the output is the same up to rounding, and the memory that is needed grows with n, not with n².
#
# **1 point** for the step of writing. ½: each cached number is read for one multiply-add of each query head that shares it, so the intensity is num_heads / (num_kv_heads · bytes), far below what a processor can do for each byte: the bytes set the time, and MHA has num_heads times as many of them as MQA. ½: while the prompt is read, each key that is brought meets many queries, so the intensity grows with their number (or with the tile's), and the arithmetic sets the time.
#
# **Half right (1 point of 2):** “Tiles use less memory, and MQA has a smaller cache.” Nothing says why that makes it faster, nor what is different when a prompt is read.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you have built
#
# You have built attention that never makes its table: a state that can be carried on and merged, and tiles that pass by. You have counted what moves and what is computed, and written a test that finds slips at the edges of tiles. You have built a cache whose pieces fit together however a text is cut, heads that share their keys, and positions of which only the distance counts.
#
# Nothing here is an approximation. Each exercise computes the attention of lesson 03, in an order, a place or a form that costs less.
#
# ### Three questions to think about
#
# 1. Which of the three parts of the state, $m$, $l$ and $o$, could be left out if no score were ever above 50 or below −50?
# 2. What would tiles with a single row of queries cost in traffic, and why does a step of writing have to live with just that?
# 3. A rotated key can stay in the cache. But what if the cache is a window with an attention sink: which position should the sink's tokens have, and when do they have to be turned?
#
# <details><summary>Answers</summary>
#
# 1. $m$. Its only purpose is to keep exponentials from overflowing, and $e^{50}$ is no problem for numbers with 64 bits, nor is the sum of many. With 16 bits it is: there the largest number is 65,504, less than $e^{12}$. And $l$ can be hidden, by giving the values one more column of ones, but not left out.
# 2. For n queries all keys and values would come past n times: with 4096 tokens of 64 numbers 2.1 billion numbers, against 17 million with 128 rows. A step of writing has one query for each head, so it has no rows to put into a tile, except those of other heads that share the keys (7.8) and of other sequences. The latter bring keys of their own.
# 3. Xiao and others number the tokens by their places *in the cache*: sink 0, 1, 2, 3, then the window. So the distance between the window and the sink stays what it was in training. Then keys have to be kept unturned, and be turned anew at each step: the positions of the window move.
#
# </details>
#
# ### References
#
# - Maxim Milakov, Natalia Gimelshein: *Online Normalizer Calculation for Softmax*, 2018. The maximum that moves.
# - Noam Shazeer: *Fast Transformer Decoding: One Write-Head is All You Need*, 2019. Multi-query attention, and why bytes matter.
# - Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu: *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021. Rotary positions.
# - Markus N. Rabe, Charles Staats: *Self-attention Does Not Need O(n²) Memory*, 2021. Attention without the table.
# - Tri Dao, Daniel Y. Fu, Stefano Ermon, Atri Rudra, Christopher Ré: *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 2022. Tiles, and the count of what moves.
# - Tri Dao: *FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning*, 2023. The order of the loops in 7.4, and the division at the end.
# - Tri Dao, Daniel Haziza, Francisco Massa, Grigory Sizov: *Flash-Decoding for Long-Context Inference*, 2023. States that are merged.
# - Joshua Ainslie, James Lee-Thorp, Michiel de Jong, Yury Zemlyanskiy, Federico Lebrón, Sumit Sanghai: *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*, 2023. Heads that share keys.
# - Guangxuan Xiao, Yuandong Tian, Beidi Chen, Song Han, Mike Lewis: *Efficient Streaming Language Models with Attention Sinks*, 2023. Windows with a sink, and the positions in it.
# - Hugo Touvron, Louis Martin, Kevin Stone and others: *Llama 2: Open Foundation and Fine-Tuned Chat Models*, 2023. The sizes in 7.9.
