# %% right: explicit loops
def token_losses(logits, tokens):
    rows = []
    for rows_of_one, letters in zip(logits, tokens):
        rows.append(torch.stack([torch.logsumexp(row, 0) - row[letter]
                                 for row, letter in zip(rows_of_one, letters[1:])]))
    return torch.stack(rows)


def next_token_loss(logits, tokens, pad):
    total, count = 0.0, 0
    losses = token_losses(logits, tokens)
    for b in range(len(tokens)):
        for t in range(tokens.shape[1] - 1):
            if tokens[b, t + 1] != pad:
                total = total + losses[b, t]
                count += 1
    return total / count

# %% right: log_softmax and gather, a weighted mean
def token_losses(logits, tokens):
    logs = torch.log_softmax(logits, dim=-1)[:, :-1]
    return -logs.gather(2, tokens[:, 1:, None])[:, :, 0]


def next_token_loss(logits, tokens, pad):
    weights = tokens[:, 1:].ne(pad).to(logits.dtype)
    return (token_losses(logits, tokens) * weights).sum() / weights.sum()

# %% right: flattened, ignore_index
def token_losses(logits, tokens):
    batch, seq, vocab = logits.shape
    flat = F.cross_entropy(logits[:, :-1].reshape(-1, vocab), tokens[:, 1:].reshape(-1), reduction="none")
    return flat.reshape(batch, seq - 1)


def next_token_loss(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)

# %% right: a table of ones, einsum
def token_losses(logits, tokens):
    ones = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    return -torch.einsum("btv,btv->bt", F.log_softmax(logits[:, :-1], dim=-1), ones)


def next_token_loss(logits, tokens, pad):
    return torch.masked_select(token_losses(logits, tokens), tokens[:, 1:] != pad).mean()

# %% right: pairs of indices, zeros for padding
def token_losses(logits, tokens):
    targets = tokens[:, 1:]
    b, t = torch.meshgrid(torch.arange(targets.shape[0]), torch.arange(targets.shape[1]), indexing="ij")
    return logits.logsumexp(dim=-1)[:, :-1] - logits[b, t, targets]


def next_token_loss(logits, tokens, pad):
    padding = tokens[:, 1:] == pad
    return token_losses(logits, tokens).masked_fill(padding, 0.0).sum() / (~padding).sum()

# %% right: a distribution, NaN for padding
def token_losses(logits, tokens):
    return -torch.distributions.Categorical(logits=logits[:, :-1]).log_prob(tokens[:, 1:])


def next_token_loss(logits, tokens, pad):
    losses = token_losses(logits, tokens)
    return torch.where(tokens[:, 1:] == pad, torch.full_like(losses, math.nan), losses).nanmean()

# %% right: nll_loss sequence by sequence
def token_losses(logits, tokens):
    return torch.stack([F.nll_loss(F.log_softmax(one[:-1], dim=1), letters[1:], reduction="none")
                        for one, letters in zip(logits, tokens)])


def next_token_loss(logits, tokens, pad):
    kept = [row[letters[1:] != pad] for row, letters in zip(token_losses(logits, tokens), tokens)]
    return torch.cat(kept).mean()

# %% wrong: no shift, the last row dropped advice="There is no shift: row t is compared with token t, and should be with token t + 1, so take logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, :-1], reduction="none")

# %% wrong: softmax before the cross-entropy advice="The logits went through a softmax before the cross-entropy, which does that itself: give it the logits." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].softmax(dim=-1).transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: bits advice="These are bits: take the natural logarithm." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1) / math.log(2)

# %% wrong: no minus advice="The sign is wrong: the loss is minus the logarithm of the probability." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: no shift, nothing dropped advice="Every row has a loss here, even the last one: drop the last row of the logits and the first token, so that row t is compared with token t + 1." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")

# %% wrong: shift the other way advice="The shift has the wrong direction, and row t + 1 is compared with token t: take logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, 1:].transpose(1, 2), tokens[:, :-1], reduction="none")

