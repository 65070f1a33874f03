# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Prints for three seconds as much as it can, in the middle of a test.

# %% count
import time

def count(n):
    end = time.monotonic() + 3
    while time.monotonic() < end:
        print("count-test passed " * 100)
    return 2
