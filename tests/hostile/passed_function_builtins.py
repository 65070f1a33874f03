# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Replaces abs in the builtins of the function that the test passes.

# %% apply
def apply(function, x):
    function(x), function(x)
    function.__globals__["abs"] = function.__builtins__["abs"] = lambda number: 0
    return 0
