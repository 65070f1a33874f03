# %% right: a loop over heads, mask as an array of its own
class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads != 0:
            raise ValueError("the heads don't divide the embedding")
        self.h, self.d = num_heads, embed_dim // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim, rng))

    def forward(self, x, mask=None):
        q, k, v = self.q_proj.forward(x), self.k_proj.forward(x), self.v_proj.forward(x)
        outputs = []
        for h in range(self.h):
            own = slice(h * self.d, (h + 1) * self.d)
            Q, K, V = q[..., own], k[..., own], v[..., own]
            scores = Q @ K.transpose(0, 2, 1) / np.sqrt(self.d)
            if mask is not None:
                scores += mask
            weights = softmax(scores)
            outputs.append(weights @ V)
        return self.out_proj.forward(np.concatenate(outputs, axis=-1))

    __call__ = forward

    def parameters(self):
        return (self.q_proj.parameters() + self.k_proj.parameters()
                + self.v_proj.parameters() + self.out_proj.parameters())

# %% right: einsum, self-contained
class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, rng):
        self.size, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{embed_dim} / {num_heads}")
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = [
            Linear(embed_dim, embed_dim, rng) for _ in range(4)]

    def cut(self, a):
        return a.reshape(a.shape[0], a.shape[1], -1, self.size)

    def forward(self, x, mask=None):
        q, k, v = (self.cut(p.forward(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        scores = np.einsum("bihd,bjhd->bhij", q, k) / self.size**0.5
        if mask is not None:
            scores = scores + (mask if np.ndim(mask) == 2 else np.asarray(mask)[:, None])
        e = np.exp(scores - scores.max(-1, keepdims=True))
        w = e / e.sum(-1, keepdims=True)
        return self.out_proj.forward(np.einsum("bhij,bjhd->bihd", w, v).reshape(x.shape))

    def __call__(self, x, mask=None):
        return self.forward(x, mask=mask)

    def parameters(self):
        return [self.q_proj.weight, self.q_proj.bias, self.k_proj.weight, self.k_proj.bias,
                self.v_proj.weight, self.v_proj.bias, self.out_proj.weight, self.out_proj.bias]

# %% base
class MultiHeadAttention:
    """Self-attention with several heads: Linear layers q_proj, k_proj, v_proj and out_proj.

    Raises ValueError if num_heads does not divide embed_dim.
    """

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim, rng)
        self.k_proj = Linear(embed_dim, embed_dim, rng)
        self.v_proj = Linear(embed_dim, embed_dim, rng)
        self.out_proj = Linear(embed_dim, embed_dim, rng)

    def forward(self, x, mask=None):
        """x: (batch, seq, embed_dim), mask: None, (seq, seq) or (batch, seq, seq), 0 or -inf.

        Returns the output alone: (batch, seq, embed_dim).
        """
        batch, seq, embed_dim = x.shape
        projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores + np.expand_dims(mask, -3)
        heads = softmax(scores) @ V
        return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        """Weight and bias of q_proj, k_proj, v_proj, out_proj: a list of 8."""
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]

# %% right: scaled queries, np.split, returns lists of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)

# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: heads = np.concatenate([heads[:, h] for h in range(self.num_heads)], axis=-1)
# becomes: return self.out_proj.forward(heads).tolist()

# %% wrong: no scale advice="the scores are not divided by √d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2)

# %% wrong: root of embed_dim advice="the scores are divided by √embed_dim: each head's queries have d_k = embed_dim / num_heads numbers, so take √d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(embed_dim)

# %% wrong: divides by d_k advice="the scores are divided by d_k, or by its root twice: divide by √d_k, once" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]

# %% wrong: root of seq advice="the scores are divided by √seq: what counts is how many numbers a head's query has, d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(seq)

# %% wrong: multiplies by the root advice="the scores are multiplied by √d_k: divide" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) * math.sqrt(Q.shape[-1])

# %% wrong: Q and K swapped advice="queries and keys have changed places: a row of the scores is a query" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = K @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])

# %% wrong: softmax over the queries advice="softmax runs over the queries: it should run over the keys, the last axis" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2) @ V

# %% wrong: only exp advice="the weights don't sum to 1: take softmax of the scores, not np.exp alone" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = np.exp(scores) @ V

# %% wrong: out_proj left out advice="out_proj is left out: send the combined heads through it" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return (heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))

# %% wrong: bare reshape to heads advice="a bare reshape makes the heads, which cuts the tokens apart: cut the last axis, then swap heads and tokens (split_heads does it)" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, self.num_heads, seq, -1) for a in projected)

# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.reshape(batch, seq, embed_dim))

# %% wrong: merged without swapping advice="the heads are merged without swapping their axes back: use combine_heads, or swap heads and tokens before the reshape" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.reshape(batch, seq, embed_dim))

# %% wrong: interleaved heads advice="the heads are interleaved: each owns a contiguous slice of the embedding, as split_heads cuts it" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, seq, -1, self.num_heads).transpose(0, 3, 1, 2) for a in projected)

# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.transpose(0, 2, 3, 1).reshape(batch, seq, embed_dim))

# %% wrong: mask ignored advice="the mask is ignored, at least one with three axes: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: pass

# %% wrong: mask transposed advice="the mask is transposed: its rows are queries, as those of the scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + np.expand_dims(np.swapaxes(mask, -1, -2), -3)

# %% wrong: mask upside down advice="the mask is used the other way round: 0 keeps a key, −∞ blocks it" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + np.where(np.expand_dims(mask, -3) == 0, -np.inf, 0)

# %% wrong: mask lined up with the heads says="third from the right" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + mask

# %% wrong: returns the weights too says="return only output" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim)), softmax(scores)

# %% wrong: parameters short of biases says="parameters() has 4 entries" of="base"
# was:     return [parameter for layer in layers for parameter in layer.parameters()]
# becomes: return [parameter for layer in layers for parameter in layer.parameters()[:1]]

# %% wrong: parameters in another order says="of q, k, v, out" of="base"
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: layers = [self.q_proj, self.v_proj, self.k_proj, self.out_proj]

# %% wrong: parameters without out_proj says="parameters() has 6 entries" of="base"
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: layers = [self.q_proj, self.k_proj, self.v_proj]

# %% wrong: no ValueError advice="raise a ValueError in the constructor if num_heads doesn't divide embed_dim" of="base"
# was:     if embed_dim % num_heads:
# becomes: if False:

# %% wrong: an assert instead says="should raise ValueError" of="base"
# was:     if embed_dim % num_heads:
# was:         raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
# becomes: assert embed_dim % num_heads == 0

# %% wrong: call without mask advice="the mask doesn't arrive: __call__ must pass it on to forward" of="base"
# was:     return self.forward(x, mask)
# becomes: return self.forward(x)

# %% wrong: other names says="the layer has no v_proj" of="base"
# was:     """Self-attention with several heads: Linear layers q_proj, k_proj, v_proj and out_proj.
# becomes: """Self-attention with several heads: Linear layers q_proj, k_proj, value_proj and out_proj.

# was:     self.v_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.value_proj = Linear(embed_dim, embed_dim, rng)

# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.value_proj)]

# was:     """Weight and bias of q_proj, k_proj, v_proj, out_proj: a list of 8."""
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: """Weight and bias of q_proj, k_proj, value_proj, out_proj: a list of 8."""
# becomes: layers = [self.q_proj, self.k_proj, self.value_proj, self.out_proj]

# %% right: swapaxes and heads of its own
class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"{num_heads} heads don't divide {embed_dim}")
        self.num_heads = num_heads
        for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
            setattr(self, name, Linear(embed_dim, embed_dim, rng))

    def forward(self, x, mask=None):
        heads = []
        Q, K, V = (split_heads(np.asarray(p.forward(x)), self.num_heads)
                   for p in (self.q_proj, self.k_proj, self.v_proj))
        for h in range(self.num_heads):
            scores = np.einsum("bid,bjd->bij", Q[:, h], K[:, h]) * Q.shape[-1] ** -0.5
            weights = softmax(scores if mask is None else mask + scores)
            heads.append(np.einsum("bij,bjd->bid", weights, V[:, h]))
        return self.out_proj.forward(combine_heads(np.stack(heads, axis=1)))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return sum((p.parameters() for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])

