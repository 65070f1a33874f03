# %% right: einsum, softmax inside
def attention_backward(grad_output, Q, K, V, weights):
    scale = Q.shape[-1] ** -0.5
    grad_V = np.einsum("...ij,...iv->...jv", weights, grad_output)
    grad_W = np.einsum("...iv,...jv->...ij", grad_output, V)
    grad_S = weights * (grad_W - np.einsum("...ij,...ij->...i", weights, grad_W)[..., None])
    grad_Q = scale * np.einsum("...ij,...jd->...id", grad_S, K)
    grad_K = scale * np.einsum("...ij,...id->...jd", grad_S, Q)
    return grad_Q, grad_K, grad_V

# %% right: average from the output, scale at the end
def attention_backward(grad_output, Q, K, V, weights):
    T = lambda a: np.moveaxis(a, -1, -2)
    output = weights @ V
    delta = (grad_output * output).sum(-1, keepdims=True)
    grad_S = weights * (grad_output @ T(V) - delta)
    root = np.sqrt(K.shape[-1])
    return [grad_S @ K / root, T(grad_S) @ Q / root, T(weights) @ grad_output]

# %% right: a loop over queries
def attention_backward(grad_output, Q, K, V, weights):
    grad_Q, grad_K, grad_V = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            w, g = weights[lead][i], grad_output[lead][i]
            grad_V[lead] += np.outer(w, g)
            grad_w = V[lead] @ g
            grad_s = w * (grad_w - w @ grad_w) / math.sqrt(Q.shape[-1])
            grad_Q[lead][i] = grad_s @ K[lead]
            grad_K[lead] += np.outer(grad_s, Q[lead][i])
    return grad_Q, grad_K, grad_V

# %% right: torch
import torch


def attention_backward(grad_output, Q, K, V, weights):
    g, q, k, v, w = (torch.tensor(np.array(a, dtype=float)) for a in (grad_output, Q, K, V, weights))
    gw = g @ v.mT
    gs = w * (gw - (w * gw).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
    return (gs @ k).numpy(), (gs.mT @ q).numpy(), (w.mT @ g).numpy()

# %% wrong: no sum in softmax says="grad_Q: the sum in softmax" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = weights * grad_weights / math.sqrt(Q.shape[-1])

# %% wrong: diagonal of the Jacobian says="grad_Q: only the diagonal" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = weights * (1 - weights) * grad_weights / math.sqrt(Q.shape[-1])

# %% wrong: softmax left out says="through softmax is left out" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = grad_weights / math.sqrt(Q.shape[-1])

# %% wrong: no scale says="grad_Q is not divided" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights)

# %% wrong: scale forgotten for K says="grad_K is not divided" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: grad_scores = softmax_backward(weights, grad_weights)
# becomes: return grad_scores @ K / math.sqrt(Q.shape[-1]), np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: scale forgotten for Q says="grad_Q is not divided" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: grad_scores = softmax_backward(weights, grad_weights)
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q / math.sqrt(Q.shape[-1]), grad_V

# %% wrong: divides by d_k says="grad_Q is divided by d_k" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / Q.shape[-1]

# %% wrong: multiplies by the root says="grad_Q is multiplied" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) * math.sqrt(Q.shape[-1])

# %% wrong: root of d_v says="grad_Q is divided by √d_v" of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(V.shape[-1])

# %% wrong: root of n says="grad_Q is divided by √n" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-2])

# %% wrong: transposes in Q and K swapped says="belongs in grad_K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return np.swapaxes(grad_scores, -1, -2) @ K, grad_scores @ Q, grad_V

# %% wrong: no transpose for K says="grad_K: transpose the scores' gradient" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, grad_scores @ Q, grad_V

# %% wrong: Q from Q and K from K says="grad_Q is made from Q" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ Q, np.swapaxes(grad_scores, -1, -2) @ K, grad_V

# %% wrong: K from K says="grad_K is made from K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ K, grad_V

# %% wrong: V with untransposed weights says="the weights must be transposed" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights @ grad_output

# %% wrong: V from V says="grad_V is made from V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ V

# %% wrong: V is the output says="grad_V is the output itself" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights @ V

# %% wrong: scale in V says="grad_V has the scale in it" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ grad_output / math.sqrt(Q.shape[-1])

# %% wrong: order of the three says="grad_K comes first" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return np.swapaxes(grad_scores, -1, -2) @ Q, grad_scores @ K, grad_V

# %% wrong: weights computed again without mask says="use those that you are given" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: weights = softmax(Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1]))
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ grad_output

# %% wrong: only for a single batch axis says="broadcast" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = grad_output @ V.T
