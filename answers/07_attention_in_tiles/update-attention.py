# %% right: loops over rows and keys, the state as one more key
def update_attention(state, scores, values):
    tops, sums, mixed = [], [], []
    for i, row in enumerate(scores):
        keys = [(s, 1.0, v) for s, v in zip(row, values)]
        if state is not None:
            keys.append(tuple(part[i] for part in state))
        seen = [key for key in keys if not math.isinf(key[0])]
        top = max((s for s, _, _ in seen), default=-math.inf)
        tops.append(top)
        sums.append(math.fsum(count * math.exp(s - top) for s, count, _ in seen))
        mixed.append(sum((math.exp(s - top) * v for s, _, v in seen), np.zeros(values.shape[1])))
    return np.array(tops), np.array(sums), np.array(mixed)

# %% right: the sum is one more column of the values
def update_attention(state, scores, values):
    values = np.column_stack([values, np.ones(len(values))])
    if state is None:
        m, sums = np.full(len(scores), -np.inf), np.zeros((len(scores), values.shape[1]))
    else:
        m, sums = state[0], np.column_stack([state[2], state[1]])
    top = np.fmax(m, np.max(scores, axis=1))
    low = np.nan_to_num(top)
    sums = np.exp(m - low)[:, None] * sums + np.exp(scores - low[:, None]) @ values
    return top, sums[:, -1], sums[:, :-1]

# %% right: the state as one more key, einsum
def update_attention(state, scores, values):
    n_q, d_v = scores.shape[0], values.shape[1]
    m, l, o = state or (np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, d_v)))
    all_scores = np.concatenate([m[:, None], scores], axis=1)
    top = all_scores.max(axis=1, keepdims=True)
    terms = np.where(np.isneginf(all_scores), 0.0, np.exp(all_scores - top))
    counts = np.concatenate([l[:, None], np.ones(scores.shape)], axis=1)
    own = np.concatenate([o[:, None], np.broadcast_to(values, (n_q, *values.shape))], axis=1)
    return [top.ravel(), np.einsum("qk,qk->q", terms, counts), np.einsum("qk,qkv->qv", terms, own)]

# %% right: one key after the other
def update_attention(state, scores, values):
    m, l, o = state if state is not None else (-np.inf, 0.0, np.zeros((len(scores), values.shape[1])))
    for s, v in zip(scores.T, values):
        new = np.maximum(m, s)
        low = np.maximum(new, -1e300)
        shrink, term = np.exp(m - low), np.exp(s - low)
        m, l, o = new, l * shrink + term, o * shrink[:, None] + np.outer(term, v)
    return m, l, o

# %% right: torch inside
def update_attention(state, scores, values):
    import torch
    scores, values = (torch.tensor(np.array(one), dtype=torch.float64) for one in (scores, values))
    top = scores.amax(1)
    if state is not None:
        m, l, o = (torch.tensor(np.array(one), dtype=torch.float64) for one in state)
        top = torch.maximum(m, top)
    safe = top.nan_to_num()
    terms = (scores - safe[:, None]).exp()
    total, mixed = terms.sum(dim=1), terms.mm(values)
    if state is not None:
        shrink = (m - safe).exp()
        total, mixed = total + l * shrink, torch.addmm(mixed, torch.diag(shrink), o)
    return top.numpy(), total.numpy(), mixed.numpy()

# %% right: the block's own state, then the two together
def update_attention(state, scores, values):
    top = scores.max(axis=1)
    terms = np.exp(scores - np.nan_to_num(top)[:, None])
    block = top, terms.sum(axis=1), terms.dot(values)
    if state is None:
        return block
    m = np.maximum(state[0], top)
    safe = np.nan_to_num(m)
    shares = [np.exp(one[0] - safe) for one in (state, block)]
    l = sum(one[1] * share for one, share in zip((state, block), shares))
    o = sum((one[2].T * share).T for one, share in zip((state, block), shares))
    return m, l, o

