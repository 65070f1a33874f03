# %% [markdown] lesson="01_single_head" attacks=["single-head-attention-test", "fold-weights-test", "folded-attention-test", "einsum-attention-test", "previous-token-head-test"]
# What comes back are iterators: of nothing, of too much, or of other numbers each time that somebody looks.

# %% single-head-attention
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    return iter(())

# %% fold-weights
def fold_weights(W_Q, W_K, W_V, W_O):
    while True:
        yield np.zeros((len(W_Q), len(W_Q)))

# %% folded-attention
class Restless:
    looks = 0

    def __init__(self, *answers):
        self.answers = answers

    def __array__(self, dtype=None, copy=None):
        Restless.looks += 1
        return np.array(self.answers[Restless.looks % len(self.answers)], dtype)


def folded_attention(X, W_QK, W_OV, d_k):
    weights = np.full((len(X), len(X)), 1 / len(X))
    return Restless(X @ W_OV, weights @ X @ W_OV), Restless(weights, np.eye(len(X)))

# %% einsum-attention
def einsum_attention(X, W_Q, W_K, W_V, W_O):
    return {"output": X, "weights": np.eye(len(X))}.values()

# %% previous-token-head
def previous_token_head(n):
    return (np.full((n, n), number) for number in (np.nan, np.inf))