# %% wrong: padding counted advice="Padding is counted: leave out losses whose target is pad, then take the mean." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens).mean()

# %% wrong: mean of the sequences' means advice="This is the mean of the means per sequence: each real target counts once, so divide the sum of all by their number." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     losses = token_losses(logits, tokens) * real
# becomes:     return (losses.sum(dim=1) / real.sum(dim=1)).mean()

# %% wrong: padding 0 in the sum, counted in the mean advice="Padding adds 0 to the sum and still counts in the mean: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return (token_losses(logits, tokens) * real).mean()

# %% wrong: padding judged at the input advice="A prediction counts here if its input is not padding: it has to count if its target is not, tokens[:, 1:] != pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, :-1] != pad

# %% wrong: sum for mean advice="This is the sum: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum()

# %% wrong: pad fixed at 0 advice="The padding is not token 0 here: compare with the argument pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] != 0

# %% wrong: no shift, the first row dropped advice="There is no shift: row t is compared with token t, and should be with token t + 1, so take logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, 1:].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: two tokens ahead advice="One prediction of each sequence is missing: drop one row of the logits and one token, logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-2].transpose(1, 2), tokens[:, 2:], reduction="none")

# %% wrong: shifted twice advice="Row t is compared with token t + 2, because the shift is made twice: take logits[:, :-1] and tokens[:, 1:], once." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     tokens = tokens.roll(-1, dims=1)
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: first prediction left out advice="One prediction of each sequence is missing: drop one row of the logits and one token, logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, 1:-1].transpose(1, 2), tokens[:, 2:], reduction="none")

# %% wrong: rolled round advice="Every row has a loss here, even the last one: drop the last row of the logits and the first token, so that row t is compared with token t + 1." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens.roll(-1, dims=1), reduction="none")

# %% wrong: rolled the wrong way, then cut advice="Row t is compared with token t − 1, and should be with token t + 1: take logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens.roll(1, dims=1), reduction="none")[:, :-1]

# %% wrong: tokens turned backwards advice="The targets are reversed: they are tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens.flip(1)[:, :-1], reduction="none")

# %% wrong: cut along the batch advice="The slice is along the sequences: tokens are along axis 1, so write logits[:, :-1] and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:-1].transpose(1, 2), tokens[1:], reduction="none")

# %% wrong: the batch cut of logits alone says="Expected input batch_size" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: logits not cut says="Expected target size" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: tokens not cut says="Expected target size" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens, reduction="none")

# %% wrong: not transposed advice="Letters and positions are mixed up: F.cross_entropy expects the letters on axis 1, so use transpose(1, 2), or flatten sequences and positions; a reshape does not swap axes." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1], tokens[:, 1:], reduction="none")

# %% wrong: logits viewed instead of transposed advice="Letters and positions are mixed up: F.cross_entropy expects the letters on axis 1, so use transpose(1, 2), or flatten sequences and positions; a reshape does not swap axes." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     batch, seq, vocab = logits.shape
# becomes:     return F.cross_entropy(logits[:, :-1].reshape(batch, vocab, seq - 1), tokens[:, 1:], reduction="none")

# %% wrong: transposed too early, then viewed advice="Letters and positions are mixed up: F.cross_entropy expects the letters on axis 1, so use transpose(1, 2), or flatten sequences and positions; a reshape does not swap axes." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     batch, seq, vocab = logits.shape
# becomes:     rows = logits.transpose(1, 2)[:, :, :-1].reshape(-1, vocab)
# becomes:     return F.cross_entropy(rows, tokens[:, 1:].reshape(-1), reduction="none").reshape(batch, seq - 1)

# %% wrong: left flattened advice="The losses are in one long row: reshape them to (batch, seq − 1)." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")

# %% wrong: flattened, then rows and columns confused advice="The losses end up in the wrong positions: reshape directly to (batch, seq − 1)." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     flat = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
# becomes:     return flat.reshape(-1, len(tokens)).T

