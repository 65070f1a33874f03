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
# # Cache and positions
#
# *Attention, Graded · lesson 08 · NumPy, PyTorch for 8.2 · about <!-- minutes -->72<!-- end --> minutes of exercises<!-- with: shift-gap -->, core 66<!-- end --> · <!-- points -->14<!-- end --> points*
#
# A language model writes one token at a time: it computes a token, appends it to the text, and starts again with the longer text. The keys and values of all earlier tokens are the same as in the step before. So **what was computed once is kept**: this is the *KV cache*, and every system that serves language models has one.
#
# You build attention with a cache (8.1), make the cache smaller by letting heads share keys (8.2), and count the bytes that each step reads (8.3). Then you mark the positions of tokens in such a way that a cached key stays valid, even when the beginning of the text is dropped (8.4). This lesson builds on lessons 03 and 04.

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
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. The question at the end is answered in words and read by a person. If you are stuck on an exercise, skip it and come back later: no exercise needs your code of an earlier one. Cells that draw or print call your functions, so they fail, or show wrong results, until those work. The times are estimates, and don't include reading and running such cells.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | the last two axes of queries, keys and values are tokens and features; other axes (sequences, heads) come before them |
# | **Queries are rows, keys are columns** | `scores[i, j]` belongs to query `i` and key `j`, and is the dot product divided by the root of the number of features per head |
# | **Each row of the attention weights sums to 1** | the softmax runs along the keys |
# | **The last query is the last token** | with `n_past` tokens in the cache, new token `i` is token `n_past + i` of the text, and sees all tokens up to itself |
# | **Shapes of the weight matrices** | they multiply from the right, as in `x @ W_q`, and are `(d_model, d_model)` |
# | **Heads** | head `h` owns the columns `h·head_size … (h+1)·head_size − 1` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% locked imports
import math
import time

import matplotlib.pyplot as plt
import numpy as np
import torch

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other

# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## What a step repeats, and what it can keep
#
# A model gets a *prompt*, the text to continue: *the cat sat*. It writes *on the mat*, and then an end mark. Predict: how many times is the key of *cat* computed in one head, if nothing is kept? The picture shows which keys and values each step needs.

# %% alt="Two tables, one above the other. Rows are four steps: the prompt of three tokens, then three written tokens; columns are the six tokens of the text. Above, without a cache, all cells up to each step's last token are orange: 18 computed. Below, with a cache, only the newest cells are orange, 6 in all; the 12 others are blue: read from the cache." tags=["demonstration"]
text, prompt = "the cat sat on the mat".split(), 3
fig, axes = plt.subplots(2, 1, figsize=(5.6, 5.6), layout="constrained")
for ax, cached in zip(axes, [False, True]):
    computed = 0
    for step in range(4):
        for token in range(prompt + step):
            new = not cached or step == 0 or token == prompt + step - 1
            computed += new
            ax.add_patch(plt.Rectangle((token, step), 1, 1,
                facecolor="#f0a13c" if new else "#8fb8de", edgecolor="white"))
            ax.text(token + 0.5, step + 0.5, "computed" if new else "cached", ha="center",
                va="center", fontsize=8)
    ax.set(xlim=(0, 6), ylim=(4, 0), xticks=np.arange(6) + 0.5, xticklabels=text,
        yticks=np.arange(4) + 0.5,
           yticklabels=["prompt", "1", "2", "3"])
    ax.set_title(f"{'with' if cached else 'without'} a cache: {computed} keys and values computed",
        fontsize=10)
    ax.tick_params(length=0)
    ax.set(xlabel="token of the text", ylabel="step")
plt.show()


# %% [markdown]
# Without a cache, the key of *cat* is computed four times, and each time with the same result: under the causal mask, a token depends only on itself and the tokens before it. With a cache, each step computes one new key and value, and reads all others.

# %% [markdown]
# ## 8.1 Attention with a cache
#
# **★ core · <!-- points -->4 points<!-- end --> · about 25 minutes · difficulty ●●●**
#
# Write a causal attention layer in NumPy that can receive its text in pieces. It has several heads, as in lesson 03. Each call passes one or more new tokens, and the cache of the tokens before them.
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values of the new tokens | `x @ W_q`, `x @ W_k`, `x @ W_v`, split into heads | `(num_heads, n_new, head_size)` |
# | all keys and values | those in the cache, then the new ones | `(num_heads, n_past + n_new, head_size)` |
# | scores | divided by $\sqrt{\mathrm{head\_size}}$ | `(num_heads, n_new, n_past + n_new)` |
# | causal mask | new token `i` is token `n_past + i` of the text, and sees all tokens up to itself | `(n_new, n_past + n_new)` |
# | output | softmax, times values, heads side by side, times `W_o` | `(n_new, d_model)` |
#
# `cache` is `None` at the beginning, then `(K, V)`, as your function returned it. A text that is passed in pieces must give the same output rows as in a single call. The cache that you get must not be modified: somebody may want to continue from it twice. Scores may be as large as ±1000.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 tokens in the cache and 2 new ones, the mask has 2 rows and 5 columns. Which of the ten entries are blocked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `reshape(n_new, num_heads, head_size)` and `transpose(1, 0, 2)` split into heads; `transpose(1, 0, 2)` and `reshape(n_new, d_model)` merge them again. `np.concatenate([old, new], axis=1)` returns a new array. `np.arange`, compared with a column of indices.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# q, k, v = x times W_q, W_k, W_v, each split into heads
# if there is a cache: concatenate its keys and k, its values and v, along the tokens
# n_past  = number of tokens in the cache, or 0
# scores  = q times k with its last two axes swapped, divided by sqrt(head_size)
# scores  = -inf where the key's index > n_past + the query's index
# weights = softmax of scores along the keys, with the row maximum subtracted
# output  = weights times v, heads merged, times W_o
# return output, (k, v)
# ```
# </details>
#
# <details><summary>I get “all the input array dimensions except for the concatenation axis must match exactly”</summary>
#
# In keys and values that are split into heads, the tokens are on axis 1: `(num_heads, tokens, head_size)`. Concatenation along axis 0 would add heads, along axis 2 it would make heads larger.
# </details>

