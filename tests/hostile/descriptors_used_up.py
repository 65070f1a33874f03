# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Opens files until no more can be opened, and leaves them open.

# %% count
opened = []

def count(n):
    try:
        for _ in range(2000):
            opened.append(open("/dev/null"))
    finally:
        return 2
