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
# *Attention, Graded · lesson 05 · NumPy, forward and backward; torch only in one check, for those who have it · about 200 minutes · 27 points*
#
# So far somebody else chose the weight matrices. In this lesson a layer finds its own. For that it needs the gradient: for every number in it, how fast the loss changes as this number grows.
#
# Most courses leave this to a library, at the very place where it gets interesting. Here the gradient of attention is derived by hand, rule by rule. You write it in NumPy, and check it against differences that you can measure. At the end your layer learns to look things up, and you watch the attention weights of one head move from blurred to pointed.

# %% [markdown]
# <details><summary><b>How to work through this notebook</b></summary>
#
# Work from top to bottom and run every cell, including the collapsed ones: click a cell, then press **Shift+Enter**. Each exercise has an explanation, a cell for your code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. If nothing is printed, the test passed.
#
# If a test fails, read the last line of its output first: it says what to do, or where to look. The lines above it show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# In a test cell, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Question 5.7 is answered in words and read by a person. Exercises 5.1 to 5.3 don't depend on each other. In 5.4 you may use 5.3. 5.5 and 5.6 use your `Linear` of 5.1, and 5.6 may use 5.4. Cells that draw or print call your code, so they fail, or show wrong results, until it works. The 200 minutes include reading and demonstrations.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `(batch, seq, embed_dim)`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `weights[..., i, j]` belongs to **query `i`** and **key `j`** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weight matrices** | a `Linear` holds `weight` `(in, out)` and `bias` `(out,)`, and computes `x @ weight + bias`: not transposed, unlike PyTorch's |
# | **Heads** | `embed_dim = num_heads · d_k`; head `h` owns the numbers `h·d_k … (h+1)·d_k − 1` of every token |
# | **Masks are added** | a mask holds 0 (keep) and −∞ (block), shape `(seq, seq)` or `(batch, seq, seq)`; every query keeps at least one key |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **A gradient has the shape of its array** | `grad_Q` is $\partial L/\partial Q$, as large as `Q`; the loss $L$ is a single number |
#
# </details>

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "messages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## Given: a parameter and a step
#
# A **parameter** is an array that is learned. It carries its gradient with it, in `.grad`, which starts at 0. The **step** of gradient descent moves each parameter a little against its gradient. Afterwards `zero_grad` sets the gradients back to 0.
#
# Each step replaces `.data` by a new array. So always read `weight.data` when you need it, and don't store a reference to it.
#
# A layer returns an array, not a loss. So its `backward` gets `grad_output`: $\partial L/\partial\,\text{output}$, which comes from whatever follows the layer.

# %% nbgrader={"grade": false, "grade_id": "parameter", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Parameter:
    """An array that is learned (.data), and the gradient of the loss for it (.grad)."""

    def __init__(self, data):
        self.data = np.array(data, dtype=float)
        self.grad = np.zeros_like(self.data)


# %% nbgrader={"grade": false, "grade_id": "step", "locked": true, "schema_version": 3, "solution": false, "task": false}
def zero_grad(parameters):
    """Set the gradients back to 0."""
    for parameter in parameters:
        parameter.grad = np.zeros_like(parameter.data)


def sgd_step(parameters, rate):
    """One step of stochastic gradient descent."""
    for parameter in parameters:
        parameter.data = parameter.data - rate * parameter.grad


# %% [markdown]
# ## 5.1 A linear layer, forward and backward
#
# **4 points · about 25 minutes · difficulty ●●○**
#
# The layer multiplies each token by the same `weight` and adds the same `bias`. Take one token: its input $x$, its output $y = xW + b$, and $g = \partial L/\partial y$ are **rows**. Number by number, with the chain rule:
#
# $$y_o = \sum_i x_i W_{io} + b_o \quad\Rightarrow\quad \frac{\partial L}{\partial x_i} = \sum_o g_o W_{io} \qquad \frac{\partial L}{\partial W_{io}} = x_i\, g_o \qquad \frac{\partial L}{\partial b_o} = g_o$$
#
# $x_i$ is in every $y_o$, hence the sum; $W_{io}$ and $b_o$ are in one only. As matrices, where $x^\top g$ is a column times a row, so in × out:
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
# What you add to `.grad` has another shape than the parameter. Probably it still has an axis for the batch or for the sequence: sum over both.
# </details>
#
# <details><summary>I get “does not have enough dimensions”, “unsupported operand”, or “'Parameter' object has no attribute 'T'”</summary>
#
# `self.weight` is a `Parameter`, which only holds an array. The array is `self.weight.data`.
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
# **Test 1 of 2: how it starts, and forward (1 point).**

# %% nbgrader={"grade": true, "grade_id": "linear-forward-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("linear", parameters="")
check("linear", "a new layer, from 300 to 100", check_linear_start, 300, 100)
returns("linear", output="sequence token feature")
check("linear", "forward of two sequences", linear_forward,
      example_array(5, 4), example_array(4, start=6), example_array(2, 3, 5, start=2))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(511)
twin = Linear(300, 100, np.random.default_rng(51))
start = np.array(twin.weight.data)
assert np.allclose(twin.forward(np.eye(300)[None])[0], start), "forward doesn't use what weight.data holds"
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    x, weight = np.round(64 * rng.normal(size=(batch, seq, inputs))) / 64, rng.normal(size=(inputs, outputs))
    bias, given = rng.normal(size=outputs), x.copy()
    expected = [[[math.fsum(v * w for v, w in zip(token, column)) + b for column, b in
                  zip(weight.T, bias)] for token in s] for s in x]
    check_numbers(linear_with_weights(weight, bias).forward(given), expected, "on a larger random input")
    assert np.array_equal(given, x), "on a larger random input, forward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: backward (3 points).** Two sequences of three tokens, so that a sum over only one of the two axes shows; then a second round, with three sequences of two.

