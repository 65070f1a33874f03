# %% [markdown] lesson="01_single_head"
# Sums of fractions, which are no floating-point numbers.

# %% attention-scores
from fractions import Fraction

def attention_scores(Q, K):
    return np.array([[sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(q, k)) for k in K] for q in Q])

# %% attention-weights
def attention_weights(Q, K):
    return softmax(attention_scores(Q, K).astype(float) / Q.shape[-1] ** 0.5)
