# %% right: row by row
def what_the_bug_computes(X, weights, W_OV):
    return np.array([sum(row) * (x @ W_OV) for x, row in zip(X, weights)])

# %% right: einsum over the rows
def what_the_bug_computes(X, weights, W_OV):
    return np.einsum("nm,ng->ng", weights, X @ W_OV)

# %% right: a diagonal matrix
def what_the_bug_computes(X, weights, W_OV):
    return np.diag(weights.sum(axis=1)) @ X @ W_OV

# %% right: torch
import torch


def what_the_bug_computes(X, weights, W_OV):
    X, weights, W_OV = map(torch.from_numpy, (X, weights, W_OV))
    return weights.sum(1, keepdim=True) * (X @ W_OV)

# %% wrong: what attention should compute says="this is true attention"
def what_the_bug_computes(X, weights, W_OV):
    return weights @ X @ W_OV

# %% wrong: as if every row summed to 1 says="only if the rows sum to 1"
def what_the_bug_computes(X, weights, W_OV):
    return X @ W_OV

# %% wrong: sums of columns says="sums of the columns"
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=0)[:, None] * (X @ W_OV)

# %% wrong: mean instead of sum says="mean of each row"
def what_the_bug_computes(X, weights, W_OV):
    return weights.mean(axis=1, keepdims=True) * (X @ W_OV)
