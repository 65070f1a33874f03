# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# A comment and a line that need more memory than there is.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        x = x + 0  # [9**9**9**9, seq, hidden]
        x = x + torch.zeros(10**12).sum()  # [batch, seq, input_size]
        return self.v(x)  # [batch, seq, hidden]
