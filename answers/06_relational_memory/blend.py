# %% right: one softmax over slots and token, the gate is its last column
def blend(slot_scores, token_score, slot_values, token_value):
    weights = torch.cat([slot_scores, token_score[..., None]], dim=-1).softmax(dim=-1)
    values = torch.cat([slot_values, token_value.unsqueeze(-2)], dim=-2)
    return weights @ values, weights[..., -1]

# %% right: exponentials below the largest score, einsum
def blend(slot_scores, token_score, slot_values, token_value):
    largest = torch.maximum(slot_scores.amax(-1), token_score)
    told = torch.exp(token_score - largest)
    grown = torch.exp(slot_scores - largest.unsqueeze(-1))
    total = told + grown.sum(-1)
    mixed = torch.einsum("...qn,...nd->...qd", grown, slot_values) + torch.einsum("...q,...d->...qd", told, token_value)
    return mixed / total.unsqueeze(-1), told / total

# %% right: loops over all that ask, in float64
def blend(slot_scores, token_score, slot_values, token_value):
    gate = torch.zeros_like(token_score)
    attended = slot_values.new_zeros(*token_score.shape, slot_values.shape[-1])
    for place in np.ndindex(*token_score.shape):
        front = place[:-1]
        scores = slot_scores[place].double()
        g = torch.sigmoid(token_score[place] - scores.logsumexp(0))
        recalled = sum(w * value for w, value in zip(scores.softmax(0), slot_values[front].double()))
        gate[place] = g
        attended[place] = (1 - g) * recalled + g * token_value[front]
    return attended, gate

# %% right: numpy
def blend(slot_scores, token_score, slot_values, token_value):
    s, t, V, v = (one.detach().numpy() for one in (slot_scores, token_score, slot_values, token_value))
    top = s.max(axis=-1, keepdims=True)
    grown = np.exp(s - top)
    total = grown.sum(axis=-1, keepdims=True)
    gate = np.exp(t[..., None] - np.logaddexp(t[..., None], top + np.log(total)))
    mixed = (1 - gate) * (grown / total) @ V + gate * v[..., None, :]
    return [torch.from_numpy(mixed), torch.from_numpy(gate.squeeze(-1))]

# %% right: torch.lerp and logaddexp
def blend(slot_scores, token_score, slot_values, token_value):
    total = torch.logsumexp(slot_scores, -1)
    gate = (token_score - torch.logaddexp(total, token_score)).exp()
    recalled = torch.matmul(F.softmax(slot_scores, dim=-1), slot_values)
    return torch.lerp(recalled, token_value.unsqueeze(-2).expand_as(recalled), gate.unsqueeze(-1)), gate

# %% right: F.scaled_dot_product_attention with the scores as its mask
def blend(slot_scores, token_score, slot_values, token_value):
    scores = torch.cat((slot_scores, token_score[..., None]), -1)
    values = torch.cat((slot_values, token_value[..., None, :]), -2)
    nothing = torch.zeros_like(scores[..., :1]), torch.zeros_like(values[..., :1])
    attended = F.scaled_dot_product_attention(*nothing, values, attn_mask=scores)
    return attended, F.softmax(scores, -1).select(-1, -1)

# %% right: the token first, then slot after slot mixed in by a gate
def blend(slot_scores, token_score, slot_values, token_value):
    attended = token_value[..., None, :].expand(*token_score.shape, -1)
    seen = token_score
    for score, value in zip(slot_scores.unbind(-1), slot_values.unbind(-2)):
        seen = torch.logaddexp(seen, score)
        share = torch.exp(score - seen)[..., None]
        attended = attended + share * (value[..., None, :] - attended)
    return attended, torch.exp(token_score - seen)

# %% right: the sigmoid as a fraction, added value by value
def blend(slot_scores, token_score, slot_values, token_value):
    against = slot_scores.logsumexp(dim=-1, keepdim=True) - token_score[..., None]
    gate = 1 / (1 + against.exp())
    weights = (slot_scores - slot_scores.logsumexp(dim=-1, keepdim=True)).exp()
    recalled = (weights[..., None] * slot_values[..., None, :, :]).sum(dim=-2)
    return recalled + gate * (token_value[..., None, :] - recalled), gate.squeeze(-1)

# %% wrong: maximum for logsumexp advice="The token is compared with the best slot alone: compare it with all of them, by the logsumexp of their scores." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.amax(dim=-1))

# %% wrong: mean for logsumexp advice="The token is compared with the mean of the slots' scores: compare it with their logsumexp." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.mean(dim=-1))

# %% wrong: sum for logsumexp advice="The token is compared with the sum of the slots' scores: compare it with their logsumexp." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.sum(dim=-1))

