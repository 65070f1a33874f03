# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Sends open descriptors and urgent bytes through the judge's socket.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]
import array
rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
for one in channels():
    for act in (
        lambda: one.sendmsg([b"x"], rights, socket.MSG_DONTWAIT),
        lambda: one.send(b"!", socket.MSG_OOB | socket.MSG_DONTWAIT),
        lambda: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1),
    ):
        try:
            act()
        except OSError:
            pass

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
