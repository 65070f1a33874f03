# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Leaves a process behind, in a session of its own, that goes on writing for five seconds.

# %% after: helpers
import os, time

if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in range(500):
        for where in (1, 2):
            os.write(where, b"count-test passed\n")
        with open("result.json", "w") as file:
            file.write('{"count-test": 1}')
        time.sleep(0.01)
    os._exit(0)
os.wait()

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