# %% nbgrader={"grade": true, "grade_id": "linear-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("linear", grad_x="sequence token in", weight_grad="in out", bias_grad="out")
numbers = example_array(5, 4), example_array(4, start=6)
first = example_array(2, 3, 5, start=2), example_array(2, 3, 4, start=9)
check("linear", "one round", linear_gradients, *numbers, *first)
check("linear", "two rounds", linear_gradients, *numbers, *first, example_array(3, 2, 5), example_array(3, 2, 4, start=4))
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(512)
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2)]:
    weight, bias = rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)
    layer, sums = linear_with_weights(weight, bias), [0, 0]
    for _ in range(3):
        x, G = rng.normal(size=(batch, seq, inputs)).round(2), rng.normal(size=(batch, seq, outputs))
        leaves = [torch.tensor(a, requires_grad=True) for a in (x, weight, bias)]
        by_torch = torch.autograd.grad((leaves[0] @ leaves[1] + leaves[2]), leaves, torch.tensor(G))
        sums = [old + new.numpy() for old, new in zip(sums, by_torch[1:])]
        given = copies(x, G)
        layer.forward(given[0])
        check_numbers(layer.backward(given[1]), by_torch[0].numpy(), tolerance=1e-5,
                      where="on a larger random input, for the gradient of x")
        check_unchanged(given, (x, G), "on a larger random input, backward changed its input")
    for name, total in zip(("weight", "bias"), sums):
        check_numbers(getattr(layer, name).grad, total, tolerance=1e-5,
                      where=f"on a larger random input, for {name}.grad after three rounds")
### END HIDDEN TESTS

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
    # With a larger step the loss bends on the way; a much smaller one is lost in rounding.
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
# A layer has no loss of its own, only the `grad_output` that it is given. To measure with any such `G`, use the loss $L = \sum G \cdot \text{output}$, entry by entry: its gradient for the output is exactly `G`.
#
# The next cell makes this loss a function of the numbers in one parameter.

# %% nbgrader={"grade": false, "grade_id": "loss-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_of(parameter, output, G):
    """The loss sum(G * output()) as a function of the numbers in `parameter`; the last ones tried stay there."""
    def loss(numbers):
        parameter.data = numbers
        return (G * output()).sum()
    return loss


# %% [markdown]
# Now measure all three gradients of your `Linear`. Predict how large the gap between rule and measurement will be, then run it.

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
# This loss is linear in each number, so the measurement is exact but for rounding. Errors of about $10^{-16}$ in the loss are divided by $2\varepsilon = 2.4\cdot10^{-4}$: hence some $10^{-12}$. Through softmax, in 5.4, the loss will bend on the way.

# %% [markdown]
# From here on you need softmax. It is given, as you wrote it in lesson 01, so that you can think about gradients.

# %% nbgrader={"grade": false, "grade_id": "given-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
def softmax(scores):
    """Shares that sum to 1 along the last axis, as you wrote it in lesson 01."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


# %% [markdown]
# ## 5.2 Attention in loops, and what it costs
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# Before you take attention apart, write it once more so plainly that nothing can hide: for each sequence, each query and each key, one scaled score. Softmax over the keys, then the weighted sum of the values. In 5.5 these loops judge your fast layer.
#
# $$w_{ij} = \mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}} + \mathrm{mask}_{ij}\right) \qquad o_i = \sum_j w_{ij}\, v_j$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `Q`, `K`, `V` | `(batch, n_q, d_k)`, `(batch, n_k, d_k)`, `(batch, n_k, d_v)` |
# | mask, if given | added to the scaled scores | `(n_q, n_k)` or `(batch, n_q, n_k)` |
# | attention weights | softmax over the keys | `(batch, n_q, n_k)` |
# | output | sum of attention weights times values | `(batch, n_q, d_v)` |
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
    mask: None, (n_q, n_k) or (batch, n_q, n_k): 0 and -inf, added to the scaled scores.
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
# The test uses two sequences of three queries and four keys, a mask for each, and scores near ±1000.

# %% nbgrader={"grade": true, "grade_id": "attention-loops-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("attention-loops", output="sequence query value", weights="sequence query key")
small = small_Q, small_K, small_V
check("attention-loops", "two sequences, no mask", attention_loops, *small)
check("attention-loops", "with a mask for each sequence", loops_with_mask, *small, small_masks)
check("attention-loops", "with one mask for all sequences", loops_with_mask, *small, small_masks[0])
extreme = extreme_Q, extreme_K, extreme_V
check("attention-loops", "with scores of ±1000", attention_loops, *extreme)
check("attention-loops", "with scores of ±1000 and a mask", attention_loops, *extreme, mask=extreme_mask)
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
        check_unchanged(given, (Q, K, V), "attention_loops changed its input")
### END HIDDEN TESTS

# %% [markdown]
# Count what it does. One score takes $d_k$ multiplications, each with its addition: $d_k$ **multiply-adds**. Weighting one value takes $d_v$. How many pairs of a query and a key are there, in `batch` sequences whose queries and keys are the same `seq_len` tokens? Softmax, scale and mask don't count here.
#
# Write the count as a function. It needs no loop.

# %% nbgrader={"grade": false, "grade_id": "multiply-adds", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output, for seq_len queries and keys: an integer."""
    ### BEGIN SOLUTION
    return batch * seq_len**2 * (d_k + d_v)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "multiply-adds-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("multiply-adds", count="")
