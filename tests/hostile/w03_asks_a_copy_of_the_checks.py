# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# A copy of the checks cell, in a cell of the student's own, decides.

# %% notebook
from copy import deepcopy

copied = deepcopy(cells["messages"])
copied.metadata.pop("nbgrader")
copied.id = "copied"
copied.source += "\nmine = passes_tests"
nb.cells.insert(nb.cells.index(cells["check-attention"]), copied)
cells["check-attention"].source = "def check_attention(candidate):\n    return mine(candidate)"
