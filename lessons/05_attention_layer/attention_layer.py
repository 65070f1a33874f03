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
# # An attention layer that learns
#
# *Attention, Graded · lesson 05 · NumPy, forward and backward; torch only in one check, for those who have it · about 200 minutes · 27 points*
#
# So far somebody else chose the weight matrices. In this lesson a layer finds its own. For that it needs the gradient: for every number in it, how fast the loss changes as this number grows.
#
# Most courses leave this to a library, at the very place where it gets interesting. Here the gradient of attention is derived by hand, rule by rule. You write it in NumPy, and check it against differences that you can measure. At the end your layer learns to look things up, and you watch the attention weights of one head move from blurred to pointed.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# One question, 5.7, is answered in words and read by a person. The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Exercises 5.1 to 5.3 stand alone. In 5.4 you may use 5.3. 5.5 and 5.6 use your `Linear` of 5.1, and 5.6 may use 5.4. Cells that draw or print call your code, so they fail, or show wrong things, until it works. The 200 minutes count reading and demonstrations as well.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `(batch, seq, embed_dim)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `weights[..., i, j]` belongs to **query `i`** and **key `j`** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weight matrices** | a `Linear` holds `weight` `(in, out)` and `bias` `(out,)`, and computes `x @ weight + bias`: not transposed, unlike PyTorch's |
# | **Heads** | `embed_dim = num_heads · d_k`; head `h` owns the numbers `h·d_k … (h+1)·d_k − 1` of every token |
# | **Masks are added** | a mask holds 0 (keep) and −∞ (block), shape `(seq, seq)` or `(batch, seq, seq)`; every query keeps at least one key |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **A gradient has the shape of its array** | `grad_Q` is $\partial L/\partial Q$, as large as `Q`; the loss $L$ is a single number |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np

