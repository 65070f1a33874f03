# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Kills its own process in the middle of a test.

# %% count
import os, signal

def count(n):
    os.kill(os.getpid(), signal.SIGKILL)
