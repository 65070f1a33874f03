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
# # An attention layer that learns
#
# *Attention, Graded · lesson 05 · NumPy, forward and backward · about 120 minutes · 27 points*
#
# So far somebody else chose the weights. In this lesson a layer finds its own. For that it needs the gradient: for every number in it, how much the loss would change if this number were a little larger.
#
# Most courses leave this to a library, at the very place where it gets interesting. Here the gradient of attention is derived by hand, rule by rule. You write it in NumPy, and check it against differences that you can measure. At the end your layer learns to look things up, and you watch its weights move from blurred to pointed.

# %% [markdown]
# ## How to work through this notebook
#
# Each exercise has an explanation, a cell where you write code, and a test cell that you run. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed. One question, 5.7, is answered in words and read by a person.
#
# A failing test tells you what it thinks went wrong, in the sentence after `AssertionError:`. Read that first; where numbers were compared, they follow. Any other error comes from Python or NumPy: look for your own line in the traceback. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Exercises 5.1 to 5.3 stand alone. In 5.4 you may use 5.3. 5.5 and 5.6 use your `Linear` of 5.1, and 5.6 may use 5.4. Cells that draw or print call your code, so they fail until it works.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `(batch, seq, embed_dim)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `weights[..., i, j]` belongs to **query `i`** and **key `j`** |
# | **Each row of the weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weights** | a `Linear` holds `weight` `(in, out)` and `bias` `(out,)`, and computes `x @ weight + bias`: not transposed, unlike PyTorch's |
# | **Heads** | `embed_dim = num_heads · d_k`; head `h` owns the numbers `h·d_k … (h+1)·d_k − 1` of every token |
# | **Masks are added** | a mask holds 0 (keep) and −∞ (block), shape `(seq, seq)` or `(batch, seq, seq)`; every query keeps at least one key |
# | **A gradient has the shape of its array** | `grad_Q` is $\partial L/\partial Q$, as large as `Q`; the loss $L$ is a single number |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np

# That a library is going to change is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% [markdown]
# The next two cells hold what the tests use to compare numbers. You don't need to read them to do the exercises. The first takes what you computed, what is right, and the numbers that well-known mistakes would give, so that it can tell you which mistake it was.

