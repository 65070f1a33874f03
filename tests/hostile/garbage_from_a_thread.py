# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Has a thread write garbage into the judge's socket for two seconds.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
import threading, time

def keep_saying():
    for _ in range(100):
        say(os.urandom(64))
        time.sleep(0.02)

threading.Thread(target=keep_saying, daemon=True).start()

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
