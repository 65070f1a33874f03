# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Hands in an edited test cell with the checksum of what it is now.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% count-test
assert True

# %% notebook
from nbgrader.utils import compute_checksum

cells["count-test"].metadata.nbgrader.checksum = compute_checksum(cells["count-test"])
