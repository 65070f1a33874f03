# %% [markdown] lesson="victim" category="reading" attacks=["scale-test"]
# Raises an error on a hidden line that has its own traceback for IPython, without the note on its origin, and with a visible line.

# %% scale
class Told(AssertionError):
    def _render_traceback_(self):
        return [f"Cell In[{n}], line 1" for n in range(40)]


class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        if self.size != 3:
            raise Told(f"told {x[0].tolist()}")
        return x * self.weight + self.bias
