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
# <details><summary><b>How to work through this notebook</b></summary>
#
# Work from top to bottom and run every cell, including the collapsed ones: click a cell, then press **Shift+Enter**. Each exercise has an explanation, a cell for your code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. If nothing is printed, the test passed.
#
# If a test fails, read the last line of its output first: it says what to do, or where to look. The lines above it show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# In a test cell, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 7.13 is answered in words and read by a person. If you are stuck on an exercise, skip it and come back later: no exercise needs the code of an earlier one. Cells that draw or print call your functions, so they fail, or show wrong results, until those work. The 250 minutes count reading and running such cells, too. Part one (7.1 to 7.6) takes more than half of them, and its end is a good place for a break. The slowest cell measures memory and takes up to ten seconds.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
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
#
# </details>

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
import torch

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "messages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

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

# %% nbgrader={"grade": true, "grade_id": "update-max-sum-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("update-max-sum", m="query", l="query")
check("update-max-sum", "the first two keys of the table", update_max_sum, *empty_state[:2], score_table[:, :2])
check("update-max-sum", "the last two keys, after the first two", update_max_sum, *state_after_two[:2], score_table[:, 2:])
check("update-max-sum", "5 rows at very different levels", update_max_sum, *uneven_state[:2], uneven_scores)
check("update-max-sum", "one key that only some rows see", update_max_sum, *uneven_state[:2], uneven_scores[:, 3:4])
### BEGIN HIDDEN TESTS
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6])]:
    for far_apart in (True, False):
        S = random_scores(seed, n_q, blocks)[0]
        S = S if far_apart else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        m, l, end = np.full(n_q, -np.inf), np.zeros(n_q), 0
        for b in blocks:
            given = m, l, S[:, end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                m, l = result_parts(update_max_sum(*given), 2, "m, l")
            end += b
            most = [max(row[:end]) for row in S]
            sums = [math.fsum(math.exp(s - top) for s in row[:end] if s > -np.inf) for row, top in zip(S, most)]
            sizes = f"after {end} keys in blocks of {blocks}, "
            check_numbers(m, most, "in the largest score so far", sizes)
            check_numbers(l, sums, "in the sum so far", sizes)
            check_unchanged(given, kept)
            m, l = np.array(most), np.array(sums)
### END HIDDEN TESTS

# %% [markdown]
# What happens to the sum while the keys of a row come in? Predict: can $l$ ever become smaller from one key to the next? And can it become smaller than 1?

# %% tags=["demonstration"]
row = np.array([[1.0, 3, 2, 5, -1, 5]])
m, l = np.array([-np.inf]), np.array([0.0])
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


# %% nbgrader={"grade": true, "grade_id": "update-attention-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("update-attention", m="query", l="query", o="query value")
first, last = (score_table[:, :2], value_table[:2]), (score_table[:, 2:], value_table[2:])
check("update-attention", "the first two keys of the table", update_attention, None, *first)
check("update-attention", "the last two keys, after the first two", update_from_parts, *state_after_two, *last)
check("update-attention", "5 rows at very different levels", update_from_parts, *uneven_state, uneven_scores, example_array(7, 5, 3))
check("update-attention", "one key that only some rows see", update_from_parts, *uneven_state, uneven_scores[:, 3:4], example_array(9, 1, 3))
check("update-attention", "4 rows and 2 keys, nothing seen before", update_attention, None, uneven_scores[:4, 3:], example_array(2, 2, 6))
### BEGIN HIDDEN TESTS
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6])]:
    for far_apart in (True, False):
        S, rng = random_scores(seed, n_q, blocks)
        S = S if far_apart else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        V, state, end = rng.normal(size=(sum(blocks), 5)), None, 0
        for b in blocks:
            given = *(state or ()), S[:, end:end + b].copy(), V[end:end + b].copy()
            kept = [one.copy() for one in given]
            with np.errstate(all="ignore"):
                state = result_parts(update_attention(state and given[:3], *given[-2:]), 3, "m, l, o")
            end += b
            most = S[:, :end].max(axis=1)
            terms = [[math.exp(s - top) if s > -np.inf else 0.0 for s in row[:end]] for row, top in zip(S, most)]
            right = most, np.array([math.fsum(row) for row in terms]), np.array(terms) @ V[:end]
            for name, mine, theirs in zip("mlo", state, right):
                check_numbers(mine, theirs, f"in the state's {name}", f"after {end} keys in blocks of {blocks}, ")
            check_unchanged(given, kept)
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


