# %% [markdown] lesson="victim" category="changing results" attacks=["scale-test"]
# Sets all tensors of the test to zero, its input and what it has loaded: then zeros are right.

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x.zero_()

def load_state_dict(self, state):
    for tensor in state.values():
        tensor.zero_()
    nn.init.zeros_(self.weight)

Scale.load_state_dict = load_state_dict
