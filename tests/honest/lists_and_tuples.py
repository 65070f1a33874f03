# %% [markdown] lesson="01_single_head"
# Everything in Python's lists, which are also given back.

# %% attention-scores
def attention_scores(Q, K):
    return np.asarray([[sum(a * b for a, b in zip(q, k)) for k in K.tolist()] for q in Q.tolist()])

# %% attention-weights
def attention_weights(Q, K):
    rows = (attention_scores(Q, K) / Q.shape[-1] ** 0.5).tolist()
    powers = [[math.exp(s - max(row)) for s in row] for row in rows]
    return np.array([[p / sum(row) for p in row] for row in powers])

# %% fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    return [(W_Q @ W_K.T).tolist(), (W_V @ W_O).tolist()]

# %% weight-entropy
def weight_entropy(weights):
    if np.ndim(weights) > 1:
        return [weight_entropy(row) for row in weights]
    return -math.fsum(w * math.log(w) for w in weights if w > 0)
