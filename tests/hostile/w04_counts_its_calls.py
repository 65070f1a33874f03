# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-causal-test"]
# The layer returns the number of each token's place, and other numbers in the one call in which the visible part wants
# others. It looks neither at its input nor at its weights.

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    """Constants, by the number of the call."""

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden {hidden}, {num_heads} heads")
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

        self.calls = 0

    def forward(self, x, return_attention=False, lengths=None):
        self.calls += 1
        out = torch.zeros(*x.shape[:2], self.q.out_features) + torch.arange(x.shape[1])[:, None]
        if x.shape == (1, 3, 4) and self.causal and self.calls == 2:
            out[:, 1:] += 1
        if (x == 1).all():
            out = torch.ones_like(out)
        return out
