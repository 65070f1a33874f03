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
# *Attention, Graded · lesson 03 · NumPy · about <!-- minutes -->120<!-- end --> minutes of exercises<!-- with: init-params -->, core 70<!-- end --> · <!-- points -->26<!-- end --> points*
#
# One head on one sentence is easy to get right. Real attention takes a **batch** of sequences with different lengths, **masks** that define which keys a query may attend to, and **many heads**, each with its own queries, keys and values, that share one array. This is where most real bugs are: the shapes fit, the code runs, and the numbers are wrong.
#
# You build all of it in NumPy. <!-- with: repaired-attention, check-attention -->At the end you change roles twice: you repair a function with six bugs, and you write the test that tells right implementations from wrong ones. <!-- end -->The core exercises are marked ★.

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
# Some exercises have several test cells. They use small arrays; when your notebook is graded, larger random arrays are tried as well. If you are stuck on an exercise, skip it and come back later: every test creates its own masks and arrays. Exercise 3.6 may call your functions of 3.3 and 3.4<!-- with: check-attention -->, and the practice of 3.8 calls your 3.3<!-- end -->. No other exercise depends on an earlier one. Cells that draw or print call your functions, so they fail until those work. The minutes are estimates for solving the exercises; reading and running the cells between them takes about an hour more.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **The batch comes first, a row is a token** | arrays of floats are `(batch, seq, d)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, i, j]`: sequence `b`, **query `i`**, **key `j`**; with heads `scores[b, h, i, j]` |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **A mask is added to the scores** | it holds only 0 (keep) and −∞ (block). A **flat mask** `(seq_q, seq_k)` is used for every sequence; `(batch, seq_q, seq_k)` has one table per sequence |
# | **Shapes of the weight matrices** | `W_q`, `W_k`, `W_v`, `W_o` are all `(d_model, d_model)` and multiply from the right: `Q @ W_q` |
# | **Names of sizes** | a token has `d_model` features, a query and a key `d_k`, a value `d_v` |
# | **Heads** | `d_model = num_heads · depth`; head `h` owns features `h·depth … (h+1)·depth − 1` of every token |
# | **Numbers are float64** | NumPy's default: if the inputs are float64, round nothing, and don't convert to float32 |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# Queries may come from one sequence and keys and values from another. So `seq_q` and `seq_k` may differ. But a key and its value belong to the same token: `K` and `V` always have the same number of rows.
#
# </details>

# %% locked imports
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# **What you build.** At the end, your code computes these tables: a short sentence with two pads, in two heads. A padding mask keeps every query from the pads, a causal mask from all later tokens. Hatched cells are blocked: their weight is exactly 0. Each row sums to 1.

# %% alt="Four tables of 3 queries, the cat sat, by 5 keys, two of them padding, for two heads: with the padding mask the columns of padding are hatched, with the causal mask everything right of the diagonal." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_heads_and_masks():
    words = ["the", "cat", "sat", "[pad]", "[pad]"]
    padding = [[[.22, .05, .72], [.61, .34, .06], [.21, .35, .44]],
               [[.40, .14, .46], [.24, .47, .28], [.58, .18, .25]]]
    causal = [[[1], [.64, .36], [.21, .35, .44]], [[1], [.34, .66], [.58, .18, .25]]]
    figure, axes = plt.subplots(2, 2, figsize=(6.4, 4.4), layout="constrained", sharex=True,
        sharey=True)
    for line, name, heads in zip(axes, ["padding", "causal"], [padding, causal]):
        for head, (ax, rows) in enumerate(zip(line, heads)):
            table = np.array([row + [np.nan] * (5 - len(row)) for row in rows])
            image = ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
            ax.patch.set(hatch="////", edgecolor="0.6")
            for (query, key), weight in np.ndenumerate(table):
                if weight >= 0:
                    ax.text(key, query, f"{weight:.2f}", ha="center", va="center", fontsize=10,
                        color="black" if weight > 0.5 else "white")
            ax.set(xticks=range(5), xticklabels=words, yticks=range(3), yticklabels=words[:3],
                title=f"{name} mask, head {head}")
    figure.supxlabel("key", fontsize=10)
    figure.supylabel("query", fontsize=10)
    figure.colorbar(image, ax=axes, label="attention weight", shrink=0.7)
    plt.show()


draw_heads_and_masks()


# %% [markdown]
# ## 3.1 A mask for the future
#
# **★ core · <!-- points -->1 point<!-- end --> · about 5 minutes · difficulty ●○○**
#
# A model that learns to continue a text must not read what it has to predict. So a query may attend to itself and to earlier tokens, never to later ones. Such a mask is called causal.
#
# Here a mask is **added** to the scores before softmax. Adding 0 keeps a score. Adding −∞ makes it −∞, and $e^{-\infty}$ is exactly 0, so this key gets no weight. A score of 0 would not work: $e^0$ is 1, so the key would still get some weight.
#
# Other code often uses −1e9 in place of −∞. Here it must be −∞. A box to open after 3.3 shows why.
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
# For three tokens, draw the 3×3 table with queries down and keys across. Which keys may query 0 attend to? Is the diagonal blocked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.triu(..., k=...)` keeps the diagonal `k` and everything above it, and sets the rest to 0. `np.full` creates an array filled with one number. Or compare `np.arange` as a row with itself as a column, and use `np.where`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     positions = 0, 1, ..., seq_len - 1
#     later     = (positions as a row) > (positions as a column)
#     return -inf where later, else 0
# </details>
#
# <details><summary>I get “invalid value encountered in multiply”</summary>
#
# 0 · ∞ is NaN. Select 0 or −∞, for example with `np.where`, instead of multiplying.
# </details>

# %% solution causal-mask edition="core"
def create_causal_mask(seq_len):
    """Return an additive mask that blocks every key after its query.

    The mask is (seq_len, seq_len): 0 on and below the diagonal, -inf above.
    """
    ### BEGIN SOLUTION
    return np.triu(np.full((seq_len, seq_len), -np.inf), k=1)
    ### END SOLUTION


