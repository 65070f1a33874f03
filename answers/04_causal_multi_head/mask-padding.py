# %% right: comparison and masked_fill
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    keys = torch.arange(scores.shape[-1], device=scores.device)
    blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
    return scores.masked_fill(blocked, float("-inf"))

# %% right: loop over the batch
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, length in enumerate(lengths):
        masked[b, :, :, length:] = -math.inf
    return masked

# %% right: additive mask
def mask_padding(scores, lengths):
    extra = torch.zeros(len(lengths), 1, 1, scores.size(3), device=scores.device)
    for b in range(len(lengths)):
        extra[b, ..., int(lengths[b]):] = float("-inf")
    return scores + extra

# %% right: where
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths).to(scores.device).view(-1, 1, 1, 1)
    keys = torch.arange(scores.shape[-1], device=scores.device).view(1, 1, 1, -1)
    return torch.where(keys < lengths, scores, scores.new_tensor(-math.inf))

# %% right: stack of padded sequences
def mask_padding(scores, lengths):
    n = scores.shape[-1]
    return torch.stack([F.pad(table[..., :int(length)], (0, n - int(length)), value=-math.inf)
                        for table, length in zip(scores, lengths)])

# %% wrong: lengths ignored advice="Nothing is blocked: put −∞ into the columns of each sequence's own padded keys, from lengths[b] on." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    return scores

# %% wrong: masked_fill without taking its result advice="Nothing is blocked: put −∞ into the columns of each sequence's own padded keys, from lengths[b] on." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    masked = scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, -math.inf)
    return scores

# %% wrong: padding of queries instead of keys advice="The rows of padded queries are blocked: block the columns of padded keys, on the last axis." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None])[:, None, :, None]

# %% wrong: slices of the rows advice="The rows of padded queries are blocked: block the columns of padded keys, on the last axis." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, n:] = -math.inf
    return masked

# %% wrong: padding of queries and keys advice="Rows are blocked as well as columns: block only the columns of padded keys."
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    keys = torch.arange(scores.shape[-1], device=scores.device)
    blocked = (keys[None, :] >= lengths[:, None])
    blocked = (blocked[:, None, :] | blocked[:, :, None])[:, None]
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: padding where both are padded advice="Only padded queries are kept from padded keys: the columns of padded keys are blocked for every query." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, n:, n:] = -math.inf
    return masked

# %% wrong: one key too many is blocked advice="One column too many is blocked: with length n, keys 0 to n − 1 are real, and j >= n goes." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None] - 1)[:, None, None, :]

# %% wrong: counts from one advice="One column too many is blocked: with length n, keys 0 to n − 1 are real, and j >= n goes." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] + 1 >= lengths[:, None])[:, None, None, :]

# %% wrong: the first padded key is kept advice="The first padded key is kept: with length n, key n is padding already, so compare with >=." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] > lengths[:, None])[:, None, None, :]

# %% wrong: slices from one too far advice="The first padded key is kept: with length n, key n is padding already, so compare with >=." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, n + 1:] = -math.inf
    return masked

# %% wrong: inverted advice="The real keys are blocked, and the padding is open: in masked_fill, True means replace." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] < lengths[:, None])[:, None, None, :]

# %% wrong: slices of the real keys advice="The real keys are blocked, and the padding is open: in masked_fill, True means replace." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, :n] = -math.inf
    return masked

# %% wrong: counts the padding, not the tokens advice="As many keys are blocked at the end as there are real ones: lengths[b] counts the tokens that stay." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, scores.shape[-1] - n:] = -math.inf
    return masked

# %% wrong: padding at the start advice="The first keys are blocked: padding is at the end, from lengths[b] on." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, :scores.shape[-1] - n] = -math.inf
    return masked

# %% wrong: 0 instead of -inf advice="Blocked scores are 0 here, and e⁰ is 1, not 0: they must be −∞." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, 0)

# %% wrong: times the mask advice="Blocked scores are 0 here, and e⁰ is 1, not 0: they must be −∞." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores * (torch.arange(scores.shape[-1], device=scores.device) < ends)

# %% wrong: zero scores are blocked advice="A kept score that is exactly 0 is blocked here: make the mask of positions, not of what the scores are." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    kept = scores * (torch.arange(scores.shape[-1], device=scores.device) < ends)
    return kept.masked_fill(kept == 0, -math.inf)

# %% wrong: -1e9 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, -1e9)

# %% wrong: -1e20 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, -1e20)

