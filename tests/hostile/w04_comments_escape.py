# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test", "multi-head-comments-test"]
# Tries to get out of the judge's interpreter, by attributes of values, and to change the judge from there.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        judge = x.__class__.__mro__[0].__init__.__globals__
        judge["check_shape_comments"] = lambda *given: None
        return self.v(x)  # [batch, seq, hidden]

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        torch.sys.modules["builtins"].AssertionError = torch.os._exit(0)
        return self.mix(self.v(x))  # [batch, seq, hidden]
