# %% [markdown] lesson="03_masked_multi_head"
# The function that is given is spoken of by its name.

# %% before: check-attention
names = []

# %% after: check-attention
_check_attention = check_attention

def check_attention(candidate):
    names.append(candidate.__name__)
    print("checking", candidate.__name__, candidate.__qualname__, candidate.__module__, candidate.__doc__)
    return _check_attention(candidate)
