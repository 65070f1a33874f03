# %% right: zero times each bias, a list
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    def attend(*betas):
        return multihead_attention(X, omega_q, omega_k, omega_v, *betas, omega_c)[0]

    whole = attend(beta_q, beta_k, beta_v)
    changed = [attend(0 * beta_q, beta_k, beta_v),
               attend(beta_q, 0 * beta_k, beta_v),
               attend(beta_q, beta_k, 0 * beta_v)]
    return [float(np.abs(one - whole).max()) for one in changed]

# %% right: copies filled with zeros, loops over entries
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    whole = multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)[0]
    gaps = []
    for silent in range(3):
        betas = [beta_q.copy(), beta_k.copy(), beta_v.copy()]
        betas[silent][:] = 0
        changed = multihead_attention(X, omega_q, omega_k, omega_v, *betas, omega_c)[0]
        gaps.append(max(abs(a - b) for row, other in zip(changed, whole) for a, b in zip(row, other)))
    return tuple(gaps)

# %% right: an own attention with einsum, an array
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    def attend(keep_q=1, keep_k=1, keep_v=1):
        queries, keys = omega_q @ X + keep_q * beta_q, omega_k @ X + keep_k * beta_k
        scores = np.einsum("him,hin->hmn", keys, queries) / np.sqrt(omega_q.shape[1])
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = shares / shares.sum(axis=1, keepdims=True)
        mixtures = np.einsum("him,hmn->hin", omega_v @ X + keep_v * beta_v, shares)
        return omega_c @ mixtures.reshape(X.shape)

    changed = np.array([attend(keep_q=0), attend(keep_k=0), attend(keep_v=0)])
    return np.abs(changed - attend()).max(axis=(1, 2))

# %% right: arguments by name, infinity norm
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    given = dict(omega_q=omega_q, omega_k=omega_k, omega_v=omega_v,
                 beta_q=beta_q, beta_k=beta_k, beta_v=beta_v, omega_c=omega_c)
    whole, _ = multihead_attention(X, **given)
    gaps = {}
    for name in ("beta_q", "beta_k", "beta_v"):
        changed, _ = multihead_attention(X, **{**given, name: np.zeros_like(given[name])})
        gaps[name] = np.linalg.norm(np.ravel(np.subtract(whole, changed)), np.inf)
    return gaps["beta_q"], gaps["beta_k"], gaps["beta_v"]

# %% base
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: all biases at once says="all three biases" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = [np.zeros_like(beta) for beta in betas]

# %% wrong: one bias kept, two taken away says="each time one bias is kept" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = [0 * beta for beta in betas]
# becomes: without[kind] = betas[kind]

# %% wrong: zeroes are kept for the next measurement says="a bias that was 0 stays 0" of="base"
# was:     without = list(betas)
# becomes: without = betas

# %% wrong: the weights are set to 0, too says="only the biases are meant" of="base"
# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: less = [omega * (place != kind) for place, omega in enumerate(omegas)]
# becomes: changed, _ = multihead_attention(X, *less, *without, omega_c)

# %% wrong: the weights are set to 0, not the biases says="the biases are meant" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: without = list(omegas)
# becomes: without[kind] = np.zeros_like(omegas[kind])
# becomes: changed, _ = multihead_attention(X, *without, *betas, omega_c)

# %% wrong: in the order q, v, k says="here β_k comes last" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[0], gaps[2], gaps[1]

# %% wrong: in the order v, q, k says="here β_v comes first" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[2], gaps[0], gaps[1]

# %% wrong: in the order k, q, v says="here β_k comes first" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[1], gaps[0], gaps[2]

# %% wrong: backwards says="here it runs backwards" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[::-1]

# %% wrong: signed says="the sign got lost" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(changed - whole)))

# %% wrong: signed, the other way round says="whichever is subtracted" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(whole - changed)))

# %% wrong: mean instead of max says="mean differences" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.mean(np.abs(changed - whole))))

# %% wrong: sum instead of max says="sums of the differences" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.sum(np.abs(changed - whole))))

# %% wrong: norm instead of max says="root of the summed squares" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.linalg.norm(changed - whole)))

# %% wrong: head 1 only says="only head 1 was changed" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind].copy()
# becomes: without[kind][0] = 0

# %% wrong: last head only says="only the last head" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind].copy()
# becomes: without[kind][-1] = 0

# %% wrong: attentions compared says="you compare the attentions" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: _, whole = multihead_attention(X, *omegas, *betas, omega_c)

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: _, changed = multihead_attention(X, *omegas, *without, omega_c)

# %% wrong: results not subtracted says="subtract the two results" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed))))

# %% wrong: the first token only says="expected" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs((changed - whole)[:, 0]))))

# %% wrong: nothing taken away says="three times 0" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = 1 * betas[kind]

# %% wrong: β_k alone says="three numbers" of="base"
# was:     for kind in range(3):
# becomes: for kind in [1]:

# %% wrong: one number says="three numbers" of="base"
# was:     return tuple(gaps)
# becomes: return max(gaps)

# %% wrong: a difference for each token says="three numbers" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(np.max(np.abs(changed - whole), axis=0))

# %% wrong: gives nothing back says="gave back None" of="base"
# was:     return tuple(gaps)
# becomes: print(gaps)

# %% wrong: caller's biases set to 0 says="changed an array that it was given" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = betas
# becomes: betas[kind][:] = 0

# %% wrong: caller's biases taken away and put back, in 32 bits says="changed an array that it was given" visible=false of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: kept = betas[kind].astype(np.float32)
# becomes: betas[kind][:] = 0

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: betas[kind][:] = kept

# %% wrong: pairs not unpacked says="inhomogeneous" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole = multihead_attention(X, *omegas, *betas, omega_c)

# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(np.array(changed) - np.array(whole)))))

