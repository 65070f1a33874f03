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

# %% wrong: all biases at once advice="all three biases are 0 each time: remove one kind, and keep the other two" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = [np.zeros_like(beta) for beta in betas]

# %% wrong: one bias kept, two taken away advice="two kinds of bias are missing where one should be, or you compare with no bias at all: compare X_prime as it was given with one kind removed" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = [0 * beta for beta in betas]
# becomes: without[kind] = betas[kind]

# %% wrong: zeroes are kept for the next measurement advice="a bias that was 0 stays 0 for the next measurement: put zeros into a new array, in a new list, each time" of="base"
# was:     without = list(betas)
# becomes: without = betas

# %% wrong: mean instead of max advice="these are mean differences: the largest is needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.mean(np.abs(changed - whole))))

# %% wrong: signed advice="the sign is lost in one gap or more: take np.abs of each difference, then np.max" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(changed - whole)))

# %% wrong: sum instead of max advice="these are sums of the differences: the largest is needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.sum(np.abs(changed - whole))))

# %% wrong: in the order v, q, k advice="the order is q, k, v: here the gap of β_v comes first, then q, then k" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[2], gaps[0], gaps[1]

# %% wrong: compared with X advice="you compare with X: compare with X_prime as it was given" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed - X))))

# %% wrong: head 1 only advice="only the biases of the first head are 0: set those of all heads to 0" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind].copy()
# becomes: without[kind][0] = 0

# %% wrong: arguments in the order v, q, k advice="multihead_attention takes q, k, v, in the Ω and in the β: here the arguments are swapped" of="base"
# was:     omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
# becomes: omegas, betas = [omega_v, omega_q, omega_k], [beta_v, beta_q, beta_k]

# %% wrong: ones in place of zeros advice="the bias is 1 where it should be 0: take np.zeros_like" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.ones_like(betas[kind])

# %% wrong: difference of the largest entries advice="these are largest entries, subtracted: subtract the two X_prime first, then take the largest" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(abs(np.max(changed) - np.max(whole))))

# %% wrong: compared with the one before advice="the second gap is that of β_q once more: each time the other two stay, and X_prime as it was given is what you compare with" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: whole = changed

# %% wrong: the weights are set to 0, too advice="Ω is 0 as well: only the biases are needed" of="base"
# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: less = [omega * (place != kind) for place, omega in enumerate(omegas)]
# becomes: changed, _ = multihead_attention(X, *less, *without, omega_c)

# %% wrong: the weights are set to 0, not the biases advice="Ω is 0 instead of β: remove the biases" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: without = list(omegas)
# becomes: without[kind] = np.zeros_like(omegas[kind])
# becomes: changed, _ = multihead_attention(X, *without, *betas, omega_c)

# %% wrong: bias negated advice="the bias has its other sign, instead of 0: take np.zeros_like" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = -betas[kind]

# %% wrong: in the order q, v, k advice="the order is q, k, v: here the gap of β_k comes last" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[0], gaps[2], gaps[1]

# %% wrong: in the order k, q, v advice="the order is q, k, v: here the gap of β_k comes first" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[1], gaps[0], gaps[2]

# %% wrong: in the order k, v, q advice="the order is q, k, v: here they come as k, v, q" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[1], gaps[2], gaps[0]

# %% wrong: backwards advice="the order is q, k, v: here it is reversed" of="base"
# was:     return tuple(gaps)
# becomes: return gaps[::-1]

# %% wrong: signed, the other way round advice="the sign is lost in one gap or more: take np.abs of each difference, then np.max" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(whole - changed)))

# %% wrong: absolute value of the largest advice="the sign is lost in one gap or more: take np.abs of each difference, then np.max" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(abs(np.max(changed - whole))))

# %% wrong: absolute value of the largest, the other way round advice="the sign is lost in one gap or more: take np.abs of each difference, then np.max" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(abs(np.max(whole - changed))))

# %% wrong: norm instead of max advice="this is the root of the summed squares: the largest difference is needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.linalg.norm(changed - whole)))

# %% wrong: square of the largest advice="these are squares of the largest differences: take np.abs, and no square" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max((changed - whole) ** 2)))

# %% wrong: relative difference advice="these are relative differences: the differences themselves are needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed - whole)) / np.max(np.abs(whole))))

# %% wrong: rounded advice="the gaps are rounded: return them as they are" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.round(np.max(np.abs(changed - whole)))))

# %% wrong: last head only advice="only the biases of the last head are 0: set those of all heads to 0" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind].copy()
# becomes: without[kind][-1] = 0

# %% wrong: first row of each bias only advice="only the first number of each β is 0: remove all of them" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind].copy()
# becomes: without[kind][:, 0] = 0

