# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns 100 000 lists, each in the next.

# %% count
def count(n):
    deep = [5]
    for _ in range(10**5):
        deep = [deep]
    return deep
