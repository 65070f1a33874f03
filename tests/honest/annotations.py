# %% [markdown] lesson="01_single_head"
# Annotations that are not evaluated, of types that aren't there; unicode names; keyword-only and star arguments.

# %% softmax
from __future__ import annotations

from typing import TypeVar

T = TypeVar("T", bound="Tabelle")

def softmax(scores: Tabelle[float], axis: int | Achse = -1, *rest: NotThere, ε: float = 0.0, **sonst) -> T:
    größte = np.max(scores, axis=axis, keepdims=True)
    η = np.exp(scores - größte + ε)
    return η / (Σ := η.sum(axis=axis, keepdims=True))

# %% attention-scores
def attention_scores(*QK):
    Q, K, *_ = QK
    return Q @ K.T

# %% single-head-attention
def single_head_attention(X, /, *weights, **named):
    W_Q, W_K, W_V, W_O = *weights, *named.values()
    α = attention_weights(X @ W_Q, X @ W_K)
    return α @ X @ W_V @ W_O, α
