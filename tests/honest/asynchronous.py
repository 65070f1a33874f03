# %% [markdown] lesson="01_single_head"
# Coroutines on a loop of the function's own, and `await` in a cell.

# %% after: imports
import asyncio
await asyncio.sleep(0)

# %% attention-scores
import asyncio
import threading

async def one_row(q, K):
    await asyncio.sleep(0)
    return [float(q @ k) for k in K]

async def all_rows(Q, K):
    return await asyncio.gather(*(one_row(q, K) for q in Q))

def attention_scores(Q, K):
    found = []
    thread = threading.Thread(target=lambda: found.extend(asyncio.run(all_rows(Q, K))))
    thread.start()
    thread.join()
    return np.array(found)
