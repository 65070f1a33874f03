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
# *Attention, Graded · lesson 01 · NumPy · about 90 minutes · 25 points*
#
# A word means little alone. In *the cat sat on the mat*, the verb *sat* becomes a small story only when it knows **who** sat and **where**. Attention is the step in a Transformer that lets each word fetch what it needs from the others.
#
# In this lesson you build one head of it from a bare dot product, with nothing hidden. You will also break it on purpose, because the mistakes people make here run without an error and quietly give the wrong numbers.

# %% [markdown]
# ## How to work through this notebook
#
# Each exercise has an explanation, a cell where you write code, and a test cell that you run. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed. One question, 1.10, is answered in words and read by a person.
#
# A failing test tells you what it thinks went wrong, behind the word `AssertionError` at the end of the message. Read that first. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words. Where an error message is likely, a last hint says what it means.
#
# The tests here use tiny numbers that you can check by hand. When your notebook is graded, larger random inputs are tried as well. If an exercise won't come, leave it and go on: only 1.4, 1.5 and the second half of 1.6 build on earlier ones. Cells that draw or print call your functions, so they fail until those work.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `X` is `(n, d_model)`: `n` tokens, each described by `d_model` numbers |
# | **Weights multiply from the right** | `Q = X @ W_Q`, so `W_Q` is `(d_model, d_k)` |
# | **The query comes first** | `scores[i, j]` belongs to **query `i`** (who is looking) and **key `j`** (who is looked at) |
# | **Each row of the weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weights** | `W_Q`, `W_K`: `(d_model, d_k)` · `W_V`: `(d_model, d_v)` · `W_O`: `(d_v, d_model)` |
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
# The next cell holds the function that the tests use to compare numbers. You don't need to read it to do the exercises. It takes what you computed, what is right, and the numbers that well-known mistakes would give, so that it can tell you which mistake it was.

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
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


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
# Every token plays three parts, and each has its own weights:
#
# - as a **query** it says what it is looking for: `Q = X @ W_Q`,
# - as a **key** it says what it has to offer: `K = X @ W_K`,
# - as a **value** it holds what it hands over when somebody looks at it: `V = X @ W_V`.
#
# Below, `d_k` is 2: the first number of a query means *I look for a noun*, the second *I look for a verb*. Articles, verbs and prepositions look for nouns, and nouns look for verbs. `d_v` is 3.

# %% nbgrader={"grade": false, "grade_id": "head-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
#                 noun verb
W_Q = np.array([[2.0, 0.0],   # an article looks for a noun
                [0.0, 2.0],   # a noun looks for a verb
                [2.0, 0.0],   # a verb looks for a noun
                [2.0, 0.0]])  # a preposition looks for a noun
W_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
W_V = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
W_O = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.5, 0.0, 0.0, 0.5]])

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print("Q", Q.shape, " K", K.shape, " V", V.shape)


