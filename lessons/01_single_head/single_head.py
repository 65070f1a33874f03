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
# # One head of attention
#
# *Attention, Graded · lesson 01 · NumPy · about 150 minutes · 25 points*
#
# A word means little alone. In *the cat sat on the mat*, the verb *sat* becomes a small story only when it knows **who** sat and **where**. Attention is the step in a Transformer that lets each word fetch what it needs from the others.
#
# In this lesson you build one head of it from a bare dot product, with nothing hidden. You will also break it on purpose, because the mistakes people make here run without an error and quietly give the wrong numbers.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 1.10 is answered in words and read by a person. If an exercise won't come, leave it and go on: only 1.4, 1.5 and the second half of 1.6 build on earlier ones. Cells that draw or print call your functions, so they fail until those work. The 150 minutes count reading and running such cells, too; the minutes beside an exercise are for solving it.

# %% [markdown]
# ## The one convention of this lesson
#
# Queries, keys, scores and the softmax are explained below, one by one. Come back to this table when you meet them.
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `X` is `(n, d_model)`: `n` tokens, each described by `d_model` numbers |
# | **Weight matrices multiply from the right** | `Q = X @ W_Q`, so `W_Q` is `(d_model, d_k)` |
# | **The query comes first** | `scores[i, j]` belongs to **query `i`** (who is looking) and **key `j`** (who is looked at) |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weight matrices** | `W_Q`, `W_K`: `(d_model, d_k)` · `W_V`: `(d_model, d_v)` · `W_O`: `(d_v, d_model)` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# *Attention weights* are the shares that the softmax gives: in code they are called `weights`. *Weight matrices* are the learned `W_Q`, `W_K`, `W_V` and `W_O`.
#
# Other texts make a column a token. Then everything is transposed, including which axis sums to 1. Lesson 02 does it that way.

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import timeit
import warnings

import matplotlib.pyplot as plt
import numpy as np

