# %% right: loops over tokens
def folded_attention(X, W_QK, W_OV, d_k):
    weights, output = [], []
    for x in X:
        scores = np.array([x @ W_QK @ other for other in X]) / math.sqrt(d_k)
        powers = np.exp(scores - scores.max())
        weights.append(powers / powers.sum())
        output.append(sum(w * other for w, other in zip(weights[-1], X)) @ W_OV)
    return np.array(output), np.array(weights)

# %% right: einsum
def folded_attention(X, W_QK, W_OV, d_k):
    scores = np.einsum("nd,de,me->nm", X, W_QK, X) * d_k ** -0.5
    weights = softmax(scores)
    return np.einsum("nm,md,dg->ng", weights, X, W_OV), weights

# %% right: torch's own attention, with the scale given
import torch


def folded_attention(X, W_QK, W_OV, d_k):
    x, qk, ov = (torch.tensor(a, dtype=torch.float64) for a in (X, W_QK, W_OV))
    mixed = torch.nn.functional.scaled_dot_product_attention(x @ qk, x, x, scale=d_k ** -0.5)
    return mixed @ ov, torch.softmax(x @ qk @ x.T / d_k ** 0.5, dim=-1)

# %% right: moves the content first, mixes then
def folded_attention(X, W_QK, W_OV, d_k):
    moved = X @ W_OV
    weights = softmax((X @ W_QK / np.sqrt(d_k)) @ X.T)
    return weights @ moved, weights

# %% base
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T
    scaled = scores / np.sqrt(d_k)
    weights = softmax(scaled)
    mixed = weights @ X
    output = mixed @ W_OV
    return output, weights

# %% wrong: no scaling advice="Divide the scores by √d_k before the softmax: W_QK contains no scale." of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores

# %% wrong: √d_model advice="Take the root of the d_k that you are given: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence)." of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores / np.sqrt(X.shape[1])

# %% wrong: dividing by d_k advice="Divide the scores by √d_k, once: here they are divided by d_k itself, or by its root twice." of="base"
# was:     scaled = scores / np.sqrt(d_k)
# becomes: scaled = scores / d_k

# %% wrong: softmax over queries advice="Let the softmax run over the keys, so that each query's row sums to 1: here it runs over the queries." of="base"
# was:     weights = softmax(scaled)
# becomes: weights = softmax(scaled, axis=0)

# %% wrong: Q and K swapped advice="Put W_QK between X on the left and the transposed X on the right as it is: the query and the key side are swapped." of="base"
# was:     scores = X @ W_QK @ X.T
# becomes: scores = X @ W_QK.T @ X.T

# %% wrong: weights first advice="Return the output first, then the weights." of="base"
# was:     return output, weights
# becomes: return weights, output

# %% wrong: W_OV forgotten advice="Multiply the mixed rows of X by W_OV: here they are returned without it." of="base"
# was:     output = mixed @ W_OV
# becomes: output = mixed

# %% wrong: the transposed weights are used advice="Use the weights as they are, not transposed: output i is mixed by row i of them." of="base"
# was:     mixed = weights @ X
# becomes: mixed = weights.T @ X

# %% wrong: the weights given back are turned advice="Return the weights untransposed, a row for each query." of="base"
# was:     return output, weights
# becomes: return output, weights.T

# %% wrong: W_OV transposed advice="Multiply by W_OV as it is, from the right: here it is transposed." of="base"
# was:     output = mixed @ W_OV
# becomes: output = mixed @ W_OV.T

# %% wrong: X added advice="Leave X out of the output: it is added later, outside of the head." of="base"
# was:     output = mixed @ W_OV
# becomes: output = X + mixed @ W_OV

# %% wrong: the weights are not used advice="Let the weights mix the rows of X: this output is X W_OV, without them." of="base"
# was:     mixed = weights @ X
# becomes: mixed = X

# %% wrong: attention_weights with its own scale only advice="Take the root of the d_k that you are given: the scores were divided by √2, and 2 is d_model in this call (and d_k in the sentence)."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(X @ W_QK, X)
    return weights @ X @ W_OV, weights

# %% wrong: √n advice="Divide by the root of the d_k that you are given: the scores were divided by 2, which is √n here, √d_model in the sentence, or √d_k cut to an integer."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(len(X)))
    return weights @ X @ W_OV, weights

# %% wrong: multiplying by √d_k advice="Divide the scores by √d_k: here they were multiplied by it."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T * np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: multiplying by d_k advice="Divide the scores by the square root of d_k: here they were multiplied by d_k."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T * d_k)
    return weights @ X @ W_OV, weights

# %% wrong: a half instead of a root advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / d_k ** 1 / 2)
    return weights @ X @ W_OV, weights

# %% wrong: a half of d_k advice="`d_k ** 1 / 2` is not a square root, since `**` comes before `/`: write np.sqrt or ** 0.5."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / (d_k ** 1 / 2))
    return weights @ X @ W_OV, weights

# %% wrong: scaled after the softmax advice="Divide the scores by √d_k before the softmax, not the weights after it: then each row sums to 1."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T) / np.sqrt(d_k)
    return weights @ X @ W_OV, weights

# %% wrong: scaled twice advice="The scores are divided by two roots: attention_weights already divides by the root of the size of its vectors."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(X @ W_QK / np.sqrt(d_k), X)
    return weights @ X @ W_OV, weights

