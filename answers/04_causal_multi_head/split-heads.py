# %% right: reshape and permute
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"{hidden} does not divide into {num_heads}")
    size = hidden // num_heads
    return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% right: stack of slices of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack([x[:, :, h * size:(h + 1) * size] for h in range(num_heads)], dim=1)

# %% right: chunk and stack
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"{hidden} does not divide into {num_heads}")
    return torch.stack(x.chunk(num_heads, dim=-1), 1)

# %% right: unflatten, contiguous
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"{hidden} does not divide into {num_heads}")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2).contiguous()

# %% right: einsum
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"{hidden} does not divide into {num_heads}")
    return torch.einsum("bthd->bhtd", x.view(batch, seq, num_heads, -1))

# %% right: explicit loop
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads != 0:
        raise ValueError(f"{hidden} does not divide into {num_heads}")
    size = hidden // num_heads
    out = x.new_zeros(batch, num_heads, seq, size)
    for h in range(num_heads):
        for n in range(size):
            out[:, h, :, n] = x[:, :, h * size + n]
    return out

# %% wrong: view without transpose says="a bare reshape hands slices of tokens to the wrong head" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, num_heads, seq, size)

# %% wrong: heads after tokens says="the heads come after the tokens" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size)

# %% wrong: interleaved heads says="the heads are interleaved" fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, size, num_heads).permute(0, 3, 1, 2)

# %% wrong: heads in reverse order says="reverse order" fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3).flip(1)

# %% wrong: head 0 for all says="the slice of head 0" fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x[:, None, :, :size].repeat(1, num_heads, 1, 1)

# %% wrong: tokens and numbers swapped too says="but got (1, 2, 2, 3)" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(0, 2, 3, 1)

# %% wrong: ValueError missing says="not no error"
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    size = hidden // num_heads
    return x[..., :size * num_heads].reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: reshape raises RuntimeError says="not RuntimeError"
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    size = hidden // num_heads
    return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: assert instead of ValueError says="not AssertionError"
def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    assert hidden % num_heads == 0
    size = hidden // num_heads
    return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: message without the numbers says="contain both values" of="reshape and permute"
# was:     raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: raise ValueError("does not divide")

# %% wrong: mixes up batch and tokens says="on a larger random input" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] visible=false of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(seq, batch, num_heads, size).permute(1, 2, 0, 3)

# %% wrong: input changed in place says="changed its input" visible=false of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: x *= 1.5
# becomes: return (x / 1.5).reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