# %% wrong: log of the mean of exponentials advice="The exponentials of the slots' scores are averaged: add them up, as logsumexp does." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1) + math.log(slot_scores.shape[-1]))

# %% wrong: minimum for logsumexp advice="The token is compared with the smallest score: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.amin(dim=-1))

# %% wrong: the first slot for logsumexp advice="The token is compared with slot 0 alone: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores[..., 0])

# %% wrong: the last slot for logsumexp advice="The token is compared with the last slot alone: compare it with all slots, by the logsumexp of their scores." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores[..., -1])

# %% wrong: the token's score alone advice="The gate reads the token's score alone: subtract the logsumexp of the slots' scores." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score)

# %% wrong: sum of exponentials, no logarithm advice="The logarithm is missing: subtract the logsumexp of the slots' scores, not the sum of exponentials." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.exp().sum(dim=-1))

# %% wrong: logarithm to base 2 advice="The logarithm has base 2: take the natural one, as logsumexp does." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1) / math.log(2))

# %% wrong: logarithm to base 10 advice="The logarithm has base 10: take the natural one, as logsumexp does." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1) / math.log(10))

# %% wrong: plus logsumexp advice="The logsumexp of the slots' scores is added: subtract it from the token's score." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score + slot_scores.logsumexp(dim=-1))

# %% wrong: sign turned round advice="The gate is the slots' share: it has to be the token's, the sigmoid of its score minus the logsumexp." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(slot_scores.logsumexp(dim=-1) - token_score)

# %% wrong: no sigmoid advice="The sigmoid is missing: the gate lies between 0 and 1." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = token_score - slot_scores.logsumexp(dim=-1)

# %% wrong: exponential for sigmoid advice="This is the token's share divided by that of the slots: take the sigmoid, not the exponential." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = (token_score - slot_scores.logsumexp(dim=-1)).exp()

# %% wrong: tanh for sigmoid advice="The gate is a tanh: take the sigmoid, which lies between 0 and 1." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.tanh(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: the logarithm of a sigmoid advice="This is the logarithm of the gate: take the sigmoid itself." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = F.logsigmoid(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: a softmax for the sigmoid advice="The gate is a softmax over the slots that ask: each of them has a gate of its own, a sigmoid." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.softmax(token_score - slot_scores.logsumexp(dim=-1), dim=-1)

# %% wrong: a gate that opens or shuts advice="The gate is 0 or 1: take the sigmoid as it is." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = (token_score > slot_scores.logsumexp(dim=-1)).to(token_score.dtype)

# %% wrong: one gate for all that ask advice="All slots share one gate, the mean: give each that asks its own." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = gate.mean(dim=-1, keepdim=True).expand_as(gate)

# %% wrong: the sum of sigmoids' differences advice="Each slot's score is subtracted in a sigmoid of its own: the slots count together, by their logsumexp." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score[..., None] - slot_scores).mean(dim=-1)

# %% wrong: scaled once more advice="The difference is divided by √depth: the scores arrive scaled." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid((token_score - slot_scores.logsumexp(dim=-1)) / math.sqrt(slot_values.shape[-1]))

# %% wrong: all scores scaled once more advice="The scores are divided by √depth once more: they arrive scaled." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: root = math.sqrt(slot_values.shape[-1])
# becomes: slot_scores, token_score = slot_scores / root, token_score / root
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: logsumexp over those that ask says="must match the size of" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-2))

# %% wrong: logsumexp of all scores advice="One sum over the whole table is subtracted: take the logsumexp along the last axis alone." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.flatten(-2).logsumexp(dim=-1, keepdim=True))

# %% wrong: logsumexp of everything advice="One sum over all sequences is subtracted: take the logsumexp along the last axis alone." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.flatten().logsumexp(dim=0))

# %% wrong: token counted among the slots advice="The token's score is in the logsumexp, too: that is of the slots alone." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - torch.cat([slot_scores, token_score[..., None]], dim=-1).logsumexp(dim=-1))

# %% wrong: token of the first sequence for all advice="Every sequence got the token's scores of sequence 0: take token_score as it is." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score[:1] - slot_scores.logsumexp(dim=-1))

# %% wrong: log of a sum of exponentials advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.exp().sum(dim=-1).log())

# %% wrong: the fraction itself advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = token_score.exp() / (token_score.exp() + slot_scores.exp().sum(dim=-1))

# %% wrong: softmax by hand advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: grown = slot_scores.exp()
# becomes: recalled = grown / grown.sum(dim=-1, keepdim=True) @ slot_values

