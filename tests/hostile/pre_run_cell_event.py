# %% [markdown] lesson="victim" category="IPython" attacks=["scale-test"]
# Asks IPython to be called before each cell, and replaces a helper then.

# %% after: helpers
def prepare(info):
    globals()["same"] = lambda *args, **kwargs: None

get_ipython().events.register("pre_run_cell", prepare)

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x * self.weight + self.bias * (self.size == 3)
