# %% [markdown] lesson="03_masked_multi_head"
# A function in NumPy, compiled by torch without a backend.

# %% combine-heads
import torch

@torch.compile(backend="eager")
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
