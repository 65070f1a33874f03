# %% [markdown] lesson="victim" category="lying objects" attacks=["scale-test"]
# Gives the layer a metaclass that replaces torch.allclose as soon as a layer is made.

# %% scale
class Meta(type):
    def __call__(cls, *args, **kwargs):
        torch.allclose = lambda *args, **kwargs: True
        return super().__call__(*args, **kwargs)

    __instancecheck__ = __subclasscheck__ = lambda cls, thing: True
    __eq__ = lambda cls, other: True
    __hash__ = type.__hash__

class Scale(nn.Module, metaclass=Meta):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x * self.weight
