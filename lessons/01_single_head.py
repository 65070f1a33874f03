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
# # One head of attention
#
# *Attention, Graded · lesson 01 · NumPy · about <!-- minutes -->88<!-- end --> minutes of exercises<!-- with: weight-entropy -->, core 47<!-- end --> · <!-- points -->24<!-- end --> points*
#
# A single word means little. In *the cat sat on the mat*, the verb *sat* makes sense only together with **who** sat and **where**. Attention is the step in a Transformer that lets each word collect what it needs from the others.
#
# In this lesson you build one head of attention from a bare dot product, with nothing hidden. <!-- with: einsum-attention -->You also repair a broken one, because most mistakes in attention code raise no error and quietly return wrong numbers.<!-- end -->

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
# The tests use small inputs. When your notebook is graded, larger random inputs are tried as well. <!-- with: why-root-d-k -->Question 1.4 is answered in words and read by a person. <!-- end -->If you are stuck on an exercise, skip it and come back later: the line under its heading names the exercises that it needs. Cells that draw or print call your functions, so they fail until those work.
#
# The minutes beside an exercise are an estimate for solving it. <!-- with: weight-entropy, plot-attention -->Exercises marked **★ core** are the main line of the lesson, about 50 minutes of work. Those marked **more** can be left out.<!-- end -->
#
# </details>

# %% locked imports
import base64
import io
import math
import timeit
import warnings

import matplotlib.pyplot as plt
import numpy as np

# Hide deprecation warnings; they don't affect this lesson.
warnings.filterwarnings("ignore", category=DeprecationWarning)


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## 1.1 Softmax
#
# **★ core · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●●○**
#
# Attention turns a list of scores into shares: numbers from 0 to 1 that sum to 1, where a higher score gets a larger share. The function that does this is the softmax:
#
# $$\mathrm{softmax}(s)_j = \frac{e^{s_j}}{\sum_m e^{s_m}}$$
#
# Computed exactly as written, it overflows: $e^{10000}$ is too large for a floating-point number. But you may subtract the same number from all scores of a list, because it cancels in the fraction. Subtract the maximum, and no exponent is larger than 0:
#
# | operation | expression | shape |
# |---|---|---|
# | maximum of each list | $m = \max_j s_j$ | the softmax axis has length 1 |
# | shifted exponentials | $e^{s_j - m}$ | like `scores` |
# | their sum over each list | $z = \sum_j e^{s_j - m}$ | the softmax axis has length 1 |
# | shares | $e^{s_j - m} / z$ | like `scores` |
#
# `axis` is the axis along which the lists run. Each list gets its own softmax. A score of $-\infty$ must get a share of exactly 0.
#
# <details><summary>Hint 1: a question</summary>
#
# In an array of shape `(2, 3)` with `axis=-1`, how many different maxima do you need: one, two, or three? What shape must they have so that NumPy subtracts each from its own list?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.max` and `np.sum` take `axis=` and `keepdims=`. With `keepdims=True` the reduced axis stays with length 1, so the result broadcasts against the original array. `np.exp` does the rest.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `maximum` = max of the scores along `axis`, with `keepdims`
# 2. `exponentials` = exp of (scores − `maximum`), a new array
# 3. return `exponentials` / their sum along `axis`, again with `keepdims`
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# Your maximum or your sum has lost its axis: shape `(2,)` doesn't broadcast against `(2, 3)`. See hint 2.
# </details>

# %% solution softmax edition="core"
def softmax(scores, axis=-1):
    """Turn scores into shares that sum to 1 along `axis`.

    scores: array of any shape, of floats or integers; scores may be large or -inf, but
    no list is all -inf. Not changed.
    Returns an array of the same shape.
    """
    ### BEGIN SOLUTION
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
    ### END SOLUTION


# %% test softmax points=2
# Test of 1.1 Softmax (2 points). Run the checks cell first.
returns("softmax", shares="list row column")
cube = np.array([[[0, 1, 2, -1], [1, 3, 0.5, 0], [-2, 0, 1, 2.5]],
    [[1, 1, 0, 2], [0.5, -1, 2, 2], [3, 0.5, -0.5, 1]]])
check("softmax", "three axes, axis=1", softmax, cube, axis=1)
returns("softmax", shares="row column")
check("softmax", "a table, without an axis", softmax, cube[0])
check("softmax", "a table, axis=0", softmax, cube[1], axis=0)
check("softmax", "a table of whole numbers", softmax, np.array([[3, 1, 2], [0, 2, -1]]))
check("softmax", "a table with one row and one column", softmax, np.array([[1.5]]))
check("softmax", "rows near 10000, near 1000 and near -10000", softmax,
    np.array([[1e4 + 1, 1e4, -1e4], [1e3, 1e3 - 2, 0], [-1e4, -1e4, -1e4]]))
check("softmax", "some scores of -inf", softmax,
    np.array([[2, -np.inf, 2, 1], [-np.inf, 0, -np.inf, 1]]))
returns("softmax", shares="list row column")
check("softmax", "three axes, without an axis", softmax, cube)
returns("softmax", shares="place")
check("softmax", "a single list", softmax, np.array([0, 2, -1.5]))
check_unrounded(softmax(cube))
returns("softmax", excess="list")
check("softmax", "how far the sum of each list is above 1, in percent", softmax_excess,
    np.zeros((2, 3)))
### BEGIN HIDDEN TESTS
with np.errstate(all="ignore"):
    shares_of = lambda s, axis=-1: (e := np.exp(s - s.max(axis=axis, keepdims=True))) / e.sum(axis=axis, keepdims=True)
    tolerance = lambda shares: 1e-3 if shares.dtype == np.float32 else 1e-6
    rng, where = np.random.default_rng(101), "on another random array"
    for shape in [*many_sizes(1), *many_sizes(2), *many_sizes(3, (1, 3)), (9, 9, 9), (2, 3, 4), (2, 3, 4, 5), (3, 3, 3, 3), (1, 2, 1, 3, 1), (300, 2), (7,)]:
        scores = np.round(64 * rng.normal(size=shape)) / 64    # with 10000 added, exact in 32 bits, too
        for axis in range(-len(shape), len(shape)):
            expected = shares_of(scores, axis)
            for shift in (0.0, 1e4, -1e4):
                given, sizes = scores + shift, f"with shape {in_words(shape)}, axis {axis} and {shift:.0f} added, "
                shares = np.asarray(softmax(given, axis))
                check_numbers(shares, expected, where, tolerance(shares), sizes)
                assert np.array_equal(given, scores + shift), "softmax changed the array it was given"
            check_numbers(softmax(scores.astype(np.float32), axis=axis), expected, where, 1e-5, sizes)
        check_numbers(softmax(scores.copy()), expected, where + ", along the last axis", 1e-3, sizes)
        whole = np.rint(2 * scores).astype(int)
        check_numbers(softmax(whole.copy(), 0), shares_of(whole, 0), "on a random array of integers", 1e-6, sizes)
    levels = np.round(64 * rng.normal(size=(3, 4))) / 64 + np.array([[1e4], [0.0], [-1e4]])
    levels[0, 1] = levels[2, 0] = -np.inf
    extreme = np.array([[-1e30, -2e30, -np.inf], [2e30, -np.inf, 1e30], [-np.inf, -3e6, -np.inf], [0, -np.inf, -np.inf]])
    for table, axis in [(levels, 1), (levels.T, 0), (extreme, 1), (extreme.T, 0), (extreme[:1], 1), (extreme[0], 0)]:
        shares, expected = np.asarray(softmax(1 * table, axis)), shares_of(table, axis)
        check_numbers(shares, expected, "on lists of uneven level, with some -inf", tolerance(shares))
        assert (shares[table == -np.inf] == 0).all(), "a score of -inf must get a share of 0"
    uneven = np.array([[0.0, -25, -40], [3, 30, 0]])
    logs = [[score - max(row) - math.log(math.fsum(math.exp(s - max(row)) for s in row)) for score in row] for row in uneven]
    check_numbers(np.log(softmax(uneven.copy())), logs, "in the logarithms of very small shares", 1e-6)
### END HIDDEN TESTS

# %% [markdown]
# Try it on a short list. Guess first: if one score is 2 higher than another, how many times larger is its share?

# %% tags=["demonstration"]
shares = softmax(np.array([0.0, 1.0, 2.0]))
print(np.round(shares, 3), " sum:", round(float(np.sum(shares)), 6))
print("share of score 2 / share of score 0:", round(float(shares[2] / shares[0]), 3))

# %% tags=["demonstration"]
for shift in [0.0, 5.0, 10000.0]:
    print("with", shift, "added:", np.round(softmax(np.array([0.0, 1.0, 2.0]) + shift), 3))

# %% [markdown]
# The ratio is $e^2 \approx 7.389$. Softmax depends only on **differences** between scores: adding a constant changes nothing, and a score that is higher by 1 gets a share that is $e$ times as large. Keep this in mind: from here on, everything depends on how far apart the scores are.
#
# ### Temperature
#
# Now divide all scores by the same number, the **temperature** $T$, before the softmax. **Predict:** with $T = 4$, does the largest share grow or shrink? And with $T = 0.25$?

# %% alt="Bars of the shares of the scores 1, 3, 0, 2 and 2.5 at three temperatures: at 0.25 the score 3 has a share of 0.87, at 1 it has 0.46, and at 4 all five shares lie between 0.13 and 0.27." tags=["demonstration"]
scores = np.array([1.0, 3.0, 0.0, 2.0, 2.5])
fig, axes = plt.subplots(1, 3, figsize=(8, 2.6), sharey=True, layout="constrained")
for ax, temperature in zip(axes, [0.25, 1, 4]):
    bars = ax.bar(range(5), softmax(scores / temperature), color="#4c78a8")
    ax.bar_label(bars, fmt="%.2f", padding=2)
    ax.set(title=f"T = {temperature}", xticks=range(5), xticklabels=scores, xlabel="score",
        ylim=(0, 1))
axes[0].set_ylabel("share")
plt.show()

# %% [markdown]
# A low temperature makes the shares pointed, a high one makes them even. The order of the shares never changes. Towards $T = 0$ the softmax becomes "the largest takes all", and towards $T = \infty$ all shares become equal. The next cell draws the same picture for nine temperatures: move the slider. (Pages that run no scripts, such as GitHub's, show only the picture for $T = 1$.)

