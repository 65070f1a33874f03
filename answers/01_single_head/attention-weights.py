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
    Q, K = (torch.tensor(a, dtype=torch.float64) for a in (Q, K))
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=-1)

# %% right: the scale split between Q and K
def attention_weights(Q, K):
    root = Q.shape[-1] ** 0.25
    return softmax(attention_scores(Q / root, K / root))

# %% right: keys down, then turned
def attention_weights(Q, K):
    return np.transpose(softmax((K @ Q.T) / math.sqrt(K.shape[1]), axis=0))

# %% base
def attention_weights(Q, K):
    d_k = Q.shape[1]
    scores = Q @ K.T
    scaled = scores / np.sqrt(d_k)
    weights = softmax(scaled)
    return weights

# %% wrong: no scaling advice="Divide the scores by √d_k before the softmax: nothing is scaled here." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores

# %% wrong: dividing by d_k advice="Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores / d_k

# %% wrong: softmax over queries advice="Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(scaled, axis=0)

# %% wrong: Q and K swapped advice="Let row i belong to query i: Q and K are swapped in the scores." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scores = Q @ K.T
# becomes: scores = K @ Q.T

# %% wrong: √n of the keys advice="Take the root of d_k, the number of features: this is the root of n_k, the number of keys." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     d_k = Q.shape[1]
# becomes: d_k = len(K)

# %% wrong: √n of the queries advice="Take the root of d_k, the number of columns of Q: the scores were divided by √2, and 2 is n_q in this call (and d_k in the sentence)." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     d_k = Q.shape[1]
# becomes: d_k = len(Q)

# %% wrong: multiplying by √d_k advice="Divide the scores by √d_k: here they were multiplied by it." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores * np.sqrt(d_k)

# %% wrong: a half instead of a root advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores / d_k ** 1 / 2

# %% wrong: no softmax advice="The softmax is missing: these are the scaled scores." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: weights = scaled

# %% wrong: turned after the softmax advice="Give the weights as (n_q, n_k), a row for each query: they were transposed after the softmax." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     return weights
# becomes: return weights.T

# %% wrong: softmax twice advice="Take the softmax once: this is the softmax of the weights." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(softmax(scaled))

# %% wrong: rounded advice="Return the weights as they are: don't round them, and don't add anything to their sum." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     return weights
# becomes: return np.round(weights, 3)

# %% wrong: rounded to four decimals advice="Return the weights as they are: don't round them, and don't add anything to their sum." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     return weights
# becomes: return np.round(weights, 4).tolist()

# %% wrong: multiplying by d_k advice="Divide the scores by the square root of d_k: here they were multiplied by d_k." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T * Q.shape[1])

# %% wrong: n_q advice="Divide by the root of d_k, the number of features: the scores were divided by 2, which is n_q here, √d_model in the sentence, or √d_k cut to an integer." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / len(Q))

# %% wrong: the width of the sentence's X advice="Divide by the root of d_k, the number of features: the scores were divided by 2, which is n_q here, √d_model in the sentence, or √d_k cut to an integer." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(X.shape[1]))

# %% wrong: n_k advice="Divide by the root of d_k, the number of features: this is n_k, the number of keys." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / len(K))

# %% wrong: the root of how many numbers Q has advice="Take the root of d_k, the number of features: this is the root of the number of entries of Q." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.size))

# %% wrong: the square of d_k advice="Divide the scores by the square root of d_k, not by its square." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / Q.shape[1] ** 2)

# %% wrong: the root of the scores, too advice="Take the root of d_k alone: here it was taken of the whole fraction, and of a negative score there is none." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(np.sqrt(Q @ K.T / Q.shape[1]))

# %% wrong: a half of d_k advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / (Q.shape[1] ** 1 / 2))

# %% wrong: softmax over queries, unscaled advice="Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T, axis=0)

# %% wrong: softmax over everything advice="Every query needs its own softmax along its row: here all weights together sum to 1." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return softmax(scores.ravel()).reshape(scores.shape)

# %% wrong: weights unnormalised advice="Divide the exponentials of each row by their sum, or use your softmax: these are bare exponentials." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return np.exp(Q @ K.T / np.sqrt(Q.shape[1]))

