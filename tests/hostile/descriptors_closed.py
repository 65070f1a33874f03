# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Closes every descriptor of its process in the middle of a test.

# %% count
import os

def count(n):
    os.closerange(0, 256)
    return 2