# What a library says of its own future is not this lesson's subject.
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
 "softmax": {
 "made of": "63e6130a4b43", "defines": ["softmax"],
 "advice": {
  "softmax over queries": "Take the maximum and the sum along the `axis` that you are given: here both run along axis 0.",
  "the axis is ignored": "Take the maximum and the sum along the `axis` that you are given: here both run along the last axis.",
  "axis 1 throughout": "Take the maximum and the sum along the `axis` that you are given: axis=0 was asked for here, and each row sums to 1.",
  "the maximum along the last axis, whatever is asked for": "Take the maximum along the same `axis` as the sum: here only the sum uses the axis that was asked for.",
  "the sum along the last axis, whatever is asked for": "Take the sum along the same `axis` as the maximum: here only the maximum uses the axis that was asked for.",
  "the sum over everything": "Give np.sum the axis, too, and keep it: you divide by the sum of all exponentials, not by that of each list.",
  "over everything": "Each list is a softmax of its own: take the maximum and the sum along `axis`, not over the whole array.",
  "the default is the first axis": "Without an axis the lists run along the last one: keep axis=-1 as the default.",
  "weights unnormalised": "These are the bare exponentials: subtract each list's maximum before np.exp, and divide by the sum of the list after it.",
  "the division forgotten": "Divide the exponentials by their sum along `axis`: in each list the largest share is 1 here.",
  "divided by the mean": "Divide the exponentials by their sum, not by their mean.",
  "no exponential": "np.exp is missing: the shares are made of the exponentials of the shifted scores, not of these scores themselves.",
  "the scores divided by their sum": "np.exp is missing: here the scores themselves are divided by their sum.",
  "divided by the sum of the scores": "Divide by the sum of the exponentials, not by the sum of the scores.",
  "divided by the sum of the shifted scores": "Divide by the sum of the exponentials, not by the sum of the shifted scores.",
  "shifted above, not below": "Divide by the sum of the same exponentials that stand above the fraction line: there the maximum is subtracted, and below it isn't.",
  "shifted below, not above": "Take the same exponentials above and below the fraction line: the maximum is subtracted only in the sum.",
  "the sign of the exponent": "The exponent has the wrong sign: a higher score must get a larger share.",
  "divided by the maximum, not shifted": "Subtract the maximum from the scores: dividing by it changes the shares.",
  "the logarithm of the shares": "These are the logarithms of the shares: take np.exp of them.",
  "twice": "This is the softmax of a softmax: take it once.",
  "a sigmoid of each score": "Each score was treated alone, as by a sigmoid: divide its exponential by the sum over its list.",
  "a loop over the rows, turned for axis 0": "Give np.max and np.sum axis=axis and keepdims=True in place of a loop over the first axis: there may be more than two axes, and here each table of the array became one softmax.",
  "no max subtraction": "np.exp overflows from about 710 on, and makes only 0 of scores far below: give it the scores minus the maximum of their list.",
  "one global maximum": "One maximum for the whole array makes all exponentials of a list far below it 0: subtract each list's own, along `axis`.",
  "the smallest subtracted": "Subtract the largest score of each list, not the smallest: only then is no exponent above 0.",
  "the mean subtracted": "Subtract the largest score of each list, not the mean: only then is no exponent above 0.",
  "the largest without its sign": "Subtract the largest score as it is: without its sign a list of negative scores is pushed far below 0, where every exponential is 0.",
  "scores cut off so that exp can't overflow": "Subtract each list's maximum in place of cutting the scores off: what is cut off loses its differences.",
  "-inf taken for 0": "Leave a score of -inf as it is: np.exp makes 0 of it, and it was given the share of another score here.",
  "a small number is added to the sum": "Give the shares as they are: don't round them, and add nothing to their sum, which is at least 1.",
  "subtracted outside of the exponential": "Subtract the maximum inside np.exp, from the scores: here it is subtracted from their exponentials.",
  "powers of 2": "Use np.exp: these are powers of 2.",
  "divided by the length of the vector": "Divide by the sum of the exponentials: here it is the length of the vector, the root of the sum of their squares.",
  "the shares and the exponentials": "Give back the shares alone, not the exponentials with them.",
  "multiplied by the sum": "Divide the exponentials by their sum: here they were multiplied by it.",
  "the sum subtracted": "Divide the exponentials by their sum: here it was subtracted.",
  "the logarithm of the sum, without the maximum": "Subtract each list's maximum before np.exp: the sum of the exponentials overflows for scores above 710, and is 0 for very low ones."},
 "calls": {
  "three axes, axis=1": [["scores"], [[[[0.259496, 0.114195, 0.628532, 0.027149], [0.705385, 0.843795, 0.140244, 0.0737987], [0.035119, 0.0420101, 0.231224, 0.899052]], [[0.111166, 0.665241, 0.111166, 0.422319], [0.0674254, 0.0900306, 0.821409, 0.422319], [0.821409, 0.244728, 0.0674254, 0.155362]]]], [
   ["softmax over queries", [-0.63807, -2.1971]],
   ["the axis is ignored", [-0.51051, -0.49375]],
   ["the maximum along the last axis, whatever is asked for", [0.16606, -0.93897]],
   ["the maximum along the last axis, whatever is asked for", [0.76107, -1.4592]],
   ["the sum along the last axis, whatever is asked for", [0.1537, -0.86211]],
   ["the sum along the last axis, whatever is asked for", [0.44409, -2.443]],
   ["the sum over everything", [0.025494, -0.17968]],
   ["over everything", [-0.16446, -0.056171]],
   ["weights unnormalised", [-17.76, -6.0661]],
   ["the division forgotten", [0.29603, -2.0864]],
   ["divided by the mean", [0.25864, -3.6411]],
   ["no exponential", [-0.17526, 1.586]],
   ["the scores divided by their sum", [-415.16, -1805.7]],
   ["divided by the sum of the scores", [-1645.4, -640.09]],
   ["divided by the sum of the shifted scores", [-0.63773, 0.992]],
   ["shifted above, not below", [0.11067, -0.37553]],
   ["shifted below, not above", [-15.801, -1.6963]],
   ["the sign of the exponent", [-0.23014, 1.9238]],
   ["divided by the maximum, not shifted", [0.21646, -1.0239]],
   ["the logarithm of the shares", [-1.6812, -7.6834]],
   ["twice", [0.16553, -0.30518]],
   ["a sigmoid of each score", [-0.17936, -1.3125]],
   ["a loop over the rows, turned for axis 0", [-0.32937, -0.1086]],
   ["a small number is added to the sum", [0.086327, -1.2137]],
   ["subtracted outside of the exponential", [0.073026, -5.1568]],
   ["powers of 2", [0.19207, -0.89939]],
   ["divided by the length of the vector", [0.033559, -1.8421]],
   ["the shares and the exponentials", [-0.26958, -2.9173, [2, 2, 3, 4]]],
   ["multiplied by the sum", [1.116, -3.5723]],
   ["the sum subtracted", [-0.9882, -1.5492]]]],
  "a table, without an axis": [["scores"], [[[0.0871443, 0.236883, 0.643914, 0.0320586], [0.106798, 0.789137, 0.0647763, 0.0392888], [0.00843941, 0.0623593, 0.16951, 0.759691]]], [
   ["the default is the first axis", [0.34553, -0.033148]]]],
  "a table, axis=0": [["scores"], [[[0.111166, 0.665241, 0.111166, 0.422319], [0.0674254, 0.0900306, 0.821409, 0.422319], [0.821409, 0.244728, 0.0674254, 0.155362]]], [
   ["axis 1 throughout", [0.89808, 0.98841]]]],
  "rows near 10000, near 1000 and near -10000": [["scores"], [[[0.731059, 0.268941, 0], [0.880797, 0.119203, 0], [0.333333, 0.333333, 0.333333]]], [
   ["no max subtraction", [1982.5, 1017.9]],
   ["one global maximum", [933.91, 435.69]],
   ["the smallest subtracted", [1444.2, 763.74]],
   ["the mean subtracted", [419.82, 532.16]],
   ["the largest without its sign", [539.72, 255.64]],
   ["scores cut off so that exp can't overflow", [1.1602, 0.60048]],
   ["the logarithm of the sum, without the maximum", [692.35, 326.93]]]],
  "some scores of -inf": [["scores"], [[[0.422319, 0, 0.422319, 0.155362], [0, 0.268941, 0, 0.731059]]], [
   ["-inf taken for 0", [0.45214, -0.24168]]]],
  "a single list": [["scores"], [[0.116115, 0.857977, 0.0259087]], []],
  "by how many hundredths the shares' sum is more than 1": [[], [[0, 0]], [
   ["a small number is added to the sum", [-0.0017972, -0.002279]]]]}},
 "attention-scores-loops": {
 "made of": "776286be34f9", "defines": ["attention_scores_loops"],
 "advice": {
  "Q and K swapped": "Let the rows be the queries and the columns the keys: scores[i, j] belongs to query i and key j.",
  "already scaled": "Leave out the division by √d_k: here we want the bare dot products.",
  "divided by d_k": "Leave out the division by d_k: a dot product is the sum of the products, not their mean.",
  "overwrites instead of adding up": "Add each product to what is there already: only that of the last feature has stayed.",
  "returns inside the innermost loop": "Only the first feature was used: let the innermost loop run over all of them.",
  "return in the loop over the features": "Only the first product was taken: `return` stands inside the loops, so move it to the left, below all three.",
  "return in the loop over the keys": "Only scores[0, 0] was filled: `return` stands inside the loops, so move it to the left, below all three.",
  "return in the loop over the queries": "Only the first row was filled: `return` stands inside a loop, or the outer loop ends too early.",
  "as many keys as queries": "Give the table a column for each key: K has a number of rows of its own, and it is not that of Q.",
  "as many features as queries": "Let the innermost loop run over all features, as many as Q has columns: here only the first 2 of 5 were added up.",
  "as many features as keys": "Let the innermost loop run over all features, as many as Q has columns: here only the first 3 of 5 were added up.",
  "the last feature left out": "The last feature is missing: range(n) ends at n - 1 by itself, so take nothing from it.",
  "the first feature left out": "The first feature is missing: let the innermost loop begin at 0.",
  "the first query left out": "The first row stayed 0: let the loop over the queries begin at 0, and make the table once, before all loops.",
  "the first key left out": "The first column stayed 0: let the loop over the keys begin at 0.",
  "the last key left out": "The last column stayed 0: let the loop over the keys run to the number of rows of K.",
  "the sum is never begun anew": "Begin each score at 0: the sum still holds what was added for the scores before it.",
  "a table of whole numbers": "The table holds whole numbers only, so fractions are cut off: make it without dtype=int.",
  "begins at ones": "Begin with a table of zeros: every score is 1 too large.",
  "the key's feature forgotten": "Multiply by the feature of the key: here only those of the query are added up.",
  "the query's feature forgotten": "Multiply by the feature of the query: here only those of the key are added up.",
  "adds the features": "Multiply the two features, don't add them.",
  "multiplies all products": "Begin at 0 and add the products up: here they were multiplied with each other.",
  "the absolute values": "Keep the signs: a dot product adds up positive and negative products.",
  "the row of K by the query's index": "Choose the row of K by the key's index: all columns are the same here.",
  "each query with the key of its own number": "Let every query meet every key: a loop over the keys inside the loop over the queries, not one loop over both.",
  "only the last score comes back": "Give back the whole table: this is only its last score.",
  "the products, not yet added up": "Add the products up over the features: here that axis is still there.",
  "fills a whole row at a time": "Add to the one place of this query and this key: here each product was added to the whole row.",
  "fills a whole column at a time": "Add to the one place of this query and this key: here each product was added to the whole column.",
  "one sum for all": "Give each query with each key a place of its own in a table: here all was added up to one number.",
  "the squared distance": "Multiply the two features: this is the squared distance of query and key.",
  "the notebook's Q and K": "Six tokens came back, those of the sentence: use your function's own arguments.",
  "the table made anew for each query and key": "Only the last score is there: make the table once, before all loops.",
  "the products cut to whole numbers": "Keep the fractions of the products: here each was cut to a whole number.",
  "one row for all queries": "Begin a new row for each query: here each row also holds the scores of the queries before."},
 "calls": {
  "2 queries and 3 keys": [["Q", "K"], [[[0, 3.5, -0.5], [0.75, -0.5, 1.25]]], [
   ["Q and K swapped", [-4.9539, -2.5602, [3, 2]]],
   ["already scaled", [-0.85533, 0.34872]],
   ["divided by d_k", [-0.38252, 0.15595]],
   ["overwrites instead of adding up", [2.1936, 0.74849]],
   ["returns inside the innermost loop", [0.60428, -0.87989]],
   ["return in the loop over the features", [1.9107, 1.6829]],
   ["return in the loop over the keys", [0, 0]],
   ["return in the loop over the queries", [-1.0325, -0.23648]],
   ["as many keys as queries", [-2.4099, -1.525, [2, 2]]],
   ["as many features as queries", [1.5681, -0.9599]],
   ["as many features as keys", [-1.4513, 2.4358]],
   ["the last feature left out", [-4.1062, 0.031278]],
   ["the first feature left out", [-2.5169, 1.6596]],
   ["the first query left out", [-0.88012, 1.0162]],
   ["the first key left out", [-2.3886, 0.030558]],
   ["the last key left out", [-1.3228, 0.54703]],
   ["the sum is never begun anew", [-3.0459, -1.2729]],
   ["the sum is never begun anew", [-4.5703, -1.9712]],
   ["a table of whole numbers", [-0.57674, 1.0906]],
   ["a table of whole numbers", [-2.0595, -0.53956]],
   ["begins at ones", [-1.7133, 1.065]],
   ["the key's feature forgotten", [0.75216, 0.82938]],
   ["the query's feature forgotten", [4.3085, 4.4574]],
   ["adds the features", [5.0607, 5.2868]],
   ["multiplies all products", [0.60832, 0.049741]],
   ["the absolute values", [-1.604, 2.2871]],
   ["the row of K by the query's index", [-0.25407, -0.11637]],
   ["each query with the key of its own number", [0.20807, 0.078873, [2]]],
   ["only the last score comes back", [1.1942, 1.0518, []]],
   ["the products, not yet added up", [-7.3574, 3.8614, [2, 3, 5]]],
   ["fills a whole row at a time", [-0.16451, 0.50649]],
   ["fills a whole column at a time", [0.75333, -1.7157]],
   ["one sum for all", [4.299, 3.7866, []]],
   ["the squared distance", [1.9043, 3.067]],
   ["the notebook's Q and K", [-5.4905, -0.44252, [6, 6]]],
   ["the table made anew for each query and key", [-1.0139, -0.082902]],
   ["the products cut to whole numbers", [-3.605, 1.7928]],
   ["one row for all queries", [1.7173, -1.1083, [2, 6]]]]],
  "3 queries and 2 keys": [["Q", "K"], [[[0, 0.75], [3.5, -0.5], [-0.5, 1.25]]], []]}},
 "attention-scores": {
 "made of": "5bf772a412d7", "defines": ["attention_scores"],
 "advice": {
  "Q and K swapped": "Let the rows be the queries: put Q on the left of the product.",
  "already scaled": "Leave out the division by √d_k: here we want the bare dot products.",
  "divided by d_k": "Leave out the division by d_k: here we want the bare dot products.",
  "reshape in place of a transpose": "Turn K by a transpose: a reshape keeps the numbers in their order, so that each key is torn apart.",
  "the shares, not the scores": "Leave the softmax out: here we want the bare dot products.",
  "the shares of the scaled scores": "Leave the scale and the softmax out: here we want the bare dot products.",
  "queries with queries": "The keys are missing: this is the product of Q with itself.",
  "keys with keys": "The queries are missing: this is the product of K with itself.",
  "cosines": "Don't divide by the lengths of the vectors: here we want the bare dot products.",
  "each query with the key of its own number": "Let every query meet every key: this holds one number for each query.",
  "einsum adds up the keys": "Keep the letters of both the query and the key on the right of the arrow: what came back is added up over the keys.",
  "einsum adds up nothing": "Sum over the features: leave their letter out on the right of the arrow, or add up along the last axis.",
  "einsum lets query and key have features of their own": "Give the features of query and key the same letter: here each was added up by itself.",
  "all in one number": "Keep a place for each query with each key: here all scores were added up to one number.",
  "added up over the keys, not over the features": "Sum over the features, the last axis: here the sum runs over the keys.",
  "added up over the queries, not over the features": "Sum over the features, the last axis: here the sum runs over the queries.",
  "every number with every number": "Use the matrix product: np.outer multiplies every number with every number, and adds up nothing.",
  "the absolute values": "Keep the signs: a negative score says that query and key point away from each other.",
  "the notebook's Q and K": "Six tokens came back, those of the sentence: use your function's own arguments."},
 "calls": {
  "2 queries and 3 keys": [["Q", "K"], [[[0, 3.5, -0.5], [0.75, -0.5, 1.25]]], [
   ["Q and K swapped", [-4.9539, -2.5602, [3, 2]]],
   ["already scaled", [-0.85533, 0.34872]],
   ["divided by d_k", [-0.38252, 0.15595]],
   ["reshape in place of a transpose", [3.6497, 4.5971]],
   ["the shares, not the scores", [-0.55673, 0.097522]],
   ["the shares of the scaled scores", [-0.25612, 0.11928]],
   ["queries with queries", [12.309, 13.133, [2, 2]]],
   ["keys with keys", [6.5977, 10.356, [3, 3]]],
   ["cosines", [-0.40118, 0.10333]],
   ["each query with the key of its own number", [0.20807, 0.078873, [2]]],
   ["einsum adds up the keys", [2.2418, 2.2878, [2]]],
   ["einsum adds up nothing", [-7.3574, 3.8614, [2, 3, 5]]],
   ["einsum lets query and key have features of their own", [11.99, 12.334]],
   ["all in one number", [4.299, 3.7866, []]],
   ["added up over the keys, not over the features", [12.117, 2.3091, [2, 5]]],
   ["added up over the queries, not over the features", [-5.7322, -2.9986, [3, 5]]],
   ["every number with every number", [-1.5266, 6.2041, [10, 15]]],
   ["the absolute values", [-2.0761, -0.55138]],
   ["the notebook's Q and K", [-5.4905, -0.44252, [6, 6]]]]],
  "3 queries and 2 keys": [["Q", "K"], [[[0, 0.75], [3.5, -0.5], [-0.5, 1.25]]], []]}},
 "attention-weights": {
 "made of": "17ad587af7bd", "defines": ["attention_weights"],
 "advice": {
  "no scaling": "Divide the scores by √d_k before the softmax: nothing is scaled here.",
  "dividing by d_k": "Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice.",
  "multiplying by √d_k": "Divide the scores by √d_k: here they were multiplied by it.",
  "multiplying by d_k": "Divide the scores by the square root of d_k: here they were multiplied by d_k.",
  "√n of the keys": "Take the root of d_k, the number of features: this is the root of n_k, the number of keys.",
  "√n of the queries": "Take the root of d_k, the number of columns of Q: the scores were divided by √2, and 2 is n_q in this call (and d_k in the sentence).",
  "n_q": "Divide by the root of d_k, the number of features: the scores were divided by 2, which is n_q here, √d_model in the sentence, or √d_k cut to a whole number.",
  "n_k": "Divide by the root of d_k, the number of features: this is n_k, the number of keys.",
  "the root of how many numbers Q has": "Take the root of d_k, the number of features: this is the root of how many numbers Q has.",
  "the square of d_k": "Divide the scores by the square root of d_k, not by its square.",
  "the root of the scores, too": "Take the root of d_k alone: here it was taken of the whole fraction, and of a negative score there is none.",
  "a half instead of a root": "`d_k ** 1 / 2` is no root, since `**` comes before `/`: write np.sqrt or ** 0.5.",
  "softmax over queries": "Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries.",
  "softmax over queries, unscaled": "Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here.",
  "softmax over everything": "Every query needs its own softmax along its row: here all weights together sum to 1.",
  "weights unnormalised": "Divide the exponentials of each row by their sum, or use your softmax: these are bare exponentials.",
  "no softmax": "The softmax is missing: these are the scaled scores.",
  "bare scores": "The scale and the softmax are missing: these are the bare scores.",
  "Q and K swapped": "Let row i belong to query i: Q and K have changed places in the scores.",
  "turned after the softmax": "Give the weights as (n_q, n_k), a row for each query: they were turned after the softmax.",
  "scaled after the softmax": "Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1.",
  "scaled before and after the softmax": "Divide by √d_k only before the softmax: the weights were divided by it once more after it.",
  "softmax twice": "Take the softmax once: this is the softmax of the weights.",
  "softmax of Q and K": "Take the softmax of the scaled scores, after the product: here it was taken of Q and K.",
  "rows divided by their sum, without exp": "The exponential is missing: here each row of scores was divided by its sum.",
  "queries with queries": "The keys are missing: these are weights of Q with itself.",
  "weights and scores": "Give back the weights alone, not the scores with them.",
  "no max subtraction": "np.exp overflows for large scores, and makes only 0 of very low ones: subtract each row's maximum first, or use your softmax.",
  "one global maximum": "One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax.",
  "rounded": "Give the weights as they are: don't round them, and add nothing to their sum.",
  "the fourth root": "Take the square root of d_k: the scores were divided by its fourth root.",
  "the fraction turned over": "Divide the scores by √d_k: here √d_k was divided by the scores.",
  "the logarithm of the weights": "Give back the weights themselves: these are their logarithms.",
  "the maximum of each column": "Subtract from each row its own maximum, of the keys: here it is the maximum of each column.",
  "the sum of everything": "Divide each row by its own sum: here it is the sum of the whole table.",
  "rows and then columns": "Take one softmax, along each row: here each column was divided by its sum, too.",
  "the notebook's Q and K": "Six tokens came back, those of the sentence: use your function's own arguments.",
  "the one key that fits best": "Give each key its share: here the best one has all.",
  "divided without the rest": "Divide by /, which keeps the fractions: // cuts the scores to whole numbers.",
  "the absolute scores": "Keep the signs of the scores: a negative one should give a small weight."},
 "calls": {
  "2 queries and 3 keys": [["Q", "K"], [[[0.151895, 0.726645, 0.12146], [0.354315, 0.202587, 0.443099]]], [
   ["no scaling", [-0.55673, 0.097522]],
   ["dividing by d_k", [-0.071781, 0.11987]],
   ["multiplying by √d_k", [-0.85364, 0.025435]],
   ["multiplying by d_k", [-1.1174, -0.14336]],
   ["√n of the keys", [-0.34423, 0.1138]],
   ["√n of the queries", [-0.42123, 0.10821]],
   ["n_q", [-0.29306, 0.11718]],
   ["n_k", [-0.17229, 0.12222]],
   ["the root of how many numbers Q has", [-0.15939, 0.12236]],
   ["the square of d_k", [0.04097, 0.10254]],
   ["the root of the scores, too", [154.81, 221.6]],
   ["a half instead of a root", [0.00048545, 0.11129]],
   ["a half instead of a root", [-0.22193, 0.12085]],
   ["softmax over queries", [-0.31284, 0.45433]],
   ["softmax over queries, unscaled", [-0.47536, 0.63096]],
   ["softmax over everything", [-0.16117, 0.028817]],
   ["weights unnormalised", [-1.6972, 0.30346]],
   ["no softmax", [-0.85533, 0.34872]],
   ["bare scores", [-1.9126, 0.77976]],
   ["Q and K swapped", [-0.82191, -0.40405, [3, 2]]],
   ["turned after the softmax", [-0.76627, -0.2988, [3, 2]]],
   ["scaled after the softmax", [-0.24898, 0.043613]],
   ["scaled before and after the softmax", [-0.11454, 0.053345]],
   ["softmax twice", [-0.047951, 0.096483]],
   ["softmax of Q and K", [-0.071971, 0.019696]],
   ["rows divided by their sum, without exp", [-0.9309, 0.59867]],
   ["queries with queries", [1.5166, 1.7735, [2, 2]]],
   ["weights and scores", [1.3672, -0.72509, [2, 2, 3]]],
   ["rounded", [-0.25562, 0.11901]],
   ["the fourth root", [-0.39964, 0.10981]],
   ["the fraction turned over", [-239.73, 41.511]],
   ["the logarithm of the weights", [-0.97085, -0.069694]],
   ["the maximum of each column", [-0.084206, 0.44787]],
   ["the sum of everything", [-0.096009, 0.089487]],
   ["rows and then columns", [-0.26433, 0.48789]],
   ["the notebook's Q and K", [-0.44513, -0.023308, [6, 6]]],
   ["the one key that fits best", [-1.2272, -0.22407]],
   ["divided without the rest", [-0.087539, 0.32929]],
   ["the absolute scores", [-0.22404, -0.0076155]]]],
  "3 queries and 2 keys": [["Q", "K"], [[[0.416925, 0.583075], [0.856787, 0.143213], [0.313755, 0.686245]]], []],
  "a query 1000 times as large": [["Q", "K"], [[[0, 1, 0], [0.354315, 0.202587, 0.443099]]], [
   ["no max subtraction", [-323.34, -122.39]],
   ["one global maximum", [394.41, 180.68]]]],
  "a query -1000 times as large": [["Q", "K"], [[[0.151895, 0.726645, 0.12146], [1.66726e-243, 1, 0]]], []],
  "by how many hundredths a row's sum is more than 1": [[], [[0, 0]], [
   ["rounded", [-0.0017972, -0.002279]]]]}},
 "single-head-attention": {
 "made of": "9ab4dc666859", "defines": ["single_head_attention"],
 "advice": {
  "no scaling": "Divide the scores by √d_k before the softmax: nothing is scaled here. (If you call attention_weights, look there.)",
  "√d_model": "Take the root of d_k, the number of columns of W_Q: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence).",
  "√n": "Divide by the root of d_k, the number of columns of W_Q: the scores were divided by 2, which is √n here, √d_model in the sentence, or √d_k cut to a whole number.",
  "√d_v": "Take the root of d_k, the number of columns of W_Q: this is the root of d_v, the number of columns of W_V.",
  "dividing by d_k": "Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice. (If you call attention_weights, look there.)",
  "scaled here and in attention_weights": "The scores are divided by √d_k twice: attention_weights does it already.",
  "multiplying by √d_k": "Divide the scores by √d_k: here they were multiplied by it. (If you call attention_weights, look there.)",
  "a half instead of a root": "`d_k ** 1 / 2` is no root, since `**` comes before `/`: write np.sqrt or ** 0.5.",
  "scaled after the softmax": "Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1. (If you call attention_weights, look there.)",
  "the weights divided once more": "Divide by √d_k only before the softmax: the weights were divided by it once more after it.",
  "softmax over queries": "Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries.",
  "softmax over everything": "Every query needs its own softmax along its row: here all weights together sum to 1.",
  "a second softmax": "Take the softmax once: attention_weights does it already.",
  "Q and K swapped": "Let row i belong to query i: query and key have changed places in the scores.",
  "keys by the query's matrix": "Project the keys by W_K: queries and keys were both made by W_Q.",
  "queries by the key's matrix": "Project the queries by W_Q: queries and keys were both made by W_K.",
  "X itself in place of queries and keys": "Make queries and keys by W_Q and W_K first: the scores are those of X with itself.",
  "output projection forgotten": "Multiply the mixed values by W_O: they have d_v numbers each, and the output has d_model.",
  "the weights are not used": "Let the weights mix the values: this output is X W_V W_O, without them.",
  "X mixed, no values": "Let the weights mix the values X W_V: here they mix X itself, and W_V and W_O are missing.",
  "the transposed weights are used": "Put the weights on the left of the values, as they are: here output i is mixed by column i of them, not by row i.",
  "the weights given back are turned": "Give back the weights as they were used, a row for each query: these are turned.",
  "weights first": "Give back the output first, then the weights.",
  "the values in place of the weights": "Give back two things, the output and the weights: the second one isn't the weights.",
  "only the output": "Give back two things, the output and the weights: the weights are missing.",
  "only the weights": "Give back two things, the output and the weights: the output is missing.",
  "the sentence's Q, K and V": "Six tokens came back, those of the sentence: make Q, K and V of the arguments X, W_Q, W_K and W_V.",
  "X added": "Leave X out of the output: it is added later, outside of the head.",
  "scores in place of weights": "The second result is the weights, after the softmax: these are the scaled scores.",
  "bare scores": "The second result is the weights: the scale and the softmax are missing here, these are the bare scores.",
  "no max subtraction": "np.exp overflows for large scores: subtract each row's maximum first, or use your softmax.",
  "one global maximum": "One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax.",
  "the weights used twice": "Let the weights mix the values once: here they were applied twice.",
  "a softmax of the output": "Give back the output as it is: the softmax belongs to the scores only.",
  "the output divided by √d_k": "Give back the output as it is: only the scores are divided by √d_k.",
  "the output added up": "Keep a row of output for each token: here they were added up.",
  "mixed by the scores": "Let the weights mix the values, after the softmax: here the scores do.",
  "values first and turned": "Put the weights on the left of the values: (n, n) times (n, d_v), then W_O.",
  "the output turned": "Give back the output as (n, d_model), a row for each token: it is turned.",
  "the weights turned throughout": "Keep a row for each query: the weights were turned after the softmax, and used so.",
  "softmax over queries, unscaled": "Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here."},
 "calls": {
  "4 tokens": [["X", "W_Q", "W_K", "W_V", "W_O"], [[[1.40326, 5.1551], [2.40741, 6.16787], [-0.338514, 3.5111], [0.139871, 1.89943]], [[0.277717, 0.141994, 0.54317, 0.0371194], [0.115158, 0.015392, 0.86158, 0.00786974], [0.268201, 0.524559, 0.137128, 0.0701121], [0.197262, 0.141051, 0.275874, 0.385813]]], [
   ["no scaling", [-1.3674, 5.4103], [-1.217, 0.4457]],
   ["√d_model", [-0.87337, 4.3979], [-1.0065, 0.54961]],
   ["√n", [-0.4359, 3.5131], [-0.77009, 0.5637]],
   ["√d_v", [-0.61236, 3.8641], [-0.86982, 0.56821]],
   ["dividing by d_k", [0.42118, 1.6212], [-0.21243, 0.34355]],
   ["scaled here and in attention_weights", [0.74588, 0.5057], [0.047913, 0.18086]],
   ["multiplying by √d_k", [-2.8671, 7.7211], [-1.509, -0.020823]],
   ["a half instead of a root", [0.71671, 0.62311], [0.022953, 0.19637]],
   ["a half instead of a root", [-0.17858, 3.0053], [-0.61606, 0.53204]],
   ["scaled after the softmax", [-0.61152, 2.4195], [-0.54426, 0.19932]],
   ["the weights divided once more", [-0.13614, 1.4554], [-0.30974, 0.24652]],
   ["softmax over queries", [-2.4661, 5.5988], [0.039449, 0.78778]],
   ["softmax over everything", [0.20648, 2.3571], [-0.29141, 0.32293]],
   ["a second softmax", [0.66341, 0.50068], [-0.017614, 0.21923]],
   ["Q and K swapped", [-1.3473, 3.0199], [-0.53509, 0.60455]],
   ["keys by the query's matrix", [-0.71227, 0.23031], [-0.85211, -1.6929]],
   ["queries by the key's matrix", [-1.9016, 1.7895], [-0.49351, -1.9877]],
   ["X itself in place of queries and keys", [-0.91183, -0.13746], [-0.54541, -1.4962]],
   ["output projection forgotten", [0.48386, 3.1472, [4, 3]], 0],
   ["the weights are not used", [-3.9734, 3.479], 0],
   ["X mixed, no values", [-1.1789, -1.2004], 0],
   ["the transposed weights are used", [-4.7313, 3.4527], 0],
   ["the weights given back are turned", 0, [-0.049658, 0.81916]],
   ["weights first", [-0.69259, 0.55123, [4, 4]], [-0.30441, 3.2544, [4, 2]]],
   ["the values in place of the weights", 0, [-5.1287, -1.6378, [4, 3]]],
   ["only the output", [-0.30441, 3.2544, [4, 2]]],
   ["only the weights", [-0.69259, 0.55123, [4, 4]]],
   ["the sentence's Q, K and V", [-0.10357, -0.49232, [6, 2]], [-0.59393, -0.083163, [6, 6]]],
   ["X added", [4.8348, 3.4011], 0],
   ["scores in place of weights", 0, [-3.4411, 2.9311]],
   ["scores in place of weights", [-14.662, 28.389], [-3.4411, 2.9311]],
   ["bare scores", [-32.785, 63.48], [-7.6946, 6.5541]],
   ["the weights used twice", [1.1181, -0.97304], 0],
   ["a softmax of the output", [0.16306, 0.0237], 0],
   ["the output divided by √d_k", [-0.13614, 1.4554], 0],
   ["the output added up", [-3.5129, 0.39978, [2]], 0],
   ["mixed by the scores", [-14.662, 28.389], 0],
   ["values first and turned", [-0.96626, -0.44187, [3, 4]], 0],
   ["the output turned", [-0.65547, -1.9641, [2, 4]], 0],
   ["the weights turned throughout", [-4.7313, 3.4527], [-0.049658, 0.81916]],
   ["softmax over queries, unscaled", [-3.4295, 7.9701], [-0.0021066, 1.0153]],
   ["no scaling", [1.4465, 2.7983, [4, 3]], [-1.217, 0.4457]]]],
  "3 tokens, 1000 times as large": [["X", "W_Q", "W_K", "W_V", "W_O"], [[[2750, 6500], [-1500, 3000], [-1375, -3250]], [[0, 1, 0], [1, 0, 0], [0, 0, 1]]], [
   ["no max subtraction", [154.81, 221.6], [884.26, 516.23]],
   ["one global maximum", [-341.92, 979.05], [932.91, 434.96]]]]}},
 "fold-weights": {
 "made of": "bf809eb6f499", "defines": ["fold_weights"],
 "advice": {
  "the wrong matrix transposed": "Turn W_K, not W_Q: the sum runs over the d_k features, and d_model stays on both sides of W_QK.",
  "W_K comes first": "W_QK is turned: the side of the query comes first, so put W_Q on the left.",
  "with the scale": "Leave the scale out of W_QK: folded_attention divides by √d_k.",
  "W_K by a reshape": "Turn W_K by a transpose: a reshape keeps the numbers in their order and tears the rows apart.",
  "entry by entry": "Use the matrix product of W_Q and a turned W_K: here they were multiplied entry by entry.",
  "W_Q with itself": "W_K is missing: this W_QK is W_Q with itself.",
  "a softmax of the product": "Leave the softmax out: W_QK is only the product of two matrices.",
  "W_O W_V": "Let X meet W_V first: put W_V on the left and W_O on the right.",
  "both value matrices turned": "Multiply W_V and W_O as they are, with W_V on the left: none of them is turned.",
  "W_OV transposed": "W_OV is turned: multiply W_V by W_O, without a transpose.",
  "both transposed": "Both matrices are turned: the query and the value side come first.",
  "W_K first, W_O first": "Put W_Q and W_V on the left of their products: in both, the factors have changed places.",
  "the two in the wrong order": "Give back W_QK first, then W_OV.",
  "one product of both": "Give back two matrices, W_QK and W_OV, and don't multiply them with each other.",
  "only W_QK": "Give back two matrices, W_QK and W_OV: the second one is missing.",
  "only W_OV": "Give back two matrices, W_QK and W_OV: the first one is missing.",
  "one below the other": "Give back two matrices with a comma between them, not one that holds both.",
  "both products on the wrong side": "d_model must stay on both sides of the two matrices: turn W_K, and put W_V on the left of W_O.",
  "the key's transpose first": "Turn W_K, not W_Q, and put it on the right: d_model stays on both sides of W_QK.",
  "added": "Multiply the matrices, as a matrix product: here they were added.",
  "both scaled": "Leave the scale out of both matrices: folded_attention divides by √d_k."},
 "calls": {
  "the small head": [["W_Q", "W_K", "W_V", "W_O"], [[[1.5, 0.75], [1.5, -0.5]], [[1, 4], [-0.75, 1.5]]], [
   ["the wrong matrix transposed", [2.2237, -0.6189, [5, 5]], 0],
   ["W_K comes first", [-0.14464, 0.052667], 0],
   ["with the scale", [-0.20957, -0.13527], 0],
   ["with the scale", [-0.09372, -0.060495], 0],
   ["W_K by a reshape", [-0.094121, -0.84071], 0],
   ["entry by entry", [0.64554, 1.9117, [2, 5]], 0],
   ["W_Q with itself", [4.2097, 4.5354], 0],
   ["a softmax of the product", [-0.15601, 0.08396], 0],
   ["W_O W_V", 0, [2.2235, -0.087151, [3, 3]]],
   ["both value matrices turned", 0, [0.39278, 4.7736, [3, 3]]],
   ["W_OV transposed", 0, [-1.1729, -0.066874]],
   ["both transposed", [-0.14464, 0.052667], [-1.1729, -0.066874]],
   ["W_K first, W_O first", [-0.14464, 0.052667], [2.2235, -0.087151, [3, 3]]],
   ["the two in the wrong order", [0.87886, 2.1824], [-0.4686, -0.30247]],
   ["one product of both", [-0.32747, 3.7258, [2, 2]]],
   ["only W_QK", [-0.4686, -0.30247, [2, 2]]],
   ["only W_OV", [0.87886, 2.1824, [2, 2]]],
   ["one below the other", [-1.2713, -3.3349, [4, 2]]],
   ["both products on the wrong side", [2.2237, -0.6189, [5, 5]], [2.2235, -0.087151, [3, 3]]],
   ["both products on the wrong side", [0.98894, 0.10169, [5, 5]], [2.2235, -0.087151, [3, 3]]],
   ["the key's transpose first", [0.98894, 0.10169, [5, 5]], 0],
   ["added", [-2.1251, -0.28991, [2, 5]], [-3.4038, -0.50643, [2, 3]]],
   ["with the scale", [-0.33135, -0.21388], 0],
   ["both scaled", [-0.20957, -0.13527], [0.50741, 1.26]]]]}},
 "folded-attention": {
 "made of": "44bdd325e7b2", "defines": ["folded_attention"],
 "advice": {
  "no scaling": "Divide the scores by √d_k before the softmax: W_QK holds no scale.",
  "√d_model": "Take the root of the d_k that you are given: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence).",
  "√n": "Divide by the root of the d_k that you are given: the scores were divided by 2, which is √n here, √d_model in the sentence, or √d_k cut to a whole number.",
  "dividing by d_k": "Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice.",
  "multiplying by √d_k": "Divide the scores by √d_k: here they were multiplied by it.",
  "multiplying by d_k": "Divide the scores by the square root of d_k: here they were multiplied by d_k.",
  "a half instead of a root": "`d_k ** 1 / 2` is no root, since `**` comes before `/`: write np.sqrt or ** 0.5.",
  "scaled after the softmax": "Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1.",
  "scaled twice": "The scores are divided by two roots: attention_weights divides by one of its own, that of the size of its vectors.",
  "Q and K swapped": "Put W_QK between X on the left and the turned X on the right as it is: the query and the key side have changed places.",
  "W_QK on both sides": "W_QK stands in the scores once, between X and the turned X: here it is on both sides.",
  "W_QK not used": "W_QK is missing in the scores: they are those of X with itself.",
  "no softmax": "The second result is the weights, after the softmax: these are the scaled scores.",
  "softmax over queries": "Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries.",
  "softmax over everything": "Every query needs its own softmax along its row: here all weights together sum to 1.",
  "W_OV forgotten": "Send the mixed rows of X through W_OV: here they come back without it.",
  "the weights are not used": "Let the weights mix the rows of X: this output is X W_OV, without them.",
  "the transposed weights are used": "Use the weights as they are, not turned: output i is mixed by row i of them.",
  "the weights given back are turned": "Give back the weights as they were used, a row for each query: these are turned.",
  "W_OV transposed": "Multiply by W_OV as it is, from the right: here it is turned.",
  "W_QK in the output": "Send the mixed rows through W_OV: here it was W_QK once more.",
  "W_OV in the scores": "Use W_QK in the scores and W_OV in the output: they have changed places.",
  "W_OV in both": "Use W_QK in the scores: here it was W_OV.",
  "X added": "Leave X out of the output: it is added later, outside of the head.",
  "weights first": "Give back the output first, then the weights.",
  "only the output": "Give back two things, the output and the weights: the weights are missing.",
  "only the weights": "Give back two things, the output and the weights: the output is missing.",
  "the sentence's weights": "Six tokens came back, those of the sentence: make the scores of the arguments X and W_QK.",
  "no max subtraction": "np.exp overflows for large scores: subtract each row's maximum first, or use your softmax.",
  "one global maximum": "One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax.",
  "X first, in attention_weights": "W_QK meets the query's X, on the left, and the root is that of the d_k you are given: here it meets the key's X, and the root is that of d_model.",
  "W_QK twice in a row": "W_QK stands in the scores once: here it is used twice.",
  "the weights used twice": "Let the weights mix the rows of X once: here they were applied twice.",
  "W_OV twice": "Send the mixed rows through W_OV once: here they went through it twice.",
  "the output turned": "Give back the output as (n, d_model), a row for each token: it is turned.",
  "W_OV on the left": "Multiply the mixed rows of X by W_OV from the right: with W_OV on the left all is turned, and mixed by the columns of the weights.",
  "mixed by the scores": "Let the weights mix the rows of X, after the softmax: here the scores do.",
  "the weights turned throughout": "Keep a row for each query: the weights were turned after the softmax, and used so.",
  "softmax over queries, unscaled": "Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here."},
 "calls": {
  "4 tokens and d_k=5": [["X", "W_QK", "W_OV", "d_k"], [[[1.40326, 5.1551], [2.40741, 6.16787], [-0.338514, 3.5111], [0.139871, 1.89943]], [[0.277717, 0.141994, 0.54317, 0.0371194], [0.115158, 0.015392, 0.86158, 0.00786974], [0.268201, 0.524559, 0.137128, 0.0701121], [0.197262, 0.141051, 0.275874, 0.385813]]], [
   ["no scaling", [-1.3674, 5.4103], [-1.217, 0.4457]],
   ["√d_model", [-0.87337, 4.3979], [-1.0065, 0.54961]],
   ["√n", [-0.4359, 3.5131], [-0.77009, 0.5637]],
   ["dividing by d_k", [0.42118, 1.6212], [-0.21243, 0.34355]],
   ["multiplying by √d_k", [-2.8671, 7.7211], [-1.509, -0.020823]],
   ["multiplying by d_k", [-3.9582, 8.8602], [-1.5375, -0.32275]],
   ["a half instead of a root", [0.71671, 0.62311], [0.022953, 0.19637]],
   ["a half instead of a root", [-0.17858, 3.0053], [-0.61606, 0.53204]],
   ["scaled after the softmax", [-0.61152, 2.4195], [-0.54426, 0.19932]],
   ["scaled twice", [0.062977, 2.5054], [-0.46228, 0.47544]],
   ["Q and K swapped", [-1.3473, 3.0199], [-0.53509, 0.60455]],
   ["W_QK on both sides", [-2.0783, 1.6014], [-0.32412, -1.0064]],
   ["W_QK not used", [-0.70771, -0.69839], [-0.26839, -1.2316]],
   ["no softmax", [-14.662, 28.389], [-3.4411, 2.9311]],
   ["no softmax", 0, [-3.4411, 2.9311]],
   ["softmax over queries", [-2.4661, 5.5988], [0.039449, 0.78778]],
   ["softmax over everything", [0.20648, 2.3571], [-0.29141, 0.32293]],
   ["W_OV forgotten", [-1.1789, -1.2004], 0],
   ["the weights are not used", [-3.9734, 3.479], 0],
   ["the transposed weights are used", [-4.7313, 3.4527], 0],
   ["the weights given back are turned", 0, [-0.049658, 0.81916]],
   ["W_OV transposed", [2.4893, -3.1696], 0],
   ["W_QK in the output", [2.476, 1.1736], 0],
   ["W_OV in the scores", [3.6788, -1.8216], [-1.1478, 0.10344]],
   ["W_OV in both", [-1.561, -0.0284], [-1.1478, 0.10344]],
   ["X added", [4.8348, 3.4011], 0],
   ["weights first", [-0.69259, 0.55123, [4, 4]], [-0.30441, 3.2544, [4, 2]]],
   ["only the output", [-0.30441, 3.2544, [4, 2]]],
   ["only the weights", [-0.69259, 0.55123, [4, 4]]],
   ["the sentence's weights", [-3.9734, 3.479], [-0.59393, -0.083163, [6, 6]]],
   ["X first, in attention_weights", [-2.1194, 4.2107], [-0.75177, 0.76045]],
   ["W_QK twice in a row", [-2.011, 2.7218], [-0.20286, -1.7387]],
   ["the weights used twice", [1.1181, -0.97304], 0],
   ["W_OV twice", [4.5441, 13.538], 0],
   ["the output turned", [-0.65547, -1.9641, [2, 4]], 0],
   ["W_OV on the left", [-5.3698, -1.8587, [2, 4]], 0],
   ["mixed by the scores", [-14.662, 28.389], 0],
   ["the weights turned throughout", [-4.7313, 3.4527], [-0.049658, 0.81916]],
   ["softmax over queries, unscaled", [-3.4295, 7.9701], [-0.0021066, 1.0153]]]],
  "1000 times as large": [["X", "W_QK", "W_OV", "d_k"], [[[2750, 6500], [2750, 6500], [-1500, 3000], [-1375, -3250]], [[0, 0, 1, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]], [
   ["no max subtraction", [510.75, 69.456], [-40.69, -593.35]],
   ["one global maximum", [2469.8, 4540.9], [528.58, 957.01]]]]}},
 "einsum-attention": {
 "made of": "a5ff803c00b4", "defines": ["einsum_attention"],
 "advice": {
  "nothing repaired": "Let both the maximum and the sum of the softmax run over the keys: here each column of the weights sums to 1.",
  "only the softmax repaired": "The weights are right, but nothing is mixed: in the last step the value must have the key's letter, and the sum over it must hold the weights.",
  "only the sum repaired": "Let the maximum run over the keys, too: the sum does now, and the maximum still runs over the queries.",
  "only the maximum repaired": "Let the sum run over the keys, too: the maximum does now, and the sum still runs over the queries.",
  "neither axis is kept": "Keep the axis of the maximum and of the sum, with keepdims=True: without it they stand along the columns, not along the rows.",
  "the axis of the maximum is not kept": "Keep the axis of the maximum, with keepdims=True: without it the maxima stand along the columns, not along the rows.",
  "the axis of the sum is not kept": "Keep the axis of the sum, with keepdims=True: without it the sums stand along the columns, not along the rows.",
  "over everything": "Give the sum an axis: each query's row must sum to 1, and here all weights together do.",
  "the last step sums over the queries": "In the last step sum over the keys m, and keep the queries n: here it is the other way round.",
  "the last step keeps the key": "Keep the query's letter n on the right of the last arrow: with m the values aren't mixed, each is only multiplied by the sum of a column.",
  "the value has a letter of its own": "Give the value the letter of the key, m, in the last step: with a letter of its own all values are added up.",
  "the diagonal of the weights": "Keep two letters for the weights in the last step, n and m: with one letter only their diagonal is used.",
  "no W_O": "Keep W_O in the last step: the output has d_v numbers for each token here, and needs d_model.",
  "the scale lost in the repair": "Keep the division by √d_k: it was right in the given function, and it is gone.",
  "the scale was changed": "Leave the division as it was: it was right in the given function, and here it isn't by √d_k, the root of the columns of W_Q.",
  "the scale was changed to d_k": "Leave the division as it was: it was right in the given function, by √d_k, and here it is by d_k.",
  "the maximum lost in the repair": "Subtract each row's own maximum before np.exp: it overflows for large scores.",
  "one maximum for all": "Subtract each row's own maximum: far below the largest of the whole table every exponential is 0.",
  "the letters of the scores changed instead of the axis": "These weights are turned: keep the query first, in the letters of the scores and in what you give back.",
  "the weights turned instead of the axis": "Row i belongs to key i here: leave the scores as they were, with the query first, change only the axis of maximum and sum, and turn nothing.",
  "rows divided by their sum after the old softmax": "Change the axis of maximum and sum in place of dividing once more: after the shares among the queries, each row was divided by its sum.",
  "weights first": "Give back the output first, then the weights.",
  "only the output": "Give back two things, the output and the weights: the weights are missing.",
  "the keys are not summed over": "Leave the key's letter out on the right of the last arrow: what is missing there is summed over.",
  "the features of the value are not summed over": "Leave the letter of the value's features out on the right of the last arrow: what is missing there is summed over.",
  "W_O has letters of its own": "Give the value and W_O the same letter for the features d: here each was summed over by itself.",
  "the exponential lost in the repair": "Keep np.exp: it was right in the given function, and it is gone.",
  "the division lost in the repair": "Keep the division by the sum: each row of the weights must sum to 1.",
  "the sum over everything": "Give the sum its axis, too: each row must be divided by its own sum, and here it is that of all.",
  "a softmax after the old softmax": "Change the axis of maximum and sum in place of taking a second softmax of the shares."},
 "calls": {
  "4 tokens": [["X", "W_Q", "W_K", "W_V", "W_O"], [[[1.40326, 5.1551], [2.40741, 6.16787], [-0.338514, 3.5111], [0.139871, 1.89943]], [[0.277717, 0.141994, 0.54317, 0.0371194], [0.115158, 0.015392, 0.86158, 0.00786974], [0.268201, 0.524559, 0.137128, 0.0701121], [0.197262, 0.141051, 0.275874, 0.385813]]], [
   ["nothing repaired", [-3.5298, 2.3835], [0.039449, 0.78778]],
   ["only the softmax repaired", [-3.9734, 3.479], 0],
   ["nothing repaired", [-2.4661, 5.5988], [0.039449, 0.78778]],
   ["only the sum repaired", [-2.2381, 4.6354], [1.1151, 0.3174]],
   ["only the sum repaired", [-3.9734, 3.479], [1.1151, 0.3174]],
   ["only the maximum repaired", [-2.0801, 0.76258], [-0.067275, -0.0062867]],
   ["only the maximum repaired", [-7.3715, 2.2726], [-0.067275, -0.0062867]],
   ["neither axis is kept", [2.0547, 12.994], [0.44922, 1.4972]],
   ["neither axis is kept", [0.93995, 9.5242], [0.44922, 1.4972]],
   ["the axis of the maximum is not kept", [-1.0868, 5.7353], [0.60948, 0.48411]],
   ["the axis of the sum is not kept", [-1.0465, 0.097425], [-1.0733, 0.37758]],
   ["over everything", [0.20648, 2.3571], [-0.29141, 0.32293]],
   ["the last step sums over the queries", [-4.7313, 3.4527], 0],
   ["the last step keeps the key", [-5.924, -0.16911], 0],
   ["the value has a letter of its own", [3.9101, -2.1518], 0],
   ["the diagonal of the weights", [-1.7175, 0.49138], 0],
   ["no W_O", [0.48386, 3.1472, [4, 3]], 0],
   ["the scale lost in the repair", [-1.3674, 5.4103], [-1.217, 0.4457]],
   ["the scale was changed", [-0.87337, 4.3979], [-1.0065, 0.54961]],
   ["the scale was changed to d_k", [0.42118, 1.6212], [-0.21243, 0.34355]],
   ["the letters of the scores changed instead of the axis", [-4.7313, 3.4527], [-0.049658, 0.81916]],
   ["the weights turned instead of the axis", [-1.3473, 3.0199], [-0.53509, 0.60455]],
   ["rows divided by their sum after the old softmax", [-2.4363, 4.926], [0.39497, 0.34199]],
   ["weights first", [-0.69259, 0.55123, [4, 4]], [-0.30441, 3.2544, [4, 2]]],
   ["only the output", [-0.30441, 3.2544, [4, 2]]],
   ["the keys are not summed over", [-8.1376, -2.5165, [4, 4, 2]], 0],
   ["the features of the value are not summed over", [-2.936, 3.9303, [4, 3]], 0],
   ["W_O has letters of its own", [1.4361, 2.6669], 0],
   ["the exponential lost in the repair", [3.4002, -4.1297], [0.68812, 0.11407]],
   ["the division lost in the repair", [-0.75428, 1.5129], [-0.87604, 0.49709]],
   ["the sum over everything", [-0.10057, 0.20172], [-0.11681, 0.066279]],
   ["the letters of the scores changed instead of the axis", 0, [-0.049658, 0.81916]],
   ["a softmax after the old softmax", [0.4039, 0.67451], [0.17268, 0.23375]]]],
  "3 tokens, 1000 times as large": [["X", "W_Q", "W_K", "W_V", "W_O"], [[[2750, 6500], [-1500, 3000], [-1375, -3250]], [[0, 1, 0], [1, 0, 0], [0, 0, 1]]], [
   ["the maximum lost in the repair", [154.81, 221.6], [884.26, 516.23]],
   ["one maximum for all", [-341.92, 979.05], [932.91, 434.96]]]]}},
 "what-the-bug-computes": {
 "made of": "da788ab49169", "defines": ["what_the_bug_computes"],
 "advice": {
  "what attention should compute": "This is true attention: in the bug the value belongs to the query's own token n, so it can be pulled out of the sum over m.",
  "as if every row summed to 1": "This holds only if each row of weights sums to 1, and here they don't: take them as they are given, and keep what is left of the sum over m.",
  "sums of columns": "Take the sums along the rows of the weights, over m: these are the sums of the columns.",
  "mean instead of sum": "Take the sum of each row of weights, not its mean.",
  "the diagonal": "Take the sum of each row of weights: this is its entry on the diagonal.",
  "the sum of all weights": "Take the sum of each row of weights by itself: this is the sum of the whole table.",
  "as many times as there are tokens": "The sum over m holds the weights: what is left of it is the sum of row n, not the number of tokens.",
  "divided by the sum": "Multiply by the sum of each row of weights: here it divides.",
  "the largest weight": "Take the sum of each row of weights, not its largest entry.",
  "attention with the turned weights": "Nothing is mixed in the bug: X W_OV of each token is only multiplied by a number, which is left of the sum over m.",
  "W_OV forgotten": "Send X through W_OV: here only X is multiplied by the sums of the rows.",
  "W_OV turned": "Multiply X by W_OV as it is: here it is turned.",
  "the sums alone": "Multiply the sums of the rows by X W_OV: this holds only the sums.",
  "X W_OV added up over the tokens": "Pull X W_OV of token n out of the sum: here it was added up over all tokens.",
  "the bug and the mix": "Nothing is mixed in the bug: multiply X W_OV itself by the sums of the rows.",
  "only the last weight of each row": "Add up over m: here each weight takes the place of the one before, and only the last of each row is left.",
  "only the first weight of each row": "Take the sum of each row of weights: this is its first entry.",
  "added": "Multiply X W_OV by the sums of the rows: here they were added.",
  "the sums twice": "Multiply by the sum of each row once: here it was done twice.",
  "the product of each row": "Take the sum of each row of weights, not the product.",
  "the absolute weights": "Add the weights of each row up with their signs."},
 "calls": {
  "rows that don't sum to 1": [["X", "weights", "W_OV"], [[[1.09375, 8.3125], [-0.375, 0.75], [11.6875, 27.625], [1.375, 3.25]]], [
   ["what attention should compute", [-7.7502, -10.728]],
   ["as if every row summed to 1", [-3.9734, 3.479]],
   ["sums of columns", [-0.26376, 0.48325]],
   ["mean instead of sum", [-3.4114, -2.8828]],
   ["the diagonal", [-0.90663, -8.668]],
   ["the sum of all weights", [-20.861, 18.265]],
   ["as many times as there are tokens", [-15.894, 13.916]],
   ["divided by the sum", [13.499, 12.979]],
   ["the largest weight", [-7.7609, -1.9058]],
   ["attention with the turned weights", [1.4518, -1.9531]],
   ["W_OV forgotten", [9.9485, -2.5528]],
   ["W_OV turned", [7.3932, 11.387]],
   ["the sums alone", [-2.6713, -2.2487, [4, 1]]],
   ["X W_OV added up over the tokens", [-52.032, 6.2107]],
   ["the bug and the mix", [-68.072, 4.4682]],
   ["only the last weight of each row", [5.5016, -2.8458]],
   ["only the first weight of each row", [-5.2696, -1.4103]],
   ["added", [-4.0791, 1.7069]],
   ["the sums twice", [-67.632, -40.874]],
   ["the product of each row", [-1.6948, -1.1779]],
   ["the absolute weights", [-19.991, 0.86992]]]]}},
 "weight-entropy": {
 "made of": "cbc6fb1b7b71", "defines": ["weight_entropy"],
 "advice": {
  "bits": "Use the natural logarithm, np.log: these are bits.",
  "the logarithm to base 10": "Use the natural logarithm, np.log: this is the logarithm to base 10.",
  "nan for a weight of 0": "Put something whose logarithm is finite in place of a weight of 0, inside the logarithm only: 0·log 0 should count as 0.",
  "nan put right too late": "Put the parts with a weight of 0 right before they are added up: after it the whole row is lost.",
  "the sign": "Put a minus before the sum: entropy is never negative.",
  "mean instead of sum": "Take the sum along each row, not the mean.",
  "the mean of what is not nan": "Take the sum along each row, not the mean of the weights that aren't 0.",
  "down the columns": "Sum along the last axis: here the sum runs over the first, which are the heads.",
  "the second axis, not the last": "Sum along the last axis, whatever number it has: here the sum runs over axis 1, the queries.",
  "one number for all": "Give the sum an axis, the last: each row has an entropy of its own, and this is one number for all.",
  "the mean over all rows": "Give back an entropy for each row: this is one number, their mean.",
  "the axis stays": "Let the last axis go: sum without keepdims.",
  "not added up": "Add the parts up along the last axis: here each weight has its own.",
  "a small number inside the logarithm": "Put something else only in place of a weight of 0: a small number that is added to every weight changes their logarithms, too.",
  "the weight itself forgotten": "Multiply each logarithm by its weight: here only the logarithms are added up.",
  "1 put in for the zeros outside, too": "Put something else in place of 0 only inside the logarithm, and add up along the last axis: the weight in front of it stays.",
  "1 in place of the parts that are nan": "Where a weight is 0, its part is 0: something else was put there. Replace the 0 inside the logarithm only.",
  "no logarithm": "Take the logarithm of the weights: this is only the sum of their squares, or of the weights.",
  "as a number of keys": "This is np.exp of the entropy: give back the entropy itself.",
  "as a part of the largest": "Give the entropy itself, in nats: here it is divided by the largest that is possible.",
  "log(1 + w)": "Use np.log: np.log1p is the logarithm of 1 plus the weight.",
  "only the first row": "Give back an entropy for each row: this is only that of the first.",
  "only the largest weight": "Add up over all weights of a row: here only the largest one of each counts.",
  "what is not given, too": "Add up the parts of the weights only: here those of 1 minus the weight are added as well.",
  "np.exp in place of np.log": "Take the logarithm of the weights, np.log: here it is np.exp.",
  "the weights divided by the logarithm of their number": "Multiply each weight by its own logarithm: here it is that of the number of keys.",
  "the weights squared": "Multiply each logarithm by its weight once: here it was done twice.",
  "the logarithm of the product": "Take the logarithm of each weight inside of the sum: here it is taken of the sum of their squares."},
 "calls": {
  "2 heads with 3 queries and 4 keys": [["weights"], [[[0.693147, 1.38629, 0], [0.562335, 1.27985, 1.03972]]], [
   ["bits", [0.68529, -0.05536]],
   ["the logarithm to base 10", [0.20629, -0.016665]],
   ["nan for a weight of 0", [-53.441, 886.86]],
   ["nan put right too late", [0.29922, -1.1144]],
   ["the sign", [-0.47501, 0.038373]],
   ["mean instead of sum", [0.11875, -0.0095932]],
   ["the mean of what is not nan", [0.30325, 0.27091]],
   ["down the columns", [0.47298, -0.35962, [3, 4]]],
   ["the second axis, not the last", [0.37905, 0.17955, [2, 4]]],
   ["one number for all", [4.7398, 4.1748, []]],
   ["the mean over all rows", [0.78996, 0.69581, []]],
   ["the axis stays", [0.47501, -0.038373, [2, 3, 1]]],
   ["not added up", [0.15506, 0.2795, [2, 3, 4]]],
   ["a small number inside the logarithm", [0.47491, -0.038315]],
   ["a small number inside the logarithm", [0.47404, -0.037798]],
   ["a small number inside the logarithm", [0.46556, -0.033032]],
   ["the weight itself forgotten", [1.3976, -2.4877]],
   ["1 put in for the zeros outside, too", [0.41424, 0.55798]],
   ["1 in place of the parts that are nan", [0.65034, -1.7591]],
   ["1 in place of the parts that are nan", [0.29967, 1.6823]],
   ["no logarithm", [-0.17658, 0.13954]],
   ["as a number of keys", [0.67931, -0.53082]],
   ["as a part of the largest", [0.34264, -0.02768]],
   ["log(1 + w)", [0.069, -0.1411]],
   ["only the first row", [0.66219, 0.58326, []]],
   ["only the largest weight", [0.33291, -0.035301]],
   ["what is not given, too", [1.0717, 0.33833]],
   ["np.exp in place of np.log", [0.31395, -0.32895]],
   ["the weights divided by the logarithm of their number", [0.2762, 0.39538]],
   ["the weights squared", [0.29783, 0.22256]],
   ["the logarithm of the product", [0.41223, -0.073593]]]],
  "2 queries and 4 keys, no weight of 0": [["weights"], [[1.27985, 1.38629]], []],
  "100000 keys": [["function"], [[11.5129, 11.5129]], []]}},
 "plot-attention": {
 "made of": "3353bb1307c1", "defines": ["plot_attention"],
 "advice": {
  "colours stretched to the data": "Give imshow fixed colour limits, vmin and vmax: here they are the smallest and the largest weight.",
  "no upper limit of colours": "Give imshow the upper colour limit, too, vmax: here it is the largest weight.",
  "no lower limit of colours": "Give imshow the lower colour limit, too, vmin: here it is the smallest weight.",
  "colours up to 100": "The colours must go from 0 to 1: the weights are shares, not per cent.",
  "per cent throughout": "Draw and write the weights as they are: here they were multiplied by 100.",
  "colours from -1 to 1": "Let the colours go from 0 to 1: a weight is never negative.",
  "only the image is turned": "Draw the weights as they are, not turned: rows are queries, columns are keys.",
  "a softmax of the weights": "Draw the weights as they are: here a second softmax was taken of them.",
  "each row stretched": "Draw the weights as they are: here each row was divided by its largest weight.",
  "ticks between the cells": "Put the ticks at 0, 1, 2, …: there the middle of each row and column is.",
  "numbers at row, column instead of x, y": "The numbers stand in each other's cells: in ax.text x comes first, the number of the column (key), then y, of the row (query).",
  "per cent in the cells": "Write the weights as they are, such as 0.25: here they are in per cent.",
  "one decimal": "Write the weights with two decimals: here they have one.",
  "rounded to whole numbers": "Write the weights with two decimals: here they are rounded to whole numbers.",
  "draws a table that it has set to 0 itself": "Draw the weights as they were given, and write nothing into them."},
 "calls": {
  "2 queries and 2 keys, no weight of 0": [["weights", "queries", "keys", "plot"], [[0, 1], [0, 1], [0, 1], [[0.75, 0.25], [0.38, 0.62]], [[0.75, 0.25], [0.38, 0.62]]], [
   ["colours stretched to the data", [-0.073276, 0.092058], 0, 0, 0, 0],
   ["no upper limit of colours", [-0.31211, -0.11831], 0, 0, 0, 0],
   ["no lower limit of colours", [-0.17731, 0.052622], 0, 0, 0, 0],
   ["colours up to 100", [-41.615, -15.775], 0, 0, 0, 0],
   ["per cent throughout", 0, 0, 0, [68.37, 97.113], [68.37, 97.113]],
   ["colours from -1 to 1", [-1.3715, -0.99922], 0, 0, 0, 0],
   ["only the image is turned", 0, 0, 0, 0, [0.73985, 1.0327]],
   ["a softmax of the weights", 0, 0, 0, 0, [0.41939, 0.74541]],
   ["each row stretched", 0, 0, 0, 0, [0.93151, 1.4009]],
   ["ticks between the cells", 0, [-0.14655, 0.18412], [-0.14655, 0.18412], 0, 0],
   ["ticks between the cells", 0, 0, [-0.14655, 0.18412], 0, 0],
   ["numbers at row, column instead of x, y", 0, 0, 0, [0.73985, 1.0327], 0],
   ["per cent in the cells", 0, 0, 0, [68.37, 97.113], 0],
   ["one decimal", 0, 0, 0, [0.72262, 0.98849], 0],
   ["rounded to whole numbers", 0, 0, 0, [1.59, 1.8404], 0],
   ["draws a table that it has set to 0 itself", 0, 0, 0, [0, 0], [0, 0]]]],
  "3 queries and 4 keys": [["weights", "queries", "keys", "plot"], [[0, 1], [0, 1, 2], [0, 1, 2, 3], [[0.7, 0, 0.2, 0.1], [0.3, 0.3, 0.4, 0], [0, 0.9, 0, 0.1]], [[0.7, 0, 0.2, 0.1], [0.3, 0.3, 0.4, 0], [0, 0.9, 0, 0.1]]], []],
  "8 queries and 8 keys": [["weights", "queries", "keys", "plot"], [[0, 1], [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7], [[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]], [[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]]], []],
  "9 queries and 2 keys": [["weights", "queries", "keys", "plot"], [[0, 1], [0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1], [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]], []],
  "2 queries and 11 keys": [["weights", "queries", "keys", "plot"], [[0, 1], [0, 1], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]], [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]]], []]}},
 "previous-token-head": {
 "made of": "7836d22f950c", "defines": ["previous_token_head"],
 "advice": {
},
 "calls": {
  "n = 4": [["n", "head"], [[[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]], []],
  "n = 2": [["n", "head"], [[[0, 0], [1, 0]]], []],
  "n = 40": [["n", "head"], [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]], []]}}}


