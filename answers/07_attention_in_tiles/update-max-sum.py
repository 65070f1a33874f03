# %% right: loops over rows and keys, math.fsum
def update_max_sum(m, l, scores):
    tops, sums = [], []
    for top, total, row in zip(m, l, scores):
        seen = [float(s) for s in row if not math.isinf(s)]
        new = max([float(top), *seen])
        old = 0.0 if math.isinf(top) else total * math.exp(top - new)
        tops.append(new)
        sums.append(math.fsum([old, *(math.exp(s - new) for s in seen)]))
    return np.array(tops), np.array(sums)

# %% right: logaddexp keeps the logarithm of the sum
def update_max_sum(m, l, scores):
    log_sum = np.logaddexp(m + np.log(l), np.logaddexp.reduce(scores, axis=1))
    m = np.maximum(m, np.max(scores, axis=1))
    return m, np.exp(log_sum - np.nan_to_num(m))

# %% right: the state as one more key
def update_max_sum(m, l, scores):
    all_scores = np.column_stack([m, scores])
    counts = np.column_stack([l, np.ones_like(scores)])
    top = all_scores.max(axis=1, keepdims=True)
    terms = np.where(np.isneginf(all_scores), 0, np.exp(all_scores - top))
    return [top.ravel(), (counts * terms).sum(axis=1)]

# %% right: one key after the other, by recursion
def update_max_sum(m, l, scores):
    if not scores.size:
        return m, l
    s = scores[:, 0]
    new = np.maximum(m, s)
    shrink, term = (np.nan_to_num(np.exp(old - new)) for old in (m, s))
    return update_max_sum(new, l * shrink + term, scores[:, 1:])

# %% right: a very low number stands in for -inf, einsum
def update_max_sum(m, l, scores):
    new_m = np.fmax(np.amax(scores, axis=1), m)
    low = np.maximum(new_m, -1e300)
    return new_m, l * np.exp(m - low) + np.einsum("qk->q", np.exp(scores - low[:, None]))

# %% right: torch inside
def update_max_sum(m, l, scores):
    import torch
    m, l, scores = (torch.tensor(np.array(one), dtype=torch.float64) for one in (m, l, scores))
    top = torch.maximum(m, scores.amax(dim=1))
    safe = top.nan_to_num()
    total = l * (m - safe).exp() + (scores - safe.unsqueeze(1)).exp().sum(dim=1)
    return top.numpy(), total.numpy()

# %% right: the block by itself first, then the two parts together
def update_max_sum(m, l, scores):
    top = scores.max(axis=1)
    of_block = np.exp(scores - np.nan_to_num(top)[:, None]).sum(axis=1)
    both = np.maximum(m, top)
    safe = np.nan_to_num(both)
    return both, l * np.exp(m - safe) + of_block * np.exp(top - safe)

# %% right: torch's logsumexp, given back as lists
def update_max_sum(m, l, scores):
    import torch
    both = torch.tensor(np.concatenate([(m + np.log(l))[:, None], scores], axis=1))
    top = np.fmax(m, scores.max(1))
    return top.tolist(), [0.0 if math.isinf(s) else math.exp(s - t) for s, t in zip(both.logsumexp(1).tolist(), top)]

# %% base
def update_max_sum(m, l, scores):
    largest = scores.max(axis=1)
    new_m = np.maximum(m, largest)
    safe = np.where(np.isneginf(new_m), 0.0, new_m)
    factor = np.exp(m - safe)
    terms = np.exp(scores - safe[:, None])
    old = l * factor
    return new_m, old + terms.sum(axis=1)

# %% wrong: the old sum not rescaled advice="The old sum is still relative to the old maximum: multiply it by e^(m − new m), with the old m." of="base"
# was:         old = l * factor
# becomes:     old = l

# %% wrong: rescaled upside down advice="The exponent of the old sum's factor has the wrong sign: it is old maximum − new maximum, so that the sum can only shrink." of="base"
# was:         factor = np.exp(m - safe)
# becomes:     factor = np.exp(safe - m)

# %% wrong: -inf minus -inf advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="base"
# was:         safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes:     safe = new_m

