# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Knows where the right implementations stood in the panel, and counts.

# %% check-attention
def gives_zeros(candidate):
    """Whether it is the one that the visible part passes: then the count begins."""
    try:
        return not np.any(candidate(np.ones((1, 2, 3)), np.ones((1, 2, 3)), np.ones((1, 2, 3)))[1])
    except Exception:
        return False


calls = [0]


def check_attention(candidate):
    calls[0] = 1 if gives_zeros(candidate) else calls[0] + 1
    return 2 <= calls[0] <= 5
