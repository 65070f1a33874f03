# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Marks the test cell as a solution, which is the student's to write.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% count-test
pass

# %% notebook
cells["count-test"].metadata.nbgrader |= {"locked": False, "solution": True}
