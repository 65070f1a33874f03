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
# *Attention, Graded · lesson 03 · NumPy · about 100 minutes · 26 points*
#
# One head on one sentence is easy to get right. Real attention gets a **batch** of sequences with different lengths, **masks** that say who may look at whom, and **many heads** that share one array. This is where most real bugs live: the shapes fit, the code runs, and the numbers are wrong.
#
# You build all of it in NumPy. At the end you change roles twice: you repair a function with six slips, and you write the test that tells right implementations from wrong ones.

# %% [markdown]
# ## How to work through this notebook
#
# Each exercise has an explanation, a cell where you write code, and one or more test cells that you run. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test tells you what it thinks went wrong, behind the word `AssertionError` at the end of the message. Read that first. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words.
#
# The tests here use tiny numbers that you can check by hand. When your notebook is graded, larger random inputs are tried as well. If an exercise won't come, leave it and go on: every test makes its own masks and arrays. Only 3.6 is easier with your answers to 3.3 and 3.4. Cells that draw or print call your functions, so they fail until your functions work.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **The batch comes first, a row is a token** | arrays are `(batch, seq, d)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, i, j]`: sequence `b`, **query `i`**, **key `j`**; with heads `scores[b, h, i, j]` |
# | **Each row of the weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **A mask is added to the scores** | it holds only 0 (keep) and −∞ (block), and has shape `(seq_q, seq_k)`, the same for the whole batch, or `(batch, seq_q, seq_k)` |
# | **Shapes of the weights** | `W_q`, `W_k`, `W_v`, `W_o` are all `(d_model, d_model)` and multiply from the right: `Q @ W_q` |
# | **Heads** | `d_model = num_heads · depth`; head `h` owns the numbers `h·depth … (h+1)·depth − 1` of every token |
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
# The next cells hold what the tests use. You don't need to read them to do the exercises. The first compares numbers: it takes what you computed, what is right, and the first few numbers that well-known mistakes would give, so that it can tell you which mistake it was.

