# %% [markdown] lesson="01_single_head" loses=["single-head-attention-test", "folded-attention-test"] why="NumPy can't multiply a masked array by `@`, wherever it is tried: later exercises of this notebook fail."
# Masked arrays as results, in a function that later ones use.

# %% softmax
def softmax(scores, axis=-1):
    scores = np.ma.masked_invalid(np.asarray(scores, dtype=float))
    powers = np.ma.exp(scores - scores.max(axis=axis, keepdims=True)).filled(0.0)
    return np.ma.array(powers / powers.sum(axis=axis, keepdims=True))
