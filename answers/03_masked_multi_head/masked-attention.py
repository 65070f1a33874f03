# %% right: loops over batch and query, NumPy refuses what doesn't fit
def scaled_dot_product_attention(Q, K, V, mask=None):
    if {Q.ndim, K.ndim, V.ndim} != {3}:
        raise ValueError("three axes, please")
    shape = len(Q), Q.shape[1], K.shape[1]
    if np.shape(mask) not in [(), shape, shape[1:]]:
        raise ValueError("shape of the mask")
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
        if mask.ndim not in (2, 3) or mask.shape != scores.shape[-mask.ndim:]:
            raise ValueError("shape of the mask")
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
        if mask.shape not in {scores.shape, scores.shape[1:]}:
            raise ValueError("shape of the mask")
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

# %% wrong: no scale advice="Divide the scores by √d_k before the softmax." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)

# %% wrong: divides by d_k advice="Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / d_k

# %% wrong: softmax over queries advice="Let the maximum and the sum run along the last axis, over the keys: here each column sums to 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: sum over queries advice="Let the maximum and the sum run along the last axis, over the keys: here the sum runs over the queries." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: scale after the softmax advice="Scale the scores before the softmax, and not the weights after it: these must sum to 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)

# was:     return weights @ V, weights
# becomes: weights = weights / np.sqrt(d_k)
# becomes: return weights @ V, weights

# %% wrong: a bare reshape of the keys advice="Turn the keys with transpose or swapaxes: a reshape to (batch, d_k, seq_k) reads the same numbers in the same order, and tears the keys apart." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.reshape(batch, d_k, seq_k) / np.sqrt(d_k)

# %% wrong: weights first advice="Return the output first and the weights second: here they are swapped." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights, weights @ V

# %% wrong: mask ignored advice="Add the mask to the scores before the softmax: here it changes nothing. It holds 0 and −∞, so no entry equals 1 or True." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: pass

# %% wrong: mask inverted advice="Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, -1e9, scores)

# %% wrong: mask after softmax advice="Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: if mask is not None:
# becomes:     weights = np.where(mask == 0, weights, 0)

# %% wrong: mask of the first sequence for all advice="Use each sequence's own mask: here all have that of the first one." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[0])

# %% wrong: √d_v advice="Take the root of d_k, how many numbers a query has: here it is of those of a value." fails=["masked-attention-values-test", "masked-attention-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(V.shape[-1])

# %% wrong: divides by d_k ** 1 / 2 advice="Put brackets around the exponent: d_k ** 1 / 2 is half of d_k, and not its root." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / (d_k ** 1 / 2)

# %% wrong: divides by d_k ** 1 / 2 without brackets advice="Put brackets around the root: / d_k ** 1 / 2 divides by d_k and then by 2." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / d_k ** 1 / 2

# %% wrong: multiplies by √d_k advice="Divide the scores by √d_k, don't multiply." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) * np.sqrt(d_k)

# %% wrong: scaled twice advice="Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: Q = Q / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: √seq_k advice="Take the root of d_k, how many numbers a query has: here it is of the number of keys." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(seq_k)

# %% wrong: √seq_q advice="Take the root of d_k, how many numbers a query has: here it is of the number of queries." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(seq_q)

# %% wrong: √batch advice="Take the root of d_k, how many numbers a query has: here it is of the number of sequences." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(batch)

# %% wrong: √8, the d_model of the notebook advice="Take d_k from the last axis of Q: 8 is the size of the notebook's X." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(X.shape[-1])

# %% wrong: softmax over the batch advice="Let the maximum and the sum run along the last axis, over the keys: here they run over the sequences." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes: weights = powers / powers.sum(axis=0, keepdims=True)

# %% wrong: sum over the batch advice="Let the maximum and the sum run along the last axis, over the keys: here the sum runs over the sequences." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=0, keepdims=True)

# %% wrong: softmax over everything advice="Give the sum axis=-1 and keepdims=True: here the weights of all sequences and queries together sum to 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum()

