# %% [markdown] lesson="victim" category="lying objects" attacks=["count-test"]
# Returns a number whose comparison gives an object that is true, whatever was compared.

# %% count
class Verdict:
    __bool__ = lambda self: True
    __len__ = __index__ = lambda self: 1

class Number(int):
    __eq__ = lambda self, other: Verdict()
    __hash__ = lambda self: hash(5)

def count(n):
    return Number(2)
