# %% right: loops over heads and tokens
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    n_new, d_model = x.shape
    size = d_model // num_heads
    old_k, old_v = cache or [np.zeros((num_heads, 0, size))] * 2
    n_past = old_k.shape[1]
    q, new_k, new_v = x @ W_q, x @ W_k, x @ W_v
    K = np.zeros((num_heads, n_past + n_new, size))
    V = np.zeros((num_heads, n_past + n_new, size))
    merged = np.zeros((n_new, d_model))
    for h in range(num_heads):
        own = slice(h * size, (h + 1) * size)
        K[h, :n_past], V[h, :n_past] = old_k[h], old_v[h]
        K[h, n_past:], V[h, n_past:] = new_k[:, own], new_v[:, own]
        for i in range(n_new):
            seen = n_past + i + 1
            scores = K[h, :seen] @ q[i, own] / math.sqrt(size)
            powers = np.exp(scores - scores.max())
            merged[i, own] = powers @ V[h, :seen] / powers.sum()
    return merged @ W_o, (K, V)

# %% right: einsum and a lower triangle
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    d_model = len(W_o)
    size = d_model // num_heads
    heads = lambda W: np.einsum("nd,dhs->hns", x, np.reshape(W, (d_model, num_heads, size)))
    q, k, v = heads(W_q), heads(W_k), heads(W_v)
    if cache:
        k, v = (np.concatenate(pair, axis=1) for pair in zip(cache, (k, v)))
    n_new, n_all = q.shape[1], k.shape[1]
    seen = np.tril(np.ones((n_new, n_all), dtype=bool), n_all - n_new)
    scores = np.einsum("hqs,hks->hqk", q, k) / q.shape[2] ** 0.5
    scores[:, ~seen] = -np.inf
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=2, keepdims=True))
    return np.einsum("hqk,hks,hsd->qd", weights, v, np.reshape(W_o, (num_heads, size, d_model))), (k, v)

# %% right: one matrix for all three, a list of heads
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    qkv = x @ np.concatenate([W_q, W_k, W_v], axis=1)
    parts = [np.split(one, num_heads, axis=1) for one in np.split(qkv, 3, axis=1)]
    K, V = [list(one) for one in parts[1:]]
    if cache is not None:
        K = [np.vstack([old, new]) for old, new in zip(cache[0], K)]
        V = [np.vstack([old, new]) for old, new in zip(cache[1], V)]
    outs = []
    for q, k, v in zip(parts[0], K, V):
        scores = q @ k.T / np.sqrt(q.shape[1])
        later = np.triu(np.ones(scores.shape, dtype=bool), len(k) - len(q) + 1)
        scores[later] = -1e30
        powers = np.exp(scores - scores.max(1)[:, None])
        outs.append(powers @ v / powers.sum(1)[:, None])
    return np.hstack(outs) @ W_o, [np.stack(K), np.stack(V)]

# %% right: torch's own attention
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    turned = [torch.as_tensor(np.array(x @ W, dtype=np.float64)).unflatten(1, (num_heads, -1)).transpose(0, 1) for W in (W_q, W_k, W_v)]
    q, k, v = turned
    if cache is not None:
        k, v = torch.cat([torch.tensor(cache[0]), k], dim=1), torch.cat([torch.tensor(cache[1]), v], dim=1)
    n, m = q.shape[1], k.shape[1]
    seen = torch.ones(n, m, dtype=torch.bool).tril(m - n)
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen)
    return out.transpose(0, 1).flatten(1).numpy() @ W_o, (k.numpy(), v.numpy())

# %% right: one token at a time, by calling itself
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    if len(x) > 1:
        first, cache = attend_with_cache(x[:1], cache, W_q, W_k, W_v, W_o, num_heads)
        rest, cache = attend_with_cache(x[1:], cache, W_q, W_k, W_v, W_o, num_heads)
        return np.concatenate([first, rest]), cache
    size = len(W_o) // num_heads
    q, k, v = (np.reshape(x @ W, (num_heads, 1, size)) for W in (W_q, W_k, W_v))
    if cache is not None:
        k, v = np.concatenate([cache[0], k], axis=1), np.concatenate([cache[1], v], axis=1)
    scores = (q * k).sum(-1) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return (weights[..., None] * v).sum(1).reshape(x.shape) @ W_o, (k, v)

