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
# # Causal attention in PyTorch
#
# *Attention, Graded · lesson 04 · PyTorch · about 120 minutes · 32 points*
#
# You know attention as arithmetic. Now you build it as it stands in real models: as a `torch.nn.Module` with learned layers, many heads in one tensor, sequences of different lengths in one batch, and a mask that keeps every token from reading its own future.
#
# At the end your layer takes over the weights of PyTorch's own `nn.MultiheadAttention` and gives the same numbers. On the way you will meet the mistakes that have the right shape, run without an error, and are wrong.

# %% [markdown]
# ## How to work through this notebook
#
# Each exercise has an explanation, a cell where you write code, and a test cell that you run. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. No output means that the test passed.
#
# A failing test tells you what it thinks went wrong, behind the word `AssertionError` at the end of the message. Read that first. If you are stuck, open the hints one at a time: a question, then functions that help, then the steps in words.
#
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. Five short questions, in 4.2 and 4.8, are answered in words and read by a person. You can do every exercise even if an earlier one isn't finished, with one exception: 4.7 needs a class from 4.6 that can be built and called.

# %% [markdown]
# ## The one convention of this lesson
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `[batch, seq, input_size]`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, h, i, j]`: sequence `b`, head `h`, **query `i`**, **key `j`** |
# | **Each row of the weights sums to 1** | the softmax runs along the last axis (`dim=-1`), over the keys |
# | **Shapes of the weights** | `nn.Linear(a, b)` holds `weight` `(b, a)` and `bias` `(b,)`, and computes `x @ weight.T + bias`. So `q.weight`, `k.weight`, `v.weight` are `(hidden, input_size)` and `mix.weight` is `(hidden, hidden)` |
# | **Heads** | `hidden = num_heads · head_size`; head `h` owns the slice `h·head_size … (h+1)·head_size` |
#
# **From lesson 02's columns to rows here.** There, a column was a token. Each row of this table names the same thing twice. Tokens move from columns to rows, so a transpose appears; weights are not transposed.
#
# | lesson 02 | here |
# |---|---|
# | X, D×N, one column a token | `x[b].T`, and D is `input_size` |
# | β1ᵀ + ΩX | `(x @ weight.T + bias).T`: Ω **is** `weight`, β **is** `bias`, without transposing |
# | Ω_q of head h, (D_h, D) | rows `h·head_size … (h+1)·head_size` of `q.weight` |
# | KᵀQ: row = key, column = query | `scores[b, h].T`: row = query, column = key |
# | each **column** of the attention sums to 1 | each **row** of the weights sums to 1 |
# | heads stacked along the rows, then Ω_c | heads side by side along the last axis, then `mix`; Ω_c **is** `mix.weight` |

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# What a library says of its own future is not this lesson's subject.
warnings.filterwarnings("ignore", category=DeprecationWarning)
torch.manual_seed(4)  # so that what the demonstrations print is the same for everyone
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("the demonstrations run on:", device, "(the lesson needs no GPU)")


# %% [markdown]
# The next six cells hold what the tests use. You don't need to read them to do the exercises. The first compares numbers: it takes what you computed, what is right, and what well-known mistakes would give, so that it can tell you which mistake it was.

# %% nbgrader={"grade": false, "grade_id": "check-numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def numbers(got):
    """A NumPy array of what came back: a tensor on any device, a list or a tuple."""
    assert got is not None, "you gave back None: does your function end with a return?"
    if isinstance(got, (list, tuple)):
        parts = [numbers(part) for part in got]
        assert len({part.shape for part in parts}) < 2, "you gave back several things, not one"
        return np.array(parts)
    try:
        return np.asarray(got.detach().cpu() if torch.is_tensor(got) else got, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"what came back is no array of numbers\n{problem}") from None


def check_numbers(got, expected, mistakes=None, where="on the small example", tolerance=1e-3, sizes=""):
    """Stop with a helpful sentence unless `got` equals `expected`. All numbers stand below its first line.

    mistakes: a dict, advice -> the numbers that this mistake would give. sizes: of the example.
    """
    got, expected = numbers(got), numbers(expected)
    for advice, wrong in (mistakes or {}).items():
        same = got.shape == np.shape(wrong) and np.allclose(got, wrong, atol=tolerance)
        assert not same, advice
    assert got.shape == expected.shape, (
        f"{where}, the shape is not right\n{sizes}expected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance), (
        f"{where}, the shape is right, but the numbers are not\n"
        f"{sizes}expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


# %% [markdown]
# Your layers start with random weights. For a test to know what comes out, it puts its own weights in. `give_weights` does that, and first looks whether your layer has the names and shapes that the exercise asks for.

# %% nbgrader={"grade": false, "grade_id": "give-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def give_weights(layer, weights):
    """Load copies of `weights` into `layer`, switch it to eval mode, and return it."""
    own = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    missing, extra = sorted(set(weights) - set(own)), sorted(set(own) - set(weights))
    assert not missing, (
        "the layer lacks weights: are the nn.Linear layers named as asked, with their bias?\n"
        f"state_dict() lacks {missing}")
    assert not extra, (
        f"state_dict() should hold the named layers only, but it holds more\nit also holds {extra}")
    for name, value in weights.items():
        assert own[name] == tuple(value.shape), (
            "the weights of a layer have another shape than they should have\n"
            f"{name} has shape {own[name]} and should have {tuple(value.shape)}")
    layer.load_state_dict({name: value.clone() for name, value in weights.items()})
    layer.eval()
    return layer


# %% nbgrader={"grade": false, "grade_id": "output-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def output_of(layer, x, **options):
    """What the layer gives for a copy of x, as a NumPy array."""
    return numbers(layer(x.clone(), **options))


def same(a, b):
    """Whether two arrays hold the same numbers, up to rounding."""
    return np.shape(a) == np.shape(b) and np.allclose(a, b, atol=1e-5, equal_nan=True)


# %% nbgrader={"grade": false, "grade_id": "error-of", "locked": true, "schema_version": 3, "solution": false, "task": false}
def error_of(function, *arguments):
    """The error that a call raises, or None."""
    try:
        function(*arguments)
    except Exception as error:
        return error


# %% nbgrader={"grade": false, "grade_id": "random-inputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
def random_tensor(rng, *shape):
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


# %% nbgrader={"grade": false, "grade_id": "random-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def random_weights(rng, input_size, hidden, names=("q", "k", "v", "mix")):
    """Random weights and biases for the layers called `names`; outputs stay near 1."""
    weights = {}
    for name in names:
        inputs = hidden if name == "mix" else input_size
        weights[f"{name}.weight"] = random_tensor(rng, hidden, inputs) / inputs**0.5
        weights[f"{name}.bias"] = random_tensor(rng, hidden) / 2
    return weights


# %% [markdown]
# ## A module in one minute
#
# A PyTorch layer is a class. `__init__` makes the parts that hold weights, and `forward` says what happens to an input. You call the layer itself, `layer(x)`, and PyTorch calls `forward` for you. `state_dict()` lists all weights by name.
#
# Here is a small one that isn't attention. Look at how a `Linear` layer acts on the **last** axis of its input and leaves every other axis alone: all tokens of all sequences at once.

# %% nbgrader={"grade": false, "grade_id": "tiny-module", "locked": true, "schema_version": 3, "solution": false, "task": false}
class TwoViews(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.left = nn.Linear(input_size, hidden)
        self.right = nn.Linear(input_size, hidden)

    def forward(self, x):
        return self.left(x) + self.right(x)


# %% tags=["demonstration"]
two_views = TwoViews(5, 3)
print("output", tuple(two_views(torch.zeros(2, 4, 5)).shape))
for name, value in two_views.state_dict().items():
    print(f"{name:13}", tuple(value.shape))


# %% [markdown]
# ## 4.1 One head as a module
#
# **4 points · about 18 minutes · difficulty ●●○**
#
# Write self-attention with one head. Three linear layers turn each token into a query, a key and a value, all of length `hidden`. Every query is compared with every key, the scores are divided by $\sqrt{\text{hidden}}$, softmax turns them into weights, and the weights mix the values:
#
# $$\mathrm{softmax}\!\left(\frac{q\,k^\top}{\sqrt{\text{hidden}}}\right) v$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` each |
# | scores | $q\,k^\top/\sqrt{\text{hidden}}$ | `[batch, seq, seq]` (query, key) |
# | weights | softmax over the keys | `[batch, seq, seq]` |
# | output | weights times values | `[batch, seq, hidden]` |
#
# Name the layers exactly `q`, `k` and `v`: keep them as `self.q`, `self.k`, `self.v`, each with its bias. There is no further layer here.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` has shape `[2, 5, 7]` and `hidden` is 12. Which two axes of the keys must change places so that a matrix product with the queries gives `[2, 5, 5]`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(inputs, outputs)`, `tensor.transpose(-2, -1)`, the operator `@` (it treats leading axes as a batch), `torch.softmax(..., dim=...)`, `math.sqrt`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `__init__`, the call of the parent's `__init__` is there already; keep it first. Below it, make three linear layers from `input_size` to `hidden`. In `forward`, send `x` through each. Multiply the queries with the keys whose last two axes are swapped. Divide by the root of the length of a query. Softmax along the last axis. Multiply with the values.
# </details>
#
# <details><summary>I get “cannot assign module before Module.__init__() call”</summary>
#
# The call of the parent's `__init__` must stay the first line of yours, as in `TwoViews` above. It prepares the place where the layers are kept.
# </details>
#
# <details><summary>I get “The size of tensor a must match”, or a warning about `.T`</summary>
#
# On a tensor with three axes, `.T` turns all of them around, the batch as well. Swap only the last two axes: `transpose(-2, -1)`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "self-attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SelfAttention(nn.Module):
    """SelfAttention(input_size, hidden): one head, with linear layers q, k and v.

    forward(x): x is [batch, seq, input_size]; returns [batch, seq, hidden].
    """

    def __init__(self, input_size, hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        return torch.softmax(scores, dim=-1) @ v
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "self-attention-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
one = {"q.weight": [[1, 0], [0, 1], [1, 1], [0, 1]], "q.bias": [0, 1, 0, 0],
       "k.weight": [[0, 1], [1, 0], [1, -1], [1, 1]], "k.bias": [1, 0, 0, 0],
       "v.weight": [[1, 0], [0, 2], [1, 1], [-1, 0]], "v.bias": [0, 0, 0, 1]}
layer = SelfAttention(2, 4)
give_weights(layer, {name: torch.tensor(value).float() for name, value in one.items()})
x = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
got = numbers(layer(given := x.clone()))
assert got.shape[:2] == (1, 3), f"the output has shape {got.shape} and should have (1, 3, 4)"
check_numbers(got[0, 0], [0.8446, 1.1554, 1.4223, 0.1554], {
    "the scores are not divided by √hidden": [0.9366, 1.0634, 1.4683, 0.0634],
    "the scores are divided by hidden, not by its root": [0.7673, 1.2327, 1.3837, 0.2327],
    "the scores are multiplied by √hidden: divide": [0.9909, 1.0091, 1.4955, 0.0091],
    "divided by √input_size: what counts is the length of a query, hidden":
        [0.8916, 1.1084, 1.4458, 0.1084],
    "divided by √seq: what counts is the length of a query, hidden":
        [0.8639, 1.1361, 1.4319, 0.1361],
    "softmax runs over the queries: it must run over the keys": [0.2805, 1.0478, 0.8044, 0.3837],
    "softmax runs over the batch: give dim=-1": [2, 4, 4, 1],
    "queries and keys have changed places": [0.7688, 1.7195, 1.6285, 0.2312],
    "the weights mix x itself: they must mix the values v(x)": [0.8446, 0.5777],
    "the weights don't sum to 1: is there a softmax?": [8.9634, 12.2608, 15.0938, 1.6487],
}, where="for the first of three tokens")
assert torch.equal(given, x), "the layer changed its input: compute new tensors"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(401)
for batch, seq, input_size, hidden in [(2, 5, 7, 12), (3, 4, 6, 10), (1, 1, 3, 2)]:
    weights = random_weights(rng, input_size, hidden, ["q", "k", "v"])
    layer, x = SelfAttention(input_size, hidden), random_tensor(rng, batch, seq, input_size)
    w = {name: numbers(value) for name, value in weights.items()}
    q, k, v = (numbers(x) @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    expected = np.zeros((batch, seq, hidden))
    for b in range(batch):
        for i in range(seq):
            shares = [math.exp(q[b, i] @ k[b, j] / math.sqrt(hidden)) for j in range(seq)]
            expected[b, i] = sum(s * v[b, j] for j, s in enumerate(shares)) / sum(shares)
    give_weights(layer, weights)
    check_numbers(layer(given := x.clone()), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"with input_size {input_size} and hidden {hidden} ")
    assert torch.equal(given, x), "on a larger random input, the layer changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Let's look at the shapes with sizes that all differ: 2 sequences, 5 tokens, 7 numbers a token, 12 hidden. Your layer runs on the GPU if there is one.

# %% tags=["demonstration"]
layer = SelfAttention(7, 12).to(device)
x = torch.randn(2, 5, 7, device=device)
print("x      ", tuple(x.shape))
print("q(x)   ", tuple(layer.q(x).shape))
print("output ", tuple(layer(x).shape))

# %% tags=["demonstration"]
first = layer.k(x).transpose(-2, -1)
print("keys, last two axes swapped  ", tuple(first.shape))
print("scores: every query, every key", tuple((layer.q(x) @ first).shape))

# %% [markdown]
# ## 4.2 Why the root?
#
# **2 points · about 10 minutes · difficulty ●○○**
#
# Before you run the next cell, predict. Take queries and keys whose entries are independent, with mean 0 and variance 1. If `hidden` goes from 64 to 128, what happens to the spread of the raw scores: does it stay, grow by about 1.4, or double?
#
# The cell measures three things for growing sizes, without and with the division by the root: the standard deviation of the scores, the largest of 16 weights on average, and the mean of $p\,(1-p)$. The last is the diagonal of softmax's derivative: how strongly a weight $p$ answers to its own score.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(4)
print("hidden |  raw: spread  largest   slope | /√hidden: spread  largest   slope")
for hidden in [8, 32, 64, 128, 512]:
    q, k = (torch.randn(n, hidden, generator=generator) for n in (2000, 16))
    print(f"{hidden:6} |", end="")
    for scores in (q @ k.T, q @ k.T / math.sqrt(hidden)):
        p = torch.softmax(scores, dim=-1)
        sizes = scores.std(), p.max(-1)[0].mean(), (p * (1 - p)).mean()
        print("{:12.2f} {:8.2f} {:8.4f} |".format(*sizes), end="")
    print()


# %% [markdown] nbgrader={"grade": false, "grade_id": "doubling-hidden", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q1 (1 point).** Nothing is divided, and `hidden` doubles. What happens to the scores, to the softmax, and to the gradients that flow back through it? Give the reason, not only the observation. Three or four sentences.
#
# ### BEGIN MARK SCHEME
# Half a point: a raw score is a sum of `hidden` independent products of mean 0 and variance 1, so its variance is `hidden`. Doubling it doubles the variance, and the standard deviation grows by √2 (about 1.41).
#
# Half a point: softmax becomes more pointed, close to 1 for one key and 0 for the rest; the derivatives of softmax, p(1−p) and −p·p′, go towards 0, so queries and keys get almost no gradient and learn slowly or not at all.
#
# Common half-right answer (half a point): "the scores double, so softmax saturates and gradients vanish". The consequence is right; the scores' spread grows by √2, not by 2, and the reason (variance of a sum) is missing.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "dividing-by-root", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q2 (1 point).** Now the scores are divided by $\sqrt{\text{hidden}}$. What does this change for softmax and for the gradients when `hidden` doubles? And why would dividing by `hidden` itself be too much? Three or four sentences.
#
# ### BEGIN MARK SCHEME
# Half a point: dividing by √hidden divides the variance by hidden, so it is 1 at every size. Softmax keeps the same sharpness and the gradients keep their size when hidden doubles (for queries and keys of variance 1, as at the start of training).
#
# Half a point: dividing by hidden makes the standard deviation 1/√hidden, which goes to 0; the weights then become nearly equal for all keys, and attention turns into a plain average that hardly depends on what is asked.
#
# Common half-right answer (half a point): "it makes the numbers smaller, so softmax does not saturate". True of both divisors; it does not say why the root is the right one.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## 4.3 Splitting into heads, and merging again
#
# **3 points · about 14 minutes · difficulty ●●○**
#
# Many heads don't need many layers. One layer makes `hidden` numbers for each token, and each head gets a **contiguous slice** of them: with `hidden` 12 and 3 heads, head 0 owns numbers 0–3, head 1 owns 4–7, head 2 owns 8–11. The length of a slice is `head_size`.
#
# The head then becomes an axis of its own, *before* the tokens, so that `@` treats every head of every sequence separately.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `[batch, seq, hidden]` |
# | cut each token's numbers | `hidden` → `(num_heads, head_size)` | `[batch, seq, num_heads, head_size]` |
# | heads before tokens | swap axes 1 and 2 | `[batch, num_heads, seq, head_size]` |
#
# There is a trap here. Asking for the last shape at once, by a bare `view` or `reshape`, works without an error. But it reads the numbers in their order in memory, and hands slices of tokens to the wrong head.
#
# `merge_heads` goes the way back. `split_heads` must raise a `ValueError` whose message contains both values (for example 12 and 5) if `num_heads` does not divide `hidden`.
#
# <details><summary>Hint 1: a question</summary>
#
# One sequence, three tokens, four numbers each, two heads. Write the twelve numbers on paper as a 3×4 table. Which rectangle of the table is head 0? Are its numbers neighbours in memory?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.view(...)` or `tensor.reshape(...)`, `tensor.transpose(1, 2)`. Or `torch.stack` over slices of the last axis. For the way back `torch.cat` over heads is fine too.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Split: check that the sizes divide. Give the last axis two axes in its place, head first and then the number within the head. Then swap the token axis with the head axis. Merge: swap the same two axes back, and only then join the last two axes into one.
# </details>
#
# <details><summary>I get “view size is not compatible with input tensor's size and stride”</summary>
#
# After `transpose` the numbers are no longer in order in memory, and `view` refuses to copy. `reshape` copies where it has to.
# </details>

# %% nbgrader={"grade": false, "grade_id": "split-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """Give each head its contiguous slice of the last axis.

    x: [batch, seq, hidden]. Returns [batch, num_heads, seq, head_size].
    Raises ValueError if num_heads does not divide hidden; its message contains both values,
    for example 12 and 5.
    """
    ### BEGIN SOLUTION
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"hidden is {hidden} and can't be cut into {num_heads} equal heads")
    return x.view(batch, seq, num_heads, hidden // num_heads).transpose(1, 2)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "split-heads-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
x = torch.tensor([[[0.0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]])
check_numbers(split_heads(x, 2), [[[[0, 1], [10, 11], [20, 21]], [[2, 3], [12, 13], [22, 23]]]], {
    "right shape, wrong numbers: a bare reshape hands slices of tokens to the wrong "
    "head. Cut the last axis, then swap two axes":
        [[[[0, 1], [2, 3], [10, 11]], [[12, 13], [20, 21], [22, 23]]]],
    "the heads come after the tokens: swap axes 1 and 2 after cutting":
        [[[[0, 1], [2, 3]], [[10, 11], [12, 13]], [[20, 21], [22, 23]]]],
    "the heads are interleaved: head 0 takes every second number, not the first half":
        [[[[0, 2], [10, 12], [20, 22]], [[1, 3], [11, 13], [21, 23]]]],
    "the heads are in reverse order":
        [[[[2, 3], [12, 13], [22, 23]], [[0, 1], [10, 11], [20, 21]]]],
    "every head got the slice of head 0":
        [[[[0, 1], [10, 11], [20, 21]], [[0, 1], [10, 11], [20, 21]]]]})
error = error_of(split_heads, torch.zeros(1, 2, 12), 5)
came = type(error).__name__ if error else "no error"
assert isinstance(error, ValueError), f"12 numbers into 5 heads: raise a ValueError, not {came}"
assert "12" in str(error) and "5" in str(error), "the message should contain both values, 12 and 5"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(431)
for batch, seq, heads, size in [(2, 5, 3, 4), (3, 7, 2, 5), (5, 4, 1, 6), (2, 3, 6, 1)]:
    x = random_tensor(rng, batch, seq, heads * size)
    before, got = numbers(x).copy(), split_heads(x, heads)
    expected = np.stack([before[..., h * size:(h + 1) * size] for h in range(heads)], axis=1)
    check_numbers(got, expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {heads} heads of size {size} ")
    assert np.array_equal(numbers(x), before), "split_heads changed its input"
for hidden, heads in [(10, 4), (3, 7)]:
    error = error_of(split_heads, torch.zeros(2, 3, hidden), heads)
    assert isinstance(error, ValueError), (
        "other numbers that can't be cut into equal heads: raise a ValueError\n"
        f"{hidden} numbers into {heads} heads: not {type(error).__name__}")
    assert str(hidden) in str(error) and str(heads) in str(error), (
        "the message should contain both values, also for other numbers")
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "merge-heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x):
    """Put the heads side by side again: the way back from split_heads.

    x: [batch, num_heads, seq, head_size]. Returns [batch, seq, num_heads * head_size].
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, seq, num_heads * head_size)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "merge-heads-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
x = torch.tensor([[[[0.0, 1], [10, 11], [20, 21]], [[2, 3], [12, 13], [22, 23]]]])
check_numbers(merge_heads(x), [[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]], {
    "right shape, wrong numbers: swap heads and tokens back before you join the last two axes":
        [[[0, 1, 10, 11], [20, 21, 2, 3], [12, 13, 22, 23]]],
    "the heads are interleaved: a head's numbers must stay side by side":
        [[[0, 2, 1, 3], [10, 12, 11, 13], [20, 22, 21, 23]]],
    "the heads are in the wrong order: head 0 comes first":
        [[[2, 3, 0, 1], [12, 13, 10, 11], [22, 23, 20, 21]]],
    "head 0 stands in every place": [[[0, 1, 0, 1], [10, 11, 10, 11], [20, 21, 20, 21]]]})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(432)
for batch, heads, seq, size in [(2, 3, 5, 4), (3, 2, 7, 5), (5, 1, 4, 6), (2, 6, 3, 1)]:
    x = random_tensor(rng, batch, heads, seq, size)
    before = numbers(x).copy()
    expected = np.concatenate([before[:, h] for h in range(heads)], axis=-1)
    check_numbers(merge_heads(x), expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {heads} heads ")
    assert np.array_equal(numbers(x), before), "merge_heads changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Two-route check: what you split and merge must be what you started with. That alone proves little, because two matching mistakes cancel. So the next cell also shows what head 1 got of the first token.

# %% tags=["demonstration"]
x = torch.arange(24.0).view(1, 2, 12)
heads = split_heads(x, 3)
print("x", tuple(x.shape), "-> heads", tuple(heads.shape))
print("head 1, token 0:", heads[0, 1, 0].tolist())
print("there and back unchanged:", torch.equal(merge_heads(heads), x))

# %% [markdown]
# And this is what the bare reshape would have done. It has the same shape. Where do the numbers of head 1 for token 0 come from?

# %% tags=["demonstration"]
wrong = x.reshape(1, 3, 2, 4)
print("same shape:", wrong.shape == heads.shape)
print("head 1, token 0:", wrong[0, 1, 0].tolist())
print("token 0 is     :", x[0, 0].int().tolist())


# %% [markdown]
# The four numbers 8 to 11 belong to head 2 of token 0. They stand where head 1 of token 0 should be. Nothing crashes, and no shape gives it away.

# %% [markdown]
# ## 4.4 Scores, head by head
#
# **2 points · about 7 minutes · difficulty ●○○**
#
# Each head compares its own slices of queries and keys. A dot product now sums only `head_size` products, so its spread is $\sqrt{\mathrm{head\_size}}$ and that is the scale, not $\sqrt{\text{hidden}}$.
#
# | operation | expression | shape |
# |---|---|---|
# | dot products in every head | $q\,k^\top$ | `[batch, num_heads, seq_q, seq_k]` |
# | scaled | divided by $\sqrt{\mathrm{head\_size}}$ | the same |
#
# <details><summary>Hint 1: a question</summary>
#
# `q` has shape `[2, 3, 5, 4]`. Which of the four numbers is `head_size`, and how do you read it from `q` itself?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `transpose(-2, -1)` and `@`, or `torch.einsum` with one letter for each axis. `math.sqrt` takes the root of a plain number.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Swap the last two axes of the keys, multiply the queries with them, divide by the root of the length of the queries' last axis. Make a new tensor; leave `q` and `k` as they are.
# </details>
#
# <details><summary>I used `.T`, and the shapes don't fit</summary>
#
# `.T` turns all four axes around, and the batch lands at the end. Use `transpose(-2, -1)`: it swaps only tokens and numbers.
# </details>

# %% nbgrader={"grade": false, "grade_id": "scaled-scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_scores(q, k):
    """Scaled dot products of every query with every key, in every head.

    q: [batch, num_heads, seq_q, head_size], k: [batch, num_heads, seq_k, head_size].
    Returns [batch, num_heads, seq_q, seq_k]. q and k are not changed.
    """
    ### BEGIN SOLUTION
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "scaled-scores-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
q = torch.tensor([[[[1.0, 0, 2, 1]], [[0.0, 1, 1, 2]]]])
k = torch.tensor([[[[1.0, 1, 0, 1], [0, 1, 1, 2], [2, 0, 2, 0]],
                   [[1.0, 0, 2, 1], [0, 2, 0, 0], [2, 1, 0, -1]]]])
given = q.clone(), k.clone()
check_numbers(scaled_scores(*given), [[[[1, 2, 3]], [[2, 1, -0.5]]]], {
    "the scores are not divided by √head_size": [[[[2, 4, 6]], [[4, 2, -1]]]],
    "divided by head_size, not by its root": [[[[0.5, 1, 1.5]], [[1, 0.5, -0.25]]]],
    "divided by √hidden: a dot product in one head sums only head_size products":
        [[[[0.7071, 1.4142, 2.1213]], [[1.4142, 0.7071, -0.3536]]]],
    "divided by √seq: the number of tokens has nothing to do with the spread of one score":
        [[[[1.1547, 2.3094, 3.4641]], [[2.3094, 1.1547, -0.5774]]]],
    "divided by √num_heads: it is the length of a query that counts":
        [[[[1.4142, 2.8284, 4.2426]], [[2.8284, 1.4142, -0.7071]]]],
    "multiplied by √head_size: divide": [[[[4, 8, 12]], [[8, 4, -2]]]],
    "queries and keys have changed places: the query is the row, the key the column":
        [[[[1], [2], [3]], [[2], [1], [-0.5]]]],
    "these are weights already: softmax comes later, after the mask":
        [[[[0.09, 0.2447, 0.6652]], [[0.6897, 0.2537, 0.0566]]]]})
assert torch.equal(given[0], q), "q was changed: divide the scores, in a new tensor"
assert torch.equal(given[1], k), "k was changed: divide the scores, in a new tensor"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(440)
for batch, heads, seq_q, seq_k, size in [(2, 3, 5, 7, 4), (3, 2, 6, 4, 5), (4, 3, 5, 5, 2)]:
    q = random_tensor(rng, batch, heads, seq_q, size)
    k = random_tensor(rng, batch, heads, seq_k, size)
    queries, keys = numbers(q).copy(), numbers(k).copy()
    expected = np.zeros((batch, heads, seq_q, seq_k))
    for b, h, i, j in np.ndindex(*expected.shape):
        expected[b, h, i, j] = math.fsum(queries[b, h, i] * keys[b, h, j]) / size**0.5
    check_numbers(scaled_scores(q, k), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"with {seq_q} queries, {seq_k} keys and head_size {size} ")
    assert np.array_equal(numbers(q), queries) and np.array_equal(numbers(k), keys), (
        "scaled_scores changed q or k")
### END HIDDEN TESTS

# %% [markdown]
# One call compares everything with everything, in every head of every sequence. With 2 sequences, 3 heads, 5 queries and 7 keys, how many scores are that? Predict, then run.

# %% tags=["demonstration"]
q, k = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4)
scores = scaled_scores(q, k)
print("scores", tuple(scores.shape), "=", scores.numel(), "numbers")

# %% [markdown]
# A second route to one of them: take query 3 and key 6 of head 2 in sequence 1, and multiply by hand.

# %% tags=["demonstration"]
by_hand = sum(q[1, 2, 3, n] * k[1, 2, 6, n] for n in range(4)) / 2
print(f"from the table {scores[1, 2, 3, 6]:.4f}, by hand {by_hand:.4f}")


# %% [markdown]
# ## 4.5 Two masks
#
# **4 points · about 15 minutes · difficulty ●●○**
#
# A model that learns to continue a text must not read what it is asked to guess. So a query may look at itself and at what came before. And sequences of different lengths share a batch by padding the short ones at the end; nobody may look at the padding.
#
# Both are done to the **scores, before softmax**: a blocked score becomes $-\infty$, and $e^{-\infty}$ is exactly 0. A score of 0 would not do: $e^0$ is 1, a perfectly good share.
#
# | mask | key `j` is blocked for query `i` of sequence `b` when | same for |
# |---|---|---|
# | future | `j > i` | every sequence and head |
# | padding | `j >= lengths[b]` | every head and **every query** |
#
# So the future is a triangle, and padding is whole **columns**. A padded query still looks at the real keys; its output is never used. If its row were blocked instead, that row would hold nothing but $-\infty$, and its softmax is 0/0, which is NaN. For the same reason every length is at least 1 here: a sequence without any token has no softmax. The tests never use length 0.
#
# Put really $-\infty$ there, in a new tensor. Make the mask **on the device of the scores**: a mask that was made on the CPU stops your model on its first day on a GPU. The tests check this without a GPU, on PyTorch's `meta` device, which knows shapes but holds no numbers.
#
# <details><summary>Hint 1: a question</summary>
#
# For three tokens, draw the 3×3 table with queries down and keys across, and hatch what is blocked. Is the diagonal hatched? What does the first row of the weights have to be after softmax?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.arange` numbers positions. An index `None` gives a tensor a new axis of length 1, and `<`, `>=` compare a column with a row, every pair. `torch.ones` with `torch.triu` makes a triangle. `masked_fill` gives a new tensor; where its mask is True, it *replaces*. `torch.as_tensor` takes a list and a tensor alike.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Future: number the queries and the keys, compare every key's number with every query's, fill where the key's is larger. Padding: number the keys, compare with each sequence's length, and give the result of shape `[batch, seq_k]` two axes of length 1 in the middle, so that it holds for every head and query.
# </details>
#
# <details><summary>I get “the scores were on another device than the mask”</summary>
#
# A tensor that you made inside the function lives on the CPU. Pass `device=scores.device` where you make it.
# </details>

# %% nbgrader={"grade": false, "grade_id": "check-device", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_device(mask, *arguments):
    """Stop unless `mask(scores, *arguments)` stays on the device of the scores.

    Tensors on "meta" hold no numbers; mixing them with the CPU is an error, as on a GPU.
    """
    try:
        where = mask(torch.zeros(2, 3, 4, 4, device="meta"), *arguments).device.type
    except Exception as error:
        said = str(error)
        reads_scores = "item()" in said or "no data" in said  # slow, but right on any device
        devices = ("expected device", "same device", "on device", "cpu")
        if not reads_scores and not any(words in said for words in devices):
            raise  # a mistake of another kind: its own message says more
        where = "meta" if reads_scores else "another device"
    assert where == "meta", (
        "the scores were on another device than the mask: make the mask with device=scores.device")


# %% nbgrader={"grade": false, "grade_id": "mask-future", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_future(scores):
    """Block every key that comes after its query.

    scores: [batch, num_heads, seq, seq], query before key. It is not changed.
    Returns a tensor of the same shape, on the same device, with -inf where j > i.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(scores.shape[-1], device=scores.device)
    return scores.masked_fill(positions[None, :] > positions[:, None], float("-inf"))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "mask-future-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I = -math.inf
scores = torch.tensor([[[[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]]])
given = scores.clone()
got = numbers(mask_future(given))
assert not np.isnan(got).any(), "NaN: 0 times −inf is not a number; use masked_fill or where"
assert not (np.isfinite(got) & (got < -999)).any(), "a large negative number is not −inf"
check_numbers(got, [[[[1, I, I], [4, 5, I], [7, 8, 9]]]], {
    "nothing is blocked": [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]],
    "the diagonal is blocked too: a query keeps itself": [[[[I, I, I], [4, I, I], [7, 8, I]]]],
    "inverted: what should be kept is blocked. In masked_fill, True means replace":
        [[[[I, 2, 3], [I, I, 6], [I, I, I]]]],
    "transposed: this blocks the past. The query is the row, the key the column":
        [[[[1, 2, 3], [I, 5, 6], [I, I, 9]]]],
    "blocked scores are 0, and e⁰ is 1: they must be −inf": [[[[1, 0, 0], [4, 5, 0], [7, 8, 9]]]],
    "these are weights: softmax comes later":
        [[[[1, 0, 0], [0.2689, 0.7311, 0], [0.09, 0.2447, 0.6652]]]]})
check_device(mask_future)
assert torch.equal(given, scores), (
    "mask_future changed its input: the name of a method that works in place ends with _")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(451)
for batch, heads, seq in [(2, 3, 5), (3, 2, 7), (4, 2, 1), (2, 5, 3)]:
    scores = random_tensor(rng, batch, heads, seq, seq)
    before = numbers(scores).copy()
    expected = before.copy()
    for b, h, i, j in np.ndindex(*expected.shape):
        if j > i:
            expected[b, h, i, j] = -math.inf
    got = numbers(mask_future(scores))
    check_numbers(got, expected, tolerance=1e-6, where="on a larger random input",
                  sizes=f"with {seq} tokens ")
    assert np.array_equal(numbers(scores), before), "mask_future changed its input"
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "mask-padding", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mask_padding(scores, lengths):
    """Block the padded keys of every sequence, for all its heads and queries.

    scores: [batch, num_heads, seq_q, seq_k]. It is not changed.
    lengths: the number of real keys in each sequence, at least 1; a list or a LongTensor.
    Returns a tensor of the same shape, on the same device, with -inf where j >= lengths[b].
    """
    ### BEGIN SOLUTION
    lengths = torch.as_tensor(lengths, device=scores.device)
    is_padding = torch.arange(scores.shape[-1], device=scores.device) >= lengths[:, None]
    return scores.masked_fill(is_padding[:, None, None, :], float("-inf"))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "mask-padding-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
I = -math.inf
scores = torch.tensor([[[[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]]] * 2)
given = scores.clone()
got = numbers(mask_padding(given, [2, 3]))
assert got.shape == (2, 1, 3, 3), f"the shape is {got.shape} and should stay (2, 1, 3, 3)"
assert not np.isnan(got).any(), "NaN: 0 times −inf is not a number; use masked_fill or where"
assert not (np.isfinite(got) & (got < -999)).any(), "a large negative number is not −inf"
check_numbers(got[0, 0], [[1, 2, I], [4, 5, I], [7, 8, I]], {
    "nothing is blocked for the sequence of length 2": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
    "the row of the padded query is blocked: block the column of the padded key":
        [[1, 2, 3], [4, 5, 6], [I, I, I]],
    "row and column are blocked: block only the column of the padded key":
        [[1, 2, I], [4, 5, I], [I, I, I]],
    "one column too many is blocked: keys 0 and 1 are real": [[1, I, I], [4, I, I], [7, I, I]],
    "inverted: the real keys are blocked": [[I, I, 3], [I, I, 6], [I, I, 9]],
    "blocked scores are 0, and e⁰ is 1: they must be −inf": [[1, 2, 0], [4, 5, 0], [7, 8, 0]],
}, where="for length 2 of 3")
check_numbers(got[1, 0], [[1, 2, 3], [4, 5, 6], [7, 8, 9]], {
    "each sequence has its own length: the second one has no padding":
        [[1, 2, I], [4, 5, I], [7, 8, I]]}, where="for length 3 of 3")
check_numbers(mask_padding(scores.clone(), torch.tensor([2, 3])), [
    [[[1, 2, I], [4, 5, I], [7, 8, I]]], [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]], where="with a LongTensor")
check_device(mask_padding, [2, 4])
assert torch.equal(given, scores), "mask_padding changed its input: fill a new tensor"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(452)
for lengths, heads, seq_q, seq_k in [([4, 1, 6], 2, 5, 7), ([3, 5], 3, 6, 5), ([1], 4, 3, 2)]:
    scores = random_tensor(rng, len(lengths), heads, seq_q, seq_k)
    before = numbers(scores).copy()
    expected = before.copy()
    for b, h, i, j in np.ndindex(*expected.shape):
        if j >= lengths[b]:
            expected[b, h, i, j] = -math.inf
    for given in (list(lengths), torch.tensor(lengths)):
        check_numbers(mask_padding(scores, given), expected, tolerance=1e-6,
                      where="on a larger random input", sizes=f"with lengths {lengths} and {seq_k} keys ")
    assert np.array_equal(numbers(scores), before), "mask_padding changed its input"
### END HIDDEN TESTS

# %% [markdown]
# Look at the scores, the scores after your mask, and the weights side by side. A hatched cell is blocked and really empty: its score is $-\infty$, its weight exactly 0, which is not the same as a small one. If a cell that should be blocked still holds something, it shows a red number instead.
#
# Predict before you run: the first query keeps one key. What must its weight be, whatever its score is?

# %% nbgrader={"grade": false, "grade_id": "draw-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def draw_weights(ax, weights, blocked, queries, keys, title, largest=1):
    """One head, rows are queries. Blocked cells: hatched if really empty, else a red number."""
    ax.imshow(weights, vmin=0, vmax=largest, cmap="cividis")
    for i in range(len(queries)):
        for j in range(len(keys)):
            shut, empty = blocked[i][j], weights[i][j] in (0, -math.inf)
            color = "red" if shut else "white" if weights[i][j] < largest / 2 else "black"
            if shut:
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0,
                                           edgecolor="gray", hatch="////" if empty else None))
            if len(keys) <= 8 and not (shut and empty):
                ax.text(j, i, f"{weights[i][j]:.2f}", ha="center", va="center", fontsize=8,
                        color=color)
    ax.set_xticks(range(len(keys)), keys, rotation=45, ha="right")
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query", title=title)


# %% tags=["demonstration"]
words = ["the", "cat", "sat", "still"]
scores = torch.tensor([[[[0.5, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 0.5],
                         [0.5, 2.0, 0.5, 0.0], [0.0, 0.5, 2.0, 1.0]]]])
masked = mask_future(scores)[0, 0]
weights, blocked = torch.softmax(masked, dim=-1), torch.ones(4, 4).triu(1)
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
draw_weights(axes[0], scores[0, 0], torch.zeros(4, 4), words, words, "scores", largest=2)
draw_weights(axes[1], masked, blocked, words, words, "scores after the mask", largest=2)
draw_weights(axes[2], weights, blocked, words, words, "weights")
plt.show()

# %% [markdown]
# Both masks go one after the other: the second starts from what the first gave. The order doesn't matter. The rows of the weights still sum to 1, over fewer keys.

# %% tags=["demonstration"]
both = mask_padding(mask_future(scores), [3])
print("kept keys per query:", torch.isfinite(both)[0, 0].sum(-1).tolist())
print("sums of the weights:", numbers(torch.softmax(both, dim=-1)[0, 0].sum(-1)).round(4))

# %% [markdown]
# What would 0 in place of $-\infty$ have done? The next cell tries it for the first query, which should give all its weight to itself.

# %% tags=["demonstration"]
zeroed = scores[0, 0, 0] * torch.tensor([1.0, 0.0, 0.0, 0.0])
print("with −inf:", torch.softmax(mask_future(scores)[0, 0, 0], dim=-1).tolist())
print("with 0   :", [round(p, 2) for p in torch.softmax(zeroed, dim=-1).tolist()])


# %% [markdown]
# ## 4.6 Many heads, masked
#
# **10 points · about 30 minutes · difficulty ●●●**
#
# Now everything comes together in one layer. `mix` is the linear layer that lets the heads talk to each other after they were put side by side.
#
# | operation | expression | shape |
# |---|---|---|
# | project | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` |
# | split | one slice a head | `[batch, num_heads, seq, head_size]` |
# | scores | scaled by $\sqrt{\mathrm{head\_size}}$ | `[batch, num_heads, seq, seq]` |
# | mask | future if `causal`; padding if `lengths` is given | the same |
# | weights | softmax over the keys | the same |
# | dropout | on the weights, in train mode only | the same |
# | heads' outputs | weights times values | `[batch, num_heads, seq, head_size]` |
# | merge, then mix | `att` | `[batch, seq, hidden]` |
#
# The layer returns `att` alone. With `return_attention=True` it returns the pair `(att, probs)`. `probs` are the weights **before dropout**, of shape `[batch·num_heads, seq, seq]`, **batch-major**: row `b·num_heads + h` is head `h` of sequence `b`. First all heads of sequence 0, then all heads of sequence 1.
#
# Dropout sets each weight to 0 with probability `dropout`, and divides the rest by `1 − dropout`, so that the expected sum stays 1. It acts in train mode only; `layer.eval()` switches it off. The constructor raises a `ValueError` whose message contains both values, for example 12 and 5, if `num_heads` does not divide `hidden`. What comes out at padded query positions is free.
#
# Name the layers exactly `q`, `k`, `v`, `mix`, each with its bias. Keep the two signatures as they stand in the cell; the tests pass `causal` and `dropout` by name.
#
# You may use your functions from 4.3 to 4.5, or write it in another way. Five tests look at one thing each, so a mistake in the mask does not cost you the points for the values.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of the eight steps of the table are already functions of yours? What is left that you have not written before?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Dropout(dropout)` is a layer without weights; it knows by itself whether the module is in train or eval mode. `tensor.flatten(0, 1)` joins the first two axes, the earlier one varying slowest. `self.causal` is `False` or `True`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In `__init__`: check that the sizes divide, make four linear layers and a dropout, keep `num_heads` and `causal`. In `forward`: project and split three times, scores, the two masks if asked for, softmax. Keep that result for `probs`. Drop from it, multiply with the values, merge, mix. Join batch and head axis of the kept result if it is asked for.
# </details>
#
# <details><summary>I get “state_dict() should hold the named layers only”</summary>
#
# You registered a mask as a buffer or a parameter. Make it in `forward` from the length of the input, or register it with `persistent=False`.
# </details>
#
# <details><summary>I get “only one of two masks seems to work”</summary>
#
# The second mask has to start from the result of the first one, not from the bare scores. And `lengths` must not switch `causal` off: both can be asked for at once.
# </details>
#
# <details><summary>I get “Boolean value of Tensor with more than one value is ambiguous”</summary>
#
# `lengths` may be a LongTensor, and a tensor is neither true nor false. Ask whether it is `None`.
# </details>

# %% builds_on=["split-heads", "merge-heads", "scaled-scores", "mask-future", "mask-padding"] nbgrader={"grade": false, "grade_id": "multi-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadSelfAttention(nn.Module):
    """Self-attention with several heads: linear layers q, k, v and mix.

    MultiHeadSelfAttention(input_size, hidden, num_heads, causal=False, dropout=0.0) raises
      ValueError if num_heads does not divide hidden; the message contains both values.
    forward(x, return_attention=False, lengths=None):
      x: [batch, seq, input_size]; lengths: real tokens of each sequence, a list or a LongTensor.
      Returns att [batch, seq, hidden], or (att, probs) with probs [batch * num_heads, seq, seq],
      batch-major and taken before dropout.
    """

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        if hidden % num_heads != 0:
            raise ValueError(f"hidden is {hidden} and can't be cut into {num_heads} equal heads")
        self.num_heads, self.causal = num_heads, causal
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)
        self.mix = nn.Linear(hidden, hidden)
        self.drop = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, return_attention=False, lengths=None):
        ### BEGIN SOLUTION
        q, k, v = (split_heads(part(x), self.num_heads) for part in (self.q, self.k, self.v))
        scores = scaled_scores(q, k)
        if self.causal:
            scores = mask_future(scores)
        if lengths is not None:
            scores = mask_padding(scores, lengths)
        probs = torch.softmax(scores, dim=-1)
        att = self.mix(merge_heads(self.drop(probs) @ v))
        return (att, probs.flatten(0, 1)) if return_attention else att
        ### END SOLUTION


# %% [markdown]
# The five tests follow. The next cell holds two sets of weights that make the first of them readable: with `one_token_weights` values are ten times the input, and `mix` doubles and adds 1. With `two_token_weights` the values are 0 for the first token and 1 for the second, and `mix` does nothing. The list below them says what well-known mistakes give for a single token.

# %% nbgrader={"grade": false, "grade_id": "tiny-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
eye, none = torch.eye(6), torch.zeros(6)
one_token_weights = {
    "q.weight": eye, "q.bias": none, "k.weight": eye, "k.bias": none,
    "v.weight": 10 * eye, "v.bias": none, "mix.weight": 2 * eye, "mix.bias": none + 1}
two_token_weights = {
    "q.weight": torch.tensor([[1.0, 0], [2, 1], [0, 1], [1, -1], [0, 2], [0, 1]]), "q.bias": none,
    "k.weight": torch.tensor([[1.0, 0], [0, 2], [1, 1], [0, 1], [1, 0], [0, 3]]), "k.bias": none,
    "v.weight": torch.tensor([[0.0, 1]] * 6), "v.bias": none, "mix.weight": eye, "mix.bias": none}
single_token_mistakes = {
    "the output layer mix is left out": [[[10, 20, 30, 40, 50, 60]]],
    "the values are x itself: project them with v": [[[3, 5, 7, 9, 11, 13]]],
    "head 0 stands in for every head": [[[21, 41, 61, 21, 41, 61]]],
    "the heads are put together in the wrong order": [[[81, 101, 121, 21, 41, 61]]],
    "the heads are interleaved when they are merged": [[[21, 81, 41, 101, 61, 121]]],
    "the heads are compared with each other, not the tokens: swap axes 1 and 2 after cutting":
        [[[80.9982, 100.9982, 120.9982, 81, 101, 121]]],
    "softmax runs over the heads: give dim=-1": [[[1, 1, 1, 81, 101, 121]]],
    "the weights don't sum to 1: is there a softmax?":
        [[[162.6581, 324.3162, 485.9743, 3557.4841, 4446.6051, 5335.7261]]]}

# %% nbgrader={"grade": false, "grade_id": "two-token-mistakes", "locked": true, "schema_version": 3, "solution": false, "task": false}
two_token_mistakes = {
    "the scores are not divided by √head_size": [[0.9526, 0.7311], [0.8808, 0.5]],
    "divided by √hidden: each head has its own, √head_size": [[0.7729, 0.6007], [0.6935, 0.5]],
    "divided by √seq, √input_size or √num_heads, not √head_size": [[0.893, 0.6698], [0.8044, 0.5]],
    "divided by head_size, not by its root": [[0.7311, 0.5826], [0.6608, 0.5]],
    "softmax runs over the queries, not the keys": [[0.6405, 0.3595], [0.3595, 0.6405]],
    "queries and keys have changed places": [[0.5, 0.7604], [0.3595, 0.6405]],
    "each token gets its own value only: no weights, or a split without a swap of axes":
        [[0, 0], [1, 1]],
    "a bare reshape splits the tokens, not the numbers of each token: cut the last axis, then "
    "swap two axes (see 4.3)": [[0, 1], [0, 1]],
    "softmax runs over the batch: give dim=-1": [[1, 1], [1, 1]],
    "merged without a swap of axes": [[0.8497, 0.7604], [0.6405, 0.5]],
    "the heads are interleaved": [[0.3595, 0.9472], [0.2396, 0.9097]],
    "a mask works although causal is False": [[0, 0], [0.7604, 0.5]]}


# %% nbgrader={"grade": false, "grade_id": "values-are-one", "locked": true, "schema_version": 3, "solution": false, "task": false}
def values_are_one(weights):
    """The same weights, but all values are 1, and mix does nothing."""
    eye, none = torch.eye(len(weights["mix.bias"])), torch.zeros(len(weights["mix.bias"]))
    return {**weights, "v.weight": 0 * weights["v.weight"], "v.bias": none + 1,
            "mix.weight": eye, "mix.bias": none}


# %% [markdown]
# Tests 2 to 5 must not depend on your scale or on how heads are cut, and yet see that queries and keys count. For that, they use weights whose rows are all alike: all numbers of a query are the same one, and so for keys and values. Then every head has the same weights, which are known but for the scale, and the tests take any scale that is a common mistake.

# %% nbgrader={"grade": false, "grade_id": "alike-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def alike_weights(rng, input_size, hidden):
    """Random weights of q, k and v whose rows are all alike; mix does nothing."""
    weights = random_weights(rng, input_size, hidden, "qkv")
    for value in weights.values():
        value[:] = value[0].clone()
    return {**weights, "mix.weight": torch.eye(hidden), "mix.bias": torch.zeros(hidden)}


# %% nbgrader={"grade": false, "grade_id": "possible-probs", "locked": true, "schema_version": 3, "solution": false, "task": false}
def possible_probs(x, weights, heads, blocked=False):
    """The weights [batch, seq, seq] that every head may have with alike weights; the first are right.

    The others have another scale, or queries and keys in each other's place, which Test 1 finds.
    """
    q, k = (numbers(x) @ numbers(weights[f"{n}.weight"][0]) + numbers(weights[f"{n}.bias"][0]) for n in "qk")
    hidden, seq, found = len(weights["q.bias"]), x.shape[1], []
    size = hidden // heads
    for scores in (q[:, :, None] * k[:, None], k[:, :, None] * q[:, None]):
        for scale in (size**-0.5, 1, hidden**-0.5, heads**-0.5, seq**-0.5, 1 / size, size**0.5):
            shares = np.exp(size * scale * scores) * ~np.array(blocked)
            found.append(shares / shares.sum(axis=-1, keepdims=True))
            if not np.any(blocked):
                found.append(shares / shares.sum(axis=-2, keepdims=True))
    return found


# %% nbgrader={"grade": false, "grade_id": "check-any", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_any(got, possible, where):
    """Stop unless `got` equals one of the arrays in `possible`, of which the first is right."""
    alike = [got.shape == one.shape and np.allclose(got, one, rtol=1e-4, atol=1e-4) for one in possible]
    if not any(alike):
        check_numbers(got, possible[0], where=where, tolerance=1e-4)


# %% nbgrader={"grade": false, "grade_id": "check-masked", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_masked(rng, batch, seq, sizes, where, causal=False, lengths=None):
    """Stop unless each real token gets what queries and keys with alike weights give, under these masks."""
    weights, x = alike_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    ends = np.array([seq] * batch if lengths is None else lengths)
    blocked = (np.arange(seq) >= ends[:, None])[:, None] | np.zeros((batch, seq, 1), dtype=bool)
    blocked = blocked | (np.triu(np.ones((seq, seq)), 1) == 1) if causal else blocked
    layer = give_weights(MultiHeadSelfAttention(*sizes, causal=causal), weights)
    got = output_of(layer, x) if lengths is None else output_of(layer, x, lengths=list(lengths))
    shape = (batch, seq, sizes[1])
    assert got.shape == shape, f"{where}, the shape is not right\nexpected {shape}, but got {got.shape}"
    values = numbers(x) @ numbers(weights["v.weight"]).T + numbers(weights["v.bias"])
    real = np.arange(seq) < ends[:, None]  # what comes out at the other queries is free
    mean = (~blocked / (~blocked).sum(axis=-1, keepdims=True)) @ values
    assert not np.allclose(got[real], mean[real], atol=1e-4), (
        f"{where}, this is the plain mean of the tokens that may be seen: queries and keys must decide")
    check_any(got[real], [(probs @ values)[real] for probs in possible_probs(x, weights, sizes[2], blocked)],
              where)


# %% [markdown]
# **Test 1 of 5: the values, without any mask (4 points).** First a single token: its only weight is 1, so what comes out is `mix(v(x))`, and nothing else can be wrong. Then two tokens with values 0 and 1, where the output *is* the weight on the second token, in each head.

# %% nbgrader={"grade": true, "grade_id": "multi-head-values-test", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
layer = MultiHeadSelfAttention(6, 6, 2)
give_weights(layer, one_token_weights)
check_numbers(layer(torch.tensor([[[1.0, 2, 3, 4, 5, 6]]])), [[[21, 41, 61, 81, 101, 121]]],
              single_token_mistakes, where="for a single token")
layer = MultiHeadSelfAttention(2, 6, 2)
give_weights(layer, two_token_weights)
x = torch.eye(2)[None]
given = x.clone()
got = numbers(layer(given))
assert got.shape == (1, 2, 6), f"the output has shape {got.shape} and should have (1, 2, 6)"
assert torch.equal(given, x), "the layer changed its input: compute new tensors"
check_numbers(got[0][:, [0, 3]], [[0.8497, 0.6405], [0.7604, 0.5]], two_token_mistakes,
              where="for two tokens, the weight on the second, one column a head")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(461)
for batch, seq, sizes in [(2, 5, (7, 12, 3)), (3, 4, (6, 10, 2)), (2, 6, (5, 4, 1))]:
    weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    w = {name: value.double() for name, value in weights.items()}
    q, k, v = (x.double() @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    parts = [F.scaled_dot_product_attention(*group) for group in
             zip(*(t.split(sizes[1] // sizes[2], dim=-1) for t in (q, k, v)))]
    expected = torch.cat(parts, dim=-1) @ w["mix.weight"].T + w["mix.bias"]
    layer, given = MultiHeadSelfAttention(*sizes), x.clone()
    give_weights(layer, weights)
    check_numbers(layer(given), expected, tolerance=1e-5, where="on a larger random input",
                  sizes=f"for {sizes} and {seq} tokens ")
    assert torch.equal(given, x), "on a larger random input, the layer changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 5: causal (2 points).** A missing `mix` or a wrong scale costs nothing here. Do Test 1 first: a wrong split, merge or softmax shows here too. The first query must get what it would get alone. A change of the last token must change nothing before it. Every query must get what it gets when the sequence ends with it. And with the weights above, each must get what its query and the keys up to it give.

# %% nbgrader={"grade": true, "grade_id": "multi-head-causal-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(46)
weights, x = random_weights(rng, 4, 4), random_tensor(rng, 1, 3, 4)
causal = give_weights(MultiHeadSelfAttention(4, 4, 2, causal=True), weights)
free = give_weights(MultiHeadSelfAttention(4, 4, 2), weights)
out, alone = output_of(causal, x), output_of(free, x[:, :1])[:, 0]
new_first, new_last = x.clone(), x.clone()
new_first[:, 0] += 1
new_last[:, 2] += 1
first_is_right = same(out[:, 0], alone)
looks_back = not same(output_of(causal, new_first)[:, 1:], out[:, 1:])
first = " (if Test 1 fails, start there)"
assert not np.isnan(out[:, 0]).any(), "the first query has no key left: it keeps itself" + first
assert first_is_right or not same(out, output_of(free, x)), "causal=True changes nothing"
assert first_is_right or looks_back, (
    "the mask is the wrong way round: a query sees what comes after it, not what came before. True "
    "means block in masked_fill, and may attend in F.scaled_dot_product_attention" + first)
summing = give_weights(MultiHeadSelfAttention(4, 4, 2, causal=True), values_are_one(weights))
sums = output_of(summing, torch.ones(1, 3, 4))
assert same(sums, np.ones((1, 3, 4))), (
    "the weights of a query don't sum to 1: the mask belongs before softmax, not after it" + first)
assert first_is_right, ("the first query must see itself and nothing else. Is each blocked score "
                        "−inf before softmax (a 0 there still gets a share)?" + first)
assert same(output_of(causal, new_last)[:, :2], out[:, :2]), "a later token changes earlier ones" + first
assert looks_back, "no query sees the tokens before it" + first
check_masked(rng, 2, 3, (5, 4, 2), causal=True, where="where the weights have rows that are alike")
### BEGIN HIDDEN TESTS
for batch, seq, sizes in [(2, 5, (7, 12, 3)), (3, 4, (6, 10, 2)), (2, 7, (6, 10, 2))]:
    weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    causal = give_weights(MultiHeadSelfAttention(*sizes, causal=True), weights)
    free = give_weights(MultiHeadSelfAttention(*sizes), weights)
    for t in range(seq):
        check_numbers(output_of(causal, x)[:, t], output_of(free, x[:, :t + 1])[:, t], tolerance=1e-5,
                      where="compared with sequences that end at the query", sizes=f"query {t} of {seq}: ")
    check_masked(rng, batch, seq, sizes, causal=True, where="where a larger layer's weights are alike")
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 5: a padded batch (1 point).** The real tokens of a padded sequence must get what they get without padding, with `causal` on as well. And with the weights above, each must get what its query and the real keys give. As in Test 2, a wrong split or softmax shows here too.

# %% nbgrader={"grade": true, "grade_id": "multi-head-padding-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(47)
weights, x = random_weights(rng, 4, 4), random_tensor(rng, 2, 3, 4)
layer = give_weights(MultiHeadSelfAttention(4, 4, 2), weights)
out, open_out = output_of(layer, x, lengths=[2, 3]), output_of(layer, x)
alone = output_of(layer, x[:1, :2])
right = same(out[:1, :2], alone)
assert right or not same(out[0, :2], open_out[0, :2]), (
    "lengths changes nothing for the real queries: block the columns of the padded keys")
assert not np.isnan(out[1]).any(), "an unpadded sequence has no key left: inverted mask, or see Test 1"
summing = give_weights(MultiHeadSelfAttention(4, 4, 2), values_are_one(weights))
sums = output_of(summing, torch.ones(2, 3, 4), lengths=[2, 3])[0, :2]
assert same(sums, np.ones((2, 4))), (
    "the weights of a query don't sum to 1: the mask belongs before softmax, not after it "
    "(if Test 1 fails, start there)")
assert right, (
    "the 2 real tokens of a padded sequence don't get what they get without padding (if Test 1 "
    "fails, start there)")
assert same(out[1], open_out[1]), "a sequence without padding must not change"
both = give_weights(MultiHeadSelfAttention(4, 4, 2, causal=True), weights)
assert same(output_of(both, x, lengths=torch.tensor([2, 3]))[:1, :2], output_of(both, x[:1, :2])), (
    "with causal and lengths together, both masks must hold: the second starts from the first")
check_masked(rng, 3, 4, (5, 6, 2), lengths=[2, 4, 3], where="where the weights have rows that are alike")
### BEGIN HIDDEN TESTS
cases = [([4, 1, 6], (7, 12, 2)), ([3, 5], (6, 10, 5)), ([2, 7, 5, 3], (5, 9, 3))]
for (lengths, sizes), causal in [(case, flag) for case in cases for flag in (False, True)]:
    layer, seq = MultiHeadSelfAttention(*sizes, causal=causal), max(lengths) + 1
    give_weights(layer, random_weights(rng, *sizes[:2]))
    x = random_tensor(rng, len(lengths), seq, sizes[0])
    for given in (list(lengths), torch.tensor(lengths)):
        out = output_of(layer, x, lengths=given)
        for b, length in enumerate(lengths):
            alone = output_of(layer, x[b:b + 1, :length])[0]
            assert same(out[b, :length], alone), (
                "in a larger batch, a padded sequence doesn't get what it gets without padding\n"
                f"length {length} of {seq}")
    if not causal:
        check_masked(rng, len(lengths), seq, sizes, lengths=lengths,
                     where="where a larger layer's weights are alike")
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 5: the returned weights (1 point).** Here `v` and `mix` change nothing (they are identities), so your `att` can be made from your `probs` a second time, and the two must agree, head by head and sequence by sequence. Last, with the weights above, `probs` are known.

# %% nbgrader={"grade": false, "grade_id": "rebuilt-from", "locked": true, "schema_version": 3, "solution": false, "task": false}
def rebuilt_from(probs, x, heads, head_major=False):
    """Mix the tokens of x by probs, each head its own slice, in batch-major or head-major order."""
    batch, seq, hidden = x.shape
    shape = (heads, batch) if head_major else (batch, heads)
    table = probs.reshape(*shape, seq, seq)
    table = table.swapaxes(0, 1) if head_major else table
    size = hidden // heads
    return np.concatenate(
        [table[:, h] @ x[..., h * size:(h + 1) * size] for h in range(heads)], axis=-1)


# %% nbgrader={"grade": false, "grade_id": "check-returned", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_returned(rng, batch, seq, hidden, heads, **options):
    """Stop unless att and probs fit each other, and probs are taken before dropout."""
    weights, eye = random_weights(rng, hidden, hidden), torch.eye(hidden)
    layer = MultiHeadSelfAttention(hidden, hidden, heads, **options)
    same_weights = {**weights, "v.weight": eye, "v.bias": 0 * eye[0], "mix.weight": eye,
                    "mix.bias": 0 * eye[0]}
    give_weights(layer, same_weights)
    x = random_tensor(rng, batch, seq, hidden)
    assert not isinstance(layer(x.clone()), tuple), "without return_attention, return att alone"
    result = layer(x.clone(), return_attention=True)
    assert isinstance(result, (tuple, list)) and len(result) == 2, "return the pair (att, probs)"
    att, probs = numbers(result[0]), numbers(result[1])
    assert probs.shape == (batch * heads, seq, seq), (
        "probs has another shape, not (batch·num_heads, seq, seq)\n"
        f"it is {probs.shape} and should be {batch * heads, seq, seq}")
    att, table = np.nan_to_num(att), np.nan_to_num(probs)
    rebuilt = rebuilt_from(table, numbers(x), heads)
    other = rebuilt_from(table, numbers(x), heads, head_major=True)
    right = np.allclose(rebuilt, att, atol=1e-5)
    assert right or not np.allclose(other, att, atol=1e-5), (
        "probs is head-major: row b·num_heads + h must be head h of sequence b")
    check_numbers(rebuilt, att, tolerance=1e-5, where="att made a second time from probs "
                  "(is split or merge wrong? If Test 1 fails, start there)")
    dropped = MultiHeadSelfAttention(hidden, hidden, heads, dropout=0.5, **options)
    give_weights(dropped, same_weights)
    dropped.train()
    in_training = numbers(dropped(x.clone(), return_attention=True)[1])
    assert np.allclose(in_training, probs, atol=1e-5, equal_nan=True), (
        "probs in train mode are not those of eval mode: take them before dropout")


# %% nbgrader={"grade": false, "grade_id": "check-probs", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_probs(rng, batch, seq, hidden, heads):
    """Stop unless probs are those of alike weights, also in train mode."""
    weights, x = alike_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    found = [np.repeat(probs, heads, axis=0) for probs in possible_probs(x, weights, heads)]
    for training in (False, True):
        layer = MultiHeadSelfAttention(hidden, hidden, heads, dropout=0.5 if training else 0.0)
        give_weights(layer, weights).train(training)
        got = numbers(layer(x.clone(), return_attention=True)[1])
        check_any(got, found, where="where the weights have rows that are alike, for probs"
                  + (" in train mode" if training else ""))


# %% nbgrader={"grade": true, "grade_id": "multi-head-returned-attention-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check_returned(np.random.default_rng(48), batch=3, seq=2, hidden=6, heads=2)
check_probs(np.random.default_rng(48), batch=3, seq=2, hidden=6, heads=2)
### BEGIN HIDDEN TESTS
for causal, (batch, seq, hidden, heads) in [(False, (2, 4, 15, 3)), (True, (3, 5, 12, 2))]:
    check_returned(np.random.default_rng(481), batch, seq, hidden, heads, causal=causal)
for batch, seq, hidden, heads in [(2, 4, 15, 3), (4, 3, 12, 2)]:
    check_probs(np.random.default_rng(482), batch, seq, hidden, heads)
### END HIDDEN TESTS

# %% [markdown]
# **Test 5 of 5: dropout and errors (2 points).** All values are 1 here, so a head's output is the sum of its weights after dropout. With one head and a single token that is one weight: after dropout of 0.25 it must be either 0 or 1/0.75 = 1.333.

# %% nbgrader={"grade": false, "grade_id": "check-dropped", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check_dropped(rng, dropout=0.25):
    """Stop unless each output in train mode is a sum over kept tokens only, divided by 1 − dropout."""
    weights = {**alike_weights(rng, 6, 6), "v.weight": torch.eye(6), "v.bias": torch.zeros(6)}
    layer = give_weights(MultiHeadSelfAttention(6, 6, 1, dropout=dropout), weights)
    x, where, right = random_tensor(rng, 200, 2, 6), "where a larger layer's weights are alike", False
    found = possible_probs(x, weights, heads=1)
    check_any(output_of(layer, x), [probs @ numbers(x) for probs in found], where)
    layer.train()
    out = output_of(layer, x) * (1 - dropout)
    for probs in found:
        parts = probs[..., None] * numbers(x)[:, None]  # [batch, query, key, 6]
        sums = [a * parts[:, :, 0] + b * parts[:, :, 1] for a in (0, 1) for b in (0, 1)]
        right = right or (np.abs(sums - out).max(axis=-1).min(axis=0) < 1e-4).all()
    assert right, f"{where}, in train mode this is no sum over kept tokens, divided by 1 − dropout"


# %% nbgrader={"grade": true, "grade_id": "multi-head-dropout-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
for sizes in [(7, 12, 5), (4, 10, 3)]:
    error = error_of(MultiHeadSelfAttention, *sizes)
    assert isinstance(error, ValueError), (
        f"hidden {sizes[1]}, {sizes[2]} heads: raise a ValueError; what came is {error!r:.60}")
    assert all(str(size) in str(error) for size in sizes[1:]), (
        f"the ValueError's message should contain both values, {sizes[1]} and {sizes[2]}")
all_ones = values_are_one(one_token_weights)
layer = give_weights(MultiHeadSelfAttention(6, 6, 1, dropout=0.25), all_ones)
x = torch.ones(6000, 1, 6)
assert np.allclose(output_of(layer, x), 1), "eval mode: no dropout there (or start with Test 1)"
layer.train()
out = output_of(layer, x)
assert not np.allclose(out, 1), "no weight is dropped in train mode (dropout after softmax?)"
assert (out == out[:, :, :1]).all(), "parts of a head are dropped: drop weights, not outputs"
kept = out[..., 0][out[..., 0] != 0]
assert np.allclose(kept, 4 / 3, atol=1e-5), "a kept weight must be divided by 1 − dropout"
assert 0.15 < 1 - kept.size / 6000 < 0.35, "dropout is the share of weights that are dropped"
### BEGIN HIDDEN TESTS
layer = give_weights(MultiHeadSelfAttention(6, 6, 2, dropout=0.25), all_ones)
out = numbers(layer.train()(torch.ones(2000, 3, 6)))[:, :, [0, 3]] * 2.25
assert np.allclose(out, np.round(out), atol=1e-4), "weights of 1/3 each, dropped one by one"
assert set(np.unique(np.round(out))) == {0, 1, 2, 3}, "each weight must be dropped on its own"
assert (out[..., 0] != out[..., 1]).any() and (out[:, 0] != out[:, 1]).any(), (
    "each head and each query drops its own weights")
assert abs(out.mean() - 2.25) < 0.1, "the expected sum of the weights must stay 1"
layer.eval()
check_numbers(layer(torch.ones(2, 3, 6)), np.ones((2, 3, 6)), where="back in eval mode")
layer = give_weights(MultiHeadSelfAttention(6, 6, 2), all_ones)
layer.train()
assert np.allclose(numbers(layer(torch.ones(2, 3, 6))), 1), "dropout 0 must drop nothing"
check_dropped(np.random.default_rng(485))
for sizes in [(5, 9, 4), (3, 8, 6)]:
    error = error_of(MultiHeadSelfAttention, *sizes)
    assert isinstance(error, ValueError) and all(str(size) in str(error) for size in sizes[1:]), (
        "with other sizes that don't divide: raise a ValueError whose message contains both values")
### END HIDDEN TESTS

# %% [markdown]
# Look at dropout at work: one head, four equal tokens, so every weight is 1/4. In train mode with dropout 0.5 each weight is 0 or 1/2; the sum over a row is 1 on average only.

# %% tags=["demonstration"]
layer = MultiHeadSelfAttention(6, 6, 1, dropout=0.5)
values_are_one = {"v.weight": torch.zeros(6, 6), "v.bias": torch.ones(6)}
just_pass_on = {"mix.weight": torch.eye(6), "mix.bias": torch.zeros(6)}
layer.load_state_dict({**one_token_weights, **values_are_one, **just_pass_on})
x = torch.ones(1, 4, 6)
print("eval :", layer.eval()(x)[0, :, 0].tolist())
print("train:", layer.train()(x)[0, :, 0].tolist())

# %% [markdown]
# Two-route check of the causal switch: the last query sees everything before it, so with the same weights `causal` must not change its output. All other queries lose something.

# %% tags=["demonstration"]
free, causal = MultiHeadSelfAttention(7, 12, 3), MultiHeadSelfAttention(7, 12, 3, causal=True)
causal.load_state_dict(free.state_dict())
x = torch.randn(1, 5, 7)
moved = (free(x) - causal(x)).abs().amax(-1)[0]
print("change of each query:", [round(value, 4) for value in moved.tolist()])

# %% [markdown]
# All shapes once more, on the GPU if there is one, with 2 sequences, 5 tokens, 7 → 12 numbers and 3 heads. `probs` has 2 · 3 = 6 rows. Which row holds head 2 of sequence 1?

# %% tags=["demonstration"]
layer = MultiHeadSelfAttention(7, 12, 3, causal=True).to(device)
x = torch.randn(2, 5, 7, device=device)
att, probs = layer(x, return_attention=True, lengths=[5, 3])
print("att  ", tuple(att.shape))
print("probs", tuple(probs.shape))
print("row 5 is head 2 of sequence 1; its last query:", [round(p, 2) for p in probs[5, 4].tolist()])

# %% [markdown]
# ## A batch to look at
#
# Three sentences of length 3, 4 and 7 share one padded batch. To make the heads readable, we set their weights by hand. Each token is described by its kind (article, noun, verb, other) and its position, 4 + 7 = 11 numbers.
#
# **Head 0 looks for a kind of word**: nouns look for verbs, everything else looks for nouns. **Head 1 looks one position back.** `v` and `mix` are irrelevant for the weights, so they stay as they come.

# %% nbgrader={"grade": false, "grade_id": "sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentences = [["the", "cat", "sat"], ["a", "dog", "ran", "home"],
             ["the", "bird", "sang", "on", "the", "old", "fence"]]
kinds = {"the": 0, "a": 0, "cat": 1, "dog": 1, "bird": 1, "fence": 1, "sat": 2, "ran": 2, "sang": 2}
lengths = [len(words) for words in sentences]
batch = torch.zeros(3, 7, 11)
for b, words in enumerate(sentences):
    for position, word in enumerate(words):
        batch[b, position, kinds.get(word, 3)] = 1
        batch[b, position, 4 + position] = 1
print("batch", tuple(batch.shape), "  lengths", lengths)

# %% nbgrader={"grade": false, "grade_id": "readable-heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
query_weight, key_weight = torch.zeros(14, 11), torch.zeros(14, 11)
noun, verb = 0, 1                       # what the first two numbers of head 0 stand for
query_weight[noun, [0, 2, 3]] = 3.0     # articles, verbs and others look for a noun
query_weight[verb, 1] = 3.0             # nouns look for a verb
key_weight[noun, 1] = key_weight[verb, 2] = 3.0
for position in range(1, 7):            # head 1 owns the numbers 7 to 13
    query_weight[7 + position, 4 + position] = 4.0
    key_weight[7 + position, 4 + position - 1] = 4.0


def readable_layer(causal):
    layer = MultiHeadSelfAttention(11, 14, 2, causal=causal)
    state = layer.state_dict()
    state.update({"q.weight": query_weight, "k.weight": key_weight,
                  "q.bias": torch.zeros(14), "k.bias": torch.zeros(14)})
    layer.load_state_dict(state)
    return layer.eval()


# %% [markdown]
# Predict before you run. With `causal` on, *cat* can no longer see *sat*. Where does the weight go that it had there? And what changes in head 1?
#
# Each row of pictures is one sentence, each panel one head with the switch off or on. Rows are the real queries; hatched columns at the right are the padding. A red number would be a weight in a cell that should be blocked.

# %% tags=["demonstration"]
figure, axes = plt.subplots(3, 4, figsize=(13, 9), layout="constrained",
                            gridspec_kw={"height_ratios": [5, 6, 9]})
for causal in (False, True):
    att, probs = readable_layer(causal)(batch, return_attention=True, lengths=lengths)
    for b, words in enumerate(sentences):
        keys = words + ["(pad)"] * (7 - len(words))
        blocked = [[j >= len(words) or (causal and j > i) for j in range(7)] for i in range(7)]
        for h in range(2):
            title = f"head {h}, causal {'on' if causal else 'off'}"
            table = probs[b * 2 + h, :len(words)].tolist()
            draw_weights(axes[b, 2 * h + causal], table, blocked, words, keys, title)
figure.colorbar(axes[2, 3].images[0], ax=axes, shrink=0.4, label="weight")
plt.show()


# %% [markdown]
# Numbers that look like a small weight and cells that are blocked are two different things. In the first panel *cat* gives *the* a weight of 0.03: it may look there and hardly does. The hatched cells have a weight of exactly 0: the picture hatches a blocked cell only if your layer's weight there is 0, and writes a red number otherwise. If you see red, look at your masks again.

# %% [markdown]
# ## 4.7 Take over PyTorch's own weights
#
# **3 points · about 13 minutes · difficulty ●●○**
#
# `nn.MultiheadAttention(hidden, num_heads, batch_first=True)` is PyTorch's version of your layer. If yours is right, then with the same weights it gives the same numbers. It keeps the three projections in **one** tensor, stacked along the rows:
#
# | PyTorch's name | shape | yours |
# |---|---|---|
# | `in_proj_weight` | `(3·hidden, hidden)` | `q.weight`, then `k.weight`, then `v.weight` |
# | `in_proj_bias` | `(3·hidden,)` | `q.bias`, then `k.bias`, then `v.bias` |
# | `out_proj.weight`, `out_proj.bias` | `(hidden, hidden)`, `(hidden,)` | `mix.weight`, `mix.bias` |
#
# Both sides use `nn.Linear`'s layout, and both give head `h` the same contiguous slice. `module.embed_dim` and `module.num_heads` tell the sizes. Return a `MultiHeadSelfAttention` without a causal mask. This exercise needs a `MultiHeadSelfAttention` from 4.6 that can be built and called. All its weights must be in its `state_dict()`, so that they can also be loaded into a layer that was built with `causal=True`.
#
# <details><summary>Hint 1: a question</summary>
#
# `in_proj_weight` has shape (18, 6). Which rows belong to the keys?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.chunk(3)` cuts along the first axis. `module.state_dict()` gives tensors that need no gradient. `load_state_dict` takes a dict with your names and copies the numbers. Or, one by one, `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Build your layer with `embed_dim` as input size and as hidden size, and with the module's number of heads. Cut weight and bias into three. Collect all eight tensors under your names. Load them, return the layer.
# </details>
#
# <details><summary>I get “cannot assign … as parameter”</summary>
#
# A plain tensor can't take a parameter's place. Leave the parameter where it is and copy numbers into it: all at once with `load_state_dict`, or one by one with `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>

# %% builds_on=["multi-head"] nbgrader={"grade": false, "grade_id": "load-from-torch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_from_torch(module):
    """Copy the weights of PyTorch's own attention into ours.

    module: nn.MultiheadAttention(hidden, num_heads, batch_first=True), with biases.
    Returns a MultiHeadSelfAttention (not causal) that gives the same outputs.
    """
    ### BEGIN SOLUTION
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    theirs, ours = module.state_dict(), {}
    ours["mix.weight"], ours["mix.bias"] = theirs["out_proj.weight"], theirs["out_proj.bias"]
    for kind in ("weight", "bias"):
        for name, part in zip("qkv", theirs[f"in_proj_{kind}"].chunk(3)):
            ours[f"{name}.{kind}"] = part
    layer.load_state_dict(ours)
    return layer
    ### END SOLUTION


# %% [markdown]
# The test looks at the weights that your layer holds now: a plain computation with them must give what PyTorch's module gives, without and with a causal mask. Then your layer must give the same as a fresh one of yours with these weights. So a wrong number in 4.6 costs nothing here, but the class must be built and called without an error.

# %% nbgrader={"grade": true, "grade_id": "load-from-torch-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
def check_load(rng, hidden, heads, batch, seq, bias_scale=0.5):
    module = nn.MultiheadAttention(hidden, heads, batch_first=True).eval()
    theirs = {name: random_tensor(rng, *value.shape) * (hidden**-0.5 if value.dim() > 1 else bias_scale)
              for name, value in module.state_dict().items()}
    module.load_state_dict(theirs)
    x = random_tensor(rng, batch, seq, hidden)
    later = {False: None, True: torch.ones(seq, seq).triu(1).bool()}
    outputs = {causal: numbers(module(x, x, x, attn_mask=mask, need_weights=False)[0])
               for causal, mask in later.items()}
    layer = load_from_torch(module)
    assert layer is not None, "you gave back None: does your function end with a return?"
    layer.eval()
    w = {name: value.detach().cpu() for name, value in layer.state_dict().items()}
    q, k, v = (x @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    parts = list(zip(*(t.split(hidden // heads, dim=-1) for t in (q, k, v))))
    rows = dict(zip("qkv", zip(theirs["in_proj_weight"].split(hidden),
                               theirs["in_proj_bias"].split(hidden))))
    rows["mix"] = (theirs["out_proj.weight"], theirs["out_proj.bias"])
    for causal, expected in outputs.items():
        heads_out = [F.scaled_dot_product_attention(*part, is_causal=causal) for part in parts]
        got = numbers(torch.cat(heads_out, dim=-1) @ w["mix.weight"].T + w["mix.bias"])
        right = np.allclose(got, expected, rtol=1e-5, atol=1e-5)
        for name, (weight, bias) in rows.items():
            assert right or not torch.equal(w[f"{name}.weight"], weight.T), f"{name} is transposed"
            assert right or torch.equal(w[f"{name}.weight"], weight), (
                f"{name}.weight is not PyTorch's: in_proj is q, then k, then v; mix is out_proj")
            assert right or torch.equal(w[f"{name}.bias"], bias), f"{name}.bias is not PyTorch's"
        assert right, "these weights don't give what PyTorch's module gives"
        fresh = MultiHeadSelfAttention(hidden, hidden, heads, causal=causal)
        give_weights(fresh, w)
        assert causal or np.allclose(output_of(layer, x), output_of(fresh, x), atol=1e-5), (
            "the weights are right, but a fresh layer with them gives other numbers: did you pass the "
            f"module's number of heads, and leave causal off?\n(tried with {heads} heads)")
check_load(np.random.default_rng(49), hidden=6, heads=2, batch=3, seq=4)
### BEGIN HIDDEN TESTS
for hidden, heads, batch, seq in [(12, 3, 2, 5), (10, 5, 3, 7)]:
    check_load(np.random.default_rng(491), hidden, heads, batch, seq)
# As PyTorch makes it: the biases of a new module are all 0.
check_load(np.random.default_rng(492), hidden=8, heads=4, batch=2, seq=3, bias_scale=0.0)
### END HIDDEN TESTS

# %% tags=["demonstration"]
module = nn.MultiheadAttention(12, 3, batch_first=True)
for name, value in module.state_dict().items():
    print(f"PyTorch {name:16}", tuple(value.shape))
for name, value in load_from_torch(module).state_dict().items():
    print(f"ours    {name:16}", tuple(value.shape))

# %% [markdown]
# Now the real comparison: your whole layer against PyTorch's, for a causal mask. The gap should be rounding, below 0.000001 or so.

# %% tags=["demonstration"]
module = nn.MultiheadAttention(12, 3, batch_first=True).eval()
layer = MultiHeadSelfAttention(12, 12, 3, causal=True).eval()
layer.load_state_dict(load_from_torch(module).state_dict())
x = torch.randn(2, 5, 12)
block = torch.ones(5, 5).triu(1).bool()
gap = (layer(x) - module(x, x, x, attn_mask=block, need_weights=False)[0]).abs().max()
print(f"largest difference: {gap.item():.1e}")

# %% [markdown]
# ## Two meanings of a boolean mask
#
# PyTorch also has attention as one function, `F.scaled_dot_product_attention(q, k, v, attn_mask=...)`. Its boolean mask says the opposite of what you used so far:
#
# | where | `True` means |
# |---|---|
# | `scores.masked_fill(mask, -inf)` | **block** this score |
# | `nn.MultiheadAttention(..., attn_mask=mask)` | **block** |
# | `F.scaled_dot_product_attention(..., attn_mask=mask)` | this key **may be attended** |
#
# Nothing crashes if you mix them up. The next cell uses the mask as this function wants it, and compares with a computation by hand.

# %% tags=["demonstration"]
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 4, 5).unbind(0)
may_attend = torch.ones(4, 4).tril().bool()
by_hand = torch.softmax((q @ k.mT / 5**0.5).masked_fill(~may_attend, -math.inf), dim=-1) @ v
by_torch = F.scaled_dot_product_attention(q, k, v, attn_mask=may_attend)
print(f"by hand against F.scaled_dot_product_attention: {(by_hand - by_torch).abs().max():.1e}")

# %% [markdown]
# Predict: in the next cell the keys and values of the last token are changed. May the output of query 0 move, with the right and with the inverted mask?

# %% tags=["demonstration"]
new_k, new_v = k.clone(), v.clone()
new_k[..., 3, :] += 1
new_v[..., 3, :] += 1
for name, mask in {"may attend": may_attend, "inverted": ~may_attend}.items():
    before = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    after = F.scaled_dot_product_attention(q, new_k, new_v, attn_mask=mask)
    print(f"{name:10}: query 0 moves by {(after - before)[..., 0, :].abs().max():.3f}")

# %% [markdown]
# This small experiment, *change the future and look whether the past moves*, is the best test of causality there is. It needs no reference, it works on a whole model, and it catches an inverted mask at once.
#
# With the inverted mask the last query has no key at all. A softmax over nothing does not exist: computed plainly it is NaN, and library functions differ in what they put there. In this lesson it can't happen as long as a query keeps itself and every length is at least 1.

# %% [markdown]
# ## 4.8 Three questions
#
# **4 points · about 13 minutes · difficulty ●●○**
#
# Answer in your own words. Full sentences and one example are worth more than a long text.

# %% [markdown] nbgrader={"grade": false, "grade_id": "scale-many-heads", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q3 (1 point).** Your one-head layer divided by $\sqrt{\text{hidden}}$. Is the scale the same in a layer with many heads? Take `hidden` 64 and 4 heads: by which number are the scores divided, and why?
#
# ### BEGIN MARK SCHEME
# Half a point: the number. Not the same: √head_size = √(64/4) = √16 = 4, where one head has √64 = 8.
#
# Half a point: the reason. A score in one head is a sum of only head_size products, so its variance is head_size and its standard deviation √head_size. The other heads' numbers do not enter it. (It is the same rule, "root of the length of a query", with another length.)
#
# Common half-right answer (half a point): "√16, because hidden is divided by the number of heads": right number, no reason by the spread of a sum.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "count-nonlinear", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# **Q4 (1 point).** Count one softmax over one row of scores as one nonlinear operation. For a batch of 2 sequences of 5 tokens: how many are there with 1 head, and with 3 heads? Somebody says: "And `q`, `k`, `v` and `mix` add four more." What do you answer? (Dropout is off.)
#
# ### BEGIN MARK SCHEME
# Half a point: one softmax for every sequence, head and query: 2·1·5 = 10 with one head, 2·3·5 = 30 with three.
#
# Half a point: q, k, v and mix add none. They are linear (exactly: affine, linear plus a bias), and the number of nonlinear operations does not grow by them, however many there are. Splitting and merging only move numbers.
#
# Accept as well, not required: "one kind of nonlinear function, softmax, applied to batch·num_heads·seq rows"; and the remark that q·k and weights·v multiply two things that both depend on x, so the layer is not linear in x even apart from softmax.
#
# Common half-right answer (half a point): "softmax is the only one", with no count, or with a count that forgets the queries (2·3 = 6).
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "read-causal-heatmap", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# **Q5 (2 points).** Choose one of the three sentences in the big figure above. Compare the panels with causal off and on: what do you see in the shape, in the first row, and in the numbers of **one** row that changed? Then say why head 0 and head 1 are hit so differently by the same mask. Name tokens and numbers.
#
# ### BEGIN MARK SCHEME
# 1 point, reading the causal panel of the chosen sentence: everything above the diagonal is hatched (keys after their query); the first row is 1.00 on itself, since it is the only key left; every row still sums to 1. In one row that changed, the weight of the blocked keys has gone to the keys that are left, in their old proportions (example: "cat" in "the cat sat" goes from 0.03, 0.03, 0.94 to 0.50, 0.50). Half a point if only the triangle is described, without numbers.
#
# 1 point, the heads: head 0 looks for a kind of word, which often stands later (article to noun, noun to verb), so the mask takes away just what it looked at and leaves it with an even or other choice; head 1 looks one position back, which is allowed, so its rows from the second on hardly change (0.99 stays about 0.99 or becomes 1.00); only its first row, which has no previous token, becomes 1.00. Half a point if only one of the two heads is explained.
#
# Common half-right answer (1 point): "with causal on the future is masked, so the model can't cheat", with the triangle and the first row named, but no comparison of the heads.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What you built
#
# You have a layer with many heads that can be trained, batched, padded and masked, and it agrees with PyTorch's own. You know it from inside: how heads are slices of one tensor, why the scale is $\sqrt{\mathrm{head\_size}}$, what a mask does to scores before softmax, and where dropout acts.
#
# You also have ways to check any attention layer without a reference: one token alone, the first query of a causal sequence, a change of the future that must not reach the past, padding that must not matter.

# %% [markdown]
# ## Three questions to think about
#
# 1. A causal layer computes all queries at once while it is trained, but when it writes a text it gets one new token at a time. Which of the earlier tokens' queries, keys and values does it need again, and which not?
# 2. With padding at the end and `causal` on, does the padding mask change the output of any *real* query? And with padding at the *start*: which queries would have no key left?
# 3. Dropout on the weights leaves rows that no longer sum to 1. What would change if you divided each row by its sum again after dropout?

# %% [markdown]
# ## References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Nitish Srivastava, Geoffrey Hinton, Alex Krizhevsky, Ilya Sutskever, Ruslan Salakhutdinov: *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*, 2014.
# - Alec Radford, Karthik Narasimhan, Tim Salimans, Ilya Sutskever: *Improving Language Understanding by Generative Pre-Training*, 2018.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapter 12.
