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
# *Attention, Graded · lesson 06 · NumPy first, then PyTorch · about <!-- minutes -->115<!-- end --> minutes of exercises<!-- with: unroll -->, core 75<!-- end --> · <!-- points -->26<!-- end --> points*
#
# A Transformer attends to its whole text, so what it has to keep grows with the text. A robot, a dialogue system or an interpreter receives one piece at a time, for as long as it runs. It needs a **memory** of a fixed size that is carried from step to step. Here the memory is a table with a few rows, called *slots*, and at each step the slots attend to each other. The idea comes from Santoro and others, *Relational Recurrent Neural Networks* (2018).
#
# You build one step in NumPy, on top of the multi-head attention that you wrote in lesson 03. Then you write the same step as a PyTorch module, so that it can be trained. At the end two memories learn the same task. In one, the slots see each other; in the other, they don't; and only one of the two can learn it.

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
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 6.6 is answered in words and read by a person. If you are stuck on an exercise, skip it and come back later. Cells that draw or print call your functions, so they fail, or show wrong results, until those work. Training the two memories takes about ten seconds.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **A row is a slot** | `memory` is `(batch, slots, d)`; `memory[b, s]` is slot `s` of sequence `b` |
# | **The token is the input of one step** | `token` is `(batch, d)`: it already has the width of a slot |
# | **Queries come from the slots, keys from slots and token** | `weights` is `(batch, num_heads, slots, slots + 1)`: row = query slot, column = key, and **the token is the last column** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the slots and the token |
# | **Shapes of the weight matrices** | they multiply from the right, as in `memory @ W_q`, so `W_q`, `W_k`, `W_v` are `(d, d)`. In `nn.Linear`, `weight` is `(out, in)` |
# | **Heads** | `d = num_heads · depth`; head `h` owns the features `h·depth … (h+1)·depth − 1` of every row |
# | **Masks are added** | a mask `(slots, slots + 1)` holds 0 (keep) and −∞ (block), and never blocks a whole row |
# | **Gradients flow** | from 6.5 on, a gradient flows through every function and layer, from its result to its inputs and parameters |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% locked imports
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)
torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## Given: multi-head attention in NumPy
#
# `multi_head_attention` is your exercise 3.6. A short version is given, so that this notebook needs no other file. To work with your own, paste it into a new cell below the next one. `softmax` and `sigmoid` are given, too; both are stable for large scores.

# %% locked given
def softmax(scores):
    """Return positive weights that sum to 1 along the last axis, as in 1.1."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def sigmoid(scores):
    """Return 1 / (1 + exp(-scores)), without overflow."""
    return (1 + np.tanh(scores / 2)) / 2


def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    """Attention with several heads, for a batch, as in 3.6.

    Q: (batch, seq_q, d), K and V: (batch, seq_k, d), each W: (d, d).
    mask: None, (seq_q, seq_k) or (batch, seq_q, seq_k), holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d) and (batch, num_heads, seq_q, seq_k).
    """
    projected = Q @ W_q, K @ W_k, V @ W_v
    q, k, v = (np.stack(np.split(x, num_heads, axis=-1), axis=1) for x in projected)
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + np.expand_dims(mask, -3)  # one axis more, for the heads
    weights = softmax(scores)
    heads = np.moveaxis(weights @ v, 1, 0)  # (num_heads, batch, seq_q, depth)
    return np.concatenate(list(heads), axis=-1) @ W_o, weights


# %% [markdown]
# ## 6.1 Slots attend to slots
#
# **★ core · <!-- points -->3 points<!-- end --> · about 8 minutes · difficulty ●○○**
#
# Every slot may attend to every slot and to the token. So the queries come from the memory $M$ alone. Keys and values come from $[M; x]$: the memory with the token $x$ as its **last** row. That is cross-attention, and 3.6 can do it:
#
# $$\mathrm{weights} = \mathrm{softmax}\!\left(\frac{(M W_q)\,([M; x]\, W_k)^\top}{\sqrt{\mathrm{depth}}} + \mathrm{mask}\right) \qquad A = \mathrm{weights}\; [M; x]\, W_v$$
#
# | operation | expression | shape |
# |---|---|---|
# | the token as a last row | $[M; x]$ | `(batch, slots + 1, d)` |
# | attention, head by head | `multi_head_attention` | `(batch, slots, d)` and `(batch, num_heads, slots, slots + 1)` |
#
# Return `attended, weights`. There is no output matrix $W_o$ after the heads here, and $M$ is not added yet: that comes in 6.3. The mask may block any column, including the token's. Scores may be as large as ±1000.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 slots, how many rows do the queries have, and how many do the keys have? And `multi_head_attention` requires a `W_o`: which matrix changes nothing?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `token[:, None]` is `(batch, 1, d)`. `np.concatenate([...], axis=1)` joins along the slots. `np.eye(d)` is the identity matrix, and `memory.shape[-1]` is `d`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# rows = memory and token, joined along axis 1
# call multi_head_attention: Q is memory, K and V are rows,
#     then num_heads, W_q, W_k, W_v, the identity as W_o, mask
# return both results
# ```
# </details>
#
# <details><summary>I get “all the input array dimensions except for the concatenation axis must match exactly”, or “must have same number of dimensions”</summary>
#
# `memory` has an axis for its slots and `token` has none. Insert one of length 1 before you join them, and join along axis 1.
# </details>

# %% solution memory-attention edition="core"
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    """Every slot attends to all slots and to the token.

    memory: (batch, slots, d), token: (batch, d), W_q, W_k, W_v: (d, d).
    mask: None or (slots, slots + 1), holding 0 (keep) and -inf (block).
    Returns (attended, weights): (batch, slots, d) and (batch, num_heads, slots, slots + 1),
    the token in the last column. No input is changed.
    """
    ### BEGIN SOLUTION
    rows = np.concatenate([memory, token[:, None]], axis=1)
    identity = np.eye(memory.shape[-1])
    return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
    ### END SOLUTION


# %% [markdown]
# The tests use 2 sequences with 3 slots and 2 heads of 4 features, then other sizes with a mask, and finally a case that you can do on paper: memory and weight matrices are the identity, and the token is (1, 1).

# %% test memory-attention points=3
# Test of 6.1 Slots attend to slots (3 points). Run the checks cell first.
returns("memory-attention", attended="sequence slot feature", weights="sequence head slot column")
first, second = attention_inputs(0, 2, 3, 8), attention_inputs(7, 5, 4, 6)
check("memory-attention", "3 slots, 2 heads of 4 features", memory_attention, *first, 2)
check("memory-attention", "4 slots, 3 heads of 2 features, with a mask", memory_attention, *second,
    3, slot_mask)
check("memory-attention", "one slot, one head", memory_attention, *attention_inputs(3, 2, 1, 4), 1)
eye = np.eye(2)
check("memory-attention", "the case on paper", memory_attention, eye[None], np.ones((1, 2)), eye,
    eye, eye, 1)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(601)
for batch, slots, heads, depth, masked in [(2, 5, 3, 4, 0), (4, 3, 2, 5, 0.4), (3, 4, 1, 6, 0.4), (3, 3, 3, 3, 0), (1, 70, 2, 2, 0), (2, 6, 2, 3, 0.5), (3, 5, 8, 3, 0.5), (9, 1, 8, 3, 1), (12, 1, 2, 3, 1), (1, 1, 1, 1, 1),
                                           (1, 1, 1, 1, 0), (10, 6, 9, 1, 1), (2, 7, 1, 40, 0.7), (8, 8, 8, 8, 0.4), (1, 120, 1, 2, 0.9), (4, 3, 2, 5, 1), (2, 5, 3, 4, 0)]:
    d, shut = heads * depth, np.zeros((slots, slots + 1))
    shut[rng.random(shut.shape) < masked] = -math.inf
    shut[np.arange(slots), (np.arange(slots) + batch) % (slots + (masked != 0.5))] = 0   # with a share of 1, each slot sees one row
    shut[:, -1] = -math.inf if masked == 0.5 else shut[:, -1]
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = random_arrays(rng, (batch, slots, d), (batch, d), (d, d), (d, d), (d, d), dtype=dtype)
        if masked == 0.5:    # large scores
            q, k = (one.reshape(batch, slots, heads, depth) for one in (given[0] @ given[2], given[0] @ given[3]))
            given[2] *= dtype(990 * depth**0.5 / np.einsum("bihc,bjhc->bhij", q, k).max())
        before = [one.copy() for one in given]
        mask = shut.astype(dtype) if masked else None
        M, x, w_q, w_k, w_v = (one.astype(float) for one in before)
        rows = np.concatenate([M, x[:, None]], axis=1)
        q, k, v = (one.reshape(batch, -1, heads, depth) for one in (M @ w_q, rows @ w_k, rows @ w_v))
        scores = np.einsum("bihc,bjhc->bhij", q, k) / depth**0.5 + shut
        grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = grown / grown.sum(axis=-1, keepdims=True)
        mixed = np.einsum("bhij,bjhc->bihc", shares, v).reshape(batch, slots, d)
        attended, weights = memory_attention(*given, heads, mask) if masked else memory_attention(*given, heads)
        sizes = f"with {batch=}, {slots=}, {heads=}, {depth=}, {'a' if masked else 'no'} mask, "
        check_numbers(weights, shares, "in the weights of another memory", 5e-3 if masked == 0.5 else tolerance, sizes)
        check_numbers(attended, mixed, "in what slots of another memory attend to", 2e-2 if masked == 0.5 else tolerance, sizes)
        check_unchanged([*given, mask], [*before, shut.astype(dtype)])
### END HIDDEN TESTS

# %% [markdown]
# In the case on paper, slot 0 has the same score with itself and with the token, since both begin with a 1. Predict: if there were ten slots like slot 1, would slot 0 attend more or less to the token than now?

# %% tags=["demonstration"]
for others in [1, 10]:
    longer = np.array([[[1.0, 0.0]] + [[0.0, 1.0]] * others])
    _, weights = memory_attention(longer, np.ones((1, 2)), np.eye(2), np.eye(2), np.eye(2), 1)
    print(f"{others:2} other slots: slot 0 gives itself {weights[0][0][0][0]:.3f}, the token "
        f"{weights[0][0][0][-1]:.3f}")

# %% [markdown]
# Less: every slot takes its share. To the softmax, the token is one column among many.

# %% [markdown]
# ## The whole step at a glance
#
# 6.1 is the first part of one step. This is the whole step:
#
# | operation | expression | shape, for each sequence | exercise |
# |---|---|---|---|
# | slots attend | $A$ = attention with queries from $M$, keys and values from $[M; x]$ | `(slots, d)` | 6.1 |
# | each row by itself | $R = \mathrm{norm}(M + A)$, then $\tilde M = \mathrm{norm}(R + \mathrm{MLP}(R))$ | `(slots, d)` | 6.3 |
# | gates | $M' = \sigma(i) \odot \tanh(\tilde M) + \sigma(f + \mathrm{bias}) \odot M$ | `(slots, d)` | 6.4 |
# | all of it, trainable | a PyTorch module | `(slots, d)` | 6.5 |
# | a second form of 6.1 | $A = (1 - g) \cdot$ attention to the slots $+\, g \cdot$ the token's value | `(slots, d)` | 6.2 |
#
# Here $\mathrm{norm}$ is the layer norm, $\sigma$ is the sigmoid $1/(1 + e^{-s})$, and $\odot$ is the elementwise product. The figure has 3 slots with 4 features each. (The gates also read the token.)

# %% alt="One step as a row of blocks: the memory of 3 slots gives the queries, the memory with the token below it gives keys and values, the weights are a table of 3 rows and 4 columns whose last column is the token, and give what is attended to; this and the old memory go row by row through norm and MLP to the candidate, and the gates mix candidate and old memory into the new memory. Two arrows lead straight from the old memory, to the candidate and to the new memory." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
fig, ax = plt.subplots(figsize=(7.6, 1.9), layout="constrained")


def draw_rows(left, rows, columns, name, token_row=None, token_column=None):
    """Draw a block of cells whose top is at 3. The token's row or column is hatched."""
    for i, j in np.ndindex(rows, columns):
        token = i == token_row or j == token_column
        ax.add_patch(plt.Rectangle((left + 0.6 * j, 2.4 - 0.6 * i), 0.6, 0.6, edgecolor="0.4",
            linewidth=0.8,
                                   facecolor="#fde6c8" if token else "#d6e8f7",
                                   hatch="////" if token else ""))
    ax.text(left + 0.3 * columns, 3.2, name, ha="center", va="bottom", fontsize=9)


