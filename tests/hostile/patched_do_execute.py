# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Replaces the kernel's do_execute by a function that runs nothing and says ok.

# %% after: helpers
kernel = get_ipython().kernel
original = kernel.do_execute

async def do_execute(code, *args, **kwargs):
    if "assert" in code:
        code = "pass"
    return await original(code, *args, **kwargs)

do_execute.__signature__ = __import__("inspect").signature(original)
kernel.do_execute = do_execute

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)
