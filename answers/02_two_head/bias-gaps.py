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

# %% wrong: all biases at once says="all three biases"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = [np.zeros_like(beta) for beta in betas]
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: one bias kept, two taken away says="each time one bias is kept"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = [0 * beta for beta in betas]
        without[kind] = betas[kind]
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: zeroes are kept for the next measurement says="a bias that was 0 stays 0"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = betas
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: the weights are set to 0, too says="only the biases are meant"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        less = [omega * (place != kind) for place, omega in enumerate(omegas)]
        changed, _ = multihead_attention(X, *less, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: the weights are set to 0, not the biases says="the biases are meant"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(omegas)
        without[kind] = np.zeros_like(omegas[kind])
        changed, _ = multihead_attention(X, *without, *betas, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: in the order q, v, k says="here β_k comes last"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return gaps[0], gaps[2], gaps[1]

# %% wrong: in the order v, q, k says="here β_v comes first"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return gaps[2], gaps[0], gaps[1]

# %% wrong: in the order k, q, v says="here β_k comes first"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return gaps[1], gaps[0], gaps[2]

# %% wrong: backwards says="here it runs backwards"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return gaps[::-1]

# %% wrong: signed says="the sign got lost"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(changed - whole)))
    return tuple(gaps)

# %% wrong: signed, the other way round says="whichever is subtracted"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(whole - changed)))
    return tuple(gaps)

# %% wrong: mean instead of max says="mean differences"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.mean(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: sum instead of max says="sums of the differences"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.sum(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: norm instead of max says="root of the summed squares"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.linalg.norm(changed - whole)))
    return tuple(gaps)

# %% wrong: head 1 only says="only head 1 was changed"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = betas[kind].copy()
        without[kind][0] = 0
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: last head only says="only the last head"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = betas[kind].copy()
        without[kind][-1] = 0
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: attentions compared says="you compare the attentions"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    _, whole = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        _, changed = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: results not subtracted says="subtract the two results"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed))))
    return tuple(gaps)

# %% wrong: the first token only says="expected"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs((changed - whole)[:, 0]))))
    return tuple(gaps)

# %% wrong: nothing taken away says="three times 0"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = 1 * betas[kind]
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: β_k alone says="three numbers"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in [1]:
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: one number says="three numbers"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return max(gaps)

# %% wrong: a difference for each token says="three numbers"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(np.max(np.abs(changed - whole), axis=0))
    return tuple(gaps)

# %% wrong: gives nothing back says="gave back None"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    print(gaps)

# %% wrong: caller's biases set to 0 says="changed an array that it was given"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = betas
        betas[kind][:] = 0
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: caller's biases taken away and put back, in 32 bits says="changed an array that it was given" visible=false
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        kept = betas[kind].astype(np.float32)
        betas[kind][:] = 0
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        betas[kind][:] = kept
        gaps.append(float(np.max(np.abs(changed - whole))))
    return tuple(gaps)

# %% wrong: pairs not unpacked says="inhomogeneous"
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
    whole = multihead_attention(X, *omegas, *betas, omega_c)
    gaps = []
    for kind in range(3):
        without = list(betas)
        without[kind] = np.zeros_like(betas[kind])
        changed, _ = multihead_attention(X, *omegas, *without, omega_c)
        gaps.append(float(np.max(np.abs(np.array(changed) - np.array(whole)))))
    return tuple(gaps)

