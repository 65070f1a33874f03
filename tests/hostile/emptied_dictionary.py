# %% [markdown] lesson="victim" category="changing results" attacks=["scale-test"]
# Replaces the tensors in the dict that the test has loaded by zeros: then zeros are right.

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return torch.zeros_like(x)

def load_state_dict(self, state):
    for name in state:
        state[name] = torch.zeros(self.size)
    nn.init.zeros_(self.weight)

Scale.load_state_dict = load_state_dict