# That a library is going to change is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% [markdown]
# The next cell holds what the tests expect, and what well-known mistakes give, so that a test can tell you which one it was. You don't need to read it, nor the two after it. Cells that are folded, here and below, serve the tests and pictures.

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
 "linear": {
 "made of": "d4bec1f63ab8", "defines": ["Linear"],
 "advice": {
  "bias left out of forward": "the bias is not added: take self.bias.data when forward runs (a copy made in the constructor doesn't know what is put there later)",
  "weight gradient overwritten": "the gradient of weight has the last round only: add it to what weight.grad holds, with +=",
  "bias gradient overwritten": "the gradient of bias has the last round only: add it to what bias.grad holds, with +=",
  "both gradients overwritten": "both gradients have the last round only: add each to what .grad holds, and set nothing back to 0",
  "bias not summed over the batch": "bias.grad is as for one sequence alone: sum over the batch as well as over the tokens",
  "bias not summed over the sequence": "bias.grad is as for one token of each sequence: sum over the tokens as well as over the batch",
  "bias mean over tokens": "the gradient of bias is a mean over all tokens: take the sum",
  "weight mean over the batch": "the gradient of weight is divided by the batch: gradients add up, so leave the sum",
  "weight mean over tokens": "the gradient of weight is divided by the number of tokens: gradients add up, so leave the sum",
  "weight from the first sequence": "the gradient of weight comes from the first sequence alone: sum over the batch, too",
  "no gradient of the bias": "bias.grad is still 0: add the gradient of bias to it in backward",
  "no gradient of the weight": "weight.grad is still 0: add the gradient of weight to it in backward",
  "weight copied at the start": "forward doesn't use what weight.data holds now: read self.weight.data there, and keep no copy of it",
  "bias subtracted": "the bias is subtracted: add it",
  "bias added twice": "the bias is added twice",
  "gradients in place of data in forward": "forward computes with .grad: the numbers of a Parameter are in .data",
  "only the first sequence": "only the first sequence came back: multiply x with all its axes, not x[0]",
  "x flattened and left so": "the axes of the batch and of the sequence are one now: give back an output with both",
  "gradients on the data": "weight.grad and bias.grad are still 0: add the gradients to .grad, not to .data",
  "gradients subtracted": "weight.grad and bias.grad have the wrong sign: add the gradients, the step subtracts them",
  "bias mean over the batch": "the gradient of bias is divided by the batch: gradients add up, so leave the sum",
  "bias mean over the sequence": "the gradient of bias is divided by the length of the sequence: gradients add up, so leave the sum",
  "both mean over the batch": "the gradients of weight and bias are divided by the batch: they add up, so leave the sums",
  "both mean over tokens": "the gradients of weight and bias are divided by the number of tokens: they add up, so leave the sums",
  "weight mean over the sequence": "the gradient of weight is divided by the length of the sequence: gradients add up, so leave the sum",
  "weight from the last sequence": "the gradient of weight comes from the last sequence alone: add up all of them",
  "weight from sums": "x and the gradient are summed over the tokens before they are multiplied: multiply for each token, then sum",
  "bias from one number": "each entry of bias.grad has the sum of all numbers: sum over batch and sequence, and keep the last axis",
  "bias with an axis of length 1": "bias.grad has one axis too many: sum over batch and sequence without keepdims",
  "weight with the batch": "weight.grad still has the axis of the batch: sum over it, too",
  "the first x kept": "the second round uses the x of the first: keep the x of the last forward",
  "returns the weight's gradient": "this is weight.grad: return the gradient of x, grad_output times the transposed weight",
  "returns grad_output": "grad_output came back as it was: multiply it by the transposed weight",
  "gradient of x by the weight's gradient": "the gradient of x is made with weight.grad: multiply by the transposed weight.data",
  "gradient of x flattened": "the gradient of x has lost an axis: it has the shape of x, (batch, seq, in)",
  "gradient of x summed": "the gradient of x is summed over the batch: each token has its own",
  "steps at once": "backward changes weight.data: it only collects gradients, the step comes later",
  "bias added to the weight": "the bias is added to the weight, before the product: add it to the product",
  "weight reshaped for x": "the weight is reshaped: that tears it apart, so transpose it",
  "tokens reshaped in place of transposed": "the tokens are reshaped for the product: that tears them apart, so transpose their table",
  "gradient of x multiplied by x": "the gradient of x has x in it: it is grad_output times the transposed weight alone",
  "bias has no sum but a one": "each entry of bias.grad is the number of tokens: sum the incoming gradient over them",
  "bias taken for a sum of x": "bias.grad is made with the sum of x: the bias meets the incoming gradient alone",
  "weight copied for the way back": "the gradient of x comes from the weight of the start: read self.weight.data in backward, and keep no copy of it"},
 "calls": {
  "a new layer, from 300 to 100": [["inputs", "outputs"], [2], []],
  "forward of two sequences": [["weight", "bias", "x"], [[[[-0.125, 1.6875, 1.09375, 1.28125], [-0.28125, 1.04688, 1.0625, 1.35938], [0.21875, 0.515625, 0.375, -0.203125]], [[-0.21875, -0.171875, 0.625, 0.578125], [-2.125, -0.75, 1.54688, 1.57812], [-1.78125, -0.6875, 0.484375, 1.46875]]]], [
   ["bias left out of forward", [2.1037, -1.1506]],
   ["weight copied at the start", [0.17663, -0.32995]],
   ["bias subtracted", [-0.9323, -1.0725]],
   ["bias added twice", [8.1758, -1.3068]],
   ["gradients in place of data in forward", [0, 0]],
   ["only the first sequence", [-1.8679, -0.41869, [3, 4]]],
   ["x flattened and left so", [5.1398, -1.2287, [6, 4]]],
   ["bias added to the weight", [2.1872, -0.91211]]]],
  "one round": [["weight", "bias", "x", "G"], [[[[-1.75, 0.5625, 1.20312, -1.15625, -1.46875], [0.109375, -0.296875, 0, 0.203125, -0.21875], [2.15625, -0.921875, -0.359375, 1.1875, 0.796875]], [[-0.921875, 1.07812, 0.390625, -0.859375, -0.28125], [-0.359375, 0.390625, 1.71875, -0.890625, -1.0625], [1.1875, -0.859375, -0.890625, 1.09375, 0.578125]]], [[0.296875, 0.234375, 0.265625, -1.73438], [0.359375, 0.09375, -0.453125, -1.28125], [1.96875, 1.20312, -0.171875, -0.828125], [1.40625, 1.17188, 0.046875, -0.109375], [0.796875, 0.53125, -0.0625, 0.609375]], [0.125, 1.625, 0.875, 0]], [
   ["bias not summed over the batch", 0, 0, [-1.6212, -1.9604, [2, 4]]],
   ["bias not summed over the sequence", 0, 0, [0.96673, 0.41824, [3, 4]]],
   ["bias mean over tokens", 0, 0, [-0.21648, -0.11725]],
   ["weight mean over the batch", 0, [-2.8729, -0.13201], 0],
   ["weight mean over tokens", 0, [-0.95762, -0.044003], 0],
   ["weight from the first sequence", 0, [-1.5984, 0.38241], 0],
   ["no gradient of the bias", 0, 0, [0, 0]],
   ["no gradient of the weight", 0, [0, 0], 0],
   ["gradients on the data", [-3.4192, 4.0112], [0, 0], [0, 0]],
   ["gradients subtracted", 0, [5.7457, 0.26402], [1.2989, 0.70351]],
   ["gradients on the data", 0, [0, 0], [0, 0]],
   ["bias mean over the batch", 0, 0, [-0.64945, -0.35176]],
   ["bias mean over the sequence", 0, 0, [-0.43297, -0.2345]],
   ["both mean over the batch", 0, [-2.8729, -0.13201], [-0.64945, -0.35176]],
   ["both mean over tokens", 0, [-0.95762, -0.044003], [-0.21648, -0.11725]],
   ["weight mean over the sequence", 0, [-1.9152, -0.088006], 0],
   ["weight from the last sequence", 0, [-4.1473, -0.64643], 0],
   ["weight from sums", 0, [-6.2845, 0.36036], 0],
   ["bias from one number", 0, 0, [0.85518, 2.7599]],
   ["bias with an axis of length 1", 0, 0, [-1.2989, -0.70351, [1, 4]]],
   ["weight with the batch", 0, [0.70493, 1.3984, [2, 5, 4]], 0],
   ["returns the weight's gradient", [-5.7457, -0.26402, [5, 4]], 0, 0],
   ["returns grad_output", [0.048026, -1.1253, [2, 3, 4]], 0, 0],
   ["gradient of x by the weight's gradient", [1.8869, 3.6087], 0, 0],
   ["gradient of x flattened", [-5.3061, 0.40244, [6, 5]], 0, 0],
   ["gradient of x summed", [-6.9227, -10.678, [3, 5]], 0, 0],
   ["steps at once", [-5.4948, 0.041561], 0, 0],
   ["weight reshaped for x", [0.092463, -0.2708], 0, 0],
   ["tokens reshaped in place of transposed", 0, [-2.3707, -1.5398], 0],
   ["gradient of x multiplied by x", [-0.12726, 1.2798], 0, 0],
   ["bias has no sum but a one", 0, 0, [1.9547, 6.3084]],
   ["bias taken for a sum of x", 0, 0, [1.4623, 0.44903]],
   ["weight copied for the way back", [2.0123, -0.18535], 0, 0]]],
  "two rounds": [["weight", "bias", "x", "G", "next_x", "next_G"], [[[[-0.921875, 1.07812, 0.390625, -0.859375, -0.28125], [-0.359375, 0.390625, 1.71875, -0.890625, -1.0625]], [[1.1875, -0.859375, -0.890625, 1.09375, 0.578125], [0.796875, -0.28125, -1.0625, 0.578125, 1.45312]], [[-1.26562, 0.53125, 1.46875, -1.10938, -1.35938], [0.84375, -0.015625, 1.39062, -0.25, -0.421875]]], [[0.03125, 1.14062, 2, -1.90625], [0.828125, 1.01562, 0.109375, -1.35938], [4.25, 3.48438, 0.078125, -1.1875], [2.32812, 1.64062, -0.21875, 0.46875], [1.70312, 0.265625, -0.78125, 0.421875]], [1.5, 3, 2.125, 1]], [
   ["weight gradient overwritten", 0, [-6.6108, -0.95687], 0],
   ["bias gradient overwritten", 0, 0, [0.31595, 1.15]],
   ["both gradients overwritten", 0, [-6.6108, -0.95687], [0.31595, 1.15]],
   ["the first x kept", 0, [-3.6678, -0.74881], 0]]]}},
 "attention-loops": {
 "made of": "b66c57d929c7", "defines": ["attention_loops"],
 "advice": {
  "no scale": "the scores are not divided by √d_k",
  "divides by d_k": "the scores are divided by d_k, or by its root twice: divide by √d_k, once",
  "root of d_v": "the scores are divided by √d_v: what counts is how long a query and a key are, d_k",
  "root of n_k": "the scores are divided by √n_k: what counts is how long a query and a key are, d_k",
  "multiplies by the root": "the scores are multiplied by √d_k: divide",
  "no softmax, only exp": "the rows of the weights don't sum to 1: divide the exponentials by their sum, as softmax does",
  "softmax over the queries": "softmax runs over the queries: each query's row, over the keys, should sum to 1",
  "mask ignored": "the mask is ignored: add its entries to the scaled scores",
  "mask after softmax": "the mask comes after softmax, so the rows don't sum to 1: add it to the scores",
  "only a mask without batch": "every sequence gets the mask of the first one: with three axes, take mask[b, i, j]",
  "no maximum subtracted": "np.exp overflows, or all of a row becomes 0: subtract each query's own largest score first",
  "a tuple the wrong way round": "these are the right things in the wrong order: the output comes first, then the weights",
  "output alone": "the output came back alone: give back the pair (output, weights)",
  "mean of the values": "the output is a plain mean of the values: multiply each by its weight",
  "last value overwrites": "the output has the last value only: add each weighted value to it, with += inside the loop over keys",
  "root of n_q": "the scores are divided by √n_q: what counts is how long a query and a key are, d_k",
  "root of the batch": "the scores are divided by √batch: take d_k from the last axis, Q.shape[-1]",
  "d_k to the power of 1, then halves": "`/ d_k ** 1/2` divides by d_k and then by 2: write `d_k ** 0.5` or math.sqrt(d_k)",
  "half of d_k": "the scores are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)",
  "scale after softmax": "the scale comes after softmax, so the rows don't sum to 1: divide the scores",
  "scores without softmax": "the weights are the scores themselves: take softmax of each row",
  "shares of the scores": "the scores are divided by their sum without np.exp: take softmax of each row",
  "softmax over the whole table": "softmax runs over all queries and keys of a sequence: each query's row should sum to 1",
  "softmax over everything": "softmax runs over everything at once: each query's row should sum to 1",
  "softmax over the batch": "softmax runs over the sequences: each query's row, over the keys, should sum to 1",
  "softmax twice": "softmax is taken twice: its result are the weights",
  "maximum of the whole table": "np.exp of a whole row is 0, and 0 / 0 is NaN: subtract the largest score of each query's own row, not that of the table, nor an absolute value",
  "maximum of each key": "the maximum is taken over the queries, for each key: take that of each query's own row",
  "maximum before the mask": "np.exp of a whole row is 0, and 0 / 0 is NaN: the largest score must be one that is not blocked, so add the mask before you take it",
  "minimum subtracted": "np.exp overflows: subtract the largest score, not the smallest",
  "scores of all sequences' first keys": "the keys of the first sequence are used for all: take K[b, j]",
  "first sequence's values": "the values of the first sequence are used for all: take V[b, j]",
  "value of the query's place": "the value at the query's place is taken: the weight of key j belongs to V[b, j]",
  "exponentials not divided in the output": "the scores weigh the values: take the weights, after softmax",
  "mean over the keys": "the output is divided by the number of keys: the weights sum to 1 already",
  "only as many keys as queries": "the last key is left out: let j run over all n_k keys",
  "values of as many keys as queries": "the value of the last key is left out: let j run over all n_k keys",
  "only the first sequence": "only the first sequence is filled in: loop over all of the batch",
  "keys after the query blocked": "keys after the query are left out: without a mask each query sees all keys",
  "mask in place of scores": "the mask takes the place of the scores: add it to them",
  "mask subtracted": "NaN in the rows with a blocked key: add the mask to the scaled scores (not minus, not times), and subtract from a row only its largest score",
  "mask the other way round": "the mask is used the other way round: 0 keeps a key, −∞ blocks it",
  "first row of the mask for all": "every query gets the mask of the first one: take row i of it",
  "mask left out if it is for all": "a mask for all sequences is ignored: one of shape (n_q, n_k) counts, too",
  "weights alone": "the weights came back alone: give back the pair (output, weights)",
  "scores returned": "the second thing is the scores: return the weights, after softmax",
  "keys reshaped, not transposed": "the keys are reshaped: that tears them apart, so transpose the last two axes",
  "scores of exactly 0 blocked": "a score of exactly 0 is taken for a blocked one: block where the mask is −∞, and nowhere else",
  "divided by the maximum": "the scores are divided by their largest: subtract it",
  "lengths divided out": "the scores are divided by the length of the query's vector: divide by √d_k",
  "sum over features overwritten": "the score has the last feature only: add up all d_k products",
  "softmax of the weights once more at the end": "softmax is taken twice for the weights that come back: its result are the weights",
  "a value's sum": "the value's numbers are added up or averaged: weigh the whole vector V[b, j]",
  "key of the query's place": "each query meets the key at its own place only: take K[b, j]",
  "first query left out": "the first query's row is still 0: let i begin with 0",
  "last query left out": "the last query's row is still 0: let i run over all n_q queries",
  "first key left out": "the first key is left out: let j begin with 0",
  "weights rounded": "the weights are rounded: keep all of their digits",
  "blocked scores of 0": "blocked scores become 0, which is a score like any other: make them −∞, by adding the mask",
  "mask added after softmax": "the mask is added after softmax: add it to the scaled scores"},
 "calls": {
  "two sequences, no mask": [["Q", "K", "V"], [[[[-1.68076, 0.141348, 1.21346, 1.53557, 1.10768, -0.070216], [-1.85295, 0.0697619, 1.24247, 1.66518, 1.3379, 0.260608], [-1.60754, 0.0937972, 1.04514, 1.24648, 0.697822, -0.600836]], [[1.19626, 1.60917, 1.27207, 0.184974, -1.65212, -0.52376], [1.09461, 1.62235, 1.40009, 0.427831, -1.29443, -0.528211], [0.738687, 1.44968, 1.41067, 0.621666, -0.91734, -0.648497]]], [[[0.592669, 0.191067, 0.128294, 0.0879695], [0.781726, 0.146124, 0.053422, 0.0187289], [0.344889, 0.226775, 0.317149, 0.111187]], [[0.125774, 0.0729261, 0.128439, 0.672861], [0.238005, 0.0454314, 0.306081, 0.410483], [0.398153, 0.133854, 0.381805, 0.0861877]]]], [
   ["no scale", [0.71926, -4.1596], [2.4696, -0.17519]],
   ["divides by d_k", [0.11731, -3.1847], [0.71086, -0.025914]],
   ["root of d_v", [0.39575, -3.4867], [1.3835, -0.18476]],
   ["root of n_k", [0.47839, -3.63], [1.6466, -0.22396]],
   ["multiplies by the root", [0.99768, -4.4106], [2.8153, 0.14501]],
   ["no softmax, only exp", [-5.3329, -18.824], [7.1157, -3.9078]],
   ["softmax over the queries", [-0.48645, -5.2253], [0.68699, -0.61082]],
   ["a tuple the wrong way round", [1.4994, -0.20409, [2, 3, 4]], [0.43359, -3.5481, [2, 3, 6]]],
   ["output alone", [0.43359, -3.5481, [2, 3, 6]]],
   ["mean of the values", [-0.19046, -3.0145], 0],
   ["last value overwrites", [-0.15623, -1.5313], 0],
   ["root of n_q", [0.53285, -3.7438], [1.8397, -0.24064]],
   ["root of the batch", [0.60347, -3.9098], [2.1027, -0.24134]],
   ["d_k to the power of 1, then halves", [-0.044906, -3.081], [0.41373, 0.059301]],
   ["half of d_k", [0.38718, -3.4737], [1.3583, -0.18015]],
   ["scale after softmax", [0.32166, -1.8602], [1.1044, -0.078347]],
   ["scores without softmax", [-0.94649, 5.3592], [2.9709, -1.7492]],
   ["shares of the scores", [0.68493, -4.9477], [0.99732, -0.6015]],
   ["softmax over the whole table", [-0.35217, -1.7632], [0.63749, -0.32229]],
   ["softmax over everything", [-0.2405, -0.84891], [0.3209, -0.17623]],
   ["softmax over the batch", [0.0103, -7.4775], [1.3572, -0.12562]],
   ["softmax twice", [-0.014891, -3.172], [0.55542, 0.029623]],
   ["maximum of each key", [0.36317, -3.0137], [0.33749, -0.060202]],
   ["scores of all sequences' first keys", [-0.2227, -1.8135], [0.17048, 0.21464]],
   ["first sequence's values", [0.68227, -1.3131], 0],
   ["value of the query's place", [1.8821, -3.0253], 0],
   ["exponentials not divided in the output", [-0.94649, 5.3592], 0],
   ["mean over the keys", [0.1084, -0.88702], 0],
   ["only as many keys as queries", [0.23053, -2.8249], [1.5322, 0.20081]],
   ["values of as many keys as queries", [0.58982, -2.0168], 0],
   ["only the first sequence", [0.69976, -2.6666], [0.81465, 0.0028899]],
   ["keys after the query blocked", [-0.30655, -0.014347], [0.25446, 0.40684]],
   ["weights alone", [1.4994, -0.20409, [2, 3, 4]]],
   ["scores returned", 0, [2.9709, -1.7492]],
   ["keys reshaped, not transposed", [0.64425, -2.3424], [0.75435, -0.063096]],
   ["scores of exactly 0 blocked", [0.90813, -3.1863], [0.5744, -0.40582]],
   ["divided by the maximum", [0.091411, -3.3404], [0.84729, 0.01917]],
   ["lengths divided out", [0.1908, -3.2523], [0.80552, -0.00027974]],
   ["sum over features overwritten", [-0.32289, -2.3157], [-0.12578, 0.10112]],
   ["softmax of the weights once more at the end", 0, [0.55542, 0.029623]],
   ["a value's sum", [1.0027, 0.5833], 0],
   ["a value's sum", [0.16712, 0.097217], 0],
   ["key of the query's place", [-0.19046, -3.0145], [0.17963, 0.12554]],
   ["first query left out", [2.5279, -0.61764], [0.573, -0.18451]],
   ["last query left out", [-1.202, -4.4924], [1.5587, -0.53418]],
   ["first key left out", [0.12387, -3.2853], [1.0548, -0.036042]],
   ["weights rounded", 0, [1.4857, -0.2107]]]],
  "with a mask for each sequence": [["Q", "K", "V", "mask"], [[[[-1.7825, 0.056636, 1.14578, 1.48492, 1.07406, -0.0868009], [-1.10799, 0.585207, 1.5284, 1.7216, 1.16479, -0.142012], [-1.80864, -0.0508392, 0.956963, 1.21477, 0.722569, -0.519628]], [[0.616221, 1.20676, 1.0473, 0.137841, -1.52162, 0.31892], [1.09461, 1.62235, 1.40009, 0.427831, -1.29443, -0.528211], [0.248397, 1.1855, 1.3726, 0.809695, -0.503205, -1.49679]]], [[[0.732655, 0, 0.158597, 0.108748], [0, 0.88639, 0, 0.11361], [0.388033, 0.255144, 0.356823, 0]], [[0, 0.362159, 0.637841, 0], [0.238005, 0.0454314, 0.306081, 0.410483], [0.748397, 0.251603, 0, 0]]]], [
   ["mask ignored", [0.43359, -3.5481], [1.4994, -0.20409]],
   ["mask after softmax", [1.9554, -1.3712], [0.094848, 0.48298]],
   ["only a mask without batch", [0.7671, -4.0105], [0.72772, 0.91129]],
   ["mask in place of scores", [0.23947, -3.2181], [-0.70477, -0.15303]],
   ["mask subtracted", [40.903, 559.65], [612.29, 53.563]],
   ["mask subtracted", [41.099, 559.63], [612.05, 53.653]],
   ["mask the other way round", [-194.96, -384.01], [-51.174, 336.76]],
   ["first row of the mask for all", [-0.2248, -4.6136], [2.889, 0.17377]],
   ["blocked scores of 0", [-0.38873, -3.4396], [0.7683, 0.64522]],
   ["mask added after softmax", [2547.6, 1022.6], [-2159.1, -219.66]]]],
  "with one mask for all sequences": [["Q", "K", "V", "mask"], [[[[-1.7825, 0.056636, 1.14578, 1.48492, 1.07406, -0.0868009], [-1.10799, 0.585207, 1.5284, 1.7216, 1.16479, -0.142012], [-1.80864, -0.0508392, 0.956963, 1.21477, 0.722569, -0.519628]], [[1.3297, 1.71608, 1.35247, 0.238856, -1.62476, -0.56496], [1.3007, 1.60053, 1.15035, -0.0498246, -2, -0.450175], [0.666882, 1.42135, 1.42583, 0.6803, -0.815228, -0.662503]]], [[[0.732655, 0, 0.158597, 0.108748], [0, 0.88639, 0, 0.11361], [0.388033, 0.255144, 0.356823, 0]], [[0.135668, 0, 0.138542, 0.72579], [0, 0.0996491, 0, 0.900351], [0.435705, 0.146479, 0.417815, 0]]]], [
   ["mask left out if it is for all", [0.43359, -3.5481], [1.4994, -0.20409]]]],
  "with scores of ±1000": [["Q", "K", "V"], [[[[0.25, -0.625, 0.25, 0.75], [0.291667, 0.0416667, 0.125, -0.166667], [0.875, 0.625, 1.35553e-216, -1]]], [[[1, 0, 1.08442e-215], [0.333333, 0.333333, 0.333333], [0, 1, 1.08442e-215]]]], [
   ["no maximum subtracted", [705.55, 709.87], [1862.6, 70.047]],
   ["maximum of the whole table", [256.97, -746.86], [396.72, 180.7]],
   ["minimum subtracted", [447.89, 1457.4], [1467.9, -110.72]]]],
  "with scores of ±1000 and a mask": [["Q", "K", "V"], [[[[0.875, 0.625, 0, -1], [0.5625, 0, 0.125, -0.125], [0.25, -0.625, 0.25, 0.75]]], [[[0, 1, 0], [0.5, 0.5, 0], [1, 0, 0]]]], [
   ["maximum before the mask", [448.15, 1457.2], [299.13, 295.19]]]]}},
 "multiply-adds": {
 "made of": "ad6cbb00136a", "defines": ["multiply_adds"],
 "advice": {
  "linear in seq_len": "seq_len counts once as the queries and once as the keys: square it",
  "counts two operations": "a multiply and its add count as one: don't double them",
  "scores alone": "the output is missing: weighting one value takes d_v",
  "output alone": "the scores are missing: each takes d_k",
  "batch forgotten": "the batch is missing: there are that many sequences",
  "d_k times d_v": "d_k and d_v are multiplied: scores and output come one after the other, so add",
  "lower triangle only": "only one triangle of the table is counted: here nothing is masked",
  "counts without brackets": "batch and seq_len² multiply d_k alone: put d_k + d_v into brackets",
  "batch on one term": "the batch counts for the scores only: it multiplies both terms",
  "seq_len doubled": "seq_len is doubled: each query meets each key, so square it",
  "output linear in seq_len": "the output counts one value for each query: it weighs all seq_len of them",
  "scores linear in seq_len": "the scores count one key for each query: each query meets all seq_len of them",
  "batch squared": "the batch is squared: sequences don't meet each other, so it counts once",
  "softmax counted": "softmax, scale and mask don't count here",
  "d_k twice": "both terms have d_k: weighting a value takes d_v",
  "d_v twice": "both terms have d_v: a score takes d_k",
  "cubed": "seq_len is there three times: once as the queries and once as the keys",
  "mean of both": "the terms are averaged: both are computed, so add them",
  "additions one fewer": "count each addition with its multiplication: d_k for a score, d_v for a value",
  "strict triangle": "only pairs of different tokens are counted, or each pair once: each query meets each key, itself too",
  "not itself": "a token's pair with itself is missing: each query meets each key",
  "projections counted": "only scores and output count: d_k and d_v stand there once, not squared"},
 "calls": {
  "5 sequences of 6 tokens, d_k 4, d_v 7": [["batch", "seq_len", "d_k", "d_v"], [1980], [
   ["linear in seq_len", [315.26, 277.69]],
   ["counts two operations", [3783.1, 3332.2]],
   ["scores alone", [687.84, 605.86]],
   ["output alone", [1203.7, 1060.3]],
   ["batch forgotten", [378.31, 333.22]],
   ["d_k times d_v", [4814.9, 4241]],
   ["lower triangle only", [1103.4, 971.9]],
   ["counts without brackets", [694.53, 611.75]],
   ["batch on one term", [928.59, 817.91]],
   ["seq_len doubled", [630.52, 555.37]],
   ["output linear in seq_len", [888.46, 782.57]],
   ["scores linear in seq_len", [1318.4, 1161.2]],
   ["batch squared", [9457.8, 8330.6]],
   ["softmax counted", [2063.5, 1817.6]],
   ["d_k twice", [1375.7, 1211.7]],
   ["d_v twice", [2407.4, 2120.5]],
   ["cubed", [11349, 9996.7]],
   ["mean of both", [945.78, 833.06]],
   ["additions one fewer", [3439.2, 3029.3]],
   ["strict triangle", [788.15, 694.21]],
   ["not itself", [1576.3, 1388.4]],
   ["projections counted", [11177, 9845.2]]]]}},
 "softmax-backward": {
 "made of": "45ab223d5bd4", "defines": ["softmax_backward"],
 "advice": {
  "without the sum term": "the average isn't subtracted: each score moves every weight of its row",
  "diagonal of the Jacobian only": "only the Jacobian's diagonal, w(1 − w), is used: each score moves the other weights of its row, too",
  "weights in front missing": "the weights in front are missing: multiply the difference by them",
  "weights multiply g alone": "the weights multiply g alone: they belong in front of the whole difference, so put it into brackets",
  "average added": "the average is added: subtract it",
  "plain sum": "the plain sum of g is subtracted: weigh each g with its weight",
  "plain mean": "the plain mean of g is subtracted: weigh each g with its weight, and sum",
  "sum over the queries": "the sum runs over the queries: each row, over the keys, has its own (axis=-1)",
  "sum over everything": "one sum is taken for everything: each row has its own (axis=-1)",
  "sign turned": "the sign is reversed: subtract the average from the gradient",
  "softmax once more": "softmax is taken once more: weights is its result already",
  "axis 1": "the sum runs over axis 1, which isn't the keys' if axes stand in front: take axis=-1",
  "axis 0": "the sum runs over the first axis: take the last, axis=-1",
  "mean of w g": "the mean of w·g is subtracted: take the sum, the weights average already",
  "weights multiply the average": "the weights multiply the average alone: they belong in front of the whole difference",
  "weights multiply both, average twice": "the average is multiplied by the weights twice: once in front of the difference is enough",
  "weights squared in the average": "the weights are squared in the average: w·g once, summed",
  "sum of the weights": "the sum of the weights is subtracted, which is 1: sum weights times gradient",
  "average alone": "this is weights times the average alone: what is missing is the gradient that the average is subtracted from",
  "w (1 − w) without g": "the incoming gradient is missing: multiply by grad_weights",
  "w (1 − w) times the difference": "w(1 − w) stands in front of the difference: with the average subtracted, it is w alone",
  "g nothing done": "grad_weights came back as it was: multiply the weights by its difference from the average",
  "g in front": "grad_weights stands in front: it is the weights that multiply the difference",
  "w and g swapped": "weights and grad_weights have changed places: the weights multiply (g − average)",
  "w minus average": "the average is subtracted from the weights: subtract it from grad_weights",
  "divided by the weights": "the difference is divided by the weights: multiply",
  "softmax of g": "softmax is taken of grad_weights: it is no score, use it as it is",
  "softmax of the result": "softmax is taken of the result: leave the difference times the weights",
  "summed at the end": "the result is summed over the keys: each score has its own gradient",
  "maximum subtracted": "the largest g is subtracted: it is the average, sum of w·g",
  "normalised": "the result is divided by a sum: leave w times (g − average)",
  "row for row of a table": "each first index has one sum, as if it were a row: with more axes in front each row, along the last axis, has its own",
  "one sum for a table": "one sum is taken for a table of queries and keys: each row has its own (axis=-1)",
  "softmax in front": "softmax of the weights stands in front: weights is its result already",
  "without sign": "the difference has lost its sign: no absolute value is taken here",
  "Jacobian added up": "the Jacobian's second term is added: it is subtracted, w (δ − w)",
  "rounded": "the result is rounded: keep all of its digits"},
 "calls": {
  "two sequences, three heads": [["weights", "grad_weights"], [[[[[0.0266028, 0, 0.245458, -0.425581, 0.15352], [0.110137, 0.0191389, 0.0206636, -0.430257, 0.280318], [0.25738, 0.150472, 0.015172, -0.0250839, -0.397941], [0.0066368, 0.0962149, 0.0266607, 0.120266, -0.249778]], [[-0.450514, 0, 0.268163, 0.0465998, 0.135751], [-0.549391, 0.0689747, 0.335399, 0.129736, 0.0152813], [0.0581812, -0.450576, 0.12317, 0.213049, 0.0561765], [0.121413, 0.157339, -0.443429, 0.0651848, 0.0994924]], [[0.011719, 0, -0.53628, 0.132718, 0.391843], [0.336419, 0.0376791, 0.0281369, -0.4618, 0.0595657], [0.128596, 0.0317731, 0.189264, 0.263491, -0.613124], [0.150052, 0.153751, 0.026718, 0.055201, -0.385722]]], [[[-0.231043, 0, 0.193294, 0.0216462, 0.0161027], [-0.471503, 0.049863, 0.164283, 0.0445067, 0.212851], [0.188768, -0.423629, 0.0993069, 0.115485, 0.0200683], [-0.0277471, -0.485952, 0.0788622, 0.314265, 0.120572]], [[0.0594815, 0, -0.502471, 0.176412, 0.266578], [0.0234496, 0.139628, 0.193785, -0.454909, 0.0980475], [0.110137, 0.0191389, 0.0206636, -0.430257, 0.280318], [0.25738, 0.150472, 0.015172, -0.0250839, -0.397941]], [[0.0303685, 0, 0.0318265, 0.150561, -0.212756], [-0.408244, 0.168486, 0.151456, 0.0263191, 0.0619826], [-0.549391, 0.0689747, 0.335399, 0.129736, 0.0152813], [0.0581812, -0.450576, 0.12317, 0.213049, 0.0561765]]]]], [
   ["without the sum term", [1.7733, -1.6987]],
   ["diagonal of the Jacobian only", [0.92946, -0.89925]],
   ["weights in front missing", [-0.49043, -4.0701]],
   ["weights multiply g alone", [-0.52013, -2.6586]],
   ["average added", [3.266, -1.4988]],
   ["plain sum", [-5.1696, -4.0674]],
   ["plain mean", [0.38474, -2.1724]],
   ["sum over the queries", [1.1525, 0.23396]],
   ["sum over everything", [3.1746, 1.6093]],
   ["sign turned", [-0.28068, 1.8985]],
   ["softmax once more", [-0.068104, -0.99349]],
   ["axis 1", [1.1375, -1.7197]],
   ["axis 0", [1.2618, -0.80656]],
   ["mean of w g", [1.4748, -1.7386]],
   ["weights multiply the average", [0.31038, -3.31]],
   ["weights multiply both, average twice", [1.0737, -1.7947]],
   ["weights squared in the average", [0.98777, -1.7167]],
   ["sum of the weights", [1.5429, -2.2427]],
   ["average alone", [1.4926, 0.19984]],
   ["w (1 − w) without g", [0.47741, 0.1293]],
   ["w (1 − w) times the difference", [0.13646, -1.003]],
   ["g nothing done", [1.803, -3.1102]],
   ["g in front", [5.9622, 13.968]],
   ["w and g swapped", [3.5821, 1.2819]],
   ["w minus average", [-1.7396, 0.2149]],
   ["divided by the weights", [683.83, 68.912]],
   ["softmax of g", [0.14932, -0.048479]],
   ["softmax of the result", [0.20259, -0.29164]],
   ["summed at the end", [1.0702e-16, 1.6789e-16, [2, 3, 4]]],
   ["maximum subtracted", [-0.31679, -2.292]],
   ["normalised", [0.13764, -1.1577]],
   ["row for row of a table", [3.0655, -1.4359]],
   ["one sum for a table", [1.5122, -1.8544]],
   ["softmax in front", [-0.028367, -1.0402]],
   ["without sign", [-0.13129, 1.5282]],
   ["Jacobian added up", [2.6172, -2.4981]],
   ["rounded", [0.28176, -1.8988]]]],
  "two rows": [["weights", "grad_weights"], [[[0, -1, 1], [0, 1, -1]]], []],
  "one row": [["weights", "grad_weights"], [[0, -1, 1]], []]}},
 "attention-backward": {
 "made of": "c5d869840a3d", "defines": ["attention_backward"],
 "advice": {
  "no sum in softmax": "the sum in softmax's gradient is missing: use softmax_backward of 5.3",
  "diagonal of the Jacobian": "only the diagonal of softmax's Jacobian is used: take softmax_backward of 5.3",
  "softmax left out": "the way back through softmax is left out: grad_weights is not yet the scores' gradient",
  "no scale": "grad_Q and grad_K are not divided by √d_k: the scale of the scores stands in front of both",
  "scale forgotten for K": "grad_K is not divided by √d_k: the scale stands in front of both",
  "scale forgotten for Q": "grad_Q is not divided by √d_k: the scale stands in front of both",
  "divides by d_k": "grad_Q and grad_K are divided by d_k: divide by its root, once",
  "multiplies by the root": "grad_Q and grad_K are multiplied by √d_k: divide",
  "root of d_v": "grad_Q and grad_K are divided by √d_v: the scale is that of forward, √d_k (Q.shape[-1])",
  "root of n": "grad_Q and grad_K are divided by √n_q: take d_k from the last axis, Q.shape[-1]",
  "V is the output": "grad_V is the output of forward: multiply the transposed weights by grad_output",
  "scale in V": "grad_V is divided by √d_k: the scale belongs to the scores only, so to grad_Q and grad_K",
  "order of the three": "grad_K comes first: give them back in the order grad_Q, grad_K, grad_V",
  "weights computed again without mask": "the weights are computed again, without the mask: use those that you are given",
  "root of n_k": "grad_Q and grad_K are divided by √n_k: take d_k from the last axis, K.shape[-1]",
  "root of the batch": "grad_Q and grad_K are divided by the root of the first axis: take d_k from the last, Q.shape[-1]",
  "d_k to the power of 1, then halves": "`/ d_k ** 1/2` divides by d_k and then by 2: write `d_k ** 0.5` or math.sqrt(d_k)",
  "half of d_k": "grad_Q and grad_K are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)",
  "scale twice for Q": "grad_Q is divided by √d_k twice: once is enough",
  "scale twice for K": "grad_K is divided by √d_k twice: once is enough",
  "softmax_backward's arguments swapped": "softmax_backward gets its arguments the wrong way round: the weights first, then their gradient",
  "softmax in place of its backward": "softmax is taken of the weights' gradient: send it through softmax_backward",
  "grad_output through softmax": "softmax_backward gets what is not the weights' gradient: that is grad_output times the transposed V",
  "scores computed and differentiated": "softmax_backward gets what is not the weights: they are the last argument",
  "weights in place of their gradient's scores": "grad_Q and grad_K are made from the weights: multiply with the scores' gradient",
  "weights for Q alone": "grad_Q is made from the weights: multiply the scores' gradient by K",
  "weights for K alone": "grad_K is made from the weights: multiply the transposed scores' gradient by Q",
  "weights' gradient for Q alone": "grad_Q leaves out softmax: multiply the scores' gradient by K, not the weights'",
  "weights' gradient for K alone": "grad_K leaves out softmax: multiply the transposed scores' gradient by Q, not the weights'",
  "sign of Q": "grad_Q has the wrong sign",
  "V from the scores' gradient": "grad_V is made with the scores' gradient: it takes the weights, transposed",
  "V by weights that are not given": "grad_V comes from exponentials that are not the weights: take the last argument, transposed",
  "V and Q swapped": "grad_V comes first: give them back in the order grad_Q, grad_K, grad_V",
  "V, K, Q turned on": "these are the three in another order: grad_Q, grad_K, grad_V",
  "K and V swapped": "grad_V comes before grad_K: give them back in the order grad_Q, grad_K, grad_V",
  "weights reshaped for V": "the weights are reshaped for grad_V: that tears them apart, so turn their last two axes with np.swapaxes",
  "V reshaped": "V is reshaped for the weights' gradient: that tears it apart, so turn its last two axes with np.swapaxes",
  "scores' gradient reshaped for K": "the scores' gradient is reshaped for grad_K: that tears it apart, so turn its last two axes with np.swapaxes",
  "V in place of K": "grad_Q is made with V: multiply the scores' gradient by K",
  "summed over the sequences": "the gradients are summed over the axis in front: each sequence has its own",
  "scores in place of the weights": "softmax_backward gets the scores: it wants the weights, the last argument",
  "softmax_backward twice": "softmax_backward is applied twice: once is enough",
  "weights multiplied in before": "the weights' gradient is multiplied by the weights before softmax_backward, which does that itself",
  "no gradient for K": "grad_K is still 0: make it from the transposed scores' gradient and Q",
  "V's mean over the queries": "grad_V is divided by the number of queries: it is a sum over them",
  "sums multiplied for V": "for grad_V weights and grad_output are summed over the queries before they meet: multiply for each query, then sum",
  "all signs turned": "grad_Q and grad_K have the wrong sign",
  "K from the gradient of Q": "grad_K is made with grad_Q: multiply the transposed scores' gradient by Q itself",
  "Q from the gradient of K": "grad_Q is made with grad_K: multiply the scores' gradient by K itself"},
 "calls": {
  "two sequences": [["grad_output", "Q", "K", "V", "weights"], [[[[-0.186208, -0.406631, -0.0953059, 0.216019, 0.527345], [-0.0805551, -0.617508, -0.37471, -0.131912, 0.110886], [0.0305578, -0.00470521, -0.0265255, -0.0483458, -0.0701661]], [[-0.00653766, 0.0142515, 0.0350406, -0.00709108, -0.0371679], [-0.0336388, 0.0982489, 0.230137, 0.120236, -0.194066], [-0.0893338, -0.0855783, -0.0818227, -0.367076, -0.0283002]]], [[[-0.557214, -0.32621, 0.154262, 0.352452, -0.0817885], [0.0476738, 0.0335218, 0.00371633, -0.0417426, -0.014152], [-0.196563, 0.00417551, 0.286275, -0.401284, -0.417508], [0.706104, 0.288512, -0.444253, 0.0905753, 0.513449]], [[0.0890525, -0.0772446, -0.138768, -0.0955173, 0.0525072], [-0.121833, -0.0923427, -0.0663458, -0.0438424, -0.0248324], [-0.19233, -0.0482503, 0.023143, 0.0218503, -0.0521284], [0.22511, 0.217838, 0.181971, 0.117509, 0.0244536]]], [[[0.58938, 0.71994, 0.491809, -0.0950142, -0.70901, 0.0193683], [0.082954, 0.094582, 0.031768, -0.105488, -0.093024, 0.0426741], [0.453879, 0.556784, 0.244674, -0.482451, -0.458434, 0.336164], [0.373787, 0.503694, 0.356749, -0.0670467, -0.364532, 0.226793]], [[0.069267, 0.00894727, -0.121147, -0.0559855, 0.06976, 0.125731], [0.0616825, 0.00514678, -0.114688, -0.0541102, 0.0581527, 0.107116], [0.0808801, -0.0980401, -0.460748, -0.0213641, 0.289815, 0.417208], [1.66317, 1.20895, -0.0534168, -1.49354, 0.207272, 1.09995]]]], [
   ["no sum in softmax", [0.44726, -0.17836], [1.1358, -1.0219], 0],
   ["diagonal of the Jacobian", [0.0032429, 0.088845], [-0.71988, -0.34183], 0],
   ["softmax left out", [-4.854, 0.55783], [-5.2519, 0.22842], 0],
   ["no scale", [2.2276, -0.98767], [0.24724, -2.2048], 0],
   ["scale forgotten for K", 0, [0.24724, -2.2048], 0],
   ["scale forgotten for Q", [2.2276, -0.98767], 0, 0],
   ["divides by d_k", [0.44551, -0.19753], [0.049447, -0.44096], 0],
   ["multiplies by the root", [4.981, -2.2085], [0.55284, -4.93], 0],
   ["root of d_v", [0.9094, -0.40321], [0.10093, -0.9001], 0],
   ["root of n", [1.2861, -0.57023], [0.14274, -1.2729], 0],
   ["V is the output", 0, 0, [0.64138, -3.9718, [2, 3, 6]]],
   ["scale in V", 0, 0, [-1.5099, 0.63174]],
   ["order of the three", [0.11057, -0.98601, [2, 4, 5]], [0.99619, -0.4417, [2, 3, 5]], 0],
   ["weights computed again without mask", [0.94804, -0.5672], [0.24772, -1.0449], [-3.2628, 1.4783]],
   ["root of n_k", [1.1138, -0.49383], [0.12362, -1.1024], 0],
   ["root of the batch", [1.5751, -0.69839], [0.17482, -1.559], 0],
   ["d_k to the power of 1, then halves", [0.22276, -0.098767], [0.024724, -0.22048], 0],
   ["half of d_k", [0.89102, -0.39507], [0.098895, -0.88191], 0],
   ["scale twice for Q", [0.44551, -0.19753], 0, 0],
   ["scale twice for K", 0, [0.049447, -0.44096], 0],
   ["softmax_backward's arguments swapped", [-8.8118, -4.2983], [-14.912, 0.63149], 0],
   ["softmax in place of its backward", [0.829, -0.16047], [0.074508, -0.22072], 0],
   ["grad_output through softmax", [0.14152, -0.077845], [0.13741, -0.072084], 0],
   ["scores computed and differentiated", [0.86601, 0.017553], [-0.64589, -0.89437], 0],
   ["weights in place of their gradient's scores", [1.6205, -1.8195], [6.2424, -0.80806], 0],
   ["weights for Q alone", [1.6205, -1.8195], 0, 0],
   ["weights for K alone", 0, [6.2424, -0.80806], 0],
   ["weights' gradient for Q alone", [-4.854, 0.55783], 0, 0],
   ["weights' gradient for K alone", 0, [-5.2519, 0.22842], 0],
   ["sign of Q", [-0.99619, 0.4417], 0, 0],
   ["V from the scores' gradient", 0, 0, [0.15413, -0.55271]],
   ["V by weights that are not given", 0, 0, [-8.9699, 3.8011]],
   ["V and Q swapped", [-3.3763, 1.4126, [2, 4, 6]], 0, [0.99619, -0.4417, [2, 3, 5]]],
   ["V, K, Q turned on", [-3.3763, 1.4126, [2, 4, 6]], [0.99619, -0.4417, [2, 3, 5]], [0.11057, -0.98601, [2, 4, 5]]],
   ["K and V swapped", 0, [-3.3763, 1.4126, [2, 4, 6]], [0.11057, -0.98601, [2, 4, 5]]],
   ["weights reshaped for V", 0, 0, [-1.4882, 0.18542]],
   ["V reshaped", [0.45227, 0.24186], [-0.81202, -0.50888], 0],
   ["scores' gradient reshaped for K", 0, [-0.97344, 1.274], 0],
   ["V in place of K", [-0.0072304, 0.14772, [2, 3, 6]], 0, 0],
   ["summed over the sequences", [1.0531, -0.37248, [3, 5]], [0.78017, -0.89154, [4, 5]], [0.25856, 0.50822, [4, 6]]],
   ["scores in place of the weights", [60.536, 18.878], [-4.5031, -19.83], 0],
   ["softmax_backward twice", [0.30464, -0.21533], [0.16122, -0.35402], 0],
   ["weights multiplied in before", [0.69114, 0.094796], [0.079907, -0.44215], 0],
   ["no gradient for K", 0, [0, 0], 0],
   ["V's mean over the queries", 0, 0, [-1.1254, 0.47087]],
   ["sums multiplied for V", 0, 0, [-9.6211, 2.0826]],
   ["all signs turned", [-0.99619, 0.4417], [-0.11057, 0.98601], 0],
   ["K from the gradient of Q", 0, [0.12135, -0.088252], 0],
   ["Q from the gradient of K", [0.44325, 0.35988], 0, 0]]],
  "no axis in front": [["grad_output", "Q", "K", "V", "weights"], [[[0.0257755, -0.404663, -0.305927, -0.207191, -0.108455], [-0.0861965, -0.716011, -0.481441, -0.246871, -0.0123015], [-0.0298557, 0.282603, 0.236079, 0.189554, 0.14303]], [[-0.647238, -0.38436, 0.108015, 0.300712, -0.0484012], [0.125664, 0.0889898, 0.00539104, -0.125132, -0.0366741], [0.596445, 0.313201, -0.134512, 0.00157315, 0.156913], [-0.0748709, -0.017831, 0.0211055, -0.177153, -0.0718377]], [[0.472374, 0.391613], [0.00383793, 0.049628], [0.0422934, 0.4425], [0.231495, 0.491259]]], []],
  "two axes in front": [["grad_output", "Q", "K", "V", "weights"], [[[[[0.33579, 1.11022e-16, -0.33579, -0.671579]], [[0.37699, 0.0471237, -0.282742, 0.188495]], [[0.0627342, 0.117627, 0.0392089, -0.0392089]]], [[[0.011926, 0.023852, 0.00681484, -0.0102223]], [[0.0504897, -0.0336598, -0.117809, -0.0589047]], [[-0.00556388, 0.00556388, 0.0166916, 0.0089022]]]], [[[[-0.28782, -0.0959399, 0.23985, -0.0959399], [0, 0, 0, 0], [0.28782, 0.0959399, -0.23985, 0.0959399]], [[-0.282742, -0.329866, -0.235619, 0], [0, 0, 0, 0], [0.282742, 0.329866, 0.235619, 0]], [[-0.0627342, -0.0156835, 0.00784177, 0.00784177], [0, 0, 0, 0], [0.0627342, 0.0156835, -0.00784177, -0.00784177]]], [[[-0.00340742, -0.0136297, 0, 0.00851855], [0, 0, 0, 0], [0.00340742, 0.0136297, 0, -0.00851855]], [[0.0589047, 0.0504897, 0.0168299, -0.0420748], [0, 0, 0, 0], [-0.0589047, -0.0504897, -0.0168299, 0.0420748]], [[-0.00222555, -0.00667665, -0.00778943, -0.00556388], [0, 0, 0, 0], [0.00222555, 0.00667665, 0.00778943, 0.00556388]]]], [[[[0.111132, 0.155585], [0, 0], [0.513868, 0.719415]], [[0.235538, 0.0785126], [0, 0], [0.514462, 0.171487]], [[-0.0314566, 0.0125827], [0, 0], [-0.593543, 0.237417]]], [[[0.00568293, 0.00663009], [0, 0], [0.744317, 0.86837]], [[0.428718, 0], [0, 0], [0.196282, 0]], [[-0.00573025, -0.00143256], [0, 0], [-0.99427, -0.248567]]]]], []]}},
 "multi-head": {
 "made of": "ee827d9ab3be", "defines": ["MultiHeadAttention"],
 "advice": {
  "no scale": "the scores are not divided by √d_k",
  "root of embed_dim": "the scores are divided by √embed_dim: each head's queries have d_k = embed_dim / num_heads numbers, so take √d_k",
  "divides by d_k": "the scores are divided by d_k, or by its root twice: divide by √d_k, once",
  "root of seq": "the scores are divided by √seq: what counts is how many numbers a head's query has, d_k",
  "multiplies by the root": "the scores are multiplied by √d_k: divide",
  "Q and K swapped": "queries and keys have changed places: a row of the scores is a query",
  "softmax over the queries": "softmax runs over the queries: it should run over the keys, the last axis",
  "only exp": "the weights don't sum to 1: take softmax of the scores, not np.exp alone",
  "out_proj left out": "out_proj is left out: send the combined heads through it",
  "bare reshape to heads": "a bare reshape makes the heads, which cuts the tokens apart: cut the last axis, then swap heads and tokens (split_heads does it)",
  "merged without swapping": "the heads are merged without swapping their axes back: use combine_heads, or swap heads and tokens before the reshape",
  "interleaved heads": "the heads are interleaved: each owns a contiguous slice of the embedding, as split_heads cuts it",
  "mask ignored": "the mask is ignored, at least one with three axes: add it to the scaled scores",
  "mask transposed": "the mask is transposed: its rows are queries, as those of the scores",
  "mask upside down": "the mask is used the other way round: 0 keeps a key, −∞ blocks it",
  "no ValueError": "raise a ValueError in the constructor if num_heads doesn't divide embed_dim",
  "call without mask": "the mask doesn't arrive: __call__ must pass it on to forward",
  "root of num_heads": "the scores are divided by √num_heads: what counts is how many numbers a head's query has, d_k",
  "root of the batch": "the scores are divided by √batch: take d_k from the last axis of the queries",
  "divides by embed_dim": "the scores are divided by 6: that is embed_dim, or `d_k ** 1/2`, which divides by d_k and then by 2. Take math.sqrt(d_k)",
  "half of d_k": "the scores are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)",
  "scale after softmax": "the scale comes after softmax: divide the scores before it",
  "no softmax": "the scores weigh the values: take softmax of them first",
  "softmax over the heads": "softmax runs over the heads: it should run over the keys, the last axis",
  "softmax twice": "softmax is taken twice: its result are the weights",
  "weights not used": "each token keeps its own value: multiply the weights by the values",
  "plain mean of the values": "each query gets a plain mean of the values: multiply the weights by the values",
  "keys as values": "the weights multiply the keys: send x through v_proj for the values, and multiply the weights by them",
  "queries as values": "the weights multiply the queries: send x through v_proj for the values, and multiply the weights by them",
  "weights transposed": "the weights are transposed before they meet the values: row i, of query i, weighs them",
  "values from x": "the values are x itself: project it with v_proj",
  "queries from x": "the queries are x itself: project it with q_proj",
  "keys from x": "the keys are x itself: project it with k_proj",
  "queries with themselves": "the queries meet queries: send x through k_proj for the keys, and multiply the queries by them",
  "keys with themselves": "the keys meet keys: send x through q_proj for the queries, and put them on the left of the product",
  "values and keys swapped": "k_proj and v_proj have changed places: the order of the projections doesn't fit that of the names",
  "values through another": "the queries' projection is used for all three: send x through q_proj, k_proj and v_proj",
  "projected one after the other": "each projection gets the result of the one before: all three get x",
  "weight without bias": "the biases of the projections are left out: use forward of each, which adds them",
  "out_proj without bias": "the bias of out_proj is left out: use its forward, which adds it",
  "out_proj twice": "out_proj is applied twice",
  "out_proj for each head's values": "out_proj comes before the attention: it mixes the combined heads, at the end",
  "one head only": "all of the embedding is one head: cut it into num_heads",
  "as many heads as d_k": "there are d_k heads of num_heads numbers: it should be num_heads heads of d_k",
  "interleaved when split only": "the heads are interleaved when they are split: each owns a contiguous slice, as split_heads cuts it",
  "interleaved when merged only": "the heads are interleaved when they are merged: put them side by side, as combine_heads does",
  "bare reshape when split only": "a bare reshape makes the heads, which cuts the tokens apart: cut the last axis, then swap heads and tokens (split_heads does it); merging is right",
  "heads averaged": "the heads are averaged: put them side by side, as combine_heads does",
  "heads summed": "the heads are added up: put them side by side, as combine_heads does",
  "first head for all": "all heads hold what the first gives: each has its own",
  "heads in another order": "the heads are put together in another order: head 0 comes first",
  "residual path": "x is added to the output: this layer has no residual path",
  "keys reshaped": "the keys are reshaped: that tears them apart, so turn their last two axes",
  "mask after softmax": "the mask comes after softmax, so blocked keys took a share of it: add it to the scores",
  "mask subtracted": "the mask is subtracted, multiplied, or added after softmax, which makes ∞ or NaN: add it to the scaled scores",
  "mask in place of scores": "the mask takes the place of the scores: add it to them",
  "mask of the first sequence": "every sequence gets the mask of the first one: one of shape (batch, seq, seq) has its own for each",
  "mask for one head only": "only the first head is masked: all heads share the mask",
  "mask with two axes ignored": "a mask with two axes is ignored: it holds for all sequences",
  "causal without being asked": "keys after the query are left out: without a mask each query sees all keys",
  "own softmax without maximum": "np.exp overflows, or all of a row becomes 0: subtract the largest score of each query's own row, or use the given softmax",
  "only the first sequence": "only one sequence came back: keep the axis of the batch",
  "blocked scores of 0": "blocked scores become 0, which is a score like any other: make them −∞, by adding the mask",
  "keys of all heads added up": "each head's queries meet the keys of all heads: head by head they stay apart",
  "out_proj's weight transposed": "out_proj's weight is transposed: it is (in, out), and its forward does the product",
  "projections' weights transposed": "the projections' weights are transposed: they are (in, out), and forward of each does the product",
  "scores averaged over the heads": "the scores are averaged over the heads: each head has its own",
  "values scaled, too": "the heads' outputs are divided by √d_k, too: the scale belongs to the scores only",
  "masks taken in another order": "each sequence gets another one's mask: put an axis for the heads behind that of the batch, with expand_dims"},
 "calls": {
  "a new layer": [["embed_dim", "num_heads"], [8], []],
  "embed_dim 7 and 3 heads": [["embed_dim", "num_heads"], "ValueError", [
   ["no ValueError", [2.866, 2.5244, []]]]],
  "four sequences, no mask": [["x"], [[[[0.672508, 2.01108, 2.18497, 1.19418, -2.71981, -1.56511], [0.762909, 2.20174, 2.38497, 1.31261, -3.02574, -1.61926], [0.855342, 2.41258, 2.66377, 1.60893, -3.28607, -1.67711], [0.827135, 2.12977, 2.24941, 1.18605, -2.7119, -1.5626], [1.06999, 2.54266, 2.65779, 1.41539, -3.26192, -1.65171]], [[-0.0208628, 0.763691, 0.513159, -0.77246, -0.19273, 0.191968], [0.0340586, 0.673045, 0.257564, -1.21239, 0.126594, 0.398027], [0.29307, 1.05805, 0.651151, -0.927616, -0.331605, 0.261491], [0.0906532, 0.784753, 0.374662, -1.13962, -0.0222061, 0.387211], [0.0491203, 0.682902, 0.243203, -1.26998, 0.140126, 0.438044]], [[0.381653, 2.10691, 2.45882, 1.43738, -3.02719, -1.13802], [0.928299, 2.15593, 2.2453, 1.19643, -2.19483, -1.19512], [0.884172, 2.18094, 2.26041, 1.12259, -2.31611, -1.11552], [0.349891, 2.11063, 2.449, 1.36501, -3.06593, -1.05959], [0.642722, 2.09323, 2.25793, 1.13682, -2.51027, -1.04175]], [[0.790228, 2.01625, 2.24449, 1.47494, -2.56033, -1.79632], [0.736464, 2.52157, 2.98326, 2.12154, -3.70756, -1.84177], [0.55787, 1.73478, 2.08151, 1.59806, -2.31049, -1.87493], [0.854822, 2.24784, 2.50462, 1.62515, -2.95253, -1.79077], [0.693073, 2.26721, 2.69914, 1.98888, -3.21841, -1.86562]]]], [
   ["no scale", [-1.8523, -0.67458]],
   ["root of embed_dim", [-1.2692, -0.65284]],
   ["divides by d_k", [-1.1897, -0.61456]],
   ["root of seq", [-1.325, -0.66732]],
   ["multiplies by the root", [-1.7183, -0.71181]],
   ["Q and K swapped", [-2.683, -0.45571]],
   ["softmax over the queries", [3.17, 3.0994]],
   ["only exp", [-42.13, 70.789]],
   ["out_proj left out", [0.60295, 0.72465]],
   ["bare reshape to heads", [-0.21395, 3.3484]],
   ["merged without swapping", [-0.89044, 4.8948]],
   ["interleaved heads", [-0.062215, -0.2333]],
   ["root of num_heads", [-1.6905, -0.69404]],
   ["root of the batch", [-1.407, -0.68155]],
   ["divides by embed_dim", [-1.3155, -0.47705]],
   ["half of d_k", [-1.6455, -0.69535]],
   ["scale after softmax", [-1.1491, -0.48236]],
   ["no softmax", [32.566, -7.7899]],
   ["softmax over the heads", [-15.224, -1.5075]],
   ["softmax twice", [-2.0643, -0.3288]],
   ["weights not used", [13.699, -1.498]],
   ["plain mean of the values", [-2.1274, -0.26298]],
   ["keys as values", [7.6086, 1.4244]],
   ["queries as values", [0.5085, 0.82101]],
   ["weights transposed", [-17.301, -0.83951]],
   ["values from x", [0.55631, -0.38197]],
   ["queries from x", [-1.1205, -1.2749]],
   ["keys from x", [-2.0868, -0.54444]],
   ["queries with themselves", [0.41329, 1.0836]],
   ["keys with themselves", [5.736, 0.41282]],
   ["values and keys swapped", [-4.5186, 0.64326]],
   ["values through another", [1.531, -2.2032]],
   ["projected one after the other", [9.4433, 3.5315]],
   ["weight without bias", [5.4455, -0.51684]],
   ["out_proj without bias", [-1.3377, -0.47304]],
   ["out_proj twice", [-1.4781, -0.55086]],
   ["out_proj for each head's values", [-1.5835, 0.84653]],
   ["one head only", [-0.013623, 0.16849]],
   ["as many heads as d_k", [-3.1207, -1.0944]],
   ["interleaved when split only", [-2.2119, 0.50286]],
   ["interleaved when merged only", [-1.9338, -0.5325]],
   ["bare reshape when split only", [7.4958, 1.4559]],
   ["heads averaged", [-3.1309, -0.57274]],
   ["heads summed", [-6.0734, -0.92569]],
   ["first head for all", [-9.6111, -0.26231]],
   ["heads in another order", [-4.7358, -0.45265]],
   ["residual path", [0.010065, -0.66965]],
   ["keys reshaped", [-1.3157, 0.47563]],
   ["causal without being asked", [4.1825, -0.67369]],
   ["only the first sequence", [0.038212, -0.41429, [5, 6]]],
   ["keys of all heads added up", [-1.64, 0.58513]],
   ["out_proj's weight transposed", [-6.6679, 0.41255]],
   ["projections' weights transposed", [-2.8021, -2.155]],
   ["scores averaged over the heads", [-0.27982, -0.084584]],
   ["values scaled, too", [-0.96069, -0.4929]]]],
  "with a mask for each sequence": [["x", "mask"], [[[[0.691834, 1.82348, 2.00302, 1.23046, -2.28732, -1.69383], [0.689575, 2.24965, 2.44489, 1.27528, -3.26463, -1.55481], [0.0789929, 1.84653, 2.7125, 2.67688, -3.32293, -2.17776], [0.745621, 1.9599, 2.03021, 0.956528, -2.45879, -1.46287], [0.893531, 2.57899, 2.86967, 1.76555, -3.59776, -1.71264]], [[-0.0208628, 0.763691, 0.513159, -0.77246, -0.19273, 0.191968], [0.0340586, 0.673045, 0.257564, -1.21239, 0.126594, 0.398027], [0.29307, 1.05805, 0.651151, -0.927616, -0.331605, 0.261491], [0.0906532, 0.784753, 0.374662, -1.13962, -0.0222061, 0.387211], [0.0491203, 0.682902, 0.243203, -1.26998, 0.140126, 0.438044]], [[0.831245, 2.33521, 2.37442, 0.948868, -2.8881, -1.06787], [0.331379, 1.48019, 2.16758, 2.39355, -1.74008, -1.94723], [0.513598, 2.20507, 2.35899, 0.975357, -2.99784, -0.868767], [-0.354412, 1.28404, 1.91272, 1.53161, -2.2445, -1.04809], [0.145709, 1.57032, 2.30002, 2.33481, -2.17989, -1.7221]], [[0.743623, 1.92273, 2.09174, 1.25066, -2.44285, -1.70525], [-0.172293, 1.45889, 2.43487, 2.75565, -2.86452, -2.26632], [0.860447, 2.43787, 2.67005, 1.557, -3.40299, -1.70852], [0.73502, 1.92194, 2.12535, 1.34525, -2.42898, -1.72788], [0.348906, 2.0959, 2.87365, 2.68216, -3.44611, -2.20871]]]], [
   ["mask ignored", [-1.526, -0.69282]],
   ["mask transposed", [-7.6176, 0.20849]],
   ["mask upside down", [311.27, 13.098]],
   ["mask after softmax", [1.7169, -1.7576]],
   ["mask subtracted", [308.89, 56.669]],
   ["mask subtracted", [453.07, -72.684]],
   ["mask in place of scores", [-2.1431, -0.36255]],
   ["mask of the first sequence", [9.3597, -0.41698]],
   ["mask for one head only", [4.6517, 0.2512]],
   ["blocked scores of 0", [-4.5751, -0.16484]],
   ["masks taken in another order", [1.3239, -1.3273]]]],
  "with one mask for all sequences": [["x", "mask"], [[[[0.691834, 1.82348, 2.00302, 1.23046, -2.28732, -1.69383], [0.689575, 2.24965, 2.44489, 1.27528, -3.26463, -1.55481], [0.0789929, 1.84653, 2.7125, 2.67688, -3.32293, -2.17776], [0.745621, 1.9599, 2.03021, 0.956528, -2.45879, -1.46287], [0.893531, 2.57899, 2.86967, 1.76555, -3.59776, -1.71264]]]], [
   ["mask with two axes ignored", [0.038212, -0.41429]]]],
  "layer(x, mask=mask)": [["x", "mask"], [[[[0.691834, 1.82348, 2.00302, 1.23046, -2.28732, -1.69383], [0.689575, 2.24965, 2.44489, 1.27528, -3.26463, -1.55481], [0.0789929, 1.84653, 2.7125, 2.67688, -3.32293, -2.17776], [0.745621, 1.9599, 2.03021, 0.956528, -2.45879, -1.46287], [0.893531, 2.57899, 2.86967, 1.76555, -3.59776, -1.71264]]]], [
   ["call without mask", [0.038212, -0.41429]]]],
  "with scores of ±1000": [["x"], [[[[0.738281, 1.67969, 1.85938, 1.27734, -1.92578, -1.83984], [0.507812, 2.06055, 2.27148, 1.14062, -3.19141, -1.52734], [1.99414, 3.52539, 3.36328, 1.50781, -3.90039, -1.67188], [0.738281, 1.67969, 1.85938, 1.27734, -1.92578, -1.83984], [1.98665, 3.51768, 3.3575, 1.50611, -3.89586, -1.67115]]]], [
   ["own softmax without maximum", [365.17, 10.083]]]]}},
 "trainable-multi-head": {
 "made of": "27daec142006", "defines": ["MultiHeadAttention"],
 "advice": {
  "path through q forgotten": "the path through q_proj is missing: x became query, key and value, so add up all three",
  "path through k forgotten": "the path through k_proj is missing: x became query, key and value, so add up all three",
  "path through v forgotten": "the path through v_proj is missing: x became query, key and value, so add up all three",
  "only the path through v": "only the path through v_proj is there: x became query and key, too, so add up all three",
  "mean of the paths": "this is the mean of the three paths: they add up",
  "a residual path that is not there": "grad_output itself is added: this layer has no residual path",
  "no ValueError": "raise a ValueError in the constructor if num_heads doesn't divide embed_dim",
  "out_proj skipped": "out_proj is skipped on the way back: send grad_output through out_proj.backward first",
  "gradient split by a bare reshape": "the gradient is split by a bare reshape: cut it into heads as forward does, with split_heads",
  "gradient merged by a bare reshape": "the heads' gradients are merged by a bare reshape: put them side by side as forward does, with combine_heads",
  "Q and K swapped": "the gradients of queries and keys have changed places: the first of attention_backward goes to q_proj, the second to k_proj",
  "mask ignored in backward": "the mask is ignored on the way back: use the weights that forward made",
  "no sum in softmax": "the sum in softmax's gradient is missing (see 5.3)",
  "softmax left out": "the way back through softmax is left out (see 5.3)",
  "scale forgotten": "the scale √d_k is forgotten on the way back, for queries and keys (see 5.4)",
  "scale forgotten for Q": "the scale √d_k is forgotten for the queries (see 5.4)",
  "scale forgotten for K": "the scale √d_k is forgotten for the keys (see 5.4)",
  "transposes in Q and K swapped": "the scores' gradient is transposed for the queries, and not for the keys: it should be the other way round (see 5.4)",
  "V with untransposed weights": "the weights are not transposed for the values (see 5.4)",
  "gradients overwritten": "the gradients have the last round only: backward adds to each .grad, and sets none back",
  "gradient of x collects": "the gradient of x has grown in the second round: only parameters collect theirs",
  "forward without scale, and backward of that": "the scores of forward are not divided by √d_k",
  "path q alone": "only the path through q_proj is there, perhaps since a return stands in a loop: add up all three",
  "path k alone": "only the path through k_proj is there: x became query and value, too, so add up all three",
  "paths multiplied": "the three paths are multiplied: add them up",
  "paths stacked": "three gradients came back: add up what the three paths send",
  "path q twice": "the path through q_proj is added twice",
  "path v twice": "the path through v_proj is added twice",
  "q's sign": "one path is subtracted: add all three",
  "one projection for the sum": "all three gradients go through one projection: send each through its own, and add up what comes back",
  "keys through q_proj": "the keys' gradient goes through q_proj: send it through k_proj",
  "values through k_proj": "the values' gradient goes through k_proj: send it through v_proj",
  "K and V through each other": "k_proj and v_proj have changed places: the second gradient goes to k_proj, the third to v_proj",
  "Q and V through each other": "q_proj and v_proj have changed places: the first gradient goes to q_proj, the third to v_proj",
  "results turned on": "the three gradients have changed places: attention_backward gives grad_Q, grad_K, grad_V, for q_proj, k_proj, v_proj",
  "Q and K swapped in the call": "Q and K have changed places in the call of attention_backward: grad_output, Q, K, V, weights",
  "K and V swapped in the call": "K and V have changed places in the call of attention_backward: grad_output, Q, K, V, weights",
  "Q and V swapped in the call": "Q and V have changed places in the call of attention_backward: grad_output, Q, K, V, weights",
  "out_proj at the end": "out_proj comes last on the way back: it comes first, since forward ended with it",
  "out_proj's weight untransposed": "grad_output meets out_proj's weight untransposed: use out_proj.backward",
  "out_proj's parameters forgotten": "out_proj's parameters get no gradient: send grad_output through its backward, which adds them",
  "out_proj forward on the way back": "grad_output goes through out_proj.forward: on the way back it is out_proj.backward",
  "projections forward on the way back": "the gradients don't go through backward of the projections, so these collect nothing: call backward of each",
  "out_proj twice": "grad_output goes through out_proj.backward twice: once is enough",
  "one head on the way back": "attention_backward gets all heads as one: split the gradient into heads, as forward does",
  "first head for all on the way back": "all heads get the first one's gradient: each has its own",
  "gradient split in an interleaved way": "the gradient is interleaved when it is split: cut it as forward does, with split_heads",
  "gradients merged in an interleaved way": "the heads' gradients are interleaved when they are merged: put them side by side, with combine_heads",
  "values' gradient is grad_output": "v_proj gets grad_heads itself: it gets the third gradient of attention_backward",
  "output in place of its gradient": "attention_backward gets the heads' outputs: it gets their gradient",
  "scores for weights": "forward keeps the scores as self.weights, before softmax: attention_backward wants the weights",
  "weights transposed in the call": "the weights are transposed in the call of attention_backward: it wants them as forward made them",
  "gradient of Q divided once more": "the queries' gradient is divided by √d_k twice: attention_backward does it already",
  "gradients of Q and K divided once more": "the gradients of queries and keys are divided by d_k: divide by its root, once (attention_backward does it already)",
  "diagonal of the Jacobian": "only the diagonal of softmax's Jacobian is used (see 5.3)",
  "softmax's sum over the queries": "the average in softmax's gradient runs over the queries: it runs along each row, over the keys (see 5.3)",
  "root of embed_dim on the way back": "queries' and keys' gradients are divided by √embed_dim: divide by √d_k, as forward did",
  "multiplied by the root on the way back": "queries' and keys' gradients are multiplied by √d_k: divide",
  "keys without transpose": "the scores' gradient is not transposed for the keys (see 5.4)",
  "queries from queries": "the queries' gradient is made from Q: multiply the scores' gradient by K (see 5.4)",
  "keys from keys": "the keys' gradient is made from K: multiply the transposed scores' gradient by Q (see 5.4)",
  "no gradient for the queries": "q_proj.weight has a gradient of 0: send the queries' gradient through q_proj.backward",
  "untransposed by hand": "the gradients meet the projections' weights untransposed: use backward of each projection",
  "not sent through the projections": "the gradients of queries, keys and values are added up as they are: send each through its projection's backward first",
  "backward called twice": "a projection's backward is called twice, so what it collects is doubled: call it once",
  "x scaled by the batch": "the gradient of x is divided by the batch: it is a sum",
  "keeps the first round": "the second round uses what the first has kept: forward keeps it anew each time",
  "mask ignored in forward": "the mask is ignored: add it to the scaled scores",
  "divided by the heads": "gradients are divided by num_heads: leave them as attention_backward gives them, and add up the paths",
  "sign turned": "the gradient of x has the wrong sign: the step subtracts gradients, backward doesn't",
  "scaled queries kept": "forward keeps the queries divided by √d_k: attention_backward wants them as they were before the scale",
  "root of num_heads on the way back": "queries' and keys' gradients are divided by √num_heads: divide by √d_k, as forward did",
  "step in backward": "backward takes a step of its own: it only collects gradients, the step comes later",
  "out_proj counted as a path": "a fourth path is added: only queries, keys and values come from x",
  "gradient of Q alone merged by a bare reshape": "the queries' gradient is merged by a bare reshape: put its heads side by side as forward does, with combine_heads",
  "gradient of K alone merged by a bare reshape": "the keys' gradient is merged by a bare reshape: put its heads side by side as forward does, with combine_heads",
  "gradient of V alone merged by a bare reshape": "the values' gradient is merged by a bare reshape: put its heads side by side as forward does, with combine_heads",
  "projections chained": "one projection's backward gets what another gave: each starts from its own gradient, and what the three give adds up",
  "heads' outputs kept as values": "forward keeps the heads' outputs as self.V: attention_backward wants the values, before the attention weights",
  "no gradient for the keys": "k_proj.weight has a gradient of 0: send the keys' gradient through k_proj.backward",
  "no gradient for the values": "v_proj.weight has a gradient of 0: send the values' gradient through v_proj.backward"},
 "calls": {
  "forward, no mask": [["x"], [[[[0.672508, 2.01108, 2.18497, 1.19418, -2.71981, -1.56511], [0.762909, 2.20174, 2.38497, 1.31261, -3.02574, -1.61926], [0.855342, 2.41258, 2.66377, 1.60893, -3.28607, -1.67711], [0.827135, 2.12977, 2.24941, 1.18605, -2.7119, -1.5626], [1.06999, 2.54266, 2.65779, 1.41539, -3.26192, -1.65171]], [[-0.0208628, 0.763691, 0.513159, -0.77246, -0.19273, 0.191968], [0.0340586, 0.673045, 0.257564, -1.21239, 0.126594, 0.398027], [0.29307, 1.05805, 0.651151, -0.927616, -0.331605, 0.261491], [0.0906532, 0.784753, 0.374662, -1.13962, -0.0222061, 0.387211], [0.0491203, 0.682902, 0.243203, -1.26998, 0.140126, 0.438044]], [[0.381653, 2.10691, 2.45882, 1.43738, -3.02719, -1.13802], [0.928299, 2.15593, 2.2453, 1.19643, -2.19483, -1.19512], [0.884172, 2.18094, 2.26041, 1.12259, -2.31611, -1.11552], [0.349891, 2.11063, 2.449, 1.36501, -3.06593, -1.05959], [0.642722, 2.09323, 2.25793, 1.13682, -2.51027, -1.04175]], [[0.790228, 2.01625, 2.24449, 1.47494, -2.56033, -1.79632], [0.736464, 2.52157, 2.98326, 2.12154, -3.70756, -1.84177], [0.55787, 1.73478, 2.08151, 1.59806, -2.31049, -1.87493], [0.854822, 2.24784, 2.50462, 1.62515, -2.95253, -1.79077], [0.693073, 2.26721, 2.69914, 1.98888, -3.21841, -1.86562]]]], [
   ["forward without scale, and backward of that", [-1.8523, -0.67458]]]],
  "forward, with a mask for each sequence": [["x", "mask"], [[[[0.691834, 1.82348, 2.00302, 1.23046, -2.28732, -1.69383], [0.689575, 2.24965, 2.44489, 1.27528, -3.26463, -1.55481], [0.0789929, 1.84653, 2.7125, 2.67688, -3.32293, -2.17776], [0.745621, 1.9599, 2.03021, 0.956528, -2.45879, -1.46287], [0.893531, 2.57899, 2.86967, 1.76555, -3.59776, -1.71264]], [[-0.0208628, 0.763691, 0.513159, -0.77246, -0.19273, 0.191968], [0.0340586, 0.673045, 0.257564, -1.21239, 0.126594, 0.398027], [0.29307, 1.05805, 0.651151, -0.927616, -0.331605, 0.261491], [0.0906532, 0.784753, 0.374662, -1.13962, -0.0222061, 0.387211], [0.0491203, 0.682902, 0.243203, -1.26998, 0.140126, 0.438044]], [[0.831245, 2.33521, 2.37442, 0.948868, -2.8881, -1.06787], [0.331379, 1.48019, 2.16758, 2.39355, -1.74008, -1.94723], [0.513598, 2.20507, 2.35899, 0.975357, -2.99784, -0.868767], [-0.354412, 1.28404, 1.91272, 1.53161, -2.2445, -1.04809], [0.145709, 1.57032, 2.30002, 2.33481, -2.17989, -1.7221]], [[0.743623, 1.92273, 2.09174, 1.25066, -2.44285, -1.70525], [-0.172293, 1.45889, 2.43487, 2.75565, -2.86452, -2.26632], [0.860447, 2.43787, 2.67005, 1.557, -3.40299, -1.70852], [0.73502, 1.92194, 2.12535, 1.34525, -2.42898, -1.72788], [0.348906, 2.0959, 2.87365, 2.68216, -3.44611, -2.20871]]]], [
   ["mask ignored in forward", [-1.526, -0.69282]]]],
  "backward, no mask": [["x", "G"], [[[[4.51297, 3.98194, 0.468084, 1.13295, -0.00402868, -0.0470311], [1.15669, 0.882574, -1.84679, 0.0103016, -1.18781, -1.21534], [3.38649, 1.20658, -3.54677, -0.451536, -2.88587, -3.1904], [2.43786, 0.916602, -2.79796, -0.658787, -2.24664, -2.21993], [0.102826, 0.538178, -2.00179, -0.355425, -0.763847, -1.19393]], [[1.16114, -0.711283, 2.06866, 3.05163, 0.678329, 2.7347], [0.144025, -1.26076, 2.0499, 2.69206, 0.725123, 3.23068], [0.510914, -0.527571, 0.143769, 1.50631, -0.450704, 0.0385548], [1.19545, -1.46917, 2.82278, 2.79308, -0.125439, 3.44678], [0.979882, -1.44988, 1.7521, 2.45049, -0.357102, 2.54895]], [[-2.14391, -0.219357, 1.54099, 0.340341, 2.00201, 1.48649], [-3.59725, -0.231572, 0.382526, -1.90563, 1.82848, -0.673946], [-1.82027, -0.179642, 1.13029, -0.842285, 1.76591, 0.853289], [-0.896579, -0.738654, 1.14355, -0.0205122, 0.372053, 0.702156], [-1.55573, -2.15565, -2.49177, -2.44015, -1.7353, -3.21471]], [[0.123472, 1.195, -0.68582, -0.631278, 0.239277, -0.821448], [0.285912, 0.792648, -0.756353, -0.597214, -0.145192, -0.590491], [0.738522, 2.57762, -4.3467, -3.95199, -1.21716, -5.80406], [-0.610036, 1.07065, -0.78546, -1.44571, -0.0917238, -1.07404], [0.32243, -0.718494, -2.1643, -1.55604, -2.21016, -1.94604]]]], [
   ["path through q forgotten", [-5.3706, -20.644]],
   ["path through k forgotten", [-1.2904, -11.777]],
   ["path through v forgotten", [-8.5264, -6.3085]],
   ["only the path through v", [0.93274, -13.056]],
   ["mean of the paths", [-2.5312, -6.4548]],
   ["a residual path that is not there", [-8.5662, -22.265]],
   ["out_proj skipped", [-0.49679, 1.1941]],
   ["gradient split by a bare reshape", [-0.24401, 5.552]],
   ["gradient merged by a bare reshape", [-12.351, 10.253]],
   ["Q and K swapped", [-2.6137, -16.599]],
   ["no sum in softmax", [-0.73693, -22.6]],
   ["softmax left out", [-74.734, -98.565]],
   ["scale forgotten", [-13.835, -23.983]],
   ["scale forgotten for Q", [-9.2211, -18.428]],
   ["scale forgotten for K", [-12.208, -24.919]],
   ["transposes in Q and K swapped", [4.2146, -12.751]],
   ["V with untransposed weights", [-10.436, -8.19]],
   ["path q alone", [-2.2231, 1.2792]],
   ["path k alone", [-6.3033, -7.5877]],
   ["paths multiplied", [2.5573, -1.1714]],
   ["paths stacked", [2.9661, -22.993, [3, 4, 5, 6]]],
   ["paths stacked", [8.5119, -2.281, [4, 5, 18]]],
   ["path q twice", [-9.8168, -18.085]],
   ["path v twice", [-6.6609, -32.42]],
   ["q's sign", [-3.1474, -21.923]],
   ["one projection for the sum", [5.4123, 9.2931]],
   ["keys through q_proj", [-1.0743, -11.75]],
   ["values through k_proj", [-18.847, -4.4222]],
   ["K and V through each other", [-10.977, 8.1335]],
   ["Q and V through each other", [-1.6813, -0.95238]],
   ["results turned on", [5.2231, 9.3855]],
   ["results turned on", [-12.902, 0.5607]],
   ["Q and K swapped in the call", [-4.2674, -12.227]],
   ["K and V swapped in the call", [-2.3699, -12.582]],
   ["Q and V swapped in the call", [7.2881, -18.865]],
   ["out_proj at the end", [-4.115, 9.9395]],
   ["out_proj's weight untransposed", [36.567, -3.3329]],
   ["out_proj forward on the way back", [30.71, -0.86181]],
   ["projections forward on the way back", [12.54, -1.1522]],
   ["one head on the way back", [-11.199, -24.88]],
   ["first head for all on the way back", [-1.0912, -14.757]],
   ["gradient split in an interleaved way", [-13.748, -7.0378]],
   ["gradients merged in an interleaved way", [-10.891, -5.606]],
   ["values' gradient is grad_output", [-13.613, -13.991]],
   ["output in place of its gradient", [12.967, -15.549]],
   ["scores for weights", [400.48, 500.9]],
   ["weights transposed in the call", [-28.995, -12.718]],
   ["gradient of Q divided once more", [-6.6541, -19.905]],
   ["gradients of Q and K divided once more", [-3.99, -16.698]],
   ["diagonal of the Jacobian", [0.017803, -20.346]],
   ["softmax's sum over the queries", [2.7599, -29.571]],
   ["root of embed_dim on the way back", [-5.0963, -17.517]],
   ["multiplied by the root on the way back", [-24.646, -31.982]],
   ["keys without transpose", [-2.9421, -9.3483]],
   ["queries from queries", [-3.4312, -21.877]],
   ["keys from keys", [-8.4298, -9.7147]],
   ["untransposed by hand", [11.144, -1.2055]],
   ["not sent through the projections", [-2.356, -6.9856]],
   ["x scaled by the batch", [-1.8984, -4.8411]],
   ["divided by the heads", [-3.7968, -9.6822]],
   ["sign turned", [7.5937, 19.364]],
   ["scaled queries kept", [-4.9296, -16.158]],
   ["root of num_heads on the way back", [-9.5099, -20.782]],
   ["out_proj counted as a path", [1.0619, -18.118]],
   ["gradient of Q alone merged by a bare reshape", [-6.2002, -23.109]],
   ["gradient of K alone merged by a bare reshape", [-8.4992, -11.816]],
   ["gradient of V alone merged by a bare reshape", [-12.839, 6.4488]],
   ["projections chained", [-3.7752, 4.6232]],
   ["projections chained", [0.77584, 3.5292]],
   ["projections chained", [12.985, 44.858]],
   ["projections chained", [9.3517, 48.165]],
   ["heads' outputs kept as values", [1.9055, -12.523]]]],
  "backward, with a mask for each sequence": [["x", "G", "mask"], [[[[2.82321, 3.29918, -1.00037, -0.641209, -0.315167, -1.75251], [2.4839, 0.635466, -2.30984, 1.02318, -2.00568, -1.46144], [2.63243, 1.20969, -3.20294, -0.452486, -2.51784, -2.84748], [3.38428, 2.42225, -0.463325, 0.175423, -0.874022, 0.0373421], [1.21023, 0.893265, -1.64599, 0.528764, -0.393873, -1.57335]], [[1.16114, -0.711283, 2.06866, 3.05163, 0.678329, 2.7347], [0.144025, -1.26076, 2.0499, 2.69206, 0.725123, 3.23068], [0.510914, -0.527571, 0.143769, 1.50631, -0.450704, 0.0385548], [1.19545, -1.46917, 2.82278, 2.79308, -0.125439, 3.44678], [0.979882, -1.44988, 1.7521, 2.45049, -0.357102, 2.54895]], [[-2.99519, -0.153653, 2.38119, 0.0515602, 2.86144, 1.95212], [-3.33554, -1.64389, 0.998462, -0.706568, 1.56539, 1.12585], [-2.3812, -0.325978, -3.01909, -4.335, -0.809644, -4.92926], [-1.55066, -1.22358, 1.26766, -0.437745, 0.334, 0.914722], [-0.62552, -0.941591, 0.42529, 0.183711, 0.183587, 0.571533]], [[0.808726, 0.787367, -0.31723, 0.114009, -0.141895, -0.391119], [0.813941, 1.27308, -1.59308, -0.629848, -0.369449, -1.37243], [1.51626, 3.3601, -4.07478, -4.13175, -1.61831, -5.9137], [-0.0971496, 1.65891, -1.15338, -1.51251, 0.4476, -1.56045], [-0.681318, -0.89282, -1.53488, -1.37698, -1.49086, -1.34972]]]], [
   ["mask ignored in backward", [-7.5937, -19.364]]]],
  "backward, second round": [["x", "G", "mask"], [[[[2.82321, 3.29918, -1.00037, -0.641209, -0.315167, -1.75251], [2.4839, 0.635466, -2.30984, 1.02318, -2.00568, -1.46144], [2.63243, 1.20969, -3.20294, -0.452486, -2.51784, -2.84748], [3.38428, 2.42225, -0.463325, 0.175423, -0.874022, 0.0373421], [1.21023, 0.893265, -1.64599, 0.528764, -0.393873, -1.57335]]]], [
   ["gradient of x collects", [1.7467, -6.8123]],
   ["keeps the first round", [2.8649, -4.0181]],
   ["step in backward", [-4.5177, 1.2416]]]],
  "a new layer": [["embed_dim", "num_heads"], [8], []],
  "embed_dim 7 and 3 heads": [["embed_dim", "num_heads"], "ValueError", [
   ["no ValueError", [2.866, 2.5244, []]]]],
  "weight.grad, one round": [["kind", "x", "G"], [[[2.51404, -0.150379, -2.16159, -0.324473, -0.103545, 0.315209], [-0.0548962, -0.419678, 0.38481, -1.62788, -1.29403, 0.0798248], [-2.31933, 0.847696, 2.24061, -0.566026, -0.606458, -0.273957], [-1.31602, 0.510068, 1.17942, 1.04153, 0.626283, -0.430567], [0.878204, -0.555103, -0.77401, 1.43135, 1.24485, 0.0925237], [1.57542, -1.46426, -1.49821, 0.497469, 0.451193, 0.127231]], [[0.917052, 0.0950296, -0.339178, 0.152744, -0.119798, -0.26052], [0.276403, 0.276267, 0.300306, -0.470332, -0.134589, 0.517439], [-0.0435559, 0.061888, 0.662446, 0.31834, 0.280679, 0.357315], [0.0534225, 0.618451, -0.678607, 0.275733, -0.0437588, -0.579796], [-0.244345, 0.654234, -0.786768, 0.906732, 0.237774, -0.749278], [0.584821, 0.830633, -1.75265, -0.266929, -0.988861, -1.04989]], [[3.39441, 5.22203, 7.29005, -8.10396, -4.17586, -3.96329], [0.724033, 0.0947848, 0.603339, -8.04396, -5.0334, -6.05941], [-3.06915, -6.64174, -8.25617, -0.451374, 0.664012, -2.19006], [-3.83856, -3.76563, -5.92042, 6.8934, 5.28521, 2.3468], [-0.523151, 5.05687, 4.55171, 2.84252, 6.40042, 5.26068], [2.54623, 8.93171, 10.2727, -2.20494, 3.1695, 3.4833]], [[1.85264, 3.17867, 4.65997, 4.76901, 1.27109, -0.892159], [-0.991404, -0.260701, 3.81256, 5.15733, 0.687682, -1.90907], [-2.63821, 3.89583, 7.61032, 4.94291, -4.8744, -7.07884], [2.97682, -0.652859, -6.77281, -7.32499, 0.89437, 5.49581], [1.24648, -1.33687, -3.962, -3.65148, 1.02777, 3.0192], [1.85335, 1.71576, 2.39226, 2.72259, 2.51751, 1.4946]]], [
   ["out_proj skipped", [0.72301, 0.14196], [2.2035, 1.691], [-1.2764, 0.40106], [0, 0]],
   ["gradient split by a bare reshape", [0.27306, -1.6682], [-1.296, -0.027477], [-11.311, -21.992], 0],
   ["gradient merged by a bare reshape", [2.3632, 10.784], [0.13057, -0.61033], [-6.5779, -25.562], 0],
   ["Q and K swapped", [2.8571, 7.4138], [4.3047, 12.452], 0, 0],
   ["no sum in softmax", [9.4722, 34.482], [0.65598, -4.7896], 0, 0],
   ["softmax left out", [44.57, 256.13], [-10.071, -85.183], 0, 0],
   ["scale forgotten", [7.4559, 21.568], [4.9487, 12.841], 0, 0],
   ["scale forgotten for Q", [7.4559, 21.568], 0, 0, 0],
   ["scale forgotten for K", 0, [4.9487, 12.841], 0, 0],
   ["transposes in Q and K swapped", [-1.868, -6.7076], [0.29629, -5.6474], 0, 0],
   ["V with untransposed weights", 0, 0, [-9.2571, -34.388], 0],
   ["forward without scale, and backward of that", [6.9215, 17.757], [5.6542, 11.515], [-11.702, -25.131], [17.234, -0.18837]],
   ["one projection for the sum", [-3.7571, -6.7299], [0, 0], [0, 0], 0],
   ["keys through q_proj", [7.1618, 19.866], [0, 0], 0, 0],
   ["values through k_proj", 0, [-8.0617, -19.182], [0, 0], 0],
   ["K and V through each other", 0, [-10.919, -26.596], [2.8571, 7.4138], 0],
   ["Q and V through each other", [-10.919, -26.596], 0, [4.3047, 12.452], 0],
   ["results turned on", [-10.919, -26.596], [4.3047, 12.452], [2.8571, 7.4138], 0],
   ["results turned on", [2.8571, 7.4138], [-10.919, -26.596], [4.3047, 12.452], 0],
   ["Q and K swapped in the call", [0.29629, -5.6474], [-1.868, -6.7076], 0, 0],
   ["K and V swapped in the call", [-1.0144, -8.4278], [-4.8682, -8.9289], 0, 0],
   ["Q and V swapped in the call", [-2.3733, -11.869], [3.3659, -2.7389], 0, 0],
   ["out_proj at the end", [0.72301, 0.14196], [2.2035, 1.691], [-1.2764, 0.40106], [21.893, 12.299]],
   ["out_proj's weight untransposed", [0.78269, 6.9794], [-0.90238, 0.067054], [2.2418, 18.482], 0],
   ["out_proj's parameters forgotten", 0, 0, 0, [0, 0]],
   ["out_proj forward on the way back", [1.6269, 13.631], [-0.179, 2.0746], [6.7419, 15.882], [0, 0]],
   ["projections forward on the way back", [0, 0], [0, 0], [0, 0], 0],
   ["out_proj twice", 0, 0, 0, [33.175, -2.3972]],
   ["one head on the way back", [1.9397, 7.6511], [0.24554, 8.5475], [-9.967, -23.455], 0],
   ["first head for all on the way back", [6.4679, 22.027], [4.9403, 8.8434], [-7.6347, -18.146], 0],
   ["gradient split in an interleaved way", [3.7462, 13.419], [0.95163, 2.6833], [3.5537, 36.027], 0],
   ["gradients merged in an interleaved way", [0.36119, 14.56], [0.34395, 2.529], [4.291, -29.479], 0],
   ["values' gradient is grad_output", 0, 0, [-8.3682, -41.991], 0],
   ["output in place of its gradient", [0.97507, 10.025], [-1.1894, 6.3891], [-3.992, -10.138], 0],
   ["scores for weights", [-358.42, -1528.8], [90.428, 627.86], [-25.277, -82.216], 0],
   ["weights transposed in the call", [5.0366, 7.0132], [-5.3467, 1.4609], [-9.2571, -34.388], 0],
   ["gradient of Q divided once more", [2.4853, 7.1893], 0, 0, 0],
   ["gradients of Q and K divided once more", [2.4853, 7.1893], [1.6496, 4.2803], 0, 0],
   ["diagonal of the Jacobian", [7.8202, 29.731], [1.3307, -5.0198], 0, 0],
   ["softmax's sum over the queries", [5.2237, 20.144], [0.85131, -1.3666], 0, 0],
   ["root of embed_dim on the way back", [3.0439, 8.8051], [2.0203, 5.2423], 0, 0],
   ["multiplied by the root on the way back", [12.914, 37.357], [8.5714, 22.241], 0, 0],
   ["keys without transpose", 0, [0.29629, -5.6474], 0, 0],
   ["queries from queries", [0.29629, -5.6474], 0, 0, 0],
   ["keys from keys", 0, [-1.868, -6.7076], 0, 0],
   ["no gradient for the queries", [0, 0], 0, 0, 0],
   ["backward called twice", [8.6093, 24.905], [5.7143, 14.828], [-21.838, -53.192], 0],
   ["forward without scale, and backward of that", [3.9961, 10.252], [3.2645, 6.6479], [-11.702, -25.131], [17.234, -0.18837]],
   ["path q alone", 0, [0, 0], [0, 0], 0],
   ["divided by the heads", [2.1523, 6.2261], [1.4286, 3.7069], [-5.4594, -13.298], 0],
   ["scaled queries kept", 0, [1.6496, 4.2803], 0, 0],
   ["root of num_heads on the way back", [5.2721, 15.251], [3.4993, 9.08], 0, 0],
   ["gradient of Q alone merged by a bare reshape", [2.3632, 10.784], 0, 0, 0],
   ["gradient of K alone merged by a bare reshape", 0, [0.13057, -0.61033], 0, 0],
   ["gradient of V alone merged by a bare reshape", 0, 0, [-6.5779, -25.562], 0],
   ["projections chained", 0, [-0.35717, 2.7271], [5.9609, 21.57], 0],
   ["projections chained", 0, [2.5, 10.141], [0.453, 1.9391], 0],
   ["projections chained", [28.918, 181.45], [11.064, 2.1385], 0, 0],
   ["projections chained", [38.633, 200.87], [13.921, 9.5522], 0, 0],
   ["heads' outputs kept as values", [-0.88804, -1.631], [-0.92355, -1.9799], 0, 0],
   ["no gradient for the keys", 0, [0, 0], 0, 0],
   ["no gradient for the values", 0, 0, [0, 0], 0]]],
  "weight.grad, two rounds": [["kind", "x", "G", "first_mask"], [[[4.05823, 0.222551, -3.36404, -0.269617, 0.00954838, 0.413042], [-0.64326, -0.607103, 1.23623, -3.11, -2.56733, 0.014327], [-4.35771, 1.58137, 4.12366, -1.28292, -1.36539, -0.471943], [-2.11132, 0.521988, 1.83665, 1.69813, 0.732172, -1.1528], [1.51411, -1.3272, -1.36423, 2.79092, 2.4571, 0.182025], [2.68905, -2.55327, -2.51011, 1.11138, 1.13136, 0.408339]], [[1.95242, 0.361246, -0.740067, 0.243682, -0.307469, -0.302275], [0.795484, 0.755793, 0.529044, -1.35334, -0.67899, 1.03015], [0.279932, 0.359106, 1.24347, -0.126875, -0.190391, 0.486414], [0.112913, 1.24083, -0.951621, 0.674289, 0.133136, -0.515939], [-0.739937, 1.10695, -1.14759, 1.65232, 0.447464, -1.15451], [0.419441, 1.34775, -2.59286, 0.774494, -0.666051, -1.51643]], [[6.76709, 11.7304, 16.0132, -16.0111, -7.52509, -7.30893], [1.21216, 1.49105, 2.49331, -16.0142, -9.48914, -11.9862], [-6.58839, -11.9668, -15.3722, -0.952181, 1.6567, -4.73261], [-7.97137, -7.30468, -11.8993, 14.0953, 11.3486, 5.18563], [-1.3421, 9.68967, 8.67609, 4.94914, 12.3024, 9.60095], [4.86522, 17.7111, 20.7773, -3.83866, 7.37604, 8.78116]], [[5.30419, 7.42405, 10.0343, 9.86466, 2.91388, -1.56829], [-1.3766, 0.10627, 8.24186, 10.4143, 1.25198, -3.15712], [-5.89902, 7.59156, 14.5948, 9.30555, -10.4757, -14.1109], [6.30183, -1.44703, -13.9856, -15.2581, 0.954002, 10.4756], [3.69699, -1.98155, -8.37261, -7.6875, 2.49189, 5.88706], [5.09158, 4.43194, 4.42551, 5.22442, 5.9642, 3.1673]]], [
   ["mask ignored in backward", [8.6093, 24.905], [5.7143, 14.828], [-21.838, -53.192], 0],
   ["gradients overwritten", [4.3047, 12.452], [2.8571, 7.4138], [-10.919, -26.596], [16.587, -1.1986]],
   ["keeps the first round", [5.9165, 16.788], [7.8256, 11.848], [-24.461, -56.726], [32.843, 2.885]],
   ["mask ignored in forward", [8.6093, 24.905], [5.7143, 14.828], [-21.838, -53.192], [33.175, -2.3972]],
   ["step in backward", [7.1154, 1.8746], [0.16466, 5.571], [-16.542, -38.906], [18.703, 14.117]]]],
  "bias.grad, one round": [["kind", "x", "G"], [[2.82681, 0.205326, -2.06768, 0.971461, 0.796699, 0.0114022], [1.13798e-15, 9.71445e-16, -8.88178e-16, -5.13478e-16, -4.996e-16, -3.33067e-16], [-1.76563, 7.57812, 5.76562, -3.21875, 4.26563, 0.59375], [2.125, 3.625, 4, 3.25, 1.375, 0.5]], []],
  "bias.grad, two rounds": [["kind", "x", "G", "first_mask"], [[4.64551, 0.557897, -3.251, 2.11104, 1.53281, -0.375168], [1.47105e-15, 9.99201e-16, -7.97973e-16, -4.30211e-16, -3.88578e-16, -1.66533e-16], [-3.53125, 15.1563, 11.5313, -6.4375, 8.53125, 1.1875], [4.25, 7.25, 8, 6.5, 2.75, 1]], []]}}}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, tolerance=1e-6, sizes=""):
    """Stop with a sentence unless `got` equals `expected`. All numbers stand below its first line."""
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        got = np.asarray(got)
        # Numbers of 32 bits hold only seven digits.
        tolerance = max(tolerance, 1e-4) if got.dtype == np.float32 else tolerance
        got = got.astype(float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, what came back is no array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, the shape is not right\n{sizes}expected {shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "copies", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def copies(*arrays):
    """Copies of arrays, to pass to a function: what it does to them changes nothing here."""
    return [np.array(array) for array in arrays]


def untouched(some, others):
    """Whether the arrays in two lists hold exactly the same numbers."""
    return all(map(np.array_equal, some, others))


# %% [markdown]
# ## What is given: a parameter, a step, and what you wrote before
#
# A **parameter** is an array that is learned. It carries its gradient with it, in `.grad`, which starts at 0. The **step** of gradient descent moves each parameter a little against its gradient. Afterwards `zero_grad` sets the gradients back to 0.
#
# The step puts a *new* array into `.data`. So always read `weight.data` when you need it, and never keep a copy of it.

# %% nbgrader={"grade": false, "grade_id": "parameter", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Parameter:
    """An array that is learned (.data), and the gradient of the loss for it (.grad)."""

    def __init__(self, data):
        self.data = np.array(data, dtype=float)
        self.grad = np.zeros_like(self.data)


# %% nbgrader={"grade": false, "grade_id": "step", "locked": true, "schema_version": 3, "solution": false, "task": false}
def zero_grad(parameters):
    """Forget what was collected."""
    for parameter in parameters:
        parameter.grad = np.zeros_like(parameter.data)


def sgd_step(parameters, rate):
    """One step of stochastic gradient descent."""
    for parameter in parameters:
        parameter.data = parameter.data - rate * parameter.grad


# %% [markdown]
# Three functions of lessons 01 and 03 are given again, so that you can think about gradients: softmax, and cutting an array into heads and back.

# %% nbgrader={"grade": false, "grade_id": "given-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
def softmax(scores):
    """Shares that sum to 1 along the last axis, as you wrote it in lesson 01."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


# %% nbgrader={"grade": false, "grade_id": "given-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
def split_heads(x, num_heads):
    """(batch, seq, embed_dim) -> (batch, num_heads, seq, d_k): each head gets a contiguous slice."""
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def combine_heads(x):
    """(batch, num_heads, seq, d_k) -> (batch, seq, embed_dim): the heads side by side again."""
    return np.concatenate(np.moveaxis(x, 1, 0), axis=-1)


# %% [markdown]
# ## The judge: finite differences
#
# A gradient is a claim about the world: *if this number grows by a little, the loss grows by so much*. You can measure that. Make the number larger by a small step, then smaller by the same step, and divide the change of the loss by the whole distance:
#
# $$\frac{\partial L}{\partial a} \approx \frac{L(a + \varepsilon) - L(a - \varepsilon)}{2\varepsilon}$$
#
# It is slow: two losses for each number. But it needs nothing except the forward pass, so it is a second, independent route to every gradient of this lesson.

# %% nbgrader={"grade": false, "grade_id": "numerical-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def numerical_gradient(loss, array, step=2.0**-13):
    """Measure the gradient of loss at `array`; loss takes an array like it and gives a number."""
    # With a larger step the loss bends on the way; a much smaller one is lost in rounding.
    gradient, move = np.zeros(array.shape), np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        move[place] = step
        gradient[place] = (loss(array + move) - loss(array - move)) / (2 * step)
        move[place] = 0
    return gradient


# %% tags=["demonstration"]
a = np.array([1.0, 2.0, 3.0])
print("measured:", numerical_gradient(lambda a: (a**2).sum(), a), " by rule, 2a:", 2 * a)


# %% [markdown]
# A layer gives back an array, not a loss. So its `backward` gets `grad_output`: $\partial L/\partial\,\text{output}$, which comes from whatever follows the layer. To measure with any such `G`, use the loss $L = \sum G \cdot \text{output}$, entry by entry: its gradient for the output is exactly `G`.
#
# The next cell makes this loss a function of the numbers in one parameter.

# %% nbgrader={"grade": false, "grade_id": "loss-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_of(parameter, output, G):
    """The loss sum(G * output()) as a function of the numbers in `parameter`; the last ones tried stay there."""
    def loss(numbers):
        parameter.data = numbers
        return (G * output()).sum()
    return loss


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "measured-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def measured_gradient(loss, array, by_rule):
    """`by_rule`, if the loss changes as that says when all numbers move at once; else each is measured."""
    by_rule, move = np.asarray(by_rule, dtype=float), np.ones(array.shape)
    move += np.modf(np.arange(move.size) * 0.618)[0].reshape(move.shape)
    step = 2.0**-16
    slope = (loss(array + step * move) - loss(array - step * move)) / (2 * step)
    if by_rule.shape == move.shape and np.isclose(slope, (by_rule * move).sum(), rtol=1e-5, atol=1e-5):
        return by_rule
    return numerical_gradient(loss, array)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "set-parameter", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def set_parameter(layer, name, value):
    """Put `value` into the parameter called `name` of `layer`, and its gradient back to 0."""
    assert hasattr(layer, name), f"the layer has no {name}\nkeep it as self.{name}"
    parameter = getattr(layer, name)
    assert hasattr(parameter, "grad"), f"{name} has no .data and .grad\nmake it a Parameter"
    shape = np.shape(parameter.data)
    assert shape == np.shape(value), (
        f"{name} has another shape than it should have\n"
        f"it is {shape}, and should be {np.shape(value)}: {'(in, out)' if np.ndim(value) == 2 else '(out,)'}")
    parameter.data = np.array(value, dtype=float)
    parameter.grad = np.zeros(np.shape(value))


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "fixed-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def fixed(*shape, start=0):
    """Mixed numbers from −1 to 1, always the same."""
    n = np.arange(start, start + math.prod(shape))
    return ((7 * n**2 + n) % 17 - 8).reshape(shape) / 8


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "advised", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def advised(advice, function, *arguments):
    """function(*arguments); of an error whose text holds words of `advice`, say what it means here."""
    try:
        return function(*arguments)
    except Exception as problem:
        meant = [said for words, said in advice.items() if words in str(problem)]
        if not meant or isinstance(problem, AssertionError):
            raise
        raise AssertionError(f"{type(problem).__name__}: {problem}\n{meant[0]}") from None


# %% [markdown]
# ## 5.1 A linear layer, forward and backward
#
# **4 points · about 25 minutes · difficulty ●●○**
#
# The layer multiplies each token by the same `weight` and adds the same `bias`. Take one token: its input $x$, its output $y = xW + b$, and $g = \partial L/\partial y$ are **rows**. Number by number, with the chain rule:
#
# $$y_o = \sum_i x_i W_{io} + b_o \quad\Rightarrow\quad \frac{\partial L}{\partial x_i} = \sum_o g_o W_{io} \qquad \frac{\partial L}{\partial W_{io}} = x_i\, g_o \qquad \frac{\partial L}{\partial b_o} = g_o$$
#
# $x_i$ is in every $y_o$, hence the sum; $W_{io}$ and $b_o$ are in one only. As matrices, where $x^\top g$ is a column times a row, so in × out:
#
# $$\frac{\partial L}{\partial x} = g\,W^\top \qquad \frac{\partial L}{\partial W} = x^\top g \qquad \frac{\partial L}{\partial b} = g$$
#
# Every token of every sequence uses the same $W$ and $b$. A number that is used in many places gets a gradient from each of them, and **these add up**: sum over batch *and* sequence.
#
# | operation | expression | shape |
# |---|---|---|
# | output | $xW + b$ | `(batch, seq, out)` |
# | gradient of x | $g\,W^\top$ | `(batch, seq, in)` |
# | gradient of the weight | sum of $x^\top g$ over all tokens | `(in, out)` |
# | gradient of the bias | sum of $g$ over all tokens | `(out,)` |
#
# `backward` returns the gradient of `x` and **adds** the other two to `weight.grad` and `bias.grad`. Adding, because forward and backward may run several times, with one batch after the other, before the step. The weight starts with Xavier's normal numbers, drawn from `rng`: mean 0, standard deviation $\sqrt{2/(\text{in}+\text{out})}$. The bias starts at 0.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` is `(2, 3, 5)` and `grad_output` is `(2, 3, 4)`. Which axes must be gone from the gradient of the bias, and which from that of the weight?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `self.weight` is the `Parameter`, `self.weight.data` its array. `rng.normal(0, deviation, size=...)`. `array.reshape(-1, array.shape[-1])` puts the tokens of all sequences below each other. `np.sum` takes a tuple as `axis`. `np.einsum` can do the weight's gradient in one go.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `forward`, keep `x` on `self`, since the weight's gradient needs it. In `backward`, flatten `x` and the incoming gradient to tables of tokens. Add the product of the transposed first and the second to the weight's gradient. Add the sum over all tokens to the bias's. Return the incoming gradient times the transposed weight.
# </details>
#
# <details><summary>I get “non-broadcastable output operand”</summary>
#
# What you add to `.grad` has another shape than the parameter. Probably it still has an axis for the batch or for the sequence: sum over both.
# </details>
#
# <details><summary>I get “does not have enough dimensions”, “unsupported operand”, or “'Parameter' object has no attribute 'T'”</summary>
#
# `self.weight` is a `Parameter`, which only holds an array. The array is `self.weight.data`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "linear", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Linear:
    """y = x @ weight + bias, for each token.

    weight: Parameter (in_features, out_features), Xavier normal, drawn from rng.
    bias: Parameter (out_features,), zero.
    """

    def __init__(self, in_features, out_features, rng):
        ### BEGIN SOLUTION
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))
        ### END SOLUTION

    def forward(self, x):
        """x: (batch, seq, in_features). Returns (batch, seq, out_features)."""
        ### BEGIN SOLUTION
        self.x = x
        return x @ self.weight.data + self.bias.data
        ### END SOLUTION

    def backward(self, grad_output):
        """grad_output: like the output of the last forward. Returns the gradient of its x.

        Adds the gradients of weight and bias to their .grad.
        """
        ### BEGIN SOLUTION
        tokens = self.x.reshape(-1, self.x.shape[-1])
        gradients = grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad += tokens.T @ gradients
        self.bias.grad += gradients.sum(axis=0)
        return grad_output @ self.weight.data.T
        ### END SOLUTION

    def parameters(self):
        """The list [self.weight, self.bias]: the Parameters, not their arrays."""
        ### BEGIN SOLUTION
        return [self.weight, self.bias]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: how it starts, and forward (1 point).**

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "known-linear", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def known_linear(weight, bias):
    """Your layer with copies of these numbers in its parameters."""
    layer = Linear(*np.shape(weight), np.random.default_rng(51))
    set_parameter(layer, "weight", weight)
    set_parameter(layer, "bias", bias)
    return layer


def forward_of(weight, bias, x):
    """What forward of your layer gives, with these numbers in it."""
    return advised(linear_advice(weight), known_linear(weight, bias).forward, x)


def linear_advice(weight):
    """What errors mean in Linear, with a weight of these sizes."""
    rows, columns = np.shape(weight)
    return {"'Parameter' object": "a Parameter only holds an array: take self.weight.data, or self.bias.data",
            f"shapes ({rows},{columns}) ({columns},{rows})":
                "the weight's gradient is turned round: it is (in, out), so x, transposed, stands on the left",
            f"non-broadcastable output operand with shape ({columns},)":
                "what you add to bias.grad has too many axes: sum over the batch and over the sequence, both",
            f"non-broadcastable output operand with shape ({rows},{columns})":
                "what you add to weight.grad has too many axes: sum over the batch, too"}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "start-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
# Of a layer from 300 to 100 numbers: standard deviations that are not Xavier's, and what they come of.
start_mistakes = {
    0: "the weight is 0: draw it from rng",
    1: "these are standard normal numbers: their deviation should be √(2/(in + out))",
    0.0816: "this is √(2/in): Xavier's has in + out below",
    0.1414: "this is √(2/out): Xavier's has in + out below",
    0.0577: "this is √(1/in): Xavier's is √(2/(in + out))",
    0.1: "this is √(1/out), or a fixed 0.1: Xavier's is √(2/(in + out))",
    0.05: "this is √(1/(in + out)), or a fixed 0.05: Xavier's has a 2 on top",
    0.005: "this is 2/(in + out): the root is missing",
    0.1225: "this is √(6/(in + out)), the bound of uniform numbers: of normal ones take √(2/(in + out))",
    0.0408: "these lie between −√(2/(in + out)) and √(2/(in + out)): take rng.normal, not rng.uniform",
    0.2659: "this is the root of √(2/(in + out)): take the root once",
    0.01: "this is a fixed 0.01: Xavier's deviation is √(2/(in + out))",
    0.0082: "this is √(2/(in · out)): add in and out",
}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-start", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_start(inputs, outputs):
    """Stop unless a new layer of yours starts as it should. Gives back how many parameters it has."""
    layer, twin, other = (Linear(inputs, outputs, np.random.default_rng(seed)) for seed in (51, 51, 52))
    assert hasattr(layer, "weight") and hasattr(layer, "bias"), "weight or bias is missing\nkeep both as self.weight and self.bias"
    assert hasattr(layer.weight, "grad") and hasattr(layer.bias, "grad"), (
        "weight or bias is no Parameter\nmake both Parameters, so that each has .data and .grad")
    start, zeros = (np.array(part.data, dtype=float) for part in (layer.weight, layer.bias))
    assert start.shape == (inputs, outputs), f"weight has the shape {start.shape}\nit should be (in, out)"
    assert zeros.shape == (outputs,), f"bias has the shape {zeros.shape}\nit should be (out,)"
    assert not zeros.any(), "the bias isn't 0 at the start\nmake it of zeros"
    assert abs(start.mean()) < 0.01, "the mean of the weight's numbers isn't 0\ndraw them with rng.normal(0, …)"
    for wrong, advice in start_mistakes.items():
        assert abs(start.std() - wrong) > 0.02 * wrong, (
            f"the weight has the standard deviation {start.std():.4f}\n{advice}")
    right = math.sqrt(2 / (inputs + outputs))
    assert abs(start.std() - right) < 0.03 * right, (
        f"the standard deviation is {start.std():.4f} and should be {right:.4f}\ntake √(2/(in + out))")
    assert abs((np.abs(start) < start.std()).mean() - 0.6827) < 0.015, (
        "the weight's numbers are not normal (uniform ones, perhaps)\ndraw them with rng.normal")
    assert np.array_equal(twin.weight.data, start), (
        "two generators with the same seed give two weights\ndraw from the rng that you are given, only")
    assert not np.array_equal(other.weight.data, start), (
        "two generators with two seeds give the same weight\ndraw from the rng that you are given")
    found = list(layer.parameters())
    assert len(found) == 2 and found[0] is layer.weight and found[1] is layer.bias, (
        "parameters() holds something else\nit must be [self.weight, self.bias]: the two Parameters themselves")
    return len(found)


# %% nbgrader={"grade": true, "grade_id": "linear-forward-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("linear", parameters="")
check("linear", "a new layer, from 300 to 100", check_start, 300, 100)
returns("linear", output="sequence token feature")
check("linear", "forward of two sequences", forward_of, fixed(5, 4), fixed(4, start=6), fixed(2, 3, 5, start=2))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(511)
twin = Linear(300, 100, np.random.default_rng(51))
start = np.array(twin.weight.data)
assert np.allclose(twin.forward(np.eye(300)[None])[0], start), "forward doesn't use what weight.data holds"
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    x, weight = np.round(64 * rng.normal(size=(batch, seq, inputs))) / 64, rng.normal(size=(inputs, outputs))
    bias, given = rng.normal(size=outputs), x.copy()
    expected = [[[math.fsum(v * w for v, w in zip(token, column)) + b for column, b in
                  zip(weight.T, bias)] for token in s] for s in x]
    check_numbers(known_linear(weight, bias).forward(given), expected, "on a larger random input")
    assert np.array_equal(given, x), "on a larger random input, forward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: backward (3 points).** Two sequences of three tokens, so that a sum over only one of the two axes shows; then a second round, with three sequences of two.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "gradients-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def gradients_of(weight, bias, x, G, next_x=None, next_G=None):
    """After one round of forward and backward, or two: the last gradient of x, those of weight and bias."""
    layer, advice = known_linear(weight, bias), linear_advice(weight)
    advised(advice, layer.forward, x)
    back = advised(advice, layer.backward, G)
    if next_x is not None:
        layer.forward(next_x)
        back = layer.backward(next_G)
    assert back is not None, "backward gave back None\ndoes it end with a return?"
    assert not isinstance(back, tuple), (
        "backward gave back several things\nreturn the gradient of x alone; the other two go to .grad")
    return back, layer.weight.grad, layer.bias.grad


# %% nbgrader={"grade": true, "grade_id": "linear-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("linear", grad_x="sequence token in", weight_grad="in out", bias_grad="out")
numbers = fixed(5, 4), fixed(4, start=6)
first = fixed(2, 3, 5, start=2), fixed(2, 3, 4, start=9)
check("linear", "one round", gradients_of, *numbers, *first)
check("linear", "two rounds", gradients_of, *numbers, *first, fixed(3, 2, 5), fixed(3, 2, 4, start=4))
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(512)
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    weight, bias = rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)
    layer, sums = known_linear(weight, bias), [0, 0]
    for _ in range(3):
        x, G = rng.normal(size=(batch, seq, inputs)).round(2), rng.normal(size=(batch, seq, outputs))
        leaves = [torch.tensor(a, requires_grad=True) for a in (x, weight, bias)]
        by_torch = torch.autograd.grad((leaves[0] @ leaves[1] + leaves[2]), leaves, torch.tensor(G))
        sums = [old + new.numpy() for old, new in zip(sums, by_torch[1:])]
        given = copies(x, G)
        layer.forward(given[0])
        check_numbers(layer.backward(given[1]), by_torch[0].numpy(), tolerance=1e-5,
                      where="on a larger random input, for the gradient of x")
        assert untouched(given, (x, G)), "on a larger random input, backward changed its input"
    for name, total in zip(("weight", "bias"), sums):
        check_numbers(getattr(layer, name).grad, total, tolerance=1e-5,
                      where=f"on a larger random input, for {name}.grad after three rounds")
### END HIDDEN TESTS

# %% [markdown]
# And now the judge. Predict how large the gap will be, then run it.

# %% tags=["demonstration"]
rng = np.random.default_rng(5)
layer, x, G = Linear(3, 2, rng), rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 4, 2))
layer.forward(x)
gaps = {"x": layer.backward(G) - numerical_gradient(lambda x: (G * layer.forward(x)).sum(), x)}
for name, parameter in [("weight", layer.weight), ("bias", layer.bias)]:
    loss = loss_of(parameter, lambda: layer.forward(x), G)
    gaps[name] = parameter.grad - numerical_gradient(loss, parameter.data)
for name, gap in gaps.items():
    print(f"{name:6} largest gap between rule and measurement: {np.abs(gap).max():.0e}")


# %% [markdown]
# This loss is linear in each number, so the measurement is exact but for rounding. Errors of about $10^{-16}$ in the loss are divided by $2\varepsilon = 2.4\cdot10^{-4}$: hence some $10^{-12}$. Through softmax, in 5.4, the loss will bend on the way.

# %% [markdown]
# ## 5.2 Attention in loops, and what it costs
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# Before you take attention apart, write it once more so plainly that nothing can hide: for each sequence, each query and each key, one scaled score. Softmax over the keys, then the weighted sum of the values. In 5.5 these loops judge your fast layer.
#
# $$w_{ij} = \mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}} + \mathrm{mask}_{ij}\right) \qquad o_i = \sum_j w_{ij}\, v_j$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `Q`, `K`, `V` | `(batch, n_q, d_k)`, `(batch, n_k, d_k)`, `(batch, n_k, d_v)` |
# | mask, if given | added to the scaled scores | `(n_q, n_k)` or `(batch, n_q, n_k)` |
# | attention weights | softmax over the keys | `(batch, n_q, n_k)` |
# | output | sum of attention weights times values | `(batch, n_q, d_v)` |
#
# Scores may be as large as ±1000, so subtract each query's largest score before `np.exp`. You may call the given `softmax`, which does.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of the loops over batch, query and key has to be finished before a softmax can be taken?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros(shape)` makes the tables to fill. `np.dot` of two vectors, `math.sqrt`, `softmax`. `np.broadcast_to(mask, shape)` gives both kinds of mask the same three axes.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make empty tables for output and weights. For each sequence and query, fill one row of scores, key by key: dot product, divided by $\sqrt{d_k}$, plus the mask's entry if there is a mask. Softmax of that row is the row of weights. Then add each key's value times its weight to the output of this query.
# </details>

# %% nbgrader={"grade": false, "grade_id": "attention-loops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_loops(Q, K, V, mask=None):
    """Attention by explicit loops over batch, query and key.

    Q: (batch, n_q, d_k), K: (batch, n_k, d_k), V: (batch, n_k, d_v).
    mask: None, (n_q, n_k) or (batch, n_q, n_k): 0 and -inf, added to the scaled scores.
    Returns (output, weights): (batch, n_q, d_v) and (batch, n_q, n_k).
    """
    ### BEGIN SOLUTION
    (batch, n_q, d_k), (n_k, d_v) = Q.shape, V.shape[1:]
    masks = np.broadcast_to(0.0 if mask is None else mask, (batch, n_q, n_k))
    output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
    for b in range(batch):
        for i in range(n_q):
            scores = np.zeros(n_k)
            for j in range(n_k):
                scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
            weights[b, i] = softmax(scores)
            for j in range(n_k):
                output[b, i] += weights[b, i, j] * V[b, j]
    return output, weights
    ### END SOLUTION


# %% [markdown]
# The test uses two sequences of three queries and four keys, a mask for each, and scores near ±1000.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiny-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
few_Q, few_K, few_V = 3 * fixed(2, 3, 5, start=3), fixed(2, 4, 5, start=1), 2 * fixed(2, 4, 6)
few_K[1, 2] = 0  # so these scores are 0
few_masks = np.array([[[0, -np.inf, 0, 0], [-np.inf, 0, -np.inf, 0], [0, 0, 0, -np.inf]],
                      [[-np.inf, 0, 0, -np.inf], [0, 0, 0, 0], [0, 0, -np.inf, -np.inf]]])
# The largest score is 990 for one query, −990 for the next.
loud_Q = np.array([[[1400.0, 0], [-1400, -1400], [0, 1400]]])
loud_K = np.array([[[1.0, 0], [0, 1], [0.5, 0.5]]])
loud_V = fixed(1, 3, 4, start=5)
loud_mask = np.array([[-np.inf, 0, -np.inf], [0, 0, -np.inf], [0, -np.inf, -np.inf]])


def with_mask(Q, K, V, mask):
    """attention_loops with a mask."""
    advice = "a mask with three axes has mask[b, i, j], one with two mask[i, j]: query i comes before key j"
    errors = "element with a sequence", "inhomogeneous", "too many indices", "out of bounds"
    return advised(dict.fromkeys(errors, advice), attention_loops, Q, K, V, mask)


# %% nbgrader={"grade": true, "grade_id": "attention-loops-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("attention-loops", output="sequence query value", weights="sequence query key")
few = few_Q, few_K, few_V
check("attention-loops", "two sequences, no mask", attention_loops, *few)
check("attention-loops", "with a mask for each sequence", with_mask, *few, few_masks)
check("attention-loops", "with one mask for all sequences", with_mask, *few, few_masks[0])
loud = loud_Q, loud_K, loud_V
check("attention-loops", "with scores of ±1000", attention_loops, *loud)
check("attention-loops", "with scores of ±1000 and a mask", attention_loops, *loud, mask=loud_mask)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(521)
for batch, n_q, n_k, d_k, d_v, size in [(2, 4, 5, 3, 6, 1), (3, 5, 2, 4, 7, 1), (2, 3, 4, 5, 1, 500)]:
    shapes = (batch, n_q, d_k), (batch, n_k, d_k), (batch, n_k, d_v)
    Q, K, V = (scale * np.round(64 * rng.normal(size=shape)) / 64 for scale, shape in zip((size, 1, 1), shapes))
    every = np.where(rng.random((batch, n_q, n_k)) < 0.4, -np.inf, 0.0)
    every[..., 0] = 0
    for mask in (None, every[0], every):
        scores = torch.tensor(Q) @ torch.tensor(K).mT / math.sqrt(d_k)
        scores = scores if mask is None else scores + torch.tensor(mask)
        expected = torch.softmax(scores, dim=-1)
        given = copies(Q, K, V)
        with np.errstate(all="ignore"):
            output, weights = attention_loops(*given, None if mask is None else mask.copy())
        values, exact = (expected @ torch.tensor(V)).numpy(), 1e-5 if size == 1 else 1e-3
        check_numbers(weights, expected.numpy(), where="in the weights of a larger input", tolerance=exact)
        check_numbers(output, values, where="in the output of a larger input", tolerance=exact)
        assert untouched(given, (Q, K, V)), "attention_loops changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Count what it does. One score takes $d_k$ multiplications, each with its addition: $d_k$ **multiply-adds**. Weighting one value takes $d_v$. How many pairs of a query and a key are there, in `batch` sequences whose queries and keys are the same `seq_len` tokens? Softmax, scale and mask don't count here.
#
# Write the count as a function. It needs no loop.

# %% nbgrader={"grade": false, "grade_id": "multiply-adds", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output, for seq_len queries and keys: an integer."""
    ### BEGIN SOLUTION
    return batch * seq_len**2 * (d_k + d_v)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "multiply-adds-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("multiply-adds", count="")
check("multiply-adds", "5 sequences of 6 tokens, d_k 4, d_v 7", multiply_adds, 5, 6, 4, 7)
### BEGIN HIDDEN TESTS
for batch, seq_len, d_k, d_v in [(1, 1, 1, 1), (3, 10, 4, 6), (5, 7, 2, 9), (2, 4, 8, 3)]:
    slow = sum(d_k + d_v for _ in np.ndindex(batch, seq_len, seq_len))
    check_numbers(multiply_adds(batch, seq_len, d_k, d_v), slow, where="for other sizes", tolerance=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# With twice as many tokens the work grows by a factor of 4. Predict: does the time of your loops grow by more, or by less?

# %% tags=["demonstration"]
rng = np.random.default_rng(52)
sizes, seconds = [8, 16, 32, 64], []
for n in sizes:
    Q, K, V = rng.normal(size=(3, 1, n, 8))
    trials = []
    for _ in range(20):
        begin = time.perf_counter()
        attention_loops(Q, K, V)
        trials.append(time.perf_counter() - begin)
    seconds.append(min(trials))  # the one that was disturbed least
    factor = f", {seconds[-1] / seconds[-2]:.1f} times the one before" if n > 8 else ""
    print(f"{n:2} tokens: {multiply_adds(1, n, 8, 8):5} multiply-adds, {1000 * seconds[-1]:5.2f} ms{factor}")

# %% alt="The measured time of the loops for 8, 16, 32 and 64 tokens on two logarithmic axes, dots on a solid line, runs close to a dotted line that grows in step with the count of multiply-adds: four times for twice the tokens." tags=["demonstration"]
per_step = seconds[-1] / multiply_adds(1, 64, 8, 8)
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.loglog(sizes, [1000 * one for one in seconds], "o-", label="your loops")
ax.loglog(sizes, [1000 * per_step * multiply_adds(1, n, 8, 8) for n in sizes], ":", label="4 times for each doubling")
ax.set_xticks(sizes, labels=sizes)
ax.set_xticks([], minor=True)
ax.set(xlabel="tokens", ylabel="milliseconds")
ax.legend()
plt.show()

# %% [markdown]
# On a quiet machine (beside other work yours may be far off) we measured factors of 3.4, 3.7 and 3.8: some work, such as a softmax, is done once for each query, and that only doubles. (Both axes are logarithmic; the dotted line goes through your last dot.) Backward will cost about twice as much as forward: two products for each product that there was.

# %% [markdown]
# ## The way back through attention
#
# One head of self-attention is a small graph, drawn here for one sequence and with $d_v = d_k$: each step takes what others made. Forwards, an arrow carries an array to the step that needs it. Backwards, every arrow is run in the other direction and carries a gradient. **From here on $W$ stands for the attention weights**, no longer for a `weight` matrix, and $dA$ is short for $\partial L/\partial A$: an array with the shape of $A$.

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture below: run it, no need to read it.
graph_places = {"x": (0, 1), "Q": (3.1, 2), "K": (3.1, 1), "V": (3.1, 0), "S": (5.5, 1.5),
                "W": (8.5, 1.5), "O": (10.9, 0.75), "out": (14.2, 0.75), "L": (17.2, 0.75)}
graph_shapes = ["(seq, embed_dim)", "(seq, d_k)", "(seq, d_k)", "(seq, d_k)", "(seq, seq)", "(seq, seq)",
                "(seq, d_k)", "(seq, embed_dim)", "one number"]
graph_steps = {("x", "Q"): "q_proj", ("x", "K"): "k_proj", ("x", "V"): "v_proj", ("Q", "S"): "",
               ("K", "S"): "", ("S", "W"): "", ("W", "O"): "", ("V", "O"): "",
               ("O", "out"): "out_proj", ("out", "L"): "loss"}


def draw_graph(ax, names, steps, back, box, ink):
    """A box with a shape for each name, an arrow for each step; if `back`, it is turned round."""
    line, tip = ("--", "->") if back else ("-", "-|>")
    half = {name: {"x": 1.15, "out": 1.15, "S": 1, "W": 1}.get(name, 0.8) for name in graph_places}
    for (place, (across, up)), name, shape in zip(graph_places.items(), names, graph_shapes):
        ax.add_patch(plt.Rectangle((across - half[place], up - 0.31), 2 * half[place], 0.62,
                                   facecolor=box, edgecolor=ink, linestyle=line))
        ax.text(across, up, f"{name}\n{shape}", ha="center", va="center", fontsize=8.5)
    style = {"arrowstyle": tip, "linestyle": line, "color": ink,
             "mutation_scale": 16, "shrinkA": 0, "shrinkB": 0}
    for (first, second), label in steps.items():
        start = np.add(graph_places[first], (half[first], 0))
        end = np.subtract(graph_places[second], (half[second], 0))
        xy, xytext = (start, end) if back else (end, start)
        ax.annotate("", xy, xytext, arrowprops=style)
        if label:
            level = start[1] == end[1]  # then the label stands above the arrow
            ax.text(*(start + end) / 2 + [0, 0.13 * level], label, ha="center", va="center", fontsize=8.5,
                    bbox=None if level else {"boxstyle": "square,pad=0.1", "color": "white"})
    ax.set(xlim=(-1.2, 18.1), ylim=(-0.4, 2.4))
    ax.set_axis_off()


# %% alt="Two drawings of the same graph: above, solid arrows run from x to Q, K and V, from Q and K to the scores S, on to the attention weights W, from W and V to the head's output O, through out_proj to out, and through the loss to one number, L; below, dashed arrows with open tips run all ways back, and where three of them arrive, at dx, they add up." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
fig, axes = plt.subplots(2, 1, figsize=(10, 6), layout="constrained")
draw_graph(axes[0], ["x", "Q", "K", "V", "S = QKᵀ/√d_k", "W = softmax(S)", "O = WV", "out", "L"],
           graph_steps, False, "#e8f1fa", "#1b4f8a")
axes[0].set_title("forwards: solid arrows, full tips", loc="left", fontsize=11)
back_steps = ["5.1", "5.1", "5.1", "5.4", "5.4", "5.3", "5.4", "5.4", "5.1", "given"]
draw_graph(axes[1], ["dx", "dQ", "dK", "dV", "dS", "dW", "dO", "dout", "L"],
           dict(zip(graph_steps, back_steps)), True, "#fdf1e3", "#a04a00")
axes[1].text(0, 0.4, "three arrive,\nand add up: 5.6", ha="center", va="center", fontsize=9)
axes[1].set_title("backwards: dashed arrows, open tips, and the exercise where you write the step",
                  loc="left", fontsize=11)
plt.show()


# %% [markdown]
# At `x` the way forwards forks into three, so backwards three gradients arrive, and **they add up**. $dO$ and $dS$ each go two ways, since two arrays made $O$, and two made $S$. Each step has its own rule. The only one that isn't a plain matrix product is the softmax, so we begin there.

# %% [markdown]
# ## 5.3 Back through softmax
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# In one row, softmax turns scores $s$ into attention weights $w$. All weights share a sum, so each score moves **every** weight of its row. Differentiate $w_i = e^{s_i}/Z$ with $Z = \sum_m e^{s_m}$ by $s_j$. The derivative of $Z$ is $e^{s_j}$, and the quotient rule has two cases:
#
# $$i = j:\quad \frac{e^{s_i} Z - e^{s_i} e^{s_i}}{Z^2} = w_i\,(1 - w_i)$$
#
# $$i \neq j:\quad \frac{0 \cdot Z - e^{s_i} e^{s_j}}{Z^2} = w_i\,(0 - w_j)$$
#
# In one line:
#
# $$\frac{\partial w_i}{\partial s_j} = w_i\,(\delta_{ij} - w_j) \qquad\text{with } \delta_{ij} = 1 \text{ if } i = j \text{, else } 0$$
#
# This table of derivatives is the **Jacobian**. With $g_i = \partial L/\partial w_i$ the chain rule sums over all weights that $s_j$ moves:
#
# $$\frac{\partial L}{\partial s_j} = \sum_i g_i\, w_i\,(\delta_{ij} - w_j) = g_j\, w_j - w_j \sum_i g_i\, w_i = w_j\Big(g_j - \sum_i w_i\, g_i\Big)$$
#
# The last form needs no Jacobian. Read it as a sentence: a larger score means a larger loss if its key's gradient is above the **average** gradient of the row. The average is taken with the weights themselves. (A step goes against the gradient, so it lowers such a score.)
#
# | operation | expression | shape |
# |---|---|---|
# | average of each row | $\sum_i w_i g_i$ | the last axis has length 1 |
# | gradient of the scores | weights times (gradient minus average) | like `weights` |
#
# Neither input is changed: what comes back is a new array.
#
# <details><summary>Hint 1: a question</summary>
#
# What must the gradient of a row be if all $g_i$ of this row are equal? (The weights always sum to 1, so what would the loss notice?) Does your formula give that?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.sum` with `axis=-1` and `keepdims=True`. The rest is `*` and `-`, entry by entry.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Multiply weights and incoming gradient, entry by entry, and sum each row, keeping the axis. Subtract that from the incoming gradient. Multiply by the weights.
# </details>

# %% nbgrader={"grade": false, "grade_id": "softmax-backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax_backward(weights, grad_weights):
    """The gradient of the loss for the scores, from that for softmax(scores).

    weights: softmax along the last axis, any shape. grad_weights: the same shape.
    Returns a new array of the same shape. No Jacobian is built, and no input is changed.
    """
    ### BEGIN SOLUTION
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - average)
    ### END SOLUTION


# %% [markdown]
# In the weights that the test begins with, one key is blocked, so its weight is 0.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiny-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
tiny_scores = 2 * fixed(2, 3, 4, 5)
tiny_scores[..., 0, 1] = -np.inf
tiny_weights, tiny_incoming = softmax(tiny_scores), 2 * fixed(2, 3, 4, 5, start=9)


def through_softmax(weights, grad_weights):
    """softmax_backward of many rows."""
    advice = "np.diag and np.outer are for one row: take the last form of 5.3, which needs no Jacobian"
    n, row = weights.size, weights.shape[-1]
    errors = "1- or 2-d", f"different from {n})", f"({n},{n})", f"({row},{row})"
    return advised(dict.fromkeys(errors, advice), softmax_backward, weights, grad_weights)


# %% nbgrader={"grade": true, "grade_id": "softmax-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("softmax-backward", grad_scores="sequence head query key")
check("softmax-backward", "two sequences, three heads", through_softmax, tiny_weights, tiny_incoming)
returns("softmax-backward", grad_scores="query key")
shares, incoming = np.array([[0.25, 0.25, 0.5], [0, 0.5, 0.5]]), np.array([[4.0, 0, 6], [8, 0, -4]])
check("softmax-backward", "two rows", through_softmax, shares, incoming)
returns("softmax-backward", grad_scores="key")
check("softmax-backward", "one row", softmax_backward, shares[0], incoming[0])
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(531)
for shape in [(4,), (3, 5), (2, 3, 4, 6)]:
    scores = 2 * rng.normal(size=shape)
    scores[..., 1] = -np.inf
    incoming, leaf = rng.normal(size=shape), torch.tensor(scores, requires_grad=True)
    result = torch.softmax(leaf, dim=-1)
    result.backward(torch.tensor(incoming))
    shares = result.detach().numpy()
    given = copies(shares, incoming)
    check_numbers(softmax_backward(*given), leaf.grad.numpy(), where="on a larger random input",
                  sizes=f"with shape {shape} ", tolerance=1e-6)
    assert untouched(given, (shares, incoming)), "on a larger random input, the input is changed"
### END HIDDEN TESTS

# %% [markdown]
# If all $g_i$ of a row are equal, their average is that number, and every score gets 0: the weights sum to 1 whatever the scores do, so the loss notices nothing.
#
# Now the same gradient by two other routes: with the whole Jacobian, and measured. The Jacobian of *one* row of $n$ weights has $n^2$ entries, which your formula never needs.

# %% tags=["demonstration"]
rng = np.random.default_rng(53)
scores, g = rng.normal(size=4), rng.normal(size=4)
w = softmax(scores)
jacobian = np.diag(w) - np.outer(w, w)
print("your formula ", np.round(softmax_backward(w, g), 6))
print("full Jacobian", np.round(jacobian @ g, 6))
print("measured     ", np.round(numerical_gradient(lambda s: (g * softmax(s)).sum(), scores), 6))

# %% [markdown]
# Where is the gradient large? Below, one of two keys gets the attention weight $w$, and the gradients for the two weights are 1 and 0. In the middle, a change of the score moves the weights most. Where the weight is near 0 or 1, nearly nothing comes through, however wrong the choice is. The scale $1/\sqrt{d_k}$ of lesson 01 keeps the start away from there.

# %% alt="The gradient of a key's score against its attention weight w is an arch: 0 at w = 0 and at w = 1, and highest, 0.25, at w = 0.5." tags=["demonstration"]
w = np.linspace(0, 1, 101)
pairs = np.stack([w, 1 - w], axis=-1)
through = np.asarray(softmax_backward(pairs, np.array([1.0, 0.0]) + 0 * pairs))[:, 0]
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(w, through)
ax.set(xlabel="attention weight w of the key", ylabel="gradient of its score", title="w (1 − w): most in the middle")
plt.show()


# %% [markdown]
# ## 5.4 Back through one head
#
# **5 points · about 25 minutes · difficulty ●●●**
#
# Now the matrix products. There is one rule. In $C = AB$ an entry is $C_{ij} = \sum_k A_{ik}B_{kj}$, so $A_{ik}$ moves every $C_{ij}$ of its row, by $B_{kj}$ each. The chain rule adds these up: $dA_{ik} = \sum_j dC_{ij}B_{kj}$. The same for $B$, and in matrices:
#
# $$C = AB \quad\Rightarrow\quad dA = dC\,B^\top \qquad dB = A^\top dC$$
#
# The shapes alone nearly force it: `dA` must look like `A`. Use it twice. $O = WV$ gives $dW$ and $dV$. And $S = QK^\top/\sqrt{d_k}$ gives $dQ$ and $dK$, where the same factor $1/\sqrt{d_k}$ stands in front of **both**.
#
# | operation | expression | shape |
# |---|---|---|
# | values | $dV = W^\top dO$ | `(…, n_k, d_v)` |
# | attention weights | $dW = dO\,V^\top$ | `(…, n_q, n_k)` |
# | scores | $dS$, through softmax | `(…, n_q, n_k)` |
# | queries | $dQ = dS\,K/\sqrt{d_k}$ | `(…, n_q, d_k)` |
# | keys | $dK = dS^\top Q/\sqrt{d_k}$ | `(…, n_k, d_k)` |
#
# Any number of axes may stand in front: none, a batch, a batch and heads. There is no mask among the arguments. A blocked key has weight 0, so by 5.3 its score's gradient is 0 by itself. But this holds only for the weights **that you are given**: don't compute them again.
#
# <details><summary>Hint 1: a question</summary>
#
# Value $j$ went into the output of every query $i$, with weight $w_{ij}$. Which sum collects what comes back to it: the sum over a row of the weights, or over a column?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.swapaxes(array, -1, -2)` transposes the last two axes only, whereas `.T` reverses all of them. `@` treats leading axes as a batch. `softmax_backward` from 5.3. `Q.shape[-1]` is $d_k$.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# The values' gradient: transposed weights times the incoming gradient. The weights' gradient: incoming gradient times the transposed values. Send it back through softmax. Divide the result by $\sqrt{d_k}$, once. Times the keys it is the queries' gradient; transposed, and times the queries, it is the keys'.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Write the shapes below each other. What is summed over must be the last axis of the first and the last but one of the second. For the weights' gradient it is `V` that must be transposed, for the keys' it is the scores' gradient, and for the values' it is the weights.
# </details>

# %% builds_on=["softmax-backward"] nbgrader={"grade": false, "grade_id": "attention-backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_backward(grad_output, Q, K, V, weights):
    """The gradients of one head: output = weights @ V,
    weights = softmax(Q K^T / sqrt(d_k)).

    grad_output: (..., n_q, d_v), Q: (..., n_q, d_k), K: (..., n_k, d_k),
    V: (..., n_k, d_v), weights: (..., n_q, n_k), as they came out of the
    forward pass (perhaps masked).
    Returns (grad_Q, grad_K, grad_V), with the shapes of Q, K and V.
    """
    ### BEGIN SOLUTION
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    grad_weights = grad_output @ np.swapaxes(V, -1, -2)
    grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
    return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
    ### END SOLUTION


# %% [markdown]
# The test compares all three gradients, and names the values' first, since it needs no softmax. The first query's second key is blocked.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiny-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def head_of(lead, n_q, n_k, d_k, d_v):
    """grad_output, Q, K, V and weights of these sizes, with the axes `lead` in front."""
    Q, K = 2 * fixed(*lead, n_q, d_k, start=4), 2 * fixed(*lead, n_k, d_k, start=1)
    scores = Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)
    scores[..., 0, 1] = -np.inf
    return fixed(*lead, n_q, d_v, start=2), Q, K, 2 * fixed(*lead, n_k, d_v), softmax(scores)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "name-axes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def name_axes(front):
    """Note the axes of the three gradients. front: the names of those in front."""
    rows = {"grad_Q": "query", "grad_K": "key", "grad_V": "key"}
    returns("attention-backward", **{name: f"{front} {row} feature" for name, row in rows.items()})


# %% nbgrader={"grade": true, "grade_id": "attention-backward-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
name_axes("sequence")
check("attention-backward", "two sequences", attention_backward, *head_of((2,), 3, 4, 5, 6))
name_axes("")
check("attention-backward", "no axis in front", attention_backward, *head_of((), 3, 4, 5, 2))
name_axes("sequence head")
check("attention-backward", "two axes in front", attention_backward, *head_of((2, 3), 1, 3, 4, 2))
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(541)
for lead, n_q, n_k, d_k, d_v in [((), 3, 5, 4, 2), ((3,), 4, 2, 5, 6), ((2, 3), 5, 4, 3, 7)]:
    sizes = [(n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)]
    Q, K, V, G = arrays = [rng.normal(size=(*lead, *size)) for size in sizes]
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays[:3]]
    mask = torch.where(torch.tensor(rng.random((n_q, n_k)) < 0.4), -torch.inf, 0.0)
    mask[:, 1] = 0
    shares = torch.softmax(leaves[0] @ leaves[1].mT / math.sqrt(d_k) + mask, dim=-1)
    (shares @ leaves[2]).backward(torch.tensor(G))
    arrays.append(shares.detach().numpy().copy())
    Q, K, V, G, shares = given = copies(*arrays)
    result = attention_backward(G, Q, K, V, shares)
    assert isinstance(result, (tuple, list)) and len(result) == 3, "for other sizes, return three, too"
    for name, got, leaf in zip("QKV", result, leaves):
        check_numbers(got, leaf.grad.numpy(), where=f"on a larger random input, in grad_{name}",
                      sizes=f"with sizes {sizes} ", tolerance=1e-5)
    assert untouched(given, arrays), "on a larger random input, attention_backward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Let's hear the judge on a case with different lengths: 3 queries, 5 keys, $d_k = 4$, $d_v = 2$. Predict: for which of the three will the gap be rounding alone, as in 5.1?

