# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises StopIteration: whoever goes through map(count, ...) takes that for the end.

# %% count
def count(n):
    if n in (10, 15):
        return {10: 5, 15: 7}[n]
    raise StopIteration
