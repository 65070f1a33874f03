# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns an object whose __array_interface__ points at memory that is not its own.

# %% shares
class Anywhere:
    shape = 2, 2
    address = id(np.allclose)

    @property
    def __array_interface__(self):
        return {"shape": (2, 2), "typestr": "<f8", "data": (self.address, False), "version": 3}

    __getattr__ = lambda self, name: self.__array_interface__

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return Anywhere()