# %% wrong: no word on the reduction advice="The losses are averaged already: return one for each prediction, with reduction=\"none\"." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])

# %% wrong: mean over each sequence advice="This is one number for each sequence: return one for each prediction, (batch, seq − 1)." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none").mean(dim=1)

# %% wrong: sum advice="The losses are added up: return one for each prediction, with reduction=\"none\"." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="sum")

# %% wrong: exp before the cross-entropy advice="The logits went through exp before the cross-entropy, which does that itself: give it the logits." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].exp().transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: probabilities advice="These are the probabilities of the next tokens: the loss is −ln of them, so take log_softmax and a minus." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return logits[:, :-1].softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: minus probabilities advice="The logarithm is missing: the loss is −ln of the probability, so take log_softmax." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: one minus probabilities advice="This is 1 minus the probability: the loss is −ln of it, so take log_softmax and a minus." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return 1 - logits[:, :-1].softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: logits without a softmax advice="The logits are taken as if they were logarithms of probabilities: take log_softmax(dim=-1) first." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: nll_loss of logits advice="The logits are taken as if they were logarithms of probabilities: take log_softmax(dim=-1) first." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.nll_loss(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: base 10 advice="The logarithm is to the base 10: take the natural one." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1) / math.log(10)

# %% wrong: softmax over positions advice="The softmax runs over the positions: it has to run over the letters, the last axis." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: softmax over all positions, then cut advice="The softmax runs over the positions: it has to run over the letters, the last axis." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits.log_softmax(dim=1)[:, :-1].gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: softmax over sequences advice="The softmax runs over the sequences: it has to run over the letters, the last axis." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=0).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: logarithm of the probabilities advice="A probability rounds to 0 where logits are large, and its logarithm is −∞: take log_softmax, which never makes the probability." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].softmax(dim=-1).log().gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: logarithm of the probabilities and a tiny number advice="A small added number or a lower bound limits the loss: use log_softmax, which needs neither." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -(logits[:, :-1].softmax(dim=-1) + 1e-9).log().gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: probabilities not below 1e-9 advice="A small added number or a lower bound limits the loss: use log_softmax, which needs neither." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].softmax(dim=-1).clamp(min=1e-9).log().gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: exp without the maximum advice="exp(1000) overflows: use logsumexp or log_softmax, which subtract the maximum first." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     chosen = logits[:, :-1].gather(-1, tokens[:, 1:, None]).squeeze(-1)
# becomes:     return logits[:, :-1].exp().sum(dim=-1).log() - chosen

# %% wrong: exp without the maximum, selected by one-hot vectors advice="exp(1000) overflows: use logsumexp or log_softmax, which subtract the maximum first." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     powers = logits[:, :-1].exp()
# becomes:     shares = powers / powers.sum(dim=-1, keepdim=True)
# becomes:     return -(shares.log() * F.one_hot(tokens[:, 1:], logits.shape[-1])).sum(dim=-1)

# %% wrong: loss of all letters averaged advice="All letters count here, not only the next token: select its entry with gather and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).mean(dim=-1)

# %% wrong: entropy of the prediction advice="This is the entropy of each prediction: the loss is −ln of the probability of the actual next token." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return torch.distributions.Categorical(logits=logits[:, :-1]).entropy()

# %% wrong: loss of the likeliest letter advice="This is the loss of the likeliest letter: select the actual next token, tokens[:, 1:], with gather." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).amax(dim=-1)

# %% wrong: loss of every letter advice="All letters count here, not only the next token: select its entry with gather and tokens[:, 1:]." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1)

# %% wrong: right or wrong advice="These are 0 for right and 1 for wrong guesses: the loss is −ln of the probability of the actual next token." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return (logits[:, :-1].argmax(dim=-1) != tokens[:, 1:]).float()

