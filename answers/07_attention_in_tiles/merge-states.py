# %% right: loops over rows, lists of what was seen
def merge_states(a, b):
    tops, sums, mixed = [], [], []
    for rows in zip(zip(*a), zip(*b)):
        seen = [row for row in rows if not math.isinf(row[0])]
        top = max((m for m, _, _ in seen), default=-math.inf)
        tops.append(top)
        sums.append(math.fsum(l * math.exp(m - top) for m, l, _ in seen))
        mixed.append(sum((o * math.exp(m - top) for m, _, o in seen), np.zeros(a[2].shape[1])))
    return np.array(tops), np.array(sums), np.array(mixed)

# %% right: stacked, the two states as an axis, einsum
def merge_states(a, b):
    m, l, o = (np.stack(parts) for parts in zip(a, b))
    top = np.maximum.reduce(m)
    factors = np.nan_to_num(np.exp(m - top))
    return [top, np.einsum("sq,sq->q", factors, l), np.einsum("sq,sqv->qv", factors, o)]

# %% right: by the difference of the two maxima
def merge_states(a, b):
    gap = np.where(a[0] == b[0], 0.0, a[0] - b[0])
    of_a, of_b = np.exp(np.minimum(gap, 0)), np.exp(np.minimum(-gap, 0))
    l = a[1] * of_a + b[1] * of_b
    o = (a[2].T * of_a + b[2].T * of_b).T
    return np.fmax(a[0], b[0]), l, o

# %% right: b's sums are added to a, the sum as one more column
def merge_states(a, b):
    (m, sums), (other, more) = ((s[0], np.column_stack([s[2], s[1]])) for s in (a, b))
    new = np.maximum(other, m)
    low = np.maximum(new, -1e300)
    sums = np.exp(m - low)[:, None] * sums + np.exp(other - low)[:, None] * more
    return new, sums[:, -1], sums[:, :-1]

# %% right: torch inside
def merge_states(a, b):
    import torch
    (m, l, o), (n, k, p) = (tuple(torch.tensor(np.array(part), dtype=torch.float64) for part in s) for s in (a, b))
    top = torch.maximum(m, n)
    safe = top.nan_to_num()
    of_a, of_b = torch.exp(m - safe), torch.exp(n - safe)
    total, mixed = of_a * l + of_b * k, of_a[:, None] * o + of_b[:, None] * p
    return top.numpy(), total.numpy(), mixed.numpy()

# %% right: as shares of the whole, by logaddexp
def merge_states(a, b):
    log_a, log_b = a[0] + np.log(a[1]), b[0] + np.log(b[1])
    whole = np.logaddexp(log_a, log_b)
    seen = np.isfinite(whole)
    m = np.maximum(a[0], b[0])
    l, o = np.zeros(len(m)), np.zeros(a[2].shape)
    l[seen] = np.exp(whole[seen] - m[seen])
    for top, _, mixed in (a, b):
        o[seen] += np.exp(top[seen] - m[seen])[:, None] * mixed[seen]
    return m, l, o

# %% right: the larger one first, row by row
def merge_states(a, b):
    def row(m, l, o, n, k, p):
        if n > m:
            return row(n, k, p, m, l, o)
        if math.isinf(n):
            return m, l, o
        factor = np.exp(n - m)
        return m, l + k * factor, o + p * factor
    rows = [row(*both) for both in zip(*a, *b)]
    return tuple(np.array(part) for part in zip(*rows))

# %% base
def merge_states(a, b):
    m = np.maximum(a[0], b[0])
    safe = np.where(np.isneginf(m), 0.0, m)
    of_a = np.exp(a[0] - safe)
    of_b = np.exp(b[0] - safe)
    l = a[1] * of_a + b[1] * of_b
    o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
    return m, l, o

# %% wrong: l is not rescaled advice="l is added as it is: make both sums relative to the new maximum, as for o." of="base"
# was:         l = a[1] * of_a + b[1] * of_b
# becomes:     l = a[1] + b[1]

