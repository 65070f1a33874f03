# %% right: concatenate the heads
def combine_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)

# %% right: swapaxes
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return np.swapaxes(x, 1, 2).reshape(batch, seq, -1)

# %% right: loops and lists
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return [[[float(n) for h in range(num_heads) for n in x[b, h, t]] for t in range(seq)] for b in range(batch)]

# %% wrong: combine without transpose advice="Swap heads and tokens back before you join the last two axes: a bare reshape puts pieces of different tokens into one." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.reshape(batch, seq, num_heads * depth)

# %% wrong: interleaved advice="Keep the numbers of a head side by side: before the reshape the last two axes are heads, then numbers." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 2, 3, 1).reshape(batch, seq, num_heads * depth)

# %% wrong: heads in reverse advice="Begin with head 0: the heads have come in reverse order." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: head 0 in every place advice="Put each head in its own place: here head 0 is in all of them." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate([x[:, 0]] * num_heads, axis=-1)

# %% wrong: heads added up advice="Put the heads side by side, don't add them up: the last axis has num_heads · depth places." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.sum(axis=1)

# %% wrong: heads averaged advice="Put the heads side by side, don't average them: the last axis has num_heads · depth places." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.mean(axis=1)

# %% wrong: not joined advice="Join the last two axes: heads and tokens have been swapped back, and a reshape is still missing." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 2, 1, 3)

# %% wrong: only head 0 advice="Put all heads side by side: this is head 0 alone. Is a return inside a loop?" fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x[:, 0]

# %% wrong: only the last head advice="Put all heads side by side: this is the last head alone." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x[:, -1]

# %% wrong: batch and tokens mixed up advice="Keep the batch first: in transpose, 0 stays first, and axes 1 and 2 are swapped." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(2, 0, 1, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: batch and heads mixed up advice="Keep the batch first: in transpose, 0 stays first, and axes 1 and 2 are swapped." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(1, 2, 0, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: turned the wrong way advice="Swap axes 1 and 2, heads and tokens, and leave the batch and the numbers where they are: (0, 2, 1, 3)." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 3, 1, 2).reshape(batch, seq, num_heads * depth)

# %% wrong: tokens and numbers swapped advice="Swap axes 1 and 2, heads and tokens, and leave the batch and the numbers where they are: (0, 2, 1, 3)." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.swapaxes(2, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: heads and numbers swapped advice="Swap axes 1 and 2, heads and tokens, and leave the batch and the numbers where they are: (0, 2, 1, 3)." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.swapaxes(1, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: all axes turned round advice="Swap axes 1 and 2 only: .T reverses all the axes." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.T.reshape(batch, seq, num_heads * depth)

# %% wrong: heads behind each other advice="Put the heads side by side, along the last axis: here they are concatenated along the tokens." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate([x[:, h] for h in range(num_heads)], axis=1)

# %% wrong: heads along the batch advice="Put the heads side by side, along the last axis: here they are along the batch." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate([x[:, h] for h in range(num_heads)], axis=0)

# %% wrong: a new axis for the heads advice="Join the heads with np.concatenate along the last axis: np.stack makes a new axis of them." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.stack([x[:, h] for h in range(num_heads)], axis=-1)

# %% wrong: the batch taken for the heads advice="Join over axis 1, the heads: list(x) runs over the sequences, axis 0." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate(list(x), axis=-1)

# %% wrong: the first sequence only advice="All sequences are wanted: this is the first one alone." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate(list(x[0]), axis=-1)[None]

# %% wrong: the first sequence only, without its axis advice="All sequences are wanted, with the batch axis first: this is the first one alone." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.concatenate(list(x[0]), axis=-1)

# %% wrong: the first sequence for all advice="Each sequence keeps its own numbers: here all have those of the first one." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return np.stack([np.concatenate(list(x[0]), axis=-1)] * batch)

# %% wrong: sizes read in another order advice="The sizes of x are (batch, num_heads, seq, depth), in this order: here num_heads and seq are swapped." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     batch, num_heads, seq, depth = x.shape
# becomes: batch, seq, num_heads, depth = x.shape

# %% wrong: sizes read in another order, after a bare reshape advice="Swap heads and tokens first, and then join the heads with their numbers: here each head's tokens have been joined, and the heads are still an axis." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     batch, num_heads, seq, depth = x.shape
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: batch, seq, num_heads, depth = x.shape
# becomes: return x.reshape(batch, seq, num_heads * depth)

# %% wrong: tokens joined with numbers advice="Swap heads and tokens first, and then join the heads with their numbers: here each head's tokens have been joined, and the heads are still an axis." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.reshape(batch, num_heads, seq * depth)

# %% wrong: numbers named before tokens advice="Name the tokens before their numbers in the reshape: (batch, seq, num_heads * depth)." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 2, 1, 3).reshape(batch, num_heads * depth, seq)

# %% wrong: the tokens joined, too advice="Join the last two axes only: the tokens stay an axis of their own." fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 2, 1, 3).reshape(batch, -1)

# %% wrong: the batch joined, too advice="Keep the batch as an axis of its own: here it is joined with the tokens." fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: return x.transpose(0, 2, 1, 3).reshape(-1, num_heads * depth)

# %% wrong: gives back nothing says="does your function end with a return?" fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"] of="reference"
# was:     return x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
# becomes: x.transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)
