# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Sends (harmless) signals to its parent and its neighbours.

# %% count
import os, signal

def count(n):
    for process in (os.getppid(), *range(os.getpid() - 20, os.getpid())):
        try:
            os.kill(process, signal.SIGCONT)
        except (OSError, OverflowError):
            pass
    return 2
