# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Returns the test's variable `expected`.

# %% apply
def apply(function, x):
    function(x), function(x)
    return expected
