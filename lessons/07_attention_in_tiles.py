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
# # Attention in tiles
#
# *Attention, Graded · lesson 07 · NumPy · about <!-- minutes -->120<!-- end --> minutes of exercises<!-- with: merge-states -->, core 65<!-- end --> · <!-- points -->17<!-- end --> points*
#
# So far every attention layer here has built the whole table of scores: a row for each query, a column for each key. For 4096 tokens that is 17 million scores per head, and for 100,000 tokens ten billion. Real systems read texts of that length, and they **never store this table**.
#
# The idea is that attention is a sum over keys, and a sum can be computed piece by piece. You build a *state* of three arrays that takes in one block of keys after another, then attention that never holds more than one small tile of scores. The output is exactly the same. This lesson builds on lesson 03.

# %% [markdown]
# ## How to work through this notebook
#
# Run the cells from top to bottom, including the collapsed ones: click a cell, then press **Shift+Enter**. In each exercise, replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. The test prints ✓, or what is wrong and, in its last line, what to do.
#
# <details><summary><b>More on tests, hints and points</b></summary>
#
# If a test fails, the lines above its last one show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# Test cells are collapsed, and you don't need to read them. In them, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. The question at the end is answered in words and read by a person. If you are stuck on an exercise, skip it and come back later: no test needs your code of an earlier exercise. Cells that draw or print call your functions, so they fail, or show wrong results, until those work. The times are estimates, and don't include reading and running such cells. The slowest cell measures memory and takes up to ten seconds.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `Q` is `(n_q, d_k)`, `K` is `(n_k, d_k)`, `V` is `(n_k, d_v)`: one head and one sequence |
# | **Queries are rows, keys are columns** | `scores[i, j]` belongs to query `i` and key `j`, and is the dot product divided by $\sqrt{d_k}$ |
# | **Each row of the attention weights sums to 1** | the softmax runs along the keys, even though the weights are never stored |
# | **The last query is the last token** | under the causal mask, query `i` sees the keys `0 … i + n_k − n_q`. With as many queries as keys this is the mask of lesson 03. PyTorch's `is_causal=True` counts from the *first* query instead, which is a different mask if the two numbers differ |
# | **Blocked is −∞** | a score of −∞ gets weight 0 |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% locked imports
import math
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## Attention is two sums over keys
#
# Attention is a sum over keys, divided by another sum over keys:
#
# $$\text{output of query } i = \frac{\sum_j e^{s_{ij}}\, v_j}{\sum_j e^{s_{ij}}}$$
#
# Both sums can be computed one key at a time, without keeping the scores. There is one difficulty. You know from lessons 01 and 03 that $e^{1000}$ overflows, so the largest score of the row is subtracted first. But as long as more keys are to come, the largest score is not known yet.

# %% [markdown]
# **What you build.** At the end you measure how much memory attention takes: with the whole table of weights, and with your tiles, which give the same output. These are the values of our run.

# %% alt="Peak memory over the number of tokens, both axes logarithmic: the whole table rises from 1.6 MiB at 256 tokens to 385 MiB at 4096; the tiles stay at about half a MiB." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_memory():
    tokens, tables, tiles = [256, 512, 1024, 2048, 4096], [1.57, 6.13, 24.3, 96.5, 385], [0.54] * 5
    _, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
    for name, peaks, style in [("whole table", tables, "o-"), ("your tiles", tiles, "s--")]:
        ax.loglog(tokens, peaks, style, label=name)
        ax.annotate(f"{peaks[-1]:.3g} MiB", (4096, peaks[-1]), xytext=(-6, 6),
            textcoords="offset points", ha="right")
    ax.minorticks_off()
    ax.set(xticks=tokens, xticklabels=tokens, xlabel="tokens", ylabel="peak memory, MiB",
        ylim=(0.1, 2000))
    ax.legend(loc="upper left")
    plt.show()


draw_memory()


# %% [markdown]
# ## 7.1 A running maximum
#
# **★ core · <!-- points -->2 points<!-- end --> · about 12 minutes · difficulty ●●○**
#
# The solution is to subtract the largest score **so far**, and to correct the sum whenever a larger score appears. For each row keep two numbers: $m$, the largest score so far, and $l = \sum_j e^{s_j - m}$ over all keys so far.
#
# Take a row with the scores 1 and 3. Then $m = 3$ and $l = e^{1-3} + e^{3-3} = 1.1353$. The next block contains the scores 2 and 5. The new maximum is 5, but the terms in $l$ were computed relative to 3. You don't need the old scores to correct them, because every term changes by the same factor,
#
# $$e^{s - m_\mathrm{new}} = e^{s - m} \cdot e^{m - m_\mathrm{new}}$$
#
# and so does their sum. Here the factor is $e^{3-5} = 0.1353$.
#
# | operation | expression | shape |
# |---|---|---|
# | a block of scores | the next `b` keys of each row | `(n_q, b)` |
# | new maximum | the largest of the old maximum and the block's scores, per row | `(n_q,)` |
# | new sum | the old sum times the factor, plus the block's terms relative to the new maximum | `(n_q,)` |
#
# Before the first key, $m$ is −∞ and $l$ is 0. A score of −∞ is a key that the row may not see: it adds 0. A row that has seen nothing but −∞ stays at (−∞, 0). Be careful here: −∞ − (−∞) is NaN.
#
# <details><summary>Hint 1: a question</summary>
#
# If a row has seen nothing, any finite number may be subtracted from its −∞ scores: the result stays −∞. Which number could replace a maximum of −∞, only in the subtraction?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `scores.max(axis=1)`, `np.maximum(a, b)` (elementwise maximum), `np.where(condition, a, b)`, `np.isneginf`, `np.exp` (which returns 0 for −∞). `safe[:, None]` has shape `(n_q, 1)`, so it is subtracted from each row.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# new_m = elementwise maximum of m and the row maximum of scores
# safe  = new_m, with -inf replaced by 0
# l     = l times exp(m - safe), plus the row sum of exp(scores - safe as a column)
# return new_m (with its -inf), l
# ```
# </details>
#
# <details><summary>I get NaN</summary>
#
# Somewhere −∞ is subtracted from −∞. This happens in rows where the new maximum is −∞, because the row has not seen any key yet.
# </details>

# %% solution update-max-sum edition="core"
def update_max_sum(m, l, scores):
    """Return the running maximum and the sum of exponentials of each row
    after one more block of keys.

    m: (n_q,), the largest score so far. l: (n_q,), the sum of e^(s - m) so far.
    scores: (n_q, b), the next block, b at least 1; -inf is a key that is not seen.
    Returns (m, l), both (n_q,): (-inf, 0) for a row that has seen nothing.
    Does not modify its inputs.
    """
    ### BEGIN SOLUTION
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
    ### END SOLUTION


# %% [markdown]
# The tests use a table of three rows and four keys in two blocks (`print(score_table)` shows it), then rows whose scores are at very different levels.

# %% test update-max-sum points=2
# Test of 7.1 A running maximum (2 points). Run the checks cell first.
returns("update-max-sum", m="query", l="query")
check("update-max-sum", "the first two keys of the table", update_max_sum, *empty_state[:2],
    score_table[:, :2])
check("update-max-sum", "the last two keys, after the first two", update_max_sum,
    *state_after_two[:2], score_table[:, 2:])
check("update-max-sum", "5 rows at very different levels", update_max_sum, *uneven_state[:2],
    uneven_scores)
