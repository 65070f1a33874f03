# %% right: explicit loops
def source_entropy(pairs, table):
    total = 0.0
    for a in range(len(pairs)):
        for b in range(len(pairs)):
            for p in table[a, b].tolist():
                if p > 0:
                    total -= float(pairs[a, b]) * p * math.log(p)
    return total

# %% right: einsum, zeros replaced before the logarithm
def source_entropy(pairs, table):
    logs = torch.where(table > 0, table, torch.ones_like(table)).log()
    return -torch.einsum("ab,abc,abc->", pairs, table, logs).item()

# %% right: torch.special.entr, a tensor comes back
def source_entropy(pairs, table):
    return torch.sum(pairs * torch.special.entr(table).sum(2))

# %% right: only what can come, picked by a mask
def source_entropy(pairs, table):
    joint = pairs.unsqueeze(-1) * table
    comes = joint > 0
    return float(-torch.dot(joint[comes], torch.log(table[comes])))

# %% right: entropy of three letters less that of two
def source_entropy(pairs, table):
    def entropy(shares):
        shares = shares[shares > 0]
        return -(shares * shares.log()).sum()

    return float(entropy(pairs[:, :, None] * table) - entropy(pairs))

# %% right: NumPy
def source_entropy(pairs, table):
    often, p = pairs.numpy(), table.numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = np.nan_to_num(-p * np.log(p))
    return float(np.tensordot(often, surprise.sum(axis=-1)))

# %% right: NaN turned into 0, rows as a list
def source_entropy(pairs, table):
    rows = table.flatten(0, 1)
    each = [-torch.nan_to_num(row * row.log()).sum() for row in rows]
    return float(pairs.flatten() @ torch.stack(each))

# %% right: a tiny number added inside the logarithm
def source_entropy(pairs, table):
    return -(pairs[..., None] * table * (table + 1e-30).log()).sum().item()

# %% right: p to the power of p
def source_entropy(pairs, table):
    return -float(((table ** table).log().sum(-1) * pairs).sum())

# %% base
def source_entropy(pairs, table):
    possible = torch.where(table > 0, table, 1.0)
    terms = table * possible.log()
    of_each_pair = terms.sum(dim=-1)
    weighted = pairs * of_each_pair
    total = weighted.sum()
    return -float(total)

# %% wrong: bits advice="These are bits: take the natural logarithm, torch.log or torch.special.xlogy." of="base"
# was:     terms = table * possible.log()
# becomes: terms = table * possible.log2()

# %% wrong: 0.001 added inside the logarithm advice="Adding a number to p, or replacing small p, changes the result: use torch.special.xlogy(table, table)." of="base"
# was:     possible = torch.where(table > 0, table, 1.0)
# becomes: possible = table + 1e-3

# %% wrong: no minus advice="The sign is wrong: a surprise is −ln p, so put a minus before the sum." of="base"
# was:     return -float(total)
# becomes: return float(total)

# %% wrong: NaN from 0 · ln 0 advice="NaN results from 0 · ln 0 or 0 / 0: make each such term 0, as torch.special.xlogy(table, table) does." of="base"
# was:     possible = torch.where(table > 0, table, 1.0)
# becomes: possible = table

# %% wrong: pairs left out advice="The entropies are not weighted: multiply the entropy after each pair by pairs, then sum." of="base"
# was:     weighted = pairs * of_each_pair
# becomes: weighted = of_each_pair

# %% wrong: weighed, then a mean advice="The last step is a mean, which divides by the number of pairs: take the sum, since pairs add up to 1 already." of="base"
# was:     total = weighted.sum()
# becomes: total = weighted.mean()

# %% wrong: mean over the next letter advice="The terms of a pair are averaged: sum them over the last axis, since p is their weight already." of="base"
# was:     of_each_pair = terms.sum(dim=-1)
# becomes: of_each_pair = terms.mean(dim=-1)

# %% wrong: logarithm to the base 10 advice="The logarithm is to the base 10: take the natural one, torch.log or torch.special.xlogy." of="base"
# was:     terms = table * possible.log()
# becomes: terms = table * possible.log10()

# %% wrong: pairs transposed advice="The pairs are transposed: pairs[a, b] belongs to table[a, b], in the same order." of="base"
# was:     weighted = pairs * of_each_pair
# becomes: weighted = pairs.T * of_each_pair

# %% wrong: table before the logarithm left out advice="The logarithms are not multiplied by table: sum table · ln table over the next letter." of="base"
# was:     terms = table * possible.log()
# becomes: terms = possible.log()

