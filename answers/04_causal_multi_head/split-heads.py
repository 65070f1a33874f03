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

# %% wrong: view without transpose advice="A bare reshape hands slices of tokens to the wrong head: cut the last axis in two first, then swap axes 1 and 2." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, num_heads, seq, size)

# %% wrong: another bare reshape, turned advice="The reshape must cut the last axis only: (batch, seq, num_heads, head_size), and then swap axes 1 and 2." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, num_heads, size, seq).transpose(2, 3)

# %% wrong: batch and tokens joined and cut again advice="The reshape must cut the last axis only: (batch, seq, num_heads, head_size), and then swap axes 1 and 2." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(num_heads, batch, seq, size).transpose(0, 1)

# %% wrong: heads after tokens advice="The heads come after the tokens: swap axes 1 and 2 after cutting." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size)

# %% wrong: interleaved heads advice="The heads are interleaved: cut the last axis into (num_heads, head_size), in this order, so that each head gets neighbours." fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, size, num_heads).permute(0, 3, 1, 2)

# %% wrong: every n-th number advice="The heads are interleaved: cut the last axis into (num_heads, head_size), in this order, so that each head gets neighbours." fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack([x[..., h::num_heads] for h in range(num_heads)], 1)

# %% wrong: size and heads swapped in the cut advice="There are too many heads, of too few numbers: cut into (num_heads, head_size), in this order (torch.split takes the length of a slice, torch.chunk the number of slices)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, size, num_heads).transpose(1, 2)

# %% wrong: split in place of chunk advice="There are too many heads, of too few numbers: cut into (num_heads, head_size), in this order (torch.split takes the length of a slice, torch.chunk the number of slices)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack(x.split(num_heads, dim=-1), dim=1)

# %% wrong: heads in reverse order advice="The heads are in reverse order: head 0 gets the first slice." fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3).flip(1)

# %% wrong: head 0 for all advice="Every head got the slice of head 0: head h begins at number h·head_size." fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x[:, None, :, :size].repeat(1, num_heads, 1, 1)

# %% wrong: slices that overlap advice="The slices overlap: head h begins at number h·head_size, not at h." fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack([x[..., h:h + size] for h in range(num_heads)], 1)

# %% wrong: tokens and numbers swapped too advice="The heads are right, but tokens and numbers are swapped: the last axis is head_size." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(0, 2, 3, 1)

# %% wrong: all axes turned advice="Every axis has moved: swap only axes 1 and 2, tokens and heads." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(3, 2, 1, 0)

# %% wrong: tokens swapped with numbers advice="Tokens and numbers are swapped: swap axes 1 and 2, tokens and heads." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).transpose(1, 3)

# %% wrong: batch swapped with heads advice="The heads took the place of the batch: swap axes 1 and 2, tokens and heads." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).transpose(0, 2)

# %% wrong: stacked in front advice="The heads have the right slices, but don't follow the batch: move the new axis to position 1 (with torch.stack, give dim=1)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack(x.chunk(num_heads, dim=-1))

# %% wrong: stacked behind the tokens advice="The heads come after the tokens: swap axes 1 and 2 after cutting." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack(x.chunk(num_heads, dim=-1), dim=2)

# %% wrong: stacked at the end advice="The heads are the last axis: move them to axis 1, after the batch (with torch.stack, give dim=1)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack(x.chunk(num_heads, dim=-1), dim=-1)

# %% wrong: slices in a tuple advice="The heads have the right slices, but don't follow the batch: move the new axis to position 1 (with torch.stack, give dim=1)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.chunk(num_heads, dim=-1)

# %% wrong: slices joined again advice="The heads have no axis of their own: torch.stack makes a new one, torch.cat makes an old one longer." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.cat(x.chunk(num_heads, dim=-1), dim=1)

# %% wrong: tokens cut, not numbers advice="The tokens were cut: cut the last axis (dim=-1), so that each head sees every token." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.stack(x.chunk(num_heads, dim=1), 1)

# %% wrong: one head only advice="Only head 0 came back: keep the axis of the heads." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)[:, 0]

# %% wrong: nothing cut advice="This is x as it was: cut its last axis into heads." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x