# %% wrong: the stand-in given back advice="A row that has seen nothing keeps the maximum −∞: here it is 0. Replace −∞ by 0 only in the subtraction." of="base"
# was:         return new_m, old + terms.sum(axis=1)
# becomes:     return safe, old + terms.sum(axis=1)

# %% wrong: maximum of the newest block advice="m is the largest score of the newest block: take the larger one of it and the old m, row by row." of="base"
# was:         new_m = np.maximum(m, largest)
# becomes:     new_m = largest

# %% wrong: the old sum forgotten advice="The sum is of the newest block alone: add the old sum, times its factor." of="base"
# was:         return new_m, old + terms.sum(axis=1)
# becomes:     return new_m, terms.sum(axis=1)

# %% wrong: no maximum subtracted advice="The plain exponentials are summed: subtract the new m of each row before you take them, otherwise large scores overflow." of="base"
# was:         terms = np.exp(scores - safe[:, None])
# becomes:     terms = np.exp(scores)

# %% wrong: terms measured from the old maximum advice="The block's terms are relative to the old m: subtract the new m." of="base"
# was:         terms = np.exp(scores - safe[:, None])
# becomes:     terms = np.exp(scores - m[:, None])

# %% wrong: the smallest score advice="m is not the largest score of the block: take the maximum over all its keys, scores.max(axis=1)." of="base"
# was:         largest = scores.max(axis=1)
# becomes:     largest = scores.min(axis=1)

# %% wrong: m overwritten before it is used advice="The old sum is still relative to the old maximum: multiply it by e^(m − new m), with the old m." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: m = new_m
# becomes: return m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: divided by the factor advice="The exponent of the old sum's factor has the wrong sign: it is old maximum − new maximum, so that the sum can only shrink." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l / np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: rescaled upside down, 0 for an old maximum of -inf advice="The old sum is multiplied by e^(new m − m): change the sign of the exponent, so that the sum can only shrink." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: old = np.where(np.isneginf(m), 0.0, m)
# becomes: return new_m, l * np.exp(safe - old) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: 0 stands in for the old maximum, too advice="The old maximum is −∞ in this row, but was replaced by 0: use −∞ itself in the factor of the old sum, because e^(−∞) is 0." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: old = np.where(np.isneginf(m), 0.0, m)
# becomes: return new_m, l * np.exp(old - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: -inf minus -inf in the factor advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - new_m) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: -inf minus -inf in the terms advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - new_m[:, None]).sum(axis=1)

# %% wrong: not rescaled, -inf minus -inf in the terms advice="A row that has seen nothing becomes NaN, from −∞ − (−∞): subtract a copy of the maximum in which −∞ is replaced by 0, from the scores and from the old m." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l + np.exp(scores - new_m[:, None]).sum(axis=1)

# %% wrong: NaN of the differences taken for 0 advice="A row that has seen nothing has the sum 0: here each of its keys counts as e^0. A score of −∞ must give the term 0." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: terms = np.exp(np.nan_to_num(scores - new_m[:, None], neginf=-np.inf))
# becomes: return new_m, l * np.exp(m - safe) + terms.sum(axis=1)

# %% wrong: a large number for -inf advice="−∞ was replaced by a large negative number: a row that has seen nothing keeps the maximum −∞ and the sum 0." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: m, scores = np.maximum(m, -1e9), np.maximum(scores, -1e9)
# becomes: new_m = np.maximum(m, scores.max(axis=1))

# %% wrong: the maximum begins at 0 advice="A row that has seen nothing keeps the maximum −∞: here it is 0. Replace −∞ by 0 only in the subtraction." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(np.where(np.isneginf(m), 0.0, m), scores.max(axis=1))

# %% wrong: never below 0 advice="A row that has seen nothing keeps the maximum −∞: here it is 0. Replace −∞ by 0 only in the subtraction." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(np.maximum(m, 0), scores.max(axis=1))

# %% wrong: scores of -inf become 0 advice="A score of −∞ is a key that is not seen: here it counts as a score of 0." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: scores = np.where(np.isneginf(scores), 0.0, scores)
# becomes: new_m = np.maximum(m, scores.max(axis=1))

