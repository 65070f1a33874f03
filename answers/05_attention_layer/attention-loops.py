# %% right: feature loop, own softmax
def attention_loops(Q, K, V, mask=None):
    outputs, tables = [], []
    for b in range(len(Q)):
        out, table = [], []
        for i in range(len(Q[b])):
            scores = []
            for j in range(len(K[b])):
                s = 0.0
                for f in range(Q.shape[2]):
                    s += Q[b, i, f] * K[b, j, f]
                s = s / Q.shape[2] ** 0.5
                if mask is not None:
                    s += mask[i, j] if mask.ndim == 2 else mask[b, i, j]
                scores.append(s)
            top = max(scores)
            shares = [math.exp(s - top) for s in scores]
            row = [share / sum(shares) for share in shares]
            table.append(row)
            out.append([sum(row[j] * V[b, j, c] for j in range(len(row))) for c in range(V.shape[2])])
        outputs.append(out)
        tables.append(table)
    return outputs, tables

# %% right: whole tables
def attention_loops(Q, K, V, mask=None):
    scores = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores)
    return weights @ V, weights

# %% right: torch
import torch


def attention_loops(Q, K, V, mask=None):
    q, k, v = (torch.tensor(np.array(a, dtype=float)) for a in (Q, K, V))
    scores = torch.einsum("bid,bjd->bij", q, k) * k.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + torch.tensor(np.array(mask, dtype=float))
    weights = scores.softmax(dim=-1)
    return torch.bmm(weights, v), weights

# %% right: skips blocked keys of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: allowed = masks[b, i, j] == 0
# becomes: scores[j] = Q[b, i] @ K[b, j] * d_k**-0.5 if allowed else -np.inf

# %% wrong: no scale advice="the scores are not divided by √d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) + masks[b, i, j]

# %% wrong: divides by d_k advice="the scores are divided by d_k, or by its root twice: divide by √d_k, once" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / d_k + masks[b, i, j]

# %% wrong: root of n_k advice="the scores are divided by √n_k: the length of a query and a key is d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(n_k) + masks[b, i, j]

# %% wrong: last value overwrites advice="the output has the last value only: add each weighted value to it, with += inside the loop over keys" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] = weights[b, i, j] * V[b, j]

# %% wrong: value of the query's place advice="the value at the query's place is taken: the weight of key j belongs to V[b, j]" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += weights[b, i, j] * V[b, i]

# %% wrong: a tuple the wrong way round advice="the two results are in the wrong order: the output comes first, then the weights" of="reference"
# was:     return output, weights
# becomes: return weights, output

# %% wrong: mask ignored advice="the mask is ignored: add its entries to the scaled scores" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)

# %% wrong: only a mask without batch advice="every sequence uses the mask of the first one: with three axes, take mask[b, i, j]" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[0, i, j]

# %% wrong: no maximum subtracted advice="np.exp overflows, or all of a row becomes 0: subtract each query's own largest score first" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores) / np.exp(scores).sum()

# %% wrong: mean of the values advice="the output is a plain mean of the values: multiply each by its weight" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += V[b, j] / n_k

# %% wrong: mask the other way round advice="the mask is inverted: 0 keeps a key, −∞ blocks it" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + (-np.inf if mask is not None and masks[b, i, j] == 0 else 0)

# %% wrong: multiplies by the root advice="the scores are multiplied by √d_k: divide" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) * math.sqrt(d_k) + masks[b, i, j]

# %% wrong: root of d_v advice="the scores are divided by √d_v: the length of a query and a key is d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_v) + masks[b, i, j]

# %% wrong: no softmax, only exp advice="the rows of the weights don't sum to 1: divide the exponentials by their sum, as softmax does" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores)