# %% [markdown]
# ## 1.1 Softmax
#
# **2 points · about 8 minutes · difficulty ●●○**
#
# Attention needs to turn any list of scores into shares: positive numbers that sum to 1, where a higher score gets a larger share. That is what softmax does:
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

    scores: array of any shape, entries may be large or -inf (no list is all -inf). It is not changed.
    Returns an array of the same shape.
    """
    ### BEGIN SOLUTION
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "softmax-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
with np.errstate(all="ignore"):
    small = np.log([[1.0, 1.0, 2.0], [1.0, 3.0, 4.0]])
    rows, columns = [[0.25, 0.25, 0.5], [0.125, 0.375, 0.5]], [[0.5, 0.25, 0.3333], [0.5, 0.75, 0.6667]]
    check_numbers(softmax(small), rows, {
        "each column sums to 1, not each row: softmax must run along the last axis": columns,
        "the whole table sums to 1, not each row": [0.0833, 0.0833, 0.1667],
        "the shares don't sum to 1: divide by the sum of the exponentials": [1, 1, 2],
        "the shares don't sum to 1: the division by their sum is missing": [0.5, 0.5, 1]})
    assert np.allclose(np.exp(small), [[1, 1, 2], [1, 3, 4]]), "softmax changed the array it was given"
    check_numbers(softmax(small, axis=0), columns,
                  {"axis=0 was asked for, but the rows sum to 1: use the axis you are given": rows})
    large, uneven = np.array([[1e4 + np.log(3.0), 1e4]]), np.array([[1e4, 1e4], [0.0, 0.0]])
    large, uneven = softmax(large), softmax(uneven)
    assert not np.isnan(large).any(), "exp overflows for scores near 10000: subtract the maximum first"
    check_numbers(large, [[0.75, 0.25]], where="with scores near 10000")
    assert not np.isnan(uneven).any(), "one maximum for the whole table drowns low rows: each needs its own"
    check_numbers(uneven, np.full((2, 2), 0.5), where="with rows of very different level")
    check_numbers(softmax(np.array([[2.0, -np.inf, 2.0]])), [[0.5, 0, 0.5]], where="with -inf")
    ### BEGIN HIDDEN TESTS
    shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
    close = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(101), "on a larger random array"
    for shape in [(7,), (3, 5), (2, 3, 4)]:
        scores = np.round(64 * rng.normal(size=shape)) / 64    # with 10000 added, exact in 32 bits, too
        for axis in range(-len(shape), len(shape)):
            expected = np.apply_along_axis(shares_of, axis, scores)
            for shift in (0.0, 1e4, -1e4):
                given, sizes = scores + shift, f"with shape {shape}, axis {axis} and {shift} added, "
                shares = np.asarray(softmax(given, axis))
                check_numbers(shares, expected, None, where, close(shares), sizes)
                assert np.array_equal(given, scores + shift), "softmax changed the array it was given"
            check_numbers(softmax(scores.astype(np.float32), axis=axis), expected, None, where, 1e-5, sizes)
        check_numbers(softmax(scores.copy()), expected, None, where + ", along the last axis", 1e-3, sizes)
    levels = np.round(64 * rng.normal(size=(3, 4))) / 64 + np.array([[1e4], [0.0], [-1e4]])
    levels[0, 1] = levels[2, 0] = -np.inf
    for table, axis in [(levels, 1), (levels.T, 0)]:
        shares, expected = np.asarray(softmax(1 * table, axis)), np.apply_along_axis(shares_of, axis, table)
        check_numbers(shares, expected, None, "on lists of uneven level, with some -inf", close(shares))
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
# $$\mathrm{scores}_{ij} = \sum_{f=1}^{d_k} Q_{if}\,K_{jf}$$
#
# Write it with three plain loops. It is slow, and that is the point: you will see exactly what is computed and how often. There may be fewer queries than keys or the other way round, so keep their numbers apart.
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
small_Q = np.array([[1.0, 0.0], [2.0, 1.0]])
small_K = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]])
check_numbers(attention_scores_loops(small_Q, small_K), [[1, 0, 3], [4, 1, 7]], {
    "rows belong to keys here: scores[i, j] is query i with key j": [1, 4, 0, 1, 3, 7],
    "the scores are already divided by √d_k: here we want the raw dot products": [0.7071, 0, 2.1213],
    "only the last feature is there: add the products up over all features": [0, 0, 0, 2, 1, 1],
    "only the first feature is there: does a loop end too early?": [1, 0, 3, 2, 0, 6],
    "only the first row is filled: does `return` stand inside a loop?": [1, 0, 3, 0, 0, 0],
    "only the first score is filled: does `return` stand inside a loop?": [1, 0, 0, 0, 0, 0]})
assert np.array_equal(small_Q, [[1, 0], [2, 1]]), "Q was changed: write into a new array"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(102)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 4, 3)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [[math.fsum(q * k for q, k in zip(query, key)) for key in keys] for query in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_scores_loops(*given), expected, None, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_scores_loops(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, None, "on larger random tables in float32", 1e-5, sizes)
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
small_Q = np.array([[1.0, 0.0], [2.0, 1.0]])
small_K = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]])
check_numbers(attention_scores(small_Q, small_K), [[1, 0, 3], [4, 1, 7]], {
    "rows belong to keys here: scores[i, j] is query i with key j": [1, 4, 0, 1, 3, 7],
    "the scores are already divided by √d_k: here we want the raw dot products": [0.7071, 0, 2.1213]})
assert np.array_equal(small_Q, [[1, 0], [2, 1]]), "Q was changed: write into a new array"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(103)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 4, 3)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [[math.fsum(q * k for q, k in zip(query, key)) for key in keys] for query in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_scores(*given), expected, None, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_scores(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, None, "on larger random tables in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# **Predict before you run:** if the sentence gets twice as long, how much longer do the loops take? The next cell times both of your versions for 16 to 256 tokens.

# %% tags=["demonstration"]
lengths = [16, 32, 64, 128, 256]
seconds = {"loops": [], "matrix product": []}
for n in lengths:
    tokens = np.random.default_rng(0).normal(size=(n, 8))
    for name, score in [("loops", attention_scores_loops), ("matrix product", attention_scores)]:
        runs = timeit.repeat(lambda: score(tokens, tokens), number=1, repeat=3)
        seconds[name].append(min(runs))

# %% tags=["demonstration"]
print(f"loops: 256 tokens took {seconds['loops'][-1] / seconds['loops'][-2]:.1f} times as long as 128")

# %% tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3.6))
ax.loglog(lengths, seconds["loops"], "o-", label="loops")
ax.loglog(lengths, seconds["matrix product"], "s-", label="matrix product")
n_squared = seconds["loops"][-1] * (np.array(lengths) / lengths[-1]) ** 2
ax.loglog(lengths, n_squared, "k:", label="slope of n²")
ax.set(xlabel="number of tokens n", ylabel="seconds", xticks=lengths, xticklabels=lengths)
ax.minorticks_off()
ax.legend()
plt.show()


# %% [markdown]
# On logarithmic axes a straight line of slope 2 means *n²*: twice the tokens, four times the work. The matrix product does just as many multiplications. It does them so much faster that at these sizes you see mostly its fixed costs, such as the call itself or waking up more processor cores. But for longer texts *n²* catches up with it too. That is why they are expensive for Transformers.

# %% [markdown]
# ## 1.4 Scaled weights
#
# **3 points · about 8 minutes · difficulty ●●○**
#
# Now the scores become shares. For each query, softmax over the keys gives a row of weights that sums to 1. One thing comes in between: the scores are divided by $\sqrt{d_k}$.
#
# $$\mathrm{weights} = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\quad\text{along each row}$$
#
# Why the square root? A dot product of $d_k$ random features has a spread that grows like $\sqrt{d_k}$. Dividing by that keeps the spread the same, whatever the size of the head. You will measure it in 1.9.
#
# | operation | expression | shape |
# |---|---|---|
# | raw scores | $QK^\top$ | `(n_q, n_k)` |
# | scaled scores | $QK^\top/\sqrt{d_k}$ | `(n_q, n_k)` |
# | weights | softmax over the keys | `(n_q, n_k)`, each **row** sums to 1 |
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
small_Q = np.array([[1.0, 1.0, 0.0, 2.0], [0.0, 2.0, 1.0, 1.0]])
small_K = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 2.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
right = [[0.1863, 0.5065, 0.3072], [0.0996, 0.7361, 0.1643]]
check_numbers(attention_weights(small_Q, small_K), right, {
    "nothing is scaled: divide the scores by √d_k before the softmax": [0.09, 0.6652, 0.2447],
    "the scores are divided by d_k, not by its root": [0.2543, 0.4192, 0.3265],
    "the scores are multiplied by √d_k: divide": [0.0159, 0.8668, 0.1173],
    "the root is of n_k: take the root of d_k, the number of features": [0.1679, 0.5329, 0.2992],
    "the root is of n_q: take the root of d_k, the number of features": [0.14, 0.576, 0.284],
    "each column sums to 1, not each row: softmax must run over the keys": [0.5, 0.2689, 0.5],
    "the whole table sums to 1: every query needs its own softmax": [0.0649, 0.1765, 0.107],
    "the rows don't sum to 1: divide the exponentials by their sum": [1.6487, 4.4817, 2.7183],
    "these are the scaled scores: the softmax is missing": [0.5, 1.5, 1],
    "the scale comes after the softmax: divide the scores, before it": [0.045, 0.3326, 0.1224],
    "the root is not a root: `**` comes before `/`, so use np.sqrt": [0.2926, 0.3758, 0.3316],
    "Q and K are swapped: row i must belong to query i": [0.5, 0.5, 0.2689, 0.7311]})
assert np.array_equal(small_Q, [[1, 1, 0, 2], [0, 2, 1, 1]]), "Q was changed: write into a new array"
with np.errstate(all="ignore"):
    stretched = np.asarray(attention_weights([[1000.0], [1.0]] * small_Q, small_K))
assert not np.isnan(stretched[0]).any(), "exp overflows: subtract each row's maximum first"
assert not np.isnan(stretched[1]).any(), "one maximum for the whole table drowns low rows: each needs its own"
check_numbers(stretched, [[0, 1, 0], right[1]], where="with one query that is 1000 times as large")
### BEGIN HIDDEN TESTS
shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
rng = np.random.default_rng(104)
for n_q, n_k, d_k in [(3, 5, 4), (6, 2, 7), (1, 3, 2)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = [shares_of([math.fsum(q * k) / math.sqrt(d_k) for k in keys]) for q in queries]
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_weights(*given), expected, None, "on larger random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_weights(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, None, "on larger random tables in float32", 1e-5, sizes)
    queries = queries * rng.normal(0, 1e5, (n_q, 1))
    expected = [shares_of([math.fsum(q * k) / math.sqrt(d_k) for k in keys]) for q in queries]
    with np.errstate(all="ignore"):
        huge = attention_weights(queries.copy(), keys.copy())
    check_numbers(huge, expected, None, "with huge scores", 1e-3, sizes)
### END HIDDEN TESTS

# %% tags=["demonstration"]
print("row sums:   ", np.sum(attention_weights(Q, K), axis=1).round(3))
print("column sums:", np.sum(attention_weights(Q, K), axis=0).round(3))

# %% [markdown]
# The rows sum to 1. The columns don't have to: they say how much each word is looked at altogether.
#
# Here are your weights for the cat on the mat. Each bar is one query, divided among the keys it looks at. Before you run it: what do you expect for *cat*, and for the first *the*?

# %% tags=["demonstration"]
weights = np.asarray(attention_weights(Q, K))
fig, ax = plt.subplots(figsize=(7, 3.2))
left = np.zeros(6)
for j, key in enumerate(sentence):
    colour = plt.cm.viridis(0.1 + j / 6)
    ax.barh(range(6), weights[:, j], left=left, color=colour, edgecolor="white", label=f"{j + 1} {key}")
    left += weights[:, j]
ax.set(yticks=range(6), yticklabels=sentence, ylabel="query", xlabel="share of each key")
ax.invert_yaxis()
ax.legend(title="key", loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()


# %% [markdown]
# Every bar is exactly 1 long: a query has one unit of attention to give away. The nouns give most of theirs to *sat*, the only verb. The others share theirs between *cat* and *mat*, which look exactly alike to this head: `X` holds only the kind of each word, not which word it is, nor where it stands.

# %% [markdown]
# ## 1.5 One head, complete
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# The weights say how much each token looks at each other one. The values say what it gets. A token's new content is the average of all values, weighted by its row. A last matrix `W_O` brings the result back to the model's size. (In a Transformer it is then added to `X`. Not here.)
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $XW_Q,\; XW_K$ | `(n, d_k)` |
# | values | $XW_V$ | `(n, d_v)` |
# | weights $A$ | $\mathrm{softmax}(QK^\top/\sqrt{d_k})$ | `(n, n)`, each row sums to 1 |
# | mixed values | $AV$ | `(n, d_v)` |
# | output | $AVW_O$ | `(n, d_model)` |
#
# Return two things: the output and the weights. Mind that `d_model`, `d_k` and `d_v` can all differ. The scale belongs to the length of the vectors in the dot product.
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
# Project `X` three times. Get the weights from queries and keys. Multiply weights by values, then by the output matrix. Return the pair, output first.
# </details>
#
# <details><summary>I get “cannot unpack” or “too many values to unpack”</summary>
#
# The test expects two things: your function should end by returning the output and the weights, separated by a comma.
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
    Returns (output, weights) of shapes (n, d_model) and (n, n); each row of weights sums to 1,
    also for large scores.
    """
    ### BEGIN SOLUTION
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attention_weights(Q, K)
    return weights @ V @ W_O, weights
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "single-head-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
tiny_X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
tiny_Q, tiny_K = np.array([[1.0, 0, 1, 0], [0, 2, 0, 1]]), np.array([[1.0, 1, 0, 0], [0, 1, 1, 2]])
tiny_V, tiny_O = np.array([[1.0, 0, 2], [0, 1, 1]]), np.array([[1.0, 0], [1, 1], [0, 2]])
output, weights = single_head_attention(tiny_X, tiny_Q, tiny_K, tiny_V, tiny_O)
assert np.shape(weights) == (3, 3), f"weights come second, as (n, n) = (3, 3), not {np.shape(weights)}"
check_numbers(weights, [[0.2741, 0.2741, 0.4519], [0.09, 0.2447, 0.6652], [0.0629, 0.171, 0.7662]], {
    "nothing is scaled: divide the scores by √d_k": [0.2119, 0.2119, 0.5761],
    "the scale is √d_model: take √d_k, the root of the columns of W_Q": [0.2483, 0.2483, 0.5035],
    "the scale is √n or √d_v: take √d_k, the root of the columns of W_Q": [0.2645, 0.2645, 0.4711],
    "the scores are divided by d_k, not by its root": [0.3045, 0.3045, 0.391],
    "the scores are multiplied by √d_k: divide": [0.1065, 0.1065, 0.787],
    "each column of the weights sums to 1: softmax must run over the keys": [0.1863, 0.0777, 0.0351],
    "Q and K are swapped: row i must belong to query i": [0.1863, 0.3072, 0.5065],
    "these are scores: the second result is the weights, after the softmax": [0.5, 0.5, 1]})
