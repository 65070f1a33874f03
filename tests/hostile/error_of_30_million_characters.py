# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises an error with a text of 30 million characters and 100 000 notes.

# %% count
odd = Exception("x" * 30_000_000)
odd.__notes__ = ["note"] * 100_000

def count(n):
    raise odd
