"""What the tests of lesson 10 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import math

import numpy as np
import torch


def as_array(result):
    """Convert a result (a tensor, a list or a tuple) to a NumPy array."""
    assert result is not None, "the result is None: does your function end with a return?"
    try:
        return np.asarray(result.detach().cpu() if torch.is_tensor(result) else result, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"the result is not an array of numbers\n{problem}") from None


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return max(1.0, sizes[np.isfinite(sizes)].max(initial=0))


def check_numbers(got, expected, where, sizes="", tolerance=1e-5):
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
    """Raise AssertionError unless every tensor is unchanged since the call."""
    assert all(map(torch.equal, arrays, before)), "an input was changed: make new tensors"


def example_tensor(start, *shape, dtype=torch.float32):
    """Return a tensor of numbers from -2 to 2 with one decimal, which depend only on `start` and `shape`."""
    places = start + np.arange(math.prod(shape))
    return torch.tensor(np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape), dtype=dtype)


# 10.1 Which head looks where it should?
def example_weights(start, batch, heads, seq, dtype=torch.float32):
    """Return causal attention weights: each row sums to 1."""
    scores = example_tensor(start, batch, heads, seq, seq, dtype=dtype)
    return scores.masked_fill(torch.ones(seq, seq).triu(1).bool(), -math.inf).softmax(dim=-1)


def with_future_weights(weights):
    """Add 0.5 to each weight above the diagonal, which must not count."""
    return weights + torch.ones_like(weights).triu(1) / 2


def hard_weights(weights):
    """Return a weight of 1 for the largest weight of each row, and 0 for all others."""
    return (weights == weights.amax(dim=-1, keepdim=True)).to(weights.dtype)


# 10.2 What a head copies
def circuit_inputs(start, vocab, d_model, hidden):
    """Return the embedding, the unembedding, and the weights of values and mix."""
    shapes = (vocab, d_model), (vocab, d_model), (hidden, d_model), (d_model, hidden)
    return [example_tensor(start + 23 * n, *shape, dtype=torch.float64) for n, shape in enumerate(shapes)]


def check_real(function):
    """Raise AssertionError unless the function returns a real number for a matrix."""
    try:
        score = function(torch.tensor([[0.0, -2, 1], [2, 0, 0], [0, 0, 3]]))
    except Exception as error:
        assert "linalg_eig'" not in str(error), (
            f"{error}\ntorch.linalg.eig returns a pair, the eigenvalues and the eigenvectors: use torch.linalg.eigvals")
        return  # the calls below explain other errors
    assert not isinstance(score, complex) and not (torch.is_tensor(score) and score.is_complex()), (
        f"the score is a complex number, {score}\nthe eigenvalues are complex: take the real parts, .real, before you sum")