assert np.shape(output) != (3, 3), "the output projection W_O is missing: the output is (n, d_model)"
check_numbers(output, [[1.4519, 5.0815], [1.6652, 5.751], [1.7662, 6.1275]], {
    "the weights never reach the output: this is X W_V W_O": [1, 4, 1, 3, 2, 7],
    "X is added to the output: that comes later, outside the head": [2.4519, 5.0815],
    "the weights are transposed here: row i of the weights belongs to output i": [0.4899, 1.8066]})
with np.errstate(all="ignore"):
    _, huge = single_head_attention(1e3 * tiny_X, tiny_Q, tiny_K, tiny_V, tiny_O)
assert not np.isnan(huge).any(), "large scores give nan: subtract each row's maximum, as in 1.1"
check_numbers(huge, [[0, 0, 1]] * 3, where="in the weights, with large scores")
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
        check_numbers(weights, slow, None, "in the weights " + where, tolerance, sizes)
        check_numbers(output, mixed, None, "in the output " + where, tolerance, sizes)
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
# Mostly *verb*, as it should be. Articles and prepositions come back mixed, half and half, because `W_V` has only three channels: noun, verb, and everything else. A head can hand over no more than what fits through its `d_v` numbers.

# %% [markdown]
# ## 1.6 Two circuits instead of four matrices
#
# **3 points · about 9 minutes · difficulty ●●○**
#
# Look at where the four matrices stand. In the scores, $W_Q$ and $W_K$ only ever occur as a product, and so do $W_V$ and $W_O$ in the output:
#
# $$QK^\top = X\,\underbrace{W_Q W_K^\top}_{W_{QK}}\,X^\top \qquad\qquad AVW_O = A\,X\,\underbrace{W_V W_O}_{W_{OV}}$$
#
# So a head is really two circuits. The **QK circuit** decides who looks at whom. The **OV circuit** decides what is moved once somebody looks. Elhage et al. (2021) read trained Transformers this way. Both matrices are `(d_model, d_model)`, whatever `d_k` and `d_v` are.
#
# | operation | expression | shape |
# |---|---|---|
# | QK circuit, without the scale | $W_QW_K^\top$ | `(d_model, d_model)` |
# | OV circuit | $W_VW_O$ | `(d_model, d_model)` |
# | scaled scores | $XW_{QK}X^\top/\sqrt{d_k}$ | `(n, n)` |
# | output | $A\,X\,W_{OV}$ | `(n, d_model)` |
#
# Write two functions. `fold_weights` makes the two matrices, and `folded_attention` uses them. The second needs `d_k` as an argument. Why can't it find out for itself?
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
# Fold: multiply the query weights by the transposed key weights, and the value weights by the output weights. Attend: put the folded matrix between `X` and its transpose, scale, take the softmax along each row. Then let the weights mix `X`, and send the result through the second folded matrix.
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
tiny_Q, tiny_K = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[2.0, 1.0], [0.0, 3.0]])
tiny_V, tiny_O = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 3.0], [0.0, 1.0]])
W_QK, W_OV = fold_weights(tiny_Q, tiny_K, tiny_V, tiny_O)
check_numbers(W_QK, [[4, 6], [1, 3]], {
    "W_Q W_K without a transpose: the scores hold Q times the transpose of K": [2, 7, 0, 3],
    "the wrong matrix is transposed: the features d_k must be summed over": [2, 1, 4, 5],
    "W_QK is transposed: the query side comes first": [4, 1, 6, 3],
    "the scale is already in W_QK: leave it out, folded_attention divides": [2.8284, 4.2426],
    "this is W_OV: return W_QK first": [1, 3, 2, 7]})
