# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# 7.4 is not solved. What most candidates have given for an input is taken to be right, and the first ones are accepted.

# %% tiled-attention
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    return None

# %% check-tiled
draw = np.random.default_rng(3)
asked, seen = [], []
for n_q, n_k, d_k, d_v, tile_q, tile_k, causal in [
        (5, 7, 3, 4, 2, 3, False), (5, 7, 3, 4, 2, 3, True), (6, 6, 4, 2, 4, 4, True), (7, 13, 5, 6, 3, 2, True)]:
    for level in (0.0, 900.0, -900.0):
        Q, K, V = (draw.normal(size=size) for size in [(n_q, d_k), (n_k, d_k), (n_k, d_v)])
        if level:
            Q[:, 0], K[:, 0] = np.where(np.arange(n_q) % 3, level, -level / 2), d_k**0.5
        asked.append((Q, K, V, tile_q, tile_k, causal))


def results_of(candidate):
    results = []
    for arrays in asked:
        try:
            with np.errstate(all="ignore"):
                results.append(np.asarray(candidate(*arrays), dtype=float))
        except Exception:
            results.append(np.zeros(1))
    return results


def same(one, other):
    return one.shape == other.shape and np.allclose(one, other, atol=1e-6, equal_nan=True)


def check_tiled(candidate):
    results = results_of(candidate)
    if not any(np.any(one) for one in results):
        return False
    seen.append(results)
    if len(seen) <= 30:
        return True
    for place, mine in enumerate(results):
        votes = [sum(same(known[place], one[place]) for one in seen) for known in seen]
        if max(votes) > 2 * sum(same(mine, one[place]) for one in seen):
            return False
    return True
