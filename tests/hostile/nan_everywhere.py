# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns NaN everywhere, for which every comparison is false.

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.full(scores.shape, np.nan)