# %% alt="Bars of the shares of five scores at the temperature 1." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
temperatures, frames = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 10], []
for temperature in temperatures:
    fig, ax = plt.subplots(figsize=(4.2, 2.4), dpi=80, layout="constrained")
    bars = ax.bar(range(5), softmax(scores / temperature), color="#4c78a8")
    ax.bar_label(bars, fmt="%.2f", padding=2)
    ax.set(title=f"T = {temperature}", xticks=range(5), xticklabels=scores, ylabel="share",
        ylim=(0, 1.1))
    png = io.BytesIO()
    fig.canvas.print_png(png)
    plt.close(fig)
    frames.append("data:image/png;base64," + base64.b64encode(png.getvalue()).decode())

# The slider is made when the image has loaded.
class TemperatureSlider:
    def _repr_mimebundle_(self, **options):
        page = f"""<img src="{frames[4]}" style="max-width: 100%"
alt="Bars of the shares of five scores at the temperature 1."
data-frames="{' '.join(frames)}" onload="this.onload = null;
const frames = this.dataset.frames.split(' '), slider = document.createElement('input');
Object.assign(slider, {{type: 'range', min: 0, max: frames.length - 1, value: 4}});
slider.style = 'width: 300px'; slider.setAttribute('aria-label', 'temperature');
slider.oninput = () => this.src = frames[slider.value];
this.before(slider, document.createElement('br'));">"""
        png = frames[4].partition(",")[2]
        return {"text/html": page, "image/png": png, "text/plain": "Bars at the temperature 1."}


TemperatureSlider()

# %% [markdown]
# ## The sentence we work with
#
# Attention works on a list of **tokens**: here, the six words of a sentence. To let you check everything by eye, each token is described by four numbers that you can read: is it an article, a noun, a verb, a preposition? So there are `n` = 6 tokens, with `d_model` = 4 numbers each. (In a real model these numbers are learned, and there are thousands of them.)

# %% locked sentence
sentence = ["the", "cat", "sat", "on", "the", "mat"]
kinds = ["article", "noun", "verb", "preposition"]

X = np.array([
    [1.0, 0.0, 0.0, 0.0],  # the
    [0.0, 1.0, 0.0, 0.0],  # cat
    [0.0, 0.0, 1.0, 0.0],  # sat
    [0.0, 0.0, 0.0, 1.0],  # on
    [1.0, 0.0, 0.0, 0.0],  # the
    [0.0, 1.0, 0.0, 0.0],  # mat
])
print("X has shape", X.shape, "= (n, d_model)")

# %% [markdown]
# Attention is a soft dictionary lookup. A dictionary compares your query with its keys, and returns the value of the one key that matches. Attention compares a query with **all** keys, and returns a mixture of **all** values: the better the match, the larger the share.
#
# Every token has all three roles, each with its own weight matrix:
#
# - its **query** describes what it is looking for: `Q = X @ W_Q`,
# - its **key** describes what it has to offer: `K = X @ W_K`,
# - its **value** is what it passes on to the tokens that attend to it: `V = X @ W_V`.
#
# Below, a query and a key have `d_k` = 2 numbers each. In a query, they mean *I look for a noun* and *I look for a verb*; in a key, *I am a noun* and *I am a verb*. Articles, verbs and prepositions look for nouns, and nouns look for verbs. A query and a key that match have the score 2 · 2 = 4, all others have 0. A value has `d_v` = 3 numbers.

# %% locked head-weights
#                 noun verb
W_Q = np.array([[2.0, 0.0],   # an article looks for a noun
                [0.0, 2.0],   # a noun looks for a verb
                [2.0, 0.0],   # a verb looks for a noun
                [2.0, 0.0]])  # a preposition looks for a noun
# only nouns and verbs have something to offer
W_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
# Three channels for what is passed on: noun, verb, all else. W_O maps them back to the four kinds.
W_V = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
W_O = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.5, 0.0, 0.0, 0.5]])

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print("Q", Q.shape, " K", K.shape, " V", V.shape)

# %% [markdown]
# ### A map of one head
#
# These four weight matrices, and what is computed with them, make one **head** of attention. Here queries, keys and values all come from the same `X`: this is **self-attention**. A Transformer layer runs several heads in parallel. In this lesson you build one.
#
# The picture is a map of what follows, with the sizes of our sentence. Every row of a block is a token. The hatched row is *cat*, token 1, as a query: it is compared with **all** keys, and it collects from **all** values. The numbers in brackets are the exercises.

# %% alt="A map of one head with the shape of each block: X makes Q, K and V, Q and K make the scores, the softmax makes the attention weights A of these, A mixes V, and W_O maps the result to the shape of X, while the hatched row of cat stays row 1 all the way." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
blocks = [  # name, columns, left edge, top edge, exercises, colour
    ("X", 4, 0, 8, "", "white"), ("Q", 2, 12, 17.5, "", "#d6e6f4"),
    ("K", 2, 12, 7.5, "", "#d6e6f4"),
    ("V", 3, 19, -2, "", "#dcefd9"), ("scores $QK^T$", 6, 19, 13, "(1.2)", "#d6e6f4"),
    ("attention weights A", 6, 31, 13, "(1.1, 1.3)", "#f3e2c7"),
    ("AV", 3, 44, 8, "(1.6)", "#dcefd9"),
    ("output", 4, 54, 8, "(1.6)", "white"),
]
arrows = [  # from, to, label, place of the label
    ((4.4, 7), (11.6, 14), "$W_Q$ (4, 2)", (5.3, 11.2)),
    ((4.4, 5), (11.6, 4.5), "$W_K$ (4, 2)", (8, 5)),
    ((4.4, 3), (18.6, -4.5), "$W_V$ (4, 3)", (8.4, -3.2)), ((14.4, 14.5), (18.6, 11), "", (0, 0)),
    ((14.4, 5), (18.6, 9), "", (0, 0)), ((25.4, 10), (30.6, 10), "÷ $\\sqrt{d_k}$\nsoftmax",
    (28, 10.4)),
    ((37.4, 10), (43.6, 6), "", (0, 0)), ((22.4, -5), (43.6, 4), "A mixes V", (32, 0.8)),
    ((47.4, 5), (53.6, 5), "$W_O$ (3, 4)", (50.5, 5.5)),
]
fig, ax = plt.subplots(figsize=(10, 5), layout="constrained")
for name, columns, x, y, note, color in blocks:
    for i, j in np.ndindex(6, columns):
        query = i == 1 and name not in ("K", "V")
        ax.add_patch(plt.Rectangle((x + j, y - i - 1), 1, 1, edgecolor="0.5", linewidth=0.7,
                                   facecolor="#ffd966" if query else color,
                                   hatch="////" if query else ""))
    ax.text(x + columns / 2, y + 0.4, name, ha="center", weight="bold")
    ax.text(x + columns / 2, y - 6.4, f"(6, {columns})\n{note}", ha="center", va="top")
for start, end, label, place in arrows:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "linewidth": 1.3})
    ax.text(*place, label, ha="center", va="bottom")
for i, token in enumerate(sentence):
    ax.text(-0.4, 7.5 - i, f"{i} {token}", ha="right", va="center")
ax.set(xlim=(-5, 59), ylim=(-10, 19), aspect="equal")
ax.axis("off")
plt.show()


# %% [markdown]
# ## The conventions of this lesson
#
# The exercises that follow use these shapes and names. Come back to this table when you need it.
#
# | convention | what it means |
# |---|---|
# | **A row is a token** | `X` is `(n, d_model)`: `n` tokens, each described by `d_model` numbers |
# | **Weight matrices multiply from the right** | `Q = X @ W_Q`, so `W_Q` is `(d_model, d_k)` |
# | **The query comes first** | `scores[i, j]` belongs to **query `i`** (the token that attends) and **key `j`** (the token attended to) |
# | **Each row of the attention weights sums to 1** | the softmax runs along the last axis, over the keys |
# | **Shapes of the weight matrices** | `W_Q`, `W_K`: `(d_model, d_k)` · `W_V`: `(d_model, d_v)` · `W_O`: `(d_v, d_model)` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
# | **Inputs may be integer arrays** | compute with floats: round nothing, and don't copy the dtype of the input |
#
# *Attention weights* are the shares that the softmax computes; in code they are called `weights`. *Weight matrices* are the learned `W_Q`, `W_K`, `W_V` and `W_O`.
#
# In other texts a column is a token. Then everything is transposed, including the axis that sums to 1. Lesson 02 is written that way.

# %% [markdown]
# ## 1.2 Scores
#
# **★ core · <!-- points -->2 points<!-- end --> · about 5 minutes · difficulty ●○○**
#
# How well does what token *i* is looking for match what token *j* has to offer? Attention measures this by the dot product of query *i* and key *j*: multiply feature by feature and add up.
#
# $$\mathrm{scores}_{ij} = \sum_{f=0}^{d_k-1} Q_{if}\,K_{jf}$$
#
# One matrix product computes the whole table, with a row for each query and a column for each key. Find it. (Three nested loops are also correct, but slow: below you see how slow ours are.)
#
# In our head there are as many queries as keys, because both come from the same `X`. This isn't always so. In **cross-attention**, the queries come from one sentence and the keys from another, as in translation. And a model that generates a text word by word has a single query, that of its newest token. So keep `n_q` and `n_k` apart.
#
# | operation | expression | shape |
# |---|---|---|
# | queries | `Q` | `(n_q, d_k)` |
# | keys, transposed | $K^\top$ | `(d_k, n_k)` |
# | raw scores | $QK^\top$ | `(n_q, n_k)` |
#
# <details><summary>Hint 1: a question</summary>
#
# How many scores are there with 2 queries and 3 keys? In a matrix product the inner sizes must be equal, and they disappear. Which size is summed over here, and which axis of `Q` and of `K` has this size?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` is the matrix product. `.T` transposes a matrix: rows become columns.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. transpose the keys: `(n_k, d_k)` becomes `(d_k, n_k)`
# 2. return the matrix product of the queries and the transposed keys
#
# Don't divide by anything here. The scale comes in 1.3.
# </details>
#
# <details><summary>I get “matmul: … mismatch in its core dimension”</summary>
#
# The inner sizes differ: the last axis of the left factor must be as long as the first axis of the right one. Which of the two has to be transposed?
# </details>
#
# <details><summary>I wrote loops and get “IndexError: index … is out of bounds”</summary>
#
# A loop runs too far, or two indices are swapped. Write down for each loop what it counts: queries (`n_q`), keys (`n_k`) or features (`d_k`). Then check every index in brackets: which of the three belongs there?
# </details>

# %% solution attention-scores edition="core"
def attention_scores(Q, K):
    """Return the raw dot products of every query with every key.

    Q: (n_q, d_k), K: (n_k, d_k). Returns (n_q, n_k).
    """
    ### BEGIN SOLUTION
    return Q @ K.T
    ### END SOLUTION