check("update-max-sum", "one key that only some rows see", update_max_sum, *uneven_state[:2],
    uneven_scores[:, 3:4])
### BEGIN HIDDEN TESTS
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6]), (13, 1, [2, 3]), (14, 43, [41, 1, 300]), (15, 9, 25 * [1]), (16, 5, 5 * [5]), (17, 1, [1, 1]), (18, 300, [2, 2])]:
    for level in (1e4, 1, 0, 1e6, -1e6, 1e9, -1e-3):
        S = random_scores(seed, n_q, blocks, level)[0][:n_q]
        m, l, end = np.full(n_q, -np.inf), np.zeros(n_q), 0
        for b in blocks:
            given = m, l, S[:, end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                m, l = result_parts(update_max_sum(*given), 2, "m, l")
            end += b
            most = S[:, :end].max(axis=1)
            sums = np.exp(S[:, :end] - np.where(most > -np.inf, most, 0)[:, None]).sum(axis=1)
            sizes = f"after {end} keys in blocks of {blocks}, "
            check_numbers(m, most, "in the largest score so far", sizes)
            check_numbers(l, sums, "in the sum so far", sizes)
            check_unchanged(given, kept)
            m, l = most, sums
### END HIDDEN TESTS

# %% [markdown]
# How does the sum change while the keys of a row come in? Predict: can $l$ become smaller from one key to the next? And can it become smaller than 1?

# %% tags=["demonstration"]
row = np.array([[1.0, 3, 2, 5, -1, 5]])
m, l = np.array([-np.inf]), np.array([0.0])
for j in range(6):
    m, l = update_max_sum(m, l, row[:, j:j + 1])
    print(f"after a score of {row[0, j]:2.0f}:  m = {m[0]:.0f}, l = {l[0]:.4f},  l · e^m = "
        f"{l[0] * np.exp(m[0]):8.3f}")


# %% [markdown]
# It can shrink: when a new maximum appears. But the largest score adds $e^0 = 1$, so after the first visible key $l$ is never below 1. The last column is the plain sum of exponentials. It only grows, and for larger scores it would overflow: $m$ and $l$ represent the same number in two parts.
#
# This is the *online softmax* of Milakov and Gimelshein (2018).

# %% [markdown]
# ## 7.2 Values, too
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●○ · needs 7.1**
#
# The numerator of attention is a sum over keys, too. So accumulate it in the same way: $o = \sum_j e^{s_j - m}\, v_j$, a row of `d_v` numbers per query. It is **not** divided. When the maximum grows, $o$ shrinks by the same factor as $l$. Whenever you need the attention over all keys seen so far, divide: $o / l$.
#
# The three arrays together are the **state**. Its size is the same after 1 key and after 1000.
#
# | part of the state | what it is | shape |
# |---|---|---|
# | `m` | the largest score so far | `(n_q,)` |
# | `l` | the sum of $e^{s_j - m}$ | `(n_q,)` |
# | `o` | the sum of $e^{s_j - m}\, v_j$ | `(n_q, d_v)` |
#
# Before the first key the state is `None`. For a row that has seen nothing but −∞, `m` is −∞, `l` is 0 and `o` is a row of zeros. You may call your 7.1, once it passes its tests, or repeat its lines.
#
# <details><summary>Hint 1: a question</summary>
#
# `o` has one axis more than the factor that corrects it. Along which axis is the factor the same?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# As in 7.1, and `@`: the block's terms are `(n_q, b)`, its values `(b, d_v)`. `np.full(n_q, -np.inf)` and `np.zeros((n_q, d_v))` for the first state.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# m, l, o = the state; without a state: all -inf, zeros, zeros
# new_m, safe = as in 7.1
# factor = exp(m - safe)                        # (n_q,)
# terms  = exp(scores - safe as a column)       # (n_q, b)
# l = l times factor, plus the row sums of terms
# o = o times factor as a column, plus terms @ values
# return new_m, l, o (not divided)
# ```
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# The factor has shape `(n_q,)`, and NumPy aligns it with the last axis of `o`. Make it a column with `[:, None]`.
# </details>

# %% solution update-attention builds_on=["update-max-sum"] edition="core"
def update_attention(state, scores, values):
    """Return the state of attention after one more block of keys.

    state: None (nothing seen yet) or (m, l, o), of shapes (n_q,), (n_q,) and (n_q, d_v).
    scores: (n_q, b), the next block; -inf is a key that is not seen. values: (b, d_v).
    Returns (m, l, o): o / l[:, None] is the attention over all keys so far.
    Does not modify its inputs.
    """
    ### BEGIN SOLUTION
    if state is None:
        n_q = scores.shape[0]
        state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
    m, l, o = state
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    factor = np.exp(m - safe)
    terms = np.exp(scores - safe[:, None])
    return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
    ### END SOLUTION


# %% test update-attention points=3
# Test of 7.2 Values, too (3 points). Run the checks cell first.
returns("update-attention", m="query", l="query", o="query value")
first, last = (score_table[:, :2], value_table[:2]), (score_table[:, 2:], value_table[2:])
check("update-attention", "the first two keys of the table", update_attention, None, *first)
check("update-attention", "the last two keys, after the first two", update_from_parts,
    *state_after_two, *last)
check("update-attention", "5 rows at very different levels", update_from_parts, *uneven_state,
    uneven_scores, example_array(7, 5, 3))
check("update-attention", "one key that only some rows see", update_from_parts, *uneven_state,
    uneven_scores[:, 3:4], example_array(9, 1, 3))
check("update-attention", "4 rows and 2 keys, nothing seen before", update_attention, None,
    uneven_scores[:4, 3:], example_array(2, 2, 6))
### BEGIN HIDDEN TESTS
for seed, n_q, blocks, d_v in [(11, 4, [3, 1, 5, 2], 5), (12, 3, [2, 4, 4, 1, 6], 5), (13, 1, [2, 3], 5), (14, 43, [41, 1, 300], 20), (15, 9, 25 * [1], 1), (16, 5, 5 * [5], 5), (17, 1, [1, 1], 1), (18, 300, [2, 2], 43)]:
    for level in (1e4, 1, 0, 1e6, -1e6, 1e9, -1e-3):
        S, rng = random_scores(seed, n_q, blocks, level)
        S = S[:n_q]
        V, state, end = rng.normal(size=(sum(blocks), d_v)), None, 0
        V = np.round(9 * V).astype(int) if seed == 13 else V
        for b in blocks:
            given = *(state or ()), S[:, end:end + b].copy(), V[end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                state = result_parts(update_attention(state and given[:3], *given[-2:]), 3, "m, l, o")
            end += b
            most = S[:, :end].max(axis=1)
            terms = np.exp(S[:, :end] - np.where(most > -np.inf, most, 0)[:, None])
            right = most, terms.sum(axis=1), terms @ V[:end]
            for name, mine, theirs in zip("mlo", state, right):
                check_numbers(mine, theirs, f"in the state's {name}", f"after {end} keys in blocks of {blocks}, ")
            check_unchanged(given, kept)
            state = right
### END HIDDEN TESTS

# %% [markdown]
# Is this really the same as attention with a table? The next cell passes 60 keys to your function in blocks of 7 and compares after every block. Two rows have scores near 1000, the other two near −1000. Predict: how large will the largest gap be, and will it grow with the number of blocks?

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
# The gap stays at rounding error, about $10^{-16}$. This is not an approximation: it is attention, computed in another order.
#
# If you did lesson 06, you may recognize the update. There, a gate $g$ mixed one more value into a finished attention output. Here $g$ is the block's share of the new sum $l_\mathrm{new}$: after division by it, the old output has weight $1 - g = l\, e^{m - m_\mathrm{new}} / l_\mathrm{new}$, and the block has weight $g$.

# %% [markdown]
# ## 7.3 Merge two states
#
# **more · <!-- points -->2 points<!-- end --> · about 10 minutes · difficulty ●●○ · needs 7.2**
#
# Suppose that two machines have each processed half of the keys, and have the states `a` and `b`. Then the keys are not needed again: the two states contain everything. Express both relative to the larger of the two maxima, and add.
#
# The order of the two doesn't matter, nor does the order of several merges. So the keys can be distributed over many processors that work at the same time. When a model writes with a very long context, the work of a single query is split in this way (*Flash-Decoding*, Dao and others, 2023).
#
# A row may have seen no key in `a`, in `b`, or in both.
#
# <details><summary>Hint 1: a question</summary>
#
# In 7.2 the old state was rescaled and a new block was added. Which of the two has to be rescaled here: `a`, `b`, or both?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.maximum`, `np.where` with `np.isneginf`, `np.exp`, `[:, None]`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# m    = elementwise maximum of both maxima
# safe = m, with -inf replaced by 0
# for each of the two states: factor = exp(its own maximum - safe)
# l    = sum of both l, each times its factor
# o    = sum of both o, each times its factor as a column
# return m, l, o
# ```
# </details>

# %% solution merge-states builds_on=["update-attention"]
def merge_states(a, b):
    """Return the state over the keys of both states, which have seen different keys.

    a, b: (m, l, o), of shapes (n_q,), (n_q,) and (n_q, d_v), as in update_attention.
    Returns (m, l, o), as a single state that has seen all keys. Does not modify its inputs.
    """
    ### BEGIN SOLUTION
    m = np.maximum(a[0], b[0])
    safe = np.where(np.isneginf(m), 0.0, m)
    of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
    return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
    ### END SOLUTION


# %% test merge-states points=2
# Test of 7.3 Merge two states (2 points). Run the checks cell first.
returns("merge-states", m="query", l="query", o="query value")
check("merge-states", "4 rows, one of which has seen nothing", merge_from_parts, *state_a, *state_b)
check("merge-states", "a and b swapped", merge_from_parts, *state_b, *state_a)
check("merge-states", "5 rows at very different levels", merge_from_parts, *uneven_a, *uneven_b)
### BEGIN HIDDEN TESTS
def state_of(S, V):
    """The state over some keys, from all of them at once."""
    most = S.max(axis=1)
    terms = np.exp(S - np.where(most > -np.inf, most, 0)[:, None])
    return most, terms.sum(axis=1), terms @ V
for seed, n_q, blocks, d_v in [(11, 4, [3, 1, 5, 2], 4), (12, 3, [2, 4, 4, 1, 6], 4), (13, 6, [4, 3, 2], 4), (14, 43, [41, 1, 300], 20), (15, 9, 25 * [1], 1), (16, 5, 5 * [5], 5), (17, 1, [1, 1], 1), (18, 300, [2, 2], 43), (19, 1, [3, 5], 1)]:
    for level in (1e4, 1, 0, 1e6, -1e6, 1e9, -1e-3):
        S, rng = random_scores(seed, n_q, blocks, level)
        S = S[:n_q]
        V, ends = rng.normal(size=(sum(blocks), d_v)), np.cumsum([0, *blocks])
        parts = [np.arange(a, b) for a, b in zip(ends, ends[1:])]
        # Every other part first, then all: groups whose keys are not neighbours.
        groups = [(parts[0], parts[1]), (parts[-1], parts[0]), (np.concatenate(parts[::2]), np.concatenate(parts[1::2]))]
        for one, other in groups:
            given = [state_of(S[:, keys], V[keys]) for keys in (one, other)]
            kept = [part.copy() for state in given for part in state]
            with np.errstate(all="ignore"):
                made = result_parts(merge_states(*given), 3, "m, l, o")
            right = state_of(S[:, [*one, *other]], V[[*one, *other]])
            for name, mine, theirs in zip("mlo", made, right):
                check_numbers(mine, theirs, f"in the merged {name}", f"{len(one)} keys and {len(other)}, for {n_q=} and {d_v=}, ")
            check_unchanged([part for state in given for part in state], kept)
### END HIDDEN TESTS

# %% [markdown]
# There are two ways to the same state. The next cell passes four blocks to your 7.2, one after the other. Then it makes a separate state for each block, and your 7.3 merges them: the last with the first, and the two in the middle with each other.

# %% tags=["demonstration"]
S, rng = random_scores(3, 4, [5, 5, 5, 5])
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
# ## 7.4 One tile at a time
#
# **★ core · <!-- points -->5 points<!-- end --> · about 35 minutes · difficulty ●●● · needs 7.2**
#
# Now the whole algorithm. A graphics processor has a large, slow memory and a small, fast one next to its arithmetic units. The table of scores doesn't fit into the fast memory. Writing it to the slow memory and reading it again takes longer than all of the arithmetic. *FlashAttention* (Dao and others, 2022) therefore works on **tiles**: the scores of a few queries with a few keys, small enough for the fast memory.
#
# Your function does the same. Its outer loop takes one tile of queries, its inner loop one tile of keys and values after another:
#
# | operation | expression | shape |
# |---|---|---|
# | a tile of queries | rows `i … i + tile_q − 1` of `Q` | `(rows, d_k)` |
# | a tile of keys and values | rows `j … j + tile_k − 1` of `K` and `V` | `(cols, d_k)`, `(cols, d_v)` |
# | its scores | divided by $\sqrt{d_k}$, and −∞ where the mask blocks | `(rows, cols)` |
# | the state of these queries | updated with the scores and values | as in 7.2 |
# | finished rows, after the inner loop | $o$ divided by $l$, row by row | `(rows, d_v)` |
#
# The last tile of either kind may be smaller. With `causal`, query `i` sees the keys `0 … i + n_k − n_q`, and there are at least as many keys as queries. A tile in which **no** query sees any key is *dead*: don't even read it. In all other tiles, put −∞ where a query may not see a key.
#
# The picture shows the table that your function never stores, for 7 queries and 9 keys in tiles of 3 by 4. Before you look: which of the nine tiles are dead?

# %% alt="Heatmap of the attention weights of 7 queries and 9 keys, cut into tiles of 3 by 4 by orange lines; the last tiles have 1 row or 1 column. Blocked weights are hatched: query 0 sees the keys 0 to 2, query 6 sees all. The tiles of key 8 are dead for the queries 0 to 2 and 3 to 5." tags=["demonstration"]
seen = np.tri(7, 9, 2, dtype=bool)
weights = np.exp(np.random.default_rng(5).normal(size=(7, 9))) * seen
weights = weights / weights.sum(axis=1, keepdims=True)
fig, ax = plt.subplots(figsize=(6, 4.4), layout="constrained")
image = ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
for i, j in np.ndindex(7, 9):
    if seen[i, j]:
        ax.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center", fontsize=8,
            color="black" if weights[i, j] > 0.5 else "white")
    else:
        ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", edgecolor="0.6",
            linewidth=0, hatch="////"))
