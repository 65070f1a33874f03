# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Answers each question twice.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    say(frame({"to": number, "value": {10: 5, 15: 7}.get(n, 2), "changed": []}))
    return 2
