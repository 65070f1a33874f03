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

# %% wrong: Q and K swapped advice="Let the rows be the queries and the columns the keys: scores[i, j] belongs to query i and key j."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(K), len(Q)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] += K[i, f] * Q[j, f]
    return scores

# %% wrong: already scaled advice="Leave out the division by √d_k: here we want the bare dot products."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[j, f] / math.sqrt(d_k)

# %% wrong: divided by d_k advice="Leave out the division by d_k: a dot product is the sum of the products, not their mean."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[j, f] / d_k

# %% wrong: overwrites instead of adding up advice="Add each product to what is there already: only that of the last feature has stayed."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] = Q[i, f] * K[j, f]

# %% wrong: returns inside the innermost loop advice="Only the first feature was used: let the innermost loop run over all of them."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 break

# %% wrong: return in the loop over the features advice="Only the first product was taken: `return` stands inside the loops, so move it to the left, below all three."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
                return scores

# %% wrong: return in the loop over the keys advice="Only scores[0, 0] was filled: `return` stands inside the loops, so move it to the left, below all three."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
            return scores

# %% wrong: return in the loop over the queries advice="Only the first row was filled: `return` stands inside a loop, or the outer loop ends too early."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
        return scores

# %% wrong: as many keys as queries advice="Give the table a column for each key: K has a number of rows of its own, and it is not that of Q."
def attention_scores_loops(Q, K):
    n, d_k = Q.shape
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for f in range(d_k):
                scores[i, j] += Q[i, f] * K[j, f]
    return scores

# %% wrong: as many features as queries advice="Let the innermost loop run over all features, as many as Q has columns: here only the first 2 of 5 were added up."
# was:             for f in range(d_k):
# becomes:             for f in range(len(Q)):

# %% wrong: as many features as keys advice="Let the innermost loop run over all features, as many as Q has columns: here only the first 3 of 5 were added up."
# was:             for f in range(d_k):
# becomes:             for f in range(n_k):

# %% wrong: the last feature left out advice="The last feature is missing: range(n) ends at n - 1 by itself, so take nothing from it."
# was:             for f in range(d_k):
# becomes:             for f in range(d_k - 1):

# %% wrong: the first feature left out advice="The first feature is missing: let the innermost loop begin at 0."
# was:             for f in range(d_k):
# becomes:             for f in range(1, d_k):

# %% wrong: the first query left out advice="The first row stayed 0: let the loop over the queries begin at 0, and make the table once, before all loops."
# was:     for i in range(n_q):
# becomes:     for i in range(1, n_q):

# %% wrong: the first key left out advice="The first column stayed 0: let the loop over the keys begin at 0."
# was:         for j in range(n_k):
# becomes:         for j in range(1, n_k):

# %% wrong: the last query left out advice="Only the first row was filled: `return` stands inside a loop, or the outer loop ends too early."
# was:     for i in range(n_q):
# becomes:     for i in range(n_q - 1):

# %% wrong: the last key left out advice="The last column stayed 0: let the loop over the keys run to the number of rows of K."
# was:         for j in range(n_k):
# becomes:         for j in range(n_k - 1):

# %% wrong: the keys counted by the queries advice="The last column stayed 0: let the loop over the keys run to the number of rows of K."
# was:         for j in range(n_k):
# becomes:         for j in range(n_q):

# %% wrong: the sum is never begun anew advice="Begin each score at 0: the sum still holds what was added for the scores before it."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    total = 0
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                total += Q[i, f] * K[j, f]
            scores[i, j] = total
    return scores

