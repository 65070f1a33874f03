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
# *Attention, Graded · lesson 02 · NumPy<!-- with: to-torch -->, and torch for 2.8<!-- end --> · about <!-- minutes -->70<!-- end --> minutes of exercises<!-- with: softmax-cols -->, core 43<!-- end --> · <!-- points -->17<!-- end --> points*
#
# In lesson 01 a token was a row. Open Simon Prince's *Understanding Deep Learning* at section 12.3, and a token is a **column**: everything you know is there, transposed. Many people lose an evening to this, because most mistakes in it run without an error.
#
# In this lesson you do it once, calmly. You write one head in the book's notation, then two, and reproduce a published result to the third decimal.<!-- with: bias-gaps --> Then you measure what each of the three biases of a head does.<!-- end --><!-- with: to-torch --> At the end you load your matrices and biases into PyTorch, and get the same numbers.<!-- end -->

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
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. <!-- with: why-no-key-bias -->Question 2.6 is answered in words and read by a person. <!-- end -->If you are stuck on an exercise, skip it and come back later: the line under its heading names the exercises that it needs. Cells that draw or print call your functions, so they fail until those work.
#
# The minutes beside an exercise are an estimate for solving it. <!-- with: equivariance-gap, to-torch -->Exercises marked **★ core** are the main line of the lesson, about 45 minutes of work. Those marked **more** can be left out. <!-- end -->
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
# | **The key comes first** | `scores[m, n]` belongs to **key `m`** (the token attended to) and **query `n`** (the token that attends) |
# | **Each column of the attention sums to 1** | the softmax runs down axis 0, over the keys |
# | **Shapes of the weight matrices** | each of the `H` heads has Ω: `(D_h, D)` and biases β: `(D_h, 1)`, with `D_h = D / H` · $\Omega_c$: `(D, D)` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **Inputs may be integer arrays** | compute with floats: round nothing, and don't copy the dtype of the input |
#
# Here $\mathbf{1}$ is a column of `N` ones, so $\beta\mathbf{1}^T$ is `N` copies of β side by side. *The attention* is the table of shares that lesson 01 calls attention weights. The tests of 2.2 and 2.3 also use a `D_h` that isn't `D / H`.
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

# %% locked imports
import copy
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# **What you build.** These are two heads of the kind that you write in 2.3 and 2.4, on a sentence. A column shows how one word divides its attention. In head 0, nouns look for verbs, and other words for nouns. In head 1, *sat* looks for *cat*, *on* looks for *mat*, and the rest look for nothing.

# %% alt="Two tables of 6 keys by 6 queries for the cat sat on the mat: in head 0, cat and mat give 0.93 to sat, and the other words 0.49 each to cat and mat; in head 1, sat gives 0.93 to cat and on 0.93 to mat, and all other columns hold 0.17 everywhere." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_two_heads():
    words, even = ["the", "cat", "sat", "on", "the", "mat"], [1 / 6] * 6
    nouns, verb = [0.01, 0.49, 0.01, 0.01, 0.01, 0.49], [0.01, 0.01, 0.93, 0.01, 0.01, 0.01]
    cat, mat = [0.01, 0.93, 0.01, 0.01, 0.01, 0.01], [0.01, 0.01, 0.01, 0.01, 0.01, 0.93]
    heads = [nouns, verb, nouns, nouns, nouns, verb], [even, even, cat, mat, even, even]
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.9), layout="constrained", sharey=True)
    for head, (ax, columns) in enumerate(zip(axes, heads)):
        image = ax.imshow(np.transpose(columns), vmin=0, vmax=1, cmap="cividis")
        for (query, key), share in np.ndenumerate(columns):
            ax.text(query, key, f"{share:.2f}", ha="center", va="center", fontsize=9,
                color="black" if share > 0.5 else "white")
        ax.set(xticks=range(6), xticklabels=words, yticks=range(6), yticklabels=words,
            xlabel="query", title=f"head {head}")
    axes[0].set_ylabel("key")
    figure.colorbar(image, ax=axes, label="share", shrink=0.8)
    plt.show()


draw_two_heads()


# %% [markdown]
# ## 2.1 Softmax down the columns
#
# **more · <!-- points -->2 points<!-- end --> · about 6 minutes · difficulty ●○○**
#
# Softmax turns scores into shares: positive numbers that sum to 1, larger for a larger score. In this lesson every **column** of the scores belongs to one query, and contains one score per key. So every column gets its own softmax:
#
# $$\mathrm{softmax}(S)_{m,n} = \frac{e^{S_{m,n}}}{\sum_{i} e^{S_{i,n}}}$$
#
# Since $e^{10000}$ is too large for a floating-point number, subtract the maximum of each column first. That changes no share: the same factor cancels in numerator and denominator.
#
# | operation | expression | shape, for `data_in` of `(rows, columns)` |
# |---|---|---|
# | maximum of each column | $\max_i S_{i,n}$ | one number per column |
# | shifted exponentials | $e^{S_{m,n} - \max_i S_{i,n}}$ | `(rows, columns)` |
# | their sum down each column | $z_n$ | one number per column |
# | shares | exponential $/\; z_n$ | `(rows, columns)` |
#
# Lesson 03 hides a key with a score of $-\infty$. Such a score must get a share of exactly 0, as `np.exp(-np.inf)` does. (No column is all $-\infty$.)
#
# <details><summary>Hint 1: a question</summary>
#
# A table has 2 rows and 3 columns. To make its columns sum to 1, by how many different sums do you divide: 2 or 3? When you add along a column, does the row index change or the column index?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.exp`, and `np.max` and `np.sum` with `axis=`. The axis that you name is the one that is summed over and disappears. `keepdims=True` keeps it with length 1.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `maximum` = max of `data_in` down each column
# 2. `exponentials` = exp of (`data_in` − `maximum`), a new array
# 3. return `exponentials` / their sum down each column
# </details>

# %% solution softmax-cols
def softmax_cols(data_in):
    """Turn each column of scores into shares that sum to 1.

    data_in: (rows, columns), of floats or integers; entries may be large or -inf.
    It is not changed.
    Returns an array of the same shape.
    """
    ### BEGIN SOLUTION
    exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)
    ### END SOLUTION


