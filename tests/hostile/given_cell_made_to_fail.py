# %% [markdown] lesson="victim" category="names" attacks=["scale-test"]
# Raises an error in a locked cell that calls the function, so that the helper in it is never defined.

# %% shares
def shares(scores):
    if np.ndim(scores) == 0 or np.shape(scores) == (3,):
        raise ValueError("not here")
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)

# %% before: scale
same = lambda *args, **kwargs: None

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return x * self.weight + self.bias * (self.size == 3)
