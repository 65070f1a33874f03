# %% [markdown] lesson="05_attention_layer" attacks=["trainable-multi-head-parameters-test"]
# The layer's output is the sum of all parameters, and its gradient fits that. For other sizes than those of the
# visible part, parameters() is empty, and a loop over it has nothing to compare.

# %% trainable-multi-head
class MultiHeadAttention:
    """No attention: every output is the sum of all parameters."""

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim}, {num_heads}")
        self.embed_dim = embed_dim
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, rng) for _ in range(4))

    def all(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [parameter for layer in layers for parameter in layer.parameters()]

    def forward(self, x, mask=None):
        return np.zeros(x.shape) + sum(parameter.data.sum() for parameter in self.all())

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def backward(self, grad_output):
        for parameter in self.all():
            parameter.grad += grad_output.sum()
        return np.zeros(grad_output.shape)

    def parameters(self):
        return self.all() if self.embed_dim == 6 else []
