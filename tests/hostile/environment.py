# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Looks for the test, or a way to it, in the environment and in the arguments of the process.

# %% count uses=["answer_in"]
import os, sys

def count(n):
    texts = [*os.environ.values(), *sys.argv, *sys.orig_argv, str(sys.flags), str(sys._xoptions)]
    return answer_in(" ".join(texts), n)
