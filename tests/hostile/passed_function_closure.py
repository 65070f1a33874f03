# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Takes the number that the test's function adds from its closure.

# %% apply
def apply(function, x):
    function(x), function(x)
    values = dict(zip(function.__code__.co_freevars, function.__closure__))
    return x + 2 * values["shift"].cell_contents