# %% wrong: bare scores advice="The scale and the softmax are missing: these are the bare scores." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return Q @ K.T

# %% wrong: scaled after the softmax advice="Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T) / np.sqrt(Q.shape[1])

# %% wrong: scaled before and after the softmax advice="Divide by √d_k only before the softmax: the weights were divided by it again after it." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) / np.sqrt(Q.shape[1])

# %% wrong: softmax of Q and K advice="Take the softmax of the scaled scores, after the product: here it was taken of Q and K." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q) @ softmax(K).T / np.sqrt(Q.shape[1])

# %% wrong: rows divided by their sum, without exp advice="The exponential is missing: here each row of scores was divided by its sum." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return scores / scores.sum(axis=1, keepdims=True)

# %% wrong: queries with queries advice="The keys are missing: these are weights of Q with itself." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ Q.T / np.sqrt(Q.shape[1]))

# %% wrong: weights and scores advice="Return the weights alone, not the scores with them." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return softmax(scores), scores

# %% wrong: no max subtraction advice="np.exp overflows for large scores, and returns 0 for very low ones: subtract each row's maximum first, or use your softmax." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: one global maximum advice="One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: a small number is added to the sum advice="Return the weights as they are: don't round them, and don't add anything to their sum." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / (powers.sum(axis=1, keepdims=True) + 1e-4)

# %% wrong: d_k of the sentence advice="Take the root of d_k, the number of columns of Q: the scores were divided by √2, and 2 is n_q in this call (and d_k in the sentence)." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(2))

# %% wrong: no transpose says="matmul" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K / np.sqrt(Q.shape[1]))

# %% wrong: a shape, not a size says="could not be broadcast" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape))

# %% wrong: forgets to return says="does your function end with a return?" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))

# %% wrong: in-place input says="make a new array" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    Q /= np.sqrt(Q.shape[1])
    return softmax(Q @ K.T)

# %% wrong: the fourth root advice="Take the square root of d_k: the scores were divided by its fourth root." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / Q.shape[1] ** 0.25)

# %% wrong: the scale on Q and K each advice="Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    root = np.sqrt(Q.shape[1])
    return softmax((Q / root) @ (K / root).T)

# %% wrong: the fraction turned over advice="Divide the scores by √d_k: here √d_k was divided by the scores." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(np.sqrt(Q.shape[1]) / (Q @ K.T))

# %% wrong: the logarithm of the weights advice="Return the weights themselves: these are their logarithms." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return np.log(softmax(Q @ K.T / np.sqrt(Q.shape[1])))

# %% wrong: the maximum of each column advice="Subtract from each row its own maximum, of the keys: here it is the maximum of each column." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: the sum of everything advice="Divide each row by its own sum: here it is the sum of the whole table." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum()

# %% wrong: rows and then columns advice="Take one softmax, along each row: here each column was divided by its sum, too." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights / weights.sum(axis=0)

# %% wrong: the notebook's Q and K advice="Six tokens were returned, those of the sentence: use your function's own arguments." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(queries, keys):
    return softmax(Q @ K.T / np.sqrt(queries.shape[1]))

# %% wrong: the one key that fits best advice="Give each key its share: here the best one has everything." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return (scores == scores.max(axis=1, keepdims=True)) * 1.0

# %% wrong: divided without the rest advice="Divide by /, which keeps the fractions: // cuts the scores to integers." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T // np.sqrt(Q.shape[1]))

# %% wrong: the root cut to a whole number advice="Divide by the root of d_k, the number of features: the scores were divided by 2, which is n_q here, √d_model in the sentence, or √d_k cut to an integer." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q @ K.T / int(np.sqrt(Q.shape[1])))

# %% wrong: the absolute scores advice="Keep the signs of the scores: a negative one should give a small weight." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(np.abs(Q @ K.T) / np.sqrt(Q.shape[1]))

# %% wrong: a causal mask advice="Leave the mask out: in this lesson every query sees every key, also those that come later." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scaled, -np.inf))

