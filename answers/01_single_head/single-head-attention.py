# %% right: loops over tokens
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    n, d_k = len(X), W_Q.shape[1]
    weights, output = np.zeros((n, n)), np.zeros((n, W_O.shape[1]))
    for i in range(n):
        scores = np.array([(X[i] @ W_Q) @ (X[j] @ W_K) for j in range(n)]) / d_k ** 0.5
        powers = np.exp(scores - scores.max())
        weights[i] = powers / powers.sum()
        for j in range(n):
            output[i] += weights[i, j] * (X[j] @ W_V @ W_O)
    return output, weights

# %% right: einsum
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = np.einsum("nd,dk,me,ek->nm", X, W_Q, X, W_K) / np.sqrt(W_K.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return np.einsum("nm,md,dv,vg->ng", weights, X, W_V, W_O), weights

# %% right: torch's own attention
import torch


def single_head_attention(X, W_Q, W_K, W_V, W_O):
    x, q, k, v, o = (torch.from_numpy(a.astype(float)) for a in (X, W_Q, W_K, W_V, W_O))
    mixed = torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v)
    weights = torch.softmax((x @ q) @ (x @ k).T / q.shape[1] ** 0.5, dim=1)
    return (mixed @ o).numpy(), weights.numpy()

# %% right: a list of two, values projected first
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return [(weights @ (X @ (W_V @ W_O))), weights]

# %% base
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    scores = Q @ K.T
    scaled = scores / np.sqrt(W_Q.shape[1])
    weights = softmax(scaled)
    mixed = weights @ V
    output = mixed @ W_O
    return output, weights

# %% wrong: no scaling advice="Divide the scores by √d_k before the softmax: nothing is scaled here. (If you call attention_weights, look there.)" of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores

# %% wrong: dividing by d_k advice="Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice. (If you call attention_weights, look there.)" of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores / W_Q.shape[1]

# %% wrong: √d_model advice="Take the root of d_k, the number of columns of W_Q: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence)." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores / np.sqrt(X.shape[1])

# %% wrong: softmax over queries advice="Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(scaled, axis=0)

# %% wrong: Q and K swapped advice="Let row i belong to query i: query and key are swapped in the scores." of="base"
# was:     scores = Q @ K.T
# becomes: scores = K @ Q.T

# %% wrong: the transposed weights are used advice="Put the weights on the left of the values, as they are: here output i is mixed by column i of them, not by row i." of="base"
# was:     mixed = weights @ V
# becomes: mixed = weights.T @ V

# %% wrong: a score of 0 taken for padding advice="A score of 0 is a score like any other, and e^0 is 1: block nothing here." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(scaled == 0, -np.inf, scaled))

# %% wrong: output projection forgotten advice="Multiply the mixed values by W_O: they have d_v numbers each, and the output has d_model." of="base"
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: X added advice="Leave X out of the output: it is added later, outside of the head." of="base"
# was:     output = mixed @ W_O
# becomes: output = X + mixed @ W_O

# %% wrong: weights first advice="Return the output first, then the weights." of="base"
# was:     return output, weights
# becomes: return weights, output

# %% wrong: the weights given back are turned advice="Return the weights untransposed, a row for each query." of="base"
# was:     return output, weights
# becomes: return output, weights.T

# %% wrong: keys by the query's matrix advice="Project the keys by W_K: queries and keys were both made by W_Q." of="base"
# was:     K = X @ W_K
# becomes: K = X @ W_Q

# %% wrong: the weights are not used advice="Let the weights mix the values: this output is X W_V W_O, without them." of="base"
# was:     mixed = weights @ V
# becomes: mixed = V

# %% wrong: √n advice="Divide by the root of d_k, the number of columns of W_Q: the scores were divided by 2, which is √n here, √d_model in the sentence, or √d_k cut to an integer."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(len(X)))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: √d_v advice="Take the root of d_k, the number of columns of W_Q: this is the root of d_v, the number of columns of W_V."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_V.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: scaled here and in attention_weights advice="The scores are divided by √d_k twice: attention_weights does it already."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K / np.sqrt(W_Q.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: multiplying by √d_k advice="Divide the scores by √d_k: here they were multiplied by it. (If you call attention_weights, look there.)"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T * np.sqrt(W_Q.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: a half instead of a root advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / W_Q.shape[1] ** 1 / 2)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: a half of d_k advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / (W_Q.shape[1] ** 1 / 2))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: scaled after the softmax advice="Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1. (If you call attention_weights, look there.)"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T) / np.sqrt(W_Q.shape[1])
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: the weights divided once more advice="Divide by √d_k only before the softmax: the weights were divided by it again after it."
# was:     weights = attention_weights(Q, K)
# becomes:     weights = attention_weights(Q, K) / np.sqrt(W_Q.shape[1])

