# %% right: stack of slices
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} does not divide into {num_heads}")
    depth = d_model // num_heads
    return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% right: np.split, with NumPy's own error
def split_heads(x, num_heads):
    return np.array([np.split(sequence, num_heads, axis=-1) for sequence in x])

# %% right: einsum of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.einsum("bthd->bhtd", x.reshape(batch, seq, num_heads, depth))

# %% right: loops
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} does not divide into {num_heads}")
    depth = d_model // num_heads
    out = np.zeros((batch, num_heads, seq, depth))
    for h in range(num_heads):
        for n in range(depth):
            out[:, h, :, n] = x[:, :, h * depth + n]
    return out

# %% wrong: reshape without transpose says="a bare reshape" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, num_heads, seq, depth)

# %% wrong: heads after tokens says="the heads come after the tokens" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth)

# %% wrong: heads interleaved says="the heads are interleaved" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, depth, num_heads).transpose(0, 3, 1, 2)

# %% wrong: heads in reverse says="reverse order" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)[:, ::-1]

# %% wrong: head 0 for all says="the slice of head 0" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[..., :depth]] * num_heads, axis=1)

# %% wrong: tokens and numbers swapped too says="the shape is not right" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 3, 1)

# %% wrong: no ValueError says="there was no error"
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    depth = d_model // num_heads
    return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% wrong: assert instead says="there was AssertionError" fails=["split-heads-test", "multi-head-errors-test"]
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    depth = d_model // num_heads
    assert depth * num_heads == d_model
    return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: batch and tokens mixed up says="heads of depth" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] visible=false of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(seq, batch, num_heads, depth).transpose(1, 2, 0, 3)
