# %% right: loops over sequences, heads and slots
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    batch, slots, d = memory.shape
    depth = d // num_heads
    attended = np.zeros(memory.shape)
    weights = np.zeros((batch, num_heads, slots, slots + 1))
    for b in range(batch):
        rows = np.concatenate([memory[b], token[b:b + 1]])
        for h in range(num_heads):
            own = slice(h * depth, (h + 1) * depth)
            keys, values = rows @ W_k[:, own], rows @ W_v[:, own]
            for i in range(slots):
                scores = keys @ (memory[b, i] @ W_q[:, own]) / math.sqrt(depth)
                if mask is not None:
                    scores = scores + mask[i]
                weights[b, h, i] = softmax(scores)
                attended[b, i, own] = weights[b, h, i] @ values
    return attended, weights

# %% right: written out
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    rows = np.concatenate([memory, token[:, None]], axis=1)
    q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)
    k = np.stack(np.split(rows @ W_k, num_heads, axis=-1), axis=1)
    v = np.stack(np.split(rows @ W_v, num_heads, axis=-1), axis=1)
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores)
    heads = weights @ v
    return np.concatenate([heads[:, h] for h in range(num_heads)], axis=-1), weights

# %% right: einsum, axes named by letters, a list
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    depth = memory.shape[-1] // num_heads
    rows = np.append(memory, np.expand_dims(token, 1), axis=1)
    q, k, v = (np.einsum("bsd,dhe->bhse", x, W.reshape(len(W), num_heads, depth))
               for x, W in ((memory, W_q), (rows, W_k), (rows, W_v)))
    scores = np.einsum("bhie,bhje->bhij", q, k) * depth**-0.5
    weights = softmax(scores if mask is None else scores + mask)
    return [np.einsum("bhij,bhje->bihe", weights, v).reshape(memory.shape), weights]

# %% right: a mask with three axes, sequence by sequence
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    results = []
    for M, x in zip(memory, token):
        rows = np.vstack([M, x])[None]
        shut = np.zeros((1, len(M), len(M) + 1)) if mask is None else mask[None]
        results.append(multi_head_attention(M[None], rows, rows, num_heads, W_q, W_k, W_v, np.identity(len(W_v)), shut))
    attended, weights = zip(*results)
    return np.concatenate(attended), np.concatenate(weights)

# %% right: the value matrix as the output matrix of unprojected values
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    rows = np.concatenate((memory, token.reshape(len(token), 1, -1)), 1)
    _, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, W_v, mask)
    parts = [share @ part for share, part in zip(np.moveaxis(weights, 1, 0), np.split(rows @ W_v, num_heads, axis=-1))]
    return np.concatenate(parts, axis=-1), weights

