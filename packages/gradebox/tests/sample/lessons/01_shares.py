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
# # Shares
#
# For the tests of gradebox: six exercises and a question, 11 points. Nobody is taught by it.

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np

# %% nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_numbers(got, expected, mistakes=None, where="on the small example"):
    """Stop with a sentence unless `got` equals `expected`. mistakes: advice -> the numbers it is for."""
    got = np.asarray(got, dtype=float)
    for advice, numbers in (mistakes or {}).items():
        assert got.shape != np.shape(numbers) or not np.allclose(got, numbers, atol=1e-3), advice
    assert got.shape == np.shape(expected), f"{where}, the shape\nis {got.shape}, not {np.shape(expected)}"
    assert np.allclose(got, expected, atol=1e-4), f"{where}, other numbers\nexpected {expected} but got {got}"

# %% [markdown]
# ## 1.1 Shares
#
# **2 points.** Exponentials that sum to 1 along an axis.

# %% nbgrader={"grade": false, "grade_id": "shares", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shares(numbers, axis=-1):
    """What share each of the numbers has of all along `axis`."""
    ### BEGIN SOLUTION
    powers = np.exp(numbers - np.max(numbers, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "shares-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check_numbers(
    shares(np.log([[1.0, 3.0], [2.0, 2.0]])),
    [[0.25, 0.75], [0.5, 0.5]],
    {
        "these sum to 1 over everything, not along the axis": [[0.125, 0.375], [0.25, 0.25]],
        "these are not divided by their sum": [[1, 3], [2, 2]],
    },
)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(101)
for shape, axis in [((4,), -1), ((3, 5), 0), ((2, 3, 4), 1)]:
    given = rng.normal(size=shape)
    expected = np.exp(given) / np.exp(given).sum(axis=axis, keepdims=True)
    check_numbers(shares(given.copy(), axis=axis), expected, where="on a larger input, seed 101")
check_numbers(shares(np.array([1000.0, 1000.0])), [0.5, 0.5], where="on large numbers")
### END HIDDEN TESTS

# %% [markdown]
# Your function at work:

# %% tags=["demonstration"]
print("three numbers as shares:", shares(np.array([0.0, 1.0, 2.0])))

# %% [markdown]
# ## 1.2 Products, one by one
#
# **1 point.** `products[i, j]` is that of row `i` of `A` and row `j` of `B`.

# %% builds_on=[] nbgrader={"grade": false, "grade_id": "products-loops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def products_loops(A, B):
    """The inner products of all rows of A, (n, d), and B, (m, d), as (n, m)."""
    ### BEGIN SOLUTION
    return np.array([[sum(a * b for a, b in zip(row, other)) for other in B] for row in A])
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "products-loops-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
A, B = np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 0.0]]), np.array([[3.0, 1.0], [1.0, 1.0]])
check_numbers(products_loops(A, B), [[5, 3], [1, 1], [3, 1]])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(102)
A, B = rng.normal(size=(4, 3)), rng.normal(size=(2, 3))
check_numbers(products_loops(A.copy(), B.copy()), A @ B.T, where="on a larger input, seed 102")
### END HIDDEN TESTS

# %% [markdown]
# ## 1.3 Products, all at once
#
# **1 point.** The same without a loop.

# %% builds_on=[] nbgrader={"grade": false, "grade_id": "products", "locked": false, "schema_version": 3, "solution": true, "task": false}
def products(A, B):
    """The inner products of all rows of A, (n, d), and B, (m, d), as (n, m)."""
    ### BEGIN SOLUTION
    return A @ B.T
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "products-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
A, B = np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 0.0]]), np.array([[3.0, 1.0], [1.0, 1.0]])
got = products(A, B)
assert np.shape(got) != (2, 3), "A and B are swapped: a row of the result belongs to a row of A"
check_numbers(got, [[5, 3], [1, 1], [3, 1]])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(103)
A, B = rng.normal(size=(4, 3)), rng.normal(size=(2, 3))
check_numbers(products(A.copy(), B.copy()), A @ B.T, where="on a larger input, seed 103")
### END HIDDEN TESTS

# %% [markdown]
# ## 1.4 Weights
#
# **2 points.** The shares of the products, which are divided by the root of `d` before.

# %% builds_on=["shares", "products"] nbgrader={"grade": false, "grade_id": "weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def weights(A, B):
    """How much each row of A, (n, d), gives to each row of B, (m, d): (n, m), rows sum to 1."""
    ### BEGIN SOLUTION
    return shares(products(A, B) / np.sqrt(A.shape[1]))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "weights-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
A, B = 2 * np.log(3) * np.eye(4)[:2], np.eye(4)[:2]
low, high = 0.25, 0.75
check_numbers(
    weights(A, B),
    [[high, low], [low, high]],
    {"these are divided by d, not by its root": [[0.6340, 0.3660], [0.3660, 0.6340]]},
)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(104)
A, B = rng.normal(size=(4, 3)), rng.normal(size=(2, 3))
powers = np.exp(A @ B.T / np.sqrt(3))
expected = powers / powers.sum(axis=1, keepdims=True)
check_numbers(weights(A.copy(), B.copy()), expected, where="on a larger input, seed 104")
### END HIDDEN TESTS

# %% [markdown]
# ## 1.5 Entropy
#
# **2 points.** In nats, along the last axis; a weight of 0 adds nothing.

# %% builds_on=[] nbgrader={"grade": false, "grade_id": "entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def entropy(weights):
    """The entropy of each row of weights, (..., m), in nats: (...)."""
    ### BEGIN SOLUTION
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.nansum(weights * np.log(weights), axis=-1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "entropy-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check_numbers(entropy(np.array([[0.5, 0.5], [1.0, 0.0]])), [np.log(2), 0])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(105)
given = rng.dirichlet(np.ones(4), size=(2, 3))
expected = -(given * np.log(given)).sum(axis=-1)
check_numbers(entropy(given.copy()), expected, where="on a larger input, seed 105")
### END HIDDEN TESTS

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-a-root", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 1.6 Why a root?
#
# **2 points · read by a person.** What would the weights be for a large `d` if nothing were divided?
#
# ### BEGIN MARK SCHEME
# **2 points** for this: a product is a sum of d terms, its spread grows with the root of d, and one share takes all.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer:*

# %% [markdown]
# ## 1.7 A picture
#
# **1 point.** The weights as an image on `ax`, with 0 and 1 at the ends of its colours.

# %% builds_on=[] nbgrader={"grade": false, "grade_id": "picture", "locked": false, "schema_version": 3, "solution": true, "task": false}
def picture(weights, ax):
    """Draw weights, (n, m), on `ax`, and return the image."""
    ### BEGIN SOLUTION
    return ax.imshow(weights, vmin=0, vmax=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "picture-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
figure, ax = plt.subplots()
image = picture(np.array([[0.2, 0.8], [0.6, 0.4]]), ax)
plt.close(figure)
assert image.get_clim() == (0, 1), "the colours end elsewhere: vmin=0, vmax=1"
### BEGIN HIDDEN TESTS
given = np.random.default_rng(106).dirichlet(np.ones(3), size=2)
figure, ax = plt.subplots()
image = picture(given.copy(), ax)
plt.close(figure)
assert np.allclose(image.get_array(), given), "on a larger input, seed 106, it shows other numbers"
### END HIDDEN TESTS

# %% tags=["demonstration"]
figure, ax = plt.subplots(figsize=(2, 2))
picture(weights(np.eye(3), 4 * np.eye(3)), ax)
plt.show()