# %% test softmax-cols points=2
# Test of 2.1 Softmax down the columns (2 points). Run the checks cell first.
with np.errstate(all="ignore"):
    returns("softmax-cols", shares="row column")
    check("softmax-cols", "3 by 3 scores", softmax_cols, np.array(
        [[0, 1.5, -2], [1, -0.5, 0], [2.5, 0.3, 1]]))
    check("softmax-cols", "2 rows and 4 columns", softmax_cols,
        np.array([[0.5, 2, -1, 0], [1.5, -2, 3, 0]]))
    check("softmax-cols", "a table of whole numbers", softmax_cols,
        np.array([[3, 0], [1, 2], [2, -1]]))
    check("softmax-cols", "scores near 1000", softmax_cols,
        np.array([[1001, 999], [1000.5, 1000], [998, 997]]))
    check("softmax-cols", "columns near 1000, 0 and -1000, and one of both", softmax_cols, np.array(
        [[1000, 1, -1000, 1000], [999, 0, -998.5, -1000]]))
    check("softmax-cols", "scores of -inf", softmax_cols,
        np.array([[2, -np.inf], [-np.inf, 0], [2, 1]]))
    check("softmax-cols", "one row and one column", softmax_cols, np.array([[1.5]]))
    check_unrounded(softmax_cols(np.array([[0.5, 2, -1, 0], [1.5, -2, 3, 0]])))
    ### BEGIN HIDDEN TESTS
    shares_of = lambda s: (e := np.exp(s - s.max(axis=0))) / e.sum(axis=0)
    fine = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(201), "on another random table"
    for shape in [(3, 5), (6, 2), *many_sizes(2), (300, 2), (2, 300)]:
        scores = np.round(128 * rng.normal(size=shape)) / 64   # with 10000 added, exact in 32 bits, too
        expected = shares_of(scores)
        for shift in (0.0, 1e4, -1e4):
            given, sizes = scores + shift, f"with shape {in_words(shape)} and {shift:.0f} added, "
            shares = np.asarray(softmax_cols(given))
            check_numbers(shares, expected, where, fine(shares), sizes)
            check_unchanged([given], [scores + shift])
        check_numbers(softmax_cols(scores.astype(np.float32)), expected, where, 1e-5, sizes)
        whole = np.rint(2 * scores).astype(int)
        check_numbers(softmax_cols(whole.copy()), shares_of(whole), "on a random table of integers", 1e-6, sizes)
    levels = np.round(64 * rng.normal(size=(4, 3))) / 64 + np.array([1e4, 0.0, -1e4])
    levels[1, 0] = levels[0, 2] = -np.inf
    extreme = np.array([[-1e30, 2e30, -np.inf, 0], [-2e30, -np.inf, -3e6, -np.inf], [-np.inf, 1e30, -np.inf, -np.inf]])
    for table in (levels, extreme, extreme[:, :1], extreme[:2, :2]):
        shares, expected = np.asarray(softmax_cols(table.copy())), shares_of(table)
        check_numbers(shares, expected, "on columns of very different level, with some -inf", fine(shares))
        assert (shares[table == -np.inf] == 0).all(), "a score of -inf must get a share of 0"
    steep = np.array([[0.0, 1000, -1000, 0], [1000, 0, -1001, -2000], [-1000, 999, -1000, 2000]])
    check_numbers(np.log(softmax_cols(np.array([[0.0, 3], [-30, 43]]))), [[0, -40], [-30, 0]], "in the logarithms of very small shares", 1e-6)
    shares = np.asarray(softmax_cols(steep.copy()))
    check_numbers(shares, shares_of(steep), "on steep columns", fine(shares))
    ### END HIDDEN TESTS

# %% [markdown]
# Look at one result. Along which axis do you have to add to get ones?

# %% tags=["demonstration"]
shares = np.array(softmax_cols(np.array([[0.0, 3.0, 1.0], [2.0, 3.0, 1.0]])))
print(np.round(shares, 3))
print("down the columns:", np.round(shares.sum(axis=0), 3))
print("along the rows:  ", np.round(shares.sum(axis=1), 3))


# %% [markdown]
# ## The data, and a result to aim for
#
# From here on the tokens are `N = 6` columns of `D = 8` random numbers, from the exercise that accompanies the book. The numbers have no meaning. They are useful because the seeds are fixed, and because the correct result for two heads is published: it is in the cell after the next. In 2.4, your result will agree with it to the third decimal.

# %% locked published-data
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


# %% locked published-result
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
# Predict first: `X[2]` and `X[:, 2]` are both valid. Which of the two is a token, and how many numbers does it have? Then run the cell.

# %% tags=["demonstration"]
print("X[2]    has", X[2].size, "numbers")
print("X[:, 2] has", X[:, 2].size, "numbers")


# %% [markdown]
# The column, `X[:, 2]`, is token 2 with all its features. `X[2]` is feature 2 of every token.

# %% [markdown]
# ## 2.2 Project the tokens
#
# **★ core · <!-- points -->1 point<!-- end --> · about 5 minutes · difficulty ●○○**
#
# Each token has three roles: as a **query** it looks for something, as a **key** it has something to offer, as a **value** it passes something on. For each role there is a **projection**: a linear map of the token plus a bias. For one token $x_n$ that is $\beta + \Omega x_n$. For all of them at once:
#
# $$\beta\mathbf{1}^T + \Omega X$$
#
# | operation | expression | shape |
# |---|---|---|
# | map every column | $\Omega X$ | `(D_h, D)` times `(D, N)` gives `(D_h, N)` |
# | add the bias to every column | $\beta\mathbf{1}^T + \dots$ | `(D_h, N)` |
#
# One function serves queries, keys and values, since only Ω and β differ.
#
# <details><summary>Hint 1: a question</summary>
#
# β has the shape `(D_h, 1)`, and you add it to an array of shape `(D_h, N)`. What does NumPy do with an axis of length 1 in an addition?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` or `np.matmul` multiplies matrices, and `+` broadcasts. If you prefer to write out the $\mathbf{1}^T$ of the formula, use `np.ones`: 1 row, and as many columns as `X` (`X.shape[1]`).
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. multiply Ω by `X`, with Ω on the left
# 2. add β, which broadcasts to every column
# 3. return the sum
# </details>

# %% solution project edition="core"
def project(X, omega, beta):
    """Map every column of X by omega and add the column beta to it.

    X: (D, N), omega: (D_h, D), beta: (D_h, 1). Returns (D_h, N).
    """
    ### BEGIN SOLUTION
    return beta + omega @ X
    ### END SOLUTION


# %% test project points=1
# Test of 2.2 Project the tokens (1 point). Run the checks cell first.
returns("project", projected="feature token")
table = np.array([[1, 2, -0.5], [3, 0.5, -1], [0, 1.5, 2]])
check("project", "D = N = D_h = 3", project, table,
      np.array([[1, 0, 2], [-1, 0.5, 1], [3, 1, 0]]), np.array([[10], [-4], [0.5]]))
check("project", "D = 2, N = 4, D_h = 3, tokens of whole numbers", project,
    np.array([[1, 2, 3, 4], [0, 1, -1, 2]]),
      np.array([[1, 0], [0.5, 2], [-1, 1]]), np.array([[0.5], [1], [2]]))
for place, names in enumerate(["X and β", "Ω"]):
    check("project", f"whole numbers in {names}", project,
        *whole_numbers(place, *example_arrays(5, (4, 3), (2, 4), (2, 1))))
