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
# *Attention, Graded · lesson 05 · NumPy, forward and backward; torch only in one check, for those who have it · about <!-- minutes -->105<!-- end --> minutes of exercises<!-- with: attention-loops -->, core 75<!-- end --> · <!-- points -->21<!-- end --> points*
#
# So far somebody else chose the weight matrices. In this lesson a layer finds its own. For that it needs the gradient: for each of its numbers, how fast the loss changes as this number grows.
#
# Few courses ask for the gradient of attention by hand. Here you follow its derivation rule by rule, write the gradient in NumPy, and check it against differences that you can measure. At the end your layer learns to look things up, and you watch the attention weights of one head change from blurred to sharp.

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
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. <!-- with: blending-is-no-gradient -->Question 5.6 is answered in words and read by a person. <!-- end -->If you are stuck on an exercise, skip it and come back later; the line below its heading says which earlier ones it needs. Cells that draw or print call your code, so they fail, or show wrong results, until it works.
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
# | **Heads** | `embed_dim = num_heads · d_k`; head `h` owns the features `h·d_k … (h+1)·d_k − 1` of every token |
# | **Masks are added** | a mask holds 0 (keep) and −∞ (block), shape `(seq, seq)` or `(batch, seq, seq)`; every query keeps at least one key |
# | **Numbers are float64** | NumPy's default: if the inputs are float64, round nothing, and don't convert to float32 |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **A gradient has the shape of its array** | `grad_Q` is $\partial L/\partial Q$, with the shape of `Q`; the loss $L$ is a single number |
#
# </details>

# %% locked imports
import math
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## Given: a parameter and a step
#
# A **parameter** is an array that is learned. It stores its gradient in `.grad`, which starts at 0. A **step** of gradient descent moves each parameter a little against its gradient. Afterwards `zero_grad` sets the gradients back to 0.
#
# Each step replaces `.data` by a new array. So always read `weight.data` when you need it, and don't store a reference to it.
#
# A layer returns an array, not a loss. So its `backward` takes `grad_output`: $\partial L/\partial\,\text{output}$, which comes from whatever follows the layer.

# %% locked parameter
class Parameter:
    """An array that is learned (.data), and the gradient of the loss for it (.grad)."""

    def __init__(self, data):
        self.data = np.array(data, dtype=float)
        self.grad = np.zeros_like(self.data)


# %% locked step
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
# **★ core · <!-- points -->4 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# The layer multiplies each token by the same `weight` and adds the same `bias`. Take one token: its input $x$, its output $y = xW + b$, and $g = \partial L/\partial y$ are **rows**. Number by number, with the chain rule:
#
# $$y_o = \sum_i x_i W_{io} + b_o \quad\Rightarrow\quad \frac{\partial L}{\partial x_i} = \sum_o g_o W_{io} \qquad \frac{\partial L}{\partial W_{io}} = x_i\, g_o \qquad \frac{\partial L}{\partial b_o} = g_o$$
#
# $x_i$ occurs in every $y_o$, hence the sum; $W_{io}$ and $b_o$ occur in one only. In matrix form ($x^\top g$ is a column times a row, a matrix of shape in × out):
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
# `backward` returns the gradient of `x` and **adds** the other two to `weight.grad` and `bias.grad`. It adds because forward and backward may run several times, one batch after another, before the step. `__init__` is given. The weight starts with random normal numbers of deviation $\sqrt{2/(\mathrm{in}+\mathrm{out})}$ (*Xavier*), so that outputs are neither too large nor too small. The bias starts at 0. Write `forward` and `backward`.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` is `(2, 3, 5)` and `grad_output` is `(2, 3, 4)`. Over which axes must you sum for the gradient of the bias, and over which for that of the weight?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `self.weight` is the `Parameter`, `self.weight.data` its array. `array.reshape(-1, array.shape[-1])` stacks the tokens of all sequences. `np.sum` takes a tuple as `axis`. `np.einsum` can do the weight's gradient in one go.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# forward:  store x on self;  return x @ weight + bias
# backward: tokens = x, flattened to (batch * seq, in)
#           gradients = grad_output, flattened to (batch * seq, out)
#           weight.grad += transposed tokens @ gradients
#           bias.grad += gradients, summed over all tokens
#           return grad_output @ transposed weight
# ```
# </details>
#
# <details><summary>I get “non-broadcastable output operand”</summary>
#
# The array that you add to `.grad` has a different shape from the parameter. Probably it still has an axis for the batch or for the sequence: sum over both.
# </details>
#
# <details><summary>I get “does not have enough dimensions”, “unsupported operand”, or “'Parameter' object has no attribute 'T'”</summary>
#
# `self.weight` is a `Parameter`, which only holds an array. The array is `self.weight.data`.
# </details>

# %% solution linear edition="core"
class Linear:
    """y = x @ weight + bias, for each token.

    weight: Parameter (in_features, out_features), Xavier normal, drawn from rng.
    bias: Parameter (out_features,), zero.
    """

    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        """x: (batch, seq, in_features). Returns (batch, seq, out_features)."""
        ### BEGIN SOLUTION
        self.x = x
        return x @ self.weight.data + self.bias.data
        ### END SOLUTION

    def backward(self, grad_output):
        """grad_output: the shape of the last forward's output. Returns the gradient of its x.

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
        """Return the Parameters, not their arrays."""
        return [self.weight, self.bias]


# %% [markdown]
# **Test 1 of 2: the start, and forward (1 point).**

# %% test linear-forward points=1
# Test of 5.1 A linear layer, forward and backward, 1 of 2 (1 point). Run the checks cell first.
returns("linear", parameters="")
check("linear", "a new layer, from 300 to 100", check_linear_start, 300, 100)
returns("linear", output="sequence token feature")
numbers = example_array(5, 4), example_array(4, start=6)
check("linear", "forward of two sequences", linear_forward, *numbers,
    example_array(2, 3, 5, start=2))
check("linear", "forward after a step", linear_forward_after_step, *numbers,
    example_array(2, 3, 5, start=2))
check("linear", "forward of one token", linear_forward, *numbers, example_array(1, 1, 5, start=2))
check_digits("forward", linear_rest(*numbers))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(511)
twin = Linear(300, 100, np.random.default_rng(51))
start = np.array(twin.weight.data)
assert np.allclose(twin.forward(np.eye(300)[None])[0], start), "forward doesn't use what weight.data holds"
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2), *many_sizes(4, (1, 3)), (9, 9, 9, 9), (2, 300, 3, 2), (2, 3, 300, 2)]:
    weight, bias = rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)
    layer = linear_with_weights(weight, bias)
    for shape, factor in [((batch, seq), 1), ((seq, batch), 1e6), ((batch, seq), -1)]:
        x = factor * np.round(64 * rng.normal(size=(*shape, inputs))) / 64
        expected, given = (x[..., None] * weight).sum(axis=-2) + bias, x.copy()
        check_numbers(layer.forward(given), expected, "on another random input")
        assert np.array_equal(given, x), "on another random input, forward changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: backward (3 points).** Two sequences of three tokens, so that a sum over only one of the two axes is noticed; then a second round of the same size, and one with three sequences of two. Then a round after a step of training, and one in which another `Linear` runs in between.

# %% test linear-backward points=3
# Test of 5.1 A linear layer, forward and backward, 2 of 2 (3 points). Run the checks cell first.
returns("linear", grad_x="sequence token in", weight_grad="in out", bias_grad="out")
numbers = example_array(5, 4), example_array(4, start=6)
first = example_array(2, 3, 5, start=2), example_array(2, 3, 4, start=9)
check("linear", "one round", linear_gradients, *numbers, *first)
check("linear", "two rounds of one size", linear_gradients, *numbers, *first,
    example_array(2, 3, 5), example_array(2, 3, 4, start=4))
check("linear", "two rounds", linear_gradients, *numbers, *first, example_array(3, 2, 5),
    example_array(3, 2, 4, start=4))
check("linear", "a round after a step", linear_gradients_after_step, *numbers, *first,
    example_array(2, 3, 5), example_array(2, 3, 4, start=4))
check("linear", "forward of another layer before backward", linear_gradients_beside, *numbers,
    *first, example_array(2, 3, 5))
check("linear", "one token", linear_gradients, *numbers, first[0][:1, :1], first[1][:1, :1])
check("linear", "4 numbers in and 4 out", linear_gradients, example_array(4, 4, start=1),
    example_array(4), first[0][..., :4], first[1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(512)
for batch, seq, inputs, outputs in [(2, 5, 3, 4), (4, 3, 7, 2), *many_sizes(4, (1, 3)), (9, 9, 9, 9), (3, 1, 4, 2), (2, 3, 300, 2)]:
    weight, bias = rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)
    layer, sums = linear_with_weights(weight, bias), [0, 0]
    # The first shape comes again after another one, and with other numbers.
    for turn, (shape, factor) in enumerate([((batch, seq), 1), ((batch, seq), 1), ((seq, batch), 1e4), ((batch, seq), -1)]):
        if turn == 1:
            zero_grad(layer.parameters())
            sums = [0, 0]
        x, G = rng.normal(size=(*shape, inputs)).round(2), factor * rng.normal(size=(*shape, outputs))
        sums = [sums[0] + np.einsum("bsi,bso->io", x, G), sums[1] + G.sum(axis=(0, 1))]
        given = copies(x, G)
        layer.forward(2 * x[:1])    # backward belongs to the last forward
        layer.forward(given[0])
        check_numbers(layer.backward(given[1]), np.einsum("bso,io->bsi", G, weight), tolerance=1e-9,
                      where="on another random input, for the gradient of x")
        check_unchanged(given, (x, G), "on another random input, backward changed its input")
    for name, total in zip(("weight", "bias"), sums):
        check_numbers(getattr(layer, name).grad, total, tolerance=1e-9,
                      where=f"on another random input, for {name}.grad after three rounds")
### END HIDDEN TESTS

# %% [markdown]
# ## Finite differences
#
# A gradient is a claim: *if this number grows by a little, the loss grows by so much*. You can measure that. Make the number larger by a small step, then smaller by the same step, and divide the change in the loss by the whole distance:
#
# $$\frac{\partial L}{\partial a} \approx \frac{L(a + \varepsilon) - L(a - \varepsilon)}{2\varepsilon}$$
#
# This is slow: it takes two losses per number. But it needs nothing except the forward pass, so it is a second, independent route to every gradient of this lesson.

# %% locked numerical-gradient
def numerical_gradient(loss, array, step=2.0**-13):
    """Measure the gradient of loss at `array`.
    loss takes an array of this shape and returns a number."""
    # With a larger step the curvature of the loss matters; a much smaller one is lost in rounding.
    gradient, move = np.zeros(array.shape), np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        move[place] = step
        gradient[place] = (loss(array + move) - loss(array - move)) / (2 * step)
        move[place] = 0
    return gradient


# %% tags=["demonstration"]
a = np.array([1.0, 2.0, 3.0])
print("measured:", numerical_gradient(lambda a: (a**2).sum(), a), " by formula, 2a:", 2 * a)


# %% [markdown]
# A layer has no loss of its own, only the `grad_output` that it is given. Choose any array `G` with the shape of the output, and define the loss as `(G * output).sum()`. Its gradient with respect to the output is exactly `G`.
#
# The next cell makes this loss a function of the numbers in one parameter.

# %% locked loss-of
def loss_of(parameter, output, G):
    """Return the loss sum(G * output()) as a function of the numbers in `parameter`."""
    def loss(numbers):
        before, parameter.data = parameter.data, numbers
        total = (G * output()).sum()
        parameter.data = before
        return total
    return loss


# %% [markdown]
# Now measure all three gradients of your `Linear`. Predict how large the gap between formula and measurement will be, then run it.

# %% tags=["demonstration"]
rng = np.random.default_rng(5)
layer, x, G = Linear(3, 2, rng), rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 4, 2))
layer.forward(x)
gaps = {"x": layer.backward(G) - numerical_gradient(lambda x: (G * layer.forward(x)).sum(), x)}
for name, parameter in [("weight", layer.weight), ("bias", layer.bias)]:
    loss = loss_of(parameter, lambda: layer.forward(x), G)
    gaps[name] = parameter.grad - numerical_gradient(loss, parameter.data)
for name, gap in gaps.items():
    print(f"{name:6} largest gap between formula and measurement: {np.abs(gap).max():.0e}")


# %% [markdown]
# This loss is linear in each number, so the measurement is exact except for rounding. The loss is a few units, so its rounding errors are about $10^{-15}$. They are divided by $2\varepsilon = 2.4\cdot10^{-4}$: hence about $10^{-12}$. Through softmax the loss will be curved.

# %% [markdown]
# From here on you need softmax. It is given, as you wrote it in lesson 01.

# %% locked given-softmax
def softmax(scores):
    """Return positive weights that sum to 1 along the last axis, as in lesson 01."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


# %% [markdown]
# ## 5.2 Attention in loops, and what it costs
#
# **more · <!-- points -->2 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# You know the result from 3.3. Here you write it as plainly as possible, with loops over sequences, queries and keys. (You can skip this exercise: only a comparison after 5.5 uses it.)
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
# Scores may be as large as ±1000, so subtract each query's largest score before `np.exp`. You may call the given `softmax`, which does. `Q`, `K` and `V` may hold integers, but weights and output are no integers.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of the loops over batch, query and key has to be finished before you can take a softmax?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.zeros(shape)` makes the arrays to fill. `np.dot` of two vectors, `math.sqrt`, `softmax`. `np.broadcast_to(mask, shape)` gives both kinds of mask the same three axes.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# output, weights = zeros of the right shapes
# for each sequence b and query i:
#     for each key j:
#         scores[j] = dot product of Q[b, i] and K[b, j] / root of d_k, plus the mask's entry
#     weights[b, i] = softmax of scores
#     for each key j:
#         add weights[b, i, j] times V[b, j] to output[b, i]
# return both
# ```
# </details>

# %% solution attention-loops
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
# The test uses two sequences of three queries and four keys, a mask for each, scores near ±1000, and arrays of integers.

# %% test attention-loops points=2
# Test of 5.2 Attention in loops, and what it costs (2 points). Run the checks cell first.
returns("attention-loops", output="sequence query value", weights="sequence query key")
small = small_Q, small_K, small_V
check("attention-loops", "two sequences, no mask", attention_loops, *small)
check("attention-loops", "with a mask for each sequence", loops_with_mask, *small, small_masks)
check("attention-loops", "with one mask for all sequences", loops_with_mask, *small, small_masks[0])
extreme = extreme_Q, extreme_K, extreme_V
check("attention-loops", "with scores of ±1000", attention_loops, *extreme)
check("attention-loops", "with scores of ±1000 and a mask", attention_loops, *extreme,
    mask=extreme_mask)