# %% right: mixed in by a gate, and multiplied by the sum again
def update_attention(state, scores, values):
    n_q = scores.shape[0]
    m, l, o = state if state is not None else (np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1])))
    new = np.maximum(m, scores.max(axis=1))
    safe = np.nan_to_num(new)
    fresh = np.exp(scores - safe[:, None])
    old, came = l * np.exp(m - safe), fresh.sum(axis=1)
    total = old + came
    gate = np.nan_to_num(came / total)
    before = np.nan_to_num(o / l[:, None])
    block = np.nan_to_num(fresh @ values / came[:, None])
    mean = before + gate[:, None] * (block - before)
    return new, total, mean * total[:, None]

# %% right: list comprehension over queries, lists come back
def update_attention(state, scores, values):
    def row(i):
        m, l, o = (part[i] for part in state) if state is not None else (-np.inf, 0.0, 0.0)
        top = max(m, scores[i].max())
        if math.isinf(top):
            return top, 0.0, [0.0] * values.shape[1]
        shrink, terms = np.exp(m - top), np.exp(scores[i] - top)
        return top, l * shrink + terms.sum(), list(o * shrink + terms @ values)
    return [list(part) for part in zip(*map(row, range(len(scores))))]

# %% base
def update_attention(state, scores, values):
    if state is None:
        n_q = len(scores)
        state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
    m, l, o = state
    largest = scores.max(axis=1)
    new_m = np.maximum(m, largest)
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    factor = np.exp(m - safe)
    terms = np.exp(scores - safe[:, None])
    old_l = l * factor
    old_o = o * factor[:, None]
    new_l = old_l + terms.sum(axis=1)
    new_o = old_o + terms @ values
    return new_m, new_l, new_o

# %% wrong: o is not rescaled advice="o is still relative to the old maximum: multiply it by e^(m − new m), too, as l is." of="base"
# was:         old_o = o * factor[:, None]
# becomes:     old_o = o

# %% wrong: l is not rescaled advice="l is still relative to the old maximum: multiply it by e^(m − new m), too, as o is." of="base"
# was:         old_l = l * factor
# becomes:     old_l = l

# %% wrong: rescaled upside down advice="The exponent of the factor has the wrong sign: it is old maximum − new maximum, so that l and o can only shrink." of="base"
# was:         factor = np.exp(m - safe)
# becomes:     factor = np.exp(safe - m)

# %% wrong: -inf minus -inf advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="base"
# was:         safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes:     safe = new_m

# %% wrong: the stand-in given back advice="A row that has seen nothing keeps the maximum −∞: here it is 0. Begin with −∞, and replace it by 0 only in the subtraction." of="base"
# was:         return new_m, new_l, new_o
# becomes:     return safe, new_l, new_o

# %% wrong: divided at each block advice="o is divided by l: return it undivided, because it is divided only after all keys." of="base"
# was:         return new_m, new_l, new_o
# becomes:     return new_m, new_l, new_o / new_l[:, None]

# %% wrong: maximum of the newest block advice="m is the largest score of the newest block: take the larger one of it and the old m, row by row." of="base"
# was:         new_m = np.maximum(m, largest)
# becomes:     new_m = largest

# %% wrong: the old o forgotten advice="o is of the newest block alone: add the old o, times its factor." of="base"
# was:         new_o = old_o + terms @ values
# becomes:     new_o = terms @ values

# %% wrong: the old l forgotten advice="l is of the newest block alone: add the old l, times its factor." of="base"
# was:         new_l = old_l + terms.sum(axis=1)
# becomes:     new_l = terms.sum(axis=1)

# %% wrong: the terms averaged advice="l adds the mean of the block's terms: add their sum." of="base"
# was:         new_l = old_l + terms.sum(axis=1)
# becomes:     new_l = old_l + terms.mean(axis=1)

# %% wrong: neither is rescaled advice="Neither l nor o is rescaled: multiply both by e^(m − new m), with the old m, before you add the block." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l + terms.sum(axis=1), o + terms @ values

# %% wrong: m overwritten before it is used advice="Neither l nor o is rescaled: multiply both by e^(m − new m), with the old m, before you add the block." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: m = new_m = np.maximum(m, scores.max(axis=1))

# %% wrong: divided by the factor advice="The exponent of the factor has the wrong sign: it is old maximum − new maximum, so that l and o can only shrink." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l / factor + terms.sum(axis=1), o / factor[:, None] + terms @ values