# %% nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_numbers(got, expected, mistakes=None, where="on the small example", tolerance=1e-3, sizes=""):
    """Stop with a helpful sentence unless `got` equals `expected`. All numbers stand below its first line.

    mistakes: a dict, advice -> the first few numbers that this mistake would give. sizes: of the example.
    """
    assert got is not None, "you gave back None: does your function end with a return?"
    try:
        got = np.asarray(got)
        # Numbers of 32 bits hold only seven digits.
        tolerance = max(tolerance, 1e-4) if got.dtype == np.float32 else tolerance
        got = got.astype(float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, what came back is no array of numbers\n{problem}") from None
    for advice, numbers in (mistakes or {}).items():
        known = np.ravel(numbers)
        start = got.ravel()[:known.size]
        assert start.size < known.size or not np.allclose(start, known, atol=1e-3), advice
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, the shape is not right\n{sizes}expected {shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% nbgrader={"grade": false, "grade_id": "copies", "locked": true, "schema_version": 3, "solution": false, "task": false}
def copies(*arrays):
    """Copies of arrays, to pass to a function: what it does to them changes nothing here."""
    return [np.array(array) for array in arrays]


def same(some, others):
    """Whether the arrays in two lists hold exactly the same numbers."""
    return all(map(np.array_equal, some, others))


# %% [markdown]
# ## What is given: a parameter, a step, and what you wrote before
#
# A **parameter** is an array that is learned. It carries its gradient with it, in `.grad`, which starts at 0. The **step** of gradient descent moves each parameter a little against its gradient. Afterwards `zero_grad` sets the gradients back to 0.
#
# The step puts a *new* array into `.data`. So always read `weight.data` when you need it, and never keep a copy of it.

# %% nbgrader={"grade": false, "grade_id": "parameter", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Parameter:
    """An array that is learned (.data), and the gradient of the loss for it (.grad)."""

    def __init__(self, data):
        self.data = np.array(data, dtype=float)
        self.grad = np.zeros_like(self.data)


# %% nbgrader={"grade": false, "grade_id": "step", "locked": true, "schema_version": 3, "solution": false, "task": false}
def zero_grad(parameters):
    """Forget what was collected."""
    for parameter in parameters:
        parameter.grad = np.zeros_like(parameter.data)


def sgd_step(parameters, rate):
    """One step of stochastic gradient descent."""
    for parameter in parameters:
        parameter.data = parameter.data - rate * parameter.grad


# %% [markdown]
# Three functions of lessons 01 and 03 are given again, so that you can think about gradients: softmax, and cutting an array into heads and back.

# %% nbgrader={"grade": false, "grade_id": "given-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
def softmax(scores):
    """Shares that sum to 1 along the last axis, as you wrote it in lesson 01."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


# %% nbgrader={"grade": false, "grade_id": "given-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
def split_heads(x, num_heads):
    """(batch, seq, embed_dim) -> (batch, num_heads, seq, d_k): each head gets a contiguous slice."""
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def combine_heads(x):
    """(batch, num_heads, seq, d_k) -> (batch, seq, embed_dim): the heads side by side again."""
    return np.concatenate(np.moveaxis(x, 1, 0), axis=-1)


# %% [markdown]
# ## The judge: finite differences
#
# A gradient is a claim about the world: *if this number grows by a little, the loss grows by so much*. You can measure that. Make the number larger by a small step, then smaller by the same step, and divide the change of the loss by the whole distance:
#
# $$\frac{\partial L}{\partial a} \approx \frac{L(a + \varepsilon) - L(a - \varepsilon)}{2\varepsilon}$$
#
# It is slow: two losses for each number. But it needs nothing except the forward pass, so it is a second, independent route to every gradient of this lesson.

# %% nbgrader={"grade": false, "grade_id": "numerical-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def numerical_gradient(loss, array, step=2.0**-13):
    """Measure the gradient of loss at `array`; loss takes an array like it and gives a number."""
    gradient, move = np.zeros(array.shape), np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        move[place] = step
        gradient[place] = (loss(array + move) - loss(array - move)) / (2 * step)
        move[place] = 0
    return gradient


# %% tags=["demonstration"]
a = np.array([1.0, 2.0, 3.0])
print("measured:", numerical_gradient(lambda a: (a**2).sum(), a), " by rule, 2a:", 2 * a)


# %% [markdown]
# A layer gives back an array, not a loss. So its `backward` gets `grad_output`: $\partial L/\partial\,\text{output}$, which comes from whatever follows the layer. To measure with any such `G`, use the loss $L = \sum G \cdot \text{output}$, entry by entry: its gradient for the output is exactly `G`.
#
# The next cell looks at this loss as a function of the numbers in one parameter. The one below it saves time where tests measure: to move all numbers at once takes two losses, and if those already contradict your gradient, each number is measured by itself. The last two put known numbers into your parameters, so that the tests need no random generator.

# %% nbgrader={"grade": false, "grade_id": "loss-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_of(parameter, output, G):
    """The loss sum(G * output()) as a function of the numbers in `parameter`, which it leaves there."""
    def loss(numbers):
        parameter.data = numbers
        return (G * output()).sum()
    return loss


# %% nbgrader={"grade": false, "grade_id": "measured-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def measured_gradient(loss, array, by_rule):
    """`by_rule`, if the loss changes as that says when all numbers move at once; else each is measured."""
    by_rule, move = np.asarray(by_rule, dtype=float), np.ones(array.shape)
    move += np.modf(np.arange(move.size) * 0.618)[0].reshape(move.shape)
    step = 2.0**-16
    slope = (loss(array + step * move) - loss(array - step * move)) / (2 * step)
    if by_rule.shape == move.shape and np.isclose(slope, (by_rule * move).sum(), rtol=1e-5, atol=1e-5):
        return by_rule
    return numerical_gradient(loss, array)


# %% nbgrader={"grade": false, "grade_id": "set-parameter", "locked": true, "schema_version": 3, "solution": false, "task": false}
def set_parameter(layer, name, value):
    """Put `value` into the parameter called `name` of `layer`, and its gradient back to 0."""
    assert hasattr(layer, name), f"the layer has no {name}: keep it as self.{name}"
    parameter = getattr(layer, name)
    assert hasattr(parameter, "grad"), f"{name} must be a Parameter, so that it has .data and .grad"
    shape = np.shape(parameter.data)
    assert shape == np.shape(value), (
        f"{name} has another shape than it should have\nexpected {np.shape(value)}, but got {shape}")
    parameter.data = np.array(value, dtype=float)
    parameter.grad = np.zeros(np.shape(value))


# %% nbgrader={"grade": false, "grade_id": "fixed-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def fixed(*shape, start=0):
    """Mixed numbers from −1 to 1, always the same."""
    n = np.arange(start, start + math.prod(shape))
    return ((7 * n**2 + n) % 17 - 8).reshape(shape) / 8


# %% [markdown]
# ## 5.1 A linear layer, forward and backward
#
# **4 points · about 22 minutes · difficulty ●●○**
#
# The layer multiplies each token by the same `weight` and adds the same `bias`. For one token with input $x$ and output $y = xW + b$, and with $g = \partial L/\partial y$, the chain rule gives the gradient for each of $x$, $W$ and $b$:
#
# $$\frac{\partial L}{\partial x} = g\,W^\top \qquad \frac{\partial L}{\partial W} = x^\top g \qquad \frac{\partial L}{\partial b} = g$$
#
# Every token of every sequence uses the same $W$ and $b$. A number that is used in many places gets a gradient from each of them, and **these add up**: sum over batch *and* sequence.
#
# | operation | expression | shape |
# |---|---|---|
# | output | $xW + b$ | `(batch, seq, out)` |
# | gradient of x | $g\,W^\top$ | `(batch, seq, in)` |
# | gradient of the weight | sum of $x^\top g$ over all tokens | `(in, out)` |
# | gradient of the bias | sum of $g$ over all tokens | `(out,)` |
#
# `backward` returns the gradient of `x` and **adds** the other two to `weight.grad` and `bias.grad`. Adding, because forward and backward may run several times, with one batch after the other, before the step. The weight starts with Xavier's normal numbers, drawn from `rng`: mean 0, standard deviation $\sqrt{2/(\text{in}+\text{out})}$. The bias starts at 0.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` is `(2, 3, 5)` and `grad_output` is `(2, 3, 4)`. Which axes must be gone from the gradient of the bias, and which from that of the weight?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `self.weight` is the `Parameter`, `self.weight.data` its array. `rng.normal(0, deviation, size=...)`. `array.reshape(-1, array.shape[-1])` puts the tokens of all sequences below each other. `np.sum` takes a tuple as `axis`. `np.einsum` can do the weight's gradient in one go.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `forward`, keep `x` on `self`, since the weight's gradient needs it. In `backward`, flatten `x` and the incoming gradient to tables of tokens. Add the product of the transposed first and the second to the weight's gradient. Add the sum over all tokens to the bias's. Return the incoming gradient times the transposed weight.
# </details>
#
# <details><summary>I get “non-broadcastable output operand”</summary>
#
# What you add to `.grad` has another shape than the parameter. Probably it still has an axis for the batch or for the sequence, or it is transposed.
# </details>

# %% nbgrader={"grade": false, "grade_id": "linear", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Linear:
    """y = x @ weight + bias, for each token.

    weight: Parameter (in_features, out_features), Xavier normal, drawn from rng.
    bias: Parameter (out_features,), zero.
    """

    def __init__(self, in_features, out_features, rng):
        ### BEGIN SOLUTION
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))
        ### END SOLUTION

    def forward(self, x):
        """x: (batch, seq, in_features). Returns (batch, seq, out_features)."""
        ### BEGIN SOLUTION
        self.x = x
        return x @ self.weight.data + self.bias.data
        ### END SOLUTION

    def backward(self, grad_output):
        """grad_output: like the output of the last forward. Returns the gradient of its x.

        Adds the gradients of weight and bias to their .grad.
        """
        ### BEGIN SOLUTION
        tokens = self.x.reshape(-1, self.x.shape[-1])
        gradients = grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad += tokens.T @ gradients
        self.bias.grad += gradients.sum(axis=0)
        return grad_output @ self.weight.data.T
        ### END SOLUTION

    def parameters(self):
        """The list [self.weight, self.bias]: the Parameters, not their arrays."""
        ### BEGIN SOLUTION
        return [self.weight, self.bias]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: how it starts, and forward (1 point).** The next cell puts known numbers into a layer of yours.

# %% nbgrader={"grade": false, "grade_id": "known-linear", "locked": true, "schema_version": 3, "solution": false, "task": false}
def known_linear(weight, bias):
    """Your layer with copies of these numbers in its parameters."""
    layer = Linear(*np.shape(weight), np.random.default_rng(51))
    set_parameter(layer, "weight", weight)
    set_parameter(layer, "bias", bias)
    return layer


# %% nbgrader={"grade": true, "grade_id": "linear-forward-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
layer = Linear(300, 100, np.random.default_rng(51))
start = np.array(layer.weight.data, dtype=float)
assert start.shape == (300, 100), f"weight has shape {start.shape}, not (in, out)"
assert abs(start.mean()) < 0.01, "the weight's numbers must have mean 0"
for advice, wrong in {"the weight is 0": 1e-9, "the scale is missing: these are standard normal numbers": 1,
                      "this is √(2/in): Xavier's has in + out below": 0.0816,
                      "this is √(1/in): Xavier's is √(2/(in + out))": 0.0577,
                      "this is √(1/out): Xavier's is √(2/(in + out))": 0.1,
                      "this is √(1/(in + out)): there is a 2 on top": 0.05,
                      "this is 2/(in + out): the root is missing": 0.005}.items():
    assert not 0.97 * wrong < start.std() + 1e-9 < 1.03 * wrong, advice
assert abs(start.std() - 0.0707) < 0.002, f"the standard deviation is {start.std():.4f}, not 0.0707"
twin = Linear(300, 100, np.random.default_rng(51))
assert np.array_equal(twin.weight.data, start), "draw from rng only: the same rng must give the same layer"
assert np.shape(layer.bias.data) == (100,), f"bias has shape {np.shape(layer.bias.data)}, not (out,)"
assert not np.any(layer.bias.data), "the bias must start at 0"
found = list(layer.parameters())
assert len(found) == 2 and found[0] is layer.weight and found[1] is layer.bias, (
    "parameters() must be [weight, bias]: the two Parameters themselves")
layer = known_linear([[1, 2, 0, -1], [0, 1, -1, 3]], [10, 20, 30, 40])
check_numbers(layer.forward(np.array([[[1.0, 2.0]], [[3.0, -1.0]]])),
              [[[11, 24, 28, 45]], [[13, 25, 31, 34]]],
              {"the bias is left out": [1, 4, -2, 5], "the bias is subtracted": [-9, -16, -32, -35]})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(511)
within = (np.abs(start) < start.std()).mean()
assert abs(within - 0.6827) < 0.015, f"the weight is not normal\n{within:.3f} lie within one deviation"
other = np.array(Linear(300, 100, np.random.default_rng(52)).weight.data)
assert not np.array_equal(other, start), "another rng must give another weight"
assert np.allclose(twin.forward(np.eye(300)[None])[0], start), "forward doesn't use what weight.data holds"
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    x, weight = np.round(64 * rng.normal(size=(batch, seq, inputs))) / 64, rng.normal(size=(inputs, outputs))
    bias, given = rng.normal(size=outputs), x.copy()
    expected = [[[math.fsum(v * w for v, w in zip(token, column)) + b for column, b in
                  zip(weight.T, bias)] for token in s] for s in x]
    check_numbers(known_linear(weight, bias).forward(given), expected, tolerance=1e-6,
                  where="on a larger random input")
    assert np.array_equal(given, x), "on a larger random input, forward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: backward (3 points).** Two sequences of three tokens, so that a sum over only one of the two axes shows. The next cell holds them, and what mistakes would give.

# %% nbgrader={"grade": false, "grade_id": "tiny-linear", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_x = np.array([[[1.0, 2], [0, 1], [3, 1]], [[2, 0], [1, 1], [0, 2]]])
tiny_G = np.array([[[1.0, 0, 2, 1], [0, 1, 0, 1], [2, 1, 1, 0]], [[1, 1, 0, 2], [0, 3, 1, 0], [1, 0, 1, 1]]])
weight_grad, bias_grad = [[9, 8, 6, 5], [6, 5, 8, 5]], [5, 6, 5, 5]
weight_mistakes = {
    "the gradient of weight is still 0: backward must add to weight.grad": [[0, 0, 0, 0], [0, 0, 0, 0]],
    "the gradient of weight is a mean over the batch: take the sum": [[4.5, 4, 3, 2.5], [3, 2.5, 4, 2.5]],
    "the gradient of weight is a mean over all tokens: take the sum": [1.5, 1.3333, 1, 0.8333],
    "the gradient of weight is not summed over the batch": [[7, 3, 5, 1], [4, 2, 5, 3]],
}
bias_mistakes = {
    "the gradient of bias is still 0: backward must add to bias.grad": [0, 0, 0, 0],
    "the gradient of bias is not summed over the batch": [3, 2, 3, 2],
    "the gradient of bias is not summed over the sequence": [2, 1, 2, 3],
    "the gradient of bias is a mean over the tokens: take the sum": [0.8333, 1, 0.8333, 0.8333],
    "the gradient of bias is a mean over the batch: take the sum": [2.5, 3, 2.5, 2.5],
}

# %% nbgrader={"grade": true, "grade_id": "linear-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
layer = known_linear([[1, 2, 0, -1], [0, 1, -1, 3]], [10, 20, 30, 40])
x, G = copies(tiny_x, tiny_G)
layer.forward(x)
grad_x = [[[0, 1], [1, 4], [4, 0]], [[1, 7], [6, 2], [0, 2]]]
back = layer.backward(G)
assert not isinstance(back, tuple), "backward returns the gradient of x alone; the other two go to .grad"
check_numbers(back, grad_x, where="for the gradient of x")
check_numbers(layer.weight.grad, weight_grad, weight_mistakes, where="for the gradient of weight")
check_numbers(layer.bias.grad, bias_grad, bias_mistakes, where="for the gradient of bias")
assert same((x, G), (tiny_x, tiny_G)), "an input is changed: compute new arrays"
layer.forward(tiny_x.copy())
layer.backward(tiny_G.copy())
for name, once in [("weight", weight_grad), ("bias", bias_grad)]:
    check_numbers(getattr(layer, name).grad, 2 * np.array(once), {
        f"{name}.grad is overwritten: a second backward must add to what is there": once},
        where=f"for {name}.grad after two rounds")
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(512)
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    weight, bias = rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)
    layer, sums = known_linear(weight, bias), [0, 0]
    for _ in range(3):
        x, G = rng.normal(size=(batch, seq, inputs)).round(2), rng.normal(size=(batch, seq, outputs))
        leaves = [torch.tensor(a, requires_grad=True) for a in (x, weight, bias)]
        grads = torch.autograd.grad((leaves[0] @ leaves[1] + leaves[2]), leaves, torch.tensor(G))
        sums = [old + new.numpy() for old, new in zip(sums, grads[1:])]
        given = copies(x, G)
        layer.forward(given[0])
        check_numbers(layer.backward(given[1]), grads[0].numpy(), tolerance=1e-5,
                      where="on a larger random input, for the gradient of x")
        assert same(given, (x, G)), "on a larger random input, backward changed its input"
    for name, total in zip(("weight", "bias"), sums):
        check_numbers(getattr(layer, name).grad, total, tolerance=1e-5,
                      where=f"on a larger random input, for {name}.grad after three rounds")
### END HIDDEN TESTS

# %% [markdown]
# And now the judge. Predict how large the gap will be, then run it. (This loss is linear in each number, so the measurement is exact but for rounding. Through softmax, in 5.4, it won't be.)

# %% tags=["demonstration"]
rng = np.random.default_rng(5)
layer, x, G = Linear(3, 2, rng), rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 4, 2))
layer.forward(x)
gaps = {"x": layer.backward(G) - numerical_gradient(lambda x: (G * layer.forward(x)).sum(), x)}
for name, parameter in [("weight", layer.weight), ("bias", layer.bias)]:
    loss = loss_of(parameter, lambda: layer.forward(x), G)
    gaps[name] = parameter.grad - numerical_gradient(loss, parameter.data)
for name, gap in gaps.items():
    print(f"{name:6} largest gap between rule and measurement: {np.abs(gap).max():.0e}")


# %% [markdown]
# ## 5.2 Attention in loops, and what it costs
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# Before you take attention apart, write it once more so plainly that nothing can hide: for each sequence, each query and each key, one scaled score. Softmax over the keys, then the weighted sum of the values.
#
# $$w_{ij} = \mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}} + \mathrm{mask}_{ij}\right) \qquad o_i = \sum_j w_{ij}\, v_j$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `Q`, `K`, `V` | `(batch, n_q, d_k)`, `(batch, n_k, d_k)`, `(batch, n_k, d_v)` |
# | mask, if given | added to the scaled scores | `(n_q, n_k)` or `(batch, n_q, n_k)` |
# | weights | softmax over the keys | `(batch, n_q, n_k)` |
# | output | sum of weights times values | `(batch, n_q, d_v)` |
#
# Scores may be as large as ±1000, so subtract each query's largest score before `np.exp`. You may call the given `softmax`, which does.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of the loops over batch, query and key has to be finished before a softmax can be taken?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros(shape)` makes the tables to fill. `np.dot` of two vectors, `math.sqrt`, `softmax`. `np.broadcast_to(mask, shape)` gives both kinds of mask the same three axes.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Make empty tables for output and weights. For each sequence and query, fill one row of scores, key by key: dot product, divided by $\sqrt{d_k}$, plus the mask's entry if there is a mask. Softmax of that row is the row of weights. Then add each key's value times its weight to the output of this query.
# </details>

# %% nbgrader={"grade": false, "grade_id": "attention-loops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_loops(Q, K, V, mask=None):
    """Attention by explicit loops over batch, query and key.

    Q: (batch, n_q, d_k), K: (batch, n_k, d_k), V: (batch, n_k, d_v).
    mask: None, (n_q, n_k) or (batch, n_q, n_k), holds 0 and -inf, is added to the scaled scores.
    Returns (output, weights): (batch, n_q, d_v) and (batch, n_q, n_k).
    """
    ### BEGIN SOLUTION
    (batch, n_q, d_k), (n_k, d_v) = Q.shape, V.shape[1:]
    masks = np.broadcast_to(0.0 if mask is None else mask, (batch, n_q, n_k))
    output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
    for b in range(batch):
        for i in range(n_q):
            scores = np.zeros(n_k)
            for j in range(n_k):
                scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
            weights[b, i] = softmax(scores)
            for j in range(n_k):
                output[b, i] += weights[b, i, j] * V[b, j]
    return output, weights
    ### END SOLUTION


# %% [markdown]
# The next cell holds two queries and three keys whose weights are simple fractions, and what mistakes would give.

# %% nbgrader={"grade": false, "grade_id": "tiny-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
small_Q = np.array([[[2.0, 0, 0, 0], [0, 2, 0, 0]]])
small_K = np.array([[[0, 0, 1, 3], [np.log(2), 0, 2, 1], [0, np.log(2), -1, 2]]])
small_V = np.array([[[8.0, 0], [0, 4], [4, 8]]])
small_block = np.array([[0, 0, -np.inf], [-np.inf, 0, 0]])
# The same twice, each with a mask of its own.
twice = [np.concatenate([array, array]) for array in (small_Q, small_K, small_V)]
blocks = np.stack([small_block, small_block[:, ::-1]])
weights_mistakes = {
    "the scores are not divided by √d_k": [0.1667, 0.6667, 0.1667],
    "the scores are divided by d_k, not by its root": [0.2929, 0.4142, 0.2929],
    "divided by √d_v or √n_q: what counts is how many numbers a query has, d_k": [0.2144, 0.5713, 0.2144],
    "divided by √n_k: what counts is how many numbers a query has, d_k": [0.2366, 0.5268, 0.2366],
    "the scores are multiplied by √d_k: divide": [0.0556, 0.8889, 0.0556],
    "softmax runs over the queries: each row must sum to 1": [0.5, 0.6667, 0.3333],
    "the weights don't sum to 1: divide by the sum": [1, 2, 1],
    "you gave back the output first and the weights second? This is the output": [3, 4],
}

# %% nbgrader={"grade": true, "grade_id": "attention-loops-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
given = copies(small_Q, small_K, small_V)
result = attention_loops(*given)
assert isinstance(result, (tuple, list)) and len(result) == 2, "return the pair (output, weights)"
check_numbers(result[1], [[[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]], weights_mistakes, where="in the weights")
check_numbers(result[0], [[[3, 4], [4, 5]]], {"a plain mean of the values: weigh them": [4, 4]},
              where="in the output")
assert same(given, (small_Q, small_K, small_V)), "an input is changed: compute new arrays"
with_mask = attention_loops(*copies(small_Q, small_K, small_V, small_block))[1]
check_numbers(with_mask, [[[1/3, 2/3, 0], [0, 1/3, 2/3]]], {
    "the mask is ignored": [0.25, 0.5, 0.25],
    "the mask belongs to the scores, before softmax: the weights don't sum to 1": [0.25, 0.5, 0],
    "the mask is added to the score; it doesn't replace it": [0.5, 0.5, 0],
}, where="with a mask")
check_numbers(attention_loops(*copies(*twice, blocks))[1],
              [[[1/3, 2/3, 0], [0, 1/3, 2/3]], [[0, 2/3, 1/3], [0.5, 0.5, 0]]],
              {"every sequence gets the mask of the first one": [1/3, 2/3, 0, 0, 1/3, 2/3] * 2},
              where="with a mask of shape (batch, n_q, n_k)")
with np.errstate(all="ignore"):
    loud = attention_loops(1400 * small_Q, *copies(small_K, small_V))[1]
check_numbers(loud, [[[0, 1, 0], [0, 0, 1]]], where="with scores of 970 (subtract the largest before exp)")
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(521)
for batch, n_q, n_k, d_k, d_v, size in [(2, 4, 5, 3, 6, 1), (3, 5, 2, 4, 7, 1), (2, 3, 4, 5, 1, 500)]:
    shapes = (batch, n_q, d_k), (batch, n_k, d_k), (batch, n_k, d_v)
    Q, K, V = (scale * np.round(64 * rng.normal(size=shape)) / 64 for scale, shape in zip((size, 1, 1), shapes))
    every = np.where(rng.random((batch, n_q, n_k)) < 0.4, -np.inf, 0.0)
    every[..., 0] = 0
    for mask in (None, every[0], every):
        scores = torch.tensor(Q) @ torch.tensor(K).mT / math.sqrt(d_k)
        scores = scores if mask is None else scores + torch.tensor(mask)
        expected = torch.softmax(scores, dim=-1)
        given = copies(Q, K, V)
        with np.errstate(all="ignore"):
            output, weights = attention_loops(*given, None if mask is None else mask.copy())
        values, exact = (expected @ torch.tensor(V)).numpy(), 1e-5 if size == 1 else 1e-3
        check_numbers(weights, expected.numpy(), where="in the weights of a larger input", tolerance=exact)
        check_numbers(output, values, where="in the output of a larger input", tolerance=exact)
        assert same(given, (Q, K, V)), "attention_loops changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Count what it does. One score takes $d_k$ multiplications, each with its addition: $d_k$ **multiply-adds**. Weighting one value takes $d_v$. How many pairs of a query and a key are there, in `batch` sequences whose queries and keys are the same `seq_len` tokens? Softmax, scale and mask don't count here.
#
# Write the count as a function. It needs no loop.

# %% nbgrader={"grade": false, "grade_id": "multiply-adds", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    ### BEGIN SOLUTION
    return batch * seq_len**2 * (d_k + d_v)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "multiply-adds-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check_numbers(multiply_adds(3, 4, 5, 7), 576, {
    "seq_len counts once as the queries and once as the keys": 144,
    "seq_len is doubled: each query meets each key, so square it": 288,
    "a multiply and its add count as one": 1152,
    "the output is missing: each value takes d_v": 240,
    "the scores are missing: each takes d_k": 336,
    "the batch is missing": 192,
    "d_k and d_v are multiplied: scores and output come one after the other, so add": 1680,
    "only one triangle is counted: here nothing is masked": 360,
}, where="for 3 sequences of 4 tokens")
### BEGIN HIDDEN TESTS
for batch, seq_len, d_k, d_v in [(1, 1, 1, 1), (3, 10, 4, 6), (5, 7, 2, 9), (2, 4, 8, 3)]:
    slow = sum(d_k + d_v for _ in np.ndindex(batch, seq_len, seq_len))
    check_numbers(multiply_adds(batch, seq_len, d_k, d_v), slow, where="for other sizes", tolerance=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# Predict: by what factor does the work grow with twice as many tokens?

# %% tags=["demonstration"]
rng = np.random.default_rng(52)
sizes, seconds = [8, 16, 32, 64], []
for n in sizes:
    Q, K, V = rng.normal(size=(3, 1, n, 8))
    begin = time.perf_counter()
    attention_loops(Q, K, V)
    seconds.append(time.perf_counter() - begin)
    print(f"{n:2} tokens: {multiply_adds(1, n, 8, 8):5} multiply-adds")

# %% tags=["demonstration"]
per_step = seconds[-1] / multiply_adds(1, 64, 8, 8)
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.loglog(sizes, seconds, "o-", label="your loops")
ax.loglog(sizes, [per_step * multiply_adds(1, n, 8, 8) for n in sizes], ":", label="in step with the count")
ax.set(xlabel="tokens", ylabel="seconds")
ax.legend()
plt.show()


# %% [markdown]
# Twice the tokens, four times the work. The time of the loops follows roughly, plus what Python itself needs. Backward will cost about twice as much as forward: two products for each product that there was.

# %% [markdown]
# ## The way back through attention
#
# One head does three things, and each has its own way back. Read the table from the bottom to the top: the gradient starts at the output and goes to `V`, to the weights, through the softmax to the scores, and from there to `Q` and `K`.
#
# | forward | backward | written in |
# |---|---|---|
# | $S = QK^\top/\sqrt{d_k}$ | $dQ = dS\,K/\sqrt{d_k}$ and $dK = dS^\top Q/\sqrt{d_k}$ | 5.4 |
# | $W = \mathrm{softmax}(S)$, row by row | $dS$ from $W$ and $dW$ | 5.3 |
# | $O = WV$ | $dW = dO\,V^\top$ and $dV = W^\top dO$ | 5.4 |
#
# Here $dA$ is short for $\partial L/\partial A$: an array with the shape of $A$. The only step that isn't a plain matrix product is the softmax, so we begin there.

# %% [markdown]
# ## 5.3 Back through softmax
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# In one row, softmax turns scores $s$ into weights $w$. All weights share a sum, so each score moves **every** weight of its row. Differentiate $w_i = e^{s_i}/\sum_m e^{s_m}$ by $s_j$ with the quotient rule:
#
# $$\frac{\partial w_i}{\partial s_j} = w_i\,(\delta_{ij} - w_j) \qquad\text{with } \delta_{ij} = 1 \text{ if } i = j \text{, else } 0$$
#
# This table of derivatives is the **Jacobian**. With $g_i = \partial L/\partial w_i$ the chain rule sums over all weights that $s_j$ moves:
#
# $$\frac{\partial L}{\partial s_j} = \sum_i g_i\, w_i\,(\delta_{ij} - w_j) = w_j\Big(g_j - \sum_i w_i\, g_i\Big)$$
#
# The last form needs no Jacobian. Read it as a sentence: a larger score means a larger loss if its key's gradient is above the **average** gradient of the row. The average is taken with the weights themselves. (A step goes against the gradient, so it lowers such a score.)
#
# | operation | expression | shape |
# |---|---|---|
# | average of each row | $\sum_i w_i g_i$ | the last axis has length 1 |
# | gradient of the scores | weights times (gradient minus average) | like `weights` |
#
# <details><summary>Hint 1: a question</summary>
#
# What must the gradient of a row be if all $g_i$ of this row are equal? (The weights always sum to 1, so what would the loss notice?) Does your formula give that?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.sum` with `axis=-1` and `keepdims=True`. The rest is `*` and `-`, entry by entry.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Multiply weights and incoming gradient, entry by entry, and sum each row, keeping the axis. Subtract that from the incoming gradient. Multiply by the weights.
# </details>

# %% nbgrader={"grade": false, "grade_id": "softmax-backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax_backward(weights, grad_weights):
    """The gradient of the loss for the scores, from that for softmax(scores).

    weights: softmax along the last axis, any shape. grad_weights: the same shape.
    Returns an array of the same shape. No Jacobian is built.
    """
    ### BEGIN SOLUTION
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - average)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "softmax-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
shares = np.array([[0.25, 0.25, 0.5], [0.125, 0.375, 0.5]])
incoming = np.array([[4.0, 0, 6], [8, 0, -4]])
given = copies(shares, incoming)
check_numbers(softmax_backward(*given), [[0, -1, 1], [1.125, 0.375, -1.5]], {
    "the sum is missing: each score moves every weight of its row": [1, 0, 3],
    "only the Jacobian's diagonal, w(1 − w): each score moves the other weights too": [0.75, 0, 1.5],
    "the weights in front are missing: w times (g − average)": [0, -4, 2],
    "the weights multiply g alone, not the difference": [-3, -4, -1],
    "the average is added: subtract it": [2, 1, 5],
    "the plain sum of g is subtracted: weigh it with w": [-1.5, -2.5, -2],
    "the plain mean of g is subtracted: weigh it with w": [0.1667, -0.8333, 1.3333],
    "the sum runs over the queries: each row has its own softmax": [0.5, 0, 2.5],
    "one sum for the whole table: each row has its own softmax": [0.25, -0.75, 1.5],
    "the average is multiplied by the weights, not the difference": [3, -1, 4],
    "the mean of w·g is subtracted: take the sum": [0.6667, -0.3333, 2.3333],
    "the sign is reversed": [0, 1, -1],
    "softmax is taken once more: weights is already the result": [0.1328, -1.0852, 0.9525],
})
assert same(given, (shares, incoming)), "the input is changed: compute new arrays"
check_numbers(softmax_backward(shares.copy(), 0 * incoming + 5), np.zeros((2, 3)),
              where="if all of a row's gradients are equal, nothing can change the loss")
check_numbers(softmax_backward(np.array([[0.5, 0.0, 0.5]]), np.array([[1.0, 7, 3]])), [[-0.5, 0, 0.5]],
              where="with a blocked key, whose weight is 0")
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(531)
for shape in [(4,), (3, 5), (2, 3, 4, 6)]:
    scores = 2 * rng.normal(size=shape)
    scores[..., 1] = -np.inf
    incoming, leaf = rng.normal(size=shape), torch.tensor(scores, requires_grad=True)
    result = torch.softmax(leaf, dim=-1)
    result.backward(torch.tensor(incoming))
    shares = result.detach().numpy()
    given = copies(shares, incoming)
    check_numbers(softmax_backward(*given), leaf.grad.numpy(), where="on a larger random input",
                  sizes=f"with shape {shape} ", tolerance=1e-6)
    assert same(given, (shares, incoming)), "on a larger random input, the input is changed"
### END HIDDEN TESTS

# %% [markdown]
# The same by two other routes: with the whole Jacobian, and measured. The Jacobian of *one* row of $n$ weights has $n^2$ entries, which your formula never needs.

# %% tags=["demonstration"]
rng = np.random.default_rng(53)
scores, g = rng.normal(size=4), rng.normal(size=4)
w = softmax(scores)
jacobian = np.diag(w) - np.outer(w, w)
print("your formula ", np.round(softmax_backward(w, g), 6))
print("full Jacobian", np.round(jacobian @ g, 6))
print("measured     ", np.round(numerical_gradient(lambda s: (g * softmax(s)).sum(), scores), 6))

# %% [markdown]
# Where is the gradient large? Below, one of two keys gets the weight $w$, and the gradients of the two *weights* are 1 and 0. In the middle, a change of the score moves the weights most. Where the weight is near 0 or 1, nearly nothing comes through, however wrong the choice is. This is why lesson 01 divided by $\sqrt{d_k}$.

# %% tags=["demonstration"]
w = np.linspace(0, 1, 101)
pairs = np.stack([w, 1 - w], axis=-1)
through = np.asarray(softmax_backward(pairs, np.array([1.0, 0.0]) + 0 * pairs))[:, 0]
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(w, through)
ax.set(xlabel="weight w of the key", ylabel="gradient of its score", title="w (1 − w): most in the middle")
plt.show()


# %% [markdown]
# ## 5.4 Back through one head
#
# **5 points · about 22 minutes · difficulty ●●●**
#
# Now the matrix products. There is one rule. In $C = AB$ an entry is $C_{ij} = \sum_k A_{ik}B_{kj}$, so $A_{ik}$ moves every $C_{ij}$ of its row, by $B_{kj}$ each. The chain rule adds these up: $dA_{ik} = \sum_j dC_{ij}B_{kj}$. The same for $B$, and in matrices:
#
# $$C = AB \quad\Rightarrow\quad dA = dC\,B^\top \qquad dB = A^\top dC$$
#
# The shapes alone nearly force it: `dA` must look like `A`. Use it twice. $O = WV$ gives $dW$ and $dV$. And $S = QK^\top/\sqrt{d_k}$ gives $dQ$ and $dK$, where the same factor $1/\sqrt{d_k}$ stands in front of **both**.
#
# | operation | expression | shape |
# |---|---|---|
# | values | $dV = W^\top dO$ | `(…, n_k, d_v)` |
# | weights | $dW = dO\,V^\top$ | `(…, n_q, n_k)` |
# | scores | $dS$, through softmax | `(…, n_q, n_k)` |
# | queries | $dQ = dS\,K/\sqrt{d_k}$ | `(…, n_q, d_k)` |
# | keys | $dK = dS^\top Q/\sqrt{d_k}$ | `(…, n_k, d_k)` |
#
# Any number of axes may stand in front: none, a batch, a batch and heads. There is no mask among the arguments. A blocked key has weight 0, so by 5.3 its score's gradient is 0 by itself. But this holds only for the weights **that you are given**: don't compute them again.
#
# <details><summary>Hint 1: a question</summary>
#
# Value $j$ went into the output of every query $i$, with weight $w_{ij}$. Which sum collects what comes back to it: the sum over a row of the weights, or over a column?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.swapaxes(array, -1, -2)` transposes the last two axes only, whereas `.T` reverses all of them. `@` treats leading axes as a batch. `softmax_backward` from 5.3. `Q.shape[-1]` is $d_k$.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# The values' gradient: transposed weights times the incoming gradient. The weights' gradient: incoming gradient times the transposed values. Send it back through softmax. Divide the result by $\sqrt{d_k}$, once. Times the keys it is the queries' gradient; transposed, and times the queries, it is the keys'.
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Write the shapes below each other. What is summed over must be the last axis of the first and the last but one of the second. For the weights' gradient it is `V` that must be transposed, for the keys' it is the scores' gradient.
# </details>

# %% builds_on=["softmax-backward"] nbgrader={"grade": false, "grade_id": "attention-backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_backward(grad_output, Q, K, V, weights):
    """The gradients of one head: output = weights @ V, weights = softmax(Q K^T / sqrt(d_k)).

    grad_output: (..., n_q, d_v), Q: (..., n_q, d_k), K: (..., n_k, d_k), V: (..., n_k, d_v),
    weights: (..., n_q, n_k), as they came out of the forward pass (perhaps masked).
    Returns (grad_Q, grad_K, grad_V), with the shapes of Q, K and V.
    """
    ### BEGIN SOLUTION
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    grad_weights = grad_output @ np.swapaxes(V, -1, -2)
    grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
    return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
    ### END SOLUTION


# %% [markdown]
# The test looks at the values' gradient first, since it needs no softmax. Then at the queries', then at the keys'. The sizes are chosen so that a wrong transpose still fits, and can be named. The next cell holds the small head that it uses, and what mistakes give for the first query.

# %% nbgrader={"grade": false, "grade_id": "tiny-head", "locked": true, "schema_version": 3, "solution": false, "task": false}
tiny_shares = np.array([[0.25, 0.25, 0.5], [0.125, 0.375, 0.5], [0.5, 0.25, 0.25]])
tiny_Q = np.array([[2.0, 0, 1, 0], [0, 4, 0, -2], [1, 1, 0, 2]])
tiny_K = np.array([[1.0, 0, 2, 0], [0, 2, 0, 1], [3, 0, -1, 2]])
tiny_V, tiny_grad = np.array([[2.0, 0], [0, 4], [4, 2]]), np.array([[1.0, 1], [2, 0], [0, 3]])
tiny = tiny_grad, tiny_Q, tiny_K, tiny_V, tiny_shares
right_grad_Q = [[0.8125, -0.125, -1, 0.6875], [2.5938, -1.6875, -0.9375, 0.9062],
                [-0.5625, 1.875, -2.4375, 1.3125]]
right_grad_K = [[-1.75, -1.25, -0.3125, -2.1875], [0.8125, -2.4375, -0.0625, 3.5625],
                [0.9375, 3.6875, 0.375, -1.375]]
right_grad_V = [[0.5, 1.75], [1, 1], [1.5, 1.25]]
grad_Q_mistakes = {
    "grad_Q: the sum in softmax's gradient is missing (see 5.3)": [4.75, 1],
    "grad_Q: only the diagonal of softmax's Jacobian (see 5.3)": [2.4375, 0.75],
    "grad_Q: the way back through softmax is left out": [10, 4],
    "grad_Q is not divided by √d_k": [1.625, -0.25],
    "grad_Q is divided by d_k, not by its root (or twice by the root)": [0.4062, -0.0625],
    "grad_Q is multiplied by √d_k: divide": [3.25, -0.5],
    "grad_Q is divided by √d_v: the scale is the forward one, √d_k": [1.149, -0.1768],
    "grad_Q is divided by √n: the scale is the forward one, √d_k": [0.9382, -0.1443],
    "grad_Q: the transposed scores' gradient belongs in grad_K": [-3.6875, -0.0625],
    "grad_Q is made from Q: query i collects from the keys": [-0.25, 0.125],
    "grad_Q is made from the weights, not from the scores' gradient": [0.875, 0.25],
    "grad_Q: softmax_backward takes the weights first, then their gradient": [-40.25, -17],
    "grad_K comes first: return (grad_Q, grad_K, grad_V)": [-1.75, -1.25]}

# %% nbgrader={"grade": true, "grade_id": "attention-backward-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
result = attention_backward(*(given := copies(*tiny)))
assert isinstance(result, (tuple, list)) and len(result) == 3, "return (grad_Q, grad_K, grad_V)"
check_numbers(result[2], right_grad_V, {
    "grad_V: the weights must be transposed, value j collects from column j": [0.75, 1.75],
    "the weights are computed again, without the mask: use those that you are given": [0.4534, 0.4765],
    "grad_V is made from V: what comes back is grad_output": [2.5, 1.5],
    "grad_V is the output itself: transposed weights times grad_output": [2.5, 2],
    "grad_V has the scale in it: it belongs to the scores only": [0.25, 0.875]}, where="in grad_V")
check_numbers(result[0], right_grad_Q, grad_Q_mistakes, where="in grad_Q")
check_numbers(result[1], right_grad_K, {
    "grad_K is not divided by √d_k: the scale stands in front of both": [-3.5, -2.5],
    "grad_K is divided by d_k, not by its root (or twice by the root)": [-0.875, -0.625],
    "grad_K: transpose the scores' gradient, key j collects from column j": [-0.25, 0.125],
    "grad_K is made from K: key j collects from the queries": [-3.6875, -0.0625]}, where="in grad_K")
assert same(given, tiny), "an input is changed: compute new arrays"
lead = [np.stack([a, a])[None] for a in tiny]
check_numbers(attention_backward(*lead)[2], [[right_grad_V] * 2], where="with two axes in front, in grad_V")
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(541)
for lead, n_q, n_k, d_k, d_v in [((), 3, 5, 4, 2), ((3,), 4, 2, 5, 6), ((2, 3), 5, 4, 3, 7)]:
    sizes = [(n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)]
    Q, K, V, G = arrays = [rng.normal(size=(*lead, *size)) for size in sizes]
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays[:3]]
    mask = torch.where(torch.tensor(rng.random((n_q, n_k)) < 0.4), -torch.inf, 0.0)
    mask[:, 1] = 0
    shares = torch.softmax(leaves[0] @ leaves[1].mT / math.sqrt(d_k) + mask, dim=-1)
    (shares @ leaves[2]).backward(torch.tensor(G))
    arrays.append(shares.detach().numpy().copy())
    Q, K, V, G, shares = given = copies(*arrays)
    result = attention_backward(G, Q, K, V, shares)
    assert isinstance(result, (tuple, list)) and len(result) == 3, "for other sizes, return three, too"
    for name, got, leaf in zip("QKV", result, leaves):
        check_numbers(got, leaf.grad.numpy(), where=f"on a larger random input, in grad_{name}",
                      sizes=f"with sizes {sizes} ", tolerance=1e-5)
    assert same(given, arrays), "on a larger random input, attention_backward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Let's hear the judge on a case with different lengths: 3 queries, 5 keys, $d_k = 4$, $d_v = 2$.

# %% tags=["demonstration"]
rng = np.random.default_rng(54)
Q, K, V, G = (rng.normal(size=shape) for shape in [(3, 4), (5, 4), (5, 2), (3, 2)])
loss = lambda Q, K, V: (G * (softmax(Q @ K.T / math.sqrt(4)) @ V)).sum()
by_rule = attention_backward(G, Q, K, V, softmax(Q @ K.T / math.sqrt(4)))
measured = [numerical_gradient(lambda Q: loss(Q, K, V), Q), numerical_gradient(lambda K: loss(Q, K, V), K),
            numerical_gradient(lambda V: loss(Q, K, V), V)]
for name, rule, gradient in zip("QKV", by_rule, measured):
    print(f"grad_{name} {np.shape(rule)}: largest gap {np.abs(rule - gradient).max():.0e}")


# %% [markdown]
# ## 5.5 Many heads, forward
#
# **5 points · about 20 minutes · difficulty ●●○**
#
# You built this layer in PyTorch. Here it is in NumPy, from your own `Linear` layers, so that you can take it apart afterwards. Three layers make queries, keys and values; each head gets its slice; the heads are put side by side; `out_proj` mixes them.
#
# | operation | expression | shape |
# |---|---|---|
# | project | `q_proj`, `k_proj`, `v_proj` | `(batch, seq, embed_dim)` |
# | split | `split_heads`: one slice per head | `(batch, num_heads, seq, d_k)` |
# | scores | $QK^\top/\sqrt{d_k}$, plus the mask | `(batch, num_heads, seq, seq)` |
# | weights | softmax over the keys | the same |
# | heads' outputs | weights times values | `(batch, num_heads, seq, d_k)` |
# | combine, then `out_proj` | `combine_heads`: side by side | `(batch, seq, embed_dim)` |
#
# Here $d_k$ = `embed_dim` / `num_heads`. The constructor raises a `ValueError` if that isn't a whole number. Name the four layers exactly `q_proj`, `k_proj`, `v_proj`, `out_proj`, and draw them from `rng`. `parameters()` is a list of all **eight** parameters: weight and bias of `q_proj`, then of `k_proj`, `v_proj` and `out_proj`. `layer(x, mask)` does the same as `layer.forward(x, mask)`.
#
# A mask of shape `(seq, seq)` holds for all sequences, one of shape `(batch, seq, seq)` for each its own. All heads share it. Scores may be large; the given `softmax` takes care of that.
#
# <details><summary>Hint 1: a question</summary>
#
# The scores have four axes, and a mask of shape `(batch, seq, seq)` has three. NumPy lines axes up from the right. With which axis would the batch be lined up, and what has to stand between?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The given `split_heads`, `combine_heads` and `softmax`. `K.swapaxes(-1, -2)` turns the tables of the keys. `np.expand_dims(array, axis)` puts in an axis; counted from the right, it suits both kinds of mask. Python calls a method named `__call__` for `layer(x)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: check that the sizes divide, make four layers from `embed_dim` to `embed_dim`. In `forward`: send x through three layers and split each result. Scaled scores, mask, softmax, times values. Put the heads side by side. Last, `out_proj`.
# </details>

# %% builds_on=["linear"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention:
    """Self-attention with several heads: Linear layers q_proj, k_proj, v_proj and out_proj.

    Raises ValueError if num_heads does not divide embed_dim.
    """

    def __init__(self, embed_dim, num_heads, rng):
        ### BEGIN SOLUTION
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim, rng)
        self.k_proj = Linear(embed_dim, embed_dim, rng)
        self.v_proj = Linear(embed_dim, embed_dim, rng)
        self.out_proj = Linear(embed_dim, embed_dim, rng)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """x: (batch, seq, embed_dim), mask: None, (seq, seq) or (batch, seq, seq). Returns the output."""
        ### BEGIN SOLUTION
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        Q, K, V = (split_heads(a, self.num_heads) for a in projected)
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores + np.expand_dims(mask, -3)
        return self.out_proj.forward(combine_heads(softmax(scores) @ V))
        ### END SOLUTION

    def __call__(self, x, mask=None):
        ### BEGIN SOLUTION
        return self.forward(x, mask)
        ### END SOLUTION

    def parameters(self):
        """Weight and bias of q_proj, k_proj, v_proj, out_proj: a list of 8."""
        ### BEGIN SOLUTION
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]
        ### END SOLUTION


# %% [markdown]
# The next cells hold what the tests of 5.5 and 5.6 share: a layer with known numbers in it, a mask, and what mistakes would give.

# %% nbgrader={"grade": false, "grade_id": "tiny-masks", "locked": true, "schema_version": 3, "solution": false, "task": false}
projections = ["q_proj", "k_proj", "v_proj", "out_proj"]
tiny_mask = np.full((5, 5), -np.inf)
for offset in (0, -1, -3, 2):
    tiny_mask[np.eye(5, k=offset) == 1] = 0
tiny_masks = np.stack([np.zeros((5, 5)), tiny_mask])


# %% nbgrader={"grade": false, "grade_id": "check-value-error", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_value_error(embed_dim, num_heads):
    """Stop unless the constructor raises a ValueError for these sizes, which don't divide."""
    error = None
    try:
        MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(0))
    except Exception as problem:
        error = problem
    assert isinstance(error, ValueError), (
        "a number of heads that does not divide embed_dim: raise a ValueError\n"
        f"for embed_dim {embed_dim} and {num_heads} heads, what came is {error!r:.60}")


# %% nbgrader={"grade": false, "grade_id": "known-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def known_numbers(embed_dim=6, rng=None):
    """The numbers [weight, bias] of each projection: fixed ones, or random ones from rng."""
    if rng is None:
        return {name: [fixed(embed_dim, embed_dim, start=10 * index), fixed(embed_dim, start=10 * index + 5)]
                for index, name in enumerate(projections)}
    return {name: [rng.normal(size=(embed_dim, embed_dim)) * embed_dim**-0.5, rng.normal(size=embed_dim) / 2]
            for name in projections}


# %% nbgrader={"grade": false, "grade_id": "known-layer", "locked": true, "schema_version": 3, "solution": false, "task": false}
def known_layer(known, num_heads=3):
    """Your layer with copies of these numbers in its parameters."""
    layer = MultiHeadAttention(len(known["q_proj"][1]), num_heads, np.random.default_rng(0))
    for name, numbers in known.items():
        assert hasattr(layer, name), f"the layer has no {name}: keep it as self.{name}"
        for kind, value in zip(("weight", "bias"), numbers):
            set_parameter(getattr(layer, name), kind, value)
    return layer


# %% nbgrader={"grade": false, "grade_id": "all-parameters", "locked": true, "schema_version": 3, "solution": false, "task": false}
def all_parameters(layer):
    """The list layer.parameters(), which must hold the eight Parameters in their order."""
    found = list(layer.parameters())
    assert len(found) != 4, "parameters() has only 4: each of the four layers has a weight and a bias"
    assert len(found) == 8, (
        f"parameters() must be one list of weight, bias four times\nit has {len(found)} entries")
    for place, parameter in enumerate(found):
        name, kind = projections[place // 2], ("weight", "bias")[place % 2]
        assert parameter is getattr(getattr(layer, name), kind), (
            f"parameters()[{place}] is not {name}'s: the order is q, k, v, out")
    return found


# %% nbgrader={"grade": false, "grade_id": "forward-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
first_two = [[0.3941, 1.8401, 2.0791, 1.111, -2.7594, -1.4266],
             [0.6861, 2.1665, 2.2676, 0.9895, -3.0677, -1.4135]]
first_two_masked = [[0.6572, 1.8294, 1.8761, 0.7976, -2.2889, -1.3662],
                    [0.6131, 2.2076, 2.4049, 1.205, -3.3198, -1.5217]]
forward_mistakes = {
    "the scores are not divided by √d_k": [0.4519, 1.8575, 2.0356],
    "divided by √embed_dim: each head has its own length, d_k": [0.3423, 1.8501, 2.1746],
    "divided by d_k, not by its root": [0.3558, 1.8423, 2.1382],
    "divided by √seq: what counts is how many numbers a query has, d_k": [0.3477, 1.8461, 2.1583],
    "divided by √num_heads: what counts is how many numbers a query has, d_k": [0.3692, 1.8393, 2.1127],
    "the scores are multiplied by √d_k: divide": [0.5194, 1.8928, 2.0192],
    "queries and keys have changed places": [-0.4465, 1.3851, 2.4164],
    "softmax runs over the queries, not the keys": [0.2165, 1.9468, 2.3403],
    "softmax runs over the heads, not the keys": [-1.8954, -0.0193, 1.47],
    "the weights don't sum to 1: is there a softmax?": [-4.1199, 2.3885, 4.9872],
    "out_proj is left out": [1.4007, 0.8074, 0.8085],
    "the values are x itself: project them with v_proj": [0.472, 1.1272, 0.9954],
    "the heads are interleaved: each owns a contiguous slice": [0.5479, 2.1642, 2.366],
    "a bare reshape splits the tokens: cut the last axis, then swap two axes": [-0.6528, 0.1374, -0.0257],
    "a bare reshape splits the tokens: use split_heads": [-1.3957, -0.71, -0.2945],
    "the heads are interleaved when they are split: use split_heads": [1.1955, 2.2675, 1.9249],
    "merged without swapping the axes back": [3.5841, 4.6576, 2.685],
    "the heads are interleaved when they are merged": [-0.3459, 0.8623, 0.8635],
    "each token gets its own value only: the weights are not used": [0.7891, 2.2852, 2.4336]}
mask_mistakes = {
    "the mask is ignored": [0.3941, 1.8401, 2.0791],
    "the mask is used upside down: 0 keeps, −inf blocks": [-0.0164, 1.7164, 2.2339],
    "the mask is transposed: rows are queries": [0.4461, 2.0566, 2.3205],
    "the mask belongs to the scores, before softmax": [0.4044, 1.302, 1.4385]}

# %% nbgrader={"grade": true, "grade_id": "multi-head-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check_value_error(7, 3)
layer, x = known_layer(known_numbers()), fixed(2, 5, 6, start=3)
output = layer.forward(given := x.copy())
assert not (isinstance(output, tuple) and np.ndim(output[0]) == 3), "forward returns the output alone"
assert np.shape(output) == (2, 5, 6), f"the output has shape {np.shape(output)}, not (2, 5, 6)"
check_numbers(np.asarray(output)[0, :2], first_two, forward_mistakes, where="for the first two tokens")
assert np.array_equal(given, x), "forward changed its input: compute new arrays"
check_numbers(np.asarray(layer.forward(*copies(x, tiny_mask)))[0, :2], first_two_masked, mask_mistakes,
              where="with a mask")
check_numbers(np.asarray(layer(x.copy(), mask=tiny_mask.copy()))[0, :2], first_two_masked, {
    "the mask doesn't arrive: __call__ must pass it on": first_two}, where="layer(x, mask=mask)")
check_numbers(np.asarray(layer(*copies(x, tiny_masks)))[0, :2], first_two,
              where="with a mask of shape (batch, seq, seq)")
found = all_parameters(layer)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(551)
for batch, seq, embed, heads, size in [(2, 5, 12, 3, 1), (3, 4, 10, 2, 1), (2, 3, 5, 1, 900)]:
    known, x = known_numbers(embed, rng), np.round(64 * rng.normal(size=(batch, seq, embed))) / 64
    known["q_proj"][0] = size * known["q_proj"][0]
    layer = known_layer(known, heads)
    module = torch.nn.MultiheadAttention(embed, heads, batch_first=True).double()
    q, k, v, out = known.values()
    state = {"in_proj_weight": np.hstack([q[0], k[0], v[0]]).T, "in_proj_bias": np.hstack([q[1], k[1], v[1]]),
             "out_proj.weight": out[0].T, "out_proj.bias": out[1]}
    module.load_state_dict({name: torch.tensor(value.copy()) for name, value in state.items()})
    every = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    every[..., 1] = 0
    for mask in (None, every[0], every):
        theirs = None if mask is None else torch.tensor(mask).repeat_interleave(
            1 if mask.ndim == 2 else heads, dim=0)
        expected = module(*[torch.tensor(x)] * 3, attn_mask=theirs)[0].detach().numpy()
        given = x.copy()
        with np.errstate(all="ignore"):
            output = layer(given, None if mask is None else mask.copy())
        check_numbers(output, expected, None, "on a larger random input", 1e-6, f"with {heads} heads ")
        assert np.array_equal(given, x), "on a larger random input, forward changed its input"
    found = all_parameters(layer)
check_value_error(10, 4)
### END HIDDEN TESTS

# %% [markdown]
# Permute the tokens of a sequence, and the outputs are permuted in the same way: nothing in this layer knows an order. The next cell measures it.

# %% tags=["demonstration"]
rng = np.random.default_rng(55)
layer, x, order = MultiHeadAttention(6, 3, rng), rng.normal(size=(1, 5, 6)), np.array([3, 0, 4, 1, 2])
gap = np.abs(layer(x[:, order]) - np.asarray(layer(x))[:, order]).max()
print(f"permuted input against permuted output: {gap:.0e}")


# %% [markdown]
# ## 5.6 The layer with its way back
#
# **5 points · about 20 minutes · difficulty ●●●**
#
# Copy your class of 5.5 here and extend it; `__call__` is there already. What changes: `forward` keeps what the way back needs, and there is a `backward(grad_output)`. It returns the gradient of `x`, and all eight parameters get theirs added to `.grad`.
#
# Go back the way you came. `out_proj.backward` takes the gradient through the last layer. Then split it into heads, just like the queries. `attention_backward` gives three gradients, one table per head. Combine the heads of each, and send it through its own projection's `backward`.
#
# | operation | expression | shape |
# |---|---|---|
# | through `out_proj` | `out_proj.backward(grad_output)` | `(batch, seq, embed_dim)` |
# | split | as in `forward` | `(batch, num_heads, seq, d_k)` |
# | through the heads | $dQ, dK, dV$ of 5.4 | the same, three times |
# | combine | as in `forward` | `(batch, seq, embed_dim)`, three times |
# | through the projections | three `backward`s | `(batch, seq, embed_dim)`, three times |
# | gradient of x | their **sum** | `(batch, seq, embed_dim)` |
#
# Why a sum? `x` went into three places: it became query, key and value. Each sends a gradient back, and gradients of the same number add up. The mask is a constant. It gets no gradient, and blocked keys have weight 0.
#
# <details><summary>Hint 1: a question</summary>
#
# Splitting and combining only move numbers around. What is the way back of a step that moves numbers?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your `forward` of 5.5, `attention_backward` of 5.4, and `Linear.backward`, which already adds to `.grad`. And once more `split_heads` and `combine_heads`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Let `forward` keep queries, keys, values (with heads) and weights on `self`. In `backward`: the incoming gradient through `out_proj`, split it, call `attention_backward` with what was kept. Combine the heads of the three results. Send the first through `q_proj`, the second through `k_proj`, the third through `v_proj`. Return the sum.
# </details>
#
# <details><summary>The test stops at one projection</summary>
#
# It looks at `out_proj`, `v_proj`, `k_proj`, `q_proj`, in this order. What comes before the one that it names is right, what comes after it is not known yet. At `v_proj`, suspect splitting, combining or $dV$. At `k_proj`, suspect softmax, the scale, or gradients that have changed places. At `q_proj` alone, it is that path.
# </details>

# %% builds_on=["linear", "attention-backward"] nbgrader={"grade": false, "grade_id": "trainable-multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention:
    """The layer of 5.5, with a way back. ValueError if num_heads does not divide embed_dim."""

    def __init__(self, embed_dim, num_heads, rng):
        ### BEGIN SOLUTION
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, rng) for _ in range(4))
        ### END SOLUTION

    def forward(self, x, mask=None):
        """As in 5.5: returns the output alone. It keeps what backward needs."""
        ### BEGIN SOLUTION
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        self.Q, self.K, self.V = (split_heads(a, self.num_heads) for a in projected)
        scores = self.Q @ self.K.swapaxes(-1, -2) / math.sqrt(self.Q.shape[-1])
        self.weights = softmax(scores if mask is None else scores + np.expand_dims(mask, -3))
        return self.out_proj.forward(combine_heads(self.weights @ self.V))
        ### END SOLUTION

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        """Returns the gradient of x, and adds those of the 8 parameters to their .grad."""
        ### BEGIN SOLUTION
        grad_heads = split_heads(self.out_proj.backward(grad_output), self.num_heads)
        grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
        layers = (self.q_proj, self.k_proj, self.v_proj)
        return sum(layer.backward(combine_heads(grad)) for layer, grad in zip(layers, grads))
        ### END SOLUTION

    def parameters(self):
        ### BEGIN SOLUTION
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [parameter for layer in layers for parameter in layer.parameters()]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the gradient of x (2 points).** All three paths, without and with a mask. The next cell holds what mistakes would give for the first token.