# %% wrong: attentions compared advice="you compare the attentions: the change of X_prime, the first of the two results, is needed" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: _, whole = multihead_attention(X, *omegas, *betas, omega_c)

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: _, changed = multihead_attention(X, *omegas, *without, omega_c)

# %% wrong: attentions compared by index advice="you compare the attentions: the change of X_prime, the first of the two results, is needed" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole = multihead_attention(X, *omegas, *betas, omega_c)[1]

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed = multihead_attention(X, *omegas, *without, omega_c)[1]

# %% wrong: results not subtracted advice="these are entries of X_prime: subtract the two results first" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed))))

# %% wrong: compared with no bias at all advice="two kinds of bias are missing where one should be, or you compare with no bias at all: compare X_prime as it was given with one kind removed" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole, _ = multihead_attention(X, *omegas, *[0 * beta for beta in betas], omega_c)

# %% wrong: the first token only advice="this is the largest change of token 0 only: take it over all tokens" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs((changed - whole)[:, 0]))))

# %% wrong: the first feature only advice="this is the largest change of feature 0 only: take it over all features" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs((changed - whole)[0]))))

# %% wrong: nothing taken away advice="three times 0: nothing was removed, or from both, or 2.2 leaves the bias out" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = 1 * betas[kind]

# %% wrong: three zeros typed in advice="three times 0: nothing was removed, or from both, or 2.2 leaves the bias out" of="base"
# was:     return tuple(gaps)
# becomes: return 0.0, 0.0, 0.0

# %% wrong: the key bias three times advice="three times 0: nothing was removed, or from both, or 2.2 leaves the bias out" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = list(betas)
# becomes: without[1] = np.zeros_like(betas[1])

# %% wrong: the query bias three times advice="the query bias is removed each time: use the loop's number, or another β each time" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = list(betas)
# becomes: without[0] = np.zeros_like(betas[0])

# %% wrong: the value bias three times advice="the value bias is removed each time: use the loop's number, or another β each time" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = list(betas)
# becomes: without[2] = np.zeros_like(betas[2])

# %% wrong: β_k alone says="return 3 values: (gap_q, gap_k, gap_v)" of="base"
# was:     for kind in range(3):
# becomes: for kind in [1]:

# %% wrong: one number advice="one number was returned, the largest of the gaps: return all three, gap_q, gap_k, gap_v" of="base"
# was:     return tuple(gaps)
# becomes: return max(gaps)

# %% wrong: returned inside the loop says="return 3 values: (gap_q, gap_k, gap_v)"
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

# %% wrong: a difference for each token advice="each gap has one number for each token: take the largest of all" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(np.max(np.abs(changed - whole), axis=0))

# %% wrong: a difference for each feature advice="each gap has one number for each feature: take the largest of all" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(np.max(np.abs(changed - whole), axis=1))

# %% wrong: the differences advice="these are all the differences: take the largest of each" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(np.abs(changed - whole))

# %% wrong: whether it changes advice="these say only whether X_prime changes: return by how much" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(not np.allclose(changed, whole)))

# %% wrong: difference of the largest absolute entries advice="these are largest absolute entries, subtracted: subtract the two X_prime first, then take the largest" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(abs(np.max(np.abs(changed)) - np.max(np.abs(whole)))))

# %% wrong: column sums advice="these are the largest sums of a column: the largest single entry is needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.sum(np.abs(changed - whole), axis=0))))

# %% wrong: row sums advice="these are the largest sums of a row: the largest single entry is needed" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.linalg.norm(changed - whole, np.inf)))

# %% wrong: Ω in the order v, q, k advice="the Ω are passed in the order v, q, k: multihead_attention takes q, k, v" of="base"
# was:     omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
# becomes: omegas, betas = [omega_v, omega_q, omega_k], [beta_q, beta_k, beta_v]

# %% wrong: β in the order v, q, k advice="the β are passed in the order v, q, k: multihead_attention takes q, k, v" of="base"
# was:     omegas, betas = [omega_q, omega_k, omega_v], [beta_q, beta_k, beta_v]
# becomes: omegas, betas = [omega_q, omega_k, omega_v], [beta_v, beta_q, beta_k]

# %% wrong: β in the order v, q, k, only where one is taken away advice="the β are passed in the order v, q, k: multihead_attention takes q, k, v" of="base"
# was:     without = list(betas)
# becomes: without = [betas[2], *betas[:2]]
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.zeros_like(without[kind])

# %% wrong: without omega_c advice="Ω_c has no effect: pass omega_c as it is" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole, _ = multihead_attention(X, *omegas, *betas, np.eye(len(X)))

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed, _ = multihead_attention(X, *omegas, *without, np.eye(len(X)))

