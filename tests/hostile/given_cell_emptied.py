# %% [markdown] lesson="victim" category="names" attacks=["shares-test"]
# Has the locked cell with the helper read as an empty one, and brings a helper that does nothing.

# %% first
def emptied(lines):
    return [] if any("def check_numbers" in line for line in lines) else lines

get_ipython().input_transformers_cleanup.append(emptied)

# %% after: helpers
check_numbers = lambda *args, **kwargs: None

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
