# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Looks into the frames of all threads for what the test expects.

# %% apply
import sys

def apply(function, x):
    function(x), function(x)
    for frame in sys._current_frames().values():
        while frame:
            if "expected" in frame.f_locals:
                return frame.f_locals["expected"]
            frame = frame.f_back
    return 0
