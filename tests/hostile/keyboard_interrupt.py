# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises KeyboardInterrupt, as if somebody had interrupted the test.

# %% count
def count(n):
    raise KeyboardInterrupt
