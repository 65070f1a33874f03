# %% [markdown] lesson="03_masked_multi_head" attacks=["split-heads-test", "combine-heads-test"]
# Splitting is left empty, and combining asks it where each number has come from.

# %% released: split-heads

# %% combine-heads
def combine_heads(x):
    batch, heads, seq, depth = x.shape
    places = np.arange(x.size).reshape(batch, seq, heads * depth)
    whole = np.zeros(x.size)
    whole[np.asarray(split_heads(places, heads)).ravel()] = x.ravel()
    return whole.reshape(places.shape)