# %% solution attend-with-cache builds_on=[] edition="core"
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    """Return causal attention of new tokens to the cached ones and themselves, and the new cache.

    x: (n_new, d_model). cache: None or (K, V), each (num_heads, n_past, head_size).
    W_q, W_k, W_v, W_o: (d_model, d_model), from the right.
    Returns (output, cache): (n_new, d_model), and (K, V) of n_past + n_new tokens.
    Does not modify its inputs, nor the cache.
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


# %% test attend-with-cache points=4
# Test of 8.1 Attention with a cache (4 points). Run the checks cell first.
returns("attend-with-cache", output="token feature", K="head token feature", V="head token feature")
past = [keys_and_values(five_tokens[:n], four_matrices, 2) for n in (2, 4)]
check("attend-with-cache", "tokens 0 to 3, nothing before", attend_with_past, five_tokens[:4], None,
    None, *four_matrices, 2)
check("attend-with-cache", "tokens 2 and 3", attend_with_past, five_tokens[2:4], *past[0],
    *four_matrices, 2)
check("attend-with-cache", "token 4", attend_with_past, five_tokens[4:], *past[1], *four_matrices,
    2)
wide_past, large_past = keys_and_values(wide_tokens[:4], wide_matrices,
    3), keys_and_values(large_tokens[:4], wide_matrices, 4)
check("attend-with-cache", "3 heads of 4 features, 3 tokens after 4", attend_with_past,
    wide_tokens[4:], *wide_past, *wide_matrices, 3)
check("attend-with-cache", "4 heads, with large scores", attend_with_past, large_tokens[4:],
    *large_past, *wide_matrices, 4)
low_past = keys_and_values(low_tokens[:3], wide_matrices, 3)
check("attend-with-cache", "2 tokens after 3, all scores of a head near −1000", attend_with_past,
    low_tokens[3:], *low_past, *wide_matrices, 3)
check("attend-with-cache", "3 tokens, nothing before, 2 heads", attend_with_past, wide_tokens[:3],
    None, None, *wide_matrices, 2)
### BEGIN HIDDEN TESTS
def whole_text(x, W, heads):
    """The output of a text in one call, and its keys and values."""
    q, k, v = (np.stack(np.split(x @ w, heads, axis=1)) for w in W[:3])
    dots = np.where(np.tri(len(x)) > 0, np.einsum("hic,hjc->hij", q, k) / q.shape[2]**0.5, -np.inf)
    terms = np.exp(dots - dots.max(axis=2, keepdims=True))
    mixed = np.einsum("hij,hjc->ihc", terms / terms.sum(axis=2, keepdims=True), v).reshape(x.shape)
    return mixed @ W[3], k, v


for seed, (n, d_model, heads, cuts, level) in enumerate([(9, 6, 2, [4, 5, 6, 9], 1), (11, 12, 3, [1, 2, 7, 11], 1),
        (7, 8, 4, [7], 1), (10, 6, 3, [2, 4, 7, 10], 30), (8, 6, 1, [3, 6, 8], 1), (9, 6, 3, [1, 5, 9], 1e3), (80, 4, 2, [70, 80], 1), (43, 40, 8, [1, 42, 43], 1), (22, 3, 3, [*range(1, 23)], 1),
        (1, 1, 1, [1], 1), (2, 1, 1, [1, 2], 1), (4, 4, 4, [2, 4], 1), (8, 8, 8, [8], 1), (300, 2, 1, [1, 300], 1), (6, 24, 12, [3, 6], -40), (5, 6, 2, [4, 5], 1e-3), (5, 6, 2, [4, 5], 0), (9, 6, 2, [4, 5, 6, 9], 1)], 170):
    rng = np.random.default_rng(seed)
    x, W = level * rng.normal(size=(n, d_model)), [rng.normal(size=(d_model, d_model)) / d_model**0.5 for _ in range(4)]
    (full, k, v), cache, start = whole_text(x, W, heads), None, 0
    for end in cuts:
        given = x[start:end].copy(), *(cache or ()), *(w.copy() for w in W)
        before = [one.copy() for one in given]
        with np.errstate(all="ignore"):
            output, made = result_parts(attend_with_cache(given[0], cache and (given[1], given[2]), *given[-4:], heads), 2, "output, cache", (tuple, list))
        made = result_parts(made, 2, "K, V as the cache", (tuple, list))
        sizes = f"with {n=}, {d_model=}, {heads=}, cut {len(cuts)} times, tokens {start} to {end - 1}, "
        check_numbers(output, full[start:end], "in the output", sizes)
        for name, mine, right in zip(["keys", "values"], made, (k, v)):
            check_numbers(mine, right[:, :end], f"in the {name} of the cache", sizes)
        check_unchanged(given, before)
        # Continue from a copy of the correct cache.
        cache, start = (k[:, :end].copy(), v[:, :end].copy()), end
# Continue twice from one cache of the submission, then go on from the first of the two.
for n_past, n_new, n_more in [(3, 1, 1), (1, 4, 2), (9, 2, 5), (16, 1, 16), (40, 3, 1)]:
    x, other = rng.normal(size=(n_past + n_new + n_more, 6)), rng.normal(size=(n_new, 6))
    W = [rng.normal(size=(6, 6)) / 2 for _ in range(4)]
    (full, k, v), parts = whole_text(x, W, 2), np.split(x, [n_past, n_past + n_new])
    right, go_on = whole_text(np.concatenate([parts[0], other]), W, 2)[2], lambda x, cache: attend_with_cache(x.copy(), cache, *(w.copy() for w in W), 2)
    cache = go_on(parts[0], None)[1]
    kept = [np.array(one) for one in cache]
    first, second = go_on(parts[1], cache)[1], go_on(other, cache)[1]
    check_unchanged([np.asarray(one) for one in cache], kept)
    output, (keys, values) = go_on(parts[2], first)
    sizes = f"with {n_past=}, {n_new=}, {n_more=}, "
    check_numbers(output, full[n_past + n_new:], "in the output after two texts continue from one cache", sizes)
    check_numbers(keys, k, "in the keys after two texts continue from one cache", sizes)
    check_numbers(values, v, "in the values after two texts continue from one cache", sizes)
    check_numbers(second[1], right, "in the values of the second of two texts that continue from one cache", sizes)
### END HIDDEN TESTS

# %% [markdown]
# How much does the cache save? The next cell processes 64, 128 and 256 tokens one by one, with your cache and without. Without it, all tokens so far go through the layer at each step, and only the last row is used. Predict: for twice as many tokens, how many times as long does each version take?

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
          f"{1e3 * (seconds[2] - seconds[1]):6.1f} ms without; gap to one pass {gap:.0e}",
          flush=True)


# %% [markdown]
# Without the cache, token $t$ costs the projections of $t$ tokens and $t^2$ scores. With it, it costs the projections of one token and $t$ scores. So from 128 to 256 tokens, the arithmetic grows by a factor of 2.7 with the cache, and 5.6 without it. For much longer texts, the factors approach 4 and 8. The measured times grow differently. With the cache, most of the time here is the overhead of each call. Without the cache, the measured times can grow more than 5.6-fold: the arrays of a long text no longer fit into the processor's fast memory, and other programs slow down NumPy's threads.

# %% [markdown]
# ## 8.2 Heads that share keys
#
# **★ core · <!-- points -->2 points<!-- end --> · about 12 minutes · difficulty ●●○**
#
# The cache of a large model takes gigabytes, and each step reads all of it. To make it smaller, several query heads share the keys and values of one key head. With a single key head for all, this is *multi-query attention*, MQA (Shazeer, 2019). With several, it is *grouped-query attention*, GQA (Ainslie and others, 2023). The attention of lesson 03, in which each head has its own keys, is called *multi-head attention*, MHA. (This exercise uses PyTorch, and such heads are trained: gradients must flow through your function to Q, K and V, so no `.detach()`, `.data` or NumPy.)
#
# The groups are **contiguous**: with 6 query heads and 2 key heads, query heads 0, 1, 2 use key head 0, and query heads 3, 4, 5 use key head 1. In code: query head `h` uses key head `h // (num_heads // kv_heads)`.
#
# | operation | expression | shape |
# |---|---|---|
# | queries | `Q` | `(batch, num_heads, seq_q, d_k)` |
# | keys, values | `K`, `V` | `(batch, kv_heads, seq_k, d_k)`, `(batch, kv_heads, seq_k, d_v)` |
# | output | attention of each query head, scores divided by $\sqrt{d_k}$, no mask | `(batch, num_heads, seq_q, d_v)` |
#
# If `kv_heads` does not divide `num_heads`, raise a `ValueError` whose message contains both numbers. Scores may be as large as ±1000.
#
# <details><summary>Hint 1: a question</summary>
#
# You may copy each key head for its query heads. The order of the key heads must then be 0, 0, 0, 1, 1, 1. Which function produces this order, and which one produces 0, 1, 0, 1, 0, 1?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `K.repeat_interleave(3, dim=1)`, or `Q.unflatten(1, (kv_heads, -1))` with `K[:, :, None]`. `transpose(-2, -1)`, `@`, `softmax(dim=-1)`, which is stable by itself. Compare with `repeat` before you choose.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# num_heads, kv_heads = from the shapes of Q and K
# if kv_heads does not divide num_heads: raise ValueError with both numbers
# group = number of query heads per key head
# repeat each head of K and of V group times, copies next to each other
# return softmax(Q times K transposed / sqrt(d_k)) times V
# ```
# </details>

# %% solution grouped-query-attention edition="core"
def grouped_query_attention(Q, K, V):
    """Return attention in which contiguous groups of query heads share a head of keys and values.

    Q: (batch, num_heads, seq_q, d_k), K: (batch, kv_heads, seq_k, d_k),
    V: (batch, kv_heads, seq_k, d_v).
    Returns (batch, num_heads, seq_q, d_v). Does not modify its inputs.
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


