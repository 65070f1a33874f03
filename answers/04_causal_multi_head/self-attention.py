# %% base
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        return torch.softmax(scores, dim=-1) @ v

# %% right: einsum of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: scores = torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(self.q.out_features)
# becomes: return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v)

# %% right: F.scaled_dot_product_attention of="base"
# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return F.scaled_dot_product_attention(self.q(x), self.k(x), self.v(x))

# %% right: loops over batch and query
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        rows = []
        for b in range(x.shape[0]):
            outputs = []
            for i in range(x.shape[1]):
                scores = torch.stack([q[b, i] @ k[b, j] for j in range(x.shape[1])]) / q.shape[-1] ** 0.5
                weights = torch.exp(scores - scores.max())
                outputs.append((weights / weights.sum()) @ v[b])
            rows.append(torch.stack(outputs))
        return torch.stack(rows)

# %% right: fused qkv computation, queries scaled first
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q = nn.Linear(input_size, hidden)
        self.k = nn.Linear(input_size, hidden)
        self.v = nn.Linear(input_size, hidden)

    def forward(self, x):
        weight = torch.cat([self.q.weight, self.k.weight, self.v.weight])
        bias = torch.cat([self.q.bias, self.k.bias, self.v.bias])
        q, k, v = F.linear(x, weight, bias).chunk(3, dim=-1)
        q = q / math.sqrt(q.size(-1))
        return torch.bmm(F.softmax(torch.bmm(q, k.mT), dim=2), v)

# %% wrong: no scale advice="Divide the scores by √hidden, before softmax." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1)

# %% wrong: softmax over queries advice="This softmax runs over the queries: give it dim=-1, so that the weights of each query sum to 1 over the keys." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-2) @ v

# %% wrong: Q and K swapped advice="Queries and keys are swapped: the query is the row of the scores, the key the column." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: transposed weights advice="The weights are transposed before they are multiplied with the values: multiply weights[query, key] with v as they are." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1).mT @ v

# %% wrong: root of input_size advice="The scores are divided by √input_size: what counts is the length of a query, hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / x.shape[-1] ** 0.5

# %% wrong: divides by hidden advice="The scores are divided by hidden, not by its root: divide once, by √hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / q.shape[-1]

# %% wrong: softmax twice advice="Softmax was taken twice: once is enough." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return scores.softmax(-1).softmax(-1) @ v

# %% wrong: V not projected advice="The weights mix x itself: they must mix the values v(x)." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ x

# %% wrong: keys as values advice="The weights mix the keys: they must mix the values, from self.v." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ k

# %% wrong: multiplies by the root advice="The scores are multiplied by √hidden: divide them." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5

# %% wrong: no softmax advice="The scores themselves mix the values: send them through softmax first." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return scores @ v

# %% wrong: queries compared with queries advice="Queries are compared with queries: the keys come from self.k, a separate layer, and are on the right." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ q.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: divides by the root twice advice="The scores are divided by hidden, not by its root: divide once, by √hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = (q / q.shape[-1] ** 0.5) @ (k / q.shape[-1] ** 0.5).transpose(-2, -1)

# %% wrong: to the power of one, halved advice="The scores are divided by 2·hidden: in `/ d ** 1/2` the power comes first, so write ** 0.5 or take math.sqrt." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 1/2

# %% wrong: root of seq advice="The scores are divided by √seq: what counts is the length of a query, hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / x.shape[1] ** 0.5

# %% wrong: root of batch advice="The scores are divided by √2, as by the root of the number of sequences: what counts is the length of a query, hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / len(q) ** 0.5

# %% wrong: weights divided, not scores advice="What is divided by √hidden here are the weights, the values or the output: divide the scores, before softmax." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1)

# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) / q.shape[-1] ** 0.5 @ v

# %% wrong: output divided, scores too advice="What is divided by √hidden here are the weights, the values or the output: divide the scores, before softmax." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ v / q.shape[-1] ** 0.5

# %% wrong: softmax over the batch advice="This softmax runs over the batch, so sequences are mixed up: give it dim=-1, the axis of the keys." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=0) @ v

# %% wrong: nn.Softmax without dim advice="This softmax runs over the batch, so sequences are mixed up: give it dim=-1, the axis of the keys." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return nn.Softmax()(scores) @ v

# %% wrong: softmax over queries and keys together advice="The weights of all queries together sum to 1: softmax runs along the last axis only, over the keys of each query." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return scores.flatten(1).softmax(-1).view_as(scores) @ v

# %% wrong: log of softmax advice="The weight of a single token must be 1, and is 0 here: take softmax of the scores, not log_softmax, nor anything that can be 0." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.log_softmax(scores, dim=-1) @ v

# %% wrong: sigmoid advice="Each score went through a sigmoid on its own: softmax makes weights that sum to 1 over the keys." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.sigmoid(scores) @ v