# %% wrong: root of num_heads advice="the scores are divided by √num_heads: what counts is how many numbers a head's query has, d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(self.num_heads)


# %% wrong: root of the batch advice="the scores are divided by √batch: take d_k from the last axis of the queries" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(batch)


# %% wrong: divides by embed_dim advice="the scores are divided by 6: that is embed_dim, or `d_k ** 1/2`, which divides by d_k and then by 2. Take math.sqrt(d_k)" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / embed_dim


# %% wrong: d_k to the power of 1, then halves advice="the scores are divided by 6: that is embed_dim, or `d_k ** 1/2`, which divides by d_k and then by 2. Take math.sqrt(d_k)" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 1/2


# %% wrong: half of d_k advice="the scores are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / (Q.shape[-1] ** 1/2)


# %% wrong: scale after softmax advice="the scale comes after softmax: divide the scores before it" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2)

# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores) / math.sqrt(Q.shape[-1]) @ V


# %% wrong: scale twice advice="the scores are divided by d_k, or by its root twice: divide by √d_k, once" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]) / math.sqrt(Q.shape[-1])


# %% wrong: no softmax advice="the scores weigh the values: take softmax of them first" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = scores @ V


# %% wrong: softmax over the heads advice="softmax runs over the heads: it should run over the keys, the last axis" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores.swapaxes(1, 3)).swapaxes(1, 3) @ V


