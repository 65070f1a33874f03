# %% [markdown] lesson="03_masked_multi_head" attacks=["masked-attention-values-test", "masked-attention-mask-test", "masked-attention-errors-test", "repaired-attention-weights-test", "repaired-attention-mask-test"]
# Masked attention is left empty, and the repaired function calls it.

# %% released: masked-attention

# %% repaired-attention
def repaired_attention(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)
