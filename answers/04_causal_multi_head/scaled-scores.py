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

# %% wrong: no scale advice="The scores are not divided: divide them by √head_size." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1)

# %% wrong: divides by head_size advice="The scores are divided by head_size, not by its root: divide once, by √head_size." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / q.shape[-1]

# %% wrong: divides by the root twice advice="The scores are divided by head_size, not by its root: divide once, by √head_size." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q / q.shape[-1] ** 0.5) @ (k / k.shape[-1] ** 0.5).transpose(-2, -1)

# %% wrong: to the power of one, halved advice="The scores are divided by 2·head_size: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take math.sqrt." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / q.shape[-1] ** 1/2

# %% wrong: root of hidden advice="The scores are divided by √hidden: a dot product in one head sums only head_size products." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / (q.shape[1] * q.shape[-1]) ** 0.5

# %% wrong: root of seq advice="The scores are divided by √seq_k: the number of tokens has nothing to do with the spread of one score, so take the last axis of q." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / k.shape[2] ** 0.5

# %% wrong: root of the number of queries advice="The scores are divided by √seq_q: the number of tokens has nothing to do with the spread of one score, so take the last axis of q." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / q.shape[2] ** 0.5

# %% wrong: root of num_heads advice="The scores are divided by √num_heads: it is the length of a query that counts, the last axis of q." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / q.shape[1] ** 0.5

# %% wrong: root of batch advice="The scores are divided by √2, as by the root of the number of sequences: it is the length of a query that counts, the last axis of q." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / len(q) ** 0.5

# %% wrong: root of the size of a score table advice="The scores are divided by √seq_k: the number of tokens has nothing to do with the spread of one score, so take the last axis of q." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: return scores / math.sqrt(scores.shape[-1])

# %% wrong: multiplies advice="The scores are multiplied by √head_size: divide them." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5

# %% wrong: a mean of products advice="The products are averaged: a dot product is their sum, divided by √head_size only." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q[:, :, :, None] * k[:, :, None]).mean(-1) / q.shape[-1] ** 0.5

# %% wrong: numbers not summed over advice="The sum runs over the keys: a dot product sums over the numbers, the last axis." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q[:, :, :, None] * k[:, :, None]).sum(-2) / q.shape[-1] ** 0.5

# %% wrong: Q and K swapped advice="Queries and keys are swapped: the query is the row, the key the column." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: keys reshaped advice="A reshape keeps the order of the numbers and doesn't transpose the keys: swap their last two axes with transpose(-2, -1)." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.reshape(*k.shape[:2], k.shape[3], k.shape[2]) / q.shape[-1] ** 0.5

# %% wrong: softmax already advice="These are weights already: softmax comes later, after the mask." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)

# %% wrong: of length 1 advice="Each score is divided by the lengths of its own two vectors: divide all of them by √head_size." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)

# %% wrong: causal already advice="Some scores were set to 0: no mask belongs here, since that is the next exercise." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: return scores.tril()

# %% wrong: head 0 for all advice="Every head got the queries of head 0: multiply q and k as they are, so that heads stay apart." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q[:, :1] @ k.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: keys of head 0 for all advice="Every head got the keys of head 0: multiply q and k as they are, so that heads stay apart." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k[:, :1].transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: sequence 0 for all advice="Every sequence got the keys of sequence 0: multiply q and k as they are, so that sequences stay apart." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k[:1].transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: heads added up advice="The heads were added up: each has scores of its own." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q @ k.transpose(-2, -1)).sum(1) / q.shape[-1] ** 0.5

# %% wrong: only the scale of q advice="This is q, scaled: its product with the keys is missing." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q / q.shape[-1] ** 0.5

# %% wrong: a difference for a product advice="These are distances: take dot products of queries and keys." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return -torch.cdist(q, k) / q.shape[-1] ** 0.5

# %% wrong: q changed in place says="make a new tensor" of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: q /= q.shape[-1] ** 0.5
# becomes: return q @ k.transpose(-2, -1)

# %% wrong: k changed in place says="make a new tensor" of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: k.div_(q.shape[-1] ** 0.5)
# becomes: return q @ k.transpose(-2, -1)

# %% wrong: keys not turned says="Expected size for first two dimensions" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k / q.shape[-1] ** 0.5

# %% wrong: all axes turned says="swap only the last two axes" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.T / q.shape[-1] ** 0.5