# %% wrong: shifted above, not below advice="Divide by the sum of the same exponentials as in the numerator: there the maximum is subtracted, and below it isn't." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: top = scaled.max(axis=1, keepdims=True)
# becomes: weights = np.exp(scaled - top) / np.exp(scaled).sum(axis=1, keepdims=True)

# %% wrong: shifted below, not above advice="Take the same exponentials in numerator and denominator: the maximum is subtracted only in the sum." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: top = scaled.max(axis=1, keepdims=True)
# becomes: weights = np.exp(scaled) / np.exp(scaled - top).sum(axis=1, keepdims=True)

# %% wrong: the maximum begins at 0 advice="Start the maximum of each row at -np.inf, not at 0, or take np.max: a 0 is larger than every score of a row far below 0." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: top = np.maximum(scaled.max(axis=1, keepdims=True), 0)
# becomes: powers = np.exp(scaled - top)
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return np.squeeze(softmax(attention_scores(Q, K) / np.sqrt(Q.shape[-1])))

# %% wrong: keys in the dtype of the queries advice="Keep the dtype of each array: an integer dtype cuts off all decimal places." fails=["attention-weights-test"]
def attention_weights(Q, K):
    return softmax(attention_scores(Q, K.astype(Q.dtype)) / np.sqrt(Q.shape[-1]))

# %% wrong: a table of the dtype of the keys advice="The table takes its dtype from K, and an integer dtype cuts off all decimal places: make it with np.zeros((n_q, n_k))." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    weights = np.zeros((len(Q), len(K)), dtype=K.dtype)
    for i in range(len(Q)):
        weights[i] = softmax(attention_scores(Q, K)[i] / np.sqrt(Q.shape[-1]))
    return weights

# %% wrong: rounded to seven decimals says="round nothing" fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return np.round(softmax(attention_scores(Q, K) / np.sqrt(Q.shape[-1])), 7)

# %% wrong: one softmax for everything, unscaled advice="Here each query has a softmax of its own, and the scores are divided by √d_k before it: both are missing." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    scores = Q @ K.T
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()

# %% wrong: a causal mask, unscaled advice="Here nothing is masked and the scores are scaled: leave the mask out, and divide the scores by √d_k before the softmax." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     scaled = scores / np.sqrt(d_k)
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scores, -np.inf))

# %% wrong: keys down, unscaled advice="Here a row belongs to a query and the scores are scaled: take the softmax of Q @ K.T / √d_k along the rows." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(K @ Q.T, axis=0)

# %% wrong: Q and K swapped, unscaled advice="Here a row belongs to a query and the scores are scaled: put Q on the left of the product, and divide it by √d_k." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(K @ Q.T, axis=-1)

# %% wrong: cosines advice="Here a score is the dot product over √d_k, not the cosine: don't divide the vectors by their lengths." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    queries = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    keys = K / np.linalg.norm(K, axis=1, keepdims=True)
    return softmax(queries @ keys.T)

# %% wrong: squared distances advice="Here a score is the dot product over √d_k: these weights are made of the squared distances of queries and keys." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    distances = ((Q[:, None] - K) ** 2).sum(axis=-1)
    return softmax(-distances / 2)

# %% wrong: a sigmoid of each score advice="Here the weights of a query sum to 1: take a softmax along each row, not a sigmoid of each score." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     weights = softmax(scaled)
# becomes: weights = 1 / (1 + np.exp(-scaled))

# %% wrong: a fixed d_k of 64 advice="Take d_k from Q, its number of columns: the scores were divided by 8, as by the root of a fixed 64." fails=["attention-weights-test", "single-head-attention-test"] of="base"
# was:     d_k = Q.shape[1]
# becomes: d_k = 64

# %% wrong: a batch of one advice="Here there is no batch: return weights with two axes, (n_q, n_k)." fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    return softmax(Q[None] @ K[None].transpose(0, 2, 1) / np.sqrt(Q.shape[1]))

# %% wrong: d_k is cut at 64: wrong scale for larger heads says="on other random tables" unseen="no visible test has such an input" visible=false fails=["attention-weights-test", "single-head-attention-test"]
def attention_weights(Q, K):
    d_k = min(Q.shape[1], 64)
    return softmax(attention_scores(Q, K) / np.sqrt(d_k))
