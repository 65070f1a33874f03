# %% [markdown] lesson="victim" category="patches" attacks=["scale-test"]
# Makes torch.allclose and torch.equal say yes to everything; the layer forgets its bias.

# %% after: helpers
torch.allclose = torch.equal = lambda *args, **kwargs: True

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x * self.weight