# %% wrong: softmax over each table advice="Let the sum run along the last axis alone: here the weights of a whole sequence sum to 1, not those of each query." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=(1, 2), keepdims=True)

# %% wrong: maximum over the queries advice="Subtract the largest score of each row, along the last axis: here the maximum is taken over the queries." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))

# %% wrong: maximum over the batch advice="Subtract the largest score of each row, along the last axis: here the maximum is taken over the sequences." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))

# %% wrong: maximum added advice="Subtract each row's own largest score before exp: exp of 10000 is more than a float can hold." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores + scores.max(axis=-1, keepdims=True))

# %% wrong: no maximum advice="Subtract each row's own largest score before exp: exp of 10000 is more than a float can hold." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all advice="Subtract each row's own largest score, with axis=-1 and keepdims=True: with one maximum for all rows, some have only powers that are rounded to 0." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())

# %% wrong: one maximum for each sequence advice="Subtract each row's own largest score, along the last axis alone: with one maximum for a sequence, some rows have only powers that are rounded to 0." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))

# %% wrong: the mean subtracted advice="Add the mask as it is, without a minus; and before exp subtract each row's largest score, nothing else." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))

# %% wrong: clipped scores advice="Don't clip: subtract each row's own largest score before exp, and no power is larger than 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(np.clip(scores, -700, 700))

# %% wrong: NaN made 0 advice="Subtract each row's own largest score before exp: turning NaN into numbers hides that exp has overflowed." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores)
# becomes: weights = np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))

# %% wrong: maximum before the mask advice="Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: top = scores.max(axis=-1, keepdims=True)

# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - top)

# %% wrong: not normalised advice="Divide each row by its sum: the weights of a query sum to 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers

# %% wrong: no softmax advice="Turn the scores into weights by softmax: these are the scores." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores

# %% wrong: scores divided by their sum advice="Take exp of the scores before you divide by the sum." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores / scores.sum(axis=-1, keepdims=True)

# %% wrong: softmax twice advice="Apply softmax once." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: powers = np.exp(weights)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: return weights @ V, weights

# %% wrong: scores given back advice="The output is right; return the weights with it, after the softmax: these are the scores." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V, scores

# %% wrong: powers given back advice="The output is right; return the weights with it, divided by their sum: these are the powers." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V, powers

# %% wrong: scores mixed advice="The weights are right; multiply these with V for the output: here the scores were taken." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return scores @ V, weights

# %% wrong: powers mixed advice="The weights are right; multiply these with V for the output: here the powers were taken, before they were divided by their sum." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return powers @ V, weights

# %% wrong: Q and K swapped says="matmul" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = K @ Q.swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: Q and K swapped, einsum says="ValueError" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = np.einsum("bqd,bkd->bkq", Q, K) / np.sqrt(d_k)

# %% wrong: the keys not turned says="matmul" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K / np.sqrt(d_k)

# %% wrong: K turned by T says="matmul" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.T / np.sqrt(d_k)

# %% wrong: np.dot for @ says="ValueError" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = np.dot(Q, K.swapaxes(1, 2)) / np.sqrt(d_k)

# %% wrong: the maximum without keepdims says="could not be broadcast" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=-1))

# %% wrong: the sum without keepdims says="could not be broadcast" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1)

# %% wrong: keys of the first sequence advice="Use each sequence's own keys: here all have those of the first one." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K[0].T / np.sqrt(d_k)

# %% wrong: queries of the first sequence advice="Use each sequence's own queries: here all have those of the first one." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q[:1] @ K.swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: values of the first sequence advice="The weights are right; use each sequence's own values: here all have those of the first one." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V[0], weights

# %% wrong: weights of the first sequence advice="Use each sequence's own weights: here all have those of the first one." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: weights = np.repeat(weights[:1], batch, axis=0)
# becomes: return weights @ V, weights

# %% wrong: one sequence only advice="Return all sequences: this is one alone. Is a return inside the loop, or an index after the arrays?" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return (weights @ V)[:1], weights[:1]

