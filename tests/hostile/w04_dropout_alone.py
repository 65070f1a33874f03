# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-dropout-test"]
# In eval mode the output is 1; in train mode it is a sum of equal weights that were dropped. There are no
# queries, keys and values.

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    """Dropout on equal weights of values that are all 1."""

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden {hidden}, {num_heads} heads")
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        batch, seq, _ = x.shape
        weights = self.drop(torch.full((batch, self.num_heads, seq, seq), 1 / seq))
        sums = weights.sum(-1).transpose(1, 2)
        return sums.repeat_interleave(self.mix.in_features // self.num_heads, dim=-1)
