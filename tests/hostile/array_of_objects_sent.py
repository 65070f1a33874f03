# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends numbers that are said to be the addresses of objects, or records that hold some.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    for kind in ("O", "|O8", "O,O", "(2,)O", "V8", "S2000000000", "U2000000000", "M8[as]", "g"):
        node = {"is": "array", "type": kind, "shape": [1], "at": 0}
        say(frame({"to": number, "value": node, "changed": []}, struct.pack("Q", id(frame))))
    return 2
