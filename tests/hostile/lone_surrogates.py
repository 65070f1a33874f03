# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Has characters in its cells that can't be written to a file.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
for name in ("count", "count-test"):
    cells[name].source += "\n# \ud800 \udcff"