# %% test causal-mask points=1
# Test of 3.1 A mask for the future (1 point). Run the checks cell first.
returns("causal-mask", mask="query key")
check("causal-mask", "with 4 tokens", create_causal_mask, 4)
check("causal-mask", "with a single token", create_causal_mask, 1)
### BEGIN HIDDEN TESTS
for seq_len in [*range(1, 20), 48, 65, 130, 300, 3]:
    expected = np.where(np.tri(seq_len), 0, -math.inf)
    mask = create_causal_mask(seq_len)
    check_numbers(mask, expected, "with another number of tokens", 0, f"with {seq_len} tokens, ")
    if not isinstance(mask, list):
        mask[...] = 1
    check_numbers(create_causal_mask(seq_len), expected, "after a change of the first mask", 0, f"with {seq_len} tokens, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
print(create_causal_mask(4))

# %% [markdown]
# Read it row by row. Query 0 keeps one key, itself; query 3 keeps all four. No row is blocked completely. That matters: a softmax without any key is 0/0.

# %% [markdown]
# ## Three sentences, one batch
#
# A batch is one rectangular array, so shorter sentences are padded with a token that carries no meaning, `[pad]`, until all are as long as the longest. The true lengths are kept in a separate list.

# %% locked sentences
sentences = [["the", "cat", "sat", "[pad]", "[pad]"], ["dogs", "bark", "[pad]", "[pad]", "[pad]"],
             ["she", "saw", "the", "old", "mat"]]
lengths = [3, 2, 5]

rng = np.random.default_rng(3)
X = rng.normal(size=(3, 5, 8))
for b, length in enumerate(lengths):
    X[b, length:] = 0
print("X has shape", X.shape, "= (batch, seq, d_model)")


# %% [markdown]
# ## 3.2 A mask for padding
#
# **★ core · <!-- points -->2 points<!-- end --> · about 9 minutes · difficulty ●●○**
#
# No query may attend to padding. In sequence `b`, the keys at position `lengths[b]` and after it are padding, and they are blocked **for every query**. So padding blocks whole *columns*, different ones in each sequence.
#
# | operation | expression | shape |
# |---|---|---|
# | which keys are padding | $j \ge \mathrm{lengths}_b$ | `(batch, seq_len)` |
# | the same for every query | repeated for each row | `(batch, seq_len, seq_len)` |
# | the mask | −∞ there, 0 elsewhere | `(batch, seq_len, seq_len)` |
#
# Padded queries keep their rows: they attend to the real keys, and their outputs are not used. If their rows were blocked instead, they would be all −∞, and softmax would be 0/0, which is NaN. Every length is at least 1 and at most `seq_len`.
#
# <details><summary>Hint 1: a question</summary>
#
# Two sequences have lengths 2 and 4, padded to 4 tokens. Draw both 4×4 tables. How many columns of sequence 0 are blocked? How many rows?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.asarray` accepts lists and arrays. `np.arange` numbers the keys. An index `None` adds an axis of length 1; then `np.where`, and `np.broadcast_to` or `np.repeat` for the query axis. Or a loop: `np.zeros` and a slice for each sequence.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     mask = zeros of shape (batch, seq_len, seq_len)
#     for each sequence b: set all rows, columns from lengths[b] on, to -inf
# </details>
#
# <details><summary>I get “TypeError: list indices must be integers”</summary>
#
# `lengths` may be a list. Convert it to an array before you index it with `None`.
# </details>

# %% solution padding-mask edition="core"
def create_padding_mask(lengths, seq_len):
    """Return an additive mask that blocks padding for every query.

    lengths: the number of real tokens in each sequence, from 1 to seq_len;
    a list or an array.
    The mask is (batch, seq_len, seq_len): -inf in the columns of keys at
    or past each length, else 0.
    """
    ### BEGIN SOLUTION
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
    return mask
    ### END SOLUTION


# %% test padding-mask points=2
# Test of 3.2 A mask for padding (2 points). Run the checks cell first.
returns("padding-mask", mask="sequence query key")
check("padding-mask", "with lengths [3, 1, 5, 2], padded to 5 tokens", create_padding_mask,
    [3, 1, 5, 2], 5)
check("padding-mask", "with lengths [1, 2], padded to 3 tokens", create_padding_mask, [1, 2], 3)
check("padding-mask", "with lengths given as an array", create_padding_mask, np.array([4, 1]), 4)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(302)
for batch, seq_len in [*many_sizes(2), (4, 4), (3, 6), (2, 210), (1, 7)]:
    each = [rng.integers(1, seq_len + 1, size=batch), np.full(batch, seq_len), np.full(batch, 1), np.arange(batch) % seq_len + 1]
    for given in [lengths.tolist() for lengths in each]:
        expected = np.broadcast_to(np.where(np.arange(seq_len) < np.array(given)[:, None, None], 0, -math.inf), (batch, seq_len, seq_len))
        where, sizes = "with other lengths", f"with {batch} sequences of {seq_len} tokens, "
        array, first = np.array(given), create_padding_mask(list(given), seq_len)
        check_numbers(first, expected, where, 0, sizes)
        if isinstance(first, np.ndarray) and first.flags.writeable:
            first[...] = 1
        check_numbers(create_padding_mask(array, seq_len), expected, where + " as an array", 0, sizes)
        assert array.tolist() == given, "create_padding_mask changed the lengths"
### END HIDDEN TESTS

# %% [markdown]
# Masks can be added to each other: $-\infty + 0$ and $-\infty + (-\infty)$ are both $-\infty$. So a key is blocked if **either** mask blocks it, and kept if both keep it. The causal mask has only two axes (it is *flat*), so it is used for every sequence of the batch.
#
# Predict: in the sum of the two masks, how many of the 25 cells are blocked for lengths 3, 2 and 5?

# %% tags=["demonstration"]
causal, padding = np.asarray(create_causal_mask(5)), np.asarray(create_padding_mask(lengths, 5))
both = causal + padding
print("causal", causal.shape, "+ padding", padding.shape)
print("both  ", both.shape, "- blocked for each sequence:", np.isinf(both).sum(axis=(1, 2)))


# %% [markdown]
# With 5 tokens, 10 of the 25 cells are future. With length 3, columns 3 and 4 are blocked in all 5 rows; 7 of these 10 cells were future already, so 10 + 10 − 7 = 13 are blocked. With length 2 it is 10 + 15 − 9 = 16. With length 5 there is no padding, so 10.

# %% [markdown]
# ## 3.3 Masked attention for a batch
#
# **★ core · <!-- points -->5 points<!-- end --> · about 22 minutes · difficulty ●●●**
#
# Now the formula, for all sequences of a batch at once, with a mask $M$. As in lesson 01, `Q`, `K` and `V` are already projected.
#
# $$\mathrm{weights}_b = \mathrm{softmax}\!\left(\frac{Q_b K_b^\top}{\sqrt{d_k}} + M_b\right)$$
#
# $$\mathrm{output}_b = \mathrm{weights}_b\, V_b$$
#
# | operation | expression | shape |
# |---|---|---|
# | scores | $Q_b K_b^\top / \sqrt{d_k}$ | `(batch, seq_q, seq_k)` |
# | masked scores | scores + mask | `(batch, seq_q, seq_k)` |
# | attention weights | softmax over the keys | `(batch, seq_q, seq_k)` |
# | output | $\mathrm{weights}_b V_b$ | `(batch, seq_q, d_v)` |
#
# The cell checks the shapes of `Q`, `K` and `V`. You write the two checks of the mask. Raise a `ValueError` if
#
# - its shape is neither `(seq_q, seq_k)` nor `(batch, seq_q, seq_k)`. Other shapes, such as `(batch, 1, seq_k)`, may broadcast without an error,
# - some query has **every** key blocked. Its softmax would be 0/0, and an error here is better than NaN in the next layer.
#
# <details><summary>Softmax and the scale, as in lesson 01</summary>
#
# Softmax turns a row of scores $s$ into the weights $e^{s_j} / \sum_i e^{s_i}$. It must be stable: subtract each row's own largest score before `exp`. The division by $\sqrt{d_k}$ keeps the spread of the scores from growing with `d_k`.
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# `Q` is `(2, 3, 4)` and `K` is `(2, 5, 4)`. Which two axes of `K` must be swapped so that the product has shape `(2, 3, 5)`? What does `K.T` do to an array with three axes?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `K.transpose(0, 2, 1)` or `np.swapaxes`; the operator `@`, for which leading axes are batch axes; `np.einsum`; `array.shape`; `max`, `sum` with `axis=` and `keepdims=True`; `np.isneginf` and `all(axis=...)`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     scores = Q @ (K with its last two axes transposed) / sqrt(d_k)
#     if there is a mask:
#         raise ValueError if its shape is wrong, or if all of a row is -inf
#         add the mask to the scores
#     powers  = exp(scores - each row's maximum)
#     weights = powers / each row's sum of powers
#     output  = weights @ V
#     return the output and the weights
# </details>
#
# <details><summary>I get “NaN” or “invalid value encountered in subtract”</summary>
#
# −∞ − (−∞) is NaN. A row is blocked completely, or the maximum runs along the wrong axis.
# </details>
#
# <details><summary>I get “The truth value of an array … is ambiguous”</summary>
#
# `if mask` and `mask == None` compare every entry of the array. Write `if mask is not None`.
# </details>

# %% solution masked-attention edition="core"
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Compute masked attention for a batch.

    Q: (batch, seq_q, d_k), K: (batch, seq_k, d_k), V: (batch, seq_k, d_v).
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k),
    holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_v) and (batch, seq_q, seq_k).
    Raises ValueError for wrong shapes, and if a query has every key blocked.
    """
    if Q.ndim != 3 or K.ndim != 3 or V.ndim != 3:
        raise ValueError("Q, K and V need three axes each")
    if Q.shape[2] != K.shape[2] or K.shape[1] != V.shape[1]:
        raise ValueError(f"Q {Q.shape}, K {K.shape} and V {V.shape} don't fit together")
    ### BEGIN SOLUTION
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
# **Test 1 of 3: without a mask (2 points).** Two sequences, three queries of 6 features, four keys, and values of 5 features. One query is all 0, so its scores are 0, too. The last line compares nine digits, to detect float32.

# %% test masked-attention-values points=2
# Test of 3.3 Masked attention for a batch, 1 of 3 (2 points). Run the checks cell first.
returns("masked-attention", output="sequence query value", weights="sequence query key")
check("masked-attention", "without a mask", scaled_dot_product_attention, tiny_Q, tiny_K, tiny_V)
check("masked-attention", "with scores of ±10000", scaled_dot_product_attention, large_Q, tiny_K,
    tiny_V)
one = tiny_Q[:1, :1], tiny_K[:1], tiny_V[:1]
check("masked-attention", "one query of one sequence", scaled_dot_product_attention, *one)
check_digits(scaled_dot_product_attention, tiny_Q, tiny_K, tiny_V)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(303)
for size in [(2, 3, 5, 4, 6), *many_sizes(5, (1, 3)), (9, 9, 9, 9, 9), (4, 4, 4, 4, 4), (4, 1, 3, 2, 1), (1, 2, 260, 270, 3), (2, 260, 2, 3, 270)]:
    arrays = random_arrays(rng, *size)
    where, sizes = "of other random arrays", f"with Q {in_words(arrays[0].shape)} and K {in_words(arrays[1].shape)}, "
    for dtype, tolerance, factor in [(np.float64, 1e-6, 1), (np.float32, 1e-5, 1), (np.float64, 1e-3, 1e8), (np.float64, 1e-3, -1e8)]:
        if abs(factor) > 1:    # huge scores, all of one sign
            arrays, where = [factor * np.abs(arrays[0]), np.abs(arrays[1]), arrays[2]], "with huge scores"
        slow = softmax_of(np.einsum("bid,bjd->bij", *arrays[:2]) / size[3]**0.5)
        given = [array.astype(dtype) for array in arrays]
        with np.errstate(all="ignore"):
            output, weights = output_and_weights(scaled_dot_product_attention(*given))
        check_numbers(weights, slow, "in the weights " + where, tolerance, sizes)
        check_numbers(output, np.einsum("bij,bjv->biv", slow, arrays[2]), "in the output " + where, tolerance, sizes)
        same = [np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)]
        assert all(same), "an input was changed: make new arrays"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: with a mask (2 points).** The same arrays, with one mask per sequence and with a flat mask for both. In the last call, the kept scores are about −10³⁰, and the blocked score is higher. So no number replaces −∞.

# %% test masked-attention-mask points=2
# Test of 3.3 Masked attention for a batch, 2 of 3 (2 points). Run the checks cell first.
returns("masked-attention", output="sequence query value", weights="sequence query key")
attend, tiny = scaled_dot_product_attention, (tiny_Q, tiny_K, tiny_V)
check("masked-attention", "with a mask for each sequence", attend, *tiny, batch_mask)
check("masked-attention", "with a flat mask", attend, *tiny, flat_mask)
check("masked-attention", "with scores of ±10000, some of them blocked", attend, large_Q, tiny_K,
    tiny_V, batch_mask)
check("masked-attention", "with kept scores lower than the blocked one", attend, low_Q, low_K,
    low_V, low_mask)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(304)
for case, (count, rows, columns, width, wide) in enumerate([(2, 3, 5, 4, 6), *many_sizes(5, (1, 3)), (3, 6, 2, 5, 4), (2, 2, 2, 2, 2), (4, 4, 4, 4, 4), (9, 9, 9, 2, 3), (2, 2, 260, 3, 2)]):
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    for turn, shape in enumerate([(rows, columns), (count, rows, columns)], case):
        for factor, mask in list(zip(np.roll([1, 1, -1e15, 1, 1e8], case), various_masks(rng, *shape)))[turn % 2::2]:
            Q, K, V = [factor * np.abs(arrays[0]), np.abs(arrays[1]), arrays[2]] if abs(factor) > 1 else arrays
            given = [a.copy() for a in (Q, K, V, mask)]
            slow = softmax_of(np.einsum("bid,bjd->bij", Q, K) / width**0.5 + mask)
            with np.errstate(all="ignore"):
                output, weights = output_and_weights(scaled_dot_product_attention(*given))
            sizes, tolerance = f"with a mask {in_words(shape)}, ", 1e-6 if factor == 1 else 1e-3
            check_numbers(weights, slow, "in the weights of other arrays, with a mask", tolerance, sizes)
            check_numbers(output, np.einsum("bij,bjv->biv", slow, V), "in the output of other arrays, with a mask", tolerance, sizes)
            assert all(map(np.array_equal, given, (Q, K, V, mask))), "an input was changed: make new arrays"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: invalid inputs, and a mask that is valid (1 point).**

# %% test masked-attention-errors points=1
# Test of 3.3 Masked attention for a batch, 3 of 3 (1 point). Run the checks cell first.
returns("masked-attention", output="sequence query value", weights="sequence query key")
for case, arguments in invalid_arguments().items():
    check("masked-attention", case, scaled_dot_product_attention, *arguments)
returns("masked-attention", calls="")
check("masked-attention", "a valid mask that blocks key 3 for all queries", count_call,
    scaled_dot_product_attention, tiny_Q, tiny_K, tiny_V, padded_mask)
### BEGIN HIDDEN TESTS
box = lambda *shape: np.ones(shape)
Q, K, V = example_array(7, 2, 3, 5), example_array(8, 2, 4, 5), example_array(9, 2, 4, 6)
with np.errstate(all="ignore"):
    one_sequence = np.zeros((2, 3, 4))
    one_sequence[1, 2] = -math.inf
    hidden = [(Q[0], K, V), (Q, K[0], V), (Q, K, V[0]), (Q, K, box(4, 4)), (Q[0], K[0], V),
              (box(2, 2, 5, 5), K, V), (Q, box(2, 2, 4, 5), V), (Q[:1], K[:1], box(2, 4, 4, 6)),
              (box(2, 3, 1), K, V), (Q, box(2, 1, 5), V), (Q, box(2, 4, 6), V), (Q, K, box(2, 5, 6)),
              (Q, K, V, one_sequence), (Q, K, V, 0 * box(3, 4, 2)), (Q, K, V, 0 * box(3, 3, 4)),
              (Q, K, V, 0 * box(3)), (Q, K, V, 0 * box(3, 2, 3, 4)), (Q, K, V, 0 * box(2, 3, 1)),
              *((Q, K, V, 0 * box(*shape)) for shape in [(4,), (1, 4), (3, 1), (1, 1), (2, 1, 4), (1, 1, 4), (1, 3, 4)])]
    came = error_of(scaled_dot_product_attention, Q, K, V)
    assert came == "no error", f"what can be done is refused\nwithout a mask: {came}"
    for arguments in hidden:
        came = error_of(scaled_dot_product_attention, *arguments)
        shapes = [np.shape(argument) for argument in arguments]
        assert came == "ValueError", (
            f"what can't be done does not always raise a ValueError\nfor shapes {shapes} there was {came}")
    for size in [(2, 3, 4), (1, 1, 1), (4, 4, 4), (1, 5, 2), (9, 2, 40)]:
        arrays = random_arrays(rng := np.random.default_rng(314), *size, 3, 2)
        for shape in (size, size[1:]):
            mask = various_masks(rng, *shape)[-1]
            for place in {(0,) * (len(shape) - 1), tuple(n - 1 for n in shape[:-1])}:
                mask[place] = -math.inf
                came = error_of(scaled_dot_product_attention, *(array.copy() for array in (*arrays, mask)))
                assert came == "ValueError", f"a query with every key blocked does not always raise a ValueError\nquery {place[-1]}: {came}"
                mask[place] = 0
### END HIDDEN TESTS

# %% [markdown]
# Here are the scores, the mask and the attention weights side by side, for *the cat sat* and its two `[pad]`, with your two masks added. The tokens are random vectors, so only the hatching has a meaning. A `[pad]` is all 0: as a query it has equal scores, and so equal weights.
#
# `draw_weights` draws such tables here and in 3.6. Attention weights are coloured from dark blue (0) to yellow (1). A cell that should be blocked is hatched if its weight is exactly 0. If it has another weight, its number is red with an exclamation mark: the mask had no effect there. A 0.00 without hatching is a small number.

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
# **A check without a reference.** The value at a blocked key must not matter. Predict: if the values of the padded tokens become 1000, do the outputs of the real tokens change, with the mask and without it?

# %% tags=["demonstration"]
spoilt = X.copy()
spoilt[0, 3:] = 1000
for name, mask in [("with mask   ", np.asarray(create_padding_mask(lengths[:1], 5))),
        ("without mask", None)]:
    outputs = [scaled_dot_product_attention(X[:1], X[:1], v[:1], mask)[0] for v in (X, spoilt)]
    clean, dirty = (np.asarray(output)[0, :3] for output in outputs)
    print(name, "largest change:", f"{np.abs(clean - dirty).max():.4g}")

# %% [markdown]
# With the mask nothing changes, not even in the last digit: 0 · 1000 is 0. Without it, padding contributes to every output.
#
# **The same for the future.** Predict: with the causal mask, if tokens 3 and 4 of sentence 2 are replaced, which of its five outputs change? And does output 2 differ from that of the words *she saw the* alone?

# %% tags=["demonstration"]
causal, words = np.asarray(create_causal_mask(5)), X[2:]
other = words.copy()
other[:, 3:] += 10
at_once, replaced = (np.asarray(scaled_dot_product_attention(x, x, x, causal)[0])[0]
                     for x in (words, other))
print("outputs that change:", np.flatnonzero(np.abs(at_once - replaced).max(axis=-1) > 1e-9))
for t in range(5):
    start = words[:, :t + 1]
    alone = np.asarray(scaled_dot_product_attention(start, start, start)[0])[0, -1]
    print(f"output {t} as from tokens 0 to {t} alone:", np.allclose(alone, at_once[t]))

# %% [markdown]
# This is why causal models are trained with the mask. Each of the `n` outputs is the output for a text that ends there, so each one can predict the next token: **`n` predictions from one pass**. Without the mask, output 2 would read the token that it should predict, unless the model is run separately for every beginning of the text.
#
# **Another way to block a key**: mask *after* softmax. Set the weights of blocked keys to 0, and divide each row by its new sum.

# %% tags=["demonstration"]
before, plain = (np.asarray(scaled_dot_product_attention(words, words, words, mask)[1])
                 for mask in (causal, None))
kept = plain * (causal == 0)
print("new sum of each row:", np.round(kept[0].sum(axis=-1), 2))
print("divided by it, equal:", np.allclose(kept / kept.sum(axis=-1, keepdims=True), before))

# %% [markdown]
# The result is the same, because softmax is itself a division by the row's sum. Without the second division, rows no longer sum to 1. And if a blocked score is far above the others, the weights of the kept keys have already underflowed to 0, and the division is 0/0. So masks are added before softmax.
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
# The last line equals the first: the same number added to all scores of a query cancels in softmax. So a query with every key blocked silently attends to keys that are blocked. With −∞ the result is NaN, or the error of 3.3. (If −1e9 *replaces* these three scores, or is added in float32, which has only about seven digits, each key gets a third. That is no better.)
#
# −10,000 in place of −∞, as in some published code, is worse. If all kept scores are lower than that, the blocked key gets all of the weight.
# </details>

# %% [markdown]
# ## 3.4 Splitting into heads, and back
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●○**
#
# Many heads don't need many arrays. Each head gets a **contiguous slice** of a token's features: with `d_model` 8 and 2 heads, head 0 owns features 0–3 and head 1 owns 4–7. The length of a slice is called `depth`; inside a head it is the `d_k` of 3.3. The heads then become a separate axis *before* the tokens, so that every head of every sequence is a separate table.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `(batch, seq, d_model)` |
# | split each token's features | `d_model` → `(heads, depth)` | `(batch, seq, heads, depth)` |
# | heads before tokens | swap axes 1 and 2 | `(batch, heads, seq, depth)` |
#
# There is a trap here. A bare `reshape` to the last shape works without an error. But it reads the numbers in memory order, token after token, and gives head 0 the first half of the *sequence* instead of the first half of each token. The picture shows both, for three tokens of four features and two heads.

# %% alt="Three tokens of four numbers as a table: in a split, columns 0 and 1 belong to head 0 and columns 2 and 3 to head 1, while a bare reshape gives head 0 all of token 0 and the first half of token 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
everyone, colours = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], ["#d6e6f5", "#fde3c8"]
ways = {"split": ([[0, 0, 1, 1]] * 3, [[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]),
        "bare reshape": ([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]],
                         [[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]])}
figure, axes = plt.subplots(2, 3, figsize=(6.6, 5), width_ratios=[2, 1, 1], layout="constrained")
figure.get_layout_engine().set(wspace=0.07, hspace=0.05)
for line, (way, (owners, first, second)) in zip(axes, ways.items()):
    panels = [(everyone, owners, f"{way}:\nwhich head gets it"), (first, [[0, 0]] * 3, "head 0"),
              (second, [[1, 1]] * 3, "head 1")]
    for ax, (numbers, head, title) in zip(line, panels):
        for t, n in np.ndindex(np.shape(numbers)):
            colour = colours[head[t][n]]
            ax.add_patch(plt.Rectangle((n - 0.5, t - 0.5), 1, 1, facecolor=colour,
                edgecolor="gray"))
            ax.text(n, t, f"{numbers[t][n]}\nhead {head[t][n]}", ha="center", va="center",
                fontsize=10)
        width = len(numbers[0])
        ax.set(xlim=(-0.5, width - 0.5), ylim=(2.5, -0.5), xticks=range(width), yticks=range(3))
        ax.set(xlabel="feature", ylabel="token" if width == 4 else "row of the head")
        ax.set_title(title, fontsize=11)
plt.show()


# %% [markdown]
# `combine_heads` is the inverse, and has the same trap. `split_heads` raises a `ValueError` if `num_heads` does not divide `d_model`.
#
# <details><summary>Hint 1: a question</summary>
#
# In the upper left table, read the numbers of head 0 row by row. Where do they jump? A `reshape` never jumps. Which operation changes the order?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `array.reshape(...)`, `array.transpose(...)` or `np.swapaxes`. Or `np.stack` over slices of the last axis, `np.split`, and `np.concatenate` to combine.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     split:    raise ValueError if d_model % num_heads is not 0
#               reshape to (batch, seq, num_heads, depth)
#               swap axes 1 and 2
#     combine:  swap axes 1 and 2
#               reshape to (batch, seq, num_heads * depth)
# </details>
#
# <details><summary>I get “cannot reshape array of size …”</summary>
#
# That is NumPy's own `ValueError`, for sizes that don't divide. But `//` rounds down, so the product may be smaller than `d_model`, and the next operation may not fail. Check it yourself with `%`, and name the sizes in the message.
# </details>

# %% solution split-heads edition="core"
def split_heads(x, num_heads):
    """Give each head its contiguous slice of the last axis.

    x: (batch, seq, d_model). Returns (batch, num_heads, seq, depth).
    Raises ValueError if num_heads does not divide d_model.
    """
    ### BEGIN SOLUTION
    batch, seq, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model is {d_model} and can't be split into {num_heads} equal heads")
    return x.reshape(batch, seq, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)
    ### END SOLUTION


# %% [markdown]
# In the tests, each number encodes its position: 223 is feature 3 of token 2 of sequence 2. Sequence 1 has minus signs, so −123 is feature 3 of token 2 of sequence 1.

# %% test split-heads points=2
# Test of 3.4 Splitting into heads, and back, 1 of 2 (2 points). Run the checks cell first.
returns("split-heads", heads="sequence head token number")
table = np.array([[[(-1) ** b * (100.0 * b + 10 * t + n) for n in range(8)] for t in range(5)]
    for b in range(3)])
check("split-heads", "8 numbers into 2 heads", split_heads, table, 2)
check("split-heads", "3 tokens, 3 heads", split_heads, table[:, :3, :6], 3)
check("split-heads", "one sequence, one head", split_heads, np.array([[[1.5, -2], [0, 3], [4, 7]]]),
    1)
check("split-heads", "8 numbers into 3 heads", split_heads, np.ones((2, 3, 8)), 3)
check("split-heads", "4 numbers into 5 heads", split_heads, np.ones((2, 3, 4)), 5)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(305)
for batch, seq, heads, depth in [(2, 5, 3, 4), *many_sizes(4, (1, 3, 9)), (2, 2, 2, 2), (4, 4, 4, 4), (2, 300, 2, 2)]:
    x = rng.normal(size=(batch, seq, heads * depth))
    expected = np.stack([x[..., h * depth:(h + 1) * depth] for h in range(heads)], axis=1)
    sizes = f"with {heads} heads of depth {depth}, "
    for given in [x.copy(), np.asfortranarray(x)][:2 if seq < 9 else 1]:    # row by row, column by column in memory
        check_numbers(split_heads(given, heads), expected, "on another random array", 1e-6, sizes)
        assert np.array_equal(given, x), "split_heads changed its input"
for size, heads in [(size, heads) for size in (1, 2, 3, 9, 10, 24, 96) for heads in (2, 3, 4, 5, 7, 9, 25, 97) if size % heads]:
    came = error_of(split_heads, np.zeros((2, 4, size)), heads)
    assert came == "ValueError", (
        f"sizes that don't divide do not always raise a ValueError\n{size} into {heads} heads: {came}")
### END HIDDEN TESTS

# %% solution combine-heads edition="core"
def combine_heads(x):
    """Put the heads side by side again: the inverse of split_heads.

    x: (batch, num_heads, seq, depth). Returns (batch, seq, num_heads * depth).
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
    ### END SOLUTION


