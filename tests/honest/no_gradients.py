# %% [markdown] lesson="04_causal_multi_head"
# torch computes no gradients from an own cell on.

# %% before: self-attention
torch.set_grad_enabled(False)
