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

# %% wrong: nothing repaired advice="All scores are 0 here, and the weights of a query sum to 9, not to 1: divide each power by the sum of its row, don't multiply." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"]
def repaired_attention(Q, K, V, mask):
    return six_bugs(Q, K, V, mask)

# %% wrong: the wrong transpose advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.transpose(2, 1, 0)

# %% wrong: multiplies by the scale advice="Let the scale shrink the scores: divide by √d_k, don't multiply." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores * np.sqrt(d_k)

# %% wrong: subtracts the mask advice="Add the mask to the scores: its 0 leaves a score as it is, and its −∞ makes it −∞." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores - mask

# %% wrong: multiplies with the mask advice="Add the mask to the scores: its 0 leaves a score as it is, and its −∞ makes it −∞." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores * mask

# %% wrong: the maximum over the queries advice="Let both the maximum and the sum run over the keys, the last axis: here one of them, or both, run over the queries." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))

# %% wrong: the maximum over the batch advice="Let the maximum run over the keys, the last axis: here it is taken over the sequences." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))

# %% wrong: multiplies by the sum advice="All scores are 0 here, and the weights of a query sum to 9, not to 1: divide each power by the sum of its row, don't multiply." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers * powers.sum(axis=-1, keepdims=True)

# %% wrong: no sum advice="Divide each power by the sum of its row: each weight is 1 here, and three keys should share it." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers

# %% wrong: divided by everything advice="Divide each row by its own sum: here the weights of all sequences and queries together sum to 1." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum()

# %% wrong: divided by each table advice="Divide each row by its own sum, over the last axis alone: here the weights of a whole sequence sum to 1." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=(1, 2), keepdims=True)

# %% wrong: the sum without keepdims advice="Keep the lost axis of the sums, or they line up with the keys: each row is divided by its own sum." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1)

# %% wrong: the sum's axis put in front advice="Give the sums their axis of length 1 at the end, after the queries: here each row is divided by the sum of another row." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1)[:, None]

# %% wrong: no scale left advice="The scores are not scaled: divide them by √d_k." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes:

# %% wrong: divides by d_k advice="Divide by √d_k, once: here the scores are divided by d_k itself, or by its root twice." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores / d_k

# %% wrong: divides by d_k ** 1 / 2 advice="Put brackets around the exponent: d_k ** 1 / 2 is half of d_k, and not its root." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores / (d_k ** 1 / 2)

# %% wrong: divides by d_k ** 1 / 2 without brackets advice="Put brackets around the root: / d_k ** 1 / 2 divides by d_k and then by 2." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores / d_k ** 1 / 2

# %% wrong: the root of the number of keys advice="Take the root of how many numbers a query has, d_k: here it is of the number of keys." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     d_k = Q.shape[-1]
# becomes: d_k = K.shape[1]

# %% wrong: the root of the number of queries advice="Take the root of how many numbers a query has, d_k: here it is always √3, or the root of the number of queries." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     d_k = Q.shape[-1]
# becomes: d_k = Q.shape[1]

# %% wrong: the root of the number of sequences advice="Take the root of how many numbers a query has, d_k: here it is of the number of sequences." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     d_k = Q.shape[-1]
# becomes: d_k = Q.shape[0]

# %% wrong: always √3 advice="Take the root of how many numbers a query has, d_k: here it is always √3, or the root of the number of queries." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores / np.sqrt(d_k)
# becomes: scores = scores / np.sqrt([3])

# %% wrong: no mask left advice="Give blocked keys the score −∞ before the softmax, by adding the mask: here they still get some weight." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# %% wrong: the mask after the softmax advice="Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.where(mask == 0, powers / powers.sum(axis=-1, keepdims=True), 0)

# %% wrong: the mask inverted advice="Add the mask to the scores: its 0 leaves a score as it is, and its −∞ makes it −∞." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, -1e9, scores)