draw_rows(0, 3, 4, "memory $M$\n(slots, d)")
draw_rows(4.6, 4, 4, "$[M; x]$\n(slots + 1, d)", token_row=3)
draw_rows(9.2, 3, 4, "weights\n(slots, slots + 1)", token_column=3)
draw_rows(13.8, 3, 4, "attended $A$\n(slots, d)")
draw_rows(18.4, 3, 4, "candidate $\\tilde{M}$\n(slots, d)")
draw_rows(23, 3, 4, "new memory $M'$\n(slots, d)")
for start, label in [(2.6, ""), (7.2, "6.1"), (11.8, "6.1"), (16.4, "6.3"), (21, "6.4")]:
    ax.annotate("", (start + 1.8, 2.1), (start, 2.1),
        arrowprops={"arrowstyle": "->", "linewidth": 1.4})
    ax.text(start + 0.9, 2.2, label, ha="center", va="bottom", fontsize=9)
ax.plot([1.2, 1.2, 24.2], [1.1, -0.5, -0.5], color="black", linewidth=1.4)
for end, label in [(19.6, "added to $A$ (6.3)"), (24.2, "kept (6.4)")]:
    ax.annotate("", (end, 1.1), (end, -0.5), arrowprops={"arrowstyle": "->", "linewidth": 1.4,
        "shrinkA": 0})
    ax.text(end - 0.2, -0.35, label, ha="right", va="bottom", fontsize=9)
ax.text(5.8, 0.45, "hatched: the token", ha="center", va="top", fontsize=9)
ax.set(xlim=(-0.6, 26), ylim=(-0.7, 5.2), aspect="equal")
ax.axis("off")
plt.show()


# %% [markdown]
# ## 6.2 The token's weight is a gate
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●●**
#
# Here is the same attention, computed in another order. Take one query slot. It has scores $s_0 \dots s_{n-1}$ with the slots, and $t$ with the token. First let it attend to the slots alone, as if there were no token. Then mix the result with the token's value, by a **gate** $g$:
#
# $$g = \frac{e^t}{e^t + \sum_j e^{s_j}} = \sigma\Big(t - \ln \sum_j e^{s_j}\Big) \qquad A = (1 - g) \cdot \mathrm{softmax}(s)\, V + g\, v_\mathrm{token}$$
#
# For the second equals sign, divide numerator and denominator by $e^t$, and write $\sum_j e^{s_j}$ as $e^L$: then $g = 1/(1+e^{L-t})$. The logarithm of a sum of exponentials is called *logsumexp*. So attention to memory and input **is** a gate between old and new, and it opens when the token's score is high compared with those of all slots together.
#
# | operation | expression | shape |
# |---|---|---|
# | gate | $\sigma(t - \mathrm{logsumexp}(s))$ | `(…, n_q)` |
# | attention to the slots | $\mathrm{softmax}(s)\, V$ | `(…, n_q, depth)` |
# | attended | $(1 - g)$ times that, plus $g$ times the token's value | `(…, n_q, depth)` |
#
# `slot_scores` is `(…, n_q, n)`, for `n_q` query slots and `n` key slots, and `token_score` is `(…, n_q)`. Both are already scaled. `slot_values` is `(…, n, depth)`, `token_value` is `(…, depth)`. There may be any number of leading axes, also none. Scores may be as large as ±1000, and some, but not all, slot scores of a query may be −∞.
#
# <details><summary>Hint 1: a question</summary>
#
# The gate has one number per query. It multiplies `depth` numbers per query. Which axis is missing, and where?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.logaddexp.reduce(scores, axis=-1)` is the logsumexp along the last axis, and never overflows. The given `sigmoid` and `softmax`, and `@`. `gate[..., None]` adds an axis at the end, `token_value[..., None, :]` one before the last.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# gate = sigmoid of (token_score - logsumexp of slot_scores along the last axis)
# recalled = softmax of slot_scores, @ slot_values
# g = gate with an axis of length 1 at the end
# value = token_value with an axis of length 1 before the last
# attended = (1 - g) * recalled + g * value
# return attended and gate (without the extra axis)
# ```
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# Either the gate has no axis for the `depth` features, or the token's value has none for the queries. Write the shapes below each other, aligned at the right.
# </details>

# %% solution blend edition="core"
def blend(slot_scores, token_score, slot_values, token_value):
    """Attention to slots and a token, as a gate between the two.

    slot_scores: (..., n_q, n), token_score: (..., n_q), both scaled.
    slot_values: (..., n, depth), token_value: (..., depth).
    Returns (attended, gate): (..., n_q, depth) and (..., n_q). No input is changed.
    """
    ### BEGIN SOLUTION
    gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
    recalled = softmax(slot_scores) @ slot_values
    return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
    ### END SOLUTION


# %% test blend points=3
# Test of 6.2 The token's weight is a gate (3 points). Run the checks cell first.
returns("blend", attended="sequence query feature", gate="sequence query")
check("blend", "2 sequences, 3 queries, 4 slots as keys", blend,
    *blend_inputs(1, 2, n_q=3, n=4, depth=5))
check("blend", "some slots at −∞", blend, *blocked_inputs)
check("blend", "scores of ±1000", blend, *extreme_inputs)
returns("blend", attended="query feature", gate="query")
check("blend", "no leading axis", blend, *blend_inputs(8, n_q=4, n=3, depth=2))
third = np.zeros((2, 3)), np.full(2, math.log(3)), example_array(2, 3, 4), example_array(9, 4)
check("blend", "three slots at 0 and the token at ln 3, so that its weight is one half", blend,
    *third)
returns("blend", attended="sequence head query feature", gate="sequence head query")
check("blend", "two leading axes", blend, *blend_inputs(6, 2, 3, n_q=4, n=5, depth=1))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(602)
for front, n_q, n, depth in [((3,), 4, 5, 2), ((2, 3), 5, 4, 6), ((), 3, 6, 4), ((4,), 2, 1, 3), ((2, 3, 4), 3, 5, 2), ((1, 2, 1, 3), 2, 4, 3), ((9, 8), 2, 2, 2), ((1,), 1, 1, 1), ((), 1, 1, 1), ((1, 1), 1, 40, 1),
                             ((2,), 5, 43, 20), ((1,), 41, 6, 3), ((), 2, 100, 3), ((4,), 4, 4, 4), ((3, 3, 3), 3, 3, 3), ((), 5, 5, 5), ((3,), 4, 5, 2)]:
    for dtype, tolerance, size in [(np.float64, 1e-6, 1), (np.float32, 1e-5, 1), (np.float64, 1e-3, 1e3), (np.float64, 1e-6, -1e-2), (np.float64, 1e-6, 0)]:
        shapes = (*front, n_q, n), (*front, n_q), (*front, n, depth), (*front, depth)
        given = [rng.normal(size=shape).astype(dtype) for shape in shapes]
        given[:2] = [one * dtype(size) for one in given[:2]]
        if n > 1:
            given[0][..., 0, 1] = given[0][..., -1, 1 - n % 2:] = -math.inf    # in the last row, one slot is left, or two
            given[0][..., -1, 0] = size
        before = [one.copy() for one in given]
        s, t, values, value = (one.astype(float) for one in before)
        everything = np.concatenate([s, t[..., None]], axis=-1)
        grown = np.exp(everything - everything.max(axis=-1, keepdims=True))
        shares = grown / grown.sum(axis=-1, keepdims=True)
        rows = np.concatenate([values, value[..., None, :]], axis=-2)
        mixed = np.einsum("...ij,...jk->...ik", shares, rows)
        with np.errstate(all="ignore"):
            attended, gate = blend(*given)
        sizes = f"with leading axes {in_words(front)}, {n_q=}, {n=}, {depth=}, "
        check_numbers(gate, shares[..., -1], "in the gate, on other random scores", tolerance, sizes)
        check_numbers(attended, mixed, "in what is attended to, on other random scores", tolerance, sizes)
        check_unchanged(given, before)
