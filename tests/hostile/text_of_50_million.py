# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns a number that takes 50 million characters to show.

# %% count
class Long(int):
    __repr__ = __str__ = lambda self: "5" * 50_000_000
    __format__ = lambda self, how: repr(self)

def count(n):
    return Long(2)
