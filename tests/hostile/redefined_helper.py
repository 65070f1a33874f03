# %% [markdown] lesson="victim" category="names" attacks=["shares-test"]
# Defines the helper function again, as one that does nothing.

# %% after: helpers
check_numbers = lambda *args, **kwargs: None

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
