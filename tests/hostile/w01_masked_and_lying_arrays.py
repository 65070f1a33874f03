# %% [markdown] lesson="01_single_head" attacks=["softmax-test", "attention-scores-test", "attention-weights-test", "weight-entropy-test"]
# Arrays that hide their numbers under a mask, say that they are equal to everything, or call themselves close.

# %% before: softmax
class Agreeing(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        return np.True_

    def __array_function__(self, function, types, args, settings):
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


def hidden(shape):
    return np.ma.masked_all(shape)

# %% softmax
def softmax(scores, axis=-1):
    return hidden(scores.shape)

# %% attention-scores
def attention_scores(Q, K):
    return np.zeros((len(Q), len(K))).view(Agreeing)

# %% attention-weights
def attention_weights(Q, K):
    return hidden((len(Q), len(K)))

# %% weight-entropy
def weight_entropy(weights):
    return np.zeros(weights.shape[:-1]).view(Agreeing)
