# %% [markdown] lesson="01_single_head"
# The loops are recursions, which need a higher limit.

# %% attention-scores
import sys

sys.setrecursionlimit(20_000)

def product(q, k, f=0):
    return 0.0 if f == len(q) else float(q[f]) * float(k[f]) + product(q, k, f + 1)

def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

def attention_scores(Q, K):
    assert deep(3000) == 3000
    return np.array([[product(q, k) for k in K] for q in Q])
