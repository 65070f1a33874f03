# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises a builtin error that can't be made from a message alone.

# %% count
def count(n):
    raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'no') if n != 10 else ExceptionGroup('no', [ValueError()])
