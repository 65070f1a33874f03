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
# *Attention, Graded · lesson 02 · NumPy · about 75 minutes · 22 points*
#
# In lesson 01 a token was a row. Open Simon Prince's *Understanding Deep Learning* at section 12.3, and a token is a **column**: everything you know is there, turned on its side. Many people lose an evening to that turn, because most mistakes in it run without an error.
#
# In this lesson you make the turn once, calmly. You build one head in the book's notation, then two, then any number. At the end you hand your weights to PyTorch, get the same numbers back, and find out something about the biases that few people expect.

# %% [markdown]
# ## How to work through this notebook
#
# Each exercise has an explanation, a cell where you write code, and a test cell that you run. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test tells you what it thinks went wrong, at the end of the message. Read that first. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words.
#
# The tests here use small numbers. When your notebook is graded, larger random inputs are tried as well. The exercises grow on each other, and a later one may call your earlier functions. If one of those isn't finished, write its few steps out inside the later one: no test asks how you got there.

# %% [markdown]
# ## The one convention of this lesson
#
# | convention | what it means |
# |---|---|
# | **A column is a token** | `X` is `(D, N)`: `N` tokens, each described by `D` numbers |
# | **Weights multiply from the left** | `Q` is $\beta_q\mathbf{1}^T + \Omega_q X$, so Ω is `(D_h, D)` and β is `(D_h, 1)` |
# | **The key comes first** | `scores[m, n]` belongs to **key `m`** (who is looked at) and **query `n`** (who is looking) |
# | **Each column of the attention sums to 1** | the softmax runs down axis 0, over the keys |
# | **Shapes of the weights** | per head Ω: `(D_h, D)` and β: `(D_h, 1)`, with `D_h = D / H` · $\Omega_c$: `(D, D)` |
#
# In this lesson $\mathbf{1}$ is a column of `N` ones, so $\beta\mathbf{1}^T$ is `N` copies of β side by side. A test of one single head may use any `D_h`.

# %% [markdown]
# ### From these columns to the rows of lessons 01 and 04
# To go from one to the other, transpose. Nothing else happens.
#
# | what | here: columns | lesson 01: rows | lesson 04: rows, in torch |
# |---|---|---|---|
# | tokens | `X`, `(D, N)` | $X^T$, `(n, d_model)` | `x[b]`, `[seq, input_size]` |
# | one token | column `X[:, n]` | row `X[n]` | `x[b, n]` |
# | query weights | $\Omega_q$, from the left | $W_Q = \Omega_q^T$, from the right | `q.weight` $= \Omega_q$: torch transposes it itself |
# | query bias | $\beta_q$, a column | none | `q.bias`, one axis |
# | scores | `[key, query]`: $K^TQ$ | `[query, key]`: $QK^T$ | `[batch, head, query, key]` |
# | sums to 1 | each column (axis 0) | each row (last axis) | each row (last axis) |
# | result of a head | $V \cdot$ attention | weights $\cdot\, V$ | weights $\cdot\, V$ |
# | last step | $\Omega_c$ from the left | $W_O = \Omega_c^T$ from the right | `mix.weight` $= \Omega_c$ |
#
# With several heads, here the heads lie below each other as rows; in lesson 04 they lie beside each other in the last axis.

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import copy
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# What a library says of its own future is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% [markdown]
# The next cells hold functions that the tests use. You don't need to read them to do the exercises. The first compares what you computed with what is right, and with the numbers that well-known mistakes would give, so that it can tell you which mistake it was.

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


# %% nbgrader={"grade": false, "grade_id": "check-results", "locked": true, "schema_version": 3, "solution": false, "task": false}
def two_results(results, wanted):
    """Stop unless `results` is a pair, and give it back."""
    assert results is not None, "you gave back None: does your function end with a return?"
    pair = isinstance(results, (tuple, list)) and len(results) == 2
    assert pair, f"two things should come back: return {wanted}"
    return results


# %% nbgrader={"grade": false, "grade_id": "check-unchanged", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_unchanged(arrays, before):
    """Stop unless every array still holds what it held before the call."""
    assert all(map(np.array_equal, arrays, before)), (
        "your function changed an array that it was given: put results into new arrays")


# %% [markdown]
# ## The data, and a result to aim for
#
# Our tokens come from the exercise that goes with the book: `N = 6` columns of `D = 8` random numbers. They stand for nothing; what makes them useful is that the seeds are fixed, and that the right answer for two heads is published. When you get to 2.4, your table will agree with it to the third decimal.

