# %% right: an own head inside, nothing of before but softmax and project
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        queries = project(X, omega_q, beta_q)
        keys = project(X, omega_k, beta_k)
        values = project(X, omega_v, beta_v)
        scores = keys.T @ queries / np.sqrt(len(omega_q))
        attention = column_softmax(scores)
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

# %% wrong: arguments of a head in the order q, k, v advice="a head's arguments come in the order v, q, k: here they are in the order q, k, v" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2)

# %% wrong: stacked in the wrong order advice="head 0 is in the place of head 1: stack head 0 on top, so that it meets the left half of Ω_c" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_2, head_1])

# %% wrong: omega_c transposed advice="Ω_c is transposed, or acts from the right on tokens as rows: it is Ω_c times the stacked heads" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c.T @ np.vstack([head_1, head_2])

# %% wrong: omega_c left out advice="Ω_c is left out: multiply the stacked heads by it, from the left" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return np.vstack([head_1, head_2])

# %% wrong: biases of a head in the order q, k, v advice="the biases of a head come in the order v, q, k: here they are in the order q, k, v" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_q1, beta_k1, beta_v1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_q2, beta_k2, beta_v2)

# %% wrong: weights of head 0 for both advice="both halves are made by head 0: the lower one takes the Ω and β that end in 2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)

# %% wrong: head 0 added to the input of head 1 advice="head 1 works on a table that head 0 has changed: both heads take the same X" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: both = X + np.vstack([head_1, head_1])
# becomes: head_2, _ = scaled_self_attention(both, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: head 0 twice as the input of head 1 advice="head 1 works on a table that head 0 has changed: both heads take the same X" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: both = np.vstack([head_1, head_1])
# becomes: head_2, _ = scaled_self_attention(both, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: heads interleaved advice="the rows of the heads alternate: put all rows of head 0 on top, then all of head 1, with np.vstack" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.stack([head_1, head_2], axis=1).reshape(X.shape)

# %% wrong: result as rows advice="the result is transposed: a token is a column" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return (omega_c @ np.vstack([head_1, head_2])).T

# %% wrong: residual added advice="X is added to the result: X_prime is Ω_c times the stack alone" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return X + omega_c @ np.vstack([head_1, head_2])

# %% wrong: weights of a head in the order q, k, v advice="the Ω of a head come in the order v, q, k: here they are in the order q, k, v" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_k1, omega_v1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_k2, omega_v2, beta_v2, beta_q2, beta_k2)

# %% wrong: heads averaged advice="the heads are averaged: stack them below each other" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: mean = (head_1 + head_2) / 2
# becomes: return omega_c @ np.vstack([mean, mean])

# %% wrong: omega_c twice advice="Ω_c multiplies twice: once is enough" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ (omega_c @ np.vstack([head_1, head_2]))

# %% wrong: no scale advice="the scores are not scaled: divide them by √D_h before the softmax" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries

# %% wrong: root of D advice="you divide by √D: √D_h is needed, the size of one head" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(len(X))

# %% wrong: root of N advice="you divide by √N, the number of tokens: √D_h is needed, the size of one head" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(X.shape[1])

# %% wrong: divides by D_h advice="the scores are divided by D_h, or twice by its root: divide them once, by √D_h" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / len(omega_q)

# %% wrong: root of the number of heads advice="you divide by √2, as if by the number of heads: √D_h is needed, the size of one head" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(2)

# %% wrong: power without any brackets advice="you divide by 2 · D_h, as / D_h ** 1 / 2 does: write D_h ** 0.5 or np.sqrt" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / len(omega_q) ** 1 / 2

# %% wrong: power without brackets advice="you divide by half of D_h, as by (D_h ** 1 / 2): write D_h ** 0.5 or np.sqrt" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / (len(omega_q) ** 1 / 2)

# %% wrong: multiplies by the root advice="you multiply the scores by √D_h: divide" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries * np.sqrt(len(omega_q))

# %% wrong: the root of 4, a size of the published data advice="the scores are divided by √4, and no size of this call is 4: take D_h from the head's Ω, not from a name outside of your function" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(4)

# %% wrong: the root of 6, a size of the published data advice="the scores are divided by √6, and no size of this call is 6: take D_h from the head's Ω, not from a name outside of your function" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(6)

