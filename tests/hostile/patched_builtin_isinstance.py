# %% [markdown] lesson="victim" category="patches" attacks=["count-test"]
# Makes the builtin isinstance take every number for an int.

# %% after: helpers
import builtins
original = builtins.isinstance
builtins.isinstance = lambda thing, kind: kind is int or original(thing, kind)

# %% count
def count(n):
    return n // 3 + n // 5 - float(n // 15)
