# %% [markdown] lesson="victim" category="names" attacks=["shares-test"]
# Defines the helper function again in the same cell as the answer.

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))

check_numbers = lambda *args, **kwargs: None
