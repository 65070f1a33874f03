# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Writes as much into the judge's socket as it takes, up to 50 MB, during a call.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count
import time

def count(n):
    end = time.monotonic() + 2
    for _ in range(500):
        if time.monotonic() < end:
            say(bytes(100_000))
    return 2