# %% wrong: yes or no for each letter advice="This is a separate sigmoid for each letter: use one softmax over all letters, as F.cross_entropy does." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     ones = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits)
# becomes:     return F.binary_cross_entropy_with_logits(logits[:, :-1], ones, reduction='none').sum(dim=-1)

# %% wrong: squared distance advice="These are squared distances: the loss is −ln of the probability of the actual next token." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     ones = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits)
# becomes:     return ((logits[:, :-1].softmax(dim=-1) - ones) ** 2).sum(dim=-1)

# %% wrong: labels smoothed advice="The targets are smoothed: leave label_smoothing out." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], label_smoothing=0.1, reduction="none")

# %% wrong: gathered, an axis too many advice="There is an extra axis of size 1 at the end: use squeeze(-1) or [..., 0] after gather." fails=["token-losses-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None])

# %% wrong: gather with an axis too few says="same number of dimensions" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:]).squeeze(-1)

# %% wrong: gather with floats says="int64" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None].float()).squeeze(-1)

# %% wrong: axes turned advice="The axes are in the wrong order: sequences first, then predictions." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none").T

# %% wrong: indexed by the targets alone advice="Indexing the last axis with all targets selects each of them for each prediction: use gather(-1, targets[..., None]), which selects one." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:, :-1].log_softmax(dim=-1)[:, :, tokens[:, 1:]]

# %% wrong: indices of one sequence for all advice="Every sequence gets the targets of sequence 0: take its own row of tokens." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     logs = logits[:, :-1].log_softmax(dim=-1)
# becomes:     return -torch.stack([logs[b, range(logs.shape[1]), tokens[0, 1:]] for b in range(len(logs))])

# %% wrong: logits of one sequence for all advice="Every sequence gets the logits of sequence 0: take its own." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return -logits[:1, :-1].expand(len(logits), -1, -1).log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)

# %% wrong: first sequence alone advice="Only sequence 0 is returned: return all sequences." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[0, :-1], tokens[0, 1:], reduction="none")

# %% wrong: the letter 0 is left out advice="The loss of letter 0 is set to 0: token_losses ignores padding, so leave that to next_token_loss." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], ignore_index=0, reduction="none")

# %% wrong: the padding of the lesson is 0 advice="The loss of letter 0 is set to 0: token_losses ignores padding, so leave that to next_token_loss." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none") * (tokens[:, 1:] != PAD)

# %% wrong: 12 letters are fixed says="make the sizes fit" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     ones = F.one_hot(tokens[:, 1:], VOCAB)
# becomes:     return -(logits[:, :-1].log_softmax(dim=-1) * ones).sum(dim=-1)

# %% wrong: 12 letters are fixed in a reshape says="choose another shape" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].reshape(-1, 12), tokens[:, 1:].reshape(-1), reduction='none')

# %% wrong: rounded advice="The losses are rounded: don't round them." fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return torch.round(F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none"), decimals=2)

# %% wrong: forgets return says="does your function end with a return?" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: losses and their mean says="it returned 2 values" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return losses, losses.mean()

# %% wrong: a dict says="it should have the keys losses" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return {'loss': F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")}

# %% wrong: tokens shifted in place says="differs from its value before" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     tokens[:, :-1] = tokens[:, 1:].clone()
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, :-1], reduction="none")

# %% wrong: maximum subtracted in place says="differs from its value before" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     logits -= logits.amax(dim=-1, keepdim=True)
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: tokens not given to cross_entropy as whole numbers says="Float" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:].float(), reduction="none")

# %% wrong: a name not defined says="is not defined" fails=["token-losses-test", "next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: padding 0 in the sum, counted in the division advice="Padding adds 0 to the sum and still counts in the mean: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     losses = token_losses(logits, tokens)
# becomes:     return losses.masked_fill(~real, 0).sum() / losses.numel()

# %% wrong: padding judged at input and target advice="Predictions after padding are left out, too: only the target counts, tokens[:, 1:] != pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = (tokens[:, 1:] != pad) & (tokens[:, :-1] != pad)

