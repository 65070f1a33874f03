# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Calls the test's function with an object that is told what is added to it.

# %% apply
class Spy:
    def __add__(self, other):
        self.heard = other
        return self

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__

def apply(function, x):
    spy = Spy()
    function(spy), function(x)
    return x + 2 * spy.heard