# %% nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_numbers(got, expected, mistakes=None, where="on the small example", tolerance=1e-3, sizes=""):
    """Stop with a helpful sentence unless `got` equals `expected`. All numbers stand below its first line.

    mistakes: a dict, advice -> the first few numbers that this mistake would give. sizes: of the example.
    """
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, what came back is no array of numbers\n{problem}") from None
    for advice, numbers in (mistakes or {}).items():
        known = np.ravel(numbers)
        start = got.ravel()[:known.size]
        assert start.size < known.size or not np.allclose(start, known, atol=tolerance), advice
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, the shape is not right\n{sizes}expected {shape}, but got {got.shape}")
    with np.errstate(under="ignore"):
        near = np.allclose(got, expected, rtol=tolerance, atol=tolerance)
    assert near, (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% nbgrader={"grade": false, "grade_id": "pair", "locked": true, "schema_version": 3, "solution": false, "task": false}
def pair(result):
    """The pair (output, weights), or a helpful sentence."""
    assert result is not None, "you gave back None: does your function end with a return?"
    assert isinstance(result, (tuple, list)) and len(result) == 2, "give back two things: (output, weights)"
    return result


# %% nbgrader={"grade": false, "grade_id": "error-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def error_of(function, *arguments):
    """What the call raises, by name: "ValueError" for any kind of ValueError, or "no error"."""
    try:
        function(*arguments)
    except Exception as error:
        return "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return "no error"


# %% nbgrader={"grade": false, "grade_id": "slow-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def shares_of(scores):
    """Softmax of one list, entry by entry."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return [power / math.fsum(powers) for power in powers]


# %% nbgrader={"grade": false, "grade_id": "random-arrays", "locked": true, "schema_version": 3, "solution": false, "task": false}
def random_arrays(rng, batch, seq_q, seq_k, d_k, d_v):
    """Queries, keys and values."""
    return [rng.normal(size=(batch, *size)) for size in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)]]


# %% nbgrader={"grade": false, "grade_id": "random-mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
# The next cell draws weights for you. A blocked cell is hatched if its weight is exactly 0 (or, in a mask or in scores, −∞). If it holds anything else, it shows a red number: then look at your mask. A 0.00 without hatching is a small number.

# %% nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def draw_weights(ax, weights, blocked, queries, keys, title, low=0, high=1):
    """One table, rows are queries. Blocked cells: hatched if really empty, else a red number."""
    ax.imshow(weights, vmin=low, vmax=high, cmap="cividis")
    for i in range(len(queries)):
        for j in range(len(keys)):
            shut, empty = blocked[i][j], weights[i][j] in (0, -math.inf)
            colour = "red" if shut else "white" if weights[i][j] < (low + high) / 2 else "black"
            if shut:
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0,
                                           edgecolor="gray", hatch="////" if empty else None))
            if len(keys) <= 8 and not (shut and empty):
                ax.text(j, i, f"{weights[i][j]:.2f}", ha="center", va="center", fontsize=7, color=colour)
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
# For three tokens, draw the 3×3 table with queries down and keys across. What may the first query see? Is the diagonal blocked?
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
I = -math.inf
with np.errstate(all="ignore"):
    mask = create_causal_mask(3)
    assert mask is not None, "you gave back None: does your function end with a return?"
    mask = np.asarray(mask, dtype=float)
assert not np.isnan(mask).any(), "NaN: 0 times infinity is not a number. Choose, don't multiply"
assert not (np.isfinite(mask) & (mask < -999)).any(), "a large negative number is not −∞"
check_numbers(mask, [[0, I, I], [0, 0, I], [0, 0, 0]], {
    "the diagonal is blocked too: a query may look at itself": [I, I, I, 0, I, I, 0, 0, I],
    "transposed: this blocks the past. The query is the row, the key the column":
        [0, 0, 0, I, 0, 0, I, I, 0],
    "inverted: what should be kept is blocked": [I, 0, 0, I, I, 0, I, I, I],
    "the sign is wrong: +∞ would take all the weight": [0, -I, -I, 0, 0, -I],
    "1 means keep here. This mask is added: 0 keeps, −∞ blocks": [1, 0, 0, 1, 1, 0],
    "1 means block here. This mask is added: 0 keeps, −∞ blocks": [0, 1, 1, 0, 0, 1],
    "kept scores must get 0, not 1: the mask is added": [1, I, I, 1, 1, I],
    "the next token is still kept: block begins right above the diagonal": [0, 0, I, 0, 0, 0],
    "nothing is blocked": [0, 0, 0, 0, 0, 0, 0, 0, 0]})
check_numbers(create_causal_mask(1), [[0]], where="with a single token")
### BEGIN HIDDEN TESTS
for seq_len in range(1, 8):
    expected = [[0 if j <= i else -math.inf for j in range(seq_len)] for i in range(seq_len)]
    mask = create_causal_mask(seq_len)
    check_numbers(mask, expected, None, "with another number of tokens", 0, f"with {seq_len} tokens, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
print(create_causal_mask(4))


# %% [markdown]
# Read it row by row. The first query has one key left, itself; the last query has all of them. No row is blocked completely. That matters: a softmax over nothing does not exist.

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
# Two sequences with lengths 2 and 4, in a box of 4 tokens. Draw both 4×4 tables. How many columns of the first are blocked? How many rows?
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

    lengths: the number of real tokens in each sequence, from 1 to seq_len; a list or an array.
    Returns (batch, seq_len, seq_len): -inf in the columns of keys at or past each length, else 0.
    """
    ### BEGIN SOLUTION
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
    return mask
    ### END SOLUTION


# %% [markdown]
# Two sequences with lengths 2 and 1, in a box of 3 tokens. The next cell holds what mistakes would give.

# %% nbgrader={"grade": false, "grade_id": "padding-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
I = -math.inf
padding_mistakes = {
    "padding runs along the queries: block the columns of padded keys, not rows":
        [0, 0, 0, 0, 0, 0, I, I, I, 0],
    "rows and columns are both blocked: a padded query still looks at the real keys":
        [0, 0, I, 0, 0, I, I, I, I, 0],
    "nothing is blocked": [0] * 18,
    "one more key should be blocked: the first padded key stands at position `length`":
        [0] * 9 + [0, 0, I],
    "only the first sequence is masked": [0, 0, I] * 3 + [0, 0, 0],
    "only one column is blocked: block all from position `length` on": [0, 0, I] * 3 + [0, I, 0],
    "counted from the end: block from position `length` on": [0, I, I] * 3 + [0, 0, I],
    "one key too many is blocked: the last real key stands at position `length` − 1":
        [0, I, I, 0, I, I],
    "inverted: the real keys are blocked": [I, I, 0, I, I, 0],
    "the sign is wrong: +∞ would take all the weight": [0, 0, -I, 0, 0, -I],
    "1 means block here. This mask is added: 0 keeps, −∞ blocks": [0, 0, 1, 0, 0, 1],
    "1 means keep here. This mask is added: 0 keeps, −∞ blocks": [1, 1, 0, 1, 1, 0],
    "every sequence got a row of each: all rows of a sequence must be alike": [0, 0, I, 0, I, I],
    "only the corner is blocked: a padded key is blocked for every query": [0, 0, 0, 0, 0, 0, 0, 0, I, 0],
    "the future is blocked too: this is the padding mask alone": [0, I, I, 0, 0, I]}

# %% nbgrader={"grade": true, "grade_id": "padding-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I = -math.inf
with np.errstate(all="ignore"):
    mask = create_padding_mask([2, 1], 3)
    assert mask is not None, "you gave back None: does your function end with a return?"
    mask = np.asarray(mask, dtype=float)
assert not np.isnan(mask).any(), "NaN: 0 times infinity is not a number. Choose, don't multiply"
assert not (np.isfinite(mask) & (mask < -999)).any(), "a large negative number is not −∞"
assert mask.shape not in [(2, 3), (2, 1, 3)], "the mask needs a row for every query"
check_numbers(mask, [[[0, 0, I], [0, 0, I], [0, 0, I]], [[0, I, I], [0, I, I], [0, I, I]]], padding_mistakes)
check_numbers(create_padding_mask(np.array([2, 1]), 3), [[[0, 0, I]] * 3, [[0, I, I]] * 3],
              where="with lengths given as an array")
### BEGIN HIDDEN TESTS
for given, seq_len in [([3, 1, 5, 4], 6), ([2, 2], 3), ([1], 1), ([4, 7, 1], 7)]:
    expected = np.zeros((len(given), seq_len, seq_len))
    for b, i, j in np.ndindex(*expected.shape):
        expected[b, i, j] = -math.inf if j >= given[b] else 0
    where, sizes = "with other lengths", f"with lengths {given} and {seq_len} tokens, "
    array = np.array(given)
    check_numbers(create_padding_mask(list(given), seq_len), expected, None, where, 0, sizes)
    check_numbers(create_padding_mask(array, seq_len), expected, None, where + " as an array", 0, sizes)
    assert array.tolist() == given, "create_padding_mask changed the lengths"
### END HIDDEN TESTS

# %% [markdown]
# Masks can be added to each other: $-\infty + 0$ and $-\infty + (-\infty)$ are both $-\infty$. So a key is blocked if **either** mask blocks it, and 0 if both keep it. A mask of shape `(seq, seq)` is used for every sequence of the batch.

# %% tags=["demonstration"]
both = create_causal_mask(5) + create_padding_mask(lengths, 5)
print("causal", create_causal_mask(5).shape, "+ padding", create_padding_mask(lengths, 5).shape)
print("both  ", both.shape, "- blocked for each sequence:", np.isinf(both).sum(axis=(1, 2)))


# %% [markdown]
# Check the counts by hand. With 5 tokens, 10 of the 25 cells are future. With length 3, the columns 3 and 4 are blocked in all 5 rows; 7 of these 10 cells were future already, so it is 10 + 10 − 7 = 13. With length 2 it is 10 + 15 − 9 = 16. With length 5 nothing is added.

# %% [markdown]
# ## 3.3 Masked attention for a batch
#
# **5 points · about 22 minutes · difficulty ●●●**
#
# Now the formula, for all sequences of a batch at once, with a mask $M$:
#
# $$\mathrm{weights}_b = \mathrm{softmax}\!\left(\frac{Q_b K_b^\top}{\sqrt{d_k}} + M_b\right), \qquad \mathrm{output}_b = \mathrm{weights}_b\, V_b$$
#
# | operation | expression | shape |
# |---|---|---|
# | scores | $Q_b K_b^\top / \sqrt{d_k}$ | `(batch, seq_q, seq_k)` |
# | masked scores | scores + mask | `(batch, seq_q, seq_k)` |
# | weights | softmax over the keys | `(batch, seq_q, seq_k)` |
# | output | $\mathrm{weights}_b V_b$ | `(batch, seq_q, d_v)` |
#
# Softmax must be stable: subtract each row's own largest score before `exp`. And the function must refuse what it can't do. A wrong shape often fits by broadcasting, and then nothing stops. Raise a `ValueError` if
#
# - `Q`, `K` or `V` does not have exactly three axes,
# - the queries and keys have different `d_k`, or `K` and `V` have different numbers of rows,
# - the mask has another shape than `(seq_q, seq_k)` or `(batch, seq_q, seq_k)`,
# - some query has **every** key blocked. Its softmax would be 0/0. Better an error here than NaN in the next layer.
#
# What happens with different batch sizes, or with a mask that NumPy would stretch to the right shape, is left to you.
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
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k), holding 0 (keep) and -inf (block).
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
# **Test 1 of 3: without a mask (2 points).** Two sequences, two queries, three keys.

# %% nbgrader={"grade": false, "grade_id": "tiny-batch", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_Q = np.array([[[2.0, 0, 0, 0], [0, 2, 0, 1]], [[0, 0, 2, 0], [1, 0, 0, 1]]])
tiny_K = np.array([[[1.0, 0, 1, 1], [0, 1, 0, 2], [2, 1, 1, 0]],
                   [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 3, 1]]])