check("attention-loops", "with arrays of integers", loops_of_integers, whole_Q, whole_K, whole_V)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
rng = np.random.default_rng(521)
for batch, n_q, n_k, d_k, d_v, size in [
        (2, 4, 5, 3, 6, 1), (3, 5, 2, 4, 7, 1), (3, 3, 4, 2, 3, 1), (2, 3, 4, 5, 1, 500), *((*sizes, 1) for sizes in many_sizes(5, (1, 3))[:-7]),
        (4, 4, 4, 4, 4, 1), (9, 2, 3, 2, 2, 1), (1, 2, 40, 2, 2, 1), (1, 40, 2, 2, 2, -1e8), (2, 3, 3, 40, 2, 1), (2, 2, 3, 2, 40, -1e15)]:
    shapes = (batch, n_q, d_k), (batch, n_k, d_k), (batch, n_k, d_v)
    Q, K, V = (np.round(64 * rng.normal(size=shape)) / 64 for shape in shapes)
    Q, K = (size * np.abs(Q), np.abs(K)) if size < 0 else (size * Q, K)    # with size < 0 all scores are far below 0
    every = np.where(rng.random((batch, n_q, n_k)) < 0.5, -np.inf, 0.0)
    np.put_along_axis(every, rng.integers(n_k, size=(batch, n_q, 1)), 0, axis=-1)
    single = np.where(np.arange(n_k) == rng.integers(n_k, size=(n_q, 1)), 0.0, -np.inf)
    for mask in (None, every[0], every, single):
        scores = np.einsum("bid,bjd->bij", Q, K) / math.sqrt(d_k) + (0 if mask is None else mask)
        expected = np.exp(scores - scores.max(axis=-1, keepdims=True))
        expected /= expected.sum(axis=-1, keepdims=True)
        given = copies(Q, K, V)
        with np.errstate(all="ignore"):
            output, weights = attention_loops(*given, None if mask is None else mask.copy())
        values, exact = np.einsum("bij,bjv->biv", expected, V), 1e-5 if size == 1 else 1e-3
        check_numbers(weights, expected, where="in the weights of another input", tolerance=exact)
        check_numbers(output, values, where="in the output of another input", tolerance=exact)
        check_unchanged(given, (Q, K, V), "attention_loops changed its input")
for place in range(3):    # integers in one of the three
    Q, K, V = (rng.integers(-2, 3, size=(2, 3, 3)) / (1 if n == place else 2) for n in range(3))
    given = [array.astype(int) if n == place else array.copy() for n, array in enumerate((Q, K, V))]
    expected = np.exp(np.einsum("bid,bjd->bij", Q, K) / math.sqrt(3))
    expected /= expected.sum(axis=-1, keepdims=True)
    output, weights = attention_loops(*given)
    check_numbers(weights, expected, where="in the weights, with integers in one of the arrays", tolerance=1e-5)
    check_numbers(output, expected @ V, where="in the output, with integers in one of the arrays", tolerance=1e-5)
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# Now count the work. One score takes $d_k$ multiplications, each with an addition: $d_k$ **multiply-adds**. Weighting one value takes $d_v$. There are `seq_len`² pairs of a query and a key in each sequence, so scores and output take `batch · seq_len² · (d_k + d_v)` multiply-adds. With twice as many tokens the work grows by a factor of 4. Predict: does the time of your loops grow by more, or by less?

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
    seconds.append(min(trials))  # the trial with the least disturbance
    factor = f", {seconds[-1] / seconds[-2]:.1f} times the one before" if n > 8 else ""
    print(f"{n:2} tokens: {n * n * (8 + 8):5} multiply-adds, {1000 * seconds[-1]:5.2f} ms{factor}")

# %% [markdown]
# On an idle machine we measured factors of 3.4, 3.7 and 3.8 (with other programs running, yours may be far off). Some work, such as a softmax, is done once per query, and that only doubles. A backward pass costs about twice as much as the forward pass: it takes two matrix products for each one of the forward pass.

# %% [markdown]
# ## The backward pass through attention
#
# One head of self-attention is a small graph, drawn here for one sequence and with $d_v = d_k$: each step uses the results of earlier ones. In the forward pass, an arrow carries an array to the step that needs it. In the backward pass, every arrow is reversed and carries a gradient. **From here on $W$ is the matrix of attention weights**, no longer a `weight` matrix, and $dA$ is short for $\partial L/\partial A$: an array with the shape of $A$.

# %% cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture below: run it, no need to read it.
graph_places = {"x": (0, 1), "Q": (4.2, 2), "K": (4.2, 1), "V": (4.2, 0), "S": (7.8, 1.5),
                "W": (11.2, 1.5), "O": (14.6, 0.75), "out": (18.6, 0.75), "L": (22.2, 0.75)}
graph_shapes = ["(seq,\nembed_dim)", "(seq, d_k)", "(seq, d_k)", "(seq, d_k)", "(seq, seq)",
    "(seq, seq)",
                "(seq, d_k)", "(seq,\nembed_dim)", "one\nnumber"]
graph_steps = {("x", "Q"): "q_proj", ("x", "K"): "k_proj", ("x", "V"): "v_proj", ("Q", "S"): "",
               ("K", "S"): "", ("S", "W"): "", ("W", "O"): "", ("V", "O"): "",
               ("O", "out"): "out_proj", ("out", "L"): "loss"}


def draw_graph(ax, names, steps, back, box, ink):
    """Draw a box with a shape for each name and an arrow for each step, reversed if `back`."""
    line, tip = ("--", "->") if back else ("-", "-|>")
    for (across, up), name, shape in zip(graph_places.values(), names, graph_shapes):
        ax.add_patch(plt.Rectangle((across - 1.25, up - 0.4), 2.5, 0.8, facecolor=box,
            edgecolor=ink, linestyle=line))
        ax.text(across, up, f"{name}\n{shape}", ha="center", va="center", fontsize=9,
            linespacing=1.1)
    style = {"arrowstyle": tip, "linestyle": line, "color": ink,
             "mutation_scale": 16, "shrinkA": 0, "shrinkB": 0}
    for (first, second), label in steps.items():
        start, end = np.add(graph_places[first], (1.25, 0)), np.subtract(graph_places[second],
            (1.25, 0))
        ax.annotate("", start if back else end, end if back else start, arrowprops=style)
        # A label is beside its arrow: above if it is level, else on the outer side.
        rise = np.sign(end[1] - start[1])
        side = -1 if first == "x" else 1
        shift = (0.08 * side, 0.08 * side * -rise) if rise else (0.2 * (first == "x"), 0.05)
        ax.text(*(start + end) / 2 + shift, label, fontsize=9, va="center" if rise else "bottom",
                ha="center" if not rise else "right" if side < 0 else "left")
    ax.set(xlim=(-1.5, 23.7), ylim=(-0.5, 2.5))
    ax.set_axis_off()


# %% alt="Two drawings of the same graph: above, solid arrows run from x to Q, K and V, from Q and K to the scores S, on to the attention weights W, from W and V to the head's output O, through out_proj to out, and through the loss to one number, L; below, dashed arrows with open tips run all ways back, and where three of them arrive, at dx, they add up." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
fig, axes = plt.subplots(2, 1, figsize=(10, 6.4), layout="constrained")
draw_graph(axes[0], ["x", "Q", "K", "V", "S =\nQKᵀ/√d_k", "W =\nsoftmax(S)", "O = WV", "out", "L"],
           graph_steps, False, "#e8f1fa", "#1b4f8a")
axes[0].set_title("forward pass: solid arrows, filled tips", loc="left", fontsize=11)
back_steps = ["5.1", "5.1", "5.1", "5.4", "5.4", "5.3", "5.4", "5.4", "5.1", "given"]
draw_graph(axes[1], ["dx", "dQ", "dK", "dV", "dS", "dW", "dO", "dout", "dL = 1"],
           dict(zip(graph_steps, back_steps)), True, "#fdf1e3", "#a04a00")
axes[1].text(0, 0.3, "three arrive,\nand add up: 5.5", ha="center", va="center", fontsize=9)
axes[1].set_title("backward pass: dashed arrows, open tips, and the exercise where you write the "
    "step",
                  loc="left", fontsize=11)
plt.show()


# %% [markdown]
# At `x` the forward pass splits into three paths, so in the backward pass three gradients arrive, and **they add up**. $dO$ and $dS$ each go two ways, since two arrays made $O$, and two made $S$. Each step has its own rule. The only one that isn't a plain matrix product is the softmax, so start there.

