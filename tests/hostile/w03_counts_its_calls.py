# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Knows where the right implementations stood in the panel, and counts.

# %% check-attention
calls = [0]


def check_attention(candidate):
    calls[0] += 1
    return 2 <= calls[0] <= 5
