# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns an object that becomes an array only when it is compared, and then the expected one.

# %% shares uses=["found"]
class Late:
    def __init__(self, shape):
        self.shape = shape

    def __array__(self, dtype=None, copy=None):
        return np.array(found("expected"), dtype)

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return Late(scores.shape)