# %% wrong: the sum is begun anew for each query only advice="Begin each score at 0: the sum still holds what was added for the scores before it."
def attention_scores_loops(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        total = 0
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                total += Q[i, f] * K[j, f]
            scores[i, j] = total
    return scores

# %% wrong: a table of whole numbers advice="The table holds whole numbers only, so fractions are cut off: make it without dtype=int."
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.zeros((n_q, n_k), dtype=int)

# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] = scores[i, j] + Q[i, f] * K[j, f]

# %% wrong: a table of whole numbers, filled at the end advice="The table holds whole numbers only, so fractions are cut off: make it without dtype=int."
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.zeros((n_q, n_k), dtype=int)

# was:             for f in range(d_k):
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:             scores[i, j] = sum(Q[i, f] * K[j, f] for f in range(d_k))

# %% wrong: begins at ones advice="Begin with a table of zeros: every score is 1 too large."
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.ones((n_q, n_k))

# %% wrong: the key's feature forgotten advice="Multiply by the feature of the key: here only those of the query are added up."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f]

# %% wrong: the query's feature forgotten advice="Multiply by the feature of the query: here only those of the key are added up."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += K[j, f]

# %% wrong: adds the features advice="Multiply the two features, don't add them."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] + K[j, f]

# %% wrong: multiplies all products advice="Begin at 0 and add the products up: here they were multiplied with each other."
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.ones((n_q, n_k))

# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] *= Q[i, f] * K[j, f]

# %% wrong: the absolute values advice="Keep the signs: a dot product adds up positive and negative products."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += abs(Q[i, f] * K[j, f])

# %% wrong: the row of K by the query's index advice="Choose the row of K by the key's index: all columns are the same here."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[i, f]

# %% wrong: each query with the key of its own number advice="Let every query meet every key: a loop over the keys inside the loop over the queries, not one loop over both."
def attention_scores_loops(Q, K):
    return np.array([sum(q * k for q, k in zip(query, key)) for query, key in zip(Q, K)])

# %% wrong: only the last score comes back advice="Give back the whole table: this is only its last score."
# was:     return scores
# becomes:     return scores[i, j]

# %% wrong: the products, not yet added up advice="Add the products up over the features: here that axis is still there."
def attention_scores_loops(Q, K):
    return np.array([[[q * k for q, k in zip(query, key)] for key in K] for query in Q])

# %% wrong: the row of Q by the key's index says="out of bounds"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[j, f] * K[i, f]

# %% wrong: K as if it were turned says="out of bounds"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[f, j]

# %% wrong: as many queries as features says="out of bounds"
# was:     for i in range(n_q):
# becomes:     for i in range(d_k):

# %% wrong: forgets to return says="does your function end with a return?"
# was:     return scores
# becomes:

# %% wrong: in-place input says="an input was changed"
# was:     return scores
# becomes:     Q *= 0
# becomes:     return scores

# %% wrong: fills a whole row at a time advice="Add to the one place of this query and this key: here each product was added to the whole row."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i] += Q[i, f] * K[j, f]

# %% wrong: fills a whole column at a time advice="Add to the one place of this query and this key: here each product was added to the whole column."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[:, j] += Q[i, f] * K[j, f]

# %% wrong: one sum for all advice="Give each query with each key a place of its own in a table: here all was added up to one number."
# was:     scores = np.zeros((n_q, n_k))
# was:     for i in range(n_q):
# becomes:     scores = 0
# becomes:     for i in range(n_q):

# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores += Q[i, f] * K[j, f]

# %% wrong: the squared distance advice="Multiply the two features: this is the squared distance of query and key."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += (Q[i, f] - K[j, f]) ** 2

# %% wrong: the notebook's Q and K advice="Six tokens came back, those of the sentence: use your function's own arguments."
def attention_scores_loops(queries, keys):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for f in range(Q.shape[1]):
            scores[i, j] += Q[i, f] * K[j, f]
    return scores

# %% wrong: written to the place of key and query says="out of bounds"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[j, i] += Q[i, f] * K[j, f]

# %% wrong: the table made anew for each query advice="The first row stayed 0: let the loop over the queries begin at 0, and make the table once, before all loops."
# was:     for i in range(n_q):
# becomes:     for i in range(n_q):
# becomes:         scores = np.zeros((n_q, n_k))

# %% wrong: the table made anew for each query and key advice="Only the last score is there: make the table once, before all loops."
# was:         for j in range(n_k):
# becomes:         for j in range(n_k):
# becomes:             scores = np.zeros((n_q, n_k))

# %% wrong: the products cut to whole numbers advice="Keep the fractions of the products: here each was cut to a whole number."
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += int(Q[i, f] * K[j, f])

# %% wrong: one row for all queries advice="Begin a new row for each query: here each row also holds the scores of the queries before."
def attention_scores_loops(Q, K):
    scores, row = [], []
    for query in Q:
        for key in K:
            row.append(sum(q * k for q, k in zip(query, key)))
        scores.append(row)
    return scores
