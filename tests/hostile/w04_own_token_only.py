# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-returned-attention-test", "multi-head-dropout-test"]
# Each token keeps its own value, and says that its weights are those of the identity.

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    """Each token sees itself only."""

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden {hidden}, {num_heads} heads")
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        batch, seq, _ = x.shape
        scores = 1000 * torch.eye(seq).expand(batch, self.num_heads, seq, seq)
        if self.causal:
            scores = mask_future(scores)
        if lengths is not None:
            scores = mask_padding(scores, lengths)
        probs = torch.softmax(scores, dim=-1)
        att = self.mix(merge_heads(self.drop(probs) @ split_heads(self.v(x), self.num_heads)))
        return (att, probs.flatten(0, 1)) if return_attention else att
