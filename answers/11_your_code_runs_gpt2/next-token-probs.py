# %% right: sort and a threshold, exp by hand
def next_token_probs(logits, temperature=1.0, top_k=None):
    scaled = logits / temperature
    if top_k and top_k < logits.shape[-1]:
        limit = scaled.sort(dim=-1, descending=True).values[..., top_k - 1]
        scaled = torch.where(scaled >= limit.unsqueeze(-1), scaled, -math.inf)
    powers = (scaled - scaled.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)

# %% right: kthvalue
def next_token_probs(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if top_k is not None and top_k < vocab:
        limit = logits.kthvalue(vocab - top_k + 1, dim=-1, keepdim=True).values
        logits = logits.masked_fill(logits < limit, float("-inf"))
    return F.softmax(logits / temperature, dim=-1)

# %% right: counts the larger ones
def next_token_probs(logits, temperature=1.0, top_k=None):
    scaled = logits / temperature
    if top_k:
        larger = (scaled[..., None, :] > scaled[..., None]).sum(dim=-1)
        scaled = scaled.masked_fill(larger >= top_k, -math.inf)
    return torch.softmax(scaled, dim=-1)

# %% wrong: multiplied by the temperature advice="The logits are multiplied by the temperature: divide by it." of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits * temperature

# %% wrong: temperature ignored advice="The temperature has no effect: divide the logits by it." of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits.clone()

# %% wrong: probabilities divided advice="The probabilities are divided by the temperature: divide the logits, before the softmax." of="reference"
# was:     logits = logits / temperature
# becomes: logits = logits.clone()
# was:     return logits.softmax(dim=-1)
# becomes: return logits.softmax(dim=-1) / temperature

# %% wrong: top_k ignored advice="top_k has no effect: give all other tokens the probability 0." of="reference"
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     logits = logits.clone()

# %% wrong: ties cut off advice="A logit that equals the smallest one that is kept is cut off: keep equal ones, too." of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     kept = logits.topk(min(top_k, logits.shape[-1]), dim=-1)
# becomes:     logits = torch.full_like(logits, -math.inf).scatter(-1, kept.indices, kept.values)

# %% wrong: the smallest one cut off advice="One token too few is kept: keep logits that equal the smallest of the top_k, so mask with < and not <=." of="reference"
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     logits = logits.masked_fill(logits <= smallest, -math.inf)

# %% wrong: 0 in place of −∞ advice="The other logits are set to 0, which is not the probability 0: set them to −∞." of="reference"
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     logits = logits.masked_fill(logits < smallest, 0.0)

# %% wrong: not normalized again advice="The rows don't sum to 1: set the logits to −∞ before the softmax, or divide by the new sum." of="reference"
# was:     if top_k is not None:
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# was:     return logits.softmax(dim=-1)
# becomes: probs = logits.softmax(dim=-1)
# becomes: if top_k is not None:
# becomes:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes:     probs = probs.masked_fill(logits < smallest, 0.0)
# becomes: return probs

# %% wrong: the smallest ones kept advice="The smallest logits are kept: keep the largest." of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     largest = logits.topk(min(top_k, logits.shape[-1]), dim=-1, largest=False).values[..., -1:]
# becomes:     logits = logits.masked_fill(logits > largest, -math.inf)

# %% wrong: only the kept ones are returned advice="Only the top_k probabilities are returned: return one for each token of the vocabulary." of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# was:         logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes:     logits = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values

# %% wrong: one limit for all sequences advice="One limit is used for all sequences: find the top_k logits of each row, along the last axis." of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values.min()

# %% wrong: the limit is the largest advice="Only the largest logit is kept: the limit is the last of the top_k values, [..., -1:]." of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes:     smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., :1]

# %% wrong: more than the vocabulary says="out of range" of="reference"
# was:         smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
# becomes:     smallest = logits.topk(top_k, dim=-1).values[..., -1:]

# %% wrong: softmax along the sequences advice="The softmax runs along the wrong axis: each row of the vocabulary sums to 1, dim=-1." of="reference"
# was:     return logits.softmax(dim=-1)
# becomes: return logits.softmax(dim=0)

# %% wrong: −10000 for −∞ advice="The other logits are set to a finite number, and kept ones may be lower: set them to −∞, -math.inf." of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, -1e4)

# %% wrong: −1000 for −∞ advice="The other logits are set to a finite number, and kept ones may be lower: set them to −∞, -math.inf." of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest, -1e3)

# %% wrong: almost the smallest one is kept says="in the probabilities" visible=false unseen="for a student, such logits are equal" of="reference"
# was:     logits = logits.masked_fill(logits < smallest, -math.inf)
# becomes: logits = logits.masked_fill(logits < smallest - 1e-3, -math.inf)

# %% wrong: temperatures below 0.1 become 0.1 says="in the probabilities" unseen="no visible test has such an input" visible=false fails=["next-token-probs-test"]
def next_token_probs(logits, temperature=1.0, top_k=None):
    scores = logits / max(temperature, 0.1)
    if top_k:
        limit = scores.topk(min(top_k, scores.shape[-1]), dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < limit, -math.inf)
    return scores.softmax(dim=-1)

# %% wrong: not kept is −1e6, so a lower score that is kept loses says="in the probabilities" unseen="no visible test has such an input" visible=false fails=["next-token-probs-test"]
def next_token_probs(logits, temperature=1.0, top_k=None):
    scores = logits / temperature
    if top_k:
        limit = scores.topk(min(top_k, scores.shape[-1]), dim=-1).values[..., -1:]
        scores = scores.masked_fill(scores < limit, -1e6)
    return scores.softmax(dim=-1)
