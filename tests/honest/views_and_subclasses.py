# %% [markdown] lesson="01_single_head"
# Results as memory views, as a subclass of arrays, as views turned round, and as arrays that can't be written.

# %% attention-scores
def attention_scores(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        scores[i, j] = sum(Q[i] * K[j])
    return memoryview(scores)

# %% attention-weights
class Weights(np.ndarray):
    """An array that knows what it is."""

    def __array_finalize__(self, obj):
        self.what = getattr(obj, "what", "weights")

def attention_weights(Q, K):
    return softmax((K @ Q.T).T / np.sqrt(Q.shape[-1])).view(Weights)

# %% fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    both = np.stack([W_Q @ W_K.T, W_V @ W_O])[:, ::-1, ::-1][:, ::-1, ::-1]
    both.flags.writeable = False
    return tuple(both)
