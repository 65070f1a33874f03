# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Raises the points of a test, or makes them no number.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
cells["count-test"].metadata.nbgrader.points = 1000
cells["walk-test"].metadata.nbgrader.points = "1e9"
cells["apply-test"].metadata.nbgrader.points = 1e300
