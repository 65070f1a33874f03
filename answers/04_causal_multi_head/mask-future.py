# %% right: triu and masked_fill
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, float("-inf"))

# %% right: added triangle of -inf
def mask_future(scores):
    n = scores.size(-1)
    return scores + torch.full((n, n), -math.inf, device=scores.device).triu(diagonal=1)

# %% right: where with tril
def mask_future(scores):
    keep = torch.tril(torch.ones_like(scores, dtype=torch.bool))
    return torch.where(keep, scores, -torch.inf)

# %% right: loop over queries
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-2]):
        masked[..., i, i + 1:] = float("-inf")
    return masked

# %% right: boolean index on the copy
def mask_future(scores):
    n = scores.shape[-1]
    masked = scores.clone()
    masked[:, :, torch.ones(n, n, device=scores.device).triu(1) == 1] = -math.inf
    return masked

# %% right: triu_indices
def mask_future(scores):
    n = scores.shape[-1]
    query, key = torch.triu_indices(n, n, offset=1, device=scores.device)
    masked = scores.clone()
    masked[:, :, query, key] = -math.inf
    return masked

# %% right: torch's own mask
def mask_future(scores):
    return scores + nn.Transformer.generate_square_subsequent_mask(
        scores.shape[-1], device=scores.device)

# %% right: made on the CPU, then moved
def mask_future(scores):
    n = scores.shape[-1]
    blocked = torch.tensor(np.triu(np.ones((n, n), dtype=bool), 1)).to(scores.device)
    return scores.masked_fill(blocked, -np.inf)

# %% right: score by score, a slow way
def mask_future(scores):
    masked = torch.empty_like(scores)
    for b, h, i, j in np.ndindex(*scores.shape):
        masked[b, h, i, j] = scores[b, h, i, j] if j <= i else -math.inf
    return masked

# %% base
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, device=scores.device).triu(1) > 0
    value = float("-inf")
    return scores.masked_fill(blocked, value)

# %% wrong: blocks the diagonal advice="The diagonal is blocked too: a query keeps itself, so only keys with j > i go." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     blocked = torch.ones(seq, seq, device=scores.device).triu(1) > 0
# becomes: blocked = torch.ones(seq, seq, device=scores.device).triu(0) > 0

# %% wrong: inverted advice="What should be kept is blocked, and the future is open: turn the mask round (in masked_fill, True means replace)." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return scores.masked_fill(~blocked, value)

# %% wrong: the lower triangle is blocked advice="What should be kept is blocked, and the future is open: turn the mask round (in masked_fill, True means replace)." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     blocked = torch.ones(seq, seq, device=scores.device).triu(1) > 0
# becomes: blocked = torch.ones(seq, seq, device=scores.device).tril() > 0

# %% wrong: -1e9 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"] of="base"
# was:     value = float("-inf")
# becomes: value = -1e9

# %% wrong: one key too many is kept advice="One key of the future is open, the next one: the triangle begins right of the diagonal, triu(1), where j > i." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     blocked = torch.ones(seq, seq, device=scores.device).triu(1) > 0
# becomes: blocked = torch.ones(seq, seq, device=scores.device).triu(2) > 0

# %% wrong: 0 instead of -inf advice="Blocked scores are 0 here, and e⁰ is 1, not 0: they must be −∞." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     value = float("-inf")
# becomes: value = 0.0

# %% wrong: only the future is kept, and the diagonal advice="This blocks the past: the query is the row and the key the column, and keys with j > i go." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     blocked = torch.ones(seq, seq, device=scores.device).triu(1) > 0
# becomes: blocked = torch.ones(seq, seq, device=scores.device).tril(-1) > 0

# %% wrong: only for the first sequence advice="Only sequence 0 is masked: every head of every sequence needs the triangle." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: masked = scores.clone()
# becomes: masked[0] = masked[0].masked_fill(blocked, value)
# becomes: return masked

# %% wrong: only for the first head advice="Only head 0 is masked: every head of every sequence needs the triangle." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: masked = scores.clone()
# becomes: masked[:, 0] = masked[:, 0].masked_fill(blocked, value)
# becomes: return masked

# %% wrong: softmax already advice="These are weights: softmax comes later, outside of this function." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return scores.masked_fill(blocked, value).softmax(-1)

# %% wrong: mask only, without the scores advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return torch.zeros_like(scores).masked_fill(blocked, value)

# %% wrong: +inf advice="The sign is wrong: a blocked score is −∞, not +∞." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"] of="base"
# was:     value = float("-inf")
# becomes: value = math.inf

# %% wrong: no mask advice="Nothing is blocked: this is what was given. Put −∞ where the key comes after its query." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores

# %% wrong: masked_fill without taking its result advice="Nothing is blocked: this is what was given. Put −∞ where the key comes after its query." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    blocked = torch.ones_like(scores).triu(1) > 0
    masked = scores.masked_fill(blocked, -math.inf)
    return scores

# %% wrong: the past and the diagonal are blocked advice="What should be kept is blocked, and the future is open: turn the mask round (in masked_fill, True means replace)." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).tril(0)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: everything but the diagonal advice="Only the diagonal is left: keys before the query are kept, too." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked | blocked.T, float("-inf"))

