# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Answers the next questions while it is still being asked the first.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    for ahead in range(0, 20):
        say(frame({"to": number + ahead, "value": 5, "changed": []}))
    return {10: 5, 15: 7}.get(n, 2)
