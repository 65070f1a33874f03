# %% [markdown] lesson="victim" category="patches" attacks=["describe-test"]
# Makes `from statistics import fmean` bring a function that knows one answer only.

# %% after: helpers
import builtins
from types import SimpleNamespace
original = builtins.__import__

def importing(name, *args, **kwargs):
    if name == "statistics":
        return SimpleNamespace(fmean=lambda numbers: 3.0)
    return original(name, *args, **kwargs)

builtins.__import__ = importing

# %% describe
def describe(ax, numbers):
    ax.plot(numbers)
    ax.set_title("mean 3.00")
    ax.set_xlabel("index")
    return ax