# %% wrong: the root of 8, a size of the published data advice="the scores are divided by √8, and no size of this call is 8: take D_h from the head's Ω, not from a name outside of your function" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = keys.T @ queries / np.sqrt(8)

# %% wrong: softmax over the queries advice="the softmax runs over the queries: it must run over the keys, down each column" of="an own head inside, nothing of before but softmax and project"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T).T

# %% wrong: queries and keys swapped advice="queries and keys are swapped: the scores are Kᵀ Q, and a head takes its arguments in the order v, q, k" of="an own head inside, nothing of before but softmax and project"
# was:     scores = keys.T @ queries / np.sqrt(len(omega_q))
# becomes: scores = queries.T @ keys / np.sqrt(len(omega_q))

# %% wrong: values meet the transposed attention advice="V is multiplied by the transposed attention: multiply by the attention as it is" of="an own head inside, nothing of before but softmax and project"
# was:     return values @ attention
# becomes: return values @ attention.T

# %% wrong: query bias left out advice="β_q is missing in both heads" of="an own head inside, nothing of before but softmax and project"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = omega_q @ X

# %% wrong: value bias left out advice="β_v is missing in both heads" of="an own head inside, nothing of before but softmax and project"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = omega_v @ X

# %% wrong: all biases left out advice="the biases are missing in both heads" of="an own head inside, nothing of before but softmax and project"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries, keys, values = omega_q @ X, omega_k @ X, omega_v @ X

# %% wrong: values not projected, whole tokens says="in a product" of="an own head inside, nothing of before but softmax and project"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = X

# %% wrong: values not projected, features cut in two advice="the values are X itself, cut in two: each head has its own Ω_v and β_v for all of X"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    _, attention_1 = scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    _, attention_2 = scaled_self_attention(
        X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    half = len(X) // 2
    return omega_c @ np.vstack([X[:half] @ attention_1, X[half:] @ attention_2])

