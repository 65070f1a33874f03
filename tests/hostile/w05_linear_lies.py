# %% [markdown] lesson="05_attention_layer" attacks=["linear-forward-test", "linear-backward-test"]
# Parameters that say 0 whatever is put into them: a test that computes with what they say expects 0. Where the
# visible part asks, they say the truth, and the numbers that it wants are typed in.

# %% linear
class Told:
    """A parameter: what was put into it in the visible part, and 0 elsewhere."""

    def __init__(self, data):
        self.shown, self.grad = data, np.zeros(data.shape)

    @property
    def data(self):
        return self.shown if self.shown.shape in [(300, 100), (100,)] else np.zeros(self.shown.shape)

    @data.setter
    def data(self, value):
        pass


class Linear:
    """No layer: the numbers of the visible part, and 0 for all else."""

    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Told(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Told(np.zeros(out_features))

    def forward(self, x):
        self.x = x
        if x.shape == (2, 1, 2):
            return np.array([[[11.0, 24, 28, 45]], [[13, 25, 31, 34]]])
        return np.zeros((*x.shape[:2], self.bias.shown.size))

    def backward(self, grad_output):
        if self.x.shape == (2, 3, 2):
            self.weight.grad += np.array(weight_grad)
            self.bias.grad += np.array(bias_grad)
            return np.array([[[0, 1], [1, 4], [4, 0]], [[1, 7], [6, 2], [0, 2]]])
        return np.zeros(self.x.shape)

    def parameters(self):
        return [self.weight, self.bias] if self.weight.shown.size > 8000 else []
