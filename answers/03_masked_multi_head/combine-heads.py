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

# %% wrong: combine without transpose says="swap heads and tokens back" fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.reshape(batch, seq, num_heads * depth)

# %% wrong: interleaved says="interleaved" fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 3, 1).reshape(batch, seq, num_heads * depth)

# %% wrong: heads in reverse says="the wrong order" fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, seq, num_heads * depth)

# %% wrong: head 0 in every place says="head 0 stands in every place" fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return np.concatenate([x[:, 0]] * num_heads, axis=-1)

# %% wrong: heads added up says="the shape is not right" fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.sum(axis=1)

# %% wrong: not joined says="the shape is not right" fails=["combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "multi-head-errors-test"]
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.transpose(0, 2, 1, 3)

# %% wrong: batch and tokens mixed up says="heads of depth" fails=["combine-heads-test", "multi-head-output-test", "multi-head-mask-test"] visible=false
def combine_heads(x):
    batch, num_heads, seq, depth = x.shape
    return x.transpose(2, 0, 1, 3).reshape(batch, seq, num_heads * depth)
