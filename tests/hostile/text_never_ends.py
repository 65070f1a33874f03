# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns a number that can't be shown: that takes for ever, or fails.

# %% count
import itertools

class Endless(int):
    def __repr__(self):
        for _ in itertools.count():
            pass

    __str__ = __repr__
    __format__ = lambda self, how: repr(self)

def count(n):
    return Endless(2)