# %% wrong: log of a sum and a small number advice="Exponentials of large scores overflow: take logsumexp, or subtract the largest score first." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - (slot_scores.exp().sum(dim=-1) + 1e-9).log())

# %% wrong: the largest score of all subtracted advice="The largest score of the whole table is subtracted: take each row's own, or another row may become 0 everywhere." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: grown = (slot_scores - slot_scores.max()).exp()
# becomes: recalled = grown / grown.sum(dim=-1, keepdim=True) @ slot_values

# %% wrong: the largest score not added again advice="The logsumexp is too small by the largest score: what is subtracted before the exponentials has to be added after the logarithm." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - (slot_scores - slot_scores.amax(dim=-1, keepdim=True)).exp().sum(dim=-1).log())

# %% wrong: scores cut at ±50 advice="Large scores are cut off: keep them as they are, logsumexp and softmax can take them." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: slot_scores, token_score = slot_scores.clamp(-50, 50), token_score.clamp(-50, 50)
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: −∞ made 0 advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: slot_scores = slot_scores.nan_to_num(neginf=0)
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: −∞ made 0 in the gate advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.nan_to_num(neginf=0).logsumexp(dim=-1))

# %% wrong: −∞ made 0 in the softmax advice="Scores of −∞ are changed: such a slot counts as nothing, e to the −∞ is 0." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.nan_to_num(neginf=0).softmax(dim=-1) @ slot_values

# %% wrong: softmax over those that ask advice="The slots' weights are a softmax over the slots that ask: let it run along the last axis, over those that answer." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=-2) @ slot_values

# %% wrong: softmax over the sequences advice="The slots' weights are a softmax over the axis in front: let it run along the last axis." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=0) @ slot_values

# %% wrong: no softmax advice="The softmax is missing: recall with softmax(slot_scores), so that the weights sum to 1." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores @ slot_values

# %% wrong: sigmoids of the scores advice="Each slot's weight is a sigmoid: recall with softmax(slot_scores), so that the weights sum to 1." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.sigmoid() @ slot_values

# %% wrong: exponentials that are not divided advice="The slots' weights don't sum to 1: recall with softmax(slot_scores)." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.exp() @ slot_values

# %% wrong: mean of the values advice="The slots' values are averaged: mix them by softmax(slot_scores)." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_values.mean(dim=-2, keepdim=True).expand(*slot_scores.shape[:-1], -1)

# %% wrong: the value of the best slot advice="The best slot's value alone is recalled: mix all by softmax(slot_scores)." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = F.one_hot(slot_scores.argmax(-1), slot_scores.shape[-1]).to(slot_values.dtype) @ slot_values

# %% wrong: token in the softmax, too advice="The token's share is taken off twice: multiply by 1 − gate once, and let the softmax run over the slots alone." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = torch.cat([slot_scores, token_score[..., None]], dim=-1).softmax(dim=-1)[..., :-1] @ slot_values

# %% wrong: token in softmax and values advice="The token is mixed in twice: let the softmax run over the slots alone, with their values." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: weights = torch.cat([slot_scores, token_score[..., None]], dim=-1).softmax(dim=-1)
# becomes: recalled = weights @ torch.cat([slot_values, token_value[..., None, :]], dim=-2)

# %% wrong: log_softmax advice="The slots' values are mixed by logarithms: take softmax, not log_softmax." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.log_softmax(dim=-1) @ slot_values

# %% wrong: values of sequence 0 for all advice="Every sequence got the slots' values of sequence 0: take slot_values as they are." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=-1) @ slot_values[:1]

# %% wrong: softmax twice advice="The softmax runs twice: once is enough." of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=-1).softmax(dim=-1) @ slot_values

# %% wrong: gate and its rest exchanged advice="The gate and 1 − gate have changed places: the gate belongs to the token's value." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate[..., None] * recalled + (1 - gate)[..., None] * token_value[..., None, :], gate

# %% wrong: recalled not made smaller advice="What is recalled keeps its full size: multiply it by 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: token's value not made smaller advice="The token's value keeps its full size: multiply it by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + token_value[..., None, :], gate

# %% wrong: both in full advice="What is recalled and the token's value are added in full: multiply them by 1 − gate and by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return recalled + token_value[..., None, :], gate

# %% wrong: token's value forgotten advice="The token's value is missing: add it, times the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled, gate

# %% wrong: recalled forgotten advice="What is recalled from the slots is missing: add it, times 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate[..., None] * token_value[..., None, :], gate

# %% wrong: only recalled advice="What came back is recalled from the slots alone: mix it with the token's value, by the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return recalled, gate

