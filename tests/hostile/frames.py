# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Goes up the frames to the test, and returns what it expects.

# %% apply uses=["found"]
def apply(function, x):
    function(x), function(x)
    return found('expected', 0)
