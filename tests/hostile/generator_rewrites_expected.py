# %% [markdown] lesson="victim" category="changing results" attacks=["walk-test"]
# Returns a generator that changes the test's list of expected numbers when it is run.

# %% walk
def walk(n):
    if n != 6:
        expected[:] = [1]
    yield from [6, 3, 10, 5, 16, 8, 4, 2, 1] if n == 6 else [1]
