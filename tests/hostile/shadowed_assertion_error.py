# %% [markdown] lesson="victim" category="names" attacks=["shares-test"]
# Calls ValueError AssertionError, so that the test catches its own complaint.

# %% after: helpers
AssertionError = ValueError

# %% shares
def shares(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1 if np.ndim(scores) else None, keepdims=True))
    return exponentials / exponentials.sum(axis=-1 if np.ndim(scores) else None, keepdims=True)