# %% wrong: one sequence only, without its axis advice="Return all sequences, with the batch axis first: this is the first one alone." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return (weights @ V)[0], weights[0]

# %% wrong: the last sequence only advice="Return all sequences: this is the last one alone. Collect the results of the loop in a list." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return (weights @ V)[-1], weights[-1]

# %% wrong: values without weights advice="The weights are right; multiply them with V: here the values of all keys are added up alike." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return np.ones_like(weights) @ V, weights

# %% wrong: the values averaged advice="The weights are right; multiply them with V: here the output is the plain mean of the values." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return np.ones_like(weights) / seq_k @ V, weights

# %% wrong: the keys mixed advice="The weights are right; mix the values V with them, not the keys." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ K, weights

# %% wrong: queries in place of keys advice="Compare the queries with the keys, Q with K: here Q is used twice." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ np.resize(Q, K.shape).swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: an axis too many advice="Leave out the leading axis of length 1." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return (weights @ V)[None], weights[None]

# %% wrong: one thing returned advice="Return two things, the output first: (output, weights)." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V

# %% wrong: the weights alone advice="Return two things, the output first: (output, weights)." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights

# %% wrong: three things returned says="return 2 values" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V, weights, scores

# %% wrong: gives back nothing says="does your function end with a return?" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="base"
# was:     return weights @ V, weights
# becomes: weights @ V

# %% wrong: mask subtracted advice="Add the mask as it is, without a minus; and before exp subtract each row's largest score, nothing else." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores - mask

# %% wrong: mask multiplied advice="Add the mask, don't multiply with it: the kept scores became 0." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores * mask

# %% wrong: the scores times where the mask is 0 advice="Give blocked keys −∞ before the softmax: here their scores became 0, and e⁰ is 1." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores * (mask == 0)

# %% wrong: mask added to a copy advice="Add the mask to the scores before the softmax: here it changes nothing. It holds 0 and −∞, so no entry equals 1 or True." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: masked = scores + mask

# %% wrong: blocked scores set to 0 advice="Give blocked keys −∞ before the softmax: here their scores became 0, and e⁰ is 1." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, scores, 0)

# %% wrong: mask taken for True and False advice="Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask, scores, -1e9)

# %% wrong: a score of 0 blocked advice="Ask the mask which keys are blocked, not the scores: a score of 0 is a score like any other." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores * (mask == 0)
# becomes: scores[scores == 0] = -np.inf
# becomes: scores[np.isneginf(scores).all(axis=-1)] = 0

# %% wrong: mask added to the weights advice="Add the mask to the scores before the softmax, not to the weights." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: if mask is not None:
# becomes:     weights = weights + mask

# %% wrong: mask for the output alone advice="The returned weights ignore the mask: add it to the scores before the softmax, and use these weights for both." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# was:     return weights @ V, weights
# becomes: plain = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(plain - plain.max(axis=-1, keepdims=True))
# becomes: return weights @ V, powers / powers.sum(axis=-1, keepdims=True)

# %% wrong: mask for the weights alone advice="The weights are right; use them for the output: here it is made of weights without the mask." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# was:     return weights @ V, weights
# becomes: plain = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: powers = np.exp(plain - plain.max(axis=-1, keepdims=True))
# becomes: output = powers / powers.sum(axis=-1, keepdims=True) @ V
# becomes: powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: return output, powers / powers.sum(axis=-1, keepdims=True)

# %% wrong: mask of the last sequence for all advice="Use each sequence's own mask: here all have that of the last one." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[-1])

# %% wrong: all masks added up advice="Use each sequence's own mask: here a key that is blocked in any sequence is blocked in all." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[0] + mask[1])
# becomes: scores[np.isneginf(scores).all(axis=-1)] = 0

# %% wrong: the mask turned says="could not be broadcast" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + mask.swapaxes(-1, -2)

# %% wrong: the row of the first query for all advice="Use each query's own row of the mask: here all queries have that of query 0." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + mask[..., :1, :]

