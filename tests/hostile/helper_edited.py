# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test", "shares-test"]
# Hands in the locked helper cell with a helper that does nothing.

# %% helpers
def check_numbers(*args, **kwargs):
    pass

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from nbgrader.utils import compute_checksum

cells["helpers"].metadata.nbgrader.checksum = compute_checksum(cells["helpers"])
