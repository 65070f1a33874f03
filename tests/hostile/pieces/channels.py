import json, os, socket, stat, struct

def made_elsewhere(one):
    maker = struct.unpack("iII", one.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    return one.getsockname() == one.getpeername() == "" and maker != os.getpid()

def channels():
    for number in range(3, 256):
        try:
            one = stat.S_ISSOCK(os.fstat(number).st_mode) and socket.socket(fileno=os.dup(number))
            if one and one.family == socket.AF_UNIX and made_elsewhere(one):
                yield one
        except OSError:
            pass

def say(data):
    for one in channels():
        try:
            one.send(data, socket.MSG_DONTWAIT)
        except OSError:
            pass
