# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Ends its process with a status that means success, in the middle of a test.

# %% count
import os

def count(n):
    os._exit(0)
