# %% [markdown] lesson="03_masked_multi_head" needs="g++"
# A function in NumPy, compiled by torch with what it takes by itself.

# %% combine-heads
import torch

@torch.compile
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
