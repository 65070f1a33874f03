# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Writes well-formed replies into the judge's socket before anything was asked.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
for number in range(1, 200):
    say(frame({"to": number, "value": 5, "changed": []}))

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