# %% wrong: mixes up batch and tokens advice="The reshape mixes up batch and tokens: it must keep batch and seq first, in this order, and split the last axis only." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.reshape(seq, batch, num_heads, size).permute(1, 2, 0, 3)

# %% wrong: batch and seq read in the wrong order advice="The first two sizes are read in the wrong order: x.shape is (batch, seq, hidden)." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     batch, seq, hidden = x.shape
# becomes: seq, batch, hidden = x.shape

# %% wrong: ValueError missing says="12 numbers into 5 heads: no error came" of="reshape and permute"
# was:     if hidden % num_heads != 0:
# was:         raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: if False:
# becomes:     pass

# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x[..., :size * num_heads].reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: reshape raises RuntimeError says="RuntimeError came" of="reshape and permute"
# was:     if hidden % num_heads != 0:
# was:         raise ValueError(f"{hidden} does not divide into {num_heads}")
# was:     size = hidden // num_heads
# becomes: size = hidden // num_heads

# %% wrong: assert instead of ValueError says="AssertionError came" of="reshape and permute"
# was:     if hidden % num_heads != 0:
# was:         raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: assert hidden % num_heads == 0

# %% wrong: ValueError returned says="no error came" of="reshape and permute"
# was:     raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: return ValueError(f"{hidden} does not divide into {num_heads}")

# %% wrong: message without the numbers says="contain both values" of="reshape and permute"
# was:     raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: raise ValueError("does not divide")

# %% wrong: message without its f says="contain both values" of="reshape and permute"
# was:     raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: raise ValueError("{hidden} does not divide into {num_heads}")

# %% wrong: raises where it divides says="ValueError: 6 does not divide into 2" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     if hidden % num_heads != 0:
# was:         raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: if hidden % num_heads == 0:
# becomes:     raise ValueError(f"{hidden} does not divide into {num_heads}")

# %% wrong: divides the wrong way round says="ValueError: 6 does not divide into 2" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     if hidden % num_heads != 0:
# was:         raise ValueError(f"{hidden} does not divide into {num_heads}")
# becomes: if num_heads % hidden != 0:
# becomes:     raise ValueError(f"{hidden} does not divide into {num_heads}")

# %% wrong: size is no whole number says="reshape(): argument" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     size = hidden // num_heads
# becomes: size = hidden / num_heads

# %% wrong: size the wrong way round says="a reshape keeps the number of entries" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     size = hidden // num_heads
# becomes: size = num_heads // hidden

# %% wrong: x unpacked into two says="as many names on the left" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     batch, seq, hidden = x.shape
# becomes: batch, hidden = x.shape

# %% wrong: forgets return says="does your function end with a return?" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: input changed in place says="make a new tensor" of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: x *= 1.5
# becomes: return (x / 1.5).reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: turned first, then reshaped advice="The reshape must cut the last axis only, and come first: (batch, seq, num_heads, head_size), and then swap axes 1 and 2." fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.transpose(1, 2).reshape(batch, num_heads, seq, size)

# %% wrong: the last head for all advice="Every head got the slice of the last one: is the result of each head kept apart, and head h cut from h·head_size on?" fails=["split-heads-test", "multi-head-values-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x[:, None, :, -size:].repeat(1, num_heads, 1, 1)

# %% wrong: detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["split-heads-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return x.detach().reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: a new tensor says="makes a new tensor" unseen="only check_gradients shows it" fails=["split-heads-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.tensor(x).reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)

# %% wrong: written into new zeros through data says="no gradient flows through .data" unseen="only check_gradients shows it" fails=["split-heads-test", "multi-head-returned-attention-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: heads = torch.zeros(batch, num_heads, seq, size)
# becomes: for h in range(num_heads):
# becomes:     heads[:, h] = x.data[..., h * size:(h + 1) * size]
# becomes: return heads

# %% wrong: split by NumPy says="no gradient flows through" unseen="only check_gradients shows it" fails=["split-heads-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reshape and permute"
# was:     return x.reshape(batch, seq, num_heads, size).permute(0, 2, 1, 3)
# becomes: return torch.from_numpy(np.stack(np.split(x.numpy(), num_heads, axis=-1), axis=1))
