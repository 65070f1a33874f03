# %% right: keeps the axis by hand
def softmax(scores, axis=-1):
    top = np.expand_dims(scores.max(axis), axis)
    powers = np.e ** (scores - top)
    return powers / np.expand_dims(powers.sum(axis), axis)

# %% right: one slice after the other, with plain Python
def stable_shares(values):
    top = max(values)
    powers = [math.exp(value - top) for value in values]
    return [power / math.fsum(powers) for power in powers]


def softmax(scores, axis=-1):
    return np.apply_along_axis(stable_shares, axis, scores)

# %% right: moves the axis to the end and loops
def softmax(scores, axis=-1):
    moved = np.moveaxis(np.array(scores, dtype=float), axis, -1)
    for index in np.ndindex(moved.shape[:-1]):
        row = moved[index] - moved[index].max()
        moved[index] = np.exp(row) / np.exp(row).sum()
    return np.moveaxis(moved, -1, axis)

# %% right: logarithm of the sum first
def softmax(scores, axis=-1):
    log_sum = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return np.exp(scores - log_sum)

# %% right: torch
import torch


def softmax(scores, axis=-1):
    return torch.softmax(torch.from_numpy(scores), dim=axis)

# %% right: gives back nested lists
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return (powers / np.sum(powers, axis=axis, keepdims=True)).tolist()

# %% wrong: softmax over queries says="each column sums to 1" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)

# %% wrong: over everything says="the whole table sums to 1" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()

# %% wrong: weights unnormalised says="the shares don't sum to 1" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    return np.exp(scores)

# %% wrong: no max subtraction says="exp overflows" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: one global maximum says="one maximum for the whole table" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: scores cut off so that exp can't overflow says="with scores near 10000" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(np.clip(scores, -700, 700))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: in-place input says="changed the array it was given"
def softmax(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=axis, keepdims=True)
    return scores

# %% wrong: the axis is ignored says="axis=0 was asked for"
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong: a small number is added to the sum says="on a larger random array" visible=false fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-4)

# %% wrong: the last axis for three dimensions and more says="axis" visible=false
def softmax(scores, axis=-1):
    axis = axis if scores.ndim < 3 else -1
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: forgets to return says="you gave back None" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: the axis not kept says="could not be broadcast" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis))
    return powers / powers.sum(axis=axis)

# %% wrong: the division forgotten says="the division by their sum is missing" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))
