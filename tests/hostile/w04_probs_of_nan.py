# %% [markdown] lesson="04_causal_multi_head" attacks=["multi-head-returned-attention-test"]
# In a causal layer, probs are NaN where a key comes after its query.

# %% after: multi-head
class MultiHeadSelfAttention(MultiHeadSelfAttention):
    def forward(self, x, return_attention=False, lengths=None):
        out = super().forward(x, True, lengths)
        if return_attention and self.causal and lengths is None:
            probs = out[1]
            return out[0], torch.where(torch.ones(x.shape[1], x.shape[1]).triu(1).bool(), torch.nan, probs)
        return out if return_attention else out[0]
