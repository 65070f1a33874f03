# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["shares-test"]
# Leaves a thread behind that replaces the helper for the next ten seconds.

# %% after: helpers
import threading, time

def keep_replacing(end):
    while time.monotonic() < end:
        globals()["check_numbers"] = lambda *args, **kwargs: None
        time.sleep(0.001)

threading.Thread(target=keep_replacing, args=[time.monotonic() + 10], daemon=True).start()

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
