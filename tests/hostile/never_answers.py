# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Waits for ever, and swallows every interrupt.

# %% count
import time

def count(n):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
