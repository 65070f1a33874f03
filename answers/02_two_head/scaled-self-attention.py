# %% right: explicit loops over query, key and feature
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    D, N = X.shape
    D_h = len(omega_q)

    def at(omega, beta, i, n):
        return beta[i, 0] + sum(omega[i, d] * X[d, n] for d in range(D))

    attention, mixture = np.zeros((N, N)), np.zeros((D_h, N))
    for n in range(N):
        query = [at(omega_q, beta_q, i, n) for i in range(D_h)]
        scores = [sum(query[i] * at(omega_k, beta_k, i, m) for i in range(D_h)) for m in range(N)]
        for m in range(N):
            attention[m, n] = math.exp((scores[m] - max(scores)) / math.sqrt(D_h))
        attention[:, n] /= attention[:, n].sum()
        for i in range(D_h):
            mixture[i, n] = sum(attention[m, n] * at(omega_v, beta_v, i, m) for m in range(N))
    return mixture, attention

# %% right: einsum, softmax written out
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = np.einsum("id,dn->in", omega_q, X) + beta_q
    keys = np.einsum("id,dm->im", omega_k, X) + beta_k
    values = np.einsum("id,dm->im", omega_v, X) + beta_v
    scores = np.einsum("im,in->mn", keys, queries) / len(omega_q) ** 0.5
    shares = np.exp(scores - scores.max(axis=0))
    shares = shares / shares.sum(axis=0)
    return np.einsum("im,mn->in", values, shares), shares

