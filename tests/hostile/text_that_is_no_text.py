# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns and prints characters that can't be encoded, and a number that is shown as bytes.

# %% count
class Odd(int):
    __repr__ = __str__ = lambda self: b"5"
    __format__ = lambda self, how: "\ud800\udfff\0\x1b[2J"

def count(n):
    print("\ud800 \udcff \0 \x1b]0;title\x07 \u202e")
    return Odd(2)
