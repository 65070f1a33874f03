# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test", "self-attention-test"]
# One commented line, which is not attention, with a branch that shape comments once took for the code.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        return self.q(x) + self.k(x).cumsum(1) + self.v(x).mean(1, keepdim=True)  # [batch, seq, hidden]
