# %% [markdown] lesson="01_single_head" needs="namespaces"
# The rows of scores are computed by a pool of processes.

# %% before: attention-scores
from multiprocessing import Pool

def row(pair):
    q, K = pair
    return [float(np.dot(q, k)) for k in K]

# %% attention-scores
def attention_scores(Q, K):
    with Pool(2) as pool:
        return np.array(pool.map(row, [(q, K) for q in Q]))