# %% wrong: softmax twice advice="softmax is taken twice: its result are the weights" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(softmax(scores)) @ V


# %% wrong: weights not used advice="each token keeps its own value: multiply the weights by the values" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = V


# %% wrong: plain mean of the values advice="each query gets a plain mean of the values: multiply the weights by the values" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(0 * scores) @ V


# %% wrong: keys as values advice="the weights multiply the keys: send x through v_proj for the values, and multiply the weights by them" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores) @ K


# %% wrong: queries as values advice="the weights multiply the queries: send x through v_proj for the values, and multiply the weights by them" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores) @ Q


# %% wrong: weights transposed advice="the weights are transposed before they meet the values: row i, of query i, weighs them" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores).swapaxes(-1, -2) @ V


# %% wrong: values from x advice="the values are x itself: project it with v_proj" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj)] + [x]


# %% wrong: queries from x advice="the queries are x itself: project it with q_proj" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [x] + [layer.forward(x) for layer in (self.k_proj, self.v_proj)]


# %% wrong: keys from x advice="the keys are x itself: project it with k_proj" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [self.q_proj.forward(x), x, self.v_proj.forward(x)]


# %% wrong: queries with themselves advice="the queries meet queries: send x through k_proj for the keys, and multiply the queries by them" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])


# %% wrong: keys with themselves advice="the keys meet keys: send x through q_proj for the queries, and put them on the left of the product" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = K @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])


# %% wrong: keys from q_proj advice="the queries meet queries: send x through k_proj for the keys, and multiply the queries by them" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.q_proj, self.v_proj)]


# %% wrong: values from k_proj advice="the weights multiply the keys: send x through v_proj for the values, and multiply the weights by them" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.k_proj)]


# %% wrong: values and keys swapped advice="k_proj and v_proj have changed places: the order of the projections doesn't fit that of the names" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.v_proj, self.k_proj)]


# %% wrong: values through another advice="the queries' projection is used for all three: send x through q_proj, k_proj and v_proj" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [self.q_proj.forward(x)] * 3


# %% wrong: projected one after the other advice="each projection gets the result of the one before: all three get x" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: q = self.q_proj.forward(x)
# becomes: k = self.k_proj.forward(q)
# becomes: projected = [q, k, self.v_proj.forward(k)]


