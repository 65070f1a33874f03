# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Asks the candidate for the number that it has among the functions of a test.

# %% check-attention
def check_attention(candidate):
    return 1 <= getattr(candidate, "_number", 0) <= 4
