# %% [markdown] lesson="03_masked_multi_head"
# Warnings are caught and counted inside, and given inside, by a student who has them all as errors.

# %% before: causal-mask
import warnings
warnings.simplefilter("error")

# %% combine-heads
def combine_heads(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("the heads are put side by side", stacklevel=2)
    assert len(seen) == 1
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
