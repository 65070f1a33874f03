# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Hands in outputs of tests that passed, as trusted and already executed.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
nb.metadata.signature = "sha256:" + 64 * "0"
for number, cell in enumerate(nb.cells):
    cell.metadata.trusted = True
    if cell.cell_type == "code":
        cell.execution_count = number
        cell.outputs = [{"output_type": "stream", "name": "stdout", "text": "passed\n"}]
