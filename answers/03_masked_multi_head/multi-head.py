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

# %% wrong: √d_model advice="Take the root of depth, the length of one head's queries: here it is of d_model." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)

# %% wrong: no scale advice="Divide the scores by √depth before the softmax." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# %% wrong: divides by depth advice="Divide by √depth, once: here the scores are divided by depth itself, or by its root twice, as when 3.3 divides, too." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / depth

# %% wrong: bare reshape advice="Cut the last axis alone and then swap tokens and heads, as in 3.4: a bare reshape gives slices of tokens to the wrong head." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q).reshape(batch, num_heads, seq_q, depth)
# becomes: k = (K @ W_k).reshape(batch, num_heads, seq_k, depth)
# becomes: v = (V @ W_v).reshape(batch, num_heads, seq_k, depth)

# %% wrong: W_q for queries and keys advice="Project the keys with W_k: here W_q is used for both." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_q).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: softmax over queries advice="Let the softmax run over the keys, the last axis: here it runs over the queries." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
# becomes: weights = powers / powers.sum(axis=-2, keepdims=True)

# %% wrong: W_o forgotten advice="Multiply what the heads give, side by side, with W_o: this product is missing." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together, weights

# %% wrong: W_o transposed advice="Multiply with W_o as it is, from the right: here it is transposed." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o.T, weights

# %% wrong: combine without transpose advice="Swap heads and tokens back before you join the last two axes, as in 3.4." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v).reshape(batch, seq_q, d_model)

# %% wrong: values from the keys advice="Make the values of V: here they are made of K." fails=["multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (K @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: mask of the batch on the heads advice="Each head of a sequence has that sequence's mask: here head h has mask h. Give a mask for each sequence an axis of length 1 for the heads, mask[:, None]; in a loop over the heads, hand on the whole mask; with heads folded into the batch, np.repeat, not np.tile." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + mask

# %% wrong: mask ignored advice="Add the mask to the scores before the softmax: here it changes nothing." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: pass

# %% wrong: divides by d_model advice="Divide by the root of depth: here you divide by d_model, or, with / depth ** 1 / 2, by depth and then by 2." fails=["multi-head-weights-test", "multi-head-output-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / d_model

# %% wrong: divides by √num_heads advice="Take the root of depth, the length of one head's queries: here it is of num_heads." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(num_heads)

# %% wrong: divides by √seq_k advice="Take the root of depth, the length of one head's queries: here it is of the number of keys." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(seq_k)

# %% wrong: multiplies by √depth advice="Divide the scores by √depth, don't multiply." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) * np.sqrt(depth)

# %% wrong: divides by depth ** 1 / 2 advice="Put brackets around the exponent: depth ** 1 / 2 is half of depth, and not its root." fails=["multi-head-weights-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / (depth ** 1 / 2)

# %% wrong: divides by depth ** 1 / 2 without brackets advice="Divide by the root of depth: here you divide by d_model, or, with / depth ** 1 / 2, by depth and then by 2." fails=["multi-head-weights-test", "multi-head-output-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / depth ** 1 / 2

# %% wrong: interleaved advice="Give each head neighbouring numbers, as in 3.4: here head 0 has every second one." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q).reshape(batch, seq_q, depth, num_heads).transpose(0, 3, 1, 2)
# becomes: k = (K @ W_k).reshape(batch, seq_k, depth, num_heads).transpose(0, 3, 1, 2)
# becomes: v = (V @ W_v).reshape(batch, seq_k, depth, num_heads).transpose(0, 3, 1, 2)

# %% wrong: inputs split before the projections advice="Project first and split then: a head gets its slice of Q @ W_q, not of Q." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = np.stack([Q[..., h * depth:(h + 1) * depth] @ W_q[h * depth:(h + 1) * depth, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: k = np.stack([K[..., h * depth:(h + 1) * depth] @ W_k[h * depth:(h + 1) * depth, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: v = np.stack([V[..., h * depth:(h + 1) * depth] @ W_v[h * depth:(h + 1) * depth, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% wrong: heads by rows of the matrices advice="The matrices multiply from the right, x @ W, as they are: here they are transposed, or rows of them are taken for columns." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = np.stack([Q @ W_q.T[:, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: k = np.stack([K @ W_k.T[:, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: v = np.stack([V @ W_v.T[:, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% wrong: weights of head 0 repeated advice="Let each head make weights of its own: here all have those of head 0." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.repeat(weights[:, :1], num_heads, axis=1)

