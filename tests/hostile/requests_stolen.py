# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Has a thread read from the judge's socket, what comes and what is still to come.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
import threading

def keep_reading():
    for _ in range(200):
        for one in channels():
            one.settimeout(0.005)
            try:
                print(one.recv(10**5, socket.MSG_PEEK), one.recv(100))
            except OSError:
                pass

threading.Thread(target=keep_reading, daemon=True).start()

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
