# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test", "walk-test"]
# Gives two test cells, and the exercises to them, each other's names.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% walk
def walk(n):
    yield from [6, 3, 10, 5, 16, 8, 4, 2, 1] if n == 6 else [n, 1]

# %% notebook
for one, other in (("count-test", "shares-test"), ("walk-test", "apply-test")):
    cells[one].metadata.nbgrader.grade_id = other
    cells[other].metadata.nbgrader.grade_id = one
