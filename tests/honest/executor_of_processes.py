# %% [markdown] lesson="01_single_head" needs="namespaces"
# One softmax a list, each in a process of an executor.

# %% weight-entropy
from concurrent.futures import ProcessPoolExecutor

def entropy_of_row(row):
    row = row[row > 0]
    return float(-np.sum(row * np.log(row)))

def weight_entropy(weights):
    weights = np.asarray(weights)
    rows = weights.reshape(-1, weights.shape[-1])
    with ProcessPoolExecutor(2) as executor:
        return np.array(list(executor.map(entropy_of_row, rows))).reshape(weights.shape[:-1])