far = np.array([[-math.inf, -1000], [1000, 1000], [999, -math.inf]]), np.array([-1000.0, 1000, 1000])
with np.errstate(all="ignore"):
    gate = blend(*far, rng.normal(size=(2, 3)), rng.normal(size=3))[1]
check_numbers(gate, [1 / 2, 1 / 3, 1 / (1 + math.exp(-1))], "in the gate, with all scores near 1000 or −1000", 1e-3)
### END HIDDEN TESTS

# %% [markdown]
# Two routes to one result. The next cell computes the scores of 6.1 for slots and token separately, blends them head by head, and compares. Predict: which column of the weights is the gate?

# %% tags=["demonstration"]
memory, token, W_q, W_k, W_v = attention_inputs(11, 2, 3, 8)
attended, weights = memory_attention(memory, token, W_q, W_k, W_v, 2)
for head in range(2):
    own = slice(4 * head, 4 * head + 4)  # depth is 4, so √depth is 2
    q, k, v = ((memory @ W)[..., own] for W in (W_q, W_k, W_v))
    token_k, token_v = (token @ W_k)[:, own], (token @ W_v)[:, own]
    slot_scores, token_score = q @ k.swapaxes(-1, -2) / 2, (q @ token_k[..., None])[..., 0] / 2
    blended, gate = blend(slot_scores, token_score, v, token_v)
    print(f"head {head}: attended differs by "
        f"{np.abs(blended - np.asarray(attended)[..., own]).max():.0e}, "
          f"gate and last column by {np.abs(gate - np.asarray(weights)[:, head, :, -1]).max():.0e}")


# %% [markdown]
# The gate is the last column of the weights. Remember the line with $(1-g)$ and $g$: it adds one more key to an attention that is already computed, without touching the other keys again: the old output and the logsumexp of the old scores are enough. FlashAttention repeats this line with blocks of keys. Then the block's logsumexp takes the place of $t$, and the attention within the block that of the token's value.

# %% [markdown]
# ## Given: a layer norm
#
# A *layer norm* takes each row by itself, subtracts its mean, and divides by its standard deviation. $10^{-5}$ is added to the variance, so that nothing is divided by 0.

# %% locked given-layer-norm
def layer_norm(rows):
    """Return each row with mean 0 and variance 1, without gain or offset."""
    centred = rows - np.mean(rows, axis=-1, keepdims=True)
    return centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 1e-5)


# %% [markdown]
# ## 6.3 Each row by itself
#
# **★ core · <!-- points -->3 points<!-- end --> · about 8 minutes · difficulty ●●○**
#
# What a slot attended to is added to what it held, and normalized. Then a small network with one hidden layer processes each row, and its result is added and normalized again:
#
# $$R = \mathrm{norm}(M + A) \qquad \tilde M = \mathrm{norm}\big(R + \mathrm{relu}(R\,W_1 + b_1)\,W_2 + b_2\big)$$
#
# Adding a result to its input is called a *residual connection*: the row stays, and only the change has to be computed. $\tilde M$ is the **candidate** for the new memory. Norm and network process each row by itself, so no slot sees another one here.
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
# The second residual connection adds something to the network's result. Is it $M$, $M + A$, or the rows that went into the network?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The given `layer_norm`, `np.maximum(x, 0)` for the relu, `@` and `+`: a bias of shape `(hidden,)` is added to every row.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# rows = layer_norm of (memory + attended)
# hidden = relu of (rows @ first matrix + first bias)
# change = hidden @ second matrix + second bias
# return layer_norm of (rows + change)
# ```
# </details>

# %% solution update-rows edition="core"
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    """The candidate for the new memory: residual, norm and a small
    network, each row by itself.

    memory, attended: (batch, slots, d), W_1: (d, hidden), b_1: (hidden,),
    W_2: (hidden, d), b_2: (d,).
    Returns (batch, slots, d). No input is changed.
    """
    ### BEGIN SOLUTION
    rows = layer_norm(memory + attended)
    return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
    ### END SOLUTION


# %% test update-rows points=3
# Test of 6.3 Each row by itself (3 points). Run the checks cell first.
returns("update-rows", candidate="sequence slot feature")
check("update-rows", "2 sequences, 3 slots of 5 features, hidden 4", update_rows,
    *row_inputs(0, 2, 3, 5, 4))
check("update-rows", "all sizes 3", update_rows, *row_inputs(3, 3, 3, 3, 3))
check("update-rows", "4 sequences, 2 slots of 6 features, hidden 7", update_rows,
    *row_inputs(5, 4, 2, 6, 7))
check("update-rows", "sums near 0", update_rows, *near_zero_inputs(1, 2, 3, 4, 5))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(603)
for batch, slots, d, hidden, size in [(3, 4, 6, 5, 1), (2, 5, 4, 9, 1), (4, 1, 7, 3, 1), (9, 41, 20, 43, 1), (1, 1, 1, 1, 1), (3, 2, 1, 4, 1), (5, 3, 4, 1, 1), (6, 6, 6, 6, 1), (2, 3, 300, 2, 1), (2, 3, 2, 300, 1),
                                      (3, 4, 6, 5, 1e3), (3, 4, 6, 5, 1e-3), (3, 4, 6, 5, 0), (2, 5, 4, 9, 40), (3, 4, 6, 5, 1)]:
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 2e-5)][:2 if size == 1 else 1]:
        shapes = (batch, slots, d), (batch, slots, d), (d, hidden), (hidden,), (hidden, d), (d,)
        given = [one * dtype(size if n < 4 else 1) for n, one in enumerate(random_arrays(rng, *shapes, dtype=dtype))]
        before = [one.copy() for one in given]
        M, A, w_1, c_1, w_2, c_2 = (one.astype(float) for one in before)
        norm = lambda row: (row - row.mean(axis=-1, keepdims=True)) / np.sqrt(row.var(axis=-1, keepdims=True) + 1e-5)
        row = norm(M + A)
        expected = norm(row + np.maximum(row @ w_1 + c_1, 0) @ w_2 + c_2)
        sizes = f"with {batch=}, {slots=}, {d=}, {hidden=}, "
        check_numbers(update_rows(*given), expected, "in the candidate for another memory", tolerance, sizes)
        check_unchanged(given, before)
### END HIDDEN TESTS

# %% [markdown]
# A check without a reference. Change slot 2 alone. Predict: which rows of the candidate change?

# %% tags=["demonstration"]
inputs = row_inputs(9, 1, 4, 6, 8)
changed = [inputs[0].copy(), *inputs[1:]]
changed[0][0, 2] += np.arange(6)
moved = np.abs(update_rows(*changed) - np.asarray(update_rows(*inputs))).max(axis=-1)[0]
print("largest change in each row:", [round(one, 4) for one in moved.tolist()])


# %% [markdown]
# ## 6.4 Gates: what is written, what is kept
#
# **★ core · <!-- points -->4 points<!-- end --> · about 12 minutes · difficulty ●●●**
#
# The candidate doesn't simply replace the memory. Two gates decide, feature by feature: the **input gate** how much of the candidate is written, the **forget gate** how much of the old memory is kept.
#
# Each gate is the sigmoid of a sum of three terms: $x W$ from the token (the same for every slot), $\tanh(M)\, U$ from the old memory (different for each slot), and a bias $b$. $W$ and $U$ are `(d, 2d)`: columns 0 to $d-1$ of the sum are $i$, for the input gate, and columns $d$ to $2d-1$ are $f$, for the forget gate. Then
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
# Two things are easily confused. The gates read the **old** memory, through tanh. And the memory that is kept is $M$ itself, without tanh. The forget bias is a plain number, and is added to $f$ alone. $b$ is learned; the forget bias is set once, so that an untrained memory begins by keeping.
#
# <details><summary>How this differs from the published code</summary>
#
# This is the LSTM's update without its output gate, applied to each slot. The code that DeepMind published with the paper (`relational_memory.py` in Sonnet) has no output gate either, and its two gates compute what ours do. Its attention differs:
#
# - queries, keys and values come from one linear layer **with** a bias, and each row of all three together goes through a layer norm before it is cut into heads;
# - its layer norms have a learned gain and offset;
# - the token is a query as well; it also goes through norm and MLP, and its row is dropped before the gates. With a single round of attention per step this makes no difference to the slots.
#
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# $x W$ is `(batch, 2d)`, and $\tanh(M) U$ is `(batch, slots, 2d)`. Where does the first need an axis of length 1, so that each sequence uses its own token in all of its slots?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.tanh`, the given `sigmoid`, `[:, None]`. `np.split(array, 2, axis=-1)` cuts the last axis into two halves.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# sums = (token @ W, with an axis for the slots) + tanh(memory) @ U + b
# i, f = the two halves of the last axis
# written = sigmoid(i) * tanh(candidate)
# kept = sigmoid(f + forget_bias) * memory
# return their sum
# ```
# </details>
#
# <details><summary>I get “operands could not be broadcast together”, or no error and wrong numbers</summary>
#
# Without an axis for the slots, the token's term is `(batch, 2d)`, and NumPy aligns its batch with the slots. If there are as many slots as sequences, there is no error: slot 1 gets the token of sequence 1.
# </details>

# %% solution gated-memory edition="core"
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    """The new memory: what the input gate writes, plus what the forget gate keeps.

    memory, candidate: (batch, slots, d), token: (batch, d), W, U: (d, 2d), b: (2d,).
    Columns 0 to d-1 of W, U and b belong to the input gate, the others to the forget gate.
    Returns (batch, slots, d). No input is changed.
    """
    ### BEGIN SOLUTION
    gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
    i, f = np.split(gates, 2, axis=-1)
    return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
    ### END SOLUTION


# %% test gated-memory points=4
# Test of 6.4 Gates: what is written, what is kept (4 points). Run the checks cell first.
returns("gated-memory", memory="sequence slot feature")
check("gated-memory", "3 sequences, 3 slots of 2 features", gated_memory, *gate_inputs(0, 3, 3, 2),
    -0.5)
