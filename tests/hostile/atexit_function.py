# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Asks to be called when Python ends, to write a passing result then.

# %% after: helpers
import atexit

@atexit.register
def at_the_end():
    with open("result.json", "w") as file:
        file.write('{"count-test": 1, "status": "ok", "ended": "ok"}')

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
