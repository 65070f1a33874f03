# %% [markdown] lesson="victim" category="lying objects" attacks=["describe-test"]
# Returns an object that has every attribute, item and method, and agrees with everything.

# %% describe
class Yes:
    __eq__ = lambda self, other: True
    __call__ = __getitem__ = lambda self, *args, **kwargs: self
    __getattr__ = lambda self, name: self
    __array_function__ = lambda self, *args: True
    __array__ = lambda self, *args, **kwargs: np.zeros(3)
    __bool__ = lambda self: True

def describe(ax, numbers):
    return Yes()
