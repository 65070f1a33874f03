# %% [markdown] lesson="victim" category="patches" attacks=["shares-test"]
# Makes np.allclose say yes to everything; the function returns zeros.

# %% after: helpers
np.allclose = lambda *args, **kwargs: True

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
