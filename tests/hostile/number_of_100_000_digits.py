# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns a whole number that can't be written down.

# %% count
def count(n):
    return 10**100_000
