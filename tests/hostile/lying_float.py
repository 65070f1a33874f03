# %% [markdown] lesson="victim" category="lying objects" attacks=["apply-test"]
# Returns a number that is 0 less than every other.

# %% apply
class Near(float):
    __sub__ = __rsub__ = lambda self, other: 0.0
    __abs__ = lambda self: 0.0

def apply(function, x):
    function(x), function(x)
    return Near(1)