# %% nbgrader={"grade": false, "grade_id": "backward-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
backward_mistakes = {
    "the path through q_proj is missing: x became query, key and value": [4.1771, 3.2179, -0.703],
    "the path through k_proj is missing: x became query, key and value": [3.9459, 2.0434, -1.6756],
    "the path through v_proj is missing: x became query, key and value": [-0.3911, 0.6478, 0.8418],
    "only the path through v_proj is there: weights depend on x, too": [4.257, 2.3067, -1.6102],
    "this is the mean of the three paths: they add up": [1.2887, 0.9849, -0.2561],
    "grad_output itself is added: this layer has no residual path": [3.866, 3.5796, 0.1066],
    "out_proj is skipped on the way back": [-0.4179, -0.8467, -4.1472],
    "the gradient is split by a bare reshape: cut, then swap, as in forward": [3.6024, -0.0764, 5.3826],
    "the heads' gradients are merged by a bare reshape: swap back first": [1.9925, 0.168, 0.3553],
    "queries' and keys' gradients have changed places": [5.2178, 2.7907, -2.1999],
    "Q and K have changed places in the call of attention_backward": [4.6057, 2.8294, -1.204],
    "the keys' gradient goes through k_proj, not q_proj": [4.6813, 2.6188, -2.1967],
    "v_proj gets the values' gradient, not grad_output": [-0.5786, 0.1478, -0.5801],
    "the sum in softmax's gradient is missing (see 5.3)": [1.8842, 5.3526, 2.5672],
    "only the diagonal of softmax's Jacobian (see 5.3)": [2.7689, 3.9721, 0.7787],
    "the way back through softmax is left out": [-6.6172, 4.0129, 7.1617],
    "the scale √d_k is forgotten on the way back": [3.704, 3.2229, -0.4197],
    "the scale √d_k is forgotten for the queries": [3.7371, 2.8455, -0.7955],
    "the scale √d_k is forgotten for the keys": [3.8328, 3.332, -0.3926],
    "the scores' gradient is transposed for queries, not for keys (see 5.4)": [4.5622, 2.9, -1.5019],
    "the weights are not transposed for the values (see 5.4)": [2.0171, 2.6326, -0.8012]}
