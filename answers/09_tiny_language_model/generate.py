# %% right: Gumbel noise
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    for _ in range(new_tokens):
        probs = next_token_probs(model(tokens[:, -context:])[:, -1], temperature, top_k, top_p)
        noise = -torch.log(-torch.log(torch.rand(probs.shape, generator=generator, dtype=probs.dtype)))
        drawn = (probs.log() + noise).argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, drawn], dim=1)
    return tokens

# %% right: inverse cdf
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    with torch.no_grad():
        for _ in range(new_tokens):
            seen = tokens[:, max(tokens.shape[1] - context, 0):]
            probs = next_token_probs(model(seen)[:, -1, :], temperature=temperature, top_k=top_k, top_p=top_p)
            border = torch.rand(len(tokens), 1, generator=generator)
            drawn = (probs.cumsum(dim=1)[:, :-1] <= border).sum(dim=1)
            tokens = torch.hstack([tokens, drawn.unsqueeze(1)])
    return tokens

# %% right: exponential race, a box filled in
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    batch, seq = tokens.shape
    text = torch.zeros(batch, seq + new_tokens, dtype=tokens.dtype)
    text[:, :seq] = tokens
    for place in range(seq, seq + new_tokens):
        logits = model(text[:, max(0, place - context):place])
        probs = next_token_probs(logits[:, -1], temperature, top_k, top_p)
        times = torch.empty_like(probs).exponential_(generator=generator)
        text[:, place] = (probs / times).argmax(dim=1)
    return text

# %% right: sequence by sequence, lists
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    texts = [row.tolist() for row in tokens]
    for _ in range(new_tokens):
        seen = torch.tensor([text[-context:] for text in texts])
        for text, shares in zip(texts, next_token_probs(model(seen)[:, -1], temperature, top_k, top_p)):
            text.append(torch.multinomial(shares, 1, generator=generator).item())
    return texts

# %% right: calls itself
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    if not new_tokens:
        return tokens.clone()
    probs = next_token_probs(model(tokens[:, -context:])[:, -1], temperature, top_k, top_p)
    drawn = torch.multinomial(probs, num_samples=1, generator=generator)
    longer = torch.hstack((tokens, drawn))
    return generate(model, longer, context, new_tokens - 1, generator, temperature, top_k, top_p)

# %% right: all chance drawn beforehand, NumPy's search
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    chance = torch.rand(new_tokens, tokens.shape[0], generator=generator).double().numpy()
    columns = list(tokens.T)
    for borders in chance:
        seen = torch.stack(columns[-context:], dim=1)
        probs = np.asarray(next_token_probs(model(seen)[:, -1], temperature, top_k, top_p))
        sums = np.cumsum(probs, axis=1)[:, :-1]
        drawn = [np.searchsorted(row, border) for row, border in zip(sums, borders)]
        columns.append(torch.tensor(np.array(drawn), dtype=tokens.dtype))
    return torch.stack(columns, dim=1)

# %% wrong: generator not used says="pass the generator to torch.multinomial, and use no other" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, 1)

# %% wrong: a generator of its own says="don't seed the generator there" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, 1, generator=torch.Generator())

# %% wrong: a generator of its own, made once says="draw with the generator that was passed, and don't seed it" of="reference"
# was:     for _ in range(new_tokens):
# becomes: own = torch.Generator().manual_seed(0)
# becomes: for _ in range(new_tokens):

# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, 1, generator=own)

# %% wrong: seeded again at each step, with its own seed says="don't seed the generator there" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: generator.manual_seed(generator.initial_seed())
# becomes: drawn = torch.multinomial(probs, 1, generator=generator)

# %% wrong: seeded again at each step, with 0 says="don't seed the generator there" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: generator.manual_seed(0)
# becomes: drawn = torch.multinomial(probs, 1, generator=generator)

# %% wrong: a copy of the generator at each step says="don't seed the generator there" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, 1, generator=torch.Generator().set_state(generator.get_state()))

# %% wrong: seeded once, with 0 says="draw with the generator that was passed, and don't seed it" of="reference"
# was:     for _ in range(new_tokens):
# becomes: generator.manual_seed(0)
# becomes: for _ in range(new_tokens):