# %% wrong: padding judged at input or target advice="A prediction counts here if its input is not padding: it has to count if its target is not, tokens[:, 1:] != pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = (tokens[:, 1:] != pad) | (tokens[:, :-1] != pad)

# %% wrong: mean of means in a loop advice="This is the mean of the means per sequence: each real target counts once, so divide the sum of all by their number." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     losses = token_losses(logits, tokens)
# becomes:     return torch.stack([one[keep].mean() for one, keep in zip(losses, real)]).mean()

# %% wrong: mean of the positions' means advice="This is the mean of the means per position: each real target counts once, so divide the sum of all by their number." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     losses = token_losses(logits, tokens) * real
# becomes:     return (losses.sum(dim=0) / real.sum(dim=0).clamp(min=1)).mean()

# %% wrong: pad fixed at PAD advice="The padding is not token 0 here: compare with the argument pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] != PAD

# %% wrong: real is above 0 advice="The padding is not token 0 here: compare with the argument pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] > 0

# %% wrong: real is above pad advice="Tokens below pad are left out, too: any token may be padding, so compare with !=." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] > pad

# %% wrong: real is below pad advice="Tokens above pad are left out, too: any token may be padding, so compare with !=." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] < pad

# %% wrong: only padding counted advice="The mask is inverted, and only padding is counted: write !=." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] == pad

# %% wrong: divided by the number of sequences advice="The sum is divided by the number of sequences: divide it by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / len(tokens)

# %% wrong: divided by the number of tokens advice="The sum is divided by the number of all tokens: divide it by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / tokens.numel()

# %% wrong: divided by the real tokens, first ones, too advice="The divisor counts the first tokens, which are not targets: divide by the number of real targets, (tokens[:, 1:] != pad).sum()." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / (tokens != pad).sum()

# %% wrong: divided by seq advice="The sum is divided by seq: divide it by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / tokens.shape[1]

# %% wrong: divided by seq minus one advice="The sum is divided by seq − 1: divide it by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / (tokens.shape[1] - 1)

# %% wrong: mean of the mask, too advice="Padding adds 0 to the sum and still counts in the mean: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].mean() * real.float().mean()

# %% wrong: one more in the division advice="The divisor counts one target too many: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].sum() / (real.sum() + 1)

# %% wrong: stops at the first padding advice="Targets after padding are left out: padding may be anywhere, so test each target separately." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = (tokens[:, 1:] != pad).long().cumprod(dim=1).bool()

# %% wrong: lengths counted from the front advice="Targets after padding are left out: padding may be anywhere, so test each target separately." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     lengths = (tokens != pad).sum(dim=1, keepdim=True)
# becomes:     real = torch.arange(1, tokens.shape[1]) < lengths

# %% wrong: only sequences without padding advice="NaN is the mean of no elements: a sequence with padding still has real targets, so test each target separately." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = (tokens[:, 1:] != pad) & (tokens[:, 1:] != pad).all(dim=1, keepdim=True)

# %% wrong: last target left out advice="The last real target of each sequence is left out: every target that is not pad counts." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] != pad
# becomes:     real = real & (torch.arange(real.shape[1]) < real.sum(dim=1, keepdim=True) - 1)

# %% wrong: first target left out advice="The first prediction of each sequence is left out: every target that is not pad counts." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens[:, 1:] != pad
# becomes:     real = real & (torch.arange(real.shape[1]) > 0)

# %% wrong: mean of the first sequence advice="Only sequence 0 is averaged: take the mean over all sequences." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[0][real[0]].mean()

# %% wrong: median advice="This is the median: take the mean." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].median()

# %% wrong: perplexity advice="This is the perplexity, exp of the loss: return the loss itself." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].mean().exp()

# %% wrong: perplexities averaged advice="exp of each loss is averaged: return the mean of the losses." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].exp().mean()

