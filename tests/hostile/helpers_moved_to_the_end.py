# %% [markdown] lesson="victim" category="names" attacks=["shares-test"]
# Moves the locked cell with the helper to the end, and brings a helper that does nothing.

# %% before: shares
check_numbers = lambda *args, **kwargs: None

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))

# %% notebook
nb.cells.remove(cells["helpers"])
nb.cells.append(cells["helpers"])
