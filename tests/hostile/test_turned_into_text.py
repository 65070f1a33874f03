# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Turns the test cell into text, which can't fail.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
test = cells["count-test"]
test.cell_type = "markdown"
del test["outputs"], test["execution_count"]
