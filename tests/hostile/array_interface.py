# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns an object whose __array_interface__ says that its numbers are where the expected ones are.

# %% shares uses=["found"]
class Elsewhere:
    def __init__(self, shape):
        self.shape = shape

    @property
    def __array_interface__(self):
        self.kept = np.array(found("expected"))
        return self.kept.__array_interface__

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return Elsewhere(scores.shape)