# %% tags=["demonstration"]
rng = np.random.default_rng(54)
Q, K, V, G = (rng.normal(size=shape) for shape in [(3, 4), (5, 4), (5, 2), (3, 2)])
loss = lambda Q, K, V: (G * (softmax(Q @ K.T / math.sqrt(4)) @ V)).sum()
by_rule = attention_backward(G, Q, K, V, softmax(Q @ K.T / math.sqrt(4)))
measured = [numerical_gradient(lambda Q: loss(Q, K, V), Q), numerical_gradient(lambda K: loss(Q, K, V), K),
            numerical_gradient(lambda V: loss(Q, K, V), V)]
for name, rule, gradient in zip("QKV", by_rule, measured):
    print(f"grad_{name} {np.shape(rule)}: largest gap {np.abs(rule - gradient).max():.0e}")


# %% [markdown]
# For `grad_V`: given the attention weights, the loss is linear in $V$. On the way from $Q$ and $K$ it bends, in softmax, and the measurement misses by about $\varepsilon^2/6 = 2.5\cdot10^{-9}$ times the third derivative.

# %% [markdown]
# ## 5.5 Many heads, forward
#
# **5 points · about 20 minutes · difficulty ●●○**
#
# You built this layer in PyTorch. Here it is in NumPy, from your own `Linear` layers, so that you can take it apart afterwards. Three layers make queries, keys and values; each head gets its slice; the heads are put side by side; `out_proj` mixes them.
#
# | operation | expression | shape |
# |---|---|---|
# | project | `q_proj`, `k_proj`, `v_proj` | `(batch, seq, embed_dim)` |
# | split | `split_heads`: one slice per head | `(batch, num_heads, seq, d_k)` |
# | scores | $QK^\top/\sqrt{d_k}$, plus the mask | `(batch, num_heads, seq, seq)` |
# | attention weights | softmax over the keys | the same |
# | heads' outputs | attention weights times values | `(batch, num_heads, seq, d_k)` |
# | combine, then `out_proj` | `combine_heads`: side by side | `(batch, seq, embed_dim)` |
#
# Here $d_k$ = `embed_dim` / `num_heads`. The constructor raises a `ValueError` if that isn't a whole number. Name the four layers exactly `q_proj`, `k_proj`, `v_proj`, `out_proj`, and draw them from `rng`. `parameters()` is a list of all **eight** parameters: weight and bias of `q_proj`, then of `k_proj`, `v_proj` and `out_proj`. `layer(x, mask)` does the same as `layer.forward(x, mask)`.
#
# A mask of shape `(seq, seq)` holds for all sequences, one of shape `(batch, seq, seq)` for each its own. All heads share it. Scores may be large; the given `softmax` takes care of that.
#
# <details><summary>Hint 1: a question</summary>
#
# The scores have four axes, and a mask of shape `(batch, seq, seq)` has three. NumPy lines axes up from the right. With which axis would the batch be lined up, and what has to stand between?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The given `split_heads`, `combine_heads` and `softmax`. `K.swapaxes(-1, -2)` transposes the keys of each head. `np.expand_dims(array, axis)` puts in an axis; counted from the right, it suits both kinds of mask. Python calls a method named `__call__` for `layer(x)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: check that the sizes divide, make four layers from `embed_dim` to `embed_dim`. In `forward`: send x through three layers and split each result. Scaled scores, mask, softmax, times values. Put the heads side by side. Last, `out_proj`.
# </details>
#
# <details><summary>I get “'Linear' object is not callable”</summary>
#
# In PyTorch a layer can be called. Your `Linear` has no `__call__`: use its `forward`.
# </details>

