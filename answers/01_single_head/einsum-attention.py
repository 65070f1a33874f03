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
    return np.einsum("mn,md,dg->ng", weights, V, W_O), weights.T

# %% right: calls the head of 1.5
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    return single_head_attention(X, W_Q, W_K, W_V, W_O)

# %% right: torch's einsum
import torch


def einsum_attention(X, W_Q, W_K, W_V, W_O):
    X, W_Q, W_K, W_V, W_O = map(torch.from_numpy, (X, W_Q, W_K, W_V, W_O))
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(torch.einsum("nk,mk->nm", Q, K) / W_Q.shape[1] ** 0.5, dim=1)
    return torch.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: nothing repaired says="the columns of the weights still sum to 1"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    return buggy_attention(X, W_Q, W_K, W_V, W_O)

# %% wrong: only the softmax repaired says="nothing is mixed"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    weights = softmax(np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1]))
    return np.einsum("nm,nd,dg->ng", weights, V, W_O), weights

# %% wrong: only the last step repaired says="the columns of the weights still sum to 1"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    weights = softmax(np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1]), axis=0)
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: only the sum repaired says="but the maximum still over the queries"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: only the maximum repaired says="but the sum still over the queries"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    scores = np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=0, keepdims=True)
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: the last step sums over the queries says="the sum runs over the queries"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    weights = softmax(np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1]))
    return np.einsum("nm,nd,dg->mg", weights, V, W_O), weights

# %% wrong: the scale lost in the repair says="the scale is gone"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    weights = softmax(np.einsum("nk,mk->nm", Q, K))
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: the maximum lost in the repair says="large scores give nan"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    powers = np.exp(np.einsum("nk,mk->nm", Q, K) / np.sqrt(W_Q.shape[1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights

# %% wrong: the letters of the scores changed instead of the axis says="the weights are transposed"
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = (np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V))
    scores = np.einsum("nk,mk->mn", Q, K) / np.sqrt(W_Q.shape[1])
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = powers / powers.sum(axis=0, keepdims=True)
    return np.einsum("nm,md,dg->ng", weights, V, W_O), weights
