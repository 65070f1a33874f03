# %% [markdown] lesson="06_relational_memory" attacks=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
# A copy of the checks cell, in a cell of the student's own, tests the candidate in place of 6.4.

# %% notebook
from copy import deepcopy

copied = deepcopy(cells["messages"])
copied.metadata.pop("nbgrader")
copied.id = "copied"
copied.source += "\nmine = own_gates_pass"
nb.cells.insert(nb.cells.index(cells["check-gates"]), copied)
cells["check-gates"].source = """
def check_gates(candidate):
    global gated_memory
    kept = gated_memory
    gated_memory = lambda *tables, forget_bias=1.0: candidate(*tables, *[forget_bias][:7 - len(tables)])
    try:
        return mine()
    except Exception:
        return False
    finally:
        gated_memory = kept
"""
