# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Replaces IPython's run_cell_async, so that cells with an assert run as empty ones.

# %% after: helpers
shell = get_ipython()
original = shell.run_cell_async

async def run_cell_async(raw_cell, **kwargs):
    if "assert" in raw_cell:
        raw_cell = kwargs["transformed_cell"] = "pass"
    return await original(raw_cell, **kwargs)

shell.run_cell_async = run_cell_async

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
