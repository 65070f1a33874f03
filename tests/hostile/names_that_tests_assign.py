# %% [markdown] lesson="victim" category="names" attacks=["count-test"]
# Defines the names that a test assigns itself, as objects that agree with everything.

# %% after: helpers
class Yes:
    __eq__ = __call__ = __getitem__ = lambda self, *args: True
    __hash__ = object.__hash__

for name in "got expected answer answers before given rng start state x n layer calls".split():
    globals()[name] = Yes()

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