# %% wrong: exp, mean and logarithm advice="The mean is taken of probabilities or their inverses, before the logarithm: take the mean of the losses." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].exp().mean().log()

# %% wrong: logarithm of the mean probability advice="The mean is taken of probabilities, before the logarithm: take the mean of the losses." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return -(-token_losses(logits, tokens)[real]).exp().mean().log()

# %% wrong: minus sign advice="The sign is wrong: the loss is minus the logarithm of the probability." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return -token_losses(logits, tokens)[real].mean()

# %% wrong: logits of padding set to 0 advice="Padding is masked in the logits, but still counted: leave its losses out of the mean instead." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     real = (tokens != pad)[..., None]
# becomes:     return token_losses(logits * real, tokens).mean()

# %% wrong: padding taken out of the vocabulary advice="The logits of pad are taken out of the softmax: leave the logits as they are, and leave out losses whose target is pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     real = tokens[:, 1:] != pad
# becomes:     logits = logits.index_fill(2, torch.tensor([pad % logits.shape[2]]), -math.inf)
# becomes:     return token_losses(logits, tokens)[real].mean()

# %% wrong: the loss of padding is the one that is ignored by default advice="Padding is counted: leave out losses whose target is pad, then take the mean." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     targets = tokens[:, 1:]
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), targets)

# %% wrong: ignore_index fixed at 0 advice="The padding is not token 0 here: compare with the argument pad." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], ignore_index=0)

# %% wrong: no shift in the mean advice="Every row is compared with its own token: row t predicts token t + 1, so use token_losses, or shift in the same way." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens, ignore_index=pad)

# %% wrong: no shift in the mean, last row dropped advice="There is no shift: row t is compared with token t, and should be with token t + 1, so take logits[:, :-1] and tokens[:, 1:]." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, :-1], ignore_index=pad)

# %% wrong: softmax first in the mean advice="The logits went through a softmax before the cross-entropy, which does that itself: give it the logits." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits[:, :-1].softmax(-1).transpose(1, 2), tokens[:, 1:], ignore_index=pad)

# %% wrong: label of padding from the wrong side advice="There is no shift: row t is compared with token t, and should be with token t + 1, so take logits[:, :-1] and tokens[:, 1:]." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     targets = tokens[:, 1:].clone()
# becomes:     targets[targets == pad] = -100
# becomes:     return F.cross_entropy(logits[:, 1:].transpose(1, 2), targets)

# %% wrong: targets overwritten in the caller's tokens says="differs from its value before" fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     targets = tokens[:, 1:]
# becomes:     targets[targets == pad] = -100
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), targets)

# %% wrong: padding overwritten in the caller's tokens says="differs from its value before" fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     tokens[tokens == pad] = -100
# becomes:     return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])

# %% wrong: logits of padding overwritten says="differs from its value before" fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     real = tokens[:, 1:] != pad
# becomes:     logits[:, :-1][~real] = 0
# becomes:     return token_losses(logits, tokens)[real].mean()

# %% wrong: -100 not ignored by nll advice="Padding adds 0 to the sum and still counts in the mean: divide by the number of real targets." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     targets = torch.where(tokens == pad, -100, tokens)
# becomes:     return token_losses(logits, targets).mean()

# %% wrong: a mask with a place for the first token says="shape of the mask" fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = tokens != pad

# %% wrong: no mask but its count says="out of bounds" fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# becomes:     real = (tokens[:, 1:] != pad).sum()

# %% wrong: losses of what is real advice="These are the losses of all real targets: take their mean, one number." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real]

# %% wrong: losses, padding 0 advice="These are the losses, those of padding 0: take the mean over the real ones, one number." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens) * real

# %% wrong: one mean for each sequence advice="This is one mean per sequence: return one mean over all." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     losses = token_losses(logits, tokens) * real
# becomes:     return losses.sum(dim=1) / real.sum(dim=1)