first_two_grad = [[3.866, 2.9546, -0.7684, 0.3505, -1.5757, 0.2337],
                  [1.4693, 1.0205, -0.7621, 0.8373, -0.1583, -0.8661]]
backward_mask_mistakes = {
    "the mask is ignored on the way back: use the weights of forward": [3.866, 2.9546, -0.7684]}

# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-x-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
layer, x, G = known_layer(known_numbers()), fixed(2, 5, 6, start=3), fixed(2, 5, 6, start=1)
check_numbers(np.asarray(layer.forward(x.copy()))[0, :2], first_two, forward_mistakes,
              where="in forward, for the first two tokens")
grad_x = layer.backward(G.copy())
assert np.shape(grad_x) == (2, 5, 6), (
    f"the gradient of x has shape {np.shape(grad_x)}, not that of x: add up what the three paths send")
check_numbers(np.asarray(grad_x)[0, :2], first_two_grad, backward_mistakes, where="for the first two tokens")
layer.forward(x.copy())
check_numbers(np.asarray(layer.backward(G.copy()))[0, :2], first_two_grad, {
    "the gradient of x has grown: only parameters collect theirs": 2 * np.array(first_two_grad)},
    where="in a second round, for the gradient of x")
check_numbers(np.asarray(layer.forward(*copies(x, tiny_mask)))[0, :2], first_two_masked, mask_mistakes,
              where="in forward, with a mask")
