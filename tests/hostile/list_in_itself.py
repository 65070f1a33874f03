# %% [markdown] lesson="victim" category="replies too large" attacks=["walk-test"]
# Returns a list that holds itself.

# %% walk
def walk(n):
    path = [n]
    path.append(path)
    return path
