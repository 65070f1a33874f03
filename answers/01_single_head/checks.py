"""What the tests of lesson 01 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

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
    assert got is not None, "the result is None: does your function end with a return?"
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


small_Q = np.array([[1, 0.5, -1, 2, 0], [-1, 0.5, 2, 0.5, 1]])
small_K = np.array([[2, 0, 1, -0.5, 1], [0, 1, -1, 1, 0.5], [1, -1, 2, 0.5, -1.5]])


tiny_X = np.array([[1, 0.5], [0, 2], [2, -1], [-1, 0.5]])
tiny_W_Q = np.array([[1, 0, 0.5, -1, 0], [0, 1, -1, 0, 0.5]])
tiny_W_K = np.array([[0.5, 1, 0, -1, 1], [1, 0, 0.5, 0.5, 0]])
tiny_W_V = np.array([[1, 0, 2], [-1, 0.5, 1]])
tiny_W_O = np.array([[1, 0], [0.5, -1], [0, 2]])
tiny_matrices = tiny_W_Q, tiny_W_K, tiny_W_V, tiny_W_O
# With these, all scores of np.abs(tiny_X) are far below 0.
low_matrices = -1e4 * np.abs(tiny_W_Q), np.abs(tiny_W_K), tiny_W_V, tiny_W_O
tiny_W_QK = np.array([[1.5, 0.75], [1.5, -0.5]])
tiny_W_OV = np.array([[1, 4], [-0.75, 1.5]])


def whole_numbers(place, *arrays):
    """Return these arrays, with integers in every second one of them, from `place` on."""
    return [np.rint(2 * array).astype(int) if n % 2 == place else array for n, array in enumerate(arrays)]


def check_unrounded(result):
    """Raise AssertionError if all numbers of a result end after at most 10 decimals."""
    numbers = np.asarray(result, dtype=float)
    decimals = next((n for n in range(11) if np.array_equal(numbers, np.round(numbers, n))), None)
    assert decimals is None, (
        f"all numbers that your function returns end after {decimals} decimals\nround nothing: leave out np.round, here and in the functions that this one calls")


def excess(shares):
    """Return how far the sum of each list of shares is above 1, in percent."""
    return 100 * (np.asarray(shares).sum(axis=-1) - 1)


def softmax_excess(scores):
    return excess(softmax(scores))


def weights_excess(Q, K):
    return excess(attention_weights(Q, K))


def numbers_in(drawn, n_q, n_k):
    """Return the numbers in the cells of a picture."""
    texts = {tuple(map(float, text.get_position())): text.get_text() for text in drawn.texts}
    assert texts, "no cell contains a number\nwrite each weight into its cell with ax.text, for up to 8 queries and 8 keys"
    missing = [(i, j) for i, j in np.ndindex(n_q, n_k) if (j, i) not in texts]
    outside = [place for place in texts if place not in {(j, i) for i, j in np.ndindex(n_q, n_k)}]
    if missing:
        where = "there is no number at x={1}, y={0}".format(*missing[0]) + (
            ", but there is one at x={:g}, y={:g}".format(*outside[0]) if outside else "")
        assert len(drawn.texts) == len(texts), (
            f"{where}, and some cell contains two\nfind a cell by the index of its tokens, not by their names: two tokens may have the same name")
        assert not outside, f"{where}\nx is the index of the column (key), y that of the row (query); the center of a cell has integer coordinates"
        raise AssertionError(f"{where}\nwrite a number into every cell, for each query and each key")
    written = [[texts[j, i] for j in range(n_k)] for i in range(n_q)]
    for text in np.ravel(written):
        assert text.strip().replace(".", "", 1).isdigit(), (
            f"one cell contains {str(text)!r}\nwrite a plain number such as 0.25")
    return np.array(written, dtype=float)


def picture(weights, queries, keys, plot):
    """Return what is drawn on the given axes: colour limits, tick positions, numbers in cells, image."""
    queries, keys = queries.split(), keys.split()
    figure, (given, other) = plt.subplots(1, 2)
    given.set_label("given")
    drawn = plot(weights, queries, keys, given)
    plt.close(figure)
    assert hasattr(drawn, "get_xlabel"), f"the result is {'None' if drawn is None else 'not an Axes'}\nend your function with: return ax"
    assert drawn.get_label() == "given", "these are not the axes that were passed\ndraw on ax, and return ax"
    assert len(drawn.images) == 1, (
        f"there are {len(drawn.images)} images on the given axes\ncall ax.imshow once, where ax is the argument")
    assert np.diff(drawn.get_ylim()) < 0, "the first query is at the bottom\nkeep the order of rows that imshow uses by default"
    for axis, name, what in [(drawn.xaxis, "key", "horizontal"), (drawn.yaxis, "query", "vertical")]:
        label = axis.get_label().get_text()
        assert label == name, f"the label of the {what} axis is {label!r}\nit must be exactly {name!r}"
    for axis, names, what in [(drawn.xaxis, keys, "columns"), (drawn.yaxis, queries, "rows")]:
        labels = [tick.get_text() for tick in axis.get_ticklabels()]
        assert labels == list(names), (
            f"the {what} are labelled {labels}, and should be {list(names)}\n"
            "keys label the columns, queries the rows, with one tick for each token: "
            "set ticks and labels together, as in ax.set_xticks(range(len(keys)), keys)")
    small = len(queries) <= 8 and len(keys) <= 8
    numbers = numbers_in(drawn, len(queries), len(keys)) if small else weights
    return drawn.images[0].get_clim(), drawn.yaxis.get_ticklocs(), drawn.xaxis.get_ticklocs(), numbers, (
        drawn.images[0].get_array())


def shares_of_head(n, head):
    """Return the weights of a head for n tokens, without the first token; 0.99 or more counts as 1."""
    both = head(n)
    assert both is not None, "the result is None\ndoes your function end with a return?"
    W_Qn, W_Kn = (np.asarray(matrix, dtype=float) for matrix in both) if len(both) == 2 else (both, both)
    assert len(both) == 2 and W_Qn.shape == W_Kn.shape == (n, n), (
        f"your function returned {len(both)} results, the first of shape {np.shape(W_Qn)}\n"
        f"return two matrices (W_Q, W_K), each of shape (n, n), which is ({n}, {n}) here")
    scores = W_Qn @ W_Kn.T / math.sqrt(n)
    assert np.isfinite(scores).all(), "some scores are NaN or infinite\nchoose smaller, finite numbers"
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[0] = 0
    judge(shares)
    return np.where(shares >= 0.99, 1, np.where(shares < 0.01, 0, shares))


def judge(shares):
    """Raise AssertionError with advice unless each token except the first gives enough to the token before it."""
    n = len(shares)
    largest, second = np.sort(shares)[1:, :-3:-1].T
    clear, to = largest > second * (1 + 1e-6), shares[1:].argmax(axis=1) - np.arange(1, n)  # -1: the token before
    if (clear & (to != -1)).any():
        i = np.flatnonzero(clear & (to != -1))[0] + 1
        usual = [place for place in {*to} if 2 * (clear & (to == place)).sum() >= n - 1]
        raise AssertionError(
            f"token {i} gives its largest share, {largest[i - 1]:.4f}, to token {i + to[i - 1]}, not to token {i - 1}\n" + {
                0: "Every token attends to itself: shift one of the two matrices, and not both, since two equal shifts cancel.",
                1: "The tokens attend to the next one: shift one of the two matrices in the other direction.",
                -2: "The tokens attend two places back: shift only one of the two matrices, by one place.",
            }.get(usual[0] if usual else None, "Give the large number of row i of W_Q W_Kᵀ to column i - 1."))
    for i in np.flatnonzero(~clear) + 1:
        alike = np.flatnonzero(shares[i] > largest[i - 1] * (1 - 1e-6))
        raise AssertionError(
            f"token {i} gives the same share, {largest[i - 1]:.4f}, to the tokens {', '.join(map(str, alike))}\n" + (
                "One score in each row of W_Q W_Kᵀ must be larger than all others." if len(alike) == n
                else "Give a large number only to column i - 1 of row i of W_Q W_Kᵀ." if i - 1 in alike
                else "The token before gets less: the large number of row i of W_Q W_Kᵀ, in column i - 1, must be positive."))
    i = int(largest.argmin()) + 1
    assert largest[i - 1] >= 0.99, (
        f"token {i} gives {math.floor(1e4 * largest[i - 1]) / 1e4} of its attention to the token before it\n"
        "Right position, but the weight is too small: it must be at least 0.99. Make the numbers larger: they are divided by √n, "
        "and all other keys add to the sum.")


def share_before(n, head):
    """Return what each token except the first gives to the token before it."""
    return shares_of_head(n, head).diagonal(-1)
