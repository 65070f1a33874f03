# %% [markdown] lesson="02_two_head"
# A single number as an array without axes, and as NumPy's own number.

# %% equivariance-gap
def equivariance_gap(attend, X, permutation):
    return np.array(np.abs(attend(X[:, permutation]) - np.asarray(attend(X))[:, permutation]).max())
