# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Nothing is computed: most candidates decide, and each call counts, also of one that came before.

# %% check-attention uses=["majority"]
def check_attention(candidate):
    found = results_of(candidate)
    if all(not one.any() for one in found):
        return False
    seen.append(found)
    for place, mine in enumerate(found):
        groups = []
        for known in seen:
            group = next((one for one in groups if same(one[0], known[place])), None)
            group.append(1) if group else groups.append([known[place], 1])
        sizes = [(len(group) - 1, same(group[0], mine)) for group in groups]
        most = max(size for size, _ in sizes)
        if most >= 3 and most > 2 * sum(size for size, own in sizes if own):
            return False
    return True
