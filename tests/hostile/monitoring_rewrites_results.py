# %% [markdown] lesson="victim" category="tracing" attacks=["shares-test"]
# Has sys.monitoring (or sys.setprofile) call it in the helper, and overwrites the result there.

# %% after: helpers
import sys

def overwrite(*_):
    frame = sys._getframe(1)
    if frame.f_code.co_name == "check_numbers":
        frame.f_locals["got"][...] = frame.f_locals["expected"]

if hasattr(sys, "monitoring"):
    started = sys.monitoring.events.PY_START
    sys.monitoring.use_tool_id(3, "overwrite")
    sys.monitoring.register_callback(3, started, overwrite)
    sys.monitoring.set_events(3, started)
else:
    sys.setprofile(overwrite)

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
