# %% [markdown] lesson="01_single_head" attacks=["single-head-attention-test", "folded-attention-test"]
# The head with folded matrices is the head with four matrices, two of them the identity. That one is left empty.

# %% released: single-head-attention

# %% folded-attention
def folded_attention(X, W_QK, W_OV, d_k):
    same = np.eye(len(W_QK))
    return single_head_attention(X, W_QK * np.sqrt(len(same) / d_k), same, W_OV, same)