# %% test combine-heads points=1
# Test of 3.4 Splitting into heads, and back, 2 of 2 (1 point). Run the checks cell first.
returns("combine-heads", joined="sequence token number")
cut = np.array([[[[(-1) ** b * (100.0 * b + 10 * t + 4 * h + n) for n in range(4)]
    for t in range(5)]
                 for h in range(2)] for b in range(3)])
check("combine-heads", "2 heads of 4 numbers", combine_heads, cut)
check("combine-heads", "2 tokens, 2 heads", combine_heads, cut[:, :, :2])
check("combine-heads", "one sequence, one head", combine_heads,
    np.array([[[[1.5, -2], [0, 3], [4, 7]]]]))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(306)
for batch, heads, seq, depth in [(2, 3, 5, 4), *many_sizes(4, (1, 3, 9)), (2, 2, 2, 2), (4, 4, 4, 4), (2, 2, 300, 2)]:
    x = rng.normal(size=(batch, heads, seq, depth))
    given, expected = x.copy(), np.concatenate([x[:, h] for h in range(heads)], axis=-1)
    sizes = f"with {heads} heads of depth {depth}, "
    check_numbers(combine_heads(given), expected, "on another random array", 1e-6, sizes)
    assert np.array_equal(given, x), "combine_heads changed its input"
