# %% right: an axis for the group
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    grouped = Q.unflatten(1, (kv_heads, num_heads // kv_heads))
    scores = grouped @ K[:, :, None].mT / Q.shape[-1] ** 0.5
    return (scores.softmax(-1) @ V[:, :, None]).flatten(1, 2)

# %% right: einsum
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    q = Q.reshape(Q.shape[0], kv_heads, -1, *Q.shape[2:])
    weights = torch.softmax(torch.einsum("bkgid,bkjd->bkgij", q, K) / math.sqrt(Q.size(-1)), dim=-1)
    return torch.einsum("bkgij,bkjv->bkgiv", weights, V).reshape(*Q.shape[:-1], V.shape[-1])

# %% right: a loop over query heads
def grouped_query_attention(Q, K, V):
    heads, kv = Q.size(1), K.size(1)
    if heads % kv:
        raise ValueError("heads: %d, key heads: %d" % (heads, kv))
    outs = []
    for h in range(heads):
        g = h * kv // heads
        scores = Q[:, h] @ K[:, g].transpose(1, 2) / math.sqrt(Q.size(3))
        outs.append(scores.softmax(dim=-1) @ V[:, g])
    return torch.stack(outs, dim=1)

# %% right: PyTorch's own
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)

# %% right: heads as rows of the queries, bmm
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    batch, _, seq_q, d_k = Q.shape
    rows = Q.reshape(batch * kv_heads, -1, d_k)
    keys, values = K.flatten(0, 1), V.flatten(0, 1)
    scores = torch.baddbmm(torch.zeros(1, dtype=Q.dtype), rows, keys.transpose(1, 2), alpha=d_k**-0.5)
    return torch.bmm(scores.softmax(-1), values).reshape(batch, num_heads, seq_q, -1)

# %% right: by index, in 64 bits
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    own = torch.arange(num_heads) // (num_heads // kv_heads)
    q, k, v = Q.double(), K.double()[:, own], V.double()[:, own]
    scores = (q[:, :, :, None] * k[:, :, None]).sum(-1) / math.sqrt(q.shape[-1])
    powers = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return (powers @ v).to(V.dtype)

# %% right: a list of groups
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    parts = zip(Q.chunk(kv_heads, dim=1), K.split(1, dim=1), V.split(1, dim=1))
    attend = lambda q, k, v: torch.softmax(q.matmul(k.mT).div(math.sqrt(q.shape[-1])), -1).matmul(v)
    return torch.cat([attend(*part) for part in parts], dim=1)

# %% wrong: repeat advice="The key heads are in the order 0, 1, 0, 1, …: groups are contiguous, 0, 0, …, 1, 1, …, as repeat_interleave gives." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat(1, num_heads // kv_heads, 1, 1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat(1, num_heads // kv_heads, 1, 1)

# %% wrong: no scale advice="The scores are not divided: divide them by √d_k." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1)

# %% wrong: divided by d_k advice="The scores are divided by d_k: divide by its root." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / Q.shape[-1]

# %% wrong: softmax over the queries advice="The softmax runs over the queries: it runs over the keys, dim=-1." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-2) @ values

# %% wrong: repeat for the keys alone advice="The keys are in the order 0, 1, 0, 1, …, although the values don't: repeat each key head next to itself, with repeat_interleave." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat(1, num_heads // kv_heads, 1, 1)

# %% wrong: causal advice="Later keys are blocked: there is no mask here." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)

# %% wrong: root of num_heads advice="The scores are divided by √num_heads: divide by √d_k." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(num_heads)

# %% wrong: keys reshaped advice="A reshape doesn't transpose the keys: swap their last two axes, with transpose(-2, -1)." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.reshape(*keys.shape[:2], keys.shape[3], keys.shape[2]) / math.sqrt(Q.shape[-1])

# %% wrong: keys mixed advice="The weights mix keys: they mix the values." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-1) @ keys

# %% wrong: heads side by side advice="The heads are put side by side: return (batch, num_heads, seq_q, d_v)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).transpose(1, 2).flatten(2)

# %% wrong: softmax twice advice="The softmax runs twice: once is enough." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-1).softmax(dim=-1) @ values

# %% wrong: groups in reverse advice="The groups are in reverse order: query head 0 uses key head 0." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.flip(1).repeat_interleave(num_heads // kv_heads, dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.flip(1).repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: remainder for quotient advice="The key heads are in the order 0, 1, 0, 1, …: groups are contiguous, 0, 0, …, 1, 1, …, as repeat_interleave gives." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: own = torch.arange(num_heads) % kv_heads
# becomes: keys = K[:, own]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, own]

# %% wrong: one after the other, by cat advice="The key heads are in the order 0, 1, 0, 1, …: groups are contiguous, 0, 0, …, 1, 1, …, as repeat_interleave gives." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = torch.cat([K] * (num_heads // kv_heads), dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = torch.cat([V] * (num_heads // kv_heads), dim=1)

# %% wrong: repeat for the values alone advice="The values are in the order 0, 1, 0, 1, …, although the keys aren't: repeat each head next to itself, with repeat_interleave." of="reference"
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat(1, num_heads // kv_heads, 1, 1)

# %% wrong: key head 0 for all advice="All query heads use key head 0: each group has its own." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K[:, :1]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, :1]

# %% wrong: the last key head for all advice="All query heads use the last key head: each group has its own." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K[:, -1:]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, -1:]

# %% wrong: keys of head 0 for all advice="All query heads use the keys of head 0: each group has its own." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K[:, :1]

# %% wrong: values of head 0 for all advice="All query heads use the values of head 0: each group has its own." of="reference"
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, :1]

# %% wrong: key heads averaged advice="The key heads are averaged: each group of query heads has a key head of its own." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.mean(dim=1, keepdim=True)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.mean(dim=1, keepdim=True)

# %% wrong: key heads added up advice="The key heads are added up: each group of query heads has a key head of its own." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.sum(dim=1, keepdim=True)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.sum(dim=1, keepdim=True)

# %% wrong: groups of the keys in reverse advice="The keys' groups are in reverse order: query head 0 uses key head 0." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.flip(1).repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: divided by kv_heads says="out of bounds" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: own = torch.arange(num_heads) // kv_heads
# becomes: keys = K[:, own]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, own]

# %% wrong: index cut off advice="Query head h uses key head h // kv_heads here: divide h by the size of a group, num_heads / kv_heads." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: own = (torch.arange(num_heads) // kv_heads).clamp(max=kv_heads - 1)
# becomes: keys = K[:, own]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, own]

# %% wrong: repeated kv_heads times says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(kv_heads, dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(kv_heads, dim=1)

# %% wrong: repeated num_heads times says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(num_heads, dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(num_heads, dim=1)

# %% wrong: repeated three times says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(3, dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(3, dim=1)

# %% wrong: repeated along the keys says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(num_heads // kv_heads, dim=2)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(num_heads // kv_heads, dim=2)

# %% wrong: repeated along the batch says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(num_heads // kv_heads, dim=0)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(num_heads // kv_heads, dim=0)

# %% wrong: repeated without an axis says="size" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(num_heads // kv_heads)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(num_heads // kv_heads)

# %% wrong: not repeated says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V

# %% wrong: values not repeated says="match" of="reference"
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V

# %% wrong: keys not repeated says="match" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K

# %% wrong: expanded says="expand" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.expand(-1, num_heads, -1, -1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.expand(-1, num_heads, -1, -1)

# %% wrong: repeated a fraction of times says="repeat_interleave" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat_interleave(num_heads / kv_heads, dim=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat_interleave(num_heads / kv_heads, dim=1)

# %% wrong: NumPy's repeat says="repeat" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat(num_heads // kv_heads, axis=1)

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V.repeat(num_heads // kv_heads, axis=1)

# %% wrong: query heads of a group averaged advice="The query heads of a group are averaged: each has an output of its own, only keys and values are shared." of="reference"
# was:     num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: Q = Q.unflatten(1, (kv_heads, -1)).mean(2).repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: first query head of each group for all advice="All query heads of a group use the queries of its first: each has queries of its own." of="reference"
# was:     num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: Q = Q[:, ::num_heads // kv_heads].repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: kv_heads from the batch says="this line refuses too much" of="reference"
# was:     num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: num_heads, kv_heads = Q.shape[1], K.shape[0]

# %% wrong: num_heads from the tokens says="match" of="reference"
# was:     num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: num_heads, kv_heads = Q.shape[2], K.shape[1]

# %% wrong: root of d_v advice="The scores are divided by √2 here, as by √d_v or the root of the batch, of seq_q or of kv_heads: divide by √d_k, the last axis of Q." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(V.shape[-1])

# %% wrong: root of kv_heads advice="The scores are divided by √2 here, as by √d_v or the root of the batch, of seq_q or of kv_heads: divide by √d_k, the last axis of Q." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(kv_heads)

# %% wrong: root of the batch advice="The scores are divided by √2 here, as by √d_v or the root of the batch, of seq_q or of kv_heads: divide by √d_k, the last axis of Q." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(len(Q))

# %% wrong: root of the number of queries advice="The scores are divided by √2 here, as by √d_v or the root of the batch, of seq_q or of kv_heads: divide by √d_k, the last axis of Q." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-2])

# %% wrong: root of the number of keys advice="The scores are divided by √seq_k, which is 2 here: divide by √d_k, the last axis of Q." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(K.shape[-2])

# %% wrong: root of the group advice="The scores are divided by √(num_heads·d_k): a dot product in one head sums d_k products, so divide by √d_k." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(num_heads * Q.shape[-1])

# %% wrong: multiplied advice="The scores are multiplied by √d_k: divide them." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) * math.sqrt(Q.shape[-1])

# %% wrong: causal from the last query advice="Later keys are blocked: there is no mask here." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: n, m = scores.shape[-2:]
# becomes: scores = scores.masked_fill(torch.ones(n, m).triu(m - n + 1).bool(), -math.inf)

# %% wrong: keys not turned says="size" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys / math.sqrt(Q.shape[-1])

# %% wrong: all axes turned says="swap only the last two axes" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.T / math.sqrt(Q.shape[-1])

# %% wrong: torch.sqrt of a number says="must be Tensor" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1) / torch.sqrt(Q.shape[-1])

# %% wrong: axes of heads and tokens exchanged says="match" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(1, 2) / math.sqrt(Q.shape[-1])

# %% wrong: softmax over the heads advice="The softmax runs over the heads: it runs over the keys, dim=-1." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=1) @ values

# %% wrong: no softmax advice="The softmax is missing: weights are scores.softmax(dim=-1)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores @ values

# %% wrong: log_softmax advice="The values are mixed by logarithms: take softmax, not log_softmax." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.log_softmax(dim=-1) @ values

# %% wrong: own softmax, no maximum advice="With large scores the exponentials overflow: take softmax(dim=-1), or subtract each row's maximum." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: powers = scores.exp()
# becomes: return powers / powers.sum(dim=-1, keepdim=True) @ values

# %% wrong: one maximum for all advice="With large scores a whole row of exponentials is 0: take softmax(dim=-1), or subtract each row's own maximum." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: powers = (scores - scores.max()).exp()
# becomes: return powers / powers.sum(dim=-1, keepdim=True) @ values

# %% wrong: scores cut off advice="Large scores are cut off: leave them as they are, softmax is stable by itself." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.clamp(-100, 100).softmax(dim=-1) @ values

# %% wrong: not divided by the sum advice="The weights don't sum to 1: divide each row by its sum, or take softmax(dim=-1)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores - scores.amax(-1, keepdim=True)).exp() @ values

# %% wrong: weights returned advice="The weights were returned: multiply them by the values." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-1)

# %% wrong: scores returned advice="The scores were returned: softmax over the keys, then multiply by the values." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores

# %% wrong: weights, too says="return only output" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-1) @ values, scores.softmax(dim=-1)

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: output = scores.softmax(dim=-1) @ values

# %% wrong: heads after the tokens advice="The token axis is before the head axis: return (batch, num_heads, seq_q, d_v)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).transpose(1, 2)

# %% wrong: output turned advice="The last two axes are swapped: return (batch, num_heads, seq_q, d_v)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).transpose(-2, -1)

# %% wrong: heads averaged advice="The heads are averaged: each query head has an output of its own." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).mean(dim=1)

# %% wrong: heads of a group averaged advice="The outputs of a group are averaged, or only kv_heads heads were returned: each query head has an output of its own." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).unflatten(1, (kv_heads, -1)).mean(2)

# %% wrong: heads of a group added up advice="The outputs of a group are added up: each query head has an output of its own." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).unflatten(1, (kv_heads, -1)).sum(2)

# %% wrong: with an axis for the group advice="Groups and their heads still have an axis each: put them together, with flatten(1, 2)." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).unflatten(1, (kv_heads, -1))

# %% wrong: the first sequence alone advice="Only sequence 0 was returned: keep the axis of the batch." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values)[0]

# %% wrong: rounded advice="The numbers are rounded: keep all of their digits." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).round(decimals=2)

# %% wrong: 16 bits advice="The numbers have few digits, as of 16 bits: compute in the type of Q, K and V." of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.to(torch.bfloat16).softmax(dim=-1) @ values.to(torch.bfloat16)).to(V.dtype)

# %% wrong: groups with their heads in the wrong axis advice="The key heads are in the order 0, 1, 0, 1, …: groups are contiguous, 0, 0, …, 1, 1, …, as repeat_interleave gives." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K[:, None]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, None]

# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q.unflatten(1, (-1, kv_heads)) @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])

# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).flatten(1, 2)

# %% wrong: groups put together in the wrong order advice="The right heads were returned in another order: head h of the output is query head h, group after group." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K[:, :, None]

# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: values = V[:, :, None]

# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q.unflatten(1, (kv_heads, -1)) @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])

# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).transpose(1, 2).flatten(1, 2)

# %% wrong: query head 0 of each group first advice="The query heads are in another order: they stay as they are, and each key head is next to its copies." of="reference"
# was:     num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: num_heads, kv_heads = Q.shape[1], K.shape[1]
# becomes: Q = Q.unflatten(1, (kv_heads, -1)).transpose(1, 2).flatten(1, 2)

# %% wrong: PyTorch's own, without groups says="match" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return torch.nn.functional.scaled_dot_product_attention(Q, K, V)

# %% wrong: no error says="should raise ValueError" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if False:

# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise ValueError

# %% wrong: refused the other way round says="this line refuses too much" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if kv_heads % num_heads:

# %% wrong: refused if divisible says="query heads cannot share" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if num_heads % kv_heads == 0:

# %% wrong: refused only if there are more key heads says="should raise ValueError" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if kv_heads > num_heads:

# %% wrong: refused unless equal says="query heads cannot share" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if num_heads != kv_heads:

# %% wrong: refused if odd says="query heads cannot share" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if num_heads % 2:

# %% wrong: an error without numbers says="Name both numbers of heads in it" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise ValueError("kv_heads must divide num_heads")

# %% wrong: an error with one number says="Name both numbers of heads in it" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise ValueError(f"{num_heads} query heads cannot be shared")

# %% wrong: an error with the key heads alone says="Name both numbers of heads in it" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise ValueError(f"{kv_heads} key heads do not divide the number of heads")

# %% wrong: braces without f says="Name both numbers of heads in it" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise ValueError("{num_heads} query heads cannot share {kv_heads} key heads")

# %% wrong: an error of another class says="ValueError" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: raise RuntimeError(f"{num_heads} query heads cannot share {kv_heads} key heads")

# %% wrong: an assert says="6 query heads cannot share 4 key heads" of="reference"
# was:     if num_heads % kv_heads:
# becomes: if True:

# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: assert num_heads % kv_heads == 0, f"{num_heads} query heads cannot share {kv_heads} key heads"

# %% wrong: an error printed says="should raise ValueError" of="reference"
# was:     raise ValueError(f"{num_heads} query heads cannot share {kv_heads} key heads")
# becomes: print(f"{num_heads} query heads cannot share {kv_heads} key heads")

# %% wrong: Q changed in place says="differs from its value before" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: Q /= math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1)

# %% wrong: K changed in place says="differs from its value before" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: K.mul_(0)
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])

