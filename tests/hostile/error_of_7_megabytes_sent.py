# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends an error whose name, message and traceback are as long as a message may be.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
def count(n):
    number = found("header", {}).get("id", 0)
    for name, size in (("x" * 2_500_000, 2_500_000), ("Long", 2_500_000)):
        classes = [["builtins", name], ["builtins", "ValueError"], ["builtins", "Exception"]]
        error = {"classes": classes, "message": "x" * size}
        data = frame({"to": number, "error": error, "trace": "y" * size, "where": ""})
        for one in channels():
            one.settimeout(3)
            one.sendall(data)
    return 2