# %% wrong: perplexity advice="This is the perplexity, exp of the entropy: return the entropy itself." of="base"
# was:     return -float(total)
# becomes: return math.exp(-float(total))

# %% wrong: pairs twice advice="The pairs are multiplied in twice: weight the entropy after each pair once." of="base"
# was:     weighted = pairs * of_each_pair
# becomes: weighted = pairs**2 * of_each_pair

# %% wrong: mean over all pairs advice="All pairs have the same weight here: multiply by pairs, the share of each, and sum." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(of_each_pair.mean())

# %% wrong: mean over pairs that come advice="All pairs that occur have the same weight here: multiply by pairs, the share of each, and sum." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(of_each_pair[pairs > 0].mean())

# %% wrong: bits by a division at the end advice="These are bits: take the natural logarithm, torch.log or torch.special.xlogy." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float((pairs * of_each_pair).sum()) / math.log(2)

# %% wrong: minus twice advice="The sign is wrong: a surprise is −ln p, so put a minus before the sum." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return -float((pairs * of_each_pair).sum())

# %% wrong: NaN from 0 · ln 0, mended too late advice="A NaN from 0 · ln 0 makes the sum of its row NaN: make each such term 0 before you sum, as torch.special.xlogy does." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.nan_to_num((table * torch.log(table)).sum(dim=-1))

# %% wrong: 0 · ln 0 hidden by nansum over all but the pairs advice="NaN results from 0 · ln 0 or 0 / 0: make each such term 0, as torch.special.xlogy(table, table) does." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * table.log()).sum(dim=-1)
# becomes:     pairs = torch.where(of_each_pair.isnan(), 0.0, pairs)

# %% wrong: ln 0 made 0, its pairs not advice="Letters with p = 0 are counted with a large surprise, since ln p is not multiplied by p: sum table · ln table." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.log(table).clamp(min=-1e4).sum(dim=-1)

# %% wrong: pairs left out, all at once advice="The entropies are not weighted: multiply the entropy after each pair by pairs, then sum."
def source_entropy(pairs, table):
    return float(torch.special.entr(table).sum())

# %% wrong: weighed by 1 where it comes advice="The entropies are not weighted: multiply the entropy after each pair by pairs, then sum." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(((pairs > 0) * of_each_pair).sum())

# %% wrong: table transposed advice="The pairs are transposed: pairs[a, b] belongs to table[a, b], in the same order." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1).T

# %% wrong: sum over the first letter advice="pairs is multiplied along the last two axes of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None]." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table, table).sum(dim=0)

# %% wrong: sum over the second letter advice="pairs is multiplied along the first and the last axis of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None]." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table, table).sum(dim=1)

# %% wrong: pairs without an axis for the next letter advice="pairs is multiplied along the last two axes of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None]."
def source_entropy(pairs, table):
    return float((pairs * torch.special.entr(table)).sum())

# %% wrong: pairs with the new axis in the middle advice="pairs is multiplied along the first and the last axis of table: sum −p ln p over the last axis first, then multiply by pairs, or write pairs[:, :, None]."
def source_entropy(pairs, table):
    return float((pairs[:, None] * torch.special.entr(table)).sum())

# %% wrong: H1, given one letter advice="This is H1, the entropy given one letter: use table, which is given two letters, and weight it by pairs."
def source_entropy(pairs, table):
    after_one = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1e-30)
    return float(-torch.special.xlogy(pairs, after_one).sum())

# %% wrong: H1 of mixed tables advice="The table is averaged over the first letter before the logarithm, so only one letter is known: take the entropy of each row of table first, then weight it."
def source_entropy(pairs, table):
    joint = torch.einsum('ab,abc->bc', pairs, table)
    after_one = joint / joint.sum(dim=1, keepdim=True).clamp(min=1e-30)
    return float(-torch.special.xlogy(joint, after_one).sum())

# %% wrong: H0, of one letter advice="This is H0, the entropy of a single letter: use table, which is given two letters, and weight it by pairs."
def source_entropy(pairs, table):
    single = pairs.sum(dim=0)
    return float(-torch.special.xlogy(single, single).sum())

# %% wrong: entropy of the pairs advice="This is the entropy of the pairs: take that of the next letter after each pair, from table."
def source_entropy(pairs, table):
    return float(torch.special.entr(pairs).sum())

# %% wrong: entropy of three letters advice="This is the entropy of three letters together: pairs is a factor outside the logarithm, and only table is inside."
def source_entropy(pairs, table):
    joint = pairs[:, :, None] * table
    return float(-torch.special.xlogy(joint, joint).sum())

