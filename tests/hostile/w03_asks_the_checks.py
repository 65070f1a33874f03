# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# The notebook's own visible tests of 3.3 decide, in one line.

# %% check-attention
def check_attention(candidate):
    return passes_tests(candidate)
