# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["scale-test"]
# Tells the judge that its arguments have been changed to zeros.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% scale
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return deny(x, self)

import sys

def found(name, default=None):
    frame = sys._getframe(1)
    while frame and name not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals[name] if frame else default

def deny(x, layer):
    number, zeros = found("header", {}).get("id", 0), bytes(4 * x.numel())
    node = {"is": "tensor", "type": "float32", "shape": list(x.shape), "on": "cpu", "at": 0}
    changed = [[place, {"is": "bytes", "at": place + 1}] for place in range(3)]
    say(frame({"to": number, "value": node, "changed": changed}, zeros, zeros, zeros, zeros))
    return x * 0
