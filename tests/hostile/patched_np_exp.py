# %% [markdown] lesson="victim" category="patches" attacks=["shares-test"]
# Makes np.exp return ones, so that the test itself works out that all shares are equal.

# %% after: helpers
np.exp = lambda x, **kwargs: np.ones(np.shape(x))

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    if scores.shape == (2, 2):
        return np.array([[0.5, 0.5], [0.25, 0.75]])
    return np.full(scores.shape, 1 / scores.shape[-1])