check("gated-memory", "with the default forget bias", gated_memory, *gate_inputs(7, 2, 3, 4))
check("gated-memory", "2 sequences, 4 slots of 3 features", gated_memory, *gate_inputs(2, 2, 4, 3),
    forget_bias=2.0)
check("gated-memory", "one slot of one feature", gated_memory, *gate_inputs(5, 2, 1, 1))
check("gated-memory", "with tokens up to ±10", gated_memory, *wide_gate_inputs, forget_bias=1.0)
### BEGIN HIDDEN TESTS
def slow_gates(M, candidate, x, w, u, c, bias):
    sums, d = np.einsum("bc,ce->be", x, w)[:, None] + np.einsum("bsc,ce->bse", np.tanh(M), u) + c, M.shape[-1]
    i, f = np.tanh(sums[..., :d] / 2), np.tanh((sums[..., d:] + bias) / 2)    # a sigmoid is half of a tanh, plus one half
    return (1 + i) / 2 * np.tanh(candidate) + (1 + f) / 2 * M


rng = np.random.default_rng(604)
for batch, slots, d, bias, size in [(2, 5, 3, 1.0, 1), (4, 3, 6, -1.5, 1), (3, 3, 3, 0.25, 1), (2, 4, 2, 0.0, 1), (9, 41, 5, 2.5, 1), (9, 3, 21, 2.5, 1), (1, 1, 1, 1.0, 1), (1, 1, 4, 0, 1), (5, 1, 3, -7, 1), (1, 6, 1, 12.5, 1), (8, 8, 8, 3, 1),
                                    (2, 3, 300, 1.0, 1), (3, 90, 2, -0.001, 1), (3, 4, 5, 1.0, 12), (3, 4, 5, 0.5, 1e-3), (3, 4, 5, -30, 1), (2, 5, 3, 40, 1), (2, 5, 3, 1.0, 1)]:
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)][:2 if size == 1 else 1]:
        shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
        given = [one * dtype(size if n < 3 else 1) for n, one in enumerate(random_arrays(rng, *shapes, dtype=dtype))]
        before = [one.copy() for one in given]
        got = gated_memory(*given) if bias == 1 else gated_memory(*given, forget_bias=bias)
        sizes = f"with {batch=}, {slots=}, {d=}, "
        expected = slow_gates(*(one.astype(float) for one in before), bias)
        check_numbers(got, expected, "in the new memory, on other random tables", tolerance, sizes)
        check_unchanged(given, before)
### END HIDDEN TESTS

# %% [markdown]
# How long does a slot remember? Suppose nothing is written, because the input gate is closed, and the forget gate's sum is 0 except for the forget bias. Then each step multiplies the memory by $\sigma(\mathrm{bias})$. Guess first: with a bias of 1, how much is left after 10 steps? Half, a tenth, or a twentieth?
#
# The next cell runs your function for ten steps, with four biases (dots), and draws $\sigma(\mathrm{bias})^n$ (lines).

# %% alt="The fraction of a slot that is left over ten steps for four forget biases, dots from running the gates on lines from the formula: with bias 0 it is almost nothing after five steps, with bias 1 it is 0.04 after ten, with 2.63 one half, and with 4.55 nine tenths." tags=["demonstration"]
closed = np.array([-100.0, 0.0])  # b: the input gate, then the forget gate
nothing, zero = np.zeros((1, 1, 1)), np.zeros((1, 2))
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
for bias, marker in [(4.55, "D"), (2.63, "^"), (1.0, "s"), (0.0, "o")]:
    memory, left = np.ones((1, 1, 1)), [1.0]
    for _ in range(10):
        memory = np.asarray(gated_memory(memory, nothing, nothing[0], zero, zero, closed, bias))
        left.append(memory.item())
    ax.plot(range(11), left, marker, label=f"bias {bias:.2f}:\n{left[-1]:.3f} after 10 steps")
    ax.plot(range(11), sigmoid(np.array(bias)) ** np.arange(11), "0.6", zorder=0)
ax.set(xlabel="steps", ylabel="fraction that is left", ylim=(0, 1.05))
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
plt.show()


# %% [markdown]
# A twentieth: $\sigma(1)^{10} = 0.0436$. To keep half for ten steps, the bias must be 2.63, and to keep nine tenths, 4.55. In general, to keep the fraction $p$ for $n$ steps, set $\mathrm{bias} = \ln\frac{r}{1-r}$ with $r = p^{1/n}$. To remember for a hundred steps, a gate must stay almost fully open.

# %% [markdown]
# ## Given: heads in PyTorch
#
# From here on, tensors take the place of arrays, so that autograd can train the memory. Two functions from lesson 04 are given again: one splits rows into heads, the other merges them.