check("multiply-adds", "5 sequences of 6 tokens, d_k 4, d_v 7", multiply_adds, 5, 6, 4, 7)
### BEGIN HIDDEN TESTS
for batch, seq_len, d_k, d_v in [(1, 1, 1, 1), (3, 10, 4, 6), (5, 7, 2, 9), (2, 4, 8, 3)]:
    slow = sum(d_k + d_v for _ in np.ndindex(batch, seq_len, seq_len))
    check_numbers(multiply_adds(batch, seq_len, d_k, d_v), slow, where="for other sizes", tolerance=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# With twice as many tokens the work grows by a factor of 4. Predict: does the time of your loops grow by more, or by less?

# %% tags=["demonstration"]
rng = np.random.default_rng(52)
sizes, seconds = [8, 16, 32, 64], []
for n in sizes:
    Q, K, V = rng.normal(size=(3, 1, n, 8))
    trials = []
    for _ in range(20):
        begin = time.perf_counter()
        attention_loops(Q, K, V)
        trials.append(time.perf_counter() - begin)
    seconds.append(min(trials))  # the one that was disturbed least
    factor = f", {seconds[-1] / seconds[-2]:.1f} times the one before" if n > 8 else ""
    print(f"{n:2} tokens: {multiply_adds(1, n, 8, 8):5} multiply-adds, {1000 * seconds[-1]:5.2f} ms{factor}")

# %% alt="The measured time of the loops for 8, 16, 32 and 64 tokens on two logarithmic axes, dots on a solid line, runs close to a dotted line that grows in step with the count of multiply-adds: four times for twice the tokens." tags=["demonstration"]
per_step = seconds[-1] / multiply_adds(1, 64, 8, 8)
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.loglog(sizes, [1000 * one for one in seconds], "o-", label="your loops")
ax.loglog(sizes, [1000 * per_step * multiply_adds(1, n, 8, 8) for n in sizes], ":", label="4 times for each doubling")
ax.set_xticks(sizes, labels=sizes)
ax.set_xticks([], minor=True)
ax.set(xlabel="tokens", ylabel="milliseconds")
ax.legend()
plt.show()

# %% [markdown]
# On a quiet machine (beside other work yours may be far off) we measured factors of 3.4, 3.7 and 3.8: some work, such as a softmax, is done once for each query, and that only doubles. (Both axes are logarithmic; the dotted line goes through your last dot.) Backward will cost about twice as much as forward: two products for each product that there was.

# %% [markdown]
# ## The way back through attention
#
# One head of self-attention is a small graph, drawn here for one sequence and with $d_v = d_k$: each step takes what others made. Forwards, an arrow carries an array to the step that needs it. Backwards, every arrow is run in the other direction and carries a gradient. **From here on $W$ stands for the attention weights**, no longer for a `weight` matrix, and $dA$ is short for $\partial L/\partial A$: an array with the shape of $A$.

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture below: run it, no need to read it.
graph_places = {"x": (0, 1), "Q": (3.1, 2), "K": (3.1, 1), "V": (3.1, 0), "S": (5.5, 1.5),
                "W": (8.5, 1.5), "O": (10.9, 0.75), "out": (14.2, 0.75), "L": (17.2, 0.75)}
graph_shapes = ["(seq, embed_dim)", "(seq, d_k)", "(seq, d_k)", "(seq, d_k)", "(seq, seq)", "(seq, seq)",
                "(seq, d_k)", "(seq, embed_dim)", "one number"]
graph_steps = {("x", "Q"): "q_proj", ("x", "K"): "k_proj", ("x", "V"): "v_proj", ("Q", "S"): "",
               ("K", "S"): "", ("S", "W"): "", ("W", "O"): "", ("V", "O"): "",
               ("O", "out"): "out_proj", ("out", "L"): "loss"}


def draw_graph(ax, names, steps, back, box, ink):
    """A box with a shape for each name, an arrow for each step; if `back`, it is turned round."""
    line, tip = ("--", "->") if back else ("-", "-|>")
    half = {name: {"x": 1.15, "out": 1.15, "S": 1, "W": 1}.get(name, 0.8) for name in graph_places}
    for (place, (across, up)), name, shape in zip(graph_places.items(), names, graph_shapes):
        ax.add_patch(plt.Rectangle((across - half[place], up - 0.31), 2 * half[place], 0.62,
                                   facecolor=box, edgecolor=ink, linestyle=line))
        ax.text(across, up, f"{name}\n{shape}", ha="center", va="center", fontsize=8.5)
    style = {"arrowstyle": tip, "linestyle": line, "color": ink,
             "mutation_scale": 16, "shrinkA": 0, "shrinkB": 0}
    for (first, second), label in steps.items():
        start = np.add(graph_places[first], (half[first], 0))
        end = np.subtract(graph_places[second], (half[second], 0))
        xy, xytext = (start, end) if back else (end, start)
        ax.annotate("", xy, xytext, arrowprops=style)
        if label:
            level = start[1] == end[1]  # then the label stands above the arrow
            ax.text(*(start + end) / 2 + [0, 0.13 * level], label, ha="center", va="center", fontsize=8.5,
                    bbox=None if level else {"boxstyle": "square,pad=0.1", "color": "white"})
    ax.set(xlim=(-1.2, 18.1), ylim=(-0.4, 2.4))
    ax.set_axis_off()


# %% alt="Two drawings of the same graph: above, solid arrows run from x to Q, K and V, from Q and K to the scores S, on to the attention weights W, from W and V to the head's output O, through out_proj to out, and through the loss to one number, L; below, dashed arrows with open tips run all ways back, and where three of them arrive, at dx, they add up." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
fig, axes = plt.subplots(2, 1, figsize=(10, 6), layout="constrained")
draw_graph(axes[0], ["x", "Q", "K", "V", "S = QKᵀ/√d_k", "W = softmax(S)", "O = WV", "out", "L"],
           graph_steps, False, "#e8f1fa", "#1b4f8a")
axes[0].set_title("forwards: solid arrows, full tips", loc="left", fontsize=11)
back_steps = ["5.1", "5.1", "5.1", "5.4", "5.4", "5.3", "5.4", "5.4", "5.1", "given"]
draw_graph(axes[1], ["dx", "dQ", "dK", "dV", "dS", "dW", "dO", "dout", "L"],
           dict(zip(graph_steps, back_steps)), True, "#fdf1e3", "#a04a00")
axes[1].text(0, 0.4, "three arrive,\nand add up: 5.6", ha="center", va="center", fontsize=9)
axes[1].set_title("backwards: dashed arrows, open tips, and the exercise where you write the step",
                  loc="left", fontsize=11)
plt.show()


# %% [markdown]
# At `x` the way forwards forks into three, so backwards three gradients arrive, and **they add up**. $dO$ and $dS$ each go two ways, since two arrays made $O$, and two made $S$. Each step has its own rule. The only one that isn't a plain matrix product is the softmax, so we begin there.

# %% [markdown]
# ## 5.3 Back through softmax
#
# **3 points · about 15 minutes · difficulty ●●○**
#
# In one row, softmax turns scores $s$ into attention weights $w$. All weights share a sum, so each score moves **every** weight of its row. Differentiate $w_i = e^{s_i}/Z$ with $Z = \sum_m e^{s_m}$ by $s_j$. The derivative of $Z$ is $e^{s_j}$, and the quotient rule has two cases:
#
# $$i = j:\quad \frac{e^{s_i} Z - e^{s_i} e^{s_i}}{Z^2} = w_i\,(1 - w_i)$$
#
# $$i \neq j:\quad \frac{0 \cdot Z - e^{s_i} e^{s_j}}{Z^2} = w_i\,(0 - w_j)$$
#
# In one line:
#
# $$\frac{\partial w_i}{\partial s_j} = w_i\,(\delta_{ij} - w_j) \qquad\text{with } \delta_{ij} = 1 \text{ if } i = j \text{, else } 0$$
#
# This table of derivatives is the **Jacobian**. With $g_i = \partial L/\partial w_i$ the chain rule sums over all weights that $s_j$ moves:
#
# $$\frac{\partial L}{\partial s_j} = \sum_i g_i\, w_i\,(\delta_{ij} - w_j) = g_j\, w_j - w_j \sum_i g_i\, w_i = w_j\Big(g_j - \sum_i w_i\, g_i\Big)$$
#
# The last form needs no Jacobian. Read it as a sentence: a larger score means a larger loss if its key's gradient is above the **average** gradient of the row. The average is taken with the weights themselves. (A step goes against the gradient, so it lowers such a score.)
#
# | operation | expression | shape |
# |---|---|---|
# | average of each row | $\sum_i w_i g_i$ | the last axis has length 1 |
# | gradient of the scores | weights times (gradient minus average) | like `weights` |
#
# Neither input is changed: what comes back is a new array.
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
    Returns a new array of the same shape. No Jacobian is built, and no input is changed.
    """
    ### BEGIN SOLUTION
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - average)
    ### END SOLUTION


# %% [markdown]
# In the weights that the test begins with, one key is blocked, so its weight is 0.

# %% nbgrader={"grade": true, "grade_id": "softmax-backward-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("softmax-backward", grad_scores="sequence head query key")
check("softmax-backward", "two sequences, three heads", softmax_backward_of_rows, tiny_weights, tiny_incoming)
returns("softmax-backward", grad_scores="query key")
shares, incoming = np.array([[0.25, 0.25, 0.5], [0, 0.5, 0.5]]), np.array([[4.0, 0, 6], [8, 0, -4]])
check("softmax-backward", "two rows", softmax_backward_of_rows, shares, incoming)
returns("softmax-backward", grad_scores="key")
check("softmax-backward", "one row", softmax_backward, shares[0], incoming[0])
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
    check_unchanged(given, (shares, incoming), "on a larger random input, the input is changed")
### END HIDDEN TESTS

# %% [markdown]
# If all $g_i$ of a row are equal, their average is that number, and every score gets 0: the weights sum to 1 whatever the scores do, so the loss notices nothing.
#
# Now the same gradient by two other routes: with the whole Jacobian, and measured. The Jacobian of *one* row of $n$ weights has $n^2$ entries, which your formula never needs.

# %% tags=["demonstration"]
rng = np.random.default_rng(53)
scores, g = rng.normal(size=4), rng.normal(size=4)
w = softmax(scores)
jacobian = np.diag(w) - np.outer(w, w)
print("your formula ", np.round(softmax_backward(w, g), 6))
print("full Jacobian", np.round(jacobian @ g, 6))
print("measured     ", np.round(numerical_gradient(lambda s: (g * softmax(s)).sum(), scores), 6))

# %% [markdown]
# Where is the gradient large? Below, one of two keys gets the attention weight $w$, and the gradients for the two weights are 1 and 0. In the middle, a change of the score moves the weights most. Where the weight is near 0 or 1, nearly nothing comes through, however wrong the choice is. The scale $1/\sqrt{d_k}$ of lesson 01 keeps the start away from there.

# %% alt="The gradient of a key's score against its attention weight w is an arch: 0 at w = 0 and at w = 1, and highest, 0.25, at w = 0.5." tags=["demonstration"]
w = np.linspace(0, 1, 101)
pairs = np.stack([w, 1 - w], axis=-1)
through = np.asarray(softmax_backward(pairs, np.array([1.0, 0.0]) + 0 * pairs))[:, 0]
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(w, through)
ax.set(xlabel="attention weight w of the key", ylabel="gradient of its score", title="w (1 − w): most in the middle")
plt.show()


# %% [markdown]
# ## 5.4 Back through one head
#
# **5 points · about 25 minutes · difficulty ●●●**
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
# | attention weights | $dW = dO\,V^\top$ | `(…, n_q, n_k)` |
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
# Write the shapes below each other. What is summed over must be the last axis of the first and the last but one of the second. For the weights' gradient it is `V` that must be transposed, for the keys' it is the scores' gradient, and for the values' it is the weights.
# </details>

# %% builds_on=["softmax-backward"] nbgrader={"grade": false, "grade_id": "attention-backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_backward(grad_output, Q, K, V, weights):
    """The gradients of one head: output = weights @ V,
    weights = softmax(Q K^T / sqrt(d_k)).

    grad_output: (..., n_q, d_v), Q: (..., n_q, d_k), K: (..., n_k, d_k),
    V: (..., n_k, d_v), weights: (..., n_q, n_k), as they came out of the
    forward pass (perhaps masked).
    Returns (grad_Q, grad_K, grad_V), with the shapes of Q, K and V.
    """
    ### BEGIN SOLUTION
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    grad_weights = grad_output @ np.swapaxes(V, -1, -2)
    grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
    return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
    ### END SOLUTION


# %% [markdown]
# The test compares all three gradients, and names the values' first, since it needs no softmax. The first query's second key is blocked.

# %% nbgrader={"grade": true, "grade_id": "attention-backward-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
returns_gradients("sequence")
check("attention-backward", "two sequences", attention_backward, *head_inputs((2,), 3, 4, 5, 6))
returns_gradients("")
check("attention-backward", "no axis in front", attention_backward, *head_inputs((), 3, 4, 5, 2))
returns_gradients("sequence head")
check("attention-backward", "two axes in front", attention_backward, *head_inputs((2, 3), 1, 3, 4, 2))
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
    check_unchanged(given, arrays, "on a larger random input, attention_backward changed its input")
### END HIDDEN TESTS

# %% [markdown]
# Let's hear the judge on a case with different lengths: 3 queries, 5 keys, $d_k = 4$, $d_v = 2$. Predict: for which of the three will the gap be rounding alone, as in 5.1?

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
# For `grad_V`: given the attention weights, the loss is linear in $V$. On the way from $Q$ and $K$ it bends, in softmax, and the measurement misses by about $\varepsilon^2/6 = 2.5\cdot10^{-9}$ times the third derivative.

# %% [markdown]
# Cutting an array into heads and putting them back together is given, too. You wrote both in lesson 03.

# %% nbgrader={"grade": false, "grade_id": "given-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
def split_heads(x, num_heads):
    """(batch, seq, embed_dim) -> (batch, num_heads, seq, d_k): each head gets a contiguous slice."""
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def combine_heads(x):
    """(batch, num_heads, seq, d_k) -> (batch, seq, embed_dim): the heads side by side again."""
    return np.concatenate(np.moveaxis(x, 1, 0), axis=-1)


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
# | attention weights | softmax over the keys | the same |
# | heads' outputs | attention weights times values | `(batch, num_heads, seq, d_k)` |
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
# The given `split_heads`, `combine_heads` and `softmax`. `K.swapaxes(-1, -2)` transposes the keys of each head. `np.expand_dims(array, axis)` puts in an axis; counted from the right, it suits both kinds of mask. Python calls a method named `__call__` for `layer(x)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: check that the sizes divide, make four layers from `embed_dim` to `embed_dim`. In `forward`: send x through three layers and split each result. Scaled scores, mask, softmax, times values. Put the heads side by side. Last, `out_proj`.
# </details>
#
# <details><summary>I get “'Linear' object is not callable”</summary>
#
# In PyTorch a layer can be called. Your `Linear` has no `__call__`: use its `forward`.
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
        """x: (batch, seq, embed_dim),
        mask: None, (seq, seq) or (batch, seq, seq). Returns the output."""
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
# The tests of 5.5 and 5.6 share a layer of two heads with known numbers in it, and masks.

# %% nbgrader={"grade": true, "grade_id": "multi-head-test", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
returns("multi-head", parameters="")
check("multi-head", "a new layer", check_layer_start, 6, 2)
check("multi-head", "embed_dim 7 and 3 heads", heads_of_new_layer, 7, 3)
returns("multi-head", output="sequence token feature")
check("multi-head", "four sequences, no mask", layer_output, tiny_x)
check("multi-head", "with a mask for each sequence", layer_output, tiny_x, tiny_masks)
check("multi-head", "with one mask for all sequences", layer_output, tiny_x[:1], tiny_mask)
check("multi-head", "layer(x, mask=mask)", layer_call, tiny_x[:1], tiny_mask)
check("multi-head", "with scores of ±1000", layer_output, tiny_x[:1], query_scale=900)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(551)
for batch, seq, embed, heads, size in [(2, 5, 12, 3, 1), (3, 4, 10, 2, 1), (2, 3, 5, 1, 900)]:
    known, x = projection_weights(embed, rng), np.round(64 * rng.normal(size=(batch, seq, embed))) / 64
    known["q_proj"][0] = size * known["q_proj"][0]
    layer = layer_with_weights(known, heads)
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
        check_numbers(output, expected, "on a larger random input", sizes=f"with {heads} heads ")
        assert np.array_equal(given, x), "on a larger random input, forward changed its input"
    found = all_parameters(layer)
check_value_error(10, 4)
### END HIDDEN TESTS

# %% [markdown]
# Now let the loops of 5.2 judge it. Each head gets its slice of queries, keys and values. What a head gives goes through its own rows of `out_proj`, and the heads **add up**, as in lesson 02: a second route, without splitting or combining.

# %% tags=["demonstration"]
rng = np.random.default_rng(57)
layer, x = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6))
causal = np.triu(np.full((5, 5), -np.inf), 1)
parts = layer.q_proj, layer.k_proj, layer.v_proj
tables = [x @ part.weight.data + part.bias.data for part in parts]
total = layer.out_proj.bias.data
for head in range(3):
    own = slice(2 * head, 2 * head + 2)
    seen, shares = attention_loops(*(table[..., own] for table in tables), causal)
    total = total + seen @ layer.out_proj.weight.data[own]
print(f"layer against loops: largest gap {np.abs(layer(x, causal) - total).max():.0e}")

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
# Why a sum? `x` went into three places: it became query, key and value. Each sends a gradient back, and gradients of the same number add up. The mask is a constant. It gets no gradient, and blocked keys have weight 0. As everywhere, nothing is written into `x`, `mask` or `grad_output`.
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
# It looks at `out_proj`, `v_proj`, `k_proj`, `q_proj`, in this order, and names the first that is wrong. At `v_proj`, suspect splitting, combining or $dV$. At `k_proj`, suspect softmax, the scale, or gradients that have changed places. At `q_proj` alone, it is that path.
# </details>

# %% builds_on=["linear", "attention-backward"] nbgrader={"grade": false, "grade_id": "trainable-multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention:
    """The layer of 5.5, with a way back. ValueError if the heads don't divide embed_dim."""

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
        """Returns the gradient of x, adds those of the 8 parameters
        to their .grad, changes no input."""
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
# **Test 1 of 2: the gradient of x (2 points).** All three paths, without and with a mask.

# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-x-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("trainable-multi-head", output="sequence token feature")
check("trainable-multi-head", "forward, no mask", layer_output, tiny_x)
check("trainable-multi-head", "forward, with a mask for each sequence", layer_output, tiny_x, tiny_masks)
returns("trainable-multi-head", grad_x="sequence token feature")
check("trainable-multi-head", "backward, no mask", x_gradient, tiny_x, tiny_G)
check("trainable-multi-head", "backward, with a mask for each sequence", x_gradient, tiny_x, tiny_G, tiny_masks)
check("trainable-multi-head", "backward, second round", x_gradient_of_second_round, tiny_x[:1], tiny_G[:1], tiny_mask)
layer = layer_with_weights(projection_weights())
layer.forward(tiny_x.copy(), tiny_mask.copy())
by_rule = layer.backward(tiny_G.copy())
measured = measured_gradient(lambda x: (tiny_G * layer(x, tiny_mask.copy())).sum(), tiny_x, by_rule)
check_numbers(by_rule, measured, "compared with the measured gradient of x", 1e-5)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(561)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = projection_weights(embed, rng), (batch, seq, embed)
    layer = layer_with_weights(known, heads)
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
        check_numbers(layer.backward(given[1]), leaf.grad.numpy(),
                      where="on a larger random input, for the gradient of x", sizes=f"with {heads} heads ")
        check_unchanged(given, (x, G), "on a larger random input, an input is changed")
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the gradient of each parameter (3 points).** What the four weight matrices have collected, then the four biases. Then the judge: all numbers of a parameter are moved a little, and the change of the loss is compared with what your `.grad` says, once without and once with a mask. If they disagree, each of its numbers is moved by itself: two losses for each, 336 for all 168.

# %% nbgrader={"grade": true, "grade_id": "trainable-multi-head-parameters-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("trainable-multi-head", parameters="")
check("trainable-multi-head", "a new layer", check_layer_start, 6, 2)
check("trainable-multi-head", "embed_dim 7 and 3 heads", heads_of_new_layer, 7, 3)
given = tiny_x, tiny_G
for kind, axes in {"weight": "in out", "bias": "out"}.items():
    returns("trainable-multi-head", **dict.fromkeys(projections, axes))
    check("trainable-multi-head", f"{kind}.grad, one round", parameter_gradients, kind, *given)
    check("trainable-multi-head", f"{kind}.grad, two rounds", parameter_gradients, kind, *given, tiny_masks, rounds=2)
for mask in (None, tiny_mask):
    check_parameter_gradients(tiny_x, tiny_G, mask)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(562)
for batch, seq, embed, heads, masked in [(2, 5, 12, 3, 0), (3, 4, 10, 2, 2), (2, 3, 8, 4, 3)]:
    known, shape = projection_weights(embed, rng), (batch, seq, embed)
    if masked == 3:
        known["q_proj"][0] = 900 * known["q_proj"][0]
    layer = layer_with_weights(known, heads)
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
        check_numbers(parameter.grad, leaves[name][index % 2].grad.numpy(),
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
#
# <details><summary>If you have torch: a third route, autograd</summary>
#
# Paste this into a new cell. torch runs the forward pass alone, and finds all nine gradients by itself.
#
# ```python
# import torch
#
# rng = np.random.default_rng(58)
# layer, x, G = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 5, 6))
# layer.forward(x)
# by_rule = [layer.backward(G), *(parameter.grad for parameter in layer.parameters())]
#
# leaves = [torch.tensor(a, requires_grad=True) for a in (x, *(p.data for p in layer.parameters()))]
# tokens, wq, bq, wk, bk, wv, bv, wo, bo = leaves
# pairs = (wq, bq), (wk, bk), (wv, bv)
# q, k, v = ((tokens @ w + b).unflatten(-1, (3, 2)).transpose(1, 2) for w, b in pairs)
# heads = torch.nn.functional.scaled_dot_product_attention(q, k, v)
# by_torch = torch.autograd.grad(heads.transpose(1, 2).flatten(2) @ wo + bo, leaves, torch.tensor(G))
# for rule, gradient in zip(by_rule, by_torch):
#     print(f"{np.shape(rule)}: largest gap {np.abs(rule - gradient.numpy()).max():.0e}")
# ```
#
# With a right layer all nine gaps are below 1e-13: only rounding is left.
# </details>

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
# | 0.8 | always says the mean of the five notes: $1 - 1/5$, the best that **even** attention weights can do |
# | below 0.01 | your layer, after 600 steps |
#
# Even attention weights give all five tokens the same output, made from the mean of the five. So, but for the luck of a batch, 0.8 can't be crossed without attention that differs from query to query.

# %% nbgrader={"grade": false, "grade_id": "loss-and-gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_and_gradient(output, answers):
    """Mean squared error of the last two numbers, and its gradient for the whole output."""
    output = np.asarray(output)
    error = output[..., -2:] - answers
    gradient = np.zeros_like(output)
    gradient[..., -2:] = 2 * error / error.size
    return np.mean(error**2), gradient


# %% [markdown]
# For the pictures we need the attention weights. Your layer gives back only its output, so the next function computes them from the parameters of `q_proj` and `k_proj`, head by head.

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

# %% alt="The loss on a logarithmic axis over 600 steps stays near 0.8 for about 60 steps, slides below 0.01 before step 200, and then falls slowly to about 0.0006." tags=["demonstration"]
print(f"loss of the untrained layer {losses[0]:.2f}, of the last 20 steps {np.mean(losses[-20:]):.4f}")
fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.semilogy(losses)
ax.axhline(0.8, color="k", linestyle=":", label="0.8: best with even attention weights")
ax.axhline(0.01, color="C1", linestyle="--", label="0.01: a right layer ends below")
ax.set(xlabel="step", ylabel="loss")
ax.legend()
plt.show()

# %% [markdown]
# So neither: a plateau, then a slide, then a long tail. In our run the loss starts at 1.12, and ends at 0.0006. Between, as means of 21 steps, since single ones jump, it is 0.79 around step 25, 0.71 around 50, 0.26 around 100, and 0.02 around 150. If your layer draws its numbers in another order, the slide may come somewhat earlier or later.
#
# At first the attention weights are nearly even, and blurred values teach them little. As they begin to differ, the values that arrive become clearer, and this tells the weights more. So it goes faster and faster, until there is little left to learn.

# %% [markdown]
# And here is what it has learned, for one new sequence: after 0, 100 and 600 steps. A row reads *C wants B*: the query. The wanted key is framed. Two tokens want the same, and one wants itself.

# %% alt="Six heatmaps of attention weights, two heads after 0, 100 and 600 steps, with the wanted key framed in each row: head 0 stays nearly even, and head 1 ends with about 0.8 on every framed key." tags=["demonstration"]
keys = ["ABCDE"[name] for name in example_names[0]]
queries = [f"{own} wants {'ABCDE'[name]}" for own, name in zip(keys, example_wanted[0])]
fig, axes = plt.subplots(2, 3, figsize=(10, 6.6), layout="constrained")
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
    carried = np.asarray(layer.v_proj.weight.data)[10:, part] @ np.asarray(layer.out_proj.weight.data)[part, 10:]
    on, off = weights[head][asked].mean(), weights[head][~asked].mean()
    print(f"head {head}: on the wanted token {on:.2f}, on each other {off:.2f}, "
          f"a note's numbers are multiplied by {carried[0, 0]:.2f} and {carried[1, 1]:.2f}")
    print(f"        and each is added to the other with a factor of {max(abs(carried[0, 1]), abs(carried[1, 0])):.3f} at most")

# %% [markdown]
# In our run, head 1 does the looking up, with 0.79 on the wanted token and 0.05 on each other. Head 0 has stayed nearly even, with 0.23 and 0.19. (In yours they may have changed places, with other numbers.) How can the answer be nearly exact with 0.79?
#
# On its way through `v_proj` and `out_proj`, a note that comes by head 1 is multiplied by 1.37, and one by head 0 by −0.37: the diagonal of the 2 × 2 matrix `carried`. (Beside it stands nearly 0: neither number goes into the other.) So the wanted note arrives with $1.37 \cdot 0.79 - 0.37 \cdot 0.23 \approx 1$, each other one with $1.37 \cdot 0.05 - 0.37 \cdot 0.19 \approx 0$. One head looks, the other takes away the blur. A heatmap alone doesn't tell you that. Check it with your own numbers.

# %% [markdown]
# ## Does a falling loss prove that the gradient is right?
#
# We trained wrong layers in the same way, with the same numbers. Predict: which of these mistakes in `backward` would you notice from the loss alone?
#
# | mistake | what such a layer computes |
# |---|---|
# | `dQ` and `dK` changed places | `k_proj` gets $dQ$, `q_proj` gets $dK$ |
# | scores' gradient transposed on the wrong side | $dQ = dS^\top K/\sqrt{d_k}$ and $dK = dS\,Q/\sqrt{d_k}$ |
# | heads' gradients put together by a bare reshape | `(batch, num_heads, seq, d_k)` read in its order as `(batch, seq, embed_dim)` |
# | `dV` with untransposed attention weights | $dV = W\,dO$ |
# | softmax's sum term forgotten | $ds_j = w_j\,g_j$ |
# | scale forgotten on the way back | $dQ = dS\,K$ and $dK = dS^\top Q$ |
# | one of the three paths into `x` forgotten | the sum of two is returned |
#
# <details><summary>Mean loss of the last 20 steps, our run</summary>
#
# | mistake | loss |
# |---|---|
# | none | 0.0006 |
# | `dQ` and `dK` changed places | 0.97 |
# | transposed on the wrong side | 0.88 |
# | bare reshape | 0.34 |
# | `dV` untransposed | 0.025 |
# | sum term forgotten | 0.0006 |
# | scale forgotten | 0.0002 |
# | path forgotten | 0.0006 |
#
# </details>

# %% [markdown]
# The swap, the wrong transpose and the bare reshape fail visibly. The untransposed `dV` misses 0.01 here. But in 14 of 60 other runs it ended below 0.01, as the right layer did in all 60: nobody would have noticed.
#
# The last three can't be told from a right layer. A forgotten scale is even faster: here it only makes the steps of `q_proj` and `k_proj` larger. And a forgotten path changes nothing at all, because no layer stands before this one to use the gradient of `x`. In a deep model every layer below would get a wrong one.
#
# Without the sum term, the gradients of `q_proj` and `k_proj` are wrong: in three of four steps the error was a longer vector than the right gradient itself. Yet they still pointed down: with all numbers of both projections in one vector, the cosine with the right gradient was at least 0.54 in every step, and about 0.9 while the loss slid. (In four other runs the smallest cosine was 0.06, 0.21, 0.45 and 0.60: always positive.) For another task nothing promises that.
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
# 2. What will such a layer not learn? And what would you do instead, if gradients really are too small? One remedy is enough: 5.1 and 5.3 name one each.
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what it is: a gradient is fixed by the function, it says how the loss changes if Q changes. Here the loss depends on Q almost only through softmax(QKᵀ/√d_k)V, and that part is left out. What arrives is 0.0001 times the output's gradient, the same for Q, K and V: the gradient of another function, 0.0001·(Q + K + V) alone. Finite differences would disagree with it (they'd find dS·K/√d_k plus the small term). The blend also changes the output, if only a little, so even the forward pass is no longer attention. Half a point for “it is not the derivative of the function” without saying of what it is one.
#
# **1 point** for the consequence and the remedy: the layer never learns whom to look at, because nothing of what comes back depends on the scores, the keys or on which key was right; a loss that falls does so through other layers. (Trained on the lookup task in this way, our layer ends at 0.81: no better than even attention weights.) Remedies that are honest: the real backward pass (5.4); the scale √d_k and a sensible start, so that softmax does not saturate; a residual connection x + attention(x), which is part of the model, in forward *and* backward. One of them is enough. Half a point for only one of the two, consequence or remedy.
#
# **Half right (1 point of 2):** “The gradient is not zero any more, but it is wrong, so training is worse.” True, without what it is the gradient of or what would show it.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you have built
#
# You have a multi-head attention layer that learns, and every number of its gradient is yours: the softmax's Jacobian product, the gradients of queries, keys, values and attention weights, the way back through splitting and combining heads, sums over paths and over tokens. You checked it by a second route that needs no theory. And you saw it find, from nothing but a loss, that a wish has to be compared with a name.
#
# What PyTorch's autograd does is the same, rule by rule, for any formula. You'll trust it more, and know where to look when it surprises you.
#
# ### Three questions to think about
#
# 1. `forward` keeps the weights for the way back: `batch · heads · seq²` numbers. Could `backward` do without them, and what would that cost?
# 2. In the lookup task, why does the layer need `q_proj` and `k_proj` to be different? What could it not express with one matrix for both?
# 3. Suppose a token wants *two* names, and the answer is the sum of both notes. What would two heads do? Could one head do it? And for the difference of the notes?
#
# <details><summary>Answers</summary>
#
# 1. Yes: queries and keys are kept anyway (and the mask), so `backward` can compute the weights again. That is one product more beside the four of the way back, a quarter more work if $d_k = d_v$. With 8 sequences of 1024 tokens and 12 heads it saves 101 million numbers per layer. FlashAttention does so.
# 2. With one matrix and one bias for both, the score of query `i` for key `j` is that of query `j` for key `i`. But that C wants B says nothing of what B wants. Trained in this way (`layer.k_proj = layer.q_proj`, the step taken once for both), our layer ends at 0.63 instead of 0.0006.
# 3. Two heads could take one wish each. But one head can do it, too: its query fits both names, each of the two tokens gets nearly half (0.49), and the values are doubled. With both wishes as ones in numbers 5 to 9, we trained three times, for 1500 steps: one head ended at 0.0008, two at 0.0002 to 0.0009. For the difference (wishes 1 and −1) one head isn't enough, since its weights are never negative and both notes pass through the same value matrix: it ended at 1.0 to 1.2, where always saying 0 gets 2, and two heads below 0.0001.
#
# </details>
#
# ### References
#
# - David E. Rumelhart, Geoffrey E. Hinton, Ronald J. Williams: *Learning Representations by Back-propagating Errors*, 1986.
# - Xavier Glorot, Yoshua Bengio: *Understanding the Difficulty of Training Deep Feedforward Neural Networks*, 2010. The scale that the weight matrices start with.
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Atılım Güneş Baydin, Barak A. Pearlmutter, Alexey Andreyevich Radul, Jeffrey Mark Siskind: *Automatic Differentiation in Machine Learning: a Survey*, 2018.
# - Tri Dao, Daniel Y. Fu, Stefano Ermon, Atri Rudra, Christopher Ré: *FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness*, 2022.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapters 7 and 12.
