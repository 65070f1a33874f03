# %% [markdown] lesson="04_causal_multi_head"
# Functions on tensors, compiled by torch for its own kernels.

# %% merge-heads
@torch.compile(backend="aot_eager")
def merge_heads(x):
    batch, num_heads, seq, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, seq, num_heads * head_size)
