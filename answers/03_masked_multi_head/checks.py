"""What the tests of lesson 03 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

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


def check_numbers(got, expected, where="on the small example", tolerance=1e-3, sizes=""):
    """Raise AssertionError unless `got` equals `expected`; the first line of the message holds no numbers."""
    assert got is not None, "you returned None: does your function end with a return?"
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, the result is not an array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, {sizes}the shape is not right\nexpected {shape}, but got {got.shape}")
    with np.errstate(under="ignore"):
        near = np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected))
    assert near, (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def output_and_weights(result):
    """Return the pair (output, weights); raise AssertionError if `result` is not a pair."""
    assert result is not None, "it returned None\ndoes your function end with a return?"
    two = isinstance(result, (tuple, list)) and len(result) == 2
    assert two, "the result is not a pair\nReturn two things, the output first: (output, weights)."
    return result


def error_of(function, *arguments):
    """Return the name of the exception that the call raises ("ValueError" for its subclasses, too), or "no error"."""
    try:
        function(*arguments)
    except Exception as error:
        return "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return "no error"


def shares_of(scores):
    """Return the softmax of one list of scores, computed entry by entry."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def example_array(start, *shape):
    """Return an array of numbers from -2 to 2 with one decimal, fixed by `start` and the shape."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


def random_arrays(rng, batch, seq_q, seq_k, d_k, d_v):
    """Return random queries, keys and values."""
    return [rng.normal(size=(batch, *size)) for size in [(seq_q, d_k), (seq_k, d_k), (seq_k, d_v)]]


def various_masks(rng, *shape):
    """Return masks that block at random, all keys but one, no key, and all keys but the first or the last."""
    masks = []
    for part in (0.4, 1, 0):
        mask = np.where(rng.random(shape) < part, -math.inf, 0.0)
        np.put_along_axis(mask, rng.integers(shape[-1], size=(*shape[:-1], 1)), 0, axis=-1)
        masks.append(mask)
    for place in (0, -1):
        mask = np.full(shape, -math.inf)
        mask[..., place] = 0
        masks.append(mask)
    return masks


def draw_weights(ax, weights, blocked, queries, keys, title, coloured=True):
    """Draw one table with a row for each query; hatch blocked cells that are empty, and mark others in red."""
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    for i in range(len(queries)):
        for j in range(len(keys)):
            value, shut = weights[i][j], blocked[i][j]
            empty = shut and value in (0, -math.inf)
            if shut or not coloured:
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0.5,
                                           edgecolor="gray", hatch="////" if empty else None))
            ink = "red" if shut else "white" if coloured and value < 0.5 else "black"
            text = f"{value:.2f}!" if shut else f"{value:.2f}" if value % 1 or coloured else f"{value:.0f}"
            if len(keys) <= 8 and not empty:
                ax.text(j, i, text.replace("-", "−"), ha="center", va="center", fontsize=8.5, color=ink)
    ax.set_xticks(range(len(keys)), keys, rotation=45, ha="right")
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query", title=title)


# 3.3 Masked attention for a batch


tiny_Q, tiny_K, tiny_V = example_array(0, 2, 3, 6), example_array(50, 2, 4, 6), example_array(120, 2, 4, 5)
tiny_Q[1, 2] = 0
large_Q = tiny_Q * [[1e4], [1], [-1e4]]

# 1 marks a blocked key.
batch_mask = np.where([[[0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0]], [[0, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 1]]], -math.inf, 0)
flat_mask = np.where([[0, 1, 0, 1], [0, 0, 0, 0], [1, 0, 1, 0]], -math.inf, 0)

padded_mask = np.where([[0, 0, 0, 1]] * 3, -math.inf, 0)


# For query 0, the kept scores are lower than −10³⁰, and the score of the blocked key is higher. Query 1 is 0.
low_Q = np.array([[[-1e30, -1e30, 0, -1e30, 0, 0], [0, 0, 0, 0, 0, 0]]] * 2)
low_K = np.array([[[1.0, 0, 0, 1, 0, 0], [1, 1, 0, 2, 0, 0], [2, 0, 0, 2, 0, 0]], [[1, 1, 0, 2, 0, 0], [1, 0, 0, 1, 0, 0], [2, 0, 0, 2, 0, 0]]])
low_V = example_array(30, 2, 3, 6)
low_mask = np.where([[[1, 0, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]]], -math.inf, 0)


def check_digits(function, Q, K, V):
    """Raise AssertionError if only about seven digits of a result are right, as after float32 or np.round."""
    scores = Q @ K.swapaxes(1, 2) / math.sqrt(Q.shape[2])
    expected = np.array([[shares_of(list(row)) for row in table] for table in scores])
    output, weights = output_and_weights(function(Q.copy(), K.copy(), V.copy()))
    for name, got, right in [("weights", weights, expected), ("output", output, expected @ V)]:
        assert np.allclose(got, right, rtol=1e-8, atol=1e-9), (
            f"without a mask: {name} has only about {max(1, round(-np.log10(np.abs(np.subtract(got, right)).max())))} right digits\n"
            "Compute in float64, like the inputs: no float32, nothing rounded, and nothing added to the sum.")


def count_call(function, Q, K, V, mask):
    """Return 1 if the call raises no error."""
    function(Q.copy(), K.copy(), V.copy(), mask.copy())
    return 1


def invalid_arguments():
    """Return arguments that 3.3 must refuse, by the name of the case."""
    Q, K, V = example_array(7, 2, 3, 5), example_array(8, 2, 4, 5), example_array(9, 2, 4, 6)
    all_blocked = np.zeros((2, 3, 4))
    all_blocked[1, 2] = -math.inf
    return {
        "arrays with two axes": (Q[0], K[0], V[0]), "Q with two axes": (Q[0], K, V),
        "K with two axes": (Q, K[0], V), "V with two axes": (Q, K, V[0]),
        "arrays with four axes": (np.ones((2, 2, 3, 5)), np.ones((2, 2, 4, 5)), np.ones((2, 2, 4, 6))),
        "queries of 5 numbers and keys of 1": (Q, K[:, :, :1], V),
        "4 keys and 3 values": (Q, K, V[:, :3]), "4 keys and 1 value": (Q, K, V[:, :1]),
        "a mask of 4 × 3 for scores 2 × 3 × 4": (Q, K, V, np.zeros((4, 3))),
        "a mask of 2 × 4 × 3 for scores 2 × 3 × 4": (Q, K, V, np.zeros((2, 4, 3))),
        "a mask of 2 × 2 × 3 × 4 for scores 2 × 3 × 4": (Q, K, V, np.zeros((2, 2, 3, 4))),
        "a mask of 2 × 1 × 4 for scores 2 × 3 × 4": (Q, K, V, np.zeros((2, 1, 4))),
        "a mask of 4 numbers for scores 2 × 3 × 4": (Q, K, V, np.zeros(4)),
        "every key of query 2 blocked in a flat mask": (Q, K, V, all_blocked[1]),
        "every key of query 2 blocked in sequence 1": (Q, K, V, all_blocked)}


# 3.5 Weight matrices to start from


param_names = ["W_q", "W_k", "W_v", "W_o"]

# For wrong standard deviations with d_model 64: what to do.
advice_by_std = {
    1 / 64: "The scale of rng.normal is the standard deviation: take the root of 1/d_model.",
    1: "Multiply the numbers by √(1/d_model), or give that to rng.normal as its scale.",
    (2 / 64)**0.5: "The denominator is fan_in + fan_out, which is 2 · d_model: the 2 cancels.",
    (1 / 128)**0.5: "A 2 is missing in the numerator: std is √(2 / (fan_in + fan_out)).",
    8: "Divide by √d_model: the std here is about √d_model. Put brackets around d_model + d_model if you divide by this sum.",
    64**-0.25: "One root too many is taken: std is √(1/d_model).",
    1 / 32: "Take the root: std is √(2 / (fan_in + fan_out)), and fan_in + fan_out is 2 · d_model.",
    2**0.5 / 64: "The root is of the whole fraction: of numerator and denominator.",
    1 / 128: "Take the root, with 2 in the numerator: std is √(2 / (fan_in + fan_out)). If you write ** 1/2, put brackets around 1/2."}


def check_plain_draws(params):
    """Raise AssertionError if the numbers of a table of params depend on each other."""
    for name, table in params.items():
        assert abs(table.T @ table - np.eye(len(table))).max() > 0.1 and abs(table.mean()) > 1e-9, (
            f"the numbers of {name} depend on each other: its columns are orthogonal, or its mean is exactly 0\n"
            "Leave the numbers as rng.normal draws them: no QR, no mean subtracted.")


def initial_params(d_model, seed):
    """Return the four matrices of your `init_attention_params` as arrays, by name."""
    params = init_attention_params(d_model, np.random.default_rng(seed))
    assert params is not None, "it returned None\ndoes your function end with a return?"
    assert hasattr(params, "keys"), "it did not return a dict\nreturn a dict with the keys W_q, W_k, W_v and W_o"
    assert sorted(params) == sorted(param_names), f"the keys are {', '.join(params)}\nname them {', '.join(param_names)}"
    params = {name: np.asarray(params[name], dtype=float) for name in param_names}
    for name, table in params.items():
        assert table.shape == (d_model, d_model), (
            f"{name} has the shape {table.shape}\nmake each table (d_model, d_model): here {(d_model, d_model)}")
        assert np.ptp(table) > 0, f"all numbers of {name} are equal\ndraw each number, from rng"
    return params


def count_matrices(d_model, seed):
    """Return the number of matrices that your function makes."""
    return len(initial_params(d_model, seed))


# 3.6 Many heads


heads_x = example_array(0, 4, 3, 10)
heads_x[1, 2] = 0
heads_W = [example_array(start, 10, 10) / 4 for start in (200, 300, 400, 500)]
large_x = heads_x * [[1e3], [1], [1]]
# Each query gives one key the weight 1, whatever the scores are divided by. `clear_W` needs no maximum, either.
clear_W, sharp_W = [example_array(5062, 10, 10) * 10, *heads_W[1:]], [heads_W[0] * 1e3, *heads_W[1:]]


def explained_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o):
    """Return what your function returns, and explain an error that heads in front of the batch cause."""
    size = len(Q) * Q.shape[2] // num_heads
    try:
        return output_and_weights(multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o))
    except ValueError as problem:
        if f"size {Q.shape[2]} is different from {size})" not in str(problem):
            raise
        raise AssertionError(f"ValueError: {problem}\nA token has {size} numbers before W_o, not {Q.shape[2]}: "
            "keep the batch first when you join the heads (np.stack needs axis=1 here).") from None


def weights_of_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o):
    """Return the attention weights that your function returns."""
    return explained_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o)[1]


def output_of_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o):
    """Return the output that your function returns."""
    return explained_heads(Q, K, V, num_heads, W_q, W_k, W_v, W_o)[0]


# 3.7 Bug hunt: six bugs


all_zeros, open_mask = np.zeros((3, 3, 3)), np.zeros((3, 3))
identities = np.array([np.eye(3)] * 3)
permutations = np.array([np.roll(np.eye(3), by, axis=1) for by in (1, 0, 2)])
circulant = np.array([[[1.0, 3, 2], [2, 1, 3], [3, 2, 1]]] * 3)


def weights_of(Q, K, mask):
    """Return the attention weights alone; the keys serve as values."""
    return output_and_weights(repaired_attention(Q, K, 1 * K, mask))[1]


# 3.8 Catch the bug


def verdict_of(candidate):
    """Return the verdict of your test on a candidate, or the error that it stopped with."""
    try:
        return check_attention(candidate)
    except Exception as error:
        return repr(error)


def passes_tests(function):
    """Return True if a function passes the three tests of 3.3."""
    returns("masked-attention", output="sequence query value", weights="sequence query key")
    one, tiny = (tiny_Q[:1, :1], tiny_K[:1], tiny_V[:1]), (tiny_Q, tiny_K, tiny_V)
    try:
        check("masked-attention", "without a mask", function, *tiny)
        check("masked-attention", "with scores of ±10000", function, large_Q, tiny_K, tiny_V)
        check("masked-attention", "one query of one sequence", function, *one)
        check_digits(function, *tiny)
        check("masked-attention", "with a mask for each sequence", function, *tiny, batch_mask)
        check("masked-attention", "with a flat mask", function, *tiny, flat_mask)
        case = "with scores of ±10000, some of them blocked"
        check("masked-attention", case, function, large_Q, tiny_K, tiny_V, batch_mask)
        case = "with kept scores lower than the blocked one"
        check("masked-attention", case, function, low_Q, low_K, low_V, low_mask)
        for case, arguments in invalid_arguments().items():
            check("masked-attention", case, function, *arguments)
        function(*tiny, padded_mask)
    except Exception:
        return False
    return True


def require_verdict(candidate, what):
    """Return the verdict of your test on a candidate; raise AssertionError if there is none."""
    try:
        with np.errstate(all="ignore"):
            verdict = check_attention(candidate)
    except Exception as error:
        raise AssertionError(
            f"{what}: your test stopped with {type(error).__name__}: {error}\nA test decides and never stops: "
            "put the call of the candidate into try and return False after except, and make arrays of what it gives."
        ) from error
    assert verdict is not None, (f"{what}: your test returned None\n"
        "Every way through your test must end with return True or return False.")
    assert isinstance(verdict, (bool, np.bool_)), (f"{what}: your test returned neither True nor False\n"
        "Every way through it must end with one of them.")
    return verdict


def zero_attention(Q, K, V, mask=None):
    """Return an output and weights of zeros, in the right shapes."""
    return np.zeros((*Q.shape[:2], V.shape[2])), 0 * Q @ K.swapaxes(1, 2)


questions = ("compare to about 1e-6 with np.allclose, not exactly; take the output as the first of the two; "
             "and check your own numbers at this input: the scale √d_k, the mask, the softmax.")


def own_forms(factor=1):
    """Return your own function of 3.3, with its result in several forms, and what to do if your test refuses one.

    factor: what all scores are multiplied by. With a factor other than 1, the candidates are wrong.
    """
    def same(Q, K, V, mask=None):
        return scaled_dot_product_attention(factor * np.asarray(Q), K, V, mask)

    def as_lists(Q, K, V, mask=None):
        return [np.array(part).tolist() for part in same(Q, K, V, mask)]

    def rounded(Q, K, V, mask=None):
        return tuple(np.array(part) * (1 + 1e-12) for part in same(Q, K, V, mask))

    def rounded_down(Q, K, V, mask=None):
        return tuple(np.array(part) * (1 - 1e-12) for part in same(Q, K, V, mask))

    return {
        "your function of 3.3": (same, f"It passes its three tests and stops at none of your inputs: {questions}"),
        "your function of 3.3, giving lists": (
            as_lists, "A right candidate may give lists: make arrays of what comes back before you look at it."),
        "your function of 3.3, rounded up": (
            rounded, "Another order of sums rounds differently: compare to about 1e-6, with np.allclose."),
        "your function of 3.3, rounded down": (
            rounded_down, "Another order of sums rounds differently: compare to about 1e-6, with np.allclose.")}


def check_accepts_own():
    """Raise AssertionError if your function of 3.3 passes its tests, and your test refuses it, or accepts it with doubled scores."""
    stops, sizes = [], ["no array"]

    def recorded(*arguments, **named):
        given = {**dict(zip(["Q", "K", "V", "mask"], arguments)), **named}
        sizes[0] = ", ".join(f"{name} {np.shape(one) if one is not None else None}" for name, one in given.items())
        try:
            return scaled_dot_product_attention(*arguments, **named)
        except Exception as error:
            stops.append(f"at your input {sizes[0]} it stops with {type(error).__name__}: {error}\n"
                f"If this input is meant to be valid, fix it. If it is invalid, the ValueError is right; then {questions}")
            raise

    if passes_tests(scaled_dot_product_attention):
        for what, (candidate, advice) in own_forms().items():
            first = what == "your function of 3.3"
            right = require_verdict(recorded if first else candidate, what)
            last = f", and the last input was {sizes[0]}" if first else ""
            assert right, f"your test refuses {what}{last}\n{stops[0] if first and stops else advice}"
        for what, (candidate, _) in own_forms(2).items():
            assert not require_verdict(candidate, f"{what}, with all scores doubled"), (
                f"your test accepts {what}, with all scores doubled\nCompare every number with your own, which use the scale "
                "√d_k, at an input with scores of ordinary size.")