# %% test grouped-query-attention points=2
# Test of 8.2 Heads that share keys (2 points). Run the checks cell first.
returns("grouped-query-attention", output="sequence head query value")
check("grouped-query-attention", "6 heads, 2 key heads", grouped_query_attention, *six_heads)
check("grouped-query-attention", "8 heads, 4 key heads", grouped_query_attention,
    *group_inputs(3, 3, 8, 4, 2, 6, 5, 3))
check("grouped-query-attention", "MHA: 3 heads, 3 key heads", grouped_query_attention,
    *group_inputs(5, 2, 3, 3, 5, 4, 2, 6))
check("grouped-query-attention", "MQA: 4 heads, 1 key head", grouped_query_attention,
    *group_inputs(9, 2, 4, 1, 3, 5, 4, 2))
large_heads = group_inputs(1, 2, 4, 2, 3, 5, 6, 4)
check("grouped-query-attention", "with scores near ±1000", grouped_query_attention,
    130 * large_heads[0], *large_heads[1:])
check("grouped-query-attention", "6 heads and 4 key heads", grouped_query_attention,
    *group_inputs(0, 2, 6, 4, 3, 5, 2, 4))
check_error_names_both(6, 4)
check_gradients("grouped-query-attention", "gradients", grouped_query_attention,
    **{name: one.float() for name, one in zip("QKV", group_inputs(7, 2, 4, 2, 3, 5, 2, 3))})
### BEGIN HIDDEN TESTS
cases = [(2, 6, 2, 4, 5, 3, 7), (3, 6, 3, 5, 4, 2, 3), (2, 4, 1, 3, 6, 5, 2), (1, 3, 3, 2, 5, 4, 3), (2, 8, 2, 3, 4, 3, 5), (2, 4, 2, 3, 5, 4, 3), (9, 24, 8, 3, 41, 20, 21), (10, 12, 1, 43, 2, 1, 1), (1, 1, 1, 1, 1, 1, 1),
         (4, 4, 4, 4, 4, 4, 4), (8, 8, 4, 8, 8, 8, 8), (1, 20, 10, 1, 300, 2, 3), (2, 40, 4, 1, 1, 3, 1), (3, 18, 2, 6, 1, 40, 41), (2, 6, 2, 4, 5, 3, 7)]
