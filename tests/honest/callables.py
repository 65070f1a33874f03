# %% [markdown] lesson="01_single_head"
# Functions that are none: partial ones, methods, cached ones, objects with `__call__`, vectorised ones.

# %% softmax
import functools

class Softmax:
    """A softmax that counts its calls."""

    calls = 0

    def __call__(self, scores, axis=-1):
        Softmax.calls += 1
        powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)

softmax = Softmax()

# %% attention-scores
def contracted(subscripts, Q, K):
    return np.einsum(subscripts, Q, K)

attention_scores = functools.partial(contracted, "if,jf->ij")

# %% weight-entropy
part = np.vectorize(lambda w: -w * math.log(w) if w > 0 else 0.0, otypes=[float])

class Entropy:
    @staticmethod
    def rows(weights):
        return part(weights).sum(axis=-1)

weight_entropy = Entropy.rows

# %% previous-token-head
@functools.lru_cache(maxsize=None)
def previous_token_head(n):
    return 20 * np.sqrt(n) * np.eye(n, k=-1), np.eye(n)
