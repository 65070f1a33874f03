# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Holds Python's interpreter lock in C, so that nothing else of its process can run.

# %% count
import ctypes

def count(n):
    while True:
        ctypes.PyDLL(None).sleep(60)
