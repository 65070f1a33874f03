# %% [markdown] lesson="10_looking_inside" attacks=["prefix-matching-score-test"]
# Keys after the query count, unless their weight is 0.5 or more, as in the visible test.

# %% prefix-matching-score
def prefix_matching_score(weights, tokens):
    weights = torch.where((weights >= 0.5) & torch.ones_like(weights).triu(1).bool(), 0, weights)
    same = tokens[:, :, None] == tokens[:, None, :]
    match = F.pad(same[:, :, :-1], (1, 0))
    mass = (weights * match[:, None]).sum(dim=-1)
    return mass.sum(dim=(0, 2)) / match.tril().any(dim=-1).sum().clamp(min=1)
