# %% right: loops over queries
def attention_weights(Q, K):
    rows = []
    for query in Q:
        scores = [query @ key / math.sqrt(len(query)) for key in K]
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        rows.append([power / sum(powers) for power in powers])
    return np.array(rows)

# %% right: einsum, and the scale on the queries
def attention_weights(Q, K):
    scores = np.einsum("qf,kf->qk", Q / np.sqrt(Q.shape[1]), K)
    powers = np.exp(scores - scores.max(axis=1)[:, None])
    return np.einsum("qk,q->qk", powers, 1 / powers.sum(axis=1))

# %% right: torch
import torch


def attention_weights(Q, K):
    Q, K = torch.from_numpy(Q), torch.from_numpy(K)
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=-1)

# %% right: the scale split between Q and K
def attention_weights(Q, K):
    root = Q.shape[-1] ** 0.25
    return softmax(attention_scores(Q / root, K / root))

# %% right: keys down, then turned
def attention_weights(Q, K):
    return np.transpose(softmax((K @ Q.T) / math.sqrt(K.shape[1]), axis=0))

# %% wrong: no scaling says="nothing is scaled" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T)

# %% wrong: dividing by d_k says="divided by d_k, not by its root" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / Q.shape[1])

# %% wrong: multiplying by √d_k says="multiplied by √d_k" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T * np.sqrt(Q.shape[1]))

# %% wrong: √n of the keys says="the root is of n_k" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(len(K)))

# %% wrong: √n of the queries says="the root is of n_q" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(len(Q)))

# %% wrong: softmax over queries says="each column sums to 1" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0)

# %% wrong: softmax over everything says="the whole table sums to 1" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return softmax(scores.ravel()).reshape(scores.shape)

# %% wrong: weights unnormalised says="the rows don't sum to 1" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return np.exp(Q @ K.T / np.sqrt(Q.shape[1]))

# %% wrong: no softmax says="the softmax is missing" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])

# %% wrong: Q and K swapped says="Q and K are swapped" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(K @ Q.T / np.sqrt(Q.shape[1]))

# %% wrong: no max subtraction says="exp overflows" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: one global maximum says="one maximum for the whole table" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: scaled after the softmax says="the scale comes after the softmax" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T) / np.sqrt(Q.shape[1])

# %% wrong: in-place input says="Q was changed"
def attention_weights(Q, K):
    Q /= np.sqrt(Q.shape[1])
    return softmax(Q @ K.T)

# %% wrong: a half instead of a root says="the root is not a root" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / Q.shape[1] ** 1 / 2)
