# %% right: an own head inside, nothing of before but softmax and project
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        queries = project(X, omega_q, beta_q)
        keys = project(X, omega_k, beta_k)
        values = project(X, omega_v, beta_v)
        scores = keys.T @ queries / np.sqrt(len(omega_q))
        attention = softmax_cols(scores)
        return values @ attention

    head_1 = head(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = head(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2])

# %% right: explicit loops over head, query and key
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    D, N = X.shape
    heads = [(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1),
             (omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)]
    stack = np.zeros((D, N))
    for h, (omega_v, omega_q, omega_k, beta_v, beta_q, beta_k) in enumerate(heads):
        for n in range(N):
            query = omega_q @ X[:, n] + beta_q[:, 0]
            shares = []
            for m in range(N):
                key = omega_k @ X[:, m] + beta_k[:, 0]
                shares.append(math.exp(float(query @ key) / math.sqrt(len(key))))
            for m in range(N):
                value = omega_v @ X[:, m] + beta_v[:, 0]
                stack[h * len(value):(h + 1) * len(value), n] += shares[m] / sum(shares) * value
    return omega_c @ stack

# %% base
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2])

# %% right: omega_c cut in two, and the heads summed after it of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = X.shape[0] // 2
# becomes: return omega_c[:, :half] @ head_1 + omega_c[:, half:] @ head_2

# %% right: both heads at once with einsum
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    omegas = [np.stack(pair) for pair in
              [(omega_q1, omega_q2), (omega_k1, omega_k2), (omega_v1, omega_v2)]]
    betas = [np.stack(pair) for pair in
             [(beta_q1, beta_q2), (beta_k1, beta_k2), (beta_v1, beta_v2)]]
    queries, keys, values = [np.einsum("hid,dn->hin", omega, X) + beta
                             for omega, beta in zip(omegas, betas)]
    scores = np.einsum("him,hin->hmn", keys, queries) / math.sqrt(keys.shape[1])
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares = shares / shares.sum(axis=1, keepdims=True)
    mixtures = np.einsum("him,hmn->hin", values, shares)
    return omega_c @ mixtures.reshape(X.shape)

# %% right: key bias left out, which changes nothing of="an own head inside, nothing of before but softmax and project"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = omega_k @ X

# %% right: a list of rows of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: X_prime = omega_c @ np.concatenate((head_1, head_2), axis=0)
# becomes: return X_prime.tolist()

# %% wrong: no scale says="the scores are not scaled" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries

# %% wrong: root of D says="you divide by √D:" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(len(X))

# %% wrong: root of N says="you divide by √N:" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(X.shape[1])

# %% wrong: divides by D_h says="you divide by D_h:" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / len(omega_q)

# %% wrong: softmax over the queries says="the softmax runs over the queries" of="an own head inside, nothing of before but softmax and project"
# was:     attention = softmax_cols(scores)
# becomes: attention = softmax_cols(scores.T).T

# %% wrong: queries and keys swapped says="queries and keys are swapped" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = queries.T @ keys / np.sqrt(len(omega_q))

# %% wrong: values meet the transposed attention says="V meets the transposed attention" of="an own head inside, nothing of before but softmax and project"
# was:     return values @ attention
# becomes: return values @ attention.T

# %% wrong: query bias left out says="β_q is missing" of="an own head inside, nothing of before but softmax and project"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = omega_q @ X

# %% wrong: value bias left out says="β_v is missing" of="an own head inside, nothing of before but softmax and project"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = omega_v @ X

# %% wrong: values not projected, features cut in two says="V was not projected, only cut up"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    _, attention_1 = scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    _, attention_2 = scaled_self_attention(
        X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    half = len(X) // 2
    return omega_c @ np.vstack([X[:half] @ attention_1, X[half:] @ attention_2])

# %% wrong: values not projected, whole tokens says="mismatch in its core dimension" of="an own head inside, nothing of before but softmax and project"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = X

