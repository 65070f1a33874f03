# %% [markdown] lesson="victim" category="IPython" attacks=["shares-test"]
# Starts a task on the kernel's event loop that replaces the helper between cells.

# %% after: helpers
import asyncio

async def keep_replacing():
    while True:
        globals()["check_numbers"] = np.allclose = lambda *args, **kwargs: True
        await asyncio.sleep(0.001)

task = asyncio.ensure_future(keep_replacing())

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
