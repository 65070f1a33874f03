# %% [markdown] lesson="victim" category="lying objects" attacks=["scale-test"]
# Saves its parameters as a dict that looks up, when it is asked, what the test has put in.

# %% scale uses=["found"]
class State(dict):
    def __getitem__(self, name):
        return found("state")[name]

class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.lost = nn.Parameter(torch.zeros(size))

    load_state_dict = lambda self, state: self.weight.data.copy_(state["weight"])
    state_dict = lambda self: State(bias=self.lost)
    forward = lambda self, x: x * self.weight + found("state")["bias"]
