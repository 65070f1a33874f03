# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Moves the test cell to the very beginning, and its answer to the end.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
nb.cells.remove(cells["count-test"])
nb.cells.remove(cells["count"])
nb.cells = [cells["count-test"], *nb.cells, cells["count"]]
