# %% [markdown] lesson="victim" category="lying objects" attacks=["count-test"]
# Returns an object that says through __class__ that it is an int, and that it is equal to everything.

# %% count
class Number:
    __class__ = property(lambda self: int)
    __eq__ = lambda self, other: True

def count(n):
    return Number()
