# %% right: a mask of positions, einsum
def logits_with_cache(model, tokens, cache=None):
    n_new = tokens.shape[-1]
    n_past = cache[0][1].shape[-2] if cache else 0
    places = torch.arange(n_past + n_new)
    x = model.token(tokens) + model.position.weight[n_past:n_past + n_new]
    new_cache = []
    for number, block in enumerate(model.blocks):
        heads = block.attn.num_heads
        rows = block.norm1(x)
        q = split_heads(block.attn.q(rows), heads)
        k = split_heads(block.attn.k(rows), heads)
        v = split_heads(block.attn.v(rows), heads)
        if cache:
            old_k, old_v = cache[number]
            k, v = torch.cat((old_k, k), 2), torch.cat((old_v, v), 2)
        new_cache.append((k, v))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
        scores = torch.where(places[None, :] <= places[n_past:, None], scores, -math.inf)
        mixed = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), v)
        x = x + block.attn.mix(mixed.reshape(x.shape))
        x = x + block.mlp(block.norm2(x))
    return F.linear(model.norm(x), model.token.weight), new_cache

# %% right: PyTorch's attention with a mask
def logits_with_cache(model, tokens, cache=None):
    batch, n_new = tokens.shape
    blocks = list(model.blocks)
    if cache is None:
        d = model.token.weight.shape[1]
        empty = [torch.zeros(batch, block.attn.num_heads, 0, d // block.attn.num_heads) for block in blocks]
        cache = [(one, one) for one in empty]
    n_past = cache[0][0].shape[2]
    seen = torch.ones(n_new, n_past + n_new, dtype=torch.bool).tril(n_past)
    x = model.token(tokens) + model.position(n_past + torch.arange(n_new))
    after = []
    for block, (old_k, old_v) in zip(blocks, cache):
        y = block.norm1(x)
        q, k, v = [split_heads(part(y), block.attn.num_heads) for part in (block.attn.q, block.attn.k, block.attn.v)]
        k, v = torch.cat([old_k, k], dim=2), torch.cat([old_v, v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        x = x + block.attn.mix(y.transpose(1, 2).flatten(2))
        x = x + block.mlp(block.norm2(x))
        after.append((k, v))
    return model.norm(x) @ model.token.weight.T, after

# %% right: one new token at a time
def logits_with_cache(model, tokens, cache=None):
    rows = []
    for column in tokens.T:
        n_past = cache[0][0].shape[2] if cache else 0
        x = (model.token(column) + model.position.weight[n_past])[:, None]
        after = []
        for n, block in enumerate(model.blocks):
            y = block.norm1(x)
            q, k, v = (split_heads(part(y), block.attn.num_heads) for part in (block.attn.q, block.attn.k, block.attn.v))
            if cache:
                k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
            weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
            x = x + block.attn.mix((weights @ v).transpose(1, 2).flatten(2))
            x = x + block.mlp(block.norm2(x))
            after.append((k, v))
        cache = after
        rows.append(model.norm(x) @ model.token.weight.T)
    return torch.cat(rows, dim=1), cache

# %% wrong: positions from 0 advice="The new tokens get the positions from 0: with a cache they begin at n_past." of="reference"
# was:     x = model.token(tokens) + model.position(torch.arange(n_past, n_past + n_new))
# becomes: x = model.token(tokens) + model.position(torch.arange(n_new))

# %% wrong: the mask as without a cache advice="The new tokens see too few keys: token i sees all n_past earlier ones, so move the diagonal of the mask by n_past." of="reference"
# was:     future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
# becomes: future = torch.ones(n_new, n_past + n_new).triu(1).bool()

# %% wrong: no mask advice="New tokens see later new tokens: mask the keys after n_past + i for new token i." of="reference"
# was:     future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
# becomes: future = torch.zeros(n_new, n_past + n_new).bool()

# %% wrong: a token does not see itself advice="A token does not see itself: block only the keys after it, triu(n_past + 1)." of="reference"
# was:     future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
# becomes: future = torch.ones(n_new, n_past + n_new).triu(max(n_past, 1)).bool()

# %% wrong: new keys first advice="The new keys come before the old ones: concatenate the cache first, then the new ones." of="reference"
# was:             k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
# becomes:         k, v = torch.cat([k, cache[n][0]], dim=2), torch.cat([v, cache[n][1]], dim=2)

# %% wrong: only the new keys are stored advice="Only the new keys and values are stored: store those of all tokens so far." of="reference"
# was:         if cache is not None:
# becomes:     new = k, v
# becomes:     if cache is not None:
# was:         made.append((k, v))
# becomes:     made.append(new)

# %% wrong: the cache of block 0 for all advice="Every block gets the cache of block 0: use the pair of the same block." of="reference"
# was:             k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
# becomes:         k, v = torch.cat([cache[0][0], k], dim=2), torch.cat([cache[0][1], v], dim=2)

# %% wrong: keys also as values advice="The values in the cache are keys: store and use (k, v)." of="reference"
# was:         made.append((k, v))
# becomes:     made.append((k, k))

# %% wrong: cache ignored advice="The cache is not used: put its keys and values before the new ones." of="reference"
# was:     n_past, n_new, made = 0 if cache is None else cache[0][0].shape[2], tokens.shape[1], []
# becomes: n_past, n_new, made, cache = 0, tokens.shape[1], [], None

# %% wrong: not scaled advice="The scores are not divided by the root of the head's size." of="reference"
# was:         scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
# becomes:     scores = q @ k.transpose(2, 3)

# %% wrong: keys of the block's input advice="norm1 is missing: q, k and v are computed from norm1(x)." of="reference"
# was:         attn, normed = block.attn, block.norm1(x)
# becomes:     attn, normed = block.attn, x

# %% wrong: no final norm advice="The final norm is missing: the logits are made from model.norm(x)." of="reference"
# was:     return model.norm(x) @ model.token.weight.T, made
# becomes: return x @ model.token.weight.T, made

# %% wrong: no residual around attention advice="x is lost after attention: add the output of mix to x." of="reference"
# was:         x = x + attn.mix((weights @ v).transpose(1, 2).flatten(2))
# becomes:     x = attn.mix((weights @ v).transpose(1, 2).flatten(2))

# %% wrong: MLP left out advice="The MLP is missing: add mlp(norm2(x)) to x." of="reference"
# was:         x = x + block.mlp(block.norm2(x))
# becomes:     x = x + 0

# %% wrong: heads merged without a transpose advice="The heads are merged in the wrong order: exchange heads and tokens before you flatten." of="reference"
# was:         x = x + attn.mix((weights @ v).transpose(1, 2).flatten(2))
# becomes:     x = x + attn.mix((weights @ v).reshape(x.shape))

# %% wrong: mix left out advice="mix is missing: the merged heads pass through it before they are added." of="reference"
# was:         x = x + attn.mix((weights @ v).transpose(1, 2).flatten(2))
# becomes:     x = x + (weights @ v).transpose(1, 2).flatten(2)

# %% wrong: written into the cache says="the cache that was passed was changed" of="reference"
# was:             k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
# becomes:         k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
# becomes:         cache[n] = (k, v)

# %% wrong: only the logits says="return (logits, cache)" of="reference"
# was:     return model.norm(x) @ model.token.weight.T, made
# becomes: return model.norm(x) @ model.token.weight.T

# %% wrong: a window of 16 keys advice="Early tokens are not seen: a new token sees all earlier tokens, however many there are." of="reference"
# was:     future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
# becomes: future = torch.ones(n_new, n_past + n_new).tril(n_past).triu(n_past - 15) == 0

# %% wrong: a window of 64 keys says="in the logits" visible=false unseen="visible texts are short" of="reference"
# was:     future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
# becomes: future = torch.ones(n_new, n_past + n_new).tril(n_past).triu(n_past - 63) == 0

# %% wrong: positions stop at 5 advice="Late tokens get the wrong positions: they are n_past, n_past + 1 and so on, however long the text is." of="reference"
# was:     x = model.token(tokens) + model.position(torch.arange(n_past, n_past + n_new))
# becomes: x = model.token(tokens) + model.position(torch.arange(n_past, n_past + n_new).clamp(max=5))

# %% wrong: n_past from the axis of the sequences says="axis 2 of each k and v" of="reference"
# was:     n_past, n_new, made = 0 if cache is None else cache[0][0].shape[2], tokens.shape[1], []
# becomes: n_past, n_new, made = 0 if cache is None else cache[0][0].shape[0], tokens.shape[1], []

# %% wrong: caches share a buffer that grows says="two texts continue from one cache"
def grown(old, new):
    """Append new to old, in place if the buffer of old has room."""
    n_past = 0 if old is None else old.shape[2]
    n = n_past + new.shape[2]
    buffer = getattr(old, "buffer", None)
    if buffer is None or buffer.shape[2] < n:
        buffer = new.new_zeros(*new.shape[:2], 2 * n + 8, new.shape[3])
        if old is not None:
            buffer[:, :, :n_past] = old.detach()
    buffer[:, :, n_past:n] = new.detach()
    result = buffer[:, :, :n]
    result.buffer = buffer
    return result


def logits_with_cache(model, tokens, cache=None):
    n_new = tokens.shape[1]
    n_past = 0 if cache is None else cache[0][0].shape[2]
    x = model.token(tokens) + model.position(torch.arange(n_past, n_past + n_new))
    new_cache = []
    for n, block in enumerate(model.blocks):
        y, heads = block.norm1(x), block.attn.num_heads
        q, k, v = (split_heads(layer(y), heads) for layer in (block.attn.q, block.attn.k, block.attn.v))
        old = (None, None) if cache is None else cache[n]
        new_cache.append((grown(old[0], k), grown(old[1], v)))
        if cache is not None:
            k, v = torch.cat([old[0], k], dim=2), torch.cat([old[1], v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        x = x + block.attn.mix((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.mlp(block.norm2(x))
    return model.norm(x) @ model.token.weight.T, new_cache