# %% wrong: heads and tokens of the keys swapped says="the axes before the last two" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(1, 2) / q.shape[-1] ** 0.5

# %% wrong: torch.sqrt of a number says="must be Tensor, not int" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / torch.sqrt(q.shape[-1])

# %% wrong: head_size is no name says="is not defined" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / math.sqrt(head_size)

# %% wrong: root of a whole shape says="must be real number, not torch.Size" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / math.sqrt(q.shape)

# %% wrong: forgets return says="does your function end with a return?" fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

# %% wrong: keys of all heads advice="The keys of all heads are added up: in einsum, q and k have the same letter for the heads." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return torch.einsum("bhqd,bgkd->bhqk", q, k) / math.sqrt(q.shape[-1])

# %% wrong: axes in another order advice="The heads come before the queries: [batch, num_heads, seq_q, seq_k]." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return torch.einsum("bhqd,bhkd->bqhk", q, k) / math.sqrt(q.shape[-1])

# %% wrong: data of queries and keys says="no gradient flows through .data" unseen="only check_gradients shows it" fails=["scaled-scores-test", "multi-head-returned-attention-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q.data @ k.data.transpose(-2, -1) / math.sqrt(q.shape[-1])

# %% wrong: keys detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" fails=["scaled-scores-test", "multi-head-returned-attention-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.detach().transpose(-2, -1) / math.sqrt(q.shape[-1])

# %% wrong: product by product, as plain numbers says="no gradient flows through .item()" unseen="only check_gradients shows it" fails=["scaled-scores-test", "multi-head-returned-attention-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = torch.zeros(*q.shape[:3], k.shape[2], device=q.device)
# becomes: for b, h, i, j in np.ndindex(*scores.shape):
# becomes:     scores[b, h, i, j] = torch.dot(q[b, h, i], k[b, h, j]).item() / math.sqrt(q.shape[-1])
# becomes: return scores

# %% wrong: scores as a new tensor says="makes a new tensor" unseen="only check_gradients shows it" fails=["scaled-scores-test", "multi-head-returned-attention-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: return torch.tensor(scores) / math.sqrt(q.shape[-1])

# %% wrong: a root on the CPU says="made on another device" fails=["scaled-scores-test", "multi-head-causal-test", "multi-head-padding-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return q @ k.transpose(-2, -1) / torch.sqrt(torch.tensor([q.shape[-1]]))

# %% right: a root in a tensor without axes
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / torch.sqrt(torch.tensor(q.shape[-1]))

# %% right: a root on the device of the queries
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / torch.tensor([q.shape[-1]], device=q.device).sqrt()

# %% wrong: weights of the bare scores advice="Return scores, divided by √head_size: here softmax was taken of the bare products, and it comes later, after the mask." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return (q @ k.transpose(-2, -1)).softmax(-1)

# %% wrong: the future blocked already advice="Block nothing here: mask_future puts −∞ above the diagonal, in the next exercise." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return scores.masked_fill(torch.ones_like(scores).tril() == 0, -math.inf)

# %% wrong: Q and K swapped, no scale advice="Let the queries be the rows, q on the left of the product, and divide it by √head_size." fails=["scaled-scores-test", "multi-head-values-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return k @ q.transpose(-2, -1)

# %% wrong: heads folded into the batch advice="Keep an axis for the heads: return [batch, num_heads, seq_q, seq_k], not [batch · num_heads, seq_q, seq_k]." fails=["scaled-scores-test", "multi-head-values-test", "multi-head-causal-test", "multi-head-padding-test", "multi-head-returned-attention-test", "multi-head-dropout-test", "load-from-torch-test"] of="reference"
# was:     return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
# becomes: return torch.bmm(q.flatten(0, 1), k.flatten(0, 1).transpose(1, 2)) / math.sqrt(q.shape[-1])

# %% wrong: a single query: the keys are detached says="gradients, on another random input" unseen="no visible test has such an input" visible=false fails=["scaled-scores-test"]
def scaled_scores(q, k):
    if q.shape[2] == 1:
        k = k.detach()
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

# %% wrong: scores are clamped to ±10000 says="with large scores" unseen="no visible test has such an input" visible=false fails=["scaled-scores-test", "multi-head-values-test"]
def scaled_scores(q, k):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-1e4, 1e4)
