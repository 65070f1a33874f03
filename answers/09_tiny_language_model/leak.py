# %% right: a clone and an assignment
def leak(model, tokens, start, replacement):
    changed = tokens.clone()
    changed[:, start:] = replacement
    before, after = model(tokens)[:, :start], model(changed)[:, :start]
    return torch.max(torch.abs(after - before)).item()

# %% right: both in one batch
def leak(model, tokens, start, replacement):
    both = torch.cat([tokens, torch.hstack([tokens[:, :start], replacement])])
    logits = model(both)
    old, new = logits[:, :start].chunk(2)
    return (old - new).abs().amax().item()

# %% right: loops over sequences and positions
def leak(model, tokens, start, replacement):
    largest = 0.0
    for row, end in zip(tokens.tolist(), replacement.tolist()):
        old = model(torch.tensor([row]))[0].tolist()
        new = model(torch.tensor([row[:start] + end]))[0].tolist()
        for t in range(start):
            for one, other in zip(old[t], new[t]):
                largest = max(largest, abs(one - other))
    return largest

# %% right: NumPy
def leak(model, tokens, start, replacement):
    changed = np.concatenate([tokens.numpy()[:, :start], replacement.numpy()], axis=1)
    old, new = (model(one).detach().numpy() for one in (tokens, torch.from_numpy(changed)))
    return float(np.abs(old - new)[:, :start].max())

# %% right: torch.where and a mask of positions
def leak(model, tokens, start, replacement):
    ahead = torch.arange(tokens.shape[1]) >= start
    changed = torch.where(ahead, F.pad(replacement, (start, 0)), tokens)
    change = (model(changed) - model(tokens)).masked_fill(ahead[:, None], 0)
    return float(max(change.max(), -change.min()))

# %% right: the norm that is the largest number
def leak(model, tokens, start, replacement):
    places = torch.arange(start, tokens.size(1))
    changed = tokens.index_copy(1, places, replacement)
    keep = lambda logits: logits.narrow(1, 0, start).flatten()
    return torch.linalg.vector_norm(keep(model(tokens)) - keep(model(changed)), ord=math.inf).item()

# %% right: distance, a tensor of no axes
def leak(model, tokens, start, replacement):
    head, _ = tokens.split([start, tokens.shape[1] - start], dim=1)
    one, two = (model(torch.cat([head, end], -1)).double()[:, :start] for end in (tokens[:, start:], replacement))
    return torch.dist(one, two, p=float("inf"))

# %% right: sorted
def leak(model, tokens, start, replacement):
    changed = torch.stack([torch.cat([row[:start], end]) for row, end in zip(tokens, replacement)])
    square = (model(tokens) - model(changed))[:, :start].square().reshape(-1)
    return math.sqrt(square.sort(descending=True).values[0])

# %% base
def leak(model, tokens, start, replacement):
    changed = torch.cat([tokens[:, :start], replacement], dim=1)
    old, new = model(tokens), model(changed)
    old, new = old[:, :start], new[:, :start]
    changes = (old - new).abs()
    return float(changes.max())

# %% wrong: changed positions compared advice="The logits from start on are compared, too, and these may change: compare only those before start, [:, :start], on the axis of the positions." of="base"
# was:     old, new = old[:, :start], new[:, :start]
# becomes:

# %% wrong: only the position before start advice="Only the last positions before start are compared: an earlier one may see ahead, so compare all of them, [:, :start]." of="base"
# was:     old, new = old[:, :start], new[:, :start]
# becomes: old, new = old[:, start - 1], new[:, start - 1]

# %% wrong: mean advice="The changes are averaged: return the largest of them, max()." of="base"
# was:     return float(changes.max())
# becomes: return float(changes.mean())

# %% wrong: signed, old minus new advice="The sign is not removed correctly: take abs() of the difference of the logits, element by element, and then the maximum." of="base"
# was:     changes = (old - new).abs()
# becomes: changes = old - new