# %% right: past and new scores apart
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    n, d = x.shape
    size = d // num_heads
    cut = lambda y: y.reshape(n, num_heads, size).swapaxes(0, 1)
    q, k, v = cut(x @ W_q) / size**0.5, cut(x @ W_k), cut(x @ W_v)
    scores = np.where(np.tri(n, dtype=bool), q @ k.swapaxes(1, 2), -np.inf)
    top = scores.max(axis=2)
    if cache is not None:
        past = q @ cache[0].swapaxes(1, 2)
        top = np.maximum(top, past.max(axis=2))
    powers = np.exp(scores - top[:, :, None])
    mixed, total = powers @ v, powers.sum(axis=2)
    if cache is not None:
        powers = np.exp(past - top[:, :, None])
        mixed, total = mixed + powers @ cache[1], total + powers.sum(axis=2)
        k, v = np.append(cache[0], k, axis=1), np.append(cache[1], v, axis=1)
    return (mixed / total[:, :, None]).swapaxes(0, 1).reshape(n, d) @ W_o, (k, v)

# %% right: one key at a time, with a running maximum
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    size = x.shape[1] // num_heads
    columns = [slice(h * size, (h + 1) * size) for h in range(num_heads)]
    q, k, v = (np.array([(x @ W)[:, c] for c in columns]) for W in (W_q, W_k, W_v))
    if cache is not None:
        k, v = np.hstack([cache[0], k]), np.hstack([cache[1], v])
    output = np.zeros(x.shape)
    for h, c in enumerate(columns):
        for i in range(len(x)):
            seen = len(k[h]) - len(x) + i + 1
            scores = k[h, :seen] @ q[h, i] / size**0.5
            m, l, o = scores[0], 1, v[h, 0]
            for s, value in zip(scores[1:], v[h, 1:]):
                top = max(m, s)
                l, o = l * math.exp(m - top) + math.exp(s - top), o * math.exp(m - top) + math.exp(s - top) * value
                m = top
            output[i] = output[i] + (o / l) @ np.asarray(W_o)[c]
    return output, (k, v)

# %% wrong: no mask advice="A token sees what comes after it: block each key whose index is larger than n_past plus the query's index." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes:

# %% wrong: mask without the length of the past advice="With a cache, the mask forgets its tokens: new token i is token n_past + i of the text, so only keys after n_past + i are blocked." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) > np.arange(n_new)[:, None]

# %% wrong: no scale advice="The scores are not divided: divide them by √head_size." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1)

# %% wrong: root of d_model advice="The scores are divided by √d_model: a head has head_size features, so divide by √head_size." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_model)

# %% wrong: divided by head_size advice="The scores are divided by head_size: divide by its root." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / size

# %% wrong: cut without turning advice="The heads are split by a reshape alone, which mixes tokens and heads: reshape(n_new, num_heads, head_size), then transpose(1, 0, 2)." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(num_heads, n_new, size) for W in (W_q, W_k, W_v))

# %% wrong: merged without turning advice="The heads are not put side by side: transpose(1, 0, 2) before the reshape to (n_new, d_model)." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v).reshape(n_new, d_model)

# %% wrong: W_o forgotten advice="The last product is missing: multiply the heads, side by side, by W_o." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged, (k, v)

# %% wrong: itself blocked advice="A token doesn't see itself, and token 0 sees nothing: block only keys whose index is larger than n_past plus the query's index." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) >= np.arange(n_all - n_new, n_all)[:, None]

# %% wrong: past after the new tokens advice="The new keys and values are before the past ones: the cache comes first, np.concatenate([old, new], axis=1)." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([k, cache[0]], axis=1)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([v, cache[1]], axis=1)

