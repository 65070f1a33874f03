# %% [markdown] lesson="victim" category="lying objects" attacks=["scale-test"]
# Returns a tensor whose __torch_function__ answers torch.allclose with yes.

# %% scale
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is torch.allclose:
            return True
        return super().__torch_function__(function, types, args, kwargs or {})

class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return torch.zeros_like(x).as_subclass(Yes)