# %% [markdown]
# ## 5.3 The backward pass of softmax
#
# **★ core · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# In one row, softmax maps scores $s$ to attention weights $w$. All weights share a denominator, so each score changes **every** weight of its row. Differentiate $w_i = e^{s_i}/Z$ with $Z = \sum_m e^{s_m}$ by $s_j$. The derivative of $Z$ is $e^{s_j}$, and the quotient rule has two cases:
#
# $$i = j:\quad \frac{e^{s_i} Z - e^{s_i} e^{s_i}}{Z^2} = w_i\,(1 - w_i)$$
#
# $$i \neq j:\quad \frac{0 \cdot Z - e^{s_i} e^{s_j}}{Z^2} = w_i\,(0 - w_j)$$
#
# In one line:
#
# $$\frac{\partial w_i}{\partial s_j} = w_i\,(\delta_{ij} - w_j) \qquad\text{with } \delta_{ij} = 1 \text{ if } i = j \text{, else } 0$$
#
# This matrix of derivatives is the **Jacobian**. With $g_i = \partial L/\partial w_i$ the chain rule sums over all weights that $s_j$ changes:
#
# $$\frac{\partial L}{\partial s_j} = \sum_i g_i\, w_i\,(\delta_{ij} - w_j) = g_j\, w_j - w_j \sum_i g_i\, w_i = w_j\Big(g_j - \sum_i w_i\, g_i\Big)$$
#
# The last form needs no Jacobian. Read it as a sentence: increasing a score increases the loss if the gradient of its weight is above the **average** gradient of the row. The average is weighted by the attention weights themselves. (A step goes against the gradient, so it lowers such a score.)
#
# | operation | expression | shape |
# |---|---|---|
# | average of each row | $\sum_i w_i g_i$ | the last axis has length 1 |
# | gradient of the scores | weights times (gradient minus average) | like `weights` |
#
# Return a new array; change neither input.
#
# <details><summary>Hint 1: a question</summary>
#
# What must the gradient of a row be if all $g_i$ of this row are equal? (The weights always sum to 1. Can the loss change?) Does your formula give that?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.sum` with `axis=-1` and `keepdims=True`. The rest is `*` and `-`, entry by entry.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# average = sum of (weights * grad_weights) along the last axis, keepdims
# difference = grad_weights - average
# return weights times difference
# ```
# </details>

# %% solution softmax-backward edition="core"
def softmax_backward(weights, grad_weights):
    """The gradient of the loss with respect to the scores, given that of softmax(scores).

    weights: softmax along the last axis, any shape. grad_weights: the same shape.
    Returns a new array of the same shape. No Jacobian is built, and no input is changed.
    """
    ### BEGIN SOLUTION
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - average)
    ### END SOLUTION


# %% [markdown]
# In the weights that the test begins with, one key is blocked, so its weight is 0.

# %% test softmax-backward points=3
# Test of 5.3 The backward pass of softmax (3 points). Run the checks cell first.
returns("softmax-backward", grad_scores="sequence head query key")
check("softmax-backward", "two sequences, three heads", softmax_backward_of_rows, tiny_weights,
    tiny_incoming)
returns("softmax-backward", grad_scores="query key")
shares, incoming = np.array([[0.25, 0.25, 0.5], [0, 0.5, 0.5]]), np.array([[4.0, 0, 6], [8, 0, -4]])
check("softmax-backward", "two rows", softmax_backward_of_rows, shares, incoming)
returns("softmax-backward", grad_scores="key")
check("softmax-backward", "one row", softmax_backward, shares[0], incoming[0])
returns("softmax-backward", grad_scores="sequence query key")
check("softmax-backward", "one row of one sequence", softmax_backward, shares[:1, None],
    incoming[:1, None])
# Each row of the result sums to 0.
check_digits("the result", np.sum(softmax_backward(*copies(tiny_weights, tiny_incoming)), axis=-1,
    dtype=float))
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
rng = np.random.default_rng(531)
shapes = [*many_sizes(1), *many_sizes(2), *many_sizes(3, (1, 3, 9)), *many_sizes(4, (1, 3)), (2, 3, 4, 6), (2, 1, 3, 2, 4), (2, 300), (300, 2)]
for shape in shapes:
    for spread, factor, blocked in [(2, 1e4, 0.3), (1, 1, 0), (9, 1, 0.5), (0, -1e6, 0), (300, 1, 0)]:
        scores = np.where(rng.random(shape) < blocked, -np.inf, spread * rng.normal(size=shape))
        scores[..., -1] = 0
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        incoming = factor * rng.normal(size=shape)
        if spread == 9:    # small weights with large gradients
            incoming /= np.maximum(shares, 1e-12)
        expected = shares * (incoming - (shares * incoming).sum(axis=-1, keepdims=True))
        given = copies(shares, incoming)
        check_numbers(softmax_backward(*given), expected, where="on another random input",
                      sizes=f"with shape {in_words(shape)}, ", tolerance=1e-6)
        check_unchanged(given, (shares, incoming), "on another random input, the input is changed")
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# If all $g_i$ of a row are equal, their average is that number, and every score gets 0: the weights sum to 1 whatever the scores are, so the loss can't change.
#
# Now the same gradient by two other routes: with the full Jacobian, and measured. The Jacobian of *one* row of $n$ weights has $n^2$ entries, which your formula never needs.

# %% tags=["demonstration"]
rng = np.random.default_rng(53)
scores, g = rng.normal(size=4), rng.normal(size=4)
w = softmax(scores)
jacobian = np.diag(w) - np.outer(w, w)
print("your formula ", np.round(softmax_backward(w, g), 6))
print("full Jacobian", np.round(jacobian @ g, 6))
print("measured     ", np.round(numerical_gradient(lambda s: (g * softmax(s)).sum(), scores), 6))

# %% [markdown]
# Where is the gradient large? Take two keys with attention weights $w$ and $1 - w$, and suppose that $g = (1, 0)$. In the middle, a change in the score changes the weights most. Where the weight is near 0 or 1, the gradient is nearly 0, however wrong the choice is. The scale $1/\sqrt{d_k}$ of lesson 01 keeps untrained weights away from these ends.

# %% alt="The gradient of a key's score against its attention weight w is an arch: 0 at w = 0 and at w = 1, and highest, 0.25, at w = 0.5." tags=["demonstration"]
w = np.linspace(0, 1, 101)
pairs = np.stack([w, 1 - w], axis=-1)
through = np.asarray(softmax_backward(pairs, np.array([1.0, 0.0]) + 0 * pairs))[:, 0]
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(w, through)
ax.set(xlabel="attention weight w of the key", ylabel="gradient of its score",
    title="w (1 − w): most in the middle")
plt.show()


# %% [markdown]
# ## 5.4 The backward pass of one head
#
# **★ core · <!-- points -->5 points<!-- end --> · about 25 minutes · difficulty ●●● · needs 5.3**
#
# Now the matrix products. There is one rule. In $C = AB$ an entry is $C_{ij} = \sum_k A_{ik}B_{kj}$, so $A_{ik}$ contributes to every $C_{ij}$ of its row, with factor $B_{kj}$. The chain rule adds these up: $dA_{ik} = \sum_j dC_{ij}B_{kj}$. The same for $B$, and in matrices:
#
# $$C = AB \quad\Rightarrow\quad dA = dC\,B^\top \qquad dB = A^\top dC$$
#
# The shapes alone nearly determine it: `dA` must have the shape of `A`. Use the rule twice. $O = WV$ gives $dW$ and $dV$. And $S = QK^\top/\sqrt{d_k}$ gives $dQ$ and $dK$, **both** with the factor $1/\sqrt{d_k}$.
#
# | operation | expression | shape |
# |---|---|---|
# | values | $dV = W^\top dO$ | `(…, n_k, d_v)` |
# | attention weights | $dW = dO\,V^\top$ | `(…, n_q, n_k)` |
# | scores | $dS$, through softmax | `(…, n_q, n_k)` |
# | queries | $dQ = dS\,K/\sqrt{d_k}$ | `(…, n_q, d_k)` |
# | keys | $dK = dS^\top Q/\sqrt{d_k}$ | `(…, n_k, d_k)` |
#
# There may be any number of leading axes: none, a batch, or a batch and heads. There is no mask among the arguments: a blocked key has weight 0, so by 5.3 the gradient of its score is 0. If you recompute the weights from `Q` and `K`, the mask is lost: use the argument `weights`.
#
# <details><summary>Hint 1: a question</summary>
#
# Value $j$ went into the output of every query $i$, with weight $w_{ij}$. So which sum is its gradient: over a row of the weights, or over a column?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.swapaxes(array, -1, -2)` transposes the last two axes only, whereas `.T` reverses all of them. `@` treats leading axes as a batch. `softmax_backward` from 5.3. `Q.shape[-1]` is $d_k$.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# grad_V = transposed weights @ grad_output
# grad_weights = grad_output @ transposed V
# scaled = softmax_backward of weights and grad_weights, / root of d_k (once)
# grad_Q = scaled @ K
# grad_K = transposed scaled @ Q
# return grad_Q, grad_K, grad_V
# ```
# </details>
#
# <details><summary>I get “matmul: Input operand 1 has a mismatch in its core dimension”</summary>
#
# Write down both shapes. The last axis of the first array must match the second-to-last axis of the second. For the gradient of the weights, transpose `V`; for that of the keys, the scores' gradient; for that of the values, the weights.
# </details>

