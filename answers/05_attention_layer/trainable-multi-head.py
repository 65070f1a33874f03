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
        self.kept, outputs = [], []
        for h in range(self.h):
            own = slice(h * self.d, (h + 1) * self.d)
            Q, K, V = q[..., own], k[..., own], v[..., own]
            scores = Q @ K.transpose(0, 2, 1) / np.sqrt(self.d)
            if mask is not None:
                scores += mask
            weights = softmax(scores)
            self.kept.append((Q, K, V, weights))
            outputs.append(weights @ V)
        return self.out_proj.forward(np.concatenate(outputs, axis=-1))

    def backward(self, grad_output):
        grad = self.out_proj.backward(grad_output)
        parts = np.split(grad, self.h, axis=-1)
        gradients = [attention_backward(g, *kept) for g, kept in zip(parts, self.kept)]
        q, k, v = (np.concatenate(group, axis=-1) for group in zip(*gradients))
        return self.q_proj.backward(q) + self.k_proj.backward(k) + self.v_proj.backward(v)

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
        self.kept = q, k, v, w
        return self.out_proj.forward(np.einsum("bhij,bjhd->bihd", w, v).reshape(x.shape))

    def backward(self, grad_output):
        q, k, v, w = self.kept
        shape = grad_output.shape
        g = self.cut(self.out_proj.backward(grad_output))
        gv = np.einsum("bhij,bihd->bjhd", w, g)
        gw = np.einsum("bihd,bjhd->bhij", g, v)
        gs = w * (gw - (w * gw).sum(-1, keepdims=True)) * self.size**-0.5
        gq, gk = np.einsum("bhij,bjhd->bihd", gs, k), np.einsum("bhij,bihd->bjhd", gs, q)
        grad_x = self.q_proj.backward(gq.reshape(shape))
        grad_x = grad_x + self.k_proj.backward(gk.reshape(shape))
        return grad_x + self.v_proj.backward(gv.reshape(shape))

    def __call__(self, x, mask=None):
        return self.forward(x, mask=mask)

    def parameters(self):
        return [self.q_proj.weight, self.q_proj.bias, self.k_proj.weight, self.k_proj.bias,
                self.v_proj.weight, self.v_proj.bias, self.out_proj.weight, self.out_proj.bias]

# %% base
class MultiHeadAttention:
    """Self-attention with several heads that can be trained: q_proj, k_proj, v_proj, out_proj.

    Raises ValueError if num_heads does not divide embed_dim.
    """

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} can't be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, rng) for _ in range(4))

    def forward(self, x, mask=None):
        """x: (batch, seq, embed_dim), mask: None, (seq, seq) or (batch, seq, seq), 0 or -inf.

        Returns the output alone: (batch, seq, embed_dim).
        """
        self.Q, self.K, self.V = (
            self.split(layer.forward(x)) for layer in (self.q_proj, self.k_proj, self.v_proj))
        scores = self.Q @ self.K.swapaxes(-1, -2) / math.sqrt(self.Q.shape[-1])
        if mask is not None:
            scores = scores + np.expand_dims(mask, -3)
        self.weights = softmax(scores)
        return self.out_proj.forward(self.merge(self.weights @ self.V))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        """grad_output: like the output of the last forward. Returns the gradient of its x.

        Adds the gradient of each of the 8 parameters to its .grad.
        """
        grad_heads = self.split(self.out_proj.backward(grad_output))
        grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
        layers = (self.q_proj, self.k_proj, self.v_proj)
        return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))

    def parameters(self):
        """Weight and bias of q_proj, k_proj, v_proj, out_proj: a list of 8."""
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]

    def split(self, a):
        return a.reshape(*a.shape[:2], self.num_heads, -1).swapaxes(1, 2)

    def merge(self, heads):
        tokens = heads.swapaxes(1, 2)
        return tokens.reshape(*tokens.shape[:2], -1)

# %% right: computes the forward pass again of="base"
# was:     self.Q, self.K, self.V = (
# becomes: self.x = x
# becomes: self.Q, self.K, self.V = (

# was:     grad_heads = self.split(self.out_proj.backward(grad_output))
# becomes: Q, K, V = (self.split(self.x @ layer.weight.data + layer.bias.data)
# becomes:            for layer in (self.q_proj, self.k_proj, self.v_proj))
# becomes: grad_heads = self.split(self.out_proj.backward(grad_output))

# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: grads = attention_backward(grad_heads, Q, K, V, self.weights)

# %% wrong: path through q forgotten says="the path through q_proj is missing" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return k + v

# %% wrong: path through k forgotten says="the path through k_proj is missing" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return q + v

# %% wrong: path through v forgotten says="the path through v_proj is missing" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return q + k

# %% wrong: only the path through v says="only the path through v_proj" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return v

# %% wrong: mean of the paths says="the mean of the three paths" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return (q + k + v) / 3