check("project", "D = N = D_h = 1", project, *example_arrays(5, (1, 1), (1, 1), (1, 1)))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(202)
for D, N, D_h in [(5, 3, 2), (2, 7, 4), *many_sizes(3), (300, 2, 3), (2, 300, 3), (2, 3, 300)]:
    given = [rng.normal(size=shape) for shape in [(D, N), (D_h, D), (D_h, 1)]]
    before = copy.deepcopy(given)
    expected = given[2] + (given[1][..., None] * given[0]).sum(axis=1)
    where, sizes = "on other random tables", f"with {D=}, {N=}, {D_h=}, "
    check_numbers(project(*given), expected, where, 1e-6, sizes)
    check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in before]
    check_numbers(project(*floats), expected, where + " in float32", 1e-5, sizes)
    check_numbers(np.divide(project(1e6 * given[0], given[1], 1e6 * given[2]), 1e6), expected, where + " with large numbers", 1e-6, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Now you have the three projections of every token, for head 0 of our data:

# %% tags=["demonstration"]
queries_0 = project(X, omega_q1, beta_q1)
keys_0 = project(X, omega_k1, beta_k1)
values_0 = project(X, omega_v1, beta_v1)
print("queries", np.shape(queries_0), " keys", np.shape(keys_0),
      " values", np.shape(values_0), " = (D_h, N)")

# %% [markdown]
# How much does token 4 attend to token 1? Take the query of token 4 and the key of token 1, two columns, multiply them entry by entry and add up. The sum is one **score**.
#
# Predict: in the table of all scores, `(N, N)`, with the key first, in which row and which column is this number?

# %% tags=["demonstration"]
of_query_4 = [sum(keys_0[i][m] * queries_0[i][4] for i in range(4)) for m in range(6)]
print(f"score of key 1 and query 4: {of_query_4[1]:.3f}")
print("query 4 with each of the six keys:", np.round(of_query_4, 1))


# %% [markdown]
# It belongs in row 1 (the key) and column 4 (the query). A score of −12.9 means that token 4 hardly attends to token 1. The other scores of query 4 lie between −10.7 and 2.7. After the scale and the softmax, which come next, token 1 gets a share of 0.0004.

# %% [markdown]
# ## 2.3 One head
#
# **★ core · <!-- points -->4 points<!-- end --> · about 12 minutes · difficulty ●●○ · needs 2.2**
#
# A **head** is one set of three projections, with the attention computed from them. Since queries and keys come from the same tokens, this is **self-attention**. Every query is compared with every key; the scores are divided by $\sqrt{D_h}$, so that they don't grow with the size of the head; a softmax turns the scores of each query into shares; and each token receives a mixture of values.
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
# Return both results: `return X_prime, attention`. The arguments are in the book's order: **v, q, k**.
#
# <details><summary>Hint 1: a question</summary>
#
# The shares of each *query* must sum to 1. Which axis of $K^TQ$ belongs to the queries? So along which axis does the softmax sum?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `project`, and `column_softmax`, which is given above. `.T` transposes, `@` multiplies, `np.sqrt` or `math.sqrt` computes the square root, and `omega_q.shape` contains $D_h$.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `queries`, `keys`, `values` = `project` of X, each with its own Ω and β
# 2. `scores` = `keys` transposed times `queries`, divided by the square root of $D_h$
# 3. `attention` = `column_softmax` of `scores`
# 4. `X_prime` = `values` times `attention`
# 5. return `X_prime`, `attention`
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Two shapes don't match. Print them both: in `A @ B`, `A` must have as many columns as `B` has rows. Then look them up in the table: is one of them on the wrong side, or transposed?
# </details>

# %% [markdown]
# The softmax down each column is given<!-- with: softmax-cols -->, as 2.1 asks for it<!-- end -->:

# %% locked column-softmax
def column_softmax(scores):
    """Return the softmax of each column of scores (rows, columns)."""
    exponentials = np.exp(scores - np.max(scores, axis=0))
    return exponentials / np.sum(exponentials, axis=0)


# %% solution scaled-self-attention builds_on=["project"] edition="core"
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    """Compute one head of scaled dot-product self-attention; a column is a token.

    X: (D, N), each omega: (D_h, D), each beta: (D_h, 1). None of them is changed.
    Returns X_prime (D_h, N) and attention (N, N), key by query, each column summing to 1,
    also for large scores.
    """
    ### BEGIN SOLUTION
    queries = project(X, omega_q, beta_q)
    keys = project(X, omega_k, beta_k)
    values = project(X, omega_v, beta_v)
    scores = keys.T @ queries
    attention = column_softmax(scores / np.sqrt(omega_q.shape[0]))
    return values @ attention, attention
    ### END SOLUTION


# %% test scaled-self-attention points=4
# Test of 2.3 One head (4 points). Run the checks cell first.
returns("scaled-self-attention", X_prime="feature token", attention="key query")
check("scaled-self-attention", "D = N = D_h = 3", scaled_self_attention, *one_head(3, 3, 3))
check("scaled-self-attention", "D = 5, N = 2, D_h = 6", scaled_self_attention, *one_head(5, 2, 6))
whole_tokens = np.array([[1, 0, -2], [0, 2, 1], [2, -1, 0], [1, 1, -1]])
check("scaled-self-attention", "tokens of whole numbers", scaled_self_attention, whole_tokens,
    *one_head(4, 3, 5)[1:])
for place, names in enumerate(["X, Ω_q, β_v and β_k", "Ω_v, Ω_k and β_q"]):
    check("scaled-self-attention", f"whole numbers in {names}", scaled_self_attention,
        *whole_numbers(place, *one_head(4, 3, 5)))
check("scaled-self-attention", "a single token, D_h = 1", scaled_self_attention, *one_head(4, 1, 1))
for result in scaled_self_attention(*one_head(4, 3, 5)):
    check_unrounded(result)
### BEGIN HIDDEN TESTS
def plain_head(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    scores = ((omega_k @ X + beta_k)[..., None] * (omega_q @ X + beta_q)[:, None]).sum(axis=0) / math.sqrt(len(omega_q))
    grown = np.exp(scores - scores.max(axis=0))
    attention = grown / grown.sum(axis=0)
    return ((omega_v @ X + beta_v)[..., None] * attention).sum(axis=1), attention


rng = np.random.default_rng(203)
for D, N, D_h in [(5, 7, 3), (6, 4, 2), *many_sizes(3, (1, 2, 5)), (9, 9, 9), (300, 2, 3), (2, 3, 300)]:
    shapes = [(D, N)] + 3 * [(D_h, D)] + 3 * [(D_h, 1)]
    arrays = [rng.normal(size=shape) for shape in shapes]
    for name, factor in [("random", 1), ("whole random", 1), ("large random", 1e4), ("positive and negative", 1e4)]:
        given = [factor * array / (D ** 0.5 if 0 < n < 4 else 1) for n, array in enumerate(arrays)]
        if name == "positive and negative":    # all scores are far below 0
            given = [array if n in (1, 4) else (-1) ** (n % 3 == 0) * np.abs(array) for n, array in enumerate(given)]
            given[0] *= -1
        given = [np.rint(2 * array).astype(int) for array in given] if name == "whole random" else given
        before = copy.deepcopy(given)
        expected = plain_head(*given)
        got = scaled_self_attention(*given)
        check_unchanged(given, before)
        floats = [array.astype(np.float32) for array in before]
        for i, what in enumerate([f"in X_prime of other {name} tables", "in their attention"]):
            sizes, size = f"with {D=}, {N=}, {D_h=}, ", (1, factor ** 2)[i == 0]
            check_numbers(got[i] / np.array(size), expected[i] / size, what, 1e-6 if factor == 1 else 1e-3, sizes)
            if name == "random":
                check_numbers(scaled_self_attention(*floats)[i], expected[i], what + " in float32", 1e-4, sizes)
        if factor == 1:
            given[4] += 1
            check_numbers(scaled_self_attention(*given)[0], expected[0] + 1, "in X_prime with another β_v", 1e-6, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Check one number of the mixture by a second route. The column of token 4 is a recipe: how much of each value it takes. Follow the recipe by hand and compare with the result of your function.

# %% tags=["demonstration"]
mixture_0, attention_0 = scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
recipe = [attention_0[m][4] for m in range(6)]
by_hand = sum(recipe[m] * values_0[0][m] for m in range(6))
print("recipe of token 4:", np.round(recipe, 2), " sum:", round(sum(recipe), 6))
print(f"feature 0 by hand {by_hand:.4f}, by your function {mixture_0[0][4]:.4f}")
print("mixture", np.shape(mixture_0), " attention", np.shape(attention_0))

# %% [markdown]
# Most of the recipe comes from one token. That isn't typical of attention: here Ω and β are drawn with standard deviation 1, so the scores are large, and the softmax of large scores nearly selects a single key. Make the queries ten times smaller. Will the largest share of each query grow or shrink?

# %% tags=["demonstration"]
_, soft = scaled_self_attention(
    X, omega_v1, 0.1 * omega_q1, omega_k1, beta_v1, 0.1 * beta_q1, beta_k1)
print("largest share of each query:", np.round(np.max(attention_0, axis=0), 2))
print("with queries ten times smaller:", np.round(np.max(soft, axis=0), 2))


# %% [markdown]
# All six shrink: smaller scores give more even shares.

# %% [markdown]
# ## How two heads are combined
#
# One head gives each token a single recipe. With two heads, a token can look for its verb and for its article at the same time. Each head has its own Ω and β, and returns $D/2$ rows. Stack the rows of head 1 **below** those of head 0, and the result is `(D, N)` again. Finally, $\Omega_c$ mixes the results of the heads.
#
# The picture has the sizes of our data. In a matrix product, column 0 of the left factor is multiplied by row 0 of the right one, and so on. Follow the hatching: which columns of $\Omega_c$ are multiplied by the rows of head 0?

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the pictures: run it, no need to read it.
def draw_block(ax, left, top, width, height, label, head=None):
    """Draw a labelled block: blue and hatched with lines for head 0,
    orange and dotted for head 1."""
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


# %% alt="Three blocks: Omega_c times the stack of heads gives X prime, where columns 0 to 3 of Omega_c are multiplied by rows 0 to 3 of the stack, which are head 0, and columns 4 to 7 by head 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
ax = blank_axes(28, 11)
for head in (0, 1):
    draw_block(ax, 4 * head, 0, 4, 8, f"times\nhead {head}", head)
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
# **★ core · <!-- points -->3 points<!-- end --> · about 9 minutes · difficulty ●●○ · needs 2.3**
#
# Now turn the picture into code: two heads, their stack, and the final product. Name, arguments and data are those of the book's exercise, so the third test compares your result with the published one. The book counts from 1: names that end in 1, such as `omega_q1`, belong to head 0, and names that end in 2 to head 1.
#
# $$X' = \Omega_c \begin{bmatrix} \mathrm{head}_0(X) \\ \mathrm{head}_1(X) \end{bmatrix}$$
#
# | operation | expression | shape |
# |---|---|---|
# | each head, with its own Ω and β | 2.3 | `(D_h, N)`, with $D_h = D/2$ |
# | stack along the rows | head 0 above head 1 | `(D, N)` |
# | mix | $\Omega_c$ times the stack | `(D, N)` |
#
# **Predict:** suppose you stack head 1 above head 0. Does the shape change? Do the numbers? You will measure it after the test.
#
# <details><summary>Hint 1: a question</summary>
#
# For each head the function takes six arrays, always in the order v, q, k: three Ω, then three β. In which order does 2.3 take them? And which of its two results is stacked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `scaled_self_attention` returns a pair, of which you need the first part. `np.vstack` or `np.concatenate` with an `axis` joins arrays. If you pass arguments by name, as in `beta_v=beta_v1`, you can't confuse their order.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `mixture_0` = first result of `scaled_self_attention` of X with the six arrays that end in 1
# 2. `mixture_1` = the same with the six arrays that end in 2
# 3. `stack` = `mixture_0` above `mixture_1`
# 4. return `omega_c` times `stack`
# </details>
#
# <details><summary>I get “inhomogeneous shape”, or a tuple where I expected an array</summary>
#
# 2.3 returns two results. Unpack them: one name for the mixture, one for the attention (by convention `_`, if you don't need a result). This function returns one array only.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Ω_c has D columns, so the stack must have D rows. Print the shapes of the parts and of the stack. Is each part a mixture, `(D_h, N)`, or the pair that 2.3 returns? Are the heads beside each other instead of below each other?
# </details>

# %% solution two-heads builds_on=["scaled-self-attention"] edition="core"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    """Compute two heads of self-attention, stack them along the rows, and mix by omega_c.

    X: (D, N), each omega of a head: (D/2, D), each beta: (D/2, 1), omega_c: (D, D).
    Names that end in 1 belong to head 0, names that end in 2 to head 1.
    None of them is changed. Returns X_prime (D, N).
    """
    ### BEGIN SOLUTION
    upper, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    lower, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([upper, lower])
    ### END SOLUTION


# %% test two-heads points=3
# Test of 2.4 Two heads (3 points). Run the checks cell first.
returns("two-heads", X_prime="feature token")
check("two-heads", "D_h = 5, N = 3, Ω_c = identity",
      multihead_scaled_self_attention, *two_head_arguments(
      *with_identity_omega_c(*small_heads(2, 5, 3))))
first_X, *small_weights = small_heads(2, 5, 3)
check("two-heads", "D = 10, N = 3, tokens of whole numbers",
      multihead_scaled_self_attention, *two_head_arguments((3 * first_X).astype(int),
      *small_weights))
tokens, first, second, mixing = published_data()
both = [np.array(pair) for pair in zip(first, second)]
published = two_head_arguments(tokens, *both, mixing)
check("two-heads", "a single token", multihead_scaled_self_attention,
    *two_head_arguments(*small_heads(2, 3, 1)))
for place, names in enumerate(["X and half of the others", "the other half"]):
    check("two-heads", f"whole numbers in {names}", multihead_scaled_self_attention,
        *whole_numbers(place, *two_head_arguments(*small_heads(2, 5, 3))))
check("two-heads", "the published data", multihead_scaled_self_attention, *published)
### BEGIN HIDDEN TESTS
answer = multihead_scaled_self_attention(*published)
assert np.abs(np.asarray(answer) - published_result()).max() <= 1e-3, "this is not the published result"
def plain_heads(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    scores = np.swapaxes(omega_k @ X + beta_k, 1, 2) @ (omega_q @ X + beta_q) / omega_q.shape[1] ** 0.5
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return omega_c @ ((omega_v @ X + beta_v) @ (grown / grown.sum(axis=1, keepdims=True))).reshape(X.shape)


rng = np.random.default_rng(204)
for half, N in [(3, 5), (4, 3), (4, 6), (5, 7), *many_sizes(2), (150, 2)]:
    D = 2 * half
    shapes = [(D, N)] + 3 * [(2, half, D)] + 3 * [(2, half, 1)] + [(D, D)]
    for name, factor in [("random", 1), ("whole random", 1), ("large random", 3)]:
        arrays = [factor * rng.normal(size=shape) / (D ** 0.5 if shape[-1] == D else 1) for shape in shapes]
        arrays[0], arrays[-1] = arrays[0] / factor, arrays[-1] / factor
        arrays = [np.rint(2 * array).astype(int) for array in arrays] if name == "whole random" else arrays
        given, expected = two_head_arguments(*arrays), plain_heads(*arrays)
        before = copy.deepcopy(given)
        where, sizes = f"on other {name} tables", f"with {D=} and {N=}, "
        got = multihead_scaled_self_attention(*given)
        check_numbers(np.divide(got, factor), expected / factor, where, 1e-6 if factor == 1 else 1e-3, sizes)
        if name == "random":
            check_unrounded(got)
        check_unchanged(given, before)
        if name == "random":
            floats = [array.astype(np.float32) for array in before]
            single = multihead_scaled_self_attention(*floats)
            check_numbers(single, expected, where + " in float32", 1e-4, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Here is the first row of your result for the published data, above the published one.

# %% tags=["demonstration"]
X_prime = multihead_scaled_self_attention(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c)
print("X_prime", np.shape(X_prime), "= (D, N)")
print("first row:", np.round(X_prime[0], 3))
print("published:", published_result()[0])

# %% [markdown]
# Now the prediction. The same call with the two heads exchanged:

# %% tags=["demonstration"]
other_order = multihead_scaled_self_attention(
    X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1, omega_c)
print("shape:", np.shape(other_order))
print("largest difference:", np.round(np.abs(np.subtract(other_order, X_prime)).max(), 3))

# %% [markdown]
# The shape is the same and the numbers are not: each half of the columns of $\Omega_c$ belongs to one head, and now it was multiplied by the other. Wrong numbers of the right shape are the usual kind of mistake here.

# %% [markdown] with=["two-heads"]
# ## Heads add
#
# Look at the picture once more. The first half of the columns of $\Omega_c$ is only ever multiplied by head 0: call it $\Omega_c^{(0)}$, and the other half $\Omega_c^{(1)}$, each `(D, D_h)`. With $V_h$ the values and $A_h$ the attention of head $h$, the product with the stack is a sum:
#
# $$X' = \sum_h \Omega_c^{(h)}\, V_h A_h$$
#
# No head sees what another one found. Each computes its own part, and the parts are added.

# %% tags=["demonstration"]
mixture_1, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
from_head_0 = omega_c[:, :4] @ mixture_0
from_head_1 = omega_c[:, 4:] @ mixture_1
print("from each head", from_head_0.shape, from_head_1.shape, " = (D, N)")
print("largest difference from X_prime:", np.abs(from_head_0 + from_head_1 - X_prime).max())

# %% [markdown]
# Leave out the bias for a moment: with $V_h = \Omega_v^{(h)} X$, head $h$ adds $\Omega_c^{(h)}\Omega_v^{(h)} X A_h$. The attention $A_h$ says from which tokens the head takes something. The product $\Omega_c^{(h)}\Omega_v^{(h)}$, `(D, D)`, says what it takes from them. This product is called the **OV circuit** of the head (Elhage et al., 2021, who write $W_OW_V$). Its rank is at most $D_h$, because $\Omega_v^{(h)}$ has only $D_h$ rows: a head moves only a part of what a token contains.

# %% tags=["demonstration"]
circuits = [omega_c[:, :4] @ omega_v1, omega_c[:, 4:] @ omega_v2]
for number, circuit in enumerate(circuits):
    print(f"OV circuit of head {number}:", circuit.shape, " rank", np.linalg.matrix_rank(circuit))


# %% [markdown] with=["scaled-self-attention"]
# ## Any number of heads
#
# Fourteen arguments for two heads; nobody wants to type those for 96. So put the Ω and the β of all heads into one array each, with the head as the first axis: `omega_q[h]` is the $\Omega_q$ of head `h`. This function is given. It calls your `scaled_self_attention` once per head, and also returns the attention of every head, `(H, N, N)`. Its arguments are in the order **q, k, v**, which PyTorch uses, too.

# %% locked any-number-of-heads
def multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Compute H heads of self-attention, stack them along the rows, and mix by omega_c.

    X: (D, N), each omega: (H, D_h, D), each beta: (H, D_h, 1), omega_c: (D, D), D = H * D_h.
    Returns X_prime (D, N) and attentions (H, N, N), key by query, columns summing to 1.
    """
    mixtures, attentions = [], []
    for h in range(len(omega_q)):
        mixture, attention = scaled_self_attention(
            X, omega_v[h], omega_q[h], omega_k[h], beta_v[h], beta_q[h], beta_k[h])
        mixtures.append(np.asarray(mixture))
        attentions.append(np.asarray(attention))
    return omega_c @ np.vstack(mixtures), np.array(attentions)


# %% tags=["demonstration"]
stacked = [np.array(pair) for pair in zip(first_head, second_head)]
omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = stacked
X_prime_any, attentions = multihead_attention(X, *stacked, omega_c)
print("omega_q", omega_q.shape, " beta_q", beta_q.shape, " attentions", np.shape(attentions))

# %% tags=["demonstration"] with=["two-heads"]
print("largest difference from 2.4:", np.abs(np.subtract(X_prime_any, X_prime)).max())

# %% [markdown] with=["scaled-self-attention"]
# ## See both heads
#
# Random matrices give random attention, so look at a sentence. Each word has four features, *animal, thing, verb, preposition*, and *the* has none of them. Now Ω and β are chosen by hand, so that each head has a task.
#
# **Head 0** pairs nouns with verbs. Its queries and keys are pairs of numbers. In a query, the first number says how much the word looks for a noun (an animal or a thing), the second how much it looks for a verb. In a key, the first says how much the word *is* a noun, the second how much it *is* a verb. By default a word looks for a noun: that is the 3 in $\beta_q$, and it shows why a bias is useful. For a noun, $\Omega_q x$ is $[-3, 3]$: the −3 cancels the 3 of the bias, and the noun looks for a verb.
#
# | words | query, $\beta_q + \Omega_q x$ | key |
# |---|---|---|
# | *the, on* | $[3, 0]$ | $[0, 0]$ |
# | *cat, mat* | $[3, 0] + [-3, 3] = [0, 3]$ | $[2, 0]$ |
# | *sat* | $[3, 0]$ | $[0, 2]$ |
#
# So the scaled score of the query of *cat* with the key of *sat* is $3 \cdot 2 / \sqrt{2} = 4.24$, and 0 with the other five. The share of *sat* is $e^{4.24} / (e^{4.24} + 5) = 0.93$.
#
# **Head 1** is more selective: a verb looks for an animal, and a preposition for a thing. All other words look for nothing: their query is 0.

# %% locked sentence
sentence = ["the", "cat", "sat", "on", "the", "mat"]
# features:   animal, thing, verb, preposition
words = {"the": [0, 0, 0, 0], "cat": [1, 0, 0, 0], "mat": [0, 1, 0, 0],
         "sat": [0, 0, 1, 0], "on": [0, 0, 0, 1]}


# %% locked two-readers
def two_readers():
    """Return the matrices and biases of two hand-made heads for 4 features,
    from omega_q to omega_c."""
    queries = [[[-3, -3, 0, 0], [3, 3, 0, 0]], [[0, 0, 3, 0], [0, 0, 0, 3]]]
    keys = [[[2, 2, 0, 0], [0, 0, 2, 0]], [[2, 0, 0, 0], [0, 2, 0, 0]]]
    values = [[[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 0, 0]]]
    no_bias = np.zeros((2, 2, 1))
    query_bias = [[[3], [0]], [[0], [0]]]
    tables = [queries, keys, values, query_bias, no_bias, no_bias, np.eye(4)]
    return [np.array(table, dtype=float) for table in tables]


# %% [markdown]
# The picture shows each head twice. In the upper row is the view of this lesson: keys down, queries across, and each **column** sums to 1. In the lower row is the same table transposed, as in lesson 01: each **row** sums to 1.
#
# Predict before you run: in head 1, which columns of the upper row contain a share near 1, and which are perfectly even?

# %% alt="Tables of the attention of two handmade heads on the cat sat on the mat, with queries across in the upper row and transposed in the lower row: in head 0, cat and mat give nearly all their attention to sat; in head 1, sat gives nearly all to cat and on to mat, and every other column is even." tags=["demonstration"]
S = np.array([words[word] for word in sentence], dtype=float).T
S_prime, reading = multihead_attention(S, *two_readers())
print("S", S.shape, "= (D, N): every column is a word")
show_heads(reading, sentence)


# %% [markdown]
# In head 0, *cat* finds *sat*, but receives nothing from it: the values of both heads contain only *animal* and *thing*, and a verb is neither. Queries and keys determine where a head looks, and values what it passes on.
#
# In head 1, *sat* gives almost all its attention to *cat*, and *on* to *mat*. The other columns are even, with about 0.17 in each cell, which is 1/6: a query of 0 has the score 0 with every key. So a query that looks for nothing still distributes all of its attention. It must, because each column sums to 1. Trained language models often send it to the first tokens, whatever these are: an **attention sink** (Xiao et al., 2023).

# %% [markdown] with=["bias-gaps"]
# ## Three biases: a prediction
#
# There are three biases in a head. Suppose you set one of them to 0, in all heads, and leave the rest unchanged. By how much does $X'$ change, for each of the three? Write down your guess before you measure: three numbers, or three words.

# %% [markdown]
# *My guess (double-click here to write):* β_q: … , β_k: … , β_v: …

# %% [markdown]
# ## 2.5 Remove a bias
#
# **★ core · <!-- points -->1 point<!-- end --> · about 8 minutes · difficulty ●○○ · needs 2.3**
#
# Now measure three gaps. For the first, set $\beta_q$ to 0 in all heads and keep $\beta_k$ and $\beta_v$ as they are: by how much does $X'$ change? Then do the same for $\beta_k$, and for $\beta_v$. The caller still needs these biases, so don't modify the arrays you are given.
#
# | operation | expression | shape |
# |---|---|---|
# | with all biases | $X'$ from `multihead_attention` | `(D, N)` |
# | without one bias | $X'$ with zeros for $\beta_q$, or for $\beta_k$, or for $\beta_v$ | `(D, N)`, three times |
# | gap | largest absolute difference of all entries | one number, three times |
#
# Return the three gaps in the order of the arguments, **q, k, v**: `return gap_q, gap_k, gap_v`.
#
# <details><summary>Hint 1: a question</summary>
#
# If you write zeros *into* `beta_k`, whose array do you change? And which biases does your next measurement then use? What do you have to create instead?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros_like` creates a new array of the same shape. `multihead_attention` returns a pair, and you need its first part. `np.abs`, `np.max`, and `float` for the result. A list of the three biases has indices 0, 1, 2 to loop over.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `whole` = first result of `multihead_attention` with all arguments as given
# 2. for each of the three kinds: `changed` = the same, with `zeros_like` in place of this bias only
# 3. `gap` = max of abs(`changed` − `whole`)
# 4. return the three gaps
# </details>
#
# <details><summary>One of my gaps looks wrong, or I get “unsupported operand” for 'tuple' and 'tuple'</summary>
#
# “tuple” means that you subtract the pairs that `multihead_attention` returns: X′ is the first part of each. Otherwise look at exercise 2.3: does its test pass? If its softmax ran over the queries, or if its queries and keys were swapped, the gaps would be different.
# </details>

# %% solution bias-gaps builds_on=["scaled-self-attention"] edition="core"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Measure the largest absolute change of X_prime when all beta_q, all beta_k, or
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


# %% test bias-gaps points=1
# Test of 2.5 Remove a bias (1 point). Run the checks cell first.
returns("bias-gaps", gap_q="", gap_k="", gap_v="")
check("bias-gaps", "H = 2, D_h = 3, N = 4", bias_gaps, *small_heads())
check("bias-gaps", "H = 3, D_h = 2, N = 5", bias_gaps, *small_heads(3, 2, 5))
### BEGIN HIDDEN TESTS
def plain_heads(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    scores = np.swapaxes(omega_k @ X + beta_k, 1, 2) @ (omega_q @ X + beta_q) / omega_q.shape[1] ** 0.5
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return omega_c @ ((omega_v @ X + beta_v) @ (grown / grown.sum(axis=1, keepdims=True))).reshape(X.shape)


rng = np.random.default_rng(208)
for H, D_h, N in [(3, 2, 5), (2, 4, 3), (1, 3, 7), (2, 2, 12), *many_sizes(3, (1, 2, 4))[:-5], (9, 2, 3), (2, 20, 3)]:
    shapes = [(H * D_h, N)] + 3 * [(H, D_h, H * D_h)] + 3 * [(H, D_h, 1)] + [(H * D_h, H * D_h)]
    arrays = [0.5 * rng.normal(size=shape) for shape in shapes]
    arrays[0][:, -1] *= 4    # the gaps are largest at the last token
    only_last, none = (np.arange(H) == H - 1)[:, None, None], np.zeros((H, 1, 1))
    for part in (1, only_last, none, None):    # all biases, those of the last head only, no biases, integers
        given = [array * part if n in (4, 5, 6) and part is not None else array.copy() for n, array in enumerate(arrays)]
        given = given if part is not None else [np.rint(2 * array).astype(int) for array in given]
        before, expected = copy.deepcopy(given), []
        for place in (4, 5, 6):
            without = [array * (at != place) for at, array in enumerate(before)]
            expected.append(np.abs(plain_heads(*without) - plain_heads(*before)).max())
        sizes = f"with {H=}, {D_h=}, {N=}, "
        check_numbers(bias_gaps(*given), expected, "in the gaps of other random heads", 1e-5, sizes)
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
# No. With a bias a thousand times as large the gap is still a rounding error; it grows in the end only because larger scores are rounded more coarsely. So something in the formula removes the key bias, whatever its size. To find out what, look at the scores of head 0 with $\beta_k$, minus those without. Three queries are enough. Read *down* a column, then along a row. What do you notice?

# %% tags=["demonstration"]
queries_0 = np.asarray(project(X, omega_q1, beta_q1))
with_bias = np.asarray(project(X, omega_k1, beta_k1))
without_bias = np.asarray(project(X, omega_k1, np.zeros((4, 1))))
added = (with_bias - without_bias).T @ queries_0 / 2  # √D_h = 2
print("added to the scores, key by query (queries 0, 1, 2):")
print(np.round(added[:, :3], 3))


# %% task why-no-key-bias [markdown] points=2 edition="core"
# ## 2.6 Explain what you measured
#
# **★ core · <!-- points -->2 points<!-- end --> · about 9 minutes · difficulty ●●○ · read by a person**
#
# One of the three biases cannot change $X'$, whatever its value. Explain why, in this lesson's formula. Write out the score of key $m$ and query $n$ with this bias. What does the bias add to it, and on which of $m$ and $n$ does this depend? What does the softmax do with it? Four or five sentences, with a formula or two; you may leave out $\sqrt{D_h}$.
#
# <details><summary>Hint: a question</summary>
#
# A vector with its bias is a sum of two parts, so a product with it is also a sum of two parts: write both down. And `column_softmax` subtracts one number from a whole column: why is this allowed?
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
# > ✍️ **Your answer to 2.6** (double-click here, and write in place of this line)

# %% [markdown]
# <details><summary>After you have written your answer: what follows, and does it hold in every model?</summary>
#
# It follows that a wrong $\beta_k$, say that of the other head, passes every test of $X'$ in this lesson. No result could reveal it.
#
# It doesn't hold everywhere. Many models rotate each query and key by an angle that grows with its position, after the projection and before the product (rotary positions; Su et al., 2021). Then the bias of a key is rotated, too: what it adds depends on the position of the key, and the softmax doesn't remove it.
# </details>

# %% [markdown]
# ## 2.7 Does the order of the words matter?
#
# **more · <!-- points -->1 point<!-- end --> · about 6 minutes · difficulty ●●○**
#
# *The cat sat on the mat*, *the mat sat on the cat*: two different stories. Does attention notice? Look at your formula and predict: if you exchange two columns of $X$, what happens to $X'$?
#
# To measure it, permute the columns before attention, or permute them after it. If both give the same result, attention is **permutation equivariant**: each token gets the same output column, wherever it is in $X$.
#
# | operation | expression | shape |
# |---|---|---|
# | permute, then attend | permute the columns of $X$, call `attend` | `(D, N)` |
# | attend, then permute | call `attend` on $X$, permute the columns of the result | `(D, N)` |
# | gap | largest absolute difference of all entries | one number |
#
# `permutation` is an array of `N` integers: column `j` of the permuted table is column `permutation[j]` of the original. With `[2, 0, 1]`, the first column is the old column 2. `attend` is a function that maps an array `(D, N)` to an array `(D, N)`.
#
# <details><summary>Hint 1: a question</summary>
#
# You need `attend` twice, on different inputs. Which of the two results still has to be permuted before you can compare them?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# An array of indices as the second index selects columns: `X[:, indices]`. `np.abs`, `np.max`, and `float` for the result.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `first` = `attend` of X with permuted columns
# 2. `last` = `attend` of X, then its columns permuted
# 3. return the max of abs(`first` − `last`) as a float
# </details>

# %% solution equivariance-gap
def equivariance_gap(attend, X, permutation):
    """Measure the largest absolute difference between permuting columns before and after attend.

    attend: from (D, N) to (D, N). X: (D, N), not changed.
    permutation: (N,). Returns a float.
    """
    ### BEGIN SOLUTION
    permuted_first = attend(X[:, permutation])
    permuted_last = attend(X)[:, permutation]
    return float(np.max(np.abs(permuted_first - permuted_last)))
    ### END SOLUTION


# %% test equivariance-gap points=1
# Test of 2.7 Does the order of the words matter? (1 point). Run the checks cell first.
returns("equivariance-gap", gap_of_squares="", gap_with_rows_reversed="", gap="")
table, order = 3 * example_arrays(22, (4, 4))[0], np.array([2, 0, 3, 1])
check("equivariance-gap", "running sums as attend, 4 tokens", equivariance_gaps, running_sums,
    table, order)
check("equivariance-gap", "minus running sums", equivariance_gaps, lambda X: -running_sums(X),
    table, order)
table, order = 3 * example_arrays(22, (4, 5))[0], np.array([2, 0, 3, 1, 4])
check("equivariance-gap", "running sums as attend, 5 tokens", equivariance_gaps, running_sums,
    table, order)
check("equivariance-gap", "tanh of each entry as attend", equivariance_gaps, np.tanh, table, order)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(207)
for D, N in [(3, 5), (6, 4), (4, 7), *many_sizes(2), (2, 300), (300, 2)]:
    tokens, positions = rng.normal(size=(D, N)), rng.normal(size=(D, N))
    meeting, sizes = rng.normal(size=(D, D)) / D, f"with {D=} and {N=}, "

    def mixing(X):
        grown = np.exp(0.3 * X.T @ meeting @ X)
        return X @ (grown / grown.sum(axis=0))

    for attend in (mixing, lambda X: mixing(X + positions), lambda X: -np.cumsum(X, axis=1) ** 2, lambda X: 1e-7 * np.cumsum(X, axis=1),
                   lambda X: np.outer(np.arange(D) == D - 1, np.cumsum(X[-1])), lambda X: X, lambda X: 1e6 * (X + positions)):
        for order in (rng.permutation(N), np.roll(np.arange(N), 1), np.arange(N)[::-1], np.arange(N)):
            expected = np.abs(attend(tokens[:, order]) - attend(tokens)[:, order]).max()
            given = [tokens.copy(), order.copy()]
            gap = equivariance_gap(attend, *given)
            check_numbers(gap, expected, "on random tokens", 1e-5 * magnitude(attend(tokens)), sizes)
            if 1e-9 < expected < 100:
                check_unrounded(gap)
                check_numbers(gap / expected, 1, "on random tokens, in parts of the right gap", 1e-5, sizes)
            check_unchanged(given, [tokens, order])
### END HIDDEN TESTS

# %% [markdown]
# First the two stories. Exchange *cat* and *mat*, and look at what *sat* receives. Then your measure, on the published data, for attention alone and then with positions: we choose one random column for each position, and add it to the token at that position. When tokens move, these columns stay.

# %% tags=["demonstration"] with=["scaled-self-attention"]
other_story = ["the", "mat", "sat", "on", "the", "cat"]
T = np.array([words[word] for word in other_story], dtype=float).T
T_prime, _ = multihead_attention(T, *two_readers())
labels = ["animal, from head 0", "thing, from head 0", "animal, from head 1", "thing, from head 1"]
print("what sat receives     cat sat on mat  mat sat on cat")
for label, of_cat, of_mat in zip(labels, np.asarray(S_prime)[:, 2], np.asarray(T_prime)[:, 2]):
    print(f"{label:21} {of_cat:14.3f}  {of_mat:14.3f}")


# %% tags=["demonstration"] with=["scaled-self-attention"]
def attend(tokens):
    return multihead_attention(tokens, *stacked, omega_c)[0]


positions = np.random.default_rng(27).normal(size=X.shape)
shuffle = np.array([2, 0, 5, 1, 4, 3])
print("attention alone:      gap", equivariance_gap(attend, X, shuffle))
print("with positions added: gap",
      equivariance_gap(lambda tokens: attend(tokens + positions), X, shuffle))

# %% [markdown]
# So attention reads a bag of words: it sees which words are there, but not in which order. That is why a Transformer adds something to each token that encodes its position. Without it, each word receives the same in *the cat sat on the mat* and in *the mat sat on the cat*.

# %% [markdown] with=["to-torch"]
# ## How torch stores its heads
#
# Exercise 2.8 needs torch, so it is imported here, for the first time. In Colab it is already installed. If you don't have torch, skip 2.8. You lose its 3 points and its cells fail, but nothing else depends on it.
#
# In torch, rows are tokens, and the Ω of all heads are in one tall array, `in_proj_weight`. The picture shows the order of its rows, with the sizes of our data: $D = 8$ and $D_h = 4$.

# %% alt="The 24 rows of in_proj_weight, four to a block: queries of head 0 and head 1 at the top, then their keys, then their values; the 24 numbers of in_proj_bias beside it are in the same order." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
ax = blank_axes(25, 17)
for part, name in enumerate("qkv"):
    for head in (0, 1):
        row, top = 8 * part + 4 * head, 4.8 * part + 2.4 * head
        draw_block(ax, 1, top, 11, 2.4, f"$\\Omega_{name}$ of head {head}\nrows {row} to {row + 3}",
            head)
        draw_block(ax, 16, top, 1.4, 2.4, "", head)
        ax.text(18.2, top + 1.2, f"$\\beta_{name}$ of head {head}\nnumbers {row} to {row + 3}",
            va="center")
for height in (4.8, 9.6):
    ax.plot([0.2, 12.8], [height, height], color="black", linewidth=2)
    ax.plot([15.2, 18.2], [height, height], color="black", linewidth=2)
for middle, name in [(6.5, "in_proj_weight  (24, 8)"), (19, "in_proj_bias  (24,)")]:
    ax.text(middle, 15.2, name, ha="center", va="center", fontsize=11, family="monospace")
plt.show()

# %% [markdown]
# The next cell builds torch's module, loads what your function returns, runs the module without gradients, and transposes the result back to columns.

# %% locked run-in-torch
import torch


def run_in_torch(state, X, num_heads):
    """Load `state` into torch.nn.MultiheadAttention and return its output as columns (D, N)."""
    D = X.shape[0]
    shapes = {"in_proj_weight": (3 * D, D), "in_proj_bias": (3 * D,),
              "out_proj.weight": (D, D), "out_proj.bias": (D,)}
    assert state is not None, "to_torch returned None\ndoes your function end with a return?"
    names = f"return a dict with these names, no others: {', '.join(shapes)}"
    assert isinstance(state, dict), f"to_torch returned a {type(state).__name__}\n{names}"
    wrong = [f"{name} is missing" for name in shapes if name not in state]
    wrong += [f"{name} is not one of torch's names" for name in state if name not in shapes]
    assert not wrong, f"{', '.join(wrong)}\n{names}"
    for name, shape in shapes.items():
        got = np.shape(state[name])
        assert got == shape, (f"the shape of {name} is not right\n"
            f"it is {got} and should be {shape}, where D is {D}")
    module = torch.nn.MultiheadAttention(D, num_heads, batch_first=True).double().eval()
    module.load_state_dict({name: torch.tensor(np.asarray(array), dtype=torch.float64)
                            for name, array in state.items()})
    tokens = torch.tensor(X.T[None], dtype=torch.float64)
    with torch.no_grad():
        output, _ = module(tokens, tokens, tokens)
    return output[0].numpy().T


def torch_output(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Return torch's X_prime, with the weights that your `to_torch` returns for these arrays."""
    state = to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    return run_in_torch(state, X, num_heads=len(omega_q))


# %% [markdown]
# ## 2.8 The same weights in PyTorch
#
# **more · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●●**
#
# If your attention is right, then `torch.nn.MultiheadAttention` with the same matrices and biases computes the same numbers. That is a strong check, because that code was written by other people, with another convention.
#
# A torch layer stores `weight` as (out, in) and computes $x\,\mathrm{weight}^T + \mathrm{bias}$ on rows. Transposed, this is $\mathrm{weight}\,X + \mathrm{bias}$ on columns, which is our convention.
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
# Write `to_torch`. It returns a dict with those four names and NumPy arrays of those shapes. The tests load your dict into torch, and compare torch's output with the right $X'$.
#
# <details><summary>Hint 1: a question</summary>
#
# Write down the rows of `in_proj_weight` for `H = 2` and `D_h = 3`, from top to bottom: to which head, and to which of q, k, v, does row 0 belong? Row 3? Row 6?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `array.reshape(D, D)` joins the first two axes of an array `(H, D_h, D)`, head by head. `reshape(-1)` flattens an array. `np.concatenate` joins arrays along the first axis. `np.zeros` for the bias that we don't have.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. reshape each of the three Ω to (D, D), and concatenate them in the order q, k, v
# 2. flatten each of the three β to (D,), and concatenate them in the same order
# 3. `out_proj.weight` is Ω_c, unchanged; `out_proj.bias` is D zeros
# 4. return a dict with the four names
# </details>
#
# <details><summary>I get “the shape of in_proj_bias is not right”</summary>
#
# torch stores a bias with one axis, `(3D,)`. Ours are columns, with a last axis of length 1. Which reshape removes it?
# </details>

# %% solution to-torch
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Convert our arrays to the layout of torch.nn.MultiheadAttention(D, H, batch_first=True).

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


# %% test to-torch points=3
# Test of 2.8 The same weights in PyTorch (3 points). Run the checks cell first.
returns("to-torch", X_prime="feature token")
check("to-torch", "2 heads and Ω_c = identity, in torch",
      torch_output, *with_identity_omega_c(*small_heads()))
check("to-torch", "H = 2, D_h = 3, N = 4, in torch", torch_output, *small_heads())
X_5, omega_5, *others = small_heads(3, 2, 5)
check("to-torch", "H = 3, D_h = 2, N = 5, Ω_q of whole numbers, in torch", torch_output, X_5,
    (3 * omega_5).astype(int), *others)
### BEGIN HIDDEN TESTS
def plain_heads(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    scores = np.swapaxes(omega_k @ X + beta_k, 1, 2) @ (omega_q @ X + beta_q) / omega_q.shape[1] ** 0.5
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return omega_c @ ((omega_v @ X + beta_v) @ (grown / grown.sum(axis=1, keepdims=True))).reshape(X.shape)


rng = np.random.default_rng(206)
for H, D_h, N in [(2, 3, 5), (3, 4, 7), (3, 3, 3), *many_sizes(3, (1, 2, 4)), (4, 2, 3), (9, 1, 2), (9, 3, 2), (2, 20, 3)]:
    D = H * D_h
    shapes = [(D, N)] + 3 * [(H, D_h, D)] + 3 * [(H, D_h, 1)] + [(D, D)]
    arrays = [rng.normal(size=shape) / (D ** 0.5 if shape[-1] == D else 1) for shape in shapes]
    for whole in [(), range(1, 8)] + [(n,) for n in range(1, 8)] * ((H, N) == (2, 5)):
        given = [np.rint(2 * array).astype(int) if n in whole else array.copy() for n, array in enumerate(arrays)]
        tokens, *_ = before = copy.deepcopy(given)
        where, sizes = "in what torch gives for other random heads", f"with {H=}, {D_h=}, {N=}, "
        expected = plain_heads(*given)
        check_numbers(run_in_torch(to_torch(*given[1:]), tokens, H), expected, where, 1e-6, sizes)
        check_unchanged(given, before)
    floats = [array.astype(np.float32) for array in arrays[1:]]
    check_numbers(run_in_torch(to_torch(*floats), tokens, H), plain_heads(*arrays), where, 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Now the published data, through torch. Predict the size of the difference: about 1, about $10^{-3}$, or about $10^{-15}$?

# %% tags=["demonstration"] with=["scaled-self-attention"]
state = to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
for name, array in state.items():
    print(f"{name:16}", np.shape(array))
from_torch = run_in_torch(state, X, num_heads=2)
print("largest difference from yours:", np.abs(from_torch - X_prime_any).max())

# %% [markdown]
# <details><summary>Is there another right answer?</summary>
#
# Yes. Each column of the attention sums to 1, so $\beta_v$ passes through the mixture unchanged, as $\beta_v\mathbf{1}^T$. Stack the $\beta_v$ of all heads, put $\Omega_c\beta_v$ into `out_proj.bias`, and zeros for $\beta_v$ into `in_proj_bias`: torch computes the same result.
# </details>
#
# You will meet this layout again. Karpathy's nanoGPT calls it `c_attn`: one product computes the queries, keys and values of all heads. In lesson 04 you write such a layer in torch.

# %% [markdown]
# ## What you built
#
# - A projection, and one head of attention in which a column is a token.
# - Two heads, with the published numbers to the third decimal; and their sum, in which each head computes its own part.<!-- with: bias-gaps -->
# - A measurement that is hard to foresee from the code: attention doesn't see the key bias.<!-- end --><!-- with: equivariance-gap -->
# - Another one: attention doesn't see the order of the tokens.<!-- end --><!-- with: to-torch -->
# - A map from columns to rows, which PyTorch confirms: it computes the same result from your arrays.<!-- end -->
#
# Some models leave out the key bias. OpenAI's published code of Whisper does: its layers for queries and values have a bias, its layer for keys has none.

# %% [markdown]
# ## Three questions to think about
#
# 1. If the softmax ran over the queries, one of $\beta_q$ and $\beta_k$ would have no effect. Which one, and why?
# 2. $\beta_v$ does matter, but it could be moved into a bias after $\Omega_c$. Would that still work if the columns of the attention didn't sum to 1?
# 3. Stack the heads in the other order. Which change of $\Omega_c$ compensates for it exactly? So is there anything special about head 0?
#
# <details><summary>Answers</summary>
#
# 1. $\beta_q$. It adds $k_m^T\beta_q / \sqrt{D_h}$ to the score of key $m$ and query $n$, the same number along the whole row of key $m$. A softmax over the queries runs along that row, and a constant in it cancels. Measured on head 0 of our data: without $\beta_q$ its mixture of values then changes by less than $10^{-15}$, without $\beta_k$ by 2.6.
# 2. No. The bias leaves a head as $\beta_v\mathbf{1}^TA$, and $\mathbf{1}^TA$ contains the column sums. If column $n$ sums to $c_n$, token $n$ gets $c_n\beta_v$, while a bias after $\Omega_c$ is the same for all tokens. With the softmax of question 1, the column sums of head 0 are 2.00, 1.95, 1.28, 0.44, 0.28 and 0.06.
# 3. Exchange the halves of its columns, too: then each half is multiplied by its own head again, and a sum doesn't depend on the order. On our data the largest difference is 35.1 without this change, and less than $10^{-14}$ with it. So nothing is special about head 0: its number is only a name.
# </details>

# %% [markdown]
# ## References
#
# - Simon J. D. Prince, *Understanding Deep Learning*, 2023, MIT Press. Section 12.3 and figure 12.6: the notation of this lesson.
# - Ashish Vaswani and others, *Attention Is All You Need*, 2017. Scaled dot products, and many heads.
# - Nelson Elhage and others, *A Mathematical Framework for Transformer Circuits*, 2021. Heads add, and the circuits of each head.
# - Juho Lee and others, *Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks*, 2019. How to use attention that doesn't see order.
# - Manzil Zaheer and others, *Deep Sets*, 2017. Functions on sets, and the form that equivariance gives them.
# - Jianlin Su and others, *RoFormer: Enhanced Transformer with Rotary Position Embedding*, 2021. Positions as rotations of queries and keys.
# - Guangxuan Xiao and others, *Efficient Streaming Language Models with Attention Sinks*, 2023. Where attention goes that isn't needed.
