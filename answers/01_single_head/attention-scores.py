# %% right: einsum
def attention_scores(Q, K):
    return np.einsum("qf,kf->qk", Q, K)

# %% right: inner product
def attention_scores(Q, K):
    return np.inner(Q, K)

# %% right: torch
import torch


def attention_scores(Q, K):
    return (torch.from_numpy(Q) @ torch.from_numpy(K).mT).numpy()

# %% right: broadcast and sum
def attention_scores(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(axis=2)

# %% wrong: Q and K swapped says="rows belong to keys" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return K @ Q.T

# %% wrong: already scaled says="already divided by √d_k" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])

# %% wrong: no transpose says="matmul" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K

# %% wrong: in-place input says="Q was changed" fails=["attention-scores-test", "attention-weights-test"]
def attention_scores(Q, K):
    scores = Q @ K.T
    Q *= 0
    return scores
