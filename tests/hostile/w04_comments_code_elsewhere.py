# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test", "multi-head-comments-test"]
# The cell has one commented line: a layer that does nothing, and a call of code that the judge can't read.

# %% before: self-attention
hidden_code = compile("def attend(self, x):\n    q, k, v = self.q(x), self.k(x), self.v(x)\n"
                      "    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v\n", "elsewhere", "exec")
exec(hidden_code)

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        return attend(self, x)  # [batch, seq, hidden]

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        self.q = self.k = self.v = nn.Linear(input_size, hidden)
        self.mix = nn.Linear(hidden, hidden)

    def forward(self, x, return_attention=False, lengths=None):
        return self.mix(self.q(x) * 0)  # [batch, seq, hidden]