# %% builds_on=["linear"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention:
    """Self-attention with several heads: Linear layers q_proj, k_proj, v_proj and out_proj.

    Raises ValueError if num_heads does not divide embed_dim.
    """

    def __init__(self, embed_dim, num_heads, rng):
        ### BEGIN SOLUTION
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim, rng)
        self.k_proj = Linear(embed_dim, embed_dim, rng)
        self.v_proj = Linear(embed_dim, embed_dim, rng)
        self.out_proj = Linear(embed_dim, embed_dim, rng)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """x: (batch, seq, embed_dim),
        mask: None, (seq, seq) or (batch, seq, seq). Returns the output."""
        ### BEGIN SOLUTION
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        Q, K, V = (split_heads(a, self.num_heads) for a in projected)
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores + np.expand_dims(mask, -3)
        return self.out_proj.forward(combine_heads(softmax(scores) @ V))
        ### END SOLUTION

    def __call__(self, x, mask=None):
        ### BEGIN SOLUTION
        return self.forward(x, mask)
        ### END SOLUTION

    def parameters(self):
        """Weight and bias of q_proj, k_proj, v_proj, out_proj: a list of 8."""
        ### BEGIN SOLUTION
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]
        ### END SOLUTION


# %% [markdown]
# The tests of 5.5 and 5.6 share a layer of two heads with known numbers in it, and masks.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "tiny-masks", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
projections = ["q_proj", "k_proj", "v_proj", "out_proj"]
tiny_x, tiny_G = fixed(4, 5, 6, start=3), fixed(4, 5, 6, start=1)
tiny_mask = np.full((5, 5), -np.inf)
for offset in (0, -1, -3, 2):
    tiny_mask[np.eye(5, k=offset) == 1] = 0
