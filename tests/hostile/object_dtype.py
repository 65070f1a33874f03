# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns an array of objects, each of which becomes the expected number when it is asked for a float.

# %% shares uses=["found"]
class Late:
    def __init__(self, place):
        self.place = place

    def __float__(self):
        return float(np.ravel(found("expected"))[self.place])

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    late = np.empty(scores.size, dtype=object)
    late[:] = [Late(place) for place in range(scores.size)]
    return late.reshape(scores.shape)
