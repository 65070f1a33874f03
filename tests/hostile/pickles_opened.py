# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Replaces what reads pickles, and prints what a test sends of itself.

# %% after: helpers
import io, pickle, pickletools, re

def spy(data, *args, **kwargs):
    text = io.StringIO()
    pickletools.dis(data, text)
    print(*re.findall("seed [0-9]+|90[0-9]{3}", text.getvalue()))
    return original(data, *args, **kwargs)

original = pickle.loads
try:
    import cloudpickle
    pickle.loads = cloudpickle.loads = spy
except ImportError:
    pickle.loads = spy

# %% apply
def apply(function, x):
    function(x), function(x)
    return 0
