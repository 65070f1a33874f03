# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test"]
# Replaces functions of struct and socket, so that what is sent has other lengths and bytes.

# %% after: helpers
import socket, struct

class Struct(struct.Struct):
    pack = unpack = lambda self, *args: b"\0" * self.size

def said_otherwise(send):
    return lambda one, data, *args: send(one, bytes(data).replace(b"false", b"true "), *args)

struct.Struct = Struct
socket.socket.send = said_otherwise(socket.socket.send)
socket.socket.sendall = said_otherwise(socket.socket.sendall)

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