# %% wrong: o is not rescaled advice="o is added as it is: make both relative to the new maximum, as for l." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     o = a[2] + b[2]

# %% wrong: o averaged by the sums advice="o is averaged with the sums l as weights: it was never divided, so add both, each times its factor." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     o = (a[1][:, None] * a[2] + b[1][:, None] * b[2]) / l[:, None]

# %% wrong: upside down advice="The exponents have the wrong sign: a factor is e^(its own maximum − the new one), at most 1." of="base"
# was:         of_a = np.exp(a[0] - safe)
# was:         of_b = np.exp(b[0] - safe)
# becomes:     of_a = np.exp(safe - a[0])
# becomes:     of_b = np.exp(safe - b[0])

# %% wrong: -inf minus -inf advice="A row that saw no key in either state becomes NaN, from −∞ − (−∞): subtract a copy of the new maximum in which −∞ is replaced by 0." of="base"
# was:         safe = np.where(np.isneginf(m), 0.0, m)
# becomes:     safe = m

# %% wrong: the stand-in given back advice="A row that saw no key in either state keeps the maximum −∞: here it is 0. Replace −∞ by 0 only in the subtraction." of="base"
# was:         return m, l, o
# becomes:     return safe, l, o

# %% wrong: o divided by l advice="o is divided by l: return it undivided, because more states may be merged with it." of="base"
# was:         return m, l, o
# becomes:     return m, l, o / l[:, None]

# %% wrong: finished outputs merged advice="Each o is divided by its l before it is added: it holds sums, so multiply it by its factor alone." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     done = [state[2] / np.where(state[1] == 0, 1, state[1])[:, None] for state in (a, b)]
# becomes:     o = done[0] * of_a[:, None] + done[1] * of_b[:, None]

# %% wrong: logaddexp of the maxima advice="m is the logarithm of e^m + e^m: take the larger of the two maxima." of="base"
# was:         m = np.maximum(a[0], b[0])
# becomes:     m = np.logaddexp(a[0], b[0])

# %% wrong: each state counts as one key advice="l is the sum of the two factors, as if each state had seen one key: multiply each factor by its state's l." of="base"
# was:         l = a[1] * of_a + b[1] * of_b
# becomes:     l = of_a + of_b

# %% wrong: factors exchanged advice="The factors are swapped: that of a is e^(a's m − new m), that of b is e^(b's m − new m)." of="base"
# was:         of_a = np.exp(a[0] - safe)
# was:         of_b = np.exp(b[0] - safe)
# becomes:     of_b = np.exp(a[0] - safe)
# becomes:     of_a = np.exp(b[0] - safe)

# %% wrong: the smaller maximum advice="m is the smaller of the two maxima: take the larger one, with np.maximum." of="base"
# was:         m = np.maximum(a[0], b[0])
# becomes:     m = np.minimum(a[0], b[0])

# %% wrong: only the l of a is rescaled advice="The l of b is added as it is: where its maximum is the smaller one, it needs its factor, as in o." of="base"
# was:         l = a[1] * of_a + b[1] * of_b
# becomes:     l = a[1] * of_a + b[1]

# %% wrong: only the l of b is rescaled advice="The l of a is added as it is: where its maximum is the smaller one, it needs its factor, as in o." of="base"
# was:         l = a[1] * of_a + b[1] * of_b
# becomes:     l = a[1] + b[1] * of_b

# %% wrong: l times o's factors squared advice="l has each factor twice: multiply each l by e^(its own m − new m) once." of="base"
# was:         l = a[1] * of_a + b[1] * of_b
# becomes:     l = a[1] * of_a**2 + b[1] * of_b**2

# %% wrong: nothing is rescaled advice="The sums are added as they are: make both relative to the new maximum, each times e^(its own m − new m)." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] + b[1], a[2] + b[2]

# %% wrong: only a is rescaled advice="b is added as it is: where its maximum is the smaller one, it needs a factor, e^(b's m − new m)." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a + b[1], a[2] * of_a[:, None] + b[2]