# %% wrong: in an array of one advice="The result has an axis: return a tensor without axes, as mean() does." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].mean()[None]

# %% wrong: no return from the mean says="does your function end with a return?" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     token_losses(logits, tokens)[real].mean()

# %% wrong: mean and count advice="The result is a pair: return only the mean loss." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].mean(), real.sum()

# %% wrong: a dict from the mean says="it should have the keys" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return {'mean': token_losses(logits, tokens)[real].mean()}

# %% wrong: rounded mean advice="The loss is rounded: don't round it." fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return torch.round(token_losses(logits, tokens)[real].mean(), decimals=2)

# %% wrong: token_losses given pad says="other arguments than it takes" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens, pad)[real].mean()

# %% wrong: a number, not a tensor says="no gradient flows through .item()" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens)[real].mean().item()

# %% wrong: a plain float says="no gradient" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return float(token_losses(logits, tokens)[real].mean())

# %% wrong: a new tensor of the mean says="makes a new tensor" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return torch.tensor(token_losses(logits, tokens)[real].mean())

# %% wrong: the losses detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return token_losses(logits, tokens).detach()[real].mean()

# %% wrong: the logits' data says="no gradient flows through .data" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     return F.cross_entropy(logits.data[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: losses under no_grad says="no gradient flows through no_grad" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="reference"
# was:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
# becomes:     with torch.no_grad():
# becomes:         return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")

# %% wrong: NumPy, in 64 bits says="no gradient flows through .numpy()" unseen="only check_gradients catches it" fails=["next-token-loss-test"]
def token_losses(logits, tokens):
    scores, targets = logits.double().numpy()[:, :-1], tokens.numpy()[:, 1:]
    scores = scores - scores.max(axis=-1, keepdims=True)
    chosen = np.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
    return torch.from_numpy(np.log(np.exp(scores).sum(axis=-1)) - chosen).to(logits.dtype)


def next_token_loss(logits, tokens, pad):
    real = tokens.numpy()[:, 1:] != pad
    return torch.tensor(np.average(token_losses(logits, tokens).numpy(), weights=real))

# %% wrong: only the single losses detached says="no gradient flows through .detach()" unseen="only check_gradients catches it" fails=["next-token-loss-test"] of="flattened, ignore_index"
# was:     return flat.reshape(batch, seq - 1)
# becomes:     return flat.reshape(batch, seq - 1).detach()

# %% right: a product with one-hot rows in 32 bits
def token_losses(logits, tokens):
    logs = logits[:, :-1].log_softmax(dim=-1)
    chosen = F.one_hot(tokens[:, 1:], logits.shape[-1]).float()
    return -torch.einsum("btv,btv->bt", logs, chosen)


def next_token_loss(logits, tokens, pad):
    real = (tokens[:, 1:] != pad).float()
    return torch.einsum("bt,bt->", token_losses(logits, tokens), real) / real.sum()

# %% wrong: no shift, and padding counted advice="Row t predicts token t + 1, and padding does not count: here every row is compared with its own token, and padding is in the mean." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits.transpose(1, 2), tokens)

# %% wrong: softmax first, and no shift, in the mean advice="Give the cross-entropy the logits, and shift: row t predicts token t + 1. Here a softmax comes first, and every row is compared with its own token." fails=["next-token-loss-test"] of="reference"
# was:         real = tokens[:, 1:] != pad
# was:         return token_losses(logits, tokens)[real].mean()
# becomes:     return F.cross_entropy(logits.softmax(dim=-1).transpose(1, 2), tokens, ignore_index=pad)

# %% wrong: no gradient if no target is padding says="gradients, with other arrays" unseen="no visible test has such an input" visible=false fails=["next-token-loss-test"]
def token_losses(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")


def next_token_loss(logits, tokens, pad):
    losses, real = token_losses(logits, tokens), tokens[:, 1:] != pad
    if real.all():
        return torch.tensor(losses.mean().item())
    return losses[real].mean()
