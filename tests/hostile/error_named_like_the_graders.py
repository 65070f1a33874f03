# %% [markdown] lesson="victim" category="exceptions" attacks=["count-test"]
# Raises errors with the names that the grader itself uses for a cell that timed out or was killed.

# %% count
def count(n):
    raise type(('CellTimeoutError', 'DeadKernelError', 'Broken')[n % 3], (Exception,), {})('ok')
