# %% [markdown] lesson="victim" category="tracing" attacks=["apply-test"]
# Sets a trace function on the frames of whoever called, to overwrite the test's `expected`.

# %% apply
import sys

def apply(function, x):
    function(x), function(x)
    frame = sys._getframe(1)
    frame.f_globals["expected"] = 0
    frame.f_trace = lambda frame, event, argument: frame.f_globals.update(expected=0)
    sys.settrace(lambda *_: None)
    return 0
