# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Gives all cells the same id, which is that of a test.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
for cell in nb.cells:
    cell.id = "count-test"
