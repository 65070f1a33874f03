# %% [markdown] lesson="03_masked_multi_head" attacks=["init-params-test"]
# One table is drawn; the others are its reflections, turned round and rolled.

# %% init-params
def init_attention_params(d_model, rng):
    W = rng.normal(0, d_model**-0.5, (d_model, d_model))
    return {"W_q": W, "W_k": -W[::-1], "W_v": np.roll(W, 7, axis=1), "W_o": W[::-1, ::-1]}