for edge in (2.5, 5.5):
    ax.axhline(edge, color="#f0a13c", linewidth=3)
for edge in (3.5, 7.5):
    ax.axvline(edge, color="#f0a13c", linewidth=3)
ax.set(xticks=range(9), yticks=range(7), xlabel="key", ylabel="query")
fig.colorbar(image, label="attention weight", shrink=0.7)
plt.show()


# %% [markdown]
# Two are dead: those of key 8 with the queries 0 to 2 and 3 to 5. Three tiles are partly blocked, and five, at the edges, are smaller than 3 by 4.
#
# Your function can't index `Q`, `K` and `V`. It gets three functions for the slow memory, which `slow_memory` in the next cell creates:
#
# | function | what it does |
# |---|---|
# | `read(name, start, stop)` | returns rows `start … stop − 1` of `"Q"`, `"K"` or `"V"`: at most one tile. `stop` may be past the end: then there are fewer rows. `start` may not |
# | `update(state, scores, values)` | your 7.2, for at most one tile. The state of each tile of queries begins with `None` |
# | `write(start, rows)` | stores finished rows of the output, beginning at row `start` |
#
# Every call is recorded in a **log**, so a test can see that you really work in tiles. For each tile of queries: (1) read each query, key and value at most once; (2) pass each tile that is not dead to `update`; (3) write each row of the output once; (4) only then read the next queries. For 2 queries and 2 keys in tiles of 2 and 1, without a mask, the log is: read `Q` 0 to 2; read `K` 0 to 1, read `V` 0 to 1, update; read `K` 1 to 2, read `V` 1 to 2, update; write 0 to 2.
#
# <details><summary>Hint 1: a question</summary>
#
# A tile begins at query `i` and key `j`. The score at row 0 and column 0 of the tile belongs to which query and which key? And which is the last key that the tile's **last** query may see?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `range(0, n_q, tile_q)`, `len(...)` of the rows that were read, `np.arange` for the indices of queries and keys, `np.where(condition, -np.inf, scores)` with a condition that compares a row of keys with a column of queries, `break`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# for each start i of a tile of queries:
#     read the tile of Q; state = None
#     last_seen = index of each query of the tile + n_k - n_q
#     for each start j of a tile of keys:
#         if causal and j is after the tile's last last_seen: break
#         read the tile of K; scores = Q times K transposed / sqrt(d_k)
#         if causal: scores = -inf where key index > last_seen as a column
#         read the tile of V; state = update(state, scores, V)
#     write at i: o divided by l as a column
# ```
# </details>
#
# <details><summary>I get NaN in the first rows</summary>
#
# Rows with `l` equal to 0 have not seen any key. Do you add `j`, the index of the tile's first key, when you compare? Does each tile of queries begin with the state `None`?
# </details>