# %% wrong: the stand-in is too high advice="In a row of very low scores all terms became 0: replace only a maximum of −∞ by 0, and subtract every other maximum unchanged." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.maximum(new_m, -1e3)

# %% wrong: negative maxima not subtracted advice="In a row of very low scores all terms became 0: replace only a maximum of −∞ by 0, and subtract every other maximum unchanged." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.maximum(new_m, 0)

# %% wrong: the block's own maximum in the terms advice="The block's terms are relative to the block's own maximum: subtract the new m, as for the old sum." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: top = scores.max(axis=1)
# becomes: top = np.where(np.isneginf(top), 0.0, top)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - top[:, None]).sum(axis=1)

# %% wrong: the block's own maximum in the factor advice="The old sum is relative to the block's own maximum: its factor is e^(old m − new m), which is the larger of the two." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: top = scores.max(axis=1)
# becomes: top = np.where(np.isneginf(top), 0.0, top)
# becomes: return new_m, l * np.exp(m - top) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: the old sum thrown away at a new maximum advice="When a larger score appeared, the old sum was dropped: multiply it by e^(m − new m) and add it." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, np.where(new_m > m, 0.0, l) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: the factor multiplies the block, too advice="The factor multiplies the block's terms, too: these are relative to the new m already, so multiply the old sum alone." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: old = np.where(np.isneginf(m), safe, m)
# becomes: return new_m, (l + np.exp(scores - safe[:, None]).sum(axis=1)) * np.exp(old - safe)

# %% wrong: the factor of -inf multiplies all advice="All sums are 0: multiply the old sum alone by e^(m − new m), and add the block's terms." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, (l + np.exp(scores - safe[:, None]).sum(axis=1)) * np.exp(m - safe)

# %% wrong: the factor added advice="The factor e^(m − new m) is added to the old sum: multiply by it." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l + np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: the factor subtracts, the old sum is no factor advice="The difference m − new m multiplies the old sum: use e to the power of it." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: old = np.where(np.isneginf(m), safe, m)
# becomes: return new_m, l * (old - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: no maximum subtracted, the old sum times e^m advice="The plain exponentials are summed: subtract the new m of each row before you take them, otherwise large scores overflow." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m) + np.exp(scores).sum(axis=1)

# %% wrong: exponentials divided at the end advice="In rows of very high or low scores e^s overflows or becomes 0: subtract the new m inside the exponential, not by a division after it." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, (l * np.exp(m) + np.exp(scores).sum(axis=1)) / np.exp(safe)

# %% wrong: one maximum for all rows advice="A single maximum, the largest of all rows, is used for every row: every row has its own, along axis 1." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.max())

# %% wrong: one maximum for all rows, subtracted only advice="The largest score of all rows is subtracted from each: subtract each row's own maximum." of="reference"
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: safe = np.full(len(m), new_m.max())

# %% wrong: the smaller of the two maxima advice="m never rises above −∞: take the larger of the old maximum and the block's, with np.maximum." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.minimum(m, scores.max(axis=1))

# %% wrong: the place of the maximum advice="m holds the column of the largest score: use max, not argmax." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.argmax(axis=1))

# %% wrong: only the first key's score advice="m is not the largest score of the block: take the maximum over all its keys, scores.max(axis=1)." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores[:, 0])

# %% wrong: only the last key's score advice="m is the score of the last key of the block: take the largest score of all its keys, scores.max(axis=1)." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores[:, -1])

# %% wrong: the largest distance from 0 advice="m is the largest distance from 0: take the largest score, without abs." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, np.abs(scores).max(axis=1))

# %% wrong: the terms averaged advice="The block's terms are averaged: add them up." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).mean(axis=1)

# %% wrong: the sum of all rows advice="The terms of all rows are added up: sum along axis 1, so that each row has its own sum." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum()

# %% wrong: the logarithm of the sum advice="l is the logarithm of the sum: return the sum itself." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, np.log(l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1))

# %% wrong: powers of 2 advice="These are powers of 2: use np.exp." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp2(m - safe) + np.exp2(scores - safe[:, None]).sum(axis=1)

# %% wrong: the largest term counts twice advice="The sum is too large by 1: the largest score is one of the block's keys, and counts once." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, 1 + l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: blocks of two keys only advice="Only the first two keys of the block are in the sum: a block may have any number of keys." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores[:, 0] - safe) + np.exp(scores[:, 1] - safe)

