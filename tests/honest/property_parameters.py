# %% [markdown] lesson="05_attention_layer"
# A layer with slots, properties, a metaclass that registers it, and weak references.

# %% linear
import weakref

class Registered(type):
    known = weakref.WeakSet()

    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        Registered.known.add(made)
        return made

class Linear(metaclass=Registered):
    __slots__ = ("_both", "x", "__weakref__")

    def __init__(self, in_features, out_features, rng):
        deviation = np.sqrt(2 / (in_features + out_features))
        self._both = (
            Parameter(deviation * rng.normal(size=(in_features, out_features))), Parameter(np.zeros(out_features)))

    @property
    def weight(self):
        return self._both[0]

    @property
    def bias(self):
        return self._both[1]

    def forward(self, x):
        self.x = x
        return x @ self.weight.data + self.bias.data

    __call__ = forward

    def backward(self, grad_output):
        flat = grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad += self.x.reshape(len(flat), -1).T @ flat
        self.bias.grad += flat.sum(0)
        return grad_output @ self.weight.data.T

    def parameters(self):
        return list(self._both)