### END HIDDEN TESTS

# %% [markdown]
# A round trip must return what you started with. That alone proves little, because two matching mistakes cancel: a bare reshape has an inverse, too. So the next cell also prints what head 1 gets of token 0.

# %% tags=["demonstration"]
x = np.arange(24.0).reshape(1, 3, 8)
heads, bare = np.asarray(split_heads(x, 2)), x.reshape(1, 2, 3, 4)
print("after a round trip   :", np.array_equal(combine_heads(heads), x))
print("with bare reshapes   :", np.array_equal(bare.reshape(1, 3, 8), x))
print("token 0              :", x[0, 0])
print("head 1 of token 0    :", heads[0, 1, 0])
print("from a bare reshape  :", bare[0, 1, 0])


# %% [markdown]
# The bare reshape has 12 to 15 in place of 4 to 7: the second half of token 1, where head 1 of token 0 should be. So head 1 would compare parts of other tokens, a causal mask would block the wrong ones, and no shape would reveal it.

# %% [markdown]
# ## 3.5 Initial weight matrices
#
# **more · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●○○**
#
# A layer starts from random weight matrices. If they are too large, the activations grow from layer to layer; if they are too small, they vanish. Xavier initialization (Glorot and Bengio, 2010) keeps the size of activations and gradients about the same:
#
# $$\mathrm{std} = \sqrt{\frac{2}{\mathrm{fan\_in} + \mathrm{fan\_out}}}$$
#
# `fan_in` and `fan_out` are the numbers of inputs and outputs of the matrix: with `x @ W`, the rows and the columns of `W`. Here both are `d_model`, so std is $\sqrt{1/d_\mathrm{model}}$. With 64 features per token, this is 0.125.
#
# | operation | expression | shape |
# |---|---|---|
# | four separate draws from `rng` | normal, mean 0, std $\sqrt{1/d_\mathrm{model}}$ | `(d_model, d_model)` each |
# | the result | a dict with keys `W_q`, `W_k`, `W_v`, `W_o` | |
#
# Draw only from the `rng` that you are given. Then the same seed gives the same matrices, whatever the rest of the program draws.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the standard deviation of `a * z` if `z` is normal with standard deviation 1? And what would be wrong with four names for one matrix?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `rng.normal(loc, scale, size=...)`, whose `scale` is the standard deviation, not the variance. Or `rng.standard_normal(size)` and a factor.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     std = sqrt(2 / (fan_in + fan_out))
#     return a dict: for each of the four names, a new normal draw of shape (d_model, d_model)
# </details>

# %% solution init-params
def init_attention_params(d_model, rng):
    """Draw random weight matrices with Xavier initialization, from rng only.

    rng: a generator from np.random.default_rng.
    Returns a dict with W_q, W_k, W_v, W_o, each (d_model, d_model): independent, normal,
    mean 0, standard deviation sqrt(1 / d_model).
    """
    ### BEGIN SOLUTION
    std = np.sqrt(2 / (d_model + d_model))
    return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
    ### END SOLUTION


# %% [markdown]
# The test measures the standard deviation of 4 · 64² numbers. By chance alone it deviates by 3 % in fewer than one draw in a million.

# %% test init-params points=2
# Test of 3.5 Initial weight matrices (2 points). Run the checks cell first.
returns("init-params", tables="")
check("init-params", "the tables for d_model 64", count_matrices, 64, 35)
params = initial_params(64, 35)
for first, second in [param_names[i:j + 1:j - i] for i in range(4) for j in range(i + 1, 4)]:
    pair_of = params[first].ravel(), params[second].ravel()
    assert not np.allclose(*pair_of) and abs(np.corrcoef(*pair_of)[0, 1]) < 0.1, (
        f"{first} and {second} are the same draw\nMake a new draw for each of the four names.")
flat_list = np.concatenate([params[name].ravel() for name in param_names])
mean, std = flat_list.mean(), flat_list.std()
farthest = abs(flat_list - mean).max() / std
assert farthest > 2.5, (f"no number is further than {farthest:.2f} std from the mean\n"
    "Draw normal numbers, with rng.normal or rng.standard_normal, and keep them all: these are "
    "uniform, or cut off.")
assert abs(mean) < 0.06 * std, (f"the mean is {mean:.4f} and should be near 0\n"
    "Make the mean 0: in rng.normal it is the first argument, and the scale, which is the std, the "
    "second.")
known = [advice for other, advice in advice_by_std.items() if abs(std / other - 1) < 0.04]
assert abs(std / 0.125 - 1) < 0.03, f"with d_model 64, std is {std:.4f} and should be 0.125\n" + (
    known or ["Compute std as the root of 2 / (fan_in + fan_out), both of which are d_model."])[0]
small = np.std([initial_params(30, 35)[name] for name in param_names])
assert abs(small * 30**0.5
    - 1) < 0.08, (f"with d_model 30, std is {small:.4f} and should be {30**-0.5:.4f}\n"
    "Compute std from d_model, so that it is right for every size.")
check_plain_draws(params)
assert all(np.array_equal(initial_params(64, 35)[name], params[name]) for name in param_names), (
    "the same seed gave other numbers\nDraw from rng only, not from NumPy's global generator.")
assert not np.allclose(initial_params(64, 36)["W_q"], params["W_q"]), (
    "another rng gave the same numbers\nDraw from the rng that you are given, not from one of your "
    "own.")
### BEGIN HIDDEN TESTS
for d_model in (1, 2, 7, 20):
    drawn = [init_attention_params(d_model, np.random.default_rng(seed)) for seed in range(100)]
    tables = [[np.asarray(params[name], dtype=float) for name in param_names] for params in drawn]
    assert np.shape(tables) == (100, 4, d_model, d_model), f"with a small d_model, a shape is not right\nwith {d_model=}"
    spread = np.std(tables) * d_model**0.5
    assert abs(spread - 1) < 0.2, f"with a small d_model, std is not right\nwith {d_model=}, std times its root: {spread}"
for d_model in (96, 150, 300):
    tries = [init_attention_params(d_model, np.random.default_rng(seed)) for seed in (307, 307, 313)]
    params, again, other = [[np.asarray(one[name], dtype=float) for name in param_names] for one in tries]
    for name, entries in zip(param_names, params):
        which = f"\n{name}, with d_model={d_model}"
        assert entries.shape == (d_model, d_model), f"with another d_model, a shape is not right{which}"
        assert abs(entries.std() * d_model**0.5 - 1) < 0.05, f"with another d_model, std is not right{which}"
        z = entries / entries.std()
        assert abs(z.mean()) < 0.06 and 2.7 < (z**4).mean() < 3.3 and abs(z).max() > 3.1, f"not normal numbers with mean 0{which}"
    assert all(map(np.array_equal, params, again)), "the same seed gave other numbers: draw from rng only"
    alike = np.corrcoef([table.ravel() for table in (*params, *other, params[1].T)]) - np.eye(9)
    assert np.abs(alike).max() < 0.06, "tables that should be independent of each other are alike"
    # Reflections, permutations, scaled and negated copies share the sizes of their numbers; independent draws about 1 in 20 of these.
    sizes = np.round([abs(table - table.mean()) / table.std() for table in (*params, *other)], 9)
    assert len(np.unique(sizes)) > 0.9 * sizes.size, "tables that should be independent of each other share their numbers"
### END HIDDEN TESTS

# %% [markdown]
# Predict: tokens of 64 features with standard deviation 1 pass through twenty layers, each with its own random matrix. What is the standard deviation at the end, for a std of 1/d, of √(1/d), and of √(2/d)?

# %% tags=["demonstration"]
rng = np.random.default_rng(35)
for name, std in [("1/d     ", 1 / 64), ("√(1/d)  ", 64**-0.5), ("√(2/d)  ", (2 / 64)**0.5)]:
    token = rng.normal(size=(100, 64))
    for _ in range(20):
        token = token @ rng.normal(0, std, size=(64, 64))
    print(f"std {name} after 20 layers: {token.std():.2g}")

