# %% right: full Jacobian, row by row
def softmax_backward(weights, grad_weights):
    rows = weights.reshape(-1, weights.shape[-1])
    incoming = grad_weights.reshape(-1, weights.shape[-1])
    result = [(np.diag(w) - np.outer(w, w)) @ g for w, g in zip(rows, incoming)]
    return np.reshape(result, weights.shape)

# %% right: einsum
def softmax_backward(weights, grad_weights):
    dots = np.einsum("...j,...j->...", weights, grad_weights)
    return weights * grad_weights - weights * dots[..., None]

# %% right: loops over entries
def softmax_backward(weights, grad_weights):
    result = np.zeros(weights.shape)
    for row in np.ndindex(weights.shape[:-1]):
        w, g = weights[row], grad_weights[row]
        for j in range(len(w)):
            for i in range(len(w)):
                result[row + (j,)] += g[i] * w[i] * ((i == j) - w[j])
    return result

# %% right: torch
import torch


def softmax_backward(weights, grad_weights):
    w, g = (torch.tensor(np.array(a, dtype=float)) for a in (weights, grad_weights))
    return (w * (g - (w * g).sum(dim=-1, keepdim=True))).numpy()

# %% wrong: without the sum term advice="the average isn't subtracted: each score moves every weight of its row" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * grad_weights

# %% wrong: diagonal of the Jacobian only advice="only the Jacobian's diagonal, w(1 − w), is used: each score also changes the other weights of its row" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (1 - weights) * grad_weights

# %% wrong: weights in front missing advice="the factor weights is missing: multiply the difference by them" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights - average

# %% wrong: weights multiply g alone advice="the weights multiply g alone: multiply the whole difference, in parentheses" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * grad_weights - average

# %% wrong: average added advice="the average is added: subtract it" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (grad_weights + average)

# %% wrong: plain sum advice="the plain sum of g is subtracted: multiply each g by its weight" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(grad_weights, axis=-1, keepdims=True)

# %% wrong: plain mean advice="the plain mean of g is subtracted: multiply each g by its weight, and sum" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.mean(grad_weights, axis=-1, keepdims=True)

# %% wrong: sum over the queries advice="the sum runs over the queries: each row, over the keys, has its own (axis=-1)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=-2, keepdims=True)

# %% wrong: sum over everything advice="one sum is taken for everything: each row has its own (axis=-1)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights)

# %% wrong: sign turned advice="the sign is reversed: subtract the average from the gradient" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (average - grad_weights)

# %% wrong: mean of w g advice="the mean of w·g is subtracted: take the sum, since the weights sum to 1" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.mean(weights * grad_weights, axis=-1, keepdims=True)

# %% wrong: axis 0 advice="the sum runs over the first axis: take the last, axis=-1" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=0, keepdims=True)

# %% wrong: softmax once more advice="softmax is taken once more: weights is its result already" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: weights = softmax(weights)
# becomes: average = np.sum(weights * grad_weights, axis=-1, keepdims=True)

# %% wrong: changes its input says="changes grad_weights" of="reference"
# was:     return weights * (grad_weights - average)
# becomes: grad_weights -= average
# becomes: return weights * grad_weights

# %% wrong: keepdims forgotten says="broadcast" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=-1)

# %% wrong: axis 1 advice="the sum runs over axis 1, which isn't that of the keys if there are leading axes: use axis=-1" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=1, keepdims=True)

# %% wrong: weights multiply the average advice="the weights multiply the average alone: multiply the whole difference" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights - weights * average

# %% wrong: weights multiply both, average twice advice="the average is multiplied by the weights twice: multiply the difference by them once" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (grad_weights - weights * average)

# %% wrong: weights squared in the average advice="the weights are squared in the average: w·g once, summed" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights**2 * grad_weights, axis=-1, keepdims=True)

# %% wrong: sum of the weights advice="the sum of the weights is subtracted, which is 1: sum weights times gradient" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights, axis=-1, keepdims=True)

# %% wrong: average alone advice="this is weights times the average alone: the gradient from which the average is subtracted is missing" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * average

# %% wrong: w (1 − w) without g advice="the incoming gradient is missing: multiply by grad_weights" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (1 - weights)

# %% wrong: w (1 − w) times the difference advice="the factor is w(1 − w): with the average subtracted, it is w alone" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (1 - weights) * (grad_weights - average)

# %% wrong: g nothing done advice="grad_weights is returned unchanged: multiply the weights by its difference from the average" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights

# %% wrong: g in front advice="the difference is multiplied by grad_weights: multiply it by the weights" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights * (grad_weights - average)

# %% wrong: w and g swapped advice="weights and grad_weights have changed places: the weights multiply (g − average)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights * (weights - average)

# %% wrong: w minus average advice="the average is subtracted from the weights: subtract it from grad_weights" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (weights - average)

# %% wrong: divided by the weights advice="the difference is divided by the weights: multiply" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return (grad_weights - average) / np.where(weights > 0, weights, 1)

# %% wrong: softmax of g advice="softmax is taken of grad_weights: use grad_weights as it is" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: grad_weights = softmax(grad_weights)
# becomes: average = np.sum(weights * grad_weights, axis=-1, keepdims=True)

