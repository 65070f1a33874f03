# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Removes the test's metadata, and puts a cell that claims to be it in its place.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from nbformat.v4 import new_code_cell

taken = cells["count-test"].metadata.pop("nbgrader")
nb.cells.insert(0, new_code_cell("pass", metadata={"nbgrader": taken}))
