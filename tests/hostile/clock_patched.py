# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test"]
# Stops the clock of its process, and makes every wait last no time.

# %% after: helpers
import select, signal, time
time.time = time.monotonic = time.perf_counter = lambda: 0.0
time.sleep = lambda seconds: None
signal.setitimer = signal.alarm = lambda *args: 0

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