# %% wrong: tril of the scores advice="Blocked scores are 0 here, and e⁰ is 1, not 0: they must be −∞." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return torch.tril(scores)

# %% wrong: times the mask advice="Blocked scores are 0 here, and e⁰ is 1, not 0: they must be −∞." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores * torch.ones_like(scores).tril()

# %% wrong: zero scores are blocked advice="A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    kept = torch.tril(scores)
    return kept.masked_fill(kept == 0, -math.inf)

# %% wrong: where on what is left advice="A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    kept = torch.tril(scores)
    return torch.where(kept != 0, kept, -math.inf)

# %% wrong: a triangle of the scores as the mask advice="A score of exactly 0 in the future is left open here: make the mask of positions, not of what the scores are." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores.masked_fill(torch.triu(scores, 1) != 0, -math.inf)

# %% wrong: a triangle of the scores as truth advice="A score of exactly 0 in the future is left open here: make the mask of positions, not of what the scores are." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores.masked_fill(torch.triu(scores, 1).bool(), -math.inf)

# %% wrong: negative scores are blocked advice="Only scores above 0 are blocked: make the mask of positions, not of what the scores are." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores.masked_fill(torch.triu(scores, 1) > 0, -math.inf)

# %% wrong: -1e20 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, -1e20)

# %% wrong: -10000 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, -10000.0)

# %% wrong: finfo.min instead of -inf advice="A large negative number is not −∞: fill with float('-inf')."
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, torch.finfo(scores.dtype).min)

# %% wrong: minus a large number advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    return scores - 1e9 * torch.ones_like(scores).triu(1)

# %% wrong: a query keeps the one before it only advice="Keys two and more places back are blocked too: a query keeps all that came before." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked | ~blocked.tril(-1).T.logical_not().T & blocked.T.triu(9) | torch.ones_like(blocked).tril(-2), float("-inf"))

# %% wrong: turned upside down advice="The triangle is inverted: the first query keeps one key, the last one all." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1).flip(0)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: ones where it is kept advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return torch.ones_like(scores).tril()

# %% wrong: the mask as truth advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    return torch.ones_like(scores).triu(1).bool()

# %% wrong: only a triangle advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    n = scores.shape[-1]
    return torch.full((n, n), -math.inf, device=scores.device).triu(1)

# %% wrong: one is added where it is kept advice="Kept scores have changed: add 0 to them, and −∞ to the others."
def mask_future(scores):
    return scores + torch.ones_like(scores).tril().log() + 1

# %% wrong: only one table advice="Only head 0 of sequence 0 is masked: every head of every sequence needs the triangle." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-1]):
        for j in range(i + 1, scores.shape[-1]):
            masked[0, 0, i, j] = -math.inf
    return masked

# %% wrong: only the last key is blocked advice="Only one key of each query is blocked: block all that come after it, from i + 1 to the end." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-1] - 1):
        masked[..., i, -1] = -math.inf
    return masked

# %% wrong: only the next key is blocked advice="Only one key of each query is blocked: block all that come after it, from i + 1 to the end." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-1] - 1):
        masked[..., i, i + 1] = -math.inf
    return masked

# %% wrong: a column for a row advice="This blocks the past: the query is the row and the key the column, and keys with j > i go." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-1]):
        masked[..., i + 1:, i] = -math.inf
    return masked

# %% wrong: slices from i advice="The diagonal is blocked too: a query keeps itself, so only keys with j > i go." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[-1]):
        masked[..., i, i:] = -math.inf
    return masked

# %% wrong: as many queries as heads advice="Only as many queries are masked as there are heads: their number is scores.shape[-2]." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[1]):
        masked[..., i, i + 1:] = -math.inf
    return masked

# %% wrong: as many queries as sequences advice="Only as many queries are masked as there are sequences: their number is scores.shape[-2]." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    masked = scores.clone()
    for i in range(scores.shape[0]):
        masked[..., i, i + 1:] = -math.inf
    return masked

# %% wrong: mask of heads and sequences advice="Sequences and heads are compared: compare the last two axes, queries and keys." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    return scores.masked_fill(torch.ones(scores.shape[:2], device=scores.device).triu(1)[..., None, None] > 0, -math.inf)

# %% wrong: sizes of the heads says="make the sizes fit" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    n = scores.shape[1]
    return scores.masked_fill(torch.ones(n, n, device=scores.device).triu(1) > 0, -math.inf)

# %% wrong: an axis too many advice="The result has an axis too many: a mask of (seq, seq), or (1, 1, seq, seq), fits all sequences and heads." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(1, 1, 1, seq, seq, device=scores.device).triu(1) > 0
    return scores.masked_fill(blocked, -math.inf)

# %% wrong: in place says="make a new tensor"
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill_(blocked, float("-inf"))

# %% wrong: written into the scores says="make a new tensor"
def mask_future(scores):
    scores[:, :, torch.ones(scores.shape[-2:], device=scores.device).triu(1) > 0] = -math.inf
    return scores

