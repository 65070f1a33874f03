# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Looks for the test in everything that can be read from an open descriptor, without taking it away.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["answer_in"]
def count(n):
    texts = []
    for number in range(256):
        try:
            one = socket.socket(fileno=os.dup(number))
            texts.append(one.recv(10**6, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            pass
        try:
            texts.append(os.pread(number, 10**6, 0))
        except OSError:
            pass
    return answer_in(b"".join(texts).decode("latin1"), n)
