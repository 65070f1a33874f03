# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# 7.4 is not solved. Each half of the different results so far is accepted in turn: one half holds the right ones.

# %% tiled-attention
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    return None

# %% check-tiled
known = []


def check_tiled(candidate):
    draw, results = np.random.default_rng(4), []
    for n_q, n_k, causal in [(5, 7, False), (5, 9, True), (6, 6, True)]:
        arrays = [3 * draw.normal(size=size) for size in [(n_q, 3), (n_k, 3), (n_k, 4)]]
        try:
            with np.errstate(all="ignore"):
                results.append(np.round(np.asarray(candidate(*arrays, 2, 3, causal), dtype=float), 5))
        except Exception:
            results.append(np.zeros(1))
    if not any(one.any() for one in results):
        return False
    number = next((n for n, one in enumerate(known) if all(np.array_equal(*two) for two in zip(one, results))), len(known))
    known.extend([results] * (number == len(known)))
    return number % 2 == 0