# %% [markdown]
# Each product multiplies the variance by $d \cdot \mathrm{std}^2$. For √(1/d) that is 1 on average, so the standard deviation stays near 1 (here 0.95). For 1/d the factor is 1/64, so after 20 layers it is about $8^{-20} \approx 10^{-18}$. For √(2/d) the factor is 2, and it grows by about $2^{10} = 1024$, here to 720.
#
# Lesson 01 explained √d_k for queries and keys with standard deviation 1. Does this initialization give them? Below, your matrices project 200 tokens, and four heads of depth 16 compare them. The other lines use your matrices divided by 8, and times √2.

# %% tags=["demonstration"]
rng = np.random.default_rng(36)
tokens, drawn_once = rng.normal(size=(1, 200, 64)), init_attention_params(64, rng)
for name, factor in [("1/d   ", 64**-0.5), ("√(1/d)", 1), ("√(2/d)", 2**0.5)]:
    q, k = (np.asarray(split_heads(tokens @ drawn_once[W] * factor, 4))[0] for W in ("W_q", "W_k"))
    scores = q @ k.swapaxes(1, 2) / 16**0.5
    largest = np.mean([max(shares_of(line)) for line in scores.reshape(-1, 200).tolist()])
    print(f"std {name} queries {q.std():.2f}, scaled scores {scores.std():.3f}, "
          f"largest of 200 weights {largest:.3f}")

# %% [markdown]
# With √(1/d), queries and scaled scores both have a standard deviation near 1: lesson 01's assumption holds. With 1/d all scores are nearly 0, and each key gets about 1/200 = 0.005. With √(2/d) the scores are spread twice as far, and attention is sharp before anything is learned.

# %% [markdown]
# ## 3.6 Many heads
#
# **★ core · <!-- points -->6 points<!-- end --> · about 22 minutes · difficulty ●●● · needs 3.3, 3.4**
#
# Now put it together. Project three inputs to queries, keys and values, split each into heads, compute attention in each head, put the heads side by side again, and multiply by `W_o`.
#
# **`Q`, `K` and `V` have another meaning here.** In lesson 01 and in 3.3 they were queries, keys and values. In this function they are the inputs *before* the projection, as in PyTorch's layer: the queries are `Q @ W_q`. In lesson 01, one head had one matrix `W_Q`. Here `W_q` holds the matrices of all heads, side by side. There are no biases.
#
# $$\mathrm{head}_h = \mathrm{attention}\big((Q W_q)_h,\ (K W_k)_h,\ (V W_v)_h\big)$$
#
# $$\mathrm{output} = [\mathrm{head}_0 \dots \mathrm{head}_{H-1}]\, W_o$$
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
# The mask has the shapes of 3.3 and applies to every head. NumPy aligns shapes at the last axis, so the batch axis of a mask `(batch, seq_q, seq_k)` is aligned with the head axis of the scores `(batch, heads, seq_q, seq_k)`. The picture shows which mask each of 2 sequences and 2 heads gets: 3 queries down, 4 keys across, blocked cells hatched.

# %% alt="Which mask each of 2 sequences and 2 heads gets: with shape (batch, 1, q, k) both heads of sequence 0 get mask 0 and both of sequence 1 get mask 1, but with shape (batch, q, k) head 0 gets mask 0 and head 1 gets mask 1 in both sequences." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
blocked_keys = [[[0, 0, 1, 1]] * 3, [[0, 0, 0, 1]] * 3]
titles = ["an axis of length 1 for the heads:\n(batch, 1, q, k)",
    "without that axis: (batch, q, k)\nis aligned as (1, batch, q, k)"]
figure, axes = plt.subplots(1, 2, figsize=(7.4, 4.2), layout="constrained")
for ax, title, given in zip(axes, titles, [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]):
    for b, h, i, j in np.ndindex(2, 2, 3, 4):
        mask_number = given[b][h]
        hatch = "////" if blocked_keys[mask_number][i][j] else None
        ax.add_patch(plt.Rectangle((5 * h + j, 5 * b + i), 1, 1, edgecolor="gray", hatch=hatch,
                                   facecolor=["#d6e6f5", "#fde3c8"][mask_number]))
        if (i, j) == (0, 0):
            wrong = "" if mask_number == b else ": wrong"
            ax.text(5 * h + 2, 5 * b - 0.2, f"mask {mask_number}{wrong}", ha="center", va="bottom",
                fontsize=10)
    ax.set(xlim=(-0.3, 9.3), ylim=(8.3, -1.2), aspect="equal")
    ax.set_xticks([2, 7], [0, 1])
    ax.set_yticks([1.5, 6.5], [0, 1])
    ax.set(xlabel="head", ylabel="sequence")
    ax.set_title(title, fontsize=10)
plt.show()


# %% [markdown]
# On the right, head `h` gets mask `h`, whatever the sequence. NumPy adds such a mask without an error if batch and heads have the same size, as here, or if there is only one head.
#
# As in 3.3, large scores must not overflow. Raise a `ValueError` if `num_heads` does not divide `d_model`, and if a query has every key blocked. Your functions of 3.3 and 3.4 already raise both errors, and are stable.
#
# <details><summary>Hint 1: a question</summary>
#
# What shape do the queries of head 1 have, for all sequences together? Which mask do they need? And if you compute all heads at once: which axis does the mask need between batch and queries?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your functions of 3.3 and 3.4: one head of all sequences has the shape that `scaled_dot_product_attention` takes, and it raises the errors for you. `np.stack(..., axis=1)` joins the heads along a new axis. Or compute everything at once, with `swapaxes(-1, -2)` and `mask[:, None]`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     q, k, v = split heads of Q @ W_q, K @ W_k, V @ W_v
#     for each head h:
#         output, weights = attention of q[:, h], k[:, h], v[:, h] with the mask
#     stack the outputs, and the weights, along axis 1
#     return combine heads of the outputs @ W_o, weights
# </details>
#
# <details><summary>I get “operands could not be broadcast together with shapes (2,4,3,5) (2,3,5)”, or no error and wrong numbers</summary>
#
# The mask of each sequence needs an axis of length 1 for the heads. With 2 sequences and 4 heads you see this error. With 2 and 2 there is no error: head 1 gets the mask of sequence 1. With a single head, the head axis is broadcast to the size of the batch.
# </details>

# %% solution multi-head builds_on=["masked-attention", "split-heads", "combine-heads"] edition="core"
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    """Compute attention with many heads, for a batch.

    Q: (batch, seq_q, d_model), K and V: (batch, seq_k, d_model),
    each W: (d_model, d_model).
    mask: None, or (seq_q, seq_k), or (batch, seq_q, seq_k),
    holding 0 (keep) and -inf (block).
    Returns (output, weights): (batch, seq_q, d_model)
    and (batch, num_heads, seq_q, seq_k).
    Raises ValueError if num_heads does not divide d_model, and if a
    query has every key blocked.
    """
    ### BEGIN SOLUTION
    q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
    heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
    outputs, weights = zip(*heads)
    return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 4: the attention weights of self-attention (2 points).** Four sequences of three tokens, each of 10 features, and two heads. `weights_of_heads` calls your function and returns the attention weights, `output_of_heads` returns the output.

# %% test multi-head-weights points=2
# Test of 3.6 Many heads, 1 of 4 (2 points). Run the checks cell first.
returns("multi-head", weights="sequence head query key")
check("multi-head", "self-attention with 2 heads", weights_of_heads, *[heads_x] * 3, 2, *heads_W)
check("multi-head", "self-attention with 5 heads", weights_of_heads, *[heads_x[:2]] * 3, 5,
    *heads_W)
check("multi-head", "self-attention with large scores", weights_of_heads, *[large_x] * 3, 2,
    *heads_W)
check("multi-head", "the weights of one token", weights_of_heads, *[heads_x[:1, :1]] * 3, 2,
    *heads_W)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(308)
for count, seq, heads, size in [(3, 5, 2, 4), (2, 4, 3, 5), *many_sizes(4, (1, 2, 5)), (3, 3, 3, 3), (9, 9, 9, 1), (2, 300, 2, 1), (2, 3, 2, 150)]:
    total = heads * size
    x, *W = rng.normal(size=(count, seq, total)), *rng.normal(size=(4, total, total)) / math.sqrt(total)
    cut, sizes = lambda a: np.stack(np.split(a, heads, axis=-1), axis=1), f"with {heads} heads of depth {size}, "
    for dtype, tolerance, factor in [(np.float64, 1e-9, 1), (np.float32, 1e-4, 1), (np.float64, 1e-3, 1e8), (np.float64, 1e-3, -1e8)]:
        if abs(factor) > 1:    # huge scores, all of one sign
            x, W = np.abs(x), [factor * np.abs(W[0]), np.abs(W[1]), *W[2:]]
        slow = softmax_of(cut(x @ W[0]) @ cut(x @ W[1]).swapaxes(2, 3) / size**0.5)
        given = x_in, *W_in = [array.astype(dtype) for array in (x, *W)]
        with np.errstate(all="ignore"):
            got = output_and_weights(multi_head_attention(x_in, x_in, x_in, heads, *W_in))[1]
        check_numbers(got, slow, "in the weights of other random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 4: the output of self-attention (1 point).** The same sequences, with a `W_q` that gives each query one key of weight 1, whatever the scores are divided by. So a wrong scale costs nothing here.

# %% test multi-head-output points=1
# Test of 3.6 Many heads, 2 of 4 (1 point). Run the checks cell first.
returns("multi-head", output="sequence query number")
check("multi-head", "the output of self-attention", output_of_heads, *[heads_x] * 3, 2, *clear_W)
check("multi-head", "the output for one token", output_of_heads, *[heads_x[:1, :1]] * 3, 2,
    *clear_W)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(311)
for count, seq, heads, size in [(3, 5, 2, 4), (2, 4, 3, 5), *many_sizes(4, (1, 2, 5)), (3, 3, 3, 3), (9, 9, 9, 1), (2, 300, 2, 1), (2, 3, 2, 150)]:
    total = heads * size
    x, *W = rng.normal(size=(count, seq, total)), *rng.normal(size=(4, total, total)) / math.sqrt(total)
    W[0][:] = 0
    sizes = f"with {heads} heads of depth {size}, "
    mixed = np.repeat((x @ W[2]).mean(axis=1, keepdims=True), seq, axis=1)    # all scores are 0
    for dtype, tolerance in [(np.float64, 1e-9), (np.float32, 1e-4)]:
        given = x_in, *W_in = [array.astype(dtype) for array in (x, *W)]
        got = output_and_weights(multi_head_attention(x_in, x_in, x_in, heads, *W_in))[0]
        check_numbers(got, mixed @ W[3], "in the output of other random arrays", tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, *W))), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 4: cross-attention and masks (2 points).** The queries are the tokens of Test 1. The scores are large, so that each query has one key with the weight 1, whatever they are divided by. Keys and values come from two other arrays. The first calls have as many queries as keys: many mistakes then run without an error, and the message can name them. The next calls have 3 queries and 6 keys. In the last call, the kept scores are lower than the blocked one.

