# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error that takes for ever to read.

# %% count
class Odd(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__

def count(n):
    raise Odd()
