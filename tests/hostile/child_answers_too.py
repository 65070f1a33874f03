# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Forks in the middle of a test: two processes go on with it, and both answer.

# %% count
import os, threading, time

def count(n):
    if os.fork() == 0:
        threading.Timer(3, os._exit, [0]).start()
        return {10: 5, 15: 7}.get(n, 467)
    time.sleep(0.1)
    return 2
