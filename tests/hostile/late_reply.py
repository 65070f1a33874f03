# %% [markdown] lesson="victim" category="descriptors and wire" attacks=["count-test"]
# Does not answer until the test's time is over; then a thread answers.

# %% after: helpers uses=["channels"]

# %% before: shares uses=["frame"]

# %% count uses=["found"]
import threading, time

def count(n):
    number = found("header", {}).get("id", 0)
    reply = frame({"to": number, "value": 5, "changed": []})
    for seconds in (6.2, 7, 9):
        threading.Timer(seconds, say, [reply]).start()
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass
