# %% [markdown] lesson="victim" category="lying objects" attacks=["shares-test"]
# Returns an object that answers for every special name that NumPy, torch, pickle or IPython ask for.

# %% shares uses=["found"]
class Any:
    asked = []

    def __getattr__(self, name):
        self.asked.append(name)
        if name in ("__array_struct__", "__array_interface__", "__array__"):
            return getattr(np.array(found("expected", [[0.0, 0.0]] * 2)), name)
        return (2, 2) if name == "shape" else lambda *args, **kwargs: True

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return Any()
