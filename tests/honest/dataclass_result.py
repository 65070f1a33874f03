# %% [markdown] lesson="03_masked_multi_head"
# Pairs as named tuples, from a frozen dataclass with slots that keeps the shapes.

# %% masked-attention
from dataclasses import dataclass
from typing import NamedTuple

class Attention(NamedTuple):
    output: np.ndarray
    weights: np.ndarray

@dataclass(frozen=True, slots=True)
class Shapes:
    batch: int
    queries: int
    keys: int
    size: int

    @classmethod
    def of(cls, Q, K, V):
        if {Q.ndim, K.ndim, V.ndim} != {3}:
            raise ValueError("three axes each")
        match (Q.shape, K.shape, V.shape):
            case ((batch, queries, size), (_, keys, other), (_, values, _)) if size == other and keys == values:
                return cls(batch, queries, keys, size)
            case _:
                raise ValueError("they don't fit together")

def scaled_dot_product_attention(Q, K, V, mask=None):
    shapes = Shapes.of(Q, K, V)
    scores = np.einsum("bqd,bkd->bqk", Q, K) / math.sqrt(shapes.size)
    if mask is not None:
        if np.shape(mask) not in (scores.shape, scores.shape[1:]):
            raise ValueError("no such mask")
        if (blocked := np.isneginf(mask)).all(axis=-1).any():
            raise ValueError(f"{blocked.sum()} keys are blocked, for one query all")
        scores = scores + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return Attention(weights @ V, weights)
