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

# %% right: returns nested lists of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return (torch.softmax(scores, dim=-1) @ v).tolist()

# %% wrong: no scale says="not divided by √hidden" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) 

# %% wrong: divides by hidden says="divided by hidden, not by its root" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / q.shape[-1]

# %% wrong: multiplies by the root says="multiplied by √hidden" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5

# %% wrong: root of input_size says="√input_size" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / x.shape[-1] ** 0.5

# %% wrong: root of seq says="√seq" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = q @ k.transpose(-2, -1) / x.shape[1] ** 0.5

# %% wrong: softmax over queries says="over the queries" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-2) @ v

# %% wrong: Q and K swapped says="queries and keys have changed places" of="base"
# was:     scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
# becomes: scores = k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5

# %% wrong: V not projected says="the weights mix x itself" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ x

# %% wrong: no softmax, only exp says="don't sum to 1" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.exp(scores) @ v

# %% wrong: softmax over the batch says="over the batch: give dim=-1" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=0) @ v

# %% wrong: no bias says="lacks ['q.bias']" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.q = nn.Linear(input_size, hidden, bias=False)

# %% wrong: other names says="lacks ['q.bias', 'q.weight']" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.query = nn.Linear(input_size, hidden)

# was:     q, k, v = self.q(x), self.k(x), self.v(x)
# becomes: q, k, v = self.query(x), self.k(x), self.v(x)

# %% wrong: an output layer too many says="also holds ['mix.bias', 'mix.weight']" of="base"
# was:     self.k = nn.Linear(input_size, hidden)
# becomes: self.k = nn.Linear(input_size, hidden)
# becomes: self.mix = nn.Linear(hidden, hidden)

# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return self.mix(torch.softmax(scores, dim=-1) @ v)

# %% wrong: sizes of the layer swapped says="q.weight has shape" of="base"
# was:     self.q = nn.Linear(input_size, hidden)
# becomes: self.q = nn.Linear(hidden, input_size)

# %% wrong: forgets return says="you gave back None" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: out = torch.softmax(scores, dim=-1) @ v

# %% wrong: input changed in place says="changed its input" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: out = torch.softmax(scores, dim=-1) @ v
# becomes: x.zero_()
# becomes: return out

# %% wrong: mixes up the sequences of a batch says="input_size 7" visible=false of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return torch.softmax(scores, dim=-1) @ v[:1]

# %% wrong: nn.Softmax without dim says="over the batch: give dim=-1" of="base"
# was:     return torch.softmax(scores, dim=-1) @ v
# becomes: return nn.Softmax()(scores) @ v