# %% [markdown]
# Four more cells for the tests. Two are folded; the others hold the small inputs that several tests share, for you to look at when one fails. All sizes differ: 2 queries and 3 keys with 5 features, and a head with 4 tokens, `d_model` 2, `d_k` 5 and `d_v` 3.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Stop unless `got` equals `expected`. All numbers stand below the first line. sizes: of the example."""
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, what came back is no array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, the shape is not right\n{sizes}expected {shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% nbgrader={"grade": false, "grade_id": "test-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
small_Q = np.array([[1, 0.5, -1, 2, 0], [-1, 0.5, 2, 0.5, 1]])
small_K = np.array([[2, 0, 1, -0.5, 1], [0, 1, -1, 1, 0.5], [1, -1, 2, 0.5, -1.5]])

# %% nbgrader={"grade": false, "grade_id": "tiny-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_X = np.array([[1, 0.5], [0, 2], [2, -1], [-1, 0.5]])
tiny_W_Q = np.array([[1, 0, 0.5, -1, 0], [0, 1, -1, 0, 0.5]])
tiny_W_K = np.array([[0.5, 1, 0, -1, 1], [1, 0, 0.5, 0.5, 0]])
tiny_W_V = np.array([[1, 0, 2], [-1, 0.5, 1]])
tiny_W_O = np.array([[1, 0], [0.5, -1], [0, 2]])
tiny_matrices = tiny_W_Q, tiny_W_K, tiny_W_V, tiny_W_O
tiny_W_QK = np.array([[1.5, 0.75], [1.5, -0.5]])
tiny_W_OV = np.array([[1, 4], [-0.75, 1.5]])


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "beyond-one", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def beyond_one(function, *arguments):
    """By how many hundredths the sum of each list of shares is more than 1."""
    return 100 * (np.asarray(function(*arguments)).sum(axis=-1) - 1)


# %% [markdown]
# ## The sentence we work with
#
# Our tokens are six words. To be able to check everything by eye, we describe each word by four numbers that you can read: is it an article, a noun, a verb, a preposition? So `n` is 6 and `d_model` is 4. (In a real model these numbers are learned, and there are thousands of them.)

# %% nbgrader={"grade": false, "grade_id": "sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentence = ["the", "cat", "sat", "on", "the", "mat"]
kinds = ["article", "noun", "verb", "preposition"]

X = np.array([
    [1.0, 0.0, 0.0, 0.0],  # the
    [0.0, 1.0, 0.0, 0.0],  # cat
    [0.0, 0.0, 1.0, 0.0],  # sat
    [0.0, 0.0, 0.0, 1.0],  # on
    [1.0, 0.0, 0.0, 0.0],  # the
    [0.0, 1.0, 0.0, 0.0],  # mat
])
print("X has shape", X.shape, "= (n, d_model)")

# %% [markdown]
# Every token plays three parts, and each has its own weight matrix:
#
# - as a **query** it says what it is looking for: `Q = X @ W_Q`,
# - as a **key** it says what it has to offer: `K = X @ W_K`,
# - as a **value** it holds what it hands over when somebody looks at it: `V = X @ W_V`.
#
# Below, `d_k` is 2: the first number of a query means *I look for a noun*, the second *I look for a verb*. Articles, verbs and prepositions look for nouns, and nouns look for verbs. A query meets a key that fits with the score 2 · 2 = 4, and all others with 0. `d_v` is 3.

# %% nbgrader={"grade": false, "grade_id": "head-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
#                 noun verb
W_Q = np.array([[2.0, 0.0],   # an article looks for a noun
                [0.0, 2.0],   # a noun looks for a verb
                [2.0, 0.0],   # a verb looks for a noun
                [2.0, 0.0]])  # a preposition looks for a noun
W_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]])  # only nouns and verbs offer something
# Three channels for what is handed over: noun, verb, all else. W_O turns them into kinds again.
W_V = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
W_O = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.5, 0.0, 0.0, 0.5]])

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print("Q", Q.shape, " K", K.shape, " V", V.shape)

