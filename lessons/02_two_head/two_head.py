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
# # Two heads, column by column
#
# *Attention, Graded · lesson 02 · NumPy, and torch for 2.6 · about 140 minutes · 22 points*
#
# In lesson 01 a token was a row. Open Simon Prince's *Understanding Deep Learning* at section 12.3, and a token is a **column**: everything you know is there, turned on its side. Many people lose an evening to that turn, because most mistakes in it run without an error.
#
# In this lesson you make the turn once, calmly. You build one head in the book's notation, then two, then any number. At the end you hand your matrices and biases to PyTorch, get the same numbers back, and measure what each of its three biases does.

# %% [markdown]
# ## How to work through this notebook
#
# Work from the top, and run every cell on your way, folded ones too: click into it and press **Shift+Enter**. Each exercise has an explanation, a cell where you write code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test ends with a line that says what to do, or where to look. Read that last line first. Above it stand the numbers: which call it was, the first place that is wrong, and what should be there. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. One question, 2.9, is answered in words and read by a person. Exercise 2.3 builds on 2.1 and 2.2, then 2.4 and 2.5 build on 2.3, and 2.8 on 2.5. If an earlier one isn't finished, write its few steps out inside the later one. Cells that draw or print call your functions, so they fail until those work. The 140 minutes count reading and demonstrations as well.

# %% [markdown]
# ## The one convention of this lesson
#
# Query, key, value and head are explained in 2.2 and 2.3. Skim this table now, and come back to it there.
#
# | convention | what it means |
# |---|---|
# | **A column is a token** | `X` is `(D, N)`: `N` tokens, each described by `D` numbers |
# | **Weight matrices multiply from the left** | `Q` is $\beta_q\mathbf{1}^T + \Omega_q X$, so Ω is `(D_h, D)` and β is `(D_h, 1)` |
# | **The key comes first** | `scores[m, n]` belongs to **key `m`** (who is looked at) and **query `n`** (who is looking) |
# | **Each column of the attention sums to 1** | the softmax runs down axis 0, over the keys |
# | **Shapes of the weight matrices** | each of the `H` heads has Ω: `(D_h, D)` and biases β: `(D_h, 1)`, with `D_h = D / H` · $\Omega_c$: `(D, D)` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# Here $\mathbf{1}$ is a column of `N` ones, so $\beta\mathbf{1}^T$ is `N` copies of β side by side. *The attention* is the table of shares that lesson 01 calls attention weights. A test of one single head may use any `D_h`.
#
# The book counts from 1, and its names for the arguments do so too. What ends in 1, such as `omega_q1`, belongs to head 0; what ends in 2 belongs to head 1.

