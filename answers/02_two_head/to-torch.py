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

# %% wrong: omega_c transposed advice="Ω_c is transposed: torch transposes out_proj.weight itself, so give it Ω_c as it is" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c.T, "out_proj.bias": np.zeros(D)}

# %% wrong: weights transposed advice="each Ω is transposed: torch transposes in_proj_weight itself, so put the heads, and then q, k and v, below each other as they are" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D).T for omega in (omega_q, omega_k, omega_v)]

# %% wrong: heads interleaved advice="the heads are interleaved: join head by head, as reshape does, in the weights and biases alike" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.transpose(1, 0, 2).reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: biases = [beta.transpose(1, 0, 2).reshape(D) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: weights in the order v, q, k advice="the weights are in the order v, q, k: torch wants q, k, v, as in the biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_v, omega_q, omega_k)]

# %% wrong: biases in the order v, q, k advice="the biases are in the order v, q, k: torch wants q, k, v, as in the weights" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_v, beta_q, beta_k)]

# %% wrong: order v, q, k advice="the order is v, q, k here: torch wants q, k, v, in the weights and biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_v, omega_q, omega_k)]
# becomes: biases = [beta.reshape(D) for beta in (beta_v, beta_q, beta_k)]

# %% wrong: value bias twice advice="β_v is counted twice: it is in in_proj_bias, and in out_proj.bias, which should be 0" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": omega_c @ beta_v.reshape(D)}

# %% wrong: no biases advice="in_proj_bias is 0: it takes beta_q, beta_k, beta_v" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.zeros(3 * D),

# %% wrong: head after head, q k v inside advice="first q of all heads, then k, then v: here each head's q, k and v come together, in the weights and biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega[h] for h in range(len(omega_q)) for omega in (omega_q, omega_k, omega_v)]
# becomes: biases = [beta[h, :, 0] for h in range(len(omega_q)) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: heads in the wrong order advice="the heads are in the wrong order: head 0 first" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega[::-1].reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: biases = [beta[::-1].reshape(D) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: value bias left out advice="β_v has no effect: it belongs, once, into the last third of in_proj_bias" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, 0 * beta_v)]

# %% wrong: scale folded into the query weights advice="torch scales by itself: leave the query weights undivided" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights[0] = weights[0] / np.sqrt(omega_q.shape[1])

# %% wrong: omega_c left out advice="out_proj.weight does not mix: it is Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": np.eye(D), "out_proj.bias": np.zeros(D)}

# %% wrong: omega_c replaced by zeros advice="out_proj.weight is 0: it is Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": np.zeros((D, D)), "out_proj.bias": np.zeros(D)}

# %% wrong: all weights transposed advice="each Ω is transposed: torch transposes in_proj_weight itself, so put the heads, and then q, k and v, below each other as they are" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D).T for omega in (omega_q, omega_k, omega_v)]

# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c.T, "out_proj.bias": np.zeros(D)}

# %% wrong: each head's weights transposed advice="each head's Ω is transposed before the heads are joined: leave it as it is" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.transpose(0, 2, 1).reshape(D, D) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: heads beside each other, then transposed advice="each Ω is transposed: torch transposes in_proj_weight itself, so put the heads, and then q, k and v, below each other as they are" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [np.hstack([head.T for head in omega]) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: heads of the weights interleaved advice="the heads of the weights are interleaved, those of the biases are not: join both head by head" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.transpose(1, 0, 2).reshape(D, D) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: heads of the biases interleaved advice="the heads of the biases are interleaved: join them head by head, as the weights" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.transpose(1, 0, 2).reshape(D) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: head after head in the weights advice="first q of all heads, then k, then v: here each head's q, k and v come together in the weights" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega[h] for h in range(len(omega_q)) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: head after head in the biases advice="first q of all heads, then k, then v: here each head's q, k and v come together in the biases" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta[h, :, 0] for h in range(len(omega_q)) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: heads of the weights in the wrong order advice="the heads of the weights are in the wrong order: head 0 first" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega[::-1].reshape(D, D) for omega in (omega_q, omega_k, omega_v)]

# %% wrong: order q, v, k advice="keys and values are swapped: the order is q, k, v, in the weights and biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_v, omega_k)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_v, beta_k)]

# %% wrong: weights in the order q, v, k advice="keys and values are swapped in the weights: the order is q, k, v" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_v, omega_k)]

# %% wrong: biases in the order q, v, k advice="in_proj_bias holds beta_k in place of the values': the order is q, k, v" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_v, beta_k)]

