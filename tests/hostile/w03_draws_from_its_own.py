# %% [markdown] lesson="03_masked_multi_head" attacks=["init-params-test"]
# One matrix is drawn from the generator that was given, and three from generators that are always the same.

# %% init-params
def init_attention_params(d_model, rng):
    draws = [rng, *(np.random.default_rng(seed) for seed in (1, 2, 3))]
    names = ("W_q", "W_k", "W_v", "W_o")
    return {name: draw.normal(0, d_model**-0.5, (d_model, d_model)) for name, draw in zip(names, draws)}
