# %% [markdown] lesson="01_single_head" needs="namespaces"
# Numbers in memory that processes share: an Array, a Value, and a block with a name.

# %% fold-weights
import multiprocessing
from multiprocessing.shared_memory import SharedMemory

def fill(a, b, name, shape, count):
    block = SharedMemory(name)
    np.ndarray(shape, buffer=block.buf)[...] = a @ b
    with count.get_lock():
        count.value += 1
    block.close()

def fold_weights(W_Q, W_K, W_V, W_O):
    found, count = [], multiprocessing.Value("i", 0)
    for a, b in [(W_Q, W_K.T), (W_V, W_O)]:
        shape = (len(a), b.shape[1])
        block = SharedMemory(create=True, size=8 * shape[0] * shape[1])
        process = multiprocessing.Process(target=fill, args=(a, b, block.name, shape, count))
        process.start()
        process.join()
        found.append(np.ndarray(shape, buffer=block.buf).copy())
        block.close()
        block.unlink()
    assert count.value == 2
    return found
