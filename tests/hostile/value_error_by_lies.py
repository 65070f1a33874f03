# %% [markdown] lesson="victim" category="exceptions" attacks=["shares-test"]
# Raises an error whose class lies about its name, its module, its bases and itself.

# %% shares
def without_refusing(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1 if np.ndim(scores) else None, keepdims=True))
    return exponentials / exponentials.sum(axis=-1 if np.ndim(scores) else None, keepdims=True)

class Meta(type):
    __name__ = property(lambda cls: "ValueError")
    __module__ = property(lambda cls: "builtins")
    __mro__ = __bases__ = property(lambda cls: (ValueError, Exception, BaseException, object))
    __subclasscheck__ = __instancecheck__ = lambda cls, other: True

class Lie(Exception, metaclass=Meta):
    __class__ = property(lambda self: ValueError)
    __qualname__ = "ValueError"

def shares(scores):
    if np.ndim(scores) == 0:
        raise Lie("a single number has no shares")
    return without_refusing(scores)
