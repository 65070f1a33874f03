# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises a BaseException of its own.

# %% count
class Odd(BaseException): pass

def count(n):
    raise Odd('out of all handlers')
