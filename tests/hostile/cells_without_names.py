# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Gives cells ids that are none: empty, too long, a path.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from itertools import cycle

for cell, name in zip(nb.cells, cycle(["", "../count-test", 1000 * "x"])):
    cell.id = name
