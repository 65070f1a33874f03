# %% [markdown] lesson="victim" category="exceptions" attacks=["shares-test"]
# Raises an error that is called ValueError, and is none.

# %% shares
def without_refusing(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1 if np.ndim(scores) else None, keepdims=True))
    return exponentials / exponentials.sum(axis=-1 if np.ndim(scores) else None, keepdims=True)

class ValueError(Exception):
    __module__ = "builtins"

def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a single number has no shares")
    return without_refusing(scores)