# %% solution attention-backward builds_on=["softmax-backward"] edition="core"
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
# The test compares all three gradients. It checks `grad_V` first, since that needs no softmax. The first query's second key is blocked.

# %% test attention-backward points=5
# Test of 5.4 The backward pass of one head (5 points). Run the checks cell first.
returns_gradients("sequence")
check("attention-backward", "two sequences", head_gradients, *head_inputs((2,), 3, 4, 5, 6))
check("attention-backward", "two sequences, 3 queries and 3 keys", head_gradients,
    *head_inputs((2,), 3, 3, 2, 4))
returns_gradients("")
check("attention-backward", "no leading axis", head_gradients, *head_inputs((), 3, 4, 5, 2))
returns_gradients("sequence head")
check("attention-backward", "two leading axes", head_gradients, *head_inputs((2, 3), 1, 3, 4, 2))
returns_gradients("sequence")
check("attention-backward", "one query of one sequence", head_gradients,
    *head_inputs((1,), 1, 3, 2, 4))
check_digits("a gradient", head_rests(*head_inputs((2,), 3, 4, 5, 6)))
### BEGIN HIDDEN TESTS
import torch
rng, some, every = np.random.default_rng(541), [(3, 5, 4, 2), (2, 3, 4, 5), (4, 4, 4, 4)], many_sizes(4, (1, 3))
cases = {(): every, (3,): every, (2, 3): [(5, 4, 3, 7), *every[:16]], (2, 1, 3): some, (1,): some, (4, 4): some, (9, 2): some, (2, 9): some,
         (4, 4, 4): some, (1, 1, 1): some, (3, 1, 2, 2): some, (48,): [(2, 2, 3, 2), (1, 40, 2, 2)]}
for lead, (n_q, n_k, d_k, d_v) in [(lead, sizes) for lead, several in cases.items() for sizes in several]:
    for size in (1, -1e9):
        Q, K, V, G = arrays = [rng.normal(size=(*lead, *shape)) for shape in [(n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)]]
        Q *= size    # huge scores: each query has a single weight of 1
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays[:3]]
        mask = np.where(rng.random((n_q, n_k)) < 0.4, -np.inf, 0.0)
        np.put_along_axis(mask, rng.integers(n_k, size=(n_q, 1)), 0, axis=-1)
        shares = torch.softmax(leaves[0] @ leaves[1].mT / math.sqrt(d_k) + torch.tensor(mask), dim=-1)
        (shares @ leaves[2]).backward(torch.tensor(G))
        arrays.append(shares.detach().numpy().copy())
        Q, K, V, G, shares = given = copies(*arrays)
        result = attention_backward(G, Q, K, V, shares)
        assert isinstance(result, (tuple, list)) and len(result) == 3, "for other sizes, return three gradients as well"
        for name, got, leaf in zip("QKV", result, leaves):
            check_numbers(got, leaf.grad.numpy(), where=f"on another random input, in grad_{name}",
                          sizes=f"with {n_q=}, {n_k=}, {d_k=}, {d_v=}, ", tolerance=1e-5)
        check_unchanged(given, arrays, "on another random input, attention_backward changed its input")
### END HIDDEN TESTS

# %% [markdown]
# Now compare with finite differences when the lengths differ: 3 queries, 5 keys, $d_k = 4$, $d_v = 2$. Predict: for which of the three gradients will the gap be rounding alone, as in 5.1?

# %% tags=["demonstration"]
rng = np.random.default_rng(54)
Q, K, V, G = (rng.normal(size=shape) for shape in [(3, 4), (5, 4), (5, 2), (3, 2)])
loss = lambda Q, K, V: (G * (softmax(Q @ K.T / math.sqrt(4)) @ V)).sum()
by_formula = attention_backward(G, Q, K, V, softmax(Q @ K.T / math.sqrt(4)))
measured = [numerical_gradient(lambda Q: loss(Q, K, V), Q),
    numerical_gradient(lambda K: loss(Q, K, V), K),
            numerical_gradient(lambda V: loss(Q, K, V), V)]
for name, formula, gradient in zip("QKV", by_formula, measured):
    print(f"grad_{name} {np.shape(formula)}: largest gap {np.abs(formula - gradient).max():.0e}")


# %% [markdown]
# For `grad_V`: given the attention weights, the loss is linear in $V$. In $Q$ and $K$ it is curved, because of softmax, and the error of the measurement is about $\varepsilon^2/6 = 2.5\cdot10^{-9}$ times the third derivative.

# %% [markdown]
# ## Given: heads
#
# The functions that split an array into heads and combine them again are given, too. You wrote both in lesson 03.

# %% locked given-heads
def split_heads(x, num_heads):
    """(batch, seq, embed_dim) -> (batch, num_heads, seq, d_k):
    each head gets a contiguous slice."""
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def combine_heads(x):
    """(batch, num_heads, seq, d_k) -> (batch, seq, embed_dim): the heads side by side again."""
    return np.concatenate(np.moveaxis(x, 1, 0), axis=-1)


# %% [markdown]
# ## 5.5 The layer and its backward pass
#
# **★ core · <!-- points -->5 points<!-- end --> · about 20 minutes · difficulty ●●● · needs 5.1, 5.4**
#
# You built this layer in PyTorch. Here it is in NumPy, from your own `Linear` layers. The constructor, `__call__`, `parameters` and the formulas of `forward` are given. Two things are missing. `forward` must store what the backward pass needs. And `backward(grad_output)` must return the gradient of `x`, while all eight parameters get theirs added to `.grad`.
#
# Go through `forward` in reverse. `out_proj.backward` sends the gradient through the last layer. Then split it into heads, just like the queries. `attention_backward` returns three gradients, for all heads at once. Combine the heads of each, and pass it to the `backward` of its own projection.
#
# | operation | expression | shape |
# |---|---|---|
# | through `out_proj` | `out_proj.backward(grad_output)` | `(batch, seq, embed_dim)` |
# | split | as in `forward` | `(batch, num_heads, seq, d_k)` |
# | through the heads | $dQ, dK, dV$ of 5.4 | the same, three times |
# | combine | as in `forward` | `(batch, seq, embed_dim)`, three times |
# | through the projections | `backward` of each | `(batch, seq, embed_dim)`, three times |
# | gradient of x | their **sum** | `(batch, seq, embed_dim)` |
#
# Why a sum? `x` is used three times: for queries, keys and values. Each path returns a gradient of `x`, and gradients of the same number add up. The mask is a constant and gets no gradient; blocked keys have weight 0. As everywhere, nothing is written into `x`, `mask` or `grad_output`.
#
# <details><summary>Hint 1: a question</summary>
#
# Splitting and combining only move numbers around. What is the backward pass of a step that moves numbers?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `attention_backward` of 5.4, and `Linear.backward`, which already adds to `.grad`. And once more `split_heads` and `combine_heads`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# ```text
# forward:  store Q, K, V (with heads) and the attention weights on self
# backward: grad = out_proj.backward of grad_output, then split_heads
#           three gradients = attention_backward of grad and what forward stored
#           for each: combine_heads, then backward of q_proj, k_proj or v_proj
#           return the sum of the three results
# ```
# </details>
#
# <details><summary>The test stops at one projection</summary>
#
# It checks `out_proj`, `v_proj`, `k_proj`, `q_proj`, in this order, and names the first that is wrong. At `v_proj`, suspect splitting, combining or $dV$. At `k_proj`, suspect softmax, the scale, or two gradients that have changed places. At `q_proj` alone, it is that path.
# </details>