# %% [markdown]
# ### The way through one head
#
# These four weight matrices, and what is computed with them, make one **head** of attention. Here queries, keys and values are all made from the same `X`: that is called **self-attention**. A layer of a Transformer runs several heads side by side. In this lesson you build one.
#
# The picture is a map of what follows, with the sizes of our sentence. Every row of a block is a token. The hatched row is *cat*, token 1, as a query: it meets **all** keys, and it fetches from **all** values. The numbers in brackets name the exercises.

# %% alt="A map of one head with the shape of each block: X makes Q, K and V, Q and K make the scores, the softmax turns these into the attention weights A, A mixes V, and W_O brings the result back to the shape of X, while the hatched row of cat stays row 1 all the way." tags=["demonstration"]
blocks = [  # name, columns, left edge, top edge, exercises, colour
    ("X", 4, 0, 8, "", "white"), ("Q", 2, 12, 17.5, "", "#d6e6f4"), ("K", 2, 12, 7.5, "", "#d6e6f4"),
    ("V", 3, 19, -2, "", "#dcefd9"), ("scores", 6, 19, 13, "(1.2, 1.3)", "#d6e6f4"),
    ("attention weights A", 6, 31, 13, "(1.1, 1.4)", "#f3e2c7"), ("AV", 3, 44, 8, "(1.5)", "#dcefd9"),
    ("output", 4, 54, 8, "(1.5)", "white"),
]
arrows = [  # from, to, label, place of the label
    ((4.4, 7), (11.6, 14), "$W_Q$ (4, 2)", (5.3, 11.2)), ((4.4, 5), (11.6, 4.5), "$W_K$ (4, 2)", (8, 5)),
    ((4.4, 3), (18.6, -4.5), "$W_V$ (4, 3)", (8.4, -3.2)), ((14.4, 14.5), (18.6, 11), "", (0, 0)),
    ((14.4, 5), (18.6, 9), "$QK^T$", (15.6, 8.4)), ((25.4, 10), (30.6, 10), "÷ $\\sqrt{d_k}$\nsoftmax", (28, 10.4)),
    ((37.4, 10), (43.6, 6), "", (0, 0)), ((22.4, -5), (43.6, 4), "A mixes V", (32, 0.8)),
    ((47.4, 5), (53.6, 5), "$W_O$ (3, 4)", (50.5, 5.5)),
]
fig, ax = plt.subplots(figsize=(10, 5), layout="constrained")
for name, columns, x, y, note, colour in blocks:
    for i, j in np.ndindex(6, columns):
        query = i == 1 and name not in ("K", "V")
        ax.add_patch(plt.Rectangle((x + j, y - i - 1), 1, 1, edgecolor="0.5", linewidth=0.7,
                                   facecolor="#ffd966" if query else colour, hatch="////" if query else ""))
    ax.text(x + columns / 2, y + 0.4, name, ha="center", weight="bold")
    ax.text(x + columns / 2, y - 6.4, f"(6, {columns})\n{note}", ha="center", va="top")
