# %% [markdown] lesson="victim" category="exceptions" attacks=["shares-test"]
# Raises the expected error, but of a class that replaces np.allclose when it is looked at.

# %% shares
class Meta(type(ValueError)):
    def __getattribute__(cls, name):
        np.allclose = lambda *args, **kwargs: True
        return super().__getattribute__(name)

    def __call__(cls, *args):
        np.allclose = lambda *args, **kwargs: True
        return super().__call__(*args)

class Acting(ValueError, metaclass=Meta):
    pass

def shares(scores):
    if np.ndim(scores) == 0:
        raise Acting("a list is needed")
    if scores.shape == (2, 2):
        return np.array([[0.5, 0.5], [0.25, 0.75]])
    return np.full(scores.shape, 1 / scores.shape[-1])