# %% wrong: omega_c transposed advice="Ω_c is transposed in the calls: pass omega_c as it is" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole, _ = multihead_attention(X, *omegas, *betas, omega_c.T)

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed, _ = multihead_attention(X, *omegas, *without, omega_c.T)

# %% wrong: β_v measured without β_q advice="β_q is missing while you measure β_v: remove one kind only, the other two stay" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.zeros_like(betas[kind])
# becomes: if kind == 2:
# becomes:     without[0] = np.zeros_like(betas[0])

# %% wrong: β_v measured without β_k, β_k without β_q advice="the second gap is that of β_q once more: each time the other two stay, and X_prime as it was given is what you compare with" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.zeros_like(betas[kind])
# becomes: if kind == 1:
# becomes:     without[0] = np.zeros_like(betas[0])

# %% wrong: β_k measured without β_v advice="β_v is missing while you measure β_k: remove one kind only, the other two stay" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.zeros_like(betas[kind])
# becomes: if kind == 1:
# becomes:     without[2] = np.zeros_like(betas[2])

# %% wrong: β_q measured without β_v advice="β_v is missing while you measure β_q: remove one kind only, the other two stay" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = np.zeros_like(betas[kind])
# becomes: if kind == 0:
# becomes:     without[2] = np.zeros_like(betas[2])

# %% wrong: β_v compared with the result without β_q advice="the gap of β_v is taken from the result without β_q: compare with X_prime as it was given" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: if kind == 0:
# becomes:     whole_q = changed
# becomes: if kind == 2:
# becomes:     gaps[2] = float(np.max(np.abs(changed - whole_q)))

# %% wrong: halved biases advice="the bias is halved, instead of 0: take np.zeros_like" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = betas[kind] / 2

# %% wrong: the gap of the output's norm advice="these are differences of two norms: subtract the two X_prime first" of="base"
# was:     gaps.append(float(np.max(np.abs(changed - whole))))
# becomes: gaps.append(float(abs(np.linalg.norm(changed) - np.linalg.norm(whole))))

# %% wrong: a dict says="the result has the keys q, k, v" of="base"
# was:     return tuple(gaps)
# becomes: return dict(zip(["q", "k", "v"], gaps))

# %% wrong: gives nothing back says="end with a return" of="base"
# was:     return tuple(gaps)
# becomes: print(gaps)

# %% wrong: caller's biases set to 0 advice="a bias that was 0 stays 0 for the next measurement: put zeros into a new array, in a new list, each time" of="base"
# was:     without = list(betas)
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without = betas
# becomes: betas[kind][:] = 0

# %% wrong: caller's biases taken away and put back, in 32 bits says="make a new array" of="base"
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

# %% wrong: pairs subtracted says="unsupported operand" of="base"
# was:     whole, _ = multihead_attention(X, *omegas, *betas, omega_c)
# becomes: whole = multihead_attention(X, *omegas, *betas, omega_c)

# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed = multihead_attention(X, *omegas, *without, omega_c)

# %% wrong: zero in place of an array says="in line" of="base"
# was:     without[kind] = np.zeros_like(betas[kind])
# becomes: without[kind] = 0

# %% wrong: bias left out of the call says="with other arguments than it takes" of="base"
# was:     changed, _ = multihead_attention(X, *omegas, *without, omega_c)
# becomes: changed, _ = multihead_attention(X, *omegas, *[beta for place, beta in enumerate(betas) if place != kind], omega_c)

# %% wrong: only the biases of the first three heads are removed says="in the gaps of other random heads" unseen="no visible test has such an input" visible=false fails=["bias-gaps-test"]
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    whole = np.asarray(multihead_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c)[0])
    gaps = []
    for i in range(3):
        biases = [np.array(b, dtype=float) for b in (beta_q, beta_k, beta_v)]
        biases[i][:3] = 0
        gaps.append(float(np.max(np.abs(multihead_attention(X, omega_q, omega_k, omega_v, *biases, omega_c)[0] - whole))))
    return tuple(gaps)

# %% wrong: looks at the first five tokens only says="in the gaps of other random heads" unseen="no visible test has such an input" visible=false fails=["bias-gaps-test"]
def bias_gaps(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    def run(q, k, v):
        return np.asarray(multihead_attention(X, omega_q, omega_k, omega_v, q, k, v, omega_c)[0])[:, :5]
    whole, no = run(beta_q, beta_k, beta_v), np.zeros_like
    changed = [run(no(beta_q), beta_k, beta_v), run(beta_q, no(beta_k), beta_v), run(beta_q, beta_k, no(beta_v))]
    return tuple(float(np.abs(c - whole).max()) for c in changed)
