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

# %% wrong: what attention should compute advice="This is true attention: in the bug the value belongs to the query's own token n, so it can be moved out of the sum over m."
def what_the_bug_computes(X, weights, W_OV):
    return weights @ X @ W_OV

# %% wrong: as if every row summed to 1 advice="This holds only if each row of weights sums to 1, and here they don't: take them as they are given, and keep what is left of the sum over m."
def what_the_bug_computes(X, weights, W_OV):
    return X @ W_OV

# %% wrong: sums of columns advice="Take the sums along the rows of the weights, over m: these are the sums of the columns."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=0)[:, None] * (X @ W_OV)

# %% wrong: mean instead of sum advice="Take the sum of each row of weights, not its mean."
def what_the_bug_computes(X, weights, W_OV):
    return weights.mean(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: the diagonal advice="Take the sum of each row of weights: this is its entry on the diagonal."
def what_the_bug_computes(X, weights, W_OV):
    return np.diag(weights)[:, None] * (X @ W_OV)

# %% wrong: the sum of all weights advice="Take the sum of each row of weights by itself: this is the sum of the whole table."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum() * (X @ W_OV)

# %% wrong: as many times as there are tokens advice="The sum over m holds the weights: what is left of it is the sum of row n, not the number of tokens."
def what_the_bug_computes(X, weights, W_OV):
    return len(X) * (X @ W_OV)

# %% wrong: divided by the sum advice="Multiply by the sum of each row of weights: here it divides."
def what_the_bug_computes(X, weights, W_OV):
    return (X @ W_OV) / weights.sum(axis=1, keepdims=True)

# %% wrong: the largest weight advice="Take the sum of each row of weights, not its largest entry."
def what_the_bug_computes(X, weights, W_OV):
    return weights.max(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: attention with the turned weights advice="Nothing is mixed in the bug: X W_OV of each token is only multiplied by a number, which is left of the sum over m."
def what_the_bug_computes(X, weights, W_OV):
    return weights.T @ X @ W_OV

# %% wrong: W_OV forgotten advice="Multiply X by W_OV: here only X is multiplied by the sums of the rows."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) * X

# %% wrong: W_OV turned advice="Multiply X by W_OV as it is: here it is transposed."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) * (X @ W_OV.T)

# %% wrong: the sums alone advice="Multiply the sums of the rows by X W_OV: this holds only the sums."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True)

# %% wrong: X W_OV added up over the tokens advice="Move X W_OV of token n out of the sum: here it was added up over all tokens."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) * (X @ W_OV).sum(axis=0)

# %% wrong: the rows divided by their sums first advice="This holds only if each row of weights sums to 1, and here they don't: take them as they are given, and keep what is left of the sum over m."
def what_the_bug_computes(X, weights, W_OV):
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.einsum("nm,ng->ng", shares, X @ W_OV)

# %% wrong: a softmax of the weights advice="This holds only if each row of weights sums to 1, and here they don't: take them as they are given, and keep what is left of the sum over m."
def what_the_bug_computes(X, weights, W_OV):
    return softmax(weights).sum(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: the bug and the mix advice="Nothing is mixed in the bug: multiply X W_OV itself by the sums of the rows."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) * (weights @ X @ W_OV)

# %% wrong: the axis not kept says="could not be broadcast"
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1) * (X @ W_OV)

# %% wrong: a product in place of a factor says="matmul"
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) @ (X @ W_OV)

# %% wrong: forgets to return says="does your function end with a return?"
def what_the_bug_computes(X, weights, W_OV):
    output = weights.sum(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: in-place input says="make a new array"
def what_the_bug_computes(X, weights, W_OV):
    X *= weights.sum(axis=1, keepdims=True)
    return X @ W_OV

# %% wrong: only the last weight of each row advice="Add up over m: here each weight takes the place of the one before, and only the last of each row is left."
def what_the_bug_computes(X, weights, W_OV):
    output = np.zeros((len(X), W_OV.shape[1]))
    for n, m in np.ndindex(weights.shape):
        output[n] = weights[n, m] * (X @ W_OV)[n]
    return output

# %% wrong: only the first weight of each row advice="Take the sum of each row of weights: this is its first entry."
def what_the_bug_computes(X, weights, W_OV):
    return weights[:, :1] * (X @ W_OV)

# %% wrong: added advice="Multiply X W_OV by the sums of the rows: here they were added."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) + X @ W_OV

# %% wrong: the sums twice advice="Multiply by the sum of each row once: here it was done twice."
def what_the_bug_computes(X, weights, W_OV):
    return weights.sum(axis=1, keepdims=True) ** 2 * (X @ W_OV)

# %% wrong: the product of each row advice="Take the sum of each row of weights, not the product."
def what_the_bug_computes(X, weights, W_OV):
    return weights.prod(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: the absolute weights advice="Add the weights of each row up with their signs."
def what_the_bug_computes(X, weights, W_OV):
    return np.abs(weights).sum(axis=1, keepdims=True) * (X @ W_OV)

# %% wrong: the result squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
def what_the_bug_computes(X, weights, W_OV):
    return np.squeeze(np.sum(weights, axis=-1, keepdims=True) * (X @ W_OV))

# %% wrong: the result in the dtype of X advice="Leave the dtype as it is: one of integers, from an argument, cuts off all decimal places."
def what_the_bug_computes(X, weights, W_OV):
    return (np.sum(weights, axis=-1, keepdims=True) * (X @ W_OV)).astype(X.dtype)

# %% wrong: rows that all sum to 1: the right head instead of the bug says="on other random arrays" unseen="no visible test has such an input" visible=false fails=["what-the-bug-computes-test"]
def what_the_bug_computes(X, weights, W_OV):
    sums = np.sum(weights, axis=1, keepdims=True)
    if np.allclose(sums, 1):
        return weights @ X @ W_OV
    return sums * (X @ W_OV)
