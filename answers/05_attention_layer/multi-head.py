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

# %% wrong: no scale says="not divided by √d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2)

# %% wrong: root of embed_dim says="divided by √embed_dim" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(embed_dim)

# %% wrong: divides by d_k says="divided by d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]

# %% wrong: root of seq says="divided by √seq" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) / math.sqrt(seq)

# %% wrong: multiplies by the root says="multiplied by √d_k" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ K.swapaxes(-1, -2) * math.sqrt(Q.shape[-1])

# %% wrong: Q and K swapped says="changed places" of="base"
# was:     scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
# becomes: scores = K @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])

# %% wrong: softmax over the queries says="over the queries" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2) @ V

# %% wrong: only exp says="is there a softmax" of="base"
# was:     heads = softmax(scores) @ V
# becomes: heads = np.exp(scores) @ V

# %% wrong: out_proj left out says="out_proj is left out" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return (heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))

# %% wrong: bare reshape to heads says="a bare reshape" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, self.num_heads, seq, -1) for a in projected)

# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.reshape(batch, seq, embed_dim))

# %% wrong: merged without swapping says="merged without swapping" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.reshape(batch, seq, embed_dim))

# %% wrong: interleaved heads says="the heads are interleaved: each" of="base"
# was:     Q, K, V = (a.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2) for a in projected)
# becomes: Q, K, V = (a.reshape(batch, seq, -1, self.num_heads).transpose(0, 3, 1, 2) for a in projected)

# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.transpose(0, 2, 3, 1).reshape(batch, seq, embed_dim))

# %% wrong: mask ignored says="the mask is ignored" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: pass

# %% wrong: mask transposed says="the mask is transposed" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + np.expand_dims(np.swapaxes(mask, -1, -2), -3)

# %% wrong: mask upside down says="upside down" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + np.where(np.expand_dims(mask, -3) == 0, -np.inf, 0)

# %% wrong: mask lined up with the heads says="broadcast" of="base"
# was:     scores = scores + np.expand_dims(mask, -3)
# becomes: scores = scores + mask

# %% wrong: returns the weights too says="the output alone" of="base"
# was:     return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim))
# becomes: return self.out_proj.forward(heads.swapaxes(1, 2).reshape(batch, seq, embed_dim)), softmax(scores)

# %% wrong: parameters short of biases says="parameters() has only 4" of="base"
# was:     return [parameter for layer in layers for parameter in layer.parameters()]
# becomes: return [parameter for layer in layers for parameter in layer.parameters()[:1]]

# %% wrong: parameters in another order says="the order is q, k, v, out" of="base"
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: layers = [self.q_proj, self.v_proj, self.k_proj, self.out_proj]

# %% wrong: parameters without out_proj says="parameters() must be" of="base"
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: layers = [self.q_proj, self.k_proj, self.v_proj]

# %% wrong: no ValueError says="raise a ValueError" of="base"
# was:     if embed_dim % num_heads:
# becomes: if False:

# %% wrong: an assert instead says="raise a ValueError" of="base"
# was:     if embed_dim % num_heads:
# was:         raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
# becomes: assert embed_dim % num_heads == 0

# %% wrong: call without mask says="__call__ must pass it on" of="base"
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
