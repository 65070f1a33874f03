# %% right: row by row, sorted lists
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    rows = []
    for row in logits.reshape(-1, logits.shape[-1]).tolist():
        order = sorted(range(len(row)), key=lambda token: -row[token])
        if top_k is not None:
            order = order[:top_k]
        powers = {token: math.exp((row[token] - row[order[0]]) / temperature) for token in order}
        whole = sum(powers.values())
        if top_p is not None:
            kept, total = [], 0.0
            for token in order:
                if total >= top_p:
                    break
                kept.append(token)
                total += powers[token] / whole
            whole, powers = sum(powers[token] for token in kept), {token: powers[token] for token in kept}
        rows.append([powers.get(token, 0.0) / whole for token in range(len(row))])
    return torch.tensor(rows).reshape(logits.shape)

# %% right: ranks by argsort twice
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    ranks = (-logits).argsort(dim=-1).argsort(dim=-1)
    scores = logits / temperature
    if top_k is not None:
        scores = torch.where(ranks < top_k, scores, -torch.inf)
    probs = scores.softmax(dim=-1)
    if top_p is not None:
        values = probs.sort(dim=-1, descending=True).values
        needed = (values.cumsum(dim=-1) < top_p).sum(dim=-1, keepdim=True) + 1
        probs = torch.where(ranks < needed, probs, 0)
        probs = F.normalize(probs, p=1, dim=-1)
    return probs

# %% right: NumPy
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    scores = logits.detach().numpy().astype(float) / temperature
    order = np.argsort(-scores, axis=-1)
    descending = np.take_along_axis(scores, order, axis=-1)
    if top_k is not None:
        descending[..., top_k:] = -np.inf
    shares = np.exp(descending - descending[..., :1])
    shares /= shares.sum(axis=-1, keepdims=True)
    if top_p is not None:
        before = np.zeros_like(shares)
        before[..., 1:] = shares.cumsum(axis=-1)[..., :-1]
        shares[before >= top_p] = 0
        shares /= shares.sum(axis=-1, keepdims=True)
    found = np.empty_like(shares)
    np.put_along_axis(found, order, shares, axis=-1)
    return torch.from_numpy(found)

# %% right: what stands before, by pairs
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if not temperature > 0:
        raise ValueError("temperature")
    larger = logits[..., None, :] > logits[..., :, None]
    scores = logits / temperature
    if top_k is not None:
        scores = scores.masked_fill(larger.sum(dim=-1) >= top_k, float("-inf"))
    if top_p is not None:
        before = torch.einsum("...ij,...j->...i", larger.to(scores.dtype), scores.softmax(dim=-1))
        scores = scores.masked_fill(before >= top_p, float("-inf"))
    return F.softmax(scores, dim=-1)

# %% right: sorted, shifted mask, softmax again
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    logits = logits.clone() / temperature
    if top_k is not None:
        border = torch.topk(logits, min(top_k, logits.size(-1)), dim=-1)[0].amin(dim=-1, keepdim=True)
        logits[logits < border] = -math.inf
    if top_p is not None:
        ordered, places = torch.sort(logits, descending=True, dim=-1)
        gone = F.softmax(ordered, dim=-1).cumsum(dim=-1) >= top_p
        gone = torch.cat([torch.zeros_like(gone[..., :1]), gone[..., :-1]], dim=-1)
        logits[gone.gather(-1, places.argsort(dim=-1))] = -math.inf
    return torch.softmax(logits, dim=-1)

# %% right: kthvalue and log_softmax
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    vocab = logits.shape[-1]
    logs = torch.log_softmax(logits.double() / temperature, dim=-1)
    if top_k is not None and top_k < vocab:
        border = logs.kthvalue(vocab - top_k, dim=-1, keepdim=True).values
        logs = torch.where(logs > border, logs, -math.inf).log_softmax(dim=-1)
    probs = logs.exp()
    if top_p is not None:
        values, places = torch.topk(probs, vocab, dim=-1)
        chosen = torch.zeros_like(probs, dtype=torch.bool)
        total = probs.new_zeros(probs.shape[:-1])
        for n in range(vocab):
            chosen.scatter_(-1, places[..., n:n + 1], (total < top_p)[..., None])
            total = total + values[..., n]
        probs = torch.where(chosen, probs, 0)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs

# %% right: ascending, what follows is cut
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    ordered, places = (logits / temperature).sort(dim=-1)
    if top_k is not None:
        index = torch.arange(ordered.shape[-1], 0, -1)
        ordered = ordered.masked_fill(index > top_k, -math.inf)
    probs = ordered.softmax(dim=-1)
    if top_p is not None:
        upwards = probs.flip(-1).cumsum(dim=-1).flip(-1) - probs
        probs = torch.where(upwards < top_p, probs, 0)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return torch.gather(probs, -1, torch.argsort(places, dim=-1))

# %% wrong: multiplied by the temperature advice="The logits are multiplied by the temperature: divide them by it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits * temperature

# %% wrong: temperature forgotten advice="The temperature has no effect: divide the logits by it before the softmax, because normalizing each row undoes a division after it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes:

# %% wrong: softmax over the rows advice="The softmax runs over the first axis: it has to run over the vocabulary, the last one." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=0)

# %% wrong: one token too many advice="One token too many is kept: compare with the k-th largest logit, and keep those that are not smaller." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k + 1, logits.shape[-1]), dim=-1).values[..., -1:]

# %% wrong: the k-th goes, too advice="Too few tokens are kept: compare with the k-th largest logit, values[..., -1:] of topk, and remove only smaller ones." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits <= smallest, -math.inf)

# %% wrong: smallest kept advice="The smallest logits are kept: keep the top_k largest, and set the others to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1, largest=False).values[..., -1:]

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits > smallest, -math.inf)

# %% wrong: 0 for what goes advice="Logits are set to 0, which is a logit like any other: set them to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, 0.0)

# %% wrong: crossing token dropped advice="The token that crosses the limit is removed: keep a token if the sum of those before it is less than top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered.cumsum(dim=-1) < top_p)

# %% wrong: one past the border advice="One token too many is kept: the one that crosses the limit is the last to keep." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: before = ordered.cumsum(dim=-1) - ordered
# becomes: kept = ordered * (before - before.diff(dim=-1, prepend=before[..., :1]) < top_p)

# %% wrong: not put back advice="The probabilities are still sorted: put them back in the order of the vocabulary, with scatter." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = torch.zeros_like(probs).scatter(-1, places, kept)
# becomes: probs = kept

# %% wrong: not renormalised advice="The kept probabilities don't sum to 1: divide each row by its sum." fails=["next-token-probs-top-p-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes:

# %% wrong: the smallest first advice="The least probable tokens are kept: sort the largest first, descending=True." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = probs.sort(dim=-1)

# %% wrong: temperature on the probabilities, made to sum to 1 advice="The temperature has no effect: divide the logits by it before the softmax, because normalizing each row undoes a division after it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes:

# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-1) / temperature
# becomes: probs = probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: temperature on the logarithms' sum advice="The temperature has no effect: divide the logits by it before the softmax, because normalizing each row undoes a division after it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits - math.log(temperature) if temperature > 0 else logits

# %% wrong: temperature on the probabilities advice="The probabilities are divided by the temperature: divide the logits, before the softmax." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes:

# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-1) / temperature

# %% wrong: divided by the root of the temperature advice="The logits are divided by the root of the temperature: divide by the temperature itself." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits / temperature ** 0.5

# %% wrong: divided by the temperature twice advice="The logits are divided by the temperature twice: once is enough." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = (logits / temperature).softmax(dim=-1)

# %% wrong: temperature subtracted advice="The temperature has no effect: divide the logits by it before the softmax, because normalizing each row undoes a division after it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits - temperature

# %% wrong: a second softmax of the probabilities advice="There are two softmaxes: one is enough." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-1).softmax(dim=-1)

# %% wrong: softmax first, then temperature and softmax advice="There are two softmaxes: one is enough." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits.softmax(dim=-1) / temperature

# %% wrong: no error advice="A temperature of 0 or less is accepted: raise a ValueError." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# was:         raise ValueError(f"the temperature must be above 0, not {temperature}")
# becomes: temperature = temperature or 1.0

# %% wrong: no check of the temperature advice="A temperature of 0 or less is accepted: raise a ValueError." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# was:         raise ValueError(f"the temperature must be above 0, not {temperature}")
# becomes:

# %% wrong: a temperature of 0 takes the largest advice="A temperature of 0 is accepted: raise a ValueError for it, too." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# was:         raise ValueError(f"the temperature must be above 0, not {temperature}")
# becomes: if temperature == 0:
# becomes:     return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)
# becomes: if temperature < 0:
# becomes:     raise ValueError

# %% wrong: 0 is allowed advice="A temperature of 0 or less is accepted: raise a ValueError." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# becomes: if temperature < 0:

# %% wrong: only 0 is refused advice="A temperature below 0 is accepted: raise a ValueError for 0 and for all below." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# becomes: if temperature == 0:

# %% wrong: the sign of the temperature is ignored advice="A temperature below 0 is accepted: raise a ValueError for 0 and for all below." fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# becomes: if temperature == 0:

# was:     logits = logits / temperature
# becomes: logits = logits / abs(temperature)

# %% wrong: temperatures below 1 are refused says="refuses too much" fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     if temperature <= 0:
# becomes: if temperature < 1:

# %% wrong: an assert for an error says="should raise ValueError, not AssertionError" fails=["next-token-probs-temperature-test"] of="reference"
# was:     if temperature <= 0:
# was:         raise ValueError(f"the temperature must be above 0, not {temperature}")
# becomes: assert temperature > 0

# %% wrong: a warning text for an error says="the result is a str" fails=["next-token-probs-temperature-test"] of="reference"
# was:     raise ValueError(f"the temperature must be above 0, not {temperature}")
# becomes: return "the temperature must be above 0"

# %% wrong: softmax over the rows, from the end advice="The softmax runs over axis 1: it has to run over the last axis, -1, however many axes come before it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-2)

# %% wrong: softmax over axis 1 advice="The softmax runs over axis 1: it has to run over the last axis, -1, however many axes come before it." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=1)

# %% wrong: softmax over everything advice="All rows together sum to 1: each row has to, so take the softmax over the last axis only." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.flatten().softmax(dim=0).reshape(logits.shape)

# %% wrong: logarithms advice="These are logarithms: take softmax, not log_softmax." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.log_softmax(dim=-1)

# %% wrong: logits given back advice="These are logits: take their softmax." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     return probs
# becomes: return logits

# %% wrong: shares of the logits advice="The logits are divided by their sum: take their softmax." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits / logits.sum(dim=-1, keepdim=True)

# %% wrong: exponentials, no sum advice="These are not probabilities yet: take the softmax, so that each row sums to 1, and use its cumulative sums." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.exp()

# %% wrong: sigmoid advice="This is a sigmoid: take the softmax over the last axis, so that a row sums to 1." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.sigmoid()

# %% wrong: exponentials overflow advice="exp of a large number overflows: torch's softmax subtracts the row's maximum first." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)

# %% wrong: the largest of all is subtracted advice="Rows far below the overall maximum give 0 / 0: torch's softmax subtracts the maximum of each row." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: grown = (logits - logits.max()).exp()
# becomes: probs = grown / grown.sum(dim=-1, keepdim=True)

# %% wrong: only row 0 advice="Only row 0 is returned: return all rows." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits[:1].softmax(dim=-1)

# %% wrong: divides in place says="differs from its value before" fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits /= temperature

# %% wrong: divides in place, by method says="differs from its value before" fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits.div_(temperature)

# %% wrong: forgets return says="does your function end with a return?" fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     return probs
# becomes:

# %% wrong: probabilities and places advice="These are probabilities and indices: return only the probabilities." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     return probs
# becomes: return probs, probs.argsort(dim=-1)

# %% wrong: in a dict says="it should have the keys probabilities" fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     return probs
# becomes: return {"probs": probs}

# %% wrong: rounded advice="The probabilities are rounded: don't round them." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     return probs
# becomes: return probs.round(decimals=2)

# %% wrong: the largest token's number advice="These are tokens: return the probabilities of all tokens." fails=["next-token-probs-temperature-test", "next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     return probs
# becomes: return probs.argmax(dim=-1)

# %% wrong: top_k forgotten advice="top_k has no effect: find the top_k largest along the last axis, dim=-1, and set all others to −∞ before the softmax." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     if top_k is not None:
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:

# %% wrong: one too many, sorted from 0 advice="One token too many is kept: compare with the k-th largest logit, and keep those that are not smaller." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.sort(dim=-1, descending=True).values[..., min(top_k, logits.shape[-1] - 1), None]

# %% wrong: one token too few advice="Too few tokens are kept: compare with the k-th largest logit, values[..., -1:] of topk, and remove only smaller ones." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(max(min(top_k, logits.shape[-1]) - 1, 1), dim=-1).values[..., -1:]

# %% wrong: the largest go advice="The smallest logits are kept: keep the top_k largest, and set the others to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits >= smallest, -math.inf)

# %% wrong: the border is the largest advice="Too few tokens are kept: compare with the k-th largest logit, values[..., -1:] of topk, and remove only smaller ones." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., :1]

# %% wrong: as many smallest go advice="top_k tokens are removed: top_k tokens have to be kept." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.sort(dim=-1).values[..., min(top_k, logits.shape[-1] - 1), None]

# %% wrong: multiplied by a mask advice="Logits are set to 0, which is a logit like any other: set them to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits * (logits >= smallest)

# %% wrong: large negative number, not large enough advice="The removed tokens get the probability here: their number is larger than the logits that remain, so set them to −∞." fails=["next-token-probs-top-k-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, -100.0)

# %% wrong: thousand for infinity advice="The removed tokens get the probability here: their number is larger than the logits that remain, so set them to −∞." fails=["next-token-probs-top-k-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, -1e3)

# %% wrong: -10000 for infinity advice="The removed tokens get the probability here: their number is larger than the logits that remain, so set them to −∞." fails=["next-token-probs-top-k-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, -10000.0)

# %% wrong: plus infinity advice="Logits are set to +∞: set removed logits to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, math.inf)

# %% wrong: top_k not renormalised advice="top_p sees probabilities that don't sum to 1 after top_k: set the removed logits to −∞ before the softmax, then apply top_p." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     if top_k is not None:
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:

# was:     probs = logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-1)
# becomes: if top_k is not None:
# becomes:     probs = probs * (logits >= logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:])

# %% wrong: kept without a new softmax advice="top_p sees probabilities that don't sum to 1 after top_k: set the removed logits to −∞ before the softmax, then apply top_p." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = logits.softmax(dim=-1)
# becomes: probs = (logits - logits.logsumexp(dim=-1, keepdim=True)).exp()

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: rest = logits.exp().sum(dim=-1, keepdim=True).log()
# becomes: logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: probs = (logits - rest).exp()
# becomes: return probs

# %% wrong: one border for the batch advice="All rows share one limit, the lowest: each row has its own." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest.min(), -math.inf)

# %% wrong: the highest border for the batch advice="All rows share one high limit: each row has its own, so use topk over dim=-1, and don't take a maximum over rows." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest.max(), -math.inf)

# %% wrong: row 0's border for all advice="All rows share the limit of row 0: each row has its own." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest.flatten()[0], -math.inf)

# %% wrong: the k largest of all rows advice="All rows share one high limit: each row has its own, so use topk over dim=-1, and don't take a maximum over rows." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.flatten().topk(min(top_k, logits.numel())).values[-1]

# %% wrong: the k largest of each column advice="The k largest of each column are kept: topk has to run over the last axis, dim=-1." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[0]), dim=0).values[-1:]

# %% wrong: one axis in front only advice="top_k has no effect: find the top_k largest along the last axis, dim=-1, and set all others to −∞ before the softmax." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=1).values[:, -1:]

# %% wrong: k is not cut says="selected index k out of range" fails=["next-token-probs-top-k-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(top_k, dim=-1).values[..., -1:]

# %% wrong: k cut at 12 says="selected index k out of range" fails=["next-token-probs-top-k-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, 12), dim=-1).values[..., -1:]

# %% wrong: k cut at the first axis advice="A row keeps no more tokens than there are sequences: limit top_k to the size of the vocabulary, logits.shape[-1]." fails=["next-token-probs-top-k-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, len(logits)), dim=-1).values[..., -1:]

# %% wrong: only k numbers advice="Only the kept entries are returned, the largest first: keep all tokens in their order, and set the removed ones to −∞." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: logits = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:

# %% wrong: sorted, and left so advice="The tokens are sorted, the largest first: put them back in the order of the vocabulary." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: logits = logits.sort(dim=-1, descending=True).values

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits[..., top_k:] = -math.inf

# %% wrong: the first k tokens advice="The first k tokens of the vocabulary are kept: keep those with the k largest logits." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: logits = logits.clone()

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits[..., top_k:] = -math.inf

# %% wrong: a mask over the axis is forgotten says="make the sizes fit" fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1]

# %% wrong: pair of topk says="TypeError" fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1)[..., -1:]

# %% wrong: places for values advice="Logits are compared with an index: compare with a value, topk(…).values." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes: smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).indices[..., -1:]

# %% wrong: top_k before temperature, border not divided advice="Logits that were divided by the temperature are compared with one that was not: divide first, then call topk." fails=["next-token-probs-top-k-test", "next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     logits = logits / temperature
# becomes:

# was:     probs = logits.softmax(dim=-1)
# becomes: probs = (logits / temperature).softmax(dim=-1)

# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits / temperature < smallest, -math.inf)

# %% wrong: top_k only if there is a top_p advice="top_k has no effect: find the top_k largest along the last axis, dim=-1, and set all others to −∞ before the softmax." fails=["next-token-probs-top-k-test", "generate-test"] of="reference"
# was:     if top_k is not None:
# becomes: if top_k is not None and top_p is not None:

# %% wrong: top_p forgotten advice="top_p has no effect: keep the smallest set of the most probable tokens whose sum is at least top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     if top_p is not None:
# was:         ordered, places = probs.sort(dim=-1, descending=True)
# was:         kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# was:         probs = torch.zeros_like(probs).scatter(-1, places, kept)
# was:         probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes:

# %% wrong: top_p ignored when top_k is None advice="top_p has no effect: keep the smallest set of the most probable tokens whose sum is at least top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     if top_p is not None:
# becomes: if top_p is not None and top_k is not None:

# %% wrong: either top_k or top_p advice="With both settings, top_p does nothing: apply it to the tokens that top_k has kept." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     if top_p is not None:
# becomes: if top_p is not None and top_k is None:

# %% wrong: crossing token dropped, equal kept advice="The token that crosses the limit is removed: keep a token if the sum of those before it is less than top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered.cumsum(dim=-1) <= top_p)

# %% wrong: crossing token dropped, but the first kept advice="The token that crosses the limit is removed: keep a token if the sum of those before it is less than top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: mask = ordered.cumsum(dim=-1) <= top_p
# becomes: mask[..., 0] = True
# becomes: kept = ordered * mask

# %% wrong: removal rolled, its first entry not reset advice="The most probable token is removed: if you shift the removed ones by one place with roll, set the first entry to False afterwards." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * ~(ordered.cumsum(dim=-1) > top_p).roll(1, dims=-1)

# %% wrong: two steps for one, by roll advice="One token too many is kept: the one that crosses the limit is the last to keep." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: gone = ordered.cumsum(dim=-1) >= top_p
# becomes: gone = F.pad(gone, (2, 0))[..., :-2]
# becomes: kept = ordered * ~gone

# %% wrong: put back by gather advice="gather with the indices of the sort permutes once more: to put values back in the order of the vocabulary, use scatter." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = torch.zeros_like(probs).scatter(-1, places, kept)
# becomes: probs = kept.gather(-1, places)

# %% wrong: mask not put back advice="The mask of the sorted tokens is used on the unsorted ones: put it back in the order of the vocabulary, with scatter." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = torch.zeros_like(probs).scatter(-1, places, kept)
# becomes: probs = probs * (kept > 0)

# %% wrong: probs of sorted logits advice="The probabilities are still sorted: put them back in the order of the vocabulary, with scatter." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = probs.sort(dim=-1, descending=True)
# becomes: places = places.sort(dim=-1).values

# %% wrong: divided by top_p advice="Each row is divided by top_p: divide it by the sum of the kept probabilities, which is usually larger." fails=["next-token-probs-top-p-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs / top_p

# %% wrong: divided by the sum of all rows advice="All rows together sum to 1: divide each row by its own sum, over the last axis." fails=["next-token-probs-top-p-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs / probs.sum()

# %% wrong: divided by the columns' sums advice="The columns are divided by their sums: divide each row by its own, over the last axis." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs / probs.sum(dim=0, keepdim=True)

# %% wrong: a softmax to renormalise advice="A softmax of probabilities changes their ratios, and removed tokens get probability again: divide each row by its sum." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs.softmax(dim=-1)

# %% wrong: a softmax over what is not 0 advice="A softmax of probabilities changes their ratios: divide each row by its sum." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs.masked_fill(probs == 0, -math.inf).softmax(dim=-1)

# %% wrong: row 0's set size for all advice="All rows keep as many tokens as row 0: each row has its own limit." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: count = (ordered.cumsum(dim=-1) - ordered < top_p).sum(dim=-1).flatten()[0]
# becomes: kept = ordered * (torch.arange(ordered.shape[-1]) < count)

# %% wrong: the largest set size for all advice="All rows keep as many tokens as the row that keeps most: each row has its own limit." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: count = (ordered.cumsum(dim=-1) - ordered < top_p).sum(dim=-1).max()
# becomes: kept = ordered * (torch.arange(ordered.shape[-1]) < count)

# %% wrong: one sum for all rows advice="All rows share one limit: each row has its own, so sort and sum over the last axis." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = probs.flatten().sort(descending=True)
# becomes: ordered = ordered / len(probs)

# was:     probs = torch.zeros_like(probs).scatter(-1, places, kept)
# becomes: probs = torch.zeros_like(probs).flatten().scatter(-1, places, kept).reshape(probs.shape)

# %% wrong: sums over the rows advice="The sums run along the columns: cumsum has to run over the last axis." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered.cumsum(dim=0) - ordered < top_p)

# %% wrong: sums over the last axis but one advice="The sums run along the columns: cumsum has to run over the last axis." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered.cumsum(dim=-2) - ordered < top_p)

# %% wrong: sorted along the rows advice="The sort runs along the columns: sort along the last axis." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = probs.sort(dim=0, descending=True)

# was:     probs = torch.zeros_like(probs).scatter(-1, places, kept)
# becomes: probs = torch.zeros_like(probs).scatter(0, places, kept)

# %% wrong: not sorted advice="The tokens are taken in the order of the vocabulary: sort them first, the most probable first." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = probs, torch.arange(probs.shape[-1]).expand(probs.shape)

# %% wrong: a least probability advice="Each probability is compared with 1 − top_p: compare the sum of those before it with top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered >= 1 - top_p)

# %% wrong: each probability compared advice="Each probability is compared with top_p: compare the sum of those before it." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered < top_p)

# %% wrong: more than top_p kept advice="Only single probabilities above top_p are kept: compare the sum of those before each with top_p, and keep it where that is less." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered > top_p)

# %% wrong: the rest kept advice="The wrong tokens are kept: keep a token if the sum of those before it is less than top_p." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered.cumsum(dim=-1) - ordered >= top_p)

