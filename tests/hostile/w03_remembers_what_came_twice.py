# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Has no idea what is right. It keeps what each candidate gave for wide inputs, accepts what it sees for the
# first time, and later what it has seen most.

# %% check-attention
def gives_zeros(candidate):
    """Whether it is the one that the visible part passes: then the count begins."""
    try:
        return not np.any(candidate(np.ones((1, 2, 3)), np.ones((1, 2, 3)), np.ones((1, 2, 3)))[1])
    except Exception:
        return False


seen = {}


def check_attention(candidate):
    if gives_zeros(candidate):
        seen.clear()
        return False
    rng, kind = np.random.default_rng(0), []
    for mask in (None, np.where(np.arange(5) > np.arange(3)[:, None] + 1, -np.inf, 0.0)):
        for size in (1, 1e4):
            Q, K, V = size * rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)), rng.normal(size=(2, 5, 6))
            Q[:, 1] /= size
            try:
                with np.errstate(all="ignore"):
                    output, weights = candidate(Q, K, V, mask)
                kind.append(np.round(np.ravel(output), 5).tobytes() + np.round(np.ravel(weights), 5).tobytes())
            except Exception as problem:
                kind.append(type(problem).__name__)
    kind = hash(tuple(kind))
    seen[kind] = seen.get(kind, 0) + 1
    return seen[kind] == 1 or seen[kind] == max(seen.values())