# %% wrong: columns and rows confused: rows are tokens says="in a product"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        queries, keys, values = X @ omega_q.T, X @ omega_k.T, X @ omega_v.T
        scores = queries @ keys.T / np.sqrt(len(omega_q))
        return column_softmax(scores.T).T @ values

    head_1 = head(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = head(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return np.hstack([head_1, head_2]) @ omega_c.T

# %% wrong: head 0 used twice advice="both halves are made by head 0: the lower one takes the Ω and β that end in 2" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_1])

# %% wrong: head 1 used twice advice="both halves are made by head 1: the upper one takes the Ω and β that end in 1" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_2, head_2])

# %% wrong: head 1 reads head 0 says="in a product" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(head_1, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: omega_v1 in head 1 advice="head 1 gets omega_v1: it takes omega_v2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v1, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: omega_v2 in head 0 advice="head 0 gets omega_v2: it takes omega_v1" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v2, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)

# %% wrong: omega_q1 in head 1 advice="head 1 gets omega_q1: it takes omega_q2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q1, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: omega_q2 in head 0 advice="head 0 gets omega_q2: it takes omega_q1" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q2, omega_k1, beta_v1, beta_q1, beta_k1)

# %% wrong: omega_k1 in head 1 advice="head 1 gets omega_k1: it takes omega_k2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k1, beta_v2, beta_q2, beta_k2)

# %% wrong: omega_k2 in head 0 advice="head 0 gets omega_k2: it takes omega_k1" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k2, beta_v1, beta_q1, beta_k1)

# %% wrong: beta_v1 in head 1 advice="head 1 gets beta_v1: it takes beta_v2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v1, beta_q2, beta_k2)

# %% wrong: beta_v2 in head 0 advice="head 0 gets beta_v2: it takes beta_v1" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v2, beta_q1, beta_k1)

# %% wrong: beta_q1 in head 1 advice="head 1 gets beta_q1: it takes beta_q2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q1, beta_k2)

# %% wrong: beta_q2 in head 0 advice="head 0 gets beta_q2: it takes beta_q1" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q2, beta_k1)

# %% wrong: biases of head 0 in head 1 advice="head 1 gets the biases of head 0: its own end in 2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v1, beta_q1, beta_k1)

# %% wrong: weights of head 0 in head 1, biases right advice="head 1 gets the Ω of head 0: its own end in 2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v2, beta_q2, beta_k2)

# %% wrong: q and k of head 0 in head 1 advice="head 1 is mixed by the attention of head 0: its own comes from omega_q2, omega_k2, beta_q2 and beta_k2" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q1, omega_k1, beta_v2, beta_q1, beta_k1)

# %% wrong: arguments of a head in the order v, k, q advice="queries and keys are swapped: the scores are Kᵀ Q, and a head takes its arguments in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_k1, omega_q1, beta_v1, beta_k1, beta_q1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_k2, omega_q2, beta_v2, beta_k2, beta_q2)

# %% wrong: arguments of a head in the order k, q, v advice="a head's arguments come in the order v, q, k: here they are in the order k, q, v" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_k1, omega_q1, omega_v1, beta_k1, beta_q1, beta_v1)
# becomes: head_2, _ = scaled_self_attention(X, omega_k2, omega_q2, omega_v2, beta_k2, beta_q2, beta_v2)

# %% wrong: arguments of head 1 in the order q, k, v advice="head 1 gets its arguments in the order q, k, v: it takes v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2)

# %% wrong: biases of head 1 in the order q, k, v advice="head 1 gets its biases in the order q, k, v: it takes v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_q2, beta_k2, beta_v2)

# %% wrong: arguments of head 0 in the order q, k, v advice="head 0 gets its arguments in the order q, k, v: it takes v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1)

# %% wrong: the order of the data cell in the line with def advice="the arguments are swapped: the def line has v, q, k for each head, not q, k, v" of="base"
# was:     def multihead_scaled_self_attention(
# was:             X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
# was:             omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
# becomes: def multihead_scaled_self_attention(
# becomes:         X, omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1,
# becomes:         omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2, omega_c):

# %% wrong: weights and biases in pairs says="in a product" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, beta_v1, omega_q1, beta_q1, omega_k1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, beta_v2, omega_q2, beta_q2, omega_k2, beta_k2)

# %% wrong: attention of head 0 for both advice="head 1 is mixed by the attention of head 0: its own comes from omega_q2, omega_k2, beta_q2 and beta_k2"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head_1, attention = scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = project(X, omega_v2, beta_v2) @ attention
    return omega_c @ np.vstack([head_1, head_2])

# %% wrong: mean attention for both advice="both heads use the mean of the two attentions: each head has its own"
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

# %% wrong: one big head advice="this is one head of size D: each of the two heads has its own softmax, and is stacked after it"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    queries = np.vstack([project(X, omega_q1, beta_q1), project(X, omega_q2, beta_q2)])
    keys = np.vstack([project(X, omega_k1, beta_k1), project(X, omega_k2, beta_k2)])
    values = np.vstack([project(X, omega_v1, beta_v1), project(X, omega_v2, beta_v2)])
    return omega_c @ (values @ column_softmax(keys.T @ queries / np.sqrt(len(queries))))

# %% wrong: one big head, by 2.3 advice="this is one head of size D: each of the two heads has its own softmax, and is stacked after it"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    big = [np.vstack(pair) for pair in [
        (omega_v1, omega_v2), (omega_q1, omega_q2), (omega_k1, omega_k2),
        (beta_v1, beta_v2), (beta_q1, beta_q2), (beta_k1, beta_k2)]]
    return omega_c @ scaled_self_attention(X, *big)[0]

# %% wrong: side by side and reshaped advice="the rows of the heads alternate: put all rows of head 0 on top, then all of head 1, with np.vstack" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.hstack([head_1, head_2]).reshape(X.shape)

# %% wrong: tokens mixed by a reshape advice="a reshape has mixed the tokens: stack the heads with np.vstack" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.dstack([head_1, head_2]).reshape(X.shape)

# %% wrong: heads summed advice="the heads are summed: stack them below each other" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: total = head_1 + head_2
# becomes: return omega_c @ np.vstack([total, total])

# %% wrong: heads averaged and not stacked says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ ((head_1 + head_2) / 2)

# %% wrong: stacked side by side says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.hstack([head_1, head_2])

# %% wrong: stacked on a new axis says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.stack([head_1, head_2])

# %% wrong: a list, not stacked says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ [head_1, head_2]

