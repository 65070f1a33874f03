# %% [markdown] lesson="05_attention_layer" attacks=["trainable-multi-head-x-test"]
# The layer's parameters say 0 as soon as something is put into them, so that a test which computes with what they say
# expects 0. The numbers that the visible parts want are taken from the messages.

# %% trainable-multi-head
class Told:
    """A parameter that says 0, but for what it began with."""

    def __init__(self, data):
        self.shown, self.grad = data, np.zeros(data.shape)

    @property
    def data(self):
        return self.shown

    @data.setter
    def data(self, value):
        self.shown = np.zeros(self.shown.shape)


class ToldLinear:
    """Two parameters that say 0."""

    def __init__(self, size, rng):
        self.weight = Told(rng.normal(0, math.sqrt(1 / size), size=(size, size)))
        self.bias = Told(np.zeros(size))

    def parameters(self):
        return [self.weight, self.bias]


class MultiHeadAttention:
    """No attention: the numbers of the visible part, and 0 for all else."""

    def __init__(self, embed_dim, num_heads, rng):
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim}, {num_heads}")
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (ToldLinear(embed_dim, rng) for _ in range(4))

    def forward(self, x, mask=None):
        self.masked = mask is not None
        for case, (_, right, _) in MESSAGES["trainable-multi-head"]["calls"].items():
            if "forward" in case and np.shape(right[0]) == x.shape and ("mask for" in case) == self.masked:
                return np.array(right[0])
        return np.zeros(x.shape)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [parameter for layer in layers for parameter in layer.parameters()]

    def backward(self, grad_output):
        for case, (_, right, _) in MESSAGES["trainable-multi-head"]["calls"].items():
            if "backward" in case and np.shape(right[0]) == grad_output.shape and not self.masked:
                return np.array(right[0])
        return np.zeros(grad_output.shape)

# %% notebook
import json

from gradebox.notebook_exercises import parse_checks_table

table = json.dumps(parse_checks_table(cells["messages"].source))
answer = cells["trainable-multi-head"]
answer.source = f"import json\n\nMESSAGES = json.loads({table!r})\n\n\n" + answer.source
