"""Helper functions and small examples that the tests of lesson 08 share. See packages/gradebox/docs/authoring.md."""

import math

import numpy as np
import torch


def as_array(result):
    """Return a NumPy array of a result: an array, a tensor, a list or a tuple."""
    assert result is not None, "your function returned None: does it end with a return?"
    try:
        return np.asarray(result.detach().cpu() if torch.is_tensor(result) else result, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"the result is not an array of numbers\n{problem}") from None


def in_words(shape):
    """Write a shape as 3 × 5: in a message of a hidden test, numbers in brackets are a student's result."""
    return " × ".join(map(str, shape)) or "1"


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return max(1.0, sizes[np.isfinite(sizes)].max(initial=0))


def check_numbers(got, expected, where, sizes="", tolerance=1e-6):
    """Raise AssertionError unless `got` equals `expected`. The first line of the message holds no numbers.

    where: what is compared. sizes: the sizes of the example.
    """
    got, expected = as_array(got), as_array(expected)
    assert got.shape == expected.shape, (
        f"{where}, {sizes}the shape is not right\nexpected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def check_unchanged(arrays, before):
    """Raise AssertionError unless every array is the same as before the call."""
    same = (np.array_equal(one, other, equal_nan=True) for one, other in zip(arrays, before))
    assert all(same), "an input was changed: make new arrays"


def result_parts(result, count, names, kinds=(tuple, list, np.ndarray)):
    """Return the parts of a result; raise AssertionError if there are not `count` of them.

    names: the names of the parts, in one string. kinds: the types that the result may have.
    """
    assert result is not None, "your function returned None\ndoes your function end with a return?"
    if isinstance(result, dict):
        result = [result[name] for name in names.split(", ") if name in result]
    assert isinstance(result, kinds) and len(result) == count, (
        f"the result does not have {count} parts\nreturn ({names})")
    return result


def example_array(start, *shape):
    """Return an array of numbers from -2 to 2 with one decimal, fixed by `start` and `shape`."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


# 8.1 Attention with a cache
cache_rng = np.random.default_rng(7)
five_tokens = cache_rng.integers(-2, 3, (5, 6)) / 2
four_matrices = [cache_rng.integers(-2, 3, (6, 6)) / 2 for _ in range(4)]
wide_matrices = [example_array(60 * n, 12, 12) / 4 for n in range(4)]
wide_tokens = example_array(33, 7, 12)
low_tokens = 13.1 * wide_tokens[6] + example_array(50, 5, 12) / 20
large_tokens = np.array([9, 9, 9, 9, 1, 17, 1])[:, None] * wide_tokens


def attend_with_past(x, past_K, past_V, W_q, W_k, W_v, W_o, num_heads):
    """Return the student's output, keys and values for a cache (no cache if past_K is None)."""
    cache = None if past_K is None else (past_K, past_V)
    output, kept = result_parts(
        attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads), 2, "output, cache", (tuple, list))
    return output, *result_parts(kept, 2, "K, V as the cache", (tuple, list))


def keys_and_values(x, matrices, num_heads):
    """Return the cache (K, V) after the tokens x."""
    return [np.stack(np.split(x @ W, num_heads, axis=1)) for W in matrices[1:3]]


# 8.2 Heads that share keys
group_rng = np.random.default_rng(8)
six_heads = [
    torch.tensor(group_rng.integers(-2, 3, size), dtype=torch.float64)
    for size in [(2, 6, 2, 3), (2, 2, 4, 3), (2, 2, 4, 2)]
]


def group_inputs(start, batch, heads, kv_heads, seq_q, seq_k, d_k, d_v):
    """Return Q, K and V of these sizes."""
    shapes = (batch, heads, seq_q, d_k), (batch, kv_heads, seq_k, d_k), (batch, kv_heads, seq_k, d_v)
    return [torch.tensor(example_array(start + 70 * n, *shape)) for n, shape in enumerate(shapes)]


def check_error_names_both(num_heads, kv_heads):
    """Raise AssertionError if the ValueError does not name both numbers of heads."""
    try:
        grouped_query_attention(*group_inputs(0, 2, num_heads, kv_heads, 3, 5, 2, 4))
    except ValueError as error:
        assert all(str(n) in str(error) for n in (num_heads, kv_heads)), (
            f"{num_heads} heads and {kv_heads} key heads: the message of the error is “{error}”\nName both numbers of heads in it.")


# 8.4 Rotary positions
two_sequences = np.array([[[1.0, 2, 3, 4], [1, 2, 3, 4]], [[0, 1, 1, 0], [2, 0, 0, 1]]])


def check_error_names_odd(d):
    """Raise AssertionError if the ValueError for an odd d does not name d."""
    try:
        rotate(example_array(0, 2, 3, d), np.arange(3))
    except ValueError as error:
        assert str(d) in str(error) and "broadcast" not in str(error), (
            f"{d} features: the message of the error is “{error}”\n"
            "Check d before you compute anything: raise a ValueError whose message names d.")


# 8.5 Only the distance counts
def scale_by_position(x, positions):
    """Multiply each token by 1 + p / 4."""
    return x * (1 + np.asarray(positions)[:, None] / 4)


def rotary(x, positions):
    """Return x with rotary positions, in the convention of rotate_halves: this does not need the student's 8.4."""
    return rotate_halves(x, positions)


shift_q, shift_k = np.array([[1.0, 0], [2, 1], [0, -3]]), np.array([[0.0, 1], [1, 1], [-2, 0]])
