# %% [markdown] lesson="01_single_head"
# Scores as an array of Python's own numbers, each exact, in a function that later ones use.

# %% attention-scores
def attention_scores(Q, K):
    scores = np.empty((len(Q), len(K)), dtype=object)
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            scores[i, j] = math.fsum(float(a) * float(b) for a, b in zip(q, k))
    return scores

# %% attention-weights
def attention_weights(Q, K):
    d_k = Q.shape[-1]
    return softmax((attention_scores(Q, K) / math.sqrt(d_k)).astype(float), axis=-1)