# %% wrong: a residual path that is not there says="no residual path" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: q, k, v = (layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return q + k + v + grad_output

# %% wrong: no ValueError says="raise a ValueError" fails=["trainable-multi-head-parameters-test"] of="base"
# was:     if embed_dim % num_heads:
# becomes: if False:

# %% wrong: out_proj skipped says="out_proj is skipped" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_heads = self.split(self.out_proj.backward(grad_output))
# becomes: grad_heads = self.split(grad_output)

# %% wrong: gradient split by a bare reshape says="split by a bare reshape" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_heads = self.split(self.out_proj.backward(grad_output))
# becomes: grad_heads = self.out_proj.backward(grad_output).reshape(self.Q.shape)

# %% wrong: gradient merged by a bare reshape says="merged by a bare reshape" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return sum(layer.backward(grad.reshape(grad_output.shape)) for layer, grad in zip(layers, grads))

# %% wrong: Q and K swapped says="changed places" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, (grads[1], grads[0], grads[2])))

# %% wrong: mask ignored in backward says="the mask is ignored on the way back" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: weights = softmax(self.Q @ self.K.swapaxes(-1, -2) / math.sqrt(self.Q.shape[-1]))
# becomes: grads = attention_backward(grad_heads, self.Q, self.K, self.V, weights)

# %% wrong: no sum in softmax says="the sum in softmax's gradient" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * gw / math.sqrt(self.Q.shape[-1])
# becomes: grads = gs @ self.K, T(gs) @ self.Q, T(self.weights) @ grad_heads

# %% wrong: softmax left out says="through softmax is left out" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = gw / math.sqrt(self.Q.shape[-1])
# becomes: grads = gs @ self.K, T(gs) @ self.Q, T(self.weights) @ grad_heads

# %% wrong: scale forgotten says="the scale √d_k is forgotten on the way" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True))
# becomes: grads = gs @ self.K, T(gs) @ self.Q, T(self.weights) @ grad_heads

# %% wrong: scale forgotten for Q says="forgotten for the queries" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True)) / math.sqrt(self.Q.shape[-1])
# becomes: grads = gs @ self.K * math.sqrt(self.Q.shape[-1]), T(gs) @ self.Q, T(self.weights) @ grad_heads

# %% wrong: scale forgotten for K says="forgotten for the keys" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True)) / math.sqrt(self.Q.shape[-1])
# becomes: grads = gs @ self.K, T(gs) @ self.Q * math.sqrt(self.Q.shape[-1]), T(self.weights) @ grad_heads

# %% wrong: transposes in Q and K swapped says="transposed for queries" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True)) / math.sqrt(self.Q.shape[-1])
# becomes: grads = T(gs) @ self.K, gs @ self.Q, T(self.weights) @ grad_heads

# %% wrong: V with untransposed weights says="not transposed for the values" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True)) / math.sqrt(self.Q.shape[-1])
# becomes: grads = gs @ self.K, T(gs) @ self.Q, self.weights @ grad_heads

# %% wrong: gradients overwritten says="is overwritten" fails=["trainable-multi-head-parameters-test"] of="base"
# was:     grad_heads = self.split(self.out_proj.backward(grad_output))
# becomes: zero_grad(self.parameters())
# becomes: grad_heads = self.split(self.out_proj.backward(grad_output))

# %% wrong: parameters short of biases says="parameters() has only 4" fails=["trainable-multi-head-parameters-test"] of="base"
# was:     return [parameter for layer in layers for parameter in layer.parameters()]
# becomes: return [parameter for layer in layers for parameter in layer.parameters()[:1]]

# %% wrong: parameters in another order says="parameters()[2] is not" fails=["trainable-multi-head-parameters-test"] of="base"
# was:     layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
# becomes: layers = [self.q_proj, self.v_proj, self.k_proj, self.out_proj]

# %% wrong: gradient of x collects says="the gradient of x has grown" fails=["trainable-multi-head-x-test"] of="base"
# was:     return sum(layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: self.grad_x = getattr(self, "grad_x", 0) + sum(
# becomes:     layer.backward(self.merge(grad)) for layer, grad in zip(layers, grads))
# becomes: return self.grad_x

# %% wrong: forward without scale, and backward of that says="the scores are not divided" fails=["trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     scores = self.Q @ self.K.swapaxes(-1, -2) / math.sqrt(self.Q.shape[-1])
# becomes: scores = self.Q @ self.K.swapaxes(-1, -2)

# was:     grads = attention_backward(grad_heads, self.Q, self.K, self.V, self.weights)
# becomes: T = lambda a: a.swapaxes(-1, -2)
# becomes: gw = grad_heads @ T(self.V)
# becomes: gs = self.weights * (gw - (self.weights * gw).sum(-1, keepdims=True))
# becomes: grads = gs @ self.K, T(gs) @ self.Q, T(self.weights) @ grad_heads
