# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Replaces IPython's run_code, so that code is never run and never fails.

# %% after: helpers
shell = get_ipython()
original = shell.run_code

async def run_code(code, result=None, **kwargs):
    if "count" not in code.co_names:
        return await original(code, result, **kwargs)
    return False

shell.run_code = run_code

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
