# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"] fails=true
# Leaves a text open at the end of its answer, and a magic that takes in the rest of a cell.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from nbformat.v4 import new_code_cell

answer = cells["count"]
answer.source += '\n\n_ = """'
ahead = new_code_cell('%%capture\n"""')
behind = [new_code_cell("%%script true\nassert"), new_code_cell("%autocall 2")]
place = nb.cells.index(answer)
nb.cells[place : place + 1] = [ahead, answer, *behind]
for cell in nb.cells:
    cell.metadata.jupyter = {"outputs_hidden": True, "source_hidden": True}
