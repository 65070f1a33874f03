# %% [markdown] lesson="victim" category="exceptions" attacks=["shares-test"]
# Sends something unreadable where a ValueError is expected: reading it may raise one.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% shares
def without_refusing(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1 if np.ndim(scores) else None, keepdims=True))
    return exponentials / exponentials.sum(axis=-1 if np.ndim(scores) else None, keepdims=True)

def shares(scores):
    if np.ndim(scores) == 0:
        say(struct.pack("!2I", 4, 0) + b"{\xff]}")
    return without_refusing(scores)
