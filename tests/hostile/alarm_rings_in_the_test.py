# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["shares-test"]
# Sets a timer whose handler replaces the helpers of whatever is being run when it rings.

# %% after: helpers
import signal

def act(number, frame):
    while frame:
        for name in ("check_numbers", "same"):
            if name in frame.f_globals:
                frame.f_globals[name] = lambda *args, **kwargs: None
        frame = frame.f_back

signal.signal(signal.SIGALRM, act)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    signal.setitimer(signal.ITIMER_REAL, 1e-4)
    return np.zeros(np.shape(scores))

# %% after: shares-test
signal.setitimer(signal.ITIMER_REAL, 0)
