# %% right: calls the attention of 3.3
def repaired_attention(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)

# %% right: einsum
def repaired_attention(Q, K, V, mask):
    scores = np.einsum("bqd,bkd->bqk", Q, K) / Q.shape[-1] ** 0.5 + mask
    powers = np.exp(scores - np.max(scores, axis=2)[:, :, None])
    weights = powers / np.einsum("bqk->bq", powers)[:, :, None]
    return np.einsum("bqk,bkv->bqv", weights, V), weights

# %% right: one query at a time
def repaired_attention(Q, K, V, mask):
    mask = np.broadcast_to(mask, (len(Q), Q.shape[1], K.shape[1]))
    weights = np.zeros(mask.shape)
    for b, i in np.ndindex(mask.shape[:2]):
        row = K[b] @ Q[b, i] / math.sqrt(Q.shape[2]) + mask[b, i]
        powers = np.exp(row - row.max())
        weights[b, i] = powers / powers.sum()
    return weights @ V, weights

# %% base
def repaired_attention(Q, K, V, mask):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(0, 2, 1)
    scores = scores / np.sqrt(d_k)
    scores = scores + mask
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: nothing repaired says="one key of its own sequence" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"]
def repaired_attention(Q, K, V, mask):
    return six_slips(Q, K, V, mask)

# %% wrong: the wrong transpose says="one key of its own sequence" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.transpose(2, 1, 0)

# %% wrong: multiplies by the scale says="too far apart" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores * np.sqrt(d_k)

# %% wrong: subtracts the mask says="blocked keys should have weight 0" fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores - mask

# %% wrong: the maximum over the queries says="all weights are equal" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))

# %% wrong: multiplies by the sum says="the weights of a query sum to" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers * powers.sum(axis=-1, keepdims=True)

# %% wrong: the sum without keepdims says="the scores are uneven" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1)

# %% wrong: no scale left says="the larger one's share" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes:

# %% wrong: no mask left says="blocked keys should have weight 0" fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# %% wrong: the keys turned by .T says="one key of its own sequence" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.T

# %% wrong: the keys not turned says="one key of its own sequence" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K

# %% wrong: divides by d_k says="the larger one's share" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores / d_k

# %% wrong: the sum over the queries says="all weights are equal" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: no maximum left says="large scores give NaN" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all says="large scores give NaN" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())
