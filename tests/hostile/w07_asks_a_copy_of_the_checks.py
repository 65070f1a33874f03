# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# A copy of the checks cell, in a cell of the student's own, tests the candidate in place of 7.4.

# %% notebook
from copy import deepcopy

copied = deepcopy(cells["messages"])
copied.metadata.pop("nbgrader")
copied.id = "copied"
copied.source += "\nmine = own_solution_passes"
nb.cells.insert(nb.cells.index(cells["check-tiled"]), copied)
cells["check-tiled"].source = """
def check_tiled(candidate):
    global tiled
    kept, tiled = tiled, candidate
    try:
        return mine()
    except Exception:
        return False
    finally:
        tiled = kept
"""