# %% right: torch, slots and token apart
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    heads = [torch.tensor(part @ W).unflatten(-1, (num_heads, -1)) for part in (memory, token) for W in (W_q, W_k, W_v)]
    q, k, v, _, token_k, token_v = heads
    with_slots = torch.einsum("bihe,bjhe->bhij", q, k)
    with_token = torch.einsum("bihe,bhe->bhi", q, token_k)
    scores = torch.cat([with_slots, with_token[..., None]], -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.tensor(mask)
    weights = scores.log_softmax(-1).exp()
    recalled = torch.einsum("bhij,bjhe->bihe", weights[..., :-1], v)
    return (recalled + torch.einsum("bhi,bhe->bihe", weights[..., -1], token_v)).flatten(2), weights

# %% wrong: no scale advice="The scores are not divided by √depth: call multi_head_attention, or divide them." of="written out"
# was:     scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.swapaxes(-2, -1)

# %% wrong: divides by √d advice="The scores are divided by √d: divide them by √depth, the width of one head." of="written out"
# was:     scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.swapaxes(-2, -1) / math.sqrt(memory.shape[-1])

# %% wrong: softmax over the query slots advice="The softmax runs over the query slots: it runs along the last axis, so that each row of weights sums to 1." of="written out"
# was:     weights = softmax(scores)
# becomes: weights = softmax(scores.swapaxes(-2, -1)).swapaxes(-2, -1)

# %% wrong: token first advice="The token comes first: join it after the memory, as the last row." of="written out"
# was:         rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes:     rows = np.concatenate([token[:, None], memory], axis=1)

# %% wrong: token of the first sequence for all advice="Every sequence got the token of sequence 0: join token[:, None], which has one row for each sequence." of="written out"
# was:         rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes:     rows = np.concatenate([memory, 0 * token[:, None] + token[:1, None]], axis=1)

# %% wrong: heads merged by a bare reshape advice="The weights are right, but the heads are merged by a bare reshape: put them side by side along the last axis." of="written out"
# was:     return np.concatenate([heads[:, h] for h in range(num_heads)], axis=-1), weights
# becomes: return heads.reshape(memory.shape), weights

# %% wrong: the mask is not passed on advice="The mask is not passed on: give it to multi_head_attention as the last argument." of="written out"
# was:             scores = scores + mask
# becomes:         pass

# %% wrong: values with W_k advice="The values are made with W_k: the third matrix is W_v." of="written out"
# was:         v = np.stack(np.split(rows @ W_v, num_heads, axis=-1), axis=1)
# becomes:     v = np.stack(np.split(rows @ W_k, num_heads, axis=-1), axis=1)

# %% wrong: divides by depth advice="The scores are divided by depth: divide them by its root." of="written out"
# was:     scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.swapaxes(-2, -1) / q.shape[-1]

# %% wrong: token left out advice="The token is missing in keys and values: join it to the memory as one more row, and pass the joined rows as K and V."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = memory
# becomes: mask = None if mask is None else mask[:, :-1]

# %% wrong: the token is a query, too advice="There is a row of weights too many, because the token is a query as well: pass the memory alone as Q."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(rows, rows, rows, num_heads, W_q, W_k, W_v, identity, None)

# %% wrong: the token's row cut off after self-attention without the mask advice="The mask is not passed on: give it to multi_head_attention as the last argument."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(rows, rows, rows, num_heads, W_q, W_k, W_v, identity)
# becomes: return attended[:, :-1], weights[:, :, :-1]

# %% wrong: the token in place of slot 0 as a query advice="The queries are one row off: pass the memory as Q, slot 0 first, and not the last rows with the token."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(rows[:, 1:], rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: token added to each slot advice="The token was added to the slots: join it as a row of its own with np.concatenate along axis 1."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = memory + token[:, None]
# becomes: mask = None if mask is None else mask[:, :-1]

# %% wrong: token added to each slot, and joined advice="The token was added to the slots as well: join it as a row of its own, and leave the memory as it is."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory + token[:, None], token[:, None]], axis=1)

# %% wrong: the mean of the tokens for all advice="Every sequence got the mean of all tokens: join token[:, None], which has one row for each sequence."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, np.broadcast_to(token.mean(axis=0), (len(memory), 1, token.shape[-1]))], axis=1)

# %% wrong: a row of zeros for the token advice="The last row of keys and values is 0: it should be the token."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, 0 * token[:, None]], axis=1)

# %% wrong: the tokens' batch order reversed advice="The sequences have each other's tokens: token[:, None] keeps the order of the batch."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token[::-1, None]], axis=1)

# %% wrong: token in place of the last slot advice="The token has replaced the last slot: join it as one more row, so that there are slots + 1."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory[:, :-1], token[:, None]], axis=1)
# becomes: mask = None if mask is None else mask[:, 1:]

# %% wrong: token twice advice="The keys and values have a row too many: join the token once."
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token[:, None], token[:, None]], axis=1)
# becomes: mask = None if mask is None else np.concatenate([mask, mask[:, -1:]], axis=1)

# %% wrong: keys from the memory, a zero for the token advice="The token's key is 0: pass the joined rows as K as well as V."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: keys = np.concatenate([memory, 0 * token[:, None]], axis=1)
# becomes: return multi_head_attention(memory, keys, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: values from the memory, a zero for the token advice="The token's value is 0: pass the joined rows as V as well as K."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: values = np.concatenate([memory, 0 * token[:, None]], axis=1)
# becomes: return multi_head_attention(memory, rows, values, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: W_q for the output matrix advice="The heads are multiplied by W_q again: pass the identity as W_o, np.eye(d)."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, W_q, mask)

# %% wrong: W_v for the output matrix advice="The heads are multiplied by W_v again: pass the identity as W_o, np.eye(d)."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, W_v, mask)

# %% wrong: values unprojected, W_v for the output matrix advice="W_v is used as the output matrix, after the heads: make the values with W_v, and pass the identity as W_o, the last matrix."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, identity, W_v, mask)

# %% wrong: the identity for the values advice="The values are the rows themselves: pass W_v as the third matrix, and the identity as the last."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, identity, identity, mask)

# %% wrong: W_k for the output matrix advice="The heads are multiplied by W_k again: pass the identity as W_o, np.eye(d)."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, W_k, mask)