for start, end, label, place in arrows:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "linewidth": 1.3})
    ax.text(*place, label, ha="center", va="bottom")
for i, token in enumerate(sentence):
    ax.text(-0.4, 7.5 - i, f"{i} {token}", ha="right", va="center")
ax.set(xlim=(-5, 59), ylim=(-10, 19), aspect="equal")
ax.axis("off")
plt.show()


# %% [markdown]
# ## 1.1 Softmax
#
# **2 points · about 8 minutes · difficulty ●●○**
#
# Attention needs to turn any list of scores into shares: numbers from 0 to 1 that sum to 1, where a higher score gets a larger share. That is what softmax does:
#
# $$\mathrm{softmax}(s)_j = \frac{e^{s_j}}{\sum_m e^{s_m}}$$
#
# Written just like that, it breaks: $e^{10000}$ is more than a computer can hold. But subtracting the same number from all scores of a list changes nothing, because it cancels in the fraction. Subtract the largest, and every exponent is at most 0:
#
# | operation | expression | shape |
# |---|---|---|
# | largest score of each list | $m = \max_j s_j$ | the softmax axis has length 1 |
# | shifted exponentials | $e^{s_j - m}$ | like `scores` |
# | their sum over each list | $z = \sum_j e^{s_j - m}$ | the softmax axis has length 1 |
# | shares | $e^{s_j - m} / z$ | like `scores` |
#
# `axis` says along which axis a list runs. Each list is one softmax of its own. A score of $-\infty$ must get a share of exactly 0.
#
# <details><summary>Hint 1: a question</summary>
#
# In an array of shape `(2, 3)` with `axis=-1`, how many different maxima do you need: one, two, or three? What shape must they have so that NumPy subtracts each from its own list?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.max` and `np.sum` take `axis=` and `keepdims=`. With `keepdims=True` the axis stays there with length 1, so the result lines up with the original. `np.exp` does the rest.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take the maximum along the axis and keep the axis. Make a new array: the scores minus that maximum. Exponentiate it. Divide by its own sum along the same axis, again keeping the axis.
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# Your maximum or your sum has lost its axis: shape `(2,)` can't be lined up with `(2, 3)`. Look at hint 2 again.
# </details>

# %% nbgrader={"grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(scores, axis=-1):
    """Turn scores into shares that sum to 1 along `axis`.

    scores: array of any shape, may be large or -inf (no list is all -inf); not changed.
    Returns an array of the same shape.
    """
    ### BEGIN SOLUTION
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "softmax-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("softmax", shares="list row column")
cube = np.array([[[0, 1, 2, -1], [1, 3, 0.5, 0], [-2, 0, 1, 2.5]], [[1, 1, 0, 2], [0.5, -1, 2, 2], [3, 0, -0.5, 1]]])
check("softmax", "three axes, axis=1", softmax, cube, axis=1)
returns("softmax", shares="row column")
check("softmax", "a table, without an axis", softmax, cube[0])
check("softmax", "a table, axis=0", softmax, cube[1], axis=0)
levels = np.array([[1e4 + 1, 1e4, -1e4], [1e3, 1e3 - 2, 0], [-1e4, -1e4, -1e4]])
check("softmax", "rows near 10000, near 1000 and near -10000", softmax, levels)
check("softmax", "some scores of -inf", softmax, np.array([[2, -np.inf, 2, 1], [-np.inf, 0, -np.inf, 1]]))
returns("softmax", shares="place")
check("softmax", "a single list", softmax, np.array([0, 2, -1.5]))
returns("softmax", excess="list")
check("softmax", "by how many hundredths the shares' sum is more than 1", beyond_one, softmax, np.zeros((2, 3)))
### BEGIN HIDDEN TESTS
with np.errstate(all="ignore"):
    shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
    tolerance = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(101), "on a larger random array"
    for shape in [(7,), (3, 5), (2, 3, 4)]:
        scores = np.round(64 * rng.normal(size=shape)) / 64    # with 10000 added, exact in 32 bits, too
        for axis in range(-len(shape), len(shape)):
            expected = np.apply_along_axis(shares_of, axis, scores)
            for shift in (0.0, 1e4, -1e4):
                given, sizes = scores + shift, f"with shape {shape}, axis {axis} and {shift} added, "
                shares = np.asarray(softmax(given, axis))
                check_numbers(shares, expected, where, tolerance(shares), sizes)
                assert np.array_equal(given, scores + shift), "softmax changed the array it was given"
            check_numbers(softmax(scores.astype(np.float32), axis=axis), expected, where, 1e-5, sizes)
        check_numbers(softmax(scores.copy()), expected, where + ", along the last axis", 1e-3, sizes)
    levels = np.round(64 * rng.normal(size=(3, 4))) / 64 + np.array([[1e4], [0.0], [-1e4]])
    levels[0, 1] = levels[2, 0] = -np.inf
    for table, axis in [(levels, 1), (levels.T, 0)]:
        shares, expected = np.asarray(softmax(1 * table, axis)), np.apply_along_axis(shares_of, axis, table)
        check_numbers(shares, expected, "on lists of uneven level, with some -inf", tolerance(shares))
        assert (shares[table == -np.inf] == 0).all(), "a score of -inf must get a share of 0"
### END HIDDEN TESTS

# %% [markdown]
# Try it on a short list. Guess first: if one score is 2 higher than another, how many times larger is its share?

# %% tags=["demonstration"]
shares = softmax(np.array([0.0, 1.0, 2.0]))
print(np.round(shares, 3), " sum:", round(float(np.sum(shares)), 6))
print("share of score 2 / share of score 0:", round(float(shares[2] / shares[0]), 3))

# %% tags=["demonstration"]
for shift in [0.0, 5.0, 10000.0]:
    print("with", shift, "added:", np.round(softmax(np.array([0.0, 1.0, 2.0]) + shift), 3))


# %% [markdown]
# The ratio is $e^2 \approx 7.389$. Softmax only looks at **differences** between scores: adding a constant changes nothing, and a score that is higher by 1 gets a share $e$ times as large as the other's. Keep this in mind, because from here on everything depends on how far apart the scores are.

# %% [markdown]
# ## 1.2 Scores, one product at a time
#
# **2 points · about 6 minutes · difficulty ●○○**
#
# How well does what token *i* looks for match what token *j* offers? Attention measures it by the dot product of query *i* with key *j*: multiply feature by feature and add up.
#
# $$\mathrm{scores}_{ij} = \sum_{f=0}^{d_k-1} Q_{if}\,K_{jf}$$
#
# Write it with three plain loops. It is slow, and that is the point: you will see exactly what is computed and how often.
#
# In our head there are as many queries as keys, because both are made from one `X`. It needn't be so. A translator's queries can come from one sentence and the keys from another, which is called **cross-attention**. And a model that writes a text word by word asks with its newest token alone. So keep the two numbers apart.
#
# | operation | expression | shape |
# |---|---|---|
# | queries | `Q` | `(n_q, d_k)` |
# | keys | `K` | `(n_k, d_k)` |
# | raw scores | sum over the features | `(n_q, n_k)` |
#
# <details><summary>Hint 1: a question</summary>
#
# How many scores are there with 2 queries and 3 keys? Which of your loops runs over what, and which loop doesn't appear in the shape of the result?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros((rows, columns))` makes the table to fill. `Q.shape` gives `n_q` and `d_k`, and `len(K)` gives `n_k`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make a table of zeros with a row for each query and a column for each key. For each query, for each key, for each feature: add the product of the two features to the entry that belongs to this query and this key. No division here. The scale comes in 1.4.
# </details>
#
# <details><summary>I get “Cannot interpret … as a data type”</summary>
#
# `np.zeros` takes the sizes as one pair: it has brackets of its own.
# </details>
#
# <details><summary>I get “IndexError: index … is out of bounds”</summary>
#
# A loop runs too far, or two indices have changed places. Write down for each loop what it counts: queries (`n_q`), keys (`n_k`) or features (`d_k`). Then look at every bracket: which of the three belongs there?
# </details>

