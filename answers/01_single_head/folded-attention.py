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
    x, qk, ov = map(torch.from_numpy, (X, W_QK, W_OV))
    mixed = torch.nn.functional.scaled_dot_product_attention(x @ qk, x, x, scale=d_k ** -0.5)
    return mixed @ ov, torch.softmax(x @ qk @ x.T / d_k ** 0.5, dim=-1)

# %% right: moves the content first, mixes then
def folded_attention(X, W_QK, W_OV, d_k):
    moved = X @ W_OV
    weights = softmax((X @ W_QK / np.sqrt(d_k)) @ X.T)
    return weights @ moved, weights

# %% wrong: no scaling says="nothing is scaled"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T)
    return weights @ X @ W_OV, weights

# %% wrong: √d_model says="the scale is √d_model"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(X.shape[1]))
    return weights @ X @ W_OV, weights

# %% wrong: √n says="the scale is √n"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(len(X)))
    return weights @ X @ W_OV, weights

# %% wrong: dividing by d_k says="divided by d_k, not by its root"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / d_k)
    return weights @ X @ W_OV, weights

# %% wrong: multiplying by √d_k says="multiplied by √d_k"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T * np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: Q and K swapped says="query and key side are swapped"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK.T @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV, weights

# %% wrong: softmax over queries says="each column of the weights sums to 1"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k), axis=0)
    return weights @ X @ W_OV, weights

# %% wrong: W_OV forgotten says="W_OV is missing"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X, weights

# %% wrong: the weights are not used says="the weights never reach the output"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return X @ W_OV, weights

# %% wrong: the transposed weights are used says="the weights are transposed here"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights.T @ X @ W_OV, weights

# %% wrong: W_OV transposed says="W_OV is transposed"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = softmax(X @ W_QK @ X.T / np.sqrt(d_k))
    return weights @ X @ W_OV.T, weights

# %% wrong: one global maximum says="huge scores" visible=false
def folded_attention(X, W_QK, W_OV, d_k):
    scores = X @ W_QK @ X.T / np.sqrt(d_k)
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ X @ W_OV, weights

# %% wrong: scaled twice says="the scale is there twice"
def folded_attention(X, W_QK, W_OV, d_k):
    weights = attention_weights(X @ W_QK / np.sqrt(d_k), X)
    return weights @ X @ W_OV, weights