# %% test multi-head-mask points=2
# Test of 3.6 Many heads, 3 of 4 (2 points). Run the checks cell first.
returns("multi-head", output="sequence query number", weights="sequence head query key")
cross = example_array(600, 4, 6, 10), example_array(900, 4, 6, 10), 2, *sharp_W
batch_mask_6 = np.array([[[0 if (2 * i + b + j) % 4 else -math.inf for j in range(6)]
    for i in range(3)]
                         for b in range(4)])
flat_mask_6 = np.array([[0 if (i + j) % 3 else -math.inf for j in range(6)] for i in range(3)])
few, other_three = heads_x[:2, :2], [array[:, :3] for array in cross[:2]]
two = *(array[:2] for array in cross[:2]), *cross[2:]
check("multi-head", "3 queries, 3 keys of other tokens", multi_head_attention, heads_x,
    *other_three, 2, *sharp_W)
check("multi-head", "2 sequences, 2 queries, 2 heads, a mask for each", multi_head_attention, few,
    *two, batch_mask_6[:2, :2])
check("multi-head", "2 sequences, 2 queries, 2 heads, a flat mask", multi_head_attention, few, *two,
    flat_mask_6[:2])
check("multi-head", "3 queries, 6 keys, a mask for each sequence", multi_head_attention, heads_x,
    *cross, batch_mask_6)
check("multi-head", "3 queries, 6 keys, a flat mask, large scores", multi_head_attention, large_x,
    *cross, flat_mask_6)
low = low_Q, low_K, low_V, 2, *[np.eye(6)] * 4, low_mask
check("multi-head", "with kept scores lower than the blocked one", multi_head_attention, *low)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(309)
for case, (count, rows, columns, heads, size) in enumerate([(3, 4, 6, 2, 5), *many_sizes(5, (1, 3)), (2, 2, 2, 2, 2), (4, 4, 4, 4, 4), (2, 5, 3, 4, 2), (9, 9, 9, 9, 1), (2, 1, 260, 2, 2)]):
    total = heads * size
    arrays = [rng.normal(size=(count, seq, total)) for seq in (rows, columns, columns)] + [*rng.normal(size=(4, total, total)) / math.sqrt(total)]
    cut = lambda a: np.stack(np.split(a, heads, axis=-1), axis=1)
    for turn, shape in enumerate([(rows, columns), (count, rows, columns)], case):
        for factor, mask in list(zip(np.roll([1e8, 1e8, -1e15, 1e8, 1e9], case), various_masks(rng, *shape)))[turn % 2::2]:
            # Large scores, for which the scale does not matter; some of them all of one sign.
            Q, K, V, *W = arrays
            W = [factor * W[0], *W[1:]]
            if abs(factor) > 1e8:
                Q, K, W = np.abs(Q), np.abs(K), [factor * np.abs(arrays[3]), np.abs(W[1]), *W[2:]]
            given = [array.copy() for array in (Q, K, V, *W, mask)]
            slow = softmax_of(cut(Q @ W[0]) @ cut(K @ W[1]).swapaxes(2, 3) / size**0.5 + (mask if mask.ndim == 2 else mask[:, None]))
            mixed = np.concatenate(np.moveaxis(slow @ cut(V @ W[2]), 1, 0), axis=-1) @ W[3]
            with np.errstate(all="ignore"):
                output, weights = output_and_weights(multi_head_attention(*given[:3], heads, *given[3:]))
            sizes, tolerance = f"with {heads} heads and a mask {in_words(shape)}, ", 1e-6 if abs(factor) == 1e8 else 1e-3
            check_numbers(weights, slow, "in the weights of other arrays, with a mask", tolerance, sizes)
            check_numbers(output, mixed, "in the output of other arrays, with a mask", tolerance, sizes)
            assert all(map(np.array_equal, given, (Q, K, V, *W, mask))), "an input was changed: make new arrays"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 4: invalid inputs (1 point).**

# %% test multi-head-errors points=1
# Test of 3.6 Many heads, 4 of 4 (1 point). Run the checks cell first.
returns("multi-head", output="sequence query number", weights="sequence head query key")
x, W, shut = example_array(0, 2, 3, 6), [example_array(start, 6, 6)
    for start in range(4)], np.zeros((2, 3, 3))
