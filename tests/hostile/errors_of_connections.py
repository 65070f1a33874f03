# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises the errors that a lost connection raises, as if the grader's own had been lost.

# %% count
def count(n):
    raise (EOFError, BrokenPipeError, ConnectionResetError, TimeoutError)[n % 4](32, 'Broken pipe')
