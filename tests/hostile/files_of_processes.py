# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads what /proc says of its own process, its parent and all others, and their memory.

# %% count uses=["answer_in"]
import os

def texts():
    for process in ("self", "thread-self", os.getppid(), *range(1, 200)):
        for name in ("maps", "mem", "environ", "cmdline", "fd/3", "fd/4", "cwd/victim.ipynb"):
            try:
                with open(f"/proc/{process}/{name}", errors="replace") as file:
                    yield file.read(10**5)
            except OSError:
                pass

def count(n):
    return answer_in("".join(texts()), n)
