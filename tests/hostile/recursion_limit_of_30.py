# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Leaves Python hardly any depth to go on with.

# %% count
import sys

def count(n):
    for limit in range(30, 200, 10):
        try:
            sys.setrecursionlimit(limit)
            break
        except RecursionError:
            pass
    return 2
