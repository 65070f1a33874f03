# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads the test's source in linecache, where IPython keeps it for tracebacks.

# %% count uses=["answer_in"]
import linecache

def count(n):
    entries = [entry for entry in linecache.cache.values() if len(entry) == 4]
    return answer_in("".join(line for entry in entries for line in entry[2]), n)
