# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Stops its own process, which neither ends nor goes on then.

# %% count
import os, signal

def count(n):
    os.kill(os.getpid(), signal.SIGSTOP)
    return 2
