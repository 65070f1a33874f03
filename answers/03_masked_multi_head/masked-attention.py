# %% right: loops over batch and query, NumPy refuses what doesn't fit
def scaled_dot_product_attention(Q, K, V, mask=None):
    if {Q.ndim, K.ndim, V.ndim} != {3}:
        raise ValueError("three axes, please")
    shape = len(Q), Q.shape[1], K.shape[1]
    mask = np.broadcast_to(0.0 if mask is None else mask, shape)
    output, weights = np.zeros(shape[:2] + V.shape[2:]), np.zeros(shape)
    for b in range(shape[0]):
        for i in range(shape[1]):
            kept = [j for j in range(shape[2]) if mask[b, i, j] == 0]
            scores = np.array([Q[b, i] @ K[b, j] for j in kept]) / math.sqrt(Q.shape[2])
            # max of nothing is a ValueError, too.
            powers = np.exp(scores - max(scores))
            weights[b, i, kept] = powers / powers.sum()
            output[b, i] = weights[b, i] @ V[b]
    return output, weights

# %% right: einsum, where and the scale on the queries
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.einsum("bqd,bkd->bqk", Q / Q.shape[-1] ** 0.5, K)
    if Q.shape[2] != K.shape[2] or V.shape[-2] != K.shape[1]:
        raise ValueError("einsum would repeat what has size 1")
    if mask is not None:
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = np.where(mask == 0, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("bqk,bkv->bqv", weights, V), weights

# %% right: NaN found afterwards, lists returned
def scaled_dot_product_attention(Q, K, V, mask=None):
    (batch, seq_q, d_k), (_, seq_k, _), (_, _, d_v) = Q.shape, K.shape, V.shape
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
    if mask is not None:
        if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
            raise ValueError("shape of the mask")
        scores = scores + mask
    top = scores.max(axis=-1, keepdims=True)
    if np.isinf(top).any():
        raise ValueError("no key left")
    powers = np.exp(scores - top)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return [(weights @ V).tolist(), weights.tolist()]

# %% right: log of the sum
def scaled_dot_product_attention(Q, K, V, mask=None):
    for array in (Q, K, V):
        if array.ndim != 3:
            raise ValueError("three axes, please")
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = scores + mask
    top = scores.max(axis=2)[..., None]
    total = np.log(np.exp(scores - top).sum(axis=2))[..., None]
    weights = np.exp(scores - top - total)
    return weights @ V, weights

# %% base
def scaled_dot_product_attention(Q, K, V, mask=None):
    if not Q.ndim == K.ndim == V.ndim == 3:
        raise ValueError("three axes, please")
    if Q.shape[2] != K.shape[2]:
        raise ValueError("d_k")
    if K.shape[1] != V.shape[1]:
        raise ValueError("lengths")
    batch, seq_q, d_k = Q.shape
    seq_k = K.shape[1]
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
    if mask is not None:
        if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
            raise ValueError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: no scale says="not divided by √d_k" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)

# %% wrong: divides by d_k says="divided by d_k, not by its root" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / d_k

# %% wrong: multiplies by √d_k says="multiplied by √d_k" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) * np.sqrt(d_k)

# %% wrong: √seq_k says="the root is of seq_k" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(seq_k)

# %% wrong: √seq_q says="the root is of seq_q" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(seq_q)

# %% wrong: softmax over queries says="softmax runs over the queries" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: softmax over the batch says="softmax runs over the batch" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes: weights = powers / powers.sum(axis=0, keepdims=True)

# %% wrong: softmax over everything says="the whole box sums to 1" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max())
# becomes: weights = powers / powers.sum()

# %% wrong: not normalised says="divide by the sum" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers

# %% wrong: no softmax says="the softmax is missing" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores

# %% wrong: Q and K swapped says="matmul" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = K @ Q.swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: keys of the first sequence says="the keys of the first one" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K[0].T / np.sqrt(d_k)

# %% wrong: values of the first sequence says="the values of the first one" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V[0], weights

# %% wrong: no maximum says="large scores give NaN" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all says="large scores give NaN" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())

# %% wrong: maximum before the mask says="that one query must not see" fails=["masked-attention-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: top = scores.max(axis=-1, keepdims=True)

# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - top)

# %% wrong: mask subtracted says="NaN with a mask" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores - mask

# %% wrong: mask multiplied says="don't multiply" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores * mask

