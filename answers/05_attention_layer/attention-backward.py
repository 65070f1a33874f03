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

# %% base
def attention_backward(grad_output, Q, K, V, weights):
    root = math.sqrt(Q.shape[-1])
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    grad_weights = grad_output @ np.swapaxes(V, -1, -2)
    grad_scores = softmax_backward(weights, grad_weights)
    grad_Q = grad_scores @ K / root
    grad_K = np.swapaxes(grad_scores, -1, -2) @ Q / root
    return grad_Q, grad_K, grad_V

# %% wrong: no scale advice="grad_Q and grad_K are not divided by √d_k: the scale of the scores belongs to both" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     root = math.sqrt(Q.shape[-1])
# becomes: root = 1

# %% wrong: divides by d_k advice="grad_Q and grad_K are divided by d_k: divide by its root, once" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     root = math.sqrt(Q.shape[-1])
# becomes: root = Q.shape[-1]

# %% wrong: no sum in softmax advice="the sum in softmax's gradient is missing: use softmax_backward of 5.3" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_scores = softmax_backward(weights, grad_weights)
# becomes: grad_scores = weights * grad_weights

# %% wrong: softmax left out advice="the backward pass of softmax is missing: grad_weights is not yet the scores' gradient" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_scores = softmax_backward(weights, grad_weights)
# becomes: grad_scores = grad_weights

# %% wrong: scale forgotten for K advice="grad_K is not divided by √d_k: the scale belongs to both" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_K = np.swapaxes(grad_scores, -1, -2) @ Q / root
# becomes: grad_K = np.swapaxes(grad_scores, -1, -2) @ Q

# %% wrong: scale forgotten for Q advice="grad_Q is not divided by √d_k: the scale belongs to both" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_Q = grad_scores @ K / root
# becomes: grad_Q = grad_scores @ K

# %% wrong: scale in V advice="grad_V is divided by √d_k: the scale belongs to the scores only, so to grad_Q and grad_K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ grad_output / root

# %% wrong: order of the three advice="grad_K comes first: return them in the order grad_Q, grad_K, grad_V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_Q, grad_K, grad_V
# becomes: return grad_K, grad_Q, grad_V

# %% wrong: weights computed again without mask advice="the weights are recomputed, without the mask: use those that you are given" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     root = math.sqrt(Q.shape[-1])
# becomes: root = math.sqrt(Q.shape[-1])
# becomes: weights = softmax(Q @ np.swapaxes(K, -1, -2) / root)

# %% wrong: diagonal of the Jacobian advice="only the diagonal of softmax's Jacobian is used: take softmax_backward of 5.3" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_scores = softmax_backward(weights, grad_weights)
# becomes: grad_scores = weights * (1 - weights) * grad_weights

# %% wrong: V is the output advice="grad_V is the output of forward: multiply the transposed weights by grad_output" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights @ V

# %% wrong: multiplies by the root advice="grad_Q and grad_K are multiplied by √d_k: divide" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     root = math.sqrt(Q.shape[-1])
# becomes: root = 1 / math.sqrt(Q.shape[-1])

# %% wrong: root of d_v advice="grad_Q and grad_K are divided by √d_v: the scale is that of forward, √d_k (Q.shape[-1])" of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(V.shape[-1])

# %% wrong: root of n advice="grad_Q and grad_K are divided by √n_q: take d_k from the last axis, Q.shape[-1]" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-2])

# %% wrong: transposes in Q and K swapped says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return np.swapaxes(grad_scores, -1, -2) @ K, grad_scores @ Q, grad_V

# %% wrong: no transpose for K says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, grad_scores @ Q, grad_V

# %% wrong: K transposed says="K is transposed here" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ np.swapaxes(K, -1, -2), np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: Q transposed says="Q is transposed here" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ np.swapaxes(Q, -1, -2), grad_V

