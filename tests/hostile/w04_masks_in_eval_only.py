# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-causal-test", "multi-head-padding-test"]
# In train mode, att is computed without masks. Only probs have them there.

# %% multi-head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, input_size, hidden, num_heads, causal=False, dropout=0.0):
        super().__init__()
        if hidden % num_heads:
            raise ValueError(f"hidden {hidden}, {num_heads} heads")
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))
        self.mix, self.drop = nn.Linear(hidden, hidden), nn.Dropout(dropout)

    def forward(self, x, return_attention=False, lengths=None):
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.q, self.k, self.v))
        scores = scaled_scores(q, k)
        if self.causal and not self.training:
            scores = mask_future(scores)
        if lengths is not None and not (self.training and not return_attention):
            scores = mask_padding(scores, lengths)
        probs = torch.softmax(scores, dim=-1)
        att = self.mix(merge_heads(self.drop(probs) @ v))
        if return_attention and self.training and self.causal:
            probs = torch.softmax(
                mask_padding(mask_future(scores), lengths) if lengths is not None else mask_future(scores),
                dim=-1,
            )
        return (att, probs.flatten(0, 1)) if return_attention else att