# %% solution trainable-multi-head builds_on=["linear", "attention-backward"] edition="core"
class MultiHeadAttention:
    """Self-attention with several heads and a backward pass."""

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, rng) for _ in range(4))

    def forward(self, x, mask=None):
        """x: (batch, seq, embed_dim), mask: None, (seq, seq) or (batch, seq, seq)."""
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        Q, K, V = (split_heads(a, self.num_heads) for a in projected)
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        weights = softmax(scores if mask is None else scores + np.expand_dims(mask, -3))
        # Store what backward needs.
        ### BEGIN SOLUTION
        self.Q, self.K, self.V, self.weights = Q, K, V, weights
        ### END SOLUTION
        return self.out_proj.forward(combine_heads(weights @ V))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        """Return the gradient of x, and add those of the 8 parameters to their .grad."""
        ### BEGIN SOLUTION
        grad_heads = split_heads(self.out_proj.backward(grad_output), self.num_heads)
        grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
        layers = (self.q_proj, self.k_proj, self.v_proj)
        return sum(layer.backward(combine_heads(grad)) for layer, grad in zip(layers, grads))
        ### END SOLUTION

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [parameter for layer in layers for parameter in layer.parameters()]


# %% [markdown]
# **Test 1 of 2: the gradient of x (2 points).** All three paths, without and with a mask. The tests use a layer of two heads with known numbers in it.

# %% test trainable-multi-head-x points=2
# Test of 5.5 The layer and its backward pass, 1 of 2 (2 points). Run the checks cell first.
returns("trainable-multi-head", output="sequence token feature")
check("trainable-multi-head", "forward, no mask", layer_output, tiny_x)
check("trainable-multi-head", "forward, with a mask for each sequence", layer_output, tiny_x,
    tiny_masks)
returns("trainable-multi-head", grad_x="sequence token feature")
check("trainable-multi-head", "backward, no mask", x_gradient, tiny_x, tiny_G)
check("trainable-multi-head", "backward, with a mask for each sequence", x_gradient, tiny_x, tiny_G,
    tiny_masks)
check("trainable-multi-head", "backward, second round", x_gradient_of_second_round, tiny_x[:1],
    tiny_G[:1], tiny_mask)
check("trainable-multi-head", "forward of another layer before backward", x_gradient_beside, tiny_x,
    tiny_G)
check("trainable-multi-head", "backward of one token", x_gradient, tiny_x[:1, :1], tiny_G[:1, :1])
layer = layer_with_weights(projection_weights())
layer.forward(tiny_x.copy(), tiny_mask.copy())
by_rule = layer.backward(tiny_G.copy())
measured = measured_gradient(lambda x: (tiny_G * layer(x, tiny_mask.copy())).sum(), tiny_x, by_rule)
check_numbers(by_rule, measured, "compared with the measured gradient of x", 1e-5)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(561)
cases = [(2, 5, 3, 4), (3, 4, 2, 5), (2, 3, 4, 2), *many_sizes(4, (1, 3)), (9, 9, 9, 1), (4, 4, 4, 4), (2, 3, 9, 2), (9, 2, 2, 2), (1, 40, 1, 2)]
for case, (batch, seq, heads, size) in enumerate(cases):
    embed = heads * size
    known, shape = projection_weights(embed, rng), (batch, seq, embed)
    layer = layer_with_weights(known, heads)
    leaves = {n: [torch.tensor(a) for a in known[n]] for n in projections}
    for turn in range(3):
        mask = np.where(rng.random((batch, seq, seq)) < 0.5, -np.inf, 0.0)
        np.put_along_axis(mask, rng.integers(seq, size=(batch, seq, 1)), 0, axis=-1)
        mask = [None, mask[0], mask][(case + turn) % 3]
        x, G = rng.normal(size=shape), rng.normal(size=shape)
        given, leaf = copies(x, G), torch.tensor(x, requires_grad=True)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        scores = q @ k.mT / size**0.5 + (0 if mask is None else torch.tensor(mask if mask.ndim == 2 else mask[:, None]))
        merged = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2)
        out = merged @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        layer(2 * x[:, :1])    # backward belongs to the last forward
        check_numbers(layer(given[0], None if mask is None else mask.copy()), out.detach().numpy(),
                      where="on another random input, for the output", sizes=f"with {heads} heads, ")
        check_numbers(layer.backward(given[1]), leaf.grad.numpy(),
                      where="on another random input, for the gradient of x", sizes=f"with {heads} heads, ")
        check_unchanged(given, (x, G), "on another random input, an input is changed")
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the gradient of each parameter (3 points).** First the gradients of the four weight matrices, then those of the four biases. Then finite differences: all numbers of a parameter are changed a little at once, and the change in the loss is compared with your `.grad`, once without and once with a mask.

# %% test trainable-multi-head-parameters points=3
# Test of 5.5 The layer and its backward pass, 2 of 2 (3 points). Run the checks cell first.
returns("trainable-multi-head", parameters="")
check("trainable-multi-head", "a new layer", check_layer_start, 6, 2)
check("trainable-multi-head", "embed_dim 7 and 3 heads", heads_of_new_layer, 7, 3)
given = tiny_x, tiny_G
for kind, axes in {"weight": "in out", "bias": "out"}.items():
    returns("trainable-multi-head", **dict.fromkeys(projections, axes))
    check("trainable-multi-head", f"{kind}.grad, one round", parameter_gradients, kind, *given)
    check("trainable-multi-head", f"{kind}.grad, two rounds", parameter_gradients, kind, *given,
        tiny_masks, rounds=2)
for mask in (None, tiny_mask):
    check_parameter_gradients(tiny_x, tiny_G, mask)
### BEGIN HIDDEN TESTS
import torch
rng = np.random.default_rng(562)
cases = [(2, 5, 3, 4), (3, 4, 2, 5), (2, 3, 4, 2), *many_sizes(4, (1, 3)), (9, 9, 9, 1), (4, 4, 4, 4), (2, 3, 9, 2), (9, 2, 2, 2), (1, 40, 1, 2)]
for case, (batch, seq, heads, size) in enumerate(cases):
    embed = heads * size
    known = projection_weights(embed, rng)
    known["q_proj"][0] *= 1 if case % 3 else 900
    layer = layer_with_weights(known, heads)
    leaves = {n: [torch.tensor(a, requires_grad=True) for a in known[n]] for n in projections}
    for turn in range(3):
        mask = np.where(rng.random((batch, seq, seq)) < 0.5, -np.inf, 0.0)
        np.put_along_axis(mask, rng.integers(seq, size=(batch, seq, 1)), 0, axis=-1)
        mask = [None, mask[0], mask][(case + turn) % 3]
        x, G = np.round(64 * rng.normal(size=(2, batch, seq, embed))) / 64
        leaf = torch.tensor(x)
        q, k, v = ((leaf @ leaves[n][0] + leaves[n][1]).unflatten(-1, (heads, -1)).transpose(1, 2)
                   for n in projections[:3])
        scores = q @ k.mT / size**0.5 + (0 if mask is None else torch.tensor(mask if mask.ndim == 2 else mask[:, None]))
        merged = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2)
        out = merged @ leaves["out_proj"][0] + leaves["out_proj"][1]
        out.backward(torch.tensor(G))
        with np.errstate(all="ignore"):
            layer(x.copy(), None if mask is None else mask.copy())
            layer.backward(G.copy())
    for index, parameter in enumerate(all_parameters(layer)):
        name, kind = projections[index // 2], ("weight", "bias")[index % 2]
        check_numbers(parameter.grad, leaves[name][index % 2].grad.numpy(),
                      where=f"on another random input, for {name}.{kind}.grad")
check_value_error(10, 4)
check_value_error(3, 9)
### END HIDDEN TESTS

# %% [markdown] with=["attention-loops"]
# Now check the forward pass with the loops of 5.2. Each head gets its slice of queries, keys and values. A head's output goes through its own rows of `out_proj`, and the heads **add up**, as in lesson 02: a second route, without splitting or combining.

# %% tags=["demonstration"] with=["attention-loops"]
rng = np.random.default_rng(57)
layer, x = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6))
causal = np.triu(np.full((5, 5), -np.inf), 1)
parts = layer.q_proj, layer.k_proj, layer.v_proj
tables = [x @ part.weight.data + part.bias.data for part in parts]
total = layer.out_proj.bias.data
for head in range(3):
    own = slice(2 * head, 2 * head + 2)
    seen, _ = attention_loops(*(table[..., own] for table in tables), causal)
    total = total + seen @ layer.out_proj.weight.data[own]