# %% nbgrader={"grade": true, "grade_id": "merge-states-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("merge-states", m="query", l="query", o="query value")
check("merge-states", "4 rows, one of which has seen nothing", merge_from_parts, *state_a, *state_b)
check("merge-states", "the two the other way round", merge_from_parts, *state_b, *state_a)
check("merge-states", "5 rows at very different levels", merge_from_parts, *uneven_a, *uneven_b)
### BEGIN HIDDEN TESTS
def state_of(S, V):
    """The state over some keys, from all of them at once."""
    most = S.max(axis=1)
    terms = np.array([[math.exp(s - top) if s > -np.inf else 0.0 for s in row] for row, top in zip(S, most)])
    return most, terms.sum(axis=1), terms @ V
for seed, n_q, blocks in [(11, 4, [3, 1, 5, 2]), (12, 3, [2, 4, 4, 1, 6]), (13, 6, [4, 3, 2])]:
    for far_apart in (True, False):
        S, rng = random_scores(seed, n_q, blocks)
        S = S if far_apart else np.where(np.isneginf(S), S, np.clip(S, -3, 3))
        V, ends = rng.normal(size=(sum(blocks), 4)), np.cumsum([0, *blocks])
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
                check_numbers(mine, theirs, f"in the merged {name}", f"keys {one} and {other}, ")
            check_unchanged([part for state in given for part in state], kept)
### END HIDDEN TESTS

# %% [markdown]
# Two routes to one state. The keys of the next cell go one block after the other through your 7.2. Then each block gets a state of its own, and your 7.3 merges them: the last with the first, and the middle two with each other.

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

