# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Writes garbage into the judge's socket ahead of all tests.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
say(b"garbage " * 100)

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
