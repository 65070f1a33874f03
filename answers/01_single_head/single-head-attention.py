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
    x, q, k, v, o = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V, W_O))
    mixed = torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v)
    weights = torch.softmax((x @ q) @ (x @ k).T / q.shape[1] ** 0.5, dim=1)
    return (mixed @ o).numpy(), weights.numpy()

# %% right: a list of two, values projected first
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return [(weights @ (X @ (W_V @ W_O))), weights]

# %% wrong: no scaling says="nothing is scaled"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: √d_model says="the scale is √d_model"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(X.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: √n says="the scale is √n or √d_v"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(len(X)))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: √d_v says="the scale is √n or √d_v"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_V.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: dividing by d_k says="divided by d_k, not by its root"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / W_Q.shape[1])
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: multiplying by √d_k says="multiplied by √d_k"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T * np.sqrt(W_Q.shape[1]))
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: softmax over queries says="each column of the weights sums to 1"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1]), axis=0)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: softmax over everything says="the numbers are not"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: Q and K swapped says="Q and K are swapped"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_K, X @ W_Q)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: output projection forgotten says="W_O is missing"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights @ (X @ W_V), weights

# %% wrong: the weights are not used says="the weights never reach the output"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return X @ W_V @ W_O, weights

# %% wrong: the transposed weights are used says="the weights are transposed here"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights.T @ (X @ W_V) @ W_O, weights

# %% wrong: weights first says="weights come second"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights, weights @ (X @ W_V) @ W_O

# %% wrong: only the output says="unpack"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return weights @ (X @ W_V) @ W_O

# %% wrong: no max subtraction says="large scores give nan"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = np.exp((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1]))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ (X @ W_V) @ W_O, weights

# %% wrong: in-place input says="an input was changed" visible=false
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    output = weights @ (X @ W_V) @ W_O
    X += output
    return output, weights

# %% wrong: X added says="X is added to the output"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    weights = attention_weights(X @ W_Q, X @ W_K)
    return X + weights @ (X @ W_V) @ W_O, weights

# %% wrong: scores in place of weights says="these are scores"
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    return softmax(scores) @ (X @ W_V) @ W_O, scores