print(f"layer against loops: largest gap {np.abs(layer(x, causal) - total).max():.0e}")

# %% [markdown]
# One of the eight parameters always gets a gradient of 0, up to rounding. Predict: which one? (Lesson 02 met it.)

# %% tags=["demonstration"]
rng = np.random.default_rng(56)
layer = MultiHeadAttention(6, 3, rng)
layer.forward(rng.normal(size=(2, 5, 6)))
layer.backward(rng.normal(size=(2, 5, 6)))
for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
    part = getattr(layer, name)
    print(f"{name:9} weight {np.abs(part.weight.grad).max():.0e}   bias "
        f"{np.abs(part.bias.grad).max():.0e}")


# %% [markdown]
# The bias of the keys adds the same number to all scores of a query, and softmax ignores that. So the bias has no effect, and its gradient is 0. If a hand-written gradient is anything else there, it is wrong.
#
# <details><summary>If you have torch: a third route, autograd</summary>
#
# Paste this into a new cell. You write the forward pass alone, and torch computes all nine gradients.
#
# ```python
# import torch
#
# rng = np.random.default_rng(58)
# layer, x, G = MultiHeadAttention(6, 3, rng), rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 5, 6))
# layer.forward(x)
# by_formula = [layer.backward(G), *(parameter.grad for parameter in layer.parameters())]
#
# leaves = [torch.tensor(a, requires_grad=True) for a in (x, *(p.data for p in layer.parameters()))]
# tokens, wq, bq, wk, bk, wv, bv, wo, bo = leaves
# pairs = (wq, bq), (wk, bk), (wv, bv)
# q, k, v = ((tokens @ w + b).unflatten(-1, (3, 2)).transpose(1, 2) for w, b in pairs)
# heads = torch.nn.functional.scaled_dot_product_attention(q, k, v)
# by_torch = torch.autograd.grad(heads.transpose(1, 2).flatten(2) @ wo + bo, leaves, torch.tensor(G))
# for formula, gradient in zip(by_formula, by_torch):
#     print(f"{np.shape(formula)}: largest gap {np.abs(formula - gradient.numpy()).max():.0e}")
# ```
#
# With a correct layer all nine gaps are below 1e-13: only rounding is left.
# </details>

# %% [markdown]
# ## It learns: looking things up
#
# Now the layer gets a task. A sequence has five tokens. Each has three things: its own **name** (A to E, each once), the name that it **wants**, and a **note** of two numbers, each +1 or −1. The answer for each token is the note of the token whose name it wants.
#
# The answer can't be computed from one token alone. Names, wishes and notes are drawn at random for each sequence, so there is nothing to memorize. A layer has to compare wishes with names. That is a query, a key and a value.
#
# | features of `x[b, t]` | meaning |
# |---|---|
# | 0 to 4 | own name, one-hot |
# | 5 to 9 | wanted name, one-hot |
# | 10 and 11 | the note |

# %% locked lookup-task
def lookup_batch(rng, batch, tokens=5):
    """Return (x, answers, names, wanted) for `batch` sequences of the task."""
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
# The layer's output has 12 features per token. The last two are its answer, the other ten are ignored. The loss is the mean squared error of the answers. Compare yours with three values:
#
# | loss | which layer has it |
# |---|---|
# | 1 | one that always answers 0 |
# | 0.8 | one that always answers the mean of the five notes: $1 - 1/5$, the best that **even** attention weights can do |
# | below 0.01 | your layer, after 600 steps |
#
# Even attention weights give all five tokens the same output, made from the mean of the five. So, apart from luck in a single batch, a loss below 0.8 requires attention that differs from query to query.

# %% locked loss-and-gradient
def loss_and_gradient(output, answers):
    """Return the mean squared error of the last two features,
    and its gradient with respect to the output."""
    output = np.asarray(output)
    error = output[..., -2:] - answers
    gradient = np.zeros_like(output)
    gradient[..., -2:] = 2 * error / error.size
    return np.mean(error**2), gradient


# %% [markdown]
# For the figures we need the attention weights. The layer returns only its output, so the next function computes them from the parameters of `q_proj` and `k_proj`, head by head.

# %% locked weights-of
def weights_of(layer, x, num_heads):
    """Return the attention weights of one sequence x (seq, embed_dim): (num_heads, seq, seq)."""
    Q, K = (x @ part.weight.data + part.bias.data for part in (layer.q_proj, layer.k_proj))
    Q, K = (np.stack(np.split(a, num_heads, axis=-1)) for a in (Q, K))
    return softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]))


# %% [markdown]
# Predict before you run it: will the loss fall evenly, or in a sudden drop? The training takes a second or two. Each step draws 64 new sequences out of 384 million, so the layer hardly ever sees one twice.

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
print(f"loss of the untrained layer {losses[0]:.2f}, of the last 20 steps "
    f"{np.mean(losses[-20:]):.4f}")
fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.semilogy(losses)
ax.axhline(0.8, color="k", linestyle=":", label="0.8: best with even attention weights")
ax.axhline(0.01, color="C1", linestyle="--", label="0.01: a correct layer ends below")
ax.set(xlabel="step", ylabel="loss")
ax.legend()
plt.show()

# %% [markdown]
# So neither: a plateau, then a slide, then a long tail. In our run the loss starts at 1.12 and ends at 0.0006. In between, averaged over 21 steps because single losses vary, it is 0.79 around step 25, 0.71 around 50, 0.26 around 100, and 0.02 around 150.
#
# Why the plateau? The softmax isn't the reason: it makes gradients small only near weights of 0 and 1 (5.3), and before training few attention weights are near 0 or 1. But the gradient of `q_proj` contains $K$, and that of `k_proj` contains $Q$. Each can learn only as fast as the other is already useful, and at first neither is. So learning accelerates, until there is little left to learn. Try it: with `q_proj.weight.data` and `k_proj.weight.data` multiplied by 0.1 before the first step, the plateau is much longer.

# %% [markdown]
# This is what it has learned, for one new sequence: after 0, 100 and 600 steps. A row label reads *C wants B*: the query. The wanted key is framed. Two tokens want the same one, and one wants itself. (`draw_weights` comes from the collapsed cell near the top.)

# %% alt="Six heatmaps of attention weights, two heads after 0, 100 and 600 steps, with the wanted key framed in each row: head 0 stays between 0.09 and 0.28, and head 1 ends with about 0.8 on every framed key." tags=["demonstration"]
keys = ["ABCDE"[name] for name in example_names[0]]
queries = [f"{own} wants {'ABCDE'[name]}" for own, name in zip(keys, example_wanted[0])]
fig, axes = plt.subplots(2, 3, figsize=(10, 6.6), layout="constrained")
for column, (step, weights) in enumerate(snapshots.items()):
    for head in range(2):
        draw_weights(weights[head], queries, keys, axes[head, column],
                     example_wanted[0][:, None] == example_names[0])
    axes[0, column].set_title(f"after {step} steps")
for head, ax in enumerate(axes[:, 0]):
    ax.set_ylabel(f"head {head}\n\nquery")
