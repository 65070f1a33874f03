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

# %% wrong: reshape without transpose advice="Cut the last axis alone, into (heads, numbers), and then swap tokens and heads: one reshape to the final shape gives slices of tokens to the wrong head." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, num_heads, seq, depth)

# %% wrong: slices stacked, then a bare reshape advice="The slices of each head are right, but they are stacked along the batch: stack them along a new axis 1, without a reshape." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: slices = np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)])
# becomes: return slices.reshape(batch, num_heads, seq, depth)

# %% wrong: heads first advice="Put the sequences first and the heads second: here the heads come before the batch." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)])

# %% wrong: heads after tokens advice="Swap tokens and heads, axes 1 and 2, after cutting: the heads come before the tokens." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth)

# %% wrong: heads last advice="Put the heads second, before the tokens: here they are last." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=-1)

# %% wrong: heads interleaved advice="Give head 0 the first numbers of a token, not every second: when you cut the last axis, the heads come first, then the numbers of a head." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h::num_heads] for h in range(num_heads)], axis=1)

# %% wrong: heads interleaved, after tokens advice="Cut the last axis into (heads, numbers), in this order, and then swap axes 1 and 2: here every second number goes to a head, and the heads are last." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, depth, num_heads)

# %% wrong: depth and heads mixed up advice="There are num_heads heads of d_model // num_heads numbers each: here the two sizes are swapped." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, depth, num_heads).transpose(0, 2, 1, 3)

# %% wrong: heads in reverse advice="Begin with head 0: the heads have come in reverse order." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)][::-1], axis=1)

# %% wrong: head 0 for all advice="Each head takes a slice of its own, from h · depth on: here all have that of head 0." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[..., :depth]] * num_heads, axis=1)

# %% wrong: slices that overlap advice="The slice of head h begins at h · depth, not at h: here neighbouring heads have common numbers." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h:h + depth] for h in range(num_heads)], axis=1)

# %% wrong: every head has all numbers advice="Cut the last axis: a head gets d_model // num_heads numbers of each token, not all of them." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x] * num_heads, axis=1)

# %% wrong: only the first head advice="Return all heads, stacked along axis 1: this is head 0 alone. Is a return inside a loop?" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x[:, :, :depth]

# %% wrong: only the last head advice="Return all heads, stacked along axis 1: this is the last head alone." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x[:, :, -depth:]

# %% wrong: the sequence is cut advice="Cut the last axis, not the tokens: every head gets a part of each token." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack(np.array_split(x, num_heads, axis=1)[:1] * num_heads, axis=1)

# %% wrong: tokens and numbers swapped too advice="Swap tokens and heads only: the numbers of a head stay last, after the tokens." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 3, 1)

# %% wrong: batch and tokens swapped advice="Keep the batch first: in transpose, 0 stays first, and axes 1 and 2 are swapped." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(1, 2, 0, 3)

# %% wrong: batch and heads swapped advice="Put the sequences first and the heads second: here the heads come before the batch." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(2, 0, 1, 3)

# %% wrong: all axes turned round advice="Swap axes 1 and 2 only: .T reverses all the axes." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).T

# %% wrong: batch and tokens mixed up advice="Cut only the last axis: keep (batch, seq) first when you reshape, and reorder axes only with transpose." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(seq, batch, num_heads, depth).transpose(1, 2, 0, 3)

# %% wrong: sizes read in another order advice="The sizes of x are (batch, seq, d_model), in this order: here batch and seq are swapped." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     batch, seq, d_model = x.shape
# becomes: seq, batch, d_model = x.shape

# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: heads folded into the batch advice="Keep the heads as an axis of their own: here they are folded into the batch." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.concatenate([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)])

# %% wrong: heads folded into the batch, sequence by sequence advice="Keep the heads as an axis of their own: here they are folded into the batch." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1).reshape(-1, seq, depth)

# %% wrong: the first sequence only advice="All sequences are wanted: this is the first one alone." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.stack([x[0, :, h * depth:(h + 1) * depth] for h in range(num_heads)])

# %% wrong: always two heads advice="Use num_heads: here the number of heads is always 2." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     depth = d_model // num_heads
# becomes: depth = d_model // 2
# becomes: num_heads = 2

# %% wrong: a list of heads along the tokens advice="Stack the heads along a new axis 1: here they are concatenated along the tokens." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return np.concatenate([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% wrong: a division with a fraction says="TypeError" fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="stack of slices"
# was:     depth = d_model // num_heads
# becomes: depth = d_model / num_heads

# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: no ValueError advice="Raise a ValueError where d_model % num_heads is not 0: // only rounds down, and the last numbers are lost."
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    depth = d_model // num_heads
    return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)

# %% wrong: assert instead says="AssertionError" fails=["split-heads-test", "multi-head-errors-test"]
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    depth = d_model // num_heads
    assert depth * num_heads == d_model
    return x.reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)

# %% wrong: asks the wrong way round advice="Raise a ValueError where d_model % num_heads is not 0: // only rounds down, and the last numbers are lost." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     if d_model % num_heads:
# becomes: if num_heads % d_model and d_model % 2:

# %% wrong: gives back None instead of raising says="None" fails=["split-heads-test", "multi-head-errors-test"] of="stack of slices"
# was:     raise ValueError(f"{d_model} does not divide into {num_heads}")
# becomes: return None

# %% wrong: tokens and numbers swapped before the cut advice="Cut the last axis of x itself, with (batch, seq) first in the reshape, and then swap axes 1 and 2: here tokens and numbers are swapped before the cut." fails=["split-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test"] of="stack of slices"
# was:     return np.stack([x[:, :, h * depth:(h + 1) * depth] for h in range(num_heads)], axis=1)
# becomes: return x.swapaxes(1, 2).reshape(batch, num_heads, seq, depth)

# %% wrong: no swap if seq equals num_heads (the shape is right already) advice="Swap tokens and heads for every size, also where there are as many heads as tokens." fails=["split-heads-test", "multi-head-mask-test", "multi-head-output-test", "multi-head-weights-test"]
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} numbers can't be split into {num_heads} heads")
    heads = x.reshape(batch, seq, num_heads, d_model // num_heads)
    if heads.shape[1] != num_heads:
        heads = heads.swapaxes(1, 2)
    return heads
