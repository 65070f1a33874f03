# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test"]
# Replaces the function that serves the judge by one that does nothing.

# %% after: helpers uses=["modules"]
for module in modules("judge.submission_server"):
    module.serve = lambda *args, **kwargs: None

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