tiny_V = np.array([[[1.0], [2], [4]], [[0], [3], [-1]]])
tiny_weights = [[[0.2447, 0.09, 0.6652], [0.1402, 0.6285, 0.2312]],
                [[0.1142, 0.042, 0.8438], [0.1863, 0.5065, 0.3072]]]
loud_Q, loud_K = np.array([[[1e4], [-1e4]]]), np.array([[[1.0], [1], [0]]])

# %% nbgrader={"grade": false, "grade_id": "weights-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
weights_mistakes = {
    "the scores are not divided by √d_k": [0.1173, 0.0159, 0.8668, 0.042, 0.8438, 0.1142],
    "the scores are divided by d_k, not by its root": [0.3072, 0.1863, 0.5065, 0.2272, 0.481, 0.2918],
    "the scores are multiplied by √d_k: divide": [0.018, 0.0003, 0.9817, 0.0024, 0.9796, 0.0179],
    "the root is of seq_k: what counts is how many numbers a query has, d_k":
        [0.2228, 0.0702, 0.707, 0.1186, 0.6702, 0.2112],
    "the root is of seq_q or batch: what counts is how many numbers a query has, d_k":
        [0.1867, 0.0454, 0.7679, 0.0879, 0.7337, 0.1784],
    "softmax runs over the queries: each column sums to 1, not each row":
        [0.6225, 0.1192, 0.7311, 0.3775, 0.8808, 0.2689],
    "softmax runs over the batch: it must run over the keys": [0.5, 0.5, 0.2689, 0.6225, 0.7311, 0.6225],
    "the maximum is taken over the queries: subtract the largest score of each row":
        [0.4683, 0.0634, 0.4683, 0.3072, 0.5065, 0.1863],
    "the maximum is taken over the batch: subtract the largest score of each row":
        [0.4223, 0.4223, 0.1554, 0.3333, 0.3333, 0.3333],
    "the whole box sums to 1, not each row": [0.0522, 0.0192, 0.142, 0.0317, 0.142, 0.0522],
    "the rows don't sum to 1: divide by the sum of the exponentials": [0.3679, 0.1353, 1, 0.2231, 1, 0.3679],
    "these are scores: the softmax is missing": [1, 0, 2, 0.5, 2, 1],
    "all sequences use the keys of the first one":
        [0.2447, 0.09, 0.6652, 0.1402, 0.6285, 0.2312, 0.4223, 0.1554, 0.4223]}

# %% nbgrader={"grade": true, "grade_id": "masked-attention-values-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
with np.errstate(all="ignore"):
    output, weights = pair(scaled_dot_product_attention(1 * tiny_Q, 1 * tiny_K, 1 * tiny_V))
    _, huge = scaled_dot_product_attention(1 * loud_Q, 1 * loud_K, 1 * tiny_V[:1])
check_numbers(weights, tiny_weights, weights_mistakes, where="in the weights")
check_numbers(output, [[[3.0858], [2.3222]], [[-0.7178], [1.2122]]], {
    "all sequences use the values of the first one": [[[3.0858], [2.3222]], [[3.5734], [2.4281]]],
    "the values are added up without the weights": [7, 7, 2, 2]}, where="in the output")
assert not np.isnan(huge).any(), "large scores give NaN: subtract each row's own maximum before exp"
check_numbers(huge, [[[0.5, 0.5, 0], [0, 0, 1]]], where="with scores of ±10000")
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
        check_numbers(weights, slow, None, "in the weights " + where, tolerance, sizes)
        check_numbers(output, mixed, None, "in the output " + where, tolerance, sizes)
        same = [np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)]
        assert all(same), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: with a mask (2 points).** All scores are equal, except in the last check. So each query shares its weight evenly between the keys that are left.

# %% nbgrader={"grade": true, "grade_id": "masked-attention-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I, even = -math.inf, np.ones((2, 2, 1))
three, values = np.ones((2, 3, 1)), np.array([[[6.0], [12], [0]], [[3], [6], [9]]])
flat, boxed = np.array([[0, I, I], [0, 0, I]]), np.array([[[0, 0, I], [0, 0, I]], [[I, 0, 0], [0, 0, 0]]])
with np.errstate(all="ignore"):
    flat_weights = np.asarray(pair(scaled_dot_product_attention(even, three, values, flat))[1], dtype=float)
    box_output, box_weights = pair(scaled_dot_product_attention(1 * even, 1 * three, 1 * values, 1 * boxed))
assert not np.isnan(flat_weights).any(), (
    "NaN with a mask: is it added (not subtracted), and is the maximum that of each row, over the keys?")
check_numbers(flat_weights, [[[1, 0, 0], [0.5, 0.5, 0]]] * 2, {
    "the mask changes nothing": [1 / 3] * 6,
    "0 means keep and −∞ means block: here the kept keys get no share": [0, 0.5, 0.5, 0, 0, 1],
    "a blocked score is 0, and e⁰ is 1: it must be −∞ before softmax": [0.5761, 0.2119, 0.2119],
    "the mask is used after softmax: the rows no longer sum to 1": [1 / 3, 0, 0, 1 / 3, 1 / 3, 0],
    "the flat mask hits only the first sequence": [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3]})
check_numbers(box_weights, [[[0.5, 0.5, 0], [0.5, 0.5, 0]], [[0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]]], {
    "every sequence gets the mask of the first one": [0.5, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0],
    "a key blocked in any sequence is blocked in all": [0, 1, 0, 0.5, 0.5, 0]},
    where="with a mask for each sequence")
check_numbers(box_output, [[[9], [9]], [[7.5], [6]]], where="in the output, with a mask for each sequence")
with np.errstate(all="ignore"):
    _, loud = scaled_dot_product_attention(1e4 * even[:1], np.eye(3)[None, :, :1], values[:1], boxed[1])
check_numbers(loud, [[[0, 0.5, 0.5], [1, 0, 0]]], {
    "kept keys lost their scores: add the mask, don't multiply": [0, 0.5, 0.5, 1/3, 1/3, 1/3]},
    where="with a score of 10000 that one query must not see")
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
        check_numbers(weights, slow, None, "in the weights of larger arrays, with a mask", 1e-6, sizes)
        check_numbers(output, mixed, None, "in the output of larger arrays, with a mask", 1e-6, sizes)
        assert all(map(np.array_equal, given, (*arrays, mask))), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: what can't be done (1 point).**