# %% wrong: seeded with the clock says="pass the generator to torch.multinomial, and use no other" of="reference"
# was:     for _ in range(new_tokens):
# becomes: generator.seed()
# becomes: for _ in range(new_tokens):

# %% wrong: Gumbel noise without the generator says="pass the generator to torch.multinomial, and use no other" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs.log() - (-torch.rand_like(probs).log()).log()).argmax(dim=-1, keepdim=True)

# %% wrong: NumPy's own chance says="pass the generator to torch.multinomial, and use no other" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.tensor([[np.random.choice(len(row), p=row / row.sum())] for row in probs.double().numpy()])

# %% wrong: always the likeliest says="draw from the probabilities: don't take the largest" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = probs.argmax(dim=-1, keepdim=True)

# %% wrong: context kept at the front advice="The model sees the first tokens: give it the last ones, tokens[:, -context:]." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, :context])[:, -1]

# %% wrong: not cut says="at most the last context tokens" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens)[:, -1]

# %% wrong: cut one too long says="at most the last context tokens" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context - 1:])[:, -1]

# %% wrong: cut one too short advice="The model sees one token too few: pass it the last context tokens, tokens[:, -context:]." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context + 1:])[:, -1]

# %% wrong: the last token only advice="The model sees the last token alone: give it the last context tokens, tokens[:, -context:]." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -1:])[:, -1]

# %% wrong: the last token only, after the first step advice="After the first step the model sees the last token alone: give it the last context tokens at every step, tokens[:, -context:]." of="reference"
# was:     for _ in range(new_tokens):
# becomes: seen = tokens[:, -context:]
# becomes: for _ in range(new_tokens):

# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(seen)[:, -1]

# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: seen = drawn

# %% wrong: cut from the front by the context says="at most the last context tokens" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, context:] if tokens.shape[1] > context else tokens)[:, -1]

# %% wrong: the prompt cut once advice="The text itself is cut: cut only the input of the model, and return all tokens." of="reference"
# was:     for _ in range(new_tokens):
# becomes: tokens = tokens[:, -context:]
# becomes: for _ in range(new_tokens):

# %% wrong: the text is cut, too advice="The text itself is cut: cut only the input of the model, and return all tokens." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: tokens = tokens[:, -context:]
# becomes: logits = model(tokens)[:, -1]

# %% wrong: sequences cut for tokens says="at most the last context tokens" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[-context:])[:, -1]

# %% wrong: context of 9 says="at most the last context tokens" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -9:])[:, -1]

# %% wrong: first position's logits advice="The first row of the logits is used: the last one, [:, -1], predicts the next token." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:])[:, 0]

# %% wrong: last position but one advice="The second-last row is used: the last one, [:, -1], predicts the next token." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:])[:, max(-2, -min(tokens.shape[1], context))]

# %% wrong: last sequence's logits says="join parts of the same sizes" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:])[-1]

# %% wrong: all rows averaged advice="The rows of the logits are averaged: take the last one, [:, -1]." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:]).mean(dim=1)

# %% wrong: last token of the vocabulary advice="[..., -1] selects the last token of the vocabulary at each position: the last row is [:, -1]." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:])[..., -1]

# %% wrong: context as a place says="out of bounds" of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(tokens[:, -context:])[:, context - 1]

# %% wrong: row 0's probabilities for all advice="All sequences draw from the probabilities of sequence 0: let each draw from its own row." of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs[:1].expand(len(tokens), -1), 1, generator=generator)

# %% wrong: row 0's draw for all advice="All sequences draw from the probabilities of sequence 0: let each draw from its own row." of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs[0], 1, generator=generator).expand(len(tokens), 1)

# %% wrong: mean probabilities for all advice="All sequences draw from the mean of their probabilities: let each draw from its own row." of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs.mean(dim=0).expand(len(tokens), -1), 1, generator=generator)

# %% wrong: one border for all, by inverse cdf says="draw for each sequence separately" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs.cumsum(dim=1) < torch.rand(1, generator=generator)).sum(dim=1, keepdim=True)

# %% wrong: one Gumbel noise for all says="draw for each sequence separately" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: noise = -(-torch.rand(probs.shape[1], generator=generator).log()).log()
# becomes: drawn = (probs.log() + noise).argmax(dim=1, keepdim=True)

