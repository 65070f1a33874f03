# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Puts a socket of its own in the place of the judge's, and answers there as it likes.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
import threading

def keep_answering(end):
    while end.recv(10**5):
        end.send(frame({"to": 1, "value": 5, "changed": []}))

found = {os.fstat(one.fileno()).st_ino for one in channels()}
for number in range(3, 256):
    try:
        if os.fstat(number).st_ino in found:
            mine, other = socket.socketpair()
            os.dup2(mine.fileno(), number)
            threading.Thread(target=keep_answering, args=[other], daemon=True).start()
    except OSError:
        pass

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
