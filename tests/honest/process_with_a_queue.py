# %% [markdown] lesson="01_single_head" needs="namespaces"
# A process of the student's gives its result back through a queue, under a lock.

# %% fold-weights
import multiprocessing

def product(queue, lock, a, b):
    with lock:
        queue.put(a @ b)

def fold_weights(W_Q, W_K, W_V, W_O):
    found = []
    for pair in [(W_Q, W_K.T), (W_V, W_O)]:
        queue, lock = multiprocessing.Queue(), multiprocessing.Lock()
        process = multiprocessing.Process(target=product, args=(queue, lock, *pair))
        process.start()
        found.append(queue.get())
        process.join()
    return tuple(found)
