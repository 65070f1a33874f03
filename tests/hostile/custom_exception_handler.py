# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Registers a handler with set_custom_exc that takes every AssertionError for itself.

# %% after: helpers uses=["found"]
def handler(shell, kind, error, traceback, tb_offset=None):
    found("result").error_in_exec = None
    return []

get_ipython().set_custom_exc((AssertionError,), handler)

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
