# %% right: two indices
def induction_scores(patterns, period):
    rows = []
    for weights in patterns:
        queries = torch.arange(period, weights.shape[-1])
        found = weights[:, :, queries, queries - period + 1]
        rows.append(found.mean(dim=-1).mean(dim=0))
    return torch.stack(rows)

# %% right: a mask, einsum
def induction_scores(patterns, period):
    all_layers = torch.stack(list(patterns))
    seq = all_layers.shape[-1]
    place = torch.arange(seq)
    stripe = (place[:, None] - place == period - 1) & (place[:, None] >= period)
    total = torch.einsum("lbhqk,qk->lh", all_layers, stripe.to(all_layers.dtype))
    return total / (all_layers.shape[1] * (seq - period))

# %% right: loops
def induction_scores(patterns, period):
    scores = []
    for weights in patterns:
        batch, heads, seq, _ = weights.shape
        row = []
        for h in range(heads):
            found = [weights[b, h, i, i + 1 - period] for b in range(batch) for i in range(period, seq)]
            row.append(float(sum(found)) / len(found))
        scores.append(row)
    return scores

# %% wrong: the copy itself advice="These are the weights on the earlier copy of the token: the key is one place later, query − period + 1." of="two indices"
# was:         found = weights[:, :, queries, queries - period + 1]
# becomes:     found = weights[:, :, queries, queries - period]

# %% wrong: two places after the copy advice="The key is one place too late: query − period + 1." of="two indices"
# was:         found = weights[:, :, queries, queries - period + 1]
# becomes:     found = weights[:, :, queries, queries - period + 2]

# %% wrong: query period − 1, too advice="A query of the first block is counted, too: begin with query period." of="reference"
# was:     stripes = [weights.diagonal(1 - period, dim1=-2, dim2=-1)[..., 1:] for weights in patterns]
# becomes: stripes = [weights.diagonal(1 - period, dim1=-2, dim2=-1) for weights in patterns]

# %% wrong: above the diagonal advice="All scores are 0: these are weights above the diagonal. The query is the row, and comes period − 1 places after its key." of="reference"
# was:     stripes = [weights.diagonal(1 - period, dim1=-2, dim2=-1)[..., 1:] for weights in patterns]
# becomes: stripes = [weights.diagonal(period - 1, dim1=-2, dim2=-1)[..., 1:] for weights in patterns]

# %% wrong: divided by all queries advice="The sum is divided by the number of all queries: only those from period on count." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe.sum(dim=2).mean(dim=0) / patterns[0].shape[-1] for stripe in stripes])

# %% wrong: not divided advice="The weights are added up: take their mean." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe.sum(dim=(0, 2)) for stripe in stripes])

# %% wrong: the largest advice="This is the largest weight: take the mean over queries and sequences." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe.amax(dim=(0, 2)) for stripe in stripes])

# %% wrong: mean over heads advice="The mean runs over the heads: it has to run over sequences and queries, axes 0 and 2." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe.mean(dim=(0, 1)) for stripe in stripes])

# %% wrong: first sequence only advice="Only the first sequence counts: take the mean over all." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe[0].mean(dim=1) for stripe in stripes])

# %% wrong: the second block only advice="Only the second block is counted: later blocks count as well." of="two indices"
# was:         queries = torch.arange(period, weights.shape[-1])
# becomes:     queries = torch.arange(period, min(2 * period, weights.shape[-1]))

# %% wrong: queries and keys swapped advice="All scores are 0: these are weights above the diagonal. The query is the row, and comes period − 1 places after its key." of="two indices"
# was:         found = weights[:, :, queries, queries - period + 1]
# becomes:     found = weights[:, :, queries - period + 1, queries]

# %% wrong: heads by layers advice="The axes are swapped: a row is a layer." of="reference"
# was:     return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
# becomes: return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes], dim=1)

# %% wrong: previous token advice="This is the weight on the previous token: the key is period − 1 places back." of="two indices"
# was:         found = weights[:, :, queries, queries - period + 1]
# becomes:     found = weights[:, :, queries, queries - 1]

# %% right: a mask in 32 bits, einsum
def induction_scores(patterns, period):
    stacked = torch.stack(list(patterns))
    seq = stacked.shape[-1]
    mask = torch.zeros(seq, seq)
    for query in range(period, seq):
        mask[query, query - period + 1] = 1.0
    return torch.einsum("lbhqk,qk->lh", stacked, mask) / (stacked.shape[1] * (seq - period))