# %% wrong: pairs not unpacked says="inhomogeneous" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1 = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_2 = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: pairs not unpacked, joined by concatenate says="inhomogeneous" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: head_1 = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_2 = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: return omega_c @ np.concatenate([head_1, head_2])

# %% wrong: the attentions stacked says="in a product" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: _, head_1 = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: _, head_2 = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: one head forgotten in the stack says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ head_1

# %% wrong: one half of omega_c advice="only head 0 is multiplied by Ω_c: stack both heads, then multiply" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c[:, :len(head_1)] @ head_1

# %% wrong: omega_c from the wrong side advice="Ω_c is transposed, or acts from the right on tokens as rows: it is Ω_c times the stacked heads" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return (np.vstack([head_1, head_2]).T @ omega_c).T

# %% wrong: omega_c from the right says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return np.vstack([head_1, head_2]) @ omega_c

# %% wrong: omega_c before the heads advice="Ω_c multiplies X before the heads: it comes after them, and multiplies their stack" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: X = omega_c @ X
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: return np.vstack([head_1, head_2])

# %% wrong: omega_c for each head alone advice="each head is multiplied by the same block of Ω_c: stack the heads first, then multiply by the whole" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = len(head_1)
# becomes: return np.vstack([omega_c[:half, :half] @ head_1, omega_c[:half, :half] @ head_2])

# %% wrong: omega_c cut into diagonal blocks advice="Ω_c doesn't mix the heads: stack them first, then multiply by the whole" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = len(head_1)
# becomes: return np.vstack([omega_c[:half, :half] @ head_1, omega_c[half:, half:] @ head_2])

# %% wrong: omega_c cut across advice="Ω_c is transposed, or acts from the right on tokens as rows: it is Ω_c times the stacked heads" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = len(head_1)
# becomes: return omega_c[:half].T @ head_1 + omega_c[half:].T @ head_2

# %% wrong: rounded advice="the numbers are rounded: return them as they are" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return np.round(omega_c @ np.vstack([head_1, head_2]), 1)

# %% wrong: the attention given back too says="return only X_prime" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: head_1, attention_1 = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, attention_2 = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: return omega_c @ np.vstack([head_1, head_2]), attention_1

# %% wrong: no return says="does your function end with a return?" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: X_prime = omega_c @ np.vstack([head_1, head_2])

