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
# <details><summary><b>How to work through this notebook</b></summary>
#
# Work from top to bottom and run every cell, including the collapsed ones: click a cell, then press **Shift+Enter**. Each exercise has an explanation, a cell for your code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. If nothing is printed, the test passed.
#
# If a test fails, read the last line of its output first: it says what to do, or where to look. The lines above it show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# In a test cell, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 2.9 is answered in words and read by a person. Exercise 2.3 builds on 2.1 and 2.2, exercises 2.4 and 2.5 build on 2.3, and 2.8 builds on 2.5. If an earlier exercise isn't finished, write its few steps out inside the later one. Cells that draw or print call your functions, so they fail until those work. The 140 minutes include reading and running such cells; the minutes beside an exercise are for solving it.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# Query, key, value and head are explained in 2.2 and 2.3. Come back to this table when you meet them.
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
#
# **From these columns to the rows of lesson 01.** To go from one to the other, transpose. Nothing else changes.
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
#
# </details>

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import copy
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "messages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

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
# ## The data, and a result to aim for
#
# From here on the tokens are `N = 6` columns of `D = 8` random numbers, from the exercise that goes with the book. The numbers have no meaning. They are useful because the seeds are fixed, and because the correct result for two heads is published: you find it below the function that draws the data. In 2.4, your table will agree with it to the third decimal.

# %% nbgrader={"grade": false, "grade_id": "published-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
def published_data():
    """Return X (8, 6), the six arrays of each head in the order they are drawn, and omega_c."""
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
    """Return the published X_prime for two heads, to three decimals."""
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
# Predict first: `X[2]` and `X[:, 2]` are both allowed. Which of the two is a token, and how many numbers does it have? Then run the cell.

# %% tags=["demonstration"]
print("X[2]    has", X[2].size, "numbers")
print("X[:, 2] has", X[:, 2].size, "numbers")


# %% [markdown]
# The column, `X[:, 2]`, is token 2 with all its features. `X[2]` is feature 2 of every token.

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
# How much does token 4 attend to token 1? Take the query of token 4 and the key of token 1, two columns, and multiply them number by number. The sum is one **score**.
#
# Predict: in the table of all scores, `(N, N)`, with the key first, in which row and which column does this number stand?

# %% tags=["demonstration"]
score = sum(keys_0[i][1] * queries_0[i][4] for i in range(4))
print(f"score of key 1 and query 4: {score:.3f}")


# %% [markdown]
# It belongs in row 1 (the key) and column 4 (the query). And it says: hardly at all. Next to scores around 0, one of −12.9 leaves no share that you would see.

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
      multihead_scaled_self_attention, *two_head_arguments(*with_identity_omega_c(*small_heads())))
check("two-heads", "D = 6, N = 4", multihead_scaled_self_attention, *two_head_arguments(*small_heads()))
tokens, first, second, mixing = published_data()
both = [np.array(pair) for pair in zip(first, second)]
published = two_head_arguments(tokens, *both, mixing)
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
      multihead_attention, *with_identity_omega_c(*small_heads(N=3)))
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
    """Return the matrices and biases of two heads made by hand, from omega_q to omega_c, for 4 features."""
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
# Exercise 2.6 needs torch, so it is imported here, for the first time. In Colab it is installed already. If you don't have torch, skip 2.6. You lose its 3 points and its cells fail, but nothing later depends on it. The helper builds torch's module, loads what you return into it, runs it without gradients, and transposes the result back to columns.

# %% nbgrader={"grade": false, "grade_id": "run-in-torch", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch


def run_in_torch(state, X, num_heads):
    """Load `state` into torch.nn.MultiheadAttention and return its output as columns (D, N)."""
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


def torch_output(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Return torch's X_prime, with the weights that your `to_torch` makes of these arrays."""
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
check("to-torch", "2 heads and an Ω_c that changes nothing, in torch",
      torch_output, *with_identity_omega_c(*small_heads()))
check("to-torch", "H = 2, D_h = 3, N = 4, in torch", torch_output, *small_heads())
check("to-torch", "H = 3, D_h = 2, N = 5, in torch", torch_output, *small_heads(3, 2, 5))
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


# %% nbgrader={"grade": true, "grade_id": "equivariance-gap-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("equivariance-gap", gaps="example")
table, order = 3 * example_arrays(22, (4, 4))[0], np.array([2, 0, 3, 1])
check("equivariance-gap", "running sums as attend, 4 tokens", equivariance_gaps, running_sums, table, order)
check("equivariance-gap", "minus running sums", equivariance_gaps, lambda X: -running_sums(X), table, order)
table, order = 3 * example_arrays(22, (4, 5))[0], np.array([2, 0, 3, 1, 4])
check("equivariance-gap", "running sums as attend, 5 tokens", equivariance_gaps, running_sums, table, order)
check("equivariance-gap", "tanh of each entry as attend", equivariance_gaps, np.tanh, table, order)
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