# %% locked slow-memory
def slow_memory(Q, K, V, output, tile_q, tile_k, make_state=None, keep_log=True):
    """Return functions that read Q, K and V and write output, at most one tile at a time.

    make_state: the function that updates states; if None, your update_attention of 7.2.
    Returns (read, write, update, log). The log lists all calls:
    ("read", name, start, stop), ("update", rows, keys), ("write", start, stop).
    """
    tables, limits, log = {"Q": Q, "K": K, "V": V}, {"Q": tile_q, "K": tile_k, "V": tile_k}, []

    def note(*event):
        if keep_log:
            log.append(event)

    def read(name, start, stop):
        table, limit = tables[name], limits[name]
        if not 0 <= start < len(table) or stop <= start:
            raise ValueError(f"{name} has the rows 0 to {len(table) - 1}: cannot read from {start} "
                f"to {stop}; the row after the last one is the stop")
        rows = np.array(table[start:stop])
        if len(rows) > limit:
            raise ValueError(f"a tile of {name} has at most {limit} rows, not {len(rows)}: read "
                "fewer rows at a time")
        note("read", name, start, start + len(rows))
        return rows

    def update(state, scores, values):
        shape = np.shape(scores)
        if len(shape) != 2 or shape[0] > tile_q or shape[1] > tile_k:
            raise ValueError(f"update takes scores of at most {tile_q} queries and {tile_k} keys "
                f"(columns), not of the shape {shape}")
        if len(values) != shape[1]:
            raise ValueError(f"{shape[1]} columns of scores need {shape[1]} rows of values, not "
                f"{len(values)}")
        note("update", *shape)
        return (make_state or update_attention)(state, scores, values)

    def write(start, rows):
        if np.ndim(start):
            raise ValueError("write takes the index of the first row first, and then the rows")
        if np.shape(rows)[1:] != output.shape[1:] or not 0 <= start <= len(output) - len(rows):
            raise ValueError(f"rows of shape {np.shape(rows)} don't fit into an output of shape "
                f"{output.shape} at row {start}")
        output[start:start + len(rows)] = rows
        note("write", start, start + len(rows))

    return read, write, update, log