# %% locked given-heads
def split_heads(x, num_heads):
    """(batch, rows, d) to (batch, num_heads, rows, depth):
    each head gets a contiguous slice of every row."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    """(batch, num_heads, rows, depth) to (batch, rows, d): the heads side by side again."""
    return x.transpose(1, 2).flatten(2)


# %% [markdown]
# ## 6.5 The same step, trainable
#
# **★ core · <!-- points -->5 points<!-- end --> · about 25 minutes · difficulty ●●●**
#
# Now write the step as a module. Its input `x`, `(batch, input_size)`, is not yet as wide as a slot, so a linear layer makes the token from it. The rest is 6.1, 6.3 and 6.4 in PyTorch: the weight matrices become layers.
#
# | operation | layers | shape |
# |---|---|---|
# | token | `project`: input_size → d | `(batch, d)` |
# | slots attend to slots and token | `q`, `k`, `v`: d → d, **without bias** | `(batch, slots, d)`, and the weights |
# | each row by itself | `mlp_in`: d → hidden, `mlp_out`: hidden → d | `(batch, slots, d)` |
# | gates | `gate_token`: d → 2d, `gate_memory`: d → 2d **without bias** | `(batch, slots, d)` |
#
# The bias of `gate_token` is $b$. Use these eight names; add no other layer, parameter or buffer. Call the layers, as in `self.q(memory)`: that computes `memory @ self.q.weight.T`, because `nn.Linear` stores its `weight` as `(out, in)`.
#
# | in NumPy | in PyTorch |
# |---|---|
# | `np.concatenate([...], axis=1)` | `torch.cat([...], dim=1)` |
# | `softmax(scores)` | `scores.softmax(dim=-1)` |
# | `layer_norm(rows)` | `F.layer_norm(rows, rows.shape[-1:])` |
# | `np.maximum(x, 0)`, `np.tanh(x)`, `sigmoid(x)` | `x.relu()`, `x.tanh()`, `x.sigmoid()` |
# | `np.split(gates, 2, axis=-1)` | `gates.chunk(2, dim=-1)` |
#
# `linked=False` makes a different memory with the same layers: **each slot may attend to itself and to the token only**; all other slots are blocked. It is the control in the experiment at the end.
#
# The module works with any number of slots, and keeps nothing from one call to the next. Use tensor operations throughout, so that gradients flow to the memory, to `x` and to every layer: no `.detach()`, `.data`, `torch.no_grad` or NumPy. Block with −∞, not with a large negative number such as −1e9: a kept score may be lower than that. The constructor raises a `ValueError` whose text contains both numbers if `num_heads` does not divide `d`.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 slots and `linked=False`, which cells of the 3 × 4 table of weights may be greater than 0? Write the mask down.
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(a, b)` and `nn.Linear(a, b, bias=False)`. The given `split_heads` and `merge_heads`; `k.transpose(-2, -1)` for the keys of each head. For the blocked cells: a tensor of ones `(slots, slots + 1)`, `fill_diagonal_(0)`, then 0 in the last column. `scores.masked_fill(blocked, -math.inf)` takes a boolean tensor.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# constructor: check d % num_heads; store num_heads, forget_bias, linked; make the eight layers
# forward:
#     token = project of x;  rows = memory and token, joined along dim 1
#     q from memory, k and v from rows: call the layer, then split_heads
#     scores = q @ transposed k / root of depth
#     if not linked: masked_fill the other slots' columns with -inf
#     weights = softmax along the last axis;  attended = merge_heads of (weights @ v)
#     candidate: 6.3 with mlp_in and mlp_out
#     gates = gate_token of token (with an axis for the slots) + gate_memory of tanh(memory)
#     new memory: 6.4 with the two halves of gates
#     return new memory, weights
# ```
# </details>
#
# <details><summary>I get “mat1 and mat2 shapes cannot be multiplied”, or “… must match the size of …”</summary>
#
# Write down the shape of each line in a comment. A layer takes `(…, in)`: has `x` gone through `project`? Does the token's part have an axis for the slots?
# </details>
#
# <details><summary>I get NaN with linked=False</summary>
#
# Either a whole row is −∞, or 0 times −∞ was computed: fill the blocked cells, don't multiply by infinity.
# </details>

# %% solution relational-memory edition="core"
class RelationalMemory(nn.Module):
    """One step of a memory whose slots attend to each other and to the input.

    forward(memory, x): memory (batch, slots, d), x (batch, input_size).
      Returns (memory, weights): (batch, slots, d) and (batch, num_heads, slots, slots + 1).
      With linked=False a slot attends to itself and the token only. No input is changed."""

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
        token = self.project(x)[:, None]  # [batch, 1, d]
        rows = torch.cat([memory, token], dim=1)  # [batch, slots + 1, d]
        q = split_heads(self.q(memory), self.num_heads)  # [batch, num_heads, slots, depth]
        k = split_heads(self.k(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
        v = split_heads(self.v(rows), self.num_heads)  # [batch, num_heads, slots + 1, depth]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, num_heads, slots, slots + 1]
        if not self.linked:
            blocked = torch.ones(scores.shape[-2:]).fill_diagonal_(0)  # [slots, slots + 1]
            blocked[:, -1] = 0
            scores = scores.masked_fill(blocked.bool(), -math.inf)  # [batch, num_heads, slots, slots + 1]
        weights = scores.softmax(dim=-1)  # [batch, num_heads, slots, slots + 1]
        rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])  # [batch, slots, d]
        change = self.mlp_out(self.mlp_in(rows).relu())  # [batch, slots, d]
        candidate = F.layer_norm(rows + change, memory.shape[-1:])  # [batch, slots, d]
        gates = self.gate_token(token) + self.gate_memory(memory.tanh())  # [batch, slots, 2 * d]
        i, f = gates.chunk(2, dim=-1)  # [batch, slots, d], [batch, slots, d]
        kept = (f + self.forget_bias).sigmoid() * memory  # [batch, slots, d]
        return i.sigmoid() * candidate.tanh() + kept, weights  # [batch, slots, d], [batch, num_heads, slots, slots + 1]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: linked slots (3 points).** The tests load their own weight matrices and biases into your layers.

# %% test relational-memory-linked points=3
# Test of 6.5 The same step, trainable, 1 of 3 (3 points). Run the checks cell first.
returns("relational-memory", memory="sequence slot feature", weights="sequence head slot column")
sizes = 5, 8, 2, 6
check("relational-memory", "3 sequences, 4 slots, 2 heads", core_step, *core_inputs(1, 3, 4, 8, 5),
    core_weights(0, 5, 8, 6), *sizes)
sizes = 6, 6, 3, 6
check("relational-memory", "all widths 6, 3 heads", core_step, *core_inputs(2, 2, 3, 6, 6),
    core_weights(9, 6, 6, 6), *sizes)
check("relational-memory", "a forget bias of −1", core_step, *core_inputs(2, 2, 3, 6, 6),
    core_weights(9, 6, 6, 6), *sizes,
      forget_bias=-1.0)
check("relational-memory", "one slot", core_step, *core_inputs(3, 2, 1, 6, 6),
    core_weights(4, 6, 6, 6), *sizes)
### BEGIN HIDDEN TESTS
def slow_core(weights, M, x, heads, bias, linked):
    w = {name: as_array(value) for name, value in weights.items()}
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


core_cases = [(3, 5, 6, 2, 4, 7, 1.0), (2, 4, 8, 4, 5, 3, 0.25), (4, 2, 5, 5, 3, 6, 2.5), (4, 4, 4, 4, 4, 4, 0.0), (9, 1, 8, 8, 1, 1, -3), (1, 1, 1, 1, 1, 1, 6)]
check_core(slow_core, core_cases, 607, linked=True)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: slots that don't see each other (1 point).** If Test 1 fails, fix that first.

# %% test relational-memory-alone points=1
# Test of 6.5 The same step, trainable, 2 of 3 (1 point). Run the checks cell first.
returns("relational-memory", memory="sequence slot feature", weights="sequence head slot column")
check("relational-memory", "linked=False, 3 sequences, 4 slots (if Test 1 fails, fix that first)",
    core_step,
      *core_inputs(1, 3, 4, 8, 5), core_weights(0, 5, 8, 6), 5, 8, 2, 6, linked=False)
check("relational-memory", "linked=False, one slot", core_step,
      *core_inputs(3, 2, 1, 6, 6), core_weights(4, 6, 6, 6), 6, 6, 3, 6, linked=False)
check("relational-memory", "linked=False, with scores of ±10³⁰", core_step,
      *core_inputs(1, 3, 4, 8, 5), steep_weights(0, 5, 8, 6), 5, 8, 2, 6, linked=False)
memory, x = core_inputs(1, 3, 4, 8, 5)
core = core_with_weights(core_weights(0, 5, 8, 6), 5, 8, 2, 6, linked=False)
check_gradients("relational-memory", "linked=False, gradients", core, core_weights(0, 5, 8, 6),
    memory=memory, x=x)
### BEGIN HIDDEN TESTS
def slow_alone(weights, M, x, heads, bias, linked):
    w = {name: as_array(value) for name, value in weights.items()}
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


alone_cases = [(3, 5, 6, 2, 4, 7, 1.0), (2, 4, 8, 4, 5, 3, 0.25), (4, 2, 5, 5, 3, 6, 2.5), (4, 4, 4, 4, 4, 4, 0.0), (9, 1, 8, 8, 1, 1, -3), (1, 1, 1, 1, 1, 1, 1.0), (1, 41, 9, 9, 21, 43, 0.5)]
check_core(slow_alone, alone_cases, 6070, linked=False)
memory, x = core_inputs(12, 2, 3, 6, 7)
core = core_with_weights(core_weights(11, 7, 6, 5), 7, 6, 3, 5, linked=False).eval()
check_gradients("relational-memory", "linked=False, gradients of another module", core, core_weights(11, 7, 6, 5), memory=memory, x=x,
                right=lambda w, memory, x: slow_alone(w, as_array(memory), as_array(x), 3, 1.0, False)[0])
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: invalid sizes, and gradients (1 point).** And a valid edge case: as many heads as features in a slot.

# %% test relational-memory-errors points=1
# Test of 6.5 The same step, trainable, 3 of 3 (1 point). Run the checks cell first.
returns("relational-memory", heads="")
check("relational-memory", "d 6 and 4 heads", heads_of_new_core, 6, 4)
check_error_names_sizes(6, 4)
check_error_names_sizes(10, 3)
returns("relational-memory", memory="sequence slot feature", weights="sequence head slot column")
check("relational-memory", "4 heads of one feature (if Test 1 fails, fix that first)", core_step,
      *core_inputs(6, 2, 3, 4, 5), core_weights(8, 5, 4, 3), 5, 4, 4, 3)
memory, x = core_inputs(1, 3, 4, 8, 5)
core = core_with_weights(core_weights(0, 5, 8, 6), 5, 8, 2, 6)
check_gradients("relational-memory", "gradients", core, core_weights(0, 5, 8, 6), memory=memory,
    x=x)
### BEGIN HIDDEN TESTS
for d, heads in [(8, 3), (9, 2), (12, 5), (7, 14), (1, 2), (64, 48), (300, 7)]:
    check_error_names_sizes(d, heads)
def core_by_tables(weights, M, x, heads, bias, linked):
    w, norm = {name: as_array(value).T for name, value in weights.items()}, lambda row: (row - row.mean(-1, keepdims=True)) / np.sqrt(row.var(-1, keepdims=True) + 1e-5)
    token = x @ w["project.weight"] + w["project.bias"]
    rows = np.concatenate([M, token[:, None]], axis=1)
    q, k, v = (one.reshape(*one.shape[:2], heads, -1) for one in (M @ w["q.weight"], rows @ w["k.weight"], rows @ w["v.weight"]))
    powers = np.exp(np.einsum("bihc,bjhc->bhij", q, k) / q.shape[-1] ** 0.5)
    shares = powers / powers.sum(axis=-1, keepdims=True)
    row = norm(M + np.einsum("bhij,bjhc->bihc", shares, v).reshape(M.shape))
    row = norm(row + (row @ w["mlp_in.weight"] + w["mlp_in.bias"]).clip(0) @ w["mlp_out.weight"] + w["mlp_out.bias"])
    sums = (token @ w["gate_token.weight"] + w["gate_token.bias"])[:, None] + np.tanh(M) @ w["gate_memory.weight"]
    i, f = np.split(1 / (1 + np.exp(-sums - np.repeat([0, bias], M.shape[-1]))), 2, axis=-1)
    return i * np.tanh(row) + f * M, shares


check_core(core_by_tables, [(2, 3, 9, 3, 2, 5, 1.0), (2, 3, 7, 1, 2, 5, 1.0), (2, 3, 12, 12, 2, 5, 1.0), (10, 3, 24, 8, 23, 45, 1.0), (1, 41, 2, 1, 1, 3, 1.0), (8, 3, 8, 8, 8, 8, 1.0)], 608, linked=True)
memory, x = core_inputs(27, 2, 5, 6, 3)
core = core_with_weights(core_weights(26, 3, 6, 7), 3, 6, 2, 7).eval()
check_gradients("relational-memory", "gradients of another module", core, core_weights(26, 3, 6, 7), memory=memory, x=x,
                right=lambda w, memory, x: core_by_tables(w, as_array(memory), as_array(x), 2, 1.0, True)[0])
### END HIDDEN TESTS

# %% [markdown]
# The same numbers as in NumPy? The next cell hands the weights of a new module to your functions of 6.1, 6.3 and 6.4. `nn.Linear` stores `(out, in)`, hence the `.T`. Predict how large the difference will be, in float32.

# %% tags=["demonstration"]
torch.manual_seed(6)
core, memory, x = RelationalMemory(5, 8, 2, 6), torch.randn(3, 4, 8), torch.randn(3, 5)
with torch.no_grad():
    by_torch, token = core(memory, x)[0].numpy(), core.project(x).numpy()
w, M = {name: value.numpy().T for name, value in core.state_dict().items()}, memory.numpy()
attended, _ = memory_attention(M, token, w["q.weight"], w["k.weight"], w["v.weight"], 2)
candidate = np.array(update_rows(M, attended, w["mlp_in.weight"], w["mlp_in.bias"],
    w["mlp_out.weight"], w["mlp_out.bias"]))
by_numpy = gated_memory(M, candidate, token, w["gate_token.weight"], w["gate_memory.weight"],
    w["gate_token.bias"])
print(f"NumPy and PyTorch differ by {np.abs(by_numpy - by_torch).max():.0e}")

# %% [markdown]
# Shape comments, as in lesson 04: end each line of `forward` that makes a tensor with its axes in brackets, such as `# [batch, slots, d]`, and run this cell. It reports which of your comments are true, and earns no points.

# %% tags=["demonstration"]
first = {"batch": 8, "slots": 3, "input_size": 5, "d": 12, "num_heads": 2, "depth": 6, "hidden": 9}
second = {"batch": 4, "slots": 5, "input_size": 3, "d": 14, "num_heads": 7, "depth": 2,
    "hidden": 10}
follow_shapes(*((sizes, RelationalMemory(sizes["input_size"], sizes["d"], sizes["num_heads"],
    sizes["hidden"], linked=False),
                 torch.randn(sizes["batch"], sizes["slots"], sizes["d"]),
                 torch.randn(sizes["batch"], sizes["input_size"]))
                for sizes in (first, second)))

# %% [markdown]
# One step treats all slots alike. So what happens to a memory whose slots all begin with the same row? Predict how far apart they are after three steps with different inputs.

# %% tags=["demonstration"]
torch.manual_seed(8)
core, memory = RelationalMemory(5, 8, 2, 6), torch.randn(3, 1, 8).expand(3, 4, 8)
with torch.no_grad():
    for step in range(3):
        memory, _ = core(memory, torch.randn(3, 5))
print("equal slots after three steps: largest difference "
    f"{(memory - memory[:, :1]).abs().max():.0e}")


# %% [markdown]
# They stay equal, however long it runs. So a memory has to begin with different rows: the published code starts from the identity matrix. Below, each slot begins with something different to store.

# %% [markdown]
# ## It learns: which stored arrow is farthest?
#
# Now the memory gets a task that is about **relations**. Four arrows of length 1 lie in the plane, one in each slot, with the slot's number as its tag. Three questions follow, one per step: a tag. The answer is the tag of the arrow that points **farthest away** from the one in question. On a circle that is the most opposite one.
#
# No slot holds the answer. It depends on where an arrow lies relative to the three others. Guessing among the other three is right in 33 % of all cases.
#
# | part | made by | shape |
# |---|---|---|
# | what is stored | `nn.Linear(6, 32)` of the one-hot tag and the arrow, then a layer norm | `(batch, 4, 32)` |
# | memory | `RelationalMemory(4, 32, num_heads=2, hidden=32)` | `(batch, 4, 32)` |
# | question | the one-hot tag | `(batch, 4)` |
# | answer, after each step | `nn.Linear(32, 4)` of the **mean of all slots** | `(batch, 4)` |

# %% locked farthest-task
def questions(batch, generator, items=4, asked=3):
    """Return stored rows (batch, items, items + 2), one-hot tags (batch, asked, items),
    answers (batch, asked)."""
    angle = 2 * math.pi * torch.rand(batch, items, generator=generator)
    which = torch.rand(batch, items, generator=generator).argsort(dim=1)[:, :asked]
    return asked_of(angle, which)


# %% locked asked-of
def asked_of(angle, which):
    """Return the same for given angles (batch, items) and tags in question (batch, asked)."""
    batch, items = angle.shape
    arrows = torch.stack([angle.cos(), angle.sin()], dim=-1)
    stored = torch.cat([torch.eye(items).expand(batch, items, items), arrows], dim=-1)
    farthest = (arrows @ arrows.transpose(1, 2)).argmin(dim=-1)
    return stored, F.one_hot(which, items).float(), farthest.gather(1, which)


# %% locked recaller
class Recaller(nn.Module):
    """Four stored rows, a relational memory, and a linear readout of the mean of all slots."""

    def __init__(self, linked):
        super().__init__()
        self.store = nn.Linear(6, 32)
        self.core = RelationalMemory(4, 32, num_heads=2, hidden=32, linked=linked)
        self.answer = nn.Linear(32, 4)

    def forward(self, stored, asked):
        """Return the answers (batch, asked, 4), memories and weights after each question."""
        memory = F.layer_norm(self.store(stored), (32,))
        steps = []
        for x in asked.unbind(1):
            memory, weights = self.core(memory, x)
            steps.append((self.answer(memory.mean(dim=1)), memory, weights))
        return [torch.stack(part, dim=1) for part in zip(*steps)]


# %% [markdown]
# In one memory the slots are linked. In the other, with `linked=False`, each slot sees itself and the question. Everything else is the same: layers, initial weights, data, and 600 steps.
#
# Predict before you run it: in the linked memory, at which question will slots attend to each other: at the first, or at every one? Will the slots attend to the question (the last column of the weights)? And how far will the other memory get?

# %% [markdown]
# *My guess (double-click here to write):*

# %% locked train
def train(linked, steps=600):
    """Return a trained recaller and its losses. Each step draws 64 new sequences."""
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
            print(f"{'linked' if linked else 'alone':6} {step + 1} of {steps} steps, loss "
                f"{np.mean(losses[-50:]):.3f}")
    return model, losses


# %% tags=["demonstration"]
torch.manual_seed(0)
before = Recaller(linked=True)  # the linked memory, untrained
linked, linked_losses = train(linked=True)
alone, alone_losses = train(linked=False)

# %% alt="Two losses over 600 steps, both from 1.39: that of the memory whose slots don't see each other sinks to a dotted line at 1.10 within about 200 steps and stays there, that of the linked slots crosses this line after about 60 steps and ends below 0.2." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6.6, 3.4), layout="constrained")
for losses, style, label in [(linked_losses, "-", "linked"), (alone_losses, "--", "alone")]:
    means = np.convolve(losses, np.ones(20) / 20, mode="valid")
    ax.plot(np.arange(len(means)) + 19, means, style, label=label)
ax.axhline(math.log(4), color="0.4", linestyle="-.", label="ln 4: any of the four")
ax.axhline(math.log(3), color="k", linestyle=":", label="ln 3: any but the one in question")
ax.set(xlabel="step", ylabel="loss, mean of 20 steps", ylim=(0, 1.5))
ax.legend()
plt.show()

# %% tags=["demonstration"]
stored, asked, answers = questions(2000, torch.Generator().manual_seed(1000))
for name, model in [("linked", linked), ("alone", alone)]:
    with torch.no_grad():
        right = (model(stored, asked)[0].argmax(dim=-1) == answers).float()
    print(f"{name:6} right in {right.mean():.1%}, question by question",
        [f"{one:.1%}" for one in right.mean(dim=0)])

# %% [markdown]
# Alone, the slots learn one thing: not to name the arrow in question. That takes the loss from ln 4 = 1.39 to ln 3 = 1.10, and there it stays, at chance: 31 % right here, and 31 to 35 % over 12 seeds. The linked memory goes on. In our run its loss ends below 0.2, and it answers 96 % right. Over the same seeds it was between 80 and 97 %, and in all but one above 95 %.
#
# Why can't the other memory go on? Its scores are a linear function of the mean of the slots: a sum with one contribution from each slot. A slot holds its own arrow and the tag in question. No slot holds how *two* arrows lie relative to each other. In fact, no such sum has an expected loss below ln 3. The proof has three steps:
#
# 1. If all four arrows are turned by the same angle, the answer stays the same.
# 2. So replace each slot's contribution by its average over all angles. The cross-entropy is convex in the scores, so the expected loss does not grow.
# 3. An averaged contribution depends only on the tags, not on the arrow. Such scores can't tell which of the three other arrows is the answer, and each of them is equally likely. So the loss is at least ln 3.

# %% [markdown]
# And where does the linked memory look? The next cell draws one example (`draw_attention` comes from the collapsed cell near the top): four arrows, and questions 0, 1 and 2. The opposite of arrow 0 is arrow 2, that of 1 is 3, of 2 is 0, of 3 is 1. Rows are the query slots; columns are the keys. The last column, to the right of the white line, is the question.

# %% alt="Weights of the untrained memory in two heads at three questions: all cells lie between about 0.1 and 0.4, without a pattern." tags=["demonstration"]
draw_attention(before, "untrained")

# %% alt="Weights of the trained linked memory: at question 0, in both heads, slot 0 gives all to slot 2, slot 1 to 3, slot 2 to 0 and slot 3 to 1, its opposite each time; at question 1 most rows still give it more than half, at question 2 fewer, the other rows attend to several slots, or to another one; the column of the question is nearly 0 throughout." tags=["demonstration"]
draw_attention(linked, "linked")

# %% alt="Weights of the trained memory whose slots don't see each other: all cells of other slots are hatched, and each slot attends mostly to the question." tags=["demonstration"]
draw_attention(alone, "alone", hatch_blocked=True)

# %% tags=["demonstration"]
with torch.no_grad():
    weights = linked(*asked_of(torch.tensor([[0.2, 1.2, 3.2, 4.4]]),
        torch.tensor([[0, 1, 2]]))[:2])[2][0]
for t in range(3):
    on_opposite = weights[t][:, range(4), [2, 3, 0, 1]]
    print(f"question {t}: {int((on_opposite > 0.5).sum())} of 8 rows give more than half of their "
        "weight to the opposite slot")

# %% [markdown]
# In the linked memory, slots attend to each other at **question 0**: each one to its opposite. The memory can't know yet what will be asked next, so it stores the answers to all questions. In our run most rows still give more than half of their weight to the opposite at question 1, and fewer at question 2. Alone, a slot attends mostly to the question: there is little else for it to see.
#
# And the question itself? It hardly comes in by attention: in the example its column is at most 0.01. It comes in through the **gates**, which add a term of the token to each feature of each slot. After question 0, how much of the answer is in the slot in question? The next cell gives the readout this slot alone, then only the three others.

# %% tags=["demonstration"]
with torch.no_grad():
    _, memories, weights = linked(stored, asked)
    scores = linked.answer(memories[:, 0])  # of each slot after question 0, by itself
for name, slots in [("the slot in question", asked[:, 0]), ("the three others", 1 - asked[:, 0])]:
    said = (slots[..., None] * scores).sum(dim=1).argmax(dim=-1)
    print(f"{name:20} right in {(said == answers[:, 0]).float().mean():.0%}")
print("mean weight on the question, at each question:",
    [f"{one:.3f}" for one in weights[..., -1].mean(dim=(0, 2, 3))])


# %% [markdown]
# In our run the slot in question alone gives 97 % right answers, about as many as all slots together. The three others give about 60 %.
#
# Two warnings. Other seeds give other pictures: often one head does all the looking, and the question's column may get a mean weight of up to 0.4. And a heatmap shows where a memory looks, not what it does with the result.

# %% task linked-or-alone [markdown] points=2 edition="core"
# ## 6.6 In your own words: what the links are for
#
# **★ core · <!-- points -->2 points<!-- end --> · about 10 minutes · difficulty ●●○ · read by a person**
#
# An LSTM is an older network with a memory and the same kind of gates. Its memory is one long row of features. In each step, three gates and the candidate, each as long as that row, are computed by one learned matrix, from the input and the last output.
#
# 1. What can the linked memory do in one step that the memory with `linked=False` cannot? An LSTM with slots · d units also mixes all of its features in each step. Which matrix does this? Does the matrix depend on what is stored? What is different in our memory? (1 point)
# 2. What do the links cost: how many scores are there per head and step, and how does that grow with the number of slots? How does the number of learned parameters grow with the slots, here and in the LSTM? (1 point)
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what the links do: with `linked=False`, row i of the new memory depends on row i and the input alone. Linked, row i weighs all rows by how their *contents* match, so a relation between any two stored things takes one step, and the same weights serve every pair. An LSTM mixes its units by one fixed matrix: which unit reads which is learned once, and doesn't depend on what they hold. Half a point for the first part without the LSTM, or the LSTM alone.
#
# **1 point** for the costs: slots · (slots + 1) scores per head and step, which is quadratic in the number of slots. The number of learned parameters doesn't grow with the slots at all, whereas the LSTM's recurrent matrix has 4 · (slots · d)² entries. Half a point for one of the two.
#
# **Half right (1 point of 2):** “Linked slots can exchange information, which takes more computation.” This doesn't say how they choose (by content), nor how much it costs.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 6.6** (double-click here, and write in place of this line)

# %% [markdown]
# ## 6.7 Sequences of different lengths
#
# **more · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# In the experiment, all sequences had three steps. In practice their lengths differ, and the short ones are padded. Write the loop over time for such a batch. `step` is any function that takes `(memory, x)` and returns `(memory, weights)`, such as your module. Run it over all steps, and collect what it returns.
#
# From its length on, a sequence's memory **stays as it is**. The weights at padded steps may be anything. Gradients flow from the last memory back to the first, and to all inputs that count.
#
# | operation | expression | shape |
# |---|---|---|
# | input of step `t` | `inputs[:, t]` | `(batch, input_size)` |
# | one step | `step(memory, inputs[:, t])` | `(batch, slots, d)`, `(batch, num_heads, slots, slots + 1)` |
# | which sequences are still running | `t < lengths` | `(batch,)` |
# | all memories, each **after** its step | stacked, time after the batch | `(batch, steps, slots, d)` |
# | all weights | the same | `(batch, steps, num_heads, slots, slots + 1)` |
#
# `lengths` is a list or a LongTensor with values from 1 to `steps`. The longest may be shorter than `steps`. You may call `step` for a part of the batch.
#
# <details><summary>Hint 1: a question</summary>
#
# Sequence 1 has length 2. After steps 0, 1, 2 and 3, which of its memories are equal?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.where(condition, a, b)` selects entry by entry; the condition needs two axes of length 1 after the batch. `torch.as_tensor`, lists with `append`, `torch.stack(..., dim=1)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# two empty lists
# for each step t:
#     after, weights = step of memory and the inputs of step t
#     memory = after where t < lengths, else memory    (torch.where)
#     append memory and weights
# return both lists, stacked with time as dim 1
# ```
# </details>
#
# <details><summary>I get “expected Tensor as element 0 in argument 0”, or a pair where I expected a tensor</summary>
#
# `step` returns two things. Unpack them first.
# </details>

# %% solution unroll
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
# The tests pass a simple step: it halves the memory and adds numbers that depend on the slot and on the input. Its weights depend on both. The last line follows gradients through your 6.5, if that works.

# %% test unroll points=3
# Test of 6.7 Sequences of different lengths (3 points). Run the checks cell first.
returns("unroll", memories="sequence step slot feature", weights="sequence step head slot column")
memory, inputs = example_tensor(0, 3, 4, 7), example_tensor(30, 3, 5, 6)
check("unroll", "3 sequences of lengths 2, 4 and 1, 5 steps", unroll_simple_step, memory, inputs,
    [2, 4, 1])
check("unroll", "lengths 3, 5 and 2 in a LongTensor", unroll_simple_step, memory, inputs,
    torch.tensor([3, 5, 2]))
check("unroll", "one sequence, all of its 3 steps", unroll_simple_step, example_tensor(5, 1, 3, 2),
    example_tensor(6, 1, 3, 4), [3])
check_unroll_gradients()
### BEGIN HIDDEN TESTS
def plain_unroll(step, memory, inputs, lengths):
    """The memories after each step of the core that `check_unroll_gradients` makes."""
    w, collected, norm = core_weights(0, 5, 8, 6), [], lambda rows: F.layer_norm(rows, rows.shape[-1:])
    linear = lambda one, name: F.linear(one, w[name + ".weight"], w.get(name + ".bias"))
    for t in range(inputs.shape[1]):
        token = linear(inputs[:, t], "project")[:, None]
        q, k, v = (linear(torch.cat([memory, token], 1), name).unflatten(-1, (2, -1)).transpose(1, 2) for name in "qkv")
        rows = norm(memory + F.scaled_dot_product_attention(q[:, :, :-1], k, v).transpose(1, 2).flatten(2))
        rows = norm(rows + linear(linear(rows, "mlp_in").relu(), "mlp_out"))
        i, f = (linear(token, "gate_token") + linear(memory.tanh(), "gate_memory")).chunk(2, -1)
        after = i.sigmoid() * rows.tanh() + (f + 1).sigmoid() * memory
        memory = torch.where((t < torch.as_tensor(lengths))[:, None, None], after, memory)
        collected.append(memory)
    return torch.stack(collected, dim=1)


check_unroll_gradients(start=44, right=plain_unroll)
rng, other_step = np.random.default_rng(609), lambda memory, x: simple_step(1 - memory.flip(1), 2 * x + 0.5)
for batch, steps, slots, d, size, lengths in [(4, 6, 3, 5, 2, [3, 6, 1, 4]), (3, 5, 4, 2, 7, [2, 3, 1]), (2, 1, 5, 3, 4, [1, 1]), (10, 22, 2, 3, 3, [1, 22, 5, 21, 9, 2, 22, 14, 7, 1]), (1, 9, 1, 1, 2, [1]),
                                              (3, 4, 41, 20, 21, [4, 4, 4]), (3, 12, 2, 2, 3, [4, 4, 4]), (5, 5, 5, 5, 5, [5, 1, 4, 2, 3]), (4, 6, 3, 5, 2, [6, 2, 6, 1])]:
    for kind in (list, torch.tensor):
        given = [torch.tensor(rng.normal(size=shape), dtype=torch.float32) for shape in [(batch, slots, d), (batch, steps, size)]]
        before = [one.clone() for one in given]
        after, tables = np.zeros((batch, steps, slots, d)), np.zeros((batch, steps, 2, slots, slots + 1))
        for b, length in enumerate(lengths):
            memory = before[0][b:b + 1]
            for t in range(steps):
                if t < length:
                    memory, weights = other_step(memory, before[1][b:b + 1, t])
                    tables[b, t] = as_array(weights)[0]
                after[b, t] = as_array(memory)[0]
        got, weights = unroll(other_step, *given, kind(lengths))
        sizes = f"with {batch=}, {steps=}, {slots=}, {lengths=}, "
        check_numbers(got, after, "in the memories of longer sequences", 1e-4, sizes)
        weights = np.array(as_array(weights))
        assert weights.shape == tables.shape, f"for longer sequences, the weights have another shape\n{weights.shape}"
        for table, length in zip(weights, lengths):
            table[length:] = 0
        check_numbers(weights, tables, "in the weights of longer sequences", 1e-4, sizes)
        check_unchanged(given, before)
### END HIDDEN TESTS

# %% [markdown]
# A second route: a sequence in the batch must get the same memory as by itself. Predict the difference.

# %% tags=["demonstration"]
torch.manual_seed(9)
core, memory, inputs = RelationalMemory(5, 8, 2, 6), torch.randn(3, 4, 8), torch.randn(3, 6, 5)
with torch.no_grad():
    memories, _ = unroll(core, memory, inputs, [2, 6, 4])
    for b, length in enumerate([2, 6, 4]):
        alone = memory[b:b + 1]
        for t in range(length):
            alone, _ = core(alone, inputs[b:b + 1, t])
        print(f"sequence {b}, {length} steps: differs by "
            f"{(memories[b, -1] - alone[0]).abs().max():.0e}")


# %% [markdown]
# ## 6.8 Catch the bug
#
# **more · <!-- points -->3 points<!-- end --> · about 25 minutes · difficulty ●●● · needs 6.4**
#
# Gates go wrong in many ways, and all of them have the right shape. So change sides, as in 3.8. Somebody hands you a function and claims that it is `gated_memory`. You can't read it, only call it. Write the test: `check_gates(candidate)` returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | how to call the candidate | with the seven arguments of 6.4, all by position: always pass the forget bias |
# | valid input | arrays of float32 or float64, any sizes from 1 on, ordinary numbers |
# | a right candidate | returns the numbers of 6.4 up to rounding, 1e-5 at most, and changes no input |
# | a wrong candidate | on ordinary input, returns other numbers, by more than 1e-3, or right ones at wrong places, another shape or `None`, or raises an error, or changes its input |
# | how close is right? | compare with `atol=1e-4`; the defaults of `np.allclose` reject right candidates whose numbers are small |
#
# Your test is run on a hidden panel. If it rejects one right candidate, it gets nothing. Nor if it accepts one of those that add a number to the bias `b`, which changes all results. Otherwise it gets 1 point for at least 5 of the 15 other wrong ones, 2 points for at least 10, and 3 for all.
#
# Five of these 15 return the right numbers on every input of the visible tests of 6.4. Those inputs have tokens with one decimal, 2 or 3 sequences, at most 4 slots, and a forget bias of −0.5, 1 or 2. Choose other sizes and numbers: a test that catches none of the five gets nothing.
#
# Your test is called about a hundred times, in a random order, and each candidate comes several times. If your test returns `None` or raises an error, it has decided nothing.
#
# <details><summary>Hint 1: a question</summary>
#
# Go through what is easily confused in 6.4. Which input shows it? With one sequence, or with a forget bias of 1, which mistakes stay hidden?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call. `np.shape` and `np.allclose(a, b, atol=...)`. `array.copy()` before the call, and `np.array_equal` after it. `np.random.default_rng(0).normal(size=...)` makes inputs.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# for two or three inputs (several sequences and slots, then one sequence;
#         b not 0, a forget bias that isn't 1, then one of 0):
#     compute the right result, and copy the inputs
#     try to call the candidate; on an exception return False
#     wrong shape, or not close: return False
#     an input differs from its copy: return False
# return True
# ```
# </details>
#
# <details><summary>My test rejects a right candidate</summary>
#
# Do you compare exactly? Is each input valid? Did an earlier candidate change your arrays, because you made them only once?
# </details>

# %% solution check-gates builds_on=["gated-memory"]
def check_gates(candidate):
    """Test whether `candidate`, called with the seven arguments of 6.4 by
    position, is a right gated_memory.

    Returns True or False. It raises nothing, whatever the candidate does.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    for batch, slots, d, bias in [(3, 5, 2, -0.5), (1, 4, 3, 0.0)]:
        shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
        given = [rng.normal(size=shape) for shape in shapes]
        memory, new, token, W, U, b = before = [one.copy() for one in given]
        gates = np.einsum("bd,de->be", token, W)[:, None] + np.einsum("bsd,de->bse", np.tanh(memory), U) + b
        keep = memory / (1 + np.exp(-gates[..., d:] - bias))
        expected = np.tanh(new) / (1 + np.exp(-gates[..., :d])) + keep
        try:
            got = np.asarray(candidate(*given, bias))
            close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
        except Exception:
            return False
        if not close or not all(np.array_equal(one, other) for one, other in zip(given, before)):
            return False
    return True
    ### END SOLUTION


