# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Asks IPython to be called after each cell, and takes the error out of its result.

# %% after: helpers
def forget(result):
    result.error_in_exec = result.error_before_exec = None

shell = get_ipython()
shell.events.register("post_run_cell", forget)
shell._showtraceback = lambda *args: None

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
