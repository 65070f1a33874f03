# %% [markdown] lesson="victim" category="changing results" attacks=["count-test"]
# Asks to be called when Python collects garbage, and changes the test's list of answers then.

# %% after: helpers
import gc

def act(phase, info):
    for names in gc.get_objects():
        if type(names) is dict and "count" in names and type(names.get("answers")) is dict:
            names["answers"].update(dict.fromkeys(names["answers"], 2))

gc.callbacks.append(act)

# %% count
def first_guess(n):
    return {10: 5, 15: 7}.get(n, 2)

def count(n):
    gc.collect(0)
    return first_guess(n)