# %% right: rows as in lesson 01, transposed at the end, as a list
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    tokens = X.T
    queries = tokens @ omega_q.T + beta_q.T
    keys = tokens @ omega_k.T + beta_k.T
    values = tokens @ omega_v.T + beta_v.T
    scores = queries @ keys.T / math.sqrt(keys.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return [(weights @ values).T, weights.T]

# %% right: queries scaled before the product
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = project(X, omega_q, beta_q) * omega_q.shape[0] ** -0.5
    attention = column_softmax(np.dot(project(X, omega_k, beta_k).T, queries))
    return np.dot(project(X, omega_v, beta_v), attention), attention

# %% base
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = project(X, omega_q, beta_q)
    keys = project(X, omega_k, beta_k)
    values = project(X, omega_v, beta_v)
    scores = keys.T @ queries
    scores = scores / np.sqrt(omega_q.shape[0])
    attention = column_softmax(scores)
    return values @ attention, attention

# %% right: key bias left out, which changes nothing of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = omega_k @ X

# %% right: bias of the values added after mixing of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = omega_v @ X

# was:     return values @ attention, attention
# becomes: return beta_v + values @ attention, attention

# %% right: lists in place of arrays of="base"
# was:     return values @ attention, attention
# becomes: return (values @ attention).tolist(), attention.tolist()

# %% wrong: no scale advice="the scores are not scaled: divide them by √D_h before the softmax" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# %% wrong: divides by D_h, not by its root advice="the scores are divided by 3 instead of √3: divide them once, by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / omega_q.shape[0]

# %% wrong: root of D, not of the head's size advice="you divide by √D, the size of a token: divide by √D_h, the size of a query" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(X.shape[0])

# %% wrong: softmax over the queries advice="the softmax runs over the queries (each row sums to 1): it must run over the keys, down each column" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T).T

# %% wrong: queries and keys swapped advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys

# %% wrong: values meet the transposed attention advice="V is multiplied by the transposed attention: multiply by the attention as it is" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention.T, attention

# %% wrong: value bias left out advice="X_prime lacks β_v: add it to every value" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = omega_v @ X

# %% wrong: query bias left out advice="β_q is missing: add it to every query" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = omega_q @ X

# %% wrong: attention given back as query by key advice="return the attention as it is, key by query: it is returned transposed" fails=["scaled-self-attention-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention, attention.T

# %% wrong: softmax forgotten advice="the attention is the scaled scores: apply column_softmax to them" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = scores

# %% wrong: pair in the wrong order advice="return X_prime first, then the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention, values @ attention

# %% wrong: mixture transposed advice="X_prime is transposed: V times attention has a token in each column already" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return (values @ attention).T, attention

# %% wrong: root of N, not of the head's size advice="you divide by √N, the number of tokens: divide by √D_h, the size of a query" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(X.shape[1])

# %% wrong: the root of 3, the size of a head in the first example advice="you divide by √3 whatever the size of a query: divide by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(3)

# %% wrong: scaled twice advice="the scores are divided by 3 instead of √3: divide them once, by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores / np.sqrt(omega_q.shape[0]))

# %% wrong: queries and keys both scaled advice="the scores are divided by 3 instead of √3: divide them once, by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_q, beta_q) / np.sqrt(omega_q.shape[0])

# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_k, beta_k) / np.sqrt(omega_q.shape[0])

# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# %% wrong: multiplies by the root advice="you multiply the scores by √D_h: divide" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores * np.sqrt(omega_q.shape[0])

# %% wrong: power without brackets advice="you divide by half of D_h, as by (D_h ** 1 / 2): write D_h ** 0.5 or np.sqrt" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / (omega_q.shape[0] ** 1 / 2)

# %% wrong: power without any brackets advice="you divide by 2 · D_h, as / D_h ** 1 / 2 does: write D_h ** 0.5 or np.sqrt" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / omega_q.shape[0] ** 1 / 2

# %% wrong: root of the root advice="you divide by the root of √D_h: take one root only" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / omega_q.shape[0] ** 0.25

# %% wrong: root of the scores advice="NaN comes from a step before the softmax: if a root is taken of the scores, take it of D_h alone, and divide the scores by it" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = np.sqrt(keys.T @ queries / omega_q.shape[0])

# %% wrong: scaled after the softmax advice="you divide by √D_h after the softmax: divide the scores before it" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores) / np.sqrt(omega_q.shape[0])

# %% wrong: scale before and after the softmax advice="you divide by √D_h after the softmax, too: divide the scores only" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores) / np.sqrt(omega_q.shape[0])

# %% wrong: mixture scaled, not the scores advice="the scores are not scaled: divide them by √D_h before the softmax" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     return values @ attention, attention
# becomes: return values @ attention / np.sqrt(omega_q.shape[0]), attention

# %% wrong: mixture scaled too advice="X_prime is divided by √D_h as well: only the scores are" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention / np.sqrt(omega_q.shape[0]), attention

# %% wrong: values scaled too advice="X_prime is divided by √D_h as well: only the scores are" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_v, beta_v) / np.sqrt(omega_q.shape[0])

# %% wrong: scores negated advice="the scores have the wrong sign: the largest product gets the largest share" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = -keys.T @ queries

# %% wrong: softmax along axis 1 advice="the softmax runs over the queries (each row sums to 1): it must run over the keys, down each column" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: shares = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: attention = shares / shares.sum(axis=1, keepdims=True)

# %% wrong: softmax over the whole table advice="the whole table sums to 1: the softmax runs down each column, over the keys" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum()

# %% wrong: softmax forgotten, no scale advice="the attention is the scores as they are: divide them by √D_h, and apply column_softmax to them" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     attention = column_softmax(scores)
# becomes: attention = scores

# %% wrong: scores mixed, attention given back advice="X_prime is mixed by the scores: multiply the values by the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ scores, attention

# %% wrong: scores given back advice="return the attention with X_prime, after the softmax: here the scores are returned" fails=["scaled-self-attention-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention, scores

# %% wrong: softmax twice advice="the softmax is taken twice: once is enough" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(column_softmax(scores))

# %% wrong: shares not normalised advice="these are the exponentials of the scores: use column_softmax, so that each column sums to 1" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores)

# %% wrong: softmax of the transposed scores advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T)

# %% wrong: weights of queries and keys swapped advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# becomes: queries = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_q, beta_q)

# %% wrong: queries and keys swapped, and turned back advice="the softmax runs over the queries (each row sums to 1): it must run over the keys, down each column" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys

# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores).T

# %% wrong: queries from omega_q and beta_k advice="the queries in the scores come from beta_k: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_q, beta_k)

# %% wrong: queries from omega_q and beta_v advice="the queries in the scores come from beta_v: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_q, beta_v)

# %% wrong: queries from omega_k and beta_q advice="the queries in the scores come from omega_k: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_k, beta_q)

# %% wrong: queries from omega_k and beta_k advice="the queries in the scores come from omega_k and beta_k: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_k, beta_k)

# %% wrong: queries from omega_v and beta_q advice="the queries in the scores come from omega_v: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_v, beta_q)

# %% wrong: queries from omega_v and beta_v advice="the queries in the scores come from omega_v and beta_v: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_v, beta_v)

# %% wrong: keys from omega_q and beta_q advice="the keys in the scores come from omega_q: take keys from omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_q, beta_q)

# %% wrong: keys from omega_q and beta_k advice="the keys in the scores come from omega_q: take keys from omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_q, beta_k)

# %% wrong: keys from omega_v and beta_k advice="the keys in the scores come from omega_v: take keys from omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_v, beta_k)

# %% wrong: keys from omega_v and beta_v advice="the keys in the scores come from omega_v: take keys from omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_v, beta_v)

# %% wrong: values from omega_q and beta_q advice="what the attention mixes comes from omega_q and beta_q: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_q, beta_q)

# %% wrong: values from omega_q and beta_v advice="what the attention mixes comes from omega_q: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_q, beta_v)

# %% wrong: values from omega_k and beta_k advice="what the attention mixes comes from omega_k and beta_k: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_k, beta_k)

# %% wrong: values from omega_k and beta_v advice="what the attention mixes comes from omega_k: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_k, beta_v)

# %% wrong: values from omega_v and beta_q advice="what the attention mixes comes from beta_q: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_v, beta_q)

# %% wrong: values from omega_v and beta_k advice="what the attention mixes comes from beta_k: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_v, beta_k)

# %% wrong: weights of queries and keys swapped, biases not advice="the queries are made with omega_k, and the keys with omega_q: only their biases are in place" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# becomes: queries = project(X, omega_k, beta_q)
# becomes: keys = project(X, omega_q, beta_k)

# %% wrong: biases of queries and keys swapped advice="the queries in the scores come from beta_k: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# becomes: queries = project(X, omega_q, beta_k)
# becomes: keys = project(X, omega_k, beta_q)

# %% wrong: arguments in the order q, k, v advice="the parts of the head are swapped: the arguments come in the order v, q, k, as in the def line" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
# becomes: def scaled_self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):

# %% wrong: arguments in the order k, v, q advice="the parts of the head are swapped: queries take omega_q and beta_q, keys omega_k and beta_k, values omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
# becomes: def scaled_self_attention(X, omega_k, omega_v, omega_q, beta_k, beta_v, beta_q):

# %% wrong: biases in the order q, k, v advice="the biases are swapped: they come in the order v, q, k, as in the def line" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
# becomes: def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_q, beta_k, beta_v):

# %% wrong: weights in the order q, k, v advice="the Ω are swapped: they come in the order v, q, k, as in the def line" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
# becomes: def scaled_self_attention(X, omega_q, omega_k, omega_v, beta_v, beta_q, beta_k):

# %% wrong: queries and values swapped advice="queries and values are swapped: the scores are Kᵀ Q, and the attention mixes V" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_q, beta_q)
# becomes: keys = project(X, omega_k, beta_k)
# becomes: queries = project(X, omega_v, beta_v)

# %% wrong: keys and values swapped advice="keys and values are swapped: the scores are Kᵀ Q, and the attention mixes V" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: values = project(X, omega_k, beta_k)
# becomes: keys = project(X, omega_v, beta_v)

# %% wrong: values meet queries in the scores advice="the keys in the scores come from omega_v: take keys from omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = values.T @ queries

# %% wrong: keys meet values in the scores advice="the queries in the scores come from omega_v and beta_v: take queries from omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys.T @ values

# %% wrong: queries mixed advice="what the attention mixes comes from omega_q and beta_q: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return queries @ attention, attention

# %% wrong: keys mixed advice="what the attention mixes comes from omega_k and beta_k: take values from omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return keys @ attention, attention

# %% wrong: no projection at all advice="X itself is used as queries, keys and values: project it with each Ω and β" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = keys = values = X

# %% wrong: values not projected advice="the values are X itself: project it with omega_v and beta_v" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = X

# %% wrong: queries not projected advice="the queries are X itself: project it with omega_q and beta_q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = X

# %% wrong: keys not projected advice="the keys are X itself: project it with omega_k and beta_k" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     keys = project(X, omega_k, beta_k)
# becomes: keys = X

# %% wrong: value bias added twice advice="β_v is added twice: once to the values is enough" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention + beta_v, attention

# %% wrong: all biases left out advice="the biases are missing: project with beta, each time" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = omega_q @ X
# becomes: keys = omega_k @ X
# becomes: values = omega_v @ X

# %% wrong: biases subtracted advice="the biases are subtracted: add them" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = omega_q @ X - beta_q
# becomes: keys = omega_k @ X - beta_k
# becomes: values = omega_v @ X - beta_v

# %% wrong: residual added advice="X is added to the mixture: X_prime is V times attention alone" fails=["scaled-self-attention-test"] of="base"
# was:     return values @ attention, attention
# becomes: return X[:len(values)] + values @ attention if len(X) == len(values) else values @ attention, attention

# %% wrong: columns and rows confused: rows are tokens advice="rows are taken as tokens: here a column is a token, and Ω is on the left" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"]
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = X @ omega_q.T + beta_q.T
    keys = X @ omega_k.T + beta_k.T
    values = X @ omega_v.T + beta_v.T
    scores = queries @ keys.T / np.sqrt(omega_q.shape[0])
    attention = column_softmax(scores.T).T
    return attention @ values, attention

# %% wrong: X transposed advice="the rows of X are projected as tokens: its columns are the tokens" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: X = X.T
# becomes: queries = project(X, omega_q, beta_q)

# %% wrong: weights transposed advice="each Ω is transposed: project maps the columns with Ω as it is" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = project(X, omega_q.T, beta_q)
# becomes: keys = project(X, omega_k.T, beta_k)
# becomes: values = project(X, omega_v.T, beta_v)

# %% wrong: weights from the right advice="each Ω multiplies from the right: it is Ω times X, project(X, omega, beta), and if the test of 2.2 fails, start there" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# %% wrong: features compared with features advice="the scores compare features, not tokens: they are Kᵀ Q, with the keys transposed and not the queries" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys @ queries.T

# %% wrong: the scores of lesson 01 advice="Q Kᵀ is for tokens in rows, and compares features here: the scores are Kᵀ Q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# %% wrong: keys not transposed advice="the keys are not transposed (a reshape is not a transpose): the scores are keys.T @ queries" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys @ queries

# %% wrong: queries times keys, none transposed advice="nothing is transposed here: the scores are Kᵀ Q, key by query" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys

# %% wrong: both transposed advice="keys and queries are both transposed: transpose the keys alone, Kᵀ Q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys.T @ queries.T

# %% wrong: both transposed, queries first advice="keys and queries are both transposed, and the queries come first: the scores are Kᵀ Q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys.T

# %% wrong: keys reshaped advice="the keys are not transposed (a reshape is not a transpose): the scores are keys.T @ queries" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys.reshape(keys.shape[::-1]) @ queries

# %% wrong: entry by entry advice="* multiplies entry by entry: the scores are the matrix product keys.T @ queries" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys * queries

# %% wrong: entry by entry, transposed advice="* multiplies entry by entry: the scores are the matrix product keys.T @ queries" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = keys.T * queries

# %% wrong: attention on the left of the values advice="the attention is right, but it is on the wrong side: X_prime is V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: as in lesson 01 at the end advice="the attention is right, but it is on the wrong side: X_prime is V times attention, and nothing is transposed" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention.T @ values, attention

# %% wrong: transposed back from lesson 01 advice="X_prime is transposed: V times attention has a token in each column already" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention.T @ values.T, attention

# %% wrong: attention times the transposed values advice="X_prime is made of transposed tables: V times attention needs none" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention @ values.T, attention

# %% wrong: values transposed advice="V is transposed in the last product: X_prime is V times attention, as they are" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values.T @ attention, attention

# %% wrong: values and attention transposed advice="V and the attention are transposed in the last product: leave them as they are" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values.T @ attention.T, attention

# %% wrong: values times attention, entry by entry advice="* multiplies entry by entry: X_prime is the matrix product of V and the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values * attention, attention

# %% wrong: only the mixture given back advice="both are wanted, X_prime and the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention

# %% wrong: only the attention given back advice="both are wanted, X_prime and the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention

# %% wrong: values given back for the mixture advice="the values are returned unmixed: X_prime is V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values, attention

# %% wrong: one query at a time, only the last kept advice="only the last column is filled: write each query's column inside the loop" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.zeros_like(scores)
# becomes: for n in range(scores.shape[1]):
# becomes:     attention[:, -1:] = column_softmax(scores[:, n:n + 1])

# %% wrong: no return says="does your function end with a return?" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: X_prime = values @ attention

# %% wrong: scale folded into the query weights in place says="make a new array" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: omega_q /= np.sqrt(omega_q.shape[0])
# becomes: beta_q /= np.sqrt(beta_q.shape[0])
# becomes: queries = project(X, omega_q, beta_q)

# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# %% wrong: tokens overwritten with the result where it fits says="make a new array" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: mixture = values @ attention
# becomes: X[:len(mixture)] = mixture[:len(X)]
# becomes: return mixture, attention

# %% wrong: bias added in place to the weights' product says="make a new array" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: beta_v += 0
# becomes: beta_v *= 2
# becomes: values = omega_v @ X + beta_v / 2

# %% wrong: root of 2 advice="you divide by √2: divide by √D_h, the size of a query" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(omega_q.ndim)

# %% wrong: root of all numbers of a query weight advice="the scores are divided by 3 instead of √3: divide them once, by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(omega_q.size)

# %% wrong: softmax of the result, not of the scores advice="the scores are mixed as they are, and the softmax is applied to X_prime: the softmax is for the scores" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = scores

# was:     return values @ attention, attention
# becomes: return column_softmax(values @ attention), attention

# %% wrong: softmax of the result, too advice="X_prime was passed through a softmax: return it as V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return column_softmax(values @ attention), attention

# %% wrong: value bias multiplied advice="β_v multiplies the values: add it" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     values = project(X, omega_v, beta_v)
# becomes: values = beta_v * (omega_v @ X)

# %% wrong: values mixed twice advice="the attention mixes twice: once is enough" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention @ attention, attention

# %% wrong: values multiplied twice advice="the values are multiplied twice: X_prime is V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention @ values, attention

# %% wrong: mixture of unscaled scores advice="the attention is right, but X_prime is mixed with another one: multiply V by the very attention that you return" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ column_softmax(keys.T @ queries), attention

# %% wrong: unscaled attention given back advice="return the attention that mixed V: the one that is returned is without the scale" fails=["scaled-self-attention-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention, column_softmax(keys.T @ queries)

# %% wrong: divided by the sum of each row afterwards advice="the attention is divided by its row sums after the softmax: leave it, its columns sum to 1" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores)
# becomes: attention = attention / attention.sum(axis=1, keepdims=True)

# %% wrong: query bias twice advice="β_q is added twice: project adds it already" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(X, omega_q, beta_q) + beta_q

# %% wrong: all biases twice advice="the biases are added twice: project adds them already" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = project(X, omega_q, beta_q) + beta_q
# becomes: keys = project(X, omega_k, beta_k) + beta_k
# becomes: values = project(X, omega_v, beta_v) + beta_v

# %% wrong: arguments of project in another order advice="each Ω multiplies from the right: it is Ω times X, project(X, omega, beta), and if the test of 2.2 fails, start there" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = project(omega_q, X, beta_q)
# becomes: keys = project(omega_k, X, beta_k)
# becomes: values = project(omega_v, X, beta_v)

# %% wrong: arguments of project in another order for the queries advice="for the queries X and Ω are swapped, as in project(omega, X, beta): it is Ω times X" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# becomes: queries = project(omega_q, X, beta_q)

# %% wrong: the scores are of X advice="the scores are of X itself: they are of keys and queries, Kᵀ Q" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = X.T @ X

# %% wrong: X mixed with the right attention, transposed advice="X is mixed as rows: mix the values, V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return attention.T @ X if len(X) == len(attention) else X @ attention, attention

# %% wrong: three things given back says="return 2 values: (X_prime, attention)" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values @ attention, attention, scores

# %% wrong: rounded advice="the numbers are rounded: keep all of their digits" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return np.round(values @ attention, 1), np.round(attention, 1)

# %% wrong: first query only advice="every query has the same attention: each column belongs to a different query, and is computed with it" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores)
# becomes: attention = np.repeat(attention[:, :1], attention.shape[1], axis=1)

# %% wrong: queries and keys swapped, no scale advice="queries and keys are swapped, and the scale is missing: the scores are Kᵀ Q / √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = queries.T @ keys

# %% wrong: queries and keys swapped, and V with the transposed attention advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys

# was:     return values @ attention, attention
# becomes: return values @ attention.T, attention

# %% wrong: queries and keys swapped, and attention on the left advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: queries and keys swapped, and all of it transposed advice="queries and keys are swapped: the scores are Kᵀ Q with the key first, Q from omega_q and K from omega_k, and the softmax goes down their columns" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries.T @ keys

# was:     return values @ attention, attention
# becomes: return attention @ values.T, attention

# %% wrong: lesson 01's two products advice="Q Kᵀ and A V are for tokens in rows: here the scores are Kᵀ Q, and X_prime is V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: lesson 01's two products, no scale advice="Q Kᵀ and A V are for tokens in rows, and the scale is missing: the scores are Kᵀ Q / √D_h, and X_prime is V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: the scores of lesson 01, no scale advice="Q Kᵀ is for tokens in rows, and the scale is missing: the scores are Kᵀ Q / √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = keys.T @ queries
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = queries @ keys.T

# %% wrong: softmax over the queries, no scale advice="the softmax runs over the queries, and the scale is missing: divide by √D_h, and go down each column" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T).T

# %% wrong: softmax over the queries, attention on the left advice="the softmax runs over the queries (each row sums to 1), and the last product has its factors swapped: go down each column, then V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T).T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: softmax over the queries, V with the transposed attention advice="the softmax runs over the queries (each row sums to 1), and V is multiplied by the transposed attention: go down each column, then V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = column_softmax(scores.T).T

# was:     return values @ attention, attention
# becomes: return values @ attention.T, attention

# %% wrong: no biases, no scale advice="the biases are missing, and so is the scale: project with beta, and divide by √D_h" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries, keys, values = omega_q @ X, omega_k @ X, omega_v @ X

# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# %% wrong: no scale, attention on the left advice="the scores are not scaled, and the last product has its factors swapped: divide by √D_h, then V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: no scale, V with the transposed attention advice="the scores are not scaled, and V is multiplied by the transposed attention: divide by √D_h, then V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     return values @ attention, attention
# becomes: return values @ attention.T, attention

# %% wrong: no scale, no projection of the values advice="the scores are not scaled, and the values are X itself: divide by √D_h, and project X for the values" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes:

# was:     values = project(X, omega_v, beta_v)
# becomes: values = X

# %% wrong: divided by the sums of the rows in the wrong places advice="the sum is taken along axis 1, and its numbers lie along the wrong axis: add down the columns, or use column_softmax" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores)
# becomes: attention = attention / attention.sum(axis=1)

# %% wrong: mean of the values advice="the values are averaged evenly: mix them by the attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: return values.mean(axis=1, keepdims=True) + 0 * values, attention

# %% wrong: future blocked advice="scores are blocked by a mask: this head has none, every query sees every key" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = np.where(np.tri(len(scores)).T > 0, scores, -np.inf)

# %% wrong: the root of 4, a size of the published data advice="the scores are divided by √4, and no size of this call is 4: take D_h from omega_q, not from a name outside of your function" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(4)

# %% wrong: the root of 6, a size of the published data advice="the scores are divided by √6, and no size of this call is 6: take D_h from omega_q, not from a name outside of your function" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(6)

# %% wrong: the root of 8, a size of the published data advice="the scores are divided by √8, and no size of this call is 8: take D_h from omega_q, not from a name outside of your function" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     scores = scores / np.sqrt(omega_q.shape[0])
# becomes: scores = scores / np.sqrt(8)

# %% wrong: the maximum subtracted above, not below advice="the sum below is of other exponentials than those above: shift the scores by the largest of the column in both, or use column_softmax" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores - scores.max(axis=0)) / np.exp(scores).sum(axis=0)

# %% wrong: the maximum subtracted below, not above advice="the sum below is of other exponentials than those above: shift the scores by the largest of the column in both, or use column_softmax" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores - scores.max(axis=0)).sum(axis=0)

# %% wrong: weights from the right, β as it is, tokens as rows, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: weights from the right, β as it is, tokens as rows, softmax down the columns advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: weights from the right, β transposed, tokens as rows, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: weights from the right, β transposed, tokens as rows, softmax down the columns advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: weights from the right, β transposed advice="you multiply from the right, X @ Ω: here a token is a column, and Ω is on the left of X, with β as a column" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# %% wrong: the attention in a table of the dtype of X advice="a table takes its dtype from X, and an integer dtype cuts off all decimal places: make it with np.zeros and a shape alone" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     attention = column_softmax(scores)
# becomes: attention = np.zeros(scores.shape, dtype=X.dtype)
# becomes: attention[:] = column_softmax(scores)

# %% wrong: X_prime in a table of the dtype of X advice="a table takes its dtype from X, and an integer dtype cuts off all decimal places: make it with np.zeros and a shape alone" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     return values @ attention, attention
# becomes: X_prime = np.zeros(values.shape, dtype=X.dtype)
# becomes: X_prime[:] = values @ attention
# becomes: return X_prime, attention

# %% wrong: weights from the right, β as it is, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: weights from the right, β as it is, attention on the left advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: weights from the right, β as it is, Q Kᵀ, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q
# becomes: keys = X @ omega_k + beta_k
# becomes: values = X @ omega_v + beta_v

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: weights from the right, β transposed, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: weights from the right, β transposed, attention on the left advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# was:     return values @ attention, attention
# becomes: return attention @ values, attention

# %% wrong: weights from the right, β transposed, Q Kᵀ, softmax along axis 1 advice="you multiply from the right, X @ Ω, as if a row were a token: here a token is a column, so it is Ω @ X, with the scores Kᵀ Q and V times attention" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="base"
# was:     queries = project(X, omega_q, beta_q)
# was:     keys = project(X, omega_k, beta_k)
# was:     values = project(X, omega_v, beta_v)
# becomes: queries = X @ omega_q + beta_q.T
# becomes: keys = X @ omega_k + beta_k.T
# becomes: values = X @ omega_v + beta_v.T

# was:     scores = keys.T @ queries
# becomes: scores = queries @ keys.T

# was:     attention = column_softmax(scores)
# becomes: attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong: both results squeezed advice="keep axes of length 1: squeeze nothing" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="reference"
# was:     return values @ attention, attention
# becomes: return np.squeeze(values @ attention), np.squeeze(attention)

# %% wrong: X_prime in the dtype of beta_q advice="a table takes its dtype from an argument, and an integer dtype cuts off all decimal places: make it with np.zeros" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="reference"
# was:     return values @ attention, attention
# becomes: return (values @ attention).astype(beta_q.dtype), attention

# %% wrong: X_prime in the dtype of beta_k advice="a table takes its dtype from an argument, and an integer dtype cuts off all decimal places: make it with np.zeros" fails=["scaled-self-attention-test", "two-heads-test", "bias-gaps-test"] of="reference"
# was:     return values @ attention, attention
# becomes: return (values @ attention).astype(beta_k.dtype), attention

# %% wrong: the attention rounded to seven decimals says="round nothing" fails=["scaled-self-attention-test"] of="reference"
# was:     return values @ attention, attention
# becomes: return values @ attention, np.round(attention, 7)

# %% wrong: scores are cut off at 500: large ones become equal says="in X_prime of other large random tables" unseen="no visible test has such an input" visible=false fails=["scaled-self-attention-test"]
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q = project(X, omega_q, beta_q)
    K = project(X, omega_k, beta_k)
    V = project(X, omega_v, beta_v)
    attention = column_softmax(np.clip(K.T @ Q / np.sqrt(len(Q)), -500, 500))
    return V @ attention, attention

# %% wrong: caches the values by X and omega_v: a changed beta_v has no effect in the next call says="in X_prime with another β_v" unseen="no visible test has such an input" visible=false fails=["scaled-self-attention-test", "bias-gaps-test"]
cached_values = {}
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q = project(X, omega_q, beta_q)
    K = project(X, omega_k, beta_k)
    place = X.tobytes(), omega_v.tobytes()
    if place not in cached_values:
        cached_values[place] = project(X, omega_v, beta_v)
    V = cached_values[place]
    attention = column_softmax(K.T @ Q / np.sqrt(len(Q)))
    return V @ attention, attention
