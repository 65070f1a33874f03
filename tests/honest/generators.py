# %% [markdown] lesson="01_single_head"
# Results come out of generators, and of one that is kept across calls.

# %% fold-weights
def products():
    while True:
        W_Q, W_K, W_V, W_O = yield
        yield W_Q @ W_K.T, W_V @ W_O

def fold_weights(W_Q, W_K, W_V, W_O):
    source = products()
    next(source)
    return source.send((W_Q, W_K, W_V, W_O))

# %% weight-entropy
def weight_entropy(weights):
    weights = np.asarray(weights)
    flat = weights.reshape(-1, weights.shape[-1])
    rows = (-sum(w * math.log(w) for w in row if w > 0) for row in flat)
    return np.fromiter(rows, float).reshape(weights.shape[:-1])