# %% wrong: no softmax, only exp advice="After exp the weights must be divided by their sum over the keys: torch.softmax does both." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.exp(scores) @ v

# %% wrong: divided by their sum, without exp advice="The scores are divided by their sum, without exp: take softmax." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return scores / scores.sum(-1, keepdim=True) @ v

# %% wrong: keys compared with keys advice="Keys are compared with keys: the queries come from self.q, a separate layer, and are on the left." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = k @ k.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: keys reshaped advice="A reshape keeps the order of the numbers and doesn't transpose the keys: swap their last two axes with transpose(-2, -1)." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]) / q.shape[-1] ** 0.5

# %% wrong: a causal mask advice="A mask is at work: in this exercise each query may look at all keys." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores + torch.full(scores.shape[1:], -math.inf).triu(1), dim=-1) @ v

# %% wrong: only the diagonal advice="Each token gets its own value only: mix the values of all tokens, weights @ v." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1).diagonal(dim1=-2, dim2=-1)[..., None] * v

# %% wrong: a plain mean advice="All weights of a query are alike: the scores q kᵀ must decide how large they are." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = 0 * (q @ k.transpose(-2, -1))

# %% wrong: queries as values advice="The weights mix the queries: they must mix the values, from self.v." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ q

# %% wrong: v and k in the wrong order advice="The weights mix the keys: they must mix the values, from self.v." of="base"
# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, v, k = self.q(x), self.k(x), self.v(x)

# %% wrong: v and q in the wrong order advice="The weights mix the queries: they must mix the values, from self.v." of="base"
# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: v, k, q = self.q(x), self.k(x), self.v(x)

# %% wrong: values left without a product advice="These are the weights: multiply them with the values." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1)

# %% wrong: scores returned advice="These are the scores: softmax and the product with the values are to come." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return scores

# %% wrong: weights returned, too says="return only output" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: probs = torch.softmax(scores, dim=-1)
# becomes: return probs @ v, probs

# %% wrong: mean of the tokens advice="An axis is gone: return one output for each token of each sequence, (batch, seq, hidden)." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return (torch.softmax(scores, dim=-1) @ v).mean(1)

# %% wrong: last token only advice="An axis is gone: return one output for each token of each sequence, (batch, seq, hidden)." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return (torch.softmax(scores, dim=-1) @ v)[:, -1]

# %% wrong: axes of length 1 squeezed advice="An axis is gone: return one output for each token of each sequence, (batch, seq, hidden)." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return (torch.softmax(scores, dim=-1) @ v).squeeze()

# %% wrong: x added advice="Something of x is added to the output: return weights times values, and nothing more." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ v + x[..., :1]

# %% wrong: mixes up the sequences of a batch advice="Every sequence gets the values of sequence 0: keep the batch axis of v as it is." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ v[:1]

# %% wrong: scores of the first sequence for all advice="Every sequence gets the weights of sequence 0: keep the batch axis of q and k as it is." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q[:1] @ k[:1].transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: no bias says="has no q.bias" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.q = nn.Linear(input_size, hidden, bias=False)

# %% wrong: other names says="has no q.bias, q.weight" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.query = nn.Linear(input_size, hidden)

# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = self.query(x), self.k(x), self.v(x)

# %% wrong: layers made in forward says="the layer lacks weights" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# was:     self.k = nn.Linear(input_size, hidden)
# was:     self.v = nn.Linear(input_size, hidden)
# becomes: self.sizes = input_size, hidden

# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = (nn.Linear(*self.sizes)(x) for _ in range(3))

# %% wrong: layers kept in a list says="the layer lacks weights" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# was:     self.k = nn.Linear(input_size, hidden)
# was:     self.v = nn.Linear(input_size, hidden)
# becomes: self.parts = [nn.Linear(input_size, hidden) for _ in range(3)]

# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = (part(x) for part in self.parts)

# %% wrong: an output layer too many says="also holds mix.bias, mix.weight" of="base"
# was:     self.k = nn.Linear(input_size, hidden)
# becomes: self.k = nn.Linear(input_size, hidden)
# becomes: self.mix = nn.Linear(hidden, hidden)

# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return self.mix(torch.softmax(scores, dim=-1) @ v)

# %% wrong: sizes of the layer swapped says="q.weight has shape" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.q = nn.Linear(hidden, input_size)

# %% wrong: forgets return says="does your function end with a return?" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: out = torch.softmax(scores, dim=-1) @ v

# %% wrong: input changed in place says="make a new tensor" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: out = torch.softmax(scores, dim=-1) @ v
# becomes: x.zero_()
# becomes: return out

# %% wrong: keys not turned says="the last axis on the left" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k / q.shape[-1] ** 0.5

# %% wrong: all axes turned says="swap only the last two axes" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.T / q.shape[-1] ** 0.5

