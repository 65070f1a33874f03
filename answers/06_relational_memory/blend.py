# %% right: one softmax over slots and token, the gate is its last column
def blend(slot_scores, token_score, slot_values, token_value):
    weights = softmax(np.concatenate([slot_scores, token_score[..., None]], axis=-1))
    values = np.concatenate([slot_values, np.expand_dims(token_value, -2)], axis=-2)
    return weights @ values, weights[..., -1]

# %% right: exponentials below the largest score, einsum
def blend(slot_scores, token_score, slot_values, token_value):
    largest = np.maximum(slot_scores.max(-1), token_score)
    new = np.exp(token_score - largest)
    grown = np.exp(slot_scores - largest[..., None])
    total = new + grown.sum(-1)
    mixed = np.einsum("...qn,...nd->...qd", grown, slot_values) + np.einsum("...q,...d->...qd", new, token_value)
    return mixed / total[..., None], new / total

# %% right: loops over all queries
def blend(slot_scores, token_score, slot_values, token_value):
    gate = np.zeros(token_score.shape)
    attended = np.zeros((*token_score.shape, slot_values.shape[-1]))
    for place in np.ndindex(*token_score.shape):
        front = place[:-1]
        top = slot_scores[place].max()
        grown = np.exp(slot_scores[place] - top)
        g = 1 / (1 + np.exp(top + np.log(grown.sum()) - token_score[place]))
        recalled = sum(w * value for w, value in zip(grown / grown.sum(), slot_values[front]))
        gate[place] = g
        attended[place] = (1 - g) * recalled + g * token_value[front]
    return attended, gate

# %% right: torch, lists
def blend(slot_scores, token_score, slot_values, token_value):
    s, t, V, v = (torch.tensor(one) for one in (slot_scores, token_score, slot_values, token_value))
    gate = torch.sigmoid(t - s.logsumexp(dim=-1))
    recalled = s.softmax(dim=-1) @ V
    return [torch.lerp(recalled, v.unsqueeze(-2).expand_as(recalled), gate.unsqueeze(-1)), gate]

# %% right: logaddexp twice
def blend(slot_scores, token_score, slot_values, token_value):
    total = np.logaddexp.reduce(slot_scores, -1)
    gate = np.exp(token_score - np.logaddexp(total, token_score))
    recalled = np.matmul(np.exp(slot_scores - total[..., None]), slot_values)
    return recalled + gate[..., None] * (token_value[..., None, :] - recalled), gate

# %% right: the token first, then slot after slot mixed in by a gate
def blend(slot_scores, token_score, slot_values, token_value):
    attended = np.repeat(token_value[..., None, :], token_score.shape[-1], axis=-2)
    seen = token_score
    for j in range(slot_scores.shape[-1]):
        seen = np.logaddexp(seen, slot_scores[..., j])
        share = np.exp(slot_scores[..., j] - seen)[..., None]
        attended = attended + share * (slot_values[..., j, None, :] - attended)
    return attended, np.exp(token_score - seen)

# %% right: the sigmoid as a fraction, added value by value
def blend(slot_scores, token_score, slot_values, token_value):
    top = slot_scores.max(axis=-1, keepdims=True)
    grown = np.exp(slot_scores - top)
    total = grown.sum(axis=-1, keepdims=True)
    gate = 1 / (1 + np.exp(top + np.log(total) - token_score[..., None]))
    recalled = ((grown / total)[..., None] * slot_values[..., None, :, :]).sum(axis=-2)
    return (1 - gate) * recalled + gate * token_value[..., None, :], np.squeeze(gate, axis=-1)

# %% base
def blend(slot_scores, token_score, slot_values, token_value):
    total = np.logaddexp.reduce(slot_scores, axis=-1)
    gate = sigmoid(token_score - total)
    shares = softmax(slot_scores)
    recalled = shares @ slot_values
    g = gate[..., None]
    old = (1 - g) * recalled
    new = g * token_value[..., None, :]
    return old + new, gate

# %% wrong: sign turned round advice="The gate belongs to the slots: it should be the token's, the sigmoid of its score minus the logsumexp." of="base"
# was:         gate = sigmoid(token_score - total)
# becomes:     gate = sigmoid(total - token_score)