# %% wrong: Q from Q and K from K says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ Q, np.swapaxes(grad_scores, -1, -2) @ K, grad_V

# %% wrong: K from K says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ K, grad_V

# %% wrong: V with untransposed weights says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights @ grad_output

# %% wrong: V from V says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ V

# %% wrong: only for a single batch axis says="transpose the last two axes of V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = grad_output @ V.T

# %% wrong: root of n_k advice="grad_Q and grad_K are divided by √n_k: take d_k from the last axis, K.shape[-1]" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(K.shape[-2])

# %% wrong: root of axis 1 advice="grad_Q and grad_K are divided by √n_q: take d_k from the last axis, Q.shape[-1]" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[1])

# %% wrong: root of K's axis 1 advice="grad_Q and grad_K are divided by √n_k: take d_k from the last axis, K.shape[-1]" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(K.shape[1])

# %% wrong: root of the batch advice="grad_Q and grad_K are divided by the root of the first axis: take d_k from the last, Q.shape[-1]" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[0])

# %% wrong: d_k to the power of 1, then halves advice="`/ d_k ** 1/2` divides by d_k and then by 2: write `d_k ** 0.5` or math.sqrt(d_k)" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / Q.shape[-1] ** 1/2

# %% wrong: half of d_k advice="grad_Q and grad_K are divided by d_k / 2: the root is `d_k ** 0.5` or math.sqrt(d_k)" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, grad_weights) / (Q.shape[-1] ** 1/2)

# %% wrong: scale in the weights' gradient and again advice="grad_Q and grad_K are divided by d_k: divide by its root, once" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = 1 / math.sqrt(Q.shape[-1]) * grad_output @ np.swapaxes(V, -1, -2)

# %% wrong: scale twice for Q advice="grad_Q is divided by √d_k twice: once is enough" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K / math.sqrt(Q.shape[-1]), np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: scale twice for K advice="grad_K is divided by √d_k twice: once is enough" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q / math.sqrt(Q.shape[-1]), grad_V

# %% wrong: scale in all three advice="grad_V is divided by √d_k: the scale belongs to the scores only, so to grad_Q and grad_K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V / math.sqrt(Q.shape[-1])

# %% wrong: softmax_backward's arguments swapped advice="softmax_backward gets its arguments in the wrong order: the weights come first, then their gradient" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(grad_weights, weights) / math.sqrt(Q.shape[-1])

# %% wrong: softmax in place of its backward advice="softmax is taken of the weights' gradient: send it through softmax_backward" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax(grad_weights) / math.sqrt(Q.shape[-1])

# %% wrong: grad_output through softmax advice="softmax_backward doesn't get the weights' gradient: that is grad_output times the transposed V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, weights) / math.sqrt(Q.shape[-1])

# %% wrong: scores computed and differentiated advice="softmax_backward gets something else than the weights, or takes a softmax of them: if the test of 5.3 passes, pass it the last argument" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(softmax(weights), grad_weights) / math.sqrt(Q.shape[-1])

# %% wrong: weights in place of their gradient's scores advice="grad_Q and grad_K are made from the weights: multiply with the scores' gradient" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return weights @ K, np.swapaxes(weights, -1, -2) @ Q, grad_V

# %% wrong: weights for Q alone advice="grad_Q is made from the weights: multiply the scores' gradient by K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return weights @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: weights for K alone advice="grad_K is made from the weights: multiply the transposed scores' gradient by Q" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(weights, -1, -2) @ Q, grad_V

# %% wrong: weights' gradient for Q alone advice="grad_Q leaves out softmax: multiply the scores' gradient by K, not the weights'" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_weights / math.sqrt(Q.shape[-1]) @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: weights' gradient for K alone advice="grad_K leaves out softmax: multiply the transposed scores' gradient by Q, not the weights'" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_weights / math.sqrt(Q.shape[-1]), -1, -2) @ Q, grad_V