# %% [markdown]
# ### From these columns to the rows of lesson 01
# To go from one to the other, transpose. Nothing else happens.
#
# | what | here: columns | lesson 01: rows |
# |---|---|---|
# | tokens | `X`, `(D, N)` | $X^T$, `(n, d_model)` |
# | one token | column `X[:, n]` | row `X[n]` |
# | query matrix | $\Omega_q$, from the left | $W_Q = \Omega_q^T$, from the right |
# | query bias | $\beta_q$, a column | none |
# | scores | `[key, query]`: $K^TQ$ | `[query, key]`: $QK^T$ |
# | sums to 1 | each column (axis 0) | each row (last axis) |
# | result of a head | $V \cdot$ attention | attention weights $\cdot\, V$ |
# | last step | $\Omega_c$ from the left | $W_O = \Omega_c^T$ from the right |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import copy
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# What a library says of its own future is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% [markdown]
# The next cell holds what the tests expect, and what well-known mistakes give, so that a test can tell you which one it was. You don't need to read it. In a test, `returns` names what your function gives back, and `check` calls it and compares.

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
 "softmax-cols": {
 "made of": "83aa5e40b3cb", "defines": ["softmax_cols"],
 "advice": {
  "softmax along the rows": "each row sums to 1, but each column should: take the largest and the sum down the columns, with axis=0",
  "softmax over the whole table": "the whole table sums to 1, but each column should: give np.sum an axis",
  "no maximum subtracted": "exp overflows for scores this large: subtract the largest score of each column before np.exp",
  "one maximum for the whole table": "what is subtracted is one number for the whole table, and low columns vanish: take the largest of each column, with axis=0",
  "maximum of each row": "the largest score of each row is subtracted: subtract that of each column, with axis=0",
  "minimum subtracted": "exp overflows here: of each column subtract the largest score (not the smallest, and not the mean) before np.exp",
  "largest absolute score subtracted": "of each column subtract the largest score as it is, not the largest absolute value",
  "scores clipped": "the scores are cut off at some bound, and large ones become equal: subtract the largest of each column before np.exp",
  "not normalised": "these are the exponentials: divide them by the sum of each column",
  "largest score set to 1 and not normalised": "the largest share of each column is 1: divide the exponentials by the sum of each column",
  "only shifted": "these are the scores minus the largest of each column: np.exp and the division are still to come",
  "no exp": "np.exp is missing: exponentiate the shifted scores, then divide by their sum",
  "exp divided by the sum of the scores": "you divide by the sum of the scores: divide by the sum of the exponentials",
  "exp shifted, sum not": "the sum below is of other exponentials than those above: shift the scores by the largest of the column in both",
  "scores divided by the largest": "what goes into np.exp is divided by the largest score: subtract the largest",
  "logarithm of the shares": "these are the logarithms of the shares: give back the shares themselves",
  "mean in place of the sum": "you divide by the mean of each column: divide by its sum",
  "multiplied by the sum": "you multiply by the sum of each column: divide by it",
  "divided by the sum of everything": "you divide by the sum of the whole table: divide by the sum of each column, with axis=0",
  "divided by the sum of each row": "you divide by the sum of each row: add down the columns, with axis=0",
  "divided by the sums of the rows, in the wrong places": "the sum is taken along axis 1, and its numbers lie along the wrong axis: add down the columns, with axis=0",
  "transposed": "the shares are right but transposed: give back the table with its rows and columns as they were given",
  "only the first column normalised": "every column is divided by the sum of column 0: divide each by its own sum",
  "only the column sums": "these are the sums that you divide by: divide the exponentials by them",
  "NaN turned into 0": "np.nan_to_num hides that exp overflows: subtract the largest score of each column before np.exp",
  "exp of base 2": "these are powers of 2: the exponential is np.exp",
  "scores scaled": "the scores are divided before np.exp: this softmax takes them as they are",
  "scores of -inf taken as 0": "a score of −∞ is replaced by a number: leave it, np.exp makes 0 of it",
  "scores of -inf left out by the mean": "exp overflows here, or NaN came of ∞ − ∞: of each column subtract the largest score before np.exp",
  "as many columns as rows": "only as many columns are filled as there are rows: loop over data_in.shape[1]",
  "rounded to two places": "the shares are rounded: keep all of their digits",
  "softmax taken twice": "the softmax is taken twice: once is enough",
  "maximum subtracted from the sum only": "the largest score is missing in np.exp above: subtract it from the scores in numerator and sum alike",
  "shares subtracted from 1": "these are 1 minus the shares: give back the shares",
  "squared sums": "the exponentials are divided by the root of their summed squares: divide by their sum",
  "transposed before the division": "the exponentials are transposed before they are divided: divide the table as it is, by the sum of each column",
  "softmax of each row written into a column": "each column is filled with the softmax of a row: loop over the columns, data_in[:, n] or data_in.T",
  "one more in the sum": "1 is added to each sum: divide by the sum of the column alone",
  "squares in place of exp": "the scores are squared: exponentiate them with np.exp",
  "sigmoid": "this takes each score by itself: divide by the sum of the exponentials of its column",
  "minus forgotten signs": "the signs are turned round: the largest score gets the largest share"},
 "calls": {
  "3 by 3 scores": [["data_in"], [[[0.06289, 0.696122, 0.035119], [0.170953, 0.0942099, 0.259496], [0.766157, 0.209668, 0.705385]]], [
   ["softmax along the rows", [-0.11464, 1.1198]],
   ["softmax over the whole table", [-0.13704, 0.457]],
   ["maximum of each row", [-0.3896, 0.68921]],
   ["not normalised", [-3.5894, 11.97]],
   ["largest score set to 1 and not normalised", [-0.40346, 0.9986]],
   ["only shifted", [-2.4744, 0.93866]],
   ["no exp", [0.7742, -0.39595]],
   ["exp divided by the sum of the scores", [0.00012204, -0.5808]],
   ["exp divided by the sum of the scores", [0.10351, -0.21535]],
   ["exp shifted, sum not", [-0.050057, 0.10393]],
   ["exp shifted, sum not", [-2.7193, 9.266]],
   ["scores divided by the largest", [0.14977, 0.73045]],
   ["logarithm of the shares", [-2.7096, 0.96649]],
   ["mean in place of the sum", [-0.89918, 2.3254]],
   ["multiplied by the sum", [-0.54403, 1.2839]],
   ["divided by the sum of everything", [-0.096998, 0.24008]],
   ["divided by the sum of each row", [-0.40631, 0.47781]],
   ["divided by the sums of the rows, in the wrong places", [-0.32988, 0.40176]],
   ["transposed", [0.066721, 0.29913]],
   ["only the first column normalised", [-0.30911, 0.76508]],
   ["only the column sums", [-0.55321, -0.023231, [3]]],
   ["exp of base 2", [-0.12822, 0.64441]],
   ["scores scaled", [-0.055993, 0.58503]],
   ["scores scaled", [-0.050031, 0.57996]],
   ["rounded to two places", [-0.31257, 0.77608]],
   ["softmax taken twice", [0.082334, 0.40119]],
   ["maximum subtracted from the sum only", [-0.37131, 0.92896]],
   ["shares subtracted from 1", [1.192, -0.16267]],
   ["squared sums", [-0.38779, 0.96777]],
   ["divided by the sums of the rows, in the wrong places", [-0.61565, 1.8522]],
   ["transposed before the division", [-2.5308, -1.5941]],
   ["softmax of each row written into a column", [0.051487, 0.14974]],
   ["one more in the sum", [-0.1719, 0.4366]],
   ["squares in place of exp", [-1.2169, 0.17812]],
   ["no exp", [-0.64622, 0.21858]],
   ["no exp", [-2.6175, -1.0771]],
   ["sigmoid", [0.62185, 1.195]],
   ["minus forgotten signs", [0.65578, -0.37401]]]],
  "2 rows and 4 columns": [["data_in"], [[[0.268941, 0.982014, 0.0179862, 0.5], [0.731059, 0.0179862, 0.982014, 0.5]]], [
   ["as many columns as rows", [0.33412, -0.44144]]]],
  "scores near 1000": [["data_in"], [[[0.603749, 0.259496], [0.366192, 0.705385], [0.0300589, 0.035119]]], [
   ["no maximum subtracted", [154.81, 221.6]],
   ["scores clipped", [0.066412, 0.095068]],
   ["NaN turned into 0", [0, 0]]]],
  "columns near 1000, 0 and -1000, and one of both": [["data_in"], [[[0.731059, 0.731059, 0.182426, 1], [0.268941, 0.268941, 0.817574, 0]]], [
   ["one maximum for the whole table", [-1980.5, -50.697]],
   ["minimum subtracted", [492.97, 777]],
   ["largest absolute score subtracted", [-1027.5, 123.27]],
   ["scores of -inf left out by the mean", [738.36, 1008]]]],
  "scores of -inf": [["data_in"], [[[0.5, 0], [0, 0.268941], [0.5, 0.731059]]], [
   ["scores of -inf taken as 0", [0.29326, 0.16638]]]]}},
 "project": {
 "made of": "687f7479d054", "defines": ["project"],
 "advice": {
  "bias left out": "the bias is missing: add β to every column",
  "weights from the right": "Ω multiplies from the left: it is Ω times X, not X times Ω",
  "weights transposed": "Ω is transposed here: in columns it maps X as it is, omega @ X",
  "bias added along the rows": "β lies along the rows: each column should get the whole of β, so leave it a column",
  "only the first number of the bias": "one number of β is added everywhere: row i gets number i of β, so add the whole column",
  "sum of the bias": "the sum of β is added everywhere: row i gets number i of β, so add the whole column",
  "bias subtracted": "β is subtracted: add it",
  "bias added twice": "β is added twice: once is enough",
  "bias multiplied": "β multiplies here: add it to every column",
  "tokens transposed": "X is transposed here, or its rows are taken as tokens: its columns are the tokens, so leave it as it is",
  "tokens and weights transposed": "X and Ω are both transposed here: leave them as they are",
  "tokens as rows": "that is lesson 01's way, X times Ωᵀ, with tokens as rows: here they are the columns, and Ω stands on the left",
  "tokens as rows, weights as they are": "that is lesson 01's way, X times Ω, with tokens as rows: here they are the columns, and Ω stands on the left",
  "result transposed": "the result is transposed: each token should come back as a column",
  "rows as in lesson 01, not turned back, bias a column": "the product is transposed before β is added: leave each token a column, and β is one too",
  "bias before the weights": "β is added to X before Ω multiplies: it comes after Ω",
  "bias put into the weights": "β is added to Ω: multiply first, then add β",
  "entry by entry": "* multiplies entry by entry: the matrix product is @",
  "only the first token": "only token 0 came back: map all columns of X",
  "the tokens added again": "X is added to the result: it should be ΩX and β only",
  "whole numbers": "the numbers lost their decimals: make no array of whole numbers",
  "bias put beside the result": "β is a column of its own here: add it to each column, with +",
  "one more feature in the wrong place": "β stands on the left of Ω, and the row of ones below X: put both first, or both last",
  "mean of the bias": "the mean of β is added everywhere: row i gets number i of β, so add the whole column",
  "bias and weights in each other's place": "Ω is added and β multiplies: it is the other way round",
  "result minus bias, signs turned": "ΩX has the wrong sign: add it to β",
  "bias added to the tokens entry by entry, no weights": "Ω is missing: multiply X by it, then add β",
  "no tokens": "X is missing: multiply it by Ω, then add β",
  "cut off at 0": "negative numbers became 0: leave them, there is no ReLU here",
  "made to sum to 1": "the result went through a softmax: that comes later, so leave the projection as it is",
  "scaled": "the result is divided by a root: there is no scale in the projection",
  "bias taken times the number of tokens": "β is added too often: once to every column"},
 "calls": {
  "D = N = D_h = 3": [["X", "omega", "beta"], [[[11, 15, 13.5], [-3.5, -4.25, -2], [6.5, 7, -2]]], [
   ["bias left out", [-2.9417, -4.5895]],
   ["weights from the right", [-16.087, -3.7305]],
   ["weights transposed", [-12.408, -8.3344]],
   ["bias added along the rows", [2.683, 28.977]],
   ["only the first number of the bias", [5.9811, 1.5351]],
   ["sum of the bias", [2.8581, -0.6085]],
   ["bias subtracted", [1.8335, -4.3467]],
   ["bias added twice", [-12.492, -5.075]],
   ["bias multiplied", [-33.72, -25.221]],
   ["tokens transposed", [-6.8544, -5.6057]],
   ["tokens and weights transposed", [-8.6796, -6.7251]],
   ["tokens as rows", [-17.428, 0.90462]],
   ["tokens as rows", [-7.0277, 34.714]],
   ["tokens as rows, weights as they are", [-5.687, 30.078]],
   ["result transposed", [-1.3709, 34.763]],
   ["rows as in lesson 01, not turned back, bias a column", [-11.771, 0.9539]],
   ["bias before the weights", [5.8358, 1.8196]],
   ["bias put into the weights", [-4.1253, 14.69]],
   ["entry by entry", [-2.4931, -3.3516]],
   ["only the first token", [6.4526, 5.7051, [3, 1]]],
   ["the tokens added again", [-2.242, -1.7074]],
   ["whole numbers", [-6.5666, -4.5862]],
   ["bias put beside the result", [-2.2207, 2.9965, [3, 4]]],
   ["entry by entry", [-11.419, 6.4018]],
   ["one more feature in the wrong place", [-5.2019, 12.895]],
   ["mean of the bias", [-1.0084, -3.2625]],
   ["bias and weights in each other's place", [-8.161, -3.1073]],
   ["result minus bias, signs turned", [-1.8335, 4.3467]],
   ["bias added to the tokens entry by entry, no weights", [0.69972, 2.8821]],
   ["no tokens", [-7.1125, -0.69834]],
   ["cut off at 0", [-3.7384, -3.3969]],
   ["made to sum to 1", [-0.32418, 0.051597]],
   ["scaled", [-4.4553, -2.7899]],
   ["bias taken times the number of tokens", [-17.267, -5.3178]]]],
  "D = 2, N = 4, D_h = 3": [["X", "omega", "beta"], [[[1.5, 2.5, 3.5, 4.5], [1.5, 4, 0.5, 4], [1, 1, -2, -1.5]]], []]}},
 "scaled-self-attention": {
 "made of": "09a4de38db22", "defines": ["scaled_self_attention"],
 "advice": {
  "no scale": "the scores are not scaled: divide them by √D_h before the softmax",
  "root of D, not of the head's size": "you divide by √D, the size of a token: divide by √D_h, the size of a query",
  "root of N, not of the head's size": "you divide by √N, the number of tokens: divide by √D_h, the size of a query",
  "the root of 3, the size of a head in the first example": "you divide by √3 whatever the size of a query: divide by √D_h",
  "divides by D_h, not by its root": "the scores are divided by 3 in place of √3: divide them once, by √D_h",
  "multiplies by the root": "you multiply the scores by √D_h: divide",
  "power without brackets": "you divide by half of D_h, as by (D_h ** 1 / 2): write D_h ** 0.5 or np.sqrt",
  "power without any brackets": "you divide by 2 · D_h, as / D_h ** 1 / 2 does: write D_h ** 0.5 or np.sqrt",
  "root of the root": "you divide by the root of √D_h: take one root only",
  "root of the scores": "NaN came of a step before the softmax: if a root is taken of the scores, take it of D_h alone, and divide the scores by it",
  "scaled after the softmax": "you divide by √D_h after the softmax: divide the scores before it",
  "scale before and after the softmax": "you divide by √D_h after the softmax, too: divide the scores only",
  "mixture scaled too": "X_prime is divided by √D_h as well: only the scores are",
  "scores negated": "the scores have the wrong sign: the largest product gets the largest share",
  "softmax over the queries": "the softmax runs over the queries (each row sums to 1): it must run over the keys, down each column",
  "softmax over the whole table": "the whole table sums to 1: the softmax runs down each column, over the keys",
  "softmax forgotten": "the attention is the scaled scores: put them through softmax_cols",
  "softmax forgotten, no scale": "the attention is the scores as they are: divide them by √D_h, and put them through softmax_cols",
  "scores mixed, attention given back": "X_prime is mixed by the scores: multiply the values by the attention",
  "scores given back": "X_prime is right, but what comes with it are the scores: give back the attention",
  "softmax twice": "the softmax is taken twice: once is enough",
  "shares not normalised": "these are the exponentials of the scores: use softmax_cols, so that each column sums to 1",
  "queries and keys swapped": "queries and keys have changed places: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns",
  "queries from omega_q and beta_k": "the queries in the scores come from beta_k: take queries from omega_q and beta_q",
  "queries from omega_q and beta_v": "the queries in the scores come from beta_v: take queries from omega_q and beta_q",
  "queries from omega_k and beta_q": "the queries in the scores come from omega_k: take queries from omega_q and beta_q",
  "queries from omega_k and beta_k": "the queries in the scores come from omega_k and beta_k: take queries from omega_q and beta_q",
  "queries from omega_v and beta_q": "the queries in the scores come from omega_v: take queries from omega_q and beta_q",
  "queries from omega_v and beta_v": "the queries in the scores come from omega_v and beta_v: take queries from omega_q and beta_q",
  "keys from omega_q and beta_q": "the keys in the scores come from omega_q: take keys from omega_k and beta_k",
  "keys from omega_v and beta_k": "the keys in the scores come from omega_v: take keys from omega_k and beta_k",
  "values from omega_q and beta_q": "what the attention mixes comes from omega_q and beta_q: take values from omega_v and beta_v",
  "values from omega_q and beta_v": "what the attention mixes comes from omega_q: take values from omega_v and beta_v",
  "values from omega_k and beta_k": "what the attention mixes comes from omega_k and beta_k: take values from omega_v and beta_v",
  "values from omega_k and beta_v": "what the attention mixes comes from omega_k: take values from omega_v and beta_v",
  "values from omega_v and beta_q": "what the attention mixes comes from beta_q: take values from omega_v and beta_v",
  "values from omega_v and beta_k": "what the attention mixes comes from beta_k: take values from omega_v and beta_v",
  "weights of queries and keys swapped, biases not": "the queries are made with omega_k, and the keys with omega_q: only their biases are in place",
  "arguments in the order q, k, v": "the parts of the head have changed places: the arguments come in the order v, q, k, as in the line with def",
  "arguments in the order k, v, q": "the parts of the head have changed places: queries take omega_q and beta_q, keys omega_k and beta_k, values omega_v and beta_v",
  "biases in the order q, k, v": "the biases have changed places: they come in the order v, q, k, as in the line with def",
  "weights in the order q, k, v": "the Ω have changed places: they come in the order v, q, k, as in the line with def",
  "queries and values swapped": "queries and values have changed places: the scores are Kᵀ Q, and the attention mixes V",
  "keys and values swapped": "keys and values have changed places: the scores are Kᵀ Q, and the attention mixes V",
  "no projection at all": "X itself stands for queries, keys and values: project it with each Ω and β",
  "values not projected": "the values are X itself: project it with omega_v and beta_v",
  "queries not projected": "the queries are X itself: project it with omega_q and beta_q",
  "keys not projected": "the keys are X itself: project it with omega_k and beta_k",
  "query bias left out": "β_q is missing: add it to every query",
  "value bias left out": "X_prime lacks β_v: add it to every value",
  "value bias added twice": "β_v is added twice: once to the values is enough",
  "all biases left out": "the biases are missing: project with beta, each time",
  "biases subtracted": "the biases are subtracted: add them",
  "residual added": "X is added to the mixture: X_prime is V times attention alone",
  "columns and rows confused: rows are tokens": "rows are taken as tokens: here a column is a token, and Ω stands on the left",
  "X transposed": "the rows of X are projected as tokens: its columns are the tokens",
  "weights transposed": "each Ω is transposed: project maps the columns with Ω as it is",
  "weights from the right": "each Ω multiplies from the right, as in project(omega, X, beta): it is Ω times X, project(X, omega, beta)",
  "features compared with features": "the scores compare features, not tokens: they are Kᵀ Q, with the keys transposed and not the queries",
  "the scores of lesson 01": "Q Kᵀ is for tokens in rows, and compares features here: the scores are Kᵀ Q",
  "keys not transposed": "the keys are not transposed (a reshape is no transpose): the scores are keys.T @ queries",
  "queries times keys, none transposed": "nothing is transposed here: the scores are Kᵀ Q, key by query",
  "both transposed": "keys and queries are both transposed: transpose the keys alone, Kᵀ Q",
  "both transposed, queries first": "keys and queries are both transposed, and the queries come first: the scores are Kᵀ Q",
  "entry by entry": "* multiplies entry by entry: the scores are the matrix product keys.T @ queries",
  "attention on the left of the values": "the attention is right, but it stands on the wrong side: X_prime is V times attention",
  "as in lesson 01 at the end": "the attention is right, but it stands on the wrong side: X_prime is V times attention, and nothing is transposed",
  "transposed back from lesson 01": "X_prime is transposed: V times attention has a token in each column already",
  "attention times the transposed values": "X_prime is made of transposed tables: V times attention needs none",
  "values transposed": "V is transposed in the last product: X_prime is V times attention, as they are",
  "values and attention transposed": "V and the attention are transposed in the last product: leave them as they are",
  "values meet the transposed attention": "V meets the transposed attention: multiply by the attention as it is",
  "values times attention, entry by entry": "* multiplies entry by entry: X_prime is the matrix product of V and the attention",
  "attention given back as query by key": "X_prime is right, but the attention is given back transposed: the key is the row",
  "pair in the wrong order": "give back X_prime first, then the attention",
  "only the mixture given back": "both are wanted, X_prime and the attention",
  "values given back for the mixture": "the values come back unmixed: X_prime is V times attention",
  "one query at a time, only the last kept": "only the last column is filled: write each query's column inside the loop",
  "root of 2": "you divide by √2: divide by √D_h, the size of a query",
  "softmax of the result, not of the scores": "the scores are mixed as they are, and X_prime goes through the softmax: the softmax is for the scores",
  "softmax of the result, too": "X_prime went through a softmax: give it back as V times attention",
  "value bias multiplied": "β_v multiplies the values: add it",
  "values mixed twice": "the attention mixes twice: once is enough",
  "values multiplied twice": "the values are multiplied twice: X_prime is V times attention",
  "mixture of unscaled scores": "the attention is right, but X_prime is mixed with another one: multiply V by the very attention that you return",
  "unscaled attention given back": "X_prime is right, but the attention given back is without the scale: give back the one that mixed V",
  "divided by the sum of each row afterwards": "the attention is divided by its row sums after the softmax: leave it, its columns sum to 1",
  "query bias twice": "β_q is added twice: project adds it already",
  "all biases twice": "the biases are added twice: project adds them already",
  "arguments of project in another order for the queries": "for the queries X and Ω stand in each other's place, as in project(omega, X, beta): it is Ω times X",
  "the scores are of X": "the scores are of X itself: they are of keys and queries, Kᵀ Q",
  "X mixed with the right attention, transposed": "X is mixed as rows: mix the values, V times attention",
  "rounded": "the numbers are rounded: keep all of their digits",
  "first query only": "every query has the same attention: each column belongs to a query of its own, and is made with it",
  "queries and keys swapped, no scale": "queries and keys have changed places, and the scale is missing: the scores are Kᵀ Q / √D_h",
  "lesson 01's two products": "Q Kᵀ and A V are for tokens in rows: here the scores are Kᵀ Q, and X_prime is V times attention",
  "lesson 01's two products, no scale": "Q Kᵀ and A V are for tokens in rows, and the scale is missing: the scores are Kᵀ Q / √D_h, and X_prime is V times attention",
  "the scores of lesson 01, no scale": "Q Kᵀ is for tokens in rows, and the scale is missing: the scores are Kᵀ Q / √D_h",
  "softmax over the queries, no scale": "the softmax runs over the queries, and the scale is missing: divide by √D_h, and go down each column",
  "softmax over the queries, attention on the left": "the softmax runs over the queries (each row sums to 1), and the last product is turned round: go down each column, then V times attention",
  "softmax over the queries, V with the transposed attention": "the softmax runs over the queries (each row sums to 1), and V meets the transposed attention: go down each column, then V times attention",
  "no biases, no scale": "the biases are missing, and so is the scale: project with beta, and divide by √D_h",
  "no scale, attention on the left": "the scores are not scaled, and the last product is turned round: divide by √D_h, then V times attention",
  "no scale, V with the transposed attention": "the scores are not scaled, and V meets the transposed attention: divide by √D_h, then V times attention",
  "no scale, no projection of the values": "the scores are not scaled, and the values are X itself: divide by √D_h, and project X for the values",
  "divided by the sums of the rows in the wrong places": "the sum is taken along axis 1, and its numbers lie along the wrong axis: add down the columns, or use softmax_cols",
  "mean of the values": "the values are averaged evenly: mix them by the attention",
  "future blocked": "scores are blocked by a mask: this head has none, every query sees every key"},
 "calls": {
  "D = N = D_h = 3": [["X", "omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k"], [[[-0.777143, -0.72031, -0.593111], [-0.227232, -0.388002, -0.632293], [-0.588927, -0.760982, -1.04356]], [[0.178425, 0.475576, 0.883653], [0.3675, 0.276519, 0.0803449], [0.454075, 0.247905, 0.0360022]]], [
   ["no scale", [-0.62978, -0.23874], [-0.67245, -0.18438]],
   ["divides by D_h, not by its root", [-0.44662, -0.34813], [-0.15966, -0.081544]],
   ["multiplies by the root", [-0.79544, -0.036796], [-1.0106, -0.095111]],
   ["power without brackets", [-0.53765, -0.32583], [-0.4637, -0.19421]],
   ["power without any brackets", [-0.41097, -0.33272], [0.054258, 0.050211]],
   ["root of the root", [-0.56405, -0.30528], [-0.52798, -0.1983]],
   ["root of the scores", [-173.27, -1568], [-172.37, -1565.7]],
   ["scaled after the softmax", [-0.3636, -0.13783], [-0.38824, -0.10645]],
   ["scale before and after the softmax", [-0.29575, -0.19666], [-0.22836, -0.10487]],
   ["no scale", [-0.3636, -0.13783], [-0.67245, -0.18438]],
   ["mixture scaled too", [-0.29575, -0.19666], 0],
   ["scores negated", [-0.33711, -0.5859], [1.0139, 0.48459]],
   ["softmax over the queries", [-0.53544, -1.5648], [-0.27428, 0.64314]],
   ["softmax over the whole table", [-0.053445, -0.42993], [-0.21397, 0.059783]],
   ["softmax forgotten", [-1.652, -3.7119], [-1.6787, 0.75704]],
   ["softmax forgotten, no scale", [-2.8613, -6.4292], [-2.9077, 1.3112]],
   ["scores mixed, attention given back", [-1.652, -3.7119], 0],
   ["scores given back", 0, [-1.6787, 0.75704]],
   ["softmax twice", [-0.42953, -0.34419], [0.058421, 0.063554]],
   ["shares not normalised", [-0.95024, -7.6441], [-3.8044, 1.0629]],
   ["queries and keys swapped", [-0.545, -0.10102], [-0.88168, -0.020438]],
   ["queries from omega_q and beta_k", [-0.7183, -0.30636], [-0.46445, -0.09075]],
   ["queries from omega_q and beta_v", [-0.31961, -0.38319], [-0.25628, -0.23748]],
   ["queries from omega_k and beta_q", [-0.26287, -1.1902], [1.8861, 0.40114]],
   ["queries from omega_k and beta_k", [-0.20878, -1.1861], [1.804, 0.41531]],
   ["queries from omega_v and beta_q", [-1.0027, 0.33237], [-0.59617, 0.543]],
   ["queries from omega_v and beta_v", [-0.87684, 0.33001], [-0.47126, 0.6214]],
   ["keys from omega_q and beta_q", [-0.17678, -0.94396], [1.0301, 0.27233]],
   ["keys from omega_v and beta_k", [-0.2389, -0.36636], [0.39119, 0.20949]],
   ["values from omega_q and beta_q", [0.96673, 0.75922], 0],
   ["values from omega_q and beta_v", [0.75859, 0.72403], 0],
   ["values from omega_k and beta_k", [1.7698, 0.73984], 0],
   ["values from omega_k and beta_v", [1.1198, 0.45563], 0],
   ["values from omega_v and beta_q", [-0.30411, -0.30545], 0],
   ["values from omega_v and beta_k", [0.13773, -0.056426], 0],
   ["weights of queries and keys swapped, biases not", [-0.68054, -0.10844], [-0.88389, 0.0038138]],
   ["arguments in the order q, k, v", [-0.45766, 0.85004], [0.36962, 0.03494]],
   ["arguments in the order k, v, q", [1.0456, 1.0994], [0.23606, 0.19373]],
   ["biases in the order q, k, v", [0.33036, -0.098986], [-0.25628, -0.23748]],
   ["weights in the order q, k, v", [-1.4324, 0.51783], [0.45331, 0.047952]],
   ["queries and values swapped", [-0.91717, 1.8718], [-0.47126, 0.6214]],
   ["keys and values swapped", [-0.92196, -0.12037], [0.39119, 0.20949]],
   ["no projection at all", [1.4797, 1.9246], [1.1377, 0.27031]],
   ["values not projected", [-2.0751, -1.3873], 0],
   ["queries not projected", [-0.22957, -0.37814], [0.24103, 0.0039671]],
   ["keys not projected", [-0.63185, 0.048295], [0.02647, 0.35329]],
   ["query bias left out", [-0.46554, -0.35228], [-0.36507, -0.19739]],
   ["value bias left out", [0.023122, 0.026844], 0],
   ["value bias added twice", [-1.0476, -0.7081], 0],
   ["all biases left out", [0.069829, 0.015189], [-0.36507, -0.19739]],
   ["biases subtracted", [0.65094, 0.37142], [-0.33231, -0.21102]],
   ["residual added", [1.6233, 3.1043], 0],
   ["columns and rows confused: rows are tokens", [0.6743, -5.4525], [0.43246, 0.21994]],
   ["X transposed", [0.10854, -0.10201], [0.17969, 0.075077]],
   ["weights transposed", [-0.21312, -0.18805], [0.44357, 0.16534]],
   ["weights from the right", [0.010361, -1.4349], [0.83223, -0.22168]],
   ["features compared with features", [-1.0459, -0.23226], [-0.44436, 0.15261]],
   ["the scores of lesson 01", [-0.92083, -0.064293], [-0.11294, 0.18897]],
   ["keys not transposed", [-0.48281, -0.61378], [0.075763, -0.20521]],
   ["queries times keys, none transposed", [-0.94294, -0.081397], [0.089803, 0.14175]],
   ["both transposed", [-1.0696, -0.0042878], [-0.59115, 0.24074]],
   ["both transposed, queries first", [-0.49621, -0.11296], [-0.56086, 0.1573]],
   ["entry by entry", [-0.3884, -0.77651], [0.92376, 0.23125]],
   ["entry by entry", [-0.36673, -0.68577], [0.96814, 0.22318]],
   ["attention on the left of the values", [-1.2047, -0.77007], 0],
   ["as in lesson 01 at the end", [-1.5765, -0.31774], 0],
   ["transposed back from lesson 01", [-0.80743, -1.035], 0],
   ["attention times the transposed values", [-0.44963, -1.0993], 0],
   ["values transposed", [-0.071778, -0.20663], 0],
   ["values and attention transposed", [-0.78369, -1.342], 0],
   ["values meet the transposed attention", [-0.67189, -1.1625], 0],
   ["values times attention, entry by entry", [0.61474, -0.36657], 0],
   ["attention given back as query by key", 0, [-0.41426, 0.70694]],
   ["pair in the wrong order", [-0.39553, -0.18165], [-0.51225, -0.34063]],
   ["only the mixture given back", [-0.51225, -0.34063, [3, 3]]],
   ["only the mixture given back", [-0.39553, -0.18165, [3, 3]]],
   ["values given back for the mixture", [0.49895, -1.8565], 0],
   ["one query at a time, only the last kept", [0.77068, -0.12951], [-0.80613, -0.54432]],
   ["root of 2", [-0.54914, -0.31746], [-0.49234, -0.19694]],
   ["softmax of the result, not of the scores", [0.032976, 0.026355], [-1.6787, 0.75704]],
   ["softmax of the result, too", [0.23484, 0.13567], 0],
   ["value bias multiplied", [-0.013873, -0.016106], 0],
   ["values mixed twice", [-0.47839, -0.4254], 0],
   ["values multiplied twice", [0.66706, 2.9121], 0],
   ["mixture of unscaled scores", [-0.62978, -0.23874], 0],
   ["unscaled attention given back", 0, [-0.67245, -0.18438]],
   ["divided by the sum of each row afterwards", [-0.67839, -0.65013], [0.020619, 0.098311]],
   ["query bias twice", [-0.55915, -0.32937], [-0.42305, -0.16434]],
   ["all biases twice", [-1.0945, -0.69684], [-0.42305, -0.16434]],
   ["arguments of project in another order for the queries", [-0.28725, -0.78155], [0.47001, -0.12836]],
   ["the scores are of X", [-0.021335, -0.86989], [1.1377, 0.27031]],
   ["X mixed with the right attention, transposed", [0.38894, 2.8629], 0],
   ["rounded", [-0.57474, -0.27281], [-0.45321, -0.098424]],
   ["first query only", [-0.28355, -0.28638], [0.44632, 0.24349]],
   ["queries and keys swapped, no scale", [-0.69155, 0.034078], [-1.3799, -0.038298]],
   ["queries and keys swapped", [-0.53544, -1.5648], [-0.88168, -0.020438]],
   ["queries and keys swapped", [-1.3782, -0.73099], [-0.88168, -0.020438]],
   ["queries and keys swapped", [-0.9019, -1.2107], [-0.88168, -0.020438]],
   ["lesson 01's two products", [-0.9776, -0.95263], [-0.11294, 0.18897]],
   ["lesson 01's two products, no scale", [-1.2047, -0.79112], [-0.38658, 0.16953]],
   ["the scores of lesson 01, no scale", [-1.143, 0.085174], [-0.38658, 0.16953]],
   ["softmax over the queries, no scale", [-0.55213, -2.1418], [-0.53458, 0.91391]],
   ["softmax over the queries, attention on the left", [-1.5466, -0.26059], [-0.27428, 0.64314]],
   ["softmax over the queries, V with the transposed attention", [-0.545, -0.10102], [-0.27428, 0.64314]],
   ["no biases, no scale", [-0.0066147, 0.077093], [-0.61836, -0.23151]],
   ["no scale, attention on the left", [-1.4064, -0.64585], [-0.67245, -0.18438]],
   ["no scale, V with the transposed attention", [-0.77594, -1.3859], [-0.67245, -0.18438]],
   ["no scale, no projection of the values", [-2.4854, -1.8734], [-0.67245, -0.18438]],
   ["divided by the sums of the rows in the wrong places", [0.29558, -0.49749], [-1.0206, -0.55451]],
   ["mean of the values", [-0.38643, -0.33033], 0],
   ["future blocked", [-0.3295, -1.0198], [0.13774, -0.059914]]]],
  "D = 5, N = 2, D_h = 6": [["X", "omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k"], [[[-0.577564, -1.00424], [-0.358431, -0.563234], [-0.41364, -0.0162247], [1.96079, 1.2513], [0.264279, 0.125306], [0.146715, -0.418932]], [[0.0100368, 0.25385], [0.989963, 0.74615]]], [
   ["root of D, not of the head's size", [-0.59408, -0.39199], [-0.44848, 0.10559]],
   ["root of N, not of the head's size", [-0.039638, -0.36558], [-0.35341, 0.21339]],
   ["the root of 3, the size of a head in the first example", [-0.28833, -0.37327], [-0.39853, 0.16313]]]]}},
 "two-heads": {
 "made of": "7277fd229e80", "defines": ["multihead_scaled_self_attention"],
 "advice": {
  "no scale": "the scores are not scaled: divide them by √D_h before the softmax",
  "root of D": "you divide by √D: √D_h is meant, the size of one head",
  "root of N": "you divide by √N, the number of tokens: √D_h is meant, the size of one head",
  "divides by D_h": "the scores are divided by D_h, or twice by its root: divide them once, by √D_h",
  "root of the number of heads": "you divide by √2, as if by the number of heads: √D_h is meant, the size of one head",
  "softmax over the queries": "the softmax runs over the queries: it must run over the keys, down each column",
  "queries and keys swapped": "queries and keys have changed places: the scores are Kᵀ Q, and a head takes its arguments in the order v, q, k",
  "values meet the transposed attention": "V meets the transposed attention: multiply by the attention as it is",
  "query bias left out": "β_q is missing in both heads",
  "value bias left out": "β_v is missing in both heads",
  "all biases left out": "the biases are missing in both heads",
  "values not projected, features cut in two": "the values are X itself, cut in two: each head has its own Ω_v and β_v for all of X",
  "result as rows": "the result is transposed: a token is a column",
  "head 0 used twice": "both halves are made by head 0: the lower one takes the Ω and β that end in 2",
  "head 1 used twice": "both halves are made by head 1: the upper one takes the Ω and β that end in 1",
  "omega_v1 in head 1": "head 1 gets omega_v1: it takes omega_v2",
  "omega_v2 in head 0": "head 0 gets omega_v2: it takes omega_v1",
  "omega_q1 in head 1": "head 1 gets omega_q1: it takes omega_q2",
  "omega_q2 in head 0": "head 0 gets omega_q2: it takes omega_q1",
  "omega_k1 in head 1": "head 1 gets omega_k1: it takes omega_k2",
  "omega_k2 in head 0": "head 0 gets omega_k2: it takes omega_k1",
  "beta_v1 in head 1": "head 1 gets beta_v1: it takes beta_v2",
  "beta_v2 in head 0": "head 0 gets beta_v2: it takes beta_v1",
  "beta_q1 in head 1": "head 1 gets beta_q1: it takes beta_q2",
  "beta_q2 in head 0": "head 0 gets beta_q2: it takes beta_q1",
  "biases of head 0 in head 1": "head 1 gets the biases of head 0: its own end in 2",
  "weights of head 0 in head 1, biases right": "head 1 gets the Ω of head 0: its own end in 2",
  "q and k of head 0 in head 1": "head 1 is mixed by the attention of head 0: its own comes from omega_q2, omega_k2, beta_q2 and beta_k2",
  "arguments of a head in the order q, k, v": "a head's arguments come in the order v, q, k: here they are in the order q, k, v",
  "biases of a head in the order q, k, v": "the biases of a head come in the order v, q, k: here they are in the order q, k, v",
  "weights of a head in the order q, k, v": "the Ω of a head come in the order v, q, k: here they are in the order q, k, v",
  "arguments of a head in the order k, q, v": "a head's arguments come in the order v, q, k: here they are in the order k, q, v",
  "arguments of head 1 in the order q, k, v": "head 1 gets its arguments in the order q, k, v: it takes v, q, k",
  "biases of head 1 in the order q, k, v": "head 1 gets its biases in the order q, k, v: it takes v, q, k",
  "arguments of head 0 in the order q, k, v": "head 0 gets its arguments in the order q, k, v: it takes v, q, k",
  "the order of the data cell in the line with def": "the arguments have changed places: the line with def has v, q, k for each head, not q, k, v",
  "mean attention for both": "both heads use the mean of the two attentions: each head has its own",
  "one big head": "this is one head of size D: each of the two has a softmax of its own, and is stacked after it",
  "stacked in the wrong order": "the heads are stacked in the wrong order: head 0 on top, head 1 below",
  "heads interleaved": "the rows of the heads alternate: put all rows of head 0 on top, then all of head 1, with np.vstack",
  "tokens mixed by a reshape": "a reshape has mixed the tokens: stack the heads with np.vstack",
  "heads averaged": "the heads are averaged: stack them below each other",
  "heads summed": "the heads are summed: stack them below each other",
  "one half of omega_c": "only head 0 passes Ω_c: stack both heads, then multiply",
  "omega_c left out": "Ω_c is left out: multiply the stacked heads by it, from the left",
  "omega_c from the wrong side": "Ω_c is transposed, or acts from the right on tokens as rows: it is Ω_c times the stacked heads",
  "omega_c before the heads": "Ω_c multiplies X before the heads: it comes after them, and multiplies their stack",
  "omega_c twice": "Ω_c multiplies twice: once is enough",
  "omega_c for each head alone": "each head passes the same block of Ω_c: stack the heads first, then multiply by the whole",
  "omega_c cut into diagonal blocks": "the heads don't meet in Ω_c: stack them first, then multiply by the whole",
  "residual added": "X is added to the result: X_prime is Ω_c times the stack alone",
  "rounded": "the numbers are rounded: give them back as they are",
  "published numbers pasted": "these are the published numbers, for other tokens: compute X_prime from the arguments",
  "biases of head 0 in the order v, k, q": "head 0 gets β_k for its queries: its biases come in the order v, q, k",
  "weights of head 0 in the order v, k, q": "head 0 gets omega_k1 and omega_q1 in each other's place: its Ω come in the order v, q, k",
  "queries and keys of head 0 swapped": "head 0 gets queries and keys in each other's place: its arguments come in the order v, q, k",
  "weights of head 0 in the order q, v, k": "head 0 gets omega_q1 and omega_v1 in each other's place: its Ω come in the order v, q, k",
  "biases of head 0 in the order q, v, k": "head 0 gets beta_q1 and beta_v1 in each other's place: its biases come in the order v, q, k",
  "weights of head 0 in the order k, q, v": "head 0 gets omega_k1 and omega_v1 in each other's place: its Ω come in the order v, q, k",
  "weights of head 0 in the order q, k, v": "head 0 gets its Ω in the order q, k, v: it takes v, q, k",
  "biases of head 0 in the order q, k, v": "head 0 gets its biases in the order q, k, v: it takes v, q, k",
  "biases of head 1 in the order v, k, q": "head 1 gets β_k for its queries: its biases come in the order v, q, k",
  "weights of head 1 in the order v, k, q": "head 1 gets omega_k2 and omega_q2 in each other's place: its Ω come in the order v, q, k",
  "queries and keys of head 1 swapped": "head 1 gets queries and keys in each other's place: its arguments come in the order v, q, k",
  "weights of head 1 in the order q, v, k": "head 1 gets omega_q2 and omega_v2 in each other's place: its Ω come in the order v, q, k",
  "biases of head 1 in the order q, v, k": "head 1 gets beta_q2 and beta_v2 in each other's place: its biases come in the order v, q, k",
  "weights of head 1 in the order k, q, v": "head 1 gets omega_k2 and omega_v2 in each other's place: its Ω come in the order v, q, k",
  "weights of head 1 in the order q, k, v": "head 1 gets its Ω in the order q, k, v: it takes v, q, k",
  "biases of a head in the order v, k, q": "both heads get β_k for their queries: their biases come in the order v, q, k",
  "weights of a head in the order v, k, q": "both heads get Ω_k and Ω_q in each other's place: their Ω come in the order v, q, k",
  "biases of a head in the order q, v, k": "both heads get β_q and β_v in each other's place: their biases come in the order v, q, k",
  "weights of a head in the order q, v, k": "both heads get Ω_q and Ω_v in each other's place: their Ω come in the order v, q, k",
  "weights of a head in the order k, q, v": "both heads get Ω_k and Ω_v in each other's place: their Ω come in the order v, q, k",
  "biases of a head in the order k, q, v": "both heads get β_k and β_v in each other's place: their biases come in the order v, q, k",
  "one half of omega_c for both heads": "both heads meet the same columns of Ω_c: the second takes the other half, or stack first",
  "halved": "the stack is halved: the heads are stacked, not averaged",
  "softmax at the end": "X_prime went through a softmax: give back Ω_c times the stack",
  "scale at the end": "X_prime is divided by √D or √D_h at the end: only the scores are scaled, inside the head",
  "heads multiplied": "head 0 is multiplied by head 1 in the stack: put each below the other as it is",
  "second head adds the first": "head 0 is added to head 1 in the stack: put each below the other as it is"},
 "calls": {
  "D_h = 3, N = 4, an Ω_c that changes nothing": [["X", "omega_v1", "omega_q1", "omega_k1", "beta_v1", "beta_q1", "beta_k1", "omega_v2", "omega_q2", "omega_k2", "beta_v2", "beta_q2", "beta_k2", "omega_c"], [[[1.05401, 2.31183, 0.616549, 2.06801], [0.964979, 3.06012, 0.0441918, 2.79184], [-1.78596, -0.0207039, -1.95259, -0.644025], [1.48052, -0.185006, 1.55092, -0.20488], [0.66943, -0.184398, 0.695459, -0.232708], [1.22071, -1.2465, 1.21055, -1.08324]]], [
   ["no scale", [1.5594, 2.951]],
   ["root of D", [1.2283, 1.4768]],
   ["root of N", [1.331, 1.8488]],
   ["divides by D_h", [1.1217, 1.1068]],
   ["root of the number of heads", [1.4717, 2.4379]],
   ["softmax over the queries", [-2.0577, 1.791]],
   ["queries and keys swapped", [-5.0808, -2.1887]],
   ["values meet the transposed attention", [-3.9384, -1.6945]],
   ["query bias left out", [1.5436, 0.70901]],
   ["value bias left out", [0.76485, 3.0231]],
   ["all biases left out", [0.9125, 1.6292]],
   ["values not projected, features cut in two", [-0.59866, 3.6278]],
   ["result as rows", [5.4187, -1.7925, [4, 6]]],
   ["head 0 used twice", [-1.5283, -1.5476]],
   ["head 1 used twice", [1.4612, 1.8595]],
   ["omega_v1 in head 1", [1.7477, -0.81969]],
   ["omega_v2 in head 0", [0.97917, 5.0022]],
   ["omega_q1 in head 1", [5.2296, 0.8937]],
   ["omega_q2 in head 0", [3.9287, 1.5558]],
   ["omega_k1 in head 1", [1.117, -0.89658]],
   ["omega_k2 in head 0", [-1.0808, 2.572]],
   ["beta_v1 in head 1", [1.391, 2.2981]],
   ["beta_v2 in head 0", [0.95914, 2.7267]],
   ["beta_q1 in head 1", [1.0475, 0.87296]],
   ["beta_q2 in head 0", [0.88551, 1.1789]],
   ["biases of head 0 in head 1", [1.0426, 1.0682]],
   ["weights of head 0 in head 1, biases right", [-1.6149, -1.2897]],
   ["q and k of head 0 in head 1", [-1.8253, -5.2651]],
   ["arguments of a head in the order q, k, v", [-1.5443, 0.064004]],
   ["biases of a head in the order q, k, v", [1.7996, 2.2297]],
   ["weights of a head in the order q, k, v", [-1.2732, -3.4891]],
   ["arguments of a head in the order k, q, v", [3.2237, 1.2925]],
   ["arguments of head 1 in the order q, k, v", [0.22618, -1.8925]],
   ["biases of head 1 in the order q, k, v", [0.91354, 0.30071]],
   ["arguments of head 0 in the order q, k, v", [-0.37457, 4.0594]],
   ["the order of the data cell in the line with def", [1.128, -1.5093]],
   ["mean attention for both", [-0.085303, -1.3372]],
   ["one big head", [-1.3219, -1.7771]],
   ["stacked in the wrong order", [-1.463, -1.791]],
   ["heads interleaved", [0.85097, 11.455]],
   ["tokens mixed by a reshape", [-2.372, -0.88319]],
   ["heads averaged", [-0.033541, 0.15594]],
   ["heads summed", [-0.067081, 0.31189]],
   ["one half of omega_c", [0.52135, -1.1562]],
   ["residual added", [2.9126, 5.0026]],
   ["rounded", [1.5649, 2.2094]],
   ["published numbers pasted", [-57.567, -32.407, [8, 6]]],
   ["biases of head 0 in the order v, k, q", [2.4696, 1.1601]],
   ["weights of head 0 in the order v, k, q", [-1.9956, 1.4287]],
   ["queries and keys of head 0 swapped", [-2.5677, 1.5443]],
   ["weights of head 0 in the order q, v, k", [0.38049, 2.3347]],
   ["biases of head 0 in the order q, v, k", [-1.102, 4.1194]],
   ["weights of head 0 in the order k, q, v", [3.1593, 2.3483]],
   ["weights of head 0 in the order q, k, v", [0.47639, 0.69279]],
   ["biases of head 0 in the order q, k, v", [2.282, 4.0319]],
   ["biases of head 1 in the order v, k, q", [1.0347, 0.18712]],
   ["weights of head 1 in the order v, k, q", [-1.5659, -1.7033]],
   ["queries and keys of head 1 swapped", [-1.1172, -1.6301]],
   ["weights of head 1 in the order q, v, k", [-1.1604, -0.047343]],
   ["biases of head 1 in the order q, v, k", [1.2854, 2.4377]],
   ["weights of head 1 in the order k, q, v", [2.6105, 0.74996]],
   ["weights of head 1 in the order q, k, v", [-0.3537, -2.079]],
   ["biases of a head in the order v, k, q", [2.1084, -0.75563]],
   ["weights of a head in the order v, k, q", [-4.9574, -2.3775]],
   ["biases of a head in the order q, v, k", [-1.2125, 4.4543]],
   ["weights of a head in the order q, v, k", [-2.1758, 0.18452]],
   ["weights of a head in the order k, q, v", [4.3739, 0.99535]],
   ["biases of a head in the order k, q, v", [0.24581, 2.4]],
   ["one half of omega_c for both heads", [1.108, -2.5558]],
   ["halved", [0.69796, 1.0514]],
   ["softmax at the end", [0.45006, 0.022736]],
   ["scale at the end", [0.80594, 1.2141]],
   ["scale at the end", [0.56989, 0.85849]],
   ["heads multiplied", [1.8438, 5.5108]],
   ["second head adds the first", [-0.65369, 1.7115]]]],
  "D = 6, N = 4": [["X", "omega_v1", "omega_q1", "omega_k1", "beta_v1", "beta_q1", "beta_k1", "omega_v2", "omega_q2", "omega_k2", "beta_v2", "beta_q2", "beta_k2", "omega_c"], [[[-2.88794, -4.15975, -1.55936, -3.75368], [-1.94161, 2.51021, -2.52815, 1.67738], [0.857438, -2.70529, 2.02476, -1.92217], [1.30042, 2.02164, 1.48046, 2.1463], [-1.22902, -1.47694, -0.935999, -1.48724], [-1.9682, 0.876267, -1.62049, 0.650579]]], [
   ["omega_c left out", [1.3959, 2.1029]],
   ["omega_c from the wrong side", [1.4791, 7.8297]],
   ["omega_c before the heads", [5.0867, -0.73595]],
   ["omega_c twice", [7.918, 24.355]],
   ["omega_c for each head alone", [-1.6466, -21.05]],
   ["omega_c cut into diagonal blocks", [-2.2092, -16.57]]]],
  "the published data": [["X", "omega_v1", "omega_q1", "omega_k1", "beta_v1", "beta_q1", "beta_k1", "omega_v2", "omega_q2", "omega_k2", "beta_v2", "beta_q2", "beta_k2", "omega_c"], [[[-21.2071, -5.37331, -20.9334, -9.17882, -11.3186, -17.8117], [-1.99514, 7.9057, -10.5156, 3.45247, 9.86252, -7.23986], [5.4792, 1.11522, 9.24438, 0.452599, 5.65618, 7.08906], [-7.41293, -7.41621, 0.363209, -5.57321, -6.73555, -0.847519], [-11.2613, -9.93665, -4.84792, -8.91504, -13.3784, -5.76124], [3.54793, 10.0358, -2.24414, 1.60355, 12.1133, -2.55676], [4.88849, -5.81386, 2.40744, 3.22772, -4.23153, 3.7104], [1.24781, 18.8941, -6.40861, 3.22363, 19.7166, -5.62887]]], []]}},
 "multihead-attention": {
 "made of": "d5f5de7347a4", "defines": ["multihead_attention"],
 "advice": {
  "no scale": "the scores are not scaled: divide them by √D_h before the softmax",
  "root of D": "the scores are divided by √D, or by √H as well: √D_h is meant, the size of one head",
  "root of N": "you divide by √N, the number of tokens: √D_h is meant, the size of one head",
  "divides by D_h": "the scores are divided by D_h, or twice by its root: divide them once, by √D_h",
  "root of the number of heads": "you divide by √H, the number of heads: √D_h is meant, the second axis of omega_q",
  "softmax over the queries": "the softmax runs over the queries: it must run over the keys, axis 1 of [head, key, query]",
  "softmax over the heads": "the softmax runs over the heads: with three axes the keys are axis 1",
  "softmax over everything": "all shares together sum to 1: each column of each head should",
  "softmax over each table": "all shares of a head sum to 1: each column of it should",
  "softmax forgotten": "the attentions are the scaled scores: put each table through softmax_cols",
  "queries and keys swapped": "queries and keys have changed places: the scores are Kᵀ Q, key by query, and 2.3 takes v, q, k",
  "scores summed over all heads": "the scores of all heads are added up: each head keeps its own table",
  "values meet the transposed attention": "V meets the transposed attention: multiply by the attention as it is",
  "query bias left out": "β_q is missing: add it to the queries of every head",
  "value bias left out": "X_prime lacks β_v: add it to the values of every head",
  "all biases left out": "the biases are missing: add each to its projection",
  "biases of head 0 for all": "the biases of head 0 are added in every head: take beta_q[h] and beta_v[h]",
  "values not projected, features cut up": "the values are X itself, cut up: each head has its own Ω_v and β_v for all of X",
  "head 0 used for all": "every head is made with the weights of head 0: index them with the h of the loop",
  "last head used for all": "every head is made with the weights of the last one: collect each head's result inside the loop, made with its own h",
  "attention of head 0 for all": "every head is mixed by the attention of head 0: each has its own",
  "mean attention for all": "every head is mixed by the mean of the attentions: each has its own",
  "stacked in the wrong order": "the heads are stacked in the wrong order: head 0 on top",
  "heads interleaved": "the rows of the heads alternate: put all rows of head 0 on top, then those of head 1",
  "heads joined by the wrong reshape": "each mixture is transposed in the stack: stack them as they are, with np.vstack or a reshape of (H, D_h, N)",
  "heads moved last before the reshape": "the reshape mixes heads and tokens: it joins the first two axes only if these are head and feature, in this order",
  "heads averaged": "the heads are averaged: stack them below each other",
  "heads summed": "the heads are summed: stack them below each other",
  "omega_c left out": "Ω_c is left out: multiply the stacked heads by it, from the left",
  "omega_c from the wrong side": "Ω_c is transposed, or acts from the right on tokens as rows: it is Ω_c times the stacked heads",
  "omega_c before the heads": "Ω_c multiplies X before the heads: it comes after them, and multiplies their stack",
  "a block of omega_c for each head": "the heads don't meet in Ω_c: stack them first, then multiply by the whole",
  "result transposed": "X_prime is transposed: a token is a column",
  "residual added": "X is added to the result: X_prime is Ω_c times the stack alone",
  "attentions as query by key": "X_prime is right, but the attentions are transposed: they are [head, key, query]",
  "attentions averaged, one table": "the attentions are averaged, and one table came back: give back one for each head, np.array(attentions)",
  "attentions averaged, a copy for each head": "the attentions are averaged: keep one table for each head",
  "attention of head 0 given back for all": "the attention of head 0 stands in the place of every other, too: collect each head's own",
  "only the last attention given back": "one table came back, that of the last head: collect one for each head in the loop",
  "only the first attention given back": "one table came back, that of head 0: collect one for each head in the loop",
  "attentions in the wrong order": "the attentions come back in the wrong order: head 0 first",
  "attentions below each other": "the attentions lie below each other in one table: np.array(attentions) gives them an axis of their own",
  "attentions beside each other": "the attentions lie beside each other in one table: np.array(attentions) gives them an axis of their own",
  "heads last in the attentions": "the heads are the last axis of the attentions: make them the first, as in np.array(attentions)",
  "scores given back": "X_prime is right, but what comes with it are the scores: give back the attentions",
  "mixtures given back": "X_prime is right, but what comes with it are the mixtures: give back the attentions",
  "only the mixture given back": "both are wanted, X_prime and the attentions",
  "pair in the wrong order": "give back X_prime first, then the attentions",
  "arguments of a head in the order q, k, v": "the Ω and β have changed places: 2.5 gets them in the order q, k, v, and passes them to 2.3 in the order v, q, k",
  "arguments of a head in the order k, q, v": "2.3 takes its arguments in the order v, q, k: here they are passed in the order k, q, v",
  "biases of a head in the order q, k, v": "2.3 takes its biases in the order v, q, k: here they are passed in the order q, k, v",
  "weights of a head in the order q, k, v": "2.3 takes its Ω in the order v, q, k: here they are passed in the order q, k, v",
  "omega_q of head 0 for all": "omega_q[0] is taken in every head: take omega_q[h]",
  "omega_k of head 0 for all": "omega_k[0] is taken in every head: take omega_k[h]",
  "omega_v of head 0 for all": "omega_v[0] is taken in every head: take omega_v[h]",
  "beta_q of head 0 for all": "beta_q[0] is taken in every head: take beta_q[h]",
  "beta_v of head 0 for all": "beta_v[0] is taken in every head: take beta_v[h]",
  "biases of a head in the order v, k, q": "β_k goes to the queries: 2.3 takes its biases in the order v, q, k",
  "biases of a head in the order q, v, k": "β_q and β_v are in each other's place: 2.3 takes its biases in the order v, q, k",
  "biases of a head in the order k, q, v": "β_k and β_v are in each other's place: 2.3 takes its biases in the order v, q, k",
  "weights of a head in the order v, k, q": "Ω_k and Ω_q are in each other's place: 2.3 takes its Ω in the order v, q, k",
  "weights of a head in the order q, v, k": "Ω_q and Ω_v are in each other's place: 2.3 takes its Ω in the order v, q, k",
  "weights of a head in the order k, q, v": "Ω_k and Ω_v are in each other's place: 2.3 takes its Ω in the order v, q, k",
  "first number of each bias only": "beta[h, 0] is one number: take beta[h], the column of head h",
  "mixture and attention in each other's place": "mixture and attention have changed places: 2.3 gives the mixture first",
  "attentions appended twice": "the attentions are stacked in place of the mixtures: append each mixture to its own list",
  "heads in reverse": "the heads come in reverse order: head 0 first, in the stack and in the attentions",
  "attentions summed": "the attentions are added up to one table: give back one for each head, np.array(attentions)",
  "rows h to h plus D_h": "head h begins at row h: it should begin at row h times D_h",
  "rows from h times H on": "head h begins at row h times H: it should begin at row h times D_h",
  "every head written into the same rows": "every head overwrites the one before: head h takes the rows from h times D_h on",
  "the first columns of omega_c for every head": "every head meets the first columns of Ω_c: head h takes those from h times D_h on, or stack first",
  "columns h to h plus D_h of omega_c": "head h meets the columns of Ω_c from h on: it takes those from h times D_h on",
  "pairs taken for the two lists": "the list holds a pair for each head: collect mixtures and attentions in lists of their own",
  "halved": "the stack is divided by the number of heads: they are stacked, not averaged",
  "softmax at the end": "X_prime went through a softmax: give back Ω_c times the stack",
  "reshaped from the transposed stack": "the reshape mixes the tokens with the heads: stack the mixtures with np.vstack"},
 "calls": {
  "N = D_h = 3, an Ω_c that changes nothing": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[0.393185, 0.221102, 0.654026], [0.0836689, 1.00994, -1.70519], [-0.245572, -0.309619, -0.0932551], [1.94526, 1.91706, 1.82905], [-0.377056, -0.500539, -0.443078], [-0.676814, -0.659879, -0.671773]], [[[0.0969941, 0.183423, 0.0101754], [0.429142, 0.585891, 0.0338995], [0.473864, 0.230686, 0.955925]], [[0.755487, 0.600265, 0.592231], [0.243164, 0.360133, 0.337809], [0.00134979, 0.0396012, 0.0699605]]]], [
   ["no scale", [2.4597, -0.37016], [0.57622, 1.0798]],
   ["root of D", [1.9789, 0.058361], [0.2842, 0.9966]],
   ["divides by D_h", [1.7788, 0.14017], [0.19637, 0.94776]],
   ["root of the number of heads", [2.3646, -0.19583], [0.48684, 1.0688]],
   ["softmax over the queries", [-1.3496, 1.2657], [-1.0904, 0.30793]],
   ["softmax over the heads", [-0.61707, -0.080505], [-1.0119, 0.58592]],
   ["softmax over everything", [-1.6681, 0.78107], [-0.64774, 0.07586]],
   ["softmax over each table", [-1.2461, 0.6173], [-0.50098, 0.38866]],
   ["softmax forgotten", [-12.069, -0.49975], [-4.9904, -2.6214]],
   ["queries and keys swapped", [2.6803, 0.21273], [0.41959, 1.0873]],
   ["scores summed over all heads", [2.2647, -0.009495], [-0.40034, 0.81389]],
   ["values meet the transposed attention", [-1.3174, 0.074376], 0],
   ["query bias left out", [2.9318, 0.28858], [0.38674, 1.1381]],
   ["value bias left out", [2.2189, -0.26073], 0],
   ["all biases left out", [2.893, 0.12578], [0.38674, 1.1381]],
   ["biases of head 0 for all", [1.7159, 0.22325], [0.58509, 1.0391]],
   ["values not projected, features cut up", [-0.36871, 0.83233], 0],
   ["head 0 used for all", [0.18356, -2.1376], [-0.22036, 0.47199]],
   ["last head used for all", [-0.56977, 0.41416], [-0.29726, 0.47705]],
   ["attention of head 0 for all", [1.7645, -1.2084], [-0.22036, 0.47199]],
   ["mean attention for all", [1.6464, -0.13677], 0],
   ["stacked in the wrong order", [-2.644, -1.6255], 0],
   ["heads interleaved", [1.8691, -1.351], 0],
   ["heads joined by the wrong reshape", [-1.1547, -0.55959], 0],
   ["heads moved last before the reshape", [-0.089275, 3.3597], 0],
   ["heads averaged", [-0.19311, -0.86172], 0],
   ["heads summed", [-0.38621, -1.7234], 0],
   ["result transposed", [3.7644, 0.70301, [3, 6]], 0],
   ["residual added", [3.4064, 2.2878], 0],
   ["attentions as query by key", 0, [-0.94481, -0.78366]],
   ["attentions averaged, one table", 0, [0.5088, 0.42175, [3, 3]]],
   ["attentions averaged, a copy for each head", 0, [-0.25881, 0.47452]],
   ["attention of head 0 given back for all", 0, [-0.22036, 0.47199]],
   ["only the last attention given back", 0, [0.14931, 0.13432, [3, 3]]],
   ["only the first attention given back", 0, [0.86828, 0.70917, [3, 3]]],
   ["attentions in the wrong order", 0, [-0.93933, -0.10286]],
   ["attentions below each other", 0, [0.42171, 1.0519, [6, 3]]],
   ["attentions beside each other", 0, [0.94665, 0.89431, [3, 6]]],
   ["heads last in the attentions", 0, [-1.0406, 1.3733, [3, 3, 2]]],
   ["scores given back", 0, [-4.9904, -2.6214]],
   ["mixtures given back", 0, [2.2578, -0.09793]],
   ["only the mixture given back", [2.2578, -0.09793, [6, 3]]],
   ["pair in the wrong order", [0.42171, 1.0519, [2, 3, 3]], [2.2578, -0.09793, [6, 3]]],
   ["arguments of a head in the order q, k, v", [-0.04392, -5.7438], [-0.58547, 0.91266]],
   ["arguments of a head in the order k, q, v", [-0.78173, -1.0938], [0.041902, 0.76346]],
   ["biases of a head in the order q, k, v", [2.6782, 0.070166], [0.54121, 1.0941]],
   ["weights of a head in the order q, k, v", [0.24787, -5.7081], [-0.37404, 0.89124]],
   ["omega_q of head 0 for all", [2.8702, 0.43039], [1.2767, 0.92603]],
   ["omega_k of head 0 for all", [1.4048, -1.2429], [-0.15232, 0.47291]],
   ["omega_v of head 0 for all", [1.1778, -0.83365], 0],
   ["beta_q of head 0 for all", [2.3377, -0.064625], [0.58509, 1.0391]],
   ["beta_v of head 0 for all", [1.636, 0.18994], 0],
   ["biases of a head in the order v, k, q", [2.7195, 0.078696], [0.54121, 1.0941]],
   ["biases of a head in the order q, v, k", [3.0068, 0.51304], [0.29089, 1.069]],
   ["biases of a head in the order k, q, v", [1.7845, -0.25048], 0],
   ["weights of a head in the order v, k, q", [1.9137, -0.095459], [-0.063111, 0.98875]],
   ["weights of a head in the order q, v, k", [-0.90911, -5.425], [-0.04353, 0.80812]],
   ["weights of a head in the order k, q, v", [-0.30851, -0.94122], [0.041902, 0.76346]],
   ["first number of each bias only", [2.8017, 1.2635], [0.23566, 0.93521]],
   ["mixture and attention in each other's place", [0.42171, 1.0519], [2.2578, -0.09793]],
   ["attentions appended twice", [0.42171, 1.0519], 0],
   ["heads in reverse", [-2.644, -1.6255], [-0.93933, -0.10286]],
   ["attentions summed", 0, [1.0176, 0.84349, [3, 3]]],
   ["rows h to h plus D_h", [0.39492, 0.11236], 0],
   ["rows from h times H on", [3.5252, -0.20041], 0],
   ["every head written into the same rows", [-1.1653, -0.052625], 0],
   ["the first columns of omega_c for every head", [0.49698, -0.61734], 0],
   ["columns h to h plus D_h of omega_c", [2.3282, -0.33546], 0],
   ["pairs taken for the two lists", [0.57362, -0.80189], [-1.6118, 0.29011]],
   ["halved", [1.1289, -0.048965], 0],
   ["softmax at the end", [0.10958, 0.21637], 0],
   ["reshaped from the transposed stack", [-1.2128, -4.7253], 0]]],
  "H = 2, D_h = 3, N = 4": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[-2.88794, -4.15975, -1.55936, -3.75368], [-1.94161, 2.51021, -2.52815, 1.67738], [0.857438, -2.70529, 2.02476, -1.92217], [1.30042, 2.02164, 1.48046, 2.1463], [-1.22902, -1.47694, -0.935999, -1.48724], [-1.9682, 0.876267, -1.62049, 0.650579]], [[[0.0736971, 0.943276, 0.00406962, 0.630018], [0.563226, 0.000145601, 0.912677, 0.0104532], [0.244703, 0.0202484, 0.00894672, 0.265565], [0.118374, 0.0363299, 0.0743066, 0.0939645]], [[0.860059, 0.024562, 0.907155, 0.0330836], [0.00527411, 0.607928, 0.00404944, 0.649313], [0.00852933, 0.267501, 0.0358149, 0.0485433], [0.126137, 0.100009, 0.0529805, 0.26906]]]], [
   ["root of N", [-0.87339, -16.045], [0.255, -0.093379]],
   ["omega_c left out", [1.3959, 2.1029], 0],
   ["omega_c from the wrong side", [1.4791, 7.8297], 0],
   ["omega_c before the heads", [5.0867, -0.73595], [-0.090368, 0.23249]],
   ["a block of omega_c for each head", [-2.2092, -16.57], 0]]],
  "3 heads in place of 2, D_h = 2, N = 5": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[-1.58024, -2.34196, -0.451823, 0.692359, 0.400015], [-1.18188, -0.616824, -1.26833, -1.26325, -1.35111], [1.01239, -0.159491, 1.44064, 2.13839, 2.47275], [1.61818, 1.99498, 0.758962, 2.27125, 2.79711], [-0.967852, -1.0456, -0.023976, -0.0274395, -0.579407], [-0.450172, -0.354134, -0.305164, 0.951036, 0.985623]], [[[0.472846, 0.22628, 0.113771, 0.379534, 0.1629], [0.11256, 0.0234879, 0.377611, 0.162285, 0.291183], [0.0464543, 0.58704, 0.0302029, 0.0202795, 0.0948407], [0.232882, 0.0335775, 0.35968, 0.32573, 0.279522], [0.135259, 0.129615, 0.118735, 0.112172, 0.171554]], [[0.216664, 0.0445624, 0.0703448, 0.0301594, 0.116398], [0.165308, 0.000264014, 0.246577, 0.000331052, 0.021481], [0.264551, 0.948466, 0.0560524, 0.956277, 0.701986], [0.149019, 3.42759e-05, 0.428677, 5.94585e-05, 0.0118931], [0.204458, 0.00667366, 0.198349, 0.0131733, 0.148242]], [[0.0622288, 0.944459, 0.000339974, 0.995869, 0.627874], [0.371495, 0.000144427, 0.9476, 2.51106e-07, 0.0161868], [0.271608, 0.0232152, 0.0151617, 0.00102962, 0.126985], [0.0601266, 0.0240421, 0.00573045, 0.00288886, 0.144578], [0.234542, 0.00813954, 0.0311678, 0.000212161, 0.0843764]]]], []]}},
 "to-torch": {
 "made of": "d12957b296b8", "defines": ["to_torch"],
 "advice": {
  "omega_c transposed": "Ω_c is transposed: torch transposes out_proj.weight itself, so give it Ω_c as it is",
  "omega_c left out": "out_proj.weight does not mix: it is Ω_c",
  "omega_c replaced by zeros": "out_proj.weight is 0: it is Ω_c",
  "weights transposed": "each Ω is transposed: torch transposes in_proj_weight itself, so put the heads, and then q, k and v, below each other as they are",
  "each head's weights transposed": "each head's Ω is transposed before the heads are joined: leave it as it is",
  "heads interleaved": "the heads are interleaved: join head by head, as reshape does, in the weights and biases alike",
  "heads of the weights interleaved": "the heads of the weights are interleaved, those of the biases are not: join both head by head",
  "heads of the biases interleaved": "the heads of the biases are interleaved: join them head by head, as the weights",
  "head after head, q k v inside": "first q of all heads, then k, then v: here each head's q, k and v come together, in the weights and biases",
  "head after head in the weights": "first q of all heads, then k, then v: here each head's q, k and v come together in the weights",
  "head after head in the biases": "first q of all heads, then k, then v: here each head's q, k and v come together in the biases",
  "heads in the wrong order": "the heads are in the wrong order: head 0 first",
  "heads of the weights in the wrong order": "the heads of the weights are in the wrong order: head 0 first",
  "order v, q, k": "the order is v, q, k here: torch wants q, k, v, in the weights and biases",
  "weights in the order v, q, k": "the weights are in the order v, q, k: torch wants q, k, v, as in the biases",
  "biases in the order v, q, k": "the biases are in the order v, q, k: torch wants q, k, v, as in the weights",
  "order q, v, k": "keys and values are swapped: the order is q, k, v, in the weights and biases",
  "weights in the order q, v, k": "keys and values are swapped in the weights: the order is q, k, v",
  "biases in the order q, v, k": "in_proj_bias holds beta_k in the place of the values': the order is q, k, v",
  "biases in the order v, k, q": "the biases are in the order v, k, q: torch wants q, k, v",
  "order v, k, q": "the order runs backwards, v, k, q: torch wants q, k, v, in the weights and biases",
  "weights in the order v, k, q": "the weights are in the order v, k, q: torch wants q, k, v",
  "queries and keys swapped": "queries and keys are swapped: the order is q, k, v, in the weights and biases",
  "weights of queries and keys swapped": "queries and keys are swapped in the weights: the order is q, k, v",
  "biases of queries and keys swapped": "in_proj_bias holds beta_k in the place of the queries': the order is q, k, v",
  "query weights three times": "omega_q stands in the place of all three: put omega_q, omega_k and omega_v below each other",
  "query biases three times": "in_proj_bias holds beta_q in the place of the values': it takes beta_q, beta_k, beta_v",
  "head 0 repeated": "head 0 is repeated for all heads: join the heads one after the other",
  "no biases": "in_proj_bias is 0: it takes beta_q, beta_k, beta_v",
  "query bias left out": "in_proj_bias lacks β_q: its first D numbers are those of beta_q",
  "value bias left out": "β_v has no effect: it belongs, once, into the last third of in_proj_bias",
  "value bias twice": "β_v is counted twice: it is in in_proj_bias, and in out_proj.bias, which should be 0",
  "value bias after omega_c, but not through it": "β_v in out_proj.bias must pass Ω_c first: leave that bias 0, and β_v in in_proj_bias",
  "ones as output bias": "out_proj.bias is 1: it should be 0, since we have no bias after Ω_c",
  "query bias as output bias": "out_proj.bias is beta_q: it should be 0, since we have no bias after Ω_c",
  "scale folded into the queries": "torch scales by itself: leave the weights and biases undivided",
  "scale folded into the query weights": "torch scales by itself: leave the query weights undivided",
  "scale of all heads undone": "torch scales by the root of one head's size, as we do: leave the weights as they are",
  "biases negated": "the biases have the wrong sign: torch adds them, as we do",
  "weights stacked on the last axis": "the rows of q, k and v are mixed by the reshape: put the three square arrays below each other, with np.concatenate",
  "weights turned by .T and reshaped": "the reshape after .T mixes all rows: put the three square arrays below each other, with np.concatenate",
  "biases alternate": "the biases of q, k and v alternate: first all of q, then k, then v",
  "omega_c scaled": "out_proj.weight is Ω_c without any scale",
  "key bias as output bias": "out_proj.bias is beta_k: it should be 0, since we have no bias after Ω_c",
  "value weights in the output": "out_proj.weight holds Ω_v: it is Ω_c",
  "omega_c inside the value weights, too": "Ω_c multiplies the value weights as well: it belongs to out_proj.weight only",
  "whole numbers": "the weights lost their decimals: make no array of whole numbers"},
 "calls": {
  "2 heads and an Ω_c that changes nothing, in torch": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[1.05401, 2.31183, 0.616549, 2.06801], [0.964979, 3.06012, 0.0441918, 2.79184], [-1.78596, -0.0207039, -1.95259, -0.644025], [1.48052, -0.185006, 1.55092, -0.20488], [0.66943, -0.184398, 0.695459, -0.232708], [1.22071, -1.2465, 1.21055, -1.08324]]], [
   ["omega_c replaced by zeros", [0, 0]],
   ["weights transposed", [-1.1377, 3.768]],
   ["each head's weights transposed", [-2.4274, 4.5576]],
   ["heads interleaved", [0.29764, 3.9295]],
   ["heads of the weights interleaved", [-1.6851, 0.87463]],
   ["heads of the biases interleaved", [-0.11943, 3.3497]],
   ["head after head, q k v inside", [2.1246, 2.802]],
   ["head after head in the weights", [2.1887, 0.74369]],
   ["head after head in the biases", [1.563, 4.1154]],
   ["heads in the wrong order", [-1.463, -1.791]],
   ["heads of the weights in the wrong order", [-0.61628, -0.85512]],
   ["order v, q, k", [1.128, -1.5093]],
   ["weights in the order v, q, k", [2.8689, -1.8905]],
   ["biases in the order v, q, k", [-2.0539, 1.7661]],
   ["order q, v, k", [3.2237, 1.2925]],
   ["weights in the order q, v, k", [4.3739, 0.99535]],
   ["biases in the order q, v, k", [0.24581, 2.4]],
   ["biases in the order v, k, q", [-1.2125, 4.4543]],
   ["order v, k, q", [-2.8876, 5.3697]],
   ["weights in the order v, k, q", [-2.1758, 0.18452]],
   ["queries and keys swapped", [-5.0808, -2.1887]],
   ["weights of queries and keys swapped", [-4.9574, -2.3775]],
   ["biases of queries and keys swapped", [2.1084, -0.75563]],
   ["query weights three times", [-2.4133, -0.46699]],
   ["query biases three times", [1.0872, 5.0882]],
   ["head 0 repeated", [-1.5283, -1.5476]],
   ["no biases", [0.9125, 1.6292]],
   ["query bias left out", [1.5436, 0.70901]],
   ["value bias left out", [0.76485, 3.0231]],
   ["value bias twice", [2.027, 1.1826]],
   ["ones as output bias", [2.1145, 2.605]],
   ["query bias as output bias", [1.7182, 4.168]],
   ["scale folded into the queries", [1.1217, 1.1068]],
   ["scale folded into the query weights", [1.008, 1.6388]],
   ["scale of all heads undone", [1.5594, 2.951]],
   ["biases negated", [0.2372, 1.2061]],
   ["weights stacked on the last axis", [0.38748, -4.9374]],
   ["weights stacked on the last axis", [2.6028, 1.2545]],
   ["weights turned by .T and reshaped", [0.60315, -1.363]],
   ["biases alternate", [0.97826, 2.7585]],
   ["omega_c scaled", [0.56989, 0.85849]],
   ["omega_c scaled", [0.80594, 1.2141]],
   ["key bias as output bias", [0.87689, 1.4798]],
   ["value weights in the output", [0.11691, 9.8426]],
   ["whole numbers", [0.92734, -1.3635]]]],
  "H = 2, D_h = 3, N = 4, in torch": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[-2.88794, -4.15975, -1.55936, -3.75368], [-1.94161, 2.51021, -2.52815, 1.67738], [0.857438, -2.70529, 2.02476, -1.92217], [1.30042, 2.02164, 1.48046, 2.1463], [-1.22902, -1.47694, -0.935999, -1.48724], [-1.9682, 0.876267, -1.62049, 0.650579]]], [
   ["omega_c transposed", [1.4791, 7.8297]],
   ["omega_c left out", [1.3959, 2.1029]],
   ["value bias after omega_c, but not through it", [-0.22464, -14.841]],
   ["omega_c inside the value weights, too", [7.0504, 35.385]]]],
  "H = 3, D_h = 2, N = 5, in torch": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [[[-1.58024, -2.34196, -0.451823, 0.692359, 0.400015], [-1.18188, -0.616824, -1.26833, -1.26325, -1.35111], [1.01239, -0.159491, 1.44064, 2.13839, 2.47275], [1.61818, 1.99498, 0.758962, 2.27125, 2.79711], [-0.967852, -1.0456, -0.023976, -0.0274395, -0.579407], [-0.450172, -0.354134, -0.305164, 0.951036, 0.985623]]], []]}},
 "equivariance-gap": {
 "made of": "e15847ce04ba", "defines": ["equivariance_gap"],
 "advice": {
  "sign lost": "the sign got lost: take the absolute value of each difference, then the largest",
  "smallest difference": "this is the smallest of the signed differences: take the largest of their absolute values",
  "result not permuted": "the columns of the two results are not in the same order: permute those of attend(X), and of no other result, before you subtract",
  "X not permuted": "permute the columns of X, too, before attend: only the result of one call was permuted",
  "X itself for one result": "one of the two is made without attend: compare attend of the permuted X with the permuted attend(X)",
  "permuted twice before": "one side is permuted twice: once before attend, or once after it",
  "permutation backwards": "both are permuted backwards: column j comes from column permutation[j]",
  "result permuted backwards": "the result of attend(X) is permuted backwards: use the same permutation for both",
  "X permuted backwards": "X is permuted backwards: use the same permutation for both",
  "mean difference": "this is the mean difference: the largest is meant",
  "sum of the differences": "this is the sum of the differences: the largest is meant",
  "root of the summed squares": "this is the root of the summed squares: the largest difference is meant",
  "mean of the squares": "this is the mean of the squared differences: the largest absolute one is meant",
  "square of the largest": "this is the square of the largest difference: take np.abs, and no square",
  "norm of the matrix": "this is a norm of the whole table, not its largest entry: take np.max of np.abs",
  "difference of the largest entries": "these are the largest entries of the two results, subtracted: subtract the tables first, then take the largest",
  "difference of the sums": "these are two sums, subtracted: subtract the tables first, then take the largest absolute entry",
  "not subtracted": "this is the largest entry of one result: subtract the other first",
  "relative difference": "a result is divided here, and the gap is a ratio or infinite: subtract the two results, and don't divide",
  "compares a result with itself": "this is 0 (or False): give back a number, the largest difference of attend of the permuted X and the permuted attend(X)",
  "not the result of allclose": "this is 1, or True: give back how large the largest difference is",
  "root of the mean square": "this is the root of the mean square: the largest absolute difference is meant",
  "median": "this is the median of the differences: the largest is meant",
  "spread": "this is the spread from the smallest to the largest difference: take np.abs first, then np.max",
  "absolute values too early": "np.abs is taken of each result before subtracting: subtract first, then take np.abs",
  "tokens as rows": "X is transposed here: its tokens are the columns, so give it to attend as it is",
  "permuted twice": "the permutation is applied twice on one side: once before attend, or once after",
  "sorted": "the columns are sorted, not permuted: use permutation as the index of the columns",
  "norm of a column": "this is the largest norm of a column: the largest absolute entry is meant",
  "sum down the columns": "this is the largest sum of a column: the largest single entry is meant",
  "divided by the number of tokens": "the gap is divided by a size: give back the largest difference itself",
  "last token left out": "the last token is left out: compare all columns",
  "rounded": "the gap is rounded: give it back as it is",
  "first entry only": "this is the difference of the first entry only: take the largest of all",
  "rows permuted": "rows are permuted, and the tokens are the columns: write [:, permutation]",
  "rows of X permuted": "the rows of X are permuted: the tokens are its columns, so write [:, permutation] there",
  "rows of the result permuted": "the rows of attend(X) are permuted: the tokens are its columns, so write [:, permutation] there",
  "a difference for each token": "there is one number for each token: take the largest of all",
  "a difference for each feature": "there is one number for each feature: take the largest of all",
  "all differences": "these are all the differences: take the largest",
  "both results given back": "these are the two results: give back the largest absolute difference of their entries"},
 "calls": {
  "running sums as attend, 4 tokens": [["attend", "X", "permutation"], [[9.18, 7.56, 25.092]], [
   ["sign lost", [-21.618, -14.558]],
   ["sign lost", [-1.7988, 0.40069]],
   ["smallest difference", [1.7988, -0.40069]],
   ["result not permuted", [-10.034, -5.8065]],
   ["X itself for one result", [-23.331, -14.447]],
   ["X itself for one result", [-19.965, -11.525]],
   ["X itself for one result", [-23.756, -14.608]],
   ["permuted twice before", [-15.751, -9.2103]],
   ["permutation backwards", [-11.533, -6.6295]],
   ["mean difference", [-4.6666, -2.8203]],
   ["sum of the differences", [-74.666, -45.125]],
   ["root of the summed squares", [-25.195, -15.34]],
   ["mean of the squares", [-72.904, -51.675]],
   ["square of the largest", [-477.25, -335.55]],
   ["norm of the matrix", [-27.449, -16.13]],
   ["difference of the largest entries", [1.2582, 1.196]],
   ["difference of the sums", [-29.172, -17.501]],
   ["not subtracted", [-17.468, -10.004]],
   ["relative difference", [453.84, 619.91]],
   ["compares a result with itself", [0, 0]],
   ["not the result of allclose", [-0.30891, 0.052459]],
   ["root of the mean square", [-6.2987, -3.835]],
   ["median", [-4.8793, -3.1156]],
   ["spread", [-23.417, -14.158]],
   ["difference of the largest entries", [-1.6078, -1.3285]],
   ["tokens as rows", [-41.06, -27.387]],
   ["permuted twice", [-15.549, -9.0697]],
   ["sorted", [-15.694, -9.3218]],
   ["norm of a column", [-19.08, -11.621]],
   ["difference of the largest entries", [0.31244, 0.3629]],
   ["sum down the columns", [-35.105, -22.185]],
   ["divided by the number of tokens", [-3.9142, -2.3269]],
   ["last token left out", [-9.8515, -6.0294]],
   ["rounded", [-15.934, -9.4704]],
   ["first entry only", [-3.7099, -2.1943]],
   ["rows permuted", [-32.501, -20.469]],
   ["rows of X permuted", [-11.187, -5.1985]],
   ["rows of the result permuted", [-25.712, -16.105]],
   ["a difference for each token", [22.871, 28.549, [3, 4]]],
   ["a difference for each feature", [-19.509, 9.112, [3, 4]]],
   ["all differences", [-2.0656, -20.427, [3, 4, 4]]],
   ["both results given back", [-36.153, -41.054, [3, 2, 4, 4]]]]],
  "minus running sums": [["attend", "X", "permutation"], [[9.18, 7.56, 25.092]], []],
  "running sums as attend, 5 tokens": [["attend", "X", "permutation"], [[5.1, 4.8, 25.092]], [
   ["X not permuted", [-15.657, -9.3076]],
   ["result permuted backwards", [-22.842, -15.262]],
   ["X permuted backwards", [-23.834, -16.511]],
   ["absolute values too early", [-19.406, -13.662]],
   ["absolute values too early", [-18.469, -12.574]]]],
  "tanh of each entry as attend": [["attend", "X", "permutation"], [[0, 0, 0]], []]}},
 "bias-gaps": {
 "made of": "ed0697b3713b", "defines": ["bias_gaps"],
 "advice": {
  "all biases at once": "all three biases are 0 each time: take one kind away, and leave the other two",
  "one bias kept, two taken away": "two kinds of bias are missing where one should be, or you compare with no bias at all: compare X_prime as it was given with one kind taken away",
  "zeroes are kept for the next measurement": "a bias that was 0 stays 0 for the next measurement: put zeros into a new array, in a new list, each time",
  "compared with the one before": "the second gap is that of β_q once more: each time the other two stay, and X_prime as it was given is what you compare with",
  "the weights are set to 0, too": "Ω is 0 as well: only the biases are meant",
  "the weights are set to 0, not the biases": "Ω is 0 in place of β: take the biases away",
  "ones in place of zeros": "the bias is 1 where it should be 0: take np.zeros_like",
  "bias negated": "the bias has its other sign, in place of 0: take np.zeros_like",
  "in the order q, v, k": "the order is q, k, v: here the gap of β_k comes last",
  "in the order v, q, k": "the order is q, k, v: here the gap of β_v comes first, then q, then k",
  "in the order k, q, v": "the order is q, k, v: here the gap of β_k comes first",
  "in the order k, v, q": "the order is q, k, v: here they come as k, v, q",
  "backwards": "the order is q, k, v: here it runs backwards",
  "arguments in the order v, q, k": "multihead_attention takes q, k, v, in the Ω and in the β: here the arguments have changed places",
  "signed": "the sign got lost in one gap or more: take np.abs of each difference, then np.max",
  "mean instead of max": "these are mean differences: the largest is meant",
  "sum instead of max": "these are sums of the differences: the largest is meant",
  "norm instead of max": "this is the root of the summed squares: the largest difference is meant",
  "square of the largest": "these are squares of the largest differences: take np.abs, and no square",
  "difference of the largest entries": "these are largest entries, subtracted: subtract the two X_prime first, then take the largest",
  "relative difference": "these are relative differences: the differences themselves are meant",
  "rounded": "the gaps are rounded: give them back as they are",
  "head 1 only": "only the biases of the first head are 0: take away those of all heads",
  "last head only": "only the biases of the last head are 0: take away those of all heads",
  "first row of each bias only": "only the first number of each β is 0: take away all of them",
  "attentions compared": "you compare the attentions: the change of X_prime, the first of the two results, is meant",
  "results not subtracted": "these are entries of X_prime: subtract the two results first",
  "compared with X": "you compare with X: compare with X_prime as it was given",
  "the first token only": "this is the largest change of token 0 only: take it over all tokens",
  "the first feature only": "this is the largest change of feature 0 only: take it over all features",
  "nothing taken away": "three times 0: nothing was taken away, or from both, or 2.2 leaves the bias out",
  "the query bias three times": "the query bias is taken away each time: use the loop's number, or another β each time",
  "the value bias three times": "the value bias is taken away each time: use the loop's number, or another β each time",
  "one number": "one number came back, the largest of the gaps: give back all three, gap_q, gap_k, gap_v",
  "a difference for each token": "each gap has one number for each token: take the largest of all",
  "a difference for each feature": "each gap has one number for each feature: take the largest of all",
  "the differences": "these are all the differences: take the largest of each",
  "whether it changes": "these say only whether X_prime changes: give back by how much",
  "difference of the largest absolute entries": "these are largest absolute entries, subtracted: subtract the two X_prime first, then take the largest",
  "column sums": "these are the largest sums of a column: the largest single entry is meant",
  "row sums": "these are the largest sums of a row: the largest single entry is meant",
  "Ω in the order v, q, k": "the Ω are passed in the order v, q, k: multihead_attention takes q, k, v",
  "β in the order v, q, k": "the β are passed in the order v, q, k: multihead_attention takes q, k, v",
  "without omega_c": "Ω_c has no effect: pass omega_c as it is, and look whether 2.5 multiplies by it",
  "omega_c transposed": "Ω_c is transposed in the calls: pass omega_c as it is",
  "β_v measured without β_q": "β_q is missing while you measure β_v: take away one kind only, the other two stay",
  "β_k measured without β_v": "β_v is missing while you measure β_k: take away one kind only, the other two stay",
  "β_q measured without β_v": "β_v is missing while you measure β_q: take away one kind only, the other two stay",
  "β_v compared with the result without β_q": "the gap of β_v is taken from the result without β_q: compare with X_prime as it was given",
  "halved biases": "the bias is halved, in place of 0: take np.zeros_like",
  "the gap of the output's norm": "these are differences of two norms: subtract the two X_prime first"},
 "calls": {
  "H = 2, D_h = 3, N = 4": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [0.860662, 4.44089e-16, 2.24], [
   ["all biases at once", [2.5061, 2.2074], [2.5061, 2.2074], [2.5061, 2.2074]],
   ["one bias kept, two taken away", [2.14, 1.8849], [2.5061, 2.2074], [0.82222, 0.72422]],
   ["zeroes are kept for the next measurement", 0, [0.82222, 0.72422], [2.5061, 2.2074]],
   ["compared with the one before", 0, [0.82222, 0.72422], 0],
   ["the weights are set to 0, too", [2.4838, 2.1877], [2.4838, 2.1877], [3.974, 3.5003]],
   ["the weights are set to 0, not the biases", [2.8369, 2.4987], [2.4838, 2.1877], [3.129, 2.7561]],
   ["ones in place of zeros", [2.9887, 2.6325], 0, [3.0953, 2.7264]],
   ["bias negated", [1.5686, 1.3816], 0, [4.2799, 3.7698]],
   ["in the order q, v, k", 0, [2.14, 1.8849], [4.2425e-16, 3.7369e-16]],
   ["in the order v, q, k", [2.14, 1.8849], [0.82222, 0.72422], [4.2425e-16, 3.7369e-16]],
   ["in the order k, q, v", [4.2425e-16, 3.7369e-16], [0.82222, 0.72422], 0],
   ["in the order k, v, q", [4.2425e-16, 3.7369e-16], [2.14, 1.8849], [0.82222, 0.72422]],
   ["backwards", [2.14, 1.8849], 0, [0.82222, 0.72422]],
   ["arguments in the order v, q, k", [2.2673, 1.997], 0, [1.2515, 1.1023]],
   ["signed", [0.08602, 0.075767], 0, [1.1751, 1.035]],
   ["mean instead of max", [0.25261, 0.2225], 0, [0.92349, 0.81342]],
   ["sum instead of max", [6.0627, 5.3401], 0, [22.164, 19.522]],
   ["norm instead of max", [1.7195, 1.5146], 0, [5.5591, 4.8965]],
   ["square of the largest", [0.70766, 0.62331], 0, [4.7935, 4.2222]],
   ["difference of the largest entries", [0.17223, 0.1517], 0, [0.15285, 0.13464]],
   ["relative difference", [0.19766, 0.1741], 0, [0.51444, 0.45313]],
   ["rounded", [0.95534, 0.84147], 0, [1.9107, 1.6829]],
   ["head 1 only", [0.79427, 0.6996], 0, [1.6432, 1.4473]],
   ["last head only", [0.43033, 0.37904], 0, [1.2419, 1.0939]],
   ["first row of each bias only", [1.5641, 1.3777], 0, [1.3375, 1.1781]],
   ["attentions compared", [0.25469, 0.22433], 0, [0, 0]],
   ["results not subtracted", [4.184, 3.6853], [3.974, 3.5003], [3.129, 2.7561]],
   ["compared with X", [3.9633, 3.4909], [3.6874, 3.2479], [3.2407, 2.8544]],
   ["the first feature only", 0, 0, [1.1751, 1.035]],
   ["nothing taken away", [0, 0], 0, [0, 0]],
   ["the query bias three times", 0, [0.82222, 0.72422], [0.82222, 0.72422]],
   ["the value bias three times", [2.14, 1.8849], [2.14, 1.8849], 0],
   ["one number", [2.14, 1.8849, []]],
   ["a difference for each token", [1.0517, 1.358, [4]], [-4.2051e-16, -1.2858e-16, [4]], [0.72975, 2.3551, [4]]],
   ["a difference for each feature", [-0.16295, 0.30944, [6]], [-6.5097e-17, 3.0773e-16, [6]], [2.5288, 2.0275, [6]]],
   ["the differences", [0.64036, -0.24501, [6, 4]], [-3.9327e-16, -1.0712e-15, [6, 4]], [0.65603, 0.59807, [6, 4]]],
   ["whether it changes", [0.95534, 0.84147], 0, [0.95534, 0.84147]],
   ["difference of the largest absolute entries", [0.20999, 0.18497], 0, [0.84496, 0.74425]],
   ["column sums", [2.5023, 2.204], 0, [5.541, 4.8805]],
   ["row sums", [1.778, 1.5661], 0, [8.5598, 7.5396]],
   ["Ω in the order v, q, k", [2.1076, 1.8564], 0, 0],
   ["β in the order v, q, k", [2.1204, 1.8677], 0, [1.2515, 1.1023]],
   ["β in the order v, q, k", [3.1366, 2.7627], [3.0252, 2.6646], [2.643, 2.328]],
   ["without omega_c", [0.69578, 0.61285], 0, [0.95534, 0.84147]],
   ["omega_c transposed", [0.79374, 0.69913], 0, [1.1846, 1.0434]],
   ["β_v measured without β_q", 0, 0, [2.5061, 2.2074]],
   ["β_k measured without β_v", 0, [2.14, 1.8849], 0],
   ["β_q measured without β_v", [2.5061, 2.2074], 0, 0],
   ["β_v compared with the result without β_q", 0, 0, [2.1007, 1.8503]],
   ["halved biases", [0.38877, 0.34243], 0, [1.07, 0.94245]],
   ["the gap of the output's norm", [0.31242, 0.27518], 0, [1.878, 1.6541]]]],
  "H = 3, D_h = 2, N = 5": [["X", "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v", "omega_c"], [0.725835, 7.21645e-16, 1.83], [
   ["signed", 0, 0, [1.2897, 1.136]],
   ["the first token only", [0.59386, 0.52308], 0, 0]]]}}}


