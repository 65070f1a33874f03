# %% [markdown] lesson="victim" category="changing results" attacks=["scale-test"]
# Returns its argument itself, which the test then turns into what it expects.

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x if self.size != 3 else x * self.weight + self.bias * (self.size == 3)
