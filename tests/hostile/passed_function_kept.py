# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"] fails=true
# Keeps the test's function, and calls it long after the call that it was passed to.

# %% apply
kept = []

def apply(function, x):
    kept.append(function)
    try:
        return kept[0](kept[0](x)) - 1
    finally:
        for earlier in kept:
            earlier(0)

# %% after: apply-test
for function in kept:
    print(function(0))