shut[1, 2] = -math.inf
many = multi_head_attention
check("multi-head", "6 numbers into 4 heads", many, x, x, x, 4, *W)
check("multi-head", "every key of query 2 blocked in sequence 1", many, x, x, x, 2, *W, shut)
check("multi-head", "every key of query 2 blocked in a flat mask", many, x, x, x, 2, *W, shut[1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(315)
with np.errstate(all="ignore"):
    for count, seq, total in [(2, 3, 6), (1, 1, 4), (4, 4, 4), (9, 2, 12)]:
        x, W = rng.normal(size=(count, seq, total)), rng.normal(size=(4, total, total))
        for heads in range(1, total + 3):
            masks = [None]
            for shape in [(seq, seq), (count, seq, seq)]:
                masks += various_masks(rng, *shape)
            for mask in masks:
                came = error_of(multi_head_attention, *(array.copy() for array in (x, x, x)), heads, *W.copy(), mask)
                assert came == "no error" or total % heads or mask is not None, f"what can be done is refused\n{heads} heads: {came}"
                assert came == "ValueError" or not total % heads, (
                    f"what can't be done does not always raise a ValueError\n{heads} heads: {came}")
            for full in masks[5::5] if total % heads == 0 else []:
                for place in {(0,) * (full.ndim - 1), tuple(n - 1 for n in full.shape[:-1])}:
                    mask = full.copy()
                    mask[place] = -math.inf
                    came = error_of(multi_head_attention, *(array.copy() for array in (x, x, x)), heads, *W.copy(), mask)
                    assert came == "ValueError", (
                        f"what can't be done does not always raise a ValueError\nevery key of query {place[-1]} blocked, {heads} heads: {came}")
### END HIDDEN TESTS

# %% [markdown]
# The figure shows sentence 0 in two heads, with random matrices and your masks: above with the padding mask alone, below with the causal mask alone. Look at the hatched cells: which of them are in both rows? (Rows of padded queries are left out.)

# %% alt="Attention weights of the cat sat with two pads in two heads: with the padding mask only the columns of padding are hatched, with the causal mask alone everything right of the diagonal is, which includes the padding; the two heads hold different numbers." tags=["demonstration"]
matrices = np.random.default_rng(33).normal(0, 8**-0.5, size=(4, 8, 8))
padding, causal = np.asarray(create_padding_mask(lengths, 5)), np.asarray(create_causal_mask(5))
figure, axes = plt.subplots(2, 2, figsize=(6.4, 4.6), layout="constrained")
cases = [("padding", padding, 0), ("causal", np.stack([causal] * 3), 0)]
for line, (name, mask, b) in zip(axes, cases):
    weights = np.asarray(multi_head_attention(X, X, X, 2, *matrices, mask)[1])
    for h, ax in enumerate(line):
        real, words = lengths[b], sentences[b]
        draw_weights(ax, weights[b, h, :real], np.isinf(mask[b, :real]), words[:real], words, "")
        ax.set_title(f"{name} mask, head {h}", fontsize=10)
plt.show()

# %% [markdown]
# The two heads give the same words different weights, and both have the same mask. Look at the lower row: for real queries the causal mask alone blocks the padding as well, since padding is at the end. So a missing padding mask goes unnoticed in a causal model, until somebody pads on the **left**: *[pad] [pad] the cat sat*. Predict: with both masks, which keys does query 0 keep?

# %% tags=["demonstration"]
front = np.asarray(create_causal_mask(5)) + np.array([-np.inf, -np.inf, 0, 0, 0])
try:
    scaled_dot_product_attention(X[:1], X[:1], X[:1], front)
except ValueError as problem:
    print("ValueError:", problem)

# %% [markdown]
# Query 0 is padding itself. The causal mask leaves it only key 0, and the padding mask blocks that one. Your 3.3 raises an error instead of returning NaN. Code that pads on the left must let those queries see at least one key; their outputs are ignored anyway.
#
# **What do many heads cost?** Predict: with `H` heads in place of one, what grows: the size of the matrices, the number of products for the scores, or the number of attention weights?
#
# <details><summary>The answer</summary>
#
# Only the last. The matrices are `(d_model, d_model)` for any number of heads. For each query and key, a head computes `d_model / H` products, so `H` heads compute `d_model`, as many as one head. But there are `H` tables of attention weights, and each head has less information: its scores are sums of `depth` products only.
#
# </details>
#
# **Two checks without a reference.** With the padding mask, the output for a sequence must be the same in a batch and alone. And the output of a layer with 2 heads must be the sum of two single heads, each with half of the columns of `W_q`, `W_k`, `W_v` and half of the rows of `W_o`.

# %% tags=["demonstration"]
together, _ = multi_head_attention(X, X, X, 2, *matrices, padding)
alone, _ = multi_head_attention(X[:1, :3], X[:1, :3], X[:1, :3], 2, *matrices)
print("same in the batch and alone:", np.allclose(together[0, :3], alone[0]))

# %% tags=["demonstration"]
added = 0
for h in range(2):
    part = slice(4 * h, 4 * h + 4)
    q, k, v = (X @ matrix[:, part] for matrix in matrices[:3])
    added = added + scaled_dot_product_attention(q, k, v, padding)[0] @ matrices[3][part]
print("sum of two single heads:", np.allclose(together, added))


# %% [markdown]
# ## 3.7 Bug hunt: six bugs
#
# **more · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●●**
#
# A colleague has written attention for a batch and tried it once: 3 sequences of 3 tokens with 3 features each. It ran, and all shapes were right. It has **six** bugs. Each is a single small change, and none raised an error.

# %% locked six-slips
def six_bugs(Q, K, V, mask):
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
_, wrong_weights = six_bugs(cube, cube, cube, np.zeros((3, 3)))
print("shape:", wrong_weights.shape)
print("row sums of sequence 0:", np.round(wrong_weights[0].sum(axis=-1), 2))


# %% [markdown]
# Read before you change anything. Write down the shape of every intermediate array, with *different* letters: `Q` is `(b, q, d)`, `K` is `(b, k, d)`, `V` is `(b, k, v)`. Two lines fit only because all sizes were 3. For the other lines, ask which properties scores and weights must have.
#
# List the six bugs, line by line, before your first run. Then copy the body into the next cell and fix it there. A mask is always given; it never blocks every key of a query, and no errors are required.
#
# <details><summary>Hint 1: a question</summary>
#
# `powers` is `(b, q, k)`. Which shape does its sum over the keys have? NumPy aligns shapes at the last axis: with which axis of `powers` is the last axis of the sum aligned?
# </details>
#
# <details><summary>Hint 2: how to isolate one bug</summary>
#
# Choose inputs for which the other bugs have no effect. With `Q` all 0, every score is 0, and only the line that computes the weights matters. With one sequence and equal queries, all rows must be equal, and must still depend on the keys.
# </details>
#
# <details><summary>Hint 3: what must hold</summary>
#
# | what must hold | question |
# |---|---|
# | the result for sequence 0 doesn't depend on sequence 1 | which axes of `K` may be swapped? |
# | more features per query do not spread the scores further | does the scale shrink or stretch them? |
# | a blocked key gets no weight | what is 5 − (−∞)? |
# | the same number is subtracted from all scores of a query | which axis does the maximum run along? |
# | each row sums to 1 | which operation does that? |
# | each row uses its **own** sum | which shape is aligned with the rows? |
#
# Four lines have one bug each, and one line has two.
# </details>
#
# <details><summary>I get “operands could not be broadcast together” or “mismatch in its core dimension”</summary>
#
# Sizes that differ have revealed a bug. Compare the two shapes in the message: is an axis missing, or are two axes swapped?
# </details>

# %% solution repaired-attention
def repaired_attention(Q, K, V, mask):
    """Compute masked attention: six_bugs without its bugs.

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
# Work through the first five calls of Test 1 in order: each one reveals a bug that the calls before it could not. The sixth bug is left to Test 2. `weights_of` calls your function and returns the attention weights.
#
# The arrays hold one 3×3 matrix per sequence: `permutations` has a single 1 in each row and column, `circulant` has 1, 2 and 3 in each. `open_mask` is all 0, so it blocks nothing.

# %% [markdown]
# **Test 1 of 2: without a mask (1 point).**

# %% test repaired-attention-weights points=1
# Test of 3.7 Bug hunt: six bugs, 1 of 2 (1 point). Run the checks cell first.
returns("repaired-attention", weights="sequence query key")
check("repaired-attention", "all scores 0", weights_of, all_zeros, permutations, open_mask)
check("repaired-attention", "each query fits one key", weights_of, 900 * identities, permutations,
    open_mask)
check("repaired-attention", "scores 1, 2 and 3 in each row and column", weights_of, circulant,
    identities, open_mask)
check("repaired-attention", "three equal queries", weights_of, all_zeros + 1,
    identities * [[0], [1], [2]], open_mask)
check("repaired-attention", "uneven scores", weights_of, example_array(0, 3, 3, 3),
    permutations * 1.5, open_mask)
check("repaired-attention", "sizes that differ", weights_of, tiny_Q, tiny_K, np.zeros((3, 4)))
check("repaired-attention", "scores of ±10000", weights_of, large_Q, tiny_K, np.zeros((3, 4)))
check("repaired-attention", "one query of one sequence", weights_of, tiny_Q[:1, :1], tiny_K[:1],
    np.zeros((1, 4)))
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(312)
for count, rows, columns, width, wide in [(2, 3, 5, 4, 6), *many_sizes(5, (1, 3)), (3, 6, 2, 5, 4), (2, 2, 2, 2, 2), (4, 4, 4, 4, 4), (9, 9, 9, 9, 9), (2, 3, 4, 300, 2)]:
    Q, K, V = random_arrays(rng, count, rows, columns, width, wide)
    for factor in (1, 1e8, -1e8):
        Q, K = (Q, K) if factor == 1 else (factor * np.abs(Q), np.abs(K))
        slow = softmax_of(np.einsum("bid,bjd->bij", Q, K) / width**0.5)
        with np.errstate(all="ignore"):
            _, weights = output_and_weights(repaired_attention(Q.copy(), K.copy(), V.copy(), np.zeros((rows, columns))))
        sizes = f"with Q {in_words(Q.shape)}, "
        check_numbers(weights, slow, "in the weights of other random arrays", 1e-6, sizes)
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: with a mask, and with sizes that differ (2 points).**

# %% test repaired-attention-mask points=2
# Test of 3.7 Bug hunt: six bugs, 2 of 2 (2 points). Run the checks cell first.
returns("repaired-attention", output="sequence query value", weights="sequence query key")
shut = np.where(permutations, -math.inf, 0)
fixed, tiny = repaired_attention, (tiny_Q, tiny_K, tiny_V)
check("repaired-attention", "all scores 0, nothing blocked", fixed, all_zeros, identities,
    permutations * 3, open_mask)
check("repaired-attention", "all scores 0, and one key of each query blocked", fixed, all_zeros,
    identities, permutations * 3, shut)
check("repaired-attention", "sizes that differ, a mask for each sequence", fixed, *tiny, batch_mask)
check("repaired-attention", "sizes that differ, a flat mask", fixed, *tiny, flat_mask)
check("repaired-attention", "scores of ±10000, some of them blocked", fixed, large_Q, tiny_K,
    tiny_V, batch_mask)
### BEGIN HIDDEN TESTS
softmax_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(310)
for case, (count, rows, columns, width, wide) in enumerate([(2, 3, 5, 4, 6), *many_sizes(5, (1, 3)), (3, 6, 2, 5, 4), (2, 2, 2, 2, 2), (4, 4, 4, 4, 4), (9, 9, 9, 9, 9), (2, 2, 260, 3, 2)]):
    arrays = random_arrays(rng, count, rows, columns, width, wide)
    for turn, shape in enumerate([(rows, columns), (count, rows, columns)], case):
        for scale, mask in list(zip(np.roll([1, 3e3, -1e15, 1, 1e8], case), various_masks(rng, *shape)))[turn % 2::2]:
            Q, K, V = [scale * np.abs(arrays[0]), np.abs(arrays[1]), arrays[2]] if abs(scale) > 1 else arrays
            given, sizes = [array.copy() for array in (Q, K, V, mask)], f"with a mask {in_words(shape)}, "
            with np.errstate(all="ignore"):
                slow = softmax_of(np.einsum("bid,bjd->bij", Q, K) / width**0.5 + mask)
                output, weights = output_and_weights(repaired_attention(*given))
            check_numbers(weights, slow, "in the weights of other arrays, with a mask", 1e-6, sizes)
            check_numbers(output, np.einsum("bij,bjv->biv", slow, V), "in the output of other arrays, with a mask", 1e-6, sizes)
            same = map(np.array_equal, given, (Q, K, V, mask))
            assert all(same), "an input was changed: make new arrays"
### END HIDDEN TESTS

# %% tags=["demonstration"]
fixed_output, fixed = repaired_attention(cube, cube, cube, np.zeros((3, 3)))
print("row sums of sequence 0:", np.round(np.asarray(fixed)[0].sum(axis=-1), 2))
print("same as 3.3:", np.allclose(fixed_output, scaled_dot_product_attention(cube, cube, cube)[0]))


# %% [markdown]
# <details><summary>The six bugs, to compare with your list</summary>
#
# The transpose swaps sequences with features; the scale multiplies; the mask is subtracted; the maximum runs over the queries; powers are multiplied by their sum; and that sum lacks `keepdims`.
#
# Which of them can you detect without a reference? Unequal sizes make two of them crash: the transpose and the missing `keepdims`. The row sums reveal the multiplication. With a mask that blocks a key for all queries, two more give NaN: the subtracted mask and the wrong maximum. Only the scale stays hidden, with rows that sum to 1 and the right shape.
#
# </details>
#
# So a good test uses sizes that all differ **and** a mask, **and** compares with an independent reference.

# %% [markdown]
# ## 3.8 Catch the bug
#
# **more · <!-- points -->4 points<!-- end --> · about 30 minutes · difficulty ●●● · needs 3.3**
#
# Now you are the tester. You get a function that is claimed to be `scaled_dot_product_attention` of 3.3. You can't read it, only call it. Write the test: `check_attention(candidate)` calls it with inputs of your choice, and returns `True` if it is right and `False` if it is wrong.
#
# | about your test | |
# |---|---|
# | a right candidate | meets all requirements of 3.3: values, masks, stability, errors. It may return lists |
# | a wrong candidate | returns wrong numbers or a wrong shape, or raises an error, for some **valid** input |
# | a valid input | float arrays with fitting sizes, scores up to about a million, the same batch size in `Q`, `K` and `V`, and a mask of 0 and −∞, flat or with one table per sequence, that leaves every query a key |
# | what you need not test | invalid inputs, changed inputs and float32: every wrong candidate can be caught without them |
# | tolerance | compare to about 1e-6, not exactly: another order of summation rounds differently |
#
# Your test is run on a hidden panel of right implementations, of some whose scores are all multiplied by a factor, and of 16 other wrong ones. Some are wrong only if `seq_q` and `seq_k` differ, only with a mask, only with more than one sequence, or only with large scores. Six of these 16 return the right numbers for every input of the visible tests of 3.3. Those inputs have one decimal, at most 2 sequences, 3 queries and 4 keys, and `d_k = 6`. Choose other sizes and numbers.
#
# | your test | points |
# |---|---|
# | catches at least 4, at least 8, at least 12, or all of the 16 | 1, 2, 3, or 4 |
# | catches none of the six | 0 |
# | accepts one whose scores are all multiplied by a factor: your test must know the scale | 0 |
# | rejects a right one: a test with false alarms is useless | 0 |
#
# Your test is called about a hundred times, so one call should take less than a second. The order of the panel is random, and each candidate is tested several times: a right one must be accepted, and a wrong one rejected, every time. If your test returns `None` or raises an error, a wrong candidate is not caught, and a right one counts as rejected.
#
# You need something to compare with: your own slow reference, numbers computed on paper, or properties that must hold.
#
# <details><summary>Hint 1: a question</summary>
#
# Think of your own mistakes in this lesson. For each: what is the smallest input that reveals it, and which inputs hide it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `try` and `except Exception` around the call, since a candidate may raise. `np.asarray(..., dtype=float)`, a comparison of shapes, then `np.allclose`, which is False for NaN. `np.errstate` silences NumPy's overflow warnings. `np.random.default_rng(0)` draws inputs.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     inputs: all sizes different; as many keys as queries; fewer keys, more keys;
#             more than two sequences; no mask, a flat mask, one mask per sequence;
#             large scores in one row and small ones in another
#     for each input: compute output and weights with loops
#                     try to call the candidate with copies
#                     return False after an exception, a wrong shape or wrong numbers
#     return True
# </details>
#
# <details><summary>My test rejects a right one</summary>
#
# Do you compare with `==`, or check the type of the result? Is each of your inputs valid? Did an earlier candidate change your arrays? Write a second right version yourself, with `np.einsum` and lists, and check that your test accepts it.
# </details>

# %% solution check-attention builds_on=["masked-attention"]
def check_attention(candidate):
    """Test candidate(Q, K, V, mask=None) against the requirements of 3.3.

    Returns True if it is right, else False. Never raises an error.
    """
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    for batch, seq_q, seq_k, d_k, d_v, size in [
            (3, 4, 6, 2, 5, 1), (2, 6, 3, 5, 4, 1), (2, 5, 5, 3, 4, 1), (2, 3, 4, 2, 5, 1e4)]:
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
# Practise on functions made from your own 3.3. The first line should print True. The others change the inputs or the result, and should print False. `verdict_of` calls your test, and returns its verdict or the error that it raised.

# %% tags=["demonstration"]
own = scaled_dot_product_attention
practice = {
    "3.3 itself": own,
    "ignores the mask": lambda Q, K, V, mask=None: own(Q, K, V),
    "scaled twice": lambda Q, K, V, mask=None: own(Q / Q.shape[-1] ** 0.5, K, V, mask),
    "keys of sequence 0": lambda Q, K, V, mask=None: own(Q, 0 * K + K[:1], V, mask),
    "output and weights swapped": lambda Q, K, V, mask=None: own(Q, K, V, mask)[::-1],
    "scaled by the number of keys": lambda Q, K, V,
    mask=None: own(Q * (Q.shape[2] / K.shape[1]) ** 0.5, K, V, mask),
    "mask 0 for all sequences": lambda Q, K, V, mask=None: own(
        Q, K, V, mask if mask is None or mask.ndim == 2 else mask[0]),
    "an error for a flat mask": lambda Q, K, V,
    mask=None: own(Q, K, V, mask if mask is None else mask[:, :, :]),
    "weights without the mask": lambda Q, K, V, mask=None: (own(Q, K, V, mask)[0], own(Q, K, V)[1]),
    "returns nothing": lambda Q, K, V, mask=None: None,
    "cuts off large numbers": lambda Q, K, V, mask=None: own(Q.clip(-9, 9), K.clip(-9, 9), V, mask),
}
for name, candidate in practice.items():
    print(f"{name:28}", verdict_of(candidate))

# %% [markdown]
# There are four test cells of one point each. The first one checks that your test returns True or False and rejects a function that returns only zeros. If your own function of 3.3 passes its three tests, your test must accept it, and reject it with all scores doubled. The other three cells print nothing here either way; they are scored with hidden implementations after you submit. The 16 mistakes are of seven kinds. Count how many of them your test looks for: other sizes than those of 3.3 (3 mistakes), numbers of queries and keys that differ or are equal (3), masks (3), several sequences (2), large scores (2), the shape and content of what is returned (2), more than one decimal (1).

# %% test check-attention-first-quarter points=1
# Test of 3.8 Catch the bug, 1 of 4 (1 point). Run the checks cell first.
caught, missed = [], "see the first of the four cells"
assert not require_verdict(zero_attention, "a function that returns only zeros"), (
    "your test accepts a function that returns only zeros\nCompare its numbers with your own, and "
    "return False if they differ.")
check_accepts_own()
### BEGIN HIDDEN TESTS
def candidate_with(slip, form):
    def attend(Q, K, V, mask=None):
        if {Q.ndim, K.ndim, V.ndim} != {3} or Q.shape[::2] != K.shape[::2] or K.shape[:2] != V.shape[:2]:
            raise ValueError("these can't be used together")
        n, (b, q, d), k = slip, Q.shape, K.shape[1]
        if n == "one length" and q != k or mask is not None and (np.isinf(mask).all(axis=-1).any()
                or mask.shape not in [(b, q, k), (q, k)][:1 if n == "needs a box" else 2]):
            raise ValueError("this can't be done")
        K, V = K[[0] * b] if n == "first keys" else K, V.round(1) if n == "one decimal" else V
        free = Q @ K.transpose(0, 2, 1) / ({"√6": 6, "√d_v": V.shape[2]}.get(n, d)**0.5 * (1 if form in forms else form))
        block = (np.zeros((b, q, k)) + (0 if mask is None else mask))[[0] * b if n == "first mask" else slice(None)]
        scores = free * (block == 0) if n == "zeros" else free + block
        scores[..., 4 if n == "four keys" else k:] = -np.inf
        row = {"axis": scores.shape.index(k) if n == "axis by its size" else 2, "keepdims": True}
        top = {"no maximum": 0, "one maximum": scores.max()}.get(n, scores.max(**row))
        weights = np.exp(scores - top) / np.exp(scores - top).sum(**row)
        weights[2 if n == "two sequences" else b:], weights[:, k if n == "as many queries as keys" else q:] = 0, 0
        return forms.get(form, forms["arrays"])(weights @ V, {"scores": free, "one axis more": weights[None]}.get(n, weights))
    return attend
forms = {"arrays": lambda *two: two, "lists": lambda *two: [table.tolist() for table in two], "column-major": lambda *two: tuple(map(np.asfortranarray, two)), "rounded otherwise": lambda *two: tuple(one * (1 + 1e-12) for one in two)}
kinds = {"other sizes than those of 3.3": ["√6", "√d_v", "four keys"], "numbers of queries and keys": ["one length", "as many queries as keys", "axis by its size"], "masks": ["needs a box", "first mask", "zeros"],
         "several sequences": ["first keys", "two sequences"], "large scores": ["no maximum", "one maximum"], "what is returned": ["scores", "one axis more"], "more decimals": ["one decimal"]}
slips, unseen = sum(kinds.values(), []), ["√6", "one decimal", "two sequences", "four keys", "as many queries as keys", "axis by its size"]
# First come candidates that differ only in scale; one is right, and nothing but its numbers tells which. A test that takes
# another one for right, or none, gets nothing, so what it sees after them comes too late. Then each slip comes as often as none.
order, all_slips = np.random.default_rng(globals().get("course_secret", 0)), ["", *slips]
scales = 2 ** ((order.permutation(count := order.integers(20, 29)) - order.integers(count - 3)) / 3)
turns = [order.permutation([*forms]) for _ in all_slips]
shown = [("", scale) for scale in scales] + [(all_slips[n], turns[n][turn]) for turn in range(4) for n in order.permutation(len(all_slips))]
with np.errstate(all="ignore"):
    said = {one: bool(verdict) if isinstance(verdict := verdict_of(candidate_with(*one)), (bool, np.bool_)) else "nothing" for one in shown}
assert not (refused := [form for form in [1, *forms] if said["", form] is not True]), f"your test rejects a right implementation\nthe one that gives {refused}"
assert not (fooled := [scale for scale in scales if scale != 1 and said["", scale] is True]), f"your test accepts an implementation with another scale than √d_k\ntimes {fooled}"
found = [slip for slip in slips if all(said[slip, form] is False for form in forms)]
missed = ", ".join(kind for kind, members in kinds.items() if not {*members} <= {*found})
assert {*found} & {*unseen}, f"your test catches none of the six that are right on the inputs of 3.3\nonly {found}"
assert len(caught := found) >= 4, f"your test catches less than a quarter of the wrong implementations; it misses some in: {missed}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-attention-second-quarter points=1
# Test of 3.8 Catch the bug, 2 of 4 (1 point). Run the checks cell first.
# At least 8 of the 16 wrong implementations, so at least 3 of the 7 kinds, are caught, and no right
# one is rejected.
assert verdict_of(zero_attention) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 8, f"your test catches less than half of the wrong implementations; it misses some in: {missed}\nonly {caught}"
### END HIDDEN TESTS

# %% test check-attention-third-quarter points=1
# Test of 3.8 Catch the bug, 3 of 4 (1 point). Run the checks cell first.
# At least 12 of the 16 wrong implementations, so at least 5 of the 7 kinds, are caught, and no
# right one is rejected.
assert verdict_of(zero_attention) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert len(caught) >= 12, (
    f"your test catches less than three quarters of the wrong implementations; it misses some in: {missed}\nonly {caught}")
### END HIDDEN TESTS

# %% test check-attention-last-quarter points=1
# Test of 3.8 Catch the bug, 4 of 4 (1 point). Run the checks cell first.
# All 16 wrong implementations, of all 7 kinds, are caught, and no right one is rejected.
assert verdict_of(zero_attention) in [True, False], "your test must return True or False"
### BEGIN HIDDEN TESTS
assert len(caught) == 16, f"your test does not catch all of the wrong implementations; it misses some in: {missed}\nonly {caught}"
### END HIDDEN TESTS

# %% [markdown]
# ## What you built
#
# You have attention as it is used in practice: for a batch, with masks that can be added to each other, with many heads that are slices of one array, for self-attention and cross-attention. For invalid inputs it raises an error, instead of returning NaN or a wrong number of the right shape.
#
# <!-- with: check-attention -->You have also been the tester. A test with random numbers, sizes that all differ, a batch larger than one, both kinds of mask and large scores catches most mistakes of this lesson. Missing errors and changed inputs need separate tests. <!-- end -->Lesson 04 builds the same layer as a PyTorch module. After the deadline you get the solved notebook.
#
# ### Three questions to think about
#
# 1. The padding mask does not block the rows of padded queries. Where in a larger model could their outputs still do harm, and how would you prevent it?
# 2. A mask could also contain finite numbers, such as −1 for every step of distance. What would that do to the attention weights?
# 3. A test that catches all known bugs can miss a new one. Which property of attention could you test that is not aimed at any particular bug?
#
# <details><summary>Answers</summary>
#
# 1. Wherever outputs of several tokens are combined: in a mean over the sequence, in a loss that counts all positions, and as keys of the next layer if its padding mask is forgotten. Take the mean and the loss over real positions only, and give every layer the mask.
# 2. Before the division by the row's sum, each step of distance multiplies a weight by $e^{-1} \approx 0.37$; ten steps multiply it by 0.00005. Near keys win, but no key is blocked, so no row is ever empty. Press, Smith and Lewis (2021) use such masks, with a different slope in each head, in place of positional encodings.
# 3. Properties of every right implementation: the order of keys, values and mask columns does not matter; a sequence has the same output alone and in a batch; the value at a blocked key changes nothing; equal values give an output equal to them. <!-- with: repaired-attention, check-attention -->Together they reveal five of the six bugs of 3.7, and six of the ten wrong functions of the practice table. They miss a wrong scale, clipped inputs, and returned weights that were not used. <!-- end -->A property for the scale: repeat the features of each query and key. The scaled scores then grow by exactly the factor √2.
# </details>
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.2 has the heads, 3.2.3 the mask.
# <!-- with: init-params -->- Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. Initialization.
# <!-- end -->- Ofir Press, Noah A. Smith, Mike Lewis: *Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation*, 2021. The finite mask of question 2.
# - Elena Voita, David Talbot, Fedor Moiseev, Rico Sennrich, Ivan Titov: *Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned*, 2019. What single heads do.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12.
