# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Ignores SIGINT and SIGTERM, and returns something wrong after the time is over.

# %% count
import signal, time

def count(n):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(8)
    return 2
