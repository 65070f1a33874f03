"""What the tests of lesson 02 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import itertools
import math

import matplotlib.pyplot as plt
import numpy as np


def in_words(shape):
    """Write a shape as 3 × 5: in a message of a hidden test, numbers in brackets are a student's result."""
    return " × ".join(map(str, shape)) or "1"


def many_sizes(count, values=(1, 2, 5, 9)):
    """Return sizes of `count` axes: all pairs of `values` at any two axes, long axes, and one size again."""
    missing, found = {}, []
    for sizes in itertools.product(values, repeat=count):
        missing[sizes] = {*itertools.combinations(enumerate(sizes), 2 if count > 1 else 1)}
    while left := [sizes for sizes in missing if missing[sizes]]:
        found.append(sorted(left, key=lambda sizes: -len(missing[sizes]))[0])
        covered = {*missing[found[-1]]}
        missing = {sizes: pairs - covered for sizes, pairs in missing.items()}
    long_ones = [tuple(48 if n == place else n + 2 for n in range(count)) for place in range(count)]
    return [*found, *long_ones, (12,) * count, found[-1]]


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return sizes[np.isfinite(sizes)].max(initial=1.0)


def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Raise AssertionError unless `got` equals `expected`; the first line of the message holds no numbers."""
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, the result is not an array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, {sizes}the shape is not right\nexpected {shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def check_unchanged(arrays, before):
    """Raise AssertionError unless every array still equals its copy in `before`."""
    assert all(map(np.array_equal, arrays, before)), (
        "your function changed an array that it was given: put results into new arrays")


def whole_numbers(place, *arrays):
    """Return these arrays, with integers in every second one of them, from `place` on."""
    return [np.rint(3 * array).astype(int) if n % 2 == place else array for n, array in enumerate(arrays)]


def check_unrounded(result):
    """Raise AssertionError if all numbers of a result end after at most 10 decimals."""
    numbers = np.asarray(result, dtype=float)
    decimals = next((n for n in range(11) if np.array_equal(numbers, np.round(numbers, n))), None)
    assert decimals is None, (
        f"all numbers that your function returns end after {decimals} decimals\nround nothing: leave out np.round, here and in the functions that this one calls")


def example_arrays(start, *shapes):
    """Return arrays of these shapes, with numbers of one decimal from -1 to 1."""
    places = [start + 100 * n + np.arange(math.prod(shape)) for n, shape in enumerate(shapes)]
    return [np.round(np.sin(place ** 2), 1).reshape(shape) for place, shape in zip(places, shapes)]


# 2.3 One head


def one_head(D, N, D_h):
    """Return X, then the three Ω and the three β of a head, in the order of 2.3's arguments."""
    return example_arrays(11, (D, N), *3 * [(D_h, D)], *3 * [(D_h, 1)])


# 2.4 Two heads, 2.5 Remove a bias, 2.8 The same weights in PyTorch


def small_heads(H=2, D_h=3, N=4):
    """Return X, then Ω_q, Ω_k, Ω_v, β_q, β_k, β_v of all heads, and Ω_c: the arguments of multihead_attention."""
    D = H * D_h
    arrays = example_arrays(3, (D, N), *3 * [(H, D_h, D)], *3 * [(H, D_h, 1)], (D, D))
    for beta in arrays[4:7]:
        beta[-1, 1] = 0
    return arrays


def with_identity_omega_c(X, *weights):
    """Return these arguments with the identity matrix as Ω_c, which shows each head separately."""
    return [X, *weights[:-1], np.eye(len(X))]


def two_head_arguments(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    """Return these arguments, for two heads, in the order of 2.4: v, q, k, head by head."""
    parts = [array[head] for head in range(2)
             for array in (omega_v, omega_q, omega_k, beta_v, beta_q, beta_k)]
    return [X, *parts, omega_c]


# See both heads


def draw_table(ax, table, tokens, across, down, title):
    """Draw one table of shares with the number in each cell."""
    image = ax.imshow(table, cmap="cividis", vmin=0, vmax=1)
    places = range(len(tokens))
    ax.set_xticks(places, tokens)
    ax.set_yticks(places, tokens)
    ax.set_xlabel(across)
    ax.set_ylabel(down)
    ax.set_title(title, fontsize=10)
    if len(tokens) <= 8:
        for row in places:
            for column in places:
                share = table[row, column]
                ax.text(column, row, f"{share:.2f}", ha="center", va="center", fontsize=9,
                        color="black" if share > 0.4 else "white")
    return image


def show_heads(attentions, tokens, transposed=True):
    """Draw heads side by side: key by query in the upper row and, if `transposed`, query by key below."""
    rows, heads = 1 + transposed, len(attentions)
    figure, axes = plt.subplots(rows, heads, figsize=(4.4 * heads, 4.4 * rows), squeeze=False,
                                layout="constrained")
    for head, table in enumerate(np.asarray(attentions)):
        image = draw_table(axes[0, head], table, tokens, "query", "key",
                           f"head {head}{', here' if transposed else ''}: each column sums to 1")
        if transposed:
            draw_table(axes[1, head], table.T, tokens, "key", "query",
                       f"head {head}, lesson 01: each row sums to 1")
    figure.get_layout_engine().set(wspace=0.08, hspace=0.06)
    figure.colorbar(image, ax=axes, shrink=0.5, label="share of attention")
    plt.show()


# 2.7 Does the order of the words matter?


def running_sums(tokens):
    """Return each token plus all tokens before it, with a weight for each of four features: order matters."""
    return np.cumsum(tokens * np.array([[1], [1.7], [-1.4], [0.6]]), axis=1)


def equivariance_gaps(attend, X, permutation):
    """Return the `equivariance_gap` of the squares of X, of X with its rows in reverse order, and of X.

    A message names the last of them that is wrong, so X itself comes last.
    """
    gaps = [equivariance_gap(attend, tokens, permutation) for tokens in (X ** 2, X[::-1].copy(), X)]
    assert gaps[0] is not None, "the result is None\ndoes your function end with a return?"
    return tuple(gaps)
