# %% [markdown] lesson="victim" category="patches" attacks=["count-test"]
# Makes the builtin all say yes.

# %% after: helpers
import builtins
builtins.all = lambda things: True

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