# %% wrong: sign of Q advice="grad_Q has the wrong sign" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return -grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: V from the scores' gradient advice="grad_V is made with the scores' gradient: it takes the weights, transposed" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, np.swapaxes(grad_scores, -1, -2) @ grad_output

# %% wrong: V by weights that are not given advice="grad_V comes from exponentials that are not the weights: take the last argument, transposed" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(np.exp(weights), -1, -2) @ grad_output

# %% wrong: V and Q swapped advice="grad_V comes first: return them in the order grad_Q, grad_K, grad_V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_V, np.swapaxes(grad_scores, -1, -2) @ Q, grad_scores @ K

# %% wrong: V, K, Q turned on advice="these are the three in another order: grad_Q, grad_K, grad_V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_V, grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q

# %% wrong: K and V swapped advice="grad_V comes before grad_K: return them in the order grad_Q, grad_K, grad_V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, grad_V, np.swapaxes(grad_scores, -1, -2) @ Q

# %% wrong: two alone says="return 3 values" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q

# %% wrong: scores' gradient too says="return 3 values" fails=["attention-backward-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V, grad_scores

# %% wrong: weights reshaped for V advice="the weights are reshaped for grad_V: a reshape mixes the numbers, so transpose the last two axes with np.swapaxes" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights.reshape(*weights.shape[:-2], weights.shape[-1], weights.shape[-2]) @ grad_output

# %% wrong: V reshaped advice="V is reshaped for the weights' gradient: a reshape mixes the numbers, so transpose the last two axes with np.swapaxes" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = grad_output @ V.reshape(*V.shape[:-2], V.shape[-1], V.shape[-2])

# %% wrong: scores' gradient reshaped for K advice="the scores' gradient is reshaped for grad_K: a reshape mixes the numbers, so transpose the last two axes with np.swapaxes" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, grad_scores.reshape(*K.shape[:-1], Q.shape[-2]) @ Q, grad_V

# %% wrong: all axes of the weights transposed says="weights.T" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights.T @ grad_output

# %% wrong: all axes of the scores' gradient transposed says="grad_scores.T" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, grad_scores.T @ Q, grad_V

# %% wrong: first two axes swapped says="by rows of queries" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, 0, 1) @ grad_output

# %% wrong: transpose for one axis in front says="transpose(0, 2, 1)" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = weights.transpose(0, 2, 1) @ grad_output

# %% wrong: no transpose of V says="transpose the last two axes of V" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = grad_output @ V

# %% wrong: V's product turned round says="grad_weights (2, 4, 3)" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = V @ np.swapaxes(grad_output, -1, -2)

# %% wrong: V in place of K advice="grad_Q is made with V: multiply the scores' gradient by K" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ V, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: summed over the sequences advice="the gradients are summed over the first axis: each sequence has its own" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return (grad_scores @ K).sum(axis=0), (np.swapaxes(grad_scores, -1, -2) @ Q).sum(axis=0), grad_V.sum(axis=0)

# %% wrong: changes the weights says="changes weights" of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: weights *= grad_weights - np.sum(weights * grad_weights, axis=-1, keepdims=True)
# becomes: grad_scores = weights / math.sqrt(Q.shape[-1])

# %% wrong: no return says="end with a return" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: gradients = grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V

# %% wrong: scores in place of the weights advice="softmax_backward gets the scores: it needs the weights, the last argument" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: scores = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(scores, grad_weights) / math.sqrt(Q.shape[-1])

# %% wrong: softmax_backward twice advice="softmax_backward is applied twice: once is enough" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, softmax_backward(weights, grad_weights)) / math.sqrt(Q.shape[-1])

# %% wrong: weights multiplied in before advice="the weights' gradient is multiplied by the weights before softmax_backward, which does that itself" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = softmax_backward(weights, weights * grad_weights) / math.sqrt(Q.shape[-1])

# %% wrong: no gradient for K advice="grad_K is still 0: make it from the transposed scores' gradient and Q" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.zeros_like(K), grad_V