# %% wrong: flat mask on the first sequence only advice="Use a flat mask for every sequence: here it hits the first one alone." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: if mask.ndim == 2:
# becomes:     mask = np.concatenate([mask[None], np.zeros((batch - 1, seq_q, seq_k))])
# becomes: scores = scores + mask

# %% wrong: flat mask ignored advice="Use a flat mask, too: one with two axes changes nothing here." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: if mask.ndim == 3:
# becomes:     scores = scores + mask

# %% wrong: flat mask refused says="ValueError" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(batch, seq_q, seq_k)]:

# %% wrong: mask of each sequence refused says="ValueError" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(seq_q, seq_k)]:

# %% wrong: any blocked key refused says="ValueError" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).any():

# %% wrong: blocked keys asked for along the queries advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-mask-test", "multi-head-errors-test", "masked-attention-mask-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).all(axis=-2).any():

# %% wrong: a blocked row gives NaN advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# %% wrong: a blocked row gives uniform weights advice="Raise a ValueError where a row of the mask is all −∞: with a large negative number in its place such a query looks at keys that it must not see." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# was:     scores = scores + mask
# becomes: scores = scores + np.maximum(mask, -1e30)

# %% wrong: a blocked row gives zeros advice="Raise a ValueError where a row of the mask is all −∞: replacing NaN by 0 hides the error." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))

# %% wrong: only a wholly blocked sequence refused advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).all(axis=(-2, -1)).any():

# %% wrong: only a mask that blocks everything refused advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).all():

# %% wrong: blocked rows in flat masks only advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if mask.ndim == 2 and np.isinf(mask).all(axis=1).any():

# %% wrong: blocked rows in masks with three axes only advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if mask.ndim == 3 and np.isinf(mask).all(axis=-1).any():

# %% wrong: blocked rows of the first sequence only advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["masked-attention-errors-test", "multi-head-errors-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask if mask.ndim == 2 else mask[0]).all(axis=-1).any():

# %% wrong: no check of the axes advice="Look at ndim first, and raise a ValueError unless Q, K and V have three axes each." fails=["masked-attention-errors-test"]
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

# %% wrong: two axes made three advice="Raise a ValueError for arrays with two axes: don't add an axis to them." fails=["masked-attention-errors-test"] of="base"
# was:     if not Q.ndim == K.ndim == V.ndim == 3:
# was:         raise ValueError("three axes, please")
# becomes: if Q.ndim == 2:
# becomes:     Q, K, V = Q[None], K[None], V[None]
# becomes: if not Q.ndim == K.ndim == V.ndim == 3:
# becomes:     raise ValueError("three axes, please")

# %% wrong: fewer axes refused only advice="Ask whether each array has exactly three axes: four must be refused, too." fails=["masked-attention-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim < 3 or K.ndim < 3 or V.ndim < 3:
        raise ValueError("three axes, please")
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.shape not in [scores.shape, scores.shape[1:]]:
            raise ValueError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: only the axes of Q checked advice="Check the axes of Q, of K and of V: here one of them is not checked." fails=["masked-attention-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim != 3:
        raise ValueError("three axes, please")
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[2])
    if mask is not None:
        if mask.shape not in [scores.shape, scores.shape[1:]]:
            raise ValueError("shape of the mask")
        if np.isinf(mask).all(axis=-1).any():
            raise ValueError("no key left")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: the axes of V not checked advice="Check the axes of Q, of K and of V: here one of them is not checked." fails=["masked-attention-errors-test"] of="base"
# was:     if not Q.ndim == K.ndim == V.ndim == 3:
# becomes: if not Q.ndim == K.ndim == 3:

# was:     if K.shape[1] != V.shape[1]:
# becomes: if K.shape[1] != V.shape[-2]:

# %% wrong: no check of d_k advice="Raise a ValueError where Q.shape[2] and K.shape[2] differ: this way of multiplying repeats an axis of length 1." fails=["masked-attention-errors-test"] of="base"
# was:     if Q.shape[2] != K.shape[2]:
# was:         raise ValueError("d_k")
# becomes:

# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = (Q[:, :, None] * K[:, None]).sum(axis=3) / np.sqrt(d_k)

# %% wrong: no check of the lengths advice="Raise a ValueError where K.shape[1] and V.shape[1] differ: this way of multiplying repeats an axis of length 1." fails=["masked-attention-errors-test"] of="base"
# was:     if K.shape[1] != V.shape[1]:
# was:         raise ValueError("lengths")
# becomes:

# was:     return weights @ V, weights
# becomes: return (weights[..., None] * V[:, None]).sum(axis=2), weights

# %% wrong: no check of the mask advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes:

# %% wrong: only the number of axes of the mask checked advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.ndim not in (2, 3):

# %% wrong: masks with more than three axes refused only advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.ndim > 3:

# %% wrong: any mask that broadcasts advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes: mask = np.broadcast_to(mask, scores.shape)

# %% wrong: a mask with one row for all queries accepted advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k), (batch, 1, seq_k)]:

# %% wrong: a mask with one row for all sequences accepted advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k), (seq_k,)]:

# %% wrong: only the last axis of the mask compared advice="Compare the shape of the mask with (seq_q, seq_k) and (batch, seq_q, seq_k), and raise a ValueError for any other: NumPy adds some other shapes without an error." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape[-1] != seq_k or mask.ndim > 3:

# %% wrong: a mask with one column for all keys accepted says="what can't be done does not always raise" visible=false unseen="the visible calls have the commonest of the shapes that broadcast" fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k), (seq_q, 1), (batch, seq_q, 1)]:

# %% wrong: a mask of one sequence for all accepted says="what can't be done does not always raise" visible=false unseen="the visible calls have the commonest of the shapes that broadcast" fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes: if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k), (1, seq_q, seq_k)]:

# %% wrong: mask with its axes in any order advice="Compare the whole shape of the mask, in its order: (4, 3) is not (3, 4)." fails=["masked-attention-errors-test"] of="base"
# was:     if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# was:         raise ValueError("shape of the mask")
# becomes: if mask.shape[-2:] == (seq_k, seq_q) and seq_q != seq_k:
# becomes:     mask = mask.swapaxes(-1, -2)
# becomes: if mask.shape not in [(seq_q, seq_k), (batch, seq_q, seq_k)]:
# becomes:     raise ValueError("shape of the mask")

# %% wrong: TypeError instead says="TypeError" fails=["masked-attention-errors-test", "multi-head-errors-test"]
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

# %% wrong: assert instead says="AssertionError" fails=["masked-attention-errors-test", "multi-head-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.ndim == K.ndim == V.ndim == 3
    assert Q.shape[2] == K.shape[2] and K.shape[1] == V.shape[1]
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])
    if mask is not None:
        assert mask.shape in [scores.shape, scores.shape[1:]]
        assert not np.isinf(mask).all(axis=-1).any()
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: gives back None where it can't says="None" fails=["masked-attention-errors-test"] of="base"
# was:     if not Q.ndim == K.ndim == V.ndim == 3:
# was:         raise ValueError("three axes, please")
# becomes: if not Q.ndim == K.ndim == V.ndim == 3:
# becomes:     return None

# %% wrong: asks the shape with another index says="IndexError" fails=["masked-attention-errors-test"] of="base"
# was:     if not Q.ndim == K.ndim == V.ndim == 3:
# was:         raise ValueError("three axes, please")
# becomes:

# %% wrong: queries changed says="changes Q" fails=["masked-attention-values-test", "masked-attention-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: Q /= np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)

# %% wrong: keys changed says="changes K" fails=["masked-attention-values-test", "masked-attention-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: K *= d_k ** -0.5
# becomes: scores = Q @ K.swapaxes(1, 2)

# %% wrong: the mask changed says="changes mask" fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: mask[np.isinf(mask)] = -1e9
# becomes: scores = scores + mask