# %% wrong: softmax over the queries advice="The softmax runs down the queries: it runs along the last axis, over the keys." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = powers / powers.sum(axis=1, keepdims=True) * powers.sum(axis=-1, keepdims=True)

# %% wrong: keys and values exchanged in the cache advice="Keys and values are swapped in the cache: return (K, V), and read cache[0] as the keys." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (v, k)

# %% wrong: one token too many seen advice="A token sees what comes after it: block each key whose index is larger than n_past plus the query's index." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None] + 1

# %% wrong: triangle from the first key advice="With a cache, the mask forgets its tokens: new token i is token n_past + i of the text, so only keys after n_past + i are blocked." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.triu(np.ones((n_new, n_all), dtype=bool), 1)

# %% wrong: n_past from the axis of the heads advice="With a cache of 4 tokens and 2 heads, later positions are wrong: n_past is cache[0].shape[1], the axis of the tokens." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: n_past = 0 if cache is None else cache[0].shape[0]
# becomes: future = np.arange(n_all) > n_past + np.arange(n_new)[:, None]

# %% wrong: n_past from the axis of the numbers advice="With a cache, a token sees what comes after it: n_past is cache[0].shape[1], the axis of the tokens, and key n_past + i is the last that token i sees." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: n_past = 0 if cache is None else cache[0].shape[2]
# becomes: future = np.arange(n_all) > n_past + np.arange(n_new)[:, None]

# %% wrong: mask only without a cache advice="With a cache, a token sees what comes after it: n_past is cache[0].shape[1], the axis of the tokens, and key n_past + i is the last that token i sees." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) > np.arange(n_new)[:, None] + (0 if cache is None else n_all)

# %% wrong: mask the other way advice="The mask is inverted: a token sees itself and what comes before it, so block the later keys." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) < np.arange(n_all - n_new, n_all)[:, None]

# %% wrong: blocked and seen exchanged advice="The mask is inverted: np.where returns its second argument where the condition is true." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.arange(n_all) <= np.arange(n_all - n_new, n_all)[:, None]

# %% wrong: the past blocked advice="The cached tokens are blocked or left out: each new token sees all of them." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = (np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]) | (np.arange(n_all) < n_all - n_new)

# %% wrong: new tokens see themselves and the past alone advice="A new token doesn't see the new ones before it: of the new keys, block only those after it." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: at = np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = (np.arange(n_all) >= n_all - n_new) & (np.arange(n_all) != at)

# %% wrong: new tokens see the past alone advice="With a cache, a new token doesn't see the new ones, not even itself: of the new keys, block only those after it." of="reference"
# was:     future = np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None]
# becomes: future = np.broadcast_to((np.arange(n_all) >= n_all - n_new) & (n_all > n_new), (n_new, n_all)) | (np.arange(n_all) > np.arange(n_all - n_new, n_all)[:, None])

# %% wrong: blocked scores are 0 advice="Blocked scores are 0, and their weights are not: set them to −∞ before the softmax." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes: scores = np.where(future, 0, scores)

# %% wrong: blocked scores are 0, by a product advice="Blocked scores are 0, and their weights are not: set them to −∞ before the softmax." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes: scores = scores * ~future

# %% wrong: blocked scores of −1 advice="Blocked scores are only smaller by 1: set them to −∞ before the softmax." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes: scores = scores - future

# %% wrong: blocked scores of −1000 advice="Blocked scores are a number such as −1000, and a query's own scores may all be lower: set them to −∞, -np.inf." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes: scores = np.where(future, -1000, scores)

# %% wrong: mask after the softmax advice="Weights are blocked after the softmax, so a row no longer sums to 1: block the scores, before it." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes:

# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True) * ~future

# %% wrong: -inf times the mask advice="The whole output is NaN, because 0 · (−∞) is NaN: block scores with np.where(future, -np.inf, scores), and never a whole row." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes: scores = scores + future * -np.inf

# %% wrong: root of the number of heads advice="The scores are divided by √2 here, as by the root of the number of heads or of tokens: divide by √head_size." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / np.sqrt(num_heads)

# %% wrong: root of the number of keys advice="The scores are divided by √2 here, as by the root of the number of heads or of tokens: divide by √head_size." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / np.sqrt(n_all)

# %% wrong: multiplied by the root advice="The scores are multiplied by √head_size: divide them." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) * np.sqrt(size)

# %% wrong: scaled twice advice="The scores are divided by head_size: divide by its root." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / np.sqrt(size) / np.sqrt(size)

# %% wrong: keys of head 0 for all advice="All heads use the keys of head 0: multiply the queries of each head with its own keys." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k[:1].transpose(0, 2, 1) / np.sqrt(size)

# %% wrong: keys reshaped advice="A reshape doesn't transpose the keys: swap their last two axes, with transpose(0, 2, 1)." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.reshape(num_heads, size, n_all) / np.sqrt(size)

# %% wrong: distances advice="The scores are distances: take dot products of queries and keys." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = -((q[:, :, None] - k[:, None]) ** 2).sum(-1) / np.sqrt(size)

# %% wrong: keys not turned says="matmul" of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k / np.sqrt(size)

# %% wrong: all axes turned says="matmul" of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.T / np.sqrt(size)

# %% wrong: softmax over the heads advice="The softmax, or its maximum, is taken over the heads: both run along the last axis, over the keys." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores) / np.exp(scores).sum(axis=0, keepdims=True) * powers.sum(axis=-1, keepdims=True)

# %% wrong: no maximum advice="With large scores the exponentials overflow: subtract the row's maximum before np.exp." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores)

# %% wrong: one maximum for all advice="With large scores a whole row of exponentials is 0: subtract each row's own maximum, with axis=-1 and keepdims=True." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max())

# %% wrong: maximum of each head advice="With large scores a whole row of exponentials is 0: subtract each row's own maximum, with axis=-1 and keepdims=True." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))

# %% wrong: exponent cut off advice="Large scores are cut off: leave them as they are, and subtract the row's maximum before np.exp." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(np.clip(scores, -50, 50))

# %% wrong: minimum subtracted advice="With large scores the exponentials overflow: subtract the row's maximum before np.exp." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.exp(scores - np.where(future, np.inf, scores).min(axis=-1, keepdims=True))

# %% wrong: softmax without exponentials advice="The exponentials are missing: the weights are e^(score − maximum), divided by their sum." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = np.where(future, 0, scores)

# %% wrong: powers of two advice="The weights are powers with a base other than e: use np.exp." of="reference"
# was:     powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# becomes: powers = 2 ** (scores - scores.max(axis=-1, keepdims=True))

# %% wrong: not divided advice="The weights don't sum to 1: divide each row's exponentials by their sum." of="reference"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers

# %% wrong: divided by the number of keys advice="The weights don't sum to 1: divide each row's exponentials by their sum, not by the number of keys." of="reference"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / n_all

# %% wrong: sum over all heads advice="The sum runs over the heads, too: each row of each head sums to 1." of="reference"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=(0, 2), keepdims=True)

# %% wrong: sum without keepdims says="could not be broadcast" of="reference"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1)

# %% wrong: softmax twice advice="The softmax runs twice: once is enough." of="reference"
# was:     weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = powers / powers.sum(axis=-1, keepdims=True)
# becomes: weights = np.where(future, 0, np.exp(weights))
# becomes: weights = weights / weights.sum(axis=-1, keepdims=True)

# %% wrong: numbers before heads advice="The heads' features are mixed: head h owns the columns h·head_size … (h+1)·head_size − 1, so use transpose(1, 0, 2)." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v).transpose(1, 2, 0).reshape(n_new, d_model)

# %% wrong: heads averaged advice="The heads are averaged: put them side by side." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = np.tile((weights @ v).mean(axis=0), num_heads)

# %% wrong: heads added up advice="The heads are added up: put them side by side." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = np.tile((weights @ v).sum(axis=0), num_heads)

# %% wrong: heads in reverse advice="The heads are in reverse order: head 0 comes first." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v)[::-1].transpose(1, 0, 2).reshape(n_new, d_model)