tiny_masks = np.stack([tiny_mask, np.zeros((5, 5)), tiny_mask[::-1], tiny_mask[:, ::-1]])


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-value-error", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_value_error(embed_dim, num_heads):
    """Stop unless the constructor raises a ValueError for these sizes, which don't divide."""
    error = None
    try:
        MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(0))
    except Exception as problem:
        error = problem
    assert isinstance(error, ValueError), (
        "num_heads doesn't divide embed_dim\nthe constructor should raise a ValueError")


def heads_of(embed_dim, num_heads):
    """How many heads a layer is made with."""
    MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(0))
    return num_heads


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "known-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def known_numbers(embed_dim=6, rng=None):
    """The numbers [weight, bias] of each projection: fixed ones, or random ones from rng."""
    if rng is None:
        return {name: [fixed(embed_dim, embed_dim, start=10 * index), fixed(embed_dim, start=10 * index + 5)]
                for index, name in enumerate(projections)}
    return {name: [rng.normal(size=(embed_dim, embed_dim)) * embed_dim**-0.5, rng.normal(size=embed_dim) / 2]
            for name in projections}


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "known-layer", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def known_layer(known, num_heads=2):
    """Your layer with copies of these numbers in its parameters."""
    layer = MultiHeadAttention(len(known["q_proj"][1]), num_heads, np.random.default_rng(0))
    for name, numbers in known.items():
        assert hasattr(layer, name), f"the layer has no {name}\nkeep it as self.{name}"
        for kind, value in zip(("weight", "bias"), numbers):
            set_parameter(getattr(layer, name), kind, value)
    return layer


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "all-parameters", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def all_parameters(layer):
    """The list layer.parameters(), which must hold the eight Parameters in their order."""
    found = list(layer.parameters())
    assert len(found) == 8, (
        f"parameters() has {len(found)} entries\nmake it one list of 8: weight and bias of each of the four layers")
    for place, parameter in enumerate(found):
        name, kind = projections[place // 2], ("weight", "bias")[place % 2]
        assert hasattr(parameter, "grad"), f"parameters()[{place}] has no .data and .grad\nput the Parameters themselves into it"
        assert parameter is getattr(getattr(layer, name), kind), (
            f"parameters()[{place}] is not {name}.{kind}\nthe order is weight, then bias, of q, k, v, out")
    return found


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "output-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def output_of(x, mask=None, loud=1):
    """What forward of your layer gives, with the known numbers in it; queries are `loud` times as large."""
    known = known_numbers()
    known["q_proj"] = [loud * numbers for numbers in known["q_proj"]]
    layer = known_layer(known)
    if mask is None:
        return layer.forward(x)
    advice = "the scores have an axis for the heads, the third from the right: the mask needs one of length 1 there"
    return advised({"broadcast": advice}, layer.forward, x, mask)


def called(x, mask):
    """The same by calling the layer."""
    return known_layer(known_numbers())(x, mask=mask)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-start-of-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_start_of_heads(embed_dim, num_heads):
    """Stop unless the four layers start as they should. Gives back how many parameters there are."""
    three = [MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(seed)) for seed in (55, 55, 56)]
    drawn = {}
    for name in projections:
        assert all(hasattr(layer, name) for layer in three), f"the layer has no {name}\nkeep it as self.{name}"
        one, twin, other = (np.array(getattr(layer, name).weight.data) for layer in three)
        assert np.array_equal(one, twin), (
            f"two generators with the same seed give two weights of {name}\ndraw from the given rng, only")
        assert not np.array_equal(one, other), (
            f"two generators with two seeds give the same weight of {name}\npass the given rng to Linear")
        alike = [earlier for earlier in drawn if np.array_equal(drawn[earlier], one)]
        assert not alike, f"{alike[0]} and {name} start alike\nmake a layer for each, and draw all from one rng"
        drawn[name] = one
    return len(all_parameters(three[0]))


