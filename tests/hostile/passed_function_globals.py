# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Takes what the test expects from the globals of the function that it passes.

# %% apply
def apply(function, x):
    function(x), function(x)
    return function.__globals__["expected"]
