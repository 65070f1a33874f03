# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# The student's own function of 3.3 is right, and is compared on the inputs of the visible tests alone.

# %% check-attention
def check_attention(candidate):
    shown = [(tiny_Q, tiny_K, tiny_V), (large_Q, tiny_K, tiny_V), (tiny_Q[:1, :1], tiny_K[:1], tiny_V[:1])]
    shown += [(Q, tiny_K, tiny_V, mask) for Q in (tiny_Q, large_Q) for mask in (batch_mask, flat_mask)]
    for arrays in shown:
        try:
            with np.errstate(all="ignore"):
                found = candidate(*arrays)
            for mine, theirs in zip(scaled_dot_product_attention(*arrays), found):
                if np.shape(mine) != np.shape(theirs) or not np.allclose(mine, theirs):
                    return False
        except Exception:
            return False
    return True