grad_x = layer.backward(G.copy())
measured = measured_gradient(lambda x: (G * layer(x, tiny_mask.copy())).sum(), x, grad_x)
check_numbers(grad_x, measured, backward_mask_mistakes, "with a mask, for the measured gradient of x", 1e-5)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(561)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = known_numbers(embed, rng), (batch, seq, embed)
    layer = known_layer(known, heads)
    leaves = {n: [torch.tensor(a, requires_grad=True) for a in known[n]] for n in projections}
    blocked = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    blocked[..., 1] = 0
    mask = [None, None, blocked[0], blocked][masked]
    for _ in range(2):
        x, G = rng.normal(size=shape), rng.normal(size=shape)
        given, leaf = copies(x, G), torch.tensor(x, requires_grad=True)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        theirs = None if mask is None else torch.tensor(mask if masked == 2 else mask[:, None])
        merged = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=theirs)
        out = merged.transpose(1, 2).flatten(2) @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        layer(given[0], None if mask is None else mask.copy())
        check_numbers(layer.backward(given[1]), leaf.grad.numpy(), tolerance=1e-6,
                      where="on a larger random input, for the gradient of x", sizes=f"with {heads} heads ")
        assert same(given, (x, G)), "on a larger random input, an input is changed"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the gradient of each parameter (3 points).** All numbers of a parameter are moved a little, and the change of the loss is compared with what your `.grad` says, once without and once with a mask. If they disagree, each of its numbers is moved by itself: two losses for each, 336 for all 168.

