# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Has a forked child write garbage into the judge's socket for two seconds.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
import time

if os.fork() == 0:
    for _ in range(100):
        say(os.urandom(64))
        time.sleep(0.02)
    os._exit(0)

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