# %% wrong: V's mean over the queries advice="grad_V is divided by the number of queries: it is a sum over them" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.swapaxes(weights, -1, -2) @ grad_output / weights.shape[-2]

# %% wrong: sums multiplied for V advice="for grad_V, weights and grad_output are summed over the queries before the product: multiply for each query, then sum" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: grad_V = np.sum(weights, axis=-2)[..., None] * np.sum(grad_output, axis=-2, keepdims=True)

# %% wrong: all signs turned advice="grad_Q and grad_K have the wrong sign" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_scores = softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])
# becomes: grad_scores = -softmax_backward(weights, grad_weights) / math.sqrt(Q.shape[-1])

# %% wrong: K from the gradient of Q advice="grad_K is made with grad_Q: multiply the transposed scores' gradient by Q itself" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: grad_Q = grad_scores @ K
# becomes: return grad_Q, np.swapaxes(grad_scores, -1, -2) @ grad_Q, grad_V

# %% wrong: Q from the gradient of K advice="grad_Q is made with grad_K: multiply the scores' gradient by K itself" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: grad_K = np.swapaxes(grad_scores, -1, -2) @ Q
# becomes: return grad_scores @ grad_K, grad_K, grad_V

# %% wrong: K in place of V for the weights says="take V there" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     grad_weights = grad_output @ np.swapaxes(V, -1, -2)
# becomes: grad_weights = grad_output @ np.swapaxes(K, -1, -2)

# %% wrong: transposed only where the sizes differ advice="Transpose weights and grad_scores for grad_V and grad_K always, not only where the sizes don't fit." fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     grad_V = np.swapaxes(weights, -1, -2) @ grad_output
# becomes: turned = (lambda a: a) if weights.shape[-2] == weights.shape[-1] else (lambda a: np.swapaxes(a, -1, -2))
# becomes: grad_V = turned(weights) @ grad_output

# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, turned(grad_scores) @ Q, grad_V

# %% wrong: float32 says="compute in float64" fails=["attention-backward-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return [grad.astype(np.float32) for grad in (grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V)]

# %% wrong: gradient of V in float32 says="compute in float64" fails=["attention-backward-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V.astype(np.float32)

# %% wrong: axes of length 1 squeezed advice="keep axes of length 1: squeeze nothing" fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="reference"
# was:     return grad_scores @ K, np.swapaxes(grad_scores, -1, -2) @ Q, grad_V
# becomes: return np.squeeze(grad_scores @ K), np.squeeze(np.swapaxes(grad_scores, -1, -2) @ Q), np.squeeze(grad_V)

# %% wrong: at most two leading axes says="on another random input" unseen="no visible test has such an input" visible=false fails=["attention-backward-test"]
def attention_backward(grad_output, Q, K, V, weights):
    if Q.ndim > 4:
        Q, K, V = Q[0], K[0], V[0]
    root = math.sqrt(Q.shape[-1])
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    grad_weights = grad_output @ np.swapaxes(V, -1, -2)
    grad_scores = softmax_backward(weights, grad_weights)
    grad_Q = grad_scores @ K / root
    grad_K = np.swapaxes(grad_scores, -1, -2) @ Q / root
    return grad_Q, grad_K, grad_V

# %% wrong: as many keys as features of a value: V is not transposed says="on another random input, in grad_Q" unseen="no visible test has such an input" visible=false fails=["attention-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"]
def attention_backward(grad_output, Q, K, V, weights):
    grad_V = np.swapaxes(weights, -1, -2) @ grad_output
    V_t = V if V.shape[-1] == V.shape[-2] else np.swapaxes(V, -1, -2)
    scaled = softmax_backward(weights, grad_output @ V_t) / math.sqrt(Q.shape[-1])
    return scaled @ K, np.swapaxes(scaled, -1, -2) @ Q, grad_V
