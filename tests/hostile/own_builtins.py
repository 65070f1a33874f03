# %% [markdown] lesson="victim" category="patches" attacks=["apply-test"]
# Gives the cells that follow another set of builtins, in which abs returns 0.

# %% after: helpers
import builtins
__builtins__ = {**vars(builtins), "abs": lambda number: 0}

# %% apply
def apply(function, x):
    function(x), function(x)
    return 0