# %% nbgrader={"grade": false, "grade_id": "check-parameter-gradients", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_parameter_gradients(layer, known, x, G, mask):
    """Compare each .grad with finite differences, once and after a second backward."""
    def forward():
        return np.asarray(layer.forward(x.copy(), None if mask is None else mask.copy()))

    check_numbers(forward()[0, :2], first_two if mask is None else first_two_masked, where="in forward")
    layer.backward(G.copy())
    named = [(f"{name}.{kind}", getattr(getattr(layer, name), kind)) for name in projections[::-1]
             for kind in ("weight", "bias")]
    for name, parameter in named:
        layer_name, kind = name.split(".")
        by_rule, numbers = np.array(parameter.grad, dtype=float), known[layer_name][kind == "bias"]
        measured = measured_gradient(loss_of(parameter, forward, G), numbers, by_rule)
        parameter.data = numbers.copy()
        assert name == "k_proj.bias" or by_rule.any(), f"no gradient arrives at {name}: call its backward"
        check_numbers(by_rule, measured, tolerance=1e-5, where=f"for {name}, measured by finite "
                      f"differences{'' if mask is None else ' with a mask'}")
    first = [np.array(parameter.grad) for _, parameter in named]
    forward()
    layer.backward(G.copy())
    for (name, parameter), once in zip(named, first):
        assert name == "k_proj.bias" or not np.allclose(parameter.grad, once), (
            f"{name}.grad is overwritten: a second backward must add to what is there")
        check_numbers(parameter.grad, 2 * once, where=f"for {name} after two rounds", tolerance=1e-6)


# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-parameters-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check_value_error(7, 3)
x, G = fixed(2, 5, 6, start=3), fixed(2, 5, 6, start=1)
for mask in (None, tiny_mask):
    layer = known_layer(known_numbers())
    check_parameter_gradients(layer, known_numbers(), x, G, mask)
found = all_parameters(layer)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(562)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = known_numbers(embed, rng), (batch, seq, embed)
    if masked == 3:
        known["q_proj"][0] = 900 * known["q_proj"][0]
    layer = known_layer(known, heads)
    leaves = {n: [torch.tensor(a, requires_grad=True) for a in known[n]] for n in projections}
    blocked = np.where(rng.random((batch, seq, seq)) < 0.4, -np.inf, 0.0)
    blocked[..., 1] = 0
    mask = [None, None, blocked[0], blocked][masked]
    for _ in range(2):
        x, G = np.round(64 * rng.normal(size=(2, *shape))) / 64
        leaf = torch.tensor(x)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        theirs = None if mask is None else torch.tensor(mask if masked == 2 else mask[:, None])
        merged = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=theirs)
        out = merged.transpose(1, 2).flatten(2) @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        with np.errstate(all="ignore"):
            layer(x.copy(), None if mask is None else mask.copy())
            layer.backward(G.copy())
    for index, parameter in enumerate(all_parameters(layer)):
        name, kind = projections[index // 2], ("weight", "bias")[index % 2]
        check_numbers(parameter.grad, leaves[name][index % 2].grad.numpy(), tolerance=1e-6,
                      where=f"on a larger random input, for {name}.{kind}.grad")
check_value_error(10, 4)
### END HIDDEN TESTS

# %% [markdown]
# One parameter in that test was special. Predict: which of the eight parameters always gets a gradient of 0, up to rounding? (Lesson 02 met it.)

# %% tags=["demonstration"]
rng = np.random.default_rng(56)
layer = MultiHeadAttention(6, 3, rng)
layer.forward(rng.normal(size=(2, 5, 6)))
layer.backward(rng.normal(size=(2, 5, 6)))
for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
    part = getattr(layer, name)
    print(f"{name:9} weight {np.abs(part.weight.grad).max():.0e}   bias {np.abs(part.bias.grad).max():.0e}")


# %% [markdown]
# The bias of the keys adds the same number to all scores of a query, and softmax doesn't see that. So it can't matter, and its gradient is 0. A gradient by hand that gave anything else there would be wrong.

# %% [markdown]
# ## It learns: looking things up
#
# Now the layer gets a task. Five tokens stand in a row. Each carries three things: its own **name** (A to E, each once), the name that it **wants**, and a **note** of two numbers, each +1 or −1. The answer for each token is the note of the token whose name it wants.
#
# Nobody can answer this from one token alone. Names, wishes and notes are drawn anew for each sequence, so there is nothing to learn by heart. A layer has to compare wishes with names. That is a query, a key and a value.
#
# | numbers of `x[b, t]` | meaning |
# |---|---|
# | 0 to 4 | own name, one-hot |
# | 5 to 9 | wanted name, one-hot |
# | 10 and 11 | the note |

# %% nbgrader={"grade": false, "grade_id": "lookup-task", "locked": true, "schema_version": 3, "solution": false, "task": false}
def lookup_batch(rng, batch, tokens=5):
    """Returns (x, answers, names, wanted) for `batch` sequences of the task."""
    names = np.array([rng.permutation(tokens) for _ in range(batch)])
    wanted = rng.integers(tokens, size=(batch, tokens))
    notes = rng.choice([-1.0, 1.0], size=(batch, tokens, 2))
    one_hot = np.eye(tokens)
    x = np.concatenate([one_hot[names], one_hot[wanted], notes], axis=-1)
    place = np.take_along_axis(np.argsort(names, axis=1), wanted, axis=1)
    return x, np.take_along_axis(notes, place[..., None], axis=1), names, wanted


# %% tags=["demonstration"]
example, notes, example_names, example_wanted = lookup_batch(np.random.default_rng(19), 1)
for t in range(5):
    print(f"token {t}: I am {'ABCDE'[example_names[0, t]]}, my note is {example[0, t, 10:]}, "
          f"I want {'ABCDE'[example_wanted[0, t]]}: answer {notes[0, t]}")


# %% [markdown]
# The layer's output has 12 numbers per token. The last two are its answer, the other ten are free. The loss is the mean squared error of the answers. Compare yours with three values:
#
# | loss | who gets it |
# |---|---|
# | 1 | always says 0 |
# | 0.8 | always says the mean of the five notes: $1 - 1/5$, the best that **even** weights can do |
# | below 0.01 | your layer, after 600 steps |
#
# Even weights give all five tokens the same output, made from the mean of the five. So, but for the luck of a batch, 0.8 can't be crossed without attention that differs from query to query.

# %% nbgrader={"grade": false, "grade_id": "loss-and-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_and_gradient(output, answers):
    """Mean squared error of the last two numbers, and its gradient for the whole output."""
    output = np.asarray(output)
    error = output[..., -2:] - answers
    gradient = np.zeros_like(output)
    gradient[..., -2:] = 2 * error / error.size
    return np.mean(error**2), gradient


# %% [markdown]
# For the pictures we need the weights. Your layer gives back only its output, so the next function computes them from the parameters of `q_proj` and `k_proj`, head by head.

# %% nbgrader={"grade": false, "grade_id": "weights-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of(layer, x, num_heads):
    """The attention weights of one sequence x (seq, embed_dim): (num_heads, seq, seq)."""
    Q, K = (x @ part.weight.data + part.bias.data for part in (layer.q_proj, layer.k_proj))
    Q, K = (np.stack(np.split(a, num_heads, axis=-1)) for a in (Q, K))
    return softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]))