# %% wrong: only b is rescaled advice="a is added as it is: where its maximum is the smaller one, it needs a factor, e^(a's m − new m)." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] + b[1] * of_b, a[2] + b[2] * of_b[:, None]

# %% wrong: all measured from a's maximum advice="Everything is relative to the maximum of a: take the larger of the two maxima in each row." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = a[0]

# %% wrong: all measured from b's maximum advice="Everything is relative to the maximum of b: take the larger of the two maxima in each row." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = b[0]

# %% wrong: the maximum of a given back advice="m is that of a: return the larger of the two maxima." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a[0], a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: the maxima added advice="The two maxima are added: take the larger one, row by row." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = a[0] + b[0]

# %% wrong: the mean of the maxima advice="m is the mean of the two maxima: take the larger one, row by row." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = (a[0] + b[0]) / 2

# %% wrong: divided by the factors advice="The exponents have the wrong sign: a factor is e^(its own maximum − the new one), at most 1." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] / of_a + b[1] / of_b, a[2] / of_a[:, None] + b[2] / of_b[:, None]

# %% wrong: upside down, with 0 for -inf advice="The exponents have the wrong sign, and 0 replaces −∞: a factor is exp(its own maximum, unchanged, minus the new one)." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = (np.exp(safe - np.where(np.isneginf(one[0]), 0.0, one[0])) for one in (a, b))

# %% wrong: 0 stands in for each maximum advice="The maximum of a row that saw no key is −∞, but was replaced by 0: use −∞ itself in its own factor, because e^(−∞) is 0." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = (np.exp(np.where(np.isneginf(one[0]), 0.0, one[0]) - safe) for one in (a, b))

# %% wrong: -inf minus -inf for a alone advice="A row that saw no key in either state becomes NaN, from −∞ − (−∞): subtract a copy of the new maximum in which −∞ is replaced by 0." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = np.exp(a[0] - m), np.exp(b[0] - safe)

# %% wrong: the difference of the two maxima advice="A row that saw no key in either state becomes NaN, from −∞ − (−∞): subtract a copy of the new maximum in which −∞ is replaced by 0." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: gap = a[0] - b[0]
# becomes: of_a, of_b = np.exp(np.minimum(gap, 0)), np.exp(np.minimum(-gap, 0))

# %% wrong: -inf becomes 0 in both advice="A row that saw no key in either state keeps the maximum −∞: here it is 0. Replace −∞ by 0 only in the subtraction." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = np.maximum(*(np.where(np.isneginf(one[0]), 0.0, one[0]) for one in (a, b)))

# %% wrong: a large number for -inf advice="−∞ was replaced by a large negative number: a row that saw no key in either state keeps the maximum −∞." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = np.maximum(np.maximum(a[0], b[0]), -1e9)

# %% wrong: the stand-in is too high advice="In a row of very low maxima all became 0: replace only a maximum of −∞ by 0, and subtract every other maximum unchanged." of="reference"
# was:     safe = np.where(np.isneginf(m), 0.0, m)
# becomes: safe = np.maximum(m, 0)

# %% wrong: nothing subtracted advice="e^m is taken of the maxima as they are: subtract the new maximum first, in the exponent." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = np.exp(a[0]), np.exp(b[0])

# %% wrong: divided by e^m afterwards advice="With large maxima e^m overflows, with low ones it is 0: subtract the new maximum inside the exponential." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = np.exp(a[0]) / np.exp(safe), np.exp(b[0]) / np.exp(safe)

# %% wrong: one maximum for all rows advice="A single maximum, the largest of all rows, is used for every row: compare a and b row by row." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = np.full(len(a[0]), max(a[0].max(), b[0].max()))

# %% wrong: one maximum for all rows, subtracted only advice="The largest maximum of all rows is subtracted from each: subtract each row's own." of="reference"
# was:     safe = np.where(np.isneginf(m), 0.0, m)
# becomes: safe = np.full(len(m), m.max())

