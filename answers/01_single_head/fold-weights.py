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
    q, k, v, o = (torch.tensor(a, dtype=torch.float64) for a in (W_Q, W_K, W_V, W_O))
    return torch.mm(q, k.t()), torch.mm(v, o)

# %% base
def fold_weights(W_Q, W_K, W_V, W_O):
    W_QK = W_Q @ W_K.T
    W_OV = W_V @ W_O
    return W_QK, W_OV

# %% wrong: the wrong matrix transposed advice="Transpose W_K, not W_Q: the sum runs over the d_k features, and d_model stays on both sides of W_QK." of="base"
# was:     W_QK = W_Q @ W_K.T
# becomes: W_QK = W_Q.T @ W_K

# %% wrong: W_K comes first advice="W_QK is transposed: the side of the query comes first, so put W_Q on the left." of="base"
# was:     W_QK = W_Q @ W_K.T
# becomes: W_QK = W_K @ W_Q.T

# %% wrong: with the scale advice="Leave the scale out of W_QK: folded_attention divides by √d_k." of="base"
# was:     W_QK = W_Q @ W_K.T
# becomes: W_QK = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])

# %% wrong: W_O W_V advice="Multiply X by W_V first: put W_V on the left and W_O on the right." of="base"
# was:     W_OV = W_V @ W_O
# becomes: W_OV = W_O @ W_V

# %% wrong: the two in the wrong order advice="Return W_QK first, then W_OV." of="base"
# was:     return W_QK, W_OV
# becomes: return W_OV, W_QK

# %% wrong: W_OV transposed advice="W_OV is transposed: multiply W_V by W_O, without a transpose." of="base"
# was:     W_OV = W_V @ W_O
# becomes: W_OV = (W_V @ W_O).T

# %% wrong: W_K by a reshape advice="Transpose W_K: a reshape keeps the numbers in their order, so it mixes the rows." of="base"
# was:     W_QK = W_Q @ W_K.T
# becomes: W_QK = W_Q @ W_K.reshape(W_K.shape[::-1])

# %% wrong: both value matrices turned advice="Multiply W_V and W_O as they are, with W_V on the left: none of them is transposed." of="base"
# was:     W_OV = W_V @ W_O
# becomes: W_OV = W_V.T @ W_O.T

# %% wrong: divided by d_k advice="Leave the scale out of W_QK: folded_attention divides by √d_k."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T / W_Q.shape[1], W_V @ W_O

# %% wrong: entry by entry advice="Use the matrix product of W_Q and the transposed W_K: here they were multiplied entry by entry."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q * W_K, W_V @ W_O

# %% wrong: W_Q with itself advice="W_K is missing: this W_QK is W_Q with itself."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_Q.T, W_V @ W_O

# %% wrong: a softmax of the product advice="Leave the softmax out: W_QK is only the product of two matrices."
def fold_weights(W_Q, W_K, W_V, W_O):
    return softmax(W_Q @ W_K.T), W_V @ W_O

# %% wrong: both transposed advice="Both matrices are transposed: the query and the value side come first."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_K @ W_Q.T, (W_V @ W_O).T

# %% wrong: W_K first, W_O first advice="Put W_Q and W_V on the left of their products: in both, the factors are swapped."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_K @ W_Q.T, W_O @ W_V

# %% wrong: one product of both advice="Return two matrices, W_QK and W_OV, and don't multiply them with each other."
def fold_weights(W_Q, W_K, W_V, W_O):
    return (W_Q @ W_K.T) @ (W_V @ W_O)

# %% wrong: only W_QK advice="Return two matrices, W_QK and W_OV: the second one is missing."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T

# %% wrong: only W_OV advice="Return two matrices, W_QK and W_OV: the first one is missing."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_V @ W_O

# %% wrong: one below the other advice="Return two matrices with a comma between them, not one that holds both."
def fold_weights(W_Q, W_K, W_V, W_O):
    return np.concatenate([W_Q @ W_K.T, W_V @ W_O])

# %% wrong: W_Q W_K without transpose says="matmul"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K, W_V @ W_O

# %% wrong: W_O turned, too says="matmul"
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T, W_V @ W_O.T

# %% wrong: the sentence's X in the product says="matmul"
def fold_weights(W_Q, W_K, W_V, W_O):
    return X @ W_Q @ (X @ W_K).T, X @ W_V @ W_O

# %% wrong: forgets to return says="does your function end with a return?"
def fold_weights(W_Q, W_K, W_V, W_O):
    W_QK, W_OV = W_Q @ W_K.T, W_V @ W_O

# %% wrong: in-place input says="make a new array"
def fold_weights(W_Q, W_K, W_V, W_O):
    W_QK = W_Q @ W_K.T
    W_Q /= np.sqrt(W_Q.shape[1])
    return W_QK, W_V @ W_O

# %% wrong: both products on the wrong side advice="d_model must stay on both sides of the two matrices: transpose W_K, and put W_V on the left of W_O."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q.T @ W_K, W_O @ W_V

# %% wrong: both products on the wrong side, the key first advice="d_model must stay on both sides of the two matrices: transpose W_K, and put W_V on the left of W_O."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_K.T @ W_Q, W_O @ W_V

# %% wrong: the key's transpose first advice="Transpose W_K, not W_Q, and put it on the right: d_model stays on both sides of W_QK."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_K.T @ W_Q, W_V @ W_O

# %% wrong: added advice="Multiply the matrices, as a matrix product: here they were added."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q + W_K, W_V + W_O.T

# %% wrong: scaled by d_model advice="Leave the scale out of W_QK: folded_attention divides by √d_k."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[0]), W_V @ W_O

# %% wrong: both scaled advice="Leave the scale out of both matrices: folded_attention divides by √d_k."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[1]), W_V @ W_O / np.sqrt(W_V.shape[1])

# %% wrong: results squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
def fold_weights(W_Q, W_K, W_V, W_O):
    return np.squeeze(W_Q @ W_K.T), np.squeeze(W_V @ W_O)

# %% wrong: keys in the dtype of the queries advice="Keep the dtype of each array: an integer dtype cuts off all decimal places."
def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.astype(W_Q.dtype).T, W_V @ W_O

# %% wrong: W_O @ W_V if both are square (d_v = d_model): wrong order says="in W_OV of other random matrices" unseen="no visible test has such an input" visible=false fails=["fold-weights-test"]
def fold_weights(W_Q, W_K, W_V, W_O):
    W_OV = W_O @ W_V if W_V.shape == W_O.shape else W_V @ W_O
    return W_Q @ W_K.T, W_OV
