# %% right: einsum
def attention_scores(Q, K):
    return np.einsum("qf,kf->qk", Q, K)

# %% right: inner product
def attention_scores(Q, K):
    return np.inner(Q, K)

# %% right: torch
import torch


def attention_scores(Q, K):
    q, k = (torch.from_numpy(a.astype(float)) for a in (Q, K))
    return (q @ k.mT).numpy()

# %% right: broadcast and sum
def attention_scores(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(axis=2)

# %% right: three loops
def attention_scores(Q, K):
    n_q, d_k = Q.shape
    n_k = K.shape[0]
    scores = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            for f in range(d_k):
                scores[i, j] += Q[i, f] * K[j, f]
    return scores

# %% right: loops over the entries of the result
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        for q, k in zip(Q[i], K[j]):
            scores[i, j] += q * k
    return scores

# %% right: grows lists
def attention_scores(Q, K):
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
def attention_scores(Q, K):
    scores = np.zeros((Q.shape[0], K.shape[0]), dtype=np.result_type(Q, K, np.float32))
    for f in range(Q.shape[1]):
        for j in range(K.shape[0]):
            for i in range(Q.shape[0]):
                scores[i, j] = scores[i, j] + Q[i, f] * K[j, f]
    return scores

# %% wrong: Q and K swapped advice="Let the rows be the queries: put Q on the left of the product." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return K @ Q.T

# %% wrong: the result turned advice="Let the rows be the queries: put Q on the left of the product." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return (Q @ K.T).T

# %% wrong: already scaled advice="Leave out the division by √d_k: here we want the bare dot products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])

# %% wrong: divided by d_k advice="Leave out the division by d_k: here we want the bare dot products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K.T / Q.shape[1]

# %% wrong: reshape in place of a transpose advice="Transpose K: a reshape keeps the numbers in their order, so it mixes the features of different keys." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K.reshape(K.shape[1], K.shape[0])

# %% wrong: the shares, not the scores advice="Leave the softmax out: here we want the bare dot products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return softmax(Q @ K.T)

# %% wrong: the shares of the scaled scores advice="Leave the scale and the softmax out: here we want the bare dot products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))

# %% wrong: queries with queries advice="The keys are missing: this is the product of Q with itself." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ Q.T

# %% wrong: keys with keys advice="The queries are missing: this is the product of K with itself." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return K @ K.T

# %% wrong: cosines advice="Don't divide by the lengths of the vectors: here we want the bare dot products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K.T / np.linalg.norm(Q, axis=1, keepdims=True) / np.linalg.norm(K, axis=1)

# %% wrong: each query with the key of its own number advice="Compare every query with every key: this holds one number for each query." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    n = min(len(Q), len(K))
    return (Q[:n] * K[:n]).sum(axis=1)

# %% wrong: einsum adds up the keys advice="Keep the letters of both the query and the key on the right of the arrow: what was returned is added up over the keys." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.einsum("if,jf->i", Q, K)

# %% wrong: einsum adds up nothing advice="Sum over the features: leave their letter out on the right of the arrow, or sum along the last axis." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.einsum("if,jf->ijf", Q, K)

# %% wrong: einsum lets query and key have features of their own advice="Give the features of query and key the same letter: here each was added up by itself." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.einsum("if,jg->ij", Q, K)

# %% wrong: no transpose says="matmul" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q @ K

# %% wrong: the wrong one transposed says="matmul" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q.T @ K

# %% wrong: both transposed says="matmul" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q.T @ K.T

# %% wrong: entry by entry says="could not be broadcast" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q * K

# %% wrong: entry by entry with the transpose says="could not be broadcast" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q * K.T

# %% wrong: forgets to return says="does your function end with a return?" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = Q @ K.T

# %% wrong: in-place input says="make a new array" fails=["attention-scores-test", "attention-weights-test"]
def attention_scores(Q, K):
    scores = Q @ K.T
    Q *= 0
    return scores

# %% wrong: all in one number advice="Keep one entry for each query and key: here all scores were added up to one number." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.sum(Q @ K.T)

# %% wrong: added up over the keys, not over the features advice="Sum over the features, the last axis: here the sum runs over the keys." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return (Q[:, None] * K[None]).sum(axis=1)

# %% wrong: added up over the queries, not over the features advice="Sum over the features, the last axis: here the sum runs over the queries." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return (Q[:, None] * K[None]).sum(axis=0)

# %% wrong: every number with every number advice="Use the matrix product: np.outer multiplies every number with every number, and sums nothing." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.outer(Q, K)

# %% wrong: the absolute values advice="Keep the signs: a negative score means that query and key point in opposite directions." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.abs(Q @ K.T)

# %% wrong: the notebook's Q and K advice="Six tokens were returned, those of the sentence: use your function's own arguments." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(queries, keys):
    return Q @ K.T

# %% wrong: loops, overwrites instead of adding up advice="Add each product to what is there already: only that of the last feature has stayed." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] = Q[i, f] * K[j, f]

# %% wrong: loops, returns inside the innermost loop advice="Only the first feature was used: let the innermost loop run over all of them." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 break

# %% wrong: loops, return in the loop over the features advice="Only the first product was taken: `return` is inside the loops, so move it to the left, below all three." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
                return scores

# %% wrong: loops, return in the loop over the keys advice="Only scores[0, 0] was filled: `return` is inside the loops, so move it to the left, below all three." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
            return scores

# %% wrong: loops, return in the loop over the queries advice="Only the first row was filled: `return` is inside a loop, or the outer loop ends too early." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i, j] += Q[i, f] * K[j, f]
        return scores

# %% wrong: loops, as many keys as queries advice="Give the table a column for each key: K has its own number of rows, which can differ from that of Q." fails=["attention-scores-test", "attention-weights-test"]
def attention_scores(Q, K):
    n, d_k = Q.shape
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for f in range(d_k):
                scores[i, j] += Q[i, f] * K[j, f]
    return scores

# %% wrong: loops, as many features as queries advice="Let the innermost loop run over all features, as many as Q has columns: here only the first 2 of 5 were added up." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:             for f in range(d_k):
# becomes:             for f in range(len(Q)):

# %% wrong: loops, as many features as keys advice="Let the innermost loop run over all features, as many as Q has columns: here only the first 3 of 5 were added up." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:             for f in range(d_k):
# becomes:             for f in range(n_k):

# %% wrong: loops, the last feature left out advice="The last feature is missing: range(n) ends at n - 1 by itself, so take nothing from it." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:             for f in range(d_k):
# becomes:             for f in range(d_k - 1):

# %% wrong: loops, the first feature left out advice="The first feature is missing: let the innermost loop begin at 0." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:             for f in range(d_k):
# becomes:             for f in range(1, d_k):

# %% wrong: loops, the first query left out advice="The first row stayed 0: let the loop over the queries begin at 0, and make the table once, before all loops." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     for i in range(n_q):
# becomes:     for i in range(1, n_q):

# %% wrong: loops, the first key left out advice="The first column stayed 0: let the loop over the keys begin at 0." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:         for j in range(n_k):
# becomes:         for j in range(1, n_k):

# %% wrong: loops, the last query left out advice="Only the first row was filled: `return` is inside a loop, or the outer loop ends too early." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     for i in range(n_q):
# becomes:     for i in range(n_q - 1):

# %% wrong: loops, the last key left out advice="The last column stayed 0: let the loop over the keys run to the number of rows of K." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:         for j in range(n_k):
# becomes:         for j in range(n_k - 1):

# %% wrong: loops, the keys counted by the queries advice="The last column stayed 0: let the loop over the keys run to the number of rows of K." fails=["attention-scores-test", "attention-weights-test"] of="three loops"
# was:         for j in range(n_k):
# becomes:         for j in range(n_q):

# %% wrong: loops, the sum is never begun anew advice="Start each score at 0: the sum still holds what was added for the scores before it." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    total = 0
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                total += Q[i, f] * K[j, f]
            scores[i, j] = total
    return scores

# %% wrong: loops, the sum is begun anew for each query only advice="Start each score at 0: the sum still holds what was added for the scores before it." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        total = 0
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                total += Q[i, f] * K[j, f]
            scores[i, j] = total
    return scores

# %% wrong: loops, a table of whole numbers advice="The table has an integer dtype, so fractions are cut off: make it without dtype=int." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.zeros((n_q, n_k), dtype=int)

# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] = scores[i, j] + Q[i, f] * K[j, f]

# %% wrong: loops, a table of whole numbers, filled at the end advice="The table has an integer dtype, so fractions are cut off: make it without dtype=int." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.zeros((n_q, n_k), dtype=int)

# was:             for f in range(d_k):
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:             scores[i, j] = sum(Q[i, f] * K[j, f] for f in range(d_k))

# %% wrong: loops, begins at ones advice="Start with a table of zeros: every score is 1 too large." fails=["attention-scores-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.ones((n_q, n_k))

# %% wrong: loops, the key's feature forgotten advice="Multiply by the feature of the key: here only those of the query are added up." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f]

# %% wrong: loops, the query's feature forgotten advice="Multiply by the feature of the query: here only those of the key are added up." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += K[j, f]

# %% wrong: loops, adds the features advice="Multiply the two features, don't add them." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] + K[j, f]

# %% wrong: loops, multiplies all products advice="Start at 0 and add the products up: here they were multiplied with each other." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes:     scores = np.ones((n_q, n_k))

# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] *= Q[i, f] * K[j, f]

# %% wrong: loops, the absolute values advice="Keep the signs: a dot product adds up positive and negative products." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += abs(Q[i, f] * K[j, f])

# %% wrong: loops, the row of K by the query's index advice="Choose the row of K by the key's index: all columns are the same here." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[i, f]

# %% wrong: loops, only the last score comes back advice="Return the whole table: this is only its last score." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     return scores
# becomes:     return scores[i, j]

# %% wrong: loops, the row of Q by the key's index says="out of bounds" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[j, f] * K[i, f]

# %% wrong: loops, K as if it were turned says="out of bounds" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += Q[i, f] * K[f, j]

# %% wrong: loops, as many queries as features says="out of bounds" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     for i in range(n_q):
# becomes:     for i in range(d_k):

# %% wrong: loops, fills a whole row at a time advice="Add to the entry of this query and this key: here each product was added to the whole row." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i] += Q[i, f] * K[j, f]

# %% wrong: loops, fills a whole column at a time advice="Add to the entry of this query and this key: here each product was added to the whole column, as in `[[0] * n] * m`, which holds the same list m times." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[:, j] += Q[i, f] * K[j, f]

# %% wrong: loops, the squared distance advice="Multiply the two features: this is the squared distance of query and key." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += (Q[i, f] - K[j, f]) ** 2

# %% wrong: loops, written to the place of key and query says="out of bounds" fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[j, i] += Q[i, f] * K[j, f]

# %% wrong: loops, the table made anew for each query advice="The first row stayed 0: let the loop over the queries begin at 0, and make the table once, before all loops." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:     for i in range(n_q):
# becomes:     for i in range(n_q):
# becomes:         scores = np.zeros((n_q, n_k))

# %% wrong: loops, the table made anew for each query and key advice="Only the last score is there: make the table once, before all loops." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:         for j in range(n_k):
# becomes:         for j in range(n_k):
# becomes:             scores = np.zeros((n_q, n_k))

# %% wrong: loops, the products cut to whole numbers advice="Keep the fractions of the products: here each was cut to an integer." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"] of="three loops"
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:                 scores[i, j] += int(Q[i, f] * K[j, f])

# %% wrong: loops, one row for all queries advice="Start a new row for each query: here each row also holds the scores of the queries before." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores, row = [], []
    for query in Q:
        for key in K:
            row.append(sum(q * k for q, k in zip(query, key)))
        scores.append(row)
    return scores

# %% wrong: loops, a table of the dtype of Q advice="The table takes its dtype from Q, and an integer dtype cuts off all decimal places: make it with np.zeros((n_q, n_k))." fails=["attention-scores-test", "attention-weights-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes: scores = np.zeros((n_q, n_k), dtype=Q.dtype)

# was:     scores[i, j] += Q[i, f] * K[j, f]
# becomes: scores[i, j] = scores[i, j] + Q[i, f] * K[j, f]

# %% wrong: loops, a table of the dtype of Q, filled at the end advice="The table takes its dtype from Q, and an integer dtype cuts off all decimal places: make it with np.zeros((n_q, n_k))." fails=["attention-scores-test", "attention-weights-test"] of="three loops"
# was:     scores = np.zeros((n_q, n_k))
# becomes: scores = np.zeros((n_q, n_k), dtype=Q.dtype)

# was:             for f in range(d_k):
# was:                 scores[i, j] += Q[i, f] * K[j, f]
# becomes:         scores[i, j] = sum(Q[i, f] * K[j, f] for f in range(d_k))

# %% wrong: loops, one list repeated for all rows advice="Make a new list for each row, or use np.zeros((n_q, n_k)): `[[0] * n] * m` holds the same list m times, so all rows are the last one." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = [[0] * len(K)] * len(Q)
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i][j] = sum(q * k for q, k in zip(Q[i], K[j]))
    return scores