# %% wrong: each row from the state with the larger maximum advice="Each row was taken from one state only: both have seen keys, so add both, each times its factor." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: larger = a[0] >= b[0]
# becomes: return m, np.where(larger, a[1], b[1]), np.where(larger[:, None], a[2], b[2])

# %% wrong: b forgotten advice="l and o hold the keys of a alone: add those of b, times its factor." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a, a[2] * of_a[:, None]

# %% wrong: a forgotten advice="l and o hold the keys of b alone: add those of a, times its factor." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, b[1] * of_b, b[2] * of_b[:, None]

# %% wrong: a given back if some row of b is empty advice="a was returned unchanged: add b to it row by row, also if some row of one of them has seen nothing." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: if np.isneginf(b[0]).any():
# becomes:     return a
# becomes: m = np.maximum(a[0], b[0])

# %% wrong: b given back if some row of a is empty advice="b was returned unchanged: add a to it row by row, also if some row of one of them has seen nothing." of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: if np.isneginf(a[0]).any():
# becomes:     return b
# becomes: m = np.maximum(a[0], b[0])

# %% wrong: rows empty in one of them dropped advice="A row that saw no key in one state lost its keys of the other: only the empty state has the factor 0." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: both = ~(np.isneginf(a[0]) | np.isneginf(b[0]))
# becomes: l, o = a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, np.where(both, l, 0), np.where(both[:, None], o, 0)

# %% wrong: o divided by l where there is something advice="o is divided by l: return it undivided, because more states may be merged with it." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: l = a[1] * of_a + b[1] * of_b
# becomes: return m, l, (a[2] * of_a[:, None] + b[2] * of_b[:, None]) / np.where(l > 0, l, 1)[:, None]

# %% wrong: o multiplied by l advice="Each o is multiplied by its l: it was never divided, so its factor alone is right." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a + b[1] * of_b, a[2] * (a[1] * of_a)[:, None] + b[2] * (b[1] * of_b)[:, None]

# %% wrong: the mean of both advice="l and o are the means of both states: add the two." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, (a[1] * of_a + b[1] * of_b) / 2, (a[2] * of_a[:, None] + b[2] * of_b[:, None]) / 2

# %% wrong: o averaged advice="o is the mean of both states: add the two." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a + b[1] * of_b, (a[2] * of_a[:, None] + b[2] * of_b[:, None]) / 2

# %% wrong: the larger sum advice="l is the larger of the two sums: add them, because the keys are different." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, np.maximum(a[1] * of_a, b[1] * of_b), a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: b subtracted advice="b is subtracted: add it." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a - b[1] * of_b, a[2] * of_a[:, None] - b[2] * of_b[:, None]

# %% wrong: a's factor for both advice="Both states have the factor of a: that of b is e^(b's m − new m)." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, (a[1] + b[1]) * of_a, (a[2] + b[2]) * of_a[:, None]

# %% wrong: b's factor for both advice="Both states have the factor of b: that of a is e^(a's m − new m)." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, (a[1] + b[1]) * of_b, (a[2] + b[2]) * of_b[:, None]

# %% wrong: powers of 2 advice="These are powers of 2: use np.exp." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = np.exp2(a[0] - safe), np.exp2(b[0] - safe)

# %% wrong: the difference itself as factor advice="The factors are differences of maxima: use e to the power of them." of="reference"
# was:     of_a, of_b = np.exp(a[0] - safe), np.exp(b[0] - safe)
# becomes: of_a, of_b = (np.where(np.isneginf(one[0]), 0.0, one[0] - safe) for one in (a, b))

# %% wrong: the queries of both, one after the other advice="The rows of b are below those of a: both belong to the same queries, so add them row by row." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return tuple(np.concatenate([one, other]) for one, other in zip(a, b))

# %% wrong: results in another order advice="The results are swapped: return m first, then l, then o." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a[2] * of_a[:, None] + b[2] * of_b[:, None], m, a[1] * of_a + b[1] * of_b

