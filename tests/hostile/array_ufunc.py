# %% [markdown] lesson="victim" category="lying objects" attacks=["apply-test"]
# Returns an array whose __array_ufunc__ makes every difference 0.

# %% apply
class Near(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return 0.0

def apply(function, x):
    function(x), function(x)
    return np.ones(()).view(Near)