# %% [markdown]
# Practise on functions made from your own 6.4. The first line should say True, the others False.

# %% tags=["demonstration"]
own = gated_memory
practice = {
    "6.4 itself": own,
    "the candidate in the gates": lambda m, c, x, W, U, b, bias: own(c, c, x, W, U, b, bias),
    "forget bias always 1": lambda m, c, x, W, U, b, bias: own(m, c, x, W, U, b, 1.0),
    "the bias b left out": lambda m, c, x, W, U, b, bias: own(m, c, x, W, U, 0 * b, bias),
    "sequence 0's token for all": lambda m, c, x, W, U, b,
    bias: own(m, c, 0 * x + x[:1], W, U, b, bias),
    "raises an error": lambda *arguments: 1 / 0,
    "right, but halves its input": lambda m, *others: (own(m, *others),
    np.multiply(m, 0.5, out=m))[0],
}
for name, candidate in practice.items():
    print(f"{name:30}", verdict_of(candidate))

# %% [markdown]
# The points come from three cells of one point each. Before grading, these cells only check that your test returns True or False and rejects a function that returns nothing but zeros. If your own `gated_memory` passes its test, your test must accept it, and reject it with 1 added to `b`. The hidden candidates are tried after you submit.

# %% test check-gates-first-third points=1
# Test of 6.8 Catch the bug, 1 of 3 (1 point). Run the checks cell first.
caught, missed, refused = [], ["see the first of the three cells"], []
assert not required_verdict(lambda m, *others: 0 * m,
    "a function that returns nothing but zeros"), (
    "your test accepts a function that returns nothing but zeros\n"
    "Compare the returned numbers with your own, and return False where they differ.")