fig.colorbar(axes[0, 0].images[0], ax=axes, shrink=0.6, label="attention weight")
plt.show()

# %% tags=["demonstration"]
x, answers, names, wanted = lookup_batch(np.random.default_rng(1), 200)
asked = wanted[:, :, None] == names[:, None, :]
weights = np.stack([weights_of(layer, sequence, 2) for sequence in x], axis=1)
for head in range(2):
    part = slice(6 * head, 6 * head + 6)
    carried = np.asarray(layer.v_proj.weight.data)[10:,
        part] @ np.asarray(layer.out_proj.weight.data)[part, 10:]
    on, off = weights[head][asked].mean(), weights[head][~asked].mean()
    print(f"head {head}: on the wanted token {on:.2f}, on each other one {off:.2f}, "
          f"the numbers of a note are multiplied by {carried[0, 0]:.2f} and {carried[1, 1]:.2f}")
    print("        and each is added to the other with a factor of "
        f"{max(abs(carried[0, 1]), abs(carried[1, 0])):.3f} at most")

# %% [markdown]
# In our run, head 1 does the looking up: on average over 200 sequences, it has 0.79 on the wanted token and 0.05 on each other one. Head 0 has stayed nearly even on average, with 0.23 and 0.19. How can the answer be nearly exact with 0.79?
#
# `v_proj` and `out_proj` multiply a note that comes through head 1 by 1.37, and one that comes through head 0 by −0.37: the diagonal of the 2 × 2 matrix `carried`. (The entries off the diagonal are nearly 0, so the two numbers of a note are not mixed.) The wanted note therefore arrives with $1.37 \cdot 0.79 - 0.37 \cdot 0.23 \approx 1$, each other one with $1.37 \cdot 0.05 - 0.37 \cdot 0.19 \approx 0$. One head looks, the other subtracts the blur. A heatmap alone doesn't show that. Check it with your own numbers.

# %% [markdown]
# ## Does a falling loss prove that the gradient is right?
#
# We trained layers with a mistake in `backward` in the same way, from the same initial weights. Predict: which of these mistakes would you notice from the loss alone?
#
# | mistake | what such a layer computes |
# |---|---|
# | `dQ` and `dK` changed places | `k_proj` gets $dQ$, `q_proj` gets $dK$ |
# | scores' gradient transposed on the wrong side | $dQ = dS^\top K/\sqrt{d_k}$ and $dK = dS\,Q/\sqrt{d_k}$ |
# | heads' gradients merged by a bare reshape | `(batch, num_heads, seq, d_k)` read in its order as `(batch, seq, embed_dim)` |
# | `dV` with untransposed attention weights | $dV = W\,dO$ |
# | average forgotten in softmax | $ds_j = w_j\,g_j$ |
# | scale forgotten in the backward pass | $dQ = dS\,K$ and $dK = dS^\top Q$ |
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
# | average forgotten | 0.0006 |
# | scale forgotten | 0.0002 |
# | path forgotten | 0.0006 |
#
# </details>

# %% [markdown]
# The swap, the wrong transpose and the bare reshape fail visibly. The untransposed `dV` misses 0.01 here, but in some other runs it ended below, and nobody would have noticed.
#
# The last three can't be distinguished from a correct layer. Without the scale it learns even faster: here that only makes the steps of `q_proj` and `k_proj` larger. And a forgotten path changes nothing at all, because no layer before this one uses the gradient of `x`. In a deep model every earlier layer would get a wrong one.
#
# Without the average, the gradients of `q_proj` and `k_proj` are wrong: in three out of four steps the error had a larger norm than the correct gradient. Yet they still pointed downhill: with all numbers of both projections in one vector, the cosine with the correct gradient was at least 0.54 in every step, and about 0.9 while the loss fell fastest. For another task there is no such guarantee.
#
# So a falling loss proves little about a gradient. Compare with finite differences.

# %% task blending-is-no-gradient [markdown] points=2
# ## 5.6 In your own words: a shortcut that isn't one
#
# **more · <!-- points -->2 points<!-- end --> · about 15 minutes · difficulty ●●○ · read by a person**
#
# Some course code has no `backward` for attention. Instead, its forward pass returns
#
# `output = attention(Q, K, V) + 0.0001 * (Q + K + V)`
#
# and the comment says: *blend in a little of Q, K and V to keep gradients flowing*. Its backward pass differentiates only the blended part, and treats the attention part as a constant.
#
# 1. The backward pass gives `Q` a gradient. Of which function is it the gradient: of the loss, or of another function? What would a comparison with finite differences show?
# 2. What will such a layer not learn? And what would you do instead, if gradients really are too small? One remedy is enough: think of how the weights start, and of $1/\sqrt{d_k}$.
#
# Four to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point** for what it is: a gradient is fixed by the function, it says how the loss changes if Q changes. Here the loss depends on Q almost only through softmax(QKᵀ/√d_k)V, and that part is left out. Q receives 0.0001 times the output's gradient, as do K and V: the gradient of another function, 0.0001·(Q + K + V) alone. Finite differences would disagree with it (they'd find dS·K/√d_k plus the small term). The blend also changes the output, if only a little, so even the forward pass is no longer attention. Half a point for “it is not the derivative of the function” without saying of which function it is.
#
# **1 point** for the consequence and the remedy: the layer never learns where to attend, because the gradient doesn't depend on the scores, the keys or on which key was right; if the loss falls, it does so through other layers. (Trained on the lookup task in this way, our layer ends at 0.81: no better than even attention weights.) Remedies that are honest: the real backward pass (5.4); the scale √d_k and a sensible start, so that softmax does not saturate; a residual connection x + attention(x), which is part of the model, in forward *and* backward. One of them is enough. Half a point for only one of the two, consequence or remedy.
#
# **Half right (1 point of 2):** “The gradient is not zero any more, but it is wrong, so training is worse.” True, but it doesn't say of which function it is the gradient, nor what would show the mistake.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 5.6** (double-click here, and write in place of this line)

# %% [markdown]
# ## What you have built
#
# You have a multi-head attention layer that learns, and you wrote every part of its gradient yourself: the softmax's Jacobian product, the gradients of queries, keys, values and attention weights, the backward pass through splitting and combining heads, sums over paths and over tokens. You checked it by a second route that needs no theory. And you saw it find, from nothing but a loss, that a wish has to be compared with a name.
#
# PyTorch's autograd does the same, rule by rule, for any formula. You will trust it more, and know where to look when it surprises you.
#
# ### Three questions to think about
#
# 1. `forward` stores the attention weights for the backward pass: `batch · heads · seq²` numbers. Could `backward` do without them, and what would that cost?
# 2. In the lookup task, why does the layer need `q_proj` and `k_proj` to be different? What could it not express with a single matrix for both?
# 3. Suppose a token wants *two* names, and the answer is the sum of both notes. What would two heads do? Could one head do it? And for the difference of the notes?
#
# <details><summary>Answers</summary>
#
# 1. Yes: queries and keys (and the mask) are stored anyway, so `backward` can recompute the weights. That is one more matrix product in addition to the four of the backward pass, a quarter more work if $d_k = d_v$. With 8 sequences of 1024 tokens and 12 heads it saves 101 million numbers per layer. FlashAttention does so.
# 2. With one matrix and one bias for both, the score of query `i` for key `j` is that of query `j` for key `i`. But that C wants B says nothing about what B wants. Trained in this way (`layer.k_proj = layer.q_proj`, the step taken once for both), our layer ends at 0.63 instead of 0.0006.
# 3. Two heads could take one wish each. But one head can do it as well: its query matches both names, each of the two tokens gets nearly half (0.49), and the values are doubled. With both wishes as ones in features 5 to 9, we trained three times, for 1500 steps: one head ended at 0.0008, two at 0.0002 to 0.0009. For the difference (wishes 1 and −1) one head isn't enough, since its weights are never negative and both notes pass through the same value matrix: it ended at 1.0 to 1.2, where always answering 0 gives 2, and two heads below 0.0001.
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
