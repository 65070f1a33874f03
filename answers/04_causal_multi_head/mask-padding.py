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

# %% wrong: lengths ignored says="nothing is blocked" fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    return scores

# %% wrong: padding of queries instead of keys says="block the column of the padded key" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None])[:, None, :, None]

# %% wrong: padding of queries and keys says="row and column are blocked" fails=["mask-padding-test"]
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths, device=scores.device)
    keys = torch.arange(scores.shape[-1], device=scores.device)
    blocked = (keys[None, :] >= lengths[:, None])
    blocked = (blocked[:, None, :] | blocked[:, :, None])[:, None]
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: one key too many is blocked says="one column too many" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[:, None] - 1)[:, None, None, :]

# %% wrong: the first padded key is kept says="nothing is blocked" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] > lengths[:, None])[:, None, None, :]

# %% wrong: inverted says="the real keys are blocked" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] < lengths[:, None])[:, None, None, :]

# %% wrong: 0 instead of -inf says="they must be −inf" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, 0)

# %% wrong: -1e9 instead of -inf says="a large negative number is not −inf" fails=["mask-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill(blocked, -1e9)

# %% wrong: the first length for all says="each sequence has its own length" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
# becomes: blocked = (keys[None, :] >= lengths[0])

# %% wrong: in place says="changed its input" fails=["mask-padding-test"] of="comparison and masked_fill"
# was:     return scores.masked_fill(blocked, float("-inf"))
# becomes: return scores.masked_fill_(blocked, float("-inf"))

# %% wrong: mask on the CPU says="device=scores.device" fails=["mask-padding-test"]
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths)
    keys = torch.arange(scores.shape[-1])
    blocked = (keys[None, :] >= lengths[:, None])[:, None, None, :]
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: takes no list says="'list' object has no attribute" fails=["mask-padding-test", "multi-head-padding-test"] of="comparison and masked_fill"
# was:     lengths = torch.as_tensor(lengths, device=scores.device)
# becomes: lengths = lengths.to(scores.device)

# %% wrong: axis of the queries measured says="must match" fails=["mask-padding-test"] visible=false of="comparison and masked_fill"
# was:     keys = torch.arange(scores.shape[-1], device=scores.device)
# becomes: keys = torch.arange(scores.shape[-2], device=scores.device)

# %% wrong: -1e20 instead of -inf says="a large negative number is not −inf" fails=["mask-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, -1e20)

# %% wrong: finfo.min instead of -inf says="a large negative number is not −inf" fails=["mask-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores.masked_fill(torch.arange(scores.shape[-1], device=scores.device) >= ends, torch.finfo(scores.dtype).min)

# %% wrong: mask times -inf says="NaN: 0 times −inf" fails=["mask-padding-test", "multi-head-padding-test"]
def mask_padding(scores, lengths):
    ends = torch.as_tensor(lengths, device=scores.device)[:, None, None, None]
    return scores + (torch.arange(scores.shape[-1], device=scores.device) >= ends) * -math.inf
