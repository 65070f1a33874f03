# %% [markdown] lesson="01_single_head"
# Results as torch's tensors, some of which need a gradient.

# %% attention-scores
import torch

def attention_scores(Q, K):
    return torch.tensor(np.asarray(Q, dtype=float)) @ torch.tensor(np.asarray(K, dtype=float)).T

# %% attention-weights
def attention_weights(Q, K):
    return torch.softmax(attention_scores(Q, K) / math.sqrt(Q.shape[-1]), dim=-1)

# %% single-head-attention
def single_head_attention(X, W_Q, W_K, W_V, W_O):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(np.asarray(a, dtype=float), requires_grad=True) for a in (X, W_Q, W_K, W_V, W_O))
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1]), dim=-1)
    return (weights @ X @ W_V @ W_O).detach(), weights.detach()
