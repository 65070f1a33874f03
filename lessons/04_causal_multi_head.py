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
# *Attention, Graded · lesson 04 · PyTorch · about <!-- minutes -->116<!-- end --> minutes of exercises<!-- with: doubling-hidden -->, core 75<!-- end --> · <!-- points -->31<!-- end --> points*
#
# You know attention as arithmetic. Now you build it as real models do: as a `torch.nn.Module` with learned layers, many heads in one tensor, sequences of different lengths in one batch, and a mask that keeps every token from reading its own future.
#
# <!-- with: load-from-torch -->At the end your layer takes over the weights of PyTorch's own `nn.MultiheadAttention` and returns the same numbers. <!-- end -->On the way you will meet code that runs without an error, returns the right shape, and is wrong.
#
# The core exercises are marked ★.

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
# The tests here use small inputs. When your notebook is graded, larger random inputs are tried as well. <!-- with: doubling-hidden, count-nonlinear -->Three short questions, in 4.2 and 4.8, are answered in words and read by a person. <!-- end -->If you are stuck on an exercise, skip it and come back later: every test brings its own inputs. <!-- with: load-from-torch -->Only the test of 4.7 needs a class from 4.6 that can be built and called. <!-- end --><!-- with: read-causal-heatmap -->Q3 in 4.8 is about figures that your class of 4.6 draws. <!-- end -->Cells that draw or print call your code, so they fail until it works. The minutes are estimates for solving the exercises; reading and running the cells between them takes about an hour more.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **A row is a token** | `x` is `[batch, seq, input_size]`; `x[b, t]` is token `t` of sequence `b` |
# | **The query comes before the key** | `scores[b, h, i, j]`: sequence `b`, head `h`, **query `i`**, **key `j`** |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis (`dim=-1`), over the keys |
# | **Shapes of the weight matrices** | `nn.Linear(a, b)` holds `weight` `(b, a)` and `bias` `(b,)`, and computes `x @ weight.T + bias`. So `q.weight`, `k.weight`, `v.weight` are `(hidden, input_size)` and `mix.weight` is `(hidden, hidden)` |
# | **Heads** | `hidden = num_heads · head_size` (the `depth` of lesson 03); head `h` owns features `h·head_size … (h+1)·head_size − 1` of every token |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **Gradients flow** | through every function and layer, to its inputs and its weights: it computes with tensors, without `.detach()`, `.data`, `.item()`, `torch.no_grad()`, `torch.tensor(x)` or NumPy on the way |
#
# <details><summary>From lesson 02's columns to rows here</summary>
#
# In lesson 02 a column was a token. Here a row is a token, so every array that holds tokens is transposed; weight matrices stay as they are. Each row of the table names one thing in both notations.
#
# | lesson 02 | here |
# |---|---|
# | X, D×N, one column per token | `x[b].T`, and D is `input_size` |
# | β1ᵀ + ΩX | `(x @ weight.T + bias).T`: Ω **is** `weight`, β **is** `bias`, without transposing |
# | Ω_q of head h, (D_h, D) | rows `h·head_size … (h+1)·head_size − 1` of `q.weight` |
# | KᵀQ: row = key, column = query | `scores[b, h].T`: row = query, column = key |
# | each **column** of the attention sums to 1 | each **row** of the attention weights sums to 1 |
# | heads stacked along the rows, then Ω_c | heads side by side along the last axis, then `mix`; Ω_c **is** `mix.weight` |
#
# </details>
#
# </details>

# %% locked imports
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)
torch.manual_seed(4)  # so that the demonstrations print the same for all who run the cells in order
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("the demonstrations run on:", device, "(the lesson needs no GPU)")


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# **What you build.** Your layer reads *the cat sat*, padded to seven tokens. Head 0 looks for a kind of word, head 1 one position back. On the right, the causal mask blocks all later tokens. Hatched cells are blocked: their weight is exactly 0.

