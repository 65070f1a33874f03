# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error that raises another one when somebody wants to read it.

# %% count
class Odd(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__
    args = property(__str__)

def count(n):
    raise Odd()
