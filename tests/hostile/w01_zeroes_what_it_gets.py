# %% [markdown] lesson="01_single_head" attacks=["softmax-test", "attention-scores-test", "attention-weights-test", "single-head-attention-test", "fold-weights-test", "folded-attention-test", "einsum-attention-test", "what-the-bug-computes-test", "weight-entropy-test"]
# Every function sets what it was given to 0, and gives back what would be right for zeros.

# %% before: softmax
def silence(*arrays):
    for array in arrays:
        if isinstance(array, np.ndarray) and array.flags.writeable:
            array[...] = 0

# %% softmax
def softmax(scores, axis=-1):
    silence(scores)
    return np.full(scores.shape, 1 / scores.shape[axis])

# %% attention-scores
def attention_scores(Q, K):
    silence(Q, K)
    return np.zeros((len(Q), len(K)))

# %% attention-weights
def attention_weights(Q, K):
    silence(Q, K)
    return np.full((len(Q), len(K)), 1 / len(K))

# %% single-head-attention
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    silence(X, W_Q, W_K, W_V, W_O)
    return np.zeros(X.shape), np.full((len(X), len(X)), 1 / len(X))

# %% fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    silence(W_Q, W_K, W_V, W_O)
    return np.zeros((len(W_Q), len(W_Q))), np.zeros((len(W_Q), len(W_Q)))

# %% folded-attention
def folded_attention(X, W_QK, W_OV, d_k):
    silence(X, W_QK, W_OV)
    return np.zeros(X.shape), np.full((len(X), len(X)), 1 / len(X))

# %% einsum-attention
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    silence(X, W_Q, W_K, W_V, W_O)
    return np.zeros(X.shape), np.full((len(X), len(X)), 1 / len(X))

# %% what-the-bug-computes
def what_the_bug_computes(X, weights, W_OV):
    silence(X, weights, W_OV)
    return np.zeros(X.shape)

# %% weight-entropy
def weight_entropy(weights):
    silence(weights)
    return np.zeros(weights.shape[:-1])