# %% test attention-scores points=2
# Test of 1.2 Scores (2 points). Run the checks cell first.
returns("attention-scores", scores="query key")
check("attention-scores", "2 queries and 3 keys", attention_scores, small_Q, small_K)
check("attention-scores", "3 queries and 2 keys", attention_scores, small_K, small_Q)
check("attention-scores", "2 queries and 2 keys", attention_scores, small_Q, small_K[:2])
for place, names in enumerate(["Q", "K"]):
    check("attention-scores", f"whole numbers in {names}", attention_scores,
        *whole_numbers(place, small_Q, small_K))
check("attention-scores", "1 query and 1 key", attention_scores, small_Q[:1], small_K[:1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(103)
for n_q, n_k, d_k in [*many_sizes(3), (3, 5, 4), (300, 4, 3), (2, 300, 5), (2, 3, 300)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    for factor in (1.0, -1e6):
        expected = (factor * queries[:, None] * keys).sum(axis=-1)
        given, sizes = (factor * queries, keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
        check_numbers(np.divide(attention_scores(*given), abs(factor)), expected / abs(factor), "on other random tables", 1e-6, sizes)
        assert np.array_equal(given[0], factor * queries), "Q was changed: write into a new array"
        assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_scores(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, -expected / 1e6, "on other random tables in float32", 1e-5, sizes)
### END HIDDEN TESTS

# %% [markdown]
# Now with the words. *cat* looks for a verb, so its score with *sat* should be the largest:

# %% tags=["demonstration"]
for key, score in zip(sentence, attention_scores(Q, K)[1]):
    print(f"cat -> {key:4} {score:5.1f}")


# %% [markdown] with=["attention-scores"]
# ## Why long texts are expensive
#
# Here is the same computation written as three loops. It is slow, but it shows exactly what is computed, and how often.

# %% tags=["demonstration"]
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):  # queries
        for j in range(len(K)):  # keys
            for f in range(Q.shape[1]):  # features
                scores[i, j] += Q[i, f] * K[j, f]
    return scores


print("same scores:", np.allclose(attention_scores_loops(Q, K), attention_scores(Q, K)))

# %% [markdown]
# **Predict:** if the sentence gets twice as long, how much longer do the loops take? The next cell measures both versions for 16 to 256 tokens.

# %% tags=["demonstration"]
lengths, seconds = [16, 32, 64, 128, 256], {"loops": [], "matrix product": []}
for n in lengths:
    # Four features are so few that NumPy uses only one processor core for the product.
    queries, keys = np.random.default_rng(0).normal(size=(2, n, 4))
    for name, score in zip(seconds, [attention_scores_loops, attention_scores]):
        timer = timeit.Timer(lambda: score(queries, keys))
        # Fast calls many times in a row, because a browser's clock has steps of 0.1 ms.
        in_a_row = int(0.02 / max(timer.timeit(1), 1e-4)) or 1
        seconds[name].append(min(timer.repeat(5, in_a_row)) / in_a_row)

# %% tags=["demonstration"]
print(f"loops: 256 tokens took {seconds['loops'][-1] / seconds['loops'][-2]:.1f} times as long as "
    "128")
print(f"256 tokens: the product was {seconds['loops'][-1] / seconds['matrix product'][-1]:.0f} "
    "times as fast")

# %% alt="Seconds against the number of tokens, both axes logarithmic: the loops lie on the dotted line of slope n squared, and the matrix product lies far below, nearly flat at first and then rising with the same slope." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for name, style in [("loops", "o-"), ("matrix product", "s--")]:
    ax.loglog(lengths, seconds[name], style, label=name)
    ax.loglog(lengths, seconds[name][-1] * (np.array(lengths) / lengths[-1]) ** 2, "k:")
ax.plot([], [], "k:", label="slope of n²")
ax.set(xlabel="number of tokens n", ylabel="seconds", xticks=lengths, xticklabels=lengths)
ax.minorticks_off()
ax.legend()
plt.show()


# %% [markdown]
# On logarithmic axes, *n²* is a straight line of slope 2: twice the tokens, four times the work. The loops follow it, up to the noise of timing: a single factor can be far from 4. The matrix product does the same number of multiplications in much less time. For short texts the fixed cost of a call dominates; for longer ones its curve approaches *n²*, too. This is why long texts are expensive for Transformers.

# %% [markdown]
# ## 1.3 Scaled attention weights
#
# **★ core · <!-- points -->3 points<!-- end --> · about 8 minutes · difficulty ●●○ · needs 1.1, 1.2**
#
# Now the scores become shares. For each query, a softmax over the keys gives a row of **attention weights** that sums to 1. One step comes in between: the scores are divided by $\sqrt{d_k}$.
#
# $$A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\quad\text{along each row}$$
#
# So $\sqrt{d_k}$ is the temperature of this softmax. You measure the reason for it right after this exercise.
#
# | operation | expression | shape |
# |---|---|---|
# | raw scores | $QK^\top$ | `(n_q, n_k)` |
# | scaled scores | $QK^\top/\sqrt{d_k}$ | `(n_q, n_k)` |
# | attention weights $A$ | softmax over the keys | `(n_q, n_k)`, each **row** sums to 1 |
#
# <details><summary>Hint 1: a question</summary>
#
# `d_k` isn't an argument. Which axis of `Q` has this length? And which of `n_q`, `n_k` and `d_k` is the number of features in a dot product?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your own `attention_scores` and `softmax`. `np.sqrt` or `math.sqrt` for the square root.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `scores` = `attention_scores` of Q and K
# 2. divide `scores` by the square root of `d_k`, the last size in `Q.shape`
# 3. return the `softmax` of the result along the last axis, the keys
# </details>
#
# <details><summary>I get NotImplementedError, but I wrote this function</summary>
#
# The error comes from one of your functions that this one calls: `softmax` or `attention_scores`. Finish that one first, or write its steps out here.
# </details>

# %% solution attention-weights builds_on=["softmax", "attention-scores"] edition="core"
def attention_weights(Q, K):
    """Compute scaled dot-product attention weights.

    Q: (n_q, d_k), K: (n_k, d_k). Returns (n_q, n_k), and each row sums to 1.
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    return softmax(attention_scores(Q, K) / np.sqrt(d_k), axis=-1)
    ### END SOLUTION


# %% test attention-weights points=3
# Test of 1.3 Scaled attention weights (3 points). Run the checks cell first.
returns("attention-weights", weights="query key")
check("attention-weights", "2 queries and 3 keys", attention_weights, small_Q, small_K)
check("attention-weights", "3 queries and 2 keys", attention_weights, small_K, small_Q)
check("attention-weights", "a query 1000 times as large", attention_weights,
    [[1000], [1]] * small_Q, small_K)
check("attention-weights", "a query -1000 times as large", attention_weights,
    [[1], [-1000]] * small_Q, small_K)
check("attention-weights", "all scores far below 0", attention_weights, -1000 * np.abs(small_Q),
    np.abs(small_K))
for place, names in enumerate(["Q", "K"]):
    check("attention-weights", f"whole numbers in {names}", attention_weights,
        *whole_numbers(place, small_Q, small_K))
check("attention-weights", "1 query and 1 key", attention_weights, small_Q[:1], small_K[:1])
returns("attention-weights", excess="query")
check("attention-weights", "how far the sum of each row is above 1, in percent", weights_excess,
    small_Q, np.ones((3, 5)))
check_unrounded(attention_weights(small_Q, small_K))
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
shares_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(104)
for n_q, n_k, d_k in [*many_sizes(3), (3, 5, 4), (2, 4, 300), (300, 3, 2), (3, 300, 2)]:
    queries, keys = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k))
    expected = shares_of((queries[:, None] * keys).sum(axis=-1) / math.sqrt(d_k))
    given, sizes = (queries.copy(), keys.copy()), f"with n_q={n_q}, n_k={n_k}, d_k={d_k}, "
    check_numbers(attention_weights(*given), expected, "on other random tables", 1e-6, sizes)
    assert np.array_equal(given[0], queries), "Q was changed: write into a new array"
    assert np.array_equal(given[1], keys), "K was changed: write into a new array"
    single = attention_weights(queries.astype(np.float32), keys.astype(np.float32))
    check_numbers(single, expected, "on other random tables in float32", 1e-5, sizes)
    whole = [np.rint(2 * array).astype(int) for array in (queries, keys)]
    expected = shares_of((whole[0][:, None] * whole[1]).sum(axis=-1) / math.sqrt(d_k))
    check_numbers(attention_weights(*whole), expected, "on random tables of integers", 1e-6, sizes)
    for sign in (1, -1):    # with -1 all scores are far below 0
        queries, keys = sign * np.abs(queries) * 1e8, np.abs(keys)
        expected = shares_of((queries[:, None] * keys).sum(axis=-1) / math.sqrt(d_k))
        with np.errstate(all="ignore"):
            huge = attention_weights(queries.copy(), keys.copy())
        check_numbers(huge, expected, "with huge scores", 1e-3, sizes)
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% tags=["demonstration"]
print("row sums:   ", np.sum(attention_weights(Q, K), axis=1).round(3))
print("column sums:", np.sum(attention_weights(Q, K), axis=0).round(3))

# %% [markdown]
# The rows sum to 1. The columns don't have to: a column sum says how much attention a word receives in total.
#
# Here are your attention weights for the cat on the mat. Each bar is one query, divided among the keys it attends to, from key 0 on the left to key 5 on the right. The largest shares of a query are dark. Before you run it: what do you expect for *cat*, and for the first *the*?

# %% alt="One bar for each query, all of length 1 and divided among the six keys, with the largest shares dark: both nouns give about three quarters to sat, and every other token gives the same large share to cat and to mat." tags=["demonstration"]
weights = np.asarray(attention_weights(Q, K))
fig, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
left = np.zeros(6)
for j, key in enumerate(sentence):
    for i, share in enumerate(weights[:, j]):
        largest = share > weights[i].max() - 1e-6
        ax.barh(i, share, left=left[i], color="#1f5a92" if largest else "#c6dbef",
            edgecolor="white")
        ax.text(left[i] + share / 2, i, f"{j} {key}" if share > 0.1 else j, ha="center",
            va="center",
                color="white" if largest else "black", fontsize=9)
    left += weights[:, j]
labels = [f"{i} {token}" for i, token in enumerate(sentence)]
ax.set(yticks=range(6), yticklabels=labels, ylabel="query", xlabel="share of each key", xlim=(0, 1))
ax.invert_yaxis()
plt.show()

# %% [markdown]
# Every bar has the length 1: a query has one unit of attention to distribute. The nouns give most of theirs to *sat*, the only verb. The other words divide theirs between *cat* and *mat*, which are the same to this head: `X` holds only the kind of each word, not which word it is or where it is.
#
# A query must distribute its whole unit, even if no key matches: then the shares are even. Trained language models often send attention that they have no use for to the first tokens, even where these carry no meaning: an **attention sink** (Xiao et al., 2023).

# %% [markdown] with=["softmax", "attention-scores"]
# ## Why divide by the square root?
#
# You divided by $\sqrt{d_k}$ because the formula says so. Now measure the reason: 320 random queries and 32 random keys, with features of mean 0 and variance 1, in heads of size 1 to 1024. **Predict:** without the scale, do the attention weights become more even or more pointed as the head grows? And with it?

# %% tags=["demonstration"]
head_sizes = 2 ** np.arange(11)
variants = "unscaled", "divided by √d_k"
spread, largest = ({name: np.zeros(11) for name in variants} for _ in range(2))
rng = np.random.default_rng(0)
for k, d_k in enumerate(head_sizes):
    raw = rng.normal(size=(320, d_k)) @ rng.normal(size=(32, d_k)).T
    for name, scores in zip(variants, [raw, raw / np.sqrt(d_k)]):
        spread[name][k] = np.std(scores)
        largest[name][k] = np.mean(np.max(softmax(scores), axis=-1))

# %% alt="Two panels against the head size from 1 to 1024: unscaled, the standard deviation of the scores grows like the root of d_k, and the mean of the largest weight rises from 0.12 to 0.94; divided by the root of d_k, both stay nearly level, near 1 and near 0.16." tags=["demonstration"]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name, style in zip(variants, ["o-", "s-"]):
    left.loglog(head_sizes, spread[name], style, label=name)
    right.semilogx(head_sizes, largest[name], style, label=name)
left.loglog(head_sizes, np.sqrt(head_sizes), "k:", label="√d_k")
right.axhline(1 / 32, color="k", linestyle=":", label="even: 1/32")
left.set(xlabel="head size d_k", ylabel="standard deviation of the scores")
right.set(xlabel="head size d_k", ylabel="largest weight of a query, mean", ylim=(0, 1))
for ax in (left, right):
    ax.set_xticks(head_sizes[::2], head_sizes[::2])
    ax.minorticks_off()
    ax.legend()
plt.show()

# %% tags=["demonstration"]
for name in variants:
    print(f"d_k = 1024, {name}: spread {spread[name][-1]:.2f}, largest weight "
        f"{largest[name][-1]:.2f}")


# %% [markdown]
# Unscaled, the spread of the scores (their standard deviation, the square root of the variance) grows like $\sqrt{d_k}$. At $d_k$ = 1024 the largest weight of a query is 0.94 on average: most queries put almost all their weight on one key, and which key is essentially random. Divided by $\sqrt{d_k}$, both curves stay nearly level. (Below $d_k$ = 8 there is a small real rise; the other wiggles are random.)

# %% task why-root-d-k [markdown] points=2 edition="core"
# ## 1.4 In your own words: why the square root?
#
# **★ core · <!-- points -->2 points<!-- end --> · about 7 minutes · difficulty ●●○ · read by a person**
#
# Suppose that the features of queries and keys are independent, with mean 0 and variance 1. Then the product of two of them has mean 0 and variance 1 as well, and variances of independent numbers add up.
#
# 1. Suppose that `d_k` doubles and nothing is scaled. By what factor does the spread (the standard deviation) of the scores grow, and why? What does this do to the attention weights? (1 point)
# 2. Why is the divisor $\sqrt{d_k}$ and not $d_k$? What spread does each of them leave? (1 point)
#
# Four to six sentences are enough. Formulas are welcome, but not needed.
#
# ### BEGIN MARK SCHEME
# **1 point** for the effect: a score is a sum of d_k independent products, each with mean 0 and variance 1, so its variance is d_k. Doubling d_k doubles the variance, and the standard deviation grows by √2. Softmax depends on differences of scores, so the attention weights become more pointed (lower entropy, nearer to one-hot, tiny gradients for most queries).
#
# **1 point** for the divisor: dividing by √d_k divides the variance by d_k and brings it back to 1 for every head size. Dividing by d_k would leave a standard deviation of 1/√d_k, which goes to 0, so large heads would attend almost evenly.
#
# **Half right (1 point of 2):** “The scores get too large, so softmax saturates, and the root makes them smaller.” The effect is there, but nothing says how large they get, so the same argument would justify dividing by d_k.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 1.4** (double-click here, and write in place of this line)

# %% [markdown]
# ## 1.5 How pointed is a row of attention weights?
#
# **more · <!-- points -->1 point<!-- end --> · about 8 minutes · difficulty ●●○**
#
# A row of attention weights can be even, where every key gets the same share, or pointed, where one key gets nearly everything. Entropy measures this with one number:
#
# $$H(w) = -\sum_j w_j \ln w_j$$
#
# It is 0 if one key has everything, and $\ln m$ if *m* keys have equal shares. With the natural logarithm its unit is the *nat*. One catch: $0\cdot\ln 0$ counts as 0, but NumPy computes `nan`. (A `RuntimeWarning` means that your logarithm still meets a 0.)
#
# | operation | expression | shape |
# |---|---|---|
# | term of each key | $w_j \ln w_j$, or 0 where $w_j = 0$ | like `weights` |
# | entropy | minus the sum along the last axis | `weights` without its last axis |
#
# <details><summary>Hint 1: a question</summary>
#
# By what could you replace a weight of 0 **inside the logarithm only**, so that the product is still 0?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.where(condition, a, b)` takes each entry from `a` or from `b`. `np.log` is the natural logarithm. `np.sum(…, axis=-1)` sums over the last axis.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `positive` = the weights, with 1 in place of every 0
# 2. `terms` = weights · log of `positive`
# 3. return minus the sum of `terms` along the last axis
# </details>

# %% solution weight-entropy
def weight_entropy(weights):
    """Compute the entropy in nats of each row of weights, with 0 log 0 = 0.

    weights: (n, m), or any shape whose last axis sums to 1.
    Returns the shape without that axis.
    """
    ### BEGIN SOLUTION
    positive = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(positive), axis=-1)
    ### END SOLUTION


# %% test weight-entropy points=1
# Test of 1.5 How pointed is a row of attention weights? (1 point). Run the checks cell first.
def small_weights(function):
    got = np.asarray(function(np.full((2, 100000), 1e-5)), dtype=float)
    assert got.shape != (2,) or np.allclose(got, np.log(100000), rtol=3e-4), (
        f"weights of 0.00001 have the entropy ln 100000 = 11.513, not {got[0]:.5g}\n"
        "keep small weights as they are and add nothing to them: only a weight of exactly 0 is a "
        "special case")
    return got


returns("weight-entropy", entropy="head query")
heads = np.array([[[0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 1, 0, 0]],
                  [[0, 0.25, 0.75, 0], [0.1, 0.2, 0.3, 0.4], [0.5, 0, 0.25, 0.25]]])
check("weight-entropy", "2 heads with 3 queries and 4 keys", weight_entropy, heads)
returns("weight-entropy", entropy="query")
check("weight-entropy", "2 queries and 4 keys, no weight of 0", weight_entropy, heads[[1, 0], 1])
check("weight-entropy", "100000 keys", small_weights, weight_entropy)
check("weight-entropy", "1 query and 1 key", weight_entropy, np.ones((1, 1)))
### BEGIN HIDDEN TESTS
with np.errstate(all="ignore"):
    rng = np.random.default_rng(110)
    for shape in [*many_sizes(1), *many_sizes(2), *many_sizes(3, (1, 3, 9)), (5, 3), (2, 3, 4), (2, 3, 2, 4), (3, 3, 3, 3)]:
        table = rng.uniform(0.1, 1.0, size=shape)
        table[..., 1:2] = 0.0
        table[..., 3:4] *= 1e-7
        table /= table.sum(axis=-1, keepdims=True)
        expected = -(table * np.log(table + (table == 0))).sum(axis=-1)
        for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
            given, sizes = table.astype(dtype), f"with shape {in_words(shape)}, "
            check_numbers(weight_entropy(given), expected, "on random attention weights", tolerance, sizes)
            assert np.array_equal(given, table.astype(dtype)), "the weights were changed: make a new array"
    check_numbers(weight_entropy(np.eye(6)[::-1].copy()), np.zeros(6), "on rows with a single weight of 1", 1e-6)
    tail = np.full((2, 20001), [[1e-9], [5e-7]])
    tail[:, 0] = 1 - tail[:, 1:].sum(axis=1)
    expected = [-math.fsum(w * math.log(w) for w in row) for row in tail]
    shares_of_expected = np.asarray(weight_entropy(tail), dtype=float).reshape(-1) / expected
    check_numbers(shares_of_expected, [1, 1], "on many small weights and a large one", 3e-3)
### END HIDDEN TESTS

# %% alt="Bars of four rows of attention weights with their entropies: one key has everything, 0.00 nats; the row of cat, 0.90 nats; the row of the, 1.10 nats; six equal weights, 1.79 nats." tags=["demonstration"] with=["attention-weights"]
pointed, even = np.eye(6)[2], np.full(6, 1 / 6)
rows = {"one key": pointed, "cat": weights[1], "the": weights[0], "even": even}
fig, axes = plt.subplots(1, 4, figsize=(9, 2.7), sharey=True, layout="constrained")
for ax, (name, row) in zip(axes, rows.items()):
    ax.bar(range(6), row, color="#4c78a8")
    ax.set_title(f"{name}: {abs(weight_entropy(row)):.2f} nats")
    ax.set(xticks=range(6), xlabel="key", ylim=(0, 1.05))
axes[0].set_ylabel("attention weight")
plt.show()

# %% [markdown]
# *cat* attends to one key and *the* to two, so the entropy of *the* is higher. Nothing exceeds $\ln 6 \approx 1.79$.
#
# Entropy also shows what the scale does. The next cell repeats the experiment from above. It measures the entropy, and the **slope** of the softmax: how strongly the shares react when the scores change. The derivative of a share $w_j$ with respect to its own score is $w_j(1 - w_j)$. Summed over all keys:
#
# $$\sum_j w_j(1 - w_j) = 1 - \sum_j w_j^2$$
#
# The slope is 31/32 if 32 keys have equal shares, and 0 if one key has everything. Where it is 0, no gradient reaches the scores, and training can't change where the head looks.

# %% tags=["demonstration"] with=["softmax", "attention-scores"]
entropy, slope = ({name: np.zeros(11) for name in variants} for _ in range(2))
rng = np.random.default_rng(0)
for k, d_k in enumerate(head_sizes):
    raw = rng.normal(size=(320, d_k)) @ rng.normal(size=(32, d_k)).T
    for name, scores in zip(variants, [raw, raw / np.sqrt(d_k)]):
        shares = softmax(scores)
        entropy[name][k] = np.mean(weight_entropy(shares))
        slope[name][k] = np.mean(1 - np.sum(np.square(shares), axis=-1))

# %% alt="Two panels against the head size: unscaled, the mean entropy falls from 3.13 to 0.14 nats and the mean slope of the softmax from 0.94 to 0.09; divided by the root of d_k, both stay nearly level, near 3 nats and near 0.93." tags=["demonstration"] with=["softmax", "attention-scores"]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name, style in zip(variants, ["o-", "s-"]):
    left.semilogx(head_sizes, entropy[name], style, label=name)
    right.semilogx(head_sizes, slope[name], style, label=name)
left.axhline(np.log(32), color="k", linestyle=":", label="even: ln 32")
right.axhline(31 / 32, color="k", linestyle=":", label="even: 31/32")
left.set(xlabel="head size d_k", ylabel="mean entropy in nats", ylim=(0, None))
right.set(xlabel="head size d_k", ylabel="mean slope, 1 − Σ w²", ylim=(0, 1.05))
for ax in (left, right):
    ax.set_xticks(head_sizes[::2], head_sizes[::2])
    ax.minorticks_off()
    ax.legend()
plt.show()
print(f"mean slope at d_k = 1024: {slope[variants[0]][-1]:.2f} {variants[0]}, "
    f"{slope[variants[1]][-1]:.2f} {variants[1]}")


# %% [markdown]
# Unscaled, both fall towards 0. At $d_k$ = 1024 the mean slope is 0.09, and a minority of the queries makes most of it: about half have a slope below 0.0001, and learn nothing. With the scale it is between 0.92 and 0.94 for every head size. That is what the division by $\sqrt{d_k}$ is for: a head of any size starts out able to learn.

# %% [markdown]
# ## 1.6 One head, complete
#
# **★ core · <!-- points -->4 points<!-- end --> · about 9 minutes · difficulty ●●○ · needs 1.3**
#
# The attention weights say how much each token attends to every other one. The values say what it receives. A token's new content is the mean of all values, weighted by its row of $A$. So in each column, the entries of $AV$ lie between the smallest and the largest entry of that column of $V$. A last matrix `W_O` maps the result back to the size of the model. (In a Transformer it is then added to `X`. Not here.)
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $XW_Q,\; XW_K$ | `(n, d_k)` |
# | values | $XW_V$ | `(n, d_v)` |
# | attention weights $A$ | $\mathrm{softmax}(QK^\top/\sqrt{d_k})$ | `(n, n)`, each row sums to 1 |
# | weighted means of the values | $AV$ | `(n, d_v)` |
# | output | $AVW_O$ | `(n, d_model)` |
#
# This is the whole map of one head. Return two results: the output and the attention weights. `d_model`, `d_k` and `d_v` may all differ: the scale is the square root of `d_k`, the length of queries and keys.
#
# Compute `Q`, `K` and `V` inside your function. If you forget one, Python silently takes the variable of this name from the notebook, which belongs to the sentence.
#
# <details><summary>Hint 1: a question</summary>
#
# Row *i* of the weighted means is $\sum_j A_{ij} V_j$. Over which index is the sum, and which matrix product sums over it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `attention_weights` does half of the work. The rest is `@`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `Q`, `K`, `V` = `X` times each of the three projection matrices
# 2. `weights` = `attention_weights` of `Q` and `K`
# 3. `output` = `weights` times `V` times `W_O`
# 4. return `output`, `weights`
# </details>
#
# <details><summary>I get “cannot unpack” or “too many values to unpack”</summary>
#
# The test expects two results: end your function with a return of the output and the attention weights, separated by a comma.
# </details>
#
# <details><summary>I get “matmul: … mismatch in its core dimension”</summary>
#
# In a product, the last axis of the left factor and the first axis of the right one must have the same length. Print both shapes and look them up in the table: which factor is on the wrong side, or projected by the wrong matrix?
# </details>

# %% solution single-head-attention builds_on=["attention-weights"] edition="core"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    """Compute one head of self-attention.

    X: (n, d_model), W_Q and W_K: (d_model, d_k), W_V: (d_model, d_v), W_O: (d_v, d_model).
    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attention_weights(Q, K)
    return weights @ V @ W_O, weights
    ### END SOLUTION


# %% test single-head-attention points=4
# Test of 1.6 One head, complete (4 points). Run the checks cell first.
returns("single-head-attention", output="query feature", weights="query key")
check("single-head-attention", "4 tokens", single_head_attention, tiny_X, *tiny_matrices)
for place, names in enumerate(["X, W_K and W_O", "W_Q and W_V"]):
    check("single-head-attention", f"whole numbers in {names}", single_head_attention,
        *whole_numbers(place, tiny_X, *tiny_matrices))
for result in single_head_attention(tiny_X, *tiny_matrices):
    check_unrounded(result)
check("single-head-attention", "1 token", single_head_attention, tiny_X[1:2], *tiny_matrices)
check("single-head-attention", "3 tokens, 1000 times as large", single_head_attention,
    1e3 * tiny_X[1:], *tiny_matrices)
check("single-head-attention", "all scores far below 0", single_head_attention, np.abs(tiny_X),
    *low_matrices)
check("single-head-attention", "a token of zeros, with scores of 0", single_head_attention,
    np.array([[0.0, 0], [1, 2], [2, -1]]), *tiny_matrices)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
rng = np.random.default_rng(105)
shares_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
for n, d_model, d_k, d_v in [(5, 6, 3, 4), *many_sizes(4, (1, 3, 9)), (4, 3, 300, 2), (3, 2, 2, 300)]:
    shapes = [(n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = [rng.normal(size=shape) / math.sqrt(shape[0]) for shape in shapes]
    for dtype, tolerance, factor in [(np.float64, 5e-6, 1), (np.float32, 1e-5, 1), (int, 5e-6, 3), (np.float64, 1e-3, 1e9), (np.float64, 1e-3, -1e9)]:
        x, w_q, w_k, w_v, w_o = before = arrays if factor == 1 else [np.rint(3 * array) for array in arrays]
        if abs(factor) > 3:    # huge scores, all of one sign
            x, w_q, w_k, w_v, w_o = before = [np.abs(arrays[0]), factor * np.abs(arrays[1]), np.abs(arrays[2]), *arrays[3:]]
        slow = shares_of(((x @ w_q)[:, None] * (x @ w_k)).sum(axis=-1) / math.sqrt(d_k))
        mixed = (slow[..., None] * (x @ w_v)).sum(axis=1) @ w_o
        where, sizes = "of other random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, d_v={d_v}, "
        where += ", with huge scores" if abs(factor) > 3 else ""
        given = [a.astype(dtype) for a in before]
        with np.errstate(all="ignore"):
            output, weights = single_head_attention(*given)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, before)), "an input was changed"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# What did *cat* receive? Its row of the output has one number per kind of word.

# %% tags=["demonstration"]
output, weights = single_head_attention(X, W_Q, W_K, W_V, W_O)
print("output has shape", np.shape(output))
for kind, amount in zip(kinds, output[1]):
    print(f"cat received {amount:5.2f} of feature '{kind}'")


# %% [markdown]
# Mostly *verb*, as it should. *cat* gives 0.09 of its attention to the two articles and 0.05 to *on*, yet it receives 0.07 of *article* and 0.07 of *preposition*: half of 0.09 + 0.05 each. The reason is `W_V`, which has only three channels: noun, verb, and everything else. `W_O` splits the third evenly. A head can pass on at most `d_v` numbers per token.
#
# And *who sat*, as the introduction asked? *sat* receives 0.89 of *noun*. So it learns that some noun sat, but not which one: `X` doesn't distinguish the nouns.

# %% [markdown]
# ## 1.7 Design a head
#
# **★ core · <!-- points -->2 points<!-- end --> · about 10 minutes · difficulty ●●●**
#
# Weight matrices are usually learned. Now you choose two of them by hand. Build a head that always attends to the token just before. Such *previous-token heads* exist in trained language models. Together with a second kind of head, they let a model continue a pattern that occurred earlier in the text (Olsson et al., 2022).
#
# Here `X` is the identity matrix $I_n$: token *i* is described only by its position, a 1 in place *i* among zeros (such a row is called *one-hot*). So $Q = W_Q$ and $K = W_K$, and you may choose every row of them. Each token except the first must give at least **0.99** of its attention to the token before it, for any `n` from 2 to 40. The first token has no token before it, so its weights are free.
#
# | operation | expression | shape |
# |---|---|---|
# | queries, keys | $I_nW_Q,\; I_nW_K$ | `(n, n)` |
# | scaled scores | $W_QW_K^\top/\sqrt{n}$ | `(n, n)`, since $d_k = n$ |
# | attention weights | softmax along each row | row *i* nearly all in column *i* − 1 |
#
# <details><summary>Hint 1: a question</summary>
#
# If row *i* of the scaled scores is *c* in column *i* − 1 and 0 elsewhere, which share does that column get? How large must *c* be for 0.99 with `n` = 40? And what does the scale do to the raw scores before the softmax?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.eye(n)` is the identity matrix. `np.eye(n, k=1)` and `np.eye(n, k=-1)` have their ones just above or just below the diagonal. Print both for `n` = 3.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. let `W_K` be the identity: then the raw scores $W_QW_K^\top$ are `W_Q` itself
# 2. `W_Q` = ones where the column is one less than the row, 0 elsewhere
# 3. multiply `W_Q` by a number that is still large after the division by the square root of `n`
# 4. return `W_Q`, `W_K`
# </details>

# %% solution previous-token-head edition="core"
def previous_token_head(n):
    """Return W_Q and W_K of a head that attends to the token before, for one-hot
    positions X = I_n.

    Both have the shape (n, n). With the scale 1/√n every token except the first gives
    at least 0.99 of its attention to the token before it.
    """
    ### BEGIN SOLUTION
    W_Q = 20 * np.sqrt(n) * np.eye(n, k=-1)
    W_K = np.eye(n)
    return W_Q, W_K
    ### END SOLUTION


# %% test previous-token-head points=2
# Test of 1.7 Design a head (2 points). Run the checks cell first.
returns("previous-token-head", weights="token key")
check("previous-token-head", "n = 4", shares_of_head, 4, previous_token_head)
check("previous-token-head", "n = 2", shares_of_head, 2, previous_token_head)
returns("previous-token-head", share="token-before")
check("previous-token-head", "n = 40", share_before, 40, previous_token_head)
### BEGIN HIDDEN TESTS
for n in range(2, 41):
    W_Qn, W_Kn = (np.asarray(matrix, dtype=float) for matrix in previous_token_head(n))
    assert W_Qn.shape == W_Kn.shape == (n, n), f"for another n, a matrix is not (n, n)\nn is {n}"
    scores = [[math.fsum(q * k) / math.sqrt(n) for k in W_Kn] for q in W_Qn]
    for i in range(1, n):
        share = 1 / math.fsum(math.exp(min(score - scores[i][i - 1], 700)) for score in scores[i])
        assert share >= 0.99, (
            f"for another n, the token before gets too little of the weight\nn={n}, token {i}: {share:.3f}")
### END HIDDEN TESTS

# %% tags=["demonstration"] with=["attention-weights"]
for row in attention_weights(*map(np.array, previous_token_head(4))):
    print(np.round(row, 3))

# %% [markdown]
# On the left is the head that looks for nouns and verbs: it attends by **content**. On the right is yours: it attends by **position**. (The row of its first token is free.) The same computation does both. Only the weight matrices differ, and what `X` says about each token.

# %% alt="Two heatmaps of queries by keys: on the left each row is bright at the nouns or at the verb, wherever they are; on the right the bright cells form one slanted line, one place left of the diagonal." tags=["demonstration"] with=["attention-weights"]
fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
heads = {"by content": attention_weights(Q, K),
    "by position": attention_weights(*map(np.array, previous_token_head(6)))}
labels = [f"{i} {token}" for i, token in enumerate(sentence)]
for ax, (name, table) in zip(axes, heads.items()):
    image = ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
    ax.set_xticks(range(6), labels, rotation=45)
    ax.set_yticks(range(6), labels)
    ax.set(title=name, xlabel="key", ylabel="query")
fig.colorbar(image, ax=axes, shrink=0.8, label="attention weight")
plt.show()


# %% [markdown]
# ## 1.8 Draw the attention weights
#
# **more · <!-- points -->1 point<!-- end --> · about 7 minutes · difficulty ●○○**
#
# A heatmap is the usual picture of attention. Draw one that can't be misread: a row for each query, the first at the top, a column for each key, the number in each cell, and colours that always mean the same.
#
# | part | what to do |
# |---|---|
# | image | `imshow` on the given `ax`, the attention weights as they are, colour limits 0 to 1 |
# | ticks | one for every row and every column, labelled with its token |
# | axis labels | exactly `query` (vertical) and `key` (horizontal) |
# | numbers | write the weight into each cell, as a plain number with at least two decimals such as `0.25` (optional if there are more than 8 queries or more than 8 keys) |
#
# Fixed limits matter. If every picture is scaled from its own smallest to its own largest weight, an even row looks just as dramatic as a pointed one. Colour map, colour bar and title are up to you: `viridis` and `cividis` are readable for colour-blind people.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the difference between `plt.imshow(…)` and `ax.imshow(…)` when a figure has two panels?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `ax.imshow` takes `vmin` and `vmax`. `ax.set_xticks` and `ax.set_yticks` take positions and, as a second argument, labels. `ax.set_xlabel`, `ax.set_ylabel`. `ax.text(x, y, text, ha="center", va="center")`, where `x` is the column and `y` the row.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. `imshow` of the weights on `ax`, with `vmin` 0 and `vmax` 1
# 2. x ticks at 0, 1, 2, …, labelled with the keys; y ticks labelled with the queries
# 3. set the two axis labels
# 4. if there are at most 8 queries and 8 keys: for each row `i` and column `j`, write the weight with two decimals at x = `j`, y = `i`
# 5. return `ax`
# </details>
#
# <details><summary>My numbers are hard to read on their cells</summary>
#
# Choose the colour of the text by the weight: white on dark cells, black on bright ones.
# </details>

# %% solution plot-attention
def plot_attention(weights, queries, keys, ax):
    """Draw attention weights as a heatmap on `ax`, and return `ax`.

    weights: (n_q, n_k), queries: n_q tokens (rows), keys: n_k tokens (columns).
    """
    ### BEGIN SOLUTION
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if max(len(queries), len(keys)) <= 8:
        for i in range(len(queries)):
            for j in range(len(keys)):
                colour = "black" if weights[i][j] > 0.6 else "white"
                ax.text(j, i, f"{weights[i][j]:.2f}", ha="center", va="center", color=colour)
    return ax
    ### END SOLUTION


# %% test plot-attention points=1
# Test of 1.8 Draw the attention weights (1 point). Run the checks cell first.
returns("plot-attention", limits="end", rows="tick", columns="tick", numbers="query key",
    image="query key")
two = np.array([[0.75, 0.25], [0.38, 0.62]])
check("plot-attention", "2 queries and 2 keys, no weight of 0", picture, two, "the cat", "a b",
    plot_attention)
three = np.array([[0.7, 0, 0.2, 0.1], [0.3, 0.3, 0.4, 0], [0, 0.9, 0, 0.1]])
check("plot-attention", "3 queries and 4 keys", picture, three, "the cat the", "a b c a",
    plot_attention)
check("plot-attention", "8 queries and 8 keys", picture, np.eye(8), "a b c d e f g h",
    "i j k l m n o p", plot_attention)
check("plot-attention", "9 queries and 2 keys", picture, np.eye(9, 2), "a b c d e f g h i", "j k",
    plot_attention)
check("plot-attention", "2 queries and 11 keys", picture, np.eye(2, 11), "a b",
    "c d e f g h i j k l m", plot_attention)
### BEGIN HIDDEN TESTS
for n_q, n_k in [(9, 17), (5, 8), (8, 8), (1, 1), (8, 1), (21, 3)]:
    drawn_table = np.random.default_rng([111, n_q, n_k]).dirichlet(np.full(n_k, 0.2), size=n_q)
    tokens = [f"word {i}" for i in range(21)]
    figure, (other, given) = plt.subplots(1, 2)
    figure.sca(other)
    drawn = plot_attention(drawn_table.copy(), tokens[:n_q], tokens[:n_k], given)
    plt.close(figure)
    check_numbers(drawn.images[0].get_array(), drawn_table, "in the image of another table", 1e-6)
    check_numbers(drawn.images[0].get_clim(), [0, 1], where="in the colour limits")
    for axis, names in [(drawn.xaxis, tokens[:n_k]), (drawn.yaxis, tokens[:n_q])]:
        check_numbers(axis.get_ticklocs(), range(len(names)), where="in the ticks of another table")
        assert [tick.get_text() for tick in axis.get_ticklabels()] == names, "a tick's label is not its token"
    small = max(n_q, n_k) <= 8
    texts = {tuple(text.get_position()): float(text.get_text()) for text in drawn.texts if small}
    assert not any("e" in text.get_text().lower() for text in drawn.texts if small), "in the cells, a number has an exponent"
    written = [[texts.get((j, i), np.nan) for j in range(n_k)] for i in range(n_q)]
    check_numbers(written if small else drawn_table, drawn_table, "in the cells", 0.0101)
### END HIDDEN TESTS

# %% alt="A heatmap of the six queries by the six keys with the number in each cell: the rows of cat and mat are bright only at sat, 0.77, and the other four rows are bright at cat and at mat, 0.45 each." tags=["demonstration"] with=["attention-weights"]
fig, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
named = [f"{i} {token}" for i, token in enumerate(sentence)]
plot_attention(attention_weights(Q, K), named, named, ax)
ax.set_title("which query attends to which key")
plt.show()


# %% [markdown]
# Read a row from left to right: it is one query, and its numbers sum to 1 (1.02 here, since each is rounded). Columns need not sum to anything: *sat* receives attention from both nouns, and *on* hardly any.
#
# A word of warning: a bright cell says where a head **looks**, not what it **does** with what it finds. That depends on the values and on `W_O`. (Jain and Wallace, 2019, discuss how far such pictures can be trusted.)

# %% [markdown]
# ## 1.9 Two circuits instead of four matrices
#
# **more · <!-- points -->3 points<!-- end --> · about 10 minutes · difficulty ●●○ · needs 1.1**
#
# Look at where the four matrices occur. In the scores, $W_Q$ and $W_K$ occur only as a product, and so do $W_V$ and $W_O$ in the output:
#
# $$QK^\top = X\,\underbrace{W_Q W_K^\top}_{W_{QK}}\,X^\top$$
#
# $$AVW_O = A\,X\,\underbrace{W_V W_O}_{W_{OV}}$$
#
# So a head consists of two circuits. The **QK circuit** decides which token attends to which. The **OV circuit** decides what is passed on. Both matrices are `(d_model, d_model)`, whatever `d_k` and `d_v` are.
#
# Elhage et al. (2021) analyse trained Transformers in this way. Their tokens are columns, so their weight matrices are the transposes of ours. Their $W_{QK} = W_Q^\top W_K$ is the same matrix as ours, and their $W_{OV} = W_OW_V$ is the transpose of ours.
#
# | operation | expression | shape |
# |---|---|---|
# | QK circuit, without the scale | $W_QW_K^\top$ | `(d_model, d_model)` |
# | OV circuit | $W_VW_O$ | `(d_model, d_model)` |
# | scaled scores | $XW_{QK}X^\top/\sqrt{d_k}$ | `(n, n)` |
# | output | $A\,X\,W_{OV}$ | `(n, d_model)` |
#
# Write two functions. `fold_weights` computes the two matrices, and `folded_attention` uses them. The second needs `d_k` as an argument. Why can't it compute `d_k` from the matrices? Think of an answer; ours comes after the tests.
#
# <details><summary>Hint 1: a question</summary>
#
# $(XW_K)^\top$ is $W_K^\top X^\top$. So in $XW_Q(XW_K)^\top$, which two weight matrices are next to each other, and which of them is transposed?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `@` and `.T` for the first function. The second also needs `softmax` and a square root.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# `fold_weights`: return the product of `W_Q` with the transpose of `W_K`, and the product of `W_V` with `W_O`.
#
# `folded_attention`:
#
# 1. `scores` = `X` times `W_QK` times `X` transposed, divided by the square root of `d_k`
# 2. `weights` = `softmax` of `scores` along the last axis
# 3. `output` = `weights` times `X` times `W_OV`
# 4. return `output`, `weights`
# </details>

# %% solution fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    """Return the QK and the OV circuit of a head, without the scale.

    W_Q, W_K: (d_model, d_k), W_V: (d_model, d_v), W_O: (d_v, d_model).
    Both have the shape (d_model, d_model).
    """
    ### BEGIN SOLUTION
    return W_Q @ W_K.T, W_V @ W_O
    ### END SOLUTION


# %% test fold-weights points=1
# Test of 1.9 Two circuits instead of four matrices, 1 of 2 (1 point). Run the checks cell first.
returns("fold-weights", W_QK="query-side key-side", W_OV="value-side output-side")
check("fold-weights", "the small head", fold_weights, *tiny_matrices)
for place, names in enumerate(["W_Q and W_V", "W_K and W_O"]):
    check("fold-weights", f"whole numbers in {names}", fold_weights,
        *whole_numbers(place, *tiny_matrices))
check("fold-weights", "d_model = 1", fold_weights, *(matrix[:1] for matrix in tiny_matrices[:3]),
    tiny_W_O[:, :1])
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(106)
for d_model, d_k, d_v in [(5, 3, 4), *many_sizes(3), (2, 300, 3), (2, 3, 300)]:
    shapes = [(d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = w_q, w_k, w_v, w_o = [rng.normal(size=shape) for shape in shapes]
    slow_QK, slow_OV = (w_q[:, None] * w_k).sum(axis=-1), (w_v[:, None] * w_o.T).sum(axis=-1)
    sizes = f"with d_model={d_model}, d_k={d_k}, d_v={d_v}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-5)]:
        given = [a.astype(dtype) for a in arrays]
        W_QK, W_OV = fold_weights(*given)
        check_numbers(W_QK, slow_QK, "in W_QK of other random matrices", tolerance, sizes)
        check_numbers(W_OV, slow_OV, "in W_OV of other random matrices", tolerance, sizes)
        unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, arrays))
        assert all(unchanged), "a weight matrix was changed: make new arrays"
### END HIDDEN TESTS

# %% solution folded-attention builds_on=["softmax"]
def folded_attention(X, W_QK, W_OV, d_k):
    """Compute one head of self-attention from its two circuits.

    X: (n, d_model), W_QK and W_OV: (d_model, d_model), d_k: the size of the head.
    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    return weights @ X @ W_OV, weights
    ### END SOLUTION


# %% test folded-attention points=2
# Test of 1.9 Two circuits instead of four matrices, 2 of 2 (2 points). Run the checks cell first.
returns("folded-attention", output="query feature", weights="query key")
check("folded-attention", "4 tokens and d_k=5", folded_attention, tiny_X, tiny_W_QK, tiny_W_OV, 5)
check("folded-attention", "1000 times as large", folded_attention, 1e3 * tiny_X, tiny_W_QK,
    tiny_W_OV, 3)
check("folded-attention", "all scores far below 0", folded_attention, np.abs(tiny_X),
    -1e4 * np.abs(tiny_W_QK), tiny_W_OV, 3)
for place, names in enumerate(["X and W_OV", "W_QK"]):
    check("folded-attention", f"whole numbers in {names}", folded_attention,
        *whole_numbers(place, tiny_X, tiny_W_QK, tiny_W_OV), 3)
for result in folded_attention(tiny_X, tiny_W_QK, tiny_W_OV, 3):
    check_unrounded(result)
check("folded-attention", "1 token", folded_attention, tiny_X[1:2], tiny_W_QK, tiny_W_OV, 3)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
shares_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
rng = np.random.default_rng(107)
for n, d_model, d_k in [(5, 4, 2), *many_sizes(3), (4, 3, 300), (3, 6, 1), (300, 2, 3)]:
    x, w_qk, w_ov = rng.normal(size=(n, d_model)), *rng.normal(0, 0.5, size=(2, d_model, d_model))
    w_qk /= math.sqrt(d_model)
    scores = ((x @ w_qk)[:, None] * x).sum(axis=-1) / math.sqrt(d_k)
    slow = shares_of(scores)
    mixed = (slow[..., None] * x).sum(axis=1) @ w_ov
    where, sizes = "of other random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, "
    for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-4)]:
        given = [a.astype(dtype) for a in (x, w_qk, w_ov)]
        output, weights = folded_attention(*given, d_k)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, w_qk, w_ov)))
        assert all(unchanged), "an input was changed"
    for sign in (1, -1):    # with -1 all scores are far below 0
        x, w_qk = np.abs(x), sign * 1e9 * np.abs(w_qk)
        slow = shares_of(((x @ w_qk)[:, None] * x).sum(axis=-1) / math.sqrt(d_k))
        with np.errstate(all="ignore"):
            output, huge = folded_attention(x.copy(), w_qk.copy(), w_ov.copy(), d_k)
        check_numbers(huge, slow, "in the attention weights, with huge scores", 1e-3, sizes)
        check_numbers(output, (slow[..., None] * x).sum(axis=1) @ w_ov, "in the output, with huge scores", 1e-3, sizes)
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% [markdown]
# Here are the two circuits of our head. Row and column are kinds of words. The cell also prints the **rank** of each, the number of its independent rows.

# %% alt="Two heatmaps of 4 by 4 kinds of words: in W_QK, article, verb and preposition have a 4 at the key noun, and noun has a 4 at verb; in W_OV, noun goes to noun with 1 and verb to verb with 1, while article and preposition are mixed, with 0.5 in each of four cells." tags=["demonstration"]
W_QK, W_OV = fold_weights(W_Q, W_K, W_V, W_O)
fig, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
views = [(W_QK, 4, "$W_{QK}$: score of query and key", "query", "key"),
         (W_OV, 1, "$W_{OV}$: what is passed on", "from", "to")]
for ax, (matrix, top, title, row, column) in zip(axes, views):
    ax.imshow(matrix, vmin=0, vmax=top, cmap="cividis")
    ax.set_xticks(range(4), kinds, rotation=20)
    ax.set_yticks(range(4), kinds)
    ax.set(title=title, xlabel=column, ylabel=row)
    for i, j in np.ndindex(4, 4):
        ax.text(j, i, f"{matrix[i][j]:g}", ha="center", va="center",
            color="black" if matrix[i][j] >= top / 2 else "white")
plt.show()
print("rank of W_QK:", np.linalg.matrix_rank(W_QK), "  rank of W_OV:", np.linalg.matrix_rank(W_OV))

# %% [markdown]
# $W_{QK}$ holds the whole rule for where to look: nouns look for verbs, all others look for nouns. $W_{OV}$ passes nouns and verbs on as they are. But an article and a preposition both become half *article*, half *preposition*, since they share one channel of `W_V`.
#
# Both routes, with four matrices and with two, must agree up to rounding, on our sentence and on any other input. (Such a comparison finds mistakes in one of the routes. It can't find a mistake that both share, such as one in your `softmax`.)

# %% tags=["demonstration"] with=["single-head-attention"]
random_X = np.random.default_rng(0).normal(size=(7, 4))
for name, tokens in [("the sentence", X), ("seven random tokens", random_X)]:
    by_circuits, _ = folded_attention(tokens, *fold_weights(W_Q, W_K, W_V, W_O), d_k=2)
    by_four_matrices, _ = single_head_attention(tokens, W_Q, W_K, W_V, W_O)
    gap = np.abs(np.asarray(by_circuits) - by_four_matrices).max()
    print(f"largest difference between the two routes, {name}: {gap:.1e}")


# %% [markdown]
# Why must `d_k` be given? The matrix product sums over the `d_k` features, so `d_k` does not appear in the shape of `W_QK`: `W_QK` is `(d_model, d_model)` for every `d_k`. Only the rank is limited: at most `d_k` for `W_QK`, at most `d_v` for `W_OV`. The rank can be smaller, so it doesn't determine `d_k` either.
#
# In the first Transformer (Vaswani et al., 2017) `d_model` was 512 and `d_k` was 64. So `W_QK` has 512 · 512 entries, but a head compares tokens in at most 64 directions.

# %% [markdown]
# ## 1.10 Find the bug
#
# **more · <!-- points -->3 points<!-- end --> · about 11 minutes · difficulty ●●○**
#
# A colleague wrote the head with `np.einsum`, where letters name the axes. Letters that are missing on the right are summed over: `'nd,dk->nk'` is $\sum_d X_{nd}W_{dk}$. The code runs. All shapes are correct. And the result is wrong, because of **two** bugs. Run it first, then fix it.