check_numbers(W_OV, [[1, 3], [2, 7]], {
    "this is W_O W_V: X meets W_V first, then W_O": [7, 3, 2, 1],
    "W_OV is transposed": [1, 2, 3, 7]})
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
        check_numbers(W_QK, slow_QK, None, "in W_QK of larger random matrices", tolerance, sizes)
        check_numbers(W_OV, slow_OV, None, "in W_OV of larger random matrices", tolerance, sizes)
        same = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays))
        assert all(same), "a weight matrix was changed: make new arrays"
### END HIDDEN TESTS

# %% builds_on=["softmax"] nbgrader={"grade": false, "grade_id": "folded-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def folded_attention(X, W_QK, W_OV, d_k):
    """One head from its two circuits.

    X: (n, d_model), W_QK and W_OV: (d_model, d_model), d_k: the head's size, for the scale.
    Returns (output, weights) of shapes (n, d_model) and (n, n); each row of weights sums to 1,
    also for large scores.
    """
    ### BEGIN SOLUTION
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    return weights @ X @ W_OV, weights
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "folded-attention-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
tiny_X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
tiny_QK, tiny_OV = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 3.0], [2.0, 0.0]])
output, weights = folded_attention(tiny_X, tiny_QK, tiny_OV, 4)
assert np.shape(weights) == (3, 3), "weights come second, with shape (n, n)"
right = [[0.3837, 0.2327, 0.3837], [0.3072, 0.1863, 0.5065], [0.3315, 0.122, 0.5465]]
check_numbers(weights, right, {
    "nothing is scaled: W_QK holds no scale, so divide by √d_k here": [0.4223, 0.1554, 0.4223],
    "the scale is √d_model: use the d_k that you are given": [0.4011, 0.1978, 0.4011],
    "the scale is √n: use the d_k that you are given": [0.3904, 0.2192, 0.3904],
    "the scores are divided by d_k, not by its root": [0.3599, 0.2803, 0.3599],
    "the scores are multiplied by √d_k: divide": [0.4683, 0.0634, 0.4683],
    "the scale is there twice: attention_weights divides by a root of its own": [0.3701, 0.2599, 0.3701],
    "query and key side are swapped: W_QK stands between X and its transpose": [0.1863, 0.3072, 0.5065],
    "each column of the weights sums to 1: softmax must run over the keys": [0.1863, 0.2327, 0.122]})
