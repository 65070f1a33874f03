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
# # The victim
#
# Six small exercises that give every attack a place to begin. 13 points.

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn


# %% nbgrader={"grade": false, "grade_id": "helpers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_numbers(got, expected, where="on the small example", tolerance=1e-6):
    """Stop with a helpful sentence unless `got` equals `expected`."""
    got = np.asarray(got, dtype=float)
    shape = np.shape(expected)
    assert got.shape == shape, f"{where}, the shape is {got.shape} and should be {shape}"
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), f"{where}, the numbers are {got}"


# %% [markdown]
# ## 1.1 Shares
#
# **3 points.** Turn scores into shares: exponentials that sum to 1 along the last axis. The input is not changed, and a single number (an array without axes) is answered with a `ValueError`.


# %% nbgrader={"grade": false, "grade_id": "shares", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shares(scores):
    """Softmax along the last axis, for any array that has one."""
    ### BEGIN SOLUTION
    if np.ndim(scores) == 0:
        raise ValueError("a single number has no shares")
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "shares-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
given = np.log([[1.0, 1.0], [1.0, 3.0]])
before = given.copy()
got = shares(given)
assert got.shape == (2, 2), "the shares have another shape than the scores"
check_numbers(got, [[0.5, 0.5], [0.25, 0.75]])
assert np.array_equal(given, before), "shares changed its input: make a new array"
try:
    shares(np.array(1.0))
    raise AssertionError("a single number has no shares: raise ValueError")
except ValueError:
    pass
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(90210)
for shape in [(4,), (3, 5), (2, 3, 4)]:
    given = rng.normal(scale=3, size=shape)
    before = given.copy()
    got = shares(given)
    assert np.array_equal(given, before), "seed 90210: shares changed its input"
    expected = np.exp(before)
    expected /= expected.sum(axis=-1, keepdims=True)
    check_numbers(got, expected, "seed 90210")
### END HIDDEN TESTS

# %% [markdown]
# Your function at work, and a function that compares tensors:

# %% nbgrader={"grade": false, "grade_id": "shares-in-use", "locked": true, "schema_version": 3, "solution": false, "task": false}
print("three scores as shares:", shares(np.array([0.0, 1.0, 2.0])))


def same(got, expected, where="on the small example"):
    """Stop with a helpful sentence unless the tensor `got` equals `expected`."""
    assert torch.is_tensor(got), f"{where}, this is no tensor"
    assert got.shape == expected.shape, f"{where}, the shape is {tuple(got.shape)}"
    assert torch.allclose(got, expected, atol=1e-5), f"{where}, the numbers are {got}"


# %% [markdown]
# ## 1.2 Scale
#
# **3 points.** A layer with the parameters `weight` and `bias`, both of shape `(size,)`, and the attribute `size`. It returns `x * weight + bias`.


# %% nbgrader={"grade": false, "grade_id": "scale", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Scale(nn.Module):
    """Multiply each feature by a weight of its own, and add a bias."""

    ### BEGIN SOLUTION
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x * self.weight + self.bias

    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "scale-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
layer = Scale(3)
assert layer.size == 3, "the layer does not know its size"
assert sum(parameter.numel() for parameter in layer.parameters()) == 6, (
    "a weight and a bias, each of shape (size,)"
)
state = {"weight": torch.tensor([1.0, 2.0, 3.0]), "bias": torch.tensor([0.5, 0.0, -0.5])}
layer.load_state_dict(state)
assert tuple(layer.weight.shape) == (3,), "the weight has another shape than (size,)"
x = torch.tensor([[1.0, 1.0, 1.0], [2.0, 0.0, -2.0]])
same(layer(x).detach(), x * state["weight"] + state["bias"])
### BEGIN HIDDEN TESTS
generator = torch.Generator().manual_seed(90211)
for size in [1, 4, 7]:
    state = {name: torch.randn(size, generator=generator) for name in ("weight", "bias")}
    x = torch.randn(5, size, generator=generator)
    # Ahead of the calls: what is passed may be changed.
    weight, bias = state["weight"].clone(), state["bias"].clone()
    expected = x * weight + bias
    layer = Scale(size)
    layer.load_state_dict(state)
    same(layer(x).detach(), expected, "seed 90211")
    torch.testing.assert_close(layer.weight.detach(), weight, msg="seed 90211: the weight")
    torch.testing.assert_close(layer.state_dict()["bias"], bias, msg="seed 90211: the bias")
### END HIDDEN TESTS

# %% [markdown]
# ## 1.3 Count
#
# **1 point.** How many of the whole numbers from 1 to `n` are divisible by 3 or by 5?


