# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error whose text is a number, and whose arguments hold the error itself.

# %% count
class Odd(Exception):
    __str__ = __repr__ = lambda self: 5

odd = Odd()
odd.args = (odd, [odd])
odd.__notes__ = odd

def count(n):
    raise odd