# %% wrong: maximum for logsumexp advice="The token is compared with the best slot alone: compare it with all of them, by the logsumexp of their scores." of="base"
# was:         total = np.logaddexp.reduce(slot_scores, axis=-1)
# becomes:     total = np.max(slot_scores, axis=-1)

# %% wrong: sum of exponentials, no logarithm advice="The logarithm is missing: subtract the logsumexp of the slots' scores, not the sum of exponentials." of="base"
# was:         total = np.logaddexp.reduce(slot_scores, axis=-1)
# becomes:     total = np.exp(slot_scores).sum(axis=-1)

# %% wrong: the token's score alone advice="The gate reads the token's score alone: subtract the logsumexp of the slots' scores." of="base"
# was:         gate = sigmoid(token_score - total)
# becomes:     gate = sigmoid(token_score)

# %% wrong: no sigmoid advice="The sigmoid is missing: the gate lies between 0 and 1." of="base"
# was:         gate = sigmoid(token_score - total)
# becomes:     gate = token_score - total

# %% wrong: the slots' softmax scaled once more advice="The slots' scores are divided by √depth in the softmax: they arrive scaled." of="base"
# was:         shares = softmax(slot_scores)
# becomes:     shares = softmax(slot_scores / math.sqrt(slot_values.shape[-1]))

# %% wrong: no softmax advice="The softmax is missing: recall with softmax(slot_scores), so that the weights sum to 1." of="base"
# was:         shares = softmax(slot_scores)
# becomes:     shares = slot_scores

# %% wrong: gate and its rest exchanged advice="The gate and 1 − gate have changed places: the gate belongs to the token's value." of="base"
# was:         old = (1 - g) * recalled
# was:         new = g * token_value[..., None, :]
# becomes:     old = g * recalled
# becomes:     new = (1 - g) * token_value[..., None, :]

# %% wrong: recalled not made smaller advice="What is recalled keeps its full size: multiply it by 1 − gate." of="base"
# was:         old = (1 - g) * recalled
# becomes:     old = recalled

# %% wrong: token's value not made smaller advice="The token's value keeps its full size: multiply it by the gate." of="base"
# was:         new = g * token_value[..., None, :]
# becomes:     new = token_value[..., None, :]

# %% wrong: token's value forgotten advice="The token's value is missing: add it, times the gate." of="base"
# was:         return old + new, gate
# becomes:     return old, gate

# %% wrong: token counted among the slots advice="The token's score is in the logsumexp, too: that is of the slots alone." of="base"
# was:         total = np.logaddexp.reduce(slot_scores, axis=-1)
# becomes:     total = np.logaddexp(np.logaddexp.reduce(slot_scores, axis=-1), token_score)

# %% wrong: mean for logsumexp advice="The token is compared with the mean of the slots' scores: compare it with their logsumexp." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - slot_scores.mean(axis=-1))

# %% wrong: sum for logsumexp advice="The token is compared with the sum of the slots' scores: compare it with their logsumexp." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - slot_scores.sum(axis=-1))

# %% wrong: log of the mean of exponentials advice="The exponentials of the slots' scores are averaged: add them up, as logsumexp does." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1) + math.log(slot_scores.shape[-1]))

# %% wrong: minimum for logsumexp advice="The token is compared with the smallest score: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - slot_scores.min(axis=-1))

# %% wrong: the first slot for logsumexp advice="The token is compared with slot 0 alone: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - slot_scores[..., 0])

# %% wrong: the last slot for logsumexp advice="The token is compared with the last slot alone: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - slot_scores[..., -1])

# %% wrong: logarithm to base 2 advice="The logarithm has base 2: take the natural one, as logsumexp does." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1) / math.log(2))

# %% wrong: logarithm to base 10 advice="The logarithm has base 10: take the natural one, as logsumexp does." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1) / math.log(10))

# %% wrong: plus logsumexp advice="The logsumexp of the slots' scores is added: subtract it from the token's score." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score + np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: exponential for sigmoid advice="This is the token's share divided by that of the slots: take the sigmoid, not the exponential." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = np.exp(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: tanh for sigmoid advice="The gate is a tanh: take the sigmoid, which lies between 0 and 1." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = np.tanh(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: the logarithm of a sigmoid advice="This is the logarithm of the gate: take the sigmoid itself." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = np.log(sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1)))