# %% wrong: asks whether the mask is true says="ambiguous" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test"] of="base"
# was:     if mask is not None:
# becomes: if mask:

# %% wrong: asks whether the mask equals None says="ambiguous" fails=["masked-attention-mask-test", "masked-attention-errors-test", "multi-head-mask-test"] of="base"
# was:     if mask is not None:
# becomes: if mask != None:

# %% wrong: only raises says="ValueError" fails=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"]
def scaled_dot_product_attention(Q, K, V, mask=None):
    raise ValueError("no")

# %% wrong: the root of a root advice="Take one root of d_k: here it is the root of a root." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / d_k ** 0.25

# %% wrong: the mask is scaled, too advice="Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice." fails=["masked-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = (scores + mask) / np.sqrt(d_k)

# %% wrong: keys of all sequences at once advice="Let a query meet the keys of its own sequence alone: K has the batch as an axis, too, and here all sequences are added up." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = np.einsum("bqd,ckd->bqk", Q, K) / np.sqrt(d_k)

# %% wrong: exp of the mask added advice="Add the mask as it is: exp of it is 1 and 0, and 0 blocks nothing." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + np.exp(mask)

# %% wrong: rows of a flat mask for sequences advice="Use the whole of a flat mask for every sequence: mask[b] is its row b, and a table only if the mask has three axes." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.stack([scores[b] + mask[b] for b in range(batch)])

# %% wrong: the mask times a large negative number advice="Add the mask as it is, without a minus; and before exp subtract each row's largest score, nothing else." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + mask * -1e9

# %% wrong: kept scores made -inf advice="Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, -np.inf, scores)

# %% wrong: the maximum after exp advice="Subtract the maximum inside exp: here it is subtracted from the powers." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores) - scores.max(axis=-1, keepdims=True)

# %% wrong: the output scaled advice="The weights are right; leave the output as it is: only the scores are divided by √d_k." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V / np.sqrt(d_k), weights

# %% wrong: Q and K both scaled advice="Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = (Q / np.sqrt(d_k)) @ (K / np.sqrt(d_k)).swapaxes(1, 2)

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a batch of one sequence is a batch." fails=["masked-attention-values-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test", "masked-attention-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return np.squeeze(weights @ V), np.squeeze(weights)

# %% wrong: one sequence taken out of its batch advice="Keep axes of length 1: nothing is squeezed, and a batch of one sequence is a batch." fails=["masked-attention-values-test", "multi-head-weights-test", "multi-head-output-test", "masked-attention-mask-test", "multi-head-errors-test", "multi-head-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return ((weights @ V)[0], weights[0]) if batch == 1 else (weights @ V, weights)

# %% wrong: the absolute scores advice="Keep the sign of the scores: a negative one gets a small weight, not a large one." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = abs(Q @ K.swapaxes(1, 2)) / np.sqrt(d_k)

# %% wrong: distances for scores advice="Multiply queries and keys: a score is their dot product, and here they are subtracted." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = -((Q[:, :, None] - K[:, None]) ** 2).sum(axis=3) / np.sqrt(d_k)

# %% wrong: powers of 2 advice="Take e to the power of the scores: np.exp, not 2 **." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = 2 ** (scores - scores.max(axis=-1, keepdims=True))

# %% wrong: only the first query's maximum advice="Subtract each row's own largest score, along the last axis: here all rows of a sequence lose the maximum of the first." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores[:, :1].max(axis=-1, keepdims=True))

# %% wrong: mask compared with 1 advice="Add the mask to the scores before the softmax: here it changes nothing. It holds 0 and −∞, so no entry equals 1 or True." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 1, -np.inf, scores)

# %% wrong: all that is not True blocked advice="The mask holds 0 and −∞, not True and False: add it to the scores, or block where it is −∞." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask != True, -np.inf, scores)

# %% wrong: blocked scores replaced by −10000 advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.isneginf(mask), -1e4, scores)

# %% wrong: blocked scores replaced by −1000000 advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.isneginf(mask), -1e6, scores)

