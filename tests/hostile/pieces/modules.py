import sys

def modules(*names):
    wanted = [f"gradebox.{name}" for name in names]
    for name in wanted:
        try:
            __import__(name)
        except ImportError:
            pass
    return [sys.modules[name] for name in wanted if name in sys.modules]
