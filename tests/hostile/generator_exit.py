# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises GeneratorExit, which many handlers let through.

# %% count
def count(n):
    raise GeneratorExit