# %% wrong: blocked scores set to 0 advice="Give blocked keys the score −∞ before the softmax, by adding the mask: here they still get some weight." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask == 0, scores, 0)

# %% wrong: mask of the first sequence for all advice="Use each sequence's own mask: here all have that of the first one." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = scores + (mask[0] if mask.ndim == 3 else mask)

# %% wrong: the maximum before the mask advice="Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0." fails=["repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=2, keepdims=True) + mask)

# %% wrong: the keys turned by T advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.T

# %% wrong: the keys not turned advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K

# %% wrong: the keys turned to (1, 0, 2) advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.transpose(1, 0, 2)

# %% wrong: the keys turned to (1, 2, 0) advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.transpose(1, 2, 0)

# %% wrong: the keys turned to (2, 0, 1) advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = Q @ K.transpose(2, 0, 1)

# %% wrong: queries and keys swapped advice="Each query meets the keys of its own sequence: Q is on the left, and only the last two axes of K are swapped." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# becomes: scores = K @ Q.transpose(0, 2, 1)

# %% wrong: the sum over the queries advice="Let both the maximum and the sum run over the keys, the last axis: here one of them, or both, run over the queries." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: the softmax over the queries advice="Let both the maximum and the sum run over the keys, the last axis: here one of them, or both, run over the queries." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: no maximum left advice="Subtract each row's own largest score before exp: exp of a large number is more than a float can hold." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all advice="Subtract each row's own largest score: with one maximum for all rows, some have only powers that are rounded to 0." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())

# %% wrong: the maximum without keepdims advice="Keep the lost axis of the maximum, or it lines up with the keys: one number is subtracted from all scores of a query." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=2))

# %% wrong: the output from the powers advice="The weights are right; multiply these with V for the output." fails=["repaired-attention-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return powers @ V, weights

# %% wrong: weights first advice="Return two things, the output first: (output, weights)." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights, weights @ V

# %% wrong: the output alone advice="Return two things, the output first: (output, weights)." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     return weights @ V, weights
# becomes: return weights @ V

# %% wrong: queries changed says="changes Q" fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = Q @ K.transpose(0, 2, 1)
# was:     scores = scores / np.sqrt(d_k)
# becomes: Q /= np.sqrt(d_k)
# becomes: scores = Q @ K.transpose(0, 2, 1)

# %% wrong: one maximum for each sequence advice="Subtract each row's own largest score, along the last axis alone: with one maximum for a sequence, some rows have only powers that are rounded to 0." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     powers = np.exp(scores - scores.max(axis=2, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))

# %% wrong: all that is not True blocked advice="The mask holds 0 and −∞, not True and False: add it to the scores, or block where it is −∞." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     scores = scores + mask
# becomes: scores = np.where(mask != True, -np.inf, scores)

# %% wrong: maximum above the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / np.exp(scores).sum(axis=-1, keepdims=True)

# %% wrong: maximum below the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="base"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.exp(scores) / powers.sum(axis=-1, keepdims=True)

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed." fails=["repaired-attention-weights-test", "repaired-attention-mask-test"] of="reference"
# was:     return weights @ V, weights
# becomes: return weights @ V, np.squeeze(weights)

# %% wrong: -1e6 in place of -inf: a blocked key wins if the kept scores are lower says="in the weights of other arrays" unseen="no visible test has such an input" visible=false fails=["repaired-attention-mask-test"]
def repaired_attention(Q, K, V, mask):
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    scores = np.where(np.isneginf(mask), -1e6, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights

# %% wrong: -inf replaced by -1e12: a blocked key gets weight if the kept scores are lower says="in the weights of other arrays" unseen="no visible test has such an input" visible=false fails=["repaired-attention-mask-test"]
def repaired_attention(Q, K, V, mask):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(0, 2, 1)
    scores = scores / np.sqrt(d_k)
    scores = np.where(np.broadcast_to(np.isneginf(mask), scores.shape), -1e12, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights
