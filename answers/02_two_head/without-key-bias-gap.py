# %% right: zero times the bias
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, 0 * beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% right: a copy filled with zeros, loops over entries
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    silent = beta_k.copy()
    silent[:] = 0
    before = multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)[0]
    after = multihead_attention(X, omega_q, omega_k, omega_v, beta_q, silent, beta_v, omega_c)[0]
    return max(abs(a - b) for row, other in zip(after, before) for a, b in zip(row, other))

# %% right: an own attention with einsum
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    def attend(bias):
        queries, keys, values = omega_q @ X + beta_q, omega_k @ X + bias, omega_v @ X + beta_v
        scores = np.einsum("him,hin->hmn", keys, queries) / np.sqrt(omega_q.shape[1])
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = shares / shares.sum(axis=1, keepdims=True)
        return omega_c @ np.einsum("him,hmn->hin", values, shares).reshape(X.shape)

    return np.max(np.abs(attend(beta_k) - attend(np.zeros(beta_k.shape))))

# %% right: arguments by name, infinity norm
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    rest = dict(omega_q=omega_q, omega_k=omega_k, omega_v=omega_v,
                beta_q=beta_q, beta_v=beta_v, omega_c=omega_c)
    results = [multihead_attention(X, beta_k=bias, **rest)[0]
               for bias in (beta_k, np.zeros_like(beta_k))]
    return np.linalg.norm(np.ravel(np.subtract(*results)), np.inf)

# %% wrong: query bias set to 0 says="you set β_q to 0"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, 0 * beta_q, beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: value bias set to 0 says="you set β_v to 0"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, 0 * beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: all biases set to 0 says="you set all three biases"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, 0 * beta_q, 0 * beta_k, 0 * beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: key weights set to 0 says="you set Ω_k to 0"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, 0 * omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: key weights and bias set to 0 says="you set Ω_k to 0"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, 0 * omega_k, omega_v, beta_q, 0 * beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: results not subtracted says="subtract the two results"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, 0 * beta_k, beta_v, omega_c)
    return float(np.abs(after).max())

# %% wrong: a difference for each token says="one number"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, 0 * beta_k, beta_v, omega_c)
    return (np.abs(after - before).max(axis=0))

# %% wrong: caller's bias set to 0 says="changed an array that it was given"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    beta_k[:] = 0
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: caller's bias multiplied in place says="changed an array that it was given"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    beta_k *= 0
    after, _ = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    return float(np.abs(after - before).max())

# %% wrong: pairs not unpacked says="inhomogeneous"
def without_key_bias_gap(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    before = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)
    after = multihead_attention(
        X, omega_q, omega_k, omega_v, beta_q, 0 * beta_k, beta_v, omega_c)
    return float(np.abs(np.array(after) - np.array(before)).max())
