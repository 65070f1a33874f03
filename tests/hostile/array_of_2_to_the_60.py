# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends an array that is said to be far larger than its bytes.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    for shape in ([2**60], [2**31, 2**31], [-1], [2**62, 4], [0, 2**62], [[2]], [1.0], [True]):
        node = {"is": "array", "type": "<f8", "shape": shape, "at": 0}
        say(frame({"to": number, "value": node, "changed": []}, bytes(8)))
    return 2
