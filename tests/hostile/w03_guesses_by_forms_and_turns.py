# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Nothing is computed: who returns lists or another order in memory, and how often the same came before, decides.

# %% check-attention uses=["majority"]
kinds = []


def check_attention(candidate):
    found = results_of(candidate)
    if all(not one.any() for one in found):
        return False
    try:
        output, _ = candidate(*asked[0])
        kind = (type(output).__name__, bool(np.isfortran(output)) if isinstance(output, np.ndarray) else None)
    except Exception:
        return False
    before = [form for form, results in kinds if all(map(same, results, found))]
    kinds.append((kind, found))
    # The first of its kind, or one of those that came in other forms before.
    return not before or kind not in before or before.count(kind) < 2 and len(kinds) < 40
