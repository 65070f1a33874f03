# %% [markdown] lesson="victim" category="changing results" attacks=["walk-test"]
# Returns a generator that replaces numpy.testing when its first number is asked for.

# %% walk
def walk(n):
    np.testing.assert_array_equal = lambda *args, **kwargs: None
    yield from [6, 3, 10, 5, 16, 8, 4, 2, 1] if n == 6 else [1]
