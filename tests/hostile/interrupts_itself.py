# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Interrupts the test itself, shortly after its answer.

# %% count
import _thread, threading

def count(n):
    for seconds in (0.01, 0.1, 0.2):
        threading.Timer(seconds, _thread.interrupt_main).start()
    return {10: 5, 15: 7}.get(n, 2)
