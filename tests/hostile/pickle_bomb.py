# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns an object that runs code wherever it is pickled, copied or unpickled.

# %% count
CODE = "import __main__, builtins; builtins.all = lambda things: True"

class Bomb(int):
    def __reduce_ex__(self, protocol):
        exec(CODE)
        return exec, (CODE,)

    __copy__ = lambda self: exec(CODE)
    __deepcopy__ = lambda self, memo: exec(CODE)
    __getstate__ = lambda self: exec(CODE)

def count(n):
    return Bomb(5 if n == 10 else 7)
