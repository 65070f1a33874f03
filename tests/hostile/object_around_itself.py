# %% [markdown] lesson="victim" category="replies too large" attacks=["walk-test"]
# Returns an object whose every attribute is itself, and which is its own iterator.

# %% walk
class Ring:
    __getattr__ = lambda self, name: self
    __call__ = __getitem__ = __iter__ = lambda self, *args: self
    __len__ = lambda self: 2**62
    __next__ = lambda self: self

    def __iter__(self):
        for _ in range(1000):
            yield self

def walk(n):
    return Ring()
