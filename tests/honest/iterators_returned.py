# %% [markdown] lesson="01_single_head"
# Pairs are given back as iterators: `map` and a generator.

# %% fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    return map(np.matmul, (W_Q, W_V), (W_K.T, W_O))

# %% single-head-attention
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    yield weights @ X @ W_V @ W_O
    yield weights