# %% wrong: l before m advice="The results are swapped: return m first, then l, then o." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a[1] * of_a + b[1] * of_b, m, a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: o alone advice="Only o was returned: return the whole state, m, l and o." of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: the maximum left out says="return 3 values: (m, l, o)" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: a dict of other names says="it should have the keys m, l, o" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return {"max": m, "sum": a[1] * of_a + b[1] * of_b, "out": a[2] * of_a[:, None] + b[2] * of_b[:, None]}

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: l, o = a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: no column for the factors says="could not be broadcast" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a + b[1] * of_b, a[2] * of_a + b[2] * of_b

# %% wrong: factors by a matrix product says="in a product" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return m, a[1] * of_a + b[1] * of_b, a[2] @ of_a[:, None] + b[2] @ of_b[:, None]

# %% wrong: Python's max says="truth value" of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: m = max(a[0], b[0])

# %% wrong: compares whole arrays says="truth value" of="reference"
# was:     m = np.maximum(a[0], b[0])
# becomes: if a[0] < b[0]:
# becomes:     return merge_states(b, a)
# becomes: m = a[0]

# %% wrong: tuples added says="return 3 values: (m, l, o)" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: return a + b

# %% wrong: a's o changed in place says="differs from its value before the call" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: l, o = a[1], a[2]
# becomes: o *= of_a[:, None]
# becomes: o += b[2] * of_b[:, None]
# becomes: return m, l * of_a + b[1] * of_b, o

# %% wrong: b's l changed in place says="differs from its value before the call" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: l = b[1]
# becomes: l *= of_b
# becomes: return m, a[1] * of_a + l, a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: a's m changed in place says="differs from its value before the call" of="reference"
# was:     safe = np.where(np.isneginf(m), 0.0, m)
# becomes: a[0][np.isneginf(a[0])] = -1e300
# becomes: safe = np.where(np.isneginf(m), 0.0, m)

# %% wrong: assigns to the state says="does not support item assignment" of="reference"
# was:     return m, a[1] * of_a + b[1] * of_b, a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes: a[1] = a[1] * of_a + b[1] * of_b
# becomes: return m, a[1], a[2] * of_a[:, None] + b[2] * of_b[:, None]

# %% wrong: o averaged by the old sums advice="o is averaged with the sums l as weights: it was never divided, so add both, each times its factor." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     o = (a[1][:, None] * a[2] + b[1][:, None] * b[2]) / (a[1] + b[1])[:, None]

# %% wrong: o averaged by the sums, rescaled advice="o is averaged with the sums l as weights: it was never divided, so add both, each times its factor." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     o = ((a[1] * of_a)[:, None] * a[2] + (b[1] * of_b)[:, None] * b[2]) / l[:, None]

# %% wrong: o weighted by the old sums advice="Each o is multiplied by its l instead of its factor: multiply it by e^(its own m − new m)." of="base"
# was:         o = a[2] * of_a[:, None] + b[2] * of_b[:, None]
# becomes:     o = a[1][:, None] * a[2] + b[1][:, None] * b[2]

# %% wrong: merged by logsumexp advice="A row that has seen no key becomes NaN, because o / l is 0/0: o was never divided, so add both, each times its factor."
def merge_states(a, b):
    (m_a, l_a, o_a), (m_b, l_b, o_b) = a, b
    logsumexp_a, logsumexp_b = m_a + np.log(l_a), m_b + np.log(l_b)
    logsumexp = np.logaddexp(logsumexp_a, logsumexp_b)
    weight_a, weight_b = np.exp(logsumexp_a - logsumexp), np.exp(logsumexp_b - logsumexp)
    output = weight_a[:, None] * o_a / l_a[:, None] + weight_b[:, None] * o_b / l_b[:, None]
    m = np.maximum(m_a, m_b)
    l = np.exp(logsumexp - m)
    return m, l, output * l[:, None]
