import sys

def found(name, default=None):
    frame = sys._getframe(1)
    while frame and name not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals[name] if frame else default