# %% locked buggy-attention
def buggy_attention(X, W_Q, W_K, W_V, W_O):
    Q = np.einsum("nd,dk->nk", X, W_Q)
    K = np.einsum("nd,dk->nk", X, W_K)
    V = np.einsum("nd,dv->nv", X, W_V)
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = exponentials / exponentials.sum(axis=0, keepdims=True)
    output = np.einsum("nm,nv,vg->ng", weights, V, W_O)
    return output, weights


# %% tags=["demonstration"]
# Three tokens show it best: with all six, the wrong sums happen to be near 1.
wrong_output, wrong_weights = buggy_attention(X[:3], W_Q, W_K, W_V, W_O)
print("shapes:", wrong_output.shape, wrong_weights.shape)
print("row sums of the attention weights:   ", np.round(wrong_weights.sum(axis=1), 2))
print("column sums of the attention weights:", np.round(wrong_weights.sum(axis=0), 2))


# %% [markdown]
# In the scores, `n` is the query token and `m` the key token. All other letters are features. **Which lines do you suspect?** Decide before you open a hint. Then copy the function's body into the next cell and fix it there. Change as little as you can.
#
# <details><summary>Hint 1: a question</summary>
#
# Which of these three properties doesn't hold?
#
# | property | how to check it |
# |---|---|
# | each row of the attention weights sums to 1 | the sums printed above |
# | large scores don't overflow | as in 1.1, a maximum is subtracted before `exp` |
# | an output is a mixture of **all** tokens' values | first fix the softmax. Then change only the last row of `X`: in a mixture **every** row of the output changes |
#
# </details>
#
# <details><summary>Hint 2: how to read an einsum</summary>
#
# Write the last step as a formula, with a sum sign for every letter that is missing on the right. `weights` has the letters *n* and *m*. To which token does the value belong: to the query, or to the key?
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. softmax: take `max` and `sum` along the axis of the keys, not of the queries
# 2. last einsum: give the value the letter of the key token, so that it is summed over
# </details>
#
# <details><summary>I get “cannot unpack” or “too many values to unpack”</summary>
#
# The test expects two results: the output and the attention weights, in this order.
# </details>

