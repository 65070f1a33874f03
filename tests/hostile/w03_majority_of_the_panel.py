# %% [markdown] lesson="03_masked_multi_head" attacks=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
# Nothing is computed: what most candidates have given so far for an input is taken to be right.

# %% check-attention
seen = []
draw = np.random.default_rng(5)
asked = []
for batch, q, k, d, v in [(3, 4, 6, 2, 5), (2, 6, 3, 5, 4), (2, 5, 5, 3, 4), (2, 3, 4, 2, 5)]:
    for size in (1, 1e4):
        arrays = [draw.normal(size=(batch, *s)) for s in [(q, d), (k, d), (k, v)]]
        arrays[0][:, 1:] *= size
        boxed = np.where(draw.random(size=(batch, q, k)) < 0.5, -np.inf, 0)
        boxed[..., 1] = 0
        asked += [(*arrays, mask) for mask in (None, boxed[1], boxed)]


def results_of(candidate):
    found = []
    for arrays in asked:
        try:
            with np.errstate(all="ignore"):
                output, weights = candidate(*arrays)
            found.append(np.concatenate([np.ravel(output), np.ravel(weights)]).astype(float))
        except Exception:
            found.append(np.zeros(1))
    return found


def same(one, other):
    return one.shape == other.shape and np.allclose(one, other, atol=1e-6, equal_nan=True)


def check_attention(candidate):
    found = results_of(candidate)
    if all(not one.any() for one in found):
        return False
    # Candidates with the same results for all inputs count once.
    if not any(all(map(same, found, known)) for known in seen):
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