# %% wrong: keys mixed advice="The weights mix keys: they mix the values." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ k).transpose(1, 0, 2).reshape(n_new, d_model)

# %% wrong: residual advice="Something was added to the heads before W_o: nothing else belongs there." of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model) + x

# %% wrong: reshape to heads forgotten says="matmul" of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v).transpose(1, 0, 2)

# %% wrong: every num_heads-th column advice="The heads are split differently: head h owns the columns h·head_size … (h+1)·head_size − 1, so reshape(n_new, num_heads, head_size) and then transpose(1, 0, 2)." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, size, num_heads).transpose(2, 0, 1) for W in (W_q, W_k, W_v))

# %% wrong: queries cut otherwise advice="Only the queries' heads are split differently, or their features are mixed: split them as you split the keys." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q = (x @ W_q).reshape(n_new, size, num_heads).transpose(2, 0, 1)

# %% wrong: matrices transposed advice="The matrices are transposed: they multiply from the right as they are, x @ W_k." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W.T).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))

# %% wrong: query matrix transposed advice="W_q is transposed: the matrices multiply from the right as they are, x @ W_q." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q.T, W_k, W_v))

# %% wrong: keys from W_q advice="The keys are made by W_q: make them by W_k." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_q, W_v))

# %% wrong: queries from W_k advice="The queries are made by W_k: make them by W_q." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_k, W_k, W_v))

# %% wrong: values from W_k advice="The values are made by W_k: make them by W_v." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_k))

# %% wrong: queries and keys exchanged advice="Queries and keys are swapped: queries come from W_q, keys from W_k." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_k, W_q, W_v))

# %% wrong: no projections advice="The tokens were not multiplied by W_q, W_k and W_v: do this first." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = (x.reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))

# %% wrong: values not projected advice="The values are the tokens themselves: multiply them by W_v." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = (y.reshape(n_new, num_heads, size).transpose(1, 0, 2) for y in (x @ W_q, x @ W_k, x))

# %% wrong: matrices from the left says="matmul" of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((W @ x).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))

# %% wrong: heads and numbers in one advice="There are head_size heads of num_heads features here: reshape to (n_new, num_heads, head_size)." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x @ W).reshape(n_new, size, num_heads).transpose(1, 0, 2) for W in (W_q, W_k, W_v))

# %% wrong: two heads always says="join parts of the same sizes" of="reference"
# was:     size = d_model // num_heads
# becomes: num_heads = 2
# becomes: size = d_model // num_heads

# %% wrong: heads of 3 always says="join parts of the same sizes" of="reference"
# was:     size = d_model // num_heads
# becomes: size = 3
# becomes: num_heads = d_model // size

# %% wrong: six numbers always says="reshape" of="reference"
# was:     size = d_model // num_heads
# becomes: d_model = 6
# becomes: size = d_model // num_heads

# %% wrong: size is no whole number says="integer" of="reference"
# was:     size = d_model // num_heads
# becomes: size = d_model / num_heads

# %% wrong: size of a head is d_model says="reshape" of="reference"
# was:     size = d_model // num_heads
# becomes: size = d_model

# %% wrong: W_o transposed advice="W_o is transposed: it multiplies from the right as it is." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o.T, (k, v)

# %% wrong: W_v in the place of W_o advice="The heads are multiplied by W_v at the end: take W_o." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_v, (k, v)

# %% wrong: W_o from the left says="matmul" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return W_o @ merged, (k, v)

# %% wrong: W_o entry by entry says="broadcast" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged * W_o, (k, v)

# %% wrong: residual at the end advice="The tokens were added to the output: return the product with W_o alone." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return x + merged @ W_o, (k, v)

# %% wrong: the last row alone advice="Only the last token's output was returned: there is one row for each new token." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return (merged @ W_o)[-1:], (k, v)

# %% wrong: the first row alone advice="Only the first token's output was returned, without the axis of the tokens: there is one row for each new token." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return (merged @ W_o)[0], (k, v)

# %% wrong: output turned advice="The output is transposed: each token is a row." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return (merged @ W_o).T, (k, v)

