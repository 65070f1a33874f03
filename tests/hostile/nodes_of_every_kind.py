# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends parts that name readers, attributes and classes that are not meant for it.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    kinds = "pickle object function eval exec array tensor scalar set dict int class dtype device yours named table"
    for kind in kinds.split():
        for value in (0, -1, [], "print", {"is": "int", "hex": "-0x" + "f" * 10**5}, float("nan")):
            node = {"is": kind, "type": "load"} | dict.fromkeys(("number", "at", "of", "hex"), value)
            said = {"to": number, "value": node, "changed": [[0, 0]]}
            say(frame(said, b"cos\nsystem\n(S'true'\ntR."))
    return 2