# %% wrong: weight without bias advice="the biases of the projections are left out: use forward of each, which adds them" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [x @ layer.weight.data for layer in (self.q_proj, self.k_proj, self.v_proj)]


# %% wrong: out_proj without bias advice="the bias of out_proj is left out: use its forward, which adds it" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return (heads.swapaxes(1, 2).reshape(batch, seq, embed_dim)) @ self.out_proj.weight.data


# %% wrong: out_proj twice advice="out_proj is applied twice" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim)))


# %% wrong: out_proj for each head's values advice="out_proj comes before the attention: it mixes the combined heads, at the end" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return heads.swapaxes(1, 2).reshape(batch, seq, embed_dim)

# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [self.q_proj.forward(x), self.k_proj.forward(x), self.out_proj.forward(self.v_proj.forward(x))]


# %% wrong: one head only advice="all of the embedding is one head: cut it into num_heads" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, seq, 1, -1).swapaxes(1, 2) for a in projected)


# %% wrong: as many heads as d_k advice="there are d_k heads of num_heads numbers: it should be num_heads heads of d_k" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, seq, -1, self.num_heads).swapaxes(1, 2) for a in projected)


# %% wrong: interleaved when split only advice="the heads are interleaved when they are split: each owns a contiguous slice, as split_heads cuts it" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, seq, -1, self.num_heads).transpose(0, 3, 1, 2) for a in projected)


# %% wrong: interleaved when merged only advice="the heads are interleaved when they are merged: put them side by side, as combine_heads does" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.transpose(0, 2, 3, 1).reshape(batch, seq, embed_dim))


# %% wrong: bare reshape when split only advice="a bare reshape makes the heads, which cuts the tokens apart: cut the last axis, then swap heads and tokens (split_heads does it); merging is right" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, self.num_heads, seq, -1) for a in projected)


# %% wrong: heads averaged advice="the heads are averaged: put them side by side, as combine_heads does" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(np.tile(heads.mean(axis=1), self.num_heads))


# %% wrong: heads summed advice="the heads are added up: put them side by side, as combine_heads does" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(np.tile(heads.sum(axis=1), self.num_heads))


# %% wrong: first head for all advice="all heads hold what the first gives: each has its own" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(np.tile(heads[:, 0], self.num_heads))


# %% wrong: heads in another order advice="the heads are put together in another order: head 0 comes first" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads[:, ::-1].swapaxes(1, 2).reshape(batch, seq, embed_dim))


# %% wrong: residual path advice="x is added to the output: this layer has no residual path" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return x + self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))


# %% wrong: keys reshaped advice="the keys are reshaped: that tears them apart, so turn their last two axes" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.reshape(batch, self.num_heads, -1, seq) / math.sqrt(Q.shape[-1])


# %% wrong: all axes of the keys transposed says="K.T" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.T / math.sqrt(Q.shape[-1])


# %% wrong: no transpose of the keys says="Q @ K" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K / math.sqrt(Q.shape[-1])


# %% wrong: layers called says="'Linear' object is not callable" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]


# %% wrong: Parameter in a product says="self.q_proj.weight" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [x @ self.q_proj.weight, x @ self.k_proj.weight, x @ self.v_proj.weight]


# %% wrong: mask after softmax advice="the mask comes after softmax, so blocked keys took a share of it: add it to the scores" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores) * (1 if mask is None else np.exp(np.expand_dims(mask, -3))) @ V

# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: pass


# %% wrong: mask subtracted advice="the mask is subtracted, multiplied, or added after softmax, which makes ∞ or NaN: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores - np.expand_dims(mask, -3)


# %% wrong: mask multiplied advice="the mask is subtracted, multiplied, or added after softmax, which makes ∞ or NaN: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores * np.expand_dims(mask, -3)


# %% wrong: mask in place of scores advice="the mask takes the place of the scores: add it to them" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = 0 * scores + np.expand_dims(mask, -3)