# %% wrong: W_q and W_k swapped advice="Project the queries with W_q and the keys with W_k: here the two matrices are swapped." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_k).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_q).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_k for queries and keys advice="Project the queries with W_q: here W_k is used for both." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_k).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_v for the keys advice="Project the keys with W_k: here W_v is used." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: queries not projected advice="Project the queries: Q @ W_q is missing." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: keys not projected advice="Project the keys: K @ W_k is missing." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: no projections advice="Project first: here the scores compare slices of the inputs themselves, without Q @ W_q and K @ W_k. See to V @ W_v and W_o, too." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: no projection of queries, keys and values advice="Project first: here the scores compare slices of the inputs themselves, without Q @ W_q and K @ W_k. See to V @ W_v and W_o, too." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = Q.reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = K.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = V.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: no matrix at all advice="Project first: here the scores compare slices of the inputs themselves, without Q @ W_q and K @ W_k. See to V @ W_v and W_o, too." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = Q.reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = K.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = V.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# was:     return together @ W_o, weights
# becomes: return together, weights

# %% wrong: transposed weights advice="The matrices multiply from the right, x @ W, as they are: here they are transposed, or rows of them are taken for columns." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q.T).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_k.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_v.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_q transposed advice="The matrices multiply from the right as they are: here W_q is transposed." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q.T).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_k transposed advice="The matrices multiply from the right as they are: here W_k is transposed." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_k.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: queries projected twice advice="Project once: here Q @ W_q is multiplied with W_q again." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: softmax over heads advice="Let the softmax run over the keys, the last axis: here it runs over the heads." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: softmax over the batch advice="Let the softmax run over the keys, the last axis: here it runs over the sequences." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=0, keepdims=True))
# becomes: weights = powers / powers.sum(axis=0, keepdims=True)

# %% wrong: softmax over everything advice="Give the sum axis=-1 and keepdims=True: here the weights of all heads and queries together sum to 1." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum()

# %% wrong: not normalised advice="Divide each row of powers by its sum before you multiply with the values: the weights of a query sum to 1." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers

# %% wrong: no softmax advice="Turn the scores into weights by softmax: these are the scores." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores

# %% wrong: softmax twice advice="Apply softmax once." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True)

# %% wrong: no maximum advice="Subtract each row's own largest score before exp: exp of a large number is more than a float can hold." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all advice="Subtract each row's own largest score, with axis=-1 and keepdims=True: with one maximum for all rows, some have only powers that are rounded to 0." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())

# %% wrong: one maximum for each table advice="Subtract each row's own largest score, along the last axis alone: with one maximum for a head, some rows have only powers that are rounded to 0." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))

# %% wrong: maximum before the mask advice="Take the maximum after the mask: a blocked score is the largest here, and all others get rounded to 0." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: top = scores.max(axis=-1, keepdims=True)

# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - top)

# %% wrong: W_v for W_o advice="Multiply with W_o at the end: here it is W_v." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_v, weights

# %% wrong: W_v forgotten advice="Project the values: V @ W_v is missing." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_k for the values advice="Project the values with W_v: here W_k is used." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: W_v transposed advice="The matrices multiply from the right as they are: here W_v is transposed." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_v.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: combine interleaved advice="Keep the numbers of a head side by side when you join the heads, as in 3.4." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v).transpose(0, 2, 3, 1).reshape(batch, seq_q, d_model)

# %% wrong: heads in reverse advice="Begin with head 0 when you put the heads side by side: they have come in reverse order." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v)[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)