# %% wrong: one border for all steps says="don't seed the generator there" of="reference"
# was:     for _ in range(new_tokens):
# becomes: border = torch.rand(len(tokens), 1, generator=generator)
# becomes: for _ in range(new_tokens):

# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs.cumsum(dim=1) < border).sum(dim=1, keepdim=True)

# %% wrong: all new tokens of one call advice="All new tokens are drawn at once: call the model again after each one." of="reference"
# was:     for _ in range(new_tokens):
# becomes: if new_tokens:

# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs, new_tokens, replacement=True, generator=generator)

# %% wrong: the prompt asked again and again advice="All new tokens are drawn at once: call the model again after each one." of="reference"
# was:     for _ in range(new_tokens):
# becomes: prompt = tokens
# becomes: for _ in range(new_tokens):

# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(prompt[:, -context:])[:, -1]

# %% wrong: noise added to the probabilities advice="Noise is added to the probabilities: Gumbel noise belongs to their logarithms." of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs - (-torch.rand(probs.shape, generator=generator).log()).log()).argmax(dim=-1, keepdim=True)

# %% wrong: uniform noise says="Draw each sequence separately" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs * torch.rand(probs.shape, generator=generator)).argmax(dim=-1, keepdim=True)

# %% wrong: normal noise on the logarithms says="Draw each sequence separately" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = (probs.log() + torch.randn(probs.shape, generator=generator)).argmax(dim=-1, keepdim=True)

# %% wrong: exponentials of probabilities says="go through a softmax again" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial((probs > 0) * probs.exp(), 1, generator=generator)

# %% wrong: evenly among what is kept says="draw in proportion to the probabilities" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial((probs > 0).double(), 1, generator=generator)

# %% wrong: squares of the probabilities says="The probabilities are squared" of="reference"
# was:     drawn = torch.multinomial(probs, 1, generator=generator)
# becomes: drawn = torch.multinomial(probs ** 2, 1, generator=generator)

# %% wrong: multinomial of the logits advice="The tokens are drawn in proportion to the logits: draw from the probabilities that next_token_probs returns." of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = logits

# %% wrong: softmax over the batch advice="The probabilities sum to 1 along the batch: pass the logits to next_token_probs as (batch, vocab)." of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits.T, temperature, top_k, top_p).T

# %% wrong: temperature not handed on says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, top_k=top_k, top_p=top_p)

# %% wrong: top_k not handed on says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, temperature, top_p=top_p)

# %% wrong: top_p not handed on says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, temperature, top_k)

# %% wrong: nothing handed on says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits)

# %% wrong: softmax alone says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = logits.softmax(dim=-1)

# %% wrong: softmax with temperature alone says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = (logits / temperature).softmax(dim=-1)

# %% wrong: top_k and top_p changed about says="each as the right argument" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, temperature, top_p, top_k)

# %% wrong: temperature in the place of top_k says="TypeError" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, top_k, temperature, top_p)

# %% wrong: temperature twice says="The temperature counts twice" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits / temperature, temperature, top_k, top_p)

# %% wrong: a softmax of the probabilities advice="The probabilities go through a softmax again: draw from them as they are." of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, temperature, top_k, top_p).softmax(dim=-1)

# %% wrong: inverse temperature says="The temperature is inverted" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, 1 / temperature, top_k, top_p)

# %% wrong: settings fixed says="pass temperature, top_k and top_p on" of="reference"
# was:     probs = next_token_probs(logits, temperature, top_k, top_p)
# becomes: probs = next_token_probs(logits, 1.0, None, None)

# %% wrong: only the new tokens advice="Only the new tokens are returned: return the prompt followed by them." of="reference"
# was:     for _ in range(new_tokens):
# becomes: seq = tokens.shape[1]
# becomes: for _ in range(new_tokens):

# was:     return tokens
# becomes: return tokens[:, seq:]

# %% wrong: only the last token advice="Only the last token is returned: return the prompt and all new tokens." of="reference"
# was:     return tokens
# becomes: return drawn if new_tokens else tokens

# %% wrong: new tokens in front advice="New tokens come before the prompt: append them, torch.cat([tokens, drawn], dim=1)." of="reference"
# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: tokens = torch.cat([drawn, tokens], dim=1)

