# %% [markdown] lesson="02_two_head"
# The function that is given is spoken of by its name, and asked whether it can be called.

# %% equivariance-gap
def equivariance_gap(attend, X, permutation):
    assert callable(attend), "attend must be a function"
    print(f"{attend.__name__}: {X.shape}", attend.__doc__)
    permuted_first = np.asarray(attend(X[:, permutation]))
    permuted_last = np.asarray(attend(X))[:, permutation]
    return float(np.max(np.abs(permuted_first - permuted_last)))