# %% alt="Four tables for the cat sat with four pads, head 0 above head 1, causal off left and on right: without the causal mask cat gives sat 0.94 in head 0, with it cat shares 0.50 and 0.50 between the and itself; in head 1, weight is one position back." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_causal_heads():
    words, first, noun = ["the", "cat", "sat"] + ["(pad)"] * 4, [1.0], [0.03, 0.94, 0.03]
    tables = {
        "head 0, causal off": [noun, [0.03, 0.03, 0.94], noun],
        "head 0, causal on": [first, [0.5, 0.5], noun],
        "head 1, causal off": [[0.33, 0.33, 0.33], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        "head 1, causal on": [first, [1.0, 0.0], [0.0, 1.0, 0.0]]}
    figure, axes = plt.subplots(2, 2, figsize=(8.4, 4.8), layout="constrained", sharey=True)
    for ax, (title, rows) in zip(axes.flat, tables.items()):
        image = ax.imshow([row + [math.nan] * (7 - len(row)) for row in rows], vmin=0, vmax=1,
            cmap="cividis")
        ax.patch.set(hatch="////", edgecolor="0.6")
        for query, row in enumerate(rows):
            for key, weight in enumerate(row):
                ax.text(key, query, f"{weight:.2f}", ha="center", va="center", fontsize=10,
                    color="black" if weight > 0.5 else "white")
        ax.set(xticks=range(7), xticklabels=words, yticks=range(3), yticklabels=words[:3],
            title=title)
    figure.supxlabel("key", fontsize=10)
    figure.supylabel("query", fontsize=10)
    figure.colorbar(image, ax=axes, label="attention weight", shrink=0.7)
    plt.show()


draw_causal_heads()


# %% [markdown]
# ## A module in one minute
#
# A PyTorch layer is a class. `__init__` creates the parts that hold weight matrices and biases, and `forward` computes the output. You call the layer itself, `layer(x)`, and PyTorch calls `forward` for you. `state_dict()` lists all weight matrices and biases by name. They start as random numbers, and the tests load their own.
#
# Here is a small layer that isn't attention. A `Linear` layer acts on the **last** axis of its input and leaves every other axis alone: it processes all tokens of all sequences at once.

# %% locked tiny-module
class TwoViews(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.left = nn.Linear(input_size, hidden)
        self.right = nn.Linear(input_size, hidden)

    def forward(self, x):
        return self.left(x) + self.right(x)  # [batch, seq, hidden]


# %% tags=["demonstration"]
two_views = TwoViews(5, 3)
print("output", tuple(two_views(torch.zeros(2, 4, 5)).shape))
for name, value in two_views.state_dict().items():
    print(f"{name:13}", tuple(value.shape))


# %% [markdown]
# ## 4.1 One head as a module
#
# **★ core · <!-- points -->4 points<!-- end --> · about 18 minutes · difficulty ●●○**
#
# Write self-attention with one head: queries, keys and values all come from the same `x`. Three linear layers turn each token into a query, a key and a value, all of length `hidden`. Every query is compared with every key, the scores are divided by $\sqrt{\text{hidden}}$, softmax turns them into attention weights, and these mix the values:
#
# $$\mathrm{softmax}\!\left(\frac{q\,k^\top}{\sqrt{\text{hidden}}}\right) v$$
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys, values | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` each |
# | scores | $q\,k^\top/\sqrt{\text{hidden}}$ | `[batch, seq, seq]` (query, key) |
# | attention weights | softmax over the keys | `[batch, seq, seq]` |
# | output | attention weights times values | `[batch, seq, hidden]` |
#
# Name the layers exactly `q`, `k` and `v`: store them as `self.q`, `self.k`, `self.v`, each with its bias. There is no other layer. In training, gradients must reach all three layers and `x`: the test checks this, too. (The bias of `k` is left out, because its gradient is always 0: softmax ignores a number that is added to all scores of a query.) End each line of `forward` that makes a tensor with a comment on its shape, with the axes in square brackets, as in `TwoViews` above. One of the four points is for these comments; the next section explains them.
#
# <details><summary>Hint 1: a question</summary>
#
# `x` has shape `[2, 5, 7]` and `hidden` is 12. Which two axes of the keys must be swapped so that a matrix product with the queries has shape `[2, 5, 5]`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(inputs, outputs)`, `tensor.transpose(-2, -1)`, the operator `@` (leading axes are batch axes), `torch.softmax(..., dim=...)`, `math.sqrt`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     __init__:  three Linear layers, input_size to hidden
#     forward:   q, k, v  = each layer applied to x
#                scores   = q @ (k with its last two axes transposed) / sqrt(hidden)
#                weights  = softmax of the scores over the last axis
#                return     weights @ v
# </details>
#
# <details><summary>I get “cannot assign module before Module.__init__() call”</summary>
#
# `super().__init__()` must be the first line of your `__init__`, as in `TwoViews` above. It prepares the module to store layers.
# </details>
#
# <details><summary>I get “The size of tensor a must match”, or a warning about <code>.T</code></summary>
#
# On a tensor with three axes, `.T` reverses all of them, the batch axis as well. Swap only the last two axes: `transpose(-2, -1)`.
# </details>
#
# <details><summary>I get “shape … is invalid for input of size …”</summary>
#
# `x` has `input_size` numbers per token, but queries, keys and values have `hidden`. If `B, T, C = x.shape`, then `C` is `input_size`: take `hidden` from the last axis of `q`.
# </details>

# %% solution self-attention edition="core"
class SelfAttention(nn.Module):
    """Self-attention with one head and the linear layers q, k and v.

    SelfAttention(input_size, hidden): the sizes of a token before and after.
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
        q, k, v = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, seq, seq]
        return torch.softmax(scores, dim=-1) @ v  # [batch, seq, hidden]
        ### END SOLUTION


# %% test self-attention points=3
# Test of 4.1 One head as a module, 1 of 2 (3 points). Run the checks cell first.
sizes, rng = (7, 5), np.random.default_rng(41)
weights, x = random_weights(rng, *sizes, "qkv"), random_tensor(rng, 2, 3, 7)
returns("self-attention", output="sequence token number")
check("self-attention", "a single token, whose only weight is 1", output_with, SelfAttention, sizes,
    weights, x[:, :1])
check("self-attention", "a single token of a single sequence", output_with, SelfAttention, sizes,
    weights, x[:1, :1])
returns("self-attention", weights="sequence head query key")
check("self-attention", "how 3 tokens are weighted (a single one is right)", weights_of,
    SelfAttention, sizes, weights, x)
returns("self-attention", output="sequence token number")
check("self-attention", "2 sequences of 3 tokens", output_with, SelfAttention, sizes, weights, x)
learns = ["q.weight", "q.bias", "k.weight", "v.weight", "v.bias"]
check_gradients("self-attention", "gradients", SelfAttention(*sizes), learns, x=x)
### BEGIN HIDDEN TESTS
def plain_attention(w, x):
    q, k, v = (x @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
    return torch.softmax(q @ k.mT / q.shape[-1]**0.5, dim=-1) @ v


rng = np.random.default_rng(401)
for batch, seq, input_size, hidden in [(2, 5, 7, 12), (3, 4, 6, 10), (1, 1, 3, 2), *many_sizes(4, (1, 4)), (9, 9, 9, 9), (3, 3, 3, 3), (1, 48, 3, 2), (2, 3, 2, 300)]:
    weights = random_weights(rng, input_size, hidden, ["q", "k", "v"])
    layer = with_weights(SelfAttention(input_size, hidden), weights)
    sizes = f"with input_size {input_size} and hidden {hidden}, "
    # The first shape comes again after another one, and with other numbers.
    for shape in [(batch, seq), (seq, batch), (batch, seq)]:
        x = random_tensor(rng, *shape, input_size)
        expected = plain_attention({name: value.double() for name, value in weights.items()}, x.double())
        check_numbers(layer.eval()(given := x.clone()), expected, tolerance=1e-5, where="on another random input", sizes=sizes)
        assert torch.equal(given, x), "on another random input, the layer changed its input"
        check_numbers(layer.train()(x.clone()), expected, tolerance=1e-5, where="in train mode, on another random input", sizes=sizes)
    for training in (False, True) if max(batch, seq) < 10 else ():
        names = learns if seq > 1 else ["v.weight", "v.bias"]    # a single weight is always 1
        check_gradients("self-attention", "gradients, on another random input", layer.train(training), {n: weights[n] for n in names}, x=x,
                        right=lambda w, x: plain_attention(weights | w, x))
    large = weights | {"q.weight": 8 * weights["q.weight"], "q.bias": 8 * weights["q.bias"]}
    expected = plain_attention({name: value.double() for name, value in large.items()}, x[:2, :4].double())
    check_numbers(with_weights(layer, large)(x[:2, :4].clone()), expected, tolerance=1e-4, where="with large scores", sizes=sizes)
### END HIDDEN TESTS

# %% [markdown]
# ### Shape comments that are true
#
# In tensor code the most useful comment is the shape that a line produces: `# [batch, seq, hidden]`. It is also the comment that most often goes stale, because nobody checks it. Here a helper checks it. `follow_shapes` runs a method on two inputs of different sizes. Below each line, after an arrow, it prints the shape for the first *and* for the second input.
#
# It reads the comment at the end of a line: the axes in square brackets, as names, numbers or expressions such as `[batch, 2 * seq, 1]`. A line that makes two tensors of different shapes, such as a pair that is returned, has two brackets in the same order: `# [batch, seq], [seq]`. If a statement spans several lines, put the comment on its last line.
#
# | it prints | meaning |
# |---|---|
# | `true` | the comment fits both inputs |
# | `FALSE` | it doesn't; the reason is after the arrow |
# | `none` | the line makes a tensor but has no comment in brackets |
# | `unread` | the comment has brackets but can't be read, so it doesn't count |
# | `stop` | an error ended the method here |
#
# Use the names of the exercise, or integer variables of your own code. Any other name, such as `B`, gets the size of the axis where it is first used, and is reported as *a new name*: check whether you meant it or mistyped another name. But not every mistake changes a shape: a softmax along the wrong axis doesn't.
#
# The next cell checks the comments of `TwoViews`, and the cell after it those of your `SelfAttention`.

# %% tags=["demonstration"]
follow_shapes(
    ({"batch": 2, "seq": 4, "input_size": 7, "hidden": 5}, TwoViews(7, 5), torch.zeros(2, 4, 7)),
    ({"batch": 3, "seq": 6, "input_size": 4, "hidden": 8}, TwoViews(4, 8), torch.zeros(3, 6, 4)),
)

# %% [markdown]
# Are yours true? All sizes of the two inputs differ: 2 sequences of 5 tokens with 7 features each, then 3 sequences of 4 tokens with 6 features each. `hidden` is 12, then 10.

# %% tags=["demonstration"]
layer, other = SelfAttention(7, 12).to(device), SelfAttention(6, 10).to(device)
x, other_x = torch.randn(2, 5, 7, device=device), torch.randn(3, 4, 6, device=device)
follow_shapes(
    ({"batch": 2, "seq": 5, "input_size": 7, "hidden": 12}, layer, x),
    ({"batch": 3, "seq": 4, "input_size": 6, "hidden": 10}, other, other_x),
)

# %% [markdown]
# **The test of your comments (1 point of 4.1).** Every line that makes a tensor, in every function of the cell except `__init__`, needs a true comment that names each axis. The test runs a copy of your cell twice, with inputs of different sizes, and compares each comment with the tensors of its line. The comments count when the layer's values are right. For this, it runs in the process of your code when your notebook is graded. The tests of the values run in another process.

# %% test self-attention-comments points=1 tags=["unjudged"]
# Test of 4.1 One head as a module, 2 of 2 (1 point). Run the checks cell first.
check_shape_comments(
    "SelfAttention",
    ({"batch": 2, "seq": 5, "input_size": 7, "hidden": 12}, (7, 12), torch.randn(2, 5, 7)),
    ({"batch": 3, "seq": 4, "input_size": 6, "hidden": 10}, (6, 10), torch.randn(3, 4, 6)),
)
### BEGIN HIDDEN TESTS
check_shape_comments(
    "SelfAttention",
    ({"batch": 4, "seq": 3, "input_size": 8, "hidden": 5}, (8, 5), torch.randn(4, 3, 8)),
    ({"batch": 2, "seq": 7, "input_size": 5, "hidden": 9}, (5, 9), torch.randn(2, 7, 5)),
)
rng = np.random.default_rng(402)
weights, x = random_weights(rng, 5, 9, "qkv"), random_tensor(rng, 2, 7, 5)
q, k, v = (x @ weights[f"{n}.weight"].T + weights[f"{n}.bias"] for n in "qkv")
check_numbers(with_weights(SelfAttention(5, 9).float(), weights)(x.clone()), F.scaled_dot_product_attention(q, k, v),
              tolerance=1e-5, where="on another random input (the comments count when the exercise is done)")
### END HIDDEN TESTS

# %% [markdown]
# ## 4.2 Why the root?
#
# **more · <!-- points -->2 points<!-- end --> · about 13 minutes · difficulty ●○○**
#
# Predict first. As in 1.4, take queries and keys whose entries are independent, with mean 0 and variance 1. If `hidden` goes from 64 to 128, what happens to the spread of the raw scores: does it stay the same, grow by a factor of about 1.4, or double?
#
# The cell measures three things for growing sizes, without and with the division by the root: the standard deviation of the scores, the largest of 16 attention weights on average, and the slope $p\,(1-p)$ of that largest weight $p$. The slope is the derivative of a weight with respect to its own score. It is at most 1/4, where $p$ is 1/2. The cell prints its median over the queries.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(4)
print("hidden |  raw: spread  largest   slope | /√hidden: spread  largest   slope")
for hidden in [8, 32, 64, 128, 512]:
    q, k = (torch.randn(n, hidden, generator=generator) for n in (2000, 16))
    print(f"{hidden:6} |", end="")
    for scores in (q @ k.T, q @ k.T / math.sqrt(hidden)):
        p = torch.softmax(scores, dim=-1).max(dim=-1)[0]
        sizes = scores.std(), p.mean(), (p * (1 - p)).median()
        print("{:12.2f} {:8.2f} {:8.4f} |".format(*sizes), end="")
    print()

# %% [markdown]
# And how much gradient reaches a query in the backward pass, through softmax and the scores? In the next cell PyTorch computes it. There are 2000 queries, each with 16 keys, every value is a single number, and the loss is the sum of all outputs. The cell prints the norm of a query's gradient: its mean and its median over all queries.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(4)
print("gradient of a query |      raw: mean   median |  /√hidden: mean   median")
for hidden in [64, 128, 256, 512]:
    line = f"{'hidden':>13} {hidden:5} |"
    shapes = (20, 100, hidden), (20, 16, hidden), (20, 16, 1)
    q, k, v = (torch.randn(shape, generator=generator) for shape in shapes)
    for divisor in (1, math.sqrt(hidden)):
        q.grad = None
        p = torch.softmax(q.requires_grad_() @ k.transpose(-2, -1) / divisor, dim=-1)
        (p @ v).sum().backward()
        length = q.grad.norm(dim=-1)
        line += f"{length.mean():15.3f} {length.median():8.3f} |"
    print(line)

# %% [markdown]
# Read both tables downwards: with the root, spread, slope and gradient stay about the same; without it, the spread grows, and the slope and the median gradient fall. Mean and median differ. Undivided, the median falls from 0.42 to 0.005, but the mean doesn't fall: a few queries have two best keys with almost equal scores, and still get large gradients. (At 64 the undivided median is larger than the divided one, because an undivided score reacts √64 = 8 times as strongly to its query.)

# %% task doubling-hidden [markdown] points=2
# **Q1 (2 points).** `hidden` doubles. What happens to softmax and to the gradient of a typical query if nothing is divided, and what if the scores are divided by $\sqrt{\text{hidden}}$? Give the reason, not only the observation, and say why dividing by `hidden` itself would be too much. Four to six sentences.
#
# ### BEGIN MARK SCHEME
# Half a point: a raw score is a sum of `hidden` independent products of mean 0 and variance 1, so its variance is `hidden`. Doubling it doubles the variance, and the standard deviation grows by √2 (about 1.41).
#
# Half a point: softmax becomes more pointed, close to 1 for one key and 0 for the rest. There its derivatives, p(1−p) and −p·p′, go towards 0, so through softmax hardly any gradient reaches the scores of the typical query. (Measured, norm of the gradient of the median query, raw against scaled: 0.42 against 0.26 at hidden 64, 0.005 against 0.26 at 512.)
#
# Half a point: dividing by √hidden divides the variance by hidden, so it is 1 at every size. Softmax and gradients stay as they are when hidden doubles (for queries and keys of variance 1; measured, the median stays between 0.26 and 0.29 from 64 to 512).
#
# Half a point: dividing by hidden makes the standard deviation 1/√hidden, which goes to 0; the attention weights then become nearly equal, and attention turns into a plain average that hardly depends on the query.
#
# Accept "the gradients vanish" without "typical". Not required: the mean over queries does not fall, since a few queries with nearly tied keys get large gradients.
#
# Common half-right answers (1 point): "the scores double, so softmax saturates and gradients vanish; the root prevents this". The consequence is right; the scores' spread grows by √2, not by 2, and the reason (variance of a sum) is missing. "The root makes the numbers smaller": true of both divisors; it does not say why the root is the right one.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 4.2, Q1** (double-click here, and write in place of this line)

# %% [markdown]
# ## 4.3 Splitting into heads, and merging again
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●○**
#
# Many heads don't need many layers. One layer computes `hidden` features for each token, and each head gets a **contiguous slice** of them, that is, adjacent features: with `hidden` 12 and 3 heads, head 0 owns features 0–3, head 1 owns 4–7, head 2 owns 8–11. The length of a slice is `head_size`.
#
# The head then becomes a separate axis *before* the tokens, so that `@` treats every head of every sequence separately.
#
# | operation | expression | shape |
# |---|---|---|
# | start | `x` | `[batch, seq, hidden]` |
# | split each token's features | `hidden` → `(num_heads, head_size)` | `[batch, seq, num_heads, head_size]` |
# | heads before tokens | swap axes 1 and 2 | `[batch, num_heads, seq, head_size]` |
#
# There is a trap here. A bare `view` or `reshape` to the last shape works without an error. But it reads the numbers in memory order, token after token, and gives slices of tokens to the wrong head. The picture shows both for one sequence of 2 tokens. Each number is its place in memory.

# %% alt="Two tokens of twelve features, and the tables of 2 by 4 that three heads get: after a split, head 0 has features 0 to 3 of both tokens, head 1 features 4 to 7, head 2 features 8 to 11; after a bare reshape, head 0 has features 0 to 7 of token 0, head 1 the rest of token 0 and the start of token 1, head 2 features 4 to 11 of token 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# Draws the picture: run it, no need to read it.
colours, numbers = ["#d6e6f5", "#fde3c8", "#d9ead3"], np.arange(24)
ways = {"split: each head gets a slice of every token": numbers.reshape(2, 3, 4).swapaxes(0, 1),
        "bare reshape: same shape, wrong numbers": numbers.reshape(3, 2, 4)}
figure, axes = plt.subplots(2, 1, figsize=(6.6, 5.4), layout="constrained")
for ax, (title, heads) in zip(axes, ways.items()):
    owner = {number: h for h, table in enumerate(heads) for number in table.ravel()}
    boxes = [(t, f, f, 12 * t + f) for t, f in np.ndindex(2, 12)]
    boxes += [(3.6 + t, h * 4.5 - 0.5 + f, f, heads[h, t, f]) for h, t, f in np.ndindex(3, 2, 4)]
    for y, x, _, number in boxes:
        ax.add_patch(plt.Rectangle((x, y), 1, 1, facecolor=colours[owner[number]],
            edgecolor="gray"))
        ax.text(x + 0.5, y + 0.5, number, ha="center", va="center", fontsize=11)
    for t in range(2):
        ax.text(-0.2, t + 0.5, f"token {t}", ha="right", va="center", fontsize=11)
        ax.text(-0.7, t + 4.1, f"token {t}", ha="right", va="center", fontsize=11)
    for h in range(3):
        ax.text(h * 4.5 + 1.5, 3.4, f"head {h}", ha="center", va="bottom", fontsize=11)
    ax.set(xlim=(-2.7, 12.6), ylim=(5.8, -0.2), aspect="equal")
    ax.set_title(title, fontsize=12)
    ax.axis("off")
plt.show()


# %% [markdown]
# `merge_heads` is the inverse. `split_heads` must raise a `ValueError` whose message contains both values (for example 12 and 5) if `num_heads` does not divide `hidden`.
#
# <details><summary>Hint 1: a question</summary>
#
# In the upper part of the picture, read the numbers of head 0 row by row. Where do they jump? A `reshape` never jumps. Which operation changes the order?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.view(...)` or `tensor.reshape(...)`, `tensor.transpose(1, 2)`. Or `torch.stack` over slices of the last axis, and `torch.cat` over heads to merge.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     split:  raise ValueError if hidden % num_heads is not 0
#             view as [batch, seq, num_heads, head_size]
#             transpose axes 1 and 2
#     merge:  transpose axes 1 and 2
#             reshape to [batch, seq, num_heads * head_size]
# </details>
#
# <details><summary>I get “view size is not compatible with input tensor's size and stride”</summary>
#
# After `transpose` the numbers are no longer in memory in the order of the axes: the tensor is not *contiguous*. `view` never copies. `reshape` copies if necessary.
# </details>

# %% solution split-heads edition="core"
def split_heads(x, num_heads):
    """Give each head its contiguous slice of the last axis.

    x: [batch, seq, hidden]. Returns [batch, num_heads, seq, head_size].
    Raises ValueError if num_heads does not divide hidden; its message contains both values,
    for example 12 and 5.
    """
    ### BEGIN SOLUTION
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"hidden is {hidden} and can't be split into {num_heads} equal heads")
    return x.view(batch, seq, num_heads, hidden // num_heads).transpose(1, 2)
    ### END SOLUTION


# %% test split-heads points=2
# Test of 4.3 Splitting into heads, and merging again, 1 of 2 (2 points). Run the checks cell first.
x = torch.tensor(np.random.default_rng(43).permutation(120)).float().view(5, 4, 6)
returns("split-heads", heads="sequence head token number")
check("split-heads", "5 sequences, 4 tokens, 6 numbers, 2 heads", split_heads, x, 2)
check("split-heads", "3 tokens, 3 heads", split_heads, x[:2, :3], 3)
check("split-heads", "1 head", split_heads, x[:2, :3], 1)
check("split-heads", "a head for each of 6 numbers", split_heads, x[:2, :3], 6)
check_error(12, 5, split_heads, torch.zeros(1, 2, 12), 5)
check_gradients("split-heads", "gradients", split_heads, x=x, num_heads=2)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(431)
for batch, seq, heads, size in [(2, 5, 3, 4), *many_sizes(4, (1, 3, 9)), (4, 4, 4, 4), (2, 2, 2, 2), (2, 300, 2, 2)]:
    x = random_tensor(rng, batch, seq, heads * size)
    before, got = as_array(x).copy(), split_heads(x, heads)
    expected = np.stack([before[..., h * size:(h + 1) * size] for h in range(heads)], axis=1)
    check_numbers(got, expected, tolerance=1e-6, where="on another random input",
                  sizes=f"with {heads} heads of size {size}, ")
    assert np.array_equal(as_array(x), before), "split_heads changed its input"
    if max(batch, seq) < 9:
        check_gradients("split-heads", "gradients, on another random input", split_heads, x=x, num_heads=heads,
                        right=lambda x, heads: x.unflatten(-1, (heads, -1)).transpose(1, 2))
for hidden, heads in [(hidden, heads) for hidden in (1, 2, 3, 7, 10, 24, 96) for heads in (2, 3, 4, 5, 7, 9, 25, 97) if hidden % heads]:
    check_error(hidden, heads, split_heads, torch.zeros(2, 3, hidden), heads, where="other sizes that don't divide")
### END HIDDEN TESTS

# %% solution merge-heads edition="core"
def merge_heads(x):
    """Put the heads side by side again: the inverse of split_heads.

    x: [batch, num_heads, seq, head_size]. Returns [batch, seq, num_heads * head_size].
    """
    ### BEGIN SOLUTION
    batch, num_heads, seq, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, seq, num_heads * head_size)
    ### END SOLUTION


# %% test merge-heads points=1
# Test of 4.3 Splitting into heads, and merging again, 2 of 2 (1 point). Run the checks cell first.
x = torch.tensor(np.random.default_rng(430).permutation(120)).float().view(5, 2, 4, 3)
returns("merge-heads", merged="sequence token number")
check("merge-heads", "5 sequences, 2 heads, 4 tokens, 3 numbers", merge_heads, x)
check("merge-heads", "2 tokens, 2 heads", merge_heads, x[:2, :, :2])
check("merge-heads", "1 head", merge_heads, x[:2, :1])
check_gradients("merge-heads", "gradients", merge_heads, x=x)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(432)
for batch, heads, seq, size in [(2, 3, 5, 4), *many_sizes(4, (1, 3, 9)), (4, 4, 4, 4), (2, 2, 2, 2), (2, 2, 300, 2)]:
    x = random_tensor(rng, batch, heads, seq, size)
    before = as_array(x).copy()
    expected = np.concatenate([before[:, h] for h in range(heads)], axis=-1)
    check_numbers(merge_heads(x), expected, tolerance=1e-6, where="on another random input",
                  sizes=f"with {heads} heads, ")
    assert np.array_equal(as_array(x), before), "merge_heads changed its input"
    if max(batch, seq) < 9:
        check_gradients("merge-heads", "gradients, on another random input", merge_heads, x=x,
                        right=lambda x: x.transpose(1, 2).flatten(2))
### END HIDDEN TESTS

# %% [markdown]
# A round trip must return what you started with. That alone proves little, because two matching mistakes cancel. So the next cell also prints what head 1 gets of token 0.

# %% tags=["demonstration"]
x = torch.arange(24.0).view(1, 2, 12)
heads = split_heads(x, 3)
print("x", tuple(x.shape), "-> heads", tuple(heads.shape))
print("head 1, token 0:", heads[0, 1, 0].tolist())
print("unchanged by split and merge:", torch.equal(merge_heads(heads), x))

# %% [markdown]
# A bare reshape has the same shape. Which numbers does its head 1 have for token 0?

# %% tags=["demonstration"]
wrong = x.reshape(1, 3, 2, 4)
print("same shape:", wrong.shape == heads.shape)
print("head 1, token 0:", wrong[0, 1, 0].tolist())
print("token 0 is     :", x[0, 0].int().tolist())


# %% [markdown]
# The four numbers 8 to 11 belong to head 2 of token 0, but are where head 1 of token 0 should be. Nothing crashes, and no shape reveals it.

# %% [markdown]
# ## 4.4 Scores, head by head
#
# **★ core · <!-- points -->2 points<!-- end --> · about 5 minutes · difficulty ●○○**
#
# Each head compares its own slices of queries and keys. A dot product now sums only `head_size` products, so its spread is $\sqrt{\mathrm{head\_size}}$ and that is the scale, not $\sqrt{\text{hidden}}$.
#
# | operation | expression | shape |
# |---|---|---|
# | dot products in every head | $q\,k^\top$ | `[batch, num_heads, seq_q, seq_k]` |
# | scaled | divided by $\sqrt{\mathrm{head\_size}}$ | the same |
#
# The root is a plain number here. If you make a tensor of it, create it on the device of `q`: a tensor that is created without a device is on the CPU, and the model crashes on a GPU.
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
# <details><summary>Hint 3: pseudocode</summary>
#
#     return q @ (k with its last two axes transposed) / sqrt(size of q's last axis)
#
# Don't modify `q` and `k`.
# </details>
#
# <details><summary>I get “The size of tensor a must match”</summary>
#
# `.T` reverses all four axes, so the batch comes last. Use `transpose(-2, -1)`, which swaps only tokens and features.
# </details>

# %% solution scaled-scores edition="core"
def scaled_scores(q, k):
    """Compute the scaled dot products of all queries and keys, in every head.

    q: [batch, num_heads, seq_q, head_size], k: [batch, num_heads, seq_k, head_size].
    Returns [batch, num_heads, seq_q, seq_k]. q and k are not changed.
    """
    ### BEGIN SOLUTION
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    ### END SOLUTION


# %% test scaled-scores points=2
# Test of 4.4 Scores, head by head (2 points). Run the checks cell first.
rng = np.random.default_rng(44)
q, k = random_tensor(rng, 2, 3, 4, 6), random_tensor(rng, 2, 3, 5, 6)
returns("scaled-scores", scores="sequence head query key")
check("scaled-scores", "4 queries and 5 keys in 3 heads of size 6", scaled_scores, q, k)
check("scaled-scores", "1 query and 2 keys of size 1", scaled_scores, q[:1, :2, :1, :1],
    k[:1, :2, :2, :1])
check_gradients("scaled-scores", "gradients", scaled_scores, q=q, k=k)
check_device("scaled-scores", "on another device", scaled_scores, (2, 3, 5, 4))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(440)
for batch, heads, seq_q, seq_k, size in [(2, 3, 5, 7, 4), (3, 2, 6, 4, 5), *many_sizes(5, (1, 3))[:-7], (9, 9, 2, 3, 2), (4, 4, 4, 4, 4), (2, 2, 2, 2, 2), (1, 2, 3, 2, 300)]:
    q = random_tensor(rng, batch, heads, seq_q, size)
    k = random_tensor(rng, batch, heads, seq_k, size)
    queries, keys = as_array(q).copy(), as_array(k).copy()
    expected = np.einsum("bhid,bhjd->bhij", queries, keys) / size**0.5
    given_q, given_k = q.clone(), k.clone()
    check_numbers(scaled_scores(given_q, given_k), expected, tolerance=1e-5, where="on another random input",
                  sizes=f"with {seq_q} queries, {seq_k} keys and head_size {size}, ")
    assert np.array_equal(as_array(given_q), queries) and np.array_equal(as_array(given_k), keys), (
        "scaled_scores changed q or k")
    large = as_array(scaled_scores(4096 * q, 4096 * k)) / 2**24
    check_numbers(large, expected, tolerance=1e-5, where="with large scores")
    if q.numel() < 2000:
        check_gradients("scaled-scores", "gradients, on another random input", scaled_scores, q=q, k=k,
                        right=lambda q, k: torch.einsum("bhid,bhjd->bhij", q, k) / size**0.5)
### END HIDDEN TESTS

# %% [markdown]
# One call compares all queries with all keys, in every head of every sequence. How many scores are there for 2 sequences, 3 heads, 5 queries and 7 keys? Predict, then run.

# %% tags=["demonstration"]
q, k = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4)
scores = scaled_scores(q, k)
print("scores", tuple(scores.shape), "=", scores.numel(), "numbers")
print("products:", scores.numel() * 4, "in 3 heads of size 4;", 2 * 5 * 7 * 12,
    "in one head of size 12")

# %% [markdown]
# **Three heads cost as much as one.** There are three times as many scores, but each sums a third of the products: 840 multiplications either way. The same holds for weights times values. Only softmax and the memory for the tables of scores grow with the number of heads.

# %% [markdown]
# ## 4.5 Two masks
#
# **★ core · <!-- points -->4 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# A model that learns to continue a text must not read what it has to predict. So a query may attend to itself and to earlier tokens only. And sequences of different lengths share a batch: the short ones are padded at the end, and no query may attend to padding.
#
# Both masks act on the **scores, before softmax**: a blocked score becomes $-\infty$, and $e^{-\infty}$ is exactly 0.
#
# The picture shows the scores of one head after masking, for a sequence of 2 tokens that is padded to 4.

# %% alt="Three tables with 4 queries down and 4 keys across: the future mask blocks the triangle above the diagonal and keeps the diagonal itself, the padding mask blocks the two columns of the padded keys in every row, and both together block every key that one of them blocks, so that no row is empty." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# Draws the picture: run it, no need to read it.
# 1 marks a blocked score, in the rows of tokens 0 to 3.
three_masks = {"future: a triangle": [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]],
               "padding: columns": [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]],
               "both": [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]}
tokens = ["the", "cat", "(pad)", "(pad)"]
figure, axes = plt.subplots(1, 3, figsize=(7.4, 3), layout="constrained")
for ax, (title, table) in zip(axes, three_masks.items()):
    ax.imshow(table, cmap="Greys", vmin=0, vmax=5)
    for i, j in np.ndindex(4, 4):
        if table[i][j]:
            ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, linewidth=0,
                                       edgecolor="gray", hatch="///"))
        ax.text(j, i, "−∞" if table[i][j] else "keep", ha="center", va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    ax.set_xticks(range(4), tokens, rotation=45, ha="right")
    ax.set_yticks(range(4), tokens)
    ax.set(title=title, xlabel="key")
axes[0].set_ylabel("query")
plt.show()


# %% [markdown]
# | mask | key `j` is blocked for query `i` of sequence `b` when | same for |
# |---|---|---|
# | future | `j > i` | every sequence and head |
# | padding | `j >= lengths[b]` | every head and **every query** |
#
# Padding blocks whole **columns**, not rows. A padded query still attends to the real keys; its output is never used. If its row were blocked instead, that row would be all $-\infty$, and its softmax would be 0/0, which is NaN. For the same reason every length is at least 1 here.
#
# Return a new tensor. A blocked score in it is exactly $-\infty$, not a large negative number. Create the mask **on the device of the scores**: a mask created on the CPU makes the model crash as soon as you move it to a GPU. The tests check this without a GPU, on PyTorch's `meta` device, whose tensors have shapes but no numbers.
#
# <details><summary>Hint 1: a question</summary>
#
# In the left panel, which keys does *cat*, query 1, keep? State it as a comparison of two positions, then check the diagonal. In the middle panel, which two numbers have to be compared?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.arange` numbers positions. An index `None` adds an axis of length 1, and `<`, `>=` broadcast: a column compared with a row gives every pair. `torch.ones` with `torch.triu` makes a triangle. `masked_fill` returns a new tensor; where its mask is True, it *replaces* the number. `torch.as_tensor` accepts lists and tensors.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     future:   positions = arange(seq) on the scores' device
#               blocked   = (positions as a row) > (positions as a column)
#     padding:  blocked   = arange(seq_k) >= (lengths as a column)     [batch, seq_k]
#               add two axes of length 1 in the middle: [batch, 1, 1, seq_k]
#     both:     masked_fill the scores with -inf where blocked
# </details>
#
# <details><summary>I get “The size of tensor a must match”</summary>
#
# Broadcasting aligns shapes at the last axis. A mask of shape `[batch, seq_k]` is aligned with the axes of queries and keys: which axes of length 1 align its `batch` with that of the scores?
# </details>
#
# <details><summary>I get “a tensor here was made on another device”</summary>
#
# A tensor that you create inside the function is on the CPU. Pass `device=scores.device` when you create it.
# </details>

# %% solution mask-future edition="core"
def mask_future(scores):
    """Block every key that comes after its query.

    scores: [batch, num_heads, seq, seq], query before key. It is not changed.
    Returns a tensor of the same shape, on the same device, with -inf where j > i.
    """
    ### BEGIN SOLUTION
    positions = torch.arange(scores.shape[-1], device=scores.device)
    return scores.masked_fill(positions[None, :] > positions[:, None], float("-inf"))
    ### END SOLUTION


# %% test mask-future points=2
# Test of 4.5 Two masks, 1 of 2 (2 points). Run the checks cell first.
scores = torch.tensor(np.random.default_rng(45).integers(-4, 5, size=(3, 2, 5, 5)) / 2).float()
returns("mask-future", scores="sequence head query key")
check("mask-future", "3 sequences, 2 heads, 5 tokens, and scores of 0 among them", mask_future,
    scores)
check("mask-future", "a single token", mask_future, scores[:1, :, :1, :1])
check("mask-future", "4 tokens", mask_future, scores[..., 1:, 1:])
check_gradients("mask-future", "gradients", mask_future, scores=scores)
check_device("mask-future", "on another device", mask_future)
check("mask-future", "4 tokens, after those on another device", mask_future, scores[..., 1:, 1:])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(451)
for batch, heads, seq in [(1, 1, 260), (2, 3, 5), (4, 2, 1), *many_sizes(3, (1, 3, 9)), (2, 2, 4), (4, 4, 2), (1, 1, 3)]:
    scores = random_tensor(rng, batch, heads, seq, seq)
    extreme = scores * 1e30
    extreme[..., ::3] = 0
    extreme[:, :, 1:, 1::2] = -math.inf    # as after a mask for padding
    for name, given in [("on another random input", scores), ("with large scores, 0 and -inf", extreme)][:2 if seq < 260 else 1]:
        before = as_array(given).copy()
        expected = np.where(np.tri(seq), before, -math.inf)
        check_numbers(mask_future(given), expected, tolerance=1e-6, where=name, sizes=f"with {seq} tokens, ")
        assert np.array_equal(as_array(given), before), "mask_future changed its input"
    if scores.numel() < 100:
        check_gradients("mask-future", "gradients, on another random input", mask_future, scores=scores,
                        right=lambda scores: scores.where(torch.tensor(np.tri(seq) == 1), -math.inf))
### END HIDDEN TESTS

# %% solution mask-padding edition="core"
def mask_padding(scores, lengths):
    """Block the padded keys of every sequence, for all its heads and queries.

    scores: [batch, num_heads, seq_q, seq_k]. It is not changed.
    lengths: the number of real keys in each sequence, at least 1; a list or a LongTensor
    (a tensor of integers).
    Returns a tensor of the same shape, on the same device, with -inf where j >= lengths[b].
    """
    ### BEGIN SOLUTION
    lengths = torch.as_tensor(lengths, device=scores.device)
    is_padding = torch.arange(scores.shape[-1], device=scores.device) >= lengths[:, None]
    return scores.masked_fill(is_padding[:, None, None, :], float("-inf"))
    ### END SOLUTION


# %% test mask-padding points=2
# Test of 4.5 Two masks, 2 of 2 (2 points). Run the checks cell first.
scores = torch.tensor(np.random.default_rng(450).integers(-4, 5, size=(3, 2, 4, 5)) / 2).float()
returns("mask-padding", scores="sequence head query key")
check("mask-padding", "4 tokens, lengths 2, 4 and 1", mask_padding, scores[..., :4], [2, 4, 1])
check("mask-padding", "4 queries, 5 keys, lengths in a LongTensor", mask_padding, scores,
    torch.tensor([3, 1, 5]))
check_gradients("mask-padding", "gradients", mask_padding, scores=scores, lengths=[3, 1, 5])
check("mask-padding", "4 tokens, lengths 2 and 4", mask_padding, scores[1:, :, :, 1:], [2, 4])
check_device("mask-padding", "on another device", mask_padding, [2, 4])
check("mask-padding", "4 tokens, lengths 2 and 4, after those on another device", mask_padding,
    scores[1:, :, :, 1:], [2, 4])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(452)
for batch, heads, seq_q, seq_k in [(3, 2, 5, 7), (2, 3, 6, 5), (1, 4, 3, 2), (2, 2, 2, 210), *many_sizes(4, (1, 3, 9)), (2, 2, 2, 2), (4, 4, 4, 4)]:
    scores = random_tensor(rng, batch, heads, seq_q, seq_k)
    extreme = scores * 1e30
    extreme[:, :, ::2, 1:] = -math.inf    # as after a causal mask
    each = [rng.integers(1, seq_k + 1, size=batch).tolist(), [(seq_k, 1)[b % 2] for b in range(batch)]]
    for (name, start), lengths in zip([("on another random input", scores), ("with large scores and -inf", extreme)], each):
        before = as_array(start).copy()
        kept = np.arange(seq_k) < np.array(lengths)[:, None, None, None]
        for given in (list(lengths), torch.tensor(lengths)):
            given_scores = start.clone()
            check_numbers(mask_padding(given_scores, given), np.where(kept, before, -math.inf), tolerance=1e-6,
                          where=name, sizes=f"with {batch} sequences and {seq_k} keys, ")
            assert np.array_equal(as_array(given_scores), before), "mask_padding changed its input"
            assert list(lengths) == [int(length) for length in given], "mask_padding changed the lengths"
    if scores.numel() < 300:
        check_gradients("mask-padding", "gradients, on another random input", mask_padding, scores=scores, lengths=lengths,
                        right=lambda scores, _: scores.where(torch.tensor(kept), -math.inf))
### END HIDDEN TESTS

# %% [markdown]
# Here are the scores, the scores after your mask, and the attention weights side by side. Attention weights are coloured from dark blue (0) to yellow (1). A hatched cell is blocked: its score is $-\infty$ and its weight exactly 0, not just small. A red frame with a red number is a mistake: a blocked cell that still has a weight, or a kept one that has lost its score.
#
# Predict: query 0 keeps one key. What must its weight be, whatever its score is?

# %% alt="Three tables side by side, scores, scores after the mask and attention weights, with 4 queries down and 4 keys across: the mask hatches the triangle above the diagonal, row 0 of the weights is 1.00 on its own token, and every row shares 1 among the keys that are left." tags=["demonstration"]
words = ["the", "cat", "sat", "still"]
scores = torch.tensor([[[[0.5, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 0.5],
                         [0.5, 2.0, 0.5, 0.0], [0.0, 0.5, 2.0, 1.0]]]])
masked = mask_future(scores)[0, 0]
weights, blocked = torch.softmax(masked, dim=-1), torch.ones(4, 4).triu(1)
figure, axes = plt.subplots(1, 3, figsize=(7.4, 3), layout="constrained")
draw_weights(axes[0], scores[0, 0], torch.zeros(4, 4), words, words, "scores", scores=True)
draw_weights(axes[1], masked, blocked, words, words, "scores after the mask", scores=True)
draw_weights(axes[2], weights, blocked, words, words, "attention weights")
plt.show()

# %% [markdown]
# Row 0 is 1.00 on its own token: a single key gets all the weight. In the other rows, the weight of the blocked keys goes to the kept keys in proportion. So there is a second way: softmax over all keys, set the blocked weights to 0, and divide each row by its new sum. The mask with $-\infty$ does both at once.

# %% tags=["demonstration"]
late = torch.softmax(scores[0, 0], dim=-1) * torch.isfinite(masked)
late = late / late.sum(dim=-1, keepdim=True)
print("masked after softmax and divided by the new sum: differs by "
    f"{(late - weights).abs().max():.1e}")

# %% [markdown]
# Apply both masks one after the other: the second one to the result of the first. The order doesn't matter. The rows of the attention weights still sum to 1, over fewer keys.

# %% tags=["demonstration"]
both = mask_padding(mask_future(scores), [3])
print("kept keys per query:", torch.isfinite(both)[0, 0].sum(-1).tolist())
print("sums of the weights:", as_array(torch.softmax(both, dim=-1)[0, 0].sum(-1)).round(4))

# %% [markdown]
# What would 0 do in place of $-\infty$? The next cell tries it for query 0, which should give all its weight to itself.

# %% tags=["demonstration"]
zeroed = scores[0, 0, 0] * torch.tensor([1.0, 0.0, 0.0, 0.0])
print("with −inf:", torch.softmax(mask_future(scores)[0, 0, 0], dim=-1).tolist())
print("with 0   :", [round(p, 2) for p in torch.softmax(zeroed, dim=-1).tolist()])


# %% [markdown]
# ## 4.6 Many heads, masked
#
# **★ core · <!-- points -->10 points<!-- end --> · about 25 minutes · difficulty ●●● · needs 4.3, 4.4, 4.5**
#
# Now everything comes together in one layer. `__init__` is given; you write `forward`. The linear layer `mix` combines the heads after they are put side by side.
#
# | operation | expression | shape |
# |---|---|---|
# | project | `q(x)`, `k(x)`, `v(x)` | `[batch, seq, hidden]` |
# | split | one slice per head | `[batch, num_heads, seq, head_size]` |
# | scores | scaled by $\sqrt{\mathrm{head\_size}}$ | `[batch, num_heads, seq, seq]` |
# | mask | future if `causal`; padding if `lengths` is given | the same |
# | attention weights | softmax over the keys | the same |
# | dropout | on the attention weights, in train mode only | the same |
# | heads' outputs | attention weights times values | `[batch, num_heads, seq, head_size]` |
# | merge, then mix | `att` | `[batch, seq, hidden]` |
#
# The layer returns its output, `att`, alone. With `return_attention=True` it returns the pair `(att, probs)`. `probs` are the attention weights **before dropout**, of shape `[batch·num_heads, seq, seq]`, **batch-major**: row `b·num_heads + h` is head `h` of sequence `b`. First all heads of sequence 0, then all heads of sequence 1.
#
# <details><summary>The rules for masks, dropout, <code>__init__</code> and comments</summary>
#
# - **Masks**: a blocked score is −∞, as in 4.5. The tests have scores far below −1e9, so any large negative number can be the largest of its row. The outputs at padded queries are not tested.
# - **Dropout** sets each attention weight to 0 with probability `dropout`, and divides the others by `1 − dropout`, so that the expected sum stays 1. It acts in train mode only; `layer.eval()` switches it off. The given `nn.Dropout` layer does this.
# - You may use your functions from 4.3 to 4.5, or write the steps in another way. Create masks, and any other tensor, on the device of `x`.
# - You may change `__init__`, but keep the names of the four layers, both signatures and the `ValueError`. `state_dict()` holds the weights and biases of these layers only, so a mask that you register as a buffer needs `persistent=False`.
# - Comment on the shapes in `forward` again: one point is for the comments.
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# For which of the eight steps of the table do you already have a function? Which steps are new?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `self.drop(...)` applies dropout in train mode and does nothing in eval mode. `tensor.flatten(0, 1)` joins the first two axes; the first one varies slowest. `self.causal` is `False` or `True`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     q, k, v = split heads of self.q(x), self.k(x), self.v(x)
#     scores  = scaled scores of q and k
#     if causal: mask the future;   if lengths is given: mask the padding
#     probs   = softmax of the scores over the keys
#     att     = mix(merge heads of (drop(probs) @ v))
#     return att, or att and probs with batch and head axis flattened
# </details>
#
# <details><summary>I get “shape … is invalid for input of size …”</summary>
#
# `x` has `input_size` numbers per token, but queries, keys and values have `hidden`. If `B, T, C = x.shape`, then `C` is `input_size`: take `hidden` from the last axis of `q`.
# </details>
#
# <details><summary>I get “state_dict() should hold the named layers only”</summary>
#
# You registered a mask as a parameter or a buffer (a tensor that belongs to the layer, but is not trained). Create it in `forward` from the length of the input, or register it with `persistent=False`.
# </details>
#
# <details><summary>I get “causal=True changes nothing here”, with <code>lengths</code></summary>
#
# Apply the second mask to the result of the first one, not to the original scores. And `lengths` must not disable `causal`: both masks can be active at once.
# </details>
#
# <details><summary>I get “Boolean value of Tensor with more than one value is ambiguous”</summary>
#
# `lengths` may be a LongTensor, which has no truth value. Write `if lengths is not None`.
# </details>

# %% solution multi-head builds_on=["split-heads", "merge-heads", "scaled-scores", "mask-future", "mask-padding"] edition="core"
class MultiHeadSelfAttention(nn.Module):
    """Self-attention with several heads and the linear layers q, k, v and mix.

    MultiHeadSelfAttention(input_size, hidden, num_heads, causal=False, dropout=0.0) raises
      ValueError if num_heads does not divide hidden; the message contains both values.
    forward(x, return_attention=False, lengths=None):
      x: [batch, seq, input_size];
      lengths: the number of real tokens of each sequence, a list or a LongTensor.
      Returns att [batch, seq, hidden], or (att, probs) with probs
      [batch * num_heads, seq, seq], batch-major and taken before dropout.
      Gradients must flow through att; probs may be detached.
    """

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads != 0:
            raise ValueError(f"hidden is {hidden} and can't be split into {num_heads} equal heads")
        self.num_heads, self.causal = num_heads, causal
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)
        self.mix = nn.Linear(hidden, hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        ### BEGIN SOLUTION
        parts = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        q, k, v = (split_heads(part, self.num_heads) for part in parts)  # [batch, num_heads, seq, head_size]
        scores = scaled_scores(q, k)  # [batch, num_heads, seq, seq]
        if self.causal:
            scores = mask_future(scores)  # [batch, num_heads, seq, seq]
        if lengths is not None:
            scores = mask_padding(scores, lengths)  # [batch, num_heads, seq, seq]
        probs = torch.softmax(scores, dim=-1)  # [batch, num_heads, seq, seq]
        att = self.mix(merge_heads(self.drop(probs) @ v))  # [batch, seq, hidden]
        if return_attention:
            return att, probs.flatten(0, 1)  # [batch, seq, hidden], [batch * num_heads, seq, seq]
        return att  # [batch, seq, hidden]
        ### END SOLUTION


# %% [markdown]
# The tests are mostly independent. A mistake in a mask doesn't cost you the points for the values, and a missing `mix` or a wrong scale costs only those of Test 1. But a wrong split, merge or softmax makes Tests 1 to 4 fail.
#
# **Test 1 of 6: the values, without any mask (3 points).** First a single token: its only weight is 1, so the output is `mix(v(x))`. Then three tokens. The test runs your layer three times. In run `j`, the value (`v`) of token `j` is 1, and the other values are 0. The layers `v` and `mix` pass this 1 on, so the output is the weight on token `j`, in each head. Last, all together.

# %% test multi-head-values points=3
# Test of 4.6 Many heads, masked, 1 of 6 (3 points). Run the checks cell first.
x, rng = torch.tensor([[[1.0, 2, 3, 4, 5, 6]], [[0.5, -1, 0, 8, -3, 2]]]), np.random.default_rng(46)
returns("multi-head", output="sequence token number")
check("multi-head", "a single token, whose only weight is 1", output_with,
      MultiHeadSelfAttention, (6, 6, 2), one_token_weights, x)
check("multi-head", "a single token of a single sequence", output_with, MultiHeadSelfAttention,
    (6, 6, 2), one_token_weights, x[:1])
sizes, x = (14, 10, 2), random_tensor(rng, 4, 3, 14)
weights = random_weights(rng, *sizes[:2])
returns("multi-head", weights="sequence head query key")
check("multi-head", "how 3 tokens are weighted (a single one is right)", weights_of,
      MultiHeadSelfAttention, sizes, weights, x, heads=2)
returns("multi-head", output="sequence token number")
sizes, x = (7, 12, 3), random_tensor(rng, 2, 4, 7)
check("multi-head", "2 sequences of 4 tokens, 7 → 12 numbers, 3 heads", output_with,
      MultiHeadSelfAttention, sizes, random_weights(rng, *sizes[:2]), x)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(461)
specials = [(2, 5, 7, 3, 4), (9, 2, 3, 2, 2), (2, 9, 3, 9, 1), (9, 9, 9, 9, 1), (3, 3, 3, 3, 3), (2, 2, 2, 2, 2), (2, 48, 3, 2, 2), (2, 2, 48, 2, 24), (4, 5, 3, 4, 2)]
for batch, seq, inputs, heads, size in [*specials, *many_sizes(5, (1, 3))[:-7]]:
    sizes = inputs, heads * size, heads
    weights = random_weights(rng, *sizes[:2])
    layer = with_weights(MultiHeadSelfAttention(*sizes), weights)
    # The first shape comes again after another one, and with other numbers.
    for shape, factor in [((batch, seq), 1), ((seq, batch), 1), ((batch, seq), 1), ((batch, seq), 1e8)]:
        w = {name: value.double() * (factor if name[0] == "q" else 1) for name, value in weights.items()}
        x = random_tensor(rng, *shape, inputs)
        if factor > 1:
            layer = with_weights(layer, {name: value.float() for name, value in w.items()})
        q, k, v = (x.double() @ w[f"{n}.weight"].T + w[f"{n}.bias"] for n in "qkv")
        parts = [torch.softmax(q @ k.mT / size**0.5, dim=-1) @ v for q, k, v in zip(*(t.split(size, dim=-1) for t in (q, k, v)))]
        expected, given = torch.cat(parts, dim=-1) @ w["mix.weight"].T + w["mix.bias"], x.clone()
        check_numbers(layer(given), expected, tolerance=1e-5 if factor == 1 else 1e-3, where="on another random input",
                      sizes=f"with input_size {sizes[0]}, hidden {sizes[1]}, {sizes[2]} heads and {shape[1]} tokens, ")
        assert torch.equal(given, x), "on another random input, the layer changed its input"
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 6: causal (2 points).** A missing `mix` or a wrong scale costs nothing here. Pass Test 1 first: a wrong split, merge or softmax also fails here.

# %% test multi-head-causal points=2
# Test of 4.6 Many heads, masked, 2 of 6 (2 points). Run the checks cell first.
rng, sizes = np.random.default_rng(46), (7, 10, 2)
returns("multi-head", weights="sequence head query key")
check("multi-head", "causal, where all scores of a sequence are equal (if Test 1 fails, start "
    "there)",
      weights_of, MultiHeadSelfAttention, sizes, *equal_scores(rng, 3, 4, sizes), heads=2,
      causal=True)
check("multi-head", "causal, where all scores are below −10²⁹", weights_of, MultiHeadSelfAttention,
    sizes,
      *low_scores(3, 4, sizes), heads=2, causal=True)
returns("multi-head", output="sequence token number")
check("multi-head", "causal, 2 tokens after 3 in the same layer", shorter_after_longer, sizes,
    *equal_scores(rng, 2, 3, sizes))
check_masked(rng, 2, 3, (5, 4, 2), causal=True,
    where="causal, where the weights have rows that are alike")
on_meta = MultiHeadSelfAttention(4, 4, 2, causal=True).to("meta").eval()
check_device("multi-head", "causal, on another device", lambda x: on_meta(x[0]))
### BEGIN HIDDEN TESTS
for batch, seq, sizes in [(2, 5, (7, 12, 3)), (3, 4, (6, 10, 2)), (1, 300, (3, 4, 1)), (9, 2, (3, 9, 9)), (4, 4, (4, 16, 4)), (1, 3, (2, 3, 3)), (3, 9, (5, 3, 1))]:
    weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    causal = with_weights(MultiHeadSelfAttention(*sizes, causal=True), weights)
    free = with_weights(MultiHeadSelfAttention(*sizes), weights)
    output_of(causal, x[:, :1])    # a shorter call before
    in_eval_mode = output_of(causal, x)
    for t in [*range(seq)][-7 if seq < 300 else -1:]:
        check_numbers(in_eval_mode[:, t], output_of(free, x[:, :t + 1])[:, t], tolerance=1e-5,
                      where="compared with sequences that end at the query", sizes=f"query {t} of {seq}, ")
    if seq == 300:
        continue
    check_numbers(output_of(causal.train(), x), in_eval_mode, tolerance=1e-5,
                  where="in train mode without dropout, compared with eval mode", sizes=f"with {seq} tokens, ")
    check_masked(rng, batch, min(seq, 7), sizes, causal=True, where="where another layer's weights are alike")
moved = MultiHeadSelfAttention(4, 4, 2, causal=True).eval()
moved(torch.zeros(1, 60, 4)), moved.to("meta")
check_device("multi-head", "causal, on another device", lambda x: moved(x[0]))
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 6: a padded batch (1 point).** As in Test 2, a wrong split or softmax also fails here. With `causal=True`, a missing padding mask makes no difference: padding at the end is in every real query's future, so the causal mask blocks it. The calls without `causal` reveal it. Question 2 of *Three questions to think about* returns to this.

# %% test multi-head-padding points=1
# Test of 4.6 Many heads, masked, 3 of 6 (1 point). Run the checks cell first.
rng, sizes = np.random.default_rng(47), (7, 10, 2)
equal = equal_scores(rng, 3, 4, sizes)
returns("multi-head", weights="sequence head query key")
check("multi-head", "causal, and lengths 2, 4 and 1 (if Test 1 or 2 fails, start there)",
    weights_of,
      MultiHeadSelfAttention, sizes, *equal, heads=2, lengths=[2, 4, 1], causal=True)
check("multi-head", "the same without causal, and lengths in a LongTensor", weights_of,
      MultiHeadSelfAttention, sizes, *equal, heads=2, lengths=torch.tensor([2, 4, 1]))
check("multi-head", "lengths, where all scores are below −10²⁹", weights_of, MultiHeadSelfAttention,
    sizes,
      *low_scores(3, 4, sizes), heads=2, lengths=[2, 4, 1])
check_masked(rng, 3, 4, (5, 6, 2), lengths=[2, 4, 3],
    where="where the weights have rows that are alike")
on_meta = MultiHeadSelfAttention(4, 4, 2).to("meta").eval()
check_device("multi-head", "lengths, on another device", lambda x: on_meta(x[0], lengths=[2, 4, 1]))
### BEGIN HIDDEN TESTS
cases = [([4, 1, 6], (7, 12, 2)), ([3, 5], (6, 10, 5)), ([2, 7, 5, 3], (5, 9, 3)), ([3, 1, 2], (3, 6, 3)), ([4], (3, 8, 4)), ([2] * 9, (3, 9, 9))]
for (lengths, sizes), causal in [(case, flag) for case in cases for flag in (False, True)]:
    layer, seq = MultiHeadSelfAttention(*sizes, causal=causal), max(lengths) + 1
    layer = with_weights(layer, random_weights(rng, *sizes[:2]))
    x = random_tensor(rng, len(lengths), seq, sizes[0])
    for given in (list(lengths), torch.tensor(lengths)):
        out = output_of(layer, x, lengths=given)
        for b, length in enumerate(lengths):
            alone = output_of(layer, x[b:b + 1, :length])[0]
            assert are_close(out[b, :length], alone), (
                "in another batch, a padded sequence doesn't get what it gets without padding\n"
                f"length {length} of {seq}")
    trained = output_of(layer.train(), x, lengths=list(lengths))
    assert all(are_close(trained[b, :length], out[b, :length]) for b, length in enumerate(lengths)), (
        "in train mode without dropout, padded sequences don't get what they get in eval mode")
    if not causal:
        check_masked(rng, len(lengths), seq, sizes, lengths=lengths,
                     where="where another layer's weights are alike")
### END HIDDEN TESTS

# %% [markdown]
# **Test 4 of 6: the returned attention weights, and gradients (1 point).** As in Test 1, values of 0 and 1 reveal the attention weights that `att` was computed with. Your `probs` must be equal to them, in every head and sequence, also in train mode and with masks. Then a gradient from `att` must reach `x` and all four layers, with dropout and without, and also if the attention weights are returned with it.

# %% test multi-head-returned-attention points=1
# Test of 4.6 Many heads, masked, 4 of 6 (1 point). Run the checks cell first.
rng, sizes = np.random.default_rng(48), (6, 10, 2)
weights, x = random_weights(rng, *sizes[:2]), random_tensor(rng, 4, 3, 6)
returns("multi-head", difference="row query key")
check("multi-head", "probs, less the weights that att was made with (if Test 1 fails, start there)",
      probs_difference, MultiHeadSelfAttention, sizes, weights, x, 2)
check("multi-head", "the same in train mode, with dropout", probs_difference,
      MultiHeadSelfAttention, sizes, weights, x, 2, dropout=0.5)
check("multi-head", "the same with both masks, causal and lengths", probs_difference,
      MultiHeadSelfAttention, sizes, weights, x, 2, lengths=[2, 3, 1, 3], causal=True)
check("multi-head", "the same with lengths alone", probs_difference,
      MultiHeadSelfAttention, sizes, weights, x, 2, lengths=[2, 3, 1, 3])
check_probs(rng, batch=3, seq=2, hidden=6, heads=2)
learns = ["q.weight", "q.bias", "k.weight", "v.weight", "v.bias",
    *used_weights_of_mix(sizes, weights, x)]
check_gradients("multi-head", "gradients", MultiHeadSelfAttention(*sizes), learns, x=x)
check_gradients("multi-head", "gradients with dropout and probs",
    MultiHeadSelfAttention(*sizes, dropout=0.1), learns, x=x, return_attention=True)
### BEGIN HIDDEN TESTS
def plain_heads(w, x):
    q, k, v = ((x @ w[f"{n}.weight"].T + w[f"{n}.bias"]).unflatten(-1, (heads, -1)).transpose(1, 2) for n in "qkv")
    made = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2)
    return made @ w["mix.weight"].T + w["mix.bias"]


for (batch, seq, hidden, heads), causal, lengths in [
        ((2, 4, 15, 3), False, None), ((3, 5, 12, 2), True, None), ((3, 5, 12, 3), True, [4, 2, 5]), ((2, 6, 10, 2), False, [3, 6]),
        ((9, 3, 9, 9), False, None), ((9, 2, 4, 2), True, [1, 2] * 4 + [2]), ((1, 4, 8, 4), False, [3]), ((4, 4, 16, 4), True, None)]:
    rng, eye, say = np.random.default_rng(481), torch.eye(hidden), {} if lengths is None else {"lengths": lengths}
    weights, x = random_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    gap = probs_difference(MultiHeadSelfAttention, (hidden, hidden, heads), weights, x, heads, lengths, dropout=0.4,
                         causal=causal)
    assert are_close(gap, 0 * gap), "in another batch, probs are not the weights that att was made with"
    # Values are x, and mix does nothing: att can be made a second time from probs.
    weights |= {"v.weight": eye, "v.bias": 0 * eye[0], "mix.weight": eye, "mix.bias": 0 * eye[0]}
    layer = with_weights(MultiHeadSelfAttention(hidden, hidden, heads, causal=causal), weights)
    att, probs = map(as_array, layer(x.clone(), return_attention=True, **say))
    real = np.arange(seq) < np.array([seq] * batch if lengths is None else lengths)[:, None]
    if lengths is None and np.isnan(att).any():
        att, probs = np.nan_to_num(att), np.nan_to_num(probs)
    elif lengths is not None:
        real = real & np.isfinite(att).all(axis=-1)  # NaN is for Tests 2 and 3
    assert probs.shape == (batch * heads, seq, seq), "in another batch, the shape of probs is not right"
    slices = as_array(x).reshape(batch, seq, heads, -1).swapaxes(1, 2)
    again = (probs.reshape(batch, heads, seq, seq) @ slices).swapaxes(1, 2).reshape(batch, seq, hidden)
    check_numbers(again[real], att[real], tolerance=1e-5, where="att made a second time from probs "
                  "(is split or merge wrong? If Test 1 fails, start there)")
for batch, seq, hidden, heads in [(2, 4, 15, 3), (4, 3, 12, 2), (9, 3, 9, 9), (3, 3, 9, 3), (1, 2, 3, 1)]:
    check_probs(np.random.default_rng(482), batch, seq, hidden, heads)
    weights, x = random_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    layer = with_weights(MultiHeadSelfAttention(hidden, hidden, heads), weights)
    # Wrong values cost the points of Test 1 only.
    right = (lambda w, x: plain_heads(weights | w, x)) if are_close(as_array(layer(x.clone())), plain_heads(weights, x)) else None
    for training in (False, True):
        for asked in ({}, {"return_attention": True}):
            check_gradients("multi-head", "gradients, on another random input", layer.train(training), {n: weights[n] for n in learns}, x=x,
                            right=right and (lambda w, x, *_: right(w, x)), **asked)
### END HIDDEN TESTS

# %% [markdown]
# **Test 5 of 6: dropout and errors (2 points).** Two calls in train mode must drop different weights: don't reset PyTorch's random generator. All values are 1 here, so a head's output is the sum of its attention weights after dropout. With a single token there is one weight: after dropout of 0.25 it must be either 0 or 1/0.75 = 1.333. With three equal tokens the sum is 0, 1, 2 or 3 times a third of that.

# %% test multi-head-dropout points=2
# Test of 4.6 Many heads, masked, 5 of 6 (2 points). Run the checks cell first.
check_error(12, 5, MultiHeadSelfAttention, 10, 12, 5, inside="in __init__, ")
check_error(10, 3, MultiHeadSelfAttention, 6, 10, 3, inside="in __init__, ")
all_ones = weights_with_values_one(one_token_weights)
for dropout in (0.25, 0.6):
    check_dropout(dropout, where=f"dropout {dropout}")
### BEGIN HIDDEN TESTS
check_dropout(0.4, where="another dropout")
layer = with_weights(MultiHeadSelfAttention(6, 6, 2), all_ones)
layer.train()
assert np.allclose(as_array(layer(torch.ones(2, 3, 6))), 1), "dropout 0 must drop nothing"
# Each output in train mode is a sum over kept tokens only, divided by 1 − dropout.
weights = {**alike_weights(rng := np.random.default_rng(485), 6, 6), "v.weight": torch.eye(6), "v.bias": torch.zeros(6)}
layer = with_weights(MultiHeadSelfAttention(6, 6, 1, dropout=0.25), weights)
x, where, right = random_tensor(rng, 200, 2, 6), "where another layer's weights are alike", False
found = possible_probs(x, weights, heads=1)
check_any(output_of(layer, x), [probs @ as_array(x) for probs in found], where)
layer.train()
out = output_of(layer, x) * 0.75
for probs in found:
    parts = probs[..., None] * as_array(x)[:, None]  # [batch, query, key, 6]
    sums = [a * parts[:, :, 0] + b * parts[:, :, 1] for a in (0, 1) for b in (0, 1)]
    right = right or (np.abs(sums - out).max(axis=-1).min(axis=0) < 1e-4).all()
assert right, f"{where}, in train mode this is no sum over kept tokens, divided by 1 − dropout"
for sizes in [(5, 9, 4), (3, 8, 6)]:
    check_error(*sizes[1:], MultiHeadSelfAttention, *sizes, where="other sizes that don't divide")
### END HIDDEN TESTS

# %% [markdown]
# **Test 6 of 6: your shape comments (1 point).** As in 4.1, every line that makes a tensor needs a true comment. The first two runs use both masks and `return_attention=True`: 3 heads of size 4, then 2 heads of size 5. The last run uses neither. First `follow_shapes` prints the shapes of each line, then the test checks the comments, in the process of your code. For the test, your functions of 4.3 to 4.5 are replaced by others with the same shapes, so a mistake there costs nothing here.

# %% tags=["demonstration"]
small = {"batch": 2, "seq": 5, "input_size": 7, "num_heads": 3, "head_size": 4, "hidden": 12}
large = {"batch": 4, "seq": 7, "input_size": 9, "num_heads": 2, "head_size": 5, "hidden": 10}
layers = [MultiHeadSelfAttention(7, 12, 3, causal=True),
    MultiHeadSelfAttention(9, 10, 2, causal=True)]
asked = {"return_attention": True}
follow_shapes(
    (small, layers[0], torch.randn(2, 5, 7), asked | {"lengths": [3, 5]}),
    (large, layers[1], torch.randn(4, 7, 9), asked | {"lengths": [4, 7, 2, 6]}),
    (small, layers[0], torch.randn(2, 5, 7)),
)

# %% test multi-head-comments points=1 tags=["unjudged"]
# Test of 4.6 Many heads, masked, 6 of 6 (1 point). Run the checks cell first.
small = {"batch": 2, "seq": 5, "input_size": 7, "num_heads": 3, "head_size": 4, "hidden": 12}
large = {"batch": 4, "seq": 7, "input_size": 9, "num_heads": 2, "head_size": 5, "hidden": 10}
asked = {"return_attention": True}
check_shape_comments(
    "MultiHeadSelfAttention",
    (small, (7, 12, 3, True), torch.randn(2, 5, 7), asked | {"lengths": [3, 5]}),
    (large, (9, 10, 2, True), torch.randn(4, 7, 9), asked | {"lengths": [4, 7, 2, 6]}),
    (small, (7, 12, 3), torch.randn(2, 5, 7)),
    helpers=same_shapes,
)
### BEGIN HIDDEN TESTS
small = {"batch": 3, "seq": 4, "input_size": 5, "num_heads": 2, "head_size": 7, "hidden": 14}
large = {"batch": 2, "seq": 6, "input_size": 7, "num_heads": 3, "head_size": 5, "hidden": 15}
check_shape_comments(
    "MultiHeadSelfAttention",
    (small, (5, 14, 2), torch.randn(3, 4, 5), {"lengths": torch.tensor([4, 1, 2])}),
    (large, (7, 15, 3, True), torch.randn(2, 6, 7), asked),
    (large, (7, 15, 3), torch.randn(2, 6, 7), asked | {"lengths": [5, 6]}),
    helpers=same_shapes,
)
rng = np.random.default_rng(484)
weights, x = random_weights(rng, 7, 15), random_tensor(rng, 2, 6, 7)
weights |= {"mix.weight": torch.eye(15), "mix.bias": torch.zeros(15)}
q, k, v = ((x @ weights[f"{n}.weight"].T + weights[f"{n}.bias"]).unflatten(-1, (3, 5)).transpose(1, 2) for n in "qkv")
expected = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(-2)
# A mistake in 4.3 to 4.5 costs nothing here.
right_parts = {
    "split_heads": lambda x, num_heads: x.unflatten(-1, (num_heads, -1)).transpose(1, 2),
    "merge_heads": lambda x: x.transpose(1, 2).flatten(2),
    "scaled_scores": lambda q, k: q @ k.mT / q.shape[-1] ** 0.5,
    "mask_future": lambda scores: scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -math.inf),
}
own_parts = {name: globals().get(name) for name in right_parts}
globals().update(right_parts)
try:
    got = with_weights(MultiHeadSelfAttention(7, 15, 3, True).float(), weights)(x.clone())
finally:
    globals().update(own_parts)
check_numbers(got, expected, tolerance=1e-5,
              where="on another random input (the comments count when the exercise is done)")
### END HIDDEN TESTS

# %% [markdown]
# Now look at dropout: one head, four equal tokens, so every attention weight is 1/4. In train mode with dropout 0.5 each weight becomes 0 or 1/2, so the sum of a row is 1 only on average.

# %% tags=["demonstration"]
layer = MultiHeadSelfAttention(6, 6, 1, dropout=0.5)
all_values_one = {"v.weight": torch.zeros(6, 6), "v.bias": torch.ones(6)}
just_pass_on = {"mix.weight": torch.eye(6), "mix.bias": torch.zeros(6)}
layer.load_state_dict({**one_token_weights, **all_values_one, **just_pass_on})
x = torch.ones(1, 4, 6)
print("eval :", layer.eval()(x)[0, :, 0].tolist())
print("train:", layer.train()(x)[0, :, 0].tolist())

# %% [markdown]
# A check of `causal` without a reference: the last query may attend to all tokens, so with the same weight matrices `causal` must not change its output. All other outputs change.

# %% tags=["demonstration"]
free, causal = MultiHeadSelfAttention(7, 12, 3), MultiHeadSelfAttention(7, 12, 3, causal=True)
causal.load_state_dict(free.state_dict())
x = torch.randn(1, 5, 7)
moved = (free(x) - causal(x)).abs().amax(-1)[0]
print("change of each query:", [round(value, 4) for value in moved.tolist()])

# %% [markdown]
# **One causal pass, n predictions.** With the mask, output `t` is what the layer returns for tokens 0 to `t` alone. So a model that learns to predict the next token makes n predictions in one pass over n tokens; without the mask it would need n passes, one for each prefix (beginning) of the text. The next cell compares both.

# %% tags=["demonstration"]
one_pass = causal(x)
five_passes = torch.stack([free(x[:, :t + 1])[:, t] for t in range(5)], dim=1)
print(f"one causal pass against five over prefixes: {(one_pass - five_passes).abs().max():.1e}")

# %% [markdown]
# ## A batch to look at
#
# Three sentences of length 3, 4 and 7 share one padded batch. To make the heads readable, we set the weight matrices of `q` and `k` by hand. Each token is described by its kind (article, noun, verb, other) and its position: 4 + 7 = 11 features.
#
# **Head 0 looks for a kind of word**: nouns look for verbs, everything else looks for nouns. **Head 1 looks one position back.** `v` and `mix` don't affect the attention weights, so they keep their random numbers.
#
# Token 0 has no previous token. In head 1 its query is all zeros, so all its scores are 0, and softmax gives every key that is not blocked the same weight: 0.33 each for three keys. You will also see such a uniform row for another reason.

# %% locked sentences
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

# %% locked readable-heads
query_weight, key_weight = torch.zeros(14, 11), torch.zeros(14, 11)
wants_noun, wants_verb = 0, 1               # the first two features of head 0
query_weight[wants_noun, [0, 2, 3]] = 3.0   # articles, verbs and others look for a noun
query_weight[wants_verb, 1] = 3.0           # nouns look for a verb
key_weight[wants_noun, 1] = key_weight[wants_verb, 2] = 3.0
for position in range(1, 7):                # head 1 owns features 7 to 13
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
# Predict: with `causal=True`, *cat* can no longer attend to *sat*. Where does that weight go? And what changes in head 1?
#
# There is one picture per sentence, with one head per row: without the causal mask on the left, with it on the right. Rows are the real queries; the hatched columns at the right edge are the padding. A red frame is a mistake in your masks, or in the `probs` that you return.

# %% alt="Four tables for 'the cat sat', head 0 above head 1, causal off left and on right: without the causal mask cat gives sat 0.94 in head 0, with it cat shares 0.50 and 0.50 between the and itself; in head 1 rows 1 and 2 keep 1.00 one position back, and only row 0 changes, from 0.33 three times to 1.00." tags=["demonstration"]
def draw_sentence(b):
    words = sentences[b]
    keys, height = words + ["(pad)"] * (7 - len(words)), 2 * (0.42 * len(words) + 1.15)
    figure, axes = plt.subplots(2, 2, figsize=(8.4, height), layout="constrained")
    for causal in (False, True):
        att, probs = readable_layer(causal)(batch, return_attention=True, lengths=lengths)
        blocked = [[j >= len(words) or (causal and j > i) for j in range(7)] for i in range(7)]
        for h in range(2):
            draw_weights(axes[h, int(causal)], probs[2 * b + h, :len(words)].tolist(), blocked,
                words, keys,
                         f"head {h}, causal {'on' if causal else 'off'}")
    figure.colorbar(axes[1, 1].images[0], ax=axes, shrink=0.6, label="attention weight")
    plt.show()


draw_sentence(0)

# %% [markdown]
# A small weight is not the same as a blocked cell. In the first panel *cat* gives *the* a weight of 0.03: it may attend there and hardly does. A 0.00 without hatching is a small number, rounded. The hatched cells have a weight of exactly 0.

# %% alt="Four tables for 'a dog ran home': in head 0 without the causal mask dog looks at ran and all others look at dog, and with the mask ran and home still do, while a has only itself left and dog shares 0.50 and 0.50; in head 1 each row from row 1 on looks one position back, with the mask and without." tags=["demonstration"]
draw_sentence(1)

# %% alt="Four tables for the seven tokens of 'the bird sang on the old fence', without padding: in head 0 all words but the nouns give bird and fence 0.46 each, and with the causal mask those after bird give it 0.86 to 0.94, since fence is still to come; in head 1 numbers of 0.99 or more are one place left of the diagonal, with the mask and without." tags=["demonstration"]
draw_sentence(2)


# %% [markdown]
# ## 4.7 Take over PyTorch's own weights
#
# **more · <!-- points -->3 points<!-- end --> · about 13 minutes · difficulty ●●○ · needs 4.6**
#
# `nn.MultiheadAttention(hidden, num_heads, batch_first=True)` is PyTorch's version of your layer. If yours is right, both return the same numbers for the same weight matrices and biases. PyTorch stores the three projections in **one** tensor, stacked along the rows:
#
# | PyTorch's name | shape | yours |
# |---|---|---|
# | `in_proj_weight` | `(3·hidden, hidden)` | `q.weight`, then `k.weight`, then `v.weight` |
# | `in_proj_bias` | `(3·hidden,)` | `q.bias`, then `k.bias`, then `v.bias` |
# | `out_proj.weight`, `out_proj.bias` | `(hidden, hidden)`, `(hidden,)` | `mix.weight`, `mix.bias` |
#
# Both layers use the layout of `nn.Linear`, and in both, head `h` has the same contiguous slice. The sizes are `module.embed_dim` and `module.num_heads`. Return a `MultiHeadSelfAttention` without a causal mask, whose `state_dict()` holds all eight tensors: four weight matrices and four biases. They can then be loaded into a layer with `causal=True`, too.
#
# <details><summary>Hint 1: a question</summary>
#
# `in_proj_weight` has shape (18, 6). Which rows belong to the keys?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tensor.chunk(3)` splits along the first axis. `module.state_dict()` returns tensors without gradients. `load_state_dict` takes a dict with your names and copies the numbers. Or copy them one by one, with `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>
#
# <details><summary>Hint 3: pseudocode</summary>
#
#     layer = MultiHeadSelfAttention(embed_dim, embed_dim, num_heads)
#     split in_proj_weight and in_proj_bias into three chunks each: q, k, v
#     state = a dict with your eight names: q.weight, q.bias, ..., mix.bias
#     layer.load_state_dict(state), return layer
# </details>
#
# <details><summary>I get “cannot assign … as parameter”</summary>
#
# A plain tensor can't replace a parameter. Keep the parameter and copy numbers into it: all at once with `load_state_dict`, or one by one with `parameter.copy_(...)` inside `with torch.no_grad():`.
# </details>

# %% solution load-from-torch builds_on=["multi-head"]
def load_from_torch(module):
    """Copy the weights of PyTorch's attention layer into ours.

    module: nn.MultiheadAttention(hidden, num_heads, batch_first=True), with biases.
    Returns a MultiHeadSelfAttention (not causal) with the same outputs.
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
# The test reads the weight matrices and biases of your layer: a separate computation with them must have the same result as PyTorch's module, without and with a causal mask. The test also copies your layer's weights into a new `MultiHeadSelfAttention`; both layers must return the same output. So a wrong number in 4.6 costs nothing here, but the class must be created and called without an error.

# %% test load-from-torch points=3
# Test of 4.7 Take over PyTorch's own weights (3 points). Run the checks cell first.
parts = {name: "row column" for name in ("q_weight", "k_weight", "v_weight", "mix_weight")}
returns("load-from-torch", **parts, q_bias="row", v_bias="row", mix_bias="row")
check("load-from-torch", "6 numbers, 3 heads", loaded_weights, np.random.default_rng(49), 6, 3)
check_load(np.random.default_rng(49), hidden=6, heads=3, batch=2, seq=4)
check_load(np.random.default_rng(490), hidden=8, heads=2, batch=3, seq=5)
check_copied(np.random.default_rng(49), hidden=6, heads=2)
### BEGIN HIDDEN TESTS
for hidden, heads, batch, seq in [(12, 3, 2, 5), (10, 5, 3, 7), (1, 1, 1, 2), (9, 9, 9, 3), (9, 3, 3, 3), (48, 2, 2, 4), (7, 1, 1, 1)]:
    check_load(np.random.default_rng(491), hidden, heads, batch, seq)
# As PyTorch makes it: the biases of a new module are all 0.
check_load(np.random.default_rng(492), hidden=8, heads=4, batch=2, seq=3, bias_scale=0.0)
check_copied(np.random.default_rng(493), hidden=9, heads=9)
### END HIDDEN TESTS

# %% tags=["demonstration"]
module = nn.MultiheadAttention(12, 3, batch_first=True)
for name, value in module.state_dict().items():
    print(f"PyTorch {name:16}", tuple(value.shape))
for name, value in load_from_torch(module).state_dict().items():
    print(f"ours    {name:16}", tuple(value.shape))

# %% [markdown]
# Why one tensor? One large product replaces three. Many models do this: in nanoGPT (Andrej Karpathy, 2022) a single layer `c_attn`, an `nn.Linear(n_embd, 3 * n_embd)`, computes queries, keys and values, and its output is split into three. Its weight matrix is `in_proj_weight` under another name.

# %% tags=["demonstration"]
x = torch.randn(2, 5, 12)
fused = x @ module.in_proj_weight.T + module.in_proj_bias
layer = load_from_torch(module)
three = torch.cat([layer.q(x), layer.k(x), layer.v(x)], dim=-1)
print(f"one product {tuple(fused.shape)} against q, k and v: {(fused - three).abs().max():.0e}")

# %% [markdown]
# Now compare your whole layer with PyTorch's, with a causal mask. The difference should be rounding error, about 0.0000001.

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
# PyTorch also has attention as one function, `F.scaled_dot_product_attention(q, k, v, attn_mask=...)`. It is what you would use in practice, because PyTorch can run all of its steps as one program on the GPU, a *fused kernel*. But its boolean mask means the opposite of what you used so far:
#
# | where | `True` means |
# |---|---|
# | `scores.masked_fill(mask, -inf)` | **block** this score |
# | `nn.MultiheadAttention(..., attn_mask=mask)` | **block** |
# | `F.scaled_dot_product_attention(..., attn_mask=mask)` | this key **may be attended** |
#
# Nothing crashes if you mix them up. The next cell passes the mask that this function expects, and compares with a computation by hand. `k.mT` is `k` with its last two axes transposed, like `k.transpose(-2, -1)`.

# %% tags=["demonstration"]
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 4, 5).unbind(0)
may_attend = torch.ones(4, 4).tril().bool()
by_hand = torch.softmax((q @ k.mT / 5**0.5).masked_fill(~may_attend, -math.inf), dim=-1) @ v
by_torch = F.scaled_dot_product_attention(q, k, v, attn_mask=may_attend)
print(f"by hand against F.scaled_dot_product_attention: {(by_hand - by_torch).abs().max():.1e}")

# %% [markdown]
# Predict: in the next cell the key and the value of the last token are changed. Can the output of query 0 change with the correct mask? And with the inverted one?

# %% tags=["demonstration"]
new_k, new_v = k.clone(), v.clone()
new_k[..., 3, :] += 1
new_v[..., 3, :] += 1
for name, mask in {"may attend": may_attend, "inverted": ~may_attend}.items():
    before = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    after = F.scaled_dot_product_attention(q, new_k, new_v, attn_mask=mask)
    print(f"{name:10}: query 0 changes by {(after - before)[..., 0, :].abs().max():.3f}")

# %% [markdown]
# With the correct mask the output of query 0 doesn't change at all. With the inverted one it does: query 0 attends to *nothing but* its future. This small experiment, *change the future and check that the past stays the same*, is a very good test of causality: it needs no reference, it works on a whole model, and it catches an inverted mask at once.
#
# With the inverted mask the last query has no key at all. Its softmax is 0/0: computed plainly it is NaN, and library functions differ in what they return. In this lesson this can't happen, because a query keeps itself and every length is at least 1.

# %% [markdown]
# ## 4.8 Two questions
#
# **more · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●○**
#
# Answer in your own words. Two full sentences with one example beat a long text.

# %% task count-nonlinear [markdown] points=1
# **Q2 (1 point).** Count one softmax over one row of scores as one nonlinear operation. How many are there for a batch of 2 sequences of 5 tokens, with 1 head and with 3 heads? A friend says: "And `q`, `k`, `v` and `mix` add four more." What do you answer? (Dropout is off, and products of two computed tensors are not counted.)
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
# > ✍️ **Your answer to 4.8, Q2** (double-click here, and write in place of this line)

# %% task read-causal-heatmap [markdown] points=2
# **Q3 (2 points).** Choose one of the three sentences under *A batch to look at*. Compare the panels with causal off and on. Which cells are blocked now? What happens in row 0? Choose **one** other row whose numbers changed: what are they before and after? Then explain why the same mask affects head 0 and head 1 so differently. Name tokens and numbers.
#
# ### BEGIN MARK SCHEME
# 1 point, reading the causal panel of the chosen sentence: everything above the diagonal is hatched (keys after their query); row 0 is 1.00 on itself, since it is the only key left; every row still sums to 1. In one row that changed, the weight of the blocked keys has gone to the keys that are left, in their old proportions (example: "cat" in "the cat sat" goes from 0.03, 0.03, 0.94 to 0.50, 0.50). Half a point if only the triangle is described, without numbers.
#
# 1 point, the heads: head 0 looks for a kind of word, which often comes later (article to noun, noun to verb), so the mask blocks just the key that it attended to and leaves it with a uniform or another choice; head 1 looks one position back, which is allowed, so its rows from row 1 on hardly change (0.99 stays about 0.99 or becomes 1.00); only row 0, which has no previous token and asks for nothing (a query of zeros, a uniform row), becomes 1.00. Half a point if only one of the two heads is explained.
#
# Common half-right answer (1 point): "with causal on the future is masked, so the model can't cheat", with the triangle and row 0 named, but no comparison of the heads.
#
# Rubric item for courses that ask for the style of PEP 8: −½ point if the code of 4.1 to 4.7 doesn't keep to it in several places (spaces, blank lines, names, lines of more than 120 characters).
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 4.8, Q3** (double-click here, and write in place of this line)

# %% [markdown]
# ## What you built
#
# You have a layer with many heads that can be trained, batched, padded and masked<!-- with: load-from-torch -->, and it agrees with PyTorch's own<!-- end -->. You know how it works: heads are slices of one tensor, the scale is $\sqrt{\mathrm{head\_size}}$, masks act on the scores before softmax, dropout acts on the weights, and one causal pass makes a prediction at every position.
#
# You can also check any attention layer without a reference: a single token, query 0 of a causal sequence, a change of the future that must not affect the past, padding that must not matter. After the deadline you get the solved notebook.

# %% [markdown]
# ## Three questions to think about
#
# 1. In training, a causal layer computes all queries at once. When it generates a text, it gets one new token at a time. Which of the earlier tokens' queries, keys and values does it need again, and which not?
# 2. With padding at the end and `causal` on, does the padding mask change the output of any *real* query? And with padding at the *start*: which queries would have no key left?
# 3. After dropout, the rows of attention weights no longer sum to 1. What would change if you divided each row by its sum again?
#
# <details><summary>Answers</summary>
#
# **1.** Keys and values: the new query is compared with all keys so far, and its weights mix all values so far. Earlier queries are not needed, since their rows of scores can't change any more: new keys are future for them. Storing keys and values is called a key-value cache. With it, a new token costs one query, one key, one value and one row of scores.
#
# **2.** No. Padding at the end comes after every real query, so the causal mask blocks it already. With padding at the start, the padded queries lose every key, since they and all tokens before them are padding. Their rows are NaN. The real queries keep at least themselves, but in the next layer the NaN spreads: 0 · NaN is NaN, so even a weight of 0 does not keep it out.
#
# **3.** A row whose weights were all dropped would be 0/0, NaN. With a single key a row would be 1 or NaN, never 0 or 1/(1 − p). And the mean would be off. Take weights 0.9 and 0.1 and a dropout of 0.5: divided by 1 − p, their means over many draws stay 0.9 and 0.1. Divided by the new sum, the rows that are not all 0 have the means 0.63 and 0.37, since a key that is left alone gets 1.
# </details>

# %% [markdown]
# ## References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017.
# - Nitish Srivastava, Geoffrey Hinton, Alex Krizhevsky, Ilya Sutskever, Ruslan Salakhutdinov: *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*, 2014.
# - Alec Radford, Karthik Narasimhan, Tim Salimans, Ilya Sutskever: *Improving Language Understanding by Generative Pre-Training*, 2018.
# <!-- with: load-from-torch -->- Andrej Karpathy: *nanoGPT*, 2022, `model.py`.
# <!-- end -->- Simon J. D. Prince: *Understanding Deep Learning*, 2023, chapter 12.
