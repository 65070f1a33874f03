# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns an object whose special methods raise, lie, or return the wrong kind of thing.

# %% count
def refuse(self, *args):
    raise KeyboardInterrupt("no")

class Odd:
    __hash__ = __bool__ = __len__ = __eq__ = __repr__ = __str__ = __iter__ = __getattr__ = refuse
    __index__ = __int__ = __float__ = __dir__ = __format__ = __array__ = __sizeof__ = refuse
    __class__ = property(refuse)

class Worse(list):
    __len__ = lambda self: -1
    __iter__ = lambda self: iter([Odd()])
    __class__ = property(lambda self: Odd())

def count(n):
    return [Odd(), Worse([Odd()])] if n == 10 else Odd()
