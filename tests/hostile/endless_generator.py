# %% [markdown] lesson="victim" category="replies too large" attacks=["walk-test"]
# Returns a generator that never ends, a little slowly, so that it takes no memory to speak of.

# %% walk
import time

def walk(n):
    while True:
        yield n
        time.sleep(0.001)