# %% nbgrader={"grade": false, "grade_id": "published-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
def published_data():
    """Give X (8, 6), the six arrays of each head in the order they are drawn, and omega_c."""
    N, D, H = 6, 8, 2
    np.random.seed(3)
    X = np.random.normal(size=(D, N))
    np.random.seed(0)
    shapes = 3 * [(D // H, D)] + 3 * [(D // H, 1)]
    head_1 = [np.random.normal(size=shape) for shape in shapes]
    head_2 = [np.random.normal(size=shape) for shape in shapes]
    return X, head_1, head_2, np.random.normal(size=(D, D))


# %% tags=["demonstration"]
X, head_1, head_2, omega_c = published_data()
omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1 = head_1
omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2 = head_2

print("X       ", X.shape, " = (D, N): 6 tokens, each a column of 8 numbers")
print("omega_q1", omega_q1.shape, " = (D_h, D)")
print("beta_q1 ", beta_q1.shape, " = (D_h, 1)")
print("omega_c ", omega_c.shape, " = (D, D)")

# %% [markdown]
# Before you go on, a prediction. `X[2]` and `X[:, 2]` are both allowed. Which of the two is a token, and how many numbers does it have? Say it aloud, then run the cell.

# %% tags=["demonstration"]
print("X[2]    has", X[2].size, "numbers: feature 2 of every token")
print("X[:, 2] has", X[:, 2].size, "numbers: token 2, all its features")


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
# A score of $-\infty$ must get a share of exactly 0. (No column is all $-\infty$.)
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
    small = np.log([[1.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    check_numbers(softmax_cols(small), [[0.25, 0.5, 0.5], [0.75, 0.5, 0.5]], {
        "each row sums to 1, not each column: walk down the rows (axis 0), over the keys":
            [[0.25, 0.5, 0.25], [0.5, 0.3333, 0.1667]],
        "the whole table sums to 1, not each column": [[0.1, 0.2, 0.1], [0.3, 0.2, 0.1]],
        "the shares don't sum to 1: divide by the sum of each column": [[1, 2, 1], [3, 2, 1]],
        "the shares don't sum to 1: the division by their sum is missing": [[0.3333, 1, 1], [1, 1, 1]],
        "you divide by the sum of the whole table, not of each column": [0.0625, 0.1875, 0.1875],
        "you divide by the sum of each row: add down the columns": [0.1429, 0.4286, 0.4286],
        "you subtract the largest of each row: subtract the largest of each column":
            [[0.3333, 0.6, 0.6], [0.6667, 0.4, 0.4]]})
    check_unchanged([small], [np.log([[1.0, 2.0, 1.0], [3.0, 2.0, 1.0]])])
    large = softmax_cols(np.array([[1e4 + np.log(3.0)], [1e4]]))
    assert not np.isnan(large).any(), (
        "exp overflows for scores near 10000: subtract each column's maximum first")
    check_numbers(large, [[0.75], [0.25]], where="with scores near 10000")
    uneven = softmax_cols(np.array([[1e4, 0.0], [1e4, 0.0]]))
    assert not np.isnan(uneven).any(), "one maximum for the whole table drowns low columns: each needs one"
    check_numbers(uneven, np.full((2, 2), 0.5), where="with columns of very different level")
    check_numbers(softmax_cols(np.array([[2.0], [-np.inf], [2.0]])), [[0.5], [0], [0.5]], {}, "with -inf")
    ### BEGIN HIDDEN TESTS
    shares_of = lambda s: [math.exp(v - max(s)) / math.fsum(math.exp(w - max(s)) for w in s) for v in s]
    close = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(201), "on a larger random table"
    for shape in [(3, 5), (6, 2), (4, 4), (1, 3)]:
        scores = np.round(128 * rng.normal(size=shape)) / 64   # with 10000 added, exact in 32 bits, too
        expected = np.array([shares_of(column) for column in scores.T]).T
        for shift in (0.0, 1e4, -1e4):
            given, sizes = scores + shift, f"with shape {shape} and {shift} added, "
            shares = np.asarray(softmax_cols(given))
            check_numbers(shares, expected, None, where, close(shares), sizes)
            check_unchanged([given], [scores + shift])
        check_numbers(softmax_cols(scores.astype(np.float32)), expected, None, where, 1e-5, sizes)
    levels = np.round(64 * rng.normal(size=(4, 3))) / 64 + np.array([1e4, 0.0, -1e4])
    levels[1, 0] = levels[0, 2] = -np.inf
    shares, expected = np.asarray(softmax_cols(levels.copy())), np.transpose([shares_of(s) for s in levels.T])
    check_numbers(shares, expected, None, "on columns of very different level, with some -inf", close(shares))
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
# Each token plays three parts: as a **query** it looks for something, as a **key** it offers something, as a **value** it hands something over. Each part is a linear map of the token plus a bias. For one token $x_n$ that is $\beta + \Omega x_n$. For all of them at once:
#
# $$\beta\mathbf{1}^T + \Omega X$$
#
# | operation | expression | shape |
# |---|---|---|
# | map every column | $\Omega X$ | `(D_h, D)` times `(D, N)` gives `(D_h, N)` |
# | add the bias to every column | $\beta\mathbf{1}^T + \dots$ | `(D_h, N)` |
#
# One function will do for queries, keys and values, since only the weights differ.
#
# <details><summary>Hint 1: a question</summary>
#
# β has the shape `(D_h, 1)`, and what you add it to has `(D_h, N)`. What does NumPy do with an axis of length 1 when it adds?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` or `np.matmul` multiplies matrices, and `+` broadcasts. `np.ones((1, N))` is the $\mathbf{1}^T$ of the formula, if you like to see it written out.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Multiply the tokens by the weights, with the weights on the left. Add the bias column. Give the sum back.
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
tokens = np.array([[1.0, 2.0], [3.0, 4.0]])
weights, bias = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[10.0], [20.0]])
given = [tokens, weights, bias]
before = copy.deepcopy(given)
check_numbers(project(tokens, weights, bias), [[11, 12], [25, 28]], {
    "the bias is missing: add β to every column": [[1, 2], [5, 8]],
    "* multiplies entry by entry: the matrix product is @": [[11, 10], [26, 24]],
    "Ω multiplies from the left: it is Ω times X, not X times Ω": [[15, 12], [31, 24]],
    "you transposed Ω: here it maps columns as it is": [[17, 20], [23, 24]],
    "you added β along the rows: each column gets the whole of β": [[11, 22], [15, 28]],
    "that is lesson 01's way, tokens as rows: here they are the columns": [[11, 14], [23, 30]],
    "that is lesson 01's way too, tokens as rows: here they are columns": [[11, 24], [13, 30]],
    "the table is transposed: each token should come back as a column": [[11, 25], [12, 28]],
    "you added β before multiplying: β comes after Ω": [[11, 12], [45, 48]]})
check_unchanged(given, before)
wide = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]])
tall = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
check_numbers(project(wide, tall, np.array([[0.0], [1.0], [2.0]])),
              [[1, 2, 3, 4], [1, 3, 1, 3], [3, 5, 5, 7]], where="with 4 tokens, D = 2, D_h = 3")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(202)
for D, N, D_h in [(5, 3, 2), (2, 7, 4), (4, 4, 4)]:
    given = [rng.normal(size=shape) for shape in [(D, N), (D_h, D), (D_h, 1)]]
    before = copy.deepcopy(given)
    expected = [[given[2][i, 0] + math.fsum(given[1][i, d] * given[0][d, n] for d in range(D))
                 for n in range(N)] for i in range(D_h)]
    where, sizes = "on larger random tables", f"with {D=}, {N=}, {D_h=}, "
    check_numbers(project(*given), expected, None, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    check_numbers(project(*floats), expected, None, where + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# With that you have the three parts of every token, for head 1 of our data:

# %% tags=["demonstration"]
Q = project(X, omega_q1, beta_q1)
K = project(X, omega_k1, beta_k1)
V = project(X, omega_v1, beta_v1)
print("Q", np.shape(Q), " K", np.shape(K), " V", np.shape(V), " = (D_h, N)")

# %% [markdown]
# How much does token 4 care for token 1? Take the query of token 4 and the key of token 1, two columns, and multiply them number by number. The sum is one **score**.
#
# Predict: in the table of all scores, `(N, N)`, with the key first, in which row and which column does this number stand?

# %% tags=["demonstration"]
score = sum(K[i][1] * Q[i][4] for i in range(4))
print(f"score of key 1 and query 4: {score:.3f}, at home in row 1 and column 4")


# %% [markdown]
# The next two cells hold the small examples that the test of exercise 2.3 uses, and the numbers that well-known mistakes give on them. Run them and go on.

# %% nbgrader={"grade": false, "grade_id": "one-head-examples", "locked": true, "schema_version": 3, "solution": false, "task": false}
def square_head():
    """A head with D = N = D_h = 2, where wrong products fit too (arguments as in 2.3)."""
    tables = [[[1, 0], [2, 1]],
              [[1, 1], [0, 2]], [[1, 0], [1, 1]], [[0, 1], [1, 0]],
              [[1], [-1]], [[0], [-2]], [[1], [1]]]
    return [np.array(table, dtype=float) for table in tables]


def tall_head():
    """A head with D = 4, N = 2, D_h = 3: three different roots."""
    tables = [[[1, 0], [0, 1], [1, 1], [0, 2]],
              [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 1]],
              [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]],
              [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]],
              [[0], [1], [2]], [[1], [0], [-1]], [[0], [1], [0]]]
    return [np.array(table, dtype=float) for table in tables]