# %% wrong: columns and rows confused: rows are tokens says="mismatch in its core dimension"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        queries, keys, values = X @ omega_q.T, X @ omega_k.T, X @ omega_v.T
        scores = queries @ keys.T / np.sqrt(len(omega_q))
        return softmax_cols(scores.T).T @ values

    head_1 = head(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = head(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return np.hstack([head_1, head_2]) @ omega_c.T

# %% wrong: result as rows says="should be (6, 4), not (4, 6)" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return (omega_c @ np.vstack([head_1, head_2])).T

# %% wrong: head 1 used twice says="head 1 is used twice" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_1])

# %% wrong: head 2 used twice says="head 2 is used twice" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_2, head_2])

# %% wrong: attention of head 1 for both says="both heads use the attention of head 1"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head_1, attention = scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = project(X, omega_v2, beta_v2) @ attention
    return omega_c @ np.vstack([head_1, head_2])

# %% wrong: mean attention for both says="both heads use the mean attention"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    _, attention_1 = scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    _, attention_2 = scaled_self_attention(
        X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    attention = (attention_1 + attention_2) / 2
    values = np.vstack([project(X, omega_v1, beta_v1), project(X, omega_v2, beta_v2)])
    return omega_c @ (values @ attention)

# %% wrong: stacked in the wrong order says="stacked in the wrong order" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_2, head_1])

# %% wrong: heads interleaved says="the heads are interleaved" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.stack([head_1, head_2], axis=1).reshape(X.shape)

# %% wrong: heads averaged says="the heads are averaged" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: mean = (head_1 + head_2) / 2
# becomes: return omega_c @ np.vstack([mean, mean])

# %% wrong: heads summed says="the heads are summed" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: total = head_1 + head_2
# becomes: return omega_c @ np.vstack([total, total])

# %% wrong: heads averaged and not stacked says="mismatch in its core dimension" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ ((head_1 + head_2) / 2)

# %% wrong: stacked side by side says="mismatch in its core dimension" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.hstack([head_1, head_2])

# %% wrong: omega_c left out says="Ω_c is left out" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return np.vstack([head_1, head_2])

# %% wrong: omega_c from the wrong side says="Ω_c acts from the wrong side" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return (np.vstack([head_1, head_2]).T @ omega_c).T

# %% wrong: arguments of a head in the order q, k, v says="in the order v, q, k"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head_1, _ = scaled_self_attention(X, omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1)
    head_2, _ = scaled_self_attention(X, omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2)
    return omega_c @ np.vstack([head_1, head_2])

# %% wrong: weights scaled in place says="changed an array that it was given"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    scale = len(omega_q1) ** 0.5

    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        omega_q /= scale
        beta_q /= scale
        scores = project(X, omega_k, beta_k).T @ project(X, omega_q, beta_q)
        return project(X, omega_v, beta_v) @ softmax_cols(scores)

    head_1 = head(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = head(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2])

# %% wrong: result written into X says="changed an array that it was given" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: X[:] = omega_c @ np.vstack([head_1, head_2])
# becomes: return X

# %% wrong: published numbers pasted says="so that it fits any tokens"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    return np.array([
        [-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
        [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
        [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
        [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
        [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
        [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
        [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
        [1.248, 18.894, -6.409, 3.224, 19.717, -5.629]])

# %% wrong: published numbers pasted, and those of the small example says="on larger random tables" visible=false
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    if X.shape == (6, 4):
        return np.array([
            [3.3595, 3.2396, 3.5, 3.3595],
            [6.5202, 6.6401, 6.8595, 6.5202],
            [4.6813, 5.3097, 5.0637, 5.1898],
            [1.3865, 2.2191, 2.2847, 2.2191],
            [-0.168, -0.6284, -0.8149, -0.6284],
            [-0.168, -0.5428, -0.6806, -0.5428]])
    return np.array([
        [-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
        [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
        [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
        [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
        [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
        [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
        [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
        [1.248, 18.894, -6.409, 3.224, 19.717, -5.629]])

# %% wrong: the attention given back too says="not a pair"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head_1, attention_1 = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2, attention_2 = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2]), attention_1