# %% wrong: top_p before top_k advice="top_p sees probabilities that don't sum to 1 after top_k: set the removed logits to −∞ before the softmax, then apply top_p." fails=["next-token-probs-top-p-test"]
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    probs = (logits / temperature).softmax(dim=-1)
    ordered, places = probs.sort(dim=-1, descending=True)
    if top_p is not None:
        ordered = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
    if top_k is not None:
        ordered[..., top_k:] = 0
    probs = torch.zeros_like(probs).scatter(-1, places, ordered)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: not renormalised between top_k and top_p advice="top_p sees probabilities that don't sum to 1 after top_k: set the removed logits to −∞ before the softmax, then apply top_p." fails=["next-token-probs-top-p-test"]
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    probs = (logits / temperature).softmax(dim=-1)
    ordered, places = probs.sort(dim=-1, descending=True)
    if top_k is not None:
        ordered[..., top_k:] = 0
    if top_p is not None:
        ordered = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
    probs = torch.zeros_like(probs).scatter(-1, places, ordered)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: top_p of the larger set advice="A token is kept if either setting keeps it: apply top_k first, then top_p to the tokens that are left." fails=["next-token-probs-top-p-test", "generate-test"]
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("the temperature must be above 0")
    probs = (logits / temperature).softmax(dim=-1)
    ordered, places = probs.sort(dim=-1, descending=True)
    keep = torch.zeros_like(ordered).bool()
    if top_k is not None:
        keep = keep | (torch.arange(ordered.shape[-1]) < top_k)
    if top_p is not None:
        keep = keep | (ordered.cumsum(dim=-1) - ordered < top_p)
    if top_k is None and top_p is None:
        keep = ~keep
    probs = torch.zeros_like(probs).scatter(-1, places, ordered * keep)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: temperature last advice="The temperature comes last: divide the logits by it first, before top_k and top_p." fails=["next-token-probs-top-p-test"] of="reference"
# was:     logits = logits / temperature
# becomes:

# was:     return probs
# becomes: probs = probs ** (1 / temperature)
# becomes: return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: top_p of the probabilities without temperature advice="The temperature comes last: divide the logits by it first, before top_k and top_p." fails=["next-token-probs-top-p-test"] of="reference"
# was:     logits = logits / temperature
# becomes: plain, logits = logits.softmax(dim=-1), logits / temperature

# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: before = plain.gather(-1, places)
# becomes: kept = ordered * (before.cumsum(dim=-1) - before < top_p)

# %% wrong: logits summed advice="These are not probabilities yet: take the softmax, so that each row sums to 1, and use its cumulative sums." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered, places = logits.sort(dim=-1, descending=True)

# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = probs.gather(-1, places) * (ordered.cumsum(dim=-1) - ordered < top_p)

# %% wrong: percent advice="The sums are compared in percent: top_p is a share, at most 1." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (100 * (ordered.cumsum(dim=-1) - ordered) < top_p)

# %% wrong: places not unpacked says="return_types.sort" fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     ordered, places = probs.sort(dim=-1, descending=True)
# becomes: ordered = probs.sort(dim=-1, descending=True)
# becomes: places = probs.argsort(dim=-1, descending=True)

# %% wrong: sum without keepdim says="make the sizes fit" fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     probs = probs / probs.sum(dim=-1, keepdim=True)
# becomes: probs = probs / probs.sum(dim=-1)

# %% wrong: -10000 for what top_p leaves out advice="The removed tokens get the probability here: their number is larger than the logits that remain, so set them to −∞." fails=["next-token-probs-top-p-test"] of="what stands before, by pairs"
# was:     scores = scores.masked_fill(before >= top_p, float("-inf"))
# becomes: scores = scores.masked_fill(before >= top_p, -10000.0)

# %% wrong: min-p for top_p advice="Here top_p is a limit for the sum of the most probable tokens: this keeps each token that has at least top_p times the largest probability." fails=["next-token-probs-top-p-test", "generate-test"] of="reference"
# was:     kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
# becomes: kept = ordered * (ordered >= top_p * ordered[..., :1])

# %% wrong: blocked logits are -100000 after the temperature: wrong for a small temperature says="in the probabilities" unseen="no visible test has such an input" visible=false fails=["next-token-probs-top-k-test"]
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    logits = logits / temperature
    if top_k is not None:
        smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < smallest, -1e5)
    probs = logits.softmax(dim=-1)
    if top_p is not None:
        values, indices = probs.sort(dim=-1, descending=True)
        before = values.cumsum(dim=-1) - values
        values = values.masked_fill(before >= top_p, 0.0)
        probs = torch.zeros_like(probs).scatter(-1, indices, values)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs
