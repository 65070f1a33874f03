# %% [markdown] lesson="03_masked_multi_head"
# Masked arrays in the middle of a function, and as its result.

# %% masked-attention
def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim != 3 or K.ndim != 3 or V.ndim != 3:
        raise ValueError("Q, K and V need three axes each")
    if Q.shape[2] != K.shape[2] or K.shape[1] != V.shape[1]:
        raise ValueError("they don't fit together")
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[2])
    blocked = np.zeros(scores.shape, bool)
    if mask is not None:
        if mask.shape not in (scores.shape, scores.shape[1:]):
            raise ValueError("the mask has another shape than the scores")
        blocked = np.broadcast_to(np.isneginf(mask), scores.shape)
        if blocked.all(axis=-1).any():
            raise ValueError("a query has every key blocked")
    scores = np.ma.masked_array(scores, blocked)
    powers = np.ma.exp(scores - scores.max(axis=-1, keepdims=True)).filled(0)
    weights = np.ma.masked_array(powers / powers.sum(axis=-1, keepdims=True), blocked)
    return weights.filled(0) @ V, np.ma.masked_array(weights.filled(0))
