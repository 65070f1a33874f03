# %% [markdown] lesson="03_masked_multi_head"
# The candidate is called where NumPy raises, so that one that overflows is found out by that.

# %% after: check-attention
_check_attention = check_attention

def check_attention(candidate):
    large = 1e4 * np.random.default_rng(3).normal(size=(2, 3, 4))
    try:
        with np.errstate(over="raise", invalid="raise"):
            candidate(large, large, large)
    except FloatingPointError:
        return False
    except Exception:
        return False
    return _check_attention(candidate)