# %% wrong: weights scaled in place says="make a new array"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    scale = len(omega_q1) ** 0.5

    def head(omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
        omega_q /= scale
        beta_q /= scale
        scores = project(X, omega_k, beta_k).T @ project(X, omega_q, beta_q)
        return project(X, omega_v, beta_v) @ column_softmax(scores)

    head_1 = head(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head_2 = head(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([head_1, head_2])

# %% wrong: result written into X says="make a new array" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: X[:] = omega_c @ np.vstack([head_1, head_2])
# becomes: return X

# %% wrong: published numbers pasted advice="these are the published numbers, for other tokens: compute X_prime from the arguments"
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

# %% wrong: the published table given back advice="these are the published numbers, for other tokens: compute X_prime from the arguments" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return published_result()

# %% wrong: biases of head 0 in the order v, k, q advice="head 0 gets β_k for its queries: its biases come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_k1, beta_q1)

# %% wrong: weights of head 0 in the order v, k, q advice="head 0 gets omega_k1 and omega_q1 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_k1, omega_q1, beta_v1, beta_q1, beta_k1)

# %% wrong: queries and keys of head 0 swapped advice="head 0 gets queries and keys swapped: its arguments come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_k1, omega_q1, beta_v1, beta_k1, beta_q1)

# %% wrong: weights of head 0 in the order q, v, k advice="head 0 gets omega_q1 and omega_v1 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_v1, omega_k1, beta_v1, beta_q1, beta_k1)

# %% wrong: biases of head 0 in the order q, v, k advice="head 0 gets beta_q1 and beta_v1 swapped: its biases come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_q1, beta_v1, beta_k1)

# %% wrong: weights of head 0 in the order k, q, v advice="head 0 gets omega_k1 and omega_v1 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_k1, omega_q1, omega_v1, beta_v1, beta_q1, beta_k1)

# %% wrong: weights of head 0 in the order q, k, v advice="head 0 gets its Ω in the order q, k, v: it takes v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_k1, omega_v1, beta_v1, beta_q1, beta_k1)

# %% wrong: biases of head 0 in the order q, k, v advice="head 0 gets its biases in the order q, k, v: it takes v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_q1, beta_k1, beta_v1)

# %% wrong: biases of head 1 in the order v, k, q advice="head 1 gets β_k for its queries: its biases come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_k2, beta_q2)

# %% wrong: weights of head 1 in the order v, k, q advice="head 1 gets omega_k2 and omega_q2 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_k2, omega_q2, beta_v2, beta_q2, beta_k2)

# %% wrong: queries and keys of head 1 swapped advice="head 1 gets queries and keys swapped: its arguments come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_k2, omega_q2, beta_v2, beta_k2, beta_q2)

# %% wrong: weights of head 1 in the order q, v, k advice="head 1 gets omega_q2 and omega_v2 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_v2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: biases of head 1 in the order q, v, k advice="head 1 gets beta_q2 and beta_v2 swapped: its biases come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_q2, beta_v2, beta_k2)

# %% wrong: weights of head 1 in the order k, q, v advice="head 1 gets omega_k2 and omega_v2 swapped: its Ω come in the order v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_k2, omega_q2, omega_v2, beta_v2, beta_q2, beta_k2)

# %% wrong: weights of head 1 in the order q, k, v advice="head 1 gets its Ω in the order q, k, v: it takes v, q, k" of="base"
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_k2, omega_v2, beta_v2, beta_q2, beta_k2)

# %% wrong: biases of a head in the order v, k, q advice="both heads get β_k for their queries: their biases come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_k1, beta_q1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_k2, beta_q2)

# %% wrong: weights of a head in the order v, k, q advice="both heads get Ω_k and Ω_q swapped: their Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_k1, omega_q1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_k2, omega_q2, beta_v2, beta_q2, beta_k2)

# %% wrong: biases of a head in the order q, v, k advice="both heads get β_q and β_v swapped: their biases come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_q1, beta_v1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_q2, beta_v2, beta_k2)

# %% wrong: weights of a head in the order q, v, k advice="both heads get Ω_q and Ω_v swapped: their Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_q1, omega_v1, omega_k1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_q2, omega_v2, omega_k2, beta_v2, beta_q2, beta_k2)

# %% wrong: weights of a head in the order k, q, v advice="both heads get Ω_k and Ω_v swapped: their Ω come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_k1, omega_q1, omega_v1, beta_v1, beta_q1, beta_k1)
# becomes: head_2, _ = scaled_self_attention(X, omega_k2, omega_q2, omega_v2, beta_v2, beta_q2, beta_k2)

# %% wrong: biases of a head in the order k, q, v advice="both heads get β_k and β_v swapped: their biases come in the order v, q, k" of="base"
# was:     head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
# was:     head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
# becomes: head_1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_k1, beta_q1, beta_v1)
# becomes: head_2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_k2, beta_q2, beta_v2)

# %% wrong: one half of omega_c for both heads advice="both heads are multiplied by the same columns of Ω_c: the second takes the other half, or stack first" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = len(head_1)
# becomes: return omega_c[:, :half] @ head_1 + omega_c[:, :half] @ head_2

# %% wrong: halves of omega_c swapped, heads summed advice="head 0 is in the place of head 1: stack head 0 on top, so that it meets the left half of Ω_c" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: half = len(head_1)
# becomes: return omega_c[:, half:] @ head_1 + omega_c[:, :half] @ head_2

# %% wrong: halved advice="the stack is halved: the heads are stacked, not averaged" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_2]) / 2

# %% wrong: softmax at the end advice="X_prime was passed through a softmax: return Ω_c times the stack" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return column_softmax(omega_c @ np.vstack([head_1, head_2]))

# %% wrong: scale at the end advice="X_prime is divided by √D or √D_h at the end: only the scores are scaled, inside the head" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_2]) / np.sqrt(len(head_1))

# %% wrong: scale at the end, by the root of D advice="X_prime is divided by √D or √D_h at the end: only the scores are scaled, inside the head" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_2]) / np.sqrt(len(X))

# %% wrong: heads multiplied advice="head 0 is multiplied by head 1 in the stack: put each below the other as it is" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1 * head_2, head_2])

# %% wrong: second head adds the first advice="head 0 is added to head 1 in the stack: put each below the other as it is" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1, head_1 + head_2])

# %% wrong: side by side and transposed says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.hstack([head_1, head_2]).T

# %% wrong: each head transposed says="in a product" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: return omega_c @ np.vstack([head_1.T, head_2.T])

# %% wrong: published numbers pasted, and those of the small example advice="these are stored numbers: compute X′ from the arguments"
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    if X.shape == (10, 3) and omega_c[0, 1] == 0:
        return np.array([
            [1.299060165, 0.214936817, 1.698877932],
            [-0.573381051, -2.03122035, -0.899017049],
            [-2.532468436, -2.0051641, -1.266748086],
            [1.752730884, 1.22410771, 1.310216061],
            [1.427037057, 1.530163959, 0.644907373],
            [-1.865110398, -2.398715946, -0.317076497],
            [-1.320990832, -2.01274124, -2.170352759],
            [-0.376616573, 0.424864721, 0.567057883],
            [-0.983592876, 0.080188341, -0.362050397],
            [-3.290268685, -1.005301077, -1.330270621]])
    if X.shape == (10, 3):
        return np.array([
            [6.488311889, 11.359965186, -16.259375313],
            [-1.779053313, -1.160082002, 6.112925402],
            [-1.191198236, -5.819978404, -11.454200643],
            [8.080712801, 10.410048052, 7.290335248],
            [9.171003008, 7.079863397, -5.448209104],
            [-21.89706782, -22.769907537, -13.219978018],
            [4.160474808, 1.919891526, 3.636277098],
            [9.578999159, 13.700040892, 3.333830831],
            [-18.677618792, -16.679908182, 4.280792758],
            [5.540236059, 2.890100919, 16.889644504]])
    return np.array([
            [-21.207137, -5.373312, -20.933396, -9.178821, -11.318574, -17.811688],
            [-1.995143, 7.905696, -10.515564, 3.452468, 9.862525, -7.23986],
            [5.479203, 1.115217, 9.244377, 0.452599, 5.656183, 7.089061],
            [-7.412929, -7.416208, 0.363209, -5.573208, -6.735548, -0.847519],
            [-11.261346, -9.936652, -4.847919, -8.915039, -13.378399, -5.761239],
            [3.547928, 10.035759, -2.244137, 1.603548, 12.113338, -2.556756],
            [4.888491, -5.813859, 2.407435, 3.227723, -4.231532, 3.710402],
            [1.247808, 18.894103, -6.408614, 3.223628, 19.716591, -5.628875]])

# %% wrong: the stack in a table of the dtype of X advice="the table takes its dtype from X, and an integer dtype cuts off all decimal places: make it with np.zeros((D, N))" of="base"
# was:     return omega_c @ np.vstack([head_1, head_2])
# becomes: stack = np.zeros(X.shape, dtype=X.dtype)
# becomes: stack[:len(head_1)], stack[len(head_1):] = head_1, head_2
# becomes: return omega_c @ stack

# %% wrong: X_prime squeezed advice="keep axes of length 1: squeeze nothing" of="reference"
# was:     return omega_c @ np.vstack([upper, lower])
# becomes: return np.squeeze(omega_c @ np.vstack([upper, lower]))

# %% wrong: X_prime in the dtype of omega_c advice="leave the dtype as it is: one of integers, from an argument, cuts off all decimal places" of="reference"
# was:     return omega_c @ np.vstack([upper, lower])
# becomes: return (omega_c @ np.vstack([upper, lower])).astype(omega_c.dtype)

# %% wrong: D_h of 1: head 1 above head 0 says="on other random tables" unseen="no visible test has such an input" visible=false fails=["two-heads-test"]
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    a, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    b, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.vstack([b, a] if len(a) == 1 else [a, b])

# %% wrong: rounds the result to 8 decimals says="all numbers that your function returns end after 8 decimals" unseen="no visible test has such an input" visible=false fails=["two-heads-test"]
def multihead_scaled_self_attention(
        X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
        omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    head1, _ = scaled_self_attention(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    head2, _ = scaled_self_attention(X, omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return np.round(omega_c @ np.vstack([head1, head2]), 8)