# %% wrong: one token too many advice="There is one new token too many: range(new_tokens) runs new_tokens times." of="reference"
# was:     for _ in range(new_tokens):
# becomes: for _ in range(new_tokens + 1):

# %% wrong: one token too few advice="There is one new token too few: range(new_tokens) runs new_tokens times." of="reference"
# was:     for _ in range(new_tokens):
# becomes: for _ in range(1, new_tokens):

# %% wrong: up to a length advice="The text stops at new_tokens tokens, prompt included: append new_tokens tokens to the prompt." of="reference"
# was:     for _ in range(new_tokens):
# becomes: while tokens.shape[1] < new_tokens:

# %% wrong: return in the loop advice="There is only one new token: the return is inside the loop." of="reference"
# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: tokens = torch.cat([tokens, drawn], dim=1)
# becomes: return tokens

# %% wrong: probabilities appended says="one_hot is only applicable" of="reference"
# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: tokens = torch.cat([tokens, probs], dim=1)

# %% wrong: joined along the batch says="join parts of the same sizes" of="reference"
# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: tokens = torch.cat([tokens, drawn], dim=0)

# %% wrong: drawn without its axis says="Tensors must have same number of dimensions" of="reference"
# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: tokens = torch.cat([tokens, drawn[:, 0]], dim=1)

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return tokens
# becomes:

# %% wrong: text and probabilities says="return only tokens" of="reference"
# was:     for _ in range(new_tokens):
# becomes: probs = None
# becomes: for _ in range(new_tokens):

# was:     return tokens
# becomes: return tokens, probs

# %% wrong: in a dict says="it should have the keys tokens" of="reference"
# was:     return tokens
# becomes: return {"text": tokens}

# %% wrong: the first sequence only advice="Only sequence 0 is returned: return all of them." of="reference"
# was:     return tokens
# becomes: return tokens[0]

# %% wrong: the prompt rolls through a window advice="The model sees only as many tokens as the prompt has: pass it the last context tokens of the text, and don't write into the prompt." of="reference"
# was:     logits = model(tokens[:, -context:])[:, -1]
# becomes: logits = model(window[:, -context:])[:, -1]

# was:     for _ in range(new_tokens):
# becomes: window, text = tokens, tokens
# becomes: for _ in range(new_tokens):

# was:     tokens = torch.cat([tokens, drawn], dim=1)
# becomes: text = torch.cat([text, drawn], dim=1)
# becomes: window[:, :-1] = window[:, 1:].clone()
# becomes: window[:, -1:] = drawn

# was:     return tokens
# becomes: return text

# %% wrong: the prompt overwritten says="differs from its value before" of="reference"
# was:     for _ in range(new_tokens):
# becomes: prompt = tokens
# becomes: for _ in range(new_tokens):

# was:     return tokens
# becomes: prompt.fill_(0)
# becomes: return tokens

# %% wrong: a text of at most 4 contexts advice="The beginning of the text is lost, or it ends too early: return the prompt and all new tokens; only the model's input is cut." of="reference"
# was:     return tokens
# becomes: return tokens[:, -4 * context:]

# %% wrong: the place among the largest for the token advice="What was drawn is a place among the sorted tokens: append the token that stands there, as gather selects it." of="reference"
# was:         drawn = torch.multinomial(probs, 1, generator=generator)
# becomes:     largest = probs.topk(top_k or probs.shape[-1], dim=-1).values
# becomes:     drawn = torch.multinomial(largest, 1, generator=generator)

# %% wrong: with top_p, the temperature is ignored says="the shares of the pairs are" unseen="no visible test has such an input" visible=false fails=["generate-test"]
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    for _ in range(new_tokens):
        logits = model(tokens[:, -context:])[:, -1]
        if top_p is not None:
            probs = next_token_probs(logits, top_k=top_k, top_p=top_p)
        else:
            probs = next_token_probs(logits, temperature, top_k)
        tokens = torch.cat([tokens, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return tokens

# %% wrong: top_p is left out if top_k is given says="4000 sequences" unseen="no visible test has such an input" visible=false fails=["generate-test"]
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    for _ in range(new_tokens):
        logits = model(tokens[:, -context:])[:, -1]
        probs = next_token_probs(logits, temperature, top_k, None if top_k else top_p)
        tokens = torch.cat([tokens, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return tokens.clone()