# %% wrong: ones for the output matrix advice="Each row of attended repeats one number: W_o is a matrix of ones, and should be the identity, np.eye(d)."
# was:     identity = np.eye(memory.shape[-1])
# becomes: identity = np.ones(W_v.shape)

# %% wrong: zeros for the output matrix advice="attended is 0, because W_o is a matrix of zeros: pass the identity, np.eye(d)."
# was:     identity = np.eye(memory.shape[-1])
# becomes: identity = np.zeros(W_v.shape)

# %% wrong: identity of the wrong size says="matmul"
# was:     identity = np.eye(memory.shape[-1])
# becomes: identity = np.eye(memory.shape[1])

# %% wrong: W_q and W_k exchanged advice="W_q and W_k have changed places: pass W_q, W_k, W_v in this order."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_k, W_q, W_v, identity, mask)

# %% wrong: W_k and W_v exchanged advice="W_k and W_v have changed places: pass W_q, W_k, W_v in this order."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_v, W_k, identity, mask)

# %% wrong: W_q and W_v exchanged advice="W_q and W_v have changed places: pass W_q, W_k, W_v in this order."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_v, W_k, W_q, identity, mask)

# %% wrong: matrices transposed advice="The matrices are transposed: pass them as they are."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q.T, W_k.T, W_v.T, identity, mask)

# %% wrong: one head advice="The number of heads is always the same: pass num_heads."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, 1, W_q, W_k, W_v, identity, mask)

# %% wrong: always two heads advice="The number of heads is always the same: pass num_heads."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, 2, W_q, W_k, W_v, identity, mask)

# %% wrong: depth for num_heads advice="The number of heads is d / num_heads here: pass num_heads itself."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, memory.shape[-1] // num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: the memory is added advice="The memory is added to the result: that comes in 6.3, so return what multi_head_attention returns."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return memory + attended, weights

# %% wrong: weights first advice="The two results have changed places: return the pair (attended, weights)."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)[::-1]

# %% wrong: attended alone advice="The weights are missing: return the pair (attended, weights)."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)[0]

# %% wrong: the token's weight is not returned advice="The token's column is missing in the weights: return all slots + 1 columns."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return attended, weights[..., :-1]

# %% wrong: mean of the heads' weights advice="The weights have no axis for the heads: return them for each head, as multi_head_attention does."
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return attended, weights.mean(axis=1)

# %% wrong: no return says="does your function end with a return?"
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: the token without an axis for the slots says="dimension"
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token], axis=1)

# %% wrong: the axis at the wrong place says="must match exactly"
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token[None]], axis=1)

# %% wrong: joined along the batch says="must match exactly"
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token[:, None]], axis=0)

# %% wrong: joined along the features says="must match exactly"
# was:     rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes: rows = np.concatenate([memory, token[:, None]], axis=-1)

# %% wrong: no output matrix says="missing 1 required positional argument"
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v)

# %% wrong: None for the output matrix says="matmul"
# was:     identity = np.eye(memory.shape[-1])
# becomes: identity = None

# %% wrong: heads by a bare reshape advice="The heads are cut by a bare reshape: head h gets the features h·depth to (h+1)·depth − 1 of every row." of="written out"
# was:     q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)
# was:     k = np.stack(np.split(rows @ W_k, num_heads, axis=-1), axis=1)
# was:     v = np.stack(np.split(rows @ W_v, num_heads, axis=-1), axis=1)
# becomes: depth = memory.shape[-1] // num_heads
# becomes: q, k, v = ((x @ W).reshape(len(x), num_heads, -1, depth) for x, W in [(memory, W_q), (rows, W_k), (rows, W_v)])

# %% wrong: the mask multiplied advice="The mask is multiplied with the weights after the softmax: pass it to multi_head_attention, or add it to the scores." of="written out"
# was:         scores = scores + mask
# was:     weights = softmax(scores)
# becomes:     weights = softmax(scores) * np.exp(mask)
# becomes: else:
# becomes:     weights = softmax(scores)

# %% wrong: memory changed in place says="differs from its value before the call"
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: attended, weights = multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: memory += attended
# becomes: return attended, weights

# %% wrong: the tokens of all sequences advice="Every sequence got the tokens of all sequences: join token[:, None], one row for each sequence, and not token[None]." of="reference"
# was:         rows = np.concatenate([memory, token[:, None]], axis=1)
# becomes:     rows = np.concatenate([memory, np.repeat(token[None], len(memory), axis=0)], axis=1)

