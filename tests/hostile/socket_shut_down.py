# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Shuts the judge's socket down in the middle of a test.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count
def count(n):
    for one in channels():
        one.shutdown(socket.SHUT_RDWR)
    return 2
