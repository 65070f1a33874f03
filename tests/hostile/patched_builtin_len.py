# %% [markdown] lesson="victim" category="patches" attacks=["apply-test"]
# Makes the builtin len say that the test's function was called twice; it is called three times.

# %% after: helpers
import builtins
original = builtins.len
builtins.len = lambda things: 2 if things is globals().get("calls") else original(things)

# %% apply
def apply(function, x):
    function(x)
    return function(function(x))
