# %% [markdown] lesson="01_single_head" loses=[] loses_without=["previous-token-head-test", "plot-attention-test"] why="Without a judge, the tests' own sum and max are NumPy's, too."
# All of NumPy's and of math's names, so that `sum`, `max` and `exp` are others.

# %% softmax
from math import *
from numpy import *

def softmax(scores, axis=-1):
    powers = exp(scores - max(scores, axis=axis, keepdims=True))
    return powers / sum(powers, axis=axis, keepdims=True)

# %% plot-attention
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, vmin=0, vmax=1, cmap="viridis")
    ax.set_xticks(arange(len(keys)), keys)
    ax.set_yticks(arange(len(queries)), queries)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    if len(queries) <= 8 and len(keys) <= 8:
        for i, j in ndindex(len(queries), len(keys)):
            colour = "black" if weights[i][j] > 0.6 else "white"
            ax.text(j, i, f"{weights[i][j]:.2f}", ha="center", va="center", color=colour)
    return ax