# %% wrong: hidden is no name in forward says="is not defined" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / math.sqrt(hidden)

# %% wrong: torch.sqrt of a number says="must be Tensor, not int" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / torch.sqrt(q.shape[-1])

# %% wrong: self forgotten says="associated with a value" of="base"
# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = q(x), k(x), v(x)

# %% wrong: one layer for queries and keys advice="Keys are compared with keys: the queries come from self.q, a separate layer, and are on the left." of="base"
# was:     self.k = nn.Linear(input_size, hidden)
# becomes: self.k = self.q

# %% wrong: weights detached says="no gradient flows through .detach()" unseen="only check_gradients shows it" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1).detach() @ v

# %% wrong: forward without gradients says="no gradient flows through no_grad" unseen="only check_gradients shows it" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: with torch.no_grad():
# becomes:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes:     return torch.softmax(scores, dim=-1) @ v

# %% wrong: inference mode says="no gradient flows through inference_mode" unseen="only check_gradients shows it" of="base"
# was:     def forward(self, x):
# becomes: @torch.inference_mode()
# becomes: def forward(self, x):

# %% wrong: data of queries and keys says="no gradient flows through .data" unseen="only check_gradients shows it" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q.data @ k.data.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: weights of the layers as numbers says="no gradient flows through .data" unseen="only check_gradients shows it" of="base"
# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = (x @ part.weight.data.T + part.bias.data for part in (self.q, self.k, self.v))

# %% wrong: a new tensor of the scores says="makes a new tensor" unseen="only check_gradients shows it" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(torch.tensor(scores), dim=-1) @ v

# %% wrong: the softmax in NumPy says="no gradient flows through" unseen="only check_gradients shows it" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: e = np.exp(scores.detach().numpy())
# becomes: return torch.from_numpy(e / e.sum(-1, keepdims=True)) @ v

# %% wrong: NumPy without detach says="no gradient flows through" unseen="only check_gradients shows it" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: e = np.exp(scores.numpy())
# becomes: return torch.from_numpy(e / e.sum(-1, keepdims=True)) @ v

# %% wrong: the root item by item says="no gradient flows through .item()" unseen="only check_gradients shows it" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: rows = [[[(a @ b).item() / len(a) ** 0.5 for b in keys] for a in queries] for queries, keys in zip(q, k)]
# becomes: scores = torch.tensor(rows)

# %% wrong: nested lists says="no gradient flows through .tolist()" unseen="only check_gradients shows it" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return (torch.softmax(scores, dim=-1) @ v).tolist()

# %% wrong: one sequence taken out of its batch advice="Keep axes of length 1: nothing is squeezed." of="reference"
# was:     return torch.softmax(scores, dim=-1) @ v  # [batch, seq, hidden]
# becomes: return (torch.softmax(scores, dim=-1) @ v).squeeze(0)  # [batch, seq, hidden]

# %% wrong: a causal mask, √input_size advice="Here nothing is masked, and the root is of hidden: leave the mask out, and divide the scores by √hidden, not by √input_size." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) * x.shape[-1] ** -0.5
# becomes: scores = scores.masked_fill(torch.ones(scores.shape[1:]).tril() == 0, -math.inf)

# %% wrong: a causal mask, no scale advice="Here nothing is masked, and the scores are scaled: leave the mask out, and divide the scores by √hidden." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: scores = scores.masked_fill(torch.ones(scores.shape[1:]).tril() == 0, -math.inf)

# %% wrong: softmax over queries, no scale advice="Give softmax dim=-1, the keys, and divide the scores by √hidden before: here dim 1 are the queries, and nothing is scaled." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: return torch.softmax(scores, dim=1) @ v

# %% wrong: softmax over the batch, no scale advice="Give softmax dim=-1, the keys, and divide the scores by √hidden before: here it runs over the sequences, and nothing is scaled." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: return torch.softmax(scores, dim=0) @ v

# %% wrong: tokens first, batch second advice="Here the batch is the first axis and the tokens the second: this compares the sequences with each other, as for tensors of (seq, batch, hidden)." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: scores = torch.einsum("ibd,jbd->bij", q, k) / q.shape[-1] ** 0.5
# becomes: return torch.einsum("bij,jbd->ibd", torch.softmax(scores, dim=-1), v)

# %% wrong: cosines advice="Here a score is the dot product over √hidden, not the cosine: don't normalize queries and keys." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)

# %% wrong: bare scores advice="Divide the scores by √hidden and send them through softmax: here the bare products of queries and keys mix the values." of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: scores = q @ k.transpose(-2, -1)
# becomes: return scores @ v

# %% wrong: a norm at the end advice="Return weights times values as they are: a layer norm belongs to a block." of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return F.layer_norm(torch.softmax(scores, dim=-1) @ v, v.shape[-1:])
