# %% right: einsum
def scaled_scores(q, k):
    return torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))

# %% right: loop over heads, bmm
def scaled_scores(q, k):
    heads = [torch.bmm(q[:, h], k[:, h].mT) for h in range(q.shape[1])]
    return torch.stack(heads, dim=1) * q.shape[-1] ** -0.5

# %% right: queries scaled first, broadcast and sum
def scaled_scores(q, k):
    q = q / math.sqrt(q.shape[-1])
    return (q[:, :, :, None, :] * k[:, :, None, :, :]).sum(-1)

# %% right: both scaled by the fourth root
def scaled_scores(q, k):
    root = q.shape[-1] ** 0.25
    return torch.matmul(q / root, (k / root).permute(0, 1, 3, 2))

# %% right: explicit loops
def scaled_scores(q, k):
    scores = q.new_zeros(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    for b, h, i, j in np.ndindex(*scores.shape):
        scores[b, h, i, j] = torch.dot(q[b, h, i], k[b, h, j]) / math.sqrt(q.shape[-1])
    return scores

# %% wrong: no scale says="not divided by √head_size" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) 

# %% wrong: divides by head_size says="divided by head_size, not by its root" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / q.shape[-1]

# %% wrong: root of hidden says="divided by √hidden" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / (q.shape[1] * q.shape[-1]) ** 0.5

# %% wrong: root of seq says="divided by √seq" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / k.shape[2] ** 0.5

# %% wrong: root of num_heads says="√num_heads" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / q.shape[1] ** 0.5

# %% wrong: multiplies says="multiplied by √head_size" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5

# %% wrong: Q and K swapped says="queries and keys have changed places" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: softmax already says="weights already" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"]
def scaled_scores(q, k):
    return (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)

# %% wrong: q changed in place says="q was changed" fails=["scaled-scores-test"]
def scaled_scores(q, k):
    q /= q.shape[-1] ** 0.5
    return q @ k.transpose(-2, -1)

# %% wrong: k changed in place says="k was changed" fails=["scaled-scores-test"]
def scaled_scores(q, k):
    k.div_(q.shape[-1] ** 0.5)
    return q @ k.transpose(-2, -1)

# %% wrong: head 0 for all says="on the small example, the shape is right" fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return q[:, :1] @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