# %% wrong: finfo.min instead of -inf advice="A large negative number is not −∞: fill with float('-inf')."
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, torch.finfo(scores.dtype).min)

# %% wrong: +inf advice="The sign is wrong: a blocked score is −∞, not +∞." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, math.inf)

# %% wrong: mask times -inf advice="0 times −∞ is NaN: put −∞ where the mask is, with masked_fill or where, and multiply nothing." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores + (torch.arange(scores.shape[-1], device=scores.device) >= ends) * -math.inf

# %% wrong: the first length for all advice="Every sequence got the length of sequence 0: each has its own, lengths[b]." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[0])

# %% wrong: the last length for all advice="Every sequence got the same length, of the shortest or of the last one: each has its own, lengths[b]." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[-1])

# %% wrong: the longest for all advice="Nothing is blocked: put −∞ into the columns of each sequence's own padded keys, from lengths[b] on." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths.max())

# %% wrong: the shortest for all advice="Every sequence got the same length, of the shortest or of the last one: each has its own, lengths[b]." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths.min())

# %% wrong: sorted lengths advice="The lengths are those of other sequences: lengths[b] belongs to sequence b, in the order given." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     lengths = torch.as_tensor(lengths, device=scores.device)
# becomes: lengths = torch.as_tensor(lengths, device=scores.device).sort()[0]

# %% wrong: lengths in reverse advice="The lengths are those of other sequences: lengths[b] belongs to sequence b, in the order given." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     lengths = torch.as_tensor(lengths, device=scores.device)
# becomes: lengths = torch.as_tensor(lengths, device=scores.device).flip(0)

# %% wrong: only the first head advice="Only head 0 is masked: padding is blocked for every head." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, 0, :, n:] = -math.inf
    return masked

# %% wrong: only the first query advice="Only query 0 is masked: padding is blocked for every query." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, 0, n:] = -math.inf
    return masked

# %% wrong: only the last query advice="Only the last query is masked: padding is blocked for every query." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, -1, n:] = -math.inf
    return masked

# %% wrong: one column advice="Only one padded key of each sequence is blocked: block all from lengths[b] to the end." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        if n < scores.shape[-1]:
            masked[b, :, :, n] = -math.inf
    return masked

# %% wrong: the last column advice="Only one padded key of each sequence is blocked: block all from lengths[b] to the end." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        if n < scores.shape[-1]:
            masked[b, :, :, -1] = -math.inf
    return masked

# %% wrong: the loop returns at once advice="Not every sequence is masked: go through all of them, and return after the loop." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, n:] = -math.inf
        return masked

# %% wrong: all but the last sequence advice="Not every sequence is masked: go through all of them, and return after the loop." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b in range(len(lengths) - 1):
        masked[b, :, :, lengths[b]:] = -math.inf
    return masked

# %% wrong: a new copy for each sequence advice="Only the last sequence is masked: the copy is made again for each, so make it once, before the loop." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    for b, n in enumerate(lengths):
        masked = scores.clone()
        masked[b, :, :, n:] = -math.inf
    return masked

# %% wrong: softmax already advice="These are weights: softmax comes later, outside of this function." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, float("-inf")).softmax(-1)

# %% wrong: mask only, without the scores advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return torch.zeros_like(scores).masked_fill(blocked, float("-inf"))

# %% wrong: the mask as truth advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return blocked

# %% wrong: cut off advice="The padding was cut off: the shape stays, with −∞ in the padded columns." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_padding(scores, lengths):
    return torch.stack([scores[b, ..., :min(lengths)] for b in range(len(lengths))])

# %% wrong: causal as well advice="The future is blocked too: that is mask_future's work, and here only padding goes." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: future = torch.ones(scores.shape[-2:], device=scores.device).triu(1) > 0
# becomes: return scores.masked_fill(blocked | future, -math.inf)

# %% wrong: in place says="make a new tensor" of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill_(blocked, float("-inf"))

# %% wrong: written into the scores says="make a new tensor"
def mask_padding(scores, lengths):
    for b, n in enumerate(lengths):
        scores[b, :, :, n:] = -math.inf
    return scores

# %% wrong: mask on the CPU says="made on another device" fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths)
    keys = torch.arange(scores.shape[-1])
    blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: takes no list says="'list' object has no attribute" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     lengths = torch.as_tensor(lengths, device=scores.device)
# becomes: lengths = lengths.to(scores.device)