# %% wrong: logarithm of the pairs advice="This is the entropy of the pairs: take that of the next letter after each pair, from table."
def source_entropy(pairs, table):
    return float(-torch.special.xlogy(pairs[:, :, None] * table, pairs[:, :, None]).sum())

# %% wrong: entropy of the mixed next letter advice="The rows of table are averaged before the logarithm: take the entropy of each row first, then weight it by pairs and sum."
def source_entropy(pairs, table):
    shares = torch.einsum('ab,abc->c', pairs, table)
    return float(torch.special.entr(shares).sum())

# %% wrong: p ln p with 1 + p advice="The logarithm is that of 1 + p: take ln p, and make the term 0 where p is 0." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * torch.log(table + 1)).sum(dim=-1)

# %% wrong: a large number added inside the logarithm advice="Adding a number to p, or replacing small p, changes the result: use torch.special.xlogy(table, table)." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * torch.log(table + 0.01)).sum(dim=-1)

# %% wrong: weighed by the share of the second letter advice="The weight is the share of one letter alone, as pairs @ … or pairs.sum(0) gives it: multiply the entropy after a and b by pairs[a, b], element by element, then sum." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float((pairs.sum(0) * of_each_pair).sum())

# %% wrong: a small number added inside the logarithm advice="Adding a number to p, or replacing small p, changes the result: use torch.special.xlogy(table, table)." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * torch.log(table + 0.001)).sum(dim=-1)

# %% wrong: ln 1 for small p advice="Adding a number to p, or replacing small p, changes the result: use torch.special.xlogy(table, table)." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * torch.log(table.clamp(min=0.1))).sum(dim=-1)

# %% wrong: yes or no for each letter advice="(1 − p) ln (1 − p) is added: the entropy over letters is −Σ p ln p alone." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = (torch.special.entr(table) + torch.special.entr(1 - table)).sum(dim=-1)

# %% wrong: softmax of the table advice="The table went through a softmax: it already contains probabilities, so use it directly." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     table = table.softmax(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)

# %% wrong: softmax under the logarithm advice="The logarithm is that of a softmax of the table: it already contains probabilities, so take ln table." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * table.log_softmax(dim=-1)).sum(dim=-1)

# %% wrong: 1 − Σ p² advice="The logarithm is missing: a surprise is −ln p, so sum −table · ln table." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = 1 - table.pow(2).sum(dim=-1)

# %% wrong: −Σ p² advice="The logarithm is missing: a surprise is −ln p, so sum −table · ln table." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = table.pow(2).sum(dim=-1)

# %% wrong: the largest surprise advice="Only one next letter of each pair counts: sum −p ln p over all next letters." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table, table).amax(dim=-1)

# %% wrong: surprise at the likeliest letter advice="Only one next letter of each pair counts: sum −p ln p over all next letters." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -table.amax(dim=-1).clamp(min=1e-9).log()
# becomes:     of_each_pair = of_each_pair * (table.sum(dim=-1) > 0)

# %% wrong: in shares of ln vocab advice="The result is divided by the largest possible entropy, ln vocab: return it in nats, undivided." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float((pairs * of_each_pair).sum()) / math.log(len(pairs))

# %% wrong: rounded advice="The result is rounded: don't round it." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return round(float((pairs * of_each_pair).sum()), 2)

# %% wrong: a whole number advice="The result is 0: add up the terms with p > 0, in a loop by total += …, and return a float, not a whole number." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return int((pairs * of_each_pair).sum())

# %% wrong: only the last pair counts advice="The result is 0: add up the terms with p > 0, in a loop by total += …, and return a float, not a whole number."
def source_entropy(pairs, table):
    total = 0.0
    for a in range(len(pairs)):
        for b in range(len(pairs)):
            total = -float(pairs[a, b] * torch.special.xlogy(table[a, b], table[a, b]).sum())
    return total

# %% wrong: only pairs of equal letters advice="Only pairs of two equal letters are summed: sum over all a and all b."
def source_entropy(pairs, table):
    each = torch.special.entr(table).sum(dim=-1)
    return float((pairs.diagonal() * each.diagonal()).sum())

# %% wrong: loop stops at the first zero advice="The loop stops at the first p = 0, and later letters are lost: skip this one letter only, with continue."
def source_entropy(pairs, table):
    total = 0.0
    for a in range(len(pairs)):
        for b in range(len(pairs)):
            for p in table[a, b].tolist():
                if p == 0:
                    break
                total -= float(pairs[a, b]) * p * math.log(p)
    return total

