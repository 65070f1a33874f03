# %% [markdown] lesson="victim" category="patches" attacks=["apply-test"]
# Makes the builtin abs return 0, so that every difference is small.

# %% after: helpers
import builtins
builtins.abs = lambda number: 0

# %% apply
def apply(function, x):
    function(x), function(x)
    return 0