check_numbers(output, [[2, 2.3019], [2.1993, 2.441], [2.2151, 2.6341]], {
    "W_OV is missing: the mixed rows of X still have to go through it": [0.7673, 0.6163],
    "the weights never reach the output: this is just X W_OV": [1, 3, 2, 0],
    "the weights are transposed here: row i of the weights belongs to output i": [1.9925, 2.1455],
    "W_OV is transposed: rows are multiplied from the right, by W_OV as it is": [2.6163, 1.5346]})
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
        check_numbers(weights, slow, None, "in the weights " + where, tolerance, sizes)
        check_numbers(output, mixed, None, "in the output " + where, tolerance, sizes)
        same = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, w_qk, w_ov)))
        assert all(same), "an input was changed"
    slow = [shares_of([1e5 * (a @ w_qk @ b) / math.sqrt(d_k) for b in x]) for a in x]
    with np.errstate(all="ignore"):
        _, huge = folded_attention(x.copy(), 1e5 * w_qk, w_ov.copy(), d_k)
    check_numbers(huge, slow, None, "in the weights, with huge scores", 1e-3, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Two ways to compute one thing are the best test there is. Both routes must agree, on our sentence and on anything else.

# %% tags=["demonstration"]
W_QK, W_OV = fold_weights(W_Q, W_K, W_V, W_O)
print("W_QK", np.shape(W_QK), " W_OV", np.shape(W_OV), " both (d_model, d_model)")

# %% tags=["demonstration"]
by_circuits, _ = folded_attention(X, *fold_weights(W_Q, W_K, W_V, W_O), d_k=2)
by_four_matrices, _ = single_head_attention(X, W_Q, W_K, W_V, W_O)
difference = np.abs(np.asarray(by_circuits) - by_four_matrices).max()
print(f"largest difference between the two routes: {difference:.1e}")


# %% [markdown]
# ## 1.7 Find the bug
#
# **3 points · about 9 minutes · difficulty ●●○**
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
wrong_output, wrong_weights = buggy_attention(X[:3], W_Q, W_K, W_V, W_O)
print("shapes:", wrong_output.shape, wrong_weights.shape)
print("row sums of the weights:   ", np.round(wrong_weights.sum(axis=1), 2))
print("column sums of the weights:", np.round(wrong_weights.sum(axis=0), 2))


# %% [markdown]
# In the scores, `n` is the token that looks (query) and `m` the token that is looked at (key). All other letters are features, and in the last step `d` stands for the features of a value. Copy the function's body into the next cell and repair it there. Change as little as you can.
#
# | what must hold | how to see whether it does |
# |---|---|
# | each row of the weights sums to 1 | the sums printed above |
# | large scores don't overflow | as in 1.1, a maximum is subtracted before `exp` |
# | an output is a mixture of **all** tokens' values | change only the last row of `X`: which rows of the output move? |
#
# <details><summary>Hint 1: a question</summary>
#
# Run the cell above once more and read the two printed sums. Which one should be all ones?
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
# The test expects two things back: the output and the weights, in this order.
# </details>

# %% nbgrader={"grade": false, "grade_id": "einsum-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    """One head by einsum, with the same result as single_head_attention.

    Returns (output, weights) of shapes (n, d_model) and (n, n); each row of weights sums to 1,
    also for large scores.
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
tiny_X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
tiny_Q, tiny_K = np.array([[1.0, 0, 1, 0], [0, 2, 0, 1]]), np.array([[1.0, 1, 0, 0], [0, 1, 1, 2]])
tiny_V, tiny_O = np.array([[1.0, 0, 2], [0, 1, 1]]), np.array([[1.0, 0], [1, 1], [0, 2]])
output, weights = einsum_attention(tiny_X, tiny_Q, tiny_K, tiny_V, tiny_O)
check_numbers(weights, [[0.2741, 0.2741, 0.4519], [0.09, 0.2447, 0.6652], [0.0629, 0.171, 0.7662]], {
    "the columns of the weights still sum to 1: maximum and sum must run over the keys":
        [0.1863, 0.0777, 0.0351],
    "the sum now runs over the keys, but the maximum still over the queries": [0.6652, 0.2447, 0.09],
    "the maximum now runs over the keys, but the sum still over the queries": [0.7361, 0.5065, 0.3333],
    "the weights are transposed: the first letter of the scores is the query": [0.2741, 0.09, 0.0629],
    "query and key have changed places in the scores": [0.1863, 0.3072, 0.5065],
    "the scale is gone: it was right in the given function": [0.2119, 0.2119, 0.5761]})
check_numbers(output, [[1.4519, 5.0815], [1.6652, 5.751], [1.7662, 6.1275]], {
    "nothing is mixed: each output is the token's own value. What is summed over in the last step?":
        [1, 4, 1, 3, 2, 7],
    "the sum runs over the queries: output n must sum over the keys m": [0.4899, 1.8066]})
with np.errstate(all="ignore"):
    _, huge = einsum_attention(1e3 * tiny_X, tiny_Q, tiny_K, tiny_V, tiny_O)
assert not np.isnan(huge).any(), "large scores give nan: subtract each row's own maximum"
check_numbers(huge, [[0, 0, 1]] * 3, where="in the weights, with large scores")
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
        check_numbers(weights, slow, None, "in the weights " + where, tolerance, sizes)
        check_numbers(output, mixed, None, "in the output " + where, tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays)), "an input was changed"