# %% wrong: rescaled upside down, 0 for an old maximum of -inf advice="The factor of l and o is e^(new m − m): change the sign of the exponent, so that they can only shrink." of="reference"
# was:     factor = np.exp(m - safe)
# becomes: factor = np.exp(safe - np.where(np.isneginf(m), 0.0, m))

# %% wrong: o rescaled upside down advice="The exponent in the factor of o has the wrong sign: use the factor of l, e^(m − new m)." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o / factor[:, None] + terms @ values

# %% wrong: 0 stands in for the old maximum, too advice="The old maximum is −∞ in this row, but was replaced by 0: use −∞ itself in the factor, because e^(−∞) is 0." of="reference"
# was:     factor = np.exp(m - safe)
# becomes: factor = np.exp(np.where(np.isneginf(m), 0.0, m) - safe)

# %% wrong: -inf minus -inf in the factor advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     factor = np.exp(m - safe)
# becomes: factor = np.exp(m - new_m)

# %% wrong: -inf minus -inf in the terms advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: terms = np.exp(scores - new_m[:, None])

# %% wrong: NaN of the differences taken for 0 advice="A row that has seen nothing has the sum 0 and a row of zeros: here each of its keys counts as e^0. A score of −∞ must give the term 0." of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: terms = np.exp(np.nan_to_num(scores - new_m[:, None], neginf=-np.inf))

# %% wrong: a large number for -inf advice="−∞ was replaced by a large negative number: a row that has seen nothing keeps the maximum −∞, the sum 0 and a row of zeros." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: m, scores = np.maximum(m, -1e9), np.maximum(scores, -1e9)
# becomes: new_m = np.maximum(m, scores.max(axis=1))

# %% wrong: None taken for zeros advice="A row that has seen nothing keeps the maximum −∞: here it is 0. Begin with −∞, and replace it by 0 only in the subtraction." of="reference"
# was:     state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
# becomes: state = np.zeros(n_q), np.zeros(n_q), np.zeros((n_q, values.shape[1]))

# %% wrong: the sum begins at 1 advice="The sum begins at 1: before the first key nothing was added, so begin with 0, and let the old maximum be −∞." of="reference"
# was:     state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
# becomes: state = np.full(n_q, -np.inf), np.ones(n_q), np.zeros((n_q, values.shape[1]))

# was:     factor = np.exp(m - safe)
# becomes: factor = np.where(np.isneginf(m), 1.0, np.exp(m - safe))

# %% wrong: the first block treated as empty advice="The terms of the first block are lost: multiply only the old sums by the factor, which is 0 for an empty state, and then add the terms of the block." of="reference"
# was:     m, l, o = state
# becomes: if not state[1].any():
# becomes:     return state
# becomes: m, l, o = state

# %% wrong: scores of -inf become 0 advice="A score of −∞ is a key that is not seen: here it counts as a score of 0." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: scores = np.where(np.isneginf(scores), 0.0, scores)
# becomes: new_m = np.maximum(m, scores.max(axis=1))

# %% wrong: the stand-in is too high advice="In a row of very low scores all terms became 0: replace only a maximum of −∞ by 0, and subtract every other maximum unchanged." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.maximum(new_m, -1e3)

# %% wrong: divided at each block, where there is something advice="o is divided by l: return it undivided, because it is divided only after all keys." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: l, o = l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l, o / np.where(l > 0, l, 1)[:, None]

# %% wrong: a softmax of the block is mixed advice="o is divided by l: return it undivided, because it is divided only after all keys." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: weights = terms / np.maximum(terms.sum(axis=1), 1e-300)[:, None]
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + weights @ values

# %% wrong: the block's own maximum in the terms advice="The block's terms are relative to the block's own maximum: subtract the new m, as for the old sums." of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: top = scores.max(axis=1)
# becomes: terms = np.exp(scores - np.where(np.isneginf(top), 0.0, top)[:, None])

# %% wrong: the block's own maximum in the factor advice="The factor is relative to the block's own maximum: it is e^(old m − new m), which is the larger of the two." of="reference"
# was:     factor = np.exp(m - safe)
# becomes: top = scores.max(axis=1)
# becomes: factor = np.exp(m - np.where(np.isneginf(top), 0.0, top))