# %% wrong: biases in the order v, k, q advice="the biases are in the order v, k, q: torch wants q, k, v" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_v, beta_k, beta_q)]

# %% wrong: order v, k, q advice="the order is reversed, v, k, q: torch wants q, k, v, in the weights and biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_v, omega_k, omega_q)]
# becomes: biases = [beta.reshape(D) for beta in (beta_v, beta_k, beta_q)]

# %% wrong: weights in the order v, k, q advice="the weights are in the order v, k, q: torch wants q, k, v" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_v, omega_k, omega_q)]

# %% wrong: queries and keys swapped advice="queries and keys are swapped: the order is q, k, v, in the weights and biases" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_k, omega_q, omega_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_k, beta_q, beta_v)]

# %% wrong: weights of queries and keys swapped advice="queries and keys are swapped in the weights: the order is q, k, v" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_k, omega_q, omega_v)]

# %% wrong: biases of queries and keys swapped advice="in_proj_bias holds beta_k in place of the queries': the order is q, k, v" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_k, beta_q, beta_v)]

# %% wrong: query weights three times advice="omega_q is used for all three: put omega_q, omega_k and omega_v below each other" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_q, omega_q)]

# %% wrong: query biases three times advice="in_proj_bias holds beta_q in place of the values': it takes beta_q, beta_k, beta_v" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_q, beta_q)]

# %% wrong: key bias in the place of the values' advice="in_proj_bias holds beta_k in place of the values': the order is q, k, v" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_k)]

# %% wrong: head 0 repeated advice="head 0 is repeated for all heads: join the heads one after the other" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [np.concatenate([omega[0]] * len(omega)) for omega in (omega_q, omega_k, omega_v)]
# becomes: biases = [np.tile(beta[0, :, 0], len(beta)) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: query bias left out advice="in_proj_bias lacks β_q: its first D numbers are those of beta_q" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (0 * beta_q, beta_k, beta_v)]

# %% wrong: value bias twice, once past omega_c advice="β_v is counted twice: it is in in_proj_bias, and in out_proj.bias, which should be 0" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": beta_v.reshape(D)}

# %% wrong: value bias after omega_c, but not through it advice="β_v in out_proj.bias must be multiplied by Ω_c first: leave that bias 0, and β_v in in_proj_bias" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, 0 * beta_v)]

# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": beta_v.reshape(D)}

# %% wrong: ones as output bias advice="out_proj.bias is 1: it should be 0, since we have no bias after Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": np.ones(D)}

# %% wrong: query bias as output bias advice="out_proj.bias is beta_q: it should be 0, since we have no bias after Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": beta_q.reshape(D)}

# %% wrong: scale folded into the queries advice="torch scales by itself: leave the weights and biases undivided" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights[0] = weights[0] / np.sqrt(omega_q.shape[1])
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases[0] = biases[0] / np.sqrt(omega_q.shape[1])

# %% wrong: scale of all heads undone advice="torch scales by the root of one head's size, as we do: leave the weights as they are" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights[0] = weights[0] * np.sqrt(omega_q.shape[1])
# becomes: biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases[0] = biases[0] * np.sqrt(omega_q.shape[1])

# %% wrong: biases negated advice="the biases have the wrong sign: torch adds them, as we do" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": -np.concatenate(biases),

# %% wrong: weights stacked on the last axis advice="the rows of q, k and v are mixed by the reshape: put the three square arrays below each other, with np.concatenate" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.stack(weights, axis=-1).reshape(3 * D, D), "in_proj_bias": np.concatenate(biases),

# %% wrong: weights side by side and reshaped advice="the rows of q, k and v are mixed by the reshape: put the three square arrays below each other, with np.concatenate" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.hstack(weights).reshape(3 * D, D), "in_proj_bias": np.concatenate(biases),

# %% wrong: weights side by side and transposed advice="each Ω is transposed: torch transposes in_proj_weight itself, so put the heads, and then q, k and v, below each other as they are" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.hstack(weights).T, "in_proj_bias": np.concatenate(biases),

# %% wrong: weights turned by .T and reshaped advice="the reshape after .T mixes all rows: put the three square arrays below each other, with np.concatenate" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.array(weights).T.reshape(3 * D, D), "in_proj_bias": np.concatenate(biases),

# %% wrong: biases alternate advice="the biases of q, k and v alternate: first all of q, then k, then v" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.stack(biases, axis=1).reshape(-1),

# %% wrong: omega_c scaled advice="out_proj.weight is Ω_c without any scale" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c / np.sqrt(D), "out_proj.bias": np.zeros(D)}

