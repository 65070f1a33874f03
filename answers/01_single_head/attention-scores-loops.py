# %% right: loops over the entries of the result
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for q, k in zip(Q[i], K[j]):
            scores[i, j] += q * k
    return scores

# %% right: grows lists
def attention_scores_loops(Q, K):
    scores = []
    for query in Q:
        row = []
        for key in K:
            total = 0.0
            for f in range(len(query)):
                total += query[f] * key[f]
            row.append(total)
        scores.append(row)
    return scores

# %% right: feature by feature, in float32 if the input is
def attention_scores_loops(Q, K):
    scores = np.zeros((Q.shape[0], K.shape[0]), dtype=Q.dtype)
    for f in range(Q.shape[1]):
        for j in range(K.shape[0]):
            for i in range(Q.shape[0]):
                scores[i, j] = scores[i, j] + Q[i, f] * K[j, f]
    return scores

# %% right: without loops, which no test can tell
def attention_scores_loops(Q, K):
    return np.einsum("if,jf->ij", Q, K)

# %% wrong: Q and K swapped says="rows belong to keys"
def attention_scores_loops(Q, K):
    scores = np.zeros((len(K), len(Q)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] += K[i, f] * Q[j, f]
    return scores

# %% wrong: already scaled says="already divided by √d_k"
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] += Q[i, f] * K[j, f] / math.sqrt(Q.shape[1])
    return scores

# %% wrong: overwrites instead of adding up says="only the last feature"
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] = Q[i, f] * K[j, f]
    return scores

# %% wrong: returns inside the innermost loop says="only the first feature"
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] += Q[i, f] * K[j, f]
            break
    return scores

# %% wrong: as many keys as queries says="but got (2, 2)"
def attention_scores_loops(Q, K):
    n, d_k = Q.shape
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for f in range(d_k):
                scores[i, j] += Q[i, f] * K[j, f]
    return scores

# %% wrong: in-place input says="Q was changed"
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
        Q[i] = 0
    return scores
