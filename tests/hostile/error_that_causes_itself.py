# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises errors that are each other's cause and context.

# %% count
one, other = ValueError("one"), ValueError("other")
one.__cause__, other.__cause__ = other, one
one.__context__, other.__context__ = other, one

def count(n):
    raise one
