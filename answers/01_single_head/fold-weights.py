# %% right: einsum
def fold_weights(W_Q, W_K, W_V, W_O):
    return np.einsum("ak,bk->ab", W_Q, W_K), np.einsum("av,vb->ab", W_V, W_O)

# %% right: loops over rows
def fold_weights(W_Q, W_K, W_V, W_O):
    W_QK = [[sum(q * k) for k in W_K] for q in W_Q]
    W_OV = [[sum(v * o) for o in W_O.T] for v in W_V]
    return W_QK, W_OV

# %% right: torch
import torch


def fold_weights(W_Q, W_K, W_V, W_O):
    q, k, v, o = map(torch.from_numpy, (W_Q, W_K, W_V, W_O))
    return torch.mm(q, k.t()), torch.mm(v, o)

# %% wrong: W_Q W_K without transpose says="W_Q W_K without a transpose"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K, W_V @ W_O

# %% wrong: the wrong matrix transposed says="the wrong matrix is transposed"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q.T @ W_K, W_V @ W_O

# %% wrong: W_K comes first says="W_QK is transposed"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_K @ W_Q.T, W_V @ W_O

# %% wrong: with the scale says="the scale is already in W_QK"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[1]), W_V @ W_O

# %% wrong: W_O W_V says="this is W_O W_V"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T, W_O @ W_V

# %% wrong: W_OV transposed says="W_OV is transposed"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T, (W_V @ W_O).T

# %% wrong: the two in the wrong order says="return W_QK first"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_V @ W_O, W_Q @ W_K.T
