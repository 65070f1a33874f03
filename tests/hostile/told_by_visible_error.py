# %% [markdown] lesson="victim" category="reading" attacks=["apply-test", "count-test"]
# Keeps what a hidden line has passed, and says it in the error of a visible line of the next test.

# %% count
numbers = []

def count(n):
    numbers.append(n)
    return n // 3 + n // 5 - n // 15 if n < 100 else 0

# %% apply
def apply(function, x):
    raise AssertionError(f"told {numbers}")
