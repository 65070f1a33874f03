# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends an error that is said to be of the class exec, with code as its message.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
CODE = "import __main__; __main__.all = lambda things: True"

def count(n):
    number = found("header", {}).get("id", 0)
    for name in ("exec", "eval", "breakpoint", "exit", "type", "StopIteration", "SystemExit"):
        error = {"classes": [["builtins", name]], "message": CODE, "args": [CODE]}
        say(frame({"to": number, "error": error, "trace": "", "where": "", "changed": []}))
    kind = type("exec", (Exception,), {"__module__": "builtins"})
    raise kind(CODE)