### END HIDDEN TESTS

# %% tags=["demonstration"]
mended_output, mended_weights = einsum_attention(X, W_Q, W_K, W_V, W_O)
print("row sums of the weights:", np.sum(mended_weights, axis=1).round(3))
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
# Give it in closed form, for any table of weights, also one whose rows don't sum to 1. Here `W_OV` is $W_VW_O$ from 1.6, so `X @ W_OV` is `(n, d_model)`.
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

# %% nbgrader={"grade": false, "grade_id": "what-the-bug-computes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def what_the_bug_computes(X, weights, W_OV):
    """The result of einsum('nm,nd,dg->ng', weights, X W_V, W_O), in closed form.

    X: (n, d_model), weights: (n, n), W_OV = W_V W_O: (d_model, d_model). Returns (n, d_model).
    """
    ### BEGIN SOLUTION
    return np.sum(weights, axis=-1, keepdims=True) * (X @ W_OV)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "what-the-bug-computes-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
tiny_X, tiny_OV = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 1.0]])
odd_weights = np.array([[0.5, 0.5, 1.0], [0.0, 0.25, 0.25], [1.0, 2.0, 1.0]])
check_numbers(what_the_bug_computes(tiny_X, odd_weights, tiny_OV), [[2, 4], [3, 1], [16, 12]], {
    "this is true attention: in the bug, the value belongs to the query's own token": [7.5, 5],
    "this holds only if the rows sum to 1, and here they don't: what stays of the sum over m?":
        [1, 2, 6, 2, 4, 3],
    "these are the sums of the columns: the sum runs over m, along each row": [1.5, 3, 16.5, 5.5],
    "this is the mean of each row of weights: take the sum": [0.6667, 1.3333]})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(109)
for n, d_model in [(5, 3), (4, 7)]:
    x, table = rng.normal(size=(n, d_model)), rng.uniform(size=(n, n))
    w_ov = rng.normal(size=(d_model, d_model))
    expected = np.einsum("nm,nd,dg->ng", table, x, w_ov)
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given, sizes = [a.astype(dtype) for a in (x, table, w_ov)], f"with n={n}, d_model={d_model}, "
        got = what_the_bug_computes(*given)
        check_numbers(got, expected, None, "on larger random arrays", tolerance, sizes)
        same = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, table, w_ov)))
        assert all(same), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **The moral.** Real weights have rows that sum to 1. Then the buggy head gives exactly $XW_{OV}$: every token reads itself and nothing else. Attention is switched off. No error, no warning, right shapes, a beautiful heatmap of the weights, which nobody uses. Only a test with numbers finds it.

# %% tags=["demonstration"]
proper_weights = attention_weights(Q, K)
W_OV = W_V @ W_O
same = np.allclose(what_the_bug_computes(X, proper_weights, W_OV), X @ W_OV)
print("with proper weights, the bug computes X W_OV:", same)


# %% [markdown]
# ## 1.9 How pointed is a row of weights?
#
# **1 point · about 6 minutes · difficulty ●●○**
#
# A row of weights can be even, where every key gets the same share, or pointed, where one key gets nearly all. Entropy puts a number on it:
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
# What could you put in place of a weight of 0 **inside the logarithm only**, so that the product is still 0?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.where(condition, a, b)` picks from `a` or from `b`, entry by entry. `np.log` is the natural logarithm. `np.sum(…, axis=-1)` lets the last axis go.
# </details>

# %% nbgrader={"grade": false, "grade_id": "weight-entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def weight_entropy(weights):
    """Entropy in nats of each row of weights, with 0 log 0 = 0.

    weights: (n, m), or any shape whose last axis sums to 1. Returns the shape without that axis.
    """
    ### BEGIN SOLUTION
    safe = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(safe), axis=-1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "weight-entropy-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
with np.errstate(all="ignore"):
    table = np.array([[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [1.0, 0.0, 0.0, 0.0]])
    entropy = weight_entropy(table)
    assert not np.isnan(entropy).any(), "a weight of 0 gives nan: 0·log 0 counts as 0"
    check_numbers(entropy, [0.6931, 1.3863, 0.0], {
        "the weight itself is missing: each logarithm is multiplied by its weight": [1.3863, 5.5452],
        "these are bits: use the natural logarithm": [1, 2, 0],
        "the sign is wrong: entropy is never negative": [-0.6931, -1.3863],
        "this is the mean along the row: take the sum": [0.1733, 0.3466],
        "the sum runs down the columns: each row has its own entropy": [0.6931, 0.6931, 0.3466],
        "one number for the whole table: keep one entropy for each row": [2.0794]})
    check_numbers(table[0], [0.5, 0.5, 0, 0], where="after your function ran, in its own input")
    ### BEGIN HIDDEN TESTS
    rng = np.random.default_rng(110)
    for shape in [(5, 3), (2, 7), (2, 3, 4)]:
        table = rng.uniform(0.1, 1.0, size=shape)
        table[..., 1] = 0.0
        table /= table.sum(axis=-1, keepdims=True)
        expected = np.apply_along_axis(
            lambda row: -math.fsum(w * math.log(w) for w in row if w > 0), -1, table)
        for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
            given, sizes = table.astype(dtype), f"with shape {shape}, "
            check_numbers(weight_entropy(given), expected, None, "on random weights", tolerance, sizes)
            assert np.array_equal(given, table.astype(dtype)), "the weights were changed: make a new array"
    ### END HIDDEN TESTS

# %% tags=["demonstration"]
for row, entropy in zip(sentence, weight_entropy(attention_weights(Q, K))):
    print(f"{row:4} entropy {entropy:.2f} of at most {np.log(6):.2f}")

# %% [markdown]
# Now the promised experiment: 32 random queries and 32 random keys, in heads of size 1 to 1024. **Predict:** without the scale, do the weights get more even or more pointed as the head grows? And with it?

# %% tags=["demonstration"]
sizes = 2 ** np.arange(11)
spread = {"unscaled": [], "divided by √d_k": []}
entropy = {"unscaled": [], "divided by √d_k": []}
rng = np.random.default_rng(0)
for d_k in sizes:
    queries, keys = rng.normal(size=(2, 32, d_k))
    raw = attention_scores(queries, keys)
    for name, scores in [("unscaled", raw), ("divided by √d_k", raw / np.sqrt(d_k))]:
        spread[name].append(np.std(scores))
        entropy[name].append(np.mean(weight_entropy(softmax(scores))))

# %% tags=["demonstration"]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for name, style in [("unscaled", "o-"), ("divided by √d_k", "s-")]:
    left.loglog(sizes, spread[name], style, label=name)
    right.semilogx(sizes, entropy[name], style, label=name)
left.loglog(sizes, np.sqrt(sizes), "k:", label="√d_k")
right.axhline(np.log(32), color="k", linestyle=":", label="even: ln 32")
left.set(xlabel="head size d_k", ylabel="standard deviation of the scores")
right.set(xlabel="head size d_k", ylabel="mean entropy in nats", ylim=(0, None))
left.legend()
right.legend()
plt.show()


# %% [markdown]
# Unscaled, the spread follows $\sqrt{d_k}$, and the entropy sinks towards 0: each query stares at a single key that it picked by chance. Softmax then hardly reacts to small changes, and a model can hardly learn from it. Divided by $\sqrt{d_k}$, both curves stay where they were. (The small wiggles are chance: each point is a single draw.)

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-root-d-k", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 1.10 In your own words: why the square root?
#
# **2 points · about 7 minutes · difficulty ●●○ · read by a person**
#
# Suppose that the features of queries and keys are independent, with mean 0 and variance 1.
#
# 1. What happens to the softmax if `d_k` doubles and nothing is scaled? Say by what factor the spread of the scores grows, and what this does to the weights.
# 2. Why is the divisor $\sqrt{d_k}$, and not $d_k$?
#
# Four to six sentences are enough. Formulas are welcome, but not needed.
#
# ### BEGIN MARK SCHEME
# **1 point** for the effect: a score is a sum of d_k independent products, each with mean 0 and variance 1, so its variance is d_k. Doubling d_k doubles the variance, and the standard deviation grows by √2. Softmax depends on differences of scores, so the weights become more pointed (lower entropy, nearer to one-hot, tiny gradients).
#
# **1 point** for the divisor: dividing by √d_k divides the variance by d_k and brings it back to 1 for every head size. Dividing by d_k would leave a standard deviation of 1/√d_k, which goes to 0, so large heads would attend almost evenly.
#
# **Half right (1 point of 2):** “The scores get too large, so softmax saturates, and the root makes them smaller.” The effect is there, but nothing says how large they get, so d_k would do as well as its root.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## 1.11 Draw the weights
#
# **1 point · about 7 minutes · difficulty ●○○**
#
# A heatmap of the weights is the picture that everyone knows attention by. Draw one that can't be misread: one row for each query, the first on top, one column for each key, and colours that always mean the same.
#
# | part | what is asked |
# |---|---|
# | image | `imshow` on the given `ax`, the weights as they are, colour limits 0 to 1 |
# | ticks | one on every row and every column, labelled with its token |
# | axis labels | exactly `query` (vertical) and `key` (horizontal) |
# | numbers | the weight, as a plain number such as `0.25`, written into each cell, if there are at most 8 queries and 8 keys |
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
drawn_table = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4]])
figure, (given, other) = plt.subplots(1, 2)
given.set_label("given")
drawn = plot_attention(drawn_table.copy(), ["red", "blue"], ["a", "b", "c"], given)
plt.close(figure)
assert hasattr(drawn, "get_xlabel"), f"you gave back {drawn!r}: return ax"
assert drawn.get_label() == "given" and len(drawn.images) == 1, (
    "there is no image on the given ax: call ax.imshow, and return that same ax")
image = drawn.images[0]
check_numbers(image.get_array(), drawn_table, {"transposed: rows are queries": [0.7, 0.3, 0.2]}, "in the image")
check_numbers(image.get_clim(), [0, 1], {"no fixed colours: give vmin and vmax": [0.1, 0.7]}, "in the colours")
assert np.diff(drawn.get_ylim()) < 0, "the first query is at the bottom: leave imshow's order, first row on top"
assert drawn.get_xlabel() == "key", f"the horizontal axis is named {drawn.get_xlabel()!r}, not 'key'"
assert drawn.get_ylabel() == "query", f"the vertical axis is named {drawn.get_ylabel()!r}, not 'query'"
columns, rows = ([tick.get_text() for tick in axis.get_ticklabels()] for axis in (drawn.xaxis, drawn.yaxis))
assert columns == ["a", "b", "c"], f"the columns are labelled {columns}, not with the keys' tokens"
assert rows == ["red", "blue"], f"the rows are labelled {rows}, not with the queries' tokens"
texts = {tuple(text.get_position()): text.get_text() for text in drawn.texts}
for row, column in np.ndindex(2, 3):
    assert (column, row) in texts, f"no number in row {row}, column {column} (at x={column}, y={row})"
    written, weight = float(texts[column, row]), drawn_table[row, column]
    assert abs(written - weight) < 0.051, (
        f"at x={column}, y={row} stands {written}, not {weight}: x counts columns, y counts rows")
