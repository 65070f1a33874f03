# %% [markdown] lesson="03_masked_multi_head"
# Own cells call what the checks cell defines: its check, its tables and its helper functions.

# %% after: masked-attention
returns("masked-attention", output="sequence query value", weights="sequence query key")
check("masked-attention", "without a mask", scaled_dot_product_attention, tiny_Q, tiny_K, tiny_V)
print(len(checks_text), passes_tests(scaled_dot_product_attention))

# %% check-attention
def check_attention(candidate):
    rng = np.random.default_rng(3)
    for sizes in [(3, 4, 6, 2, 5), (2, 6, 3, 5, 4), (2, 5, 5, 3, 4)]:
        Q, K, V = random_arrays(rng, *sizes)
        for factor in (1, 1e4):
            loud = Q.copy()
            loud[:, 1:] *= factor
            for mask in (None, *various_masks(rng, *sizes[1:3]), *various_masks(rng, *sizes[:3])):
                try:
                    with np.errstate(all="ignore"):
                        output, weights = candidate(loud, K, V, mask)
                        right = scaled_dot_product_attention(loud, K, V, mask)
                        check_numbers(output, right[0], "output", 1e-6)
                        check_numbers(weights, right[1], "weights", 1e-6)
                except Exception:
                    return False
    return True
