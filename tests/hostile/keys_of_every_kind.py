# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns dicts and sets with keys that are equal, can't be hashed, or are not equal to themselves.

# %% count
class Key(str):
    __hash__ = lambda self: 5
    __eq__ = lambda self, other: False

def count(n):
    nan = float("nan")
    return [
        {1: "a", "1": "b", (1,): "c", frozenset([1]): "d", nan: "e", None: "f", range(3): "h"},
        {Key("a"): 1, Key("b"): 2, print: 3, int: 4},
        {nan, float("nan"), Key("a"), Key("a"), (Key("a"), (nan,))},
    ]