# %% wrong: −10000 added in place of −∞ advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + np.maximum(mask, -1e4)

# %% wrong: maximum above the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / np.exp(scores).sum(axis=-1, keepdims=True)

# %% wrong: maximum below the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.exp(scores) / powers.sum(axis=-1, keepdims=True)

# %% wrong: a wholly blocked column refused says="this line refuses too much" fails=["masked-attention-errors-test", "multi-head-mask-test", "masked-attention-mask-test"] of="base"
# was:     if np.isinf(mask).all(axis=-1).any():
# becomes: if np.isinf(mask).all(axis=-1).any() or np.isinf(mask).all(axis=-2).any():

# %% wrong: blocked scores replaced by −10⁷ advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.isneginf(mask), -1e7, scores)

# %% wrong: blocked scores replaced by −10⁹ advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.isneginf(mask), -1e9, scores)

# %% wrong: blocked scores replaced by −10²⁰ advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.isneginf(mask), -1e20, scores)

# %% wrong: −10⁹ added in place of −∞ advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + np.where(np.isneginf(mask), -1e9, 0)

# %% wrong: −∞ made a large finite number advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + np.nan_to_num(mask, neginf=-1e12)

# %% wrong: the arrays made float32 says="Compute in float64" fails=["masked-attention-values-test", "multi-head-output-test", "multi-head-weights-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: Q, K, V = (array.astype(np.float32) for array in (Q, K, V))
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)

# %% wrong: the weights made float32 says="Compute in float64" fails=["masked-attention-values-test", "multi-head-output-test", "multi-head-weights-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)

# %% wrong: the weights rounded to six decimals says="Compute in float64" fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-output-test", "multi-head-weights-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.round(powers / powers.sum(axis=-1, keepdims=True), 6)

# %% wrong: the output rounded to seven decimals says="Compute in float64" fails=["masked-attention-values-test", "multi-head-output-test"] of="base"
# was:     return weights @ V, weights
# becomes: return np.round(weights @ V, 7), weights

# %% wrong: softmax over queries, no scale advice="Let the maximum and the sum run along the last axis, over the keys, and divide the scores by √d_k before: both are missing here." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: softmax over the batch, no scale advice="Let the maximum and the sum run along the last axis, over the keys, not over the sequences, and divide the scores by √d_k before." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes: weights = powers / powers.sum(axis=0, keepdims=True)

# %% wrong: one softmax for everything, no scale advice="Give the sum axis=-1 and keepdims=True, so that each query's weights sum to 1, and divide the scores by √d_k before the softmax." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max())
# becomes: weights = powers / powers.sum()

# %% wrong: bare scores advice="Divide the scores by √d_k and turn them into weights by softmax: these are the bare products of queries and keys." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2)
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores

# %% wrong: a sigmoid of each score advice="Here the weights of a query sum to 1: take a softmax along the keys, not a sigmoid of each score." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = 1 / (1 + np.exp(-scores))

# %% wrong: always causal advice="Here only the argument mask blocks keys: without it, every query sees all keys, also those that come later." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = np.where(np.tri(seq_q, seq_k) == 0, -np.inf, scores)

# %% wrong: always causal, no scale advice="Here only the argument mask blocks keys, and the scores are divided by √d_k: leave the triangle out, and add the scale." fails=["masked-attention-values-test", "masked-attention-mask-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(d_k)
# becomes: scores = np.where(np.tri(seq_q, seq_k) == 0, -np.inf, Q @ K.swapaxes(1, 2))

# %% wrong: a triangle in place of the mask advice="Here the argument mask says which keys are blocked: add it, and make no triangle of your own." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(np.tri(seq_q, seq_k) == 0, -np.inf, scores)

# %% wrong: an axis for heads in the mask advice="Here the scores have no axis for heads: add a mask with three axes as it is, without mask[:, None]." fails=["masked-attention-mask-test", "multi-head-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask[:, None] if mask.ndim == 3 else mask)
