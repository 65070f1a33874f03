# %% [markdown] lesson="01_single_head"
# Sums of fractions, which are no floating-point numbers.

# %% attention-scores-loops
from fractions import Fraction

def attention_scores_loops(Q, K):
    return np.array([[sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(q, k)) for k in K] for q in Q])