# %% wrong: mask on the CPU says="made on another device" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool).triu(1)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: mask times -inf advice="0 times −∞ is NaN: put −∞ where the mask is, with masked_fill or where, and multiply nothing." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores + torch.ones_like(scores).triu(1) * -math.inf

# %% wrong: scores times -inf advice="0 times −∞ is NaN: put −∞ where the mask is, with masked_fill or where, and multiply nothing." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test"]
def mask_future(scores):
    return scores * torch.ones_like(scores).triu(1) * -math.inf

# %% wrong: a mask of numbers, not of truths says="masked_fill_ only supports boolean masks" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    return scores.masked_fill(torch.ones_like(scores).triu(1), -math.inf)

# %% wrong: turned by the minus sign says="bool" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    return scores.masked_fill(-torch.ones_like(scores).triu(1).bool(), -math.inf)

# %% wrong: a slip of another kind says="has no attribute 'sizes'" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    n = scores.sizes(-1)
    return scores.masked_fill(torch.ones(n, n, device=scores.device).triu(1) > 0, -math.inf)

# %% wrong: forgets return says="does your function end with a return?" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    masked = scores.masked_fill(blocked, float("-inf"))

# %% wrong: scores detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["mask-future-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return scores.detach().masked_fill(blocked, value)

# %% wrong: a new tensor of the scores says="makes a new tensor" unseen="only check_gradients shows it" fails=["mask-future-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return torch.tensor(scores).masked_fill(blocked, value)

# %% wrong: written through data says="no gradient flows through .data" unseen="only check_gradients shows it" fails=["mask-future-test"] of="base"
# was:     return scores.masked_fill(blocked, value)
# becomes: return scores.data.masked_fill(blocked, value)

# %% wrong: without gradients says="no gradient flows through no_grad" unseen="only check_gradients shows it" fails=["mask-future-test"] of="base"
# was:     def mask_future(scores):
# becomes: @torch.no_grad()
# becomes: def mask_future(scores):

# %% wrong: number by number says="no gradient flows through .item()" unseen="only check_gradients shows it" fails=["mask-future-test"]
def mask_future(scores):
    masked = torch.empty_like(scores)
    for b, h, i, j in np.ndindex(*scores.shape):
        masked[b, h, i, j] = scores[b, h, i, j].item() if j <= i else -math.inf
    return masked

# %% wrong: an inverted mask as the mask of NumPy says="no gradient flows through" unseen="only check_gradients shows it" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    later = np.triu(np.ones(scores.shape[-2:], dtype=bool), 1)
    return torch.from_numpy(np.where(later, -np.inf, scores.numpy()))

# %% wrong: a mask for each length kept, on the first device says="made on another device" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores, masks={}):
    seq = scores.shape[-1]
    if seq not in masks:
        masks[seq] = torch.ones(seq, seq, device=scores.device).triu(1).bool()
    return scores.masked_fill(masks[seq], float("-inf"))

# %% wrong: the device of the last new length kept says="made on another device" fails=["mask-future-test", "multi-head-causal-test"]
class KeptDevice:
    lengths, device = [], None


def mask_future(scores):
    seq = scores.shape[-1]
    if seq not in KeptDevice.lengths:
        KeptDevice.lengths.append(seq)
        KeptDevice.device = scores.device
    positions = torch.arange(seq, device=KeptDevice.device)
    return scores.masked_fill(positions > positions[:, None], float("-inf"))

# %% wrong: -1e5 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"] of="base"
# was:     value = float("-inf")
# becomes: value = -1e5

# %% wrong: -1e6 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"] of="base"
# was:     value = float("-inf")
# becomes: value = -1e6

# %% wrong: -1e10 is added advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    return scores + (1 - torch.ones(seq, seq, device=scores.device).tril()) * -1e10

# %% wrong: -10000 is added advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    return scores + (1 - torch.ones(seq, seq, device=scores.device).tril()) * -10000.0

# %% wrong: a triangle of what is kept, two axes in front advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    return torch.ones(seq, seq, device=scores.device).tril().view(1, 1, seq, seq)

# %% wrong: a flat triangle of what is kept advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    return torch.ones(seq, seq, device=scores.device).tril() == 1

# %% wrong: a triangle to add, two axes in front advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-future-test", "multi-head-causal-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    return torch.full((1, 1, seq, seq), -math.inf, device=scores.device).triu(1)

# %% wrong: a fixed triangle of 256 tokens: an error for longer sequences says="must match the size" unseen="no visible test has such an input" visible=false fails=["mask-future-test", "multi-head-causal-test"]
triangle = torch.ones(256, 256, dtype=torch.bool).triu(1)
def mask_future(scores):
    n = scores.shape[-1]
    return scores.masked_fill(triangle.to(scores.device)[:n, :n], float("-inf"))

# %% wrong: scores that a padding mask has blocked already become NaN says="with large scores, 0 and -inf" unseen="no visible test has such an input" visible=false fails=["mask-future-test"]
def mask_future(scores):
    n = scores.shape[-1]
    keep = torch.ones(n, n, device=scores.device).tril()
    block = torch.full((n, n), -math.inf, device=scores.device).triu(1)
    return scores * keep + block