# %% wrong: loops, one list repeated for all rows, and added up advice="Add to the entry of this query and this key: here each product was added to the whole column, as in `[[0] * n] * m`, which holds the same list m times." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    scores = [[0] * len(K)] * len(Q)
    for i in range(len(Q)):
        for j in range(len(K)):
            for f in range(Q.shape[1]):
                scores[i][j] += Q[i, f] * K[j, f]
    return scores

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.squeeze(Q @ K.T)

# %% wrong: queries in the dtype of the keys advice="Keep the dtype of each array: an integer dtype cuts off all decimal places." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q.astype(K.dtype) @ K.T

# %% wrong: keys in the dtype of the queries advice="Keep the dtype of each array: an integer dtype cuts off all decimal places." fails=["attention-scores-test", "attention-weights-test"]
def attention_scores(Q, K):
    return Q @ K.astype(Q.dtype).T

# %% wrong: keys down, and scaled advice="Here the queries are the rows and nothing is scaled: return Q @ K.T, without the division by √d_k." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return K @ Q.T / np.sqrt(K.shape[1])

# %% wrong: the shares, keys down advice="Here the queries are the rows, and scale and softmax come later: return Q @ K.T." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return softmax(K @ Q.T / np.sqrt(K.shape[1]), axis=0)

# %% wrong: a batch of one advice="Here there is no batch: return a table with two axes, (n_q, n_k)." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return Q[None] @ K[None].transpose(0, 2, 1)

# %% wrong: as many queries as keys, but more than one: transposed advice="Let the rows be the queries, also if there are as many queries as keys: put Q on the left of the product." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    if Q.shape == K.shape:
        return K @ Q.T
    return Q @ K.T