# %% wrong: softmax over everything advice="Every query needs its own softmax along its row: here all weights together sum to 1."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: a second softmax advice="Take the softmax once: attention_weights does it already."
# was:     weights = attention_weights(Q, K)
# becomes:     weights = softmax(attention_weights(Q, K))

# %% wrong: queries by the key's matrix advice="Project the queries by W_Q: queries and keys were both made by W_K."
# was:     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# becomes:     Q, K, V = X @ W_K, X @ W_K, X @ W_V

# %% wrong: X itself in place of queries and keys advice="Make queries and keys by W_Q and W_K first: the scores are those of X with itself."
# was:     weights = attention_weights(Q, K)
# becomes:     weights = attention_weights(X, X)

# %% wrong: X mixed, no values advice="Let the weights mix the values X W_V: here they mix X itself, and W_V and W_O are missing."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights @ X, weights

# %% wrong: the values in place of the weights advice="Return two results, the output and the weights: the second one isn't the weights."
# was:     return weights @ V @ W_O, weights
# becomes:     return weights @ V @ W_O, V

# %% wrong: only the output advice="Return two results, the output and the weights: the weights are missing."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights @ (X @ W_V) @ W_O

# %% wrong: only the weights advice="Return two results, the output and the weights: the output is missing."
# was:     return weights @ V @ W_O, weights
# becomes:     return weights

# %% wrong: three things says="it returned 3 values"
# was:     return weights @ V @ W_O, weights
# becomes:     return weights @ V @ W_O, weights, V

# %% wrong: the sentence's Q, K and V advice="Six tokens were returned, those of the sentence: make Q, K and V of the arguments X, W_Q, W_K and W_V."
# was:     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# becomes:     Q, K, V = globals()["Q"], globals()["K"], globals()["V"]

# %% wrong: scores in place of weights advice="The second result is the weights, after the softmax: these are the scaled scores."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    return softmax(scores) @ (X @ W_V) @ W_O, scores

# %% wrong: no softmax advice="The second result is the weights, after the softmax: these are the scaled scores."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: bare scores advice="The second result is the weights: the scale and the softmax are missing here, these are the bare scores."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_scores(X @ W_Q, X @ W_K)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: the sizes of the sentence advice="Take the root of d_k, the number of columns of W_Q: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence)."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(2))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: no max subtraction advice="np.exp overflows for large scores: subtract each row's maximum first, or use your softmax."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = np.exp((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1]))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: one global maximum advice="One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: only the sentence's V says="matmul"
# was:     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# becomes:     Q, K, V = X @ W_Q, X @ W_K, globals()["V"]

# %% wrong: values first, then the weights says="matmul"
# was:     return weights @ V @ W_O, weights
# becomes:     return V @ weights @ W_O, weights

# %% wrong: entry by entry says="could not be broadcast"
# was:     return weights @ V @ W_O, weights
# becomes:     return weights * V @ W_O, weights

# %% wrong: W_O turned says="matmul"
# was:     return weights @ V @ W_O, weights
# becomes:     return weights @ V @ W_O.T, weights

# %% wrong: projected from the left says="matmul"
# was:     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# becomes:     Q, K, V = W_Q @ X, W_K @ X, W_V @ X

# %% wrong: forgets to return says="does your function end with a return?"
# was:     return weights @ V @ W_O, weights
# becomes:     output = weights @ V @ W_O

# %% wrong: in-place input says="make a new array"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    output = weights @ (X @ W_V) @ W_O
    X += output
    return output, weights

# %% wrong: the weights used twice advice="Let the weights mix the values once: here they were applied twice."
# was:     return weights @ V @ W_O, weights
# becomes:     return weights @ weights @ V @ W_O, weights

# %% wrong: a softmax of the output advice="Return the output as it is: the softmax belongs to the scores only."
# was:     return weights @ V @ W_O, weights
# becomes:     return softmax(weights @ V @ W_O), weights

# %% wrong: the output divided by √d_k advice="Return the output as it is: only the scores are divided by √d_k."
# was:     return weights @ V @ W_O, weights
# becomes:     return weights @ V @ W_O / np.sqrt(W_Q.shape[1]), weights

# %% wrong: the output added up advice="Keep a row of output for each token: here they were added up."
# was:     return weights @ V @ W_O, weights
# becomes:     return (weights @ V @ W_O).sum(axis=0), weights

# %% wrong: mixed by the scores advice="Let the weights mix the values, after the softmax: here the scores do."
# was:     return weights @ V @ W_O, weights
# becomes:     return (Q @ K.T / np.sqrt(W_Q.shape[1])) @ V @ W_O, weights

# %% wrong: values first and turned advice="Put the weights on the left of the values: (n, n) times (n, d_v), then W_O."
# was:     return weights @ V @ W_O, weights
# becomes:     return V.T @ weights, weights

# %% wrong: values first, turned, and W_O advice="Put the weights on the left of the values, as they are: here output i is mixed by column i of them, not by row i."
# was:     return weights @ V @ W_O, weights
# becomes:     return (V.T @ weights).T @ W_O, weights

# %% wrong: the output turned advice="Return the output as (n, d_model), a row for each token: it is transposed."
# was:     return weights @ V @ W_O, weights
# becomes:     return (weights @ V @ W_O).T, weights

# %% wrong: the weights turned throughout advice="Keep a row for each query: the weights were transposed after the softmax."
# was:     weights = attention_weights(Q, K)
# becomes:     weights = attention_weights(Q, K).T

# %% wrong: softmax over queries, unscaled advice="Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here."
# was:     weights = attention_weights(Q, K)
# becomes:     weights = softmax(Q @ K.T, axis=0)

# %% wrong: unscaled and without W_O advice="Divide the scores by √d_k before the softmax: nothing is scaled here. (If you call attention_weights, look there.)"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T)
    return weights @ (X @ W_V), weights

# %% wrong: values by the key's matrix says="matmul"
# was:     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# becomes:     Q, K, V = X @ W_Q, X @ W_K, X @ W_K

# %% wrong: a causal mask advice="Leave the mask out: in this lesson every query sees every key, also those that come later." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scaled, -np.inf))

# %% wrong: shifted above, not below advice="Divide by the sum of the same exponentials as in the numerator: there the maximum is subtracted, and below it isn't." of="base"
# was:     weights = softmax(scaled)
# becomes: top = scaled.max(axis=1, keepdims=True)
# becomes: weights = np.exp(scaled - top) / np.exp(scaled).sum(axis=1, keepdims=True)

# %% wrong: shifted below, not above advice="Take the same exponentials in numerator and denominator: the maximum is subtracted only in the sum." of="base"
# was:     weights = softmax(scaled)
# becomes: top = scaled.max(axis=1, keepdims=True)
# becomes: weights = np.exp(scaled) / np.exp(scaled - top).sum(axis=1, keepdims=True)

# %% wrong: the maximum begins at 0 advice="Start the maximum of each row at -np.inf, not at 0, or take np.max: a 0 is larger than every score of a row far below 0." of="base"
# was:     weights = softmax(scaled)
# becomes: top = np.maximum(scaled.max(axis=1, keepdims=True), 0)
# becomes: powers = np.exp(scaled - top)
# becomes: weights = powers / powers.sum(axis=1, keepdims=True)

# %% wrong: axes of length 1 squeezed says="one side of @ is a number"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = np.squeeze(attention_weights(X @ W_Q, X @ W_K))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: results squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return np.squeeze(weights @ (X @ W_V) @ W_O), weights

# %% wrong: weights rounded to seven decimals says="round nothing"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = np.round(attention_weights(X @ W_Q, X @ W_K), 7)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: output rounded to six decimals says="round nothing"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return np.round(weights @ (X @ W_V) @ W_O, 6), weights

# %% wrong: output in the dtype of W_V advice="Leave the dtype as it is: one of integers, from an argument, cuts off all decimal places."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return (weights @ (X @ W_V) @ W_O).astype(W_V.dtype), weights

# %% wrong: output in the dtype of W_O advice="Leave the dtype as it is: one of integers, from an argument, cuts off all decimal places."
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return (weights @ (X @ W_V) @ W_O).astype(W_O.dtype), weights

# %% wrong: a causal head without W_O advice="Here nothing is masked, and W_O follows: leave the mask out, and multiply the mixed values by W_O." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scaled, -np.inf))
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: a causal head, √d_model, without W_O advice="Here nothing is masked, the root is of d_k, the columns of W_Q, and W_O follows: change the mask, the scale and the output." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# was:     weights = softmax(scaled)
# becomes: scaled = scores * X.shape[1] ** -0.5
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scaled, -np.inf))
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: a causal head, unscaled, without W_O advice="Here nothing is masked, the scores are divided by √d_k, and W_O follows: change the mask, the scale and the output." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scores, -np.inf))
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: a causal head, √d_model advice="Here nothing is masked, and the root is of d_k: leave the mask out, and divide by the root of the columns of W_Q, not of d_model." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# was:     weights = softmax(scaled)
# becomes: scaled = scores * X.shape[1] ** -0.5
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scaled, -np.inf))

# %% wrong: a causal head, unscaled advice="Here nothing is masked, and the scores are divided by √d_k before the softmax: leave the mask out, and add the scale." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# was:     weights = softmax(scaled)
# becomes: weights = softmax(np.where(np.tri(*scores.shape) > 0, scores, -np.inf))

# %% wrong: √d_model, without W_O advice="Take the root of d_k, the columns of W_Q, not of d_model, and multiply the mixed values by W_O." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores / np.sqrt(X.shape[1])
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: softmax over queries, without W_O advice="Let the softmax run over the keys, along each row, and multiply the mixed values by W_O." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(scaled, axis=0)
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: one softmax for everything, without W_O advice="Give every row its own softmax, and multiply the mixed values by W_O." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = np.exp(scaled - scaled.max())
# becomes: weights = weights / weights.sum()
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: bare scores, without W_O advice="Here the scores are scaled and go through a softmax, and W_O follows: all three are missing." of="base"
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# was:     weights = softmax(scaled)
# becomes: weights = scores
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: no matrices and no scale advice="Here queries, keys and values are X times W_Q, W_K and W_V, and W_O follows: this compares and mixes X itself, without the scale." of="base"
# was:     Q = X @ W_Q
# was:     K = X @ W_K
# was:     V = X @ W_V
# becomes: Q = K = V = X
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: no matrices advice="Here queries, keys and values are X times W_Q, W_K and W_V, and W_O follows: this compares and mixes X itself." of="base"
# was:     Q = X @ W_Q
# was:     K = X @ W_K
# was:     V = X @ W_V
# becomes: Q = K = V = X
# was:     scaled = scores / np.sqrt(W_Q.shape[1])
# becomes: scaled = scores / np.sqrt(X.shape[1])
# was:     output = mixed @ W_O
# becomes: output = mixed

# %% wrong: X added, then normalised advice="Here the head returns the mixed values times W_O alone: the residual and the norm belong to a block." of="base"
# was:     output = mixed @ W_O
# becomes: output = X + mixed @ W_O
# becomes: output = output - output.mean(axis=1, keepdims=True)
# becomes: output = output / np.sqrt(output.var(axis=1, keepdims=True) + 1e-5)

# %% wrong: the mean of the outputs advice="Keep a row of output for each token: here they were averaged." of="base"
# was:     output = mixed @ W_O
# becomes: output = (mixed @ W_O).mean(axis=0)

# %% wrong: tokens in columns advice="Here a row is a token: return the output as (n, d_model), and the weights with a row for each query." of="base"
# was:     return output, weights
# becomes: return output.T, weights.T

# %% wrong: a batch of one advice="Here there is no batch: X, output and weights have two axes each." of="base"
# was:     return output, weights
# becomes: return output[None], weights[None]

# %% wrong: weights first, and no W_O advice="Return the output first and the weights second, and multiply the mixture with W_O." of="base"
# was:     output = mixed @ W_O
# was:     return output, weights
# becomes: return weights, mixed

# %% wrong: as many tokens as features: the weights are transposed in the mixture says="in the output of other random arrays" unseen="no visible test has such an input" visible=false fails=["single-head-attention-test"]
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attention_weights(Q, K)
    if X.shape[0] == X.shape[1]:
        return weights.T @ V @ W_O, weights
    return weights @ V @ W_O, weights
