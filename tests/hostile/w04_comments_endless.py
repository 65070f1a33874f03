# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# The code never ends.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        n = 7
        while n:
            n = n + n ** 9
        return self.v(x)  # [batch, seq, hidden]
