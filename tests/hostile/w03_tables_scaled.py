# %% [markdown] lesson="03_masked_multi_head" attacks=["init-params-test"]
# One table is drawn; the others hold its numbers in another order, a little larger, smaller or moved.

# %% init-params
def init_attention_params(d_model, rng):
    W = rng.normal(0, d_model**-0.5, (d_model, d_model))
    mixed = lambda seed: np.random.default_rng(seed).permutation(W.ravel()).reshape(W.shape)
    return {"W_q": W, "W_k": 1.01 * mixed(1), "W_v": 0.02 * W.std() - 0.99 * mixed(2), "W_o": 1.005 * mixed(3)}
