# %% [markdown] lesson="victim" category="changing results" attacks=["shares-test"]
# Returns an object that says something else each time when it is looked at.

# %% shares
class TwoFaced:
    looks = 0

    def __getattr__(self, name):
        type(self).looks += 1
        return (2, 2) if self.looks % 2 else (3, 3)

    def __array__(self, dtype=None, copy=None):
        type(self).looks += 1
        return np.full((2, 2), 0.5 if self.looks % 3 else 0.25)

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return TwoFaced()
