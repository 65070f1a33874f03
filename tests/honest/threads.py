# %% [markdown] lesson="01_single_head"
# The rows of scores are computed by a pool of threads; NumPy raises in each of them over what it did not before.

# %% attention-scores
from concurrent.futures import ThreadPoolExecutor

def attention_scores(Q, K):
    with ThreadPoolExecutor(4) as executor:
        return np.stack(list(executor.map(lambda q: K @ q, Q)))
