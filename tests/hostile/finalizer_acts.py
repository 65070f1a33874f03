# %% [markdown] lesson="victim" category="changing results" attacks=["shares-test"]
# Returns an array whose __del__ replaces np.allclose when the test lets go of it.

# %% shares
class Last(np.ndarray):
    def __del__(self):
        np.allclose = lambda *args, **kwargs: True

def first_guess(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    if scores.shape == (2, 2):
        return np.array([[0.5, 0.5], [0.25, 0.75]])
    return np.full(scores.shape, 1 / scores.shape[-1])

def shares(scores):
    return first_guess(scores).view(Last)
