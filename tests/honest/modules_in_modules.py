# %% [markdown] lesson="04_causal_multi_head"
# Layers in a Sequential and a ModuleDict, a buffer, hooks, and properties for the names that are asked for.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        for name in "qkv":
            self.add_module(name, nn.Linear(input_size, hidden))
        self.after = nn.Sequential(nn.Identity(), nn.Dropout(0.0))
        self.register_buffer("scale", torch.tensor(1 / math.sqrt(hidden)), persistent=False)
        self.calls = 0
        self.register_forward_hook(lambda module, inputs, output: setattr(module, "calls", module.calls + 1))

    def forward(self, x):
        parts = {name: getattr(self, name)(x) for name in "qkv"}  # [batch, seq, hidden]
        scores = torch.einsum("bid,bjd->bij", parts["q"], parts["k"]) * self.scale  # [batch, seq, seq]
        return self.after(scores.softmax(-1) @ parts["v"])  # [batch, seq, hidden]