# %% [markdown]
# Predict before you run it: will the loss fall evenly, or in a step? The training takes a second or two. Each step draws 64 new sequences out of 384 million, so the layer hardly ever sees one twice.

# %% tags=["demonstration"]
rng = np.random.default_rng(505)
layer = MultiHeadAttention(12, 2, rng)
losses, snapshots = [], {}
for step in range(601):
    if step in (0, 100, 600):
        snapshots[step] = weights_of(layer, example[0], 2)
    x, answers, _, _ = lookup_batch(rng, 64)
    loss, gradient = loss_and_gradient(layer(x), answers)
    layer.backward(gradient)
    sgd_step(layer.parameters(), rate=0.5)
    zero_grad(layer.parameters())
    losses.append(loss)

# %% tags=["demonstration"]
print(f"loss of the untrained layer {losses[0]:.2f}, of the last 20 steps {np.mean(losses[-20:]):.4f}")
fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.semilogy(losses)
ax.axhline(0.8, color="k", linestyle=":", label="0.8: best with even weights")
ax.axhline(0.01, color="C1", linestyle="--", label="0.01: a right layer ends below")
ax.set(xlabel="step", ylabel="loss")
ax.legend()
plt.show()


# %% [markdown]
# So neither: a plateau, then a slide, then a long tail. In our run the loss starts at 1.12, is about 0.79 around step 25, 0.71 around 50, 0.26 around 100, 0.02 around 150, and ends at 0.0006. If your layer draws its numbers in another order, the slide may come somewhat earlier or later.
#
# At first the weights are nearly even, and blurred values teach them little. As they begin to differ, the values that arrive become clearer, and this tells the weights more. So it goes faster and faster, until there is little left to learn.

# %% nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def draw_weights(weights, queries, keys, ax, marked):
    """A heatmap as in lesson 01: queries down, keys across, colours from 0 to 1, some cells framed."""
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    ax.set(xlabel="key", ylabel="query", xticks=range(len(keys)), xticklabels=keys,
           yticks=range(len(queries)), yticklabels=queries)
    for (i, j), weight in np.ndenumerate(weights):
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=8,
                color="black" if weight > 0.6 else "white")
        if marked[i, j]:
            ax.add_patch(plt.Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor="white"))


# %% [markdown]
# And here is what it has learned, for one new sequence: before, midway and after. A row reads *C wants B*: the query. The wanted key is framed. Two tokens want the same, and one wants itself.

# %% tags=["demonstration"]
keys = ["ABCDE"[name] for name in example_names[0]]
queries = [f"{own} wants {'ABCDE'[name]}" for own, name in zip(keys, example_wanted[0])]
fig, axes = plt.subplots(2, 3, figsize=(10.5, 6.6), layout="constrained")
for column, (step, weights) in enumerate(snapshots.items()):
    for head in range(2):
        draw_weights(weights[head], queries, keys, axes[head, column],
                     example_wanted[0][:, None] == example_names[0])
        axes[head, column].set_title(f"head {head}, after {step} steps")
plt.show()

# %% tags=["demonstration"]
x, answers, names, wanted = lookup_batch(np.random.default_rng(1), 200)
asked = wanted[:, :, None] == names[:, None, :]
weights = np.stack([weights_of(layer, sequence, 2) for sequence in x], axis=1)
for head in range(2):
    part = slice(6 * head, 6 * head + 6)
    way = np.asarray(layer.v_proj.weight.data)[10:, part] @ np.asarray(layer.out_proj.weight.data)[part, 10:]
    on, off = weights[head][asked].mean(), weights[head][~asked].mean()
    print(f"head {head}: on the wanted token {on:.2f}, on each other {off:.2f}, "
          f"a note is multiplied by {np.diag(way).mean():.2f}")

# %% [markdown]
# In our run, head 1 does the looking up, with 0.79 on the wanted token and 0.05 on each other. Head 0 has stayed nearly even, with 0.23 and 0.19. (In yours they may have changed places, with other numbers.) How can the answer be nearly exact with 0.79?
#
# On its way through `v_proj` and `out_proj`, a note that comes by head 1 is multiplied by 1.37, and one by head 0 by −0.37. So the wanted note arrives with $1.37 \cdot 0.79 - 0.37 \cdot 0.23 \approx 1$, each other one with $1.37 \cdot 0.05 - 0.37 \cdot 0.19 \approx 0$. One head looks, the other takes away the blur. A heatmap alone doesn't tell you that. Check it with your own numbers.

# %% [markdown]
# ## Does a falling loss prove that the gradient is right?
#
# Predict: which of these mistakes in `backward` would you notice from the loss alone? We trained wrong layers in the same way, with the same numbers:
#
# | mistake | mean loss of the last 20 steps, our run |
# |---|---|
# | none | 0.0006 |
# | `dQ` and `dK` changed places | 0.97 |
# | scores' gradient transposed on the wrong side | 0.88 |
# | heads' gradients put together by a bare reshape | 0.34 |
# | `dV` with untransposed weights | 0.025 |
# | softmax's sum term forgotten | 0.0006 |
# | scale forgotten on the way back | 0.0002 |
# | one of the three paths into `x` forgotten | 0.0006 |
#
# The swap, the wrong transpose and the bare reshape fail visibly. The untransposed `dV` misses 0.01 here, but with other random numbers it passes now and then. The last three can't be told from a right layer. A forgotten scale is even faster: here it only makes the steps of `q_proj` and `k_proj` larger. And a forgotten path changes nothing at all, because no layer stands before this one to use the gradient of `x`. In a deep model every layer below would get a wrong one.
#
# So a falling loss proves little about a gradient. A check by differences does.

# %% [markdown] nbgrader={"grade": false, "grade_id": "blending-is-no-gradient", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 5.7 In your own words: a shortcut that isn't one
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# Some course code has no `backward` for attention. Instead, its forward pass returns
#
# `output = attention(Q, K, V) + 0.0001 * (Q + K + V)`
#
# and the comment says: *blend in a little of Q, K and V to keep gradients flowing*. Backward sends back only the blended part, and treats the attention part as a constant.
#
# 1. Is what arrives at `Q` the gradient of the loss? Say what it is the gradient of, and what a check by finite differences would show.
# 2. What will such a layer not learn? And what would you do instead, if gradients really are too small?
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what it is: a gradient is fixed by the function, it says how the loss changes if Q changes. Here the loss depends on Q almost only through softmax(QKᵀ/√d_k)V, and that part is left out. What arrives is 0.0001 times the output's gradient, the same for Q, K and V: the gradient of another function, 0.0001·(Q + K + V) alone. Finite differences would disagree with it (they'd find dS·K/√d_k plus the small term). The blend also changes the output, if only a little, so even the forward pass is no longer attention. Half a point for “it is not the derivative of the function” without saying of what it is one.
#
# **1 point** for the consequence and the remedy: the weights never learn whom to look at, because nothing of what comes back depends on the scores, the keys or on which key was right; a loss that falls does so through other layers. (Trained on the lookup task in this way, our layer ends at 0.81: no better than even weights.) Remedies that are honest: the real backward pass (5.4); the scale √d_k and a sensible start, so that softmax does not saturate; a residual connection x + attention(x), which is part of the model, in forward *and* backward. Half a point for only one of the two, consequence or remedy.
#
# **Half right (1 point of 2):** “The gradient is not zero any more, but it is wrong, so training is worse.” True, without what it is the gradient of or what would show it.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you have built
#
# You have a multi-head attention layer that learns, and every number of its gradient is yours: the softmax's Jacobian product, the gradients of queries, keys, values and weights, the way back through splitting and combining heads, sums over paths and over tokens. You checked it by a second route that needs no theory. And you saw it find, from nothing but a loss, that a wish has to be compared with a name.
#
# What PyTorch's autograd does is the same, rule by rule, for any formula. You'll trust it more, and know where to look when it surprises you.
#
# ### Three questions to think about
#
# 1. `forward` keeps the weights for the way back: `batch · heads · seq²` numbers. Could `backward` do without them, and what would that cost?
# 2. In the lookup task, why does the layer need `q_proj` and `k_proj` to be different? What could it not express with one matrix for both?
# 3. Suppose a token wants *two* names, and the answer is the sum of both notes. What would two heads do? Could one head do it?
#
# ### References
#
# - David E. Rumelhart, Geoffrey E. Hinton, Ronald J. Williams: *Learning Representations by Back-propagating Errors*, 1986.
# - Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. The scale that the weights start with.
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Atılım Güneş Baydin, Barak A. Pearlmutter, Alexey Andreyevich Radul, Jeffrey Mark Siskind: *Automatic Differentiation in Machine Learning: a Survey*, 2018.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapters 7 and 12.
