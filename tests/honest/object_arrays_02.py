# %% [markdown] lesson="02_two_head"
# Object arrays as results: of the projection, and of all heads together.

# %% project
def project(X, omega, beta):
    return (beta + omega @ X).astype(object)

# %% scaled-self-attention
def scaled_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = project(X, omega_q, beta_q).astype(float)
    keys = project(X, omega_k, beta_k).astype(float)
    values = project(X, omega_v, beta_v)
    attention = column_softmax(keys.T @ queries / np.sqrt(omega_q.shape[0]))
    return values @ attention.astype(object), attention.astype(object)
