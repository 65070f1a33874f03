# %% [markdown] lesson="victim" category="patches" attacks=["shares-test"]
# Makes np.array_equal say yes to everything; the function writes into its input.

# %% after: helpers
np.array_equal = lambda *args, **kwargs: True

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores.copy()
