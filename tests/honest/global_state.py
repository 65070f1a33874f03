# %% [markdown] lesson="01_single_head"
# What functions compute is kept in global names, in closures and in a context, and used again.

# %% softmax
import contextlib
import contextvars
import weakref

largest = None
kept = weakref.WeakValueDictionary()
axis_of = contextvars.ContextVar("axis", default=-1)

@contextlib.contextmanager
def along(axis):
    token = axis_of.set(axis)
    try:
        yield
    finally:
        axis_of.reset(token)

def counted():
    calls = 0

    def shifted(scores):
        nonlocal calls
        global largest
        calls += 1
        largest = scores.max(axis=axis_of.get(), keepdims=True)
        return scores - largest
    return shifted

shifted = counted()

def softmax(scores, axis=-1):
    with along(axis):
        powers = np.exp(shifted(np.asarray(scores)))
        kept["last"] = powers
        return kept["last"] / powers.sum(axis=axis_of.get(), keepdims=True)
