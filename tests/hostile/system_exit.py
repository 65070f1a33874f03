# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises SystemExit with a status that means success.

# %% count
def count(n):
    raise SystemExit(0)
