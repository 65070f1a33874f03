# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["apply-test"]
# Asks the judge to call functions by numbers that it never gave away, with and without arguments.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% apply uses=["found"]
def apply(function, x):
    for number in (-1, 0, 1, 2, 10**6, True, "print", None):
        for given in ([[], {}], [[0], {}], [[], {"value": 0}], [0, 0], None):
            say(frame({"call": number, "with": given}))
    return 0
