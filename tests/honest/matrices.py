# %% [markdown] lesson="01_single_head" loses=["attention-weights-test", "single-head-attention-test"] why="The `max` of NumPy's matrices takes no keepdims, wherever it is tried: later exercises of this notebook fail."
# NumPy's matrices, whose product is `*`.

# %% attention-scores
def attention_scores(Q, K):
    return np.matrix(Q) * np.matrix(K).T
