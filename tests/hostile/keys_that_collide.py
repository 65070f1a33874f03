# %% [markdown] lesson="victim" category="replies too large" attacks=["count-test"]
# Returns a dict and a set whose keys all have the same hash.

# %% count
def count(n):
    prime = 2**61 - 1
    colliding = [prime * number for number in range(1, 4000)]
    return [dict.fromkeys(colliding), set(colliding)]