# %% wrong: the last position left out advice="The logits at start − 1 are left out: compare all positions before start, [:, :start]." of="base"
# was:     old, new = old[:, :start], new[:, :start]
# becomes: old, new = old[:, :start - 1], new[:, :start - 1]

# %% wrong: sum advice="The changes are added up: return the largest of them, max()." of="base"
# was:     return float(changes.max())
# becomes: return float(changes.sum())

# %% wrong: one position too many advice="The logits at start are compared, too: the last ones that must not change are those at start − 1, so cut with [:, :start]." of="base"
# was:     old, new = old[:, :start], new[:, :start]
# becomes: old, new = old[:, :start + 1], new[:, :start + 1]

# %% wrong: probabilities advice="There is a softmax that doesn't belong here: compare the logits themselves." of="base"
# was:     old, new = model(tokens), model(changed)
# becomes: old, new = model(tokens).softmax(-1), model(changed).softmax(-1)

# %% wrong: squares advice="The change is squared: take its absolute value." of="base"
# was:     changes = (old - new).abs()
# becomes: changes = (old - new) ** 2

# %% wrong: replaced by 0 advice="The replacement is not used: append it to tokens[:, :start]." of="base"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes: changed = torch.cat([tokens[:, :start], 0 * replacement], dim=1)

# %% wrong: sequence 0 alone advice="Only sequence 0 is compared: take the largest change of all sequences." of="base"
# was:     changes = (old - new).abs()
# becomes: changes = (old[0] - new[0]).abs()

# %% wrong: token at start kept advice="The replacement begins one position too late: it begins at start." of="base"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes: changed = torch.cat([tokens[:, :start + 1], replacement[:, 1:]], dim=1)

# %% wrong: replacement first advice="The replacement comes first: tokens[:, :start] has to come first, then the replacement." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([replacement, tokens[:, :start]], dim=1)

# %% wrong: what is in front replaced advice="The tokens before start are replaced: keep tokens[:, :start], and replace those from start on." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([replacement, tokens[:, replacement.shape[1]:]], dim=1)

# %% wrong: mean of squares advice="The squares of the changes are averaged: return the largest absolute change." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float(F.mse_loss(model(tokens)[:, :start], model(changed)[:, :start]))

# %% wrong: only changed positions compared advice="The logits from start on are compared, and these may change: compare those before start, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, start:] - model(changed)[:, start:]).abs().max())

# %% wrong: only the position at start advice="The logits at start are compared: the last ones that must not change are those at start − 1, so cut with [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, start] - model(changed)[:, start]).abs().max())

# %% wrong: only the last position advice="The logits of the last position are compared: compare all those before start, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, -1] - model(changed)[:, -1]).abs().max())

# %% wrong: the first position alone advice="Only position 0 is compared: compare all positions before start, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, 0] - model(changed)[:, 0]).abs().max())

# %% wrong: only the last two positions before start advice="Only the last positions before start are compared: an earlier one may see ahead, so compare all of them, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start])[:, -2:].abs().max())

# %% wrong: position 0 left out advice="Position 0 is left out: compare all positions before start, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, 1:start] - model(changed)[:, 1:start]).abs().max())

# %% wrong: nothing replaced advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], tokens[:, start:]], dim=1)

# %% wrong: a clone that is not used advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     tokens = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = tokens

# %% wrong: the model sees what is before start advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens[:, :start]) - model(changed[:, :start])).abs().max())

# %% wrong: always 0 advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return 0.0

# %% wrong: the tokens themselves compared advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((tokens[:, :start] - changed[:, :start]).abs().max())

# %% wrong: tokens overwritten before the model sees them advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = tokens
# becomes:     changed[:, start:] = replacement

# %% wrong: tokens overwritten after the model saw them says="differs from its value before" of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     before = model(tokens)[:, :start]
# becomes:     tokens[:, start:] = replacement
# becomes:     return float((before - model(tokens)[:, :start]).abs().max())

# %% wrong: a view overwritten says="differs from its value before" of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     before = model(tokens)[:, :start]
# becomes:     tokens.view(-1, tokens.shape[1])[:, start:].copy_(replacement)
# becomes:     return float((before - model(tokens)[:, :start]).abs().max())

# %% wrong: signed, new minus old advice="The sign is not removed correctly: take abs() of the difference of the logits, element by element, and then the maximum." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(changed)[:, :start] - model(tokens)[:, :start]).max())

# %% wrong: absolute value last advice="The sign is not removed correctly: take abs() of the difference of the logits, element by element, and then the maximum." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).max().abs())

# %% wrong: absolute values of the logits advice="The sign is not removed correctly: take abs() of the difference of the logits, element by element, and then the maximum." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start].abs() - model(changed)[:, :start].abs()).max())

# %% wrong: difference of two largest logits advice="The maxima of the logits are compared: subtract the logits element by element first, then take the largest abs()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start].max() - model(changed)[:, :start].max()).abs())

# %% wrong: difference of two largest absolute logits advice="The maxima of the logits are compared: subtract the logits element by element first, then take the largest abs()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start].abs().max() - model(changed)[:, :start].abs().max()).abs())

# %% wrong: mean of each row's largest advice="The changes are averaged: return the largest of them, max()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().amax(dim=-1).mean())

# %% wrong: mean of the sequences' largest advice="The changes are averaged: return the largest of them, max()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().amax(dim=(1, 2)).mean())

# %% wrong: smallest advice="The smallest change is returned: return the largest, max()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().min())

# %% wrong: length of the change advice="This is the length of all changes together, the root of the sum of their squares: return the largest absolute change." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).norm())

# %% wrong: log-probabilities advice="There is a log_softmax that doesn't belong here: compare the logits themselves." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens).log_softmax(-1)[:, :start] - model(changed).log_softmax(-1)[:, :start]).abs().max())

# %% wrong: the most probable tokens advice="The indices of the largest logits are compared: compare the logits themselves." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start].argmax(-1) - model(changed)[:, :start].argmax(-1)).abs().max())

# %% wrong: yes or no advice="The result only says whether there is a leak: return how large it is." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] != model(changed)[:, :start]).any())

# %% wrong: how many advice="This counts the logits that change: return the largest change." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] != model(changed)[:, :start]).sum())

# %% wrong: share of logits that change advice="This counts the logits that change: return the largest change." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] != model(changed)[:, :start]).double().mean())

# %% wrong: place of the largest advice="This is the index of the largest change: return the change itself, max()." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().argmax())

# %% wrong: relative change advice="The change is divided by the logits: return the change itself." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     old, new = model(tokens)[:, :start], model(changed)[:, :start]
# becomes:     return float(((old - new).abs() / (old.abs() + 1e-9)).max())

# %% wrong: relative change, 0 / 0 advice="The change is divided by the logits: return the change itself." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     old, new = model(tokens)[:, :start], model(changed)[:, :start]
# becomes:     return float(((old - new) / old).abs().max())

# %% wrong: largest over the largest advice="The change is divided by the logits: return the change itself." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     old, new = model(tokens)[:, :start], model(changed)[:, :start]
# becomes:     return float((old - new).abs().max() / old.abs().max())

# %% wrong: the last sequence alone advice="Only the last sequence is compared: take the largest change of all sequences." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[-1, :start] - model(changed)[-1, :start]).abs().max())

# %% wrong: letter 1 alone advice="Only one logit of each position is compared: take the largest change of all of them." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start, 1] - model(changed)[:, :start, 1]).abs().max())

# %% wrong: cut along the sequences advice="The logits from start on are compared, too, and these may change: compare only those before start, [:, :start], on the axis of the positions." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:start] - model(changed)[:start]).abs().max())

# %% wrong: cut along the letters advice="The slice cuts the vocabulary, not the positions: positions are axis 1, [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[..., :start] - model(changed)[..., :start]).abs().max())

# %% wrong: two positions compared advice="Logits of different positions are compared: slice both with [:, :start]." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, 1:start + 1]).abs().max())

# %% wrong: one token too few advice="Tokens before start are changed: keep tokens[:, :start], and append the replacement." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start - 1], replacement, tokens[:, -1:]], dim=1)

# %% wrong: one token too many advice="The replacement begins one position too late: it begins at start." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start + 1], replacement[:, :-1]], dim=1)

# %% wrong: only the token at start replaced advice="Not all tokens from start on are replaced: use the whole replacement." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], replacement[:, :1], tokens[:, start + 1:]], dim=1)

# %% wrong: replaced by the tokens turned round advice="The replacement is not used: append it to tokens[:, :start]." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], tokens[:, start:].flip(1)], dim=1)

# %% wrong: replaced by the next tokens advice="The replacement is not used: append it to tokens[:, :start]." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], tokens[:, start:] + 1], dim=1)

# %% wrong: replacement added advice="The replacement is added to the tokens: replace them by it." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], tokens[:, start:] + replacement], dim=1)

# %% wrong: replacement of sequence 0 for all advice="Every sequence got the replacement of sequence 0: each has its own." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], replacement[:1].expand_as(replacement)], dim=1)

# %% wrong: replacement turned round advice="The replacement is reversed: keep its order." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], replacement.flip(1)], dim=1)

# %% wrong: put behind all tokens advice="This gives 0 where there is a leak: compare all positions before start, of tokens and of a new tensor with the replacement from start on." of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens, replacement], dim=1)

# %% wrong: put behind all tokens, all compared says="must match the size of" of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     changed = torch.cat([tokens, replacement], dim=1)
# becomes:     return float((model(tokens) - model(changed)).abs().max())

# %% wrong: joined along the sequences says="Sizes of tensors must match" of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = torch.cat([tokens[:, :start], replacement])

# %% wrong: the model of the replacement alone says="must match the size of" of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(replacement)[:, :start]).abs().max())

# %% wrong: replacement cut again says="make the sizes fit" of="reference"
# was:     changed = torch.cat([tokens[:, :start], replacement], dim=1)
# becomes:     changed = tokens.clone()
# becomes:     changed[:, start:] = replacement[:, start:]

# %% wrong: one change for each sequence advice="The largest change of each sequence is returned: return one number, the largest of all." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return (model(tokens)[:, :start] - model(changed)[:, :start]).abs().amax(dim=(1, 2))

# %% wrong: one change for each position advice="The largest change of each position is returned: return one number, the largest of all." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return (model(tokens)[:, :start] - model(changed)[:, :start]).abs().amax(dim=(0, 2))

# %% wrong: largest of each row, values and places advice="Return one number, the largest change of all: max() without an axis." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return (model(tokens)[:, :start] - model(changed)[:, :start]).abs().max(dim=-1)

# %% wrong: all changes advice="All changes is returned: return one number, the largest of them." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return (model(tokens)[:, :start] - model(changed)[:, :start]).abs()

# %% wrong: float of a table says="rror" of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs())

# %% wrong: no return says="the result is None" of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     largest = float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())

# %% wrong: a dict says="not an array of numbers" of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return {"change": float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())}

# %% wrong: a pair says="not an array of numbers" of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max()), changed

# %% wrong: a list of one advice="The result is a list: return a number." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return [float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())]

# %% wrong: minus the leak advice="The sign is wrong: return the largest absolute change, which is never negative." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return -float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())

# %% wrong: half of it advice="The differences are halved: return the largest absolute change." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max()) / 2

# %% wrong: logits added advice="The logits are added: subtract them." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float((model(tokens)[:, :start] + model(changed)[:, :start]).abs().max())

# %% wrong: the changed logits alone advice="The result is the largest logit: compare the logits of tokens with those of the changed tokens." of="reference"
# was:     return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
# becomes:     return float(model(changed)[:, :start].abs().max())

# %% wrong: only three sequences are compared says="in the leak" unseen="no visible test has such an input" visible=false fails=["leak-test"]
def leak(model, tokens, start, replacement):
    other = torch.cat([tokens[:, :start], replacement], dim=1)
    return (model(tokens) - model(other))[:3, :start].abs().max().item()