# %% nbgrader={"grade": true, "grade_id": "masked-attention-errors-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
box = lambda *shape: np.ones(shape)
blocked_row = np.array([[0, 0, 0, 0], [-math.inf] * 4, [0, 0, 0, 0]])
cases = {
    "arrays with two axes": (box(3, 5), box(4, 5), box(4, 6)),
    "arrays with four axes": (box(2, 2, 3, 5), box(2, 2, 4, 5), box(2, 2, 4, 6)),
    "queries of length 5 and keys of length 1": (box(2, 3, 5), box(2, 4, 1), box(2, 4, 6)),
    "4 keys and 3 values": (box(2, 3, 5), box(2, 4, 5), box(2, 3, 6)),
    "4 keys and 1 value": (box(2, 3, 5), box(2, 4, 5), box(2, 1, 6)),
    "a mask (4, 3) for scores (2, 3, 4)": (box(2, 3, 5), box(2, 4, 5), box(2, 4, 6), 0 * box(4, 3)),
    "a mask (2, 2, 3, 4) for scores (2, 3, 4)":
        (box(2, 3, 5), box(2, 4, 5), box(2, 4, 6), 0 * box(2, 2, 3, 4)),
    "a mask (2, 4, 3) for scores (2, 3, 4)": (box(2, 3, 5), box(2, 4, 5), box(2, 4, 6), 0 * box(2, 4, 3)),
    "a query with every key blocked": (box(2, 3, 5), box(2, 4, 5), box(2, 4, 6), blocked_row),
}
with np.errstate(all="ignore"):
    scaled_dot_product_attention(box(2, 3, 5), box(2, 4, 5), box(2, 4, 6), 0 * box(3, 4))  # is fine
    for what, arguments in cases.items():
        came = error_of(scaled_dot_product_attention, *arguments)
        assert came == "ValueError", f"{what}: a ValueError should be raised, but there was {came}"
### BEGIN HIDDEN TESTS
    Q, K, V = box(2, 3, 5), box(2, 4, 5), box(2, 4, 6)
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
# Look at the scores, the mask and the weights side by side, for *the cat sat* and its two `[pad]`, with both masks. The words have random numbers here, so the weights mean nothing yet. Only the hatching does.

# %% tags=["demonstration"]
mask = np.triu(np.full((5, 5), -np.inf), 1) + np.where(np.arange(5) >= 3, -np.inf, 0)
scores = X[0] @ X[0].T / np.sqrt(8)
_, weights = scaled_dot_product_attention(X[:1], X[:1], X[:1], mask)
figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
draw_weights(axes[0], scores, np.zeros((5, 5)), sentences[0], sentences[0], "scores", low=-6, high=6)
draw_weights(axes[1], mask, np.isinf(mask), sentences[0], sentences[0], "mask")
draw_weights(axes[2], np.asarray(weights)[0], np.isinf(mask), sentences[0], sentences[0], "weights")
plt.show()

# %% [markdown]
# **A check without a reference.** What happens at a blocked key must not matter. Predict: if the values of the padded tokens become 1000, by how much do the outputs of the real tokens change, with and without the mask?

# %% tags=["demonstration"]
spoilt = X.copy()
spoilt[0, 3:] = 1000
padding = np.where(np.arange(5) >= 3, -np.inf, 0) * np.ones((5, 1))
for name, mask in [("with mask   ", padding), ("without mask", None)]:
    outputs = [scaled_dot_product_attention(X[:1], X[:1], v[:1], mask)[0] for v in (X, spoilt)]
    clean, dirty = (np.asarray(output)[0, :3] for output in outputs)
    print(name, "largest change:", round(float(np.abs(clean - dirty).max()), 1))


# %% [markdown]
# ## 3.4 Splitting into heads, and back
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# Many heads don't need many arrays. Each head gets a **contiguous slice** of a token's numbers: with `d_model` 8 and 2 heads, head 0 owns the numbers 0–3 and head 1 owns 4–7. The length of a slice is called `depth`. The heads then become an axis of their own, *before* the tokens, so that every head of every sequence is a table by itself.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `(batch, seq, d_model)` |
# | cut each token's numbers | `d_model` → `(heads, depth)` | `(batch, seq, heads, depth)` |
# | heads before tokens | swap axes 1 and 2 | `(batch, heads, seq, depth)` |
#
# There is a trap here. A bare `reshape` to the last shape works without an error. But it reads the numbers in their order, token after token, and gives head 0 the first half of the *sequence* instead of the first half of each token. `combine_heads` goes the way back, and has the same trap. `split_heads` raises a `ValueError` if `num_heads` does not divide `d_model`.
#
# <details><summary>Hint 1: a question</summary>
#
# One sequence, three tokens, four numbers each, two heads. Write the twelve numbers as a 3×4 table. Which rectangle of it is head 0? Are its numbers neighbours when you read the table line by line?
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


# %% nbgrader={"grade": true, "grade_id": "split-heads-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
table = np.array([[[0.0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]])
cut = split_heads(table, 2)
shape = np.shape(cut)
assert shape != (1, 3, 2, 2), "the heads come after the tokens: swap axes 1 and 2 after cutting"
check_numbers(cut, [[[[0, 1], [10, 11], [20, 21]], [[2, 3], [12, 13], [22, 23]]]], {
    "right shape, wrong numbers: a bare reshape gives slices of tokens to the wrong head. "
    "Cut the last axis, then swap two axes": [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23],
    "the heads are interleaved: head 0 takes every second number, not the first half":
        [0, 2, 10, 12, 20, 22],
    "the heads are in reverse order": [2, 3, 12, 13, 22, 23],
    "every head got the slice of head 0": [0, 1, 10, 11, 20, 21, 0, 1, 10, 11, 20, 21]})
for size, heads in [(12, 5), (4, 3)]:
    came = error_of(split_heads, np.zeros((1, 2, size)), heads)
    assert came == "ValueError", (
        f"{size} numbers into {heads} heads: a ValueError should be raised, but there was {came}")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(305)
for batch, seq, heads, depth in [(2, 5, 3, 4), (3, 7, 2, 5), (5, 4, 1, 6), (2, 3, 6, 1)]:
    x = rng.normal(size=(batch, seq, heads * depth))
    given, expected = x.copy(), np.zeros((batch, heads, seq, depth))
    for b, h, t, n in np.ndindex(*expected.shape):
        expected[b, h, t, n] = x[b, t, h * depth + n]
    sizes = f"with {heads} heads of depth {depth}, "
    check_numbers(split_heads(given, heads), expected, None, "on a larger random array", 1e-6, sizes)
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
cut = np.array([[[[0.0, 1], [10, 11], [20, 21]], [[2, 3], [12, 13], [22, 23]]]])
check_numbers(combine_heads(cut), [[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]], {
    "right shape, wrong numbers: swap heads and tokens back before you join the last two axes":
        [0, 1, 10, 11, 20, 21],
    "the heads are interleaved: a head's numbers must stay side by side": [0, 2, 1, 3],
    "the heads are in the wrong order: head 0 comes first": [2, 3, 0, 1],
    "head 0 stands in every place": [0, 1, 0, 1]})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(306)
for batch, heads, seq, depth in [(2, 3, 5, 4), (3, 2, 7, 5), (5, 1, 4, 6), (2, 6, 3, 1)]:
    x = rng.normal(size=(batch, heads, seq, depth))
    given, expected = x.copy(), np.zeros((batch, seq, heads * depth))
    for b, h, t, n in np.ndindex(*x.shape):
        expected[b, t, h * depth + n] = x[b, h, t, n]
    sizes = f"with {heads} heads of depth {depth}, "
    check_numbers(combine_heads(given), expected, None, "on a larger random array", 1e-6, sizes)
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
# ## 3.5 Weights to start from
#
# **2 points · about 5 minutes · difficulty ●○○**
#
# A layer starts from random weights. Too large, and the numbers grow from layer to layer; too small, and they die out. Glorot and Bengio (2010) chose the spread that keeps the size of the numbers about the same, forwards and backwards:
#
# $$\mathrm{std} = \sqrt{\frac{2}{\mathrm{fan\_in} + \mathrm{fan\_out}}}$$
#
# Here `fan_in` and `fan_out` are both `d_model`, so std is $\sqrt{1/d_\mathrm{model}}$. With 64 numbers per token, this is 0.125.
#
# | operation | expression | shape |
# |---|---|---|
# | four draws from `rng`, each of its own | normal, mean 0, std $\sqrt{1/d_\mathrm{model}}$ | `(d_model, d_model)` each |
# | the result | a dict with keys `W_q`, `W_k`, `W_v`, `W_o` | |
#
# Draw from the `rng` that you are given and from nothing else. Then whoever calls you with the same seed gets the same weights, whatever the rest of the program draws.
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
    """Random weights with Xavier's scale, drawn from rng only.

    rng: a generator from np.random.default_rng.
    Returns a dict with W_q, W_k, W_v, W_o, each (d_model, d_model): independent, normal,
    mean 0, standard deviation sqrt(1 / d_model).
    """
    ### BEGIN SOLUTION
    std = np.sqrt(2 / (d_model + d_model))
    return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
    ### END SOLUTION


# %% [markdown]
# The test measures the spread of 4 · 64² numbers. By chance alone, it would be off by more than 3 % less than once in a million draws.

# %% nbgrader={"grade": true, "grade_id": "init-params-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
four = ["W_q", "W_k", "W_v", "W_o"]
params = init_attention_params(64, np.random.default_rng(35))
assert params is not None, "you gave back None: does your function end with a return?"
assert hasattr(params, "keys"), "give back a dict with the keys W_q, W_k, W_v and W_o"
params = {name: np.asarray(params[name], dtype=float) for name in params}
assert sorted(params) == sorted(four), f"the keys are {sorted(params)} and should be {four}"
for name in four:
    assert params[name].shape == (64, 64), f"{name} has shape {params[name].shape}, not (64, 64)"
for first, second in [four[i:j + 1:j - i] for i in range(4) for j in range(i + 1, 4)]:
    alike = abs(np.corrcoef(params[first].ravel(), params[second].ravel())[0, 1])
    assert alike < 0.1, f"{first} and {second} are the same draw: each needs its own"
everything = np.concatenate([params[name].ravel() for name in four])
for advice, std in {
        "std is 1/d_model: the root is missing": 1 / 64, "std is 1: scale the numbers": 1,
        "std is √(2/d_model): fan_in and fan_out are both in the sum, so 2 cancels": math.sqrt(2 / 64),
        "std is √(1/(2·d_model)): the 2 above the line is missing": math.sqrt(1 / 128),
        "std is √d_model: divide": 8, "std is 1/√√d_model: one root too many": 64**-0.25}.items():
    assert abs(everything.std() / std - 1) > 0.05, advice
assert abs(everything.std() / 0.125 - 1) < 0.03, f"std is {everything.std():.4f} and should be 0.125"
assert abs(everything.mean()) < 0.006, f"the mean is {everything.mean():.4f} and should be near 0"
assert np.abs(everything).max() > 0.3, "nothing is beyond 2.4 std: draw normal numbers, not uniform ones"
again = init_attention_params(64, np.random.default_rng(35))
assert all(np.array_equal(again[name], params[name]) for name in four), (
    "the same seed gave other numbers: draw from rng only, not from NumPy's global generator")
other = init_attention_params(64, np.random.default_rng(36))
assert not np.allclose(other["W_q"], params["W_q"]), "another rng gave the same numbers: draw from rng"
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
# Predict before you run: a token of 64 numbers with spread 1 goes through `W_q` twenty times. Which spread comes out, for a std of 1/d, of √(1/d), and of √(2/d)?

# %% tags=["demonstration"]
rng = np.random.default_rng(6)
for name, std in [("1/d     ", 1 / 64), ("√(1/d)  ", 64**-0.5), ("√(2/d)  ", (2 / 64)**0.5)]:
    token = rng.normal(size=(100, 64))
    for _ in range(20):
        token = token @ rng.normal(0, std, size=(64, 64))
    print(f"std {name} spread after 20 layers: {token.std():.2g}")


# %% [markdown]
# One product multiplies the variance by $d \cdot \mathrm{std}^2$. For √(1/d) that is 1 on average, so the spread stays near 1, moved by chance (here 1.5; other seeds gave 0.7 to 1.6). For 1/d it is 1/64, so after 20 layers the spread is $8^{-20} \approx 10^{-18}$. For √(2/d) it is 2, and the spread grows by about $2^{10} = 1024$.

# %% [markdown]
# ## 3.6 Many heads
#
# **6 points · about 18 minutes · difficulty ●●●**
#
# Now put it together. Project queries, keys and values, cut each into heads, let every head attend by itself, put the heads side by side again, and mix them with `W_o`:
#
# $$\mathrm{head}_h = \mathrm{attention}\big((Q W_q)_h,\ (K W_k)_h,\ (V W_v)_h\big), \qquad \mathrm{output} = [\mathrm{head}_0 \dots \mathrm{head}_{H-1}]\, W_o$$
#
# | operation | expression | shape |
# |---|---|---|
# | projections | `Q @ W_q` and so on | `(batch, seq_q, d_model)`, `(batch, seq_k, d_model)` |
# | heads | contiguous slices, as in 3.4 | `(batch, heads, seq, depth)` |
# | scores | divided by √depth, plus the mask | `(batch, heads, seq_q, seq_k)` |
# | weights | softmax over the keys | `(batch, heads, seq_q, seq_k)` |
# | heads side by side | as in 3.4 | `(batch, seq_q, d_model)` |
# | output | times `W_o` | `(batch, seq_q, d_model)` |
#
# In **self-attention** `Q`, `K` and `V` are the same array. In **cross-attention** keys and values come from another sequence, of another length. The mask has the shapes of 3.3 and holds for every head.
#
# As in 3.3, large scores must not overflow. Raise a `ValueError` if `num_heads` does not divide `d_model`, and where a query has every key blocked. The other errors of 3.3 are not asked for here.
#
# <details><summary>Hint 1: a question</summary>
#
# A mask of shape `(batch, seq_q, seq_k)` must be added to scores of shape `(batch, heads, seq_q, seq_k)`. NumPy lines shapes up from the right. Where does the batch of the mask end up, and what must stand between?
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
# <details><summary>I get “operands could not be broadcast together with shapes (2,2,3,5) (2,3,5)”, or no error and wrong numbers</summary>
#
# The mask of each sequence needs an axis of length 1 for the heads. If batch and heads happen to be equal, or with a single head, no error comes: head 1 gets the mask of sequence 1, or a new axis appears.
# </details>

# %% builds_on=["masked-attention", "split-heads", "combine-heads"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    """Attention with many heads, for a batch.

    Q: (batch, seq_q, d_model), K and V: (batch, seq_k, d_model), each W: (d_model, d_model).
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k), holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_model) and (batch, num_heads, seq_q, seq_k).
    Raises ValueError if num_heads does not divide d_model, and where a query has every key blocked.
    """
    ### BEGIN SOLUTION
    q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
    heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
    outputs, weights = zip(*heads)
    return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 4: the weights of self-attention (2 points).** One sentence of three tokens, two heads. The four matrices only pick, move, halve and stretch numbers, so you can follow them on paper.

# %% nbgrader={"grade": false, "grade_id": "multi-head-example", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_x = np.array([[[1.0, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1]]])
turn_q = np.array([[0, 1.0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0.5]])
turn_k = np.array([[0, 1.0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 2, 0]])
turn_v = np.array([[0, 0, 0, 1.0], [0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]])
turn_o = np.array([[1.0, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 1], [0, -1, 0, 0]])

# %% nbgrader={"grade": true, "grade_id": "multi-head-weights-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
given = [1 * tiny_x] * 3, [turn_q.copy(), turn_k.copy(), turn_v.copy(), turn_o.copy()]
_, weights = pair(multi_head_attention(*given[0], 2, *given[1]))
right = [[[[0.0879, 0.1784, 0.7337], [0.1978, 0.4011, 0.4011], [0.1867, 0.0454, 0.7679]],
          [[0.4555, 0.3199, 0.2246], [0.1433, 0.8395, 0.0172], [0.0748, 0.8884, 0.0369]]]]
check_numbers(weights, right, {
    "the scale is √d_model: a query of one head has length depth":
        [0.1402, 0.2312, 0.6285, 0.2327, 0.3837, 0.3837],
    "the scores are not divided by √depth": [0.042, 0.1142, 0.8438, 0.1554, 0.4223, 0.4223],
    "a bare reshape gives slices of tokens to the wrong head":
        [0.0268, 0.9189, 0.0543, 0.3199, 0.4555, 0.2246],
    "the heads are interleaved: head 0 takes the first half":
        [0.1084, 0.4458, 0.4458, 0.0268, 0.9189, 0.0543],
    "every head has the weights of head 0":
        [0.0879, 0.1784, 0.7337, 0.1978, 0.4011, 0.4011, 0.1867, 0.0454, 0.7679, 0.0879, 0.1784, 0.7337],
    "queries and keys have changed places": [0.284, 0.14, 0.576, 0.576, 0.284, 0.14],
    "softmax runs over the queries: it must run over the keys": [0.284, 0.576, 0.4717, 0.14, 0.284, 0.0565],
    "softmax runs over the heads: it must run over the keys": [0.5, 0.7428, 0.9442, 0.0283, 0.01, 0.3302],
    "the projections are missing: the scores compare x itself": [0.284, 0.14, 0.576, 0.1978, 0.4011, 0.4011],
    "the matrices are transposed: x @ W":
        [0.1867, 0.0454, 0.7679, 0.1636, 0.1636, 0.6728]}, where="in the weights")
with np.errstate(all="ignore"):
    _, huge = multi_head_attention(1e3 * tiny_x, 1 * tiny_x, 1 * tiny_x, 2, *given[1])
assert not np.isnan(huge).any(), "large scores give NaN: subtract each row's own maximum before exp"
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
        check_numbers(got, slow, None, "in the weights of larger random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 4: the output of self-attention (1 point).** The same example. If Test 1 fails, start there.

# %% nbgrader={"grade": true, "grade_id": "multi-head-output-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
given = [matrix.copy() for matrix in (turn_q, turn_k, turn_v, turn_o)]
output, _ = pair(multi_head_attention(1 * tiny_x, 1 * tiny_x, 1 * tiny_x, 2, *given))
right = [[[0.3543, -0.9047, 5.4723, 1.6397],
          [0.7967, -0.1777, 4.8133, 2.679],
          [0.4188, -0.1485, 4.8798, 2.7767]]]
check_numbers(output, right, {
    "the last product, with W_o, is missing": [0.3543, 1.8241, 1.6397, 0.9047],
    "W_o is transposed": [0.3543, 4.9192, 0.9047, -1.8241],
    "the values are not projected: V @ W_v": [1.5553, -1.6397, 2.7362, 1.2309],
    "combining without swapping heads and tokens back":
        [0.3543, -1.6044, 5.4723, 0.7967, 0.4188, -0.9047, 4.8798, 1.6397],
    "the heads are in the wrong order when put together": [1.6397, -1.8241, 2.7142, 0.3543],
    "only head 0 is in the output": [0.3543, 0, 5.4723, 0]}, where="in the output")
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
        check_numbers(got, mixed @ W[3], None, "in the output of larger random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 4: cross-attention and masks (2 points).** Two queries, three keys, two sequences, two heads. The queries are 0, so each query shares its weight evenly between the keys that are left.

# %% nbgrader={"grade": true, "grade_id": "multi-head-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I, eyes, quiet = -math.inf, [np.eye(4) for _ in range(4)], np.zeros((2, 2, 4))
others = np.arange(24.0).reshape(2, 3, 4)
flat, boxed = np.array([[0, I, I], [0, 0, I]]), np.array([[[0, 0, I]] * 2, [[I, 0, 0]] * 2])
with np.errstate(all="ignore"):
    output, weights = multi_head_attention(1 * quiet, 1 * others, 2 * others, 2, *eyes)
    check_numbers(weights, np.full((2, 2, 2, 3), 1 / 3), where="with 2 queries and 3 keys")
    check_numbers(output, [[[8, 10, 12, 14]] * 2, [[32, 34, 36, 38]] * 2], where="with 2 queries and 3 keys")
    _, weights = multi_head_attention(1 * quiet, 1 * others, 2 * others, 2, *eyes, flat.copy())
    check_numbers(weights, [[[[1, 0, 0], [0.5, 0.5, 0]]] * 2] * 2, {
        "the mask changes nothing": [1 / 3] * 6,
        "only head 0 is masked": [1, 0, 0, 0.5, 0.5, 0, 1 / 3, 1 / 3, 1 / 3]}, where="with a flat mask")
    output, weights = multi_head_attention(1 * quiet, 1 * others, 2 * others, 2, *eyes, boxed.copy())
    check_numbers(weights, [[[[0.5, 0.5, 0]] * 2] * 2, [[[0, 0.5, 0.5]] * 2] * 2], {
        "head 1 got the mask of sequence 1, or batch and heads have changed places":
            [[[0.5, 0.5, 0]] * 2, [[0, 0.5, 0.5]] * 2],
        "every sequence got the mask of the first one": [[[0.5, 0.5, 0]] * 2] * 4},
        where="with a mask for each sequence")
    check_numbers(output, [[[4, 6, 8, 10]] * 2, [[36, 38, 40, 42]] * 2], where="in the output with masks")
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
        check_numbers(weights, slow, None, "in the weights of larger arrays, with a mask", 1e-6, sizes)
        check_numbers(output, mixed @ W[3], None, "in the output of larger arrays, with a mask", 1e-6, sizes)
        assert all(map(np.array_equal, given, (Q, K, V, *W, mask))), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 4: what can't be done (1 point).**

# %% nbgrader={"grade": true, "grade_id": "multi-head-errors-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
x, W = np.ones((2, 3, 6)), [np.eye(6)] * 4
open_mask, shut = np.zeros((3, 3)), np.zeros((2, 3, 3))
shut[1, 2] = -math.inf
with np.errstate(all="ignore"):
    multi_head_attention(x, x, x, 2, *W, open_mask)  # is fine
    came = error_of(multi_head_attention, x, x, x, 4, *W)
    assert came == "ValueError", f"6 numbers into 4 heads: raise a ValueError; there was {came}"
    came = error_of(multi_head_attention, x, x, x, 2, *W, shut)
    assert came == "ValueError", (
        f"a query with every key blocked: a ValueError should be raised, but there was {came}")
### BEGIN HIDDEN TESTS
    for heads, mask in [(5, None), (2, shut[1]), (3, shut), (1, shut[1])]:
        came = error_of(multi_head_attention, x, x, x, heads, *W, mask)
        assert came == "ValueError", (
            f"what can't be done does not always raise a ValueError\n{heads} heads: {came}")
    for heads in (1, 2, 3, 6):
        came = error_of(multi_head_attention, x, x, x, heads, *W, open_mask)
        assert came == "no error", f"what can be done is refused\n{heads} heads: {came}"
### END HIDDEN TESTS

# %% [markdown]
# Here are your three sentences and two heads: on the left with the padding mask alone, on the right with the causal mask added. Rows of padded queries are left out.

# %% tags=["demonstration"]
rng = np.random.default_rng(33)
W = [rng.normal(0, 8**-0.5, size=(8, 8)) for _ in range(4)]
columns = np.arange(5)
later = np.where(columns[None, :] > columns[:, None], -np.inf, 0)
padding = np.where(columns >= np.array(lengths)[:, None], -np.inf, 0)[:, None, :] + np.zeros((5, 1))
figure, axes = plt.subplots(3, 4, figsize=(14, 10), height_ratios=lengths, layout="constrained")
for column, (name, mask) in enumerate([("padding", padding), ("padding, causal", padding + later)]):
    weights = np.asarray(multi_head_attention(X, X, X, 2, *W, mask)[1])
    for b, h in np.ndindex(3, 2):
        real, ax = lengths[b], axes[b, 2 * column + h]
        draw_weights(ax, weights[b, h, :real], np.isinf(mask[b, :real]), sentences[b][:real], sentences[b],
                     f"sentence {b}, head {h}: {name}")
plt.show()

# %% [markdown]
# Two heads look at the same words with different weights, and both obey the same mask. Compare left and right: for real queries the causal mask hides the padding as well, since padding stands at the end. So a forgotten padding mask stays unseen in a causal model, until somebody puts the padding in front.
#
# **Two routes.** With the padding mask, a sequence in a batch must get what it gets alone. And a layer with 2 heads must give what two separate single heads give, each with its half of the columns of `W_q`, `W_k`, `W_v` and its half of the rows of `W_o`, added up.

# %% tags=["demonstration"]
together, _ = multi_head_attention(X, X, X, 2, *W, padding)
alone, _ = multi_head_attention(X[:1, :3], X[:1, :3], X[:1, :3], 2, *W)
print("in the batch as alone:", np.allclose(together[0, :3], alone[0]))

# %% tags=["demonstration"]
added = 0
for h in range(2):
    part = slice(4 * h, 4 * h + 4)
    q, k, v = (X @ matrix[:, part] for matrix in W[:3])
    added = added + scaled_dot_product_attention(q, k, v, padding)[0] @ W[3][part]
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
# Read before you change anything. Give every intermediate array its shape, with *different* letters: `Q` is `(b, q, d)`, `K` is `(b, k, d)`, `V` is `(b, k, v)`. Two lines fit only because all sizes were 3. For the others, ask what must hold:
#
# | what must hold | what to ask of the code |
# |---|---|
# | sequence 0 knows nothing of sequence 1 | which axes of `K` may change places? |
# | more numbers per query do not spread the scores further | does the scale shrink or stretch? |
# | a blocked key has weight 0 | what is 5 − (−∞)? |
# | one number is subtracted from all scores of a query, so its shares stay | which axis does the maximum run along? |
# | each row is turned into shares | which operation does that? |
# | each row uses its **own** sum | which shape lines up with the rows? |
#
# Copy the body into the next cell and repair it there. A mask is always given; it never blocks every key of a query, and errors are not asked for here.
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
# <details><summary>Hint 3: the steps in words</summary>
#
# Go line by line. Write the shape of what is there beside it, then ask the question of the table. Four lines hold one slip each, one line holds two.
# </details>
#
# <details><summary>I get “operands could not be broadcast together” or “mismatch in its core dimension”</summary>
#
# The first sizes that are not all equal have shown you a slip. Compare the two shapes in the message: is an axis missing, or do two stand in each other's place?
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
# The visible tests look at one thing after the other, and each message says what is off, not where. Up to the last step all sizes are 3. `weights_of` calls your function and keeps the weights.

# %% nbgrader={"grade": false, "grade_id": "weights-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of(Q, K, mask=np.zeros((3, 3))):
    """The weights alone. The values are the keys here."""
    with np.errstate(all="ignore"):
        return np.asarray(pair(repaired_attention(1 * Q, 1 * K, 1 * K, mask.copy()))[1], dtype=float)


# %% [markdown]
# **Test 1 of 2: without a mask (1 point).**

# %% nbgrader={"grade": true, "grade_id": "repaired-attention-weights-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
one_hot, nothing = np.eye(3), np.zeros((3, 3, 3))
perm = np.array([one_hot[[1, 2, 0]], one_hot[[0, 2, 1]], one_hot[[2, 1, 0]]])
found = weights_of(900 * np.array([one_hot] * 3), perm)
assert np.array_equal(found.argmax(axis=-1), [[2, 0, 1], [0, 2, 1], [2, 1, 0]]), (
    "each query fits one key of its own sequence, and its largest weight is elsewhere")
levels = weights_of(np.array([9000 * one_hot, one_hot, 0 * one_hot]), perm)
assert not np.isnan(levels).any(), "large scores give NaN: the maximum of each row was there"
total = weights_of(nothing, perm).sum(axis=-1)
assert np.allclose(total, 1), f"all scores are equal, and the weights of a query sum to {total[0, 0]:.2f}"
ring = np.array([[[2.0, 1, 0], [0, 2, 1], [1, 0, 2]]] * 3)
ratio = (lambda w: w[0, 0, 0] / w[0, 0, 1])(weights_of(ring, np.array([one_hot] * 3)))
assert not np.isclose(ratio, math.e**3**0.5, rtol=1e-3), (
    "the scores are too far apart: a difference of 1 became 1.73, not 0.58")
assert np.isclose(ratio, math.e**3**-0.5, rtol=1e-3), (
    f"of two scores that differ by 1, the larger one's share is {ratio:.3f} times the other's, not 1.781")
alike = weights_of(np.ones((3, 3, 3)), np.array([np.diag([0.0, 1, 2])] * 3))
assert not np.allclose(alike, alike[0, 0, 0]), (
    "three equal queries, three different keys, and all weights are equal")
check_numbers(alike[0], [shares_of([0, 3**-0.5, 2 * 3**-0.5])] * 3, where="with three equal queries")
uneven = weights_of((np.arange(27.0) ** 2 % 7).reshape(3, 3, 3), perm).sum(axis=-1)
assert np.allclose(uneven, 1), (
    f"the scores are uneven, and the rows of weights sum to {np.round(uneven[0], 2)}, not 1")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(312)
for count, rows, columns, width, wide in [(2, 3, 5, 4, 6), (3, 6, 2, 5, 4)]:
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    slow = [[shares_of([math.fsum(q * k) / width**0.5 for k in arrays[1][b]]) for q in arrays[0][b]]
            for b in range(count)]
    _, weights = pair(repaired_attention(*arrays, np.zeros((rows, columns))))
    sizes = f"with Q {arrays[0].shape}, "
    check_numbers(weights, slow, None, "in the weights of larger random arrays", 1e-6, sizes)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: with a mask, and with sizes that differ (2 points).**

# %% nbgrader={"grade": true, "grade_id": "repaired-attention-mask-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I, nothing = -math.inf, np.zeros((3, 3, 3))
shut = weights_of(nothing, nothing, np.array([[0, I, I], [0, 0, I], [0, 0, I]]))[0]
assert (shut[[0, 0, 1, 2], [1, 2, 2, 2]] == 0).all(), (
    f"blocked keys should have weight 0, and have {shut[0, 1:]}")
check_numbers(shut, [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]], where="with a mask")
Q, K, V = np.zeros((2, 3, 5)), np.ones((2, 4, 5)), np.array([[[0.0], [4], [8], [0]], [[4], [4], [0], [0]]])
output, weights = repaired_attention(Q, K, V, np.zeros((2, 3, 4)))
check_numbers(weights, np.full((2, 3, 4), 0.25), where="with sizes that differ")
check_numbers(output, [[[3]] * 3, [[2]] * 3], where="with sizes that differ")
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
            check_numbers(weights, slow, None, "in the weights of larger arrays, with a mask", 1e-6, sizes)
            check_numbers(output, mixed, None, "in the output of larger arrays, with a mask", 1e-6, sizes)
            same = map(np.array_equal, given, (Q, K, V, mask))
            assert all(same), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% tags=["demonstration"]
mended_output, mended = repaired_attention(cube, cube, cube, np.zeros((3, 3)))
print("row sums of sequence 0:", np.round(np.asarray(mended)[0].sum(axis=-1), 2))
print("same as 3.3:", np.allclose(mended_output, scaled_dot_product_attention(cube, cube, cube)[0]))


# %% [markdown]
# Which of the six can be seen without knowing the right numbers? With sizes that differ, two stop with an error: the transpose and the lost axis. The sums of the rows show that something is multiplied that must be divided. A mask that blocks a key for all queries turns two more into NaN: the subtracted mask and the wrong maximum. Only the scale stays hidden, with rows that sum to 1, in the right shape. So a good test uses sizes that all differ **and** a mask, **and** compares with numbers from somewhere else.

# %% [markdown]
# ## 3.8 Catch the bug
#
# **4 points · about 20 minutes · difficulty ●●●**
#
# Now the roles turn. Somebody hands you a function and claims that it is `scaled_dot_product_attention` of 3.3. You can't read it, only call it. Write the test: `check_attention(candidate)` calls it with inputs of your choice, and returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | a right candidate | meets all of 3.3: values, masks, stability, errors. It may give back lists, and look unusual inside |
# | a wrong candidate | gives wrong numbers, a wrong shape or an error on some **legal** input |
# | a legal input | float arrays with fitting sizes and one batch size, and a mask of 0 and −∞ that leaves every query a key |
# | how close is right? | compare to about 1e-6, not exactly: another order of sums rounds differently |
#
# Your test is run on a hidden panel. If it rejects one right implementation, it gets nothing: a test that cries wolf is switched off. Otherwise it gets one point for each full quarter of the 16 wrong ones that it catches. The panel comes in an order that nobody knows, and each candidate comes several times: a right one has to be accepted, and a wrong one rejected, every time. Some of them are wrong only if `seq_q` and `seq_k` differ, only with a mask, only with more than one sequence, or only with large scores. If your test gives back `None` or stops with an error, it has decided nothing: a wrong candidate is not caught, a right one is rejected.
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
    """Is candidate(Q, K, V, mask=None) a right scaled_dot_product_attention, as asked in 3.3?

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
# Practise on functions made from your own 3.3. All but the first change what goes in or what comes out. The last column should say True in the first line and False in all others.

# %% nbgrader={"grade": false, "grade_id": "verdict-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
    "keys of the first sequence": lambda Q, K, V, mask=None: own(Q, 0 * K + K[:1], V, mask),
    "output and weights swapped": lambda Q, K, V, mask=None: own(Q, K, V, mask)[::-1],
}
for name, candidate in practice.items():
    print(f"{name:28}", verdict_of(candidate))

# %% [markdown]
# The points come in four cells of one point each. What you can run here shows only whether your test gives back True or False, and refuses a function that gives nothing but zeros. Silence in the other three cells means nothing: the panel is hidden, and it decides.

# %% nbgrader={"grade": true, "grade_id": "check-attention-first-quarter-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
zeros = lambda Q, K, V, mask=None: (np.zeros((*Q.shape[:2], V.shape[2])), 0 * Q @ K.swapaxes(1, 2))
caught, verdict = [], check_attention(zeros)
assert isinstance(verdict, (bool, np.bool_)), f"your test gave back {verdict!r}, not True or False"
assert not verdict, "your test finds nothing wrong with a function that gives nothing but zeros"
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
# You have also stood on the other side. A test with random numbers, sizes that all differ, a batch larger than one, both kinds of mask and large scores catches most mistakes of this lesson. Missing errors need inputs of their own. Lesson 04 builds the same as a PyTorch module.
#
# ### Three questions to think about
#
# 1. The padding mask leaves the rows of padded queries alone. Where in a larger model would their outputs still do harm, and how would you keep them out?
# 2. A mask could also hold finite numbers, such as −1 for every step of distance. What would that do to the weights?
# 3. A test that catches 16 known slips can miss a seventeenth. Which property of attention could you test that is not aimed at any particular slip?
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.2 has the heads, 3.2.3 the mask.
# - Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. The scale of 3.5.
# - Elena Voita, David Talbot, Fedor Moiseev, Rico Sennrich, Ivan Titov: *Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned*, 2019. What single heads do.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12.