for seed, (batch, heads, kv, n_q, n_k, d_k, d_v) in enumerate(cases, 270):
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=size) if seed != 275 else rng.integers(-3, 4, size).astype(float)
              for size in [(batch, heads, n_q, d_k), (batch, kv, n_k, d_k), (batch, kv, n_k, d_v)]]
    if seed == 275:
        arrays[0], arrays[1] = 60 * arrays[0], 2 * arrays[1]
    Q, K, V = arrays
    own = np.arange(heads) * kv // heads
    dots = np.einsum("bhic,bhjc->bhij", Q, K[:, own]) / d_k**0.5
    terms = np.exp(dots - dots.max(axis=-1, keepdims=True))
    expected = np.einsum("bhij,bhjc->bhic", terms / terms.sum(axis=-1, keepdims=True), V[:, own])
    given = [torch.tensor(one) for one in arrays]
    got = grouped_query_attention(*given)
    check_numbers(got, expected, "in the output of other arrays", f"with {batch=}, {heads=}, key heads {kv}, {n_q=}, {n_k=}, {d_k=}, {d_v=}, ",
                  tolerance=1e-3 if seed == 275 else 1e-6)  # equal scores near 1000 differ by rounding in 32 bits
    check_unchanged([one.numpy() for one in given], arrays)
    if seed < 274:
        check_gradients("grouped-query-attention", "gradients, with other arrays", grouped_query_attention,
                        **{name: torch.tensor(one).float() for name, one in zip("QKV", arrays)}, right=lambda Q, *rest:
                        torch.nn.functional.scaled_dot_product_attention(Q, *(one.repeat_interleave(heads // kv, 1) for one in rest)))
for heads, kv in [(6, 4), (5, 2), (3, 7), (1, 2), (2, 4), (48, 32), (41, 40)]:
    try:
        grouped_query_attention(*(torch.ones(2, n, 3, 2) for n in (heads, kv, kv)))
        raise AssertionError(f"{heads} heads and {kv} key heads must raise a ValueError")
    except ValueError as error:
        assert str(heads) in str(error) and str(kv) in str(error), f"the error must name {heads} and {kv}"
### END HIDDEN TESTS

# %% [markdown]
# PyTorch has this built in. The next cell compares your function with it, and with key heads that are repeated in the wrong order. Predict: which of the 6 heads get the right keys by chance?

# %% tags=["demonstration"]
Q, K, V = group_inputs(4, 2, 6, 2, 3, 5, 4, 4)
theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
wrong = torch.nn.functional.scaled_dot_product_attention(Q, K.repeat(1, 3, 1, 1),
    V.repeat(1, 3, 1, 1))
print(f"gap to PyTorch: {(grouped_query_attention(Q, K, V) - theirs).abs().max():.0e}")
print("gap of the wrong order, per head:", [f"{one:.2f}"
    for one in (wrong - theirs).abs().amax(dim=(0, 2, 3))])


# %% [markdown]
# Only heads 1 and 4 are wrong: 0, 1, 0, 1, 0, 1 and 0, 0, 0, 1, 1, 1 agree at the other heads. The shape is right everywhere, so no error warns you. If the weights of a model were trained with one order and are used with the other, the model writes nonsense.

# %% [markdown]
# ## 8.3 What a step costs in bytes
#
# **★ core · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●○○**
#
# At each step of *decoding*, as writing token by token is called, the model computes one new token per sequence. Its queries meet all cached keys, and its weights multiply all cached values. So every number in the cache has to be moved to the processor, which does little with it. Count for a whole model, with `seq_len` tokens in the cache:
#
# | what | what it counts |
# |---|---|
# | `cache_bytes` | all keys and all values, in all layers, of all sequences: per token, there are `num_kv_heads` heads of `head_size` numbers each |
# | `multiply_adds` | the scores and the weighted sums, for all `num_heads` query heads, of one new token per sequence. A *multiply-add* is one product and its addition, counted as one. Projections don't count, nor does the new token's own key |
# | `intensity` | multiply-adds per byte of the cache, a float |
#
# A small example: one sequence, one layer, 10 cached tokens, 4 query heads, 2 key heads of 3 features, and 4 bytes per number. The keys are 10 · 2 · 3 = 60 numbers, and so are the values: 480 bytes. The scores take 10 · 4 · 3 = 120 multiply-adds, and so do the weighted sums: 240. The intensity is 0.5.
#
# <details><summary>Hint 1: a question</summary>
#
# For one query head, one layer and one sequence: how many multiply-adds do the scores with `seq_len` keys take, and how many does the weighted sum of `seq_len` values take?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# You only need products, and one quotient. Both counts have a factor 2, for different reasons: keys and values, scores and weighted sums.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# tokens = number of cached tokens of all sequences, times layers
# cache_bytes   = 2 times tokens times key heads times features per head times bytes per number
# multiply_adds = 2 times tokens times query heads times features per head
# return both, and multiply_adds divided by cache_bytes
# ```
# </details>

# %% solution decode-cost edition="core"
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    """Return the cost of one step of writing, with seq_len tokens in the cache.

    Returns (cache_bytes, multiply_adds, intensity): the bytes of all keys and values,
    the multiply-adds of scores and weighted sums for one new token per sequence, and
    the second divided by the first.
    """
    ### BEGIN SOLUTION
    cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
    multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
    return cache_bytes, multiply_adds, multiply_adds / cache_bytes
    ### END SOLUTION


# %% test decode-cost points=2
# Test of 8.3 What a step costs in bytes (2 points). Run the checks cell first.
returns("decode-cost", cache_bytes="", multiply_adds="", intensity="")
check("decode-cost", "7 sequences, 15 heads, 5 key heads", decode_cost, 7, 11, 13, 15, 5, 17, 4)
check("decode-cost", "2 sequences, 6 heads, 2 key heads", decode_cost, 2, 5, 3, 6, 2, 8, 4)
check("decode-cost", "3 sequences, 4 heads, 1 key head", decode_cost, 3, 7, 2, 4, 1, 5, 2)
check("decode-cost", "1 sequence, 10 heads, 10 key heads", decode_cost, 1, 11, 4, 10, 10, 3, 1)
### BEGIN HIDDEN TESTS
for case in [(1, 4096, 32, 32, 32, 128, 2), (3, 1000, 80, 64, 8, 128, 2), (4, 17, 5, 12, 3, 7, 4), (2, 9, 6, 8, 1, 16, 1), (1, 1, 1, 1, 1, 1, 1), (3, 3, 3, 3, 3, 3, 3),
             (1, 6, 1, 6, 2, 1, 8), (512, 131072, 126, 128, 8, 128, 2), (1, 10_000_000, 1, 40, 10, 64, 8), (300, 1, 2, 41, 41, 1, 3)]:
    batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number = case
    stored = sum(math.prod([batch, layers, seq_len, num_kv_heads, head_size, bytes_per_number]) for _ in ("keys", "values"))
    work = sum(math.prod([batch, layers, seq_len, num_heads, head_size]) for _ in ("scores", "mixing"))
    got, names = decode_cost(*case), ["cache_bytes", "multiply_adds", "intensity"]
    got = as_array([got[name] for name in names] if isinstance(got, dict) else got)
    assert got.shape == (3,), "the result is not 3 numbers\nreturn (cache_bytes, multiply_adds, intensity)"
    for name, mine, right in zip(names, got, (stored, work, work / stored)):
        check_numbers(mine, right, f"in {name}", f"with {batch=}, {seq_len=}, {layers=}, {num_heads=}, ", tolerance=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# Two published models, with 2 bytes per number: Llama 2 7B has 32 layers and 32 heads of 128 features, each with its own keys. Llama 2 70B has 80 layers and 64 heads of 128 features, but only 8 key heads. Predict: which of the two has the larger cache at 4096 tokens? (1 GiB is $2^{30}$ bytes, and 1 MiB is $2^{20}$ bytes.)

# %% tags=["demonstration"]
for name, *sizes in [("Llama 2 7B", 32, 32, 32), ("Llama 2 70B", 80, 64, 8),
        ("70B, if MHA", 80, 64, 64), ("70B, if MQA", 80, 64, 1)]:
    stored, work, intensity = decode_cost(1, 4096, *sizes, 128, 2)
    print(f"{name:12}: {stored / 2**30:6.3f} GiB, {stored // 4096:9,} bytes per token, "
        f"{intensity:4.1f} multiply-adds per byte")

# %% alt="The cache in GiB over the number of tokens, up to 32,768, for 80 layers and 64 heads. Three straight lines from 0: MHA rises to 80 GiB, 8 key heads to 10, MQA to a little over 1." tags=["demonstration"]
tokens = np.arange(0, 32769, 2048)
fig, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for kv_heads, style, name in [(64, "-", "MHA, 64 key heads"), (8, "--", "GQA, 8 key heads"),
        (1, ":", "MQA, 1 key head")]:
    ax.plot(tokens, [decode_cost(1, n, 80, 64, kv_heads, 128, 2)[0] / 2**30 if n else 0
        for n in tokens.tolist()], style, linewidth=2, label=name)
ax.set(xticks=range(0, 32769, 8192), xlabel="tokens in the cache", ylabel="cache of one text, GiB")
ax.legend()
plt.show()


# %% [markdown]
# The larger model has the smaller cache, thanks to shared keys. And per byte that is read, it computes eight times as much. A large graphics processor can do about a hundred multiply-adds in the time it takes to read one byte from its memory. So the time of a step is determined by the bytes, not by the arithmetic.
#
# You can measure this. The next cell computes one step with 8 query heads and 32,768 keys. The queries are the same, and so is the number of multiply-adds, 33.6 million. Only the number of key heads changes.

# %% tags=["demonstration"]
def best_time(function):
    """Return the shortest time of seven runs, in seconds."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


rng = np.random.default_rng(3)
queries = torch.tensor(rng.normal(size=(8, 64)), dtype=torch.float32)
for kv_heads in [8, 4, 2, 1]:
    K = torch.tensor(rng.normal(size=(kv_heads, 32768, 64)), dtype=torch.float32)  # used for V, too
    grouped = queries.reshape(kv_heads, -1, 64)
    seconds = best_time(lambda: (grouped @ K.transpose(-2, -1) / 8).softmax(dim=-1) @ K)
    print(f"{kv_heads} key heads, {2 * K.numel() * 4 / 2**20:5.1f} MiB to read: "
        f"{1e3 * seconds:5.2f} ms", flush=True)


# %% [markdown]
# The same work takes much less time. Not all of this comes from the bytes: with several queries per key head, the product is matrix times matrix, which processors compute more efficiently than matrix times vector. Both have one cause: each number is used more than once after it was read. (On a busy machine you may see the difference only between the first line and the last.)

# %% [markdown]
# ## Where in the text is a token?
#
# Attention without a mask doesn't know the order of its tokens: permute the keys together with their values, and the output is the same. So the queries and keys must contain the position. While the text only grows, every cached key stays valid. If its beginning is dropped and the rest is numbered anew, a cached key is still right only if the scores depend on nothing but the *distance* of two tokens. The usual way to achieve this is to **rotate** queries and keys.

# %% [markdown]
# ## 8.4 Rotary positions
#
# **★ core · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# Take the features of a query in pairs: (0, 1), (2, 3), and so on. Each pair is a point in the plane. Rotate it around the origin by an angle that grows with the token's position. Do the same to the keys. The dot product of two rotated points depends only on the **difference** of their angles. So a score depends on how far apart two tokens are, and on which comes first, but not on their absolute positions. These are *rotary positions*, RoPE (Su and others, 2021).
#
# Each pair rotates at its own speed: with `d` features, pair `i` of the token at position `p` rotates by
#
# $$p \cdot \theta_i \qquad \theta_i = \mathrm{base}^{-2i/d} \qquad i = 0, 1, \dots, d/2 - 1$$
#
# in radians. Pair 0 rotates by 1 per position, the last pair hardly at all. A point $(a, b)$, rotated by the angle $\varphi$, becomes
#
# $$(a \cos\varphi - b \sin\varphi,\;\; a \sin\varphi + b \cos\varphi)$$
#
# | operation | expression | shape |
# |---|---|---|
# | speeds | $\mathrm{base}^{-2i/d}$ | `(d/2,)` |
# | angles | position times speed | `(n, d/2)` |
# | first and second feature of each pair | features 0, 2, 4, … and 1, 3, 5, … | `(…, n, d/2)` |
# | result | rotated, each feature in its original place | `(…, n, d)` |
#
# `x` may have any number of axes before the last two, and may contain integers. Positions are any real numbers, in any order. If `d` is odd, raise a `ValueError` whose message contains it.
#
# <details><summary>Hint 1: a question</summary>
#
# The new first feature needs the old second one, and the new second feature needs the old first one. What happens if you overwrite the first before you compute the second?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `x[..., 0::2]` and `x[..., 1::2]` are the first and the second features of all pairs. You can also assign to such slices, in a new array from `np.empty(x.shape)`. `np.arange(0, d, 2)` contains the numbers 2i. `np.asarray(positions)[:, None]`, `np.cos`, `np.sin`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# if d is odd: raise ValueError with d
# speeds = base to the power of (-2i / d)              # (d/2,)
# angles = positions as a column times speeds          # (n, d/2)
# a, b   = first and second features of the pairs      # (..., n, d/2)
# result = new array of floats, with the shape of x
# result at 0::2 = a cos(angles) - b sin(angles)
# result at 1::2 = a sin(angles) + b cos(angles)
# ```
# </details>
#
# <details><summary>I get “Integers to negative integer powers are not allowed”</summary>
#
# With an integer as base, NumPy needs float exponents: divide by d before you take the power, as in the formula.
# </details>

# %% solution rotate edition="core"
def rotate(x, positions, base=10000.0):
    """Return x with rotary positions: features 2i and 2i + 1 are a point, rotated by
    positions * base^(-2i/d).

    x: (..., n, d), d even. positions: (n,), any real numbers.
    Returns (..., n, d). Does not modify its inputs.
    Raises ValueError, naming d, if d is odd.
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} features do not make pairs")
    theta = base ** (-np.arange(0, d, 2) / d)
    angles = np.asarray(positions)[:, None] * theta
    cos, sin = np.cos(angles), np.sin(angles)
    rotated = np.empty(x.shape)
    rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return rotated
    ### END SOLUTION


# %% test rotate points=3
# Test of 8.4 Rotary positions (3 points). Run the checks cell first.
returns("rotate", rotated="sequence token feature")
check("rotate", "2 sequences, positions 2 and 5", rotate, two_sequences, np.array([2, 5]))
check("rotate", "the same with base 100", rotate, two_sequences, np.array([2, 5]), 100.0)
check("rotate", "integers as features", rotate, np.array([[[1, 2, 3, 4], [4, 3, 2, 1]]]),
    np.array([1, 2]))
check("rotate", "3 sequences, 4 tokens of 6 features, positions 1, −3, 0.5, 40", rotate,
    example_array(2, 3, 4, 6), np.array([1, -3, 0.5, 40]))
returns("rotate", rotated="token feature")
check("rotate", "only two axes, 5 tokens of 2 features", rotate, example_array(6, 5, 2),
    np.array([4, 3, 0, 9, 1]))
returns("rotate", rotated="sequence head token feature")
check("rotate", "2 sequences of 3 heads", rotate, example_array(8, 2, 3, 2, 8), np.array([6, 1]),
    base=50.0)
check("rotate", "5 features make no pairs", rotate, example_array(0, 2, 3, 5), np.arange(3))
check_error_names_odd(5)
### BEGIN HIDDEN TESTS
cases = [((5, 6), [0, 1, 2, 3, 4], None), ((2, 3, 4, 8), [7, 3, 0, 100], None), ((3, 4, 10), [2.5, -3, 40, 1], 500.0),
         ((4, 2), [9, 8, 2, 5], 10.0), ((6, 12), [3, 4, 5, 6, 7, 8], None), ((3, 3, 4), [0.5, 2.5, 5000], None), ((1, 2), [0], None), ((1, 2), [-0.25], 1.0), ((1, 1, 1, 1, 2), [7], None), ((2, 43, 40), range(43), None),
         ((300, 4), range(-9, 291), 2.0), ((2, 300), [100, -100], 1e6), ((4, 4, 4, 4), [4, 4, 4, 4], 4.0), ((6, 6), [0, 0, 0, 0, 0, 0], None), ((2, 1, 3, 2), [-70, 1e-3, 3], 0.5), ((3, 2, 4), [2, 3.5], None), ((9, 8, 1, 2, 4), [3, -1], None), ((5, 6), [4, 3, 2, 1, 0], None)]
for seed, (size, positions, base) in enumerate(cases, 370):
    x, p = np.random.default_rng(seed).normal(size=size) * {379: 40, 380: 1e-3}.get(seed, 1), np.array(positions)
    x = np.round(9 * x).astype(int) if size == (3, 3, 4) else x
    d, given = size[-1], x.copy()
    # A rotation is a multiplication by a complex number of absolute value 1.
    speeds = [(base or 10000.0) ** (-2 * i / d) for i in range(d // 2)]
    points = [(x[..., 2 * i] + 1j * x[..., 2 * i + 1]) * np.exp(1j * p * speed) for i, speed in enumerate(speeds)]
    expected = np.stack([part for z in points for part in (z.real, z.imag)], axis=-1)
    got = rotate(given, p) if base is None else rotate(given, p, base)
    check_numbers(as_array(got) / (40 if seed == 379 else 1), expected / (40 if seed == 379 else 1), "in the rotated features", f"with x {in_words(size)}, ")
    check_unchanged([given, p], [x, np.array(positions)])
for d, front in [(3, (2,)), (7, (2,)), (1, (2,)), (1, (3, 1)), (5, (2, 3, 1)), (41, (9,)), (301, (1,))]:
    try:
        rotate(np.ones((*front, d)), np.arange(front[-1]))
        raise AssertionError(f"{d} features must raise a ValueError")
    except ValueError as error:
        assert str(d) in str(error) and "broadcast" not in str(error), f"the error must say that {d} is odd"
### END HIDDEN TESTS

# %% [markdown]
# How fast do the pairs rotate, and what does this do to a score? The upper picture shows the angle for some pairs of 64 features. In the lower one, a query and a key with the same features are at a growing distance. Predict: does the score fall steadily with the distance?

# %% alt="Above: angle over position for pairs 0, 2, 4, 8 and 16 of 64 features, straight lines from 0, pair 0 the steepest. Below: score over distance from 0 to 512, as a share of the score at distance 0. It falls quickly from 1 to about 0.5, then slowly to about 0.25, in uneven waves, for equal features and a little higher for random ones." tags=["demonstration"]
distances = np.arange(513)
theta = 10000.0 ** (-np.arange(0, 64, 2) / 64)
fig, (upper, lower) = plt.subplots(2, 1, figsize=(6, 6), layout="constrained")
for pair, style in zip([0, 2, 4, 8, 16], ["-", "--", "-.", ":", (0, (6, 1))]):
    upper.plot(distances[:33], distances[:33] * theta[pair], linestyle=style, label=f"pair {pair}")
upper.set(xlabel="position", ylabel="angle, radians")
upper.legend()
for name, one, style in [("all features 1", np.ones(64), "-"),
        ("random features", np.random.default_rng(5).normal(size=64), "--")]:
    rotated = rotate(np.tile(one, (513, 1)), distances)
    lower.plot(distances, rotated @ rotated[0] / (one @ one), style, linewidth=1, label=name)
lower.set(xlabel="distance of query and key", ylabel="score / score at distance 0")
lower.legend()
plt.show()


# %% [markdown]
# It falls, but not steadily: at the same distance, some pairs have made a full turn and increase the score, while others have made half a turn and reduce it. The fastest pair completes a turn in 6.28 tokens, the slowest in 47,117, so the encoding resolves both short and long distances. All this holds for a query and a key with the same features. A model *learns* both, and can learn scores that rise with the distance.
#
# A key is rotated once, by its own position, and goes into the cache of 8.1 like that. It never has to be rotated again: each later query is rotated by a larger angle, and the score depends only on the difference.

# %% [markdown]
# ## The other convention
#
# Which two features make a pair is a convention, and there are two. You have paired neighbours, 2i with 2i + 1, as in the paper. Other code (GPT-NeoX, and Llama in the Hugging Face library) pairs feature i with feature i + d/2: the first half with the second half. Both are right, as long as queries, keys *and the trained weights* agree. Mixing them raises no error, but the model writes nonsense.
#
# So weights have to be permuted when they move from one convention to the other. `rotate_halves` in the next cell pairs halves. Put the even features of `x` first and then the odd ones: for this input, `rotate_halves` returns the output of your `rotate(x)`, in the same new order.

# %% locked rotate-halves
def rotate_halves(x, positions, base=10000.0):
    """Return x with rotary positions in the other convention:
    features i and i + d/2 are a point."""
    first, second = np.split(x, 2, axis=-1)
    speeds = base ** -np.linspace(0, 1, first.shape[-1], endpoint=False)
    # rotation, with complex numbers
    points = (first + 1j * second) * np.exp(1j * np.outer(positions, speeds))
    return np.concatenate([points.real, points.imag], axis=-1)


# %% tags=["demonstration"]
x, p = np.random.default_rng(6).normal(size=(4, 10)), np.array([0, 3, 5, 20])
order = np.concatenate([np.arange(0, 10, 2), np.arange(1, 10, 2)])
print(f"features in the order {order}: gap "
    f"{np.abs(rotate_halves(x[:, order], p) - rotate(x, p)[:, order]).max():.0e}")
print("features in the original order:        gap "
    f"{np.abs(rotate_halves(x, p) - rotate(x, p)).max():.0e}")


# %% [markdown]
# ## 8.5 Only the distance counts
#
# **more · <!-- points -->1 point<!-- end --> · about 6 minutes · difficulty ●○○**
#
# Does a way of marking positions depend only on distances? This is easy to test: shift all tokens by the same number of positions, and see if any score changes. `shift_gap(rotate, q, k, shift)` returns the largest absolute change of any score, raw, without scale and softmax:
#
# `rotate(q, positions) @ rotate(k, positions).T`
#
# once with the positions 0 … n − 1, once with all of them shifted by `shift`. The function `rotate(x, positions)` is passed to your function, and need not be the one of 8.4.
#
# <details><summary>Hint 1: a question</summary>
#
# When everything is shifted, are both queries and keys shifted, or only one of them?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.arange(len(q))`, `np.abs`, `max`, and `float` to convert to a plain number.
# </details>

# %% solution shift-gap
def shift_gap(rotate, q, k, shift):
    """Return the largest absolute change of any score when all positions move by shift.

    rotate: a function of (x, positions). q, k: (n, d), at the positions 0 ... n - 1.
    Returns a float.
    """
    ### BEGIN SOLUTION
    here = np.arange(len(q))
    scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
    return float(np.abs(moved - scores).max())
    ### END SOLUTION


# %% [markdown]
# The tests try your function on four ways of marking positions: rotary positions, tokens that are multiplied by a number that grows with the position, no positions at all, and an older way, in the next cell. That one adds `sin(p * speed)` or `cos(p * speed)` to each feature of the token at position `p`, with a different speed for each pair of features, as in the Transformer of 2017.

# %% locked add-sinusoids
def add_sinusoids(x, positions):
    """Return x plus sines and cosines of the positions, as in the Transformer of 2017."""
    d = x.shape[-1]
    angles = np.outer(positions, 10000.0 ** -np.linspace(0, 1, d // 2, endpoint=False))
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(x), d)


# %% test shift-gap points=1
# Test of 8.5 Only the distance counts (1 point). Run the checks cell first.
returns("shift-gap", gap="")
check("shift-gap", "added waves, shifted by 3", shift_gap, add_sinusoids, example_array(93, 5, 6),
    example_array(128, 5, 6), 3)
check("shift-gap", "tokens that grow, shifted by −6", shift_gap, scale_by_position, shift_q,
    shift_k, -6)
check("shift-gap", "rotary positions, shifted by 5", shift_gap, rotary, shift_q, shift_k, 5)
check("shift-gap", "no positions at all", shift_gap, lambda x, positions: x, shift_q, shift_k, 2)
### BEGIN HIDDEN TESTS
def by_hand(place, q, k, shift):
    n = np.arange(len(q))
    one, other = (np.einsum("ic,jc->ij", place(q, p), place(k, p)) for p in (n, n + shift))
    return abs(one - other).max()
places = {"rotary": rotary, "waves": add_sinusoids, "growth": lambda x, p: x * (1 + 0.1 * np.asarray(p)[:, None]),
          "a ramp": lambda x, p: x + 0.05 * np.asarray(p)[:, None], "nothing": lambda x, p: x,
          "only position 42": lambda x, p: x * (1 + 5 * (np.asarray(p) == 42))[:, None]}
for seed, (n, d, shift) in enumerate([(5, 6, 3), (7, 4, 11), (4, 8, 40), (43, 20, 1), (1, 2, 7), (3, 2, 0), (6, 6, -300), (41, 2, 5), (2, 40, -1), (5, 6, 3)], 470):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    for name, place in places.items():
        given = q.copy(), k.copy()
        got = shift_gap(place, *given, shift)
        check_numbers(got, by_hand(place, q, k, shift), "in the largest change of a score", f"with {name}, {n=}, {d=}, {shift=}, ")
        check_unchanged(given, (q, k))
### END HIDDEN TESTS

# %% [markdown]
# Shift 6 tokens by 100,000 positions. Predict: how large is the gap with your `rotate`, and how large is it with added waves? The next two cells print both gaps and draw the attention weights, without a causal mask.

# %% tags=["demonstration"]
rng = np.random.default_rng(4)
q, k = rng.normal(size=(6, 8)), rng.normal(size=(6, 8))
print(f"rotary: {shift_gap(rotate, q, k, 100_000):.0e}")
print(f"added waves: {shift_gap(add_sinusoids, q, k, 100_000):.1f}")

# %% alt="Four heatmaps of 6 queries and 6 keys. The two with rotary positions, for positions from 0 and from 100,000, look exactly alike. The two with added waves differ from each other in most cells." tags=["demonstration"]
fig, axes = plt.subplots(2, 2, figsize=(6.8, 6), layout="constrained", sharex=True, sharey=True)
for ax, (name, place, first) in zip(axes.flat, [("rotary", rotate, 0), ("rotary", rotate, 100_000),
                                           ("added waves", add_sinusoids, 0),
                                           ("added waves", add_sinusoids, 100_000)]):
    places = np.arange(6) + first
    powers = np.exp(place(q, places) @ place(k, places).T / np.sqrt(8))
    weights = powers / powers.sum(axis=1, keepdims=True)
    image = ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    for (i, j), weight in np.ndenumerate(weights):
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=8,
            color="black" if weight > 0.5 else "white")
    ax.set(xticks=range(6), yticks=range(6), xlabel="key", ylabel="query")
    ax.set_title(f"{name}, positions from {first:,}", fontsize=10)
    ax.label_outer()
fig.colorbar(image, ax=axes, label="attention weight", shrink=0.7)
plt.show()

# %% [markdown]
# The rotary gap is rounding error: the sine of a large angle loses digits. So both rotary pictures of the attention weights are the same. Added waves mark absolute positions, and the scores change. Because rotary scores depend only on distances, a rotated key can stay in the cache of 8.1 unchanged, even when the text loses its beginning.

# %% task why-bytes-count [markdown] points=2 edition="core"
# ## 8.6 In your own words: why bytes count
#
# **★ core · <!-- points -->2 points<!-- end --> · about 6 minutes · difficulty ●●○ · read by a person**
#
# 1. In one step of writing, MHA does as many multiply-adds in attention over the cache as MQA. Why is it slower? (1 point)
# 2. While the prompt is processed, many tokens come at once. Why is MHA then hardly slower than MQA? (1 point)
#
# Three to five sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for the step of writing. ½: each cached number is read for only one multiply-add per query head that shares it, so the intensity, num_heads / (num_kv_heads · bytes), is far below what a processor can compute per byte: the bytes set the time. ½: MHA has num_heads times as many bytes to read as MQA.
#
# **1 point** for the prompt. ½: each key that is read meets the queries of many tokens, so the intensity grows with their number. ½: then the arithmetic sets the time, and it is the same for both.
#
# **Half right (1 point of 2):** “MQA has a smaller cache, so it is faster.” It doesn't say why the size of the cache sets the time, nor what is different for a prompt.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 8.6** (double-click here, and write in place of this line)

# %% [markdown]
# ## What you have built
#
# You have built attention whose keys and values are kept, so that a text can be processed in any pieces. You have counted what a step of writing reads and computes, and made the cache smaller with heads that share their keys. And with rotary positions, a key can be rotated once and then stay in the cache.<!-- with: shift-gap --> You have tested that only distances count.<!-- end -->
#
# ### Three questions to think about
#
# 1. Two users send prompts that begin with the same 1000 tokens. Which part of the cache can be computed once for both? What does the causal mask have to do with it?
# 2. The intensity of 8.3 contains neither the number of sequences nor the length of the text. So what becomes faster if a server processes 32 texts at once, and what doesn't?
# 3. Suppose that the cache keeps the first four tokens of the text (an *attention sink*) and a window of the latest 1000, and the text has 50,000 tokens. Which positions should the four tokens have, and when do their keys have to be rotated?
#
# <details><summary>Answers</summary>
#
# 1. The keys and values of these 1000 tokens, in all layers. Under the causal mask, they depend on the tokens up to themselves only, so what follows makes no difference. Without the mask, each token of every later layer would depend on the whole prompt, and nothing after the first layer could be shared.
# 2. The projections and the other layers become faster: their weights are read once for all 32 texts. Attention over the cache doesn't, because each text has its own cache: 32 times the bytes for 32 times the work.
# 3. Xiao and others number the tokens by their places *in the cache*: 0, 1, 2, 3 for the sink, then the window. So the distance between the window and the sink stays within what the model saw in training. For this, they cache the keys before the rotation, and rotate all of them at each step, because the positions of the window change. There is a second way, since only distances count: the window and the query keep their positions in the text, and only the four keys of the sink are rotated at each step, to the four positions before the window.
#
# </details>
#
# ### References
#
# - Noam Shazeer: *Fast Transformer Decoding: One Write-Head is All You Need*, 2019. Multi-query attention, and why bytes matter.
# - Joshua Ainslie, James Lee-Thorp, Michiel de Jong, Yury Zemlyanskiy, Federico Lebrón, Sumit Sanghai: *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*, 2023. Heads that share keys.
# - Hugo Touvron, Louis Martin, Kevin Stone and others: *Llama 2: Open Foundation and Fine-Tuned Chat Models*, 2023. The sizes in 8.3.
# - Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu: *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021. Rotary positions.
# - Guangxuan Xiao, Yuandong Tian, Beidi Chen, Song Han, Mike Lewis: *Efficient Streaming Language Models with Attention Sinks*, 2023. Windows with a sink, and the positions in them.