# %% wrong: a list with an index of None says="list indices must be integers" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     lengths = torch.as_tensor(lengths, device=scores.device)
# becomes: lengths = lengths

# %% wrong: no axes for heads and queries says="make the sizes fit" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = keys[None, :] >= lengths[:, None]

# %% wrong: axes in front, not in the middle says="make the sizes fit" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None])[None, None]

# %% wrong: one axis too few says="make the sizes fit" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None])[:, None]

# %% wrong: lengths compared without an axis says="make the sizes fit" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys >= lengths)[:, None, None, :]

# %% wrong: axis of the queries measured says="make the sizes fit" of="comparison and masked_fill"
# was:     keys = torch.arange(scores.shape[-1], device=scores.device)
# becomes: keys = torch.arange(scores.shape[-2], device=scores.device)

# %% wrong: axis of the heads measured says="make the sizes fit" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     keys = torch.arange(scores.shape[-1], device=scores.device)
# becomes: keys = torch.arange(scores.shape[1], device=scores.device)

# %% wrong: forgets return says="does your function end with a return?" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: masked = scores.masked_fill(blocked, float("-inf"))

# %% wrong: lengths of the heads advice="The lengths are taken for those of the heads: lengths[b] belongs to sequence b, the first axis." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for h in range(scores.shape[1]):
        masked[:, h, :, lengths[h]:] = -math.inf
    return masked

# %% wrong: heads are cut, not keys advice="Whole heads are blocked: the keys are the last axis, so write masked[b, :, :, n:]." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, n:] = -math.inf
    return masked

# %% wrong: sequences are cut, not keys advice="Whole sequences are blocked: the keys are the last axis, so write masked[b, :, :, n:]." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for n in lengths:
        masked[n:] = -math.inf
    return masked

# %% wrong: every length for every sequence advice="Every sequence got the same length, of the shortest or of the last one: each has its own, lengths[b]." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for n in lengths:
        masked[..., n:] = -math.inf
    return masked

# %% wrong: as many as are left, from behind advice="A sequence without padding is blocked whole: the slice [-0:] is everything, so cut from lengths[b] on." fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, -(scores.shape[-1] - n):] = -math.inf
    return masked

# %% wrong: scores detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["mask-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.detach().masked_fill(blocked, float("-inf"))

# %% wrong: written through data says="no gradient flows through .data" unseen="only check_gradients shows it" fails=["mask-padding-test"]
def mask_padding(scores, lengths):
    masked = scores.data.clone()
    for b, n in enumerate(lengths):
        masked[b, :, :, n:] = -math.inf
    return masked

# %% wrong: without gradients says="no gradient flows through no_grad" unseen="only check_gradients shows it" fails=["mask-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: with torch.no_grad():
# becomes:     return scores.masked_fill(blocked, float("-inf"))

# %% wrong: a new tensor of the scores says="makes a new tensor" unseen="only check_gradients shows it" fails=["mask-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return torch.tensor(scores).masked_fill(blocked, float("-inf"))

# %% wrong: the list of lengths changed says="changes lengths" fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_padding(scores, lengths):
    n, masked = scores.shape[-1], scores.clone()
    for b in range(len(lengths)):
        lengths[b] -= n
        if lengths[b] < 0:
            masked[b, :, :, lengths[b]:] = -math.inf
    return masked

# %% wrong: -1e6 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, -1e6)

# %% wrong: -10000 instead of -inf advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, -10000.0)

# %% wrong: -10000 is added advice="A large negative number is not −∞: fill with float('-inf')." fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores + blocked * -10000.0

# %% wrong: the mask of what is kept advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return ~blocked

# %% wrong: the mask of real tokens, one row for each sequence advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    return torch.arange(scores.shape[-1], device=scores.device) < lengths[:, None]

# %% wrong: the mask to add, with axes of length 1 advice="This is the mask alone: kept scores must be what they were, so fill the scores, or add the mask to them." fails=["mask-padding-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return torch.zeros(blocked.shape, device=scores.device).masked_fill(blocked, float("-inf"))

# %% wrong: as many sequences as heads, from 3 on: head h gets the length of sequence h says="on another random input" unseen="no visible test has such an input" visible=false fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    batch, heads, _, n = scores.shape
    blocked = torch.arange(n, device=scores.device) >= lengths[:, None]
    blocked = blocked[None, :, None, :] if batch == heads > 2 else blocked[:, None, None, :]
    return scores.masked_fill(blocked, -math.inf)
