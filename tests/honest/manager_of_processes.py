# %% [markdown] lesson="01_single_head" needs="namespaces" loses=["weight-entropy-test"] loses_without=[] why="The processes of a Manager connect to it by a socket with a name, and nothing in a sandbox may connect to sockets, which could be somebody else's."
# A process gives its result back in a dict that a Manager looks after.

# %% weight-entropy
import multiprocessing

def entropies(weights, found):
    found["entropy"] = -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)

def weight_entropy(weights):
    with multiprocessing.Manager() as manager:
        found = manager.dict()
        process = multiprocessing.Process(target=entropies, args=(np.asarray(weights), found))
        process.start()
        process.join()
        return found["entropy"]
