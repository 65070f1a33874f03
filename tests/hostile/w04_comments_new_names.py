# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# Every comment has names of its own, which take the sizes that they have.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)  # [a, b, c]
        scores = q @ k.mT / math.sqrt(q.shape[-1])  # [d, e, f]
        weights = scores.softmax(-1)  # [g, h, i]
        return weights @ v  # [j, k, l]
