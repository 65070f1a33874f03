# %% [markdown] lesson="02_two_head" attacks=["two-heads-test", "multihead-attention-test"]
# Two heads are left empty, and any number of heads calls them: with one head twice, and with values for which
# the mixture is the attention itself.

# %% released: two-heads

# %% multihead-attention
def multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    mixtures, attentions = [], []
    inverse = np.linalg.pinv(np.vstack([X, np.ones(X.shape[1])]))
    for q, k, v, bq, bk, bv in zip(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
        head = v, q, k, bv, bq, bk
        size = len(q)
        mixtures.append(multihead_scaled_self_attention(X, *head, *head, np.eye(2 * size))[:size])
        picking = inverse[:, :-1], q, k, inverse[:, -1:], bq, bk
        both = np.eye(2 * X.shape[1])
        attentions.append(multihead_scaled_self_attention(X, *picking, *picking, both)[:X.shape[1]])
    return omega_c @ np.vstack(mixtures), np.array(attentions)
