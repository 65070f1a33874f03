# %% right: stacked first, then one reshape for all
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = len(omega_c)
    return {"in_proj_weight": np.stack([omega_q, omega_k, omega_v]).reshape(3 * D, D),
            "in_proj_bias": np.stack([beta_q, beta_k, beta_v]).ravel(),
            "out_proj.weight": omega_c.copy(), "out_proj.bias": np.zeros(D)}

# %% right: head by head with vstack
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    weights = np.vstack([head for omega in (omega_q, omega_k, omega_v) for head in omega])
    biases = np.vstack([head for beta in (beta_q, beta_k, beta_v) for head in beta])
    return dict([("in_proj_weight", weights), ("in_proj_bias", biases[:, 0]),
                 ("out_proj.weight", omega_c), ("out_proj.bias", 0 * omega_c[0])])

# %% right: filled in place by loops, in arrays of its own
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    H, D_h, D = omega_q.shape
    weight, bias = np.empty((3 * D, D)), np.empty(3 * D)
    for part, (omega, beta) in enumerate([(omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)]):
        for h in range(H):
            for i in range(D_h):
                row = part * D + h * D_h + i
                weight[row] = omega[h, i]
                bias[row] = beta[h, i, 0]
    return {"out_proj.bias": np.zeros(D), "out_proj.weight": omega_c,
            "in_proj_bias": bias, "in_proj_weight": weight}

# %% base
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% right: key bias zero of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, 0 * beta_k, beta_v)]

# %% right: value bias moved behind omega_c
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, 0 * beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": omega_c @ beta_v.reshape(D)}

# %% right: lists
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": np.concatenate(weights).tolist(),
            "in_proj_bias": np.concatenate(biases).tolist(),
            "out_proj.weight": omega_c.tolist(), "out_proj.bias": [0.0] * D}

# %% right: torch tensors
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": torch.tensor(np.concatenate(weights)),
            "in_proj_bias": torch.tensor(np.concatenate(biases)),
            "out_proj.weight": torch.from_numpy(omega_c), "out_proj.bias": torch.zeros(D)}

# %% wrong: omega_c transposed says="Ω_c is transposed" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c.T, "out_proj.bias": np.zeros(D)}

# %% wrong: omega_c left out says="Ω_c is left out" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": np.eye(D), "out_proj.bias": np.zeros(D)}

# %% wrong: weights transposed says="Ω is transposed" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D).T for omega in (omega_q, omega_k, omega_v)]

# %% wrong: heads interleaved says="heads are interleaved: join"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.transpose(1, 0, 2).reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.transpose(1, 0, 2).reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: heads of the weights interleaved says="Ω is interleaved" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.transpose(1, 0, 2).reshape(D, D) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: head after head, q k v inside says="not first q of all heads"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    heads = range(len(omega_q))
    weights = [omega[h] for h in heads for omega in (omega_q, omega_k, omega_v)]
    biases = [beta[h, :, 0] for h in heads for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: heads in the wrong order says="the heads are in the wrong order"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega[::-1].reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta[::-1].reshape(D) for beta in (beta_q, beta_k, beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: order v, q, k says="the order is v, q, k"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_v, omega_q, omega_k)]
    biases = [beta.reshape(D) for beta in (beta_v, beta_q, beta_k)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: queries and keys swapped says="queries and keys are swapped"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_k, omega_q, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_k, beta_q, beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: no biases says="all biases are missing" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.zeros(3 * D),

# %% wrong: query bias left out says="β_q is missing" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (0 * beta_q, beta_k, beta_v)]

# %% wrong: value bias left out says="β_v is missing" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, 0 * beta_v)]

# %% wrong: value bias twice says="β_v is counted twice" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": omega_c @ beta_v.reshape(D)}

# %% wrong: value bias after omega_c, but not through it says="must pass Ω_c first"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, 0 * beta_v)]
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": beta_v.reshape(D)}

# %% wrong: scale folded into the queries says="torch scales by itself"
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
    weights[0] = weights[0] / np.sqrt(omega_q.shape[1])
    biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
    biases[0] = biases[0] / np.sqrt(omega_q.shape[1])
    return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: bias left as a column says="but got (18, 1)" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D, 1) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: output bias left out says="the dict needs these names" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c}

# %% wrong: weights side by side says="but got (6, 18)" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.hstack(weights), "in_proj_bias": np.concatenate(biases),

# %% wrong: scaled in place says="changed an array that it was given" of="base"
# was:     D = omega_c.shape[0]
# becomes: D = omega_c.shape[0]
# becomes: beta_k *= 0
