# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Says True and False in turn.

# %% check-attention
turns = [True]


def check_attention(candidate):
    turns.append(not turns[-1])
    return turns[-1]