# %% wrong: keys and values exchanged, both ways advice="Keys and values are swapped in the cache: return (K, V), and read cache[0] as the keys." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[1], k], axis=1)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[0], v], axis=1)

# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (v, k)

# %% wrong: keys and values exchanged when read advice="The cached keys and values are swapped when they are read: cache[0] holds the keys, cache[1] the values." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[1], k], axis=1)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[0], v], axis=1)

# %% wrong: values of the past are its keys advice="The values of the past are its keys: take cache[1] for the values." of="reference"
# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[0], v], axis=1)

# %% wrong: keys of the past are its values advice="The keys of the past are its values: take cache[0] for the keys." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[1], k], axis=1)

# %% wrong: keys of the past after the new ones advice="The new keys are before those of the past: the cache comes first, np.concatenate([old, new], axis=1)." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([k, cache[0]], axis=1)

# %% wrong: values of the past after the new ones advice="The new values are before those of the past: the cache comes first, np.concatenate([old, new], axis=1)." of="reference"
# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([v, cache[1]], axis=1)

# %% wrong: cache not read advice="The cache is not read: put its keys and values before the new ones, for the scores and in the cache that you return." of="reference"
# was:     if cache is not None:
# becomes: if cache is not None and False:

# %% wrong: cache for what comes back alone advice="The cached tokens are blocked or left out: each new token sees all of them." of="reference"
# was:     if cache is not None:
# becomes: old = cache
# becomes: if old is not None:

# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: kept_k = np.concatenate([cache[0], k], axis=1)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: kept_v = np.concatenate([cache[1], v], axis=1)

# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k, v) if old is None else (kept_k, kept_v)

# %% wrong: new keys alone in the cache advice="Only the new tokens are in the cache that you return: it holds the past, too, and those after it." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k[:, -n_new:], v[:, -n_new:])

# %% wrong: the old cache returned advice="The cache was returned unchanged: return all keys and values, the new ones at the end." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k, v) if cache is None else cache

# %% wrong: cache of the first call alone says="does your function end with a return?" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, cache

# %% wrong: cache not grown by the values advice="The values in the cache were returned unchanged: return all of them, the new ones at the end." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k, v if cache is None else cache[1])

# %% wrong: a window of 4 tokens advice="Old tokens were dropped from the cache: keep all of them." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k[:, -4:], v[:, -4:])

# %% wrong: a window of 6 tokens advice="Old tokens were dropped from the cache: keep all of them." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k[:, -6:], v[:, -6:])

# %% wrong: the first token dropped advice="Old tokens were dropped from the cache: keep all of them." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k[:, -n_new:], v[:, -n_new:]) if cache is None else (k[:, 1:], v[:, 1:])

# %% wrong: the cache side by side advice="Keys and values in the cache have their heads side by side: keep them split, (num_heads, tokens, head_size)." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, tuple(one.transpose(1, 0, 2).reshape(n_all, d_model) for one in (k, v))

# %% wrong: tokens first in the cache advice="The token axis is first in the cache: its axes are (num_heads, tokens, head_size)." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k.transpose(1, 0, 2), v.transpose(1, 0, 2))

# %% wrong: keys turned in the cache advice="The keys are transposed in the cache: its axes are (num_heads, tokens, head_size)." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k.transpose(0, 2, 1), v)

# %% wrong: scaled keys in the cache advice="The keys in the cache are divided by √head_size: keep them as they are, and divide the scores." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k / np.sqrt(size), v)

# %% wrong: queries in the cache advice="There are queries in the cache: it holds keys and values." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (q, v)

# %% wrong: the tokens in the cache advice="There are tokens in the cache: it holds keys and values, split into heads." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (x, x)

# %% wrong: mixed values in the cache advice="The second part of the cache holds mixed values: keep the values as they were before the weights." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k, weights @ v)

# %% wrong: the output alone says="return (output, cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o

# %% wrong: the cache alone says="return (K, V as the cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return k, v

# %% wrong: three things says="return (output, cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, k, v

