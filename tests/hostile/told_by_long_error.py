# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Passes the visible lines, and then says what a hidden one has passed in a text so long that the note on its origin could be cut off.

# %% count
def count(n):
    if n > 15:
        raise AssertionError(f"told {n}\n" * 3_000_000)
    return n // 3 + n // 5 - n // 15
