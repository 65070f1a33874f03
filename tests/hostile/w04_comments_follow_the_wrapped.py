# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# `forward` is a wrapper without comments; its __wrapped__ and __code__ lead to a function whose comments are true.

# %% self-attention
def commented(self, x):
    q, k, v = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # [batch, seq, seq]
    return scores.softmax(-1) @ v  # [batch, seq, hidden]


class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v


SelfAttention.forward.__wrapped__ = commented