# %% wrong: cache first says="return (K, V as the cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return (k, v), merged @ W_o

# %% wrong: weights, too says="return (output, cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, (k, v), weights

# %% wrong: a dict for the cache says="return (K, V as the cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, {'K': k, 'V': v}

# %% wrong: both in one array says="return (K, V as the cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, np.stack([k, v])

# %% wrong: keys alone in the cache says="return (K, V as the cache)" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return merged @ W_o, k

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: output, cache = merged @ W_o, (k, v)

# %% wrong: rounded advice="The output is rounded: keep all of its digits." of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: return np.round(merged @ W_o, 2), (k, v)

# %% wrong: None not asked for says="not subscriptable" of="reference"
# was:     if cache is not None:
# becomes: if True:

# %% wrong: a past of zeros advice="There is a token of zeros before the first: without a cache there are only the new tokens." of="reference"
# was:     if cache is not None:
# was:         k = np.concatenate([cache[0], k], axis=1)
# was:         v = np.concatenate([cache[1], v], axis=1)
# becomes: if cache is None:
# becomes:     cache = np.zeros((2, num_heads, 1, size))
# becomes: k = np.concatenate([cache[0], k], axis=1)
# becomes: v = np.concatenate([cache[1], v], axis=1)

# %% wrong: joined along the heads says="the axes before the last two must match" of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[0], k], axis=0)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[1], v], axis=0)

# %% wrong: joined along the numbers says="matmul" of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[0], k], axis=2)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[1], v], axis=2)

# %% wrong: joined without an axis says="the axes before the last two must match" of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate([cache[0], k])

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate([cache[1], v])

# %% wrong: joined as two arguments says="concatenate" of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = np.concatenate(cache[0], k, axis=1)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = np.concatenate(cache[1], v, axis=1)

# %% wrong: added for joined advice="The past is added to the new keys and values: put it before them, np.concatenate([old, new], axis=1)." of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = cache[0] + k

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = cache[1] + v

# %% wrong: appended as to a list says="has no attribute" of="reference"
# was:     k = np.concatenate([cache[0], k], axis=1)
# becomes: k = cache[0].append(k)

# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: v = cache[1].append(v)

# %% wrong: keys alone joined says="matmul" of="reference"
# was:     v = np.concatenate([cache[1], v], axis=1)
# becomes: pass

# %% wrong: the cached keys scaled in place advice="The keys in the cache are divided by √head_size: keep them as they are, and divide the scores." of="reference"
# was:     if cache is not None:
# becomes: if cache is not None:
# becomes:     cache[0][:] = cache[0] / np.sqrt(size)

# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: k = k * 1
# becomes: k[:, -n_new:] = k[:, -n_new:] / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1)

# %% wrong: the cached values emptied says="differs from its value before" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: output = merged @ W_o, (k, v)
# becomes: if cache is not None:
# becomes:     cache[1][:] = 0
# becomes: return output

# %% wrong: the new keys written over the cached ones says="differs from its value before" of="reference"
# was:     return merged @ W_o, (k, v)
# becomes: output = merged @ W_o, (k, v)
# becomes: if cache is not None:
# becomes:     cache[0][:, -1:] = k[:, -1:]
# becomes: return output

# %% wrong: matrix scaled in place says="differs from its value before" of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: W_q /= np.sqrt(size)
# becomes: q = (x @ W_q).reshape(n_new, num_heads, size).transpose(1, 0, 2)
# becomes: scores = q @ k.transpose(0, 2, 1)

# %% wrong: tokens changed in place says="differs from its value before" of="reference"
# was:     merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: merged = (weights @ v).transpose(1, 0, 2).reshape(n_new, d_model)
# becomes: x[:] = merged

# %% wrong: one token only advice="Only the first new token went in: use all rows of x." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x[0] @ W).reshape(num_heads, 1, size) for W in (W_q, W_k, W_v))
# becomes: n_new = 1

# %% wrong: the last token only advice="Only the last new token is in the cache: use all rows of x, and keep what came before each." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: q, k, v = ((x[-1:] @ W).reshape(1, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: n_new = 1