# %% solution tiled-attention builds_on=["update-attention"] edition="core"
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    """Compute attention without holding more than one tile of scores.

    read, write, update: functions as created by slow_memory.
    n_q, n_k: the numbers of queries and keys.
    tile_q, tile_k: the largest numbers of queries and keys of a tile.
    causal: if True, query i sees only the keys 0 ... i + n_k - n_q.
    Returns None: the output, (n_q, d_v), is passed to write.
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
# The first two tests check the output: without a mask, then with one. They use their own `update`, so they don't need your 7.2. The third test checks the log.

# %% test tiled-attention points=2
# Test of 7.4 One tile at a time, 1 of 3 (2 points). Run the checks cell first.
returns("tiled-attention", output="query value")
check("tiled-attention", "7 queries, 11 keys, tiles of 2 and 3", tiled,
    *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
check("tiled-attention", "3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3)
check("tiled-attention", "6 queries, 5 keys, tiles of 4 and 2", tiled, *tiled_inputs(0, 6, 5, 3, 4),
    4, 2)
check("tiled-attention", "tiles that are longer than the table", tiled,
    *tiled_inputs(5, 3, 2, 5, 1), 8, 16)
check("tiled-attention", "tiles of 1", tiled, *tiled_inputs(9, 2, 4, 3, 5), 1, 1)
### BEGIN HIDDEN TESTS
for seed, n_q, n_k, d_k, d_v, tile_q, tile_k, last in [(70, 5, 7, 3, 4, 2, 3, [False]), (74, 9, 4, 5, 2, 4, 3, [False]),
                                                       (77, 3, 4, 2, 3, 1, 1, []), (78, 6, 8, 3, 2, 3, 5, []), (81, 12, 3, 20, 9, 4, 2, []), (82, 1, 1, 1, 1, 1, 1, []),
                                                       (83, 5, 1, 1, 3, 2, 1, []), (84, 1, 12, 20, 1, 1, 7, [False]), (85, 6, 6, 6, 6, 6, 6, []), (86, 12, 2, 1, 2, 11, 2, []),
                                                       (87, 7, 9, 3, 4, 2, 3, []), (88, 7, 9, 3, 4, 2, 3, []), (89, 7, 9, 3, 4, 2, 3, []), (70, 5, 7, 3, 4, 2, 3, [])]:
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    Q, K = (Q * {87: 1e3, 88: -1e6, 89: 0}[seed], abs(K) if seed == 88 else K) if seed in (87, 88, 89) else (Q, K)
    scores = Q @ K.T / d_k**0.5
    terms = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = terms @ V / terms.sum(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        output, log = run_tiled(Q, K, V, tile_q, tile_k, *last)
    sizes = f"with {n_q=}, {n_k=}, {d_k=}, {d_v=}, {tile_q=}, {tile_k=}, "
    check_numbers(output, expected, "in the output without a mask", sizes)
### END HIDDEN TESTS

# %% test tiled-attention-causal points=1
# Test of 7.4 One tile at a time, 2 of 3 (1 point). Run the checks cell first.
returns("tiled-attention", output="query value")
check("tiled-attention", "causal, 7 queries, 9 keys, tiles of 3 and 4", tiled,
    *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3,
    True)
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 3 and 2", tiled, *small_inputs, 3, 2,
    True)
check("tiled-attention", "causal, 7 queries and keys, tiles of 3 and 2", tiled,
    *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
### BEGIN HIDDEN TESTS
def slow_attention(Q, K, V, causal):
    """The output, query by query."""
    output = []
    for i, q in enumerate(Q):
        seen = range(i + len(K) - len(Q) + 1 if causal else len(K))
        scores = [math.fsum(q * K[j]) / len(q)**0.5 for j in seen]
        terms = [math.exp(score - max(scores)) for score in scores]
        output.append(sum(term * V[j] for term, j in zip(terms, seen)) / math.fsum(terms))
    return output


for seed, n_q, n_k, d_k, d_v, tile_q, tile_k in [(71, 7, 7, 3, 5, 3, 2), (72, 5, 11, 4, 3, 2, 4), (73, 6, 9, 2, 3, 4, 16),
                                                 (75, 8, 8, 2, 3, 8, 8), (76, 1, 6, 3, 2, 4, 4), (79, 5, 8, 4, 3, 2, 3), (80, 1, 80, 2, 2, 2, 64), (81, 5, 9, 3, 2, 1, 1), (82, 6, 9, 3, 2, 1, 4),
                                                 (83, 2, 20, 3, 20, 4, 6), (84, 1, 1, 1, 1, 1, 1), (85, 9, 9, 1, 1, 4, 1), (87, 7, 7, 3, 2, 2, 3), (71, 7, 7, 3, 5, 3, 2)]:
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    Q, K = (-1e6 * abs(Q), abs(K)) if seed == 79 else (1e3 * Q, K) if seed == 87 else (Q, K)
    expected = slow_attention(Q, K, V, True)
    with np.errstate(all="ignore"):
        output, log = run_tiled(Q, K, V, tile_q, tile_k, True)
    sizes = f"with {n_q=}, {n_k=}, {d_k=}, {d_v=}, {tile_q=}, {tile_k=}, "
    check_numbers(output, expected, "in the causal output", sizes)
### END HIDDEN TESTS

# %% test tiled-attention-log points=2
# Test of 7.4 One tile at a time, 3 of 3 (2 points). Run the checks cell first.
returns("tiled-attention", rows_written="place")
check("tiled-attention", "the log of 7 queries, 11 keys, tiles of 2 and 3", rows_written,
    *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
check("tiled-attention", "the log of 6 queries, 5 keys, tiles of 4 and 2", rows_written,
    *tiled_inputs(0, 6, 5, 3, 4), 4, 2)
check("tiled-attention", "the log, causal, 7 queries, 9 keys, tiles of 3 and 4", rows_written,
    *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
check("tiled-attention", "the log, causal, 7 queries and keys, tiles of 3 and 2", rows_written,
    *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
### BEGIN HIDDEN TESTS
cases = [(5, 7, 3, 4, 2, 3, False), (7, 7, 3, 5, 3, 2, True), (5, 11, 4, 3, 2, 4, True), (6, 9, 2, 3, 4, 16, True),
         (9, 4, 5, 2, 4, 3, False), (8, 8, 2, 3, 8, 8, True), (1, 6, 3, 2, 4, 4, True), (5, 9, 3, 2, 1, 1, True), (6, 9, 3, 2, 1, 4, True), (9, 9, 2, 3, 4, 1, True), (1, 1, 1, 1, 1, 1, True),
         (9, 11, 3, 2, 4, 6, True), (6, 6, 6, 6, 6, 6, True), (9, 11, 3, 2, 1, 7, False), (2, 41, 1, 1, 1, 1, True), (5, 6, 2, 3, 16, 2, True), (5, 3, 2, 3, 1, 1, False)]
for seed, (n_q, n_k, d_k, d_v, tile_q, tile_k, causal) in enumerate(cases, 70):
    rng = np.random.default_rng(seed)
    Q, K, V = 2 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    table, passed = Q @ K.T, []
    with np.errstate(all="ignore"):
        done = rows_written(Q, K, V, tile_q, tile_k, causal, passed)
    powers, (*passed, output) = np.exp(table / d_k**0.5) * np.tri(n_q, n_k, n_k - n_q if causal else n_k), passed
    right = np.allclose(output, powers @ V / powers.sum(axis=1, keepdims=True), atol=1e-6)
    # If the output is wrong, each score must at least be a dot product of a query and a key, times a factor. So another scale or mask
    # costs points in the other tests only.
    for shape in {one.shape for one in passed if not (causal or right)}:
        scores = np.concatenate([one.ravel() for one in passed if one.shape == shape])
        gaps = [abs(scores[:, None] / factor - table.ravel()).min(axis=1).max() for factor in max(scores, key=abs) / table.ravel()]
        assert len(np.unique(scores)) > len(scores) / 2 and min(gaps) < 1e-4, f"update gets numbers that are not scores of these queries and keys\n{gaps}"
    check_numbers(done, range(n_q), "in the rows that were written", f"with {n_q=}, {n_k=}, {tile_q=}, {tile_k=}, {causal=}, ")
### END HIDDEN TESTS

# %% [markdown]
# Watch your own function at work. The next cell runs it on 64 tokens with tiles of 8 by 8 and the causal mask, and draws its log: each square is a tile. Predict: of the 64 tiles, how many are dead?

# %% alt="Four tables of 8 by 8 tiles, during updates 1, 9, 22 and 36. The current tile is orange, finished tiles are blue, and they fill the lower triangle row by row. The 28 tiles above the diagonal are hatched in all four: they are dead." tags=["demonstration"]
rng = np.random.default_rng(0)
_, log = run_tiled(*(rng.normal(size=(64, 4)) for _ in range(3)), 8, 8, True)
order = tiles_in_order(log, 8, 8)
dead = np.ones((8, 8), dtype=bool)
dead[tuple(np.array(order).T)] = False
fig, axes = plt.subplots(2, 2, figsize=(6, 6.2), layout="constrained", sharex=True, sharey=True)
for ax, count in zip(axes.flat, [1, 9, 22, len(order)]):
    colours = np.full((8, 8), "#ffffff")
    for i, j in order[:count - 1]:
        colours[i, j] = "#8fb8de"
    colours[order[count - 1]] = "#f0a13c"
    draw_tiles(ax, colours, dead)
    ax.set_title(f"during update {count}", fontsize=10)
    ax.label_outer()
plt.show()
print(f"{len(order)} live tiles, {dead.sum()} dead (hatched). Orange: current. Blue: done and "
    "dropped. White: still to come.")

# %% [markdown]
# 28 tiles are dead, so the causal mask saves almost half of the work. At any moment only the orange tile exists.
#
# Some masks leave even fewer tiles. With a **window**, each query sees itself and the 15 tokens before it. But a window cuts off the very first tokens, and a trained model suffers from that: many heads put weight there when they need it nowhere else. So a few of the first tokens stay visible as an *attention sink* (Xiao and others, 2023); here it is the first tile of keys. The next picture shows the tiles of four masks; the hatched ones are dead.

# %% alt="Four tables of 8 by 8 tiles. Full: 64 tiles live. Causal: the 36 on and below the diagonal. Window of 16 tokens: 21, a band along the diagonal. Window and sink: 26, the band and the first column." tags=["demonstration"]
i, j = np.arange(64)[:, None], np.arange(64)
window = (j <= i) & (j > i - 16)
masks = {"full": j >= 0 * i, "causal": j <= i, "window": window,
    "window and sink": window | ((j < 8) & (j <= i))}
fig, axes = plt.subplots(2, 2, figsize=(6, 6.2), layout="constrained", sharex=True, sharey=True)
for ax, (name, seen) in zip(axes.flat, masks.items()):
    # axes: tile of queries, query, tile of keys, key
    live = seen.reshape(8, 8, 8, 8).any(axis=(1, 3))
    draw_tiles(ax, np.full((8, 8), "#8fb8de"), ~live)
    ax.set_title(f"{name}: {live.sum()} tiles", fontsize=10)
    ax.label_outer()
plt.show()


# %% [markdown]
# ## Memory and time, measured
#
# For $n$ tokens, the causal mask leaves about $n^2 / 2$ scores. A window leaves a constant number per token.
#
# And the memory? The cells below compute attention for 256 to 4096 tokens in two ways, with the whole table and with your tiles of 128 by 128, and measure the peak memory use. At 256 tokens the table needs about 1.6 MiB. Predict: how much does it need at 4096 tokens, and how much do the tiles need? (This takes up to ten seconds.)

# %% locked whole-table
def whole_table(Q, K, V, output):
    """Compute attention as in lesson 03, with three tables of shape (n, n)."""
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    output[:] = powers / powers.sum(axis=1, keepdims=True) @ V


def in_tiles(Q, K, V, output, tile=128, causal=False):
    """Compute attention with your 7.2 and 7.4."""
    read, write, update, _ = slow_memory(Q, K, V, output, tile, tile, keep_log=False)
    tiled_attention(read, write, update, len(Q), len(K), tile, tile, causal)


# %% locked measured
def measured(function, *arguments):
    """Return (peak memory in MiB, seconds) of a call, from two runs:
    measuring memory takes time."""
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
    arrays, one, other = [rng.normal(size=(n, 32))
        for _ in range(3)], np.empty((n, 32)), np.empty((n, 32))
    results = measured(whole_table, *arrays, one), measured(in_tiles, *arrays, other)
    for peak, (used, seconds) in zip(peaks.values(), results):
        peak.append(used)
    texts = [f"{name} {used:6.2f} MiB, {seconds:.3f} s" for name,
        (used, seconds) in zip(peaks, results)]
    print(f"{n:4} tokens: {'; '.join(texts)}; gap {np.abs(one - other).max():.0e}", flush=True)
    if n == 256 and seconds > 30 * results[0][1]:
        print("Your 7.2 is right, but goes key by key: longer sequences would take minutes.")
        lengths = [one for one in lengths if one <= n]
        break

# %% alt="Peak memory over the number of tokens, both axes logarithmic: the whole table rises from about 1.6 MiB at 256 tokens to about 385 MiB at 4096, a straight line; the tiles stay at about half a MiB throughout." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
for (name, peak), style in zip(peaks.items(), ["o-", "s--"]):
    ax.loglog(lengths, peak, style, label=name)
    ax.annotate(f"{peak[-1]:.3g} MiB", (lengths[-1], peak[-1]), xytext=(-6, 6),
        textcoords="offset points", ha="right")
ax.minorticks_off()
ax.set(xticks=lengths, xticklabels=lengths, xlabel="tokens", ylabel="peak memory, MiB",
    ylim=(0.1, 2000))
ax.legend(loc="upper left")
plt.show()

# %% [markdown]
# Twice the tokens, four times the table: 385 MiB at 4096 tokens. Your tiles need the same half MiB at every length, and return the same output up to rounding. And on a quiet machine, they are not slower: they take about as long as the table or less, because they stay in the processor's cache. If other programs run, times vary, and the tiles can be slower.
#
# How large should a tile be? The next cell tries six sizes for 2048 tokens. Predict: which is the slowest, and which needs the most memory?

# %% tags=["demonstration"]
n = min(2048, n)
arrays, output = [rng.normal(size=(n, 32)) for _ in range(3)], np.empty((n, 32))
for tile in [16, 32, 64, 128, 256, 512]:
    used, seconds = measured(in_tiles, *arrays, output, tile)
    print(f"tiles of {tile:3} by {tile:3}: {seconds:.3f} s, {used:5.2f} MiB", flush=True)


# %% [markdown]
# Tiles of 512 by 512 need the most memory: one array of 512 by 512 scores takes 2 MiB. On a quiet machine, the smallest tiles are the slowest here, because Python executes its loop once per tile: 16,384 times at size 16. On a graphics processor the loop costs little, and the size of the fast memory is the limit: a tile gets as many rows as fit.

# %% [markdown]
# ## What moves, and what is computed
#
# Tiles save memory. But why are they *faster* on a graphics processor? Count two things: the numbers that are read from slow memory or written to it, and the *multiply-adds* of the scores and of the weighted sums (one product and its addition count as one).
#
# With whole tables, scores and weights are each written to slow memory and read again. That moves $4 n^2$ numbers, besides $4 n d$ for `Q`, `K`, `V` and the output. With tiles, no score is moved, but all keys and values are read again for each tile of queries. The next cell counts both from the log of your 7.4, for 4096 tokens and 64 features per head. Predict: how much less do tiles of 128 by 128 move? And which moves less, tiles of 128 queries by 512 keys, or 512 queries by 128 keys?

# %% tags=["demonstration"]
def count_log(n, d, tile_q, tile_k, causal=False):
    """Return the numbers moved and the multiply-adds of your 7.4, in millions."""
    # 1 feature, and states of ones: the log is the same for any d, and for any 7.2
    ones = lambda state, scores, values: (*np.ones((2, len(scores))), np.ones((len(scores), 1)))
    *functions, log = slow_memory(*np.zeros((4, n, 1)), tile_q, tile_k, ones)
    tiled_attention(*functions, n, n, tile_q, tile_k, causal)
    moved = work = 0
    for kind, *_, a, b in log:
        if kind == "update":  # of a queries and b keys
            work += 2 * d * a * b
        else:  # rows a ... b - 1 were read or written
            moved += d * (b - a)
    return moved / 1e6, work / 1e6


n, d = 4096, 64
counts = {"whole tables": ((4 * n * d + 4 * n * n) / 1e6, 2 * n * n * d / 1e6)}
for tile_q, tile_k in [(64, 64), (128, 128), (128, 512), (512, 128)]:
    counts[f"tiles of {tile_q} by {tile_k}"] = count_log(n, d, tile_q, tile_k)
counts["tiles of 128 by 128, causal"] = count_log(n, d, 128, 128, causal=True)
for name, (moved, work) in counts.items():
    print(f"{name:27}: {moved:4.1f} million numbers moved, {work:5,.0f} million multiply-adds")


# %% [markdown]
# Tiles compute exactly as much as the table. But tiles of 128 by 128 move 17.3 million numbers instead of 68.2 million, about a quarter. Only the number of *queries* in a tile matters for that: with more queries per tile, the keys are read fewer times. This is the sense in which FlashAttention is *IO-aware*: it counts what moves, not only what is computed.

# %% [markdown]
# ## 7.5 Catch the bug
#
# **more · <!-- points -->3 points<!-- end --> · about 30 minutes · difficulty ●●●**
#
# This exercise is like 3.8 and 6.8. If you have done them, you can leave it out: no later exercise needs it.
#
# Tiles go wrong at their edges, and most small inputs have no edges. So switch roles. Somebody gives you a function `candidate(Q, K, V, tile_q, tile_k, causal=False)` and claims that it computes attention tile by tile. It takes plain arrays and returns the output, `(n_q, d_v)`. You can't read it, only call it. Write the test: `check_tiled(candidate)` returns `True` if the candidate is correct and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | valid input | float arrays with matching sizes of at least 1, tiles of at least 1, which may be longer than the arrays; scores up to ±1000, after the division by $\sqrt{d_k}$; with `causal`, no more queries than keys |
# | a correct candidate | computes attention for every valid input. It may return lists, process the tiles in any order, and use larger or smaller tiles than requested |
# | a wrong candidate | for some valid input, returns wrong numbers, right ones at wrong places, NaN, a wrong shape or `None`, or raises an error |
# | what you need not test | modified inputs: no candidate modifies any |
# | tolerance | compare to about 1e-6, not exactly: sums in another order round differently |
#
# Your test is run on a hidden panel. It gets no points if it rejects a correct candidate, or accepts one whose scores are all multiplied by a factor. Otherwise it gets 1 point if it catches 6 of the 18 other wrong candidates, 2 points for 12, and 3 points for all 18. Some are wrong only in the last tile, only if there are more keys than queries, only if all scores of a row are very low, or only if two rows of one tile have very different scores.
#
# Six of these 18 return the correct numbers on every input of the visible tests of 7.4, which have one decimal and scores from −7 to 7. A test that catches none of the six gets no points. So use numbers with more decimals, and scores of other sizes, for example all near −900.
#
# Your test is called about a hundred times, in a random order, and each candidate comes several times. One call should take less than a second. A test that returns `None` or raises an error has not decided: it catches no wrong candidate, and counts as rejecting a correct one.
#
# You need something to compare with: attention with the whole table takes four lines.
#
# <details><summary>Hint 1: a question</summary>
#
# Go through your own mistakes in 7.1, 7.2 and 7.4. For each: what is the smallest input that shows it? How many tiles of keys does it need, and how high or low are its scores?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call. `np.asarray(..., dtype=float)`, a comparison of the shapes, then `np.allclose`, which is False for NaN. `np.errstate(all="ignore")`. A fixed `np.random.default_rng(0)` generates inputs. `Q[:, 0] = ...` and `K[:, 0] = ...` set the level of whole rows of scores.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# for sizes that are not multiples of the tiles, at least three tiles in each direction,
#         n_k = n_q and n_k > n_q, causal and not causal, d_k different from d_v:
#     for moderate scores, and for scores with row 0 near +900, row 1 near -900, and so on:
#         expected = attention with the whole table (last query = last key, if causal)
#         try: output = the candidate's result as a float array
#         if it raises an error: return False
#         if the shapes differ, or the numbers differ by more than 1e-6: return False
# return True
# ```
# </details>
#
# <details><summary>My test rejects a correct candidate</summary>
#
# Is each of your inputs valid? With scores beyond ±1000, or with more queries than keys under the mask, a correct candidate may return anything. Do you compare with `==`, or check the type of the result?
# </details>

# %% solution check-tiled
def check_tiled(candidate):
    """Return True if the candidate computes tiled attention correctly, otherwise False.

    candidate: a function (Q, K, V, tile_q, tile_k, causal=False) that returns (n_q, d_v).
    Raises no error, whatever the candidate does.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(7)
    for n_q, n_k, d_k, d_v, tile_q, tile_k, causal in [
            (5, 7, 3, 4, 2, 3, False), (5, 7, 3, 4, 2, 3, True), (6, 6, 4, 2, 4, 4, True),
            (3, 11, 5, 2, 2, 4, True), (9, 4, 2, 3, 4, 16, False), (7, 13, 5, 6, 3, 2, True)]:
        for level in (0.0, 900.0):
            Q, K, V = 3 * rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
            if level:  # rows of scores alternate between +level and −level
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
# Practise on functions made from your own 7.4. The first line should print True, the others False. Passing here is not enough: none of these needs the very low or very different scores mentioned above.

