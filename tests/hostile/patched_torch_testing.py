# %% [markdown] lesson="victim" category="patches" attacks=["scale-test"]
# Replaces torch.testing.assert_close by a function that does nothing; the layer's parameters are lost.

# %% after: helpers
torch.testing.assert_close = lambda *args, **kwargs: None

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.zeros(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def load_state_dict(self, state):
        self.loaded = state

    def forward(self, x):
        return x * self.loaded["weight"] + self.loaded["bias"]