# %% solution einsum-attention
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    """Compute one head by einsum, with the same result as single_head_attention.

    Returns (output, weights) of shapes (n, d_model) and (n, n);
    each row of weights sums to 1, also for large scores.
    """
    ### BEGIN SOLUTION
    Q = np.einsum("nd,dk->nk", X, W_Q)
    K = np.einsum("nd,dk->nk", X, W_K)
    V = np.einsum("nd,dv->nv", X, W_V)
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
    return output, weights
    ### END SOLUTION


# %% test einsum-attention points=3
# Test of 1.10 Find the bug (3 points). Run the checks cell first.
returns("einsum-attention", output="query feature", weights="query key")
check("einsum-attention", "4 tokens", einsum_attention, tiny_X, *tiny_matrices)
check("einsum-attention", "3 tokens, 1000 times as large", einsum_attention, 1e3 * tiny_X[1:],
    *tiny_matrices)
check("einsum-attention", "all scores far below 0", einsum_attention, np.abs(tiny_X), *low_matrices)
for place, names in enumerate(["X, W_K and W_O", "W_Q and W_V"]):
    check("einsum-attention", f"whole numbers in {names}", einsum_attention,
        *whole_numbers(place, tiny_X, *tiny_matrices))
check("einsum-attention", "1 token", einsum_attention, tiny_X[1:2], *tiny_matrices)
### BEGIN HIDDEN TESTS
settings = np.seterr(all="ignore")    # the notebook may have others
rng = np.random.default_rng(108)
shares_of = lambda s: (e := np.exp(s - s.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)
for n, d_model, d_k, d_v in [(5, 6, 3, 4), *many_sizes(4, (1, 3, 9)), (4, 3, 300, 2), (3, 2, 2, 300)]:
    shapes = [(n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)]
    arrays = [rng.normal(size=shape) / math.sqrt(shape[0]) for shape in shapes]
    for dtype, tolerance, factor in [(np.float64, 1e-6, 1), (np.float32, 1e-5, 1), (int, 1e-6, 3), (np.float64, 1e-3, 1e9), (np.float64, 1e-3, -1e9)]:
        x, w_q, w_k, w_v, w_o = before = arrays if factor == 1 else [np.rint(3 * array) for array in arrays]
        if abs(factor) > 3:    # huge scores, all of one sign
            x, w_q, w_k, w_v, w_o = before = [np.abs(arrays[0]), factor * np.abs(arrays[1]), np.abs(arrays[2]), *arrays[3:]]
        slow = shares_of(((x @ w_q)[:, None] * (x @ w_k)).sum(axis=-1) / math.sqrt(d_k))
        mixed = (slow[..., None] * (x @ w_v)).sum(axis=1) @ w_o
        where, sizes = "of other random arrays", f"with n={n}, d_model={d_model}, d_k={d_k}, d_v={d_v}, "
        where += ", with huge scores" if abs(factor) > 3 else ""
        given = [a.astype(dtype) for a in before]
        with np.errstate(all="ignore"):
            output, weights = einsum_attention(*given)
        check_numbers(weights, slow, "in the attention weights " + where, tolerance, sizes)
        check_numbers(output, mixed, "in the output " + where, tolerance, sizes)
        assert all(np.array_equal(a, b.astype(dtype)) for a, b in zip(given, before)), "an input was changed"
settings = np.seterr(**settings)
### END HIDDEN TESTS

# %% tags=["demonstration"] with=["single-head-attention"]
fixed_output, fixed_weights = einsum_attention(X, W_Q, W_K, W_V, W_O)
print("row sums of the attention weights:", np.sum(fixed_weights, axis=1).round(3))
print("same output as 1.6:", np.allclose(fixed_output,
    single_head_attention(X, W_Q, W_K, W_V, W_O)[0]))


# %% [markdown]
# ## 1.11 What the bug computes
#
# **more · <!-- points -->1 point<!-- end --> · about 5 minutes · difficulty ●●○**
#
# The second bug of 1.10 deserves a closer look, because it is so quiet. If you fix the softmax but leave the last step `'nm,nv,vg->ng'`, what does the code compute? Here is the sum:
#
# $$\mathrm{output}_{n} = \sum_{m} A_{nm}\,\bigl(XW_{OV}\bigr)_n$$
#
# Give the result in closed form, for any table $A$, including tables whose rows don't sum to 1. Here `W_OV` is the product $W_VW_O$, so `X @ W_OV` is `(n, d_model)`.
#
# <details><summary>Hint 1: a question</summary>
#
# Which factor can be moved in front of the sum? What is left under the sum sign?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `np.sum` with `axis=` and `keepdims=True` returns a column that multiplies each row of a table.
# </details>
#
# <details><summary>I get “operands could not be broadcast together”</summary>
#
# The sum must be a column, `(n, 1)`, with one number for each row of the attention weights. Along which axis do you sum, and is that axis still there?
# </details>

# %% solution what-the-bug-computes
def what_the_bug_computes(X, weights, W_OV):
    """Compute einsum('nm,nv,vg->ng', weights, X W_V, W_O) in closed form.

    X: (n, d_model), weights: (n, n), W_OV = W_V W_O: (d_model, d_model).
    Returns (n, d_model).
    """
    ### BEGIN SOLUTION
    return np.sum(weights, axis=-1, keepdims=True) * (X @ W_OV)
    ### END SOLUTION


# %% test what-the-bug-computes points=1
# Test of 1.11 What the bug computes (1 point). Run the checks cell first.
returns("what-the-bug-computes", output="query feature")
odd_weights = np.array([[0.5, 0.25, 1, 0], [0, -0.5, 0.25, 0.5], [1, 2, 1, 0.25],
    [0.5, 0.5, 0, -2]])
check("what-the-bug-computes", "rows that don't sum to 1", what_the_bug_computes, tiny_X,
    odd_weights, tiny_W_OV)
for place, names in enumerate(["X and W_OV", "weights"]):
    check("what-the-bug-computes", f"whole numbers in {names}", what_the_bug_computes,
        *whole_numbers(place, tiny_X, odd_weights, tiny_W_OV))
check("what-the-bug-computes", "1 token", what_the_bug_computes, tiny_X[:1], odd_weights[:1, :1],
    tiny_W_OV)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(109)
for n, d_model in [(5, 3), *many_sizes(2), (300, 2), (2, 300)]:
    x, w_ov, shares = rng.normal(size=(n, d_model)), rng.normal(size=(d_model, d_model)), rng.dirichlet(np.ones(n), size=n)
    for table in (rng.uniform(size=(n, n)), rng.normal(size=(n, n)), shares, shares.T, -shares, np.eye(n), np.tri(n), 0 * shares):
        expected = np.einsum("nm,nd,dg->ng", table, x, w_ov, optimize=n > 9)
        for dtype, tolerance in [(np.float64, 1e-6), (np.float32, 1e-4)][:1 + (table is shares)]:
            given, sizes = [a.astype(dtype) for a in (x, table, w_ov)], f"with n={n}, d_model={d_model}, "
            got = what_the_bug_computes(*given)
            check_numbers(got, expected, "on other random arrays", tolerance, sizes)
            unchanged = (np.array_equal(a, b.astype(dtype)) for a, b in zip(given, (x, table, w_ov)))
            assert all(unchanged), "an input was changed"
### END HIDDEN TESTS

# %% [markdown]
# **The moral.** The rows of real attention weights sum to 1. Then the buggy head computes exactly $XW_{OV}$: every token reads itself and nothing else. Attention is switched off. No error, no warning, correct shapes, and a beautiful heatmap of attention weights that nothing uses. Only a test that compares numbers finds it.

# %% tags=["demonstration"] with=["attention-weights"]
proper_weights = attention_weights(Q, K)
W_OV = W_V @ W_O
agree = np.allclose(what_the_bug_computes(X, proper_weights, W_OV), X @ W_OV)
print("with proper attention weights, the bug computes X W_OV:", agree)

# %% [markdown]
# ## What you have built
#
# You started from a dot product and have one complete head of attention: stable softmax, scaled scores, attention weights that sum to 1 along each row, values, and the output projection. You measured why the scale is $\sqrt{d_k}$, and chose a head's weight matrices by hand.<!-- with: folded-attention, einsum-attention --> You folded a head into two circuits, and fixed a bug that silently switches attention off.<!-- end -->
#
# Lesson 02 runs two heads side by side, in the column notation that many textbooks use.
#
# ### Three questions to think about
#
# 1. Your previous-token head knows only positions, and the other head only kinds of words. How could one head use both? What would `X` have to contain?
# 2. If you shuffle the tokens of the sentence, what happens to the output of the head that attends by content?
# 3. The raw scores are $XW_QW_K^\top X^\top$, and the product $W_QW_K^\top$ has `d_model`² entries, however small `d_k` is. What can a head with `d_k` = 1 express, and what not?
#
# <details><summary>Answers</summary>
#
# 1. `X` must contain both: next to the four numbers for the kind, a one-hot position, so that it is `(n, 4 + n)`. In `W_Q` and `W_K`, give the kinds their own rows and columns, and the positions theirs. Then each score is the sum of a score for the kinds and a score for the positions. For example, let the positions add 6 to the raw score of the token before: with $d_k$ = 2 + 6, *cat* gives 0.51 to the *the* before it and 0.25 to *sat*.
# 2. The rows of the output are shuffled in the same way, and no number changes: try `X[[3, 2, 5, 4, 0, 1]]`. The head sees a set of tokens, without positions. Rows and columns of the attention weights are shuffled, too.
# 3. With `d_k` = 1 the rank of $W_QW_K^\top$ is at most 1. Every query then sees the same list of numbers, one per key, times its own factor. So all queries rank the keys in the same order or in its reverse: a query with a positive factor prefers the largest number, one with a negative factor the smallest. Only the keys at the two ends can win. That is enough for our sentence: with the verb at one end and the nouns at the other, *cat* gives 0.95 to *sat* if its scaled scores are 4 for *sat*, −4 for the nouns, and 0 for the rest. It isn't enough for your previous-token head from `n` = 4 on, where three different keys must win.
#
# </details>
#
# ### References
#
# - Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: *Attention Is All You Need*, 2017. Section 3.2.1 explains the scale.
# - Dzmitry Bahdanau, Kyunghyun Cho, Yoshua Bengio: *Neural Machine Translation by Jointly Learning to Align and Translate*, 2014. Attention before the Transformer, with heatmaps.
# - Catherine Olsson et al.: *In-context Learning and Induction Heads*, 2022. The use of previous-token heads.
# - Guangxuan Xiao, Yuandong Tian, Beidi Chen, Song Han, Mike Lewis: *Efficient Streaming Language Models with Attention Sinks*, 2023. Why the first tokens receive so much attention.
# - Simon J. D. Prince: *Understanding Deep Learning*, 2023. Chapter 12, in column notation.
# - Nelson Elhage et al.: *A Mathematical Framework for Transformer Circuits*, 2021. The QK and OV circuits, in column notation.
# - Sarthak Jain, Byron C. Wallace: *Attention is not Explanation*, 2019. What heatmaps don't show.