# %% wrong: a softmax for the sigmoid advice="The gate is a softmax over the queries: each query has its own gate, a sigmoid." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = softmax(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: a gate that opens or shuts advice="The gate is 0 or 1: take the sigmoid as it is." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = (token_score > np.logaddexp.reduce(slot_scores, axis=-1)).astype(token_score.dtype)

# %% wrong: one gate for all that ask advice="All queries share one gate, the mean: each query has its own gate." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = np.broadcast_to(gate.mean(axis=-1, keepdims=True), gate.shape)

# %% wrong: the sum of sigmoids' differences advice="Each slot's score is subtracted in a sigmoid of its own: the slots count together, by their logsumexp." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score[..., None] - slot_scores).mean(axis=-1)

# %% wrong: scaled once more advice="The difference is divided by √depth: the scores arrive scaled." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid((token_score - np.logaddexp.reduce(slot_scores, axis=-1)) / math.sqrt(slot_values.shape[-1]))

# %% wrong: all scores scaled once more advice="The scores are divided by √depth once more: they arrive scaled." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: root = math.sqrt(slot_values.shape[-1])
# becomes: slot_scores, token_score = slot_scores / root, token_score / root
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: logsumexp over those that ask says="could not be broadcast" of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-2))

# %% wrong: logsumexp of all scores advice="One sum over the whole table is subtracted: take the logsumexp along the last axis alone." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=(-2, -1), keepdims=True)[..., 0])

# %% wrong: logsumexp of everything advice="One sum over all sequences is subtracted: take the logsumexp along the last axis alone." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=None))

# %% wrong: token of the first sequence for all advice="Every sequence got the token's scores of sequence 0: take token_score as it is." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score[:1] - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: log of a sum of exponentials advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.log(np.exp(slot_scores).sum(axis=-1)))

# %% wrong: the fraction itself advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = np.exp(token_score) / (np.exp(token_score) + np.exp(slot_scores).sum(axis=-1))

# %% wrong: softmax by hand advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: grown = np.exp(slot_scores)
# becomes: recalled = grown / grown.sum(axis=-1, keepdims=True) @ slot_values

# %% wrong: log of a sum and a small number advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.log(np.exp(slot_scores).sum(axis=-1) + 1e-9))

# %% wrong: the largest score of all subtracted advice="The largest score of the whole table is subtracted: take each row's own, or another row may become 0 everywhere." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: grown = np.exp(slot_scores - slot_scores.max())
# becomes: recalled = grown / grown.sum(axis=-1, keepdims=True) @ slot_values

# %% wrong: the largest score not added again advice="The logsumexp is too small by the largest score: what is subtracted before the exponentials has to be added after the logarithm." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.log(np.exp(slot_scores - slot_scores.max(axis=-1, keepdims=True)).sum(axis=-1)))

# %% wrong: scores cut at ±50 advice="Large scores are cut off: keep them as they are, logsumexp and softmax can take them." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: slot_scores, token_score = slot_scores.clip(-50, 50), token_score.clip(-50, 50)
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: −∞ made 0 advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: slot_scores = np.nan_to_num(slot_scores, neginf=0)
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: −∞ made 0 in the gate advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(np.nan_to_num(slot_scores, neginf=0), axis=-1))

# %% wrong: −∞ made 0 in the softmax advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(np.nan_to_num(slot_scores, neginf=0)) @ slot_values

# %% wrong: softmax over those that ask advice="The slots' weights are a softmax over the queries: it should run along the last axis, over the slots." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(slot_scores.swapaxes(-1, -2)).swapaxes(-1, -2) @ slot_values

# %% wrong: softmax over the sequences advice="The slots' weights are a softmax over the first axis: it should run along the last axis." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.moveaxis(softmax(np.moveaxis(slot_scores, 0, -1)), -1, 0) @ slot_values

# %% wrong: sigmoids of the scores advice="Each slot's weight is a sigmoid: recall with softmax(slot_scores), so that the weights sum to 1." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = sigmoid(slot_scores) @ slot_values

# %% wrong: exponentials that are not divided advice="The slots' weights don't sum to 1: recall with softmax(slot_scores)." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.exp(slot_scores) @ slot_values

# %% wrong: mean of the values advice="The slots' values are averaged: mix them by softmax(slot_scores)." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.repeat(slot_values.mean(axis=-2, keepdims=True), slot_scores.shape[-2], axis=-2)