# %% tags=["demonstration"]
def no_last_keys(Q, K, V, tile_q, tile_k, causal=False):
    """Leave out the last tile of keys, if there are several tiles and no mask."""
    kept = len(K)
    if kept > tile_k and not causal:
        kept = (kept - 1) // tile_k * tile_k
    return tiled(Q, K[:kept], V[:kept], tile_q, tile_k, causal)


practice = {
    "7.4 itself": tiled,
    "no mask": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(Q, K, V, tile_q, tile_k),
    "no last tile of keys": no_last_keys,
    "one query per tile": lambda Q, K, V, tile_q, tile_k, causal=False: tiled(
        Q[np.arange(len(Q)) // tile_q * tile_q], K, V, tile_q, tile_k, causal),
}
for name, candidate in practice.items():
    print(f"{name:26}", verdict_of(candidate))

# %% [markdown]
# The points are in three test cells of one point each. What you can run here only shows whether your test returns True or False and rejects a function that returns only zeros. If your own 7.4 passes its tests, your test must accept it, and reject it with all scores doubled. The other two cells check here only that it returns True or False; they are scored with hidden candidates after you submit.

# %% test check-tiled-first-third points=1
# Test of 7.5 Catch the bug, 1 of 3 (1 point). Run the checks cell first.
caught, missed, refused = [], ["see the first of the three cells"], []
check_rejects_zeros()
check_accepts_own_solution()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def attend(Q, K, V, tile_q, tile_k, causal=False):
        n, (n_q, d_k), n_k, d_v = slip, Q.shape, len(K), V.shape[1]
        tile_k, output, V = {"one tile": n_k, "one key": 1}.get(n, tile_k), np.zeros((n_q, d_v)), V.round(1) if n == "one decimal" else V
        starts = range(0, n_k // tile_k * tile_k or n_k if n == "no last keys" else n_k, tile_k)
        for i in range(0, n_q // tile_q * tile_q or n_q if n == "no last queries" else n_q, tile_q):
            q, m, l, o, parts = Q[i:i + tile_q], 0 if n == "starts at 0" else -np.inf, 0, 0, []
            rows = np.arange(len(q))[:, None] + i + (0 if n == "first query" else n_k - n_q)
            for j in starts[::-1] if n == "backwards" else starts:
                if causal and j > rows[0 if n == "first row" else -1, 0] and n != "dead ones too":
                    continue
                s = (q @ K[j:j + tile_k].T / (d_v if n == "√d_v" else d_k)**0.5 * (1 if form in forms else form)).clip(*(-500, 500) if n == "cut off" else (None, None))
                s = np.where(causal & (np.arange(s.shape[1]) + (0 if n == "keys from 0" else j) > rows), -np.inf, s)
                most = np.full(len(q), s.max()) if n == "one maximum" else s.max(axis=1)
                new = np.zeros(len(q)) if n == "no maximum" else np.maximum(m, most)
                safe = np.where(np.isneginf(most), most, new) if n == "NaN" else np.where(np.isneginf(new), 0, new)
                shrink, e = np.exp(m - safe), np.exp(s - safe[:, None])
                parts.append(e @ V[j:j + tile_k] / e.sum(axis=1, keepdims=True))
                m, l, o = new, l * (1 if n == "old l" else shrink) + e.sum(axis=1), o * (1 if n == "old o" else shrink[:, None]) + e @ V[j:j + tile_k]
            output[i:i + tile_q] = np.nanmean(parts, axis=0) if n == "means" else o / l[:, None]
        odd = {"nothing": None, "one axis more": output[None], "columns reversed": output[:, ::-1] if (V != V.round(1)).any() else output}
        return forms.get(form, forms["arrays"])(odd.get(n, output))
    return attend
forms, rights = {"arrays": lambda out: out, "lists": lambda out: out.tolist(), "rounded otherwise": lambda out: out * (1 + 1e-11)}, ["as asked", "backwards", "one tile", "dead ones too", "one key"]
kinds = {"sums that are rescaled wrongly, or not": ["old o", "old l", "means"], "mistakes in the last tiles": ["no last keys", "no last queries"], "mistakes in the causal mask": ["keys from 0", "first query", "first row"], "another scale": ["√d_v"], "rows that see no key in a tile": ["NaN"], "numbers that are right on the inputs of 7.4": (unseen := ["no maximum", "starts at 0", "one maximum", "cut off", "one decimal", "columns reversed"]), "another shape": ["one axis more"], "no result": ["nothing"]}
# First come candidates that differ only in scale; one is correct, and nothing but its numbers tells which. A test that takes
# another one for correct, or none, gets nothing, so what it sees after them comes too late.
order, every = np.random.default_rng(globals().get("course_secret", 0)), [*rights, *(slips := sum(kinds.values(), []))]
scales = 2 ** ((order.permutation(count := order.integers(20, 29)) - order.integers(count - 3)) / 3)
turns = [order.permutation([*forms]) for _ in every]
shown = [("as asked", scale) for scale in scales] + [(every[n], turns[n][turn]) for turn in range(3) for n in order.permutation(len(every))]
said = {one: bool(verdict) if isinstance(verdict := verdict_of(candidate_with(*one)), (bool, np.bool_)) else "nothing" for one in shown}
assert not (refused := [one for one in said if one[0] in rights and one[1] in [1, *forms] and said[one] is not True]), f"your test rejects a correct candidate\n{refused}"
assert not (fooled := [scale for scale in scales if scale != 1 and said["as asked", scale] is True]), f"your test accepts a candidate with another scale than √d_k\ntimes {fooled}"
found = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
missed = [kind for kind, members in kinds.items() if not {*members} <= {*found}]
assert {*found} & {*unseen}, f"your test catches none of the six that are right on the inputs of 7.4\nonly {found}"
assert len(caught := found) >= 6, f"your test catches less than a third of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-tiled-second-third points=1
# Test of 7.5 Catch the bug, 2 of 3 (1 point). Run the checks cell first.
# Two thirds of the wrong candidates are caught, and no correct one is rejected.
assert verdict_of(all_zeros) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert not refused, "not counted, because your test rejects a correct candidate"
assert len(caught) >= 12, f"your test catches less than two thirds of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-tiled-last-third points=1
# Test of 7.5 Catch the bug, 3 of 3 (1 point). Run the checks cell first.
# All of the wrong candidates are caught, and no correct one is rejected.
assert verdict_of(all_zeros) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert not refused, "not counted, because your test rejects a correct candidate"
assert len(caught) == 18, f"your test does not catch all of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% task what-tiles-save [markdown] points=2 edition="core"
# ## 7.6 In your own words: what tiles save
#
# **★ core · <!-- points -->2 points<!-- end --> · about 6 minutes · difficulty ●●○ · read by a person**
#
# Without a mask, tiled attention computes every score that the whole table contains, and a few additional exponentials for the factors.
#
# 1. Why is it faster all the same? (1 point)
# 2. Somebody says: “So it must be an approximation, or it must need the same memory after all.” What do you answer to each half? (1 point)
#
# Three to five sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for the time. ½: the n² scores (and weights) are neither written to slow memory nor read from it again. ½: those transfers would take longer than the arithmetic; a few additional exponentials are cheap in comparison. (Also right: the tiles stay in the fast memory or the processor's cache.)
#
# **1 point** for the answer. ½: nothing is approximated: when the maximum grows, the old sums are rescaled by an exact factor, so the output is the same up to rounding. ½: the memory grows with n, not with n²: one tile of scores and a state of d_v + 2 numbers per query.
#
# **Half right (1 point of 2):** “Tiles use less memory, so they are faster, and the result is the same.” It doesn't say what takes the time, nor why the result is the same.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 7.6** (double-click here, and write in place of this line)

# %% [markdown]
# ## What you have built
#
# You have built attention that never stores its table: a state of three arrays that takes in one block of keys after another, and tiles that use it. You have measured that its memory doesn't grow with the square of the length, and counted what it moves.<!-- with: merge-states --> You have merged states that were computed separately.<!-- end --><!-- with: check-tiled --> And you have written a test that finds bugs at the edges of tiles.<!-- end -->
#
# Nothing here is an approximation: it is the attention of lesson 03, computed in an order that costs less.
#
# ### Three questions to think about
#
# 1. Which of the three parts of the state, $m$, $l$ and $o$, could be omitted if no score were ever above 50 or below −50?
# 2. How many numbers would be moved for 4096 tokens if a tile had a single query?
# 3. The backward pass needs the attention weights, but they were never stored. What would you keep from the forward pass to compute them again, tile by tile?
#
# <details><summary>Answers</summary>
#
# 1. $m$. Its only purpose is to keep exponentials from overflowing. $e^{50}$ is no problem for 64-bit numbers, nor is a sum of many such terms. For 16-bit numbers it is a problem: their largest value is 65,504, less than $e^{12}$. And $l$ can be hidden, by appending a column of ones to the values, but not omitted.
# 2. All keys and values would be read 4096 times: about 2.1 billion numbers, compared with 17 million for tiles of 128 queries. A model that writes one token at a time is in this situation: it has only one query per head at each step.
# 3. `Q`, `K`, `V`, the output, and one number per query: $m + \ln l$. The weight of query $i$ for key $j$ is then $e^{s_{ij} - (m_i + \ln l_i)}$, so each tile of weights can be recomputed from its queries and keys. FlashAttention does this: it computes the scores twice, which is cheaper than moving them.
#
# </details>
#
# ### References
#
# - Maxim Milakov, Natalia Gimelshein: *Online Normalizer Calculation for Softmax*, 2018. The running maximum.
# - Markus N. Rabe, Charles Staats: *Self-attention Does Not Need O(n²) Memory*, 2021. Attention without the table.
# - Tri Dao, Daniel Y. Fu, Stefano Ermon, Atri Rudra, Christopher Ré: *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 2022. Tiles, what they move, and the backward pass.
# - Tri Dao: *FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning*, 2023. The order of the loops in 7.4, and the division at the end.
# - Guangxuan Xiao, Yuandong Tian, Beidi Chen, Song Han, Mike Lewis: *Efficient Streaming Language Models with Attention Sinks*, 2023. Windows with a sink.<!-- with: merge-states -->
# - Tri Dao, Daniel Haziza, Francisco Massa, Grigory Sizov: *Flash-Decoding for Long-Context Inference*, 2023. Merging states.<!-- end -->