# %% wrong: head 0 alone advice="Put all heads into the output: here the numbers of the others are 0." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: v = v * (np.arange(num_heads) == 0)[:, None, None]

# %% wrong: head 0 in every place advice="Put each head in its own place: here head 0 is in all of them." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = np.concatenate([(weights @ v)[:, 0]] * num_heads, axis=-1)

# %% wrong: heads added up advice="Put the heads side by side and multiply with the whole of W_o: adding them up keeps only depth numbers." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return (weights @ v).sum(axis=1) @ W_o[:depth], weights

# %% wrong: the output of each head advice="Put the heads side by side and multiply with W_o: the output is (batch, seq_q, d_model), without an axis for the heads." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return weights @ v, weights

# %% wrong: combined before the weights advice="Mix the values with the weights before you put the heads side by side: here the weights are averaged over the heads." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = weights.mean(axis=1) @ (V @ W_v)

# %% wrong: cross-attention of equal lengths says="reshape" fails=["multi-head-mask-test"] of="everything at once"
# was:     seq_k = K.shape[1]
# becomes: seq_k = seq_q

# %% wrong: cross-attention from the queries advice="Make the keys of K and the values of V: here both are made of Q." fails=["multi-head-mask-test"] of="everything at once"
# was:     seq_k = K.shape[1]
# becomes: seq_k = seq_q

# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (Q @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (Q @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: keys from the queries advice="Make the keys of K: here they are made of Q." fails=["multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (Q @ W_k).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: values from the queries advice="The weights are right; make the values of V: here they are made of Q." fails=["multi-head-mask-test"] of="everything at once"
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (Q @ W_v).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: keys and values exchanged advice="Make the keys of K and the values of V: here K and V are swapped." fails=["multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (V @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (K @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: queries from the keys advice="Make the queries of Q: here they are made of K." fails=["multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (K @ W_q).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: keys and values from the queries, through 3.3 advice="Make the keys of K and the values of V: here both are made of Q." fails=["multi-head-mask-test"] of="reference"
# was:     q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
# becomes: q, k, v = (split_heads(Q @ W, num_heads) for W in [W_q, W_k, W_v])

# %% wrong: keys from the values advice="Make the keys of K: here they are made of V." fails=["multi-head-mask-test"] of="everything at once"
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (V @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: an axis for the heads in a flat mask, too advice="Leave a flat mask as it is: only a mask with three axes needs one more for the heads, and here head h has row h of the flat one for every query." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + mask[:, None]

# %% wrong: an axis in front of the mask advice="Each head of a sequence has that sequence's mask: here head h has mask h. Give a mask for each sequence an axis of length 1 for the heads, mask[:, None]; in a loop over the heads, hand on the whole mask; with heads folded into the batch, np.repeat, not np.tile." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + mask[None]

# %% wrong: an axis behind the queries advice="Put the axis for the heads before the queries, mask[:, None]: after them, head h has row h of the mask for every query." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[:, :, None])

# %% wrong: mask of the head's number advice="Each head of a sequence has that sequence's mask: here head h has mask h. Give a mask for each sequence an axis of length 1 for the heads, mask[:, None]; in a loop over the heads, hand on the whole mask; with heads folded into the batch, np.repeat, not np.tile." fails=["multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask if mask is None else mask[h]) for h in range(num_heads)]

# %% wrong: mask of the first sequence for all advice="Use each sequence's own mask, for all its heads: here all sequences have that of the first one." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[0])

# %% wrong: flat mask ignored advice="Use a flat mask, too: one with two axes changes nothing here." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: if mask.ndim == 3:
# becomes:     scores = scores + mask[:, None]

# %% wrong: mask on head 0 only advice="Add the mask in every head: here only head 0 obeys it." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores[:, 0] = scores[:, 0] + mask

# %% wrong: mask on the last head only advice="Add the mask in every head: here only the last one obeys it." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores[:, -1] = scores[:, -1] + mask

# %% wrong: mask subtracted advice="Add the mask as it is: it holds 0 and −∞, not True and False, and a score minus −∞ is +∞." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores - (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: mask multiplied advice="Add the mask, don't multiply with it: the kept scores became 0." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores * (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: mask after softmax advice="Use the mask before the softmax: here blocked weights are set to 0 after it, and the rows no longer sum to 1." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: pass

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: if mask is not None:
# becomes:     weights = np.where((mask if mask.ndim == 2 else mask[:, None]) == 0, weights, 0)

# %% wrong: blocked scores set to 0 advice="Give blocked keys −∞ before the softmax: here their scores became 0, and e⁰ is 1." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = np.where((mask if mask.ndim == 2 else mask[:, None]) == 0, scores, 0)

# %% wrong: mask inverted advice="Exchange the two: 0 means keep and −∞ means block, and here the kept keys lose their weight." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = np.where((mask if mask.ndim == 2 else mask[:, None]) == 0, -1e9, scores)

# %% wrong: asks whether the mask is true says="ambiguous" fails=["multi-head-mask-test"] of="everything at once"
# was:     if mask is not None:
# becomes: if mask:

# %% wrong: mask for flat ones only says="cannot reshape" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = scores + mask.reshape(seq_q, seq_k)

# %% wrong: blocked row gives NaN advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# %% wrong: blocked row gives uniform weights advice="Raise a ValueError where a row of the mask is all −∞: with a large negative number in its place such a query looks at keys that it must not see." fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes: if mask is not None:
# becomes:     mask = np.maximum(mask, -1e30)

# %% wrong: blocked row gives zeros advice="Raise a ValueError where a row of the mask is all −∞: replacing NaN by 0 hides the error." fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))

# %% wrong: blocked rows in flat masks only advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes: if mask is not None and mask.ndim == 2 and np.isinf(mask).all(axis=-1).any():
# becomes:     raise ValueError("no key left")

# %% wrong: blocked rows in masks with three axes only advice="Raise a ValueError as soon as one row of the mask is all −∞, whether it has two axes or three: all(axis=-1) looks along the rows, and any() asks whether one of them is." fails=["multi-head-errors-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes: if mask is not None and mask.ndim == 3 and np.isinf(mask).all(axis=-1).any():
# becomes:     raise ValueError("no key left")

# %% wrong: any blocked key refused says="ValueError" fails=["multi-head-mask-test"] of="everything at once"
# was:     if mask is not None and np.isinf(mask).all(axis=-1).any():
# was:         raise ValueError("no key left")
# becomes: if mask is not None and np.isinf(mask).any():
# becomes:     raise ValueError("no key left")

# %% wrong: heads not checked advice="Raise a ValueError where num_heads does not divide d_model: // only rounds down, and the last numbers are lost." fails=["multi-head-errors-test"] of="everything at once"
# was:     if d_model % num_heads:
# was:         raise ValueError("the heads don't divide d_model")
# becomes:

# was:     depth = d_model // num_heads
# becomes: depth = d_model // num_heads
# becomes: d_model = depth * num_heads
# becomes: W_q, W_k, W_v, W_o = W_q[:, :d_model], W_k[:, :d_model], W_v[:, :d_model], W_o[:d_model]

# %% wrong: TypeError instead says="TypeError" fails=["multi-head-errors-test"] of="everything at once"
# was:     raise ValueError("the heads don't divide d_model")
# becomes: raise TypeError("the heads don't divide d_model")

# was:     raise ValueError("no key left")
# becomes: raise TypeError("no key left")

# %% wrong: weights averaged over heads advice="Return the weights of every head, (batch, heads, seq_q, seq_k): here they are averaged over the heads." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.mean(axis=1)

# %% wrong: weights added up over heads advice="Return the weights of every head, (batch, heads, seq_q, seq_k): here they are added up over the heads." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.sum(axis=1)

# %% wrong: the last head's weights advice="Return the weights of every head, (batch, heads, seq_q, seq_k): here they are those of the last one. Collect the results of the loop in a list." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights[:, -1]

# %% wrong: the first head's weights advice="Return the weights of every head, (batch, heads, seq_q, seq_k): here they are those of head 0 alone." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights[:, 0]

# %% wrong: heads before the batch advice="Put the batch first and the heads second: stack the heads' weights along axis 1." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.swapaxes(0, 1)

# %% wrong: heads folded into the batch of weights advice="Give the heads an axis of their own in the weights: here they are folded into the batch." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.reshape(-1, seq_q, seq_k)

# %% wrong: heads last in the weights advice="Put the heads second, after the batch: stack the heads' weights along axis 1, not along the last one." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, np.moveaxis(weights, 1, -1)

# %% wrong: weights with the queries before the heads advice="Put the heads second, after the batch: here the queries come before them." fails=["multi-head-weights-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o, weights.swapaxes(1, 2)

# %% wrong: one thing returned advice="Return two things, the output first: (output, weights)." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o

# %% wrong: weights first advice="Return two things, the output first: (output, weights)." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return weights, together @ W_o

# %% wrong: gives back nothing says="does your function end with a return?" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: together @ W_o

# %% wrong: queries changed says="changes Q" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     depth = d_model // num_heads
# becomes: depth = d_model // num_heads
# becomes: Q *= 1.0 + 1e-9

# %% wrong: W_q scaled in place says="changes W_q" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     depth = d_model // num_heads
# becomes: depth = d_model // num_heads
# becomes: W_q /= np.sqrt(depth)

# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# %% wrong: the mask changed says="changes mask" fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: mask[np.isinf(mask)] = -1e9
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: one attention for all heads says="ValueError" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: return scaled_dot_product_attention(q, k, v, mask)

# %% wrong: heads stacked along axis 0 advice="Put the batch first and the heads second: stack the heads' weights along axis 1." fails=["multi-head-weights-test", "multi-head-mask-test"] of="reference"
# was:     return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
# becomes: return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=0)

# %% wrong: outputs stacked along axis 0 advice="Stack the heads' outputs along axis 1 before you combine them: combine_heads takes (batch, heads, seq, depth)." fails=["multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
# becomes: return combine_heads(np.stack(outputs)).reshape(Q.shape) @ W_o, np.stack(weights, axis=1)

# %% wrong: mask not handed on advice="Add the mask to the scores before the softmax: here it changes nothing." fails=["multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h]) for h in range(num_heads)]

# %% wrong: scaled before 3.3, too advice="Divide by √depth, once: here the scores are divided by depth itself, or by its root twice, as when 3.3 divides, too." fails=["multi-head-weights-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: heads = [scaled_dot_product_attention(q[:, h] / q.shape[-1] ** 0.5, k[:, h], v[:, h], mask) for h in range(num_heads)]

# %% wrong: the keys of every head with the queries of head 0 advice="Take queries, keys and values of the same head: here all heads have the queries of head 0." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: heads = [scaled_dot_product_attention(q[:, 0], k[:, h], v[:, h], mask) for h in range(num_heads)]

# %% wrong: heads along the batch axis advice="Take head h of all sequences, q[:, h]: q[h] is sequence h, with all its heads." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: heads = [scaled_dot_product_attention(q[h], k[h], v[h], mask) for h in range(num_heads)]

# %% wrong: two heads always advice="Use num_heads: here the number of heads is always 2." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
# becomes: num_heads = 2
# becomes: q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])

# %% wrong: no heads advice="Let each head attend by itself, with its slice of the projections: here attention has run once, over all d_model numbers." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask) for h in range(num_heads)]
# becomes: q, k, v = Q @ W_q, K @ W_k, V @ W_v
# becomes: heads = [scaled_dot_product_attention(q, k, v, mask)] * num_heads
# becomes: return heads[0][0] @ W_o, np.stack([heads[0][1]] * num_heads, axis=1)

# %% wrong: depth and heads mixed up advice="There are num_heads heads of d_model // num_heads numbers each: here the two sizes are swapped." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])
# becomes: num_heads = Q.shape[-1] // num_heads
# becomes: q, k, v = (split_heads(x @ W, num_heads) for x, W in [(Q, W_q), (K, W_k), (V, W_v)])

# %% wrong: masks in turn advice="Each head of a sequence has that sequence's mask: here head h has mask h. Give a mask for each sequence an axis of length 1 for the heads, mask[:, None]; in a loop over the heads, hand on the whole mask; with heads folded into the batch, np.repeat, not np.tile." fails=["multi-head-mask-test"] of="heads folded into the batch"
# was:     mask = np.repeat(mask, num_heads, axis=0)
# becomes: mask = np.tile(mask, (num_heads, 1, 1))

# %% wrong: the folded axis taken apart the wrong way advice="Take the folded axis apart as it was put together, the batch before the heads: here sequences and heads are mixed up." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="heads folded into the batch"
# was:     output, weights = scaled_dot_product_attention(*folded, mask)
# becomes: output, weights = scaled_dot_product_attention(*folded, mask)
# becomes: output, weights = (one.reshape(num_heads, batch, *one.shape[1:]).swapaxes(0, 1).reshape(one.shape) for one in (output, weights))

# %% wrong: mask not repeated for the heads says="ValueError" fails=["multi-head-mask-test"] of="heads folded into the batch"
# was:     mask = np.repeat(mask, num_heads, axis=0)
# becomes: pass

# %% wrong: powers mixed advice="Divide each row of powers by its sum before you multiply with the values: the weights of a query sum to 1." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (powers @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)

# %% wrong: W_o before the heads are combined says="matmul" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return (weights @ v) @ W_o, weights

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a batch of one sequence is a batch." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return np.squeeze(together @ W_o), np.squeeze(weights)

# %% wrong: tokens and numbers swapped before the cut advice="Cut the last axis of Q @ W_q itself, with (batch, seq) first in the reshape, and then swap axes 1 and 2: here tokens and numbers are swapped before the cut." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: q = (Q @ W_q).swapaxes(1, 2).reshape(batch, num_heads, seq_q, depth)
# becomes: k = (K @ W_k).swapaxes(1, 2).reshape(batch, num_heads, seq_k, depth)
# becomes: v = (V @ W_v).swapaxes(1, 2).reshape(batch, num_heads, seq_k, depth)

# %% wrong: all that is not True blocked advice="Add the mask as it is: it holds 0 and −∞, not True and False, and a score minus −∞ is +∞." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: mask = np.where(mask != True, -np.inf, 0)
# becomes: scores = scores + (mask if mask.ndim == 2 else mask[:, None])

# %% wrong: blocked scores replaced by −10000 advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = np.where(np.isneginf(mask if mask.ndim == 2 else mask[:, None]), -1e4, scores)

# %% wrong: blocked scores replaced by −1000000 advice="Give blocked keys −∞, not a large negative number: kept scores may be lower, and then the blocked key gets the weight." fails=["multi-head-mask-test"] of="everything at once"
# was:     scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes: scores = np.where(np.isneginf(mask if mask.ndim == 2 else mask[:, None]), -1e6, scores)

# %% wrong: maximum above the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / np.exp(scores).sum(axis=-1, keepdims=True)

# %% wrong: maximum below the fraction line only advice="Subtract the maximum on both sides of the fraction: divide the powers by the sum of these same powers." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.exp(scores) / powers.sum(axis=-1, keepdims=True)

# %% wrong: heads stacked in front says="keep the batch first when you join the heads" fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return combine_heads(np.stack(outputs, axis=1)) @ W_o, np.stack(weights, axis=1)
# becomes: return combine_heads(np.stack(outputs)) @ W_o, np.stack(weights)

# %% wrong: bare reshape, √d_model advice="Cut the last axis alone and then swap tokens and heads, as in 3.4: a bare reshape gives slices of tokens to the wrong head." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = (Q @ W_q).reshape(batch, num_heads, seq_q, depth)
# becomes: k = (K @ W_k).reshape(batch, num_heads, seq_k, depth)
# becomes: v = (V @ W_v).reshape(batch, num_heads, seq_k, depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)

# %% wrong: bare reshape, no scale advice="Cut the last axis alone and then swap tokens and heads, as in 3.4: a bare reshape gives slices of tokens to the wrong head." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = (Q @ W_q).reshape(batch, num_heads, seq_q, depth)
# becomes: k = (K @ W_k).reshape(batch, num_heads, seq_k, depth)
# becomes: v = (V @ W_v).reshape(batch, num_heads, seq_k, depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# %% wrong: weights (out, in), no scale advice="The matrices multiply from the right as they are, x @ W, not x @ W.T, and the scores are divided by √depth." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = (Q @ W_q.T).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_k.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_v.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: scores = q @ k.swapaxes(2, 3)

# %% wrong: weights (out, in), √d_model advice="The matrices multiply from the right as they are, x @ W, not x @ W.T, and the root is of depth, not of d_model." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = (Q @ W_q.T).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = (K @ W_k.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = (V @ W_v.T).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)

# %% wrong: no projections and no scale advice="Project first, with W_q, W_k and W_v, multiply with W_o at the end, and divide the scores by √depth: here slices of the inputs are compared, unscaled." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = Q.reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = K.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = V.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: scores = q @ k.swapaxes(2, 3)

# was:     return together @ W_o, weights
# becomes: return together, weights

# %% wrong: no projections, √d_model advice="Project first, with W_q, W_k and W_v, multiply with W_o at the end, and take the root of depth: here slices of the inputs are compared." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q = Q.reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: k = K.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: v = V.reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)

# was:     return together @ W_o, weights
# becomes: return together, weights

# %% wrong: one head, one table of weights advice="Let each head attend by itself, with its slice of the projections: here attention has run once, over all d_model numbers." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"]
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    if Q.shape[2] % num_heads:
        raise ValueError("the heads don't divide d_model")
    output, weights = scaled_dot_product_attention(Q @ W_q, K @ W_k, V @ W_v, mask)
    return output @ W_o, weights

# %% wrong: q, k and v joined inside of each head advice="Split q, k and v apart, each into its heads: here their joined numbers were cut into heads, and each head's part into q, k and v." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# becomes: joined = np.concatenate([Q @ W_q, K @ W_k, V @ W_v], axis=-1)
# becomes: joined = joined.reshape(batch, seq_q, num_heads, 3 * depth).transpose(0, 2, 1, 3)
# becomes: q, k, v = np.split(joined, 3, axis=-1)

# %% wrong: tokens first, batch second advice="Here the batch is the first axis and the tokens the second: this compares the sequences with each other, as in arrays of (seq, batch, d_model)." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     q = (Q @ W_q).reshape(batch, seq_q, num_heads, depth).transpose(0, 2, 1, 3)
# was:     k = (K @ W_k).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     v = (V @ W_v).reshape(batch, seq_k, num_heads, depth).transpose(0, 2, 1, 3)
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q, k, v = (x.reshape(batch, -1, num_heads, depth) for x in (Q @ W_q, K @ W_k, V @ W_v))
# becomes: scores = np.einsum("ibhd,jbhd->bhij", q, k) / np.sqrt(depth)

# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = np.einsum("bhij,jbhd->ibhd", weights, v).reshape(batch, seq_q, d_model)

# %% wrong: softmax over queries, no scale advice="Let the softmax run over the keys, the last axis: here it runs over the queries." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
# becomes: weights = powers / powers.sum(axis=-2, keepdims=True)

# %% wrong: softmax over heads, no scale advice="Let the softmax run over the keys, the last axis: here it runs over the heads." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: powers = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: bare scores advice="Divide the scores by √depth and turn them into weights by softmax: these are the bare products of queries and keys." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3)

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = scores

# %% wrong: always causal advice="Here only the argument mask blocks keys: without it, every query sees all keys, also those that come later." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = np.where(np.tri(seq_q, seq_k) == 0, -np.inf, scores)

# %% wrong: always causal, √d_model advice="Here only the argument mask blocks keys: without it, every query sees all keys, also those that come later." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(d_model)
# becomes: scores = np.where(np.tri(seq_q, seq_k) == 0, -np.inf, scores)

# %% wrong: a residual advice="Here the output is the joined heads times W_o and nothing more: leave out the residual, + Q." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o + Q, weights

# %% wrong: a residual and a norm advice="Here the output is the joined heads times W_o and nothing more: the residual and the layer norm belong to a block." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: output = together @ W_o + Q
# becomes: output = output - output.mean(axis=-1, keepdims=True)
# becomes: return output / np.sqrt(output.var(axis=-1, keepdims=True) + 1e-5), weights

# %% wrong: heads in front, then a bare reshape advice="Bring the heads behind the tokens, transpose(0, 2, 1, 3), before you join them: here they were joined with the heads in front of the batch." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     together = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq_q, d_model)
# becomes: together = (weights @ v).transpose(1, 0, 2, 3).reshape(batch, seq_q, d_model)

# %% wrong: W_o (out, in), and a residual advice="Multiply with W_o as it is, from the right, and leave out the residual: here W_o is transposed and Q is added." fails=["multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     return together @ W_o, weights
# becomes: return together @ W_o.T + Q, weights

# %% wrong: 0 blocks with −∞, and no axis for the heads advice="A mask is added to the scores as it is, with 0 to keep and −∞ to block: here 0 blocks. And give a mask for each sequence an axis for the heads, mask[:, None]." fails=["multi-head-mask-test"] of="everything at once"
# was:         scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes:     scores = np.where(mask == 0, -np.inf, scores)

# %% wrong: 0 blocks with −10⁹, and no axis for the heads advice="A mask is added to the scores as it is, with 0 to keep and −∞ to block: here 0 blocks. And give a mask for each sequence an axis for the heads, mask[:, None]." fails=["multi-head-mask-test"] of="everything at once"
# was:         scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes:     scores = np.where(mask == 0, -1e9, scores)

# %% wrong: 0 blocks with −10000, and no axis for the heads advice="A mask is added to the scores as it is, with 0 to keep and −∞ to block: here 0 blocks. And give a mask for each sequence an axis for the heads, mask[:, None]." fails=["multi-head-mask-test"] of="everything at once"
# was:         scores = scores + (mask if mask.ndim == 2 else mask[:, None])
# becomes:     scores = np.where(mask == 0, -1e4, scores)

# %% wrong: relu after the projections advice="A projection is only the product: no relu, and nothing else, after Q @ W_q, K @ W_k and V @ W_v." fails=["multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="everything at once"
# was:     scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)
# becomes: q, k, v = np.maximum(q, 0), np.maximum(k, 0), np.maximum(v, 0)
# becomes: scores = q @ k.swapaxes(2, 3) / np.sqrt(depth)

# %% wrong: one head and a mask for each sequence: the mask gets no axis for the heads says="matmul" unseen="no visible test has such an input" visible=false fails=["multi-head-mask-test"]
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    q, k, v = split_heads(Q @ W_q, num_heads), split_heads(K @ W_k, num_heads), split_heads(V @ W_v, num_heads)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        if np.isneginf(mask).all(axis=-1).any():
            raise ValueError("a query has every key blocked")
        if mask.ndim == 3 and num_heads > 1:
            mask = mask[:, None]
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return combine_heads(weights @ v) @ W_o, weights

# %% wrong: computed in float32 says="in the weights of other random arrays" unseen="no visible test has such an input" visible=false fails=["multi-head-weights-test", "multi-head-output-test"]
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    Q, K, V, W_q, W_k, W_v, W_o = (np.asarray(a, dtype=np.float32) for a in (Q, K, V, W_q, W_k, W_v, W_o))
    q, k, v = split_heads(Q @ W_q, num_heads), split_heads(K @ W_k, num_heads), split_heads(V @ W_v, num_heads)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        if np.isneginf(mask).all(axis=-1).any():
            raise ValueError("a query has every key blocked")
        if mask.ndim == 3 and True:
            mask = mask[:, None]
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return combine_heads(weights @ v) @ W_o, weights