# %% wrong: the value of the best slot advice="The best slot's value alone is recalled: mix all by softmax(slot_scores)." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.eye(slot_scores.shape[-1])[slot_scores.argmax(-1)] @ slot_values

# %% wrong: token in the softmax, too advice="1 − gate is applied twice: multiply by it once, and take the softmax of the slot scores alone." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(np.concatenate([slot_scores, token_score[..., None]], axis=-1))[..., :-1] @ slot_values

# %% wrong: token in softmax and values advice="The token is included twice: take the softmax of the slot scores alone, with the slot values." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: weights = softmax(np.concatenate([slot_scores, token_score[..., None]], axis=-1))
# becomes: recalled = weights @ np.concatenate([slot_values, token_value[..., None, :]], axis=-2)

# %% wrong: log_softmax advice="The slots' values are mixed by logarithms: take softmax, not log_softmax." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.log(softmax(slot_scores)) @ slot_values

# %% wrong: values of sequence 0 for all advice="Every sequence got the slots' values of sequence 0: take slot_values as they are." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(slot_scores) @ slot_values[:1]

# %% wrong: softmax twice advice="The softmax runs twice: once is enough." of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(softmax(slot_scores)) @ slot_values

# %% wrong: both in full advice="What is recalled and the token's value are added in full: multiply them by 1 − gate and by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return recalled + token_value[..., None, :], gate

# %% wrong: recalled forgotten advice="What is recalled from the slots is missing: add it, times 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate[..., None] * token_value[..., None, :], gate

# %% wrong: only recalled advice="Only the attention to the slots was returned: mix it with the token's value, by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return recalled, gate

# %% wrong: gate for both advice="Both parts are multiplied by the gate: multiply the attention to the slots by 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: 1 − gate for both advice="Both parts are multiplied by 1 − gate: multiply the token's value by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * (recalled + token_value[..., None, :]), gate

# %% wrong: 1 − gate twice advice="1 − gate is applied twice: multiply by it once, and take the softmax of the slot scores alone." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate) ** 2)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: 1 + gate advice="What is recalled is multiplied by 1 + gate: its factor is 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 + gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: gate − 1 advice="The attention to the slots has the wrong sign: its factor is 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (gate - 1)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: token's value subtracted advice="The token's value is subtracted: add it, times the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled - gate[..., None] * token_value[..., None, :], gate

# %% wrong: mean of the two advice="The two parts are averaged: mix them by 1 − gate and the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (recalled + token_value[..., None, :]) / 2, gate

# %% wrong: gate squared advice="The token's value is multiplied by the gate twice: once is enough." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] ** 2 * token_value[..., None, :], gate

# %% wrong: token's value of sequence 0 for all advice="Every sequence got the token's value of sequence 0: take token_value as it is, with an axis before the last." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[:1, None], gate

# %% wrong: gate first advice="The two results have changed places: return the pair (attended, gate)." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate, (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: attended alone advice="The gate is missing: return the pair (attended, gate)." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: gate alone advice="Only the gate was returned: return the pair (attended, gate)." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: attended = (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: 1 − gate given back advice="attended is right, but the gate belongs to the slots: return the token's gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], 1 - gate

# %% wrong: gate with one more axis advice="The gate has an axis too many at its end: use gate[..., None] for the product, and return gate itself." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: gate = gate[..., None]
# becomes: return (1 - gate) * recalled + gate * token_value[..., None, :], gate

# %% wrong: the gate's sum given back advice="attended is right, but the gate misses its sigmoid." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], token_score - np.logaddexp.reduce(slot_scores, axis=-1)

# %% wrong: three things says="return 2 values" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate, recalled

# %% wrong: a dict of other names says="it should have the keys attended, gate" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return {"output": (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], "g": gate}

# %% wrong: rounded to two places advice="The numbers are rounded: keep all of their digits." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]).round(2), gate.round(2)

# %% wrong: the first sequence alone advice="Only sequence 0 was returned: keep the leading axes." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :])[0], gate[0]

# %% wrong: attended turned advice="attended is transposed: the queries come before the features." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]).swapaxes(-2, -1), gate

# %% wrong: gate without an axis for the numbers says="could not be broadcast" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate) * recalled + gate * token_value, gate

# %% wrong: token's value without an axis says="could not be broadcast" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value, gate

# %% wrong: token's value with its axis at the end says="could not be broadcast" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None], gate

