# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Hands in nbgrader metadata and grader's marks that are no dicts.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from nbformat.v4 import new_code_cell

nb.metadata.gradebox = ["ok"]
named = [{"grade_id": ["count-test"]}, {"grade_id": None}, {"grade_id": "count-test"}]
for mark in ("yes", ["count-test"], *named, 5):
    nb.cells.append(new_code_cell("pass", metadata={"gradebox": mark, "nbgrader": mark}))
