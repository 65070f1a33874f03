# %% [markdown] lesson="victim" category="changing results" attacks=["apply-test"]
# Assigns the test's variable `expected` while the test is running.

# %% apply
def apply(function, x):
    global expected
    function(x), function(x)
    expected = 0
    return expected
