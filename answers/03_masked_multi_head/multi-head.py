# %% right: everything at once
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    batch, seq_q, d_model = Q.shape
    seq_k = K.shape[1]
    if d_model % num_heads:
        raise ValueError("the heads don't divide d_model")
    if mask is not None and np.isinf(mask).all(axis=-1).any():
        raise ValueError("no key left")
    depth = d_model // num_heads
    q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
    k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
    v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
    scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
    if mask is not None:
        scores = scores + (mask if mask.ndim == 2 else mask[:, None])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
    return together @ W_o, weights

# %% right: heads folded into the batch
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    batch = len(Q)
    folded = []
    for x, W in [(Q, W_q), (K, W_k), (V, W_v)]:
        heads = split_heads(x @ W, num_heads)
        folded.append(heads.reshape(batch * num_heads, *heads.shape[2:]))
    if mask is not None and mask.ndim == 3:
        mask = np.repeat(mask, num_heads, axis=0)
    output, weights = scaled_dot_product_attention(*folded, mask)
    output = output.reshape(batch, num_heads, *output.shape[1:])
    return combine_heads(output) @ W_o, weights.reshape(batch, num_heads, *weights.shape[1:])

# %% right: einsum on weights cut into heads of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = np.einsum("btm,mhd->bhtd", Q, W_q.reshape(d_model, num_heads, depth))

# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# was:     return together @ W_o, weights
# becomes: rows = W_o.reshape(num_heads, depth, d_model)
# becomes: return np.einsum("bhqk,bhkd,hdm->bqm", weights, v, rows), weights

# %% right: heads added up, sequence by sequence
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    d_model = W_o.shape[0]
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} numbers, {num_heads} heads")
    depth, outputs, tables = d_model // num_heads, [], []
    for b in range(len(Q)):
        own = 0 if mask is None else mask[b] if mask.ndim == 3 else mask
        output, heads = 0, []
        for h in range(num_heads):
            part = slice(h * depth, (h + 1) * depth)
            scores = (Q[b] @ W_q[:, part]) @ (K[b] @ W_k[:, part]).T / depth**0.5 + own
            top = scores.max(axis=1, keepdims=True)
            if np.isneginf(top).any():
                raise ValueError("no key left")
            shares = np.exp(scores - top)
            shares = shares / shares.sum(axis=1, keepdims=True)
            heads.append(shares)
            output = output + shares @ (V[b] @ W_v[:, part]) @ W_o[part]
        outputs.append(output)
        tables.append(heads)
    return np.array(outputs), np.array(tables)

# %% wrong: √d_model says="the scale is √d_model" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)

# %% wrong: no scale says="not divided by √depth" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# %% wrong: bare reshape says="a bare reshape" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q).reshape(batch, num_heads, seq_q, depth)
# becomes: k = (K @ W_k).reshape(batch, num_heads, seq_k, depth)
# becomes: v = (V @ W_v).reshape(batch, num_heads, seq_k, depth)

# %% wrong: interleaved says="the heads are interleaved" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q).reshape(batch, seq_q, depth, num_heads).transpose(0, 3, 1, 2)
# becomes: k = (K @ W_k).reshape(batch, seq_k, depth, num_heads).transpose(0, 3, 1, 2)
# becomes: v = (V @ W_v).reshape(batch, seq_k, depth, num_heads).transpose(0, 3, 1, 2)

# %% wrong: weights of head 0 repeated says="the weights of head 0" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.repeat(weights[:, :1], num_heads, axis=1)

# %% wrong: W_q and W_k swapped says="queries and keys have changed places" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_k ).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_q).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: softmax over queries says="softmax runs over the queries" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
# becomes: weights = powers / powers.sum(axis=-2, keepdims=True)

# %% wrong: softmax over heads says="softmax runs over the heads" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: no projections says="the projections are missing" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = Q.reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = K.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: transposed weights says="the matrices are transposed" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q.T).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_k.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_v.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_o forgotten says="with W_o, is missing" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together, weights

# %% wrong: W_o transposed says="W_o is transposed" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o.T, weights

# %% wrong: W_v forgotten says="the values are not projected" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = V.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: combine without transpose says="without swapping heads and tokens back" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v).reshape(batch, seq_q, d_model)

# %% wrong: heads in reverse says="the wrong order" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v)[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)

# %% wrong: head 0 alone says="only head 0" fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: v = v * (np.arange(num_heads) == 0)[:, None, None]

# %% wrong: cross-attention of equal lengths says="reshape" fails=["multi-head-mask-test"] of="everything at once"
# was:     seq_k = K.shape[1]
# becomes: seq_k = seq_q

# %% wrong: cross-attention from the queries says="with 2 queries and 3 keys" fails=["multi-head-mask-test"] of="everything at once"
# was:     seq_k = K.shape[1]
# becomes: seq_k = seq_q

# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (Q @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (Q @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: values from the keys says="with 2 queries and 3 keys" fails=["multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (K @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: mask of the batch on the heads says="the mask of sequence 1" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + mask

# %% wrong: mask of the first sequence for all says="the mask of the first one" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[0])

# %% wrong: mask ignored says="the mask changes nothing" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: pass

# %% wrong: mask on head 0 only says="only head 0 is masked" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores[:, 0] = scores[:, 0] + mask

# %% wrong: mask subtracted says="with a flat mask" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores - (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: mask multiplied says="with a flat mask" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores * (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: blocked row gives NaN says="every key blocked" fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# %% wrong: heads not checked says="6 numbers into 4 heads" fails=["multi-head-errors-test"] of="everything at once"
# was:     if d_model % num_heads:
# was:         raise ValueError("the heads don't divide d_model")
# becomes:

# was:     depth = d_model // num_heads
# becomes: depth = d_model // num_heads
# becomes: d_model = depth * num_heads
# becomes: W_q, W_k, W_v, W_o = W_q[:, :d_model], W_k[:, :d_model], W_v[:, :d_model], W_o[:d_model]

# %% wrong: weights averaged over heads says="the shape is not right" fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.mean(axis=1)

# %% wrong: heads before the batch says="the shape is not right" fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.swapaxes(0, 1)

# %% wrong: queries changed says="an input was changed" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] visible=false of="everything at once"
# was:     depth = d_model // num_heads
# becomes: depth = d_model // num_heads
# becomes: Q *= 1.0 + 1e-9
