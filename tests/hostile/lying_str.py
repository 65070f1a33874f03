# %% [markdown] lesson="victim" category="lying objects" attacks=["describe-test"]
# Returns an Axes whose title is a string that is equal to everything.

# %% describe
class Any(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__

def describe(ax, numbers):
    ax.plot(numbers)
    ax.set_xlabel("index")
    ax.get_title = lambda *args: Any("mean")
    return ax