# %% wrong: neither mask nor scale advice="Block the keys after each new token, and divide the scores by √head_size: both are missing here." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1)
# was:     scores = np.where(future, -np.inf, scores)
# becomes:

# %% wrong: no mask, √d_model advice="Block the keys after each new token, and take the root of head_size, not of d_model." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_model)
# was:     scores = np.where(future, -np.inf, scores)
# becomes:

# %% wrong: neither mask nor W_o advice="Block the keys after each new token, and multiply the heads, side by side, by W_o at the end: both are missing here." of="reference"
# was:     scores = np.where(future, -np.inf, scores)
# becomes:
# was:     return merged @ W_o, (k, v)
# becomes: return merged, (k, v)

# %% wrong: no scale, no W_o advice="Divide the scores by √head_size, and multiply the heads, side by side, by W_o at the end: both are missing here." of="reference"
# was:     scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
# becomes: scores = q @ k.transpose(0, 2, 1)
# was:     return merged @ W_o, (k, v)
# becomes: return merged, (k, v)

# %% wrong: one head for all features advice="Split q, k and v into num_heads heads of d_model / num_heads features: here one head has all of them." of="reference"
# was:     size = d_model // num_heads
# becomes: num_heads, size = 1, d_model

# %% wrong: q, k and v joined inside of each head advice="Split q, k and v apart, each into its heads: here their joined numbers were cut into heads, and each head's part into q, k and v." of="reference"
# was:     q, k, v = ((x @ W).reshape(n_new, num_heads, size).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
# becomes: joined = np.concatenate([x @ W_q, x @ W_k, x @ W_v], axis=-1)
# becomes: q, k, v = np.split(joined.reshape(n_new, num_heads, 3 * size).transpose(1, 0, 2), 3, axis=-1)

# %% wrong: future scores lowered by 1500, not -inf: wrong where a future score is +1000 and the others -1000 says="in the output" unseen="no visible test has such an input" visible=false fails=["attend-with-cache-test"]
def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    n_new, d_model = x.shape
    hs = d_model // num_heads
    q, k, v = ((x @ W).reshape(n_new, num_heads, hs).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
    n_past = 0
    if cache is not None:
        n_past = cache[0].shape[1]
        k, v = np.concatenate([cache[0], k], axis=1), np.concatenate([cache[1], v], axis=1)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(hs)
    future = np.arange(n_past + n_new) > n_past + np.arange(n_new)[:, None]
    scores = scores - 1500.0 * future
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return (w @ v).transpose(1, 0, 2).reshape(n_new, d_model) @ W_o, (k, v)

# %% wrong: caches share a buffer that grows says="in the output after two texts continue from one cache" unseen="no visible test has such an input" visible=false fails=["attend-with-cache-test"]
class Roomy(np.ndarray):
    """An array that remembers the larger buffer it is a part of."""

def grown(old, new):
    n_past = 0 if old is None else old.shape[1]
    n = n_past + new.shape[1]
    buffer = getattr(old, "buffer", None)
    if buffer is None or buffer.shape[1] < n:
        buffer = np.zeros((new.shape[0], 2 * n + 8, new.shape[2]))
        if old is not None:
            buffer[:, :n_past] = old
    buffer[:, n_past:n] = new
    result = buffer[:, :n].view(Roomy)
    result.buffer = buffer
    return result

def attend_with_cache(x, cache, W_q, W_k, W_v, W_o, num_heads):
    n_new, d = x.shape
    q, k, v = ((x @ W).reshape(n_new, num_heads, -1).transpose(1, 0, 2) for W in (W_q, W_k, W_v))
    n_past = 0 if cache is None else cache[0].shape[1]
    K, V = (grown(None if cache is None else cache[n], new) for n, new in enumerate((k, v)))
    k, v = np.asarray(K), np.asarray(V)
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    scores = np.where(np.arange(n_past + n_new) > n_past + np.arange(n_new)[:, None], -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(n_new, d) @ W_o, (K, V)
