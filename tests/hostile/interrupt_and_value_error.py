# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error that is a KeyboardInterrupt, a ValueError and an AssertionError at once.

# %% count
class Odd(ValueError, AssertionError, KeyboardInterrupt): pass

def count(n):
    raise Odd('all at once')