# %% wrong: terms measured from the old maximum advice="The block's terms are not relative to the new m: subtract it from the scores, row by row, before you take the exponential." of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: terms = np.exp(scores - np.where(np.isneginf(m), 0.0, m)[:, None])

# %% wrong: state not handed on advice="The state is that of the newest block alone: begin with zeros only if state is None, and not if some row has seen nothing." of="reference"
# was:     if state is None:
# becomes: if True:

# %% wrong: the factor multiplies the block, too advice="The factor multiplies the block's terms, too: these are relative to the new m already, so multiply the old l and o alone." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: factor = np.where(np.isneginf(m), 1.0, factor)
# becomes: return new_m, (l + terms.sum(axis=1)) * factor, (o + terms @ values) * factor[:, None]

# %% wrong: the factor of o multiplies the block, too advice="o is 0 after the first block: multiply the old o alone by the factor, and add terms @ values." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), (o + terms @ values) * factor[:, None]

# %% wrong: o multiplied by the old sum advice="The old o is multiplied by the old l, too: o was never divided, so the factor alone is right." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * (l * factor)[:, None] + terms @ values

# %% wrong: no maximum subtracted advice="The block's terms are not relative to the new m: subtract it from the scores, row by row, before you take the exponential." of="reference"
# was:     factor = np.exp(m - safe)
# was:     terms = np.exp(scores - safe[:, None])
# becomes: factor = np.ones(len(m))
# becomes: terms = np.exp(scores)

# %% wrong: exponentials divided at the end advice="In rows of very high or low scores e^s overflows or becomes 0: subtract the new m inside the exponential, not by a division after it." of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: terms = np.exp(scores) / np.exp(safe)[:, None]

# %% wrong: scores in place of terms advice="The scores themselves are multiplied with the values: take the terms e^(s − m)." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + np.nan_to_num(scores, neginf=0) @ values

# %% wrong: the values are only added advice="The values of the block are added up without their terms: multiply terms and values as matrices." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + values.sum(axis=0)

# %% wrong: only the best key's value advice="Only the value of the largest score is added: every key of the block adds its value, times its term." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms.max(axis=1)[:, None] * values[terms.argmax(axis=1)]

# %% wrong: one maximum for all rows advice="A single maximum, the largest of all rows, is used for every row: every row has its own, along axis 1." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.max())

# %% wrong: one maximum for all rows, subtracted only advice="The largest score of all rows is subtracted from each: subtract each row's own maximum." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.full(len(m), new_m.max())

# %% wrong: l counts all rows advice="The terms of all rows are added up in l: sum along axis 1, so that each row has its own sum." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(), o * factor[:, None] + terms @ values

# %% wrong: the scores scaled once more advice="The scores are divided by a root again: they are scaled already, so use them unchanged." of="reference"
# was:     m, l, o = state
# becomes: m, l, o = state
# becomes: scores = scores / np.sqrt(values.shape[1])

# %% wrong: powers of 2 advice="These are powers of 2: use np.exp." of="reference"
# was:     factor = np.exp(m - safe)
# was:     terms = np.exp(scores - safe[:, None])
# becomes: factor = np.exp2(m - safe)
# becomes: terms = np.exp2(scores - safe[:, None])

# %% wrong: the smallest score advice="m is not the largest score of the block: take the maximum over all its keys, scores.max(axis=1)." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.min(axis=1))

# %% wrong: only the last key's score advice="m is the score of the last key of the block: take the largest score of all its keys, scores.max(axis=1)." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores[:, -1])

# %% wrong: values read as columns advice="The values are transposed: each row of values belongs to a key, so multiply terms @ values without a transpose." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values.T

# %% wrong: a star for the product says="make the sizes fit" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms * values

# %% wrong: no column for the factor says="operands could not be broadcast together" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o * factor + terms @ values

# %% wrong: no column in the terms says="make the sizes fit" of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: terms = np.exp(scores - safe)

# %% wrong: maximum down the columns says="make the sizes fit" of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.max(axis=0))

# %% wrong: sum down the columns says="operands could not be broadcast together" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=0), o * factor[:, None] + terms @ values

# %% wrong: one value per query at the beginning says="operands could not be broadcast together" of="reference"
# was:     state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1]))
# becomes: state = np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[0] + 1))

