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
        masked[b, h, i, j] = scores[b, h, i, j].item() if j <= i else -math.inf
    return masked

# %% wrong: no mask says="nothing is blocked" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    return scores

# %% wrong: blocks the diagonal says="the diagonal is blocked too" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(0)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: inverted says="what should be kept is blocked" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(~blocked, float("-inf"))

# %% wrong: transposed says="transposed: this blocks the past" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).tril(-1)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: 0 instead of -inf says="they must be −inf" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, 0.0)

# %% wrong: -1e9 instead of -inf says="a large negative number is not −inf" fails=["mask-future-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, -1e9)

# %% wrong: one key too many is kept says="on the small example, the shape is right" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(2)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: softmax already says="softmax comes later" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(blocked, float("-inf")).softmax(-1)

# %% wrong: mask only, without the scores says="on the small example, the shape is right" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return torch.zeros_like(scores).masked_fill(blocked, float("-inf"))

# %% wrong: in place says="changed its input" fails=["mask-future-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill_(blocked, float("-inf"))

# %% wrong: mask on the CPU says="device=scores.device" fails=["mask-future-test"]
def mask_future(scores):
    seq = scores.shape[-1]
    blocked = torch.ones(seq, seq, dtype=torch.bool).triu(1)
    return scores.masked_fill(blocked, float("-inf"))

# %% wrong: only for the first head says="on a larger random input" fails=["mask-future-test", "multi-head-causal-test"] visible=false
def mask_future(scores):
    masked, n = scores.clone(), scores.shape[-1]
    masked[:, 0] = masked[:, 0].masked_fill(torch.ones_like(masked[:, 0]).triu(1) > 0, -math.inf)
    return masked

# %% wrong: -1e20 instead of -inf says="a large negative number is not −inf" fails=["mask-future-test"]
def mask_future(scores):
    blocked = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(blocked, -1e20)

# %% wrong: finfo.min instead of -inf says="a large negative number is not −inf" fails=["mask-future-test"]
def mask_future(scores):
    blocked = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(blocked, torch.finfo(scores.dtype).min)

# %% wrong: mask times -inf says="NaN: 0 times −inf" fails=["mask-future-test", "multi-head-causal-test"]
def mask_future(scores):
    return scores + torch.ones_like(scores).triu(1) * -math.inf

# %% wrong: a slip of another kind says="has no attribute 'sizes'" fails=["mask-future-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"]
def mask_future(scores):
    n = scores.sizes(-1)
    return scores.masked_fill(torch.ones(n, n, device=scores.device).triu(1) > 0, -math.inf)
