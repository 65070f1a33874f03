# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Reads memory that is not there, in the middle of a test.

# %% count
import ctypes

def count(n):
    return ctypes.string_at(0)