# %% nbgrader={"grade": false, "grade_id": "count", "locked": false, "schema_version": 3, "solution": true, "task": false}
def count(n):
    """How many numbers from 1 to n are divisible by 3 or 5, as an int."""
    ### BEGIN SOLUTION
    return n // 3 + n // 5 - n // 15
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "count-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
for n, expected in {10: 5, 15: 7}.items():
    got = count(n)
    assert isinstance(got, int), f"count({n}) is no whole number"
    assert got == expected, f"count({n}) should be {expected}, not {got}"
### BEGIN HIDDEN TESTS
answers = {1000: 467, 77777: 36295, 3: 1, 0: 0}
assert all(got == answer for got, answer in zip(map(count, answers), answers.values())), "seed 90212"
### END HIDDEN TESTS

# %% [markdown]
# ## 1.4 Walk
#
# **2 points.** Yield a whole number, then half of it if it is even, else three times it plus one, and so on until 1.


# %% nbgrader={"grade": false, "grade_id": "walk", "locked": false, "schema_version": 3, "solution": true, "task": false}
def walk(n):
    """Yield n, and what comes after it, until 1."""
    ### BEGIN SOLUTION
    while n != 1:
        yield n
        n = 3 * n + 1 if n % 2 else n // 2
    yield 1
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "walk-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert list(walk(6)) == [6, 3, 10, 5, 16, 8, 4, 2, 1], "walk(6) goes another way"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(90213)
for start in rng.integers(7, 1000, size=4).tolist():
    expected = [start]
    while expected[-1] != 1:
        expected.append(3 * expected[-1] + 1 if expected[-1] % 2 else expected[-1] // 2)
    np.testing.assert_array_equal(list(walk(start)), expected, "seed 90213")
### END HIDDEN TESTS

# %% [markdown]
# ## 1.5 Describe
#
# **2 points.** Draw the numbers as a line on the given `ax`, write their mean into the title (as in `mean 2.50`), name the horizontal axis `index`, and return `ax`.


# %% nbgrader={"grade": false, "grade_id": "describe", "locked": false, "schema_version": 3, "solution": true, "task": false}
def describe(ax, numbers):
    """Draw numbers on `ax`, with their mean as the title, and return it."""
    ### BEGIN SOLUTION
    ax.plot(numbers)
    ax.set_title(f"mean {sum(numbers) / len(numbers):.2f}")
    ax.set_xlabel("index")
    return ax
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "describe-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
numbers = [1.0, 2.0, 6.0]
figure, given = plt.subplots()
given.set_label("given")
drawn = describe(given, numbers)
plt.close(figure)
assert drawn.get_label() == "given", "this is not the given ax"
assert np.allclose(drawn.lines[0].get_ydata(), numbers), "the line shows other numbers"
assert drawn.get_title() == "mean 3.00", "the title does not say the mean"
assert drawn.get_xlabel() == "index", "the horizontal axis is not named index"
### BEGIN HIDDEN TESTS
from statistics import fmean

rng = np.random.default_rng(90214)
for size in [4, 9]:
    numbers = rng.normal(size=size).tolist()
    figure, given = plt.subplots()
    given.set_label("given")
    drawn = describe(given, numbers)
    plt.close(figure)
    assert drawn.get_label() == "given", "seed 90214: another ax"
    assert np.allclose(drawn.lines[0].get_ydata(), numbers), "seed 90214: the line"
    assert drawn.get_title() == f"mean {fmean(numbers):.2f}", "seed 90214: the title"
### END HIDDEN TESTS

# %% [markdown]
# ## 1.6 Apply
#
# **2 points.** Call a function on `x`, then on what that gave, and return what comes out.


# %% nbgrader={"grade": false, "grade_id": "apply", "locked": false, "schema_version": 3, "solution": true, "task": false}
def apply(function, x):
    """function(function(x))"""
    ### BEGIN SOLUTION
    return function(function(x))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "apply-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
calls = []


def adder(shift):
    def step(value):
        calls.append(value)
        return value + shift

    return step


for shift, x, expected in [(5, 3, 13), (-1, 2, 0)]:
    calls.clear()
    got = apply(adder(shift), x)
    assert abs(got - expected) < 1e-9, f"applied to {x}, it should be {expected}"
    assert len(calls) == 2, "the function is to be called twice"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(90215)
for shift in rng.integers(1000, 10000, size=3).tolist():
    expected = 7 + 2 * shift
    calls.clear()
    got = apply(adder(shift), 7)
    assert abs(got - expected) < 1e-9, "seed 90215"
    assert len(calls) == 2, "seed 90215: the calls"
### END HIDDEN TESTS