# %% wrong: softmax over the queries advice="softmax runs over the queries: each query's row, over the keys, should sum to 1"
def attention_loops(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(1, 2) / math.sqrt(Q.shape[-1]) + (0 if mask is None else mask)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return weights @ V, weights

# %% wrong: mask after softmax advice="the mask comes after softmax, so the rows don't sum to 1: add it to the scores" of="reference"
# was:         scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# was:     weights[b, i] = softmax(scores)
# becomes:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)
# becomes: weights[b, i] = softmax(scores) * np.exp(masks[b, i])

# %% wrong: output alone advice="only the output is returned: return the pair (output, weights)" of="reference"
# was:     return output, weights
# becomes: return output

# %% right: einsum with a mask of ones and zeros
def attention_loops(Q, K, V, mask=None):
    scores = np.einsum("bif,bjf->bij", Q, K) / np.sqrt(np.shape(Q)[-1])
    keep = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(np.isfinite(mask), scores.shape)
    scores = np.where(keep, scores, -np.inf)
    shares = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return [np.einsum("bij,bjv->biv", weights, V), weights]

# %% wrong: root of n_q advice="the scores are divided by √n_q: the length of a query and a key is d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(n_q) + masks[b, i, j]

# %% wrong: root of the batch advice="the scores are divided by √batch: take d_k from the last axis, Q.shape[-1]" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(batch) + masks[b, i, j]

# %% wrong: d_k to the power of 1, then halves advice="`/ d_k ** 1/2` divides by d_k and then by 2: write `d_k ** 0.5` or math.sqrt(d_k)" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / d_k ** 1/2 + masks[b, i, j]

# %% wrong: half of d_k advice="the scores are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / (d_k ** 1/2) + masks[b, i, j]

# %% wrong: scale after softmax advice="the scale comes after softmax, so the rows don't sum to 1: divide the scores" of="reference"
# was:         scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# was:     weights[b, i] = softmax(scores)
# becomes:     scores[j] = np.dot(Q[b, i], K[b, j]) + masks[b, i, j]
# becomes: weights[b, i] = softmax(scores) / math.sqrt(d_k)

# %% wrong: scores without softmax advice="the weights are the scores themselves: take softmax of each row" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = scores

# %% wrong: shares of the scores advice="the scores are divided by their sum without np.exp: take softmax of each row" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = scores / scores.sum()

# %% wrong: softmax over the whole table advice="softmax runs over all queries and keys of a sequence: each query's row should sum to 1" of="whole tables"
# was:     weights = softmax(scores)
# becomes: weights = softmax(scores.reshape(len(scores), -1)).reshape(scores.shape)

# %% wrong: softmax over everything advice="softmax runs over everything at once: each query's row should sum to 1" of="whole tables"
# was:     weights = softmax(scores)
# becomes: weights = softmax(scores.ravel()).reshape(scores.shape)

# %% wrong: softmax over the batch advice="softmax runs over the sequences: each query's row, over the keys, should sum to 1" of="whole tables"
# was:     weights = softmax(scores)
# becomes: weights = np.exp(scores) / np.exp(scores).sum(axis=0)

# %% wrong: softmax twice advice="softmax is taken twice: take it once" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = softmax(softmax(scores))

# %% wrong: maximum of the whole table advice="np.exp of a whole row is 0, and 0 / 0 is NaN: subtract the largest score of each query's own row, not that of the table, nor an absolute value" of="whole tables"
# was:     weights = softmax(scores)
# becomes: shares = np.exp(scores - scores.max())
# becomes: weights = shares / shares.sum(axis=-1, keepdims=True)

# %% wrong: maximum of each key advice="the maximum is taken over the queries, for each key: take that of each query's own row" of="whole tables"
# was:     weights = softmax(scores)
# becomes: shares = np.exp(scores - scores.max(axis=-2, keepdims=True))
# becomes: weights = shares / shares.sum(axis=-1, keepdims=True)

# %% wrong: maximum before the mask advice="np.exp of a whole row is 0, and 0 / 0 is NaN: the largest score must be one that is not blocked, so add the mask before you take it" of="whole tables"
# was:     if mask is not None:
# was:         scores = scores + mask
# was:     weights = softmax(scores)
# becomes: scores = scores - scores.max(axis=-1, keepdims=True)
# becomes: if mask is not None:
# becomes:     scores = scores + mask
# becomes: weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)

# %% wrong: minimum subtracted advice="np.exp overflows: subtract the largest score, not the smallest" of="whole tables"
# was:     weights = softmax(scores)
# becomes: finite = np.where(np.isfinite(scores), scores, np.inf)
# becomes: shares = np.exp(scores - finite.min(axis=-1, keepdims=True))
# becomes: weights = shares / shares.sum(axis=-1, keepdims=True)

# %% wrong: scores of all sequences' first keys advice="the keys of the first sequence are used for all: take K[b, j]" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[0, j]) / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: first sequence's values advice="the values of the first sequence are used for all: take V[b, j]" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += weights[b, i, j] * V[0, j]

# %% wrong: keys as values says="output[b, i] +=" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += weights[b, i, j] * K[b, j]

# %% wrong: exponentials not divided in the output advice="the values are multiplied by the scores: use the weights, after softmax" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += scores[j] * V[b, j]

# %% wrong: mean over the keys advice="the output is divided by the number of keys: the weights sum to 1 already" of="reference"
# was:     return output, weights
# becomes: return output / n_k, weights

# %% wrong: only as many keys as queries advice="the last key is left out: loop j over all n_k keys" of="reference"
# was:         scores = np.zeros(n_k)
# was:         for j in range(n_k):
# was:             scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes:     scores = np.zeros(n_k)
# becomes:     for j in range(n_q):
# becomes:         scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: values of as many keys as queries advice="the value of the last key is left out: loop j over all n_k keys" of="reference"
# was:         weights[b, i] = softmax(scores)
# was:         for j in range(n_k):
# becomes:     weights[b, i] = softmax(scores)
# becomes:     for j in range(n_q):

# %% wrong: only the first sequence advice="only the first sequence is computed: loop over all of the batch" of="reference"
# was:     for b in range(batch):
# becomes: for b in range(1):

# %% wrong: keys after the query blocked advice="keys after the query are left out: without a mask each query sees all keys" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j] if j <= i else -np.inf

# %% wrong: product without the sum says="scores[j] =" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = Q[b, i] * K[b, j] / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: mask in place of scores advice="the mask replaces the scores: add it to them" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) if mask is None else masks[b, i, j]

# %% wrong: mask subtracted advice="NaN in the rows with a blocked key: add the mask to the scaled scores (not minus, not times), and subtract from a row only its largest score" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) - masks[b, i, j]

# %% wrong: mask multiplied advice="NaN in the rows with a blocked key: add the mask to the scaled scores (not minus, not times), and subtract from a row only its largest score" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) * (1 if mask is None else masks[b, i, j])

# %% wrong: first row of the mask for all advice="every query uses the mask of the first one: use row i" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, 0, j]

# %% wrong: only masks with two axes says="query i comes before key j" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + (0 if mask is None else mask[i, j])

# %% wrong: only masks with three axes says="query i comes before key j" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + (0 if mask is None else mask[b, i, j])

# %% wrong: mask asked for its truth says="if mask" of="reference"
# was:     masks = np.broadcast_to(0.0 if mask is None else mask, (batch, n_q, n_k))
# becomes: masks = np.broadcast_to(mask if mask else 0.0, (batch, n_q, n_k))

# %% wrong: mask left out if it is for all advice="a mask for all sequences is ignored: add one of shape (n_q, n_k) as well" of="reference"
# was:     masks = np.broadcast_to(0.0 if mask is None else mask, (batch, n_q, n_k))
# becomes: masks = np.broadcast_to(mask if np.ndim(mask) == 3 else 0.0, (batch, n_q, n_k))

# %% wrong: weights alone advice="only the weights are returned: return the pair (output, weights)" of="reference"
# was:     return output, weights
# becomes: return weights

# %% wrong: scores returned advice="the second result is the scores: return the weights, after softmax" of="whole tables"
# was:     return weights @ V, weights
# becomes: return weights @ V, scores

# %% wrong: changes its queries says="changes Q" of="whole tables"
# was:     scores = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(Q.shape[-1])
# becomes: Q /= math.sqrt(Q.shape[-1])
# becomes: scores = np.matmul(Q, K.transpose(0, 2, 1))

# %% wrong: keys reshaped, not transposed advice="the keys are reshaped: a reshape mixes the numbers, so transpose the last two axes" of="whole tables"
# was:     scores = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(Q.shape[-1])
# becomes: scores = np.matmul(Q, K.reshape(K.shape[0], K.shape[2], K.shape[1])) / math.sqrt(Q.shape[-1])

# %% wrong: all axes transposed says="K.T" of="whole tables"
# was:     scores = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(Q.shape[-1])
# becomes: scores = np.matmul(Q, K.T) / math.sqrt(Q.shape[-1])

# %% wrong: scores of exactly 0 blocked advice="a score of exactly 0 is treated as a blocked one: block where the mask is −∞, and nowhere else" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = softmax(np.where(scores == 0, -np.inf, scores))

# %% wrong: maximum without signs advice="np.exp of a whole row is 0, and 0 / 0 is NaN: subtract the largest score of each query's own row, not that of the table, nor an absolute value" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: shares = np.exp(scores - np.abs(scores[np.isfinite(scores)]).max())
# becomes: weights[b, i] = shares / shares.sum()

# %% wrong: mean subtracted advice="NaN in the rows with a blocked key: add the mask to the scaled scores (not minus, not times), and subtract from a row only its largest score" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: shares = np.exp(scores - scores.mean())
# becomes: weights[b, i] = shares / shares.sum()

# %% wrong: divided by the maximum advice="the scores are divided by their largest: subtract it" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: shares = np.exp(scores / np.abs(scores[np.isfinite(scores)]).max())
# becomes: weights[b, i] = shares / shares.sum()

# %% wrong: lengths divided out advice="the scores are divided by the length of the query's vector: divide by √d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / np.linalg.norm(Q[b, i]) + masks[b, i, j]

# %% wrong: sum over features overwritten advice="the score has the last feature only: add up all d_k products" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: for f in range(d_k):
# becomes:     scores[j] = Q[b, i, f] * K[b, j, f] / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: softmax of the weights once more at the end advice="softmax is taken twice for the returned weights: take it once" of="reference"
# was:     return output, weights
# becomes: return output, softmax(weights)

# %% wrong: a value's sum advice="the value's numbers are added up or averaged: multiply the whole vector V[b, j] by its weight" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += weights[b, i, j] * V[b, j].sum()

# %% wrong: a value's mean advice="the value's numbers are added up or averaged: multiply the whole vector V[b, j] by its weight" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += weights[b, i, j] * V[b, j].mean()

# %% wrong: key of the query's place advice="each query is compared only with the key at its own place: take K[b, j]" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, i]) / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: indices of query and key swapped says="is out of bounds" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, j], K[b, i]) / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: mask's indices swapped says="is out of bounds" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, j, i]

# %% wrong: first query left out advice="the first query's row is still 0: start i at 0" of="reference"
# was:     for i in range(n_q):
# becomes: for i in range(1, n_q):

# %% wrong: last query left out advice="the last query's row is still 0: loop i over all n_q queries" of="reference"
# was:     for i in range(n_q):
# becomes: for i in range(n_q - 1):

# %% wrong: first key left out advice="the first key is left out: start j at 0" of="reference"
# was:         scores = np.zeros(n_k)
# was:         for j in range(n_k):
# becomes:     scores = np.zeros(n_k)
# becomes:     for j in range(1, n_k):

# %% wrong: weights rounded advice="the weights are rounded: keep all of their digits" of="reference"
# was:     return output, weights
# becomes: return output, weights.round(2)

# %% wrong: blocked scores of 0 advice="blocked scores become 0, which is a score like any other: make them −∞, by adding the mask" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) if masks[b, i, j] == 0 else 0

# %% wrong: mask with keys before queries says="query i comes before key j" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)
# becomes: scores[j] += 0 if mask is None else mask[j, i] if mask.ndim == 2 else mask[b, j, i]

# %% wrong: mask added after softmax advice="the mask is added after softmax: add it to the scaled scores" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)

# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = softmax(scores) + masks[b, i]

# %% wrong: output of the dtype of V says="make arrays with np.zeros(shape)" of="reference"
# was:     output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: output, weights = np.zeros((batch, n_q, d_v), dtype=V.dtype), np.zeros((batch, n_q, n_k))

# %% wrong: weights of the dtype of Q advice="arrays of integers cut off the decimal places of what is put into them: make arrays with np.zeros(shape), without a dtype and not like Q, K or V" of="reference"
# was:     output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k), dtype=Q.dtype)

# %% wrong: both of the dtype of Q advice="arrays of integers cut off the decimal places of what is put into them: make arrays with np.zeros(shape), without a dtype and not like Q, K or V" of="reference"
# was:     output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: output, weights = np.zeros((batch, n_q, d_v), dtype=Q.dtype), np.zeros((batch, n_q, n_k), dtype=Q.dtype)

# %% wrong: scores of the dtype of Q advice="arrays of integers cut off the decimal places of what is put into them: make arrays with np.zeros(shape), without a dtype and not like Q, K or V" of="reference"
# was:     scores = np.zeros(n_k)
# becomes: scores = np.zeros(n_k, dtype=Q.dtype)

# %% wrong: weights in an array of integers advice="arrays of integers cut off the decimal places of what is put into them: make arrays with np.zeros(shape), without a dtype and not like Q, K or V" of="reference"
# was:     output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k), dtype=int)

# %% wrong: scores not reset advice="the scores of each query are added to those of the queries before it: make scores new for each query, or assign them with =" of="reference"
# was:     scores = np.zeros(n_k)
# becomes: pass

# was:     output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
# becomes: scores = np.zeros(n_k)

# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] += np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]

# %% wrong: all that is not True blocked advice="the mask holds 0 and −∞, not True and False: add it to the scaled scores, or block where it is −∞" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + (-np.inf if mask is not None and masks[b, i, j] != True else 0)

# %% wrong: maximum above the fraction line only advice="subtract the maximum on both sides of the fraction: divide the exponentials by the sum of these same exponentials" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores - scores.max()) / np.exp(scores).sum()

# %% wrong: maximum below the fraction line only advice="subtract the maximum on both sides of the fraction: divide the exponentials by the sum of these same exponentials" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores) / np.exp(scores - scores.max()).sum()

# %% wrong: a row of the flat mask for each sequence advice="A mask for all sequences is indexed by the sequence here: it has mask[i, j], query and key, as np.broadcast_to would make it." of="reference"
# was:     masks = np.broadcast_to(0.0 if mask is None else mask, (batch, n_q, n_k))
# becomes: masks = np.zeros((batch, n_q, n_k))
# becomes: for b in range(batch if mask is not None else 0):
# becomes:     masks[b] = mask[b]

# %% wrong: a flat mask is recognised by its length: IndexError if batch equals n_q says="too many indices" unseen="no visible test has such an input" visible=false fails=["attention-loops-test"]
def attention_loops(Q, K, V, mask=None):
    batch, n_q, d_k = Q.shape
    n_k, d_v = V.shape[1:]
    output, weights = np.zeros((batch, n_q, d_v)), np.zeros((batch, n_q, n_k))
    for b in range(batch):
        for i in range(n_q):
            scores = np.zeros(n_k)
            for j in range(n_k):
                scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)
                if mask is not None:
                    scores[j] += (mask[b] if len(mask) == batch else mask)[i, j]
            weights[b, i] = softmax(scores)
            for j in range(n_k):
                output[b, i] += weights[b, i, j] * V[b, j]
    return output, weights