# %% wrong: W_QK on both sides advice="W_QK occurs in the scores once, between X and the transposed X: here it is on both sides."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax((X @ W_QK) @ (X @ W_QK).T / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: W_QK not used advice="W_QK is missing in the scores: they are those of X with itself."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: no softmax advice="The second result is the weights, after the softmax: these are the scaled scores."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = X @ W_QK @ X.T / np.sqrt(d_k)
    return weights @ X @ W_OV, weights

# %% wrong: scores in place of weights advice="The second result is the weights, after the softmax: these are the scaled scores."
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T / np.sqrt(d_k)
    return softmax(scores) @ X @ W_OV, scores

# %% wrong: softmax over everything advice="Every query needs its own softmax along its row: here all weights together sum to 1."
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T / np.sqrt(d_k)
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ X @ W_OV, weights

# %% wrong: W_QK in the output advice="Multiply the mixed rows by W_OV: here it was W_QK once more."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X @ W_QK, weights

# %% wrong: W_OV in the scores advice="Use W_QK in the scores and W_OV in the output: they are swapped."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_OV @ X.T / np.sqrt(d_k))
    return weights @ X @ W_QK, weights

# %% wrong: W_OV in both advice="Use W_QK in the scores: here it was W_OV."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_OV @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: only the output advice="Return two results, the output and the weights: the weights are missing."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV

# %% wrong: only the weights advice="Return two results, the output and the weights: the output is missing."
def folded_attention(X, W_QK, W_OV, d_k):
    return softmax(X @ W_QK @ X.T / np.sqrt(d_k))

# %% wrong: the sentence's weights advice="Six tokens were returned, those of the sentence: make the scores of the arguments X and W_QK."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(Q, K)
    return X @ W_OV, weights

# %% wrong: no max subtraction advice="np.exp overflows for large scores: subtract each row's maximum first, or use your softmax."
def folded_attention(X, W_QK, W_OV, d_k):
    powers = np.exp(X @ W_QK @ X.T / np.sqrt(d_k))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ X @ W_OV, weights

# %% wrong: one global maximum advice="One maximum for the whole table makes all exponentials of a row far below it 0: subtract each row's own, or use your softmax."
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T / np.sqrt(d_k)
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ X @ W_OV, weights

# %% wrong: the sentence's weights mix X says="matmul"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(Q, K)
    return weights @ X @ W_OV, weights

# %% wrong: X turned on the left says="matmul"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X.T @ W_QK @ X / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: the weights straight into W_OV says="matmul"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ W_OV, weights

# %% wrong: entry by entry says="could not be broadcast"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights * X @ W_OV, weights

# %% wrong: forgets to return says="does your function end with a return?"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    output = weights @ X @ W_OV

# %% wrong: in-place input says="make a new array"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    output = weights @ X @ W_OV
    X += output
    return output, weights

# %% wrong: X first, in attention_weights advice="W_QK multiplies the query's X, on the left, and the root is that of the d_k you are given: here it multiplies the key's X, and the root is that of d_model."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(X, X @ W_QK)
    return weights @ X @ W_OV, weights

# %% wrong: W_QK twice in a row advice="W_QK occurs in the scores once: here it is used twice."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: the weights used twice advice="Let the weights mix the rows of X once: here they were applied twice."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ weights @ X @ W_OV, weights

# %% wrong: W_OV twice advice="Multiply the mixed rows by W_OV once: here they are multiplied by it twice."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV @ W_OV, weights

# %% wrong: the output turned advice="Return the output as (n, d_model), a row for each token: it is transposed."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return (weights @ X @ W_OV).T, weights

# %% wrong: W_OV on the left advice="Multiply the mixed rows of X by W_OV from the right: with W_OV on the left all is transposed, and mixed by the columns of the weights."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return W_OV @ X.T @ weights, weights

# %% wrong: mixed by the scores advice="Let the weights mix the rows of X, after the softmax: here the scores do."
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T / np.sqrt(d_k)
    return scores @ X @ W_OV, softmax(scores)

# %% wrong: the weights turned throughout advice="Keep a row for each query: the weights were transposed after the softmax."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k)).T
    return weights @ X @ W_OV, weights

# %% wrong: softmax over queries, unscaled advice="Let the softmax run over the keys, and divide the scores by √d_k before it: both are missing here."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T, axis=0)
    return weights @ X @ W_OV, weights

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

# %% wrong: results squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    return np.squeeze(weights @ X @ W_OV), weights

# %% wrong: the weights rounded to seven decimals says="round nothing"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    weights = np.round(weights, 7)
    return weights @ X @ W_OV, weights

# %% wrong: output in the dtype of W_OV advice="Leave the dtype as it is: one of integers, from an argument, cuts off all decimal places."
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=-1)
    return (weights @ X @ W_OV).astype(W_OV.dtype), weights

# %% wrong: with d_k of 1 the scale is the root of d_model says="in the attention weights of other random arrays" unseen="no visible test has such an input" visible=false fails=["folded-attention-test"]
def folded_attention(X, W_QK, W_OV, d_k):
    scale = np.sqrt(d_k) if d_k > 1 else np.sqrt(X.shape[1])
    weights = softmax(X @ W_QK @ X.T / scale)
    return weights @ X @ W_OV, weights