# %% wrong: V changed in place says="differs from its value before" of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: V -= V.mean()
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])

# %% wrong: scores detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.detach().softmax(dim=-1) @ values

# %% wrong: the keys' data says="no gradient flows through .data" unseen="only check_gradients catches it" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.data.repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: values as a new tensor says="no gradient flows through" unseen="only check_gradients catches it" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: return scores.softmax(dim=-1) @ torch.tensor(values.tolist(), dtype=values.dtype)

# %% wrong: computed under no_grad says="no gradient flows through no_grad" unseen="only check_gradients catches it" of="reference"
# was:     return scores.softmax(dim=-1) @ values
# becomes: with torch.no_grad():
# becomes:     return scores.softmax(dim=-1) @ values

# %% wrong: NumPy inside says="no gradient flows through" unseen="only check_gradients catches it"
def grouped_query_attention(Q, K, V):
    num_heads, kv_heads = Q.shape[1], K.shape[1]
    if num_heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {num_heads} heads")
    q, k, v = (one.detach().numpy() for one in (Q, K, V))
    own = np.arange(num_heads) * kv_heads // num_heads
    k, v = k[:, own], v[:, own]
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.from_numpy(powers @ v / powers.sum(-1, keepdims=True))

# %% wrong: all key heads but the first detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: K = torch.cat([K[:, :1], K[:, 1:].detach()], dim=1)
# becomes: keys = K.repeat_interleave(num_heads // kv_heads, dim=1)

