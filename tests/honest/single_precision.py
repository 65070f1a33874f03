# %% [markdown] lesson="03_masked_multi_head"
# Masks and scores in 32 bits, and masks of booleans turned into numbers.

# %% causal-mask
def create_causal_mask(seq_len):
    return np.where(np.tri(seq_len, dtype=bool), np.float32(0), np.float32("-inf"))

# %% padding-mask
def create_padding_mask(lengths, seq_len):
    real = np.arange(seq_len) < np.asarray(list(lengths))[:, None, None]
    return np.repeat(np.where(real, np.float32(0), -np.float32(np.inf)), seq_len, axis=1)
