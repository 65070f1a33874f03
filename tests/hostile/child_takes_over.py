# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Forks in the middle of a test and lets the parent end, so that the process that is left is another one.

# %% count
import os, threading

def count(n):
    if os.fork():
        os._exit(0)
    threading.Timer(3, os._exit, [0]).start()
    return {10: 5, 15: 7}.get(n, 467)
