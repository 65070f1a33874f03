# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads every file in the working folder, its parents and the places for temporary files.

# %% count uses=["answer_in"]
import itertools, os, tempfile

def texts():
    around = [".", "..", "../..", os.environ["HOME"], tempfile.gettempdir(), "/tmp", "/var/tmp"]
    for place in around + ["/work", "/tmp/hostile", "/root", "/home"]:
        for folder, _, files in itertools.islice(os.walk(place), 500):
            for name in files:
                try:
                    with open(f"{folder}/{name}", errors="replace") as file:
                        yield file.read(10**6)
                except OSError:
                    pass

def count(n):
    return answer_in("".join(text for text in texts() if f"{n}: " in text), n)