# %% nbgrader={"grade": false, "grade_id": "check-one-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_square_head(output, attention):
    """Compare a result for square_head() with the right one and with known mistakes."""
    right = [[3.6089, 2.6605], [2.6089, 1.6605]]
    check_numbers(attention, [[0.8044, 0.3302], [0.1956, 0.6698]], {
        "the softmax runs over the queries (each row sums to 1): it must run over the keys":
            [[0.993, 0.007], [0.9442, 0.0558]],
        "queries and keys are swapped": [[0.993, 0.9442], [0.007, 0.0558]],
        "this attention is transposed: the key is the row": [[0.8044, 0.1956], [0.3302, 0.6698]],
        "the whole table sums to 1, not each column": [[0.7908, 0.0056], [0.1923, 0.0114]],
        "the scores are not scaled: divide them by √D_h": [[0.8808, 0.2689], [0.1192, 0.7311]],
        "you divide by a size and not by its root: √D_h": [[0.7311, 0.3775], [0.2689, 0.6225]],
        "you multiply by √D_h: divide": [[0.9442, 0.1956], [0.0558, 0.8044]],
        "you return the scores: put them through a softmax": [[3.5355, -1.4142], [2.1213, -0.7071]],
        "the shares don't sum to 1: use a softmax": [[34.3133, 0.2431], [8.3421, 0.4931]],
        "β_q is missing: add it to every query": [[0.9442, 0.6698], [0.0558, 0.3302]],
        "you compare features, not tokens: the scores are KᵀQ": [[0.6698, 0.5], [0.3302, 0.5]],
        "QKᵀ is for tokens in rows. Here it compares features: the scores are KᵀQ":
            [[0.8044, 0.6698], [0.1956, 0.3302]],
        "rows are taken as tokens: here a column is a token": [[0.5, 0.5], [0.107, 0.893]],
        "this is X_prime: return X_prime first, then the attention": right})
    check_numbers(output, right, {
        "V was not projected: mix β_v + Ω_v X, not X": [[0.8044, 0.3302], [1.8044, 1.3302]],
        "β_v is missing: add it to every value": [[2.6089, 1.6605], [3.6089, 2.6605]],
        "wrong side: it is V times attention": [[4.2084, 1.9391], [2.7916, 1.0609]],
        "V meets the transposed attention: no transpose": [[3.8782, 2.1218], [2.7435, 1.2565]],
        "X_prime is transposed: a token is a column": [[3.6089, 2.6089], [2.6605, 1.6605]]})


def check_tall_head(output, attention):
    """Compare a result for tall_head(): which root divides the scores?"""
    check_numbers(attention, [[0.7604, 0.8497], [0.2396, 0.1503]], {
        "you divide by √D, the size of a token: divide by √D_h, the size of a query":
            [[0.7311, 0.8176], [0.2689, 0.1824]],
        "you divide by √N, the number of tokens: divide by √D_h, the size of a query":
            [[0.8044, 0.893], [0.1956, 0.107]]}, where="with D = 4, N = 2 and D_h = 3")
    check_numbers(output, [[0.7604, 0.8497], [1.4793, 1.3007], [3.4793, 3.3007]],
                  where="with D = 4, N = 2 and D_h = 3")


# %% [markdown]
# ## 2.3 One head
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# Now put one head together. Every query meets every key; the scores are divided by $\sqrt{D_h}$, so that they don't grow with the size of the head; a softmax turns each query's scores into shares; and each token leaves with a mixture of values.
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
for example, check in [(square_head, check_square_head), (tall_head, check_tall_head)]:
    given = example()
    X_prime_small, attention = two_results(scaled_self_attention(*given), "X_prime, attention")
    check(X_prime_small, attention)
    check_unchanged(given, example())
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
    got = two_results(scaled_self_attention(*given), "X_prime, attention")
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    rough = two_results(scaled_self_attention(*floats), "X_prime, attention")
    for i, what in enumerate(["in X_prime of larger random tables", "in their attention"]):
        sizes = f"with {D=}, {N=}, {D_h=}, "
        check_numbers(got[i], expected[i], None, what, 1e-6, sizes)
        check_numbers(rough[i], expected[i], None, what + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# A second route to one number of it. The column of token 4 is a recipe: how much it takes of each value. Follow the recipe by hand and compare with what your function gave.

# %% tags=["demonstration"]
X_prime_1, attention_1 = scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
recipe = [attention_1[m][4] for m in range(6)]
by_hand = sum(recipe[m] * V[0][m] for m in range(6))
print("recipe of token 4:", np.round(recipe, 2), " sum:", round(sum(recipe), 6))
print(f"first feature by hand {by_hand:.4f}, by your function {X_prime_1[0][4]:.4f}")
print("X_prime_1", np.shape(X_prime_1), " attention_1", np.shape(attention_1))

# %% [markdown]
# Most of the recipe comes from one token. That is no rule of attention. These weights are drawn with spread 1, so the scores are large, and the softmax of large scores is nearly a choice. Make the queries ten times smaller. Will the largest share of each query grow or shrink?

# %% tags=["demonstration"]
_, soft = scaled_self_attention(
    X, omega_v1, 0.1 * omega_q1, omega_k1, beta_v1, 0.1 * beta_q1, beta_k1)
print("largest share of each query:", np.round(np.max(attention_1, axis=0), 2))
print("with queries ten times smaller:", np.round(np.max(soft, axis=0), 2))


# %% [markdown]
# The next two cells hold the small example of the exercises that follow: six features, four tokens, two heads with `D_h = 3`. The weights are windows on the features, such as `np.eye(3, 6, 2)`, which picks features 2, 3 and 4.

# %% nbgrader={"grade": false, "grade_id": "small-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
def small_heads():
    """X (6, 4), then Ω_q, Ω_k, Ω_v (2, 3, 6), β_q, β_k, β_v (2, 3, 1) and Ω_c (6, 6)."""
    X = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 2, 0], [2, 0, 1, 0]]
    omegas = [[np.eye(3, 6, start) for start in starts] for starts in [(0, 3), (1, 2), (2, 0)]]
    betas = [[[[1], [0], [-1]], [[0], [1], [1]]],
             [[[0], [1], [1]], [[1], [-1], [0]]],
             [[[0], [1], [2]], [[1], [0], [-1]]]]
    omega_c = np.eye(6) + 2 * np.eye(6, k=1)
    return [np.array(table, dtype=float) for table in [X, *omegas, *betas, omega_c]]


