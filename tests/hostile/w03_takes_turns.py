# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Says True and False in turn.

# %% check-attention
def gives_zeros(candidate):
    """Whether it is the one that the visible part passes: then the count begins."""
    try:
        return not np.any(candidate(np.ones((1, 2, 3)), np.ones((1, 2, 3)), np.ones((1, 2, 3)))[1])
    except Exception:
        return False


turns = [False]


def check_attention(candidate):
    turns.append(False if gives_zeros(candidate) else not turns[-1])
    return turns[-1]
