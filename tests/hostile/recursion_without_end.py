# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Calls itself without end, in C as well, after it has lifted Python's limit.

# %% count
import sys

class Deep:
    __repr__ = lambda self: repr(self)
    __eq__ = lambda self, other: self == other

def count(n):
    sys.setrecursionlimit(10**6)
    return len(repr(Deep()))