# %% wrong: W_v transposed for the output matrix advice="The heads are multiplied by W_v.T: pass the identity as W_o, np.eye(d)." of="reference"
# was:         identity = np.eye(memory.shape[-1])
# becomes:     identity = W_v.T

# %% wrong: one head, repeated advice="One head as wide as a slot was computed, and its weights repeated: cut queries, keys and values into num_heads parts first." of="written out"
# was:         q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)
# was:         k = np.stack(np.split(rows @ W_k, num_heads, axis=-1), axis=1)
# was:         v = np.stack(np.split(rows @ W_v, num_heads, axis=-1), axis=1)
# was:         scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
# becomes:     q, k, v = memory @ W_q, rows @ W_k, rows @ W_v
# becomes:     scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])

# was:         heads = weights @ v
# was:         return np.concatenate([heads[:, h] for h in range(num_heads)], axis=-1), weights
# becomes:     return weights @ v, np.stack([weights] * num_heads, axis=1)

# %% wrong: the token added after the attention advice="The token takes no part in the softmax: join it to the memory before, so that it is a key and a value." of="written out"
# was:         q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)
# becomes:     rows = memory
# becomes:     mask = None if mask is None else mask[:, :-1]
# becomes:     q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)

# was:         return np.concatenate([heads[:, h] for h in range(num_heads)], axis=-1), weights
# becomes:     joined = np.concatenate([heads[:, h] for h in range(num_heads)], axis=-1)
# becomes:     return joined + (token @ W_v)[:, None], np.concatenate([weights, 0 * weights[..., :1]], axis=-1)

# %% wrong: the mask subtracted advice="The mask is subtracted, and −∞ becomes ∞: pass the mask as it is." of="reference"
# was:         return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes:     mask = None if mask is None else -mask
# becomes:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: the mask inverted advice="The mask is inverted: 0 keeps and −∞ blocks, so pass the mask as it is." of="reference"
# was:         return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes:     mask = None if mask is None else np.where(mask == 0, -np.inf, 0)
# becomes:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: a mask of 1 and 0 advice="The mask was turned into 1 and 0, which blocks nothing: it holds 0 and −∞ already, so pass it as it is." of="reference"
# was:         return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes:     mask = None if mask is None else (mask == 0).astype(float)
# becomes:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: a mask of 0 and 1 advice="The mask was turned into 0 and 1, which blocks nothing: it holds 0 and −∞ already, so pass it as it is." of="reference"
# was:         return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes:     mask = None if mask is None else (mask < 0).astype(float)
# becomes:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: packed heads advice="Each head takes its queries, keys and values from neighbouring columns of one packed product: cut each of the three products into heads by itself." of="written out"
# was:         q = np.stack(np.split(memory @ W_q, num_heads, axis=-1), axis=1)
# was:         k = np.stack(np.split(rows @ W_k, num_heads, axis=-1), axis=1)
# was:         v = np.stack(np.split(rows @ W_v, num_heads, axis=-1), axis=1)
# becomes:     packed = rows @ np.concatenate([W_q, W_k, W_v], axis=1)
# becomes:     q, k, v = np.split(np.stack(np.split(packed, num_heads, axis=-1), axis=1), 3, axis=-1)
# becomes:     q = q[:, :, :-1]

# %% wrong: projected twice advice="The rows are projected twice: multi_head_attention multiplies by W_q, W_k and W_v itself, so pass memory and rows as they are." of="reference"
# was:     return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, identity, mask)
# becomes: return multi_head_attention(memory @ W_q, rows @ W_k, rows @ W_v, num_heads, W_q, W_k, W_v, identity, mask)

# %% wrong: the mask is ignored if there is one slot says="in the weights of another memory" unseen="no visible test has such an input" visible=false fails=["memory-attention-test"]
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    rows = np.concatenate([memory, token[:, None]], axis=1)
    if memory.shape[1] == 1:
        mask = None
    return multi_head_attention(memory, rows, rows, num_heads, W_q, W_k, W_v, np.eye(memory.shape[-1]), mask)

# %% wrong: a softmax without the maximum subtracted says="in the weights of another memory" unseen="no visible test has such an input" visible=false fails=["memory-attention-test"]
def memory_attention(memory, token, W_q, W_k, W_v, num_heads, mask=None):
    rows = np.concatenate([memory, token[:, None]], axis=1)
    q, k, v = (np.stack(np.split(one, num_heads, axis=-1), axis=1) for one in (memory @ W_q, rows @ W_k, rows @ W_v))
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    powers = np.exp(scores if mask is None else scores + mask)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return (weights @ v).swapaxes(1, 2).reshape(memory.shape), weights