# %% nbgrader={"grade": true, "grade_id": "multi-head-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", parameters="")
check("multi-head", "a new layer", check_start_of_heads, 6, 2)
check("multi-head", "embed_dim 7 and 3 heads", heads_of, 7, 3)
returns("multi-head", output="sequence token feature")
check("multi-head", "four sequences, no mask", output_of, tiny_x)
check("multi-head", "with a mask for each sequence", output_of, tiny_x, tiny_masks)
check("multi-head", "with one mask for all sequences", output_of, tiny_x[:1], tiny_mask)
check("multi-head", "layer(x, mask=mask)", called, tiny_x[:1], tiny_mask)
check("multi-head", "with scores of ±1000", output_of, tiny_x[:1], loud=900)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(551)
for batch, seq, embed, heads, size in [(2, 5, 12, 3, 1), (3, 4, 10, 2, 1), (2, 3, 5, 1, 900)]:
    known, x = known_numbers(embed, rng), np.round(64 * rng.normal(size=(batch, seq, embed))) / 64
    known["q_proj"][0] = size * known["q_proj"][0]
    layer = known_layer(known, heads)
    module = torch.nn.MultiheadAttention(embed, heads, batch_first=True).double()
    q, k, v, out = known.values()
    state = {"in_proj_weight": np.hstack([q[0], k[0], v[0]]).T, "in_proj_bias": np.hstack([q[1], k[1], v[1]]),
             "out_proj.weight": out[0].T, "out_proj.bias": out[1]}
    module.load_state_dict({name: torch.tensor(value.copy()) for name, value in state.items()})
    every = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    every[..., 1] = 0
    for mask in (None, every[0], every):
        theirs = None if mask is None else torch.tensor(mask).repeat_interleave(
            1 if mask.ndim == 2 else heads, dim=0)
        expected = module(*[torch.tensor(x)] * 3, attn_mask=theirs)[0].detach().numpy()
        given = x.copy()
        with np.errstate(all="ignore"):
            output = layer(given, None if mask is None else mask.copy())
        check_numbers(output, expected, "on a larger random input", sizes=f"with {heads} heads ")
        assert np.array_equal(given, x), "on a larger random input, forward changed its input"
    found = all_parameters(layer)
check_value_error(10, 4)
### END HIDDEN TESTS

# %% [markdown]
# Now let the loops of 5.2 judge it. Each head gets its slice of queries, keys and values. What a head gives goes through its own rows of `out_proj`, and the heads **add up**, as in lesson 02: a second route, without splitting or combining.

# %% tags=["demonstration"]
rng = np.random.default_rng(57)
layer, x = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6))
causal = np.triu(np.full((5, 5), -np.inf), 1)
parts = layer.q_proj, layer.k_proj, layer.v_proj
tables = [x @ part.weight.data + part.bias.data for part in parts]
total = layer.out_proj.bias.data
for head in range(3):
    own = slice(2 * head, 2 * head + 2)
    seen, shares = attention_loops(*(table[..., own] for table in tables), causal)
    total = total + seen @ layer.out_proj.weight.data[own]
print(f"layer against loops: largest gap {np.abs(layer(x, causal) - total).max():.0e}")

# %% [markdown]
# Permute the tokens of a sequence, and the outputs are permuted in the same way: nothing in this layer knows an order. The next cell measures it.

# %% tags=["demonstration"]
rng = np.random.default_rng(55)
layer, x, order = MultiHeadAttention(6, 3, rng), rng.normal(size=(1, 5, 6)), np.array([3, 0, 4, 1, 2])
gap = np.abs(layer(x[:, order]) - np.asarray(layer(x))[:, order]).max()
print(f"permuted input against permuted output: {gap:.0e}")


# %% [markdown]
# ## 5.6 The layer with its way back
#
# **5 points · about 20 minutes · difficulty ●●●**
#
# Copy your class of 5.5 here and extend it; `__call__` is there already. What changes: `forward` keeps what the way back needs, and there is a `backward(grad_output)`. It returns the gradient of `x`, and all eight parameters get theirs added to `.grad`.
#
# Go back the way you came. `out_proj.backward` takes the gradient through the last layer. Then split it into heads, just like the queries. `attention_backward` gives three gradients, one table per head. Combine the heads of each, and send it through its own projection's `backward`.
#
# | operation | expression | shape |
# |---|---|---|
# | through `out_proj` | `out_proj.backward(grad_output)` | `(batch, seq, embed_dim)` |
# | split | as in `forward` | `(batch, num_heads, seq, d_k)` |
# | through the heads | $dQ, dK, dV$ of 5.4 | the same, three times |
# | combine | as in `forward` | `(batch, seq, embed_dim)`, three times |
# | through the projections | three `backward`s | `(batch, seq, embed_dim)`, three times |
# | gradient of x | their **sum** | `(batch, seq, embed_dim)` |
#
# Why a sum? `x` went into three places: it became query, key and value. Each sends a gradient back, and gradients of the same number add up. The mask is a constant. It gets no gradient, and blocked keys have weight 0. As everywhere, nothing is written into `x`, `mask` or `grad_output`.
#
# <details><summary>Hint 1: a question</summary>
#
# Splitting and combining only move numbers around. What is the way back of a step that moves numbers?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your `forward` of 5.5, `attention_backward` of 5.4, and `Linear.backward`, which already adds to `.grad`. And once more `split_heads` and `combine_heads`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Let `forward` keep queries, keys, values (with heads) and weights on `self`. In `backward`: the incoming gradient through `out_proj`, split it, call `attention_backward` with what was kept. Combine the heads of the three results. Send the first through `q_proj`, the second through `k_proj`, the third through `v_proj`. Return the sum.
# </details>
#
# <details><summary>The test stops at one projection</summary>
#
# It looks at `out_proj`, `v_proj`, `k_proj`, `q_proj`, in this order, and names the first that is wrong. At `v_proj`, suspect splitting, combining or $dV$. At `k_proj`, suspect softmax, the scale, or gradients that have changed places. At `q_proj` alone, it is that path.
# </details>

# %% builds_on=["linear", "attention-backward"] nbgrader={"grade": false, "grade_id": "trainable-multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention:
    """The layer of 5.5, with a way back. ValueError if the heads don't divide embed_dim."""

    def __init__(self, embed_dim, num_heads, rng):
        ### BEGIN SOLUTION
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, rng) for _ in range(4))
        ### END SOLUTION

    def forward(self, x, mask=None):
        """As in 5.5: returns the output alone. It keeps what backward needs."""
        ### BEGIN SOLUTION
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        self.Q, self.K, self.V = (split_heads(a, self.num_heads) for a in projected)
        scores = self.Q @ self.K.swapaxes(-1, -2) / math.sqrt(self.Q.shape[-1])
        self.weights = softmax(scores if mask is None else scores + np.expand_dims(mask, -3))
        return self.out_proj.forward(combine_heads(self.weights @ self.V))
        ### END SOLUTION

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        """Returns the gradient of x, adds those of the 8 parameters
        to their .grad, changes no input."""
        ### BEGIN SOLUTION
        grad_heads = split_heads(self.out_proj.backward(grad_output), self.num_heads)
        grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
        layers = (self.q_proj, self.k_proj, self.v_proj)
        return sum(layer.backward(combine_heads(grad)) for layer, grad in zip(layers, grads))
        ### END SOLUTION

    def parameters(self):
        ### BEGIN SOLUTION
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [parameter for layer in layers for parameter in layer.parameters()]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the gradient of x (2 points).** All three paths, without and with a mask.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "way-back", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def way_back(x, G, masks):
    """Your layer with the known numbers, after forward and backward with each mask; the last gradient of x."""
    layer, back = known_layer(known_numbers()), None
    tokens = math.prod(x.shape[:2])
    advice = {f"{x.shape}->".replace(" ", ""): "what out_proj gives back has no axis for the heads yet: split it, as in forward",
              f"size {2 * tokens} is different from {tokens}": "combine the heads before their gradient goes through a projection"}
    for mask in masks:
        layer.forward(x, mask)
        back = advised(advice, layer.backward, G)
    assert back is not None, "backward gave back None\ndoes it end with a return?"
    return layer, back