# %% wrong: gate with its axis in front of those that ask says="could not be broadcast" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None, :] * recalled + gate[..., None, :] * token_value[..., None, :], gate

# %% wrong: one axis in front, always: token's value says="could not be broadcast" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[:, None], gate

# %% wrong: one axis in front, always: gate says="too many indices" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[:, :, None] * recalled + gate[:, :, None] * token_value[..., None, :], gate

# %% wrong: softmax over axis 2 says="out of bounds" of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.moveaxis(softmax(np.moveaxis(slot_scores, 2, -1)), -1, 2) @ slot_values

# %% wrong: logsumexp over axis 2 says="out of bounds" of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=2))

# %% wrong: einsum with one axis in front says="einstein sum" of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = np.einsum("bqn,bnd->bqd", softmax(slot_scores), slot_values)

# %% wrong: values turned says="matmul" of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: recalled = softmax(slot_scores) @ slot_values.swapaxes(-2, -1)

# %% wrong: logsumexp of keepdim says="could not be broadcast" of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1, keepdims=True))

# %% wrong: values multiplied in place says="differs from its value before the call" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: attended = (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]
# becomes: token_value *= 0
# becomes: return attended, gate

# %% wrong: logsumexp subtracted in place says="differs from its value before the call" of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: gate = sigmoid(np.subtract(token_score, np.logaddexp.reduce(slot_scores, axis=-1), out=token_score))

# %% wrong: softmax written into the scores says="differs from its value before the call" of="reference"
# was:     recalled = softmax(slot_scores) @ slot_values
# becomes: slot_scores[:] = softmax(slot_scores)
# becomes: recalled = slot_scores @ slot_values

# %% wrong: −∞ filled in place says="differs from its value before the call" of="reference"
# was:     gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))
# becomes: slot_scores[slot_scores == -math.inf] = -1e30
# becomes: gate = sigmoid(token_score - np.logaddexp.reduce(slot_scores, axis=-1))

# %% wrong: the sigmoid closed too early advice="The sigmoid is taken of the token's score alone, before the logsumexp is subtracted: take it of the difference." of="base"
# was:         gate = sigmoid(token_score - total)
# becomes:     gate = sigmoid(token_score) - total

# %% wrong: slot 0's weight as the gate advice="The gate is the weight of slot 0 in a softmax over slots and token: the token's weight is in the last column, [..., -1]." of="base"
# was:         gate = sigmoid(token_score - total)
# becomes:     gate = softmax(np.concatenate([slot_scores, token_score[..., None]], axis=-1))[..., 0]

# %% wrong: -inf replaced by -1000: a blocked slot gets weight when the others are at -1000 says="in the gate" unseen="no visible test has such an input" visible=false fails=["blend-test"]
def blend(slot_scores, token_score, slot_values, token_value):
    s = np.maximum(slot_scores, -1000.0)
    gate = sigmoid(token_score - np.logaddexp.reduce(s, axis=-1))
    attended = (1 - gate[..., None]) * (softmax(s) @ slot_values) + gate[..., None] * token_value[..., None, :]
    return attended, gate

# %% wrong: the maximum for logsumexp where scores are above 500: wrong for two equal large scores says="in the gate" unseen="no visible test has such an input" visible=false fails=["blend-test"]
def blend(slot_scores, token_score, slot_values, token_value):
    top = slot_scores.max(axis=-1)
    with np.errstate(all="ignore"):
        plain = np.log(np.exp(slot_scores).sum(axis=-1))
    L = np.where(np.abs(top) > 500, top, plain)
    gate = sigmoid(token_score - L)
    attended = (1 - gate[..., None]) * (softmax(slot_scores) @ slot_values) + gate[..., None] * token_value[..., None, :]
    return attended, gate

# %% wrong: one maximum for all queries, from three leading axes on says="in the gate, on other random scores" unseen="no visible test has such an input" visible=false fails=["blend-test"]
def blend(slot_scores, token_score, slot_values, token_value):
    axes = -1 if slot_scores.ndim < 5 else (-2, -1)
    top = slot_scores.max(axis=axes, keepdims=True)
    powers = np.exp(slot_scores - top)
    total = powers.sum(axis=-1, keepdims=True)
    gate = sigmoid(token_score - (np.log(total) + top)[..., 0])
    return (1 - gate)[..., None] * (powers / total @ slot_values) + gate[..., None] * token_value[..., None, :], gate