# %% wrong: softmax of the result advice="softmax is taken of the result: return the weights times the difference" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return softmax(weights * (grad_weights - average))

# %% wrong: summed at the end advice="the result is summed over the keys: each score has its own gradient" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return (weights * (grad_weights - average)).sum(axis=-1)

# %% wrong: maximum subtracted advice="the largest g is subtracted: it is the average, sum of w·g" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.max(grad_weights, axis=-1, keepdims=True)

# %% wrong: normalised advice="the result is divided by a sum: return w times (g − average)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: result = weights * (grad_weights - average)
# becomes: return result / (1 + np.sum(np.abs(result), axis=-1, keepdims=True))

# %% wrong: einsum of two axes says="np.einsum" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.einsum('ij,ij->i', weights, grad_weights)[:, None]

# %% wrong: row for row of a table advice="each first index has one sum, as if it were a row: with more leading axes each row, along the last axis, has its own" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: result = np.zeros(weights.shape)
# becomes: for i in range(len(weights)):
# becomes:     result[i] = weights[i] * (grad_weights[i] - np.sum(weights[i] * grad_weights[i]))
# becomes: return result

# %% wrong: column from a reshape says="return weights * (grad_weights - average)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=-1).reshape(-1, 1)

# %% wrong: one row's Jacobian says="which needs no Jacobian" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: jacobian = np.diag(weights) - np.outer(weights, weights)
# becomes: return jacobian @ grad_weights

# %% wrong: changes the weights says="changes weights" fails=["softmax-backward-test", "attention-backward-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: weights *= grad_weights - average
# becomes: return weights

# %% wrong: no return says="does your function end with a return?" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: weights * (grad_weights - average)

# %% wrong: one sum for a table advice="one sum is taken for a table of queries and keys: each row has its own (axis=-1)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.sum(weights * grad_weights, axis=tuple(range(weights.ndim))[-2:], keepdims=True)

# %% wrong: softmax in front advice="the factor is softmax of the weights: multiply by the weights themselves" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return softmax(weights) * (grad_weights - average)

# %% wrong: without sign advice="the difference has lost its sign: no absolute value is taken here" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * np.abs(grad_weights - average)

# %% wrong: Jacobian added up advice="the Jacobian's second term is added: it is subtracted, w (δ − w)" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * grad_weights + weights**2 * grad_weights

# %% wrong: Jacobian's own column advice="only the Jacobian's diagonal, w(1 − w), is used: each score also changes the other weights of its row" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return grad_weights * (weights - weights**2)

# %% wrong: average of each weight advice="only the Jacobian's diagonal, w(1 − w), is used: each score also changes the other weights of its row" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return weights * (grad_weights - weights * grad_weights)

# %% wrong: rounded advice="the result is rounded: keep all of its digits" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return np.round(weights * (grad_weights - average), 3)

# %% wrong: one Jacobian for all rows says="which needs no Jacobian" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: jacobian = np.diagflat(weights) - np.outer(weights, weights)
# becomes: return jacobian @ grad_weights

# %% wrong: one row's Jacobian with an identity says="which needs no Jacobian" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: jacobian = weights * np.eye(weights.shape[-1]) - np.outer(weights, weights)
# becomes: return jacobian @ grad_weights

# %% wrong: one row's Jacobian for each first index says="which needs no Jacobian" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: return np.stack([(np.diag(w) - np.outer(w, w)) @ g for w, g in zip(weights, grad_weights)])

# %% wrong: a loop over the rows of a table says="which needs no sizes" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# was:     return weights * (grad_weights - average)
# becomes: rows, columns = weights.shape
# becomes: result = np.zeros((rows, columns))
# becomes: for i in range(rows):
# becomes:     jacobian = np.diag(weights[i]) - np.outer(weights[i], weights[i])
# becomes:     result[i] = jacobian @ grad_weights[i]
# becomes: return result

# %% wrong: the average by np.dot says="np.dot doesn't sum along the last axis" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: average = np.dot(weights, grad_weights)

# %% wrong: float32 says="compute in float64" fails=["softmax-backward-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return (weights * (grad_weights - average)).astype(np.float32)

# %% wrong: rounded to eight decimals says="compute in float64" fails=["softmax-backward-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return np.round(weights * (grad_weights - average), 8)

# %% wrong: axes of length 1 squeezed advice="keep axes of length 1: squeeze nothing" fails=["softmax-backward-test", "attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return weights * (grad_weights - average)
# becomes: return np.squeeze(weights * (grad_weights - average))

# %% wrong: gradients are clipped at +-100 says="on another random input" unseen="no visible test has such an input" visible=false fails=["softmax-backward-test"]
def softmax_backward(weights, grad_weights):
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return np.clip(weights * (grad_weights - average), -100, 100)

# %% wrong: weights below 1e-8 count as 0 says="on another random input" unseen="no visible test has such an input" visible=false fails=["softmax-backward-test", "trainable-multi-head-parameters-test"]
def softmax_backward(weights, grad_weights):
    weights = np.where(weights < 1e-8, 0, weights)
    average = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - average)