# %% nbgrader={"grade": false, "grade_id": "attention-scores-loops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores_loops(Q, K):
    """Raw dot products of every query with every key, by explicit loops.

    Q: (n_q, d_k), K: (n_k, d_k). Returns (n_q, n_k).
    """
    ### BEGIN SOLUTION
    n_q, d_k = Q.shape
    n_k = K.shape[0]
    scores = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            for f in range(d_k):
                scores[i, j] += Q[i, f] * K[j, f]
    return scores
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "attention-scores-loops-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("attention-scores-loops", scores="query key")
check("attention-scores-loops", "2 queries and 3 keys", attention_scores_loops, small_Q, small_K)
check("attention-scores-loops", "3 queries and 2 keys", attention_scores_loops, small_K, small_Q)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(102)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 4, 3)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [[math.fsum(q * k for q, k in zip(query, key)) for key in keys] for query in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_scores_loops(*given), expected, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_scores_loops(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, "on larger random tables in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Now with the words. *cat* looks for a verb, so its score with *sat* should stand out:

# %% tags=["demonstration"]
for j, key in enumerate(sentence):
    print(f"cat -> {key:4} {attention_scores_loops(Q, K)[1][j]:5.1f}")


# %% [markdown]
# ## 1.3 The same scores from one matrix product
#
# **1 point · about 3 minutes · difficulty ●○○**
#
# A matrix product is exactly such a set of loops, run by fast compiled code. Find the product that gives the same table: one row per query, one column per key.
#
# | operation | expression | shape |
# |---|---|---|
# | queries | `Q` | `(n_q, d_k)` |
# | keys, turned | $K^\top$ | `(d_k, n_k)` |
# | raw scores | $QK^\top$ | `(n_q, n_k)` |
#
# <details><summary>Hint 1: a question</summary>
#
# In a matrix product the inner sizes must agree and vanish. Which size is summed over in 1.2, and where does it stand in the shapes of `Q` and `K`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` is the matrix product. `.T` turns rows into columns.
# </details>
#
# <details><summary>I get “matmul: … mismatch in its core dimension”</summary>
#
# The inner sizes don't agree: the last axis of the left factor must be as long as the first axis of the right one. Which of the two has to be turned?
# </details>

# %% nbgrader={"grade": false, "grade_id": "attention-scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(Q, K):
    """Raw dot products of every query with every key, by one matrix product.

    Q: (n_q, d_k), K: (n_k, d_k). Returns (n_q, n_k).
    """
    ### BEGIN SOLUTION
    return Q @ K.T
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "attention-scores-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("attention-scores", scores="query key")
check("attention-scores", "2 queries and 3 keys", attention_scores, small_Q, small_K)
check("attention-scores", "3 queries and 2 keys", attention_scores, small_K, small_Q)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(103)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 4, 3)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [[math.fsum(q * k for q, k in zip(query, key)) for key in keys] for query in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_scores(*given), expected, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_scores(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, "on larger random tables in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# **Predict before you run:** if the sentence gets twice as long, how much longer do the loops take? The next cell times both of your versions for 16 to 256 tokens.

# %% tags=["demonstration"]
lengths, seconds = [16, 32, 64, 128, 256], {"loops": [], "matrix product": []}
for n in lengths:
    # Four features: so little that one processor core does the product alone, and the time is its own.
    queries, keys = np.random.default_rng(0).normal(size=(2, n, 4))
    # Many products in a row: a browser's clock ticks only every 0.1 ms.
    loops = "loops", attention_scores_loops, max(16, 1024 // n), 1
    product = "matrix product", attention_scores, 5, 6400 // n
    for name, score, often, in_a_row in [loops, product]:
        runs = timeit.repeat(lambda: score(queries, keys), number=in_a_row, repeat=often)
        seconds[name].append(min(runs) / in_a_row)

# %% tags=["demonstration"]
print(f"loops: 256 tokens took {seconds['loops'][-1] / seconds['loops'][-2]:.1f} times as long as 128")
print(f"256 tokens: the product was {seconds['loops'][-1] / seconds['matrix product'][-1]:.0f} times as fast")

# %% alt="Seconds against the number of tokens, both axes logarithmic: the loops lie on the dotted line of slope n squared, and the matrix product lies far below, flat at first and then bending up to the same slope." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for name, style in [("loops", "o-"), ("matrix product", "s--")]:
    ax.loglog(lengths, seconds[name], style, label=name)
    ax.loglog(lengths, seconds[name][-1] * (np.array(lengths) / lengths[-1]) ** 2, "k:")
ax.plot([], [], "k:", label="slope of n²")
ax.set(xlabel="number of tokens n", ylabel="seconds", xticks=lengths, xticklabels=lengths)
ax.minorticks_off()
ax.legend()
plt.show()


# %% [markdown]
# On logarithmic axes a straight line of slope 2 means *n²*: twice the tokens, four times the work. The loops follow it, up to the noise of timing: 3 or 5 in place of 4 is normal. The matrix product does just as many multiplications, only much faster. For short texts you see mostly the cost of calling it; then its curve bends up to *n²*, too. That is why long texts are expensive for Transformers.

# %% [markdown]
# ## 1.4 Scaled attention weights
#
# **3 points · about 8 minutes · difficulty ●●○**
#
# Now the scores become shares. For each query, softmax over the keys gives a row of **attention weights** that sums to 1. One thing comes in between: the scores are divided by $\sqrt{d_k}$.
#
# $$A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\quad\text{along each row}$$
#
# Why divide at all, and why by a square root? Take it as given for now. You will measure it in 1.9, and find the reason in 1.10.
#
# | operation | expression | shape |
# |---|---|---|
# | raw scores | $QK^\top$ | `(n_q, n_k)` |
# | scaled scores | $QK^\top/\sqrt{d_k}$ | `(n_q, n_k)` |
# | attention weights $A$ | softmax over the keys | `(n_q, n_k)`, each **row** sums to 1 |
#
# <details><summary>Hint 1: a question</summary>
#
# `d_k` isn't an argument. Which axis of `Q` tells you what it is? And which of `n_q`, `n_k` and `d_k` is the number of features in a dot product?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# You have written the two big pieces: `attention_scores` and `softmax`. `np.sqrt` or `math.sqrt` gives the root.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take the raw scores. Divide them by the root of the last size of `Q`. Apply your softmax along the last axis, the keys.
# </details>
#
# <details><summary>I get NotImplementedError, but I wrote this function</summary>
#
# The error comes from a function of yours that this one calls: `softmax` or `attention_scores`. Finish that one first, or write its few steps out here.
# </details>

# %% builds_on=["softmax", "attention-scores"] nbgrader={"grade": false, "grade_id": "attention-weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_weights(Q, K):
    """Scaled dot-product attention weights.

    Q: (n_q, d_k), K: (n_k, d_k). Returns (n_q, n_k), and each row sums to 1.
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    return softmax(attention_scores(Q, K) / np.sqrt(d_k), axis=-1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "attention-weights-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("attention-weights", weights="query key")
check("attention-weights", "2 queries and 3 keys", attention_weights, small_Q, small_K)
check("attention-weights", "3 queries and 2 keys", attention_weights, small_K, small_Q)
check("attention-weights", "a query 1000 times as large", attention_weights, [[1000], [1]] * small_Q, small_K)
check("attention-weights", "a query -1000 times as large", attention_weights, [[1], [-1000]] * small_Q, small_K)
returns("attention-weights", excess="query")
check("attention-weights", "by how many hundredths a row's sum is more than 1", beyond_one,
      attention_weights, small_Q, np.ones((3, 5)))
### BEGIN HIDDEN TESTS
shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
rng = np.random.default_rng(104)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 3, 2)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [shares_of([math.fsum(q * k) / math.sqrt(d_k) for k in keys]) for q in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_weights(*given), expected, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_weights(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, "on larger random tables in float32", 1e-5, sizes)
    queries = queries * rng.normal(0, 1e5, (n_q, 1))
    expected = [shares_of([math.fsum(q * k) / math.sqrt(d_k) for k in keys]) for q in queries]
    with np.errstate(all="ignore"):
        huge = attention_weights(queries.copy(), keys.copy())
    check_numbers(huge, expected, "with huge scores", 1e-3, sizes)
### END HIDDEN TESTS

# %% tags=["demonstration"]
print("row sums:   ", np.sum(attention_weights(Q, K), axis=1).round(3))
print("column sums:", np.sum(attention_weights(Q, K), axis=0).round(3))

# %% [markdown]
# The rows sum to 1. The columns don't have to: they say how much each word is looked at altogether.
#
# Here are your attention weights for the cat on the mat. Each bar is one query, divided among the keys it looks at, from key 0 on the left to key 5 on the right. Before you run it: what do you expect for *cat*, and for the first *the*?

# %% alt="One bar for each query, all of length 1 and divided among the six keys: both nouns give about three quarters to sat, and every other token gives the same large part to cat and to mat." tags=["demonstration"]
weights = np.asarray(attention_weights(Q, K))
fig, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
left = np.zeros(6)
for j, key in enumerate(sentence):
    ax.barh(range(6), weights[:, j], left=left, color=plt.cm.cividis(0.5 + j / 10), edgecolor="white")
    for i, share in enumerate(weights[:, j]):
        ax.text(left[i] + share / 2, i, f"{j} {key}" if share > 0.1 else j, ha="center", va="center", fontsize=9)
    left += weights[:, j]
labels = [f"{i} {token}" for i, token in enumerate(sentence)]
ax.set(yticks=range(6), yticklabels=labels, ylabel="query", xlabel="share of each key", xlim=(0, 1))
ax.invert_yaxis()
plt.show()


# %% [markdown]
# Every bar is exactly 1 long: a query has one unit of attention to give away. The nouns give most of theirs to *sat*, the only verb. The others share theirs between *cat* and *mat*, which look exactly alike to this head: `X` holds only the kind of each word, not which word it is, nor where it stands.
#
# A query must give its whole unit away, even if nothing suits it: then it shares evenly. Trained language models often send attention that they have no use for to the first tokens, even where these mean nothing: an **attention sink** (Xiao et al., 2023).

# %% [markdown]
# ## 1.5 One head, complete
#
# **4 points · about 9 minutes · difficulty ●●○**
#
# The attention weights say how much each token looks at each other one. The values say what it gets. A token's new content is the average of all values, weighted by its row of $A$. A last matrix `W_O` brings the result back to the model's size. (In a Transformer it is then added to `X`. Not here.)
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $XW_Q,\; XW_K$ | `(n, d_k)` |
# | values | $XW_V$ | `(n, d_v)` |
# | attention weights $A$ | $\mathrm{softmax}(QK^\top/\sqrt{d_k})$ | `(n, n)`, each row sums to 1 |
# | mixed values | $AV$ | `(n, d_v)` |
# | output | $AVW_O$ | `(n, d_model)` |
#
# This is the whole map that stands above 1.1. Return two things: the output and the attention weights. `d_model`, `d_k` and `d_v` can all differ: the scale is the root of `d_k`, the length of queries and keys.
#
# Make `Q`, `K` and `V` inside your function. If you forget one, Python silently takes the sentence's, which has the same name.
#
# <details><summary>Hint 1: a question</summary>
#
# Row *i* of the mixed values is $\sum_j A_{ij} V_j$. Over which index is the sum, and which matrix product sums over it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `attention_weights` does half of the work. The rest is `@`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Project `X` three times. Get the attention weights from queries and keys. Multiply them by the values, then by the output matrix. Return the pair, output first.
# </details>
#
# <details><summary>I get “cannot unpack” or “too many values to unpack”</summary>
#
# The test expects two things: your function should end by returning the output and the attention weights, separated by a comma.
# </details>
#
# <details><summary>I get “matmul: … mismatch in its core dimension”</summary>
#
# In a product, the last axis of the left factor and the first axis of the right one must be equally long. Print both shapes and find them in the table: which factor is on the wrong side, or projected by the wrong matrix?
# </details>

# %% builds_on=["attention-weights"] nbgrader={"grade": false, "grade_id": "single-head-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    """One head of self-attention.

    X: (n, d_model), W_Q and W_K: (d_model, d_k), W_V: (d_model, d_v), W_O: (d_v, d_model).
    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attention_weights(Q, K)
    return weights @ V @ W_O, weights
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "single-head-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("single-head-attention", output="query feature", weights="query key")
check("single-head-attention", "4 tokens", single_head_attention, tiny_X, *tiny_matrices)
check("single-head-attention", "3 tokens, 1000 times as large", single_head_attention, 1e3 * tiny_X[1:], *tiny_matrices)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(105)
for n, d_model, d_k, d_v in [(5, 6, 3, 4), (3, 4, 7, 2)]:
    shapes = [(n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = [rng.normal(size=shape) / math.sqrt(shape[0]) for shape in shapes]
    x, w_q, w_k, w_v, w_o = arrays
    raw = [[math.exp((a @ w_q) @ (b @ w_k) / math.sqrt(d_k)) for b in x] for a in x]
    slow = [[value / math.fsum(row) for value in row] for row in raw]
    mixed = [sum(share * (b @ w_v) for share, b in zip(row, x)) @ w_o for row in slow]
    where, sizes = "of larger random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, d_v={d_v}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = [a.astype(dtype) for a in arrays]
        output, weights = single_head_attention(*given)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# What did *cat* fetch? Its row of the output has one number per kind of word.

# %% tags=["demonstration"]
output, weights = single_head_attention(X, W_Q, W_K, W_V, W_O)
print("output has shape", np.shape(output))
for kind, amount in zip(kinds, output[1]):
    print(f"cat fetched {amount:5.2f} of feature '{kind}'")


# %% [markdown]
# Mostly *verb*, as it should be. *cat* looks at the two articles with 0.09 and at *on* with 0.05, yet 0.07 of each comes back. For `W_V` has only three channels: noun, verb, and everything else. A head can hand over no more than what fits through its `d_v` numbers.
#
# And *who sat*, as the first page asked? *sat* fetches 0.89 of *noun*. So it learns that some noun sat, and not which: `X` doesn't tell the nouns apart.

# %% [markdown]
# ## 1.6 Two circuits instead of four matrices
#
# **3 points · about 10 minutes · difficulty ●●○**
#
# Look at where the four matrices stand. In the scores, $W_Q$ and $W_K$ only ever occur as a product, and so do $W_V$ and $W_O$ in the output:
#
# $$QK^\top = X\,\underbrace{W_Q W_K^\top}_{W_{QK}}\,X^\top \qquad\qquad AVW_O = A\,X\,\underbrace{W_V W_O}_{W_{OV}}$$
#
# So a head is really two circuits. The **QK circuit** decides who looks at whom. The **OV circuit** decides what is moved once somebody looks. Both matrices are `(d_model, d_model)`, whatever `d_k` and `d_v` are. In a layer of several heads, each has two circuits of its own: lesson 02 takes this up.
#
# Elhage et al. (2021) read trained Transformers this way. Their tokens are columns, so they write $W_{QK} = W_Q^\top W_K$ and $W_{OV} = W_O W_V$ for the same thing.
#
# | operation | expression | shape |
# |---|---|---|
# | QK circuit, without the scale | $W_QW_K^\top$ | `(d_model, d_model)` |
# | OV circuit | $W_VW_O$ | `(d_model, d_model)` |
# | scaled scores | $XW_{QK}X^\top/\sqrt{d_k}$ | `(n, n)` |
# | output | $A\,X\,W_{OV}$ | `(n, d_model)` |
#
# Write two functions. `fold_weights` makes the two matrices, and `folded_attention` uses them. The second needs `d_k` as an argument. Why can't it find out for itself? Think of an answer; it stands after the tests.
#
# <details><summary>Hint 1: a question</summary>
#
# $(XW_K)^\top$ is $W_K^\top X^\top$. So in $XW_Q(XW_K)^\top$, which two weight matrices stand next to each other, and which of them is turned?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` and `.T` for the first function. The second also needs `softmax` and a square root.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Fold: multiply the query matrix by the transposed key matrix, and the value matrix by the output matrix. Attend: put the folded matrix between `X` and its transpose, scale, take the softmax along each row. Then let the attention weights mix `X`, and send the result through the second folded matrix.
# </details>

# %% nbgrader={"grade": false, "grade_id": "fold-weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def fold_weights(W_Q, W_K, W_V, W_O):
    """The QK and the OV circuit of a head, without the scale.

    W_Q, W_K: (d_model, d_k), W_V: (d_model, d_v), W_O: (d_v, d_model).
    Returns (W_QK, W_OV), both (d_model, d_model).
    """
    ### BEGIN SOLUTION
    return W_Q @ W_K.T, W_V @ W_O
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "fold-weights-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("fold-weights", W_QK="query-side key-side", W_OV="value-side output-side")
check("fold-weights", "the small head", fold_weights, *tiny_matrices)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(106)
for d_model, d_k, d_v in [(5, 3, 4), (4, 6, 2)]:
    shapes = [(d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = [rng.normal(size=shape) for shape in shapes]
    w_q, w_k, w_v, w_o = arrays
    slow_QK = [[math.fsum(q * k) for k in w_k] for q in w_q]
    slow_OV = [[math.fsum(v * o) for o in w_o.T] for v in w_v]
    sizes = f"with d_model={d_model}, d_k={d_k}, d_v={d_v}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = [a.astype(dtype) for a in arrays]
        W_QK, W_OV = fold_weights(*given)
        check_numbers(W_QK, slow_QK, "in W_QK of larger random matrices", tolerance, sizes)
        check_numbers(W_OV, slow_OV, "in W_OV of larger random matrices", tolerance, sizes)
        unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays))
        assert all(unchanged), "a weight matrix was changed: make new arrays"
### END HIDDEN TESTS

# %% builds_on=["softmax"] nbgrader={"grade": false, "grade_id": "folded-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def folded_attention(X, W_QK, W_OV, d_k):
    """One head from its two circuits.

    X: (n, d_model), W_QK and W_OV: (d_model, d_model), d_k: the head's size, for the scale.
    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    return weights @ X @ W_OV, weights
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "folded-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("folded-attention", output="query feature", weights="query key")
check("folded-attention", "4 tokens and d_k=5", folded_attention, tiny_X, tiny_W_QK, tiny_W_OV, 5)
check("folded-attention", "1000 times as large", folded_attention, 1e3 * tiny_X, tiny_W_QK, tiny_W_OV, 3)
### BEGIN HIDDEN TESTS
shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
rng = np.random.default_rng(107)
for n, d_model, d_k in [(5, 4, 2), (3, 6, 9)]:
    x, w_qk, w_ov = rng.normal(size=(n, d_model)), *rng.normal(0, 0.5, size=(2, d_model, d_model))
    slow = [shares_of([a @ w_qk @ b / math.sqrt(d_k) for b in x]) for a in x]
    mixed = [sum(share * b for share, b in zip(row, x)) @ w_ov for row in slow]
    where, sizes = "of larger random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-4)]:
        given = [a.astype(dtype) for a in (x, w_qk, w_ov)]
        output, weights = folded_attention(*given, d_k)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, w_qk, w_ov)))
        assert all(unchanged), "an input was changed"
    slow = [shares_of([1e5 * (a @ w_qk @ b) / math.sqrt(d_k) for b in x]) for a in x]
    with np.errstate(all="ignore"):
        _, huge = folded_attention(x.copy(), 1e5 * w_qk, w_ov.copy(), d_k)
    check_numbers(huge, slow, "in the attention weights, with huge scores", 1e-3, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Two ways to compute one thing are the best test there is. Both routes must agree, on our sentence and on anything else, up to rounding.

# %% tags=["demonstration"]
W_QK, W_OV = fold_weights(W_Q, W_K, W_V, W_O)
print("W_QK", np.shape(W_QK), "of rank", np.linalg.matrix_rank(W_QK), "and d_k is", W_Q.shape[1])
print("W_OV", np.shape(W_OV), "of rank", np.linalg.matrix_rank(W_OV), "and d_v is", W_V.shape[1])

# %% tags=["demonstration"]
random_X = np.random.default_rng(0).normal(size=(7, 4))
for name, tokens in [("the sentence", X), ("seven random tokens", random_X)]:
    by_circuits, _ = folded_attention(tokens, *fold_weights(W_Q, W_K, W_V, W_O), d_k=2)
    by_four_matrices, _ = single_head_attention(tokens, W_Q, W_K, W_V, W_O)
    gap = np.abs(np.asarray(by_circuits) - by_four_matrices).max()
    print(f"largest difference between the two routes, {name}: {gap:.1e}")


# %% [markdown]
# Why must `d_k` be given? The product sums over this size, and so it is gone: `W_QK` is `(d_model, d_model)` for every `d_k`. Only the rank, the number of independent rows, is limited: that of `W_QK` is at most `d_k`, that of `W_OV` at most `d_v`. It can be smaller, so it doesn't tell `d_k` either.
#
# In the first Transformer (Vaswani et al., 2017) `d_model` was 512 and `d_k` 64. So `W_QK` has 512 · 512 entries, but a head compares tokens in at most 64 directions.

# %% [markdown]
# ## 1.7 Find the bug
#
# **3 points · about 11 minutes · difficulty ●●○**
#
# A colleague has written the head with `np.einsum`, where letters name the axes: `'nd,dk->nk'` multiplies, sums over every letter that is missing on the right, and keeps the others. It runs. All shapes are right. And the result is wrong, because of **two** bugs. Run it first, then mend it.

# %% nbgrader={"grade": false, "grade_id": "buggy-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
def buggy_attention(X, W_Q, W_K, W_V, W_O):
    Q = np.einsum("nd,dk->nk", X, W_Q)
    K = np.einsum("nd,dk->nk", X, W_K)
    V = np.einsum("nd,dv->nv", X, W_V)
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = exponentials / exponentials.sum(axis=0, keepdims=True)
    output = np.einsum("nm,nd,dg->ng", weights, V, W_O)
    return output, weights


# %% tags=["demonstration"]
# Three tokens show it best: with all six, the wrong sums happen to be near 1.
wrong_output, wrong_weights = buggy_attention(X[:3], W_Q, W_K, W_V, W_O)
print("shapes:", wrong_output.shape, wrong_weights.shape)
print("row sums of the attention weights:   ", np.round(wrong_weights.sum(axis=1), 2))
print("column sums of the attention weights:", np.round(wrong_weights.sum(axis=0), 2))


# %% [markdown]
# In the scores, `n` is the token that looks (query) and `m` the token that is looked at (key). All other letters are features, and in the last step `d` stands for the features of a value. **Which lines do you suspect?** Decide before you open a hint. Then copy the function's body into the next cell and repair it there. Change as little as you can.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of these three doesn't hold?
#
# | what must hold | how to see whether it does |
# |---|---|
# | each row of the attention weights sums to 1 | the sums printed above |
# | large scores don't overflow | as in 1.1, a maximum is subtracted before `exp` |
# | an output is a mixture of **all** tokens' values | first mend the softmax. Then change only the last row of `X`: in a mixture **every** row of the output moves |
#
# </details>
#
# <details><summary>Hint 2: how to read an einsum</summary>
#
# Write the last step as a formula with one sum sign for every letter that is missing on the right. `weights` has the letters *n* and *m*. Which of the two does the value belong to: who looks, or who is looked at?
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the softmax, let maximum and sum run along the keys instead of the queries. In the last step, give the value the letter of the key, so that it is summed over.
# </details>
#
# <details><summary>I get “cannot unpack” or “too many values to unpack”</summary>
#
# The test expects two things back: the output and the attention weights, in this order.
# </details>

# %% nbgrader={"grade": false, "grade_id": "einsum-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    """One head by einsum, with the same result as single_head_attention.

    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    Q = np.einsum("nd,dk->nk", X, W_Q)
    K = np.einsum("nd,dk->nk", X, W_K)
    V = np.einsum("nd,dv->nv", X, W_V)
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    output = np.einsum("nm,md,dg->ng", weights, V, W_O)
    return output, weights
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "einsum-attention-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("einsum-attention", output="query feature", weights="query key")
check("einsum-attention", "4 tokens", einsum_attention, tiny_X, *tiny_matrices)
check("einsum-attention", "3 tokens, 1000 times as large", einsum_attention, 1e3 * tiny_X[1:], *tiny_matrices)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(108)
for n, d_model, d_k, d_v in [(5, 6, 3, 4), (3, 4, 7, 2)]:
    shapes = [(n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = [rng.normal(size=shape) / math.sqrt(shape[0]) for shape in shapes]
    x, w_q, w_k, w_v, w_o = arrays
    raw = [[math.exp((a @ w_q) @ (b @ w_k) / math.sqrt(d_k)) for b in x] for a in x]
    slow = [[value / math.fsum(row) for value in row] for row in raw]
    mixed = [sum(share * (b @ w_v) for share, b in zip(row, x)) @ w_o for row in slow]
    where, sizes = "of larger random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, d_v={d_v}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = [a.astype(dtype) for a in arrays]
        output, weights = einsum_attention(*given)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)), "an input was changed"
### END HIDDEN TESTS

# %% tags=["demonstration"]
mended_output, mended_weights = einsum_attention(X, W_Q, W_K, W_V, W_O)
print("row sums of the attention weights:", np.sum(mended_weights, axis=1).round(3))
print("same output as 1.5:", np.allclose(mended_output, single_head_attention(X, W_Q, W_K, W_V, W_O)[0]))


# %% [markdown]
# ## 1.8 What the bug computes
#
# **1 point · about 5 minutes · difficulty ●●○**
#
# The second bug deserves a closer look, because it is so quiet. With the softmax mended but the last step still `'nm,nd,dg->ng'`, what comes out? Write the sum and see which factors don't depend on *m*:
#
# $$\mathrm{output}_{n} = \sum_{m} A_{nm}\,\bigl(XW_{OV}\bigr)_n$$
#
# Give it in closed form, for any table $A$ of attention weights, also one whose rows don't sum to 1. Here `W_OV` is $W_VW_O$ from 1.6, so `X @ W_OV` is `(n, d_model)`.
#
# <details><summary>Hint 1: a question</summary>
#
# Which part of the sum can be pulled out in front of it? What is left under the sum sign?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.sum` with `axis=` and `keepdims=True` gives a column that multiplies each row of a table.
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# The sum must be a column, `(n, 1)`, with one number for each row of the attention weights. Along which axis is it taken, and is that axis still there?
# </details>

# %% nbgrader={"grade": false, "grade_id": "what-the-bug-computes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def what_the_bug_computes(X, weights, W_OV):
    """The result of einsum('nm,nd,dg->ng', weights, X W_V, W_O), in closed form.

    X: (n, d_model), weights: (n, n), W_OV = W_V W_O: (d_model, d_model).
    Returns (n, d_model).
    """
    ### BEGIN SOLUTION
    return np.sum(weights, axis=-1, keepdims=True) * (X @ W_OV)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "what-the-bug-computes-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("what-the-bug-computes", output="query feature")
odd_weights = np.array([[0.5, 0.25, 1, 0], [0, -0.5, 0.25, 0.5], [1, 2, 1, 0.25], [0.5, 0.5, 0, -2]])
check("what-the-bug-computes", "rows that don't sum to 1", what_the_bug_computes, tiny_X, odd_weights, tiny_W_OV)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(109)
for n, d_model in [(5, 3), (4, 7)]:
    x, table = rng.normal(size=(n, d_model)), rng.uniform(size=(n, n))
    w_ov = rng.normal(size=(d_model, d_model))
    expected = np.einsum("nm,nd,dg->ng", table, x, w_ov)
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given, sizes = [a.astype(dtype) for a in (x, table, w_ov)], f"with n={n}, d_model={d_model}, "
        got = what_the_bug_computes(*given)
        check_numbers(got, expected, "on larger random arrays", tolerance, sizes)
        unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, table, w_ov)))
        assert all(unchanged), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **The moral.** Real attention weights have rows that sum to 1. Then the buggy head gives exactly $XW_{OV}$: every token reads itself and nothing else. Attention is switched off. No error, no warning, right shapes, a beautiful heatmap of attention weights that nobody uses. Only a test with numbers finds it.

# %% tags=["demonstration"]
proper_weights = attention_weights(Q, K)
W_OV = W_V @ W_O
agree = np.allclose(what_the_bug_computes(X, proper_weights, W_OV), X @ W_OV)
print("with proper attention weights, the bug computes X W_OV:", agree)


# %% [markdown]
# ## 1.9 How pointed is a row of attention weights?
#
# **1 point · about 9 minutes · difficulty ●●○**
#
# A row of attention weights can be even, where every key gets the same share, or pointed, where one key gets nearly all. Entropy puts a number on it:
#
# $$H(w) = -\sum_j w_j \ln w_j$$
#
# It is 0 if one key has everything, and $\ln m$ if *m* keys share evenly. With the natural logarithm the unit is called *nat*. One catch: $0\cdot\ln 0$ counts as 0, but NumPy makes `nan` of it.
#
# | operation | expression | shape |
# |---|---|---|
# | each key's part | $w_j \ln w_j$, or 0 where $w_j = 0$ | like `weights` |
# | entropy | minus the sum along the last axis | `weights` without its last axis |
#
# <details><summary>Hint 1: a question</summary>
#
# What could you put in place of a share of 0 **inside the logarithm only**, so that the product is still 0?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.where(condition, a, b)` picks from `a` or from `b`, entry by entry. `np.log` is the natural logarithm. `np.sum(…, axis=-1)` lets the last axis go.
# </details>

# %% nbgrader={"grade": false, "grade_id": "weight-entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def weight_entropy(weights):
    """Entropy in nats of each row of weights, with 0 log 0 = 0.

    weights: (n, m), or any shape whose last axis sums to 1.
    Returns the shape without that axis.
    """
    ### BEGIN SOLUTION
    safe = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(safe), axis=-1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "weight-entropy-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
def small_weights(function):
    got = np.asarray(function(np.full((2, 100000), 1e-5)), dtype=float)
    assert got.shape != (2,) or np.allclose(got, np.log(100000), rtol=3e-4), (
        f"weights of 0.00001 have the entropy ln 100000 = 11.513, not {got[0]:.5g}\n"
        "leave small weights as they are, and add nothing to them: only a weight of exactly 0 needs care")
    return got


returns("weight-entropy", entropy="head query")
heads = np.array([[[0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 1, 0, 0]],
                  [[0, 0.25, 0.75, 0], [0.1, 0.2, 0.3, 0.4], [0.5, 0, 0.25, 0.25]]])
check("weight-entropy", "2 heads with 3 queries and 4 keys", weight_entropy, heads)
returns("weight-entropy", entropy="query")
check("weight-entropy", "2 queries and 4 keys, no weight of 0", weight_entropy, heads[[1, 0], 1])
check("weight-entropy", "100000 keys", small_weights, weight_entropy)
### BEGIN HIDDEN TESTS
with np.errstate(all="ignore"):
    rng = np.random.default_rng(110)
    for shape in [(5, 3), (2, 7), (2, 3, 4)]:
        table = rng.uniform(0.1, 1.0, size=shape)
        table[..., 1] = 0.0
        table /= table.sum(axis=-1, keepdims=True)
        expected = np.apply_along_axis(
            lambda row: -math.fsum(w * math.log(w) for w in row if w > 0), -1, table)
        for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
            given, sizes = table.astype(dtype), f"with shape {shape}, "
            check_numbers(weight_entropy(given), expected, "on random attention weights", tolerance, sizes)
            assert np.array_equal(given, table.astype(dtype)), "the weights were changed: make a new array"
### END HIDDEN TESTS

# %% tags=["demonstration"]
for row, entropy in zip(sentence, weight_entropy(attention_weights(Q, K))):
    print(f"{row:4} entropy {entropy:.2f} of at most {np.log(6):.2f}")

# %% [markdown]
# Now the promised experiment: 320 random queries and 32 random keys, in heads of size 1 to 1024. **Predict:** without the scale, do the attention weights get more even or more pointed as the head grows? And with it?
#
# A model learns from how the shares react when the scores change. If the score of key *j* rises by a little, its share $w_j$ rises by $w_j(1 - w_j)$ times that little. Added up over all keys, this makes the **slope** of the softmax:
#
# $$\sum_j w_j(1 - w_j) = 1 - \sum_j w_j^2$$
#
# It is 31/32 if 32 keys share evenly, and 0 if one has everything.

# %% tags=["demonstration"]
sizes = 2 ** np.arange(11)
names = "unscaled", "divided by √d_k"
spread, entropy, slope, mean_slope = ({name: np.zeros(11) for name in names} for _ in range(4))
rng = np.random.default_rng(0)

# %% tags=["demonstration"]
for k, d_k in enumerate(sizes):
    queries, keys = rng.normal(size=(320, d_k)), rng.normal(size=(32, d_k))
    raw = attention_scores(queries, keys)
    for name, scores in zip(names, [raw, raw / np.sqrt(d_k)]):
        shares = softmax(scores)
        spread[name][k] = np.std(scores)
        entropy[name][k] = np.mean(weight_entropy(shares))
        reaction = 1 - np.sum(np.square(shares), axis=-1)
        slope[name][k] = np.median(reaction)
        mean_slope[name][k] = np.mean(reaction)

# %% alt="Three panels against the head size: unscaled, the spread of the scores grows like the root of d_k, the mean entropy sinks towards 0, and the median slope of the softmax falls below 0.0001 while its mean falls far less; divided by the root of d_k, all three stay nearly level." tags=["demonstration"]
fig, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3.8), layout="constrained")
for name, style in zip(names, ["o-", "s-"]):
    left.loglog(sizes, spread[name], style, label=name)
    middle.semilogx(sizes, entropy[name], style, label=name)
    right.loglog(sizes, slope[name], style, label=f"{name}, median")
right.loglog(sizes, mean_slope["unscaled"], "C0^--", label="unscaled, mean", markerfacecolor="white")
left.loglog(sizes, np.sqrt(sizes), "k:", label="√d_k")
middle.axhline(np.log(32), color="k", linestyle=":", label="even: ln 32")
left.set(xlabel="head size d_k", ylabel="standard deviation of the scores")
middle.set(xlabel="head size d_k", ylabel="mean entropy in nats", ylim=(0, None))
right.set(xlabel="head size d_k", ylabel="slope of the softmax, 1 − Σ w²")
for ax in (left, middle, right):
    ax.legend(fontsize=9.5)
plt.show()

# %% tags=["demonstration"]
for name in names:
    print(f"slope at d_k = 1024, {name}: median {slope[name][-1]:.5f}, mean {mean_slope[name][-1]:.5f}")


# %% [markdown]
# Unscaled, the spread of the scores (their standard deviation, the root of the variance) follows $\sqrt{d_k}$, and the entropy sinks towards 0: most queries stare at a single key that they picked by chance. Divided by $\sqrt{d_k}$, all curves stay nearly level. (The small wiggles are chance.)
#
# On the right, the slope. Unscaled, that of the typical query (the median) falls below 0.0001 at `d_k` = 1024: its shares hardly react any more, so there is almost nothing to learn from. The mean is still 0.09, because for about one query in five the two best keys happen to score nearly alike. Which queries can learn is then a matter of luck.

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-root-d-k", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 1.10 In your own words: why the square root?
#
# **2 points · about 7 minutes · difficulty ●●○ · read by a person**
#
# Suppose that the features of queries and keys are independent, with mean 0 and variance 1. Then the product of two of them has mean 0 and variance 1, too, and the variances of independent numbers add up.
#
# 1. What happens to the softmax if `d_k` doubles and nothing is scaled? Say by what factor the spread (the standard deviation) of the scores grows and why, and what this does to the attention weights. (1 point)
# 2. Why is the divisor $\sqrt{d_k}$, and not $d_k$? Say what spread each of them leaves. (1 point)
#
# Four to six sentences are enough. Formulas are welcome, but not needed.
#
# ### BEGIN MARK SCHEME
# **1 point** for the effect: a score is a sum of d_k independent products, each with mean 0 and variance 1, so its variance is d_k. Doubling d_k doubles the variance, and the standard deviation grows by √2. Softmax depends on differences of scores, so the attention weights become more pointed (lower entropy, nearer to one-hot, tiny gradients for most queries).
#
# **1 point** for the divisor: dividing by √d_k divides the variance by d_k and brings it back to 1 for every head size. Dividing by d_k would leave a standard deviation of 1/√d_k, which goes to 0, so large heads would attend almost evenly.
#
# **Half right (1 point of 2):** “The scores get too large, so softmax saturates, and the root makes them smaller.” The effect is there, but nothing says how large they get, so d_k would do as well as its root.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# Next come two folded cells, with which the test of 1.11 reads a picture.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "numbers-in", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def numbers_in(drawn, n_q, n_k):
    """The numbers that stand in the cells of a picture."""
    texts = {tuple(map(float, text.get_position())): text.get_text() for text in drawn.texts}
    assert texts, "no cell holds a number\nwrite each weight into its cell with ax.text, for up to 8 queries and 8 keys"
    missing = [(i, j) for i, j in np.ndindex(n_q, n_k) if (j, i) not in texts]
    outside = [place for place in texts if place not in {(j, i) for i, j in np.ndindex(n_q, n_k)}]
    if missing:
        where = "no number stands at x={1}, y={0}".format(*missing[0]) + (
            ", but one at x={:g}, y={:g}".format(*outside[0]) if outside else "")
        assert len(drawn.texts) == len(texts), (
            f"{where}, and somewhere stand two\nfind a cell by the place of its tokens, not by their names: two may be alike")
        assert not outside, f"{where}\nx is the number of the column (key), y of the row (query), whole at the cell's middle"
        raise AssertionError(f"{where}\nwrite a number into every cell: each query with each key")
    written = [[texts[j, i] for j in range(n_k)] for i in range(n_q)]
    for text in np.ravel(written):
        assert text.strip().replace(".", "", 1).isdigit(), (
            f"in a cell stands {str(text)!r}\nwrite a plain number such as 0.25")
    return np.array(written, dtype=float)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def picture(weights, queries, keys, plot):
    """What is drawn on the given axes: colour limits, places of ticks, numbers in cells, image."""
    queries, keys = queries.split(), keys.split()
    figure, (given, other) = plt.subplots(1, 2)
    given.set_label("given")
    drawn = plot(weights, queries, keys, given)
    plt.close(figure)
    assert hasattr(drawn, "get_xlabel"), f"what came back is {None if drawn is None else 'no Axes'}\nend with a return of ax"
    assert drawn.get_label() == "given", "these are other axes than those given\ndraw on ax, and return it"
    assert len(drawn.images) == 1, (
        f"there are {len(drawn.images)} images on the given axes\ncall ax.imshow once, where ax is the argument")
    assert np.diff(drawn.get_ylim()) < 0, "the first query is at the bottom\nleave the rows in imshow's own order"
    for axis, name, what in [(drawn.xaxis, "key", "horizontal"), (drawn.yaxis, "query", "vertical")]:
        label = axis.get_label().get_text()
        assert label == name, f"the {what} axis is named {label!r}\nname it {name!r}, exactly so"
    for axis, names, what in [(drawn.xaxis, keys, "columns"), (drawn.yaxis, queries, "rows")]:
        labels = [tick.get_text() for tick in axis.get_ticklabels()]
        assert labels == list(names), (
            f"the {what} are labelled {labels}, and should be {list(names)}\n"
            "one tick for each token: keys label the columns, queries the rows")
    small = len(queries) <= 8 and len(keys) <= 8
    numbers = numbers_in(drawn, len(queries), len(keys)) if small else weights
    return drawn.images[0].get_clim(), drawn.yaxis.get_ticklocs(), drawn.xaxis.get_ticklocs(), numbers, (
        drawn.images[0].get_array())


# %% [markdown]
# ## 1.11 Draw the attention weights
#
# **1 point · about 7 minutes · difficulty ●○○**
#
# A heatmap of the attention weights is the picture that everyone knows attention by. Draw one that can't be misread: one row for each query, the first on top, one column for each key, and colours that always mean the same.
#
# | part | what is asked |
# |---|---|
# | image | `imshow` on the given `ax`, the attention weights as they are, colour limits 0 to 1 |
# | ticks | one on every row and every column, labelled with its token |
# | axis labels | exactly `query` (vertical) and `key` (horizontal) |
# | numbers | the attention weight, as a plain number with two decimals or more, such as `0.25`, written into each cell, if there are at most 8 queries and 8 keys (above that, as you like) |
#
# Fixed limits matter. If every picture is stretched from its own smallest to its own largest weight, an even row looks just as dramatic as a pointed one. Colour map, colour bar and title are yours to choose: `viridis` and `cividis` can be read by colour-blind people too.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the difference between `plt.imshow(…)` and `ax.imshow(…)` when a figure has two panels?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `ax.imshow` takes `vmin` and `vmax`. `ax.set_xticks` and `ax.set_yticks` take positions and, as a second argument, labels. `ax.set_xlabel`, `ax.set_ylabel`. `ax.text(x, y, text, ha="center", va="center")`, where `x` counts columns and `y` rows.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Show the image with fixed limits. Put ticks at 0, 1, 2, … on both axes, keys along the bottom, queries down the side. Name the axes. If it is small enough, loop over rows and columns and write each number with two decimals into its place. Return `ax`.
# </details>
#
# <details><summary>My numbers can't be read on their cells</summary>
#
# Choose the text's colour by the weight: white on dark cells, black on bright ones.
# </details>

# %% nbgrader={"grade": false, "grade_id": "plot-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def plot_attention(weights, queries, keys, ax):
    """Draw attention weights as a heatmap on `ax`, and return it.

    weights: (n_q, n_k), queries: n_q tokens (rows), keys: n_k tokens (columns).
    """
    ### BEGIN SOLUTION
    ax.imshow(weights, vmin=0, vmax=1, cmap="viridis")
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if max(len(queries), len(keys)) <= 8:
        for i in range(len(queries)):
            for j in range(len(keys)):
                colour = "black" if weights[i][j] > 0.6 else "white"
                ax.text(j, i, f"{weights[i][j]:.2f}", ha="center", va="center", color=colour)
    return ax
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "plot-attention-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("plot-attention", limits="end", rows="tick", columns="tick", numbers="query key", image="query key")
two = np.array([[0.75, 0.25], [0.38, 0.62]])
check("plot-attention", "2 queries and 2 keys, no weight of 0", picture, two, "the cat", "a b", plot_attention)
three = np.array([[0.7, 0, 0.2, 0.1], [0.3, 0.3, 0.4, 0], [0, 0.9, 0, 0.1]])
check("plot-attention", "3 queries and 4 keys", picture, three, "the cat the", "a b c a", plot_attention)
check("plot-attention", "8 queries and 8 keys", picture, np.eye(8), "a b c d e f g h", "i j k l m n o p", plot_attention)
check("plot-attention", "9 queries and 2 keys", picture, np.eye(9, 2), "a b c d e f g h i", "j k", plot_attention)
check("plot-attention", "2 queries and 11 keys", picture, np.eye(2, 11), "a b", "c d e f g h i j k l m", plot_attention)
### BEGIN HIDDEN TESTS
for n_q, n_k in [(9, 12), (5, 8), (8, 8)]:
    drawn_table = np.random.default_rng([111, n_q, n_k]).dirichlet(np.ones(n_k), size=n_q)
    tokens = [f"word {i}" for i in range(12)]
    figure, (other, given) = plt.subplots(1, 2)
    figure.sca(other)
    drawn = plot_attention(drawn_table.copy(), tokens[:n_q], tokens[:n_k], given)
    plt.close(figure)
    check_numbers(drawn.images[0].get_array(), drawn_table, "in the image of a larger table", 1e-6)
    check_numbers(drawn.images[0].get_clim(), [0, 1], where="in the colour limits")
    for axis, names in [(drawn.xaxis, tokens[:n_k]), (drawn.yaxis, tokens[:n_q])]:
        check_numbers(axis.get_ticklocs(), range(len(names)), where="in the ticks of a larger table")
        assert [tick.get_text() for tick in axis.get_ticklabels()] == names, "a tick's label is not its token"
    texts = {tuple(text.get_position()): float(text.get_text()) for text in drawn.texts if n_k <= 8}
    written = [[texts.get((j, i), np.nan) for j in range(n_k)] for i in range(n_q)]
    check_numbers(written if n_k <= 8 else drawn_table, drawn_table, "in the cells", 0.051)
### END HIDDEN TESTS

# %% alt="A heatmap of the six queries by the six keys with the number in each cell: the rows of cat and mat are bright only at sat, 0.77, and the other four rows are bright at cat and at mat, 0.45 each." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
named = [f"{i} {token}" for i, token in enumerate(sentence)]
plot_attention(attention_weights(Q, K), named, named, ax)
ax.set_title("who looks at whom")
plt.show()


# %% [markdown]
# Read a row from left to right: it is one query, and its numbers sum to 1 (1.02 here, since each is rounded). Columns needn't sum to anything: *sat* is looked at by both nouns, and hardly anyone looks at *on*.
#
# A word of warning: a bright cell says where a head **looks**, not what it **does** with what it finds. That depends on the OV circuit, and in 1.8 the attention weights were perfect and unused. (Jain and Wallace, 2019, discuss how far such pictures may be trusted.)

# %% [markdown]
# Next come two folded cells, with which the test of 1.12 looks at a head.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "shares-of-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def shares_of_head(n, head):
    """What each token but the first gives to each, of a head for n tokens; from 0.99 on it counts as 1."""
    both = head(n)
    assert both is not None, "it gave back None\ndoes your function end with a return?"
    W_Qn, W_Kn = (np.asarray(matrix, dtype=float) for matrix in both) if len(both) == 2 else (both, both)
    assert len(both) == 2 and W_Qn.shape == W_Kn.shape == (n, n), (
        f"{len(both)} things came back, the first of the shape {np.shape(W_Qn)}\n"
        f"give back two matrices (W_Q, W_K), each of shape (n, n), which is ({n}, {n}) here")
    scores = W_Qn @ W_Kn.T / math.sqrt(n)
    assert np.isfinite(scores).all(), "some scores are NaN or infinite\nchoose smaller numbers, and finite ones"
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[0] = 0
    judge(shares)
    return np.where(shares >= 0.99, 1, np.where(shares < 0.01, 0, shares))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "share-before", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def judge(shares):
    """Stop, and say in words what is wrong, unless each token but the first gives enough to the token before it."""
    n = len(shares)
    largest, second = np.sort(shares)[1:, :-3:-1].T
    clear, to = largest > second * (1 + 1e-6), shares[1:].argmax(axis=1) - np.arange(1, n)  # -1: the token before
    if (clear & (to != -1)).any():
        i = np.flatnonzero(clear & (to != -1))[0] + 1
        usual = [place for place in {*to} if 2 * (clear & (to == place)).sum() >= n - 1]
        raise AssertionError(
            f"token {i} gives its largest share, {largest[i - 1]:.4f}, to token {i + to[i - 1]}, not to token {i - 1}\n" + {
                0: "Every token looks at itself: the large numbers of W_Q W_Kᵀ must stand one column to the left of the diagonal.",
                1: "The tokens look at the next one: shift one of the two matrices the other way.",
                -2: "The tokens look two places back: shift only one of the two matrices, by one place.",
            }.get(usual[0] if usual else None, "Give the large number of row i of W_Q W_Kᵀ to column i - 1."))
    for i in np.flatnonzero(~clear) + 1:
        alike = np.flatnonzero(shares[i] > largest[i - 1] * (1 - 1e-6))
        raise AssertionError(
            f"token {i} gives the same share, {largest[i - 1]:.4f}, to the tokens {', '.join(map(str, alike))}\n" + (
                "One score in each row of W_Q W_Kᵀ must be larger than all others." if len(alike) == n
                else "Give a large number only to column i - 1 of row i of W_Q W_Kᵀ." if i - 1 in alike
                else "The token before gets less: the large number of row i of W_Q W_Kᵀ, in column i - 1, must be positive."))
    i = int(largest.argmin()) + 1
    assert largest[i - 1] >= 0.99, (
        f"token {i} gives {math.floor(1e4 * largest[i - 1]) / 1e4} of its attention to the token before it\n"
        "It is the right place, but too weak: at least 0.99 is asked. Make the numbers larger: they are divided by √n, "
        "and all other keys count as well.")


def share_before(n, head):
    """What each token but the first gives to the token before."""
    return shares_of_head(n, head).diagonal(-1)


# %% [markdown]
# ## 1.12 Design a head
#
# **2 points · about 10 minutes · difficulty ●●●**
#
# Weight matrices are usually learned. Now you set two of them by hand. Build a head that always looks at the token just before it. Such *previous-token heads* appear in trained language models. Together with a second kind of head, they let a model continue a pattern that stood earlier in the text (Olsson et al., 2022).
#
# Here `X` is the identity matrix $I_n$: token *i* is described by nothing but its position, a 1 in place *i* among zeros (such a row is called *one-hot*). So $Q = W_Q$ and $K = W_K$, and every row of them is yours to choose. Each token but the first must give at least **0.99** of its attention to the token before it, for any `n` from 2 to 40. The first token has nobody before it and may do what it likes.
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $I_nW_Q,\; I_nW_K$ | `(n, n)` |
# | scaled scores | $W_QW_K^\top/\sqrt{n}$ | `(n, n)`, since $d_k = n$ |
# | attention weights | softmax along each row | row *i* nearly all in column *i* − 1 |
#
# <details><summary>Hint 1: a question</summary>
#
# If row *i* of the scores is *c* in column *i* − 1 and 0 elsewhere, which share does that column get? How large must *c* be for 0.99 with `n` = 40? And what does the scale do to it before the softmax?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.eye(n)` is the identity. `np.eye(n, k=1)` and `np.eye(n, k=-1)` have their ones one place above or below the diagonal. Print both for `n` = 3.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Let one of the two matrices be the identity. Then the scores are the other one, or its transpose. You need ones where the column is one less than the row. Multiply by a number that is large enough even after it has been divided by the root of `n`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "previous-token-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def previous_token_head(n):
    """Two weight matrices of a head that looks at the token before, for
    one-hot positions X = I_n.

    Returns (W_Q, W_K), both (n, n). With the scale 1/√n every token but the first gives
    at least 0.99 of its attention to the token before it.
    """
    ### BEGIN SOLUTION
    W_Q = 20 * np.sqrt(n) * np.eye(n, k=-1)
    W_K = np.eye(n)
    return W_Q, W_K
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "previous-token-head-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("previous-token-head", weights="token key")
check("previous-token-head", "n = 4", shares_of_head, 4, previous_token_head)
check("previous-token-head", "n = 2", shares_of_head, 2, previous_token_head)
returns("previous-token-head", share="token-before")
check("previous-token-head", "n = 40", share_before, 40, previous_token_head)
### BEGIN HIDDEN TESTS
for n in range(2, 41):
    W_Qn, W_Kn = (np.asarray(matrix, dtype=float) for matrix in previous_token_head(n))
    assert W_Qn.shape == W_Kn.shape == (n, n), f"for another n, a matrix is not (n, n)\nn is {n}"
    scores = [[math.fsum(q * k) / math.sqrt(n) for k in W_Kn] for q in W_Qn]
    for i in range(1, n):
        share = 1 / math.fsum(math.exp(min(score - scores[i][i - 1], 700)) for score in scores[i])
        assert share >= 0.99, (
            f"for another n, the token before gets too little of the weight\nn={n}, token {i}: {share:.3f}")
### END HIDDEN TESTS

# %% tags=["demonstration"]
for row in attention_weights(*previous_token_head(4)):
    print(np.round(row, 3))

# %% [markdown]
# And here it is, the picture that closes this lesson. On the left the head that looks for nouns and verbs: it goes by **content**. On the right yours: it goes by **place**. The very same machine does both. Only the weight matrices differ, and what `X` tells of a token.

# %% alt="Two heatmaps side by side: on the left each row is bright at the nouns or at the verb, wherever they stand; on the right the bright cells form one slanted line, one place left of the diagonal." tags=["demonstration"]
fig, axes = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
named = [f"{i} {token}" for i, token in enumerate(sentence)]
plot_attention(attention_weights(Q, K), named, named, axes[0])
plot_attention(attention_weights(*previous_token_head(6)), named, named, axes[1])
axes[0].set_title("by content")
axes[1].set_title("by place: the token before")
plt.show()

# %% [markdown]
# ## What you have built
#
# You started from a dot product and have one complete head of attention: stable softmax, scaled scores, attention weights that sum to 1 along each row, values, and the output projection. You have folded it into two circuits, found a bug that switches attention off without a sound, measured why the scale is $\sqrt{d_k}$, drawn the attention weights, and set a head's weight matrices by hand.
#
# Lesson 02 puts two heads side by side, in the column notation that many textbooks use.
#
# ### Three questions to think about
#
# 1. Your previous-token head knows only positions, and the other head only word kinds. How could one head use both? What would have to be in `X`?
# 2. If you shuffle the tokens of the sentence, what happens to the output of the head that goes by content?
# 3. In 1.6, $W_{QK}$ has `d_model`² entries, but it comes from two matrices that may be much thinner. What can a head with `d_k` = 1 express, and what not?
#
# <details><summary>Answers</summary>
#
# 1. `X` must hold both: beside the four numbers for the kind a one-hot position, so that it is `(n, 4 + n)`. In `W_Q` and `W_K`, give the kinds their own rows and columns, and the positions theirs. Then each score is the sum of what the kinds say and what the places say. For example, let the places add 6 to the raw score of the token before: with $d_k$ = 2 + 6, *cat* gives 0.51 to the *the* before it and 0.25 to *sat*.
# 2. The rows of the output are shuffled in the same way, and no number changes: try `X[[3, 2, 5, 4, 0, 1]]`. The head sees a set of tokens, without places. Rows and columns of the attention weights are shuffled, too. Lesson 02 makes a test of this.
# 3. With `d_k` = 1 the rank of $W_{QK}$ is at most 1. Every query then sees the same list of numbers, one for each key, times a number of its own. So the keys stand in one order for all, or in its reverse, and only the two ends of the list can win. That is enough for our sentence: with the verb at one end and the nouns at the other, *cat* gives 0.95 to *sat* if its scaled scores are 4 and −4, and 0 for the rest. It isn't enough for your previous-token head from `n` = 4 on, where three different keys must win.
#
# </details>
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.1 has the scale and its reason.
# - Dzmitry Bahdanau, Kyunghyun Cho, Yoshua Bengio: *Neural Machine Translation by Jointly Learning to Align and Translate*, 2014. Attention before the Transformer, with heatmaps.
# - Nelson Elhage et al.: *A Mathematical Framework for Transformer Circuits*, 2021. The QK and OV circuits, in column notation.
# - Catherine Olsson et al.: *In-context Learning and Induction Heads*, 2022. What previous-token heads are good for.
# - Guangxuan Xiao, Yuandong Tian, Beidi Chen, Song Han, Mike Lewis: *Efficient Streaming Language Models with Attention Sinks*, 2023. Why the first tokens draw so much attention.
# - Sarthak Jain, Byron C. Wallace: *Attention is not Explanation*, 2019. What heatmaps don't show.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12, in column notation.
