# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns a dict that holds itself as a value, and a list of its own items.

# %% count
def count(n):
    around = {"n": n}
    around["around"], around["items"] = around, around.items()
    return around