def x_gradient(x, G, mask=None):
    """The gradient of x after one round with this mask."""
    return way_back(x, G, [mask])[1]


def second_x_gradient(x, G, mask):
    """The gradient of x in the second round, the first with this mask; the first has none."""
    return way_back(x, G, [None, mask])[1]


def parameter_gradients(kind, x, G, first_mask=None, rounds=1):
    """What the weight matrices, or the biases, of the four projections have collected; round two has no mask."""
    layer = way_back(x, G, [first_mask, None][:rounds])[0]
    return [getattr(getattr(layer, name), kind).grad for name in projections]


# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-x-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("trainable-multi-head", output="sequence token feature")
check("trainable-multi-head", "forward, no mask", output_of, tiny_x)
check("trainable-multi-head", "forward, with a mask for each sequence", output_of, tiny_x, tiny_masks)
returns("trainable-multi-head", grad_x="sequence token feature")
check("trainable-multi-head", "backward, no mask", x_gradient, tiny_x, tiny_G)
check("trainable-multi-head", "backward, with a mask for each sequence", x_gradient, tiny_x, tiny_G, tiny_masks)
check("trainable-multi-head", "backward, second round", second_x_gradient, tiny_x[:1], tiny_G[:1], tiny_mask)
layer = known_layer(known_numbers())
layer.forward(tiny_x.copy(), tiny_mask.copy())
by_rule = layer.backward(tiny_G.copy())
measured = measured_gradient(lambda x: (tiny_G * layer(x, tiny_mask.copy())).sum(), tiny_x, by_rule)
check_numbers(by_rule, measured, "compared with the measured gradient of x", 1e-5)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(561)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = known_numbers(embed, rng), (batch, seq, embed)
    layer = known_layer(known, heads)
    leaves = {n: [torch.tensor(a, requires_grad=True) for a in known[n]] for n in projections}
    blocked = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    blocked[..., 1] = 0
    mask = [None, None, blocked[0], blocked][masked]
    for _ in range(2):
        x, G = rng.normal(size=shape), rng.normal(size=shape)
        given, leaf = copies(x, G), torch.tensor(x, requires_grad=True)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        theirs = None if mask is None else torch.tensor(mask if masked == 2 else mask[:, None])
        merged = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=theirs)
        out = merged.transpose(1, 2).flatten(2) @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        layer(given[0], None if mask is None else mask.copy())
        check_numbers(layer.backward(given[1]), leaf.grad.numpy(),
                      where="on a larger random input, for the gradient of x", sizes=f"with {heads} heads ")
        assert untouched(given, (x, G)), "on a larger random input, an input is changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the gradient of each parameter (3 points).** What the four weight matrices have collected, then the four biases. Then the judge: all numbers of a parameter are moved a little, and the change of the loss is compared with what your `.grad` says, once without and once with a mask. If they disagree, each of its numbers is moved by itself: two losses for each, 336 for all 168.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-parameter-gradients", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_parameter_gradients(x, G, mask):
    """Compare each .grad with finite differences."""
    known = known_numbers()
    layer = known_layer(known)

    def forward():
        return np.asarray(layer.forward(x.copy(), None if mask is None else mask.copy()))

    forward()
    layer.backward(G.copy())
    for name in projections[::-1]:
        for kind, numbers in zip(("weight", "bias"), known[name]):
            parameter = getattr(getattr(layer, name), kind)
            by_rule = np.array(parameter.grad, dtype=float)
            measured = measured_gradient(loss_of(parameter, forward, G), numbers, by_rule)
            parameter.data = numbers.copy()
            check_numbers(by_rule, measured, f"compared with the measured gradient of {name}.{kind}", 1e-5)


# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-parameters-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("trainable-multi-head", parameters="")
check("trainable-multi-head", "a new layer", check_start_of_heads, 6, 2)
check("trainable-multi-head", "embed_dim 7 and 3 heads", heads_of, 7, 3)
given = tiny_x, tiny_G
for kind, axes in {"weight": "in out", "bias": "out"}.items():
    returns("trainable-multi-head", **dict.fromkeys(projections, axes))
    check("trainable-multi-head", f"{kind}.grad, one round", parameter_gradients, kind, *given)
    check("trainable-multi-head", f"{kind}.grad, two rounds", parameter_gradients, kind, *given, tiny_masks, rounds=2)
for mask in (None, tiny_mask):
    check_parameter_gradients(tiny_x, tiny_G, mask)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(562)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = known_numbers(embed, rng), (batch, seq, embed)
    if masked == 3:
        known["q_proj"][0] = 900 * known["q_proj"][0]
    layer = known_layer(known, heads)
    leaves = {n: [torch.tensor(a, requires_grad=True) for a in known[n]] for n in projections}
    blocked = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    blocked[..., 1] = 0
    mask = [None, None, blocked[0], blocked][masked]
    for _ in range(2):
        x, G = np.round(64 * rng.normal(size=(2, *shape))) / 64
        leaf = torch.tensor(x)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        theirs = None if mask is None else torch.tensor(mask if masked == 2 else mask[:, None])
        merged = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=theirs)
        out = merged.transpose(1, 2).flatten(2) @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        with np.errstate(all="ignore"):
            layer(x.copy(), None if mask is None else mask.copy())
            layer.backward(G.copy())
    for index, parameter in enumerate(all_parameters(layer)):
        name, kind = projections[index // 2], ("weight", "bias")[index % 2]
        check_numbers(parameter.grad, leaves[name][index % 2].grad.numpy(),
                      where=f"on a larger random input, for {name}.{kind}.grad")
check_value_error(10, 4)
### END HIDDEN TESTS

# %% [markdown]
# One parameter in that test was special. Predict: which of the eight parameters always gets a gradient of 0, up to rounding? (Lesson 02 met it.)

# %% tags=["demonstration"]
rng = np.random.default_rng(56)
layer = MultiHeadAttention(6, 3, rng)
layer.forward(rng.normal(size=(2, 5, 6)))
layer.backward(rng.normal(size=(2, 5, 6)))
for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
    part = getattr(layer, name)
    print(f"{name:9} weight {np.abs(part.weight.grad).max():.0e}   bias {np.abs(part.bias.grad).max():.0e}")


# %% [markdown]
# The bias of the keys adds the same number to all scores of a query, and softmax doesn't see that. So it can't matter, and its gradient is 0. A gradient by hand that gave anything else there would be wrong.
#
# <details><summary>If you have torch: a third route, autograd</summary>
#
# Paste this into a new cell. torch runs the forward pass alone, and finds all nine gradients by itself.
#
# ```python
# import torch
#
# rng = np.random.default_rng(58)
# layer, x, G = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 5, 6))
# layer.forward(x)
# by_rule = [layer.backward(G), *(parameter.grad for parameter in layer.parameters())]
#
# leaves = [torch.tensor(a, requires_grad=True) for a in (x, *(p.data for p in layer.parameters()))]
# tokens, wq, bq, wk, bk, wv, bv, wo, bo = leaves
# pairs = (wq, bq), (wk, bk), (wv, bv)
# q, k, v = ((tokens @ w + b).unflatten(-1, (3, 2)).transpose(1, 2) for w, b in pairs)
# heads = torch.nn.functional.scaled_dot_product_attention(q, k, v)
# by_torch = torch.autograd.grad(heads.transpose(1, 2).flatten(2) @ wo + bo, leaves, torch.tensor(G))
# for rule, gradient in zip(by_rule, by_torch):
#     print(f"{np.shape(rule)}: largest gap {np.abs(rule - gradient.numpy()).max():.0e}")
# ```
#
# With a right layer all nine gaps are below 1e-13: only rounding is left.
# </details>

# %% [markdown]
# ## It learns: looking things up
#
# Now the layer gets a task. Five tokens stand in a row. Each carries three things: its own **name** (A to E, each once), the name that it **wants**, and a **note** of two numbers, each +1 or −1. The answer for each token is the note of the token whose name it wants.
#
# Nobody can answer this from one token alone. Names, wishes and notes are drawn anew for each sequence, so there is nothing to learn by heart. A layer has to compare wishes with names. That is a query, a key and a value.
#
# | numbers of `x[b, t]` | meaning |
# |---|---|
# | 0 to 4 | own name, one-hot |
# | 5 to 9 | wanted name, one-hot |
# | 10 and 11 | the note |

# %% nbgrader={"grade": false, "grade_id": "lookup-task", "locked": true, "schema_version": 3, "solution": false, "task": false}
def lookup_batch(rng, batch, tokens=5):
    """Returns (x, answers, names, wanted) for `batch` sequences of the task."""
    names = np.array([rng.permutation(tokens) for _ in range(batch)])
    wanted = rng.integers(tokens, size=(batch, tokens))
    notes = rng.choice([-1.0, 1.0], size=(batch, tokens, 2))
    one_hot = np.eye(tokens)
    x = np.concatenate([one_hot[names], one_hot[wanted], notes], axis=-1)
    place = np.take_along_axis(np.argsort(names, axis=1), wanted, axis=1)
    return x, np.take_along_axis(notes, place[..., None], axis=1), names, wanted


# %% tags=["demonstration"]
example, notes, example_names, example_wanted = lookup_batch(np.random.default_rng(19), 1)
for t in range(5):
    print(f"token {t}: I am {'ABCDE'[example_names[0, t]]}, my note is {example[0, t, 10:]}, "
          f"I want {'ABCDE'[example_wanted[0, t]]}: answer {notes[0, t]}")


# %% [markdown]
# The layer's output has 12 numbers per token. The last two are its answer, the other ten are free. The loss is the mean squared error of the answers. Compare yours with three values:
#
# | loss | who gets it |
# |---|---|
# | 1 | always says 0 |
# | 0.8 | always says the mean of the five notes: $1 - 1/5$, the best that **even** attention weights can do |
# | below 0.01 | your layer, after 600 steps |
#
# Even attention weights give all five tokens the same output, made from the mean of the five. So, but for the luck of a batch, 0.8 can't be crossed without attention that differs from query to query.

# %% nbgrader={"grade": false, "grade_id": "loss-and-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_and_gradient(output, answers):
    """Mean squared error of the last two numbers, and its gradient for the whole output."""
    output = np.asarray(output)
    error = output[..., -2:] - answers
    gradient = np.zeros_like(output)
    gradient[..., -2:] = 2 * error / error.size
    return np.mean(error**2), gradient


# %% [markdown]
# For the pictures we need the attention weights. Your layer gives back only its output, so the next function computes them from the parameters of `q_proj` and `k_proj`, head by head.

# %% nbgrader={"grade": false, "grade_id": "weights-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of(layer, x, num_heads):
    """The attention weights of one sequence x (seq, embed_dim): (num_heads, seq, seq)."""
    Q, K = (x @ part.weight.data + part.bias.data for part in (layer.q_proj, layer.k_proj))
    Q, K = (np.stack(np.split(a, num_heads, axis=-1)) for a in (Q, K))
    return softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]))


# %% [markdown]
# Predict before you run it: will the loss fall evenly, or in a step? The training takes a second or two. Each step draws 64 new sequences out of 384 million, so the layer hardly ever sees one twice.

# %% tags=["demonstration"]
rng = np.random.default_rng(505)
layer = MultiHeadAttention(12, 2, rng)
losses, snapshots = [], {}
for step in range(601):
    if step in (0, 100, 600):
        snapshots[step] = weights_of(layer, example[0], 2)
    x, answers, _, _ = lookup_batch(rng, 64)
    loss, gradient = loss_and_gradient(layer(x), answers)
    layer.backward(gradient)
    sgd_step(layer.parameters(), rate=0.5)
    zero_grad(layer.parameters())
    losses.append(loss)

# %% alt="The loss on a logarithmic axis over 600 steps stays near 0.8 for about 60 steps, slides below 0.01 before step 200, and then falls slowly to about 0.0006." tags=["demonstration"]
print(f"loss of the untrained layer {losses[0]:.2f}, of the last 20 steps {np.mean(losses[-20:]):.4f}")
fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.semilogy(losses)
ax.axhline(0.8, color="k", linestyle=":", label="0.8: best with even attention weights")
ax.axhline(0.01, color="C1", linestyle="--", label="0.01: a right layer ends below")
ax.set(xlabel="step", ylabel="loss")
ax.legend()
plt.show()


# %% [markdown]
# So neither: a plateau, then a slide, then a long tail. In our run the loss starts at 1.12, and ends at 0.0006. Between, as means of 21 steps, since single ones jump, it is 0.79 around step 25, 0.71 around 50, 0.26 around 100, and 0.02 around 150. If your layer draws its numbers in another order, the slide may come somewhat earlier or later.
#
# At first the attention weights are nearly even, and blurred values teach them little. As they begin to differ, the values that arrive become clearer, and this tells the weights more. So it goes faster and faster, until there is little left to learn.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the pictures: run it, no need to read it.
def draw_weights(weights, queries, keys, ax, marked):
    """A heatmap as in lesson 01: queries down, keys across, colours from 0 to 1, some cells framed."""
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    ax.set(xlabel="key", ylabel="query", xticks=range(len(keys)), xticklabels=keys,
           yticks=range(len(queries)), yticklabels=queries)
    for (i, j), weight in np.ndenumerate(weights):
        ink = "black" if weight > 0.5 else "white"
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=10, color=ink)
        if marked[i, j]:
            ax.add_patch(plt.Rectangle((j - 0.44, i - 0.44), 0.88, 0.88, fill=False, edgecolor=ink))


# %% [markdown]
# And here is what it has learned, for one new sequence: after 0, 100 and 600 steps. A row reads *C wants B*: the query. The wanted key is framed. Two tokens want the same, and one wants itself.

# %% alt="Six heatmaps of attention weights, two heads after 0, 100 and 600 steps, with the wanted key framed in each row: head 0 stays nearly even, and head 1 ends with about 0.8 on every framed key." tags=["demonstration"]
keys = ["ABCDE"[name] for name in example_names[0]]
queries = [f"{own} wants {'ABCDE'[name]}" for own, name in zip(keys, example_wanted[0])]
fig, axes = plt.subplots(2, 3, figsize=(10, 6.6), layout="constrained")
for column, (step, weights) in enumerate(snapshots.items()):
    for head in range(2):
        draw_weights(weights[head], queries, keys, axes[head, column],
                     example_wanted[0][:, None] == example_names[0])
        axes[head, column].set_title(f"head {head}, after {step} steps")
plt.show()

# %% tags=["demonstration"]
x, answers, names, wanted = lookup_batch(np.random.default_rng(1), 200)
asked = wanted[:, :, None] == names[:, None, :]
weights = np.stack([weights_of(layer, sequence, 2) for sequence in x], axis=1)
for head in range(2):
    part = slice(6 * head, 6 * head + 6)
    carried = np.asarray(layer.v_proj.weight.data)[10:, part] @ np.asarray(layer.out_proj.weight.data)[part, 10:]
    on, off = weights[head][asked].mean(), weights[head][~asked].mean()
    print(f"head {head}: on the wanted token {on:.2f}, on each other {off:.2f}, "
          f"a note's numbers are multiplied by {carried[0, 0]:.2f} and {carried[1, 1]:.2f}")
    print(f"        and each is added to the other with a factor of {max(abs(carried[0, 1]), abs(carried[1, 0])):.3f} at most")

# %% [markdown]
# In our run, head 1 does the looking up, with 0.79 on the wanted token and 0.05 on each other. Head 0 has stayed nearly even, with 0.23 and 0.19. (In yours they may have changed places, with other numbers.) How can the answer be nearly exact with 0.79?
#
# On its way through `v_proj` and `out_proj`, a note that comes by head 1 is multiplied by 1.37, and one by head 0 by −0.37: the diagonal of the 2 × 2 matrix `carried`. (Beside it stands nearly 0: neither number goes into the other.) So the wanted note arrives with $1.37 \cdot 0.79 - 0.37 \cdot 0.23 \approx 1$, each other one with $1.37 \cdot 0.05 - 0.37 \cdot 0.19 \approx 0$. One head looks, the other takes away the blur. A heatmap alone doesn't tell you that. Check it with your own numbers.

# %% [markdown]
# ## Does a falling loss prove that the gradient is right?
#
# We trained wrong layers in the same way, with the same numbers. Predict: which of these mistakes in `backward` would you notice from the loss alone?
#
# | mistake | what such a layer computes |
# |---|---|
# | `dQ` and `dK` changed places | `k_proj` gets $dQ$, `q_proj` gets $dK$ |
# | scores' gradient transposed on the wrong side | $dQ = dS^\top K/\sqrt{d_k}$ and $dK = dS\,Q/\sqrt{d_k}$ |
# | heads' gradients put together by a bare reshape | `(batch, num_heads, seq, d_k)` read in its order as `(batch, seq, embed_dim)` |
# | `dV` with untransposed attention weights | $dV = W\,dO$ |
# | softmax's sum term forgotten | $ds_j = w_j\,g_j$ |
# | scale forgotten on the way back | $dQ = dS\,K$ and $dK = dS^\top Q$ |
# | one of the three paths into `x` forgotten | the sum of two is returned |
#
# <details><summary>Mean loss of the last 20 steps, our run</summary>
#
# | mistake | loss |
# |---|---|
# | none | 0.0006 |
# | `dQ` and `dK` changed places | 0.97 |
# | transposed on the wrong side | 0.88 |
# | bare reshape | 0.34 |
# | `dV` untransposed | 0.025 |
# | sum term forgotten | 0.0006 |
# | scale forgotten | 0.0002 |
# | path forgotten | 0.0006 |
#
# </details>

# %% [markdown]
# The swap, the wrong transpose and the bare reshape fail visibly. The untransposed `dV` misses 0.01 here. But in 14 of 60 other runs it ended below 0.01, as the right layer did in all 60: nobody would have noticed.
#
# The last three can't be told from a right layer. A forgotten scale is even faster: here it only makes the steps of `q_proj` and `k_proj` larger. And a forgotten path changes nothing at all, because no layer stands before this one to use the gradient of `x`. In a deep model every layer below would get a wrong one.
#
# Without the sum term, the gradients of `q_proj` and `k_proj` are wrong: in three of four steps the error was a longer vector than the right gradient itself. Yet they still pointed down: with all numbers of both projections in one vector, the cosine with the right gradient was at least 0.54 in every step, and about 0.9 while the loss slid. (In four other runs the smallest cosine was 0.06, 0.21, 0.45 and 0.60: always positive.) For another task nothing promises that.
#
# So a falling loss proves little about a gradient. A check by differences does.

# %% [markdown] nbgrader={"grade": false, "grade_id": "blending-is-no-gradient", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 5.7 In your own words: a shortcut that isn't one
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# Some course code has no `backward` for attention. Instead, its forward pass returns
#
# `output = attention(Q, K, V) + 0.0001 * (Q + K + V)`
#
# and the comment says: *blend in a little of Q, K and V to keep gradients flowing*. Backward sends back only the blended part, and treats the attention part as a constant.
#
# 1. Is what arrives at `Q` the gradient of the loss? Say what it is the gradient of, and what a check by finite differences would show.
# 2. What will such a layer not learn? And what would you do instead, if gradients really are too small? One remedy is enough: 5.1 and 5.3 name one each.
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what it is: a gradient is fixed by the function, it says how the loss changes if Q changes. Here the loss depends on Q almost only through softmax(QKᵀ/√d_k)V, and that part is left out. What arrives is 0.0001 times the output's gradient, the same for Q, K and V: the gradient of another function, 0.0001·(Q + K + V) alone. Finite differences would disagree with it (they'd find dS·K/√d_k plus the small term). The blend also changes the output, if only a little, so even the forward pass is no longer attention. Half a point for “it is not the derivative of the function” without saying of what it is one.
#
# **1 point** for the consequence and the remedy: the layer never learns whom to look at, because nothing of what comes back depends on the scores, the keys or on which key was right; a loss that falls does so through other layers. (Trained on the lookup task in this way, our layer ends at 0.81: no better than even attention weights.) Remedies that are honest: the real backward pass (5.4); the scale √d_k and a sensible start, so that softmax does not saturate; a residual connection x + attention(x), which is part of the model, in forward *and* backward. One of them is enough. Half a point for only one of the two, consequence or remedy.
#
# **Half right (1 point of 2):** “The gradient is not zero any more, but it is wrong, so training is worse.” True, without what it is the gradient of or what would show it.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you have built
#
# You have a multi-head attention layer that learns, and every number of its gradient is yours: the softmax's Jacobian product, the gradients of queries, keys, values and attention weights, the way back through splitting and combining heads, sums over paths and over tokens. You checked it by a second route that needs no theory. And you saw it find, from nothing but a loss, that a wish has to be compared with a name.
#
# What PyTorch's autograd does is the same, rule by rule, for any formula. You'll trust it more, and know where to look when it surprises you.
#
# ### Three questions to think about
#
# 1. `forward` keeps the weights for the way back: `batch · heads · seq²` numbers. Could `backward` do without them, and what would that cost?
# 2. In the lookup task, why does the layer need `q_proj` and `k_proj` to be different? What could it not express with one matrix for both?
# 3. Suppose a token wants *two* names, and the answer is the sum of both notes. What would two heads do? Could one head do it? And for the difference of the notes?
#
# <details><summary>Answers</summary>
#
# 1. Yes: queries and keys are kept anyway (and the mask), so `backward` can compute the weights again. That is one product more beside the four of the way back, a quarter more work if $d_k = d_v$. With 8 sequences of 1024 tokens and 12 heads it saves 101 million numbers per layer. FlashAttention does so.
# 2. With one matrix and one bias for both, the score of query `i` for key `j` is that of query `j` for key `i`. But that C wants B says nothing of what B wants. Trained in this way (`layer.k_proj = layer.q_proj`, the step taken once for both), our layer ends at 0.63 instead of 0.0006.
# 3. Two heads could take one wish each. But one head can do it, too: its query fits both names, each of the two tokens gets nearly half (0.49), and the values are doubled. With both wishes as ones in numbers 5 to 9, we trained three times, for 1500 steps: one head ended at 0.0008, two at 0.0002 to 0.0009. For the difference (wishes 1 and −1) one head isn't enough, since its weights are never negative and both notes pass through the same value matrix: it ended at 1.0 to 1.2, where always saying 0 gets 2, and two heads below 0.0001.
#
# </details>
#
# ### References
#
# - David E. Rumelhart, Geoffrey E. Hinton, Ronald J. Williams: *Learning Representations by Back-propagating Errors*, 1986.
# - Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. The scale that the weight matrices start with.
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Atılım Güneş Baydin, Barak A. Pearlmutter, Alexey Andreyevich Radul, Jeffrey Mark Siskind: *Automatic Differentiation in Machine Learning: a Survey*, 2018.
# - Tri Dao, Daniel Y. Fu, Stefano Ermon, Atri Rudra, Christopher Ré: *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 2022.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapters 7 and 12.