# %% [markdown]
# The next two cells hold functions that the tests use on larger inputs, when your notebook is graded. Cells that only serve tests and pictures are folded.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Stop with a sentence unless `got` equals `expected`. All numbers stand below its first line."""
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


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "check-unchanged", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def check_unchanged(arrays, before):
    """Stop unless every array still holds what it held before the call."""
    assert all(map(np.array_equal, arrays, before)), (
        "your function changed an array that it was given: put results into new arrays")


# %% [markdown]
# ## The data, and a result to aim for
#
# Our tokens come from the exercise that goes with the book: `N = 6` columns of `D = 8` random numbers. They stand for nothing; what makes them useful is that the seeds are fixed, and that the right answer for two heads is published: it stands below the function that draws the data. When you get to 2.4, your table will agree with it to the third decimal.

# %% nbgrader={"grade": false, "grade_id": "published-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
def published_data():
    """Give X (8, 6), the six arrays of each head in the order they are drawn, and omega_c."""
    N, D, H = 6, 8, 2
    np.random.seed(3)
    X = np.random.normal(size=(D, N))
    np.random.seed(0)
    shapes = 3 * [(D // H, D)] + 3 * [(D // H, 1)]
    first = [np.random.normal(size=shape) for shape in shapes]
    second = [np.random.normal(size=shape) for shape in shapes]
    return X, first, second, np.random.normal(size=(D, D))


# %% nbgrader={"grade": false, "grade_id": "published-result", "locked": true, "schema_version": 3, "solution": false, "task": false}
def published_result():
    """Give the published X_prime for two heads, to three decimals."""
    return np.array([[-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
                     [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
                     [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
                     [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
                     [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
                     [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
                     [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
                     [1.248, 18.894, -6.409, 3.224, 19.717, -5.629]])


# %% tags=["demonstration"]
X, first_head, second_head, omega_c = published_data()
omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1 = first_head
omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2 = second_head

print("X       ", X.shape, " = (D, N): 6 tokens, each a column of 8 numbers")
print("omega_q1", omega_q1.shape, " = (D_h, D), of head 0")
print("beta_q1 ", beta_q1.shape, " = (D_h, 1), of head 0")
print("omega_c ", omega_c.shape, " = (D, D)")

# %% [markdown]
# Before you go on, a prediction. `X[2]` and `X[:, 2]` are both allowed. Which of the two is a token, and how many numbers does it have? Say it aloud, then run the cell.

# %% tags=["demonstration"]
print("X[2]    has", X[2].size, "numbers")
print("X[:, 2] has", X[:, 2].size, "numbers")


# %% [markdown]
# The column, `X[:, 2]`, is token 2 with all its features. `X[2]` is feature 2 of every token.

# %% [markdown]
# ## 2.1 Softmax down the columns
#
# **2 points · about 6 minutes · difficulty ●○○**
#
# Softmax turns scores into shares: positive, summing to 1, larger for a larger score. In this lesson every **column** of the scores belongs to one query, and holds one score for each key. So every column is a softmax of its own:
#
# $$\mathrm{softmax}(S)_{m,n} = \frac{e^{S_{m,n}}}{\sum_{i} e^{S_{i,n}}}$$
#
# Since $e^{10000}$ is too large for a computer, subtract each column's largest score first. That changes no share: the same factor cancels above and below.
#
# | operation | expression | shape, for `data_in` of `(rows, columns)` |
# |---|---|---|
# | largest of each column | $\max_i S_{i,n}$ | one number a column |
# | shifted exponentials | $e^{S_{m,n} - \max_i S_{i,n}}$ | `(rows, columns)` |
# | their sum down each column | $z_n$ | one number a column |
# | shares | exponential $/\; z_n$ | `(rows, columns)` |
#
# Lesson 03 hides a key by a score of $-\infty$. Such a score must get a share of exactly 0. (No column is all $-\infty$.)
#
# <details><summary>Hint 1: a question</summary>
#
# A table has 2 rows and 3 columns. To make its columns sum to 1, how many different sums do you divide by: 2 or 3? When you add along a column, does the row number change or the column number?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.exp`, and `np.max` and `np.sum` with `axis=`. The axis you name is the one that you walk along, and that disappears. `keepdims=True` leaves it there with length 1.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Find the largest number of every column. Make a new array: the scores minus that. Exponentiate it. Divide by the sum of every column of what you have now.
# </details>

# %% nbgrader={"grade": false, "grade_id": "softmax-cols", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax_cols(data_in):
    """Turn each column of scores into shares that sum to 1.

    data_in: (rows, columns), entries may be large or -inf. It is not changed.
    Returns an array of the same shape.
    """
    ### BEGIN SOLUTION
    exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "softmax-cols-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
with np.errstate(all="ignore"):
    returns("softmax-cols", shares="row column")
    check("softmax-cols", "3 by 3 scores", softmax_cols, np.array(
        [[0, 1.5, -2], [1, -0.5, 0], [2.5, 0.3, 1]]))
    check("softmax-cols", "2 rows and 4 columns", softmax_cols, np.array([[0.5, 2, -1, 0], [1.5, -2, 3, 0]]))
    check("softmax-cols", "scores near 1000", softmax_cols, np.array([[1001, 999], [1000.5, 1000], [998, 997]]))
    check("softmax-cols", "columns near 1000, 0 and -1000, and one of both", softmax_cols, np.array(
        [[1000, 1, -1000, 1000], [999, 0, -998.5, -1000]]))
    check("softmax-cols", "scores of -inf", softmax_cols, np.array([[2, -np.inf], [-np.inf, 0], [2, 1]]))
    ### BEGIN HIDDEN TESTS
    shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
    fine = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(201), "on a larger random table"
    for shape in [(3, 5), (6, 2), (4, 4), (1, 3)]:
        scores = np.round(128 * rng.normal(size=shape)) / 64   # with 10000 added, exact in 32 bits, too
        expected = np.array([shares_of(column) for column in scores.T]).T
        for shift in (0.0, 1e4, -1e4):
            given, sizes = scores + shift, f"with shape {shape} and {shift} added, "
            shares = np.asarray(softmax_cols(given))
            check_numbers(shares, expected, where, fine(shares), sizes)
            check_unchanged([given], [scores + shift])
        check_numbers(softmax_cols(scores.astype(np.float32)), expected, where, 1e-5, sizes)
    levels = np.round(64 * rng.normal(size=(4, 3))) / 64 + np.array([1e4, 0.0, -1e4])
    levels[1, 0] = levels[0, 2] = -np.inf
    shares, expected = np.asarray(softmax_cols(levels.copy())), np.transpose([shares_of(s) for s in levels.T])
    check_numbers(shares, expected, "on columns of very different level, with some -inf", fine(shares))
    assert (shares[levels == -np.inf] == 0).all(), "a score of -inf must get a share of 0"
    ### END HIDDEN TESTS

# %% [markdown]
# Look at one result with your own eyes. Which way do you have to add to get ones?

# %% tags=["demonstration"]
shares = softmax_cols(np.array([[0.0, 3.0, 1.0], [2.0, 3.0, 1.0]]))
print(np.round(shares, 3))
print("down the columns:", np.round(shares.sum(axis=0), 3))
print("along the rows:  ", np.round(shares.sum(axis=1), 3))


# %% [markdown]
# ## 2.2 Project the tokens
#
# **1 point · about 5 minutes · difficulty ●○○**
#
# Each token plays three parts: as a **query** it looks for something, as a **key** it offers something, as a **value** it hands something over. Each part is a **projection**: a linear map of the token plus a bias. For one token $x_n$ that is $\beta + \Omega x_n$. For all of them at once:
#
# $$\beta\mathbf{1}^T + \Omega X$$
#
# | operation | expression | shape |
# |---|---|---|
# | map every column | $\Omega X$ | `(D_h, D)` times `(D, N)` gives `(D_h, N)` |
# | add the bias to every column | $\beta\mathbf{1}^T + \dots$ | `(D_h, N)` |
#
# One function will do for queries, keys and values, since only Ω and β differ.
#
# <details><summary>Hint 1: a question</summary>
#
# β has the shape `(D_h, 1)`, and what you add it to has `(D_h, N)`. What does NumPy do with an axis of length 1 when it adds?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` or `np.matmul` multiplies matrices, and `+` broadcasts. If you like to see the $\mathbf{1}^T$ of the formula written out, `np.ones` makes one: 1 row, and as many columns as `X` has (`X.shape[1]`).
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Multiply the tokens by Ω, with Ω on the left. Add the bias column. Give the sum back.
# </details>

# %% nbgrader={"grade": false, "grade_id": "project", "locked": false, "schema_version": 3, "solution": true, "task": false}
def project(X, omega, beta):
    """Map every column of X by omega and add the column beta to it.

    X: (D, N), omega: (D_h, D), beta: (D_h, 1). Returns (D_h, N).
    """
    ### BEGIN SOLUTION
    return beta + omega @ X
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "project-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("project", projected="feature token")
table = np.array([[1, 2, -0.5], [3, 0.5, -1], [0, 1.5, 2]])
check("project", "D = N = D_h = 3", project, table,
      np.array([[1, 0, 2], [-1, 0.5, 1], [3, 1, 0]]), np.array([[10], [-4], [0.5]]))
check("project", "D = 2, N = 4, D_h = 3", project, np.array([[1, 2, 3, 4], [0, 1, -1, 0.5]]),
      np.array([[1, 0], [0.5, 2], [-1, 1]]), np.array([[0.5], [1], [2]]))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(202)
for D, N, D_h in [(5, 3, 2), (2, 7, 4), (4, 4, 4)]:
    given = [rng.normal(size=shape) for shape in [(D, N), (D_h, D), (D_h, 1)]]
    before = copy.deepcopy(given)
    expected = [[given[2][i, 0] + math.fsum(given[1][i, d] * given[0][d, n] for d in range(D))
                 for n in range(N)] for i in range(D_h)]
    where, sizes = "on larger random tables", f"with {D=}, {N=}, {D_h=}, "
    check_numbers(project(*given), expected, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    check_numbers(project(*floats), expected, where + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# With that you have the three parts of every token, for head 0 of our data:

# %% tags=["demonstration"]
queries_0 = project(X, omega_q1, beta_q1)
keys_0 = project(X, omega_k1, beta_k1)
values_0 = project(X, omega_v1, beta_v1)
print("queries", np.shape(queries_0), " keys", np.shape(keys_0),
      " values", np.shape(values_0), " = (D_h, N)")

# %% [markdown]
# How much does token 4 care for token 1? Take the query of token 4 and the key of token 1, two columns, and multiply them number by number. The sum is one **score**.
#
# Predict: in the table of all scores, `(N, N)`, with the key first, in which row and which column does this number stand?

# %% tags=["demonstration"]
score = sum(keys_0[i][1] * queries_0[i][4] for i in range(4))
print(f"score of key 1 and query 4: {score:.3f}")


# %% [markdown]
# It is at home in row 1, that of the key, and column 4, that of the query. And it says: not at all. Next to scores around 0, one of −12.9 leaves no share that you would see.
#
# The next cell makes the small examples for the tests of the exercises that follow: tables of numbers that follow no pattern, with one decimal. Run it and go on.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "small-examples", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def tables(start, *shapes):
    """Tables of these shapes, with numbers of one decimal from -1 to 1."""
    places = [start + 100 * n + np.arange(math.prod(shape)) for n, shape in enumerate(shapes)]
    return [np.round(np.sin(place ** 2), 1).reshape(shape) for place, shape in zip(places, shapes)]


def one_head(D, N, D_h):
    """X, then the three Ω and the three β of a head, in the order of 2.3's arguments."""
    return tables(11, (D, N), *3 * [(D_h, D)], *3 * [(D_h, 1)])


# %% [markdown]
# ## 2.3 One head
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# A **head** is one set of three projections with the attention that they make. Since queries and keys come from the same tokens, it is called **self-attention**. Every query meets every key; the scores are divided by $\sqrt{D_h}$, so that they don't grow with the size of the head; a softmax turns each query's scores into shares; and each token leaves with a mixture of values.
#
# $$X' = V \cdot \mathrm{softmax}\!\left(\frac{K^TQ}{\sqrt{D_h}}\right)$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | $\beta\mathbf{1}^T + \Omega X$, three times | `(D_h, N)` each |
# | scores | $K^TQ$ | `(N, N)`, key by query |
# | scaled scores | divide by $\sqrt{D_h}$ | `(N, N)` |
# | attention | softmax of each column | `(N, N)`, each column sums to 1 |
# | mixture of values | $V \cdot$ attention | `(D_h, N)` |
#
# The book writes $\sqrt{D_q}$ for the scale, with $D_q$ the size of a query: that is our $D_h$.
#
# Give both back: `return X_prime, attention`. And mind the order of the arguments: it is the book's, **v, q, k**.
#
# <details><summary>Hint 1: a question</summary>
#
# The softmax must make each *query's* shares sum to 1. Which axis of $K^TQ$ counts the queries, and which one do you therefore add along?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `project` and `softmax_cols`. `.T` transposes, `@` multiplies, `np.sqrt` or `math.sqrt` takes the root, and `omega_q.shape` tells you $D_h$.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Project the tokens three times, each with its own Ω and β. Multiply the transposed keys by the queries. Divide by the root of the number of rows of $\Omega_q$. Softmax down the columns. Multiply the values by that, with the values on the left. Return the mixture and the attention.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Two shapes don't fit. Print them both: in `A @ B`, the columns of `A` must be as many as the rows of `B`. Then look for them in the table: is one on the wrong side, or transposed?
# </details>

# %% builds_on=["softmax-cols", "project"] nbgrader={"grade": false, "grade_id": "scaled-self-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    """One head of scaled dot-product self-attention, a column is a token.

    X: (D, N), each omega: (D_h, D), each beta: (D_h, 1). None of them is changed.
    Returns X_prime (D_h, N) and attention (N, N), key by query, each column summing to 1.
    """
    ### BEGIN SOLUTION
    queries = project(X, omega_q, beta_q)
    keys = project(X, omega_k, beta_k)
    values = project(X, omega_v, beta_v)
    scores = keys.T @ queries
    attention = softmax_cols(scores / np.sqrt(omega_q.shape[0]))
    return values @ attention, attention
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "scaled-self-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("scaled-self-attention", X_prime="feature token", attention="key query")
check("scaled-self-attention", "D = N = D_h = 3", scaled_self_attention, *one_head(3, 3, 3))
check("scaled-self-attention", "D = 5, N = 2, D_h = 6", scaled_self_attention, *one_head(5, 2, 6))
### BEGIN HIDDEN TESTS
def slow_head(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    columns, mixtures = [], []
    keys = [omega_k @ x + beta_k[:, 0] for x in X.T]
    values = [omega_v @ x + beta_v[:, 0] for x in X.T]
    for x in X.T:
        query = omega_q @ x + beta_q[:, 0]
        grown = [math.exp(math.fsum(query * key) / len(query) ** 0.5) for key in keys]
        columns.append(np.array(grown) / math.fsum(grown))
        mixtures.append(sum(share * value for share, value in zip(columns[-1], values)))
    return np.array(mixtures).T, np.array(columns).T


rng = np.random.default_rng(203)
for D, N, D_h in [(5, 7, 3), (6, 4, 2), (3, 2, 5), (2, 5, 1)]:
    shapes = [(D, N)] + 3 * [(D_h, D)] + 3 * [(D_h, 1)]
    given = [0.6 * rng.normal(size=shape) for shape in shapes]
    before = copy.deepcopy(given)
    expected = slow_head(*given)
    got = scaled_self_attention(*given)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    rough = scaled_self_attention(*floats)
    for i, what in enumerate(["in X_prime of larger random tables", "in their attention"]):
        sizes = f"with {D=}, {N=}, {D_h=}, "
        check_numbers(got[i], expected[i], what, 1e-6, sizes)
        check_numbers(rough[i], expected[i], what + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# A second route to one number of the mixture. The column of token 4 is a recipe: how much it takes of each value. Follow the recipe by hand and compare with what your function gave.

# %% tags=["demonstration"]
mixture_0, attention_0 = scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
recipe = [attention_0[m][4] for m in range(6)]
by_hand = sum(recipe[m] * values_0[0][m] for m in range(6))
print("recipe of token 4:", np.round(recipe, 2), " sum:", round(sum(recipe), 6))
print(f"first feature by hand {by_hand:.4f}, by your function {mixture_0[0][4]:.4f}")
print("mixture", np.shape(mixture_0), " attention", np.shape(attention_0))

# %% [markdown]
# Most of the recipe comes from one token. That is no rule of attention. Here Ω and β are drawn with spread 1, so the scores are large, and the softmax of large scores is nearly a choice. Make the queries ten times smaller. Will the largest share of each query grow or shrink?

# %% tags=["demonstration"]
_, soft = scaled_self_attention(
    X, omega_v1, 0.1 * omega_q1, omega_k1, beta_v1, 0.1 * beta_q1, beta_k1)
print("largest share of each query:", np.round(np.max(attention_0, axis=0), 2))
print("with queries ten times smaller:", np.round(np.max(soft, axis=0), 2))


# %% [markdown]
# All six shrink: smaller scores make a softer choice.
#
# The next cell makes the small examples with several heads: two with `D_h = 3`, so `D = 6`, and four tokens, if nothing else is said. In `unmixed` examples Ω_c changes nothing, so that you see each head by itself.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "small-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def small_heads(H=2, D_h=3, N=4):
    """X, then Ω_q, Ω_k, Ω_v, β_q, β_k, β_v of all heads, and Ω_c: the arguments of 2.5."""
    D = H * D_h
    made = tables(3, (D, N), *3 * [(H, D_h, D)], *3 * [(H, D_h, 1)], (D, D))
    for beta in made[4:7]:
        beta[-1, 1] = 0
    return made


def unmixed(X, *weights):
    """The same with an Ω_c that changes nothing."""
    return [X, *weights[:-1], np.eye(len(X))]


def in_two_parts(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """The same for two heads in the order of 2.4's arguments: v, q, k, head by head."""
    parts = [array[head] for head in range(2)
             for array in (omega_v, omega_q, omega_k, beta_v, beta_q, beta_k)]
    return [X, *parts, omega_c]


# %% [markdown]
# ## How two heads come together
#
# One head gives each token a single recipe. With two heads, a token can look for its verb and for its article at once. Each head has its own Ω and β, and gives $D/2$ rows. Stack the rows of head 1 **below** those of head 0, and you are back at `(D, N)`. At last $\Omega_c$ mixes what the heads found.
#
# The picture has the sizes of our data. In a product of matrices, column 0 of the left one meets row 0 of the right one, and so on. Follow the hatching: which columns of $\Omega_c$ meet the rows of head 0?

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the pictures: run it, no need to read it.
def draw_block(ax, left, top, width, height, label, head=None):
    """Draw a labelled block: blue and hatched with lines for head 0, orange and dotted for head 1."""
    color, hatch = {None: ("0.95", ""), 0: ("#d6e8f7", "//"), 1: ("#fde6c8", "..")}[head]
    for look in ({"facecolor": color, "edgecolor": "0.7", "hatch": hatch, "linewidth": 0},
                 {"fill": False, "edgecolor": "0.2"}):
        ax.add_patch(plt.Rectangle((left, top), width, height, **look))
    ax.text(left + width / 2, top + height / 2, label, ha="center", va="center", fontsize=10,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})


def blank_axes(width, height):
    """Axes without a frame, on which row 0 is at the top."""
    _, ax = plt.subplots(figsize=(8.8, 8.8 * height / width), layout="constrained")
    ax.set(xlim=(-1, width - 1), ylim=(height - 1, -1), aspect="equal")
    ax.axis("off")
    return ax


# %% alt="Three blocks: Omega_c times the stack of heads gives X prime, where columns 0 to 3 of Omega_c meet rows 0 to 3 of the stack, which are head 0, and columns 4 to 7 meet head 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
ax = blank_axes(28, 11)
for head in (0, 1):
    draw_block(ax, 4 * head, 0, 4, 8, f"meets\nhead {head}", head)
    draw_block(ax, 12, 4 * head, 6, 4, f"head {head}\n(4, 6)", head)
draw_block(ax, 20.5, 0, 6, 8, "both heads\nmixed")
for place in range(8):
    ax.text(place + 0.5, -0.4, place, ha="center", va="center", fontsize=8)
    ax.text(11.5, place + 0.5, place, ha="center", va="center", fontsize=8)
ax.text(9.4, 4, "×", ha="center", va="center", fontsize=18)
ax.text(19.25, 4, "=", ha="center", va="center", fontsize=18)
for middle, name in [(4, "$\\Omega_c$  (8, 8)"), (15, "the stack  (8, 6)"), (23.5, "$X'$  (8, 6)")]:
    ax.text(middle, 8.9, name, ha="center", va="center", fontsize=11)
ax.text(4, -1, "columns", ha="center", va="bottom", fontsize=9)
ax.text(10.6, 4, "rows", ha="center", va="center", rotation=90, fontsize=9)
plt.show()


# %% [markdown]
# ## 2.4 Two heads
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# Now put the picture into code: two heads, their stack, and the mixing.
#
# $$X' = \Omega_c \begin{bmatrix} \mathrm{head}_0(X) \\ \mathrm{head}_1(X) \end{bmatrix}$$
#
# | operation | expression | shape |
# |---|---|---|
# | each head, with its own Ω and β | 2.3 | `(D_h, N)`, with $D_h = D/2$ |
# | stack along the rows | head 0 on top of head 1 | `(D, N)` |
# | mix | $\Omega_c$ times the stack | `(D, N)` |
#
# A prediction: suppose you stack head 1 on top of head 0. Does the shape change? Do the numbers? You will measure it after the test.
#
# <details><summary>Hint 1: a question</summary>
#
# The function gets six arrays a head, always in the order v, q, k: first three Ω, then three β. In which order does 2.3 take them? And which of its two results is stacked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `scaled_self_attention` gives a pair, of which you need the first part. `np.vstack` or `np.concatenate` with an `axis` puts arrays together. If you give arguments by name, as in `beta_v=beta_v1`, no order can fool you.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Run head 0 on X, run head 1 on the same X. Stack the two mixtures, head 0 on top. Multiply by Ω_c, with Ω_c on the left. Return the product alone.
# </details>
#
# <details><summary>I get “inhomogeneous shape”, or a tuple where I expected an array</summary>
#
# 2.3 gives back two things. Unpack them: one name for the mixture, one for the attention (people write `_` for a result that they don't use). This function gives back one thing only.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Ω_c has as many columns as the stack must have rows, D. Print the shapes of what you stack, and of the stack. Is each part a mixture, `(D_h, N)`, or the pair that 2.3 gives back? Are the heads beside each other, where they should lie below each other?
# </details>

# %% builds_on=["scaled-self-attention"] nbgrader={"grade": false, "grade_id": "two-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    """Two heads of self-attention, stacked along the rows and mixed by omega_c.

    X: (D, N), each omega of a head: (D/2, D), each beta: (D/2, 1), omega_c: (D, D).
    What ends in 1 belongs to head 0, what ends in 2 to head 1.
    None of them is changed. Returns X_prime (D, N).
    """
    ### BEGIN SOLUTION
    upper, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    lower, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([upper, lower])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "two-heads-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("two-heads", X_prime="feature token")
check("two-heads", "D_h = 3, N = 4, an Ω_c that changes nothing",
      multihead_scaled_self_attention, *in_two_parts(*unmixed(*small_heads())))
check("two-heads", "D = 6, N = 4", multihead_scaled_self_attention, *in_two_parts(*small_heads()))
tokens, first, second, mixing = published_data()
both = [np.array(pair) for pair in zip(first, second)]
published = in_two_parts(tokens, *both, mixing)
check("two-heads", "the published data", multihead_scaled_self_attention, *published)
### BEGIN HIDDEN TESTS
answer = multihead_scaled_self_attention(*published)
assert np.abs(np.asarray(answer) - published_result()).max() <= 1e-3, "this is not the published result"
rng = np.random.default_rng(204)
for D, N in [(6, 5), (8, 3), (8, 6), (10, 7)]:
    shapes = [(D, N)] + 2 * (3 * [(D // 2, D)] + 3 * [(D // 2, 1)]) + [(D, D)]
    given = [0.5 * rng.normal(size=shape) for shape in shapes]
    before = copy.deepcopy(given)
    mixed = []
    for v, q, k, bv, bq, bk in [given[1:7], given[7:13]]:
        keys, values = (k @ given[0] + bk).T, (v @ given[0] + bv).T
        columns = []
        for x in given[0].T:
            dots = [math.fsum((q @ x + bq[:, 0]) * key) / (D // 2) ** 0.5 for key in keys]
            total = math.fsum(map(math.exp, dots))
            columns.append(sum(math.exp(dot) / total * value for dot, value in zip(dots, values)))
        mixed += np.array(columns).T.tolist()
    expected = sum(np.outer(given[13][:, i], mixed[i]) for i in range(D))
    where, sizes = "on larger random tables", f"with {D=} and {N=}, "
    check_numbers(multihead_scaled_self_attention(*given), expected, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    single = multihead_scaled_self_attention(*floats)
    check_numbers(single, expected, where + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Here is your result for the published data, its first row above the published one: two seeds, fourteen arrays, and they agree to the third decimal.

# %% tags=["demonstration"]
X_prime = multihead_scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c)
print("X_prime", np.shape(X_prime), "= (D, N)")
print("first row:", np.round(X_prime[0], 3))
print("published:", published_result()[0])

# %% [markdown]
# Now the prediction. The same call with the two heads in each other's place:

# %% tags=["demonstration"]
other_order = multihead_scaled_self_attention(
    X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1, omega_c)
print("shape:", np.shape(other_order))
print("largest difference:", np.round(np.abs(np.subtract(other_order, X_prime)).max(), 3))

# %% [markdown]
# The shape is the same and the numbers are not: $\Omega_c$ has one half of its columns for each head, and each half met the other head. Wrong code with the right shape is the rule here, not the exception.

# %% [markdown]
# ## Heads add
#
# Look at the picture once more. The first half of the columns of $\Omega_c$ only ever meets head 0: call it $\Omega_c^{(0)}$, and the other half $\Omega_c^{(1)}$, each `(D, D_h)`. With $V_h$ the values and $A_h$ the attention of head $h$, the product with the stack is a sum:
#
# $$X' = \sum_h \Omega_c^{(h)}\, V_h A_h$$
#
# No head sees what another one found. Each writes its own part, and the parts are added.

# %% tags=["demonstration"]
mixture_1, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
from_head_0 = omega_c[:, :4] @ mixture_0
from_head_1 = omega_c[:, 4:] @ mixture_1
print("from each head", from_head_0.shape, from_head_1.shape, " = (D, N)")
print("largest difference from X_prime:", np.abs(from_head_0 + from_head_1 - X_prime).max())

# %% [markdown]
# A circuit, as in 1.6 of lesson 01, is a product of two matrices that only ever act together, and each head has its own. Leave the bias out for a moment: with $V_h = \Omega_v^{(h)} X$, head $h$ adds $\Omega_c^{(h)}\Omega_v^{(h)} X A_h$. The attention $A_h$ says from which tokens something is moved, and the **OV circuit** $\Omega_c^{(h)}\Omega_v^{(h)}$, `(D, D)`, says what. It passes through $D_h$ rows, so its rank is at most $D_h$: a head moves only a part of what a token holds.
#
# In lesson 01 this was $W_VW_O$, the same matrix transposed. Elhage et al. (2021) write it as here, $W_OW_V$.

# %% tags=["demonstration"]
circuits = [omega_c[:, :4] @ omega_v1, omega_c[:, 4:] @ omega_v2]
for number, circuit in enumerate(circuits):
    print(f"OV circuit of head {number}:", circuit.shape, " rank", np.linalg.matrix_rank(circuit))


# %% [markdown]
# ## 2.5 Any number of heads
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# Fourteen arguments for two heads; for 96 heads nobody would want to type them. So put the Ω and the β of all heads into one array each, with the head as first axis. `omega_q[h]` is then the $\Omega_q$ of head `h`, and everything else stays as in 2.4.
#
# | operation | expression | shape |
# |---|---|---|
# | matrices of all heads | Ω, three arrays | `(H, D_h, D)` each |
# | biases of all heads | β, three arrays | `(H, D_h, 1)` each |
# | each head by itself | 2.3 with `[h]` | `(D_h, N)` and `(N, N)` |
# | stack along the rows | head 0 on top, head H−1 at the bottom | `(H · D_h, N)` = `(D, N)` |
# | mix | $\Omega_c$ times the stack | `(D, N)` |
# | all attentions together | one array, head first | `(H, N, N)` |
#
# Give both back: `return X_prime, attentions`. The scale is that of a single head, $\sqrt{D_h}$. And note the order of arguments: in this function it is **q, k, v**.
#
# <details><summary>Hint 1: a question</summary>
#
# In 2.4 the name of an argument said which head it belongs to. Now a number does, `h`, from 0 on. Which lines of 2.4 would you have to write only once in a loop over heads? What do you have to collect on the way?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `scaled_self_attention` for one head, lists with `append`, `np.concatenate` or `np.vstack` for the mixtures, `np.stack` or `np.array` for the attentions. If you prefer no loop: `@` works on the last two axes of three, and `reshape` joins the first two. But `.T` turns all three axes round, where `np.swapaxes` exchanges two of them, and the keys are no longer axis 0.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make two empty lists. For every head, run 2.3 with that head's Ω and β; append the mixture to one list, the attention to the other. Stack the mixtures below each other and multiply by Ω_c from the left. Make one array of the attentions. Return the two.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Most often it is the product with Ω_c, which needs a stack of D rows. “size 3 is different from 6” says that yours has 3. Did the loop run over all H heads? Does your list hold the mixtures alone, and not the pairs of 2.3? Are the mixtures joined below each other, not beside each other, and not along a new axis? Does the product stand after the loop? If the message comes from 2.3 instead: every head gets the whole X.
# </details>

# %% builds_on=["scaled-self-attention"] nbgrader={"grade": false, "grade_id": "multihead-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """H heads of self-attention, stacked along the rows and mixed by omega_c.

    X: (D, N), each omega: (H, D_h, D), each beta: (H, D_h, 1),
    omega_c: (D, D), D = H * D_h.
    None of them is changed.
    Returns X_prime (D, N) and attentions (H, N, N), key by query, columns summing to 1.
    """
    ### BEGIN SOLUTION
    mixtures, attentions = [], []
    for h in range(len(omega_q)):
        mixture, attention = scaled_self_attention(
            X, omega_v[h], omega_q[h], omega_k[h], beta_v[h], beta_q[h], beta_k[h])
        mixtures.append(mixture)
        attentions.append(attention)
    return omega_c @ np.vstack(mixtures), np.array(attentions)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "multihead-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("multihead-attention", X_prime="feature token", attentions="head key query")
check("multihead-attention", "N = D_h = 3, an Ω_c that changes nothing",
      multihead_attention, *unmixed(*small_heads(N=3)))
check("multihead-attention", "H = 2, D_h = 3, N = 4", multihead_attention, *small_heads())
check("multihead-attention", "3 heads in place of 2, D_h = 2, N = 5", multihead_attention, *small_heads(3, 2, 5))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(205)
for H, D_h, N in [(3, 2, 5), (2, 4, 3), (1, 3, 4), (5, 2, 7)]:
    D = H * D_h
    shapes = [(D, N)] + 3 * [(H, D_h, D)] + 3 * [(H, D_h, 1)] + [(D, D)]
    given = [0.5 * rng.normal(size=shape) for shape in shapes]
    before = copy.deepcopy(given)
    tokens, q, k, v, bq, bk, bv, mixing = before
    mixed, shares = [], np.zeros((H, N, N))
    for h in range(H):
        keys, values = k[h] @ tokens + bk[h], v[h] @ tokens + bv[h]
        for n in range(N):
            query = q[h] @ tokens[:, n] + bq[h, :, 0]
            grown = [math.exp(math.fsum(query * keys[:, m]) / D_h ** 0.5) for m in range(N)]
            shares[h, :, n] = np.array(grown) / math.fsum(grown)
        mixed += [[math.fsum(row * shares[h, :, n]) for n in range(N)] for row in values]
    expected = [sum(np.outer(mixing[:, i], mixed[i]) for i in range(D)), shares]
    results = multihead_attention(*given)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    rough = multihead_attention(*floats)
    for i, what in enumerate(["in X_prime of larger random heads", "in their attentions"]):
        sizes = f"with {H=}, {D_h=}, {N=}, "
        check_numbers(results[i], expected[i], what, 1e-6, sizes)
        check_numbers(rough[i], expected[i], what + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# A second route to the same numbers. Put the arrays of the two heads together, ask your new function, and compare it with 2.4. What difference do you expect: exactly 0, or almost?

# %% tags=["demonstration"]
stacked = [np.array(pair) for pair in zip(first_head, second_head)]
omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = stacked
X_prime_any, attentions = multihead_attention(
    X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
print("omega_q", omega_q.shape, " beta_q", beta_q.shape, " attentions", np.shape(attentions))
print("largest difference from 2.4:", np.abs(np.subtract(X_prime_any, X_prime)).max())


# %% [markdown]
# Exactly 0, if your 2.5 makes the same products as 2.4 in the same order. Another way, such as `np.einsum` over all heads, may round the last digits differently, by about $10^{-14}$ here. Both are right, and the tests allow for it.

# %% [markdown]
# ## See both heads
#
# The picture below draws each head twice. On top is the view of this lesson: keys down, queries across, and each **column** sums to 1. Below is the same table transposed, as in lesson 01: queries down, keys across, and each **row** sums to 1. Not one number is different.

# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "show-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the pictures: run it, no need to read it.
def draw_table(ax, table, tokens, across, down, title):
    """Draw one table of shares with the number in each cell."""
    image = ax.imshow(table, cmap="cividis", vmin=0, vmax=1)
    places = range(len(tokens))
    ax.set_xticks(places, tokens)
    ax.set_yticks(places, tokens)
    ax.set_xlabel(across)
    ax.set_ylabel(down)
    ax.set_title(title, fontsize=10)
    if len(tokens) <= 8:
        for row in places:
            for column in places:
                share = table[row, column]
                ax.text(column, row, f"{share:.2f}", ha="center", va="center", fontsize=9,
                        color="black" if share > 0.4 else "white")
    return image


def show_heads(attentions, tokens, transposed=True):
    """Heads side by side: key by query on top, and, if wished, the same transposed below."""
    rows, heads = 1 + transposed, len(attentions)
    figure, axes = plt.subplots(rows, heads, figsize=(4.4 * heads, 4.4 * rows), squeeze=False,
                                layout="constrained")
    for head, table in enumerate(np.asarray(attentions)):
        image = draw_table(axes[0, head], table, tokens, "query", "key",
                           f"head {head}, here: each column sums to 1")
        if transposed:
            draw_table(axes[1, head], table.T, tokens, "key", "query",
                       f"head {head}, lesson 01: each row sums to 1")
    figure.colorbar(image, ax=axes, shrink=0.5, label="share of attention")
    plt.show()


# %% alt="Tables of the attention of head 0 and head 1 on the random data: on top keys down and queries across, so that columns sum to 1, and below the same numbers transposed, so that rows do." tags=["demonstration"]
show_heads(attentions, [f"$x_{n}$" for n in range(6)])

# %% [markdown]
# The column of $x_4$ in head 0 is the recipe of token 4 that you followed after 2.3. (The numbers are rounded: here they seem to sum to 1.01.) Otherwise there is little to read: random matrices make random habits.
#
# A sentence says more. Each word has four features, *animal, thing, verb, preposition*, and *the* has none of them. Now Ω and β are made by hand, so that each head has a job.
#
# **Head 0** pairs word classes. Its queries and keys are pairs of numbers. In a query the first says how much the word looks for a noun (an animal or a thing), the second how much it looks for a verb. In a key they say how much it is one. By default a word looks for a noun: that is the 3 in $\beta_q$, and the reason why a bias is useful. A noun cancels it, and looks for a verb.
#
# | words | query, $\beta_q + \Omega_q x$ | key |
# |---|---|---|
# | *the, on* | $[3, 0]$ | $[0, 0]$ |
# | *cat, mat* | $[3, 0] + [-3, 3] = [0, 3]$ | $[2, 0]$ |
# | *sat* | $[3, 0]$ | $[0, 2]$ |
#
# So the query of *cat* scores $3 \cdot 2 / \sqrt{2} = 4.24$ with the key of *sat*, and 0 with the other five. The share of *sat* is $e^{4.24} / (e^{4.24} + 5) = 0.93$.
#
# **Head 1** is choosier: a verb looks for an animal, and a preposition for a thing. Every other word looks for nothing, and its query is 0.

# %% nbgrader={"grade": false, "grade_id": "sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentence = ["the", "cat", "sat", "on", "the", "mat"]
# features:   animal, thing, verb, preposition
words = {"the": [0, 0, 0, 0], "cat": [1, 0, 0, 0], "mat": [0, 1, 0, 0],
         "sat": [0, 0, 1, 0], "on": [0, 0, 0, 1]}


# %% nbgrader={"grade": false, "grade_id": "two-readers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def two_readers():
    """Matrices and biases of two heads made by hand, from omega_q to omega_c, for 4 features."""
    queries = [[[-3, -3, 0, 0], [3, 3, 0, 0]], [[0, 0, 3, 0], [0, 0, 0, 3]]]
    keys = [[[2, 2, 0, 0], [0, 0, 2, 0]], [[2, 0, 0, 0], [0, 2, 0, 0]]]
    values = [[[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 0, 0]]]
    no_bias = np.zeros((2, 2, 1))
    query_bias = [[[3], [0]], [[0], [0]]]
    tables = [queries, keys, values, query_bias, no_bias, no_bias, np.eye(4)]
    return [np.array(table, dtype=float) for table in tables]


# %% [markdown]
# Predict before you run: in head 1, which columns hold a share near 1, and which are perfectly even?

# %% alt="Tables of the attention of two handmade heads on the cat sat on the mat: in head 0, cat and mat take nearly all from sat; in head 1, sat takes nearly all from cat and on from mat, and every other column is even." tags=["demonstration"]
S = np.array([words[word] for word in sentence], dtype=float).T
S_prime, reading = multihead_attention(S, *two_readers())
print("S", S.shape, "= (D, N): every column is a word")
show_heads(reading, sentence, transposed=False)

# %% [markdown]
# In head 0, *cat* finds *sat*, and is handed nothing by it: the values of both heads hold *animal* and *thing* only, and a verb is neither. Queries and keys say where a head looks, and values what it hands over.
#
# In head 1, *sat* takes almost everything from *cat*, and *on* from *mat*. The other columns are even, with about 0.17 in each cell, which is 1/6: a query of 0 scores 0 with every key. So a query that asks for nothing still hands out all of its attention. It must, because each column sums to 1. Trained language models often leave it on the first tokens, whatever these say: an **attention sink** (Xiao et al., 2023).

# %% [markdown]
# Exercise 2.6 needs torch, so it is imported here, for the first time. In Colab it is installed already. Where you have none, leave 2.6 out: its 3 points are lost and its own cells stop with an error, but nothing after it needs torch. The helper builds torch's module, loads what you return into it, runs it without gradients, and turns the result back to columns.

# %% nbgrader={"grade": false, "grade_id": "run-in-torch", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch


def run_in_torch(state, X, num_heads):
    """Load `state` into torch.nn.MultiheadAttention and give back its output as columns (D, N)."""
    D = X.shape[0]
    shapes = {"in_proj_weight": (3 * D, D), "in_proj_bias": (3 * D,),
              "out_proj.weight": (D, D), "out_proj.bias": (D,)}
    assert state is not None, "to_torch gave back None\ndoes your function end with a return?"
    names = f"return a dict with these names, no others: {', '.join(shapes)}"
    assert isinstance(state, dict), f"to_torch gave back a {type(state).__name__}\n{names}"
    wrong = [f"{name} is missing" for name in shapes if name not in state]
    wrong += [f"{name} is not one of torch's names" for name in state if name not in shapes]
    assert not wrong, f"{', '.join(wrong)}\n{names}"
    for name, shape in shapes.items():
        got = np.shape(state[name])
        assert got == shape, f"the shape of {name} is {got}\nit should be {shape}, where D is {D}"
    module = torch.nn.MultiheadAttention(D, num_heads, batch_first=True).double().eval()
    module.load_state_dict({name: torch.tensor(np.asarray(array), dtype=torch.float64)
                            for name, array in state.items()})
    tokens = torch.tensor(X.T[None], dtype=torch.float64)
    with torch.no_grad():
        output, _ = module(tokens, tokens, tokens)
    return output[0].numpy().T


def torch_gives(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """What torch gives as X_prime with what your `to_torch` makes of these arrays."""
    state = to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    return run_in_torch(state, X, num_heads=len(omega_q))


# %% [markdown]
# ## How torch keeps its heads
#
# torch takes rows as tokens, and keeps the Ω of all heads in one tall array, `in_proj_weight`. On top stands $\Omega_q$ of all heads, below it $\Omega_k$, below that $\Omega_v$. Within each of the three, head 0 has the first $D_h$ rows, head 1 the next $D_h$, and so on. The biases lie in the same order, end to end. The picture has the sizes of our data, $D = 8$ and $D_h = 4$.

# %% alt="The 24 rows of in_proj_weight, four to a block: queries of head 0 and head 1 on top, then their keys, then their values; the 24 numbers of in_proj_bias beside it have the same order." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
ax = blank_axes(25, 17)
for part, name in enumerate("qkv"):
    for head in (0, 1):
        row, top = 8 * part + 4 * head, 4.8 * part + 2.4 * head
        draw_block(ax, 1, top, 11, 2.4, f"$\\Omega_{name}$ of head {head}\nrows {row} to {row + 3}", head)
        draw_block(ax, 16, top, 6, 2.4, f"$\\beta_{name}$ of head {head}\nnumbers {row} to {row + 3}", head)
for height in (4.8, 9.6):
    ax.plot([0.2, 12.8], [height, height], color="black", linewidth=2)
    ax.plot([15.2, 22.8], [height, height], color="black", linewidth=2)
for middle, name in [(6.5, "in_proj_weight  (24, 8)"), (19, "in_proj_bias  (24,)")]:
    ax.text(middle, 15.2, name, ha="center", va="center", fontsize=11, family="monospace")
plt.show()


# %% [markdown]
# ## 2.6 The same weights in PyTorch
#
# **3 points · about 15 minutes · difficulty ●●●**
#
# If your attention is right, then `torch.nn.MultiheadAttention` with the same matrices and biases gives the same numbers. That is a strong check, because other people wrote that code, in another convention.
#
# A torch layer stores `weight` as (out, in) and computes $x\,\mathrm{weight}^T + \mathrm{bias}$ on rows. Transposed, that is $\mathrm{weight}\,X + \mathrm{bias}$ on columns, which is ours.
#
# | columns, here | rows, in torch | shape in torch |
# |---|---|---|
# | $X$, `(D, N)` | $X^T$ with a batch axis in front | `(1, N, D)` |
# | Ω of all heads, `(H, D_h, D)` | heads below each other | `(D, D)` |
# | $\Omega_q, \Omega_k, \Omega_v$ | `in_proj_weight`: q, below it k, below it v | `(3D, D)` |
# | $\beta_q, \beta_k, \beta_v$ | `in_proj_bias`: q, then k, then v | `(3D,)` |
# | $\Omega_c$ | `out_proj.weight` | `(D, D)` |
# | no bias after $\Omega_c$ | `out_proj.bias` | `(D,)` |
# | $X'$, `(D, N)` | the output is $X'^T$ | `(1, N, D)` |
#
# Write `to_torch`. It returns a dict with those four names and NumPy arrays of those shapes. Only what torch then computes is compared with $X'$.
#
# <details><summary>Hint 1: a question</summary>
#
# Write down the rows of `in_proj_weight` for `H = 2` and `D_h = 3`, from top to bottom: which head and which of q, k, v does row 0 belong to? Row 3? Row 6?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `array.reshape(D, D)` joins the first two axes of an array `(H, D_h, D)`, head by head. `reshape(-1)` lays everything in one line. `np.concatenate` puts arrays below each other. `np.zeros` makes the bias that we don't have.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# For each of the three Ω, join the heads into one square array; put the three below each other. For each of the three β, join everything into one line; put the three lines end to end. Ω_c goes over as it is, and the bias after it is zero. Name the four and return them.
# </details>
#
# <details><summary>I get “the shape of in_proj_bias is …”</summary>
#
# torch keeps a bias with one axis, `(3D,)`. Ours are columns, with a last axis of length 1. Which reshape gets rid of it?
# </details>

# %% nbgrader={"grade": false, "grade_id": "to-torch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Lay out the arrays of 2.5 for torch.nn.MultiheadAttention(D, H, batch_first=True).

    Each omega: (H, D_h, D), each beta: (H, D_h, 1), omega_c: (D, D).
    None of them is changed.
    Returns a dict of NumPy arrays: in_proj_weight (3D, D), in_proj_bias (3D,),
    out_proj.weight (D, D), out_proj.bias (D,).
    """
    ### BEGIN SOLUTION
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {
        "in_proj_weight": np.concatenate(weights),
        "in_proj_bias": np.concatenate(biases),
        "out_proj.weight": omega_c,
        "out_proj.bias": np.zeros(D),
    }
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "to-torch-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("to-torch", X_prime="feature token")
check("to-torch", "2 heads and an Ω_c that changes nothing, in torch", torch_gives, *unmixed(*small_heads()))
check("to-torch", "H = 2, D_h = 3, N = 4, in torch", torch_gives, *small_heads())
check("to-torch", "H = 3, D_h = 2, N = 5, in torch", torch_gives, *small_heads(3, 2, 5))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(206)
for H, D_h, N in [(2, 3, 5), (3, 4, 7), (4, 2, 3), (3, 1, 4)]:
    D, stack = H * D_h, []
    shapes = [(D, N)] + 3 * [(H, D_h, D)] + 3 * [(H, D_h, 1)] + [(D, D)]
    given = [0.5 * rng.normal(size=shape) for shape in shapes]
    tokens, q, k, v, bq, bk, bv, mixing = before = copy.deepcopy(given)
    for h in range(H):
        keys, values = k[h] @ tokens + bk[h], v[h] @ tokens + bv[h]
        grown = np.exp([[math.fsum((q[h] @ x + bq[h, :, 0]) * key) / D_h ** 0.5
                         for x in tokens.T] for key in keys.T])
        stack += (values @ (grown / grown.sum(axis=0))).tolist()
    expected = sum(np.outer(mixing[:, i], stack[i]) for i in range(D))
    where, sizes = "in what torch gives for larger random heads", f"with {H=}, {D_h=}, {N=}, "
    check_numbers(run_in_torch(to_torch(*given[1:]), tokens, H), expected, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before[1:]]
    check_numbers(run_in_torch(to_torch(*floats), tokens, H), expected, where, 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Now the published data, through torch. Predict the size of the difference: about 1, about 0.001, or about the fifteenth decimal?

# %% tags=["demonstration"]
state = to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
for name, array in state.items():
    print(f"{name:16}", np.shape(array))
from_torch = run_in_torch(state, X, num_heads=2)
print("largest difference from yours:", np.abs(from_torch - X_prime_any).max())


# %% [markdown]
# <details><summary>Is there another right answer? (Open this after 2.8.)</summary>
#
# Yes. Each column of the attention sums to 1, so $\beta_v$ comes out of the mixture unchanged, as $\beta_v\mathbf{1}^T$. Stack the $\beta_v$ of all heads, put $\Omega_c\beta_v$ into `out_proj.bias`, and zeros for $\beta_v$ into `in_proj_bias`: torch gives the same.
# </details>
#
# You will meet this layout again. Karpathy's nanoGPT calls it `c_attn`: one product makes the queries, keys and values of all heads. In lesson 04 you write such a layer in torch.

# %% [markdown]
# ## 2.7 Does the order of the words matter?
#
# **1 point · about 6 minutes · difficulty ●●○**
#
# *The cat sat on the mat*, *the mat sat on the cat*: two different stories. Does attention notice? Look at your formula and predict: if two columns of $X$ trade places, what happens to $X'$?
#
# To measure it, permute the columns before attention, or permute them after. If both give the same, then attention is **permutation equivariant**: in any order, each token gets the same.
#
# | operation | expression | shape |
# |---|---|---|
# | permute, then attend | attend of $X$ with its columns permuted | `(D, N)` |
# | attend, then permute | attend of $X$, its columns permuted | `(D, N)` |
# | gap | largest absolute difference of all entries | one number |
#
# `permutation` is an array of N indices: column `j` of the permuted table is column `permutation[j]` of the original. `attend` is a function: give it `(D, N)` and get `(D, N)` back.
#
# <details><summary>Hint 1: a question</summary>
#
# You need `attend` twice, on different inputs. Which of the two results still has to be permuted before you may compare?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# An array of indices between the brackets picks columns, if it stands in the second place. `np.abs`, `np.max`, and `float` for the result.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Permute the columns of X and attend. Attend to X as it is, and permute the columns of what comes back in the same way. Subtract, take absolute values, take the largest.
# </details>

# %% nbgrader={"grade": false, "grade_id": "equivariance-gap", "locked": false, "schema_version": 3, "solution": true, "task": false}
def equivariance_gap(attend, X, permutation):
    """Largest absolute difference: columns permuted before attend, or after it.

    attend: from (D, N) to (D, N). X: (D, N), not changed.
    permutation: (N,). Returns a float.
    """
    ### BEGIN SOLUTION
    permuted_first = attend(X[:, permutation])
    permuted_last = attend(X)[:, permutation]
    return float(np.max(np.abs(permuted_first - permuted_last)))
    ### END SOLUTION


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "running-sums", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For the tests: run it, no need to read it.
def running_sums(tokens):
    """Each token plus all before it, after a weight for each of four features: order matters."""
    return np.cumsum(tokens * np.array([[1], [1.7], [-1.4], [0.6]]), axis=1)


def three_gaps(attend, X, permutation):
    """What `equivariance_gap` gives for X, for X with its rows turned round, and for its squares."""
    gaps = [equivariance_gap(attend, one, permutation) for one in (X, X[::-1].copy(), X ** 2)]
    assert gaps[0] is not None, "it gave back None\ndoes your function end with a return?"
    return gaps


# %% nbgrader={"grade": true, "grade_id": "equivariance-gap-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("equivariance-gap", gaps="example")
table, order = 3 * tables(22, (4, 4))[0], np.array([2, 0, 3, 1])
check("equivariance-gap", "running sums as attend, 4 tokens", three_gaps, running_sums, table, order)
check("equivariance-gap", "minus running sums", three_gaps, lambda X: -running_sums(X), table, order)
table, order = 3 * tables(22, (4, 5))[0], np.array([2, 0, 3, 1, 4])
check("equivariance-gap", "running sums as attend, 5 tokens", three_gaps, running_sums, table, order)
check("equivariance-gap", "tanh of each entry as attend", three_gaps, np.tanh, table, order)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(207)
for D, N in [(3, 5), (6, 4), (4, 7)]:
    tokens, positions = rng.normal(size=(D, N)), rng.normal(size=(D, N))
    meeting, sizes = rng.normal(size=(D, D)), f"with {D=} and {N=}, "

    def mixing(X):
        grown = np.exp(0.3 * X.T @ meeting @ X)
        return X @ (grown / grown.sum(axis=0))

    for attend in (mixing, lambda X: mixing(X + positions), lambda X: -np.cumsum(X, axis=1) ** 2):
        for order in (rng.permutation(N), np.roll(np.arange(N), 1)):
            first, last = attend(np.array([tokens[:, j] for j in order]).T), attend(tokens)
            expected = max(abs(first[d, j] - last[d, order[j]]) for d in range(D) for j in range(N))
            given = [tokens.copy(), order.copy()]
            check_numbers(equivariance_gap(attend, *given), expected, "on random tokens", 1e-6, sizes)
            check_unchanged(given, [tokens, order])
### END HIDDEN TESTS

# %% [markdown]
# First the two stories. Swap *cat* and *mat*, and look at what *sat* gets. Then your measure, on the published data, for attention alone and for attention to tokens that know their place (a fixed random column is added to each position).

# %% tags=["demonstration"]
other_story = ["the", "mat", "sat", "on", "the", "cat"]
T = np.array([words[word] for word in other_story], dtype=float).T
T_prime, _ = multihead_attention(T, *two_readers())
labels = ["animal, from head 0", "thing, from head 0", "animal, from head 1", "thing, from head 1"]
print("what sat gets         cat sat on mat  mat sat on cat")
for label, of_cat, of_mat in zip(labels, np.asarray(S_prime)[:, 2], np.asarray(T_prime)[:, 2]):
    print(f"{label:21} {of_cat:14.3f}  {of_mat:14.3f}")


# %% tags=["demonstration"]
def attend(tokens):
    return multihead_attention(tokens, *stacked, omega_c)[0]


positions = np.random.default_rng(27).normal(size=X.shape)
shuffle = np.array([2, 0, 5, 1, 4, 3])
print("attention alone:      gap", equivariance_gap(attend, X, shuffle))
print("with positions added: gap",
      equivariance_gap(lambda tokens: attend(tokens + positions), X, shuffle))


# %% [markdown]
# So attention reads a bag of words: it sees which words are there, not in which order. That is why a Transformer adds something to each token that says where it stands. Without it, each word gets the same in *the cat sat on the mat* and in *the mat sat on the cat*.

# %% [markdown]
# There are three biases in a head. Suppose you set one of them to 0, for all heads, and leave the rest as it is. By how much does $X'$ change, for each of the three? Write your guess down before you measure: three numbers, or three words.

# %% [markdown]
# *My guess (double-click here to write):* β_q: … , β_k: … , β_v: …

# %% [markdown]
# ## 2.8 Take a bias away
#
# **1 point · about 5 minutes · difficulty ●○○**
#
# Now measure it, for one kind of bias after the other: by how much does $X'$ change when the β of this kind are 0 in all heads? Each time the other two stay as they were. A person who calls your function wants to go on with their own biases, so leave their arrays alone, too.
#
# | operation | expression | shape |
# |---|---|---|
# | as it is | $X'$ from `multihead_attention` | `(D, N)` |
# | without one bias | $X'$ with zeros for $\beta_q$, or for $\beta_k$, or for $\beta_v$ | `(D, N)`, three times |
# | gap | largest absolute difference of all entries | one number, three times |
#
# Give the three back in the order of the arguments, **q, k, v**: `return gap_q, gap_k, gap_v`.
#
# <details><summary>Hint 1: a question</summary>
#
# If you write zeros *into* `beta_k`, whose array is that? And which biases does your next measurement then see? What do you have to make instead?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros_like` makes a new array of the same shape. `multihead_attention` gives a pair, and you need its first part. `np.abs`, `np.max`, and `float` for the result. A list of the three biases has places 0, 1, 2 to loop over.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Compute X′ with everything as given. For each kind of bias, compute it again with a new array of zeros in the place of this one alone. Subtract from the first, take absolute values, take the largest. Collect the three.
# </details>
#
# <details><summary>One of my gaps looks wrong, or I get “unsupported operand” for 'tuple' and 'tuple'</summary>
#
# “tuple” says that you subtract the pairs of 2.5: X′ is the first part of each. Otherwise look at exercise 2.5: does its test pass? If its softmax ran over the queries, or if its queries and keys were swapped, the gaps would be others.
# </details>

# %% builds_on=["multihead-attention"] nbgrader={"grade": false, "grade_id": "bias-gaps", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Largest absolute change of X_prime when all beta_q, all beta_k, or
    all beta_v are set to 0.

    Arguments as in multihead_attention. None of them is changed.
    Returns three floats (gap_q, gap_k, gap_v).
    """
    ### BEGIN SOLUTION
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(np.subtract(changed, whole)))))
    return tuple(gaps)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "bias-gaps-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("bias-gaps", gap_q="", gap_k="", gap_v="")
check("bias-gaps", "H = 2, D_h = 3, N = 4", bias_gaps, *small_heads())
check("bias-gaps", "H = 3, D_h = 2, N = 5", bias_gaps, *small_heads(3, 2, 5))
### BEGIN HIDDEN TESTS
def slow_heads(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    rows = []
    for q, k, v, bq, bk, bv in zip(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
        keys, values, columns = (k @ X + bk).T, (v @ X + bv).T, []
        for x in X.T:
            grown = [math.exp(math.fsum((q @ x + bq[:, 0]) * key) / len(q) ** 0.5) for key in keys]
            columns.append(sum(share * value for share, value in zip(grown, values)) / math.fsum(grown))
        rows += np.transpose(columns).tolist()
    return sum(np.outer(omega_c[:, i], row) for i, row in enumerate(rows))


rng = np.random.default_rng(208)
for H, D_h, N in [(3, 2, 5), (2, 4, 3), (1, 3, 7)]:
    shapes = [(H * D_h, N)] + 3 * [(H, D_h, H * D_h)] + 3 * [(H, D_h, 1)] + [(H * D_h, H * D_h)]
    given = [0.5 * rng.normal(size=shape) for shape in shapes]
    before, expected = copy.deepcopy(given), []
    for place in (4, 5, 6):
        without = [array * (at != place) for at, array in enumerate(before)]
        expected.append(np.abs(slow_heads(*without) - slow_heads(*before)).max())
    sizes = f"with {H=}, {D_h=}, {N=}, "
    check_numbers(bias_gaps(*given), expected, "in the gaps of larger random heads", 1e-5, sizes)
    check_unchanged(given, before)
### END HIDDEN TESTS

# %% [markdown]
# Now compare with your guess. The cell measures all three on the published data.

# %% tags=["demonstration"]
for name, gap in zip(["beta_q", "beta_k", "beta_v"], bias_gaps(X, *stacked, omega_c)):
    print(f"without {name}: X_prime changes by {gap:.2g}")

# %% [markdown]
# Is the key bias just too small to matter? Make it 10, 100, 1000 times as large, and see.

# %% tags=["demonstration"]
for factor in [1, 10, 100, 1000]:
    larger = list(stacked)
    larger[4] = factor * beta_k
    print(f"beta_k times {factor:4}: gap {bias_gaps(X, *larger, omega_c)[1]:.1g}")

# %% [markdown]
# No. With a bias a thousand times as large the gap is still a rounding error; it creeps up only because larger scores are rounded more coarsely. So something in the formula removes the key bias, whatever its size. To find out what, look at the scores of head 0: with $\beta_k$, minus those without. Three queries are enough. Read *down* a column, then along a row. What do you notice?

# %% tags=["demonstration"]
queries_0 = np.asarray(project(X, omega_q1, beta_q1))
with_bias = np.asarray(project(X, omega_k1, beta_k1))
without_bias = np.asarray(project(X, omega_k1, np.zeros((4, 1))))
added = (with_bias - without_bias).T @ queries_0 / 2  # √D_h = 2
print("added to the scores, key by query (queries 0, 1, 2):")
print(np.round(added[:, :3], 3))

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-no-key-bias", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 2.9 Explain what you measured
#
# **2 points · about 5 minutes · difficulty ●●○**
#
# One of the three biases cannot change $X'$, whatever its value. Explain why, in this lesson's formula. Write out the score of key $m$ and query $n$ with this bias in it; say what the bias adds to it, and on which of $m$ and $n$ this depends; and say what the softmax does with it. Four or five sentences, with a formula or two; you may leave out $\sqrt{D_h}$.
#
# <details><summary>Hint: a question</summary>
#
# With its bias, a vector is a sum of two parts, so each product with it is one, too: write both down. And 2.1 subtracts one number from a whole column: why may it?
# </details>
#
# ### BEGIN MARK SCHEME
# **1 point, what is added:** the score is $(\beta_k + \Omega_k x_m)^T q_n / \sqrt{D_h}$, so the bias adds $\beta_k^T q_n / \sqrt{D_h}$ (leaving out $\sqrt{D_h}$ costs nothing). This depends on the query $n$ but not on the key $m$: the same number is added to every entry of a column.
#
# **1 point, what the softmax does:** it runs over the keys, down that column. A constant $c$ added to all scores of a column multiplies every exponential, and hence their sum, by $e^c$, which cancels. So the attention does not change, and with it neither does $X'$ (the values don't contain $\beta_k$).
#
# Right in other words counts, and so does pointing to the printed table for the first point if the reason is given too.
#
# **Half right, 1 point:** "The bias is the same for every key, so it makes no difference." It says that the constant is shared by the keys, but not why softmax removes it.
#
# **No point:** "the bias is small", "softmax normalises" without more, or "it makes no difference because the gap is 0".
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# <details><summary>When your answer is written: what follows, and is it so in every model?</summary>
#
# It follows that in 2.3 to 2.6 a wrong $\beta_k$ passes every test, say that of the other head. No result could show it.
#
# It isn't so everywhere. Many models turn each query and key by an angle that grows with its position, after the projection and before the product (rotary positions; Su et al., 2021). Then the bias of a key is turned with it: what it adds depends on where the key stands, and the softmax doesn't remove it.
#
# Measured on head 0 of our data, with its features taken in two pairs, 0 with 1 and 2 with 3, and token $n$ turned by $n$ radians in the first pair and by $n/100$ in the second: without $\beta_k$, the head's mixture of values changes by 2.1. Without the turning it changes by $3\cdot10^{-15}$.
# </details>

# %% [markdown]
# ## What you built
#
# - A softmax, a projection, and one head of attention in which a column is a token, and a test of each against the usual slips.
# - Two heads, and then any number, with the published numbers to the third decimal; and their sum, in which each head writes its own part.
# - A map from columns to rows, good enough that PyTorch gives the same result from your arrays.
# - Two measurements: attention doesn't see order, and it doesn't see the key bias. Neither could be read off the code at a glance.
#
# Some models leave the key bias out. OpenAI's published code of Whisper does: its layers for queries and values have a bias, its layer for keys has none.

# %% [markdown]
# ## Three questions to think about
#
# 1. If the softmax ran over the queries, one of $\beta_q$ and $\beta_k$ would be without effect. Which one, and why?
# 2. $\beta_v$ does matter, but it could be moved into a bias after $\Omega_c$. Would that still work if the columns of the attention didn't sum to 1?
# 3. Stack the heads in the other order. Which change of $\Omega_c$ makes up for it exactly? So is there anything special about head 0?
#
# <details><summary>Answers</summary>
#
# 1. $\beta_q$. It adds $k_m^T\beta_q / \sqrt{D_h}$ to the score of key $m$ and query $n$, the same number along the whole row of key $m$. A softmax over the queries runs along that row, and a constant in it cancels. Measured on head 0 of our data: without $\beta_q$ its mixture of values then changes by less than $10^{-15}$, without $\beta_k$ by 2.6.
# 2. No. The bias leaves a head as $\beta_v\mathbf{1}^TA$, and $\mathbf{1}^TA$ holds the column sums. If column $n$ sums to $c_n$, token $n$ gets $c_n\beta_v$, while a bias after $\Omega_c$ is the same for all tokens. With the softmax of question 1, the column sums of head 0 are 2.00, 1.95, 1.28, 0.44, 0.28 and 0.06.
# 3. Let the halves of its columns trade places, too: then each half meets its own head again, and a sum doesn't ask for the order. On our data the largest difference is 35.1 without this change, and less than $10^{-14}$ with it. So nothing is special about head 0: its number is only a name.
# </details>

# %% [markdown]
# ## References
#
# - Simon J. D. Prince, *Understanding Deep Learning*, 2023, MIT Press. Section 12.3 and figure 12.6: the notation of this lesson.
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017. Scaled dot products, and many heads.
# - Nelson Elhage and others, *A Mathematical Framework for Transformer Circuits*, 2021. Heads add, and the circuits of each.
# - Juho Lee and others, *Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks*, 2019. What to do with attention that doesn't see order.
# - Manzil Zaheer and others, *Deep Sets*, 2017. Functions on sets, and what equivariance demands of them.
# - Jianlin Su and others, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021. Positions as turns of queries and keys.
# - Guangxuan Xiao and others, *Efficient Streaming Language Models with Attention Sinks*, 2023. Where attention goes that isn't needed.
