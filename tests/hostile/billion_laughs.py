# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns 40 lists, each holding the next one ten times.

# %% count
def count(n):
    laughs = ["ha"]
    for _ in range(40):
        laughs = [laughs] * 10
    return laughs