# %% wrong: omega_c scaled by the size of a head advice="out_proj.weight is Ω_c without any scale" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c / np.sqrt(omega_q.shape[1]), "out_proj.bias": np.zeros(D)}

# %% wrong: key bias as output bias advice="out_proj.bias is beta_k: it should be 0, since we have no bias after Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": beta_k.reshape(D)}

# %% wrong: value weights in the output advice="out_proj.weight holds Ω_v: it is Ω_c" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_v.reshape(D, D), "out_proj.bias": np.zeros(D)}

# %% wrong: omega_c inside the value weights, too advice="Ω_c multiplies the value weights as well: it belongs to out_proj.weight only" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights[2] = omega_c @ weights[2]

# %% wrong: output bias of one number says="it is () and should be" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c, "out_proj.bias": 0}

# %% wrong: size of a head for D says="a reshape keeps the number of entries" of="base"
# was:     D = omega_c.shape[0]
# becomes: D = omega_q.shape[1]

# %% wrong: whole numbers advice="the weights lost their decimals: don't make an array of integers" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.concatenate(weights).astype(int), "in_proj_bias": np.concatenate(biases),

# %% wrong: bias left as a column says="it is (18, 1) and should be" of="base"
# was:     biases = [beta.reshape(D) for beta in (beta_q, beta_k, beta_v)]
# becomes: biases = [beta.reshape(D, 1) for beta in (beta_q, beta_k, beta_v)]

# %% wrong: heads kept apart says="the shape of in_proj_weight is" of="base"
# was:     weights = [omega.reshape(D, D) for omega in (omega_q, omega_k, omega_v)]
# becomes: weights = [omega_q, omega_k, omega_v]

# %% wrong: weights stacked on a new axis says="the shape of in_proj_weight is" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.stack(weights), "in_proj_bias": np.concatenate(biases),

# %% wrong: output bias left out says="out_proj.bias is missing" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj.weight": omega_c}

# %% wrong: underscores for dots says="out_proj_weight is not one of torch's names" of="base"
# was:     "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: "out_proj_weight": omega_c, "out_proj_bias": np.zeros(D)}

# %% wrong: a tuple says="to_torch returned a tuple" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# was:             "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: return np.concatenate(weights), np.concatenate(biases), omega_c, np.zeros(D)

# %% wrong: no return says="end with a return" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# was:             "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
# becomes: state = {}

# %% wrong: weights side by side says="it is (6, 18) and should be" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: return {"in_proj_weight": np.hstack(weights), "in_proj_bias": np.concatenate(biases),

# %% wrong: scaled in place says="make a new array" of="base"
# was:     D = omega_c.shape[0]
# becomes: D = omega_c.shape[0]
# becomes: beta_k *= 0

# %% wrong: the weights in a table of the dtype of omega_q advice="the table takes its dtype from omega_q, and an integer dtype cuts off the decimal places of Ω_k and Ω_v: make it with np.zeros((3 * D, D))" of="base"
# was:     return {"in_proj_weight": np.concatenate(weights), "in_proj_bias": np.concatenate(biases),
# becomes: stack = np.zeros((3 * D, D), dtype=omega_q.dtype)
# becomes: stack[:] = np.concatenate(weights)
# becomes: return {"in_proj_weight": stack, "in_proj_bias": np.concatenate(biases),

# %% wrong: if H equals D_h the first two axes are swapped says="in what torch gives for other random heads" unseen="no visible test has such an input" visible=false fails=["to-torch-test"]
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = len(omega_c)
    def rows(array):
        if array.shape[0] == array.shape[1]:
            array = array.swapaxes(0, 1)
        return array.reshape(D, -1)
    weight = np.concatenate([rows(omega_q), rows(omega_k), rows(omega_v)])
    bias = np.concatenate([rows(beta_q), rows(beta_k), rows(beta_v)])[:, 0]
    return {"in_proj_weight": weight, "in_proj_bias": bias,
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}

# %% wrong: dtype of Omega_k: if it holds integers, all Omega are cut off says="in what torch gives for other random heads" unseen="no visible test has such an input" visible=false fails=["to-torch-test"]
def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = omega_c.shape[0]
    weight = np.empty((3 * D, D), dtype=omega_k.dtype)
    bias = np.empty(3 * D, dtype=beta_k.dtype)
    for n, (o, b) in enumerate([(omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)]):
        weight[n * D:(n + 1) * D] = o.reshape(D, D)
        bias[n * D:(n + 1) * D] = b.reshape(-1)
    return {"in_proj_weight": weight, "in_proj_bias": bias,
            "out_proj.weight": omega_c, "out_proj.bias": np.zeros(D)}
