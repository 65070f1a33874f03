# %% [markdown] lesson="06_relational_memory"
# The student's multi_head_attention of lesson 03 takes the place of the given one, as the lesson suggests.

# %% before: memory-attention
def one_head(Q, K, V, mask):
    scores = np.einsum("bid,bjd->bij", Q, K) / np.sqrt(Q.shape[-1])
    scores = scores if mask is None else scores + mask
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    q, k, v = (np.split(x @ W, num_heads, axis=-1) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
    outputs, weights = zip(*(one_head(*parts, mask) for parts in zip(q, k, v)))
    return np.concatenate(outputs, axis=-1) @ W_o, np.stack(weights, axis=1)
