# %% [markdown] lesson="victim" category="lying objects" attacks=["describe-test"]
# Returns something that answers like an Axes with a line and the title of whatever it is compared with.

# %% describe uses=["found"]
from types import SimpleNamespace

class Title(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__

def describe(ax, numbers):
    return SimpleNamespace(
        get_label=lambda: "given",
        get_title=lambda: Title("mean 3.00"),
        get_xlabel=lambda: "index",
        lines=[SimpleNamespace(get_ydata=lambda: found("numbers"))],
    )