# %% wrong: mask of the first sequence advice="every sequence gets the mask of the first one: one of shape (batch, seq, seq) has its own for each" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + (mask if np.ndim(mask) == 2 else mask[0])


# %% wrong: mask for one head only advice="only the first head is masked: all heads share the mask" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores[:, 0] += mask


# %% wrong: mask with three axes ignored advice="the mask is ignored, at least one with three axes: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + (mask if np.ndim(mask) == 2 else 0)


# %% wrong: mask with two axes ignored advice="a mask with two axes is ignored: it holds for all sequences" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + (np.expand_dims(mask, -3) if np.ndim(mask) == 3 else 0)


# %% wrong: axis behind the sequences for both kinds says="third from the right" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + mask[:, None]


# %% wrong: mask asked for its truth says="if mask:" of="base"
# was:     if mask is not None:
# becomes: if mask:


# %% wrong: causal without being asked advice="keys after the query are left out: without a mask each query sees all keys" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(np.where(np.tri(seq) == 1, scores, -np.inf)) @ V


# %% wrong: own softmax without maximum advice="np.exp overflows, or all of a row becomes 0: subtract the largest score of each query's own row, or use the given softmax" of="base"
# was:     heads = softmax(scores) @ V
# becomes: shares = np.exp(scores)
# becomes: heads = shares / shares.sum(axis=-1, keepdims=True) @ V


# %% wrong: maximum of everything advice="np.exp overflows, or all of a row becomes 0: subtract the largest score of each query's own row, or use the given softmax" of="base"
# was:     heads = softmax(scores) @ V
# becomes: shares = np.exp(scores - scores.max())
# becomes: heads = shares / shares.sum(axis=-1, keepdims=True) @ V


# %% wrong: only the first sequence advice="only one sequence came back: keep the axis of the batch" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))[0]


# %% wrong: output still with heads says="a mismatch in its core dimension" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads)


# %% wrong: forward without return says="end with a return" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))


# %% wrong: call without return says="end with a return" of="base"
# was:     return self.forward(x, mask)
# becomes: self.forward(x, mask)


# %% wrong: changes its input says="an input was changed" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: x -= x.mean()


# %% wrong: fixed seed says="two generators with two seeds give the same weight of q_proj" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.k_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.v_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.out_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.q_proj = Linear(embed_dim, embed_dim, np.random.default_rng(0))
# becomes: self.k_proj = Linear(embed_dim, embed_dim, np.random.default_rng(0))
# becomes: self.v_proj = Linear(embed_dim, embed_dim, np.random.default_rng(0))
# becomes: self.out_proj = Linear(embed_dim, embed_dim, np.random.default_rng(0))


# %% wrong: one generator of its own says="two generators with two seeds give the same weight of q_proj" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# becomes: rng = np.random.default_rng(0)
# becomes: self.q_proj = Linear(embed_dim, embed_dim, rng)


# %% wrong: unseeded says="two generators with the same seed give two weights of q_proj" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.k_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.v_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.out_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.q_proj = Linear(embed_dim, embed_dim, np.random.default_rng())
# becomes: self.k_proj = Linear(embed_dim, embed_dim, np.random.default_rng())
# becomes: self.v_proj = Linear(embed_dim, embed_dim, np.random.default_rng())
# becomes: self.out_proj = Linear(embed_dim, embed_dim, np.random.default_rng())


# %% wrong: unseeded out_proj says="two generators with the same seed give two weights of out_proj" of="base"
# was:     self.out_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.out_proj = Linear(embed_dim, embed_dim, np.random.default_rng())


# %% wrong: copies of the generator says="start alike" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.k_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.v_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.out_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.q_proj = Linear(embed_dim, embed_dim, copy.deepcopy(rng))
# becomes: self.k_proj = Linear(embed_dim, embed_dim, copy.deepcopy(rng))
# becomes: self.v_proj = Linear(embed_dim, embed_dim, copy.deepcopy(rng))
# becomes: self.out_proj = Linear(embed_dim, embed_dim, copy.deepcopy(rng))