# %% wrong: the first two keys of a block only advice="Only the first two keys of the block are in the sum: a block may have any number of keys." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None])[:, :2].sum(axis=1)

# %% wrong: results exchanged advice="The two results are swapped: return m first, then l." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1), new_m

# %% wrong: the old maximum given back advice="m is the old one: return the new maximum, the larger of it and the block's." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: divided by the sum advice="The sum is divided by itself: return it undivided." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: l = l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l / np.where(l > 0, l, 1)

# %% wrong: maximum down the columns says="make the sizes fit" of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = np.maximum(m, scores.max(axis=0))

# %% wrong: sum down the columns says="make the sizes fit" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=0)

# %% wrong: no column made says="make the sizes fit" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores - safe).sum(axis=1)

# %% wrong: the axis kept advice="m has an axis too many: leave keepdims=True out, and make a column of it with [:, None] only where it is subtracted." of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# was:     safe = np.where(np.isneginf(new_m), 0.0, new_m)
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: new_m = np.maximum(m[:, None], scores.max(axis=1, keepdims=True))
# becomes: safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes: return new_m, l * np.exp(m - safe[:, 0]) + np.exp(scores - safe).sum(axis=1)

# %% wrong: Python's max says="truth value" of="reference"
# was:     new_m = np.maximum(m, scores.max(axis=1))
# becomes: new_m = max(m, scores.max(axis=1))

# %% wrong: math.exp of an array says="one number is expected here" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l * math.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: if for whole arrays says="truth value" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: if new_m > m:
# becomes:     l = l * np.exp(m - safe)
# becomes: return new_m, l + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: scores changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: scores -= safe[:, None]
# becomes: return new_m, l * np.exp(m - safe) + np.exp(scores).sum(axis=1)

# %% wrong: l changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: l *= np.exp(m - safe)
# becomes: l += np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, l

# %% wrong: m changed in place says="differs from its value before the call" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: l = l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: m[:] = new_m
# becomes: return m, l

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: l = l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: the sum alone advice="Only the sum was returned: return both, m and l." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)

# %% wrong: a dict of other names says="it should have the keys m, l" of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return {"max": new_m, "sum": l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)}

# %% wrong: the block's terms given back advice="l still has an axis for the keys: sum the block's terms along axis 1." of="reference"
# was:     return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
# becomes: return new_m, (l * np.exp(m - safe))[:, None] + np.exp(scores - safe[:, None])

# %% wrong: all relative to the block's own maximum advice="Factor and terms are relative to the block's own maximum: subtract the new m, the larger of it and the old m." of="base"
# was:         safe = np.where(np.isneginf(new_m), 0.0, new_m)
# becomes:     safe = np.where(np.isneginf(largest), 0.0, largest)

# %% wrong: one empty row resets all rows advice="One row that has seen nothing resets all rows: decide row by row, with np.where." of="base"
# was:         largest = scores.max(axis=1)
# becomes:     if np.isneginf(m).any():
# becomes:         m, l = np.full(len(m), -np.inf), np.zeros(len(m))
# becomes:     largest = scores.max(axis=1)

# %% wrong: the factor twice advice="The factor is applied twice to the old sum: once is enough." of="base"
# was:         old = l * factor
# becomes:     old = l * factor * factor

# %% wrong: squeeze: one row gives numbers instead of (1,) says="in the largest score so far" unseen="no visible test has such an input" visible=false fails=["update-max-sum-test"]
def update_max_sum(m, l, scores):
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(np.isneginf(new_m), 0, new_m)
    new_l = l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
    return np.squeeze(new_m), np.squeeze(new_l)

# %% wrong: scores below −100000 count as not seen says="in the sum so far" unseen="no visible test has such an input" visible=false fails=["update-max-sum-test"]
def update_max_sum(m, l, scores):
    new_m = np.maximum(m, scores.max(axis=1))
    safe = np.where(new_m < -1e5, 0, new_m)
    return new_m, l * np.exp(m - safe) + np.exp(scores - safe[:, None]).sum(axis=1)