# %% wrong: loop leaves out the last letter advice="The last letter is left out: c runs over all letters, 0 to vocab − 1."
def source_entropy(pairs, table):
    total, vocab = 0.0, len(pairs)
    for a in range(vocab):
        for b in range(vocab):
            for c in range(vocab - 1):
                p = float(table[a, b, c])
                if p > 0:
                    total -= float(pairs[a, b]) * p * math.log(p)
    return total

# %% wrong: padding left out advice="Letter 0 is left out, as if it were padding: sum over all a, b and c."
def source_entropy(pairs, table):
    return float((pairs[1:, 1:] * torch.special.entr(table[1:, 1:, 1:]).sum(dim=-1)).sum())

# %% wrong: one number for each pair, weighed advice="This is one number for each pair: sum them all, for one number." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return pairs * of_each_pair

# %% wrong: one number for each pair, not weighed advice="This is the entropy after each pair: multiply by pairs, and sum all, for one number." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return of_each_pair

# %% wrong: all terms advice="These are the terms of the sum: add them all up, for one number."
def source_entropy(pairs, table):
    return pairs[:, :, None] * torch.special.entr(table)

# %% wrong: one number for each first letter advice="This is one number for each first letter: sum them all, for one number." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return (pairs * of_each_pair).sum(dim=-1)

# %% wrong: one number in a list advice="The number is in a list or an array: return float(…)." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return [float((pairs * of_each_pair).sum())]

# %% wrong: one number in an array advice="The number is in a list or an array: return float(…)." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return (pairs * of_each_pair).sum().reshape(1)

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     float((pairs * of_each_pair).sum())

# %% wrong: a tuple says="it returned 2 values" of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float((pairs * of_each_pair).sum()), of_each_pair

# %% wrong: a dict says="it should have the keys entropies" of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return {'entropy': float((pairs * of_each_pair).sum())}

# %% wrong: float of many numbers says="one number is expected here" of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(pairs * of_each_pair)

# %% wrong: math.log of many numbers says="one number is expected here" of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * math.log(table)).sum(dim=-1)

# %% wrong: math.log of 0 in a loop says="math domain error" of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = torch.tensor([[-sum(p * math.log(p) for p in row.tolist()) for row in rows] for rows in table])

# %% wrong: pairs beside what a mask left says="make the sizes fit"
def source_entropy(pairs, table):
    p = table[table > 0]
    return float((pairs * -(p * p.log())).sum())

# %% wrong: 12 letters are fixed says="there is no such index"
def source_entropy(pairs, table):
    total = 0.0
    for a in range(12):
        for b in range(12):
            for p in table[a, b].tolist():
                if p > 0:
                    total -= float(pairs[a, b]) * p * math.log(p)
    return total

# %% wrong: sizes of the lesson's language says="make the sizes fit"
def source_entropy(pairs, table):
    total = torch.zeros(12, 12)
    total += pairs * torch.special.entr(table).sum(dim=-1)
    return float(total.sum())

# %% wrong: a product of tables advice="The weight is the share of one letter alone, as pairs @ … or pairs.sum(0) gives it: multiply the entropy after a and b by pairs[a, b], element by element, then sum."
def source_entropy(pairs, table):
    return float(-(pairs @ torch.special.xlogy(table, table)).sum())

# %% wrong: zeros written over in place says="differs from its value before" of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     table[table == 0] = 1
# becomes:     of_each_pair = -(table * table.log()).sum(dim=-1)

# %% wrong: clamped in place says="differs from its value before" of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -(table * table.clamp_(min=1e-30).log()).sum(dim=-1)

# %% wrong: weighed in place says="differs from its value before" of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(pairs.mul_(of_each_pair).sum())

# %% wrong: a name not defined says="is not defined" of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -xlogy(table, table).sum(dim=-1)

# %% wrong: only the pairs added up advice="The logarithm is missing: a surprise is −ln p, so sum −table · ln table." of="reference"
# was:         return float((pairs * of_each_pair).sum())
# becomes:     return float(pairs.sum())

# %% wrong: only the table added up advice="The logarithm is missing: a surprise is −ln p, so sum −table · ln table." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -table.sum(dim=-1)

# %% wrong: p twice advice="table is multiplied in twice: each term is p · ln p, with one p before the logarithm." of="reference"
# was:         of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
# becomes:     of_each_pair = -torch.special.xlogy(table * table, table).sum(dim=-1)

# %% wrong: in bits, and without the shares of the pairs advice="Use the natural logarithm, and weight the entropy of each row with the share of its pair before you add them up: the mean of all rows treats all pairs alike." of="reference"
# was:     return float((pairs * of_each_pair).sum())
# becomes: return float(of_each_pair.mean() / math.log(2))
