# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends messages that a careless judge could take for its own verdict.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
for header in (
    {"done": 1}, {"done": 10**9}, {"passed": True}, {"status": "ok"}, {"ended": "ok"}, {"well": True},
    {"exit": 0, "reason": None}, {"id": 1, "do": "names", "with": [["count"]]}, {"value": True}, {},
):
    say(frame(header))

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
