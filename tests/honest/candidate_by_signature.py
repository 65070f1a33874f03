# %% [markdown] lesson="03_masked_multi_head"
# The function that is given is looked at before it is called: its name, its kind, its signature.

# %% after: check-attention
import functools
import inspect

_check_attention = check_attention

def check_attention(candidate):
    print(f"checking {candidate.__name__}{inspect.signature(candidate)}")
    if not (callable(candidate) and inspect.isfunction(candidate)):
        return False

    @functools.wraps(candidate)
    def watched(*args, **kwargs):
        return candidate(*args, **kwargs)
    return _check_attention(watched)