# %% wrong: gate for both advice="Both parts are multiplied by the gate: what is recalled takes 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: 1 − gate for both advice="Both parts are multiplied by 1 − gate: the token's value takes the gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * (recalled + token_value[..., None, :]), gate

# %% wrong: 1 − gate twice advice="The token's share is taken off twice: multiply by 1 − gate once, and let the softmax run over the slots alone." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate) ** 2)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: 1 + gate advice="What is recalled is multiplied by 1 + gate: its factor is 1 − gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 + gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate

# %% wrong: gate − 1 advice="The sign of what is recalled is turned: its factor is 1 − gate." of="reference"
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

# %% wrong: gate first advice="The two results have changed places: give back attended, gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate, (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: attended alone advice="The gate is missing: give back attended, gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: gate alone advice="Only the gate came back: give back attended, gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return gate

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: attended = (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]

# %% wrong: 1 − gate given back advice="What is attended to is right, but the gate is the slots' share: give back the token's." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], 1 - gate

# %% wrong: gate with one more axis advice="The gate has an axis too many at its end: use gate[..., None] for the product, and give back gate." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: gate = gate[..., None]
# becomes: return (1 - gate) * recalled + gate * token_value[..., None, :], gate

# %% wrong: the gate's sum given back advice="What is attended to is right, but the gate misses its sigmoid." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], token_score - slot_scores.logsumexp(dim=-1)

# %% wrong: three things says="return 2 values" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate, recalled

# %% wrong: a dict of other names says="it should have the keys attended, gate" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return {"output": (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], "g": gate}

# %% wrong: rounded to two places advice="The numbers are rounded: keep all of their digits." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]).round(decimals=2), gate.round(decimals=2)

# %% wrong: the first sequence alone advice="Only sequence 0 came back: keep the axes in front." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :])[0], gate[0]

# %% wrong: attended turned advice="What is attended to is turned: the slots that ask come first, then the depth numbers." of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return ((1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]).transpose(-2, -1), gate

# %% wrong: gate without an axis for the numbers says="must match the size of" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate) * recalled + gate * token_value, gate

# %% wrong: token's value without an axis says="must match the size of" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value, gate

# %% wrong: token's value with its axis at the end says="must match the size of" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None], gate

# %% wrong: gate with its axis in front of those that ask says="must match the size of" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None, :] * recalled + gate[..., None, :] * token_value[..., None, :], gate

# %% wrong: one axis in front, always: token's value says="must match the size of" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[:, None], gate

# %% wrong: one axis in front, always: gate says="too many indices" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: return (1 - gate)[:, :, None] * recalled + gate[:, :, None] * token_value[..., None, :], gate

# %% wrong: softmax over axis 2 says="Dimension out of range" of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=2) @ slot_values

# %% wrong: logsumexp over axis 2 says="Dimension out of range" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=2))

# %% wrong: bmm says="must be a 3D tensor" of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = torch.bmm(slot_scores.softmax(dim=-1), slot_values)

# %% wrong: einsum with one axis in front says="einsum" of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = torch.einsum("bqn,bnd->bqd", slot_scores.softmax(dim=-1), slot_values)

# %% wrong: values turned says="Expected size for first two dimensions" of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: recalled = slot_scores.softmax(dim=-1) @ slot_values.transpose(-2, -1)

# %% wrong: logsumexp without an axis says="missing 1 required positional" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp())

# %% wrong: logsumexp of keepdim says="must match the size of" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1, keepdim=True))

# %% wrong: math.exp of a tensor says="only one element tensors can be converted" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = 1 / (1 + math.exp(slot_scores.logsumexp(dim=-1) - token_score))

# %% wrong: sigmoid is no name says="is not defined" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = sigmoid(token_score - slot_scores.logsumexp(dim=-1))

# %% wrong: values multiplied in place says="an input was changed" of="reference"
# was:     return (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :], gate
# becomes: attended = (1 - gate)[..., None] * recalled + gate[..., None] * token_value[..., None, :]
# becomes: token_value *= 0
# becomes: return attended, gate

# %% wrong: logsumexp subtracted in place says="an input was changed" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: gate = torch.sigmoid(token_score.sub_(slot_scores.logsumexp(dim=-1)))

# %% wrong: softmax written into the scores says="an input was changed" of="reference"
# was:     recalled = slot_scores.softmax(dim=-1) @ slot_values
# becomes: slot_scores.copy_(slot_scores.softmax(dim=-1))
# becomes: recalled = slot_scores @ slot_values

# %% wrong: −∞ filled in place says="an input was changed" of="reference"
# was:     gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
# becomes: slot_scores[slot_scores == -math.inf] = -1e30
# becomes: gate = torch.sigmoid(token_score - slot_scores.logsumexp(dim=-1))
