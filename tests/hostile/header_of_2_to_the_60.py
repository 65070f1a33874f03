# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Announces messages of 2**60 bytes, and of negative and overflowing lengths.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
for lengths in ((2**31, 0), (0, 2**31), (8, 3, 2**60, 2**60, 2**60), (2**32 - 1, 2**32 - 1), (0, 0)):
    say(struct.pack(f"!2I{len(lengths) - 2}Q", *lengths))

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