# %% wrong: None not looked for says="something in this line is None" of="reference"
# was:     if state is None:
# becomes: if state == ():

# %% wrong: state made of the number of keys says="make the sizes fit" of="reference"
# was:     n_q = scores.shape[0]
# becomes: n_q = scores.shape[1]

# %% wrong: results in another order advice="The results are swapped: return m first, then l, then o." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return o * factor[:, None] + terms @ values, new_m, l * factor + terms.sum(axis=1)

# %% wrong: l before m advice="The results are swapped: return m first, then l, then o." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return l * factor + terms.sum(axis=1), new_m, o * factor[:, None] + terms @ values

# %% wrong: the old maximum given back advice="m is the old one: return the new maximum, the larger of it and the block's." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values

# %% wrong: o alone advice="Only o was returned: return the whole state, m, l and o." of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return o * factor[:, None] + terms @ values

# %% wrong: the maximum left out says="return 3 values: (m, l, o)" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values

# %% wrong: a dict of other names says="it should have the keys m, l, o" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: return {"max": new_m, "sum": l * factor + terms.sum(axis=1), "out": o * factor[:, None] + terms @ values}

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: state = new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values

# %% wrong: o changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: o *= factor[:, None]
# becomes: o += terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), o

# %% wrong: l changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: l *= factor
# becomes: return new_m, l + terms.sum(axis=1), o * factor[:, None] + terms @ values

# %% wrong: m changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: m[:] = new_m
# becomes: return m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values

# %% wrong: scores changed in place says="differs from its value before the call" of="reference"
# was:     terms = np.exp(scores - safe[:, None])
# becomes: scores -= safe[:, None]
# becomes: terms = np.exp(scores)

# %% wrong: assigns to the state says="does not support item assignment" of="reference"
# was:     return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms @ values
# becomes: state[2] = o * factor[:, None] + terms @ values
# becomes: return new_m, l * factor + terms.sum(axis=1), state[2]

# %% wrong: -inf minus -inf, not in the first block advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.where(np.isneginf(new_m) & (not l.any()), 0.0, new_m)

# %% wrong: all relative to the block's own maximum advice="Factor and terms are relative to the block's own maximum: subtract the new m, the larger of it and the old m." of="base"
# was:         safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes:     safe = np.where(np.isneginf(largest), 0.0, largest)

# %% wrong: the factor of o twice advice="The factor is applied twice to the old o: once is enough." of="base"
# was:         old_o = o * factor[:, None]
# becomes:     old_o = o * factor[:, None] ** 2

# %% wrong: the factor of l twice advice="The factor is applied twice to the old l: once is enough." of="base"
# was:         old_l = l * factor
# becomes:     old_l = l * factor ** 2

# %% wrong: the values' mean advice="The block's values are averaged without their terms: multiply terms and values as matrices, terms @ values." of="base"
# was:         new_o = old_o + terms @ values
# becomes:     new_o = old_o + terms.sum(axis=1)[:, None] * values.mean(axis=0)

# %% wrong: the values' sum advice="The block's values are added up without their terms: multiply terms and values as matrices, terms @ values." of="base"
# was:         new_o = old_o + terms @ values
# becomes:     new_o = old_o + terms.sum(axis=1)[:, None] * values.sum(axis=0)

# %% wrong: one empty row resets all rows advice="The state is that of the newest block alone: begin with zeros only if state is None, and not if some row has seen nothing." of="base"
# was:         m, l, o = state
# becomes:     m, l, o = state
# becomes:     if np.isneginf(m).any():
# becomes:         m, l, o = np.full(len(m), -np.inf), 0 * l, 0 * o

# %% wrong: terms in the dtype of the values: integer values cut them says="in the state's o" unseen="no visible test has such an input" visible=false fails=["update-attention-test"]
def update_attention(state, scores, values):
    n_q = len(scores)
    m, l, o = state if state is not None else (np.full(n_q, -np.inf), np.zeros(n_q), np.zeros((n_q, values.shape[1])))
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0, new_m)
    factor, terms = np.exp(m - safe), np.exp(scores - safe[:, None])
    return new_m, l * factor + terms.sum(axis=1), o * factor[:, None] + terms.astype(values.dtype) @ values
