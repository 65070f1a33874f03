# %% right: einsum
def attention_scores(Q, K):
    return np.einsum("qf,kf->qk", Q, K)

# %% right: inner product
def attention_scores(Q, K):
    return np.inner(Q, K)

# %% right: torch
import torch


def attention_scores(Q, K):
    return (torch.from_numpy(Q) @ torch.from_numpy(K).mT).numpy()

# %% right: broadcast and sum
def attention_scores(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(axis=2)

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

# %% wrong: reshape in place of a transpose advice="Turn K by a transpose: a reshape keeps the numbers in their order, so that each key is torn apart." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
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

# %% wrong: each query with the key of its own number advice="Let every query meet every key: this holds one number for each query." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    n = min(len(Q), len(K))
    return (Q[:n] * K[:n]).sum(axis=1)

# %% wrong: einsum adds up the keys advice="Keep the letters of both the query and the key on the right of the arrow: what came back is added up over the keys." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.einsum("if,jf->i", Q, K)

# %% wrong: einsum adds up nothing advice="Sum over the features: leave their letter out on the right of the arrow, or add up along the last axis." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
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

# %% wrong: in-place input says="an input was changed" fails=["attention-scores-test", "attention-weights-test"]
def attention_scores(Q, K):
    scores = Q @ K.T
    Q *= 0
    return scores

# %% wrong: all in one number advice="Keep a place for each query with each key: here all scores were added up to one number." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.sum(Q @ K.T)

# %% wrong: added up over the keys, not over the features advice="Sum over the features, the last axis: here the sum runs over the keys." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return (Q[:, None] * K[None]).sum(axis=1)

# %% wrong: added up over the queries, not over the features advice="Sum over the features, the last axis: here the sum runs over the queries." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return (Q[:, None] * K[None]).sum(axis=0)

# %% wrong: every number with every number advice="Use the matrix product: np.outer multiplies every number with every number, and adds up nothing." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.outer(Q, K)

# %% wrong: the absolute values advice="Keep the signs: a negative score says that query and key point away from each other." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(Q, K):
    return np.abs(Q @ K.T)

# %% wrong: the notebook's Q and K advice="Six tokens came back, those of the sentence: use your function's own arguments." fails=["attention-scores-test", "attention-weights-test", "single-head-attention-test"]
def attention_scores(queries, keys):
    return Q @ K.T
