# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Prints the file that the test's function comes from: the hidden test is in it.

# %% apply
import inspect, linecache

def apply(function, x):
    print(inspect.getsource(function))
    print("".join(linecache.getlines(function.__code__.co_filename)))
    function(x), function(x)
    return 0
