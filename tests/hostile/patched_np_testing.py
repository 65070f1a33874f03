# %% [markdown] lesson="victim" category="patches" attacks=["walk-test"]
# Replaces the functions of numpy.testing by ones that do nothing.

# %% after: helpers
for name in dir(np.testing):
    if name.startswith("assert"):
        setattr(np.testing, name, lambda *args, **kwargs: None)

# %% walk
def walk(n):
    yield from [6, 3, 10, 5, 16, 8, 4, 2, 1] if n == 6 else [n, 1]