check_accepts_own()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def gated(memory, candidate, token, W, U, b, forget_bias):
        n, off, d = slip, 0 if form in forms else form, memory.shape[-1]
        seen = np.tanh(candidate if n == "reads the candidate" else memory)
        word = token[:1] + 0 * token if n == "first token" else token
        word = np.round(word * 10) / 10 if n == "one decimal" else word
        sums = (word @ W)[:, None] + seen @ U + b * (n != "no b")
        i, f = (sums[..., d:], sums[..., :d]) if n == "swapped" else (sums[..., :d], sums[..., d:])
        bias = {"always 1": 1, "0 is 1": forget_bias or 1}.get(n, forget_bias)
        i, f = ((1 + np.tanh(s / 2)) / 2 for s in (i + off, f + bias + off))
        i = 1 - f if n == "coupled" else i
        made = i * (candidate if n == "candidate as it is" else np.tanh(candidate)) + f * memory
        made = np.concatenate([made[:, :4], memory[:, 4:]], axis=1) if n == "four slots" else made
        if n == "overwrites":    # the memory, W, U or b
            (memory, W, U, b)[[*forms].index(form)].__iadd__(1)
        if n == "nothing":
            return {}["memory"] if form == "rounded up" else None
        made = {"one axis more": made[None], "slots reversed": made[:, ::-1] if made.shape[1] > 4 else made}.get(n, made)
        return forms.get(form, forms["plain"])(made[0] if n == "loses one sequence" and len(made) == 1 else made)
    return gated