# %% wrong: mask ignored says="the mask changes nothing" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: pass

# %% wrong: blocked scores set to 0 says="a blocked score is 0" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, scores, 0)

# %% wrong: mask inverted says="the kept keys get no share" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, -1e9, scores)

# %% wrong: mask after softmax says="the mask is used after softmax" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: if mask is not None:
# becomes:     weights = np.where(mask == 0, weights, 0)

# %% wrong: mask of the first sequence for all says="the mask of the first one" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[0])

# %% wrong: flat mask on the first sequence only says="only the first sequence" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: if mask.ndim == 2:
# becomes:     mask = np.concatenate([mask[None], np.zeros((batch - 1, seq_q, seq_k))])
# becomes: scores = scores + mask

# %% wrong: flat mask refused says="ValueError" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes: if mask.shape not in [(batch, seq_q, seq_k)]:
# becomes:     raise ValueError(f"ValueError: {mask.shape}")

# %% wrong: mask of each sequence refused says="ValueError" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes: if mask.shape not in [(seq_q, seq_k)]:
# becomes:     raise ValueError(f"ValueError: {mask.shape}")

# %% wrong: a blocked row gives NaN says="every key blocked" fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# %% wrong: a blocked row gives uniform weights says="every key blocked" fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# was:     scores = scores + mask
# becomes: scores = scores + np.maximum(mask, -1e30)

# %% wrong: a blocked row gives zeros says="every key blocked" fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.nan_to_num(weights)

# %% wrong: only a wholly blocked sequence refused says="every key blocked" fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).all(axis=(-2, -1)).any():

# %% wrong: any blocked key refused says="ValueError" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes: if np.isinf(mask).any():
# becomes:     raise ValueError("ValueError: no key left")

# %% wrong: no check of the axes says="arrays with" fails=["masked-attention-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("d_k")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("lengths")
    batch, seq_q, d_k = (1, *Q.shape)[-3:]
    seq_k = K.shape[-2]
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    if mask is not None:
        if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
            raise ValueError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: no check of d_k says="keys of length 1" fails=["masked-attention-errors-test"] of="base"
# was:     if Q.shape[2] != K.shape[2]:
# was:         raise ValueError("d_k")
# becomes:

# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = (Q[:, :, None] * K[:, None]).sum(axis=3) / np.sqrt(d_k)

# %% wrong: no check of the lengths says="4 keys and 1 value" fails=["masked-attention-errors-test"] of="base"
# was:     if K.shape[1] != V.shape[1]:
# was:         raise ValueError("lengths")
# becomes:

# was:     return weights @ V, weights
# becomes: return (weights[..., None] * V[:, None]).sum(axis=2), weights

# %% wrong: no check of the mask says="a mask (2, 2, 3, 4)" fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes:

# %% wrong: TypeError instead says="there was TypeError" fails=["masked-attention-errors-test", "multi-head-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    if not Q.ndim == K.ndim == V.ndim == 3:
        raise TypeError("three axes, please")
    if Q.shape[2] != K.shape[2]:
        raise TypeError("d_k")
    if K.shape[1] != V.shape[1]:
        raise TypeError("lengths")
    batch, seq_q, d_k = Q.shape
    seq_k = K.shape[1]
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
    if mask is not None:
        if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
            raise TypeError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise TypeError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: assert instead says="there was AssertionError" fails=["masked-attention-errors-test", "multi-head-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    if not Q.ndim == K.ndim == V.ndim == 3:
        raise AssertionError("three axes, please")
    if Q.shape[2] != K.shape[2]:
        raise AssertionError("d_k")
    if K.shape[1] != V.shape[1]:
        raise AssertionError("lengths")
    batch, seq_q, d_k = Q.shape
    seq_k = K.shape[1]
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
    if mask is not None:
        if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
            raise AssertionError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise AssertionError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: queries changed says="an input was changed" fails=["masked-attention-values-test", "masked-attention-mask-test"] visible=false of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = None
# becomes: Q /= np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)

# %% wrong: one thing returned says="give back two things" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V

# %% wrong: weights first says="shape" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights, weights @ V

# %% wrong: maximum over the queries says="the maximum is taken over the queries" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))

# %% wrong: asks whether the mask is true says="ambiguous" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     if mask is not None:
# becomes: if mask:

# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# %% wrong: only raises says="ValueError" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    raise ValueError("no")
