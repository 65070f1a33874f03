# %% right: permute and reshape
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.permute(0, 2, 1, 3).reshape(batch, seq, heads * size)

# %% right: cat over heads
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return torch.cat([x[:, h] for h in range(heads)], dim=-1)

# %% right: contiguous and view
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.transpose(1, 2).contiguous().view(batch, seq, -1)

# %% right: unbind and cat
def merge_heads(x):
    return torch.cat(x.unbind(1), -1)

# %% right: einsum and flatten
def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(2)

# %% wrong: merge without transpose says="swap heads and tokens back" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.reshape(batch, seq, heads * size)

# %% wrong: interleaved says="the heads are interleaved" fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, seq, heads * size)

# %% wrong: reverse order says="in the wrong order" fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return torch.cat([x[:, h] for h in reversed(range(heads))], dim=-1)

# %% wrong: head 0 for all says="head 0 stands in every place" fails=["merge-heads-test", "multi-head-values-test", "multi-head-returned-attention-test", "multi-head-dropout-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return torch.cat([x[:, 0]] * heads, dim=-1)

# %% wrong: transpose and view says="view size is not compatible" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.transpose(1, 2).view(batch, seq, heads * size)

# %% wrong: mean over heads says="but got (1, 3, 2)" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"]
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.mean(1)

# %% wrong: mixes up batch and tokens says="on a larger random input" fails=["merge-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] visible=false
def merge_heads(x):
    batch, heads, seq, size = x.shape
    return x.permute(2, 0, 1, 3).reshape(batch, seq, heads * size)
