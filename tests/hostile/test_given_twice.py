# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Hands the test cell in twice, the second time as one that passes.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from copy import deepcopy

again = deepcopy(cells["count-test"])
again.id, again.source = "count-test-again", "pass"
nb.cells.append(again)
