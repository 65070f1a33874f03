# %% right: row by row, with math
def weight_entropy(weights):
    return np.apply_along_axis(lambda row: -sum(w * math.log(w) for w in row if w > 0), -1, weights)

# %% right: nan put right afterwards
def weight_entropy(weights):
    return -np.nansum(weights * np.log(weights), axis=-1)

# %% right: where around everything
def weight_entropy(weights):
    parts = np.where(weights == 0, 0.0, weights * np.log(weights))
    return -parts.sum(axis=-1)

# %% right: torch
import torch


def weight_entropy(weights):
    return torch.special.entr(torch.from_numpy(weights)).sum(dim=-1)

# %% wrong: bits says="these are bits"
def weight_entropy(weights):
    return -np.sum(weights * np.log2(np.where(weights > 0, weights, 1)), axis=-1)

# %% wrong: nan for a weight of 0 says="a weight of 0 gives nan"
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights), axis=-1)

# %% wrong: the sign says="the sign is wrong"
def weight_entropy(weights):
    return np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)

# %% wrong: mean instead of sum says="this is the mean"
def weight_entropy(weights):
    return -np.mean(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)

# %% wrong: down the columns says="down the columns"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=0)

# %% wrong: one number for all says="one number for the whole table"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)))

# %% wrong: the axis stays says="but got (3, 1)"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1, keepdims=True)

# %% wrong: the second axis, not the last says="on random weights" visible=false
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=1)

# %% wrong: a small number inside the logarithm says="on random weights" visible=false
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights + 1e-4), axis=-1)

# %% wrong: in-place input says="in its own input"
def weight_entropy(weights):
    weights[weights == 0] = 1
    return -np.sum(weights * np.log(weights), axis=-1)

# %% wrong: the weight itself forgotten says="the weight itself is missing"
def weight_entropy(weights):
    return -np.sum(np.where(weights > 0, np.log(np.where(weights > 0, weights, 1)), 0), axis=-1)