def in_two_parts(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """The same for two heads in the order of 2.4's arguments: v, q, k, head by head."""
    parts = [array[head] for head in range(2)
             for array in (omega_v, omega_q, omega_k, beta_v, beta_q, beta_k)]
    return [X, *parts, omega_c]


# %% nbgrader={"grade": false, "grade_id": "mistakes-in-a-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
mistakes_in_a_head = {  # what each gives for token 0 of small_heads()
    "the scores are not scaled: divide them by √D_h":
        [3.2689, 6.0913, 4.4206, 1.1038, -0.0496, -0.0496],
    "you divide by √D: √D_h is meant, the size of one head":
        [3.3993, 6.6896, 4.8806, 1.6362, -0.2592, -0.2592],
    "you divide by √N: the number of tokens has no part in it, it is √D_h":
        [3.3775, 6.5992, 4.7614, 1.4879, -0.2063, -0.2063],
    "you divide by D_h: it is its root, √D_h":
        [3.4174, 6.7596, 5.0015, 1.7794, -0.3071, -0.3071],
    "the softmax runs over the queries: it must run over the keys":
        [1.3451, 2.6704, 7.2473, 5.2191, -0.6877, -0.8736],
    "queries and keys are swapped": [3.2396, 6.6401, 5.7002, 2.5, -0.7809, -0.6405],
    "a head's arguments come in the order v, q, k (not q, k, v)":
        [1.8694, -0.444, 0.5982, 3.5786, 5.1798, 1.8202],
    "V meets the transposed attention: no transpose":
        [1.487, 3.2549, 2.9204, 1.5797, -0.0505, -0.2204],
    "β_q is missing": [3.5, 6.8595, 4.9126, 1.5312, -0.142, -0.1747],
    "β_v is missing": [1.3595, 1.5202, 0.6813, 0.3865, 1.832, 0.832],
    "V was not projected, only cut up: each head has its own Ω_v and β_v":
        [2.0939, 2.0413, 0.9764, 3.6805, 3.4708, 0.8573],
}

# %% nbgrader={"grade": false, "grade_id": "check-small-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
mistakes_between_heads = {
    "head 1 is used twice, and head 2 never": [3.3595, 6.5202, 3.8612, 3.3595, 6.5202, 2.5803],
    "head 2 is used twice, and head 1 never": [1.3865, -0.168, 1.933, 1.3865, -0.168, -0.168],
    "both heads use the attention of head 1": [3.3595, 6.5202, 5.7266, 3.0939, 0.0413, -0.3595],
    "both heads use the mean attention": [3.2638, 7.6004, 5.7919, 2.2402, -0.0634, -0.2638],
    "the heads are stacked in the wrong order": [1.3865, -0.168, 1.1129, 3.3595, 6.5202, 2.5803],
    "the heads are interleaved: head 1 first, all of it, then head 2":
        [2.7415, 3.7696, 1.6955, 5.3287, 2.2444, -0.168],
    "the softmax ran over the heads: with three axes, the keys are axis 1":
        [2.492, 4.2126, 10.8092, 7.4185, -2.109, -1.7593],
    "the heads are averaged: stack them": [2.373, 3.1761, 2.8971, 2.373, 3.1761, 1.2062],
    "the heads are summed: stack them": [4.746, 6.3522, 5.7943, 4.746, 6.3522, 2.4123],
    "Ω_c is left out: multiply the stacked heads by it":
        [0.6405, 1.3595, 2.5803, 1.0505, 0.168, -0.168],
    "Ω_c acts from the wrong side: it is Ω_c times the stacked heads, untransposed":
        [0.6405, 2.6405, 5.2994, 6.2112, 2.269, 0.168],
}


def check_small_heads(X_prime):
    """Compare X_prime for small_heads() with the right one and with known mistakes."""
    assert X_prime is not None, "you gave back None: does your function end with a return?"
    assert not isinstance(X_prime, tuple), "X_prime alone should come here, not a pair"
    shape = np.shape(X_prime)
    assert shape != (2, 4, 4), "these are the attentions: return X_prime first"
    assert shape == (6, 4), (
        f"for 6 features and 4 tokens X_prime should be (6, 4), not {shape}: "
        "compute it from the arguments, so that it fits any tokens")
    X_prime = np.asarray(X_prime)
    where = "in the column of token 0 of the small example"
    check_numbers(X_prime[:, 0], [3.3595, 6.5202, 4.6813, 1.3865, -0.168, -0.168],
                  {**mistakes_in_a_head, **mistakes_between_heads}, where=where)
    check_numbers(np.sum(X_prime, axis=0), [15.6116, 16.2374, 16.2124, 16.1174],
                  where="the sum of each column of the small example")


# %% [markdown]
# ## 2.4 Two heads
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# One head gives each token a single recipe. With two heads, a token can look for its verb and for its article at once. Each head has its own Ω and β, and gives $D/2$ rows. Put the rows of head 2 **below** those of head 1, and you are back at `(D, N)`. At last $\Omega_c$ mixes what the heads found:
#
# $$X' = \Omega_c \begin{bmatrix} \mathrm{head}_1(X) \\ \mathrm{head}_2(X) \end{bmatrix}$$
#
# | operation | expression | shape |
# |---|---|---|
# | each head, with its own weights | 2.3 | `(D_h, N)`, with $D_h = D/2$ |
# | stack along the rows | head 1 on top of head 2 | `(D, N)` |
# | mix | $\Omega_c$ times the stack | `(D, N)` |
#
# A prediction: suppose you stack head 2 on top of head 1. Does the shape change? Do the numbers? You will measure it after the test.
#
# <details><summary>Hint 1: a question</summary>
#
# The function gets six arrays a head, always in the order v, q, k: first three Ω, then three β. The data cell draws them in the order q, k, v. Where could the two get mixed up?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `scaled_self_attention` gives a pair, of which you need the first part. `np.vstack` or `np.concatenate` with an `axis` puts arrays together. If you give arguments by name, as in `beta_v=beta_v1`, no order can fool you.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Run head 1 on X, run head 2 on the same X. Stack the two mixtures, head 1 on top. Multiply by Ω_c, with Ω_c on the left. Return the product alone.
# </details>
#
# <details><summary>I get “inhomogeneous shape”, or a tuple where I expected an array</summary>
#
# 2.3 gives back two things. Unpack them: one name for the mixture, one for the attention (people write `_` for a result that they don't use). This function gives back one thing only.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Ω_c has as many columns as the stack must have rows, D. Print the shape of your stack: are the heads beside each other, where they should lie below each other?
# </details>

# %% builds_on=["scaled-self-attention"] nbgrader={"grade": false, "grade_id": "two-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    """Two heads of self-attention, stacked along the rows and mixed by omega_c.

    X: (D, N), each omega of a head: (D/2, D), each beta: (D/2, 1), omega_c: (D, D).
    None of them is changed. Returns X_prime (D, N).
    """
    ### BEGIN SOLUTION
    head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "two-heads-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
given = in_two_parts(*small_heads())
check_small_heads(multihead_scaled_self_attention(*given))
check_unchanged(given, in_two_parts(*small_heads()))
published = np.array([[-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
                      [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
                      [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
                      [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
                      [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
                      [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
                      [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
                      [1.248, 18.894, -6.409, 3.224, 19.717, -5.629]])
tokens, first, second, mixing = published_data()
stacked = [np.array(pair) for pair in zip(first, second)]
answer = multihead_scaled_self_attention(*in_two_parts(tokens, *stacked, mixing))
assert np.shape(answer) == (8, 6), f"for the published data the shape is {np.shape(answer)}"
assert np.abs(np.asarray(answer) - published).max() <= 1e-3, (
    f"this is not the published result\nexpected\n{published}\nbut got\n{np.round(answer, 3)}")
### BEGIN HIDDEN TESTS
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
    check_numbers(multihead_scaled_self_attention(*given), expected, None, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    single = multihead_scaled_self_attention(*floats)
    check_numbers(single, expected, None, where + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Here is your result for the published data. Compare the first row with the table in the test: two seeds, thirteen arrays of weights, and it agrees to the third decimal.

# %% tags=["demonstration"]
X_prime = multihead_scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c)
print("X_prime", np.shape(X_prime), "= (D, N)")
print("first row:", np.round(X_prime[0], 3))

# %% [markdown]
# Now the prediction. The same call with the two heads in each other's place:

# %% tags=["demonstration"]
other_order = multihead_scaled_self_attention(
    X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1, omega_c)
print("shape:", np.shape(other_order))
print("largest difference:", np.round(np.abs(np.subtract(other_order, X_prime)).max(), 3))


# %% [markdown]
# The shape is the same and the numbers are not: $\Omega_c$ has one half of its columns for each head, and the wrong half met each. Wrong code with the right shape is the rule here, not the exception.

# %% [markdown]
# ## 2.5 Any number of heads
#
# **4 points · about 12 minutes · difficulty ●●○**
#
# Fourteen arguments for two heads; for 96 heads nobody would want to type them. So put the weights of all heads into one array each, with the head as first axis. `omega_q[h]` is then the $\Omega_q$ of head `h`, and everything else stays as in 2.4.
#
# | operation | expression | shape |
# |---|---|---|
# | weights of all heads | Ω, three arrays | `(H, D_h, D)` each |
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
# In 2.4 the heads had names, 1 and 2. Now they have a number, `h`. Which lines of 2.4 would you have to write only once in a loop over heads? What do you have to collect on the way?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `scaled_self_attention` for one head, lists with `append`, `np.concatenate` or `np.vstack` for the mixtures, `np.stack` or `np.array` for the attentions. If you prefer no loop: `@` works on the last two axes of three, and `reshape` joins the first two. But `.T` turns all three axes round, where `np.swapaxes` exchanges two of them, and the keys are no longer axis 0.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make two empty lists. For every head, run 2.3 with that head's weights; append the mixture to one list, the attention to the other. Stack the mixtures below each other and multiply by Ω_c from the left. Make one array of the attentions. Return the two.
# </details>

# %% builds_on=["scaled-self-attention"] nbgrader={"grade": false, "grade_id": "multihead-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """H heads of self-attention, stacked along the rows and mixed by omega_c.

    X: (D, N), each omega: (H, D_h, D), each beta: (H, D_h, 1), omega_c: (D, D), D = H * D_h.
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
given = small_heads()
small_X_prime, attentions = two_results(multihead_attention(*given), "X_prime, attentions")
check_unchanged(given, small_heads())
check_small_heads(small_X_prime)
shape = np.shape(attentions)
assert shape == (2, 4, 4), f"attentions should be (H, N, N) = (2, 4, 4), and are {shape}"
check_numbers(np.asarray(attentions)[1][:, 0], [0.0253, 0.1427, 0.8068, 0.0253], {
    "the attentions are transposed: [head, key, query] is meant": [0.0253, 0.1952, 0.1631, 0.1952],
    "this is head 1's attention, not head 2's": [0.0862, 0.2734, 0.1535, 0.487],
    "the attentions are averaged: keep one table a head": [0.0557, 0.208, 0.4801, 0.2562]},
    where="in the second head's attention, the column of query 0")
parts = 3 * [np.ones((3, 2, 6))] + 3 * [np.ones((3, 2, 1))]
shapes = [np.shape(result) for result in multihead_attention(np.eye(6, 2), *parts, np.eye(6))]
assert shapes == [(6, 2), (3, 2, 2)], f"with 3 heads and 2 tokens, the shapes are {shapes}"
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
    results = two_results(multihead_attention(*given), "X_prime, attentions")
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    rough = two_results(multihead_attention(*floats), "X_prime, attentions")
    for i, what in enumerate(["in X_prime of larger random heads", "in their attentions"]):
        sizes = f"with {H=}, {D_h=}, {N=}, "
        check_numbers(results[i], expected[i], None, what, 1e-6, sizes)
        check_numbers(rough[i], expected[i], None, what + " in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# A second route to the same numbers. Put the arrays of the two heads together, ask your new function, and compare it with 2.4. What difference do you expect: exactly 0, or almost?

# %% tags=["demonstration"]
stacked = [np.array(pair) for pair in zip(head_1, head_2)]
omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = stacked
X_prime_any, attentions = multihead_attention(
    X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
print("omega_q", omega_q.shape, " beta_q", beta_q.shape, " attentions", np.shape(attentions))
print("largest difference from 2.4:", np.abs(np.subtract(X_prime_any, X_prime)).max())


# %% [markdown]
# ## See both heads
#
# The next cell draws each head twice. On top is the view of this lesson: keys down, queries across, and each **column** sums to 1. Below is the same table transposed, as in lesson 01: queries down, keys across, and each **row** sums to 1. Not one number is different.

# %% nbgrader={"grade": false, "grade_id": "show-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
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


def show_heads(attentions, tokens):
    """Heads side by side: key by query on top, and the same transposed below."""
    heads = len(attentions)
    figure, axes = plt.subplots(2, heads, figsize=(4.4 * heads, 8.8), squeeze=False,
                                layout="constrained")
    for head, table in enumerate(np.asarray(attentions)):
        draw_table(axes[0, head], table, tokens, "query", "key",
                   f"head {head + 1}, here: each column sums to 1")
        image = draw_table(axes[1, head], table.T, tokens, "key", "query",
                           f"head {head + 1}, lesson 01: each row sums to 1")
    figure.colorbar(image, ax=axes, shrink=0.5, label="share of attention")
    plt.show()


# %% tags=["demonstration"]
show_heads(attentions, [f"$x_{n + 1}$" for n in range(6)])

# %% [markdown]
# Random weights make random habits, so there is little to read here except the sums. A sentence says more. Each word has four features, *animal, thing, verb, preposition*, and *the* has none of them. The weights are made by hand, so that each head has a job.
#
# - **Head 1** pairs word classes. By default a word looks for a noun: that is the 3 in $\beta_q$, and the reason why a bias is useful. A noun cancels it, and looks for a verb.
# - **Head 2** is choosier: a verb looks for an animal, and a preposition for a thing. Every other word has no question, and its query is 0.

# %% nbgrader={"grade": false, "grade_id": "sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentence = ["the", "cat", "sat", "on", "the", "mat"]
# features:   animal, thing, verb, preposition
words = {"the": [0, 0, 0, 0], "cat": [1, 0, 0, 0], "mat": [0, 1, 0, 0],
         "sat": [0, 0, 1, 0], "on": [0, 0, 0, 1]}


# %% nbgrader={"grade": false, "grade_id": "two-readers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def two_readers():
    """Weights of two heads made by hand, from omega_q to omega_c, for 4 features."""
    queries = [[[-3, -3, 0, 0], [3, 3, 0, 0]], [[0, 0, 3, 0], [0, 0, 0, 3]]]
    keys = [[[2, 2, 0, 0], [0, 0, 2, 0]], [[2, 0, 0, 0], [0, 2, 0, 0]]]
    values = [[[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 0, 0]]]
    no_bias = np.zeros((2, 2, 1))
    query_bias = [[[3], [0]], [[0], [0]]]
    tables = [queries, keys, values, query_bias, no_bias, no_bias, np.eye(4)]
    return [np.array(table, dtype=float) for table in tables]


# %% [markdown]
# Predict before you run: in head 2, which columns hold a share near 1, and which are perfectly even?

# %% tags=["demonstration"]
S = np.array([words[word] for word in sentence], dtype=float).T
S_prime, reading = multihead_attention(S, *two_readers())
print("S", S.shape, "= (D, N): every column is a word")
show_heads(reading, sentence)

# %% [markdown]
# In head 2, *sat* takes almost everything from *cat*, and *on* from *mat*. The other columns are even, with 1/6 in each cell: a query of 0 scores 0 with every key. So a query that asks for nothing still hands out all of its attention. It must, because each column sums to 1.

# %% [markdown]
# Exercise 2.6 needs torch, so it is imported here, for the first time. In Colab it is installed already. The helper builds torch's module, loads what you return into it, runs it without gradients, and turns the result back to columns.

# %% nbgrader={"grade": false, "grade_id": "run-in-torch", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch


def run_in_torch(state, X, num_heads):
    """Load `state` into torch.nn.MultiheadAttention and give back its output as columns (D, N)."""
    D = X.shape[0]
    shapes = {"in_proj_weight": (3 * D, D), "in_proj_bias": (3 * D,),
              "out_proj.weight": (D, D), "out_proj.bias": (D,)}
    assert isinstance(state, dict), f"return a dict with these names: {list(shapes)}"
    assert set(state) == set(shapes), f"the dict needs these names, no others: {list(shapes)}"
    for name, shape in shapes.items():
        got = np.shape(state[name])
        assert got == shape, f"the shape of {name} is not right\nexpected {shape}, but got {got}"
    module = torch.nn.MultiheadAttention(D, num_heads, batch_first=True).double().eval()
    module.load_state_dict({name: torch.tensor(np.asarray(array), dtype=torch.float64)
                            for name, array in state.items()})
    tokens = torch.tensor(X.T[None], dtype=torch.float64)
    with torch.no_grad():
        output, _ = module(tokens, tokens, tokens)
    return output[0].numpy().T


# %% [markdown]
# ## 2.6 The same weights in PyTorch
#
# **3 points · about 12 minutes · difficulty ●●●**
#
# If your attention is right, then `torch.nn.MultiheadAttention` with the same weights gives the same numbers. That is a strong check, because other people wrote that code, in another convention. But torch takes rows as tokens, and keeps the weights of all heads in two big arrays.
#
# Two things help. A torch layer stores `weight` as (out, in) and computes $x\,\mathrm{weight}^T + \mathrm{bias}$ on rows; transposed, that is $\mathrm{weight}\,X + \mathrm{bias}$ on columns, which is ours. And within each of q, k and v, torch gives head 0 the first $D_h$ rows, head 1 the next $D_h$, and so on.
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
    """Lay out the weights of 2.5 for torch.nn.MultiheadAttention(D, H, batch_first=True).

    Each omega: (H, D_h, D), each beta: (H, D_h, 1), omega_c: (D, D). None of them is changed.
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
tokens, *given = small_heads()
output = run_in_torch(to_torch(*given), tokens, num_heads=2)
check_numbers(output[:, 0], [3.3595, 6.5202, 4.6813, 1.3865, -0.168, -0.168], {
    "Ω_c is transposed: torch does that itself": [0.6405, 2.6405, 5.2994, 6.2112, 2.269, 0.168],
    "Ω_c is left out": [0.6405, 1.3595, 2.5803, 1.0505, 0.168, -0.168],
    "Ω is transposed: torch does that itself": [4.2588, 8.6122, 5.7553, 2.6223, -1.2948, -1],
    "heads are interleaved: join head by head": [3.7867, 4.2922, 1.6955, 7.6805, 3.4203, -0.168],
    "Ω is interleaved: join head by head": [3.5, 6.5, 4.9942, 4.5492, 1.122, -0.2645],
    "head by head, not first q of all heads": [0.2723, 0.1656, 3.4126, 1.7257, -0.9127, -0.517],
    "biases: first q of all heads, then k, then v": [0.3595, 0.5202, 2.6813, 1.3865, -0.168, -0.168],
    "weights: first q of all heads, then k, then v": [3.2723, 6.1656, 5.4126, 1.7257, -0.9127, -0.517],
    "the heads are in the wrong order": [1.3865, -0.168, 1.1129, 3.3595, 6.5202, 2.5803],
    "the order is v, q, k: torch wants q, k, v": [4.2811, 4.2396, 3.7842, 0.7277, 1.226, 0.7491],
    "queries and keys are swapped": [3.2396, 6.6401, 5.7002, 2.5, -0.7809, -0.6405],
    "all biases are missing": [1.5, 1.8595, 0.9126, 0.5312, 1.858, 0.8253],
    "β_q is missing": [3.5, 6.8595, 4.9126, 1.5312, -0.142, -0.1747],
    "β_v is missing": [1.3595, 1.5202, 0.6813, 0.3865, 1.832, 0.832],
    "β_v is counted twice": [5.3595, 11.5202, 8.6813, 2.3865, -2.168, -1.168],
    "β_v in the output bias must pass Ω_c first": [1.3595, 2.5202, 2.6813, 1.3865, 1.832, -0.168],
    "torch scales by itself: don't divide": [3.4174, 6.7596, 5.0015, 1.7794, -0.3071, -0.3071]})
check_unchanged([tokens, *given], small_heads())
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
    check_numbers(run_in_torch(to_torch(*given[1:]), tokens, H), expected, None, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before[1:]]
    check_numbers(run_in_torch(to_torch(*floats), tokens, H), expected, None, where, 1e-5, sizes)
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
# There is more than one right answer here. Where did `out_proj.bias` get its zeros from, in your solution? Each column of attention sums to 1, so $\beta_v$ comes out of the mixture unchanged, as $\beta_v\mathbf{1}^T$. Put $\Omega_c\beta_v$ into `out_proj.bias`, and zeros for $\beta_v$ into `in_proj_bias`, and torch gives the same.

# %% [markdown]
# ## 2.7 Does the order of the words matter?
#
# **1 point · about 6 minutes · difficulty ●●○**
#
# *The cat sat on the mat*, *the mat sat on the cat*: two different stories. Does attention notice? Look at your formula and predict: if two columns of $X$ trade places, what happens to $X'$?
#
# To measure it, permute the columns before attention, or permute them after. If both give the same, then attention is **permutation equivariant**: the order goes through it and does nothing.
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

    attend: from (D, N) to (D, N). X: (D, N), not changed. permutation: (N,). Returns a float.
    """
    ### BEGIN SOLUTION
    permuted_first = attend(X[:, permutation])
    permuted_last = attend(X)[:, permutation]
    return float(np.max(np.abs(permuted_first - permuted_last)))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "equivariance-gap-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
running_sum = lambda tokens: np.cumsum(tokens, axis=1)
table, order = np.array([[-1.0, -4.0, 1.0], [-2.0, 1.0, -4.0], [4.0, 5.0, -3.0]]), np.array([1, 2, 0])
before = [table.copy(), order.copy()]
gap = equivariance_gap(running_sum, table, order)
check_unchanged([table, order], before)
assert np.ndim(gap) == 0, "give back one number: the largest difference of all entries"
check_numbers(gap, 4.0, {
    "the sign got lost: take the absolute difference, then the largest": 2.0,
    "permute attend(X) too: otherwise you compare different tokens": 7.0,
    "permute X as well, before attend: only the result of one call was permuted": 5.0,
    "the permutation runs backwards: column j comes from column permutation[j]": 9.0,
    "the permutation of the result runs backwards: use the same one twice": 6.0,
    "the permutation of X runs backwards: use the same one twice": 12.0,
    "this is the mean difference: the largest is meant": 2.4444,
    "this is the sum of the differences: the largest is meant": 22.0,
    "this is the root of the summed squares: the largest difference is meant": 8.0,
    "no difference: permute columns, once before attend and once after it": 0.0,
    "you permute the rows of X: the tokens are the columns": 14.0},
    where="with a running sum as attend")
check_numbers(equivariance_gap(lambda tokens: -running_sum(tokens), table, order), 4.0, {
    "the sign got lost: take the absolute difference of each entry, then the largest": 2.0})
check_numbers(equivariance_gap(np.tanh, table, order), 0.0, where="with tanh of each entry")
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
            check_numbers(equivariance_gap(attend, *given), expected, None, "on random tokens", 1e-6, sizes)
            check_unchanged(given, [tokens, order])
### END HIDDEN TESTS

# %% [markdown]
# First the two stories. Swap *cat* and *mat*, and look at what *sat* gets. Then your measure, on the published data, for attention alone and for attention to tokens that know their place (a fixed random column is added to each position).

# %% tags=["demonstration"]
other_story = ["the", "mat", "sat", "on", "the", "cat"]
T = np.array([words[word] for word in other_story], dtype=float).T
T_prime, _ = multihead_attention(T, *two_readers())
print("sat, in 'the cat sat on the mat':", np.round(np.asarray(S_prime)[:, 2], 3))
print("sat, in 'the mat sat on the cat':", np.round(np.asarray(T_prime)[:, 2], 3))


# %% tags=["demonstration"]
def attend(tokens):
    return multihead_attention(tokens, *stacked, omega_c)[0]


positions = np.random.default_rng(27).normal(size=X.shape)
shuffle = np.array([2, 0, 5, 1, 4, 3])
print("attention alone:      gap", equivariance_gap(attend, X, shuffle))
print("with positions added: gap",
      equivariance_gap(lambda tokens: attend(tokens + positions), X, shuffle))


# %% [markdown]
# So attention reads a bag of words. That is why a Transformer adds something to each token that says where it stands; without it, *the cat sat on the mat* and *the mat sat on the cat* are one and the same.

# %% [markdown]
# There are three biases in a head. Suppose you set one of them to 0, for all heads, and leave the rest as it is. Which of the three changes $X'$, and by how much? Write your guess down before you measure: large, small, or none.

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
# <details><summary>My gap for β_k is large, but my function looks right</summary>
#
# Then look at exercise 2.5. If its softmax ran over the queries, or if its queries and keys were swapped, the key bias would matter. Does its test pass?
# </details>

# %% builds_on=["multihead-attention"] nbgrader={"grade": false, "grade_id": "bias-gaps", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Largest absolute change of X_prime when all beta_q, all beta_k, or all beta_v are set to 0.

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


# %% [markdown]
# The next cell holds the numbers that well-known mistakes give for the small example.

# %% nbgrader={"grade": false, "grade_id": "mistakes-in-gaps", "locked": true, "schema_version": 3, "solution": false, "task": false}
mistakes_in_gaps = {
    "you set all three biases to 0 each time: take one kind away, and leave the other two":
        [4.8595, 4.8595, 4.8595],
    "each time one bias is kept and two are 0: take one kind away, and leave the other two":
        [5.0, 4.8595, 0.5105],
    "a bias that was 0 stays 0: the next measurement needs all of the others back": [0.5105, 0.5105, 4.8595],
    "you set Ω to 0 as well: only the biases are meant": [1.1135, 1.1135, 6.8595],
    "you set Ω to 0: the biases are meant": [0.8326, 1.1135, 1.8595],
    "the order is q, k, v: here β_k comes first": [0.0, 0.5105, 5.0],
    "the order is q, k, v: here β_k comes last": [0.5105, 5.0, 0.0],
    "the order is q, k, v: here it runs backwards": [5.0, 0.0, 0.5105],
    "the order is q, k, v: here β_v comes first": [5.0, 0.5105, 0.0],
    "the sign got lost: take the absolute difference of each entry, then the largest": [0.5105, 0.0, 2.0],
    "the sign got lost: take the absolute difference, whichever is subtracted": [0.0313, 0.0, 5.0],
    "these are mean differences: the largest is meant": [0.1827, 0.0, 2.5],
    "these are sums of the differences: the largest is meant": [4.3847, 0.0, 60.0],
    "this is the root of the summed squares: the largest difference is meant": [1.1378, 0.0, 14.2829],
    "only head 1 was changed: set the biases of all heads to 0": [0.3599, 0.0, 5.0],
    "only the last head was changed: set the biases of all heads to 0": [0.3906, 0.0, 2.0],
    "you compare the attentions: the change of X_prime is meant": [0.1668, 0.0, 0.0],
    "these are entries of X_prime: subtract the two results first": [7.0, 6.8595, 1.8595],
    "three times 0: nothing was taken away, or from both": [0.0, 0.0, 0.0]}

# %% nbgrader={"grade": true, "grade_id": "bias-gaps-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
given = small_heads()
gaps = bias_gaps(*given)
check_unchanged(given, small_heads())
assert gaps is not None, "you gave back None: does your function end with a return?"
assert np.shape(gaps) == (3,), "give back three numbers, one for each kind of bias: gap_q, gap_k, gap_v"
check_numbers(gaps, [0.5105, 0.0, 5.0], mistakes_in_gaps, "in the gaps of the small example", 1e-4)
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
    check_numbers(bias_gaps(*given), expected, None, "in the gaps of larger random heads", 1e-5, sizes)
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
# No. With a bias a thousand times as large the gap is still a rounding error; it creeps up only because larger scores are rounded more coarsely. So something in the formula removes the key bias, whatever its size. To find out what, look at the scores of head 1: with $\beta_k$, minus those without. Three queries are enough. Read *down* a column, then along a row. What do you notice?

# %% tags=["demonstration"]
Q = np.asarray(project(X, omega_q1, beta_q1))
with_bias = np.asarray(project(X, omega_k1, beta_k1))
without_bias = np.asarray(project(X, omega_k1, np.zeros((4, 1))))
added = (with_bias - without_bias).T @ Q / 2  # √D_h = 2
print("added to the scores, key by query (queries 0, 1, 2):")
print(np.round(added[:, :3], 3))

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-no-key-bias", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 2.9 Why the key bias cannot matter
#
# **2 points · about 5 minutes · difficulty ●●○**
#
# Explain why $\beta_k$ cannot change $X'$, whatever its value. Write out the score of key $m$ and query $n$, once the key is $\beta_k + \Omega_k x_m$; say what the bias adds to it, and on which of $m$ and $n$ this depends; and say what the softmax does with it. Four or five sentences, with a formula or two.
#
# <details><summary>Hint: a question</summary>
#
# Multiply $(\beta_k + \Omega_k x_m)^T q_n$ out into two terms. Which of them has no $m$ in it? And what does 2.1 say about adding the same number to a whole column?
# </details>
#
# ### BEGIN MARK SCHEME
# **1 point, what is added:** the score is $(\beta_k + \Omega_k x_m)^T q_n / \sqrt{D_h}$, so the bias adds $\beta_k^T q_n / \sqrt{D_h}$. This depends on the query $n$ but not on the key $m$: the same number is added to every entry of a column.
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
# ## What you built
#
# - A softmax, a projection, and one head of attention in which a column is a token, and a test of each against the usual slips.
# - Two heads, and then any number, with the published numbers to the third decimal.
# - A map from columns to rows, good enough that PyTorch gives the same result from your weights.
# - Two measurements: attention doesn't see order, and it doesn't see the key bias. Neither could be read off the code at a glance.
#
# Some models leave the key bias out. OpenAI's published code of Whisper does: its layers for queries and values have a bias, its layer for keys has none.

# %% [markdown]
# ## Three questions to think about
#
# 1. If the softmax ran over the queries, one of $\beta_q$ and $\beta_k$ would be without effect. Which one, and why?
# 2. $\beta_v$ does matter, but it could be moved into a bias after $\Omega_c$. Would that still work if the columns of the attention didn't sum to 1?
# 3. Stack the heads in the other order. Which change of $\Omega_c$ makes up for it exactly? So is there anything special about head 1?

# %% [markdown]
# ## References
#
# - Simon J. D. Prince, *Understanding Deep Learning*, 2023, MIT Press. Section 12.3 and figure 12.6: the notation of this lesson.
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017. Scaled dot products, and many heads.
# - Juho Lee and others, *Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks*, 2019. What to do with attention that doesn't see order.
# - Manzil Zaheer and others, *Deep Sets*, 2017. Functions on sets, and what equivariance demands of them.
