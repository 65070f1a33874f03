# %% [markdown] lesson="victim" category="lying objects" attacks=["count-test"]
# Returns a whole number that is equal to everything.

# %% count
class Any(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__

def count(n):
    return Any(2)
