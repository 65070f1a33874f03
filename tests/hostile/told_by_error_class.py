# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Says what a hidden line has passed in the name of an assertion's class, in its notes and in its cause.

# %% count
def count(n):
    if n > 15:
        error = type(f"told_{n}", (AssertionError,), {"__str__": lambda error: f"told {n}"})()
        error.__notes__ = [f"told {n}"]
        raise error from AssertionError(f"told {n}")
    return n // 3 + n // 5 - n // 15
