# %% right: one einsum for the scores, one for the output
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    scores = np.einsum("nd,dk,me,ek->nm", X, W_Q, X, W_K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return np.einsum("nm,md,dv,vg->ng", weights, X, W_V, W_O), weights

# %% right: keys as rows throughout, turned at the end
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    scores = np.einsum("nk,mk->mn", Q, K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = powers / powers.sum(axis=0, keepdims=True)
    return np.einsum("mn,mv,vg->ng", weights, V, W_O), weights.T

# %% right: calls the head of 1.5
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    return single_head_attention(X, W_Q, W_K, W_V, W_O)

# %% right: torch's einsum
import torch


def einsum_attention(X, W_Q, W_K, W_V, W_O):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(a, dtype=torch.float64) for a in (X, W_Q, W_K, W_V, W_O))
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(torch.einsum("nk,mk->nm", Q, K) / W_Q.shape[1] ** 0.5, dim=1)
    return torch.einsum("nm,mv,vg->ng", weights, V, W_O), weights

# %% wrong: only the softmax repaired advice="Nothing is mixed: in the last step give the value the letter of the key, so that the sum over it holds the weights."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes: output = np.einsum("nm,nv,vg->ng", weights, V, W_O)

# %% wrong: only the sum repaired advice="Let the maximum run over the keys, too: the sum does now, and the maximum still runs over the queries."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))

# %% wrong: only the maximum repaired advice="Let the sum run over the keys, too: the maximum does now, and the sum still runs over the queries."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes: weights = exponentials / exponentials.sum(axis=0, keepdims=True)

# %% wrong: only the last step repaired advice="Let both the maximum and the sum of the softmax run over the keys: here each column of the weights sums to 1."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes: weights = softmax(scores, axis=0)

# %% wrong: the axis of the maximum is not kept advice="Keep the axis of the maximum, with keepdims=True: without it the maxima lie along the columns, not along the rows."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes:     exponentials = np.exp(scores - scores.max(axis=-1))

# %% wrong: the axis of the sum is not kept advice="Keep the axis of the sum, with keepdims=True: without it the sums lie along the columns, not along the rows."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     weights = exponentials / exponentials.sum(axis=-1)

# %% wrong: the last step sums over the queries advice="In the last step, sum over the second axis of weights, the keys m, and keep its first axis, the queries n: weights are nm, and V is mv."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes: output = np.einsum("nm,nv,vg->mg", weights, V, W_O)

# %% wrong: the last step keeps the key advice="Keep the query's letter n on the right of the last arrow: with m the values aren't mixed, each is only multiplied by the sum of a column."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,vg->mg", weights, V, W_O)

# %% wrong: the value has a letter of its own advice="Give the value the letter of the key, m, in the last step: with a separate letter all values are added up."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,jv,vg->ng", weights, V, W_O)

# %% wrong: the diagonal of the weights advice="Keep two letters for the weights in the last step, n and m: with one letter only their diagonal is used."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nn,nv,vg->ng", weights, V, W_O)

# %% wrong: the scale lost in the repair advice="Keep the division by √d_k: it was right in the given function, and it is missing."
# was:     scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
# becomes: scores = np.einsum("nk,mk->nm", Q, K)

# %% wrong: no W_O advice="Keep W_O in the last step: the output has d_v numbers for each token here, and needs d_model."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv->nv", weights, V)

# %% wrong: nothing repaired advice="Let both the maximum and the sum of the softmax run over the keys: here each column of the weights sums to 1."
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    return buggy_attention(X, W_Q, W_K, W_V, W_O)

# %% wrong: only the sum repaired, and the last step as it was advice="Let the maximum run over the keys, too: the sum does now, and the maximum still runs over the queries."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes:     exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))

# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,nv,vg->ng", weights, V, W_O)

# %% wrong: only the maximum repaired, and the last step as it was advice="Let the sum run over the keys, too: the maximum does now, and the sum still runs over the queries."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     weights = exponentials / exponentials.sum(axis=0, keepdims=True)

# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,nv,vg->ng", weights, V, W_O)

# %% wrong: neither axis is kept advice="Keep the axis of the maximum and of the sum, with keepdims=True: without it they lie along the columns, not along the rows."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     exponentials = np.exp(scores - scores.max(axis=-1))
# becomes:     weights = exponentials / exponentials.sum(axis=-1)

# %% wrong: neither axis is kept, and the last step as it was advice="Keep the axis of the maximum and of the sum, with keepdims=True: without it they lie along the columns, not along the rows."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     exponentials = np.exp(scores - scores.max(axis=-1))
# becomes:     weights = exponentials / exponentials.sum(axis=-1)
# becomes:     output = np.einsum("nm,nv,vg->ng", weights, V, W_O)

# %% wrong: over everything advice="Give the sum an axis: each query's row must sum to 1, and here all weights together do."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     exponentials = np.exp(scores - scores.max())
# becomes:     weights = exponentials / exponentials.sum()

# %% wrong: the letters of the weights changed in the last step advice="In the last step, sum over the second axis of weights, the keys m, and keep its first axis, the queries n: weights are nm, and V is mv."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("mn,mv,vg->ng", weights, V, W_O)

# %% wrong: the scale was changed advice="Leave the division as it was: it was right in the given function, and here it isn't by √d_k, the root of the columns of W_Q."
# was:     scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
# becomes:     scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[0])

# %% wrong: the scale was changed to d_k advice="Leave the division as it was: it was right in the given function, by √d_k, and here it is by d_k."
# was:     scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
# becomes:     scores = np.einsum("nk,mk->nm", Q, K) / W_Q.shape[1]

# %% wrong: the maximum lost in the repair advice="Subtract each row's own maximum before np.exp: it overflows for large scores."
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    powers = np.exp(np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("nm,mv,vg->ng", weights, V, W_O), weights

# %% wrong: one maximum for all advice="Subtract each row's own maximum: far below the largest of the whole table every exponential is 0."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes:     exponentials = np.exp(scores - scores.max())

# %% wrong: the letters of the scores changed instead of the axis advice="These weights are transposed: keep the query first, in the letters of the scores and in what you return."
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    scores = np.einsum("nk,mk->mn", Q, K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = powers / powers.sum(axis=0, keepdims=True)
    return np.einsum("nm,mv,vg->ng", weights, V, W_O), weights

# %% wrong: the weights turned instead of the axis advice="Row i belongs to key i here: leave the scores as they were, with the query first, change only the axis of maximum and sum, and don't transpose anything."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes:     weights = (exponentials / exponentials.sum(axis=0, keepdims=True)).T

# %% wrong: rows divided by their sum after the old softmax advice="Change the axis of maximum and sum instead of dividing once more: after the shares among the queries, each row was divided by its sum."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes:     weights = exponentials / exponentials.sum(axis=0, keepdims=True)
# becomes:     weights = weights / weights.sum(axis=1, keepdims=True)

# %% wrong: query and key have changed places advice="Row i belongs to key i here: leave the scores as they were, with the query first, change only the axis of maximum and sum, and don't transpose anything."
# was:     scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
# becomes:     scores = np.einsum("nk,mk->nm", K, Q) / np.sqrt(W_Q.shape[1])

# %% wrong: weights first advice="Return the output first, then the weights."
# was:     return output, weights
# becomes:     return weights, output

# %% wrong: only the output advice="Return two results, the output and the weights: the weights are missing."
# was:     return output, weights
# becomes:     return output

# %% wrong: the features summed at both says="einsum"
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,gv->ng", weights, V, W_O)

# %% wrong: a letter that is nowhere on the left says="einstein sum"
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,vg->nk", weights, V, W_O)

# %% wrong: forgets to return says="does your function end with a return?"
# was:     return output, weights
# becomes:

# %% wrong: in-place input says="make a new array"
# was:     return output, weights
# becomes:     X += output
# becomes:     return output, weights

# %% wrong: the keys are not summed over advice="Leave the key's letter out on the right of the last arrow: what is missing there is summed over."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,vg->nmg", weights, V, W_O)

# %% wrong: the features of the value are not summed over advice="Leave the letter of the value's features out on the right of the last arrow: what is missing there is summed over."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,vg->nv", weights, V, W_O)

# %% wrong: the weights are not used advice="Nothing is mixed: in the last step give the value the letter of the key, so that the sum over it holds the weights."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nv,vg->ng", V, W_O)

# %% wrong: W_O has letters of its own advice="Give the value and W_O the same letter for the features v: here each was summed over by itself."
# was:     output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
# becomes:     output = np.einsum("nm,mv,eg->ng", weights, V, W_O)

# %% wrong: the exponential lost in the repair advice="Keep np.exp: it was right in the given function, and it is missing."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes:     exponentials = scores - scores.max(axis=-1, keepdims=True)

# %% wrong: the division lost in the repair advice="Keep the division by the sum: each row of the weights must sum to 1."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     weights = exponentials

# %% wrong: the sum over everything advice="Give the sum its axis, too: each row must be divided by its own sum, and here it is that of all."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     weights = exponentials / exponentials.sum()

# %% wrong: the weights given back are turned advice="These weights are transposed: keep the query first, in the letters of the scores and in what you return."
# was:     return output, weights
# becomes:     return output, weights.T

# %% wrong: a softmax after the old softmax advice="Change the axis of maximum and sum instead of taking a second softmax of the shares."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes:     exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes:     weights = softmax(exponentials / exponentials.sum(axis=0, keepdims=True))

# %% wrong: shifted above, not below advice="Divide by the sum of the same exponentials as in the numerator: there the maximum is subtracted, and below it isn't."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes: weights = exponentials / np.exp(scores).sum(axis=-1, keepdims=True)

# %% wrong: shifted below, not above advice="Take the same exponentials in numerator and denominator: the maximum is subtracted only in the sum."
# was:     weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
# becomes: weights = np.exp(scores) / exponentials.sum(axis=-1, keepdims=True)

# %% wrong: the maximum begins at 0 advice="Start the maximum of each row at -np.inf, not at 0, or take np.max: a 0 is larger than every score of a row far below 0."
# was:     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: exponentials = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), 0))

# %% wrong: results squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
# was:     return output, weights
# becomes: return np.squeeze(output), weights

# %% wrong: the output in the dtype of W_V advice="Leave the dtype as it is: one of integers, from an argument, cuts off all decimal places."
# was:     return output, weights
# becomes: return output.astype(W_V.dtype), weights

# %% wrong: n, d_k and d_v are equal: scores transposed says="in the attention weights of other random arrays" unseen="no visible test has such an input" visible=false fails=["einsum-attention-test"]
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q = np.einsum("nd,dk->nk", X, W_Q)
    K = np.einsum("nd,dk->nk", X, W_K)
    V = np.einsum("nd,dv->nv", X, W_V)
    if Q.shape == V.shape and Q.shape[0] == Q.shape[1]:
        Q, K = K, Q
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    output = np.einsum("nm,mv,vg->ng", weights, V, W_O)
    return output, weights