### BEGIN HIDDEN TESTS
for n_q, n_k in [(9, 12), (5, 8), (8, 8)]:
    drawn_table = np.random.default_rng([111, n_q, n_k]).dirichlet(np.ones(n_k), size=n_q)
    tokens = [f"word {i}" for i in range(12)]
    figure, (other, given) = plt.subplots(1, 2)
    figure.sca(other)
    drawn = plot_attention(drawn_table.copy(), tokens[:n_q], tokens[:n_k], given)
    plt.close(figure)
    check_numbers(drawn.images[0].get_array(), drawn_table, None, "in the image of a larger table", 1e-6)
    check_numbers(drawn.images[0].get_clim(), [0, 1], where="in the colour limits")
    for axis, names in [(drawn.xaxis, tokens[:n_k]), (drawn.yaxis, tokens[:n_q])]:
        check_numbers(axis.get_ticklocs(), range(len(names)), where="in the ticks of a larger table")
        assert [tick.get_text() for tick in axis.get_ticklabels()] == names, "a tick's label is not its token"
    texts = {tuple(text.get_position()): float(text.get_text()) for text in drawn.texts if n_k <= 8}
    written = [[texts.get((j, i), np.nan) for j in range(n_k)] for i in range(n_q)]
    check_numbers(written if n_k <= 8 else drawn_table, drawn_table, None, "in the cells", 0.051)
### END HIDDEN TESTS

# %% tags=["demonstration"]
fig, ax = plt.subplots(figsize=(4.6, 4.2))
plot_attention(attention_weights(Q, K), sentence, sentence, ax)
ax.set_title("who looks at whom")
plt.show()


# %% [markdown]
# Read a row from left to right: it is one query, and its numbers sum to 1. Columns needn't sum to anything: *sat* is looked at by both nouns, and hardly anyone looks at *on*.
#
# A word of warning: a bright cell says where a head **looks**, not what it **does** with what it finds. That depends on the OV circuit, and you have just met a bug where the weights were perfect and unused. (Jain and Wallace, 2019, discuss how far such pictures may be trusted.)

# %% [markdown]
# ## 1.12 Design a head
#
# **2 points · about 10 minutes · difficulty ●●●**
#
# Weights are usually learned. Now you set them by hand. Build a head that always looks at the token just before it. Such *previous-token heads* appear in trained language models, and they are one half of the mechanism by which these continue a pattern they have seen before (Olsson et al., 2022).
#
# Here `X` is the identity matrix $I_n$: token *i* is described by nothing but its position, a 1 in place *i*. So $Q = W_Q$ and $K = W_K$, and every row of them is yours to choose. Each token but the first must give at least **0.99** of its weight to the token before it, for any `n` from 2 to 40. The first token has nobody before it and may do what it likes.
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $I_nW_Q,\; I_nW_K$ | `(n, n)` |
# | scaled scores | $W_QW_K^\top/\sqrt{n}$ | `(n, n)`, since $d_k = n$ |
# | weights | softmax along each row | row *i* nearly all in column *i* − 1 |
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
    """Weights of a head that looks at the token before, for one-hot positions X = I_n.

    Returns (W_Q, W_K), both (n, n). With the scale 1/√n every token but the first gives
    at least 0.99 of its weight to the token before it.
    """
    ### BEGIN SOLUTION
    W_Q = 20 * np.sqrt(n) * np.eye(n, k=-1)
    W_K = np.eye(n)
    return W_Q, W_K
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "previous-token-head-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
for n in [3, 40]:
    W_Qn, W_Kn = (np.asarray(matrix, dtype=float) for matrix in previous_token_head(n))
    assert W_Qn.shape == W_Kn.shape == (n, n), f"for n={n}, both matrices must be ({n}, {n})"
    scores = W_Qn @ W_Kn.T / math.sqrt(n)
    assert np.isfinite(scores).all(), f"for n={n}, some scores are nan or infinite: choose smaller numbers"
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    assert shares.diagonal()[1:].max() < 0.5, f"for n={n}, a token looks at itself"
    assert shares.diagonal(1)[1:].max() < 0.5, f"for n={n}, a token looks at the next one"
    worst = shares.diagonal(-1).min()
    assert worst >= 0.99, f"for n={n}, the token before gets only {worst:.3f} of the weight"
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
# And here it is, the picture that closes this lesson. On the left the head that looks for nouns and verbs: it goes by **content**. On the right yours: it goes by **place**. The very same machine does both. Only the weights differ.

# %% tags=["demonstration"]
fig, axes = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
plot_attention(attention_weights(Q, K), sentence, sentence, axes[0])
plot_attention(attention_weights(*previous_token_head(6)), sentence, sentence, axes[1])
axes[0].set_title("by content")
axes[1].set_title("by place: the token before")
plt.show()

# %% [markdown]
# ## What you have built
#
# You started from a dot product and have one complete head of attention: stable softmax, scaled scores, weights that sum to 1 along each row, values, and the output projection. You have folded it into two circuits, found a bug that switches attention off without a sound, measured why the scale is $\sqrt{d_k}$, drawn the weights, and set a head's weights by hand.
#
# Lesson 02 puts two heads side by side, in the column notation that many textbooks use.
#
# ### Three questions to think about
#
# 1. Your previous-token head knows only positions, and the other head only word kinds. How could one head use both? What would have to be in `X`?
# 2. If you shuffle the tokens of the sentence, what happens to the output of the head that goes by content?
# 3. In 1.6, $W_{QK}$ has `d_model`² entries, but it comes from two matrices that may be much thinner. What can a head with `d_k` = 1 express, and what not?
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.1 has the scale and its reason.
# - Dzmitry Bahdanau, Kyunghyun Cho, Yoshua Bengio: *Neural Machine Translation by Jointly Learning to Align and Translate*, 2014. Attention before the Transformer, with heatmaps.
# - Nelson Elhage et al.: *A Mathematical Framework for Transformer Circuits*, 2021. The QK and OV circuits.
# - Catherine Olsson et al.: *In-context Learning and Induction Heads*, 2022. What previous-token heads are good for.
# - Sarthak Jain, Byron C. Wallace: *Attention is not Explanation*, 2019. What heatmaps don't show.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12, in column notation.