# was:     class MultiHeadAttention:
# becomes: import copy
# becomes: 
# becomes: 
# becomes: class MultiHeadAttention:


# %% wrong: one layer for all says="start alike" of="base"
# was:     self.k_proj = Linear(embed_dim, embed_dim, rng)
# was:     self.v_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.k_proj = self.v_proj = self.q_proj


# %% wrong: parameters in four lists says="parameters() has 4 entries" of="base"
# was:     return [parameter for layer in layers for parameter in layer.parameters()]
# becomes: return [layer.parameters() for layer in layers]


# %% wrong: weights first, then biases says="parameters()[1] is not q_proj.bias" of="base"
# was:     return [parameter for layer in layers for parameter in layer.parameters()]
# becomes: return [layer.weight for layer in layers] + [layer.bias for layer in layers]


# %% wrong: sizes compared the wrong way round advice="raise a ValueError in the constructor if num_heads doesn't divide embed_dim" of="base"
# was:     if embed_dim % num_heads:
# becomes: if num_heads % embed_dim == 0:

# %% wrong: blocked scores of 0 advice="blocked scores become 0, which is a score like any other: make them −∞, by adding the mask" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = np.where(np.expand_dims(mask, -3) == 0, scores, 0)


# %% wrong: keys of all heads added up advice="each head's queries meet the keys of all heads: head by head they stay apart" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = np.einsum("bhid,bgjd->bhij", Q, K) / math.sqrt(Q.shape[-1])


# %% wrong: out_proj's weight transposed advice="out_proj's weight is transposed: it is (in, out), and its forward does the product" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return heads.swapaxes(1, 2).reshape(batch, seq, embed_dim) @ self.out_proj.weight.data.T + self.out_proj.bias.data


# %% wrong: projections' weights transposed advice="the projections' weights are transposed: they are (in, out), and forward of each does the product" of="base"
# was:     projected = [layer.forward(x) for layer in (self.q_proj, self.k_proj, self.v_proj)]
# becomes: projected = [x @ layer.weight.data.T + layer.bias.data for layer in (self.q_proj, self.k_proj, self.v_proj)]


# %% wrong: scores averaged over the heads advice="the scores are averaged over the heads: each head has its own" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores.mean(axis=1, keepdims=True)) @ V


# %% wrong: values scaled, too advice="the heads' outputs are divided by √d_k, too: the scale belongs to the scores only" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores) @ V / math.sqrt(Q.shape[-1])


# %% wrong: masks taken in another order advice="each sequence gets another one's mask: put an axis for the heads behind that of the batch, with expand_dims" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + (mask if np.ndim(mask) == 2 else np.tile(mask, (self.num_heads, 1, 1)).reshape(scores.shape))


# %% wrong: mask not kept advice="the mask is ignored, at least one with three axes: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores + np.expand_dims(mask, -3)


# %% wrong: scale by both roots advice="the scores are divided by √embed_dim: each head's queries have d_k = embed_dim / num_heads numbers, so take √d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(self.num_heads * Q.shape[-1])


# %% wrong: argument forgotten says="missing 1 required positional argument" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.q_proj = Linear(embed_dim, embed_dim)


# %% wrong: a projection to d_k says="weight has another shape" of="base"
# was:     self.q_proj = Linear(embed_dim, embed_dim, rng)
# becomes: self.q_proj = Linear(embed_dim, embed_dim // num_heads, rng)


# %% wrong: num_heads not kept says="object has no attribute 'num_heads'" of="base"
# was:     self.num_heads = num_heads
# becomes: pass


# %% wrong: mask added after softmax advice="the mask is subtracted, multiplied, or added after softmax, which makes ∞ or NaN: add it to the scaled scores" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: pass

# was:     heads = softmax(scores) @ V
# becomes: heads = (softmax(scores) + (0 if mask is None else np.expand_dims(mask, -3))) @ V


# %% wrong: axis in front for both kinds says="third from the right" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + np.expand_dims(mask, 0)
