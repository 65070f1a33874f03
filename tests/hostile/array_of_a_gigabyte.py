# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns an array that takes four bytes here and a gigabyte wherever it is copied.

# %% count
def count(n):
    return np.broadcast_to(np.float32(5), (2**14, 2**14))