# %% wrong: only the first query head of a group trains the values says="no gradient flows through .detach()" unseen="only check_gradients catches it" of="reference"
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: copies = [V] + [V.detach()] * (num_heads // kv_heads - 1)
# becomes: values = torch.stack(copies, dim=2).flatten(1, 2)

# %% wrong: repeat, no scale advice="Repeat each key head next to itself, with repeat_interleave, and divide the scores by √d_k: here the heads are in the order 0, 1, 0, 1, …, and nothing is scaled." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: keys = K.repeat(1, num_heads // kv_heads, 1, 1)
# becomes: values = V.repeat(1, num_heads // kv_heads, 1, 1)
# becomes: scores = Q @ keys.transpose(-2, -1)

# %% wrong: causal, no scale advice="Here nothing is masked, and the scores are divided by √d_k: leave the mask out, and add the scale." of="reference"
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ keys.transpose(-2, -1)
# becomes: scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)

# %% wrong: causal, repeat advice="Here nothing is masked, and each key head is repeated next to itself, with repeat_interleave: leave the mask out, and change the order of the heads." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# was:     scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: keys = K.repeat(1, num_heads // kv_heads, 1, 1)
# becomes: values = V.repeat(1, num_heads // kv_heads, 1, 1)
# becomes: scores = Q @ keys.transpose(-2, -1) / math.sqrt(Q.shape[-1])
# becomes: scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)

# %% wrong: repeat, heads side by side advice="Repeat each key head next to itself, with repeat_interleave, and keep the axis of the heads: return (batch, num_heads, seq_q, d_v)." of="reference"
# was:     keys = K.repeat_interleave(num_heads // kv_heads, dim=1)
# was:     values = V.repeat_interleave(num_heads // kv_heads, dim=1)
# becomes: keys = K.repeat(1, num_heads // kv_heads, 1, 1)
# becomes: values = V.repeat(1, num_heads // kv_heads, 1, 1)
# was:     return scores.softmax(dim=-1) @ values
# becomes: return (scores.softmax(dim=-1) @ values).transpose(1, 2).flatten(2)
