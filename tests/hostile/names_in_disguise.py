# %% [markdown] lesson="victim" category="lying objects" attacks=["describe-test"]
# Returns an object with attributes of odd names, and looks up names that lead out of it.

# %% describe
class Odd:
    def __getattr__(self, name):
        return Odd()

def describe(ax, numbers):
    odd = Odd()
    names = "a.b", "", "\0", "\ud800", "x" * 10**6, "__class__.__init__", "_ask", "__reduce__"
    for name in names:
        vars(odd)[name] = odd
    vars(odd)["__dict__"] = vars(odd)
    return odd
