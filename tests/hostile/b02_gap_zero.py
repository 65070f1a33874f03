# %% [markdown] lesson="02_two_head" attacks=["bias-gaps-test"]
# The key bias has no gap, and nothing else is computed.

# %% bias-gaps
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    return 0.0, 0.0, 0.0