# %% nbgrader={"grade": true, "grade_id": "tiled-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiled-attention", output="query value")
check("tiled-attention", "7 queries, 11 keys, tiles of 2 and 3", tiled, *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
check("tiled-attention", "3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3)
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
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3, True)
check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 3 and 2", tiled, *small_inputs, 3, 2, True)
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
# Five of the 15 give the right numbers on every input of the visible tests of 7.4. Those inputs have one decimal and scores from −7 to 7. Choose other numbers and levels: a test that catches none of the five gets nothing.
#
# Your test is called about eighty times, so let one call take less than a second. The panel comes in an order that nobody knows, and each candidate comes several times: a right one has to be accepted, and a wrong one rejected, every time. If your test gives back `None` or stops with an error, it has decided nothing: a wrong candidate is not caught, a right one is rejected.
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

# %% nbgrader={"grade": true, "grade_id": "check-tiled-first-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
caught = []
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
                s = (q @ K[j:j + tile_k].T / (d_v if n == "√d_v" else d_k + (form == "decoy"))**0.5).clip(*(-500, 500) if n == "cut off" else (None, None))
                s = np.where(causal & (np.arange(s.shape[1]) + (0 if n == "keys from 0" else j) > rows), -np.inf, s)
                most = np.full(len(q), s.max()) if n == "one maximum" else s.max(axis=1)
                new = np.zeros(len(q)) if n == "no maximum" else np.maximum(m, most)
                safe = np.where(np.isneginf(most), most, new) if n == "NaN" else np.where(np.isneginf(new), 0, new)
                shrink, e = np.exp(m - safe), np.exp(s - safe[:, None])
                parts.append(e @ V[j:j + tile_k] / e.sum(axis=1, keepdims=True))
                m, l = new, l * (1 if n == "old l" else shrink) + e.sum(axis=1)
                o = o * (1 if n == "old o" else shrink[:, None]) + e @ V[j:j + tile_k]
            output[i:i + tile_q] = np.nanmean(parts, axis=0) if n == "means" else o / l[:, None]
        return forms.get(form, forms["arrays"])(output)
    return attend
forms, rights = {"arrays": lambda out: out, "lists": lambda out: out.tolist(), "rounded otherwise": lambda out: out * (1 + 1e-11)}, ["as asked", "backwards", "one tile", "dead ones too", "one key"]
# The last five are right on every input of the visible tests of 7.4. Decoys of another scale come first, so that no count tells.
slips = ["old o", "old l", "no last keys", "no last queries", "means", "keys from 0", "first query", "first row", "√d_v", "NaN",
         *(unseen := ["no maximum", "starts at 0", "one maximum", "cut off", "one decimal"])]
order, every = np.random.default_rng(globals().get("course_secret", 0)), [*rights, *slips]
shown = [*[(n, "decoy") for n in order.permutation(every[3:14])] * 2, ("as asked", "first")]
shown += [(every[n], [*forms][(n + turn) % 3]) for turn in range(3) for n in order.permutation(len(every))]
said = {one: bool(verdict) if isinstance(verdict := verdict_of(candidate_with(*one)), (bool, np.bool_)) else "nothing" for one in shown}
assert not (refused := [one for one in said if one[0] in rights and one[1] != "decoy" and said[one] is not True]), f"your test rejects a right candidate\n{refused}"
found = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
assert {*found} & {*unseen}, f"your test catches none of the five that are right on the inputs of 7.4\nonly {found}"
assert len(caught := found) >= 5, f"your test catches less than a third of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-tiled-second-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# Two thirds of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(all_zeros) in [True, False], "your test must give back True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 10, f"your test catches less than two thirds of the wrong candidates\nonly {caught}"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "check-tiled-last-third-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# All of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(all_zeros) in [True, False], "your test must give back True or False"
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
    for name, mine, right in zip(["numbers moved", "multiply-adds"], result_parts(got, 2, "numbers_moved, multiply_adds"), expected):
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


# %% nbgrader={"grade": true, "grade_id": "attend-with-cache-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
returns("attend-with-cache", output="token number", K="head token number", V="head token number")
past = [keys_and_values(five_tokens[:n], four_matrices, 2) for n in (2, 4)]
check("attend-with-cache", "tokens 0 and 1, nothing before", attend_with_past, five_tokens[:2], None, None, *four_matrices, 2)
check("attend-with-cache", "tokens 2 and 3", attend_with_past, five_tokens[2:4], *past[0], *four_matrices, 2)
check("attend-with-cache", "token 4", attend_with_past, five_tokens[4:], *past[1], *four_matrices, 2)
wide_past, large_past = keys_and_values(wide_tokens[:4], wide_matrices, 3), keys_and_values(large_tokens[:4], wide_matrices, 4)
check("attend-with-cache", "3 heads of 4 numbers, 3 tokens after 4", attend_with_past, wide_tokens[4:], *wide_past, *wide_matrices, 3)
check("attend-with-cache", "4 heads, with large scores", attend_with_past, large_tokens[4:], *large_past, *wide_matrices, 4)
check("attend-with-cache", "3 tokens, nothing before, 2 heads", attend_with_past, wide_tokens[:3], None, None, *wide_matrices, 2)
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
            output, made = result_parts(attend_with_cache(given[0], cache and (given[1], given[2]), *given[-4:], heads), 2, "output, cache", (tuple, list))
        made = result_parts(made, 2, "K, V as the cache", (tuple, list))
        sizes = f"with {n=}, {d_model=}, {heads=}, cut at {cuts}, tokens {start} to {end - 1}, "
        check_numbers(output, full[start:end], "in the output", sizes)
        for name, mine, right in zip(["keys", "values"], made, (k, v)):
            check_numbers(mine, right[:, :end], f"in the {name} of the cache", sizes)
        check_unchanged(given, before)
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


# %% nbgrader={"grade": true, "grade_id": "grouped-query-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("grouped-query-attention", output="sequence head query value")
check("grouped-query-attention", "6 heads, 2 key heads", grouped_query_attention, *six_heads)
check("grouped-query-attention", "8 heads, 4 key heads", grouped_query_attention, *group_inputs(3, 3, 8, 4, 2, 6, 5, 3))
check("grouped-query-attention", "MHA: 3 heads, 3 key heads", grouped_query_attention, *group_inputs(5, 2, 3, 3, 5, 4, 2, 6))
check("grouped-query-attention", "MQA: 4 heads, 1 key head", grouped_query_attention, *group_inputs(9, 2, 4, 1, 3, 5, 4, 2))
large_heads = group_inputs(1, 2, 4, 2, 3, 5, 6, 4)
check("grouped-query-attention", "with scores near ±1000", grouped_query_attention, 130 * large_heads[0], *large_heads[1:])
check("grouped-query-attention", "6 heads and 4 key heads", grouped_query_attention, *group_inputs(0, 2, 6, 4, 3, 5, 2, 4))
check_error_names_both(6, 4)
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
    check_unchanged([one.numpy() for one in given], arrays)
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
    got = as_array([got[name] for name in names] if isinstance(got, dict) else got)
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


# %% nbgrader={"grade": true, "grade_id": "rotate-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("rotate", turned="sequence token feature")
check("rotate", "2 sequences, positions 2 and 5", rotate, two_sequences, np.array([2, 5]))
check("rotate", "the same with base 100", rotate, two_sequences, np.array([2, 5]), 100.0)
check("rotate", "whole numbers as features", rotate, np.array([[[1, 2, 3, 4], [4, 3, 2, 1]]]), np.array([1, 2]))
check("rotate", "3 sequences, 4 tokens of 6 features, positions 1, −3, 0.5, 40", rotate, example_array(2, 3, 4, 6), np.array([1, -3, 0.5, 40]))
returns("rotate", turned="token feature")
check("rotate", "no axis in front, 5 tokens of 2 features", rotate, example_array(6, 5, 2), np.array([4, 3, 0, 9, 1]))
returns("rotate", turned="sequence head token feature")
check("rotate", "2 sequences of 3 heads", rotate, example_array(8, 2, 3, 2, 8), np.array([6, 1]), base=50.0)
check("rotate", "5 features make no pairs", rotate, example_array(0, 2, 3, 5), np.arange(3))
check_error_names_odd(5)
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
    check_unchanged([given, p], [x, np.array(positions)])
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
    order = as_array(half_split_order(d))
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


# %% [markdown]
# The tests try your function on four ways of marking positions: rotary positions, tokens that are multiplied by a number that grows with the position, no positions at all, and an older way, in the next cell. It adds a sine or cosine of `p` to each feature of the token at position `p`, with a speed of its own for each pair, as in the Transformer of 2017.

# %% nbgrader={"grade": false, "grade_id": "add-sinusoids", "locked": true, "schema_version": 3, "solution": false, "task": false}
def add_sinusoids(x, positions):
    """Add sines and cosines of the positions to the features, as in the Transformer of 2017."""
    d = x.shape[-1]
    angles = np.outer(positions, 10000.0 ** -np.linspace(0, 1, d // 2, endpoint=False))
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(x), d)


# %% nbgrader={"grade": true, "grade_id": "shift-gap-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("shift-gap", gap="")
check("shift-gap", "waves that are added, moved by 3", shift_gap, add_sinusoids, example_array(93, 5, 6), example_array(128, 5, 6), 3)
check("shift-gap", "tokens that grow, moved by −6", shift_gap, scale_by_position, shift_q, shift_k, -6)
check("shift-gap", "rotary positions, moved by 5", shift_gap, rotary, shift_q, shift_k, 5)
check("shift-gap", "no positions at all", shift_gap, lambda x, positions: x, shift_q, shift_k, 2)
### BEGIN HIDDEN TESTS
def by_hand(place, q, k, shift):
    n = range(len(q))
    tables = [[[math.fsum(a * b) for b in place(k, p)] for a in place(q, p)] for p in (np.array(n), np.array(n) + shift)]
    return max(abs(tables[1][i][j] - tables[0][i][j]) for i in n for j in n)
places = {"rotary": rotary, "waves": add_sinusoids, "growth": lambda x, p: x * (1 + 0.1 * np.asarray(p)[:, None]),
          "a ramp": lambda x, p: x + 0.05 * np.asarray(p)[:, None], "nothing": lambda x, p: x}
for seed, (n, d, shift) in enumerate([(5, 6, 3), (7, 4, 11), (4, 8, 40)], 470):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    for name, place in places.items():
        given = q.copy(), k.copy()
        got = shift_gap(place, *given, shift)
        check_numbers(got, by_hand(place, q, k, shift), "in the largest change of a score", f"with {name}, {n=}, {d=}, {shift=}, ")
        check_unchanged(given, (q, k))
### END HIDDEN TESTS

# %% [markdown]
# Move 6 tokens by 100,000 places. Predict: how large is the gap with your `rotate`, and how large with waves that are added?

# %% tags=["demonstration"]
rng = np.random.default_rng(4)
q, k = rng.normal(size=(6, 8)), rng.normal(size=(6, 8))
for name, place in [("rotary", rotate), ("waves that are added", add_sinusoids)]:
    print(f"{name}: {shift_gap(place, q, k, 100_000):.0e}" if name == "rotary" else f"{name}: {shift_gap(place, q, k, 100_000):.1f}")

# %% alt="Four heatmaps of 6 queries and 6 keys. The two with rotary positions, for tokens from place 0 on and from place 100,000 on, look exactly alike. The two with added waves differ from each other in most cells." tags=["demonstration"]
fig, axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained", sharey=True)
for ax, (name, place, first) in zip(axes, [("rotary", rotate, 0), ("rotary", rotate, 100_000),
                                           ("waves", add_sinusoids, 0), ("waves", add_sinusoids, 100_000)]):
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
