# %% [markdown] lesson="04_causal_multi_head" needs="g++"
# A function on tensors, compiled by torch with what it takes by itself.

# %% scaled-scores
@torch.compile
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