forms = {"plain": lambda made: made, "rounded up": lambda made: made * (1 + 5e-6), "rounded down": lambda made: made - 4e-6, "in another order in memory": np.asfortranarray}
kinds = {"gates that are swapped, coupled or without b": ["swapped", "coupled", "no b"], "a forget bias that is ignored": ["always 1"], "the candidate at a wrong place or without tanh": ["candidate as it is", "reads the candidate"], "another sequence's token": ["first token"], "a changed input": ["overwrites"], "numbers that are right on the inputs of 6.4": (unseen := ["one decimal", "0 is 1", "four slots", "loses one sequence", "slots reversed"]),
         "another shape": ["one axis more"], "no result": ["nothing"]}
slips = sum(kinds.values(), [])
# First come candidates that differ only by a number in their gates; one is right, and nothing but its results tells which. A test that
# takes another one for right, or none, gets nothing, so what it sees after them comes too late. Then each slip comes as often as none.
order, all_slips = np.random.default_rng(globals().get("course_secret", 0)), ["", *slips]
offsets = (order.permutation(count := order.integers(20, 29)) - order.integers(count - 2)) / 2
turns = [order.permutation([*forms]) for _ in all_slips]
shown = [("", off) for off in offsets] + [(all_slips[n], turns[n][turn]) for turn in range(4) for n in order.permutation(len(all_slips))]
said = {one: bool(verdict) if isinstance(verdict := verdict_of(candidate_with(*one)), (bool, np.bool_)) else "nothing" for one in shown}
refused = [form for form in [0, *forms] if said["", form] is not True]
assert not refused, f"your test rejects a right candidate\nthe one that is {refused}"
assert not (fooled := [off for off in offsets if off and said["", off] is True]), f"your test accepts a candidate whose gates have another bias\nby {fooled}"
found = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
missed = [kind for kind, members in kinds.items() if not {*members} <= {*found}]
assert {*found} & {*unseen}, f"your test catches none of the five that are right on the inputs of 6.4\nonly {found}"
assert len(caught := found) >= 5, f"your test catches less than a third of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-gates-second-third points=1
# Test of 6.8 Catch the bug, 2 of 3 (1 point). Run the checks cell first.
# Two thirds of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(lambda m, *others: 0 * m) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert not refused, "not counted, because your test rejects a right candidate"
assert len(caught) >= 10, f"your test catches less than two thirds of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-gates-last-third points=1
# Test of 6.8 Catch the bug, 3 of 3 (1 point). Run the checks cell first.
# All of the wrong candidates are caught, and no right one is rejected.
assert verdict_of(lambda m, *others: 0 * m) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert not refused, "not counted, because your test rejects a right candidate"
assert len(caught) == 15, f"your test does not catch all of the wrong candidates; it misses {', '.join(missed)}\nonly {caught}"
### END HIDDEN TESTS

# %% [markdown]
# ## What you have built
#
# You have built one step of a relational memory in NumPy: attention from slots to slots and token, each row's own update, and gates that write and keep. You have written the same step as a module that learns. You have seen that attention to memory and input is itself a gate, and that a memory must begin with different rows.<!-- with: unroll --> You have run the step over sequences of different lengths.<!-- end --><!-- with: check-gates --> You have written a test that detects wrong gates.<!-- end -->
#
# And you have seen what the links are for: of two memories with the same layers, one answers questions about relations, and the other stays at chance. Few models today use this memory as it is, but its idea is still in use: in the Perceiver, too, a small table of rows attends to an input and to itself.
#
# ### Three questions to think about
#
# 1. Give the memory with `linked=False` a stronger readout: one hidden layer over the mean of the slots, or over all slots side by side. Would it still stay at chance?
# 2. Slots that begin equal stay equal. Why not begin with random rows, drawn again each time?
# 3. Suppose there are 600 questions instead of 3. What would that require of the forget gate, and with which bias could it begin?
#
# <details><summary>Answers</summary>
#
# 1. Not always. With a hidden layer of 64 over the mean, three of six runs stayed at chance, and the others reached 61 to 80 %; over all slots side by side, all six reached about 90 %. Then the *readout* relates the arrows, not the memory. So this experiment holds for a linear readout, which can only add up. When you compare models, say which part does the comparing.
# 2. It breaks the symmetry. But then the same input gives different results at each call, a slot's number means something else each time, and the model has to learn to do without it. A fixed, different row for each slot, or rows that hold what is stored, as here, breaks the symmetry without randomness.
# 3. What was computed at question 0 must still be there at question 599. To keep one half for 600 steps, the bias would have to be 6.76; with a bias of 1, half is gone after 2.2 steps. The gate's sum has a learned part as well, so training can change this. And each question is also a chance to write the answer again.
#
# </details>
#
# ### References
#
# - Adam Santoro, Ryan Faulkner, David Raposo, Jack Rae, Mike Chrzanowski, Théophane Weber, Daan Wierstra, Oriol Vinyals, Razvan Pascanu, Timothy Lillicrap: *Relational Recurrent Neural Networks*, 2018. The memory of this lesson, and a harder form of its task. The code that was published with it is in DeepMind's Sonnet, version 1.
# - Sepp Hochreiter, Jürgen Schmidhuber: *Long Short-Term Memory*, 1997. Gates that write and keep.
# - Felix A. Gers, Jürgen Schmidhuber, Fred Cummins: *Learning to Forget: Continual Prediction with LSTM*, 2000. The forget gate.
# - Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton: *Layer Normalization*, 2016. The norm of 6.3.
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Attention with several heads.
