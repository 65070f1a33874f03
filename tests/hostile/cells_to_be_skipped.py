# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Tags cells so that a runner skips them, or forgives their errors.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
nb.metadata.execution = {"allow_errors": True, "timeout": 0}
for cell in nb.cells:
    cell.metadata.tags = ["skip-execution", "raises-exception", "nbgrader-ignore"]
    cell.metadata.execution = {"status": "ok"}
